"""The ledger: entries travel with what is shown, once."""

import json

import pytest
import sympy as sp

from softmaxnotes.proof import Definition, Derivation, Erratum, agree, enumeration, mean_agrees, report
from softmaxnotes.proof.ledger import STATUSES, Checked, Entry

x = sp.Symbol("x", real=True)


def chain(label="eq-square"):
    return Derivation((x + 1) ** 2, label=label, title="a square", rows=["S0-001"]).step(x**2 + 2 * x + 1, "expand")


def show(checked):
    return checked._repr_mimebundle_()


def test_the_entry_travels_in_the_metadata():
    data, metadata = show(chain())
    entry = metadata["softmaxnotes"]
    assert data["text/markdown"].startswith("$$\n")
    assert data["text/markdown"].endswith("\n$$ (eq-square)")
    assert data["text/plain"] == entry["tex"]
    assert entry["kind"] == "derivation"
    assert entry["label"] == "eq-square"
    assert entry["status"] == "proved"
    assert entry["badge"] == "symbolic"
    assert entry["rows"] == ["S0-001"]
    assert entry["mutants"] > 0
    assert entry["how"][0].startswith("symbolic; 30 digits at ")
    assert "of" not in entry  # empty fields stay at home


def test_metadata_survives_the_notebook_format():
    for checked in (chain(), Definition("f", (x,), x**2, label="eq-f", title="f"),
                    Erratum("A Textbook", (x, x + 1), correct="eq-square", consequence="It is off by one.")):
        metadata = show(checked)[1]
        assert json.loads(json.dumps(metadata)) == metadata


def test_what_is_shown_twice_is_listed_once():
    square = chain()
    show(square)
    show(square)
    show(chain())
    assert len(report().entries) == 1
    show(chain("eq-other"))
    assert [e.label for e in report().entries] == ["eq-square", "eq-other"]


def test_evidence_joins_the_line_of_its_equation():
    show(chain())
    show(agree(lambda v: (v + 1) ** 2, (x + 1) ** 2, {x: lambda rng: rng.normal()}, of="eq-square", bound=8, because="two operations"))
    show(enumeration(lambda c: (c + 1.0) ** 2, lambda c: 0.5, [0, 1], 2.5, of="eq-square", title="mean", bound=4, because="one sum"))
    show(mean_agrees(lambda n, rng: rng.random(n), 0.5, bounds=(0, 1), effect=0.1, of="eq-square", title="mean of a uniform"))
    show(Erratum("A Textbook", ((x + 1) ** 2, x**2 + 1), correct="eq-square", consequence="A term is missing."))
    table = report()._repr_markdown_().splitlines()
    assert len(table) == 3
    assert table[2].count("<br>") == 4
    assert "[](#eq-square)" in table[2]
    assert sum(e.mutants for e in report().entries) == int(table[2].split("|")[-2])


def test_evidence_for_an_equation_of_another_page_has_its_own_line():
    show(enumeration(float, lambda c: 0.5, [0, 1], 0.5, of="eq-elsewhere", title="mean of a coin", bound=4, because="one sum"))
    assert "Mean of a coin" in report()._repr_markdown_()


def test_a_route_points_to_its_equation():
    data, metadata = show(enumeration(float, lambda c: 0.5, [0, 1], 0.5, of="eq-coin", title="mean", bound=4, because="one sum"))
    assert data["text/markdown"].endswith("[](#eq-coin)")
    assert metadata["softmaxnotes"]["of"] == "eq-coin"
    assert "label" not in metadata["softmaxnotes"]


def test_a_status_must_be_known():
    class Odd(Checked):
        def _entry(self):
            return Entry("derivation", "believed", "faith", "eq-odd")

        def _markdown(self):
            return ""

    with pytest.raises(ValueError, match="status must be one of"):
        show(Odd())
    assert "proved" in STATUSES


def test_an_empty_chapter():
    assert report().entries == []
    assert report()._repr_markdown_().count("\n") == 1


def test_numbers_of_a_chain_are_those_of_its_steps():
    square = chain()
    first = square.mutants
    square.step((x + 1) ** 2, "factor")
    assert show(square)[1]["softmaxnotes"]["mutants"] == square.mutants > first
    assert square.seconds > 0
