"""Probability laws, as parts of formulas, and whether they are laws at all."""

import sympy as sp
from sympy.core.symbol import Str

from .nodes import NormalMatrixMean, NormalMean, substitute
from .written import unfold


class Law(sp.Basic):
    r"""A probability law for `E`, `Var` and `KL`: a variable, its mass or density, and its range.

    Parameters
    ----------
    name : str
        TeX of the law, as in :math:`\mathbb E_{k\sim\pi}`.
    variable : symbol
        An integer symbol makes a mass function that is summed, any other a density that is integrated.
    weight : expression
        The mass or density as a function of ``variable``.
    low, high : expression
        The range, ends included.

    Notes
    -----
    That the weight is nowhere negative and has the total 1 is checked by every statement that uses the law,
    under the conditions of that statement.
    """

    def __new__(cls, name, variable, weight, low, high):
        return sp.Basic.__new__(cls, Str(str(name)), *map(sp.sympify, (variable, weight, low, high)))

    name = property(lambda self: str(self.args[0]))
    variable = property(lambda self: self.args[1])
    weight = property(lambda self: self.args[2])
    low = property(lambda self: self.args[3])
    high = property(lambda self: self.args[4])

    def total(self, function):
        """The sum or integral of ``function`` over the range, in plain SymPy."""
        variable, low, high = (unfold(a) for a in (self.variable, self.low, self.high))
        kind = sp.Sum if variable.is_integer else sp.Integral
        return kind(unfold(function), (variable, low, high))

    def expect(self, function):
        """The expectation of ``function``, written out."""
        return self.total(unfold(self.weight) * unfold(function))

    def weight_at(self, place):
        """The mass or density at ``place``."""
        return substitute(unfold(self.weight), {unfold(self.variable): unfold(place)})


class NormalLaw(sp.Basic):
    r"""The law of a normal random vector, for `E`.

    Parameters
    ----------
    name : str
        TeX of the law.
    variable, mean, covariance : expressions
        The vector (a ``MatrixSymbol`` of one column), its mean and its covariance matrix; or a number, its
        mean and its variance.
    """

    def __new__(cls, name, variable, mean, covariance):
        return sp.Basic.__new__(cls, Str(str(name)), *map(sp.sympify, (variable, mean, covariance)))

    name = property(lambda self: str(self.args[0]))
    variable = property(lambda self: self.args[1])
    mean = property(lambda self: self.args[2])
    covariance = property(lambda self: self.args[3])

    def expect(self, function):
        """The mean of a scalar or a matrix whose entries are polynomials in the vector."""
        function, variable, mean, covariance = map(unfold, (function, *self.args[1:]))
        if not variable.is_Matrix:  # a number is a vector with one entry
            vector, one = sp.MatrixSymbol(variable.name, 1, 1), sp.Identity(1)
            function = substitute(function, {variable: sp.Trace(vector)})
            variable, mean, covariance = vector, mean * one, covariance * one
        kind = NormalMatrixMean if isinstance(function, sp.MatrixExpr) else NormalMean
        return kind(function, variable, mean, covariance)
