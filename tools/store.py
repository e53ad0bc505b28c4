"""What the chapters printed, kept until something changes that can change it.

The outputs of a chapter live in ``_build/executed/<docname>.ipynb`` together with its key (`digest`).  A
chapter whose key is unchanged is not run again.
"""

from __future__ import annotations

import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

from proofread.ledger import METADATA, Entry
from tools import digest, run, settings
from tools.chapters import code_cells, read
from tools.errors import ChapterError, writing

STATES_KEPT = 3  # states of the code whose verdicts are kept


def stored(docname: str):
    """The executed notebook in the store, stale or not; None if there is none."""
    import nbformat

    path = settings.STORE / f"{docname}.ipynb"
    # our own file: validating it again would take longer than all the rest of an idle build
    try:
        return nbformat.v4.reads(path.read_text("utf8"))
    except (FileNotFoundError, ValueError):  # what is no notebook was not written by us
        return None


def fresh(docname: str):
    """The executed notebook in the store if it is up to date, else None."""
    notebook = stored(docname)
    if notebook is None or notebook.metadata[settings.PACKAGE]["key"] != digest.key(read(docname)):
        return None
    return notebook


def executed(docname: str):
    """The executed notebook of a chapter, executed now if it has to be."""
    return fresh(docname) or again(docname)


def entries(notebook) -> list[Entry]:
    """What the cells of an executed notebook declare of their outputs, and at the end what was found of its
    sentences; what is no entry is an error."""
    declared = [output.metadata[METADATA] for cell in code_cells(notebook)
                for output in cell.get("outputs", []) if METADATA in output.get("metadata", {})]
    declared += notebook.get("metadata", {}).get(settings.PACKAGE, {}).get("sentences", [])
    return [Entry.read(dict(found)) for found in declared]


def again(docname: str, *, running: list | None = None, unseen: dict[int, str] | None = None):
    """Execute a chapter; keep the outputs, or compare with those that are kept and up to date (`compare`).

    Raises
    ------
    ChapterError
        If a cell fails, or a value or the evidence of an output is not that which is kept.
    """
    import nbformat

    notebook = read(docname)
    key, kept = digest.key(notebook), fresh(docname)
    seconds, values, found = run.run(docname, notebook, running, unseen)
    if kept:
        compare(docname, kept, notebook, values)
        return kept
    notebook.metadata[settings.PACKAGE] = {
        "key": key, "seconds": seconds, "values": values, "sentences": found}
    _write(settings.STORE / f"{docname}.ipynb", nbformat.writes(notebook))
    return notebook


def compare(docname: str, kept, notebook, values: dict[str, dict]) -> None:
    """Refuse what nbval does not see: other values in the text than those kept, and other evidence.

    Raises
    ------
    ChapterError
        Naming the expression that is something else, or the first cell with other evidence.
    """
    for expression, before in kept.metadata[settings.PACKAGE]["values"].items():
        if before != values[expression]:
            now = values[expression]
            raise ChapterError(f"{docname}.md: {{eval}}`{expression}` has not again the value that is "
                               f"published:\n  published {before['data']}\n  now       {now['data']}")
    for number, pair in enumerate(zip(code_cells(kept), code_cells(notebook), strict=True), start=1):
        before, now = map(_evidence, pair)
        if before != now:
            line = next((text for text in pair[0].source.splitlines() if text.strip()), "")
            raise ChapterError(f"{docname}.md: code cell {number} has not again the evidence that is "
                               f"published: {line}\n  published {before}\n  now       {now}")


def _evidence(cell) -> list[dict]:
    """What the outputs of a cell declare, but for the time that it took."""
    declared = [dict(output.get("metadata", {}).get(METADATA, {})) for output in cell.outputs]
    return [{name: value for name, value in found.items() if name != "seconds"} for found in declared]


# --- Many at a time -----------------------------------------------------------------


def execute(docnames: list[str], *, jobs: int | None = None, say=print) -> None:
    """Bring the store up to date for these chapters.

    Raises
    ------
    ChapterError
        With one paragraph for each chapter that failed; the others are stored.
    """
    _forget_old_verdicts()
    stale = [name for name in docnames if fresh(name) is None]
    failures, running = [], []
    width = max(map(len, stale), default=0)
    with ThreadPoolExecutor(jobs or cores()) as pool:
        work = {pool.submit(again, name, running=running): name for name in stale}
        try:
            for number, future in enumerate(as_completed(work), start=1):
                head = f"[{number}/{len(stale)}] {work[future]:{width}}"
                try:
                    say(f"{head}  {_summary(future.result())}")
                except ChapterError as error:
                    failures.append(str(error))
                    say(f"{head}  FAILED")
        except KeyboardInterrupt:
            # What is finished is stored; the kernels that still run would keep us waiting.
            pool.shutdown(wait=False, cancel_futures=True)
            for client in running:
                client.km.provisioner.process.kill()
            raise
    if failures:
        raise ChapterError("\n\n".join(failures))


def cores() -> int:
    """Those that this process may use, or as many as JOBS says."""
    if given := os.environ.get("JOBS"):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _summary(notebook) -> str:
    checks = sum(entry.seconds for entry in entries(notebook))
    seconds = notebook.metadata[settings.PACKAGE]["seconds"]
    return f"{len(code_cells(notebook)):3} cells, {seconds:5.1f} s of computing, checks {checks:5.1f} s"


def _forget_old_verdicts() -> None:
    """Keep what the last states of the code have decided."""
    folders = sorted(settings.verdicts().glob("*"), key=lambda folder: folder.stat().st_mtime)
    for folder in folders[:-STATES_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, text: str) -> None:
    """Write all or nothing, so that an interruption at any moment leaves no half file.

    Raises
    ------
    ChapterError
        If there is no room for it, or no right to write it.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    with writing(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, "utf8")
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise
