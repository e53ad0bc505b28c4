r"""Watermarks: a text whose draws can be recognised with a key, and whose distribution need not change.

The next token is drawn with Gumbel noise that a secret key and the tokens before it determine,
:math:`\arg\max_k(\log p_k - \log(-\log u_k))`.  With the key the noise can be computed again: the number
:math:`u` of a token that was drawn so is larger than it would be by chance.  A *green list* adds to the
logits instead, and a *tournament* lets candidates compete by keyed bits.

Distributions are given as logits, tokens on the last axis; leading axes broadcast. A token with the logit
``-inf`` is never drawn.
"""

import hashlib

import numpy as np
from scipy import special

from ..arguments import (
    as_array,
    as_real,
    broadcast_shape,
    check_entries,
    check_unit_interval,
    read_axis,
    read_count,
)
from ..softmax import log_softmax
from .couplings import read_logits

__all__ = ["expected_gumbel_score", "green_cost", "gumbel_mark", "gumbel_p_value", "gumbel_score",
           "keyed_uniforms", "tournament"]

_FAR = 1e300  # where the noise is infinite, it loses against every other, and wins against a masked token


def keyed_uniforms(key, context, n):
    r"""Numbers that look random, and that a key and the tokens before determine.

    Parameters
    ----------
    key : int
        The secret, 0 or more. Take one that cannot be guessed, as ``secrets.randbits(128)``.
    context : sequence of int
        The tokens before, each 0 or more; it may be empty.
    n : int
        How many numbers, one for each token of the vocabulary.

    Returns
    -------
    ndarray, shape (n,)
        In (0, 1), of ``float64``. Those of another key or another context are independent of them, as far
        as anybody can tell; a larger `n` appends numbers and changes none.

    Raises
    ------
    TypeError, ValueError
        An argument isn't an integer, or is negative; `n` is less than 1.

    Notes
    -----
    SHA-256 of key and context is the key of the counter-based generator Philox. Its raw numbers, and so
    these, are the same on every machine, whatever its processor or the release of NumPy.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
    SC (2011).

    Examples
    --------
    >>> keyed_uniforms(7, [3, 1], 4).round(4)
    array([0.4211, 0.5432, 0.3786, 0.8691])
    >>> keyed_uniforms(7, [3, 1], 2).round(4)
    array([0.4211, 0.5432])
    """
    key, n = read_count("key", key, 0), read_count("n", n)
    context = [read_count("each token of context", token, 0) for token in context]
    digest = hashlib.sha256(repr((key, *context)).encode()).digest()
    raw = np.random.Philox(key=int.from_bytes(digest[:16], "big")).random_raw(n)
    return ((raw >> np.uint64(12)) + 0.5) * 2.0**-52


def gumbel_mark(logits, uniforms):
    r"""The token that wins, with Gumbel noise made of these numbers.

    .. math:: \arg\max_k\,\bigl(\log p_k - \log(-\log u_k)\bigr) = \arg\max_k u_k^{1/p_k}

    Parameters
    ----------
    logits : array_like, shape (..., V)
        Of the next token, after temperature and truncation.
    uniforms : array_like, shape (..., V)
        From 0 to 1; those of `keyed_uniforms` make a draw that can be recognised.

    Returns
    -------
    ndarray of int or int, shape (...)
        Of tokens that are equally far ahead the first; a token with the logit ``-inf`` never.

    Raises
    ------
    ValueError
        A number isn't from 0 to 1; a logit is NaN or ``inf``; every logit of a slice is ``-inf``; the
        shapes don't fit.

    Notes
    -----
    If the numbers are independent and uniform, the token has the distribution of the softmax.

    Implements: eq-keyed-draw

    References
    ----------
    S. Aaronson, "Watermarking of large language models", Simons Institute (2023).

    Examples
    --------
    >>> gumbel_mark(np.log([0.5, 0.3, 0.2]), [0.2, 0.9, 0.5])  # 0.04, 0.70, 0.03
    np.int64(1)
    """
    logits, uniforms = read_logits("logits", logits), as_real(uniforms, "uniforms")[0]
    check_entries("logits", logits, logits < np.inf, "below +inf and without NaN")
    check_unit_interval(uniforms=uniforms)
    _same_tokens(logits=logits, uniforms=uniforms)
    broadcast_shape(logits=logits, uniforms=uniforms)
    with np.errstate(divide="ignore"):
        noise = -np.log(-np.log(uniforms.astype(np.float64)))
    return (log_softmax(logits) + np.clip(noise, -_FAR, _FAR)).argmax(axis=-1)


def gumbel_score(uniforms):
    r"""What the number of a token that was drawn says for the key.

    .. math:: -\log(1 - u)

    Parameters
    ----------
    uniforms : array_like
        From 0 to 1.

    Returns
    -------
    ndarray or scalar
        Of the shape and floating type of `uniforms`, ``inf`` for 1.  Of a number that has nothing to do
        with the token it is a standard exponential variable.

    Raises
    ------
    ValueError
        A number isn't from 0 to 1.

    Notes
    -----
    Implements: eq-score-null

    Examples
    --------
    >>> gumbel_score([0.0, 0.5, 0.99]).round(3)
    array([0.   , 0.693, 4.605])
    """
    uniforms, dtype = as_real(uniforms, "uniforms")
    check_unit_interval(uniforms=uniforms)
    with np.errstate(divide="ignore"):
        return (-np.log1p(-uniforms)).astype(dtype)[()]


def gumbel_p_value(scores, axis=-1):
    r"""Probability of a sum of scores as large as this, over keys, if the text knows nothing of the key.

    .. math:: \Pr(\Gamma_T \ge s) = e^{-s} \sum_{i < T} \frac{s^i}{i!}, \qquad s = \sum_t s_t

    Parameters
    ----------
    scores : array_like
        What `gumbel_score` returns for each token that is counted, 0 or more.
    axis : int

    Returns
    -------
    ndarray or scalar
        The shape of `scores` without `axis`, in its floating type; 1 if there are no scores, NaN if one is
        NaN.

    Raises
    ------
    ValueError
        A score is negative; there is no such axis.

    Notes
    -----
    It is exact over keys if each pair of context and token is counted once. It says nothing about the
    texts of one key.

    Implements: eq-gamma-sum

    References
    ----------
    P. Fernandez, A. Chaffin, K. Tit, V. Chappelier and T. Furon, "Three bricks to consolidate watermarks
    for large language models", arXiv:2308.00113 (2023).

    Examples
    --------
    >>> gumbel_p_value([0.1, 3.0, 2.5, 0.4])
    np.float64(0.15120...)
    """
    scores, dtype = as_real(scores, "scores")
    check_entries("scores", scores, ~(scores < 0), "not to be negative")
    axis = read_axis(axis, scores.ndim)
    total = scores.astype(np.float64).sum(axis=axis)
    count = scores.shape[axis]
    found = special.gammaincc(count, total) if count else np.ones_like(total)
    return np.asarray(found).astype(dtype)[()]


def expected_gumbel_score(logits):
    r"""Mean score of a token that was drawn with the key.

    .. math:: \sum_k p_k H_{1/p_k}, \qquad H_x = \int_0^1 \frac{1 - u^x}{1 - u}\,du = \psi(1 + x) + \gamma

    Parameters
    ----------
    logits : array_like, shape (..., V)

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `logits`: 1, the mean without a mark, if a token is certain, and more than
        1 by at least 0.644 times the entropy in nats, and at most the entropy; NaN where a slice holds
        NaN.

    Raises
    ------
    ValueError
        Every logit of a slice is ``-inf``; there is no token.

    Notes
    -----
    Implements: eq-score-mark

    Examples
    --------
    >>> expected_gumbel_score(np.log([0.5, 0.5]))  # 1 + 1/2
    np.float64(1.5)
    """
    dtype = as_real(logits, "logits")[1]
    p = np.exp(log_softmax(read_logits("logits", logits)))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        each = p * (special.digamma(1 + 1 / p) + np.euler_gamma)
    return np.where(p == 0, 0, each).sum(axis=-1).astype(dtype)[()]


def green_cost(logits, green, delta):
    r"""How far a green list takes the next token from the model, as a Kullback-Leibler divergence in nats.

    .. math:: \mathrm{KL}(p'\,\|\,p) = \delta\,\frac{S e^\delta}{Z} - \log Z, \qquad
              Z = 1 + (e^\delta - 1)\,S, \quad S = \sum_{k\ \mathrm{green}} p_k

    Parameters
    ----------
    logits : array_like, shape (..., V)
    green : array_like of bool, shape (..., V)
    delta : array_like, shape (...)
        What is added to the logits of green tokens; finite.

    Returns
    -------
    ndarray or scalar, shape (...)
        0 or more, and exactly 0 if `delta` is 0, or if all tokens or none that can occur are green.

    Raises
    ------
    TypeError
        `green` isn't Boolean.
    ValueError
        A `delta` isn't finite; a slice has NaN, or no token that can occur; the shapes don't fit.

    Notes
    -----
    Implements: eq-green-cost

    References
    ----------
    J. Kirchenbauer, J. Geiping, Y. Wen, J. Katz, I. Miers and T. Goldstein, "A watermark for large language
    models", ICML 40 (2023), arXiv:2301.10226.

    Examples
    --------
    >>> green_cost([0.0, 0.0], [True, False], 2.0)
    np.float64(0.32...)
    """
    dtype = np.result_type(as_real(logits, "logits")[1], as_real(delta, "delta")[1])
    logits, delta = read_logits("logits", logits), as_real(delta, "delta")[0].astype(np.float64)
    green = as_array(green, "green")
    if green.dtype != bool:
        raise TypeError(f"expected green to be Booleans, got an array of type {green.dtype}")
    check_entries("logits", logits, logits == logits, "without NaN")
    check_entries("delta", delta, np.isfinite(delta), "to be finite")
    _same_tokens(logits=logits, green=green)
    broadcast_shape(logits=logits[..., 0], green=green[..., 0], delta=delta)
    p = np.exp(log_softmax(logits))
    mass, rest = (np.where(one, p, 0).sum(axis=-1) for one in (green, ~green))
    with np.errstate(divide="ignore"):
        log_z = np.logaddexp(np.log(mass) + delta, np.log(rest))
        share = np.exp(np.log(mass) + delta - log_z)
    cost = np.where((mass == 0) | (rest == 0) | (delta == 0), 0, delta * share - log_z)
    return np.maximum(cost, 0).astype(dtype)[()]


def tournament(logits, bits):
    r"""Log-probabilities of the winner of a tournament in which keyed bits decide.

    .. math:: p_k \leftarrow p_k \Bigl(1 + g_k - \sum_i p_i g_i\Bigr) \quad\text{in each layer}

    Parameters
    ----------
    logits : array_like, shape (..., V)
    bits : array_like, shape (..., m, V)
        0 or 1, a row for each layer, in their order.

    Returns
    -------
    ndarray, shape (..., V)
        ``-inf`` for a token that cannot win; without layers that is `log_softmax`.

    Raises
    ------
    ValueError
        A bit is something else; a slice of `logits` has NaN, or nothing but ``-inf``; the shapes don't fit.

    Notes
    -----
    In a layer two candidates are drawn, and the one with the larger bit wins, of equal ones by a fair coin.
    The mean over fair bits is the distribution that it began with.

    Implements: eq-tournament

    References
    ----------
    S. Dathathri et al., "Scalable watermarking for identifying large language model outputs", Nature 634,
    818-823 (2024).

    Examples
    --------
    >>> np.exp(tournament(np.log([0.5, 0.3, 0.2]), [[1, 0, 0]])).round(4)
    array([0.75, 0.15, 0.1 ])
    """
    dtype = as_real(logits, "logits")[1]
    logits, bits = read_logits("logits", logits), as_real(bits, "bits")[0]
    if bits.ndim < 2:
        raise ValueError(f"expected bits of shape (..., layers, V), got {bits.shape}")
    check_entries("logits", logits, logits == logits, "without NaN")
    check_entries("bits", bits, (bits == 0) | (bits == 1), "to be 0 or 1")
    _same_tokens(logits=logits, bits=bits)
    lead = broadcast_shape(logits=logits[..., 0], bits=np.empty(bits.shape[:-2]))
    log_p = np.broadcast_to(log_softmax(logits), (*lead, logits.shape[-1]))
    for layer in range(bits.shape[-2]):
        g = bits[..., layer, :]
        mass = (np.exp(log_p) * g).sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore"):
            log_p = log_softmax(log_p + np.log(np.maximum(1 + g - mass, 0)))
    return log_p.astype(dtype)


# --- Reading -------------------------------------------------------------------------


def _same_tokens(**arrays):
    """Whether arrays have the same tokens on the last axis, of which none is repeated."""
    if len({np.shape(x)[-1] if np.ndim(x) else None for x in arrays.values()}) > 1:
        got = " and ".join(f"{name} of shape {np.shape(x)}" for name, x in arrays.items())
        raise ValueError(f"expected the same tokens on the last axis, got {got}")
