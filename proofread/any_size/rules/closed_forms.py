r"""Sums and integrals that have a closed form: of powers of the index, geometric ones, and Euler's integrals.

.. math:: \sum_{k=a}^b k^p = \frac{B_{p+1}(b+1)-B_{p+1}(a)}{p+1}, \qquad
          \sum_{k=a}^b q^k = \frac{q^a-q^{b+1}}{1-q}\quad(q\ne1)

with the Bernoulli polynomials B.  Both hold of an empty range too, where b = a − 1.

.. math:: \int_0^\infty t^{s-1} (\log t)^m e^{-ct}\,dt = \frac{d^m}{ds^m} \frac{\Gamma(s)}{c^s}
          \quad(s,c>0)
"""

import sympy as sp

from proofread.any_size.context import REAL
from proofread.any_size.normal_form import normal
from proofread.any_size.positivity import is_positive
from proofread.language.binders import substitute

from .elementary import exponential

HIGHEST = 8  #: the power of an index that is summed, and of a logarithm that is integrated


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
    told = isinstance(slope, sp.log) and case.given.differ(slope.args[0], sp.S.One)
    gap = slope.args[0] - 1 if isinstance(slope, sp.log) else slope
    free = substitute(gap, case.given.freed(gap))
    forms = [normal(sign * free, case) for sign in (1, -1)]
    return told or any(is_positive(form, case) for form in forms)


def _geometric(slope, low, high, case):
    first, after = (exponential(slope * normal(sp.expand(end), case), case) for end in (low, high + 1))
    return (first - after) / (1 - exponential(slope, case))


def euler_integral(content, variable, low, high):
    """The integral from 0 to infinity of a power, a power of the logarithm and a decay; None of all else."""
    if (low, high) != (0, sp.oo):
        return None
    power, logs, decay = sp.S.Zero, sp.S.Zero, sp.S.Zero
    for factor in sp.Mul.make_args(content):
        base, exponent = factor.as_base_exp()
        if base == variable:
            power += exponent
        elif base == sp.log(variable):
            logs += exponent
        elif isinstance(factor, sp.exp):
            decay -= sp.cancel(factor.args[0] / variable)
        else:
            return None
    parts_are_known = logs.is_Integer and 0 <= logs <= HIGHEST and power.is_number and power.is_extended_real
    if not (parts_are_known and (power + 1).is_positive and decay.is_positive
            and variable not in decay.free_symbols):
        return None
    s = sp.Dummy("s", positive=True)
    return sp.diff(sp.gamma(s) / decay**s, s, logs).subs(s, power + 1)
