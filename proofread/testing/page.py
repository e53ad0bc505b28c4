"""What a test says of a page: how it is made wrong, how it must fail then, and what else it owes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Falsified:
    """One thing made wrong.

    Attributes
    ----------
    right : str
        What the page says, once in all its code cells.
    wrong : str
        What it must not get away with.
    failure : type
        What must be raised, by the wrong cell or by a later one.
    says : str
        A regular expression that is found in the message.
    sentence : bool
        Whether it stands in a sentence and in no cell: once in all the relations there that the notebooks
        decide (`Notebooks.sentences`).
    slow : bool
        Whether it takes many seconds, and a faster one is refused by the same check: its test is marked as
        ``slow``, so that ``pytest -m "not slow"`` leaves it out.

    Examples
    --------
    >>> print(Falsified("n = 400", "n = 4", AssertionError, says="too few"))
    n = 400 -> n = 4
    """

    right: str
    wrong: str
    failure: type[BaseException]
    says: str = ""
    sentence: bool = False
    slow: bool = False

    def __str__(self):
        return " ".join(f"{self.right} -> {self.wrong}".split())


class Page:
    """A page, and what is made wrong on it; in a module of tests each of these is a test.

    What is None is not asked of the page, unless the notebooks ask it of all pages (`Notebooks.asked`).

    Parameters
    ----------
    name : str
        Its file, from the root of the tests: ``"notes.md"``, ``"week1/notes.ipynb"``.
    falsified : list of Falsified
    exercises : int, optional
        How many of its exercises ask for a formula.
    mistakes : list of (str, str or tuple of str, str), optional
        For each hint of an exercise its label, an attempt that makes the mistake, as a reader types it,
        and a regular expression that is found in this hint alone.
    quotations : dict of str to str, optional
        For each erratum of the page its source, and the TeX of what that prints, typed from the source,
        with fractions and exponents as the page sets them: a misquotation is false as well, so that refuting
        it tells nothing.  Spaces, sizes of brackets and braces around one sign do not matter.
    argued : dict of str to str, optional
        For each argued equation of the page that has no other support there, neither a wrong version which
        numbers refute, nor a second route, nor a line that rests on it, its label and its TeX, typed: nothing
        but a reader would notice if it were wrong.
    undetermined : dict of str to str, optional
        The same for each definition of which wrong versions pass all lines and routes that unfold it: its
        label and its TeX.  `report` tells how many pass.
    formulas : bool, optional
        Whether its formulas, their conditions and its assertions are what is kept in a file
        (`Notebooks.formulas`): whoever changes one sees it in the file, a formula as a reader sees it and
        not as code.  An assertion that asks for less passes wherever the right one did, so that nothing but
        a second copy tells; so it is with tables, and with values in the text, that no assertion reads.
        `pytest --accept-formulas` writes the file.
    unchecked : list of str, optional
        The formulas in its sentences and reasons that nothing on the page bears out: who changes one, or adds
        one, has looked at it and says so here.
    published : bool, optional
        Whether its exercises are laid out for a site: the label is that of a directive, the cell with the
        answer is hidden, the reader's cell holds dots, and the solution is another cell.
    seconds : int
        The time that a child has: to run one falsification, or to try one exercise.
    """

    def __init__(self, name, falsified=(), *, exercises=None, mistakes=None, quotations=None, argued=None,
                 undetermined=None, formulas=None, unchecked=None, published=None, seconds=120):
        self.name, self.falsified, self.seconds = name, list(falsified), seconds
        asked = {"exercises": exercises, "mistakes": mistakes, "quotations": quotations, "argued": argued,
                 "undetermined": undetermined, "formulas": formulas, "unchecked": unchecked,
                 "published": published}
        self.asked = {what: value for what, value in asked.items() if value is not None}
