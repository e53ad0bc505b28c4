"""The gate of the sentences: relations are accounted for, numbers come from cells, theorems show their own.

A theorem ``thm-name`` states the equation ``eq-name``, or several ``eq-name-…``; that it shows another one
than it proves is nothing that a reader could see.
"""

import re

from docutils import nodes
from sphinx.util import logging

from softmaxnotes.proof.said import split
from tools import ledger

log = logging.getLogger(__name__)


def bare(tex: str) -> str:
    """TeX without spaces and without sizes of brackets."""
    return re.sub(r"\\(left|right|[bB]igg?[lr]?)(?![a-z])|\\[,;: !]|\s+", "", tex)


def relations(doctree):
    """The formulas in sentences that state a relation; what cells and statements print is not among them."""
    for node in doctree.findall(nodes.math):
        if not _is_printed(node) and split(node.astext())[1]:
            yield node


# What cells, statements and tables of measurements print.
PRINTED = {"cell_output", "output", "conditions", "benchmark", "measured"}


def _is_printed(node) -> bool:
    while node is not None:
        if PRINTED & set(getattr(node, "attributes", {}).get("classes", ())):
            return True
        node = node.parent
    return False


def gate(app, doctree):
    """Warn of a relation in a sentence that nothing accounts for, and of an account of none."""
    entries = ledger.of_page(app.env, app.env.docname)
    if not entries:
        return
    said = {bare(tex): tex for entry in entries for tex in entry.said}
    if any(entry.label for entry in entries) and not any(entry.kind == "symbols" for entry in entries):
        log.warning("a page with equations says by `symbols_mean` what its symbols mean",
                    location=app.env.docname, type="gate")
    found = {bare(node.astext()): node for node in relations(doctree)}
    for tex, node in found.items():
        if tex not in said:
            log.warning("relation in a sentence that `said` does not account for: %s", node.astext(),
                        location=node, type="gate")
    for tex in said.keys() - found.keys():
        log.warning("`said` accounts for what no sentence says: %s", said[tex], location=app.env.docname,
                    type="gate")


def typed_decimals(app, doctree):
    """Warn of a decimal in a sentence: one that was measured is the value of an expression, ``{eval}``, and
    one that was chosen stands between dollars."""
    if not ledger.of_page(app.env, app.env.docname):
        return
    for text in doctree.findall(nodes.Text):
        found = _DECIMAL.search(text)
        if found and not _is_printed(text) and not isinstance(text.parent, _NOT_READ):
            log.warning("typed number %s in a sentence: %s", found[0], text[:60], location=text.parent,
                        type="gate")


_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+")
_NOT_READ = (nodes.math, nodes.math_block, nodes.literal, nodes.literal_block, nodes.raw, nodes.comment)


def own_statements(app, doctree):
    """Warn of a theorem that states an equation of another name."""
    for theorem in doctree.findall(lambda node: isinstance(node, nodes.Element) and node.get("realtype")):
        shown = [block["statement"] for block in theorem.findall(nodes.math_block) if block.get("statement")]
        name = theorem.get("label", "").partition("-")[2]
        if shown and f"eq-{name}" not in shown and not all(s.startswith(f"eq-{name}-") for s in shown):
            log.warning("theorem %s states %s, and not eq-%s", theorem.get("label"), ", ".join(shown), name,
                        location=theorem, type="gate")


def setup(app):
    app.connect("doctree-read", own_statements)
    app.connect("doctree-read", gate)
    app.connect("doctree-read", typed_decimals)
