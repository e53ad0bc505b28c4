"""How an equation was checked, under it: a word, and unfolded what was found."""

from pathlib import Path

from docutils import nodes

from . import entries, shown
from .folds import details, fold

UNNAMED = ("erratum", "exercise", "figure")  # what belongs to an equation and is no second route to it


def words(env, found: list) -> str:
    """How an equation was checked, and by which second routes, such as "proved + quadrature"."""
    own, *routes = found
    named = dict.fromkeys(entry.kind for entry in routes if entry.kind not in UNNAMED)
    return " + ".join([entries.word(env, own), *named])


def evidence(app, docname: str, found: list) -> details:
    """The word; unfolded, all that was found, and a link to the row of the ledger."""
    own, links = found[0], []
    if uri := shown.row_uri(app, own.label, docname):
        number = shown.equation_link(app.builder, own.label, docname).astext()
        row = nodes.reference("", f"Row {number} of the ledger", internal=True, refuri=uri)
        links.append(nodes.paragraph("", "", row))
    panel = nodes.container("", *shown.found(found), *links, classes=["found"])
    shown.fill(app, panel, docname)
    kind = entries.verdict(app.env, own).replace(" ", "-")
    return fold(words(app.env, found), panel, classes=["how", kind])


def show(app, doctree, docname: str) -> None:
    """Under each equation that has entries, and under its conditions, the evidence."""
    if not app.config.proofread_evidence or app.builder.format != "html":
        return
    for block in list(doctree.findall(nodes.math_block)):
        label = block.get("label")
        found = entries.of_equation(app.env, label) if label else []
        if found and found[0].label == label:
            place = block.parent.index(block) + 1
            while any("conditions" in node.get("classes", ()) for node in
                      block.parent.children[place:place + 1] if isinstance(node, nodes.Element)):
                place += 1
            block.parent.insert(place, evidence(app, docname, found))


def style(app) -> None:
    if app.config.proofread_evidence:
        app.config.html_static_path.append(str(Path(__file__).parent / "static"))
        app.add_css_file("proofread.css")


def setup(app):
    app.connect("builder-inited", style)
    app.connect("doctree-resolved", show)
