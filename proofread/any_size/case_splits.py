r"""What is known of numbers, put into a statement: values, and cases of sign.

Where :math:`|x-y|` occurs, or the larger one of x and y, or a condition that compares them, there are three
cases: x = y + u, x = y and y = x + u with a positive u.
"""

import sympy as sp
from sympy.core.relational import Relational

from proofread.errors import NoRule
from proofread.language.binders import bound_symbols, substitute

from .rules.derivatives import differentiate, with_own_indices

MOST_SPLITS = 2  #: so many signs are gone through, in three cases each
ASKING = (sp.Abs, sp.Heaviside, sp.sign)  #: what asks for the sign of its argument
ASSUMED = ("positive", "negative", "nonnegative", "nonpositive")


def put(expr, values):
    """Values put into an expression, of which the derivatives by these symbols are taken before."""
    if not values:
        return expr
    return substitute(_differentiated(with_own_indices(expr), set(values)), values)


def _differentiated(expr, symbols):
    if not expr.args or isinstance(expr, (sp.Indexed, sp.IndexedBase)):
        return expr
    arguments = [_differentiated(a, symbols) for a in expr.args]
    if not isinstance(expr, sp.Derivative):
        return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)
    if not (expr.free_symbols | set(expr.variables)) & symbols:
        return expr
    inner = arguments[0]
    for variable in expr.variables:
        inner = differentiate(with_own_indices(inner), variable)
    if any(set(d.variables) & symbols for d in inner.atoms(sp.Derivative)):
        raise NoRule("a value for the variable of a derivative")
    return inner


def differentiated(expr):
    """An expression of which all derivatives are taken."""
    variables = {v for d in expr.atoms(sp.Derivative) for v in d.variables}
    return _differentiated(with_own_indices(expr), variables)


# --- cases of sign ----------------------------------------------------------------------------------


def split_by_sign(expr):
    """Values for a symbol or an entry in each of the cases of one sign that is asked for, or None."""
    if not expr.has(*ASKING, sp.Max, sp.Min, Relational):
        return None
    expr = with_own_indices(expr)
    for gap in sorted(_gaps(expr), key=sp.default_sort_key):
        size = sp.Dummy("u", positive=True)
        found = [_solved(gap, value, expr) for value in (size, sp.S.Zero, -size)]
        if all(found):
            return found
    return None


def _gaps(expr):
    """The differences of which the sign is asked."""
    for part in sp.preorder_traversal(expr):
        if isinstance(part, ASKING):
            yield sp.expand(part.args[0])
        elif isinstance(part, (sp.Max, sp.Min)) and len(part.args) == 2:
            yield sp.expand(part.args[0] - part.args[1])
        elif isinstance(part, Relational) and len(part.args) == 2:
            yield sp.expand(part.lhs - part.rhs)


def _solved(gap, value, expr):
    """What a part must be for the gap to have a value; if possible, a part of which the sign stays."""
    solutions = []
    for part in sorted(gap.free_symbols, key=sp.default_sort_key):
        slope = gap.coeff(part)
        if slope.is_Rational and slope != 0 and _is_free(part, gap, expr):
            solution = sp.expand(part - (gap - value) / slope)
            if all(getattr(solution, f"is_{sign}") for sign in ASSUMED if getattr(part, f"is_{sign}")):
                return {part: solution}
            solutions.append({part: solution})
    return next(iter(solutions), None)


def _is_free(part, gap, expr):
    """Whether a part is a number that can be put in everywhere."""
    if part.is_integer or not _is_real(part) or (gap - gap.coeff(part) * part).has(part):
        return False
    if isinstance(part, sp.Indexed):
        others = [e for e in expr.atoms(sp.Indexed) if e.base == part.base and e != part]
        apart = all(i.is_Integer for e in (part, *others) for i in e.indices)
        bound = {s for e in sp.preorder_traversal(expr) for s in bound_symbols(e)}
        return (apart or not others) and not part.free_symbols & bound
    return part.is_Symbol and part in expr.free_symbols


def _is_real(part):
    return part.base.is_real if isinstance(part, sp.Indexed) else part.is_real
