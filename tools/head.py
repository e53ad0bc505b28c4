"""The head of a chapter: how long it takes, what it needs, what it is for, and how its equations stand."""

from __future__ import annotations

from docutils import nodes

from proofread.sphinx import entries
from proofread.sphinx.folds import details, summary
from tools import chapters, formulas, ledger

WORDS = 200  # that are read in a minute
MINUTES = {"equation": 1 / 3, "line": 1 / 15}  # for an equation, and for a line of open code
SILENT = {"how", "code", "tally", "cited", "solution", "report", "declared"}
MOST = 4  # chapters that are named
SYMBOLS = "symbols"  # where their meanings stand


def write(app, doctree, docname):
    """After the title what a reader wants to know first; after the goals what was checked."""
    title = next(iter(doctree.findall(nodes.title)), None)
    counts = entries.counts(app.env, docname)
    if title is None or not counts:
        return
    section = title.parent
    goals = next((node for node in section.children if isinstance(node, nodes.bullet_list)), title)
    section.insert(section.index(goals) + 1, tally(app, doctree, docname, counts))
    section.insert(section.index(title) + 1, told(app, doctree, docname))


def told(app, doctree, docname):
    """About 25 minutes. Needs 2 Logits. Used in 5 Calibration."""
    line = nodes.paragraph("", f"About {minutes(doctree)} minutes.", classes=["told"])
    needs = chapters.front(docname).needs
    users = [name for name in chapters.chapters() if docname in chapters.front(name).needs]
    for words, names in (("Needs", needs), ("Used in", users)):
        links = [link(app, docname, name) for name in names if name in app.env.titles]
        if links:
            line += [nodes.Text(f" {words} "), *listed(links, len(links) > MOST), nodes.Text(".")]
    return line


def link(app, docname, name):
    words = f"{chapters.number(app.env, name)} {app.env.titles[name].astext()}".strip()
    uri = app.builder.get_relative_uri(docname, name)
    return nodes.reference("", words, refuri=uri, internal=True)


def listed(links, cut):
    """A, B and C; of many the first, and others."""
    shown = [*links[:MOST], nodes.Text("others")] if cut else links
    for place, node in enumerate(shown):
        if place:
            yield nodes.Text(" and " if place == len(shown) - 1 else ", ")
        yield node


def minutes(doctree) -> int:
    """How long it takes to read what is not folded, to five minutes."""
    def open_(kind):
        return [node for node in doctree.findall(kind) if not silent(node)]

    words = sum(len(paragraph.astext().split()) for paragraph in open_(nodes.paragraph))
    lines = sum(len(code.astext().strip().splitlines()) for code in open_(nodes.literal_block))
    time = words / WORDS + MINUTES["equation"] * len(open_(formulas.equation)) + MINUTES["line"] * lines
    return max(5, 5 * round(time / 5))


def silent(node) -> bool:
    """Whether a node is folded, in the count of what was checked, or among the works that are cited."""
    return node is not None and (bool(SILENT & set(node.get("classes", ()))) or silent(node.parent))


def tally(app, doctree, docname, counts):
    """How many equations stand proved, argued, defined; opened, what the marks mean."""
    line = summary("", "", nodes.inline("", "Evidence: ", classes=["vh"]))
    legend = nodes.definition_list()
    for verdict, number in counts.items():
        words = verdict + ("s" if verdict == "definition" and number != 1 else "")
        line += nodes.inline("", "", formulas.mark(verdict), nodes.Text(f"{number} {words}"), classes=["nb"])
        term = nodes.term("", "", formulas.mark(verdict), nodes.Text(verdict))
        meaning = nodes.definition("", nodes.paragraph("", entries.MEANING[verdict]))
        legend += nodes.definition_list_item("", term, meaning)
    uri = app.builder.get_relative_uri(docname, ledger.page(docname))
    links = nodes.paragraph()
    if any(SYMBOLS in box["ids"] for box in doctree.findall(nodes.container)):
        links += [nodes.reference("", "Symbols", refuri=f"#{SYMBOLS}", internal=True), nodes.Text(" ")]
    links += nodes.reference("", "Ledger", refuri=uri, internal=True)
    return nodes.container("", details("", line, legend), links, classes=["tally"])
