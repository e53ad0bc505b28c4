"""What the pages of this book fold beside the evidence: code."""

from __future__ import annotations

from docutils import nodes

from proofread.sphinx.folds import details, fold


def code(block: nodes.literal_block, words: str = "Code") -> details:
    """The code of a cell, folded; the summary says how long it is."""
    lines = len(block.astext().strip().splitlines())
    note = nodes.inline("", f" · {lines} line" + "s" * (lines != 1), classes=["note"])
    return fold([nodes.Text(words), note], block, classes=["code"])

