"""Normal forms as rational functions: numerator and denominator, the test for zero, and deltas."""

from math import lcm

import sympy as sp
from sympy.polys.fields import sfield
from sympy.polys.polyerrors import CoercionFailed

from proofread.errors import NoRule

from .context import BINARY
from .normal_form import normal


def split(form, case):
    """The monomials of the numerator, and the factors of the denominator with their powers.

    The denominator is made unique by a leading coefficient of 1.
    """
    rootless, undo = _without_roots(sp.sympify(form))
    terms, factors = _fraction(rootless)
    monomials = [_reduced(t.xreplace(undo), case) for t in terms if t != 0]
    below = [(base.xreplace(undo), sp.Integer(power)) for base, power in factors]
    sizes = _absolute_values(form, case)
    squared = sp.Add(*(_squared(t, sizes) for t in monomials)) * _squared(1 / joined(below), sizes)
    changed = sizes and squared != sp.Add(*monomials) / joined(below)
    return split(squared, case) if changed else (monomials, below)


def _fraction(form):
    """The terms of the numerator, and the factors of the denominator with their powers."""
    field, quotient = _in_field(form)
    if field is None:
        numerator, denominator = sp.fraction(sp.cancel(sp.together(form)))
        scale, factors = (sp.S.One, []) if denominator == 1 else _factor_list(denominator)
        return sp.Add.make_args(sp.expand(sp.expand(numerator) / scale)), factors
    scale, factors = quotient.denom.factor_list()
    number = field.domain.to_sympy
    terms = [sp.Mul(number(share) / number(scale), *map(sp.Pow, field.symbols, powers))
             for powers, share in quotient.numer.terms()]
    return terms, [(base.as_expr(), power) for base, power in factors]


def _in_field(form):
    """A form as a quotient of polynomials with rational coefficients, and their field; else None twice.

    That is `sp.cancel`, without its way through expressions, which takes several times as long.
    """
    try:
        field, quotient = sfield(form)
    except (sp.PolynomialError, CoercionFailed, ValueError):
        return None, None
    return (field, quotient) if field.symbols and field.domain in (sp.ZZ, sp.QQ) else (None, None)


def _absolute_values(form, case):
    """The generators that are absolute values of real forms, with these forms."""
    contents = ((symbol, case.content(symbol)) for symbol in case.generators(form))
    return {symbol: normal(content.args[0], case) for symbol, content in contents
            if isinstance(content, sp.Abs) and case.sign(content.args[0])}


def _squared(product, sizes):
    r"""A product with :math:`x^2` for :math:`|x|^2`, so that each absolute value has the power 0 or 1."""
    powers = product.as_powers_dict()
    for symbol in set(powers) & set(sizes):
        if powers[symbol].is_Integer:
            even = powers[symbol] - powers[symbol] % 2
            product *= sizes[symbol] ** even / symbol**even
    return product


def factored(form):
    """The number in front, and the irreducible factors with their powers."""
    form, undo = _without_roots(sp.sympify(form))
    above, below = (_factor_list(part) for part in sp.fraction(sp.cancel(sp.together(form))))
    powers = [*above[1], *((base, -power) for base, power in below[1])]
    return above[0] / below[0], [(base.xreplace(undo), sp.Integer(power)) for base, power in powers]


def joined(factors):
    """The product of factors with their powers."""
    return sp.Mul(*(base**power for base, power in factors))


def canonical(form, case):
    """The same function, in a form that does not depend on how it was reached."""
    monomials, below = split(form, case)
    return sp.Add(*monomials) / joined(below)


def vanishes(form, case):
    """Whether a normal form is 0 as a rational function of its generators."""
    return form == 0 or sp.expand(sp.Add(*split(form, case)[0])) == 0


def deltas(form, case):
    """The generators in a normal form that are 0 or 1, such as deltas."""
    return sorted((s for s in case.generators(form) if isinstance(case.content(s), BINARY)), key=str)


def by_deltas(form, case, function):
    r"""A function of a normal form that holds deltas: :math:`f(\delta)=f(0)+\delta\,(f(1)-f(0))`."""
    found = deltas(form, case)
    if not found:
        return function(form)
    absent, present = (by_deltas(form.xreplace({found[0]: sp.Integer(d)}), case, function) for d in (0, 1))
    return absent + found[0] * (present - absent)


def _factor_list(polynomial):
    try:
        return sp.factor_list(polynomial)
    except sp.PolynomialError as error:
        raise NoRule(f"the factors of {polynomial}: it holds the root of a sum") from error


def _without_roots(form):
    """Each generator that has a broken power as a whole power of a new symbol, and the way back."""
    roots = {}
    for power in form.atoms(sp.Pow):
        if power.base.is_Symbol and power.exp.is_Rational and not power.exp.is_Integer:
            roots[power.base] = lcm(roots.get(power.base, 1), int(power.exp.q))
    if not roots:
        return form, {}
    new = {base: sp.Dummy("h", positive=True) for base in roots}
    form = form.replace(lambda e: e.is_Pow and e.base in new,
                        lambda e: new[e.base] ** (roots[e.base] * e.exp))
    form = form.xreplace({base: new[base] ** q for base, q in roots.items()})
    return form, {new[base]: base ** sp.Rational(1, q) for base, q in roots.items()}


def _reduced(monomial, case):
    """A monomial in which a delta has the power 1, and the root of a number a power that leaves it a root."""
    for symbol in case.generators(monomial):
        content = case.content(symbol)
        if isinstance(content, BINARY):
            monomial *= symbol ** (1 - monomial.as_powers_dict()[symbol])
        elif isinstance(content, sp.Pow) and content.base.is_Integer and content.exp.is_Rational:
            power = monomial.as_powers_dict()[symbol]
            if power.is_Integer:  # the content is a root: p to the power of 1/q
                whole, part = divmod(int(power), int(content.exp.q))
                monomial *= content.base**whole * symbol ** (part - power)
    return monomial
