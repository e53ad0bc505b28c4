"""The exercises that ask for a formula accept its right forms, and give each known wrong answer its hint."""

import ast
import re

import pytest
import sympy as sp
from test_falsification import snapshots
from test_sources import FRONT_MATTER

from softmaxnotes.proof import Exercise, Refuted, Vacuous, Verdict
from softmaxnotes.proof.exercise import Feedback
from softmaxnotes.proof.notation import unfold
from tools import execute

CHAPTERS = [name for name in execute.chapters() if "Exercise(" in execute.source(name).read_text("utf8")]
ASKING = ("unnormalised/variations", "gradients/gaussian_kl", "gumbel/gumbel_max")  # at least two exercises in each
NOT_WRITTEN = set()  # chapters that are planned; one that is there must be taken off, and is then asked for ever after

UNITY = sp.sin(1) ** 2 + sp.cos(1) ** 2
OFF = sp.Rational(355, 113)
FORMS = {"as written": lambda e: e, "expanded": sp.expand, "factored": sp.factor, "over one denominator": sp.together,
         "times one": lambda e: UNITY * e}


def exercises(name):
    """The exercises that a chapter makes, in order."""
    known = [value for _, names in snapshots(name) for value in names.values() if isinstance(value, Exercise)]
    return list({id(exercise): exercise for exercise in known}.values())


def rewritten(formulas, form):
    return tuple(FORMS[form](unfold(formula)) for formula in formulas)


def attempts(name, exercise):
    """Try an exercise with attempts whose feedback is known."""
    for form in FORMS:
        assert exercise.check(rewritten(exercise.answer, form)).status == "right", f"the answer {form}"
    for wrong, hint in exercise.hints:
        for form in ("as written", "expanded"):
            feedback = exercise.check(rewritten(wrong, form))
            assert (feedback.status, feedback.text) == ("known", f"Not yet. {hint}"), f"{wrong} {form}"
    unrelated = exercise.check(tuple(formula + OFF for formula in exercise.answer))
    assert unrelated.status == "wrong", "an unrelated answer"
    assert unrelated.verdict.witness, "an unrelated answer"
    assert exercise.check(...).status == "no answer", "no answer"


def pattern(name, exercise):
    """The cells around an exercise follow the pattern of CONTRIBUTING.md."""
    text, cells = execute.source(name).read_text("utf8"), execute.code_cells(execute.read(name))
    assert f":label: {exercise.label}\n" in text, "no exercise of the page has its label"
    assert exercise.solved, "its solution is not published"
    calls = {"check": [], "solution": []}
    for (source, known), cell in zip(snapshots(name), cells, strict=True):
        for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) == "Exercise" and ast.literal_eval(call.args[0]) == exercise.label:
                assert "hide-input" in cell.metadata.get("tags", []), "the answer is seen on the site"
                assert cell.metadata.get("jupyter", {}).get("source_hidden"), "the answer is seen in JupyterLab"
                typed = next((k.value.keys for k in call.keywords if k.arg == "hints"), [])
                assert len(typed) == len(exercise.hints), "a wrong answer is listed twice"
            method, owner = getattr(call.func, "attr", None), getattr(call.func, "value", None)
            if method in calls and isinstance(owner, ast.Name) and known.get(owner.id) is exercise:
                calls[method].append(ast.unparse(call.args[0]) if call.args else "")
    assert calls["check"] == ["..."], "the reader's cell holds dots, once"
    assert len(calls["solution"]) == 1, "one solution"
    assert ".answer" not in calls["solution"][0], "the solution is copied from the answer"


@pytest.mark.parametrize("name", CHAPTERS)
@pytest.mark.parametrize("look", [attempts, pattern])
def test_exercises(name, look):
    assert exercises(name), "the chapter speaks of exercises and makes none"
    for exercise in exercises(name):
        look(name, exercise)


@pytest.mark.parametrize("name", [f"book/{chapter}" for chapter in ASKING])
def test_chapters_that_must_ask(name):
    if name.removeprefix("book/") in NOT_WRITTEN:
        assert name not in execute.pages(), "the chapter is there: take it off NOT_WRITTEN"
        pytest.skip("not written yet")
    assert len(exercises(name)) >= 2


# -- these tests, tried on the exercise of CONTRIBUTING.md and on wrong versions of it ------------------


PREAMBLE = """
```{code-cell} ipython3
import sympy as sp
from softmaxnotes.proof import Exercise, report
t = sp.Symbol("t", real=True)
```
"""
REPORT = """
```{code-cell} ipython3
report()
```
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Writes the example, with one thing changed, as a page of its own, and gives its name."""
    example = re.search(r"````md\n(.*?)````", (execute.ROOT / "CONTRIBUTING.md").read_text("utf8"), re.DOTALL)[1]

    def write(right="", wrong=""):
        assert right in example
        path = tmp_path / "page.md"
        path.write_text(FRONT_MATTER + PREAMBLE + example.replace(right, wrong, 1) + REPORT, "utf8")
        monkeypatch.setattr(execute, "source", lambda name: path)
        return str(path)

    return write


def test_the_example_is_right(page):
    name = page()
    (exercise,) = exercises(name)
    assert len(exercise.hints) == 2
    attempts(name, exercise)
    pattern(name, exercise)


@pytest.mark.parametrize(("right", "wrong", "complaint"), [
    (":tags: [hide-input]\n", "", "seen on the site"),
    (":jupyter: {source_hidden: true}\n", "", "seen in JupyterLab"),
    ("steepness.check(...)", "steepness.check(sp.exp(t))", "dots, once"),
    ("steepness.check(...)", "t", "dots, once"),
    ("steepness.check(...)", "steepness.check(...), steepness.check(...)", "dots, once"),
    ("steepness.solution(sp.exp(t) / (1 + sp.exp(t)))", "t", "not published"),
    ("steepness.solution(sp.exp(t) / (1 + sp.exp(t)))", "steepness.solution(steepness.answer)", "copied"),
    (":label: ex-softplus-slope", ":label: ex-softplus", "its label"),
    ("    sp.exp(t): ", '    1 / (sp.exp(t) + 1): "Another hint.",\n    sp.exp(t): ', "listed twice"),
])
def test_an_example_against_the_pattern(page, right, wrong, complaint):
    name = page(right, wrong)
    (exercise,) = exercises(name)
    with pytest.raises(AssertionError, match=complaint):
        pattern(name, exercise)


@pytest.mark.parametrize(("right", "wrong", "failure"), [
    ("steepness.solution(sp.exp(t)", "steepness.solution(sp.exp(-t)", Refuted),
    ("answer=1 / (1 + sp.exp(-t))", "answer=1 / (1 - sp.exp(-t))", Refuted),
    ("    sp.exp(t): ", "    sp.exp(t) / (1 + sp.exp(t)): ", Vacuous),
    ("    sp.exp(t): ", "    sp.exp(-t) / (1 + sp.exp(-t)): ", Vacuous),
])
def test_a_false_example_does_not_run(page, right, wrong, failure):
    with pytest.raises(failure):
        snapshots(page(right, wrong))


# a check that is broken: the true one, the exercise and the attempt, to the feedback
def always(status):
    return lambda check, exercise, attempt: Feedback(status, "")


def only_as_written(check, exercise, attempt):
    known = [exercise.answer, *(wrong for wrong, _ in exercise.hints)]
    return check(exercise, attempt) if attempt in known else Feedback("wrong", "")


def the_first_hint(check, exercise, attempt):
    feedback = check(exercise, attempt)
    return feedback if feedback.status != "known" else Feedback("known", f"Not yet. {exercise.hints[0][1]}")


def without_witness(check, exercise, attempt):
    feedback = check(exercise, attempt)
    return feedback if feedback.status != "wrong" else Feedback("wrong", "", Verdict("refuted", ""))


def dots_are_right(check, exercise, attempt):
    return check(exercise, exercise.answer if attempt is ... else attempt)


@pytest.mark.parametrize(("broken", "complaint"), [
    (always("right"), "exp"), (always("wrong"), "the answer as written"), (only_as_written, "the answer factored"),
    (the_first_hint, "as written"), (without_witness, "an unrelated answer"), (dots_are_right, "no answer"),
])
def test_a_broken_check_is_noticed(page, monkeypatch, broken, complaint):
    name, check = page(), Exercise.check
    (exercise,) = exercises(name)
    monkeypatch.setattr(Exercise, "check", lambda self, attempt=...: broken(check, self, attempt))
    with pytest.raises(AssertionError, match=complaint):
        attempts(name, exercise)
