"""Absolute values, maxima of two numbers, indicators: what the rules show, and that values stay the same."""

import random

import pytest
import sympy as sp
from mpmath import mp
from sympy import Abs, Heaviside, Max, Min, Ne, Piecewise, Sum, exp
from verdict import is_shown

from proofread.any_size import proves
from proofread.any_size.context import Above, Case
from proofread.any_size.normal_form import normal
from proofread.any_size.rational_functions import canonical
from proofread.errors import CannotEvaluate, NoRule
from proofread.numeric.evaluation import evaluate

j, k, l, n = sp.symbols("j k l n", integer=True, positive=True)  # noqa: E741
z, x = (sp.IndexedBase(name, real=True) for name in "zx")
p, q, w = (sp.IndexedBase(name, positive=True) for name in "pqw")
c = sp.Symbol("c", real=True)
anything = sp.IndexedBase("f")
every = k, 1, n
normalised = [sp.Eq(Sum(p[k], every), 1), sp.Eq(Sum(q[k], every), 1)]
apart = Sum(Abs(p[k] - q[k]), every) / 2


def above(value, condition):
    return Piecewise((value, condition), (0, True))


TRUE = {
    "what both have": (Sum(Min(p[k], q[k]), every), 1 - apart, normalised),
    "what one has more": (Sum(Max(p[k] - q[k], 0), every), apart, normalised),
    "a positive factor": (Max(w[k] * z[k], 0), w[k] * Max(z[k], 0)),
    "both signs": (Max(z[k], 0) - Max(-z[k], 0), z[k]),
    "pairs": (Sum(Abs(z[k] - z[l]), every, (l, 1, n)), 2 * Sum(Max(z[k] - z[l], 0), every, (l, 1, n))),
    "the larger and the smaller": (Max(z[k], x[k]) + Min(z[k], x[k]), z[k] + x[k]),
    "another index": (Sum(above(z[k], Ne(k, j)), every), Sum(z[k], every) - z[j]),
    "an indicator comes out": (Sum(above(w[k], z[j] > c), every), above(1, z[j] > c) * Sum(w[k], every)),
    "an indicator is its square": (Sum(above(w[k], z[k] > c)**2, every),
                                   Sum(above(w[k]**2, z[k] > c), every)),
    "above and not above": (above(x[k], z[k] > c) + above(x[k], z[k] <= c), x[k]),
    "a step and its mirror": (Heaviside(z[k]) + Heaviside(-z[k]), 1),
    "a function of pieces": (exp(above(x[k], z[k] > c)), Piecewise((exp(x[k]), z[k] > c), (1, True))),
    "a ramp": (above(z[k], z[k] > 0), Max(z[k], 0)),
    "a ramp that begins elsewhere": (above(z[k] - c, z[k] >= c), Max(z[k] - c, 0)),
    "the square of a size": (Sum(Abs(z[k])**2, every), Sum(z[k]**2, every)),
    "its third power": (Sum(Abs(z[k])**3, every), Sum(z[k]**2 * Abs(z[k]), every)),
    "sizes of products": (Sum(Abs(z[k] * x[k]), every), Sum(Abs(z[k]) * Abs(x[k]), every)),
    "a size below": (Sum(1 / Abs(w[k] - c), every), Sum(Abs(w[k] - c) / (w[k] - c)**2, every)),
    "a size in a sum below": (Sum(1 / (1 + Abs(z[k])), every), Sum((1 - Abs(z[k])) / (1 - z[k]**2), every)),
    "the larger times the smaller": (Sum(Max(z[k], x[k]) * Min(z[k], x[k]), every), Sum(z[k] * x[k], every)),
    "the larger and the smaller, summed": (Sum(Max(z[k], c) + Min(z[k], c), every), Sum(z[k], every) + n * c),
    "both parts squared": (Sum(Max(z[k], 0)**2 + Max(-z[k], 0)**2, every), Sum(z[k]**2, every)),
    "a size in a size": (Sum(Abs(Abs(z[k]) - 1)**2, every), Sum(z[k]**2 + 1 - 2 * Abs(z[k]), every)),
    "pairs squared": (Sum(Abs(z[k] - z[l])**2, every, (l, 1, n)),
                      2 * n * Sum(z[k]**2, every) - 2 * Sum(z[k], every)**2),
    "slope of an absolute value": (sp.Derivative(Abs(c), c), sp.sign(c)),
}
FALSE = {
    "twice": (Sum(Min(p[k], q[k]), every), 1 - 2 * apart, normalised),
    "not normalised": (Sum(Min(p[k], q[k]), every), 1 - apart),
    "a factor of both signs": (Max(x[k] * z[k], 0), x[k] * Max(z[k], 0)),
    "the other one": (Max(z[k], x[k]), Min(z[k], x[k])),
    "the place that is left": (above(x[k], z[k] > c) + above(x[k], z[k] < c), x[k]),
    "a ramp with a jump": (above(z[k] - c, z[k] > 0), Max(z[k] - c, 0)),
    "another threshold": (above(x[k], z[k] > c), above(x[k], z[k] > 0)),
    "a step at zero": (Heaviside(z[k]), above(1, z[k] > 0)),
    "the third power of a size": (Sum(Abs(z[k])**3, every), Sum(z[k]**3, every)),
    "sizes of two entries": (Sum(Abs(z[k]) * Abs(z[l]), every, (l, 1, n)), Sum(z[k]**2, every)),
    "the size of a sum": (Sum(Abs(z[k] + x[k]), every), Sum(Abs(z[k]) + Abs(x[k]), every)),
    "a size that is complex": (Sum(Abs(anything[k])**2, every), Sum(anything[k]**2, every)),
    "the difference of both parts": (Sum(Max(z[k], 0)**2 - Max(-z[k], 0)**2, every), Sum(z[k]**2, every)),
    "no index": (above(x[k], Ne(z[k], c)), x[k]),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name):
    assert proves(TRUE[name][0], TRUE[name][1], "=", *TRUE[name][2:])


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    assert not is_shown(*FALSE[name])


def _leaf(rng, index):
    return rng.choice([z[index], x[index], w[index], c, sp.Integer(rng.randint(-2, 2)), z[index] - x[index],
                       w[index] * z[index], w[index] - p[index], w[index] * p[index]])


def _random(rng, depth, index):
    if depth == 0:
        return _leaf(rng, index)
    a, b, d = (_random(rng, depth - 1, index) for _ in range(3))
    gap = _leaf(rng, index) - _leaf(rng, index)
    return rng.choice([
        lambda: a + b, lambda: a * b, lambda: a - b, lambda: Abs(a), lambda: Max(a, b), lambda: Min(a, b),
        lambda: Heaviside(gap), lambda: sp.sign(gap), lambda: Piecewise((a, gap > 0), (b, True)),
        lambda: Piecewise((a, gap >= 0), (gap * b, True)), lambda: Piecewise((a * gap, gap > 0), (d, True)),
        lambda: Piecewise((a, sp.Eq(index, j)), (b, True)), lambda: a**2, lambda: a / w[index]])()


def _drawn(rng):
    """Small whole numbers, so that many are equal and many are 0."""
    values = {(base, (i,)): rng.randint(-2, 2) for base in (z, x) for i in range(1, 4)}
    return values | {(base, (i,)): rng.randint(1, 2) for base in (w, p) for i in range(1, 4)}


@pytest.mark.parametrize("rounds", [30, pytest.param(100, marks=pytest.mark.slow)])
def test_values_stay_the_same(rounds):
    rng, compared = random.Random(7), 0
    for _ in range(rounds):
        expr = _random(rng, 2, k)
        if rng.random() < 0.4:
            expr = Sum(expr, every)
        case = Case({j, k}, {j: {n}, k: {n}}, [n])
        try:
            form = case.back(canonical(normal(expr, case), case))
        except NoRule:
            continue
        form = form.replace(Above, lambda a: Piecewise((1, a > 0), (0, True)))
        for _ in range(6):
            point = _drawn(rng) | {c: rng.randint(-2, 2), n: 3, j: 1, k: rng.choice([2, 3])}
            try:
                values = [evaluate(e, point) for e in (expr, form)]
            except CannotEvaluate:
                continue
            compared += 1
            assert mp.almosteq(*values, abs_eps=1e-25), (expr, form, point)
    assert compared > 2 * rounds
