"""The store of outputs: what makes a chapter stale, and how a failure is told."""

import pytest

from tools import execute

FRONT = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""
CHAPTER = FRONT + """
# Title

```{code-cell} ipython3
from demo.part import f
f()
```

Text.

```{code-cell} ipython3
assert f() == 3
```
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small book of its own."""
    monkeypatch.setattr(execute, "ROOT", tmp_path)
    monkeypatch.setattr(execute, "STORE", tmp_path / "_build")
    monkeypatch.setattr(execute, "PACKAGE", "demo")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    execute._imports.cache_clear()
    files = {
        "_config.yml": "parse: {myst_enable_extensions: [dollarmath]}",
        "requirements.txt": "",
        "page.md": CHAPTER,
        "demo/__init__.py": "",
        "demo/part/__init__.py": "from .inner import f",
        "demo/part/inner.py": "from demo import deep\ndef f():\n    return deep.value",
        "demo/deep.py": "value = 2",
        "demo/other.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def key():
    return execute.key(execute.read("page"))


@pytest.mark.parametrize("name", [
    "demo/deep.py", "demo/part/inner.py", "demo/part/__init__.py", "demo/__init__.py",
])
def test_a_module_in_use_makes_a_chapter_stale(tree, name):
    before = key()
    (tree / name).write_text((tree / name).read_text() + "\n# changed")
    assert key() != before


def test_code_and_requirements_make_a_chapter_stale(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("== 3", "== 4"))
    changed = key()
    (tree / "requirements.txt").write_text("numpy")
    assert len({before, changed, key()}) == 3


def test_text_and_other_modules_do_not(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("Text.", "Another text."))
    (tree / "demo/other.py").write_text("value = 4")
    assert key() == before


def test_a_failure_names_the_cell_and_the_line(tree):
    with pytest.raises(execute.ChapterError) as error:
        execute.execute(["page"], say=lambda text: None)
    report = str(error.value)
    assert report.startswith("page.md:18: code cell 2 failed: assert f() == 3")
    assert "AssertionError" in report
    assert execute.stored("page") is None


def test_what_was_executed_is_not_executed_again(tree):
    (tree / "demo/deep.py").write_text("value = 3")
    said = []
    execute.execute(["page"], say=said.append)
    execute.execute(["page"], say=said.append)
    assert len(said) == 1
    assert execute.code_cells(execute.fresh("page"))[0].outputs[0].data["text/plain"] == "3"
