r"""Groups of draws: each is compared with the others, and what dividing by their spread or length does.

With :math:`K` draws from a law :math:`\pi`, of which draw m pays :math:`r_m` and has the score :math:`s_m`,

.. math:: \frac1K \sum_{m=1}^K \Bigl(r_m - \frac1{K-1} \sum_{i \ne m} r_i\Bigr) s_m

has no bias as an estimate of :math:`\nabla \mathbb E r`. Comparing with the mean of all shrinks it by
:math:`(K-1)/K`; dividing by the spread of the group, or by a length, changes its direction.
"""

import math

import numpy as np
from scipy.special import gammaln

from ..arguments import (
    as_real,
    check_finite,
    check_positive,
    read_choice,
    read_count,
    read_floats,
)
from ..gradients.estimate import law_and_values

__all__ = ["advantages", "expected_group_update"]

_KINDS = ("leave-one-out", "mean", "standardised")
_MANY = 10**6  # groups that are enumerated at most


def advantages(rewards, *, kind="leave-one-out"):
    r"""What each draw of a group is worth compared with its group.

    .. math:: r_m - \frac1{K-1} \sum_{i \ne m} r_i, \qquad r_m - \bar r, \qquad
              \frac{r_m - \bar r}{\sqrt{\frac1K \sum_i (r_i - \bar r)^2}}

    Parameters
    ----------
    rewards : array_like, shape (..., K)
        Of two draws or more.
    kind : {"leave-one-out", "mean", "standardised"}
        Against the mean of the others; against the mean of all, which is :math:`(K-1)/K` times that; and this
        in units of the standard deviation of the group.

    Returns
    -------
    ndarray, shape (..., K)
        Adds up to 0 in each group; 0 in a group whose rewards are equal. In the type of the rewards.

    Raises
    ------
    ValueError
        There are fewer than two in a group, or one isn't finite; `kind` is none of these.

    Notes
    -----
    Implementations of the last one divide by the standard deviation with :math:`K - 1` in the place of
    :math:`K`, and add a small number to it; the one is a constant factor, the other a choice that we don't
    make.

    Implements: eq-grpo-mean

    Examples
    --------
    >>> [advantages([1.0, 0.0, 0.0, 0.0], kind=kind).round(2).tolist() for kind in ("leave-one-out", "mean")]
    [[1.0, -0.33, -0.33, -0.33], [0.75, -0.25, -0.25, -0.25]]
    >>> advantages([1.0, 0.0, 0.0, 0.0], kind="standardised").round(2)
    array([ 1.73, -0.58, -0.58, -0.58])
    """
    read_choice("kind", kind, _KINDS)
    given, = read_floats(rewards=rewards)
    rewards = given.astype(np.float64)
    if rewards.ndim == 0 or rewards.shape[-1] < 2:
        raise ValueError(f"expected the rewards of two draws or more, got shape {rewards.shape}")
    check_finite(rewards=rewards)
    size = rewards.shape[-1]
    exponent = np.frexp(np.abs(rewards).max(axis=-1, keepdims=True))[1]
    rewards = np.ldexp(rewards, -exponent)  # so that no sum and no square leaves the doubles
    centred = rewards - rewards[..., :1]
    centred = centred - centred.mean(axis=-1, keepdims=True)
    if kind == "standardised":
        spread = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True))
        equal = np.ptp(rewards, axis=-1, keepdims=True) == 0
        found = np.where(equal, 0, centred / np.where(equal, 1, spread))
    else:
        found = np.ldexp(centred * (size / (size - 1)) if kind == "leave-one-out" else centred, exponent)
    return found.astype(given.dtype)


def expected_group_update(logits, rewards, group_size, *, kind="leave-one-out", lengths=None, scores=None):
    r"""Mean of the update that a group of draws makes, by a sum over all groups.

    That is the expectation of :math:`\frac1K \sum_m a_m s_{x_m} / L_{x_m}` over :math:`K` independent answers
    :math:`x_m \sim \pi`, with their `advantages` :math:`a_m` and the scores :math:`s_k = \nabla \log \pi_k`.

    Parameters
    ----------
    logits : array_like, shape (C,)
        Of the answers; ``-inf`` masks one.
    rewards : array_like, shape (C,)
    group_size : int
        K, two or more.
    kind : {"leave-one-out", "mean", "standardised"}
        Of the `advantages`.
    lengths : array_like, shape (C,), optional
        :math:`L_k`, positive; 1 unless given.
    scores : array_like, shape (C, D), optional
        Gradients of the log-probabilities; unless given those in the logits, :math:`e_k - \pi`.

    Returns
    -------
    ndarray, shape (D,)

    Raises
    ------
    ValueError
        The shapes don't fit; a number isn't finite, or a length not positive; `group_size` is less than 2;
        there are more than a million different groups; `kind` is none of these.

    Notes
    -----
    Groups that differ in their order only are taken together, so that there are
    :math:`\binom{K+C-1}{C-1}` of them.

    Examples
    --------
    >>> expected_group_update(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0], group_size=5).round(3)
    array([-0.45,  0.03,  0.42])
    """
    law, rewards = law_and_values(logits, rewards, "rewards")
    k, c = read_count("group_size", group_size, least=2), len(law)
    lengths = np.ones(c) if lengths is None else as_real(lengths, "lengths")[0].astype(np.float64)
    scores = np.eye(c) - law if scores is None else as_real(scores, "scores")[0].astype(np.float64)
    if lengths.shape != law.shape or scores.ndim != 2 or len(scores) != c:
        raise ValueError(f"expected lengths of shape ({c},) and scores of shape ({c}, D), "
                         f"got {lengths.shape} and {scores.shape}")
    check_finite(lengths=lengths, scores=scores)
    check_positive(lengths=lengths)
    alive = np.flatnonzero(law)
    if math.comb(k + len(alive) - 1, k) > _MANY:
        raise ValueError(f"expected at most {_MANY} groups, got {math.comb(k + len(alive) - 1, k)}")
    groups = _multisets(len(alive), k)
    counts = (groups[:, :, None] == np.arange(len(alive))).sum(axis=1)
    chance = np.exp(gammaln(k + 1) - gammaln(counts + 1).sum(axis=1) + counts @ np.log(law[alive]))
    members = alive[groups]
    weight = advantages(rewards[members], kind=kind) / lengths[members]
    mean = np.bincount(members.ravel(), (chance[:, None] * weight).ravel() / k, minlength=c)
    return mean @ scores


def _multisets(c, k):
    """All non-decreasing rows of k of the numbers 0, ..., c - 1."""
    rows = np.zeros((1, 0), np.intp)
    for _ in range(k):
        last = rows[:, -1] if rows.shape[1] else np.zeros(len(rows), np.intp)
        repeat = c - last
        first = np.cumsum(repeat) - repeat - last  # so that each row goes on from its last number
        new = np.arange(repeat.sum()) - np.repeat(first, repeat)
        rows = np.column_stack([np.repeat(rows, repeat, axis=0), new])
    return rows
