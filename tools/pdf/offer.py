"""The site offers what was printed of the book and its parts: no link where there is no file."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools import chapters
from tools.pdf.volumes import BOOK, FOLDER, folder, volumes


def offer(app, pagename, templatename, context, doctree):
    """What the layout links to: a PDF for each part, by its caption, that of the page's part, the whole."""
    def link(name):
        there = name in app.config.softmaxnotes_pdfs
        return context["pathto"](f"_static/pdf/{name}.pdf", resource=True) if there else ""

    parts = chapters.parts()
    context["pdfs"] = {caption: link(folder(pages)) for caption, pages in parts}
    context["pdf_of_part"] = next((link(folder(pages)) for _, pages in parts if pagename in pages), "")
    context["pdf_of_book"] = link(BOOK)


def carry(app, error):
    """The files, to the site."""
    goal = Path(app.outdir) / "_static/pdf"
    shutil.rmtree(goal, ignore_errors=True)
    if error is None and app.config.softmaxnotes_pdfs:
        goal.mkdir()
        for name in app.config.softmaxnotes_pdfs:
            shutil.copy2(FOLDER / f"{name}.pdf", goal)


def setup(app):
    # Sphinx writes all pages again when another file is there
    printed = [name for name in volumes() if (FOLDER / f"{name}.pdf").exists()]
    app.add_config_value("softmaxnotes_pdfs", printed, "html")
    app.connect("html-page-context", offer)
    app.connect("build-finished", carry)
