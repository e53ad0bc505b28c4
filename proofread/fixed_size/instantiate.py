"""From a general statement to instances of it: sizes and indices are chosen, sums become finite.

A statement about :math:`z_1,\\dots,z_n` for every :math:`n` cannot be decided by a computer algebra
system as it stands.  Its instances can.
"""

import sympy as sp

from proofread.errors import CannotEvaluate
from proofread.language.binders import DrawsMean, MaxOver
from proofread.language.parameters import RANGES

from .matrices import explicit


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
    if (written := explicit(expr, _At(choice))) is not None:
        return written
    if isinstance(expr, sp.Indexed):
        indices = [instantiate(a, choice) for a in expr.indices]
        if expr.base[tuple(indices)] in choice:
            return choice[expr.base[tuple(indices)]]
        if any(a.has(sp.Indexed) and not b.is_Integer for a, b in zip(expr.indices, indices)):
            raise CannotEvaluate(f"{expr} is not written out: which entry it is depends on other entries")
        if not all(a.is_Integer for a in indices):  # an index of an infinite sum
            return expr.func(expr.base, *indices)
        return entry(expr.base, [int(a) for a in indices])
    if isinstance(expr, RANGES):
        return _written_out(expr, choice)
    if isinstance(expr, DrawsMean):
        raise CannotEvaluate("a mean over draws is not written out")
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


def _assumptions(base):
    known = {name: getattr(base, f"is_{name}") for name in ("real", "positive", "nonnegative", "integer")}
    return {name: value for name, value in known.items() if value is not None}


def _written_out(expr, choice):
    combine = {sp.Sum: sp.Add, sp.Product: sp.Mul, MaxOver: sp.Max}[type(expr)]
    *inner, (index, low, high) = expr.limits
    low, high = instantiate(low, choice), instantiate(high, choice)
    function = type(expr)(expr.function, *inner) if inner else expr.function
    if not (low.is_Integer and high.is_Integer):
        return type(expr)(instantiate(function, choice), (index, low, high))
    return combine(*(instantiate(function, {**choice, index: k}) for k in range(int(low), int(high) + 1)))
