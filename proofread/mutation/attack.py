"""The check, let loose on wrong versions of what it has accepted: what it lets pass, it does not check."""

from collections import Counter

import sympy as sp
from mpmath import mp

from proofread.decision.cache import kept
from proofread.decision.decide import answer
from proofread.decision.opinions import is_refuted, is_seen_true
from proofread.errors import Vacuous
from proofread.ledger import BY_CHECK, BY_NUMBERS
from proofread.numeric.evaluation import evaluate, quick

from .operators import chosen

COSTLY = (sp.Integral,)
TURNED = {"<=": ">=", ">=": "<="}
SEVERAL = 24  #: places at which whole numbers that conditions compare are looked at


class Accepted(str):
    """What a check says of a wrong version that it does not reject."""


ACCEPTED = Accepted("is accepted by the check as well")


def rejections(versions, check, where):
    """Put wrong versions to a check; how many were rejected, and by what.

    Parameters
    ----------
    versions : iterable of pairs
        What was done, and the version.
    check : callable
        Of a version: by what it is rejected; `Accepted` if it is not; None if it is no wrong version, or
        nothing can be said of it.
    where : str
        Of what these are versions, for the message.

    Raises
    ------
    Vacuous
        If one is accepted.
    """
    found = Counter()
    for what, version in versions:
        told = check(version)
        if isinstance(told, Accepted):
            raise Vacuous(f"{where}: a wrong version {told} ({what}): {version}")
        if told:
            found[told] += 1
    return found


def refuse_none(rejected, where):
    """Refuse a check of which no wrong version was rejected."""
    if not rejected:
        raise Vacuous(f"{where}: no wrong version was rejected")


class Attack:
    """Wrong versions of a line, put to the check that accepted it.

    Parameters
    ----------
    question : Question
        Of a line that was accepted, or of an argued one whose sides can be evaluated.
    where : str
        Which line it is, for the message.
    exact : bool
        Whether a version that has the values of the line must be shown to be the line.
    """

    def __init__(self, question, where, *, exact=True):
        self.question, self.where, self.exact = question, where, exact

    def run(self, *, both):
        """Attack the right side, and if ``both`` the left one; how many were rejected, and how."""
        return kept("attack", (*self.question.key, self.exact, both), lambda: self._run(both))

    def _run(self, both):
        asked = self.question
        costly = asked.is_nested or asked.parameters.functions and asked.has(*COSTLY)
        self.places = list(asked.points(2 if costly else 4))
        self._refuse_pinned()
        self._refuse_one_pattern()
        self._refuse_bystanders()
        wrong = chosen(asked.right)
        # a left side that is wrong may still be bounded; a bound that is nowhere attained may be loose
        rejected = self._side(wrong, asked, strict=asked.relation == "=" or asked.attained is not None)
        if both or not wrong:  # there is no wrong way to write 0
            turned = TURNED.get(asked.relation, asked.relation)
            other = asked.changed(left=asked.right, right=asked.left, relation=turned)
            rejected += self._side(chosen(other.right), other, strict=turned == "=")
        refuse_none(rejected, self.where)
        if asked.relation in TURNED:
            other = answer(asked.changed(left=asked.right, right=asked.left, attained=None))
            if other.status != "refuted":
                raise Vacuous(f"{self.where}: the inequality also holds the other way round")
        return dict(rejected)

    def _refuse_pinned(self):
        given, parameters = self.question.given, self.question.parameters
        pinned = [s for s in parameters.scalars if not s.is_integer
                  and 1 < len(self.places) != len({p[s] for p in self.places}) == 1]
        counts = [*parameters.sizes, *parameters.indices, *(s for s in parameters.scalars if s.is_positive)]
        pinned += [s for s in counts if s.is_integer and given.greatest(s) == max(given.least(s), 1)]
        if pinned:
            raise Vacuous(f"{self.where}: the conditions {list(given)} leave one value only for {pinned}")

    def _refuse_one_pattern(self):
        """Refuse conditions between whole numbers that leave one difference only: ``i >= n`` of an index."""
        conditions = [c for c in self.question.given.inequalities
                      if len(c.free_symbols) > 1 and all(s.is_integer for s in c.free_symbols)]
        places = list(self.question.points(SEVERAL)) if conditions else []
        for c in conditions:
            if 1 < len(places) != len({evaluate(c.gts - c.lts, place) for place in places}) == 1:
                left = evaluate(c.gts - c.lts, places[0])
                raise Vacuous(f"{self.where}: the condition {c} is met only where {c.gts - c.lts} is "
                              f"{int(left)}: it leaves one pattern, as an equation would")

    def _refuse_bystanders(self):
        free = set().union(*(side.free_symbols for side in self.question.sides))
        if bystanders := [s for s in self.question.over if s not in free]:
            raise Vacuous(f"{self.where}: neither side depends on {', '.join(map(str, bystanders))}")

    def _side(self, wrong, asked, strict):
        """Put wrong versions of the right side in its place."""
        return rejections(wrong, _OfSide(asked, self.places, strict, self.exact), self.where)


class _OfSide:
    """What the check says of a wrong version of the right side of a question."""

    def __init__(self, asked, places, strict, exact):
        self.asked, self.places, self.strict, self.exact = asked, places, strict, exact
        self.others, self.own = ([quick(side, p) for p in places] for side in asked.sides)
        self.has_been_asked = False

    def __call__(self, mutant):
        asked, values, violated = self.asked, [], False
        for place, a in zip(self.places, self.others):
            values.append(quick(mutant, place, patient=False))
            if violated := asked.relation != "∝" and violates(a, values[-1], asked.relation):
                break
            if values[-1] is None and mutant.has(*COSTLY):
                break  # it diverges, and a quadrature takes long to find that out
        if all(v is None for v in values):
            return None  # the slip gives nothing that has a value
        if violated:
            return self._of_violated(mutant)
        if not any(differ(a, v) for a, v in zip(self.own, values, strict=False)):
            return self._of_equal(mutant)
        return self._of_other(mutant)

    def _of_violated(self, mutant):
        """Numbers contradict the wrong version; the check itself is asked about the first one of a line."""
        if self.has_been_asked:
            return BY_NUMBERS
        self.has_been_asked = True
        return ACCEPTED if answer(self.asked.changed(right=mutant)).passes else BY_CHECK

    def _of_equal(self, mutant):
        """The wrong version has the values of the line: it is the line, or the difference is small."""
        asked = self.asked.of_equality(self.asked.right, mutant)
        if mutant == asked.left or is_seen_true(asked):
            return None
        status = answer(asked).status
        if status == "refuted":
            return BY_CHECK
        return Accepted("cannot be told from the line") if status != "proved" and self.exact else None

    def _of_other(self, mutant):
        """It has other values, which contradict nothing at the places tried."""
        changed = self.asked.changed(right=mutant)
        if self.strict or self.asked.attained is not None:
            status = answer(changed).status
            if status == "refuted":
                return BY_CHECK
            return ACCEPTED if status != "undecided" and self.strict else None
        # it may be a bound as well, and whether is not asked
        return BY_CHECK if is_refuted(changed) else None


def differ(a, b):
    """Whether two values, of which one may be missing, are not the same."""
    if a is None or b is None:
        return a is not b
    if mp.isinf(a) or mp.isinf(b):
        return a != b
    return abs(a - b) > mp.mpf(10) ** -8 * max(abs(a), abs(b), mp.mpf(10) ** -10)


def violates(left, right, relation):
    """Whether two values contradict a relation."""
    if left is None or right is None:
        return False
    if relation == "=":
        return differ(left, right)
    if mp.im(left) != 0 or mp.im(right) != 0:
        return True
    return differ(left, right) and (mp.re(left) > mp.re(right)) == (relation == "<=")
