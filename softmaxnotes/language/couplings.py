r"""Couplings: two draws, each from its own distribution, that are equal more often than independent ones.

A draw from :math:`p` and one from :math:`q` are equal with probability :math:`\sum_k \min(p_k, q_k)` at most;
a *maximal* coupling reaches it.  Two draws with the same Gumbel noise are equal nearly as often, and neither
has to know of the other.

Distributions are given as logits, tokens on the last axis; leading axes broadcast. A token with the logit
``-inf`` is never drawn.
"""

import numpy as np

from ..arguments import as_real, check_entries, read_rng, read_size
from ..gumbel import gumbel
from ..softmax import log_softmax

__all__ = ["gumbel_agreement", "maximal_coupling", "shared_draws"]

_BLOCK = 2**20  # so many numbers of noise at a time


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
    R. Moulton and Y. Jiang, "Maximally consistent sampling and the Jaccard index of probability
    distributions", arXiv:1809.04052 (2018).

    M. Daliri, C. Musco and A. T. Suresh, "Coupling without communication and drafter-invariant speculative
    decoding", arXiv:2408.07978 (2024).

    Examples
    --------
    >>> p, q = np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.3, 0.5])
    >>> gumbel_agreement(p, q).round(4)  # where 1 - TV is 0.7, and independent draws agree with 0.29
    np.float64(0.6308)
    """
    log_p, log_q, dtype = read_two(first=first, second=second)
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
    logits = read_logits("logits", logits)
    if logits.ndim < 2:
        raise ValueError(f"expected logits of shape (..., m, V), got {logits.shape}")
    log_p = read_log_probs("logits", logits)
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
    log_p, log_q, dtype = read_two(first=first, second=second)
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


def read_logits(name, x):
    x = as_real(x, name)[0]
    if not x.ndim:
        raise ValueError(f"expected {name} of shape (..., V), got a number")
    if not x.shape[-1]:
        raise ValueError(f"expected {name} with one token or more on the last axis, got shape {x.shape}")
    return x.astype(np.promote_types(x.dtype, np.float64), copy=False)


def read_log_probs(name, x):
    """Log-probabilities, of which none is NaN."""
    check_entries(name, x, x == x, "without NaN")
    return log_softmax(x)


def read_two(**given):
    """Log-probabilities of two distributions on the same tokens, of one shape, and the type to return."""
    dtype = np.result_type(*(as_real(x, name)[1] for name, x in given.items()))
    one, other = arrays = [read_logits(name, x) for name, x in given.items()]
    if one.shape[-1] != other.shape[-1]:
        got = " and ".join(f"{name} of shape {x.shape}" for name, x in zip(given, arrays))
        raise ValueError(f"expected the same tokens on the last axis, got {got}")
    lead = leading(**{name: x.shape[:-1] for name, x in zip(given, arrays)})
    return *(np.array(np.broadcast_to(log_softmax(x), (*lead, x.shape[-1]))) for x in arrays), dtype


def leading(**shapes):
    """The leading axes of all of them together."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        got = " and ".join(f"{shape} of {name}" for name, shape in shapes.items())
        raise ValueError(f"expected leading axes that fit, got {got}") from None
