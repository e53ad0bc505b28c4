"""Chapters as notebooks to download: plain Markdown, with statements, numbers, citations, links resolved.

The source of a chapter is MyST, which the site reads and few other programs do.  Here each cell of an
executed chapter is written again for Jupyter, Colab, VS Code and the viewers on the web (`tools.markdown`);
what is not understood is a warning, hence an error.  What cells print is changed by `softmaxnotes.notebook`,
here and when they run again.
"""

from __future__ import annotations

import ast
import json
import os
import re
import textwrap
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import nbformat
from docutils import nodes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from pybtex.plugin import find_plugin
from sphinx import addnodes
from sphinx.util import logging

from proofread.ledger import METADATA
from proofread.sphinx.entries import of_equation
from proofread.sphinx.shown import equation_link, href
from softmaxnotes.notebook import Numbers
from tools import chapters, citation, home, ledger, settings, store
from tools.classroom import SOLUTION, for_class
from tools.markdown import Plain, details, quoted, table

log = logging.getLogger(__name__)

ONLY = os.environ.get("SOFTMAXNOTES_ONLY", "").split()  # the chapters that a preview shows, if it is one
FOLDER = "_sources"  # of the site
ALL, CLASS = f"{FOLDER}/softmaxnotes.zip", f"{FOLDER}/softmaxnotes-class.zip"
FOLDED = {"hide-input", "remove-input", "hide-cell"}


# --- What labels are called -------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """What a label is called, and where it stands on the site."""

    name: str
    docname: str
    anchor: str


def numbered(env, docname: str, kind: str) -> dict[str, str]:
    """The numbers of a kind of thing on a page, such as ``{"ex-shift": "1.2"}``."""
    found = env.toc_fignumbers.get(docname, {}).get(kind, {})
    return {ident: ".".join(map(str, number)) for ident, number in found.items()}


def places(app, notebooks) -> dict[str, Place]:
    """Every label of the book: equations, exercises, figures, theorems, sections, each in their order."""
    env, found = app.env, {}
    for label, (docname, _) in env.get_domain("math").equations.items():
        link = equation_link(app.builder, label, docname)
        found[label] = Place(link.astext(), docname, href(link).rpartition("#")[2])
    for docname in env.found_docs:
        for label, number in numbered(env, docname, "exercise").items():
            found[label] = Place(f"Exercise {number}", docname, label)
    for docname, notebook in notebooks.items():
        chapter, drawn = chapters.number(env, docname), json.dumps(notebook.cells).replace('\\"', '"')
        for number, name in enumerate(re.findall(r'<figure id="(fig-[\w-]+)"', drawn), 1):
            if name in found:
                log.warning("another figure has the name %s, on %s", name, found[name].docname,
                            location=docname, type="notebook")
            found[name] = Place(f"Figure {chapter}.{number}" if chapter else "", docname, name)
    for label, proof in getattr(env, "proof_list", {}).items():
        number = numbered(env, proof["docname"], proof["countertype"]).get(label, "")
        found[label] = Place(f"{proof['realtype'].title()} {number}".strip(), proof["docname"], label)
    for name, (docname, ident, title) in env.get_domain("std").labels.items():
        found.setdefault(name, Place(str(title), docname, ident))
    return found


# --- A chapter ------------------------------------------------------------------------------


PROOF = "*Proof.*"


class Writer(Plain):
    """Writes one chapter again."""

    def __init__(self, app, docname, notebook, values, places):
        super().__init__(app.env.myst_config)
        self.app, self.env, self.docname = app, app.env, docname
        self.notebook, self.values, self.places = notebook, values, places
        self.base = app.config.html_baseurl.rstrip("/")
        self.sections = [".".join(map(str, n)) for n in app.env.toc_secnumbers.get(docname, {}).values()]
        self.cited, self.cells, self.pieces, self.solution, self.later = [], [], [], None, []
        self.anchors, self.proved = set(), app.env.metadata[docname]["proved"]
        here = {label: place.name for label, place in places.items()
                if place.docname == docname and re.search(r"\d$|\d\)$", place.name)}
        printed = [output.get("data", {}).get("text/markdown", "")
                   for cell in chapters.code_cells(notebook) for output in cell.outputs]
        linked = {label for text in printed for label in re.findall(r"\]\(#([\w-]+)\)", text)}
        elsewhere = {label: places[label] for label in sorted(linked - set(here)) if label in places}
        self.numbers = Numbers(
            here, elsewhere={label: place.name for label, place in elsewhere.items()},
            page=self.address(docname),
            links={label: self.address(p.docname, p.anchor) for label, p in elsewhere.items()} if self.base
            else {})

    def address(self, docname, anchor=""):
        """Where something stands on the site, if it is known where the site is."""
        if not self.base:
            return ""
        return f"{self.base}/{docname}.html" + (f"#{anchor}" if anchor else "")

    def fault(self, what):
        log.warning("the notebook to download cannot show this: %s", what, location=self.docname,
                    type="notebook")
        return ""

    # -- cells -------------------------------------------------------------------------------

    def written(self):
        for cell in self.notebook.cells:
            if cell.cell_type == "code":
                self.code(cell)
            else:
                self.text(cell.source)
        self.run_solutions()
        if self.cited:
            self.add(new_markdown_cell(self.bibliography()))
        first = next((n for n, cell in enumerate(self.cells) if cell.cell_type == "code"), len(self.cells))
        self.cells[first:first] = self.preparations()
        notebook = new_notebook(cells=self.cells, metadata={
            "kernelspec": self.notebook.metadata.get("kernelspec", {}), "language_info": {"name": "python"}})
        for number, cell in enumerate(notebook.cells):
            cell.id = f"cell-{number}"
        for text in texts(notebook):
            for found in self.leftovers(text, self.anchors):
                self.fault(found)
        return notebook

    def preparations(self):
        repository = self.app.config.softmaxnotes_repository.rstrip("/")
        sources = [INSTALL.format(repository=repository)] if repository else []
        facts = citation.told()
        needed = REPOSITORY.format(repository=repository) if repository else CLONE
        words = f"*From {facts['title']}, version {facts['version']}. {needed}*"
        code = [new_code_cell(source, metadata=folded()) for source in [*sources, self.setting()]]
        return [new_markdown_cell(words), *code]

    def setting(self):
        """The code that makes the outputs of the notebook what they are here."""
        numbers = self.numbers
        used = {label: name for label, name in numbers.here.items() if name}
        lines = ["# The numbers of this chapter, for what the cells below print.",
                 "from softmaxnotes.notebook import number", ""]
        arguments = [("", used), ("elsewhere=", numbers.elsewhere), ("page=", numbers.page),
                     ("links=", numbers.links)]
        shown = [literal(name, value) for name, value in arguments if value or not name]
        return "\n".join([*lines, "number(" + ",\n       ".join(shown) + ")"])

    def add(self, cell):
        (self.cells if self.solution is None else self.solution).append(cell)

    def code(self, cell):
        outputs = [self.output(deepcopy(output)) for output in cell.outputs]
        hidden = folded() if FOLDED & set(cell.metadata.get("tags", [])) else {}
        self.add(new_code_cell(cell.source, outputs=outputs, execution_count=cell.execution_count,
                               metadata={**cell.metadata, **hidden}))

    def output(self, output):
        output.pop("execution_count", None)
        if output.output_type == "execute_result":
            output["execution_count"] = None
        if "data" in output:
            output["data"] = self.numbers.rewrite(output["data"])
            self.anchors |= set(re.findall(r'id="([\w-]+)"', json.dumps(output["data"]).replace('\\"', '"')))
        return output

    def text(self, source):
        for node in self.read(source):
            words = self.write(node)
            if node.type == "paragraph" and self.pieces and self.pieces[-1].endswith(PROOF):
                words = f"{self.pieces.pop()} {words}"
            self.pieces.append(words)
        self.flush()

    def flush(self):
        text, self.pieces = "\n\n".join(filter(None, self.pieces)), []
        if text:
            self.add(new_markdown_cell(text))

    # -- solutions ---------------------------------------------------------------------------

    def start_solution(self, label):
        self.flush()
        self.solution, self.solved = [], label
        return ""

    def fold_solution(self):
        """The solution in one cell of text, which can be folded everywhere; its code runs later."""
        self.flush()
        cells, self.solution = self.solution, None
        shown = []
        for cell in cells:
            if cell.cell_type == "markdown":
                shown.append(cell.source)
            else:
                shown += [f"```python\n{cell.source.strip()}\n```", *map(still, cell.outputs)]
                self.later.append((len(self.cells), cell))
        name = self.places[self.solved].name.lower()
        self.add(new_markdown_cell(details(f"Solution of {name}", "\n\n".join(shown)), metadata=solution()))
        return ""

    def run_solutions(self):
        """The code of the solutions, out of sight, where it can do nothing to the exercises."""
        later, self.later = self.later, []
        if not later:
            return
        for _, cell in later:
            cell.metadata = {**cell.metadata, "jupyter": {"source_hidden": True, "outputs_hidden": True},
                             "cellView": "form", "collapsed": True, **solution(cell.metadata.get("tags", ()))}
        if self.can_wait(later):
            words = new_markdown_cell("*The solutions above, run:*", metadata=solution())
            self.cells += [words, *(cell for _, cell in later)]
        else:
            for place, cell in reversed(later):
                self.cells.insert(place + 1, cell)

    def can_wait(self, later):
        """Whether nothing between the solutions and here depends on them, or changes what they read."""
        between = [cell for cell in self.cells[later[0][0]:] if cell.cell_type == "code"]
        if any(METADATA in output.get("metadata", {}) for cell in between for output in cell.outputs):
            return False  # the order of the entries would be another one
        bound, read = (set().union(*(names(cell.source)[n] for _, cell in later)) for n in (0, 1))
        return not any(names(cell.source)[0] & (read | bound) or names(cell.source)[1] & bound
                       for cell in between)

    # -- text --------------------------------------------------------------------------------

    def heading(self, level, words):
        if self.solution is None and level < 3:
            self.flush()
            self.run_solutions()  # before the next section begins
        number = self.sections.pop(0) if self.sections else ""
        return super().heading(level, f"{number} {words}".lstrip())

    def target(self, label):
        self.anchors.add(label)
        return super().target(label)

    def role(self, name, content):
        match name.split(":"):
            case ["cite", *kind]:
                return self.citation("".join(kind) or "p", content)
            case ["eval"]:
                return self.value(content)
            case ["eq"] | ["prf", "ref"] | ["ref"] | ["numref"]:
                return self.reference(content)
            case ["row"]:  # is of use on the site only
                where = self.address(ledger.SOURCES, f"source-{content}")
                return f"[{content}]({where})" if where else ""
            case ["py", _]:
                target, short = content.lstrip("~"), content.startswith("~")
                known = self.env.get_domain("py").objects.get(target)
                shown = f"`{target.rpartition('.')[2] if short else target}`"
                known = known and self.address(known.docname, known.node_id)
                return f"[{shown}]({known})" if known else shown
        return super().role(name, content)

    def reference(self, label, words=""):
        place = self.places.get(label)
        if place is None:
            self.fault(f"a reference to {label}")
            return words or label
        words = words or place.name
        address = f"#{label}" if place.docname == self.docname else self.address(place.docname, place.anchor)
        return f"[{words}]({address})" if address else words

    def link(self, words, address):
        """A link, or its words where there is nothing to link to."""
        if re.match(r"\w+:", address):
            return f"[{words}]({address})"
        path, _, label = address.partition("#")
        if not path:
            return self.reference(label, words)
        page = self.env.relfn2path(path, self.docname)[0].removesuffix(".md")
        if page not in self.env.found_docs:
            return self.fault(f"a link to {address}")
        words = words or self.env.titles[page].astext()
        return f"[{words}]({self.address(page, label)})" if self.base else words

    def value(self, expression):
        result = self.values.get(expression)
        if result is None or "data" not in result:
            self.fault(f"{{eval}}`{expression}`")
            return expression
        data = result["data"]
        for kind in ("text/markdown", "text/latex"):
            if kind in data:
                return self.numbers.markdown(data[kind]).strip()
        return chapters.shown(data["text/plain"])

    def citation(self, kind, keys):
        domain = self.env.get_domain("cite")
        node = addnodes.pending_xref(keys, refdomain="cite", reftype=kind, reftarget=keys)
        builder, inner = self.app.builder, nodes.inline()
        shown = domain.resolve_xref(self.env, self.docname, builder, kind, keys, node, inner)
        known = {citation.citation_id: citation.key for citation in domain.citations}
        self.cited += [key for key in (key.strip() for key in keys.split(",")) if key not in self.cited]

        def walk(node):
            if isinstance(node, nodes.Text):
                return node.astext()
            inner = "".join(map(walk, node.children))
            if isinstance(node, nodes.reference):
                return f"[{inner}](#ref-{known[href(node).rpartition('#')[2]]})"
            return inner

        return walk(shown) if shown is not None else keys

    def bibliography(self):
        """The works that are cited."""
        backend, items = find_plugin("pybtex.backends", "markdown")(), []
        for work in self.env.get_domain("cite").citations:
            if work.key in self.cited and work.bibliography_key.docname == self.docname:
                self.anchors.add(f"ref-{work.key}")
                text = " ".join(work.formatted_entry.text.render(backend).split())
                text = re.sub(r"\\([().\-!:,'])", r"\1", text)
                items.append(f'- <a id="ref-{work.key}"></a>{text}')
        return "## References\n\n" + "\n".join(items)

    # -- directives --------------------------------------------------------------------------

    def directive(self, name, argument, options, body):
        label = options.get("label")
        match name.split(":"):
            case ["prf", "proof"]:
                return f"{PROOF} {self.plain(body)} ∎"
            case ["prf", _] if label in self.places:
                return self.theorem(argument, label, body)
            case ["statement"]:
                return self.statement(argument)
            case ["benchmark"]:
                return self.benchmark(argument)
            case ["exercise-start"] if label in self.places:
                return f"{self.target(label)}**{self.places[label].name}**"
            case ["exercise-end"]:
                return ""
            case ["solution-start"] if argument in self.places:
                return self.start_solution(argument)
            case ["solution-end"] if self.solution is not None:
                return self.fold_solution()
            case ["routes"]:
                return self.plain(body)
            case ["gallery"]:
                return "\n".join(map(self.pictured, body.splitlines()))
            case ["chapters"]:
                return self.listed()
            case ["change"]:  # here the cell itself can be changed
                return ""
        return super().directive(name, argument, options, body)

    def theorem(self, title, label, body):
        given = f" ({self.words(title)})" if title else ""
        box = quoted(f"{self.target(label)}**{self.places[label].name}**{given}\n\n{self.plain(body)}")
        return f"{box}\n\n{PROOF}" if label in self.proved else box

    def statement(self, label):
        entry = next((e for e in of_equation(self.env, label) if e.label == label), None)
        if entry is None or label not in self.places:
            return self.fault(f"the statement {label}")
        number = self.places[label].name.strip("()")
        conditions = self.numbers.markdown(", ".join(entry.conditions))
        tex = " ".join(entry.tex.split("\n"))  # some viewers would read the marks of a quotation into it
        return "\n\n".join(filter(None, [f"$${tex} \\tag{{{number}}}$$", conditions]))

    def benchmark(self, name):
        path = settings.ROOT / "benchmarks" / f"{name}.json"
        if not path.exists():
            return self.fault(f"the measurements {name}")
        data = json.loads(path.read_text("utf8"))
        facts = {**data["machine"], **data["versions"]}
        measured = ", ".join(f"{name} {value}" for name, value in facts.items())
        rows = [[str(cell).replace("|", "\\|") for cell in row] for row in [data["columns"], *data["rows"]]]
        shown = table(rows, ["---"] * len(data["columns"]))
        return f"{shown}\n\n{self.words(data['note'])}\n\nMeasured on {measured}."

    def listed(self):
        """The parts and their chapters, with a line about each."""
        lines = []
        for caption, pages in chapters.parts():
            lines += ["", f"**{caption}**", ""]
            lines += [f"- {self.linked(page)}: {chapters.front(page).description}" for page in pages]
        return "\n".join(lines).strip()

    def pictured(self, line):
        page, _, words = home.pictured(line)
        return f"- {words} {self.linked(f'book/{page}')}"

    def linked(self, page):
        title = ledger.chapter_title(page)
        words = f"{chapters.number(self.env, page)} {title}".strip()
        return f"[{words}]({self.address(page)})" if self.base else words


def texts(notebook):
    """All that is shown as Markdown."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                yield output["data"]["text/markdown"]


def names(source):
    """The names that a cell binds, and those that it reads."""
    bound, read = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name, ast.Load()):
                read.add(name)
            case ast.Name(name) | ast.FunctionDef(name) | ast.ClassDef(name) | ast.alias(_, str(name)) \
                    | ast.alias(name):
                bound.add(name.partition(".")[0])
    return bound, read


def still(output) -> str:
    """An output as a part of a text."""
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.get("data", {})
    if "text/markdown" in data:
        return re.sub(r'^<a id="[\w-]+"></a>\n\n', "", data["text/markdown"])
    if "text/html" in data:
        return re.sub(r"\n\s*\n", "\n", data["text/html"])
    return f"```text\n{data.get('text/plain', '').rstrip()}\n```"


def folded():
    """Metadata of a cell whose code is out of sight, in JupyterLab, VS Code and Colab."""
    return {"jupyter": {"source_hidden": True}, "cellView": "form"}


def solution(tags=()):
    """Metadata of a cell that belongs to a solution."""
    return {"tags": [*tags, SOLUTION]}


def literal(name, value):
    """An argument as code, in lines that are not too long."""
    if isinstance(value, str):
        return f"{name}{value!r}"
    text = ", ".join(f'"{key}": "{word}"'.replace(" ", "\0") for key, word in value.items())
    text = textwrap.fill(text, 88, initial_indent=" " * (8 + len(name)), subsequent_indent=" " * 8,
                         break_long_words=False, break_on_hyphens=False).strip()
    return f"{name}{{{text}}}".replace("\0", " ")


# How to install what a notebook needs, before its first cell of code.
CLONE = """The cells run where the package is installed with what chapters import beside it: \
`pip install ".[book]"` in a clone of the repository."""
REPOSITORY = """The cells run where the package is installed: \
`pip install "softmaxnotes[book] @ git+{repository}"`."""

# Colab and Binder have set these; on a reader's own machine nothing is installed without being asked.
INSTALL = """# On a hosted service the package of this book is installed first; elsewhere this does nothing.
import importlib.util
import os

hosted = {{"COLAB_RELEASE_TAG", "BINDER_LAUNCH_HOST", "KAGGLE_KERNEL_RUN_TYPE"}} & set(os.environ)
if hosted and importlib.util.find_spec("softmaxnotes") is None:
    %pip install --quiet "softmaxnotes[book] @ git+{repository}\""""


# --- In the book ----------------------------------------------------------------------------


def chapter(app, docname, stored, known):
    """The notebook of a chapter: its text as it is now, with the outputs that are kept."""
    notebook = chapters.read(docname)
    for cell, done in zip(chapters.code_cells(notebook), chapters.code_cells(stored)):
        cell.outputs, cell.execution_count = done.outputs, done.execution_count
    values = stored.metadata[settings.PACKAGE].get("values", {})
    return Writer(app, docname, notebook, values, known).written()


def write(app, error):
    """The notebooks of all chapters beside the site's pages, and all of them in one file."""
    if error is not None or app.builder.format != "html":
        return
    stored = {name: notebook for name in chapters.chapters()
              if name in app.env.found_docs and (notebook := store.stored(name))}
    known, written = places(app, stored), {}
    for docname in stored:
        if not ONLY or docname in ONLY:
            written[f"{docname}.ipynb"] = chapter(app, docname, stored[docname], known)
    folder = Path(app.outdir) / FOLDER
    for name, notebook in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text_of(notebook), "utf8")
    for path in {*folder.rglob("*.ipynb")} - {folder / name for name in written}:
        path.unlink()  # of a chapter that is no more
    pack(Path(app.outdir) / ALL, written)
    pack(Path(app.outdir) / CLASS, {name: for_class(notebook) for name, notebook in written.items()})


def text_of(notebook) -> str:
    return nbformat.writes(notebook) + "\n"


def pack(path, notebooks):
    """The notebooks in one file, the same each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(notebooks):
            entry = zipfile.ZipInfo(f"softmaxnotes/{name.removeprefix('book/')}", (1980, 1, 1, 0, 0, 0))
            file.writestr(entry, text_of(notebooks[name]), zipfile.ZIP_DEFLATED)


def setup(app):
    app.connect("build-finished", write)
