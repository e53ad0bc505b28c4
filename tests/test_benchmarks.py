"""The benchmarks: what was measured is shown, and where the package is behind, it says why."""

import json
import re

import pytest

from tools import chapters, settings

FOLDER = settings.ROOT / "benchmarks"
MEASURED = sorted(FOLDER.glob("*.json"))


def test_every_table_stands_on_one_page():
    text = "".join(chapters.source(page).read_text("utf8") for page in chapters.pages())
    shown = re.findall(r"^```\{benchmark\} (\w+)$", text, re.MULTILINE)
    assert sorted(shown) == [path.stem for path in MEASURED]


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
def test_no_table_leaves_a_row_without_its_reason(path):
    table = json.loads(path.read_text("utf8"))
    assert all(len(row) == len(table["columns"]) for row in table["rows"]) and table["rows"]
    assert "no reason known" not in table["note"] and "not borne out" not in table["note"]
