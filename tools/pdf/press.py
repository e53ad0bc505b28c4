"""Chromium prints a joined document; its numbers of pages are those of the pass before."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlparse

import pikepdf

from tools import site
from tools.errors import ChapterError
from tools.pdf import chromium
from tools.pdf.volumes import Imprint, Volume

HERE = Path(__file__).parent
ADDRESS = "http://book"  # from which Chromium is handed the files of the site
KEY = "/SoftmaxnotesKey"  # among what a file tells of itself
PASSES = 5  # after which no number may move

# Chromium embeds a face of many weights glyph by glyph, as Type 3: two of one weight stand in for it.
FACES = {"text-regular": ("Text", "font-weight:400"), "text-bold": ("Text", "font-weight:600"),
         **{name: face for name, face in site.TEXTS.items() if name != "text"}}


def print_volume(volume: Volume, imprint: Imprint, folder: Path, key: str = "") -> bytes:
    """The PDF of a volume from the site in ``folder``; it keeps a key to know it by.

    Raises
    ------
    errors.ChapterError
        If the numbers of pages do not settle.
    """
    with opened(skeleton(volume, imprint), folder) as page:
        headings = page.evaluate("parts => join(parts)", volume.parts)
        found: dict[str, int] = {}
        for _ in range(PASSES):
            page.evaluate("found => number(found)", found)
            printed = page.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
            before, found = found, places(printed)
            if found == before:
                return finish(printed, volume, imprint, headings, key)
    raise ChapterError(f"the pages of {volume.title or imprint.title} still move after {PASSES} passes")


@contextmanager
def opened(html: str, folder: Path) -> Iterator:
    """A document in Chromium, set for paper; it may fetch what is in the folder, and nothing else."""
    def answer(route):
        path = unquote(urlparse(route.request.url).path).lstrip("/")
        if not path:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif (folder / path).is_file():
            route.fulfill(path=folder / path, content_type=mimetypes.guess_type(path)[0])
        else:
            route.abort()

    with chromium.opened() as browser:
        page = browser.new_page()
        page.set_default_timeout(600_000)
        page.emulate_media(media="print", color_scheme="light")
        page.route("**/*", answer)
        page.goto(f"{ADDRESS}/")
        yield page


def skeleton(volume: Volume, imprint: Imprint) -> str:
    """The document before its chapters come in."""
    sheet = site.style_sheet(FACES).replace("url(katex/", "url(_static/katex/")
    own, script = ((HERE / name).read_text("utf8") for name in ("book.css", "join.js"))
    told = f"{escape(imprint.author)}, {imprint.year}. Version {imprint.version}. {imprint.licence}"
    cover = "" if volume.bare else f"""<section class="cover"><p class="title">{escape(imprint.title)}</p>
<p class="part-title">{escape(volume.title)}</p><p class="imprint">{told}</p></section>
<nav><h1>Contents</h1></nav>"""
    end = f'<p class="imprint">From <em>{escape(imprint.title)}</em>. {told}</p>' if volume.bare else ""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{escape(imprint.title)}</title><style>{sheet}</style><style>{own}</style><script>{script}</script></head>
<body>{cover}<main><article>{end}</article></main></body></html>"""


def places(printed: bytes) -> dict[str, int]:
    """The page of each place that a link leads to."""
    with pikepdf.open(BytesIO(printed)) as pdf:
        at = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
        return {str(name)[1:]: at[goal[0].objgen] for name, goal in pdf.Root.get("/Dests", {}).items()}


Heading = tuple[int, str]  # level, from 0 for a part; words


def finish(printed: bytes, volume: Volume, imprint: Imprint, headings: list[Heading], key: str) -> bytes:
    """What Chromium does not write, or not well; and all of it packed, which makes it a third as large."""
    with pikepdf.open(BytesIO(printed)) as pdf, BytesIO() as finished:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as told:
            own = headings[0][1] if volume.bare else volume.title
            told["dc:title"] = " – ".join(filter(None, (imprint.title, own)))
            told["dc:creator"] = [imprint.author]
            told["dc:language"] = ["en"]
            told["dc:rights"] = imprint.licence
            told["pdf:Keywords"] = f"version {imprint.version}"
        pdf.docinfo[KEY] = key
        rename(pdf, headings)
        pdf.Root.PageMode = pikepdf.Name.UseOutlines
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        pdf.save(finished, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)
        return finished.getvalue()


def rename(pdf: pikepdf.Pdf, headings: list[Heading]) -> None:
    """Bookmarks below their parts, in the words of the headings, which Chromium joins around a line break."""
    def flat(items):
        for item in items:
            yield item
            yield from flat(item.children)

    with pdf.open_outline() as outline:
        goals = [item.destination or item.action.D for item in flat(outline.root)]
        if len(goals) != len(headings):
            raise ValueError(f"expected a bookmark for each of {len(headings)} headings, got {len(goals)}")
        outline.root.clear()
        above = [(-1, outline.root)]
        for (level, words), goal in zip(headings, goals):
            while above[-1][0] >= level:
                above.pop()
            item = pikepdf.OutlineItem(words)
            item.destination = goal
            above[-1][1].append(item)
            above.append((level, item.children))
