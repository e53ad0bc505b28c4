"""A point, and what an arithmetic has computed there: values that do not change are computed once.

Within a sum, an integral or a derivative some of the numbers move.  A value is kept with those of the moved
numbers on which it depends, and as long as these stand still.
"""

from contextlib import contextmanager
from functools import cache

import sympy as sp

from proofread.errors import CannotEvaluate


class Point(dict):
    """The numbers of symbols, entries ``(base, (1, 2, …))``, matrices and functions.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> point = Point({x: 3})
    >>> point.environment(float) is point.environment(float), point.environment(float)[x]
    (True, 3.0)
    """

    def __init__(self, point):
        super().__init__(point)
        # the values of whole expressions, and to how many digits they are right
        self.evaluated, self._environments = {}, {}

    def environment(self, number):
        """The environment that makes its numbers by ``number``."""
        if number not in self._environments:
            self._environments[number] = Environment(self, number)
        return self._environments[number]


class Environment(dict):
    """The numbers of a point in some arithmetic, each made when it is asked for.

    Attributes
    ----------
    point : dict
    number : callable
        Makes a number of the arithmetic from one of the point.
    indices : list
        The indices of the loops that run, the innermost last: in ``self`` they are whole numbers.
    accepted : number or None
        Within integrals of integrals, the error that each of them may have.
    analytic : bool or None
        Within an integrand of balls, whether it has to be analytic where it is asked for.
    """

    NOTHING = object()  #: where a key has no number yet

    def __init__(self, point, number):
        super().__init__()
        self.point, self.number, self.indices = point, number, []
        self.accepted = self.analytic = None
        self._moving = [(frozenset(), {})]  # what moves, the innermost last, and what is known as it stands

    def __missing__(self, key):
        if key not in self.point:
            raise CannotEvaluate(f"{_name(key)} has no value")
        value = self[key] = self.number(self.point[key])
        return value

    def has(self, key):
        """Whether a key has a number."""
        return key in self or key in self.point

    @contextmanager
    def moving(self, *keys):
        """Within, the function that this gives sets the numbers of some keys, any number of times."""
        names = frozenset(key[0] if type(key) is tuple else key for key in keys)
        before, known = [(key, self.get(key, self.NOTHING)) for key in keys], {}

        def move(*values):
            known.clear()
            self.update(zip(keys, values))

        self._moving.append((names, known))
        try:
            yield move
        finally:
            self._moving.pop()
            for key, value in before:
                self.restore(key, value)

    def at(self, changes, function):
        """What a function of the environment is where some numbers are others."""
        with self.moving(*changes) as move:
            move(*changes.values())
            return function(self)

    def restore(self, key, value):
        """Set a number to what ``get(key, NOTHING)`` gave before."""
        if value is self.NOTHING:
            self.pop(key, None)
        else:
            self[key] = value

    def known(self, names):
        """What is known of expressions with these names, as the numbers stand that these depend on."""
        for moving, known in reversed(self._moving):
            if not moving.isdisjoint(names):
                return known
        return known  # the outermost: of what never moves


def _name(key):
    if type(key) is not tuple:
        return key
    base, indices = key
    return f"{base.label}[{', '.join(map(str, indices))}]"


@cache
def names(expr):
    """The symbols, vectors and matrices in an expression, bound ones too."""
    return frozenset(expr.atoms(sp.Symbol, sp.IndexedBase, sp.MatrixSymbol))
