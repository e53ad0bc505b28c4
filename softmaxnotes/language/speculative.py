r"""Speculative decoding: a cheap model drafts tokens, and an expensive one makes the result exact.

A token :math:`x` drafted from :math:`q` is kept with probability :math:`\min(1, p_x/q_x)`; if it is not,
another one is drawn from what is left of :math:`p`, the *residual*.  What comes out has the distribution
:math:`p`, and equals the draft as often as two draws from :math:`p` and :math:`q` can be equal,

.. math:: \sum_k \min(p_k, q_k) = 1 - \mathrm{TV}.

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
)
from ..gumbel import gumbel_max
from ..gumbel.distribution import exponential
from ..softmax import log_softmax
from .couplings import leading, read_log_probs, read_logits, read_two

__all__ = ["SpeculativeStep", "acceptance", "residual", "speculative_step", "tokens_of_rates",
           "tokens_per_call"]


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
    log_p, log_q, dtype = read_two(target=target, draft=draft)
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
    log_p, log_q, dtype = read_two(target=target, draft=draft)
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
    target, draft = (read_logits(name, x) for name, x in (("target", target), ("draft", draft)))
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
    lead = leading(target=target.shape[:-2], draft=draft.shape[:-2], drafted=drafted.shape[:-1])
    log_p, log_q = read_log_probs("target", target), read_log_probs("draft", draft)
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


def _residual(log_p, log_q):
    with np.errstate(all="ignore"):
        rest = np.where(log_p > log_q, log_p + np.log(-np.expm1(log_q - log_p)), -np.inf)
    rest = np.where(np.isnan(log_p) | np.isnan(log_q), np.nan, rest)
    none = (rest == -np.inf).all(axis=-1, keepdims=True)  # the same distribution
    return log_softmax(np.where(none, log_p, rest))
