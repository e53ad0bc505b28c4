"""A chain of equations with one unknown, each with the same single solution."""

import time
from collections import Counter

import sympy as sp
from mpmath import mp

from proofread.decision.decide import answer, decide
from proofread.decision.opinions import is_seen_positive
from proofread.decision.question import question
from proofread.errors import Refuted, Undecided
from proofread.language.conditions import Conditions
from proofread.language.statement import Line, Statement
from proofread.language.sympy import Eq
from proofread.language.typed import unfold
from proofread.ledger import BY_CHECK
from proofread.mutation.attack import Accepted, refuse_none, rejections
from proofread.mutation.operators import chosen
from proofread.numeric.evaluation import quick

from .base import Checked
from .definition import results

PLACES = 40  #: values of the other symbols at which the solution must lie in the domain


class Equivalence(Checked):
    r"""A chain of equations with one unknown, each line having the same single solution as the one before.

    The last line must be ``Eq(unknown, solution)``, and its solution must satisfy every line identically.
    A line has no other solution in the domain if the next line follows from it by a step that can be taken
    back: both sides multiplied by something that is not zero in the domain, or put into an exponential or a
    logarithm; or if the difference of the sides is monotone.  A line of which neither is seen is undecided.
    The evidence says whether it was shown that the solution lies in the domain under the conditions, or only
    seen at many places.

    Parameters
    ----------
    equation : Eq
    unknown : symbol
    domain : sympy.Interval
        Where the unknown lives; must be bounded.
    label, title, given, rows, uses
        As in `Derivation`.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> s, t = sp.Symbol("s", positive=True), sp.Symbol("t", real=True)
    >>> odds = Equivalence(sp.Eq(sp.log(s), t), unknown=s, domain=sp.Interval.open(0, 9), given=[t < 2],
    ...                    label="eq-odds", title="the exponential undoes the logarithm")
    >>> odds.step(sp.Eq(s, sp.exp(t)), "exponentiate").entry().status
    'proved'
    """

    def __init__(self, equation, *, unknown, domain, label, title, given=(), rows=(), uses=()):
        self.label, self.title, self.rows = label, title, tuple(rows)
        self.uses = results(label, uses)
        self.unknown, self._domain, self.given = unknown, domain, tuple(given)
        self._lines, self._is_solved, self._inside = (self._line(equation),), False, False
        self._rejected, self.seconds = Counter(), 0.0

    domain = property(lambda self: (self.unknown, self._domain))
    decided = property(lambda self: self._is_solved, doc="Whether the solution has been reached.")

    def _line(self, equation, because=""):
        if not isinstance(unfold(equation), sp.Equality):
            raise ValueError(f"{self.label}: a line must be an equation Eq(…); SymPy reads it as {equation}")
        left, right = equation.args
        return Line(left, "=", right, because, iff=True, question=question(left, right, given=self.given))

    @property
    def statement(self):
        """The first equation and the last, which have the same solution."""
        first, last = (Eq(line.left, line.right) for line in (self._lines[0], self._lines[-1]))
        return Statement(first, "iff", last, self.given)

    def step(self, equation, because):
        """Add a line; all lines are decided when the last one, the solution, is there."""
        began = time.process_time()
        if self._is_solved:
            raise ValueError(f"{self.label} is solved already")
        self._lines += (self._line(equation, because),)
        unknown, value = self._lines[-1].question.sides
        if self._lines[-1].left == self.unknown and unknown not in value.free_symbols:
            for number in range(len(self._lines) - 1):
                self._decide(number)
            self._is_solved, self._inside = True, self._is_inside(value)
            refuse_none(self._rejected, self.label)
        self.seconds += time.process_time() - began
        return self

    # -- deciding --------------------------------------------------------------------------------

    def _where(self, number):
        return f"{self.label}, line {number + 1} ({self._lines[number].reason or 'start'})"

    def _decide(self, number):
        """Decide that the solution solves a line, and that no other value does."""
        where, solution = self._where(number), self._lines[-1].question
        sides, (unknown, value) = self._lines[number].question.sides, solution.sides
        asked = question(*(side.subs(unknown, value) for side in sides), given=self.given)
        verdict = answer(asked)
        if verdict.status != "proved":
            error = Refuted if verdict.status == "refuted" else Undecided
            why = verdict.witness or verdict.how
            raise error(f"{where}: {unknown} = {self._lines[-1].right} does not solve it: {why}")
        self._stays_inside(solution, where)
        self._rejected += self._attack(sides, solution, asked, where)
        if not (self._spares_the_ends(sides, value) and (self._reversible(number) or self._monotone(sides))):
            raise Undecided(f"{where}: that {self._domain} holds no other solution is not seen: the step to "
                            "the next line cannot be taken back everywhere, and the difference of the sides "
                            "is not monotone")

    def _stays_inside(self, solution, where):
        """Refute a solution that leaves the domain at one of many places."""
        for point in solution.points(PLACES, seed=1):
            if not self._holds(quick(solution.right, point)):
                raise Refuted(f"{where}: the solution {solution.right} leaves {self._domain} under the "
                              "conditions", str(point))

    def _is_inside(self, value):
        """Whether it follows from the conditions that the solution lies in the domain."""
        domain = self._domain
        return all((value == end and not is_open) or is_seen_positive(sign * (value - end), self.given)
                   for sign, end, is_open in ((1, domain.start, domain.left_open),
                                              (-1, domain.end, domain.right_open)))

    def _attack(self, sides, solution, asked, where):
        """Put wrong solutions to the line, of which it was asked whether the right one solves it."""
        (unknown, value), places = solution.sides, list(solution.points(3))

        def check(mutant):
            if mutant == value or not all(self._holds(quick(mutant, place)) for place in places):
                return None  # a solution elsewhere does no harm
            verdict = answer(asked.of_equality(*(side.subs(unknown, mutant) for side in sides)))
            return Accepted("solves it as well") if verdict.passes else (
                BY_CHECK if verdict.status == "refuted" else None)

        return rejections(chosen(value), check, where)

    def _confined(self):
        """The conditions, with the unknown in its domain."""
        unknown, low, high = unfold(self.unknown), self._domain.start, self._domain.end
        return Conditions((*self.given, unknown > low, unknown < high))

    def _sign(self, expr):
        """1 or −1 if an expression has this sign everywhere in the domain, else 0."""
        return next((sign for sign in (1, -1) if is_seen_positive(sign * expr, self._confined())), 0)

    def _reversible(self, number):
        """Whether the next line follows by a step that can be taken back."""
        before, after = (line.question.sides for line in self._lines[number:number + 2])
        given = self._confined()
        for function in (sp.exp, sp.log):
            if function is sp.log and not all(self._sign(side) > 0 for side in before):
                continue
            if all(decide(function(b), a, given=given).status == "proved" for b, a in zip(before, after)):
                return True
        factor = sp.simplify((after[0] - after[1]) / (before[0] - before[1]))
        return bool(self._sign(factor)) and decide((before[0] - before[1]) * factor, after[0] - after[1],
                                                   given=given).status == "proved"

    def _monotone(self, sides):
        return bool(self._sign(sp.simplify(sp.diff(sides[0] - sides[1], unfold(self.unknown)))))

    def _spares_the_ends(self, sides, value):
        """Whether no end that belongs to the domain solves a line, unless it is the solution."""
        ends = ((self._domain.start, self._domain.left_open), (self._domain.end, self._domain.right_open))
        gaps = [(sides[0] - sides[1]).subs(unfold(self.unknown), end) for end, is_open in ends
                if not is_open and end != value]
        return all(any(is_seen_positive(sign * gap, self.given) for sign in (1, -1)) for gap in gaps)

    def _holds(self, value):
        """Whether a value lies in the domain."""
        return value is not None and mp.im(value) == 0 and self._domain.start <= value <= self._domain.end

    # -- what is shown ---------------------------------------------------------------------------

    def lines(self):
        return self._lines

    def evidence(self):
        if not self._is_solved:
            raise ValueError(f"{self.label} does not end in {self.unknown} = …")
        where = "by algebra" if self._inside else f"at {PLACES} places"
        findings = [f"the solution satisfies each line (symbolic; 30 digits), and lies in the domain {where}",
                    "no line has another one: each step can be taken back, or the line is monotone"]
        return {"kind": "equivalence", "status": "proved" if self._inside else "numbers agree",
                "findings": findings, "rejected": dict(self._rejected), "seconds": round(self.seconds, 3)}
