"""Derivatives of undefined functions, each in one form: SymPy has several, and takes them for different."""

import sympy as sp
from sympy.core.function import AppliedUndef


def orders(expr):
    """For a derivative of ``F(x, f(x), …)`` by its own bare arguments, how often by each; else `None`."""
    application = expr.expr
    if not isinstance(application, AppliedUndef):
        return None
    arguments, result = application.args, [0] * len(application.args)
    for variable, count in expr.variable_count:
        places = [i for i, a in enumerate(arguments) if a == variable]
        # by a symbol it is the total derivative, by f(x) or f'(x) the partial one
        total = variable.is_Symbol and sum(a.has(variable) for a in arguments) != 1
        if len(places) != 1 or total or not count.is_Integer:
            return None
        result[places[0]] += int(count)
    return result


def canonical(expr):
    """Every derivative of an undefined function in one form: a function of its own at its arguments.

    SymPy writes the same partial derivative in several ways, with ``Subs`` and without, takes them for
    different, and differentiates one of them wrongly (1.14: ``F(x, f(x),
    f(x).diff(x)).diff(f(x).diff(x)).diff(x)`` has a term too many).  So derivatives are taken from the inside
    out here, of plain functions only.
    """
    if not expr.has(AppliedUndef):
        return expr
    if isinstance(expr, sp.Subs):
        own = {v: sp.Dummy(real=True) for v in expr.variables}
        inner = canonical(expr.expr.xreplace(own))
        return inner.xreplace({own[v]: canonical(p) for v, p in zip(expr.variables, expr.point)})
    if isinstance(expr, sp.Derivative):
        inner = canonical(expr.expr)
        for variable, count in expr.variable_count:
            for _ in range(int(count)):
                inner = _differentiate(inner, canonical(variable))
        return inner
    return expr.func(*(canonical(a) for a in expr.args)) if expr.args else expr


def _differentiate(expr, variable):
    """The derivative of a canonical expression: the total one by a symbol, the partial one by ``f(x)``."""
    if variable.is_Symbol:
        return _named(expr.diff(variable))
    slot = sp.Dummy(real=True)
    return _differentiate(expr.xreplace({variable: slot}), slot).xreplace({slot: variable})


def _named(expr):
    """Each first derivative of a plain function, as SymPy's chain rule leaves it, by its name."""
    if not expr.has(AppliedUndef) or not expr.args:
        return expr
    if isinstance(expr, sp.Subs):
        return _named(expr.expr).xreplace(dict(zip(expr.variables, expr.point)))
    if isinstance(expr, sp.Derivative):
        raised = orders(expr)
        name, before = plain_name(expr.expr)
        raised = [a + b for a, b in zip(raised, before)]
        return sp.Function(f"{name}⟨{','.join(map(str, raised))}⟩", real=True)(*expr.expr.args)
    return expr.func(*(_named(a) for a in expr.args))


def plain_name(application):
    """The name of a function in the form of `canonical`, and how often each argument differentiates it.

    Examples
    --------
    >>> x = sp.Symbol("x", real=True)
    >>> f = sp.Function("f", real=True)
    >>> plain_name(f(x)), plain_name(canonical(f(x).diff(x, x)))
    (('f', [0]), ('f', [2]))
    """
    name, _, orders = application.func.__name__.partition("⟨")
    return name, list(map(int, orders.rstrip("⟩").split(","))) if orders else [0] * len(application.args)
