"""Random expressions with matrices, and their values in NumPy, without SymPy's algebra and the house's."""

import itertools
import math

import numpy as np
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from proofread.language.binders import NormalMatrixMean, NormalMean

d, k = sp.symbols("d k", integer=True, positive=True)
c, r = sp.Symbol("c", positive=True), sp.Symbol("r", real=True)
A, B, S, T, L, C = (sp.MatrixSymbol(name, d, d) for name in "ABSTLC")
X = sp.MatrixSymbol("X", 1, 1)
U, V = sp.MatrixSymbol("U", d, k), sp.MatrixSymbol("V", k, d)
x, y, m, w = (sp.MatrixSymbol(name, d, 1) for name in "xymw")
known = [sp.Q.positive_definite(S), sp.Q.positive_definite(T),
         sp.Q.lower_triangular(L), sp.Q.lower_triangular(C)]


def value(expr, point):
    """The value at a point: arrays for matrices, numbers for the rest."""
    if expr in point:
        return point[expr]
    if isinstance(expr, (NormalMean, NormalMatrixMean)):
        return _mean(expr, point)
    if isinstance(expr, (sp.Sum, sp.Product)):
        *inner, (index, low, high) = expr.limits
        function = expr.func(expr.function, *inner) if inner else expr.function
        start, combine = (0, np.add) if isinstance(expr, sp.Sum) else (1, np.multiply)
        for i in range(int(value(low, point)), int(value(high, point)) + 1):
            start = combine(start, value(function, {**point, index: i}))
        return start
    if isinstance(expr, (sp.Identity, sp.ZeroMatrix)):
        shape = [int(value(s, point)) for s in expr.shape]
        return np.eye(*shape) if isinstance(expr, sp.Identity) else np.zeros(shape)
    if isinstance(expr, (sp.Number, sp.NumberSymbol)):
        return float(expr)
    if isinstance(expr, MatrixElement):
        matrix, i, j = (value(a, point) for a in expr.args)
        return matrix[int(i), int(j)]
    if isinstance(expr, (sp.MatPow, sp.Pow)):
        base, exponent = value(expr.base, point), value(expr.exp, point)
        if not np.ndim(base):
            return base**exponent
        if exponent < 0 and np.linalg.cond(base) > 1e4:
            raise ZeroDivisionError("hardly regular")
        return np.linalg.matrix_power(base, int(exponent))
    arguments = [value(a, point) for a in expr.args]
    if isinstance(expr, (sp.Add, sp.MatAdd)):
        return sum(arguments)
    if isinstance(expr, (sp.Mul, sp.MatMul)):
        product = arguments[0]
        for a in arguments[1:]:
            product = product @ a if np.ndim(product) and np.ndim(a) else product * a
        return product
    argument, = arguments
    return {sp.Transpose: np.transpose, sp.Trace: np.trace, sp.Determinant: np.linalg.det, sp.log: math.log,
            sp.exp: math.exp, sp.Abs: abs, sp.DiagMatrix: lambda v: np.diag(v[:, 0])}[type(expr)](argument)


def values(expr, rng):
    """The values at random points of one to three dimensions; NaN where there is none that can be trusted."""
    for dimension in (1, 2, 3):
        place = point(rng, dimension, int(rng.integers(1, 3)))
        yield place, value_or_nan(expr, place)


def value_or_nan(expr, place):
    try:
        found = value(expr, place)
    except (ZeroDivisionError, OverflowError, np.linalg.LinAlgError):
        return math.nan
    except ValueError as error:
        if "math domain" not in str(error):
            raise
        return math.nan
    return found if np.max(np.abs(found)) < 1e8 else math.nan


def _mean(expr, point):
    """By Gauss and Hermite, exact up to degree 9 in each direction."""
    function, vector, mean, covariance = expr.args
    mean, covariance = value(mean, point), value(covariance, point)
    factor = np.linalg.cholesky(covariance)
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    weights = weights / weights.sum()
    return sum(np.prod(weights[list(place)]) * value(
        function, {**point, vector: mean + factor @ nodes[list(place)][:, None]})
        for place in itertools.product(range(5), repeat=len(mean)))


def point(rng, dimension, other):
    """Values for the symbols of this module."""
    def lower():
        below = np.tril(rng.normal(size=(dimension, dimension)), -1)
        return below + np.diag(rng.uniform(0.5, 1.5, dimension))

    values = {symbol: rng.normal(size=[{d: dimension, k: other}.get(s, 1) for s in symbol.shape])
              for symbol in (A, B, U, V, X, x, y, m, w)}
    values |= {S: (f := lower()) @ f.T, T: (f := lower()) @ f.T, L: lower(), C: lower()}
    return {**values, d: dimension, k: other, c: rng.uniform(0.5, 2), r: rng.normal()}


class Grammar:
    """Random expressions, of a depth."""

    index = sp.Symbol("i", integer=True, positive=True)

    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def number(self):
        return self.pick(-2, -1, 1, 2, sp.Rational(1, 2), c)

    def square(self, depth):
        if depth <= 0:
            return self.pick(A, B, S, T, L, S, T, L, sp.Identity(d))
        return self.pick(
            lambda: self.number() * self.square(depth - 1), lambda: self.square(depth - 1).T,
            lambda: self.square(depth - 1) + self.square(depth - 1),
            lambda: self.square(depth - 1) * self.square(depth - 1),
            lambda: self.square(depth - 1) * self.square(depth - 2),
            lambda: sp.Inverse(self.square(depth - 1)),
            lambda: sp.Inverse(self.pick(S, T) + self.square(depth - 2)),
            lambda: sp.MatPow(self.square(depth - 2), self.pick(2, 3, -2)),
            lambda: self.vector(depth - 1) * self.vector(depth - 1).T, lambda: U * V, lambda: U * U.T,
            lambda: sp.DiagMatrix(self.pick(x, y)),
            lambda: NormalMatrixMean(self.vector(depth - 1) * self.vector(depth - 1).T, w,
                                     self.pick(m, x), self.pick(S, sp.Identity(d), S + T)),
        )()

    def vector(self, depth):
        if depth <= 0:
            return self.pick(x, y, m, w)
        return self.pick(
            lambda: self.square(depth - 1) * self.vector(depth - 1), lambda: self.vector(depth - 1),
            lambda: self.vector(depth - 1) - self.number() * self.vector(depth - 1))()

    def scalar(self, depth):
        def polynomial():
            one, other = (sp.Trace(self.vector(1).T * self.square(0) * self.vector(1)) for _ in range(2))
            return self.pick(one, one * other, one**2 - other, one * sp.Trace(w.T * x))

        if depth <= 0:
            return self.pick(c, d, sp.Trace(A), sp.Trace(x.T * y), sp.Determinant(S))
        return self.pick(
            lambda: sp.Trace(self.square(depth)), lambda: sp.Determinant(self.square(depth - 1)),
            lambda: sp.Trace(self.vector(depth - 1).T * self.square(depth - 1) * self.vector(depth - 1)),
            lambda: sp.log(sp.Determinant(self.number()**2 * self.pick(S, T, L, S * T, S + T, L * L.T))),
            lambda: self.scalar(depth - 1) + self.number() * self.scalar(depth - 1),
            lambda: self.scalar(depth - 1) * self.scalar(depth - 1),
            lambda: self.scalar(depth - 1) / (1 + sp.Determinant(S)),
            lambda: sp.log(c * sp.exp(-sp.Trace(x.T * S * x) / 2)
                           / sp.sqrt((2 * sp.pi) ** d * sp.Determinant(T))),
            lambda: NormalMean(polynomial(), w, self.pick(m, x, m + x, L * y),
                               self.pick(S, sp.Identity(d), L * L.T)),
            lambda: NormalMean(polynomial(), w, m, S) + sp.Sum(w[self.index - 1, 0] ** 2, (self.index, 1, d)),
            lambda: sp.Trace(L * L.T) - sp.Sum(L[self.index, self.index] ** 2, (self.index, 0, d - 1)),
        )()
