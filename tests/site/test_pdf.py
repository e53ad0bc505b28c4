"""What is printed: one chapter as it is offered, and that what is wrong with a print is seen."""

import re
from io import BytesIO

import pikepdf
import pypdfium2
import pytest
from browser import unavailable
from visits import SITE

from tools import site
from tools.errors import Unknown
from tools.pdf import check, press
from tools.pdf.__main__ import volume
from tools.pdf.volumes import BOOK, Volume, imprint, volumes

CHAPTER = "gumbel/gumbel_max"


def text(printed):
    """Of each page."""
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(printed)]


@pytest.fixture(scope="module")
def printed():
    if not (SITE / "index.html").exists():
        unavailable("no site in _build/html: make book")
    try:
        return press.print_volume(volume(CHAPTER)[1], imprint(), SITE, "key")
    except Unknown as error:
        unavailable(str(error))


def test_nothing_is_wrong_with_a_chapter(printed):
    assert check.faults(printed) == []
    assert 5 < len(text(printed)) <= 12


def test_a_chapter_has_what_a_book_has_and_nothing_of_the_screen(printed):
    pages = [" ".join(page.split()) for page in text(printed)]
    words = " ".join(pages)
    for gone in ("accepted (", "What was checked", "Turn the logits", "Draw again", "Answer in the notebook",
                 "How this figure is made", "This part as PDF"):
        assert gone not in words
    assert words.count("Exercise 24.1 ") == 2  # the solution has its name
    told = re.findall(r"solution on page (\d+)", words)
    assert len(told) == 4 and "Solutions Exercise 24.1 " in pages[int(told[0]) - 1]
    assert all("24 The Gumbel-max trick" in page for page in pages)  # the running head
    assert re.search(r"With ten classes .* there are \(10 ?\) ?= ?10 of them", words)  # in this order


def test_a_chapter_tells_what_it_is(printed):
    with pikepdf.open(BytesIO(printed)) as pdf:
        with pdf.open_metadata() as told:
            assert told["dc:title"] == "Softmax and what grew from it – 24 The Gumbel-max trick"
            assert told["dc:creator"] == [imprint().author] and "CC BY 4.0" in told["dc:rights"]
        with pdf.open_outline() as outline:
            (chapter,) = outline.root
            titles = [item.title for item in chapter.children]
        assert pdf.docinfo["/SoftmaxnotesKey"] == "key"
    assert titles[0].startswith("24.1 ") and titles[-2:] == ["Solutions", "References"]


def test_a_book_has_its_parts_and_contents_that_are_true():
    parts = [("First part", ["book/tools/maximum_entropy"]), ("Second part", ["book/tools/which_noise"])]
    try:
        printed = press.print_volume(Volume(parts), imprint(), SITE)
    except Unknown as error:
        unavailable(str(error))
    assert check.faults(printed) == []
    with pikepdf.open(BytesIO(printed)) as pdf, pdf.open_outline() as outline:
        tree = {item.title: [below.title for below in item.children] for item in outline.root}
    assert list(tree) == ["Contents", "First part", "Second part", "Solutions", "References"]
    _, contents, *pages = ["".join(page.split()) for page in text(printed)]
    for title in [*list(tree)[1:], *tree["First part"], *tree["Second part"]]:
        words = "".join(title.split())
        here = next(number for number, page in enumerate(pages, 3)
                    if page.startswith((words, f"{number}{words}")))  # as a running head, or below the number
        assert f"{words}{here}" in contents


def document(body, *, faces=press.FACES, head=""):
    """A document of the sheet of the book, printed."""
    sheet = site.style_sheet(faces) + (press.HERE / "book.css").read_text("utf8")
    html = (f'<!DOCTYPE html><html lang="en"><head><title>A title</title><style>{sheet}</style>{head}</head>'
            f"<body><main><article><section><h1>Words</h1>{body}</section></article></main></body></html>")
    try:
        with press.opened(html, SITE) as page:
            page.evaluate("document.fonts.ready")
            return page.pdf(prefer_css_page_size=True, outline=True, tagged=True)
    except Unknown as error:
        unavailable(str(error))


@pytest.mark.parametrize(("body", "options", "said"), [
    (f'<p style="white-space: nowrap">{"A line that ends nowhere. " * 9}</p>', {},
     "page 1: '.' is beyond the margin, in “"),
    ("<p>Of many weights.</p>", {"faces": site.TEXTS}, ".* is of Type 3"),
    ('<p><a href="/index.html">a page of the site</a></p>', {}, "page 1: a link leads to http://book/index.html"),
])
def test_what_is_wrong_with_a_print_is_seen(body, options, said):
    found = check.faults(document(body, **options))
    assert any(re.match(said, fault) for fault in found), found


def strip(pdf, name):
    del pdf.Root[name]


def unembed(pdf):
    for font in pdf.pages[0].resources.Font.values():
        del font.DescendantFonts[0].FontDescriptor["/FontFile2"]


def lead_astray(pdf):
    pdf.Root.Dests = pikepdf.Dictionary()


@pytest.mark.parametrize(("harm", "said"), [
    (unembed, ".* is not embedded"), (lead_astray, "page 8: a link leads to /.*, which is nowhere"),
    (lambda pdf: strip(pdf, "/Lang"), "it does not tell its language"),
    (lambda pdf: strip(pdf, "/MarkInfo"), "it has no tags"),
    (lambda pdf: strip(pdf, "/Metadata"), "it has no dc:creator"),
    (lambda pdf: strip(pdf, "/Outlines"), "it has no bookmarks"),
])
def test_what_a_print_lacks_is_seen(printed, harm, said):
    with pikepdf.open(BytesIO(printed)) as pdf, BytesIO() as harmed:
        harm(pdf)
        pdf.save(harmed)
        found = check.faults(harmed.getvalue())
    assert any(re.match(said, fault) for fault in found), found


BOXES = {
    "heading": "<h2>First</h2><p>last</p>",
    "statement": '<div class="statement"><p class="head">First</p>' + "<p>and</p>" * 3 + "<p>last</p></div>",
    "figure": "<figure><div>First</div><figcaption>last</figcaption></figure>",
    "table": "<table><tr><td>First</td></tr><tr><td>and</td></tr><tr><td>last</td></tr></table>",
    "code": '<div class="code"><pre>First\nand\nlast\nand\nmore\nof it</pre></div>',
}


@pytest.mark.parametrize("kind", BOXES)
def test_a_box_is_not_broken_after_its_first_line(kind):
    """Wherever on a page it begins."""
    places = range(230, 260, 2)
    body = "".join(f'<div style="break-before: page; height: {height}mm"></div>{BOXES[kind]}'
                   for height in places)
    pages = text(document(body, head="<style>h1 { display: none; }</style>"))
    assert sum("First" in page for page in pages) == len(places)
    assert not [page for page in pages if page.count("First") != page.count("last")]


def test_there_is_a_volume_for_the_book_and_each_part():
    parts = [volume for name, volume in volumes().items() if name != BOOK]
    assert volumes()[BOOK].pages == [page for part in parts for page in part.pages]
    assert volume("gumbel")[1] == volumes()["gumbel"] and not volume("gumbel")[1].bare
    alone = Volume([("", ["book/gumbel/top_k"])], bare=True)
    assert volume("book/gumbel/top_k.md") == ("gumbel/top_k", alone)


def test_the_site_links_to_the_files_that_are_there():
    html = (SITE / "book/intro.html").read_text("utf8")
    linked = set(re.findall(r'href="../_static/pdf/([\w-]+)\.pdf"', html))
    assert linked == {path.stem for path in SITE.glob("_static/pdf/*.pdf")}
