"""One process builds, or many read; tests hold the lock that they need."""

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import locks
import pytest

from tools import errors, execute, lock
from tools.settings import ROOT


@pytest.fixture
def other(there):
    """Another process, which holds the lock."""
    processes = []

    def hold(asked=""):
        program = (f"{there}from tools import lock\n"
                   f"with lock.locked({asked}): print('held', flush=True); input()")
        process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        processes.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield hold
    for process in processes:
        process.kill()
        process.communicate()

READING = "reading=True"


def test_two_builds_at_once(tree, other, capsys):
    process = other()
    assert execute.main(["page"]) == 1
    assert f"process {process.pid} builds the book in {tree}: wait for it" in capsys.readouterr().err
    with pytest.raises(errors.ChapterError, match="builds the book"), lock.locked(reading=True):
        pass
    process.kill()
    process.wait()
    with lock.locked(), lock.locked(), lock.locked(reading=True):  # one may ask again
        pass


def test_many_read_at_once_and_nobody_builds_meanwhile(tree, other, capsys):
    other(READING), other(READING)
    with lock.locked(reading=True), lock.locked(reading=True):
        assert execute.main(["page"]) == 1
    assert f"another process reads the book in {tree}: wait for it" in capsys.readouterr().err


@pytest.mark.parametrize(("test", "asked", "run"), [
    ("tests/softmax/test_logits_page.py::PAGE::errata", "", False),
    ("tests/softmax/test_logits_page.py::PAGE::errata", READING, False),
    ("tests/site/test_pages.py::test_page", "", False),
    ("tests/site/test_pages.py::test_page", READING, True),
    ("tests/test_tables.py::test_table", "", True), ("tests/test_tables.py::test_table[::PAGE::]", "", True)])
def test_tests_hold_the_lock_that_they_need(tree, other, test, asked, run):
    """Tests of a chapter build, those of the site read, others do neither."""
    process, done = other(asked), []
    config = SimpleNamespace(option=SimpleNamespace(collectonly=False), add_cleanup=done.append)
    with nullcontext() if run else pytest.raises(pytest.exit.Exception, match="the book in"):
        locks.hold(config, ["tests/test_tables.py::test_table", test])
    process.kill()
    process.wait()
    if not run:
        locks.hold(config, [test])
        with pytest.raises(AssertionError):
            other()
    while done:
        done.pop()()
    other()


def test_workers_leave_the_lock_to_the_process_that_hands_out_the_tests(tree, there, other):
    (tree / "test_it.py").write_text("class PAGE:\n    def test(self): pass\n    def test_again(self): pass")
    (tree / "conftest.py").write_text(there)
    (tree / "pytest.ini").write_text("[pytest]\npython_classes = PAGE\n")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                   "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "locks", "-n", "2"]
    process = other()
    for told in ("process .* builds the book in", "2 passed"):
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
        assert re.search(told, done.stdout + done.stderr), done.stdout + done.stderr
        process.kill()
        process.wait()
