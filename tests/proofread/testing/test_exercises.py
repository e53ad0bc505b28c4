"""What is asked of an exercise, tried on the examples of CONTRIBUTING.md and on wrong
versions of them.
"""

import re
from pathlib import Path

import jupytext
import pytest

from proofread import Exercise, ProgrammingExercise
from proofread.decision.verdict import Verdict
from proofread.errors import Refuted, Vacuous
from proofread.exercises.feedback import Feedback
from proofread.testing.exercises import attempts, found, pattern, programs
from proofread.testing.rehearsal import run_cell

PREAMBLE = """# An exercise

```{code-cell} ipython3
import numpy as np
import sympy as sp
from proofread import Exercise, ProgrammingExercise, report
t = sp.Symbol("t", real=True)
```
"""
REPORT = """
```{code-cell} ipython3
report()
```
"""


TEXT = Path(__file__).parents[3].joinpath("CONTRIBUTING.md").read_text("utf8")
FORMULA, FUNCTION = re.findall(r"````md\n(.*?)````", TEXT, re.DOTALL)[:2]


@pytest.fixture
def page():
    return runs(FORMULA)


@pytest.fixture
def program():
    return runs(FUNCTION)


def runs(example):
    """Runs an example, with one thing changed, as a page: its source, its cells, and their names."""

    def run(right="", wrong=""):
        assert right in example
        text, names, states = PREAMBLE + example.replace(right, wrong, 1) + REPORT, {}, []
        cells = [cell for cell in jupytext.reads(text, "md:myst").cells if cell.cell_type == "code"]
        for number, cell in enumerate(cells, 1):
            states.append(dict(names))
            run_cell("page", number, cell.source, names)
        return text, cells, [*states, names]

    return run


def test_the_example_is_right(page):
    text, cells, states = page()
    (exercise,) = found(states)
    assert len(exercise.hints) == 2
    attempts(exercise)
    pattern(text, cells, states, exercise)


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
    text, cells, states = page(right, wrong)
    (exercise,) = found(states)
    with pytest.raises(AssertionError, match=complaint):
        pattern(text, cells, states, exercise)


@pytest.mark.parametrize(("right", "wrong", "failure"), [
    ("steepness.solution(sp.exp(t)", "steepness.solution(sp.exp(-t)", Refuted),
    ("answer=1 / (1 + sp.exp(-t))", "answer=1 / (1 - sp.exp(-t))", Refuted),
    ("    sp.exp(t): ", "    sp.exp(t) / (1 + sp.exp(t)): ", Vacuous),
    ("    sp.exp(t): ", "    sp.exp(-t) / (1 + sp.exp(-t)): ", Vacuous),
])
def test_a_false_example_does_not_run(page, right, wrong, failure):
    with pytest.raises(failure):
        page(right, wrong)


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
    return feedback if feedback.status != "wrong" else Feedback("wrong", "", Verdict("refuted"))


def dots_are_right(check, exercise, attempt):
    return check(exercise, exercise.answer if attempt is ... else attempt)


@pytest.mark.parametrize(("broken", "complaint"), [
    (always("right"), "exp"),
    (always("wrong"), "the answer as written"),
    (only_as_written, "the answer factored"),
    (the_first_hint, "as written"),
    (without_witness, "an unrelated answer"),
    (dots_are_right, "no answer"),
])
def test_a_broken_check_is_noticed(page, monkeypatch, broken, complaint):
    (exercise,), check = found(page()[-1]), Exercise.check
    monkeypatch.setattr(Exercise, "check", lambda self, attempt=...: broken(check, self, attempt))
    with pytest.raises(AssertionError, match=complaint):
        attempts(exercise)


def test_the_example_of_a_function_is_right(program):
    text, cells, states = program()
    (exercise,) = found(states)
    assert len(exercise.wrong) == 2
    programs(exercise)
    pattern(text, cells, states, exercise)


@pytest.mark.parametrize(("right", "wrong", "complaint"), [
    (":tags: [hide-input]\n", "", "seen on the site"),
    (":jupyter: {source_hidden: true}\n", "", "seen in JupyterLab"),
    ("    ...\n", "    return t\n", "dots, once"),
    ("own.check(softplus)", "t", "dots, once"),
    ("own.check(softplus)", "own.check(np.exp)", "dots, once"),
    ("own.solution(softplus)", "t", "not published"),
    ("own.solution(softplus)", "other = softplus\nown.solution(other)", "is to write"),
    (":label: ex-own-softplus", ":label: ex-softplus", "its label"),
    ('    "as it stands": ', '    "as it stands": np.abs, "as it stands": ', "listed twice"),
])
def test_an_example_of_a_function_against_the_pattern(program, right, wrong, complaint):
    text, cells, states = program(right, wrong)
    (exercise,) = found(states)
    with pytest.raises(AssertionError, match=complaint):
        pattern(text, cells, states, exercise)


@pytest.mark.parametrize(("right", "wrong", "failure"), [
    ("np.log1p(np.exp(-np.abs(t)))", "np.log1p(np.exp(np.abs(t)))", Refuted),
    ("np.exp(-40), atol=0)", "np.exp(-40))", Vacuous),
    (', "at 0 it is log 2"', "", None),  # no wrong one comes so far
    (', "at 800 it is 800"', "", ValueError),
])
def test_a_false_example_of_a_function_does_not_run(program, right, wrong, failure):
    if failure is None:
        program(right, wrong)
    else:
        with pytest.raises(failure):
            program(right, wrong)


@pytest.mark.parametrize(("status", "complaint"), [
    ("right", "no answer"), ("wrong", "the solution"), ("no answer", "the solution")])
def test_a_broken_judge_of_functions_is_noticed(program, monkeypatch, status, complaint):
    (exercise,) = found(program()[-1])
    monkeypatch.setattr(ProgrammingExercise, "check", lambda self, attempt: Feedback(status, ""))
    with pytest.raises(AssertionError, match=complaint):
        programs(exercise)
