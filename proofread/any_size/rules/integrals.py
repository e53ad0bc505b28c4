"""Rules for maxima, means under a normal law, integrals, and functions that are not looked into."""

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.any_size.context import POSITIVE
from proofread.any_size.normal_form import normal, opaque, rule
from proofread.any_size.rational_functions import canonical, joined, split
from proofread.errors import NoRule
from proofread.language.binders import Bracket, MaxOver, NormalMean, substitute

from .closed_forms import HIGHEST, integral, normal_moment
from .sums import entered, over_all


@rule(sp.floor, sp.ceiling, sp.gamma, sp.loggamma, sp.digamma, sp.polygamma, sp.erf, sp.erfc, sp.sin, sp.cos,
      sp.tan, sp.atan, sp.factorial, sp.binomial)
def _function(expr, case):
    return opaque(expr.func(*(case.back(canonical(normal(a, case), case)) for a in expr.args)), case)


@rule(sp.Integral)
def _integral(expr, case):
    """An integral is linear: what does not depend on its variable comes out, and a finite sum as well."""
    *inner, (symbol, *ends) = expr.limits
    if len(ends) != 2:
        raise NoRule("an integral without ends")
    function = expr.func(expr.function, *inner) if inner else expr.function
    if _is_turned(*ends):
        return -_integral(expr.func(function, (symbol, *reversed(ends))), case)
    variable = sp.Dummy("x", **_sign_within(ends))
    ends = [e if e.is_infinite else case.back(canonical(normal(e, case), case)) for e in ends]
    form = normal(substitute(function, {symbol: variable}), case)
    return _integrated(form, (variable, *ends), [], case)


def _integrated(form, limits, indices, case):
    """The integral of a normal form, summed over bound indices."""
    monomials, below = split(form, case)
    inside_below = [(b, p) for b, p in below if limits[0] in case.depends(b)]
    total = sp.S.Zero
    for monomial in monomials:
        powers = monomial.as_powers_dict()
        sums = [s for s in powers if isinstance(case.content(s), sp.Sum) and limits[0] in case.depends(s)]
        if sums and not inside_below and powers[sums[0]] == 1:
            function, inner = entered(case.content(sums[0]), case)
            rest = monomial / sums[0] / joined(below) * normal(function, case)
            total += _integrated(rest, limits, [*indices, *inner], case)
            continue
        inside = joined((b, p) for b, p in powers.items() if limits[0] in case.depends(b) | case.depends(p))
        outside = monomial / inside / joined(below) * joined(inside_below)
        content = case.back(canonical(inside / joined(inside_below), case))
        total += over_all(outside * _one_integral(content, limits, case), indices, case)
    return total


def _one_integral(content, limits, case):
    value = integral(content, *limits, case)
    if value is not None:
        return normal(value, case)
    return opaque(_with_canonical_variable(content, *limits), case)


def _is_turned(low, high):
    """Whether the ends stand in the other order than that in which integrals are compared."""
    if low.is_extended_real and high.is_extended_real and low.is_number and high.is_number:
        return bool(low > high)
    if low.is_infinite or high.is_infinite:
        return low == sp.oo or high == -sp.oo
    return sp.default_sort_key(low) > sp.default_sort_key(high)


def _sign_within(ends):
    return {"nonnegative": True} if all(e.is_nonnegative for e in ends) else {"real": True}


def _with_canonical_variable(function, symbol, *ends, kind=sp.Integral):
    """An integral whose variable has the name that goes with the number of integrals inside."""
    depth = sum(isinstance(e, (sp.Integral, Bracket)) for e in sp.preorder_traversal(function))
    variable = sp.Symbol(f"x_{depth}", **_sign_within(ends))
    return kind(substitute(function, {symbol: variable}), (variable, *ends))


@rule(Bracket)
def _bracket(expr, case):
    """What a function gains stays; the function is normalised, and its variable has a canonical name."""
    (symbol, *ends), = expr.limits
    variable = sp.Dummy("x", **_sign_within(ends))
    ends = [e if e.is_infinite else case.back(canonical(normal(e, case), case)) for e in ends]
    function = canonical(normal(substitute(expr.function, {symbol: variable}), case), case)
    return opaque(_with_canonical_variable(case.back(function), variable, *ends, kind=Bracket), case)


@rule(AppliedUndef)
def _undefined_function(expr, case):
    return opaque(expr.func(*(case.back(canonical(normal(a, case), case)) for a in expr.args)), case)


@rule(MaxOver)
def _maximum(expr, case):
    """What is the same for every index comes out: a shift, and a positive factor of all the rest."""
    if len(expr.limits) != 1:
        raise NoRule("a maximum over several indices")
    function, (index,) = entered(expr, case)
    low, high = case.ranges[index]
    if not case.is_filled(low, high):
        raise NoRule("a maximum over a range that may be empty")
    monomials, below = split(normal(function, case), case)
    if index in case.depends(joined(below)):
        raise NoRule("a maximum of fractions")
    inside = [t / joined(below) for t in monomials if index in case.depends(t)]
    outside = [t / joined(below) for t in monomials if index not in case.depends(t)]
    if not inside:
        return sp.Add(*outside)
    scale = sp.S.One
    if len(inside) == 1:
        powers = inside[0].as_powers_dict()
        fixed = [b**p for b, p in powers.items() if index not in case.depends(b**p)]
        scale = sp.Mul(*(f for f in fixed if case.sign(case.back(f)) == POSITIVE))
    inner = case.back(sp.Add(*(t / scale for t in inside)))
    name = case.canonical_index(case.height(inner), 0, low, high)
    largest = MaxOver(substitute(inner, {index: name}), (name, low, high))
    return scale * opaque(largest, case) + sp.Add(*outside)


@rule(NormalMean)
def _normal_mean(expr, case):
    r"""The mean of a polynomial in one normal variable: the moments of :math:`\mu+\sigma\varepsilon`."""
    function, vector, mean, covariance = expr.args
    if vector.shape != (1, 1):
        raise NoRule("a normal vector")
    x = sp.Dummy("x", real=True)
    form = normal(function.xreplace({sp.Trace(vector): x, vector[0, 0]: x}), case)
    mean, variance = (normal(_multiple_of_one(m), case) for m in (mean, covariance))
    monomials, below = split(form, case)
    total = sp.S.Zero
    for monomial in monomials:
        power = sp.sympify(monomial.as_powers_dict().get(x, 0))
        rest = monomial / x**power / joined(below)
        if x in case.depends(rest) or not (power.is_Integer and 0 <= power <= HIGHEST):
            raise NoRule("the mean of what is no polynomial")
        total += rest * normal_moment(int(power), mean, variance)
    return total


def _multiple_of_one(matrix):
    """The number of which a matrix with one entry is shown to consist."""
    if isinstance(matrix, sp.Identity):
        return sp.S.One
    if isinstance(matrix, sp.ZeroMatrix):
        return sp.S.Zero
    if isinstance(matrix, sp.MatMul):
        number, rest = matrix.as_coeff_matrices()
        if all(isinstance(m, sp.Identity) for m in rest):
            return number
    raise NoRule(f"the entry of {matrix}")
