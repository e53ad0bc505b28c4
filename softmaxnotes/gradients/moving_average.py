"""A baseline that costs nothing: the moving average of the values that were seen before."""

import numpy as np

from ..arguments import as_real, check_finite, read_count, read_number

__all__ = ["MovingAverage"]


class MovingAverage:
    r"""A moving average of what earlier estimates have seen, to be taken off as a baseline.

    .. math:: b_t = \frac{(1 - \eta) \sum_{s \le t} \eta^{t - s} \bar f_s}{1 - \eta^t}

    with the mean :math:`\bar f_s` of the values that the estimate s has asked for.

    Parameters
    ----------
    decay : float
        :math:`\eta`, from 0 to below 1: what an older value weighs beside the next one.
    n_problems : int or None
        Of a batch of so many problems each has its own average; `None` is one for all of them.

    Attributes
    ----------
    value : float, or ndarray of shape (n_problems,)
        :math:`b_t`, and 0 before anything was seen.

    Raises
    ------
    ValueError
        The decay is not between 0 and 1; `n_problems` is less than 1.

    Notes
    -----
    An estimator that is given it subtracts the `value` as it stands, then tells it what was seen. So the
    value knows nothing of the draws from which it is taken off, and the estimate stays unbiased; it costs no
    evaluation, but its own variance times that of the score.

    Implements: eq-moving-baseline

    References
    ----------
    R. J. Williams, "Simple statistical gradient-following algorithms for connectionist reinforcement
    learning", Machine Learning 8 (1992) 229-256.

    Examples
    --------
    >>> average = MovingAverage(decay=0.5)
    >>> for seen in ([4.0, 6.0], [8.0]):
    ...     average.update(seen)
    >>> average.value  # (5 / 4 + 8 / 2) / (3 / 4)
    7.0
    """

    def __init__(self, decay=0.9, *, n_problems=None):
        self.decay = read_number("decay", decay)
        if not 0 <= self.decay < 1:
            raise ValueError(f"expected decay from 0 to below 1, got {decay!r}")
        self.n_problems = None if n_problems is None else read_count("n_problems", n_problems)
        self.value = 0.0 if n_problems is None else np.zeros(self.n_problems)
        self._left = 1.0  # the power of the decay

    def update(self, seen):
        """Take values into account that were asked for: shape (..., n_problems), or any shape.

        Raises
        ------
        ValueError
            There is none, one isn't finite, or the last axis is not that of the problems.
        """
        seen = as_real(seen, "values")[0].astype(np.float64)
        if seen.size == 0 or self.n_problems is not None and seen.shape[-1:] != (self.n_problems,):
            of = "" if self.n_problems is None else f" for {self.n_problems} problems in the last axis"
            raise ValueError(f"expected one or more values{of}, got shape {seen.shape}")
        check_finite(values=seen)
        if self.n_problems is None:
            mean = float(seen.mean())
        else:
            mean = seen.reshape(-1, self.n_problems).mean(axis=0)
        self._left *= self.decay
        self.value = self.value + (1 - self.decay) / (1 - self._left) * (mean - self.value)
