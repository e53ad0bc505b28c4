r"""Integrals within integrals: one cheap rule for each variable, with its own error.

A variable is written as a function of t so that the integrand dies away doubly exponentially at both ends;
the trapezoidal rule in t then gains twice as many digits whenever its step is halved.  What it needs is where
the integrand is large, which is looked for with few values.
"""

from functools import cache

from mpmath import mp, mpf

from proofread.errors import CannotEvaluate

FIRST_STEP = mpf(1) / 2
MOST_HALVINGS = 7
FARTHEST = 100  #: in t
QUIET = 3  #: so many negligible values in a row end the rule
CLIMBS = 40

#: where large values are looked for, as t
_LOOKED_AT = [mpf(k) / 4 for k in range(-20, 21)]


def integrate(function, low, high, accepted, name):
    """The integral of a function of one variable.

    Parameters
    ----------
    function : callable
    low, high : number
        The ends, finite or not; singular ones are allowed.
    accepted : number
        The error allowed, relative to the larger of 1 and the value.
    name : object
        What is integrated, for the message.

    Raises
    ------
    CannotEvaluate
        If the sums do not settle.

    Examples
    --------
    >>> from mpmath import mp
    >>> with mp.workdps(25):
    ...     root = integrate(lambda x: mp.exp(-x**2 / 2), -mp.inf, mp.inf, mpf(10) ** -20, "a hill")
    ...     print(mp.nstr(root**2, 12))
    6.28318530718
    """
    if low == high:
        return mpf(0)
    if low > high:
        return -integrate(function, high, low, accepted, name)
    if mp.isinf(low) and mp.isinf(high):
        place, near, far = _hill(function, [mp.sinh(t) for t in _LOOKED_AT])
        return _settled(function, _Line(place, far - near), accepted, name)
    if mp.isinf(low):
        return _along_ray(lambda x: function(-x), -high, accepted, name)
    if mp.isinf(high):
        return _along_ray(function, low, accepted, name)
    return _between(function, low, high, accepted, name)


def _along_ray(function, end, accepted, name):
    """From an end to infinity; a hill that is narrow, seen from the end, becomes an end itself."""
    ways = [mp.exp(3 * t) for t in _LOOKED_AT]
    away, near, far = _hill(lambda way: function(end + way), ways)
    before = mpf(0)
    if far - near < away / 2 and away > ways[1]:
        before, end = _settled(function, _Segment(end, end + away), accepted, name), end + away
    unit, *_ = _hill(lambda way: function(end + way) * way, ways)
    return before + _settled(function, _Ray(end, unit), accepted, name)


def _between(function, low, high, accepted, name):
    """Between two ends; a narrow hill becomes an end itself."""
    inside = [low + (high - low) / (1 + mp.exp(-2 * t)) for t in _LOOKED_AT]
    place, near, far = _hill(function, inside)
    cuts = [low, place, high] if far - near < min(place - low, high - place) / 4 else [low, high]
    return mp.fsum(_settled(function, _Segment(*ends), accepted, name) for ends in zip(cuts, cuts[1:]))


@cache
def _unit(kind, t, precision):
    """A place on the way to a unit, and how fast it moves there; these are the same for all integrals."""
    if kind == "line":
        return mp.sinh(t), mp.cosh(t)
    if kind == "ray":
        beside = mp.exp(-t)
        away = mp.exp(t - beside)
        return away, away * (1 + beside)
    small = mp.exp(-mp.pi * mp.sinh(abs(t)))
    return small / (1 + small), small / (1 + small) ** 2 * mp.pi * mp.cosh(t)


class _Line:
    """The whole line: finer where the integrand is large."""

    def __init__(self, centre, width):
        self.centre, self.width = centre, width

    def __call__(self, t):
        place, slope = _unit("line", t, mp.prec)
        return self.centre + self.width * place, self.width * slope


class _Ray:
    """From an end to infinity; no place where it is too close to the end for the digits at hand."""

    def __init__(self, end, width):
        self.end, self.width = end, width

    def __call__(self, t):
        away, slope = _unit("ray", t, mp.prec)
        place = self.end + self.width * away
        return (None if place == self.end else place), self.width * slope


class _Segment:
    """Between two ends; no place where it is too close to one of them for the digits at hand."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, t):
        small, slope = _unit("segment", t, mp.prec)
        length = self.high - self.low
        place = self.high - length * small if t > 0 else self.low + length * small
        return (None if place in (self.low, self.high) else place), length * slope


def _hill(function, places):
    """The place of the largest absolute value, and where on either side it has become smaller."""
    heights = {}

    def height(place):
        if place not in heights:
            try:
                heights[place] = abs(function(place))
            except ZeroDivisionError:
                heights[place] = mpf(0)
        return heights[place]

    best = max(range(1, len(places) - 1), key=lambda i: height(places[i]))
    low, middle, high = places[best - 1:best + 2]
    for _ in range(CLIMBS):
        if min(height(low), height(high)) >= height(middle) / 8:
            break
        for other in ((low + middle) / 2, (middle + high) / 2):
            if height(other) > height(middle):
                low, middle, high = (low, other, middle) if other < middle else (middle, other, high)
                break
        else:
            low, high = (low + middle) / 2, (middle + high) / 2
    return middle, low, high


def _settled(function, path, accepted, name):
    """Sums with half the step each time, until the last one is right."""
    rule = _Rule(function, path, accepted)
    totals = [rule.first()]
    for _ in range(MOST_HALVINGS):
        totals.append(rule.halved())
        if len(totals) > 2 and _error(totals, rule.size) <= max(rule.size, 1) * accepted:
            # what is left where the parts cancel is roundoff, and no value
            return mpf(0) if abs(totals[-1]) < rule.size * accepted else totals[-1]
    raise CannotEvaluate(f"the quadrature of {name} does not settle")


def _error(totals, size):
    """The error of the last of three sums, if the digits that are right grow from sum to sum as they did.

    Where half the step doubles the digits, the last sum has twice those of the one before.
    """
    scale = max(size, 1)
    last, before = (abs(totals[-1] - total) / scale for total in totals[-2:-4:-1])
    if last == 0 or before == 0:
        return mp.eps * scale
    digits = -mp.log10(last), -mp.log10(before)
    if min(digits) <= 1:
        return mpf(1) * scale
    return mpf(10) ** -min(digits[0] ** 2 / digits[1], 2 * digits[0]) * scale


class _Rule:
    """The trapezoidal rule along a path, of which no value is computed twice."""

    def __init__(self, function, path, accepted):
        self.function, self.path, self.accepted, self.step = function, path, accepted, FIRST_STEP
        self.sum, self.absolute, self.lost, self.ends = mpf(0), mpf(0), mpf(0), (0, 0)

    size = property(lambda self: self.absolute * self.step, doc="The integral of the absolute value.")

    def _add(self, number):
        place, slope = self.path(number * self.step)
        if place is None:
            return None
        term = self.function(place) * slope if slope else mpf(0)
        self.sum += term
        self.absolute += abs(term)
        return abs(term)

    def first(self):
        self._add(0)
        self.ends = tuple(self._walk(direction) for direction in (-1, 1))
        if self.lost > max(self.absolute, 1) * self.accepted / 100:  # only now is it known of how much
            raise CannotEvaluate("an end is too singular for the digits at hand")
        return self.sum * self.step

    def _walk(self, direction):
        """Outwards until nothing is added any more; how far that is, in steps."""
        quiet, number, terms = 0, 0, []
        while quiet < QUIET:
            number += 1
            if number * self.step > FARTHEST:
                raise CannotEvaluate("the integrand does not die away")
            term = self._add(direction * number)
            if term is None:
                self.lost += self._lost(terms, direction * number)
                break
            terms.append(term)
            quiet = quiet + 1 if term <= self.absolute * mp.eps / 8 else 0
        return number

    def _lost(self, terms, number):
        """The first term without a place, if the terms go on as a power of the distance from the end."""
        if len(terms) < 2 or not all(terms[-2:]):
            return mpf(0)
        back = 1 if number > 0 else -1
        before, last, lost = (mp.log(self.path((number - k * back) * self.step)[1]) for k in (2, 1, 0))
        power = mp.log(terms[-1] / terms[-2]) / (last - before)
        return terms[-1] * mp.exp(power * (lost - last))

    def halved(self):
        self.step /= 2
        self.ends = tuple(2 * end for end in self.ends)
        for number in range(1 - self.ends[0], self.ends[1], 2):
            self._add(number)
        return self.sum * self.step
