"""Tables of a chapter: their numbers come from arrays, and are rounded when they are shown."""

from collections.abc import Mapping, Sequence
from numbers import Integral, Real

from tabulate import tabulate

__all__ = ["Table", "table"]


class Table:
    """What `table` returns; Jupyter and the site show it as a table."""

    def __init__(self, markdown: str):
        self._markdown = markdown

    def __repr__(self):
        return self._markdown

    def _repr_markdown_(self):
        return self._markdown


def table(
    rows: Mapping | Sequence, columns: str | Sequence, fmt: str | Sequence[str] = "", *, index: str = ""
) -> Table:
    r"""A table of numbers and words, in Markdown.

    Parameters
    ----------
    rows : mapping or sequence
        Of shape (rows, columns), such as an array; a mapping takes a name, which stands in front, to its row.
    columns : str or sequence
        The headings; a text such as ``"item {}"`` is numbered from 1.
    fmt : str or sequence of str
        How numbers are written that are not integers: one format, or one for each column.
    index : str
        The heading of the names.

    Raises
    ------
    ValueError
        If there is no row; if a row, or the formats, are not as many as the columns; if a format is none
        for numbers; if a cell holds more than one line.

    Examples
    --------
    >>> import numpy as np
    >>> table({"fair": np.full(2, 0.5), "loaded": [0.9, 0.1]}, "side {}", ".2f", index="coin")
    | coin   |   side 1 |   side 2 |
    |:-------|---------:|---------:|
    | fair   |     0.50 |     0.50 |
    | loaded |     0.90 |     0.10 |
    >>> table([[1, 2.5]], ["n", "mean"], ".q")
    Traceback (most recent call last):
        ...
    ValueError: expected the format of a number, got '.q'
    """
    names, rows = ([*rows], [*rows.values()]) if isinstance(rows, Mapping) else (None, list(rows))
    if not rows:
        raise ValueError("no table without a row")
    if isinstance(columns, str):
        columns = [columns.format(number) for number in range(1, len(rows[0]) + 1)]
    formats = [fmt] * len(columns) if isinstance(fmt, str) else fmt
    for what, found in (("fmt", formats), *((f"row {number}", row) for number, row in enumerate(rows, 1))):
        if len(found) != len(columns):
            raise ValueError(f"expected {what} to have {len(columns)} cells, one a column, got {len(found)}")
    cells = [[_written(cell, form) for cell, form in zip(row, formats)] for row in rows]
    align = ["right" if all(isinstance(cell, Real) for cell in column) else "left" for column in zip(*rows)]
    headings = [_written(heading) for heading in columns]
    if names is not None:
        cells = [[_written(name), *row] for name, row in zip(names, cells)]
        align, headings = ["left", *align], [_written(index), *headings]
    # a word that could be read as a number stays as it is
    return Table(tabulate(cells, headings, tablefmt="pipe", colalign=align, disable_numparse=True))


def _written(cell, form=""):
    if isinstance(cell, Real) and not isinstance(cell, Integral):
        try:
            return format(cell, form).replace("-", "−")  # a minus is no hyphen
        except ValueError:
            raise ValueError(f"expected the format of a number, got {form!r}") from None
    text = str(cell)
    if "\n" in text:
        raise ValueError(f"expected one line in a cell, got {text!r}")
    return text.replace("|", r"\|")  # else it would end the cell
