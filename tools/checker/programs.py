"""Exercises whose answer is a function: what a page needs to judge one, where the browser's Python can."""

from __future__ import annotations

import ast
import builtins
import sys

from tools.errors import ChapterError

from .archive import LEFT_OUT
from .slices import calls, names, rests_on

KIND = "ProgrammingExercise"
PACKAGES = {"numpy": "NumPy", "scipy": "SciPy"}  #: libraries that `packages` may fetch, by their modules
HERE = sys.stdlib_module_names - set(LEFT_OUT["python"].split())  #: what the browser's Python can import


def programs(cells: list[str]) -> dict[str, dict]:
    """Of each exercise ``name`` and ``stub``, the ``code`` of its test, its ``solution``, and which of the
    `packages` these ``need``, by its label.

    Those that need other libraries are left out: they are not in the browser.

    Examples
    --------
    >>> cells = ["def judge(f):\\n    assert f() == 1, 'one'",
    ...          "own = ProgrammingExercise('ex-one', judge, wrong={'0': lambda: 0})",
    ...          "def f():\\n    ...\\n\\nown.check(f)", "def f():\\n    return 1\\n\\nown.solution(f)"]
    >>> programs(cells)["ex-one"]["stub"]
    'def f():\\n    ...'
    """
    trees = [ast.parse(cell) for cell in cells]
    statements = [statement for tree in trees for statement in tree.body]
    found = {}
    for made in statements:
        if KIND in calls(made):
            others = ast.Module([one for one in statements if one is made or KIND not in calls(one)], [])
            code = _needed(rests_on(ast.unparse(others), {KIND}))
            (kept,) = names(made)[1]
            name, stub = _function(cells, trees, f"{kept}.check")
            _, solution = _function(cells, trees, f"{kept}.solution")
            needed = _imported(f"{code}\n{solution}") - HERE
            if needed <= PACKAGES.keys() and _unknown(solution) <= _bound(code):
                found[_label(made)] = {"name": name, "stub": stub, "code": code, "solution": solution,
                                       "needs": sorted(needed)}
    return found


def _label(made: ast.stmt) -> str:
    (call,) = [node for node in ast.walk(made) if isinstance(node, ast.Call)
               and isinstance(node.func, ast.Name) and node.func.id == KIND]
    return ast.literal_eval(call.args[0])


def _function(cells: list[str], trees: list[ast.Module], asked: str) -> tuple[str, str]:
    """The name of the function that is handed to a method, and the code of the cell before that."""
    for cell, tree in zip(cells, trees):
        for statement in tree.body:
            if ast.unparse(statement).startswith(f"{asked}("):
                before = "\n".join(cell.splitlines()[:statement.lineno - 1])
                return statement.value.args[0].id, before.strip()
    raise ChapterError(f"nothing is handed to {asked}")


def _needed(code: str) -> str:
    """The code, without what it imports in vain, and without the class of the exercise."""
    statements, kept = ast.parse(code).body, []
    used = {node.id for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name)}
    for statement in statements:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            statement.names = [one for one in statement.names
                               if (one.asname or one.name).partition(".")[0] in used - {KIND}]
            if not statement.names:
                continue
        kept.append(statement)
    return "\n".join(map(ast.unparse, kept))


def _imported(code: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(code)))
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    return {module.partition(".")[0] for module in modules}


def _bound(code: str) -> set[str]:
    return set().union(*(names(statement)[1] for statement in ast.parse(code).body))


def _unknown(code: str) -> set[str]:
    """The global names that it reads and has not."""
    read = set().union(*(names(statement)[0] for statement in ast.parse(code).body))
    return read - _bound(code) - vars(builtins).keys()
