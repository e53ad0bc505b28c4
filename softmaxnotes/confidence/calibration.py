r"""Calibration by one number: the temperature at which a classifier is as surprised as it expects to be.

The law of largest entropy whose mean logit is that of the true classes is a softmax of the logits over a
temperature, and the temperature is the one of least negative log-likelihood.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import as_real, check_entries, read_count, read_labels

__all__ = ["Temperature", "fit_temperature"]

_BLOCK_BYTES = 2**19  # a block and its weights stay in the cache


class Temperature(NamedTuple):
    """Result of `fit_temperature`.

    Attributes
    ----------
    temperature : float
        Divide logits by it; 0 or infinity where the optimum is at an end; infinity, too, if it is larger than
        any float.
    nll : float
        Mean negative log-likelihood there, in nats, or its limit at that end.
    iterations : int
        Passes over the logits.
    converged : bool
        Whether the optimum was reached; at an end it is known without a search.
    verdict : str
        ``"minimum"``; ``"separable"`` (temperature 0): every true class has the largest logit, so that the
        loss falls as long as the logits are sharpened; ``"worse than chance"`` (infinity): the true
        logits are on average no larger than the others; ``"flat"`` (1): in each row the logits that are
        not masked are equal, and every temperature has the same loss.
    """

    temperature: float
    nll: float
    iterations: int
    converged: bool
    verdict: str


def fit_temperature(logits, labels, *, max_iterations=100):
    r"""Temperature of least negative log-likelihood, by Newton's method in its inverse.

    .. math:: \min_{\beta > 0} \frac1N \sum_{a=1}^N
              \bigl(\operatorname{lse}(\beta z_a) - \beta z_{a y_a}\bigr), \qquad T = 1/\beta

    Parameters
    ----------
    logits : array_like, shape (..., K)
        Logits of examples that the model was not trained on. ``-inf`` masks a class.
    labels : array_like of int, shape (...)
        The true classes :math:`y`, from 0 to K - 1.
    max_iterations : int
        Passes over the logits after which the search is given up, at least 1.

    Returns
    -------
    Temperature
        In ``float64``. Whether the optimum is inside or at an end is decided before the search.

    Raises
    ------
    TypeError
        `logits` aren't real; `labels` or `max_iterations` aren't integers.
    ValueError
        There is no example; the shapes don't fit; a label isn't from 0 to K - 1; a logit is NaN or ``inf``;
        the true class of an example is masked (the loss is infinite at every temperature); `max_iterations`
        is below 1.

    Notes
    -----
    Let :math:`d_{ak}` be how far a logit lies below the largest one of its row. The loss is stationary where
    the mean of :math:`d` under the softmax, :math:`m(\beta)`, is that of the true classes. It falls in
    :math:`\beta`, roughly like a power, so Newton's method is applied to :math:`\log m` as a function of
    :math:`\log\beta`; where a step leaves the interval in which the root is known to lie, this is halved on
    the scale of logarithms. The step costs one pass, since the slope of :math:`-m` is the variance of
    :math:`d`. Gaps below 1e-308 of the largest logit count as none. `scipy.optimize.brentq` between bounds
    that the range of :math:`d` gives stops as near, after 9 to 13 passes instead of 4 to 7, and takes 1.2 to
    1.6 times as long.

    Implements: eq-temperature-slope
    Implements: eq-temperature-curvature

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML (2017).

    Examples
    --------
    Three answers out of four are right, and the model was sure of each by 4 nats:

    >>> found = fit_temperature([[4, 0], [4, 0], [0, 4], [0, 4]], [0, 0, 1, 0])
    >>> round(found.temperature, 6), round(4 / float(np.log(3)), 6)
    (3.640957, 3.640957)
    >>> fit_temperature([[4, 0], [0, 4]], [0, 1]).verdict
    'separable'
    """
    max_iterations = read_count("max_iterations", max_iterations)
    gaps, true, scale = _gaps(logits, labels)
    target, allowed = true.mean(), np.isfinite(gaps)
    count, masked = allowed.sum(axis=0), not allowed.all()
    mean = (np.sum(gaps, axis=0, where=allowed) / count).mean()
    if target == 0:
        ties = np.log((gaps == 0).sum(axis=0)).mean()
        if mean == 0:
            return Temperature(1.0, float(ties), 0, True, "flat")
        return Temperature(0.0, float(ties), 0, True, "separable")
    if mean <= target:
        return Temperature(np.inf, float(np.log(count).mean()), 0, True, "worse than chance")

    def found(beta, converged):
        with np.errstate(over="ignore"):
            temperature = float(scale / beta)
        return Temperature(temperature, float(loss + at * target), iteration, converged, "minimum")

    low, high, beta = 0.0, np.inf, 1 / mean
    for iteration in range(1, max_iterations + 1):
        at, (loss, mean, variance) = beta, _pass(gaps, beta, masked)
        if mean > target:
            low = beta
        else:
            high = beta
        slope = beta * variance  # of -mean, by log beta
        step = mean * np.log(mean / target) / slope if slope > 0 and mean > 0 else -np.inf
        new = beta * np.exp(np.clip(step, -3, 3))
        if abs(step) < 1e-7:  # the next error is of the order of its square
            return found(new, True)  # where the loss is lower by slope * step**2 / 2, too little to be seen
        if not low < new < high:
            new = np.sqrt(low * high) if low > 0 else high / 16
            if not low < new < high:  # no number lies between
                return found(beta, True)
        beta = new
    return found(beta, False)


def _gaps(logits, labels):
    """How far logits, shape (K, N), and true ones lie below the largest of their row; what is their unit."""
    x = as_real(logits, "logits")[0]
    if x.ndim == 0 or x.size == 0:
        raise ValueError(f"expected logits of shape (..., K), at least one example and one class, "
                         f"got shape {x.shape}")
    given, classes = x, x.shape[-1]
    y = read_labels(labels, classes, x.shape[:-1]).ravel()
    # one class after the other, so that loops are long
    x = np.array(x.reshape(-1, classes).T, np.float64, order="C")
    top = x.max(axis=0)
    if not np.all(top < np.inf):  # NaN is the maximum of its row
        check_entries("logits", given, given < np.inf, "to be finite or -inf")
    true = x[y, np.arange(len(y))]
    if not np.all(true > -np.inf):
        where = np.unravel_index(np.argmin(true), given.shape[:-1])
        raise ValueError(f"no temperature has a finite loss: the true class of example "
                         f"{tuple(map(int, where))} is masked")
    # a power of 2 rounds nothing; so scaled, no difference overflows
    low = np.min(x, where=x > -np.inf, initial=0)
    _, exponent = np.frexp(max(abs(low), abs(x.max(initial=0))))
    exponent = int(np.clip(exponent, -1000, 1000)) + 1
    x, top, true = (np.ldexp(part, -exponent) for part in (x, top, true))
    return np.subtract(top, x, out=x), top - true, np.ldexp(1.0, exponent)


def _pass(gaps, beta, masked):
    """Means over the examples of the log-sum-exp of -beta * gaps, of the mean gap, and of its variance."""
    classes, examples = gaps.shape
    sums, step = np.zeros(3), max(1, _BLOCK_BYTES // (8 * classes))
    for start in range(0, examples, step):
        part = gaps[:, start : start + step]
        weights = np.multiply(part, -beta)
        np.exp(weights, out=weights)
        total = weights.sum(axis=0)
        if masked:
            part = np.where(weights > 0, part, 0)  # a masked class weighs nothing
        weights *= part
        first = weights.sum(axis=0) / total
        second = np.einsum("ij,ij->j", weights, part) / total
        sums += np.log(total).sum(), first.sum(), (second - first * first).sum()
    return sums / examples
