"""What the names of a page mean, and where in a formula they stand."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import sympy as sp
from sympy.core.function import UndefinedFunction

from .brackets import Group, spelled, tree
from .names import tex_name
from .values import is_matrix


@dataclass(frozen=True)
class Vocabulary:
    r"""What the names of a statement mean.

    Parameters
    ----------
    names : dict
        SymPy names, such as ``"mu_p"`` or ``"theta^{(1)}"``: each a ``Symbol`` (bound ones too), an
        ``IndexedBase``, a ``MatrixSymbol`` or an undefined function; or a tuple of these, such as a number
        and a vector of one name.
    templates : tuple
        Definitions, each a TeX head with ``#1``, ``#2``, …, the number of parameters, and what builds the
        expression from the arguments.  In a head without ``#1`` they follow in parentheses.
    laws : dict
        TeX name of a law to its variable and two callables, for the expectation and the variance of an
        expression.
    divergence : callable
        Makes the divergence of two laws from their names.
    ranges : dict
        Name of an index to its least and its largest value.
    partials : tuple
        Derivatives by an argument of a function, each the application, the argument, and what builds the
        expression from two such: for ``\frac{\partial F}{\partial f'}`` from these, for
        ``\frac{\partial}{\partial f'} [...]`` from what stands in the brackets and the argument.
    constants : dict
        TeX of a constant to its value.
    """

    names: dict = field(default_factory=dict)
    templates: tuple = ()
    laws: dict = field(default_factory=dict)
    divergence: object = None
    ranges: dict = field(default_factory=dict)
    partials: tuple = ()
    constants: dict = field(default_factory=dict)

    def meanings(self, first):
        """The meanings of which the TeX begins with these items: one, or none."""
        return self._meanings.get(spelled(first), ())

    def function(self, items):
        """The undefined function that these items name, if there is one."""
        return self._functions.get(spelled(items))

    def vector(self, items):
        """The vector that these items name, if there is one."""
        return self._vectors.get(spelled(items))

    def law(self, items):
        """The name of a law as it was given, if these items spell one."""
        return self._laws.get(spelled(items))

    def range_of(self, index):
        """The index with its least and its largest value, if the page tells them."""
        found = (self.ranges[name] for name, thing in self._things()
                 if thing == index and name in self.ranges)
        return next(((index, *ends) for ends in found), None)

    @cached_property
    def _meanings(self):
        """The meanings, by the first item of their TeX."""
        table = {}
        constants = (Meaning(tree(tex), lambda value=value: value) for tex, value in self.constants.items())
        for meaning in (*self._of_names(), *self._of_templates(), *constants):
            table.setdefault(spelled(meaning.stem[:1]), []).append(meaning)
        return table

    @cached_property
    def _functions(self):
        return {spelled(tree(tex_name(name))): thing for name, thing in self._things()
                if isinstance(thing, UndefinedFunction)}

    @cached_property
    def _vectors(self):
        return {spelled(tree(tex_name(name))): thing for name, thing in self._things()
                if isinstance(thing, sp.IndexedBase)}

    @cached_property
    def _laws(self):
        return {spelled(tree(name)): name for name in self.laws}

    def _things(self):
        for name, things in self.names.items():
            for thing in things if isinstance(things, (tuple, list)) else (things,):
                yield name, thing

    def _of_names(self):
        for name, thing in self._things():
            stem = tree(tex_name(name))
            if isinstance(thing, sp.IndexedBase):
                def entry(*indices, base=thing):
                    return base[indices]

                yield Meaning(stem, entry, "_")
                if (raised := next((i for i, item in enumerate(stem) if item.text == "^"), None)) is not None:
                    # the index may also stand below the superscript of the name
                    yield Meaning(stem[:raised], entry, "_", after=stem[raised:])
            elif isinstance(thing, UndefinedFunction):
                yield Meaning(stem, thing, "(")
            else:
                yield Meaning(stem, lambda thing=thing: thing)
                if is_matrix(thing):  # SymPy counts from 0
                    yield Meaning(stem, lambda i, j=1, thing=thing: thing[i - 1, j - 1], "_")

    def _of_templates(self):
        for head, arity, build in self.templates:
            stem, slots = tree(head), None
            if "#" not in head and arity:
                slots = tree(",".join(f"#{k}" for k in range(1, arity + 1)))
            elif "#" in head and isinstance(stem[-1], Group) and stem[-1].text == "(":
                *stem, last = stem
                stem, slots = tuple(stem), last.items
            yield Meaning(stem, build, "(" if slots else "", slots)


@dataclass(frozen=True)
class Meaning:
    """A stretch of TeX and what it builds: a stem, perhaps with slots, and then indices or arguments."""

    stem: tuple
    build: object
    call: str = ""  # "_" for indices, "(" for arguments
    slots: tuple | None = None  # what stands in the brackets; by default any number of arguments
    after: tuple = ()  # a superscript that follows the indices


class Filled(NamedTuple):
    """What stands in a slot; next to an operator or an exponent of the head only an atom may stand."""

    items: tuple
    atomic: bool


_APART = {",", ";", ":", "|", r"\|", r"\mid", r"\sim", r"\to", "=", "<", ">", r"\le", r"\ge", r"\neq"}


def matches(pattern, items, at=0, inside=False, place=0):
    """Each way in which a pattern fits from ``at`` on: where it ends, and what is in its slots."""
    if place == len(pattern):
        if not inside or at == len(items):
            yield at, {}
        return
    this = pattern[place]
    if this.text.startswith("#"):
        beside = [pattern[p].text if 0 <= p < len(pattern) else "," if inside else ""
                  for p in (place - 1, place + 1)]
        for end in range(at + 1, len(items) + 1):
            filled = Filled(items[at:end], not _APART.issuperset(beside))
            for stop, bound in matches(pattern, items, end, inside, place + 1):
                if this.text not in bound or spelled(bound[this.text].items) == spelled(filled.items):
                    yield stop, {**bound, this.text: filled}
    elif at < len(items) and this.text == items[at].text and type(this) is type(items[at]):
        within = matches(this.items, items[at].items, inside=True) if isinstance(this, Group) else [(0, {})]
        for _, inner in within:
            for stop, bound in matches(pattern, items, at + 1, inside, place + 1):
                yield stop, {**inner, **bound}
