r"""Sums of squares that are looked for: bounds that may show an inequality without being named.

A variance is :math:`\sum_kw_kx_k^2-(\sum_kw_kx_k)^2=\sum_kw_k\,(x_k-\bar x)^2` where the weights have the sum
1, and the gap of Cauchy–Schwarz is a sum over pairs.  What is found here is a guess: that the bound has the
same gap, and that its weights are not negative, is checked as for a bound that is named.
"""

import sympy as sp

from proofread.language.binders import substitute

from .bounds import square

MOST_TERMS = 6


def candidates(gap):
    """Bounds whose gap may be the one given."""
    terms = sp.Add.make_args(sp.expand(_with_one_index(gap)))
    if len(terms) > MOST_TERMS:
        return
    for taken in terms:
        for total in taken.atoms(sp.Sum):
            outside = -taken / total**2
            if len(total.limits) != 1 or outside.has(total):
                continue
            for given in terms:
                if given != taken:
                    yield from _guesses(given / outside, total, outside)


def _with_one_index(gap):
    """The same with one index for all sums that hold no others: sums that differ in its name become equal."""
    slot = sp.Dummy("k", integer=True, positive=True)

    def renamed(total):
        (index, *ends), = total.limits
        return sp.Sum(substitute(total.function, {index: slot}), (slot, *ends))

    simple = [s for s in gap.atoms(sp.Sum) if len(s.limits) == 1 and not s.function.has(sp.Sum)
              and s.limits[0][0].is_positive]
    return gap.xreplace({total: renamed(total) for total in simple})


def _guesses(product, total, outside):
    """Bounds for a product of one or two sums minus the square of another one."""
    (index, low, high), = total.limits
    sums, rest = [], sp.S.One
    for factor in sp.Mul.make_args(product):
        base, power = factor.as_base_exp()
        alike = isinstance(base, sp.Sum) and len(base.limits) == 1 and base.limits[0][1:] == (low, high)
        if alike and power in (1, 2):
            sums += int(power) * [substitute(base.function, {base.limits[0][0]: index})]
        else:
            rest *= factor
    if rest == sp.expand(high - low + 1):
        sums.append(sp.S.One)
    elif rest != 1:
        return
    part, limits = total.function, (index, low, high)
    if len(sums) == 1:
        yield square(sums[0] / part - total).times(part**2 / sums[0]).over(*limits).times(outside)
    if len(sums) == 2:
        other = sp.Dummy(index.name, **index.assumptions0)
        ratio, weight = part / sums[1], sums[1]
        apart = square(ratio - substitute(ratio, {index: other}))
        pairs = apart.times(weight * substitute(weight, {index: other}) / 2)
        yield pairs.over(other, low, high).over(*limits).times(outside)
