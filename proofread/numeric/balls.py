"""The arithmetic of balls: numbers with a proved error bound, by Arb, which python-flint computes with.

Every operation encloses what it rounds, an integral what its quadrature leaves out, a derivative is that of a
power series.  An expression with a part that is unknown here has no ball, and is evaluated otherwise; so is
every expression where python-flint cannot be had, as in a browser.
"""

import math
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add

import sympy as sp
from mpmath import mp, mpf
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from proofread.budget import Carried, carrying, forgets
from proofread.errors import CannotEvaluate
from proofread.language.binders import Bracket, MaxOver, bound_symbols

from .compiled import Arithmetic
from .environment import Point
from .integrals.tails import beyond

try:
    import flint
    from flint import acb, acb_series, arb, arb_series, fmpq
except ImportError:
    flint = None

LARGEST = 0 if flint is None else arb(2) ** 4096
BITS = math.log2(10)  #: for each digit
GUARD = 32  #: bits
MOST_EVALUATIONS = 20_000  #: of an integrand
MOST_PROGRAMS = 1 << 12
VANISHING = 700  #: bits after the point: what is seen to have none of them is taken for zero
FARTHEST = 2**16  #: beyond which a tail is not bounded


class Proved(mp.mpf):
    """A number that is known to lie within its last digits of the true value; 0, very close to it."""


class NoBall(Exception):
    """An expression has no ball, or none that is small enough."""


#: what python-flint raises where an operation is not known or has no value
_NO_BALL = (NoBall, CannotEvaluate, ArithmeticError, AttributeError, KeyError, NotImplementedError, TypeError,
            ValueError)


def enclosed(expr, point, digits):
    """The value of ``expr`` at ``point``, proved to ``digits`` digits, or ``None`` if there is no proof.

    Parameters
    ----------
    expr : sympy.Expr
    point : dict
        As in `evaluate`.
    digits : int

    Examples
    --------
    >>> x = sp.Symbol("x", real=True)
    >>> area = enclosed(sp.Integral(sp.exp(-x**2), (x, -sp.oo, sp.oo)), {}, 15)
    >>> print(area, type(area).__name__)
    1.77245385090552 Proved
    >>> enclosed(sp.Integral(1 / x, (x, -1, 1)), {}, 15) is None
    True
    """
    if flint is None or not isinstance(expr, sp.Expr) or (program := _program(expr)) is None:
        return None
    before = flint.ctx.prec
    goal = int((digits + 2) * BITS)
    rough = expr.has(sp.Integral)
    try:
        environment = (point if isinstance(point, Point) else Point(point)).environment(BALLS.number)
        for aim in (goal, 2 * goal, 4 * goal if rough else VANISHING):
            flint.ctx.prec = aim + GUARD
            ball = _finite(program(environment))
            if ball.rel_accuracy_bits() >= goal or ball == 0:
                return _number(ball)
        if ball.contains(0) and abs(ball) < arb(2) ** -(3 * goal if rough else VANISHING - GUARD):
            return _number(arb(0))
    except _NO_BALL:
        pass
    finally:
        flint.ctx.prec = before
    return None


@forgets
@lru_cache(MOST_PROGRAMS)
def _program(expr):
    try:
        return BALLS.program(expr)
    except _NO_BALL:
        return None


def _finite(ball):
    if not isinstance(ball, arb) or not ball.is_finite():
        raise NoBall
    return ball


def _number(ball):
    mantissa, exponent = ball.mid().man_exp()
    number = object.__new__(Proved)
    with mp.workprec(flint.ctx.prec + GUARD):
        number._mpf_ = mp.ldexp(mpf(int(mantissa)), int(exponent))._mpf_
    return number


class Balls(Arithmetic):
    """Expressions as functions of balls, in the precision of `flint.ctx`.

    Arb asks for an integrand on balls around pieces of a path: there it must be analytic, or the value no
    number.  What has a branch cut is told so, by the environment's ``analytic``.
    """

    dear = (sp.Sum, sp.Product, MaxOver, sp.Derivative, sp.Integral, sp.Function, sp.Pow)

    def state(self):
        return flint.ctx.prec, flint.ctx.cap

    def number(self, value):
        if type(value) is int:
            return value
        if isinstance(value, Fraction):
            return fmpq(value.numerator, value.denominator)
        if isinstance(value, mp.mpf):
            sign, mantissa, exponent, _ = value._mpf_
            if not mantissa and exponent:  # infinite, or no number
                raise NoBall
            return arb((-int(mantissa) if sign else int(mantissa), int(exponent)))
        if isinstance(value, sp.Rational):
            return int(value) if value.q == 1 else fmpq(int(value.p), int(value.q))
        raise NoBall

    def constant(self, expr):
        return arb(fmpq(int(expr.p), int(expr.q)) if isinstance(expr, sp.Rational) else expr)

    def whole(self, value, expr):
        raise NoBall  # it is not certain

    def unknown(self, expr):
        raise NoBall

    def symbol(self, expr):
        key = self.key(expr)

        def symbol(environment):
            value = environment[key(environment)]
            return arb(value) if type(value) in (int, fmpq) else value

        return symbol

    def called(self, kind, arguments):
        function, programs = self.functions[kind], [self.program(a) for a in arguments]
        return lambda environment: function(*[program(environment) for program in programs],
                                            environment.analytic)

    # --- powers and logarithms --------------------------------------------------------------------

    def power(self, expr):
        base, exponent = self.program(expr.base), expr.exp
        if exponent.is_Integer:
            whole = int(exponent)
            if whole >= 0:
                return lambda environment: base(environment) ** whole
            return lambda environment: 1 / base(environment) ** -whole
        if exponent == sp.S.Half:
            return lambda environment: _root(base(environment), environment.analytic)
        power, exponential = self.program(exponent), self.functions[sp.exp]

        def general(environment):
            exponent = power(environment) * _log(base(environment), environment.analytic)
            return exponential(exponent, environment.analytic)

        return general

    def logarithm(self, expr):
        """Factor by factor, where all are positive; the logarithm of an exponential has no branch cut."""
        factors = [(isinstance(f, sp.exp), self.program(f.args[0] if isinstance(f, sp.exp) else f))
                   for f in sp.Mul.make_args(expr.args[0])]

        def logarithm(environment):
            parts = [factor(environment) if is_exponential
                     else _log(factor(environment), environment.analytic)
                     for is_exponential, factor in factors]
            return reduce(lambda a, b: a + b, parts)

        return logarithm

    # --- calculus ---------------------------------------------------------------------------------

    def derivative(self, expr):
        """From the power series of the function, cut off after the term that is asked for."""
        if len(expr.variable_count) != 1 or expr.expr.has(AppliedUndef, sp.Integral, sp.Derivative):
            raise NoBall
        (variable, order), = expr.variable_count
        if not order.is_Integer:
            raise NoBall
        order, key, function = int(order), self.key(variable), self.program(expr.expr)

        def derivative(environment):
            place, cap = key(environment), flint.ctx.cap
            centre = environment[place]
            if not isinstance(centre, (acb, arb, fmpq)):
                raise NoBall
            with environment.moving(place) as move:
                flint.ctx.cap = order + 1
                try:
                    move((arb_series if environment.analytic is None else acb_series)([centre, 1]))
                    series = function(environment)
                    return series[order] * math.factorial(order) if _is_series(series) else arb(0)
                finally:
                    flint.ctx.cap = cap

        return derivative

    def integral(self, expr):
        """A quadrature whose error Arb bounds; what is left beyond the ends is bounded too.

        Where an end is singular, or the integrand dies away as a power only, places are powers of e.
        """
        if len(expr.limits) != 1 or len(expr.limits[0]) != 3:
            raise NoBall
        (variable, *ends), = expr.limits
        if ends[0] is sp.oo or ends[1] is -sp.oo:
            raise NoBall
        straight, pieces = self._straight(expr.function, variable, *ends), []
        finite = {name: self.program(end) for name, end in zip((LOW, HIGH), ends) if not end.is_number}

        def integral(environment):
            if environment.analytic is not None:  # within another one
                raise NoBall
            try:
                return straight(environment)
            except NoBall:
                pieces[:] = pieces or [self._piece(expr, *piece) for piece in _stretched(*ends)]
                known = {name: end(environment) for name, end in finite.items()}
                return environment.at(known, lambda at: reduce(add, [piece(at) for piece in pieces]))

        return integral

    def _piece(self, expr, place, low, high):
        """A piece of an integral, at places that are functions of `STRETCHED`."""
        variable = expr.limits[0][0]
        if any(variable in (*bound_symbols(part), *getattr(part, "variables", ()))
               for part in sp.preorder_traversal(expr.function)):
            raise NoBall  # it has no place that could be put in
        function = expr.function.xreplace({variable: place}) * sp.exp(STRETCHED)
        return self._straight(function, STRETCHED, low, high)

    def _straight(self, integrand, variable, *ends):
        function, known = self.program(integrand), _differentiated(integrand)
        finite = [None if end.is_infinite else self.program(end) for end in ends]

        def straight(environment):
            tails, (low, high) = arb(0), (end and end(environment) for end in finite)
            if low is None:
                low, tail = self._cut(known, variable, -1, environment, high)
                tails += arb(0, tail)
            if high is None:
                high, tail = self._cut(known, variable, 1, environment, low)
                tails += arb(0, tail)
            value = _quadrature(function, variable, low, high, environment)
            if not value.imag.contains(0):
                raise NoBall
            return value.real + tails

        return straight

    def _cut(self, function, variable, sign, environment, other):
        """Where an integral to infinity is cut off, and a bound of what lies beyond."""
        def constant(expr):
            return _finite(self.program(expr)(environment))

        place, least = arb(8), _tolerance()
        while place < FARTHEST:
            end = sign * place
            if other is None or sign * (end - other) > 1:
                tail = beyond(function, variable, sign, place, constant)
                if tail is not None and tail < least:
                    return end, tail.upper()
            place *= 2
        raise NoBall

    def bracket(self, expr):
        (variable, *ends), = expr.limits
        if any(end.is_infinite for end in ends):
            raise NoBall
        function, (low, high) = self.program(expr.function), map(self.program, ends)

        def gain(environment):
            above, below = (environment.at({variable: end(environment)}, function) for end in (high, low))
            return above - below

        return gain


#: the logarithm of a distance; the ends from which it is measured, by names that no derivative is taken by
STRETCHED, LOW, HIGH = (sp.Dummy(name, real=True) for name in ("u", "low", "high"))


def _stretched(low, high):
    """The pieces of a range, each as a place that is a function of `STRETCHED`, and the ends of that."""
    way = sp.exp(STRETCHED)
    low, high = (end if end.is_number else name for end, name in ((low, LOW), (high, HIGH)))
    if low.is_infinite and high.is_infinite:
        return (way, -sp.oo, sp.oo), (-way, -sp.oo, sp.oo)
    if high.is_infinite:
        return ((low + way, -sp.oo, sp.oo),)
    if low.is_infinite:
        return ((high - way, -sp.oo, sp.oo),)
    half = sp.log((high - low) / 2)
    return (low + way, -sp.oo, half), (high - way, -sp.oo, half)


def _differentiated(function):
    """With SymPy's derivatives, of which a bound is known: that of what is left out, and of nothing else."""
    return function.xreplace({part: part.expr.diff(*part.variable_count)
                              for part in function.atoms(sp.Derivative)})


def _is_series(ball):
    return isinstance(ball, (acb_series, arb_series))


def _tolerance():
    return arb(2) ** -(flint.ctx.prec - GUARD // 2)


def _quadrature(function, variable, low, high, environment):
    with environment.moving(variable) as move:
        def integrand(x, analytic):
            move(x)
            environment.analytic = analytic
            try:
                return acb(function(environment))
            except (ArithmeticError, ValueError):
                return acb("nan")

        try:
            if not all(integrand(acb(end), False).is_finite() for end in (low, high)):
                raise NoBall  # singular at an end: to approach it never comes to an end
            return acb.integral(carrying(integrand), acb(low), acb(high), rel_tol=_tolerance(),
                                abs_tol=_tolerance(), eval_limit=MOST_EVALUATIONS)
        except Carried as error:
            raise error.args[0] from None
        finally:
            environment.analytic = None


# --- functions ----------------------------------------------------------------------------------------


def _root(x, analytic):
    if isinstance(x, acb):
        return x.sqrt(analytic=analytic)
    _refuse_cut(x, analytic, _is_right)
    return x.sqrt()


def _log(x, analytic):
    if isinstance(x, acb):
        return x.log(analytic=analytic)
    if isinstance(x, arb) and not x > 0:
        raise NoBall
    _refuse_cut(x, analytic, _is_right)
    return x.log()


def _centre(x):
    return x[0] if _is_series(x) else x


def _refuse_cut(x, analytic, is_inside):
    """Where a function has branch cuts, it is taken for analytic only on a ball that is clearly off them."""
    if analytic and isinstance(centre := _centre(x), acb) and not is_inside(centre):
        raise ArithmeticError("a branch cut")


def _whole_function(name):
    """A function that is analytic, or no number, wherever a ball has a value."""
    def function(x, analytic):
        centre = _centre(x)
        if not centre.abs_upper() < LARGEST:  # to reduce it by multiples of pi or log 2 would fill the memory
            raise ArithmeticError("too large") if isinstance(centre, acb) else NoBall
        return getattr(x, name)()

    return function


def _cut_function(name, is_inside):
    """A function with branch cuts."""
    def function(x, analytic):
        _refuse_cut(x, analytic, is_inside)
        return getattr(x, name)()

    return function


def _of_real(name, real):
    """A function of a real variable with kinks, continued to either side of them."""
    def function(*arguments):
        *balls, analytic = arguments
        if any(map(_is_series, balls)):
            raise NoBall
        if any(isinstance(x, acb) for x in balls):
            first, *others = map(acb, balls)
            return getattr(first, name)(*others, analytic=analytic)
        return real(*balls)

    return function


def _all(function):
    """A function of two numbers as one of several."""
    def every(first, *others):
        *others, analytic = others
        return reduce(lambda a, b: function(a, b, analytic), others, first)

    return every


def _refuse(self, expr):
    raise NoBall


def _is_right(x):
    return x.real > 0


def _is_thin(x):
    return abs(x.imag) < 1


def _is_in_the_middle(x):
    return abs(x.real) < 1


def _larger(x, y):
    return x.max(y)


if flint is not None:
    _CONSTANTS = {sp.pi: arb.pi, sp.E: arb.const_e, sp.EulerGamma: arb.const_euler,
                  sp.Catalan: arb.const_catalan}
    Balls.functions = {
        **{getattr(sp, name): _whole_function(name) for name in (
            "exp", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "gamma", "digamma",
            "erf", "erfc")},
        sp.loggamma: _cut_function("lgamma", _is_right),
        sp.atan: _cut_function("atan", _is_thin),
        sp.asinh: _cut_function("asinh", _is_thin),
        sp.asin: _cut_function("asin", _is_in_the_middle),
        sp.acos: _cut_function("acos", _is_in_the_middle),
        sp.atanh: _cut_function("atanh", _is_in_the_middle),
        sp.factorial: lambda x, analytic: (x + 1).gamma(),
        sp.beta: lambda x, y, analytic: x.gamma() * y.gamma() * (x + y).rgamma(),
        sp.Abs: _of_real("real_abs", abs),
        sp.Max: _all(_of_real("real_max", _larger)),
        sp.Min: _all(_of_real("real_min", lambda x, y: x.min(y))),
    }
    Balls.nodes = {
        sp.Symbol: Balls.symbol,
        sp.Indexed: Balls.symbol,
        sp.Pow: Balls.power,
        sp.log: Balls.logarithm,
        MaxOver: lambda self, expr: self.loop(expr, _larger, None),
        sp.Derivative: Balls.derivative,
        sp.Integral: Balls.integral,
        Bracket: Balls.bracket,
        sp.NumberSymbol: lambda self, expr: (lambda number: lambda environment: number())(_CONSTANTS[expr]),
        sp.Piecewise: _refuse,  # whether a ball meets a condition is not certain
        Boolean: _refuse,
    }

BALLS = Balls()
