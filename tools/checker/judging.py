"""What is said of a formula that is typed, by the book itself; on the page this runs in the browser."""

import base64
import io
import pickle
from contextlib import redirect_stdout
from functools import cached_property

from proofread.budget import TooLong, within
from proofread.exercises.formula import Exercise
from proofread.exercises.program import ProgrammingExercise
from proofread.language.typed import unfold

from .reading import Vocabulary, shown

SOON = 2_000_000  #: steps in which a page has to judge a line of the book: half of its ten seconds
UNKEPT = ("solved", "seconds")  # what is about the making of an exercise, and not about its answers
SHOWN = 2000  #: signs of what a function prints


def packed(exercises, definitions, chains=(), programs=None):
    """Exercises and derivations with the definitions of their page, as a text that `Page` takes.

    Of a derivation it is what makes one of `lines`, given the definitions; of an exercise that asks for a
    function, by its label, a dictionary with the ``name`` of that and the ``code`` of its test.
    A pickle holds formulas as they were typed; it is read by the very code and SymPy that wrote it.
    """
    states = [{name: value for name, value in vars(exercise).items() if name not in UNKEPT}
              for exercise in exercises]
    return base64.b64encode(pickle.dumps((states, definitions, list(chains), dict(programs or {})),
                                         protocol=4)).decode()


class Page:
    """The exercises and lines of a page, ready to judge: each by its label."""

    def __init__(self, data):
        states, definitions, chains, programs = pickle.loads(base64.b64decode(data))
        asked = [Answered(state, definitions) for state in states]
        self.asked = {one.exercise.label: one for one in asked}
        self.asked |= {label: Programmed(label, one["name"], one["code"]) for label, one in programs.items()}
        for chain in chains:
            self.asked |= chain(definitions).lines

    def read(self, label, text):
        """How a formula is read: its TeX, or the trouble, in words."""
        try:
            return {"tex": self.asked[label].shown(self._formulas(label, text), text)}
        except ValueError as error:
            return {"trouble": str(error)}

    def judge(self, label, text):
        """The verdict on a formula in words, its status, and how it was read."""
        if not text.strip():
            return {"status": "no answer", "text": "No answer yet: type a formula.", "tex": ""}
        asked = self.asked[label]
        if isinstance(asked, Programmed):
            return asked.judge(text)
        try:
            formulas = self._formulas(label, text)
            status, told = asked.judge(formulas)
        except ValueError as error:
            status, told = "unreadable", str(error)
        if status == "unreadable":
            return {"status": status, "text": told + asked.vocabulary.meant(text), "tex": ""}
        return {"status": status, "text": told, "tex": asked.shown(formulas, text)}

    def judge_soon(self, label, text, most=SOON):
        """The same, if it takes no more than so many steps; else the status is ``"late"``."""
        try:
            return within(lambda: self.judge(label, text), most)
        except TooLong:
            return {"status": "late", "text": f"It takes more than {most:,} steps.", "tex": ""}

    def _formulas(self, label, text):
        try:
            formulas = self.asked[label].read(text)
            for formula in formulas:
                unfold(formula)
            return formulas
        except RecursionError:
            raise ValueError("This formula has too many brackets within brackets.") from None


class Answered:
    """An exercise, of which a reader types the answer."""

    def __init__(self, state, definitions):
        self.exercise, self.definitions = Exercise.__new__(Exercise), definitions
        # its wrong answers were scrutinised when it was made
        vars(self.exercise).update(state, solved=None, seconds=0.0)

    @cached_property
    def vocabulary(self):
        exercise = self.exercise
        shown = *exercise.answer, *(part for wrong, _ in exercise.hints for part in wrong), *exercise.given
        return Vocabulary(shown, exercise._words.values(), self.definitions)

    def read(self, text):
        """The formulas of an answer."""
        return self.vocabulary.read(text)

    def shown(self, formulas, text):
        """TeX of an answer."""
        return shown(formulas, text)

    def judge(self, formulas):
        """The status of an answer, and what is said of it."""
        feedback = self.exercise.check(formulas)
        return feedback.status, feedback.text


class Programmed:
    """An exercise that asks for a function, of which a reader types the code."""

    def __init__(self, label, name, code):
        self.label, self.name, self.code = label, name, code

    @cached_property
    def scope(self):
        """The names of its test, and the exercise."""
        scope = {"__name__": "__main__", "ProgrammingExercise": ProgrammingExercise}
        exec(compile(self.code, "the test", "exec"), scope)
        return scope

    @property
    def exercise(self):
        (found,) = [thing for thing in self.scope.values()
                    if isinstance(thing, ProgrammingExercise) and thing.label == self.label]
        return found

    def judge(self, text):
        """What `Page.judge` says, and what was printed."""
        scope, printed = dict(self.scope), io.StringIO()
        scope.pop(self.name, None)
        with redirect_stdout(printed):
            status, told = self._judge(text, scope)
        return {"status": status, "text": told, "tex": "", "printed": printed.getvalue()[:SHOWN]}

    def _judge(self, text, scope):
        try:
            exec(compile(text, "your code", "exec"), scope)
        except SyntaxError as error:
            return "unreadable", f"Python cannot read line {error.lineno}: {error.msg}."
        except Exception as error:  # whatever a reader types
            return "unreadable", f"Your code stops: `{type(error).__name__}: {error}`."
        if self.name not in scope:
            return "unreadable", f"Define a function `{self.name}`."
        feedback = self.exercise.check(scope[self.name])
        return feedback.status, feedback.text
