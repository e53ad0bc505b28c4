r"""Reading digits that is learnt from right and wrong, by groups of answers and their rewards.

    >>> found = learn("leave-one-out", seed=0, budget=100, lr=1.0)
    >>> 0.3 < found["chance"] < 0.8 and 0 <= found["given up"] <= 10
    True
"""

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.rewards import advantages
from softmaxnotes.softmax import softmax

__all__ = ["METHODS", "READING"]

METHODS = ("untrained", "penalties", "rewards", "mean reward", "leave-one-out", "best constant", "exact")
GROUP, BATCH = 4, 20


def learn(method, *, seed, budget, lr=1.0):
    r"""Train a softmax of linear logits by the score function, told only whether each drawn answer is right.

    In each step twenty training images are drawn, and four answers to each.

    Parameters
    ----------
    method : str
        What an answer is worth: "rewards" (1 if it is right, and 0), "penalties" (0 if it is right, and -1),
        the reward minus the "mean reward" of that image, minus the mean of the three others
        ("leave-one-out"), or minus the "best constant" of `best_baseline`; the mean reward and the best
        constant need the probability of the right answer, as does "exact", the gradient itself.
        Or "untrained".
    seed : int
        Runs of one seed see the same images and the same random numbers.
    budget : int
        Number of steps.
    lr : float
        Learning rate.

    Returns
    -------
    dict of str to float
        ``"chance"`` of a right answer, the mean over the test images; ``"given up"``, the number of digits on
        whose test images the mean chance is below 0.05.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.
    """
    read_choice("method", method, METHODS)
    steps = read_count("budget", budget)
    train, test = load()
    rng, weights = np.random.default_rng(seed), np.zeros((64, 10))
    row, column = np.arange(BATCH), np.arange(BATCH)[:, None]
    for _ in range(steps if method != "untrained" else 0):
        pick = rng.integers(len(train.images), size=BATCH)
        images, labels = train.images[pick], train.labels[pick]
        law = softmax(images @ weights)
        ends = law.cumsum(axis=1)[:, None]
        drawn = (rng.random((BATCH, GROUP, 1)) * ends[..., -1:] >= ends).sum(axis=2)
        right, pull = law[row, labels][:, None], np.zeros((BATCH, 10))
        if method == "exact":
            pull[row, labels] = right[:, 0]
            pull -= right * law
        else:
            worth = (drawn == labels[:, None]) - _baseline(method, law, right)
            if method == "leave-one-out":
                worth = advantages(worth)
            np.add.at(pull, (column, drawn), worth / GROUP)
            pull -= law * worth.mean(axis=1, keepdims=True)
        weights += lr / BATCH * images.T @ pull
    law = softmax(test.images @ weights)
    chances = law[np.arange(len(test.labels)), test.labels]
    by_digit = np.bincount(test.labels, chances) / np.bincount(test.labels)
    return {"chance": float(chances.mean().round(12)), "given up": float((by_digit < 0.05).sum())}


def _baseline(method, law, right):
    """What is taken off the reward, for each image: shape (B, 1), or a number."""
    if method == "best constant":
        squares = (law**2).sum(axis=1, keepdims=True)  # of the score of k: 1 - 2 law_k + squares
        return right * (1 - 2 * right + squares) / (1 - squares)
    return {"penalties": 1.0, "mean reward": right}.get(method, 0.0)


_RATES = {"lr": (0.3, 1.0, 3.0, 10.0)}
READING = Experiment("reading", learn, {"untrained": {}} | {method: _RATES for method in METHODS[1:]},
                     seeds=range(30), tuning_seeds=range(100, 105), better="more", budgets=(2000, 4000),
                     spent="steps", measure="chance", digits=0)
