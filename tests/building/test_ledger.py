"""The ledger of the book: who has rows in it."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

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
