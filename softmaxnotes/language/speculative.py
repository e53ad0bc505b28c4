r"""Speculative decoding: a cheap model drafts tokens, and an expensive one makes the result exact.

A token :math:`x` drafted from :math:`q` is kept with probability :math:`\min(1, p_x/q_x)`; if it is not,
another one is drawn from what is left of :math:`p`, the *residual*.  What comes out has the distribution
:math:`p`, and equals the draft as often as two draws from :math:`p` and :math:`q` can be equal,

.. math:: \sum_k \min(p_k, q_k) = 1 - \mathrm{TV}.

Two draws with the same Gumbel noise are equal nearly as often, and neither has to know of the other.

Distributions are given as logits, tokens on the last axis; leading axes broadcast. A token with the logit
``-inf`` is never drawn.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_real,
    broadcast_shape,
    check_entries,
    check_unit_interval,
    first_entry,
    read_integers,
    read_rng,
    read_size,
)
from ..gumbel import gumbel, gumbel_max
from ..gumbel.distribution import exponential
from ..softmax import log_softmax

__all__ = ["SpeculativeStep", "acceptance", "gumbel_agreement", "maximal_coupling", "residual",
           "shared_draws", "speculative_step", "tokens_of_rates", "tokens_per_call"]

_BLOCK = 2**20  # so many numbers of noise at a time


class SpeculativeStep(NamedTuple):
    r"""What a call of the target yields.

    Attributes
    ----------
    tokens : ndarray of int, shape (..., gamma + 1)
        The drafted tokens that were accepted, then one that the target drew, then -1.
    accepted : ndarray of int, shape (...)
        How many of the drafted tokens were accepted, from 0 to gamma.
    """

    tokens: np.ndarray
    accepted: np.ndarray


# --- A draft, and what is left -------------------------------------------------------


def acceptance(target, draft):
    r"""Probability that a drafted token is accepted: the overlap of the two distributions.

    .. math:: \sum_k \min(p_k, q_k) = 1 - \mathrm{TV}(p, q)

    Parameters
    ----------
    target, draft : array_like, shape (..., V)
        Logits of :math:`p` and :math:`q`; leading axes broadcast.

    Returns
    -------
    ndarray or scalar, shape (...)
        From 0 to 1, in the floating type of the two; NaN where a slice holds NaN.

    Raises
    ------
    ValueError
        The shapes don't fit; every logit of a slice is ``-inf``.

    Notes
    -----
    No pair of draws, one from :math:`p` and one from :math:`q`, is equal more often.

    Implements: eq-overlap

    References
    ----------
    Y. Leviathan, M. Kalman and Y. Matias, "Fast inference from transformers via speculative decoding",
    ICML 40 (2023), arXiv:2211.17192.

    Examples
    --------
    >>> acceptance(np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.3, 0.5])).round(12)
    np.float64(0.7)
    """
    log_p, log_q, dtype = _two(target=target, draft=draft)
    with np.errstate(all="ignore"):
        overlap = np.exp(np.minimum(log_p, log_q)).sum(axis=-1)
        return np.minimum(overlap, 1).astype(dtype)[()]


def residual(target, draft):
    r"""Log-probabilities of what is drawn where a drafted token is not accepted.

    .. math:: r_k = \frac{\max(p_k - q_k, 0)}{\mathrm{TV}(p, q)}

    Parameters
    ----------
    target, draft : array_like, shape (..., V)
        Logits of :math:`p` and :math:`q`; leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., V)
        ``-inf`` where :math:`q_k \ge p_k`. Where the two distributions are equal nothing is ever drawn from
        the residual, and the log-probabilities of the target come back.

    Raises
    ------
    ValueError
        The shapes don't fit; every logit of a slice is ``-inf``.

    Notes
    -----
    The difference is computed as :math:`p_k\,(1 - e^{\log q_k - \log p_k})`, so that a small one keeps the
    digits that the logits have.

    Implements: eq-residual

    References
    ----------
    C. Chen et al., "Accelerating large language model decoding with speculative sampling",
    arXiv:2302.01318 (2023).

    Examples
    --------
    >>> np.exp(residual(np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.2, 0.6]))).round(12)
    array([0.75, 0.25, 0.  ])
    """
    log_p, log_q, dtype = _two(target=target, draft=draft)
    with np.errstate(all="ignore"):
        return _residual(log_p, log_q).astype(dtype)


def speculative_step(target, draft, drafted, *, rng=None) -> SpeculativeStep:
    r"""Accept drafted tokens, up to the first that is not accepted, and draw one more from the target.

    .. math:: q_k \min\Bigl(1, \frac{p_k}{q_k}\Bigr) + \mathrm{TV} \cdot r_k = p_k

    Parameters
    ----------
    target : array_like, shape (..., gamma + 1, V)
        Logits of the target before each drafted token, and after the last of them.
    draft : array_like, shape (..., gamma, V)
        Logits of the distributions from which the tokens *were drawn*: after temperature and truncation.
    drafted : array_like of int, shape (..., gamma)
        The drafted tokens.
    rng : None, int or numpy.random.Generator
        Independent of what the tokens were drawn with.

    Returns
    -------
    SpeculativeStep
        ``tokens`` and how many of them were ``accepted``.

    Raises
    ------
    ValueError
        The shapes don't fit; a slice holds NaN, or nothing but ``-inf``; a drafted token isn't one of the
        `V`, or has probability 0 in the draft, so that it was not drawn from it.

    Notes
    -----
    Whatever the draft is, the tokens have the distribution of tokens that the target draws one by one. With
    `gamma` 0, nothing drafted, one token is drawn from the target.

    Implements: eq-speculative

    References
    ----------
    Y. Leviathan, M. Kalman and Y. Matias, "Fast inference from transformers via speculative decoding",
    ICML 40 (2023), arXiv:2211.17192.

    Examples
    --------
    >>> p, q = np.log([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]]), np.log([[0.2, 0.3, 0.5]])
    >>> speculative_step(p, q, [0], rng=2)  # p is larger than q: accepted, and a second token drawn
    SpeculativeStep(tokens=array([0, 1]), accepted=np.int64(1))
    >>> speculative_step(p, q, [2], rng=2)  # with probability 0.6 it is not
    SpeculativeStep(tokens=array([ 0, -1]), accepted=np.int64(0))
    """
    rng = read_rng(rng)
    target, draft = (_logits(name, x) for name, x in (("target", target), ("draft", draft)))
    drafted = read_integers("drafted", drafted)
    for name, x in (("target", target), ("draft", draft)):
        if x.ndim < 2:
            raise ValueError(f"expected {name} of shape (..., tokens, V), got {x.shape}")
    gamma, size = draft.shape[-2:]
    if target.shape[-2:] != (gamma + 1, size):
        raise ValueError(f"expected target of shape (..., {gamma + 1}, {size}), one place more than the "
                         f"draft has, got {target.shape}")
    if drafted.shape[-1:] != (gamma,):
        raise ValueError(f"expected drafted of shape (..., {gamma}), got {drafted.shape}")
    if drafted.size and not (drafted.min() >= 0 and drafted.max() < size):
        raise ValueError(f"expected drafted from 0 to {size - 1}, got {drafted.min()} to {drafted.max()}")
    lead = _lead(target=target.shape[:-2], draft=draft.shape[:-2], drafted=drafted.shape[:-1])
    log_p, log_q = _log_probs("target", target), _log_probs("draft", draft)
    log_p, log_q = (np.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (log_p, log_q))
    drafted = np.broadcast_to(drafted, (*lead, gamma))

    of_target, of_draft = (np.take_along_axis(x[..., :gamma, :], drafted[..., None], -1)[..., 0]
                           for x in (log_p, log_q))
    if (of_draft == -np.inf).any():
        raise ValueError("expected drafted tokens that the draft may draw, got "
                         f"{first_entry('drafted', drafted, of_draft == -np.inf)}, of probability 0")
    with np.errstate(all="ignore"):
        kept = exponential(of_draft.shape, rng) > of_draft - of_target  # u < p/q, of u = exp(-E)
    accepted = np.add.reduce(np.logical_and.accumulate(kept, axis=-1), axis=-1, dtype=np.intp)

    at = np.expand_dims(accepted, (-1, -2))
    here = np.take_along_axis(log_p, at, -2)[..., 0, :]
    if gamma:
        drawn = np.take_along_axis(log_q, np.minimum(at, gamma - 1), -2)[..., 0, :]
        here = np.where(at[..., 0] < gamma, _residual(here, drawn), here)
    last = gumbel_max(here, rng=rng)

    place = np.arange(gamma + 1)
    tokens = np.full((*lead, gamma + 1), -1, np.intp)
    tokens[..., :gamma] = np.where(place[:-1] < accepted[..., None], drafted, -1)
    np.put_along_axis(tokens, accepted[..., None], np.expand_dims(last, -1), -1)
    return SpeculativeStep(tokens, accepted[()])


# --- How many tokens -----------------------------------------------------------------


def tokens_per_call(alpha, gamma):
    r"""Expected number of tokens that a call of the target yields, if acceptance has no memory.

    .. math:: \sum_{t=0}^{\gamma} \alpha^t = \frac{1 - \alpha^{\gamma + 1}}{1 - \alpha}

    Parameters
    ----------
    alpha : array_like
        Probability that a drafted token is accepted, from 0 to 1, the same for each.
    gamma : array_like of int
        How many tokens are drafted, 0 or more.

    Returns
    -------
    ndarray or scalar
        In the floating type of `alpha`, with all its digits also where `alpha` is near 1.

    Raises
    ------
    ValueError
        An `alpha` isn't from 0 to 1; a `gamma` is negative; the shapes don't fit.

    Notes
    -----
    Where acceptance differs from place to place this is another number than the truth, and a mean `alpha` is
    not enough to know whether a larger or a smaller one: see `tokens_of_rates`.

    Implements: eq-tokens-per-call

    References
    ----------
    Y. Leviathan, M. Kalman and Y. Matias, "Fast inference from transformers via speculative decoding",
    ICML 40 (2023), arXiv:2211.17192, equation (1).

    Examples
    --------
    >>> tokens_per_call(0.8, [0, 1, 4])
    array([1.    , 1.8   , 3.3616])
    >>> tokens_per_call(1.0, 4)
    np.float64(5.0)
    """
    alpha, dtype = as_real(alpha, "alpha")
    gamma = read_integers("gamma", gamma)
    check_unit_interval(alpha=alpha)
    check_entries("gamma", gamma, gamma >= 0, "not to be negative")
    broadcast_shape(alpha=alpha, gamma=gamma)
    short = 1 - alpha.astype(np.promote_types(alpha.dtype, np.float64))
    with np.errstate(all="ignore"):
        tokens = -np.expm1((gamma + 1) * np.log1p(-short)) / short
        return np.where(short == 0, gamma + 1, tokens).astype(dtype)[()]


def tokens_of_rates(rates):
    r"""Expected number of tokens that a call of the target yields, from the rate of each place.

    .. math:: 1 + \sum_{t=1}^{\gamma} \prod_{s=1}^{t} \alpha_s

    Parameters
    ----------
    rates : array_like, shape (..., gamma)
        :math:`\alpha_s`, from 0 to 1: the share of calls in which token `s` was accepted, among those in
        which all tokens before it were.

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `rates`.

    Raises
    ------
    ValueError
        A rate isn't from 0 to 1; there is no axis.

    Notes
    -----
    With these rates it is exact, whatever memory acceptance has: the product is the share of calls in which
    the first :math:`t` tokens were accepted.

    Implements: eq-tokens-of-rates

    Examples
    --------
    >>> tokens_of_rates([0.5, 0.8, 0.9])
    np.float64(2.26)
    """
    rates, dtype = as_real(rates, "rates")
    if not rates.ndim:
        raise ValueError("expected rates of shape (..., gamma), got a number")
    check_unit_interval(rates=rates)
    with np.errstate(under="ignore"):
        return (1 + np.cumprod(rates, axis=-1).sum(axis=-1)).astype(dtype)[()]


# --- Two draws that agree ------------------------------------------------------------


def gumbel_agreement(first, second):
    r"""Probability that two draws with the same Gumbel noise are equal.

    .. math:: \Pr\bigl(\operatorname*{arg\,max}_k\,(\log p_k + G_k)
              = \operatorname*{arg\,max}_k\,(\log q_k + G_k)\bigr)
              = \sum_k \frac{1}{\sum_i \max(p_i/p_k,\, q_i/q_k)}

    Parameters
    ----------
    first, second : array_like, shape (..., V)
        Logits of :math:`p` and :math:`q`; leading axes broadcast.

    Returns
    -------
    ndarray or scalar, shape (...)
        Between :math:`(1 - \mathrm{TV})/(1 + \mathrm{TV})` and :math:`1 - \mathrm{TV}`, in the floating type
        of the two; NaN where a slice holds NaN.

    Raises
    ------
    ValueError
        The shapes don't fit; every logit of a slice is ``-inf``.

    Notes
    -----
    With the tokens in the order of :math:`p_i/q_i` the larger of the two ratios is known, and the inner sums
    are cumulative: it takes a sort, and not the square of `V`. A token that is impossible in either
    distribution adds nothing.

    Implements: eq-shared-gumbels

    References
    ----------
    M. Daliri, C. Musco and A. T. Suresh, "Coupling without communication and drafter-invariant speculative
    decoding", arXiv:2408.07978 (2024).

    Examples
    --------
    >>> p, q = np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.3, 0.5])
    >>> gumbel_agreement(p, q).round(4)  # where 1 - TV is 0.7, and independent draws agree with 0.29
    np.float64(0.6308)
    """
    log_p, log_q, dtype = _two(first=first, second=second)
    with np.errstate(all="ignore"):
        lead = log_p - log_q
        lead[np.isnan(lead) & (log_p == log_q)] = 0  # impossible in both
        order = np.argsort(lead, axis=-1)
        p, q = (np.exp(np.take_along_axis(x, order, -1)) for x in (log_p, log_q))
        leads = np.flip(np.cumsum(np.flip(p, -1), axis=-1), -1)  # of it and those after it p/q is as large
        trails = np.cumsum(q, axis=-1) - q
        shares = 1 / (leads / p + trails / q)
        agreement = np.where((p == 0) | (q == 0), 0, shares).sum(axis=-1)
        agreement = np.where(np.isnan(p).any(-1) | np.isnan(q).any(-1), np.nan, np.minimum(agreement, 1))
        return agreement.astype(dtype)[()]


def shared_draws(logits, size=None, *, rng=None):
    r"""Draws from several distributions with the same Gumbel noise.

    .. math:: X_a = \operatorname*{arg\,max}_k\,(z_{ak} + G_k), \qquad a = 1, \dots, m

    Parameters
    ----------
    logits : array_like, shape (..., m, V)
        One row for each distribution.
    size : int, tuple of int or None
        How many draws; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray of int, shape (*size, ..., m)
        Each has its own distribution, and those of one row of `m` are equal as often as `gumbel_agreement`
        says, each pair of them. In the other directions draws are independent.

    Raises
    ------
    ValueError
        A slice holds NaN, or nothing but ``-inf``; there are not two axes; `size` is negative.

    Notes
    -----
    One row is what `softmaxnotes.gumbel.gumbel_max` draws with the same seed. The other rows do not change
    it: a text that is written so depends on the seed and the model, and not on what is drawn beside it.

    Implements: eq-shared-gumbels

    References
    ----------
    M. Daliri, C. Musco and A. T. Suresh, "Coupling without communication and drafter-invariant speculative
    decoding", arXiv:2408.07978 (2024).

    Examples
    --------
    >>> shared_draws(np.log([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]]), 4, rng=3)
    array([[0, 0],
           [1, 2],
           [1, 1],
           [0, 0]])
    """
    rng, size = read_rng(rng), read_size(size)
    logits = _logits("logits", logits)
    if logits.ndim < 2:
        raise ValueError(f"expected logits of shape (..., m, V), got {logits.shape}")
    log_p = _log_probs("logits", logits)
    *lead, m, n = log_p.shape
    total = int(np.prod(size, dtype=np.intp))
    drawn = np.empty((total, *lead, m), np.intp)
    step = max(1, _BLOCK // max(1, log_p.size))
    for start in range(0, total, step):
        part = drawn[start:start + step]
        part[...] = (log_p + gumbel((len(part), *lead, 1, n), rng=rng)).argmax(axis=-1)
    return drawn.reshape(*size, *lead, m)


def maximal_coupling(first, second):
    r"""Joint distribution of two draws that are equal as often as they can be.

    .. math:: \Pr(X = j, Y = k) = \delta_{jk} \min(p_k, q_k)
              + \frac{\max(p_j - q_j, 0)\,\max(q_k - p_k, 0)}{\mathrm{TV}(p, q)}

    Parameters
    ----------
    first, second : array_like, shape (..., V)
        Logits of :math:`p` and :math:`q`; leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., V, V)
        Rows add up to :math:`p`, columns to :math:`q`, and the diagonal to :math:`1 - \mathrm{TV}`.

    Raises
    ------
    ValueError
        The shapes don't fit; every logit of a slice is ``-inf``.

    Notes
    -----
    It is the joint distribution of what `speculative_step` returns, and what was drafted.

    Implements: eq-coupling

    References
    ----------
    T. Lindvall, Lectures on the Coupling Method, Wiley (1992).

    Examples
    --------
    >>> maximal_coupling(np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.3, 0.5])).round(12) + 0
    array([[0.2, 0. , 0.3],
           [0. , 0.3, 0. ],
           [0. , 0. , 0.2]])
    """
    log_p, log_q, dtype = _two(first=first, second=second)
    with np.errstate(all="ignore"):
        lost = np.where(log_p > log_q, np.exp(log_p) * -np.expm1(log_q - log_p), 0)
        gained = np.where(log_q > log_p, np.exp(log_q) * -np.expm1(log_p - log_q), 0)
        far = lost.sum(axis=-1, keepdims=True)
        joint = (lost / np.where(far == 0, 1, far))[..., :, None] * gained[..., None, :]
        diagonal = np.arange(log_p.shape[-1])
        joint[..., diagonal, diagonal] += np.exp(np.minimum(log_p, log_q))
        nan = np.isnan(log_p).any(-1) | np.isnan(log_q).any(-1)
        return np.where(nan[..., None, None], np.nan, joint).astype(dtype)


# --- Reading -------------------------------------------------------------------------


def _logits(name, x):
    x = as_real(x, name)[0]
    if not x.ndim:
        raise ValueError(f"expected {name} of shape (..., V), got a number")
    if not x.shape[-1]:
        raise ValueError(f"expected {name} with one token or more on the last axis, got shape {x.shape}")
    return x.astype(np.promote_types(x.dtype, np.float64), copy=False)


def _log_probs(name, x):
    """Log-probabilities, of which none is NaN."""
    check_entries(name, x, x == x, "without NaN")
    return log_softmax(x)


def _two(**given):
    """Log-probabilities of two distributions on the same tokens, of one shape, and the type to return."""
    dtype = np.result_type(*(as_real(x, name)[1] for name, x in given.items()))
    one, other = arrays = [_logits(name, x) for name, x in given.items()]
    if one.shape[-1] != other.shape[-1]:
        got = " and ".join(f"{name} of shape {x.shape}" for name, x in zip(given, arrays))
        raise ValueError(f"expected the same tokens on the last axis, got {got}")
    lead = _lead(**{name: x.shape[:-1] for name, x in zip(given, arrays)})
    return *(np.array(np.broadcast_to(log_softmax(x), (*lead, x.shape[-1]))) for x in arrays), dtype


def _lead(**shapes):
    """The leading axes of all of them together."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        got = " and ".join(f"{shape} of {name}" for name, shape in shapes.items())
        raise ValueError(f"expected leading axes that fit, got {got}") from None


def _residual(log_p, log_q):
    with np.errstate(all="ignore"):
        rest = np.where(log_p > log_q, log_p + np.log(-np.expm1(log_q - log_p)), -np.inf)
    rest = np.where(np.isnan(log_p) | np.isnan(log_q), np.nan, rest)
    none = (rest == -np.inf).all(axis=-1, keepdims=True)  # the same distribution
    return log_softmax(np.where(none, log_p, rest))
