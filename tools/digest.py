"""The key of a chapter: a digest of everything that can change what it prints.

jupyter-cache could be given this digest in the metadata that it hashes, but it runs no expression of the text
in its place and no code that leaves no trace, and of 43 notebooks that four threads gave it at once, one to
three could not be found again: so we keep a store of our own.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections import defaultdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from tools import settings
from tools.chapters import JUDGES, code_cells, expressions, sentences


def key(notebook) -> str:
    """Digest of all that decides what the chapter prints, and what becomes of its sentences; of its text
    only the expressions and the relations do."""
    digest = hashlib.sha256()

    def add(*parts) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            digest.update(b"%d:" % len(data) + data)

    add(sys.version_info[:3], os.environ.get("PROOFREAD_FRESH_SEED", ""))
    add((settings.ROOT / "requirements.txt").read_bytes(), version("numpy"), version("sympy"))
    code = []
    for cell in code_cells(notebook):
        code.append(cell.source)
        add(cell.source, "raises-exception" in cell.metadata.get("tags", []))
    add(expressions(notebook), texts := sentences(notebook))
    if texts:
        code.append(f"import {JUDGES}")
    for path in sorted(modules("\n".join(code))):
        add(path.relative_to(settings.ROOT), path.read_bytes())
    return digest.hexdigest()


def modules(code: str) -> set[Path]:
    """The files of the packages that ``code`` imports, directly or through others."""
    files, data = _package()
    found, seen, text = set(), set(), cache(lambda path: path.read_text("utf8"))
    todo = list(_imports(code, package=""))
    while todo:
        module = todo.pop()
        if module in seen:
            continue
        seen.add(module)
        parent, _, name = module.rpartition(".")
        if path := files.get(module):
            package = module if path.name == "__init__.py" else parent
            found |= {path, *data[path.parent]}
            todo += [*_imports(text(path), package), parent]  # importing a.b runs a/__init__.py as well
        elif path := files.get(parent):
            asked = _on_demand(text(path)).items()
            todo += [f"{parent}.{module}" for module, names in asked if name in names]
    return found


def taken_from(package: str, code: str) -> set[Path]:
    """The modules of a package from which ``code`` takes names, itself or through the package."""
    folder = settings.ROOT / package.replace(".", "/")
    init = (folder / "__init__.py").read_text("utf8")
    home = {name: module for module, names in _on_demand(init).items() for name in names}
    for node in ast.walk(ast.parse(init)):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            home |= {alias.name: node.module for alias in node.names}
    names = {name.removeprefix(f"{package}.").partition(".")[0]
             for name in _imports(code, package="") if name.startswith(f"{package}.")}
    return set(filter(Path.is_file, (folder / f"{home.get(name, name)}.py" for name in names)))


def _package() -> tuple[dict[str, Path], dict[Path, set[Path]]]:
    """The files of the packages: their modules by name, and by folder the data that they may read."""
    files, data = {}, defaultdict(set)
    paths = (path for package in settings.PACKAGES for path in (settings.ROOT / package).rglob("*"))
    for path in sorted(paths):
        if path.suffix == ".py":
            place = path.parent if path.name == "__init__.py" else path.with_suffix("")
            files.setdefault(".".join(place.relative_to(settings.ROOT).parts), path)
        elif path.suffix not in (".pyc", ".md") and path.is_file():
            data[path.parent].add(path)
    return files, data


@cache
def _on_demand(code: str) -> dict[str, list[str]]:
    """The names that a package takes from its modules when they are asked for (`softmaxnotes.lazy`)."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ON_DEMAND":
            return ast.literal_eval(node.value)
    return {}


@cache
def _imports(code: str, package: str) -> frozenset[str]:
    """Names of modules that ``code`` may import."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        tree = _without_magic(code)
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, *filter(None, [base])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def _without_magic(code: str) -> ast.AST:
    """What IPython makes of a cell that is no Python: lines such as ``%matplotlib inline`` become calls."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return ast.parse(TransformerManager().transform_cell(code))
    except SyntaxError:
        return ast.Module([], [])  # executing it will say so
