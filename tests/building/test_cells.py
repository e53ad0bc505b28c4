"""What the site shows in place of a cell that asks something."""

import pytest
from docutils import nodes

from proofread.sphinx.folds import summary
from tools import ledger
from tools.cells import arrange_cell

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
