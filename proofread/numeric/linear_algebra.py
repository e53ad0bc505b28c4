"""Matrix expressions: random matrices, and numerical values."""

import itertools
import operator
from fractions import Fraction
from functools import cache, reduce

import sympy as sp
from mpmath import mp, mpf

from proofread.errors import CannotEvaluate
from proofread.language.binders import NormalMatrixMean, NormalMean

from .environment import moved


def draw(shape, kind, rng):
    """The rows of a random matrix of dyadic rationals."""
    def entry():
        return Fraction(rng.choice((-1, 1)) * rng.randint(1, 63), 32)

    rows, columns = shape
    if kind == "any":
        return [[entry() for _ in range(columns)] for _ in range(rows)]
    factor = [[abs(entry()) if i == j else entry() if j < i else Fraction(0) for j in range(columns)]
              for i in range(rows)]
    if kind == "triangular":
        return factor
    return [[sum(a * b for a, b in zip(r, s)) for s in factor] for r in factor]


# --- numbers ------------------------------------------------------------------------------------


def _symbol(expr, point, value):
    if expr not in point:
        raise CannotEvaluate(f"{expr} has no value")
    rows = point[expr]
    return rows if isinstance(rows, mp.matrix) else mp.matrix([[_number(a) for a in row] for row in rows])


def _number(entry):
    return mpf(entry.numerator) / entry.denominator if isinstance(entry, Fraction) else mpf(entry)


def _norm(number_or_matrix):
    return mp.norm(number_or_matrix) if isinstance(number_or_matrix, mp.matrix) else abs(number_or_matrix)


def _size(expr, point, value):
    return int(value(expr, point))


def _entry(expr, point, value):
    matrix, i, j = expr.args
    return value(matrix, point)[_size(i, point, value), _size(j, point, value)]


def _power(expr, point, value):
    base, exponent = value(expr.base, point), value(expr.exp, point)
    if exponent != int(exponent):
        raise CannotEvaluate(f"{expr} is not a whole power")
    exponent = int(exponent)
    try:
        return base**exponent
    except ZeroDivisionError as singular:
        raise CannotEvaluate(f"{expr.base} is singular") from singular


def _mean(expr, point, value):
    """The mean by a cubature exact up to degree 3, at two radii; where these differ, by two of degree 7."""
    function, vector, mean, covariance = expr.args
    if not _is_polynomial(function, vector):  # at a few nodes anything may look like one
        raise CannotEvaluate(f"{function} is no polynomial in {vector}")
    centre, factor = value(mean, point), mp.cholesky(value(covariance, point))
    d = centre.rows

    # a mirror in general position: a product that vanishes on the axes does not vanish on their images
    normal = mp.matrix([mp.sqrt(int(sp.prime(i + 1))) for i in range(d)])
    mirror = mp.eye(d) - 2 * normal * normal.T / mp.fsum(a**2 for a in normal)

    def rule(radius, axes):
        weight = 1 / (2 * radius**2)
        steps = [factor * axes[:, i] * radius for i in range(d)]
        around = [(weight, centre + sign * s) for s in steps for sign in (1, -1)]
        nodes = [(1 - d / radius**2, centre), *around]
        terms = [w * value(function, moved(point, {vector: node})) for w, node in nodes]
        return reduce(operator.add, terms), max(map(_norm, terms))

    (one, size), (other, _) = rule(mp.sqrt(d) * mp.e / 2, mp.eye(d)), rule(mp.sqrt(d) * mp.pi / 2, mirror)
    if _norm(one - other) <= max(size, 1) * mpf(10) ** (8 - mp.dps):
        return one

    def product(order):
        axis = _gauss_hermite(order, mp.prec)
        terms = []
        for places in itertools.product(axis, repeat=d):
            node = centre + factor * mp.matrix([place for place, _ in places])
            weight = mp.fprod(weight for _, weight in places)
            terms.append(weight * value(function, moved(point, {vector: node})))
        return reduce(operator.add, terms), max(map(_norm, terms))

    if d > 4:
        raise CannotEvaluate(f"{function} is not a polynomial of degree 3 at most in {vector}")
    (one, size), (other, _) = product(4), product(5)
    if _norm(one - other) > max(size, 1) * mpf(10) ** (8 - mp.dps):
        raise CannotEvaluate(f"{function} is not a polynomial of degree 7 at most in {vector}")
    return one


def _is_polynomial(expr, vector):
    """Whether an expression is, by its form, a polynomial in a vector; ``log(exp(p))`` is like ``p``."""
    if vector not in expr.free_symbols:
        return True
    if isinstance(expr, (sp.Pow, sp.MatPow)):
        return expr.exp.is_Integer and expr.exp >= 0 and _is_polynomial(expr.base, vector)
    if isinstance(expr, sp.log):
        return all(_is_polynomial(f.args[0], vector) if isinstance(f, sp.exp)
                   else vector not in f.free_symbols for f in sp.Mul.make_args(expr.args[0]))
    linear = (sp.Add, sp.Mul, sp.MatAdd, sp.MatMul, sp.Trace, sp.Transpose, sp.Sum, sp.Tuple, sp.MatrixSymbol,
              sp.matrices.expressions.matexpr.MatrixElement)
    parts = (a for a in expr.args if isinstance(a, sp.Basic))
    return isinstance(expr, linear) and all(_is_polynomial(a, vector) for a in parts)


@cache
def _gauss_hermite(order, precision):
    """Nodes and weights: exact up to degree ``2 order - 1`` against a standard normal density."""
    with mp.workprec(precision + 20):
        before, now = [mpf(1)], [mpf(1), mpf(0)]  # coefficients of Hermite's polynomials, the highest first
        for k in range(1, order):
            before, now = now, [a - k * b for a, b in zip([*now, 0], [0, 0, *before])]
        roots = mp.polyroots(now, maxsteps=200, extraprec=2 * precision)
        return [(root, mp.factorial(order - 1) / (order * mp.polyval(before, root) ** 2)) for root in roots]


def _trace(expr, point, value):
    matrix = value(expr.arg, point)
    return mp.fsum(matrix[i, i] for i in range(matrix.rows))


#: How the evaluation, handed over as ``value``, reads each kind of node: ``handler(expr, point, value)``.
NODES = {
    sp.MatrixSymbol: _symbol,
    sp.MatAdd: lambda expr, point, value: reduce(operator.add, (value(a, point) for a in expr.args)),
    sp.MatMul: lambda expr, point, value: reduce(operator.mul, (value(a, point) for a in expr.args)),
    sp.MatPow: _power,  # the inverse too
    sp.Transpose: lambda expr, point, value: value(expr.arg, point).T,
    sp.Identity: lambda expr, point, value: mp.eye(_size(expr.shape[0], point, value)),
    sp.ZeroMatrix: lambda expr, point, value: mp.zeros(*(_size(s, point, value) for s in expr.shape)),
    sp.DiagMatrix: lambda expr, point, value: mp.diag(list(value(expr.args[0], point))),
    sp.Trace: _trace,
    sp.Determinant: lambda expr, point, value: mp.det(value(expr.arg, point)),
    sp.matrices.expressions.matexpr.MatrixElement: _entry,
    NormalMean: _mean,
    NormalMatrixMean: _mean,
}
