"""The arithmetic of double precision, for one number or for an array of them: NumPy's functions.

A formula is run here as it is typed: what happens to someone who implements it as printed.  And an integral
is computed at all of its nodes at once: enough to tell wrong versions apart, and cheap.
"""

from functools import reduce
from operator import add, mul

import numpy as np
import sympy as sp
from mpmath import mp, mpf
from scipy.integrate import tanhsinh
from sympy.core.function import AppliedUndef, UndefinedFunction

from proofread.errors import CannotEvaluate
from proofread.language.binders import MaxOver
from proofread.language.defined import AppliedDefinition
from proofread.language.typed import Applied, Entry, Name, Notation, Operation, unfold
from proofread.language.undefined_functions import canonical, plain_name

from .compiled import Arithmetic
from .multiprecision import value_at

TOLERANCE = 1e-12  #: the error of an integral that is aimed at, relative to the value
ACCEPTED = 1e-10  #: and the one that is accepted
LEVELS = 6  #: each has twice as many nodes as the one before


class Float64(Arithmetic):
    """Expressions as functions of NumPy's doubles, or arrays of them."""

    functions = {
        sp.exp: np.exp, sp.log: np.log, sp.sin: np.sin, sp.cos: np.cos, sp.tan: np.tan, sp.atan: np.arctan,
        sp.sinh: np.sinh, sp.cosh: np.cosh, sp.tanh: np.tanh, sp.Abs: np.abs, sp.sign: np.sign,
        sp.Pow: np.power, sp.Max: lambda *a: reduce(np.maximum, a), sp.Min: lambda *a: reduce(np.minimum, a),
    }

    def number(self, value):
        return value if type(value) is int or isinstance(value, np.ndarray) else np.float64(value)

    def constant(self, expr):
        return np.float64(expr)


# --- as typed -----------------------------------------------------------------------------------------


class AsTyped(Float64):
    """Operation by operation as a formula is typed; SymPy puts nothing in order."""

    functions = {**Float64.functions, sp.sqrt: np.sqrt}

    def unknown(self, expr):
        raise ValueError(f"{expr} cannot be run in double precision as it is printed")

    def name(self, expr):
        plain, = expr.args
        return self.symbol(plain) if plain.is_Symbol else lambda environment: self.constant(plain)

    def entry(self, expr):
        plain = unfold(expr)
        return self.symbol(plain) if isinstance(plain, sp.Indexed) else self.unknown(expr)

    def head(self, expr):
        """One of SymPy's functions or operators."""
        head = type(expr).head
        if head in self.functions:
            return self.called(head, expr.args)
        return self.loop(expr, *_LOOPS[head]) if head in _LOOPS else self.unknown(expr)

    def definition(self, expr):
        """The body, with the names that this has for the arguments."""
        parameters, body = expr.signature.parameters, self.program(expr.signature.body)
        arguments = [self.program(a) for a in expr.arguments]

        def definition(environment):
            values = [argument(environment) for argument in arguments]
            return environment.at(dict(zip(parameters, values)), body)

        return definition


_LOOPS = {sp.Sum: (add, 0), sp.Product: (mul, 1), MaxOver: (max, None)}

AsTyped.nodes = {
    Name: AsTyped.name,
    Entry: AsTyped.entry,
    Operation: lambda self, expr: self.applied(expr.meaning, expr.args),
    Applied: AsTyped.head,
    AppliedDefinition: AsTyped.definition,
    Notation: AsTyped.unknown,
}
AS_TYPED = AsTyped()


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
        return np.float64(AS_TYPED.value(sp.sympify(expr), point))


# --- integrals ----------------------------------------------------------------------------------------

PLACE = sp.Dummy("x", real=True)  #: the variable of any integral: an array of nodes


class AtNodes(Float64):
    """Integrands as functions of an environment of mpmath's numbers, in which `PLACE` is an array."""

    def _program(self, expr):
        return super()._program(expr) if expr.has(PLACE) else self.standing(expr)

    def standing(self, expr):
        """What does not move, computed by mpmath."""
        def standing(environment):
            number = value_at(expr, environment)
            if mp.im(number) != 0:
                raise CannotEvaluate(f"{expr} is not real")
            return float(number)

        return standing

    def smooth(self, expr):
        """A random function, node by node; it remembers the nodes."""
        (name, order), arguments = plain_name(expr), [self.program(a) for a in expr.args]

        def smooth(environment):
            function = next(known for key, known in environment.point.items()
                            if isinstance(key, UndefinedFunction) and key.__name__ == name)
            places = np.broadcast_arrays(*(argument(environment) for argument in arguments))
            values = [float(function([mpf(float(u)) for u in place], order, value_at))
                      for place in zip(*(each.flat for each in places))]
            return np.reshape(values, places[0].shape)

        return smooth


AtNodes.nodes = {
    AppliedUndef: AtNodes.smooth,
    MaxOver: lambda self, expr: self.loop(expr, np.maximum, None),
    **dict.fromkeys((sp.Piecewise, sp.Subs), AtNodes.unknown),
}
AT_NODES = AtNodes()


def at_nodes(function, variable):
    """The integrand for all nodes at once, or None if a part of it is not known."""
    try:
        return AT_NODES.program(canonical(function).xreplace({variable: PLACE}))
    except CannotEvaluate:
        return None


def integral(integrand, cuts, environment):
    """The integral of what `at_nodes` gives from cut to cut, right to nearly all digits of a double.

    Raises
    ------
    CannotEvaluate
        If it does not settle, or is so small beside its integrand that too few digits are left.

    Examples
    --------
    >>> from proofread.numeric.environment import Point
    >>> from proofread.numeric.multiprecision import NUMBERS
    >>> x, environment = sp.Symbol("x"), Point({}).environment(NUMBERS.number)
    >>> print(integral(at_nodes(sp.exp(-x**2), x), [-mp.inf, mp.inf], environment))
    1.77245385090552
    """
    with environment.moving(PLACE) as move, np.errstate(all="ignore"):
        def values(nodes):
            move(nodes)
            return integrand(environment) + np.zeros(nodes.shape)

        pieces = [tanhsinh(values, float(low), float(high), rtol=TOLERANCE, maxlevel=LEVELS)
                  for low, high in zip(cuts, cuts[1:])]
    total, error = (sum(getattr(piece, what) for piece in pieces) for what in ("integral", "error"))
    if not error <= ACCEPTED * abs(total):
        raise CannotEvaluate("the quadrature in doubles does not settle")
    return mpf(float(total))
