"""``{statement}``, ``{ledger}``, ``{errata}``, ``{symbols}``: filled when all pages have been read."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from . import entries, shown

log = logging.getLogger(__name__)


class placeholder(nodes.General, nodes.Element):
    """What a directive will show; it has the name of the ``directive``, and its ``arguments``."""


class Placeholder(SphinxDirective):
    """A directive that knows what it shows when all pages have been read."""

    optional_arguments = 100

    def run(self) -> list[nodes.Node]:
        self.env.proofread["readers"].add(self.env.docname)
        node = placeholder(directive=self.name, arguments=self.arguments)
        self.set_source_info(node)
        return [node]


class Statement(Placeholder):
    """``{statement} eq-x``: the formula of a checked equation again, for use inside a theorem."""

    required_arguments, optional_arguments = 1, 0

    def run(self):
        stated = self.env.proofread["stated"].setdefault(self.env.docname, [])
        stated.append((self.arguments[0], self.lineno))
        return super().run()


class LedgerPage(Placeholder):
    """``{ledger}``: what was checked, and how, page by page; of the pages or folders that are named."""

    def run(self):
        self.env.proofread["ledgers"][self.env.docname] = self.arguments
        return super().run()


# --- What they show ---------------------------------------------------------------


def statement(app, docname, label):
    found = entries.of_equation(app.env, label)
    if not found or found[0].label != label:
        return []  # of which `check_statements` warns
    return [shown.formula(found[0].tex, statement=label), *shown.conditions(found[0])]


def ledger(app, docname, *folders):
    env, made = app.env, []
    for page in pages(env, folders):
        if rows := entries.titled_checks(entries.of_page(env, page)):
            link = make_refnode(app.builder, docname, page, "", nodes.Text(title(env, page)))
            made += [nodes.rubric("", "", link), *(shown.card(env, row) for row in rows)]
    return made


def errata(app, docname, *folders):
    found = [(entry, title(app.env, page)) for page in pages(app.env, folders)
             for entry in entries.of_page(app.env, page) if entry.erratum]
    return shown.errata(app.env, found) or [nodes.paragraph("", "None so far.")]


def symbols(app, docname, *folders):
    table = shown.symbols(app.env, pages(app.env, folders), lambda page: title(app.env, page))
    return [table] if table else []


def pages(env, folders) -> list[str]:
    return [page for page in entries.reading_order(env) if shown.listed(page, folders)]


def title(env, page: str) -> str:
    return env.titles[page].astext() if page in env.titles else page


CONTENTS = {"statement": statement, "ledger": ledger, "errata": errata, "symbols": symbols}


class Fill(SphinxPostTransform):
    """Put what the directives show in their places."""

    default_priority = 4  # before references are resolved

    def run(self):
        for node in list(self.document.findall(placeholder)):
            made = CONTENTS[node["directive"]](self.app, self.env.docname, *node["arguments"])
            for one in made:
                one.source, one.line = node.source, node.line
            if made:  # when the page was read it had no formula, and no need of what sets them
                self.env.get_domain("math").data["has_equations"][self.env.docname] = True
            node.replace_self(made)


def check_statements(app, env) -> None:
    labels = {entry.label for _, entry in entries.of_book(env)}
    for page, stated in env.proofread["stated"].items():
        for label, line in stated:
            if label not in labels:
                log.warning("no checked object has the label %s", label, location=(page, line),
                            type="proofread", subtype="ledger")


# --- Docstrings -------------------------------------------------------------------


def checked_formulas(app, what, name, obj, options, lines):
    """In a documented function, the checked equations that it implements instead of a second typing.

    The docstring's own formula serves ``help()``; ``Implements: eq-x`` names the equation.
    """
    labels = [line.split()[1] for line in lines if line.lstrip().startswith("Implements: ")]
    if not labels:
        return
    kept, in_formula = [], False
    for line in lines:
        if line.startswith(".. math::"):
            in_formula = True
            while labels:
                kept += [f".. statement:: {labels.pop(0)}", ""]
        elif not in_formula or (line and not line[0].isspace()):
            in_formula = False
            if not line.lstrip().startswith("Implements: "):
                kept.append(line)
    lines[:] = kept


def setup(app):
    app.add_node(placeholder)
    app.add_node(shown.label_reference)
    app.add_post_transform(Fill)
    directives = {"statement": Statement, "ledger": LedgerPage, "errata": Placeholder, "symbols": Placeholder}
    for name, directive in directives.items():
        app.add_directive(name, directive)
    app.connect("env-updated", check_statements)
    app.connect("doctree-resolved", shown.fill)
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", checked_formulas, priority=400)  # before napoleon
