"""Sums and integrals with a closed form, limits of any size, and ranges that may be empty."""

import pytest
import sympy as sp
from sympy import Eq, Integral, Limit, Max, Ne, Piecewise, Product, S, Sum, exp, log, oo
from verdict import is_shown

i, j, k, l, m, n = sp.symbols("i j k l m n", integer=True, positive=True)  # noqa: E741
none = sp.Symbol("n", integer=True, nonnegative=True)
r, s, t, u = sp.symbols("r s t u", positive=True)
c, x, y = sp.symbols("c x y", real=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)
q, a = sp.IndexedBase("q", positive=True), sp.IndexedBase("a", positive=True)
every = k, 1, n
geometric = Sum(r**k, (k, 0, n - 1))
sigmoid = 1 / (1 + exp(-x / t))
slope = (w[j] - exp(z[j])) * t * q[j] / (exp(z[j]) + t * q[j])


def from_0(function):
    return Integral(function, (t, 0, oo))


def normal(y, mean, variance):
    return exp(-((y - mean) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)


def everywhere(function):
    return Integral(function, (y, -oo, oo))


moments = from_0((x - r * log(t)) ** 2 * exp(-t)) - from_0((x - r * log(t)) * exp(-t)) ** 2


def fading(first):
    return exp(z[k]) / (Sum(exp(z[l] - t * w[l]), (l, first, m)) + Sum(exp(z[l]), (l, 1, n)))


def share(size):
    return Sum(w[k] / Sum(w[l], (l, 1, size)), (k, 1, size))


TRUE = {
    "numbers": (Sum(k, every), n * (n + 1) / 2),
    "squares": (Sum(k**2, every), n * (n + 1) * (2 * n + 1) / 6),
    "cubes": (Sum(k**3, every), Sum(k, every)**2),
    "numbers below n": (Sum(k, (k, 1, n - 1)), n * (n - 1) / 2),
    "squares from 0": (Sum(k**2, (k, 0, n - 1)), n * (n - 1) * (2 * n - 1) / 6),
    "odd numbers": (Sum(2 * k - 1, every), n**2),
    "none, perhaps": (Sum(k, (k, 1, none)), none * (none + 1) / 2),
    "tetrahedra": (Sum(k, (k, 1, l), (l, 1, n)), n * (n + 1) * (n + 2) / 6),
    "with entries": (Sum(z[l] * Sum(k, (k, l, n)), (l, 1, n)),
                     Sum(z[l] * (n * (n + 1) - l * (l - 1)) / 2, (l, 1, n))),
    "of what is larger": (Sum(Max(k, 1), every), n * (n + 1) / 2),
    "geometric": (geometric, (1 - r**n) / (1 - r), [r < 1]),
    "geometric, not 1": (geometric, (1 - r**n) / (1 - r), [Ne(r, 1)]),
    "geometric, growing": (geometric, (r**n - 1) / (r - 1), [r > 1]),
    "geometric, backwards": (Sum(r ** (n - k), every), (1 - r**n) / (1 - r), [r < 1]),
    "geometric, none perhaps": (Sum(r ** (2 * k), (k, 1, none)), r**2 * (1 - r ** (2 * none)) / (1 - r**2),
                                [r < 1]),
    "a waiting time": (Sum(r * (1 - r) ** (k - 1), every), 1 - (1 - r) ** n, [r < 1]),
    "powers of 2": (Sum(S(2)**k, (k, 0, n - 1)), 2**n - 1),
    "exponentials": (Sum(exp(-u * k), every), (1 - exp(-u * n)) / (exp(u) - 1)),
    "sums of geometric sums": (Sum(r ** (l - k), (k, 1, l), (l, 1, n)),
                               (n - r * (1 - r**n) / (1 - r)) / (1 - r), [r < 1]),
    "a softmax when it is hot": (Limit(exp(z[k] / t) / Sum(exp(z[l] / t), (l, 1, n)), t, oo), 1 / n),
    "its normaliser": (Limit(log(Sum(exp(z[l] / t), (l, 1, n))), t, oo), log(n)),
    "gradient with much noise": (Limit(slope, t, oo), w[j] - exp(z[j])),
    "a limit in each term": (Limit(Sum(w[k] * exp(-t * z[k]), every), t, 0), Sum(w[k], every)),
    "what dies away, all but the first": (Limit(fading(1), t, oo), Limit(fading(2), t, oo)),
    "what grows, divided by itself": (Limit(exp(w[1] * t) / (exp(w[1] * t) + fading(1)), t, oo), 1),
    "a cold sigmoid": (Limit(sigmoid, t, 0), Piecewise((1, x > 0), (S.Half, Eq(x, 0)), (0, True))),
    "a cold sigmoid, sign told": (Limit(sigmoid, t, 0), 1, [x > 0]),
    "a cold softplus": (Limit(t * log(exp(x / t) + 1), t, 0), Max(x, 0)),
    "of a pair": (Limit(1 / (1 + exp((z[2] - z[1]) / t)), t, 0), (1 + sp.sign(z[1] - z[2])) / 2),
    "Euler's integral": (from_0(t**5 * exp(-r * t)), 120 / r**6),
    "its derivative": (from_0(log(t) * exp(-r * t)), -(sp.EulerGamma + log(r)) / r),
    "of a root": (from_0(exp(-t) / sp.sqrt(t)), sp.sqrt(sp.pi)),
    "mean of a Gumbel law": (from_0((x - r * log(t)) * exp(-t)), x + r * sp.EulerGamma),
    "variance of a Gumbel law": (moments, sp.pi**2 * r**2 / 6),
    "of a symbolic power": (from_0(t ** (r - 1) * exp(-t) * log(t)), sp.gamma(r) * sp.digamma(r)),
    "its variance": (from_0(t ** (r - 1) * exp(-t) * log(t) ** 2) / sp.gamma(r)
                     - (from_0(t ** (r - 1) * exp(-t) * log(t)) / sp.gamma(r)) ** 2,
                     sp.Derivative(sp.digamma(r), r)),
    "a tail": (Integral(exp(-y * Sum(w[k], every)), (y, x, oo)),
               exp(-x * Sum(w[k], every)) / Sum(w[k], every)),
    "its second moment": (Integral(y**2 * exp(-r * y), (y, x, oo)),
                          exp(-r * x) * (x**2 / r + 2 * x / r**2 + 2 / r**3)),
    "the mass of a normal law": (everywhere(normal(y, x, r**2)), 1),
    "its fourth moment": (everywhere(y**4 * normal(y, x, r)), x**4 + 6 * x**2 * r + 3 * r**2),
    "tilted": (everywhere(y**3 * exp(c * y) * normal(y, 0, 1)), (c**3 + 3 * c) * exp(c**2 / 2)),
    "normal, with a normal mean": (everywhere(normal(y, 0, r) * normal(x, y, s)), normal(x, 0, r + s)),
    "a precision that is a sum": (everywhere(exp(-(y**2) * Sum(w[k], every))),
                                  sp.sqrt(sp.pi / Sum(w[k], every))),
    "exponential waiting times": (from_0(t * Sum(w[k], every) * exp(-t * Sum(w[k], every))),
                                  1 / Sum(w[k], every)),
    "shares": (share(n), 1),
    "shares of none that is told": (share(none), 1, [none >= 1]),
    "shares of all but the last": (share(n - 1), 1, [n >= 2]),
    "divided by a number": (Sum(w[k] / (n - 1), (k, 1, n - 1)), Sum(w[k], (k, 1, n - 1)) / (n - 1), [n >= 2]),
    "more than none": (Sum(1 / (none + 1), (k, 1, none)), none / (none + 1)),
    "a product of none": (Product(w[k], (k, 1, none)), exp(Sum(log(w[k]), (k, 1, none)))),
    "one more than none": (Sum(z[k], (k, 1, none + 1)), z[none + 1] + Sum(z[k], (k, 1, none))),
}
FALSE = {
    "one less": (Sum(k, every), n * (n - 1) / 2),
    "one more": (Sum(k, (k, 1, n - 1)), n * (n + 1) / 2),
    "squares": (Sum(k**2, every), n * (n + 1) * (2 * n - 1) / 6),
    "a range that may be reversed": (Sum(k, (k, 2, n - 1)), n * (n - 1) / 2 - 1),
    "numbers with entries": (Sum(k * z[k], every), n * (n + 1) / 2 * z[1]),
    "geometric, perhaps 1": (geometric, (1 - r**n) / (1 - r)),
    "geometric, 1 allowed": (geometric, (1 - r**n) / (1 - r), [r <= 1]),
    "geometric, below 2": (geometric, (1 - r**n) / (1 - r), [r < 2]),
    "not another number": (geometric, (1 - r**n) / (1 - r), [Ne(s, 1)]),
    "one term less": (geometric, (1 - r ** (n - 1)) / (1 - r), [r < 1]),
    "from 1": (Sum(r**k, every), (1 - r**n) / (1 - r), [r < 1]),
    "exponentials of 0": (Sum(exp(c * k), every), (exp(c * (n + 1)) - exp(c)) / (exp(c) - 1)),
    "the base is summed": (Sum(w[k]**l, every), w[l] * (1 - w[l]**n) / (1 - w[l]), [w[l] < 1]),
    "what grows": (Limit(exp(w[1] * t) * fading(1), t, oo), 0),
    "what may grow": (Limit(exp(z[1] * t) / (exp(z[1] * t) + fading(1)), t, oo), 1),
    "what dies away counts twice": (Limit(fading(1), t, oo), 2 * Limit(fading(2), t, oo)),
    "a cold softmax": (Limit(exp(z[k] / t) / Sum(exp(z[l] / t), (l, 1, n)), t, 0), 1 / n),
    "a sign that is not told": (Limit(sigmoid, t, 0), 1),
    "another value at 0": (Limit(sigmoid, t, 0), sp.Heaviside(x, 1)),
    "0 allowed": (Limit(sigmoid, t, 0), 1, [x >= 0]),
    "the other side": (Limit(sigmoid, t, 0, "-"), sp.Heaviside(x, S.Half)),
    "both tend to 0": (Limit(Sum(exp(-t * w[k]), every) / Sum(exp(-2 * t * w[k]), every), t, oo), 0),
    "without bounds": (Limit(Sum(z[k] * t, every), t, oo), 0),
    "Euler's integral, one power more": (from_0(t**5 * exp(-r * t)), 120 / r**5),
    "Euler's integral that diverges": (from_0(exp(-t) / t), sp.oo),
    "its pole": (from_0(exp(-t) / t), sp.EulerGamma),
    "growing, perhaps": (from_0(exp(-c * t)), 1 / c),
    "a tail that grows, perhaps": (Integral(exp(-c * y), (y, x, oo)), exp(-c * x) / c),
    "a tail from the other side": (Integral(exp(-r * y), (y, x, oo)), (1 - exp(-r * x)) / r),
    "its second moment": (Integral(y**2 * exp(-r * y), (y, x, oo)),
                          exp(-r * x) * (x**2 / r + x / r**2 + 2 / r**3)),
    "not normal, perhaps": (everywhere(exp(-c * y**2)), sp.sqrt(sp.pi / c)),
    "half a normal law": (from_0(exp(-r * t**2)), sp.sqrt(sp.pi / r)),
    "the fourth moment of a normal law": (everywhere(y**4 * normal(y, x, r)), x**4 + 6 * x**2 * r + r**2),
    "tilted": (everywhere(y * exp(c * y) * normal(y, 0, 1)), -c * exp(c**2 / 2)),
    "normal, with a normal mean": (everywhere(normal(y, 0, r) * normal(x, y, s)), normal(x, 0, r * s)),
    "begins at 1": (Integral(exp(-t), (t, 1, oo)), 1),
    "of a square": (from_0(exp(-t**2)), 1),
    "of another logarithm": (from_0(log(2 * t) * exp(-t)), -sp.EulerGamma),
    "mean of a Gumbel law": (from_0((x - r * log(t)) * exp(-t)), x - r * sp.EulerGamma),
    "variance of a Gumbel law": (moments, sp.pi**2 * r**2 / 8),
    "shares of none": (share(none), 1),
    "shares of all but the last": (share(n - 1), 1),
    "shares of all but the first": (Sum(w[k] / Sum(w[l], (l, 2, n)), (k, 2, n)), 1),
    "shares of those before": (Sum(w[k] * Sum(w[l] / Sum(w[i], (i, 1, k - 1)), (l, 1, k - 1)), every),
                               Sum(w[k], every)),
    "rows of none": (Sum(a[i, l] / Sum(a[i, k], (k, 1, none)), (l, 1, none), (i, 1, m)), m),
    "rows of none, the other order": (Sum(a[i, l] / Sum(a[i, k], (k, 1, none)), (i, 1, m), (l, 1, none)), m),
    "divided by none": (Sum(1 / none, (k, 1, none)), 1),
    "the first of none": (Product(w[k], (k, 1, none)), w[1] * Product(w[k], (k, 2, none))),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_for_every_size(name):
    assert is_shown(*TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    assert not is_shown(*FALSE[name])
