"""The home page: ways into the book, pictures of it, and one list of its chapters.

``{routes}`` shows a list of ways; ``{gallery}`` figures of chapters, a line for each, as
``gumbel/top_k fig-hexagon: what one sees``.  ``{chapters}`` lists all chapters with a line about each, and
beside them the map: an arc leads up to what a chapter needs, as its front matter says.  An arc that follows
from others is left out.  Pointing at a chapter shows, without a script, all that it rests on.

How long chapters take is known when their pages are written (`tools.head`), and put in at the end.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from tools import chapters, store
from tools.ledger import BookDirective, chapter_title

# --- The map --------------------------------------------------------------------------


def below(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """For each page all that it rests on, directly or not."""
    found: dict[str, set[str]] = {}
    for page in graph:  # what a page needs stands before it
        found[page] = graph[page].union(*(found[other] for other in graph[page]))
    return found


def reduced(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The arcs from which all others follow."""
    all_below = below(graph)
    return {page: {other for other in others
                   if not any(other in all_below[third] for third in others - {other})}
            for page, others in graph.items()}


def draw(parts, graph, line, link) -> str:
    """The chapters as HTML, all rows equally high, so that the arcs stretch with them.

    Parameters
    ----------
    parts : list of (str, list of str)
        The parts of the book and their pages.
    graph : dict
        For each page those that it needs.
    line : function
        Number, title and description of a page.
    link : function
        Its address.
    """
    pages = [page for _, part in parts for page in part]
    number, all_below = {page: k for k, page in enumerate(pages)}, below(graph)
    rows, level, arcs, rules = [], {}, [], []
    for caption, part in parts:
        rows.append(f'<li class="part">{escape(caption)}</li>')
        for page in part:
            level[page] = len(rows)
            name, title, description = map(escape, line(page))
            rows.append(f'<li class="chapter-{number[page]}"><a href="{escape(link(page))}"><b>{name}</b> '
                        f"{title}</a><span>{description}</span></li>")
    farthest = max((level[page] - level[other] for page in pages for other in graph[page]), default=1)
    for page in pages:
        here, k = level[page], number[page]
        for other in sorted(reduced(graph)[page]):
            reach = 100 - 96 * ((here - level[other]) / farthest) ** 0.5
            arcs.append(f'<path class="from-{k}" d="M100 {here}C{reach:.0f} {here} '
                        f'{reach:.0f} {level[other]} 100 {level[other]}"/>')
        lit = [f".from-{k}"]
        for other in sorted(all_below[page], key=number.get):
            lit += [f".chapter-{number[other]}", f".from-{number[other]}"]
        rules.append(f".map:has(.chapter-{k}:is(:hover, :focus-within)) :is({', '.join(lit)})")
    style = ", ".join(rules) + " { --seen: 1; --lit: var(--accent); }"
    return (f'<nav class="map" aria-label="Chapters"><style>{style}</style>\n'
            f'<svg viewBox="0 0 100 {len(rows)}" preserveAspectRatio="none" aria-hidden="true">\n'
            + "\n".join(arcs) + "\n</svg>\n<ul>\n" + "\n".join(rows) + "\n</ul></nav>")


# --- In the book ----------------------------------------------------------------------


class chapter_map(nodes.General, nodes.Element):
    """Where the chapters will stand, once all pages are known."""


class Chapters(BookDirective):
    def render(self):
        return [chapter_map()]


class Routes(BookDirective):
    has_content = True

    def render(self):
        box = nodes.container(classes=["routes"])
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


class Gallery(BookDirective):
    has_content = True

    def render(self):
        cards = "".join(map(self.card, self.content))
        return [nodes.raw("", f'<div class="gallery">{cards}</div>', format="html")]

    def card(self, line):
        page, figure, words = pictured(line)
        title = escape(chapter_title(f"book/{page}"))
        return (f'<a href="{escape(page)}.html#{escape(figure)}" aria-label="{escape(words)} {title}">'
                f'{picture(f"book/{page}", figure)}<span><b>{escape(words)}</b> {title}</span></a>')


def pictured(line: str) -> tuple[str, str, str]:
    """Page, figure and words of a line of the gallery."""
    found = re.fullmatch(r"(\S+) (fig-\S+): (.+)", line)
    if not found or f"book/{found[1]}" not in chapters.chapters():
        raise ExtensionError(f'expected "PART/NAME fig-NAME: words", got "{line}"')
    return found[1], found[2], found[3]


def picture(docname: str, figure: str) -> str:
    """The first panel of a figure, as its chapter draws it."""
    notebook = store.stored(docname)
    for cell in chapters.code_cells(notebook) if notebook else ():
        for output in cell.outputs:
            html = output.get("data", {}).get("text/html", "")
            if f'id="{figure}"' in html:
                return re.search("<svg.*?</svg>", html, re.DOTALL)[0]
    if notebook:
        raise ExtensionError(f"{docname} has no figure {figure}")
    return ""  # in a preview


def fill(app, doctree, docname):
    for node in list(doctree.findall(chapter_map)):
        env, builder = app.env, app.builder
        parts = chapters.parts()
        graph = {page: {*chapters.front(page).needs} for _, part in parts for page in part}

        def line(page):
            return chapters.number(env, page), env.titles[page].astext(), chapters.front(page).description

        html = draw(parts, graph, line, lambda page: builder.get_relative_uri(docname, page))
        node.replace_self(nodes.raw("", html, format="html"))


MINUTES = re.compile(r"About (\d+) minutes")


def tell_minutes(app, error):
    """After each link of the routes and of the list, how long the chapter takes."""
    home = Path(app.outdir, f"{app.config.root_doc}.html")
    if error is None and app.builder.format == "html" and home.exists():
        text = home.read_text("utf8")
        home.write_text(with_minutes(text, lambda page: (home.parent / page).read_text("utf8")), "utf8")


def with_minutes(text: str, read) -> str:
    """The home page with the minutes that the pages tell, which ``read`` reads."""
    def told(link):
        found = MINUTES.search(read(link[1]))
        return f'{link[0]} <small class="minutes">{found[1]} min</small>' if found else link[0]

    text = re.sub(r' <small class="minutes">.*?</small>', "", text)
    boxes = r'<div class="routes[ "].*?</div>|<nav class="map".*?</nav>'
    link = re.compile(r'<a\b[^>]*? href="([^"#:]+\.html)"[^>]*>.*?</a>', re.DOTALL)
    return re.sub(boxes, lambda box: link.sub(told, box[0]), text, flags=re.DOTALL)


def setup(app):
    app.add_node(chapter_map)
    for name, directive in {"chapters": Chapters, "routes": Routes, "gallery": Gallery}.items():
        app.add_directive(name, directive)
    app.connect("doctree-resolved", fill)
    app.connect("build-finished", tell_minutes)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
