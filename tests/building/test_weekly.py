"""tools.weekly: a stage that fails hides no other, and what came of each is kept at once."""

import json
import subprocess

from tools import weekly


def test_a_stage_that_fails_hides_no_other(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(weekly, "RESULT", tmp_path / "_build/weekly.json")
    monkeypatch.setattr(weekly, "commit", lambda: "abc1234")
    ran = []

    def make(command, **_):
        ran.append(command)
        if ran[1:]:  # the first one is kept before the second ends
            assert json.loads(weekly.RESULT.read_text())["stages"]["compare"]["passed"]
        return subprocess.CompletedProcess(command, returncode=2 if "slow" in command else 0)

    assert weekly.told() is None
    monkeypatch.setattr(weekly.subprocess, "run", make)
    assert weekly.main("7") == 1
    assert ran == [["make", stage, "SEED=7"] for stage in weekly.STAGES]
    told = weekly.told()
    assert (told["seed"], told["commit"]) == (7, "abc1234")
    assert [stage for stage, one in told["stages"].items() if not one["passed"]] == ["slow"]
    assert "failed: slow" in capsys.readouterr().out


def test_the_stages_are_targets():
    makefile = (weekly.settings.ROOT / "Makefile").read_text("utf8")
    assert all(f"\n{stage}: " in makefile for stage in weekly.STAGES)
