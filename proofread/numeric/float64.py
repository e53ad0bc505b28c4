"""A formula run as it is typed, in double precision: what happens to someone who implements it as printed."""

import numpy as np
import sympy as sp

from proofread.language.binders import MaxOver
from proofread.language.defined import AppliedDefinition
from proofread.language.typed import Applied, Entry, Name, Operation, unfold

_FUNCTIONS = {
    sp.exp: np.exp, sp.log: np.log, sp.Abs: np.abs, sp.sin: np.sin, sp.cos: np.cos, sp.tan: np.tan,
    sp.sinh: np.sinh, sp.cosh: np.cosh, sp.tanh: np.tanh, sp.sqrt: np.sqrt, sp.Max: max, sp.Min: min}
_RANGES = {sp.Sum: sum, sp.Product: np.prod, MaxOver: max}


def in_floats(expr, point):
    """The value of a formula in double precision, operation by operation as it is typed.

    Parameters
    ----------
    expr : expression
        With names, entries, sums, products, maxima and elementary functions.
    point : dict
        Maps each plain symbol, and each entry ``(base, (1, 2, …))``, to a number.

    Raises
    ------
    ValueError
        If it holds anything else.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> float(in_floats((x + 1) - x, {unfold(x): 1e17})), float(in_floats(x - x + 1, {unfold(x): 1e17}))
    (0.0, 1.0)
    """
    with np.errstate(all="ignore"):
        return np.float64(_run(sp.sympify(expr), point))


def _run(expr, point):
    if isinstance(expr, Name) or not expr.args:
        plain = unfold(expr)
        return np.float64(point[plain] if plain in point else float(plain))
    if isinstance(expr, (Entry, sp.Indexed)):
        base, *indices = expr.args
        return np.float64(point[unfold(base), tuple(int(_run(i, point)) for i in indices)])
    if isinstance(expr, Operation):
        return expr.meaning(*(_run(a, point) for a in expr.args))
    head = type(expr).head if isinstance(expr, Applied) else type(expr)
    if head in _RANGES:
        return _ranged(_RANGES[head], *expr.args, point)
    if head in _FUNCTIONS:
        return _FUNCTIONS[head](*(_run(a, point) for a in expr.args))
    if isinstance(expr, AppliedDefinition):  # its body, with the names that this has for the arguments
        values = {p: _run(a, point) for p, a in zip(expr.signature.parameters, expr.arguments)}
        return _run(expr.signature.body, {**point, **values})
    if isinstance(expr, (sp.Add, sp.Mul)):
        return (sum if isinstance(expr, sp.Add) else np.prod)([_run(a, point) for a in expr.args])
    if isinstance(expr, sp.Pow):
        return np.power(*(_run(a, point) for a in expr.args))
    raise ValueError(f"{expr} cannot be run in double precision as it is printed")


def _ranged(gather, function, limit, *others):
    *outer, point = others
    if outer:
        raise ValueError(f"{function} runs over more than one range")
    index, low, high = limit.args
    places = range(int(_run(low, point)), int(_run(high, point)) + 1)
    return gather([_run(function, {**point, unfold(index): place}) for place in places])
