"""A point, and the values that expressions have there: what does not change is computed once."""

from functools import cache

import sympy as sp


class Place(dict):
    """A point that remembers values.

    Within a sum or an integral some of its numbers move; a value is remembered together with those of the
    moved numbers on which it depends.

    Attributes
    ----------
    moved : tuple
        The keys that have moved, the last one last.
    known : dict
        What was computed: of an expression, the moved numbers in it, and the precision.
    """

    def __init__(self, point, moved=(), known=None):
        super().__init__(point)
        self.moved, self.known = moved, {} if known is None else known

    def key(self, expr, precision):
        """Under what the value of an expression is remembered; None if it is not worth it."""
        names = _names(expr)
        moving = tuple((k, self[k]) for k in self.moved if (k[0] if type(k) is tuple else k) in names)
        if any(type(value) is not int for _, value in moving):
            return None  # a node of a quadrature does not come again
        return expr, moving, precision


def moved(point, changes):
    """A point with other values for some keys, which shares what it remembers."""
    if not isinstance(point, Place):
        return {**point, **changes}
    new = Place(point, (*(k for k in point.moved if k not in changes), *changes), point.known)
    new.update(changes)
    return new


@cache
def _names(expr):
    return frozenset(expr.atoms(sp.Symbol, sp.IndexedBase, sp.MatrixSymbol))
