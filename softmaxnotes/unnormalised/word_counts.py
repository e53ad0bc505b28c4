r"""Words that stand near each other: how often, and how much more often than by chance."""

import math
import re

import numpy as np

from ..arrays import as_real

__all__ = ["python_text", "shifted_pmi", "window_counts"]


def shifted_pmi(counts, k=1, noise=None):
    r"""The scores that are best in negative sampling, if each pair has one of its own.

    .. math:: s_{ij} = \log\frac{N_{ij}}{k\, N_{i\cdot}\, q_j}

    With the frequencies of the words for q this is the pointwise mutual information, less :math:`\log k`.

    Parameters
    ----------
    counts : array_like, shape (contexts, words)
        How often each word was seen in each context: not negative, finite; they need not be integers.
    k : float
        Noise words for each word of the data, positive.
    noise : array_like, shape (words,), optional
        The law q, adding up to 1; by default the frequencies of the words.

    Returns
    -------
    ndarray of float64, shape (contexts, words)
        ``-inf`` for a pair that was not seen; ``inf`` for one that was, if its word is never noise.

    Raises
    ------
    TypeError
        Numbers aren't real.
    ValueError
        The counts or the noise are no such table or law; k isn't positive. A context that was never seen,
        and a word that was neither seen nor is ever noise, have no best score, and are refused.

    Notes
    -----
    Implements: eq-shifted-pmi

    References
    ----------
    O. Levy and Y. Goldberg, "Neural word embedding as implicit matrix factorization", NeurIPS (2014).

    Examples
    --------
    >>> shifted_pmi([[6, 2], [0, 8]], k=5).round(4)
    array([[-0.9163, -2.5257],
           [   -inf, -1.1394]])
    """
    counts = as_real(counts)[0].astype(np.float64)
    if counts.ndim != 2 or counts.size == 0:
        raise ValueError(f"expected counts of shape (contexts, words), got shape {counts.shape}")
    if not (np.isfinite(counts) & (counts >= 0)).all():
        raise ValueError("expected finite counts that are not negative")
    if not 0 < k < math.inf:
        raise ValueError(f"expected k > 0, got {k}")
    rows, words = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    if not rows.all():
        raise ValueError(f"context {int((rows == 0).argmax())} was never seen: it has no best scores")
    if noise is None:
        noise = words / words.sum()
    noise = as_real(noise)[0].astype(np.float64)
    if noise.shape != words.shape:
        raise ValueError(f"expected noise of shape {words.shape}, got {noise.shape}")
    if not ((noise >= 0).all() and abs(noise.sum() - 1) <= 1e-9):
        raise ValueError(f"expected a law of the noise, not negative and adding up to 1; it adds up to "
                         f"{noise.sum()}")
    if (lost := (noise == 0) & (words == 0)).any():
        raise ValueError(f"word {int(lost.argmax())} was never seen and is never noise: it has no best score")
    with np.errstate(divide="ignore"):
        return np.log(counts) - np.log(rows) - np.log(noise) - math.log(k)


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
