r"""What a page must obey: displayed equations are printed from checked objects, and what a site asks besides.

Each gate is a function that warns; the setting ``proofread_gates`` says which of them are closed.  A warning
has the type ``proofread``, and the name of its gate as subtype.

A theorem ``thm-name`` states the equation ``eq-name``, or several ``eq-name-…``; that it shows another one
than it proves is nothing that a reader could see.
"""

import re

from docutils import nodes
from docutils.utils import get_source_line
from sphinx import addnodes
from sphinx.errors import ConfigError
from sphinx.util import logging

from proofread.latex.plain import plain
from proofread.latex.relations import split

from . import entries
from .directives import placeholder

log = logging.getLogger(__name__)


def complain(env, gate: str, where, message: str, *arguments) -> None:
    """Warn of a fault of the page that is read, which is then read again by the next build."""
    env.proofread["faulty"].add(env.docname)
    log.warning(message, *arguments, location=where, type="proofread", subtype=gate)


# --- Displayed equations ----------------------------------------------------------


def equations(app, doctree):
    """Warn of displayed equations that are not printed from a checked object."""
    env = app.env
    labels = {entry.label for entry in entries.of_page(env, env.docname)}
    for block in doctree.findall(nodes.math_block):
        label = block.get("label")
        if not block.get("checked") or (label and label not in labels):
            complain(env, "equations", block, "displayed equation is not printed from a checked object: %s",
                     label or block.astext().strip().splitlines()[0])


def symbols(app, doctree):
    """Warn of a page with equations that does not say what its symbols mean."""
    found = entries.of_page(app.env, app.env.docname)
    if any(entry.label for entry in found) and not any(entry.kind == "symbols" for entry in found):
        complain(app.env, "symbols", app.env.docname,
                 "a page with equations says by `symbols_mean` what its symbols mean")


# --- Sentences --------------------------------------------------------------------


def relations(app, doctree):
    """Warn of a relation in a sentence that was neither decided nor listed, and of one that is no more."""
    env = app.env
    here = entries.of_page(env, env.docname)
    if not here:
        return
    said = {plain(tex): tex for entry in here for tex in entry.said}
    found = {plain(node.astext()): node for node in typed_relations(doctree)}
    for tex, node in found.items():
        if tex not in said:
            complain(env, "relations", node,
                     "relation in a sentence that was neither decided nor listed by `said`: %s",
                     node.astext())
    for tex in said.keys() - found.keys():
        complain(env, "relations", env.docname, "`said` lists what no sentence says: %s", said[tex])


def typed_relations(doctree):
    """The formulas in sentences that state a relation; what cells and statements print is not among them."""
    for node in doctree.findall(nodes.math):
        if not is_printed(node) and split(node.astext())[1]:
            yield node


#: what cells, statements and tables of measurements print
PRINTED = {"cell_output", "output", "conditions", "benchmark", "measured"}


def is_printed(node) -> bool:
    while node is not None:
        if PRINTED & set(getattr(node, "attributes", {}).get("classes", ())):
            return True
        node = node.parent
    return False


def numbers(app, doctree):
    """Warn of a number in a sentence that is more than a digit: one that was measured is the value of an
    expression, ``{eval}``, and one that was chosen stands between dollars."""
    if not entries.of_page(app.env, app.env.docname):
        return
    for text in doctree.findall(nodes.Text):
        found = _NUMBER.search(text)
        if found and not is_printed(text) and not isinstance(text.parent, _NOT_READ):
            complain(app.env, "numbers", text.parent, "typed number %s in a sentence: %s", found[0],
                     text[:60])


# Years are none, nor is where something stands.
_NUMBER = re.compile(
    r"(?<![\w.])(?<!page )(?<!issue )(?<!request )(\d+\.\d+|(?!(1[5-9]|20)\d\d\b)\d{2,}(?!\w))")
_NOT_READ = (nodes.math, nodes.math_block, nodes.literal, nodes.literal_block, nodes.raw, nodes.comment)


# --- Theorems and references ------------------------------------------------------


def theorems(app, doctree):
    """Warn of a theorem that states an equation of another name."""
    for theorem in doctree.findall(lambda node: isinstance(node, nodes.Element) and node.get("realtype")):
        shown = [node["arguments"][0] for node in theorem.findall(placeholder)
                 if node["directive"] == "statement"]
        name = theorem.get("label", "").partition("-")[2]
        if shown and f"eq-{name}" not in shown and not all(s.startswith(f"eq-{name}-") for s in shown):
            complain(app.env, "theorems", theorem, "theorem %s states %s, and not eq-%s",
                     theorem.get("label"), ", ".join(shown), name)


def references(app, doctree):
    """Note what words stand beside each reference: `unnamed` judges them when all titles are known."""
    app.env.proofread["referred"][app.env.docname] = [
        (node["reftarget"], words(_sentence(node)), get_source_line(node)[1])
        for node in doctree.findall(addnodes.pending_xref) if not is_printed(node) and _in_a_text(node)]


def unnamed(app, env):
    """Warn of a sentence that refers to an equation and has no word of its title or label.

    A number in brackets tells a reader nothing before it is looked up, and of two numbers nobody sees
    that they were exchanged.
    """
    titles = {entry.label: entry.title for _, entry in entries.of_book(env) if entry.label}
    for page, referred in env.proofread["referred"].items():
        for label, beside, line in referred:
            if label in titles and not words(f"{titles[label]} {label}") & beside:
                log.warning("a sentence refers to %s without a word of what it is: %s", label, titles[label],
                            location=(page, line), type="proofread", subtype="references")


def _in_a_text(node) -> bool:
    while node is not None and not isinstance(node.parent, (nodes.paragraph, nodes.title)):
        node = node.parent
    return node is not None


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


# --- Which are closed -------------------------------------------------------------

#: by the names that `proofread_gates` has for them
GATES = {"equations": equations, "symbols": symbols, "relations": relations, "numbers": numbers,
         "theorems": theorems, "references": references}


def read(app, doctree) -> None:
    """Each gate that is closed looks at the page."""
    for name, gate in GATES.items():
        if name in app.config.proofread_gates:
            gate(app, doctree)


def check(app, config) -> None:
    if unknown := [name for name in config.proofread_gates if name not in GATES]:
        raise ConfigError(f"proofread_gates: expected some of {', '.join(GATES)}; got {', '.join(unknown)}")


def setup(app):
    app.connect("config-inited", check)
    app.connect("doctree-read", read)
    app.connect("env-updated", unnamed)
