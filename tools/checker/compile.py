"""Run by `compile.mjs`, in the Python of the browser: an archive of sources becomes one of bytecode.

Docstrings and the places of instructions are left out, two fifths of all: nobody reads a traceback there.
"""

import ast
import importlib.util
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc


def compiled(source, name):
    tree = ast.parse(source, name)
    for node in ast.walk(tree):  # a recursive transformer is too deep for the stack of the browser
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), first)]
    code = without_places(compile(tree, name, "exec", dont_inherit=True, optimize=0))
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def without_places(code):
    """The same code; its table says of each instruction that it has no place, since `traceback` breaks on an
    empty one."""
    units = len(code.co_code) // 2
    nowhere = b"\xff" * (units // 8) + (bytes([0xF8 | units % 8 - 1]) if units % 8 else b"")
    return code.replace(co_linetable=nowhere, co_consts=tuple(
        without_places(part) if hasattr(part, "co_code") else part for part in code.co_consts))


def pack(sources, to):
    with zipfile.ZipFile(sources) as given, zipfile.ZipFile(to, "w", zipfile.ZIP_STORED) as got:
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name.endswith(".py"):
                data, name = compiled(data, name), f"{name}c"
            got.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
