"""The chapter book/confidence/open_set: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import Refuted, Undecided, Vacuous
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
    "200", "2000", r"\max(0, 1 - r_1 - r_2)",
    "(0.5, 0.5, 0)", "(0.52, 0.24, 0.24)", "1 - 1/n", r"1/(1 + \beta s)", "1/m", "1/t", "2.5", "2t", "2t + b",
    r"H = \operatorname{lse}(z/T) - \mathbb{E}z/T", r"\lVert w_i - w_j\rVert", r"\lambda + (1 - \lambda)/2",
    r"\log 99", r"\log r", r"-\log\pi_y", r"\log\pi_k = z_k - \operatorname{lse}(z)",
    r"\max(0, \alpha t + \gamma)",
    r"e^{-d_l t} \to 0", "t + 5",
]

PAGE = Page("book/confidence/open_set", [
    # what softmax divides out
    Falsified('sure["unknown"] < 0.05 and', 'sure["unknown"] > 0.05 and', AssertionError),
    Falsified('bolder = strangers.more("hardly any", "penalty 0.001")',
              'bolder = strangers.more("penalty 0.001", "hardly any")', Refuted, says="is not more than"),
    Falsified('louder = static.more("hardly any", "penalty 0.001")',
              'louder = static.less("hardly any", "penalty 0.001")', Refuted),
    Falsified("record.recorded(ALARM, name) for", one_seed("record.recorded(ALARM, name)") + " for",
              ValueError, says="expected 10 seeds at least"),
    Falsified("np.maximum(0, 1 - r), 0 * r]", "np.maximum(0, r - 1), 0 * r]", AssertionError),
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
    Falsified("more_w, more_n = near.less(many_w, few_w), near.less(many_n, few_n)",
              "more_w, more_n = near.less(few_w, many_w), near.less(many_n, few_n)", Refuted,
              says="is not less than"),
    Falsified("near.less(few_n, few_w), near.less(many_n, many_w)",
              "near.less(few_n, few_w), near.less(many_w, many_n)", Refuted),
    Falsified("number_wins = near.less(many_w, few_n)", "number_wins = near.less(few_n, many_w)", Refuted),
    Falsified("record.recorded(MAPS).at(longest)", "record.recorded(MAPS).at(MAPS.budgets[0])", Refuted,
              says="too weakly"),
    Falsified('"best": "the law that the loss asks for"}', '"best": "the law of the land"}', ValueError,
              says="expected best to be one of"),
    Falsified("record.recorded(MAPS).at(longest)", one_seed("record.recorded(MAPS).at(longest)"), ValueError,
              says="expected 10 seeds at least"),
    Falsified("settled = whole.converged(many_n, within=0.05)",
              "settled = whole.converged(few_w, within=0.05)", Refuted, says="has not converged"),
    Falsified("not_yet = whole.undecided(many_w, few_n)", "not_yet = whole.undecided(many_w, few_w)", Refuted,
              says="is seen"),
    Falsified("0 < tamed < 10", "tamed == 0", AssertionError),
    Falsified("max(means[few_n][0], means[many_n][0]) < 0.1", "min(means[few_n][0], means[many_n][0]) > 0.1",
              AssertionError),
    Falsified("shapes.append(bins)", "shapes.append(1 - bins)", ValueError),
    # in use, and the program
    Falsified("keepdims=True) / 50 - 5", "keepdims=True)**0.5 / 50 - 5", AssertionError),
    Falsified("keepdims=True) / 50 - 5", "keepdims=True) / 50 + 5", AssertionError),
    Falsified("F.cross_entropy(logits[out], uniform_) - np.log(n_classes))",
              "F.cross_entropy(logits[out], uniform_))", Refuted, says="should cost nothing"),
    Falsified("    if out.any():\n", "    if True:\n", Refuted, says="mean of no rows"),
    Falsified("total = total + beta * (F", "total = total + (F", Refuted, says="does beta weigh"),
    Falsified("lambda log_p: to_uniform(log_p) / log_p.shape[-1])", "to_uniform)", Vacuous),
    # exercises, sentences
    Falsified("E(sp.log(pi(k)), model_law)),", "E(sp.log(pi(k)), uniform)),", Refuted),
    Falsified("lam = 1 / (1 + beta * s)", "lam = 1 / (1 + s)", Refuted),
    Falsified("(50/20)^2 = 6.25", "(50/20)^2 = 5.25", Refuted, sentence=True),
    Falsified('r"m = 1": "condition"', 'r"m = 1": "obvious"', ValueError, says="one of condition"),
    Falsified('a: "largest slope", ', "", ValueError, says="a is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, exercises=4)
