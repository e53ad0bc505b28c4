r"""Rules for absolute values, maxima of two numbers and indicators.

A maximum is written by an absolute value, :math:`\max(a,b)=\tfrac12(a+b+|a-b|)`, and from this positive
factors come out.  An indicator is a generator ``Above(x)``, which is 1 where :math:`x>0` and else 0; a
condition that compares indices is a delta.
"""

import sympy as sp

from proofread.any_size.context import Above
from proofread.any_size.normal_form import normal, opaque, rule
from proofread.any_size.positivity import is_positive
from proofread.any_size.rational_functions import by_deltas, canonical, factored, vanishes
from proofread.errors import NoRule

from .derivatives import DERIVATIVES
from .sums import delta


@rule(sp.Abs)
def _absolute(expr, case):
    if not case.sign(expr.args[0]):
        return _opaque(expr, case)
    return _magnitude(normal(expr.args[0], case), case)


@rule(sp.Max, sp.Min)
def _larger_or_smaller(expr, case):
    if len(expr.args) != 2 or not all(map(case.sign, expr.args)):
        return _opaque(expr, case)
    a, b = (normal(e, case) for e in expr.args)
    sign = 1 if isinstance(expr, sp.Max) else -1
    return (a + b + sign * _magnitude(a - b, case)) / 2


@rule(sp.Heaviside)
def _step(expr, case):
    form, at_zero = _real(expr.args[0], case), normal(expr.args[1], case)
    above, below = above_zero(form, case), above_zero(-form, case)
    return above + at_zero * (1 - above - below)


@rule(sp.sign)
def _sign(expr, case):
    form = _real(expr.args[0], case)
    return above_zero(form, case) - above_zero(-form, case)


@rule(Above)
def _above(expr, case):
    return above_zero(normal(expr.args[0], case), case)


@rule(sp.Piecewise)
def _pieces(expr, case):
    """From the last piece to the first: where a condition holds its value stands, else what follows."""
    if expr.args[-1].cond != sp.true:
        raise NoRule("pieces that do not cover everything")
    form = normal(expr.args[-1].expr, case)
    for value, condition in reversed(expr.args[:-1]):
        form += _where(normal(value, case) - form, condition, case)
    return form


def _opaque(expr, case):
    return opaque(expr.func(*(case.back(canonical(normal(a, case), case)) for a in expr.args)), case)


def _real(expr, case):
    if not case.sign(expr):
        raise NoRule(f"{expr} is not known to be real")
    return normal(expr, case)


# --- absolute values --------------------------------------------------------------------------------


def _magnitude(form, case):
    """The absolute value of a normal form that is real."""
    return by_deltas(form, case, lambda f: _magnitude_of_factors(f, case))


def _magnitude_of_factors(form, case):
    if vanishes(form, case):
        return sp.S.Zero
    scale, _, rest = _by_sign(form, case)
    for factor, power in rest:
        even = power.is_Integer and power % 2 == 0
        magnitude = factor if even else opaque(sp.Abs(_first_positive(factor, case)), case)
        scale *= magnitude**power
    return scale


def _by_sign(form, case):
    """The absolute value of the factors whose sign is known, their sign, and the other factors."""
    number, factors = factored(form)
    size, sign, rest = abs(number), sp.sign(number), []
    for factor, power in factors:
        base, inner = factor.as_base_exp()
        if is_positive(factor, case):
            size *= factor**power
        elif is_positive(-factor, case) and power.is_Integer:
            size, sign = size * (-factor) ** power, sign * sp.Integer(-1) ** power
        elif not (inner.is_Integer and power.is_Integer):
            raise NoRule("a root of what may be negative")
        elif base.is_nonnegative:
            size *= factor**power
        else:
            rest.append((base, inner * power))
    return size, sign, rest


def _first_positive(factor, case):
    """A factor, with what it stands for, or its negative: one of both for each pair."""
    return max((case.back(canonical(sign * factor, case)) for sign in (1, -1)), key=_order)


def _order(content):
    first = min(sp.Add.make_args(content), key=lambda a: str(a.as_coeff_Mul()[1]))
    return bool(first.as_coeff_Mul()[0] > 0)


# --- indicators -------------------------------------------------------------------------------------


def above_zero(form, case):
    """1 where a real normal form is positive, and else 0."""
    def indicator(f):
        if vanishes(f, case):
            return sp.S.Zero
        _, sign, rest = _by_sign(f, case)
        odd = [factor for factor, power in rest if power % 2]
        if len(odd) != len(rest):
            raise NoRule("the sign of a square, which may be 0")
        if not rest:
            # a factor that is not negative may be 0: only a positive form has an indicator that is known
            if is_positive(f, case):
                return sp.S.One
            if is_positive(-f, case):
                return sp.S.Zero
            raise NoRule("a sign that may be 0")
        if any(g.is_nonnegative and not g.is_positive for g, _ in factored(f)[1]):
            raise NoRule("a factor that may be 0")
        return case.generator(Above(case.back(canonical(sign * sp.Mul(*odd), case))))

    return by_deltas(form, case, indicator)


def _where(form, condition, case):
    """A normal form times the indicator of a condition."""
    if isinstance(condition, (sp.Eq, sp.Ne)):
        a, b = condition.args
        if not (a.is_integer and b.is_integer and (a - b).free_symbols <= _indices(case)):
            raise NoRule(f"no indicator of {condition}")
        same = delta(a, b, case)
        return form * (same if isinstance(condition, sp.Eq) else 1 - same)
    if isinstance(condition, (sp.StrictGreaterThan, sp.StrictLessThan)):
        return _times_indicator(form, _real(condition.gts, case) - _real(condition.lts, case), case)
    if isinstance(condition, (sp.GreaterThan, sp.LessThan)):
        return form - _times_indicator(form, _real(condition.lts, case) - _real(condition.gts, case), case)
    raise NoRule(f"no indicator of {condition}")


def _indices(case):
    return case.free | set(case.ranges) | case.sizes


def _times_indicator(form, gap, case):
    r"""A form where a gap is positive, else 0; where it holds the gap, :math:`x\,[x>0]=\tfrac12(x+|x|)`."""
    if vanishes(form, case) or vanishes(gap, case):
        return sp.S.Zero
    factors = factored(gap)[1]
    if len(factors) == 1 and factors[0][1] == 1:
        factor, _ = factors[0]
        left = dict(factored(form / gap)[1])
        if all(left.get(sign * factor, 0) >= 0 for sign in (1, -1)):
            return form / gap * (gap + _magnitude(gap, case)) / 2
    return form * above_zero(gap, case)


def _slope_of_pieces(e, d):
    raise NoRule("a derivative of pieces")


DERIVATIVES |= {
    sp.Abs: lambda e, d: sp.sign(e.args[0]) * d(e.args[0]),
    sp.Piecewise: _slope_of_pieces,
}
