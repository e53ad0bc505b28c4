"""What a page will say of answers is tried before the page offers them: in the very files that it loads.

What the browser's Python says has to be what the notebook's says: of each exercise right answers and wrong
ones, of some lines of each chapter the line as it stands and a wrong version.  A build goes on where a page
would leave a line undecided; it does not where all lines are tried, which takes a quarter of an hour:

    python -m tools.checker.trial
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tools import chapters, store
from tools.errors import ChapterError

from . import archive, export, packages

TOGETHER = 4  #: chapters that one Python judges, which takes three seconds to begin
SOME = 2  #: lines of a chapter that each build tries; which ones changes with the chapter


def try_all(files: Path, docnames: list[str], say=print, some: int | None = SOME, address: str = "") -> None:
    """Judge the exercises, and some lines, of those chapters that have not passed with these files.

    With ``some=None`` all lines of all these chapters; with an address also what needs `packages`.

    Raises
    ------
    ChapterError
        Naming each answer of which the page would say something else than the notebook.
    """
    given = packages.fetched(address) if address else {}
    passed, pages = _passed(files, address), {docname: export.exercises(docname) for docname in docnames}
    new = [docname for docname, page in pages.items()
           if page.get("data") and (some is None or passed.get(docname) != page["key"])]
    if not new:
        return
    say(f"exercises and lines of {len(new)} chapters are judged as their pages will do it: some seconds each")
    asked = {docname: [*_answers(pages[docname], address), *_lines(pages[docname], some)] for docname in new}
    groups, wrong = [new[at:at + TOGETHER] for at in range(0, len(new), TOGETHER)], []
    with ThreadPoolExecutor(store.cores()) as pool:
        work = {pool.submit(verdicts, files, [(pages[name]["data"], asked[name]) for name in group], given):
                group for group in groups}
        for future in as_completed(work):
            said = iter(future.result())
            for docname in work[future]:
                faults, less = _compared(asked[docname], said)
                if some is None:
                    faults += less
                else:
                    for fault in less:
                        say(f"{docname}.md: {fault}")
                wrong += [f"{docname}.md: {fault}" for fault in faults]
                if not faults:
                    passed[docname] = pages[docname]["key"]
            _record(files, address).write_text(json.dumps(passed), "utf8")  # it need not be done again
    if wrong:
        raise ChapterError("\n".join(wrong))
    can = sum(len(changeable(page)) for page in pages.values())
    derived = sum(len(page.get("lines", ())) for page in pages.values())
    say(f"{can} of {derived} derived lines can be changed on their pages")


def changeable(page: dict) -> dict[str, dict]:
    """The lines of a chapter that its page may offer, by their labels."""
    return {line["label"]: line for line in page.get("lines", ()) if "text" in line}


def _answers(page: dict, address: str) -> list:
    """Of the answers to exercises: label, text, how they are judged, status, and a hint."""
    offered = {one["label"] for one in packages.offered(page, address)}
    return [(label, text, "judge", status, hint) for label, text, status, hint in page["trials"]
            if label in offered]


def _lines(page: dict, some: int | None) -> list:
    """The same of some lines, each as it stands and wrong."""
    def drawn(line):
        return hashlib.sha256(f"{page['key']} {line['label']}".encode()).digest()
    lines = sorted(changeable(page).values(), key=drawn)[:some]
    return [(line["label"], text, "judge_soon", status, "") for line in lines
            for text, status in ((line["text"], "proved"), (line["wrong"], line["status"]))]


def _compared(asked: list, said) -> tuple[list[str], list[str]]:
    """What the page says otherwise than the notebook, in words; where it decides less of a line."""
    faults, less = [], []
    for (label, text, how, status, hint), found in zip(asked, said):
        if found["status"] != status or hint not in found["text"]:
            decided = how == "judge" or {found["status"], status} == {"proved", "refuted"}
            (faults if decided else less).append(
                f"{label}: of `{text}` the page says {found['status']}: {found['text']}\n"
                f"  and the notebook {status}{hint and f': {hint}'}")
    return faults, less


def verdicts(files: Path, asked: list, given: dict[str, str] | None = None) -> list[dict]:
    """What the worker of a page says: asked are pairs of a page's data and a list of answers, each with its
    label, its text, and how it is judged; given are the files of all `packages`, if there are any."""
    pages = [{"data": data, "answers": [answer[:3] for answer in answers]} for data, answers in asked]
    whole = {"pages": pages, "packages": packages.listed() if given else {}, "given": given or {}}
    return json.loads(archive.node("trial.mjs", files, input=json.dumps(whole)))


def _record(files: Path, address: str) -> Path:
    return files / f"passed{'-with-packages' * bool(address)}.json"


def _passed(files: Path, address: str) -> dict[str, str]:
    """Of each chapter that has passed with these files its key."""
    record = _record(files, address)
    return json.loads(record.read_text("utf8")) if record.exists() else {}


if __name__ == "__main__":
    try_all(archive.made(), chapters.chapters(), some=None)
