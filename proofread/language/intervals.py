"""What is positive, and what is smooth, inside of a range: conclusions that SymPy does not draw.

This is one of two provers of signs: of plain expressions, under conditions and for variables between two ends
(`is_positive`, `Inside`, `Regions`).  The other one, `any_size.positivity`, is for sums of any length.  Of
what may have another sign, neither says that it is positive.
"""

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from .binders import MaxOver, substitute
from .conditions import Conditions

#: what has derivatives of all orders on the whole line
SMOOTH = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.erfc)
#: what may have a kink or a jump, which its derivative does not see
KINKS = (sp.Piecewise, sp.Heaviside, sp.sign, sp.floor, sp.ceiling, sp.Abs, sp.Max, sp.Min, MaxOver)

#: a number between 0 and 1, by a positive one
_UNIT = (lambda v: sp.exp(-v), lambda v: 1 - sp.exp(-v), lambda v: v / (1 + v))

# --- under conditions -------------------------------------------------------------------------------


def is_positive(expr, given=()):
    """Whether it is seen that an expression is positive wherever the conditions hold.

    Examples
    --------
    >>> u, x = sp.Symbol("u", positive=True), sp.Symbol("x", real=True)
    >>> is_positive(u + 1 / u), is_positive(x**2), is_positive(1 - u, [u < 1]), is_positive(1 - u, [u <= 1])
    (True, False, True, False)
    >>> is_positive(3 - sp.exp(x), [x < sp.log(2)])
    True
    """
    known = Conditions(given)
    if all(map(_is_positive_by_form, known.everywhere(expr))):
        return True
    expr = sp.sympify(expr)
    if expr.is_number or not expr.free_symbols:
        return False
    number, rest = expr.as_independent(*expr.free_symbols, as_Add=True)
    content, rest = rest.primitive()
    factor, inside = rest.as_independent(*expr.free_symbols, as_Add=False)
    factor *= content
    if not (number.is_real and factor.is_nonzero and factor.is_real):
        return False
    sign, bound = (1 if factor.is_positive else -1), -number / factor  # inside lies above it, or below
    return (_is_told(sign * (inside - bound), known) or isinstance(inside, (sp.exp, sp.log))
            and _is_taken_back(sign, inside, bound, known))


def _is_positive_by_form(expr):
    """Whether the signs of the parts of an expression show that it is positive, in one of its forms."""
    forms = (lambda e: e, sp.factor, lambda e: sp.factor(sp.together(e)), sp.expand)
    return any(form(expr).is_positive for form in forms)


def _is_told(gap, known):
    """Whether a condition says that a gap is positive, or more than that."""
    for c in known.inequalities:
        rest = sp.expand(gap - (c.gts - c.lts))
        if rest.is_number and (rest.is_positive or c in known.strict and rest.is_zero):
            return True
    return False


def _is_taken_back(sign, inside, bound, known):
    """Whether an exponential or a logarithm lies above (sign 1) or below (-1) a number, by its argument."""
    argument, = inside.args
    if isinstance(inside, sp.log):
        return is_positive(sign * (argument - sp.exp(bound)), known) and (
            sign > 0 or is_positive(argument, known))
    if bound.is_positive:
        return is_positive(sign * (argument - sp.log(bound)), known)
    return sign > 0 and bool(argument.is_real and bound.is_nonpositive)


# --- between two ends -------------------------------------------------------------------------------


class Inside:
    """A variable between two ends, which are left out.

    Examples
    --------
    >>> x, a = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)
    >>> unit, line = Inside(x, 0, 1), Inside(x, -sp.oo, sp.oo)
    >>> unit.is_positive(1 - x**a), unit.is_positive(-sp.log(x)), unit.is_positive(1 - 2 * x)
    (True, True, False)
    >>> unit.is_smooth(sp.log(x)), line.is_smooth(1 / x), line.is_smooth(1 / (1 + x**2))
    (True, False, True)
    """

    def __init__(self, variable, low, high):
        low, high = sp.sympify(low), sp.sympify(high)
        sign = "positive" if low.is_nonnegative else "negative" if high.is_nonpositive else "real"
        self.variable = sp.Dummy(variable.name, **{sign: True})
        self._old, self._low, self._high = variable, low, high

    def _own(self, expr):
        return sp.sympify(expr).xreplace({self._old: self.variable})

    def is_positive(self, expr):
        """Whether it is seen that an expression is positive at every place inside."""
        return self._positive(self._own(expr))

    def is_smooth(self, expr):
        """Whether it is seen that an expression has a derivative at every place inside."""
        return self._smooth(self._own(expr))

    def _positive(self, expr):
        if expr.is_positive or expr.is_nonnegative and expr.is_nonzero:
            return bool(self._smooth(expr))  # what has a pole has no sign there
        if expr.is_Mul and expr.could_extract_minus_sign() and any(isinstance(f, sp.log) for f in expr.args):
            logs = [f for f in expr.args if isinstance(f, sp.log)]
            return len(logs) == 1 and self._positive(-expr / logs[0]) and self._below_one(logs[0].args[0])
        if expr.is_Mul:
            return all(map(self._positive, expr.args))
        if expr.is_Pow and expr.exp.is_real:
            return self._positive(expr.base)
        if expr.is_Add:
            return (all(map(self._positive, expr.args)) or self._below_one(1 - expr)
                    or any(d is not None and d.is_positive for d in self._beyond_ends(expr)))
        return False

    def _beyond_ends(self, expr):
        """What a distance from an end is a multiple of."""
        for end, sign in ((self._low, 1), (self._high, -1)):
            if not end.is_infinite:
                factor = sp.cancel(expr / (sign * (self.variable - end)))
                yield factor if self.variable not in factor.free_symbols else None

    def _below_one(self, expr):
        """Whether it is seen that an expression lies between 0 and 1."""
        if expr == self.variable:
            return self._low.is_nonnegative and self._high == 1
        if expr.is_number:
            return bool(expr > 0) and bool(expr < 1)
        if isinstance(expr, sp.exp):
            return bool(expr.args[0].is_real) and self._positive(-expr.args[0])
        if expr.is_Pow:
            return bool(expr.exp.is_positive) and self._below_one(expr.base)
        if expr.is_Mul:
            return all(map(self._below_one, expr.args))
        if expr.is_Add and expr.as_coeff_Add()[0] == 1:
            return self._below_one(sp.expand(1 - expr))
        return False

    def _smooth(self, expr):
        if self.variable not in expr.free_symbols:
            return True
        if expr.is_Symbol or isinstance(expr, (sp.Add, sp.Mul, *SMOOTH)):
            return all(map(self._smooth, expr.args))
        if isinstance(expr, AppliedUndef):
            return bool(expr.is_real) and all(map(self._smooth, expr.args))
        if expr.is_Pow:
            whole = expr.exp.is_Integer
            return (self._smooth(expr.base) and self._smooth(expr.exp)
                    and bool(whole and expr.exp.is_nonnegative or self._positive(expr.base)
                             or whole and self._positive(-expr.base)))
        return isinstance(expr, sp.log) and self._smooth(expr.args[0]) and self._positive(expr.args[0])


def is_continuous_at(expr, variable, place):
    """Whether it is seen that a function has its value at a finite place for a limit there."""
    if variable not in expr.free_symbols or expr == variable:
        return True
    if not all(is_continuous_at(a, variable, place) for a in expr.args):
        return False
    if expr.is_Add or expr.is_Mul or isinstance(expr, SMOOTH):
        return True
    if expr.is_Pow or isinstance(expr, sp.log):
        base = substitute(expr.args[0], {variable: place})
        return bool(base.is_positive or expr.is_Pow and base.is_zero and expr.exp.is_positive
                    and variable not in expr.exp.free_symbols)
    return False


# --- several variables ------------------------------------------------------------------------------


class Regions:
    """Some variables, each with the ends of its range, which may depend on the variables before it.

    Parameters
    ----------
    limits : iterable of triples
        Each a variable, its least and its largest value, as plain SymPy; the ends are left out.
    given : iterable of relations
        Conditions on the other symbols.

    Examples
    --------
    >>> x, y = sp.symbols("x y", positive=True)
    >>> ordered = Regions([(x, 0, sp.oo), (y, x, sp.oo)])
    >>> ordered.is_positive(y - x), ordered.is_positive(y - 2 * x)
    (True, False)
    """

    def __init__(self, limits, given=()):
        self.limits = [tuple(map(sp.sympify, limit)) for limit in limits]
        self.given = Conditions(given)

    @property
    def inside(self):
        """The conditions, and that each variable lies within its range."""
        within = [c for x, low, high in self.limits for c in (x > low, x < high)]
        return [*self.given, *(c for c in within if c not in (sp.true, sp.false) and not c.has(sp.oo))]

    def written(self, *exprs):
        """Each way of writing the variables of some expressions by free ones: a dictionary.

        What stands in an angle is written by the tangent of its half, so that sines and cosines of the whole
        range become fractions.
        """
        angles = set().union(*(a.free_symbols for e in exprs for a in e.atoms(TrigonometricFunction)))
        has_choice = any(not (low.is_infinite or high.is_infinite or x in angles)
                         for x, low, high in self.limits)
        for unit in _UNIT if has_choice else _UNIT[:1]:
            put = {}
            for x, low, high in self.limits:
                low, high = substitute(low, put), substitute(high, put)
                v, w = sp.Dummy("v", positive=True), sp.Dummy("w", real=True)
                if low.is_infinite or high.is_infinite:
                    put[x] = low + v if not low.is_infinite else high - v if not high.is_infinite else w
                else:
                    part = sp.S.Half + sp.atan(w) / sp.pi if x in angles else unit(v)
                    put[x] = sp.expand(low + (high - low) * part)
            yield put

    def is_positive(self, expr):
        """Whether it is seen that an expression is positive everywhere inside."""
        return any(self.has_sign(_is_positive_by_form, expr, put) for put in self.written(expr))

    def is_smooth(self, expr):
        """Whether it is seen that an expression has continuous derivatives everywhere inside."""
        return any(all(inside.is_smooth(part) for inside in _each(part))
                   for part in (put_in(expr, put) for put in self.written(expr)))

    def has_sign(self, kind, expr, put):
        """Whether an expression with variables written by free ones is positive, or of a kind."""
        parts = map(_bounded, self.given.everywhere(put_in(expr, put)))
        return all(any(inside.is_positive(part) for inside in _each(part)) or kind(part) for part in parts)


def _each(expr):
    """The free variables of a written expression, with their ranges."""
    dummies = sorted((s for s in expr.free_symbols if isinstance(s, sp.Dummy)), key=sp.default_sort_key)
    return [Inside(v, 0 if v.is_positive else -sp.oo, sp.oo) for v in dummies]


def put_in(expr, put):
    """``expr`` with variables written by others; sines and cosines of a double angle are fractions."""
    plain = _merged(substitute(expr, put))
    if not any(e.has(sp.atan) for e in put.values()):
        return plain
    plain = plain.replace(lambda e: isinstance(e, TrigonometricFunction),
                          lambda e: sp.expand_trig(e.func(sp.expand(e.args[0]))))
    return plain.replace(lambda e: e.is_Pow and not e.exp.is_Integer, lambda e: sp.factor(e.base) ** e.exp)


def _merged(expr):
    """``expr`` with a power of a power as one, where the base is seen to be positive."""
    bases = {p.base for p in expr.atoms(sp.Pow) if p.base.is_Add
             and any(inside.is_positive(p.base) for inside in _each(p.base))}
    for base in sorted(bases, key=lambda e: (e.count_ops(), sp.default_sort_key(e))):  # the inner ones first
        name = sp.Dummy("d", positive=True)
        expr = expr.xreplace({base: name}).xreplace({name: base})
    return expr


def _bounded(expr):
    """``expr`` with each arc tangent of a real number written by a positive number."""
    arcs = {arc: sp.Dummy("v", positive=True) for arc in expr.atoms(sp.atan) if arc.args[0].is_real}
    return expr.xreplace({arc: sp.pi / 2 - sp.pi / (1 + v) for arc, v in arcs.items()})
