"""Is a statement true?  Two opinions are asked for, and both must agree.

The symbolic opinion proves the statement for every size (`general`) or instances of it (`normal_form`); the
numerical one (`evaluate`) looks for a counter-example in high precision, without SymPy's algebra.  A
counter-example always wins.
"""

import random
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from proofread import any_size, ledger
from proofread.errors import CannotEvaluate, NoRule, Refuted, Undecided, Unmet, Unreal
from proofread.fixed_size.zero_test import TooSlow, is_nonnegative, is_zero, time_limit
from proofread.language.binders import Bracket, bound_symbols, substitute
from proofread.language.defined import AppliedDefinition, defined_in
from proofread.language.notation import KL
from proofread.language.parameters import NUMERIC_SIZES, Parameters, instantiate
from proofread.language.statement import DECIDABLE, Statement
from proofread.language.typed import unfold
from proofread.numeric import linear_algebra
from proofread.numeric.evaluation import DIGITS, evaluate, same
from proofread.numeric.precision import NESTED_DIGITS
from proofread.numeric.quadrature import are_nested
from proofread.numeric.sampling import describe, described, draw, points, steps, unbounded
from proofread.settings import fresh, reseed_sympy

from .cache import kept

POINTS = 12  #: random points of the numerical opinion
GLANCE = 4  #: the same of a statement that has a proof for every size, one for each size
NUMERIC_SECONDS = 120  #: the longest that the numerical opinion may take
GENERAL_SECONDS = 20  #: the longest that the proof for every size may take
FINE, COARSE = 1024, 4  #: into how many parts a range is divided, to draw from
LAW_POINTS = 100  #: at how many points the weight of a law must not be negative
CORNERS = (-9, 4)  #: powers of two by which the numbers of a further point are larger
STEEP = (sp.exp, sp.log, HyperbolicFunction, sp.gamma, sp.erf)
COSTLY_POINTS = 4  #: the same where an integral or a limit is evaluated
MOST_STEPS = 3000  #: larger sizes are looked at where no side visits more nodes than these
PATIENCE = 50  #: draws for a point at a larger size
CLOSE_DIGITS = 100  #: compared where SymPy finds no proof: values may agree in many digits and differ
CLOSE_POINTS = 2


@dataclass(frozen=True)
class Verdict:
    """What was found out about a statement.

    Attributes
    ----------
    status : str
        ``"proved"`` (both opinions), ``"agrees"`` (numbers only), ``"refuted"`` or ``"undecided"``.
    how : str
        The evidence in words.
    witness : str
        For a refuted statement, the point and the values of both sides there.
    scope : str
        The sizes for which there is a proof, of a statement about every size.
    evaluated : bool
        Whether numbers were compared at all.
    sides : tuple
        For a refuted statement, the two values at the witness.
    point : tuple
        For a refuted statement, where the values were taken: pairs of a name and a value.
    unmet : bool
        Whether no point was found that meets the conditions.
    """

    status: str
    how: str
    witness: str = ""
    scope: str = ""
    evaluated: bool = False
    sides: tuple = ()
    point: tuple = ()
    unmet: bool = False

    @property
    def findings(self):
        """What a statement that passed rests on, one by one."""
        shown, *numbers = self.how.split("; ")
        if self.status != "proved" or not shown.startswith("symbolic"):
            return (self.how,)
        further = shown.removeprefix("symbolic").strip()
        algebra = ", ".join(filter(None, ("proved by algebra", further)))
        return (algebra, *(f"confirmed in {seen}" for seen in numbers))


def decide(left, right, relation="=", *, given=(), over=(), attained=None, by=()):
    """Decide ``left relation right`` for all admissible values of its symbols.

    Parameters
    ----------
    left, right : expression
        Typed or plain; may hold sums of symbolic size, derivatives, integrals and limits.
    relation : {"=", "<=", ">=", "∝"}
    given : iterable of relations
        Conditions on the symbols beside their own assumptions.
    over : iterable of symbols
        For ``"∝"``: the ratio of the sides must not depend on these.
    attained : dict, optional
        For an inequality: values (of sizes, symbols or whole vectors; for a vector a number, or a function of
        the index) at which the sides are equal.
    by : sequence of Bound
        How it is shown, where the normal form alone does not.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If two different symbols have one name, or a name hides a variable that is bound.
    Refuted, Undecided
        If a law in the statement is none.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> decide(sp.exp(x) * sp.exp(-x), 1).status
    'proved'
    >>> decide((x + 1) ** 2, x**2 + 1).witness
    'at x = 777/512: left 6.338199615, right 3.303043365'
    """
    if relation not in DECIDABLE:
        raise ValueError(f"relation must be one of {', '.join(DECIDABLE)}; got {relation!r}")
    statement = Statement(left, relation, right, given, over, attained)
    ledger.current().checked |= defined_in(statement.left, statement.right, *statement.given)
    check_laws(statement)
    if by:  # the hypotheses of a named rule are no text by which its verdict could be kept
        return _decided(statement, by)
    refused = []

    def accepted():
        verdict = _decided(statement, by)
        if verdict.status not in ("proved", "agrees"):
            refused.append(verdict)
            return None
        return {name: getattr(verdict, name) for name in ("status", "how", "scope", "evaluated")}

    attained = None if statement.attained is None else tuple(map(tuple, statement.attained))
    parts = (*statement.plain(), relation, tuple(map(unfold, statement.over)), attained)
    answer = kept("verdict", parts, accepted)
    return Verdict(**answer) if answer else refused[0]


def _decided(statement, by):
    reseed_sympy()
    plain = _Plain.of(statement)
    try:
        with time_limit(NUMERIC_SECONDS):
            try:
                tried, found = plain.glance()
            except CannotEvaluate:  # there may be a counterexample all the same
                tried, found = plain.counterexample()
        if not found and statement.attained is not None:
            touch = _touch(statement)  # before the proof: a looser bound is true as well
            if touch.status != "proved":
                how = "the bound is not attained where it is said to be"
                return Verdict("refuted", how, touch.witness or touch.how)
        shown, scope = (False, "") if found else plain.prove(by)
        if not (found or shown):
            with time_limit(NUMERIC_SECONDS):
                tried, found = plain.counterexample()
            if not found and not by:  # SymPy may think long, so numbers have the word before it
                shown, scope = plain.shown_for_some_sizes()
    except (CannotEvaluate, TooSlow) as error:
        return Verdict("undecided", f"no numerical opinion: {error}", unmet=isinstance(error, Unmet))
    if found:
        return _refuted(found)
    seen = _seen(plain, tried)
    if not shown and (found := plain.close_look(tried)):
        return _refuted(found)
    if statement.attained is not None:
        seen += ", attained"
    return _accepted(plain, seen, shown, scope, by)


def _refuted(found):
    how = "a counter-example in high precision"
    return Verdict("refuted", how, str(found), "", True, found.sides, found.point)


def _seen(plain, tried):
    """The numerical evidence in words."""
    sizes = _named(plain.parameters.sizes, tried)
    places = f" at {len(tried)} random points" if len(tried) > 1 else ""
    return f"{plain.digits} digits{places}" + (f" with {sizes}" if sizes else "")


def _accepted(plain, seen, shown, scope, by=()):
    """The verdict on a statement whose numbers agree."""
    if shown:
        named = " and ".join(dict.fromkeys(bound.name for bound in by))
        how = " ".join(filter(None, ("symbolic", named and f"by {named}", scope and f"for {scope}")))
        how = f"{how}; {seen}"
        return Verdict("proved", how, scope=scope, evaluated=True)
    if plain.parameters.functions:
        # random functions are of one kind: what they share may be false of others
        how = f"{seen} with random functions, but SymPy found no proof ({scope})"
        return Verdict("undecided", how, evaluated=True)
    return Verdict("agrees", f"{seen}, but SymPy found no proof ({scope})", evaluated=True)


def _touch(statement):
    """The verdict on the equality of the sides where they are said to be equal."""
    values = {unfold(s): v if callable(v) and not isinstance(v, sp.Basic) else unfold(v)
              for s, v in statement.attained}
    for symbol, value in values.items():
        admissible(symbol, value)
    left, right, given = statement.plain()
    return decide(with_values(left, values), with_values(right, values), given=_at_all(given, values))


# --- laws -----------------------------------------------------------------------------------------

_sound = {}  # laws that were checked, with the conditions under which


def check_laws(statement):
    """Refuse a law that has not the weight 1, is somewhere negative, or has mass where another law has none.

    Raises
    ------
    Refuted, Undecided
    """
    todo, given = [statement.left, statement.right], statement.given
    while todo:
        for part in sp.preorder_traversal(todo.pop()):
            if isinstance(part, AppliedDefinition):
                todo.append(part.signature.body)
            for law in getattr(part, "laws", ()):
                _once(_check_law, law, given)
            if isinstance(part, KL):
                _once(_check_support, part.args, given)


def _once(check, what, given):
    key = check, what, given
    if key not in _sound:
        _sound[key] = None
        try:
            check(what, given)
        except Exception:
            del _sound[key]
            raise


def _conditions_on(given, *symbols):
    """The conditions that speak of nothing but some symbols, as plain SymPy."""
    return tuple(c for c in map(unfold, given) if c.free_symbols <= set().union(*symbols))


def _check_law(law, given):
    law = getattr(law, "single", law)  # of independent draws
    if not hasattr(law, "weight"):  # a normal law: its density is known
        return
    weight, variable, low, high = (unfold(a) for a in (law.weight, law.variable, law.low, law.high))
    total = law.total(weight)
    known = _conditions_on(given, total.free_symbols, {variable})
    kept("law", (weight, variable, low, high, known), lambda: _refuse_bad_weight(law, known) or {})


def _refuse_bad_weight(law, known):
    weight, variable, low, high = (unfold(a) for a in (law.weight, law.variable, law.low, law.high))
    total = law.total(weight)
    verdict = _Plain.of(Statement(total, "=", sp.S.One, known)).opinion()
    if verdict.status == "refuted":
        raise Refuted(f"the law {law.name} has not the total weight 1: {verdict.witness}", verdict.witness)
    if verdict.status == "undecided":
        raise Undecided(f"whether the law {law.name} has the total weight 1 is undecided: {verdict.how}")
    inside = [c for c in (variable >= low, variable <= high)
              if c not in (sp.true, sp.false) and not c.has(sp.oo)]
    sign = _Plain.of(Statement(weight, ">=", sp.S.Zero, (*known, *inside))).opinion(LAW_POINTS)
    if sign.status == "refuted":
        raise Refuted(f"the law {law.name} is negative somewhere: {sign.witness}", sign.witness)


def _check_support(laws, given):
    p, q = (getattr(law, "single", law) for law in laws)
    (low, high), (q_low, q_high) = ((unfold(law.low), unfold(law.high)) for law in (p, q))
    if bool(unfold(p.variable).is_integer) != bool(unfold(q.variable).is_integer):
        raise Refuted(f"{p.name} and {q.name} are not laws of the same kind: "
                      "one has masses, the other a density")
    for what, a, b, relation in (("begins", q_low, low, "<="), ("ends", q_high, high, ">=")):
        if a == b:
            continue
        if a.is_infinite or b.is_infinite:
            within = a == (-sp.oo if relation == "<=" else sp.oo)
        else:
            known = _conditions_on(given, a.free_symbols | b.free_symbols)
            within = _Plain.of(Statement(a, relation, b, known)).opinion().status in ("proved", "agrees")
        if not within:
            raise Refuted(f"{q.name} {what} at {a}, {p.name} at {b}: where {q.name} has no mass and "
                          f"{p.name} has some, the divergence is infinite")


# --- the two opinions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counterexample:
    """A point at which a statement fails."""

    values: dict
    sides: tuple
    note: str = ""

    @property
    def point(self):
        """The names and values as pairs, such as ``("z_1", "3/2")``."""
        return tuple(described(self.values))

    def __str__(self):
        left, right = (mp.nstr(v, 10) for v in self.sides)
        place = f"at {describe(self.values)}: " if self.values else ""
        apart = f" (they differ by {mp.nstr(self.sides[0] - self.sides[1], 2)})" if left == right else ""
        return f"{place}left {left}, right {right}{apart}{self.note}"


@dataclass(frozen=True)
class _Plain:
    """A statement in plain SymPy, with its free symbols by role."""

    left: sp.Basic
    right: sp.Basic
    relation: str
    given: tuple
    over: tuple
    parameters: Parameters

    @classmethod
    def of(cls, statement, more=()):
        left, right, given = statement.plain()
        over, given = tuple(map(unfold, statement.over)), (*given, *more)
        _refuse_confusion(left, right, given)
        return cls(left, right, statement.relation, given, over, Parameters(left, right, *given, *over))

    def opinion(self, count=POINTS):
        """A verdict without the questions that only a displayed statement has to answer."""
        try:
            with time_limit(NUMERIC_SECONDS):
                _, found = self.counterexample(count=count)
            if found:
                return Verdict("refuted", "a counter-example in high precision", str(found))
            return Verdict("agrees", "numbers")
        except (CannotEvaluate, TooSlow) as error:
            numbers = str(error)
        shown = self.is_general() or self.shown_for_some_sizes()[0]
        return Verdict("proved" if shown else "undecided", numbers)

    def counterexample(self, grain=FINE, count=POINTS):
        """Compare both sides wherever they may differ: (points compared, `Counterexample` or None)."""
        tried, found = self.glance(grain, count)
        if found := found or self.fails_in_a_corner(grain):
            return tried, found
        for point in self._larger(grain):
            if found := self._fails_at(point, DIGITS, DIGITS):
                return tried, found
            tried.append(point)
        return tried, None

    def glance(self, grain=FINE, count=GLANCE):
        """Compare both sides at random points: (points compared, `Counterexample` or None).

        A point at which a side has no value refutes nothing and shows nothing: the conditions should exclude
        it.
        """
        if self._costly:
            dear = self.parameters.functions or are_nested(self.left, self.right)
            count = min(count, COSTLY_POINTS // 2 if dear else COSTLY_POINTS)
        tried, problem = [], None
        for point in points(self.parameters, self.given, count, grain=grain):
            try:
                a, b, note = self._sides(point)
            except CannotEvaluate as error:
                if isinstance(error, Unreal) and (found := self._real_on_one_side(point)):
                    return tried, found
                problem = error
                continue
            tried.append(point)
            if self.relation == "∝" and mp.im(a) == 0 and a <= 0:
                note = " (the ratio of the sides, which has to be positive)"
                return tried, Counterexample(_mentioned(point, self.left, self.right), (a, b), note)
            if not (same(a, b, self.digits) or _ordered(a, b, self.relation)):
                return tried, Counterexample(_mentioned(point, self.left, self.right), (a, b), note)
        if problem:
            raise problem
        return tried, None

    def _real_on_one_side(self, point):
        """A counterexample where one side has a real value and the other one has none."""
        values = []
        for side in (self.left, self.right):
            try:
                values.append(evaluate(side, point))
            except Unreal:
                values.append(mp.nan)
            except CannotEvaluate:
                return None
        if mp.isnan(values[0]) == mp.isnan(values[1]):
            return None
        note = " (nan: it is not real there)"
        return Counterexample(_mentioned(point, self.left, self.right), tuple(values), note)

    def fails_in_a_corner(self, grain=FINE):
        """The counterexample far out or close to zero, if there is one."""
        # a difference quotient has no digits left where its value is tiny
        least = mp.mpf(10) ** -15
        looked = (self._fails_at(point, 2 * DIGITS, DIGITS, least) for point in self._corners(grain))
        return next(filter(None, looked), None)

    def _corners(self, grain):
        """Points far out and close to zero; there a side need not have a value."""
        parameters = self.parameters
        if not (parameters.scalars or parameters.bases) or parameters.functions or self._costly:
            return
        for reach in CORNERS:
            if reach > 0 and any(e.has(*STEEP) for e in (self.left, self.right)):
                continue  # no precision is enough for exp(exp(x)) far out
            try:
                yield from points(self.parameters, self.given, 1, grain=grain, reach=reach)
            except CannotEvaluate:
                continue

    def _larger(self, grain):
        """Points at larger sizes, as far as they cost little; there a side need not have a value."""
        parameters = self.parameters
        if not parameters.sizes:
            return
        rng = random.Random(f"{self.left} {self.right} {fresh()}")
        for choice in parameters.larger_choices(self.given, rng):
            size = max(choice[s] for s in parameters.sizes)
            most = max(steps(self.left, size), steps(self.right, size),
                       *((size + 2) ** rank for rank in parameters.bases.values()))
            if most > MOST_STEPS:
                continue
            try:
                yield from points(parameters, self.given, 1, grain=grain, choices=[choice], draws=PATIENCE)
            except CannotEvaluate:
                continue

    def close_look(self, tried):
        """A counterexample in the digits that follow, where these are cheap, among points that agree."""
        vague = (sp.Integral, sp.Limit, Bracket, AppliedUndef)
        infinite = any(e.has(sp.oo, -sp.oo) for e in (self.left, self.right))
        if self.relation == "∝" or infinite or any(e.has(*vague) for e in (self.left, self.right)):
            return None
        looked = (self._fails_at(point, CLOSE_DIGITS, CLOSE_DIGITS) for point in tried[:CLOSE_POINTS])
        return next(filter(None, looked), None)

    def _fails_at(self, point, digits, compared, least=0):
        """The counterexample at a point, if the sides have values there, more than ``least`` apart."""
        try:
            a, b, note = self._sides(point, digits)
        except CannotEvaluate:
            return None
        if same(a, b, compared) or _ordered(a, b, self.relation) or abs(a - b) < least:
            return None
        return Counterexample(_mentioned(point, self.left, self.right), (a, b), note)

    @property
    def digits(self):
        """How many digits are compared."""
        return NESTED_DIGITS if are_nested(self.left, self.right) else DIGITS

    @property
    def _costly(self):
        return any(e.has(sp.Integral, sp.Limit) for e in (self.left, self.right))

    def _sides(self, point, digits=None):
        if digits is None:
            # the errors of inner integrals add up
            digits = self.digits + 3 if are_nested(self.left, self.right) else self.digits
        if self.relation != "∝":
            return evaluate(self.left, point, digits), evaluate(self.right, point, digits), ""
        rng = random.Random(repr(point))
        top = min([point[s] for s in self.parameters.sizes], default=1)
        indices = self.parameters.indices
        moved = {**point, **{s: rng.randint(1, top) if s in indices else draw(s, self.given, rng)
                             for s in self.over}}
        below = [evaluate(self.right, p) for p in (point, moved)]
        if 0 in below:
            raise CannotEvaluate(f"the ratio of {self.left} and {self.right} is not defined everywhere")
        ratios = [evaluate(self.left, p) / b for p, b in zip((point, moved), below)]
        return *ratios, " (the ratio of the sides, here and with the variables moved)"

    def prove(self, by=()):
        """Whether the normal form shows it for every size, or why not."""
        try:
            with time_limit(GENERAL_SECONDS):
                shown = any_size.proves(self.left, self.right, self.relation, self.given, self.over, by)
            return shown, "" if shown else "its gap is not that of what was named"
        except (NoRule, TooSlow) as error:
            return False, f"what was named does not show it: {error}"
        except Exception as error:  # SymPy raises errors of every kind on what it cannot do
            return False, f"SymPy failed: {type(error).__name__}: {error}"

    def shown_for_some_sizes(self):
        """Whether SymPy proves it, and for which sizes (or why not)."""
        try:
            return self._holds_for_some_sizes()
        except TooSlow as slow:
            return False, f"SymPy was {slow}"
        except Exception as error:  # SymPy raises errors of every kind on what it cannot do
            return False, f"SymPy failed: {type(error).__name__}: {error}"

    def is_general(self):
        """Whether there is a proof for every size."""
        return self.prove()[0]

    def _holds_for_some_sizes(self):
        parameters, given = self.parameters, self.given
        choices = [{}]
        if parameters.general:
            choices = (list(parameters.choices(parameters.symbolic_sizes, given))
                       or list(parameters.choices(parameters.numeric_sizes, given)))
        if not choices:
            return False, f"no sizes up to {NUMERIC_SIZES[-1]} satisfy {list(given)}"
        known = {c.lhs: c.rhs for c in given
                 if isinstance(c, sp.Equality) and isinstance(c.lhs, AppliedUndef)}
        for choice in choices:
            if not self._holds_at(choice, known):
                why = "not even for " + describe(choice) if choice else "normal forms and simplify differ"
                return False, why
        return True, _named(parameters.sizes, choices) or _up_to(parameters.indices, choices)

    def _holds_at(self, choice, known):
        entries = _written_out(self.parameters.matrices, choice, self.given)
        a, b = (instantiate(e, {**choice, **entries}) for e in (self.left, self.right))
        if self.relation == "∝":
            firsts = [[instantiate(e, {**choice, s: 1}) for e in (self.left, self.right)]
                      for s in self.over if s in choice]
            # a derivative that vanishes says nothing of what happens between the pieces of a Piecewise
            kinks = (sp.Piecewise, sp.Heaviside, sp.sign, sp.floor, sp.Max, sp.Min)
            smooth = not any(e.has(*kinks) for e in (a, b))
            return all(is_zero(a * d - c * b) for c, d in firsts) and all(
                smooth and is_zero(sp.diff(sp.log(a) - sp.log(b), s)) for s in self.over if s not in choice)
        if self.relation in ("<=", ">="):
            return _nonnegative(b - a if self.relation == "<=" else a - b, self.given)
        return is_zero(a - b, known=known)


def _refuse_confusion(left, right, given):
    """Refuse names that SymPy would confuse."""
    bound = {s for e in (left, right) for part in sp.preorder_traversal(e) for s in bound_symbols(part)}
    vectors = {b.label for e in (left, right, *given) for b in e.atoms(sp.IndexedBase)}
    for clash in bound & vectors:
        raise ValueError(f"{clash} is bound in the statement, and a vector is called {clash} too: "
                         "SymPy takes them for one")
    for c in given:
        if c.has(AppliedUndef) and c.free_symbols & bound:
            raise ValueError(f"the condition {c} speaks of a variable that is bound in the statement")


def are_equal(left, right, given=()):
    """Whether there is a proof of an equation for every size; no number is looked at."""
    plain = _Plain.of(Statement(left, "=", right, given))
    return plain.parameters.general and plain.is_general()


def is_refuted(left, right, relation="=", *, given=(), over=()):
    """Whether a counter-example is found; no proof is looked for."""
    try:
        with time_limit(NUMERIC_SECONDS):
            return _Plain.of(Statement(left, relation, right, given, over)).counterexample()[1] is not None
    except (CannotEvaluate, TooSlow):
        return False


def plain_counterexample(left, right, relation="=", given=()):
    """For a statement that `decide` has refuted: a `Counterexample` of two classes, short, or None."""
    statement = Statement(left, relation, right, given)
    small = [sp.Eq(size, 2) for size in _Plain.of(statement).parameters.sizes]
    try:
        with time_limit(NUMERIC_SECONDS):
            return _Plain.of(statement, small).counterexample(grain=COARSE)[1]
    except (CannotEvaluate, TooSlow):
        return None


def _ordered(a, b, relation):
    if relation not in ("<=", ">=") or mp.im(a) != 0 or mp.im(b) != 0:
        return False
    return mp.re(a) < mp.re(b) if relation == "<=" else mp.re(a) > mp.re(b)


def _nonnegative(expr, given):
    """`is_nonnegative` with the conditions put in; of an integral between numbers the integrand is asked."""
    if isinstance(expr, sp.Integral) and len(expr.limits) == 1 and len(expr.limits[0]) == 3:
        variable, low, high = expr.limits[0]
        if low.is_Rational and high.is_Rational and low < high:
            return is_nonnegative(unbounded(expr.function, [*given, variable > low, variable < high]))
    return is_nonnegative(unbounded(expr, given))


def _written_out(symbols, choice, given):
    """Each matrix with a symbol for each entry, at the sizes chosen."""
    shapes = {m: [int(a.subs(choice)) for a in m.shape] for m in symbols}
    return {m: linear_algebra.general(m, shape, linear_algebra.kind(m, given)) for m, shape in shapes.items()}


def _up_to(indices, choices):
    """The places that indices without a size were given."""
    return ", ".join(f"{index.name} ≤ {max(choice[index] for choice in choices)}" for index in indices)


def _named(sizes, choices):
    """The sizes that were chosen, each of them: a gap is shown."""
    names = []
    for size in sizes:
        values = sorted({choice[size] for choice in choices})
        gapless = len(values) > 2 and values == list(range(values[0], values[-1] + 1))
        names.append(f"{size.name} = " + (f"{values[0]}…{values[-1]}" if gapless else " and ".join(
            filter(None, (", ".join(map(str, values[:-1])), str(values[-1]))))))
    return ", ".join(names)


def with_values(expr, values):
    """``expr`` with symbols, sizes and all entries of a vector replaced."""
    by_index = {k: v for k, v in values.items() if isinstance(k, sp.IndexedBase) and callable(v)}
    fixed = {k: v for k, v in values.items() if isinstance(k, sp.IndexedBase) and k not in by_index}
    expr = expr.replace(lambda e: isinstance(e, sp.Indexed) and e.base in by_index,
                        lambda e: unfold(by_index[e.base](*e.indices)))
    expr = substitute(expr, {e: sp.sympify(fixed[e.base]) for e in expr.atoms(sp.Indexed) if e.base in fixed})
    if labels := {b.label for b in expr.atoms(sp.IndexedBase)} & set(values):
        raise ValueError(f"{labels} cannot be given values: vectors have the same names, "
                         "and SymPy takes them for one")
    scalars = {k: sp.sympify(v) for k, v in values.items() if not isinstance(k, sp.IndexedBase)}
    return substitute(expr, scalars)


def admissible(symbol, value):
    """Refuse a value that the symbol cannot have."""
    if callable(value) and not isinstance(value, sp.Basic):
        value = value(sp.Dummy(integer=True, positive=True))
    value = unfold(value)
    for known in ("real", "integer", "positive", "nonnegative", "finite"):
        if getattr(symbol, f"is_{known}") and not getattr(value, f"is_{known}"):
            raise ValueError(f"{symbol} is {known}, and SymPy does not see that {value} is")


def _at_all(given, values):
    return [c for c in (with_values(c, values) for c in given) if c != sp.true]


def _mentioned(point, *exprs):
    """The part of a point that the expressions use, entries up to the sizes chosen."""
    parameters = Parameters(*exprs)
    largest = max([point[s] for s in parameters.sizes], default=max(NUMERIC_SIZES))
    return {
        key: Fraction(value) if isinstance(value, mp.mpf) else value
        for key, value in point.items()
        if not isinstance(key, tuple) or all(1 <= i <= largest for i in key[1])
    }
