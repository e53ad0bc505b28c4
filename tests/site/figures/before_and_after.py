"""What the figure with a knob on book/confidence/reliability must compute."""

import numpy as np

from softmaxnotes.confidence import expected_calibration_error, reliability_diagram

PAGE = "book/confidence/reliability"
U = np.finfo(float).eps / 2


def expected(knobs, data):
    """The package's bins; sums of fewer than 1000 numbers below 1, in another order."""
    bins, right = int(knobs["bins"]), np.array(data["right"])
    values = {"bins": (bins, 0)}
    for name, confidence in data["confidence"].items():
        confidence = np.array(confidence)
        probs = np.stack([confidence, 1 - confidence], axis=-1)
        wide = np.concatenate([probs[:, :1], np.repeat(probs[:, 1:] / 9, 9, axis=1)], axis=-1)
        labels = np.where(right > 0, 0, 1)
        told = reliability_diagram(wide, labels, n_bins=bins)
        values |= {
            f"{name}_count": (told.count, 0),
            f"{name}_confidence": (np.nan_to_num(told.confidence), 2000 * U),
            f"{name}_accuracy": (np.nan_to_num(told.accuracy), 2000 * U),
            f"{name}_error": (expected_calibration_error(wide, labels, n_bins=bins), 2000 * U),
        }
    return values


def check_finer(live):
    """Twice as many bins have no less error."""
    errors = []
    for bins in (5, 10, 20, 40):
        live.turn("bins", bins)
        errors.append(live.values()["before_error"])
    assert np.all(np.diff(errors) > -2000 * U)
