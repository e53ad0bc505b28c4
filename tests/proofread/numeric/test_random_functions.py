"""Random smooth functions: their derivatives are exact, and what does not hold for every function is
refuted.
"""

import itertools
import random

import pytest
import sympy as sp
from mpmath import mp, mpf
from sympy import Derivative, Eq, Integral, Rational, S, oo

from proofread import decide
from proofread.errors import CannotEvaluate
from proofread.language.notation import Partial
from proofread.language.sympy import Bracket
from proofread.numeric.environment import Point
from proofread.numeric.multiprecision import NUMBERS, value_at
from proofread.numeric.random_functions import Smooth

x, y, a, b = sp.symbols("x y a b", real=True)
f, g, F = (sp.Function(name, real=True) for name in "fgF")
p = sp.Function("p", positive=True)
slope = f(x).diff(x)


def between(function, variable=x, low=0, high=1):
    return Integral(function, (variable, low, high))


def value(number, point=None):
    return mp.mpmathify(number)


@pytest.mark.parametrize("expr", [
    f(x**2), f(x).diff(x), F(x, y).diff(y, x), F(x, f(x)).diff(x), p(x + y) ** 2 / p(y), p(x) ** y,
    Derivative(x**2 * y, x) * f(y), between(f(x * y) * g(y)),
])
def test_what_is_kept_while_a_number_moves_is_what_a_new_point_gives(expr):
    functions = {h: Smooth(1 + (h is F), h is p, random.Random(1)) for h in (f, g, p, F)}
    point = Point({**functions, x: mpf(1) / 3, y: mpf(2) / 7})
    environment = point.environment(NUMBERS.number)
    for variable in (x, y):
        with environment.moving(variable) as move:
            for place in (mpf(1) / 5, -mpf(3) / 7, mpf(1) / 5):
                move(place)
                assert value_at(expr, environment) == value_at(expr, {**point, variable: place})
    assert value_at(expr, environment) == value_at(expr, dict(point))


def test_nothing_is_kept_for_a_place_without_a_value():
    """No two of them are equal, so none would be found again among ever more."""
    wave = Smooth(2, False, random.Random(1))
    assert mp.isnan(wave([mpf(1), mp.nan], [0, 0], value))
    assert not wave.known


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("arity", [1, 2, 3])
def test_every_mixed_derivative_is_exact(arity, positive):
    function = Smooth(arity, positive, random.Random(arity))
    place = [mpf(1) / 3, -mpf(2) / 7, mpf(5) / 11][:arity]
    for orders in itertools.product(range(5 if arity == 1 else 3), repeat=arity):
        with mp.workdps(60):
            expected = mp.diff(lambda *u: function(u, [0] * arity, value), tuple(place), orders)
            # mp.diff aims at 60 digits; a wrong derivative differs in the first ones
            assert abs(function(place, orders, value) - expected) < mpf(10) ** -10, orders


def test_a_positive_function_is_positive_and_a_real_one_takes_both_signs():
    for seed in range(20):
        bump, wave = Smooth(1, True, random.Random(seed)), Smooth(1, False, random.Random(seed))
        assert all(bump([mpf(u)], [0], value) > 0 for u in range(-9, 10))
        assert len({mp.sign(wave([mpf(u)], [0], value)) for u in range(-60, 61)}) == 2


def test_pins_are_met_and_leave_the_derivatives_exact():
    pins = [(S.Zero, S.One), (S(2), S(-3)), (Rational(1, 3), Rational(5, 7))]
    function = Smooth(1, False, random.Random(1), pins)
    with mp.workdps(60):
        for place, level in pins:
            assert abs(function([value(place)], [0], value) - value(level)) < mpf(10) ** -55
        for order in range(1, 6):  # beyond the degree of the correction too
            expected = mp.diff(lambda u: function([u], [0], value), mpf(7) / 5, order)
            assert abs(function([mpf(7) / 5], [order], value) - expected) < mpf(10) ** -9


@pytest.mark.parametrize(("arity", "positive"), [(2, False), (1, True)])
def test_only_a_real_function_of_one_variable_can_be_pinned(arity, positive):
    with pytest.raises(CannotEvaluate, match="only a real function of one variable"):
        Smooth(arity, positive, random.Random(0), [(S.Zero, S.One)])


# -- what holds for every function, and what does not -------------------------------------------------

parts = between(slope * g(x), low=a, high=b), between(f(x) * g(x).diff(x), low=a, high=b)


@pytest.mark.parametrize(("left", "right", "given"), [
    (parts[0] + parts[1], Bracket(f(x) * g(x), (x, a, b)), []),
    (Bracket(f(x) * g(x), (x, a, b)), S.Zero, [Eq(f(a), 0), Eq(f(b), 0)]),
    (Bracket(f(x) * g(x), (x, a, b)), S.Zero, [Eq(f(a), 0), Eq(g(b), 0)]),
    (between(x * f(x)), between(y * f(y), y), []),
    (x * between(f(y), y), between(x * f(y), y), []),
    (Derivative(f(x) * g(x), x, x),
     f(x).diff(x, 2) * g(x) + 2 * slope * g(x).diff(x) + f(x) * g(x).diff(x, 2), []),
    (Derivative(sp.Abs(f(x)), x), slope * sp.sign(f(x)), []),
    (Partial(f(x) * slope, f(x)), slope, []),
    (Partial(f(x) * slope, slope), f(x), []),
])
def test_what_holds_for_every_function_is_proved(left, right, given):
    assert decide(left, right, given=given).status == "proved"


@pytest.mark.parametrize(("left", "right", "given"), [
    (f(x), f(-x), []),
    (f(x), -f(-x), []),
    (f(x + y), f(x) + f(y), []),
    (f(x + 2 * sp.pi), f(x), []),
    (f(x).diff(x, 2), -f(x), []),
    (p(x).diff(x), -x * p(x), []),
    (p(x) * p(y), p(x + y), []),
    (F(x, y), F(y, x), []),
    (Derivative(F(x, y), x), Derivative(F(x, y), y), []),
    (Derivative(F(x, x), x), Partial(F(x, y), x).subs(y, x), []),
    (Derivative(f(g(x)), x), f(x).diff(x).subs(x, g(x)), []),
    (Derivative(sp.Abs(f(x)), x), slope, []),
    (Derivative(sp.Abs(f(x)), x), sp.Abs(slope), []),
    (Partial(f(x) * slope, f(x)), S.Zero, []),
    (slope, S.Zero, [Eq(f(x), 0)]),  # known at one place
    (f(b), S.Zero, [Eq(f(a), 0)]),
    (parts[0], parts[1], [Eq(f(a), 0), Eq(f(b), 0)]),
    (parts[0], -parts[1], []),
    (parts[0], -parts[1], [Eq(f(a), 0)]),
    (parts[0], -parts[1], [Eq(f(a), 0), Eq(f(a + 1), 0)]),
    (x * between(f(x)), between(x * f(x)), []),
])
def test_what_holds_for_some_functions_only_is_refuted(left, right, given):
    assert decide(left, right, given=given).status == "refuted"


@pytest.mark.parametrize(("left", "right"), [
    (f(x) ** 2, S.One), (slope, f(x)), (p(x), p(0)), (f(x), sp.Abs(slope)),
    (p(x).diff(x) ** 2, p(x) * p(x).diff(x, 2)),
])
def test_inequalities_that_some_functions_violate_are_refuted(left, right):
    assert {decide(left, right, "<=").status, decide(left, right, ">=").status} == {"refuted"}


def test_the_integral_of_a_positive_function_is_positive_if_the_ends_are_in_order():
    assert decide(between(p(x)), 0, ">=").status == "proved"
    assert decide(Integral(p(x), (x, 1, 0)), 0, ">=").status == "refuted"


def test_a_condition_that_no_function_here_meets_leaves_the_statement_undecided():
    assert decide(f(a) + p(a), p(a) + f(a), given=[Eq(p(a), 1)]).status == "undecided"


def test_a_function_that_is_not_declared_real_is_undecided():
    h = sp.Function("h")
    assert "not declared real" in decide(h(x) + 1, 1 + h(x)).how


# -- integrals whose ends or poles do not allow what the algebra allows -----------------------------------

@pytest.mark.parametrize(("integrand", "primitive"), [
    (-1 / (x - Rational(1, 3)) ** 2, 1 / (x - Rational(1, 3))), (-1 / (1 + x**2), sp.atan(1 / x)),
    (f(0) / x, f(0) * sp.log(sp.Abs(x))),
    (slope * sp.sign(x), f(x) * sp.sign(x)),
])
def test_a_primitive_that_jumps_or_has_a_pole_between_the_ends_proves_nothing(integrand, primitive):
    verdict = decide(between(integrand, low=-1), Bracket(primitive, (x, -1, 1)))
    assert verdict.status in ("undecided", "refuted")


@pytest.mark.parametrize("integrand", [
    f(x), 1 / (1 + x**2) + 0 * x, p(x) / (1 + x**2), sp.cos(x) + p(x), 1 + p(x),
])
def test_the_rule_for_the_whole_line_says_when_it_does_not_fit(integrand):
    integrand = integrand if integrand.has(f, p) else integrand * p(0)
    # what dies away slowly takes another rule, and has a value, which is not 1
    assert decide(Integral(integrand, (x, -oo, oo)), 1).status in ("undecided", "refuted")


def test_the_rule_for_the_whole_line_is_exact_for_bumps():
    whole = Integral(p(x), (x, -oo, oo))
    shifted = decide(Integral(p(x - a), (x, -oo, oo)), whole)
    assert shifted.status == "undecided"  # it agrees, and nothing proves it
    assert decide(Integral(p(x - a), (x, -oo, oo)), 2 * whole).status == "refuted"
    assert decide(Integral(x * p(x), (x, -oo, oo)), whole).status == "refuted"


# -- a trap of SymPy 1.14 -------------------------------------------------------------------------------

L = F(x, f(x), slope)
by_slope = Partial(L, slope)


def along(partial):
    """The total derivative of a partial one by the chain rule, each slot by a symbol of its own."""
    u, v, w = sp.symbols("u v w", real=True)
    general, at = partial(F(u, v, w), (u, v, w)), {u: x, v: f(x), w: slope}
    return sum(sp.Subs(Derivative(general, s), (u, v, w), (x, f(x), slope)) * sp.diff(at[s], x)
               for s in (u, v, w))


def test_trap_of_the_derivative_by_a_derivative():
    right = along(lambda general, slots: Derivative(general, slots[2]))
    assert decide(Derivative(by_slope, x), right).status == "proved"
    assert decide(Derivative(by_slope, x), L.diff(slope).diff(x)).status == "refuted"  # a term too many
    assert decide(Derivative(by_slope, x), right - slope).status == "refuted"
