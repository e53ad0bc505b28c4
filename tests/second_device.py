"""A second device without a card: tensors that say ``meta`` and hold their numbers on the CPU.

What mixes them with tensors of the CPU, asks them for an array of NumPy, or draws for one device with a
generator of the other is refused, as with a GPU.  It decides where things are, not what kernels return.
"""

from contextlib import contextmanager

import torch
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing
from torch.utils._pytree import tree_leaves, tree_map

NAME, CPU = "meta", torch.device("cpu")
COPIED = ("aten._to_copy", "aten.copy_")  # from one to the other
INDEXED = ("aten.index.Tensor", "aten.index_put", "aten._index_put_impl")  # there, by indices from here
_MARK = 1 << 62  # in the seed: a generator comes back from C++ without its class


class Generator(torch.Generator):
    """A generator of that device."""

    device = property(lambda self: torch.device(NAME))

    def manual_seed(self, seed):
        super().manual_seed(int(seed) | _MARK)
        return self


class There(torch.Tensor):
    """A tensor on that device."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.size(), strides=inner.stride(), storage_offset=inner.storage_offset(),
            dtype=inner.dtype, device=NAME)

    def __init__(self, inner):
        self.inner = inner

    def tolist(self):
        return self.inner.tolist()

    def numpy(self, *args, **kwargs):
        raise TypeError("can't convert a tensor of another device to numpy; use Tensor.cpu()")

    def __array__(self, *args, **kwargs):
        return self.numpy()

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return _do(func, args, kwargs or {})


class _Mode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return _do(func, args, kwargs or {})


def _do(func, args, kwargs):
    """An operation, where its arguments are."""
    given = tree_leaves((args, kwargs))
    there = [x for x in given if isinstance(x, There)]
    here = [x for x in given if isinstance(x, torch.Tensor) and x.device == CPU]
    may_mix = str(func).startswith(COPIED) or str(func).startswith(INDEXED) and isinstance(args[0], There)
    if there and any(x.ndim for x in here) and not may_mix:
        raise RuntimeError(f"expected all tensors to be on the same device, found two ({func})")
    asked = kwargs.get("device")
    goes = bool(there) if asked is None else torch.device(asked).type == NAME
    if str(func).startswith("aten.copy_"):
        goes = isinstance(args[0], There)
    for generator in (x for x in given if isinstance(x, torch.Generator)):
        if bool(generator.initial_seed() & _MARK) != goes:
            raise RuntimeError("expected a generator of the device of what is drawn")

    def inner(x):
        return x.inner if isinstance(x, There) else CPU if x == torch.device(NAME) else x

    found = func(*tree_map(inner, args), **tree_map(inner, kwargs))
    if not goes:
        return found
    found = tree_map(lambda x: There(x) if isinstance(x, torch.Tensor) else x, found)
    return return_and_correct_aliasing(func, args, kwargs, found) if there and args[0] is there[0] else found


@contextmanager
def second_device(patch):
    """With ``device="meta"`` in it, such tensors and generators are made."""
    tensor, as_tensor, generator, autocast = torch.tensor, torch.as_tensor, torch.Generator, torch.autocast

    def moved(x, device):
        return x.to(NAME) if device is not None and torch.device(device).type == NAME else x

    class Made(type(generator)):
        def __instancecheck__(cls, x):
            return isinstance(x, generator)

        def __call__(cls, device="cpu"):
            return Generator() if torch.device(device).type == NAME else generator()

    patch.setattr(torch, "tensor", lambda x, *, device=None, **how: moved(tensor(x, **how), device))
    patch.setattr(torch, "as_tensor", lambda x, *, device=None, **how: moved(as_tensor(x, **how), device))
    patch.setattr(torch, "Generator", Made("Generator", (), {}))
    patch.setattr(torch, "autocast", lambda kind, *args, **how: autocast("cpu", *args, **how))
    with _Mode():
        yield NAME
