"""What is wrong with a PDF of the book, read from the file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pikepdf
import pypdfium2

from tools.pdf.press import ADDRESS

MARGIN = 16 / 25.4 * 72  # points left and right of what is printed, as `book.css` says


def faults(printed: bytes) -> list[str]:
    """All that is wrong, in words: links, faces, what the file tells of itself, words beyond the margin."""
    with pikepdf.open(BytesIO(printed)) as pdf:
        found = [*_links(pdf), *_fonts(pdf), *_told(pdf)]
    return found + list(_beyond(printed))


def _links(pdf: pikepdf.Pdf) -> Iterator[str]:
    known = {str(name) for name in pdf.Root.get("/Dests", {}).keys()}
    for number, page in enumerate(pdf.pages, 1):
        for note in page.get("/Annots", ()):
            action = note.get("/A", {})
            goal = note.get("/Dest", action.get("/D"))
            if isinstance(goal, pikepdf.Name | pikepdf.String) and str(goal) not in known:
                yield f"page {number}: a link leads to {goal}, which is nowhere"
            if str(action.get("/URI", "")).startswith((ADDRESS, "file:")):
                yield f"page {number}: a link leads to {action.URI}, which no reader has"


def _fonts(pdf: pikepdf.Pdf) -> Iterator[str]:
    seen = {}
    for page in pdf.pages:
        for font in page.resources.get("/Font", {}).values():
            seen[font.objgen] = font
    for font in seen.values():
        name = font.get("/BaseFont", "a face without a name")
        if font.Subtype == "/Type3":
            yield f"{name} is of Type 3, pictures of glyphs"
            continue
        inner = font.DescendantFonts[0] if "/DescendantFonts" in font else font
        if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner.get("/FontDescriptor", {}).keys()):
            yield f"{name} is not embedded"


def _told(pdf: pikepdf.Pdf) -> Iterator[str]:
    with pdf.open_metadata() as told:
        for field in ("dc:title", "dc:creator", "dc:rights"):
            if not told.get(field):
                yield f"it has no {field}"
    if pdf.Root.get("/Lang") != "en":
        yield "it does not tell its language"
    if not pdf.Root.get("/MarkInfo", {}).get("/Marked") or "/StructTreeRoot" not in pdf.Root:
        yield "it has no tags, which screen readers go by"
    with pdf.open_outline() as outline:
        if not outline.root:
            yield "it has no bookmarks"


def _beyond(printed: bytes) -> Iterator[str]:
    """A word is beyond the margin if the middle of a letter is: what leans hangs over."""
    document = pypdfium2.PdfDocument(printed)
    for number, page in enumerate(document, 1):
        text, (left, right) = page.get_textpage(), (MARGIN, page.get_width() - MARGIN)
        for place in range(text.count_chars()):
            start, _, end, _ = text.get_charbox(place, loose=True)
            if not left <= (start + end) / 2 <= right and (letter := text.get_text_range(place, 1)).strip():
                around = text.get_text_range(max(0, place - 20), min(40, text.count_chars() - place)).split()
                yield f"page {number}: {letter!r} is beyond the margin, in “{' '.join(around)}”"
                break
    document.close()
