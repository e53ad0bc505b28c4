"""What the figure with a knob on book/confidence/calibration must compute."""

import numpy as np

from softmaxnotes.confidence import fit_temperature
from softmaxnotes.softmax import categorical_nll, softmax

PAGE = "book/confidence/calibration"
U = np.finfo(float).eps / 2


def expected(knobs, data):
    """The package's loss and gradient; of logits below 8 in size, and 40 rows of 4."""
    logits, labels, beta = np.array(data["logits"]), np.array(data["labels"]), knobs["beta"]
    assert np.abs(logits).max() < 8
    mean = np.sum(softmax(beta * logits) * logits, axis=-1).mean()
    loss, gradient = categorical_nll(beta * logits, labels)
    true = logits[np.arange(len(labels)), labels].mean()
    tilt = np.sum(gradient * logits, axis=-1).mean()
    bound = 8 * 64 * U
    return {
        "beta": (beta, 0),
        "expected": (mean, bound),
        "truth": (true, bound),
        "loss": (loss.mean(), bound),
        "ends": (loss.mean() + 0.15 * tilt * np.array([-1, 1]), bound),
    }


def check_minimum(live):
    """Where the package finds the temperature, the gap all but vanishes."""
    found = fit_temperature(live.data["logits"], live.data["labels"])
    live.turn("beta", round(1 / found.temperature, 2))
    values = live.values()
    assert abs(values["expected"] - values["truth"]) < 0.02
    assert 0 <= values["loss"] - found.nll < 1e-4
