"""The map of the book: which chapter rests on which, as the checks have recorded it.

``{book-map}`` draws a dot for each chapter and an arc from it up to those whose equations its checks made use
of.  An arc that follows from others is left out.  Pointing at a chapter shows, without a script, all that it
rests on.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError

from tools import chapters
from tools.ledger import BookDirective

STEP, MIDDLE, LETTER = 32, 96, 8.4  # of the rows, of the dots, and the width of a letter of 15 pixels


def needs(entries: dict) -> dict[str, set[str]]:
    """For each page the others of which its checks used an equation or a definition."""
    owner = {entry.label: page for page, found in entries.items() for entry in found if entry.label}
    used = {page: {owner[label] for entry in found for label in entry.rests_on if label in owner}
            for page, found in entries.items()}
    return {page: others - {page} for page, others in used.items()}


def below(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """For each page all that it rests on, directly or not; a circle is an error."""
    found: dict[str, set[str]] = {}

    def visit(page, above):
        if page in above:
            circle = " → ".join([*above[above.index(page):], page])
            raise ExtensionError(f"chapters rest on one another in a circle: {circle}")
        if page not in found:
            others = graph.get(page, set())
            found[page] = others.union(*(visit(other, [*above, page]) for other in sorted(others)))
        return found[page]

    for page in graph:
        visit(page, [])
    return found


def reduced(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The arcs from which all others follow."""
    all_below = below(graph)
    return {page: {other for other in others
                   if not any(other in all_below[third] for third in others - {other})}
            for page, others in graph.items()}


def on_argued(entries: dict) -> set[str]:
    """The pages with an argued line, or with an equation that rests on one."""
    every = {entry.label: entry for found in entries.values() for entry in found if entry.label}

    def argued(entry, seen=()):
        return bool(entry.argued) or any(
            argued(every[label], (*seen, label)) for label in entry.rests_on
            if label in every and label not in seen)

    return {page for page, found in entries.items() if any(argued(entry) for entry in found)}


def draw(lanes, entries, title, link) -> str:
    """The map as HTML; ``title`` and ``link`` give those of a page."""
    pages = [page for _, part in lanes for page in part]
    entries = {page: entries.get(page, []) for page in pages}
    graph, argued = needs(entries), on_argued(entries)
    arcs, all_below, number = reduced(graph), below(graph), {page: k for k, page in enumerate(pages)}
    width = round(MIDDLE + 32 + LETTER * max(map(len, map(title, pages))))
    rows, level = [], {}
    y = STEP / 2
    for caption, part in lanes:
        rows.append(f'<text class="part" x="{MIDDLE + 24}" y="{y + 5}">{escape(caption)}</text>')
        for page in part:
            y += STEP
            level[page] = y
        y = round(y + STEP * 1.2, 1)
    lines, dots, rules = [], [], []
    for page in pages:
        k, here = number[page], level[page]
        for other in sorted(arcs[page]):
            reach = MIDDLE - 4 - min(84, 12 + 8 * abs(k - number[other]) ** 0.8 * 1.6)
            lines.append(f'<path class="from-{k}" d="M{MIDDLE} {here}C{reach:.1f} {here} {reach:.1f} '
                         f'{level[other]} {MIDDLE} {level[other]}"/>')
        equations = sum(bool(entry.label) for entry in entries[page])
        words = [f"{equations} equation" + "s" * (equations != 1)]
        if arcs[page]:
            words.append("rests on " + ", ".join(title(other) for other in pages if other in arcs[page]))
        words += ["rests on an argued line"] * (page in argued)
        ring = f'<circle class="ring" cx="{MIDDLE}" cy="{here}" r="{2 * equations**0.5 + 4:.1f}"/>'
        dots.append(f'<a class="chapter-{k}" href="{escape(link(page))}" '
                    f'aria-label="{escape(title(page))}: {escape("; ".join(words))}">'
                    f'<circle cx="{MIDDLE}" cy="{here}" r="{2 * equations**0.5 + 1:.1f}"/>'
                    + ring * (page in argued)
                    + f'<text x="{MIDDLE + 24}" y="{here + 5}">{escape(title(page))}</text></a>')
        if all_below[page]:
            lit = [f".chapter-{number[other]}" for other in all_below[page]]
            lit += [f".from-{k}", *(f".from-{number[other]}" for other in all_below[page])]
            pointed = f".book-map:has(.chapter-{k}:is(:hover, :focus-visible))"
            rules.append(f"{pointed} :is({', '.join(sorted(lit))})")
    style = (
        ".book-map { --map: var(--accent, var(--pst-color-primary, #0f58c4)); margin: 1.5rem 0; } "
        f".book-map svg {{ width: 100%; max-width: {width / 15:.0f}rem; height: auto; fill: currentColor; }} "
        ".book-map path { fill: none; stroke: currentColor; stroke-width: var(--thick, 1.2); "
        "opacity: var(--seen, .45); } "
        ".book-map .ring { fill: none; stroke: currentColor; stroke-width: 1.2; } "
        ".book-map text { font-size: 15px; } .book-map .part { font-style: italic; font-size: 14px; } "
        ".book-map a { fill: currentColor; color: inherit; text-decoration: none; } "
        ".book-map a:is(:hover, :focus-visible) { fill: var(--map); } "
        + ", ".join(rules) + " { color: var(--map); --seen: 1; --thick: 2.2; }" * bool(rules))
    return (f'<nav class="book-map" aria-label="Map of the book"><style>{style}</style>\n'
            f'<svg viewBox="0 0 {width} {y - STEP / 2:.0f}" xmlns="http://www.w3.org/2000/svg">\n'
            + "\n".join([*lines, *rows, *dots]) + "\n</svg></nav>")


# --- In the book ----------------------------------------------------------------------


class book_map(nodes.General, nodes.Element):
    """Where the map will stand, once all pages are known."""


class BookMap(BookDirective):
    def render(self):
        return [book_map()]


def fill(app, doctree, docname):
    for node in list(doctree.findall(book_map)):
        env = app.env

        def title(page):
            number = ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))
            return f"{number} {env.titles[page].astext()}".strip()

        def link(page):
            return app.builder.get_relative_uri(docname, page)

        html = draw(chapters.parts(), env.proofread["entries"], title, link)
        node.replace_self(nodes.raw("", html, format="html"))


def setup(app):
    app.add_node(book_map)
    app.add_directive("book-map", BookMap)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
