"""The chapter book/softmax/logits: what must not pass on it."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/softmax/logits", [
    Falsified("two.step(1 / (1 + sp.exp(z2 - z1)),", "two.step(1 / (1 + sp.exp(z1 - z2)),", Refuted),
    Falsified("two.step(sigma(z1 - z2),", "two.step(sigma(z1 + z2),", Refuted),
    Falsified("linear.step(sp.Sum(x[i] * (theta1[i] - theta2[i])",
              "linear.step(sp.Sum(x[i] * (theta2[i] - theta1[i])", Refuted),
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
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)
