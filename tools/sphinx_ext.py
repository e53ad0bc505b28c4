"""The book's Sphinx extension: outputs from the store, entries in the environment, a slim site."""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path

import myst_nb.sphinx_
import pybtex.plugin
from docutils import nodes
from myst_nb.core.execute import NotebookClientBase
from nbformat import NotebookNode
from sphinx.errors import ExtensionError
from sphinx.util import logging

from proofread.sphinx import entries
from tools import (
    cells,
    chapters,
    errors,
    formulas,
    history,
    ledger,
    library,
    moved,
    notebook,
    settings,
    site,
    slides,
    store,
    theorems,
)
from tools.checker import export, fields
from tools.pdf import offer

log = logging.getLogger(__name__)

# `make chapter` brings one chapter up to date and takes the others as they are.
ONLY = os.environ.get("SOFTMAXNOTES_ONLY", "").split()


# --- Outputs come from the store ----------------------------------------------------


class StoredClient(NotebookClientBase):
    """In place of myst-nb's execution: copy the stored outputs into the notebook.

    They are copied in place, since myst-nb publishes this very object as ``.ipynb``.
    """

    values: dict = {}  # of the expressions in the text

    def start_client(self):
        docname = self.path.relative_to(settings.ROOT).with_suffix("").as_posix()
        stored = store.stored(docname)
        if stored is None:
            return  # only under `make chapter`
        ours, theirs = chapters.code_cells(self.notebook), chapters.code_cells(stored)
        if [cell.source for cell in ours] != [cell.source for cell in theirs] and not ONLY:
            raise ExtensionError(f"{docname}: the stored outputs belong to other cells")
        for cell, done in zip(ours, theirs):
            cell.outputs, cell.execution_count = done.outputs, done.execution_count
        self.values = stored.metadata[settings.PACKAGE].get("values", {})
        chapters.fill_in(self.notebook, self.values)
        # what was found of its sentences is an output of no cell, and is published all the same
        self.notebook.metadata[settings.PACKAGE] = {
            "sentences": stored.metadata[settings.PACKAGE].get("sentences", [])}
        for number, cell in enumerate(self.notebook.cells):
            cell.id = f"cell-{number}"  # myst-nb draws random ones

    def eval_variable(self, name):
        """What the role ``{eval}`` shows."""
        data = self.values[name]["data"]
        text = {"text/plain": chapters.shown(data["text/plain"])}
        return [NotebookNode(output_type="display_data", data={**data, **text}, metadata={})]


def create_client(notebook, source, nb_config, logger, read_fmt=None):
    return StoredClient(notebook, Path(source), nb_config, logger)


# --- Before reading: execute, and see which pages are outdated ------------------------


def refresh(app, env, added, changed, removed):
    """Execute what is stale; return the pages whose outputs or entries have changed."""
    book = [page for page in chapters.chapters() if page in env.found_docs]
    asked = [page for page in book if page in ONLY] if ONLY else book
    try:
        store.execute(asked)
    except errors.ChapterError as error:
        raise ExtensionError(f"chapters failed to execute\n\n{error}") from None
    try:
        offered = fields.prepare(app, asked)
    except errors.ChapterError as error:
        raise ExtensionError(f"exercises and lines cannot be judged on the page\n\n{error}") from None
    notebooks = {page: notebook for page in book if (notebook := store.stored(page))}
    keys = {page: notebook.metadata[settings.PACKAGE]["key"] for page, notebook in notebooks.items()}
    changed = entries.give(env, {page: store.entries(notebook) for page, notebook in notebooks.items()})

    if missing := len(book) - len(notebooks):  # in a preview
        log.info("\n%s chapters were never executed: only their titles are shown, without links", missing)
        app.config.suppress_warnings += [
            "ledger", "proofread.ledger", "sources", "myst.xref_missing", "ref.equation"]
    memory = env.softmaxnotes
    outdated = {page for page in book if memory["keys"].get(page) != keys.get(page)}
    if changed:
        outdated |= memory["readers"] & env.found_docs
    if memory.get("fields") != offered:
        outdated |= {page for page in book if export.exercises(page).get("data")}
    memory["keys"], memory["fields"] = keys, offered
    ledger.check_parts(env)
    return outdated


def stub(app, docname, source):
    """A chapter without outputs, which only a preview has, is its title."""
    if docname in chapters.chapters() and store.stored(docname) is None:
        front, title = source[0].split("\n---\n")[0], ledger.chapter_title(docname)
        source[0] = f"{front}\n---\n\n# {title}\n\nThis chapter was never executed: `make book` does it.\n"


# what a page cites stands at its end: on paper a link to the references leads nowhere
CITED = """

::::{container} cited
:::{rubric} References
:::
:::{bibliography}
:filter: docname in docnames
:::
::::
"""


def list_cited(app, docname, source):
    if "{cite" in source[0]:
        source[0] += CITED


def unlink(app, doctree, docname):
    """In a preview, what refers to a chapter without outputs is only text."""
    if len(app.env.softmaxnotes["keys"]) < len(chapters.chapters()):
        there = {f"#{name}" for node in doctree.findall(nodes.Element) for name in node["ids"]}
        for link in list(doctree.findall(nodes.reference)):
            if link.get("refuri", "").startswith("#") and link["refuri"] not in there:
                link.parent.replace(link, link.children)


def remember(app):
    """What the environment keeps from build to build."""
    if not hasattr(app.env, "softmaxnotes"):
        app.env.softmaxnotes = {"keys": {}, "rows": {}, "theorems": {}, "readers": set()}


def note_reading(app, env, docnames):
    env.softmaxnotes["reading"] = bool(docnames)
    for docname in docnames:  # all before the first is read: a label that moves to another page is there once
        app.emit("env-purge-doc", env, docname)


def forget(app, env, docname):
    env.softmaxnotes["rows"].pop(docname, None)
    env.softmaxnotes["readers"].discard(docname)


def rewrite(app, env):
    """Pages to write again though their source is unchanged: the numbers in their links may differ."""
    memory = env.softmaxnotes
    if not memory["reading"]:
        return []
    numbers = repr((sorted(env.get_domain("math").equations.items()), sorted(env.toc_secnumbers.items())))
    book = [page for page in chapters.chapters() if page in env.titles]
    heads = [(page, chapters.number(env, page), env.titles[page].astext(), chapters.front(page).needs)
             for page in book]
    moved, renamed = numbers != memory.get("numbers"), heads != memory.get("heads")
    memory["numbers"], memory["heads"] = numbers, heads
    return [*(memory["readers"] | env.proofread["readers"] if moved else ()), *(book if renamed else ())]


# --- Writing ----------------------------------------------------------------------------


def published(app) -> Path:
    """Where myst-nb puts the executed notebooks."""
    return Path(app.outdir).parent / "jupyter_execute"


def offer_notebook(app, pagename, templatename, context, doctree):
    """The theme's download button offers the executed notebook, which `notebook` writes at the end."""
    if doctree is not None and pagename in chapters.chapters() and store.stored(pagename):
        context["ipynb_source"] = f"{pagename}.ipynb"


def animate(app, pagename, templatename, context, doctree):
    """A page with figures that have knobs, and no other, loads the scripts that turn them."""
    modules = sorted(set(re.findall(r'<figure [^>]*data-module="(\w+)"', context.get("body", ""))))
    scripts = [Path("interactive.js"), *(Path("figures", f"{module}.js") for module in modules)]
    found = [script for script in scripts if (settings.ROOT / "book/_assets" / script).exists()]
    for script in set(scripts) - set(found) if modules else ():  # in a preview others may be stale
        log.warning(f"{pagename}: a figure asks for book/_assets/{script}, which does not exist")
    context["figure_scripts"] = [script.as_posix() for script in found] if modules else []


def finish(app, error):
    if error is not None:
        return
    for path in published(app).rglob("*.ipynb"):  # of chapters that are no more
        if path.relative_to(published(app)).with_suffix("").as_posix() not in app.env.found_docs:
            path.unlink()
    if (app.warningiserror or app.keep_going) and app._warncount:  # -W, with or without --keep-going
        # A page is warned about when it is read: read everything again next time,
        # or a build that failed would succeed when repeated.
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)


def digest(paths) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def setup(app):
    app.setup_extension("proofread.sphinx")
    for part in (formulas, history, ledger, library, theorems, cells, fields, site, notebook, moved, offer,
                 slides):
        part.setup(app)
    myst_nb.sphinx_.create_client = create_client
    # else all that is installed is looked through for each citation
    pybtex.plugin._load_entry_point = cache(pybtex.plugin._load_entry_point)
    # other tools, other pages
    machinery = [*Path(__file__).parent.glob("*.py"), *(settings.ROOT / "proofread/sphinx").glob("*.py")]
    app.add_config_value("softmaxnotes_tools", digest(machinery), "env")
    # Sphinx copies assets only when it writes pages
    assets = (settings.ROOT / "book/_assets").rglob("*.[cj]s*")
    app.add_config_value("softmaxnotes_assets", digest(assets), "html")
    app.connect("builder-inited", remember)
    app.connect("env-get-outdated", refresh)
    app.connect("env-before-read-docs", note_reading)
    app.connect("source-read", stub)
    app.connect("source-read", list_cited)
    app.connect("doctree-resolved", unlink, priority=900)
    app.connect("env-purge-doc", forget)
    app.connect("env-get-updated", rewrite, priority=900)  # after Sphinx has numbered the sections
    app.connect("html-page-context", offer_notebook, priority=400)
    app.connect("html-page-context", animate)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
