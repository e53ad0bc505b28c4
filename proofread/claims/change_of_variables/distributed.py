"""“Is distributed as”: the distribution of functions of random variables, by a change of variables."""

import time
from abc import abstractmethod
from functools import lru_cache

import sympy as sp

from proofread.claims.base import Checked
from proofread.decision.laws import check_laws
from proofread.errors import Refuted, Undecided
from proofread.language.conditions import Conditions
from proofread.language.notation import E, HasLaw
from proofread.language.statement import Line, Statement
from proofread.language.typed import unfold
from proofread.ledger import BY_CHECK
from proofread.mutation.attack import ACCEPTED, refuse_none, rejections

from .regions import Ranges


@lru_cache(256)
def _has_total_one(law, given):
    try:
        check_laws(Statement(E(sp.S.One, law), "=", sp.S.One, given))
    except Undecided:
        return False
    return True


class Distributed(Checked):
    r"""The statement :math:`X \sim p \implies g(X) \sim q`, by a change of variables.

    The distributions on both sides are checked first.

    *One variable.* Decided are: :math:`g` is continuous inside the range of :math:`p`, it takes the ends
    of that range to those of :math:`q`, and :math:`\pm q(g(x))\,g'(x) = p(x)` in between, with the sign
    stated. As both densities are positive, so is :math:`\pm g'`, and together this is the change of
    variables. A function in pieces is checked piece by piece, and where they meet; so are densities in
    pieces. Those of the target must begin where those of the function do: at :math:`g(c)`.

    *Several variables*, where ``transform`` is a tuple. Decided are: :math:`q(g(x))\,|\det g'(x)| =
    p(x)` inside the range of :math:`p`, with one sign of the determinant; :math:`g` is smooth there,
    stays within the range of :math:`q`, and ``inverse`` undoes it, so it is one-to-one. If both
    densities are seen to have the total 1, no more is asked for: then the range of :math:`q` is reached
    but for a set of probability 0. (Polar coordinates miss the half-axis where the angle is cut.) Else
    ``inverse`` must also stay within the range of :math:`p`, and be undone by :math:`g`.

    Parameters
    ----------
    transform : expression, or tuple of expressions
        :math:`g(x)` in the variable of ``source``, in pieces a ``Piecewise`` with conditions ``x < c``; or as
        many functions as there are variables.
    source, target : Law; for several variables a tuple of Law, or a JointLaw
        The densities :math:`p` and :math:`q` with their ranges; what their names mean is shown with the
        statement.  Of independent variables a law each, else their joint density.
    increasing : bool
        For one variable: whether :math:`g` grows.
    inverse : tuple of expressions
        For several: :math:`x` in the variables of ``target``.
    given : iterable of relations
        Conditions on the other symbols.
    label, title, rows
        As in `Derivation`.

    Raises
    ------
    Refuted, Undecided
        If one of the conditions is false, or not seen to be true.
    ValueError
        If pieces are given otherwise, or do not begin at the same places; if the numbers of variables differ.
    Vacuous
        If the check also accepts a wrong version.

    Examples
    --------
    >>> from proofread import Law, sympy as sp
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
    proofread.errors.Refuted: eq-slow: the density does not fit: at U = 777/1024: left 1.517...

    >>> y, half = sp.Symbol("Y", real=True), sp.S.Half
    >>> laplace = Law("L", y, sp.exp(-abs(y)) / 2, -sp.oo, sp.oo)
    >>> two_sided = sp.Piecewise((sp.log(2 * u), u < half), (-sp.log(2 * (1 - u)), True))
    >>> Distributed(two_sided, uniform, laplace, increasing=True, label="eq-l", title="Laplace").mutants > 9
    True

    >>> x, y, s, t = sp.symbols("X Y S T", positive=True)
    >>> waits = [Law(r"\mathrm{Exp}(1)", v, sp.exp(-v), 0, sp.oo) for v in (x, y)]
    >>> total, share = Law(r"\Gamma(2)", s, s * sp.exp(-s), 0, sp.oo), Law(r"\mathcal{U}(0, 1)", t, 1, 0, 1)
    >>> shared = Distributed((x + y, x / (x + y)), waits, (total, share), inverse=(s * t, s * (1 - t)),
    ...                      label="eq-share", title="a total and a share")
    >>> print(shared.entry().tex.partition(r" \implies ")[2])
    \left(X + Y, \frac{X}{X + Y}\right) \sim \Gamma(2) \otimes \mathcal{U}(0, 1)
    >>> Distributed((x + y, y / x), waits, (total, share), inverse=(s * t, s * (1 - t)),
    ...             label="eq-odds", title="odds")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    proofread.errors.Refuted: eq-odds: the density does not fit: at X = ...
    """

    _kinds = {}

    def __init_subclass__(cls, *, several):
        Distributed._kinds[several] = cls

    def __new__(cls, transform, *arguments, **options):
        several = isinstance(transform, (tuple, list, sp.Tuple))
        return super().__new__(cls._kinds[several] if cls is Distributed else cls)

    def __init__(self, transform, source, target, *, label, title, given, rows):
        began = time.process_time()
        self.transform, self.source, self.target = transform, source, target
        self.label, self.title, self.rows, self.given = label, title, tuple(rows), tuple(given)
        self._known = Conditions(self.given)
        self._has_total_one = self._refuse_bad_laws()
        self.verdicts = tuple(self._decided())
        self._rejected = self._attack()
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
        versions = ((what, version) for what, *version in self._wrong())
        rejected = rejections(versions, self._of_wrong, self.label)
        refuse_none(rejected, self.label)
        return rejected

    def _of_wrong(self, version):
        """What the check says of a wrong version."""
        found = next((v.status for _, v in self._checks(*version) if v.status != "proved"), "proved")
        if found == "proved":
            return None if self._same(*version) else ACCEPTED
        return BY_CHECK if found == "refuted" else None

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
