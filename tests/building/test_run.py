"""The execution of a chapter: values in its text, what is refused, and how a failure is told."""

from collections import namedtuple
from contextlib import nullcontext

import nbformat
import pytest
from example_pages import CHAPTER, CLAIMS, SAYS
from IPython.lib.pretty import pretty

from proofread.ledger import METADATA
from tools import chapters, errors, run, settings, store


def test_a_failure_names_the_cell_and_the_line(tree):
    text = CHAPTER.replace("assert f() == 3", "two = 2\nassert f() == 3")
    (tree / "page.md").write_text(text)
    line = text.splitlines().index("assert f() == 3") + 1
    with pytest.raises(errors.ChapterError) as error:
        store.execute(["page"], say=lambda text: None)
    report = str(error.value)
    assert report.startswith(f"page.md:{line}: code cell 2 failed: assert f() == 3")
    assert "AssertionError" in report
    assert store.stored("page") is None


def test_a_chapter_that_computes_for_long_fails(tree, monkeypatch):
    (tree / "demo/deep.py").write_text("value = 3")
    monkeypatch.setattr(run, "SECONDS", 0.01)
    with pytest.raises(errors.ChapterError, match=r"page.md keeps the processor busy for \d+ s, 0.01 are"):
        store.execute(["page"], say=lambda text: None)


@pytest.mark.parametrize(("line", "refused"), [("object()", True), ("object();", False)])
def test_what_no_reader_wants_is_not_shown(tree, line, refused):
    (tree / "page.md").write_text(CHAPTER.replace("assert f() == 3", line))
    with pytest.raises(errors.ChapterError, match="with a semicolon") if refused else nullcontext():
        store.execute(["page"])


def test_lines_that_are_printed_slowly_are_one_output(tree):
    slowly = "import sys, time\nfor line in 'ab':\n    print(line, flush=True); time.sleep(0.5)"
    (tree / "page.md").write_text(CHAPTER.replace("assert f() == 3", slowly))
    shown = chapters.code_cells(store.executed("page"))[1].outputs
    assert [output.text for output in shown] == ["a\nb\n"]


@pytest.mark.parametrize(("value", "refused"), [
    ([object(), 2], True), (namedtuple("Text", "x")(1), True), ("look at 0x12", False), ([1, 2], False)])
def test_nor_are_others_of_its_kind(value, refused):
    output = nbformat.v4.new_output("execute_result", {"text/plain": pretty(value)})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("value", outputs=[output])])
    with pytest.raises(errors.ChapterError, match="with a semicolon: value") if refused else nullcontext():
        run.refuse_leftovers("page", notebook)


def says(tree, text):
    (tree / "page.md").write_text(text)
    values = store.executed("page").metadata[settings.PACKAGE]["values"]
    return {name: value["data"]["text/plain"] for name, value in values.items()}


def test_values_stand_in_the_text_and_are_computed_with_the_chapter(tree):
    assert says(tree, SAYS) == {"f()": "2", 'f"{f():.2f}"': "'2.00'"}
    notebook, stored = chapters.read("page"), store.stored("page")
    chapters.fill_in(notebook, stored.metadata[settings.PACKAGE]["values"])
    kept = [found for cell in notebook.cells if (found := cell.metadata.get("user_expressions"))]
    assert [[one["expression"] for one in cell] for cell in kept] == [["f()", 'f"{f():.2f}"']]
    assert kept[0][1]["result"]["data"] == {"text/plain": "'2.00'"}


def test_a_value_is_the_one_that_it_has_in_its_place(tree):
    text = SAYS.replace("f()\n```", "f(); g = 1\n```").replace("assert", "g = 2; assert")
    text += "\nIt is {eval}`g`.\n"
    assert says(tree, text)["g"] == "2"
    with pytest.raises(errors.ChapterError, match="`g` has two values on the page"):
        says(tree, text.replace("It is", "It was {eval}`g`. It is", 1))


def test_an_expression_without_a_value_fails(tree):
    with pytest.raises(errors.ChapterError, match="{eval}`h` has no value: NameError: name 'h'"):
        says(tree, SAYS.replace("{eval}`f()`", "{eval}`h`"))


def failing(tree, text):
    (tree / "page.md").write_text(text)
    with pytest.raises(errors.ChapterError) as error:
        store.execute(["page"], say=lambda text: None)
    assert store.stored("page") is None
    return str(error.value)


def test_relations_in_the_text_are_decided_when_all_cells_have_run(tree):
    says(tree, CLAIMS)
    notebook = store.stored("page")
    symbols, listed, unasked = store.entries(notebook)
    assert (unasked.kind, unasked.status, unasked.said) == ("said", "proved", (r"\log x \le x - 1",))
    assert (listed.said, symbols.kind) == (("x > 1",), "symbols")
    assert len(chapters.code_cells(notebook)) == 2  # nothing is left of it in what the site offers
    assert not any("judged" in str(cell) for cell in notebook.cells)
    assert store.again("page") == notebook


def test_what_is_wrong_in_the_text_is_told_with_its_line(tree):
    wrong = CLAIMS.replace("- 1$", "- 2$").replace("with $x > 1$", "with $x > 1$\nand $y = 2$")
    message = failing(tree, wrong).splitlines()
    line, other = (1 + next(at for at, text in enumerate(wrong.splitlines()) if what in text)
                   for what in ("log", "y ="))
    assert message[0].startswith(rf"page.md:{line}: $\log x \le x - 2$ in a sentence: Refuted: ")
    assert " is false: at x = " in message[0]
    assert message[1].startswith(f"page.md:{other}: $y = 2$ in a sentence: Misprinted: ")
    assert "no meaning is known for y here" in message[1] and message[-1].startswith("  A relation in a sen")


def test_a_relation_that_is_a_condition_says_so(tree):
    message = failing(tree, CLAIMS.replace('"x > 1": "condition"', '"x > 2": "condition"'))
    assert "$x > 1$ in a sentence: Refuted: x > 1 is false: at x = " in message


@pytest.mark.parametrize("forged", [r"\\log x \\le x - 1", r"\\log x \\le x - 2"])
def test_evidence_of_a_sentence_that_a_cell_declares_is_refused(tree, forged):
    """Even what the kernel would say a moment later."""
    cell = (f"""display({{"text/plain": "said"}}, raw=True, metadata={{"{METADATA}": {{
    "kind": "said", "status": "proved", "title": "relations that sentences state",
    "findings": ["1 relation in sentences is decided"], "said": ["{forged}"]}}}})""")
    message = failing(tree, CLAIMS.replace('said({', f'{cell}\nsaid({{'))
    assert "an output declares evidence that no check has entered" in message


def test_a_word_that_a_cell_enters_for_a_wrong_sentence(tree):
    """`said` alone accounts for a relation: a definition of the symbol that makes it true helps nothing."""
    text = CLAIMS.replace("- 1$", "- 2$").replace('said({', 'x = sp.Integer(9)\nsaid({')
    assert "is false: at x = " in failing(tree, text)
