"""The chapter book/gumbel/without_replacement: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-pair", "2*a*b", "with replacement"),
    ("ex-pair", "a*b/(1 - a)", "one order"),
    ("ex-who-was-first", "a/(a + b)", "nothing about the first"),
    ("ex-who-was-first", "(1 - a)/(2 - a - b)", "other item"),
    ("ex-equal-set", "Product(a/(R + j*a), (j, 1, k))", "one of its orders"),
    ("ex-equal-set", "(a/(R + a))**k", "gets lighter"),
]

UNDETERMINED = {
    "eq-set-share": r"p_{s} := \sum_{i=1}^{n} P_{s,i}",
    "eq-inclusion-weights": r"v_{i} := \frac{\pi_{i}}{1 - F(\kappa - z_{i})}",
}
UNCHECKED = ["2^k", "b/(1-a)", "k + 1", "k - 1", r"\log t", "k!", r"k\,\pi_i", "ka/(R + ka)"]

PAGE = Page("book/gumbel/without_replacement", [
    # on the list
    Falsified("weight = log_p.exp() / -torch.expm1(-torch.exp(log_p - kappa))", "weight = log_p.exp() / k",
              AssertionError),
    Falsified("np.allclose(included[2], [0.829, 0.669, 0.372, 0.130], atol=5e-4)",
              "np.allclose(included[2], 2 * p, atol=5e-4)", AssertionError),
    Falsified("np.array([0.5, 0.45, 0.04, 0.01])", "np.array([0.5, 0.05, 0.15, 0.3])", AssertionError),
    Falsified("share[(sets == item).any(axis=1)].sum()", "share[(sets == item).all(axis=1)].sum()",
              AssertionError),
    Falsified("curves=[*included.T, sizes * p[0]]", "curves=[*included.T, sizes * p[1]]", ValueError,
              says="is drawn at"),
    # the probability of a set
    Falsified("pair.step(1 - R / (R + w[1]) - R / (R + w[2]) + R / (R + w[1] + w[2]),",
              "pair.step(1 - R / (R + w[1]) - R / (R + w[2]) - R / (R + w[1] + w[2]),", Refuted),
    Falsified("pair = Derivation(w[1] / total * w[2] / (w[2] + R)",
              "pair = Derivation(w[1] / total * w[2] / total", Refuted),
    Falsified("R * sp.exp(-R * t) * sp.Product(1 - sp.exp(-w[i] * t), (i, 1, k))",
              "R * sp.exp(-R * t) * sp.Product(sp.exp(-w[i] * t), (i, 1, k))", Refuted),
    Falsified("of=together, bound=200", "of=recursion, bound=200", ValueError,
              says="is no side of eq-set-probability"),
    Falsified("np.log(np.append(weights, R)), np.arange(len(weights))",
              "np.append(weights, R), np.arange(len(weights))", Refuted),
    Falsified("(-1)**a * comb(size, a) * others / (others + a)", "comb(size, a) * others / (others + a)",
              AssertionError),
    Falsified("exact = 1 / comb(many, size)", "exact = 1 / many**size", AssertionError),
    # the first of a set
    Falsified("sp.Sum(P[s, i] * h[i], (i, 1, n)) / of_set(s),", "sp.Sum(P[s, i] * h[i], (i, 1, n)),",
              Refuted),
    Falsified("unbiased.step(sp.Sum(P[s, i] * h[i], (i, 1, n), (s, 1, M)),",
              "unbiased.step(sp.Sum(h[i], (i, 1, n), (s, 1, M)),", Refuted),
    Falsified("- sp.Sum(of_set(s) * (square - estimate(s)**2), (s, 1, M)),",
              "+ sp.Sum(of_set(s) * (square - estimate(s)**2), (s, 1, M)),", Refuted),
    Falsified("* rest_of[i] / recursion(), label=", "* rest_of[i], label=", Refuted),
    Falsified("(all_rung, all_rung - rung)", "(all_rung, all_rung)", AssertionError),
    Falsified("shares.step(1,", "shares.step(k,", Refuted),
    # the threshold
    Falsified("v = Definition(\"v_{#1}\", (i,), pi(i) / (1 - F(kappa - z[i])),",
              "v = Definition(\"v_{#1}\", (i,), pi(i) / F(kappa - z[i]),", Refuted),
    Falsified("fair.step(pi(i),", "fair.step(1,", Refuted),
    # the rival with replacement
    Falsified("(h[i] - h[j])**2, (i, 1, n), (j, 1, n)) / 2,", "(h[i] - h[j])**2, (i, 1, n), (j, 1, n)),",
              Refuted),
    Falsified("swap = Derivation(a * c / (1 - a) * (a * h[1] + (1 - a) * h[2])",
              "swap = Derivation(a * c / (1 - a) * (a * h[1] + h[2])", Refuted),
    # the digits
    Falsified("* paid.numpy()[pairs4]).sum(axis=1)", "* paid.numpy()[pairs4]).sum(axis=1) + 1",
              AssertionError),
    Falsified("[:len(log_p) - size + 1]", "[:len(log_p) - size]", AssertionError),
    Falsified("log_ps.max(axis=1))[16]", "log_ps.max(axis=1))[0]", AssertionError),
    Falsified("values = (unordered_set_weights(log_p, sets) * pay[sets]).sum(axis=1)",
              "values = np.average(pay[sets], axis=1, weights=np.exp(log_p[sets]))", AssertionError),
    Falsified("above = -np.expm1(-np.exp(log_p[chosen] - grid[:, None]))",
              "above = np.exp(-np.exp(log_p[chosen] - grid[:, None]))", AssertionError),
    Falsified("error_of_draws(log_p, pay, size) for size in sizes", "error_of_draws(log_p, pay, size**2) "
              "for size in sizes", AssertionError),
    Falsified("for kind in (False, True))\nplain", "for kind in (True, False))\nplain", AssertionError),
    Falsified("for kind in (True, False)),", "for kind in (False, True)),", AssertionError),
    # exercises and sentences
    Falsified("np.where(late < -36, late, np.log(-np.expm1(-np.exp(late))))",
              "np.log(-np.expm1(-np.exp(late)))", Refuted, says="infinite, or NaN"),
    Falsified("return np.exp(top) * total, total / v.sum(axis=-1)", "return total, total / v.sum(axis=-1)",
              Refuted, says="without a bias"),
    Falsified("both_orders.solution(a * (c / (1 - a)) + c * (a / (1 - c)))",
              "both_orders.solution(a * (c / (1 - a)) + c * (a / (1 - a)))", Refuted),
    Falsified("equal.solution(sp.Product(1 / (1 + R / (j * a)), (j, 1, k)))",
              "equal.solution(sp.Product(1 / (1 + R / a), (j, 1, k)))", Refuted),
    Falsified('said({"Z_i = z_i + G_i": "notation"})', 'said({"Z_i = z_i + G_i": "obvious"})', ValueError,
              says="one of condition"),
    Falsified('kappa: "a threshold",', "", ValueError, says="kappa is not declared"),
], exercises=4, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES)
