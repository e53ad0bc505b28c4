"""The ledger of the book: who has rows in it."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from proofread.experiments import Comparison, Runs, Without
from proofread.ledger import Entry
from tools import chapters, ledger


def test_a_page_of_no_part_has_no_rows():
    entry = Entry("said", "proved", findings=("1 relation in sentences is decided",))
    book = {"book/intro": [entry], "book/part/chapter": [entry], "book/part/silent": []}
    assert ledger.listed(book) == {"book/part/chapter": [entry]}


def test_a_number_stands_in_a_cell_or_in_an_expression_of_the_text():
    page = new_notebook(cells=[new_markdown_cell("$6.62$, $7.5$ and $6.63$ {eval}`f'{recipe(6.62):.4f}'`."),
                               new_code_cell("n = 7.5")])
    assert chapters.unchecked(page, []) == ["6.63"]
    assert chapters.claims(page, []) == {"6.62", "6.63", "7.5"}


def test_an_experiment_is_what_was_run_and_what_that_bears_out():
    runs = Runs({"guess": [[5, 6], [6, 7], [7, 6], [6, 5], [5, 6], [6, 7], [7, 6], [6, 6]],
                 "rule < 3": [[3, 2], [2, 3], [3, 2], [2, 3], [3, 2], [2, 3], [3, 2], [2, 3]],
                 "habit": [[2, 3], [3, 2], [2, 3], [3, 2], [2, 3], [3, 2], [2, 3], [3, 2]]},
                seeds=range(8), spent="questions", budgets=(20, 40), tuning="nothing was tuned")
    race = Comparison("guessing", runs, nothing="guess", usual="rule < 3", measured="mistakes",
                      best=Without("nobody knows it"), few="a test is short")
    licensed = [race.less("rule < 3", "guess"), race.more("guess", "habit"),
                race.undecided("rule < 3", "habit"), race.converged("guess", within=5)]
    told = Entry.read(race.evidence())
    run, borne = ledger.experiment(told)
    assert len(borne.findings) == len(licensed) == 4
    assert all(any(text.startswith(claim.check) for text in borne.findings) for claim in licensed)
    assert run.findings == told.findings[:-4]
