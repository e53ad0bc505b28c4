"""The inverse of a sum P of words: a letter, with the relations P P^-1 = I = P^-1 P.

The relations are written for the words at hand, on each of their sides, and solved for the longest words.
"""

import sympy as sp

from .noncommutative import Letter, cancelled, columns, cut, inverted, order, rotations, rows

ROUNDS, MOST, LONGEST = 3, 220, 12  #: how often relations are written, how many, and of how many terms


def solved(form, words):
    """A form in which words with the inverse of a sum are expressed by others, as far as is seen."""
    for _ in range(ROUNDS):
        before, form = form, form.xreplace(_values(relations(form, words), words))
        if form == before:
            break
    return form


def _values(some, words):
    """What relations say of words with the inverse of a sum, the longest first."""
    values = {}
    for relation in some:
        relation = sp.expand(sp.numer(sp.together(relation.xreplace(values))))
        if len(sp.Add.make_args(relation)) > LONGEST:
            continue
        unknown = [g for g in relation.free_symbols if g in words.word and _has_sum(g, words)]
        for g in sorted(unknown, key=lambda g: (-len(words.word[g][1]), order(words.word[g][1]))):
            c, rest = relation.coeff(g), relation.xreplace({g: sp.S.Zero})
            if sp.expand(c * g + rest - relation) == 0 and surely_nonzero(c, words):
                value = sp.expand(-rest / c)
                holding = {h: v for h, v in values.items() if g in v.free_symbols}
                values |= {h: sp.expand(v.xreplace({g: value})) for h, v in holding.items()} | {g: value}
                break
    return values


def _has_sum(g, words):
    return any(x.symbol in words.sums for x in words.word[g][1])


def surely_nonzero(c, words):
    """Dividing by zero would prove anything: two symbols for numbers may be equal without being the same."""
    if c.is_nonzero or c.has(sp.Indexed, sp.Sum, *words.content):
        return bool(c.is_nonzero)
    if any(s.is_integer for s in c.free_symbols):
        return False  # it may vanish at one dimension, and there are no others close by
    return bool(c.is_rational_function() and sp.cancel(c) != 0)


# --- relations --------------------------------------------------------------------------------------


def relations(form, words):
    """Expressions that vanish, since P P^-1 = I = P^-1 P for each sum P that is inverted."""
    found, seen, todo = {}, set(), form.free_symbols & words.word.keys()
    if not any(_has_sum(g, words) for g in todo):
        return []
    for anywhere in (True, False):
        for g in sorted(todo, key=lambda g: order(words.word[g][1])):
            kind, word = words.word[g]
            places = _at_ends(word, words) if kind == "trace" else _inside(word, words)
            for place in (*places, *_insertions(kind, word, anywhere, words)):
                if len(found) < MOST and place not in found and kind != "determinant":
                    found[place] = _relation(kind, *place, words)
        seen |= todo
        todo = set().union(*(r.free_symbols for r in found.values())) & words.word.keys() - seen
    return list(found.values())


def _relation(kind, left, letter, right, before, words):
    """``left P P^-1 right - left right``, or with the sum behind its inverse, as numbers."""
    def closed(word):
        if kind == "trace":
            return words.trace(word, rows(letter))
        return sp.Mul(*map(words.form, cut(word)))

    whole = words.inverse_of_letter(letter)
    return sum((c * closed(left + (w + (letter,) if before else (letter,) + w) + right)
                for w, c in whole.words.items()), -closed(left + right))


def _inside(word, words):
    """Where P^-1 in a form stands beside a term of P, or would after a multiplication by one."""
    for k, letter in enumerate(word):
        if letter.symbol in words.sums:
            for term in words.inverse_of_letter(letter).words:
                if (left := _without(word[:k], term, words, at_end=True)) is not None:
                    yield left, letter, word[k + 1:], True
                if (right := _without(word[k + 1:], term, words, at_end=False)) is not None:
                    yield word[:k], letter, right, False


def _at_ends(word, words):
    """The same for a trace, which has no ends: P^-1 is rotated to the end, or to the beginning."""
    for rotated in rotations(word):
        if rotated[0].symbol in words.sums:
            for left, letter, right, before in _inside(rotated[1:] + rotated[:1], words):
                if before and not right:
                    yield left, letter, right, before
            for left, letter, right, before in _inside(rotated, words):
                if not before and not left:
                    yield left, letter, right, before


def _insertions(kind, word, anywhere, words):
    """Where P P^-1 can be put in: everywhere, or where a term of P cancels what stands before it."""
    for rotated in rotations(word) if kind == "trace" else [word]:
        for k in [len(word)] if kind == "trace" else range(1, len(word)):
            for letter in _inverses(words):
                terms = words.inverse_of_letter(letter).words
                cancels = any(t and rotated[k - 1] == inverted(t[0]) for t in terms)
                if rows(letter) == columns(rotated[k - 1]) and (anywhere or cancels):
                    yield rotated[:k], letter, rotated[k:], True


def _inverses(words):
    return [Letter(s, transposed, True) for s in words.sums
            for transposed in ([False] if words.symmetric(s) else [False, True])]


def _without(word, term, words, at_end):
    """The word that a term would complete to ``word`` on one side: it stands there, or has an inverse."""
    start = len(word) - len(term)
    if at_end and start >= 0 and word[start:] == term:
        return word[:start]
    if not at_end and word[:len(term)] == term:
        return word[len(term):]
    if any(rows(x) != columns(x) or x.symbol in words.sums for x in term):
        return None
    undone = tuple(inverted(x) for x in reversed(term))
    return cancelled(word + undone if at_end else undone + word)
