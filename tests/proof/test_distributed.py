"""Changes of variables: densities, signs and ends."""

import pytest
import sympy as sp
from sympy import Rational, S, exp, log, oo, pi, sqrt

from softmaxnotes.proof import Distributed, Law, Refuted, Undecided

u, t, b = sp.symbols("U T b", positive=True)
x, y = sp.symbols("X Y", real=True)


def normal(v, scale=S.One):
    return exp(-((v / scale) ** 2) / 2) / (scale * sqrt(2 * pi))


uniform, exponential = Law("u", u, 1, 0, 1), Law("e", t, exp(-t), 0, oo)
logistic = Law("l", y, exp(-y) / (1 + exp(-y)) ** 2, -oo, oo)
gumbel = Law("g", y, exp(-y - exp(-y)), -oo, oo)
standard, scaled = Law("n", x, normal(x), -oo, oo), Law("m", y, normal(y, b), -oo, oo)


def distributed(transform, source, target, increasing=True):
    return Distributed(transform, source, target, increasing=increasing, label="eq-law", title="a law")


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (-log(u), uniform, exponential, False),
    (-log(1 - u), uniform, exponential, True),
    (log(u / (1 - u)), uniform, logistic, True),
    (-log(-log(u)), uniform, gumbel, True),
    (-log(t), exponential, gumbel, False),
    (b * x, standard, scaled, True),
    (-b * x, standard, scaled, False),
])
def test_right_laws_pass(transform, source, target, increasing):
    assert distributed(transform, source, target, increasing).mutants > 3


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (-log(u), uniform, exponential, True),  # the wrong way
    (log(u), uniform, exponential, False),
    (-log(1 + u), uniform, exponential, False),
    (-2 * log(u), uniform, exponential, False),
    (log(-log(u)), uniform, gumbel, True),
    (log(t), exponential, gumbel, True),
    (x / b, standard, scaled, True),
    (b**2 * x, standard, scaled, True),
    # the right density, the wrong end
    (-log(u), uniform, Law("e", t, exp(-t), 1, oo), False),
    (-log(u), uniform, Law("e", t, exp(-t), 0, 10), False),
    (-log(u), Law("u", u, 1, Rational(1, 4), 1), exponential, False),
    # not one to one
    (x**2, standard, Law("c", t, exp(-t / 2) / sqrt(2 * pi * t), 0, oo), True),
    (x**2, standard, Law("c", t, exp(-t / 2) / sqrt(2 * pi * t), 0, oo), False),
    ((2 * u - 1) ** 2, uniform, Law("r", t, 1 / (2 * sqrt(t)), 0, 1), True),
    (-1 / x, Law("c", x, 1 / (pi * (1 + x**2)), -oo, oo), Law("d", y, 1 / (pi * (1 + y**2)), -oo, oo), True),  # jumps at 0
])
def test_wrong_laws_are_refuted(transform, source, target, increasing):
    with pytest.raises(Refuted, match=r"eq-law: (the density (of .* has not the total weight 1|does not fit)|the end .* is not taken to)"):
        distributed(transform, source, target, increasing)


def test_a_weight_that_may_be_negative_is_no_density():
    with pytest.raises(Undecided, match="densities are positive"):
        distributed(x, Law("p", x, x * normal(x), -oo, oo), Law("q", y, y * normal(y), -oo, oo))
