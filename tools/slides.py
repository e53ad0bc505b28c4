"""A chapter as a deck: its page with ``?slides`` behind its address, which ``theme/slides.js`` arranges.

    python -m tools.slides gumbel/gumbel_max    # prints the deck and a handout, into _build/slides

A deck shows what ``slides`` lists in the front matter of the chapter: labels, and sections, of which it shows
the first code, table or paragraph.
"""

from __future__ import annotations

import sys

from sphinx.util import logging

from tools import build, chapters, settings
from tools.errors import Unknown, told, writing
from tools.lock import locked

SITE = settings.ROOT / "_build/html"
FOLDER = settings.ROOT / "_build/slides"

log = logging.getLogger(__name__)


def choose(app, pagename, templatename, context, doctree):
    """What the deck of a chapter shows; of what is not there nothing could be shown."""
    if not any(pagename in pages for _, pages in chapters.parts()):
        return
    slides, body = chapters.front(pagename).slides, context["body"]
    for label in slides:
        if f'id="{label}"' not in body and f'id="equation-{label}"' not in body:
            log.warning("slides: expected a label or a section of the page, got %s", label, location=pagename)
    context["slides"] = " ".join(slides)


def print_deck(name: str) -> tuple[bytes, bytes]:
    """A deck as PDF, all steps of a slide at once; and as a handout, with what is said to each slide."""
    from tools.pdf import chromium

    with chromium.opened() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 760})
        page.goto(f"{(SITE / name).as_uri()}.html?slides")
        page.locator(".deck[data-ready]").wait_for()
        how = {"prefer_css_page_size": True, "print_background": True, "outline": True, "tagged": True}
        deck = page.pdf(**how)
        page.evaluate("document.documentElement.classList.add('handout')")
        return deck, page.pdf(**how)


@told
def main(names: list[str]) -> int:
    for name in (known := build.known(names)):
        if not (SITE / f"{name}.html").exists():
            raise Unknown(f"{SITE} has no {name}: make book")
    with locked(reading=True), writing(FOLDER):
        for name in known:
            path = FOLDER / f"{name.removeprefix('book/')}.pdf"
            path.parent.mkdir(parents=True, exist_ok=True)
            handout = path.with_stem(f"{path.stem}-handout")
            for file, printed in zip((path, handout), print_deck(name)):
                file.write_bytes(printed)
            print(f"{path}, with notes {handout.name}; to show it: {SITE / name}.html?slides")
    return 0


def setup(app):
    app.connect("html-page-context", choose)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
