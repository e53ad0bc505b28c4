"""Classes of functions, as conditions: convex and concave ones, increasing and decreasing ones, densities.

A condition such as ``Convex(f)`` speaks of an undefined function of one real variable; that a function is a
density is said by its total, ``Eq(Integral(p(x), (x, -oo, oo)), 1)``.
"""

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from .typed import unfold

_PLACE = sp.Symbol("_1", real=True)


class Shape(Boolean):
    """What is known of an undefined function of one real variable; its part is the function at some place."""

    word = "?"

    def __new__(cls, function):
        example = function if isinstance(function, sp.Basic) else unfold(function(_PLACE))
        if not (isinstance(example, AppliedUndef) and example.args == (_PLACE,) and example.is_real):
            raise TypeError(f"{cls.__name__} is said of an undefined real function of one variable")
        return Boolean.__new__(cls, example)

    function = property(lambda self: self.args[0].func, doc="The function of which it is said.")
    bound_symbols = property(lambda self: [_PLACE])
    free_symbols = property(lambda self: set())

    def _sympystr(self, printer):
        return f"{type(self).__name__}({self.function.__name__})"

    def _latex(self, printer):
        return rf"{self.function.__name__}\ \text{{{self.word}}}"


class Convex(Shape):
    """A function that is twice differentiable, and whose second derivative is nowhere negative.

    Examples
    --------
    >>> import sympy as sp
    >>> Convex(sp.Function("f", real=True))
    Convex(f)
    """

    word = "convex"


class Concave(Shape):
    """A function of which the negative is convex."""

    word = "concave"


class Increasing(Shape):
    """A differentiable function with a derivative that is nowhere negative."""

    word = "increasing"


class Decreasing(Shape):
    """A function of which the negative is increasing."""

    word = "decreasing"


def shapes(function, given):
    """The classes of which the conditions say that a function belongs to them."""
    return {type(c) for c in given if isinstance(c, Shape) and c.function == function}


def integrated(function, given):
    """The places of the arguments over which the conditions say that a function has the integral 1."""
    for c in given:
        if isinstance(c, sp.Equality) and c.rhs == 1 and _is_over_the_line(c.lhs):
            application = c.lhs.function
            if isinstance(application, AppliedUndef) and application.func == function:
                variables = {limit[0] for limit in c.lhs.limits}
                return {place for place, a in enumerate(application.args) if a in variables}
    return set()


def is_about_a_density(condition, given):
    r"""Whether a condition holds of every random density.

    That is :math:`\int p=1`, and :math:`\int\partial_\theta p=0` of a density whose total is told.
    """
    if not (isinstance(condition, sp.Equality) and _is_over_the_line(condition.lhs)):
        return False
    inside, by = condition.lhs.function, set()
    if isinstance(inside, sp.Derivative):
        inside, by = inside.expr, set(inside.variables)
    variables = {limit[0] for limit in condition.lhs.limits}
    if not (isinstance(inside, AppliedUndef) and all(a.is_Symbol for a in inside.args)
            and len(set(inside.args)) == len(inside.args)):
        return False
    places = {place for place, a in enumerate(inside.args) if a in variables}
    if not places or places != integrated(inside.func, given) or len(places) != len(variables):
        return False
    return condition.rhs == (0 if by else 1) and by <= set(inside.args) - variables


def _is_over_the_line(expr):
    return isinstance(expr, sp.Integral) and all(tuple(limit[1:]) == (-sp.oo, sp.oo) for limit in expr.limits)
