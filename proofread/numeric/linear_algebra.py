"""Matrix expressions: random matrices, and numerical values."""

import itertools
import operator
from fractions import Fraction
from functools import cache, reduce

import sympy as sp
from mpmath import mp, mpf

from proofread.errors import CannotEvaluate
from proofread.language.binders import NormalMatrixMean, NormalMean


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


# --- nodes --------------------------------------------------------------------------------------------


def _symbol(arithmetic, expr):
    def symbol(environment):
        rows = environment[expr]
        return rows if isinstance(rows, mp.matrix) else mp.matrix([[_number(a) for a in row] for row in rows])

    return symbol


def _number(entry):
    return mpf(entry.numerator) / entry.denominator if isinstance(entry, Fraction) else mpf(entry)


def _norm(number_or_matrix):
    return mp.norm(number_or_matrix) if isinstance(number_or_matrix, mp.matrix) else abs(number_or_matrix)


def _entry(arithmetic, expr):
    matrix, *indices = expr.args
    matrix, (i, j) = arithmetic.program(matrix), map(arithmetic.index, indices)
    return lambda environment: matrix(environment)[i(environment), j(environment)]


def _power(base, exponent):
    if exponent != int(exponent):
        raise CannotEvaluate(f"the power {exponent} of a matrix is not a whole one")
    try:
        return base ** int(exponent)
    except ZeroDivisionError as singular:
        raise CannotEvaluate("a matrix is singular") from singular


def _trace(matrix):
    return mp.fsum(matrix[i, i] for i in range(matrix.rows))


def _shaped(make):
    """A matrix that its shape determines."""
    def handler(arithmetic, expr):
        shape = [arithmetic.index(size) for size in expr.shape]
        return lambda environment: make(*(size(environment) for size in shape))

    return handler


def _applied(function):
    return lambda arithmetic, expr: arithmetic.applied(function, expr.args)


def _mean(arithmetic, expr):
    """The mean by a cubature exact up to degree 3, at two radii; where these differ, by two of degree 7."""
    function, vector, *normal = expr.args
    if not _is_polynomial(function, vector):  # at a few nodes anything may look like one
        raise CannotEvaluate(f"{function} is no polynomial in {vector}")
    function, mean, covariance = map(arithmetic.program, (function, *normal))
    otherwise = f"{expr.args[0]} is not a polynomial of degree {{}} at most in {vector}"

    def cubature(environment):
        centre, factor = mean(environment), mp.cholesky(covariance(environment))
        with environment.moving(vector) as move:
            def at(node):
                move(node)
                return function(environment)

            return _cubature(at, centre, factor, otherwise)

    return cubature


def _cubature(at, centre, factor, otherwise):
    d = centre.rows
    # a mirror in general position: a product that vanishes on the axes does not vanish on their images
    normal = mp.matrix([mp.sqrt(int(sp.prime(i + 1))) for i in range(d)])
    mirror = mp.eye(d) - 2 * normal * normal.T / mp.fsum(a**2 for a in normal)

    def rule(radius, axes):
        weight = 1 / (2 * radius**2)
        steps = [factor * axes[:, i] * radius for i in range(d)]
        around = [(weight, centre + sign * s) for s in steps for sign in (1, -1)]
        nodes = [(1 - d / radius**2, centre), *around]
        terms = [w * at(node) for w, node in nodes]
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
            terms.append(weight * at(node))
        return reduce(operator.add, terms), max(map(_norm, terms))

    if d > 4:
        raise CannotEvaluate(otherwise.format(3))
    (one, size), (other, _) = product(4), product(5)
    if _norm(one - other) > max(size, 1) * mpf(10) ** (8 - mp.dps):
        raise CannotEvaluate(otherwise.format(7))
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


#: How an arithmetic of mpmath's numbers makes a function of each kind of node: ``handler(arithmetic, node)``.
NODES = {
    sp.MatrixSymbol: _symbol,
    sp.MatAdd: _applied(lambda *matrices: reduce(operator.add, matrices)),
    sp.MatMul: _applied(lambda *matrices: reduce(operator.mul, matrices)),
    sp.Inverse: lambda arithmetic, expr: arithmetic.applied(_power, (expr.arg, sp.S.NegativeOne)),
    sp.MatPow: _applied(_power),
    sp.Transpose: _applied(lambda matrix: matrix.T),
    sp.Identity: _shaped(lambda rows, columns: mp.eye(rows)),
    sp.ZeroMatrix: _shaped(mp.zeros),
    sp.DiagMatrix: _applied(lambda vector: mp.diag(list(vector))),
    sp.Trace: _applied(_trace),
    sp.Determinant: _applied(mp.det),
    sp.matrices.expressions.matexpr.MatrixElement: _entry,
    NormalMean: _mean,
    NormalMatrixMean: _mean,
}
