"""What reaches to the end of its product: sums, extremes, limits, integrals; and "for all"."""

from functools import partial

import sympy as sp

from proofread.language.binders import MaxOver
from proofread.language.notation import Without
from proofread.language.typed import unfold

from .brackets import place_of, rows, spelled, split, text_at
from .errors import Unreadable


def _summed(kind, reading, items, at):
    below, above, end = reading.scripts(items, at + 1)
    here = items[at].at
    if not below:
        raise Unreadable("the range is missing", here)
    if above:
        limits = [(*reading.equation(below), reading.number(above, here))]
    elif len(sides := split(below, r"\neq")) == 2:
        limit = _range(reading, reading.symbol(sides[0], here), here)
        left_out = reading.number(sides[1], here)
        return [(end, "OPERATOR", lambda body: Without(kind(body, limit), left_out))]
    elif len(below) == 1 or below[0].text != r"\substack":
        limits = [_range(reading, reading.symbol(below, here), here)]
    else:
        limits = [_chain(reading, row) for row in rows(below)]
    return [(end, "OPERATOR", lambda body: kind(body, *limits))]


def _range(reading, index, at):
    if (found := reading.vocabulary.range_of(index)) is None:
        raise Unreadable(f"the range of {index} is not known", at)
    return found


def _chain(reading, items):
    """The index and its bounds in ``1 \\le i \\le n``."""
    parts = split(items, r"\le")
    if len(parts) != 3:
        raise Unreadable("a range is expected here", place_of(items, 0))
    low, index, high = parts
    here = place_of(items, 0)
    return reading.symbol(index, here), reading.number(low, here), reading.number(high, here)


def _extreme(reading, items, at):
    here, after = items[at].at, at + 1
    if text_at(items, after) == "_" and items[at].text == r"\max":
        limit = _range(reading, reading.symbol(items[after + 1].items, here), here)
        return [(after + 2, "OPERATOR", lambda body: MaxOver(body, limit))]
    if text_at(items, after) != "(":
        raise Unreadable("a range or a list is expected here", here)
    kind = sp.Max if items[at].text == r"\max" else sp.Min
    # SymPy compares the values at once, which it can do with plain ones only
    values = [unfold(reading.number(part, here)) for part in split(items[after].items, ",")]
    return [(after + 1, "ATOM", kind(*values))]


def _limit(reading, items, at):
    below, _, end = reading.scripts(items, at + 1)
    variable, *target = split(below, r"\to")
    if len(target) != 1 or not target[0]:
        raise Unreadable("the place of the limit is missing", items[at].at)
    variable, target, side = reading.symbol(variable, items[at].at), target[0], "+-"
    if len(target) > 2 and target[-2].text == "^" and spelled(target[-1].items) in ("+", "-"):
        side, target = spelled(target[-1].items), target[:-2]
    place = reading.number(target, items[at].at)
    if place.is_infinite:
        return [(end, "OPERATOR", lambda body: sp.Limit(body, variable, place))]
    return [(end, "OPERATOR", lambda body: sp.Limit(body, variable, place, side))]


def _integral(reading, items, at):
    below, above, end = reading.scripts(items, at + 1)
    ends = (reading.number(below, items[at].at), reading.number(above, items[at].at)) if end > at + 1 else ()
    return [(end, "INTEGRAL", ends)]


def _differential(reading, items, at):
    """The variable after the d of an integral; where there is none, the d is a letter."""
    if at + 1 == len(items):
        return []
    return [(end, "DIFFERENTIAL", value) for end, _, value in reading.claimed(items, at + 1, [])
            if isinstance(value, sp.Symbol)]


def _every(reading, items, at):
    colon = next((i for i in range(at, len(items)) if items[i].text in (r"\colon", ":")), None)
    if colon is None:
        raise Unreadable("a colon is missing", items[at].at)
    symbols = [reading.symbol(part, items[at].at) for part in split(items[at + 1:colon], ",")]
    return [(colon + 1, "EVERY", symbols)]


#: what reads each sign, given the reading, the items and the place of the sign
OPERATORS = {
    r"\sum": partial(_summed, sp.Sum), r"\prod": partial(_summed, sp.Product), r"\max": _extreme,
    r"\min": _extreme, r"\lim": _limit, r"\int": _integral, r"\,d": _differential, r"\forall": _every,
}
