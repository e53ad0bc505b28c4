r"""What an integral leaves beyond a place, bounded: for proofs that a finite part is enough.

On the ray :math:`x = \pm(R + t)`, :math:`t \ge 0`, functions are compared with three kinds of simpler ones:
a function with a line below or above it, :math:`a + bt`; the absolute value of one with an exponential above
it, :math:`Ce^{-ct}`; a positive one with an exponential below it, :math:`me^{kt}`.  Each rule below is one
inequality that holds for all :math:`t \ge 0`, with balls for its numbers.  Where :math:`c > 0`, the integral
of the rest is at most :math:`C/c`.
"""

from functools import reduce
from math import factorial

import sympy as sp

from ..environment import names

try:
    from flint import arb
except ImportError:  # then nobody asks
    arb = None

#: functions of a real variable whose absolute value is at most this
BOUNDED = {sp.sin: 1, sp.cos: 1, sp.tanh: 1, sp.erf: 1, sp.erfc: 2}
LONG = 8  #: what grows as a power is compared with an exponential that grows e times in this length


def beyond(function, variable, sign, place, constant):
    """A bound of the integral of ``|function|`` from ``sign * place`` to plus or minus infinity, or None.

    ``constant`` computes the ball of what does not depend on the variable.
    """
    high = _Ray(variable, sign, place, constant).above(function)
    if high is None:
        return None
    size, rate = high
    return size / rate if rate > 0 else None


class _Ray:
    """Bounds of the functions of a variable on a ray; None where no rule tells one."""

    def __init__(self, variable, sign, place, constant):
        self.variable, self.sign, self.place, self.constant = variable, sign, place, constant
        self.zero = arb(0)

    def is_constant(self, expr):
        return self.variable not in names(expr)

    # --- lines --------------------------------------------------------------------------------------

    def polynomial(self, expr):
        """The coefficients of a polynomial, as one in t."""
        if self.is_constant(expr):
            return [self.constant(expr)]
        if expr == self.variable:
            return [self.sign * self.place, arb(self.sign)]
        if expr.is_Add or expr.is_Mul:
            parts = [self.polynomial(a) for a in expr.args]
            return None if None in parts else reduce(_plus if expr.is_Add else _times, parts)
        if expr.is_Pow and expr.exp.is_Integer and 0 < expr.exp <= 8:
            part = self.polynomial(expr.base)
            return part and reduce(_times, int(expr.exp) * [part])
        return None

    def line(self, expr, side):
        """A line below (``side`` is -1) or above (1) a real function: its value at t = 0, and its slope."""
        if (powers := self.polynomial(expr)) is not None:
            first, slope, *more = [*powers, self.zero][:max(2, len(powers))]
            return (first, slope) if all(side * p <= 0 for p in more) else None
        if expr.is_Add:
            lines = [self.line(a, side) for a in expr.args]
            return None if None in lines else reduce(_both, lines)
        if expr.is_Mul:
            return self.multiple(expr, side)
        if isinstance(expr, sp.exp):
            return self.line_of_exponential(expr.args[0], side)
        if isinstance(expr, sp.log):
            lines = [self.line_of_logarithm(factor, side) for factor in sp.Mul.make_args(expr.args[0])]
            return None if None in lines else reduce(_both, lines)
        if type(expr) in BOUNDED:
            return arb(side * BOUNDED[type(expr)]), self.zero
        return None

    def multiple(self, expr, side):
        """A constant times one function."""
        factor, rest = expr.as_independent(self.variable, as_Add=False)
        if factor == 1:
            return None
        factor = self.constant(factor)
        if not (factor > 0 or factor < 0):
            return None
        line = self.line(rest, side if factor > 0 else -side)
        return line and (factor * line[0], factor * line[1])

    def line_of_exponential(self, exponent, side):
        line = self.line(exponent, side)
        if side > 0:  # of what does not grow
            return (line[0].exp(), self.zero) if line and line[1] <= 0 else None
        if line and line[1] >= 0:  # its tangent
            return line[0].exp(), line[0].exp() * line[1]
        return self.zero, self.zero

    def line_of_logarithm(self, factor, side):
        if isinstance(factor, sp.exp):
            return self.line(factor.args[0], side)
        low = self.below(factor)
        bound = low and (self.above(factor) if side > 0 else low)
        if bound is None:
            return None
        return bound[0].log(), -side * bound[1]

    # --- exponentials -------------------------------------------------------------------------------

    def above(self, expr):
        """The C and c of an exponential above the absolute value of a function."""
        if self.is_constant(expr):
            return abs(self.constant(expr)), self.zero
        if (powers := self.polynomial(expr)) is not None:
            # by the exponential series, t^k is at most k! L^k exp(t/L)
            size = sum((abs(p) * factorial(k) * LONG**k for k, p in enumerate(powers)), self.zero)
            return size, -arb(1) / LONG
        if expr.is_Add:
            return self.sum_above([self.above(a) for a in expr.args])
        if expr.is_Mul:
            parts = [self.above(a) for a in expr.args]
            return None if None in parts else reduce(lambda p, q: (p[0] * q[0], p[1] + q[1]), parts)
        if expr.is_Pow and (power := self.power(expr)) is not None:
            part = self.above(expr.base) if power > 0 else self.below(expr.base)
            if part is None or not part[0] > 0:
                return None
            rate = power * part[1]
            return part[0] ** power, rate if power > 0 else -rate
        if isinstance(expr, sp.exp):
            line = self.line(expr.args[0], 1)
            return line and (line[0].exp(), -line[1])
        if isinstance(expr, (sp.Abs, sp.Max, sp.Min)):  # no larger than all arguments together
            return self.sum_above([self.above(a) for a in expr.args])
        if isinstance(expr, sp.log) and (factors := sp.Mul.make_args(expr.args[0])) != expr.args:
            return self.sum_above([self.above(sp.log(f)) for f in factors])
        if type(expr) in BOUNDED:
            return arb(BOUNDED[type(expr)]), self.zero
        lines = [self.line(expr, side) for side in (-1, 1)]
        if None in lines:
            return None
        size, slope = (abs(p) + abs(q) for p, q in zip(*lines))
        return size + LONG * slope, -arb(1) / LONG

    @staticmethod
    def sum_above(parts):
        return None if None in parts else reduce(lambda p, q: (p[0] + q[0], p[1].min(q[1])), parts)

    def below(self, expr):
        """The m and k of an exponential below a function, if it is seen to be positive."""
        if self.is_constant(expr):
            value = self.constant(expr)
            return (value, self.zero) if value > 0 else None
        if isinstance(expr, sp.exp):
            line = self.line(expr.args[0], -1)
            return line and (line[0].exp(), line[1])
        if expr.is_Mul:
            parts = [self.below(a) for a in expr.args]
            return None if None in parts else reduce(lambda p, q: (p[0] * q[0], p[1] + q[1]), parts)
        if expr.is_Pow and (power := self.power(expr)) is not None:
            low = self.below(expr.base)
            part = low and (low if power > 0 else self.above(expr.base))
            if part is None:
                return None
            rate = power * part[1]
            return part[0] ** power, rate if power > 0 else -rate
        if expr.is_Add and (parts := self.positive_parts(expr)):
            return max(parts, key=lambda part: float(part[1].mid()))
        line = self.line(expr, -1)
        return (line[0], self.zero) if line and line[0] > 0 and line[1] >= 0 else None

    def positive_parts(self, expr):
        """Exponentials below some terms of a sum of which no term is negative."""
        parts = []
        for term in expr.args:
            if part := self.below(term):
                parts.append(part)
                continue
            line = self.line(term, -1)
            if not (line and line[0] >= 0 and line[1] >= 0):
                return None
        return parts

    def power(self, expr):
        """A constant exponent that is clearly not zero."""
        if not self.is_constant(expr.exp):
            return None
        power = self.constant(expr.exp)
        return power if power > 0 or power < 0 else None


def _plus(a, b):
    if len(a) < len(b):
        a, b = b, a
    return [x + y for x, y in zip(a, b)] + a[len(b):]


def _times(a, b):
    product = [arb(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def _both(p, q):
    return p[0] + q[0], p[1] + q[1]
