"""Wrong versions of an expression: each differs from it by one slip that authors really make."""

import itertools
from functools import partial

import sympy as sp

from proofread.language.binders import Bracket, MaxOver, NormalMatrixMean, NormalMean, Unless
from proofread.language.parameters import Parameters, replace_plain

MOST = 24  #: mutants tried per line, chosen evenly over the expression
MOST_COSTLY = 8  #: the same where each needs a quadrature or a limit


class Slip:
    """What was done to an expression, in words when they are asked for."""

    def __init__(self, words, *parts):
        self.words, self.parts = words, parts

    def __str__(self):
        return self.words.format(*self.parts)


def mutants(expr):
    """Yield ``(what was done, mutant)`` for single slips in ``expr``, without repetition.

    Signs are flipped, terms and factors dropped, exponents and bounds moved by one, logarithms and
    exponentials forgotten, ``max`` and ``min`` confused, indices and symbols swapped.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x")
    >>> [str(m) for _, m in mutants(1 + x)]
    ['-x - 1', 'x - 1', 'x', '1 - x', '1', 'x + 2']
    """
    return _made(expr, _slips(expr))


def chosen(expr):
    """The mutants of ``expr`` that a check tries: all, or an even choice where there are many."""
    every = list(_slips(expr))
    most = MOST_COSTLY if expr.has(sp.Integral, sp.Limit, sp.Derivative) else MOST
    return list(_made(expr, every[::max(1, -(-len(every) // most))]))


def narrowed(expr):
    """Yield ``(what was done, version)`` with an end of an integral moved inwards, one at infinity to 0.

    No slips of a line: one that differentiates by one end holds whatever the other one is.

    Examples
    --------
    >>> import sympy as sp
    >>> x, t = sp.symbols("x t")
    >>> [str(m) for _, m in narrowed(sp.Integral(x, (x, 0, t)))]
    ['Integral(x, (x, 1, t))', 'Integral(x, (x, 0, t - 1))']
    """
    for part in sorted(expr.atoms(sp.Integral), key=sp.default_sort_key):
        (variable, low, high), *outer = part.limits
        step = (high - low) / 2 if (high - low).is_Rational else sp.S.One
        later, earlier = (sp.S.Zero if end.is_infinite else end + sign * step
                          for end, sign in ((low, 1), (high, -1)))
        for what, end, other, ends in (("from", low, later, (later, high)),
                                       ("to", high, earlier, (low, earlier))):
            yield (Slip("integral {} {} instead of {}", what, other, end),
                   expr.xreplace({part: part.func(part.function, (variable, *ends), *outer)}))


def _slips(expr):
    """What can be done, each with a function that does it."""
    yield Slip("sign flipped"), lambda: -expr
    yield from _inside(expr)
    yield from _swaps(expr)


def _made(expr, slips):
    seen = {expr}
    for what, make in slips:
        try:
            mutant = make()
        except (TypeError, ValueError, AttributeError):
            continue  # the slip gives nothing that can be written
        if mutant not in seen:
            seen.add(mutant)
            yield what, mutant


def _inside(expr):
    """Slips at this node, then slips inside each argument."""
    yield from _here(expr)
    if not expr.args or isinstance(expr, (sp.Indexed, sp.IndexedBase)):
        return
    for position, argument in enumerate(expr.args):
        if isinstance(expr, (sp.Limit, sp.Subs, sp.MatPow)) and position:
            continue
        if isinstance(expr, (sp.Derivative, Bracket, NormalMean, NormalMatrixMean)) and position:
            continue
        if isinstance(argument, sp.Tuple):
            continue  # the range of a sum is treated by _here
        for what, make in _inside(argument):
            yield what, partial(_with, expr, position, make)


def _with(expr, position, make):
    return expr.func(*expr.args[:position], make(), *expr.args[position + 1:])


def _here(expr):
    """Slips at this node, each with a function that makes it: few of many are made."""
    if isinstance(expr, sp.MatrixExpr):
        yield from _here_matrix(expr)
    elif isinstance(expr, sp.Add):
        yield from _here_sum(expr)
    elif isinstance(expr, sp.Mul):
        for factor in expr.args:
            yield Slip("factor {} dropped", factor), partial(_without, expr, factor)
            if not factor.is_number:
                yield (Slip("factor {} on the other side of the fraction", factor),
                       lambda factor=factor: _without(expr, factor) / factor)
    elif isinstance(expr, sp.Pow):
        if expr.exp != -1:
            yield Slip("exponent of {} dropped", expr.base), lambda: expr.base
        yield Slip("exponent of {} raised by one", expr.base), lambda: expr.base ** (expr.exp + 1)
    elif isinstance(expr, (sp.exp, sp.log)):
        yield Slip("{} dropped", expr.func.__name__), lambda: expr.args[0]
        yield Slip("sign inside {} flipped", expr.func.__name__), lambda: expr.func(-expr.args[0])
    elif isinstance(expr, (sp.Max, sp.Min)):
        other = sp.Min if isinstance(expr, sp.Max) else sp.Max
        yield Slip("max and min confused"), lambda: other(*expr.args)
    elif isinstance(expr, MaxOver):
        yield Slip("max and min confused"), lambda: -MaxOver(-expr.function, *expr.limits)
    elif isinstance(expr, (sp.Sum, sp.Product)):
        (index, low, high), *outer = expr.limits
        yield Slip("sum starts one later"), lambda: expr.func(expr.function, (index, low + 1, high), *outer)
        yield Slip("sum ends one earlier"), lambda: expr.func(expr.function, (index, low, high - 1), *outer)
        other = sp.Product if isinstance(expr, sp.Sum) else sp.Sum
        yield Slip("sum and product confused"), lambda: other(expr.function, *expr.limits)
    elif isinstance(expr, (sp.Integral, Bracket)):
        (variable, low, high), *outer = expr.limits
        yield Slip("ends exchanged"), lambda: expr.func(expr.function, (variable, high, low), *outer)
    elif isinstance(expr, sp.Derivative):
        yield Slip("derivative dropped"), lambda: expr.expr
    elif isinstance(expr, Unless):
        yield Slip("index {} not left out", expr.args[3]), lambda: expr.args[0]
    elif isinstance(expr, (sp.Trace, sp.Determinant)):
        other = sp.Determinant if isinstance(expr, sp.Trace) else sp.Trace
        yield Slip("trace and determinant confused"), lambda: other(expr.arg)
    elif isinstance(expr, sp.Integer) and expr != 0:
        yield Slip("{} instead of {}", expr, expr + 1), lambda: expr + 1


def _without(expr, part):
    """A sum or a product without one of its parts."""
    return expr.func(*(other for other in expr.args if other is not part))


def _here_sum(expr):
    for term in expr.args:
        yield Slip("sign of the term {} flipped", term), lambda term=term: expr.func(
            *(other for other in expr.args if other is not term), -term)
        yield Slip("term {} dropped", term), partial(_without, expr, term)


def _here_matrix(expr):
    if isinstance(expr, sp.MatAdd):
        yield from _here_sum(expr)
    elif isinstance(expr, sp.MatMul):
        for position, factor in enumerate(expr.args):
            rest = [*expr.args[:position], *expr.args[position + 1:]]
            if getattr(factor, "is_square", True):
                yield Slip("factor {} dropped", factor), partial(sp.MatMul, *rest)
    elif isinstance(expr, sp.MatPow):
        words = "{} not inverted" if expr.exp == -1 else "exponent of {} dropped"
        yield Slip(words, expr.base), lambda: expr.base
    elif isinstance(expr, sp.Transpose) and expr.arg.is_square is True:
        yield Slip("{} not transposed", expr.arg), lambda: expr.arg


def _swaps(expr):
    """Two symbols of the same role exchanged, or an index put for another."""
    parameters = Parameters(expr)
    ranges = expr.atoms(sp.Sum, sp.Product)
    bound = sorted({limit[0] for r in ranges for limit in r.limits}, key=sp.default_sort_key)
    alike = {}
    for matrix in parameters.matrices:
        alike.setdefault(matrix.shape, []).append(matrix)
    for group in (parameters.scalars, parameters.indices, *alike.values()):
        for a, b in itertools.combinations(group, 2):
            yield Slip("{} and {} exchanged", a, b), partial(replace_plain, expr, {a: b, b: a})
    for index in parameters.indices:
        for other in bound:
            yield Slip("index {} instead of {}", index, other), partial(_picked_by, expr, other, index)


def _picked_by(expr, other, index):
    """Entries that one index picks, picked by another one."""
    return expr.replace(lambda e: isinstance(e, sp.Indexed) and other in e.free_symbols,
                        lambda e: e.xreplace({other: index}))
