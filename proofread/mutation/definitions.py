"""Wrong versions of a definition, put where it is unfolded: what all lines and routes let pass, none sees."""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
from mpmath import mp

from proofread.decision.question import Question, question
from proofread.errors import CannotEvaluate, Unreal
from proofread.language.defined import Signature, defined_in, redefined
from proofread.language.distributions import Law
from proofread.language.typed import unfold
from proofread.numeric.evaluation import evaluate, quick

from .attack import differ, violates
from .operators import chosen, narrowed

PLACES = 3  #: at which a line is looked at


@dataclass(frozen=True)
class Compared:
    """A line that was accepted, with its sides as they were typed.

    Of an equation with one solution, ``solved`` is the unknown and what it is.
    """

    left: sp.Basic
    right: sp.Basic
    question: Question
    solved: tuple = ()

    @property
    def typed(self):
        return self.left, self.right, *self.solved[1:]

    @property
    def cost(self):
        asked = self.question
        return asked.has(sp.Limit), asked.has(sp.Integral), sum(side.count_ops() for side in asked.sides)

    def refutes(self, signature):
        """Whether numbers contradict the line, or a law in it, where a definition has another body."""
        relation, places = self.question.relation, list(self.question.points(PLACES))
        laws = {part for side in (self.left, self.right) for part in sp.preorder_traversal(side)
                if isinstance(part, Law) and signature.label in defined_in(part.weight)}
        pairs = [(redefined(law, signature).expect(1), sp.S.One, "=") for law in laws]
        left, right, *solution = (unfold(redefined(part, signature)) for part in self.typed)
        if solution:
            left, right = (side.subs(unfold(self.solved[0]), *solution) for side in (left, right))
        if relation != "∝":
            pairs.append((left, right, relation))
        return any(_contradict(*pair, place) for pair in pairs for place in places)


def _contradict(left, right, relation, place):
    """Whether the sides have values that are not so related, or are no real numbers."""
    values = [quick(side, place, patient=False) for side in (left, right)]
    if None in values:
        return any(_is_unreal(side, place) for side, v in zip((left, right), values) if v is None)
    return any(mp.im(v) != 0 for v in values) or violates(*values, relation)


def _is_unreal(expr, place):
    """Whether there is the logarithm or a broken power of a negative number in an expression."""
    try:
        evaluate(expr, place, digits=15)
    except CannotEvaluate as error:
        return isinstance(error, Unreal)
    return False


@dataclass(frozen=True)
class Known:
    """A formula as it was typed whose values are known; ``contradicts`` tells of another whether they do."""

    formula: sp.Basic
    contradicts: Callable

    cost = (False, False, 0)

    @property
    def typed(self):
        return (self.formula,)

    def refutes(self, signature):
        return self.contradicts(unfold(redefined(self.formula, signature)))


def attacked(signature, given, evidence):
    """Wrong versions of a definition that numbers refute, and in words those that they do not.

    Parameters
    ----------
    signature : Signature
        Of a number or a matrix.
    given : iterable of relations
        Under which it is defined.
    evidence : iterable of Compared and Known
        Of these, what unfolds the definition.

    Returns
    -------
    rejected : int
        It is 0 if nothing unfolds the definition: then nothing is tried.
    passed : list of str
    """
    evidence = sorted((one for one in evidence if signature.label in defined_in(*one.typed)),
                      key=lambda one: one.cost)
    rejected, passed = 0, []
    if not evidence:
        return rejected, passed
    for what, version in _wrong_versions(signature, given):
        other = Signature(signature.head, signature.parameters, version, signature.label)
        if any(one.refutes(other) for one in evidence):
            rejected += 1
        else:
            passed.append(str(what))
    return rejected, passed


def _wrong_versions(signature, given):
    """The versions that have other values than the body and depend on all parameters, with what was done."""
    body = unfold(signature.body)
    number = _probed(body)
    try:
        places = list(question(number, number, given=given).points(PLACES))
    except CannotEvaluate:
        return
    own = [quick(number, place) for place in places]
    for what, version in [*chosen(body), *narrowed(body)]:
        if not set(signature.parameters) <= version.free_symbols:
            continue
        values = [quick(_probed(version), place, patient=False) for place in places]
        if any(None not in pair and differ(*pair) for pair in zip(own, values)):
            yield what, version


def _probed(body):
    """A number that tells matrices apart."""
    return sp.Trace(sp.MatrixSymbol("any", *body.shape).T * body) if body.is_Matrix else body
