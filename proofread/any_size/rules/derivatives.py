"""Derivatives by a symbol or by an entry: deltas arise where two entries may be the same."""

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.any_size.context import Delta
from proofread.any_size.normal_form import normal, opaque, rule
from proofread.errors import NoRule
from proofread.language.binders import Unless, bound_symbols, substitute
from proofread.language.intervals import SMOOTH

#: functions of one variable, of which SymPy knows the derivative
KNOWN = (*SMOOTH, sp.tan, sp.gamma, sp.loggamma, sp.digamma)


@rule(sp.Derivative)
def _derivative(expr, case):
    inner = with_own_indices(expr.expr)
    if isinstance(inner, AppliedUndef) and all(v in inner.args for v in expr.variables):
        return opaque(expr, case)
    for variable, count in expr.variable_count:
        if not count.is_Integer:
            raise NoRule("a derivative of symbolic order")
        for _ in range(int(count)):
            inner = differentiate(inner, variable)
    return normal(inner, case)


def with_own_indices(expr, names=None):
    """An expression in which every bound variable has a name of its own, beside those in ``names``."""
    names, binds = names or {}, bool(bound_symbols(expr))
    is_leaf = not expr.args or isinstance(expr, (sp.Indexed, sp.IndexedBase))
    if is_leaf or binds and not hasattr(expr, "limits"):
        return substitute(expr, names) if names else expr
    if not binds:
        arguments = [with_own_indices(a, names) for a in expr.args]
        return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)
    limits = []
    for symbol, *ends in reversed(expr.limits):
        own = sp.Dummy(symbol.name, **symbol.assumptions0)
        limits.append((own, *(with_own_indices(e, names) for e in ends)))
        names = {**names, symbol: own}
    return expr.func(with_own_indices(expr.function, names), *reversed(limits))


def differentiate(expr, variable):
    """The derivative of an expression in which every bound variable has a name of its own."""
    def d(e):
        if e == variable:
            return sp.S.One
        if isinstance(e, sp.Indexed):
            same = isinstance(variable, sp.Indexed) and variable.base == e.base
            return sp.Mul(*map(Delta, e.indices, variable.indices)) if same else sp.S.Zero
        if not e.args or not _occurs(variable, e):
            return sp.S.Zero
        for kind, rule_ in DERIVATIVES.items():
            if isinstance(e, kind):
                return rule_(e, d)
        raise NoRule(f"no derivative of {type(e).__name__}")

    return d(expr)


def _occurs(variable, expr):
    return expr.has(variable.base if isinstance(variable, sp.Indexed) else variable)


def _of_product(e, d):
    return sp.Add(*(sp.Mul(*e.args[:k], d(a), *e.args[k + 1:]) for k, a in enumerate(e.args)))


def _of_power(e, d):
    if e.exp.is_number:
        return e.exp * e.base ** (e.exp - 1) * d(e.base)
    return e * (d(e.exp) * sp.log(e.base) + e.exp * d(e.base) / e.base)


def _within_fixed_range(e, d):
    if any(d(end) != 0 for limit in e.limits for end in limit[1:]):
        raise NoRule("a range depends on the variable")
    return e.limits


def _of_sum(e, d):
    return sp.Sum(d(e.function), *_within_fixed_range(e, d))


def _of_ranged_product(e, d):
    # the normal form has no rule where a factor may vanish
    return e * sp.Sum(d(e.function) / e.function, *_within_fixed_range(e, d))


def _of_undefined(e, d):
    variables = [a for a in e.args if a.is_Symbol and d(a) == 1]
    if len(variables) != 1 or any(d(a) != 0 for a in e.args if a != variables[0]):
        raise NoRule(f"the chain rule for {e.func}")
    return sp.Derivative(e, variables[0])


def _of_polygamma(e, d):
    order, argument = e.args
    if d(order) != 0:
        raise NoRule("a derivative by the order of a polygamma function")
    return e.fdiff(2) * d(argument)


def _of_derivative(e, d):
    inner = e.expr
    if isinstance(inner, AppliedUndef):
        raise NoRule("a second derivative of an undefined function")
    for variable, count in e.variable_count:
        for _ in range(int(count)):
            inner = differentiate(inner, variable)
    return d(inner)


#: the rule of each kind of expression
DERIVATIVES = {
    sp.Add: lambda e, d: sp.Add(*map(d, e.args)),
    sp.Mul: _of_product,
    sp.Pow: _of_power,
    sp.exp: lambda e, d: e * d(e.args[0]),
    sp.log: lambda e, d: d(e.args[0]) / e.args[0],
    KNOWN: lambda e, d: e.fdiff(1) * d(e.args[0]),
    sp.polygamma: _of_polygamma,
    AppliedUndef: _of_undefined,
    sp.Sum: _of_sum,
    sp.Product: _of_ranged_product,
    Unless: lambda e, d: Unless(d(e.args[0]), d(e.args[1]), *e.args[2:]),
    sp.Derivative: _of_derivative,
}
