"""The Makefile: `make check` tests one chapter and not its neighbours; a target runs what is slow."""

import os
import re
import shlex
import subprocess

import pytest

from tools import build, chapters, settings

ROOT = settings.ROOT
NAMES = [name.removeprefix("book/") for name in chapters.chapters()]


def recipe(*goals):
    """What make would run."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    run = subprocess.run(["make", "--dry-run", *goals], cwd=ROOT, env=environment, check=True,
                         capture_output=True, text=True)
    return run.stdout.replace("\\\n", "")


def checked(name):
    """The files that `make check` tests, and the words by which it chooses the tests of the site."""
    text = recipe("check", f"NAME={name}")
    files, site = (shlex.split(line) for line in text.splitlines() if " pytest " in line)
    return {word for word in files if word.endswith(".py")}, site[site.index("-k") + 1].split(" or ")


@pytest.mark.parametrize("name", NAMES)
def test_check_tests_one_chapter(name):
    part, _, last = name.rpartition("/")
    folder = ROOT / "tests" / part
    expected = {ROOT / f"softmaxnotes/{name}.py", ROOT / f"softmaxnotes/experiments/{name}.py",
                *(ROOT / f"softmaxnotes/experiments/{name}").glob("*.py"),
                folder / f"test_{last}.py", folder / f"test_{last}_page.py"}
    files, words = checked(name)
    assert {(ROOT / file).resolve() for file in files} == {path for path in expected if path.exists()}
    ids = [f"test_page[book/{other}]" for other in NAMES]
    assert [test for test in ids if any(word in test for word in words)] == [f"test_page[book/{name}]"]
    page = re.compile(rf'^PAGE = "book/{name}"$', re.MULTILINE)
    knobs = {path.stem: page.search(path.read_text("utf8"))
             for path in (ROOT / "tests/site/figures").glob("*.py")}
    tests = {knob: f"test_reset_puts_everything_back[{knob}]" for knob in knobs}
    chosen = {knob for knob in knobs if any(word in tests[knob] for word in words)}
    assert chosen == {knob for knob in knobs if knobs[knob]}


def test_what_is_slow_is_run_by_a_target():
    tests = ROOT / "tests"
    marked = {f"tests/{path.relative_to(tests).parts[0]}" for path in tests.rglob("test_*.py")
              if re.search(r"\bmark\.slow\b", path.read_text("utf8"))}
    (run,) = (line for line in recipe("weekly").splitlines() if "-m slow" in line)
    assert marked == {word for word in run.split() if word.startswith("tests/")}


@pytest.mark.parametrize(("name", "told"), [
    ("numerics", "is it softmax/numerics?"),
    ("book/numerics.md", "is it softmax/numerics?"),
    ("softmax/numerisc", "is it softmax/numerics?"),
    ("wrong", "as in softmax/numerics"),
])
def test_a_wrong_name_is_told_in_a_line(name, told, capsys):
    assert build.main([name]) == 1
    said = capsys.readouterr().err.strip()
    assert " is not a chapter of the book; " in said and told in said and "\n" not in said


def test_a_name_is_that_of_a_file_or_shorter():
    assert {*build.known(["softmax/numerics", "book/softmax/numerics.md"])} == {"book/softmax/numerics"}
