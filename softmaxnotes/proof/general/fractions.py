"""Normal forms as rational functions: numerator and denominator, the test for zero, and deltas."""

from math import lcm

import sympy as sp

from .case import BINARY


def split(normal, case):
    """The monomials of the numerator, and the factors of the denominator with their powers.

    The denominator is made unique by a leading coefficient of 1.
    """
    normal, undo = _without_roots(sp.sympify(normal))
    numerator, denominator = sp.fraction(sp.cancel(sp.together(normal)))
    scale, factors = (sp.S.One, []) if denominator == 1 else sp.factor_list(denominator)
    terms = sp.Add.make_args(sp.expand(sp.expand(numerator) / scale))
    monomials = [_reduced(t.xreplace(undo), case) for t in terms if t != 0]
    return monomials, [(base.xreplace(undo), sp.Integer(power)) for base, power in factors]


def factored(normal):
    """The number in front, and the irreducible factors with their powers."""
    normal, undo = _without_roots(sp.sympify(normal))
    above, below = (sp.factor_list(part) for part in sp.fraction(sp.cancel(sp.together(normal))))
    powers = [*above[1], *((base, -power) for base, power in below[1])]
    return above[0] / below[0], [(base.xreplace(undo), sp.Integer(power)) for base, power in powers]


def joined(factors):
    """The product of factors with their powers."""
    return sp.Mul(*(base**power for base, power in factors))


def canonical(normal, case):
    """The same function, in a form that does not depend on how it was reached."""
    monomials, below = split(normal, case)
    return sp.Add(*monomials) / joined(below)


def vanishes(normal, case):
    """Whether a normal form is 0 as a rational function of its generators."""
    return normal == 0 or sp.expand(sp.Add(*split(normal, case)[0])) == 0


def deltas(normal, case):
    """The generators in a normal form that are 0 or 1, such as deltas."""
    return sorted((s for s in case.generators(normal) if isinstance(case.content(s), BINARY)), key=str)


def by_deltas(normal, case, function):
    r"""A function of a normal form that holds deltas: :math:`f(\delta)=f(0)+\delta\,(f(1)-f(0))`."""
    found = deltas(normal, case)
    if not found:
        return function(normal)
    absent, present = (by_deltas(normal.xreplace({found[0]: sp.Integer(d)}), case, function) for d in (0, 1))
    return absent + found[0] * (present - absent)


def _without_roots(normal):
    """Each generator that has a broken power as a whole power of a new symbol, and the way back."""
    roots = {}
    for power in normal.atoms(sp.Pow):
        if power.base.is_Symbol and power.exp.is_Rational and not power.exp.is_Integer:
            roots[power.base] = lcm(roots.get(power.base, 1), int(power.exp.q))
    if not roots:
        return normal, {}
    new = {base: sp.Dummy("h", positive=True) for base in roots}
    normal = normal.replace(lambda e: e.is_Pow and e.base in new,
                            lambda e: new[e.base] ** (roots[e.base] * e.exp))
    normal = normal.xreplace({base: new[base] ** q for base, q in roots.items()})
    return normal, {new[base]: base ** sp.Rational(1, q) for base, q in roots.items()}


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
