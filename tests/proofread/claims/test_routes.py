"""Second routes: a wrong function of the package does not pass, nor a wrong sum or integral."""

import math

import numpy as np
import pytest

from proofread import Definition, Derivation
from proofread import sympy as sp
from proofread.errors import CannotEvaluate, Refuted, Vacuous
from proofread.evidence import agree, enumeration, quadrature
from proofread.evidence.routes import is_value
from proofread.language.sympy import EulerGamma, Integral, MaxOver, Sum, exp, log

x = sp.Symbol("x", real=True)
i, j, k, n, m = sp.symbols("i j k n m", integer=True)
c, t = sp.symbols("c t", real=True)
z, w, a, lam = (sp.IndexedBase(name, real=True) for name in ("z", "w", "a", "lambda"))

lse = log(Sum(exp(z[i]), (i, 1, n)))
share = exp(z[k]) / Sum(exp(z[i]), (i, 1, n))




def named(body, label="eq-named", head="N", parameters=()):
    """An equation with a side that is ``body``."""
    return Definition(head, parameters, body, label=label, title="a name")


LSE, SOFTMAX = named(lse, "eq-lse"), named(share, "eq-softmax", r"\pi_{#1}", (k,))


def logits(rng):
    return rng.normal(size=rng.integers(1, 6))


def far(rng):
    return 800 + rng.normal(size=3)


def logsumexp(values):
    return values.max() + np.log(np.exp(values - values.max()).sum())


def softmax(values):
    e = np.exp(values - values.max())
    return e / e.sum()


def of_lse(function, arguments=logits, formula=lse, **options):
    return agree(function, formula, {z: arguments}, of=options.pop("of", LSE),
                 **({"bound": 200, "because": "a few sums"} | options))


def of_softmax(function, formula=share, **options):
    return agree(function, formula, {z: logits}, of=options.pop("of", SOFTMAX), index=k, bound=60,
                 because="a few sums", **options)


def test_right_functions_pass_and_mutants_are_counted():
    route = of_lse(logsumexp)
    entry = route.entry()
    assert entry.mutants > 3
    assert (entry.of, entry.label, entry.kind, entry.status) == ("eq-lse", "", "agreement", "measured")
    assert "`logsumexp` agrees with the formula at 12 random places" in entry.findings[0]
    assert of_softmax(softmax).mutants > 5
    assert of_lse(logsumexp, far).mutants > 3


@pytest.mark.parametrize("wrong", [
    lambda v: -logsumexp(v),
    lambda v: logsumexp(-v),
    lambda v: logsumexp(v) - v.max(),  # the maximum is not added back
    lambda v: np.log(np.exp(v - v.max()).mean()) + v.max(),
    lambda v: logsumexp(v) * (1 + 1e-12),
    lambda v: logsumexp(v.astype(np.float32)),
    lambda v: np.nan,
    lambda v: logsumexp(v) + (1e-9 if v.size == 5 else 0),
])
def test_wrong_functions_are_refuted(wrong):
    with pytest.raises(Refuted,
                       match=r"departs from eq-lse at .*z.*array.*the error is .* u, the bound 200 u"):
        of_lse(wrong)


def test_a_missing_shift_overflows_and_is_refuted():
    def naive(values):
        with np.errstate(over="ignore"):
            return np.log(np.exp(values).sum())

    with pytest.raises(Refuted, match="it gives np.float64\\(inf\\)"):
        of_lse(naive, far)


@pytest.mark.parametrize("wrong", [
    lambda v: np.exp(v), lambda v: softmax(-v), lambda v: softmax(v)[::-1],
    lambda v: softmax(v).astype(np.float32)])
def test_wrong_vectors_are_refuted(wrong):
    with pytest.raises(Refuted, match="departs from eq-softmax"):
        of_softmax(wrong)


def test_a_result_of_another_length_is_an_error():
    with pytest.raises((Refuted, CannotEvaluate)):
        of_softmax(lambda v: np.append(softmax(v), 0.0))
    with pytest.raises(ValueError, match="zip"):
        of_lse(lambda v: np.full(2, logsumexp(v)))


WRONG = [log(Sum(exp(z[i]), (i, 1, n - 1)) + 1), lse + sp.Rational(1, 10**12), MaxOver(z[i], (i, 1, n)), -lse,
         2 * lse,
         log(Sum(exp(-z[i]), (i, 1, n))), log(Sum(exp(z[i]), (i, 1, n)) / n)]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_formulas_are_refuted(wrong):
    with pytest.raises(Refuted, match="departs from eq-wrong"):
        of_lse(logsumexp, formula=wrong, of=named(wrong, "eq-wrong"))


# -- the equation that gains the evidence --------------------------------------------------------------------

@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_formula_that_is_no_side_of_the_equation_is_no_evidence_for_it(wrong):
    with pytest.raises(ValueError, match="is no side of eq-wrong, to which it is to give evidence"):
        of_lse(logsumexp, of=named(wrong, "eq-wrong"))
    with pytest.raises(ValueError, match="is no side of eq-lse"):
        of_lse(logsumexp, formula=wrong)


@pytest.mark.parametrize("wrong",
                         [-share, 2 * share, exp(-z[k]) / Sum(exp(-z[i]), (i, 1, n)), exp(z[k]),
                          1 - share], ids=str)
def test_the_same_for_a_vector(wrong):
    with pytest.raises(ValueError, match="is no side of eq-wrong"):
        of_softmax(softmax, of=named(wrong, "eq-wrong", "w_{#1}", (k,)))


def test_what_is_equal_to_a_side_or_a_line_is_evidence():
    shifted = log(Sum(exp(z[i] - 1), (i, 1, n))) + 1
    chain = Derivation(log(Sum(sp.E * exp(z[i]), (i, 1, n))) - 1, label="eq-chain", title="a shift")
    chain.step(lse, r"$\log e = 1$").step(shifted, "once more")
    for formula in (lse, chain.start, shifted, log(Sum(exp(z[j]), (j, 1, n)))):
        assert of_lse(logsumexp, formula=formula, of=chain).entry().of == "eq-chain"


def test_what_is_equal_only_under_the_conditions_of_the_equation_is_evidence():
    positive = Derivation(x + x, label="eq-twice", title="twice", given=[x > 0]).step(2 * x, "collect")
    anywhere = Derivation(x + x, label="eq-any", title="twice").step(2 * x, "collect")
    options = {"bound": 1, "because": "one copy"}
    assert agree(lambda v: 2 * v, 2 * abs(x), {x: lambda rng: rng.random()}, of=positive,
                 **options).mutants > 0
    with pytest.raises(ValueError, match="is no side of eq-any"):
        agree(lambda v: 2 * v, 2 * abs(x), {x: lambda rng: rng.random()}, of=anywhere, **options)


def test_a_label_names_what_was_displayed():
    with pytest.raises(ValueError, match="no equation 'eq-lse' has been displayed"):
        of_lse(logsumexp, of="eq-lse")
    LSE._repr_mimebundle_()
    assert of_lse(logsumexp, of="eq-lse").entry().of == "eq-lse"
    named(-lse, "eq-other")._repr_mimebundle_()
    with pytest.raises(ValueError, match="is no side of eq-other"):
        of_lse(logsumexp, of="eq-other")


def test_what_is_no_equation_gains_no_evidence():
    route = of_lse(logsumexp)
    positive = named(x > 0, "eq-positive", "P", (x,))
    for other in (route, positive):
        with pytest.raises(ValueError, match="is no side of"):
            of_lse(logsumexp, of=other)
        with pytest.raises(ValueError, match="is no side of"):
            enumerate_coin(of=other)


def test_other_names_for_what_the_equation_holds():
    formula = Sum(lam[i], (i, 1, n))
    total = named(Sum(exp(z[i]), (i, 1, n)), "eq-total")

    def summed(values=None, *, where):
        return agree(np.sum, formula, {lam: lambda rng: rng.random(4)}, of=total, where=where, bound=20,
                     because="4 terms")

    assert summed(where={lam: lambda index: exp(z[index])}).mutants > 0
    for wrong in (lambda index: exp(-z[index]), lambda index: z[index], lambda index: 2 * exp(z[index])):
        with pytest.raises(ValueError, match="is no side of eq-total"):
            summed(where={lam: wrong})
    with pytest.raises(ValueError, match="is no side of eq-total"):
        summed(where=None)
    scale = named(exp(c), "eq-scale")
    options = {"of": scale, "bound": 1, "because": "one copy"}
    assert agree(float, x, {x: lambda rng: rng.random()}, where={x: exp(c)}, **options).mutants > 0
    with pytest.raises(ValueError, match="is no side of eq-scale"):
        agree(float, x, {x: lambda rng: rng.random()}, where={x: exp(-c)}, **options)


def test_places_that_tell_nothing_are_vacuous():
    with pytest.raises(Vacuous, match="a wrong version agrees with the function at all places"):
        of_lse(logsumexp, lambda rng: np.zeros(1))
    with pytest.raises(Vacuous):
        of_lse(logsumexp, bound=math.inf)


@pytest.mark.parametrize(("formula", "function"), [
    (log(x), lambda v: math.log(abs(v))), (sp.sqrt(x), lambda v: math.sqrt(abs(v))), (sp.asin(x - 2),
        lambda v: math.pi / 2)], ids=["log", "sqrt", "asin"])
def test_a_formula_that_is_not_real_is_no_formula(formula, function):
    with pytest.raises(CannotEvaluate, match="not real|of a negative number"):
        agree(function, formula, {x: lambda rng: -rng.random()}, of=named(formula), bound=4,
              because="one call")


def test_vectors_of_different_lengths_have_sizes_of_their_own():
    formula = Sum(z[i], (i, 1, n)) + 2 * Sum(w[j], (j, 1, m))
    arguments = {z: lambda rng: rng.random(3), w: lambda rng: rng.random(5)}
    two = named(formula, "eq-two")
    assert agree(lambda u, v: u.sum() + 2 * v.sum(), formula, arguments, of=two, bound=20,
                 because="ten terms").mutants > 0
    matrix = Sum(a[i, j] * z[j], (j, 1, m), (i, 1, n))
    arguments = {a: lambda rng: rng.random((2, 4)), z: lambda rng: rng.random(4)}
    both = named(matrix, "eq-matrix")
    assert agree(lambda u, v: (u @ v).sum(), matrix, arguments, of=both, bound=20,
                 because="8 terms").mutants > 0


def test_a_bound_of_zero_and_a_bound_that_depends_on_the_arguments():
    minus = named(-x, "eq-x")
    assert agree(lambda v: -v, -x, {x: lambda rng: rng.normal()}, of=minus, bound=0,
                 because="exact").mutants > 0
    assert of_lse(logsumexp, bound=lambda v: 100 + v.size).mutants > 0


def test_draws_change_only_with_the_seed(monkeypatch):
    seen = []

    def watched(values):
        seen.append(values.tobytes())
        return logsumexp(values)

    of_lse(watched, seed=1)
    of_lse(watched, seed=1)
    of_lse(watched, seed=2)
    draws = len(seen) // 3
    assert seen[:draws] == seen[draws:2 * draws] != seen[2 * draws:]
    monkeypatch.setenv("PROOFREAD_FRESH_SEED", "7")
    of_lse(watched, seed=1)
    assert seen[3 * draws:] != seen[:draws]


# -- enumeration -----------------------------------------------------------------------------------------

coin = {0: 0.25, 1: 0.75}
MEAN = named(Sum(w[i] * (i - 1), (i, 1, n)), "eq-mean")


def enumerate_coin(statistic=float, masses=coin, expected=0.75, bound=4, of=MEAN, **options):
    options = {"at": {w: [0.25, 0.75]}} | options
    return enumeration(statistic, masses.get, list(masses), expected, of=of, title="mean of a coin",
                       bound=bound,
                       because="one sum", **options)


def test_enumeration():
    entry = enumerate_coin().entry()
    assert "summed over all 2 outcomes" in entry.findings[0]
    assert (entry.kind, entry.status, entry.of) == ("enumeration", "measured", "eq-mean")
    swapped = named(1 - w[k], "eq-swapped", "s_{#1}", (k,))
    both = enumerate_coin(lambda c: np.array([c, 1 - c]), expected=[0.75, 0.25], of=swapped, index=k)
    assert both.entry().kind == "enumeration"


@pytest.mark.parametrize("masses", [
    {0: 0.5, 1: 0.6}, {0: 0.5, 1: 0.5 - 1e-12}, {0: 1.5, 1: -0.5}, {0: math.nan, 1: 1.0}, {}, {0: 0.5,
        1: 0.25}])
def test_what_is_no_distribution_is_refused(masses):
    with pytest.raises(Refuted, match=f"the probabilities of the {len(masses)} outcomes sum to"):
        enumerate_coin(masses=masses)


def test_wrong_sums_are_refuted():
    for expected in (0.25, 0.75 + 1e-12):
        with pytest.raises(Refuted, match="the sum over 2 outcomes is"):
            enumerate_coin(expected=expected, of=named(sp.Float(expected, 17)), at={})
    with pytest.raises(Refuted):
        enumerate_coin(lambda c: math.nan)
    with pytest.raises(ValueError, match="shape"):
        enumerate_coin(expected=[0.75, 0.75], of=named(Sum(w[i] * (i - 1), (i, 1, n)), "eq-mean"), index=k)
    with pytest.raises(ValueError, match="is no side of eq-mean"):
        enumerate_coin(expected=math.nan)


@pytest.mark.parametrize("wrong",
                         [-MEAN.body, 2 * MEAN.body, 1 - MEAN.body, Sum(w[i] * i, (i, 1, n)),
                          MEAN.body + sp.Rational(1, 10**6)],
                         ids=str)
def test_the_value_of_another_equation_is_no_evidence(wrong):
    with pytest.raises(ValueError,
                       match="the expected value is no side of eq-wrong at the values given: it is "):
        enumerate_coin(of=named(wrong, "eq-wrong"))


def test_the_value_is_that_at_the_place_given():
    for at in ({w: [0.75, 0.25]}, {w: [0.25, 0.75, 0.5]}, {w: [1.0]}):
        with pytest.raises(ValueError, match="is no side of eq-mean"):
            enumerate_coin(at=at)
    with pytest.raises(ValueError, match="is no side of eq-mean"):
        enumerate_coin(at={})  # of which nothing can be evaluated
    with pytest.raises(ValueError, match="say of which index"):
        enumerate_coin(lambda c: np.array([c, 1 - c]), expected=[0.75, 0.25])
    swapped = named(1 - w[k], "eq-swapped", "s_{#1}", (k,))
    with pytest.raises(ValueError, match="is no side of eq-swapped"):  # every index counts
        enumerate_coin(lambda c: np.array([c, 1]), expected=[0.75, 1.0], of=swapped, index=k)


def test_a_value_may_be_taken_through_a_function():
    logarithm = named(log(Sum(w[i] * (i - 1), (i, 1, n))), "eq-log")
    assert enumerate_coin(of=logarithm, through=math.exp).entry().of == "eq-log"
    for through in (None, lambda v: -math.exp(v), lambda v: math.exp(-v)):
        with pytest.raises(ValueError, match="is no side of eq-log"):
            enumerate_coin(of=logarithm, through=through)


r = sp.Symbol("r", positive=True)


@pytest.mark.parametrize(("body", "at", "value"), [
    (r / 2, {r: 1.0}, 0.5), (log(r), {r: 1.0}, 0.0), (c + r, {c: 0.0, r: 0.5}, 0.5), (r**2, {r: 1.0}, 1.0),
], ids=str)
def test_values_at_which_a_wrong_version_is_the_same_are_vacuous(body, at, value):
    with pytest.raises(Vacuous, match="the values given for eq-blind cannot tell"):
        is_value(value, named(body, "eq-blind"), at)


@pytest.mark.parametrize(("body", "at", "message"), [
    (r / 2, {r: 0.5, c: 1.0}, "a value is given for c, and eq-place does not depend on it"),
    (Integral(exp(-r * t), (t, 0, sp.oo)), {r: 4.0, t: 1.0}, "a value is given for t"),
    (c + r, {c: -0.25, r: 0.5 - 1}, "r is positive"),
    (n / r, {n: 1.5, r: 6.0}, "n is integer"),
])
def test_values_that_the_equation_has_no_place_for(body, at, message):
    with pytest.raises(ValueError, match=message):
        is_value(0.25, named(body, "eq-place"), at)


def test_an_infinite_value_is_no_other_value():
    with pytest.raises(ValueError, match="is no side of eq-far"):
        is_value(0.25, named(1 / (c - 1), "eq-far"), {c: 1.0})
    with pytest.raises(ValueError, match="is no side of eq-far"):
        is_value(0.25, named(log(c), "eq-far"), {c: 0.0})


def test_other_values_tell_them_apart():
    is_value(0.75, named(r / 2, "eq-seen"), {r: 1.5})
    is_value(0.4, named(w[1] / Sum(w[i], (i, 1, n)), "eq-seen"), {w: [0.4, 0.6]})  # weights that sum to one


# -- quadrature ---------------------------------------------------------------------------------------------

def gumbel(t):
    return math.exp(-t - math.exp(-t))


AREA = Integral(t * exp(-t - exp(-t)), (t, -sp.oo, sp.oo))


def integrate(function, expected, low=-30, high=60, of=None, **options):
    return quadrature(function, low, high, expected, of=of or named(expected, "eq-gumbel"),
                      title="mean of a Gumbel variable",
                      **{"at": {}, **options})


def test_quadrature():
    entry = integrate(lambda t: t * gumbel(t), EulerGamma, of=named(AREA, "eq-area")).entry()
    assert (entry.kind, entry.status, entry.of) == ("quadrature", "measured", "eq-area")


@pytest.mark.parametrize("wrong", [0, 1, -EulerGamma, EulerGamma * (1 + sp.Float(1e-8))])
def test_wrong_integrals_do_not_pass(wrong):
    with pytest.raises((Refuted, CannotEvaluate)):
        integrate(lambda t: t * gumbel(t), wrong)


def test_an_expected_value_that_is_no_number_does_not_pass():
    with pytest.raises(ValueError, match="is no side of eq-area"):
        integrate(lambda t: t * gumbel(t), math.nan, of=named(AREA, "eq-area"))


@pytest.mark.parametrize("wrong",
                         [-AREA, 2 * AREA, AREA + sp.Rational(1, 10**6),
                          Integral(t * exp(-t - exp(-t)), (t, 0, sp.oo)),
                                   Integral(exp(-t - exp(-t)), (t, -sp.oo, sp.oo))], ids=str)
def test_the_integral_of_another_equation_is_no_evidence(wrong):
    with pytest.raises(ValueError, match="is no side of eq-wrong"):
        integrate(lambda t: t * gumbel(t), EulerGamma, of=named(wrong, "eq-wrong"))


def test_an_integral_at_a_place_and_through_a_function():
    rate = sp.Symbol("r", positive=True)
    mean, logarithm = named(1 / rate, "eq-mean"), named(-log(rate), "eq-log")
    options = {"low": 0, "high": math.inf, "at": {rate: 2.0}}
    assert integrate(lambda v: 2 * v * math.exp(-2 * v), 0.5, of=mean, **options).entry().of == "eq-mean"
    assert integrate(lambda v: 2 * v * math.exp(-2 * v), 0.5, of=logarithm, through=math.exp,
                     **options).entry().of == "eq-log"
    with pytest.raises(ValueError, match="is no side of eq-mean"):
        integrate(lambda v: 2 * v * math.exp(-2 * v), 0.5, of=mean, **{**options, "at": {rate: 0.5}})
    with pytest.raises(ValueError, match="is no side of eq-log"):
        integrate(lambda v: 2 * v * math.exp(-2 * v), 0.5, of=logarithm, **options)


@pytest.mark.parametrize(("function", "low", "high"), [
    (lambda t: math.nan, 0, 1), (lambda t: 1 / t, 1e-300, 1), (lambda t: math.sin(1 / t) / t, 1e-9, 1),
    (lambda t: 1.0 if t > 1 / math.pi else 0.0, 0, 1),
])
def test_a_quadrature_that_does_not_settle_is_no_evidence(function, low, high):
    with pytest.raises((CannotEvaluate, Refuted)):
        quadrature(function, low, high, 1, of=named(sp.S.One, "eq-q"), at={}, title="q")


def test_the_page_says_what_was_done_and_the_evidence_how_well():
    route = of_lse(logsumexp)
    finding, = route.entry().findings
    shown = route.sentence().removeprefix("✓ ").removesuffix(" [](#eq-lse)")
    assert finding.startswith(f"{shown}: the error comes closest to its bound") and " u " not in shown
