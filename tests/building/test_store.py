"""The store of outputs: what is kept, what is compared with it, and what an interruption leaves."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import nbformat
import pytest
from example_pages import CHAPTER

from proofread.decision.cache import kept
from proofread.ledger import METADATA
from tools import chapters, errors, execute, lock, run, settings, store
from tools.settings import ROOT


def test_what_was_executed_is_not_executed_again(tree):
    (tree / "demo/deep.py").write_text("value = 3")
    said = []
    store.execute(["page"], say=said.append)
    store.execute(["page"], say=said.append)
    assert len(said) == 1
    assert chapters.code_cells(store.fresh("page"))[0].outputs[0].data["text/plain"] == "3"


def test_a_value_that_changes_by_itself_is_noticed(tree):
    text = CHAPTER.replace("== 3", "== 2").replace("Text.", "{eval}`__import__('time').time()`")
    (tree / "page.md").write_text(text)
    store.executed("page")
    with pytest.raises(errors.ChapterError, match="has not again the value that is published"):
        store.again("page")


def test_evidence_is_compared_and_what_it_cost_is_not():
    def declaring(**found):
        output = nbformat.v4.new_output("display_data", {"text/plain": "shown alike"},
                                        metadata={METADATA: found})
        cells = [nbformat.v4.new_code_cell("claim()", outputs=[output])]
        return nbformat.v4.new_notebook(cells=cells, metadata={settings.PACKAGE: {"values": {}}})

    kept = declaring(status="proved", seconds=1.0)
    store.compare("page", kept, declaring(status="proved", seconds=2.0), {})
    with pytest.raises(errors.ChapterError, match=r"code cell 1 has not again the evidence .*: claim\(\)"):
        store.compare("page", kept, declaring(status="argued", seconds=1.0), {})


def test_killed_at_any_moment_the_store_is_as_before_or_complete(tree, there):
    (tree / "demo/deep.py").write_text("import time\ntime.sleep(0.2)\nvalue = 3")
    program = there + "from tools import execute; execute.main(['page'])"
    for seconds in (0.5, 1.5, 2.5):
        process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert store.stored("page") is None or store.fresh("page")
    assert execute.main(["page"]) == 0
    assert store.fresh("page")


# A process that kills itself when half a file is written, and before the file takes the place of the old one.
KILLED = {
    "half": """import os, signal
from pathlib import Path
real = Path.write_text
def write_text(path, text, *options):
    real(path, text[:len(text) // 2], *options)
    os.kill(os.getpid(), signal.SIGKILL)
Path.write_text = write_text
""",
    "before it is there": """import os, signal
from pathlib import Path
Path.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
"""}


def killed(moment, program, **environment):
    """Run a program that is killed when it writes."""
    process = subprocess.Popen([sys.executable, "-c", KILLED[moment] + program], cwd=ROOT,
                               env={**os.environ, **environment}, start_new_session=True)
    assert process.wait() == -signal.SIGKILL
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # its kernels


def swept(folder, monkeypatch):
    """Parts are left by others who still write, or who were killed: an hour later by the latter."""
    (part,) = folder.glob("**/*.part")
    with lock.locked():
        assert part.exists()
    with monkeypatch.context() as patch:
        patch.setattr(lock, "ABANDONED", -1)
        with lock.locked():
            return not part.exists()


@pytest.mark.parametrize("moment", KILLED)
def test_killed_when_it_writes_a_chapter(tree, there, moment, monkeypatch):
    monkeypatch.setattr(run, "run", lambda *_: (0, {}, []))
    for value in (3, 4):  # without an older file, and with one
        (tree / "demo/deep.py").write_text(f"value = {value}")
        (tree / "page.md").write_text(CHAPTER.replace("== 3", f"== {value}"))
        before = store.stored("page")
        killed(moment, f"""{there}from tools import execute, run
run.run = lambda *_: (0, {{}}, [])
execute.main(['page'])
""")
        assert store.stored("page") == before and not store.fresh("page")
        assert swept(settings.STORE, monkeypatch)
        assert execute.main(["page"]) == 0 and store.fresh("page")


@pytest.mark.parametrize("moment", KILLED)
def test_killed_when_it_writes_a_verdict(tree, moment, monkeypatch):
    folder = settings.STORE.parent / "verdicts"
    monkeypatch.setenv("PROOFREAD_VERDICTS", str(folder))
    monkeypatch.delenv("PROOFREAD_FRESH_SEED", raising=False)
    killed(moment, "from proofread.decision.cache import kept\nkept('sum', (1, 2), lambda: {'sum': 3})\n")
    assert kept("sum", (1, 2), lambda: {"sum": "anew"}) == {"sum": "anew"}
    assert kept("sum", (1, 2), lambda: {"sum": 3}) == {"sum": "anew"}
    assert swept(folder, monkeypatch)


def test_half_a_file_is_no_notebook(tree):
    (tree / "demo/deep.py").write_text("value = 3")
    store.execute(["page"], say=lambda text: None)
    path = settings.STORE / "page.ipynb"
    path.write_text(path.read_text("utf8")[:100], "utf8")
    assert store.stored("page") is None
    store.execute(["page"], say=lambda text: None)
    assert store.fresh("page")
