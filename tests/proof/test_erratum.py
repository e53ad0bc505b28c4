"""Errata: a wrong erratum is worse than none."""

import numpy as np
import pytest
import sympy as sp
from sympy import Sum, exp, log

from softmaxnotes.proof import Erratum

x = sp.Symbol("x", real=True)
i, k, n = sp.symbols("i k n", integer=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)


def erratum(printed, **options):
    return Erratum("A Textbook, section 1", printed, correct="eq-right", consequence="The gradient points uphill.", **options)


def recipe(wrong, right, at=(1.0, 2.0, 3.0)):
    return erratum(w[i] + z[i], recipe=wrong, reference=right, at=np.array(at))


def test_a_false_statement_is_quoted_with_its_witness():
    note = erratum((exp(w[k]) / Sum(exp(w[i]), (i, 1, n)), w[k] / Sum(w[i], (i, 1, n))))
    assert note.witness.startswith("at $n = ")
    entry = note._entry()
    assert (entry.status, entry.of) == ("refuted", "eq-right")
    assert entry.erratum["printed"] == r"\frac{e^{w_{k}}}{\sum_{i=1}^{n} e^{w_{i}}} = \frac{w_{k}}{\sum_{i=1}^{n} w_{i}}"
    shown = note._markdown()
    assert all(line.startswith(">") for line in shown.splitlines())
    assert "The gradient points uphill." in shown
    assert "[](#eq-right)" in shown


@pytest.mark.parametrize(("printed", "options"), [
    ((exp(log(w[k])), w[k]), {}),  # right
    ((log(1 + exp(x)), x + log(1 + exp(-x))), {}),  # right, and looks wrong
    ((sp.sqrt(x**2), x), {"given": [x > 0]}),  # right where it is meant
    ((x, log(1 + exp(x))), {"relation": "<="}),
    ((sp.Symbol("u"), 1), {}),  # nobody knows
    ((sp.Function("f")(x), x), {}),
    ((sp.Limit(1 / log(x), x, sp.oo), 1), {}),
])
def test_a_wrong_erratum_is_an_error(printed, options):
    with pytest.raises(ValueError, match="is not refuted"):
        erratum(printed, **options)


def test_a_false_inequality():
    assert erratum((log(1 + exp(x)), x), relation="<=").printed == r"\log\left(1 + e^{x}\right) \le x"


def test_a_recipe_that_goes_wrong():
    note = recipe(lambda v: np.exp(v) / np.exp(v).sum(), lambda v: v / v.sum())
    assert note.witness == "at [1., 2., 3.] the recipe gives [0.09  , 0.2447, 0.6652]; right is [0.1667, 0.3333, 0.5   ]"


def test_a_recipe_that_overflows():
    note = recipe(lambda v: np.exp(v) / np.exp(v).sum(), lambda v: np.full(2, 0.5), at=(800.0, 800.0))
    assert "nan" in note.witness


def test_a_recipe_that_is_right_is_no_erratum():
    with pytest.raises(ValueError, match="is right at"):
        recipe(lambda v: v / v.sum() * (1 + 1e-9), lambda v: v / v.sum())


def test_a_reference_that_is_not_a_number_shows_nothing():
    with pytest.raises(ValueError, match="reference"):
        recipe(lambda v: v, lambda v: v * np.nan)


f = sp.Function("f", real=True)
square = sp.Implies(sp.Eq(x**2, 4), sp.Eq(x, 2))


def test_a_conclusion_is_refuted_by_a_counterexample():
    assert erratum(square, counterexample={x: -2}).witness == "with $x = -2$ the premise holds, and left $-2$, right $2$"
    flat = sp.Implies(sp.Eq(f(x).diff(x).subs(x, 0), 0), sp.Eq(f(x), f(0)))
    assert "f(x) = x^{2}" in erratum(flat, counterexample={f: sp.Lambda(x, x**2)}).witness


@pytest.mark.parametrize(("printed", "values", "message"), [
    (square, {x: 3}, "the premise .* does not hold"),
    (square, {x: 2}, "the conclusion .* is not refuted"),
    (sp.Implies(sp.Eq(x**2, 4), sp.Or(sp.Eq(x, 2), sp.Eq(x, -2))), {x: -2}, "the conclusion .* is not refuted"),
    (sp.Implies(sp.And(sp.Eq(x**2, 4), sp.Eq(x**3, 8)), sp.Eq(x, 2)), {x: -2}, "the premise .* does not hold"),
    (sp.Implies(sp.Eq(f(0), 0), sp.Eq(f(x), 0)), {f: sp.Lambda(x, x + 1)}, "the premise .* does not hold"),
])
def test_a_counterexample_that_is_none_is_an_error(printed, values, message):
    with pytest.raises(ValueError, match=message):
        erratum(printed, counterexample=values)
