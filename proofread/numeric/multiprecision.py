"""The arithmetic of mpmath: numbers of any precision, the second opinion.

SymPy's simplifier, its ``doit`` and its printers take no part here.
A derivative is a numerical derivative, an integral is a quadrature, a sum is a loop, a limit is
approached: a wrong symbolic result therefore meets an independent number.
"""

import itertools
from functools import lru_cache

import sympy as sp
from mpmath import mp, mpc, mpf
from sympy.core.function import AppliedUndef

from proofread.errors import CannotEvaluate, Unreal
from proofread.language.binders import Bracket, DrawsMean, MaxOver
from proofread.language.undefined_functions import orders

from . import linear_algebra
from .compiled import Arithmetic
from .integrals import quadrature
from .precision import DIGITS, same

HUGE = mpf(10) ** 1000  #: its exponential does not fit in memory
EXACT = 4096  #: bits: more than any working precision
MOST_SEQUENCES = 1000  #: of draws, over which a mean is taken


#: whole numbers as mpmath's, exact in any precision
_whole = lru_cache(1 << 12)(mp.mpf)


def _exp(x):
    """The exponential, 0 or infinite where the exact number would not fit in memory."""
    if abs(mp.re(x)) > HUGE:
        return mp.inf if mp.re(x) > 0 else mpf(0)
    return mp.exp(x)


def _power(base, exponent):
    whole = mp.isint(exponent)
    if not whole and mp.im(base) == 0 and base < 0 and mp.im(exponent) == 0:
        raise (Unreal if mp.isfinite(exponent) else CannotEvaluate)("a broken power of a negative number")
    return base ** (int(mp.re(exponent)) if whole else exponent)


def _sum(*terms):
    return terms[0] + terms[1] if len(terms) == 2 else mp.fsum(terms)


class Multiprecision(Arithmetic):
    """Expressions as functions of mpmath's numbers, in the working precision of the moment."""

    functions = {
        sp.exp: _exp, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan, sp.cot: mp.cot, sp.sec: mp.sec,
        sp.csc: mp.csc, sp.sinh: mp.sinh, sp.cosh: mp.cosh, sp.tanh: mp.tanh, sp.asinh: mp.asinh,
        sp.atanh: mp.atanh, sp.asin: mp.asin, sp.acos: mp.acos, sp.atan: mp.atan, sp.gamma: mp.gamma,
        sp.loggamma: mp.loggamma, sp.digamma: mp.digamma, sp.polygamma: mp.polygamma,
        sp.harmonic: mp.harmonic, sp.beta: mp.beta, sp.erf: mp.erf, sp.erfc: mp.erfc, sp.zeta: mp.zeta,
        sp.uppergamma: mp.gammainc, sp.lowergamma: lambda a, x: mp.gammainc(a, 0, x),
        sp.expint: mp.expint, sp.LambertW: mp.lambertw, sp.factorial: mp.factorial,
        sp.binomial: mp.binomial, sp.Abs: abs, sp.sign: mp.sign, sp.floor: mp.floor, sp.ceiling: mp.ceil,
        sp.re: mp.re, sp.im: mp.im, sp.conjugate: mp.conj, sp.Max: max, sp.Min: min,
        sp.Heaviside: lambda x, at0=mpf(1) / 2: at0 if x == 0 else mpf(x > 0),
        sp.Add: _sum, sp.Pow: _power,
    }
    dear = (sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.Function, sp.Pow, sp.Limit, MaxOver, Bracket,
            DrawsMean, sp.MatrixSymbol, sp.MatMul, sp.MatPow, sp.Trace, sp.Determinant)

    def state(self):
        return mp.prec

    def number(self, value):
        if type(value) is int or callable(value) or isinstance(value, (list, mp.matrix)):
            return value  # an index; a random function; a matrix
        with mp.workprec(EXACT):
            return mp.mpmathify(value)

    def constant(self, expr):
        return _whole(expr) if type(expr) is int else mpf(expr.p) / expr.q

    def rational(self, expr):
        if expr.is_Integer:
            whole = _whole(int(expr))
            return lambda environment: whole
        made = {}

        def rational(environment):
            if mp.prec not in made:
                made[mp.prec] = self.constant(expr)
            return made[mp.prec]

        return rational

    def whole(self, value, expr):
        if mp.im(value) != 0:
            raise CannotEvaluate(f"{expr} = {value} is used as an index or a bound and is not real")
        return super().whole(mp.re(value), expr)

    def _program(self, expr):
        try:
            return super()._program(expr)
        except CannotEvaluate as error:  # where it is not asked for, it need not have a value
            return _raises(error)

    # --- functions --------------------------------------------------------------------------------

    def logarithm(self, expr):
        """Factor by factor where all are positive: a density may be too small for a number."""
        inside, = expr.args
        whole = self.program(inside)
        factors = [(isinstance(f, sp.exp), self.program(f.args[0] if isinstance(f, sp.exp) else f))
                   for f in sp.Mul.make_args(inside)]

        def logarithm(environment):
            total = None
            for is_exponential, factor in factors:
                value = factor(environment)
                if mp.im(value) != 0 or not (is_exponential or value > 0):
                    return _log(whole(environment), expr)
                part = value if is_exponential else mp.log(value)
                total = part if total is None else total + part
            return total

        return logarithm

    def undefined(self, expr, orders=None):
        """An undefined function, or its partial derivative, at its arguments."""
        function, orders = expr.func, orders or [0] * len(expr.args)
        arguments = [self.program(a) for a in expr.args]
        return lambda environment: environment[function](
            [argument(environment) for argument in arguments], orders, self.value)

    # --- calculus ---------------------------------------------------------------------------------

    def series(self, expr):
        """The sum of infinitely many terms, by extrapolation, which finds a value where there is none."""
        if not isinstance(expr, sp.Sum):
            return self.unknown(expr)
        *inner, (index, low, _) = expr.limits
        function = self.program(expr.func(expr.function, *inner) if inner else expr.function)
        low = self.index(low)

        def series(environment):
            first = low(environment)
            with environment.moving(index) as move:
                def term(k):
                    move(int(k))
                    return function(environment)

                early, late = (abs(term(first + k)) for k in (100, 10000))
                if late >= early > 0:
                    raise CannotEvaluate(f"the terms of {expr} do not tend to zero")
                return mp.nsum(term, [first, mp.inf])

        return series

    def derivative(self, expr):
        if (exact := orders(expr)) is not None:
            return self.undefined(expr.expr, exact)
        if expr.has(AppliedUndef) and isinstance(expr.expr, (sp.Add, sp.Mul)):
            return self.program(_by_parts(expr))
        slope = self.program(expr.expr)
        for variable, order in reversed(expr.variable_count):
            slope = self._slope(slope, self.key(variable), self.index(order))
        return slope

    def _slope(self, function, key, order):
        def slope(environment):
            place, times = key(environment), order(environment)
            centre = mpf(environment[place])
            with environment.moving(place) as move:
                def along(t):
                    move(t)
                    return function(environment)

                return mp.diff(along, centre, times)

        return slope

    def limit(self, expr):
        """The value that a function approaches, from one side or from both."""
        function, variable, target, direction = expr.args
        if str(direction) == "+-" and target.is_finite is not False:
            left, right = (self.limit(sp.Limit(function, variable, target, side)) for side in "-+")
            return lambda environment: _alike(left(environment), right(environment), expr)
        function, end = self.program(function), self.program(target)
        towards = 1 if str(direction) == "+" else -1

        def along(offset, environment):
            values = _on_the_way(function, variable, end(environment), towards, offset, environment, expr)
            return _settled(values, expr)

        def limit(environment):
            value = along(0, environment)
            if variable.is_integer and not same(value, along(1, environment)):
                raise CannotEvaluate(f"{expr}: even and odd numbers lead to different values")
            return value

        return limit

    def bracket(self, expr):
        (variable, low, high), = expr.limits
        function = self.program(expr.function)

        def at(end, direction):
            if end.is_infinite:
                return self.limit(sp.Limit(expr.function, variable, end, direction))
            place = self.program(end)
            return lambda environment: environment.at({variable: place(environment)}, function)

        above, below = at(high, "-"), at(low, "+")
        return lambda environment: above(environment) - below(environment)

    def draws_mean(self, expr):
        """The mean over all sequences of draws, each with its probability."""
        (number, *numbers), (variable, *values) = expr.count, expr.values
        numbers, values = ([self.index(end) for end in ends] for ends in (numbers, values))
        mass, function = self.program(expr.mass), self.program(expr.function)

        def mean(environment):
            draws, drawn = (range(low(environment), high(environment) + 1) for low, high in (numbers, values))
            if len(drawn) ** len(draws) > MOST_SEQUENCES:
                raise CannotEvaluate(f"{len(drawn)}^{len(draws)} sequences of draws are too many")
            masses = {(k, v): environment.at({number: k, variable: v}, mass) for k in draws for v in drawn}
            total = mpf(0)
            with environment.moving(*((expr.draws, (k,)) for k in draws)) as move:
                for sequence in itertools.product(drawn, repeat=len(draws)):
                    move(*sequence)
                    probability = mp.fprod(masses[pair] for pair in zip(draws, sequence))
                    total += probability * function(environment)
            return total

        return mean


def _raises(error):
    def raises(environment):
        raise CannotEvaluate(str(error))

    return raises


def _plainly(value):
    return lambda self, expr: lambda environment: value


def _from_sympy(self, expr):
    return lambda environment: expr._to_mpmath(mp.prec + 10)


Multiprecision.nodes = {
    **linear_algebra.NODES,
    **quadrature.NODES,
    sp.Float: _from_sympy,
    sp.NumberSymbol: _from_sympy,
    type(sp.oo): _plainly(mp.inf),
    type(-sp.oo): _plainly(-mp.inf),
    type(sp.I): _plainly(mpc(0, 1)),
    sp.log: Multiprecision.logarithm,
    AppliedUndef: Multiprecision.undefined,
    sp.Derivative: Multiprecision.derivative,
    sp.Limit: Multiprecision.limit,
    Bracket: Multiprecision.bracket,
    DrawsMean: Multiprecision.draws_mean,
}

NUMBERS = Multiprecision()
value_at = NUMBERS.value


def _log(value, expr):
    if mp.im(value) == 0 and value < 0:
        raise Unreal(f"{expr} is the logarithm of a negative number")
    return mp.log(value)


def _by_parts(expr):
    """Sum and product rule for the outermost derivative: of what is left, more is known exactly."""
    variable, *outer = [v for v, count in expr.variable_count for _ in range(int(count))]
    whole = expr.expr
    parts = []
    for position, part in enumerate(whole.args):
        others = [a for i, a in enumerate(whole.args) if i != position] if whole.is_Mul else []
        if part.has(variable) or not variable.is_Symbol:
            parts.append(sp.Mul(sp.Derivative(part, variable), *others))
    return sp.Derivative(sp.Add(*parts), *outer) if outer and parts else sp.Add(*parts)


# --- limits -------------------------------------------------------------------------------------------


def _alike(left, right, expr):
    if not same(left, right):
        raise CannotEvaluate(f"{expr}: the limits from the left and from the right differ")
    return right


def _on_the_way(function, variable, target, towards, offset, environment, expr):
    """The values of a function along a geometric sequence that leads to the place of its limit.

    A whole number is even, or with an ``offset`` of 1 odd; another number that grows is never a whole one, so
    that no wave looks like a constant.
    """
    # algebraic approach needs to go far; where that overflows, exponential approach is there already
    paths = [[mpf(4) ** k for k in (40, 60, 80, 100)], [mpf(k) for k in (150, 300, 600, 1200)]]
    for path in paths:
        with mp.workdps(mp.dps + 600):
            factor = 1 + 1 / mp.pi
            if mp.isinf(target):
                beside = (lambda far: far + offset) if variable.is_integer else (lambda far: far * factor)
                places = [mp.sign(target) * beside(far) for far in path]
            else:
                places = [target + towards / far for far in path]
            values = [environment.at({variable: place}, function) for place in places]
        if not any(mp.isnan(v) or mp.isinf(v) for v in values):
            return values
    raise CannotEvaluate(f"{expr} is not a finite number on the way")


def _settled(values, expr):
    """Where a sequence of values leads to; the distances between them must shrink to nothing."""
    if all(abs(v) > mpf(10) ** 12 for v in values) and abs(values[-1]) > abs(values[0]):
        return mp.sign(values[-1]) * mp.inf
    gaps = [abs(a - b) for a, b in zip(values, values[1:])]
    size = max(abs(values[-1]), mpf(10) ** -10)
    least = size * mpf(10) ** -DIGITS
    if gaps[-1] > least or any(b > a + least for a, b in zip(gaps, gaps[1:])):
        raise CannotEvaluate(f"{expr} is approached too slowly to be told to {DIGITS} digits")
    # a value that is small and still shrinks is on its way to 0; one that is small and stays is the limit
    shrinks = abs(values[-1]) <= abs(values[-2]) * mpf(10) ** -2
    return mpf(0) if abs(values[-1]) < mpf(10) ** -DIGITS and shrinks else values[-1]
