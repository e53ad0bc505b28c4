"""What stops a program of the workshop, and how a reader is told."""

import sys
from contextlib import contextmanager
from functools import wraps
from pathlib import Path


class ChapterError(Exception):
    """A chapter did not run through; says where and why."""


class Unknown(Exception):
    """Nothing has the name that was given."""


def told(main):
    """A program that says in a paragraph why it stops, without a traceback."""
    @wraps(main)
    def program(*arguments) -> int:
        try:
            return main(*arguments)
        except (ChapterError, Unknown) as error:
            print(f"\n{error}", file=sys.stderr)
            return 1

    return program


@contextmanager
def writing(path: Path):
    """Tell of trouble in the words of a reader: what could not be written, and why."""
    try:
        yield
    except OSError as error:
        raise ChapterError(f"{path} could not be written: {error.strerror}") from None
