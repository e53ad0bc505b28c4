"""Means of polynomials in a normal vector: it is its mean plus an error, and errors are paired."""

import sympy as sp

from proofread.errors import NoRule
from proofread.language.binders import NormalMatrixMean, NormalMean

from .noncommutative import Letter, cut, holds, rule

HIGHEST_DEGREE = 8  #: so many factors of a normal vector are paired


@rule(NormalMean)
def _mean(expr, words):
    form, error, covariance = _shifted(expr, words.scalar, words)
    return _expected(form, error, covariance, words)


@rule(NormalMatrixMean)
def _matrix_mean(expr, words):
    """The mean of a matrix M, from those of the numbers a^T M b."""
    (number, row, column), error, covariance = _shifted(expr, lambda e: words.probed(words.matrix(e)), words)
    return _unprobed(_expected(number, error, covariance, words), row, column, expr.shape, words)


def _shifted(expr, read, words):
    """The function with the vector as its mean plus an error, the error, and the covariance."""
    function, vector, mean, covariance = expr.args
    mean, covariance, size = words.matrix(mean), words.matrix(covariance), vector.shape[0]
    if not (isinstance(vector, sp.MatrixSymbol) and vector.shape == (mean.rows, mean.columns) == (size, 1)):
        raise NoRule("a normal vector that is no column, or a mean that may not have its shape")
    if not (covariance.rows == covariance.columns == size and words.transpose(covariance) == covariance):
        raise NoRule("a covariance that is not surely symmetric")
    error = sp.MatrixSymbol(sp.Dummy("error"), size, 1)
    outer = words.bound
    words.bound = {**outer, vector: words.plus(mean, words.one(Letter(error, False, False)))}
    try:
        return read(function), error, covariance
    finally:
        words.bound = outer


def _expected(form, error, covariance, words):
    total = sp.S.Zero
    for powers, c in _monomials(sp.expand_log(form), {error}, words):
        factors = [words.word[g][1] for g, k in powers for _ in range(k)]
        if sum(x.symbol == error for w in factors for x in w) > HIGHEST_DEGREE:
            raise NoRule("a moment of high degree")
        total += c * _paired(factors, error, covariance, words)
    return total


def _monomials(form, symbols, words):
    """The terms of a polynomial in the forms that hold some symbols: (form, power) pairs, and a coefficient.

    A form that holds them elsewhere than as a letter, such as in the inverse of a sum, is refused.
    """
    holding = [g for g in form.free_symbols if words.support.get(g, set()) & symbols]
    for g in holding:
        kind, word = words.word.get(g, ("", ()))
        if kind != "form" or any(words.support.get(x.symbol, set()) & symbols for x in word):
            raise NoRule("the mean of what is no polynomial")
    if not holding:
        return [((), form)]
    try:
        terms = sp.Poly(form, *holding).terms()
    except sp.PolynomialError as error:
        raise NoRule("the mean of what is no polynomial") from error
    return [(tuple((g, k) for g, k in zip(holding, powers) if k), c) for powers, c in terms]


def _paired(factors, error, covariance, words):
    """The mean of a product of forms: each error is joined with each other one (Isserlis 1918)."""
    free = [w for w in factors if not holds(w, error)]
    open_ = [w if w[-1].symbol == error else words.turned(w) for w in factors if holds(w, error)]
    if not open_:
        return sp.Mul(*map(words.form, free))
    first, *others = open_
    total = sp.S.Zero
    for between, c in covariance.words.items():
        if _is_double(first):
            loop = words.trace(first[1:-1] + between, covariance.rows)
            total += c * loop * _paired(free + others, error, covariance, words)
        for k, other in enumerate(others):
            rest = free + others[:k] + others[k + 1:]
            for end in [words.turned(other)] + ([other] if _is_double(other) else []):
                joined = cut(first[:-1] + between + end[1:])
                total += c * _paired(joined + rest, error, covariance, words)
    return total


def _is_double(word):
    """Whether a form has the error at both ends."""
    return len(word) > 1 and word[0].symbol == word[-1].symbol


def _unprobed(number, row, column, shape, words):
    """The matrix M of which a^T M b is a number."""
    items = []
    for powers, c in _monomials(sp.expand(number), {row, column}, words):
        factors = [words.word[g][1] for g, _ in powers]
        if not factors:
            continue  # M is zero
        left, = (w if w[0].symbol == row else words.turned(w) for w in factors if holds(w, row))
        right, = (w if w[-1].symbol == column else words.turned(w) for w in factors if holds(w, column))
        items.append((left[1:-1] if len(factors) == 1 else left[1:] + right[:-1], c))
    return words.collected(*shape, items)
