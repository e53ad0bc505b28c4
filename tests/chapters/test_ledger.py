"""The ledger: who has rows in it."""

import re

from softmaxnotes.entries import Entry
from tools import execute, ledger


def test_a_page_of_no_part_has_no_rows():
    entry = Entry("said", "proved", findings=("1 relation in sentences is decided",))
    book = {"book/intro": [entry], "book/part/chapter": [entry], "book/part/silent": []}
    assert ledger.listed(book) == {"book/part/chapter": [entry]}


def test_what_a_chapter_uses_of_another_is_an_equation_there():
    pages = {path: path.read_text() for path in sorted((execute.ROOT / "book").glob("*/*.md"))}
    used = {(path, label) for path, text in pages.items()
            for names in re.findall(r"uses=\[([^]]*)\]", text) for label in re.findall('"(eq-[^"]+)"', names)}
    assert used
    lost = [(path.stem, label) for path, label in used
            if not any(f'label="{label}"' in text for other, text in pages.items() if other != path)]
    assert not lost
