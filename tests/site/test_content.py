"""What the site says agrees with the notebooks that it publishes."""

import re
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin
from urllib.request import urlopen

import nbformat
import pytest
from sphinx.errors import ConfigError
from visits import PUBLISHED, ROOT, SITE

from tools import build, execute, ledger
from tools.notebook import log, places
from tools.site import settle

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


def test_captions_are_true_on_a_dark_page():
    """Ink that is black on a light page is white there, and what is pale is dark."""
    told = re.compile(r'<figcaption.*?</figcaption>|aria-label="[^"]*"', re.DOTALL)
    said = {name: " ".join(told.findall(html(name))).replace("black and white", "") for name in CHAPTERS}
    shades = re.compile(r"\b(black|white|dark\w*|lighter|pale\w*)\b", re.IGNORECASE)
    assert {name: found for name, text in said.items() if (found := shades.findall(text))} == {}


def test_the_library_leads_to_a_description_of_every_public_name():
    page = html("book/back/api")
    for path in sorted((ROOT / "softmaxnotes").glob("*/__init__.py")):
        module = import_module(f"softmaxnotes.{path.parent.name}")
        for name in filter(lambda name: callable(getattr(module, name)), module.__all__):
            found = re.search(rf'href="([^"]*)#{re.escape(module.__name__)}\.{name}"', page)
            assert found, f"{module.__name__}.{name} is not in the library"
            assert f'id="{module.__name__}.{name}"' in html(f"book/back/{found[1].removesuffix('.html')}")


def test_the_notation_has_a_row_for_each_definition_and_each_declared_symbol(notebooks):
    rows = html("book/back/notation").split("<tr")
    words = [set(re.findall(r"\w+", row)) for row in rows]
    for notebook in notebooks.values():
        for entry in execute.entries(notebook):
            if entry.kind == "definition" and entry.label:
                link = f"#equation-{entry.label}"
                assert any(entry.title in row and link in row for row in rows), entry.label
            for text in entry.findings if entry.kind == "symbols" else ():
                told = set(re.findall(r"\w+", re.sub(r"\$[^$]*\$", "", text)))
                assert any(told <= row for row in words), text


@pytest.mark.parametrize("name", CHAPTERS)
def test_download(name, address):
    """The download button gives the notebook that `test_notebooks` reads."""
    (button,) = re.findall(r'<a\b[^>]*\bid="notebook"[^>]*>', html(name))
    link = urljoin(f"{address}/{name}.html", re.search(r'href="([^"]*)"', button)[1])
    with urlopen(link) as answer:
        body = answer.read()
    assert body == (SITE / "_sources" / f"{name}.ipynb").read_bytes()
    nbformat.validate(nbformat.reads(body.decode("utf8"), as_version=4))


@pytest.mark.parametrize("name", CHAPTERS[1:])
def test_a_chapter_lists_what_it_cites(name, address):
    """And nothing else: on paper a link to the references leads nowhere."""
    page = html(name)
    cited, listed = (set(re.findall(f'{place}cited-([^"]+)', page)) for place in ('href="#', 'id="'))
    assert cited == listed and not re.search(r'href="[^"]*references\.html#id', page)
    assert bool(listed) == ("{cite" in (ROOT / f"{name}.md").read_text("utf8"))


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_report_gives_figures_their_numbers(name, address):
    page = html(name)
    report = page.partition('<details class="report">')[2].partition("</details>")[0]
    for figure in re.findall(r'<figure id="(fig-[\w-]+)"', page) if report else ():
        assert re.search(rf'<td><p><a href="#{figure}">Figure [\d.]+</a></p></td>', report), figure


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_equation_number_has_its_evidence(name, notebooks):
    labels = [entry.label for entry in execute.entries(notebooks[name]) if entry.label]
    page = html(name)
    assert page.count('<details class="how') == len(labels) == page.count('aria-label="Equation (')
    for label in labels:
        assert f'{Path(ledger.page(name)).name}.html#{ledger.anchor(label)}"' in page


def test_the_ledger_lists_what_the_notebooks_hold(notebooks):
    listed = ledger.listed({name: execute.entries(notebook) for name, notebook in notebooks.items()})
    page = "".join(html(f"{ledger.LEDGER}/{part}") for part in {ledger.part(name) for name in listed})
    rows = [entry for entries in listed.values() for entry in entries]
    assert len(re.findall(r'class="ledger-entry[^"]*"', page)) == len(rows)
    for entry in rows:
        assert not entry.label or f'id="{ledger.anchor(entry.label)}"' in page


def test_no_page_shows_tex_between_dollars(notebooks):
    """Conditions come as Markdown, which a page made from docstrings does not read as such."""
    shown = re.compile(r"<(pre|code|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
    raw = {path.name: found for path in SITE.rglob("book/**/*.html")
           if (found := re.findall(r"\$[^$\n]{1,60}\$", shown.sub("", path.read_text("utf8"))))}
    assert not raw


def test_search_works_from_a_disk(browser):
    page = browser.new_page()
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{(SITE / 'search.html').as_uri()}?q=softmax+logi")
    link = page.locator("#results li a").first
    words = page.locator("#results li").first.inner_text().lower()
    assert "softmax" in words and "logi" in words and "\\" not in words
    link.click()
    page.wait_for_load_state()
    assert "/book/" in page.url and not troubles
    page.close()


def test_pages_are_as_small_as_they_should_be():
    assert not build.too_large(SITE)


def test_a_tampered_notebook_is_found_out(notebooks):
    """`make compare` compares: a wrong output makes it fail, what a semicolon keeps back does not."""
    notebook = nbformat.v4.new_notebook(metadata=notebooks[CHAPTERS[0]].metadata)
    for code, output in (("1 + 1", "2"), ("2 + 2", "4 (tampered)")):
        shown = nbformat.v4.new_output("execute_result", {"text/plain": output}, execution_count=1)
        notebook.cells.append(nbformat.v4.new_code_cell(code, outputs=[shown], execution_count=1))
    notebook.cells.append(nbformat.v4.new_code_cell("3 + 3;", execution_count=1))
    with tempfile.TemporaryDirectory(dir=ROOT / "_build") as folder:  # where those of the site are
        path = Path(folder, "tampered.ipynb")
        nbformat.write(notebook, path)
        command = [sys.executable, "-m", "tools.compare", str(path)]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert result.returncode == 1, result.stdout
    assert "1 failed, 2 passed" in result.stdout and "tampered" in result.stdout


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

This is $\\nonsense$, and $2 < 1$, which costs 3.14 nats.
It took 47 % of the time.
See {eq}`eq-nowhere` and {row}`S8-888`.
That follows from [](#eq-f).
It is the square of [](#eq-f).

```{statement} eq-unknown
```

```{list-table}
* - a directive that no notebook shows
```
"""

FAULTS = [
    "displayed equation is not printed from a checked object: eq-typed",
    "displayed equation is not printed from a checked object: eq-another",
    "KaTeX cannot render",
    "typed number 3.14 in a sentence",
    "typed number 47 in a sentence",
    "relation in a sentence that `said` does not account for: 2 < 1",
    "a page with equations says by `symbols_mean` what its symbols mean",
    "a sentence refers to eq-f without a word of what it is: a square",
    "equation not found: eq-nowhere",
    "no checked object has the label eq-unknown",
    "the sources have no row S9-999",
    "the sources have no row S8-888",
    "no place treats row S7-1 of the sources",
    "the claims that the documents have and the rows differ in S7-2",
    "the notebook to download cannot show this: the directive list-table",
]


FORGED = BAD.split("```{code-cell}")[0].replace("$$\n1 = 2\n$$ (eq-typed)\n", "") + """
```{code-cell} ipython3
from IPython.display import Markdown, display
from softmaxnotes.proof import Definition, sympy as sp

x = sp.Symbol("x", real=True)
f = Definition("f", (x,), x**2, label="eq-LABEL", title="a square")
display(f)
FORGERY
```
"""
# what the execution refuses
FORGERIES = {
    "own": """display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"softmaxnotes": {
        "kind": "derivation", "status": "proved", "label": "eq-g", "tex": "1 = 2", "display": "1 = 2"}})""",
    "none": 'display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"softmaxnotes": {"rows": []}})',
    "changed": """shown, metadata = f._repr_mimebundle_()
metadata["softmaxnotes"] |= {"status": "proved"}
display(shown, metadata=metadata, raw=True)""",
}
# and what the site does
ANOTHER = """shown, metadata = f._repr_mimebundle_()
display({"text/markdown": "$$\\nf(x) = x^3\\n$$ (eq-another)"}, metadata=metadata, raw=True)"""


MEANT = """assert f(2).unfold() == 4
from softmaxnotes.proof import symbols_mean
symbols_mean({x: "a number"})"""


def forged(label, forgery):
    return FORGED.replace("LABEL", label).replace("FORGERY", forgery)


@pytest.fixture
def small_book(tmp_path):
    """Run a tool on a book of a few pages."""
    for part in ("tools", "book/_assets"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for part in ("requirements.txt", "book/references.bib"):
        shutil.copy(ROOT / part, tmp_path / part)
    (tmp_path / "book/references.md").write_text("# References\n\n```{bibliography}\n```\n")

    def run(tool, pages, repository=""):
        settings = (ROOT / "_config.yml").read_text("utf8")
        setting = 'softmaxnotes_repository: "'
        assert setting + '"' in settings
        (tmp_path / "_config.yml").write_text(settings.replace(setting, setting + repository), "utf8")
        toc = "format: jb-book\nroot: book/references\nchapters:\n" + "".join(
            f"- file: book/{name}\n" for name in pages)
        (tmp_path / "_toc.yml").write_text(toc)
        for name, text in pages.items():
            (tmp_path / f"book/{name}.md").write_text(text)
        command = [sys.executable, "-m", tool]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    return run


def test_metadata_that_a_cell_writes_itself_passes_nothing(small_book):
    result = small_book("tools.execute", {name: forged(name, text) for name, text in FORGERIES.items()})
    assert result.returncode == 1, result.stdout
    refused = re.findall(r"(\w+)\.md: an output declares evidence that no check has entered", result.stderr)
    assert sorted(refused) == sorted(FORGERIES), result.stderr


def test_the_build_refuses_what_is_not_checked(small_book, tmp_path):
    """Many faults in one book; building it a second time does not make it pass, mending it does."""
    pages = {"bad": BAD, "another": forged("another", ANOTHER)}
    sources = tmp_path / "book/back/sources.yml"
    sources.parent.mkdir()
    sources.write_text("documents: {S7: 2}\nS7-1: A claim.\n")
    for _ in range(2):
        result = small_book("tools.build", pages)
        assert result.returncode == 1, result.stdout
        assert not [fault for fault in FAULTS if fault not in result.stderr], result.stderr
    sources.unlink()
    good = {"good": forged("good", MEANT)}
    result = small_book("tools.build", good, repository="https://github.com/somebody/book")
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "_build/html/book/good.html").read_text("utf8")
    for link in LINKS:
        assert re.search(f'(href|content)="https://{link}"', page), link
    assert (tmp_path / "_build/html/sitemap.xml").exists()


def test_a_repository_that_has_no_name_is_refused():
    wrong = SimpleNamespace(softmaxnotes_repository="https://github.com/somebody")
    with pytest.raises(ConfigError, match="expected https://github.com/OWNER/NAME, got https://github.com/somebody"):
        settle(None, wrong)


# with one setting; without it a page has none of them
LINKS = [
    "github.com/somebody/book/blob/main/book/good.md",
    "github.com/somebody/book/edit/main/book/good.md",
    r"github.com/somebody/book/issues/new\?title=book/good",
    r"github.com/somebody/book/issues/new\?title=Equation%20%28[\d.]+%29%20eq-good",
    "colab.research.google.com/github/somebody/book/blob/notebooks/good.ipynb",
    r"mybinder.org/v2/gh/somebody/book/notebooks\?urlpath=lab/tree/good.ipynb",
    "somebody.github.io/book/book/good.html",
    "somebody.github.io/book/_static/card.png",
]


def test_two_figures_of_one_name_are_told(caplog, monkeypatch):
    monkeypatch.setattr(log.logger, "propagate", True)
    domain = SimpleNamespace(labels={}, equations={})
    env = SimpleNamespace(get_domain=lambda name: domain, found_docs=(), toc_secnumbers={})
    drawn = SimpleNamespace(cells=[{"source": '<figure id="fig-ellipses">'}])
    places(SimpleNamespace(env=env, builder=None), {"one": drawn, "two": drawn})
    assert [record.getMessage() for record in caplog.records] == [
        "another figure has the name fig-ellipses, on one"]


def test_nothing_leads_to_a_repository_that_is_not_named():
    leads = re.compile(r'href="[^"]*(/edit/main|issues/new|mybinder|colab)')
    for path in SITE.rglob("*.html"):
        assert not leads.search(path.read_text("utf8")), path
    for path in SITE.rglob("*.ipynb"):
        assert "git+" not in path.read_text("utf8"), path
