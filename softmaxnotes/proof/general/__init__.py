"""Proofs for every size: a normal form for sums, products and maxima of any length, and for matrices.

A statement about n classes is proved for n classes.  `prove.proves` is the entrance; the rules stand in
`elementary` (powers, exponentials, logarithms), `sums`, `others` and `derivative`; `case` keeps what is known
of indices and signs, `fractions` computes with rational functions.
"""

from . import derivative, draws, elementary, others, recursion, sums  # noqa: F401 -- they register their rules
from .prove import proves

__all__ = ["proves"]
