"""The chapter book/softmax/likelihoods: what must not pass on it."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/softmax/likelihoods", [
    Falsified("falling.step(-1 / p,", "falling.step(1 / p,", Refuted),
    Falsified("sigma(t)**w * (1 - sigma(t))**(1 - w)", "sigma(t)**w * (1 - sigma(t))**w", Refuted),
    Falsified("logistic.step(sp.log(1 + sp.exp(t)) - u * t,",
              "logistic.step(sp.log(1 + sp.exp(t)) + u * t,", Refuted),
    Falsified("bernoulli_gradient.step(sigma(t) - u,", "bernoulli_gradient.step(u - sigma(t),", Refuted),
    Falsified("regression.step(sp.Sum((sigma(score) - y[a]) * x[a, m]",
              "regression.step(sp.Sum((sigma(score) - y[a]) * x[m, a]", ProofError),
    Falsified("cross.step(-sp.Sum(y[k] * sp.log(pi(k))",
              "cross.step(-sp.Sum(pi(k) * sp.log(y[k])", ProofError),
    Falsified("categorical_gradient.step(pi(j) * mass - y[j],",
              "categorical_gradient.step(pi(j) - y[j],", Refuted),
    Falsified("gaussian.step(sp.exp(-(hat - yk)**2 / (2 * sd**2))",
              "gaussian.step(sp.exp(-(hat - yk)**2 / sd**2)", Refuted),
    Falsified("implied.step(sp.exp(2 * pi(j)),", "implied.step(sp.exp(pi(j)),", Refuted),
    Falsified("area.step(sp.sqrt(sp.pi),", "area.step(sp.sqrt(2 * sp.pi),", Refuted),
    Falsified("squared.step(2 * pi(j) * (err(j) -", "squared.step(2 * pi(j) * (err(j) +", Refuted),
    Falsified("square_two.step(-4 * sigma(t) *", "square_two.step(-2 * sigma(t) *", Refuted),
    Falsified("flat.step(0,", "flat.step(-1,", Refuted),
    Falsified("steep.step(-1,", "steep.step(0,", Refuted),
    Falsified("hump.step(16 * third**3 -", "hump.step(16 * third**2 -", Refuted),
    Falsified("expected.step(sp.Sum((pi(j) - q_(j))**2, (j, 1, n)) + 1",
              "expected.step(sp.Sum((pi(j) - q_(j))**2, (j, 1, n)) - 1", Refuted),
    Falsified("+ KL(target, model),", "+ KL(model, target),", Refuted),
    Falsified("(1 - 3 * sigma(t)),", "(1 - 2 * sigma(t)),", Refuted),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)
