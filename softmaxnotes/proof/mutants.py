"""Wrong versions of an expression: each differs from it by one slip that authors really make."""

import itertools

import sympy as sp

from .instances import Parameters, replace_plain
from .nodes import Bracket, MaxOver, NormalMatrixMean, NormalMean, Unless

MOST = 24  #: mutants tried per line, chosen evenly over the expression
MOST_COSTLY = 8  #: the same where each needs a quadrature or a limit


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
    seen = {expr}
    for what, mutant in itertools.chain([("sign flipped", -expr)], _inside(expr), _swaps(expr)):
        if mutant not in seen:
            seen.add(mutant)
            yield what, mutant


def chosen(expr):
    """The mutants of ``expr`` that a check tries: all, or an even choice where there are many."""
    every = list(mutants(expr))
    most = MOST_COSTLY if expr.has(sp.Integral, sp.Limit, sp.Derivative) else MOST
    step = max(1, -(-len(every) // most))
    return every[::step]


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
        for what, changed in _inside(argument):
            args = [*expr.args[:position], changed, *expr.args[position + 1:]]
            try:
                yield what, expr.func(*args)
            except (TypeError, ValueError, AttributeError):
                continue  # the slip gives nothing that can be written


def _here(expr):
    if isinstance(expr, sp.MatrixExpr):
        yield from _here_matrix(expr)
    elif isinstance(expr, sp.Add):
        yield from _here_sum(expr)
    elif isinstance(expr, sp.Mul):
        for factor in expr.args:
            rest = sp.Mul(*(f for f in expr.args if f is not factor))
            yield f"factor {factor} dropped", rest
            if not factor.is_number:
                yield f"factor {factor} on the other side of the fraction", rest / factor
    elif isinstance(expr, sp.Pow):
        if expr.exp != -1:
            yield f"exponent of {expr.base} dropped", expr.base
        yield f"exponent of {expr.base} raised by one", expr.base ** (expr.exp + 1)
    elif isinstance(expr, (sp.exp, sp.log)):
        yield f"{expr.func.__name__} dropped", expr.args[0]
        yield f"sign inside {expr.func.__name__} flipped", expr.func(-expr.args[0])
    elif isinstance(expr, (sp.Max, sp.Min)):
        yield "max and min confused", (sp.Min if isinstance(expr, sp.Max) else sp.Max)(*expr.args)
    elif isinstance(expr, MaxOver):
        yield "max and min confused", -MaxOver(-expr.function, *expr.limits)
    elif isinstance(expr, (sp.Sum, sp.Product)):
        (index, low, high), *outer = expr.limits
        yield "sum starts one later", expr.func(expr.function, (index, low + 1, high), *outer)
        yield "sum ends one earlier", expr.func(expr.function, (index, low, high - 1), *outer)
        other = sp.Product if isinstance(expr, sp.Sum) else sp.Sum
        yield "sum and product confused", other(expr.function, *expr.limits)
    elif isinstance(expr, (sp.Integral, Bracket)):
        (variable, low, high), *outer = expr.limits
        yield "ends exchanged", expr.func(expr.function, (variable, high, low), *outer)
    elif isinstance(expr, sp.Derivative):
        yield "derivative dropped", expr.expr
    elif isinstance(expr, Unless):
        yield f"index {expr.args[3]} not left out", expr.args[0]
    elif isinstance(expr, (sp.Trace, sp.Determinant)):
        other = sp.Determinant if isinstance(expr, sp.Trace) else sp.Trace
        yield "trace and determinant confused", other(expr.arg)
    elif isinstance(expr, sp.Integer) and expr != 0:
        yield f"{expr} instead of {expr + 1}", expr + 1


def _here_sum(expr):
    for term in expr.args:
        rest = [t for t in expr.args if t is not term]
        yield f"sign of the term {term} flipped", expr.func(*rest, -term)
        yield f"term {term} dropped", expr.func(*rest)


def _here_matrix(expr):
    if isinstance(expr, sp.MatAdd):
        yield from _here_sum(expr)
    elif isinstance(expr, sp.MatMul):
        for position, factor in enumerate(expr.args):
            rest = [*expr.args[:position], *expr.args[position + 1:]]
            if getattr(factor, "is_square", True):
                yield f"factor {factor} dropped", sp.MatMul(*rest)
    elif isinstance(expr, sp.MatPow):
        yield f"{expr} not inverted" if expr.exp == -1 else f"exponent of {expr.base} dropped", expr.base
    elif isinstance(expr, sp.Transpose) and expr.arg.is_square is True:
        yield f"{expr.arg} not transposed", expr.arg


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
            yield f"{a} and {b} exchanged", replace_plain(expr, {a: b, b: a})
    for index in parameters.indices:
        for other in bound:
            yield f"index {index} instead of {other}", expr.replace(
                lambda e, other=other: isinstance(e, sp.Indexed) and other in e.free_symbols,
                lambda e, other=other, index=index: e.xreplace({other: index}))
