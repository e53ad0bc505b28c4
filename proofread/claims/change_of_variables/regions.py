"""Variables within their ranges, written by free ones: what SymPy then sees of signs and of equalities."""

import sympy as sp
from mpmath import mp
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from proofread.budget import TooLong, within
from proofread.decision.decide import decide
from proofread.decision.verdict import Verdict
from proofread.fixed_size.zero_test import is_nonnegative, is_positive
from proofread.language.binders import substitute
from proofread.language.conditions import Conditions
from proofread.language.intervals import Inside

#: a number between 0 and 1, by a positive one
_UNIT = (lambda v: sp.exp(-v), lambda v: 1 - sp.exp(-v), lambda v: v / (1 + v))


class Ranges:
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
    >>> ordered = Ranges([(x, 0, sp.oo), (y, x, sp.oo)])
    >>> ordered.not_negative(y - x).status, ordered.not_negative(x - y).status
    ('proved', 'refuted')
    >>> Ranges([(x, 0, 1)]).equal(sp.log(1 / x), sp.Abs(sp.log(x))).status
    'proved'
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

    def equal(self, left, right):
        """The verdict on ``left = right`` everywhere inside."""
        verdict = decide(left, right, given=self.inside)
        # a side without a finite value has lost its digits there
        if verdict.status == "agrees" or not all(map(mp.isfinite, verdict.sides)):
            for put in self.written(left, right):
                other = decide(_put(left, put), _put(right, put), given=self.given)
                if other.status == "proved":
                    return other
        return verdict

    def is_positive(self, expr):
        """Whether it is seen that an expression is positive everywhere inside."""
        return any(self._has_sign(is_positive, expr, put) for put in self.written(expr))

    def not_negative(self, expr):
        """The verdict on ``expr >= 0`` everywhere inside."""
        for put in self.written(expr):
            if self._has_sign(is_positive, expr, put) or self._has_sign(is_nonnegative, expr, put):
                return Verdict("proved")
        return decide(expr, 0, ">=", given=self.inside)

    def is_smooth(self, expr):
        """Whether it is seen that an expression has continuous derivatives everywhere inside."""
        return any(self._is_smooth(_put(expr, put)) for put in self.written(expr))

    def _has_sign(self, kind, expr, put):
        def is_seen():
            return all(any(inside.is_positive(part) for inside in _each(part)) or kind(part)
                       for part in map(_bounded, self.given.everywhere(_put(expr, put))))

        try:
            return within(is_seen)
        except TooLong:
            return False

    @staticmethod
    def _is_smooth(expr):
        return all(inside.is_smooth(expr) for inside in _each(expr))


def _each(expr):
    """The free variables of a written expression, with their ranges."""
    dummies = sorted((s for s in expr.free_symbols if isinstance(s, sp.Dummy)), key=sp.default_sort_key)
    return [Inside(v, 0 if v.is_positive else -sp.oo, sp.oo) for v in dummies]


def _put(expr, put):
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
