"""`make lab`: copies of the notebooks, in a JupyterLab that asks nothing and changes no source."""

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest
from visits import ROOT, SITE

from tools import lab


def one_cell(path, source, output=None):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    if output:
        notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text=output)]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def test_copies_follow_the_book_until_they_are_edited(tmp_path):
    book, copies = tmp_path / "book", tmp_path / "copies"
    copies.mkdir()
    for name in ("part/run.ipynb", "part/edited.ipynb", "part/broken.ipynb"):
        one_cell(book / name, "1 + 1")
    assert lab.refresh(copies, book) == []
    one_cell(copies / "part/run.ipynb", "1 + 1", output="2")
    one_cell(copies / "part/edited.ipynb", "1 + 2")
    (copies / "part/broken.ipynb").write_text("not a notebook")
    for name in ("part/run.ipynb", "part/edited.ipynb", "part/broken.ipynb"):
        one_cell(book / name, "2 + 2")
    for _ in range(2):
        assert lab.refresh(copies, book) == ["part/broken.ipynb", "part/edited.ipynb"]
        assert "2 + 2" in (copies / "part/run.ipynb").read_text()
        assert "1 + 2" in (copies / "part/edited.ipynb").read_text()
        assert (copies / "part/broken.ipynb").read_text() == "not a notebook"
    (copies / "part/edited.ipynb").unlink()
    assert lab.refresh(copies, book) == ["part/broken.ipynb"]
    assert "2 + 2" in (copies / "part/edited.ipynb").read_text()


def sources():
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in (ROOT / "book").rglob("*.*")}


SHOWN = SITE / "book/softmax/logits.html"
# a setting of the reader: nobody waits two minutes for the notebook to be saved by itself
SOON = {"@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 2}}


@contextmanager
def running(folder):
    """JupyterLab as `make lab` starts it, on copies in this folder; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token="]
    start = f"from pathlib import Path\nfrom tools import lab\nlab.main({options!r}, Path({str(folder)!r}))"
    own = folder.parent / "config/labconfig/default_setting_overrides.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps(SOON))
    with open(folder.parent / "log", "w") as log:
        process = subprocess.Popen([sys.executable, "-c", start], cwd=ROOT, stdout=log, stderr=log,
                                   env={**os.environ, "JUPYTER_CONFIG_PATH": str(own.parent.parent)},
                                   start_new_session=True)
    try:
        for _ in range(240):
            try:
                urlopen(f"http://127.0.0.1:{port}/api").close()
                break
            except URLError:
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=60)


@pytest.mark.slow
def test_a_chapter_in_jupyterlab(browser, tmp_path, address):
    """Nothing pops up, numbers are those of the site before and after a run, and no source is touched."""
    before, folder = sources(), tmp_path / "notebooks"
    with running(folder) as server:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(70_000)
        page.goto(server)  # opens the first page of the book
        page.locator(".jp-Notebook h1", has_text="Softmax and what grew from it").wait_for()
        page.goto(f"{server}/lab/tree/softmax/logits.ipynb")
        chapter = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        chapter.locator("mjx-container mjx-labels").first.wait_for(state="attached")
        assert page.locator(".jp-Dialog, .Toastify__toast").count() == 0
        # a theorem with its statement, its number and no markup; figures although nothing is trusted yet
        theorem = chapter.locator("blockquote").first
        assert "Theorem 2.1 (Evidence adds to log-odds)" in theorem.inner_text()
        assert theorem.locator("mjx-container[display] mjx-labels").count() == 1
        assert chapter.locator("figure").count() == SHOWN.read_text("utf8").count('<figure id="fig-') > 0
        assert all(chapter.locator("figure img").evaluate_all("found => found.map(i => i.naturalWidth > 0)"))
        words = chapter.inner_text()
        assert not re.search(r"Unknown Directive|\{cite|\{eval|:::", words)
        assert not chapter.locator("details").first.evaluate("d => d.open")
        assert chapter.locator("mjx-merror").count() == 0
        # run what prints the first equation
        copy = folder / "softmax/logits.ipynb"
        saved = copy.stat().st_mtime
        first = chapter.locator(".jp-CodeCell").filter(has=page.locator("mjx-labels")).first
        chapter.locator(".jp-MarkdownCell").first.click()
        while "[ ]" in first.locator(".jp-InputPrompt").inner_text():
            page.keyboard.press("Shift+Enter")
        page.wait_for_function("() => !document.querySelector('.jp-Notebook').innerText.includes('[*]')")
        assert first.locator("mjx-labels").count() == 1
        deadline = time.time() + 60
        while copy.stat().st_mtime == saved and time.time() < deadline:
            time.sleep(0.5)
        assert copy.stat().st_mtime > saved
        page.close()
    assert sources() == before
    assert json.loads((folder / ".written.json").read_text())
    assert lab.refresh(folder) == []  # to have run it is not to have edited it
