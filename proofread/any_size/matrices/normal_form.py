"""Statements about matrices of every dimension, by a normal form of words.

Traces, quadratic forms and determinants that are left over become symbols, and the scalar normal form decides
the rest.  That takes such symbols for independent, which can miss a proof and never gives a false one.  The
rules stand here, in `moments` (normal vectors), `inverses` (of sums) and `entries`.

What holds where all inverses exist is proved: they do almost everywhere, and both sides are continuous.
"""

from functools import cache, reduce

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from proofread.errors import NoRule
from proofread.fixed_size.zero_test import is_zero

from . import moments  # noqa: F401 -- it registers its rules
from .entrywise import named, written_out
from .inverses import solved
from .noncommutative import Letter, Matrix, Words, are_square, order, rule

HIGHEST_POWER = 8  #: a power of a matrix is written out up to here


def vanishes(expr, given=()):
    """Whether the normal form shows that a scalar or a matrix is zero for every dimension.

    ``False`` decides nothing.  Of ``given`` only what it says of matrices is used: a definite one is
    symmetric, a triangular one has a positive diagonal.

    Raises
    ------
    NoRule
        If some part has no sound rule.
    TooLong
        If the scalar normal form is cut off.

    Examples
    --------
    >>> import sympy as sp
    >>> d = sp.Symbol("d", integer=True, positive=True)
    >>> A, B = (sp.MatrixSymbol(name, d, d) for name in "AB")
    >>> vanishes(sp.Trace(A * B.T) - sp.Trace(A.T * B)), vanishes(sp.Trace(A * B) - sp.Trace(A.T * B))
    (True, False)
    >>> volume = sp.log(sp.Determinant(A * A)) - 2 * sp.log(sp.Determinant(A))
    >>> vanishes(volume, [sp.Q.positive_definite(A)]), vanishes(volume)
    (True, False)
    """
    form, _ = normal(expr, given)
    return bool(is_zero(named(form)))


def normal(expr, given=()):
    """The normal form, a number, and the `Words` that know what its symbols stand for.

    Of a matrix M it is that of a^T M b for any vectors a and b.
    """
    words = Words(given)
    form = words.probed(words.matrix(expr))[0] if isinstance(expr, sp.MatrixExpr) else words.scalar(expr)
    form = written_out(solved(form, words), {e.parent for e in expr.atoms(MatrixElement)}, words)
    if form.has(sp.zoo, sp.nan, sp.oo, sp.MatrixExpr):
        raise NoRule("no number is left")
    return form, words


# --- symbols, sums, products ------------------------------------------------------------------------


@rule(sp.MatrixSymbol)
def _symbol(expr, words):
    return words.bound[expr] if expr in words.bound else words.one(Letter(expr, False, False))


@rule(sp.DiagMatrix)
def _diagonal_matrix(expr, words):
    vector = expr.args[0]
    if not isinstance(vector, sp.MatrixSymbol) or vector in words.bound:
        raise NoRule("a diagonal that is no symbol")
    return words.one(Letter(expr, False, False))


@rule(sp.Identity)
def _identity(expr, words):
    return Matrix(*expr.shape, {(): sp.S.One})


@rule(sp.ZeroMatrix)
def _zero(expr, words):
    return Matrix(*expr.shape, {})


@rule(sp.MatAdd)
def _sum(expr, words):
    return reduce(words.plus, map(words.matrix, expr.args))


@rule(sp.MatMul)
def _product(expr, words):
    matrices = [words.matrix(a) for a in expr.args if isinstance(a, sp.MatrixExpr)]
    factors = [words.scalar(a) for a in expr.args if not isinstance(a, sp.MatrixExpr)]
    if not matrices:
        raise NoRule("a matrix product without a matrix")
    return words.scaled(reduce(words.times, matrices), sp.Mul(*factors))


@rule(sp.Transpose)
def _transpose(expr, words):
    return words.transpose(words.matrix(expr.arg))


# --- powers and inverses ------------------------------------------------------------------------------


@rule(sp.MatPow, sp.Inverse)
def _power(expr, words):
    matrix, exponent = words.matrix(expr.base), expr.exp
    if matrix.rows != matrix.columns:
        raise NoRule("a power of a matrix that may not be square")
    if not (exponent.is_Integer and abs(exponent) <= HIGHEST_POWER):
        raise NoRule("a power that is not written out")
    factor = inverse(matrix, words) if exponent < 0 else matrix
    return reduce(words.times, [factor] * abs(int(exponent)), _unit(matrix.rows))


def _unit(size):
    return Matrix(size, size, {(): sp.S.One})


def inverse(matrix, words):
    """Of a word the inverses of its letters; of a sum a new letter, of which `inverses` knows more."""
    if not matrix.words:
        raise NoRule("the inverse of zero")
    if len(matrix.words) > 1:
        return _inverse_of_sum(matrix, words)
    (word, c), = matrix.words.items()
    if not are_square(word, matrix.rows):
        raise NoRule("the inverse of a product of matrices that are not square")
    factors = (words.inverse_of_letter(x) for x in reversed(word))
    return words.scaled(reduce(words.times, factors, _unit(matrix.rows)), 1 / c)


def _inverse_of_sum(matrix, words):
    if not _is_regular(matrix, words):
        raise NoRule("the inverse of a sum that may never have one")
    lead = matrix.words[min(matrix.words, key=order)]
    lead = lead if lead.is_nonzero else sp.S.One
    matrix = words.scaled(matrix, 1 / lead)
    return words.scaled(words.one(words.letter_of_sum(matrix)), 1 / lead)


def _is_regular(matrix, words):
    """Whether a sum has an inverse almost everywhere: square letters at multiples of I, others near 0."""
    if words.definite(matrix):
        return True
    letters = {x.symbol for w in matrix.words for x in w}
    if any(s in words.sums or isinstance(s, sp.DiagMatrix) for s in letters) or any(
            c.has(sp.Indexed, sp.Sum, *words.content) for c in matrix.words.values()):
        return False  # these cannot be chosen beside the letters
    at_multiples = [c * sp.Mul(*(_multiple(x.symbol) ** (-1 if x.inverted else 1) for x in w))
                    for w, c in matrix.words.items() if are_square(w, matrix.rows)]
    total = sp.Add(*at_multiples)
    return bool(total.is_positive or total.is_rational_function() and sp.cancel(total) != 0)


@cache
def _multiple(symbol):
    return sp.Dummy(positive=True)


# --- traces and determinants --------------------------------------------------------------------------


@rule(sp.Trace)
def _trace(expr, words):
    matrix = words.matrix(expr.arg)
    if matrix.rows != matrix.columns:
        raise NoRule("the trace of a matrix that may not be square")
    return sp.Add(*(c * words.trace(w, matrix.rows) for w, c in matrix.words.items()))


@rule(sp.Determinant)
def _determinant(expr, words):
    matrix = words.matrix(expr.arg)
    if matrix.rows != matrix.columns:
        raise NoRule("the determinant of a matrix that may not be square")
    return determinant(matrix, words)


def determinant(matrix, words):
    """c^d times the product over the letters; of a sum, or of factors that are not square, a symbol."""
    size = matrix.rows
    if size == 1:
        return matrix.words.get((), sp.S.Zero)
    if not matrix.words:
        return sp.S.Zero
    if len(matrix.words) == 1:
        (word, c), = matrix.words.items()
        if are_square(word, size):
            return c**size * sp.Mul(*(_determinant_of_letter(x, words) for x in word))
    matrix = min((matrix, words.transpose(matrix)), key=lambda m: sorted(map(order, m.words)))
    signs = {"positive": True} if words.definite(matrix) else {}
    return words.generator(("determinant", frozenset(matrix.words.items())),
                           sp.Determinant(words.expression(matrix)), words.parts(matrix), **signs)


def _determinant_of_letter(letter, words):
    symbol = letter.symbol
    if symbol in words.sums:  # such a letter occurs inverted only
        return 1 / determinant(words.sums[symbol], words)
    signs = {"positive": True} if words.kind(symbol) != "any" else {}
    value = words.generator(("determinant", symbol), sp.Determinant(symbol), [symbol],
                            (Letter(symbol, False, False),), **signs)
    return 1 / value if letter.inverted else value
