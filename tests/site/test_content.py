"""What the site says agrees with the notebooks that it publishes."""

import json
import re
import shutil
import subprocess
import sys
from urllib.parse import urljoin
from urllib.request import urlopen

import nbformat
import pytest
from conftest import PUBLISHED, ROOT, SITE, Visit

from tools import execute, ledger

CHAPTERS = execute.chapters()


@pytest.fixture(scope="module")
def notebooks(address):
    return {name: nbformat.read(PUBLISHED / f"{name}.ipynb", as_version=4) for name in CHAPTERS}


def html(name):
    return (SITE / f"{name}.html").read_text("utf8")


def test_published_notebooks_hold_outputs(notebooks):
    """A notebook without outputs would make the comparison with its re-execution vacuous."""
    for name, notebook in notebooks.items():
        assert execute.code_cells(notebook), name
        assert all(cell.execution_count for cell in execute.code_cells(notebook)), name
        assert any(cell.outputs for cell in execute.code_cells(notebook)), name


def test_no_notebook_of_another_time(notebooks):
    found = {path.relative_to(PUBLISHED).with_suffix("").as_posix() for path in PUBLISHED.rglob("*.ipynb")}
    assert found == set(CHAPTERS)


def test_chapters_print_no_warnings(notebooks):
    for name, notebook in notebooks.items():
        outputs = [output for cell in execute.code_cells(notebook) for output in cell.outputs]
        assert not [output.text for output in outputs if output.get("name") == "stderr"], name


@pytest.mark.parametrize("name", CHAPTERS)
def test_download(name, address):
    """The download button gives the published notebook."""
    (button,) = re.findall(r"<a\b[^>]*\bbtn-download-notebook-button\b[^>]*>", html(name))
    link = urljoin(f"{address}/{name}.html", re.search(r'href="([^"]*)"', button)[1])
    with urlopen(link) as answer:
        body = answer.read()
    assert body == (PUBLISHED / f"{name}.ipynb").read_bytes()
    nbformat.validate(nbformat.reads(body.decode("utf8"), as_version=4))


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_equation_number_has_its_evidence(name, notebooks):
    labels = [entry.label for entry in execute.entries(notebooks[name]) if entry.label]
    page = html(name)
    assert page.count('class="evidence"') == len(labels) == page.count("Link to this equation")
    for label in labels:
        assert f'#{ledger.anchor(label)}"' in page


def test_the_ledger_lists_what_the_notebooks_hold(notebooks):
    page = html(ledger.LEDGER)
    rows = [entry for notebook in notebooks.values()
            for entry in ledger.titled_checks(execute.entries(notebook))]
    assert len(re.findall(r'class="ledger-entry[^"]*"', page)) == len(rows)
    for entry in rows:
        assert not entry.label or f'id="{ledger.anchor(entry.label)}"' in page


def test_no_page_shows_tex_between_dollars(notebooks):
    """Conditions come as Markdown, which a page made from docstrings does not read as such."""
    shown = re.compile(r"<(pre|code|script|style|annotation)\b.*?</\1>|<[^>]*>", re.DOTALL)
    raw = {path.name: found for path in SITE.rglob("book/**/*.html")
           if (found := re.findall(r"\$[^$\n]{1,60}\$", shown.sub("", path.read_text("utf8"))))}
    assert not raw


def test_search_works_offline(browser, address):
    visit = Visit(browser, address, "search")
    visit.page.wait_for_load_state("networkidle")  # leaving earlier would abort the request of an icon
    visit.page.goto(f"{address}/search.html?q=softmax")
    visit.page.wait_for_selector("#search-results li a", timeout=10_000)
    assert not visit.troubles
    visit.close()


def test_a_tampered_notebook_is_found_out(notebooks, tmp_path):
    """The comparison of `make test` compares: a wrong output makes it fail."""
    name, notebook = min(notebooks.items(), key=lambda item: item[1].metadata.get("seconds", 0))
    text = json.dumps(notebook)
    outputs = [o for cell in execute.code_cells(notebook) for o in cell.outputs
               if "text/plain" in o.get("data", {})]
    outputs[0].data["text/plain"] += " (tampered)"
    assert json.dumps(notebook) != text
    path = tmp_path / "tampered.ipynb"
    nbformat.write(notebook, path)
    command = [sys.executable, "-m", "tools.compare", str(path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert result.returncode == 1, result.stdout
    assert "tampered" in result.stdout


BAD = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A chapter with faults

$$
1 = 2
$$ (eq-typed)

```{code-cell} ipython3
from softmaxnotes.proof import Definition, sympy as sp

x = sp.Symbol("x", real=True)
Definition("f", (x,), x**2, label="eq-f", title="a square", rows=["S9-999"])
```

This is $\\nonsense$.
See {eq}`eq-nowhere` and {row}`S8-888`.

```{statement} eq-unknown
```
"""

FAULTS = [
    "displayed equation is not printed from a checked object: eq-typed",
    "KaTeX cannot render",
    "equation not found: eq-nowhere",
    "no checked object has the label eq-unknown",
    "the sources have no row S9-999",
    "the sources have no row S8-888",
]


FORGED = BAD.split("```{code-cell}")[0].replace("$$\n1 = 2\n$$ (eq-typed)\n", "") + """
```{code-cell} ipython3
from IPython.display import Markdown, display
from softmaxnotes.proof import Definition, sympy as sp

x = sp.Symbol("x", real=True)
f = Definition("f", (x,), x**2, label="eq-f", title="a square")
display(f)
FORGERY
```
"""
FORGERIES = {
    "an entry of its own": """display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"softmaxnotes": {
        "kind": "derivation", "status": "proved", "label": "eq-g", "tex": "1 = 2", "display": "1 = 2"}})""",
    "no entry at all": 'display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"softmaxnotes": {"rows": []}})',
    "an entry that was changed": """shown, metadata = f._repr_mimebundle_()
metadata["softmaxnotes"] |= {"status": "proved"}
display(shown, metadata=metadata, raw=True)""",
    "another formula under a checked entry": """shown, metadata = f._repr_mimebundle_()
display({"text/markdown": "$$\\nf(x) = x^3\\n$$ (eq-f)"}, metadata=metadata, raw=True)""",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_metadata_that_a_cell_writes_itself_passes_nothing(small_book, forgery):
    result = small_book(FORGED.replace("FORGERY", FORGERIES[forgery]))
    assert result.returncode == 1, result.stdout
    another = forgery.startswith("another")
    told = "is not printed from a checked object" if another else "evidence that no check has entered"
    assert told in result.stderr, result.stderr


def test_what_was_not_forged_passes(small_book):
    result = small_book(FORGED.replace("FORGERY", "assert f(2).unfold() == 4"))
    assert result.returncode == 0, result.stderr


@pytest.fixture
def small_book(tmp_path):
    """Build a book of one page."""
    for part in ("tools", "book/_assets"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for part in ("_config.yml", "requirements.txt", "book/references.bib"):
        shutil.copy(ROOT / part, tmp_path / part)
    toc = "format: jb-book\nroot: book/bad\nchapters:\n- file: book/references\n"
    (tmp_path / "_toc.yml").write_text(toc)
    (tmp_path / "book/references.md").write_text("# References\n\n```{bibliography}\n```\n")

    def build(text):
        (tmp_path / "book/bad.md").write_text(text)
        command = [sys.executable, "-m", "tools.build"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    return build


def test_the_build_refuses_what_is_not_checked(small_book):
    """One chapter with many faults; and building it a second time does not make it pass."""
    for _ in range(2):
        result = small_book(BAD)
        assert result.returncode == 1, result.stdout
        assert not [fault for fault in FAULTS if fault not in result.stderr], result.stderr
