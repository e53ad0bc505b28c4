"""The back matter that writes itself: ledger, experiments, errata, sources, benchmarks.

Everything here is read off the outputs of the published notebooks, where each checked object leaves an
*entry*: see `proofread.sphinx`, which shows an entry in any book.  Here is what this one adds: a page for
each part, how much of a chapter is typed, and the rows of its sources.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.nodes import make_refnode

from proofread.ledger import BY_CHECK, BY_FUNCTION, BY_NUMBERS, Entry
from proofread.sphinx import shown
from proofread.sphinx.entries import of_book, of_equation, rejected, titled_checks, verdict
from proofread.sphinx.shown import equation_link, href
from tools import chapters, settings

log = logging.getLogger(__name__)

LEDGER, ERRATA, SOURCES = "book/back/ledger", "book/back/errata", "book/back/sources"


# --- The parts of the book --------------------------------------------------------


def listed(book: dict[str, list[Entry]]) -> dict[str, list[Entry]]:
    """The chapters that have rows in the ledger; a page of no part, the first of the book, has none."""
    return {name: rows for name, entries in book.items()
            if name.count("/") > 1 and (rows := titled_checks(entries))}


def part(docname: str) -> str:
    return docname.split("/")[1]


def page(docname: str, of: str = LEDGER) -> str:
    """The page of the ledger, or of the errata, that lists a chapter: one for each part."""
    return f"{of}/{part(docname)}"


def check_parts(env) -> None:
    parts = {page(name) for name in listed(env.proofread["entries"])}
    for place in parts - env.found_docs if LEDGER in env.found_docs else ():
        log.warning("the ledger of this part has no page", location=place, type="ledger")


# --- Placeholders, filled when every page has been read --------------------------


class row_reference(nodes.inline):
    """The name of a row of the sources, linked to the page of sources."""


class erratum_reference(nodes.inline):
    """The word *erratum*, linked to the note on the page of errata."""


class row_places(nodes.inline):
    """The places that treat a row of the sources, linked."""


def fill(app, doctree, docname: str) -> None:
    builder = app.builder
    for node in list(doctree.findall(row_reference)):
        uri = f"{builder.get_relative_uri(docname, SOURCES)}#source-{node['row']}"
        node += nodes.reference("", node["row"], refuri=uri, internal=True, classes=["source-row"])
    for node in list(doctree.findall(row_places)):
        for number, link in enumerate(_places(app, node["row"], docname)):
            node += [nodes.Text(", " if number else ""), link]


def link_errata(app, doctree, docname: str) -> None:
    for node in list(doctree.findall(erratum_reference)):
        there = app.builder.get_relative_uri(docname, page(docname, ERRATA))
        uri = f"{there}#{shown.erratum_anchor(node['of'])}"
        node += nodes.reference("", "erratum", refuri=uri, internal=True)


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
    path = settings.ROOT / f"{SOURCES}.yml"
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
    """``{row}`S0-001```: this passage treats that row of the sources, whose page links here."""

    def run(self):
        uses = self.env.softmaxnotes["rows"].setdefault(self.env.docname, [])
        target = f"row-{self.text}-{len(uses) + 1}"
        uses.append((self.text, target))
        return [nodes.inline("", "", ids=[target])], []


# --- Directives --------------------------------------------------------------------


class BookDirective(SphinxDirective):
    """A directive whose page must be read again whenever an entry changes.

    It shows what is known before pages are read, so that its sections are among those of the page.
    """

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

    def chapter(self, name: str, of: str = LEDGER) -> addnodes.pending_xref:
        """The title of a chapter, linked to its part of the ledger, or of the errata."""
        return self.link(page(name, of), chapter_title(name))

    def link(self, docname: str, text: str) -> addnodes.pending_xref:
        link = addnodes.pending_xref("", reftype="doc", refdomain="std", refexplicit=True, refwarn=True,
                                     reftarget=f"/{docname}", refdoc=self.env.docname)
        link += nodes.inline("", text)
        return link

    def section(self, title: str, ident: str, *children) -> nodes.section:
        section = nodes.section("", nodes.title("", "", *self.inline(title)), *children, ids=[ident])
        self.state.document.note_explicit_target(section)
        return section


def chapter_title(docname: str) -> str:
    lines = chapters.source(docname).read_text("utf8").splitlines()
    return next((line[2:].strip() for line in lines if line.startswith("# ")), docname)


class BookLedger(BookDirective):
    """``{ledger}``: what was checked, chapter by chapter; ``{ledger} softmax``: and how, in that part."""

    optional_arguments = 1

    def render(self):
        book = self.env.proofread["entries"]
        if not self.arguments:
            return self.coverage(book)
        self.env.proofread["ledgers"][self.env.docname] = [f"book/{self.arguments[0]}"]
        return [
            self.section(chapter_title(name), nodes.make_id(f"ledger-{name}"), *map(self.card, rows))
            for name, entries in book.items()
            if part(name) == self.arguments[0] and (rows := titled_checks(entries))
        ]

    def coverage(self, book):
        typed, rows = Counter(), []
        for name in listed(book):
            self.env.note_dependency(str(chapters.source(name)))  # its sentences are no entries
            page = chapters.read(name)
            unchecked = chapters.unchecked(page, book[name])
            here = Counter(all=len(chapters.claims(page, book[name])), unchecked=len(unchecked))
            typed += here
            rows.append(self.coverage_row(self.chapter(name), book[name], here))
        every = [entry for entries in book.values() for entry in entries]
        rows.append(self.coverage_row("The book", every, typed))
        head = ["Chapter", "Displayed equations", "Wrong versions that a check rejected",
                "that numbers contradict", "Typed formulas", "Seconds of checks"]
        return [shown.table(head, rows, classes=["coverage"]),
                self.paragraph("Some wrong versions of a line are put to the check that accepted it, or to a "
                               "function; the others are contradicted by numbers at two to four points, and "
                               "counted apart.")]

    def coverage_row(self, title, entries, typed):
        count = Counter(entry.status for entry in entries if entry.label)
        given = sum(verdict(self.env, entry) != entry.status for entry in entries if entry.label)
        kinds = ", ".join(f"{number} {status}{'s' * (status == 'definition' and number > 1)}"
                          for status, number in count.most_common())
        kinds += f"; {given} rest on an argued line" if given else ""
        told = f"{typed['all']}: {typed['unchecked']} unchecked" if typed["all"] else "0"
        seconds = f"{sum(e.seconds for e in entries):.1f}"
        counted = f"{count.total()}: {kinds}" if kinds else "0"
        found = rejected(entries)
        by_check = found[BY_CHECK] + found[BY_FUNCTION]
        return [title, counted, by_check, found[BY_NUMBERS], told, seconds]

    def card(self, entry):
        card = shown.card(self.env, entry)
        evidence = of_equation(self.env, entry.label) if entry.label else [entry]
        if rows := dict.fromkeys(row for e in evidence for row in e.rows):
            names = [part for row in rows for part in (row_reference(row=row), nodes.Text(" "))]
            card += self.paragraph("Treats ", *names)
        return card


class BookExperiments(BookDirective):
    """``{experiments}``: every comparison of methods: what was run, and which sentences it bears out."""

    def render(self):
        return [self.section(title, nodes.make_id(f"experiments-{title}"), *cards)
                for title, pages in chapters.parts() if (cards := self.cards(pages))]

    def cards(self, pages):
        book = self.env.proofread["entries"]
        return [self.card(name, entry) for name in pages for entry in book.get(name, ())
                if entry.kind == "comparison"]

    def card(self, name, entry):
        run, borne = (shown.found([part]) for part in experiment(entry))
        what, chapter = entry.title[:1].upper() + entry.title[1:], self.link(name, chapter_title(name))
        title = self.paragraph(f"{what}, in ", chapter, classes=["ledger-title"])
        told = self.paragraph("The runs bear out:" if borne else "The runs are shown, and none is ranked.")
        return nodes.container("", title, *run, told, *borne, classes=["ledger-entry"])


#: a sentence that a `Comparison` licenses
_LICENSED = re.compile("no difference of .+ seen|.+ has converged within .+|.+ [<>] .+: [0-9.e-]+")


def experiment(entry: Entry) -> tuple[Entry, Entry]:
    """What was run, and the sentences that this bears out, each with its probability under chance."""
    run = tuple(text for text in entry.findings if not _LICENSED.fullmatch(text))
    borne = tuple(text for text in entry.findings if text not in run)
    return replace(entry, findings=run), replace(entry, findings=borne)


class BookErrata(BookDirective):
    """``{errata}``: where sources print something else, by chapters; ``{errata} softmax``: what is wrong with
    it, in that part."""

    optional_arguments = 1

    def render(self):
        found = [(page, entry) for page, entry in of_book(self.env) if entry.erratum
                 and part(page) in (self.arguments or [part(page)])]
        if not found:
            return [self.paragraph("None so far.")]
        if self.arguments:
            return shown.errata(self.env, [(entry, chapter_title(page)) for page, entry in found])
        count = Counter(page for page, _ in found)
        rows = [[self.chapter(name, ERRATA), number] for name, number in count.items()]
        return [shown.table(["Chapter", "Errata"], rows, classes=["coverage"])]


class BookSymbols(BookDirective):
    """``{symbols}``: what each symbol of the book means, a table for each part."""

    def render(self):
        return [
            self.section(title, nodes.make_id(f"symbols-{title}"), table)
            for title, pages in chapters.parts() if (table := shown.symbols(self.env, pages, chapter_title))
        ]


class Sources(BookDirective):
    """``{sources}``: the rows of the source lecture and where the book treats them."""

    def render(self):
        rows, _ = read_sources()
        self.env.note_dependency(str(settings.ROOT / f"{SOURCES}.yml"))
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
        path = settings.ROOT / "benchmarks" / f"{self.arguments[0]}.json"
        self.env.note_dependency(str(path))
        if not path.exists():
            log.warning("no measurement %s", path.relative_to(settings.ROOT), location=self.get_location())
            return []
        data = json.loads(path.read_text("utf8"))
        facts = {**data["machine"], **data["versions"]}
        measured = "Measured on " + ", ".join(f"{name} {value}" for name, value in facts.items()) + "."
        # where a long name may break
        heads = [re.sub("([._])", "\\1\u200b", column) for column in data["columns"]]
        table = shown.table(heads, data["rows"], classes=["benchmark"])
        note = self.paragraph(data["note"], classes=["benchmark"])
        return [table, note, self.paragraph(measured, classes=["measured"])]


def setup(app):
    for node in (row_reference, erratum_reference, row_places):
        app.add_node(node, html=(lambda self, n: self.visit_inline(n), lambda self, n: self.depart_inline(n)))
    app.add_role("row", RowRole())
    directives = {"ledger": BookLedger, "experiments": BookExperiments, "errata": BookErrata,
                  "symbols": BookSymbols, "sources": Sources, "benchmark": Benchmark}
    for name, directive in directives.items():
        app.add_directive(name, directive, override=True)
    app.connect("doctree-resolved", fill)
    app.connect("doctree-resolved", link_errata, priority=700)  # when the cells are arranged
    app.connect("env-check-consistency", check_sources)
