"""A statement: two sides, their relation, and the conditions.  Built once, and never changed.

A line is what is shown of one.
"""

from dataclasses import dataclass, field
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef

from .binders import substitute
from .conditions import Conditions
from .defined import AppliedDefinition
from .typed import unfold

RELATIONS = {"=": "=", "<=": r"\le", ">=": r"\ge", "∝": r"\propto", ":=": ":=",
             ":iff": r":\iff", "iff": r"\iff", "=>": r"\implies"}
DECIDABLE = ("=", "<=", ">=", "∝")


@dataclass(frozen=True)
class Statement:
    """``left relation right`` for all admissible values of the symbols.

    Attributes
    ----------
    left, right : expression
        As they were typed.
    relation : str
        One of `RELATIONS`.
    given : tuple
        Conditions on the symbols beside their own assumptions.
    over : tuple
        For ``"∝"``: the variables on which the ratio of the sides must not depend.
    attained : tuple of pairs, or None
        For an inequality: values at which the sides are equal.

    Raises
    ------
    ValueError
        If two different symbols have one name: the reader could not tell them apart.
    """

    left: sp.Basic
    relation: str
    right: sp.Basic
    given: tuple = ()
    over: tuple = ()
    attained: tuple | None = None

    def __post_init__(self):
        if self.relation not in RELATIONS:
            raise ValueError(f"relation must be one of {', '.join(RELATIONS)}; got {self.relation!r}")
        for side in ("left", "right"):
            object.__setattr__(self, side, sp.sympify(getattr(self, side)))
        attained = self.attained.items() if isinstance(self.attained, dict) else self.attained
        object.__setattr__(self, "given", tuple(self.given))
        object.__setattr__(self, "over", tuple(self.over))
        object.__setattr__(self, "attained", None if attained is None else tuple(
            (symbol, _as_formula(value, self._rank(symbol))) for symbol, value in attained))
        if self.relation == "∝" and not self.over:
            raise ValueError("a proportionality needs over=(variables,): the ratio must not depend on them")
        one_meaning(self.left, self.right, *self.given, *self.over)
        self.conditions  # refuses those of an unknown form

    @cached_property
    def conditions(self):
        """What the conditions say."""
        return Conditions(self.given)

    def _rank(self, vector):
        """How many indices an entry of a vector has in the sides."""
        entries = (e for side in (self.left, self.right) for e in unfold(side).atoms(sp.Indexed))
        return next((len(e.indices) for e in entries if e.base == unfold(vector)), 1)

    def plain(self):
        """The sides and the conditions as plain SymPy."""
        return unfold(self.left), unfold(self.right), self.conditions


def is_by_index(value):
    """Whether a value is a function of an index, which gives each entry of a vector its own."""
    return isinstance(value, sp.Lambda) or callable(value) and not isinstance(value, sp.Basic)


def _as_formula(value, rank):
    """A function of so many indices as SymPy's ``Lambda``: it can be compared, kept and written to a file."""
    if not is_by_index(value) or isinstance(value, sp.Lambda):
        return value
    places = [sp.Symbol(f"_{place}", integer=True, positive=True) for place in range(1, rank + 1)]
    return sp.Lambda(tuple(places), value(*places))


@dataclass(frozen=True)
class Line:
    """A line of an equation.

    Attributes
    ----------
    left, right : expression
        ``left`` is None where it is what stands above.
    relation : str
    reason : str
        Shown beside the line.
    argued : bool
    iff : bool
        Whether the line is an equation of its own, equivalent to the one above.
    question : Question or None
        What was decided, where something was.
    """

    left: sp.Basic | None
    relation: str
    right: sp.Basic
    reason: str = ""
    argued: bool = False
    iff: bool = False
    question: object = field(default=None, repr=False, compare=False)


def leaves(*exprs):
    """The symbols, vectors, matrices and functions of some expressions, free or bound, as plain SymPy."""
    found, todo, seen = set(), [sp.sympify(e) for e in exprs], set()
    while todo:
        part = todo.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, sp.IndexedBase):
            found.add(part)
        elif isinstance(part, sp.MatrixSymbol):
            found.add(part)
            todo += part.shape
        elif isinstance(part, sp.Symbol):
            if part.name.strip("+-"):  # else the direction of a limit
                found.add(part)
        else:
            if isinstance(part, AppliedUndef):
                found.add(part.func)
            if isinstance(part, AppliedDefinition):
                todo += part.arguments
            else:
                todo += part.args
    return found


def one_meaning(*exprs):
    """The symbols by name and kind; refuse two that a reader could not tell apart.

    Examples
    --------
    >>> import sympy as sp
    >>> one_meaning(sp.Symbol("x", real=True) + sp.Symbol("x", positive=True))
    Traceback (most recent call last):
    ValueError: two different symbols are called x (positive, real; real): declare it once
    """
    names = {}
    for leaf in sorted(leaves(*exprs), key=str):
        if isinstance(leaf, sp.Dummy) or not str(leaf).strip("_0123456789"):
            continue  # nobody has typed it
        other = names.setdefault((str(leaf), _kind(leaf)), leaf)
        if other != leaf:
            both = "; ".join(sorted(map(_facts, (other, leaf))))
            raise ValueError(f"two different symbols are called {leaf} ({both}): declare it once")
    return names


def _kind(leaf):
    """What is shown differently may have the same name: ``z`` and ``z_k``."""
    if isinstance(leaf, sp.IndexedBase):
        return "vector"
    return "function" if isinstance(leaf, type) else "symbol"


def _facts(leaf):
    if isinstance(leaf, sp.MatrixSymbol):
        return f"matrix {leaf.shape[0]}×{leaf.shape[1]}"
    known = getattr(leaf, "assumptions0", None) or getattr(leaf, "_kwargs", {})
    told = [k for k in ("integer", "negative", "nonnegative", "positive", "real") if known.get(k)]
    if "positive" in told:
        told = [k for k in told if k != "nonnegative"]
    return ", ".join(told) or "no assumptions"
# --- values for symbols ---------------------------------------------------------------------------


def with_values(expr, values):
    """``expr`` with symbols, sizes and all entries of a vector replaced."""
    by_index = {k: v for k, v in values.items() if isinstance(k, sp.IndexedBase) and is_by_index(v)}
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
    if is_by_index(value):
        rank = len(value.variables) if isinstance(value, sp.Lambda) else 1
        value = value(*(sp.Dummy(integer=True, positive=True) for _ in range(rank)))
    value = unfold(value)
    for known in ("real", "integer", "positive", "nonnegative", "finite"):
        if getattr(symbol, f"is_{known}") and not getattr(value, f"is_{known}"):
            raise ValueError(f"{symbol} is {known}, and SymPy does not see that {value} is")
