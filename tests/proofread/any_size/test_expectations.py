"""Means over any number of independent draws."""

import pytest
import sympy as sp
from sympy import KroneckerDelta as D
from sympy import Sum, exp, log

from proofread.any_size import proves
from proofread.errors import NoRule
from proofread.language.binders import DrawsMean, Unless

i, j, k, l, m, n, K, v = sp.symbols("i j k l m n K v", integer=True, positive=True)  # noqa: E741
z, f, g = (sp.IndexedBase(name, real=True) for name in "zfg")
a, b = (sp.IndexedBase(name, positive=True) for name in "ab")
x = sp.IndexedBase("x", integer=True, positive=True)


def pi(value):
    return exp(z[value]) / Sum(exp(z[i]), (i, 1, n))


def E(function, mass=None):
    return DrawsMean(function, x, pi(v) if mass is None else mass, (k, 1, K), (v, 1, n))


def score(number):
    """The derivative of the log-probability of a draw by z_j."""
    return D(j, x[number]) - pi(j)


def normalised(base, row, value):
    return base[row, value] / Sum(base[row, i], (i, 1, n))


mean, total = Sum(pi(v) * f[v], (v, 1, n)), Sum(f[x[k]], (k, 1, K))
variance = Sum(pi(v) * f[v]**2, (v, 1, n)) - mean**2
slope = pi(j) * (f[j] - mean)
others = (total - f[x[k]]) / (K - 1)
squares = Sum((f[x[k]] - total / K)**2, (k, 1, K))
ratios = [sp.Product(normalised(base, k, x[k]), (k, 1, K)) for base in (a, b)]
divergence = Sum(normalised(a, k, v) * log(normalised(a, k, v) / normalised(b, k, v)), (v, 1, n), (k, 1, K))

TRUE = {
    "mean": (E(total / K), mean),
    "variance of the mean": (E((total / K)**2) - mean**2, variance / K),
    "sample variance": (E(squares / (K - 1)), variance),
    "biased sample variance": (E(squares / K), variance * (K - 1) / K),
    "score function": (E(Sum(f[x[k]] * score(k), (k, 1, K)) / K), slope),
    "leave-one-out": (E(Sum((f[x[k]] - others) * score(k), (k, 1, K)) / K), slope),
    "the mean as a baseline": (E(Sum((f[x[k]] - total / K) * score(k), (k, 1, K)) / K), slope * (K - 1) / K),
    "different draws": (E(Sum(Unless(g[x[k]] * f[x[l]], 0, k, l), (k, 1, K), (l, 1, K))),
                        K * (K - 1) * mean * Sum(pi(v) * g[v], (v, 1, n))),
    "independent, not alike": (E(log(ratios[0] / ratios[1]), normalised(a, k, v)), divergence),
}
FALSE = {
    "variance of the mean": (E((total / K)**2) - mean**2, variance),
    "sample variance": (E(squares / K), variance),
    "the mean as a baseline": (E(Sum((f[x[k]] - total / K) * score(k), (k, 1, K)) / K), slope),
    "different draws": (E(Sum(g[x[k]] * f[x[l]], (k, 1, K), (l, 1, K))),
                        K * (K - 1) * mean * Sum(pi(v) * g[v], (v, 1, n))),
    "the law of the others": (E(log(ratios[0] / ratios[1]), normalised(b, k, v)), divergence),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_for_every_number_of_draws(name):
    assert proves(*TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    assert not proves(*FALSE[name])


@pytest.mark.parametrize("function, mass", [
    (total, exp(z[v])),  # masses without the sum 1
    (1 / total, None), (f[x[j]], None), (f[x[K + 1]], None)])
def test_no_rule(function, mass):
    with pytest.raises(NoRule):
        proves(E(function, mass), mean)
