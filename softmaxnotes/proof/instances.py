"""From a general statement to instances of it: sizes, indices and values are chosen, sums become finite.

A statement about :math:`z_1,\\dots,z_n` for every :math:`n` cannot be decided by a computer algebra
system as it stands.  Its instances can: symbolically for small sizes, in high precision for larger ones.
"""

import itertools
import random
from fractions import Fraction

import sympy as sp
from sympy.assumptions import AppliedPredicate
from sympy.core.function import AppliedUndef

from . import matrices
from .errors import CannotEvaluate
from .evaluate import evaluate
from .functions import Smooth, pinned
from .nodes import MaxOver, Unless, bound_symbols
from .seeds import fresh
from .written import unfold

RANGES = (sp.Sum, sp.Product, MaxOver)
SYMBOLIC_SIZES = (1, 2, 3, 4)
NUMERIC_SIZES = (1, 2, 5, 7)
MOST_INDEX_CHOICES = 6


class Parameters:
    """The free symbols of some expressions, by role.

    Attributes
    ----------
    sizes : list
        Integer symbols that bound a sum, a product or a maximum.
    indices : list
        Other integer symbols that pick entries: they run over ``1 … min(sizes)``.
    bases : dict
        Each ``IndexedBase`` with its number of indices.
    scalars : list
        All the rest.
    axes : dict
        For a base and a size, the axis of the base that runs up to this size.
    matrices : list
        Each ``MatrixSymbol``; its symbolic dimensions are sizes.
    functions : dict
        Each undefined function with its number of arguments.
    """

    def __init__(self, *exprs):
        exprs = [unfold(e) for e in exprs]
        ranges = [r for e in exprs for r in e.atoms(*RANGES)]
        bound = {symbol for e in exprs for part in sp.preorder_traversal(e) for symbol in bound_symbols(part)}
        # the variables of a derivative count as free although SymPy does not list them
        free = set().union(*(e.free_symbols | (e.atoms(sp.Symbol) - bound) for e in exprs))
        entries_ = sorted({e for expr in exprs for e in expr.atoms(sp.Indexed)}, key=sp.default_sort_key)
        self.bases = {e.base: len(e.indices) for e in entries_}
        # to SymPy a vector's label is a free symbol; a scalar of the same name is another thing, and has a
        # value of its own
        labels = ({b.label for b in self.bases} | set(self.bases)) - set().union(*map(plain_symbols, exprs))
        self.axes = {(e.base, limit[2]): axis for r in ranges for e in r.function.atoms(sp.Indexed)
                     for axis, a in enumerate(e.indices) for limit in r.limits if limit[0] == a}
        entries = {s for s in free if isinstance(s, sp.Indexed)}
        symbols = {s for s in free - labels - entries if isinstance(s, sp.Symbol)}
        applied = sorted({a for e in exprs for a in e.atoms(AppliedUndef)}, key=lambda a: a.func.__name__)
        self.functions = {a.func: len(a.args) for a in applied}
        unbound = set().union(*(e.atoms(sp.MatrixSymbol) for e in exprs)) - bound if exprs else set()
        self.matrices = sorted(unbound, key=lambda m: m.name)
        self.about_matrices = any(
            a.free_symbols for e in exprs for m in e.atoms(sp.MatrixExpr) for a in m.shape)
        sizes = {s for r in ranges for limit in r.limits for b in limit[1:] for s in b.free_symbols} - bound
        sizes |= {s for e in exprs for m in e.atoms(sp.MatrixSymbol, sp.Identity, sp.ZeroMatrix)
                  for a in m.shape for s in a.free_symbols}
        picking = {s for expr in exprs for e in expr.atoms(sp.Indexed)
                   for a in e.indices for s in a.free_symbols}
        picking |= {s for expr in exprs for e in expr.atoms(sp.KroneckerDelta) for s in e.free_symbols}
        picking |= {s for expr in exprs for e in expr.atoms(Unless)
                    for a in e.args[2:] for s in a.free_symbols}

        def by_name(some):
            return sorted(some, key=lambda s: s.name)

        # the numbers with which indices are compared
        self.places = {int(a) for expr in exprs for e in expr.atoms(sp.KroneckerDelta, Unless, sp.Indexed)
                       for a in e.args if a.is_Integer}
        self.sizes = by_name(sizes & symbols)
        self.indices = by_name(s for s in (picking - sizes) & symbols if s.is_integer)
        self.scalars = by_name(symbols - set(self.sizes) - set(self.indices))

    @property
    def symbolic_sizes(self):
        """The sizes at which a statement is proved."""
        if self.about_matrices:
            return matrices.SYMBOLIC_SIZES
        return SYMBOLIC_SIZES[:3] if len(self.sizes) > 1 else SYMBOLIC_SIZES

    @property
    def numeric_sizes(self):
        """The sizes at which a counter-example is looked for."""
        return matrices.NUMERIC_SIZES if self.about_matrices else NUMERIC_SIZES

    @property
    def general(self):
        """Whether the statement has a size or an index to choose."""
        return bool(self.sizes or self.indices)

    def choices(self, sizes, given=()):
        """Assignments of integers to sizes and indices that satisfy what ``given`` says of them."""
        mine = set(self.sizes) | set(self.indices)
        conditions = [c for c in given if c.free_symbols and c.free_symbols <= mine]
        for bounds in itertools.product(sizes, repeat=len(self.sizes)):
            top = min(bounds, default=max(sizes))
            picks = list(itertools.product(range(1, top + 1), repeat=len(self.indices)))
            possible = [dict(zip(self.sizes + self.indices, bounds + pick)) for pick in picks]
            possible = [c for c in possible if all(condition.subs(c) == sp.true for condition in conditions)]
            yield from self._varied(possible)


    def _varied(self, possible):
        """At most so many of some choices; among them each pattern of equal indices and of named places."""
        if len(possible) <= MOST_INDEX_CHOICES:
            return possible
        possible = random.Random(0).sample(possible, len(possible))
        patterns = {}
        for choice in possible:
            picked = [choice[s] for s in self.indices]
            compared = tuple(p if p in self.places else 0 for p in picked)
            patterns.setdefault((tuple(map(picked.index, picked)), compared), choice)
        first = list(patterns.values())
        return (first + [c for c in possible if c not in first])[:max(MOST_INDEX_CHOICES, len(first))]


def plain_symbols(expr):
    """The symbols of an expression, without those that only label a vector."""
    if isinstance(expr, sp.IndexedBase):
        return set()
    return {expr} if expr.is_Symbol else set().union(*map(plain_symbols, expr.args))


def replace_plain(expr, values):
    """``expr`` with symbols replaced, but not where they label a vector."""
    if isinstance(expr, sp.IndexedBase):
        return expr
    if expr in values or not expr.args:
        return values.get(expr, expr)
    return expr.func(*(replace_plain(a, values) for a in expr.args))


def instantiate(expr, choice):
    """``expr`` with integers for sizes and indices, sums written out, entries turned into symbols.

    Examples
    --------
    >>> import sympy as sp
    >>> z, i, n = sp.IndexedBase("z", real=True), sp.Symbol("i", integer=True), sp.Symbol("n", integer=True)
    >>> instantiate(sp.Sum(z[i] ** 2, (i, 1, n)), {n: 2})
    z_1**2 + z_2**2
    """
    expr = sp.sympify(expr)
    if expr in choice:
        return sp.sympify(choice[expr])
    if (written := matrices.explicit(expr, _At(choice))) is not None:
        return written
    if isinstance(expr, sp.Indexed):
        indices = [instantiate(a, choice) for a in expr.indices]
        if not all(a.is_Integer for a in indices):  # an index of an infinite sum
            return expr.func(expr.base, *indices)
        return entry(expr.base, [int(a) for a in indices])
    if isinstance(expr, RANGES):
        return _written_out(expr, choice)
    if not expr.args or isinstance(expr, sp.IndexedBase):
        return expr
    return expr.func(*(instantiate(a, choice) for a in expr.args))


class _At:
    """`instantiate` at one choice, which can be extended."""

    def __init__(self, choice):
        self.choice = choice

    def __call__(self, expr):
        return instantiate(expr, self.choice)

    def at(self, symbol, value):
        return _At({**self.choice, symbol: value})


def entry(base, indices):
    """The symbol that stands for one entry of an ``IndexedBase``."""
    return sp.Symbol("_".join([str(base.label), *map(str, indices)]), **_assumptions(base))


def _written_out(expr, choice):
    combine = {sp.Sum: sp.Add, sp.Product: sp.Mul, MaxOver: sp.Max}[type(expr)]
    *inner, (index, low, high) = expr.limits
    low, high = instantiate(low, choice), instantiate(high, choice)
    function = type(expr)(expr.function, *inner) if inner else expr.function
    if not (low.is_Integer and high.is_Integer):
        return type(expr)(instantiate(function, choice), (index, low, high))
    return combine(*(instantiate(function, {**choice, index: k}) for k in range(int(low), int(high) + 1)))


def points(parameters, given=(), count=20, seed=0, grain=1024, reach=0):
    """Random admissible points: sizes and indices chosen in turn, the rest drawn from their assumptions.

    Values are dyadic rationals, so that they are exact in every precision; a coarse ``grain`` makes them
    short.  Conditions in ``given`` that bound one symbol by numbers narrow its range; the others reject.
    ``reach`` leads to places far out or close to zero.

    Raises
    ------
    CannotEvaluate
        If no admissible point turns up in 2000 draws.
    """
    rng = random.Random(seed + fresh())
    choices = list(parameters.choices(parameters.numeric_sizes, given))
    if not choices:
        largest = max(parameters.numeric_sizes)
        raise CannotEvaluate(f"no sizes and indices up to {largest} satisfy {list(given)}")
    rng.shuffle(choices)
    sized = {}
    for choice in choices:
        sized.setdefault(tuple(choice[s] for s in parameters.sizes), []).append(choice)
    # every size has its turn, however few the points
    turns = itertools.zip_longest(*sized.values())
    choices = [choice for turn in turns for choice in turn if choice is not None]
    # a predicate on a matrix and the value of a function at a place are met by the way they are drawn
    conditions = [unfold(c) for c in given if not (isinstance(c, AppliedPredicate) or c.has(AppliedUndef))]
    for c in given:
        known = (sp.Q.positive_definite, sp.Q.lower_triangular)
        if isinstance(c, AppliedPredicate) and c.function not in known:
            raise CannotEvaluate(f"no matrices are drawn for the condition {c}")
        if c.has(AppliedUndef) and not any(pinned(a.func, [c]) for a in c.atoms(AppliedUndef)):
            raise CannotEvaluate(
                f"no functions are drawn for the condition {c}; f(place) = value is understood")
    if not (parameters.bases or parameters.scalars or parameters.matrices or parameters.functions):
        count = min(count, len(choices))  # nothing is random
    found = 0
    for attempt in range(2000 * count):
        point = dict(choices[attempt % len(choices)])
        largest = max([point[s] for s in parameters.sizes], default=max(NUMERIC_SIZES))
        for base, rank in parameters.bases.items():
            for indices in itertools.product(range(largest + 2), repeat=rank):
                point[base, indices] = draw(base, given, rng, grain, reach)
        point |= {s: draw(s, given, rng, grain, reach) for s in parameters.scalars}
        if reach:  # a corner: whole numbers are equal there
            whole = [s for s in parameters.scalars if s.is_integer and s.is_positive]
            point |= {s: point[whole[0]] for s in whole}
        for symbol in parameters.matrices:
            shape = [int(evaluate(a, point)) for a in symbol.shape]
            point[symbol] = matrices.draw(shape, matrices.kind(symbol, given), rng)
        for function, arity in parameters.functions.items():
            example = function(*arity * [sp.Dummy(real=True)])
            if not example.is_real:
                raise CannotEvaluate(
                    f"the function {function} is not declared real or positive: its values are unknown")
            positive = example.is_positive
            point[function] = Smooth(arity, positive, rng, pinned(function, given))
            point[function].home = point
        if all(evaluate(c, point) for c in conditions):
            yield point
            found += 1
            if found == count:
                return
        if attempt >= 2000 and not found:
            break
    if not found:
        raise CannotEvaluate(f"no admissible point found for {list(given)}")


def draw(symbol, given, rng, grain=1024, reach=0):
    """A random dyadic rational (an integer for an integer symbol) in the range of ``symbol``.

    It is of the size of 1; with ``reach`` larger or smaller by that power of two.
    """
    low, high = _range(symbol, given)
    if symbol.is_integer:
        low = -6 if low is None else int(sp.ceiling(low))
        return rng.randint(low, low + 12 if high is None else int(sp.floor(high)))
    scale = Fraction(2) ** (rng.randint(-2, 2) + reach)
    if low is not None and high is not None:
        unit = Fraction(rng.randint(1, grain - 1), grain)
        return Fraction(int(low.p), int(low.q)) + unit * Fraction(int((high - low).p), int((high - low).q))
    size = scale * Fraction(rng.randint(1, grain - 1), grain)
    if low is not None:
        return Fraction(int(low.p), int(low.q)) + size
    if high is not None:
        return Fraction(int(high.p), int(high.q)) - size
    if symbol.is_real is None:
        raise CannotEvaluate(f"{symbol} is not declared real, positive or integer: its domain is unknown")
    return rng.choice((-1, 1)) * size


def unbounded(expr, given):
    """``expr`` with each symbol that ``given`` confines written by a positive one that is free.

    Examples
    --------
    >>> import sympy as sp
    >>> s = sp.Symbol("s", positive=True)
    >>> sp.cancel(unbounded(1 - s, [s < 1]))
    1/(_u + 1)
    """
    for symbol in expr.free_symbols & set().union(*(c.free_symbols for c in given)):
        (low, high), u = _range(symbol, given), sp.Dummy("u", positive=True)
        if low is not None and high is not None:
            expr = expr.subs(symbol, low + (high - low) * u / (1 + u))
        elif low is not None or high is not None:
            expr = expr.subs(symbol, low + u if high is None else high - u)
    return expr


def _range(symbol, given):
    """Numerical bounds of a symbol, from its assumptions and from conditions such as ``0 < s``."""
    low = sp.S.Zero if symbol.is_nonnegative else None
    high = sp.S.Zero if symbol.is_nonpositive else None
    if symbol.is_integer and symbol.is_positive:
        low = sp.S.One
    for condition in given:
        inequality = isinstance(condition, sp.core.relational._Inequality)
        if inequality and condition.gts.is_number != condition.lts.is_number:
            if condition.gts == symbol and condition.lts.is_Rational:
                low = condition.lts if low is None else max(low, condition.lts)
            if condition.lts == symbol and condition.gts.is_Rational:
                high = condition.gts if high is None else min(high, condition.gts)
    return low, high


def _assumptions(base):
    known = {name: getattr(base, f"is_{name}") for name in ("real", "positive", "nonnegative", "integer")}
    return {name: value for name, value in known.items() if value is not None}


def describe(point):
    """A point in words, entries of a vector by name, for the witness of a refutation."""
    return ", ".join(f"{name} = {value}" if value else name for name, value in described(point))


def described(point):
    """The names and values of a point, entries of a vector by name; a random function has a name only."""
    for key, value in point.items():
        if isinstance(key, tuple):
            base, indices = key
            if min(indices) >= 1:
                yield f"{base.label}_{','.join(map(str, indices))}", str(value)
        elif isinstance(value, Smooth):
            yield f"a random smooth {key}", ""
        elif isinstance(value, list):
            yield str(key), f"[{'; '.join(', '.join(map(str, row)) for row in value)}]"
        else:
            yield str(key), str(value)
