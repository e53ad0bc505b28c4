"""The template of notes builds, shows how its equations were checked, and fails where it is made wrong."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "examples/notes"

# warnings are errors, as its README says
BUILD = "from jupyter_book.cli.main import main; main(['build', '-W', '-n', '--keep-going', '.'])"


def build(folder):
    """Run Jupyter Book; its exit status, and what it says."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    result = subprocess.run([sys.executable, "-c", BUILD], cwd=folder, capture_output=True, text=True,
                            timeout=300, env={**os.environ, "PYTHONPATH": path})
    return result.returncode, re.sub(r"\x1b\[[\d;]*m", "", result.stdout + result.stderr)


WRONG = {"spread": ("- n * mean()**2", "+ n * mean()**2"),
         "update": ("## A sign", "$$\n1 = 2\n$$\n\n## A sign"),
         "checked": ("```{errata}", "```{statement} eq-none\n```\n\n```{errata}")}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The book, built twice while it was wrong, then mended; and what was said of it when it was wrong."""
    folder = shutil.copytree(NOTES, tmp_path_factory.mktemp("book") / "notes",
                             ignore=shutil.ignore_patterns("_build", ".*"))
    (folder / ".pytest_cache").mkdir()
    (folder / ".pytest_cache/README.md").write_text("# Of pytest\n")  # as in the folder of who has run it
    for page, (right, wrong) in WRONG.items():
        text = (NOTES / f"{page}.md").read_text("utf8")
        assert text.count(right) == 1
        (folder / f"{page}.md").write_text(text.replace(right, wrong), "utf8")
    said = [build(folder) for _ in range(2)]
    for page in WRONG:
        shutil.copy(NOTES / f"{page}.md", folder)
    status, told = build(folder)
    assert status == 0, told
    return folder, said


@pytest.fixture
def notes(book):
    """The folder of the book that was built, for tests that leave it as it is."""
    return book[0]


def html(folder, page):
    return (folder / f"_build/html/{page}.html").read_text("utf8")


def test_each_equation_has_its_word_and_what_was_found(notes):
    words = {page: re.findall(r'<details class="how [\w-]+"><summary>(.*?)</summary>', html(notes, page))
             for page in ("spread", "update")}
    assert words == {"spread": ["definition", "proved + agreement"],
                     "update": ["definition", "proved + agreement", "proved"]}
    spread = html(notes, "spread")
    assert spread.count('id="equation-eq-') == 2 and 'href="checked.html#ledger-eq-spread"' in spread
    assert "Confirmed in 30 digits" in spread and "Wrong versions of it that were rejected" in spread


def test_what_is_refuted_says_by_which_numbers(notes):
    for page in ("update", "checked"):
        assert re.search(r"Refuted by execution: at .*: left .*, right ", html(notes, page)), page


def test_the_ledger_lists_what_the_pages_hold(notes):
    page = html(notes, "checked")
    rows = re.findall(r'<div class="ledger-entry docutils container" id="ledger-(eq-\w+)">', page)
    assert rows == ["eq-mean", "eq-spread", "eq-target", "eq-step", "eq-rest"]  # in the order of the book
    for word in ("The spread of numbers", "how many there are", "the learning rate", "Q-Learning"):
        assert word in page, word
    assert "mathjax" in page  # formulas came after the page was read


def test_the_tests_of_the_pages_pass(notes):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "proofread.testing.plugin"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    options = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}  # the plugin may be installed too
    result = subprocess.run(command, cwd=notes, capture_output=True, text=True, timeout=300,
                            env={**os.environ, "PYTHONPATH": path, **options})
    assert result.returncode == 0 and "11 passed" in result.stdout, result.stdout


def test_what_is_wrong_fails_until_it_is_mended(book):
    for status, told in book[1]:  # a build that failed does not pass when it is repeated
        assert status != 0
        assert re.search(r"Refuted: eq-spread, step 1 \(the middle term .* is false: at n = ", told), told
        assert "displayed equation is not printed from a checked object: 1 = 2" in told
        assert "no checked object has the label eq-none" in told
