r"""A softmax regression that learns to read from right and wrong, with different baselines.

    >>> float(round(reading("other images", seed=0, budget=0), 2))  # it guesses
    0.1
"""

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.digits import load
from softmaxnotes.softmax import softmax

__all__ = ["READING", "reading"]

BATCH = 32


def reading(method, *, seed, budget, lr=0.0):
    """Learn from one drawn answer to each image, and return the accuracy of draws on the test images.

    Parameters
    ----------
    method : str
        "rewards 1, 0" and "penalties 0, −1" have no baseline; "exact mean reward" is the probability of the
        right answer, and "other images" the mean reward of the rest of the batch.
    seed, budget : int
        The budget counts batches of 32 images.
    lr : float

    Returns
    -------
    float

    Examples
    --------
    >>> reading("other images", seed=0, budget=200, lr=1.0) > 0.3
    True
    """
    train, test = load()
    rng = np.random.default_rng(seed)
    images, unseen = (np.c_[part.images, np.ones(len(part.images))] for part in (train, test))
    weights = np.zeros((images.shape[1], 10))
    for _ in range(budget):
        batch = rng.integers(len(images), size=BATCH)
        x, labels = images[batch], train.labels[batch]
        p = softmax(x @ weights)
        answers = np.minimum((p.cumsum(axis=1) < rng.random((BATCH, 1))).sum(axis=1), 9)
        right = (answers == labels).astype(float)
        baseline = {"penalties 0, −1": 1.0, "exact mean reward": p[np.arange(BATCH), labels],
                    "other images": (right.sum() - right) / (BATCH - 1)}.get(method, 0.0)
        scores = np.eye(10)[answers] - p
        weights += lr * x.T @ ((right - baseline)[:, None] * scores) / BATCH
    return float(softmax(unseen @ weights)[np.arange(len(unseen)), test.labels].mean())


READING = Experiment("reading", reading, {"untrained": {}} | {
    method: {"lr": (0.1, 0.3, 1.0, 3.0)}
    for method in ("rewards 1, 0", "penalties 0, −1", "exact mean reward", "other images")},
    seeds=range(20), tuning_seeds=range(100, 106), budgets=(2000,), spent="batches", better="more", digits=0)
