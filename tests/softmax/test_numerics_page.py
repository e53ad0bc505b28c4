"""The chapter book/softmax/numerics: what must not pass on it."""

from proofread.errors import Misprinted, ProofError, Refuted, Undecided
from proofread.testing import Falsified, Page

QUOTATIONS = {
    "Xu (2019), consideration 1":
        r"\frac{\exp(z_{k} - \max_{i} e^{z_{i}})}{\sum_{i=1}^{n} \exp(z_{i} - \max_{i} e^{z_{i}})}",
}

UNCHECKED = [
    r"(\log f)' = f'/f", r"-\infty", "0/0", "1/(1 + e^{-g/T})", "1/(1+e^{-1000})", r"\log C", r"\log(s\,e^m)",
    r"\max_l z_l", r"\sum_k \pi_k v_k^2", r"c = \max_i z_i", r"c = \max_i z_i/T", "e^t(1+e^{-g})",
    r"e^{-g/T} \to 0", "i = j", r"m' = \log e^{m'}", "n-1", "t-g", "z/T", r"|z_k - \max_i z_i|",
]

PAGE = Page("book/softmax/numerics", [
    Falsified("(sp.exp(-c) * sp.Sum(", "(sp.exp(c) * sp.Sum(", Refuted),
    Falsified(".sum(dtype=np.float16)", ".sum(dtype=np.float32)", AssertionError),
    Falsified("shifted.step(sp.exp(z[k] - top) /", "shifted.step(sp.exp(z[k] + top) /", Refuted),
    Falsified("top = MaxOver(z[i], (i, 1, n))", "top = MaxOver(z[i], (i, 2, n))", ProofError),
    Falsified("e = np.exp(x - np.exp(x).max())", "e = np.exp(x - x.max())", ValueError),
    Falsified("overflow = np.log(float(info.max)) - np.log1p(np.exp(-gap))",
              "overflow = np.log(float(info.max))", AssertionError),
    Falsified("half_least = np.log(float(info.smallest_subnormal)) - np.log(2)",
              "half_least = np.log(float(info.smallest_subnormal))", AssertionError),
    Falsified("tilt.step((z[j] - z[k]) / T,", "tilt.step((z[j] - z[k]) * T,", Refuted),
    Falsified("sp.exp((z[k] - top) / T)", "sp.exp(z[k] / T - top)", Refuted),
    Falsified('sp.Limit(leader, T, 0, "+")', 'sp.Limit(leader, T, 0, "-")', Refuted),
    Falsified('ratio.step(z[j] - z[k], "', 'ratio.step(z[k] - z[j], "', Refuted),
    Falsified("best.step(top - lse(),", "best.step(top + lse(),", Refuted),
    Falsified('relation="<=", attained={n: 1}', 'relation=">=", attained={n: 1}', Refuted),
    Falsified("sp.log(n * sp.exp(top))", "sp.log((n + 1) * sp.exp(top))", Refuted),
    Falsified("upper.step(top + sp.log(n),", "upper.step(top + n,", Refuted),
    Falsified("gradient.step(pi(j),", "gradient.step(pi(k),", Refuted),
    Falsified("hessian.step(pi(j) * (delta(j, k) - pi(k)),",
              "hessian.step(pi(j) * (delta(j, k) + pi(k)),", Refuted),
    Falsified("form.step(Var(v[k], softmax_law),", "form.step(Var(v[j], softmax_law),", Refuted),
    Falsified("others = Without(sp.Sum(sp.exp(z[i] - z[j]), (i, 1, n)), j)",
              "others = sp.Sum(sp.exp(z[i] - z[j]), (i, 1, n))", Refuted),
    Falsified("log_prob.step(z[k] - lse(),", "log_prob.step(z[k] + lse(),", Refuted),
    Falsified("online.step(sp.log(s * sp.exp(m) + sp.exp(x)),",
              "online.step(sp.log(s * sp.exp(m) + x),", Refuted),
    # the start of a chain
    Falsified("shift = Derivation(sp.exp(z[k] - c) /", "shift = Derivation(sp.exp(z[k] + c) /", Refuted),
    Falsified("leader = sp.exp(gap / T) /", "leader = sp.exp(-gap / T) /", Refuted),
    # by which rule an inequality is shown
    Falsified("by=bounds.one_of_them(sp.exp, z[i], (i, 1, n)).log())",
              "by=bounds.one_of_them(sp.exp, z[i], (i, 1, n)))", Undecided, says="its gap is not that"),
    Falsified("(i, 1, n), k).exp().over(k, 1, n).log())", "(i, 1, n), n + 1).exp().over(k, 1, n).log())",
              Undecided, says="is not seen to lie between"),
    Falsified("lower = Derivation(top,", "lower = Derivation(top + 1,", Refuted),
    Falsified("gradient = Derivation(sp.Derivative(lse(), z[j])",
              "gradient = Derivation(sp.Derivative(lse(), z[k])", Refuted),
    Falsified("merge.step(sp.log(s1 * sp.exp(m1) + s2 * sp.exp(m2)),",
              "merge.step(sp.log(s1 * sp.exp(m1) + s2 * sp.exp(m1)),", Refuted),
    Falsified("tempered_law(j) / tempered_law(k)), label", "tempered_law(k) / tempered_law(j)), label",
              Refuted),
    # where a bound is attained, and what is no law
    Falsified("attained={z: c}", "attained={n: 2}", ProofError),
    Falsified('Law(r"\\pi", k, pi(k), 1, n)', 'Law(r"\\pi", k, pi(k), 2, n)', Refuted, says="total weight"),
    # what a source prints, and where its recipe dies
    Falsified("        sp.exp(z[k] - biggest) /", "        sp.exp(z[k] + biggest) /", ValueError,
              says="the printed formula"),
    Falsified("sp.exp(z[k] - biggest) / sp.Sum(sp.exp(z[i] - biggest), (i, 1, n))",
              "sp.exp(z[k] - top) / sp.Sum(sp.exp(z[i] - top), (i, 1, n))",
              ValueError, says="at .* the printed formula"),
    Falsified("at={z: np.array([10.0, 9.0])}", "at={z: np.array([1.0, 0.5])}", ValueError,
              says="which is right"),
    Falsified("alive={z: np.array([1.0, 0.0])}", "alive={z: np.array([9.0, 10.0])}", ValueError,
              says="the printed formula"),
    # which equation a route is evidence for
    Falsified("of=log1p_form,\n      bound", "of=gradient,\n      bound", ValueError,
              says="is no side of eq-lse-gradient"),
    # what is drawn
    Falsified("np.allclose(contour[30], h - np.log(2))", "np.allclose(contour[30], h)", AssertionError),
    Falsified("h + np.log(p), h + np.log1p(-p)", "h + np.log(p), h - np.log1p(-p)", AssertionError),
    Falsified("room < gaps[:, None]], [2, 1])", "room < gaps[:, None] - 100], [2, 1])", AssertionError),
    Falsified("np.isclose(factor, 3 * law.prod())", "np.isclose(factor, law.prod())", AssertionError),
    Falsified("jacobian = np.diag(law) - np.outer(law, law)", "jacobian = np.diag(law) + np.outer(law, law)",
              AssertionError),
    Falsified("shapes=[fates[name] / 2 for name in largest]", "shapes=[fates[name] for name in largest]",
              ValueError),
    Falsified("curves=here + there", "curves=there + here", ValueError),
    # numbers
    Falsified("softmax(scores, temperature=t)", "softmax(scores, temperature=1 / t)", AssertionError),
    Falsified("survived == [3, 0,", "survived == [4, 0,", AssertionError),
    Falsified("once / twice - 1) < 1e-14", "once / twice - 2) < 1e-14", AssertionError),
    Falsified("lift.step(lse() + c,", "lift.step(lse() - c,", Refuted),
    # relations in sentences, and what the symbols mean
    Falsified("[top <= maximum, maximum <= top + T * sp.log(n)]",
              "[top <= maximum, maximum <= top + sp.log(n)]", Misprinted),
    Falsified(r"1/(1+e^{-1}) \approx 0.73", r"1/(1+e^{-1}) \approx 0.74", Refuted, sentence=True),
    Falsified(r"(1+r)\log(1+r) \ge r", r"(1+r)\log(1+r) \le r", Refuted, sentence=True),
    Falsified('gap: "lead of one class", ', "", ValueError, says="g is not declared"),
], unchecked=UNCHECKED, quotations=QUOTATIONS, exercises=0)
