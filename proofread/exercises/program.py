"""Exercises whose answer is a function: a test judges it that has been seen to refuse wrong ones."""

import time
import warnings

from proofread.claims.base import Checked
from proofread.errors import Refuted, Vacuous
from proofread.ledger import BY_CHECK

from .feedback import Feedback


def _empty():
    ...


def _described():
    """Nothing but this."""


class ProgrammingExercise(Checked):
    """An exercise whose answer is a function, judged by a test.

    Parameters
    ----------
    label : str
        Label of the exercise on the page, ``ex-…``.
    test : callable
        Called with a function, it asserts what that must do; each assertion has a message, which tells the
        reader what is wrong.
    wrong : dict
        Maps what is wrong, in words, to such a function.  The test has to refuse each, by an assertion.

    Attributes
    ----------
    refused : dict
        Maps these words to the message of the assertion.
    solved : callable or None
        The function that `solution` accepted.

    Raises
    ------
    Vacuous
        If the test accepts a wrong function.
    ValueError
        If there is no wrong function, or the test refuses one by another error, or without a message.
    TypeError
        If the test or a wrong one is no function.

    Examples
    --------
    >>> def test(mean):
    ...     assert mean([1, 2, 6]) == 3, "the mean of 1, 2 and 6 is 3"
    >>> own = ProgrammingExercise("ex-mean", test, wrong={"the sum": sum})
    >>> def mean(numbers):
    ...     ...
    >>> own.check(mean)
    No answer yet: write what `mean` does in place of `...`.
    >>> own.check(sum)
    Not yet: the mean of 1, 2 and 6 is 3.
    >>> own.check(lambda numbers: sum(numbers) / len(numbers))
    ✓ Right: it passes the test, which refuses 1 wrong solution.
    """

    def __init__(self, label, test, *, wrong):
        began = time.process_time()
        for what, function in {"the test": test, **dict(wrong)}.items():
            if not callable(function):
                raise TypeError(f"{label}: expected a function for {what!r}, got {function!r}")
        if not wrong:
            raise ValueError(f"{label}: expected a wrong solution, which the test refuses, got none")
        self.label, self.test, self.wrong, self.solved = label, test, dict(wrong), None
        self.refused = {what: self._refused(what, function) for what, function in self.wrong.items()}
        self.seconds = time.process_time() - began

    def _refused(self, what, function):
        with warnings.catch_warnings():  # of what is wrong a reader of the page need not hear
            warnings.simplefilter("ignore")
            error = self._error(function)
        if error is None:
            raise Vacuous(f"{self.label}: the test accepts what is wrong: {what}")
        if not isinstance(error, AssertionError):
            raise ValueError(f"{self.label}: expected the test to refuse {what!r} by an assertion, "
                             f"got {type(error).__name__}: {error}")
        if not str(error):
            raise ValueError(f"{self.label}: expected a message of the assertion that refuses {what!r}, "
                             "got none")
        return _first_line(error)

    def _error(self, function):
        try:
            self.test(function)
        except Exception as error:  # whatever the function of a reader does
            return error
        return None

    def check(self, attempt):
        """Say what is to be said about a function; a wrong one is a lesson and no error.

        Parameters
        ----------
        attempt : callable
            One of which the body is dots only is no answer yet.

        Returns
        -------
        Feedback
            Its status is ``"no answer"``, ``"right"``, ``"wrong"`` or ``"unreadable"``.
        """
        if not callable(attempt):
            return Feedback("unreadable", f"A function is asked for, and this is none: `{attempt!r}`.")
        if _is_stub(attempt):
            name = attempt.__name__
            return Feedback("no answer", f"No answer yet: write what `{name}` does in place of `...`.")
        error = self._error(attempt)
        if error is None:
            several = "s" if len(self.refused) > 1 else ""
            return Feedback("right", "✓ Right: it passes the test, which refuses "
                                     f"{len(self.refused)} wrong solution{several}.")
        if isinstance(error, AssertionError) and str(error):
            return Feedback("wrong", f"Not yet: {_first_line(error)}.")
        return Feedback("wrong", f"Not yet: `{type(error).__name__}: {_first_line(error)}`.")

    def solution(self, attempt):
        """Accept the solution that is published, or fail.

        Raises
        ------
        Refuted
            If the test refuses it.
        ValueError
            If it is missing, or no function.
        """
        began = time.process_time()
        feedback = self.check(attempt)
        message = f"{self.label}, solution: {feedback.text}"
        if feedback.status == "wrong":
            raise Refuted(message)
        if feedback.status != "right":
            raise ValueError(message)
        self.solved = attempt
        self.seconds += time.process_time() - began
        return self

    def evidence(self):
        if self.solved is None:
            raise ValueError(f"{self.label} has no solution yet: show what `check` or `solution` returns")
        told = ["the solution passes the test",
                *(f"a wrong one is refused, {what}: {message}" for what, message in self.refused.items())]
        return {"kind": "exercise", "status": "measured", "label": "", "findings": told,
                "title": f"exercise [{self.label.removeprefix('ex-')}](#{self.label})",
                "rejected": {BY_CHECK: len(self.refused)}, "seconds": round(self.seconds, 3)}

    def sentence(self):
        wrong = "; ".join(f"{what} (“{message}”)" for what, message in self.refused.items())
        return f"✓ `{self.solved.__name__}` passes the test. Refused: {wrong}."


def _is_stub(function):
    """Whether its body is dots only, or a docstring."""
    code = getattr(function, "__code__", None)
    return code is not None and any(
        code.co_code == stub.co_code and code.co_consts[words:] == stub.co_consts[words:]
        for words, stub in enumerate((_empty.__code__, _described.__code__)))


def _first_line(error):
    return str(error).strip().split("\n")[0].rstrip(".")
