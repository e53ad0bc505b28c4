"""A chapter with one thing made wrong must fail, and the chapter as it stands must not.

A chapter's tests say what is made wrong, and how it must fail:

    PAGE = Page("book/PART/NAME", [
        Falsified("slope.step(x**2,", "slope.step(x**3,", Refuted),
        Falsified("n = 400", "n = 4", AssertionError, says="too few"),
    ])

Each of these is a test, and so are the page's exercises and its errata: pytest collects a ``PAGE`` as it
collects a function (``conftest.py``).
The chapter is executed once for all of these tests and for the site, at the first of them: `rehearsal.py`.
"""

import functools
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools import execute

# with which every chapter begins
FRONT_MATTER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

# They say that a falsification is broken, not that it was noticed; unless one of them is asked for by name.
BROKEN = (NameError, SyntaxError, TypeError, AttributeError, ImportError, LookupError)


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
    """

    right: str
    wrong: str
    failure: type[BaseException]
    says: str = ""

    def __str__(self):
        return " ".join(f"{self.right} -> {self.wrong}".split())


class Page:
    """A chapter, and what is made wrong in it.

    Parameters
    ----------
    chapter : str
        As in ``_toc.yml``.
    falsified : list of Falsified
    exercises : int
        How many of its exercises ask for a formula.
    mistakes : list of (str, str or tuple of str, str)
        For each hint of an exercise its label, an attempt that makes the mistake, as a reader types it,
        and a regular expression that is found in this hint alone.
    quotations : dict of str to str
        For each erratum of the chapter its source, and the TeX of what that prints, typed from the source,
        with fractions and exponents as the book sets them: a misquotation is false as well, so that refuting
        it tells nothing.  Spaces and sizes of brackets do not matter.
    unchecked : list of str
        The formulas in its sentences and reasons that nothing on the page bears out (`tools.sentences`): who
        changes one, or adds one, has looked at it and says so here.
    seconds : int
        The time that a child has: to run one falsification, or to try one exercise.
    """

    def __init__(self, chapter, falsified=(), *, exercises=3, mistakes=(), quotations=(), unchecked=(),
                 seconds=120):
        self.chapter, self.falsified, self.seconds = chapter, list(falsified), seconds
        self.exercises = exercises
        self.mistakes, self.quotations = list(mistakes), dict(quotations)
        self.unchecked = list(unchecked)

    @functools.cached_property
    def cells(self):
        return execute.code_cells(execute.read(self.chapter))

    def places(self, text):
        """The numbers of the cells that hold a text, as often as they do."""
        return [number for number, cell in enumerate(self.cells, 1) for _ in range(cell.source.count(text))]

    @functools.cached_property
    def outcome(self):
        """What happened when the chapter ran, with ``outcomes`` by falsification; or its own ``failure``."""
        once = [one for one in self.falsified if len(self.places(one.right)) == 1]
        request = {
            "chapter": self.chapter,
            "text": execute.source(self.chapter).read_text("utf8"),
            "cells": [{"source": cell.source, "metadata": cell.metadata} for cell in self.cells],
            "changes": [(*self.places(one.right), one.right, one.wrong) for one in once],
            "mistakes": self.mistakes,
            "seconds": self.seconds,
        }
        with tempfile.TemporaryDirectory() as folder:
            asked, answered = (Path(folder, name) for name in ("request.json", "outcome.json"))
            asked.write_text(json.dumps(request), "utf8")
            try:
                execute.again(self.chapter, unseen=self._unseen(str(asked), str(answered)))
            except execute.ChapterError as error:
                return {"failure": str(error)}
            outcome = json.loads(answered.read_text("utf8"))
        outcome["outcomes"] = dict(zip(once, outcome["outcomes"], strict=True))
        return outcome

    def _unseen(self, asked, answered):
        """What the kernel is asked before each cell, and after the last one."""
        here, last = "__import__('chapters.rehearsal').rehearsal", len(self.cells) + 1
        unseen = {number: f"{here}.before({number})" for number in range(1, last)}
        # the root as well: tests/proofread is no package, but would be found before the one that is installed
        path = f"__import__('sys').path[:0] = [{str(execute.ROOT)!r}, {str(execute.ROOT / 'tests')!r}]"
        unseen[1] = f"{path}; {here}.begin({asked!r}); {unseen[1]}"
        return unseen | {last: f"{here}.end({answered!r})"}

    def control(self):
        """The chapter as it stands runs through."""
        if failure := self.outcome.get("failure"):
            complain(f"{self.chapter} itself fails\n{failure}")

    def fails(self, falsified):
        """The chapter fails when this is made wrong, and in the way that is expected."""
        right, wrong, expected = falsified.right, falsified.wrong, falsified.failure
        where = self.places(right)
        if len(where) != 1:
            complain(f"{self.chapter} must say {right!r} once, says it {len(where)} times, in cells {where}")
        self.control()
        failure = self.outcome["outcomes"][falsified]
        if failure is None:
            complain(f"nobody notices {wrong!r} in place of {right!r}, in cell {where[0]}")
        if not failure["kinds"]:
            complain(f"it was not seen to fail: {failure['message']}", failure)
        kind = failure["kinds"][0]
        if named(expected) not in failure["kinds"]:
            complain(f"{kind} was raised, expected {named(expected)}", failure)
        if any(named(b) in failure["kinds"] for b in BROKEN) and not issubclass(expected, BROKEN):
            complain(f"{kind} says that the falsification is broken", failure)
        if not re.search(falsified.says, failure["message"]):
            complain(f"the message does not say {falsified.says!r}", failure)

    def asks(self):
        """The chapter has so many exercises, and each does what `exercises.py` asks of it."""
        self.control()
        examined = self.outcome["examined"]
        for label, failure in examined.items():
            if failure:
                complain(f"{label}: {failure['message']}", failure)
        if len(examined) != self.exercises:
            complain(f"{self.chapter} has the exercises {list(examined)}, expected {self.exercises}")

    def quotes(self):
        """The errata of the chapter print what their sources do."""
        self.control()
        if wrong := misquoted(self.outcome["quoted"], self.quotations):
            complain(f"{self.chapter} misquotes {wrong}")

    def says(self):
        """Of the formulas in its sentences and reasons those that nothing on the page bears out are known."""
        from tools import sentences  # only now, for it brings the prover with it

        found = sentences.unchecked(execute.read(self.chapter),
                                    execute.entries(execute.executed(self.chapter)))
        if new := [tex for tex in found if tex not in self.unchecked]:
            complain(f"nothing on {self.chapter} bears out ${'$, $'.join(new)}$: is each right? "
                     "Then it is listed as unchecked")
        if gone := [tex for tex in self.unchecked if tex not in found]:
            complain(f"${'$, $'.join(gone)}$ is not on {self.chapter}, or is borne out there")


class PageTests(pytest.Collector):
    """The tests of a page."""

    def __init__(self, *, page, **kwargs):
        super().__init__(**kwargs)
        self.page = page

    def collect(self):
        page = self.page
        tasks = [(str(one), functools.partial(page.fails, one)) for one in page.falsified]
        for name, task in [*tasks, ("exercises", page.asks), ("errata", page.quotes),
                           ("sentences", page.says)]:
            yield PageTest.from_parent(self, name=name, task=task)


class PageTest(pytest.Item):
    """One of them."""

    def __init__(self, *, task, **kwargs):
        super().__init__(**kwargs)
        self.task = task

    def runtest(self):
        self.task()

    def reportinfo(self):
        return self.path, None, self.name


def misquoted(quoted, quotations):
    """The first source that two dictionaries quote differently, and how; None if there is none."""
    for source in {**quoted, **quotations}:
        found, expected = (plain(one.get(source)) for one in (quoted, quotations))
        if found != expected:
            return f"{source}: {found!r}, the test has {expected!r}"
    return None


def plain(tex):
    """TeX without spaces and sizes of brackets."""
    sizes = r"\\(left|right|[bB]igg?[lr]?)(?![a-z])|\\mathopen\{\}|\\[,;: ]|\s+"
    return re.sub(sizes, "", tex) if tex else tex


def named(kind):
    """A class as the other process names it."""
    return f"{kind.__module__}.{kind.__qualname__}"


def complain(what, failure=None):
    """Fail with a message, and the traceback of the chapter in place of our own."""
    cell = f", in cell {failure['cell']}" if failure and failure["cell"] else ""
    pytest.fail(what + cell + (f"\n{failure['traceback']}" if failure else ""), pytrace=False)
