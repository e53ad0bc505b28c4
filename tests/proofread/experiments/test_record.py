"""A record is that of its experiment and of its code, or it is refused."""

import importlib
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from proofread.errors import Refuted
from proofread.experiments import Comparison, Experiment, record

MODULE = '''
"""An experiment: how far a walk gets."""

import numpy as np
from proofread.experiments import Experiment
from walks.steps import step


def walk(method, *, seed, budget, size=1.0):
    """Where it ends."""
    rng = np.random.default_rng(seed)
    ends = abs(sum(step(rng, method) for _ in range(budget))) * size
    return {"end": ends, "luck": rng.random()}


WALKS = Experiment("far", walk, {"stand": {}, "small": {"size": (1.0, 2.0)}, "large": {"size": (4.0, 8.0)}},
                   seeds=range(5), tuning_seeds=(90, 91), budgets=(3, 6), spent="steps", measure="end")
'''
STEPS = '''
def step(rng, method):
    return 0.0 if method == "stand" else rng.normal()
'''


@pytest.fixture
def walks(tmp_path, monkeypatch):
    """A package of its own, which may be changed."""
    package = tmp_path / "walks"
    package.mkdir()
    for name, text in (("__init__", ""), ("far_away", MODULE), ("steps", STEPS)):
        (package / f"{name}.py").write_text(text, "utf8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield package
    for name in [name for name in sys.modules if name.split(".")[0] == "walks"]:
        del sys.modules[name]


def loaded(package):
    """The experiment as the files say it now."""
    for name in [name for name in sys.modules if name.split(".")[0] == "walks"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    return importlib.import_module("walks.far_away").WALKS


def made(experiment):
    results = {job: experiment.do(job) for job in experiment.trials()}
    chosen = experiment.choose(results)
    results |= {job: experiment.do(job) for job in experiment.reported(chosen)}
    record.write(experiment, results, chosen)
    return record.path(experiment)


def exchange(experiment, run):
    """Another function, which says that it is that of the module."""
    run.__module__, run.__qualname__ = "walks.far_away", "walk"
    object.__setattr__(experiment, "run", run)


def change(package, name, old, new):
    path = package / name
    text = path.read_text("utf8")
    assert old in text
    path.write_text(text.replace(old, new), "utf8")


def test_a_record_holds_what_running_gives(walks):
    experiment = loaded(walks)
    place = made(experiment)
    assert place == walks / "far_away.far.jsonl"
    kept, now = record.recorded(experiment), experiment.runs()
    for method in ("stand", "small", "large"):
        np.testing.assert_array_equal(kept.values[method], now.values[method])
    assert kept.values["small"].shape == (5, 2) and kept.chosen == now.chosen and not kept.fresh
    assert kept.chosen["large"] == {"size": 4.0}
    assert kept.tuning.endswith("small size 1 of 1, 2; large size 4 of 4, 8")
    luck = record.recorded(experiment, "luck")
    assert (luck.values["small"] != kept.values["small"]).all()
    for number in range(7):
        record.repeat(experiment, number)


def test_an_edited_number_is_refused(walks):
    experiment = loaded(walks)
    place = made(experiment)
    lines = place.read_text("utf8").splitlines()
    line = json.loads(lines[5])
    line["found"]["end"] += 0.5
    lines[5] = json.dumps(line)
    place.write_text("\n".join([*lines, ""]), "utf8")
    with pytest.raises(record.Stale, match="expected the runs of far_away.far.jsonl as they were written"):
        record.recorded(experiment)
    head = json.loads(lines[0])  # and by who knows how the sum is made, when that run is repeated
    head["lines"] = record._sum(lines[1:])
    place.write_text("\n".join([json.dumps(head), *lines[1:], ""]), "utf8")
    results, _ = record.load(experiment)
    edited = sorted(results, key=str).index(record.read_line(lines[5])[0])
    with pytest.raises(Refuted, match="to give .* as in far_away.far.jsonl, got"):
        record.repeat(experiment, edited)


@pytest.mark.parametrize(("name", "old", "new"), [
    ("far_away.py", "* size", "* size + 1"),
    ("steps.py", "rng.normal()", "rng.normal(1.0)"),  # what it rests on
])
def test_a_changed_function_is_refused(walks, name, old, new):
    made(loaded(walks))
    change(walks, name, old, new)
    with pytest.raises(record.Stale, match="to be made by the code .* make record NAME=.*far"):
        record.recorded(loaded(walks))


@pytest.mark.parametrize(("name", "old", "new"), [
    ("far_away.py", "Where it ends.", "How far it gets."),
    ("steps.py", "def step", "# one step\n\n\ndef step"),
])
def test_a_changed_comment_is_not(walks, name, old, new):
    made(loaded(walks))
    change(walks, name, old, new)
    assert record.recorded(loaded(walks)).seeds == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(("changes", "says"), [
    ({"seeds": range(6)}, "to have 36 runs, got none of 'stand' with seed 5"),
    ({"tuning_seeds": (90, 91, 92)}, "12 runs that choose settings, got none of 'small' with seed 92"),
    ({"budgets": (3, 6, 12)}, "got none of 'stand' with seed 0 and 12"),
    ({"seeds": range(4)}, "expected runs of the experiment in .*, got"),
    ({"better": "more"}, "to report the best settings, got"),
    ({"name": "near"}, "expected a record of near in far_away.near.jsonl, got no such file"),
    ({"methods": {"stand": {}, "small": {"size": (1.0, 2.0)}}}, "to report the best settings, got"),
    ({"methods": {"stand": {}, "tiny": {"size": (1.0, 2.0)}}}, "got none of 'tiny'"),
])
def test_a_record_of_another_experiment_is_refused(walks, changes, says):
    experiment = loaded(walks)
    made(experiment)
    with pytest.raises(record.Stale, match=says):
        record.recorded(replace(experiment, **changes))


def test_a_run_that_amplifies_rounding_is_held_to_the_spread(walks):
    experiment = replace(loaded(walks), digits=0)
    made(experiment)
    number = [job.method == "large" for job in sorted(record.load(experiment)[0], key=str)].index(True)
    exchange(experiment, plausible)
    record.repeat(experiment, number)
    exchange(experiment, absurd)
    with pytest.raises(Refuted, match="to give .*, got 1000000000.0"):
        record.repeat(experiment, number)


def test_a_result_that_all_seeds_give_is_held_to_its_digits(walks):
    experiment = replace(loaded(walks), digits=0)
    exchange(experiment, level)
    made(experiment)
    LEVEL[0] += 1e-15
    record.repeat(experiment, 0)
    LEVEL[0] += 1e-6
    with pytest.raises(Refuted, match="to give 0.0418"):
        record.repeat(experiment, 0)


def test_a_result_at_its_ceiling_may_fall_as_far_as_those_of_other_methods(walks):
    experiment = replace(loaded(walks), digits=0)
    exchange(experiment, ceiling)
    made(experiment)
    jobs = sorted(record.load(experiment)[0], key=str)
    at_it = [job.method == "large" for job in jobs].index(True)
    FALLEN[0] = 0.5
    record.repeat(experiment, at_it)
    FALLEN[0] = 1e6
    with pytest.raises(Refuted, match="to give 200.0 as in .*, got -999800.0"):
        record.repeat(experiment, at_it)
    FALLEN[0] = 0.0


FALLEN = [0.0]


def ceiling(method, *, seed, budget, size=1.0):
    low = {"stand": 0.0, "small": 150.0, "large": 200.0}[method]
    return {"end": low + (seed % 7 if method == "small" else 0) - FALLEN[0], "luck": 0.5}


LEVEL = [0.0418]


def level(method, *, seed, budget, size=1.0):
    return {"end": LEVEL[0], "luck": 0.5}


def plausible(method, *, seed, budget, size=1.0):
    return {"end": 5.0 + 1e-3 * seed, "luck": 0.5}


def absurd(method, *, seed, budget, size=1.0):
    return {"end": 1e9, "luck": 0.5}


def test_fresh_seeds_have_records_of_their_own(walks, tmp_path, monkeypatch):
    experiment = loaded(walks)
    made(experiment)
    monkeypatch.setenv("PROOFREAD_FRESH_SEED", "7")
    monkeypatch.setenv("PROOFREAD_FRESH_RECORDS", str(tmp_path / "fresh"))
    assert experiment.runs().fresh and experiment.runs().seeds[1] == 1 + 7 * 1_000_003
    assert record.seen(experiment).seeds == experiment.seeds and not record.seen(experiment).fresh
    with pytest.raises(record.Stale, match="no such file"):
        record.recorded(experiment)


def test_experiments_that_are_not_fair_are_refused():
    def run(method, *, seed, budget, lr=0.1):
        return 0.0

    for changes, says in (
        ({"methods": {"a": {"lr": (1, 2, 3)}, "b": {"lr": (1, 2)}}}, "as many .* got {'a': 3, 'b': 2}"),
        ({"methods": {"a": {"lr": ()}, "b": {}}}, "as many settings"),
        ({"tuning_seeds": ()}, "tuning_seeds if and only if there are settings to choose from"),
        ({"methods": {"a": {}, "b": {}}}, "tuning_seeds if and only if"),
        ({"tuning_seeds": (4, 50)}, r"tuning_seeds that are not reported, got \[4\] in both"),
        ({"better": "smaller"}, "better to be 'less' or 'more', got 'smaller'"),
    ):
        with pytest.raises(ValueError, match=says):
            Experiment(**{"name": "x", "run": run, "seeds": range(5), "tuning_seeds": (50,),
                          "methods": {"a": {"lr": (1, 2)}, "b": {"lr": (3, 4)}, "c": {}}, **changes})
    with pytest.raises(ValueError, match=r"to report 'reward', got \[''\]"):
        Experiment("x", run, {"a": {}}, range(2), measure="reward").runs()


def test_a_comparison_reads_the_runs_of_a_record(walks):
    experiment = loaded(walks)
    made(experiment)
    race = Comparison("walks", record.recorded(experiment), nothing="stand", usual="small", best="stand",
                      measured="distance", few="it is a test")
    assert race.results("large", 1).tolist() == experiment.runs().values["large"][:, 1].tolist()
    assert "3 methods, each with 5 seeds and 3 or 6 steps; runs of one seed are compared" in \
        race.evidence()["findings"]
