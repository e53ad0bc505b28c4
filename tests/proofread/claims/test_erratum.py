"""Errata: a wrong erratum is worse than none."""

import numpy as np
import pytest

from proofread import Argued, Definition, Derivation, Erratum
from proofread import sympy as sp
from proofread.language.sympy import MaxOver, Sum, exp, log
from proofread.language.typed import unfold
from proofread.numeric.float64 import in_floats

x, c = sp.symbols("x c", real=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)


def named(body, *parameters, head="N", label="eq-right"):
    """A right equation with a side that is ``body``."""
    return Definition(head, parameters, body, label=label, title="a name")


share = w[k] / Sum(w[i], (i, 1, n))
SHARE = named(share, k, head=r"p_{#1}")


def erratum(printed, correct=SHARE, **options):
    options = {"correct": correct, "consequence": "The gradient points uphill.", **options}
    return Erratum("A Textbook, section 1", printed, **options)


# -- statements --------------------------------------------------------------------------------------------

WRONG = (exp(w[k]) / Sum(exp(w[i]), (i, 1, n)), share)


def test_a_false_statement_is_quoted_with_its_witness():
    note = erratum(WRONG)
    assert note.witness.startswith("at $n = ")
    entry = note.entry()
    assert (entry.kind, entry.status, entry.of) == ("erratum", "refuted", "eq-right")
    printed = r"\frac{e^{w_{k}}}{\sum_{i=1}^{n} e^{w_{i}}} = \frac{w_{k}}{\sum_{i=1}^{n} w_{i}}"
    assert entry.display == entry.erratum["printed"] == printed
    assert entry.erratum["source"] == "A Textbook, section 1"
    assert entry.erratum["correct_label"] == "eq-right" and entry.erratum["says"] == "prints"
    assert entry.erratum["witness"] == f"Refuted by execution: {note.witness}"
    shown = note.sentence()
    assert f"$$\n{printed}\n$$" in shown
    assert "The gradient points uphill." in shown
    assert "[](#eq-right)" in shown


def test_a_random_function_in_a_witness_is_words_and_no_formula():
    g = sp.Function("g", real=True)
    square = Derivation(sp.Derivative(g(x)**2, x), label="eq-square", title="square")
    square.step(2 * g(x) * sp.Derivative(g(x), x), "chain rule")
    note = erratum((sp.Derivative(g(x)**2, x), 2 * g(x)), square)
    assert ", a random smooth g: left $" in note.witness


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
    for more in ({}, {"instead": "No relation."}):
        with pytest.raises(ValueError, match="is not refuted"):
            erratum(printed, **options, **more)


def test_a_false_inequality():
    softplus = named(log(1 + exp(x)), x)
    assert erratum((log(1 + exp(x)), x), softplus,
                   relation="<=").printed == r"\log(1 + e^{x}) \le x"


# -- what is printed belongs to the right equation -----------------------------------------------------------

square = Derivation((x + 1) ** 2, label="eq-square", title="a square").step(x**2 + 2 * x + 1, "expand")


@pytest.mark.parametrize("correct", [(x + 1) ** 2, x**2 + 2 * x + 1, (1 + x) * (x + 1)], ids=str)
def test_the_right_formula_printed_as_the_error_is_an_error(correct):
    for printed in ((correct, x**2 + 2 * x + 1), (square.start, correct), (correct, square.start)):
        with pytest.raises(ValueError, match="is not refuted"):
            erratum(printed, square)


@pytest.mark.parametrize("printed", [(abs(x), x), (sp.sqrt(x**2), x), (x, abs(x))], ids=str)
def test_the_right_equation_without_its_condition_is_no_erratum_of_it(printed):
    positive = Derivation(abs(x), label="eq-positive", title="positive", given=[x > 0])
    positive.step(x, "positive")
    with pytest.raises(ValueError, match="is not refuted"):
        erratum(printed, positive)


def test_nothing_is_refuted_where_the_hypothesis_of_the_right_equation_fails():
    T, Z, g = sp.symbols("T Z g", real=True)
    late = Derivation(abs(g - T), label="eq-late", title="lateness", given=[g >= T, Z > 0])
    late.argue(g - T, "it is not negative")
    assert erratum((abs(g - T), g + T), late).witness  # of Z nothing is printed, and nothing is asked
    with pytest.raises(ValueError, match="is not refuted"):
        erratum((abs(g - T), sp.Max(g - T, 0)), late)  # right as well
    with pytest.raises(ValueError, match="is not refuted: undecided"):
        erratum((abs(g - T), g + T), late, given=[g < T])


def test_a_counterexample_meets_the_hypothesis_of_the_right_equation():
    root = Derivation(sp.sqrt(x**2), label="eq-root", title="a root", given=[x > -3])
    root.step(abs(x), "a root is not negative")
    conclusion = sp.Implies(sp.Eq(x**2, c**2), sp.Eq(x, c))
    assert erratum(conclusion, correct=root, counterexample={x: -2, c: 2}).witness
    with pytest.raises(ValueError, match="does not satisfy"):
        erratum(conclusion, correct=root, counterexample={x: -4, c: 4})


@pytest.mark.parametrize("printed", [
    ((x + 1) ** 2, x**2 + 1), (x**2 + 1, (x + 1) ** 2), ((x + 1) ** 2, -(x**2) - 2 * x - 1),
    (x**2 + 2 * x + 1, x**2 + 2 * x), (1 + 2 * x + x**2, 2 * (x + 1) ** 2)], ids=str)
def test_one_side_is_right_and_the_other_is_not(printed):
    assert erratum(printed, square).entry().of == "eq-square"


@pytest.mark.parametrize("printed", [
    (2 * x, x), ((x + 1) ** 3, x**3 + 1), ((x - 1) ** 2, x**2 + 1), (-((x + 1) ** 2), x**2 + 1),
    (2 * (x + 1) ** 2, x**2 + 1),
    ((c + 1) ** 2, c**2 + 1)], ids=str)
def test_a_statement_about_something_else_is_no_erratum_of_this_equation(printed):
    with pytest.raises(ValueError, match="has no side in common with eq-square, which it is to correct"):
        erratum(printed, square)
    words = "The source expands another power."
    assert words in erratum(printed, square, instead=words).sentence()


def test_the_wrong_equation_is_not_what_corrects_it():
    for other in (named(1 - share, k), named(2 * share, k), named(Sum(w[i], (i, 1, n))), named(exp(x), x)):
        with pytest.raises(ValueError, match="has no side in common"):
            erratum(WRONG, other)


def test_a_side_that_is_right_only_under_the_conditions():
    root = named(x, x)
    assert erratum((sp.sqrt(x**2), 2 * x), root, given=[x > 0]).witness
    with pytest.raises(ValueError, match="has no side in common"):
        erratum((sp.sqrt(x**2), 2 * x), root)


def test_a_label_names_what_was_displayed():
    with pytest.raises(ValueError, match="no equation 'eq-right' has been displayed"):
        erratum(WRONG, "eq-right")
    SHARE._repr_mimebundle_()
    assert erratum(WRONG, "eq-right").entry().of == "eq-right"


def test_an_argued_claim_corrects_as_well():
    claim = Argued(r"\Pr(T > #1)", (x,), exp(-x), label="eq-silent", title="no event",
                   because="$T$ is exponential")
    assert erratum((claim(x), 1 - exp(-x)), claim).entry().of == "eq-silent"
    with pytest.raises(ValueError, match="is not refuted"):
        erratum((claim(x), exp(-x)), claim)


# -- recipes -----------------------------------------------------------------------------------------------

top = MaxOver(z[j], (j, 1, n))
printed_softmax = exp(z[k]) / Sum(exp(z[i]), (i, 1, n))
SOFTMAX = named(exp(z[k] - top) / Sum(exp(z[i] - top), (i, 1, n)), k, head=r"\pi_{#1}")


def naive(v):
    return np.exp(v) / np.exp(v).sum()


def softmax(v):
    return naive(v - v.max())


def recipe(printed=printed_softmax, wrong=naive, right=softmax, at=(800.0, 799.0), alive=(1.0, 0.0),
           **options):
    options = {"correct": SOFTMAX, "index": k, **options}
    return erratum(printed, recipe=wrong, reference=right, at={z: np.array(at)}, alive={z: np.array(alive)},
                   **options)


def test_a_recipe_that_overflows():
    note = recipe()
    assert note.witness == "at $z = [800., 799.]$ the recipe gives [nan, nan]; right is [0.7311, 0.2689]"
    told = "True as a formula, refuted as a recipe by running it: at"
    assert note.entry().erratum["witness"].startswith(told)
    assert note.printed == r"\frac{e^{z_{k}}}{\sum_{i=1}^{n} e^{z_{i}}}"


def test_a_recipe_that_loses_its_digits():
    note = erratum((1 + x) - 1, named(x, x), recipe=lambda v: (1 + v) - 1, reference=lambda v: v,
                   at={x: np.array(1e-17)}, alive={x: np.array(0.5)})
    assert note.witness == "at $x = 1.e-17$ the recipe gives [0.]; right is [1.e-17]"


def test_a_recipe_that_is_right_is_no_erratum():
    with pytest.raises(ValueError, match="is right at"):
        recipe(wrong=lambda v: softmax(v) * (1 + 1e-9))
    with pytest.raises(ValueError, match="is right at"):
        recipe(at=(3.0, 2.0))


def test_a_reference_that_is_not_a_number_shows_nothing():
    with pytest.raises(ValueError, match="reference"):
        recipe(right=lambda v: v * np.nan)


def test_a_recipe_needs_values_at_which_it_works():
    with pytest.raises(ValueError, match="needs alive="):
        erratum(printed_softmax, SOFTMAX, recipe=naive, reference=softmax, at={z: np.array([800.0, 800.0])},
                index=k)
    with pytest.raises(ValueError):
        recipe(alive=(900.0, 900.0))


@pytest.mark.parametrize("wrong", [
    lambda v: naive(-v), lambda v: 2 * naive(v), lambda v: naive(v)[::-1], lambda v: np.exp(v),
    lambda v: naive(v) + 1e-4,
    lambda v: np.exp(v - np.exp(v).max()) / np.exp(v - np.exp(v).max()).sum() * 1.001])
def test_a_recipe_that_is_not_the_printed_formula_is_refused(wrong):
    with pytest.raises(ValueError, match="the printed formula"):
        recipe(wrong=wrong)


@pytest.mark.parametrize("printed", [
    exp(-z[k]) / Sum(exp(-z[i]), (i, 1, n)), 2 * exp(z[k]) / Sum(exp(z[i]), (i, 1, n)), exp(z[k]),
    1 - exp(z[k]) / Sum(exp(z[i]), (i, 1, n))], ids=str)
def test_a_printed_formula_that_is_not_the_recipe_is_refused(printed):
    with pytest.raises(ValueError, match="the printed formula in double precision"):
        recipe(printed)


def test_the_right_formula_printed_as_the_recipe_that_fails_is_an_error():
    with pytest.raises(ValueError,
                       match=r"gives \[nan nan\] at .*, the printed formula in double precision \[0.731"):
        recipe(SOFTMAX.body)
    with pytest.raises(ValueError, match="is right at"):
        recipe(SOFTMAX.body, wrong=softmax)


def test_a_recipe_is_called_true_only_if_it_is():
    flipped = exp(-z[k]) / Sum(exp(-z[i]), (i, 1, n))
    options = {"wrong": lambda v: naive(-v), "at": (-800.0, -799.0)}
    with pytest.raises(ValueError, match="no side of eq-right: it is not true as a formula"):
        recipe(flipped, **options)
    assert recipe(flipped, **options, correct=named(flipped, k, head=r"\pi_{#1}")).witness


def test_a_recipe_is_run_where_the_hypothesis_of_the_right_equation_holds():
    small = Derivation((1 + x) - 1, label="eq-small", title="itself", given=[x > -1]).step(x, "cancel")
    options = {"correct": small, "recipe": lambda v: (1 + v) - 1, "reference": lambda v: v,
               "at": {x: np.array(1e-17)}}
    assert erratum((1 + x) - 1, **options, alive={x: np.array(1.0)}).witness
    with pytest.raises(ValueError, match=r"is run at \$x = -2.\$, where x > -1 does not hold"):
        erratum((1 + x) - 1, **options, alive={x: np.array(-2.0)})


def test_a_formula_runs_as_it_is_typed():
    point = {unfold(x): 1e17, unfold(n): 3, **{(unfold(z), (m,)): 100.0 * m for m in (1, 2, 3)}, unfold(k): 2}
    values = {
        (1 + x) - x: 0.0, x - x + 1: 1.0, x / x**2 * x: 1.0, -abs(x): -1e17, sp.Max(x, 3): 1e17,
        sp.pi * 1: np.pi,
        Sum(z[i], (i, 1, n)): 600.0, sp.Product(z[i], (i, 1, n - 1)): 2e4,
        MaxOver(z[i] - z[k], (i, 1, n)): 100.0,
        exp(5 * z[k]) / exp(5 * z[k]): np.nan, exp(5 * z[k] - 5 * z[k]): 1.0, log(exp(-5 * z[k])): -np.inf,
        named(sp.sqrt(x), x)(z[k] ** 2): 200.0, unfold(x) ** 2 / 10 + 1: 1e33,
    }
    for formula, value in values.items():
        assert np.isclose(in_floats(formula, point), value, rtol=1e-15, atol=0, equal_nan=True), formula
    for formula in (sp.gamma(x), sp.Integral(x, (x, 0, 1)), sp.Piecewise((x, x < 1), (n, True))):
        with pytest.raises(ValueError):
            in_floats(formula, point)


# -- conclusions -------------------------------------------------------------------------------------------

f = sp.Function("f", real=True)
conclusion = sp.Implies(sp.Eq(x**2, 4), sp.Eq(x, 2))


def test_a_conclusion_is_refuted_by_a_counterexample():
    square = named(x**2, x)
    note = erratum(conclusion, correct=square, counterexample={x: -2})
    assert note.witness == "with $x = -2$ the premise holds, and left $-2$, right $2$"
    assert note.printed == r"x^{2} = 4 \implies x = 2"
    flat = sp.Implies(sp.Eq(sp.Subs(sp.Derivative(f(x), x), x, 0), 0), sp.Eq(f(x), f(0)))
    assert "f(x) = x^{2}" in erratum(
        flat, correct=square, counterexample={f: sp.Lambda(x, x**2)}).witness


@pytest.mark.parametrize(("printed", "values", "message"), [
    (conclusion, {x: 3}, "the premise .* does not hold"),
    (conclusion, {x: 2}, "the conclusion .* is not refuted"),
    (sp.Implies(sp.Eq(x**2, 4), sp.Or(sp.Eq(x, 2), sp.Eq(x, -2))), {x: -2},
     "the conclusion .* is not refuted"),
    (sp.Implies(sp.And(sp.Eq(x**2, 4), sp.Eq(x**3, 8)), sp.Eq(x, 2)), {x: -2},
     "the premise .* does not hold"),
    (sp.Implies(sp.Eq(f(0), 0), sp.Eq(f(x), 0)), {f: sp.Lambda(x, x + 1)}, "the premise .* does not hold"),
    (sp.Implies(sp.Eq(x**2, 4), sp.Or(x >= 0, x >= 0)), {x: -2}, "the same claim twice"),
    (sp.Implies(sp.And(sp.Eq(x**2, 4), sp.Eq(x**2, 4)), sp.Eq(x, 2)), {x: -2}, "the same claim twice"),
])
def test_a_counterexample_that_is_none_is_an_error(printed, values, message):
    with pytest.raises(ValueError, match=message):
        erratum(printed, counterexample=values)


def test_a_printed_conclusion_has_something_in_common_with_the_right_equation():
    odd = named(f(x) * f(-x), label="eq-odd")
    flat = sp.Implies(sp.Eq(f(0), 0), sp.Eq(f(x), 0))
    assert erratum(flat, correct=odd, counterexample={f: sp.Lambda(x, x)}).of == "eq-odd"  # f(x)
    cube = named(x**3 * (-x)**3, label="eq-cube")
    assert erratum(flat, correct=cube, counterexample={f: sp.Lambda(x, x**3)}).of == "eq-cube"  # x³
    words = "An odd function is 0 at 0."
    for values, instead in (({f: sp.Lambda(x, x**2)}, ""), ({f: sp.Lambda(x, x)}, ""),
                            ({f: sp.Lambda(x, x)}, words)):  # words do not excuse it
        with pytest.raises(ValueError, match="has nothing in common with eq-cube, which it is to correct"):
            erratum(flat, correct=cube, counterexample=values, instead=instead)
    assert erratum(flat, correct=odd, counterexample={f: sp.Lambda(x, x)}).sentence().endswith(
        "Right is what [](#eq-odd) shows.")  # no equation is a correction of a conclusion
    assert words in erratum(flat, correct=odd, counterexample={f: sp.Lambda(x, x)}, instead=words).sentence()
