"""Is a statement true?  Two opinions are asked for, and both must agree.

The symbolic opinion (`normal_form`) proves instances of the statement; the numerical one (`evaluate`)
looks for a counter-example in high precision, without SymPy's algebra.  A counter-example always wins.
"""

import random
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from . import matrices
from .definition import mark
from .errors import CannotEvaluate
from .evaluate import DIGITS, evaluate, same
from .instances import NUMERIC_SIZES, Parameters, bound_symbols, describe, draw, instantiate, points, unbounded
from .normal_form import TooSlow, is_nonnegative, is_zero, time_limit
from .notation import unfold

POINTS = 12  #: random points of the numerical opinion
NUMERIC_SECONDS = 120  #: the longest that the numerical opinion may take
FINE, COARSE = 1024, 4  #: into how many parts a range is divided, to draw from
COSTLY_POINTS = 4  #: the same where an integral or a limit is evaluated

RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge", "∝": r"\propto"}


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
    instances : bool
        Whether the proof is of the instances named in ``how``, of a statement about every size.
    """

    status: str
    how: str
    witness: str = ""
    instances: bool = False


def decide(left, right, relation="=", *, given=(), over=(), attained=None):
    """Decide ``left relation right`` for all admissible values of its symbols.

    Parameters
    ----------
    left, right : sympy.Expr
        May hold `Notation`, sums of symbolic size, derivatives, integrals and limits.
    relation : {"=", "<=", ">=", "∝"}
    given : iterable of sympy relations
        Conditions on the symbols beside their own assumptions.
    over : iterable of sympy.Symbol
        For ``"∝"``: the ratio of the sides must not depend on these.
    attained : dict, optional
        For an inequality: values (of sizes, symbols or whole vectors; for a vector a number, or a function of
        the index) at which the sides are equal.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> decide(sp.exp(x) * sp.exp(-x), 1).status
    'proved'
    >>> decide((x + 1) ** 2, x**2 + 1).witness
    'at x = 777/512: left 6.338199615, right 3.303043365'
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation must be one of {', '.join(RELATIONS)}; got {relation!r}")
    left, right, given = sp.sympify(left), sp.sympify(right), list(given)
    mark(left, right, *given)
    left, right, given = unfold(left), unfold(right), [unfold(c) for c in given]
    bound = {s for e in (left, right) for part in sp.preorder_traversal(e) for s in bound_symbols(part)}
    vectors = {b.label for e in (left, right, *given) for b in e.atoms(sp.IndexedBase)}
    for clash in bound & vectors:
        raise ValueError(f"{clash} is bound in the statement, and a vector is called {clash} too: SymPy takes them for one")
    for c in given:
        if c.has(AppliedUndef) and c.free_symbols & bound:
            raise ValueError(f"the condition {c} speaks of a variable that is bound in the statement")
    if relation == "∝" and not over:
        raise ValueError("a proportionality needs over=(variables,): the ratio must not depend on them")
    try:
        with time_limit(NUMERIC_SECONDS):
            tried, witness = _search_counterexample(left, right, relation, given, over)
    except (CannotEvaluate, TooSlow) as error:
        return Verdict("undecided", f"no numerical opinion: {error}")
    if witness:
        return Verdict("refuted", "a counter-example in high precision", witness)
    sizes = _named(Parameters(left, right, *given, *over).sizes, tried)
    seen = f"{DIGITS} digits" + (f" at {len(tried)} random points" if len(tried) > 1 else "")
    seen += f" with {sizes}" if sizes else ""
    try:
        shown, scope = _prove(left, right, relation, given, over)
    except TooSlow as slow:
        shown, scope = False, f"SymPy was {slow}"
    except Exception as error:  # SymPy raises errors of every kind on what it cannot do
        shown, scope = False, f"SymPy failed: {type(error).__name__}: {error}"
    if attained is not None:
        for symbol, value in attained.items():
            _admissible(symbol, value)
        touch = decide(*(_at(e, attained) for e in (left, right)), given=_at_all(given, attained))
        if touch.status != "proved":
            return Verdict("refuted", "the bound is not attained where it is said to be", touch.witness or touch.how)
        seen += ", attained"
    if shown:
        return Verdict("proved", f"{scope}; {seen}", instances=bool(Parameters(left, right, *given, *over).sizes))
    if Parameters(left, right).functions:
        # random functions are of one kind: what they share may be false of others
        return Verdict("undecided", f"{seen} with random functions, but SymPy found no proof ({scope})")
    return Verdict("agrees", f"{seen}, but SymPy found no proof ({scope})")


def plain_counterexample(left, right, relation="=", given=()):
    """A witness of two classes or dimensions in short numbers, for a reader, of a statement that `decide` has refuted; or ''."""
    left, right, given = unfold(sp.sympify(left)), unfold(sp.sympify(right)), [unfold(c) for c in given]
    small = [sp.Eq(size, 2) for size in Parameters(left, right, *given).sizes]
    try:
        with time_limit(NUMERIC_SECONDS):
            return _search_counterexample(left, right, relation, [*given, *small], (), grain=COARSE)[1]
    except (CannotEvaluate, TooSlow):
        return ""


def _search_counterexample(left, right, relation, given, over, grain=FINE):
    """Compare both sides at random points: (points compared, witness or '').

    A point at which a side has no value refutes nothing and shows nothing: the conditions should exclude it.
    """
    parameters = Parameters(left, right, *given, *over)
    count = POINTS
    if any(e.has(sp.Integral, sp.Limit) for e in (left, right)):
        count = COSTLY_POINTS // 2 if parameters.functions else COSTLY_POINTS
    tried, problem = [], None
    for point in points(parameters, given, count, grain=grain):
        try:
            a, b, text = _sides(left, right, relation, given, over, point, parameters)
        except CannotEvaluate as error:
            problem = error
            continue
        tried.append(point)
        if not (same(a, b) or _ordered(a, b, relation)):
            where = f"at {describe(_mentioned(point, left, right))}: " if point else ""
            return tried, f"{where}left {mp.nstr(a, 10)}, right {mp.nstr(b, 10)}{text}"
    if problem:
        raise problem
    return tried, ""


def _ordered(a, b, relation):
    if relation not in ("<=", ">=") or mp.im(a) != 0 or mp.im(b) != 0:
        return False
    return mp.re(a) < mp.re(b) if relation == "<=" else mp.re(a) > mp.re(b)


def _sides(left, right, relation, given, over, point, parameters):
    if relation != "∝":
        return evaluate(left, point), evaluate(right, point), ""
    rng, top = random.Random(repr(point)), min([point[s] for s in parameters.sizes], default=1)
    moved = {**point, **{s: rng.randint(1, top) if s in parameters.indices else draw(s, given, rng) for s in over}}
    below = [evaluate(right, p) for p in (point, moved)]
    if 0 in below:
        raise CannotEvaluate(f"the ratio of {left} and {right} is not defined everywhere")
    ratios = [evaluate(left, p) / b for p, b in zip((point, moved), below)]
    return *ratios, " (the ratio of the sides, here and with the variables moved)"


def _prove(left, right, relation, given, over):
    parameters = Parameters(left, right, *given, *over)
    choices = [{}]
    if parameters.general:
        choices = (list(parameters.choices(parameters.symbolic_sizes, given))
                   or list(parameters.choices(parameters.numeric_sizes, given)))
    sizes = _named(parameters.sizes, choices)
    scope = "symbolic" + (f" for {sizes}" if sizes else "")
    if not choices:
        return False, f"no sizes up to {NUMERIC_SIZES[-1]} satisfy {given}"
    known = {c.lhs: c.rhs for c in given if isinstance(c, sp.Equality) and isinstance(c.lhs, AppliedUndef)}
    for choice in choices:
        a, b = (instantiate(e, {**choice, **_written_out(parameters.matrices, choice, given)}) for e in (left, right))
        if relation == "∝":
            firsts = [[instantiate(e, {**choice, s: 1}) for e in (left, right)] for s in over if s in choice]
            holds = all(is_zero(a * d - c * b) for c, d in firsts) and all(
                is_zero(sp.diff(sp.log(a) - sp.log(b), s)) for s in over if s not in choice)
        elif relation in ("<=", ">="):
            holds = _nonnegative(b - a if relation == "<=" else a - b, given)
        else:
            holds = is_zero(a - b, known=known)
        if not holds:
            return False, "not even for " + describe(choice) if choice else "normal forms and simplify differ"
    return True, scope


def _nonnegative(expr, given):
    """`is_nonnegative` with the conditions put in; of an integral between numbers the integrand is asked."""
    if isinstance(expr, sp.Integral) and len(expr.limits) == 1 and len(expr.limits[0]) == 3:
        variable, low, high = expr.limits[0]
        if low.is_Rational and high.is_Rational and low < high:
            return is_nonnegative(unbounded(expr.function, [*given, variable > low, variable < high]))
    return is_nonnegative(unbounded(expr, given))


def _written_out(symbols, choice, given):
    """Each matrix with a symbol for each entry, at the sizes chosen."""
    return {m: matrices.general(m, [int(a.subs(choice)) for a in m.shape], matrices.kind(m, given)) for m in symbols}


def _named(sizes, choices):
    """The sizes that were chosen, each of them: a gap is shown."""
    names = []
    for size in sizes:
        values = sorted({choice[size] for choice in choices})
        gapless = len(values) > 2 and values == list(range(values[0], values[-1] + 1))
        names.append(f"{size.name} = " + (f"{values[0]}…{values[-1]}" if gapless else " and ".join(
            filter(None, (", ".join(map(str, values[:-1])), str(values[-1]))))))
    return ", ".join(names)


def _at(expr, values):
    """``expr`` with symbols, sizes and all entries of a vector replaced."""
    vectors = {k: v for k, v in values.items() if isinstance(k, sp.IndexedBase)}
    expr = expr.replace(lambda e: isinstance(e, sp.Indexed) and e.base in vectors, lambda e: _entry(vectors, e))
    if labels := {b.label for b in expr.atoms(sp.IndexedBase)} & set(values):
        raise ValueError(f"{labels} cannot be given values: vectors have the same names, and SymPy takes them for one")
    return expr.subs({k: v for k, v in values.items() if k not in vectors})


def _admissible(symbol, value):
    """Refuse a value that the symbol cannot have."""
    value = sp.sympify(value(sp.Dummy(integer=True, positive=True)) if callable(value) else value)
    for known in ("real", "integer", "positive", "nonnegative", "finite"):
        if getattr(symbol, f"is_{known}") and not getattr(value, f"is_{known}"):
            raise ValueError(f"{symbol} is {known}, and SymPy does not see that {value} is")


def _entry(vectors, expr):
    value = vectors[expr.base]
    return value(*expr.indices) if callable(value) else value


def _at_all(given, values):
    return [c for c in (_at(c, values) for c in given) if c != sp.true]


def _mentioned(point, *exprs):
    """The part of a point that the expressions use, entries up to the sizes chosen."""
    parameters = Parameters(*exprs)
    largest = max([point[s] for s in parameters.sizes], default=max(NUMERIC_SIZES))
    return {
        key: Fraction(value) if isinstance(value, mp.mpf) else value
        for key, value in point.items()
        if not isinstance(key, tuple) or all(1 <= i <= largest for i in key[1])
    }
