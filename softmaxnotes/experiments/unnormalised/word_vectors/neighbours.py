"""Neighbours of words in Python's reference: how far they depend on the start, and on what is fitted."""

import functools

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.unnormalised.negative_sampling import NoiseSampler
from softmaxnotes.unnormalised.word_counts import shifted_pmi
from softmaxnotes.unnormalised.word_vectors import WordVectors, fit_word_vectors

from .text import python_text, window_counts

__all__ = ["BRIEFLY", "NEIGHBOURS", "by_counts", "neighbours", "reference", "shared"]

_METHODS = ("words at random", "raw counts", "PPMI and singular values", "softmax, same start",
            "another start")


@functools.cache
def reference():
    """Words that occur forty times or more in Python's reference, their counts, and negative samples of them.

    Returns
    -------
    words : list of str
    counts : ndarray, shape (words, words)
        Pairs that are three words apart or less.
    noise : ndarray, shape (words, words)
        Five noise words for each pair, by the frequencies to the power ¾.
    """
    words, counts = window_counts(python_text(), least=40, window=3)
    flat = NoiseSampler(counts.sum(axis=0), power=0.75).probabilities
    return words, counts, 5 * counts.sum(axis=1, keepdims=True) * flat


def neighbours(vectors, number=4):
    """For each row those other rows to which it has the smallest angles.

    Examples
    --------
    >>> neighbours(np.array([[1.0, 0.0], [9.0, 1.0], [0.0, 1.0]]), number=1).ravel()
    array([1, 0, 1])
    """
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    return np.argsort(-cosines, axis=1, kind="stable")[:, :number]


def shared(one, other):
    """How many neighbours two tables have in common, in the mean over their rows.

    Examples
    --------
    >>> shared([[1, 2], [0, 2]], [[2, 1], [3, 2]])
    1.5
    """
    return float(np.mean([len({*a} & {*b}) for a, b in zip(np.asarray(one).tolist(),
                                                            np.asarray(other).tolist())]))


def by_counts(counts, dim=20):
    """Word vectors by singular values of the positive pointwise mutual information.

    The columns of U are weighted by the roots of the singular values, as Levy and Goldberg (2014) do.

    Examples
    --------
    >>> by_counts([[6, 2], [2, 6]], dim=1).shape
    (2, 1)
    """
    left, size, _ = np.linalg.svd(np.maximum(shifted_pmi(counts), 0))
    return left[:, :dim] * np.sqrt(size[:dim])


@functools.lru_cache(maxsize=8)
def _fitted(kind, start, steps):
    words, counts, noise = reference()
    model = WordVectors(len(words), len(words), 20, generator=start)
    fit_word_vectors(model, counts, noise if kind == "negative sampling" else None, steps=steps)
    return neighbours(model.word.weight.detach().double().numpy())


def agree_with(method, *, seed, budget):
    """Neighbours, of four, that are those of negative sampling from a start, on average.

    Parameters
    ----------
    method : str
    seed : int
        Of the start.
    budget : int
        Iterations of L-BFGS.
    """
    words, counts, _ = reference()
    read_choice("method", method, _METHODS)
    if method == "words at random":
        other = neighbours(np.random.default_rng(seed).normal(size=(len(words), 20)))
    elif method == "raw counts":
        other = neighbours(counts.astype(float))
    elif method == "PPMI and singular values":
        other = neighbours(by_counts(counts))
    elif method == "softmax, same start":
        other = _fitted("softmax", seed, budget)
    else:
        other = _fitted("negative sampling", seed + 1000, budget)
    return shared(_fitted("negative sampling", seed, budget), other)


NEIGHBOURS = Experiment("neighbours", agree_with, {method: {} for method in _METHODS}, seeds=range(10),
                        better="more", budgets=(1200, 2400), spent="iterations", digits=0)
BRIEFLY = Experiment("briefly", agree_with, {method: {} for method in _METHODS}, seeds=range(10),
                     better="more", budgets=(150,), spent="iterations", digits=0)
