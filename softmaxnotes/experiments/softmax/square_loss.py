"""Linear models of the digits, on a cross-entropy or on a square loss, behind the softmax or before it."""

import functools

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import load
from softmaxnotes.softmax import softmax

__all__ = ["EMPTY", "LEARNERS", "MISLABELLED", "WRONG"]

#: A loss, and by what it is descended.
LEARNERS = ("untrained", "cross-entropy", "square loss", "square loss on logits", "cross-entropy, Adam",
            "square loss, Adam", "square loss on logits, Adam")


@functools.cache
def _split(seed):
    """The digits with a pixel that is always 1, their classes, and the step that suits the cross-entropy."""
    train, test = load(seed=seed)
    ink, unseen = (np.column_stack([part.images, np.ones(len(part.images))]) for part in (train, test))
    return ink, train.labels, unseen, test.labels, 2 / np.linalg.eigvalsh(ink.T @ ink / len(ink))[-1]


def _pull(loss, logits, targets):
    """The gradient of the loss of each example by its logits."""
    if loss == "square loss on logits":
        return 2 * (logits - targets)
    p = softmax(logits)
    if loss == "cross-entropy":
        return p - targets
    errors = p - targets
    return 2 * p * (errors - (p * errors).sum(axis=1, keepdims=True))


def learn_digits(method, *, seed, budget, lr=1.0, spread=0.0, mislabelled=0.0):
    """Share of the test digits that a linear model has right, after so many steps on all of the others.

    Parameters
    ----------
    method : str
        One of `LEARNERS`: the cross-entropy of the softmax, its squared distance from the target, or that of
        the logits themselves, by gradient descent or by Adam.
    seed : int
        Of the split of the digits, of the first weights and of the wrong labels.
    budget : int
        Steps.
    lr : float
        Of gradient descent in units of the step with which the cross-entropy falls for certain, which is 2
        over the largest eigenvalue of the pixels' second moments; of Adam in units of 0.05.
    spread : float
        Standard deviation of the first weights; 0 for none.
    mislabelled : float
        Share of the training digits whose label is another one, drawn at random.

    Returns
    -------
    float
    """
    read_choice("method", method, LEARNERS)
    ink, labels, unseen, answers, unit = _split(seed)
    rng = np.random.default_rng(seed)
    weights = spread * rng.normal(size=(10, ink.shape[1]))
    wrong = rng.permutation(len(labels)) < mislabelled * len(labels)
    targets = np.eye(10)[(labels + wrong * rng.integers(1, 10, len(labels))) % 10]
    loss, _, rule = method.partition(", ")
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for i in range(0 if method == LEARNERS[0] else budget):
        slope = _pull(loss, ink @ weights.T, targets).T @ ink / len(ink)
        if rule:
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            size = np.sqrt(square / (1 - 0.999 ** (i + 1))) + 1e-8
            weights = weights - 0.05 * lr * mean / (1 - 0.9 ** (i + 1)) / size
        else:
            weights = weights - unit * lr * slope
    return float(((unseen @ weights.T).argmax(axis=1) == answers).mean())


_RATES = {"cross-entropy": (0.25, 1, 4, 16, 64, 256), "square loss": (0.25, 1, 4, 16, 64, 256),
          "square loss on logits": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)}
_OF_ADAM = (0.03, 0.1, 0.3, 1, 3, 10)


def _race(name, budgets, **setting):
    fixed = {key: (value,) for key, value in setting.items()}
    tuned = {method: fixed | {"lr": _RATES.get(method, _OF_ADAM)} for method in LEARNERS[1:]}
    return Experiment(name, learn_digits, {LEARNERS[0]: fixed} | tuned, seeds=range(10),
                      tuning_seeds=range(90, 92), budgets=budgets, spent="steps", better="more", digits=0)


EMPTY = _race("empty", (100, 1000))
WRONG = _race("wrong", (1000,), spread=2.0)
MISLABELLED = _race("mislabelled", (1000,), mislabelled=0.2)
