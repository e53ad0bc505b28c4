"""A chain of equalities and inequalities, each step with its reason and each decided when it is added."""

import time
from collections import Counter
from dataclasses import dataclass

import sympy as sp

from proofread.any_size import Bound
from proofread.any_size.substitution import Substitution
from proofread.decision.decide import answer, ask
from proofread.decision.verdict import Verdict
from proofread.errors import Refuted, Undecided, Vacuous
from proofread.language.statement import Line, Statement, leaves
from proofread.language.typed import unfold
from proofread.mutation.attack import Attack

from .base import Checked
from .definition import results

OPPOSED = ({"<=", ">="}, {"<=", "∝"}, {">=", "∝"})


class Derivation(Checked):
    r"""A chain of checked steps, displayed as one numbered equation with the reasons beside the lines.

    Parameters
    ----------
    start : expression
        The left-hand side of the statement that the chain ends in.
    label : str
        Label of the equation, ``eq-…``.
    title : str
        What the statement is called in the ledger.
    given : iterable of relations
        Conditions on the symbols beside their own assumptions (``real=True`` and so on); shown with the
        equation.
    rows : iterable of str
        Rows of the source inventory that the chain treats.
    uses : iterable of checked objects and of labels
        Equations that a reason makes use of: what they rest on, this one rests on.  One of another chapter
        is given by its label.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> square = Derivation((x + 1)**2, label="eq-square", title="a square")
    >>> square.step(x**2 + 2*x + 1, "expand").mutants
    22
    >>> wrong = Derivation((x + 1)**2, label="eq-wrong", title="a wrong square")
    >>> wrong.step(x**2 + 1, "expand")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    proofread.errors.Refuted: eq-wrong, step 1 (expand) is false: at x = 777/512: left 6.338...
    """

    def __init__(self, start, *, label, title, given=(), rows=(), uses=()):
        self._start, self.label, self.title = sp.sympify(start), label, title
        self.given, self.rows = tuple(given), tuple(rows)
        self.uses = results(label, uses)
        self._steps = ()
        self._rejected = Counter()
        self.seconds = 0.0

    start = property(lambda self: self._start, doc="The expression that the chain begins with.")
    steps = property(lambda self: self._steps, doc="The steps: pairs of a `Line` and its `Verdict`.")

    @property
    def end(self):
        """The expression that the chain has reached."""
        return self._steps[-1][0].right if self._steps else self._start

    def line(self, number):
        """The expression that step ``number`` has reached, counted from 1."""
        return self._steps[number - 1][0].right

    @property
    def relation(self):
        """How the ends of the chain are related: the strongest relation that all steps support."""
        return ({line.relation for line, _ in self._steps} - {"="} or {"="}).pop()

    @property
    def statement(self):
        """The first side related to the last, with the conditions of all steps."""
        over = dict.fromkeys(s for _, verdict in self._steps for s in verdict.over)
        attained = {}
        for _, found in self._steps:  # where all steps are equalities
            attained |= dict(found.attained or ())
        return Statement(self._start, self.relation, self.end, self.given, tuple(over), attained or None)

    def step(self, expr, because, *, relation="=", over=(), attained=None, by=()):
        """Add a line and decide it.

        Parameters
        ----------
        expr : expression
        because : str
            The reason, shown beside the line (TeX between dollar signs).
        relation : {"=", "<=", ">=", "∝"}
        over, attained
            See `decide`.
        by : Bound or sequence of Bound, optional
            What shows it where the normal form does not: for an inequality, named bounds whose gaps have its
            gap for their sum (`bounds`); for integrals a `substitution`.

        Raises
        ------
        Refuted, Undecided, Vacuous
            If the line is false, if that cannot be told, or if a wrong version of it passes too.
        """
        began = time.process_time()
        named = _named(by)
        statement, where = self._next(expr, because, relation, over, attained)
        asked = ask(statement)
        verdict = answer(asked, named)
        if verdict.status == "refuted":
            raise Refuted(f"{where} is false: {verdict.witness}", verdict.witness)
        if verdict.status != "proved":
            raise Undecided(f"{where} is undecided: {verdict.goal}")
        # a shifted integral over the line is no wrong version, and the normal form does not see it
        exact = not any(isinstance(bound, Substitution) for bound in named)
        self._rejected.update(Attack(asked, where, exact=exact).run(both=not self._steps))
        return self._add(statement, asked, because, verdict, began, by=named)

    def argue(self, expr, because, *, relation="="):
        """Add a line that no computer algebra sees, such as an exchange of limit and integral.

        ``because`` states the argument and its hypothesis.  The line is shown as *argued* and counted as
        such, and what rests on it says so; where both sides can be evaluated they must still agree.
        """
        began = time.process_time()
        statement, where = self._next(expr, because, relation, (), None)
        if unknown := [s for s in leaves(statement.left, statement.right) if _undeclared(s)]:
            names = ", ".join(map(str, unknown))
            raise ValueError(f"{where}: {names} must be declared real, positive or integer, "
                             "or nothing can be evaluated")
        asked = ask(statement)
        verdict = answer(asked)
        if verdict.status == "refuted":
            raise Refuted(f"{where} (argued) is false: {verdict.witness}", verdict.witness)
        if verdict.unmet:
            raise Vacuous(f"{where}: no point was found that meets the conditions {list(self.given)}, and "
                          "nothing was compared: put them into the formulas")
        if verdict.evaluated:
            self._rejected.update(Attack(asked, where, exact=False).run(both=not self._steps))
        return self._add(statement, asked, because, verdict, began, argued=True)

    def _next(self, expr, because, relation, over, attained):
        if {relation, self.relation} in OPPOSED:
            raise ValueError(f"{self.label}: a chain cannot mix {self.relation} and {relation}")
        if not because.strip():
            raise ValueError(f"{self.label}: a step needs a reason")
        where = f"{self.label}, step {len(self._steps) + 1} ({because})"
        return Statement(self.end, relation, expr, self.given, over, attained), where

    def _add(self, statement, asked, because, verdict, began, argued=False, by=()):
        left = None if self._steps else statement.left
        line = Line(left, statement.relation, statement.right, because, argued, question=asked)
        self._steps += ((line, _Found(verdict, statement.over, statement.attained, by)),)
        self.seconds += time.process_time() - began
        return self

    # -- what is shown ---------------------------------------------------------------------------

    def lines(self):
        return [line for line, _ in self._steps]

    def evidence(self):
        if not self._steps:
            raise ValueError(f"{self.label} has no step: nothing was derived")
        verdicts = [found.verdict for line, found in self._steps if not line.argued]
        argued = [(line, found.verdict) for line, found in self._steps if line.argued]
        scopes = list(dict.fromkeys(v.scope for v in verdicts if v.scope))
        status = "argued" if argued else "proved for some sizes" if scopes else "proved"
        findings = list(dict.fromkeys(finding for v in verdicts for finding in v.findings))
        for line, verdict in argued:
            seen = f"numbers agree ({verdict.how})" if verdict.evaluated else "nothing could be evaluated"
            findings.append(f"argued, not computed: {line.reason}; {seen}")
        return {"kind": "derivation", "status": status, "scope": "; ".join(scopes), "findings": findings,
                "argued": len(argued), "rejected": dict(self._rejected), "seconds": round(self.seconds, 3)}


def _named(by):
    """What a line is shown by, beside the normal form."""
    named = by if isinstance(by, (list, tuple)) else (by,)
    if not all(isinstance(b, Bound) for b in named):
        raise ValueError(f"by must be bounds, such as bounds.gibbs(…), or a substitution; got {by!r}")
    return tuple(named)


@dataclass(frozen=True)
class _Found:
    """A verdict, with what the line says beside its sides, and what shows it."""

    verdict: Verdict
    over: tuple
    attained: tuple | None
    by: tuple


def _undeclared(leaf):
    plain = unfold(leaf) if isinstance(leaf, sp.Basic) else leaf
    if isinstance(plain, (sp.MatrixSymbol, sp.IndexedBase, type)):
        return isinstance(plain, sp.IndexedBase) and plain.is_real is None
    return plain.is_real is None and not plain.is_integer and str(plain).strip("+-_0123456789") != ""
