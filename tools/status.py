"""The page *Status*: what each chapter holds, how long it takes, of which versions, and what came of the last
weekly run."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import version

from proofread.sphinx import entries, shown
from tools import chapters, citation, settings, store, weekly
from tools.ledger import BookDirective, listed

VERSIONS = ("numpy", "scipy", "sympy", "mpmath", "torch", "matplotlib", "scikit-learn", "jupyter-book")
COUNTED = {"figures": "figure", "experiments": "comparison", "exercises": "exercise"}  # what a judge answers
VERDICTS = {"proved": "proved", "argued": "argued", "given an argued line": "argued", "definition": "defined"}
OTHER = "in part"  # proved for some sizes, or seen in numbers
COLUMNS = ["seconds", "cells", "proved", "argued", OTHER, "defined", *COUNTED]


class Status(BookDirective):
    """``{status}``: a row for each chapter, the versions, the weekly run."""

    def render(self):
        self.env.note_dependency(str(weekly.RESULT))
        return [self.section("Chapters", "status-chapters", *self.chapters()),
                self.section("Versions", "status-versions", self.versions()),
                self.section("The weekly run", "status-weekly", *self.weekly())]

    def chapters(self):
        book, total, rows = self.env.proofread["entries"], Counter(), []
        for name in listed(book):
            count = self.counted(name, book[name])
            total += count
            rows.append([self.chapter(name), *map(count.__getitem__, COLUMNS)])
        rows.append(["The book", *map(total.__getitem__, COLUMNS)])
        head = ["Chapter", *map(str.capitalize, COLUMNS)]
        told = self.paragraph("The seconds are those of executing it in this build, in one process, and hold "
                              "the time of proofs that had not been made before. Equations are counted by "
                              "their evidence: what rests on an argued line is counted with what is argued; "
                              "in part is what is proved for some sizes, or seen in numbers.")
        return shown.table(head, rows, classes=["coverage"]), told

    def counted(self, name, found):
        notebook, kinds = store.stored(name), Counter(entry.kind for entry in found)
        facts = notebook.metadata[settings.PACKAGE] if notebook else {"seconds": 0}
        cells = len(chapters.code_cells(chapters.read(name)))
        counted = {what: kinds[kind] for what, kind in COUNTED.items()}
        verdicts = Counter()
        for verdict, number in entries.counts(self.env, name).items():
            verdicts[VERDICTS.get(verdict, OTHER)] += number
        return Counter({"seconds": round(facts["seconds"]), "cells": cells}) + verdicts + Counter(counted)

    def versions(self):
        rows = [["These notes", citation.told()["version"]], *([name, version(name)] for name in VERSIONS)]
        return shown.table(["Package", "Version"], rows)

    def weekly(self):
        told = weekly.told()
        if told is None:
            return [self.paragraph("It has not been run where this site was built: `make weekly` does it.")]
        rows = [[stage, weekly.STAGES[stage], "passed" if one["passed"] else "failed", one["minutes"]]
                for stage, one in told["stages"].items()]
        of = f"`{told['commit']}` of " if told["commit"] else ""
        return [self.paragraph(f"The last one began on {told['date']}, at {of}these notes, "
                               f"with the seed {told['seed']}."),
                shown.table(["Stage", "What it does", "Result", "Minutes"], rows)]


def setup(app):
    app.add_directive("status", Status)
