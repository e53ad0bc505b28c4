r"""Sums that have a closed form: of powers of the index, and geometric ones.

.. math:: \sum_{k=a}^b k^p = \frac{B_{p+1}(b+1)-B_{p+1}(a)}{p+1}, \qquad
          \sum_{k=a}^b q^k = \frac{q^a-q^{b+1}}{1-q}\quad(q\ne1)

with the Bernoulli polynomials B.  Both hold of an empty range too, where b = a − 1.
"""

import sympy as sp

from ..nodes import substitute
from .case import REAL
from .elementary import exponential
from .normal import normal
from .positive import is_positive
from .signs import freed

HIGHEST = 8  #: the power of an index that is summed


def in_closed_form(body, indices, case):
    """The sum over one bound index of a product of powers, or None where no rule gives it."""
    if len(indices) != 1 or len(body) != 1:
        return None
    (index,), ((base, power),) = indices, body
    low, high = case.ranges[index]
    if not (power.is_Integer and case.reaches(low, high)):
        return None
    if base == index:
        return _of_powers(power, low, high, case) if 0 < power <= HIGHEST else None
    if (slope := _slope(case.content(base), index, case)) is None:
        return None
    return _geometric(power * slope, low, high, case)


def _of_powers(power, low, high, case):
    """Faulhaber's formula."""
    slot = sp.Dummy("k")
    polynomial = sp.expand(sp.bernoulli(power + 1, slot)) / (power + 1)
    first, after = (normal(sp.expand(end), case) for end in (low, high + 1))
    return sp.expand(polynomial.xreplace({slot: after}) - polynomial.xreplace({slot: first}))


def _slope(content, index, case):
    """The c of what is exp(c k), if c is real and not 0."""
    if not isinstance(content, sp.exp):
        return None
    slope = sp.cancel(content.args[0] / index)
    if index in slope.free_symbols or case.sign(slope) < REAL:
        return None
    return normal(slope, case) if _is_not_zero(slope, case) else None


def _is_not_zero(slope, case):
    told = isinstance(slope, sp.log) and any(
        isinstance(c, sp.Ne) and set(c.args) == {slope.args[0], sp.S.One} for c in case.given)
    gap = slope.args[0] - 1 if isinstance(slope, sp.log) else slope
    free = substitute(gap, freed(gap, case.given))
    forms = [normal(sign * free, case) for sign in (1, -1)]
    return told or any(is_positive(form, case) for form in forms)


def _geometric(slope, low, high, case):
    first, after = (exponential(slope * normal(sp.expand(end), case), case) for end in (low, high + 1))
    return (first - after) / (1 - exponential(slope, case))
