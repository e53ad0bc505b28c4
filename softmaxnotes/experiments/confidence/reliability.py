"""Networks that have learned a hundred digits, and how far their claims are from true ones."""

import functools

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.confidence import (
    expected_calibration_error,
    expected_error_if_calibrated,
    fit_temperature,
)
from softmaxnotes.digits import load
from softmaxnotes.softmax import softmax

__all__ = ["CLAIMS", "CURES"]

CURES = ("as trained", "one temperature", "true claims")
LEARNED, HELD = 100, 550  # so many training digits teach; those up to the second number give the temperature


@functools.cache
def learn_hundred(seed, steps=300):
    """The logits of a network that has learned a hundred digits.

    Parameters
    ----------
    seed : int
        Of the split of the digits and of the network's first weights.
    steps : int
        Of Adam, each with all hundred digits.

    Returns
    -------
    held, test : ndarray, shape (450, 10) and (797, 10)
        Logits of training digits that it has not learned, and of the test digits.
    held_labels, test_labels : ndarray of int
    """
    known, test = load(seed=seed)
    torch.manual_seed(seed)
    network = torch.nn.Sequential(
        torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 256), torch.nn.ReLU(),
        torch.nn.Linear(256, 10)).double()
    descent = torch.optim.Adam(network.parameters(), lr=3e-3)
    images, classes = (torch.tensor(part[:LEARNED]) for part in known)
    for _ in range(steps):
        descent.zero_grad()
        torch.nn.functional.cross_entropy(network(images), classes).backward()
        descent.step()
    held = slice(LEARNED, HELD)
    with torch.no_grad():
        logits = [network(torch.tensor(part)).numpy() for part in (known.images[held], test.images)]
    return *logits, known.labels[held], test.labels


def _error(confidence, right):
    """The calibration error in 15 bins; the last axis is that of the examples."""
    bins = np.ceil(confidence * 15) - 1
    return sum(abs(((right - confidence) * (bins == b)).sum(axis=-1)) for b in range(15)) / len(confidence)


def claim_errors(method, *, seed, budget):
    """The calibration error of a network of `learn_hundred` on the test digits, in 15 bins.

    Parameters
    ----------
    method : {"as trained", "one temperature", "true claims"}
        The second divides the logits by a temperature that is fitted to held digits.  The third is the mean
        if the same guesses were right with the very probabilities that the second claims.
    seed : int
    budget : int
        Steps of the training.

    Returns
    -------
    dict
        ``"error"``; ``"largest"``, the 95 % point of the errors that true claims of this confidence have,
        from 1000 draws; and ``"beyond"``, 1 if the error is larger than that point.
    """
    read_choice("method", method, CURES)
    z_held, z_test, y_held, y_test = learn_hundred(seed, budget)
    temperature = 1.0 if method == CURES[0] else fit_temperature(z_held, y_held).temperature
    probs = softmax(z_test / temperature)
    confidence, rng = probs.max(axis=1), np.random.default_rng(seed)
    drawn = _error(confidence, rng.random((1000, len(confidence))) < confidence)
    largest = np.quantile(drawn, 0.95)
    if method == CURES[2]:
        error = expected_error_if_calibrated(confidence)
    else:
        error = expected_calibration_error(probs, y_test)
    return {"error": error, "largest": largest, "beyond": error > largest}


CLAIMS = Experiment("claims", claim_errors, {method: {} for method in CURES}, seeds=range(10), budgets=(300,),
                    spent="steps", measure="error", digits=0)
