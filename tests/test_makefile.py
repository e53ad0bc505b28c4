"""The Makefile: a target runs what is slow."""

import os
import re
import subprocess

from tools.settings import ROOT


def recipe(*goals):
    """What make would run."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    run = subprocess.run(["make", "--dry-run", *goals], cwd=ROOT, env=environment, check=True,
                         capture_output=True, text=True)
    return run.stdout.replace("\\\n", "")


def test_what_is_slow_is_run_by_a_target():
    tests = ROOT / "tests"
    marked = {f"tests/{path.relative_to(tests).parts[0]}" for path in tests.rglob("test_*.py")
              if re.search(r"\bmark\.slow\b", path.read_text("utf8"))}
    (run,) = (line for line in recipe("weekly").splitlines() if "-m slow" in line)
    assert marked == {word for word in run.split() if word.startswith("tests/")}
