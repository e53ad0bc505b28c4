"""A stranger's page: an empty folder, a notebook and a test of it; the plugin is found by its entry point."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jupytext
import pytest

ROOT = Path(__file__).parents[3]
ENTRIES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["entry-points"]["pytest11"]
NOTES = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Notes

```{code-cell}
from proofread import Derivation, sympy as sp
x = sp.Symbol("x", real=True)
```

The slope of a square:

```{code-cell}
slope = Derivation(sp.Derivative(x**2, x), label="eq-slope", title="slope")
slope.step(2 * x, "the power rule")
```

```{code-cell}
data = open("data.txt").read()
assert len(data) > 3, "too few"
```
"""
SIGN = 'Falsified("slope.step(2 * x,", "slope.step(-2 * x,", Refuted)'
FEW = 'Falsified("read()", "read(2)", AssertionError, says="^too few$")'


@pytest.fixture
def tested(tmp_path):
    """What pytest says of notes in a folder of its own, with a test that makes these things wrong.

    Of several notes each is a page, `NOTES0` and so on: to start pytest takes longer than to run a page.
    """
    entries = "\n".join(f"{name} = {target}" for name, target in ENTRIES.items())
    metadata = tmp_path / "site/proofread_here-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: proofread-here\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{entries}\n")
    folder = tmp_path / "stranger/week"
    folder.mkdir(parents=True)
    (folder / "data.txt").write_text("1 2 3")
    (folder.parent / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path / "site")]),
                   "PYTEST_ADDOPTS": ""}

    def run(*falsified, notes=NOTES, more="", options=()):
        several = notes if isinstance(notes, dict) else {"notes.md": notes}
        asked = "from proofread.errors import Refuted\nfrom proofread.testing import Falsified, Page\n"
        for number, (name, text) in enumerate(several.items()):
            (folder / name).write_text(text, "utf8")
            page = f"NOTES{number if notes is several else ''}"
            asked += f"{page} = Page('week/{name}', [{', '.join(falsified)}]{more})\n"
        (folder / "test_notes.py").write_text(asked)
        command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", *options]
        done = subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    return run


def test_a_page_of_a_stranger_passes(tested):
    said = tested(SIGN, FEW)
    assert "4 passed" in said, said
    for name in ("slope.step(2 * x, -> slope.step(-2 * x,", "read() -> read(2)", "falsified", "exercises"):
        assert f"PASSED week/test_notes.py::NOTES::{name}\n" in said


def test_so_does_a_notebook_of_jupyter(tested):
    notes = jupytext.writes(jupytext.reads(NOTES, "md:myst"), "ipynb")
    assert "4 passed" in tested(SIGN, FEW, notes={"notes.ipynb": notes})


REFUSED = {
    'Falsified("len(data) > 3", "len(data) > 2", AssertionError)':
        r"nobody notices 'len\(data\) > 2' in place of 'len\(data\) > 3', in cell 3",
    'Falsified("slope.step(2 * x,", "slope.step(x + x,", Refuted)':
        r"nobody notices 'slope.step\(x \+ x,' .*, in cell 2",
    'Falsified("slope.step(3 * x,", "slope.step(-3 * x,", Refuted)':
        r"week/notes.md must say 'slope.step\(3 \* x,' once, says it 0 times",
    'Falsified("slope", "slip", Refuted)': r"must say 'slope' once, says it 4 times, in cells \[2, 2, ",
    'Falsified("slope.step(2 * x,", "slope.step(y,", Refuted)':
        r"NameError was raised, expected proofread.errors.Refuted, in cell 2",
}


def test_falsifications_that_are_refused(tested):
    said = tested(*REFUSED, FEW)
    for told in REFUSED.values():
        assert re.search(told, said), said
    assert "6 failed, 2 passed" in said  # five, and that not all of them stand on the page


FAILING = [  # right, wrong, told
    ("slope.step(2 * x,", "slope.step(3 * x,", r"code cell 2 fails\n(?s:.*)Refuted: eq-slope, step 1"),
    ('"data.txt"', '"lost.txt"', r"code cell 3 fails\n(?s:.*)FileNotFoundError: .*'lost.txt'"),
    ("x = sp.Symbol", "import os; os._exit(3)\nx = sp.Symbol", r"code cell 1 fails\nKernel died"),
    ("name: python3}", "name: lost}", r"asks for a kernel that is not installed: .*lost"),
]


def test_pages_that_themselves_fail(tested):
    assert all(right in NOTES for right, _, _ in FAILING)
    said = tested(SIGN, FEW, notes={f"notes{number}.md": NOTES.replace(right, wrong)
                                    for number, (right, wrong, _) in enumerate(FAILING)})
    for number, (_, _, told) in enumerate(FAILING):
        page = f"week/notes{number}.md"
        assert re.search(rf"{page} itself fails\n{page}:? {told}", said), said
    assert "13 failed, 3 passed" in said  # the second time for what the first one has not


def test_a_project_reads_its_pages_in_its_own_way(tested, tmp_path):
    tmp_path.joinpath("stranger/conftest.py").write_text(
        "from proofread.testing.notebooks import Notebooks\n"
        "class Weekly(Notebooks):\n    asked = {'exercises': 1, 'quotations': {}}\n"
        "    def path(self, name): return self.root / 'week' / name.rpartition('/')[2]\n"
        "def pytest_proofread_notebooks(config): return Weekly(config.rootpath)\n")
    said = tested(SIGN)
    assert "PASSED week/test_notes.py::NOTES::errata\n" in said and "3 passed" in said, said
    assert "week/notes.md has the exercises [], expected 1" in said
    assert "4 passed" in tested(SIGN, more=", exercises=0")


def test_the_formulas_of_a_page_are_kept_on_demand(tested, tmp_path):
    shown, asked = NOTES.replace('power rule")\n', 'power rule")\nslope\n'), ", formulas=True"
    said = tested(SIGN, notes=shown, more=asked)
    assert "week/notes.md has other formulas or assertions than notes.tex keeps" in said
    assert "1 failed, 3 passed" in said
    assert "1 passed" in tested(SIGN, notes=shown, more=asked, options=["--accept-formulas"])
    kept = (tmp_path / "stranger/week/notes.tex").read_text("utf8")
    assert kept == "% eq-slope\n\\frac{d}{d x} x^{2} = 2 x\n\n% asserted\n% len(data) > 3\n"
    assert "4 passed" in tested(SIGN, notes=shown, more=asked)


def test_what_is_slow_is_marked_and_what_is_left_out_is_not_tried(tested, tmp_path):
    """The wrong version that is left out would end the notebook's kernel with it, if it were tried."""
    marks = tmp_path / "tried"
    slow = f"Falsified('open(\"data.txt\")', 'open(\"{marks}\", \"w\")', io.UnsupportedOperation, slow=True)"
    more = ")\nimport io\nNOTES.falsified.append(" + slow
    said = tested(SIGN, FEW, more=more, options=["-m", "not slow"])
    assert "4 passed, 1 deselected" in said and not marks.exists(), said
    skipping = tmp_path / "stranger/conftest.py"
    skipping.write_text("import pytest\ndef pytest_collection_modifyitems(items):\n"
                        "    [one.add_marker(pytest.mark.skip) for one in items if 'slow' in one.keywords]\n")
    assert "4 passed, 1 skipped" in tested(SIGN, FEW, more=more) and not marks.exists()
    lost = more.replace("data", "lost")  # and what is left out stands on the page all the same
    said = tested(SIGN, FEW, more=lost)
    assert "once, says it 0 times" in said and "1 failed, 3 passed, 1 skipped" in said
    skipping.unlink()
    assert "1 passed, 4 deselected" in tested(SIGN, FEW, more=more, options=["-m", "slow"])
    assert marks.exists()


def test_where_the_plugin_is_off_a_page_is_no_test(tested):
    assert "no tests ran" in tested(SIGN, options=["-p", "no:proofread"])


def test_the_plugin_imports_little():
    heavy = ["sympy", "numpy", "nbclient", "nbformat", "jupytext", "IPython"]
    code = f"import sys, proofread.testing.plugin; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
