"""Test the checking machinery, unless just this code has passed its tests here before.

    python -m tools.machinery            # CI=true tests it in any case
"""

import hashlib
import os
import sys

import pytest

from softmaxnotes.proof import kept
from tools.execute import ROOT

PLACES = "tests/proof", "softmaxnotes/proof"


def main() -> int:
    passed = ROOT / "_build/passed" / state()
    if passed.exists() and os.environ.get("CI") != "true":
        print("the machinery has passed its tests as it stands; with CI=true it is tested again")
        return 0
    code = pytest.main(["-n", os.environ.get("JOBS", "auto"), "--dist", "worksteal", "-q", *PLACES])
    if code == 0:
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()
    return code


def state() -> str:
    """A digest of the code and of its tests."""
    folders = (ROOT / "softmaxnotes").glob("*.py"), (ROOT / "tests/proof").rglob("*.py")
    files = sorted(path for paths in folders for path in paths)
    files += [ROOT / "conftest.py", ROOT / "pyproject.toml"]
    contents = [kept.code().encode(), *(path.read_bytes() for path in files)]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
