"""Second pass: what each atom of a formula means, and which readings a formula has."""

import sympy as sp

from .brackets import place_of, spelled, split, text_at
from .common import common
from .errors import Ambiguous, Unreadable, one_way
from .grammar import parse, terminal
from .values import built, has_odd_index, scalar_or_matrix, slope
from .vocabulary import matches

_TOO_MANY = 200  # readings that are tried before the reader gives up


class Reading:
    """One formula, or a part of it, with a vocabulary.

    The rooms of what everybody knows are given the reading, and ask it for the values of parts.
    """

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.known = {}  # the choices at a place: several readings meet there

    # --- a formula

    def whole(self, items, at=0):
        """The value of some items, which must have one reading."""
        if not items:
            raise Unreadable("an expression is missing", at)
        values, failures, tried = [], [], 0
        open_ends = [(0, [])]
        while open_ends:
            tried += 1
            if tried > _TOO_MANY:
                raise Unreadable("there are too many ways to read this", items[0].at)
            with one_way(failures):
                value = parse(self._terminals(items, *open_ends.pop(), open_ends), items)
                if value not in values:
                    values.append(value)
            if len(values) > 1:
                raise Ambiguous(f"this can be read as {values[0]} and as {values[1]}", items[0].at)
        if not values:
            raise _furthest(failures)
        return values[0]

    def number(self, items, at):
        """The value of some items that must be a number, or a matrix."""
        return scalar_or_matrix(self.whole(items, at), at)

    def symbol(self, items, at):
        """The symbol that some items name."""
        value = self.whole(items, at)
        if not isinstance(value, sp.Symbol):
            raise Unreadable("a symbol is expected here", at)
        return value

    def natural(self, group):
        """The whole number in a group: an order, or a power."""
        value = self.whole(group.items, group.at)
        if not (value.is_Integer and value > 0):
            raise Unreadable("a whole number is expected here", group.at)
        return value

    def equation(self, items):
        """The symbol and the value in ``x = a``."""
        variable, *value = split(items, "=")
        if len(value) != 1:
            raise Unreadable("an equation is expected here", place_of(items, 0))
        return self.symbol(variable, place_of(items, 0)), self.number(*value, place_of(items, 0))

    def scripts(self, items, at):
        """The subscript and the superscript from ``at`` on, and where they end."""
        found = {}
        while text_at(items, at) in ("_", "^") and items[at].text not in found:
            found[items[at].text] = items[at + 1].items
            at += 2
        return found.get("_", ()), found.get("^", ()), at

    # --- its atoms

    def _terminals(self, items, at, terminals, open_ends):
        """The rest of one reading; where there is a choice, the others are put on the list of open ends."""
        while at < len(items):
            key = id(items), at
            if key not in self.known:
                # with the items, so that no other ones take their id
                self.known[key] = self._choices(items, at), items
            (end, kind, value), *others = self.known[key][0]
            open_ends += [(stop, [*terminals, terminal(*other, items[at].at)]) for stop, *other in others]
            terminals = [*terminals, terminal(kind, value, items[at].at)]
            at = end
        return terminals

    def _choices(self, items, at):
        """What can stand here: where it ends, which terminal of the grammar it is, and its value."""
        failures = []
        found = self.claimed(items, at, failures)
        if not found or items[at].text in (r"\frac", r"\mathrm", r"\,d"):
            # what the page defines goes before what everybody knows, but notation keeps its meaning
            with one_way(failures):
                found += [choice for choice in common(self, items, at) if choice not in found]
        if not found:
            raise _furthest(failures, Unreadable("a variable is expected here", items[at].at))
        return found

    def claimed(self, items, at, failures):
        """The choices that the vocabulary gives."""
        if items[at].text == r"\,d":
            items = (*items[:at], items[at]._replace(text="d"), *items[at + 1:])
        found = []
        for meaning in self.vocabulary.meanings(items[at:at + 1]):
            for stem_end, bound in matches(meaning.stem, items, at):
                with one_way(failures):
                    end, value = self._applied(meaning, items, stem_end, bound)
                    cut = end < len(items) and (items[end].text in ("_", "'") or
                                                items[end].text == "^" and items[end - 1].text == "'")
                    if not cut and (end, "ATOM", value) not in found:
                        found.append((end, "ATOM", value))
        likely = [choice for choice in found if not has_odd_index(choice[2])]
        return likely or found

    def _applied(self, meaning, items, at, bound):
        """The value of a meaning whose stem ends at ``at``, and where its indices or arguments end."""
        if meaning.call == "_":
            return self._entry(meaning, items, at)
        if meaning.call == "(":
            return self._called(meaning, items, at, bound)
        arguments = self.arguments([bound], place_of(items, at - 1))
        return at, built(meaning.build, arguments, items[at - 1].at)

    def _entry(self, meaning, items, at):
        if at + 1 >= len(items) or items[at].text != "_":
            raise Unreadable("an index is missing", place_of(items, at))
        arguments = [self.whole(part, items[at].at) for part in split(items[at + 1].items, ",")]
        at += 2
        if spelled(items[at:at + len(meaning.after)]) != spelled(meaning.after):
            raise Unreadable(f"{spelled(meaning.after)} is missing", place_of(items, at))
        return at + len(meaning.after), built(meaning.build, arguments, items[at - 1].at)

    def _called(self, meaning, items, at, bound):
        primes, power = 0, None
        while at < len(items) and items[at].text == "'":
            at, primes = at + 1, primes + 1
        if at + 2 < len(items) and items[at].text == "^" and items[at + 2].text == "(":  # h^{2}(x)
            power, at = self.natural(items[at + 1]), at + 2
        if at == len(items) or items[at].text != "(":
            raise Unreadable("the arguments are missing", place_of(items, at))
        if meaning.slots is None:
            arguments = [self.whole(part, items[at].at) for part in split(items[at].items, ",")]
        else:
            fits = [{**bound, **more} for _, more in matches(meaning.slots, items[at].items, inside=True)]
            arguments = self.arguments(fits, items[at].at)
        if primes:
            value = slope(meaning.build, arguments, primes, items[at].at)
        else:
            value = built(meaning.build, arguments, items[at].at)
        return at + 1, value if power is None else value**power

    def arguments(self, fits, at):
        """The arguments in the slots, for the one way of filling them that can be read."""
        read, failures = [], [Unreadable("the arguments do not fit", at)]
        for bound in fits:
            with one_way(failures):
                read.append([self._filled(bound[slot], at) for slot in sorted(bound)])
        if not read:
            raise failures[-1]
        if any(arguments != read[0] for arguments in read):
            raise Ambiguous("these arguments can be told apart in two ways", at)
        return read[0]

    def _filled(self, filled, at):
        """The value of what stands in a slot."""
        items, atomic = filled
        whole = (kind for end, kind, _ in self._choices(items, 0) if end == len(items))
        if atomic and not {"ATOM", "NUMBER"}.intersection(whole):
            raise Unreadable("here an argument needs brackets", items[0].at)
        return self.whole(items, at)


def _furthest(failures, *default):
    """The failure that came last in the TeX: up to there, everything could be read."""
    return max(failures or default, key=lambda failure: failure.at)
