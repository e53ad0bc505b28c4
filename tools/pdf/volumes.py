"""What is printed: the book, its parts, a chapter."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

from tools import chapters, settings

FOLDER = settings.ROOT / "_build/pdf"
BOOK = "softmaxnotes"


@dataclass(frozen=True)
class Volume:
    """What becomes one file: chapters in their parts; with a cover and contents unless it is one chapter."""

    parts: list[tuple[str, list[str]]]
    title: str = ""  # if it is not the whole book
    bare: bool = False

    @property
    def pages(self) -> list[str]:
        return [page for _, pages in self.parts for page in pages]


@dataclass(frozen=True)
class Imprint:
    """Who made it, and who may do what with it."""

    title: str
    author: str
    year: str
    version: str
    licence: str = "Text and figures: CC BY 4.0. Code: MIT."


def volumes() -> dict[str, Volume]:
    """The book and its parts; a part has the name of its folder."""
    parts = chapters.parts()
    return {BOOK: Volume(parts)} | {folder(pages): Volume([(caption, pages)], caption)
                                    for caption, pages in parts}


def folder(pages: list[str]) -> str:
    return pages[0].split("/")[1]


def imprint() -> Imprint:
    config, cited = (yaml.safe_load((settings.ROOT / name).read_text("utf8"))
                     for name in ("_config.yml", "CITATION.cff"))
    return Imprint(config["title"], config["author"], str(cited["date-released"])[:4], cited["version"])
