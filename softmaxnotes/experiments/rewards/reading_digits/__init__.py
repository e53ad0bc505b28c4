r"""Readers with hard attention: digits on a canvas among clutter, to be named in their order.

A canvas (`canvases`) has L cells of 8 by 8 pixels; T of them hold a digit, the others the pieces of one. A
reader (`reader`) glances at one cell after the other, and names a digit each time. Told is only the sequence
of the digits, not where they are. Its glimpses are a chain (the next one depends on the last one), so that
likelihood and bound, sums over :math:`L^T` paths, are computed by a recursion; that is the reference for all
that draws (`learning`).

    >>> from softmaxnotes.digits import load
    >>> canvases = make_canvases(load()[0], 3, rng=0)
    >>> canvases.cells.shape, canvases.digits.shape
    ((3, 6, 64), (3, 2))

The package needs torch.
"""

from .canvases import Canvases, make_canvases
from .learning import AttentionNoise, attention_noise, fit_readers, swap_gradient
from .reader import DigitReader, Reading, Tables, read_canvases

__all__ = [
    "AttentionNoise",
    "Canvases",
    "DigitReader",
    "Reading",
    "Tables",
    "attention_noise",
    "fit_readers",
    "make_canvases",
    "read_canvases",
    "swap_gradient",
]
