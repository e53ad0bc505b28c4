"""One case of a statement: which of its indices are equal, what is known, and names for parts of it.

A normal form is a rational function of *generators*.  A generator is a symbol that stands for one content: an
entry :math:`z_k`, the exponential of a monomial, a sum that does not split, and so on.  Generators count as
independent of each other, so that a difference that vanishes as a rational function vanishes: that costs
completeness, never soundness.
"""

from types import SimpleNamespace

import sympy as sp

from proofread.errors import NoRule
from proofread.language.binders import Bracket, MaxOver
from proofread.language.conditions import Conditions

UNKNOWN, REAL, NONNEGATIVE, POSITIVE = range(4)
FLAGS = ({}, {"real": True}, {"nonnegative": True}, {"positive": True})
Delta = sp.KroneckerDelta


class Above(sp.Function):
    """1 where its argument is positive, and else 0."""

    nargs = 1
    is_nonnegative = True


BINARY = (Delta, Above)  #: what is 0 or 1


class Case:
    """What is known where no two of the free indices are equal.

    Parameters
    ----------
    free : iterable of symbols
        The free indices: each at least 1, and pairwise different.
    tops : dict
        For a free index, the sizes that it surely does not exceed.
    sizes : iterable of symbols
        What a sum may run to; a size is at least 1 if its symbol is positive.

    Attributes
    ----------
    ranges : dict
        For each bound index, its first and last value.  An index is known here before anything is normalised
        that depends on it.
    memo : dict
        What was normalised before.  A bound index keeps its range for ever, so that no entry is about another
        range.
    totals : dict
        For a sum or an integral that the conditions give a value, such as :math:`\\sum_k p_k=1`, this value.
    given : Conditions
    proof : object
        What is told which rules are ``used``, and what is ``left`` where something does not vanish.
    """

    def __init__(self, free=(), tops=None, sizes=(), given=(), proof=None):
        self.given, self.proof = Conditions(given), proof or SimpleNamespace(used=set(), left=None)
        self.free, self.tops, self.sizes = set(free), tops or {}, set(sizes)
        self.least = {size: max(self.given.least(size), self._different(size)) for size in sizes}
        self.ranges, self.memo, self.totals = {}, {}, {}
        self.contents, self._symbols, self._positive = {}, {}, set()
        self._heights, self._known_ranges = {}, {}

    def _different(self, size):
        """How many different indices up to a size there are for sure."""
        return max(int(bool(size.is_positive)), sum(size in self.tops.get(index, ()) for index in self.free))

    # --- generators -----------------------------------------------------------------------------

    def generator(self, content):
        """The symbol that stands for a content, or the value that the conditions give it."""
        if content.is_Symbol:
            return content
        if content not in self._symbols:
            symbol = sp.Dummy(f"g{len(self._symbols)}", **FLAGS[self.sign(content)])
            self._symbols[content], self.contents[symbol] = symbol, content
        symbol = self._symbols[content]
        return self.totals.get(symbol, symbol)

    def content(self, symbol):
        """What a symbol stands for: itself, if it is no generator."""
        return self.contents.get(symbol, symbol)

    def generators(self, normal):
        """The generators in a normal form."""
        return [s for s in normal.free_symbols if s in self.contents]

    def back(self, normal):
        """A normal form with the contents put back."""
        return normal.xreplace(self.contents)

    def depends(self, normal):
        """All symbols on which a normal form depends, those inside its contents included."""
        return set().union(*(self.content(s).free_symbols for s in sp.sympify(normal).free_symbols))

    # --- indices --------------------------------------------------------------------------------

    def bound(self, low, high):
        """A new bound index with its range."""
        sign = {"positive": True} if low.is_positive else {"nonnegative": True} if low.is_nonnegative else {}
        index = sp.Dummy("i", integer=True, **sign)
        self.ranges[index] = sp.expand(low), sp.expand(high)
        return index

    def canonical_index(self, height, position, low, high):
        """The index that has this place in every sum: one name for each range, as that is known of it."""
        number = self._known_ranges.setdefault((low, high), len(self._known_ranges))
        index = sp.Symbol(f"i_{height}_{position}_{number}", integer=True, positive=low.is_positive or None,
                          nonnegative=low.is_nonnegative or None)
        self._heights[index], self.ranges[index] = height, (low, high)
        return index

    def height(self, expr):
        """How deep the sums in an expression are nested."""
        return max((1 + self._heights[s] for s in expr.atoms(sp.Symbol) if s in self._heights), default=0)

    def to_size(self, index):
        """The size ``n`` if a bound index runs over 1 … n, else None."""
        low, high = self.ranges[index]
        return high if low == 1 and high in self.sizes else None  # a bound index or a number is no size

    def is_filled(self, low, high):
        """Whether a range is one from 1 to a size that is not 0."""
        return low == 1 and self.least.get(high, 0) >= 1

    def is_surely_filled(self, low, high):
        """Whether a range holds something for sure."""
        return self.reaches(low, high - 1)

    def within(self, target, index):
        """Whether ``target`` surely lies in the range of a bound index."""
        low, high = self.ranges[index]
        if low != 1:
            return False
        if target in self.free:
            return high in self.tops.get(target, ())
        if target in (1, high):
            return self.is_filled(low, high)
        while target in self.ranges and self.ranges[target][0] == 1:  # 1 <= target <= top <= …
            shift, target = self.ranges[target][1].as_coeff_Add()
            if not (shift.is_Integer and shift <= 0):
                return False
            if target == high:
                return True
        return target in self.free and high in self.tops.get(target, ())

    def is_at_most(self, index, size):
        """Whether an index surely does not exceed a size."""
        return (size in self.tops.get(index, ())
                or size in self.sizes and self.ranges.get(index) == (1, size))

    def _at_least(self, symbol):
        """A number that a size or an index is at least, or None."""
        low = self.ranges[symbol][0] if symbol in self.ranges else self.least.get(symbol)
        return 1 if symbol in self.free else low if low is not None and sp.sympify(low).is_Integer else None

    def reaches(self, low, high):
        """Whether surely low <= high + 1: the range is not reversed, for sums over such ones are no sums."""
        (start, first), (end, last) = low.as_coeff_Add(), high.as_coeff_Add()
        gap = end - start + 1
        if not gap.is_Integer:
            return False
        if first == last:
            return gap >= 0
        if first == 0:
            return self._at_least(last) is not None and gap + self._at_least(last) >= 0
        if first in self.free:  # 1 <= first <= its tops
            return last in self.tops.get(first, ()) and gap >= 0
        if first in self.sizes and last in self.sizes:
            lead = self.given.lead(last, first)
            return lead is not None and gap + lead >= 0
        while first in self.ranges and self.ranges[first][0] == 1:
            shift, first = self.ranges[first][1].as_coeff_Add()
            if not shift.is_Integer:
                return False
            gap -= shift
            if first == last:
                return gap >= 0
        return False

    # --- signs ----------------------------------------------------------------------------------

    def assume_positive(self, content):
        """Note that a content is positive although that cannot be seen from the signs of its parts."""
        self._positive.add(content)

    def is_noted(self, content):
        """Whether a content was noted as positive."""
        return content in self._positive

    def sign(self, content):
        """`POSITIVE`, `NONNEGATIVE`, `REAL` or `UNKNOWN`, wherever the content has a value."""
        if content in self._positive:
            return POSITIVE
        for kind, rule in SIGNS.items():
            if isinstance(content, kind):
                return rule(self, content)
        known = content.base if isinstance(content, sp.Indexed) else content
        return (POSITIVE if known.is_positive else NONNEGATIVE if known.is_nonnegative
                else REAL if known.is_real else UNKNOWN)


def _of_exp(case, content):
    return POSITIVE if case.sign(content.args[0]) else UNKNOWN


def _of_log(case, content):
    return REAL if case.sign(content.args[0]) == POSITIVE else UNKNOWN


def _of_sum(case, content):
    sign = case.sign(content.function)
    filled = all(case.is_filled(low, high) for _, low, high in content.limits)
    return NONNEGATIVE if sign == POSITIVE and not filled else sign


def _of_maximum(case, content):
    return case.sign(content.function)


def _of_bracket(case, content):
    return min(case.sign(content.function), REAL)


def _of_integral(case, content):
    """The sign of an integral that has a value: whether it has one is not asked here."""
    (_, *ends), sign = content.limits[0], case.sign(content.function)
    forward = len(content.limits) == 1 and len(ends) == 2 and _is_forward(*ends)
    return sign if forward else min(sign, REAL)


def _is_forward(low, high):
    if low == high:
        return False
    return low == -sp.oo or high == sp.oo or bool((high - low).is_positive)


def _of_power(case, content):
    base, exponent = content.args
    sign = case.sign(base)
    if not exponent.is_Integer:
        return POSITIVE if sign == POSITIVE and case.sign(exponent) else UNKNOWN
    if sign == POSITIVE:
        return POSITIVE
    if sign and exponent % 2 == 0:
        return NONNEGATIVE
    return sign if exponent > 0 else min(sign, NONNEGATIVE)


def _of_terms(case, content):
    signs = [case.sign(a) for a in content.args]
    return max(signs) if min(signs) >= NONNEGATIVE else min(signs)


def _of_factors(case, content):
    signs = [case.sign(a) for a in content.args]
    return min(signs)  # of real factors the sign is not known


def _of_absolute_value(case, content):
    return min(case.sign(content.args[0]), REAL) and max(case.sign(content.args[0]), NONNEGATIVE)


#: how the sign of a content follows from those of its parts
SIGNS = {sp.exp: _of_exp, sp.log: _of_log, sp.Sum: _of_sum, MaxOver: _of_maximum,
         sp.Integral: _of_integral, Bracket: _of_bracket, sp.Pow: _of_power, sp.Add: _of_terms,
         sp.Mul: _of_factors, BINARY: lambda case, content: NONNEGATIVE, sp.Abs: _of_absolute_value}


def refuse_poles(normal, what):
    """Refuse what has no value."""
    if normal.has(sp.zoo, sp.nan, sp.oo, sp.S.NegativeInfinity):
        raise NoRule(f"{what} has no value")
    return normal


def partitions(items):
    """All ways to put items into groups, such as indices that are equal."""
    if not items:
        yield []
        return
    first, *rest = items
    for blocks in partitions(rest):
        yield [[first], *blocks]
        for k in range(len(blocks)):
            yield [*blocks[:k], [first, *blocks[k]], *blocks[k + 1:]]
