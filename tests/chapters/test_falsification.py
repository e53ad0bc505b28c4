"""Chapters with one thing made wrong do not run through."""

import pytest

from tools import execute

# chapter, what it says, what it shall not get away with, the exception
FALSIFICATIONS = []


def failure(name, right, wrong):
    """The report on a chapter in which ``right``, said once, is replaced by ``wrong``."""
    text = execute.source(name).read_text("utf8")
    assert text.count(right) == 1, f"{name}.md says {right!r} {text.count(right)} times"
    line = text[: text.index(right)].count("\n") + 1
    with pytest.raises(execute.ChapterError) as error:
        execute.run(name, execute.read(name, text.replace(right, wrong)))
    return str(error.value), line


@pytest.mark.parametrize(("name", "right", "wrong", "exception"), FALSIFICATIONS)
def test_falsified_chapter_fails(name, right, wrong, exception):
    report, line = failure(name, right, wrong)
    assert exception in report
    # The cell that fails begins at or before the changed line.
    assert int(report.split(":")[1]) <= line
