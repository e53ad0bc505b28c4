"""The pages of the site: a field under each exercise whose answer is a formula, and the files behind it."""

from __future__ import annotations

import json
import os
import shutil
from html import escape
from pathlib import Path

from docutils import nodes

from tools import chapters

from . import archive, export, trial

FILES = ("wasm.bin", "python.bin", "proofread.bin", "worker.bin", "katex.js", "disk.js", "notices.txt")


def prepare(app, docnames: list[str]) -> str:
    """Make what the fields of these chapters need.

    Gives the version of the files that the pages load, none where Python for the browser is missing.

    Raises
    ------
    ChapterError
        If an exercise cannot be judged on its page as in its notebook.
    """
    export.update(docnames)
    app.checker_files, app.checker_missing = None, ""
    if any(export.exercises(docname).get("exercises") for docname in chapters.chapters()):
        try:
            app.checker_files = archive.made()
        except archive.Missing as missing:
            if os.environ.get("CI"):
                raise
            app.checker_missing = str(missing)
            return ""
        trial.try_all(app.checker_files, docnames)
    return archive.digest() if app.checker_files else ""


# --- The field ---------------------------------------------------------------------------------------------


def offer(app, doctree, docname):
    """Under each exercise that can be judged here, a form, which a page without scripts does not show."""
    told = {one["label"]: one for one in _exercises(app, docname)}
    for box in doctree.findall(nodes.container):
        if "exercise" in box["classes"] and (one := told.get(next(iter(box["ids"]), ""))):
            answer = next(p for p in box.findall(nodes.paragraph) if "answer" in p["classes"])
            answer["classes"].append("elsewhere")
            field = nodes.raw("", form(**one), format="html")
            answer.parent.insert(answer.parent.index(answer) + 1, field)


def form(label: str, formulas: int, symbols: list[str]) -> str:
    """The form for an answer."""
    names = [f"<code>{escape(name.replace('[…]', '_k').replace('(…)', '(x)'))}</code>" for name in symbols]
    what = f"{formulas} formulas, with a comma between," if formulas > 1 else "a formula"
    told = f"{what} in {_listed(names)}" if names else "a number" if formulas == 1 else f"{formulas} numbers"
    field = f"answer-{label}"
    return (f'<form class="field" data-exercise="{label}" autocomplete="off" novalidate>\n'
            f'<label for="{field}">Your answer, {told}</label>\n'
            f'<div><input id="{field}" name="answer" placeholder="as text or in TeX" spellcheck="false" '
            'autocapitalize="off" autocorrect="off" enterkeyhint="go">'
            '<button type="submit">Check</button></div>\n<p class="reading"></p>\n'
            '<output aria-live="polite"></output>\n</form>')


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _exercises(app, docname) -> list[dict]:
    return export.exercises(docname).get("exercises", []) if getattr(app, "checker_files", None) else []


def give(app, pagename, templatename, context, doctree):
    """What the script of a page is told: its exercises, and which files to load at the first answer."""
    if pagename in chapters.chapters() and _exercises(app, pagename):
        versions = {name: archive.content(app.checker_files / name) for name in FILES}
        context["exercises"] = json.dumps({"files": versions, "page": export.exercises(pagename)["data"]})


def publish(app, error):
    """The files themselves, beside the site's own."""
    if error is not None:
        return
    folder = Path(app.outdir) / "_static" / "checker"
    if files := getattr(app, "checker_files", None):
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            there = folder / name
            if not there.exists() or archive.content(there) != archive.content(files / name):
                shutil.copy(files / name, there)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        if missing := getattr(app, "checker_missing", ""):  # the last that a build says
            print(f"\nThe site has no fields for the answers to exercises. {missing}", flush=True)


def setup(app):
    app.connect("doctree-resolved", offer, priority=700)  # after exercises have become boxes
    app.connect("html-page-context", give, priority=400)
    app.connect("build-finished", publish)
