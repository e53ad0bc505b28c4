r"""How good noise-contrastive estimation is: its covariance, and what its descendant InfoNCE can tell.

`nce_covariance` is the asymptotic covariance of the estimate for scores that are linear in their parameters,
on any list of items, so also on the nodes of a quadrature. `info_nce_value` is what InfoNCE says of mutual
information, by a sum over everything that can be drawn.
"""

import itertools
import math

import numpy as np

from ..arguments import as_real, check_entries, check_finite, read_count
from ..softmax import logsumexp

__all__ = ["info_nce_value", "mutual_information", "nce_covariance"]

_MANY = 10**6  # groups of candidates that are enumerated at most


def nce_covariance(features, log_p, log_q, nu):
    r"""Asymptotic covariance of noise-contrastive estimation, times the number of data.

    .. math:: \Sigma = I^{-1} - \Bigl(1 + \frac1\nu\Bigr)\, I^{-1} m m^\top I^{-1}, \qquad
              I = \sum_w p_w (1 - h_w)\, x_w x_w^\top, \quad m = \sum_w p_w (1 - h_w)\, x_w, \quad
              h_w = \frac{p_w}{p_w + \nu q_w}

    The estimate from n data and :math:`\nu n` noise items, of parameters :math:`\theta` with the scores
    :math:`\theta^\top x_w`, has about the covariance :math:`\Sigma / n` if some :math:`\theta` has the scores
    :math:`\log p`.

    Parameters
    ----------
    features : array_like, shape (m, d)
        :math:`x_w`; a column of ones is a free normaliser.
    log_p, log_q : array_like, shape (m,)
        Logarithms of the laws of data and noise, each of total weight 1; ``-inf`` is a weight of 0. For
        densities, with the logarithm of the weights of a quadrature added.
    nu : float
        Noise items for each datum, positive. With ``inf`` it is the limit, which with a column of ones is the
        covariance of maximum likelihood.

    Returns
    -------
    ndarray, shape (d, d)
        Symmetric.

    Raises
    ------
    TypeError
        An argument isn't real.
    ValueError
        The shapes don't fit; a feature isn't finite; a law has another total weight than 1, or NaN; the noise
        has no weight where the data have; `nu` isn't positive; the features are linearly dependent.

    Notes
    -----
    Implements: eq-nce-covariance

    References
    ----------
    M. U. Gutmann and A. Hyvärinen, "Noise-contrastive estimation of unnormalized statistical models, with
    applications to natural image statistics", Journal of Machine Learning Research 13 (2012) 307-361.

    Examples
    --------
    A coin with a free normaliser, and noise from the same coin:

    >>> p = np.log([0.5, 0.5])
    >>> nce_covariance([[1, 0], [1, 1]], p, p, 1.0)
    array([[ 2., -4.],
           [-4.,  8.]])
    """
    given = {"features": features, "log_p": log_p, "log_q": log_q}
    x, log_p, log_q = (as_real(v, name)[0].astype(np.float64) for name, v in given.items())
    if x.ndim != 2 or 0 in x.shape:
        raise ValueError(f"expected features of shape (m, d), got {x.shape}")
    check_finite(features=x)
    for name, law in (("log_p", log_p), ("log_q", log_q)):
        if law.shape != x.shape[:1]:
            raise ValueError(f"expected {name} of {len(x)} items, got shape {law.shape}")
        if not abs(np.exp(law).sum() - 1) < 1e-6:
            raise ValueError(f"expected {name} of total weight 1, got {np.exp(law).sum()}")
    check_entries("log_q", log_q, ~np.isneginf(log_q) | np.isneginf(log_p),
                  "to have weight where the data have, as scores can't be learnt elsewhere")
    nu_given = as_real(nu, "nu")[0]
    if nu_given.ndim or not nu_given > 0:
        raise ValueError(f"expected nu to be one positive number, got {nu!r}")
    alive = ~np.isneginf(log_p)
    x, log_p, log_q = x[alive], log_p[alive], log_q[alive]
    doubt = np.ones(len(x)) if nu == math.inf else 1 / (1 + np.exp(log_p - log_q) / nu)
    weight = np.exp(log_p) * doubt
    information, mean = (x * weight[:, None]).T @ x, weight @ x
    size = np.sqrt(np.diag(information))
    if not (size > 0).all() or np.linalg.cond(information / np.outer(size, size)) > 1e13:
        raise ValueError("no single estimate: the features are linearly dependent where there is weight")
    inverse = np.linalg.inv(information / np.outer(size, size)) / np.outer(size, size)
    shift = inverse @ mean
    covariance = inverse - (1 + 1 / nu) * np.outer(shift, shift)
    return (covariance + covariance.T) / 2


def mutual_information(log_joint):
    r"""Mutual information of two variables, in nats.

    .. math:: I = \sum_{x,y} p(x, y) \log \frac{p(x, y)}{p(x)\, p(y)}

    Parameters
    ----------
    log_joint : array_like, shape (X, Y)
        Logarithms of the joint law, of total weight 1; ``-inf`` is a weight of 0.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        It isn't such an array.

    Notes
    -----
    Implements: eq-mutual-information

    Examples
    --------
    >>> round(mutual_information(np.log([[0.4, 0.1], [0.1, 0.4]])), 4)
    0.1927
    """
    log_joint, ratio = _ratio(log_joint)
    with np.errstate(invalid="ignore"):
        terms = np.where(np.isneginf(log_joint), 0.0, np.exp(log_joint) * ratio)
    return float(terms.sum())


def info_nce_value(log_joint, n_candidates, *, scores=None):
    r"""What InfoNCE says of mutual information, exactly: :math:`\log K - L`.

    .. math:: L = -\mathbb E \log \frac{e^{s(x, y_1)}}{\sum_{j=1}^K e^{s(x, y_j)}}

    where :math:`x, y_1` are drawn from the joint law, and :math:`y_2, \dots, y_K` from the marginal of y.

    Parameters
    ----------
    log_joint : array_like, shape (X, Y)
        Logarithms of the joint law, of total weight 1; ``-inf`` is a weight of 0.
    n_candidates : int
        K, at least 1.
    scores : array_like, shape (X, Y), optional
        :math:`s(x, y)`, finite. The best ones unless given, :math:`\log p(y \mid x) / p(y)`.

    Returns
    -------
    float
        At most `mutual_information`, and at most :math:`\log K`.

    Raises
    ------
    TypeError
        An array isn't real, or `n_candidates` isn't an integer.
    ValueError
        It isn't such a law; a score isn't finite; shapes don't fit; there are more than a million groups.

    Notes
    -----
    The order of the rivals doesn't matter, so that :math:`\binom{K+Y-2}{K-1}` groups of them are summed over,
    for each context and candidate.

    Implements: eq-infonce

    Examples
    --------
    >>> joint = np.log([[0.4, 0.1], [0.1, 0.4]])
    >>> [round(info_nce_value(joint, n_candidates), 4) for n_candidates in (1, 2, 8, 64)]
    [0.0, 0.0964, 0.1697, 0.1899]
    """
    log_joint, ratio = _ratio(log_joint)
    rivals, (_, values) = read_count("n_candidates", n_candidates) - 1, log_joint.shape
    if scores is None:
        scores = ratio
    else:
        scores = as_real(scores, "scores")[0].astype(np.float64)
        if scores.shape != log_joint.shape:
            raise ValueError(f"expected scores of shape {log_joint.shape}, got {scores.shape}")
        check_finite(scores=scores)
    if math.comb(rivals + values - 1, rivals) * log_joint.size > _MANY:
        raise ValueError(f"expected at most {_MANY} groups, got more with {rivals + 1} candidates")
    marginal = logsumexp(log_joint, axis=0)
    counts = np.array([np.bincount(group, minlength=values) for group in
                       itertools.combinations_with_replacement(range(values), rivals)]).reshape(-1, values)
    factorials = np.array([math.lgamma(1 + c) for c in range(rivals + 1)])
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = np.exp(factorials[-1] - factorials[counts].sum(axis=1)
                        + np.where(counts > 0, counts * marginal, 0.0).sum(axis=1))
        total = 0.0
        for x, y in zip(*np.nonzero(~np.isneginf(log_joint))):
            present = counts + (np.arange(values) == y)
            logits = np.where(present > 0, scores[x] + np.log(present), -np.inf)
            own = scores[x, y] - logsumexp(logits, axis=-1)
            total += np.exp(log_joint[x, y]) * (chance @ own)
    return float(math.log(rivals + 1) + total)


def _ratio(log_joint):
    """The logarithms, and those of joint over product; of the impossible it is -inf."""
    log_joint = as_real(log_joint, "log_joint")[0].astype(np.float64)
    if log_joint.ndim != 2 or log_joint.size == 0:
        raise ValueError(f"expected log_joint of shape (X, Y), got {log_joint.shape}")
    if not abs(np.exp(log_joint).sum() - 1) < 1e-6:
        raise ValueError(f"expected log_joint of total weight 1, got {np.exp(log_joint).sum()}")
    rows, columns = np.exp(log_joint).sum(axis=1), np.exp(log_joint).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = log_joint - np.log(rows)[:, None] - np.log(columns)
    return log_joint, np.where(np.isneginf(log_joint), -np.inf, ratio)
