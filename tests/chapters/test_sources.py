"""What the sources of the chapters look like."""

import re

import pytest

from tools import execute

CHAPTERS = execute.chapters()
FRONT_MATTER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

pytestmark = pytest.mark.parametrize("name", CHAPTERS)


def prose(text):
    """Numbered lines outside of front matter, code, and lists of options."""
    fence = None
    for number, line in enumerate(text.splitlines()[FRONT_MATTER.count("\n") :], FRONT_MATTER.count("\n") + 1):
        opening = re.match(r"\s*(`{3,}|~{3,})(\{?)([\w:-]*)", line)
        if opening and fence is None and (not opening[2] or opening[3] == "code-cell"):
            fence = opening[1]
        elif fence and line.strip() == fence:
            fence = None
        elif fence is None and not line.startswith((":", "`", "#", "|", "---")):
            yield number, line


def test_front_matter(name):
    assert execute.source(name).read_text("utf8").startswith(FRONT_MATTER)


def test_cells_are_short(name):
    notebook = execute.read(name)
    assert not [cell.source for cell in execute.code_cells(notebook) if len(cell.source.splitlines()) > 25]


def test_no_displayed_formula_is_typed(name):
    text = execute.source(name).read_text("utf8")
    assert not [(number, line) for number, line in prose(text) if "$$" in line or r"\begin{" in line]
    assert not re.findall(r"^\s*(?:`{3,}|:{3,})\{math\}", text, re.MULTILINE)


def test_one_sentence_per_line(name):
    """A sentence ends in a full stop, and the next begins with a capital, on a line of its own."""
    abbreviation = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\beq)(?<!\bsec)(?<!\bal)(?<!\b[A-Z])(?<!\bp)(?<!\bpp)"
    border = re.compile(abbreviation + r"[.!?][)*_”\"]*\s+(?=[A-Z“$])")
    text = execute.source(name).read_text("utf8")
    lines = [(number, line) for number, line in prose(text) if border.search(re.sub(r"`[^`]*`", "x", line))]
    assert not lines


def test_ends_with_the_report(name):
    """After the exercises, the page says what was checked on it."""
    assert execute.code_cells(execute.read(name))[-1].source.strip().endswith("report()")
