"""Integrals: zeros told by the real accuracy, integrals within integrals, substitution."""

import time

import pytest

from softmaxnotes.proof import Derivation, Erratum, Refuted, decide
from softmaxnotes.proof import sympy as sp
from softmaxnotes.proof.sympy import Integral, Rational, exp, log, oo, pi, sqrt

x, y, a, b, m = sp.symbols("x y a b mu", real=True)
s, u, v = sp.symbols("sigma u v", positive=True)
p = sp.Function("p", positive=True)
small = Rational(1, 10**20)


def normal(place, mean=0, scale=1):
    return exp(-((place - mean) ** 2) / (2 * scale**2)) / (scale * sqrt(2 * pi))


def gumbel(place, mean=0):
    return exp(-place + mean - exp(-place + mean))


def over_line(function, variable=x):
    return Integral(function, (variable, -oo, oo))


# -- zero, and what is not --------------------------------------------------------------------------------

ZEROS = {
    "a derivative": sp.Derivative(normal(x, m), x),
    "a score": normal(x, m) * sp.Derivative(log(normal(x, m)), m),
    "odd": x**3 * normal(x),
    "a Gumbel density": sp.Derivative(gumbel(x, m), x),
}


@pytest.mark.parametrize("integrand", ZEROS.values(), ids=ZEROS)
def test_what_cancels_is_zero(integrand):
    assert decide(over_line(integrand), 0).status == "proved"
    assert decide(over_line(integrand), small).status == "refuted"


def test_the_mean_of_a_normal_density():
    assert decide(over_line(x * normal(x, m, s)), m).status == "proved"
    assert decide(over_line(x * normal(x, m, s)), m + small).status == "refuted"


@pytest.mark.parametrize("integrand", [sp.Derivative(p(x), x), p(x) * sp.Derivative(log(p(x)), x)], ids=str)
def test_a_true_zero_of_an_unknown_density_is_not_refuted(integrand):
    assert decide(over_line(integrand), 0).status == "undecided"  # a positive function need not die away
    assert decide(over_line(integrand), small).status == "refuted"


@pytest.mark.parametrize("integrand", [ZEROS["a score"], ZEROS["a derivative"], sp.Derivative(p(x), x)],
                         ids=str)
def test_no_erratum_accuses_who_prints_a_true_zero(integrand):
    right = Derivation(over_line(normal(x)), label="eq-one", title="one").step(1, "a density")
    with pytest.raises(ValueError, match="is not refuted"):
        Erratum("a book", (over_line(integrand), sp.S.Zero), correct=right, consequence="none",
                instead="None.")


# -- integrals within integrals ----------------------------------------------------------------------------

PLANE = {
    "two normal variables": (Integral(exp(-(x**2 + y**2) / 2), (x, -oo, oo), (y, -oo, oo)), 2 * pi),
    "correlated ones": (Integral(exp(-(x**2 - x * y + y**2) / 2), (x, -oo, oo), (y, -oo, oo)),
                        4 * pi / sqrt(3)),
    "a Dirichlet law": (Integral(2 * u * v, (v, 0, 1 - u), (u, 0, 1)), Rational(1, 12)),
    "another order": (Integral(exp(-u - 2 * v), (v, 0, 1 - u), (u, 0, 1)),
                      Integral(exp(-u - 2 * v), (u, 0, 1 - v), (v, 0, 1))),
    "singular ends": (Integral(1 / sqrt(u * v), (v, 0, 1 - u), (u, 0, 1)), pi),
}


@pytest.mark.parametrize(("left", "right"), PLANE.values(), ids=PLANE)
def test_integrals_over_the_plane(left, right):
    began = time.perf_counter()
    assert decide(left, right).status in ("proved", "agrees")
    for wrong in (right * (1 + Rational(1, 10**9)), right + Rational(1, 10**9), -right):
        assert decide(left, wrong).status == "refuted"
    assert time.perf_counter() - began < 60


FIRST = exp(a) / (exp(a) + exp(b) + exp(m))
TOP = over_line(gumbel(x, a) * Integral(gumbel(y, b) * exp(-exp(-y + m)), (y, -oo, x)))
TOP_AT_ONCE = Integral(gumbel(x, a) * gumbel(y, b) * exp(-exp(-y + m)), (y, -oo, x), (x, -oo, oo))


@pytest.mark.parametrize("left", [TOP, TOP_AT_ONCE], ids=["nested", "at once"])
def test_the_two_largest_of_three_gumbel_variables(left):
    right = FIRST * exp(b) / (exp(b) + exp(m))
    assert decide(left, right).status in ("proved", "agrees")
    assert decide(left, FIRST * exp(m) / (exp(b) + exp(m))).status == "refuted"
    assert decide(left, right * (1 + Rational(1, 10**8))).status == "refuted"


def test_ends_too_singular_for_the_digits_refute_nothing():
    singular = Integral(1 / sqrt(u * v * (1 - u - v)), (v, 0, 1 - u), (u, 0, 1))
    assert decide(singular, 2 * pi).status != "refuted"


def test_odd_integrands_over_the_plane():
    odd = Integral(x * exp(-(x**2 + y**2 + x * y)), (x, -oo, oo), (y, -oo, oo))
    assert decide(odd, 0).status != "refuted"
    assert decide(odd, Rational(1, 10**6)).status == "refuted"


def test_a_divergent_one_has_no_value():
    assert decide(Integral(exp(x * y), (x, 0, oo), (y, 0, oo)), 1).status == "undecided"
    assert decide(Integral(1 / (u + v) ** 2, (u, 0, 1), (v, 0, 1)), 7).status == "undecided"


def test_a_line_with_a_double_integral_is_attacked():
    left, right = PLANE["correlated ones"]
    chain = Derivation(left, label="eq-plane", title="a plane").step(right, "completing the square")
    assert chain.mutants
    with pytest.raises(Refuted):
        Derivation(left, label="eq-plane", title="a plane").step(right / 2, "a wrong determinant")
