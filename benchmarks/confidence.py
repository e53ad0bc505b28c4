"""Calibration: the fit of a temperature and the calibration error, against what is used instead.

Run it from anywhere: ``python benchmarks/confidence.py``. It takes about two minutes, writes
``confidence.json`` (speed) and ``confidence_losses.json`` (how far from the optimum each one stops) beside
itself, and says what the numbers mean in their notes.
"""

from harness import publish, race  # first: it fixes the number of threads

# isort: split

from pathlib import Path

import numpy as np
import torch
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax
from sklearn.calibration import _TemperatureScaling

from softmaxnotes import confidence as ours

FITS = ["scikit-learn", "minimize_scalar", "L-BFGS, published"]
LONGER = "L-BFGS, 200 iterations"  # too slow to race
ERRORS = ["loop over bins", "searchsorted"]
OTHERS = [*FITS, *ERRORS]
SECONDS = 0.4  # per row of the table

SPEED = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all "
    "take turns, in a random order, each for at least a millisecond per turn, and the fastest turn of "
    "each counts. fit_temperature: the labels are drawn from the softmax of the logits over the "
    "temperature in the second column, so that the best temperature is near it. 'scikit-learn' is the "
    "fit of CalibratedClassifierCV(method='temperature'), on logits; 'minimize_scalar' is SciPy's search "
    "over log(1/T) from -10 to 10 of the loss by logsumexp; 'L-BFGS, published' is torch.optim.LBFGS on T "
    "itself with lr=0.01 and max_iter=50, from 1.5, as in the code of the authors of temperature scaling. "
    "The next table says where it stops. "
    "expected_calibration_error, 15 bins: 'loop over bins' computes for each bin the mean of a mask, as in "
    "the code of the authors; 'searchsorted' has no loop, only searchsorted and bincount of NumPy. All "
    "start from probabilities, and ours also checks that they are some. torchmetrics, which many would "
    "take, is not installed here."
)
LOSSES = (
    "The temperature at which each stops, and in brackets by how many nats its mean loss exceeds the best "
    "of all (in extended precision). Of float32 logits scikit-learn and L-BFGS compute in that type, ours "
    "and minimize_scalar in float64. The last column is the published search with four times as many "
    "iterations; nothing in it keeps the temperature positive."
)


def data(n, classes, temperature, dtype, rng):
    """Logits, and labels drawn from their softmax at a temperature."""
    logits = 3 * temperature * rng.normal(size=(n, classes))
    labels = (logits / temperature + rng.gumbel(size=logits.shape)).argmax(axis=-1)
    return logits.astype(dtype), labels


def fits(logits, labels):
    """Each competitor, as a call that returns a temperature."""
    rows, targets, every = torch.from_numpy(logits), torch.from_numpy(labels), np.arange(len(labels))

    def scalar():
        def loss(log_beta):
            scaled = np.exp(log_beta) * logits
            return np.mean(logsumexp(scaled, axis=-1) - scaled[every, labels])

        return np.exp(-minimize_scalar(loss, bounds=(-10, 10), options={"xatol": 1e-14}).x)

    def lbfgs(iterations):
        temperature = torch.nn.Parameter(1.5 * torch.ones(1, dtype=rows.dtype))
        search = torch.optim.LBFGS([temperature], lr=0.01, max_iter=iterations)

        def closure():
            search.zero_grad()
            value = torch.nn.functional.cross_entropy(rows / temperature, targets)
            value.backward()
            return value

        search.step(closure)
        return temperature.item()

    return {
        "ours": lambda: ours.fit_temperature(logits, labels).temperature,
        "scikit-learn": lambda: 1 / float(_TemperatureScaling().fit(logits, labels).beta_),
        "minimize_scalar": scalar,
        "L-BFGS, published": lambda: lbfgs(50),
        LONGER: lambda: lbfgs(200),
    }


def loss_at(logits, labels, temperature):
    """Mean loss in extended precision."""
    scaled = logits.astype(np.longdouble) / np.longdouble(temperature)
    scaled -= scaled.max(axis=-1, keepdims=True)
    return np.mean(np.log(np.exp(scaled).sum(axis=-1)) - scaled[np.arange(len(labels)), labels])


def loop(probs, labels, n_bins=15):
    """The calibration error as it is usually written."""
    guesses, edges, total = probs.argmax(axis=-1), np.linspace(0, 1, n_bins + 1), 0.0
    confidence, right = probs.max(axis=-1), guesses == labels
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        share = inside.mean()
        if share > 0:
            total += abs(confidence[inside].mean() - right[inside].mean()) * share
    return total


def searched(probs, labels, n_bins=15):
    """The calibration error without a loop."""
    confidence, right = probs.max(axis=-1), probs.argmax(axis=-1) == labels
    bins = np.searchsorted(np.linspace(0, 1, n_bins + 1)[1:-1], confidence)
    return np.abs(np.bincount(bins, right - confidence, n_bins)).sum() / len(labels)


def cases(rng):
    """Shape, temperature, type, logits and labels."""
    for n, classes in [(797, 10), (5000, 10), (10_000, 100)]:
        for dtype in (np.float64, np.float32):
            for temperature in (2.5,) if n > 5000 else (0.4, 2.5, 20.0):
                yield temperature, (n, classes), dtype, *data(n, classes, temperature, dtype, rng)


def main(cases=cases, seconds=SECONDS):
    case, losses = ["function", "temperature", "shape", "dtype"], []

    def speeds():
        for temperature, shape, dtype, logits, labels in cases(np.random.default_rng(0)):
            kind = [str(shape), np.dtype(dtype).name]
            calls = fits(logits, labels)
            stops = {name: call() for name, call in calls.items()}
            at = {name: loss_at(logits, labels, stop) for name, stop in stops.items()}
            best = min(at.values())
            losses.append([*kind, *(f"{stop:.6g} ({at[name] - best:.1e})" for name, stop in stops.items())])
            del calls[LONGER]
            taken = race(calls, seconds)
            ratios = [round(taken[other] / taken["ours"], 2) for other in FITS]
            yield ["fit_temperature", f"{temperature:g}", *kind, round(taken["ours"] * 1e6, 1), *ratios,
                   *[""] * len(ERRORS)]
            probs = softmax(logits / temperature, axis=-1)
            calls = {"ours": lambda: ours.expected_calibration_error(probs, labels),
                     "loop over bins": lambda: loop(probs, labels),
                     "searchsorted": lambda: searched(probs, labels)}
            values = [call() for call in calls.values()]
            if not np.allclose(values, values[0], rtol=0, atol=1e-6):
                raise AssertionError(f"the calibration errors differ: {values}")
            taken = race(calls, seconds)
            yield ["expected_calibration_error", f"{temperature:g}", *kind, round(taken["ours"] * 1e6, 1),
                   *[""] * len(FITS), *(round(taken[other] / taken["ours"], 2) for other in ERRORS)]

    publish(__file__, [*case, "ours [µs]", *OTHERS], speeds(), SPEED, OTHERS)
    names = ["shape", "dtype", "ours", *FITS, LONGER]
    publish(Path(__file__).with_name("confidence_losses.py"), names, losses, LOSSES)


if __name__ == "__main__":
    main()
