"""Wrong versions: all the slips that matter are made, and equal versions are told from wrong ones."""

import pytest
import sympy as sp
from sympy import KroneckerDelta, Max, Min, Product, Rational, Sum, exp, log

from proofread import decide
from proofread.language.binders import MaxOver
from proofread.mutation.operators import MOST, MOST_COSTLY, chosen, mutants

x, y = sp.symbols("x y", real=True)
i, j, n = sp.symbols("i j n", integer=True)
z = sp.IndexedBase("z", real=True)


def made(expr):
    return [mutant for _, mutant in mutants(expr)]


@pytest.mark.parametrize(("expr", "slip"), [
    (x + y, x - y),
    (x + y, x),
    (x * y, x),
    (x * y, x / y),
    (x**2, x),
    (x**2, x**3),
    (log(x), x),
    (exp(x), exp(-x)),
    (1 + x, 2 + x),
    (Max(x, y), Min(x, y)),
    (x - 2 * y, y - 2 * x),
    (Sum(z[i], (i, 1, n)), Sum(z[i], (i, 2, n))),
    (Sum(z[i], (i, 1, n)), Sum(z[i], (i, 1, n - 1))),
    (Sum(z[i], (i, 1, n)), Product(z[i], (i, 1, n))),
    (MaxOver(z[i], (i, 1, n)), -MaxOver(-z[i], (i, 1, n))),
    (z[i] - 2 * z[j], z[j] - 2 * z[i]),
    (z[j] * Sum(z[i], (i, 1, n)), z[j] * Sum(z[j], (i, 1, n))),
    (log(Sum(exp(z[i]), (i, 1, n))), log(Sum(exp(-z[i]), (i, 1, n)))),
])
def test_slips(expr, slip):
    assert slip in made(expr)


def test_no_mutant_is_the_expression_or_comes_twice():
    for expr in (x + y, x * y * exp(x), KroneckerDelta(i, j) * z[i] - z[j], Sum(z[i] * exp(z[i]), (i, 1, n))):
        assert expr not in made(expr)
        assert len(made(expr)) == len(set(made(expr)))


def test_a_zero_cannot_be_miswritten():
    assert made(sp.Integer(0)) == []


def test_every_mutant_of_a_generic_expression_is_wrong():
    expr = exp(x) / (exp(x) + 2 * exp(y)) - Rational(1, 3) * log(1 + x**2)
    assert len(made(expr)) > 20
    assert {decide(expr, mutant).status for mutant in made(expr)} <= {"refuted", "undecided"}


LONG = sum(x**q for q in range(1, 40))


@pytest.mark.parametrize(("expr", "most"), [(LONG, MOST), (sp.Integral(LONG, (x, 0, 1)), MOST_COSTLY)])
def test_long_expressions_are_sampled_evenly(expr, most):
    every, some = list(mutants(expr)), chosen(expr)
    assert most / 2 < len(some) <= most < len(every)
    every, some = ([mutant for _, mutant in slips] for slips in (every, some))
    places = [every.index(mutant) for mutant in some]
    gaps = [b - a for a, b in zip(places, places[1:])]
    assert max(gaps) <= 2 * min(gaps), "about as far from one another as they can be"
