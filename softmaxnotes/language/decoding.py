r"""What a decoder cuts, and what the cut costs.

A *truncation* keeps some of the next tokens, and renormalises: `truncate` has the rules in use, and
`log_kept_mass` tells what a truncation costs, :math:`-\log c` nats where :math:`c` is the mass kept. A text
that was cut token by token has another distribution than one drawn freely and kept if nothing in it was cut;
`exact_step` is the next token of the latter, and `enumerate_sequences` lists all texts of a small model, so
that both can be seen.

Models are functions ``step(prefixes)``, as in `softmaxnotes.gumbel.beam_search`.
"""

from collections.abc import Callable

import numpy as np

from ..arguments import as_array, as_real, broadcast_shape, read_count, read_number, read_temperature
from ..gumbel.beam_search import Sequences, next_law, read_length
from ..softmax import log_softmax, logsumexp
from .lookahead import check_many, look_ahead

__all__ = ["enumerate_sequences", "exact_step", "log_kept_mass", "truncate"]

_MARGIN = 1e-12  # what is nearer to a threshold is on it


def truncate(
    logits,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    typical_p: float | None = None,
    epsilon: float | None = None,
    eta: float | None = None,
):
    r"""Logits over a temperature, with ``-inf`` for the classes that the rules cut.

    The rules are applied in this order, each to what the one before has left, renormalised; with
    :math:`\pi = \operatorname{softmax}(z/T)` and its entropy :math:`H`,

    ============= =====================================================================================
    `top_k`       the `k` most probable
    `top_p`       the fewest, most probable first, whose mass is at least :math:`p`
    `min_p`       :math:`\pi_k \ge p \max\pi`, that is :math:`z_k \ge \max z + T\log p`
    `typical_p`   the fewest, in the order of :math:`|{-\log\pi_k} - H|`, whose mass is at least :math:`p`
    `epsilon`     :math:`\pi_k \ge \varepsilon`
    `eta`         :math:`\pi_k \ge \min(\eta, \sqrt\eta\,e^{-H})`
    ============= =====================================================================================

    Parameters
    ----------
    logits : array_like, shape (..., V)
        Real; ``-inf`` for a class that is impossible.
    temperature : float
        Divides the logits, before all rules.
    top_k : int, optional
        At least 1; more than there are keeps all.
    top_p, typical_p : float, optional
        In (0, 1]; 1 keeps all that are possible.
    min_p : float, optional
        From 0 to 1; 1 keeps those that are as probable as the first.
    epsilon, eta : float, optional
        In [0, 1).

    Returns
    -------
    ndarray, shape (..., V)
        In the floating type of `logits`; its softmax is what to draw from.

    Raises
    ------
    TypeError
        `logits` aren't real.
    ValueError
        There is no axis or no class, a slice holds nothing but ``-inf``, or ``+inf``; a number is out of its
        range.

    Notes
    -----
    Of classes with the same logit those of lower index are kept first. At least one class stays: the most
    probable, and under `typical_p` the first in its order. Masses are summed in ``float64``, the smallest
    first; what misses a threshold by less than 1e-12 counts as on it, so that ten probabilities of 0.09 are a
    nucleus of 0.9. NaN makes the whole slice NaN.

    Ties and rounding aside this is what the warpers of the library transformers do, which divides by the
    temperature first, too, and keeps all classes that are tied with the last one under `top_k` and
    `typical_p`. vLLM applies `min_p` before `top_k` and `top_p`. llama.cpp divides last, so there truncate
    first, and divide what is left.

    Implements: eq-min-p-window

    References
    ----------
    A. Fan, M. Lewis and Y. Dauphin, "Hierarchical neural story generation", ACL (2018), for `top_k`.
    A. Holtzman, J. Buys, L. Du, M. Forbes and Y. Choi, "The curious case of neural text degeneration", ICLR
    (2020), for `top_p`.
    M. N. Nguyen, A. Baker, C. Neo, A. Roush, A. Kirsch and R. Shwartz-Ziv, "Turning up the heat: min-p
    sampling for creative and coherent LLM outputs", ICLR (2025), for `min_p`.
    C. Meister, T. Pimentel, G. Wiher and R. Cotterell, "Locally typical sampling", TACL 11 (2023), for
    `typical_p`.
    J. Hewitt, C. D. Manning and P. Liang, "Truncation sampling as language model desmoothing", Findings of
    EMNLP (2022), for `epsilon` and `eta`.

    Examples
    --------
    >>> z = np.log([0.5, 0.3, 0.15, 0.05])
    >>> np.isfinite(truncate(z, top_p=0.8)), np.isfinite(truncate(z, min_p=0.2))
    (array([ True,  True, False, False]), array([ True,  True,  True, False]))

    The most probable class isn't always typical:

    >>> z = np.log([0.45] + [0.011] * 50)
    >>> kept = np.isfinite(truncate(z, typical_p=0.5))
    >>> bool(kept[0]), int(kept.sum())
    (False, 46)
    """
    x, dtype = as_real(logits, "logits")
    tau = read_temperature(temperature, x.dtype)
    top_k = None if top_k is None else read_count("top_k", top_k)
    top_p, typical_p = _share("top_p", top_p, least=False), _share("typical_p", typical_p, least=False)
    min_p = _share("min_p", min_p)
    epsilon, eta = _share("epsilon", epsilon, most=False), _share("eta", eta, most=False)
    unknown = _check_law(x)
    known = np.where(unknown, 0, x)
    law, keep = log_softmax(known.astype(np.float64), temperature=tau), known > -np.inf
    if top_k is not None or top_p is not None and top_p < 1:
        order = np.argsort(-law, axis=-1, kind="stable")
        if top_k is not None:
            _drop(keep, order, np.arange(law.shape[-1]) >= top_k)
        if top_p is not None and top_p < 1:
            _drop(keep, order, _tail(_renormalised(law, keep), order, top_p))
    if min_p is not None and min_p > 0:
        keep &= law >= law.max(axis=-1, keepdims=True) + np.log(min_p) - _MARGIN
    if typical_p is not None and typical_p < 1:
        left = _renormalised(law, keep)
        away = np.abs(left + _entropy(left)).round(12)  # equal ones in the order of their index
        order = np.argsort(np.where(keep, away, np.inf), axis=-1, kind="stable")
        _drop(keep, order, _tail(left, order, typical_p))
    for threshold, adapts in ((epsilon, False), (eta, True)):
        if threshold:
            left, floor = _renormalised(law, keep), np.log(threshold)
            if adapts:
                floor = np.minimum(floor, floor / 2 - _entropy(left))
            best = left.argmax(axis=-1)[..., None] == np.arange(left.shape[-1])
            keep &= (left >= floor - _MARGIN) | best
    with np.errstate(over="ignore"):
        out = np.where(keep, x / x.dtype.type(tau), -np.inf)
        return np.where(unknown, np.nan, out).astype(dtype, copy=False)


def log_kept_mass(logits, truncated):
    r"""Logarithm of the mass that a truncation keeps, of which the negative is what it costs.

    .. math:: \log c, \qquad c = \sum_{k \in S}\pi_k, \qquad \mathrm{KL}(\pi^S\,\Vert\,\pi) = -\log c

    where :math:`\pi = \operatorname{softmax}(z)`, :math:`S` are the classes kept and :math:`\pi^S` is
    :math:`\pi` on them, renormalised.

    Parameters
    ----------
    logits : array_like, shape (..., V)
        Of the model; over the temperature, if the cost at that temperature is asked for.
    truncated : array_like, shape (..., V)
        A class is kept where this is more than ``-inf``; what else it is doesn't matter.

    Returns
    -------
    ndarray or scalar, shape (...)
        In the floating type of `logits`. 0 if nothing is cut that has a probability.

    Raises
    ------
    TypeError
        One of them isn't real.
    ValueError
        They have different numbers of classes, or leading axes that don't fit; a slice of one of them holds
        nothing but ``-inf``, or logits are ``+inf``.

    Notes
    -----
    Where less than half is cut this is ``log1p`` of the mass that is cut, so that a cut of 1e-30 costs 1e-30.
    NaN in a slice of either is NaN.

    Implements: eq-cut-cost

    Examples
    --------
    >>> z = np.log([0.5, 0.3, 0.15, 0.05])
    >>> log_kept_mass(z, truncate(z, top_k=2)).round(3)
    np.float64(-0.223)
    """
    x, dtype = as_real(logits, "logits")
    seen = as_real(truncated, "truncated")[0]
    if x.ndim == 0 or seen.ndim == 0 or x.shape[-1] != seen.shape[-1]:
        raise ValueError("expected logits and truncated with the same number of classes on the last axis, "
                         f"got shapes {x.shape} and {seen.shape}")
    shape = broadcast_shape(logits=x, truncated=seen)
    unknown = _check_law(x) | _check_law(seen, "truncated", allow=True)
    x, kept = np.broadcast_to(x, shape).astype(np.float64), np.broadcast_to(seen > -np.inf, shape)
    x = np.where(unknown, 0, x)
    whole = logsumexp(x)
    cut = np.exp(logsumexp(np.where(kept, -np.inf, x)) - whole)
    with np.errstate(divide="ignore"):
        far = logsumexp(np.where(kept, x, -np.inf)) - whole
        found = np.where(cut < 0.5, np.log1p(-np.minimum(cut, 0.5)), np.minimum(far, 0))
    found = np.where(unknown[..., 0], np.nan, found)
    return found.astype(dtype, copy=False)[()]


def enumerate_sequences(
    step: Callable, length: int, *, vocabulary: int | None = None, end: int | None = None
) -> Sequences:
    """All sequences that a model can say, with their log-probabilities.

    Parameters
    ----------
    step : callable
        ``step(prefixes)`` gives log-probabilities of next tokens, shape (B, V).
    length : int
        Largest number of tokens.
    vocabulary : int, optional
        Number of tokens that each answer must have; if it isn't told, any number.
    end : int, optional
        The token that ends a sequence; without it, all have the same length.

    Returns
    -------
    Sequences
        Those of positive probability, in lexicographic order; keys are log-probabilities. A sequence that has
        not ended after `length` tokens is among them.

    Raises
    ------
    ValueError
        There are more than a million prefixes; a number is negative; the answers of the model aren't
        log-probabilities, or of another number of tokens.

    Examples
    --------
    >>> found = enumerate_sequences(lambda prefixes: np.log([[0.5, 0.5]] * len(prefixes)), 2, end=0)
    >>> found.tokens.tolist(), np.exp(found.log_probs)
    ([[0, 0], [1, 0], [1, 1]], array([0.5 , 0.25, 0.25]))
    """
    length, end = read_length(length, end)
    vocabulary = None if vocabulary is None else read_count("vocabulary", vocabulary)
    prefixes, log_probs = np.empty((1, 0), np.int64), np.zeros(1)
    done, asked = [], 0
    for t in range(length):
        if not len(prefixes):
            break
        law = next_law(step, prefixes, end)[0]
        if vocabulary is not None and law.shape[1] != vocabulary:
            raise ValueError(f"expected answers for {vocabulary} tokens, got {law.shape[1]}")
        asked += len(prefixes)
        row, token = np.nonzero(law > -np.inf)
        check_many(asked + len(row))
        prefixes = np.concatenate([prefixes[row], token[:, None]], axis=1)
        log_probs = log_probs[row] + law[row, token]
        ended = token == end if end is not None else np.zeros(len(token), bool)
        filler = np.full((ended.sum(), length - t - 1), end if end is not None else 0)
        done.append((np.concatenate([prefixes[ended], filler], axis=1), log_probs[ended]))
        prefixes, log_probs = prefixes[~ended], log_probs[~ended]
    if prefixes.shape[1] == length:
        done.append((prefixes, log_probs))
    tokens, log_probs = (np.concatenate(parts) for parts in zip(*done))
    order = np.lexsort(tokens.T[::-1]) if length else slice(None)
    return Sequences(tokens[order], log_probs[order], log_probs[order].copy(), asked)


def exact_step(step: Callable, allowed: Callable, length: int, *, end: int | None = None) -> Callable:
    r"""The next token of a text of which no token is forbidden: as if it were drawn until that happens.

    To forbid tokens at every step and renormalise draws other texts, too often those that begin well and then
    are forced. With the probability :math:`V` to get through from a prefix,

    .. math:: V = \sum_{k \text{ allowed}} \pi_k V_k, \qquad \pi^*_k = \frac{\pi_k V_k}{V},

    where :math:`V_k` is that of the prefix with the token :math:`k`, and 1 for a complete sequence. Drawing
    from :math:`\pi^*` draws whole sequences as the model does, given that all of their tokens are allowed.

    Parameters
    ----------
    step : callable
        ``step(prefixes)`` gives log-probabilities of next tokens, shape (B, V).
    allowed : callable
        ``allowed(prefixes)`` tells which tokens may come next, Booleans of shape (B, V).
    length : int
        Largest number of tokens.
    end : int, optional
        The token that ends a sequence.

    Returns
    -------
    callable
        A `step`; it raises a ValueError for a prefix from which nothing allowed can be reached, and for one
        that is complete.

    Raises
    ------
    ValueError
        A number is negative. By what is returned, also: there are more than a million prefixes to be looked
        at; the answers of `step` or `allowed` have another shape, or the former aren't log-probabilities.
    TypeError
        The answers of `allowed` aren't Booleans.

    Notes
    -----
    All that can follow a prefix is looked at, and remembered: this is for small trees. If model and rule see
    the last few tokens only, there are few different :math:`V` for each length, and no tree is needed.

    Implements: eq-through

    Examples
    --------
    After 0 a fair coin is forbidden to show 1 again, after 1 nothing is:

    >>> coin = lambda prefixes: np.log([[0.5, 0.5]] * len(prefixes))
    >>> may = lambda prefixes: np.array([[True, 0 not in prefix] for prefix in prefixes])
    >>> np.exp(exact_step(coin, may, 2)(np.empty((1, 0), int))).round(3)
    array([[0.333, 0.667]])
    """
    length, end = read_length(length, end)

    def weigh(prefixes):
        law = next_law(step, prefixes, end)[0]
        may = as_array(allowed(prefixes.copy()), "answers of allowed")
        if may.dtype != bool:
            raise TypeError(f"expected Booleans of allowed, got an array of type {may.dtype}")
        if may.shape != law.shape:
            raise ValueError(f"expected allowed to answer with the shape {law.shape}, got {may.shape}")
        return np.where(may, law, -np.inf)

    return look_ahead(weigh, lambda texts: np.zeros(len(texts)), length, end=end, wanted="something allowed")


# --- Inside ----------------------------------------------------------------------------


def _share(name, p, *, least=True, most=True):
    """A number from 0 to 1, with or without the ends."""
    if p is None:
        return None
    p = read_number(name, p)
    if not (0 <= p <= 1 and (least or p > 0) and (most or p < 1)):
        ends = f"{'[' if least else '('}0, 1{']' if most else ')'}"
        raise ValueError(f"expected {name} to be in {ends}, got {p}")
    return p


def _check_law(x, name="logits", *, allow=False):
    """Which slices hold NaN, shape (..., 1); a slice without a class is refused, and ``+inf``."""
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"expected {name} of shape (..., V) with V > 0, got shape {x.shape}")
    unknown = np.isnan(x).any(axis=-1, keepdims=True)
    if not allow and np.isposinf(x).any():
        raise ValueError(f"expected {name} below +inf, got inf")
    if np.isneginf(x).all(axis=-1).any():
        raise ValueError(f"expected {name} with a class that is possible in each slice, got one of only -inf")
    return unknown


def _renormalised(law, keep):
    left = np.where(keep, law, -np.inf)
    return left - logsumexp(left, keepdims=True)


def _entropy(law):
    return -(np.exp(law) * np.where(law > -np.inf, law, 0)).sum(axis=-1, keepdims=True)


def _tail(law, order, p):
    """In that order, what isn't needed for the mass `p`; the first always is."""
    mass = np.exp(np.take_along_axis(law, order, axis=-1))
    behind = mass[..., ::-1].cumsum(axis=-1)[..., ::-1]  # the smallest are added first
    needless = behind <= 1 - p + _MARGIN
    needless[..., 0] = False
    return needless


def _drop(keep, order, dropped):
    """Cut what is dropped, given in that order."""
    mask = np.zeros_like(keep)
    np.put_along_axis(mask, order, np.broadcast_to(dropped, keep.shape), axis=-1)
    keep &= ~mask
