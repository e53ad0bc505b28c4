"""The head of a chapter: what it needs stands before it, and its minutes are those of what is not folded."""

import pytest
from docutils import nodes

from proofread.sphinx.folds import fold
from tools import chapters, head, settings

TOC = "format: jb-book\nroot: home\nparts:\n- chapters:\n  - file: book/a/one\n  - file: book/a/two\n"


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Two chapters, of which the second has these lines in its front matter."""
    monkeypatch.setattr(settings, "ROOT", tmp_path)

    def write(*lines):
        (tmp_path / "_toc.yml").write_text(TOC, "utf8")
        (tmp_path / "book/a").mkdir(parents=True, exist_ok=True)
        (tmp_path / "book/a/one.md").write_text("# One: a title\n", "utf8")
        front = "\n".join(["x: y", *lines])
        (tmp_path / "book/a/two.md").write_text(f"---\n{front}\n---\n\n# Two\n", "utf8")

    return write


def test_what_a_chapter_says_of_itself(book):
    book("needs: [a/one]", 'description: "What it is: a test."', "keywords: [one, 2 b]")
    told = chapters.Front(("book/a/one",), "What it is: a test.", ("one", "2 b"))
    assert chapters.front("book/a/two") == told
    assert chapters.front("book/a/one") == chapters.Front()
    book()
    assert chapters.front("book/a/two") == chapters.Front()


@pytest.mark.parametrize(("need", "found"), [
    ("a/two", "a later one"), ("a/three", "a page that is not there")])
def test_what_a_chapter_needs_stands_before_it(book, need, found):
    book(f"needs: [{need}]")
    with pytest.raises(ValueError, match=f"book/a/two needs book/{need}: .*, got {found}"):
        chapters.front("book/a/two")


def page(*children):
    return nodes.section("", nodes.title("", "Title"), *children)


def words(number):
    return nodes.paragraph("", " ".join(["word"] * number))


@pytest.mark.parametrize(("children", "expected"), [
    ([words(20)], 5),
    ([words(4000)], 20),
    ([words(2000), fold("Solution", words(2000), classes=["solution"])], 10),
    ([words(2000), nodes.literal_block("", "x\n" * 75)], 15),
    ([words(2000), fold("Code", nodes.literal_block("", "x\n" * 75), classes=["code"])], 10),
])
def test_minutes(children, expected):
    assert head.minutes(page(*children)) == expected


@pytest.mark.parametrize(("number", "expected"), [
    (1, "a"), (2, "a and b"), (3, "a, b and c"), (4, "a, b, c and d"), (6, "a, b, c, d and others")])
def test_chapters_are_named_in_a_row(number, expected):
    links = [nodes.Text(letter) for letter in "abcdef"[:number]]
    assert "".join(node.astext() for node in head.listed(links, number > head.MOST)) == expected
