r"""Hard attention: a glance at one place is drawn, and what is maximised is a bound on the log-likelihood.

A glimpse is one of L places, drawn from a softmax; a path is a sequence of T glimpses, and there are
:math:`L^T` of them. With few places and short paths all can be listed, so that every estimator has an exact
value to be compared with:

    >>> from softmaxnotes.rewards import attention_bound
    >>> found = attention_bound(np.log([0.6, 0.3, 0.1]), np.log([0.9, 0.2, 0.05]))
    >>> [round(float(value), 4) for value in (found.evidence, found.bound, found.gap)]
    [-0.5025, -0.8456, 0.3431]
"""

import math
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

from ..arguments import (
    as_real,
    broadcast_shape,
    check_entries,
    check_finite,
    read_count,
    read_integers,
    read_labels,
    read_rng,
    read_size,
)
from ..arrays import refuse_no_support

__all__ = [
    "AttentionBound", "GlimpseModel", "GlimpsePaths", "PathGradient", "all_glimpse_paths", "attention_bound",
    "glimpse_gradient", "sample_glimpses",
]

_MANY = 10**6  # paths that are listed at most


class AttentionBound(NamedTuple):
    """Log-likelihood of what was said, the bound on it, and the law of where one looked.

    Attributes
    ----------
    evidence, bound, gap : ndarray, shape (...)
        ``gap`` is ``evidence - bound``, computed without that difference.
    posterior : ndarray, shape (..., n)
        Law of the place, given what was said.
    """

    evidence: np.ndarray
    bound: np.ndarray
    gap: np.ndarray
    posterior: np.ndarray


def attention_bound(logits, log_likelihood):
    r"""Log-likelihood under hard attention, its bound by Jensen's inequality, and the gap.

    With :math:`\alpha = \operatorname{softmax}(z)` and the likelihoods :math:`\ell_k`,

    .. math:: \log \sum_k \alpha_k \ell_k = \sum_k \alpha_k \log \ell_k + \mathrm{KL}(\alpha \,\|\, \alpha^y),
              \qquad \alpha^y_k \propto \alpha_k \ell_k

    Parameters
    ----------
    logits : array_like, shape (..., n)
        Of the places, or of the paths; ``-inf`` masks one.
    log_likelihood : array_like, shape (..., n)
        Of what was said, if one looks there; ``-inf`` if it can't be said from there.

    Returns
    -------
    AttentionBound
        Where a place that has a positive probability makes what was said impossible, the bound is ``-inf``
        and the gap ``inf``; where all do, the evidence is ``-inf`` as well, and gap and posterior are NaN.

    Raises
    ------
    TypeError
        An argument isn't real.
    ValueError
        The last axes aren't of one length, or of length 0; a number is NaN or ``+inf``; all logits of a law
        are ``-inf``.

    Notes
    -----
    Implements: eq-attention-gap

    Examples
    --------
    >>> attention_bound([0.0, 0.0], np.log([0.5, 0.5])).gap
    np.float64(0.0)
    """
    named = {"logits": logits, "log_likelihood": log_likelihood}
    logits, log_lik = (as_real(a, name)[0].astype(np.float64) for name, a in named.items())
    if not (logits.ndim and log_lik.ndim) or logits.shape[-1] != log_lik.shape[-1] or not logits.shape[-1]:
        raise ValueError("expected logits and log_likelihood with last axes of one length, got shapes "
                         f"{logits.shape} and {log_lik.shape}")
    for name, values in (("logits", logits), ("log_likelihood", log_lik)):
        check_entries(name, values, values < np.inf, "to be below infinity")
    if (logits.max(axis=-1) == -np.inf).any():
        refuse_no_support(logits.reshape(-1, logits.shape[-1]), logits.shape[:-1])
    broadcast_shape(logits=logits, log_likelihood=log_lik)
    log_a, log_lik = np.broadcast_arrays(log_softmax(logits, axis=-1), log_lik)
    alpha = np.exp(log_a)
    with np.errstate(invalid="ignore"):  # 0 times an infinity is not taken
        evidence = logsumexp(log_a + log_lik, axis=-1)
        bound = np.where(alpha > 0, alpha * log_lik, 0).sum(axis=-1)
        log_ratio = evidence[..., None] - log_lik  # log of prior over posterior
        gap = np.where(alpha > 0, alpha * log_ratio, 0).sum(axis=-1)
        posterior = np.where(alpha > 0, np.exp(log_a - log_ratio), 0)
    lost = evidence == -np.inf
    gap, posterior = np.where(lost, np.nan, gap), np.where(lost[..., None], np.nan, posterior)
    return AttentionBound(evidence, bound, np.maximum(gap, 0)[()], posterior)


class GlimpseModel(NamedTuple):
    r"""Logits of a reader that glances at L places, one by one, and names one of K classes each time.

    Attributes
    ----------
    first : array_like, shape (L,)
        Of the first glimpse.
    then : array_like, shape (L, L)
        Of each later glimpse, a row for each place where the reader looked last.
    reading : array_like, shape (L, K)
        Of the class that is named, a row for each place where the reader looks.
    """

    first: np.ndarray
    then: np.ndarray
    reading: np.ndarray


class GlimpsePaths(NamedTuple):
    """All paths of glimpses; or one row for each of some that were drawn.

    Attributes
    ----------
    places : ndarray of int, shape (n, T)
    log_prior : ndarray, shape (n,)
        Log-probability of the path.
    rewards : ndarray, shape (n, T)
        Log-probability of each class that is to be named, at the place of its glimpse.
    scores : ndarray, shape (n, T, P)
        Gradient of the log-probability of each glimpse, in ``first``, ``then`` and ``reading``, flattened
        and put behind each other.
    slopes : ndarray, shape (n, P)
        Gradient of the sum of the rewards.
    """

    places: np.ndarray
    log_prior: np.ndarray
    rewards: np.ndarray
    scores: np.ndarray
    slopes: np.ndarray


def all_glimpse_paths(model, labels, *, places=None):
    r"""Every path of glimpses, with its probability, its rewards and all gradients.

    Parameters
    ----------
    model : GlimpseModel
    labels : array_like of int, shape (T,)
        The classes that are to be named.
    places : array_like of int, shape (n, T), optional
        Only these paths, such as drawn ones.

    Returns
    -------
    GlimpsePaths
        Of :math:`n = L^T` rows in lexicographic order, unless `places` is given.

    Raises
    ------
    TypeError
        The logits aren't real, labels or places not integers.
    ValueError
        The shapes don't fit; a logit isn't finite; there is no label, or a label or place that the model
        hasn't; there are more than a million paths.

    Notes
    -----
    Implements: eq-path-of-glimpses

    Examples
    --------
    >>> model = GlimpseModel(np.zeros(3), np.zeros((3, 3)), np.zeros((3, 2)))
    >>> paths = all_glimpse_paths(model, [0, 1])
    >>> paths.places.shape, float(np.exp(paths.log_prior).sum().round(12))
    ((9, 2), 1.0)
    """
    first, then, reading = _read(model)
    n_places, n_classes = reading.shape
    labels = read_labels(labels, n_classes)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(f"expected labels of shape (T,), one or more, got {labels.shape}")
    n_glimpses = len(labels)
    if places is None:
        if n_places**n_glimpses > _MANY:
            raise ValueError(f"expected at most {_MANY} paths, got {n_places}**{n_glimpses}")
        places = np.array(list(product(range(n_places), repeat=n_glimpses)))
    places = read_integers("places", places)
    if places.ndim != 2 or places.shape[1] != n_glimpses:
        raise ValueError(f"expected places of shape (n, {n_glimpses}), got {places.shape}")
    read_labels(places, n_places, name="places")
    n, rows, ends = len(places), np.arange(len(places)), np.cumsum([n_places, n_places**2])
    log_first, log_then, log_read = (log_softmax(a, axis=-1) for a in (first, then, reading))
    log_prior, rewards = np.zeros(n), log_read[places, labels]
    scores = np.zeros((n, n_glimpses, ends[-1] + reading.size))
    slopes = np.zeros((n, ends[-1] + reading.size))
    onto = slopes[:, ends[-1]:].reshape(n, n_places, n_classes)
    for t in range(n_glimpses):
        here = places[:, t]
        if t == 0:
            log_prior += log_first[here]
            scores[:, 0, : ends[0]] = np.eye(n_places)[here] - softmax(first)
        else:
            before = places[:, t - 1]
            log_prior += log_then[before, here]
            part = scores[:, t, ends[0] : ends[1]].reshape(n, n_places, n_places)
            part[rows, before] = (np.eye(n_places)[here] - softmax(then, axis=-1)[before])
        onto[rows, here] += np.eye(n_classes)[labels[t]] - softmax(reading, axis=-1)[here]
    return GlimpsePaths(places, log_prior, rewards, scores, slopes)


class PathGradient(NamedTuple):
    """One estimate for each path; with the laws of all paths its mean and its variance.

    Attributes
    ----------
    each : ndarray, shape (n, P)
        The estimate if this path is drawn.
    mean, variance : ndarray, shape (P,)
        Under the law of the paths.
    """

    each: np.ndarray
    mean: np.ndarray
    variance: np.ndarray


def glimpse_gradient(paths, *, baseline=0.0, to_go=False):
    r"""Gradient of the bound by one drawn path, for every path, and its exact mean and variance.

    .. math:: \nabla \log p(y \mid s, a) + \sum_t (R_t - b_t)\, \nabla \log p(s_t \mid s_{<t}, a)

    Here :math:`R_t` is the sum of all rewards, or of those from step t on.

    Parameters
    ----------
    paths : GlimpsePaths
        All of a model.
    baseline : float or array_like, broadcast to shape (n, T)
        :math:`b_t`. The mean stays the gradient if it depends on the glimpses before step t only.
    to_go : bool
        Whether rewards before the glimpse are left out.

    Returns
    -------
    PathGradient

    Raises
    ------
    ValueError
        The probabilities of the paths don't add up to 1; the baseline isn't finite or doesn't fit.

    Notes
    -----
    Implements: eq-attention-gradient

    Examples
    --------
    >>> model = GlimpseModel([0.0, 1.0], np.eye(2), [[1.0, 0.0], [0.0, 2.0]])
    >>> paths = all_glimpse_paths(model, [0, 1])
    >>> plain, better = (glimpse_gradient(paths, to_go=to_go) for to_go in (False, True))
    >>> bool(np.allclose(plain.mean, better.mean))
    True
    """
    prior = np.exp(paths.log_prior)
    if abs(prior.sum() - 1) > 1e-9:
        raise ValueError(f"expected all paths, got some of total probability {prior.sum():.6g}")
    baseline = as_real(baseline, "baseline")[0].astype(np.float64)
    check_finite(baseline=baseline)
    rewards = paths.rewards
    back = np.cumsum(rewards[:, ::-1], axis=1)[:, ::-1]
    returns = back if to_go else np.broadcast_to(back[:, :1], rewards.shape)
    try:
        worth = returns - np.broadcast_to(baseline, rewards.shape)
    except ValueError:
        raise ValueError(f"expected a baseline that fits shape {rewards.shape}, "
                         f"got shape {baseline.shape}") from None
    each = paths.slopes + np.einsum("nt,ntp->np", worth, paths.scores)
    mean = prior @ each
    return PathGradient(each, mean, prior @ (each - mean) ** 2)


def sample_glimpses(model, n_glimpses, size=None, *, rng=None):
    r"""Paths of glimpses, drawn step by step.

    Parameters
    ----------
    model : GlimpseModel
    n_glimpses : int
        T, of each path, one or more.
    size : int, tuple of int or None
        How many paths.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray of int, shape size + (T,)

    Raises
    ------
    TypeError
        The logits aren't real, `n_glimpses` or `size` isn't made of integers.
    ValueError
        The shapes of the logits don't fit, or one isn't finite; `n_glimpses` is less than 1, `size` negative.

    Notes
    -----
    A cumulative sum of each row of probabilities is inverted.

    Implements: eq-path-of-glimpses

    Examples
    --------
    >>> model = GlimpseModel([9.0, 0.0], [[-9.0, 9.0], [9.0, -9.0]], np.zeros((2, 1)))
    >>> sample_glimpses(model, 5, size=2, rng=0)
    array([[0, 1, 0, 1, 0],
           [0, 1, 0, 1, 0]])
    """
    first, then, _ = _read(model)
    n_glimpses, size, rng = read_count("n_glimpses", n_glimpses), read_size(size), read_rng(rng)
    n = math.prod(size)
    ends = [np.cumsum(softmax(a, axis=-1), axis=-1) for a in (first[None], then)]
    places, last = np.empty((n, n_glimpses), np.intp), np.zeros(n, np.intp)
    for t in range(n_glimpses):
        rows = ends[t > 0]
        uniform = rng.random(n) * rows[last, -1]
        last = np.minimum((rows[last] <= uniform[:, None]).sum(axis=1), len(first) - 1)
        places[:, t] = last
    return places.reshape(*size, n_glimpses)


# --- Arguments ----------------------------------------------------------------------------------


def _read(model):
    model = GlimpseModel(*(as_real(a, name)[0].astype(np.float64)
                           for name, a in zip(GlimpseModel._fields, model, strict=True)))
    first, then, reading = model
    n = first.shape[0] if first.ndim == 1 else 0
    if not n or then.shape != (n, n) or reading.ndim != 2 or len(reading) != n or not reading.size:
        raise ValueError("expected logits of shapes (L,), (L, L) and (L, K), got "
                         f"{first.shape}, {then.shape} and {reading.shape}")
    check_finite(**model._asdict())
    return model
