"""Logits and losses: speed and error against what a reader would use instead.

Run it from anywhere: ``python benchmarks/likelihoods.py``. It takes about half a minute, writes
``likelihoods.json`` beside itself, and says what the numbers mean in the ``note``.
"""

from functools import partial

from harness import (  # first: it fixes the number of threads
    Why,
    largest_error,
    numpy_log_softmax,
    numpy_softmax,
    publish,
    race,
)

# isort: split

import mpmath as mp
import numpy as np
import scipy.special
import sklearn.metrics
import torch
from torch.nn import functional

from softmaxnotes import softmax as ours

SECONDS = 0.25  # per row of the table
CHECKED = 500  # numbers, against mpmath

NOTE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take"
    " turns, in a random order, each for at least a millisecond per turn, and the fastest turn of each "
    "counts. All numbers are float64; logits are standard normal, and to every eighth example 40 is "
    "added to the first of its logits (or to its only one), so that the model is almost sure; in half "
    "of these that is the label (0, or 1 where it is the outcome), and the other labels are random. "
    "Ours checks its input. A loss is a value and a gradient for each example: torch gets the gradient "
    "by backward() ('torch value' is the value alone), 'numpy' by the formula, while scikit-learn "
    "(log_loss, brier_score_loss, after SciPy's expit or softmax) gives nothing but the mean of the "
    "values. 'scipy' and 'numpy' for `class_logits` are the logit of the softmax. The errors are the "
    "largest ones of the results of 500 logits, in units in the last place of the exact result (mpmath,"
    " 50 digits)."
)


def numpy_logit(p):
    with np.errstate(divide="ignore"):
        return np.log(p / (1 - p))


def torch_loss(loss, x):
    """Value and gradient of each example."""
    x = x.detach().requires_grad_()
    value = loss(x)
    value.sum().backward()
    return value.detach(), x.grad


# --- The competitors, of the logits x and the labels y --------------------------


def sigmoid(x, y):
    t = torch.from_numpy(x)
    return {"ours": lambda: ours.sigmoid(x), "scipy": lambda: scipy.special.expit(x),
            "torch": lambda: torch.sigmoid(t), "numpy": lambda: 1 / (1 + np.exp(-x))}


def logit(x, y):
    p = scipy.special.expit(x)
    t = torch.from_numpy(p)
    return {"ours": lambda: ours.logit(p), "scipy": lambda: scipy.special.logit(p),
            "torch": lambda: torch.logit(t), "numpy": lambda: numpy_logit(p)}


def log_sigmoid(x, y):
    t = torch.from_numpy(x)
    return {"ours": lambda: ours.log_sigmoid(x), "scipy": lambda: scipy.special.log_expit(x),
            "torch": lambda: functional.logsigmoid(t), "numpy": lambda: -np.logaddexp(0, -x)}


def class_logits(x, y):
    t = torch.from_numpy(x)
    return {"ours": lambda: ours.class_logits(x),
            "scipy": lambda: scipy.special.logit(scipy.special.softmax(x, axis=-1)),
            "torch": lambda: torch.logit(torch.softmax(t, -1)),
            "numpy": lambda: numpy_logit(numpy_softmax(x))}


def bernoulli_nll(x, y):
    t, target = torch.from_numpy(x), torch.from_numpy(y).double()
    loss = partial(functional.binary_cross_entropy_with_logits, target=target, reduction="none")
    return {
        "ours": lambda: ours.bernoulli_nll(x, y),
        "scikit-learn": lambda: sklearn.metrics.log_loss(y, scipy.special.expit(x), labels=[0, 1]),
        "torch": lambda: torch_loss(loss, t),
        "torch value": lambda: loss(t),
        "numpy": lambda: (np.logaddexp(0, x) - y * x, 1 / (1 + np.exp(-x)) - y),
    }


def categorical_nll(x, y):
    t, target, rows = torch.from_numpy(x), torch.from_numpy(y), np.arange(len(x))
    loss = partial(functional.cross_entropy, target=target, reduction="none")

    def numpy():
        log_p = numpy_log_softmax(x)
        gradient = np.exp(log_p)
        gradient[rows, y] -= 1
        return -log_p[rows, y], gradient

    def learn():
        p = scipy.special.softmax(x, axis=-1)
        return sklearn.metrics.log_loss(y, p, labels=np.arange(x.shape[-1]))

    return {"ours": lambda: ours.categorical_nll(x, y), "scikit-learn": learn,
            "torch": lambda: torch_loss(loss, t), "torch value": lambda: loss(t), "numpy": numpy}


def squared_loss(x, y):
    t, k, rows = torch.from_numpy(x), x.shape[-1], np.arange(len(x))
    target = functional.one_hot(torch.from_numpy(y), k).double()

    def numpy():
        p = numpy_softmax(x)
        d = p.copy()
        d[rows, y] -= 1
        return (d * d).sum(axis=-1), 2 * p * (d - (p * d).sum(axis=-1, keepdims=True))

    def learn():
        p = scipy.special.softmax(x, axis=-1)
        return sklearn.metrics.brier_score_loss(y, p, labels=np.arange(k), scale_by_half=False)

    return {"ours": lambda: ours.squared_loss(x, y), "scikit-learn": learn,
            "torch": lambda: torch_loss(lambda x: ((torch.softmax(x, -1) - target) ** 2).sum(-1), t),
            "numpy": numpy}


# --- What is exact --------------------------------------------------------------


def probabilities(row):
    weights = [mp.exp(v - max(row)) for v in row]
    return [w / mp.fsum(weights) for w in weights]


def exact(function, x, y):
    """Results in one list: for a loss first all values, then all gradients."""
    if function is logit:
        return [mp.log(p / (1 - p)) for p in map(mp.mpf, scipy.special.expit(x).tolist())]
    numbers = [mp.mpf(v) for v in x.ravel().tolist()]
    if function is sigmoid:
        return [1 / (1 + mp.exp(-v)) for v in numbers]
    if function is log_sigmoid:
        return [-mp.log1p(mp.exp(-v)) for v in numbers]
    if function is bernoulli_nll:
        signs = [-1 if label else 1 for label in y]
        values = [mp.log1p(mp.exp(s * v)) for s, v in zip(signs, numbers)]
        return values + [s / (1 + mp.exp(-s * v)) for s, v in zip(signs, numbers)]
    k, values, gradients = x.shape[-1], [], []
    for i, label in enumerate(y):
        p = probabilities(numbers[i * k : i * k + k])
        if function is class_logits:
            values += [mp.log(v / (mp.fsum(p[:j]) + mp.fsum(p[j + 1 :]))) for j, v in enumerate(p)]
            continue
        d = [v - (j == label) for j, v in enumerate(p)]
        if function is categorical_nll:
            values.append(-mp.log(p[label]))
            gradients += d
        else:
            values.append(mp.fsum(v * v for v in d))
            mean = mp.fsum(v * w for v, w in zip(p, d))
            gradients += [2 * v * (w - mean) for v, w in zip(p, d)]
    return values + gradients


def error(got, want, examples):
    """Of all results; of the mean of the values where there is nothing else."""
    if isinstance(got, float):
        return largest_error(got, [mp.fsum(want[:examples]) / examples], np.float64)
    got = got if isinstance(got, tuple) else (got,)
    return largest_error(np.concatenate([np.ravel(part) for part in got]), want, np.float64)


# --- The table ------------------------------------------------------------------


OTHERS = ["scipy", "scikit-learn", "torch", "torch value", "numpy"]
JUDGED = [name for name in OTHERS if name != "torch value"]  # whose values are those of torch
ELEMENTWISE = [sigmoid, logit, log_sigmoid, bernoulli_nll]
OF_ROWS = [class_logits, categorical_nll, squared_loss]


def data(rng, shape):
    x = rng.normal(size=shape)
    x.reshape(len(x), -1)[::8, 0] += 40
    k = shape[-1] if len(shape) > 1 else 2
    y = rng.integers(k, size=len(x))
    y[::16] = 0 if len(shape) > 1 else 1
    return x, y


def measured(function, rng, shape):
    """A row of the table."""
    x, y = data(rng, shape)
    if function is logit:
        x = np.clip(x, -36, 36)  # such that not all probabilities are 1
    seconds = race(function(x, y), SECONDS)
    few = max(1, CHECKED // (x.shape[1] if x.ndim > 1 else 1))
    x, y = x[:few], y[:few]
    want = exact(function, x, y)
    calls = function(x, y)
    errors = {name: error(calls[name](), want, len(y)) for name in ["ours", *JUDGED] if name in calls}
    for name in errors.keys() & {"scipy", "torch", "numpy"}:
        case = function.__name__, name
        LOST[case] = max(LOST.get(case, 0), errors[name] / errors["ours"])
    errors = {name: f"{value:.2g}" for name, value in errors.items()}
    ratios = [round(seconds[name] / seconds["ours"], 2) if name in seconds else "" for name in OTHERS]
    return [function.__name__, str(shape), round(seconds["ours"] * 1e6, 1), *ratios,
            *(errors.get(name, "") for name in ["ours", *JUDGED])]


def rows():
    rng = np.random.default_rng(0)
    for function in ELEMENTWISE:
        for shape in [(10,), (10_000,), (1_000_000,)]:
            yield measured(function, rng, shape)
    for function in OF_ROWS:
        for shape in [(1, 10), (1000, 10), (1000, 1000)]:
            yield measured(function, rng, shape)


LOST = {}  # the largest error of each rival in units of ours


def errstate():
    """What it takes to keep warnings in, over SciPy's whole function of ten numbers."""
    x = np.zeros(10)

    def quiet():
        with np.errstate(all="ignore"):
            pass

    seconds = race({"quiet": quiet, "scipy": lambda: scipy.special.expit(x)}, SECONDS)
    return seconds["quiet"] / seconds["scipy"]


def one_by_one():
    """Time of a loss of one example, over the time for each of a thousand at once."""
    x, y = data(np.random.default_rng(0), (1000, 10))
    seconds = race({"one": lambda: ours.categorical_nll(x[:1], y[:1]),
                    "all": lambda: ours.categorical_nll(x, y)}, SECONDS)
    return 1000 * seconds["one"] / seconds["all"]


def exponential():
    """NumPy's exponential and division, in place and in the cache, over the whole of torch's sigmoid."""
    x = np.random.default_rng(0).normal(size=10_000)
    e, t = np.empty_like(x), torch.from_numpy(x)
    seconds = race({"numpy": lambda: np.divide(1, np.exp(x, out=e), out=e),
                    "torch": lambda: torch.sigmoid(t)}, SECONDS)
    return seconds["numpy"] / seconds["torch"]


def losing(name, rival):
    """Whether this rival loses all digits but a few."""
    return LOST.get((name, rival), 0) > 1000


def gradient_alone():
    """Torch's time for the gradient of a million logits, over that for the value."""
    rng = np.random.default_rng(0)
    x, y = data(rng, (1000, 1000))
    calls = categorical_nll(x, y)
    seconds = race({name: calls[name] for name in ("torch", "torch value")}, SECONDS)
    return seconds["torch"] / seconds["torch value"] - 1


WHYS = [
    Why(lambda row, rival: rival == "torch value",
        "ours gives the gradient with each value; that alone takes torch {} times as long as a value.",
        gradient_alone, 0.5),
    Why(lambda row, rival: row["function"].endswith(("sigmoid", "logit")) and row["shape"] == "(10,)",
        "for ten numbers `sigmoid`, `logit` and `log_sigmoid` are functions of SciPy, behind checks; "
        "keeping their warnings in, by numpy.errstate, takes {} times as long as the whole of SciPy's "
        "expit.",
        errstate, 0.3),
    Why(lambda row, rival: losing(row["function"], rival),
        "the usual forms of `class_logits` and the losses lose digits (see the errors): {} times as "
        "many units as ours, at least, which takes more steps to keep them.",
        lambda: min(LOST[case] for case in LOST if losing(*case)), 1000),
    Why(lambda row, rival: rival in ("torch", "numpy") and row["function"] == "logit",
        "`logit` in the usual form cancels near 1/2: its error is {} times ours.",
        lambda: LOST["logit", "numpy"], 10),
    Why(lambda row, rival: row["function"] in ("sigmoid", "log_sigmoid") and rival in ("torch", "numpy"),
        "for many numbers torch takes one pass with vector instructions; of NumPy's four, the "
        "exponential and the division alone take {} of torch's time.", exponential, 0.6),
    Why(lambda row, rival: row["shape"] in ("(10,)", "(1, 10)"),
        "a call has a fixed cost, for the checks and the layout: an example by itself takes {} times "
        "as long as one of a thousand.", one_by_one, 10),
]


if __name__ == "__main__":
    mp.mp.dps = 50
    columns = ["function", "shape", "ours [µs]", *OTHERS]
    columns += [f"{name} error [ulp]" for name in ["ours", *JUDGED]]
    publish(__file__, columns, rows(), NOTE, OTHERS, WHYS)
