"""softmaxnotes.arguments: what is read, and what is refused and how; private names stay in their module."""

import ast
import subprocess
import sys

import numpy as np
import pytest
import torch

from softmaxnotes.arguments import (
    check_bits,
    check_finite,
    check_positive,
    is_tensor,
    read_axis,
    read_count,
    read_floats,
    read_size,
)
from tools.settings import ROOT


def test_sizes():
    assert read_size(None) == () and read_size(3) == (3,) and read_size((2, 0)) == (2, 0)
    assert read_size(np.array([4, 5])) == (4, 5)
    for bad in (2.0, "3", [1.5]):
        with pytest.raises(TypeError, match="size must be an integer or a tuple of integers, got"):
            read_size(bad)
    with pytest.raises(ValueError, match=r"size must not be negative, got \(2, -1\)"):
        read_size((2, -1))


def test_counts_and_axes():
    assert read_count("draws", np.int64(4)) == 4 and read_count("k", 0, least=0) == 0 and read_axis(-2) == -2
    for bad in (1.0, "1", None, [1], True, np.True_):
        with pytest.raises(TypeError, match="draws must be an integer, got"):
            read_count("draws", bad)
        with pytest.raises(TypeError, match="axis must be an integer, got"):
            read_axis(bad)
    with pytest.raises(ValueError, match="expected draws of at least 2, got 1"):
        read_count("draws", 1, least=2)


def test_tensors():
    assert is_tensor(torch.zeros(2)) and not is_tensor(np.zeros(2))
    code = "import sys, softmaxnotes.arguments as a; assert not a.is_tensor(1) and 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_floats_keep_their_type():
    single, whole, bits = read_floats(a=np.float32([1]), b=[1, 2], c=True)
    assert (single.dtype, whole.dtype, bits.dtype) == (np.float32, np.float64, np.float64)
    for bad, says in ((1j, "a to be real .* complex128"), (np.longdouble(1), "up to float64"), ("1", "real"),
                      (np.ma.array([1.0], mask=[True]), "a without a mask")):
        with pytest.raises(TypeError, match=says):
            read_floats(a=bad)


def test_finite_and_positive_numbers():
    large = np.full((2, 2), 1e308)  # the sum overflows, the numbers don't
    check_finite(a=large, b=np.float64(0))
    check_positive(a=large)
    large[1, 0] = np.nan
    with pytest.raises(ValueError, match=r"finite numbers, got nan in b\[1, 0\]"):
        check_finite(a=np.zeros(2), b=large)
    with pytest.raises(ValueError, match="got inf in a$"):
        check_finite(a=np.float64(np.inf))
    with pytest.raises(ValueError, match="b to be positive, got 0.0"):
        check_positive(a=np.ones(1), b=np.array([1.0, 0.0]))


@pytest.mark.parametrize("kind", [np.array, torch.tensor])
def test_bits(kind):
    check_bits(kind([[0.0, 1.0]]))
    for bad in ([0.0, 1.0], [[0.5]], np.zeros((0, 3))):
        with pytest.raises(ValueError, match=r"bits for pixels, got shape \("):
            check_bits(kind(bad))


def private_names(path):
    """What a module takes from others of the package although its name begins with an underscore."""
    tree = ast.parse(path.read_text("utf8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
               and (node.level or node.module.split(".")[0] in ("softmaxnotes", "harness"))]
    names = {alias.asname or alias.name: alias.name for node in imports for alias in node.names}
    reached = {f"{node.value.id}.{node.attr}" for node in ast.walk(tree) if isinstance(node, ast.Attribute)
               and isinstance(node.value, ast.Name) and node.value.id in names and node.attr[0] == "_"
               and node.attr[:2] != "__"}
    return {name for name in names.values() if name[0] == "_"} | reached


def test_no_module_takes_a_private_name_of_another():
    paths = [*(ROOT / "softmaxnotes").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    found = {str(path.relative_to(ROOT)): private_names(path) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}
