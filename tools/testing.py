"""The chapters as `proofread.testing` tries them: executed for the site, and what is asked of each."""

from proofread.testing.notebooks import Notebooks, PageError
from tools import chapters, errors, run, settings, store

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


class Chapters(Notebooks):
    """The chapters, named as in ``_toc.yml``; what one prints is kept, or compared with what is kept."""

    asked = {"exercises": 3, "mistakes": (), "quotations": {}, "argued": {}, "undetermined": {},
             "formulas": True, "unchecked": (), "published": True}

    def __init__(self):
        super().__init__(settings.ROOT)

    def path(self, name):
        return chapters.source(name)

    def read(self, name):
        return chapters.read(name)

    def cells(self, notebook):
        return chapters.code_cells(notebook)

    def run(self, name, unseen):
        _refused(store.again, name, unseen=unseen)

    def execute(self, name, notebook, unseen):
        _refused(run.run, name, notebook, unseen=unseen)

    def sentences(self, notebook):
        return chapters.sentences(notebook)

    def expressions(self, notebook):
        return [expression for _, expression in chapters.expressions(notebook)]

    def formulas(self, name):
        return settings.ROOT / f"tests/{name.removeprefix('book/')}.tex"

    def unchecked(self, name):
        return chapters.unchecked(chapters.read(name), store.entries(store.executed(name)))


def _refused(execute, *arguments, **options):
    try:
        execute(*arguments, **options)
    except errors.ChapterError as error:
        raise PageError(str(error)) from None
