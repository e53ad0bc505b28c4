"""`make check` tests one chapter and not its neighbours."""

import ast
import re
import subprocess
from importlib import import_module

import pytest

from tools import build, chapters, check
from tools.settings import ROOT

PAGES = chapters.chapters()


def brought(page):
    """The modules of its part that bring what a chapter imports; but for numbers, which do not say whence."""
    part = page.split("/")[1]
    for cell in chapters.code_cells(chapters.read(page)):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"softmaxnotes.{part}."):
                source = import_module(node.module)
                for alias in node.names:
                    module = getattr(getattr(source, alias.name), "__module__", node.module)
                    yield ROOT / f"{module.replace('.', '/')}.py"


@pytest.mark.parametrize("page", PAGES)
def test_one_chapter_is_tested_and_what_it_uses_of_its_part(page):
    name = page.removeprefix("book/")
    part, _, last = name.rpartition("/")
    used, tests = {*brought(page)}, ROOT / "tests" / part
    expected = {*used, *(tests / f"test_{module.stem}.py" for module in used),
                ROOT / f"softmaxnotes/{name}.py", ROOT / f"softmaxnotes/experiments/{name}.py",
                *(ROOT / f"softmaxnotes/experiments/{name}").glob("*.py"),
                tests / f"test_{last}.py", tests / f"test_{last}_page.py", tests / f"test_{part}_refusals.py"}
    assert {*check.files(page)} == {path for path in expected if path.exists()}


def test_a_module_of_no_chapter_is_tested_with_those_that_use_it():
    files = check.files("book/gradients/gaussian_kl")
    assert ROOT / "softmaxnotes/gradients/closest_normal.py" in files


@pytest.mark.parametrize("page", PAGES)
def test_of_the_site_one_page_is_tested_with_its_figures(page):
    words = check.chosen(page).split(" or ")
    ids = {f"test_page[{other}]": other for other in PAGES}
    line = re.compile(r'^PAGE = "(.*)"$', re.MULTILINE)
    for path in (ROOT / "tests/site/figures").glob("*.py"):
        ids[f"test_reset_puts_everything_back[{path.stem}]"] = line.search(path.read_text("utf8"))[1]
    assert {test for test in ids if any(word in test for word in words)} == {
        test for test, other in ids.items() if other == page}


@pytest.mark.parametrize("failing", [None, 0, 2])
def test_all_is_run_until_something_fails(failing, monkeypatch):
    calls = []

    def call(command, **options):
        calls.append(command[2])
        return 3 if len(calls) - 1 == failing else 0

    monkeypatch.setattr(subprocess, "call", call)
    assert check.main(["softmax/numerics"]) == (0 if failing is None else 3)
    steps = ["ruff", "pytest", "pytest", "tools.build", "pytest", "tools.compare"]
    assert calls == steps[:None if failing is None else failing + 1]


@pytest.mark.parametrize("names", [[], ["softmax/numerics", "softmax/logits"]])
def test_it_is_one_chapter(names, capsys):
    assert check.main(names) == 1
    assert "which one? make check NAME=softmax/numerics" in capsys.readouterr().err


@pytest.mark.parametrize("program", [build, check], ids=lambda program: program.__name__)
@pytest.mark.parametrize(("name", "told"), [
    ("numerics", "is it softmax/numerics?"),
    ("book/numerics.md", "is it softmax/numerics?"),
    ("softmax/numerisc", "is it softmax/numerics?"),
    ("wrong", "as in softmax/numerics"),
])
def test_a_wrong_name_is_told_in_a_line(name, told, program, capsys):
    assert program.main([name]) == 1
    said = capsys.readouterr().err.strip()
    assert " is not a chapter of the book; " in said and told in said and "\n" not in said


def test_a_name_is_that_of_a_file_or_shorter():
    assert {*build.known(["softmax/numerics", "book/softmax/numerics.md"])} == {"book/softmax/numerics"}
