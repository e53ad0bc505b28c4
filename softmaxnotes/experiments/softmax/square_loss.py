"""Classifiers of the digits, trained on a cross-entropy, a square loss, or a loss that ignores outliers.

The module needs torch, which draws the first weights of the networks that the chapter itself trains.
"""

import functools

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import load
from softmaxnotes.softmax import categorical_nll, softmax

__all__ = ["BRIER", "CORRECTED", "CROWD", "EXCHANGED", "EXCHANGED_LONG", "FRESH", "GIVEN_UP", "LEARNERS",
           "LOSSES", "MANY", "MISLABELLED", "MISLABELLED_LINEAR", "STOPPED", "SURE", "SUSPECTS", "gradient",
           "learn_clouds", "learn_digits"]

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


# --- The networks of the chapter, with more seeds than it trains ---------------

ONE_HOT = np.eye(10, dtype=np.float32)


def _start_of_torch(seed):
    """First weights of a network with 64 rectifiers, as PyTorch draws them."""
    torch.manual_seed(seed)
    layers = torch.nn.Linear(64, 64), torch.nn.Linear(64, 10)
    return [np.vstack([layer.weight.detach().numpy().T, layer.bias.detach().numpy()]) for layer in layers]


def correct_labels(method, *, seed, budget, lr=0.01):
    """Accuracy on the test digits 3 and 8, whose labels are exchanged when a network has learned them.

    Parameters
    ----------
    method : str
        One of `LOSSES`, for the steps after the exchange; before, it is the cross-entropy.
    seed : int
        Of the first weights.
    budget : int
        Steps of Adam after the exchange.
    lr : float

    Returns
    -------
    float
    """
    x, labels, unseen, answers = _digits(0)
    corrected = np.array([0, 1, 2, 8, 4, 5, 6, 7, 3, 9])
    sure = _descend(_start_of_torch(seed), x, ONE_HOT[labels], "cross-entropy", 300, 0.003, True)
    weights = _descend(sure, x, ONE_HOT[corrected[labels]], method, budget, lr, True)
    touched = corrected[answers] != answers
    guesses = _forward(weights, unseen[touched])[1].argmax(axis=1)
    return float((guesses == corrected[answers[touched]]).mean())


def score_probabilities(method, *, seed, budget, lr):
    """Brier scores of a network on the last test digits, from the 401st.

    Parameters
    ----------
    method : str
        One of `LOSSES`.
    seed : int
        Of the first weights.
    budget : int
        Steps of Adam.
    lr : float

    Returns
    -------
    dict
        Of the softmax of its outputs, ``"plain"``, and ``"tempered"``, of the softmax of these divided by the
        one of eleven temperatures that is best on the other test digits.
    """
    x, labels, unseen, answers = _digits(0)
    weights = _descend(_start_of_torch(seed), x, ONE_HOT[labels], method, budget, lr, True)
    z = _forward(weights, unseen)[1].astype(float)
    tempered = min((z / heat for heat in (0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 0.7, 1, 1.4, 2)),
                   key=lambda z: categorical_nll(z[:400], answers[:400]).value.mean())
    return {name: ((softmax(of[400:]) - ONE_HOT[answers[400:]]) ** 2).sum(axis=1).mean()
            for name, of in (("plain", z), ("tempered", tempered))}


def give_up_classes(method, *, seed, budget, lr=0.01, scale=1.0):
    """Which of 300 classes a network gives up, as in `learn_clouds`, on the square loss.

    Parameters
    ----------
    method : str
        A name for the scale.
    seed : int
        Of the points and of the first weights.
    budget : int
        Steps of Adam.
    lr : float
    scale : float
        Of the first weights of the last layer.

    Returns
    -------
    dict
        ``"accuracy"`` on test points; how many points are ``"given up"``, with less than a tenth of the
        probability of a blind guess for the label, and how many ``"whole classes"`` are; and the median
        probability of their labels, ``"before"`` and ``"after"``, or that of all labels if none is given up.
    """
    x, unseen = _clouds(300, seed)
    rng, labels = np.random.default_rng(seed), np.arange(300).repeat(5)
    start = [np.vstack([spread * rng.normal(size=(64, count)), np.zeros(count)]).astype(np.float32)
             for count, spread in ((64, np.sqrt(2 / 64)), (300, scale / 8))]
    weights = _descend(start, x, np.eye(300, dtype=np.float32)[labels], "square loss", budget, lr, True)
    before, after = (softmax(_forward(one, x)[1])[np.arange(1500), labels] for one in (start, weights))
    lost = after < 0.1 / 300
    seen = lost if lost.any() else ~lost
    guesses = _forward(weights, unseen)[1].argmax(axis=1)
    return {"accuracy": (guesses == np.arange(300).repeat(2)).mean(), "given up": lost.sum(),
            "whole classes": lost.reshape(300, 5).all(axis=1).sum(),
            "before": np.median(before[seen]), "after": np.median(after[seen])}


def find_wrong(method, *, seed, budget, lr=0.003, folds=5):
    """How well the probabilities of the labels show which labels are wrong, where a fifth of them is.

    Parameters
    ----------
    method : str
        One of `LOSSES`, or one and ``", out of fold"``: then each probability is of a network that has not
        seen the image.
    seed : int
        Of the wrong labels.
    budget : int
        Steps of Adam.
    lr : float
    folds : int
        One network for each leaves its images out.

    Returns
    -------
    dict
        ``"wrong"``, the share of wrong labels among as many images as there are wrong labels, those with the
        least probable labels; and ``"mean"``, the mean probability of a label.
    """
    loss, _, way = method.partition(", ")
    x, labels, _, _ = _digits(0)
    rng = np.random.default_rng(seed)
    wrong, shift = rng.random(len(x)) < 0.2, rng.integers(1, 10, len(x))
    given = np.where(wrong, (labels + shift) % 10, labels)
    p, fold = np.zeros(len(x)), np.arange(len(x)) % (folds if way else 1)
    for k in range(fold.max() + 1):
        learned, asked = (fold != k, fold == k) if way else (fold == k, fold == k)
        weights = _descend(_start_of_torch(k), x[learned], ONE_HOT[given[learned]], loss, budget, lr, True)
        p[asked] = (softmax(_forward(weights, x[asked])[1]) * ONE_HOT[given[asked]]).sum(axis=1)
    return {"wrong": wrong[p.argsort()[:wrong.sum()]].mean(), "mean": p.mean()}


def keep_wrong(method, *, seed, budget, lr):
    """What a network makes of training labels of which two fifths are wrong.

    Parameters
    ----------
    method : str
        One of `LOSSES`.
    seed : int
        Of the wrong labels and of the first weights.
    budget : int
        Steps of Adam.
    lr : float

    Returns
    -------
    dict
        The share of the wrong labels that are ``"given up"``, with less than a tenth of the probability of a
        blind guess; on the test digits ``"confidence"``, the mean largest probability, and ``"accuracy"``.
    """
    x, labels, unseen, answers = _digits(0)
    rng = np.random.default_rng(seed)
    wrong = rng.permutation(len(x)) < 400
    targets = ONE_HOT[(labels + wrong * rng.integers(1, 10, len(x))) % 10]
    weights = _descend(_start_of_torch(seed), x, targets, method, budget, lr, True)
    of_label = (softmax(_forward(weights, x)[1]) * targets).sum(axis=1)
    p = softmax(_forward(weights, unseen)[1])
    return {"given up": (of_label[wrong] < 0.1 / 10).mean(), "confidence": p.max(axis=1).mean(),
            "accuracy": (p.argmax(axis=1) == answers).mean()}


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


def _more(name, run, methods, steps, seeds, measure=""):
    return Experiment(name, run, methods, seeds=range(seeds), budgets=steps, spent="steps", better="more",
                      measure=measure, digits=0)


CORRECTED = _more("corrected", correct_labels, {"square loss": {}}, (150, 1000), 4)
BRIER = _more("brier", score_probabilities, {
    "cross-entropy": {"lr": (0.003,)}, "square loss": {"lr": (0.003,)},
    "square loss on logits": {"lr": (0.01,)}}, (300,), 4, "plain")
CROWD = _more("crowd", give_up_classes, {"as drawn": {}, "a quarter": {"scale": (0.25,)}}, (150,), 3,
              "accuracy")
SUSPECTS = _more("suspects", find_wrong, {
    f"{trained_on}{judged}": {} for judged in ("", ", out of fold")
    for trained_on in ("cross-entropy", "square loss", "generalised cross-entropy")}, (100, 400), 5, "wrong")
STOPPED = _more("stopped", learn_digits, {
    f"{trained_on}, Adam": {"lr": (0.003,), "mislabelled": (0.4,)}
    for trained_on in ("cross-entropy", "generalised cross-entropy")}, (100, 400), 5)
GIVEN_UP = _more("given-up", keep_wrong, {
    trained_on: {"lr": (0.003,)} for trained_on in ("square loss", "generalised cross-entropy")}, (100,), 5,
    "given up")
SURE = _more("sure", keep_wrong, {"generalised cross-entropy": {"lr": (0.0003,)}}, (1000,), 5, "confidence")
