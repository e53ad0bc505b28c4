"""A digest of the code that a function rests on, so that results are known to be those of this code.

It is one of definitions, not of files: of functions, classes and other names at the top of modules, those
that the function takes, directly or not, from the modules of its package.  So a record is stale when one of
them changes, and not because something beside them did, or because they moved to another file.  Comments,
docstrings and empty lines are left out.  A name that is made up while the code runs is not seen.
"""

import ast
import hashlib
import importlib
import io
import sys
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path


def digest(function):
    """Digest of the definitions that a function rests on.

    Parameters
    ----------
    function : callable
        At the top of a module that has a file.

    Raises
    ------
    ValueError
        If it stands elsewhere.
    """
    module, name = function.__module__, function.__qualname__.split(".")[0]
    if (source := _source(module)) is None or name not in source.bound:
        raise ValueError(f"expected a function at the top of a module with a file, got {name} of {module}")
    found, todo, package = {}, [(module, name)], module.split(".")[0]
    while todo:
        place = todo.pop()
        if place not in found:
            found[place], further = _definition(*place, package)
            todo += further
    texts = sorted({text for text in found.values() if text})
    return hashlib.sha256("\n\n".join(texts).encode()).hexdigest()[:16]


def _definition(module, name, package):
    """The code by which a module binds a name, and what it takes from where: ``(module, name)``."""
    source = _source(module)
    if source is None:
        return "", []
    if name in source.imports:
        goal, original = source.imports[name]
        return "", [(goal, original)] if goal.split(".")[0] == package else []
    if name in source.bound:
        statements = source.bound[name]
        further = [use for statement in statements for use in _uses(statement, module, source, package)]
        return "\n".join(source.text(statement) for statement in statements), further
    # a name that the module hands out when it is asked for, as a package may
    origin = getattr(getattr(sys.modules.get(module), name, None), "__module__", None)
    known = isinstance(origin, str) and origin.split(".")[0] == package and origin != module
    return "", [(origin, name)] if known else []


def _uses(statement, module, source, package):
    """The names that a statement takes, each with the module in which it is bound."""
    nodes, inside = list(ast.walk(statement)), {}
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inside |= _imported(node, source.package)
    for goal, original in inside.values():
        if goal.split(".")[0] == package:
            yield goal, original
    for node in nodes:
        if isinstance(node, ast.Name):
            yield module, node.id
        elif isinstance(node, ast.Attribute) and (chain := _chain(node)):
            goal = _module_of(chain[0], source.imports | inside, package)
            for attribute in chain[1:] if goal else ():
                inner = f"{goal}.{attribute}"
                if _source(inner) is None:
                    yield goal, attribute
                    break
                goal = inner


def _chain(node):
    """``["a", "b", "c"]`` of ``a.b.c``."""
    names = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def _module_of(name, imports, package):
    """The module of the package that a name stands for."""
    goal, original = imports.get(name, ("", ""))
    whole = f"{goal}.{original}" if original else goal
    return whole if whole.split(".")[0] == package and _source(whole) is not None else None


class _Source:
    """A module, statement by statement."""

    def __init__(self, module, path):
        text = path.read_text("utf8")
        self.lines = _stripped(text)
        self.imports, self.bound = {}, defaultdict(list)
        self.package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for statement in ast.parse(text).body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.imports |= _imported(statement, self.package)
            elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                for name in _binds(statement):
                    self.bound[name].append(statement)

    def text(self, statement):
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
        return "\n".join(line for line in self.lines[first - 1:statement.end_lineno] if line.strip())


def _source(module):
    """The module as it stands in its file, or None if there is none of this name."""
    above = sys.modules.get(module.rpartition(".")[0])
    if module not in sys.modules and (above is None or hasattr(above, "__path__")):
        try:
            importlib.import_module(module)
        except ImportError:
            return None
    if module not in sys.modules:
        return None
    path = getattr(sys.modules[module], "__file__", None)
    return _read(module, Path(path), Path(path).stat().st_mtime_ns) if path and path.endswith(".py") else None


@cache
def _read(module, path, _changed):
    return _Source(module, path)


def _imported(statement, package):
    """Each name with the module that it is taken from, and its name there; none of a module itself."""
    if isinstance(statement, ast.Import):
        names = [(alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
                 for alias in statement.names]
        return {name: (goal, "") for name, goal in names}
    above = package.split(".")[:len(package.split(".")) - statement.level + 1] if statement.level else []
    goal = ".".join([*above, *filter(None, [statement.module])])
    return {alias.asname or alias.name: (goal, alias.name) for alias in statement.names}


def _binds(statement):
    """The names that a statement at the top of a module binds, or changes."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return stored or {node.id for node in names}


def _stripped(text):
    """The lines of a module without docstrings and comments, each in its place."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            first = node.body[0]
            for i in range(first.lineno - 1, first.end_lineno):
                lines[i] = ""
    kept = "\n".join(lines) + "\n"
    for token in tokenize.generate_tokens(io.StringIO(kept).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return [line.rstrip() for line in lines]


def code(text):
    """Source without what changes nothing.

    Examples
    --------
    >>> print(code('x = 1  # one' + chr(10) * 3 + 'def f():' + chr(10) + '    "It is one."' + chr(10)
    ...            + '    return x'))
    x = 1
    def f():
        return x
    """
    return "\n".join(line for line in _stripped(text) if line.strip())
