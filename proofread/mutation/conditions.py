"""Conditions on a symbol: which of them does a line need?"""

import sympy as sp
from mpmath import mp

from proofread.errors import CannotEvaluate
from proofread.language.conditions import Conditions
from proofread.numeric.evaluation import quick
from proofread.numeric.sampling import points

from .attack import violates

PLACES = 3  #: beyond the end of a range, at which a line is looked at
NEAR = sp.Rational(1, 8)  #: and how far beyond it


def is_needed(bound, line, domain):
    """Whether a line fails, or has no value, just beyond the end of a range.

    Of an inequality, and of an equation with one solution, that is not asked.

    Parameters
    ----------
    bound : Bound
        Of a symbol and a number, one of the conditions of the line.
    line : Compared
    domain : iterable of relations
        Where the symbol lies in any case.
    """
    (symbol, end, sign, strict), asked = bound, line.question
    free = set().union(*(side.free_symbols for side in asked.sides))
    if asked.relation != "=" or line.solved or symbol not in free:
        return True
    others = [c for c in asked.given if bound not in Conditions([c]).bounds]
    if symbol.is_integer:
        beyond = [sp.Eq(symbol, end if strict else end - sign)]
    elif sign > 0:
        beyond = [(symbol <= end) if strict else (symbol < end), symbol > end - NEAR]
    else:
        beyond = [(symbol >= end) if strict else (symbol > end), symbol < end + NEAR]
    if sp.false in beyond:  # what the symbol is assumed to be leaves nothing there
        return False
    given = Conditions([*others, *domain, *(c for c in beyond if c != sp.true)])
    parameters = asked.changed(given=given).parameters
    sizes = {*parameters.numeric_sizes, *(int(c.rhs) for c in beyond if symbol.is_integer)}
    choices = list(parameters.choices(sorted(sizes), given))
    try:
        places = list(points(parameters, given, PLACES, choices=choices)) if choices else []
    except CannotEvaluate:  # there is nothing beyond it
        return False
    return any(_fails(asked, place) for place in places)


def _fails(asked, place):
    values = [quick(side, place, patient=False) for side in asked.sides]
    return None in values or any(mp.im(v) != 0 for v in values) or violates(*values, asked.relation)
