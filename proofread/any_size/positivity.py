"""Whether a normal form is positive for sure, where the signs of its generators do not show it.

This is the prover of signs for sums of any length; of plain expressions it is `language.intervals`.  The
signs of generators are told by `Case.sign`, from those of their parts.

In :math:`\\sum_i e^{z_i}-e^{z_k}` the sum is the term at :math:`k` and a rest that is positive as soon as
there is another index; in :math:`\\sum_{i=1}^n w_i-\\sum_{i=1}^k w_i` the whole is its beginning and a rest.
"""

import itertools

import sympy as sp

from proofread.language.binders import substitute

from .context import NONNEGATIVE, POSITIVE
from .normal_form import normal
from .rational_functions import split


def is_positive(form, case):
    """Whether a normal form is surely positive."""
    form = sp.expand(form)
    rules = _beyond_least, _terms_and_rest, _head_and_rest, _above_one
    return bool(form.is_positive or any(_with(form, rule(form, case)) for rule in rules)
                or _is_positive_quotient(form, case))


def _with(form, values):
    return bool(values) and bool(sp.expand(form := form.xreplace(values)).is_positive
                                 or sp.factor(form).is_positive)


def _is_positive_quotient(form, case):
    monomials, below = split(form, case)
    return bool(below) and is_positive(sp.Add(*monomials), case) and all(
        is_positive(base, case) for base, power in below)


def _above_one(form, case):
    """Each exponential of what is positive as more than 1."""
    contents = ((s, case.content(s)) for s in case.generators(form))
    return {s: 1 + sp.Dummy("more", positive=True) for s, content in contents
            if isinstance(content, sp.exp) and case.sign(content.args[0]) == POSITIVE}


def _beyond_least(form, case):
    """Each size as its least value and more."""
    return {size: least + sp.Dummy("more", integer=True, nonnegative=True)
            for size, least in case.least.items() if least > 0 and size in form.free_symbols}


def _whole_sums(form, case):
    """The simple sums in a form that run over 1 … size: generator, index, size and term."""
    for symbol in case.generators(form):
        content = case.content(symbol)
        if isinstance(content, sp.Sum) and len(content.limits) == 1:
            index = content.limits[0][0]
            if size := case.to_size(index):
                yield symbol, index, size, content.function


def _terms_and_rest(form, case):
    """Each sum of positive terms as those at the indices that occur, and a positive rest."""
    values = {}
    for symbol, index, size, term in _whole_sums(form, case):
        if case.sign(term) < POSITIVE:
            continue
        outside = case.depends(form)
        free = [k for k in case.free if k in outside and size in case.tops.get(k, ())]
        bound = [k for k in outside if k in case.ranges and k != index and case.ranges[k] == (1, size)]
        split = sorted(free, key=str) + bound
        if not split or bound and len(split) > 1:  # a bound index may be equal to another one
            continue
        sign = {"positive": True} if case.least[size] > len(split) else {"nonnegative": True}
        rest = sp.Dummy("rest", **sign)
        values[symbol] = rest + sum(normal(substitute(term, {index: k}), case) for k in split)
    return values


def _head_and_rest(form, case):
    """Each whole sum of terms that are not negative as its beginning, where that occurs too, and a rest."""
    slot = sp.Dummy("i", integer=True, positive=True)
    heads = {}
    for symbol in case.generators(form):
        content = case.content(symbol)
        if (isinstance(content, sp.Sum) and len(content.limits) == 1
                and case.sign(content.function) >= NONNEGATIVE):
            (index, low, high), = content.limits
            if low == 1:
                heads.setdefault(substitute(content.function, {index: slot}), []).append((high, symbol))
    values = {}
    for group in heads.values():
        for (end, head), (size, whole) in itertools.permutations(group, 2):
            if case.is_at_most(end, size):
                values[whole] = head + sp.Dummy("rest", nonnegative=True)
    return values
