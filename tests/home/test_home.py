"""tools.home: arcs are what chapters say they need, and no more than are needed; pictures and minutes are
those of the chapters."""

import re

import pytest
from sphinx.errors import ExtensionError

from tools import chapters, home, store
from tools.home import below, draw, reduced

GRAPH = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}, "e": {"d"}}


def test_what_follows_from_other_arcs_is_left_out():
    assert below(GRAPH)["c"] == {"a", "b"} and below(GRAPH)["e"] == {"a", "d"}
    assert reduced(GRAPH) == {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}, "e": {"d"}}


def test_all_arcs_follow_from_those_that_are_drawn():
    graph = {str(k): {str(j) for j in range(k) if (k * j) % 3 == 1 or j == k - 2} for k in range(12)}
    assert below(reduced(graph)) == below(graph)
    for page, others in reduced(graph).items():
        for other in others:  # none can be spared
            fewer = reduced(graph) | {page: others - {other}}
            assert below(fewer) != below(graph)


def test_the_drawing():
    parts = [("One & two", ["a", "b"]), ("Three", ["c", "d", "e"])]
    lines = {page: (str(number), f"Chapter <{page}>", "what & why") for number, page in enumerate("abcde", 1)}
    html = draw(parts, GRAPH, lines.get, "{}.html".format)
    assert re.findall('<a href="([^"]*)"', html) == ["a.html", "b.html", "c.html", "d.html", "e.html"]
    assert "<b>3</b> Chapter &lt;c&gt;</a><span>what &amp; why</span>" in html and "One &amp; two" in html
    # a row of the list is a unit of the drawing: the parts are rows, too
    assert 'viewBox="0 0 100 7"' in html
    arcs = re.findall(r'class="from-(\d)" d="M100 (\d)C\S+ \S+ \S+ (\d)', html)
    assert arcs == [("1", "2", "1"), ("2", "4", "2"), ("3", "5", "1"), ("4", "6", "5")]
    # pointing at c shows a and b
    pointed = ".map:has(.chapter-2:is(:hover, :focus-within))"
    assert f"{pointed} :is(.from-2, .chapter-0, .from-0, .chapter-1, .from-1)" in html


def test_this_book_can_be_drawn():
    pages = [page for _, part in chapters.parts() for page in part]
    graph = {page: {*chapters.front(page).needs} for page in pages}
    html = draw(chapters.parts(), graph, lambda page: ("", page, chapters.front(page).description), str)
    assert html.count("<path ") == sum(map(len, reduced(graph).values())) > 40
    assert all(chapters.front(page).description for page in pages)


def test_a_line_of_the_gallery():
    assert home.pictured("gumbel/top_k fig-hexagon: six") == ("gumbel/top_k", "fig-hexagon", "six")
    for line in ("gumbel/top_k hexagon: six", "gumbel/top fig-hexagon: six", "gumbel/top_k fig-hexagon"):
        with pytest.raises(ExtensionError, match='expected "PART/NAME fig-NAME: words", got'):
            home.pictured(line)


def test_a_picture_is_what_the_chapter_draws(monkeypatch):
    import nbformat.v4 as v4

    two = '<figure id="fig-b"><svg id="one"></svg><svg id="two"></svg></figure>'
    cell = v4.new_code_cell("", outputs=[v4.new_output("display_data", {"text/html": two})])
    monkeypatch.setattr(store, "stored", lambda docname: v4.new_notebook(cells=[cell]))
    assert home.picture("book/gumbel/top_k", "fig-b") == '<svg id="one"></svg>'
    with pytest.raises(ExtensionError, match="book/gumbel/top_k has no figure fig-c"):
        home.picture("book/gumbel/top_k", "fig-c")
    monkeypatch.setattr(store, "stored", lambda docname: None)  # in a preview it was never executed
    assert home.picture("book/gumbel/top_k", "fig-c") == ""


def test_minutes_are_those_of_the_pages():
    pages = {"a.html": "About 25 minutes.", "b.html": "About 5 minutes.", "back.html": ""}
    text = ('<a href="a.html">before</a><div class="routes"><a class="x" href="a.html">A</a>, '
            '<a href="https://b.html">out</a> <a href="back.html">none</a></div>'
            '<nav class="map"><a href="b.html"><b>2</b> B</a></nav>')
    told = home.with_minutes(text, pages.__getitem__)
    assert re.sub(r' <small class="minutes">(\d+) min</small>', r"[\1]", told) == (
        '<a href="a.html">before</a><div class="routes"><a class="x" href="a.html">A</a>[25], '
        '<a href="https://b.html">out</a> <a href="back.html">none</a></div>'
        '<nav class="map"><a href="b.html"><b>2</b> B</a>[5]</nav>')
    # told again, and otherwise
    later = pages | {"a.html": "About 30 minutes."}
    assert home.with_minutes(told, later.__getitem__) == told.replace("25", "30")
