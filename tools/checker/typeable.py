"""A formula as a reader would type it: plain text if that says all of it, else its TeX.

Either is read again, and stands only if it is read as the very formula.
"""

import re
from functools import singledispatchmethod

import sympy

from proofread.language.defined import AppliedDefinition
from proofread.language.typed import (
    Application,
    Applied,
    Entry,
    Minus,
    Name,
    Negative,
    Over,
    Plus,
    Power,
    Times,
    unfold,
)
from proofread.latex.printer import as_typed, tex
from proofread.latex.round_trip import same

from . import plain

SUM, PRODUCT, POWER, ATOM = range(4)  #: how tightly a text binds
_SPARED = {r"\mathopen{}": "", r"\left(": "(", r"\right)": ")"}  # what one need not type
_BRACES = re.compile(r"([_^])\{([A-Za-z0-9])\}")


def typeable(formula, vocabulary):
    """The text of a formula; none if no text is read as it.

    Parameters
    ----------
    formula : expression
        As it was typed in the book.
    vocabulary : reading.Vocabulary
    """
    for write in (Plain(vocabulary).of, _tex):
        try:
            text = write(formula)
            (found,) = vocabulary.read(text)
            if same(found, unfold(formula)) and (write is _tex or tex(found) == tex(formula)):
                return text
        except (ValueError, TypeError, LookupError):
            pass
    return ""


def _tex(formula):
    text = tex(formula)
    for long, short in _SPARED.items():
        text = text.replace(long, short)
    return _BRACES.sub(r"\1\2", text)


class Plain:
    """Writes plain text, node by node; a `LookupError` if there is none."""

    def __init__(self, vocabulary):
        self.heads = {one.signature: word for word, one in vocabulary.defined.items()}

    def of(self, formula, level=SUM):
        """The text of a formula where at least so tight a one is asked for."""
        text, own = self.node(as_typed(formula))
        return f"({text})" if own < level else text

    @singledispatchmethod
    def node(self, formula):
        raise LookupError(f"{type(formula).__name__} has no plain text")

    @node.register(Plus)
    @node.register(Minus)
    def _(self, formula):
        left, right = formula.args
        return f"{self.of(left)} {'+' if isinstance(formula, Plus) else '-'} {self.of(right, PRODUCT)}", SUM

    @node.register(Negative)
    def _(self, formula):
        return f"-{self.of(formula.args[0], PRODUCT)}", SUM

    @node.register(Times)
    @node.register(Over)
    def _(self, formula):
        left, right = map(as_typed, formula.args)
        minus, first = ("-", left.args[0]) if isinstance(left, Negative) else ("", left)
        sign, least = ("/" if isinstance(formula, Over) else "*"), PRODUCT
        if isinstance(formula, Over) or isinstance(right, Over):
            least = POWER
        return f"{minus}{self.of(first, PRODUCT)}{sign}{self.of(right, least)}", SUM if minus else PRODUCT

    @node.register(Power)
    def _(self, formula):
        base, exponent = formula.args
        return f"{self.of(base, ATOM)}^{self.of(exponent, ATOM)}", POWER

    @node.register(sympy.Rational)
    def _(self, formula):
        return str(formula), SUM if formula < 0 else ATOM if formula.q == 1 else PRODUCT

    @node.register(Name)
    def _(self, formula):
        return plain.typed(formula.name), ATOM

    @node.register(Entry)
    def _(self, formula):
        base, *indices = formula.args
        if not isinstance(vector := unfold(base), sympy.IndexedBase):
            raise LookupError(f"an entry of {base} has no plain text")
        return self.below(plain.typed(str(vector.label)), indices)

    @node.register(AppliedDefinition)
    def _(self, formula):
        head, word, arguments = formula.signature.head, self.heads[formula.signature], formula.arguments
        if "(" in head:
            raise LookupError(f"{head} has no plain text")
        if not arguments:
            return word, ATOM
        return (self.below if "_{#" in head else self.called)(word, arguments)

    @node.register(Application)
    def _(self, formula):
        example, *arguments = formula.args
        return self.called(plain.typed(example.func.__name__), arguments)

    @node.register(Applied)
    def _(self, formula):
        word = plain.NAMES[type(formula)]
        return (self.below if word == "delta" else self.called)(word, formula.args)

    def called(self, word, arguments):
        """A word with arguments; those that are tuples say what is bound, or how often."""
        parts = [f"({', '.join(map(self.of, part))})" if isinstance(part, sympy.Tuple) else self.of(part)
                 for part in arguments]
        return f"{word}({', '.join(parts)})", ATOM

    def below(self, word, indices):
        """A word with indices: ``z_k``, or ``z[k + 1]`` where they are more than a letter."""
        parts = [self.of(index) for index in indices]
        if word == "delta":
            return (f"delta_{''.join(parts)}" if all(len(part) == 1 for part in parts)
                    else f"delta({', '.join(parts)})"), ATOM
        if len(parts) == 1 and parts[0].isalnum():
            return f"{word}_{parts[0]}", ATOM
        return f"{word}[{', '.join(parts)}]", ATOM
