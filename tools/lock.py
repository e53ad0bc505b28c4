"""One process builds, or many read."""

import fcntl
import os
import time
from contextlib import contextmanager
from pathlib import Path

from tools import settings
from tools.errors import ChapterError, writing

ABANDONED = 3600  # seconds after which nobody goes on writing a file

_held = {}  # the locks of this process: whether it only reads


@contextmanager
def locked(*, reading: bool = False):
    """While this process builds, no other one may build or read; many may read at a time.

    The same process may ask again, but who reads may not build.

    Raises
    ------
    ChapterError
        Naming the process that builds.
    """
    path = settings.STORE.parent / "lock"
    if path in _held and (reading or not _held[path]):
        yield
        return
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=0)
    with file:
        with writing(path):
            _lock(file, reading)
        if not reading:
            _sweep(settings.STORE)
            _sweep(settings.verdicts())
        _held[path] = reading
        try:
            yield
        finally:
            del _held[path]


def _lock(file, reading: bool) -> None:
    """The system takes it off, however the process ends."""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if reading else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().decode()
        who = f"process {holder} builds" if holder else "another process reads"
        raise ChapterError(f"{who} the book in {settings.ROOT}: wait for it, or stop it") from None
    file.truncate(0)
    if not reading:
        file.write(b"%d" % os.getpid())


def _sweep(folder: Path) -> None:
    """Remove what processes that were killed did not finish to write."""
    for part in folder.glob("**/*.part"):
        if time.time() - part.stat().st_mtime > ABANDONED:
            part.unlink()
