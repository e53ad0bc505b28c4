r"""Sums and integrals that have a closed form: of powers of the index, geometric ones, and of exponentials.

.. math:: \sum_{k=a}^b k^p = \frac{B_{p+1}(b+1)-B_{p+1}(a)}{p+1}, \qquad
          \sum_{k=a}^b q^k = \frac{q^a-q^{b+1}}{1-q}\quad(q\ne1)

with the Bernoulli polynomials B.  Both hold of an empty range too, where b = a − 1.

.. math:: \int_0^\infty t^{s-1} (\log t)^m e^{-ct}\,dt = \frac{d^m}{ds^m} \frac{\Gamma(s)}{c^s}
          \quad(s,c>0)

.. math:: \int_a^\infty t^k e^{-ct}\,dt = e^{-ca} \sum_{j=0}^k \frac{k!}{(k-j)!}\,\frac{a^{k-j}}{c^{j+1}}
          \quad(c>0)

.. math:: \int_{-\infty}^\infty t^k e^{bt-ct^2}\,dt = \sqrt{\frac\pi c}\;e^{b^2/4c}\;
          \mathbb E\,X^k \quad\text{with } X \sim \mathcal N\Big(\frac b{2c},\frac1{2c}\Big)
          \quad(c>0)
"""

from math import comb

import sympy as sp

from proofread.any_size.context import POSITIVE, REAL
from proofread.any_size.normal_form import normal
from proofread.any_size.positivity import is_positive
from proofread.language.binders import substitute

from .elementary import exponential

HIGHEST = 8  #: the power of an index that is summed, of a logarithm that is integrated, of a normal variable


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


def integral(content, variable, low, high, case):
    """The integral of a power, a power of the logarithm and an exponential; None where no rule gives it."""
    power, logs, exponent = sp.S.Zero, sp.S.Zero, sp.S.Zero
    for factor in sp.Mul.make_args(content):
        base, raised = factor.as_base_exp()
        if base == variable:
            power += raised
        elif base == sp.log(variable):
            logs += raised
        elif isinstance(factor, sp.exp):
            exponent += factor.args[0]
        else:
            return None
    slope, curvature = _coefficients(exponent, variable)
    if (low, high) == (-sp.oo, sp.oo):
        return _of_normal(power, slope, -curvature, case) if logs == 0 else None
    if high != sp.oo or curvature != 0 or not _is_positive(-slope, case):
        return None
    if low == 0:
        return _euler(power, logs, -slope)
    return _of_tail(power, low, -slope) if logs == 0 else None


def _coefficients(exponent, variable):
    """Those of the variable and of its square in what is the sum of such terms, or else 0 and 0."""
    try:
        polynomial = sp.Poly(exponent, variable)
    except sp.PolynomialError:
        return sp.S.Zero, sp.S.Zero
    known = all(degree in (1, 2) for degree, in polynomial.monoms())
    return tuple(polynomial.coeff_monomial(variable**k) if known else sp.S.Zero for k in (1, 2))


def _is_positive(number, case):
    return case.sign(number) == POSITIVE or is_positive(normal(number, case), case)


def _euler(power, logs, decay):
    if not (logs.is_Integer and 0 <= logs <= HIGHEST and power.is_extended_real
            and (power + 1).is_positive):
        return None
    s = sp.Dummy("s", positive=True)
    return sp.diff(sp.gamma(s) / decay**s, s, logs).subs(s, power + 1)


def _of_tail(power, low, decay):
    if not (power.is_Integer and 0 <= power <= HIGHEST and low.is_real):
        return None
    return sp.exp(-decay * low) * sum(sp.ff(power, j) * low ** (power - j) / decay ** (j + 1)
                                      for j in range(int(power) + 1))


def _of_normal(power, slope, decay, case):
    if not (power.is_Integer and 0 <= power <= HIGHEST and _is_positive(decay, case)):
        return None
    weight = sp.sqrt(sp.pi / decay) * sp.exp(slope**2 / (4 * decay))
    return weight * normal_moment(int(power), slope / (2 * decay), 1 / (2 * decay))


def normal_moment(power, mean, variance):
    r"""The mean of the k-th power of a normal variable, that of :math:`\mu+\sigma\varepsilon`."""
    return sum(comb(power, 2 * k) * mean ** (power - 2 * k) * variance**k * sp.factorial2(2 * k - 1)
               for k in range(power // 2 + 1))
