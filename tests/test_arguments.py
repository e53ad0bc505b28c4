"""softmaxnotes.arguments: what is read, and what is refused and how; private names stay in their module."""

import ast
import subprocess
import sys

import numpy as np
import pytest
import torch

from softmaxnotes.arguments import (
    as_array,
    as_real,
    broadcast_shape,
    broadcast_to,
    check_bits,
    check_entries,
    check_finite,
    check_positive,
    check_unit_interval,
    first_entry,
    is_tensor,
    read_axes,
    read_axis,
    read_choice,
    read_count,
    read_floats,
    read_generator,
    read_labels,
    read_number,
    read_rng,
    read_size,
    read_temperature,
)
from tools.settings import ROOT


def test_sizes():
    assert read_size(None) == () and read_size(3) == (3,) and read_size((2, 0)) == (2, 0)
    assert read_size(np.array([4, 5])) == (4, 5)
    for bad in (2.0, "3", [1.5]):
        with pytest.raises(TypeError, match="expected size to be an integer or a tuple of integers, got"):
            read_size(bad)
    with pytest.raises(ValueError, match=r"expected size not to be negative, got \(2, -1\)"):
        read_size((2, -1))


def test_counts_and_axes():
    assert read_count("draws", np.int64(4)) == 4 and read_count("k", 0, least=0) == 0
    assert read_axis(-2, 3) == 1
    for bad in (1.0, "1", None, [1], True, np.True_):
        with pytest.raises(TypeError, match="expected draws to be an integer, got"):
            read_count("draws", bad)
        with pytest.raises(TypeError, match="expected axis to be an integer, got"):
            read_axis(bad, 1)
    assert read_axes(None, 3) == (0, 1, 2) and read_axes((-1, 0), 3) == (2, 0) and read_axes(1, 2) == (1,)
    for axis, ndim, says in ((2, 2, "axis to be from -2 to 1, got axis 2"),
                             (-1, 0, "an array with axes, got axis -1")):
        with pytest.raises(np.exceptions.AxisError, match=says):
            read_axis(axis, ndim)
        with pytest.raises(np.exceptions.AxisError, match=says):
            read_axes((axis,), ndim)
    with pytest.raises(ValueError, match=r"axes that differ, got \(0, -2\)"):
        read_axes((0, -2), 2)
    with pytest.raises(ValueError, match="expected draws to be at least 2, got 1"):
        read_count("draws", 1, least=2)


def test_tensors():
    assert is_tensor(torch.zeros(2)) and not is_tensor(np.zeros(2))
    code = "import sys, softmaxnotes.arguments as a; assert not a.is_tensor(1) and 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_tensors_are_taken_without_a_gradient():
    assert as_array(torch.ones(2)).dtype == np.float32 and as_array([True]).dtype == bool
    assert (as_array(torch.tensor([0.5], dtype=torch.bfloat16)) == 0.5).all()
    with pytest.raises(TypeError, match="expected logits without a gradient, got a tensor that needs one"):
        as_array(torch.ones(2, requires_grad=True), "logits")


def test_real_numbers_come_back_in_the_type_in_which_they_came():
    for given, kind in ((np.float16(1), np.float16), (True, np.float64), (3, np.float64),
                        (np.ones(1, ">f4"), np.float32), (np.longdouble(1), np.longdouble)):
        x, dtype = as_real(given)
        assert dtype == kind and x.dtype.isnative and x.dtype.itemsize >= 4
    with pytest.raises(TypeError, match="expected real numbers, got an array of type complex128"):
        as_real(1j)
    with pytest.raises(TypeError, match="expected logits to be real numbers, got an array of type <U1"):
        as_real("1", "logits")


def test_labels():
    assert read_labels([0, 2], 3, (2,)).dtype == np.intp and read_labels([], 3).size == 0
    for bad, kind, says in (([0.0], TypeError, "labels to be integers, got an array of type float64"),
                            ([True], TypeError, "got an array of type bool"),
                            ([3], ValueError, "from 0 to 2, got 3 to 3"),
                            ([-1, 0], ValueError, "got -1 to 0"),
                            ([[0]], ValueError, r"shape \(1,\), got \(1, 1\)")):
        with pytest.raises(kind, match=says):
            read_labels(bad, 3, (1,) if np.ndim(bad) == 2 else None)


def test_shapes_that_do_not_fit_are_named():
    assert broadcast_shape(loc=np.ones((2, 1)), scale=np.ones(3)) == (2, 3)
    with pytest.raises(ValueError, match=r"got loc of shape \(2,\) and scale of shape \(3,\)"):
        broadcast_shape(loc=np.ones(2), scale=np.ones(3))
    assert broadcast_to((4, 2), "loc", np.ones(2)).shape == (4, 2)
    for shape in ((3,), (), (1,)):
        with pytest.raises(ValueError, match=r"expected loc to broadcast to the shape .*, got \(2,\)"):
            broadcast_to(shape, "loc", np.ones(2))


def test_temperatures_and_choices():
    assert read_temperature(2) == 2.0 and read_temperature(np.float32(0.5), np.float32) == 0.5
    for bad in (0, -1.0, np.inf, np.nan, "2", [1.0, 2.0], None, 1j):
        with pytest.raises(ValueError, match="temperature to be one positive number, finite in float64, got"):
            read_temperature(bad)
    with pytest.raises(ValueError, match="finite in float32"):
        read_temperature(1e-60, np.float32)
    assert read_temperature(1e-60) == 1e-60 and read_temperature(True) == read_temperature(np.float16(1)) == 1
    assert read_choice("method", "score", ("score", "arsm")) == "score"
    with pytest.raises(ValueError, match="expected method to be 'a', 'b' or 'c', got 'd'"):
        read_choice("method", "d", ["a", "b", "c"])


def test_numbers():
    for given in (True, 1, 1.0, np.float32(1), torch.tensor(1.0)):
        assert type(read_number("y", given, positive=True)) is float
    assert read_number("y", -2) == -2
    for bad in (np.nan, np.inf, "1", [1.0], None, 1j):
        with pytest.raises(ValueError, match="expected y to be one finite number, got"):
            read_number("y", bad)
    for bad in (0, -1.0):
        with pytest.raises(ValueError, match=f"expected y to be one positive, finite number, got {bad}"):
            read_number("y", bad, positive=True)


def test_generators():
    known = np.random.default_rng(3)
    assert read_rng(known) is known and read_rng(np.int64(3)).random() == np.random.default_rng(3).random()
    assert read_rng(None).random() != read_rng(None).random()
    for bad in (torch.Generator(), "3", 2.0, True):
        with pytest.raises(TypeError, match=r"rng to be None, an integer or a numpy\.random\.Generator, got"):
            read_rng(bad)
    given = torch.Generator().manual_seed(3)
    assert read_generator(None) is None and read_generator(given) is given
    assert torch.rand((), generator=read_generator(3)) == torch.rand((), generator=given)
    for bad in (known, "3", 2.0, True):
        with pytest.raises(TypeError, match=r"generator to be None, an integer or a torch\.Generator, got"):
            read_generator(bad)


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
    with pytest.raises(ValueError, match=r"b to be positive, got 0.0 in b\[1\]"):
        check_positive(a=np.ones(1), b=np.array([1.0, 0.0]))
    check_unit_interval(a=np.array([0, 0.5, 1]), b=np.zeros(0))
    for bad in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match=rf"b from 0 to 1, got {bad} in b\[0, 1\]"):
            check_unit_interval(a=np.ones(1), b=np.array([[1.0, bad]]))
    assert first_entry("a", np.array([3, -1, -2]), np.array([False, True, True])) == "-1 in a[1]"
    assert first_entry("a", np.float64(2), np.True_) == "2.0 in a"


def test_the_first_entry_that_is_not_as_it_must_be():
    x = np.array([[0.0, 2.0], [3.0, 1.0]])
    check_entries("x", x, x < 4, "below 4")
    with pytest.raises(ValueError, match=r"expected x below 2, got 2.0 in x\[0, 1\]"):
        check_entries("x", x, x < 2, "below 2")
    with pytest.raises(ValueError, match="expected x below 2, got 3.0 in x$"):
        check_entries("x", np.float64(3), np.False_, "below 2")


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
