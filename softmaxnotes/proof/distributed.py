"""“Is distributed as”: the law of a function of a random variable."""

import time

import sympy as sp

from . import ledger
from .decide import Verdict, _search_counterexample, decide
from .errors import CannotEvaluate, Refuted, Undecided, Vacuous
from .mutants import chosen
from .notation import tex


class Distributed(ledger.Checked):
    r"""The statement :math:`X \sim p \implies g(X) \sim q` for a strictly monotone :math:`g`, decided by its densities.

    Both densities must have the total weight 1.  Two things are decided: :math:`g` takes the ends of the range of :math:`p` to those of :math:`q`, and
    :math:`\pm q(g(x))\,g'(x) = p(x)` in between, with the sign stated.  As both densities are positive, so is
    :math:`\pm g'`, and together this is the change of variables.

    Parameters
    ----------
    transform : sympy.Expr
        :math:`g(x)` in the variable of ``source``.
    source, target : Law
        The densities :math:`p` and :math:`q` with their ranges.
    increasing : bool
    given : iterable of sympy relations
        Conditions on the other symbols.
    label, title, rows
        As in `Derivation`.

    Examples
    --------
    >>> import sympy as sp
    >>> from softmaxnotes.proof import Law
    >>> u, t = sp.symbols("U T", positive=True)
    >>> uniform = Law(r"\mathcal{U}(0, 1)", u, 1, 0, 1)
    >>> exponential = Law(r"\mathrm{Exp}(1)", t, sp.exp(-t), 0, sp.oo)
    >>> waiting = Distributed(-sp.log(u), uniform, exponential, increasing=False, label="eq-waiting", title="a waiting time")
    >>> waiting.statement
    'U\\sim\\mathcal{U}(0, 1) \\implies - \\log\\left(U\\right)\\sim\\mathrm{Exp}(1)'
    >>> Distributed(-2 * sp.log(u), uniform, exponential, increasing=False, label="eq-slow", title="twice as slow")
    Traceback (most recent call last):
    softmaxnotes.proof.errors.Refuted: eq-slow: the density does not fit: at U = 777/1024: left 1.517578125, right 1.0
    """

    def __init__(self, transform, source, target, *, increasing, label, title, given=(), rows=()):
        began = time.perf_counter()
        self.transform, self.source, self.target = sp.sympify(transform), source, target
        self.label, self.title, self.rows = label, title, list(rows)
        self._sign = 1 if increasing else -1
        x = source.variable
        self._given = [*given, *(c for c in (x > source.low, x < source.high) if c not in (True, False, sp.true)
                                 and not c.has(sp.oo))]
        self.verdicts = []
        if not (source.weight.is_positive and target.weight.is_positive):
            raise Undecided(f"{label}: SymPy does not see that the densities are positive")
        unknown = []
        for law in (source, target):
            if law.variable.is_nonnegative and not law.low.is_nonnegative:
                raise ValueError(f"{label}: {law.variable} is nonnegative, and its range begins at {law.low}")
            try:
                _, witness = _search_counterexample(law.total(law.weight), sp.S.One, "=", list(given), ())
            except CannotEvaluate as error:
                unknown.append(f"the total weight of {law.name}: {error}")
                continue
            if witness:
                raise Refuted(f"{label}: the density of {law.name} has not the total weight 1: {witness}")
        for what, verdict in self._checks(self.transform, target.weight):
            if verdict.status != "proved":
                error = Refuted if verdict.status == "refuted" else Undecided
                raise error(f"{label}: {what}: {verdict.witness or verdict.how}")
            self.verdicts.append(verdict)
        if unknown:
            raise Undecided(f"{label}: {'; '.join(unknown)}")
        self.mutants = self._attack()
        self.seconds = time.perf_counter() - began

    def _checks(self, transform, weight):
        """Each condition with its verdict."""
        x = self.source.variable
        yield "the density does not fit", self._density(transform, weight)
        ends = [self.target.low, self.target.high][::self._sign]
        for end, direction, reached in zip((self.source.low, self.source.high), "+-", ends):
            limit = sp.limit(transform, x, end, direction)
            if reached.is_infinite:  # approached too slowly for numbers; being monotone, it can only go there
                verdict = Verdict("proved" if limit == reached else "refuted", "a limit", f"it is taken to {limit}")
            else:
                verdict = decide(limit, reached)
            yield f"the end {end} is not taken to {reached}", verdict

    def _density(self, transform, weight):
        slope = self._sign * transform.diff(self.source.variable)
        return decide(weight.subs(self.target.variable, transform) * slope, self.source.weight, given=self._given)

    def _attack(self):
        """How many wrong functions and wrong densities the density check rejects."""
        rejected = 0
        wrong = [(what, m, self.target.weight) for what, m in chosen(self.transform)]
        wrong += [(what, self.transform, m) for what, m in chosen(self.target.weight)]
        for what, transform, weight in wrong:
            status = self._density(transform, weight).status
            if status in ("proved", "agrees") and all(v.status == "proved" for _, v in self._checks(transform, weight)):
                raise Vacuous(f"{self.label}: the check also accepts a wrong version ({what})")
            rejected += status == "refuted"
        if not rejected:
            raise Vacuous(f"{self.label}: no wrong version was rejected")
        return rejected

    @property
    def statement(self):
        """TeX of the statement."""
        return (rf"{tex(self.source.variable)}\sim{self.source.name} \implies "
                rf"{tex(self.transform)}\sim{self.target.name}")

    def _markdown(self):
        return f"$$\n{self.statement}\n$$ ({self.label})"

    def _entry(self):
        how = list(dict.fromkeys(v.how for v in self.verdicts))
        return ledger.Entry("derivation", "proved", "symbolic", self.label, title=self.title, tex=self.statement,
                            how=["change of variables and both ends; " + how[0]],
                            mutants=self.mutants, rows=self.rows, seconds=round(self.seconds, 3))
