"""The chapter book/softmax/logits: what must not pass on it."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/softmax/logits", [
    Falsified("two.step(1 / (1 + sp.exp(z2 - z1)),", "two.step(1 / (1 + sp.exp(z1 - z2)),", Refuted),
    Falsified("two.step(sigma(z1 - z2),", "two.step(sigma(z1 + z2),", Refuted),
    Falsified("linear.step(sp.Sum((theta1[i] - theta2[i])",
              "linear.step(sp.Sum((theta2[i] - theta1[i])", Refuted),
    Falsified("forms.step(sp.exp(t) / (sp.exp(t) + 1),", "forms.step(sp.exp(t) / (sp.exp(t) - 1),", Refuted),
    Falsified("mirror.step(1 - sigma(t),", "mirror.step(1 + sigma(t),", Refuted),
    Falsified("slope.step(sigma(t) * (1 - sigma(t)),", "slope.step(sigma(t) * (1 + sigma(t)),", Refuted),
    Falsified("ninety = np.log(9) / theta", "ninety = np.log(10) / theta", AssertionError),
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
    Falsified("linear.step(sp.Sum(((theta1[i] + v[i]) - (theta2[i] + v[i]))",
              "linear.step(sp.Sum(((theta1[i] + v[i]) - (theta2[i] - v[i]))", Refuted),
    # numbers, and what is drawn
    Falsified("assert np.allclose(sigmoid([2.0, 0.0])", "assert np.allclose(sigmoid([0.0, 2.0])",
              AssertionError),
    Falsified("ends = np.outer([-reach, reach], [-apart[1], apart[0]])",
              "ends = np.outer([-reach, reach], [apart[1], apart[0]])", AssertionError),
    Falsified("curves=contours,", "curves=contours[::-1],", ValueError, says="is drawn at"),
    Falsified("shapes=[([[0, 0]], [end]) for end in weights]",
              "shapes=[([[0, 0]], [-end]) for end in weights]", ValueError),
    Falsified("first = sigmoid(level)", "first = level", AssertionError),
    Falsified("inside = share * ends[0] + (1 - share) * ends[1]", "inside = share * ends[0] + (1 - share)",
              AssertionError),
    Falsified("curves=straight + bent", "curves=bent + straight", ValueError),
    Falsified("[0.993, 0.886, 0.960]", "[0.886, 0.886, 0.960]", AssertionError),
    Falsified("sigmoid(inputs).sum(axis=-1).mean(), 4.7", "softmax(inputs).sum(axis=-1).mean(), 4.7",
              AssertionError),
    Falsified("values(sigma(theta * t), t)", "values(sigma(t), t)", ValueError, says="is drawn at"),
    Falsified("ax.plot(grid, sigmoid(theta * grid),", "ax.plot(grid, sigmoid(grid / theta),", ValueError,
              says="is drawn at"),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)
