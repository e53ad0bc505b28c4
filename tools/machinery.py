"""Test the checking machinery, unless just this code has passed its tests here before.

    python -m tools.machinery tests/proofread tests/building    # CI=true tests it in any case

The prover, what executes and builds the book, what draws: none of it depends on a chapter, and a chapter that
is written changes none of it.  pytest-testmon would choose among the tests, but sees only Python that runs in
the process of a test: where the grammar of the reader was broken, it ran none of the 170 tests that failed.
"""

import hashlib
import os
import subprocess
import sys

from tools.digest import modules
from tools.settings import ROOT

# All that they may take, but for the modules of the package: of these, what they import.
TAKEN = ("tests/browser.py", "tests/locks.py", "examples", "tools", "benchmarks/harness.py", "book/_assets",
         "book/references.bib", "_config.yml", "conftest.py", "pyproject.toml", "requirements.txt",
         "CONTRIBUTING.md")


def main(places: list[str]) -> int:
    passed = ROOT / "_build/passed" / state(places)
    if passed.exists() and os.environ.get("CI") != "true":
        print("the machinery has passed its tests as it stands; with CI=true it is tested again")
        return 0
    # a process of its own: here the checker is imported already, before its plugin could be
    code = subprocess.call([sys.executable, "-m", "pytest", "-n", os.environ.get("JOBS", "auto"),
                            "--dist", "worksteal", "-q", *places])
    if code == 0:
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()
    return code


def state(places: list[str]) -> str:
    """A digest of the tests, and of all that they may take."""
    found = [path for place in (*places, *TAKEN) for path in (ROOT / place, *(ROOT / place).rglob("*"))]
    files = {path for path in found if path.is_file() and path.suffix != ".pyc"}
    code = "\n".join(path.read_text("utf8") for path in sorted(files) if path.suffix == ".py")
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(files | modules(code)):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT)}:{len(data)}:".encode() + data)
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
