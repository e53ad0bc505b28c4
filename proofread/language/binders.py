"""Nodes that SymPy lacks, for the plain expressions that the checks work on.

They are made like SymPy's own: ``node.func(*node.args) == node``, so that every traversal of SymPy rebuilds
them.  What a chapter types is another language (`written`), and `unfold` translates it into this one.
"""

from functools import lru_cache, reduce

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits


class Ranged(sp.Expr):
    """A node that binds a variable, made like ``Sum``: the function and its limits."""

    def __new__(cls, function, *limits):
        return sp.Expr.__new__(cls, sp.sympify(function), *(sp.Tuple(*limit) for limit in limits))

    function = property(lambda self: self.args[0])
    limits = property(lambda self: self.args[1:])
    bound_symbols = property(lambda self: [limit[0] for limit in self.limits])
    is_commutative = True
    is_real = property(lambda self: self.function.is_real)

    @property
    def free_symbols(self):
        bounds = set().union(*(b.free_symbols for limit in self.limits for b in limit[1:]))
        return (self.function.free_symbols - set(self.bound_symbols)) | bounds

    def _eval_subs(self, old, new):
        return substitute(self, {old: new})


class MaxOver(Ranged):
    r"""The maximum of ``function`` over an index range: :math:`\max_i`."""


class Bracket(Ranged):
    r"""What a function gains between two ends, :math:`[F(x)]_a^b`; at an infinite end, its limit.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> Bracket(sp.exp(-x), (x, 0, sp.oo)).doit()
    -1
    """

    def doit(self, **hints):
        (variable, low, high), = self.limits

        def at(end, direction):
            if end.is_infinite:
                return sp.limit(self.function.doit(**hints), variable, end, direction)
            return self.function.subs(variable, end).doit(**hints)

        return at(high, "-") - at(low, "+")

    def _eval_derivative(self, symbol):
        return self.doit().diff(symbol)


class Unless(sp.Expr):
    """``function``, but ``neutral`` where ``index`` is ``left_out``: a term of a sum without one index.

    No ``Piecewise``, for SymPy folds one that holds the variable of an integral (or of an outer sum) out of
    the range inside that binds ``index``; and no factor ``1 - KroneckerDelta``, for ``function`` need not
    have a value where it is left out.
    """

    is_commutative = True
    is_real = property(lambda self: self.args[0].is_real)

    def __new__(cls, function, neutral, index, left_out):
        function, neutral, index, left_out = map(sp.sympify, (function, neutral, index, left_out))
        same = (index - left_out).is_zero
        if same is not None:
            return neutral if same else function
        return sp.Expr.__new__(cls, function, neutral, index, left_out)

    def _eval_derivative(self, symbol):
        function, _, index, left_out = self.args
        return Unless(function.diff(symbol), 0, index, left_out)


class _Mean:
    bound_symbols = property(lambda self: [self.args[1]])
    canonical_variables = property(lambda self: {})  # SymPy's are numbers, and the variable may be a matrix

    @property
    def free_symbols(self):
        outside = set().union(*(a.free_symbols for a in self.args[2:]))
        return (self.args[0].free_symbols - {self.args[1]}) | outside

    def doit(self, **hints):
        return self

    def _eval_subs(self, old, new):
        return substitute(self, {old: new})


class NormalMean(_Mean, sp.Expr):
    r"""The mean of a scalar function of a normal random vector: function, vector, mean, covariance.

    The function must be a polynomial of degree 3 at most in the entries of the vector.
    """

    is_commutative = True
    is_real = True


class NormalMatrixMean(_Mean, sp.MatrixExpr):
    """The same for a matrix, entry by entry."""

    shape = property(lambda self: self.args[0].shape)


class DrawsMean(_Mean, sp.Expr):
    r"""The mean of a function of independent draws :math:`x_1,\dots,x_K` from finite sets.

    Its parts are the function, the vector ``x`` (an ``IndexedBase``), the mass that the draw ``k`` has at
    ``v``, and the ranges ``(k, 1, K)`` and ``(v, 1, n)``.
    """

    is_commutative = True
    is_real = property(lambda self: self.args[0].is_real)

    def __new__(cls, function, draws, mass, count, values):
        return sp.Expr.__new__(cls, sp.sympify(function), draws, sp.sympify(mass), sp.Tuple(*count),
                               sp.Tuple(*values))

    function, draws, mass = (property(lambda self, i=i: self.args[i]) for i in range(3))
    count, values = (property(lambda self, i=i: self.args[i]) for i in (3, 4))
    bound_symbols = property(lambda self: [self.draws, self.count[0], self.values[0]])

    @property
    def free_symbols(self):
        own = {self.draws, self.draws.label} | self.function.atoms(sp.Indexed)
        inside = {s for s in self.function.free_symbols if not (s in own and _is_entry_of(s, self.draws))}
        around = self.mass.free_symbols - {self.count[0], self.values[0]}
        ends = set().union(*(end.free_symbols for end in (*self.count[1:], *self.values[1:])))
        return inside | around | ends


def _is_entry_of(symbol, base):
    return symbol in (base, base.label) or isinstance(symbol, sp.Indexed) and symbol.base == base


def bound_symbols(expr):
    """The variables that a node binds, wherever it keeps them.

    Examples
    --------
    >>> import sympy as sp
    >>> x, n = sp.symbols("x n")
    >>> bound_symbols(sp.Sum(x, (x, 1, n))), bound_symbols(sp.Derivative(x**2, x))
    ([x], [])
    """
    if isinstance(expr, (ExprWithLimits, Ranged)):
        return [limit[0] for limit in expr.limits]
    if isinstance(expr, _Mean):
        return expr.bound_symbols
    if isinstance(expr, sp.Limit):
        return [expr.args[1], expr.args[3]]  # the direction is a symbol too
    return list(expr.variables) if isinstance(expr, (sp.Subs, sp.Lambda)) else []


@lru_cache(4096)
def free_symbols(expr):
    """``expr.free_symbols``, which SymPy computes anew at every sum; here they are kept, part by part.

    Examples
    --------
    >>> import sympy as sp
    >>> x, k, n = sp.symbols("x k n")
    >>> sorted(map(str, free_symbols(x + sp.Sum(x * k, (k, 1, n)))))
    ['n', 'x']
    """
    if isinstance(expr, (ExprWithLimits, Ranged)):
        free = free_symbols(expr.args[0])
        for symbol, *ends in expr.limits:
            free = (free - {symbol}).union(*map(free_symbols, ends))
        return free
    if type(expr).free_symbols is not sp.Basic.free_symbols:  # symbols, entries, what binds in its own way
        return expr.free_symbols
    return frozenset().union(*map(free_symbols, expr.args))


def renamed(symbol):
    """A symbol like this one that is none of those in use."""
    if isinstance(symbol, sp.MatrixSymbol):
        return sp.MatrixSymbol(sp.Dummy(symbol.name).name + f"_{next(_fresh)}", *symbol.shape)
    return sp.Dummy(symbol.name, **symbol.assumptions0) if symbol.is_Symbol else sp.Dummy(str(symbol))


def _numbers():
    number = 0
    while True:
        number += 1
        yield number


_fresh = _numbers()


def substitute(expr, values):
    """``expr`` with values for free symbols and other parts; no variable that is bound captures anything.

    SymPy's ``subs`` lets a sum over ``k`` bind a ``k`` that is put into it.

    Examples
    --------
    >>> import sympy as sp
    >>> x, k, n = sp.symbols("x k n")
    >>> print(sp.Sum(x * k, (k, 1, n)).subs(x, k))  # a square, by mistake
    Sum(k**2, (k, 1, n))
    >>> substitute(sp.Sum(x * k, (k, 1, n)), {x: k}).subs(n, 2).doit()
    3*k
    """
    if expr in values:
        return values[expr]
    if not expr.args or isinstance(expr, sp.IndexedBase):
        return values.get(expr, expr)
    bound = bound_symbols(expr)
    if bound:
        # SymPy does not list the variables of a derivative as free
        occurring = expr.free_symbols | expr.atoms(sp.Symbol, sp.IndexedBase)
        values = {old: new for old, new in values.items()
                  if old not in bound and (old.free_symbols & occurring)}
        outside = set().union(*(getattr(new, "free_symbols", set()) for new in values.values()))
        own = {s: renamed(s) for s in bound if s in outside}
        if own:
            expr = reduce(lambda e, pair: e.xreplace({pair[0]: pair[1]}), own.items(), expr)
    arguments = [substitute(a, values) for a in expr.args]
    return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)
