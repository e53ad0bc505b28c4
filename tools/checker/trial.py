"""Every exercise and every line is judged as its page does it, before the page offers it: in the very files
that it loads.

What the browser's Python says has to be what the notebook's says, of right answers and of wrong ones, of
lines as they stand and of wrong versions.  A line of which it cannot say it soon is not offered.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tools import store
from tools.errors import ChapterError

from . import archive, export

TOGETHER = 4  #: chapters that one Python judges, which takes three seconds to begin


def try_all(files: Path, docnames: list[str], say=print) -> None:
    """Judge the exercises and lines of those chapters that have not passed with these files as they stand.

    Raises
    ------
    ChapterError
        Naming each answer of which the page would say something else than the notebook.
    """
    passed, pages = _passed(files), {docname: export.exercises(docname) for docname in docnames}
    new = [docname for docname, page in pages.items()
           if page.get("data") and passed.get(docname, {}).get("key") != page["key"]]
    if not new:
        return
    say(f"exercises and lines of {len(new)} chapters are judged as their pages will do it: some seconds each")
    groups, wrong = [new[at:at + TOGETHER] for at in range(0, len(new), TOGETHER)], []
    with ThreadPoolExecutor(store.cores()) as pool:
        work = {pool.submit(verdicts, files, [asked(pages[name]) for name in group]): group
                for group in groups}
        for future in as_completed(work):
            said = iter(future.result())
            for docname in work[future]:
                faults, without = _compared(pages[docname], said)
                wrong += [f"{docname}.md: {fault}" for fault in faults]
                if not faults:
                    passed[docname] = {"key": pages[docname]["key"], "without": without}
            _record(files).write_text(json.dumps(passed), "utf8")  # what is done need not be done again
    if wrong:
        raise ChapterError("\n".join(wrong))
    can = sum(len(changeable(files, docname)) for docname in docnames)
    derived = sum(len(page.get("lines", ())) for page in pages.values())
    say(f"{can} of {derived} derived lines can be changed on their pages")


def changeable(files: Path, docname: str) -> dict[str, dict]:
    """The lines of a chapter that its page may offer, by their labels: those that have passed."""
    page, passed = export.exercises(docname), _passed(files).get(docname, {})
    lines = page.get("lines", ()) if passed.get("key") == page.get("key") else ()
    return {line["label"]: line for line in lines
            if "text" in line and line["label"] not in passed["without"]}


def asked(page: dict) -> tuple[str, list]:
    """What is asked of a chapter: its data, and labels with answers."""
    lines = [(line["label"], text, "judge_soon") for line in page["lines"] if "text" in line
             for text in (line["text"], line["wrong"])]
    return page["data"], [*(trial[:2] for trial in page["trials"]), *lines]


def _compared(page: dict, said) -> tuple[list[str], dict[str, str]]:
    """What the page says otherwise than the notebook, in words; the lines of which it says less."""
    faults, without = [], {}
    for label, text, status, hint in page["trials"]:
        found = next(said)
        if found["status"] != status or hint not in found["text"]:
            faults.append(f"{label}: of `{text}` the page says {found['status']}: {found['text']}\n"
                          f"  and the notebook {status}{hint and f': {hint}'}")
    for line in page["lines"]:
        expected = [(line["text"], "proved"), (line["wrong"], line["status"])] if "text" in line else []
        for text, status in expected:
            found = next(said)
            if {found["status"], status} == {"proved", "refuted"}:
                faults.append(f"{line['label']}: of `{text}` the page says {found['status']}: "
                              f"{found['text']}\n  and the notebook {status}")
            elif found["status"] != status:
                without[line["label"]] = found["text"]
    return faults, without


def verdicts(files: Path, asked: list) -> list[dict]:
    """What the worker of a page says: asked are pairs of a page's data and a list of labels with answers."""
    pages = [{"data": data, "answers": answers} for data, answers in asked]
    return json.loads(archive.node("trial.mjs", files, input=json.dumps(pages)))


def _record(files: Path) -> Path:
    return files / "passed.json"


def _passed(files: Path) -> dict:
    """What has passed with these files: of each chapter its key, and why which lines cannot be changed."""
    return json.loads(_record(files).read_text("utf8")) if _record(files).exists() else {}
