"""What is said of a formula that is typed, by the book itself; on the page this runs in the browser."""

import base64
import pickle
from functools import cached_property

from proofread.budget import TooLong, within
from proofread.exercises.formula import Exercise
from proofread.language.typed import unfold

from .reading import Vocabulary, shown

SOON = 2_000_000  #: steps in which a page has to judge a line of the book: half of its ten seconds
UNKEPT = ("solved", "seconds")  # what is about the making of an exercise, and not about its answers


def packed(exercises, definitions, chains=()):
    """Exercises and derivations with the definitions of their page, as a text that `Page` takes.

    Of a derivation it is what makes one of `lines`, given the definitions.
    A pickle holds formulas as they were typed; it is read by the very code and SymPy that wrote it.
    """
    states = [{name: value for name, value in vars(exercise).items() if name not in UNKEPT}
              for exercise in exercises]
    return base64.b64encode(pickle.dumps((states, definitions, list(chains)), protocol=4)).decode()


class Page:
    """The exercises and lines of a page, ready to judge: each by its label."""

    def __init__(self, data):
        states, definitions, chains = pickle.loads(base64.b64decode(data))
        asked = [Answered(state, definitions) for state in states]
        self.asked = {one.exercise.label: one for one in asked}
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
