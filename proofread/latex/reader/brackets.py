"""First pass: TeX as a tree of its brackets.

Spacing and the sizes of brackets are dropped, and so are braces that are no argument, for nobody sees them.
"""

import re
from functools import cache
from typing import NamedTuple

from .errors import Unreadable


class Leaf(NamedTuple):
    """A command, a letter, a number or a sign, and its place in the TeX."""

    text: str
    at: int


class Group(NamedTuple):
    """What stands between two brackets, or in the braces of an argument."""

    text: str  # the opening bracket
    items: tuple
    at: int


_SCAN = re.compile(r"\\(?:begin|end)\{\w+\}|\\[A-Za-z]+|\\.|\#\d|\d+(?:\.\d+)?|\s+|.", re.S)
_SPACING = {r"\,", r"\;", r"\:", r"\!", r"\ ", "~", r"\quad", r"\qquad", r"\limits", r"\displaystyle",
            r"\mathopen"}
_SIZES = {rf"\{size}{side}": kind for size in ("big", "Big", "bigg", "Bigg")
          for side, kind in (("l", "open"), ("r", "close"), ("", "plain"), ("m", "plain"))}
_SIZES |= {r"\left": "open", r"\right": "close", r"\middle": "plain"}
_ALIKE = {r"\varepsilon": r"\epsilon", r"\leq": r"\le", r"\geq": r"\ge", r"\ne": r"\neq", r"\times": r"\cdot",
          r"\tfrac": r"\frac", r"\dfrac": r"\frac", r"\Longleftrightarrow": r"\iff", r"\vert": "|",
          r"\Vert": r"\|"}
_ARGUMENTS = {"_": 1, "^": 1, r"\frac": 2} | dict.fromkeys((
    r"\sqrt", r"\mathrm", r"\mathbb", r"\mathcal", r"\mathbf", r"\mathsf", r"\boldsymbol", r"\operatorname",
    r"\text", r"\bar", r"\hat", r"\tilde", r"\vec", r"\dot", r"\overline", r"\substack"), 1)
_CLOSING = {"(": ")", "[": "]", "|": "|", ".": "|", "{": "}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil",
            r"\begin{cases}": r"\end{cases}"}
_OPEN = {"(", "[", "{", r"\lfloor", r"\lceil", r"\begin{cases}"}
_CLOSE = {")", "]", "}", r"\rfloor", r"\rceil", r"\end{cases}"}


class _Scanned(NamedTuple):
    """A token of TeX, and what it does to the tree."""

    text: str
    at: int
    kind: str  # "open", "close" or "plain"


def _scan(tex):
    """The tokens, without spacing and without the sizes of brackets."""
    size, spaced, last = None, False, ""
    for match in _SCAN.finditer(tex):
        text, at = match[0], match.start()
        if text.isspace():
            continue
        if text in _SPACING:
            spaced = text == r"\," and last not in (",", ";")
            continue
        if text in _SIZES:
            size = _SIZES[text]
            continue
        text = _ALIKE.get(text, text)
        kind = size or ("open" if text in _OPEN else "close" if text in _CLOSE else "plain")
        # after a thin space a d may belong to an integral; what it is in the end, the grammar decides
        yield _Scanned(r"\,d" if spaced and text == "d" else text, at, kind)
        size, spaced, last = None, False, text


@cache
def tree(tex):
    r"""The items of some TeX: leaves and groups.

    >>> [item.text for item in tree(r"2\,\left(x\right)^2")]
    ['2', '(', '^', '{']
    """
    tokens = list(_scan(tex))[::-1]  # the next one is the last
    return _items(tokens, None)


def _items(tokens, opening):
    """The items up to the bracket that closes ``opening``."""
    found = []
    while tokens:
        token = tokens.pop()
        if token.kind == "close":
            if opening is None or token.text != _CLOSING[opening.text]:
                raise Unreadable("this bracket closes none", token.at)
            return tuple(found)
        if token.kind == "open" and token.text == "{":
            found += _items(tokens, token)  # braces that are no argument do not show
        elif token.kind == "open":
            if token.text not in _CLOSING:
                raise Unreadable(f"{token.text} is no bracket", token.at)
            found.append(Group(token.text, _items(tokens, token), token.at))
        else:
            found.append(Leaf(token.text, token.at))
            if token.text == r"\sqrt" and tokens and tokens[-1].text == "[":
                found.append(Group("[", _items(tokens, bracket := tokens.pop()), bracket.at))
            for _ in range(_ARGUMENTS.get(token.text, 0)):
                found.append(_argument(tokens, token))
    if opening is not None:
        raise Unreadable("this bracket is not closed", opening.at)
    return tuple(found)


def _argument(tokens, command):
    """The argument of a command, or a script: a group, or a single token without braces."""
    if not tokens or tokens[-1].kind == "close":
        raise Unreadable(f"{command.text} has no argument", command.at)
    token = tokens.pop()
    if token.text == "{" and token.kind == "open":
        return Group("{", _items(tokens, token), token.at)
    if token.kind == "open" or token.text in ("_", "^"):
        raise Unreadable(f"{command.text} has no argument", command.at)
    if token.text[0].isdigit() and len(token.text) > 1:  # TeX takes one digit
        tokens.append(_Scanned(token.text[1:], token.at + 1, "plain"))
        token = token._replace(text=token.text[0])
    leaf = Leaf(token.text, token.at)
    inner = tuple(_argument(tokens, token) for _ in range(_ARGUMENTS.get(token.text, 0)))
    return Group("{", (leaf, *inner), token.at)


def spelled(items):
    """The TeX of some items, the same for all spacings."""
    return " ".join(item.text if isinstance(item, Leaf) else
                    f"{item.text} {spelled(item.items)} {_CLOSING[item.text]}" for item in items)


def split(items, mark):
    """The parts of some items between marks such as commas."""
    parts, start = [], 0
    for place, item in enumerate(items):
        if item.text == mark and isinstance(item, Leaf):
            parts.append(items[start:place])
            start = place + 1
    return [*parts, items[start:]]


def text_at(items, at):
    """The text of the item there, if there is one."""
    return items[at].text if 0 <= at < len(items) else None


def place_of(items, at):
    """Where the item stands in the TeX; after the last one, the place of the last."""
    return items[min(at, len(items) - 1)].at if items else 0


def rows(items):
    """Conditions, one below the other or with commas between."""
    if items and items[0].text == r"\substack":
        return split(items[1].items, r"\\")
    return split(items, ",")
