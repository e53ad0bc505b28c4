"""Which lines of a chapter its page offers to be changed, kept beside its formulas.

To decide it takes half a second for each.  What is kept is of the statements on which the lines rest, and of
the way in which they are judged.  Builds take it from here, and try some lines of each chapter in the Python
of the browser; `trial` tries all.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from tools import settings

HERE = Path(__file__).parent
DECIDING = ("export.py", "judging.py", "lines.py", "plain.py", "programs.py", "reading.py", "slices.py",
            "taken.py", "typeable.py", "typed.lark")


def path(docname: str) -> Path:
    return settings.ROOT / "tests" / f"{docname.removeprefix('book/')}.lines"


def lines(docname: str, statements: str) -> list[dict] | None:
    """Those of a chapter, as `export.exercises` tells of them; None if of something else, or edited."""
    if not path(docname).exists():
        return None
    head, *found = map(json.loads, path(docname).read_text("utf8").splitlines())
    return found if head == _head(statements, found) else None


def keep(docname: str, statements: str, found: list[dict]) -> None:
    """Write the lines of a chapter."""
    rows = [_head(statements, found), *found]
    path(docname).write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf8")


def _head(statements: str, found: list[dict]) -> dict:
    same = re.sub(r"[\s()\\'\x22]", "", statements)  # versions of Python write one statement in other ways
    return {"of": hashlib.sha256(f"{same}{way()}{json.dumps(found)}".encode()).hexdigest()[:16]}


@cache
def way() -> str:
    """A digest of all that decides how what is typed is judged."""
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in DECIDING)).hexdigest()[:16]
