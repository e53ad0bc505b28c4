"""A page that has moved is found at its old address."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from tools import moved, settings

TOC = "format: jb-book\nroot: home\nparts:\n- chapters:\n  - file: book/a/one\n  - file: book/b/two\n"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Two pages, of which the second had another address."""
    monkeypatch.setattr(settings, "ROOT", tmp_path)
    (tmp_path / "_toc.yml").write_text(TOC, "utf8")
    pages = {"home": "# Home\n", "book/a/one": "# One\n", "book/b/two": ""}

    def build(was, error=None):
        pages["book/b/two"] = f"---\nwas: [{was}]\n---\n\n# Two & more\n"
        for name, text in pages.items():
            path = tmp_path / f"{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf8")
        titles = {name: nodes.title("", text.split("# ")[1].strip()) for name, text in pages.items()}
        env = SimpleNamespace(found_docs=set(pages), titles=titles)
        moved.write(SimpleNamespace(outdir=tmp_path / "html", env=env), error)
        return tmp_path / "html"

    return build


def test_the_old_address_leads_to_the_new_one(built):
    (page,) = built("a/two").rglob("*.html")
    text = page.read_text("utf8")
    assert page.as_posix().endswith("html/book/a/two.html")
    assert text.count('"../b/two.html"') == 3 and "url=../b/two.html" in text and "Two &amp; more" in text


def test_a_build_that_failed_writes_nothing(built):
    assert not built("a/two", error=ValueError()).exists()


def test_an_address_that_is_taken_is_refused(built):
    with pytest.raises(ExtensionError, match="book/b/two was book/a/one: expected an address"):
        built("a/one")
