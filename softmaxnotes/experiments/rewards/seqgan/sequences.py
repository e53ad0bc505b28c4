"""Sequences of words, and the tables that tell a word by those before it."""

import numpy as np

from softmaxnotes.arguments import as_real, check_entries, read_count
from softmaxnotes.arrays import refuse_no_support

__all__ = ["all_sequences", "read_table"]

_MANY = 10**6  # sequences that are enumerated at most


def all_sequences(vocabulary, length):
    """All sequences of words 0, …, V − 1, in the order of a dictionary.

    Parameters
    ----------
    vocabulary, length : int
        V and T.

    Returns
    -------
    ndarray of int, shape (V**T, T)

    Raises
    ------
    ValueError
        There are more than a million.

    Examples
    --------
    >>> all_sequences(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    v, t = read_count("vocabulary", vocabulary), read_count("length", length)
    if v**t > _MANY:
        raise ValueError(f"expected at most {_MANY} sequences, got {v}**{t}")
    return np.stack(np.unravel_index(np.arange(v**t), (v,) * t), axis=-1)


def read_table(logits):
    """A table in ``float64``, and the length T of its sequences."""
    logits = as_real(logits, "logits")[0].astype(np.float64)
    rows, v = logits.shape if logits.ndim == 2 else (0, 0)
    length, total = 0, 0
    while total < rows:
        total, length = total + max(v, 1) ** length, length + 1
    if not (v and rows and total == rows):
        raise ValueError("expected logits of shape ((V**T - 1) / (V - 1), V), one row for each prefix, "
                         f"got {logits.shape}")
    check_entries("logits", logits, logits < np.inf, "to be finite, or -inf for words that never come")
    if (logits == -np.inf).all(axis=1).any():
        refuse_no_support(logits, logits.shape[:1])
    return logits, length
