"""What the build refuses: what no check has entered, what is typed, what leads nowhere; and previews."""

import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ConfigError

from tools import build, chapters, errors, settings, sphinx_ext
from tools.notebook import log, places
from tools.site import settle
from tools.testing import FRONT_MATTER

ROOT = settings.ROOT

BAD = FRONT_MATTER + """
# A chapter with faults

$$
1 = 2
$$ (eq-typed)

```{code-cell} ipython3
from proofread import Definition, sympy as sp

x = sp.Symbol("x", real=True)
Definition("f", (x,), x**2, label="eq-f", title="a square", rows=["S9-999"])
```

This is $\\nonsense$, and {math}`2 < 1`, which costs 3.14 nats.
It took 47 % of the time.
See {eq}`eq-nowhere` and {row}`S8-888`.
That follows from [](#eq-f).
It is the square of [](#eq-f).

```{statement} eq-unknown
```

````{prf:theorem} Another square
:label: thm-other

```{statement} eq-f
```
````

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
    "relation in a sentence that was neither decided nor listed by `said`: 2 < 1",
    "a page with equations says by `symbols_mean` what its symbols mean",
    "a sentence refers to eq-f without a word of what it is: a square",
    "equation not found: eq-nowhere",
    "no checked object has the label eq-unknown",
    "theorem thm-other states eq-f, and not eq-other",
    "the sources have no row S9-999",
    "the sources have no row S8-888",
    "no place treats row S7-1 of the sources",
    "the claims that the documents have and the rows differ in S7-2",
    "the notebook to download cannot show this: the directive list-table",
]


FORGED = BAD.split("```{code-cell}")[0].replace("$$\n1 = 2\n$$ (eq-typed)\n", "") + """
```{code-cell} ipython3
from IPython.display import Markdown, display
from proofread import Definition, sympy as sp

x = sp.Symbol("x", real=True)
f = Definition("f", (x,), x**2, label="eq-LABEL", title="a square")
display(f)
FORGERY
```
"""
# what the execution refuses
FORGERIES = {
    "own": """display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"proofread": {
        "kind": "derivation", "status": "proved", "label": "eq-g", "tex": "1 = 2", "display": "1 = 2"}})""",
    "none": 'display(Markdown("$$\\n1 = 2\\n$$ (eq-g)"), metadata={"proofread": {"rows": []}})',
    "changed": """shown, metadata = f._repr_mimebundle_()
metadata["proofread"] |= {"status": "proved"}
display(shown, metadata=metadata, raw=True)""",
}
# and what the site does
ANOTHER = """shown, metadata = f._repr_mimebundle_()
display({"text/markdown": "$$\\nf(x) = x^3\\n$$ (eq-another)"}, metadata=metadata, raw=True)"""


MEANT = """assert f(2).unfold() == 4
from proofread import symbols_mean
symbols_mean({x: "a number"})"""


def forged(label, forgery):
    return FORGED.replace("LABEL", label).replace("FORGERY", forgery)


@pytest.fixture
def small_book(tmp_path):
    """Run a tool on a book of a few pages."""
    for part in ("tools", "book/_assets"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for part in ("requirements.txt", "CITATION.cff", "book/references.bib"):
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


REPORT = r"github.com/somebody/book/issues/new\?template=error.yml&amp;"
# with one setting; without it a page has none of them
LINKS = [
    "github.com/somebody/book/blob/main/book/good.md",
    "github.com/somebody/book/edit/main/book/good.md",
    rf"{REPORT}page=A%20chapter%20with%20faults&amp;version=[\d.]+",
    rf"{REPORT}page=A%20chapter%20with%20faults&amp;equation=%28[\d.]+%29&amp;version=[\d.]+",
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


def test_a_page_that_is_large_fails_with_what_it_loads(tmp_path, monkeypatch):
    monkeypatch.setattr(chapters, "pages", lambda: ["home"])
    (tmp_path / "page.html").write_text('<script defer src="a.js?1"></script>' + "x" * 300_000)
    (tmp_path / "a.js").write_text("x" * 400_000)
    assert "page 700" in build.sizes(tmp_path, ["page"])
    monkeypatch.setattr(build, "KILOBYTES", 699)
    with pytest.raises(errors.ChapterError, match="more kB than a page may have: page has 700 of 699"):
        build.sizes(tmp_path, ["page"])


def test_a_first_preview_begins_with_the_book_and_a_second_one_with_the_first(tree, monkeypatch):
    """Also where a copy was interrupted; nobody has built anything before the first book."""
    def built(arguments, **options):
        folder = tree / ("_build/preview/_build" if "_build/preview" in arguments else "_build")
        page, read = folder / "html/page.html", folder / ".doctrees/environment.pickle"
        seen.append([path.read_text() if path.exists() else None for path in (page, read)])
        for path in (page, read):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(str(len(seen)))

    seen = []
    monkeypatch.setitem(sys.modules, "jupyter_book.cli.main", SimpleNamespace(main=built))
    monkeypatch.setenv("SOFTMAXNOTES_ONLY", "")
    (tree / "_toc.yml").write_text("root: page\n")
    assert build.site(["page"]) == 0
    shutil.rmtree(tree / "_build/preview")
    assert build.site([]) == 0
    (tree / "_build/preview.part/html").mkdir(parents=True)
    (tree / "_build/preview.part/html/page.html").write_text("half")
    (tree / "_build/preview.part/html/left.html").write_text("half")
    assert build.site(["page"]) == build.site(["page"]) == 0
    assert seen == [[None, None], [None, None], ["2", "2"], ["3", "3"]]
    assert not (tree / "_build/preview/_build/html/left.html").exists()
    assert (tree / "_build/html/page.html").read_text() == "2"


@pytest.mark.parametrize(("executed", "linked"), [(0, ["#there"]), (1, ["#there", "#nowhere"])])
def test_what_leads_nowhere_in_a_preview_is_text(executed, linked, monkeypatch):
    monkeypatch.setattr(chapters, "chapters", lambda: ["page"])
    page = new_document("page")
    page += nodes.term("", "a row", ids=["there"])  # of which the document was not told
    page += nodes.paragraph("", "", *(nodes.reference("", name, refuri=f"#{name}", classes=["source-row"])
                                      for name in ("there", "nowhere")))
    app = SimpleNamespace(env=SimpleNamespace(softmaxnotes={"keys": dict.fromkeys(range(executed))}))
    sphinx_ext.unlink(app, page, "page")
    assert [link["refuri"] for link in page.findall(nodes.reference)] == linked
    assert page[-1].astext() == "therenowhere"


def test_a_figure_without_its_script_is_a_warning(monkeypatch):
    """The book is built with warnings for errors; the preview of another chapter goes on."""
    told, context = [], {"body": '<figure id="f" data-module="lost"></figure>'}
    monkeypatch.setattr(sphinx_ext.log, "warning", told.append)
    sphinx_ext.animate(None, "book/part/page", "", context, None)
    assert told == ["book/part/page: a figure asks for book/_assets/figures/lost.js, which does not exist"]
    assert context["figure_scripts"] == ["interactive.js"]
