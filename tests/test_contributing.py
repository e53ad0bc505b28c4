"""CONTRIBUTING.md: its chapter from nothing is a chapter, and what must not pass on it does not."""

import re

import pytest
from chapters.falsification import Falsified
from chapters.rehearsal import run_cell
from chapters.test_sources import FRONT_MATTER

from softmaxnotes import entries
from softmaxnotes.proof import Refuted
from tools import execute

TEXT = (execute.ROOT / "CONTRIBUTING.md").read_text("utf8")
EXERCISE, CHAPTER = re.findall(r"````md\n(.*?)````", TEXT, re.DOTALL)
PAGE = re.search(r"```python\nPAGE = (.*?)```", TEXT, re.DOTALL)[1]
FALSIFIED = eval(PAGE, {"Page": lambda chapter, falsified: falsified, "Falsified": Falsified,
                        "Refuted": Refuted})


@pytest.fixture(autouse=True)
def own_ledger(monkeypatch):
    monkeypatch.setattr(entries, "_current", entries.Ledger())


def run(right="", wrong=""):
    *cells, last = execute.code_cells(execute.read("page", FRONT_MATTER + CHAPTER))
    exercise = execute.code_cells(execute.read("page", FRONT_MATTER + EXERCISE))
    names = {}
    for number, cell in enumerate([*cells, *exercise, last], 1):
        run_cell("page", number, cell.source.replace(right, wrong), names)


def test_the_chapter_runs():
    run()


@pytest.mark.parametrize("falsified", FALSIFIED, ids=str)
def test_the_chapter_made_wrong_fails(falsified):
    assert CHAPTER.count(falsified.right) == 1
    with pytest.raises(falsified.failure, match=falsified.says or None):
        run(falsified.right, falsified.wrong)
