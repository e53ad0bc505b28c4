"""CONTRIBUTING.md: its chapter is one, and passes the tests that every chapter does."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tools import settings
from tools.testing import FRONT_MATTER

TEXT = (settings.ROOT / "CONTRIBUTING.md").read_text("utf8")
FORMULA, FUNCTION, CHAPTER = re.findall(r"````md\n(.*?)````", TEXT, re.DOTALL)
(FRONT,) = re.findall(r"```yaml\n(needs: .*?)```", TEXT, re.DOTALL)
FILES = dict(re.findall(r"```python\n# ([\w/.]+)[^\n]*\n(.*?)```", TEXT, re.DOTALL))
LAST = "```{code-cell} ipython3\nreport()"


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The book with the chapter in it."""
    clone = tmp_path_factory.mktemp("clone")
    for name in ("book", "proofread", "softmaxnotes", "tests", "tools"):
        shutil.copytree(settings.ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "_toc.yml", "conftest.py", "pyproject.toml", "requirements.txt"):
        shutil.copy(settings.ROOT / name, clone)
    contents = clone / "_toc.yml"
    line = "  - file: book/softmax/square_loss\n"
    text = contents.read_text("utf8")
    assert line in text
    contents.write_text(text.replace(line, f"{line}  - file: book/softmax/softplus\n"), "utf8")
    front = FRONT_MATTER.removesuffix("---\n") + FRONT + "---\n\n"
    page = front + CHAPTER.replace(LAST, f"{FORMULA}\n{FUNCTION}\n{LAST}")
    for name, text in {"book/softmax/softplus.md": page, **FILES}.items():
        (clone / name).write_text(text, "utf8")
    return clone


def test_the_chapter_passes_the_tests_of_a_chapter(clone):
    tests = [*(name for name in FILES if name.startswith("tests/")), "tests/test_vocabulary.py",
             "tests/test_sources.py"]
    pytest = ["pytest", "-v", "-p", "no:cacheprovider", *tests]
    for command in ([*pytest, "--accept-formulas", "-k", "formulas"],
                    ["tools.checker.export", "softmax/softplus"], [*pytest, "-k", "softplus"]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=clone, text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(clone)})
        assert done.returncode == 0, done.stdout + done.stderr
    assert "% eq-softplus\n" in (clone / "tests/softmax/softplus.tex").read_text("utf8")
    for name in ("PAGE::exercises", "PAGE::formulas", "test_a_chapter_depends_on_its_modules",
                 "test_front_matter_and_title"):
        assert name in done.stdout
