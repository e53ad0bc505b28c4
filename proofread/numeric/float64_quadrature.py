"""Integrals in double precision, at all nodes at once: enough to tell wrong versions apart, and cheap."""

from functools import reduce

import numpy as np
import sympy as sp
from mpmath import mp, mpf
from scipy.integrate import tanhsinh
from sympy.core.function import AppliedUndef, UndefinedFunction

from proofread.errors import CannotEvaluate
from proofread.language.undefined_functions import canonical, plain_name

TOLERANCE = 1e-12  #: the error that is aimed at, relative to the value
ACCEPTED = 1e-10  #: and the one that is accepted
LEVELS = 6  #: each has twice as many nodes as the one before

_FUNCTIONS = {
    sp.exp: np.exp, sp.log: np.log, sp.sin: np.sin, sp.cos: np.cos, sp.tan: np.tan, sp.atan: np.arctan,
    sp.sinh: np.sinh, sp.cosh: np.cosh, sp.tanh: np.tanh, sp.Abs: np.abs, sp.sign: np.sign, sp.Pow: np.power,
    sp.Add: lambda *a: reduce(np.add, a), sp.Mul: lambda *a: reduce(np.multiply, a),
    sp.Max: lambda *a: reduce(np.maximum, a), sp.Min: lambda *a: reduce(np.minimum, a),
}


def has_meaning(function, variable):
    """Whether a function of a variable can be computed for all nodes at once."""
    function = canonical(function)
    return not function.has(variable) or function == variable or (
        (function.func in _FUNCTIONS or isinstance(function, AppliedUndef))
        and all(has_meaning(a, variable) for a in function.args))


def integral(function, variable, cuts, point, value):
    """The integral from cut to cut, right to nearly all digits of a double.

    Raises
    ------
    CannotEvaluate
        If it does not settle, or is so small beside its integrand that too few digits are left.

    Examples
    --------
    >>> from proofread.numeric.evaluation import value_at
    >>> x = sp.Symbol("x")
    >>> print(integral(sp.exp(-x**2), x, [-mp.inf, mp.inf], {}, value_at))
    1.77245385090552
    """
    function, constants = canonical(function), {}
    functions = {key.__name__: known for key, known in point.items() if isinstance(key, UndefinedFunction)}

    def constant(part):
        if part not in constants:
            number = value(part, point)
            if mp.im(number) != 0:
                raise CannotEvaluate(f"{part} is not real")
            constants[part] = float(number)
        return constants[part]

    def smooth(name, order, arguments, shape):
        """A random function, node by node; it remembers the nodes."""
        each = zip(*(np.broadcast_to(a, shape).flat for a in arguments))
        values = [float(functions[name]([mpf(float(u)) for u in one], order, value)) for one in each]
        return np.reshape(values, shape)

    def on(part, nodes):
        if part == variable:
            return nodes
        if not part.has(variable):
            return constant(part)
        arguments = [on(a, nodes) for a in part.args]
        if part.func in _FUNCTIONS:
            return _FUNCTIONS[part.func](*arguments)
        return smooth(*plain_name(part), arguments, nodes.shape)

    def integrand(nodes):
        return on(function, nodes) + np.zeros(nodes.shape)

    with np.errstate(all="ignore"):
        pieces = [tanhsinh(integrand, float(low), float(high), rtol=TOLERANCE, maxlevel=LEVELS)
                  for low, high in zip(cuts, cuts[1:])]
    total, error = (sum(getattr(piece, what) for piece in pieces) for what in ("integral", "error"))
    if not error <= ACCEPTED * abs(total):
        raise CannotEvaluate(f"the quadrature of {function} in doubles does not settle")
    return mpf(float(total))
