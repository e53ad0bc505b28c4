"""The second opinion: SymPy expressions evaluated by mpmath, node by node.

SymPy's simplifier, its ``doit`` and its printers take no part here.
A derivative is a numerical derivative, an integral is a quadrature, a sum is a loop, a limit is
approached: a wrong symbolic result therefore meets an independent number.
"""

from functools import cache, reduce

import sympy as sp
from mpmath import mp, mpc, mpf
from sympy.core.function import AppliedUndef

from .errors import CannotEvaluate
from .functions import orders
from .matrices import NODES as MATRIX_NODES
from .notation import Bracket, MaxOver, Notation, Unless

DIGITS = 30  #: every comparison asks for this many significant digits



def _exp(x):
    """The exponential, 0 or infinite where the exact number would not fit in memory."""
    if abs(mp.re(x)) > mpf(10) ** 1000:
        return mp.inf if mp.re(x) > 0 else mpf(0)
    return mp.exp(x)


_FUNCTIONS = {
    sp.exp: _exp, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan,
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
    expr = sp.sympify(expr)
    # a value that vanishes or shrinks as digits are added is a zero; numerical calculus reaches it only roughly
    integral = expr.has(sp.Integral)
    rough = integral or expr.has(sp.Limit, sp.Derivative)
    previous = None
    for working in (digits + (6 if integral else 15), digits + 25, 4 * digits + 30, 400, 450):
        with mp.workdps(working):
            try:
                value = mp.mpmathify(_value(expr, point))
            except (ArithmeticError, ValueError, TypeError, mp.NoConvergence) as error:
                raise CannotEvaluate(f"{expr}: {error}") from error
            if mp.isnan(value):
                raise CannotEvaluate(f"{expr} is not a number at this point")
            if integral and mpf(10) ** -3 < abs(value) < mpf(10) ** 3:
                return value  # the quadrature has estimated its error, and no cancellation has enlarged it
            if previous is not None:
                if value != 0 and same(value, previous, digits):
                    return value
                if max(abs(value), abs(previous)) < mpf(10) ** -(digits if rough else 200):
                    if rough or working == 450:
                        return mpf(0)
            previous = value
    raise CannotEvaluate(f"{expr}: no {digits} stable digits at this point")


def same(a, b, digits=DIGITS):
    """Whether two numbers agree to ``digits`` significant digits (two infinities agree if equal)."""
    if mp.isinf(a) or mp.isinf(b):
        return a == b
    with mp.workdps(2 * digits + 30):
        return abs(a - b) <= max(abs(a), abs(b)) * mpf(10) ** -digits


def _integer(expr, point):
    value = _value(expr, point)
    if value != int(mp.re(value)):
        raise CannotEvaluate(f"{expr} = {value} is used as an index or a bound and is not an integer")
    return int(mp.re(value))


def _value(expr, point):
    """The value of one node at the current working precision."""
    if expr.is_Symbol:
        if expr not in point:
            raise CannotEvaluate(f"{expr} has no value")
        return mp.mpmathify(point[expr])
    return _meaning(type(expr))(expr, point)


@cache
def _meaning(kind):
    """How nodes of a class are evaluated: `_NODES` goes by inheritance, functions and relations by name."""
    if handler := next((h for base, h in _NODES.items() if issubclass(kind, base)), None):
        return handler
    if function := _FUNCTIONS.get(kind) or _RELATIONS.get(kind):
        return lambda expr, point: function(*(_value(a, point) for a in expr.args))
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
                return _value(expr.function, point)
            *inner, (index, low, high) = limits
            low, top = _integer(low, point), high
            high = _value(top, point)
            if mp.isinf(high):
                if combine is not _add:
                    raise CannotEvaluate(f"infinite range in {expr}")
                return mp.nsum(lambda k: over(inner, {**point, index: int(k)}), [low, mp.inf])
            terms = [over(inner, {**point, index: k}) for k in range(low, _integer(top, point) + 1)]
            return reduce(combine, terms, empty) if empty is not None else reduce(combine, terms)

        # of SymPy's limits the first is the innermost
        return over([tuple(limit) for limit in expr.limits], point)

    return handler


def _add(a, b):
    return a + b


def _integral(expr, point):
    def over(limits, point):
        if not limits:
            return _value(expr.function, point)
        *inner, limit = limits
        if len(limit) != 3:
            raise CannotEvaluate(f"{expr} is not a definite integral")
        variable, low, high = limit[0], _value(limit[1], point), _value(limit[2], point)
        # what is smooth up to both ends needs few nodes; tanh-sinh bears ends that are singular or infinite
        smooth = expr.has(AppliedUndef) and not mp.isinf(high - low)
        if expr.has(AppliedUndef) and -low == high == mp.inf:
            return _over_the_line(lambda t: over(inner, {**point, variable: t}), expr)
        rule, finest = ("gauss-legendre", 7) if smooth else ("tanh-sinh", 10)
        # a narrow peak lies at 0 or at a value named in the integrand: nodes crowd at the cuts
        marks = set() if smooth else {mpf(0)} | {_value(a, point) for a in _marks(expr.function, point)}
        cuts = [low, *sorted(c for c in marks if mp.im(c) == 0 and low < c < high), high]
        value, error = mp.quad(lambda t: over(inner, {**point, variable: t}), cuts, error=True, maxdegree=finest, method=rule)
        if error > abs(value) * mpf(10) ** -DIGITS and error > mpf(10) ** -DIGITS:
            raise CannotEvaluate(f"the quadrature of {expr} does not settle")
        return value

    return over(list(expr.limits), point)


def _over_the_line(function, expr):
    """The trapezoidal rule, which has no equal for smooth functions that die away as fast as a normal density."""
    reach = 32
    coarse = mp.fsum(function(mpf(k) / 2) for k in range(-reach, reach + 1)) / 2
    fine = (coarse + mp.fsum(function(mpf(2 * k + 1) / 4) for k in range(-reach, reach)) / 2) / 2
    # on a grid that is shifted by an irrational part of a step, no wave looks like another one
    moved = mp.fsum(function(mpf(k) / 4 + 1 / (4 * mp.pi)) for k in range(-2 * reach, 2 * reach)) / 4
    if max(abs(fine - coarse), abs(fine - moved)) > max(abs(fine), 1) * mpf(10) ** -min(DIGITS, mp.dps - 5):
        raise CannotEvaluate(f"the quadrature of {expr} does not settle")
    return fine


def _marks(function, point):
    """Scalar symbols and large numbers of an integrand: the places far from 0 where it may have a peak."""
    symbols = [a for a in function.atoms(sp.Symbol) if a in point and not a.is_integer]
    numbers = [a for a in function.atoms(sp.Rational) if abs(a) > 4]
    return sorted(symbols + numbers, key=str)[:6]


def _undefined(expr, point, orders=None):
    """An undefined function, or its partial derivative, at its arguments."""
    if expr.func not in point:
        raise CannotEvaluate(f"{expr.func} has no meaning")
    arguments = [_value(a, point) for a in expr.args]
    return point[expr.func](arguments, orders or [0] * len(arguments), _value)


def _derivative(expr, point):
    if (exact := orders(expr)) is not None:
        return _undefined(expr.expr, point, exact)
    if expr.has(AppliedUndef) and isinstance(expr.expr, (sp.Add, sp.Mul)):
        return _by_parts(expr, point)

    def differentiate(function, steps, point):
        if not steps:
            return _value(function, point)
        (variable, order), *rest = steps
        key = variable if not isinstance(variable, sp.Indexed) else (
            variable.base, tuple(_integer(a, point) for a in variable.indices))
        return mp.diff(lambda t: differentiate(function, rest, {**point, key: t}), mp.mpmathify(point[key]), int(order))

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
    return _value(sp.Derivative(sp.Add(*parts), *outer) if outer and parts else sp.Add(*parts), point)


def _limit(expr, point):
    """Approach the point along a geometric sequence; the distances to the value must shrink to nothing."""
    function, variable, target, direction = expr.args
    if str(direction) == "+-" and target.is_finite is not False:
        left, right = (_limit(sp.Limit(function, variable, target, side), point) for side in "-+")
        if not same(left, right):
            raise CannotEvaluate(f"{expr}: the limits from the left and from the right differ")
        return right
    target = _value(target, point)
    towards = 1 if str(direction) == "+" else -1

    # algebraic approach needs to go far; where that overflows, exponential approach is there already
    paths = [[mpf(4) ** k for k in (40, 60, 80, 100)], [mpf(k) for k in (150, 300, 600, 1200)]]
    for path in paths:
        with mp.workdps(mp.dps + 600):
            places = [mp.sign(target) * far if mp.isinf(target) else target + towards / far for far in path]
            values = [_value(function, {**point, variable: place}) for place in places]
        if not any(mp.isnan(v) or mp.isinf(v) for v in values):
            break
    else:
        raise CannotEvaluate(f"{expr} is not a finite number on the way")
    if all(abs(v) > mpf(10) ** 12 for v in values) and abs(values[-1]) > abs(values[0]):
        return mp.sign(values[-1]) * mp.inf
    gaps = [abs(a - b) for a, b in zip(values, values[1:])]
    size = max(abs(values[-1]), mpf(10) ** -10)
    if gaps[-1] > size * mpf(10) ** -DIGITS or any(b > a + size * mpf(10) ** -DIGITS for a, b in zip(gaps, gaps[1:])):
        raise CannotEvaluate(f"{expr} is approached too slowly to be told to {DIGITS} digits")
    # the limit itself, and not a value near it: what is left of the distance is below DIGITS digits
    return mpf(0) if abs(values[-1]) < mpf(10) ** -DIGITS else values[-1]


def _log(expr, point):
    """The logarithm, factor by factor where all are positive: a density may be too small for a number."""
    total = mpf(0)
    for factor in sp.Mul.make_args(expr.args[0]):
        exponential = isinstance(factor, sp.exp)
        value = _value(factor.args[0] if exponential else factor, point)
        if mp.im(value) != 0 or not (exponential or value > 0):
            return mp.log(_value(expr.args[0], point))
        total += value if exponential else mp.log(value)
    return total


def _bracket(expr, point):
    (variable, low, high), = expr.limits

    def at(end, direction):
        if end.is_infinite:
            return _limit(sp.Limit(expr.function, variable, end, direction), point)
        return _value(expr.function, {**point, variable: _value(end, point)})

    return at(high, "-") - at(low, "+")


def _unless(expr, point):
    function, neutral, index, left_out = expr.args
    return _value(neutral if _integer(index, point) == _integer(left_out, point) else function, point)


def _piecewise(expr, point):
    for value, condition in expr.args:
        if _value(condition, point):
            return _value(value, point)
    raise CannotEvaluate(f"no branch of {expr} applies")


_NODES = {
    **{kind: (lambda expr, point, handler=handler: handler(expr, point, _value)) for kind, handler in MATRIX_NODES.items()},
    sp.Add: lambda expr, point: mp.fsum(_value(a, point) for a in expr.args),
    sp.Mul: lambda expr, point: mp.fprod(_value(a, point) for a in expr.args),
    sp.Pow: lambda expr, point: _value(expr.base, point) ** _value(expr.exp, point),
    sp.Rational: lambda expr, point: mpf(int(expr.p)) / int(expr.q),
    sp.Float: lambda expr, point: expr._to_mpmath(mp.prec + 10),
    sp.NumberSymbol: lambda expr, point: expr._to_mpmath(mp.prec + 10),
    type(sp.oo): lambda expr, point: mp.inf,
    type(-sp.oo): lambda expr, point: -mp.inf,
    type(sp.I): lambda expr, point: mpc(0, 1),
    type(sp.true): lambda expr, point: True,
    type(sp.false): lambda expr, point: False,
    Notation: lambda expr, point: _value(expr.unfold(), point),
    AppliedUndef: _undefined,
    Bracket: _bracket,
    sp.Indexed: _entry,
    MaxOver: _loop(max, None),
    Unless: _unless,
    sp.Sum: _loop(_add, mpf(0)),
    sp.Product: _loop(lambda a, b: a * b, mpf(1)),
    sp.Integral: _integral,
    sp.Derivative: _derivative,
    sp.Limit: _limit,
    sp.log: _log,
    sp.Piecewise: _piecewise,
    sp.KroneckerDelta: lambda expr, point: mpf(_integer(expr.args[0], point) == _integer(expr.args[1], point)),
    sp.And: lambda expr, point: all(_value(a, point) for a in expr.args),
    sp.Or: lambda expr, point: any(_value(a, point) for a in expr.args),
    sp.Not: lambda expr, point: not _value(expr.args[0], point),
    sp.Subs: lambda expr, point: _value(
        expr.expr, {**point, **{v: _value(p, point) for v, p in zip(expr.variables, expr.point)}}),
}
