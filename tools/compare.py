"""Execute the notebooks that the site offers again, by nbval, and compare every output with what they show.

    python -m tools.compare                  # all of them, but those that have passed as they stand
    python -m tools.compare NOTEBOOK ...     # these, whether they have passed or not
    python -m tools.compare --anew           # all of them, and what is proved in them is proved again

A notebook has the cells of its page and shows what the page shows, with the numbers that its first cell gives
to equations; whether it does is looked at first.  What is executed is therefore both.
"""

import argparse
import ast
import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from proofread.testing.notebooks import kernels
from softmaxnotes.notebook import Numbers
from tools import settings, store
from tools.chapters import code_cells
from tools.digest import key
from tools.errors import ChapterError, told, writing
from tools.lock import locked

OFFERED = Path("_build/html/_sources")
RULES = Path(__file__).with_name("nbval.cfg")  # what may differ between two executions
# Options of its own: doctests, warnings and tests of pages are the business of the unit tests.  This module
# is a plugin, for the processes of pytest-xdist, too.
OPTIONS = ("-c", os.devnull, "--noconftest", "-p", "no:cacheprovider", "-q",
           "-p", "tools.compare", "--nbval", "--nbval-sanitize-with", str(RULES))


@told
def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--anew", action="store_true", help="also what is proved in them")
    asked = parser.parse_args(arguments)
    with locked(reading=True):
        paths = asked.notebooks or sorted((settings.ROOT / OFFERED).rglob("*.ipynb"))
        for path in paths:
            if not path.exists():
                raise ChapterError(f"there is no notebook {path}")
        stamps = {path.resolve(): stamp(path) for path in paths}
        if not (asked.notebooks or asked.anew):
            stamps = {path: stamp for path, stamp in stamps.items() if not stamp.exists()}
        for path in stamps:
            refuse_another(path)
        if not stamps:
            print("all notebooks have passed as they stand")
            return 0
        os.environ.update(settings.KERNEL_ENV)  # the kernels inherit it
        if not asked.anew:
            os.environ["PROOFREAD_VERDICTS"] = str(settings.verdicts())
        return _nbval(stamps)


def _nbval(stamps: dict[Path, Path]) -> int:
    # A notebook is one kernel, hence one worker.
    shared = ["-n", os.environ.get("JOBS", "auto"), "--dist", "loadfile"]
    shared += ["--color", "yes" if sys.stdout.isatty() else "no"]  # nbval knows no "auto"
    options = [*OPTIONS, "--rootdir", str(settings.ROOT), *shared]
    return pytest.main([*options, *map(str, stamps)], plugins=[Stamps(stamps)])


def stamp(path: Path) -> Path:
    """The file that says that a notebook has passed: by all that decides what its cells print, and show."""
    notebook = nbformat.read(path, as_version=4)
    cells = [(cell.source, cell.outputs) for cell in code_cells(notebook)]
    digest = hashlib.sha256(f"{path}{key(notebook)}{json.dumps(cells)}".encode())
    for file in (RULES, Path(__file__)):
        digest.update(file.read_bytes())
    return settings.ROOT / "_build/compared" / digest.hexdigest()[:32]


class Stamps:
    """Leaves a stamp for each notebook of which every cell has passed."""

    def __init__(self, stamps: dict[Path, Path]):
        self.stamps, self.failed = stamps, set()
        self.cells = {path: len(code_cells(nbformat.read(path, as_version=4))) for path in stamps}
        self.ended = Counter()

    def pytest_runtest_logreport(self, report):
        path = settings.ROOT / report.nodeid.partition("::")[0]
        self.ended[path] += report.when == "teardown"
        if report.failed:
            self.failed.add(path)

    def pytest_sessionfinish(self):
        for path, stamp in self.stamps.items():
            if self.ended[path] == self.cells[path] and path not in self.failed:
                with writing(stamp):
                    stamp.parent.mkdir(parents=True, exist_ok=True)
                    stamp.touch()


def pytest_configure():
    """Have the kernels remember their cells, and speak to them as the build does: nbval asks for neither.

    nbval has executed them without history since 0.10, so that IPython does not see the semicolon that ends
    the last line, and shows the value that it is to keep back.  Upstream it is an open issue of
    computationalmodelling/nbval: "#194: 0.10.0 release captures output even when ';' is present".
    """
    from nbval import kernel

    manager = kernel.KernelManager
    kernel.KernelManager = lambda **asked: manager(config=kernels(), **asked)
    kernel.RunningKernel.execute_cell_input = lambda self, code, allow_stdin=None: self.kc.execute(
        code, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    """Show what a cell wrote to stderr: nbval says only that it did."""
    if call.when == "call":
        for output in item.test_outputs or ():
            if output.get("name") == "stderr":
                item.add_report_section("call", "stderr", output.text)


# --- Whether a notebook is that of its page ---------------------------------------------------------


def refuse_another(path: Path) -> None:
    """Refuse a notebook of the site that has not the cells of its page, or shows something else.

    Raises
    ------
    ChapterError
        Naming the first such cell, by the number that nbval gives it.
    """
    _, offered, name = path.as_posix().rpartition(f"/{OFFERED.name}/")
    page = store.stored(name.removesuffix(".ipynb")) if offered else None
    if page is None:  # it is none of the site
        return
    cells, shown = code_cells(nbformat.read(path, as_version=4)), code_cells(page)
    before = len(cells) - len(shown)
    if before < 1:
        raise ChapterError(f"{path} has {len(cells)} code cells, expected {len(shown) + 1}: one that numbers "
                           "equations, and those of the page")
    numbers = _numbers(cells[before - 1].source)
    for number, (cell, its) in enumerate(zip(cells[before:], shown), start=before):
        if cell.source != its.source:
            raise ChapterError(f"{path}: Cell {number} is not the cell of the page, which says\n{its.source}")
        given = [output.get("data", output) for output in cell.outputs]
        expected = [numbers.rewrite(output["data"]) if "data" in output else output for output in its.outputs]
        if given != expected:
            raise ChapterError(f"{path}: Cell {number} does not show what the page shows:\n{its.source}")


def _numbers(code: str) -> Numbers:
    """Those that a cell gives to the equations of a notebook."""
    call = ast.parse(code).body[-1].value
    return Numbers(*map(ast.literal_eval, call.args),
                   **{given.arg: ast.literal_eval(given.value) for given in call.keywords})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
