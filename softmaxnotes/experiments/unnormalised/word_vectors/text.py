"""A text that every Python has, and how often its words stand near each other."""

import re

import numpy as np

__all__ = ["python_text", "window_counts"]


def python_text():
    """The words of Python's reference, as it comes with Python for ``help()``, in small letters.

    Returns
    -------
    list of str
        What it says depends on the version of Python.

    Examples
    --------
    >>> "statement" in python_text()
    True
    """
    from pydoc_data.topics import topics  # large

    return re.findall(r"[a-z]+", " ".join(topics[name] for name in sorted(topics)).lower())


def window_counts(text, *, least=1, window=2):
    """How often words stand near each other.

    Parameters
    ----------
    text : sequence of str
    least : int
        Words that occur less often are left out before distances are counted.
    window : int
        Two words are near if at most so many steps apart.

    Returns
    -------
    words : list of str
        From the most frequent to the least; of equals, in the order of the alphabet.
    counts : ndarray of int64, shape (words, words)
        Symmetric.

    Raises
    ------
    ValueError
        `least` or `window` is less than 1, or no word is left.

    Examples
    --------
    >>> words, counts = window_counts("a b a c".split(), window=1)
    >>> words, counts.tolist()
    (['a', 'b', 'c'], [[0, 2, 1], [2, 0, 0], [1, 0, 0]])
    """
    if least < 1 or window < 1:
        raise ValueError(f"expected least >= 1 and window >= 1, got {least} and {window}")
    names, place, often = np.unique(np.asarray(text, dtype=str), return_inverse=True, return_counts=True)
    order = np.argsort(-often, kind="stable")
    order = order[often[order] >= least]
    if not len(order):
        raise ValueError(f"no word occurs {least} times")
    rank = np.full(len(names), -1)
    rank[order] = np.arange(len(order))
    tokens = rank[place]
    tokens = tokens[tokens >= 0]
    counts = np.zeros((len(order), len(order)), dtype=np.int64)
    for gap in range(1, window + 1):
        np.add.at(counts, (tokens[:-gap], tokens[gap:]), 1)
    return names[order].tolist(), counts + counts.T
