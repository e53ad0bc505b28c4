"""The chapter book/softmax/likelihoods: what must not pass on it."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/softmax/likelihoods", [
    Falsified("falling.step(-(1 / p),", "falling.step(1 / p,", Refuted),
    Falsified("sigma(t)**outcome * (1 - sigma(t))**(1 - outcome)",
              "sigma(t)**outcome * (1 - sigma(t))**outcome", Refuted),
    Falsified("logistic.step(sp.log(1 + sp.exp(t)) - u * t,",
              "logistic.step(sp.log(1 + sp.exp(t)) + u * t,", Refuted),
    Falsified("bernoulli_gradient.step(sigma(t) - u,", "bernoulli_gradient.step(u - sigma(t),", Refuted),
    Falsified("regression.step(sp.Sum((sigma(odds(a)) - y[a]) * x[a, c]",
              "regression.step(sp.Sum((sigma(odds(a)) - y[a]) * x[c, a]", ProofError),
    Falsified("cross.step(-sp.Sum(y[k] * sp.log(pi(k))",
              "cross.step(-sp.Sum(pi(k) * sp.log(y[k])", ProofError),
    Falsified("categorical_gradient.step(pi(j) * mass - y[j],",
              "categorical_gradient.step(pi(j) - y[j],", Refuted),
    Falsified("gaussian.step(1 / (2 * s**2) * squares", "gaussian.step(1 / s**2 * squares", Refuted),
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
    # the start of a chain
    Falsified("sp.Sum(bernoulli(t, outcome), (outcome, 0, 1))",
              "sp.Sum(bernoulli(t, outcome), (outcome, 0, 2))", ProofError),
    Falsified("squared = Derivation(sp.Derivative(brier(), z[j])",
              "squared = Derivation(sp.Derivative(brier(), z[i])", ProofError),
    Falsified("both_squares = (sigma(t) - 1)**2 +", "both_squares = (sigma(t) - 1)**2 -", ProofError),
    Falsified("laplace = Derivation(sp.Integral(sp.exp(-sp.Abs(r))",
              "laplace = Derivation(sp.Integral(sp.exp(-2 * sp.Abs(r))", Refuted),
    Falsified("bend = Derivation(sp.Derivative(both_squares, (t, 2))",
              "bend = Derivation(sp.Derivative(both_squares, t)", Refuted),
    # laws that are none, and where equality holds
    Falsified('p_ = Definition("p", (r,), sp.exp(-r**2) / sp.sqrt(sp.pi)',
              'p_ = Definition("p", (r,), sp.exp(-r**2) / sp.sqrt(2 * sp.pi)', Refuted, says="total weight"),
    Falsified("w[k] / sp.Sum(w[i], (i, 1, n))", "w[k] / sp.Sum(w[i]**2, (i, 1, n))", Refuted),
    Falsified('target = Law("q", k, q_(k), 1, n)', 'target = Law("q", k, q_(k), 2, n)', Refuted,
              says="total weight"),
    Falsified("attained={t: -sp.log(2)}", "attained={t: sp.log(2)}", ProofError),
    # evidence for another equation
    Falsified("of=bernoulli_gradient,", "of=logistic_cost,", ValueError, says="no side of eq-logistic-cost"),
    Falsified("of=cross,", "of=soft,", ValueError, says="no side of eq-cross-gradient"),
    Falsified("of=brier,", "of=squared,", ValueError, says="no side of eq-squared-gradient"),
    Falsified("where={y: lambda k: q_(k)}", "where={y: lambda k: pi(k)}", ValueError,
              says="no side of eq-cross-gradient"),
    Falsified("of=soft, at={z: here, w: parts}", "of=squared, at={z: here, y: drawn}", ValueError,
              says="no side of eq-squared-gradient"),
    Falsified("at={z: here, w: parts}", "at={z: here, w: parts[::-1]}", ValueError,
              says="no side of eq-cross-gradient"),
    Falsified("of=area,", "of=spread,", ValueError, says="no side of eq-gaussian-variance"),
    # what is drawn, and numbers
    Falsified("values(-square_two.end, t)]", "values(-cross_two.end, t)]", ValueError, says="is drawn at"),
    Falsified("ax.plot(lead, -square_slope,", "ax.plot(lead, square_slope,", ValueError, says="is drawn at"),
    Falsified("curves=[values(-cross_two.end, t), ", "curves=[", ValueError, says="2 lines are drawn"),
    Falsified("[1.540, 1.413, 1.271]", "[1.540, 1.540, 1.540]", AssertionError),
    Falsified("np.exp(-lead) / 8 < square_steps", "np.exp(-lead) / 4 < square_steps", AssertionError),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)
