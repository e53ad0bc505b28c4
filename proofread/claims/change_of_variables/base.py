"""What the statements on the law of a function have in common: two laws, and checks one after the other."""

import time
from abc import abstractmethod
from collections import Counter
from functools import cache

import sympy as sp

from proofread.claims.base import Checked
from proofread.decision.decide import check_laws
from proofread.errors import Refuted, Undecided, Vacuous
from proofread.language.lines import Line
from proofread.language.notation import E, HasLaw
from proofread.language.statement import Statement
from proofread.language.typed import unfold

from .regions import Ranges


@cache
def _has_total_one(law, given):
    try:
        check_laws(Statement(E(sp.S.One, law), "=", sp.S.One, given))
    except Undecided:
        return False
    return True


class ChangeOfVariables(Checked):
    r"""Base of `Distributed` and `JointlyDistributed`: :math:`X \sim p \implies g(X) \sim q`."""

    def __init__(self, transform, source, target, *, label, title, given, rows):
        began = time.process_time()
        self.transform, self.source, self.target = transform, source, target
        self.label, self.title, self.rows, self.given = label, title, tuple(rows), tuple(given)
        self._known = [unfold(c) for c in self.given]
        self._has_total_one = self._refuse_bad_laws()
        self.verdicts = tuple(self._decided())
        self._rejected = Counter({"by the check": self._attack()})
        self.seconds = time.process_time() - began

    found = ""  #: what was checked, in words

    @abstractmethod
    def _checks(self, transform, weight):
        """Each condition with its verdict, for a function and a density of the target."""

    @abstractmethod
    def _right(self):
        """The function and the density that the statement is about, as `_checks` takes them."""

    @abstractmethod
    def _wrong(self):
        """Wrong versions of these: what was done, the function and the density."""

    @abstractmethod
    def _same(self, transform, weight):
        """Whether a version is the right one, written in another way."""

    @abstractmethod
    def _laws(self):
        """The laws of the source, and those of the target."""

    def _ranges(self, *limits):
        return Ranges(limits, self._known)

    def _refuse_bad_laws(self):
        """Whether both sides are seen to have the total weight 1; of one of them it must be seen."""
        known = [all([self._has_weight_one(law) for law in laws]) for laws in self._laws()]
        if not any(known):
            names = " and ".join(law.name for laws in self._laws() for law in laws)
            raise Undecided(f"{self.label}: that {names} have the total weight 1 is undecided")
        return all(known)

    def _has_weight_one(self, law):
        """Whether a law is seen to have it; the change of variables takes the weight of the other one."""
        limits = [tuple(map(unfold, limit)) for limit in law.limits]
        for variable, low, _ in limits:
            if variable.is_nonnegative and not low.is_nonnegative:
                raise ValueError(f"{self.label}: {variable} is nonnegative, and its range begins at {low}")
        if not self._ranges(*limits).is_positive(unfold(law.weight)):
            raise Undecided(f"{self.label}: SymPy does not see that the density of {law.name} is positive")
        if len(limits) > 1:
            return False
        try:
            return _has_total_one(law, self.given)
        except Refuted as error:
            raise Refuted(f"{self.label}: {error}") from None

    def _decided(self):
        for what, verdict in self._checks(*self._right()):
            if verdict.status != "proved":
                error = Refuted if verdict.status == "refuted" else Undecided
                raise error(f"{self.label}: {what}: {verdict.witness or verdict.how}")
            yield verdict

    def _attack(self):
        """How many wrong functions and wrong densities the check rejects."""
        rejected = 0
        for what, *version in self._wrong():
            found = next((v.status for _, v in self._checks(*version) if v.status != "proved"), "proved")
            if found == "proved" and not self._same(*version):
                raise Vacuous(f"{self.label}: the check also accepts a wrong version ({what})")
            rejected += found == "refuted"
        if not rejected:
            raise Vacuous(f"{self.label}: no wrong version was rejected")
        return rejected

    # -- what is shown ---------------------------------------------------------------------------

    @property
    @abstractmethod
    def statement(self):
        """The implication that is shown."""

    def _implication(self, variable, transform, source, target):
        return Statement(HasLaw(variable, source), "=>", HasLaw(transform, target), self.given)

    def lines(self):
        statement = self.statement
        return [Line(statement.left, "=>", statement.right)]

    @property
    def meanings(self):
        """What the names of the laws mean: each a name, the density, and the variables with their ranges."""
        laws = {}
        for law in (law for laws in self._laws() for law in laws):
            laws.setdefault(law.like_any if len(law.limits) == 1 else law, law)
        return [(law.name, law.weight, *law.limits) for law in laws.values()]

    def evidence(self):
        how = next(v.how for v in self.verdicts if v.evaluated)
        return {"kind": "distributed", "status": "proved", "findings": [f"{self.found}; {how}"],
                "rejected": dict(self._rejected), "seconds": round(self.seconds, 3)}
