"""The value of an expression at a point, right to its digits, or none."""

import sympy as sp
from mpmath import mp, mpf

from proofread.errors import CannotEvaluate
from proofread.language.typed import unfold

from .balls import enclosed
from .environment import Point
from .integrals.quadrature import are_nested
from .multiprecision import value_at
from .precision import DIGITS, same

QUICK_DIGITS = 15  #: enough to tell wrong versions apart
#: what mpmath raises where there is no value
NO_VALUE = (ArithmeticError, ValueError, TypeError, IndexError, mp.NoConvergence)


def evaluate(expr, point, digits=DIGITS):
    """The value of ``expr`` at ``point``, right to ``digits`` digits, or `CannotEvaluate`.

    Parameters
    ----------
    expr : sympy.Expr
    point : dict
        Maps each free symbol, and each ``IndexedBase`` entry ``(base, (1, 2, ...))``, to a number, each
        ``MatrixSymbol`` to its rows, and each undefined function to a `Smooth`.
    digits : int
        The value is computed at two working precisions, and more if they disagree; it is returned
        when two successive ones agree to ``digits`` digits.

    Returns
    -------
    mpmath.mpf or mpmath.mpc
        A `Proved` one where the error bound is proved.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x")
    >>> print(evaluate(sp.Derivative(sp.exp(2 * x), x), {x: 0}, digits=15))
    2.0
    """
    expr, point = sp.sympify(expr), point if isinstance(point, Point) else Point(point)
    right, value = point.evaluated.get(expr, (0, None))
    if right < digits:
        value = _evaluated(expr, point, digits)
        point.evaluated[expr] = digits, value
    return value


def _evaluated(expr, point, digits):
    if (value := enclosed(expr, point, digits)) is not None:
        return value
    # a value that shrinks as digits are added is a zero; numerical calculus reaches it only roughly
    integral = expr.has(sp.Integral)
    rough = integral or expr.has(sp.Limit, sp.Derivative)
    previous = None
    for working in (digits + (6 if integral else 15), digits + 25, 4 * digits + 30, 400, 450):
        with mp.workdps(working):
            try:
                value = mp.mpmathify(value_at(expr, point))
            except NO_VALUE as error:
                raise CannotEvaluate(f"{expr}: {error or type(error).__name__}") from error
            if mp.isnan(value):
                raise CannotEvaluate(f"{expr} is not a number at this point")
            if integral and mpf(10) ** -3 < abs(value) < mpf(10) ** 3:
                return value  # the quadrature has estimated its error, and no cancellation has enlarged it
            if value == 0 and previous is None and integral and are_nested(expr):
                return value  # the quadrature has found that everything cancels, and to ask again is dear
            if previous is not None:
                if value != 0 and same(value, previous, digits):
                    return value
                if max(abs(value), abs(previous)) < mpf(10) ** -(digits if rough else 200):
                    # what does not shrink is small and no zero
                    if working == 450 or rough and abs(value) <= abs(previous) * mpf(10) ** -8:
                        return mpf(0)
            previous = value
    raise CannotEvaluate(f"{expr}: no {digits} stable digits at this point")


def quick(expr, point, patient=True):
    """A value in moderate precision for telling wrong versions apart, or ``None``.

    An integral that does not settle with few digits is only tried with more if one is ``patient``.
    """
    expr, point = unfold(expr), point if isinstance(point, Point) else Point(point)
    if expr in point.evaluated:
        return point.evaluated[expr][1]
    if (value := enclosed(expr, point, QUICK_DIGITS)) is not None:
        return value
    # a quadrature with few digits is cheap, if it settles
    for digits in ((15, 25) if patient else (15,)) if expr.has(sp.Integral) else (25,):
        with mp.workdps(digits):
            try:
                value = mp.mpmathify(value_at(expr, point))
                return None if mp.isnan(value) else value
            except (CannotEvaluate, *NO_VALUE):
                continue
    return None
