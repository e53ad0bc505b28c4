"""What an exercise must do, and what its cells look like.

If it asks for a formula, it accepts the right forms of its answer, gives each known wrong answer its hint,
and refutes another one.  If it asks for a function, it accepts its solution, and refuses what is wrong.
`rehearsal.py` asks this of each exercise after its page was run.
"""

import ast
import re
from functools import partial

import sympy as sp

from proofread.exercises.formula import Exercise
from proofread.exercises.program import ProgrammingExercise
from proofread.language.typed import unfold

UNITY = sp.sin(1) ** 2 + sp.cos(1) ** 2
OFF = sp.Rational(355, 113)
FORMS = {
    "as written": lambda e: e,
    "expanded": sp.expand,
    "factored": sp.factor,
    "over one denominator": sp.together,
    "times one": lambda e: UNITY * e,
}


def found(states):
    """The exercises among the names of a page, in order."""
    known = [value for names in states for value in names.values()
             if isinstance(value, (Exercise, ProgrammingExercise))]
    return list({id(exercise): exercise for exercise in known}.values())


def tasks(request, states):
    """One for each exercise of a page: what is asked for, and the names before each cell and at the end."""

    def task(exercise):
        if request["published"]:
            pattern(request["text"], request["cells"], states, exercise)
        answered(exercise, request["mistakes"])

    return {exercise.label: partial(task, exercise) for exercise in found(states)}


def answered(exercise, mistakes):
    """Answer an exercise rightly and wrongly; ``mistakes`` are those of the page's test, if it has any."""
    if isinstance(exercise, ProgrammingExercise):
        return programs(exercise)
    attempts(exercise)
    if mistakes is not None:
        hinted(exercise, [mistake[1:] for mistake in mistakes if mistake[0] == exercise.label])


def rewritten(formulas, form):
    return tuple(FORMS[form](unfold(formula)) for formula in formulas)


def attempts(exercise):
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


def programs(exercise):
    """Its solution is right, a function without a body is no answer, and what is wrong is refused."""
    assert exercise.solved, "it has no solution"
    assert exercise.check(exercise.solved).status == "right", "the solution"
    assert exercise.check(lambda *_, **__: None).status == "no answer", "no answer"
    for what, function in exercise.wrong.items():
        assert exercise.check(function).status == "wrong", what


def hinted(exercise, mistakes):
    """Each hint is reached by a mistake that was typed apart from it, and says what belongs to that
    mistake.
    """
    reached = set()
    for attempt, says in mistakes:
        feedback = exercise.check(tuple(attempt) if isinstance(attempt, list) else attempt)
        assert feedback.status == "known", f"the mistake {attempt} is met with: {feedback.text}"
        assert re.search(says, feedback.text), f"the mistake {attempt} gets another hint: {feedback.text}"
        fitting = [hint for _, hint in exercise.hints if re.search(says, hint)]
        assert len(fitting) == 1, f"{says!r} fits {len(fitting)} hints"
        reached.add(fitting[0])
    for _, hint in exercise.hints:
        assert hint in reached, f"no mistake of the page's test leads to the hint: {hint}"


def pattern(text, cells, states, exercise):
    """An exercise is laid out for a site: what `Page` calls published."""
    assert f":label: {exercise.label}\n" in text, "no exercise of the page has its label"
    assert exercise.solved, "its solution is not published"
    kind, calls = type(exercise).__name__, {"check": [], "solution": []}
    for cell, known, after in zip(cells, states[:-1], states[1:], strict=True):
        metadata = cell["metadata"]
        for call in (node for node in ast.walk(ast.parse(cell["source"])) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) == kind and ast.literal_eval(call.args[0]) == exercise.label:
                assert "hide-input" in metadata.get("tags", []), "the answer is seen on the site"
                assert metadata.get("jupyter", {}).get("source_hidden"), "the answer is seen in JupyterLab"
                typed = next((k.value.keys for k in call.keywords if k.arg in ("hints", "wrong")), [])
                wrong = exercise.wrong if kind == "ProgrammingExercise" else exercise.hints
                assert len(typed) == len(wrong), "a wrong answer is listed twice"
            method, owner = getattr(call.func, "attr", None), getattr(call.func, "value", None)
            if method in calls and isinstance(owner, ast.Name) and known.get(owner.id) is exercise:
                calls[method].append((ast.unparse(call.args[0]) if call.args else "", after))
    assert len(calls["check"]) == 1, "the reader's cell holds dots, once"
    assert len(calls["solution"]) == 1, "one solution"
    (attempt, names), (solution, _) = calls["check"][0], calls["solution"][0]
    if kind == "ProgrammingExercise":
        status = exercise.check(names.get(attempt)).status
        assert status == "no answer", "the reader's function holds dots, once"
        assert solution == attempt, "the solution is the function that the reader is to write"
    else:
        assert attempt == "...", "the reader's cell holds dots, once"
        assert ".answer" not in solution, "the solution is copied from the answer"
