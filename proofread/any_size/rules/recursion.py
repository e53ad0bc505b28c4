"""Rule for recursions, and proofs by induction."""

import sympy as sp

from proofread.any_size.normal_form import normal, opaque, rule
from proofread.errors import NoRule
from proofread.language.binders import Iterated, substitute

FARTHEST = 5  #: so many steps are written out


@rule(Iterated)
def _iterated(expr, case):
    """The steps that surely have been made are written out: the value at t + 1 is a step of that at t."""
    shift, time = sp.expand(expr.args[4]).as_coeff_Add()
    if not (shift.is_Integer and 0 < shift <= FARTHEST and time.is_nonnegative):
        return opaque(expr.at(sp.expand(expr.args[4])), case)
    return normal(expr.after(expr.at(time + shift - 1), time + shift - 1), case)


def lines_of_induction(left, right):
    """What has to vanish for a proof by induction that a recursion has the values of a formula.

    The first is the difference at the beginning, the second one that after a step from values which agree.

    Raises
    ------
    NoRule
        If the left side is not a recursion at a time that is a symbol.
    """
    if not (isinstance(left, Iterated) and left.args[4].is_Symbol and left.args[4].is_integer):
        raise NoRule("induction is for a recursion at a time that is an integer symbol")
    time = left.args[4]
    beginning = left.at(0) - substitute(right, {time: sp.S.Zero})
    return beginning, left.after(right, time) - substitute(right, {time: time + 1})
