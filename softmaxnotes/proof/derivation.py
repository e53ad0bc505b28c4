"""A chain of equalities and inequalities, each step with its reason and each decided when it is added."""

import time

import sympy as sp
from mpmath import mp

from . import ledger
from .decide import RELATIONS, decide
from .errors import CannotEvaluate, Refuted, Undecided, Vacuous
from .evaluate import _value, evaluate
from .instances import Parameters, points
from .mutants import chosen
from .notation import tex, unfold


class Derivation(ledger.Checked):
    r"""A chain of checked steps, displayed as one numbered equation with the reasons beside the lines.

    Parameters
    ----------
    start : sympy.Expr
        The left-hand side of the statement that the chain ends in.
    label : str
        Label of the equation, ``eq-…``.
    title : str
        What the statement is called in the ledger.
    given : iterable of sympy relations
        Conditions on the symbols beside their own assumptions (``real=True`` and so on).
    rows : iterable of str
        Rows of the source inventory that the chain treats.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> square = Derivation((x + 1)**2, label="eq-square", title="a square")
    >>> square.step(x**2 + 2*x + 1, "expand").mutants
    14
    >>> Derivation((x + 1)**2, label="eq-wrong", title="a wrong square").step(x**2 + 1, "expand")
    Traceback (most recent call last):
    softmaxnotes.proof.errors.Refuted: eq-wrong, step 1 (expand) is false: at x = 777/512: left 6.338199615, right 3.303043365
    """

    def __init__(self, start, *, label, title, given=(), rows=()):
        self.start, self.label, self.title = sp.sympify(start), label, title
        self.given, self.rows = list(given), list(rows)
        self.steps = []  # (relation, expression, reason, verdict or None for an argued step)
        self.mutants = 0
        self.seconds = 0.0

    @property
    def end(self):
        """The expression that the chain has reached."""
        return self.steps[-1][1] if self.steps else self.start

    @property
    def relation(self):
        """How the ends of the chain are related: the strongest relation that all steps support."""
        used = {step[0] for step in self.steps} - {"="}
        if len(used) > 1:
            raise ValueError(f"{self.label}: a chain cannot mix {' and '.join(sorted(used))}")
        return used.pop() if used else "="

    def step(self, expr, because, *, relation="=", over=(), attained=None, by="symbolic"):
        """Add a line and decide it.

        Parameters
        ----------
        expr : sympy.Expr
        because : str
            The reason, shown beside the line (TeX between dollar signs).
        relation : {"=", "<=", ">=", "∝"}
        over, attained
            See `decide`.
        by : {"symbolic", "numeric"}
            ``"numeric"`` accepts agreement in high precision where SymPy finds no proof; the line is then
            shown as *checked*, not as *proved*.

        Raises
        ------
        Refuted, Undecided, Vacuous
            If the line is false, if that cannot be told, or if a wrong version of it passes too.
        """
        began, expr = time.perf_counter(), sp.sympify(expr)
        if by not in ("symbolic", "numeric"):
            raise ValueError(f"by must be 'symbolic' or 'numeric'; got {by!r}")
        where = f"{self.label}, step {len(self.steps) + 1} ({because})"
        options = {"given": self.given, "over": over, "attained": attained}
        verdict = decide(self.end, expr, relation, **options)
        if verdict.status == "refuted":
            raise Refuted(f"{where} is false: {verdict.witness}", verdict.witness)
        if verdict.status == "undecided" or (verdict.status == "agrees" and by == "symbolic"):
            raise Undecided(f"{where} is undecided: {verdict.how}")
        self.mutants += self._attack(expr, relation, where, by, options)
        self.steps.append((relation, expr, because, verdict))
        self.relation  # noqa: B018  (raises on a mixed chain)
        self.seconds += time.perf_counter() - began
        return self

    def argue(self, expr, because, *, relation="="):
        """Add a line that no computer algebra sees, such as an exchange of limit and integral.

        ``because`` states the argument and its hypothesis.  The line is shown as *argued* and counted as
        such; where both sides can be evaluated they must still agree.
        """
        began, expr = time.perf_counter(), sp.sympify(expr)
        verdict = decide(self.end, expr, relation, given=self.given)
        if verdict.status == "refuted":
            raise Refuted(f"{self.label}, argued step {len(self.steps) + 1} is false: {verdict.witness}", verdict.witness)
        self.steps.append((relation, expr, because, None))
        self.seconds += time.perf_counter() - began
        return self

    def _attack(self, expr, relation, where, by, options):
        """Let the check loose on wrong versions of the line; return how many it rejected."""
        places = list(points(Parameters(self.end, expr, *self.given, *options["over"]), self.given, count=4))
        left = [_quick(self.end, p) for p in places]
        right = [_quick(expr, p) for p in places]
        rejected = 0
        for what, mutant in chosen(unfold(expr)):
            values = [_quick(mutant, p) for p in places]
            if all(v is None for v in values):
                continue  # the slip gives nothing that has a value
            if relation != "∝" and any(_violates(a, v, relation) for a, v in zip(left, values)):
                rejected += 1
            elif not any(_differ(a, v) for a, v in zip(right, values)):
                status = decide(expr, mutant, given=self.given).status
                if status == "refuted":
                    rejected += 1  # the difference is small, and the full check sees it
                elif status != "proved" and by == "symbolic":
                    raise Vacuous(f"{where}: a wrong version cannot be told from the line ({what}): {mutant}")
            elif decide(self.end, mutant, relation, **options).status in ("refuted", "undecided"):
                rejected += 1
            elif relation == "=" or options["attained"] is not None:
                raise Vacuous(f"{where}: the check also accepts a wrong version ({what}): {mutant}")
        if relation in ("<=", ">=") and decide(expr, self.end, relation, given=self.given).status != "refuted":
            raise Vacuous(f"{where}: the inequality also holds the other way round")
        return rejected

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def statement(self):
        """TeX of the statement: the first side related to the last."""
        return rf"{tex(self.start)} {RELATIONS[self.relation]} {tex(self.end)}"

    def _markdown(self):
        if len(self.steps) == 1:
            relation, _, because, verdict = self.steps[0]
            return f"$$\n{self.statement} {_reason(because, verdict)}\n$$ ({self.label})"
        lines = [rf"{tex(self.start)} &{RELATIONS[r]} {tex(e)} &&{_reason(why, verdict)}" if i == 0
                 else rf"&{RELATIONS[r]} {tex(e)} &&{_reason(why, verdict)}"
                 for i, (r, e, why, verdict) in enumerate(self.steps)]
        body = " \\\\\n".join(lines)
        return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$ ({self.label})"

    def _entry(self):
        if not self.steps:
            raise ValueError(f"{self.label} has no step: nothing was derived")
        verdicts = [v for *_, v in self.steps if v]
        argued = sum(v is None for *_, v in self.steps)
        status = "argued" if argued else "proved" if all(v.status == "proved" for v in verdicts) else "checked"
        how = list(dict.fromkeys(v.how for v in verdicts))
        if argued:
            how.append(f"{argued} of {len(self.steps)} steps argued, not computed")
        badge = {"argued": "argued", "proved": "symbolic", "checked": "quadrature"}[status]
        return ledger.Entry("derivation", status, badge, self.label, title=self.title, tex=self.statement, how=how,
                            mutants=self.mutants, rows=self.rows, seconds=round(self.seconds, 3))


class Equivalence(ledger.Checked):
    r"""A chain of equations with one unknown, each line having the same single solution as the one before.

    The last line must be ``Eq(unknown, solution)``.  A line is proved if the solution satisfies it
    identically and SymPy's ``solveset`` finds no other in ``domain``; the second opinion counts the sign
    changes of the line over ``domain`` at random values of the other symbols.

    Parameters
    ----------
    equation : sympy.Eq
    unknown : sympy.Symbol
    domain : sympy.Interval
        Where the unknown lives; must be bounded.
    label, title, rows
        As in `Derivation`.
    """

    def __init__(self, equation, *, unknown, domain, label, title, rows=()):
        self.lines, self.unknown, self.domain = [(equation, "")], unknown, domain
        self.label, self.title, self.rows, self.mutants, self.seconds = label, title, list(rows), 0, 0.0

    def step(self, equation, because):
        """Add a line; all lines are decided when the last one, the solution, is there."""
        began = time.perf_counter()
        self.lines.append((equation, because))
        if equation.lhs == self.unknown and not equation.rhs.has(self.unknown):
            for number, (line, why) in enumerate(self.lines[:-1]):
                self._decide(line, equation.rhs, f"{self.label}, line {number + 1} ({why or 'start'})")
        self.seconds += time.perf_counter() - began
        return self

    def _decide(self, line, solution, where):
        at_solution = [side.subs(self.unknown, solution) for side in line.args]
        verdict = decide(*at_solution)
        if verdict.status != "proved":
            error = Refuted if verdict.status == "refuted" else Undecided
            raise error(f"{where}: {self.unknown} = {solution} does not solve it: {verdict.witness or verdict.how}")
        for what, mutant in chosen(unfold(solution)):
            if decide(*(side.subs(self.unknown, mutant) for side in line.args)).status == "proved":
                raise Vacuous(f"{where}: also solved by a wrong version ({what}): {mutant}")
            self.mutants += 1
        low, high = self.domain.start, self.domain.end
        others = {s: p for s, p in _one_point(line, self.unknown).items()}
        with mp.workdps(30):
            grid = [low + (high - low) * sp.Rational(k, 400) for k in range(1, 400)]
            signs = [mp.sign(evaluate(line.lhs - line.rhs, {**others, self.unknown: g}, 15)) for g in grid]
        changes = sum(a * b < 0 or b == 0 for a, b in zip(signs, signs[1:]))
        if changes != 1:
            raise Refuted(f"{where} has {changes} solutions in {self.domain}, not one")

    def _markdown(self):
        lines = [rf"&&{tex(e.lhs)} &= {tex(e.rhs)}" if not why else
                 rf"&\Longleftrightarrow\quad &{tex(e.lhs)} &= {tex(e.rhs)} &&{_reason(why, True)}"
                 for e, why in self.lines]
        body = " \\\\\n".join(lines)
        return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$ ({self.label})"

    def _entry(self):
        first, last = self.lines[0][0], self.lines[-1][0]
        if last.lhs != self.unknown:
            raise ValueError(f"{self.label} does not end in {self.unknown} = …")
        statement = rf"{tex(first.lhs)} = {tex(first.rhs)} \iff {tex(last.lhs)} = {tex(last.rhs)}"
        return ledger.Entry("derivation", "proved", "symbolic", self.label, title=self.title, tex=statement,
                            how=["each line has this solution (symbolic; 30 digits at 12 random points) and no "
                                 "other on a grid of 399 values"],
                            mutants=self.mutants, rows=self.rows, seconds=round(self.seconds, 3))


def _one_point(line, unknown):
    return {s: v for s, v in next(points(Parameters(line.lhs, line.rhs))).items() if s != unknown}


def _reason(because, verdict):
    mark = r"\textbf{argued: }" if verdict is None else ""
    return rf"\quad\small{mark}\text{{{because}}}"


def _quick(expr, point):
    """A value in moderate precision for telling wrong versions apart, or ``None``."""
    with mp.workdps(25):
        try:
            value = mp.mpmathify(_value(unfold(expr), point))
            return None if mp.isnan(value) else value
        except (CannotEvaluate, ZeroDivisionError, OverflowError, TypeError, mp.NoConvergence):
            return None


def _differ(a, b):
    if a is None or b is None:
        return a is not b
    if mp.isinf(a) or mp.isinf(b):
        return a != b
    return abs(a - b) > mp.mpf(10) ** -10 * max(abs(a), abs(b), mp.mpf(10) ** -10)


def _violates(left, right, relation):
    if left is None or right is None:
        return False
    if relation == "=":
        return _differ(left, right)
    if mp.im(left) != 0 or mp.im(right) != 0:
        return True
    return _differ(left, right) and (left > right if relation == "<=" else left < right)
