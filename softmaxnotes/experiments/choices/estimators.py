"""Gradient ascent with any of the estimators for a class, in many runs at once."""

from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import as_real, read_count, read_rng
from softmaxnotes.choices.estimators import categorical_gradient
from softmaxnotes.softmax import softmax

__all__ = ["Ascent", "ascend"]


class Ascent(NamedTuple):
    """Runs of gradient ascent side by side.

    Attributes
    ----------
    steps : ndarray of int, shape (T,)
        After how many steps each record was taken.
    reward : ndarray, shape (T, n_runs)
        The exact mean of `f`.
    evaluations : ndarray, shape (T,)
        Evaluations until then, of one run in the mean.
    logits : ndarray, shape (T, n_runs, C)
    """

    steps: np.ndarray
    reward: np.ndarray
    evaluations: np.ndarray
    logits: np.ndarray


def ascend(f, logits, *, method, steps, n_runs=20, lr=1.0, n_records=50, rng=None, **options):
    r"""Gradient ascent on the mean of `f` for one variable, in many runs at once.

    Each step adds :math:`\eta` times the estimated gradient to the logits.

    Parameters
    ----------
    f : callable
        Of an integer array (N,) to N numbers.
    logits : array_like, shape (C,)
        Where each run starts.
    method : str
        One of `softmaxnotes.choices.METHODS`.
    steps, n_runs : int
    lr : float
        :math:`\eta`.
    n_records : int
        How many records, evenly spaced, beside that of the start.
    rng : None, int or numpy.random.Generator
        One for all runs.
    **options
        The other arguments of `softmaxnotes.choices.categorical_gradient`; `slope` of points (N, C).

    Returns
    -------
    Ascent

    Raises
    ------
    TypeError, ValueError
        As `categorical_gradient`; the logits aren't one vector; a number of steps, runs or records is less
        than 1.

    Examples
    --------
    >>> run = ascend(lambda z: z / 2, [0.0, 0.0, 0.0], method="leave-one-out", steps=50, n_runs=3, rng=0)
    >>> run.reward.shape, bool((run.reward[-1] > 0.9).all()), run.evaluations[-1]
    ((51, 3), True, np.float64(100.0))
    """
    start = as_real(logits, "logits")[0].astype(np.float64)
    if start.ndim != 1:
        raise ValueError(f"expected logits of one variable, shape (C,), got {start.shape}")
    steps, n_runs, n_records = (read_count(name, value) for name, value in
                                (("steps", steps), ("n_runs", n_runs), ("n_records", n_records)))
    slope = options.pop("slope", None)
    if slope is not None:
        options["slope"] = lambda x, _: slope(x[:, 0])[:, None]
    values = np.asarray(f(np.arange(start.size)), np.float64)
    rng, x = read_rng(rng), np.tile(start, (n_runs, 1, 1))
    marks = np.unique(np.linspace(0, steps, min(n_records, steps) + 1).round().astype(int))
    spent, kept, cost = 0, [x[:, 0].copy()], [0.0]
    for step in range(1, steps + 1):
        found, more = categorical_gradient(lambda z, _: f(z[:, 0]), x, method=method, rng=rng, **options)
        x = x + lr * found
        spent += more
        if step == marks[len(kept)]:
            kept.append(x[:, 0].copy())
            cost.append(spent / n_runs)
    kept = np.stack(kept)
    return Ascent(marks, softmax(kept) @ values, np.array(cost), kept)
