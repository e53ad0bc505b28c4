"""The chapter book/gumbel/gumbel_max: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

MISTAKES = [
    ("ex-gumbel-largest", "exp(-exp(mu_1 + mu_2 - x))", "adds the locations"),
    ("ex-gumbel-largest", "1 - (1 - exp(-exp(mu_1 - x))) * (1 - exp(-exp(mu_2 - x)))", "smaller"),
    ("ex-gumbel-difference", "exp(x) / (exp(x) + 1)", "density is one step further"),
    ("ex-gumbel-difference", "exp(-x) * exp(-exp(-x))", "symmetric about 0"),
    ("ex-gumbel-maximum", "log(Sum(exp(mu[i]), (i, 1, n)))", "the location of the maximum"),
    ("ex-gumbel-maximum", "log(Sum(exp(mu[i]), (i, 1, n)) / exp(EulerGamma))", "above or below"),
    ("ex-gumbel-stream", "exp(mu) / exp(L)", "exceed 1"),
    ("ex-gumbel-stream", "exp(L) / (exp(L) + exp(mu))", "keeping"),
]

QUOTATIONS = {
    "Xu (2019), Gumbel-max trick and softmax (1)":
        r"p(\max_{i\neq k} Z_i = z) = \prod_{i\neq k} e^{-e^{-(z - \mu_{i})}}",
    "UvA Deep Learning Tutorials, Sampling Discrete Structures":
        r"\Pr(\arg\max_i (w_i + G_i) = k) = \frac{w_{k}}{\sum_{i=1}^{n} w_{i}}",
    "Xu (2019), how to sample a Gumbel":
        r"\Pr(\arg\max_i (\mu_i + \mathcal{G}) = k) = \pi_{k}",
}

PAGE = Page("book/gumbel/gumbel_max", [
    Falsified("sp.exp(-sp.exp(-x)), label=\"eq-gumbel-cdf\"",
              "sp.exp(-sp.exp(x)), label=\"eq-gumbel-cdf\"", Refuted),
    Falsified("slope.step(pi(j) * (pay[j] - E(pay[k], draw)),",
              "slope.step(pi(j) * (pay[j] + E(pay[k], draw)),", Refuted),
    Falsified("ratio.step(sp.exp(-(x - m)) * F(x - m),", "ratio.step(sp.exp(-(x + m)) * F(x - m),", Refuted),
    Falsified("extreme.step(F(x),", "extreme.step(1 - F(x),", Refuted),
    Falsified("Without(sp.Product(F(z - mu[i]), (i, 1, n)), k), label=",
              "sp.Product(F(z - mu[i]), (i, 1, n)), label=", ValueError, says="does not depend on k"),
    Falsified("Without(sp.Product(F(z - mu[i]),", "Without(sp.Product(F(z + mu[i]),", Refuted),
    Falsified("rivals.step(F(z - sp.log(weight)),", "rivals.step(F(z + sp.log(weight)),", Refuted),
    Falsified("sp.Derivative(others(k, z), z), label=", "others(k, z), label=", ValueError,
              says="is not refuted"),
    Falsified("sp.Integral(f(z - mu[k]) *", "sp.Integral(f(z - mu[j]) *", Refuted),
    Falsified("sp.Integral(f(z - mu[k]) * others(k, z),",
              "sp.Integral(f(z - mu[k]) * (1 - others(k, z)),", Refuted),
    Falsified('integrand.step(sp.exp(-z + mu[k] - each), "the own',
              'integrand.step(sp.exp(-z - mu[k] - each), "the own', Refuted),
    Falsified("trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)) / C(),",
              "trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)),", Refuted),
    Falsified("sp.exp(mu[k]) * (1 / C() - 0)", "sp.exp(mu[k]) * (0 - 1 / C())", Refuted),
    Falsified("gumbel_cdf(v[:, None] - logits[1:])", "gumbel_cdf(v[:, None] - logits)", ValueError,
              says="no side of eq-rivals"),
    Falsified("(logits[1:] + gumbel((n, 3), rng=rng)).max(axis=1)",
              "(logits[:3] + gumbel((n, 3), rng=rng)).max(axis=1)", Refuted),
    Falsified("sp.exp(-rate * t), label=\"eq-waiting-time\"",
              "sp.exp(rate * t), label=\"eq-waiting-time\"", Refuted),
    Falsified("silent(t + s) / silent(t),", "silent(s) / silent(t),", Refuted),
    Falsified("ageless.step(silent(s),", "ageless.step(silent(t),", Refuted),
    Falsified("clock = Distributed(sp.exp(-X),", "clock = Distributed(sp.exp(X),", Refuted),
    Falsified("sp.Integral(lam(k) * sp.exp(-lam(k) * s) * rest,",
              "sp.Integral(sp.exp(-lam(k) * s) * rest,", Refuted),
    Falsified("race.step(lam(k) * sp.Integral(", "race.step(C() * sp.Integral(", Refuted),
    Falsified("race.step(lam(k) / C() * sp.exp(-C() * t),", "race.step(lam(k) * sp.exp(-C() * t),", Refuted),
    Falsified("sp.Product(F(x - mu[i]), (i, 1, n)), label=",
              "sp.Product(F(x + mu[i]), (i, 1, n)), label=", Refuted),
    Falsified("largest.step(F(x - sp.log(C())),", "largest.step(F(x + sp.log(C())),", Refuted),
    Falsified("gumbel_cdf(v, loc=logsumexp(logits))", "gumbel_cdf(v, loc=logits.max())", ValueError,
              says="no side of eq-max-gumbel"),
    Falsified("perturbed.argmax(axis=1) == 1].max(axis=1)",
              "perturbed.argmax(axis=1) == 1].mean(axis=1)", Refuted),
    Falsified("undo.step(m - beta * sp.log(sp.exp(-(x - m) / beta)),",
              "undo.step(m + beta * sp.log(sp.exp(-(x - m) / beta)),", Refuted),
    Falsified("recipe = Distributed(-sp.log(-sp.log(U)),",
              "recipe = Distributed(sp.log(-sp.log(U)),", Refuted),
    Falsified("mean.step(m + beta * sp.EulerGamma,", "mean.step(m - beta * sp.EulerGamma,", Refuted),
    Falsified("variance.step(beta**2 * sp.pi**2 / 6,", "variance.step(beta**2 * sp.pi**2 / 3,", Refuted),
    Falsified('found["scale 2 for all"] - softmax(logits / 2)',
              'found["scale 2 for all"] - softmax(logits * 2)', AssertionError),
    Falsified("sp.Heaviside(mu[k] - mu[i])", "sp.Heaviside(mu[i] - mu[k])", ValueError,
              says="no side of eq-shared-noise"),
    Falsified("gumbel((n, 1), rng=rng), axis=1),", "gumbel((n, 4), rng=rng), axis=1),", Refuted),
    Falsified("noise[:, 0] = rng.logistic(size=n)", "noise[:, 0] = rng.normal(size=n)", AssertionError),
    Falsified("stable.step(F(x - sp.log(n)),", "stable.step(F(x + sp.log(n)),", Refuted),
    Falsified("gumbel_max(np.broadcast_to(large, (n, 4)), rng=rng),", "naive(n, rng),", Refuted),
    Falsified("maximum.solution(sp.EulerGamma + sp.log(C()))", "maximum.solution(sp.log(C()))", Refuted),
    Falsified("held[rng.random(n) < np.exp(new - L)] = number",
              "held[rng.random(n) < np.exp(L - new)] = number", Refuted),
    # the start of a chain
    Falsified("race = Derivation(joint(k, t),", "race = Derivation(joint(j, t),", ProofError),
    Falsified("largest = Derivation(highest(x),", "largest = Derivation(1 - highest(x),", Refuted),
    Falsified("weights = Derivation(sp.exp(sp.log(w[k]))", "weights = Derivation(sp.exp(w[k])", Refuted),
    Falsified("stable = Derivation(F(x)**n,", "stable = Derivation(n * F(x),", Refuted),
    # laws that are none, or another one
    Falsified("sp.exp(m) * sp.exp(-sp.exp(m) * T)", "sp.exp(-sp.exp(m) * T)", Refuted, says="total weight"),
    Falsified("f((X - m) / beta) / beta, -sp.oo", "f((X - m) / beta), -sp.oo", Refuted, says="total weight"),
    Falsified("scaled, increasing=False,", "scaled, increasing=True,", ProofError),
    # what an erratum quotes
    Falsified("        (density(k, z),", "        (others(k, z),", ValueError, says="is not refuted"),
    Falsified("(shared(k), pi(k))", "(win(k), pi(k))", ValueError, says="is not refuted"),
    Falsified("(added(k), w[k] / sp.Sum(w[i], (i, 1, n)))",
              "(added(k), sp.exp(w[k]) / sp.Sum(sp.exp(w[i]), (i, 1, n)))",
              ValueError, says="is not refuted"),
    Falsified("correct=weights,", "correct=rivals,", ValueError, says="no side in common"),
    # which equation a route is evidence for, and at which numbers
    Falsified("softmax(logits)[0], of=trick,", "softmax(logits)[0], of=rivals,", ValueError,
              says="no side of eq-rivals-gumbel"),
    Falsified("effect=0.02, of=largest,", "effect=0.02, of=F,", ValueError,
              says="eq-gumbel-cdf does not depend on it"),
    Falsified("f((x - m) / beta) / beta, places, of=f,",
              "f((x - m) / beta) / beta, places, of=F,", ValueError, says="no side of eq-gumbel-cdf"),
    Falsified("of=F, where={m: 0, beta: 1}", "of=F, where={m: 1, beta: 1}", ValueError,
              says="no side of eq-gumbel-cdf"),
    Falsified("of=Q, name=", "of=redo, name=", ValueError, says="no side of eq-quantile-right"),
    Falsified('at={mu: logits, k: 1}, title="item 1', 'at={mu: logits, k: 2}, title="item 1', ValueError,
              says="no side of eq-gumbel-max"),
    Falsified("at={mu: logits + nudge, k: 3}", "at={mu: logits, k: 3}", ValueError,
              says="no side of eq-gumbel-max"),
    Falsified("of=added, at={w: weight}", "of=added, at={w: np.log(weight)}", ValueError,
              says="w is positive"),
    # what is drawn
    Falsified('bars(wins["uniform"]), gid=', 'bars(wins["normal"]), gid=', ValueError, says="is drawn at"),
    Falsified("marked(ax, bells, bells.argmin(), 0)", "marked(ax, 1 / bells, bells.argmin(), 0)", ValueError,
              says="was expected"),
    Falsified("ax.plot(grid, average,", "ax.plot(grid, exact,", ValueError, says="is drawn at"),
    Falsified("1 / (1 + np.exp(logsumexp(logits[1:]) - v))",
              "1 / (1 + np.exp(logsumexp(logits) - v))", ValueError, says="is drawn at"),
], mistakes=MISTAKES, quotations=QUOTATIONS)


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)


def test_errata():
    PAGE.quotes()
