"""What can be unfolded: native ``<details>``, which need no script."""

from docutils import nodes


class details(nodes.General, nodes.Element):
    """What can be unfolded; its first child is a `summary`."""


class summary(nodes.General, nodes.TextElement):
    """What is seen of `details` that are folded."""


def fold(words: str | list[nodes.Node], *children: nodes.Node, classes: list[str]) -> details:
    head = [nodes.Text(words)] if isinstance(words, str) else words
    return details("", summary("", "", *head), *children, classes=classes)


def tag(name):
    """How a node becomes an element of HTML."""
    def visit(self, node):
        self.body.append(self.starttag(node, name, ""))

    def depart(self, node):
        self.body.append(f"</{name}>\n")

    return visit, depart


def setup(app):
    for node, name in ((details, "details"), (summary, "summary")):
        app.add_node(node, html=tag(name))
