r"""The formulas in the sentences of a page, in its reasons and errata, and which of them nothing bears out.

A formula between single dollars is typed.  A relation in a sentence is decided, or `said` lists it.  Of the
others a *name*, such as ``$z_k$`` or ``$f(x)$``, claims nothing; a number stands in a cell or in a relation
that was decided, if the page makes use of it; and any other formula stands in an equation, a condition or a
relation of the page, or nothing speaks for it.  A power of a symbol, such as ``$z_k^2$``, is no name.
"""

import ast
import re
from decimal import Decimal, InvalidOperation

from proofread.claims.sentences import Sentences
from proofread.latex.plain import plain
from proofread.latex.relations import formulas, split

_SYMBOL = (r"(?:\\(?:hat|bar|tilde|math[a-z]+|boldsymbol)\s*)?(?:\{\\?[A-Za-z]+\}|\\[A-Za-z]+|[A-Za-z])'*"
           r"(?:\s*[_^]\s*(?:\{[^{}]*\}|\\[A-Za-z]+|\w|\*))*'*")
_DOTS = r"\\l?dots|\\infty|-?\d+"
_LIST = rf"\s*(?:{_SYMBOL}|{_DOTS})(?:\s*(?:[,;|]|\\mid)\s*(?:\\,\s*)*(?:{_SYMBOL}|{_DOTS}))*\s*"
_NAME = re.compile(rf"(?:{_LIST}|(?:{_SYMBOL})?\s*(?:\\bigl)?[(\[]{_LIST}(?:\\bigr)?[)\]])")


_POWER = re.compile(r"(?<!\\mathbb R)(?<!\\mathbb\{R\})\s*\^\s*(?:\d|\{\s*\d+\s*\})")  # of what is no set


def reasons(entries) -> list[str]:
    """All that stands between single dollars in the reasons of the lines of a page."""
    return [tex for entry in entries for reason in _REASON.findall(entry.display)
            for tex in re.findall(r"\$([^$]+)\$", reason)]


_REASON = re.compile(r"\\quad\\small(.*)")


def told(entries) -> list[str]:
    """All that stands between single dollars in what errata say beside their formulas."""
    return [tex for entry in entries for what in ("instead", "consequence")
            for _, tex in formulas(entry.erratum.get(what, ""))]


def unchecked(texts: list[str], code: list[str], entries) -> list[str]:
    """The formulas of a page that nothing on it bears out, each once, sorted.

    Parameters
    ----------
    texts : list of str
        The text of the page, in Markdown.
    code : list of str
        Its cells, and the expressions in its text.
    entries : list of Entry
        What its checks have left.
    """
    shown = "\n".join(plain(_REASON.sub("", tex)) for entry in entries
                      for tex in (entry.tex, entry.display, *entry.conditions, *entry.said))
    used = set().union(*map(_numbers, code))
    decided = "\n".join(plain(tex) for entry in entries if entry.title == Sentences.title
                        for tex in entry.said)
    return sorted(tex for tex in claims(texts, entries) if not (
        stands(tex, shown) if (number := value(tex)) is None else number in used or stands(tex, decided)))


def stands(tex: str, shown: str) -> bool:
    r"""Whether a formula is a part of one that is shown, or the whole.

    >>> [stands(tex, plain(r"\nu p_k \cdot 12 t")) for tex in (r"\nu p_k", "p_k", "p", "u p_k", "2 t")]
    [True, True, False, False, False]
    """
    part = plain(tex)
    before = r"(?<![A-Za-z])" if part[0].isalpha() else r"(?<!\d)" if part[0].isdigit() else ""
    after = r"(?![\w^'])" if part[-1].isalnum() else r"(?![\^'])" if part[-1] == "}" else ""
    return re.search(before + re.escape(part) + after, shown) is not None


def claims(texts: list[str], entries) -> set[str]:
    """The formulas of a page that are more than a name or a digit; of relations those in no sentence."""
    typed = {tex for text in texts for _, tex in formulas(text) if not split(tex)[1]}
    typed |= {*reasons(entries), *told(entries)}
    return set(filter(is_claim, typed))


def is_claim(tex: str) -> bool:
    r"""Whether a formula is more than a name or a digit.

    >>> [tex for tex in ("z_k", "f(x)", "x_1, \\dots, x_n", "7", "x < 1", "7.5", "z_k^2") if is_claim(tex)]
    ['x < 1', '7.5', 'z_k^2']
    """
    if value(tex) is not None:
        return len(tex.strip()) > 1
    return not _NAME.fullmatch(tex) or _POWER.search(tex) is not None


def value(tex: str) -> Decimal | None:
    r"""The number that a formula is; None if it is none.

    >>> [value(tex) for tex in ("400\\,000", "0.05", "10^{-4}", "-3", "2K")]
    [Decimal('400000'), Decimal('0.05'), Decimal('0.0001'), Decimal('-3'), None]
    """
    number = re.sub(r"\\[,!;]|[{}\s]", "", tex)
    try:
        return Decimal(re.sub(r"^([+-]?)10\^", r"\g<1>1e", number))
    except InvalidOperation:
        return None


def _numbers(code: str) -> set[Decimal]:
    """The numbers in a cell, or in an expression in the text; a minus is part of them."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        number = getattr(node.operand if minus else node, "value", None)
        if type(number) in (int, float):
            found.add(Decimal(repr(-number if minus else number)))
    return found
