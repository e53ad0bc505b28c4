"""Texts for word vectors: people wrote one (`text`, `neighbours`), the law of others is known (`worlds`)."""

from .neighbours import BRIEFLY, NEIGHBOURS, by_counts, neighbours, reference, shared
from .text import python_text, window_counts
from .worlds import PRICES, RANKS, TEXT, WORK, World

__all__ = ["BRIEFLY", "NEIGHBOURS", "PRICES", "RANKS", "TEXT", "WORK", "World", "by_counts", "neighbours",
           "python_text", "reference", "shared", "window_counts"]
