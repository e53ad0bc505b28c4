"""A verdict is data, and an undecided line tells its author what remains."""

import json
from dataclasses import asdict

import pytest
import sympy as sp

from proofread import Derivation, bounds, decide
from proofread.decision.verdict import Evidence, in_words
from proofread.errors import Undecided

k, n, m = sp.symbols("k n m", integer=True, positive=True)
x = sp.Symbol("x", real=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)
every = k, 1, n


def test_evidence_says_how_for_which_sizes_and_in_how_many_digits():
    found = decide(sp.Sum(z[k] + 1, every), sp.Sum(z[k], every) + n).evidence
    assert (found.scope, found.by, found.digits, found.points) == ((), (), 30, 4)
    assert found.sizes == (("n", (1, 2, 5, 7)),)
    assert "sums.sum" in found.rules and not found.attained and not found.random_functions


def test_evidence_names_the_rules_that_were_asked_for():
    share = w[k] / sp.Sum(w[k], every)
    gap = sp.Sum(share * sp.log(share * n), every)
    found = decide(0, gap, "<=", by=[bounds.gibbs(share, 1 / n, every)], attained={w: 1}).evidence
    assert found.by == ("Gibbs' inequality",) and found.attained


def test_a_proof_at_some_sizes_says_which():
    found = decide(sp.Sum(sp.gamma(k + 1), every), sp.Sum(k * sp.gamma(k), every))
    assert (found.status, found.evidence.scope) == ("proved", (("n", (1, 2, 3, 4)),))
    assert found.scope == "n = 1…4"


def test_what_refutes_rests_on_no_evidence():
    found = decide(x, x + 1)
    assert found.evidence is None and found.witness and not found.passes


def test_evidence_can_be_written_to_a_file_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PROOFREAD_VERDICTS", str(tmp_path))
    monkeypatch.delenv("PROOFREAD_FRESH_SEED", raising=False)
    first, again = (decide(sp.Sum(z[k] + 1, every), sp.Sum(z[k], every) + n) for _ in range(2))
    assert first == again and isinstance(again.evidence, Evidence)
    assert json.loads(json.dumps(asdict(first.evidence)))["sizes"] == [["n", [1, 2, 5, 7]]]


@pytest.mark.parametrize(("sizes", "words"), [
    ((("n", (1, 2, 3, 4)),), "n = 1…4"), ((("n", (2,)), ("m", (1, 2))), "n = 2, m = 1 and 2"),
    ((("n", (1, 2, 5)),), "n = 1, 2 and 5"),
])
def test_sizes_in_words_show_each_gap(sizes, words):
    assert in_words(sizes) == words


# -- what an author is told of an undecided line -------------------------------------------------------------


def undecided(left, right):
    with pytest.raises(Undecided) as caught:
        Derivation(left, label="eq-goal", title="a goal").step(right, "somehow")
    return str(caught.value)


def test_what_the_normal_form_could_not_cancel_is_told():
    told = undecided(sp.Sum(z[k] + sp.floor(z[k]) + sp.ceiling(-z[k]), every), sp.Sum(z[k], every))
    assert ("what is left of the difference of its sides: "
            "Sum(ceiling(-z[i]), (i, 1, n)) + Sum(floor(z[i]), (i, 1, n))") in told


def test_the_rule_that_is_missing_is_told():
    product = sp.LambertW(w[k]) * sp.exp(sp.LambertW(w[k]))
    assert "no rule for LambertW" in undecided(sp.Sum(product, every), sp.Sum(w[k], every))


def test_from_which_size_on_the_numbers_agree_is_told():
    told = undecided(sp.Sum(sp.floor(z[k]) + sp.ceiling(-z[k]), every), 0)
    assert told.endswith("the numbers agree from n = 1 on")
