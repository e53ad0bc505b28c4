"""What the site shows in place of a cell that asks something."""

import re

import pytest
from docutils import nodes

from proofread.sphinx.folds import summary
from tools import ledger
from tools.cells import arrange_cell, live

STUB = "def softplus(t):\n    ...\n\nown.check(softplus)"


def cell(source, *shown, tags=()):
    code = nodes.container("", nodes.literal_block("", source), nb_element="cell_code_source")
    output = nodes.container("", *shown, nb_element="cell_code_output")
    return nodes.container("", code, output, nb_element="cell_code", cell_metadata={"tags": list(tags)})


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
