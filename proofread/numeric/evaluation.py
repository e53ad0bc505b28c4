"""The second opinion: SymPy expressions evaluated by mpmath, node by node.

SymPy's simplifier, its ``doit`` and its printers take no part here.
A derivative is a numerical derivative, an integral is a quadrature, a sum is a loop, a limit is
approached: a wrong symbolic result therefore meets an independent number.
"""

import itertools
from functools import cache, reduce
from operator import add, mul

import sympy as sp
from mpmath import mp, mpc, mpf
from sympy.core.function import AppliedUndef

from proofread.errors import CannotEvaluate, Unreal
from proofread.language.binders import Bracket, DrawsMean, MaxOver, Unless
from proofread.language.typed import Notation, unfold
from proofread.language.undefined_functions import orders

from .environment import Place, moved
from .linear_algebra import NODES as MATRIX_NODES
from .precision import DIGITS, same
from .quadrature import NODES as INTEGRAL_NODES
from .quadrature import are_nested

HUGE = mpf(10) ** 1000  #: its exponential does not fit in memory
MOST_SEQUENCES = 1000  #: of draws, over which a mean is taken
#: nodes that take so long that their values are worth remembering
_REMEMBERED = (sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.Function, sp.Pow, sp.Limit, MaxOver,
               Bracket, sp.MatMul, sp.MatPow, sp.Trace, sp.Determinant)
#: what mpmath raises where there is no value
NO_VALUE = (ArithmeticError, ValueError, TypeError, IndexError, mp.NoConvergence)


def _exp(x):
    """The exponential, 0 or infinite where the exact number would not fit in memory."""
    if abs(mp.re(x)) > HUGE:
        return mp.inf if mp.re(x) > 0 else mpf(0)
    return mp.exp(x)


_FUNCTIONS = {
    sp.exp: _exp, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan,
    sp.cot: mp.cot, sp.sec: mp.sec, sp.csc: mp.csc,
    sp.sinh: mp.sinh, sp.cosh: mp.cosh, sp.tanh: mp.tanh, sp.asinh: mp.asinh, sp.atanh: mp.atanh,
    sp.asin: mp.asin, sp.acos: mp.acos, sp.atan: mp.atan, sp.gamma: mp.gamma, sp.loggamma: mp.loggamma,
    sp.digamma: mp.digamma, sp.polygamma: mp.polygamma, sp.harmonic: mp.harmonic,
    sp.beta: mp.beta, sp.erf: mp.erf, sp.erfc: mp.erfc, sp.zeta: mp.zeta,
    sp.uppergamma: lambda a, x: mp.gammainc(a, x), sp.lowergamma: lambda a, x: mp.gammainc(a, 0, x),
    sp.expint: mp.expint, sp.LambertW: mp.lambertw, sp.factorial: mp.factorial, sp.binomial: mp.binomial,
    sp.Abs: abs, sp.sign: mp.sign, sp.floor: mp.floor, sp.ceiling: mp.ceil,
    sp.re: mp.re, sp.im: mp.im, sp.conjugate: mp.conj,
    sp.Heaviside: lambda x, at0=mpf(1) / 2: at0 if x == 0 else mpf(x > 0),
    sp.Max: max, sp.Min: min,
}
_RELATIONS = {
    sp.StrictLessThan: lambda a, b: a < b, sp.LessThan: lambda a, b: a <= b,
    sp.StrictGreaterThan: lambda a, b: a > b, sp.GreaterThan: lambda a, b: a >= b,
    sp.Equality: lambda a, b: a == b, sp.Unequality: lambda a, b: a != b,
}


def evaluate(expr, point, digits=DIGITS):
    """The value of ``expr`` at ``point``, right to ``digits`` digits, or `CannotEvaluate`.

    Parameters
    ----------
    expr : sympy.Expr
    point : dict
        Maps each free symbol, and each ``IndexedBase`` entry ``(base, (1, 2, ...))``, to a number, each
        ``MatrixSymbol`` to its rows, and each undefined function to a `Smooth`.
    digits : int
        The value is computed at two working precisions, and more if they disagree; it is returned
        when two successive ones agree to ``digits`` digits.

    Returns
    -------
    mpmath.mpf or mpmath.mpc

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x")
    >>> print(evaluate(sp.Derivative(sp.exp(2 * x), x), {x: 0}, digits=15))
    2.0
    """
    expr, point = sp.sympify(expr), point if isinstance(point, Place) else Place(point)
    # a value that shrinks as digits are added is a zero; numerical calculus reaches it only roughly
    integral = expr.has(sp.Integral)
    rough = integral or expr.has(sp.Limit, sp.Derivative)
    previous = None
    for working in (digits + (6 if integral else 15), digits + 25, 4 * digits + 30, 400, 450):
        with mp.workdps(working):
            try:
                value = mp.mpmathify(value_at(expr, point))
            except NO_VALUE as error:
                raise CannotEvaluate(f"{expr}: {error or type(error).__name__}") from error
            if mp.isnan(value):
                raise CannotEvaluate(f"{expr} is not a number at this point")
            if integral and mpf(10) ** -3 < abs(value) < mpf(10) ** 3:
                return value  # the quadrature has estimated its error, and no cancellation has enlarged it
            if value == 0 and previous is None and integral and are_nested(expr):
                return value  # the quadrature has found that everything cancels, and to ask again is dear
            if previous is not None:
                if value != 0 and same(value, previous, digits):
                    return value
                if max(abs(value), abs(previous)) < mpf(10) ** -(digits if rough else 200):
                    # what does not shrink is small and no zero
                    if working == 450 or rough and abs(value) <= abs(previous) * mpf(10) ** -8:
                        return mpf(0)
            previous = value
    raise CannotEvaluate(f"{expr}: no {digits} stable digits at this point")


def quick(expr, point, patient=True):
    """A value in moderate precision for telling wrong versions apart, or ``None``.

    An integral that does not settle with few digits is only tried with more if one is ``patient``.
    """
    expr, point = unfold(expr), point if isinstance(point, Place) else Place(point)
    # a quadrature with few digits is cheap, if it settles
    for digits in ((15, 25) if patient else (15,)) if expr.has(sp.Integral) else (25,):
        with mp.workdps(digits):
            try:
                value = mp.mpmathify(value_at(expr, point))
                return None if mp.isnan(value) else value
            except (CannotEvaluate, *NO_VALUE):
                continue
    return None


def _integer(expr, point):
    value = point.get(expr) if expr.is_Symbol else expr.p if expr.is_Integer else None
    if type(value) is int:  # nearly always
        return value
    value = value_at(expr, point)
    if value != int(mp.re(value)):
        raise CannotEvaluate(f"{expr} = {value} is used as an index or a bound and is not an integer")
    return int(mp.re(value))


def value_at(expr, point):
    """The value of one node at the current working precision."""
    if expr.is_Symbol:
        if expr not in point:
            raise CannotEvaluate(f"{expr} has no value")
        return mp.mpmathify(point[expr])
    if not isinstance(expr, _REMEMBERED) or not isinstance(point, Place):
        return _meaning(type(expr))(expr, point)
    key = point.key(expr, mp.prec)
    if key is None:
        return _meaning(type(expr))(expr, point)
    if key not in point.known:
        point.known[key] = _meaning(type(expr))(expr, point)
    return point.known[key]


@cache
def _meaning(kind):
    """How nodes of a class are evaluated: `_NODES` goes by inheritance, functions and relations by name."""
    if handler := next((h for base, h in _NODES.items() if issubclass(kind, base)), None):
        return handler
    if function := _FUNCTIONS.get(kind) or _RELATIONS.get(kind):
        return lambda expr, point: function(*(value_at(a, point) for a in expr.args))
    raise CannotEvaluate(f"no numerical meaning is known for {kind.__name__}")


def _entry(expr, point):
    key = expr.base, tuple(_integer(a, point) for a in expr.indices)
    if key not in point:
        raise CannotEvaluate(f"{expr} has no entry {key[1]}")
    return mp.mpmathify(point[key])


def _loop(combine, empty):
    """Sum, product and maximum over index ranges: plain loops, innermost limit first."""

    def handler(expr, point):
        def over(limits, point):
            if not limits:
                return value_at(expr.function, point)
            *inner, (index, low, high) = limits

            def term(k):
                return over(inner, moved(point, {index: k}))

            low = _integer(low, point)
            if mp.isinf(value_at(high, point)):
                if combine is not _add:
                    raise CannotEvaluate(f"infinite range in {expr}")
                return _series(term, low, expr)
            terms = map(term, range(low, _integer(high, point) + 1))
            return reduce(combine, terms, empty) if empty is not None else reduce(combine, terms)

        # of SymPy's limits the first is the innermost
        return over([tuple(limit) for limit in expr.limits], point)

    return handler


def _add(a, b):
    return a + b


def _series(term, low, expr):
    """The sum of infinitely many terms, by extrapolation, which finds a value where there is none."""
    early, late = (abs(term(low + k)) for k in (100, 10000))
    if late >= early > 0:
        raise CannotEvaluate(f"the terms of {expr} do not tend to zero")
    return mp.nsum(lambda k: term(int(k)), [low, mp.inf])


def _undefined(expr, point, orders=None):
    """An undefined function, or its partial derivative, at its arguments."""
    if expr.func not in point:
        raise CannotEvaluate(f"{expr.func} has no meaning")
    arguments = [value_at(a, point) for a in expr.args]
    return point[expr.func](arguments, orders or [0] * len(arguments), value_at)


def _derivative(expr, point):
    if (exact := orders(expr)) is not None:
        return _undefined(expr.expr, point, exact)
    if expr.has(AppliedUndef) and isinstance(expr.expr, (sp.Add, sp.Mul)):
        return _by_parts(expr, point)

    def differentiate(function, steps, point):
        if not steps:
            return value_at(function, point)
        (variable, order), *rest = steps
        key = variable if not isinstance(variable, sp.Indexed) else (
            variable.base, tuple(_integer(a, point) for a in variable.indices))
        place = mp.mpmathify(point[key])
        return mp.diff(lambda t: differentiate(function, rest, moved(point, {key: t})), place, int(order))

    return differentiate(expr.expr, [tuple(v) for v in expr.variable_count], point)


def _by_parts(expr, point):
    """Sum and product rule for the outermost derivative: of what is left, more is known exactly."""
    variable, *outer = [v for v, count in expr.variable_count for _ in range(int(count))]
    whole = expr.expr
    parts = []
    for position, part in enumerate(whole.args):
        others = [a for i, a in enumerate(whole.args) if i != position] if whole.is_Mul else []
        if part.has(variable) or not variable.is_Symbol:
            parts.append(sp.Mul(sp.Derivative(part, variable), *others))
    return value_at(sp.Derivative(sp.Add(*parts), *outer) if outer and parts else sp.Add(*parts), point)


def _limit(expr, point):
    """The value that a function approaches, from one side or from both."""
    function, variable, target, direction = expr.args
    if str(direction) == "+-" and target.is_finite is not False:
        left, right = (_limit(sp.Limit(function, variable, target, side), point) for side in "-+")
        if not same(left, right):
            raise CannotEvaluate(f"{expr}: the limits from the left and from the right differ")
        return right
    value = _settled(_on_the_way(expr, point, 0), expr)
    if variable.is_integer and not same(value, _settled(_on_the_way(expr, point, 1), expr)):
        raise CannotEvaluate(f"{expr}: even and odd numbers lead to different values")
    return value


def _on_the_way(expr, point, offset):
    """The values of a function along a geometric sequence that leads to the place of its limit.

    A whole number is even, or with an ``offset`` of 1 odd; another number that grows is never a whole one, so
    that no wave looks like a constant.
    """
    function, variable, target, direction = expr.args
    target = value_at(target, point)
    towards = 1 if str(direction) == "+" else -1
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
            values = [value_at(function, moved(point, {variable: place})) for place in places]
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


def _log(expr, point):
    """The logarithm, factor by factor where all are positive: a density may be too small for a number."""
    total = mpf(0)
    for factor in sp.Mul.make_args(expr.args[0]):
        exponential = isinstance(factor, sp.exp)
        value = value_at(factor.args[0] if exponential else factor, point)
        if mp.im(value) != 0 or not (exponential or value > 0):
            whole = value_at(expr.args[0], point)
            if mp.im(whole) == 0 and whole < 0:
                raise Unreal(f"{expr} is the logarithm of a negative number")
            return mp.log(whole)
        total += value if exponential else mp.log(value)
    return total


def _power(expr, point):
    base, exponent = value_at(expr.base, point), value_at(expr.exp, point)
    if mp.im(base) == 0 and base < 0 and mp.im(exponent) == 0 and exponent != int(exponent):
        raise Unreal(f"{expr} is a broken power of a negative number")
    return base**exponent


def _bracket(expr, point):
    (variable, low, high), = expr.limits

    def at(end, direction):
        if end.is_infinite:
            return _limit(sp.Limit(expr.function, variable, end, direction), point)
        return value_at(expr.function, moved(point, {variable: value_at(end, point)}))

    return at(high, "-") - at(low, "+")


def _unless(expr, point):
    function, neutral, index, left_out = expr.args
    return value_at(neutral if _integer(index, point) == _integer(left_out, point) else function, point)


def _piecewise(expr, point):
    for value, condition in expr.args:
        if value_at(condition, point):
            return value_at(value, point)
    raise CannotEvaluate(f"no branch of {expr} applies")


def _draws_mean(expr, point):
    """The mean over all sequences of draws, each with its probability."""
    (number, first, last), (variable, low, high) = expr.count, expr.values
    numbers = range(_integer(first, point), _integer(last, point) + 1)
    values = range(_integer(low, point), _integer(high, point) + 1)
    if len(values) ** len(numbers) > MOST_SEQUENCES:
        raise CannotEvaluate(f"{len(values)}^{len(numbers)} sequences of draws are too many")
    masses = {(k, v): value_at(expr.mass, moved(point, {number: k, variable: v}))
              for k in numbers for v in values}
    total = mpf(0)
    for drawn in itertools.product(values, repeat=len(numbers)):
        entries = {(expr.draws, (k,)): v for k, v in zip(numbers, drawn)}
        probability = mp.fprod(masses[pair] for pair in zip(numbers, drawn))
        total += probability * value_at(expr.function, moved(point, entries))
    return total


_NODES = {
    **{kind: (lambda expr, point, handler=handler: handler(expr, point, value_at))
       for kind, handler in {**MATRIX_NODES, **INTEGRAL_NODES}.items()},
    sp.Add: lambda expr, point: reduce(add, [value_at(a, point) for a in expr.args]),
    sp.Mul: lambda expr, point: reduce(mul, [value_at(a, point) for a in expr.args]),
    sp.Pow: _power,
    sp.Integer: lambda expr, point: mpf(expr.p),
    sp.Rational: lambda expr, point: mpf(expr.p) / expr.q,
    sp.Float: lambda expr, point: expr._to_mpmath(mp.prec + 10),
    sp.NumberSymbol: lambda expr, point: expr._to_mpmath(mp.prec + 10),
    type(sp.oo): lambda expr, point: mp.inf,
    type(-sp.oo): lambda expr, point: -mp.inf,
    type(sp.I): lambda expr, point: mpc(0, 1),
    type(sp.true): lambda expr, point: True,
    type(sp.false): lambda expr, point: False,
    Notation: lambda expr, point: value_at(unfold(expr), point),
    AppliedUndef: _undefined,
    Bracket: _bracket,
    sp.Indexed: _entry,
    MaxOver: _loop(max, None),
    DrawsMean: _draws_mean,
    Unless: _unless,
    sp.Sum: _loop(_add, mpf(0)),
    sp.Product: _loop(lambda a, b: a * b, mpf(1)),
    sp.Derivative: _derivative,
    sp.Limit: _limit,
    sp.log: _log,
    sp.Piecewise: _piecewise,
    sp.KroneckerDelta:
        lambda expr, point: mpf(_integer(expr.args[0], point) == _integer(expr.args[1], point)),
    sp.And: lambda expr, point: all(value_at(a, point) for a in expr.args),
    sp.Or: lambda expr, point: any(value_at(a, point) for a in expr.args),
    sp.Not: lambda expr, point: not value_at(expr.args[0], point),
    sp.Subs: lambda expr, point: value_at(
        expr.expr, moved(point, {v: value_at(p, point) for v, p in zip(expr.variables, expr.point)})),
}
