"""What the package and the notebooks import is what their installation brings."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import pytest

from tools import chapters, settings

PROJECT = tomllib.loads((settings.ROOT / "pyproject.toml").read_text("utf8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ASKED = [*PROJECT["dependencies"], *EXTRAS["torch"], *EXTRAS["book"], "dask"]  # Dask comes with distributed


def named(lines):
    return {re.match(r"[\w-]+", line)[0].lower() for line in lines}


PROMISED = named(ASKED)

owners = cache(packages_distributions)


def imported(code):
    """The distributions that a program imports from, other than Python's own."""
    nodes = list(ast.walk(ast.parse(code)))
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    roots = {name.split(".")[0] for name in modules}
    roots -= {*sys.stdlib_module_names, *settings.PACKAGES, "IPython"}
    return {owner.lower() for root in roots for owner in owners()[root]}


def executed(code):
    """A program without the functions that it defines and never names: those are a reader's to call."""
    tree = ast.parse(code)
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    tree.body = [statement for statement in tree.body
                 if not isinstance(statement, ast.FunctionDef) or statement.name in named]
    return ast.unparse(tree)


@pytest.mark.parametrize("name", chapters.chapters())
def test_a_notebook_needs_no_more_than_the_extra(name):
    code = "\n".join(cell.source for cell in chapters.code_cells(chapters.read(name)))
    assert imported(executed(code)) <= PROMISED


@pytest.mark.parametrize(("program", "needed"), [
    ("import zizmor", {"zizmor"}),
    ("def f():\n    import zizmor", set()),
    ("def f():\n    import zizmor\nf()", {"zizmor"}),
    ("def f():\n    import zizmor\ng = f", {"zizmor"}),
    ("def f():\n    import zizmor\nif f:\n    import numpy", {"zizmor", "numpy"}),
])
def test_what_only_a_function_imports_that_nobody_calls_is_not_needed(monkeypatch, program, needed):
    monkeypatch.setitem(globals(), "owners", lambda: {"zizmor": ["zizmor"], "numpy": ["numpy"]})
    assert imported(executed(program)) == needed


def test_nor_do_the_packages():
    """Two rooms of the checker have extras of their own."""
    extras = {"testing": EXTRAS["testing"], "sphinx": [*EXTRAS["sphinx"], "docutils"]}  # with Sphinx
    for path in (path for name in settings.PACKAGES for path in (settings.ROOT / name).rglob("*.py")):
        room = path.relative_to(settings.ROOT).parts[1]
        assert imported(path.read_text("utf8")) <= PROMISED | named(extras.get(room, ())), path
