"""Verdicts that are kept: of the same statement by the same code, and of nothing else."""

import importlib
import shutil
from pathlib import Path

import pytest
import sympy as sp
from sympy import Sum, exp, log

from proofread import Derivation, decide
from proofread.decision.cache import kept

module, decision = (importlib.import_module(f"proofread.decision.{name}") for name in ("cache", "decide"))
x, c = sp.symbols("x c", real=True)
t = sp.Symbol("x", positive=True)
k, n = sp.symbols("k n", integer=True, positive=True)
TRUE = exp(x) * exp(-x), sp.S.One


@pytest.fixture
def decided(tmp_path, monkeypatch):
    """What was decided anew, in order."""
    monkeypatch.setenv("PROOFREAD_VERDICTS", str(tmp_path))
    monkeypatch.delenv("PROOFREAD_FRESH_SEED", raising=False)
    done, real = [], decision._found

    def decided(asked, by=()):
        done.append(asked)
        return real(asked, by)

    monkeypatch.setattr(decision, "_found", decided)
    return done


def test_what_was_accepted_is_known_the_next_time(decided):
    assert decide(*TRUE) == decide(*TRUE)
    assert len(decided) == 1


@pytest.mark.parametrize(("one", "other"), [
    ((sp.Abs(x), x), (sp.Abs(t), t)),
    ((x, sp.Max(x, c), "<="), (x, sp.Max(x, c))),
    ((log(x**2), 2 * log(x)), (log(t**2), 2 * log(t))),
    ((sp.Abs(sp.Function("f", positive=True)(x)), sp.Function("f", positive=True)(x)),
     (sp.Abs(sp.Function("f", real=True)(x)), sp.Function("f", real=True)(x))),
])
def test_another_statement_is_decided_anew(decided, one, other):
    expected = []
    for statement in (one, other):
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv("PROOFREAD_VERDICTS")
            expected.append(decide(*statement).status)
    decided.clear()
    assert [decide(*statement).status for statement in (one, other)] == expected
    assert len(decided) == 2


def test_conditions_belong_to_the_statement(decided):
    size = sp.Abs(x), x
    assert decide(*size, given=[x > 0]).status == "proved"
    assert decide(*size).status == "refuted"


def test_another_state_of_the_code_decides_anew(decided, monkeypatch):
    decide(*TRUE)
    monkeypatch.setattr(module, "code", lambda: "another")
    decide(*TRUE)
    assert len(decided) == 2


@pytest.mark.parametrize(("name", "matters"), [
    ("decision/decide.py", True), ("any_size/rules/sums.py", True), ("latex/reader/brackets.py", True),
    ("settings.py", True), ("testing/page.py", False), ("testing/new.py", False), ("sphinx/new.py", False),
    ("experiments/new.py", False)])
def test_what_decides_nothing_makes_no_other_state(tmp_path, name, matters):
    package = tmp_path / "proofread"
    shutil.copytree(Path(module.__file__).parents[1], package, ignore=shutil.ignore_patterns("__pycache__"))
    before = module.code(package)
    assert before == module.code()
    (package / name).parent.mkdir(parents=True, exist_ok=True)
    (package / name).write_text("# changed")
    module.code.cache_clear()
    assert (module.code(package) != before) == matters


@pytest.mark.parametrize(("name", "value"), [("PROOFREAD_VERDICTS", ""), ("PROOFREAD_FRESH_SEED", "3")])
def test_nothing_is_kept_without_a_folder_or_with_fresh_seeds(decided, monkeypatch, tmp_path, name, value):
    monkeypatch.setenv(name, value)
    decide(*TRUE)
    decide(*TRUE)
    assert len(decided) == 2
    assert not list(tmp_path.iterdir())


def test_a_refusal_is_decided_anew_and_tells_its_witness(decided):
    witnesses = [decide(x, x + 1).witness for _ in range(2)]
    assert len(decided) == 2 and witnesses[0] == witnesses[1] != ""


def test_half_a_file_is_decided_anew(decided, tmp_path):
    decide(*TRUE)
    (path,) = tmp_path.glob("*/*/*.json")
    path.write_text('{"status": "pro')
    assert decide(*TRUE).status == "proved"
    assert len(decided) == 2


def test_a_folder_that_cannot_be_written_is_done_without(decided, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PROOFREAD_VERDICTS", str(tmp_path / "file"))
    assert decide(*TRUE).status == "proved"


def test_dummies_may_be_made_in_another_order(decided):
    for _ in range(2):
        u = sp.Dummy("u", real=True)
        assert decide(Sum(u, (k, 1, n)), n * u).status == "proved"
    assert len(decided) == 1


def test_a_line_is_attacked_once(decided, monkeypatch):
    attacks = []
    attack = importlib.import_module("proofread.mutation.attack").Attack
    real = attack._run
    monkeypatch.setattr(attack, "_run", lambda self, both: attacks.append(self) or real(self, both))
    first, again = (Derivation((x + 1)**2, label="eq-square", title="a square").step(
        x**2 + 2 * x + 1, "binomial") for _ in range(2))
    assert len(attacks) == 1
    assert first.entry().rejected == again.entry().rejected


def test_what_has_no_text_is_not_kept(decided):
    assert kept("thing", (object(),), lambda: {"a": 1}) == kept("thing", (object(),), lambda: {"a": 1})
    assert decide(x**2, 0, ">=", attained={x: 0}).status == "proved"
