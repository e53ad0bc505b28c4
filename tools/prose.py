"""The gate of the sentences: a relation in them is one that the page's `said` accounts for."""

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
    """The formulas in sentences that state a relation; what cells print is not among them."""
    for node in doctree.findall(nodes.math):
        if not _is_printed(node) and split(node.astext())[1]:
            yield node


def _is_printed(node) -> bool:
    while node is not None:
        if {"cell_output", "output"} & set(getattr(node, "attributes", {}).get("classes", ())):
            return True
        node = node.parent
    return False


def gate(app, doctree):
    """Warn of a relation in a sentence that nothing accounts for, and of an account of none."""
    said = {bare(tex): tex for entry in ledger.of_page(app.env, app.env.docname) for tex in entry.said}
    if not said:
        return
    found = {bare(node.astext()): node for node in relations(doctree)}
    for tex, node in found.items():
        if tex not in said:
            log.warning("relation in a sentence that `said` does not account for: %s", node.astext(),
                        location=node, type="gate")
    for tex in said.keys() - found.keys():
        log.warning("`said` accounts for what no sentence says: %s", said[tex], location=app.env.docname,
                    type="gate")


def setup(app):
    app.connect("doctree-read", gate)
