"""Matrices entry by entry: sums over entries, and what a trace, a form or a determinant is as such a sum."""

from functools import cache

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from proofread.errors import NoRule
from proofread.language.binders import substitute

from .noncommutative import columns, rows, rule


@rule(MatrixElement)
def _entry(expr, words):
    symbol, i, j = expr.args
    if not isinstance(symbol, sp.MatrixSymbol) or symbol in words.bound or (i + j).has(sp.MatrixExpr):
        raise NoRule("an entry of what is no symbol")
    return words.entry(symbol, sp.expand(i + 1), sp.expand(j + 1))


# --- sums over an index -----------------------------------------------------------------------------


@rule(sp.Sum, sp.Product)
def _ranged(expr, words):
    try:
        function, size = _counted(expr, words)
        return over(function, size) if isinstance(expr, sp.Sum) else _product(function, size)
    except NoRule:
        if expr.has(sp.MatrixExpr):
            raise
        return expr


def _product(function, size):
    """Of positive factors: the exponential of a sum."""
    if not function(sp.Dummy(integer=True, positive=True)).is_positive:
        raise NoRule("a product of factors whose sign is unknown")
    return sp.exp(over(lambda i: sp.log(function(i)), size))


def _counted(expr, words):
    """What is summed, as a function of an index that counts from 1, and the number of terms."""
    *inner, (symbol, low, high) = expr.limits
    size = sp.expand(high - low + 1)
    if not (low.is_Integer and size.is_nonnegative) or size.has(sp.MatrixExpr):
        raise NoRule("a range that may be reversed")  # the conventions differ there
    inside = expr.func(expr.function, *inner) if inner else expr.function

    def function(index):
        body = words.scalar(substitute(inside, {symbol: index + low - 1}))
        if any(index in words.support.get(g, ()) for g in body.free_symbols):
            raise NoRule("a trace or determinant that depends on the index of a sum")
        return body

    return function, size


def over(function, size):
    """The sum of a function of an index from 1 to ``size``, term by term, with what is constant in front."""
    index = sp.Dummy("i", integer=True, positive=True)
    total = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(sp.expand_log(function(index)))):
        outside, inside = term.as_independent(index, as_Add=False)
        slot = _slot(1 + _height(inside))
        total += outside * (size if inside == 1 else sp.Sum(inside.xreplace({index: slot}), (slot, 1, size)))
    return total


def _height(expr):
    """How deep sums are nested: their indices have the same names wherever that is the same."""
    return max((1 + _height(s.function) for s in expr.atoms(sp.Sum)), default=0)


@cache
def _slot(height):
    return sp.Dummy(f"i{height}", integer=True, positive=True)


def named(form):
    """A form with a symbol for each sum that is not inside another one."""
    if isinstance(form, sp.Sum):
        return _name(form)
    return form.func(*map(named, form.args)) if form.has(sp.Sum) else form


@cache
def _name(total):
    return sp.Dummy(real=total.function.is_real)


# --- traces, forms and determinants -------------------------------------------------------------------


def written_out(form, entrywise, words):
    """A form in which traces, forms and determinants of some matrices are sums over entries, where simple."""
    sums = {g: _as_sum(*words.word[g], entrywise, words) for g in form.free_symbols if g in words.word}
    return form.xreplace({g: total for g, total in sums.items() if total is not None})


def _as_sum(kind, word, entrywise, words):
    plain = not any(x.inverted for x in word)
    diagonals = [x.symbol.args[0] for x in word if isinstance(x.symbol, sp.DiagMatrix)]
    if kind == "trace" and len(diagonals) == len(word) and set(diagonals) <= entrywise:
        return _of_diagonals(word, words)
    if not all(x.symbol in entrywise for x in word):
        return None
    if kind == "determinant":
        return _of_triangle(word[0].symbol, words)
    if kind == "form" and len(word) == 2 and plain:
        return over(lambda i: _along(word[0], i, words) * _along(word[1], i, words), columns(word[0]))
    if kind == "trace" and len(word) == 1 and plain:
        return over(lambda i: words.entry(word[0].symbol, i, i), rows(word[0]))
    if kind == "trace" and len(word) == 2 and plain and word[1:] == words.turned(word[:1]):
        return _of_squares(word[0].symbol, words)
    return None


def _of_diagonals(word, words):
    def term(i):
        return sp.Mul(*(words.entry(x.symbol.args[0], i, 1) ** (-1 if x.inverted else 1) for x in word))

    return over(term, rows(word[0]))


def _of_triangle(symbol, words):
    """The determinant of a triangular matrix is the product of its diagonal, which is positive."""
    if words.kind(symbol) != "triangular":
        return None
    return sp.exp(over(lambda i: sp.log(words.entry(symbol, i, i)), symbol.shape[0]))


def _of_squares(symbol, words):
    """tr A A^T is the sum of the squares of all entries; a triangular one has none above its diagonal."""
    def squares(i, size):
        return over(lambda j: words.entry(symbol, i, j) ** 2, size)

    if words.kind(symbol) == "triangular":
        return over(lambda i: words.entry(symbol, i, i) ** 2 + squares(i, i - 1), symbol.shape[0])
    return over(lambda i: squares(i, symbol.shape[1]), symbol.shape[0])


def _along(letter, i, words):
    vector = letter.symbol
    return words.entry(vector, i, 1) if vector.shape[1] == 1 else words.entry(vector, 1, i)
