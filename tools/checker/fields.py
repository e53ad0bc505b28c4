"""The pages of the site: a field under each exercise whose answer is a formula, *change it* beside each line
of a derivation, and the files behind them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from tools import chapters

from . import archive, export, packages, plain, trial
from .programs import PACKAGES

log = logging.getLogger(__name__)

FILES = ("wasm.bin", "python.bin", "proofread.bin", "worker.bin", "katex.js", "disk.js", "notices.txt")
STANDARD = "standard.zip"  #: what of Python's own `packages` need besides


def prepare(app, docnames: list[str]) -> str:
    """Make what the fields of these chapters need.

    Gives the version of what the pages load, none where Python for the browser is missing.

    Raises
    ------
    ChapterError
        If an exercise or a line is judged on its page otherwise than in its notebook.
    """
    export.update(docnames)
    app.checker_files, app.checker_missing = None, ""
    if any(export.exercises(docname).get("data") for docname in chapters.chapters()):
        try:
            app.checker_files = archive.made()
        except archive.Missing as missing:
            if os.environ.get("CI"):
                raise
            app.checker_missing = str(missing)
            return ""
        trial.try_all(app.checker_files, docnames, address=app.config.softmaxnotes_packages)
    return archive.digest() + app.config.softmaxnotes_packages if app.checker_files else ""


# --- The fields --------------------------------------------------------------------------------------------


class line_field(nodes.General, nodes.Element):
    """Where a line of the page stands open as text, if it can be changed."""


class Change(SphinxDirective):
    """``{change} eq-label/2``: this line stands open as text, below a sentence."""

    required_arguments, has_content = 1, True

    def run(self):
        return [line_field(asked=self.arguments[0], told=" ".join(self.content))]


def offer(app, doctree, docname):
    """Forms and buttons for what can be judged here, which a page without scripts does not show."""
    page = export.exercises(docname) if _offered(app, docname) else {}
    lines = trial.changeable(page)
    _offer_answers(doctree, packages.offered(page, app.config.softmaxnotes_packages))
    for block in doctree.findall(nodes.math_block):
        label = block.get("label")
        if label and page.get("displayed", {}).get(label) == block.astext().strip():
            block["buttons"] = {number: button(asked, number, line["text"]) for asked, line in lines.items()
                                for of, number in [_place(asked)] if of == label}
    for node in list(doctree.findall(line_field)):
        line = lines.get(node["asked"])
        if page and not line:
            log.warning("no line %s can be changed", node["asked"], location=docname, type="checker")
        html = form(node["asked"], escape(node["told"]), line["text"]) if line else ""
        node.replace_self(nodes.raw("", html, format="html"))


def _offer_answers(doctree, exercises):
    told = {one["label"]: one for one in exercises}
    for box in doctree.findall(nodes.container):
        if "exercise" in box["classes"] and (one := told.get(next(iter(box["ids"]), ""))):
            answer = next(p for p in box.findall(nodes.paragraph) if "answer" in p["classes"])
            answer["classes"].append("elsewhere")
            if "stub" in one:  # it stands in the field
                stub = list(box.findall(nodes.literal_block))[-1]
                stub.replace_self(nodes.container("", stub.deepcopy(), classes=["elsewhere"]))
            field = nodes.raw("", (program if "stub" in one else exercise)(**one), format="html")
            answer.parent.insert(answer.parent.index(answer) + 1, field)


def exercise(label: str, formulas: int, symbols: list[str]) -> str:
    """The form for the answer to an exercise."""
    typed = [re.sub(r"^\w+", lambda word: plain.typed(word[0]), name) for name in symbols]
    names = [f"<code>{escape(name.replace('[…]', '_k').replace('(…)', '(x)'))}</code>" for name in typed]
    what = f"{formulas} formulas, with a comma between," if formulas > 1 else "a formula"
    told = f"{what} in {_listed(names)}" if names else "a number" if formulas == 1 else f"{formulas} numbers"
    return form(label, f"Your answer, {told}")


def program(label: str, name: str, stub: str, needs: list[str]) -> str:
    """The form for a function."""
    libraries = f"with {_listed([PACKAGES[one] for one in needs])}" if needs else "without other libraries"
    return _form(label, f"Your <code>{escape(name)}</code>, in Python {libraries}",
                 'textarea', f' rows="{stub.count(chr(10)) + 6}">{escape(stub)}</textarea>', needs)


def form(asked: str, told: str, text: str = "") -> str:
    """The form for a formula, with what is told of it, and what stands in it."""
    return _form(asked, told, "input",
                 f' value="{escape(text)}" placeholder="as text or in TeX" enterkeyhint="go">')


def _form(asked: str, told: str, kind: str, filled: str, needs: list[str] = ()) -> str:
    field, data = f"answer-{asked}", f' data-needs="{" ".join(needs)}"' if needs else ""
    return (f'<form class="field" data-asked="{asked}"{data} autocomplete="off" novalidate>\n'
            f'<label for="{field}">{told}</label>\n'
            f'<div><{kind} id="{field}" name="answer" spellcheck="false" autocapitalize="off" '
            f'autocorrect="off"{filled}<button type="submit">Check</button></div>\n<p class="reading"></p>\n'
            '<output aria-live="polite"></output>\n</form>')


def button(asked: str, number: int, text: str) -> str:
    """What opens a line as text."""
    return (f'<button type="button" class="change" data-asked="{asked}" data-text="{escape(text)}" '
            f'aria-expanded="false">change it<span class="vh">: line {number}</span></button>')


def _place(asked: str) -> tuple[str, int]:
    label, number = asked.split("/")
    return label, int(number)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _offered(app, docname) -> bool:
    """Whether something can be judged on a page."""
    return bool(getattr(app, "checker_files", None) and export.exercises(docname).get("data"))


def give(app, pagename, templatename, context, doctree):
    """What the script of a page is told: its exercises and lines, and which files to load at the first."""
    address = app.config.softmaxnotes_packages
    context["packages_origin"] = packages.origin(address)
    if pagename in chapters.chapters() and _offered(app, pagename):
        versions = {name: archive.content(app.checker_files / name) for name in loaded(address)}
        told = {"files": versions, "page": export.exercises(pagename)["data"]}
        if address:
            told |= {"packages": packages.listed(), "address": address}
        context["checker"] = json.dumps(told)
        context["line_field"] = form("line", "Your version of this line")


def loaded(address: str) -> tuple[str, ...]:
    return (*FILES, STANDARD) if address else FILES


def publish(app, error):
    """The files themselves, beside the site's own."""
    if error is not None:
        return
    folder = Path(app.outdir) / "_static" / "checker"
    if files := getattr(app, "checker_files", None):
        folder.mkdir(parents=True, exist_ok=True)
        for name in loaded(app.config.softmaxnotes_packages):
            there = folder / name
            if not there.exists() or archive.content(there) != archive.content(files / name):
                shutil.copy(files / name, there)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        if missing := getattr(app, "checker_missing", ""):  # the last that a build says
            print(f"\nThe site has no fields for the answers to exercises, and no line of it can be changed. "
                  f"{missing}", flush=True)


def setup(app):
    app.add_config_value("softmaxnotes_packages", "", "html", [str])
    app.connect("config-inited", lambda app, config: packages.read_address(config.softmaxnotes_packages))
    app.add_node(line_field)
    app.add_directive("change", Change)
    app.connect("doctree-resolved", offer, priority=700)  # after exercises have become boxes
    app.connect("html-page-context", give, priority=400)
    app.connect("build-finished", publish)
