"""The chapter book/softmax/logits: what must not pass on it."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

UNCHECKED = [
    r"1 + e^{-\lvert t\rvert}",
    "(1-a)/(1+a) = 2/(1+a) - 1", "(1/f)' = -f'/f^2", r"-\infty", r"1-\pi_k", "1/(1+e^{-t})", r"\log 10",
    r"\log s - \log(1-s)", r"\log\sigma(\ell_k)", r"\sigma(\theta x)", r"\sigma(t)\,\sigma(-t)",
    r"\tanh(t/2)", r"s\,e^t", "t/2", "t<0",
]

PAGE = Page("book/softmax/logits", [
    Falsified("two.step(1 / (1 + sp.exp(z2 - z1)),", "two.step(1 / (1 + sp.exp(z1 - z2)),", Refuted),
    Falsified("two.step(sigma(z1 - z2),", "two.step(sigma(z1 + z2),", Refuted),
    Falsified("linear.step(sp.Sum((theta1[b] - theta2[b])",
              "linear.step(sp.Sum((theta2[b] - theta1[b])", Refuted),
    Falsified("forms.step(sp.exp(t) / (sp.exp(t) + 1),", "forms.step(sp.exp(t) / (sp.exp(t) - 1),", Refuted),
    Falsified("mirror.step(1 - sigma(t),", "mirror.step(1 + sigma(t),", Refuted),
    Falsified("slope.step(sigma(t) * (1 - sigma(t)),", "slope.step(sigma(t) * (1 + sigma(t)),", Refuted),
    Falsified("climb = 2 * sp.log(9) / theta", "climb = sp.log(9) / theta", AssertionError),
    Falsified("sp.log(s / (1 - s))", "sp.log((1 - s) / s)", ProofError),
    Falsified("sp.Eq(s, (1 - s) * sp.exp(t))", "sp.Eq(s, (1 + s) * sp.exp(t))", Refuted),
    Falsified("logit_slope.step(1 / (s * (1 - s)),", "logit_slope.step(s * (1 - s),", Refuted),
    Falsified("class_logit.step(z[k] - sp.log(rest),",
              "class_logit.step(z[k] - sp.log(rest + sp.exp(z[k])),", Refuted),
    Falsified("stable.step(sp.Min(t, 0) -", "stable.step(sp.Max(t, 0) -", Refuted),
    Falsified("hyperbolic.step(2 * sigma(2 * t) - 1,", "hyperbolic.step(2 * sigma(t) - 1,", Refuted),
    Falsified("unit.step(half * (1 + sp.tanh(t / 2)),", "unit.step(half * (1 + sp.tanh(t)),", Refuted),
    Falsified("total.step(1,", "total.step(n,", Refuted),
    # the start of a chain
    Falsified("two = Derivation(sp.exp(z1) /", "two = Derivation(sp.exp(z2) /", Refuted),
    Falsified("forms = Derivation(sigma(t),", "forms = Derivation(sigma(-t),", Refuted),
    Falsified("class_logit = Derivation(log_odds(pi(k)),",
              "class_logit = Derivation(log_odds(1 - pi(k)),", Refuted),
    Falsified("total = Derivation(sp.Sum(sigma(log_odds(pi(k))),",
              "total = Derivation(sp.Sum(log_odds(pi(k)),", Refuted),
    # a hypothesis, a domain, a solution
    Falsified('among n", given=[n >= 2]', 'among n", given=[n >= 1]', ProofError),
    Falsified("given=[s > 0, s < 1]", "given=[s > 0]", ProofError),
    Falsified("domain=sp.Interval.open(0, 1)", "domain=sp.Interval.open(0, 2)", ProofError),
    Falsified("sp.Eq(s, sigma(t))", "sp.Eq(s, sigma(-t))", Refuted),
    # what is to overflow is the textbook form, and no other
    Falsified("return 1 / (1 + np.exp(-t))", "return 1 / (1 - np.exp(-t))", AssertionError),
    # what a reason makes use of is no definition
    Falsified("uses=[mirror]", "uses=[sigma]", ValueError, says="is a definition"),
    # which equation a route is evidence for
    Falsified("real, of=sigma,", "real, of=slope,", ValueError, says="is no side of eq-sigmoid-slope"),
    Falsified("real, of=stable,", "real, of=sigma,", ValueError, says="is no side of eq-sigmoid"),
    Falsified("of=log_odds,", "of=logit_slope,", ValueError, says="is no side of eq-logit-slope"),
    Falsified("of=class_logit,", "of=log_odds,", ValueError, says="is no side of eq-logit"),
    Falsified("linear.step(sp.Sum(((theta1[b] + v[b]) - (theta2[b] + v[b]))",
              "linear.step(sp.Sum(((theta1[b] + v[b]) - (theta2[b] - v[b]))", Refuted),
    # numbers, and what is drawn
    Falsified("lowered = sigmoid(scores - 2)[0]", "lowered = sigmoid(scores)[0]", AssertionError),
    Falsified("ends = np.outer([-reach, reach], [-apart[1], apart[0]])",
              "ends = np.outer([-reach, reach], [apart[1], apart[0]])", AssertionError),
    Falsified("curves=contours,", "curves=contours[::-1],", ValueError, says="is drawn at"),
    Falsified("shapes=[([[0, 0]], [end]) for end in weights]",
              "shapes=[([[0, 0]], [-end]) for end in weights]", ValueError),
    Falsified("first = sigmoid(level)", "first = level", AssertionError),
    Falsified("inside = share * ends[0] + (1 - share) * ends[1]", "inside = share * ends[0] + (1 - share)",
              AssertionError),
    Falsified("curves=straight + bent", "curves=bent + straight", ValueError),
    Falsified("together = sigmoid(inputs)", "together = softmax(inputs)", AssertionError),
    Falsified("sigmoid(best - 3).mean(), sigmoid(inputs + 1)", "sigmoid(best - 3).mean(), sigmoid(inputs)",
              AssertionError),
    Falsified("softmax(inputs - 3), softmax(inputs))", "softmax(inputs - best), softmax(inputs))",
              ValueError),
    Falsified("mistaken, believed = sigmoid(best).mean()", "mistaken, believed = softmax(best).mean()",
              AssertionError),
    Falsified("values(sigma(weight * t), t)", "values(sigma(t), t)", ValueError, says="is drawn at"),
    Falsified("ax.plot(grid, sigmoid(weight * grid),", "ax.plot(grid, sigmoid(grid / weight),", ValueError,
              says="is drawn at"),
    Falsified("doubt, sure = ([sigmoid(t), sigmoid(t + evidence)] for t in (0, places.max()))",
              "doubt, sure = ([sigmoid(t), sigmoid(t + evidence)] for t in (places.max(), 0))",
              AssertionError),
    # the steepest and the least steep, and a coin that is none
    Falsified("logit_slope.step(4,", "logit_slope.step(3,", ProofError),
    Falsified("coin = Law(\"c\", y, sigma(t)**y * (1 - sigma(t))**(1 - y), 0, 1)",
              "coin = Law(\"c\", y, sigma(t)**y * (1 - sigma(t))**(1 - y), 0, 2)", Refuted,
              says="total weight"),
    Falsified("enough.step(sigma(ell[k]) / sp.Sum(sigma(ell[i])",
              "enough.step(sigma(ell[k]) / sp.Sum(sigma(-ell[i])", Refuted),
    # relations in sentences, and what the symbols mean
    Falsified(r"\sigma(\log 9) = 0.9", r"\sigma(\log 9) = 0.8", Refuted, sentence=True),
    Falsified(r"(\sigma(t)) = t", r"(\sigma(t)) = -t", Refuted, sentence=True),
    Falsified(r"\log 999 - \log 99 \approx 2.31", r"\log 999 - \log 99 \approx 2.30", Refuted, sentence=True),
    Falsified(r'r"z_1 - \log e^{z_2} = z_1 - z_2"', r'r"z_1 - \log e^{z_2} = z_2 - z_1"', Misprinted),
    Falsified('d: "number of features", ', "", ValueError, says="d is not declared"),
], unchecked=UNCHECKED, exercises=0)
