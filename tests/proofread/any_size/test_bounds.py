"""Inequalities by named rules: what each shows, and that it shows no more."""

import pytest
import sympy as sp
from sympy import Sum, exp, log

from proofread.any_size import proves
from proofread.any_size.bounds import (
    cauchy_schwarz,
    exp_tangent,
    gibbs,
    jensen,
    largest,
    log_tangent,
    means,
    one_of_them,
    square,
    tangent,
)
from proofread.errors import NoRule
from proofread.language.binders import MaxOver
from proofread.language.parameters import Parameters
from proofread.numeric.evaluation import quick
from proofread.numeric.sampling import points

i, j, k, l, n, m = sp.symbols("i j k l n m", integer=True, positive=True)  # noqa: E741
z, f, v = (sp.IndexedBase(name, real=True) for name in "zfv")
p, q, w = (sp.IndexedBase(name, positive=True) for name in "pqw")
every = k, 1, n
total = Sum(exp(z[l]), (l, 1, n))
pi = exp(z[k]) / total
share = w[k] / Sum(w[l], (l, 1, n))
mean = Sum(pi * f[k], every)
variance = Sum(pi * f[k]**2, every) - mean**2
normalised = [sp.Eq(Sum(p[k], every), 1), sp.Eq(Sum(q[k], every), 1)]
top = MaxOver(z[i], (i, 1, n))

SHOWN = {  # smaller side, larger side, conditions, bound
    "Gibbs": (0, Sum(p[k] * log(p[k] / q[k]), every), normalised, gibbs(p[k], q[k], every)),
    "Gibbs for softmax": (Sum(share * z[k], every) - Sum(share * log(share), every), log(total), [],
                          gibbs(share, pi, every)),
    "entropy": (-Sum(pi * log(pi), every), log(n), [], gibbs(pi, 1 / n, every)),
    "variance": (0, variance, [], square(f[k] - mean).times(pi).over(*every)),
    "Cauchy–Schwarz": (Sum(f[k] * v[k], every)**2, Sum(f[k]**2, every) * Sum(v[k]**2, every), [],
                       cauchy_schwarz(f[k], v[k], every)),
    "Jensen for the logarithm": (Sum(share * z[k], every), log(Sum(share * exp(z[k]), every)), [],
                                 jensen(lambda u: -log(u), exp(z[k]), w[k], every, positive=True)),
    "means": (exp(Sum(share * z[k], every)), Sum(share * exp(z[k]), every), [],
              means(exp(z[k]), w[k], every)),
    "below log-sum-exp": (top, log(total), [], one_of_them(exp, z[i], (i, 1, n)).log()),
    "above log-sum-exp": (log(total), log(n) + top, [],
                          largest(z[i], (i, 1, n), k).exp().over(*every).log()),
    "each term": (z[k], top, [], largest(z[i], (i, 1, n), k)),
    "tangent of exp": (1 + z[k], exp(z[k]), [], exp_tangent(z[k])),
    "tangent of log": (log(p[k]), p[k] - 1, [], log_tangent(p[k])),
    "two bounds": (log(p[k]) + 1 + z[k], p[k] - 1 + exp(z[k]), [], log_tangent(p[k]) + exp_tangent(z[k])),
}


@pytest.mark.parametrize("name", SHOWN)
def test_shown(name):
    smaller, larger, given, bound = SHOWN[name]
    assert proves(smaller, larger, "<=", given, by=[bound])
    assert proves(larger, smaller, ">=", given, by=[bound])


@pytest.mark.parametrize("name", SHOWN)
def test_shows_nothing_else(name):
    smaller, larger, given, bound = SHOWN[name]
    assert not proves(larger, smaller, "<=", given, by=[bound])
    assert not proves(smaller, larger - 1, "<=", given, by=[bound])
    assert not proves(smaller, 2 * larger - smaller, "<=", given, by=[bound])


@pytest.mark.parametrize("name", SHOWN)
def test_true_in_numbers(name):
    bound = SHOWN[name][3]
    parameters = Parameters(bound.greater, bound.lesser)
    values = [quick(bound.gap, point) for point in points(parameters, (), count=12)]
    assert values and min(values) > -1e-15
    assert max(values) > 1e-6  # and not always an equality


HYPOTHESES = {
    "a weight that may be negative": (0, f[k] * z[k]**2, square(z[k]).times(f[k])),
    "a concave function": (log(p[k]), p[k] - 1, tangent(log, p[k], 1, positive=True)),
    "neither convex nor concave": (0, z[k]**3, tangent(lambda x: x**3, z[k], 0)),
    "a negative number for a positive symbol": (log(z[k]), z[k] - 1, log_tangent(z[k])),
    "Gibbs with a negative share": (Sum(f[k], every) - Sum(q[k], every), Sum(f[k] * log(f[k] / q[k]), every),
                                    gibbs(f[k], q[k], every)),
    "the logarithm of what may be negative": (log(z[k]), log(top), largest(z[i], (i, 1, n), k).log()),
    "a term beyond the end": (z[n + 1], top, largest(z[i], (i, 1, n), n + 1)),
    "terms of both signs": (z[k], Sum(z[k], every), one_of_them(lambda x: x, z[i], (i, 1, n))),
    "a range that may be empty": (exp(MaxOver(z[i], (i, 2, n))), Sum(exp(z[i]), (i, 2, n)),
                                  one_of_them(exp, z[i], (i, 2, n))),
    "Jensen with a weight that may be negative": (
        exp(Sum(f[k] / Sum(f[l], (l, 1, n)) * z[k], every)),
        Sum(f[k] / Sum(f[l], (l, 1, n)) * exp(z[k]), every), jensen(exp, z[k], f[k], every)),
}


@pytest.mark.parametrize("name", HYPOTHESES)
def test_hypotheses_are_checked(name):
    smaller, larger, bound = HYPOTHESES[name]
    with pytest.raises(NoRule):
        proves(smaller, larger, "<=", by=[bound])
