"""The exercises and derivations of a chapter, taken out of it with all that judging needs.

    python -m tools.checker.export                   # keep which lines are offered, of all chapters
    python -m tools.checker.export softmax/numerics  # of this one

A chapter that is up to date is not executed again for this: only those statements are run, in a process of
their own, on which an exercise, a derivation or a definition rests.  Each exercise is then asked what the
chapter knows of it: the answer is right, each wrong answer has its hint.  Each line is proved as it stands,
and a wrong version of it is not.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import build, chapters, settings, store
from tools.chapters import code_cells
from tools.errors import ChapterError, told

from . import kept
from .programs import programs
from .slices import CLAIMS, calls, rests_on

PLAIN = {"SYMPY_GROUND_TYPES": "python", "MPMATH_NOGMPY": "1"}  #: numbers as in the browser


def folder() -> Path:
    return settings.STORE.parent / "exercises"


# --- Taking them ------------------------------------------------------------------------------------------


def exercises(docname: str) -> dict:
    """What a page needs to judge the answers to its exercises, those that are formulas, and changed lines.

    ``{}`` if there is nothing.  ``data`` is for `judging.Page`; ``exercises`` tells of each its label, how
    many formulas are asked for and in which symbols; ``trials`` tell of answers what is to be said: label,
    answer, status, and a hint.  ``lines`` tell of each its label, as ``eq-label/2``, the text with which it
    opens and a wrong one with its status, or ``why`` it cannot be changed; ``displayed`` is the TeX of each
    derivation.
    """
    path = folder() / f"{docname}.json"
    found = json.loads(path.read_text("utf8")) if path.exists() else {}
    return found if found.get("key", "").endswith(kept.way()) else {}  # of an earlier way, in a preview


def update(docnames: list[str], say=print) -> None:
    """Take the exercises of all chapters whose notebook, or whose way of being judged, has changed.

    Raises
    ------
    ChapterError
        With one paragraph for each chapter that has an exercise which cannot be judged outside of it.
    """
    failures, stale = [], []
    for docname in docnames:
        if (notebook := store.stored(docname)) and exercises(docname).get("key") != _key(notebook):
            stale.append((docname, notebook))
    if stale:
        say(f"exercises and derivations of {len(stale)} chapters are taken out of their notebooks: "
            "some seconds each")
    jobs = store.cores()
    with ThreadPoolExecutor(jobs) as pool:
        for troubles in pool.map(_take, (stale[job::jobs] for job in range(jobs))):
            failures += troubles
    if failures:
        raise ChapterError("\n\n".join(failures))


def _key(notebook) -> str:
    return notebook.metadata[settings.PACKAGE]["key"][:32] + kept.way()


def _take(stale: list) -> list[str]:
    """Write what chapters have, each as soon as it is known; what is wrong, in words."""
    asked, keys, failures = [], {}, []
    for docname, notebook in stale:
        cells, code = _cells(notebook), statements(notebook)
        labels = _labels("\n".join(cells))
        if labels or CLAIMS & calls(ast.parse(code)):
            keys[docname] = _key(notebook)
            asked.append({"docname": docname, "code": code, "labels": labels, "programs": programs(cells),
                          "lines": kept.lines(docname, code)})
        else:
            _write(docname, {"key": _key(notebook)})
    for docname, made in _told(asked) if asked else ():
        key = keys.pop(docname)
        if "trouble" in made:
            failures.append((docname, made["trouble"]))
        else:
            _write(docname, {"key": key} | made)
    failures += [(docname, "the process ended by itself") for docname in keys]
    return [f"{docname}.md: its exercises and lines cannot be judged on the page: {why}"
            for docname, why in failures]


def _told(asked: list[dict]) -> Iterator:
    """What `taken` says of chapters, by their names."""
    environment = {**os.environ, **settings.KERNEL_ENV, **PLAIN,
                   "PROOFREAD_VERDICTS": str(settings.verdicts())}
    with tempfile.TemporaryFile("w+", encoding="utf8") as given:
        json.dump(asked, given)
        given.seek(0)
        with subprocess.Popen([sys.executable, "-m", "tools.checker.taken"], stdin=given, text=True,
                              stdout=subprocess.PIPE, env=environment, cwd=settings.ROOT) as taken:
            yield from map(json.loads, taken.stdout)


def _write(docname: str, made: dict) -> None:
    path = folder() / f"{docname}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(made, ensure_ascii=False), "utf8")
    part.replace(path)


def statements(notebook) -> str:
    """Those of a chapter on which its exercises, derivations and definitions rest."""
    return rests_on("\n".join(_cells(notebook)))


def _cells(notebook) -> list[str]:
    return [cell.source for cell in code_cells(notebook) if _is_python(cell.source)]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:  # a magic of IPython
        return False
    return True


def _labels(code: str) -> list[str]:
    """The labels of exercises whose answer is a formula."""
    return [ast.literal_eval(node.args[0]) for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Exercise"]


@told
def main(names: list[str]) -> int:
    """Keep which lines of some chapters are offered."""
    asked = build.known(names) or chapters.chapters()
    store.execute(asked)
    update(asked)
    for docname in asked:
        if found := exercises(docname).get("lines"):
            kept.keep(docname, statements(store.stored(docname)), found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
