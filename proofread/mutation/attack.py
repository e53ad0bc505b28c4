"""The check, let loose on wrong versions of what it has accepted: what it lets pass, it does not check."""

from collections import Counter

import sympy as sp
from mpmath import mp

from proofread.decision.cache import kept
from proofread.decision.decide import are_equal, decide, is_refuted
from proofread.errors import Vacuous
from proofread.language.parameters import Parameters
from proofread.language.typed import unfold
from proofread.numeric.evaluation import quick
from proofread.numeric.quadrature import are_nested
from proofread.numeric.sampling import points

from .operators import chosen

COSTLY = (sp.Integral,)
BY_CHECK, BY_NUMBERS = "by the check", "by numbers at two to four points"


class Attack:
    """Wrong versions of a line, put to the check that accepted it.

    Parameters
    ----------
    statement : Statement
        A line that was accepted, or an argued one whose sides can be evaluated.
    where : str
        Which line it is, for the message.
    by : {"symbolic", "numeric"}
        How the line was accepted.
    """

    def __init__(self, statement, where, by="symbolic"):
        self.statement, self.where, self.by = statement, where, by
        attained = dict(statement.attained or ()) or None
        self.given = statement.given
        self.options = {"given": statement.given, "over": statement.over, "attained": attained}

    def run(self, *, both):
        """Attack the right side, and if ``both`` the left one; how many were rejected, and how."""
        statement = self.statement
        attained = None if statement.attained is None else tuple(map(tuple, statement.attained))
        parts = (*statement.plain(), statement.relation, tuple(map(unfold, statement.over)), attained)
        return kept("attack", (*parts, self.by, both), lambda: self._run(both))

    def _run(self, both):
        statement = self.statement
        plain = [unfold(statement.left), unfold(statement.right)]
        self.parameters = Parameters(*plain, *map(unfold, (*statement.given, *statement.over)))
        costly = are_nested(*plain) or self.parameters.functions and any(e.has(*COSTLY) for e in plain)
        self.places = list(points(self.parameters, [unfold(c) for c in self.given], count=2 if costly else 4))
        self.rejected = Counter()
        self.asked = False
        self._refuse_pinned()
        self._refuse_bystanders()
        left, right = unfold(self.statement.left), unfold(self.statement.right)
        turned = {"<=": ">=", ">=": "<="}.get(self.statement.relation, self.statement.relation)
        sides = [(left, right, self.statement.relation)]
        if both or not chosen(right):  # there is no wrong way to write 0
            sides.append((right, left, turned))
        for start, line, relation in sides:
            # a left side that is wrong may still be bounded; a bound that is nowhere attained may be loose
            strict = relation == "=" or (line is right and self.statement.attained is not None)
            self._side(start, line, relation, strict)
        if not self.rejected:
            raise Vacuous(f"{self.where}: no wrong version was rejected")
        if self.statement.relation in ("<=", ">="):
            statement = self.statement
            other = decide(statement.right, statement.left, statement.relation, given=self.given)
            if other.status != "refuted":
                raise Vacuous(f"{self.where}: the inequality also holds the other way round")
        return dict(self.rejected)

    def _refuse_pinned(self):
        pinned = [s for s in self.parameters.scalars if not s.is_integer
                  and 1 < len(self.places) != len({p[s] for p in self.places}) == 1]
        if pinned:
            conditions = list(self.given)
            raise Vacuous(f"{self.where}: the conditions {conditions} leave one value only for {pinned}")

    def _refuse_bystanders(self):
        left, right, _ = self.statement.plain()
        free = left.free_symbols | right.free_symbols
        if bystanders := [s for s in map(unfold, self.statement.over) if s not in free]:
            raise Vacuous(f"{self.where}: neither side depends on {', '.join(map(str, bystanders))}")

    def _side(self, start, line, relation, strict):
        """Put wrong versions of ``line`` in its place."""
        self.asked = False
        others, own = ([quick(side, p) for p in self.places] for side in (start, line))
        for what, mutant in chosen(line):
            self._one(what, mutant, (start, line, relation, strict), others, own)

    def _one(self, what, mutant, side, others, own):
        start, line, relation, strict = side
        values, violated = [], False
        for place, a in zip(self.places, others):
            values.append(quick(mutant, place, patient=False))
            if violated := relation != "∝" and violates(a, values[-1], relation):
                break
            if values[-1] is None and mutant.has(*COSTLY):
                break  # it diverges, and a quadrature takes long to find that out
        if all(v is None for v in values):
            return  # the slip gives nothing that has a value
        if violated:
            self._violated(what, mutant, start, relation)
        elif not any(differ(a, v) for a, v in zip(own, values, strict=False)):
            self._equal(what, mutant, line)
        elif strict or self.statement.attained is not None:
            status = decide(start, mutant, relation, **self.options).status
            if status == "refuted":
                self.rejected[BY_CHECK] += 1
            elif status != "undecided" and strict:
                raise Vacuous(f"{self.where}: the check also accepts a wrong version ({what}): {mutant}")
        elif is_refuted(start, mutant, relation, given=self.given, over=self.statement.over):
            self.rejected[BY_CHECK] += 1  # else it may be a bound as well, and whether is not asked

    def _violated(self, what, mutant, start, relation):
        """Numbers contradict the wrong version; the check itself is asked about the first one of a line."""
        if self.asked:
            self.rejected[BY_NUMBERS] += 1
            return
        self.asked = True
        if decide(start, mutant, relation, **self.options).status in ("proved", "agrees"):
            raise Vacuous(f"{self.where}: the check also accepts a wrong version ({what}): {mutant}")
        self.rejected[BY_CHECK] += 1

    def _equal(self, what, mutant, line):
        """The wrong version has the values of the line: it is the line, or the difference is small."""
        if mutant == line or are_equal(line, mutant, self.given):
            return
        status = decide(line, mutant, given=self.given).status
        if status == "refuted":
            self.rejected[BY_CHECK] += 1
        elif status != "proved" and self.by == "symbolic":
            raise Vacuous(f"{self.where}: a wrong version cannot be told from the line ({what}): {mutant}")


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
