"""Matrices of every dimension: each rule, the book's steps, wrong versions of them, and the round trip."""

import math
import os

import numpy as np
import pytest
import sympy as sp
from matrix_values import (
    A,
    B,
    C,
    Grammar,
    L,
    S,
    T,
    U,
    V,
    X,
    c,
    d,
    k,
    known,
    m,
    point,
    r,
    value_or_nan,
    values,
    w,
    x,
    y,
)
from sympy import (
    Determinant,
    Identity,
    Inverse,
    MatrixSymbol,
    Product,
    Sum,
    Trace,
    ZeroMatrix,
    exp,
    log,
    pi,
    sqrt,
)

from proofread.any_size.matrices.inverses import surely_nonzero
from proofread.any_size.matrices.noncommutative import Words
from proofread.any_size.matrices.normal_form import normal, vanishes
from proofread.errors import NoRule
from proofread.language.binders import NormalMatrixMean, NormalMean
from proofread.mutation.operators import chosen
from proofread.settings import fresh

COUNT, CHUNKS = int(os.environ.get("PROOFREAD_ROUND_TRIPS", "160")), 4
i, j, n = sp.symbols("i j n", integer=True, positive=True)
K, Y, R = MatrixSymbol("K", k, k), MatrixSymbol("Y", 1, 1), MatrixSymbol("R", d, n)
unit, zero, half = Identity(d), ZeroMatrix(d, 1), sp.Rational(1, 2)


def form(*factors):
    return Trace(sp.MatMul(*factors))


def mean(function, mean=m, covariance=S):
    return NormalMean(function, w, mean, covariance)


RULES = {
    "a trace is rotated": (Trace(A * B * C), Trace(C * A * B)),
    "a trace is turned around": (Trace(A * B), Trace(B.T * A.T)),
    "inverses cancel": (Trace(A * S.I * S * B), Trace(A * B)),
    "inverses cancel across the ends": (Trace(A.I * B * C * A), Trace(C * B)),
    "a definite matrix is symmetric": (Trace(S * A), Trace(S * A.T)),
    "a form is a number": (form(x.T, A, y), form(y.T, A.T, x)),
    "a trace is cut at vectors": (Trace(A * x * y.T * B * w * m.T), form(m.T, A, x) * form(y.T, B, w)),
    "a number inside a word": (Trace(A * x * y.T * w * m.T), form(y.T, w) * form(m.T, A, x)),
    "the unit matrix": (Trace(unit), d),
    "powers": (Trace(A**3) * Trace(A**-2), Trace(A * A * A) * Trace(A.I * A.I)),
    "the inverse of a product": (Trace((A * B).I * C), Trace(C * B.I * A.I)),
    "the inverse of a multiple": ((2 * A).I, A.I / 2),
    "the determinant of a product": (Determinant(A * B), Determinant(A) * Determinant(B)),
    "of a multiple": (Determinant(c * A), c**d * Determinant(A)),
    "of a transpose, an inverse, a power": (Determinant(A.T * A.I * A**2), Determinant(A) ** 2),
    "of the transpose of a sum": (Determinant(A + B), Determinant(B.T + A.T)),
    "of zero and one": (Determinant(0 * A) + Determinant(S * S.I), sp.S.One),
    "logarithms of definite ones": (log(Determinant(c * S * T)),
                                    d * log(c) + log(Determinant(S)) + log(Determinant(T))),
    "a sum of definite ones is definite": (log(Determinant(S + L * L.T) * c),
                                           log(c) + log(Determinant(S + L * L.T))),
    "of the inverse of a sum": (Determinant((A + B).I) * Determinant(A + B), sp.S.One),
    "one by one": (Determinant(x.T * A * x), Trace(A * x * x.T)),
    "one by one, inverted": (Trace((X * Y) ** -2), 1 / (Trace(X) * Determinant(Y)) ** 2),
    "a form is not negative": (sp.Abs(form(x.T, A.T, S, A, x)), form(x.T, A.T, S, A, x)),
    "factors that are not square": (Trace(U * K * V), Trace(K * V * U)),
    "the diagonal of a triangle": (Determinant(L), Product(L[i - 1, i - 1], (i, 1, d))),
    "the squares of a triangle": (Trace(L.T * L), Sum(L[i, i] ** 2, (i, 0, d - 1))
                                  + Sum(L[i - 1, j - 1] ** 2, (j, 1, i - 1), (i, 1, d))),
    "the squares of a matrix": (Trace(R * R.T), Sum(R[i - 1, j - 1] ** 2, (j, 1, n), (i, 1, d))),
    "the entries of vectors": (form(x.T, y), Sum(x[i - 1, 0] * y[i - 1, 0], (i, 1, d))),
    "a diagonal matrix": (Trace(sp.DiagMatrix(x)), Sum(x[i, 0], (i, 0, d - 1))),
    "above the diagonal is nothing": (L[1, 3] + L[0, i], sp.S.Zero),
    "a sum of constants": (Sum(Trace(A), (i, 1, d)), d * Trace(A)),
    "the inverse of an inverse of a sum": (((S + A).I).I, A + S),
    "a sum and its multiple": ((2 * S + 2 * A).I, (S + A).I / 2),
    "a sum and its transpose": ((A + B).I.T, (A.T + B.T).I),
    "Woodbury": ((A + U * K * V).I, A.I - A.I * U * (K.I + V * A.I * U).I * V * A.I),
    "Woodbury for two definite ones": ((S + T).I, S.I - S.I * (S.I + T.I).I * S.I),
    "Sherman and Morrison": (form(y.T, Inverse(S + x * x.T), w), form(y.T, S.I, w)
                             - form(y.T, S.I, x) * form(x.T, S.I, w) / (1 + form(x.T, S.I, x))),
    "push through": (Inverse(c * unit + U * U.T) * U, U * Inverse(c * Identity(k) + U.T * U)),
    "two precisions": ((S.I + T.I).I, T * (S + T).I * S),
    "odd moments": (mean(form(w.T, x) ** 3, zero), sp.S.Zero),
    "a mean of means": (NormalMean(mean(form(w.T, A, x), x), x, m, T), Trace(A * T) + form(m.T, A, m)),
    "a mean of the same vector": (mean(mean(form(w.T, w)) * form(w.T, x), y),
                                  (Trace(S) + form(m.T, m)) * form(y.T, x)),
    "a mean that the mean holds": (mean(form(w.T, x), w), form(w.T, x)),
    "a fourth moment": (mean(form(w.T, w) ** 2, zero, unit), d * (d + 2)),
    "a sixth moment": (mean(form(w.T, w) ** 3, zero, unit), d * (d + 2) * (d + 4)),
    "a covariance of rank one": (mean(form(w.T, A, w), zero, x * x.T), form(x.T, A, x)),
    "the mean of a matrix": (NormalMatrixMean(w * w.T * B * w * w.T, w, zero, S),
                             S * B * S + S * B.T * S + Trace(B * S) * S),
    "the mean of a vector": (NormalMatrixMean(w * w.T * y, w, m, S), S * y + form(m.T, y) * m),
    "a mean beside an inverse": (mean(Trace((S + y * y.T).I * w * w.T)),
                                 Trace((S + y * y.T).I * (S + m * m.T))),
    "the logarithm of a density": (
        mean(log(exp(-form(w.T, S.I, w) / 2) / sqrt((2 * pi) ** d * Determinant(S)))),
        -d / 2 - form(m.T, S.I, m) / 2 - d * log(2 * pi) / 2 - log(Determinant(S)) / 2),
}
COMING = {
    "variance of a quadratic form": (mean(form(w.T, T, w) ** 2) - mean(form(w.T, T, w)) ** 2,
                                     2 * Trace(T * S * T * S) + 4 * form(m.T, T, S, T, m)),
    "covariance of two": (
        mean(form(w.T, T, w) * form(w.T, S, w)) - mean(form(w.T, T, w)) * mean(form(w.T, S, w)),
        2 * Trace(T * S**3) + 4 * form(m.T, T, S, S, m)),
    "third moment": (mean(form(w.T, T, w) * form(y.T, w)),
                     form(m.T, T, m) * form(y.T, m) + Trace(T * S) * form(y.T, m) + 2 * form(m.T, T, S, y)),
    "whitening": (Trace((L * L.T).I * L * B * L.T), Trace(B)),
    "completing the square": (form((x - S.I * y).T, S, x - S.I * y),
                              form(x.T, S, x) - 2 * form(y.T, x) + form(y.T, S.I, y)),
    "reparametrised": (mean(form((m + L * w).T, A, m + L * w), zero, unit),
                       form(m.T, A, m) + Trace(A * L * L.T)),
}
LONG = {  # inverses of sums take seconds
    "Woodbury, multiplied out": (Trace((S + T) * (S.I - S.I * (S.I + T.I).I * S.I) * B), Trace(B)),
    "a product of two normal densities": (
        form((x - m).T, S.I, x - m) + form((x - y).T, T.I, x - y),
        form((x - (S.I + T.I).I * (S.I * m + T.I * y)).T, S.I + T.I, x - (S.I + T.I).I * (S.I * m + T.I * y))
        + form((m - y).T, (S + T).I, m - y)),
}


def density(at, mean, covariance):
    gap = at - mean
    return exp(-form(gap.T, covariance.I, gap) / 2) / sqrt((2 * pi) ** d * Determinant(covariance))


def log_ratio(at, mean_p, p, mean_q, q):
    return half * (log(Determinant(q) / Determinant(p)) - form((at - mean_p).T, p.I, at - mean_p)
                   + form((at - mean_q).T, q.I, at - mean_q))


volume, gap = log(Determinant(T) / Determinant(S)), form((y - m).T, T.I, y - m)
whitened = half * (log(Determinant(L * L.T) / Determinant(L * C * C.T * L.T)) - d
                   + Trace(L.I.T * L.I * L * C * C.T * L.T) + form((L * x).T, L.I.T, L.I, L * x))
unwhitened = half * (Trace(L * L.T) + form(x.T, x) - d - log(Determinant(L * L.T)))
scale = (exp(2 * log(L[i - 1, i - 1])) - 1) / 2 - log(L[i - 1, i - 1])
BOOK = {
    "quadratic form, mixed terms": (mean(form((w - x).T, A, w - x)), Trace(A * NormalMatrixMean(
        (w - m) * (w - m).T, w, m, S)) + form((m - x).T, A, m - x)),
    "quadratic form, covariance": (mean(form((w - x).T, A, w - x)), Trace(A * S) + form((m - x).T, A, m - x)),
    "log-ratio": (log(density(x, m, S)) - log(density(x, y, T)), log_ratio(x, m, S, y, T)),
    "divergence, means": (mean(log_ratio(w, m, S, y, T)),
                          half * (volume - Trace(S.I * S) + Trace(T.I * S) + gap)),
    "divergence": (half * (volume - Trace(unit) + Trace(T.I * S) + gap),
                   half * (volume - d + Trace(T.I * S) + gap)),
    "standard normal": (mean(log_ratio(w, m, S, zero, unit)),
                        half * (Trace(S) + form(m.T, m) - d - log(Determinant(S)))),
    "whitened": (mean(log_ratio(w, m + L * x, L * C * C.T * L.T, m, L * L.T), m + L * x, L * C * C.T * L.T),
                 whitened),
    "whitened, traces turn": (whitened,
                              half * (Trace(C * C.T) + form(x.T, x) - d - log(Determinant(C * C.T)))),
    "entry by entry": (unwhitened, Sum(scale, (i, 1, d)) + half * form(x.T, x)
                       + half * Sum(L[i - 1, j - 1] ** 2, (j, 1, i - 1), (i, 1, d))),
    "turned": (Trace((B * T * B.T).I * (B * S * B.T)), Trace(B.I.T * T.I * B.I * B * S * B.T)),
    "turned, inverses cancel": (Trace(B.I.T * T.I * B.I * B * S * B.T), Trace(T.I * S * B.T * B.I.T)),
    "one dimension": (NormalMean((Trace(X) - r) ** 2, X, c * Identity(1), c**2 * Identity(1)),
                      c**2 + (c - r) ** 2),
}


@pytest.mark.parametrize("name", [*RULES, *COMING, *BOOK, *(LONG if COUNT > 160 else [])])
def test_what_holds_for_every_dimension_is_proved(name):
    left, right = {**RULES, **COMING, **BOOK, **LONG}[name]
    assert vanishes(left - right, known)


@pytest.mark.parametrize("wrong", [
    # right at one dimension only
    Trace(A * B) - Trace(A) * Trace(B), Determinant(A + B) - Determinant(A) - Determinant(B), Trace(unit) - 1,
    Determinant(2 * A) - 2 * Determinant(A), Trace(A) - Determinant(A), Trace(A * B * C) - Trace(B * A * C),
    Determinant(-A) + Determinant(A), Trace((A + B).I) - Trace(A.I + B.I),
    Determinant(x * y.T) - form(x.T, y),
    mean(form(w.T, w) ** 2, zero, unit) - 3 * d**2, mean(form(w.T, w) ** 2) - mean(form(w.T, w)) ** 2,
    Determinant(U * V), A * B - B * A, A - A.T, A,
    # by Cayley and Hamilton
    Trace(A) ** 2 - Trace(A * A) - 2 * Determinant(A),
    Trace(A) ** 3 - 3 * Trace(A) * Trace(A**2) + 2 * Trace(A**3),
    Trace(A) ** 3 - 3 * Trace(A) * Trace(A**2) + 2 * Trace(A**3) - 6 * Determinant(A),
    # for symmetric, commuting, definite or triangular matrices
    Trace(A * A) - Trace(A * A.T), Trace(A * B) - Trace(A * B.T), Trace(S * T * S * T) - Trace(S * S * T * T),
    log(Determinant(A * B)) - log(Determinant(A)) - log(Determinant(B)),
    sqrt(Determinant(A.T * A)) - Determinant(A), log(Determinant(A * A)) - 2 * log(Determinant(A)),
    Trace(L * L) - Trace(L * L.T), A[0, 1], S[0, 1], L[1, 0],
    log(Determinant(S - T) ** 2) - 2 * log(Determinant(S - T)), sp.Abs(form(x.T, A, x)) - form(x.T, A, x),
    Trace(A) - Sum(A[i, i], (i, 1, d - 1)),
    Trace(A * A) - Sum(A[i - 1, j - 1] ** 2, (j, 1, d), (i, 1, d)),
    # of two matrices of one name
    Trace(A) - Trace(MatrixSymbol("A", n, n)), Determinant(A) - Determinant(MatrixSymbol("A", n, n)),
    # indices and vectors that are bound
    Sum(i * Trace(A), (i, 1, n)) - i * n * Trace(A), mean(form(w.T, x)) - form(w.T, x),
    Sum(Trace(Identity(i)), (i, 1, n)) - n * i,
    # nearly Woodbury
    (S + T).I - S.I + S.I * (S.I + T.I).I * T.I, Trace((S + T).I * S) - d / 2,
])
def test_what_holds_for_some_matrices_only_is_not_proved(wrong):
    assert not vanishes(wrong, known)


@pytest.mark.parametrize(("expr", "says"), [
    (Trace(R), "may not be square"), (Determinant(R), "may not be square"),
    (Trace(A + R), "shapes may differ"), (Trace(sp.MatMul(R, A)), "shapes may not fit"),
    (Determinant(A) - Product(A[i - 1, i - 1], (i, 1, d)), "sign is unknown"),
    (Trace(sp.MatPow(R, 2)), "may not be square"),
    (Trace(sp.MatMul(Inverse(x * y.T), A)), "not square"),
    (Trace(A * Inverse(x * y.T + y * x.T)), "never have one"),
    (Trace(B * Inverse(A - A.T)), "never have one"), (Trace(B * Inverse(A * B - B * A)), "never have one"),
    (Trace(B * Inverse(form(x.T, y) * A + B)), "never have one"), (Trace(A**n), "written out"),
    (Trace(A ** half), "written out"), (1 / (Trace(A) - Trace(A.T)), "no number"),
    (mean(exp(form(w.T, x))), "no polynomial"), (mean(1 / form(w.T, x)), "no polynomial"),
    (mean(log(form(w.T, w))), "no polynomial"), (mean(Determinant(S + w * w.T)), "no polynomial"),
    (mean(Trace((S + w * w.T).I * B)), "no polynomial"), (mean(form(w.T, A, w), m, A), "symmetric"),
    (mean(w[0, 0]), "an entry"), (mean(Trace(sp.DiagMatrix(w) * S)), "a diagonal"),
    (mean(form(w.T, w) ** 5), "high degree"), (mean(form(w.T, w), y.T), "a mean"),
    (Sum(Trace((i * S + T).I), (i, 1, n)), "depends on the index"), (Sum(A[i, i], (i, 3, d)), "reversed"),
    (Sum(Determinant(S + i * T), (i, 1, n)), "depends on the index"),
    (sp.Piecewise((Trace(A), r > 0), (Trace(A.T), True)), "Piecewise"),
    (sp.Derivative(log(Determinant(r * S)), r), "Derivative"), (Trace(sp.HadamardProduct(S, T)), "Hadamard"),
])
def test_where_no_rule_is_sound_there_is_none(expr, says):
    with pytest.raises(NoRule, match=says):
        vanishes(expr, known)


def test_what_may_vanish_is_not_divided_by():
    words = Words(known)
    trace, positive = words.scalar(Trace(A) - Trace(B)), words.scalar(1 + form(x.T, S, x))
    zero = (r + 1) ** 2 - r**2 - 2 * r - 1
    assert not any(surely_nonzero(e, words) for e in (d - 1, trace, zero, sp.S.Zero))
    assert all(surely_nonzero(e, words) for e in (d, positive, r - 1, sp.S.One))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "log-ratio"))
                                  for name in [*BOOK, *(COMING if COUNT > 160 else [])]])
def test_no_wrong_version_is_proved(name):
    left, right = {**COMING, **BOOK}[name]
    rng = np.random.default_rng([len(name), fresh()])
    for what, wrong in chosen(right):
        try:
            proved = vanishes(left - wrong, known)
        except (NoRule, TypeError, ValueError):  # a slip may give what SymPy cannot build
            continue
        if proved:  # what was done may have changed nothing
            found = [number for _ in range(5) for _, number in values(left - wrong, rng)
                     if not math.isnan(number)]
            assert found and max(map(abs, found)) < 1e-6, what


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_normal_form_has_the_value_of_the_expression(chunk):
    rng = np.random.default_rng([chunk, fresh()])
    grammar, compared = Grammar(rng), 0
    for _ in range(COUNT // CHUNKS):
        expr = grammar.scalar(int(rng.integers(1, 4)))
        try:
            found, words = normal(expr, known)
        except NoRule:
            continue
        back = words.back(found)
        for place, expected in values(expr, rng):
            if not math.isnan(expected):
                got = value_or_nan(back, place)
                assert math.isnan(got) or abs(got - expected) < 1e-6 * (1 + abs(expected)), (expr, back)
                compared += not math.isnan(got)
    assert compared > COUNT / CHUNKS


def test_the_values_themselves_are_right():
    place = point(np.random.default_rng(0), 2, 1)
    assert abs(value_or_nan(mean(form(w.T, w) ** 2, zero, unit), place) - 8) < 1e-9
    assert abs(value_or_nan(Trace(S.I * S), place) - 2) < 1e-9
