"""Second routes: a wrong function of the package does not pass, nor a wrong sum or integral."""

import math

import numpy as np
import pytest
import sympy as sp
from sympy import EulerGamma, Sum, exp, log

from softmaxnotes.proof import CannotEvaluate, MaxOver, Refuted, Vacuous, agree, enumeration, quadrature

x = sp.Symbol("x", real=True)
i, j, k, n, m = sp.symbols("i j k n m", integer=True)
z, w, a = (sp.IndexedBase(name, real=True) for name in ("z", "w", "a"))

lse = log(Sum(exp(z[i]), (i, 1, n)))
share = exp(z[k]) / Sum(exp(z[i]), (i, 1, n))


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
    return agree(function, formula, {z: arguments}, of="eq-lse", **({"bound": 200, "because": "a few sums"} | options))


def of_softmax(function, formula=share, **options):
    return agree(function, formula, {z: logits}, of="eq-softmax", index=k, bound=60, because="a few sums", **options)


def test_right_functions_pass_and_mutants_are_counted():
    route = of_lse(logsumexp)
    assert route.entry.mutants > 3
    assert route.entry.of == "eq-lse"
    assert "`logsumexp` agrees with the formula at 12 random places" in route.entry.how[0]
    assert of_softmax(softmax).entry.mutants > 5
    assert of_lse(logsumexp, far).entry.mutants > 3


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
    with pytest.raises(Refuted, match=r"departs from eq-lse at .*z.*array.*the error is .* u, the bound 200 u"):
        of_lse(wrong)


def test_a_missing_shift_overflows_and_is_refuted():
    def naive(values):
        with np.errstate(over="ignore"):
            return np.log(np.exp(values).sum())

    with pytest.raises(Refuted, match="it gives np.float64\\(inf\\)"):
        of_lse(naive, far)


@pytest.mark.parametrize("wrong", [
    lambda v: np.exp(v), lambda v: softmax(-v), lambda v: softmax(v)[::-1], lambda v: softmax(v).astype(np.float32)])
def test_wrong_vectors_are_refuted(wrong):
    with pytest.raises(Refuted, match="departs from eq-softmax"):
        of_softmax(wrong)


def test_a_result_of_another_length_is_an_error():
    with pytest.raises((Refuted, CannotEvaluate)):
        of_softmax(lambda v: np.append(softmax(v), 0.0))
    with pytest.raises(ValueError, match="zip"):
        of_lse(lambda v: np.full(2, logsumexp(v)))


def test_wrong_formulas_are_refuted():
    for wrong in (log(Sum(exp(z[i]), (i, 1, n - 1)) + 1), lse + x - x + sp.Rational(1, 10**12), MaxOver(z[i], (i, 1, n))):
        with pytest.raises(Refuted):
            of_lse(logsumexp, formula=wrong)


def test_places_that_tell_nothing_are_vacuous():
    with pytest.raises(Vacuous, match="cannot tell the formula from a wrong version"):
        of_lse(logsumexp, lambda rng: np.zeros(1))
    with pytest.raises(Vacuous):
        of_lse(logsumexp, bound=math.inf)


def test_a_formula_that_is_not_real_is_no_formula():
    with pytest.raises(CannotEvaluate, match="not real"):
        agree(lambda v: math.log(abs(v)), log(x), {x: lambda rng: -rng.random()}, of="eq-x", bound=4, because="one call")


def test_vectors_of_different_lengths_have_sizes_of_their_own():
    formula = Sum(z[i], (i, 1, n)) + 2 * Sum(w[j], (j, 1, m))
    arguments = {z: lambda rng: rng.random(3), w: lambda rng: rng.random(5)}
    assert agree(lambda u, v: u.sum() + 2 * v.sum(), formula, arguments, of="eq-two", bound=20, because="ten terms").entry.mutants > 0
    matrix = Sum(a[i, j] * z[j], (j, 1, m), (i, 1, n))
    arguments = {a: lambda rng: rng.random((2, 4)), z: lambda rng: rng.random(4)}
    assert agree(lambda u, v: (u @ v).sum(), matrix, arguments, of="eq-matrix", bound=20, because="8 terms").entry.mutants > 0


def test_a_bound_of_zero_and_a_bound_that_depends_on_the_arguments():
    assert agree(lambda v: -v, -x, {x: lambda rng: rng.normal()}, of="eq-x", bound=0, because="exact").entry.mutants > 0
    assert of_lse(logsumexp, bound=lambda v: 100 + v.size).entry.mutants > 0


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
    monkeypatch.setenv("SOFTMAXNOTES_FRESH_SEED", "7")
    of_lse(watched, seed=1)
    assert seen[3 * draws:] != seen[:draws]


# -- enumeration -----------------------------------------------------------------------------------------

coin = {0: 0.25, 1: 0.75}


def enumerate_coin(statistic=float, masses=coin, expected=0.75, bound=4):
    return enumeration(statistic, masses.get, list(masses), expected, of="eq-mean", title="mean of a coin", bound=bound,
                       because="one sum")


def test_enumeration():
    assert "summed over all 2 outcomes" in enumerate_coin().entry.how[0]
    assert enumerate_coin(lambda c: np.array([c, 1 - c]), expected=[0.75, 0.25]).entry.badge == "enumeration"


@pytest.mark.parametrize("masses", [
    {0: 0.5, 1: 0.6}, {0: 0.5, 1: 0.5 - 1e-12}, {0: 1.5, 1: -0.5}, {0: math.nan, 1: 1.0}, {}, {0: 0.5, 1: 0.25}])
def test_what_is_no_distribution_is_refused(masses):
    with pytest.raises(Refuted, match=f"the probabilities of the {len(masses)} outcomes sum to"):
        enumerate_coin(masses=masses)


def test_wrong_sums_are_refuted():
    for expected in (0.25, 0.75 + 1e-12, math.nan):
        with pytest.raises(Refuted, match="the sum over 2 outcomes is"):
            enumerate_coin(expected=expected)
    with pytest.raises(Refuted):
        enumerate_coin(lambda c: math.nan)
    with pytest.raises(ValueError, match="shape"):
        enumerate_coin(expected=[0.75, 0.75])


# -- quadrature ---------------------------------------------------------------------------------------------

def gumbel(t):
    return math.exp(-t - math.exp(-t))


def integrate(function, expected, low=-30, high=60):
    return quadrature(function, low, high, expected, of="eq-gumbel", title="mean of a Gumbel variable")


def test_quadrature():
    assert integrate(lambda t: t * gumbel(t), EulerGamma).entry.badge == "quadrature"


@pytest.mark.parametrize("wrong", [0, 1, -EulerGamma, EulerGamma * (1 + sp.Float(1e-8)), math.nan])
def test_wrong_integrals_do_not_pass(wrong):
    with pytest.raises((Refuted, CannotEvaluate)):
        integrate(lambda t: t * gumbel(t), wrong)


@pytest.mark.parametrize(("function", "low", "high"), [
    (lambda t: math.nan, 0, 1), (lambda t: 1 / t, 1e-300, 1), (lambda t: math.sin(1 / t) / t, 1e-9, 1),
    (lambda t: 1.0 if t > 1 / math.pi else 0.0, 0, 1),
])
def test_a_quadrature_that_does_not_settle_is_no_evidence(function, low, high):
    with pytest.raises((CannotEvaluate, Refuted)):
        quadrature(function, low, high, 1, of="eq-q", title="q")
