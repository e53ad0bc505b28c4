"""Integrals: zeros told by the real accuracy, integrals within integrals, substitution."""


import pytest

from proofread import Derivation, Erratum, bounds, decide
from proofread import sympy as sp
from proofread.any_size.substitution import substitution
from proofread.errors import Refuted
from proofread.language.sympy import Integral, Rational, exp, log, oo, pi, sqrt

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


@pytest.mark.parametrize("name", ["odd", pytest.param("a derivative", marks=pytest.mark.slow),
                                  pytest.param("a score", marks=pytest.mark.slow),
                                  pytest.param("a Gumbel density", marks=pytest.mark.slow)])
def test_what_cancels_is_zero(name):
    assert decide(over_line(ZEROS[name]), 0).status == "proved"
    assert decide(over_line(ZEROS[name]), small).status == "refuted"


def test_the_mean_of_a_normal_density():
    assert decide(over_line(x * normal(x, m, s)), m).status == "proved"
    assert decide(over_line(x * normal(x, m, s)), m + small).status == "refuted"


@pytest.mark.parametrize("integrand", [sp.Derivative(p(x), x), p(x) * sp.Derivative(log(p(x)), x)], ids=str)
def test_a_true_zero_of_an_unknown_density_is_not_refuted(integrand):
    assert decide(over_line(integrand), 0).status == "undecided"  # a positive function need not die away
    assert decide(over_line(integrand), small).status == "refuted"


@pytest.mark.parametrize("integrand", [pytest.param(ZEROS["a score"], marks=pytest.mark.slow),
                                       ZEROS["a derivative"], sp.Derivative(p(x), x)], ids=str)
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


@pytest.mark.parametrize(("left", "right"), [
    pytest.param(*row, id=name, marks=[pytest.mark.slow] * (name == "singular ends"))
    for name, row in PLANE.items()])
def test_integrals_over_the_plane(left, right):
    assert decide(left, right).status in ("proved", "agrees")
    assert decide(left, right + Rational(1, 10**9)).status == "refuted"


FIRST = exp(a) / (exp(a) + exp(b) + exp(m))
TOP = over_line(gumbel(x, a) * Integral(gumbel(y, b) * exp(-exp(-y + m)), (y, -oo, x)))
TOP_AT_ONCE = Integral(gumbel(x, a) * gumbel(y, b) * exp(-exp(-y + m)), (y, -oo, x), (x, -oo, oo))


@pytest.mark.parametrize("left", [
    Integral(exp(-u) * Integral(2 * exp(-2 * v), (v, 0, u)), (u, 0, oo)),
    Integral(2 * exp(-u - 2 * v), (v, 0, u), (u, 0, oo)),
], ids=["nested", "at once"])
def test_the_larger_of_two_exponential_variables(left):
    assert decide(left, Rational(2, 3)).status in ("proved", "agrees")
    assert decide(left, Rational(2, 3) * (1 + Rational(1, 10**8))).status == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize("left", [TOP, TOP_AT_ONCE], ids=["nested", "at once"])
def test_the_two_largest_of_three_gumbel_variables(left):
    right = FIRST * exp(b) / (exp(b) + exp(m))
    assert decide(left, right).status in ("proved", "agrees")
    assert decide(left, FIRST * exp(m) / (exp(b) + exp(m))).status == "refuted"
    assert decide(left, right * (1 + Rational(1, 10**8))).status == "refuted"


def test_ends_too_singular_for_the_digits_refute_nothing():
    singular = Integral(1 / sqrt(u * v * (1 - u - v)), (v, 0, 1 - u), (u, 0, 1))
    assert decide(singular, 2 * pi).status != "refuted"


@pytest.mark.parametrize("odd", [
    Integral(x * y**2, (x, -1, 1), (y, 0, 1)),
    pytest.param(Integral(x * exp(-(x**2 + y**2 + x * y)), (x, -oo, oo), (y, -oo, oo)),
                 marks=pytest.mark.slow),
], ids=["a rectangle", "the plane"])
def test_odd_integrands(odd):
    assert decide(odd, 0).status != "refuted"
    assert decide(odd, Rational(1, 10**6)).status == "refuted"


def test_a_divergent_one_has_no_value():
    assert decide(Integral(exp(x * y), (x, 0, oo), (y, 0, oo)), 1).status == "undecided"
    assert decide(Integral(1 / (u + v) ** 2, (u, 0, 1), (v, 0, 1)), 7).status == "undecided"


@pytest.mark.parametrize("name", [
    "a Dirichlet law", pytest.param("correlated ones", marks=pytest.mark.slow)])
def test_a_line_with_a_double_integral_is_attacked(name):
    left, right = PLANE[name]
    chain = Derivation(left, label="eq-plane", title="a plane").step(right, "completing the square")
    assert chain.mutants
    with pytest.raises(Refuted):
        Derivation(left, label="eq-plane", title="a plane").step(right / 2, "a wrong determinant")


# -- substitution -------------------------------------------------------------------------------------------

f = sp.Function("f", real=True)
t, c, d = sp.symbols("t c d", positive=True)
CUBIC = x + x**3
RIGHT = {
    "increasing": (Integral(p(CUBIC) * (1 + 3 * x**2), (x, a, b)), Integral(p(y), (y, a + a**3, b + b**3)),
                   (p, CUBIC, (x, a, b))),
    "between numbers": (Integral(f(CUBIC) * (1 + 3 * x**2), (x, 0, 1)), Integral(f(y), (y, 0, 2)),
                        (f, CUBIC, (x, 0, 1))),
    "from right to left": (Integral(f(y), (y, 0, 2)), Integral(f(CUBIC) * (1 + 3 * x**2), (x, 0, 1)),
                           (f, CUBIC, (x, 0, 1))),
    "decreasing": (Integral(f(exp(-x)) * exp(-x), (x, a, b)), Integral(f(y), (y, exp(-b), exp(-a))),
                   (f, exp(-x), (x, a, b))),
    "an affine one on the line": (over_line(p((x - m) / s) / s), over_line(p(y), y),
                                  (p, (x - m) / s, (x, -oo, oo))),
    "a logarithm": (Integral(f(log(t)) / t, (t, c, d)), Integral(f(y), (y, log(c), log(d))),
                    (f, log(t), (t, c, d))),
}


@pytest.mark.parametrize(("left", "right", "rule"), RIGHT.values(), ids=RIGHT)
def test_a_substitution_proves_a_line(left, right, rule):
    chain = Derivation(left, label="eq-put", title="substitution")
    entry = chain.step(right, "substitution", by=substitution(*rule)).entry()
    assert entry.status == "proved"
    assert entry.mutants
    assert "by substitution" in entry.findings[0]


REFUSED = {
    "not monotone": (Integral(f(x**2) * 2 * x, (x, -1, 2)), Integral(f(y), (y, 1, 4)), (f, x**2, (x, -1, 2))),
    "a pole": (Integral(f(-1 / x) / x**2, (x, -1, 1)), Integral(f(y), (y, 1, -1)), (f, -1 / x, (x, -1, 1))),
    "poles of a tangent": (Integral(f(sp.tan(x)) * (1 + sp.tan(x) ** 2), (x, 0, 3)),
                           Integral(f(y), (y, 0, sp.tan(3))), (f, sp.tan(x), (x, 0, 3))),
    "no derivative": (Integral(p(CUBIC), (x, a, b)), Integral(p(y), (y, a + a**3, b + b**3)),
                      (p, CUBIC, (x, a, b))),
    "the old ends": (Integral(p(CUBIC) * (1 + 3 * x**2), (x, a, b)), Integral(p(y), (y, a, b)),
                     (p, CUBIC, (x, a, b))),
    "the ends of a decreasing one": (Integral(f(exp(-x)) * exp(-x), (x, a, b)),
                                     Integral(f(y), (y, exp(-a), exp(-b))), (f, exp(-x), (x, a, b))),
    "another function": (Integral(f(CUBIC) * (1 + 3 * x**2), (x, a, b)),
                         Integral(p(y), (y, a + a**3, b + b**3)), (f, CUBIC, (x, a, b))),
    "an unknown inner function": (Integral(f(p(x)) * sp.Derivative(p(x), x), (x, a, b)),
                                  Integral(f(y), (y, p(a), p(b))), (f, p(x), (x, a, b))),
    "another rule": (Integral(f(CUBIC) * (1 + 3 * x**2), (x, a, b)), Integral(f(y), (y, a + a**3, b + b**3)),
                     (f, x + x**5, (x, a, b))),
}


@pytest.mark.parametrize(("left", "right", "rule"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_substitution_proves_nothing(left, right, rule):
    assert decide(left, right, by=(substitution(*rule),)).status in ("refuted", "undecided")


def test_a_bound_shows_no_equation():
    by = (bounds.square(x),)
    assert decide(x**2, 0, ">=", by=by).status == "proved"
    assert decide(x**2 + 1 - 1, x * x, by=by).status != "proved"


def test_the_order_of_the_ends():
    size = sp.Abs(x)
    assert decide(Integral(f(x), (x, a, b)), -Integral(f(x), (x, b, a))).status == "proved"
    assert decide(Integral(f(x), (x, a, b)), Integral(f(x), (x, b, a))).status == "refuted"
    assert decide(Integral(f(size), (x, 0, -1)), Integral(f(x), (x, 0, -1))).status != "proved"
