r"""Scores that tell outliers from data, and how well a score tells.

Scores are large for data:

    >>> energy_score([[10.0, 0.0], [0.0, 0.0]]).round(3)
    array([10.   ,  0.693])
    >>> detection_metrics([3.0, 2.0, 1.0], [2.5, 0.0]).auroc
    0.6666666666666666
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from softmaxnotes.arguments import as_real, check_entries, read_axes, read_temperature
from softmaxnotes.arrays import difference
from softmaxnotes.softmax import logsumexp

__all__ = ["Detection", "detection_metrics", "energy_score"]


def energy_score(logits, *, temperature=1.0, axis=-1):
    r"""What the softmax divides by, as a score of how much a datum is like the data.

    .. math:: s(z) = T \operatorname{lse}(z / T)

    Minus what is called the energy, so that data have the larger score.

    Parameters
    ----------
    logits : array_like
    temperature : float
        :math:`T`, positive and finite.
    axis : int, tuple of int or None
        That of the classes.

    Returns
    -------
    ndarray or scalar
        At least the largest logit, and at most :math:`T \log n` more; ``-inf`` if all logits are. In the
        floating type of `logits`.

    Raises
    ------
    TypeError
        The logits aren't real.
    ValueError
        The temperature isn't one number, positive and finite.

    Notes
    -----
    A number that is added to all logits is added to the score, whereas a softmax does not see it.

    Implements: eq-energy-score

    References
    ----------
    W. Liu, X. Wang, J. D. Owens and Y. Li, "Energy-based out-of-distribution detection", NeurIPS 2020.

    Examples
    --------
    >>> float(energy_score([3.0, 3.0]).round(4))
    3.6931
    """
    logits, dtype = as_real(logits, "logits")
    temperature, axes = read_temperature(temperature, logits.dtype), read_axes(axis, logits.ndim)
    scale = 0.5 if temperature > 1 else 1.0  # halved, no difference overflows before the division
    top = logits.max(axis=axes, keepdims=True, initial=-np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = difference(scale * logits, scale * top) / (scale * temperature)
    score = top + temperature * logsumexp(gaps, axis=axis, keepdims=True)
    return score.squeeze(axes).astype(dtype)[()]


class Detection(NamedTuple):
    """How well a score tells data from outliers: 1 is perfect in each of them.

    Attributes
    ----------
    tnr_at_95_tpr : float
        Share of outliers that are turned away by the strictest threshold that lets 95 % of the data pass.
    auroc : float
        Area under the curve of true over false positives: the probability that a datum has a larger score
        than an outlier, a tie being half a success. 1/2 if the score tells nothing.
    detection_accuracy : float
        Largest mean of the shares of data that pass and of outliers that do not, over all thresholds.
    aupr_in, aupr_out : float
        Average precision in finding the data, and in finding the outliers. A score that tells nothing has
        their share.
    """

    tnr_at_95_tpr: float
    auroc: float
    detection_accuracy: float
    aupr_in: float
    aupr_out: float


def detection_metrics(scores_in, scores_out):
    """Five measures of a score that ought to be larger for data than for outliers.

    Parameters
    ----------
    scores_in, scores_out : array_like, shape (N,) and (M,)
        Of data and of outliers; infinities are scores like others.

    Returns
    -------
    Detection
        Ties are neither broken nor dropped: what is tied passes a threshold together.

    Raises
    ------
    TypeError
        The scores aren't real.
    ValueError
        A score is NaN, there are none, or they aren't in a row.

    Notes
    -----
    By scikit-learn, on the ranks of the scores.  Only the order of the scores matters.

    Implements: eq-auroc

    Examples
    --------
    >>> detection_metrics([2.0, 3.0], [0.0, 1.0])
    Detection(tnr_at_95_tpr=1.0, auroc=1.0, detection_accuracy=1.0, aupr_in=1.0, aupr_out=1.0)
    """
    scores_in, scores_out = as_real(scores_in, "scores_in")[0], as_real(scores_out, "scores_out")[0]
    for name, scores in (("scores_in", scores_in), ("scores_out", scores_out)):
        if scores.ndim != 1 or len(scores) == 0:
            raise ValueError(f"expected {name} of shape (N,) with N > 0, got {scores.shape}")
        check_entries(name, scores, ~np.isnan(scores), "without NaN")
    ranks = rankdata(np.concatenate([scores_in, scores_out]), method="dense")
    is_datum = np.repeat([1, 0], [len(scores_in), len(scores_out)])
    false, true, _ = roc_curve(is_datum, ranks, drop_intermediate=False)
    return Detection(
        float(1 - false[true >= 0.95].min()),
        float(roc_auc_score(is_datum, ranks)),
        float((1 + true - false).max() / 2),
        float(average_precision_score(is_datum, ranks)),
        float(average_precision_score(1 - is_datum, -ranks)))
