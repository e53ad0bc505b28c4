"""Entries: one schema, refused where it is not kept."""

import dataclasses
import json

import pytest

from proofread import ledger
from proofread.ledger import KINDS, STATUSES, Entry, Ledger

FULL = {
    "kind": "derivation", "status": "proved for some sizes", "label": "eq-it", "title": "it", "tex": "x = x",
    "display": "x = x",
    "conditions": ["for $x > 0$"], "scope": "n = 1…4", "findings": ["symbolic"], "argued": 1,
    "rejected": {"by the check": 3},
    "rests_on": ["eq-other"], "rows": ["S0-001"], "said": ["x > 0"],
    "symbols": {"x": "a number"}, "seconds": 0.25,
    "erratum": {"source": "A Textbook"}, "of": "eq-that"}


def entry(**changes):
    return Entry(**{"kind": "derivation", "status": "proved", **changes})


def test_what_is_written_is_read():
    one = Entry.read(FULL)
    assert one.as_dict() == FULL
    assert Entry.read(json.loads(json.dumps(one.as_dict()))) == one
    assert one.conditions == ("for $x > 0$",)
    assert set(FULL) == {f.name for f in dataclasses.fields(Entry)}  # every field is looked at here


def test_what_says_nothing_is_left_out():
    assert entry().as_dict() == {"kind": "derivation", "status": "proved"}
    assert Entry.read(entry().as_dict()) == entry()


@pytest.mark.parametrize("data", [None, "proved", ["kind"], 3, ("kind", "status")])
def test_what_is_no_dictionary(data):
    with pytest.raises(ValueError, match="no entry of the ledger"):
        Entry.read(data)


@pytest.mark.parametrize("strange", ["badge", "how", "mutants", "word", "Label", ""])
def test_an_unknown_field(strange):
    with pytest.raises(ValueError, match=f"no entry of the ledger: .*{strange}"):
        Entry.read({**FULL, strange: "x"})


@pytest.mark.parametrize("missing", ["kind", "status"])
def test_a_missing_field(missing):
    with pytest.raises(ValueError, match=f"needs {missing}"):
        Entry.read({k: v for k, v in FULL.items() if k != missing})
    with pytest.raises(ValueError, match="needs kind, status"):
        Entry.read({})


@pytest.mark.parametrize(("field", "value"), [
    ("kind", "theorem"), ("kind", ""), ("kind", None), ("status", "believed"), ("status", "checked"),
    ("status", "Proved"),
    ("status", ""), ("status", "proved in instances"),
])
def test_an_unknown_kind_or_status(field, value):
    with pytest.raises(ValueError, match=f"{field} must be one of"):
        Entry.read({**FULL, field: value})


@pytest.mark.parametrize(("field", "value"), [
    ("label", 3), ("label", None), ("of", ["eq-a"]), ("title", 3.0), ("tex", None), ("display", {}),
    ("scope", 4), ("argued", "1"),
    ("argued", 1.5), ("seconds", "0.1"), ("conditions", [3]), ("conditions", ["a", None]),
    ("findings", [["a"]]),
    ("rests_on", [None]), ("rows", [1]), ("conditions", 3), ("rejected", 3), ("rejected", ["by the check"]),
    ("erratum", "wrong"),
])
def test_a_value_of_another_type(field, value):
    with pytest.raises((ValueError, TypeError)):
        Entry.read({**FULL, field: value})


def test_a_proof_for_some_sizes_says_for_which():
    with pytest.raises(ValueError, match="says for which"):
        entry(status="proved for some sizes")
    assert entry(status="proved for some sizes", scope="n = 1…4").word == "proved for n = 1…4"


def test_every_other_word_is_the_status():
    for status in set(STATUSES) - {"proved for some sizes"}:
        assert entry(status=status).word == status
    for kind in KINDS:
        assert entry(kind=kind).kind == kind


def test_an_entry_cannot_be_changed():
    one = entry(conditions=["a"], rejected={"by the check": 3})
    for field in dataclasses.fields(Entry):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, field.name, "proved")
    with pytest.raises(TypeError):
        one.conditions[0] = "b"


def test_what_is_counted():
    assert entry().mutants == 0
    assert entry(rejected={"by the check": 3, "by numbers": 4}).mutants == 7


def test_the_ledger_keeps_the_order_of_first_display_and_the_last_version(monkeypatch):
    monkeypatch.setattr(ledger, "_current", Ledger())
    for one in (entry(label="eq-a"), entry(label="eq-b"), entry(label="eq-a", title="again"),
                entry(of="eq-a", title="a route")):
        ledger.current().add(one)
    assert [(e.get("label"), e.get("title")) for e in ledger.export()] == [
        ("eq-a", "again"), ("eq-b", None), (None, "a route")]
