"""What the site says agrees with the notebooks that it publishes."""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import nbformat
import pytest
from visits import PUBLISHED, ROOT, SITE

from proofread.sphinx.shown import anchor, erratum_anchor
from tools import build, chapters, ledger, store

CHAPTERS = chapters.chapters()


@pytest.fixture(scope="module")
def notebooks(address):
    return {name: nbformat.read(PUBLISHED / f"{name}.ipynb", as_version=4) for name in CHAPTERS}


@cache
def html(name):
    return (SITE / f"{name}.html").read_text("utf8")


def test_published_notebooks_hold_outputs(notebooks):
    """A notebook without outputs would make the comparison with its re-execution vacuous."""
    for name, notebook in notebooks.items():
        assert chapters.code_cells(notebook), name
        assert all(cell.execution_count for cell in chapters.code_cells(notebook)), name
        assert any(cell.outputs for cell in chapters.code_cells(notebook)), name


def test_no_notebook_of_another_time(notebooks):
    found = {path.relative_to(PUBLISHED).with_suffix("").as_posix() for path in PUBLISHED.rglob("*.ipynb")}
    assert found == set(CHAPTERS)


def test_chapters_print_no_warnings(notebooks):
    for name, notebook in notebooks.items():
        outputs = [output for cell in chapters.code_cells(notebook) for output in cell.outputs]
        assert not [output.text for output in outputs if output.get("name") == "stderr"], name


def test_captions_are_true_on_a_dark_page():
    """Ink that is black on a light page is white there, and what is pale is dark."""
    told = re.compile(r'<figcaption.*?</figcaption>|aria-label="[^"]*"', re.DOTALL)
    said = {name: " ".join(told.findall(html(name))).replace("black and white", "") for name in CHAPTERS}
    shades = re.compile(r"\b(black|white|dark\w*|lighter|pale\w*)\b", re.IGNORECASE)
    assert {name: found for name, text in said.items() if (found := shades.findall(text))} == {}


def test_the_library_leads_to_a_description_of_every_public_name():
    page = html("book/back/api")
    parts = {*(ROOT / "softmaxnotes").glob("*/__init__.py")} - {ROOT / "softmaxnotes/experiments/__init__.py"}
    for path in sorted(parts):
        module = import_module(f"softmaxnotes.{path.parent.name}")
        for name in filter(lambda name: callable(getattr(module, name)), module.__all__):
            found = re.search(rf'href="([^"]*)#{re.escape(module.__name__)}\.{name}"', page)
            assert found, f"{module.__name__}.{name} is not in the library"
            assert f'id="{module.__name__}.{name}"' in html(f"book/back/{found[1].removesuffix('.html')}")


def test_the_descriptions_of_a_package_stand_as_its_summary_does():
    summary, parts = html("book/back/api"), {ledger.part(name) for name in CHAPTERS if "/" in name[5:]}
    for part in sorted(parts):
        name = rf"softmaxnotes\.{part}\.\w+"
        linked = re.findall(rf'<td><p><a href="api/{part}.html#({name})"', summary)
        there = re.findall(rf'<dt class="sig [^>]*id="({name})"', html(f"book/back/api/{part}"))
        assert there == linked != [], part


def test_a_word_of_the_glossary_leads_to_the_section_that_introduces_it():
    for entry in re.findall(r"<dt id=.*?</dd>", html("book/back/glossary"), re.DOTALL):
        links = re.findall(r'<a href="(\.\./(?!back/)[^"]*)"', entry)
        assert all("#" in link for link in links), entry


def test_the_notation_has_a_row_for_each_definition_and_each_declared_symbol(notebooks):
    rows = html("book/back/notation").split("<tr")
    words = [set(re.findall(r"\w+", row)) for row in rows]
    for notebook in notebooks.values():
        for entry in store.entries(notebook):
            if entry.kind == "definition" and entry.label:
                link = f"#equation-{entry.label}"
                assert any(entry.title in row and link in row for row in rows), entry.label
            for meaning in () if entry.label else entry.symbols.values():
                told = set(re.findall(r"\w+", re.sub(r"\$[^$]*\$", "", meaning)))
                assert any(told <= row for row in words), meaning


@pytest.mark.parametrize("name", CHAPTERS)
def test_download(name, address):
    """The download button gives the notebook that `test_offered_notebooks` reads."""
    (button,) = re.findall(r'<a\b[^>]*\bid="notebook"[^>]*>', html(name))
    link = urljoin(f"{address}/{name}.html", re.search(r'href="([^"]*)"', button)[1])
    with urlopen(link) as answer:
        body = answer.read()
    assert body == (SITE / "_sources" / f"{name}.ipynb").read_bytes()
    nbformat.validate(nbformat.reads(body.decode("utf8"), as_version=4))


@pytest.mark.parametrize("name", CHAPTERS)
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
    labels = [entry.label for entry in store.entries(notebooks[name]) if entry.label]
    page = html(name)
    assert page.count('<details class="how') == len(labels) == page.count('aria-label="Equation (')
    for label in labels:
        assert f'{Path(ledger.page(name)).name}.html#{anchor(label)}"' in page


def test_the_ledger_lists_what_the_notebooks_hold(notebooks):
    listed = ledger.listed({name: store.entries(notebook) for name, notebook in notebooks.items()})
    page = "".join(html(f"{ledger.LEDGER}/{part}") for part in {ledger.part(name) for name in listed})
    rows = [entry for entries in listed.values() for entry in entries]
    assert len(re.findall(r'class="ledger-entry[^"]*"', page)) == len(rows)
    for entry in rows:
        assert not entry.label or f'id="{anchor(entry.label)}"' in page


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_a_source_prints_stands_on_the_page_of_errata_and_not_in_the_chapter(name, notebooks):
    wrong = [entry.of for entry in store.entries(notebooks[name]) if entry.erratum]
    page, errata = html(name), html(ledger.page(name, ledger.ERRATA)) if wrong else ""
    links = re.findall(r'<p class="erratum">[^<]*<span><a [^>]*href="[^"#]*errata/[^"#]*#([^"]+)">', page)
    assert links == [erratum_anchor(label) for label in wrong]
    assert all(f'id="{link}"' in errata for link in links)


def test_no_page_shows_tex_between_dollars(notebooks):
    """Conditions come as Markdown, which a page made from docstrings does not read as such."""
    shown = re.compile(r"<(pre|code|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
    raw = {path.name: found for path in SITE.rglob("book/**/*.html")
           if (found := re.findall(r"\$[^$\n]{1,60}\$", shown.sub("", path.read_text("utf8"))))}
    assert not raw


def test_no_initial_of_a_name_is_the_number_of_a_list():
    """“M. Figurnov” would be item 13, as a docstring is read."""
    lists = re.compile(r'<ol class="(?:lower|upper)(?:alpha|roman)".*?</li>', re.DOTALL)
    assert {path.name: found for path in SITE.rglob("*.html")
            if (found := lists.findall(path.read_text("utf8")))} == {}


def test_pages_are_as_small_as_they_should_be():
    assert not build.too_large(SITE)


def test_nothing_leads_to_a_repository_that_is_not_named():
    leads = re.compile(r'href="[^"]*(/edit/main|issues/new|mybinder|colab)')
    for path in SITE.rglob("*.html"):
        assert not leads.search(path.read_text("utf8")), path
    for path in SITE.rglob("*.ipynb"):
        assert "git+" not in path.read_text("utf8"), path
