"""Fractions, and derivatives, which look like fractions."""

from collections import Counter

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.language.typed import unfold

from .brackets import place_of, split, text_at
from .errors import Ambiguous, Unreadable, one_way
from .values import quotient
from .vocabulary import matches


def fraction(reading, items, at):
    """The choices for a fraction: a quotient, a derivative that waits for its body, or a whole one."""
    above, below = items[at + 1], items[at + 2]
    end, found, failures = at + 3, [], []
    sign = text_at(above.items, 0)
    if sign in (r"\partial", "d") and text_at(below.items, 0) == sign:
        rest = above.items[1:]
        if not rest or len(rest) == 2 and rest[0].text == "^":
            order = reading.natural(rest[1]) if rest else 1
            with one_way(failures):
                found.append((end, "OPERATOR", _derivative(reading, below, sign, order)))
        elif sign == r"\partial":
            found.append((end, "ATOM", _partial(reading, rest, below.items[1:], above.at)))
    if sign != r"\partial":
        with one_way(failures):
            top, bottom = reading.number(above.items, above.at), reading.number(below.items, below.at)
            if at and items[at - 1].text[0].isdigit() and top.is_Integer and bottom.is_Integer:
                raise Ambiguous("a product, or a mixed number?", items[at].at)
            found.append((end, "FRACTION", quotient(top, bottom, below.at)))
    if not found:
        raise (failures or [Unreadable("this is neither a quotient nor a derivative", items[at].at)])[0]
    return found


def _derivative(reading, below, sign, order):
    """The operator whose denominator is ``\\partial x^{2} \\partial y``, with its total order."""
    counts, by = Counter(), None
    for part in split(below.items, sign)[1:]:
        times = 1
        if len(part) > 2 and part[-2].text == "^":
            part, times = part[:-2], reading.natural(part[-1])
        variable = _value(reading, part, below.at)
        if isinstance(variable, (sp.Symbol, sp.Indexed)):
            counts[variable] += times
        else:
            by = next(((argument, build) for _, argument, build in reading.vocabulary.partials
                       if variable == argument or _is_name(reading, part, argument)), None)
            if by is None or order != 1:
                raise Unreadable("a variable is expected here", place_of(part, 0))
    if by is not None:
        return lambda body: by[1](body, by[0])
    if sum(counts.values()) != order:
        raise Unreadable("the orders of this derivative do not agree", below.at)
    # the one that stands last is taken first
    return lambda body: sp.Derivative(body, *reversed(counts.items()))


def _partial(reading, name, argument, at):
    r"""What ``\frac{\partial F}{\partial f'}`` stands for."""
    function = reading.vocabulary.function(name)
    found = [build(application, by) for application, by, build in reading.vocabulary.partials
             if function is not None and getattr(unfold(application), "func", None) == function
             and _is_name(reading, argument, by)]
    if not found:
        raise Unreadable("no such derivative is known", at)
    if any(value != found[0] for value in found):
        raise Ambiguous("several arguments have this name", at)
    return found[0]


def _is_name(reading, items, thing):
    """Whether some items are the name of an argument, which is written without its own arguments."""
    primes = sum(item.text == "'" for item in items)
    stem = items[:len(items) - primes]
    thing = unfold(thing)
    named = map(unfold, _named(reading, stem, thing))
    if primes:
        return any(sp.Derivative(value, (by, primes)) == thing for value in named
                   for by in value.free_symbols if isinstance(by, sp.Symbol))
    return any(value == thing for value in named)


def _named(reading, stem, thing):
    """What a name may stand for, where it is the name of a part of ``thing``."""
    named = [part for part in thing.atoms(AppliedUndef) if part.func == reading.vocabulary.function(stem)]
    if (value := _value(reading, stem, 0)) is not None:
        named.append(value)
    # a definition whose last argument is left out: which one it is, the argument itself tells
    for meaning in reading.vocabulary.meanings(stem[:1]):
        if meaning.call == "(" and len(meaning.slots or ()) == 1:
            for _, bound in matches(meaning.stem, stem, inside=True):
                given = reading.arguments([bound], stem[0].at)
                named += [meaning.build(*given, last) for last in thing.free_symbols]
    return named


def _value(reading, items, at):
    """The value of some items; ``None`` where they have none, as the bare name of a function."""
    failures = []  # of no interest: the name of a function is no formula, and has its meaning all the same
    with one_way(failures):
        return reading.whole(items, at)
    return None
