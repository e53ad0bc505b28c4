"""Matrix expressions with their entries written out, at a chosen size.

A positive definite matrix is the product of a general Cholesky factor with its transpose.
"""

import operator
from functools import reduce

import sympy as sp

from proofread.errors import CannotEvaluate
from proofread.language.binders import NormalMatrixMean, NormalMean


def general(symbol, shape, kind):
    """The matrix with a symbol for each entry; a positive definite one through its Cholesky factor."""
    rows, columns = shape
    name = symbol.name

    def entry(i, j):
        positive = True if kind != "any" and i == j else None
        return sp.Symbol(f"{name}_{i + 1}{j + 1}", real=True, positive=positive)

    if kind == "any":
        return sp.ImmutableDenseMatrix(rows, columns, entry)
    factor = sp.ImmutableDenseMatrix(rows, columns, lambda i, j: entry(i, j) if j <= i else 0)
    return factor if kind == "triangular" else factor * factor.T


def written_out(symbols, choice, given):
    """Each matrix with a symbol for each entry, at the sizes chosen."""
    shapes = {m: [int(a.subs(choice)) for a in m.shape] for m in symbols}
    return {m: general(m, shape, given.kind(m)) for m, shape in shapes.items()}


def explicit(expr, instance):
    """A node with its matrices written out; ``instance`` does so for an argument.  `None` for other nodes."""
    if isinstance(expr, (NormalMean, NormalMatrixMean)):
        return _moments(expr, instance)
    if isinstance(expr, sp.Trace):
        return instance(expr.arg).trace()
    if isinstance(expr, sp.Determinant):
        return instance(expr.arg).det()
    if isinstance(expr, sp.matrices.expressions.matexpr.MatrixElement):
        matrix, i, j = expr.args
        return instance(matrix)[instance(i), instance(j)]
    if not isinstance(expr, sp.MatrixExpr):
        return None
    if isinstance(expr, (sp.MatAdd, sp.MatMul)):
        return reduce(operator.add if isinstance(expr, sp.MatAdd) else operator.mul, map(instance, expr.args))
    if isinstance(expr, sp.MatPow):
        return instance(expr.base) ** instance(expr.exp)
    if isinstance(expr, sp.Transpose):
        return instance(expr.arg).T
    if isinstance(expr, sp.Identity):
        return sp.eye(instance(expr.shape[0])).as_immutable()
    if isinstance(expr, sp.ZeroMatrix):
        return sp.zeros(*map(instance, expr.shape)).as_immutable()
    if isinstance(expr, sp.DiagMatrix):
        return sp.diag(*instance(expr.args[0])).as_immutable()
    raise CannotEvaluate(f"no entries are known for {type(expr).__name__}")


def _moments(expr, instance):
    """The mean of a polynomial in a normal vector, by the normal distribution's moments (Isserlis 1918)."""
    function, vector, mean, covariance = expr.args
    mean, covariance = instance(mean), instance(covariance)
    errors = sp.symbols(f"e_1:{len(mean) + 1}", cls=sp.Dummy, real=True)
    shifted = instance.at(vector, mean + sp.ImmutableDenseMatrix(errors))(function)

    def one(entry):
        entry = entry.replace(lambda e: isinstance(e, sp.log), lambda e: _without_exponentials(e.args[0]))
        polynomial = sp.Poly(sp.expand(sp.expand_log(entry, force=False)), *errors)
        return sum(c * _isserlis([i for i, k in enumerate(powers) for _ in range(k)], covariance)
                   for powers, c in polynomial.terms())

    return shifted.applyfunc(one) if isinstance(shifted, sp.MatrixBase) else one(shifted)


def _without_exponentials(argument):
    """The logarithm of a product, in which log(c exp(q)) is q + log(c) for every real q."""
    exponents, rest = [], []
    for factor in sp.Mul.make_args(argument):
        split = isinstance(factor, sp.exp) and _is_real_where_defined(factor.args[0])
        (exponents if split else rest).append(factor.args[0] if split else factor)
    return sp.Add(*exponents, sp.log(sp.Mul(*rest)))


def _is_real_where_defined(expr):
    """Whether an expression is made of reals by the four operations; SymPy doubts any with a denominator."""
    if expr.is_real:
        return True
    whole = isinstance(expr, sp.Pow) and expr.exp.is_Integer
    return (whole or isinstance(expr, (sp.Add, sp.Mul))) and all(map(_is_real_where_defined, expr.args))


def _isserlis(indices, covariance):
    """The mean of a product of entries of a centred normal vector: a sum over all pairings."""
    if not indices:
        return sp.S.One
    first, *rest = indices
    return sum((covariance[first, other] * _isserlis(rest[:i] + rest[i + 1:], covariance)
                for i, other in enumerate(rest)), sp.S.Zero)
