"""Rule for limits: of a function without sums as SymPy finds it, of others part by part."""

import sympy as sp

from proofread.any_size.context import REAL
from proofread.any_size.normal_form import normal, rule
from proofread.any_size.positivity import is_positive
from proofread.any_size.rational_functions import joined, split
from proofread.errors import NoRule
from proofread.language.binders import MaxOver, bound_symbols, substitute

from .elementary import logarithm

NO_VALUE = (sp.oo, -sp.oo, sp.zoo, sp.nan, sp.AccumBounds, sp.Limit)


@rule(sp.Limit)
def _limit(expr, case):
    function, variable, place, side = expr.args
    own = sp.Dummy(variable.name, **({"positive": True} if place.is_nonnegative and str(side) == "+"
                                     or place == sp.oo else {"real": True}))
    return _tends_to(substitute(function, {variable: own}), own, (place, str(side)), case)


def _tends_to(function, variable, end, case):
    """The normal form of a limit, of a function that is one of numbers or of parts that all have limits."""
    if not function.has(sp.Sum, sp.Product, MaxOver):
        return normal(_of_numbers(function, variable, end, case), case)
    form = normal(function, case)
    if variable in form.free_symbols:
        raise NoRule("the limit of a fraction of sums")
    values = {}
    for symbol in case.generators(form):
        if not (content := case.content(symbol)).has(variable):
            continue
        try:
            values[symbol] = _of_part(content, variable, end, case)
        except NoRule:
            if not isinstance(content, sp.exp):
                raise
            inverse = sp.Dummy("inverse", positive=True)  # of what grows
            values[inverse] = _of_part(sp.exp(-content.args[0]), variable, end, case)
            form = form.xreplace({symbol: 1 / inverse})
    above, below = split(form, case)
    for base, _ in below:
        tends = base.xreplace(values)
        if not (is_positive(tends, case) or is_positive(-tends, case)):
            raise NoRule("a denominator that may tend to 0")
    return sp.Add(*above).xreplace(values) / joined(below).xreplace(values)


def _of_part(content, variable, end, case):
    if isinstance(content, sp.log):
        tends = normal(sp.Limit(content.args[0], variable, *end), case)
        if not is_positive(tends, case):
            raise NoRule("the logarithm of what may tend to 0")
        return logarithm(tends, case)
    if not isinstance(content, sp.Sum):
        return normal(_of_numbers(content, variable, end, case), case)
    if any(limit_end.has(variable) for limit in content.limits for limit_end in limit[1:]):
        raise NoRule("a range depends on the variable")
    return normal(sp.Sum(sp.Limit(content.function, variable, *end), *content.limits), case)


def _of_numbers(function, variable, end, case):
    """A limit that SymPy finds, with a symbol for each entry."""
    if any(map(bound_symbols, sp.preorder_traversal(function))):
        raise NoRule("the limit of what binds a variable")
    entries = {e: sp.Dummy(str(e), positive=e.base.is_positive, real=e.base.is_real)
               for e in function.atoms(sp.Indexed)}
    if any(e.has(variable) or case.sign(e) < REAL for e in entries):
        raise NoRule("the limit of what is not real")
    try:
        found = sp.limit(function.xreplace(entries), variable, *end)
    except (NotImplementedError, ValueError, TypeError, RecursionError) as error:
        raise NoRule(f"no limit: {error}") from error
    if found.has(*NO_VALUE, variable):
        raise NoRule(f"no limit of {function}")
    return found.xreplace({symbol: e for e, symbol in entries.items()})
