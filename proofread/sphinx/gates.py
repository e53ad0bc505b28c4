"""The gate of the sentences: relations are accounted for, numbers come from cells, theorems show their own,
and references say what they refer to.

A theorem ``thm-name`` states the equation ``eq-name``, or several ``eq-name-…``; that it shows another one
than it proves is nothing that a reader could see.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from proofread.claims.prose import split
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


def typed_numbers(app, doctree):
    """Warn of a number in a sentence that is more than a digit: one that was measured is the value of an
    expression, ``{eval}``, and one that was chosen stands between dollars."""
    if not ledger.of_page(app.env, app.env.docname):
        return
    for text in doctree.findall(nodes.Text):
        found = _NUMBER.search(text)
        if found and not _is_printed(text) and not isinstance(text.parent, _NOT_READ):
            log.warning("typed number %s in a sentence: %s", found[0], text[:60], location=text.parent,
                        type="gate")


# Years are none, nor is where something stands.
_NUMBER = re.compile(
    r"(?<![\w.])(?<!page )(?<!issue )(?<!request )(\d+\.\d+|(?!(1[5-9]|20)\d\d\b)\d{2,}(?!\w))")
_NOT_READ = (nodes.math, nodes.math_block, nodes.literal, nodes.literal_block, nodes.raw, nodes.comment)


def own_statements(app, doctree):
    """Warn of a theorem that states an equation of another name."""
    for theorem in doctree.findall(lambda node: isinstance(node, nodes.Element) and node.get("realtype")):
        shown = [block["statement"] for block in theorem.findall(nodes.math_block) if block.get("statement")]
        name = theorem.get("label", "").partition("-")[2]
        if shown and f"eq-{name}" not in shown and not all(s.startswith(f"eq-{name}-") for s in shown):
            log.warning("theorem %s states %s, and not eq-%s", theorem.get("label"), ", ".join(shown), name,
                        location=theorem, type="gate")


def unnamed(app, doctree):
    """Warn of a sentence that refers to an equation and has no word of its title or label.

    A number in brackets tells a reader nothing before it is looked up, and of two numbers nobody sees
    that they were exchanged.
    """
    titles = {entry.label: entry.title for _, entry in ledger.of_book(app.env) if entry.label}
    for reference in doctree.findall(addnodes.pending_xref):
        label = reference["reftarget"]
        if label in titles and not _is_printed(reference):
            if not words(f"{titles[label]} {label}") & words(_sentence(reference)):
                log.warning("a sentence refers to %s without a word of what it is: %s", label, titles[label],
                            location=reference, type="gate")


def _sentence(node) -> str:
    """The words around a reference, in its line of the source: a sentence stands in a line of its own."""
    while not isinstance(node.parent, (nodes.paragraph, nodes.title)):
        node = node.parent
    line = [[]]
    for child in node.parent.children:
        if child.astext() == "\n":
            if node in line[-1]:
                break
            line.append([])
        else:
            line[-1].append(child)
    texts = (text for part in line[-1] for text in part.findall(nodes.Text)
             if not isinstance(text.parent, (nodes.math, nodes.literal)))
    return " ".join(text.astext() for text in texts)


def words(text: str) -> set[str]:
    """How the words begin: "sigmoid" and "sigmoids" are the same, and so are "move" and "moved"."""
    return {word[:5] for word in re.findall(r"[a-z]{2,}", text.lower())} - _SMALL


_SMALL = {word[:5] for word in (
    "an the of in on at to by for from with without as it its is are be has have and or not no that this "
    "than which who whom what when where there here how if so only eq one two each every all both any some "
    "other between below above").split()}


def setup(app):
    app.connect("doctree-read", unnamed)
    app.connect("doctree-read", own_statements)
    app.connect("doctree-read", gate)
    app.connect("doctree-read", typed_numbers)
