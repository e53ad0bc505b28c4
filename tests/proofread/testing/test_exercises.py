"""What is asked of an exercise, tried on the example of CONTRIBUTING.md and on wrong
versions of it.
"""

import re
from pathlib import Path

import jupytext
import pytest

from proofread import Exercise
from proofread.claims.exercise import Feedback
from proofread.decision.verdict import Verdict
from proofread.errors import Refuted, Vacuous
from proofread.testing.exercises import attempts, found, pattern
from proofread.testing.rehearsal import run_cell

PREAMBLE = """# An exercise

```{code-cell} ipython3
import sympy as sp
from proofread import Exercise, report
t = sp.Symbol("t", real=True)
```
"""
REPORT = """
```{code-cell} ipython3
report()
```
"""


@pytest.fixture
def page():
    """Runs the example, with one thing changed, as a page: its source, its cells, and their names."""
    text = Path(__file__).parents[3].joinpath("CONTRIBUTING.md").read_text("utf8")
    example = re.search(r"````md\n(.*?)````", text, re.DOTALL)[1]

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
