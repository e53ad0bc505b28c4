"""What conditions say.

That a function is a density is told by its total, ``Eq(Integral(p(x), (x, -oo, oo)), 1)``.
"""

import sympy as sp
from sympy.core.function import AppliedUndef


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
