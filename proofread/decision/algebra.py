"""The symbolic opinion: a proof for every size, or else at the sizes 1, 2, 3 and 4."""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from proofread.any_size.prover import prove
from proofread.budget import TooLong, within
from proofread.errors import NoRule
from proofread.fixed_size.instantiate import instantiate
from proofread.fixed_size.matrices import written_out
from proofread.fixed_size.zero_test import is_nonnegative, is_zero
from proofread.language.conditions import Conditions
from proofread.language.intervals import KINKS
from proofread.language.parameters import NUMERIC_SIZES
from proofread.numeric.sampling import describe

from .verdict import sizes_of


@dataclass(frozen=True)
class Proof:
    """What the algebra has shown.

    Attributes
    ----------
    holds : bool
    scope : tuple
        For which sizes; empty for every size.
    rules : tuple of str
        The rules of the normal form that were used.
    problem : str
        Why there is no proof.
    remainder : callable
        Tells what of the difference of the sides could not be cancelled, which takes its time.
    """

    holds: bool
    scope: tuple = ()
    rules: tuple = ()
    problem: str = ""
    remainder: Callable[[], str] = str

    @property
    def left_over(self):
        """What could not be cancelled, as text."""
        try:
            return within(self.remainder)
        except TooLong:
            return "more than can be simplified"


def for_every_size(question, by=()):
    """The proof by the normal form, with what is named ``by`` if there is something."""
    try:
        found = within(lambda: prove(
            question.left, question.right, question.relation, question.given, question.over, by))
        problem = "its gap is not that of what was named" if by and not found.holds else ""
        return Proof(found.holds, rules=found.rules, problem=problem, remainder=lambda: found.left_over)
    except NoRule as error:
        return Proof(False, problem=f"what was named does not show it: {error}" if by else str(error))
    except TooLong as error:
        return Proof(False, problem=f"the normal form was {error}")
    except Exception as error:  # SymPy raises errors of every kind on what it cannot do
        return Proof(False, problem=f"SymPy failed: {type(error).__name__}: {error}")


def for_some_sizes(question):
    """SymPy's proof, and for which sizes."""
    try:
        return _for_some_sizes(question)
    except TooLong as slow:
        return Proof(False, problem=f"SymPy was {slow}")
    except Exception as error:  # SymPy raises errors of every kind on what it cannot do
        return Proof(False, problem=f"SymPy failed: {type(error).__name__}: {error}")


def _for_some_sizes(question):
    parameters, given = question.parameters, question.given
    choices = [{}]
    if parameters.general:
        choices = (list(parameters.choices(parameters.symbolic_sizes, given))
                   or list(parameters.choices(parameters.numeric_sizes, given)))
    if not choices:
        return Proof(False, problem=f"no sizes up to {NUMERIC_SIZES[-1]} satisfy {list(given)}")
    for choice in choices:
        if not _holds_at(question, choice):
            why = "not even for " + describe(choice) if choice else "normal forms and simplify differ"
            return Proof(False, problem=why)
    return Proof(True, scope=sizes_of(parameters.sizes or parameters.indices, choices))


def _holds_at(question, choice):
    entries = written_out(question.parameters.matrices, choice, question.given)
    a, b = (instantiate(e, {**choice, **entries}) for e in question.sides)
    if question.relation == "∝":
        firsts = [[instantiate(e, {**choice, s: 1}) for e in question.sides]
                  for s in question.over if s in choice]
        # a derivative that vanishes says nothing of what happens between pieces
        smooth = not any(e.has(*KINKS) for e in (a, b))
        return all(is_zero(a * d - c * b) for c, d in firsts) and all(
            smooth and is_zero(sp.diff(sp.log(a) - sp.log(b), s)) for s in question.over if s not in choice)
    if question.relation in ("<=", ">="):
        return _nonnegative(b - a if question.relation == "<=" else a - b, question.given)
    return is_zero(a - b, known=question.given.values)


def _nonnegative(expr, given):
    """`is_nonnegative` with the conditions put in; of an integral between numbers the integrand is asked."""
    if isinstance(expr, sp.Integral) and len(expr.limits) == 1 and len(expr.limits[0]) == 3:
        variable, low, high = expr.limits[0]
        if low.is_Rational and high.is_Rational and low < high:
            expr, given = expr.function, Conditions((*given, variable > low, variable < high))
    return all(map(is_nonnegative, given.everywhere(expr)))
