"""The chapter book/choices/arsm: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-ar-noise", "2*n/(n + 1)", "a mean square"),
    ("ex-ar-noise", "(n - 1)/n", "in all entries together"),
    ("ex-arm-square", "1/12", "every swap mattered"),
    ("ex-arm-square", "(1 - (2*p - 1)**3)/24", "two ends"),
    ("ex-arm-square", "(p*(1 - p))**2", "square of the mean"),
    ("ex-most-values", "n**2", "no direction"),
    ("ex-most-values", "n", "one variable"),
    ("ex-most-values", "n*(n - 1)/2", "nothing is swapped"),
    ("ex-most-values", "n*(n + 1)/2", "all do the same"),
]

QUOTATIONS = {
    "Yin, Yue and Zhou (2019), slides, merge":
        r"\int_{p}^{1} (r_{2} - r_{1}) (\frac{1}{2} - u) \, du = (r_{1} - r_{2}) p (1 - p)",
}

UNCHECKED = [
    "(1 - p)/2", "(1 - p)^2", r"-\log E_i", "0.05", "1 - 2(1 - u) = -(1 - 2u)", r"1 - \lambda t",
    r"1/\lambda", "R_{cj} - r_a", "T_k = t", r"\delta_{ck} - e^{z_c}t", r"\mathbb E\,g_1^2",
    r"\mathbb{E}E_c^2 = \mathbb{E}w_c^2\,\mathbb{E}(\sum_j E_j)^2", r"\mathbb{E}\,n w_c = 1",
    r"\pi_c(1 - \pi_c)", r"\pi_k(\delta_{ck} - \pi_c)", r"\pm(\frac12 - u)", r"\sum_c \pi_c = 1",
    r"\sum_c \pi_c r_c", r"n \log n", r"r_k(\delta_{ck} - \pi_c)",
]
ARGUED = {
    "eq-share-variance": r"\operatorname{Var}(n w_c) = "
                         r"\frac{n^{2} \mathbb{E}_{T\sim \mathrm{Exp}(1)}[T^{2}]}{n (n + 1)} - 1",
}

PAGE = Page("book/choices/arsm", [
    Falsified("goal.step(over(pi(k) * r[k], k),", "goal.step(over(r[k], k),", Refuted),
    Falsified("sp.Integral(sp.exp(z[k]) * sp.exp(-sp.exp(z[k]) * t) * silent,",
              "sp.Integral(sp.exp(-sp.exp(z[k]) * t) * silent,", Refuted),
    Falsified('winner.step(pi(k), "integrate', 'winner.step(1 - pi(k), "integrate', Refuted),
    Falsified("score.step(1 - sp.exp(z[c]) * times[c],", "score.step(1 + sp.exp(z[c]) * times[c],", Refuted),
    Falsified("late.step(-rate * t,", "late.step(1 - rate * t,", Refuted),
    Falsified("(delta(c, k) - sp.exp(z[c]) * t)", "(delta(c, k) + sp.exp(z[c]) * t)", Refuted),
    Falsified("by_times.step(over(r[k] * pi(k) * (delta(c, k) - pi(c)), k),",
              "by_times.step(over(r[k] * pi(k) * (delta(c, k) - pi(k)), k),", Refuted),
    Falsified('by_times.step(slope, "Jacobian', 'by_times.step(-slope, "Jacobian', Refuted),
    Falsified("by_ar = rewards[drawn][:, None] * (1 - 3 * shares)",
              "by_ar = rewards[drawn][:, None] * (1 - shares)", Refuted, says="the sum over"),
    Falsified("exact, of=ar,", "exact, of=goal,", ValueError),
    Falsified("total.step(0, r", "total.step(1, r", Refuted),
    Falsified("over(R[m, j], m)) * (1 - n * w[j]), label", "over(R[m, j], m)) * (1 - w[j]), label", Refuted),
    Falsified("(R[c, j] - 1 / n * over(R[m, j], m)) * (1", "(R[c, j] - over(R[m, j], m)) * (1", Refuted),
    Falsified('(c,), 1 / n * over(swapped(c), j),', '(c,), over(swapped(c), j),', Refuted),
    Falsified("balance.step(0,", "balance.step(1,", Refuted),
    Falsified("short.step(pulled(c) - 1 / n *", "short.step(pulled(c) - ", Refuted),
    Falsified("by_arsm = product - product.mean(axis=1, keepdims=True)", "by_arsm = product", AssertionError),
    Falsified("paid @ (1 / 3 - shares)[:, :, None]", "paid @ (1 / 3 - 2 * shares)[:, :, None]", Refuted,
              says="the sum over"),
    Falsified("index=c, bound=2000,", "index=k, bound=2000,", ValueError),
    Falsified('noise_of["AR"][0] > noise_of["score function"][0]',
              'noise_of["AR"][0] < noise_of["score function"][0]', AssertionError),
    Falsified("arm.step((R[1, 1] - R[1, 2]) * (half - u),", "arm.step((R[1, 2] - R[1, 1]) * (half - u),",
              Refuted),
    Falsified("low, high = sp.Min(p, 1 - p), sp.Max(p, 1 - p)", "low, high = p, 1 - p", Refuted),
    Falsified("two.step((r1 - r2) * p * (1 - p),", "two.step((r1 - r2) * p**2 * (1 - p),", Refuted),
    Falsified("silence.step(sp.Abs(2 * p - 1),", "silence.step(2 * p - 1,", Refuted),
    Falsified("Fraction(321, 4433)", "Fraction(322, 4433)", AssertionError),
    Falsified("[[0, 0, 0, 1], [0, 1, 2, 2]])", "[[0, 0, 0, 1], [0, 2, 1, 2]])", AssertionError),
    Falsified("curves=[[one], [at], *(", "curves=[[at], [at], *(", ValueError, says="swaps"),
    Falsified("shapes=[pieces[0], pieces[1],", "shapes=[pieces[1], pieces[0],", ValueError, says="swaps"),
    Falsified("(sp.Integral((r2 - r1) * (half - u), (u, p, 1)), (r1",
              "(2 * sp.Integral((r2 - r1) * (half - u), (u, p, 1)), (r1", ValueError, says="is not refuted"),
    Falsified("correct=two, given=", "correct=silence, given=", ValueError, says="no side in common"),
    Falsified("np.ptp(ratio) > 0.01", "np.ptp(ratio) < 0.01", AssertionError),
    Falsified("joint.step(pi(c) * (over(rho[j] * R[c, j], j) - both_pay),",
              "joint.step(rho[c] * (over(rho[j] * R[c, j], j) - both_pay),", Refuted),
    Falsified("wanted.gradient[0], of=joint,", "wanted.gradient[1], of=joint,", ValueError),
    Falsified('all_paid @ (1 / 3 - of_all(regions,', 'all_paid @ (1 / 3 - 2 * of_all(regions,',
              Refuted, says="the sum over"),
    Falsified("assert level.n_evaluations == 1000", "assert level.n_evaluations == 999", AssertionError),
    Falsified("assert np.all(hushed < lead + slack)", "assert np.all(hushed > lead - slack)", AssertionError),
    Falsified("idle.solution(spread())", "idle.solution(spread() + 1)", Refuted),
    Falsified("(u, 0, 1 - p)))", "(u, 0, p)))", Refuted),
    Falsified("most.solution(1 + sp.Sum(j - 1, (j, 1, n)))", "most.solution(sp.Sum(j - 1, (j, 1, n)))",
              Refuted),
    Falsified('rho: "probabilities of a second variable"', 'k: "a class"', ValueError,
              says="is not declared"),
], argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)
