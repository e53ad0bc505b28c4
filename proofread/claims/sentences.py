"""The relations in the sentences of a page, unasked: read with the names that the page has, and decided."""

import json
import sys
import time
from pathlib import Path

import sympy as sp

from proofread.decision.decide import ask
from proofread.errors import Misprinted, Undecided
from proofread.language.notation import HasLaw
from proofread.language.statement import one_meaning
from proofread.language.typed import unfold
from proofread.latex.plain import plain
from proofread.latex.reader import Ambiguous, Unreadable, read
from proofread.latex.reader.values import alike
from proofread.latex.relations import relations, split
from proofread.latex.round_trip import probed, same, vocabulary
from proofread.ledger import current

from .definition import Definition
from .prose import ARGUED, Said, chain, decided, follow, named, rounded, stated


def sentences(path):
    r"""Decide the relations in the sentences of the notebook that runs, when all else of it was displayed.

    A relation between single dollars holds for all values that its symbols may have.  It is read with the
    symbols that `symbols_mean` declares, with what was displayed, and with the definitions that the notebook
    has a name for.  One that is something else, or that holds under a condition, is listed in `said`.

    Parameters
    ----------
    path : str or Path
        The notebook's own file, in Markdown or ``.ipynb``.

    Returns
    -------
    Sentences

    Raises
    ------
    Refuted, Undecided, Misprinted
        For the first relation that is false, that nothing decides, or of which a part cannot be read; a note
        says in which line.
    """
    text = _markdown(Path(path))
    found = Sentences(tex for _, tex in relations(text))
    for line, tex in relations(text):
        if error := found.failed.get(tex):
            error.add_note(f"{path}: line {line + 1} of the text")
            raise error
    return found


def _markdown(path):
    text = path.read_text("utf8")
    if path.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"]
                       if cell["cell_type"] == "markdown")


def judged(texts):
    """What the tool that executes a notebook asks after the last cell.

    Parameters
    ----------
    texts : iterable of str
        The TeX of the relations in its text.

    Returns
    -------
    entries : list of dict
        One, or none where no relation was decided.
    failures : dict
        Each relation that is not accepted, with the reason.
    """
    began = time.process_time()
    if not current().entries:  # a page without checks
        return [], {}
    found = Sentences(texts)
    failures = {tex: f"{type(error).__name__}: {error}" for tex, error in found.failed.items()}
    entry = found.entry().as_dict() | {"seconds": round(time.process_time() - began, 3)}
    return [entry] if found.found else [], failures


class Sentences(Said):
    """What became of the relations in some sentences, but for those that `said` lists.

    Parameters
    ----------
    texts : iterable of str
        The TeX of each.
    names : dict, optional
        Where definitions have names: in the notebook, if nothing else is said.

    Attributes
    ----------
    found : dict
        How each is known to be true: a word or two, or several for the relations of a chain.
    failed : dict
        Why each of the others is not accepted, an exception.
    """

    title = "relations that sentences state"

    def __init__(self, texts, names=None):
        names = vars(sys.modules["__main__"]) if names is None else names
        listed = {plain(tex) for entry in current().entries.values() for tex in entry.said}
        self.found, self.failed, self._claims, page = {}, {}, [], _Page(current(), names)
        for tex in dict.fromkeys(texts):
            if plain(tex) in listed:
                continue
            try:
                values = page.values(tex)
                self.found[tex] = page.words(tex, values)
                self._claims += values
            except Exception as error:  # whatever it is, it belongs to this line of the text
                self.failed[tex] = error


class _Page:
    """What is declared, displayed and named by now."""

    def __init__(self, book, names):
        self.shown = [checked for checked in book.statements.values() if checked.lines()]
        sides = [side for checked in self.shown for line in checked.lines()
                 for side in (line.left, line.right) if side is not None]
        heads = [value.statement.left for value in names.values() if isinstance(value, Definition)]
        self.vocabulary = vocabulary(*(side.value if isinstance(side, HasLaw) else side for side in sides),
                                     symbols=book.symbols, heads=heads)

    def values(self, tex):
        """The sides of a relation, or of a chain; of decimals that are compared as they are written none."""
        texts, signs = split(tex)
        try:
            return [read(text, self.vocabulary) for text in (texts[:-1] if signs[-1] == "≈" else texts)]
        except Unreadable as error:
            raise Misprinted(f"{tex} cannot be read: {error}{self._why(error)}") from error

    def _why(self, error):
        """What the reader cannot know: that two symbols are written alike."""
        if isinstance(error, Ambiguous):
            things = [one if isinstance(one, tuple) else (one,) for one in self.vocabulary.names.values()]
            try:
                one_meaning(*(one for several in things for one in several if isinstance(one, sp.Basic)))
            except ValueError as twice:
                return f"\n  {twice}"
        return ""

    def words(self, tex, values):
        """How a relation is known to be true: each of a chain."""
        texts, signs = split(tex)
        words = [rounded(tex, values[place], texts[place + 1]) if sign == "≈" else
                 self._decided(tex, sign, *values[place:place + 2]) for place, sign in enumerate(signs)]
        return tuple(dict.fromkeys(words))

    def _decided(self, tex, sign, *sides):
        # that a few points do not refute it shows no inequality
        doubt = Undecided(f"{tex} is undecided: numbers do not refute it, and nothing proves it")
        try:
            sides = alike(*sides)
            word = _decided(tex, sign, *sides)
        except Unreadable as error:
            raise Misprinted(f"{tex} cannot be read: {error}") from error
        except Undecided as error:
            word, doubt = "", error
        if word in ("proved", ARGUED):
            return word
        label = self._shown_in(sides, sign)
        if not label and (not word or sign != "="):
            raise doubt
        return label or word

    def _shown_in(self, sides, sign):
        """The statement of which these are two sides, if it holds without conditions."""
        for checked in self.shown:
            if checked.given or any(line.iff for line in checked.lines()):
                continue
            others, between = chain(checked)
            places = [[place for place, other in enumerate(others) if _is(side, other)] for side in sides]
            if [] not in places and follow([sign], places, between):
                return named(checked)
        return ""


def _decided(tex, sign, left, right):
    if sign == "∝":
        raise Undecided(f"{tex} is undecided: it does not say as functions of what, and no statement does")
    if left.is_Matrix:
        if sign != "=":
            raise Undecided(f"{tex} is undecided: {sign} is decided of numbers")
        left, right = probed(left), probed(right)
    statement = stated(left, sign, right)
    return decided(tex, sign, statement, ask(statement))


def _is(value, side):
    """Whether a side of a statement has this value."""
    value, side = unfold(value), unfold(side)
    return value == side or value.free_symbols == side.free_symbols and same(value, side)
