"""What cannot be read, and why."""

import re
from contextlib import contextmanager


class Unreadable(ValueError):
    """TeX that is no formula of the book's language; the message points at the place."""

    def __init__(self, reason, at=0):
        super().__init__(reason)
        self.reason, self.at = reason, at

    def pointed(self, tex):
        """The same, with the place in the TeX below the reason."""
        flat = re.sub(r"\s", " ", tex)
        start = max(0, self.at - 50)
        pointer = " " * (self.at - start) + "^"
        return type(self)(f"{self.reason}\n  {flat[start:self.at + 50]}\n  {pointer}", self.at)


class Ambiguous(Unreadable):
    """TeX with two readings whose expressions differ."""


@contextmanager
def one_way(failures):
    """One way of reading something, among several: why it fails is kept in ``failures``, and others may do.

    What has two meanings keeps them, whatever else could be read.
    """
    try:
        yield
    except Ambiguous:
        raise
    except Unreadable as failure:
        failures.append(failure)
