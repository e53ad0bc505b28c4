"""What the site shows in place of a cell that asks something."""

import re

import pytest
from docutils import nodes

from proofread.sphinx.folds import details, summary
from tools import ledger
from tools.cells import arrange_cell, arrange_cells, keep_code, live

STUB = "def softplus(t):\n    ...\n\nown.check(softplus)"


def cell(source, *shown, tags=(), **metadata):
    code = nodes.container("", nodes.literal_block(source, source), nb_element="cell_code_source")
    output = nodes.container("", *shown, nb_element="cell_code_output")
    metadata["tags"] = list(tags)
    return nodes.container("", code, output, nb_element="cell_code", cell_metadata=metadata)


@pytest.mark.parametrize(("source", "tags", "code"), [
    ("steepness.check(...)", (), []),
    (STUB, ("open",), [STUB]),
    (STUB, (), [STUB]),
])
def test_a_question_is_asked_and_what_it_says_so_far_is_not_shown(source, tags, code):
    *shown, words = arrange_cell(cell(source, nodes.paragraph("", "No answer yet."), tags=tags))
    assert [node.astext() for node in shown] == code
    assert words.astext().startswith("Answer in the notebook") and "answer" in words["classes"]


@pytest.mark.parametrize("source", [
    "found = own.check(softplus)", "own.check(softplus)", "x = 3\nown.check(...)", "own.check(f)\nx = 3"])
def test_other_cells_show_what_they_say(source):
    assert "Answer" not in "".join(node.astext() for node in arrange_cell(
        cell(source, nodes.paragraph("", "It is right."))))


def test_hidden_code_is_folded_but_for_answers():
    made = cell("x = 3", tags=["hide-input"])
    made["hide_mode"] = "input"
    answer = cell("own = Exercise(x)", tags=["hide-input"], jupyter={"source_hidden": True})
    page = nodes.section("", made, answer)
    keep_code(None, page)
    assert "hide_mode" not in made  # or MyST-NB wraps its code
    arrange_cells(page)
    assert page.astext().split("\n\n") == ["Code · 1 line", "x = 3"]


def test_code_with_nothing_between_is_one_fold():
    figure = nodes.raw("", "<figure></figure>", format="html")
    page = nodes.section("", cell("a = 1\n"), cell("b = 2\nc = 3"), cell("draw()", figure), cell("d = 4"))
    arrange_cells(page)
    assert [fold[0].astext() for fold in page.findall(details)] == [
        "Code · 4 lines", "How this figure is made · 1 line", "Code · 1 line"]
    assert page[0][1].astext() == "a = 1\n\nb = 2\nc = 3"
    assert all(node.parent is page for node in page)


@pytest.mark.parametrize("source", ["report()", "from proofread import report\nreport()"])
def test_what_was_checked_is_folded(source):
    (box,) = arrange_cell(cell(source, nodes.paragraph("", "table")))
    assert box["classes"] == ["report"]


@pytest.mark.parametrize(("kind", "words"), [
    ("symbols", "What the symbols mean"), ("said", "The relations in the sentences, and what each is")])
def test_what_was_declared_is_folded(kind, words):
    table = nodes.paragraph("", "table", kind=kind)
    (box,) = arrange_cell(cell("symbols_mean({})", table))
    assert [node.astext() for node in box.findall(summary)][0] == words
    assert table.parent["ids"] == (["symbols"] if kind == "symbols" else [])


def test_an_erratum_is_a_line_that_leads_to_the_page_of_errata():
    wrong, right = (nodes.paragraph("", word, kind="erratum", of="eq-right") for word in ("Wrong", "Right"))
    (line,) = arrange_cell(cell("Erratum(...)", wrong, right))
    assert line.astext() == "One source prints this differently: ." and line["classes"] == ["erratum"]
    assert [link["of"] for link in line.findall(ledger.erratum_reference)] == ["eq-right"]


def test_the_answer_of_an_exercise_is_apart_from_what_the_check_says_of_it():
    before, between, after = map(nodes.Text, ("✓ ", ", ", ": accepted."))
    parts = before, nodes.math("", "x^2"), between, nodes.math("", "y"), after
    (box,) = arrange_cell(cell("own.solution(x**2, y)", nodes.paragraph("", "", *parts, kind="exercise")))
    said = box.findall(lambda node: isinstance(node, nodes.inline) and "verdict" in node["classes"])
    assert [node.astext() for node in said] == ["✓ ", ": accepted."]
    assert box["classes"] == ["tested", "formula"]
    passed = nodes.paragraph("", "✓ softplus passes the test.", kind="exercise")
    (box,) = arrange_cell(cell("own.solution(softplus)", passed))
    assert box["classes"] == ["tested", "program"]


@pytest.mark.parametrize(("caption", "left"), [
    ("A dot at 0.5. Turn <i>T</i>.", "A dot at 0.5."),
    ("Dots. Turn it down: they fly, 0.5 at most. Turn it up: they join. So do marks.", "Dots. So do marks."),
    ("Drawn again. Bars turn. Draw again.", "Drawn again. Bars turn."),
    ("Uniform noise misses; try the others.", "Uniform noise misses."),
    ("One curve; turned round it is the other.", "One curve; turned round it is the other."),
])
def test_on_paper_a_caption_does_not_ask_to_turn_a_knob(caption, left):
    html = re.sub("<figcaption>.*</figcaption>", live, f"<figcaption>{caption}</figcaption>")
    shown = re.sub('<span class="live">.*?</span>', "", html)
    assert " ".join(re.sub("<.*?>", "", shown).split()) == left
