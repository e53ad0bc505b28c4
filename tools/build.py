"""Execute what is stale, then build the site.

    python -m tools.build                          # the book, into _build/html; warnings are errors
    python -m tools.build book/softmax/numerics    # a preview of this chapter, the others as they are
"""

import os
import sys
from pathlib import Path

from tools import execute

MEGABYTES = 2.5  # that a page may have, without its pictures


def main(names: list[str]) -> int:
    try:
        with execute.locked():
            return execute.main(names) or site(names)
    except execute.ChapterError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1


def site(names: list[str]) -> int:
    """Build the pages from what is kept of the chapters."""
    os.environ["SOFTMAXNOTES_ONLY"] = " ".join(names)
    options = ["--path-output", "_build/preview"] if names else ["-W", "-n", "--keep-going"]
    folder = execute.ROOT / ("_build/preview/_build/html" if names else "_build/html")

    from jupyter_book.cli.main import main as jupyter_book

    try:
        jupyter_book(["build", str(execute.ROOT), "--quiet", *options], standalone_mode=False)
    except RuntimeError:
        # Sphinx has said what is wrong; a traceback through Jupyter Book would bury it.
        print("\nthe site was not built: see the warnings and errors above", file=sys.stderr)
        return 1
    print(sizes(folder, names or execute.chapters()))
    print(f"The book is in {folder / (names[0] if names else 'index')}.html")
    return 0


def sizes(folder: Path, names: list[str]) -> str:
    """The sizes of pages, in words.

    Raises
    ------
    execute.ChapterError
        If a page is larger than a page may be.
    """
    found = {name: (folder / f"{name}.html").stat().st_size / 1e6 for name in names}
    if large := [f"{name} has {size:.1f}" for name, size in found.items() if size > MEGABYTES]:
        raise execute.ChapterError(f"a page may have {MEGABYTES} MB: {', '.join(large)}")
    return "\npages in MB: " + ", ".join(f"{Path(name).name} {size:.1f}" for name, size in found.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
