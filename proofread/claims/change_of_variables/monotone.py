"""The distribution of a strictly monotone function of one random variable."""

from typing import NamedTuple

import sympy as sp
from sympy.calculus.singularities import singularities

from proofread.budget import TooLong, within
from proofread.decision.decide import decide
from proofread.decision.opinions import is_seen_positive
from proofread.decision.verdict import Verdict
from proofread.language.binders import substitute
from proofread.language.intervals import Inside, is_continuous_at
from proofread.language.typed import unfold
from proofread.mutation.operators import chosen

from .distributed import Distributed


class Piece(NamedTuple):
    """A function or a density, up to the end of a part of its range."""

    value: sp.Expr
    end: sp.Expr


class Stretch(NamedTuple):
    """A part of the range on which all formulas are single ones: the function, and both densities."""

    low: sp.Expr
    high: sp.Expr
    function: sp.Expr
    source: sp.Expr
    target: sp.Expr


class Monotone(Distributed, several=False):
    """A strictly monotone function of one variable, by densities."""

    found = "change of variables, continuity, and both ends"

    def __init__(self, transform, source, target, *, increasing, label, title, given=(), rows=()):
        self._sign = 1 if increasing else -1
        self._x, self._low, self._high = (unfold(a) for a in (source.variable, source.low, source.high))
        self._y = unfold(target.variable)
        self._ends = [unfold(target.low), unfold(target.high)][::self._sign]
        super().__init__(sp.sympify(transform), source, target, label=label, title=title, given=given,
                         rows=rows)

    def _laws(self):
        return [self.source], [self.target]

    def _right(self):
        return (self._pieces(self.transform, self._x, self._high),
                self._pieces(self.target.weight, self._y, unfold(self.target.high)))

    # -- pieces ----------------------------------------------------------------------------------

    def _pieces(self, expr, variable, high):
        """The parts of a range, from the lowest to the highest, with what a formula says on each."""
        if type(expr).__name__ != "Piecewise":
            return [Piece(unfold(expr), high)]
        pieces = []
        for value, condition in expr.args:
            last = len(pieces) == len(expr.args) - 1
            # as it is typed: SymPy solves U < b/(a + b) for a
            below, above = (variable, high) if condition == sp.true and last else _sides(condition)
            if below != variable or last and condition != sp.true:
                raise ValueError(f"{self.label}: a piece is given by {variable} < c, and the last by True; "
                                 f"got {condition}")
            pieces.append(Piece(unfold(value), above))
        return pieces

    def _stretches(self, transform, weight):
        """The parts of the range of the source on which nothing is in pieces."""
        source = self._pieces(self.source.weight, self._x, self._high)
        parts = [p for p in (transform, source) if len(p) > 1] or [transform]
        count, ends = len(parts[0]), [piece.end for piece in parts[0]]
        if any([piece.end for piece in p] != ends for p in parts) or len(weight) not in (1, count):
            raise ValueError(f"{self.label}: the function and the densities have as many pieces, which begin "
                             f"at the same places; got {len(transform)}, {len(source)} and {len(weight)}")
        transform, source, weight = (p if len(p) > 1 else p * count for p in (transform, source, weight))
        weight = weight[::self._sign]
        return [Stretch(*part) for part in zip([self._low, *ends], ends, *(
            [piece.value for piece in pieces] for pieces in (transform, source, weight)))]

    # -- checks ----------------------------------------------------------------------------------

    def _checks(self, transform, weight):
        stretches = self._stretches(transform, weight)
        for one in stretches:
            if len(stretches) > 1:
                yield f"the piece up to {one.high} has no room", self._is_room(one)
            yield "the density does not fit", self._density(one)
            yield "the function is not continuous", self._continuous(one)
        for before, after, end in zip(stretches, stretches[1:], self._meeting(weight, len(stretches))):
            reached = self._limit(before.function, before.high, "-")
            yield f"the pieces do not meet at {before.high}", self._reaches(after, before.high, "+", reached)
            if end is not None:
                yield f"{before.high} is not taken to {end}", self._reaches(after, before.high, "+", end)
        (first, *_, last) = stretches[0], stretches[-1]
        for stretch, end, direction, reached in ((first, self._low, "+", self._ends[0]),
                                                 (last, self._high, "-", self._ends[1])):
            yield (f"the end {end} is not taken to {reached}",
                   self._reaches(stretch, end, direction, reached))

    def _meeting(self, weight, count):
        """Where the pieces of the target's density meet, in the order of the source; if it has none, None."""
        return [piece.end for piece in weight[:-1]][::self._sign] if len(weight) > 1 else [None] * (count - 1)

    def _is_room(self, stretch):
        low, high = stretch.low, stretch.high
        if low.is_infinite or high.is_infinite or is_seen_positive(high - low):
            return Verdict("proved")
        return Verdict("refuted" if is_seen_positive(low - high) else "undecided",
                       problem=f"{low} < {high} is not seen")

    def _density(self, stretch):
        at = substitute(stretch.target, {self._y: stretch.function})
        slope = self._sign * stretch.function.diff(self._x)
        return self._ranges((self._x, stretch.low, stretch.high)).equal(at * slope, stretch.source)

    def _continuous(self, stretch):
        """No jump, no pole inside: of steps nothing is known, of singularities SymPy tells."""
        if stretch.function.has(sp.Piecewise, sp.floor, sp.ceiling, sp.sign, sp.Heaviside):
            return Verdict("refuted", witness="it has steps, or pieces that are not its own")
        if Inside(self._x, stretch.low, stretch.high).is_smooth(stretch.function):
            return Verdict("proved")
        try:
            domain = sp.Interval.open(stretch.low, stretch.high)
            inside = within(lambda: singularities(stretch.function, self._x, domain).intersect(domain))
        except (NotImplementedError, TooLong) as error:
            return Verdict("undecided", problem=f"SymPy cannot find its singularities: {error}")
        if inside is sp.S.EmptySet:
            return Verdict("proved")
        return Verdict("refuted", witness=f"it has a singularity inside: {inside}")

    def _reaches(self, stretch, end, direction, reached):
        """Whether a function tends to a value at an end."""
        limit = self._limit(stretch.function, end, direction)
        if limit is None:
            return Verdict("undecided", problem="SymPy does not find the limit")
        if reached is None:
            return Verdict("undecided", problem="SymPy does not find what it should tend to")
        if reached.is_infinite:  # approached too slowly for numbers; being monotone, it can only go there
            return Verdict("proved" if limit == reached else "refuted", witness=f"it is taken to {limit}")
        return decide(limit, reached, given=self.given)

    def _limit(self, function, end, direction):
        if not end.is_infinite and is_continuous_at(function, self._x, end):
            return substitute(function, {self._x: end})
        try:
            return within(lambda: sp.limit(function, self._x, end, direction))
        except (NotImplementedError, TooLong):
            return None

    # -- wrong versions --------------------------------------------------------------------------

    def _wrong(self):
        transform, weight = self._right()
        for what, other in _slips(transform):
            yield what, other, weight
        for what, other in _slips(weight):
            yield what, transform, other

    def _same(self, transform, weight):
        return all(a == b or self._equal(a.value, b.value) and a.end == b.end
                   for version, right in zip((transform, weight), self._right())
                   for a, b in zip(version, right))

    def _equal(self, a, b):
        return self._ranges((self._x, self._low, self._high)).equal(a, b).status == "proved"

    @property
    def statement(self):
        return self._implication(self.source.variable, self.transform, self.source, self.target)


def _sides(condition):
    """What is the smaller and what the larger one, by a condition."""
    kind, sides = type(condition).__name__, [unfold(a) for a in condition.args]
    if kind in ("Less", "AtMost", "StrictLessThan", "LessThan"):
        return sides
    return sides[::-1] if kind in ("Greater", "AtLeast", "StrictGreaterThan", "GreaterThan") else (None, None)


def _slips(pieces):
    """Pieces with one slip: in a formula, in where it ends, or in their order."""
    for place, piece in enumerate(pieces):
        for what, wrong in chosen(piece.value):
            if wrong != piece.value:
                yield what, [*pieces[:place], piece._replace(value=wrong), *pieces[place + 1:]]
    for place, (piece, after) in enumerate(zip(pieces, pieces[1:])):
        moved = piece.end + 1 if after.end.is_infinite else (piece.end + after.end) / 2
        yield f"a piece ends at {moved}", [*pieces[:place], piece._replace(end=moved), *pieces[place + 1:]]
        swapped = [piece._replace(value=after.value), after._replace(value=piece.value)]
        yield "two pieces exchanged", [*pieces[:place], *swapped, *pieces[place + 2:]]
