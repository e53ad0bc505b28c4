"""What can be unfolded: native ``<details>``, which need no script."""

from __future__ import annotations

from docutils import nodes


class details(nodes.General, nodes.Element):
    """What can be unfolded; its first child is a `summary`."""


class summary(nodes.General, nodes.TextElement):
    """What is seen of `details` that are folded."""


class aside(nodes.General, nodes.Element):
    """A remark set apart."""


def fold(words: str | list[nodes.Node], *children: nodes.Node, classes: list[str]) -> details:
    head = [nodes.Text(words)] if isinstance(words, str) else words
    return details("", summary("", "", *head), *children, classes=classes)


def code(block: nodes.literal_block, words: str = "Code") -> details:
    """The code of a cell, folded; the summary says how long it is."""
    lines = len(block.astext().strip().splitlines())
    note = nodes.inline("", f" · {lines} line" + "s" * (lines != 1), classes=["note"])
    return fold([nodes.Text(words), note], block, classes=["code"])


def _tag(name):
    def visit(self, node):
        self.body.append(self.starttag(node, name, ""))

    def depart(self, node):
        self.body.append(f"</{name}>\n")

    return visit, depart


def setup(app):
    for node, name in ((details, "details"), (summary, "summary"), (aside, "aside")):
        app.add_node(node, html=_tag(name))
