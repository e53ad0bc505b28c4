"""What stands on the page, read back: the formula must have the value of the object that was checked."""

import re

import sympy as sp

from .decide import decide
from .errors import Misprinted
from .notation import KL, Partial
from .reader import Unreadable, Vocabulary, read
from .statement import leaves
from .written import is_claim, unfold

_SIGNS = {"=": "=", r"\le": "<=", r"\ge": ">=", r"\propto": "∝", ":=": ":=", r":\iff": ":iff", r"\iff": "iff",
          r"\implies": "=>"}
_ROW = re.compile(r"(.*?)(?:(?:&&| )\\quad\\small(\\textbf\{argued: \})?\\text\{(.*)\})?\s*", re.DOTALL)


def compare(display, lines, where, given=()):
    """Refuse a displayed formula that does not read back as the lines that were checked.

    Parameters
    ----------
    display : str
        What stands between the double dollars.
    lines : sequence of Line
    where : str
        What it is, for the message.
    given : iterable of relations
        The conditions of the statement.

    Raises
    ------
    Misprinted
    """
    rows = _rows(display)
    if len(rows) != len(lines):
        raise Misprinted(f"{where}: {len(lines)} lines were checked, and {len(rows)} are shown")
    for (left, sign, right, argued, reason), line in zip(rows, lines):
        if (sign, argued, reason) != (line.relation, line.argued, line.reason):
            raise Misprinted(f"{where}: a line with {line.relation!r} ({line.reason}) is shown with "
                             f"{sign!r} ({reason})")
        for text, side in ((left, line.left), (right, line.right)):
            if (text == "") != (side is None):
                raise Misprinted(f"{where}: a side is missing in {display}")
            if side is not None:
                _compare_side(text, side, where, given)


def _rows(display):
    """Left side, relation, right side, argued and reason of each line that is shown."""
    table = re.fullmatch(r"\\begin\{aligned\}\n(.*)\n\\end\{aligned\}", display, re.DOTALL)
    rows = []
    for row in table[1].split(" \\\\\n") if table else [display]:
        text, argued, reason = _ROW.fullmatch(row).groups()
        left, sign, right = _split(text.replace(r"\Longleftrightarrow", ""))
        rows.append((left, sign, right, argued is not None, reason or ""))
    return rows


def _split(text):
    """The sides of a relation, which stands outside of all brackets."""
    depth, place = 0, 0
    while place < len(text):
        if found := re.compile(r"\\(left|right|begin|end|big[lr])(?![a-zA-Z])").match(text, place):
            depth += 1 if found[1] in ("left", "begin", "bigl") else -1
            place = found.end() + 1
            continue
        if text[place] in "{}":
            depth += 1 if text[place] == "{" else -1
        if text[place] == "(" or text[place] == ")":
            depth += 1 if text[place] == "(" else -1
        if depth == 0:
            for sign in (r":\iff", ":=", r"\implies", r"\iff"):
                if _at(text, sign, place):
                    return _clean(text[:place]), _SIGNS[sign], _clean(text[place + len(sign):])
        place += 1
    for sign in (r"\propto", r"\le", r"\ge", "="):
        if (place := _outside(text, sign)) is not None:
            return _clean(text[:place]), _SIGNS[sign], _clean(text[place + len(sign):])
    return "", "", _clean(text)


def _outside(text, sign):
    depth = 0
    for place in range(len(text)):
        if text[place] in "{(" or _at(text, r"\left", place) or _at(text, r"\begin", place):
            depth += 1
        elif text[place] in "})" or _at(text, r"\right", place) or _at(text, r"\end", place):
            depth -= 1
        if depth == 0 and _at(text, sign, place):
            return place
    return None


def _at(text, sign, place):
    """Whether a sign stands here, and not the beginning of a longer command."""
    end = place + len(sign)
    return text.startswith(sign, place) and not (sign[-1].isalpha() and text[end:end + 1].isalpha())


def _clean(text):
    return text.replace("&", " ").replace(r"\quad", " ").strip()


def _compare_side(text, side, where, given):
    if type(side).__name__ == "HasLaw":
        value, _, named = text.partition(r" \sim ")
        if named != side.law.name:
            raise Misprinted(f"{where}: the law {side.law.name} is shown as {named}")
        text, side = value, side.value
    try:
        found = read(text, vocabulary(side))
    except Unreadable as error:
        raise Misprinted(f"{where}: what is shown cannot be read back: {error}") from error
    if not _same(found, unfold(side), given):
        raise Misprinted(f"{where}: {text} reads back as {found}, and {unfold(side)} was checked")


def _same(found, plain, given):
    found, plain = _transposed(unfold(found)), _transposed(plain)
    if found == plain:
        return True
    if is_claim(plain) or is_claim(found):
        return (type(found) is type(plain) and len(found.args) == len(plain.args)
                and all(_same(a, b, given) for a, b in zip(found.args, plain.args)))
    if isinstance(plain, sp.MatrixExpr) or isinstance(found, sp.MatrixExpr):
        alike = getattr(found, "shape", None) == getattr(plain, "shape", None)
        return alike and sp.simplify(found - plain).is_zero_matrix is True
    return decide(found, plain, given=given).status in ("proved", "agrees")


def _transposed(expr):
    """``expr`` with every transpose taken term by term, as SymPy does at times by itself."""
    return expr.replace(lambda e: isinstance(e, sp.Transpose), lambda e: e.doit(deep=False))


def vocabulary(side):
    """What the names in a side mean."""
    parts, todo = [], [sp.sympify(side)]
    while todo:  # everything that is shown: the arguments of definitions, not their bodies
        part = todo.pop()
        parts.append(part)
        todo += part.arguments if hasattr(part, "signature") else part.args
    signatures = {p.signature: type(p) for p in parts if hasattr(p, "signature")}
    laws = {law.name: law for p in parts for law in getattr(p, "laws", ())}
    ranges = {str(unfold(limit[0])): tuple(unfold(a) for a in limit[1:]) for p in parts
              if type(p).__name__ in ("MaxOver", "Sum", "Product") for limit in p.limits if len(limit) == 3}
    names = {}
    for leaf in leaves(side):
        if isinstance(leaf, sp.IndexedBase):
            key = str(leaf.label)
        else:
            key = leaf.__name__ if isinstance(leaf, type) else leaf.name
        names.setdefault(key, []).append(leaf)
    return Vocabulary(
        names={key: found[0] if len(found) == 1 else tuple(found) for key, found in names.items()},
        templates=tuple((s.head, len(s.parameters),
                         lambda *a, s=s, kind=kind: kind(s, *map(_fitting, a, s.parameters)))
                        for s, kind in signatures.items()),
        laws={name: (unfold(law.variable), law.expect, _variance(law)) for name, law in laws.items()},
        divergence=lambda p, q: KL(laws[p], laws[q]),
        ranges=ranges,
        partials=tuple((p.args[0], p.args[1], Partial) for p in parts if isinstance(p, Partial)),
        constants={r"\gamma": sp.EulerGamma} if unfold(side).has(sp.EulerGamma) else {},
    )


def _fitting(argument, parameter):
    """A nought where a matrix is asked for, and a matrix with one entry where a number is."""
    if parameter.is_Matrix and argument == 0:
        return sp.ZeroMatrix(*parameter.shape)
    if not parameter.is_Matrix and argument.is_Matrix and argument.shape == (1, 1):
        return sp.Trace(argument)
    return argument


def _variance(law):
    return lambda f: law.expect(unfold(f) ** 2) - law.expect(f) ** 2
