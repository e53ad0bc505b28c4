"""A line of a displayed equation."""

from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class Line:
    """A line of an equation.

    Attributes
    ----------
    left, right : expression
        ``left`` is None where it is what stands above.
    relation : str
    reason : str
        Shown beside the line.
    argued : bool
    iff : bool
        Whether the line is an equation of its own, equivalent to the one above.
    """

    left: sp.Basic | None
    relation: str
    right: sp.Basic
    reason: str = ""
    argued: bool = False
    iff: bool = False
