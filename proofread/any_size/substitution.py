r"""The substitution rule, as what a line with integrals is shown by."""

import sympy as sp

from proofread.errors import NoRule
from proofread.language.binders import substitute
from proofread.language.intervals import Inside
from proofread.language.typed import unfold

from .bounds import Bound


class Substitution(Bound):
    """Two integrals that are equal; see `substitution`."""

    def times(self, factor):
        """Both integrals with a factor, of any sign."""
        factor = unfold(sp.sympify(factor))
        return Substitution(self.name, factor * self.greater, factor * self.lesser, self.check)

    def integral(self, variable, low, high):
        """Both integrals, inside of another one."""
        limits = tuple(unfold(sp.sympify(e)) for e in (variable, low, high))
        return Substitution(self.name, *(sp.Integral(side, limits) for side in (self.greater, self.lesser)),
                            self.check)


def substitution(function, inner, limits):
    r""":math:`\int_a^b f(g(x))\,g'(x)\,dx=\int_{g(a)}^{g(b)}f(u)\,du` for a strictly monotone g.

    That g has a derivative of one sign between the ends is checked; then both integrals exist, or none, and
    nothing is asked of f.

    Parameters
    ----------
    function : callable
        f, which may be a function without a definition.
    inner : expression
        g(x).
    limits : (x, a, b)

    Examples
    --------
    >>> from proofread import Derivation, sympy as sp
    >>> x, u, a, b = sp.symbols("x u a b", real=True)
    >>> p = sp.Function("p", positive=True)
    >>> chain = Derivation(sp.Integral(p(sp.exp(x)) * sp.exp(x), (x, a, b)),
    ...                    label="eq-exp", title="an exponential")
    >>> rule = substitution(p, sp.exp(x), (x, a, b))
    >>> chain.step(sp.Integral(p(u), (u, sp.exp(a), sp.exp(b))), "$u = e^x$", by=rule).entry().status
    'proved'
    """
    inner, *limits = (unfold(sp.sympify(e)) for e in (inner, *limits))
    variable, low, high = limits
    new = sp.Dummy("u", real=True)
    curve = unfold(sp.sympify(function(new)))
    slope = inner.diff(variable)
    inside = _between(variable, low, high)

    def check(case, names):
        if variable in low.free_symbols | high.free_symbols:
            raise NoRule(f"the ends depend on {variable}")
        if variable.is_integer or variable in curve.free_symbols:
            raise NoRule(f"{variable} is no variable that can be substituted")
        forms = (sign * form for form in (slope, sp.factor(slope.rewrite(sp.exp))) for sign in (1, -1))
        if not (inside.is_smooth(inner) and any(map(inside.is_positive, forms))):
            raise NoRule(f"{inner} is not seen to be monotone and smooth between {low} and {high}")

    ends = (_reached(inner, variable, end, side) for end, side in ((low, _towards(low, high)),
                                                                    (high, _towards(high, low))))
    before = sp.Integral(substitute(curve, {new: inner}) * slope, (variable, low, high))
    return Substitution("substitution", before, sp.Integral(curve, (new, *ends)), check)


def _between(variable, low, high):
    """Where the variable is: of ends that are no numbers, the order is not known."""
    if low.is_extended_real and high.is_extended_real and low.is_number and high.is_number:
        return Inside(variable, *((low, high) if low < high else (high, low)))
    if low.is_nonnegative and high.is_nonnegative:
        return Inside(variable, 0, sp.oo)
    return Inside(variable, -sp.oo, sp.oo)


def _towards(end, other):
    """The side from which an end is reached."""
    if end == sp.oo or other == -sp.oo:
        return "-"
    if end == -sp.oo or other == sp.oo:
        return "+"
    return "+" if end.is_number and other.is_number and end < other else "-"


def _reached(inner, variable, end, side):
    """What the inner function tends to at an end."""
    if end.is_number:
        value = sp.limit(inner, variable, end, side)
    else:  # smooth there, or the check fails
        value = substitute(inner, {variable: end})
    if not value.is_extended_real:
        raise NoRule(f"where {inner} tends to at {end} is not known: {value}")
    return value
