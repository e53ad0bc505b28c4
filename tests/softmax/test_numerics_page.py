"""The chapter book/softmax/numerics: what must not pass on it."""

from proofread.errors import Misprinted, ProofError, Refuted, Undecided, Vacuous
from proofread.testing import Falsified, Page

QUOTATIONS = {
    "Xu (2019), consideration 1":
        r"\frac{\exp(z_{k} - \max_{i} e^{z_{i}})}{\sum_{i=1}^{n} \exp(z_{i} - \max_{i} e^{z_{i}})}",
}

UNCHECKED = [
    r"(\log f)' = f'/f", r"-\infty", r"\infty - \infty", "0/0", "1/(1 + e^{-g/T})", "1/(1+e^{-1000})",
    "1/(1+e^{-t})", r"\sum_k \pi_k v_k^2", r"c = \max_i z_i", r"c = \max_i z_i/T", "e^t(1+e^{-g})", "e^2",
    r"e^{-g/T} \to 0", "i = j", r"m' = \log e^{m'}", "t-g", "t - 1", "n-1", "(6.62, 5.62)", "-t", "z/T",
    r"1 - \pi_k", "1+r",
    r"\log(1+r)", r"p/(p + \varepsilon)", "1/2048", "-10^{4}",
    r"100\,000", "1.29", "4096",  # quoted
]

PAGE = Page("book/softmax/numerics", [
    Falsified("(sp.exp(-c) * sp.Sum(", "(sp.exp(c) * sp.Sum(", Refuted),
    Falsified("words.max()).sum(dtype=np.float16)", "words.max()).sum(dtype=np.float32)", AssertionError),
    Falsified("shifted.step(sp.exp(z[k] - top) /", "shifted.step(sp.exp(z[k] + top) /", Refuted),
    Falsified("top = MaxOver(z[i], (i, 1, n))", "top = MaxOver(z[i], (i, 2, n))", ProofError),
    Falsified("e = np.exp(z - np.exp(z).max())", "e = np.exp(z - z.max())", AssertionError),
    Falsified("overflow = np.log(float(info.max)) - np.log1p(np.exp(-gap))",
              "overflow = np.log(float(info.max))", AssertionError),
    Falsified("half_least = np.log(float(info.smallest_subnormal)) - np.log(2)",
              "half_least = np.log(float(info.smallest_subnormal))", AssertionError),
    Falsified("tilt.step((z[j] - z[k]) / T,", "tilt.step((z[j] - z[k]) * T,", Refuted),
    Falsified("sp.exp((z[k] - top) / T)", "sp.exp(z[k] / T - top)", Refuted),
    Falsified('sp.Limit(leader, T, 0, "+")', 'sp.Limit(leader, T, 0, "-")', Refuted),
    Falsified('ratio.step(z[j] - z[k], "', 'ratio.step(z[k] - z[j], "', Refuted),
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
    Falsified("np.isclose(factor, 3 * p.prod())", "np.isclose(factor, p.prod())", AssertionError),
    Falsified("jacobian = np.diag(p) - np.outer(p, p)", "jacobian = np.diag(p) + np.outer(p, p)",
              AssertionError),
    Falsified("curves=here + there", "curves=there + here", ValueError),
    # numbers
    Falsified("survived == [3, 0,", "survived == [4, 0,", AssertionError),
    # what a practitioner types
    Falsified("e = np.exp(z - z.max(axis=-1, keepdims=True))", "e = np.exp(z - z.min(axis=-1, keepdims=True))",
              AssertionError),
    Falsified("loss = F.cross_entropy(logits, labels)", "loss = F.cross_entropy(p, labels)", AssertionError),
    Falsified("log_odds = logits[:, 0] - logits[:, 1]", "log_odds = logits[:, 1] - logits[:, 0]", AssertionError),
    Falsified("torch.log(torch.softmax(z, -1)), y),", "F.log_softmax(z, -1), y),", AssertionError),
    Falsified("torch.log(torch.softmax(z, -1) + 1e-8), y),", "F.log_softmax(z, -1), y),", AssertionError),
    Falsified('"softmax twice": lambda z, y: F.cross_entropy(\n        torch.softmax(z, -1), y),',
              '"softmax twice": lambda z, y: F.cross_entropy(z, y),', AssertionError),
    Falsified("def fit(loss, seed, step=0.1,", "def fit(loss, seed, step=0.001,", AssertionError),
    Falsified("inputs=pixels / 16, step=1.0", "inputs=pixels, step=1.0", AssertionError),
    Falsified("floor = np.log(np.e + 9) - 1", "floor = np.log(np.e + 9)", AssertionError),
    Falsified('stuck == {"float16": 2048,', 'stuck == {"float16": 4096,', AssertionError),
    Falsified("np.maximum(1, numbers / 2048)", "np.maximum(1, numbers / 4096)", AssertionError),
    Falsified("cured = F.cross_entropy(half.float(), label)", "cured = F.cross_entropy(half, label)", AssertionError),
    Falsified("lambda z: torch.softmax(z, dim=0).log()", "lambda z: F.log_softmax(z, dim=0)", AssertionError),
    Falsified("z.masked_fill(~allowed & some, -torch.inf)", "z.masked_fill(~allowed, -torch.inf)", AssertionError),
    Falsified("np.minimum(t, 0) - np.log1p(np.exp(-np.abs(t)))", "np.minimum(t, 0) - np.log(1 + np.exp(-np.abs(t)))",
              AssertionError),
    Falsified("stable_log.step(sp.Min(t, 0) -", "stable_log.step(sp.Max(t, 0) -", Refuted),
    Falsified("s = s * np.exp(m_old - m) + np.exp(x - m)", "s = s + np.exp(x - m)", AssertionError),
    Falsified("winner.step(top - lse(),", "winner.step(top + lse(),", Refuted),
    # exercises
    Falsified("lambda z, k: logsumexp(np.delete(z, k)),", "lambda z, k: logsumexp(np.delete(z, k)) - logsumexp(z),",
              Vacuous),
    Falsified("return logsumexp(np.delete(z, k)) - logsumexp(z)", "return np.log1p(-softmax(z)[k])", Refuted),
    Falsified("o * (factor if rescaled else 1)", "o * factor", Vacuous),
    Falsified("s, o = s * factor + e.sum(), o * factor + e @ values", "s, o = s + e.sum(), o + e @ values", Refuted),
    Falsified("lowest.solution(sp.log(sp.exp(1) + (n - 1)", "lowest.solution(sp.log(sp.exp(1) + n", Refuted),
    Falsified("lift.step(lse() + c,", "lift.step(lse() - c,", Refuted),
    # relations in sentences, and what the symbols mean
    Falsified("[top <= maximum, maximum <= top + T * sp.log(n)]",
              "[top <= maximum, maximum <= top + sp.log(n)]", Misprinted),
    Falsified(r"1/(1+e^{-1}) \approx 0.73", r"1/(1+e^{-1}) \approx 0.74", Refuted, sentence=True),
    Falsified('gap: "lead of one class", ', "", ValueError, says="g is not declared"),
], unchecked=UNCHECKED, quotations=QUOTATIONS, exercises=5, mistakes=[
    ("ex-numerics-1", "c", "no others"),
    ("ex-numerics-1", "log(n)", "logits that are 0"),
    ("ex-numerics-1", "n*c", "linear"),
    ("ex-numerics-2", "s_1 + s_2", "different units"),
    ("ex-numerics-2", "s_1 + s_2*exp(m_1 - m_2)", "weigh more"),
    ("ex-numerics-2", "s_1*exp(m_1) + s_2*exp(m_2)", "sum itself"),
    ("ex-numerics-3", "0", "far apart"),
    ("ex-numerics-3", "log(n)", "undecided"),
    ("ex-numerics-3", "log(E + n - 1)", "logit of the label"),
])
