"""A digest of the code that a function rests on, so that results are known to be those of this code.

Comments, docstrings and empty lines are left out of it: a record is not stale because a sentence was mended.
"""

import ast
import hashlib
import io
import sys
import tokenize
from pathlib import Path
from types import ModuleType


def digest(function):
    """Digest of the modules of its package that the function's module takes names from, directly or not."""
    found = hashlib.sha256()
    for name, module in sorted(_modules(function.__module__).items()):
        found.update(f"{name}\n{code(Path(module.__file__).read_text('utf8'))}\n".encode())
    return found.hexdigest()[:16]


def _modules(name):
    """The modules of one package that can be reached from one of them, by name."""
    package, found, todo = name.split(".")[0], {}, [name]
    while todo:
        module = sys.modules.get(todo.pop())
        if module is None or module.__name__ in found or not getattr(module, "__file__", None):
            continue
        found[module.__name__] = module
        for value in vars(module).values():
            other = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(other, str) and other.split(".")[0] == package:
                todo.append(other)
    return found


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
    return "\n".join(line.rstrip() for line in lines if line.strip())
