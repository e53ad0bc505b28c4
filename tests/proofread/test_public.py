"""The public names: all of them are there, none costs anything until one is asked for."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import proofread
from proofread import evidence, public


def test_what_is_offered_is_what_was_gathered():
    tree = ast.parse(Path(public.__file__).read_text("utf8"))
    gathered = [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted([*gathered, "evidence"]) == sorted(proofread.__all__)
    for name in gathered:
        assert getattr(proofread, name) is getattr(public, name)
    assert proofread.evidence is evidence
    assert {*proofread.__all__} <= {*dir(proofread)}


def test_a_name_that_is_not_offered():
    with pytest.raises(AttributeError, match="module 'proofread' has no attribute 'derive'"):
        proofread.derive


@pytest.mark.parametrize(("code", "heavy"), [
    ("import proofread", False),
    ("from proofread import ledger", False),
    ("from proofread import Derivation", True),
])
def test_sympy_is_imported_with_the_first_name(code, heavy):
    command = [sys.executable, "-c", f"import sys; {code}; print('sympy' in sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{heavy}\n"
