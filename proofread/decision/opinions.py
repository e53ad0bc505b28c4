"""Both opinions, where less is asked than of a displayed statement."""

import sympy as sp

from proofread.budget import TooLong, within
from proofread.errors import CannotEvaluate
from proofread.language.intervals import is_positive

from .algebra import for_every_size, for_some_sizes
from .numbers import COARSE, POINTS, Numbers
from .question import question
from .verdict import Verdict


def opinion(asked, count=POINTS):
    """A verdict without the questions that only a displayed statement has to answer."""
    try:
        numbers = Numbers(asked)
        found = within(lambda: numbers.counterexample(count))
        return Verdict.refuted_by(found) if found else Verdict("agrees", numbers.evidence)
    except (CannotEvaluate, TooLong) as error:
        shown = for_every_size(asked).holds or for_some_sizes(asked).holds
        return Verdict("proved" if shown else "undecided", problem=str(error))


def are_equal(left, right, given=()):
    """Whether there is a proof of an equation for every size; no number is looked at."""
    asked = question(left, right, given=given)
    return asked.parameters.general and for_every_size(asked).holds


def is_refuted(asked):
    """Whether a counter-example is found; no proof is looked for."""
    try:
        return within(Numbers(asked).counterexample) is not None
    except (CannotEvaluate, TooLong):
        return False


def plain_counterexample(left, right, relation="=", given=()):
    """For a statement that `decide` has refuted: a `Counterexample` of two classes, short, or None."""
    asked = question(left, right, relation, given=given)
    small = tuple(sp.Eq(size, 2) for size in asked.parameters.sizes)
    try:
        return within(Numbers(asked.changed(given=(*asked.given, *small)), grain=COARSE).counterexample)
    except (CannotEvaluate, TooLong):
        return None


def is_seen_positive(expr, given=()):
    """Whether algebra shows, within its steps, that an expression is positive wherever conditions hold."""
    try:
        return within(lambda: is_positive(expr, given))
    except TooLong:
        return False
