"""tools.book_map: arcs are what the checks recorded, and no more than are needed."""

import re

import pytest
from sphinx.errors import ExtensionError

from proofread.ledger import Entry
from tools import chapters
from tools.book_map import below, draw, needs, on_argued, reduced


def entry(label, *rests_on, argued=0):
    status = "argued" if argued else "proved"
    return Entry("derivation", status, label=label, rests_on=rests_on, argued=argued)


ENTRIES = {
    "a": [entry("eq-a"), entry("eq-aa", "eq-a")],
    "b": [entry("eq-b", "eq-a", argued=1)],
    "c": [entry("eq-c", "eq-b", "eq-a", "eq-nowhere"), Entry("agreement", "measured", of="eq-c")],
    "d": [entry("eq-d", "eq-aa")],
    "e": [],
}


def test_what_the_checks_recorded():
    graph = needs(ENTRIES)
    assert graph == {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}, "e": set()}
    assert below(graph)["c"] == {"a", "b"}
    assert reduced(graph) == {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}, "e": set()}
    assert on_argued(ENTRIES) == {"b", "c"}


def test_a_route_counts_as_a_use():
    entries = ENTRIES | {"e": [Entry("agreement", "measured", of="eq-e", rests_on=("eq-d",))]}
    assert needs(entries)["e"] == {"d"}


def test_all_arcs_follow_from_those_that_are_drawn():
    graph = {str(k): {str(j) for j in range(k) if (k * j) % 3 == 1 or j == k - 2} for k in range(12)}
    assert below(reduced(graph)) == below(graph)
    for page, others in reduced(graph).items():
        for other in others:  # none can be spared
            fewer = reduced(graph) | {page: others - {other}}
            assert below(fewer) != below(graph)


def test_a_circle_is_refused():
    entries = {"a": [entry("eq-a", "eq-b")], "b": [entry("eq-b", "eq-a")]}
    with pytest.raises(ExtensionError, match="in a circle: a → b → a"):
        draw([("Part", ["a", "b"])], entries, str, str)


def test_the_drawing():
    lanes = [("One & two", ["a", "b"]), ("Three", ["c", "d", "e"])]
    html = draw(lanes, ENTRIES, lambda page: f"Chapter <{page}>", lambda page: f"{page}.html")
    assert html.count("<path ") == 3 and html.count('class="ring"') == 2
    assert re.findall('href="([^"]*)"', html) == ["a.html", "b.html", "c.html", "d.html", "e.html"]
    assert "Chapter &lt;c&gt;: 1 equation; rests on Chapter &lt;b&gt;; rests on an argued line" in html
    assert "One &amp; two" in html
    # the area of a dot is its number of equations
    radii = [float(r) - 1 for r in re.findall(r'<circle cx="96" cy="[^"]*" r="([^"]*)"', html)]
    assert radii[:2] == pytest.approx([2 * 2**0.5, 2], abs=0.06)
    # pointing at c shows a and b
    assert re.search(r"chapter-2:is\(:hover, :focus-visible\)\) :is\(.chapter-0, .chapter-1, .from-0, ", html)


def test_the_parts_of_this_book():
    lanes = chapters.parts()
    assert lanes[0][0] == "Softmax" and "book/softmax/numerics" in lanes[0][1]
    assert all(pages for _, pages in lanes)
