"""The first opinion: is an expression identically zero?  SymPy decides, by normal forms.

``simplify`` is slow and often gives no answer, so it comes last.  What comes first is a
normal form that decides nearly all of this book: exponentials and logarithms are turned into products
of independent symbols, and what remains is a rational function.
"""

from functools import reduce
from math import gcd, lcm

import sympy as sp

from proofread.budget import within
from proofread.language.binders import Bracket
from proofread.language.typed import unfold
from proofread.language.undefined_functions import canonical


def is_zero(expr, known=None):
    """``True`` if SymPy shows that ``expr`` vanishes identically, else ``None``; `TooLong` when cut off.

    ``known`` maps values of undefined functions, such as ``f(a)``, to what they are.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> is_zero(sp.log(1 + sp.exp(x)) - x - sp.log(1 + sp.exp(-x)))
    True
    >>> is_zero(sp.exp(x) - 1) is None
    True
    """
    return within(lambda: _is_zero(unfold(expr), known or {}))


def _is_zero(expr, known):
    expr = canonical(expr)
    # what a bracket gains can be computed, or be taken for the integral of a derivative
    computed = expr.replace(lambda e: isinstance(e, Bracket), lambda e: e.doit())
    for variant in dict.fromkeys((computed, expr)):
        if expr.has(sp.Integral) and all(
                _vanishes(part.doit().xreplace(known), patient=False) for part in _one_integral(variant)):
            return True
    cases = _cases(canonical(expr.doit()).xreplace(known))
    return True if all(_vanishes(case) for case in cases) else None


def _one_integral(expr):
    """Expressions that, if all vanish, make ``expr`` vanish: integrals over the same range become one.

    A sum of integrals over one range vanishes if the sum of the integrands does; what a function gains
    between two ends is the integral of its derivative.  No antiderivative is looked for.
    """
    ranges = {i.limits[0][1:] for i in expr.atoms(sp.Integral)}
    merged, rest = {}, []
    for term in sp.Add.make_args(sp.expand_mul(expr)):
        whole = [f for f in sp.Mul.make_args(term)
                 if isinstance(f, (sp.Integral, Bracket)) and f.limits[0][1:] in ranges]
        if len(whole) != 1:
            rest.append(term)
            continue
        (variable, *ends), *outer = whole[0].limits
        inside = whole[0].function
        if isinstance(whole[0], Bracket):
            inside = canonical(sp.Derivative(inside, variable)).doit()
        merged.setdefault((*ends, *outer), []).append((term / whole[0], variable, inside))
    slot = sp.Dummy("x", real=True)
    return [sp.Add(*rest), *(sp.Add(*(c * inside.xreplace({variable: slot}) for c, variable, inside in parts))
                             for parts in merged.values())]


def is_nonnegative(expr):
    """``True`` if SymPy shows that ``expr`` is nowhere negative, else ``None``; `TooLong` when cut off.

    :math:`e \\ge 0` is decided as :math:`\\exp(e) \\ge 1`, which clears logarithms; of the arguments of a
    maximum each in turn is the largest, and the others are smaller by :math:`\\log(1+u)` with :math:`u \\ge
    0`, which clears exponentials.  Where that does not do, logarithms are bounded by their tangents.
    """
    def is_seen():
        cases = _cases(unfold(expr).doit(), gap=lambda u: sp.log(1 + u))
        return all(_manifestly_nonnegative(case) or _above_tangents(case) for case in cases)

    return within(is_seen) or None


def _above_tangents(expr):
    """Nonnegativity from :math:`1 - 1/a \\le \\log a \\le a - 1`, as the sign of each factor asks."""
    rest, factors = sp.expand_mul(expr), {}
    for log in sorted((a for a in rest.atoms(sp.log) if a.args[0].is_positive), key=sp.default_sort_key):
        factor, argument = sp.factor(rest.coeff(log)), log.args[0]
        rest = sp.expand_mul(rest - factor * log)
        if -factor in factors:  # log a - log b is one logarithm
            factor, argument = -factor, 1 / argument
        factors[factor] = sp.factor(factors.get(factor, 1) * argument)
    for factor, argument in factors.items():
        if factor.is_nonnegative:
            rest += factor * (1 - 1 / argument)
        elif factor.is_nonpositive:
            rest += factor * (argument - 1)
        else:
            return False
    return bool(factors) and _manifestly_nonnegative(rest)


def _manifestly_nonnegative(expr):
    if sp.expand(expr).is_nonnegative or sp.factor(expr).is_nonnegative:
        return True
    excess, _ = _generators(_expand_transcendentals(sp.exp(_expand_transcendentals(expr))))
    numerator, denominator = sp.fraction(sp.cancel(sp.together(excess - 1)))
    return bool(sp.expand(denominator).is_positive and sp.expand(numerator).is_nonnegative)


def _vanishes(expr, patient=True):
    return expr == 0 or normal(expr) == 0 or sp.expand(expr) == 0 or (patient and sp.simplify(expr) == 0)


def _cases(expr, gap=lambda u: u):
    """One expression for each order in which absolute values, maxima and minima can be resolved.

    A symbol is positive or negative; one argument of a maximum is the largest, and the others lie below it
    by a gap.
    """
    signed = {a.args[0] for a in expr.atoms(sp.Abs) if a.args[0].is_Symbol}
    signed |= {s for m in expr.atoms(sp.Max, sp.Min) if 0 in m.args for s in m.args if s.is_Symbol}
    if signed:
        symbol = min(signed, key=sp.default_sort_key)
        size = sp.Dummy(f"|{symbol}|", nonnegative=True)
        return [case for sign in (1, -1) for case in _cases(expr.subs(symbol, sign * size), gap)]
    candidates = sorted({a for m in expr.atoms(sp.Max) for a in m.args}, key=sp.default_sort_key)
    if not candidates or not all(a.is_Symbol for a in candidates):
        return [expr]
    cases, maxima = [], expr.atoms(sp.Max)
    for top in candidates:
        won = {m: top for m in maxima if top in m.args}
        gaps = {a: top - gap(sp.Dummy(f"u_{a}", nonnegative=True)) for a in candidates if a != top}
        cases.append(expr.xreplace(won).xreplace(gaps))
    return cases


def normal(expr):
    r"""A rational function of independent symbols that stand for the exponentials and logarithms in ``expr``.

    :math:`\log` of a product of positive factors becomes a sum, :math:`\exp` of a sum a product, and
    powers with symbolic exponents become exponentials.  If the result is 0, so is ``expr``; a result other
    than 0 decides nothing.
    """
    return _rational(_expand_transcendentals(sp.sympify(expr)))


def _expand_transcendentals(expr):
    if not expr.args or isinstance(expr, (sp.Indexed, sp.IndexedBase)):
        return expr
    expr = expr.func(*(_expand_transcendentals(a) for a in expr.args))
    if isinstance(expr, sp.log):
        return _split_log(expr.args[0])
    if isinstance(expr, sp.Pow) and expr.base.is_positive and not expr.exp.is_number:
        expr = sp.exp(expr.exp * _split_log(expr.base), evaluate=False)
    if isinstance(expr, sp.exp):
        return sp.Mul(*(_power(term) for term in sp.Add.make_args(sp.expand(expr.args[0]))))
    if isinstance(expr, sp.tanh):
        return _expand_transcendentals(expr.rewrite(sp.exp))
    return expr


def _power(term):
    """``exp(term)``, as a power where the term is a multiple of a logarithm."""
    coefficient, rest = term.as_independent(sp.log, as_Add=False)
    if isinstance(rest, sp.log):
        return rest.args[0] ** coefficient
    return sp.exp(term)


def _split_log(argument):
    """The logarithm of a positive argument as a sum over its factors, put over one denominator first."""
    if argument.is_number and not argument.is_Rational:
        return sp.expand_log(sp.log(argument))
    symbols, back = _generators(argument)
    factored = sp.factor(sp.together(symbols)).xreplace(back)
    total = sp.S.Zero
    for factor in sp.Mul.make_args(factored):
        base, power = factor.as_base_exp()
        if isinstance(base, sp.exp) and base.args[0].is_real:
            total += power * base.args[0]
        elif base.is_Rational and base > 0:
            total += power * sp.expand_log(sp.log(base), force=True)
        elif base.is_positive:
            total += power * sp.log(base)
        else:
            return sp.log(factored)
    return total


def _rational(expr):
    symbols, _ = _generators(expr)
    return sp.expand(sp.numer(sp.together(symbols)))


def _generators(expr):
    """``expr`` with a symbol for each independent exponential and each logarithm, and the way back."""
    there, back = {}, {}
    exponents = {}  # monomial -> the coefficients with which it occurs
    split = {}
    for e in expr.atoms(sp.exp):
        split[e] = [term.as_coeff_Mul() for term in sp.Add.make_args(sp.expand(e.args[0]))]
        for coefficient, monomial in split[e]:
            exponents.setdefault(monomial, []).append(coefficient)
    symbols, units = {}, {}
    for monomial, coefficients in exponents.items():
        rational = [c for c in coefficients if c.is_Rational]
        # the greatest rational of which every exponent is a whole multiple
        units[monomial] = sp.Rational(
            reduce(gcd, (int(c.p) for c in rational), 0) or 1, reduce(lcm, (int(c.q) for c in rational), 1))
        symbols[monomial] = sp.Dummy("t", positive=monomial.is_real)
        back[symbols[monomial]] = sp.exp(units[monomial] * monomial)
    for e, terms in split.items():
        there[e] = sp.Mul(*(symbols[m] ** (c / units[m]) for c, m in terms))
    for log in expr.atoms(sp.log):
        symbol = sp.Dummy("l", real=log.is_real)
        there[log], back[symbol] = symbol, log
    # outermost first, so that a logarithm that holds an exponential is replaced as a whole
    for old in sorted(there, key=lambda e: -e.count_ops()):
        expr = expr.xreplace({old: there[old]})
    return expr, back
