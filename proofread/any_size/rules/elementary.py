"""Rules for numbers, symbols and entries, for the operations, powers, exponentials and logarithms."""

import sympy as sp

from proofread.any_size.context import POSITIVE
from proofread.any_size.normal_form import normal, opaque, rule
from proofread.any_size.positivity import is_positive
from proofread.any_size.rational_functions import by_deltas, canonical, factored, joined, split, vanishes
from proofread.errors import NoRule


@rule(sp.Rational, sp.Symbol)
def _itself(expr, case):
    return expr


@rule(sp.Indexed)
def _entry(expr, case):
    return case.generator(expr.base[tuple(sp.expand(i) for i in expr.indices)])


@rule(sp.Add)
def _terms(expr, case):
    return sp.Add(*(normal(a, case) for a in expr.args))


@rule(sp.Mul)
def _factors(expr, case):
    return sp.Mul(*(normal(a, case) for a in expr.args))


# --- powers -------------------------------------------------------------------------------------


@rule(sp.Pow)
def _power(expr, case):
    base, exponent = expr.args
    if exponent.is_Integer:
        form = normal(base, case)
        if exponent > 0:
            return form**exponent
        return by_deltas(form, case, lambda f: _inverse(f, case) ** -exponent)
    if base.is_Integer and base > 0 and exponent.is_Rational:
        return _root_of_number(base, exponent, case)
    form = normal(base, case)
    if case.sign(base) == POSITIVE or is_positive(form, case):
        return exponential(normal(exponent, case) * logarithm(form, case), case)
    return opaque(sp.Pow(*(case.back(canonical(f, case)) for f in (form, normal(exponent, case)))), case)


def _inverse(form, case):
    if vanishes(form, case):
        raise NoRule("division by zero")
    return 1 / form


def _root_of_number(base, exponent, case):
    """A broken power of a natural number: roots of its primes."""
    out = sp.S.One
    for prime, multiplicity in sp.factorint(base).items():
        power = multiplicity * exponent
        whole = sp.floor(power)
        out *= prime**whole
        if part := power - whole:
            out *= case.generator(sp.Pow(prime, sp.Rational(1, part.q))) ** part.p
    return out


# --- exponentials and logarithms ------------------------------------------------------------------


@rule(sp.exp)
def _exp(expr, case):
    return exponential(normal(expr.args[0], case), case)


@rule(sp.log)
def _log(expr, case):
    return logarithm(normal(expr.args[0], case), case)


@rule(sp.functions.elementary.hyperbolic.HyperbolicFunction)
def _hyperbolic(expr, case):
    rewritten = expr.rewrite(sp.exp)
    if isinstance(rewritten, type(expr)):
        raise NoRule(f"no exponentials for {type(expr).__name__}")
    return normal(rewritten, case)


def exponential(form, case):
    r"""The normal form of :math:`e^f`: one generator for each monomial of :math:`f`."""
    return by_deltas(form, case, lambda f: _product_of_exponentials(f, case))


def _product_of_exponentials(form, case):
    monomials, below = split(form, case)
    out = sp.S.One
    for monomial in monomials:
        coefficient, rest = monomial.as_coeff_Mul()
        out *= _exponential_of_multiple(coefficient, rest / joined(below), case)
    return out


def _exponential_of_multiple(coefficient, monomial, case):
    r""":math:`e^{c\,m}`, of which :math:`e^m` is the generator; of a logarithm, a power."""
    content = case.content(monomial) if monomial.is_Symbol else monomial
    if isinstance(content, sp.log):
        inside = content.args[0]
        if inside.is_Integer:
            return normal(sp.Pow(inside, coefficient, evaluate=False), case) if coefficient.is_Integer else (
                _root_of_number(inside, coefficient, case))
        if coefficient.is_Integer:
            return normal(inside, case) ** coefficient
        base = normal(inside, case)
        return (base if base.is_Symbol else case.generator(inside)) ** coefficient
    if not (coefficient.is_Integer or case.sign(case.back(monomial))):
        raise NoRule("root of an exponential of what is not known to be real")
    return case.generator(sp.exp(case.back(monomial))) ** coefficient


def logarithm(form, case):
    r"""The normal form of :math:`\log f`: a sum over the positive factors of :math:`f`."""
    def function(f):
        total, rest = logarithms(f, case)
        return total if rest == 1 else total + opaque(sp.log(case.back(canonical(rest, case))), case)

    return by_deltas(form, case, function)


def logarithms(form, case):
    """The logarithms of the factors that are surely positive, and the rest of the factors."""
    if vanishes(form, case):
        raise NoRule("the logarithm of 0")
    scale, factors = factored(form)
    total, rest = sp.S.Zero, sp.sign(scale)
    for prime, power in sp.factorrat(abs(scale)).items():
        total += power * opaque(sp.log(sp.Integer(prime)), case)
    for factor, power in factors:
        log, sign = _logarithm_of_factor(factor, case)
        if log is None:
            rest *= factor**power
        else:
            total, rest = total + power * log, rest * sp.Integer(sign) ** power
    return total, rest


def _logarithm_of_factor(factor, case):
    """The logarithm of the absolute value of an irreducible factor, and its sign; None if that is unknown."""
    base, power = factor.as_base_exp()
    if base.is_Symbol and power.is_Rational:
        content = case.content(base)
        if isinstance(content, sp.exp) and case.sign(content) == POSITIVE:
            return power * normal(content.args[0], case), 1
        if isinstance(content, sp.Pow) and content.base.is_Integer and content.exp.is_Rational:
            return power * content.exp * opaque(sp.log(content.base), case), 1
        if base.is_positive:
            return power * opaque(sp.log(content), case), 1
        if not power.is_Integer:
            raise NoRule("root of what is not known to be positive")
    for sign in (1, -1):
        if is_positive(sign * factor, case):
            inside = case.back(canonical(sign * factor, case))
            case.assume_positive(inside)
            return opaque(sp.log(inside), case), sign
    return None, 1
