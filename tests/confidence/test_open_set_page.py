"""The chapter book/confidence/open_set: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Undecided
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-other-divergence", "log(p) + H", "they do"),
    ("ex-other-divergence", "p*(log(p) - H)", "plus or minus"),
    ("ex-doubt-threshold", "1/(4*beta)", "the shrug's half"),
    ("ex-doubt-threshold", "2*beta/3", "need more outliers"),
    ("ex-tied-ray", "1/2", "with equal offsets"),
    ("ex-tied-ray", "1/(1 + exp(b))", "smaller of the two"),
    ("ex-tied-ray", "1", "does one of them get away"),
]

UNCHECKED = [
    "(0.5, 0.5, 0)", "(0.52, 0.24, 0.24)", "1 - 1/n", r"1/(1 + \beta s)", "1/m", "1/t", "2.5", "2t", "2t + b",
    r"H = \operatorname{lse}(z/T) - \mathbb{E}z/T", r"\lVert w_i - w_j\rVert", r"\lambda + (1 - \lambda)/2",
    r"\log 99", r"\log r", r"\log\pi_k = z_k - \operatorname{lse}(z)", r"\max(0, \alpha t + \gamma)",
    r"e^{-d_l t} \to 0", "t + 5",
]

PAGE = Page("book/confidence/open_set", [
    # what softmax divides out
    Falsified('sure["unknown"] < 0.05 and', 'sure["unknown"] > 0.05 and', AssertionError),
    Falsified("Derivation(r * w[k] / sp.Sum(r * w[i]", "Derivation(r * w[k] / sp.Sum(w[i]", Refuted),
    # rays
    Falsified("(a - d[l]) * far", "(a + d[l]) * far", Refuted),
    Falsified("outwards.step(sp.exp(b[k]) / tied,", "outwards.step(1 / m,", Refuted),
    Falsified("outwards.end, {b:", "ray.end, {b:", ValueError),
    Falsified("steep = np.r_[np.full(len(offsets), 2.0), 1.9, -1.0]",
              "steep = np.r_[np.full(len(offsets), 2.0), 2.0, -1.0]", Refuted),
    Falsified("[:len(offsets)]", "[-len(offsets):]", Refuted),
    Falsified("2 * np.log(99) /", "np.log(99) /", AssertionError),
    Falsified("np.exp(reach[:, None] * (weights @ u - (weights @ u).max()))",
              "np.exp(-reach[:, None] * (weights @ u - (weights @ u).min()))", ValueError,
              says="is drawn at"),
    Falsified("shapes=[([[0, 0]], [3 * row]) for row in weights]",
              "shapes=[([[0, 0]], [2 * row]) for row in weights]", ValueError),
    # temperature
    Falsified("warms.step(Var(z[k], at_T) / T**3,", "warms.step(Var(z[k], at_T) / T**2,", Refuted),
    Falsified('warms.step(0, "a variance", relation=">=",',
              'warms.step(0, "a variance", relation="<=",', Refuted),
    Falsified("(E(z[k], at_T) - z[j]) / T**2", "(z[j] - E(z[k], at_T)) / T**2", Refuted),
    Falsified("nats(broad) > nats(split)", "nats(broad) < nats(split)", AssertionError),
    # the loss
    Falsified("/ n - sp.log(n),", "/ n + sp.log(n),", Refuted),
    Falsified("pull.step(pi(j) - 1 / n,", "pull.step(1 / n - pi(j),", Refuted),
    Falsified("(f * eta(k) + beta * g / n) / (f + beta * g),",
              "(f * eta(k) + beta * g) / (f + beta * g),", Refuted),
    Falsified("by=bounds.gibbs(best(k), pi(k), (k, 1, n)).times(f + beta * g)",
              "by=bounds.gibbs(pi(k), best(k), (k, 1, n)).times(f + beta * g)", Undecided),
    Falsified("attained={z: lambda k: sp.log(best(k))}", "attained={z: lambda k: sp.log(eta(k))}", Refuted),
    Falsified("share() * eta(k) + (1 - share()) / n,", "(1 - share()) * eta(k) + share() / n,", Refuted),
    Falsified("of=best, bound=64", "of=eta, bound=64", ValueError),
    Falsified("logits[None], beta=0.25)", "logits[None], beta=0.5)", AssertionError),
    # where the outliers lie
    Falsified("near_by[reach, 2000] < near_by[reach, 100] - 0.1",
              "near_by[reach, 2000] > near_by[reach, 100]", AssertionError),
    Falsified("shapes.append(bins)", "shapes.append(1 - bins)", ValueError),
    # exercises, sentences
    Falsified("E(sp.log(pi(k)), model_law)),", "E(sp.log(pi(k)), uniform)),", Refuted),
    Falsified("lam = 1 / (1 + beta * s)", "lam = 1 / (1 + s)", Refuted),
    Falsified("(50/20)^2 = 6.25", "(50/20)^2 = 5.25", Refuted, sentence=True),
    Falsified('r"m = 1": "condition"', 'r"m = 1": "obvious"', ValueError, says="one of condition"),
    Falsified('a: "largest slope", ', "", ValueError, says="a is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES)
