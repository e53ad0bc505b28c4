"""The chapter book/gumbel/gumbel_max: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import Refuted

PAGE = Page("book/gumbel/gumbel_max", [
    Falsified("sp.exp(-sp.exp(-x)), label=\"eq-gumbel-cdf\"",
              "sp.exp(-sp.exp(x)), label=\"eq-gumbel-cdf\"", Refuted),
    Falsified("slope.step(pi(j) * (pay[j] - E(pay[k], draw)),",
              "slope.step(pi(j) * (pay[j] + E(pay[k], draw)),", Refuted),
    Falsified("ratio.step(sp.exp(-x + m) * F(x - m),", "ratio.step(sp.exp(-x - m) * F(x - m),", Refuted),
    Falsified("extreme.step(F(x),", "extreme.step(1 - F(x),", Refuted),
    Falsified("independence.argue(below,",
              "independence.argue(sp.Product(F(z - mu[i]), (i, 1, n)),", Refuted),
    Falsified("below = Without(sp.Product(F(z - mu[i]), (i, 1, n)), k)",
              "below = sp.Product(F(z - mu[i]), (i, 1, n))", Refuted),
    Falsified("rivals.step(F(z - sp.log(weight)),", "rivals.step(F(z + sp.log(weight)),", Refuted),
    Falsified("slope_of_rivals.argue(sp.Derivative(independence.end, z),",
              "slope_of_rivals.argue(independence.end,", Refuted),
    Falsified("conditioned.argue(sp.Integral(f(z - mu[k]) *",
              "conditioned.argue(sp.Integral(f(z - mu[j]) *", Refuted),
    Falsified('integrand.step(sp.exp(-z + mu[k] - each), "the own',
              'integrand.step(sp.exp(-z - mu[k] - each), "the own', Refuted),
    Falsified("trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)) / C(),",
              "trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)),", Refuted),
    Falsified("gumbel_cdf(v[:, None] - logits[1:])", "gumbel_cdf(v[:, None] - logits)", Refuted),
    Falsified("sp.exp(-rate * t), label=\"eq-waiting-time\"",
              "sp.exp(rate * t), label=\"eq-waiting-time\"", Refuted),
    Falsified("ageless.argue(fraction(silent(t + s), silent(t)),",
              "ageless.argue(fraction(silent(s), silent(t)),", Refuted),
    Falsified("ageless.step(silent(s),", "ageless.step(silent(t),", Refuted),
    Falsified("clock = Distributed(sp.exp(-X),", "clock = Distributed(sp.exp(X),", Refuted),
    Falsified("race.step(lam[k] * sp.exp(-total() * s),",
              "race.step(total() * sp.exp(-total() * s),", Refuted),
    Falsified("first.step(sp.Mul(lam[k] / total(), sp.exp(-total() * t),",
              "first.step(sp.Mul(lam[k], sp.exp(-total() * t),", Refuted),
    Falsified("largest.step(F(x - lse),", "largest.step(F(x + lse),", Refuted),
    Falsified("quartiles = gumbel_icdf([0.25, 0.5, 0.75], loc=logsumexp(logits))",
              "quartiles = gumbel_icdf([0.25, 0.5, 0.75], loc=logits.max())", Refuted),
    Falsified("undo.step(m - beta * sp.log(sp.exp(-(x - m) / beta), evaluate=False),",
              "undo.step(m + beta * sp.log(sp.exp(-(x - m) / beta), evaluate=False),", Refuted),
    Falsified("recipe = Distributed(-sp.log(-sp.log(U)),",
              "recipe = Distributed(sp.log(-sp.log(U)),", Refuted),
    Falsified("mean.step(m + beta * sp.EulerGamma,", "mean.step(m - beta * sp.EulerGamma,", Refuted),
    Falsified("variance.step(beta**2 * sp.pi**2 / 6,", "variance.step(beta**2 * sp.pi**2 / 3,", Refuted),
    Falsified('found["scale 2 for all"] - softmax(logits / 2)',
              'found["scale 2 for all"] - softmax(logits * 2)', AssertionError),
    Falsified("no_choice.argue(Without(sp.Product(H(mu[k] - mu[i]),",
              "no_choice.argue(Without(sp.Product(H(mu[i] - mu[k]),", Refuted),
    Falsified("noise[:, 0] = rng.logistic(size=n)", "noise[:, 0] = rng.normal(size=n)", AssertionError),
    Falsified("stable.step(F(x - sp.log(n)),", "stable.step(F(x + sp.log(n)),", Refuted),
    Falsified("gumbel_max(np.broadcast_to(large, (n, 4)), rng=rng),", "naive(n, rng),", Refuted),
    Falsified("maximum.solution(sp.EulerGamma + sp.log(C()))", "maximum.solution(sp.log(C()))", Refuted),
    Falsified("held[rng.random(n) < np.exp(new - L)] = number",
              "held[rng.random(n) < np.exp(L - new)] = number", Refuted),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)
