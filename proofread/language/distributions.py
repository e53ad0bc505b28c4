"""Probability laws, as parts of formulas, and whether they are laws at all."""

from functools import reduce
from operator import mul

import sympy as sp
from sympy.core.symbol import Str

from .binders import DrawsMean, NormalMatrixMean, NormalMean, substitute
from .typed import unfold


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
    limits = property(lambda self: ((self.variable, self.low, self.high),))

    @property
    def like_any(self):
        """Its name, density and range, whatever the variable is called: laws that agree in these are one."""
        return self.name, self.weight_at(sp.Symbol("x", positive=True)), unfold(self.low), unfold(self.high)

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

    def divergence(self, other):
        """The divergence from this law to another one."""
        if not isinstance(other, Law):
            raise TypeError(f"{getattr(other, 'name', other)} is no mass function or density")
        weight = unfold(self.weight)
        return self.total(weight * (sp.log(weight) - sp.log(other.weight_at(self.variable))))


class JointLaw(sp.Basic):
    r"""A joint density of several variables, for `Distributed`.

    Parameters
    ----------
    name : str
        TeX of the law.
    weight : expression
        The density as a function of the variables.
    limits : triples
        Each a variable and the ends of its range, which may depend on the variables before it.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x, y = sp.symbols("x y", positive=True)
    >>> ordered = JointLaw("O", 2 * sp.exp(-x - y), (x, 0, sp.oo), (y, x, sp.oo))
    >>> ordered.variables
    (x, y)
    """

    def __new__(cls, name, weight, *limits):
        limits = [sp.Tuple(*map(sp.sympify, limit)) for limit in limits]
        for place, (variable, *ends) in enumerate(limits):
            later = {unfold(limit[0]) for limit in limits[place:]}
            if later & set().union(*(unfold(end).free_symbols for end in ends)):
                raise ValueError(f"the range of {variable} may depend on the variables before it; got {ends}")
        return sp.Basic.__new__(cls, Str(str(name)), sp.sympify(weight), *limits)

    name = property(lambda self: str(self.args[0]))
    weight = property(lambda self: self.args[1])
    limits = property(lambda self: self.args[2:])
    variables = property(lambda self: sp.Tuple(*(limit[0] for limit in self.limits)))

    @classmethod
    def independent(cls, laws):
        """The law of independent variables.

        Raises
        ------
        ValueError
            If two laws have one variable, or if one depends on the variable of another.
        """
        for place, law in enumerate(laws):
            others = {unfold(other.variable) for other in (*laws[:place], *laws[place + 1:])}
            if others & unfold(sp.Tuple(law.variable, law.weight, law.low, law.high)).free_symbols:
                raise ValueError(f"independent laws have a variable each, which no other one depends on; "
                                 f"{law.name} has one of another law")
        weight = reduce(mul, (unfold(law.weight) for law in laws))
        return cls(r" \otimes ".join(law.name for law in laws), weight, *(law.limits[0] for law in laws))


class Draws(sp.Basic):
    r"""The law of independent draws :math:`x_1,\dots,x_K` from finite sets, for `E`, `Var` and `KL`.

    Parameters
    ----------
    name : str
        TeX of the joint law.
    draws : IndexedBase
        The vector of the draws, declared ``integer=True, positive=True``.
    count : tuple
        The number of a draw and its range, ``(k, 1, K)``.
    single : Law
        The mass function of draw ``k``, which may depend on it.

    Examples
    --------
    >>> from proofread import E, Draws, Law, decide, sympy as sp
    >>> k, v, K, n = sp.symbols("k v K n", integer=True, positive=True)
    >>> x = sp.IndexedBase("x", integer=True, positive=True)
    >>> dice = Draws("u^K", x, (k, 1, K), Law("u", v, 1 / n, 1, n))
    >>> decide(E(sp.Sum(x[k], (k, 1, K)) / K, dice), sp.Sum(v, (v, 1, n)) / n).status
    'proved'
    """

    def __new__(cls, name, draws, count, single):
        number, first, last = count
        if not (isinstance(single, Law) and unfold(single.variable).is_integer):
            raise TypeError(f"the law of a single draw is a Law of an integer variable; got {single!r}")
        if unfold(first) != 1 or unfold(single.low) != 1:
            raise ValueError("draws and their values are counted from 1")
        return sp.Basic.__new__(cls, Str(str(name)), draws, sp.Tuple(number, first, last), single)

    name = property(lambda self: str(self.args[0]))
    variable = property(lambda self: self.args[1])
    count = property(lambda self: self.args[2])
    single = property(lambda self: self.args[3])

    def expect(self, function):
        """The expectation of a function of the draws."""
        single, count = self.single, [unfold(a) for a in self.count]
        values = [unfold(a) for a in (single.variable, single.low, single.high)]
        return DrawsMean(unfold(function), unfold(self.variable), unfold(single.weight), count, values)

    def divergence(self, other):
        """The divergence from this law to that of as many draws."""
        if not isinstance(other, Draws) or self.args[1:3] != other.args[1:3]:
            raise TypeError(f"{self.name} and {getattr(other, 'name', other)} are not laws of the same draws")
        number, first, last = (unfold(a) for a in self.count)
        drawn = unfold(self.variable)[number]
        chances = (sp.Product(law.single.weight_at(drawn), (number, first, last)) for law in (self, other))
        return self.expect(sp.log(next(chances)) - sp.log(next(chances)))


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
