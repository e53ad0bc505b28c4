"""What is said of an answer, by the exercise of the book itself; on the page this runs in the browser."""

import base64
import pickle

from sympy import latex

from proofread.exercises.formula import Exercise
from proofread.language.typed import unfold
from proofread.latex.printer import tex

from .reading import Vocabulary

UNKEPT = ("solved", "seconds")  # what is about the making of an exercise, and not about its answers


def packed(exercises, definitions):
    """Exercises with the definitions of their page, as a text that `Page` takes.

    A pickle holds formulas as they were typed; it is read by the very code and SymPy that wrote it.
    """
    states = [{name: value for name, value in vars(exercise).items() if name not in UNKEPT}
              for exercise in exercises]
    return base64.b64encode(pickle.dumps((states, definitions), protocol=4)).decode()


class Page:
    """The exercises of a page, ready to judge."""

    def __init__(self, data):
        states, self.definitions = pickle.loads(base64.b64decode(data))
        self.exercises, self.vocabularies = {}, {}
        for state in states:
            exercise = Exercise.__new__(Exercise)  # its wrong answers were scrutinised when it was made
            vars(exercise).update(state, solved=None, seconds=0.0)
            self.exercises[exercise.label] = exercise

    def read(self, label, text):
        """How an answer is read: its TeX, or the trouble, in words."""
        try:
            return {"tex": _shown(self._formulas(label, text))}
        except ValueError as error:
            return {"trouble": str(error)}

    def judge(self, label, text):
        """The verdict on an answer in words, its status, and how the answer was read."""
        if not text.strip():
            return {"status": "no answer", "text": "No answer yet: type a formula.", "tex": ""}
        try:
            formulas = self._formulas(label, text)
        except ValueError as error:
            return {"status": "unreadable", "text": str(error), "tex": ""}
        feedback = self.exercises[label].check(formulas)
        readable = feedback.status != "unreadable"
        return {"status": feedback.status, "text": feedback.text, "tex": _shown(formulas) if readable else ""}

    def _formulas(self, label, text):
        if label not in self.vocabularies:
            self.vocabularies[label] = Vocabulary(self.exercises[label], self.definitions)
        try:
            formulas = self.vocabularies[label].read(text)
            for formula in formulas:
                unfold(formula)
            return formulas
        except RecursionError:
            raise ValueError("This formula has too many brackets within brackets.") from None


def _shown(formulas):
    return r",\quad ".join(map(_tex, formulas))


def _tex(formula):
    try:
        return tex(formula)
    except TypeError:  # a function of SymPy's that the book never shows
        return latex(unfold(formula))
