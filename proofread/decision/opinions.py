"""Both opinions, where less is asked than of a displayed statement."""

import sympy as sp

from proofread.budget import TooLong, within
from proofread.errors import CannotEvaluate
from proofread.language.intervals import is_positive
from proofread.numeric.sampling import COARSE

from .algebra import for_some_sizes
from .numbers import POINTS, Numbers
from .verdict import Verdict


def opinion(asked, count=POINTS):
    """A verdict without the questions that only a displayed statement has to answer."""
    try:
        numbers = Numbers(asked)
        found = within(lambda: numbers.counterexample(count))
        return Verdict.refuted_by(found) if found else Verdict("agrees", numbers.evidence)
    except (CannotEvaluate, TooLong) as error:
        shown = asked.proof.holds or for_some_sizes(asked).holds
        return Verdict("proved" if shown else "undecided", problem=str(error))


def is_seen_true(asked):
    """Whether there is a proof for every size; no number is looked at."""
    return asked.parameters.general and asked.proof.holds


def is_refuted(asked):
    """Whether a counter-example is found; no proof is looked for."""
    try:
        return within(Numbers(asked).counterexample) is not None
    except (CannotEvaluate, TooLong):
        return False


def plain_counterexample(asked):
    """For a question whose answer is no: a `Counterexample` of two classes, short, or None."""
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
