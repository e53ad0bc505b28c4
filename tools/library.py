"""``{library} softmaxnotes.softmax``: what a module offers, a line for each, linked to its description."""

import inspect
import re
from importlib import import_module

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from proofread.sphinx import shown


class Library(SphinxDirective):
    required_arguments = 1

    def run(self):
        module = import_module(self.arguments[0])
        self.env.note_dependency(module.__file__)
        where = nodes.paragraph("", "", nodes.literal("", f"from {module.__name__} import …"))
        items = nodes.definition_list(classes=["library"])
        described = [name for name in module.__all__ if callable(getattr(module, name))]
        for name in sorted(described, key=str.lower):
            term = nodes.term("", "", self.link(f"{module.__name__}.{name}", name))
            meaning = nodes.paragraph("", "", *shown.inline(summary(getattr(module, name))))
            items += nodes.definition_list_item("", term, nodes.definition("", meaning))
        return [where, items]

    def link(self, target, name):
        link = addnodes.pending_xref("", reftype="obj", refdomain="py", reftarget=target, refexplicit=True,
                                     refwarn=True, refdoc=self.env.docname)
        link += nodes.literal("", name)
        return link


def summary(thing) -> str:
    """The first sentence of a docstring, in the little Markdown of the ledger.

    >>> def f(): "The mean :math:`m`, as ``numpy`` has it.  More."
    >>> summary(f)
    'The mean $m$, as `numpy` has it.'
    """
    text = " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())
    text = re.sub(r":\w+:`([^`]*)`", r"$\1$", text).replace("``", "`")
    return re.split(r"(?<=[.:])\s+(?=[A-Z])", text)[0].rstrip(":")


def is_field(app, what, name, obj, skip, options):
    """A field of a named tuple, which the docstring of the tuple describes."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def initials(app, what, name, obj, options, lines):
    """A line of a docstring that starts with an initial, which reStructuredText takes for a number."""
    lines[:] = [re.sub(r"^(\s*)([A-Za-z]\.)(?=\s|$)", r"\1\\\2", line) for line in lines]


def setup(app):
    app.connect("autodoc-skip-member", is_field)
    app.connect("autodoc-process-docstring", initials, priority=400)  # before napoleon
    app.add_directive("library", Library)
