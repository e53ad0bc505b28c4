"""All tests of one chapter: style, source, modules, experiments, page, the page in a browser, notebook.

    python -m tools.check softmax/numerics
"""

import os
import subprocess
import sys
from pathlib import Path

from tools import build, chapters, digest, settings
from tools.errors import ChapterError, told

PREVIEW = "_build/preview/_build/html"


@told
def main(names: list[str]) -> int:
    if len(names) != 1:
        raise ChapterError("which one? make check NAME=softmax/numerics")
    (page,) = build.known(names)
    jobs = os.environ.get("JOBS", "auto")
    tests = ["pytest", "-q", "-n", jobs, "--dist"]
    site = ["tests/site/test_pages.py", "tests/site/test_interactive.py", "tests/site/test_slides.py"]
    sources = ["tests/test_sources.py", "tests/test_vocabulary.py"]
    own = [str(path.relative_to(settings.ROOT)) for path in files(page)]
    steps = [
        ["ruff", "check", "--quiet", *own],
        [*tests, "loadfile", *sources, "-k", f"{page}] or references"],
        [*tests, "loadfile", "--slow", "tests/test_signatures.py", *own],
        ["tools.build", page],
        [*tests, "loadgroup", *site, "-k", chosen(page)],
        ["tools.compare", f"{PREVIEW}/_sources/{page}.ipynb"],
    ]
    environment = {**os.environ, "SOFTMAXNOTES_SITE": PREVIEW, "JOBS": "1"}  # one chapter is one kernel
    codes = (subprocess.call([sys.executable, "-m", *step], cwd=settings.ROOT, env=environment)
             for step in steps)
    return next(filter(None, codes), 0)


def files(page: str) -> list[Path]:
    """The modules of a chapter and those of its part that its page takes names from, and the tests of all,
    of what its part refuses, too."""
    name = page.removeprefix("book/")
    part, _, last = name.rpartition("/")
    code = "\n".join(cell.source for cell in chapters.code_cells(chapters.read(page)))
    used = digest.taken_from(f"softmaxnotes.{part}", code) if part else set()
    experiments = settings.ROOT / "softmaxnotes/experiments"
    tests = settings.ROOT / "tests" / part
    found = {
        *used, settings.ROOT / f"softmaxnotes/{name}.py", experiments / f"{name}.py",
        *(experiments / name).glob("*.py"), *(tests / f"test_{module.stem}.py" for module in used),
        tests / f"test_{last}.py", tests / f"test_{last}_page.py", tests / f"test_{part}_refusals.py"}
    return sorted(filter(Path.exists, found))


def chosen(page: str) -> str:
    """What of the tests of the site is about a page, or a figure with knobs on it."""
    figures = sorted((settings.ROOT / "tests/site/figures").glob("*.py"))
    knobs = [path.stem for path in figures if f'\nPAGE = "{page}"\n' in path.read_text("utf8")]
    return " or ".join(f"{name}{end}" for name in (page, *(f"[{knob}" for knob in knobs)) for end in "]-")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
