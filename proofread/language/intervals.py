"""What is positive, and what is smooth, inside of a range: conclusions that SymPy does not draw."""

import sympy as sp
from sympy.core.function import AppliedUndef

from .binders import MaxOver

#: what has derivatives of all orders on the whole line
SMOOTH = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.erfc)
#: what may have a kink or a jump, beyond which its derivative does not see
KINKS = (sp.Piecewise, sp.Heaviside, sp.sign, sp.floor, sp.ceiling, sp.Abs, sp.Max, sp.Min, MaxOver)


class Inside:
    """A variable between two ends, which are left out.

    Examples
    --------
    >>> x, a = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)
    >>> unit, line = Inside(x, 0, 1), Inside(x, -sp.oo, sp.oo)
    >>> unit.is_positive(1 - x**a), unit.is_positive(-sp.log(x)), unit.is_positive(1 - 2 * x)
    (True, True, False)
    >>> unit.is_smooth(sp.log(x)), line.is_smooth(1 / x), line.is_smooth(1 / (1 + x**2))
    (True, False, True)
    """

    def __init__(self, variable, low, high):
        low, high = sp.sympify(low), sp.sympify(high)
        sign = "positive" if low.is_nonnegative else "negative" if high.is_nonpositive else "real"
        self.variable = sp.Dummy(variable.name, **{sign: True})
        self._old, self._low, self._high = variable, low, high

    def _own(self, expr):
        return sp.sympify(expr).xreplace({self._old: self.variable})

    def is_positive(self, expr):
        """Whether it is seen that an expression is positive at every place inside."""
        return self._positive(self._own(expr))

    def is_smooth(self, expr):
        """Whether it is seen that an expression has a derivative at every place inside."""
        return self._smooth(self._own(expr))

    def _positive(self, expr):
        if expr.is_positive or expr.is_nonnegative and expr.is_nonzero:
            return bool(self._smooth(expr))  # what has a pole has no sign there
        if expr.is_Mul and expr.could_extract_minus_sign() and any(isinstance(f, sp.log) for f in expr.args):
            logs = [f for f in expr.args if isinstance(f, sp.log)]
            return len(logs) == 1 and self._positive(-expr / logs[0]) and self._below_one(logs[0].args[0])
        if expr.is_Mul:
            return all(map(self._positive, expr.args))
        if expr.is_Pow and expr.exp.is_real:
            return self._positive(expr.base)
        if expr.is_Add:
            return (all(map(self._positive, expr.args)) or self._below_one(1 - expr)
                    or any(d is not None and d.is_positive for d in self._beyond_ends(expr)))
        return False

    def _beyond_ends(self, expr):
        """What a distance from an end is a multiple of."""
        for end, sign in ((self._low, 1), (self._high, -1)):
            if not end.is_infinite:
                factor = sp.cancel(expr / (sign * (self.variable - end)))
                yield factor if self.variable not in factor.free_symbols else None

    def _below_one(self, expr):
        """Whether it is seen that an expression lies between 0 and 1."""
        if expr == self.variable:
            return self._low.is_nonnegative and self._high == 1
        if expr.is_number:
            return bool(expr > 0) and bool(expr < 1)
        if isinstance(expr, sp.exp):
            return bool(expr.args[0].is_real) and self._positive(-expr.args[0])
        if expr.is_Pow:
            return bool(expr.exp.is_positive) and self._below_one(expr.base)
        if expr.is_Mul:
            return all(map(self._below_one, expr.args))
        if expr.is_Add and expr.as_coeff_Add()[0] == 1:
            return self._below_one(sp.expand(1 - expr))
        return False

    def _smooth(self, expr):
        if self.variable not in expr.free_symbols:
            return True
        if expr.is_Symbol or isinstance(expr, (sp.Add, sp.Mul, *SMOOTH)):
            return all(map(self._smooth, expr.args))
        if isinstance(expr, AppliedUndef):
            return bool(expr.is_real) and all(map(self._smooth, expr.args))
        if expr.is_Pow:
            whole = expr.exp.is_Integer
            return (self._smooth(expr.base) and self._smooth(expr.exp)
                    and bool(whole and expr.exp.is_nonnegative or self._positive(expr.base)
                             or whole and self._positive(-expr.base)))
        return isinstance(expr, sp.log) and self._smooth(expr.args[0]) and self._positive(expr.args[0])
