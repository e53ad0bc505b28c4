"""Execute what is stale, then build the site.

    python -m tools.build                          # the book, into _build/html; warnings are errors
    python -m tools.build book/softmax/numerics    # a preview of this chapter, the others as they are
"""

import gc
import os
import re
import shutil
import sys
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tools import chapters, errors, execute, lock, settings

KILOBYTES = 1000  # that a page may take with all that it loads, uncompressed
HOME = 350  # the same for the first page that a reader meets, with its pictures


@errors.told
def main(names: list[str]) -> int:
    names = known(names)
    with lock.locked():
        return execute.main(names) or site(names)


def known(names: list[str]) -> list[str]:
    """The chapters of these names, which may begin with ``book/`` and end with ``.md``."""
    names = [f"book/{name.removeprefix('book/').removesuffix('.md')}" for name in names]
    for name in names:
        if name not in chapters.chapters():
            last = name.rpartition("/")[2]
            like = [chapter for chapter in chapters.chapters() if chapter.endswith(f"/{last}")]
            like = like or get_close_matches(name, chapters.chapters(), n=1, cutoff=0.75)
            given, *like = (text.removeprefix("book/") for text in (name, *like))
            hint = f"is it {' or '.join(like)}?" if like else "see _toc.yml, as in softmax/numerics"
            raise errors.ChapterError(f"{given} is not a chapter of the book; {hint}")
    return names


def site(names: list[str]) -> int:
    """Build the pages from what is kept of the chapters."""
    gc.set_threshold(1_000_000)  # to look for garbage among all that Sphinx has read took half of the time
    os.environ["SOFTMAXNOTES_ONLY"] = " ".join(names)
    options = ["--path-output", "_build/preview"] if names else ["-W", "-n", "--keep-going"]
    folder = settings.ROOT / ("_build/preview/_build/html" if names else "_build/html")

    from jupyter_book.cli.main import main as jupyter_book

    try:
        with errors.writing(folder):
            if names and not folder.parent.exists():
                _as_the_book(folder.parent)
            jupyter_book(["build", str(settings.ROOT), "--quiet", *options], standalone_mode=False)
    except RuntimeError:
        # Sphinx has said what is wrong; a traceback through Jupyter Book would bury it.
        print("\nthe site was not built: see the warnings and errors above", file=sys.stderr)
        return 1
    print(sizes(folder, names))
    print(f"The book is in {folder / (names[0] if names else 'index')}.html")
    return 0


def _as_the_book(preview: Path) -> None:
    """Begin a first preview with what was read and written for the book, instead of reading all pages."""
    built, part = settings.ROOT / "_build", settings.ROOT / "_build/preview.part"
    shutil.rmtree(part, ignore_errors=True)  # of a copy that was interrupted
    files = [path for name in (".doctrees", "html", "jupyter_execute") for path in (built / name).rglob("*")]
    for path in filter(Path.is_file, files):  # shutil.copytree goes on where the disk is full
        copy = part / path.relative_to(built)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)  # with its time, by which Sphinx knows it
    if part.exists():
        preview.parent.mkdir(exist_ok=True)
        part.rename(preview)


def sizes(folder: Path, names: list[str]) -> str:
    """The sizes of pages, or of all chapters, in words.

    Raises
    ------
    errors.ChapterError
        If one of the pages, or any of the site, is larger than a page may be.
    """
    if large := too_large(folder, names):
        raise errors.ChapterError(f"more kB than a page may have: {', '.join(large)}")
    found = {name: kilobytes(folder / f"{name}.html") for name in names or chapters.chapters()}
    return "\npages in kB, with all that they load: " + ", ".join(
        f"{Path(name).name} {size}" for name, size in found.items())


def too_large(folder: Path, names=()) -> list[str]:
    """The pages, or of all those of the site, that are larger than they may be, in words."""
    home, found = chapters.pages()[0], []
    for path in [folder / f"{name}.html" for name in names] or sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        limit = HOME if name == home else KILOBYTES
        if (size := kilobytes(path)) > limit:
            found.append(f"{name} has {size} of {limit}")
    return found


def kilobytes(page: Path) -> int:
    """A page with its style sheet, scripts and pictures, uncompressed."""
    html = page.read_text("utf8")
    loaded = re.findall(r'<(?:(?:script|img)\b[^>]*? src|link rel="stylesheet" href)="([^"?#]+)', html)
    files = {(page.parent / name).resolve() for name in loaded}
    return round((page.stat().st_size + sum(map(_bytes, files))) / 1000)


@cache
def _bytes(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
