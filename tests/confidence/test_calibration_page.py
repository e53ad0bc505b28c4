"""The chapter book/confidence/calibration: what must not pass on it, and its exercises."""

from races import one_seed

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-calibration-1", "(log(r) - log(1 - r))/d", "or its inverse"),
    ("ex-calibration-1", "-d/log(1/r)", "logit of a probability"),
    ("ex-calibration-1", "d*(log(r) - log(1 - r))", "twice as sure"),
    ("ex-calibration-2", "-d/(T**2*(exp(d/T) + 1))", "less sure"),
    ("ex-calibration-2", "-1*d/(exp(d/T) + 1)", "another variable"),
    ("ex-calibration-2", "d*exp(d/T)/(T**2*(exp(d/T) + 1))", "many temperatures"),
    ("ex-calibration-3", "d**2*(r - r**2)", "of all examples"),
    ("ex-calibration-3", "N*(r - r**2)", "two logits differ"),
    ("ex-calibration-3", "r*N*d**2", "has two values"),
]

QUOTATIONS = {
    "Xu (2019), proof of entropy maximization":
        r"\mathcal{L} = -\sum_{a=1}^{N} \sum_{k=1}^{n} p_{a,k} \log p_{a,k} "
        r"+ \beta \sum_{a=1}^{N} \sum_{k=1}^{n} z_{a,k} p_{a,k} "
        r"+ \sum_{a=1}^{N} \nu_{a} \sum_{k=1}^{n} \left(p_{a,k} - 1\right)",
}

UNDETERMINED = {
    "eq-logit-lagrangian":
        r"\mathcal{L} := -\sum_{a=1}^{N} \sum_{k=1}^{n} p_{a,k} \log p_{a,k} + \beta "
        r"\left(\sum_{a=1}^{N} \sum_{k=1}^{n} z_{a,k} p_{a,k} - \sum_{a=1}^{N} z_{a,y_{a}}\right) + "
        r"\sum_{a=1}^{N} \nu_{a} \left(\sum_{k=1}^{n} p_{a,k} - 1\right)",
    "eq-example-any-law": r"q_{ak} := \frac{w_{a,k}}{\sum_{i=1}^{n} w_{a,i}}",
}
UNCHECKED = [
    r"-\log\pi", r"-\log\pi_{ak} = A_a - \beta z_{ak}", "-d/T^2", "1 - r", "1.26", r"1/\beta", "110", "16.53",
    "90", "A_a' = M_a", r"\beta z_{bj} + \nu_b - 1", r"\log\pi_{ak}(\beta) = \beta z_{ak} - A_a(\beta)",
    "a = b", "d/(2T^2)", "e^{d/T}/e^{d/T}",
]

PAGE = Page("book/confidence/calibration", [
    # the Lagrangian and its derivatives
    Falsified("return torch.exp(-log_beta).item()", "return torch.exp(log_beta).item()", AssertionError),
    Falsified("condition.step(payoff - true,", "condition.step(payoff + true,", Refuted),
    Falsified("weighs.step(sp.Sum(p[b, k], (k, 1, n)) - 1,", "weighs.step(sp.Sum(p[b, k] - 1, (k, 1, n)),",
              Refuted),
    Falsified("slope.step(-1 - sp.log(p[b, j])", "slope.step(1 - sp.log(p[b, j])", Refuted),
    Falsified("total.step(A(a, beta) + own - 1,", "total.step(A(a, beta) - own - 1,", Refuted),
    Falsified("normal.step(pi(a, k, beta),", "normal.step(pi(a, k, -beta),", Refuted),
    # the erratum
    Falsified("(lagrangian(), printed),", "(lagrangian(), lagrangian()),", ValueError,
              says="is not refuted"),
    Falsified("correct=lagrangian, rows", "correct=condition, rows", ValueError, says="no side in common"),
    Falsified("(nu[b], sum_b - n)", "(nu[b], sum_b - 1)", AssertionError),
    # duality
    Falsified("ceiling.step(-sp.Sum(q(a, k) * sp.log(pi(a, k, beta)), *all_),",
              "ceiling.step(-sp.Sum(pi(a, k, beta) * sp.log(q(a, k)), *all_),", ProofError),
    Falsified("w: lambda *at: sp.exp(beta * z[at])", "w: lambda *at: sp.exp(z[at])", Refuted),
    Falsified("bounds.gibbs(q(a, k), pi(a, k, beta), (k, 1, n)).over(*each)",
              "bounds.gibbs(pi(a, k, beta), q(a, k), (k, 1, n)).over(*each)", ProofError,
              says="its gap is not that"),
    Falsified("ceiling.step(loss(beta) + beta * (true - mean_logit),",
              "ceiling.step(loss(beta) + beta * (mean_logit - true),", Refuted),
    Falsified('"Gibbs\' inequality, for each example", relation="<=",',
              '"Gibbs\' inequality, for each example", relation=">=",', Refuted),
    # slope and curvature
    Falsified("steep.step(sp.Sum(M(a, beta) - z[a, y[a]], each)",
              "steep.step(sp.Sum(z[a, y[a]] - M(a, beta), each)", Refuted),
    Falsified("(z[a, k] - M(a, beta))**2, *all_),", "z[a, k]**2, *all_),", Refuted),
    Falsified('bends.step(0, "squares", relation=">=")', 'bends.step(1, "squares", relation=">=")', Refuted),
    Falsified("over.step(beta * sp.Sum(M(a, beta)", "over.step(sp.Sum(M(a, beta)", Refuted),
    # the solver, the second route
    Falsified("right_hand = np.append(np.ones(40), true_mean)", "right_hand = np.append(np.ones(40), 0)",
              AssertionError),
    Falsified("bound=roundoffs, name=", "bound=0.1, name=", Refuted, says="departs from"),
    Falsified("beta: lambda rng: rng.normal()}, of=steep", "beta: lambda rng: rng.normal()}, of=bends",
              ValueError, says="no side of eq-temperature-curvature"),
    # the figure
    Falsified("ax.plot(betas, expected_at(betas), label", "ax.plot(betas, loss_at(betas), label", ValueError,
              says="is drawn at"),
    Falsified("tilt = expected_at([begun])[0] - true_mean", "tilt = true_mean - expected_at([begun])[0]",
              ValueError, says="is drawn at"),
    # the digits, the search, the limits
    Falsified("assert confidence > right and", "assert confidence < right and", AssertionError),
    Falsified('wrong_way.verdict == "separable"', 'wrong_way.verdict == "minimum"', AssertionError),
    Falsified("np.append(np.zeros(9), -np.inf)", "np.append(np.zeros(9), -1e9)", AssertionError),
    Falsified("assert after[0] > 1 > bold[0]", "assert after[0] < 1 < bold[0]", AssertionError),
    Falsified('calmed = sharp.less("one temperature", "as fitted")',
              'calmed = sharp.less("as fitted", "one temperature")', Refuted, says="is not less than"),
    Falsified('warmed = soft.less("one temperature", "as fitted")',
              'warmed = soft.less("one temperature", "the best temperature")', Refuted),
    Falsified('"best": "the best temperature", "measured"', '"best": "no temperature", "measured"',
              ValueError, says="expected best to be one of"),
    Falsified("record.recorded(CAREFUL), **roles", one_seed("record.recorded(CAREFUL)") + ", **roles",
              ValueError, says="expected 10 seeds at least"),
    Falsified("assert stops[0] < temperatures[2]", "assert stops[0] > temperatures[2]", AssertionError),
    Falsified("labels[:half], 400)", "labels[:half], 100)", AssertionError),
    Falsified('mostly_wrong = fit_temperature([[1.0, 0.0]] * 9 + [[20.0, 0.0]], [1] * 9 + [0])',
              'mostly_wrong = mostly_right', AssertionError),
    Falsified('.values["one temperature"][0, 0]', '.values["one temperature"][1, 0]', AssertionError),
    Falsified("assert 0.1 < unwarned < 1 and", "assert unwarned < 0.1 and", AssertionError),
    Falsified("turned = fit_temperature(-two, contrary)", "turned = fit_temperature(two, contrary)",
              AssertionError),
    # the exercises, the sentences
    Falsified("sure.solution(share[0])", "sure.solution(1 / share[0])", Refuted),
    Falsified("concave.step(-d,", "concave.step(d,", Refuted),
    Falsified("told.solution(N * (r * d**2 - (r * d)**2))", "told.solution(N * r * d**2)", Refuted),
    # in use, and the program
    Falsified("lead = pair[:, 1] - pair[:, 0]", "lead = pair[:, 1]", AssertionError),
    Falsified("C=np.inf, fit_intercept=False", "C=np.inf, fit_intercept=True", AssertionError),
    Falsified("C=np.inf, fit_intercept=False", "C=0.01, fit_intercept=False", AssertionError),
    Falsified("own_share = (ones + 1) / (ones + 2)", "own_share = ones / ones", AssertionError),
    Falsified('method="temperature")\ncopies', 'method="temperature", ensemble=False)\ncopies',
              AssertionError),
    Falsified("    z_ = z_ - z_.max(axis=1, keepdims=True)\n", "", Refuted, says="temperature of 3 / log 3"),
    Falsified("if (true == 0).all():", "if (true < 0).all():", Refuted, says="every guess is right"),
    Falsified("z_, y_ = logits[labels >= 0], labels[labels >= 0]", "z_, y_ = logits, labels.clip(0)", Refuted,
              says="label -100 should not count"),
    Falsified("    return 1 / middle", "    return middle", Refuted, says="three of four guesses"),
    Falsified("return 1 / fit_temperature(rows[keep]", "return fit_temperature(rows[keep]", Vacuous),
    Falsified(r"\pi_{ak}(\beta) > 0", r"\pi_{ak}(\beta) < 0", Refuted, sentence=True),
    Falsified('d: "a lead",', "", ValueError, says="d is not declared"),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS, exercises=4)
