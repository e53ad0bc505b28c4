"""Proofs for every size: a normal form for sums, products and maxima of any length, and for matrices.

A statement about n classes is proved for n classes.  `prove.proves` is the entrance; the rules stand in
`elementary` (powers, exponentials, logarithms), `sums`, `closed` (powers of an index, geometric sums),
`others`, `pieces` (absolute values, indicators), `derivative`, `limits`, `draws` and `recursion`, those about
matrices in `matrices`; `case` keeps what is known of indices and signs, `signs` goes through cases of them,
`fractions` computes with rational functions.  `bounds` are inequalities by name.
"""

from . import (  # noqa: F401 -- their rules
    bounds,
    derivative,
    draws,
    elementary,
    limits,
    others,
    pieces,
    recursion,
    sums,
)
from .bounds import Bound
from .prove import INDUCTION, proves
from .substitution import substitution

__all__ = ["Bound", "INDUCTION", "bounds", "proves", "substitution"]
