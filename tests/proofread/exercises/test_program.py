"""Exercises in programming: a right function passes, and a wrong one is told why."""

import pytest

from proofread import ProgrammingExercise
from proofread.errors import Refuted, Vacuous
from proofread.ledger import Entry


def judge(mean):
    assert mean([1, 2, 6]) == 3, "the mean of 1, 2 and 6 is 3."
    assert mean([5]) == 5, "one number is its mean"


def halves(numbers):
    return sum(numbers) / 2


@pytest.fixture
def own():
    return ProgrammingExercise("ex-mean", judge, wrong={"the sum": sum, "a half": halves})


def dots(numbers):
    ...


def described(numbers):
    """The mean."""


def described_dots(numbers):
    """The mean."""
    ...


def passes(numbers):
    pass


@pytest.mark.parametrize("stub", [dots, described, described_dots, passes, lambda numbers: ...])
def test_a_function_without_a_body_is_no_answer(own, stub):
    feedback = own.check(stub)
    if stub.__name__ == "<lambda>":  # which returns dots
        assert feedback.status == "wrong"
    else:
        assert (feedback.status, feedback.text) == (
            "no answer", f"No answer yet: write what `{stub.__name__}` does in place of `...`.")


@pytest.mark.parametrize(("attempt", "status", "text"), [
    (lambda numbers: sum(numbers) / len(numbers), "right",
     "✓ Right: it passes the test, which refuses 2 wrong solutions."),
    (sum, "wrong", "Not yet: the mean of 1, 2 and 6 is 3."),
    (lambda numbers: 3, "wrong", "Not yet: one number is its mean."),
    (lambda numbers: "three", "wrong", "Not yet: the mean of 1, 2 and 6 is 3."),
    (lambda: 3, "wrong", "Not yet: `TypeError: "),
    (lambda numbers: numbers[7], "wrong", "Not yet: `IndexError: list index out of range`."),
    (3, "unreadable", "A function is asked for, and this is none: `3`."),
    (..., "unreadable", "A function is asked for, and this is none: `Ellipsis`."),
])
def test_what_is_said_of_an_attempt(own, attempt, status, text):
    feedback = own.check(attempt)
    assert feedback.status == status and feedback.text.startswith(text)
    assert repr(feedback) == feedback._repr_markdown_() == feedback.text


def test_an_interrupt_is_none_of_ours(own):
    def endless(numbers):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        own.check(endless)


def test_the_solution_is_shown_with_what_was_refused(own):
    def mean(numbers):
        return sum(numbers) / len(numbers)

    with pytest.raises(ValueError, match="no solution yet"):
        own.evidence()
    assert own.solution(mean) is own and own.solved is mean
    assert own.sentence() == ("✓ `mean` passes the test. Refused: the sum (“the mean of 1, 2 and 6 is 3”); "
                              "a half (“the mean of 1, 2 and 6 is 3”).")  # 9 / 2
    entry = own.entry()
    assert isinstance(entry, Entry) and entry.mutants == 2
    assert (entry.kind, entry.status, len(entry.findings)) == ("exercise", "measured", 3)


@pytest.mark.parametrize(("solution", "failure", "says"), [
    (sum, Refuted, "ex-mean, solution: Not yet: the mean of 1, 2 and 6 is 3"),
    (dots, ValueError, "ex-mean, solution: No answer yet"),
    (None, ValueError, "ex-mean, solution: A function is asked for"),
])
def test_a_wrong_solution_is_an_error(own, solution, failure, says):
    with pytest.raises(failure, match=says):
        own.solution(solution)
    assert own.solved is None


@pytest.mark.parametrize(("test", "wrong", "failure", "says"), [
    (judge, {}, ValueError, "a wrong solution"),
    (judge, {"right": lambda numbers: sum(numbers) / len(numbers)}, Vacuous, "accepts what is wrong: right"),
    (lambda mean: None, {"the sum": sum}, Vacuous, "the sum"),
    (judge, {"no list": lambda: 3}, ValueError, "by an assertion, got TypeError"),
    (judge, {"the sum": 9}, TypeError, "for 'the sum', got 9"),
    ("judge", {"the sum": sum}, TypeError, "for 'the test', got 'judge'"),
])
def test_an_exercise_that_is_none(test, wrong, failure, says):
    with pytest.raises(failure, match=says):
        ProgrammingExercise("ex-mean", test, wrong=wrong)


def test_an_assertion_without_a_message_teaches_nothing():
    def silent(mean):
        raise AssertionError  # pytest gives an assertion a message

    with pytest.raises(ValueError, match="expected a message of the assertion"):
        ProgrammingExercise("ex-mean", silent, wrong={"the sum": sum})
