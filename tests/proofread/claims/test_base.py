"""What is shown after a check: entries travel with it, once, and the report gathers them."""

import json
import re

import pytest

from proofread import Definition, Derivation, Erratum, report
from proofread import sympy as sp
from proofread.claims.base import Checked
from proofread.evidence import agree, enumeration, mean_agrees
from proofread.ledger import Entry

x = sp.Symbol("x", real=True)
k, n = sp.symbols("k n", integer=True, positive=True)


def chain(label="eq-square"):
    return Derivation((x + 1) ** 2, label=label, title="a square", rows=["S0-001"]).step(x**2 + 2 * x + 1,
        "expand")


def coin():
    return Definition("m", (), sp.Sum(k - 1, (k, 1, 2)) / 2, label="eq-coin", title="mean of a coin")


def show(checked):
    return checked._repr_mimebundle_()


def tossed(of, **options):
    return enumeration(float, lambda c: 0.5, [0, 1], 0.5, of=of, title="mean of a coin", bound=4,
                       because="one sum",
                       at={}, **options)


def test_the_entry_travels_in_the_metadata():
    data, metadata = show(chain())
    entry = metadata["proofread"]
    assert data["text/markdown"].startswith("$$\n")
    assert data["text/markdown"].endswith("\n$$ (eq-square)")
    assert data["text/plain"] == entry["tex"] == r"\left(x + 1\right)^{2} = x^{2} + 2 x + 1"
    assert entry["kind"] == "derivation"
    assert entry["label"] == "eq-square"
    assert entry["status"] == "proved"
    assert entry["rows"] == ["S0-001"]
    assert sum(entry["rejected"].values()) > 0
    algebra, numbers = entry["findings"]
    assert algebra == "proved by algebra" and numbers.startswith("confirmed in 30 digits at ")
    assert f"$$\n{entry['display']}\n$$" in data["text/markdown"]
    assert "of" not in entry  # empty fields stay at home
    assert Entry.read(entry).as_dict() == entry


def test_metadata_survives_the_notebook_format():
    square = chain()
    for checked in (square, Definition("f", (x,), x**2, label="eq-f", title="f"),
                    Erratum("A Textbook", ((x + 1) ** 2, x**2 + 1), correct=square,
                            consequence="A term is missing.")):
        metadata = show(checked)[1]
        assert json.loads(json.dumps(metadata)) == metadata
        assert Entry.read(metadata["proofread"]).as_dict() == metadata["proofread"]


def test_what_is_shown_twice_is_listed_once():
    square = chain()
    show(square)
    show(square)
    show(chain())
    assert len(report().entries) == 1
    show(chain("eq-other"))
    assert [e.label for e in report().entries] == ["eq-square", "eq-other"]


def test_evidence_joins_the_line_of_its_equation():
    square = chain()
    show(square)
    show(agree(lambda v: (v + 1) ** 2, (x + 1) ** 2, {x: lambda rng: rng.normal()}, of=square, bound=8,
               because="two operations"))
    show(enumeration(lambda c: 3.0 + 2 * c, lambda c: 0.5, [0, 1], 4.0, of=square, at={x: 1}, title="mean",
                     bound=4,
                     because="one sum"))
    show(mean_agrees(lambda size, rng: 8 * rng.random(size), 4, of=square, at={x: 1}, bounds=(0, 8),
                     effect=0.4,
                     title="mean of a uniform"))
    show(Erratum("A Textbook", ((x + 1) ** 2, x**2 + 1), correct=square, consequence="A term is missing."))
    table = report()._repr_markdown_().splitlines()
    assert len(table) == 3
    assert table[2].count("<br>") >= 4
    assert "[](#eq-square)" in table[2]
    told = re.findall(r"(\d+) by", table[2].split("|")[-2])
    assert sum(e.mutants for e in report().entries) == sum(map(int, told))


def test_evidence_for_an_equation_of_another_page_has_its_own_line():
    show(tossed(coin()))
    assert "Mean of a coin" in report()._repr_markdown_()


def test_a_route_points_to_its_equation():
    data, metadata = show(tossed(coin()))
    assert "[](#eq-coin)" in data["text/markdown"]
    assert metadata["proofread"]["of"] == "eq-coin"
    assert "label" not in metadata["proofread"]


def test_a_route_names_an_object_and_not_a_label():
    with pytest.raises((TypeError, ValueError, AttributeError)):
        tossed("eq-coin")


class Odd(Checked):
    def __init__(self, **fields):
        self.fields = fields

    def evidence(self):
        return {"kind": "derivation", "status": "proved", **self.fields}


@pytest.mark.parametrize(("fields", "message"), [
    ({"status": "believed"}, "status must be one of"), ({"kind": "faith"}, "kind must be one of"),
    ({"findings": [3]}, "holds text only"), ({"status": "proved for some sizes"}, "says for which"),
])
def test_a_kind_of_evidence_that_is_unknown_is_not_shown(fields, message):
    with pytest.raises(ValueError, match=message):
        show(Odd(**fields))
    assert report().entries == []


def test_a_kind_without_evidence_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Checked()


def test_an_empty_chapter():
    assert report().entries == []
    assert report()._repr_markdown_().count("\n") == 1


def test_numbers_of_a_chain_are_those_of_its_steps():
    square = chain()
    first = square.mutants
    square.step((x + 1) ** 2, "factor")
    assert square.mutants > first
    entry = Entry.read(show(square)[1]["proofread"])
    assert entry.mutants == square.mutants
    assert square.seconds > 0


def test_the_report_says_how_and_for_which_sizes():
    show(Derivation(sp.Sum(k, (k, 1, n)), label="eq-sum", title="a sum").step(n * (n + 1) / 2, "Gauss"))
    entry, = report().entries
    assert entry.status in ("proved", "proved for some sizes")
    assert f"**{entry.word}**" in report()._repr_markdown_()
