"""Integrals as numbers: where an integrand has its peaks, a rule that suits its ends, and its error.

The arithmetic that makes functions of integrands is handed over, as for matrices.
"""

from functools import cache
from importlib import import_module

import sympy as sp
from mpmath import mp, mpf
from sympy.core.function import AppliedUndef

from proofread.errors import CannotEvaluate
from proofread.language.binders import Bracket
from proofread.language.intervals import KINKS

from ..precision import DIGITS
from .double_exponential import integrate

MORE_DIGITS = 4  #: times as many where an end is singular
GROWTH = mpf(6) / 5  #: by which a singular integrand grows on its way to its end
FEW_DIGITS = 15  #: so many, and doubles are enough


def _accepted():
    """The error, relative to the larger of 1 and the value, that a quadrature may have at this precision."""
    return mpf(10) ** -min(DIGITS + 3, mp.dps - 3)


def _integral(arithmetic, expr):
    """The integral over one variable after the other; of SymPy's limits the first is the innermost."""
    if any(len(limit) != 3 for limit in expr.limits):
        raise CannotEvaluate(f"{expr} is not a definite integral")
    *inner, (variable, *ends) = expr.limits
    function = sp.Integral(expr.function, *inner) if inner else expr.function
    low, high = map(arithmetic.program, ends)
    integrand = arithmetic.program(function)
    is_nested = _is_nested(expr)

    def integral(environment):
        ends = low(environment), high(environment)
        with environment.moving(variable) as move:
            def along(place):
                move(place)
                return integrand(environment)

            if environment.accepted or is_nested:
                return _one_in_another(along, *ends, environment, expr)
            return _over(along, variable, *ends, environment, arithmetic, expr)

    return integral


def _one_in_another(along, low, high, environment, expr):
    """One of several integrals, by rules that need few nodes for each, and to the same digits."""
    before = environment.accepted
    environment.accepted = before or _accepted()
    try:
        return integrate(along, low, high, environment.accepted, expr)
    finally:
        environment.accepted = before


def _over(along, variable, low, high, environment, arithmetic, expr):
    """An integral over one variable, by the rule that suits its integrand."""
    waves = expr.has(AppliedUndef)  # random functions, which are smooth
    doubles = _in_doubles() if mp.dps <= FEW_DIGITS and len(expr.limits) == 1 else None
    quickly = doubles and doubles.at_nodes(expr.function, variable)
    if waves and quickly:
        return doubles.integral(quickly, [low, high], environment)
    if waves and -low == high == mp.inf:
        return _over_the_line(along, expr)
    smooth = waves and not mp.isinf(high - low)
    peaks = [] if smooth else _peaks(expr, low, high, environment, arithmetic)
    cuts = _cuts(expr, low, high, peaks, environment)
    if quickly and not waves:
        return doubles.integral(quickly, cuts, environment)
    return _in_pieces(along, cuts, expr, smooth)


@cache
def _in_doubles():
    """The quadrature at all nodes at once, if NumPy and SciPy can be had: mpmath does the same, slowly."""
    try:
        return import_module("proofread.numeric.float64")
    except ImportError:
        return None


def are_nested(*exprs):
    """Whether there are integrals within integrals somewhere.

    Examples
    --------
    >>> x, y = sp.symbols("x y")
    >>> inner = sp.Integral(x * y, (x, 0, y))
    >>> are_nested(inner, inner + 1), are_nested(sp.Integral(inner**2, (y, 0, 1)))
    (False, True)
    """
    return any(len(i.limits) > 1 or i.function.has(sp.Integral)
               for e in exprs for i in e.atoms(sp.Integral))


def _is_nested(expr):
    """Whether an integral holds further ones, and its integrand is smooth and known."""
    return are_nested(expr) and not expr.has(*KINKS, AppliedUndef, Bracket, sp.Derivative)


def _cuts(expr, low, high, peaks, environment):
    """Both ends and what lies between them: the peaks of the integrand, and where it may have a kink."""
    inside = peaks or [mpf(0)]
    if expr.has(*KINKS):  # it is taken to be smooth between 0 and the symbols
        known = (s for s in expr.free_symbols if s.is_Symbol and not s.is_integer and environment.has(s))
        inside = {*peaks, mpf(0), *(environment[s] for s in known)}
    inside = [c for c in inside if min(low, high) < c < max(low, high)]
    return sorted([low, high, *inside], reverse=low > high)


def _in_pieces(function, cuts, expr, smooth):
    """The integral from cut to cut, if its error is small enough.

    What is smooth up to both ends needs few nodes, those of Gauss and Legendre; tanh-sinh bears ends that are
    singular or infinite, and its nodes crowd at the cuts.
    """
    if not smooth and any(_lost_at(function, ends) > _accepted() for ends in zip(cuts, cuts[1:])):
        accepted = _accepted()
        with mp.workdps(MORE_DIGITS * mp.dps):
            return mp.fsum(integrate(function, *ends, accepted, expr) for ends in zip(cuts, cuts[1:]))
    rule, finest = ("gauss-legendre", 7) if smooth else ("tanh-sinh", 10 if mp.dps > DIGITS else 7)
    pieces = [mp.quad(function, ends, error=True, maxdegree=finest, method=rule)
              for ends in zip(cuts, cuts[1:])]
    total = mp.fsum(value for value, _ in pieces)
    # pieces that cancel leave their roundoff; an error of 1 stands for any larger one in mpmath
    error = mp.fsum(error + abs(value) * mpf(10) ** -mp.dps for value, error in pieces)
    if not (error <= max(abs(total), 1) * _accepted() and all(error < 1 for _, error in pieces)):
        raise CannotEvaluate(f"the quadrature of {expr} does not settle")
    return total


def _lost_at(function, ends):
    """What a singular end may hide: about the integral up to the nearest place that has digits of its own."""
    low, high = ends
    if mp.isinf(low) or mp.isinf(high):
        length, finite = mpf(1), [e for e in ends if not mp.isinf(e)]
    else:
        length, finite = high - low, ends
    lost = mpf(0)
    for end in finite:
        beside = length * mp.eps * 4
        try:
            near, farther = (abs(function(end + way if end == low else end - way))
                             for way in (beside, 1000 * beside))
            lost += near * beside if near > farther * GROWTH else 0  # a narrow peak is not singular
        except ZeroDivisionError:
            return mp.inf
    return lost


# where a quadrature looks for peaks: places that crowd at finite ends and reach far where there is none
_STEPS = [mp.pi / 2 * mp.sinh(mpf(k) / 4) for k in range(-17, 18)]


def _places(low, high):
    if mp.isinf(low) and mp.isinf(high):
        return [mp.sinh(u) for u in _STEPS]
    if mp.isinf(low) or mp.isinf(high):
        return [low + mp.exp(u) if mp.isinf(high) else high - mp.exp(-u) for u in _STEPS]
    return [low + (high - low) / (1 + mp.exp(-2 * u)) for u in _STEPS]


def _peaks(expr, low, high, environment, arithmetic):
    """Where a term of an integrand has a local maximum of its absolute value, a pole included.

    A peak may be so narrow that every node misses it.  But its logarithm is wide, and can be climbed from
    afar.
    """
    *inner, variable = (limit[0] for limit in expr.limits)
    places = _places(min(low, high), max(low, high))
    # to find the peaks of an outer integral, the variables of inner ones stand anywhere
    anywhere, found = {name: 1 / mp.pi for name in inner}, []
    for term, at in _terms(expr.function, variable, anywhere, environment, arithmetic):
        ready = arithmetic.program(term)
        with environment.moving(variable, *at) as move:
            def height(x):
                move(x, *at.values())
                try:
                    size = abs(ready(environment))
                except ZeroDivisionError:
                    return mp.inf
                return mp.log(size) if size else -mp.inf

            heights = [height(x) for x in places]
            if term.has(*KINKS) and all(h == -mp.inf for h in heights):
                raise CannotEvaluate(f"{term} vanishes wherever it was looked at")
            found += [_climbed(height, *places[i - 1:i + 2]) for i in range(1, len(places) - 1)
                      if heights[i - 1] < heights[i] >= heights[i + 1]]
    found.sort()
    # terms may share a peak
    return [b for a, b in zip([-mp.inf, *found], found) if b - a > abs(b) * mpf(10) ** -12]


def _climbed(height, low, middle, high):
    """The maximum of a function between two places, by golden sections."""
    golden, best, narrow = (3 - mp.sqrt(5)) / 2, height(middle), (high - low) * mpf(10) ** -16
    while high - low > narrow:
        right = high - middle > middle - low
        place = middle + golden * ((high if right else low) - middle)
        new = height(place)
        if new > best:
            low, high = (middle, high) if right else (low, middle)
            middle, best = place, new
        else:
            low, high = (low, place) if right else (place, high)
    return middle


def _terms(expr, variable, at, environment, arithmetic):
    """The terms of an integrand, sums (also as factors) written out, with the places of what is bound."""
    if isinstance(expr, sp.Add):
        for term in expr.args:
            yield from _terms(term, variable, at, environment, arithmetic)
    elif isinstance(expr, sp.Sum) and not expr.limits[-1][2].is_infinite:
        *inner, (index, *ends) = expr.limits
        function = sp.Sum(expr.function, *inner) if inner else expr.function
        low, high = (environment.at(at, arithmetic.index(end)) for end in ends)
        for k in range(low, high + 1):
            yield from _terms(function, variable, {**at, index: k}, environment, arithmetic)
    elif expr.has(variable):
        for factor in sp.Mul.make_args(expr):
            base = factor.as_base_exp()[0]
            if isinstance(base, (sp.Add, sp.Sum)) and base != expr:  # an infinite sum stays as it is
                yield from _terms(base, variable, at, environment, arithmetic)
        yield expr.as_independent(variable, as_Add=False)[1], at


def _over_the_line(function, expr):
    """The trapezoidal rule, without equal for smooth functions that die away as a normal density does."""
    reach = 32
    coarse = mp.fsum(function(mpf(k) / 2) for k in range(-reach, reach + 1)) / 2
    fine = (coarse + mp.fsum(function(mpf(2 * k + 1) / 4) for k in range(-reach, reach)) / 2) / 2
    # on a grid that is shifted by an irrational part of a step, no wave looks like another one
    moved = mp.fsum(function(mpf(k) / 4 + 1 / (4 * mp.pi)) for k in range(-2 * reach, 2 * reach)) / 4
    # twice as many nodes square the error: the coarse value may have a larger one
    if max(abs(fine - coarse) / 1000, abs(fine - moved)) > max(abs(fine), 1) * _accepted():
        if max(abs(function(mpf(far))) for far in (-4 * reach, 4 * reach)) > _accepted():
            raise CannotEvaluate(f"the integrand of {expr} does not die away")
        return integrate(function, -mp.inf, mp.inf, _accepted(), expr)  # narrow, wide or far from zero
    # what is left where waves cancel is roundoff, and no value
    size = mp.fsum(abs(function(mpf(k) / 2)) for k in range(-reach, reach + 1)) / 2
    return mpf(0) if abs(fine) < size * _accepted() else fine


#: How an arithmetic of mpmath's numbers makes a function of an integral: ``handler(arithmetic, node)``.
NODES = {sp.Integral: _integral}
