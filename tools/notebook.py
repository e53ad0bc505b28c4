"""Chapters as notebooks to download: plain Markdown, with statements, numbers, citations, links resolved.

The source of a chapter is MyST, which the site reads and few other programs do.  Here each cell of an
executed chapter is written again for Jupyter, Colab, VS Code and the viewers on the web; what is not
understood is a warning, hence an error.  What cells print is changed by `softmaxnotes.notebook`, here and
when they run again.
"""

from __future__ import annotations

import ast
import json
import os
import re
import textwrap
import zipfile
from base64 import b64encode
from copy import deepcopy
from dataclasses import dataclass, field
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
from tools import book_map, chapters, ledger, settings, store

log = logging.getLogger(__name__)

ONLY = os.environ.get("SOFTMAXNOTES_ONLY")  # the one chapter that `make chapter` builds
FOLDER = "_sources"  # of the site
ALL = f"{FOLDER}/softmaxnotes.zip"
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


def chapter_number(env, docname: str) -> str:
    return ".".join(map(str, env.toc_secnumbers.get(docname, {}).get("", ())))


_FIGURES = re.compile(r'<figure id="(fig-[\w-]+)"')


def places(app, notebooks) -> dict[str, Place]:
    """Every label of the book."""
    env, found = app.env, {}
    for name, (docname, ident, title) in env.get_domain("std").labels.items():
        found[name] = Place(str(title), docname, ident)
    for label, (docname, _) in env.get_domain("math").equations.items():
        link = equation_link(app.builder, label, docname)
        found[label] = Place(link.astext(), docname, href(link).rpartition("#")[2])
    for label, proof in getattr(env, "proof_list", {}).items():
        number = numbered(env, proof["docname"], proof["countertype"]).get(label, "")
        found[label] = Place(f"{proof['realtype'].title()} {number}".strip(), proof["docname"], label)
    for docname in env.found_docs:
        for label, number in numbered(env, docname, "exercise").items():
            found[label] = Place(f"Exercise {number}", docname, label)
    for docname, notebook in notebooks.items():
        chapter, names = chapter_number(env, docname), _FIGURES.findall(json.dumps(notebook.cells)
                                                                        .replace('\\"', '"'))
        for number, name in enumerate(names, 1):
            if name in found:
                log.warning("another figure has the name %s, on %s", name, found[name].docname,
                            location=docname, type="notebook")
            found[name] = Place(f"Figure {chapter}.{number}" if chapter else "", docname, name)
    return found


def in_order(item):
    """Equations first, each kind by its numbers."""
    label, place = item
    return (not label.startswith("eq-"), re.sub(r"[\d.()]+$", "", place.name),
            [int(digits) for digits in re.findall(r"\d+", place.name)])


# --- The parts of a text ------------------------------------------------------------------


@dataclass
class Directive:
    name: str
    argument: str
    options: dict = field(default_factory=dict)
    body: str = ""


_OPENS = re.compile(r"(`{3,}|:{3,})\{([\w:-]+)\}[ \t]*(.*)")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_OPTION = re.compile(r":([\w-]+):[ \t]*(.*)")


def parts(text: str) -> list[str | Directive]:
    """A text divided into its directives and what stands between them."""
    found, plain, lines = [], [], text.split("\n")
    while lines:
        line = lines.pop(0)
        opens, fence = _OPENS.fullmatch(line), _FENCE.match(line)
        if not opens and not fence:
            plain.append(line)
            continue
        mark = (opens or fence)[1]
        body = []
        while lines and not re.fullmatch(rf"{mark[0]}{{{len(mark)},}}\s*", lines[0]):
            body.append(lines.pop(0))
        end = lines.pop(0) if lines else ""
        if not opens:
            plain += [line, *body, end]
            continue
        found.append("\n".join(plain))
        plain, options = [], {}
        while body and (option := _OPTION.fullmatch(body[0])):
            options[option[1]] = option[2]
            body.pop(0)
        found.append(Directive(opens[2], opens[3].strip(), options, "\n".join(body).strip("\n")))
    found.append("\n".join(plain))
    return [part for part in found if isinstance(part, Directive) or part.strip()]


_CODE = r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|^(?:`{3,}|~{3,}).*?^(?:`{3,}|~{3,})$)"
_MATH = r"(?P<math>\$\$.+?\$\$|(?<!\\)\$(?!\s)[^$]+?(?<!\\)\$)"
_ROLE = r"(?P<space> ?)\{(?P<role>[\w:.+-]+)\}(?P<quote>`+)(?P<content>.+?)(?P=quote)"
_LINK = (r"\[(?P<words>(?:[^\[\]`$]|\$[^$]*\$|`[^`]*`)*)\]\((?P<address>[^()\s]*)\)"
         r"(?P<attributes>\{[^{}\n]*\})?")
_TARGET = r"^\((?P<target>[\w-]+)\)=$"
_COMMENT = r"^%.*\n?"
_HEADING = r"^(?P<level>#{1,6}) (?=\S)"
_INLINE = re.compile("|".join([_ROLE, _CODE, _MATH, _LINK, _TARGET, _COMMENT, _HEADING]),
                     re.DOTALL | re.MULTILINE)
_TERM = re.compile(r"^(?P<term>\S.*)\n: +(?P<text>.*(?:\n +\S.*)*)", re.MULTILINE)

# What only MyST understands, in a text without code and formulas.
_LEFT = re.compile(r"\{[\w:.+-]+\}`[^`]*`|^ *(?:`{3,}|:{3,}).*|\{\{.*?\}\}|\[\^[\w-]+\]|"
                   r"\]\((?:#|[^()\s]*\.md\b|\.\.?/)[^()\s]*\)|\{[.#][\w-]+\}|^\([\w-]+\)=$", re.MULTILINE)


def leftovers(text: str, known: set[str] = frozenset()) -> list[str]:
    """Markup of MyST in Markdown that should be plain; so are links to labels that are not `known`."""
    blank = re.sub(f"{_CODE}|{_MATH}", lambda found: "`…`" if found["code"] else "$…$", text,
                   flags=re.DOTALL | re.MULTILINE)
    # a role whose content has become blank is still a role
    return [found for found in (match[0] for match in _LEFT.finditer(blank))
            if not (found.startswith("](#") and found[3:-1] in known)]


def quoted(text: str) -> str:
    """As a block quotation; formulas on one line, for some viewers would read the marks into them."""
    text = re.sub(r"\$\$\n(.*?)\n\$\$", lambda found: f"$${' '.join(found[1].split(chr(10)))}$$", text,
                  flags=re.DOTALL)
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def details(summary: str, text: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{text.strip()}\n\n</details>"


PROOF = "*Proof.*"
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
ADMONITIONS = ("note", "tip", "hint", "important", "warning", "caution", "attention", "danger", "seealso")


# --- A chapter ------------------------------------------------------------------------------


class Writer:
    """Writes one chapter again."""

    def __init__(self, app, docname, notebook, values, places):
        self.app, self.env, self.docname = app, app.env, docname
        self.notebook, self.values, self.places = notebook, values, places
        self.base = app.config.html_baseurl.rstrip("/")
        self.sections = [".".join(map(str, n)) for n in app.env.toc_secnumbers.get(docname, {}).values()]
        self.cited, self.cells, self.solution, self.later = [], [], None, []
        self.anchors, self.following = set(), []
        here = {label: place.name for label, place in sorted(places.items(), key=in_order)
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

    # -- cells -------------------------------------------------------------------------------

    def written(self):
        for number, cell in enumerate(self.notebook.cells):
            self.following = self.notebook.cells[number + 1:]
            if cell.cell_type == "code":
                self.code(cell)
            else:
                self.text(cell.source)
        self.run_solutions()
        if self.cited:
            self.add(self.bibliography())
        first = next((n for n, cell in enumerate(self.cells) if cell.cell_type == "code"), len(self.cells))
        self.cells[first:first] = self.preparations()
        notebook = new_notebook(cells=self.cells, metadata={
            "kernelspec": self.notebook.metadata.get("kernelspec", {}), "language_info": {"name": "python"}})
        for number, cell in enumerate(notebook.cells):
            cell.id = f"cell-{number}"
        self.examine(notebook)
        return notebook

    def preparations(self):
        cells = []
        if repository := self.app.config.softmaxnotes_repository.rstrip("/"):
            cells.append(new_code_cell(INSTALL.format(repository=repository), metadata=folded()))
        cells.append(new_code_cell(self.setting(), execution_count=None, metadata=folded()))
        return cells

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

    def add(self, text):
        self.cells.append(new_markdown_cell(text.strip("\n")))

    def code(self, cell):
        outputs = [self.output(deepcopy(output)) for output in cell.outputs]
        metadata = dict(cell.metadata)
        if FOLDED & set(metadata.get("tags", [])):
            metadata = {**metadata, **folded()}
        new = new_code_cell(cell.source, outputs=outputs, execution_count=cell.execution_count,
                            metadata=metadata)
        if self.solution is not None:
            self.solution.append(new)
            return
        self.cells.append(new)

    def output(self, output):
        output.pop("execution_count", None)
        if output.output_type == "execute_result":
            output["execution_count"] = None
        if "data" in output:
            output["data"] = self.numbers.rewrite(output["data"])
            self.anchors |= set(re.findall(r'id="([\w-]+)"', json.dumps(output["data"]).replace('\\"', '"')))
        return output

    def text(self, source):
        pieces, after = [], parts(source)
        while after:
            part = after.pop(0)
            if isinstance(part, str):
                words = self.inline(self.terms(part))
                if pieces and pieces[-1].endswith(PROOF):
                    words = f"{pieces.pop()} {words.lstrip()}"
                pieces.append(words)
                continue
            if part.name == "solution-start":
                self.flush(pieces)
                self.solution = []
                self.solved = part.argument
                continue
            if part.name == "solution-end":
                self.flush(pieces)
                self.fold_solution()
                continue
            pieces.append(self.directive(part))
            if part.name.startswith("prf:") and self.proof_follows(part, after):
                pieces[-1] += f"\n\n{PROOF}"
        self.flush(pieces)

    def flush(self, pieces):
        text = "\n\n".join(piece.strip("\n") for piece in pieces if piece.strip())
        pieces.clear()
        if not text:
            return
        if self.solution is not None:
            self.solution.append(new_markdown_cell(text))
            return
        # the solutions that were folded run before the next section begins
        if self.later and (section := re.search(r"^#{1,2} ", text, re.MULTILINE)):
            before, text = text[:section.start()], text[section.start():]
            if before.strip():
                self.add(before)
            self.run_solutions()
        self.add(text)

    # -- solutions ---------------------------------------------------------------------------

    def fold_solution(self):
        """The solution in one cell of text, which can be folded everywhere; its code runs later."""
        cells, self.solution = self.solution, None
        shown = []
        for cell in cells:
            if cell.cell_type == "markdown":
                shown.append(cell.source)
            else:
                shown += [f"```python\n{cell.source.strip()}\n```", *map(still, cell.outputs)]
                self.later.append((len(self.cells), cell))
        name = self.places[self.solved].name if self.solved in self.places else ""
        self.add(details(f"Solution of {name}".replace(" of Exercise", " of exercise"), "\n\n".join(shown)))

    def run_solutions(self):
        """The code of the solutions, out of sight, where it can do nothing to the exercises."""
        later, self.later = self.later, []
        if not later:
            return
        for _, cell in later:
            cell.metadata = {**cell.metadata, "jupyter": {"source_hidden": True, "outputs_hidden": True},
                             "cellView": "form", "collapsed": True}
        if self.can_wait(later):
            self.add("*The solutions above, run:*")
            self.cells += [cell for _, cell in later]
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

    def terms(self, text):
        """Lists of definitions, which plain Markdown does not have."""
        def term(found):
            words = "\n".join(line.strip() for line in found["text"].split("\n"))
            return f"**{found['term']}.**\n{words}"

        return _TERM.sub(term, text)

    def inline(self, text):
        return _INLINE.sub(self._inline, text)

    def _inline(self, found):
        if found["code"] or found["math"]:
            return found[0]
        if found["role"]:
            shown = self.role(found["role"], found["content"])
            return f"{found['space']}{shown}" if shown else ""
        if found["address"] is not None:
            return self.linked(found["words"], found["address"])
        if found["target"]:
            self.anchors.add(found["target"])
            return f'<a id="{found["target"]}"></a>\n'
        if found["level"]:
            number = self.sections.pop(0) if self.sections else ""
            return f"{found['level']} {number} ".replace("  ", " ")
        return ""

    def role(self, name, content):
        if name.startswith("cite"):
            return self.citation(name.partition(":")[2] or "p", content)
        if name == "eval":
            return self.value(content)
        if name in ("eq", "prf:ref", "ref", "numref"):
            return self.reference(content)
        if name == "row":  # is of use on the site only
            return f"[{content}]({self.address(ledger.SOURCES, f'source-{content}')})" if self.base else ""
        if name.startswith("py:"):
            target, short = content.lstrip("~"), content.startswith("~")
            known = self.env.get_domain("py").objects.get(target)
            shown = f"`{target.rpartition('.')[2] if short else target}`"
            known = known and self.address(known.docname, known.node_id)
            return f"[{shown}]({known})" if known else shown
        self.fault(f"{{{name}}}`{content}`")
        return content

    def reference(self, label, words=""):
        place = self.places.get(label)
        if place is None:
            self.fault(f"a reference to {label}")
            return words or label
        words = words or place.name
        address = f"#{label}" if place.docname == self.docname else self.address(place.docname, place.anchor)
        return f"[{words}]({address})" if address else words

    def linked(self, words, address):
        """A link, or its words where there is nothing to link to."""
        words = self.inline(words)
        if re.match(r"\w+:", address):
            return f"[{words}]({address})"
        path, _, label = address.partition("#")
        if not path:
            return self.reference(label, words)
        page = self.page(path)
        if page is None:
            self.fault(f"a link to {address}")
        words = words or self.env.titles[page].astext()
        return f"[{words}]({self.address(page, label)})" if page and self.base else words

    def page(self, path):
        """The page that a path names."""
        found = (settings.ROOT / self.docname).parent.joinpath(path).resolve()
        if not found.is_relative_to(settings.ROOT):
            return None
        name = found.relative_to(settings.ROOT).as_posix().removesuffix(".md")
        return name if name in self.env.found_docs else None

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
        for citation in self.env.get_domain("cite").citations:
            if citation.key in self.cited and citation.bibliography_key.docname == self.docname:
                self.anchors.add(f"ref-{citation.key}")
                text = " ".join(citation.formatted_entry.text.render(backend).split())
                text = re.sub(r"\\([().\-!:,'])", r"\1", text)
                items.append(f'- <a id="ref-{citation.key}"></a>{text}')
        return "## References\n\n" + "\n".join(items)

    # -- directives --------------------------------------------------------------------------

    def directive(self, part):
        if part.name.startswith("prf:"):
            return self.theorem(part)
        handler = getattr(self, f"_{part.name.replace('-', '_')}", None)
        if handler:
            return handler(part)
        if part.name in ADMONITIONS or part.name == "admonition":
            title = part.argument if part.name == "admonition" else part.name.title().replace("also", " also")
            text = part.body if part.name == "admonition" or not part.argument else \
                f"{part.argument}\n{part.body}"
            return quoted(f"**{self.inline(title)}.** {self.markup(text)}")
        self.fault(f"the directive {part.name}")
        return ""

    def markup(self, text):
        """A text with directives in it."""
        return "\n\n".join(self.directive(part) if isinstance(part, Directive)
                           else self.inline(self.terms(part)).strip("\n") for part in parts(text))

    def theorem(self, part):
        kind, label = part.name.partition(":")[2], part.options.get("label", "")
        body = self.markup(part.body)
        if kind == "proof":
            return f"{PROOF} {body} ∎"
        name = self.places[label].name if label in self.places else kind.title()
        given = f" ({self.inline(part.argument)})" if part.argument else ""
        self.anchors.add(label)
        return quoted(f'<a id="{label}"></a>**{name}**{given}\n\n{body}')

    def proof_follows(self, theorem, after):
        """Whether the chain that ends in what a theorem states comes later in its section."""
        stated = set(re.findall(r"^```\{statement\} (\S+)", theorem.body, re.MULTILINE))
        for part in [*after, *self.following]:
            if isinstance(part, Directive | str):
                pieces = [part]
            elif part.cell_type == "code":
                if stated & {e.label for e in store.entries(nbformat.from_dict({"cells": [part]}))} - {""}:
                    return True
                continue
            else:
                pieces = parts(part.source)
            for piece in pieces:
                if piece.name.startswith("prf:") if isinstance(piece, Directive) else _HEADING.search(piece):
                    return False
        return False

    def _statement(self, part):
        label = part.argument
        entry = next((e for e in of_equation(self.env, label) if e.label == label), None)
        if entry is None or label not in self.places:
            self.fault(f"the statement {label}")
            return ""
        number = self.places[label].name.strip("()")
        conditions = self.numbers.markdown(", ".join(entry.conditions))
        return "\n\n".join(filter(None, [f"$$\n{entry.tex} \\tag{{{number}}}\n$$", conditions]))

    def _benchmark(self, part):
        path = settings.ROOT / "benchmarks" / f"{part.argument}.json"
        if not path.exists():
            self.fault(f"the measurements {part.argument}")
            return ""
        data = json.loads(path.read_text("utf8"))
        facts = {**data["machine"], **data["versions"]}
        measured = ", ".join(f"{name} {value}" for name, value in facts.items())
        rows = [data["columns"], ["---"] * len(data["columns"]), *data["rows"]]
        rows = [" | ".join(str(cell).replace("|", "\\|") for cell in row) for row in rows]
        table = "\n".join(f"| {row} |" for row in rows)
        return f"{table}\n\n{self.inline(data['note'])}\n\nMeasured on {measured}."

    def _exercise_start(self, part):
        label = part.options.get("label", "")
        name = self.places[label].name if label in self.places else "Exercise"
        self.anchors.add(label)
        return f'<a id="{label}"></a>**{name}**'

    def _exercise_end(self, part):
        return ""

    def _dropdown(self, part):
        return details(self.inline(part.argument), self.markup(part.body))

    def _book_map(self, part):
        titles = {page: f"{chapter_number(self.env, page)} {self.env.titles[page].astext()}".strip()
                  for page in self.env.titles}
        html = book_map.draw(book_map.parts(), self.env.proofread["entries"], titles.get, lambda page: "#")
        style, drawn = (re.search(rf"<{tag}.*</{tag}>", html, re.DOTALL)[0] for tag in ("style", "svg"))
        style = style.replace(".book-map svg", "svg").replace(".book-map ", "")
        drawn = drawn.replace(">", f">{style}<style>text {{ font-family: serif; }}</style>", 1)
        data = b64encode(drawn.encode()).decode()
        return (f'<img src="data:image/svg+xml;base64,{data}" alt="Map of the book" width="560" '
                'style="background: white">')

    def _tableofcontents(self, part):
        """The parts and their pages."""
        lines = []
        for tree in self.env.tocs[self.env.config.root_doc].findall(addnodes.toctree):
            lines += ["", f"**{tree['caption']}**", ""] if tree["caption"] else [""]
            for given, page in tree["entries"]:
                if page in self.env.titles:
                    title = given or self.env.titles[page].astext()
                    words = f"{chapter_number(self.env, page)} {title}".strip()
                    lines.append(f"- [{words}]({self.address(page)})" if self.base else f"- {words}")
        return "\n".join(lines)

    # -- what must not remain ------------------------------------------------------------------

    def examine(self, notebook):
        """Warn of what is not plain, of links to nowhere, and of equations without their number."""
        for text in texts(notebook):
            for found in leftovers(text, self.anchors):
                self.fault(found)


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
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    tree = ast.walk(ast.parse(source))
    bound = {node.id for node in found if isinstance(node.ctx, ast.Store)}
    for node in tree:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
    return bound, {node.id for node in found if isinstance(node.ctx, ast.Load)}


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


def literal(name, value):
    """An argument as code, in lines that are not too long."""
    if isinstance(value, str):
        return f"{name}{value!r}"
    text = ", ".join(f'"{key}": "{word}"'.replace(" ", "\0") for key, word in value.items())
    text = textwrap.fill(text, 88, initial_indent=" " * (8 + len(name)), subsequent_indent=" " * 8,
                         break_long_words=False, break_on_hyphens=False).strip()
    return f"{name}{{{text}}}".replace("\0", " ")


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
    known, files = places(app, stored), set()
    for docname in stored:
        if ONLY in (None, "", docname):
            path = Path(app.outdir) / FOLDER / f"{docname}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(nbformat.writes(chapter(app, docname, stored[docname], known)) + "\n", "utf8")
            files.add(path)
    for path in {*(Path(app.outdir) / FOLDER).rglob("*.ipynb")} - files:  # of chapters that are no more
        path.unlink()
    with zipfile.ZipFile(Path(app.outdir) / ALL, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(files):
            name = path.relative_to(Path(app.outdir) / FOLDER).as_posix().removeprefix("book/")
            entry = zipfile.ZipInfo(f"softmaxnotes/{name}", (1980, 1, 1, 0, 0, 0))  # the same each time
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def setup(app):
    app.connect("build-finished", write)
