"""The notebooks for a class: without the solutions, which it finds itself, and what was checked of the page.

In the notebooks to download all that belongs to a solution has the tag `SOLUTION`, by which nbconvert, too,
leaves it out.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

SOLUTION = "solution"


def for_class(notebook: NotebookNode) -> NotebookNode:
    """The same notebook with its exercises only; the section that ends with ``report()`` needs solutions."""
    cells, section = [], 0
    for cell in notebook.cells:
        if SOLUTION in cell.metadata.get("tags", ()):
            continue
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            section = len(cells)
        cells.append(cell)
        if cell.cell_type == "code" and re.search(r"^report\(\)$", cell.source, re.MULTILINE):
            del cells[section:]
    return NotebookNode({**notebook, "cells": cells})
