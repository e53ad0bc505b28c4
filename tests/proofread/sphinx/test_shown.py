"""Entries as nodes, made of what they hold as data, and not of their words."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes

from proofread.ledger import Entry
from proofread.sphinx import shown


@pytest.mark.parametrize(("kind", "finding", "explained"), [
    ("agreement", "the error comes closest to its bound with 1.5 u of 3 u", True),
    ("enumeration", "largest error 0.5 u, where 2 u are allowed", True),
    ("argued", "argued: $v = 2 u$ is a substitution", False),
])
def test_the_unit_of_errors_is_explained_where_there_are_some(kind, finding, explained):
    (items,) = shown.found([Entry(kind, "measured", findings=(finding,))])
    assert ("Here u is" in items.astext()) == explained


def test_symbols_are_listed_with_what_they_mean():
    declared = Entry("symbols", "definition", symbols={r"z": "logits: one for each class, real"})
    defined = Entry("definition", "definition", label="eq-p", tex=r"p := q := r", symbols={"p": "a law"})
    env = SimpleNamespace(proofread={"entries": {"one": [declared, defined], "two": [declared]}})
    table = shown.symbols(env, ["one", "two"], str.title)
    rows = [[re.sub(r"\s+", " ", cell.astext()) for cell in row.children] for row in table[0][-1]]
    assert rows == [["z", "logits: one for each class, real", "One, Two"], ["p", "a law", ""]]


def test_links_to_the_errata_of_an_equation_lead_to_the_first(monkeypatch):
    monkeypatch.setattr(shown, "erratum", lambda env, entry, where: nodes.container())
    found = [Entry("erratum", "refuted", of=of) for of in ("eq-a", "eq-b", "eq-a")]
    notes = shown.errata(None, [(entry, "A chapter") for entry in found])
    assert [note["ids"] for note in notes] == [["erratum-eq-a"], ["erratum-eq-b"], []]
