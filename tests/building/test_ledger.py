"""The ledger: who has rows in it."""


from proofread.ledger import Entry
from tools import ledger


def test_a_page_of_no_part_has_no_rows():
    entry = Entry("said", "proved", findings=("1 relation in sentences is decided",))
    book = {"book/intro": [entry], "book/part/chapter": [entry], "book/part/silent": []}
    assert ledger.listed(book) == {"book/part/chapter": [entry]}
