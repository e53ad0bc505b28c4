r"""What conditions say: all that ``given=[…]`` does stands here.

A condition is a relation, and what it does follows from its form.

======================================= ================= =================== ================= ============
condition                               draws             substitutes         proves            is shown
======================================= ================= =================== ================= ============
``s < 1``, ``n >= 2``:                  s in its range    u/(1 + u) for s,    the least size    as typed, no
a symbol and a number                                     where u > 0                           ``s > 0``
                                                                                                beside it
``s < t``, ``i <= n``:                  rejects           t - u for s,        that i does not   as typed
a symbol and what is no number                            where u > 0         exceed n
``Eq(i, j)``, ``Ne(i, j)``, ``i < j``:  chooses indices   --                  which indices     as typed
indices                                                                       may be equal
``Ne(x, 1)``                            rejects           --                  that a sum of     as typed
                                                                              x**k is no n
``Eq(Sum(p[k], (k, 1, n)), 1)``:        entries with      --                  the sum is 1      as typed
the total of a vector                   this sum
``Eq(Sum(…), c)`` and                   rejects           --                  its value is c    as typed
``Eq(Integral(…), c)``: any other
``Eq(f(a), v)``:                        f with this       v for f(a)          --                as typed
a value                                 value
``Eq(Integral(p(x), (x, -oo, oo)), 1)`` a density         --                  its value is 1    as typed
and that a derivative of it totals 0                                          (or 0)
``Q.positive_definite(A)``              :math:`LL^T`      :math:`LL^T` for A  rules of matrices in words
``Q.lower_triangular(L)``               L, its diagonal   an entry a symbol   rules of matrices in words
                                        positive
any other relation of numbers           rejects           --                  --                as typed
======================================= ================= =================== ================= ============

What *rejects* is tested at each point that is drawn.  A condition on sizes and indices alone is tested before
anything is drawn.  A condition of another form is refused: it would be ignored in silence.
"""

from functools import cached_property
from typing import NamedTuple

import sympy as sp
from sympy.assumptions import AppliedPredicate
from sympy.core.function import AppliedUndef

from .typed import is_claim, unfold

INEQUALITIES = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)
STRICT = (sp.StrictLessThan, sp.StrictGreaterThan)
KINDS = {sp.Q.positive_definite: "definite", sp.Q.lower_triangular: "triangular"}  #: of matrices
EXPECTED = ("a relation; of a square matrix, Q.positive_definite(A) or Q.lower_triangular(A); of a function, "
            "its value at a place, Eq(f(a), v), or the total of a density, "
            "Eq(Integral(p(x), (x, -oo, oo)), 1)")


class Bound(NamedTuple):
    """A symbol is larger (sign 1) or smaller (sign -1) than its ``end``, or equal to it if not ``strict``."""

    symbol: sp.Symbol
    end: sp.Expr
    sign: int
    strict: bool


class Total(NamedTuple):
    r"""The entries of a vector up to a size have a sum: :math:`\sum_{k=1}^n p_k = c`."""

    vector: sp.IndexedBase
    size: sp.Expr
    value: sp.Rational


class Conditions(tuple):
    """Conditions as plain SymPy, and what follows from them.

    Parameters
    ----------
    given : iterable of relations
        Typed or plain; what is `Conditions` already comes back as it is.

    Raises
    ------
    ValueError
        If the form of a condition is none of those that do something.

    Examples
    --------
    >>> s, n = sp.Symbol("s", positive=True), sp.Symbol("n", integer=True, positive=True)
    >>> known = Conditions([s < 1, n >= 2])
    >>> known.range(s), known.least(n)
    ((0, 1), 2)
    >>> sp.cancel(known.unbounded(1 - s))
    1/(_u + 1)
    >>> Conditions([sp.Q.symmetric(sp.MatrixSymbol("A", n, n))])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: a condition is a relation; ...; got Q.symmetric(A)
    """

    def __new__(cls, given=()):
        if isinstance(given, cls):
            return given
        parts = [part for c in given for part in sp.And.make_args(unfold(c))]
        self = super().__new__(cls, parts)
        for part in parts:
            if not self._is_understood(part):
                raise ValueError(f"a condition is {EXPECTED}; got {part}")
        return self

    def _is_understood(self, condition):
        if isinstance(condition, AppliedPredicate):
            matrix = condition.arg
            return (condition.function in KINDS and isinstance(matrix, sp.MatrixSymbol)
                    and matrix.shape[0] == matrix.shape[1])
        return is_claim(condition) and (not condition.has(AppliedUndef) or self._is_of_functions(condition))

    def on(self, symbols):
        """The conditions that speak of nothing but some symbols."""
        return Conditions(c for c in self if c.free_symbols <= set(symbols))

    @cached_property
    def to_be_met(self):
        """The conditions that a point may fail; the others are met by the way in which values are drawn."""
        return [c for c in self if not (isinstance(c, AppliedPredicate) or c.has(AppliedUndef))]

    # --- numbers --------------------------------------------------------------------------------

    @cached_property
    def inequalities(self):
        """The conditions that say what is larger."""
        return [c for c in self if isinstance(c, INEQUALITIES)]

    @cached_property
    def strict(self):
        """The conditions that say what is larger, and not equal."""
        return Conditions(c for c in self.inequalities if isinstance(c, STRICT))

    @cached_property
    def _ranges(self):
        return {}

    @cached_property
    def bounds(self):
        """Each `Bound` of a symbol, in the order of the conditions."""
        return [Bound(side, end, sign, isinstance(c, STRICT)) for c in self.inequalities
                for side, end, sign in ((c.gts, c.lts, 1), (c.lts, c.gts, -1))
                if side.is_Symbol and not end.has(side)]

    def range(self, symbol):
        """Numbers between which a symbol lies, or None, from its assumptions and the conditions."""
        if symbol not in self._ranges:
            self._ranges[symbol] = self._range(symbol)
        return self._ranges[symbol]

    def _range(self, symbol):
        lows = [sp.S.Zero] if symbol.is_nonnegative else []
        highs = [sp.S.Zero] if symbol.is_nonpositive else []
        if symbol.is_integer and symbol.is_positive:
            lows = [sp.S.One]
        for bound in self.bounds:
            if bound.symbol == symbol and bound.end.is_Rational:
                (lows if bound.sign > 0 else highs).append(bound.end)
        return max(lows, default=None), min(highs, default=None)

    def is_bounded_below(self, symbol):
        """Whether a condition says that a symbol is larger than a number."""
        return any(b.symbol == symbol and b.sign > 0 and b.end.is_number for b in self.bounds)

    def unbounded(self, expr):
        """``expr`` with each symbol that conditions confine written by a positive one that is free.

        An end of the range that belongs to it is approached, but not reached: see `everywhere`.
        """
        for symbol in sorted(expr.free_symbols & self._told, key=str):
            (low, high), u = self.range(symbol), sp.Dummy("u", positive=True)
            if low is not None and high is not None:
                expr = expr.subs(symbol, low + (high - low) * u / (1 + u))
            elif low is not None or high is not None:
                expr = expr.subs(symbol, low + u if high is None else high - u)
        return expr

    def everywhere(self, expr):
        """Expressions that together have all values of ``expr``: inside of the ranges, and at closed ends."""
        closed = [(s, end) for s in sorted(expr.free_symbols & self._told, key=str)
                  for end in self.range(s) if end is not None and not self._is_left_out(s, end)]
        return [self.unbounded(expr), *(part for symbol, end in closed
                                        for part in self.everywhere(expr.subs(symbol, end)))]

    def _is_left_out(self, symbol, end):
        """Whether a symbol is surely not equal to an end of its range."""
        strict = any(b.symbol == symbol and b.end == end and b.strict for b in self.bounds)
        return strict or bool((symbol - end).is_nonzero)

    def freed(self, expr):
        """Values for the numbers in ``expr`` that strict conditions confine, by free positive symbols.

        One that may be 0 is left as it is, for no positive symbol stands for that.
        """
        strict, values = self.strict, {}
        numbers = {s for s in expr.free_symbols & strict._told if s.is_real and not s.is_integer}
        for symbol in sorted(numbers, key=str):
            if symbol.is_zero is not False and (symbol.is_nonnegative or symbol.is_nonpositive):
                continue
            value = strict.unbounded(symbol)
            if value == symbol:
                ends = (b.end + b.sign * sp.Dummy("u", positive=True) for b in strict.bounds
                        if b.symbol == symbol and not b.end.has(*values))
                value = next(ends, symbol)
            if value != symbol:
                values[symbol] = value
        return values

    @cached_property
    def _told(self):
        """The symbols of which the conditions speak."""
        return set().union(*(c.free_symbols for c in self))

    # --- sizes and indices ----------------------------------------------------------------------

    def least(self, size):
        """The least value of a size that the conditions leave, 0 if they say nothing."""
        ends = (int(b.end) + b.strict for b in self.bounds
                if b.symbol == size and b.sign > 0 and b.end.is_Integer)
        return max(ends, default=0)

    def greatest(self, size):
        """The greatest value of a size or an index that the conditions leave, None if they say nothing."""
        ends = (int(b.end) - b.strict for b in self.bounds
                if b.symbol == size and b.sign < 0 and b.end.is_Integer)
        return min(ends, default=None)

    def lead(self, size, other):
        """How far a size is surely above another: 1 for ``m < n``, 0 for ``m <= n``, None if not told."""
        told = [int(b.strict) for b in self.bounds if b.symbol == other and b.end == size and b.sign < 0
                and size.is_integer and other.is_integer]
        return max(told, default=None)

    def tops(self, index):
        """What an index does not exceed."""
        return {b.end for b in self.bounds if b.symbol == index and b.sign < 0}

    def allow(self, names):
        """Whether indices may be equal and different as their names are."""
        for c in self:
            if isinstance(c, (sp.Eq, sp.Ne, *STRICT)) and set(c.args) <= set(names):
                left, right = (names[side] for side in c.args)
                if (left == right) != isinstance(c, sp.Eq):
                    return False
        return True

    def differ(self, left, right):
        """Whether a condition says that two expressions are not equal."""
        return any(isinstance(c, sp.Ne) and {left, right} == set(c.args) for c in self)

    # --- sums and integrals ---------------------------------------------------------------------

    @cached_property
    def sums(self):
        """The values that conditions give sums and integrals, as pairs."""
        return [(c.lhs, c.rhs) for c in self._equations if isinstance(c.lhs, (sp.Sum, sp.Integral))]

    @cached_property
    def totals(self):
        """The `Total` of each vector of which conditions tell one that it can have."""
        return [total for whole, value in self.sums if isinstance(whole, sp.Sum)
                and (total := _total(whole, value))]

    @cached_property
    def _equations(self):
        """The equations, with a sum, an integral or a function on the left."""
        return [_turned(c) for c in self if isinstance(c, sp.Equality)]

    # --- functions ------------------------------------------------------------------------------

    @cached_property
    def values(self):
        """The values of functions of one variable at places, such as ``f(a)``."""
        told = [c for c in self._equations if isinstance(c.lhs, AppliedUndef) and len(c.lhs.args) == 1]
        found = {c.lhs: c.rhs for c in told}
        if twice := [c.lhs for c in told if found[c.lhs] != c.rhs]:
            raise ValueError(f"the conditions give {twice[0]} two values")
        return found

    def pinned(self, function):
        """The places at which a function of one variable has values, with these."""
        return [(f.args[0], value) for f, value in self.values.items() if f.func == function]

    def integrated(self, function):
        """The places of the arguments over which a function has the integral 1."""
        for whole, value in self.sums:
            if value == 1 and _is_over_the_line(whole) and isinstance(whole.function, AppliedUndef):
                if whole.function.func == function:
                    variables = {limit[0] for limit in whole.limits}
                    return {place for place, a in enumerate(whole.function.args) if a in variables}
        return set()

    def _is_of_functions(self, condition):
        """Whether a condition is one that random functions are drawn to meet."""
        if not isinstance(condition, sp.Equality):
            return False
        equation = _turned(condition)
        return equation.lhs in self.values or self._is_of_a_density(equation)

    def _is_of_a_density(self, equation):
        r"""Whether an equation holds of every random density.

        That is :math:`\int p=1`, and :math:`\int\partial_\theta p=0` of a density whose total is told.
        """
        if not _is_over_the_line(equation.lhs):
            return False
        inside, by = equation.lhs.function, set()
        if isinstance(inside, sp.Derivative):
            inside, by = inside.expr, set(inside.variables)
        variables = {limit[0] for limit in equation.lhs.limits}
        if not (isinstance(inside, AppliedUndef) and all(a.is_Symbol for a in inside.args)
                and len(set(inside.args)) == len(inside.args)):
            return False
        places = {place for place, a in enumerate(inside.args) if a in variables}
        if not places or places != self.integrated(inside.func) or len(places) != len(variables):
            return False
        return equation.rhs == (0 if by else 1) and by <= set(inside.args) - variables

    def refuse_bound(self, bound):
        """Refuse a condition on a function at a variable that a statement binds."""
        for c in self:
            if c.has(AppliedUndef) and c.free_symbols & bound:
                raise ValueError(f"the condition {c} speaks of a variable that is bound in the statement")

    # --- matrices -------------------------------------------------------------------------------

    def kind(self, matrix):
        """``"definite"``, ``"triangular"`` or ``"any"``: what the conditions say of a matrix."""
        return next((kind for predicate, kind in KINDS.items() if predicate(matrix) in self), "any")


def _turned(equation):
    """An equation with a sum, an integral or a function on the left, if it has one."""
    whole = (sp.Sum, sp.Integral, AppliedUndef)
    turn = isinstance(equation.rhs, whole) and not isinstance(equation.lhs, whole)
    return equation.reversed if turn else equation


def _total(whole, value):
    """The total of a vector that a sum is, or None."""
    (index, low, size), *more = whole.limits
    entry = whole.function
    if (more or low != 1 or not value.is_Rational or not isinstance(entry, sp.Indexed)
            or entry.indices != (index,) or entry.base.is_nonnegative and value <= 0):
        return None
    return Total(entry.base, size, value)


def _is_over_the_line(expr):
    return isinstance(expr, sp.Integral) and all(tuple(limit[1:]) == (-sp.oo, sp.oo) for limit in expr.limits)
