"""Integrands made ready for many values: plain functions, and what stays the same is computed once."""

import sympy as sp
from mpmath import mp, mpf
from sympy.core.function import AppliedUndef

from proofread.errors import Unreal
from proofread.language.undefined_functions import orders

from .double_exponential import integrate

LARGEST = mpf(10) ** 1000  #: beyond, an exponential is 0 or infinite: the exact number would fill the memory


class Ready:
    """Expressions as functions of an environment, a dict with the values of their variables.

    Parameters
    ----------
    point : dict
        The values of what never moves.
    value : callable
        The evaluation of what is not known here.
    accepted : number, optional
        The error that an integral may have, as in `integrate`.

    Examples
    --------
    >>> from proofread.numeric.evaluation import value_at
    >>> x, c = sp.symbols("x c")
    >>> slope = Ready({c: 3}, value_at).function(sp.Derivative(sp.log(c * x), x) + c)
    >>> print(slope({x: mpf(4)}))
    3.25
    """

    def __init__(self, point, value, accepted=None):
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
            return self._symbol(expr)
        if expr.is_number:
            return self._constant(expr)
        if isinstance(expr, sp.Integral):
            return self.integral(expr)
        if expr.is_Pow and expr.exp.is_Integer:
            return _whole_power(self.function(expr.base, variable, once), int(expr.exp))
        if type(expr) in _NODES:
            if once is not None and isinstance(expr, (sp.Add, sp.Mul)):
                fixed, rest = expr.as_independent(variable)
                expr = type(expr)(fixed, rest, evaluate=False) if fixed.free_symbols else expr
            return _NODES[type(expr)](*(self.function(a, variable, once) for a in expr.args))
        if isinstance(expr, sp.log):
            return self._logarithm(expr, variable, once)
        if expr.func in self.point:
            return self._applied(expr, [0] * len(expr.args), variable, once)
        if isinstance(expr, sp.Derivative) and expr.expr.func in self.point and (exact := orders(expr)):
            return self._applied(expr.expr, exact, variable, once)
        if (isinstance(expr, sp.Derivative) and not expr.has(AppliedUndef)
                and all(v.is_Symbol and count.is_Integer for v, count in expr.variable_count)):
            return self._derivative(expr)
        return self._by_value(expr)

    def _by_value(self, expr):
        return lambda environment: self.value(expr, {**self.point, **environment})

    def _applied(self, expr, orders, variable, once):
        """An undefined function, or its derivative of these orders, at its arguments."""
        meaning, arguments = self.point[expr.func], [self.function(a, variable, once) for a in expr.args]
        return lambda environment: meaning([a(environment) for a in arguments], orders, self.value)

    def _symbol(self, expr):
        if expr not in self.point:
            return lambda environment: environment[expr]
        number = self._constant(expr)
        return lambda environment: environment[expr] if expr in environment else number(environment)

    def _constant(self, expr):
        numbers = {}  # by precision: that of a derivative or of a quadrature is higher than the caller's

        def constant(environment):
            if mp.prec not in numbers:
                numbers[mp.prec] = self.value(expr, self.point)
            return numbers[mp.prec]

        return constant

    def _logarithm(self, expr, variable, once):
        """Factor by factor where all are positive: a density may be too small for a number."""
        factors = [(isinstance(f, sp.exp), self.function(f.args[0] if isinstance(f, sp.exp) else f,
                                                         variable, once))
                   for f in sp.Mul.make_args(expr.args[0])]
        whole = self._by_value(expr)

        def logarithm(environment):
            total = mpf(0)
            for is_exponential, factor in factors:
                x = factor(environment)
                if mp.im(x) != 0 or not (is_exponential or x > 0):
                    return whole(environment)
                total += x if is_exponential else mp.log(x)
            return total

        return logarithm

    def _derivative(self, expr):
        """A numerical one; nothing inside is computed once: what it moves need not be what moves outside."""
        slope = self.function(expr.expr)
        for v, order in reversed(expr.variable_count):
            slope = _slope(slope, v, self._symbol(v), int(order))
        return slope


def _slope(function, variable, place, order):
    def slope(environment):
        return mp.diff(lambda x: function({**environment, variable: x}), place(environment), order)

    return slope


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


def _whole_power(base, exponent):
    return lambda environment: base(environment) ** exponent


def _power(base, exponent):
    def power(environment):
        a, b = base(environment), exponent(environment)
        whole = mp.isint(b)
        if mp.im(a) == 0 and a < 0 and mp.im(b) == 0 and not whole:
            raise Unreal("a broken power of a negative number")
        return a ** (int(mp.re(b)) if whole else b)

    return power


def _exponential(argument):
    def exponential(environment):
        x = argument(environment)
        if abs(x) > LARGEST:
            return mp.inf if mp.re(x) > 0 else mpf(0)
        return mp.exp(x)

    return exponential


_NODES = {sp.Add: _sum, sp.Mul: _product, sp.Pow: _power, sp.exp: _exponential}
