"""The formulas in the sentences of a chapter: `proofread.sphinx.sentences`, told what a notebook holds."""

from proofread.sphinx import sentences
from tools import chapters


def unchecked(notebook, entries) -> list[str]:
    """The formulas of a chapter that nothing on it bears out."""
    code = [cell.source for cell in chapters.code_cells(notebook)]
    code += [expression for _, expression in chapters.expressions(notebook)]
    return sentences.unchecked(_texts(notebook), code, entries)


def claims(notebook, entries) -> set[str]:
    """The formulas of a chapter that are more than a name or a digit."""
    return sentences.claims(_texts(notebook), entries)


def _texts(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
