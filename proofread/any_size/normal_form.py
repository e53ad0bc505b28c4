"""The normal form of an expression: a rational function of generators, for every size at once.

``normal(expr, case)`` looks for the rule of the expression's kind.  Each rule is an identity that holds for
all sizes and all values that the case allows; where its condition is not surely met it raises `NoRule`.
"""

import sympy as sp

from proofread.errors import NoRule
from proofread.language.binders import substitute

from .context import refuse_poles

RULES = {}  # kind of expression -> function of the expression and the case


def rule(*kinds):
    """Register the rule for some kinds of expressions."""
    def register(function):
        RULES.update(dict.fromkeys(kinds, function))
        return function
    return register


def normal(expr, case):
    """The normal form of an expression."""
    expr = sp.sympify(expr)
    if expr not in case.memo:
        found = _rule_of(expr)
        case.proof.used.add(found)
        case.memo[expr] = refuse_poles(found(expr, case), expr)
    return case.memo[expr]


def _rule_of(expr):
    for kind in type(expr).__mro__:
        if kind in RULES:
            return RULES[kind]
    if expr.is_number and expr.is_real and expr.is_finite:
        return opaque
    raise NoRule(f"no rule for {type(expr).__name__}")


def opaque(expr, case):
    """What is not looked into."""
    return case.generator(expr)


def replaced(form, values, case):
    """A normal form with other indices: what depends on them is normalised again."""
    new = {}
    for symbol in form.free_symbols:
        content = case.content(symbol)
        if content.free_symbols & set(values):
            new[symbol] = normal(substitute(content, values), case)
    return refuse_poles(form.xreplace(new), "a term that is left out, or its neighbour,")
