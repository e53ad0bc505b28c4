"""JupyterLab on this book: copies of its notebooks, as the site offers them.

    python -m tools.lab [options of jupyter lab]

The copies are in ``notebooks``, and what is done to them changes no source.  A copy in which a cell was
edited is kept; the others follow the book.  Jupytext, which opens a chapter itself as a notebook, would show
its roles and directives as they are typed, and no outputs.
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat

from tools.errors import told, writing
from tools.lock import locked
from tools.settings import PROCESS_ENV, ROOT, verdicts

DOWNLOADS = ROOT / "_build" / "html" / "_sources" / "book"
COPIES = ROOT / "notebooks"
# No news; and every cell is drawn, for links lead to them.
CONFIG = ROOT / "tools" / "jupyter"


def refresh(folder: Path, downloads: Path = DOWNLOADS) -> list[str]:
    """Bring the copies up to date; the names of those that are kept because they were edited."""
    record = folder / ".written.json"
    known = json.loads(record.read_text("utf8")) if record.exists() else {}
    kept = []
    for path in sorted(downloads.rglob("*.ipynb")):
        name = path.relative_to(downloads).as_posix()
        copy = folder / name
        if copy.exists() and cells(copy) not in (known.get(name), cells(path)):
            kept.append(name)
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        known[name] = cells(copy)
    record.write_text(json.dumps(known), "utf8")
    return kept


def cells(path: Path) -> str:
    """What a reader may have edited in a notebook; that it was run changes nothing in it."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception:  # it is no notebook any more, and not ours to overwrite
        return "unreadable"
    parts = [(cell.cell_type, cell.source) for cell in notebook.cells]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def environment() -> dict[str, str]:
    """What JupyterLab is started with: our settings before the reader's, and the verdicts of checks that
    were made here before, which need not be found again."""
    paths = filter(None, [str(CONFIG), os.environ.get("JUPYTER_CONFIG_PATH")])
    return {**os.environ, **PROCESS_ENV, "PYTHONHASHSEED": "0", "PROOFREAD_VERDICTS": str(verdicts()),
            "JUPYTER_CONFIG_PATH": os.pathsep.join(paths)}


@told
def main(options: list[str], folder: Path = COPIES) -> int:
    with locked(reading=True), writing(folder):
        folder.mkdir(exist_ok=True)
        edited = refresh(folder)
    for name in edited:
        print(f"{folder.name}/{name} has your changes, and stays as it is; remove it to get the book's")
    return subprocess.call([
        sys.executable, "-m", "jupyterlab", f"--notebook-dir={folder}",
        "--LabApp.default_url=/lab/tree/intro.ipynb",
        f"--LabApp.workspaces_dir={folder / '.workspaces'}",  # what was open here before
        *options], env=environment())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
