"""Best of n: the best by reward of n draws from a reference, its distribution and its divergence."""

import numpy as np

from ..arguments import check_entries, read_count, read_integers
from ..softmax import log_softmax
from .tilting import read_answers

__all__ = ["best_of", "best_of_bound", "best_of_kl"]


def best_of(logits, rewards, n: int):
    r"""Log-probabilities of the best of `n` answers drawn from a model.

    .. math:: \Pr(k) = F_k^n - F_{k-1}^n

    where the answers are numbered by their rewards, and :math:`F_k` is the probability to draw one of the
    first :math:`k`.

    Parameters
    ----------
    logits, rewards : array_like, shape (..., V)
        Of the answers; rewards without NaN.
    n : int
        How many are drawn, 1 or more.

    Returns
    -------
    ndarray, shape (..., V)
        In the floating type of the two. Of draws that tie for the best one is taken at random, so answers of
        the same reward keep the ratio of their probabilities. NaN where a slice of logits holds NaN.

    Raises
    ------
    ValueError
        The shapes don't fit; a slice of logits is nothing but ``-inf``; a reward is NaN; `n` is below 1.

    Notes
    -----
    Relative accuracy is kept for improbable answers and for large `n`, by logarithms of both tails.

    Implements: eq-best-of

    Examples
    --------
    >>> np.exp(best_of(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0], 4)).round(4)
    array([0.0625, 0.3471, 0.5904])
    """
    log_p, rewards, dtype = read_answers(logits, rewards)
    n = read_count("n", n)
    return _best_of(log_p, rewards, n).astype(dtype)


def best_of_kl(logits, rewards, n: int):
    r"""KL divergence of the best of `n` draws from a single draw.

    .. math:: \sum_k \Pr(k) \log \frac{\Pr(k)}{\pi_k} \le \log n - \frac{n-1}{n}

    Parameters
    ----------
    logits, rewards, n
        As for `best_of`.

    Returns
    -------
    ndarray or scalar, shape (...)
        From 0 to `best_of_bound`, which it is near if no answer is probable and no two have one reward.

    Raises
    ------
    ValueError
        As for `best_of`.

    Notes
    -----
    Never more than minus the logarithm of the probability to draw an answer of the largest reward.

    Implements: eq-best-of

    References
    ----------
    A. Beirami et al., "Theoretical guarantees on the best-of-n alignment policy", ICML (2025),
    arXiv:2401.01879.

    Examples
    --------
    >>> best_of_kl(np.log([0.9, 0.1]), [0.0, 1.0], 4).round(4), best_of_bound(4).round(4)
    (np.float64(0.2174), np.float64(0.6363))
    """
    log_p, rewards, dtype = read_answers(logits, rewards)
    n = read_count("n", n)
    log_q = _best_of(log_p, rewards, n)
    with np.errstate(all="ignore"):
        terms = np.where(log_q == -np.inf, 0, np.exp(log_q) * (log_q - log_p))
        return np.maximum(terms.sum(axis=-1), 0).astype(dtype)[()]


def best_of_bound(n):
    r"""What the divergence of the best of `n` draws cannot exceed.

    .. math:: \log n - \frac{n-1}{n}

    Parameters
    ----------
    n : array_like of int
        1 or more.

    Returns
    -------
    ndarray or scalar

    Raises
    ------
    ValueError
        An `n` is below 1.

    Notes
    -----
    It is the divergence where all answers have another reward, and none has a positive probability.

    Implements: eq-best-of-bound

    Examples
    --------
    >>> best_of_bound([1, 4, 16]).round(4)
    array([0.    , 0.6363, 1.8351])
    """
    n = read_integers("n", n)
    check_entries("n", n, n >= 1, "to be at least 1")
    n = n.astype(np.float64)
    return (np.log(n) - (n - 1) / n)[()]


# --- Inside ----------------------------------------------------------------------------


def _best_of(log_p, rewards, n):
    """Shares of groups of equal rewards, split among their members."""
    shape = log_p.shape
    log_p, rewards = log_p.reshape(-1, shape[-1]), rewards.reshape(-1, shape[-1])
    order = np.argsort(rewards, axis=-1, kind="stable")
    r, lp = (np.take_along_axis(x, order, axis=-1) for x in (rewards, log_p))
    new = np.ones(r.shape, bool)
    new[:, 1:] = r[:, 1:] != r[:, :-1]
    last = np.ones(r.shape, bool)
    last[:, :-1] = new[:, 1:]
    group = new.ravel().cumsum() - 1
    with np.errstate(all="ignore"):
        mass = np.logaddexp.reduceat(lp.ravel(), np.flatnonzero(new))[group].reshape(r.shape)
        up_to = np.minimum(np.logaddexp.accumulate(lp, axis=-1), 0)
        down_to = np.logaddexp.accumulate(lp[:, ::-1], axis=-1)[:, ::-1]
        above = np.concatenate([down_to[:, 1:], np.full((len(r), 1), -np.inf)], axis=-1)
        end = np.flatnonzero(last)[group]  # of the group, where its probabilities are complete
        below, above = up_to.ravel()[end].reshape(r.shape), above.ravel()[end].reshape(r.shape)
        log_f = np.where(above < np.log(0.5), np.log1p(-np.exp(above)), below)
        ratio = np.minimum(mass - log_f, 0)  # log of the share of this group in it and all below
        share = n * log_f + np.log(-np.expm1(n * np.log1p(-np.exp(ratio))))
        found = np.where(lp == -np.inf, -np.inf, share + lp - mass)
    back = np.empty_like(found)
    np.put_along_axis(back, order, found, axis=-1)
    return log_softmax(back).reshape(shape)
