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

import pytest


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
