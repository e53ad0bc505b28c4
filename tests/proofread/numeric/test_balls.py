"""Values with a proved error bound: never wrong, whatever an integrand does."""

import os
import random
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp, mpf

from proofread import budget
from proofread.budget import TooLong, within
from proofread.errors import CannotEvaluate
from proofread.numeric import balls
from proofread.numeric.balls import Proved, enclosed
from proofread.numeric.evaluation import evaluate
from proofread.settings import fresh

pytest.importorskip("flint")

x, m = sp.symbols("x mu", real=True)
s = sp.Symbol("sigma", positive=True)
i, j, k, n = sp.symbols("i j k n", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
oo, pi, exp, log, sqrt = sp.oo, sp.pi, sp.exp, sp.log, sp.sqrt
POINT = {m: Fraction(777, 512), s: Fraction(5, 8), n: 4, j: 2, k: 3,
         **{(z, (place,)): Fraction(place**2 - 5, 8) for place in range(6)}}
DIGITS = 30
COUNT, CHUNKS = int(os.environ.get("PROOFREAD_ROUND_TRIPS", "40")), 2  # the weekly run asks for more

normal = exp(-((x - m) ** 2) / (2 * s**2)) / (s * sqrt(2 * pi))
gumbel = exp(-x + m - exp(-x + m))
logistic = exp(-x) / (1 + exp(-x)) ** 2
softmax = exp(z[k]) / sp.Sum(exp(z[i]), (i, 1, n))


def line(function, low=-oo, high=oo):
    return sp.Integral(function, (x, low, high))


def true_value(expr):
    """A closed form at the point, by SymPy's own evaluation."""
    numbers = {symbol: sp.Rational(value.numerator, value.denominator)
               for symbol, value in POINT.items() if symbol in (m, s)}
    return mpf(sp.N(sp.sympify(expr).subs(numbers), 80)._to_mpmath(280))


CLOSED = {
    "a polynomial": (line(x**3 * (1 - x) ** 2, 0, 1), sp.Rational(1, 60)),
    "an absolute value": (line(abs(x), -1, 2), sp.Rational(5, 2)),
    "a kink off the middle": (line(abs(x - pi / 10), 0, 1), ((1 - pi / 10) ** 2 + (pi / 10) ** 2) / 2),
    "a root off its branch cut": (line(sqrt(x), 1, 4), sp.Rational(14, 3)),
    "a logarithm off its branch cut": (line(log(x), 1, 2), 2 * log(2) - 1),
    "a pole nearby": (line(1 / (x**2 + sp.Rational(1, 10**6)), -1, 1), 2000 * sp.atan(1000)),
    "a narrow peak": (line(1 / (1 + ((x - sqrt(2) / 2) * 10**8) ** 2), 0, 1),
                      (sp.atan(10**8 * (1 - sqrt(2) / 2)) + sp.atan(10**8 * sqrt(2) / 2)) / 10**8),
    "a wave": (line(sp.cos(1000 * x) * exp(x), 0, 1),
               (exp(1) * (sp.cos(1000) + 1000 * sp.sin(1000)) - 1) / (1 + 10**6)),
    "a normal density": (line(normal), 1),
    "a normal mean": (line(x * normal), m),
    "a normal variance": (line((x - m) ** 2 * normal), s**2),
    "a normal entropy": (line(-normal * log(normal)), log(2 * pi * s**2) / 2 + sp.Rational(1, 2)),
    "a Gumbel density": (line(gumbel), 1),
    "a Gumbel mean": (line(x * gumbel), m + sp.EulerGamma),
    "a logistic variance": (line(x**2 * logistic), pi**2 / 3),
    "an exponential moment": (line(x**3 * exp(-x), 0, oo), 6),
    "a small one": (line(exp(-x), 100, oo), exp(-100)),
    "a slow one": (line(exp(-x / 100), 0, oo), 100),
    "a wide density": (line(normal.subs(s, 100)), 1),
    "a singular end": (line(log(x) / sqrt(x), 0, 1), -4),
    "a beta density": (line(x ** (s - 1) * (1 - x) ** (s / 2), 0, 1), sp.beta(s, 1 + s / 2)),
    "a gamma density": (line(x ** (s - 1) * exp(-x), 0, oo), sp.gamma(s)),
    "a tail that is a power": (line((1 + x) ** (-1 - s), 0, oo), 1 / s),
    "two of them": (line(1 / (1 + x**2)), pi),
    "a logarithm at an end": (line(log(x) * exp(-x), 0, oo), -sp.EulerGamma),
    "a maximum": (line(sp.Max(x, m) * normal), m + s / sqrt(2 * pi)),
}


@pytest.mark.parametrize("name", CLOSED)
def test_integrals_with_a_closed_form(name):
    integral, closed = CLOSED[name]
    value = enclosed(integral, POINT, DIGITS)
    assert isinstance(value, Proved)
    with mp.workdps(80):
        true = true_value(closed)
        assert abs(value - true) <= abs(true) * mpf(10) ** -DIGITS


@pytest.mark.parametrize("integral", [
    line(1 / x, -1, 1), line(1 / (x - sp.Rational(1, 3)) ** 2, 0, 1),
    line(sqrt(x), -1, 1), line(log(x), -1, 2), line(x ** sp.Rational(1, 3), -1, 1),
    line(sp.tan(x), 0, 2), line(1, 0, oo), line(sp.sin(x), 0, oo), line(exp(x), 0, oo),
    line(1 / (1 + x), 0, oo), line(1 / x, 0, 1), line(1 / x, 1, oo), line(x ** (-1 - s), 0, 1),
    line(1 / (x * log(x) ** 2), 2, oo), line(1 / (x - 3) ** 2, 0, oo), line(1 / (x - 3), 0, oo),
    line(exp(-x), -oo, oo), line(exp(-abs(x)) / (x - 100) ** 2, -oo, oo), line(log(100 - x) * exp(-x), 0, oo),
    line(sp.floor(x), 0, 2), line(sp.Piecewise((1, x < 1), (2, True)), 0, 2),
], ids=str)
def test_what_diverges_is_not_real_or_not_known_has_no_ball(integral):
    assert enclosed(integral, POINT, DIGITS) is None


def test_a_branch_cut_that_arb_was_not_told_of_would_be_noticed(monkeypatch):
    """Without its flag Arb takes the integrand for analytic, and the value is wrong."""
    integral = line(sqrt(x), 1, 4)
    right = enclosed(integral, POINT, DIGITS)
    monkeypatch.setattr(balls, "_root", lambda value, analytic: value.sqrt())
    monkeypatch.setattr(balls, "_program", balls.Balls().program)
    careless = enclosed(integral, POINT, DIGITS)
    assert abs(careless - right) > mpf(10) ** -3


def test_what_is_added_far_out_is_not_left_out():
    far = exp(-((x - 300) ** 2))
    value = enclosed(line(exp(-(x**2)) + far), POINT, DIGITS)
    with mp.workdps(60):
        assert abs(value - 2 * mp.sqrt(mp.pi)) < mpf(10) ** -DIGITS


def test_a_zero_is_told_from_what_is_small():
    odd = x**3 * exp(-(x**2))
    assert enclosed(line(odd), POINT, DIGITS) == 0
    tiny = sp.Rational(1, 10**40)
    value = enclosed(line(odd + tiny * exp(-(x**2))), POINT, DIGITS)
    with mp.workdps(80):
        assert abs(value / (mp.sqrt(mp.pi) / mpf(10) ** 40) - 1) < mpf(10) ** -DIGITS


@pytest.mark.parametrize(("expr", "same"), [
    (sp.Derivative(softmax, z[j]), -softmax * softmax.subs(k, j)),
    (sp.Derivative(softmax, z[k]), softmax * (1 - softmax)),
    (sp.Derivative(sp.Sum(exp(z[i]), (i, 1, n)), z[j]), exp(z[j])),
    (sp.Derivative(exp(-(m**2)), (m, 3)), (12 * m - 8 * m**3) * exp(-(m**2))),
    (sp.Derivative(m**m, m), m**m * (1 + log(m))),
], ids=str)
def test_derivatives_of_power_series(expr, same):
    value, other = (enclosed(e, POINT, DIGITS) for e in (expr, same))
    assert isinstance(value, Proved) and abs(value - other) <= abs(other) * mpf(10) ** -DIGITS


@pytest.mark.parametrize("expr", [
    exp(exp(exp(exp(m)))) * 0 + exp(exp(exp(10 * m))), sp.sin(exp(exp(10 * m))), sp.gamma(exp(exp(9 * m))),
], ids=str)
def test_numbers_that_would_fill_the_memory_are_left_alone(expr):
    enclosed(expr, POINT, DIGITS)


def test_the_precision_of_others_is_restored():
    import flint

    before = flint.ctx.prec, flint.ctx.cap
    enclosed(line(normal), POINT, DIGITS)
    enclosed(line(1 / x, -1, 1), POINT, DIGITS)
    enclosed(sp.Derivative(exp(m), m), POINT, DIGITS)
    assert (flint.ctx.prec, flint.ctx.cap) == before


def test_without_the_library_values_are_the_same_and_nothing_is_proved(monkeypatch):
    with_balls = evaluate(line(x * normal), POINT)
    assert isinstance(with_balls, Proved)
    monkeypatch.setattr(balls, "flint", None)
    without = evaluate(line(x * normal), POINT)
    assert not isinstance(without, Proved)
    with mp.workdps(40):
        assert abs(with_balls - without) < mpf(10) ** -DIGITS


score = sp.Derivative(log(normal), m)


@pytest.mark.parametrize(("integral", "closed"), [
    (line(x**2 * sp.Derivative(normal, m)), 2 * m), (line(sp.Derivative(normal, x)), 0),
    (line(normal * score**2), 1 / s**2), (line(x * sp.Derivative(gumbel, (m, 2))), 0),
    (line(sp.Derivative(sqrt(x + m), m), 1, 4), sqrt(4 + m) - sqrt(1 + m)),
    (line(sp.Derivative(sqrt(x), x) * log(x), 1, 4), 2 * log(4) - 2),
], ids=str)
def test_derivatives_within_integrals(integral, closed):
    value = enclosed(integral, POINT, DIGITS)
    with mp.workdps(80):
        assert abs(value - true_value(closed)) <= mpf(10) ** -DIGITS * max(1, abs(value))


def test_the_slope_of_what_has_a_kink_or_a_cut_has_no_ball():
    for function in (abs(x), sqrt(x), log(x)):
        assert enclosed(line(sp.Derivative(function, x), -1, 2), POINT, DIGITS) is None


# -- against the estimate of mpmath ------------------------------------------------------------------------

PARTS = [x, x - m, s * x, x**2, abs(x - m), sp.Max(x, m), sp.Min(x, s), sp.sin(s * x), exp(-x), log(1 + x**2),
         log(1 + exp(x)), sqrt(1 + x**2), sp.tanh(x), sp.erf(x), 1 / (s + x**2), sp.atan(x),
         sp.loggamma(s + x**2), x**s, log(x), (1 - x) ** s, 1 / sqrt(x), sp.Derivative(exp(-s * x**2), x),
         sp.Derivative(log(s + x**2), s), sp.Derivative(exp(-((x - m) ** 2)), (m, 2)), sp.Derivative(x**s, s)]
WEIGHTS = [1, exp(-(x**2) / 2), exp(-s * abs(x)), exp(-x - exp(-x)), logistic, 1 / (1 + x**2) ** 2]
RANGES = [(0, 1), (m, m + s), (-1, 2), (0, oo), (-oo, oo), (s, oo), (-oo, m)]


def without_balls(expr, point, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(balls, "flint", None)
        return evaluate(expr, dict(point), DIGITS)


def assert_same(expr, point, monkeypatch):
    """Whether there is a proved value and an estimated one; then they agree.

    Not to all digits: of a slope with a long tail mpmath was right to 26 of the 30 that it estimates.
    """
    value = enclosed(expr, point, DIGITS)
    if value is None:
        return False
    try:
        other = without_balls(expr, point, monkeypatch)
    except CannotEvaluate:
        return False
    with mp.workdps(60):
        assert abs(value - other) <= mpf(10) ** (10 - DIGITS) * max(1, abs(other)), (expr, point)
    return True


def test_an_end_is_not_differentiated_with_the_integrand(monkeypatch):
    """Where places are counted from an end, a derivative by what the end is must not see it."""
    slope = sp.Derivative(log(s + x**2), s)
    assert assert_same(line(slope / (1 + x**2) ** 2, s, oo), POINT, monkeypatch)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_integrals(chunk, monkeypatch):
    rng, seen = random.Random(chunk + fresh()), 0
    for _ in range(COUNT // CHUNKS):
        function = rng.choice(WEIGHTS) * rng.choice(PARTS)
        function = function * rng.choice(PARTS) if rng.random() < 0.6 else function + rng.choice(PARTS)
        point = {s: Fraction(rng.randint(20, 200), 64), m: Fraction(rng.randint(-120, 120), 64)}
        seen += assert_same(line(function, *rng.choice(RANGES)), point, monkeypatch)
    assert seen >= COUNT // CHUNKS / 4


# --- what ends the work -------------------------------------------------------------------------------


# Python drops what is raised where it closes a generator, and says so.
in_generators = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def _ended(budgets):
    """How often a quadrature is ended by its steps; it ends in no other way."""
    ended = 0
    for most in budgets:
        try:
            within(lambda: enclosed(line(x**2 * normal), POINT, DIGITS), most)
        except TooLong:
            ended += 1
    return ended


@in_generators
def test_a_quadrature_is_ended_wherever_its_steps_are_used_up():
    budgets = range(1, 2000, 9)
    assert len(budgets) - 20 < _ended([*budgets, 10**6]) <= len(budgets)


@in_generators
def test_a_quadrature_begins_again_wherever_its_time_is_used_up(monkeypatch):
    monkeypatch.setattr(budget, "SHORTEST", 0)
    monkeypatch.setattr(budget, "FASTEST", 10**6)  # a timer of 0.1 to 2 ms: in the middle
    begun = budget.begun_again()
    _ended(range(100, 2000, 20))
    assert budget.begun_again() > begun
