"""Every exercise is judged as its page does it, before the page offers it: in the very files that it loads.

What the browser's Python says has to be what the notebook's says, of right answers and of wrong ones.
"""

from __future__ import annotations

import json
from pathlib import Path

from tools.errors import ChapterError

from . import archive, export


def try_all(files: Path, docnames: list[str], say=print) -> None:
    """Judge the exercises of those chapters that have not passed with these files as they stand.

    Raises
    ------
    ChapterError
        Naming each answer of which the page would say something else than the notebook.
    """
    record = files / "passed.json"
    passed = json.loads(record.read_text("utf8")) if record.exists() else {}
    pages = {docname: export.exercises(docname) for docname in docnames}
    new = {docname: page for docname, page in pages.items()
           if page.get("trials") and passed.get(docname) != page["key"]}
    if not new:
        return
    say(f"exercises of {len(new)} chapters are judged as their pages will do it")
    said = iter(verdicts(files, [(page["data"], [trial[:2] for trial in page["trials"]])
                                 for page in new.values()]))
    wrong = [f"{docname}.md: {label}: of `{text}` the page says {found['status']}: {found['text']}\n"
             f"  and the notebook {status}{hint and f': {hint}'}"
             for docname, page in new.items() for label, text, status, hint in page["trials"]
             if (found := next(said))["status"] != status or hint not in found["text"]]
    if wrong:
        raise ChapterError("\n".join(wrong))
    record.write_text(json.dumps(passed | {docname: page["key"] for docname, page in new.items()}), "utf8")


def verdicts(files: Path, asked: list) -> list[dict]:
    """What the worker of a page says: asked are pairs of a page's data and a list of labels with answers."""
    pages = [{"data": data, "answers": answers} for data, answers in asked]
    return json.loads(archive.node("trial.mjs", files, input=json.dumps(pages)))
