r"""Reliability: do claims come true as often as they say, and sets that keep a promise instead.

A classifier's *confidence* is the probability of its guess.  What is measured here is how far shares of right
guesses are from confidences, over bins; and what is promised, by conformal prediction, is how often a set
of classes has the true one.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import as_real, check_entries, check_unit_interval, read_count, read_labels
from ..softmax import log_softmax

__all__ = [
    "Reliability", "conformal_threshold", "expected_calibration_error", "expected_error_if_calibrated",
    "prediction_set", "reliability_diagram",
]


class Reliability(NamedTuple):
    """Result of `reliability_diagram`: what is in each bin of confidence.

    Attributes
    ----------
    edges : ndarray, shape (n_bins + 1,)
        Equal bins from 0 to 1. A confidence on an edge is in the lower bin.
    count : ndarray of int, shape (n_bins,)
    confidence, accuracy : ndarray, shape (n_bins,)
        Mean confidence, and share of right guesses; NaN in an empty bin.
    """

    edges: np.ndarray
    count: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray


def reliability_diagram(probs, labels, *, n_bins=15):
    """Confidence and accuracy in bins of confidence: a reliability diagram, as numbers.

    Parameters
    ----------
    probs : array_like, shape (..., K)
        Probabilities; those of an example sum to one within 1e-3, and each is in [0, 1] within 1e-6, as much
        as averages in single precision may leave it. The guess is the first of the largest.
    labels : array_like of int, shape (...)
        The true classes, from 0 to K - 1.
    n_bins : int
        At least 1.

    Returns
    -------
    Reliability

    Raises
    ------
    TypeError
        `probs` aren't real; `labels` or `n_bins` aren't integers.
    ValueError
        There is no example; the shapes don't fit; a label isn't from 0 to K - 1; a probability isn't in
        [0, 1], or those of an example don't sum to one; there is no bin.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, "On calibration of modern neural networks", ICML (2017).

    Examples
    --------
    >>> told = reliability_diagram([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 0, 0], n_bins=2)
    >>> told.count, told.confidence.round(4), told.accuracy.round(4)
    (array([0, 3]), array([   nan, 0.7667]), array([   nan, 0.6667]))
    """
    bins, confidence, right = _binned(*_guesses(probs, labels), n_bins)
    count = np.bincount(bins, minlength=n_bins)
    with np.errstate(invalid="ignore"):
        means = [np.bincount(bins, part, n_bins) / count for part in (confidence, right)]
    return Reliability(np.linspace(0, 1, n_bins + 1), count, *means)


def expected_calibration_error(probs, labels, *, n_bins=15):
    r"""How far accuracy is from confidence, on average over bins of confidence.

    .. math:: \mathrm{ECE} = \frac1N \sum_{b=1}^B \Bigl|\sum_{a \in b} (r_a - c_a)\Bigr|

    where :math:`r_a` is 1 if the guess is right, else 0, and :math:`c_a` its confidence.

    Parameters
    ----------
    probs, labels, n_bins
        As in `reliability_diagram`.

    Returns
    -------
    float
        From 0 to 1. A finer division of the same bins gives no less, and also a perfectly calibrated model
        has more than 0: see `expected_error_if_calibrated`.

    Raises
    ------
    TypeError, ValueError
        As in `reliability_diagram`.

    Notes
    -----
    Implements: eq-calibration-error

    Examples
    --------
    >>> round(expected_calibration_error([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], [0, 0, 0]), 4)
    0.4333
    """
    bins, confidence, right = _binned(*_guesses(probs, labels), n_bins)
    return float(np.abs(np.bincount(bins, right - confidence, n_bins)).sum() / len(right))


def expected_error_if_calibrated(confidence, *, n_bins=15):
    r"""The mean of the calibration error of a model whose guesses come true as often as it says.

    .. math:: \frac1N \sum_{b=1}^B \mathbb{E}\,\Bigl|\sum_{a \in b} (R_a - c_a)\Bigr|, \qquad
              R_a \sim \operatorname{Bernoulli}(c_a) \text{ independent}

    It is computed from the law of the number of right guesses in each bin, and nothing is drawn.

    Parameters
    ----------
    confidence : array_like, shape (N,)
        The confidences, from 0 to 1.
    n_bins : int
        At least 1.

    Returns
    -------
    float

    Raises
    ------
    TypeError
        `confidence` isn't real, or `n_bins` isn't an integer.
    ValueError
        It isn't of shape (N,) with N > 0, or has other numbers; there is no bin.

    Notes
    -----
    The law in a bin of :math:`m` examples is a product of :math:`m` polynomials, which takes time of the
    order of :math:`m^2`: less than a second for 10 000 examples in a bin.

    Implements: eq-error-if-calibrated

    Examples
    --------
    >>> round(expected_error_if_calibrated([0.75]), 4), round(expected_error_if_calibrated([0.75] * 100), 4)
    (0.375, 0.0344)
    """
    confidence = as_real(confidence, "confidence")[0].astype(np.float64)
    if confidence.ndim != 1 or confidence.size == 0:
        raise ValueError(f"expected confidence of shape (N,) with N > 0, got {confidence.shape}")
    check_unit_interval(confidence=confidence)
    bins, confidence, _ = _binned(confidence, np.zeros(len(confidence)), n_bins)
    return sum(_mean_distance(confidence[bins == b]) for b in np.unique(bins)) / len(confidence)


def _mean_distance(chances):
    """Of the number of successes from its mean."""
    law = np.ones(1)
    for chance in chances:
        longer = np.zeros(len(law) + 1)
        longer[:-1] = (1 - chance) * law
        longer[1:] += chance * law
        law = longer
    return float(law @ np.abs(np.arange(len(law)) - chances.sum()))


def _guesses(probs, labels):
    """The confidence of each guess, and whether it is right."""
    p = as_real(probs, "probs")[0]
    if p.ndim == 0 or p.size == 0:
        raise ValueError(f"expected probs of shape (..., K), at least one example and one class, "
                         f"got shape {p.shape}")
    labels, lead = read_labels(labels, p.shape[-1], p.shape[:-1]).ravel(), p.shape[:-1]
    p = p.reshape(-1, p.shape[-1])
    guess = p.argmax(axis=-1)  # NaN, if there is one
    confidence = p[np.arange(len(p)), guess].astype(np.float64)
    if not (p.min() >= -1e-6 and confidence.max() <= 1 + 1e-6):
        raise ValueError("expected probs from 0 to 1 (logits go through softmax first), "
                         f"got {p.min()} to {p.max()}")
    # a sum over few is faster as a product; over many it needs more care in single precision
    totals = p @ np.ones(p.shape[-1], p.dtype) if p.shape[-1] <= 1000 else p.sum(axis=-1)
    sums_to_one = np.abs(totals - 1) < 1e-3
    if not np.all(sums_to_one):
        where = np.unravel_index(np.argmin(sums_to_one), lead)
        raise ValueError("expected probs that sum to one for each example, "
                         f"got {totals[~sums_to_one][0]:g} for {tuple(map(int, where))}")
    return np.minimum(confidence, 1), (guess == labels).astype(np.float64)


def _binned(confidence, right, n_bins):
    n_bins = read_count("n_bins", n_bins)
    return np.maximum(np.ceil(confidence * n_bins).astype(np.intp) - 1, 0), confidence, right


def conformal_threshold(logits, labels, *, coverage=0.9):
    r"""The surprise below which classes are kept, so that the true one is kept as often as promised.

    It is the :math:`k`-th smallest of the surprises :math:`-\log\pi_{y}` of :math:`n` examples, with
    :math:`k = \lceil (n + 1) \cdot \text{coverage} \rceil`.

    Parameters
    ----------
    logits : array_like, shape (n, K)
        Logits of examples that the model was not trained on. ``-inf`` masks a class.
    labels : array_like of int, shape (n,)
        The true classes :math:`y`, from 0 to K - 1.
    coverage : float
        The promise, between 0 and 1.

    Returns
    -------
    float
        In nats; infinite if :math:`k > n`, where so few examples can promise nothing and every class is kept.

    Raises
    ------
    TypeError
        `logits` or `coverage` isn't real, or `labels` aren't integers.
    ValueError
        The shapes don't fit; a label isn't from 0 to K - 1; `coverage` isn't between 0 and 1; a logit is NaN;
        all logits of an example are ``-inf``.

    Notes
    -----
    If the examples and a new one are exchangeable, the new true class is in `prediction_set` with a
    probability of at least :math:`k/(n+1)`, and with this probability if no surprises tie.

    Implements: eq-coverage

    References
    ----------
    A. N. Angelopoulos and S. Bates, "Conformal prediction: A gentle introduction", Foundations and Trends in
    Machine Learning 16 (2023) 494-591.

    Examples
    --------
    >>> logits = [[2.0, 0.0], [1.0, 0.0], [0.0, 3.0], [0.0, 1.0]]
    >>> round(conformal_threshold(logits, [0, 0, 1, 0], coverage=0.6), 4)  # the third smallest of four
    0.3133
    """
    x = as_real(logits, "logits")[0]
    if x.ndim != 2 or x.size == 0:
        raise ValueError(f"expected logits of shape (n, K), at least one example and one class, "
                         f"got shape {x.shape}")
    labels = read_labels(labels, x.shape[-1], x.shape[:-1])
    share = as_real(coverage, "coverage")[0]
    if share.ndim or not 0 < share < 1:
        raise ValueError(f"expected coverage to be one number between 0 and 1, got {coverage!r}")
    surprise = _surprise(x)[np.arange(len(labels)), labels]
    rank = int(np.ceil((len(labels) + 1) * float(share) * (1 - 4e-16)))  # so that 100 * 0.55 is 55
    return float(np.partition(surprise, rank - 1)[rank - 1]) if rank <= len(labels) else np.inf


def prediction_set(logits, threshold):
    r"""The classes whose surprise :math:`-\log\pi_k` is at most a threshold.

    Parameters
    ----------
    logits : array_like, shape (..., K)
    threshold : float
        In nats, as `conformal_threshold` gives it.

    Returns
    -------
    ndarray of bool, shape (..., K)
        Which classes are in the set; it may be empty, and has all classes at an infinite threshold.

    Raises
    ------
    TypeError
        `logits` or `threshold` isn't real.
    ValueError
        `logits` is a single number; a logit is NaN; all logits of an example are ``-inf``; `threshold` is
        NaN.

    Examples
    --------
    >>> prediction_set([2.0, 1.0, -1.0], 1.5)
    array([ True,  True, False])
    """
    level = as_real(threshold, "threshold")[0]
    if level.ndim or np.isnan(level):
        raise ValueError(f"expected threshold to be one number, got {threshold!r}")
    x = as_real(logits, "logits")[0]
    if x.ndim == 0:
        raise ValueError(f"expected logits of shape (..., K), got {logits!r}")
    return _surprise(x) <= level


def _surprise(x):
    surprise = -log_softmax(x)
    if np.isnan(surprise).any():
        check_entries("logits", x, ~np.isnan(x), "without NaN")
    return surprise
