"""The back matter that writes itself: ledger, errata, sources, statements, benchmarks.

Everything here is read off the outputs of the published notebooks, where each checked object
leaves an *entry* in the metadata of its output.
"""

from __future__ import annotations

import json
import re
from collections import Counter

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import make_refnode

from proofread.ledger import Entry
from tools import execute, sentences

log = logging.getLogger(__name__)

LEDGER, ERRATA, SOURCES = "book/back/ledger", "book/back/errata", "book/back/sources"


# --- The entries of the book, as the environment remembers them -----------------


def of_page(env, docname: str) -> list[Entry]:
    return env.softmaxnotes["entries"].get(docname, [])


def of_book(env):
    """Pairs of page and entry, in reading order."""
    return ((page, entry) for page, entries in env.softmaxnotes["entries"].items() for entry in entries)


def of_equation(env, label: str) -> list[Entry]:
    """The entry of an equation, followed by those of its other routes."""
    own = [entry for _, entry in of_book(env) if entry.label == label]
    return own + [entry for _, entry in of_book(env) if entry.of == label]


def rests_on(env, label: str) -> dict[str, Entry]:
    """The equations that an equation rests on, directly or through others, by label."""
    book = {entry.label: entry for _, entry in of_book(env) if entry.label}
    found, todo = {}, [label]
    while todo:
        for other in book[todo.pop()].rests_on if book else ():
            if other in book and other not in found and other != label:
                found[other] = book[other]
                todo.append(other)
    return found


def argued_below(env, label: str) -> list[str]:
    """Labels of the argued equations that an equation rests on."""
    return [other for other, entry in rests_on(env, label).items() if entry.argued]


def word(env, entry: Entry) -> str:
    """The evidence of an equation in a word or two; what rests on an argued line says so."""
    given = verdict(env, entry) == "given an argued line"
    return f"{entry.word}, given an argued line" if given else entry.word


# What is said of an equation, in one word here as beside its number, and what it means.
MEANING = {
    "proved": "Every line is proved by algebra, for every size, and was confirmed in thirty digits, "
              "a nested integral in twelve.",
    "proved for some sizes": "Every line is proved for the sizes named, and was tested at larger ones.",
    "numbers agree": "Its sides agree in thirty digits at random points; no proof was found.",
    "given an argued line": "Every line is proved, but from an equation that was argued.",
    "argued": "A step of it is one that no algebra sees; its hypothesis is stated.",
    "definition": "It introduces a symbol, and claims nothing.",
}


def verdict(env, entry: Entry) -> str:
    """How an equation was checked: a key of `MEANING`."""
    given = entry.status not in ("argued", "definition") and entry.label and argued_below(env, entry.label)
    return "given an argued line" if given else entry.status


def counts(env, docname: str) -> dict[str, int]:
    """How many equations of a page have which verdict, in the order of `MEANING`."""
    found = Counter(verdict(env, entry) for entry in of_page(env, docname) if entry.label)
    return {word: found[word] for word in MEANING if word in found}


def titled_checks(entries: list[Entry]) -> list[Entry]:
    """Entries with a row of their own: equations, and checks that belong to no equation."""
    return [e for e in entries if e.label or (e.findings and not e.of)]


def listed(book: dict[str, list[Entry]]) -> dict[str, list[Entry]]:
    """The chapters that have rows in the ledger; a page of no part, the first of the book, has none."""
    return {name: rows for name, entries in book.items()
            if name.count("/") > 1 and (rows := titled_checks(entries))}


def anchor(label: str) -> str:
    return f"ledger-{label}"


def part(docname: str) -> str:
    return docname.split("/")[1]


def page(docname: str, of: str = LEDGER) -> str:
    """The page of the ledger, or of the errata, that lists a chapter: one for each part."""
    return f"{of}/{part(docname)}"


def row_uri(app, label: str, docname: str) -> str:
    """The address of the row of an equation, seen from a page."""
    (chapter,) = {name for name, entry in of_book(app.env) if entry.label == label}
    return f"{app.builder.get_relative_uri(docname, page(chapter))}#{anchor(label)}"


# --- What was found, in words ------------------------------------------------------------

_MARKED = re.compile(r"\$([^$]+)\$|`([^`]+)`|\[([^]]*)\]\(#[^)]*\)|\*([^*]+)\*")


def inline(text: str) -> list[nodes.Node]:
    """The little Markdown of which findings and conditions are made."""
    made, end = [], 0
    for found in _MARKED.finditer(text):
        math, literal, link, emphasis = found.groups()
        made.append(nodes.Text(text[end:found.start()]))
        made.append(nodes.math(math, math) if math else nodes.literal("", literal) if literal
                    else nodes.Text(link) if link else nodes.emphasis("", emphasis))
        end = found.end()
    return [*made, nodes.Text(text[end:])]


def found(entries: list[Entry]) -> list[nodes.Node]:
    """What the checks of an equation found, and how many wrong versions they rejected."""
    sentences = [f"{text[:1].upper()}{text[1:]}." for entry in entries for text in entry.findings
                 if text != "definition"]
    if any(re.search(r"\d u\b", text) for text in sentences):
        sentences.append(ROUNDOFF)
    rejected = Counter()
    for entry in entries:
        rejected.update(entry.rejected)
    if rejected:
        how = ", ".join(f"{number} {by}" for by, number in rejected.items())
        sentences.append(f"Wrong versions of it that were rejected: {how}.")
    items = [nodes.list_item("", nodes.paragraph("", "", *inline(text))) for text in sentences]
    return [nodes.bullet_list("", *items)] if items else []


ROUNDOFF = "Here u is the unit roundoff of double precision, $2^{-53}$."


def equation_link(builder, label: str, docname: str) -> nodes.reference | None:
    """A reference such as (1.3), or None where there is no such equation."""
    domain = builder.env.get_domain("math")
    return domain.resolve_xref(builder.env, docname, builder, "eq", label, None, None)


def href(link: nodes.reference) -> str:
    return link.get("refuri") or f"#{link['refid']}"


def check_labels(env) -> None:
    """Two entries with one label would make the ledger ambiguous."""
    places = Counter(entry.label for _, entry in of_book(env) if entry.label)
    for name, entry in of_book(env):
        if places.get(entry.label, 0) > 1:
            log.warning("two checked objects have the label %s", entry.label, location=name, type="ledger")
        if entry.of and entry.of not in places:
            log.warning("a check of %s, which no object prints", entry.of, location=name, type="ledger")
    parts = {page(name) for name in listed(env.softmaxnotes["entries"])}
    for place in parts - env.found_docs if LEDGER in env.found_docs else ():
        log.warning("the ledger of this part has no page", location=place, type="ledger")


# --- Placeholders, filled when every page has been read --------------------------


class equation_reference(nodes.inline):
    """The number of an equation, linked."""


class ledger_reference(nodes.inline):
    """The number of an equation, linked to its row in the ledger."""


class row_reference(nodes.inline):
    """The name of a row of the sources, linked to the page of sources."""


class row_places(nodes.inline):
    """The places that treat a row of the sources, linked."""


def fill(app, doctree, docname: str) -> None:
    builder = app.builder
    for node in list(doctree.findall(equation_reference)):
        link = equation_link(builder, node["label"], docname)
        node.replace_self(link or nodes.Text(node["label"]))
    for node in list(doctree.findall(ledger_reference)):
        link = equation_link(builder, node["label"], docname)
        text, uri = link.astext() if link else node["label"], row_uri(app, node["label"], docname)
        node.replace_self(nodes.reference("", text, refuri=uri, internal=True))
    for node in list(doctree.findall(row_reference)):
        uri = f"{builder.get_relative_uri(docname, SOURCES)}#source-{node['row']}"
        node += nodes.reference("", node["row"], refuri=uri, internal=True, classes=["source-row"])
    for node in list(doctree.findall(row_places)):
        for number, link in enumerate(_places(app, node["row"], docname)):
            node += [nodes.Text(", " if number else ""), link]


def _places(app, row: str, docname: str) -> list[nodes.reference]:
    """Links to the equations, then to the passages, that treat a row."""
    env, links = app.env, []
    for page, entry in of_book(env):
        if row in entry.rows:
            label = entry.label or entry.of
            link = label and equation_link(app.builder, label, docname)
            links.append(link or _page_link(app, page, "", docname))
    for page, uses in env.softmaxnotes["rows"].items():
        links += [_page_link(app, page, target, docname) for name, target in uses if name == row]
    return list({href(link): link for link in links}.values())


def _page_link(app, page: str, target: str, docname: str) -> nodes.reference:
    title = app.env.titles[page].astext() if page in app.env.titles else page
    return make_refnode(app.builder, docname, page, target, nodes.Text(title))


# --- The sources -----------------------------------------------------------------


def read_sources() -> tuple[dict[str, str], dict[str, int]]:
    """The rows with their descriptions, and how many each document has."""
    path = execute.ROOT / f"{SOURCES}.yml"
    rows = yaml.safe_load(path.read_text("utf8")) or {} if path.exists() else {}
    return rows, rows.pop("documents", {})


def check_sources(app, env) -> None:
    """Each claim of each document is a row, each row has a place, and each named row exists."""
    rows, documents = read_sources()
    named = {row: page for page, entry in of_book(env) for row in entry.rows}
    named |= {row: page for page, uses in env.softmaxnotes["rows"].items() for row, _ in uses}
    claims = {f"{document}-{number:0{len(str(total))}}"
              for document, total in documents.items() for number in range(1, total + 1)}
    for row in sorted(claims ^ rows.keys()):
        log.warning("the claims that the documents have and the rows differ in %s", row,
                    location=SOURCES, type="sources")
    for row in rows.keys() - named.keys():
        log.warning("no place treats row %s of the sources", row, location=SOURCES, type="sources")
    for row in named.keys() - rows.keys():
        log.warning("the sources have no row %s", row, location=named[row], type="sources")


class RowRole(SphinxRole):
    """``{row}`S0-001```: this passage treats that row of the sources."""

    def run(self):
        uses = self.env.softmaxnotes["rows"].setdefault(self.env.docname, [])
        target = f"row-{self.text}-{len(uses) + 1}"
        uses.append((self.text, target))
        return [row_reference("", "", row=self.text, ids=[target])], []


# --- Directives --------------------------------------------------------------------


class BookDirective(SphinxDirective):
    """A directive whose page must be read again whenever an entry changes."""

    def run(self) -> list[nodes.Node]:
        self.env.softmaxnotes["readers"].add(self.env.docname)
        return self.render()

    def inline(self, text: str) -> list[nodes.Node]:
        return self.state.inline_text(text, self.lineno)[0]

    def paragraph(self, *parts: str | nodes.Node, **attributes) -> nodes.paragraph:
        paragraph = nodes.paragraph(**attributes)
        for part in parts:
            paragraph += self.inline(part) if isinstance(part, str) else part
        return paragraph

    def conditions(self, entry: Entry) -> list[nodes.paragraph]:
        """The conditions of an equation; the parser of a docstring knows no dollars, so nothing is parsed."""
        text = ", ".join(entry.conditions)
        return [nodes.paragraph("", "", *inline(text), classes=["conditions"])] if text else []

    def chapter(self, name: str, of: str = LEDGER) -> addnodes.pending_xref:
        """The title of a chapter, linked to its part of the ledger, or of the errata."""
        link = addnodes.pending_xref("", reftype="doc", refdomain="std", refexplicit=True, refwarn=True,
                                     reftarget=f"/{page(name, of)}", refdoc=self.env.docname)
        link += nodes.inline("", chapter_title(name))
        return link

    def section(self, title: str, ident: str, *children) -> nodes.section:
        section = nodes.section("", nodes.title("", "", *self.inline(title)), *children, ids=[ident])
        self.state.document.note_explicit_target(section)
        return section

    def table(self, head: list[str], rows: list[list], classes=()) -> nodes.table:
        group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
        group += nodes.thead("", self._row(head))
        group += nodes.tbody("", *map(self._row, rows))
        return nodes.table("", group, classes=list(classes))

    def _row(self, cells: list) -> nodes.row:
        shown = (self.paragraph(c if isinstance(c, nodes.Node) else str(c)) for c in cells)
        return nodes.row("", *(nodes.entry("", cell) for cell in shown))


def rejected(entries: list[Entry]) -> Counter:
    """How many wrong versions were rejected, by what rejected them."""
    found = Counter()
    for entry in entries:
        found.update(entry.rejected)
    return found


def formula(tex: str, **attributes) -> nodes.math_block:
    """An unnumbered formula that an entry vouches for."""
    return nodes.math_block(tex, tex, nowrap=False, number=None, checked=True, **attributes)


def chapter_title(docname: str) -> str:
    lines = execute.source(docname).read_text("utf8").splitlines()
    return next((line[2:].strip() for line in lines if line.startswith("# ")), docname)


class Statement(BookDirective):
    """``{statement} eq-x``: the formula of a checked equation, for use inside a theorem."""

    required_arguments = 1

    def render(self):
        label = self.arguments[0]
        entries = of_equation(self.env, label)
        if not entries or entries[0].label != label:
            place = self.get_location()
            log.warning("no checked object has the label %s", label, location=place, type="ledger")
            return []
        node = formula(entries[0].tex, statement=label)
        self.set_source_info(node)
        return [node, *self.conditions(entries[0])]


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


class Ledger(BookDirective):
    """``{ledger}``: what was checked, chapter by chapter; ``{ledger} softmax``: and how, in that part."""

    optional_arguments = 1

    def render(self):
        book = self.env.softmaxnotes["entries"]
        if not self.arguments:
            return self.coverage(book)
        return [
            self.section(chapter_title(name), nodes.make_id(f"ledger-{name}"), *map(self.card, rows))
            for name, entries in book.items()
            if part(name) == self.arguments[0] and (rows := titled_checks(entries))
        ]

    def coverage(self, book):
        typed, rows = Counter(), []
        for name in listed(book):
            self.env.note_dependency(str(execute.source(name)))  # its sentences are no entries
            page = execute.read(name)
            unchecked = sentences.unchecked(page, book[name])
            here = Counter(all=len(sentences.claims(page, book[name])), unchecked=len(unchecked))
            typed += here
            rows.append(self.coverage_row(self.chapter(name), book[name], here))
        every = [entry for entries in book.values() for entry in entries]
        rows.append(self.coverage_row("The book", every, typed))
        head = ["Chapter", "Displayed equations", "Wrong versions rejected", "Typed formulas",
                "Seconds of checks"]
        how = ", ".join(f"{number} {by}" for by, number in rejected(every).most_common())
        return [self.table(head, rows, classes=["coverage"]),
                self.paragraph(f"Of the wrong versions in the book there were rejected: {how}.")]

    def coverage_row(self, title, entries, typed):
        count = Counter(entry.status for entry in entries if entry.label)
        given = sum(word(self.env, entry) != entry.word for entry in entries if entry.label)
        kinds = ", ".join(f"{number} {status}{'s' * (status == 'definition' and number > 1)}"
                          for status, number in count.most_common())
        kinds += f"; {given} rest on an argued line" if given else ""
        said = f"{typed['all']}: {typed['unchecked']} unchecked" if typed["all"] else "0"
        seconds = f"{sum(e.seconds for e in entries):.1f}"
        shown = f"{count.total()}: {kinds}" if kinds else "0"
        return [title, shown, rejected(entries).total(), said, seconds]

    def card(self, entry):
        label = entry.label
        evidence = of_equation(self.env, label) if label else [entry]
        card = nodes.container(classes=["ledger-entry"])
        if label:
            card["ids"].append(anchor(label))
        number = equation_reference(label=label) if label else nodes.Text("")
        status = nodes.inline("", word(self.env, entry), classes=["status"])
        card += self.paragraph(number, " ", entry.title, " ", status, classes=["ledger-title"])
        if entry.tex and not label:  # an equation is shown by its number, and is one step away
            card += formula(entry.tex)
            card += self.conditions(entry)
        card += found(evidence)
        known = {e.label for _, e in of_book(self.env)}
        if below := [other for other in entry.rests_on if other in known]:
            argued = set(argued_below(self.env, label))
            parts = [part for other in below for part in (
                ledger_reference(label=other), nodes.Text(" (argued) " if other in argued else " "))]
            card += self.paragraph("Rests on ", *parts)
        if rows := dict.fromkeys(row for e in evidence for row in e.rows):
            names = [part for row in rows for part in (row_reference(row=row), nodes.Text(" "))]
            card += self.paragraph("Treats ", *names)
        return card


class Errata(BookDirective):
    """``{errata}``: where sources print something else, by chapters; ``{errata} softmax``: what is wrong with
    it, in that part."""

    optional_arguments = 1

    def render(self):
        found = [(page, entry) for page, entry in of_book(self.env) if entry.erratum
                 and part(page) in (self.arguments or [part(page)])]
        if not found:
            return [self.paragraph("None so far.")]
        if self.arguments:
            return [self.card(page, entry) for page, entry in found]
        count = Counter(page for page, _ in found)
        rows = [[self.chapter(name, ERRATA), number] for name, number in count.items()]
        return [self.table(["Chapter", "Errata"], rows, classes=["coverage"])]

    def card(self, page, entry):
        # a preview shows the other chapters as they were kept, by earlier versions too
        erratum = {"says": "prints", "conclusion": False, "instead": "", **entry.erratum}
        label = erratum["correct_label"]
        card = nodes.container(classes=["ledger-entry", "erratum"])
        card += self.paragraph(f"{erratum['source']} — *{chapter_title(page)}*", classes=["ledger-title"])
        card += self.paragraph("Printed:" if erratum["says"] == "prints" else f"The source {erratum['says']}")
        card += formula(erratum["printed"], refuted=True)
        if label:
            right = equation_reference(label=label)
            card += (self.paragraph("Right is what ", right, " shows:") if erratum["conclusion"]
                     else self.paragraph("Instead the book has ", right, ":"))
            card += [formula(e.tex) for e in of_equation(self.env, label)[:1] if e.tex]
        words = (erratum[what] for what in ("instead", "witness", "consequence"))
        card += [self.paragraph(text) for text in words if text]
        return card


class Sources(BookDirective):
    """``{sources}``: the rows of the source lecture and where the book treats them."""

    def render(self):
        rows, _ = read_sources()
        self.env.note_dependency(str(execute.ROOT / f"{SOURCES}.yml"))
        items = nodes.definition_list(classes=["sources"])
        for row, text in rows.items():
            term = nodes.term("", row, ids=[f"source-{row}"])
            treated = self.paragraph("Treated in ", row_places(row=row), classes=["places"])
            items += nodes.definition_list_item("", term, nodes.definition("", self.paragraph(text), treated))
        return [items]


class Benchmark(BookDirective):
    """``{benchmark} softmax``: the table measured in ``benchmarks/softmax.json``."""

    required_arguments = 1

    def render(self):
        path = execute.ROOT / "benchmarks" / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        if not path.exists():
            log.warning("no measurement %s", path.relative_to(execute.ROOT), location=self.get_location())
            return []
        data = json.loads(path.read_text("utf8"))
        facts = {**data["machine"], **data["versions"]}
        measured = "Measured on " + ", ".join(f"{name} {value}" for name, value in facts.items()) + "."
        # where a long name may break
        heads = [re.sub("([._])", "\\1\u200b", column) for column in data["columns"]]
        table = self.table(heads, data["rows"], classes=["benchmark"])
        note = self.paragraph(data["note"], classes=["benchmark"])
        return [table, note, self.paragraph(measured, classes=["measured"])]


def setup(app):
    for node in (equation_reference, ledger_reference, row_reference, row_places):
        app.add_node(node, html=(lambda self, n: self.visit_inline(n), lambda self, n: self.depart_inline(n)))
    app.add_role("row", RowRole())
    app.connect("autodoc-process-docstring", checked_formulas, priority=400)  # before napoleon
    directives = {"statement": Statement, "ledger": Ledger, "errata": Errata, "sources": Sources,
                  "benchmark": Benchmark}
    for name, directive in directives.items():
        app.add_directive(name, directive)
    app.connect("doctree-resolved", fill)
    app.connect("env-check-consistency", check_sources)
