r"""Words that stand near each other: how much more often than by chance."""

import math

import numpy as np

from ..arguments import as_real, check_entries, read_number

__all__ = ["shifted_pmi"]


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
    counts = as_real(counts, "counts")[0].astype(np.float64)
    if counts.ndim != 2 or counts.size == 0:
        raise ValueError(f"expected counts of shape (contexts, words), got shape {counts.shape}")
    check_entries("counts", counts, np.isfinite(counts) & (counts >= 0), "to be finite and not negative")
    k = read_number("k", k, positive=True)
    rows, words = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    if not rows.all():
        raise ValueError(f"no best scores: context {int((rows == 0).argmax())} was never seen")
    if noise is None:
        noise = words / words.sum()
    noise = as_real(noise, "noise")[0].astype(np.float64)
    if noise.shape != words.shape:
        raise ValueError(f"expected noise of shape {words.shape}, got {noise.shape}")
    check_entries("noise", noise, noise >= 0, "not to be negative")
    if not abs(noise.sum() - 1) <= 1e-9:
        raise ValueError(f"expected noise that adds up to 1, got {noise.sum()}")
    if (lost := (noise == 0) & (words == 0)).any():
        raise ValueError(f"no best score: word {int(lost.argmax())} was never seen and is never noise")
    with np.errstate(divide="ignore"):
        return np.log(counts) - np.log(rows) - np.log(noise) - math.log(k)
