"""The noise of an estimator of the gradient of a categorical expectation, and what it costs."""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import read_count
from .estimators import categorical_gradient

__all__ = ["EstimatorNoise", "estimator_noise"]


class EstimatorNoise(NamedTuple):
    """What many estimates at the same logits have shown.

    Attributes
    ----------
    mean, error : ndarray, like the logits
        Mean of the estimates, and its standard error.
    variance : float
        Sum over the coordinates.
    variance_error : float
        Standard error of the variance.
    evaluations : float
        Values or slopes of `f` for one estimate, in the mean.
    """

    mean: np.ndarray
    error: np.ndarray
    variance: float
    variance_error: float
    evaluations: float

    @property
    def work(self):
        """Variance times evaluations: the variance that one evaluation buys."""
        return self.variance * self.evaluations


def estimator_noise(f, logits, *, method, n_repeats=10_000, **options):
    """Mean, variance and cost of an estimator, from independent repetitions.

    Parameters
    ----------
    f, logits, method
        As of `categorical_gradient`; logits of shape (C,) or (K, C).
    n_repeats : int
        At least 2.
    **options
        The other arguments of `categorical_gradient`, without `size`.

    Returns
    -------
    EstimatorNoise

    Raises
    ------
    TypeError, ValueError
        As `categorical_gradient`; `n_repeats` is less than 2; the logits are a batch; there is a `size`.

    Examples
    --------
    >>> noise = estimator_noise(lambda z: 10.0 + z, [0.0, 0.0], method="leave-one-out", rng=0)
    >>> bool(np.abs(noise.mean - [-0.25, 0.25]).max() < 4 * noise.error.max()), noise.evaluations
    (True, 2.0)
    """
    if "size" in options:
        raise TypeError(f"expected n_repeats for the number of estimates, got size={options['size']!r}")
    n = read_count("n_repeats", n_repeats, least=2)
    if np.ndim(logits) > 2:
        raise ValueError(f"expected logits of shape (C,) or (K, C), got {np.shape(logits)}")
    found, spent = categorical_gradient(f, logits, method=method, size=n, **options)
    apart = found - found.mean(axis=0)
    squares = (apart**2).reshape(n, -1).sum(axis=-1)
    return EstimatorNoise(found.mean(axis=0), found.std(axis=0, ddof=1) / math.sqrt(n),
                          float(squares.sum() / (n - 1)), float(squares.std() / math.sqrt(n)), spent / n)
