"""The chapter book/softmax/rescorla_wagner: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

DOUBT = "/(1 + exp(beta*alpha*(1 - alpha)))"
SURE = "/(1 + exp(-beta*alpha*(1 - alpha)))"
MISTAKES = [
    ("ex-rw-rests", [f"-beta{DOUBT}", f"beta*(1 - 2*alpha){DOUBT}"], "which is which"),
    ("ex-rw-rests", [f"-alpha*beta{DOUBT}", f"-beta{DOUBT}"], "its old value"),
    ("ex-rw-rests", [f"2*beta*(1 - alpha){DOUBT}", "0"], "B has a value"),
    ("ex-rw-rests", [f"(1 - 2*alpha){DOUBT}", f"-1{DOUBT}"], "multiplies the lead"),
    ("ex-rw-rests", [f"beta*(1 - 2*alpha){SURE}", f"-beta{SURE}"], "certain"),
    ("ex-rw-rests", ["beta*(1 - 2*alpha)", "-beta"], "a factor more"),
    ("ex-rw-blocking", "alpha*r", "come alone"),
    ("ex-rw-blocking", "alpha*r*(1 - alpha)**(m + 1)", "been paid"),
    ("ex-rw-blocking", "alpha*r - alpha*r*(1 - alpha)**m", "from the rest"),
    ("ex-rw-blocking", "r*(1 - alpha)**m", "common error"),
]

QUOTATIONS = {
    "Notes on a softmax learner, remark on absent cues":
        r"\frac{\partial}{\partial \alpha} \left(v + \alpha \left(r - v\right)\right) = 0",
    "Notes on a softmax learner, slope of the choice by a value":
        r"\frac{\partial}{\partial V_{A}} p = \frac{\beta e^{\beta V_{A}} e^{\beta V_{B}} - e^{\beta "
        r"V_{A}} \beta e^{\beta V_{A}}}{\left(e^{\beta V_{A}} + e^{\beta V_{B}}\right)^{2}}",
    "Notes on a softmax learner, slope of the choice by the inverse temperature":
        r"\frac{\partial}{\partial \beta} p = \frac{V_{A} e^{\beta V_{A}}}{e^{\beta V_{A}} + e^{\beta "
        r"V_{B}}} + \frac{e^{\beta V_{A}} \left(V_{A} e^{\beta V_{A}} + V_{B} e^{\beta "
        r"V_{B}}\right)}{\left(e^{\beta V_{A}} + e^{\beta V_{B}}\right)^{2}}",
    "Notes on a softmax learner, slope by the probability":
        r"\frac{\partial}{\partial P} \left(Y \log P + \left(1 - Y\right) \log(1 - P)\right) = "
        r"\frac{Y}{P} - \frac{1 - Y}{1 - P} \frac{\frac{d}{d P} \left(1 - P\right)}{1 - P}",
    "Notes on a softmax learner, chain rule for the learning rate":
        r"\frac{\partial}{\partial \alpha} \ell = \sum_{t=1}^{T} \left(\frac{y_{t}}{p_{t}} - "
        r"\frac{1 - y_{t}}{1 - p_{t}}\right) \left(\frac{\partial}{\partial \alpha} p_{t}\right) "
        r"\left(\frac{\partial}{\partial \alpha} v_{A}(t, \alpha) + \frac{\partial}{\partial "
        r"\alpha} v_{B}(t, \alpha)\right)",
}

UNCHECKED = [
    r"1 - \sigma(u) = \sigma(-u)", r"2 - 2\alpha", r"2\alpha - \alpha^2", "1/g", r"V + \alpha\,(r - V)",
    r"\alpha(1 - \alpha)", r"\log\sigma(10\alpha) + \log\sigma(-10\alpha(1 - \alpha))",
    r"\sigma' = \sigma(1 - \sigma)", r"\sigma(-u)", "r - V", "V_B - V_A",
    r"r - \sum_i V_i", r"\alpha r",
    r"\log\sigma", r"\alpha\beta",
]

PAGE = Page("book/softmax/rescorla_wagner", [
    # the learner
    Falsified("c = rng.choice(len(V), p=softmax(beta * V))", "c = rng.choice(len(V), p=softmax(V))",
              AssertionError),
    Falsified("V[c] += alpha * (offer[c] - V[c])", "V += alpha * (offer - V)", AssertionError),
    # autograd
    Falsified("            continue\n        total = total + (beta * V).log_softmax(-1)[c]\n        if",
              "            pass\n        total = total + (beta * V).log_softmax(-1)[c]\n        if",
              AssertionError),
    Falsified("V = V + alpha * one_hot[c] * (r - V)", "V = V + alpha * (r - V)", AssertionError),
    Falsified("total, one_hot = 0.0, torch.eye(n, dtype=torch.float64)",
              "total, one_hot = 0.0, torch.eye(n).flip(0)", AssertionError),
    Falsified("if r == r:      # not NaN", "if True:      # not NaN", AssertionError),
    Falsified("nll = -log_lik(a.sigmoid(), b.exp(), choices, rewards, n)",
              "nll = -log_lik(a.sigmoid(), b, choices, rewards, n)", AssertionError),
    Falsified('assert "inplace operation" in caught', 'assert "inplace operation" not in caught',
              AssertionError),
    # by hand, and what forgets
    Falsified("D[c] = r - V[c] + (1 - alpha) * D[c]",
              "D[c] = r - V[c] - (1 - alpha) * D[c]", AssertionError),
    Falsified("in_alpha += beta * (D[c] - p @ D)", "in_alpha += D[c] - p @ D", AssertionError),
    Falsified("in_beta += V[c] - p @ V", "in_beta += V[c]", AssertionError),
    Falsified("        V = V.detach().clone()\n", "        V = V.clone()\n", AssertionError),
    Falsified('continue\n        if memory == "none":\n            D[:] = 0\n', "continue\n",
              AssertionError),
    Falsified("        if r != r:      # NaN: the reward was not seen\n            continue\n", "",
              AssertionError),
    Falsified("            continue\n        p = softmax(beta * V)\n",
              "            pass\n        p = softmax(beta * V)\n", AssertionError),
    Falsified("over_rates(points, 3.0, *dozen, memory)", "over_rates(points, 2.0, *dozen, memory)",
              AssertionError),
    Falsified("for at in ((-4.0, 3.0), (2.0, 0.0)))", "for at in ((0.0, 0.0), (0.0, 1.0)))", AssertionError),
    Falsified("*sixty[k], beta_bounds=(0, 1e7))", "*sixty[k])", AssertionError),
    Falsified("of_many = fit(*many)", "of_many = fit(many[0], 1 - many[1])", AssertionError),
    Falsified("fit(choices + 2 * block, rewards, present=own_machines)", "fit(choices, rewards)",
              AssertionError),
    Falsified('        if memory == "played":\n            D[np.arange(n) != c] = 0\n', "", AssertionError),
    Falsified("V[who, c] += at * error", "V[who, c] += at * r[:, None]", AssertionError),
    Falsified("by_difference = (height(0.3 + 1e-5) - height(0.3 - 1e-5)) / 2e-5",
              "by_difference = (height(0.3 + 1e-5) - height(0.3 - 1e-5)) / 1e-5", AssertionError),
    Falsified("by_hand(*at, choices, rewards, \"none\")", "by_hand(*at, choices, rewards)", AssertionError),
    Falsified("errors = [np.median(np.abs(where - 0.2)) for where in ends]",
              "errors = [np.median(np.abs(where - 0.3)) for where in ends]", AssertionError),
    Falsified("curves=[*(line[shown] for line in own),", "curves=[*(line[shown] for line in own[::-1]),",
              ValueError, says="is drawn at"),
    # values
    Falsified("absent.step(x * (r_t - old(alpha)) + (1 - alpha * x) * sp",
              "absent.step(x * (r_t - old(alpha)) + x * (1 - alpha) * sp", Refuted),
    Falsified("old(alpha) + alpha * x * (r_t - old(alpha)),",
              "old(alpha) + alpha * (r_t - old(alpha)),", Refuted),
    Falsified("once.step(r_one - v,", "once.step(r_one,", Refuted),
    Falsified("(sp.Derivative(v + alpha * (r_one - v), alpha), sp.S.Zero), correct=once",
              "(sp.Derivative(v + alpha * (r_one - v), alpha), r_one - v), correct=once", ValueError,
              says="is not refuted"),
    Falsified("(1 - 0.2 * ~rests) * lean[:-1, 0]", "0.8 * lean[:-1, 0]", AssertionError),
    # the figure with a knob
    Falsified("+ 0.8 * forgot[t_]) if c == 0 else 0",
              "+ 0.8 * forgot[t_]) if c == 0 else 1", AssertionError),
    Falsified("curves=[held[:, 0], held[:, 1], lean[:, 0], forgot],",
              "curves=[held[:, 0], held[:, 1], forgot, lean[:, 0]],", ValueError, says="is drawn at"),
    # the choice and the likelihood
    Falsified("as_sigmoid.step(sigma(beta * (V_A - V_B)),",
              "as_sigmoid.step(sigma(beta * (V_B - V_A)),", Refuted),
    Falsified("(1 - p_t(t))**(1 - y[t]), (t, 1, T))", "(1 - p_t(t))**y[t], (t, 1, T))", Refuted),
    Falsified("score_beta.step(sp.Sum(ahead * odd,", "score_beta.step(sp.Sum(ahead * y[t],", Refuted),
    Falsified("score_beta.step(sp.Sum(odd * sp.Derivative(logit, beta),",
              "score_beta.step(sp.Sum(odd * sp.Derivative(ahead, alpha),", Refuted),
    Falsified("score_alpha.step(beta * sp.Sum(odd * (d_A - d_B),",
              "score_alpha.step(beta * sp.Sum(odd * (d_A + d_B),", Refuted),
    Falsified("logit, odd = beta * ahead, y[t] - p_t(t)",
              "logit, odd = beta * ahead, p_t(t) - y[t]", Refuted),
    Falsified("correct=score_alpha, rows=",
              "correct=score_beta, rows=", ValueError, says="no side in common"),
    # backwards
    Falsified("pull_A.step(beta * (Y - p()),", "pull_A.step(beta * (p() - Y),", Refuted),
    Falsified("pull_B.step(-beta * (Y - p()),", "pull_B.step(beta * (Y - p()),", Refuted),
    Falsified("            pull[c] *= 1 - alpha\n", "", AssertionError),
    Falsified("        if c < 0:\n            continue\n        if r == r:\n            in_alpha",
              "        if r == r:\n            in_alpha", AssertionError),
    Falsified("in_alpha += pull[c] * (r - V[c])", "in_alpha += pull[c] * r", AssertionError),
    # curvature
    Falsified('concave.step(0, "no term is positive", relation="<=")',
              'concave.step(0, "no term is positive", relation=">=")', Refuted),
    Falsified("trio = log_likelihood(rates, 10.0, [0, 0, 1],",
              "trio = log_likelihood(rates, 10.0, [0, 0, 0],", AssertionError),
    Falsified("ends = (derivative[:, 0] < 0).astype(int) + (derivative[:, -1] > 0)",
              "ends = (derivative[:, 0] > 0).astype(int) + (derivative[:, -1] > 0)", AssertionError),
    Falsified("best_betas, heights = profile(rates, choices, rewards)",
              "best_betas, heights = profile(rates, choices, 1 - rewards)", AssertionError),
    # exercises
    Falsified("quotient.step((sp.Derivative(f(u), u) * g(u) - f(u)",
              "quotient.step((sp.Derivative(f(u), u) * g(u) + f(u)", Refuted),
    Falsified("by_A.step((beta * e_A * total - e_A * beta * e_A) / total**2,",
              "by_A.step((beta * e_A * e_B - e_A * beta * e_A) / total**2,", Refuted),
    Falsified("by_B.step(-beta * p() * (1 - p()),", "by_B.step(beta * p() * (1 - p()),", Refuted),
    Falsified("by_beta.step(V_A * e_A / total - e_A * weighed / total**2,",
              "by_beta.step(V_A * e_A / total + e_A * weighed / total**2,", Refuted),
    Falsified("by_P.step(Y / P - (1 - Y) / (1 - P),", "by_P.step(Y / P + (1 - Y) / (1 - P),", Refuted),
    Falsified("by_P.step((Y - P) / (P * (1 - P)),", "by_P.step((Y - P) / P,", Refuted),
    Falsified("printed = (beta * e_A * e_B - e_A * beta * e_A) / total**2",
              "printed = beta * e_A * e_B / total**2", ValueError, says="is not refuted"),
    Falsified("(sp.Derivative(p(), beta), V_A * e_A / total + e_A * weighed",
              "(sp.Derivative(p(), beta), V_A * e_A / total - e_A * weighed", ValueError,
              says="is not refuted"),
    Falsified("Y / P - (1 - Y) / (1 - P) * (sp.Derivative(1 - P, P) / (1 - P))), correct",
              "Y / P + (1 - Y) * sp.Derivative(1 - P, P) / (1 - P)), correct", ValueError,
              says="is not refuted"),
    Falsified("rested.solution((beta * ((2 - 2 * alpha) - 1) * doubt,",
              "rested.solution((beta * ((1 - alpha) - 1) * doubt,", Refuted),
    Falsified("blocked.solution(alpha * (r_one - alpha * sp.Sum(",
              "blocked.solution(alpha * (r_one + alpha * sp.Sum(", Refuted),
    Falsified("            assert abs(one - other) < 1e-4 * (1 + abs(other)), \\",
              "            assert abs(one - other) < 1e6 * (1 + abs(other)), \\", Vacuous),
    Falsified("D[c][used] += r - V[c]", "D[c] = [d + r - V[c] for d in D[c]]", Refuted),
    Falsified('f: "a numerator", g: "a denominator",', 'g: "a denominator",', ValueError,
              says="f is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS, exercises=3)
