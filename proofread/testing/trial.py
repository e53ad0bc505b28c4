"""A page is run once, with all that is to fail on it; then each test is told what became of its part.

The cells as they stand are the control.  What is wrong is tried beside them, in their kernel: `rehearsal.py`.
"""

import ast
import difflib
import functools
import json
import re
import tempfile
from pathlib import Path

import pytest

from proofread.latex.plain import plain

from .notebooks import PageError
from .rehearsal import parsed
from .slips import ROUTES, head

# They say that a falsification is broken, not that it was noticed; unless one of them is asked for by name.
BROKEN = (NameError, SyntaxError, TypeError, AttributeError, ImportError, LookupError)

# Of a route: to which equation, and how closely; of an exercise where answers are compared, of an erratum
# where it is refuted.
KEPT = {**dict.fromkeys(ROUTES, ("of", "bound", "bounds", "effect")), "Exercise": ("given",),
        "Erratum": ("given", "at")}


class Trial:
    """A page, what is asked of it, and what happened when it was run, with what is ``tried`` beside it."""

    def __init__(self, page, notebooks):
        self.page, self.notebooks, self.tried = page, notebooks, page.falsified
        self.asked = {**notebooks.asked, **page.asked}

    @functools.cached_property
    def notebook(self):
        return self.notebooks.read(self.page.name)

    @functools.cached_property
    def cells(self):
        return self.notebooks.cells(self.notebook)

    @functools.cached_property
    def sentences(self):
        return self.notebooks.sentences(self.notebook)

    def places(self, falsified):
        """The numbers of the cells that hold what is made wrong, as often as they do; sentences come last."""
        text, after = falsified.right, len(self.cells) + 1
        parts = ([(after, tex) for tex in self.sentences] if falsified.sentence else
                 [(number, cell.source) for number, cell in enumerate(self.cells, 1)])
        return [number for number, part in parts for _ in range(part.count(text))]

    @functools.cached_property
    def outcome(self):
        """What happened when the page ran, with ``outcomes`` by falsification; or its own ``failure``."""
        once = [one for one in self.tried if len(self.places(one)) == 1]
        request = {
            "page": self.page.name,
            "text": "\n\n".join(cell.source for cell in self.notebook.cells),
            "cells": [{"source": cell.source, "metadata": cell.metadata} for cell in self.cells],
            "sentences": self.sentences,
            "changes": [(*self.places(one), one.right, one.wrong) for one in once],
            "mistakes": self.asked.get("mistakes"),
            "published": self.asked.get("published", False),
            "seconds": self.page.seconds,
        }
        with tempfile.TemporaryDirectory() as folder:
            asked, answered = (Path(folder, name) for name in ("request.json", "outcome.json"))
            asked.write_text(json.dumps(request), "utf8")
            try:
                self.notebooks.run(self.page.name, self._unseen(str(asked), str(answered)))
            except PageError as error:
                return {"failure": str(error)}
            outcome = json.loads(answered.read_text("utf8"))
        outcome["outcomes"] = dict(zip(once, outcome["outcomes"], strict=True))
        return outcome

    def _unseen(self, asked, answered):
        """What the kernel is asked before each cell, and after the last one."""
        here, last = "__import__('proofread.testing.rehearsal').testing.rehearsal", len(self.cells) + 1
        unseen = {number: f"{here}.before({number})" for number in range(1, last)}
        unseen[last] = f"{here}.end({answered!r})"
        return unseen | {1: f"{here}.begin({asked!r}); {unseen[1]}"}

    def tasks(self):
        """What is asked, each by a name: it fails if the page does not do it."""
        return [(str(one), functools.partial(self.fails, one)) for one in self.page.falsified] + self.others()

    def others(self):
        """What is asked of the page as it stands, each by a name."""
        asked = {"errata": ("quotations", self.quotes), "argued": ("argued", self.argues),
                 "definitions": ("undetermined", self.defines), "formulas": ("formulas", self.shows),
                 "sentences": ("unchecked", self.says)}
        always = [("falsified", self.says_once)] if self.page.falsified else []
        return [*always, ("exercises", self.asks), *((name, task) for name, (what, task) in asked.items()
                                                     if self.asked.get(what) not in (None, False))]

    def control(self):
        """The page as it stands runs through."""
        if failure := self.outcome.get("failure"):
            complain(f"{self.page.name} itself fails\n{failure}")

    def says_once(self):
        """All that is made wrong stands on the page, also where a run leaves it out."""
        for one in self.page.falsified:
            self._place(one)

    def _place(self, falsified):
        where = self.places(falsified)
        if len(where) != 1:
            complain(f"{self.page.name} must say {falsified.right!r} once, says it {len(where)} times, "
                     f"in cells {where}")
        return where[0]

    def fails(self, falsified):
        """The page fails when this is made wrong, and in the way that is expected."""
        right, wrong, expected = falsified.right, falsified.wrong, falsified.failure
        where = self._place(falsified)
        self.control()
        failure = self.outcome["outcomes"][falsified]
        if failure is None:
            complain(f"nobody notices {wrong!r} in place of {right!r}, in cell {where}")
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
        """Each exercise of the page does what `exercises.py` asks of it, and there are so many."""
        self.control()
        examined, expected = self.outcome["examined"], self.asked.get("exercises")
        for label, failure in examined.items():
            if failure:
                complain(f"{label}: {failure['message']}", failure)
        if expected is not None and len(examined) != expected:
            complain(f"{self.page.name} has the exercises {list(examined)}, expected {expected}")

    def quotes(self):
        """The errata of the page print what their sources do."""
        self.control()
        if wrong := differing(self.outcome["quoted"], self.asked["quotations"]):
            complain(f"{self.page.name} misquotes {wrong}")

    def argues(self):
        """What is argued on the page, and supported by nothing else on it, is known."""
        self.control()
        if wrong := differing(self.outcome["argued"], self.asked["argued"]):
            complain(f"{self.page.name} argues what nothing else on it supports, or no longer does: {wrong}; "
                     "give it a second route, or list it as argued")

    def defines(self):
        """The definitions of the page that its lines and routes do not determine are known."""
        self.control()
        if wrong := differing(self.outcome["undetermined"], self.asked["undetermined"]):
            complaint = f"{self.page.name} has a definition of which wrong versions pass, or no longer has: "
            complain(f"{complaint}{wrong}; add a line or a route that tells it, or list it as undetermined")

    @property
    def kept(self):
        """The formulas and assertions that are kept."""
        path = self.notebooks.formulas(self.page.name)
        return path.read_text("utf8") if path.exists() else ""

    @property
    def claimed(self):
        """The formulas and assertions of the page, as they are kept."""
        sources = [cell.source for cell in self.cells]
        parts = self.outcome["formulas"], asserted(sources, self.notebooks.expressions(self.notebook))
        return "\n".join(filter(None, parts))

    def shows(self):
        """The formulas that the page shows, and its assertions, are those that are kept."""
        self.control()
        if self.kept != (claimed := self.claimed):
            changed = difflib.unified_diff(self.kept.splitlines(), claimed.splitlines(), "kept", "claimed",
                                           lineterm="")
            complain(f"{self.page.name} has other formulas or assertions than "
                     f"{self.notebooks.formulas(self.page.name).name} keeps; if they are right, keep them: "
                     "pytest --accept-formulas\n" + "\n".join(changed))

    def keeps(self):
        """Keep the formulas that the page shows, and its assertions."""
        self.control()
        self.notebooks.formulas(self.page.name).write_text(self.claimed, "utf8")

    def says(self):
        """Of the formulas in its sentences and reasons those that nothing on the page bears out are known."""
        found, known = self.notebooks.unchecked(self.page.name), self.asked["unchecked"]
        if new := [tex for tex in found if tex not in known]:
            complain(f"nothing on {self.page.name} bears out ${'$, $'.join(new)}$: is each right? "
                     "Then it is listed as unchecked")
        if gone := [tex for tex in known if tex not in found]:
            complain(f"${'$, $'.join(gone)}$ is not on {self.page.name}, or is borne out there")


def asserted(sources, expressions=()):
    """What some cells assert, as it is typed and without its messages; comments of the file of formulas.

    With it stands how closely routes agree, under which conditions exercises and errata compare, and what
    is shown and no check reads: tables, and what a name in the expressions of the text is bound to.  So is
    what an assertion reads that a formula is refuted, for a misquoted one is refuted as well.
    A number that grows, a ``<`` that was a ``>``, an item that is another one: a weaker assertion passes
    where the right one did, so that nothing that is run tells them apart.
    """
    cells = [(source, parsed(source)) for source in sources]
    found, read, shown = [], set(), set()
    for expression in expressions:
        shown |= _names(ast.parse(expression.strip(), mode="eval"))
    for source, tree in cells:
        nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Assert, ast.Call))]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            if isinstance(node, ast.Assert):
                found.append(_typed(source, node.test))
            elif (name := head(node)) in KEPT:
                kept = [_typed(source, keyword) for keyword in node.keywords if keyword.arg in KEPT[name]]
                found += [f"{name}({', '.join(kept)})"] if kept else []
            elif name == "table":
                found.append(_typed(source, node))
            if isinstance(node, ast.Assert) and '"refuted"' in _typed(source, node):
                shown |= _names(node)
            elif isinstance(node, ast.Assert) or name in KEPT:
                read |= _names(node)
    found += [_typed(source, node) for source, tree in cells for node in tree.body
              if isinstance(node, ast.Assign) and _names(*node.targets) & shown - read]
    return "\n".join(["% asserted", *(f"% {line}" for line in found), ""]) if found else ""


def _names(*nodes):
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def _typed(source, node):
    return re.sub(r"(?<=[(\[{]) ", "", " ".join(ast.get_source_segment(source, node).split()))


def by_label(formulas):
    """Of what is kept each formula by its label, and what is asserted."""
    parts = formulas.strip().split("\n\n")
    return {part.partition("\n")[0].removeprefix("% "): part for part in parts if part}


def differing(formulas, typed):
    """The first name that has another formula in one dictionary than in the other, and which; or None."""
    for name in {**formulas, **typed}:
        found, expected = (plain(one[name]) if name in one else None for one in (formulas, typed))
        if found != expected:
            return f"{name}: {found!r}, the test has {expected!r}"
    return None


def named(kind):
    """A class as the other process names it."""
    return f"{kind.__module__}.{kind.__qualname__}"


def complain(what, failure=None):
    """Fail with a message, and the traceback of the page in place of our own."""
    cell = f", in cell {failure['cell']}" if failure and failure["cell"] else ""
    pytest.fail(what + cell + (f"\n{failure['traceback']}" if failure else ""), pytrace=False)
