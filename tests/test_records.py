"""Recorded experiments: none is stale, a run of each is repeated; and how a record is made."""

import subprocess

import pytest

from proofread.experiments import Experiment, record
from tools import record as tool
from tools.errors import ChapterError, Unknown
from tools.settings import ROOT

EXPERIMENTS = tool.experiments()


def number():
    """Which run is repeated: another one after each commit."""
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return int(git.stdout.strip() or "0", 16)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_record_is_that_of_the_code_and_one_run_of_it_gives_the_same(name):
    record.repeat(EXPERIMENTS[name], number())


def test_each_record_has_its_experiment():
    places = {record.path(experiment) for experiment in EXPERIMENTS.values()}
    assert set((ROOT / "softmaxnotes").rglob("*.jsonl")) == places


def coin(method, *, seed, budget):
    RAN.append((method, seed))
    return seed * budget if method == "fair" else 0.0


def scaled(method, *, seed, budget, by):
    return coin(method, seed=seed, budget=budget) * by


RAN = []  # in this process


@pytest.fixture
def coins(tmp_path, monkeypatch):
    """An experiment whose record and whose kept runs are in a folder of their own."""
    RAN.clear()
    monkeypatch.setattr(record, "path", lambda experiment: tmp_path / "coins.jsonl")
    monkeypatch.setattr(tool.settings, "STORE", tmp_path / "build/executed")
    return Experiment("coins", coin, {"none": {}, "fair": {}}, seeds=range(6))


def test_a_record_is_made_and_goes_on_where_it_was_stopped(coins, monkeypatch):
    do, left = tool._do, [4]

    def stopped(experiment, job):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return do(experiment, job)

    monkeypatch.setattr(tool, "_do", stopped)
    with pytest.raises(KeyboardInterrupt):
        tool.make("coins", coins, jobs=1)
    assert len(RAN) == 4 and not record.path(coins).exists()
    monkeypatch.setattr(tool, "_do", do)
    assert tool.stale(record.load, coins)
    tool.make("coins", coins, jobs=1)
    assert len(RAN) == 12  # none of the four again
    assert not tool.stale(record.load, coins)
    assert record.recorded(coins).values["fair"].ravel().tolist() == [0, 1, 2, 3, 4, 5]


def test_fresh_seeds_take_the_settings_that_are_recorded(tmp_path, monkeypatch):
    RAN.clear()
    monkeypatch.setattr(record, "home", lambda experiment: tmp_path / "coins.jsonl")
    monkeypatch.setattr(tool.settings, "STORE", tmp_path / "build/executed")
    coins = Experiment("coins", scaled, {"none": {"by": (0.0,)}, "fair": {"by": (2.0, 3.0)}},
                       seeds=range(6), tuning_seeds=(90, 91))
    tool.make("coins", coins, jobs=1)
    assert len(RAN) == 4 + 12
    monkeypatch.setenv("PROOFREAD_FRESH_SEED", "7")
    monkeypatch.setenv("PROOFREAD_FRESH_RECORDS", str(tmp_path / "fresh"))
    tool.make("coins", coins, jobs=1)
    assert len(RAN) == 16 + 12  # those that choose settings are not run again
    assert record.load(coins)[1] == record.load(coins, tmp_path / "coins.jsonl", coins.seeds)[1]
    (tmp_path / "coins.jsonl").unlink()
    (tmp_path / "fresh/coins.jsonl").unlink()
    tool.make("coins", coins, jobs=1)
    assert len(RAN) == 28 + 4 + 12


def test_what_other_code_has_run_is_forgotten(coins):
    folder = tool.settings.STORE.parent / "records"
    folder.mkdir(parents=True)
    line = record.line(coins.reported(coins.choose({}))[0], {"": 77.0})
    (folder / "coins.jsonl").write_text(f"other code\n{line}\n", "utf8")
    tool.make("coins", coins, jobs=1)
    assert len(RAN) == 12


def test_code_that_changes_while_it_runs_gives_no_record(coins, monkeypatch):
    codes = iter(["code", "other code"])
    monkeypatch.setattr(tool, "digest", lambda run: next(codes))
    with pytest.raises(ChapterError, match="the code of coins was changed while it ran"):
        tool.make("coins", coins, jobs=1)
    assert not record.path(coins).exists()


def test_two_processes_give_what_one_gives(coins):
    tool.make("coins", coins, jobs=1)
    one = record.path(coins).read_text()
    tool.make("coins", coins, jobs=2)
    assert record.path(coins).read_text() == one


def test_a_cluster_gives_what_one_process_gives(coins):
    distributed = pytest.importorskip("distributed")
    tool.make("coins", coins, jobs=1)
    one = record.path(coins).read_text()
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster, \
            tool.workers(cluster.scheduler_address):
        tool.make("coins", coins, jobs=2)
    assert record.path(coins).read_text() == one and len(RAN) == 24  # its threads are of this process


def test_names():
    every = dict.fromkeys(("gradients/seqgan/rewards", "gradients/seqgan/lag", "gradients/seq/rewards"))
    assert [*tool.chosen(["gradients/seqgan"], every)] == ["gradients/seqgan/rewards", "gradients/seqgan/lag"]
    assert [*tool.chosen(["gradients/seq/rewards"], every)] == ["gradients/seq/rewards"]
    with pytest.raises(Unknown, match="no experiment gradients/vae; there are gradients/seqgan/rewards, "):
        tool.chosen(["gradients/vae"], every)
