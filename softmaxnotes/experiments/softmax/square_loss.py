"""Classifiers of the digits, trained on a cross-entropy, a square loss, or a loss that ignores outliers."""

import functools

import numpy as np

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import load
from softmaxnotes.softmax import softmax

__all__ = ["EXCHANGED", "EXCHANGED_LONG", "FRESH", "LEARNERS", "LOSSES", "MANY", "MISLABELLED",
           "MISLABELLED_LINEAR", "gradient", "learn_clouds", "learn_digits"]

LOSSES = ("cross-entropy", "label smoothing", "square loss", "square loss on logits", "absolute error",
          "generalised cross-entropy")

#: No training at all, or a loss and by what it is descended.
LEARNERS = ("untrained", *LOSSES, *(f"{loss}, Adam" for loss in LOSSES))

#: Share of the target that label smoothing spreads over all classes; exponent of the generalised
#: cross-entropy, that of its authors.
SMOOTHING, EXPONENT = 0.1, 0.7


def gradient(loss, logits, targets):
    """The gradient of a loss by the logits, for each example.

    Parameters
    ----------
    loss : str
        One of `LOSSES`.
    logits, targets : ndarray, shape (N, n)
        The targets are one-hot.

    Returns
    -------
    ndarray, shape (N, n)
    """
    read_choice("loss", loss, LOSSES)
    if loss == "square loss on logits":
        return 2 * (logits - targets)
    p = softmax(logits)
    errors = p - targets
    if loss == "cross-entropy":
        return errors
    if loss == "label smoothing":
        return errors + SMOOTHING * (targets - 1 / targets.shape[1])
    if loss == "square loss":
        return 2 * p * (errors - (p * errors).sum(axis=1, keepdims=True))
    of_label = (p * targets).sum(axis=1, keepdims=True)
    return errors * (2 * of_label if loss == "absolute error" else of_label**EXPONENT)


def _forward(weights, x):
    hidden = x if len(weights) == 1 else np.maximum(x @ weights[0][:-1] + weights[0][-1], 0)
    return hidden, hidden @ weights[-1][:-1] + weights[-1][-1]


def _descend(weights, x, targets, loss, steps, lr, adam):
    """Weights after so many steps on all examples; the last row of each layer is its bias."""
    weights = [layer.copy() for layer in weights]
    means, squares = ([np.zeros_like(layer) for layer in weights] for _ in range(2))
    for i in range(steps):
        hidden, logits = _forward(weights, x)
        error = gradient(loss, logits, targets) / np.float32(len(x))
        slopes = [np.vstack([hidden.T @ error, error.sum(axis=0)])]
        if len(weights) == 2:
            inner = error @ weights[1][:-1].T * (hidden > 0)
            slopes.insert(0, np.vstack([x.T @ inner, inner.sum(axis=0)]))
        for layer, slope, mean, square in zip(weights, slopes, means, squares):
            if adam:
                mean += np.float32(0.1) * (slope - mean)
                square += np.float32(0.001) * (slope**2 - square)
                size = np.sqrt(square / np.float32(1 - 0.999 ** (i + 1))) + np.float32(1e-8)
                slope = mean / np.float32(1 - 0.9 ** (i + 1)) / size
            layer -= np.float32(lr) * slope
    return weights


@functools.cache
def _digits(seed):
    train, test = load(seed=seed)
    return (train.images.astype(np.float32), train.labels, test.images.astype(np.float32), test.labels)


def _start(hidden, seed):
    if not hidden:
        return [np.zeros((65, 10), np.float32)]
    rng = np.random.default_rng(seed)
    sizes = ((64, hidden, np.sqrt(2 / 64)), (hidden, 10, np.sqrt(1 / hidden)))
    return [np.vstack([scale * rng.normal(size=(rows, columns)), np.zeros(columns)]).astype(np.float32)
            for rows, columns, scale in sizes]


@functools.cache
def _pretrained(hidden, seed, loss):
    """A network that is sure of the digits: 400 steps of Adam."""
    x, labels, _, _ = _digits(seed)
    return _descend(_start(hidden, seed), x, np.eye(10, dtype=np.float32)[labels], loss, 400, 0.003, True)


def learn_digits(method, *, seed, budget, lr=0.01, hidden=64, exchanged=False, mislabelled=0.0):
    """Share of the test digits that a model has right, after so many steps on all training digits.

    Parameters
    ----------
    method : str
        One of `LEARNERS`.
    seed : int
        Of the split of the digits, of the first weights and of the wrong labels.
    budget : int
        Steps.
    lr : float
        Of gradient descent, or of Adam.
    hidden : int
        Rectified units of the one hidden layer; 0 for a linear model, which starts with all weights zero.
    exchanged : bool
        Whether the model has first been trained, and the labels 3 and 8 are exchanged before it learns on.
        It has been trained on the cross-entropy, or, if it is to learn on the square loss on logits, on that.
    mislabelled : float
        Share of the training digits whose label is another one, drawn at random.

    Returns
    -------
    float
    """
    read_choice("method", method, LEARNERS)
    x, labels, unseen, answers = _digits(seed)
    if exchanged:
        other = np.array([0, 1, 2, 8, 4, 5, 6, 7, 3, 9])
        labels, answers = other[labels], other[answers]
    rng = np.random.default_rng(seed)
    wrong = rng.permutation(len(labels)) < mislabelled * len(labels)
    targets = np.eye(10, dtype=np.float32)[(labels + wrong * rng.integers(1, 10, len(labels))) % 10]
    loss, _, rule = method.partition(", ")
    if exchanged:
        before = loss if loss == "square loss on logits" else "cross-entropy"
        weights = _pretrained(hidden, seed, before)
    else:
        weights = _start(hidden, seed)
    if method != LEARNERS[0]:
        with np.errstate(all="ignore"):  # a step may be too long
            weights = _descend(weights, x, targets, loss, budget, lr, rule == "Adam")
    with np.errstate(all="ignore"):
        return float((_forward(weights, unseen)[1].argmax(axis=1) == answers).mean())


@functools.cache
def _clouds(classes, seed):
    """Five points to learn from and two to test on for each class, around centres that are drawn."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, 64))
    noise = [0.6 * rng.normal(size=(classes * count, 64)) for count in (5, 2)]
    return [(np.repeat(centres, len(part) // classes, axis=0) + part).astype(np.float32) for part in noise]


def learn_clouds(method, *, seed, budget, lr=0.01, classes=300, hidden=64):
    """Share of test points that a network puts into the right class, of many, each a normal distribution.

    Parameters
    ----------
    method : str
        One of `LEARNERS`.
    seed : int
        Of the points and of the first weights.
    budget : int
        Steps on all points at once.
    lr : float
        Of gradient descent, or of Adam.
    classes, hidden : int
        How many classes; rectified units of the one hidden layer.

    Returns
    -------
    float
    """
    read_choice("method", method, LEARNERS)
    x, unseen = _clouds(classes, seed)
    rng = np.random.default_rng(seed)
    sizes = ((64, hidden, np.sqrt(2 / 64)), (hidden, classes, np.sqrt(1 / hidden)))
    weights = [np.vstack([scale * rng.normal(size=(rows, columns)), np.zeros(columns)]).astype(np.float32)
               for rows, columns, scale in sizes]
    loss, _, rule = method.partition(", ")
    with np.errstate(all="ignore"):  # a step may be too long
        if method != LEARNERS[0]:
            targets = np.repeat(np.eye(classes, dtype=np.float32), 5, axis=0)
            weights = _descend(weights, x, targets, loss, budget, lr, rule == "Adam")
        guesses = _forward(weights, unseen)[1].argmax(axis=1)
    return float((guesses == np.repeat(np.arange(classes), 2)).mean())


def _race(name, budget, grids, tuning_seeds=range(90, 92), **setting):
    fixed = {key: (value,) for key, value in setting.items()}
    tuned = {method: fixed | {"lr": grid} for method, grid in grids.items()}
    return Experiment(name, learn_digits, {LEARNERS[0]: fixed} | tuned, seeds=range(10),
                      tuning_seeds=tuning_seeds, budgets=(budget,), spent="steps", better="more", digits=0)


def _both_rules(adam):
    return {"cross-entropy": (0.01, 0.03, 0.1, 0.3, 1, 2, 4), "square loss": (0.03, 0.1, 0.3, 1, 3, 6, 12),
            "square loss on logits": (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)} | {
        f"{loss}, Adam": adam for loss in ("cross-entropy", "square loss", "square loss on logits")}


_SWIFT = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
_CAREFUL = (0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03)

FRESH = _race("fresh", 300, _both_rules(_SWIFT))
EXCHANGED = _race("exchanged", 100, _both_rules(_SWIFT) | {
    "generalised cross-entropy": (0.03, 0.1, 0.3, 1, 3, 6, 12), "generalised cross-entropy, Adam": _SWIFT},
    range(90, 94), exchanged=True)
EXCHANGED_LONG = _race("exchanged-long", 1000, _both_rules(_SWIFT), exchanged=True)
MISLABELLED = _race("mislabelled", 1000, {f"{loss}, Adam": _CAREFUL for loss in LOSSES}, mislabelled=0.4)
MISLABELLED_LINEAR = _race("mislabelled-linear", 1000, {
    f"{loss}, Adam": (0.00015, 0.0005, 0.0015, 0.005, 0.015, 0.05, 0.15) for loss in LOSSES} | {
    loss: (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3) for loss in ("cross-entropy", "square loss")},
    mislabelled=0.4, hidden=0)
_FIVE = {"lr": (0.001, 0.003, 0.01, 0.03, 0.1)}
MANY = Experiment("many", learn_clouds, {
    "untrained": {}, "cross-entropy, Adam": _FIVE, "square loss, Adam": _FIVE},
    seeds=range(10), tuning_seeds=range(90, 92), budgets=(150,), spent="steps", better="more", digits=0)
