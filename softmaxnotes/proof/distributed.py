"""“Is distributed as”: the law of a function of a random variable."""

import time
from collections import Counter

import sympy as sp
from sympy.calculus.singularities import singularities

from .checked import Checked
from .decide import Verdict, check_laws, decide
from .errors import Refuted, Undecided, Vacuous
from .inside import Inside
from .lines import Line
from .mutants import chosen
from .nodes import substitute
from .normal_form import is_positive
from .notation import E, HasLaw
from .points import unbounded
from .statement import Statement
from .written import unfold


class Distributed(Checked):
    r"""The statement :math:`X \sim p \implies g(X) \sim q` for a strictly monotone :math:`g`, by densities.

    Both laws are checked first.  Then three things are decided: :math:`g` is continuous inside the range of
    :math:`p`, it takes the ends of that range to those of :math:`q`, and :math:`\pm q(g(x))\,g'(x) = p(x)` in
    between, with the sign stated.  As both densities are positive, so is :math:`\pm g'`, and together this is
    the change of variables.

    Parameters
    ----------
    transform : expression
        :math:`g(x)` in the variable of ``source``.
    source, target : Law
        The densities :math:`p` and :math:`q` with their ranges; what their names mean is shown with the
        statement.
    increasing : bool
    given : iterable of relations
        Conditions on the other symbols.
    label, title, rows
        As in `Derivation`.

    Examples
    --------
    >>> from softmaxnotes.proof import Law, sympy as sp
    >>> u, t = sp.symbols("U T", positive=True)
    >>> uniform = Law(r"\mathcal{U}(0, 1)", u, 1, 0, 1)
    >>> exponential = Law(r"\mathrm{Exp}(1)", t, sp.exp(-t), 0, sp.oo)
    >>> waiting = Distributed(-sp.log(u), uniform, exponential, increasing=False,
    ...                       label="eq-waiting", title="a waiting time")
    >>> print(waiting.entry().tex)
    U \sim \mathcal{U}(0, 1) \implies -\log U \sim \mathrm{Exp}(1)
    >>> Distributed(-2 * sp.log(u), uniform, exponential, increasing=False,  # doctest: +ELLIPSIS
    ...             label="eq-slow", title="twice as slow")
    Traceback (most recent call last):
    softmaxnotes.proof.errors.Refuted: eq-slow: the density does not fit: at U = 777/1024: left 1.517...
    """

    def __init__(self, transform, source, target, *, increasing, label, title, given=(), rows=()):
        began = time.perf_counter()
        self.transform, self.source, self.target = sp.sympify(transform), source, target
        self.label, self.title, self.rows, self.given = label, title, tuple(rows), tuple(given)
        self._sign = 1 if increasing else -1
        self._x, self._low, self._high = (unfold(a) for a in (source.variable, source.low, source.high))
        inside = [c for c in (self._x > self._low, self._x < self._high)
                  if c not in (sp.true, sp.false) and not c.has(sp.oo)]
        self._inside = [*map(unfold, self.given), *inside]
        self._refuse_bad_laws()
        self.verdicts = tuple(self._decided(unfold(transform), unfold(target.weight)))
        self._rejected = Counter(self._attack())
        self.seconds = time.perf_counter() - began

    def _refuse_bad_laws(self):
        unknown = []
        for law in (self.source, self.target):
            if not self._is_positive(law):
                raise Undecided(
                    f"{self.label}: SymPy does not see that the density of {law.name} is positive")
            variable, low = unfold(law.variable), unfold(law.low)
            if variable.is_nonnegative and not low.is_nonnegative:
                raise ValueError(f"{self.label}: {variable} is nonnegative, and its range begins at {low}")
            try:
                check_laws(Statement(E(sp.S.One, law), "=", sp.S.One, self.given))
            except Undecided as error:
                unknown.append(error)  # the change of variables takes the weight of the other law here
            except Refuted as error:
                raise Refuted(f"{self.label}: {error}") from None
        if len(unknown) == 2:
            raise Undecided(f"{self.label}: {unknown[0]}")

    def _is_positive(self, law):
        """Whether the density is seen to be positive inside of its range, under the conditions."""
        variable, low, high, weight = (
            unfold(a) for a in (law.variable, law.low, law.high, law.weight))
        known = unbounded(weight, [c for c in map(unfold, self.given) if variable not in c.free_symbols])
        if weight.is_positive or known.is_positive or Inside(variable, low, high).is_positive(known):
            return True
        inside = [c for c in (variable > low, variable < high) if c not in (sp.true, sp.false)]
        return is_positive(unbounded(weight, [*map(unfold, self.given), *inside]))

    def _decided(self, transform, weight):
        for what, verdict in self._checks(transform, weight):
            if verdict.status != "proved":
                error = Refuted if verdict.status == "refuted" else Undecided
                raise error(f"{self.label}: {what}: {verdict.witness or verdict.how}")
            yield verdict

    def _checks(self, transform, weight):
        """Each condition with its verdict."""
        yield "the density does not fit", self._density(transform, weight)
        yield "the function is not continuous", self._continuous(transform)
        ends = [unfold(self.target.low), unfold(self.target.high)][::self._sign]
        for end, direction, reached in zip((self._low, self._high), "+-", ends):
            limit = sp.limit(transform, self._x, end, direction)
            if reached.is_infinite:  # approached too slowly for numbers; being monotone, it can only go there
                status = "proved" if limit == reached else "refuted"
                verdict = Verdict(status, "a limit", f"it is taken to {limit}")
            else:
                verdict = decide(limit, reached, given=self.given)
            yield f"the end {end} is not taken to {reached}", verdict

    def _continuous(self, transform):
        """No jump, no pole inside: of steps and pieces nothing is known, of singularities SymPy tells."""
        if transform.has(sp.Piecewise, sp.floor, sp.ceiling, sp.sign, sp.Heaviside):
            return Verdict("refuted", "a step", "it has pieces or steps")
        try:
            domain = sp.Interval.open(self._low, self._high)
            inside = singularities(transform, self._x, domain)
        except NotImplementedError as error:
            return Verdict("undecided", f"SymPy cannot find its singularities: {error}")
        if inside is sp.S.EmptySet or inside.intersect(domain) is sp.S.EmptySet:
            return Verdict("proved", "no singularity inside")
        return Verdict("refuted", "a singularity", f"it has a singularity inside: {inside}")

    def _density(self, transform, weight):
        slope = self._sign * transform.diff(self._x)
        at = substitute(weight, {unfold(self.target.variable): transform})
        source = unfold(self.source.weight)
        verdict = decide(at * slope, source, given=self._inside)
        if verdict.status == "agrees" and (self._low, self._high) == (0, 1):
            # SymPy sees signs where the variable is written by a positive one
            v = sp.Dummy("v", positive=True)
            for inside in (sp.exp(-v), v / (1 + v)):
                put = {self._x: inside}
                other = decide(substitute(at * slope, put), substitute(source, put), given=self.given)
                if other.status == "proved":
                    return other
        return verdict

    def _same(self, a, b):
        return a == b or decide(a, b, given=self._inside).status == "proved"

    def _attack(self):
        """How many wrong functions and wrong densities the check rejects."""
        transform, weight = unfold(self.transform), unfold(self.target.weight)
        rejected = 0
        wrong = [(what, m, weight) for what, m in chosen(transform) if m != transform]
        wrong += [(what, transform, m) for what, m in chosen(weight) if m != weight]
        for what, other, density in wrong:
            status = self._density(other, density).status
            if status in ("proved", "agrees") and all(
                    v.status == "proved" for _, v in self._checks(other, density)):
                if self._same(other, transform) and self._same(density, weight):
                    continue  # tan(π(u + ½)) is no wrong version of tan(π(u − ½))
                raise Vacuous(f"{self.label}: the check also accepts a wrong version ({what})")
            rejected += status == "refuted"
        if not rejected:
            raise Vacuous(f"{self.label}: no wrong version was rejected")
        return {"by the check": rejected}

    # -- what is shown ---------------------------------------------------------------------------

    @property
    def statement(self):
        premise, conclusion = HasLaw(self.source.variable, self.source), HasLaw(self.transform, self.target)
        return Statement(premise, "=>", conclusion, self.given)

    def lines(self):
        statement = self.statement
        return [Line(statement.left, "=>", statement.right)]

    @property
    def meanings(self):
        """What the names of the laws mean: pairs of a name and the density with its range."""
        return [(law.name, law.weight, law.variable, law.low, law.high) for law in (self.source, self.target)]

    def evidence(self):
        how = list(dict.fromkeys(v.how for v in self.verdicts))
        return {"kind": "distributed", "status": "proved",
                "findings": ["change of variables, continuity, and both ends; " + how[0]],
                "rejected": dict(self._rejected), "seconds": round(self.seconds, 3)}
