"""What a statement is about: its free symbols by role, and the sizes and indices at which it is looked at."""

import itertools
import random
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef

from .binders import DrawsMean, MaxOver, Unless, bound_symbols, free_symbols
from .conditions import Conditions
from .typed import unfold

RANGES = (sp.Sum, sp.Product, MaxOver)
SYMBOLIC_SIZES = (1, 2, 3, 4)
NUMERIC_SIZES = (1, 2, 5, 7)
LARGER_SIZES = (range(8, 17), range(17, 41))  #: of each range one is looked at where that is cheap
SYMBOLIC_MATRIX_SIZES = (1, 2)  #: the same of statements about matrices
NUMERIC_MATRIX_SIZES = (1, 2, 3, 4)
LARGER_MATRIX_SIZES = ((6,),)
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
    places : set
        The numbers with which indices are compared.
    tops : dict
        For each index the sizes that it may not exceed.
    picks : dict
        For each vector whose entries are indices, such as the states of a path, the sizes that these may not
        exceed.
    matrices : list
        Each ``MatrixSymbol``; its symbolic dimensions are sizes.
    functions : dict
        Each undefined function with its number of arguments.
    """

    def __init__(self, *exprs):
        exprs = [unfold(e) for e in exprs]
        bound = _bound(exprs)
        self.bases = {base: rank for base, rank in _bases(exprs).items() if base not in bound}
        self.axes = _axes(exprs)
        self.functions = _functions(exprs)
        self.matrices = _by_name(_atoms(exprs, sp.MatrixSymbol) - bound)
        self.about_matrices = any(a.free_symbols for m in _atoms(exprs, sp.MatrixExpr) for a in m.shape)
        self.about_draws = bool(_atoms(exprs, DrawsMean))
        self.places = _places(exprs)
        symbols = _free_symbols(exprs, bound) - self._labels(exprs)
        sizes = (_range_ends(exprs) - bound) | _dimensions(exprs)
        self.sizes = _by_name(sizes & symbols)
        self.indices = _by_name(s for s in (_picking(exprs) - sizes) & symbols if s.is_integer)
        self.scalars = _by_name(symbols - set(self.sizes) - set(self.indices))
        self.picks = _picks(exprs, self.axes)
        self.tops = {index: _tops(index, exprs, self.axes) & sizes or sizes for index in self.indices}

    def _labels(self, exprs):
        """The labels of vectors: to SymPy they are free symbols.

        A scalar of the same name is another thing, and has a value of its own.
        """
        labels = {base.label for base in self.bases} | set(self.bases)
        return labels - set().union(*map(plain_symbols, exprs))

    @property
    def roles(self):
        """All that decides which points are drawn, to be compared and hashed."""
        return tuple(map(_frozen, vars(self).values()))

    @property
    def symbolic_sizes(self):
        """The sizes at which a statement is proved."""
        if self.about_matrices:
            return SYMBOLIC_MATRIX_SIZES
        return SYMBOLIC_SIZES[:3] if len(self.sizes) > 1 else SYMBOLIC_SIZES

    @property
    def numeric_sizes(self):
        """The sizes at which a counter-example is looked for."""
        if self.about_draws:
            return SYMBOLIC_SIZES  # all sequences of draws are gone through
        return NUMERIC_MATRIX_SIZES if self.about_matrices else NUMERIC_SIZES

    @property
    def general(self):
        """Whether the statement has a size or an index to choose."""
        return bool(self.sizes or self.indices)

    def choices(self, sizes, given=()):
        """Assignments of integers to sizes and indices that satisfy what ``given`` says of them."""
        conditions = self._conditions(given)
        for bounds in itertools.product(*([0, *sizes] if _may_be_zero(s) else sizes for s in self.sizes)):
            top = min(bounds, default=max(sizes))
            picks = list(itertools.product(range(1, top + 1), repeat=len(self.indices)))
            possible = [dict(zip(self.sizes + self.indices, bounds + pick)) for pick in picks]
            possible = [c for c in possible if all(condition.subs(c) == sp.true for condition in conditions)]
            yield from self._varied(possible)

    def larger_choices(self, given, rng):
        """Further assignments: at numbers that the statement names, and at larger sizes."""
        conditions = self._conditions(given)
        ranges = LARGER_MATRIX_SIZES if self.about_matrices else LARGER_SIZES
        turns = range(max(len(ranges), len(self.sizes)))
        larger = [self._with_one_large(self.sizes[t % len(self.sizes)], ranges[t % len(ranges)], rng)
                  for t in turns if self.sizes]
        for choose in [*self._named(rng), *larger]:
            tries = (choose() for _ in range(MOST_INDEX_CHOICES))
            admissible = (c for c in tries if all(condition.subs(c) == sp.true for condition in conditions))
            yield from itertools.islice(admissible, 1)

    def _with_one_large(self, large, some, rng):
        """One size out of ``some``, other sizes small, and an index beyond these if it may lie there."""
        def choose():
            sizes = {s: rng.choice(some) if s == large else rng.randint(2, 4) for s in self.sizes}
            least = min(sizes.values())
            tops = {s: min(sizes[size] for size in self.tops[s]) for s in self.indices}
            return sizes | {s: rng.randint(least + 1 if top > least else 1, top) for s, top in tops.items()}

        return choose

    def _named(self, rng):
        """Sizes and indices out of the numbers with which something is compared."""
        named = [p for p in sorted(self.places) if 0 < p < LARGER_SIZES[-1].stop]
        sizes = [self._with_one_large(size, [p], rng) for p in named if p not in NUMERIC_SIZES
                 for size in self.sizes]
        picks = list(itertools.product(named, repeat=len(self.indices))) if self.indices else []
        picks = rng.sample(picks, min(len(picks), MOST_INDEX_CHOICES))
        return sizes[:MOST_INDEX_CHOICES] + [
            lambda pick=pick: {s: max(pick) + 1 for s in self.sizes} | dict(zip(self.indices, pick))
            for pick in picks]

    def _conditions(self, given):
        """What the conditions say of sizes and indices alone."""
        mine = set(self.sizes) | set(self.indices)
        return [c for c in Conditions(given).on(mine) if c.free_symbols]

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


# --- what some expressions are about ------------------------------------------------------------


def _may_be_zero(size):
    return bool(size.is_nonnegative and not size.is_positive)


def _by_name(symbols):
    return sorted(symbols, key=lambda s: s.name)


def _atoms(exprs, *kinds):
    return {node for node in _nodes(tuple(exprs)) if isinstance(node, kinds)}


@lru_cache(64)
def _nodes(exprs):
    """All that occurs in some expressions, for which `Parameters` asks a dozen times.

    No set: two ``Subs`` are equal to SymPy although they bind different variables.
    """
    return [node for e in exprs for node in sp.preorder_traversal(e)]


def _symbols_in(exprs):
    return set().union(*(e.free_symbols for e in exprs))


def _bound(exprs):
    """The symbols and vectors that some part of an expression binds."""
    bound = {symbol for part in _nodes(tuple(exprs)) for symbol in bound_symbols(part)}
    return bound | {vector.label for vector in bound if isinstance(vector, sp.IndexedBase)}


def _free_symbols(exprs, bound):
    """The free symbols, the variables of a derivative among them although SymPy does not list them."""
    free = set().union(*(free_symbols(e) | (e.atoms(sp.Symbol) - bound) for e in exprs))
    return {s for s in free if isinstance(s, sp.Symbol)}


def _bases(exprs):
    """Each vector with its number of indices."""
    entries = sorted(_atoms(exprs, sp.Indexed), key=sp.default_sort_key)
    return {e.base: len(e.indices) for e in entries}


def _axes(exprs):
    """For a vector and the upper end of a range, the axis along which the vector runs there."""
    return {(e.base, limit[2]): axis for r in _atoms(exprs, *RANGES) for e in r.function.atoms(sp.Indexed)
            for axis, a in enumerate(e.indices) for limit in r.limits if limit[0] == a}


def _functions(exprs):
    """Each undefined function with its number of arguments."""
    applied = sorted(_atoms(exprs, AppliedUndef), key=lambda a: a.func.__name__)
    return {a.func: len(a.args) for a in applied}


def _range_ends(exprs):
    """The symbols in the ends of sums, products and maxima, and in the number of draws and their values."""
    limits = [limit for r in _atoms(exprs, *RANGES) for limit in r.limits]
    limits += [limit for mean in _atoms(exprs, DrawsMean) for limit in (mean.count, mean.values)]
    ends = [end for limit in limits for end in limit[1:]]
    return _symbols_in(ends)


def _dimensions(exprs):
    """The symbols in the dimensions of matrices."""
    return _symbols_in(a for m in _atoms(exprs, sp.MatrixSymbol, sp.Identity, sp.ZeroMatrix) for a in m.shape)


def _picking(exprs):
    """The symbols that pick entries, or are compared with what does."""
    picking = [a for e in _atoms(exprs, sp.Indexed) for a in e.indices]
    picking += _atoms(exprs, sp.KroneckerDelta)
    picking += [a for e in _atoms(exprs, Unless) for a in e.args[2:]]
    return _symbols_in(picking)


def _tops(index, exprs, axes):
    """The sizes of the axes along which an index picks entries, up to which it may run; none if unknown.

    An index that is compared with others lies in the range of the smallest size.
    """
    found = set()
    for e in _atoms(exprs, sp.Indexed):
        for axis, a in enumerate(e.indices):
            if a == index:
                found |= {size for (base, size), along in axes.items()
                          if (base, along) == (e.base, axis)} or {None}
    compared = [a for e in _atoms(exprs, sp.KroneckerDelta, Unless) for a in e.args] + [
        a for r in _atoms(exprs, *RANGES) for limit in r.limits for a in limit[1:]]
    return set() if None in found or any(a.has(index) for a in compared) else found


def _picks(exprs, axes):
    """For each vector whose entries are indices, the sizes of the axes along which these pick.

    What is compared with an index is one: else the two would hardly ever be equal.
    """
    found = {entry.base: set() for e in _atoms(exprs, sp.KroneckerDelta) for entry in e.args
             if isinstance(entry, sp.Indexed) and entry.base.is_integer and entry.base.is_positive}
    for e in _atoms(exprs, sp.Indexed):
        for axis, a in enumerate(e.indices):
            for picking in a.atoms(sp.Indexed):
                found.setdefault(picking.base, set()).update(
                    size for (base, size), along in axes.items() if (base, along) == (e.base, axis))
    return found


def _frozen(role):
    if isinstance(role, dict):
        return tuple((key, _frozen(value)) for key, value in role.items())
    return frozenset(role) if isinstance(role, set) else tuple(role) if isinstance(role, list) else role


def _places(exprs):
    """The numbers with which indices are compared."""
    return {int(a) for e in _atoms(exprs, sp.KroneckerDelta, Unless, sp.Indexed)
            for a in e.args if a.is_Integer}


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
