"""A chain of equalities and inequalities, each step with its reason and each decided when it is added."""

import time

import sympy as sp
from mpmath import mp

from . import ledger
from .decide import RELATIONS, decide
from .errors import CannotEvaluate, Refuted, Undecided, Vacuous
from .evaluate import NO_VALUE, _value
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
        if {relation, self.relation} in ({"<=", ">="}, {"<=", "∝"}, {">=", "∝"}):
            raise ValueError(f"{self.label}: a chain cannot mix {self.relation} and {relation}")
        where = f"{self.label}, step {len(self.steps) + 1} ({because})"
        options = {"given": self.given, "over": over, "attained": attained}
        verdict = decide(self.end, expr, relation, **options)
        if verdict.status == "refuted":
            raise Refuted(f"{where} is false: {verdict.witness}", verdict.witness)
        if verdict.status == "undecided" or (verdict.status == "agrees" and by == "symbolic"):
            raise Undecided(f"{where} is undecided: {verdict.how}")
        self.mutants += self._attack(expr, relation, where, by, options)
        self.steps.append((relation, expr, because, verdict))
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
        parameters = Parameters(self.end, expr, *self.given, *options["over"])
        costly = parameters.functions and any(unfold(e).has(sp.Integral) for e in (self.end, expr))
        places = list(points(parameters, self.given, count=2 if costly else 4))
        pinned = [s for s in parameters.scalars if not s.is_integer and 1 < len(places) != len({p[s] for p in places}) == 1]
        if pinned:
            raise Vacuous(f"{where}: the conditions {self.given} leave one value only for {pinned}")
        left = [_quick(self.end, p) for p in places]
        right = [_quick(expr, p) for p in places]
        rejected = asked = 0
        start, line, turned, miswritten = self.end, expr, relation, list(chosen(unfold(expr)))
        if not miswritten:  # there is no wrong way to write 0, so the other side is attacked
            start, line, left, right, miswritten = expr, self.end, right, left, list(chosen(unfold(self.end)))
            turned = {"<=": ">=", ">=": "<="}.get(relation, relation)
        strict = turned == "=" or (turned == relation and options["attained"] is not None)
        for what, mutant in miswritten:
            values, violated = [], False
            for place, a in zip(places, left):
                values.append(_quick(mutant, place))
                if violated := relation != "∝" and _violates(a, values[-1], turned):
                    break
            if all(v is None for v in values):
                continue  # the slip gives nothing that has a value
            if violated:
                rejected += 1
                if not asked and decide(start, mutant, turned, **options).status in ("proved", "agrees"):
                    raise Vacuous(f"{where}: the check also accepts a wrong version ({what}): {mutant}")
                asked += 1  # the check itself is asked about the first, numbers are enough for the others
            elif not any(_differ(a, v) for a, v in zip(right, values)):
                if line is not expr:
                    continue  # another way to write 0
                status = decide(line, mutant, given=self.given).status
                if status == "refuted":
                    rejected += 1  # the difference is small, and the full check sees it
                elif status != "proved" and by == "symbolic":
                    raise Vacuous(f"{where}: a wrong version cannot be told from the line ({what}): {mutant}")
            else:
                status = decide(start, mutant, turned, **options).status
                if status == "refuted":
                    rejected += 1
                elif status != "undecided" and strict:
                    raise Vacuous(f"{where}: the check also accepts a wrong version ({what}): {mutant}")
        if not rejected:
            raise Vacuous(f"{where}: no wrong version was rejected")
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
        if status == "proved" and any(v.instances for v in verdicts):
            status = "proved in instances"
        return ledger.Entry("derivation", status, badge, self.label, title=self.title, tex=self.statement, how=how,
                            mutants=self.mutants, rows=self.rows, seconds=round(self.seconds, 3))


GRID = 399  #: values of the unknown at which an equation is looked at


class Equivalence(ledger.Checked):
    r"""A chain of equations with one unknown, each line having the same single solution as the one before.

    The last line must be ``Eq(unknown, solution)``.  A line is proved if the solution satisfies it
    identically and a fine grid over ``domain`` shows no other, at random values of the other symbols: neither
    a change of sign nor a place where the line touches zero.

    Parameters
    ----------
    equation : sympy.Eq
    unknown : sympy.Symbol
    domain : sympy.Interval
        Where the unknown lives; must be bounded.
    label, title, given, rows
        As in `Derivation`.
    """

    def __init__(self, equation, *, unknown, domain, label, title, given=(), rows=()):
        self.lines, self.unknown, self.domain, self.given = [(equation, "")], unknown, domain, list(given)
        self.label, self.title, self.rows, self.mutants, self.seconds = label, title, list(rows), 0, 0.0
        self.decided = False
        self._expect(equation)

    def _expect(self, equation):
        if not isinstance(equation, sp.Equality):
            raise ValueError(f"{self.label}: a line must be an equation Eq(…); SymPy reads it as {equation}")

    def step(self, equation, because):
        """Add a line; all lines are decided when the last one, the solution, is there."""
        began = time.perf_counter()
        self._expect(equation)
        self.lines.append((equation, because))
        self.decided = equation.lhs == self.unknown and not unfold(equation.rhs).has(self.unknown)
        if self.decided:
            for number, (line, why) in enumerate(self.lines[:-1]):
                self._decide(line, equation.rhs, f"{self.label}, line {number + 1} ({why or 'start'})")
        self.seconds += time.perf_counter() - began
        return self

    def _decide(self, line, solution, where):
        at_solution = [side.subs(self.unknown, solution) for side in line.args]
        verdict = decide(*at_solution, given=self.given)
        if verdict.status != "proved":
            error = Refuted if verdict.status == "refuted" else Undecided
            raise error(f"{where}: {self.unknown} = {solution} does not solve it: {verdict.witness or verdict.how}")
        places = list(points(Parameters(*line.args, solution, *self.given), self.given, count=3))
        for what, mutant in chosen(unfold(solution)):
            if not all(self._holds(_quick(mutant, place)) for place in places):
                continue  # a solution elsewhere does no harm
            status = decide(*(side.subs(self.unknown, mutant) for side in line.args), given=self.given).status
            if status in ("proved", "agrees"):
                raise Vacuous(f"{where}: also solved by a wrong version ({what}): {mutant}")
            self.mutants += status == "refuted"
        for place in places:
            found, value = self._solutions(line, place, where), _quick(solution, place)
            if len(found) != 1:
                raise Refuted(f"{where} has {len(found)} solutions in {self.domain}, not one", str(found))
            if not (self._holds(value) and found[0][0] <= value <= found[0][1]):
                raise Refuted(f"{where}: the solution {mp.nstr(value, 10)} is not the one in {self.domain}", str(found))

    def _holds(self, value):
        """Whether a value lies in the domain."""
        return value is not None and mp.im(value) == 0 and self.domain.start <= value <= self.domain.end

    def _solutions(self, line, place, where):
        """Small intervals of the domain, each with one solution of the line for the other symbols at ``place``."""
        low, high = mp.mpmathify(self.domain.start), mp.mpmathify(self.domain.end)
        difference = unfold(line.lhs - line.rhs)

        def f(x):
            value = _quick(difference, {**place, self.unknown: x})
            if value is None or mp.im(value) != 0:
                raise Undecided(f"{where} has no real value at {self.unknown} = {mp.nstr(x, 10)}")
            return value

        # shifted by an irrational part of a cell: no solution of a textbook falls on the grid
        inside = [low + (high - low) * (k - 1 / mp.pi) / (GRID + mp.mpf(1) / 2) for k in range(1, GRID + 1)]
        sliver = (high - low) / 10**9
        grid = [low + sliver, *inside, high - sliver]
        ends = [(low, self.domain.left_open), (high, self.domain.right_open)]
        found = [(end, end) for end, is_open in ends if not is_open and f(end) == 0]
        values = [f(x) for x in grid]
        for (a, b), (fa, fb) in zip(zip(grid, grid[1:]), zip(values, values[1:])):
            if fa * fb <= 0:
                size = max(abs(fa), abs(fb))
                for _ in range(40):
                    middle = (a + b) / 2
                    a, b = (middle, b) if f(middle) * fa > 0 else (a, middle)
                if abs(f(a)) <= size:  # not a pole
                    found.append((a - abs(a) / 10**9, b + abs(b) / 10**9))
        for a, c, (fa, fb, fc) in zip(grid, grid[2:], zip(values, values[1:], values[2:])):
            if fa * fb > 0 and fb * fc > 0 and abs(fb) <= min(abs(fa), abs(fc)):
                for _ in range(60):
                    third = (c - a) / 3
                    a, c = (a, c - third) if abs(f(a + third)) < abs(f(c - third)) else (a + third, c)
                if abs(f(a)) < max(abs(fa), abs(fc)) / 10**8:
                    found.append((a, c))
        return found

    def _markdown(self):
        lines = [rf"&&{tex(e.lhs)} &= {tex(e.rhs)}" if not why else
                 rf"&\Longleftrightarrow\quad &{tex(e.lhs)} &= {tex(e.rhs)} &&{_reason(why, True)}"
                 for e, why in self.lines]
        body = " \\\\\n".join(lines)
        return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$ ({self.label})"

    def _entry(self):
        first, last = self.lines[0][0], self.lines[-1][0]
        if not self.decided:
            raise ValueError(f"{self.label} does not end in {self.unknown} = …")
        statement = rf"{tex(first.lhs)} = {tex(first.rhs)} \iff {tex(last.lhs)} = {tex(last.rhs)}"
        return ledger.Entry("derivation", "proved", "symbolic", self.label, title=self.title, tex=statement,
                            how=["each line has this solution (symbolic; 30 digits at 12 random points) and no "
                                 "other on a fine grid"],
                            mutants=self.mutants, rows=self.rows, seconds=round(self.seconds, 3))


def _reason(because, verdict):
    mark = r"\textbf{argued: }" if verdict is None else ""
    return rf"\quad\small{mark}\text{{{because}}}"


def _quick(expr, point):
    """A value in moderate precision for telling wrong versions apart, or ``None``."""
    with mp.workdps(25):
        try:
            value = mp.mpmathify(_value(unfold(expr), point))
            return None if mp.isnan(value) else value
        except (CannotEvaluate, *NO_VALUE):
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
