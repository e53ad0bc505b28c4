"""The store of outputs: what makes a chapter stale, and how a failure is told."""

import builtins
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from contextlib import nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace

import locks
import nbformat
import pytest
from IPython.lib.pretty import pretty

from proofread.decision.cache import kept
from proofread.ledger import METADATA
from tools import build, chapters, compare, digest, errors, execute, lab, lock, run, settings, store

ROOT = settings.ROOT

FRONT = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""
CHAPTER = FRONT + """
# Title

```{code-cell} ipython3
from demo.part import f
f()
```

Text.

```{code-cell} ipython3
assert f() == 3
```
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small book of its own."""
    monkeypatch.setattr(settings, "ROOT", tmp_path)
    monkeypatch.setattr(settings, "STORE", tmp_path / "_build")
    monkeypatch.setattr(settings, "PACKAGES", ["demo"])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))  # the checker of this tree
    files = {
        "_config.yml": "parse: {myst_enable_extensions: [dollarmath]}",
        "requirements.txt": "",
        "page.md": CHAPTER,
        "demo/__init__.py": "",
        "demo/part/__init__.py": "from .inner import f",
        "demo/part/inner.py": "from demo import deep\ndef f():\n    return deep.value",
        "demo/deep.py": "value = 2",
        "demo/other.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def key():
    return digest.key(chapters.read("page"))


@pytest.mark.parametrize("name", [
    "demo/deep.py", "demo/part/inner.py", "demo/part/__init__.py", "demo/__init__.py",
])
def test_a_module_in_use_makes_a_chapter_stale(tree, name):
    before = key()
    (tree / name).write_text((tree / name).read_text() + "\n# changed")
    assert key() != before


@pytest.mark.parametrize("asked, stale", [("f", True), ("g", False)])
def test_a_module_that_is_imported_on_demand_makes_stale_who_asks_for_it(tree, asked, stale):
    package = '_ON_DEMAND = {"inner": ["f"], "late": ["g"]}'
    (tree / "demo/part/__init__.py").write_text(package)
    (tree / "demo/part/late.py").write_text("")
    (tree / "page.md").write_text(CHAPTER.replace("import f", f"import {asked}"))
    before = key()
    (tree / "demo/part/inner.py").write_text("def f():\n    return 4")
    assert (key() != before) == stale


def test_a_chapter_depends_on_what_a_public_name_brings_and_on_no_test():
    rooms = {str(path.relative_to(ROOT)) for path in digest.modules("from proofread import Derivation")}
    assert {"proofread/claims/derivation.py", "proofread/any_size/rules/sums.py"} <= rooms
    assert not [name for name in rooms if name.startswith("proofread/testing")]


def test_a_line_for_ipython_hides_no_module(tree):
    before = digest.modules("from demo.part import f")
    assert digest.modules("%matplotlib inline\nfrom demo.part import f") == before != set()
    assert digest.modules("from demo.part import f\n1 +") == set()


def test_code_and_requirements_make_a_chapter_stale(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("== 3", "== 4"))
    changed = key()
    (tree / "requirements.txt").write_text("numpy")
    assert len({before, changed, key()}) == 3


def test_text_and_other_modules_do_not(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("Text.", "Another text."))
    (tree / "demo/other.py").write_text("value = 4")
    assert key() == before


def test_a_failure_names_the_cell_and_the_line(tree):
    text = CHAPTER.replace("assert f() == 3", "two = 2\nassert f() == 3")
    (tree / "page.md").write_text(text)
    line = text.splitlines().index("assert f() == 3") + 1
    with pytest.raises(errors.ChapterError) as error:
        store.execute(["page"], say=lambda text: None)
    report = str(error.value)
    assert report.startswith(f"page.md:{line}: code cell 2 failed: assert f() == 3")
    assert "AssertionError" in report
    assert store.stored("page") is None


def test_what_was_executed_is_not_executed_again(tree):
    (tree / "demo/deep.py").write_text("value = 3")
    said = []
    store.execute(["page"], say=said.append)
    store.execute(["page"], say=said.append)
    assert len(said) == 1
    assert chapters.code_cells(store.fresh("page"))[0].outputs[0].data["text/plain"] == "3"


# -- values in the text --------------------------------------------------------------------------------------

SAYS = CHAPTER.replace("Text.", 'It is {eval}`f()`, or {eval}`f"{f():.2f}"`.').replace("== 3", "== 2")


def says(tree, text):
    (tree / "page.md").write_text(text)
    values = store.executed("page").metadata[settings.PACKAGE]["values"]
    return {name: value["data"]["text/plain"] for name, value in values.items()}


def test_values_stand_in_the_text_and_are_computed_with_the_chapter(tree):
    assert says(tree, SAYS) == {"f()": "2", 'f"{f():.2f}"': "'2.00'"}
    notebook, stored = chapters.read("page"), store.stored("page")
    chapters.fill_in(notebook, stored.metadata[settings.PACKAGE]["values"])
    kept = [found for cell in notebook.cells if (found := cell.metadata.get("user_expressions"))]
    assert [[one["expression"] for one in cell] for cell in kept] == [["f()", 'f"{f():.2f}"']]
    assert kept[0][1]["result"]["data"] == {"text/plain": "'2.00'"}


CLAIMS = FRONT + """
# Title

Here is a number $x$.

```{code-cell} ipython3
from proofread import said, symbols_mean
from proofread import sympy as sp
x = sp.Symbol("x", positive=True)
symbols_mean({x: "a number"})
```

It is so that
$\\log x \\le x - 1$, and `$x < x - 1$` is code.

```{code-cell} ipython3
said({"x > 1": "condition"})
```

It ends with $x > 1$.
"""


def failing(tree, text):
    (tree / "page.md").write_text(text)
    with pytest.raises(errors.ChapterError) as error:
        store.execute(["page"], say=lambda text: None)
    assert store.stored("page") is None
    return str(error.value)


def test_relations_in_the_text_are_decided_when_all_cells_have_run(tree):
    says(tree, CLAIMS)
    notebook = store.stored("page")
    symbols, listed, unasked = store.entries(notebook)
    assert (unasked.kind, unasked.status, unasked.said) == ("said", "proved", (r"\log x \le x - 1",))
    assert (listed.said, symbols.kind) == (("x > 1",), "symbols")
    assert len(chapters.code_cells(notebook)) == 2  # nothing is left of it in what the site offers
    assert not any("judged" in str(cell) for cell in notebook.cells)
    assert store.again("page") == notebook


def test_what_is_wrong_in_the_text_is_told_with_its_line(tree):
    wrong = CLAIMS.replace("- 1$", "- 2$").replace("with $x > 1$", "with $x > 1$\nand $y = 2$")
    message = failing(tree, wrong).splitlines()
    line, other = (1 + next(at for at, text in enumerate(wrong.splitlines()) if what in text)
                   for what in ("log", "y ="))
    assert message[0].startswith(rf"page.md:{line}: $\log x \le x - 2$ in a sentence: Refuted: ")
    assert " is false: at x = " in message[0]
    assert message[1].startswith(f"page.md:{other}: $y = 2$ in a sentence: Misprinted: ")
    assert "no meaning is known for y here" in message[1] and message[-1].startswith("  A relation in a sen")


def test_a_relation_that_is_a_condition_says_so(tree):
    message = failing(tree, CLAIMS.replace('"x > 1": "condition"', '"x > 2": "condition"'))
    assert "$x > 1$ in a sentence: Refuted: x > 1 is false: at x = " in message


@pytest.mark.parametrize("old, new, stale", [
    ("x - 1$", "x - 2$", True), ("ends with", "ended with", False), ("number $x$", "number $y$", False)])
def test_another_relation_makes_a_chapter_stale(tree, old, new, stale):
    (tree / "page.md").write_text(CLAIMS)
    before = key()
    (tree / "page.md").write_text(CLAIMS.replace(old, new))
    assert (key() != before) == stale


def test_what_judges_sentences_makes_a_chapter_with_relations_stale(tree, monkeypatch):
    monkeypatch.setattr(settings, "PACKAGES", ["proofread"])
    judge = tree / "proofread/claims/sentences.py"
    judge.parent.mkdir(parents=True)
    outcomes = []
    for text in (CLAIMS, CHAPTER):
        (tree / "page.md").write_text(text)
        judge.write_text("")
        before = key()
        judge.write_text("# changed")
        outcomes.append(key() != before)
    assert outcomes == [True, False]


@pytest.mark.parametrize("forged", [r"\\log x \\le x - 1", r"\\log x \\le x - 2"])
def test_evidence_of_a_sentence_that_a_cell_declares_is_refused(tree, forged):
    """Even what the kernel would say a moment later."""
    cell = (f"""display({{"text/plain": "said"}}, raw=True, metadata={{"{METADATA}": {{
    "kind": "said", "status": "proved", "title": "relations that sentences state",
    "findings": ["1 relation in sentences is decided"], "said": ["{forged}"]}}}})""")
    message = failing(tree, CLAIMS.replace('said({', f'{cell}\nsaid({{'))
    assert "an output declares evidence that no check has entered" in message


def test_a_word_that_a_cell_enters_for_a_wrong_sentence(tree):
    """`said` alone accounts for a relation: a definition of the symbol that makes it true helps nothing."""
    text = CLAIMS.replace("- 1$", "- 2$").replace('said({', 'x = sp.Integer(9)\nsaid({')
    assert "is false: at x = " in failing(tree, text)


def test_another_expression_makes_a_chapter_stale(tree):
    before = key()
    (tree / "page.md").write_text(SAYS)
    assert len({before, key()}) == 2


def test_a_value_is_the_one_that_it_has_in_its_place(tree):
    text = SAYS.replace("f()\n```", "f(); g = 1\n```").replace("assert", "g = 2; assert")
    text += "\nIt is {eval}`g`.\n"
    assert says(tree, text)["g"] == "2"
    with pytest.raises(errors.ChapterError, match="`g` has two values on the page"):
        says(tree, text.replace("It is", "It was {eval}`g`. It is", 1))


def test_an_expression_without_a_value_fails(tree):
    with pytest.raises(errors.ChapterError, match="{eval}`h` has no value: NameError: name 'h'"):
        says(tree, SAYS.replace("{eval}`f()`", "{eval}`h`"))


def test_a_value_that_changes_by_itself_is_noticed(tree):
    says(tree, CHAPTER.replace("== 3", "== 2").replace("Text.", "{eval}`__import__('time').time()`"))
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


def test_a_chapter_that_computes_for_long_fails(tree, monkeypatch):
    (tree / "demo/deep.py").write_text("value = 3")
    monkeypatch.setattr(run, "SECONDS", 0.01)
    with pytest.raises(errors.ChapterError, match=r"page.md keeps the processor busy for \d+ s, 0.01 are"):
        store.execute(["page"], say=lambda text: None)


@pytest.mark.parametrize(("line", "refused"), [("object()", True), ("object();", False)])
def test_what_no_reader_wants_is_not_shown(tree, line, refused):
    (tree / "page.md").write_text(CHAPTER.replace("assert f() == 3", line))
    with pytest.raises(errors.ChapterError, match="with a semicolon") if refused else nullcontext():
        store.execute(["page"])


@pytest.mark.parametrize(("value", "refused"), [
    ([object(), 2], True), (namedtuple("Text", "x")(1), True), ("look at 0x12", False), ([1, 2], False)])
def test_nor_are_others_of_its_kind(value, refused):
    output = nbformat.v4.new_output("execute_result", {"text/plain": pretty(value)})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("value", outputs=[output])])
    with pytest.raises(errors.ChapterError, match="with a semicolon: value") if refused else nullcontext():
        run.refuse_leftovers("page", notebook)


def test_a_page_that_is_large_fails_with_what_it_loads(tmp_path, monkeypatch):
    monkeypatch.setattr(chapters, "pages", lambda: ["home"])
    (tmp_path / "page.html").write_text('<script defer src="a.js?1"></script>' + "x" * 300_000)
    (tmp_path / "a.js").write_text("x" * 400_000)
    assert "page 700" in build.sizes(tmp_path, ["page"])
    monkeypatch.setattr(build, "KILOBYTES", 699)
    with pytest.raises(errors.ChapterError, match="more kB than a page may have: page has 700 of 699"):
        build.sizes(tmp_path, ["page"])


# --- interruptions and other trouble ---------------------------------------------------------------

def test_killed_at_any_moment_the_store_is_as_before_or_complete(tree):
    (tree / "demo/deep.py").write_text("import time\ntime.sleep(0.2)\nvalue = 3")
    program = ("from pathlib import Path; from tools import execute, settings; "
               f"settings.ROOT = Path({str(tree)!r}); settings.STORE = settings.ROOT / '_build'; "
               "settings.PACKAGES = ['demo']; execute.main(['page'])")
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
def test_killed_when_it_writes_a_chapter(tree, moment, monkeypatch):
    monkeypatch.setattr(run, "run", lambda *_: (0, {}, []))
    for value in (3, 4):  # without an older file, and with one
        (tree / "demo/deep.py").write_text(f"value = {value}")
        (tree / "page.md").write_text(CHAPTER.replace("== 3", f"== {value}"))
        before = store.stored("page")
        killed(moment, f"""from tools import execute, run, settings
settings.ROOT = Path({str(tree)!r})
settings.STORE = settings.ROOT / '_build'
settings.PACKAGES = ['demo']
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


@pytest.fixture
def other(tree):
    """Another process, which holds the lock."""
    processes = []

    def hold(asked=""):
        program = ("from pathlib import Path\nfrom tools import lock, settings\n"
                   f"settings.STORE = Path({str(settings.STORE)!r})\n"
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


def test_workers_leave_the_lock_to_the_process_that_hands_out_the_tests(tree, other):
    (tree / "test_it.py").write_text("class PAGE:\n    def test(self): pass\n    def test_again(self): pass")
    (tree / "conftest.py").write_text(
        f"from pathlib import Path; from tools import settings; "
        f"settings.STORE = Path({str(settings.STORE)!r})")
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


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told(tree, capsys):
    (tree / "demo/deep.py").write_text("value = 3")
    if not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    (settings.STORE / "page.ipynb").parent.mkdir(parents=True, exist_ok=True)
    real = Path.write_text

    def full(path, text, *rest):
        return real(Path("/dev/full") if path.suffix == ".part" else path, text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        assert execute.main(["page"]) == 1
    assert "page.ipynb could not be written: No space left on device" in capsys.readouterr().err
    assert store.stored("page") is None


@pytest.mark.parametrize("where", [(Path, "mkdir"), (builtins, "open"), (lock, "_lock")],
                         ids=["folder", "file", "lock"])
@pytest.mark.parametrize("tool", [execute, build, compare, lab], ids=lambda tool: tool.__name__)
def test_a_disk_that_is_full_from_the_start_is_told_in_a_line(tool, where, tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    (tree / "_toc.yml").write_text("root: page\n")
    with monkeypatch.context() as patch:
        patch.setattr(*where, full)
        assert tool.main([]) == 1
    said = capsys.readouterr().err.strip()
    assert said.endswith("could not be written: No space left on device") and "\n" not in said


def test_a_disk_that_is_full_when_the_site_is_written_is_told_in_a_line(tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=full))
    monkeypatch.setattr(execute, "main", lambda names: 0)
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    assert build.main([]) == 1
    said = capsys.readouterr().err.strip()
    assert said == f"{tree}/_build/html could not be written: No space left on device"


def test_a_disk_that_is_full_when_a_first_preview_begins_is_told_in_a_line(tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    (tree / "_build/html").mkdir(parents=True)
    (tree / "_build/html/page.html").write_text("built")
    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=None))
    monkeypatch.setattr(build.shutil, "copy2", full)
    monkeypatch.setattr(build, "known", lambda names: names)
    monkeypatch.setattr(execute, "main", lambda names: 0)
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    assert build.main(["page"]) == 1
    said = capsys.readouterr().err.strip()
    assert said == f"{tree}/_build/preview/_build/html could not be written: No space left on device"


def test_a_first_preview_begins_with_the_book_and_a_second_one_with_the_first(tree, monkeypatch):
    """Also where a copy was interrupted; nobody has built anything before the first book."""
    def built(arguments, **options):
        folder = tree / ("_build/preview/_build" if "_build/preview" in arguments else "_build")
        page, read = folder / "html/page.html", folder / ".doctrees/environment.pickle"
        seen.append([path.read_text() if path.exists() else None for path in (page, read)])
        for path in (page, read):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(str(len(seen)))

    seen = []
    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=built))
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    (tree / "_toc.yml").write_text("root: page\n")
    assert build.site(["page"]) == 0
    shutil.rmtree(tree / "_build/preview")
    assert build.site([]) == 0
    (tree / "_build/preview.part/html").mkdir(parents=True)
    (tree / "_build/preview.part/html/page.html").write_text("half")
    (tree / "_build/preview.part/html/left.html").write_text("half")
    assert build.site(["page"]) == build.site(["page"]) == 0
    assert seen == [[None, None], [None, None], ["2", "2"], ["3", "3"]]
    assert not (tree / "_build/preview/_build/html/left.html").exists()
    assert (tree / "_build/html/page.html").read_text() == "2"


def test_a_process_that_tests_keeps_to_one_thread_and_forgets_nothing():
    import numpy  # noqa: F401
    import torch
    from sympy.core import cache
    from threadpoolctl import threadpool_info

    pools = threadpool_info()
    assert pools and {pool["num_threads"] for pool in pools} == {torch.get_num_threads()} == {1}
    assert cache.SYMPY_CACHE_SIZE is None
