"""Of plain expressions: what is not positive, or not smooth, somewhere is never said to be."""

import random

import pytest
import sympy as sp
from mpmath import mp

from proofread.language.intervals import Inside, Regions, is_continuous_at, is_positive
from proofread.settings import fresh

x, y = sp.symbols("x y", real=True)
s, a = sp.symbols("s a", positive=True)
CHUNKS, COUNT, PLACES = 3, 60, 12

#: conditions, and between which numbers they confine x and s; an end that belongs to its range has True
GIVEN = [
    ([], (-6, False), (6, False), 6), ([x > 0], (0, False), (6, False), 6),
    ([x >= 1], (1, True), (6, False), 6),
    ([x > -1, x < 1], (-1, False), (1, False), 6), ([x >= 0, x <= 1], (0, True), (1, True), 6),
    ([x < 2], (-6, False), (2, False), 6), ([s < 1], (-6, False), (6, False), 1),
    ([s < 1, x > 1, x < 2], (1, False), (2, False), 1),
]


def formula(rng, depth):
    """A random expression in x and s."""
    if depth <= 0:
        return rng.choice([x, x, s, sp.Rational(rng.randint(-4, 4), rng.randint(1, 3))])
    part, other = formula(rng, depth - 1), formula(rng, depth - 2)
    return rng.choice([
        lambda: part + other, lambda: part - other, lambda: part * other, lambda: part**2,
        lambda: sp.exp(part) - other, lambda: sp.log(1 + s) + part, lambda: 1 - part,
        lambda: part / (1 + other**2),
        lambda: sp.log(x + 3) - part, lambda: rng.randint(1, 4) - sp.exp(part), lambda: sp.sqrt(s) * part,
        lambda: part / s, lambda: x**a * other if rng.random() < 0.2 else part, lambda: sp.Abs(part) + other,
        lambda: sp.tanh(part) + 1, lambda: sp.atan(part) + 2, lambda: (part + other) / (x + 2),
    ])()


def value(expr, point):
    """The real value of an expression, or None."""
    number = sp.N(expr.subs(point), 20)
    return mp.mpf(number) if number.is_real and number.is_finite else None


def places(rng, low, high, top):
    """Points between the ends, these too where they belong to the range; one exponent is any."""
    (low, has_low), (high, has_high) = low, high
    numbers = [sp.Rational(rng.randint(1, 999), 1000) * (high - low) + low for _ in range(PLACES)]
    numbers += [sp.Integer(end) for end, has in ((low, has_low), (high, has_high)) if has]
    numbers += [n for n in (sp.S.Zero, sp.S.One, -sp.S.One) if low < n < high]
    return [{x: number, s: sp.Rational(rng.randint(1, 999), 1000) * top, a: sp.Rational(rng.randint(1, 9), 3)}
            for number in numbers]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_that_numbers_contradict_is_positive(chunk):
    rng, told = random.Random(chunk + fresh()), 0
    for _ in range(COUNT):
        expr, (given, low, high, top) = formula(rng, 3), rng.choice(GIVEN)
        if not is_positive(expr, given):
            continue
        told += not expr.is_positive  # else SymPy alone has said it
        for point in places(rng, low, high, top):
            number = value(expr, point)
            assert number is None or number > 0, (expr, given, point, number)
    assert told


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_between_two_ends_is_positive_where_it_is_not(chunk):
    rng, told = random.Random(chunk + fresh()), 0
    for _ in range(COUNT):
        low, high = sorted(rng.sample(range(-3, 4), 2))
        inside, expr = Inside(x, low, high), formula(rng, 3)
        for sign in (1, -1):
            if inside.is_positive(sign * expr):
                told += 1
                for point in places(rng, (low, False), (high, False), 6):
                    number = value(sign * expr, point)
                    assert number is None or number > 0, (sign * expr, low, high, point)
    assert told


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_in_a_region_is_positive_where_it_is_not(chunk):
    """Where y lies between x and an end."""
    rng, told = random.Random(chunk + fresh()), 0
    regions = [[(x, 0, 1), (y, x, 1)], [(x, 0, sp.oo), (y, x, sp.oo)], [(x, -1, 1), (y, -1, x)]]
    for _ in range(COUNT // 4):
        limits = rng.choice(regions)
        more = rng.choice([y, -y, y - x, x * y, y**2 - x, 0])
        expr = formula(rng, 2).subs(s, rng.choice([1, 2])) + more
        region = Regions(limits)
        if not region.is_positive(expr):
            continue
        told += 1
        for _ in range(PLACES):
            point = {}
            for symbol, low, high in limits:
                low, high = (sp.sympify(end).subs(point) for end in (low, high))
                share = sp.Rational(rng.randint(1, 99), 100)
                point[symbol] = low + share * (high - low) if high.is_finite else low + share / (1 - share)
            number = value(expr.subs(a, 2), point)
            assert number is None or number > 0, (expr, limits, point)
    assert told


#: of a number that is 0 somewhere inside
BROKEN = {
    "a pole": lambda u: 1 / u, "a double pole": lambda u: u**-2, "a logarithm": lambda u: sp.log(u**2),
    "an absolute value": sp.Abs, "a sign": sp.sign, "a step": sp.Heaviside, "a root": lambda u: sp.sqrt(u**2),
    "a cube root": lambda u: sp.Abs(u) ** sp.Rational(1, 3), "a floor": sp.floor,
    "waves": lambda u: sp.tan(1 / u),
    "pieces": lambda u: sp.Piecewise((u, u < 0), (2 * u, True)), "a maximum": lambda u: sp.Max(u, 0),
    "a power": lambda u: sp.Abs(u) ** a, "no real number": lambda u: sp.log(u),
}
AROUND = [lambda v: v, sp.sin, sp.atan, lambda v: 3 * v + x, lambda v: 1 / (2 + sp.tanh(v))]


@pytest.mark.parametrize("kind", BROKEN)
def test_nothing_with_a_kink_or_a_pole_inside_is_smooth(kind):
    for u in (x, x - 1, 2 * x - 1, x**2 - 2, sp.exp(x) - 2, sp.sin(x)):
        for around in AROUND:
            expr = around(BROKEN[kind](u))
            assert not Inside(x, -4, 4).is_smooth(expr), expr
    for u in (x, x - 1, sp.sin(x)):  # what a region adds is how the variables are written
        expr = y + BROKEN[kind](u)
        assert not Regions([(x, -4, 4), (y, 0, x + 4)]).is_smooth(expr), expr


@pytest.mark.parametrize("kind", ["a pole", "a double pole", "a logarithm", "a sign", "a step", "a floor",
                                  "waves", "no real number"])
def test_nothing_with_a_jump_or_a_pole_is_continuous(kind):
    for u in (x - 1, x**2 - 1, sp.log(x)):
        for around in AROUND:
            assert not is_continuous_at(around(BROKEN[kind](u)), x, sp.S.One)


def test_what_is_positive_is_seen():
    t = sp.Symbol("t", real=True)
    assert is_positive(sp.exp(t) - 1, [t > 0])
    assert is_positive(2 - sp.log(s), [s < 7])
    assert is_positive(3 - 2 * sp.exp(t), [t <= 0])
    assert is_positive(t - s, [t > s])
    assert is_positive(2 * t - 2 * s + 1, [t >= s])
    assert is_positive(sp.log(t) - 1, [t > 3])


def test_what_is_not_positive_at_an_end_is_not():
    t = sp.Symbol("t", real=True)
    assert not is_positive(sp.exp(t) - 1, [t >= 0])
    assert not is_positive(2 - sp.log(s), [s < 8])
    assert not is_positive(3 - 3 * sp.exp(t), [t <= 0])
    assert not is_positive(t - s, [t >= s])
    assert not is_positive(2 - sp.log(t), [t < 7])  # there is none for a negative t
    assert not is_positive(sp.exp(t) - sp.log(2), [t > sp.log(sp.log(2)) - 1])
