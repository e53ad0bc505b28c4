"""A small book, for all tests of what executes and builds one."""

import os

import pytest
from example_pages import CHAPTER

from tools import settings
from tools.settings import ROOT


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small book of its own."""
    monkeypatch.setattr(settings, "ROOT", tmp_path)
    monkeypatch.setattr(settings, "STORE", tmp_path / "_build")
    monkeypatch.setattr(settings, "PACKAGES", ["demo"])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))  # the checker of this tree
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


@pytest.fixture
def there(tree):
    """How a program begins that another process runs on it."""
    return f"""from pathlib import Path
from tools import settings
settings.ROOT = Path({str(tree)!r})
settings.STORE = settings.ROOT / "_build"
settings.PACKAGES = ["demo"]
"""
