"""How wide a formula is, known without a browser, and the layout that follows.

KaTeX's output is nested boxes with lengths in em and glyphs of known advance.  The widths decide the layout
when the page is built, so that nothing is measured or moved while it loads, on paper, or without scripts.
All lengths here are in rem of the page.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

FONTS = Path(__file__).parent / "theme/fonts"
MATHS = 1.08  # the size of mathematics beside that of the text, as in the style sheet

COLUMN = 33.5  # the text
NUMBER = 4.2  # what an equation number takes of it
MARGIN = 14.0  # the margin and the gap before it, at their narrowest
STEP = 2  # rem between the widths at which lines of a chain may stand beside each other

# What KaTeX's classes mean: the sizes, and the face of the glyphs inside.
SIZES = dict(zip(map(str, range(1, 12)), (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488)))
LARGE = re.compile(r"\bsize(?:[789]|1[01])\b")  # type larger than that around it, which the book does not use
FACES = {
    "mathnormal": "Math-Italic", "mathcal": "Caligraphic-Regular", "mathbf": "Main-Bold",
    "amsrm": "AMS-Regular", "mathbb": "AMS-Regular", "boldsymbol": "Math-BoldItalic",
    "small-op": "Size1-Regular", "large-op": "Size2-Regular", "delim-size1": "Size1-Regular",
    "delim-size4": "Size4-Regular", "mathit": "Main-Italic", "textit": "Main-Italic", "textbf": "Main-Bold",
}
NO_WIDTH = {"strut", "pstrut", "vlist-s", "katex-mathml", "rlap", "llap", "frac-line"}
_EDGES = re.compile(r"(?:margin-left|margin-right|padding-left|(?<![-\w])width):(-?[\d.]+)em")


@cache
def advances(face: str) -> dict[str, float]:
    """The advance of each character of a face, in em."""
    return json.loads((FONTS / "fonts.json").read_text("utf8"))["advances"][face]


def of_text(words: str, size: float) -> float:
    """The width of words of the text, set in ``size`` rem."""
    table = advances("text")
    return size * sum(table.get(letter, 0.55) for letter in words)


@cache
def of_formula(html: str) -> float:
    """The width of a formula that KaTeX has set, on one line."""
    tree = ElementTree.fromstring(f"<span>{html.replace('&nbsp;', chr(160))}</span>")
    return MATHS * _width(tree, "Main-Regular", 1.0)


def _width(node, face: str, scale: float) -> float:
    classes = set(node.get("class", "").split())
    if classes & NO_WIDTH or node.tag.endswith("svg"):
        return 0.0
    for name in classes & FACES.keys():
        face = FACES[name]
    sizes = [name for name in classes if re.fullmatch(r"(reset-)?size\d+", name)]
    if "delimsizing" in classes and sizes:
        face = f"Size{sizes[0][4:]}-Regular"
    elif classes & {"sizing", "fontsize-ensurer"}:
        old, new = sorted(sizes, key=lambda name: not name.startswith("reset"))
        scale *= SIZES[new[4:]] / SIZES[old[10:]]
    if "nulldelimiter" in classes:
        return 0.12 * scale
    edges = scale * sum(map(float, _EDGES.findall(node.get("style", ""))))
    if "vlist-t" in classes:
        (rows,) = [n for n in node.iter() if n.get("class", "").split()[:1] == ["vlist"]][:1]
        return edges + max((_width(row, face, scale) for row in rows), default=0.0)
    own = _glyphs(node.text, face, scale)
    return edges + own + sum(
        _width(child, face, scale) + _glyphs(child.tail, face, scale) for child in node)


def _glyphs(text: str | None, face: str, scale: float) -> float:
    table = advances(face)
    return scale * sum(table.get(letter, 0.0) for letter in text or "")


def of_lines(lefts: list[float], rights: list[float]) -> tuple[str, int]:
    """The class of a displayed formula, and its width in steps.

    *fit*: the text column holds it and its number, so that reasons stand in the margin; *snug*: it holds the
    formula alone, and the number drops below, as in TeX; *wide*: it goes into the margin, and reasons stand
    below their lines; *long*: it is broken, or scrolls.
    """
    wide = max(lefts, default=0.0) + max(rights, default=0.0)
    name = ("fit" if wide <= COLUMN - NUMBER else "fit snug" if wide <= COLUMN - 0.4
            else "wide" if wide <= COLUMN - NUMBER + MARGIN else "long")
    return name, min(STEP * math.ceil(1.02 * wide / STEP), WIDEST)


WIDEST = 60


def rules() -> str:
    """CSS: from which width of its box on the lines of a chain and their reasons stand side by side."""
    return "".join(
        f'@container (min-width:{width + NUMBER:g}rem){{'
        f'.chain[data-w="{width}"] .formula{{grid-template-columns:max-content minmax(0,max-content)}}'
        f'.chain[data-w="{width}"] :is(.right,.reason){{grid-column:2;padding-left:0;text-indent:0}}}}'
        for width in range(STEP, WIDEST + 1, STEP))
