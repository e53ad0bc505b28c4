"""``.. library:: softmaxnotes.softmax``: what a module offers, a line for each, linked to its description."""

import re
from importlib import import_module

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.ext.autodoc import ModuleDocumenter
from sphinx.ext.autosummary import Autosummary


class Library(Autosummary):
    """A summary of all that a module exports, of which Sphinx's own must be given the names."""

    required_arguments = 1
    has_content = False

    def run(self):
        module = import_module(self.arguments[0])
        self.env.note_dependency(module.__file__)
        self.env.ref_context["py:module"] = module.__name__  # as after currentmodule
        described = [name for name in module.__all__ if callable(getattr(module, name))]
        self.content = StringList(sorted(described, key=str.lower))
        self.options["nosignatures"] = None
        where = nodes.paragraph("", "", nodes.literal("", f"from {module.__name__} import …"))
        return [where, *super().run()]


class Package(ModuleDocumenter):
    """The descriptions of what a package exports stand in the order of its summary."""

    def sort_members(self, documenters, order):
        if self.options.imported_members and self.__all__:
            return sorted(documenters, key=lambda found: found[0].name.lower())
        return super().sort_members(documenters, order)


def is_field(app, what, name, obj, skip, options):
    """A field of a named tuple, which the docstring of the tuple describes."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def initials(app, what, name, obj, options, lines):
    """A line of a docstring that starts with an initial, which reStructuredText takes for a number."""
    lines[:] = [re.sub(r"^(\s*)([A-Za-z]\.)(?=\s|$)", r"\1\\\2", line) for line in lines]


def setup(app):
    app.connect("autodoc-skip-member", is_field)
    app.connect("autodoc-process-docstring", initials, priority=400)  # before napoleon
    app.add_autodocumenter(Package, override=True)
    app.add_directive("library", Library)
