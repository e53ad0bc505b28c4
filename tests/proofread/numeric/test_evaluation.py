"""The numerical opinion: right to its digits, or silent."""

import pytest
import sympy as sp
from mpmath import mp
from sympy import (
    Derivative,
    Integral,
    KroneckerDelta,
    Limit,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Subs,
    Sum,
    exp,
    log,
    oo,
)

from proofread import KL, E, Law, Var
from proofread.errors import CannotEvaluate
from proofread.language import sympy as typed
from proofread.language.binders import Unless
from proofread.language.sympy import Bracket, MaxOver
from proofread.language.typed import unfold
from proofread.numeric.arrays import values
from proofread.numeric.environment import Point
from proofread.numeric.evaluation import DIGITS, evaluate, quick, same
from proofread.numeric.multiprecision import NUMBERS, value_at

x, y, t = sp.symbols("x y t", real=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z = sp.IndexedBase("z", real=True)


def entries(*values):
    return {(z, (position,)): value for position, value in enumerate(values, 1)} | {n: len(values)}


def close(value, expected, digits=DIGITS):
    with mp.workdps(60):
        return same(value, mp.mpmathify(expected), digits)


@pytest.mark.parametrize(("expr", "point", "expected"), [
    (log(1 + exp(-x)), {x: 300}, lambda: mp.log1p(mp.exp(-300))),
    ((1 + exp(-exp(x))) - 1, {x: 5}, lambda: mp.exp(-mp.exp(5))),
    (exp(exp(x)) * exp(-exp(x)), {x: 20}, lambda: 1),
    (exp(-exp(exp(x))), {x: 5000}, lambda: 0),
    (sp.polygamma(0, x), {x: 1}, lambda: -mp.euler),
    (Derivative(sp.loggamma(x), x), {x: 2}, lambda: 1 - mp.euler),
    (Derivative(x**3, (x, 2)), {x: 2}, lambda: 12),
    (Subs(Derivative(x**3, x), x, y), {y: 2}, lambda: 12),
    (Sum(Rational(1, 2) ** k, (k, 1, oo)), {}, lambda: 1),
    (Product(k, (k, 1, n)), {n: 5}, lambda: 120),
    (Sum(k, (k, 1, n)), {n: 0}, lambda: 0),
    (Sum(Sum(k * j, (j, 1, k)), (k, 1, 3)), {}, lambda: 25),
    (Sum(k * j, (j, 1, k), (k, 1, 3)), {}, lambda: 25),
    (Max(x, y) - Min(x, y), {x: 1, y: 3}, lambda: 2),
    (KroneckerDelta(i, j), {i: 2, j: 2}, lambda: 1),
    (Piecewise((1, x > 0), (2, True)), {x: -1}, lambda: 2),
    (Limit((1 + x / t) ** t, t, oo), {x: 1}, lambda: mp.e),
    (Limit(t * log(exp(x / t) + exp(y / t)), t, 0, "+"), {x: 1, y: 2}, lambda: 2),
    (Limit(exp(1 / t), t, 0, "-"), {}, lambda: 0),
    (Limit(sp.sin(t) / t, t, 0, "+-"), {}, lambda: 1),
    (Integral(exp(-x**2), (x, -oo, oo)), {}, lambda: mp.sqrt(mp.pi)),
    (Integral(x * exp(-x**2), (x, -oo, oo)), {}, lambda: 0),
    (sp.Float("0.1", 40), {}, lambda: mp.mpf("0.1")),
])
def test_values(expr, point, expected):
    with mp.workdps(60):
        expected = expected()
    assert close(evaluate(expr, point), expected)


def normal(place, deviation):
    return exp(-((place / deviation) ** 2) / 2) / (deviation * sp.sqrt(2 * sp.pi))


@pytest.mark.parametrize(("integrand", "mass"), [
    (normal(x - t, Rational(1, 100)), 1),
    (normal(x - t * y, Rational(1, 10**6)), 1),
    (normal(x - 10**9, 1), 1),
    (normal(x, 1) + normal(x - t * y, Rational(1, 10**6)), 2),
    (Sum(normal(x - z[i], Rational(1, 10**6)), (i, 1, n)), 3),
    (1 / (1 + (10**6 * (x - t * y)) ** 2) * 10**6 / sp.pi, 1),
])
def test_an_integral_with_narrow_peaks(integrand, mass):
    point = entries(-1, 0.3, 2) | {t: 3, y: Rational(1, 7)}
    assert close(evaluate(Integral(integrand, (x, -oo, oo)), point), mass)
    assert close(evaluate(Integral(integrand, (x, oo, -oo)), point), -mass)


@pytest.mark.parametrize(("integrand", "expected"), [
    # an index of a sum that also stands for a number outside of it
    (i * Sum(z[i] * x**i, (i, 1, n)), lambda: 2 * (mp.mpf(1) / 2 + mp.mpf(5) / 3)),
    (Sum(Sum(x**k, (k, 1, i)), (i, 1, n)), lambda: 1 + mp.mpf(1) / 3),
    (Sum(x * i * Sum(Rational(1, 2) ** k, (k, 1, oo)), (i, 1, n)), lambda: mp.mpf(3) / 2),
    (Sum(i * Sum((x / 2) ** k, (k, 1, oo)), (i, 1, n)), lambda: 3 * (2 * mp.log(2) - 1)),
    (Product(Unless(x + z[j], 1, j, i), (j, 1, n)), lambda: mp.mpf(3) / 2),
    (Sum(x, (k, 1, 0)) + 1, lambda: 1),
])
def test_what_stays_the_same_under_an_integral_is_computed_once(integrand, expected):
    with mp.workdps(60):
        expected = expected()
    assert close(evaluate(Integral(integrand, (x, 0, 1)), entries(1, 5) | {i: 2}), expected)


def test_a_kink_is_found_at_a_symbol():
    assert close(evaluate(Integral(sp.Abs(x - t), (x, 0, 1)), {t: Rational(1, 3)}), Rational(5, 18))
    assert close(evaluate(Integral(Max(x, t), (x, 0, 1)), {t: Rational(1, 3)}), Rational(5, 9))


def test_a_small_integral_is_no_zero():
    with mp.workdps(60):
        assert close(evaluate(Integral(exp(-x), (x, t, oo)), {t: 100}), mp.exp(-100))


def test_a_value_in_moderate_precision_may_be_an_integral():
    assert abs(quick(Integral(exp(-(x**2)), (x, -oo, oo)), {}) - mp.sqrt(mp.pi)) < 1e-12
    assert abs(quick(Integral(1 / sp.sqrt(x), (x, 0, 1)), {}) - 2) < 1e-12


def test_the_logarithm_of_a_density_survives_where_the_density_vanishes():
    gumbel = exp(-x - exp(-x))
    assert close(evaluate(log(gumbel), {x: -100}), 100 - mp.exp(100), digits=15)
    assert close(evaluate(log(x * y), {x: -1, y: -2}), mp.log(2), digits=15)


def test_entries_of_vectors():
    assert evaluate(Sum(z[i] ** 2, (i, 1, n)), entries(1, 2, 3)) == 14
    assert evaluate(MaxOver(z[i], (i, 1, n)), entries(1, 5, 3)) == 5
    assert evaluate(Derivative(Sum(z[i] ** 2, (i, 1, n)), z[j]), entries(1, 2, 3) | {j: 2}) == 4


def test_expectation_variance_and_divergence_mean_what_they_say():
    p, q = [Rational(1, 2), Rational(1, 4), Rational(1, 4)], [Rational(1, 3)] * 3
    table = sp.Piecewise((p[0], sp.Eq(k, 1)), (p[1], True))
    law, uniform = Law("p", k, table, 1, 3), Law("u", j, q[0], 1, 3)
    mean = sum(value * mass for value, mass in zip((1, 2, 3), p))
    assert close(evaluate(E(k, law), {}), mean)
    assert close(evaluate(Var(k, law), {}), sum((value - mean) ** 2 * mass for value,
                                                mass in zip((1, 2, 3), p)))
    with mp.workdps(50):
        expected = sum(mp.mpf(a.p) / a.q * mp.log(mp.mpf(a.p) / a.q * 3) for a in p)
    assert close(evaluate(KL(law, uniform), {}), expected)


@pytest.mark.parametrize(("expr", "point"), [
    (sp.gamma(x), {x: 0}),
    (1 / x, {x: 0}),
    (x * log(x), {x: 0}),
    (Max(x, log(y)), {x: 0, y: -1}),
    (sp.Function("f")(x), {x: 0}),
    (sp.MatrixSymbol("A", 2, 2)[0, 0], {}),
    (z[k], entries(1, 2) | {k: 5}),
    (Integral(sp.sin(x) / x, (x, 0, oo)), {}),
    (Integral(x, x), {x: 1}),
    (Product(Rational(1, 2), (k, 1, oo)), {}),
    (Limit(1 / log(t), t, oo), {}),
    (Limit(sp.Abs(t) / t, t, 0, "+-"), {}),
    (Sum(k, (k, 1, x)), {x: Rational(1, 2)}),
    (Piecewise((1, x > 0)), {x: -1}),
])
def test_what_has_no_trustworthy_value_is_said_to_have_none(expr, point):
    with pytest.raises(CannotEvaluate):
        evaluate(expr, point)


def test_infinities_agree_only_with_themselves():
    assert same(mp.inf, mp.inf)
    assert not same(mp.inf, -mp.inf)
    assert not same(mp.inf, mp.mpf(10) ** 100)


def test_tiny_values_are_told_apart():
    assert not same(mp.mpf(10) ** -100, 2 * mp.mpf(10) ** -100)
    assert not same(mp.mpf(10) ** -100, mp.mpf(0))
    assert same(mp.mpf(0), mp.mpf(0))


def test_a_zero_left_by_cancellation_is_a_zero():
    assert evaluate(sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1, {x: 1}) == 0


@pytest.mark.parametrize("expr", [
    Integral(function, limits) for function, limits in [
        (sp.Integer(1), (x, 0, oo)), (x, (x, 0, oo)), (1 / x, (x, 0, 1)), (1 / x**2, (x, 0, 1)),
        (exp(x), (x, 0, oo)),
        (1 / sp.sqrt(x), (x, 1, oo)), (1 / (x - Rational(1, 3)) ** 2, (x, -1, 1)),
    ]
] + [pytest.param(Integral(sp.sin(x) ** 2, (x, -oo, oo)), marks=pytest.mark.slow)])
def test_an_integral_that_diverges_has_no_value(expr):
    with pytest.raises(CannotEvaluate):
        evaluate(expr, {})


@pytest.mark.parametrize(("expr", "expected"), [
    (Integral(exp(-x**2), (x, oo, -oo)), lambda: -mp.sqrt(mp.pi)),
    (Integral(exp(-x), (x, oo, 0)), lambda: -1),
    (Integral(exp(x), (x, 0, -oo)), lambda: -1),
    (Bracket(exp(-x), (x, 0, oo)), lambda: -1),
    (Bracket(sp.atan(1 / x), (x, -1, 1)), lambda: mp.pi / 2),
    (Bracket(x**2 * t, (x, 1, 3)), lambda: 16),
])
def test_ends_keep_their_order(expr, expected):
    with mp.workdps(60):
        expected = expected()
    assert close(evaluate(expr, {t: 2}), expected)


# -- formulas as they are typed -------------------------------------------------------------------------


def test_a_typed_formula_has_the_value_of_the_plain_one():
    u, v = typed.symbols("u v", real=True)
    plain_u, plain_v = sp.symbols("u v", real=True)
    for formula in (typed.exp(u) * typed.exp(-u), (u + v) ** 2 / v - u, typed.Max(u, v),
                    typed.Derivative(u**3, u),
                    typed.Integral(typed.exp(-u * v), (u, 0, 1)), abs(u - v)):
        with mp.workdps(40):
            assert close(evaluate(formula, {plain_u: 2, plain_v: 3}),
                         evaluate(typed.unfold(formula), {plain_u: 2, plain_v: 3}))
    assert quick(u + v, {plain_u: 2, plain_v: 3}) == 5
    assert quick(1 / (u - u + 0 * v), {plain_u: 2, plain_v: 3}) is None


def test_a_formula_for_a_figure():
    u, v = typed.symbols("u v", real=True)
    assert values(u**2 + v, u, v=1)([0.0, 2.0]).tolist() == [1.0, 5.0]
    assert values(u**2, u)([3.0]).tolist() == [9.0]
    with pytest.raises(ValueError, match="needs a value for v"):
        values(u + v, u)
    with pytest.raises(CannotEvaluate):
        values(1 / u, u)([0.0])


# -- what is kept ------------------------------------------------------------------------------------------


def test_a_value_is_kept_with_the_index_that_runs():
    """The same node under two indices, each of which stands still while the other one runs."""
    node = (i * 10 + j) ** 2
    both = Sum(node, (i, 1, 3)) - Sum(node, (j, 1, 3))
    assert evaluate(both, {i: 1, j: 2}) == 12**2 + 22**2 + 32**2 - 11**2 - 12**2 - 13**2


def test_a_slope_is_kept_with_the_entry_by_which_it_is_taken():
    squares = Sum(z[k] ** 2, (k, 1, n))
    total = Sum(Derivative(squares, z[j]), (j, 1, n))
    assert close(evaluate(total, entries(3, 5, 11)), 38)
    assert close(value_at(total, Point(entries(3, 5, 11))), 38, 12)


def test_what_moves_is_where_it_was_afterwards():
    point = Point({x: 2, **entries(1, 4)})
    for expr in (Integral(x**2, (x, 0, 3)), Subs(x**2, x, 3), Derivative(x**3, x), Sum(k * x, (k, 1, 3)),
                 Limit(1 / x, x, oo), Bracket(x**2, (x, 0, 3))):
        evaluate(unfold(expr) + x, point)
        with pytest.raises(CannotEvaluate):
            evaluate(Integral(log(x - 1) + y, (x, 0, 3)), point)  # fails inside, where x has moved
        assert evaluate(x, Point(point)) == evaluate(x, point) == 2
        assert k not in point.environment(NUMBERS.number)
