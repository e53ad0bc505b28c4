"""Random wrong edits of a page's code: which of them does nobody notice?

    python -m proofread.testing.edits test_notes.py --count 60 --seed 1
    python -m proofread.testing.edits test_notes.py --only erratum exercise --count 20

is said where pytest is run, and names the file with the page's test.  An edit changes one thing in one code
cell, and `slips` says what; as many are drawn from each class.
Each runs in a child of this process, which runs the page, from the state before its cell to the end of what
depends on it (`reach`); an exercise is also put to the mistakes of the page's test, an erratum to its
quotations, and what is shown is compared with the formulas that are kept.
An edit that passes is then put to all of the page's test, in a kernel, with each of its falsifications.
This is plain Python: a cell with a magic of IPython fails.  What a figure computes in a browser is not run.

An edit that passes need not be wrong: it may say the same in another way, or change a free choice.  Those
that passed are printed for a reader to judge, with a hint whether what the ledger says, or its formulas, are
as before.
"""

import argparse
import ast
import os
import random
import runpy
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from proofread.errors import Refuted

from . import rehearsal
from .notebooks import Notebooks
from .page import Page
from .reach import affected, touched
from .slips import CLASSES, groups
from .trial import Trial, asserted, by_label, differing

FATES = ("rejected", "PASSED", "not finished")  #: what may become of an edit


def drawn(found, sources, count, rng, only):
    """As many edits from each class, as far as there are."""
    pools = {place: rng.sample(found[place], len(found[place])) for place in only if found[place]}
    chosen = []
    while len(chosen) < count and pools:
        for place in list(pools):
            if not pools[place]:
                del pools[place]
            elif len(chosen) < count:
                edit = rng.choice(pools[place].pop())
                if says_something_else(edit, sources[edit.cell - 1]):
                    chosen.append(edit)
    return sorted(chosen, key=lambda edit: edit.cell)


def says_something_else(edit, source):
    """Whether the edited cell is code, and not the same code."""
    try:
        return ast.dump(ast.parse(edit.applied(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


def attempt(trial, edit, sources, names, whole=False):
    """In a child: run the cells that an edit reaches, or all that follow, then what the page's test asks.

    Tells how it failed, or what it shows.  What fails only because cells were left out, as `needs_all` tells,
    is to be tried again with the whole page; only then do sentences have all their meanings.
    """
    wrong = edit.applied(sources[edit.cell - 1])
    cells = [wrong, *sources[edit.cell:]] if whole else affected(sources, edit.cell, wrong)
    failure = rehearsal.first_failure(trial.page.name, cells, edit.cell, names)
    if failure is None and whole:
        failure = rehearsal.wrong_sentence(trial.sentences, names, Refuted)
    if failure is None:
        bound = set().union(*(touched(ast.parse(source)) for source in cells))
        try:
            edited = [*sources[:edit.cell - 1], wrong, *sources[edit.cell:]]
            examine({name: names[name] for name in bound & set(names)}, trial, edited)
        except Exception as error:
            failure = {"kinds": ["the page's test"], "message": str(error), "cell": None}
    return {"failure": failure, **(shown() if failure is None else {})}


def needs_all(failure, edit, sources):
    """Whether a failure may come of cells that were left out: of what was not defined, used or declared."""
    return failure["cell"] in (None, len(sources)) or failure["cell"] != edit.cell and bool(
        {f"builtins.{kind}" for kind in ("NameError", "LookupError")} & set(failure["kinds"]))


def examine(names, trial, sources):
    """Put exercises, errata, formulas to the page's test, those that were made by now; and assertions."""
    from . import exercises  # only now, for it imports SymPy

    asked = trial.asked
    for exercise in exercises.found([names]):
        exercises.answered(exercise, asked.get("mistakes"))
    if "quotations" in asked:
        quoted = rehearsal.quoted()
        typed = {source: tex for source, tex in asked["quotations"].items() if source in quoted}
        if wrong := differing(quoted, typed):
            raise ValueError(f"misquotes {wrong}")
    for what, found in (("argued", rehearsal.only_argued()), ("undetermined", rehearsal.undetermined())):
        # cells that support it may have been left out
        typed = {label: tex for label, tex in asked.get(what, {}).items() if label in found}
        if wrong := differing({label: found[label] for label in typed}, typed):
            raise ValueError(f"{what}: {wrong}")
    if asked.get("formulas"):
        kept = by_label(trial.kept)
        claimed = asserted(sources, trial.notebooks.expressions(trial.notebook))
        for label, found in by_label(f"{rehearsal.formulas()}\n{claimed}").items():
            if found != kept.get(label):
                raise ValueError(f"not as it is kept: {label}")


def shown():
    """What the ledger says by now, and the formulas of what was displayed."""
    from proofread import ledger
    from proofread.language.typed import unfold

    book = ledger.current()
    said = {str(key): repr({**entry.as_dict(), "seconds": 0}) for key, entry in book.entries.items()}
    formulas = {label: repr([[str(unfold(side)) for side in (line.left, line.right) if side is not None]
                             for line in checked.lines()]) for label, checked in book.statements.items()}
    return {"said": said, "formulas": formulas}


def page_of(test):
    """The page of a file with tests."""
    pages = [value for value in runpy.run_path(test).values() if isinstance(value, Page)]
    if len(pages) != 1:
        sys.exit(f"{test} has {len(pages)} pages, expected one")
    return pages[0]


def run(trial, edits, sources, seconds):
    """Run the page and, before each cell, its edits one after the other; gives their outcomes."""
    names, outcomes = {"__name__": "__main__", "display": rehearsal.show}, {}
    for number, source in enumerate(sources, 1):
        for edit in edits:
            if edit.cell == number:
                outcomes[edit] = outcome(partial(attempt, trial, edit, sources, names), seconds)
                failure = outcomes[edit].get("failure")
                if failure and needs_all(failure, edit, sources):
                    again = partial(attempt, trial, edit, sources, names, whole=True)
                    outcomes[edit] = outcome(again, seconds)
                tell(edit, outcomes[edit], sources)
        if failure := rehearsal.first_failure(trial.page.name, [source], number, names):
            sys.exit(f"{trial.page.name} itself fails: {failure['message']}, in cell {number}")
    return outcomes, shown()


def outcome(task, seconds):
    """What a child tells that has so many seconds."""
    child = rehearsal.Children(seconds)
    child.begin(None, task)
    return child.end()[None]


class Edited:
    """Notebooks of which one cell is edited."""

    def __init__(self, notebooks, edit):
        self._notebooks, self._edit = notebooks, edit

    def __getattr__(self, name):
        return getattr(self._notebooks, name)

    def read(self, name):
        notebook = self._notebooks.read(name)
        cell = self._notebooks.cells(notebook)[self._edit.cell - 1]
        cell.source = self._edit.applied(cell.source)
        return notebook

    def run(self, name, unseen):
        self._notebooks.execute(name, self.read(name), unseen)


def tested(trial, edit):
    """Put an edit to all of the page's test, but for the formulas in its sentences; what fails first."""
    for name, task in Trial(trial.page, Edited(trial.notebooks, edit)).tasks():
        if name != "sentences":
            try:
                task()
            except pytest.fail.Exception as complaint:
                return {"kinds": ["the page's test"], "message": f"{name}: {complaint}"}
    return None


def fate(outcome):
    """One of `FATES`: a child that ran out of time has told nothing."""
    if "failure" in outcome:
        return "PASSED" if outcome["failure"] is None else "rejected"
    return "not finished" if outcome["late"] else "rejected"


def verdict(outcome):
    """What became of an edit, and by what it was rejected."""
    if (word := fate(outcome)) != "rejected":
        return outcome.get("message", word)
    if "failure" not in outcome:
        return f"rejected: {outcome['message']}"
    kind, message = outcome["failure"]["kinds"][0], outcome["failure"]["message"].partition("\n")[0]
    return f"rejected: {kind.rpartition('.')[2]}" + (f", {message}" if kind == "the page's test" else "")


def tell(edit, outcome, sources):
    print(f"{verdict(outcome)} | {edit.place} | cell {edit.cell} | {edit.what}\n"
          f"{edit.shown(sources[edit.cell - 1])}", flush=True)


def hint(outcome, control):
    """What is the same as before, of an edit that passed."""
    for part, words in (("said", "nothing shown is different"), ("formulas", "the formulas are the same")):
        if all(control[part].get(key) == value for key, value in outcome[part].items()):
            return words
    return "what is shown is different"


def table(outcomes):
    """Edits by class: how many, and what became of them."""
    counts = Counter((edit.place, fate(outcome)) for edit, outcome in outcomes.items())
    rows = [(place, [counts[place, word] for word in FATES]) for place in CLASSES]
    return "\n".join(["class | edits | rejected | passed | not finished", *(
        " | ".join(map(str, [place, sum(row), *row])) for place, row in rows if sum(row))])


def main(arguments=None, *, notebooks=None, shared=""):
    """What the command does, with `Notebooks` of one's own, and code whose names pages share."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("test", help="the file with the test of the page, such as test_notes.py")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=CLASSES, default=CLASSES, help="classes of edits")
    parser.add_argument("--seconds", type=int, default=120, help="that an edit has")
    parser.add_argument("--quick", action="store_true", help="without the falsifications of the page's test")
    options = parser.parse_args(arguments)
    trial = Trial(page_of(options.test), notebooks or Notebooks(Path.cwd()))
    sources = [cell.source for cell in trial.cells]
    edits = drawn(groups(sources, shared), sources, options.count, random.Random(options.seed), options.only)
    os.chdir(trial.notebooks.path(trial.page.name).parent)
    outcomes, control = run(trial, edits, sources, options.seconds)
    for edit, outcome in outcomes.items():
        if not options.quick and fate(outcome) == "PASSED" and (failure := tested(trial, edit)):
            outcomes[edit] = {"failure": failure}
            tell(edit, outcomes[edit], sources)
    print(f"\n{table(outcomes)}\n\nPassed:")
    for edit, outcome in outcomes.items():
        if fate(outcome) == "PASSED":
            print(f"\n{edit.place}, cell {edit.cell}, {edit.what}: {hint(outcome, control)}\n"
                  f"{edit.shown(sources[edit.cell - 1])}")


if __name__ == "__main__":
    main()
