"""Proofs for every size: a normal form for sums, products and maxima of any length, and for matrices.

A statement about n classes is proved for n classes.  `prove.proves` is the entrance; the rules stand in
`elementary` (powers, exponentials, logarithms), `sums`, `others`, `derivative`, `draws` and `recursion`,
those about matrices in `matrices`; `case` keeps what is known of indices and signs, `fractions` computes with
rational functions.  `bounds` are inequalities by name.
"""

from . import bounds, derivative, draws, elementary, others, recursion, sums  # noqa: F401 -- their rules
from .bounds import Bound
from .prove import INDUCTION, proves

__all__ = ["Bound", "INDUCTION", "bounds", "proves"]
