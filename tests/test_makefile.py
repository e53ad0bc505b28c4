"""The Makefile: a target runs what is slow."""

import os
import re
import subprocess
from collections import Counter

import pytest

from tools.settings import ROOT


def dry_run(*goals):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(["make", "--dry-run", *goals], cwd=ROOT, env=environment, check=True,
                          capture_output=True, text=True)


def recipe(*goals):
    """What make would run."""
    return dry_run(*goals).stdout.replace("\\\n", "")


TARGETS = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text("utf8"), re.M)


@pytest.mark.parametrize("target", " ".join(TARGETS).split())
def test_a_target_uses_no_variable_that_nobody_sets(target):
    warnings = dry_run("--warn-undefined-variables", target, "NAME=softmax/numerics").stderr
    undefined = set(re.findall(r"undefined variable '(\w+)'", warnings))
    assert undefined <= {"SEED", "UV_TORCH_BACKEND"}  # which a caller may give


@pytest.mark.parametrize("variable", ["OMP_NUM_THREADS", "OMP_THREAD_LIMIT"])
def test_tests_run_side_by_side_whatever_openmp_is_told(monkeypatch, variable):
    for name in ("JOBS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    plain = recipe("unit")
    monkeypatch.setenv(variable, "1")
    assert recipe("unit") == plain


def test_what_is_slow_is_run_by_a_target():
    marked = {path for path in (ROOT / "tests").rglob("test_*.py")
              if re.search(r"\bmark\.slow\b|\bslow=True\)", path.read_text("utf8"))}
    runs = " ".join(line for line in recipe("slow").splitlines() if "-m slow" in line)
    places = [ROOT / word for word in runs.split() if word.startswith("tests/")]
    assert marked
    assert not [path for path in marked if not any(map(path.is_relative_to, places))]


def test_files_of_tests_can_be_run_together():
    """Their folders are no packages, so that pytest takes two files of one name for one."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
