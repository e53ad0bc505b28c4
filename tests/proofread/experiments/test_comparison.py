"""Which sentences runs license, and which they refuse."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from proofread import ledger, report
from proofread.errors import Refuted
from proofread.experiments import Comparison, Runs, Without
from proofread.experiments.comparison import plus_minus

SEEDS = range(10)


def runs(**changes):
    """Three methods on ten seeds that they share: much noise of the seed, little of the method."""
    rng = np.random.default_rng(3)
    seed, own = rng.normal(0, 5, 10), rng.normal(0, 0.1, (4, 10))
    values = {"none": seed + own[0], "usual": seed - 1 + own[1], "same": seed - 1 + own[2],
              "best": own[3] - 20}
    return replace(Runs(values, SEEDS, spent="rewards", tuning="nothing was tuned"), **changes)


def compare(found=None, title="a race", **changes):
    options = {"nothing": "none", "usual": "usual", "best": "best", "measured": "variance", **changes}
    return Comparison(title, runs() if found is None else found, **options)


def test_a_difference_has_the_error_of_the_pairs_or_of_both():
    race = compare()
    apart = race.results("none") - race.results("usual")
    assert race.difference("none", "usual") == plus_minus(apart)
    assert race.difference("usual", "none") == plus_minus(-apart)
    a, b = np.array([1.0, 2.0, 3.0, 4.0, 5.0] * 2), np.array([0.0, 1.0] * 5)
    loose = compare(Runs({"a": a, "b": b}, SEEDS, paired=False, tuning="none"), nothing="a", usual="b",
                    best=Without("it is a test"))
    error = np.hypot(a.std(ddof=1), b.std(ddof=1)) / np.sqrt(10)
    assert loose.difference("a", "b") == f"2.50 ± {error:.2f}"


def test_a_sentence_may_compare_what_a_larger_budget_has_reached():
    early, late = np.arange(10.0), np.arange(10.0) + 1
    slow, quick = np.stack([early, late - 5], axis=1), np.stack([early - 1, late - 2], axis=1)
    found = Runs({"slow": slow, "quick": quick}, SEEDS, budgets=(100, 400), spent="steps",
                 tuning="none")
    roles = {"nothing": Without("it is a test"), "usual": "slow", "best": Without("it is a test")}
    assert compare(found, **roles).less("quick", "slow")
    assert compare(found.at(400), **roles).less("slow", "quick")
    assert found.at(400).budgets == (400,) and found.at(400).spent == "steps"
    assert found.at(100).at(100).values["slow"].ravel().tolist() == early.tolist()
    with pytest.raises(ValueError, match=r"expected one of the budgets \(100, 400\), got 200"):
        found.at(200)


def test_an_order_is_licensed_with_its_numbers_and_the_other_refused():
    race = compare()
    assert str(race.less("usual", "none")) == f"{race.mean('usual')} against {race.mean('none')}"
    assert repr(race.more("none", "usual")) == f"{race.mean('none')} against {race.mean('usual')}"
    with pytest.raises(Refuted, match="a race: 'none' is not less than 'usual': .* against"):
        race.less("none", "usual")
    with pytest.raises(Refuted, match="'same' is not more than 'same'"):
        race.more("same", "same")


def test_pairs_see_what_independent_runs_do_not():
    assert compare().less("usual", "none")
    with pytest.raises(Refuted, match="usual < none is borne out too weakly: .* 1 sentences at 0.05"):
        compare(runs(paired=False)).less("usual", "none")
    assert compare(runs(paired=False)).less("best", "none")


def test_the_rate_is_that_of_exchanging_all_runs():
    """All ten differences have one sign, which by exchange 2 of 1024 have."""
    claim = compare().less("usual", "none")
    assert claim.rate == 2 / 1024
    a, b = (runs().values[method][:, 0] for method in ("usual", "none"))
    assert claim.rate == scipy.stats.wilcoxon(a, b).pvalue  # where all have one sign, ranks do not matter
    apart = compare(runs(paired=False)).less("best", "none")
    assert apart.rate == pytest.approx(2 / scipy.special.comb(20, 10))


def test_methods_that_are_the_same_are_told_apart_at_the_error_rate():
    """Of a thousand comparisons of noise with noise not many more than fifty license a sentence."""
    rng, licensed = np.random.default_rng(0), 0
    for _ in range(400):
        found = Runs({"a": rng.normal(size=6), "b": rng.normal(size=6)}, range(6), tuning="none")
        race = Comparison("noise", found, nothing="a", usual="b", best=Without("there is none here"),
                          measured="noise", few="it is fast")
        try:
            race.less("a", "b")
        except Refuted:
            try:
                race.more("a", "b")
            except Refuted:
                continue
        licensed += 1
    assert licensed <= scipy.stats.binom.isf(1e-6, 400, 0.05)


def test_more_sentences_need_more_evidence():
    """With six pairs the rate is at best 1/32: enough for one sentence at 0.05, not for two."""
    found = runs()
    few = Runs({method: values[:6] for method, values in found.values.items()}, range(6), tuning="none")
    race = compare(few, few="it is a test")
    race.less("usual", "none")
    race.less("usual", "none")  # the same sentence is no second one
    with pytest.raises(Refuted, match="usual < none is .* too weakly: .* 0.031; 2 sentences .* 0.025"):
        race.less("best", "none")
    assert [claim.check for claim in race.claims] == ["usual < none"]


def test_that_no_difference_was_seen_tells_which_would_have_been():
    race = compare()
    words = str(race.undecided("usual", "same"))
    bound = float(words.split("one of ")[1].split(" ")[0])
    with pytest.raises(Refuted, match="a difference of 'usual' and 'none' is seen"):
        race.undecided("usual", "none")
    rng, seen = np.random.default_rng(1), 0  # what is said of the difference holds for noise of this size
    d = (race.results("usual") - race.results("same"))
    for _ in range(300):
        moved = rng.normal(bound, d.std(ddof=1), 10)
        seen += scipy.stats.ttest_1samp(moved, 0).pvalue <= 0.05
    assert abs(seen / 300 - 0.9) < 0.07


def test_a_limit_is_reached_if_doubling_the_budget_moves_nothing():
    rng = np.random.default_rng(5)
    still, moving = rng.normal(1, 0.01, (10, 3)), rng.normal(1, 0.01, (10, 3)) + [0, 1, 2]
    found = Runs({"still": still, "moving": moving}, SEEDS, budgets=(500, 1000, 2000), spent="steps",
                 tuning="none")
    race = compare(found, nothing=Without("both are trained"), usual="moving", best="still")
    assert str(race.converged("still", within=0.05)).startswith("from 1,000 to 2,000 steps it moves by ")
    with pytest.raises(Refuted, match="'moving' has not converged within 0.05"):
        race.converged("moving", within=0.05)
    with pytest.raises(Refuted, match="'still' has not converged within 0.0001"):
        race.converged("still", within=1e-4)  # less than these runs could tell
    with pytest.raises(ValueError, match=r"expected a budget and twice that, got \(1,\)"):
        compare().converged("usual", within=1.0)


def test_seeds_that_nobody_has_seen_must_not_contradict():
    """They license more weakly, for they are asked for one thing only: are they against it?"""
    rng = np.random.default_rng(2)
    noise = rng.normal(size=10)
    weak = Runs({"a": noise + 0.1, "b": noise[::-1]}, SEEDS, tuning="none")
    options = {"nothing": "a", "usual": "b", "best": Without("there is none here")}
    with pytest.raises(Refuted, match="too weakly"):
        compare(weak, **options).less("b", "a")
    fresh = compare(replace(weak, fresh=True), **options)
    assert fresh.less("b", "a")
    with pytest.raises(Refuted, match="'a' is not less than 'b'"):
        fresh.less("a", "b")
    with pytest.raises(Refuted, match="a difference of 'best' and 'none' is seen"):
        compare(runs(paired=False, fresh=True)).undecided("best", "none")


def test_what_is_left_out_needs_a_reason():
    for role in ("nothing", "usual", "best"):
        with pytest.raises(ValueError, match=f"{role} to be one of none, usual, same, best, or Without"):
            compare(**{role: "moving average"})
    assert compare(best=Without("no bound is known"))
    with pytest.raises(ValueError, match="expected a reason in a few words, got 'none'"):
        Without("none")
    with pytest.raises(ValueError, match="expected two methods at least, got none"):
        compare(Runs({"none": np.ones(10)}, SEEDS, tuning="none"), usual="none", best="none")
    with pytest.raises(ValueError, match="expected runs that say how methods were tuned"):
        compare(runs(tuning=""))


def test_one_seed_is_no_experiment():
    values = {method: results[:1] for method, results in runs().values.items()}
    with pytest.raises(ValueError, match="expected 10 seeds at least, or few=a reason, got 1"):
        compare(Runs(values, range(1), tuning="none"))
    with pytest.raises(ValueError, match="expected 5 seeds at least, got 1"):
        compare(Runs(values, range(1), tuning="none"), few="it takes long")


def test_runs_are_whole():
    with pytest.raises(ValueError, match=r"expected 10 seeds and 1 budgets of 'a', got shape \(9, 1\)"):
        Runs({"a": np.ones(9)}, SEEDS)
    with pytest.raises(ValueError, match="expected finite results, got 'a' with seed 2"):
        Runs({"a": [1.0, 2.0, np.nan]}, range(3))
    with pytest.raises(ValueError, match="expected seeds that differ"):
        Runs({"a": [1.0, 2.0]}, [4, 4])
    with pytest.raises(ValueError, match="expected budgets in increasing order"):
        Runs({"a": np.ones((2, 2))}, range(2), budgets=(2, 1))


def test_what_is_shown_is_a_table_and_an_entry_of_the_ledger():
    race = compare(best=Without("no bound is known"), few="", error_rate=0.01)
    race.less("usual", "none")
    data, metadata = race._repr_mimebundle_()
    mean = race.mean("usual").replace(" ", "\u00a0")  # which stays in one line
    assert f"| usual | {mean} | usual choice |" in data["text/markdown"]
    assert data["text/markdown"].endswith("|\n\nA race: mean ± standard error over 10 runs.")
    entry = ledger.Entry.read(metadata[ledger.METADATA])
    assert (entry.kind, entry.status, entry.title) == ("comparison", "measured", "a race")
    assert entry.findings[0] == "4 methods, each with 10 seeds and 1 rewards; runs of one seed are compared"
    assert "no best possible: no bound is known" in entry.findings
    assert entry.findings[-1] == "usual < none: 0.002"
    with pytest.raises(ValueError, match="expected its sentences before it is shown"):
        race.less("best", "none")


def test_what_is_only_quoted_is_shown_at_the_end(monkeypatch):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda race: seen.append((race, race._repr_mimebundle_())))
    shown, quoted, silent = (compare(title=title)
                             for title in ("shown", "quoted", "silent"))
    for race in (shown, quoted):
        race.less("usual", "none")
    shown._repr_mimebundle_()
    table = report()
    assert [race for race, _ in seen] == [quoted]
    assert [entry.title for entry in table.entries] == ["shown", "quoted"]
    assert report().entries == table.entries and len(seen) == 1  # once is enough
    compare(title="quoted").less("usual", "none")
    with pytest.raises(ValueError, match="titles of their own, got twice or more: quoted"):
        report()


@pytest.mark.parametrize(("results", "shown"), [
    ([0.0996 - 0.0141, 0.0996 + 0.0141], "0.100 ± 0.014"), ([1e-6, 3e-6], "0.0000020 ± 0.0000010"),
    ([123456, 123556], "123,506 ± 50"), ([0.0, 0.0], "0"), ([0.3710208] * 3, "0.371"),
    ([12345.0] * 2, "12,345"), ([-5.0, 5.0], "0.0 ± 5.0"),
    ([0, 2 * 0.0997], "0.10 ± 0.10"),
])
def test_means_have_two_digits_of_their_error(results, shown):
    assert plus_minus(results) == shown
