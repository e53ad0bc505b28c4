"""What a part refuses, in one table: a row is an error, what its message says, and the call that it refuses.

    REFUSED = [
        row(TypeError, "axis to be an integer, got 1.5", gumbel_max, [0.0, 1.0], axis=1.5),
        *rows(TypeError, "real numbers, got an array of type <U1", [gumbel_max, sample_categorical], ["a"]),
    ]

    @pytest.mark.parametrize("refusal", REFUSED)
    def test_what_is_refused(refusal):
        refusal.check()
"""

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
import torch


@dataclass
class Refusal:
    error: type
    says: str
    call: partial

    def check(self):
        with pytest.raises(self.error, match=self.says) as caught:
            self.call()
        assert type(caught.value) is self.error or issubclass(type(caught.value), IndexError)  # of an axis
        assert re.match(r".*expected .*got |no ", str(caught.value), re.S), str(caught.value)


def row(error, says, function, *arguments, **named):
    """One call that is refused; ``says`` is a regular expression."""
    name = getattr(function, "__name__", type(function).__name__)
    return pytest.param(Refusal(error, says, partial(function, *arguments, **named)), id=f"{name}: {says}")


def rows(error, says, functions, *arguments, **named):
    """The same call of several functions."""
    return [row(error, says, function, *arguments, **named) for function in functions]


def types(read, differentiable=()):
    """What is no array of real numbers, for functions of one array by the name that messages give it.

    A tensor with a gradient is refused as well, but for names that are ``differentiable``.
    """
    bad = [(["a", "b"], "to be real numbers.*, got an array of type <U1"),
           ([1j, 2], "to be real numbers.*, got an array of type complex128"),
           (np.ma.array([0.0, 1.0], mask=[0, 1]), "without a mask, got")]
    graph = torch.ones(2, requires_grad=True), "without a gradient, got a tensor"
    return [row(TypeError, f"expected {name} {says}", function, x)
            for name, functions in read.items() for function in functions
            for x, says in (bad if name in differentiable else [*bad, graph])]


def counts(counted):
    """What is no number of things: rows are its name, the least it may be, and functions that take it."""
    return [row(error, says, function, **{name: n})
            for name, least, functions in counted for function in functions
            for n, error, says in (
                (least - 1, ValueError, f"expected {name} to be at least {least}, got {least - 1}"),
                (2.0, TypeError, f"expected {name} to be an integer, got 2.0"),
                (True, TypeError, f"expected {name} to be an integer, got True"))]
