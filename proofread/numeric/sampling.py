"""Random points at which a statement is looked at: sizes and indices in turn, values drawn, conditions met.

Values are dyadic rationals, so that they are exact in every precision.
"""

import itertools
import random
from fractions import Fraction

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.errors import CannotEvaluate, Unmet
from proofread.language.conditions import Conditions
from proofread.language.parameters import NUMERIC_SIZES, RANGES
from proofread.settings import fresh

from . import linear_algebra
from .environment import Point
from .evaluation import evaluate
from .random_functions import Smooth, random_function

MOST_DRAWS = 2000  #: for each point that is asked for
FINE, COARSE = 1024, 4  #: into how many parts a range is divided, to draw from


def points(parameters, given=(), count=20, seed=0, grain=FINE, reach=0, choices=None, draws=MOST_DRAWS):
    """Random admissible points: sizes and indices chosen in turn, the rest drawn from their assumptions.

    Values are dyadic rationals; a coarse ``grain`` makes them short.  Conditions in ``given`` that bound one
    symbol by numbers narrow its range; the others reject.  ``reach`` leads to places far out or close to
    zero.  Sizes and indices are those of ``choices``, where these are handed over.  A ``count`` of None draws
    without end.

    Raises
    ------
    CannotEvaluate
        If no sizes are admissible, or no values can be drawn.
    Unmet
        If no admissible point turns up in so many ``draws``.
    """
    given = Conditions(given)
    drawn = _drawn(parameters, given, random.Random(seed + fresh()), grain, reach, choices, draws)
    yield from itertools.islice(drawn, count)


def _drawn(parameters, given, rng, grain, reach, choices, draws):
    """Admissible points without end; where nothing is random, one for each choice."""
    choices = choices or _in_turn(parameters, given, rng)
    values = _Values(parameters, given, rng, grain, reach)
    found, most = 0, len(choices) if not values.random else float("inf")
    for attempt in itertools.count():
        if found == most or attempt == draws * (found + 1):
            break
        point = values.at(choices[attempt % len(choices)], alike=attempt % 5 == 1)
        if all(evaluate(c, point) for c in given.to_be_met):
            found += 1
            yield Point(point)
    if not found:
        raise Unmet(f"no admissible point found for {list(given)}")


def _in_turn(parameters, given, rng):
    """Choices of sizes and indices, ordered so that every size has its turn, however few the points."""
    choices = list(parameters.choices(parameters.numeric_sizes, given))
    if not choices:
        largest = max(parameters.numeric_sizes)
        raise CannotEvaluate(f"no sizes and indices up to {largest} satisfy {list(given)}")
    rng.shuffle(choices)
    sized = {}
    for choice in choices:
        sized.setdefault(tuple(choice[s] for s in parameters.sizes), []).append(choice)
    turns = itertools.zip_longest(*sized.values())
    return [choice for turn in turns for choice in turn if choice is not None]


class _Values:
    """Draws a value for everything that is neither a size nor an index."""

    def __init__(self, parameters, given, rng, grain, reach):
        self.parameters, self.given, self.rng, self.grain, self.reach = parameters, given, rng, grain, reach

    @property
    def random(self):
        """Whether there is anything to draw."""
        p = self.parameters
        return bool(p.bases or p.scalars or p.matrices or p.functions)

    def at(self, choice, alike=False):
        """A point with these sizes and indices; its conditions may still fail.

        Whole numbers of one kind are ``alike`` at some points: much is true of different ones only.
        """
        point = dict(choice)
        self._entries(point)
        self._scalars(point, alike)
        self._matrices(point)
        self._functions(point)
        return point

    def _number(self, symbol):
        return draw(symbol, self.given, self.rng, self.grain, self.reach)

    def _entries(self, point):
        """The entries of vectors; the first and the last one have neighbours."""
        largest = max([point[s] for s in self.parameters.sizes], default=max(NUMERIC_SIZES))
        for base, rank in self.parameters.bases.items():
            one = self._place_drawn(base, point, largest) or (lambda base=base: self._number(base))
            for indices in itertools.product(range(largest + 2), repeat=rank):
                point[base, indices] = one()
        for base, size, total in self.given.totals:
            if base in self.parameters.bases and size in point | {size: size}:
                self._with_total(base, int(point.get(size, size)), _fraction(total), point)

    def _place_drawn(self, base, point, largest):
        """For a vector whose entries are indices, what draws a place within all axes that they index."""
        sizes = self.parameters.picks.get(base)
        if sizes is None:
            return None
        top = min([int(evaluate(s, point)) for s in sizes], default=largest)
        return lambda: self.rng.randint(1, max(top, 1))  # an axis that is empty has no place

    def _with_total(self, base, size, total, point):
        """Other entries 1 … ``size``, which have a sum; all are dyadic, so that their sum is exact."""
        places = [(base, (k,)) for k in range(1, size + 1)]
        if base.is_nonnegative:
            parts = 4 * max(self.grain, size)
            cuts = [0, *sorted(self.rng.sample(range(1, parts), size - 1)), parts]
            point |= {place: total * Fraction(b - a, parts) for place, a, b in zip(places, cuts, cuts[1:])}
        else:
            *others, last = places
            point[last] = total - sum(point[place] for place in others)

    def _scalars(self, point, alike):
        point |= {s: self._number(s) for s in self.parameters.scalars}
        whole = [s for s in self.parameters.scalars if s.is_integer]
        if alike:
            kinds = {}
            point |= {s: point[kinds.setdefault((s.is_positive, s.is_nonnegative), s)] for s in whole}
        elif self.reach:  # a corner
            positive = [s for s in whole if s.is_positive]
            point |= {s: point[positive[0]] for s in positive}

    def _matrices(self, point):
        for symbol in self.parameters.matrices:
            shape = [int(evaluate(a, point)) for a in symbol.shape]
            point[symbol] = linear_algebra.draw(shape, self.given.kind(symbol), self.rng)

    def _functions(self, point):
        for function, arity in self.parameters.functions.items():
            point[function] = random_function(function, arity, self.given, self.rng)
            point[function].home = point


def steps(expr, size):
    """About how many nodes are visited where every range has this size; infinite for what is costly."""
    if isinstance(expr, RANGES):
        if any(end.is_infinite for limit in expr.limits for end in limit[1:]):
            return float("inf")
        return size ** len(expr.limits) * steps(expr.function, size)
    # an integral, a mean over draws and the like bind symbols of their own
    if isinstance(expr, (sp.Limit, AppliedUndef)) or hasattr(expr, "bound_symbols"):
        return float("inf")
    times = 4 ** len(expr.variables) if isinstance(expr, sp.Derivative) else 1
    if getattr(expr, "is_Matrix", False):
        times = size**2
    return times * (1 + sum(steps(a, size) for a in expr.args))


def draw(symbol, given, rng, grain=FINE, reach=0):
    """A random dyadic rational (an integer for an integer symbol) in the range of ``symbol``.

    It is of the size of 1; with ``reach`` larger or smaller by that power of two.
    """
    low, high = Conditions(given).range(symbol)
    if symbol.is_integer:
        low = -6 if low is None else int(sp.ceiling(low))
        return rng.randint(low, low + 12 if high is None else int(sp.floor(high)))
    power = rng.randint(-2, 2) + reach
    share = rng.randint(1, grain - 1)
    if low is not None and high is not None:
        return _fraction(low) + Fraction(share, grain) * _fraction(high - low)
    size = Fraction(share << max(power, 0), grain << max(-power, 0))
    if low is not None:
        return _fraction(low) + size if low else size
    if high is not None:
        return _fraction(high) - size
    if symbol.is_real is None:
        raise CannotEvaluate(f"{symbol} is not declared real, positive or integer: its domain is unknown")
    return rng.choice((-1, 1)) * size


def _fraction(number):
    return Fraction(int(number.p), int(number.q))


def describe(point):
    """A point in words, entries of a vector by name, for the witness of a refutation."""
    return ", ".join(f"{name} = {value}" if value else name for name, value in described(point))


def described(point):
    """The names and values of a point, entries of a vector by name; a random function has a name only."""
    for key, value in point.items():
        if isinstance(key, tuple):
            base, indices = key
            if min(indices) >= 1:
                yield f"{base.label}_{','.join(map(str, indices))}", str(value)
        elif isinstance(value, Smooth):
            yield f"a random smooth {key}", ""
        elif isinstance(value, list):
            yield str(key), f"[{'; '.join(', '.join(map(str, row)) for row in value)}]"
        else:
            yield str(key), str(value)
