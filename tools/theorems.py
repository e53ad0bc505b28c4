"""``{theorems}``: the theorems of the book, with definitions and the like, by chapters.

The index of sphinx-proof has the labels alone, without number and name, and in the order of the alphabet.
"""

from docutils import nodes
from sphinx.util.nodes import make_refnode

from tools import chapters, ledger
from tools.notebook import numbered


class theorem_list(nodes.General, nodes.Element):
    """Filled when every page has been read."""


class Theorems(ledger.BookDirective):
    def render(self):
        return [theorem_list()]


def note(app, doctree):
    """What a page states: label, kind, and the title's nodes."""
    env = app.env
    env.softmaxnotes["theorems"][env.docname] = [
        (node["label"], node["realtype"], [child.deepcopy() for child in node.children[0].children])
        for node in doctree.findall(nodes.Element) if "realtype" in node and node.get("label")]


def forget(app, env, docname):
    env.softmaxnotes["theorems"].pop(docname, None)


def fill(app, doctree, docname):
    for node in list(doctree.findall(theorem_list)):
        found = app.env.softmaxnotes["theorems"]
        node.replace_self([part for page in chapters.chapters() if found.get(page)
                           for part in of_chapter(app, docname, page, found[page])])


def of_chapter(app, docname, page, theorems):
    head = nodes.paragraph("", f"{chapters.number(app.env, page)} ".lstrip())
    head += make_refnode(app.builder, docname, page, "", nodes.Text(ledger.chapter_title(page)))
    items = nodes.bullet_list()
    for label, kind, title in theorems:
        number = numbered(app.env, page, app.env.proof_list[label]["countertype"]).get(label, "")
        link = make_refnode(app.builder, docname, page, label, nodes.Text(f"{kind.title()} {number}".strip()))
        name = [child.deepcopy() for child in title]
        items += nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(" " if name else ""), *name))
    return [head, items]


def setup(app):
    app.add_node(theorem_list)
    app.add_directive("theorems", Theorems)
    app.connect("doctree-read", note)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", fill, priority=400)
