"""The chapter book/softmax/rescorla_wagner: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-rw-constant", "h - h*(1 - alpha)**n", "did the learner begin"),
    ("ex-rw-constant", "v + n*alpha*(h - v)", "beyond the outcome"),
    ("ex-rw-product", ["alpha/(1 + exp(alpha*beta))", "beta/(1 + exp(alpha*beta))"],
     "which of which|which is"),
    ("ex-rw-product", ["beta/(1 + exp(-alpha*beta))", "alpha/(1 + exp(-alpha*beta))"], "certain"),
    ("ex-rw-forget", "0", "set to a constant"),
    ("ex-rw-forget", "d", "does its slope not"),
]

QUOTATIONS = {
    "Notes on a softmax learner, remark on absent cues":
        r"V_{1}'(\alpha) = 0",
    "Notes on a softmax learner, slope of the choice by a value":
        r"\frac{\partial}{\partial V_{A}} p = \frac{\beta e^{\beta V_{A}} e^{\beta V_{B}} - e^{\beta "
        r"V_{A}} \beta e^{\beta V_{A}}}{\left(e^{\beta V_{A}} + e^{\beta V_{B}}\right)^{2}}",
    "Notes on a softmax learner, slope of the choice by the inverse temperature":
        r"\frac{\partial}{\partial \beta} p = \frac{V_{A} e^{\beta V_{A}}}{e^{\beta V_{A}} + e^{\beta "
        r"V_{B}}} + \frac{e^{\beta V_{A}} \left(V_{A} e^{\beta V_{A}} + V_{B} e^{\beta "
        r"V_{B}}\right)}{\left(e^{\beta V_{A}} + e^{\beta V_{B}}\right)^{2}}",
    "Notes on a softmax learner, the second term":
        r"\frac{e^{\beta V_{A}}}{e^{\beta V_{A}} + e^{\beta V_{B}}} \frac{V_{A} e^{\beta V_{A}} + "
        r"V_{B} e^{\beta V_{B}}}{e^{\beta V_{A}} + e^{\beta V_{B}}} = p \frac{V_{A} e^{\beta V_{A}} + "
        r"V_{B} e^{\beta V_{B}}}{e^{\beta V_{A}}}",
    "Notes on a softmax learner, slope by the probability":
        r"\frac{\partial}{\partial P} \left(Y \log P + \left(1 - Y\right) \log(1 - P)\right) = "
        r"\frac{Y}{P} - \frac{1 - Y}{1 - P} \frac{\frac{d}{d P} \left(1 - P\right)}{1 - P}",
    "Notes on a softmax learner, expansion of the numerator":
        r"Y \left(1 - P\right) - P \left(1 - Y\right) = Y - Y P - P - Y P",
    "Notes on a softmax learner, chain rule for the learning rate":
        r"\frac{\partial}{\partial \alpha} \ell = \sum_{t=1}^{T} \left(\frac{y_{t}}{p_{t}} - "
        r"\frac{1 - y_{t}}{1 - p_{t}}\right) \left(\frac{\partial}{\partial \alpha} p_{t}\right) "
        r"\left(\frac{\partial}{\partial \alpha} A(t, \alpha) + \frac{\partial}{\partial \alpha} "
        r"B(t, \alpha)\right)",
    "Notes on a softmax learner, names of slopes":
        r"\frac{\partial}{\partial P} \left(Y \log P + \left(1 - Y\right) \log(1 - P)\right) = "
        r"\left(V_{A} - V_{B}\right) \left(Y - P\right)",
}

UNCHECKED = [
    r"1 - \sigma(u) = \sigma(-u)", r"1 - \varphi", "1/g", r"V + \alpha\,(r - V)", r"\log\sigma(\alpha\beta)",
    r"\sigma' = \sigma(1 - \sigma)", r"\sigma(-u)", r"p/e^{\beta V_A}", "r - V",
    "V_B - V_A", r"\beta(y - p)",
]

PAGE = Page("book/softmax/rescorla_wagner", [
    # the first table
    Falsified("D[c] = r - V[c] + (1 - alpha) * D[c]",
              "D[c] = r - V[c] - (1 - alpha) * D[c]", AssertionError),
    Falsified("slope += beta * (D[c] - softmax(beta * V) @ D)",
              "slope += D[c] - softmax(beta * V) @ D", AssertionError),
    # values
    Falsified("rule.step((1 - alpha) * V(n, alpha) + alpha * r[n + 1],",
              "rule.step(alpha * V(n, alpha) + (1 - alpha) * r[n + 1],", Refuted),
    Falsified("slope.step(r[n + 1] - V(n, alpha) + (1 - alpha) * sp.Derivative(V(n, alpha), alpha),",
              "slope.step(r[n + 1] - V(n, alpha),", Refuted),
    Falsified("(1 - alpha)**n * v\n               + alpha * sp.Sum((1 - alpha)**(n - s)",
              "(1 - alpha)**n * v\n               + alpha * sp.Sum((1 - alpha)**(n + 1 - s)", Refuted),
    Falsified("absent.step(x * (h - old(alpha)) + (1 - alpha * x) * sp",
              "absent.step(x * (h - old(alpha)) + x * (1 - alpha) * sp", Refuted),
    Falsified("once.step(r[1] - v,", "once.step(r[1],", Refuted),
    Falsified("(sp.Derivative(V(1, alpha), alpha), sp.S.Zero), correct=once",
              "(sp.Derivative(V(1, alpha), alpha), r[1] - v), correct=once", ValueError,
              says="is not refuted"),
    Falsified("return cue_values(alpha, np.zeros(len(r), int), r, v0=v)[-1, 0]",
              "return cue_values(alpha, np.zeros(len(r), int), r, v0=v)[-2, 0]", Refuted, says="departs"),
    # the figure
    Falsified("+ 0.8 * forgot[t_]) if c == 0 else 0",
              "+ 0.8 * forgot[t_]) if c == 0 else 1", AssertionError),
    Falsified("curves=[held[:, 0], held[:, 1], lean[:, 0], forgot],",
              "curves=[held[:, 0], held[:, 1], forgot, lean[:, 0]],", ValueError, says="is drawn at"),
    # the choice
    Falsified("by_difference.step(sigma(beta * (V_A - V_B)),",
              "by_difference.step(sigma(beta * (V_B - V_A)),",
              Refuted),
    Falsified("- f(m) / g(m)**2 * sp.Derivative(g(m), m),",
              "+ f(m) / g(m)**2 * sp.Derivative(g(m), m),", Refuted),
    Falsified("by_A.step((beta * e_A * total - e_A * beta * e_A) / total**2,",
              "by_A.step((beta * e_A * e_B - e_A * beta * e_A) / total**2,", Refuted),
    Falsified("by_B.step(-beta * p() * (1 - p()),", "by_B.step(beta * p() * (1 - p()),", Refuted),
    Falsified("printed = (beta * e_A * e_B - e_A * beta * e_A) / total**2",
              "printed = beta * e_A * e_B / total**2", ValueError, says="is not refuted"),
    Falsified("also = [p() * sp.Derivative(p(), V_A),", "also = [sp.Derivative(p(), V_A),", AssertionError),
    Falsified("by_beta.step(V_A * e_A / total - e_A * weighed / total**2,",
              "by_beta.step(V_A * e_A / total + e_A * weighed / total**2,", Refuted),
    Falsified("(sp.Derivative(p(), beta), V_A * e_A / total + e_A * weighed",
              "(sp.Derivative(p(), beta), V_A * e_A / total - e_A * weighed", ValueError,
              says="is not refuted"),
    Falsified("term.step(p()**2 * (weighed / e_A),", "term.step(p() * (weighed / e_A),", Refuted),
    # the likelihood
    Falsified("(1 - p_t(t))**(1 - y[t]), (t, 1, T))", "(1 - p_t(t))**y[t], (t, 1, T))", Refuted),
    Falsified("by_P.step(Y / P - (1 - Y) / (1 - P),", "by_P.step(Y / P + (1 - Y) / (1 - P),", Refuted),
    Falsified("Y / P - (1 - Y) / (1 - P) * (sp.Derivative(1 - P, P) / (1 - P))), correct",
              "Y / P + (1 - Y) * sp.Derivative(1 - P, P) / (1 - P)), correct", ValueError,
              says="is not refuted"),
    Falsified("surprise.step(Y - Y * P - P + Y * P,", "surprise.step(Y - Y * P - P - Y * P,", Refuted),
    Falsified("score_beta.step(sp.Sum(ahead * (y[t] - p_t(t)),",
              "score_beta.step(sp.Sum(ahead * (y[t] + p_t(t)),",
              Refuted),
    Falsified("pull_A.step(beta * (Y - p()),", "pull_A.step(beta * (p() - Y),", Refuted),
    Falsified("score_alpha.step(beta * sp.Sum((y[t] - p_t(t)) * (d_A - d_B),",
              "score_alpha.step(beta * sp.Sum((y[t] - p_t(t)) * (d_A + d_B),", Refuted),
    Falsified("exchanged = [(sp.Derivative(p(), V_A), beta * (Y - p())),",
              "exchanged = [(sp.Derivative(one_choice, V_A), beta * (Y - p())),", AssertionError),
    Falsified("correct=score_alpha, rows=",
              "correct=score_beta, rows=", ValueError, says="no side in common"),
    # routes
    Falsified("single.step((1 - p()) * (V_A - V_B),", "single.step(p() * (V_A - V_B),", Refuted),
    Falsified("V_B: lambda rng: rng.normal()}, of=single,",
              "V_B: lambda rng: rng.normal()}, of=by_A,", ValueError,
              says="no side of eq-rw-by-own"),
    Falsified("V[c] = V[c] + alpha * (reward - V[c])",
              "V[c] = V[c] + alpha * (reward - 1)", AssertionError),
    Falsified("divided = [(ours(*(at + d))[0] - ours(*(at - d))[0]) / (2 * step)",
              "divided = [(ours(*(at + d))[0] - ours(*(at - d))[0]) / step", AssertionError),
    # curvature
    Falsified('concave.step(0, "no term is positive", relation="<=")',
              'concave.step(0, "no term is positive", relation=">=")', Refuted),
    Falsified("for rate in (1.0, share))", "for rate in (1.0, 1.0))", AssertionError),
    Falsified(r"\log\sigma(\tfrac14) <", r"\log\sigma(\tfrac12) <", Refuted, sentence=True),
    # exercises
    Falsified("settled.solution((1 - alpha)**n * v + h * (1 - (1 - alpha)**n))",
              "settled.solution((1 - alpha)**n * v + h * (1 - alpha)**n)", Refuted),
    Falsified("fading.solution(d - fade * d)", "fading.solution(fade * d)", Refuted),
    Falsified('m: "a number", f: "a numerator",', 'm: "a number",', ValueError, says="f is not declared"),
    Falsified("(sp.Derivative(one, P), (V_A - V_B) * (Y - P)), correct=by_P",
              "(sp.Derivative(one, P), Y / P - (1 - Y) / (1 - P)), correct=by_P", ValueError,
              says="is not refuted"),
], unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)
