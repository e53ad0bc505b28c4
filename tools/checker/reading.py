r"""A formula as a reader types it, in plain text or in TeX; nothing that is typed is executed.

Plain text is read by `plain`; TeX by the reader that proof-reads the book.  Either way names mean what they
mean in the exercise, and then what its page says: ``pi_k``, ``pi(k)`` and ``\pi_k`` are one thing.
"""

import re
from dataclasses import replace
from itertools import accumulate

import sympy

from proofread.language.defined import AppliedDefinition
from proofread.language.typed import unfold
from proofread.latex.printer import tex
from proofread.latex.reader import Unreadable, read
from proofread.latex.reader.names import tex_name
from proofread.latex.round_trip import vocabulary

from . import plain

LONGEST = 500  #: signs
DEEPEST = 12  #: brackets within brackets; in TeX, where commands have braces, twice as many


class Vocabulary:
    """What names mean in an exercise or a line: what it is about, what its page defines, what all know.

    Parameters
    ----------
    shown : sequence of expressions
        What it is about, as it was typed.
    things : iterable
        What has a name in it: symbols, vectors, functions.
    definitions : list
        Definitions of the page, each applied to its parameters.
    """

    def __init__(self, shown, things, definitions):
        things, used = list(things), list(_applied(shown))
        things.sort(key=lambda thing: thing.name == plain.bare(thing.name))  # of m and m', m is typed m
        self.names = {plain.bare(thing.name): thing for thing in things}
        self.defined = _by_word(definitions) | _by_word(used)
        own = {tex_name(thing.name) for thing in things} | {_head(one) for one in used}
        spared = [one for one in definitions if _head(one) not in own]
        self.tex = vocabulary(*shown, symbols=things, heads=spared)

    def read(self, text):
        """The formulas that a text holds, with commas between them, as they were typed.

        Raises
        ------
        ValueError
            With what cannot be read, in words.
        """
        text = text.strip().removeprefix("$").removesuffix("$").strip()
        if len(text) > LONGEST:
            raise ValueError(f"A formula has at most {LONGEST} signs here; yours has {len(text)}.")
        if _depth(text) > DEEPEST * (2 if "\\" in text else 1):
            raise ValueError("This formula has too many brackets within brackets.")
        if "\\" in text:
            return self._read_tex(text)
        try:
            parts, strange = plain.read(text, self)
            if not strange:
                return parts
        except ValueError as error:
            parts, trouble = None, error
        try:  # perhaps TeX without a command, where letters side by side are a product
            return self._read_tex(text)
        except ValueError:
            if parts is None:
                raise trouble from None
            return parts

    def _read_tex(self, text):
        text = text.translate(plain.SIGNS)
        known = replace(self.tex, names={**_bound(text), **self.tex.names})
        try:
            return tuple(read(part, known) for part in _split(text))
        except Unreadable as error:
            raise ValueError(f"This TeX cannot be read: {error.reason.splitlines()[0]}.") from None

    def meant(self, text):
        """What seems to be meant by words of a text that have no meaning here, in words."""
        names = [*(plain.typed(thing.name) for thing in self.names.values()), *self.defined]
        alike = plain.meant(text, names)
        return "".join(f" Did you mean `{name}` by `{word}`?" for word, name in alike.items())

    def kind(self, word, follows):
        """The terminal of the grammar that a word is, with the sign that follows it."""
        everybody = plain.function(word) and word not in self.names and word not in self.defined
        if follows == "(" and (everybody or self.applicable(word) and not self.is_vector(word)):
            return "HEAD"
        return "FUNCTION" if everybody and follows != "[" else "NAME"

    def applicable(self, word):
        """Whether a word takes arguments or indices in this exercise."""
        if (thing := self.names.get(word)) is not None:
            return isinstance(thing, type) or self.is_vector(word)
        return word in self.defined and len(self.defined[word].arguments) > 0

    def is_vector(self, word):
        return isinstance(self.names.get(word), sympy.IndexedBase)


def shown(formulas, text):
    """The TeX of formulas that were read in a text."""
    try:
        return r",\quad ".join(map(tex, formulas))
    except TypeError:  # a function that the book never shows, or a mean that only TeX tells
        return text if "\\" in text else r",\quad ".join(sympy.latex(unfold(one)) for one in formulas)


# --- names --------------------------------------------------------------------------------------------


def _applied(formulas):
    """The definitions that are used in some formulas, as they are typed."""
    todo = list(formulas)
    while todo:
        part = todo.pop()
        if isinstance(part, AppliedDefinition):
            yield part
            todo += part.arguments
        else:
            todo += getattr(part, "args", ())


def _head(one):
    return one.signature.head.partition("_{#")[0]


def _by_word(applied):
    """Definitions by the letters of their heads; where several have the same word, none has it."""
    found = {}
    for one in applied:
        head = re.sub(r"\\(operatorname|math\w+|text)\b|#\d", "", one.signature.head)
        found.setdefault(re.sub("[^A-Za-z]", "", head), {})[one.signature] = one
    return {word: next(iter(same.values())) for word, same in found.items() if word and len(same) == 1}


# --- TeX ----------------------------------------------------------------------------------------------


def _bound(text):
    """The names that are bound in TeX: what a sum, an integral or a limit runs over."""
    counted = re.findall(r"\\(?:sum|prod)_\{? *(\\?[A-Za-z]+) *=", text)
    measured = re.findall(r"d *(\\?[A-Za-z]+) *(?![A-Za-z])", text) if r"\int" in text else []
    measured += re.findall(r"\\lim_\{ *(\\?[A-Za-z]+) *\\to", text)
    found = {name.removeprefix("\\"): {"real": True} for name in measured}
    found |= {name.removeprefix("\\"): {"integer": True} for name in counted}
    return {name: sympy.Symbol(name, **kind) for name, kind in found.items()}


def _depth(text):
    return max(accumulate((sign in "([{") - (sign in ")]}") for sign in text), default=0)


def _split(text):
    """The parts of a list, at the commas outside of brackets."""
    depth, parts = 0, [""]
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0 and not parts[-1].endswith("\\"):
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
