"""What was decided, kept from one run of a chapter to the next: the same statement, by the same code.

Kept where the environment variable ``PROOFREAD_VERDICTS`` names a folder, in a folder of its own for each
state of the code; with fresh seeds nothing is kept.  Only what was accepted is: a refusal tells its witness.
"""

import hashlib
import json
import os
import re
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.settings import fresh

LIBRARIES = ("gmpy2", "mpmath", "numpy", "python-flint", "scipy", "sympy")
ABOVE = ("experiments", "sphinx", "testing")  # what compares runs, shows or tests decides nothing here


def kept(kind, parts, decide):
    """What ``decide()`` returns, a dictionary for JSON or None, computed now or known from an earlier run.

    Parameters
    ----------
    kind : str
        What is decided.
    parts : tuple
        All on which the answer depends: expressions, text, numbers, and sequences of these.
    decide : callable
        None is not kept.

    Examples
    --------
    >>> kept("sum", (1, 2), lambda: {"sum": 3})
    {'sum': 3}
    """
    path = _path(kind, parts)
    if path is None:
        return decide()
    try:
        return json.loads(path.read_text("utf8"))
    except (OSError, ValueError):
        pass
    if (answer := decide()) is not None:
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(answer), "utf8")
            part.replace(path)
        except OSError:  # it is decided again the next time
            with suppress(OSError):
                part.unlink()
    return answer


def _path(kind, parts):
    folder = os.environ.get("PROOFREAD_VERDICTS")
    if not folder or fresh():
        return None
    try:
        name = hashlib.sha256(f"{kind} {_told(parts)}".encode()).hexdigest()
    except _Untold:
        return None
    return Path(folder, code(), name[:2], f"{name[2:]}.json")


class _Untold(Exception):
    """Something cannot be told apart from others by a text."""


def _told(part):
    """A text that no other part has, whatever names SymPy's dummies were given."""
    if isinstance(part, (tuple, list)):
        return f"({', '.join(map(_told, part))})"
    if isinstance(part, sp.Basic):
        ranks = {}  # dummies are numbered as they are made, which is another order in another run
        text = re.sub(r"dummy_index=(\d+)", lambda m: f"dummy {ranks.setdefault(m[1], len(ranks))}",
                      sp.srepr(part))
        # SymPy does not tell what an undefined function is assumed to be
        functions = {applied.func for applied in part.atoms(AppliedUndef)}
        assumed = sorted(f"{f.__name__} {sorted(f.default_assumptions.items())}" for f in functions)
        return text + _told(assumed)
    if isinstance(part, (str, int, type(None))):
        return repr(part)
    raise _Untold


def _version(library):
    try:
        return version(library)
    except PackageNotFoundError:  # it is done without
        return None


@cache
def code(package=Path(__file__).parents[1]):
    """The digest of all that decides: this package, and the libraries beneath it."""
    digest = hashlib.sha256(repr([sys.version, *map(_version, LIBRARIES)]).encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.lark")]):
        if path.relative_to(package).parts[0] not in ABOVE:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
