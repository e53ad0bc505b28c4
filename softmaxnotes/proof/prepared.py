"""Integrands made ready for many values: plain functions, and what stays the same is computed once."""

import sympy as sp
from mpmath import mp, mpf

from .nested import integrate

LARGEST = mpf(10) ** 1000  #: beyond, an exponential is 0 or infinite: the exact number would fill the memory


class Ready:
    """Expressions as functions of an environment, a dict with the values of their variables.

    Parameters
    ----------
    point : dict
        The values of what never moves.
    value : callable
        The evaluation of what is not known here.
    accepted : number
        The error that an integral may have, as in `integrate`.
    """

    def __init__(self, point, value, accepted):
        self.point, self.value, self.accepted = point, value, accepted

    def integral(self, expr):
        """The integral over one variable after the other, as a function of the values of others."""
        *inner, (variable, *ends) = expr.limits
        low, high = (self.function(end) for end in ends)
        once = {}
        whole = sp.Integral(expr.function, *inner) if inner else expr.function
        integrand = self.function(whole, variable, once)

        def over(environment):
            own = dict(environment)
            for name, part in once.items():
                own[name] = part(environment)

            def along(place):
                own[variable] = place
                return integrand(own)

            return integrate(along, low(environment), high(environment), self.accepted, expr)

        return over

    def function(self, expr, variable=None, once=None):
        """An expression as a function of an environment.

        Parts without the ``variable`` are put into ``once``, by names under which their values are expected.
        """
        if once is not None and variable not in expr.free_symbols and not expr.is_Symbol:
            if expr.is_number:
                return self._constant(expr)
            name = sp.Dummy()
            once[name] = self.function(expr)
            return lambda environment: environment[name]
        if expr.is_Symbol:
            return lambda environment: environment[expr] if expr in environment else self.point[expr]
        if expr.is_number:
            return self._constant(expr)
        if isinstance(expr, sp.Integral):
            return self.integral(expr)
        if type(expr) in _NODES:
            if once is not None and isinstance(expr, (sp.Add, sp.Mul)):
                fixed, rest = expr.as_independent(variable)
                expr = type(expr)(fixed, rest, evaluate=False) if fixed.free_symbols else expr
            return _NODES[type(expr)](*(self.function(a, variable, once) for a in expr.args))
        return lambda environment: self.value(expr, {**self.point, **environment})

    def _constant(self, expr):
        number = self.value(expr, self.point)
        return lambda environment: number


def _sum(*parts):
    if len(parts) == 2:
        first, second = parts
        return lambda environment: first(environment) + second(environment)
    return lambda environment: mp.fsum([part(environment) for part in parts])


def _product(*parts):
    if len(parts) == 2:
        first, second = parts
        return lambda environment: first(environment) * second(environment)
    return lambda environment: mp.fprod([part(environment) for part in parts])


def _power(base, exponent):
    def power(environment):
        a, b = base(environment), exponent(environment)
        if mp.im(a) == 0 and a < 0 and b != int(b):
            raise ValueError("a broken power of a negative number")
        return a ** (int(b) if b == int(b) else b)

    return power


def _exponential(argument):
    def exponential(environment):
        x = argument(environment)
        if abs(x) > LARGEST:
            return mp.inf if mp.re(x) > 0 else mpf(0)
        return mp.exp(x)

    return exponential


_NODES = {sp.Add: _sum, sp.Mul: _product, sp.Pow: _power, sp.exp: _exponential}
