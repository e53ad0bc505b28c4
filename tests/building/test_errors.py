"""A full disk is told in a line, whoever writes."""

import builtins
import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import build, compare, execute, lab, lock, settings, store

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told(tree, capsys):
    (tree / "demo/deep.py").write_text("value = 3")
    if not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    (settings.STORE / "page.ipynb").parent.mkdir(parents=True, exist_ok=True)
    real = Path.write_text

    def full(path, text, *rest):
        return real(Path("/dev/full") if path.suffix == ".part" else path, text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        assert execute.main(["page"]) == 1
    assert "page.ipynb could not be written: No space left on device" in capsys.readouterr().err
    assert store.stored("page") is None


@pytest.mark.parametrize("where", [(Path, "mkdir"), (builtins, "open"), (lock, "_lock")],
                         ids=["folder", "file", "lock"])
@pytest.mark.parametrize("tool", [execute, build, compare, lab], ids=lambda tool: tool.__name__)
def test_a_disk_that_is_full_from_the_start_is_told_in_a_line(tool, where, tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    (tree / "_toc.yml").write_text("root: page\n")
    with monkeypatch.context() as patch:
        patch.setattr(*where, full)
        assert tool.main([]) == 1
    said = capsys.readouterr().err.strip()
    assert said.endswith("could not be written: No space left on device") and "\n" not in said


def test_a_disk_that_is_full_when_the_site_is_written_is_told_in_a_line(tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=full))
    monkeypatch.setattr(execute, "main", lambda names: 0)
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    assert build.main([]) == 1
    said = capsys.readouterr().err.strip()
    assert said == f"{tree}/_build/html could not be written: No space left on device"


def test_a_disk_that_is_full_when_a_first_preview_begins_is_told_in_a_line(tree, monkeypatch, capsys):
    def full(*args, **options):
        raise FULL

    (tree / "_build/html").mkdir(parents=True)
    (tree / "_build/html/page.html").write_text("built")
    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=None))
    monkeypatch.setattr(build.shutil, "copy2", full)
    monkeypatch.setattr(build, "known", lambda names: names)
    monkeypatch.setattr(execute, "main", lambda names: 0)
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    assert build.main(["page"]) == 1
    said = capsys.readouterr().err.strip()
    assert said == f"{tree}/_build/preview/_build/html could not be written: No space left on device"
