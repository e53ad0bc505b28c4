"""Proofs for every size: a normal form for sums, products and maxima of any length, and for matrices.

A statement about n classes is proved for n classes.  `prover.proves` is the entrance; `rules` say what
becomes of each kind of node, `matrices` does the same for words of matrices; `context` keeps what is known of
indices and signs, `case_splits` goes through cases of them, `rational_functions` computes with what does not
split.  `bounds` are inequalities by name.
"""

from . import bounds, rules  # noqa: F401 -- the rules enter themselves
from .bounds import Bound
from .prover import proves
from .substitution import substitution

__all__ = ["Bound", "bounds", "proves", "substitution"]
