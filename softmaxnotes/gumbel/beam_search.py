r"""Stochastic beam search: draws without replacement from a tree too large to list.

A model gives the law of the next token. The leaves of the tree of its prefixes are sequences :math:`y`, with
log-probabilities :math:`\phi_y`; each has a key :math:`\phi_y + G_y` with Gumbel noise, and the `k` sequences
of the largest keys are an ordered draw without replacement. An inner node has the largest key below it. So
keys are drawn from the root downwards, and only prefixes whose key is among the `k` largest of their level
are shown to the model:

    >>> import numpy as np
    >>> from softmaxnotes.gumbel import stochastic_beam_search
    >>> law = np.log([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])  # the next token depends on the length only
    >>> found = stochastic_beam_search(lambda prefixes: law[[prefixes.shape[1]] * len(prefixes)], 3, 2, rng=0)
    >>> found.tokens.tolist(), found.evaluations
    ([[2, 2], [1, 0], [0, 1]], 4)

The model
---------
is any function ``step(prefixes)``. Prefixes are an integer array of shape (B, t), with t from 0; the result,
of shape (B, V), holds the log-probabilities of the V next tokens, as an array or a tensor; ``-inf`` forbids
one. With ``end=`` a sequence is complete after its first token of that number; it is shown to the model no
more, and later places are filled with that number. Without, all sequences have the same length.
`softmaxnotes.gumbel.next_token` has such functions.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arguments import as_real, broadcast_to, check_entries, read_axis, read_count, read_rng
from ..softmax import softmax
from .distribution import exponential, gumbel
from .truncated import condition_on_maximum_gap

__all__ = [
    "Sequences",
    "beam_search",
    "importance_weights",
    "sample_sequences",
    "stochastic_beam_search",
    "three_ways",
]

_FAR = 300.0  # e to this, squared, is a float
_MANY = 2**13  # children, from which on it is cheaper to draw those that are first


class Sequences(NamedTuple):
    r"""What a search found.

    Attributes
    ----------
    tokens : ndarray of int, shape (m, length)
        After the end of a sequence, the token that ends it.
    log_probs : ndarray, shape (m,)
        :math:`\phi_y = \log p(y)`.
    keys : ndarray, shape (m,)
        Of a stochastic beam search the keys, the largest first; of the other searches the log-probabilities.
    evaluations : int
        How many prefixes were shown to the model.
    """

    tokens: np.ndarray
    log_probs: np.ndarray
    keys: np.ndarray
    evaluations: int


def stochastic_beam_search(
    step: Callable, k: int, length: int, *, rng=None, end: int | None = None, progress: bool = False
) -> Sequences:
    r"""Ordered draw of `k` different sequences without replacement, by their keys.

    A node :math:`S` of the tree has the key :math:`G_S = \max_{y \in S} (\phi_y + G_y)`, a Gumbel variable
    with location :math:`\phi_S = \log p(S)`. Given that :math:`G_S = T`, its children have the keys

    .. math:: \tilde G_{S'} = -\log\bigl(e^{-T} - e^{-Z} + e^{-G_{S'}}\bigr), \qquad
              G_{S'} \sim \operatorname{Gumbel}(\phi_{S'}), \qquad Z = \max_{S'} G_{S'}.

    Parameters
    ----------
    step : callable
        ``step(prefixes)`` gives log-probabilities of next tokens, shape (B, V): see the module.
    k : int
        How many sequences, and the width of the beam.
    length : int
        Largest number of tokens.
    rng : None, int or numpy.random.Generator
    end : int, optional
        The token that ends a sequence.
    progress : bool
        Whether a bar shows how many tokens are done.

    Returns
    -------
    Sequences
        All different, by falling keys. There are fewer than `k` if fewer have a positive probability; then
        they are all that there are.

    Raises
    ------
    ValueError
        `k`, `length` or `end` is negative, or there is no token `end`; the answers of the model have another
        shape, or hold NaN or ``inf``, or a row doesn't add up to one, to half of the digits of its floating
        type.

    Notes
    -----
    The keys are those that all sequences would get from independent noise, restricted to the `k` largest; a
    prefix that isn't among the `k` largest of its level can't lead to one. The root's key is standard Gumbel.

    Noise and log-probabilities are ``float64``, whatever the type of the model. Children are compared by the
    times of a race, and where floats don't hold these, by keys. From some thousand children on, those that
    come first are drawn from cumulated probabilities, with noise for few more than `k`: this rounds each
    probability by at most 1e-16 times the numbers of parents and of children. A key is computed as the
    parent's less a gap, so that a log-probability of -1000 costs no accuracy.

    `k` or `length` of 0 asks nothing of the model; the only sequence of length 0 is the empty one, of
    probability 1.

    Implements: eq-moved

    References
    ----------
    W. Kool, H. van Hoof and M. Welling, "Stochastic beams and where to find them", ICML (2019).

    Examples
    --------
    Three coins, the law of which is enumerated as soon as `k` reaches 8:

    >>> fair = lambda prefixes: np.full((len(prefixes), 2), -np.log(2))
    >>> found = stochastic_beam_search(fair, 10, 3, rng=0)
    >>> found.tokens.shape, found.evaluations, float(np.exp(found.log_probs).sum().round(12))
    ((8, 3), 7, 1.0)
    """
    rng = read_rng(rng)

    def pick(law, weights, beam, k):
        return first_children(law, weights, beam, k, rng)

    return _search(step, k, length, pick, float(gumbel(rng=rng)), end, progress)


def beam_search(
    step: Callable, k: int, length: int, *, end: int | None = None, progress: bool = False
) -> Sequences:
    """The `k` most probable continuations of each level: the usual beam search.

    Parameters, results and errors are those of `stochastic_beam_search`; nothing is random, and the keys are
    the log-probabilities. Nothing says that a most probable sequence is found.

    Examples
    --------
    A prefix of probability 0.4 whose best continuation has 0.9 is lost to one of 0.6 that has two of 0.5:

    >>> law = np.log([[[0.6, 0.4]] * 2, [[0.5, 0.5], [0.9, 0.1]]])
    >>> step = lambda y: law[y.shape[1], y[:, -1] if y.shape[1] else [0]]
    >>> np.exp(beam_search(step, 1, 2).log_probs).round(2), np.exp(beam_search(step, 2, 2).log_probs).round(2)
    (array([0.3]), array([0.36, 0.3 ]))
    """

    def pick(law, weights, beam, k):
        found = beam.log_probs[:, None] + law
        row, token = _smallest(-found, k)
        return row, token, found[row, token]

    return _search(step, k, length, pick, 0.0, end, progress)


def sample_sequences(
    step: Callable, n_sequences: int, length: int, *, rng=None, end: int | None = None, progress: bool = False
) -> Sequences:
    """Independent sequences: the same one may come several times.

    Parameters, results and errors are those of `stochastic_beam_search`, except that there are always
    `n_sequences`, in no order, and the keys are the log-probabilities. A prefix that several of them share
    is shown to the model once.

    Examples
    --------
    >>> fair = lambda prefixes: np.full((len(prefixes), 2), -np.log(2))
    >>> found = sample_sequences(fair, 100, 3, rng=0)
    >>> found.tokens.shape, found.evaluations, len(np.unique(found.tokens, axis=0))
    ((100, 3), 7, 8)
    """
    n = read_count("n_sequences", n_sequences, least=0)
    length, end = read_length(length, end)
    rng = read_rng(rng)
    tokens, log_probs = np.empty((n, 0), np.int64), np.zeros(n)
    open_, evaluations = np.ones(n, bool), 0
    for _ in _bar(range(length), progress):
        token = np.full(n, -1 if end is None else end)
        if open_.any():
            prefixes, which = np.unique(tokens[open_], axis=0, return_inverse=True)
            law = next_law(step, prefixes, end)[0][which.reshape(-1)]
            evaluations += len(prefixes)
            choice = (law + gumbel(law.shape, rng=rng)).argmax(axis=1)
            log_probs[open_] += law[np.arange(len(choice)), choice]
            token[open_] = choice
        tokens = np.concatenate([tokens, token[:, None]], axis=1)
        open_ = open_ & (token != end)
    return Sequences(tokens, log_probs, log_probs.copy(), evaluations)


def importance_weights(log_probs, threshold, *, normalised: bool = False):
    r"""Weights with which sequences drawn without replacement estimate a mean over all.

    .. math:: w_y = \frac{p(y)}{q_\kappa(y)}, \qquad
              q_\kappa(y) = \Pr(\phi_y + G_y > \kappa) = 1 - e^{-e^{\phi_y - \kappa}}

    Parameters
    ----------
    log_probs : array_like, shape (..., k)
        :math:`\phi_y` of the `k` sequences of the largest keys, along the last axis, as searches give them.
    threshold : array_like, shape (...)
        :math:`\kappa`, the key that comes next, the largest of those left out: search for `k` + 1 sequences,
        and leave out the last. ``-inf`` if none is left out; then the weights are the probabilities.
    normalised : bool
        Whether the weights are divided by their sum: biased, and mostly nearer.

    Returns
    -------
    ndarray, shape (..., k)
        In the floating type of `log_probs`. With :math:`\sum_y w_y f(y)` the mean of :math:`f` is estimated
        without bias, unless `normalised`.

    Raises
    ------
    ValueError
        A log-probability is positive, NaN or ``-inf``; a `threshold` is NaN or ``inf``; the shapes don't fit.

    Notes
    -----
    The weights of `inclusion_weights`, for a domain that can't be listed: these are log-probabilities.

    Implements: eq-sequence-weight

    References
    ----------
    N. Duffield, C. Lund and M. Thorup, "Priority sampling for estimation of arbitrary subset sums", Journal
    of the ACM 54 (2007) 32.

    Examples
    --------
    >>> importance_weights(np.log([0.5, 0.25]), np.log(0.25)).round(4)
    array([0.5783, 0.3955])
    >>> importance_weights(np.log([0.5, 0.25, 0.25]), -np.inf)
    array([0.5 , 0.25, 0.25])
    """
    (phi, dtype), kappa = as_real(log_probs, "log_probs"), as_real(threshold, "threshold")[0]
    read_axis(-1, phi.ndim)
    check_entries("log_probs", phi, np.isfinite(phi) & (phi <= 1e-6), "finite and not above 0")
    check_entries("threshold", kappa, kappa < np.inf, "below inf")
    broadcast_to(phi.shape[:-1], "threshold", kappa)
    phi, kappa = phi.astype(np.float64), kappa.astype(np.float64)
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        late = phi - kappa[..., None]
        log_inside = np.where(late < -36, late, np.log(-np.expm1(-np.exp(late))))
        log_weights = phi - log_inside
    return (softmax(log_weights) if normalised else np.exp(log_weights)).astype(dtype)


def three_ways(step: Callable, k: int, length: int, *, rng=None, end: int | None = None) -> list:
    """Sequences for an estimate of a mean, with their weights: by sampling, stochastic beam and beam search.

    Parameters are those of `stochastic_beam_search`.

    Returns
    -------
    list of (Sequences, ndarray)
        Drawn with replacement, all of one weight; a stochastic beam of `k` + 1, without the last, with
        normalised `importance_weights`; and a beam, with its probabilities over their sum. The weights, for
        the first `k` sequences or fewer, add up to one.

    Raises
    ------
    TypeError, ValueError
        As `stochastic_beam_search`, and if `k` is 0.

    Examples
    --------
    >>> fair = lambda prefixes: np.full((len(prefixes), 2), -np.log(2))
    >>> [float((w @ found.tokens[:, 0]).round(3)) for found, w in three_ways(fair, 8, 3, rng=4)]
    [0.5, 0.5, 0.5]
    """
    k, (length, end) = read_count("k", k), read_length(length, end)
    rng = read_rng(rng)
    drawn = sample_sequences(step, k, length, rng=rng, end=end)
    beam = stochastic_beam_search(step, k + 1, length, rng=rng, end=end)
    threshold = beam.keys[k] if len(beam.keys) > k else -np.inf
    best = beam_search(step, k, length, end=end)
    share = softmax(best.log_probs)
    return [(drawn, np.full(k, 1 / k)),
            (beam, importance_weights(beam.log_probs[:k], threshold, normalised=True)), (best, share)]


# --- The search ---------------------------------------------------------------


class Beam(NamedTuple):
    tokens: np.ndarray
    log_probs: np.ndarray
    keys: np.ndarray
    open: np.ndarray


def _search(step, k, length, pick, root, end, progress):
    """Keep the k largest keys of each level; ``pick`` finds those of the children, given their law."""
    k, (length, end) = read_count("k", k, least=0), read_length(length, end)
    blank = np.full((1, length), 0 if end is None else end)
    beam = Beam(blank, np.zeros(1), np.full(1, root), np.ones(1, bool))
    beam, evaluations = Beam(*(part[:k] for part in beam)), 0
    for t in _bar(range(length), progress):
        asked = beam if beam.open.all() else Beam(*(part[beam.open] for part in beam))
        if not len(asked.open):
            break
        law, weights = next_law(step, asked.tokens[:, :t], end)
        evaluations += len(law)
        row, token, keys = pick(law, weights, asked, k)
        tokens = asked.tokens[row]
        tokens[:, t] = token
        still = np.ones(len(token), bool) if end is None else token != end
        grown = Beam(tokens, asked.log_probs[row] + law[row, token], keys, still)
        if asked is not beam:
            grown = Beam(*(np.concatenate([new, old[~beam.open]]) for new, old in zip(grown, beam)))
        best = np.argsort(-grown.keys, kind="stable")[:k]
        beam = Beam(*(part[best] for part in grown))
    return Sequences(beam.tokens, beam.log_probs, beam.keys, evaluations)


def first_children(law, weights, beam, k, rng):
    """Rows, columns and keys of the children whose clocks ring first.

    A child's time is e^(-key). Measured in the units of its parent it is E / p, and all are shifted by what
    makes the first of them the parent's. Where such numbers leave the range of floats, logarithms do.
    """
    above = beam.keys - beam.log_probs
    rarer = beam.log_probs.max() - beam.log_probs
    far = max(np.abs(above).max(), rarer.max()) > _FAR
    if not far and law.size > max(_MANY, 16 * k):
        return _calls(law, weights, beam, k, rng)
    if far or _least(law) < -_FAR:
        noisy = law + gumbel(law.shape, rng=rng)  # less the parent's log-probability, as its key
        gaps = condition_on_maximum_gap(noisy, above)
        row, token = _smallest(gaps - beam.keys[:, None], k)
        return row, token, beam.keys[row] - gaps[row, token]
    with np.errstate(divide="ignore"):
        wait = exponential(law.shape, rng) / weights
    wait -= wait.min(axis=1, keepdims=True)
    row, token = _smallest((wait + np.exp(-above)[:, None]) * np.exp(rarer)[:, None], k)
    return row, token, beam.keys[row] - np.log1p(wait[row, token] * np.exp(above[row]))


def _least(law):
    """The smallest log-probability of what is possible."""
    least = law.min()
    return law[law > -np.inf].min() if least == -np.inf else least


def _calls(law, weights, beam, k, rng):
    """As `first_children`, with little more noise than for k children.

    A Poisson process of calls, each for a child that is drawn with probability p, calls every child for the
    first time after an exponential time of rate p, independently of the others. So a first child is drawn for
    each parent, at the parent's time; from then on come calls, up to a time that is one for all parents and
    is put off until k different children were called. If calls repeat too often, those children whom nobody
    has called by then get noise of their own.
    """
    above, share = beam.keys - beam.log_probs, np.exp(beam.log_probs - beam.log_probs.max())
    ends = np.cumsum(weights)
    last = ends[law.shape[1] - 1 :: law.shape[1]]
    before = np.concatenate([[0.0], last[:-1]])
    rate, start = share * (last - before), np.exp(-above) / share

    def drawn(row):
        at = before[row] + rng.random(len(row)) * (last - before)[row]
        return np.searchsorted(ends, np.minimum(at, np.nextafter(last, 0)[row]), side="right")

    child, wait, now, calls = np.empty(0, np.int64), np.empty(0), -np.inf, 2 * k + 8
    while len(child) < k and calls <= law.size // 4:
        until, low = _time_of(calls, rate, start), np.maximum(start, now)
        new = np.flatnonzero((start > now) & (start <= until))
        row = np.repeat(np.arange(len(rate)), rng.poisson(rate * np.maximum(until - low, 0)))
        waited = ((low - start)[row] + rng.random(len(row)) * (until - low)[row]) * share[row]
        child = np.concatenate([child, drawn(new), drawn(row)])
        wait = np.concatenate([wait, np.zeros(len(new)), waited])
        order = np.argsort(wait, kind="stable")
        child, first = np.unique(child[order], return_index=True)
        wait, now, calls = wait[order][first], until, 2 * calls
    row = child // law.shape[1]
    if len(child) >= k:
        best = _smallest((start[row] + wait / share[row])[None], k)[1]
        row, token, wait = row[best], child[best] % law.shape[1], wait[best]
        return row, token, beam.keys[row] - np.log1p(wait * np.exp(above[row]))

    new = np.flatnonzero(start > now)
    child, wait = np.concatenate([child, drawn(new)]), np.concatenate([wait, np.zeros(len(new))])
    passed = np.log1p(np.maximum(now - start, 0) * share * np.exp(above))
    gaps = np.logaddexp(0, (above - passed)[:, None] - law - gumbel(law.shape, rng=rng)) + passed[:, None]
    gaps.reshape(-1)[child] = np.log1p(wait * np.exp(above[child // law.shape[1]]))
    row, token = _smallest(gaps - beam.keys[:, None], k)
    return row, token, beam.keys[row] - gaps[row, token]


def _time_of(calls, rate, start):
    """When so many calls are to be expected: one at each start, and from then on with a rate."""
    order = np.argsort(start)
    rate, start = rate[order], start[order]
    so_far = np.cumsum(rate)
    then = np.cumsum(rate * start)
    counts = np.arange(1, len(start) + 1)
    at = max(np.searchsorted(counts + so_far * start - then, calls, side="right") - 1, 0)
    return max((calls - counts[at] + then[at]) / so_far[at], start[at])


def _smallest(values, k):
    """Rows and columns of the k smallest values that are finite, in no order."""
    flat = values.reshape(-1)
    chosen = np.argpartition(flat, k)[:k] if k < flat.size else np.arange(flat.size)
    return np.divmod(chosen[flat[chosen] < np.inf], values.shape[1])


def next_law(step, prefixes, end):
    """The model's answer, checked, and the probabilities."""
    answer, tolerance = step(prefixes.copy()), None
    if hasattr(answer, "detach"):  # a tensor
        answer = answer.detach().cpu()
        if "bfloat16" in str(answer.dtype):  # which NumPy doesn't have
            answer, tolerance = answer.float(), 2.0**-3.5
        answer = answer.numpy()
    law, dtype = as_real(answer, "answers of the model")
    tolerance = tolerance or np.sqrt(np.finfo(dtype if dtype.kind == "f" else np.float64).eps)
    if law.ndim != 2 or len(law) != len(prefixes) or law.shape[1] == 0:
        raise ValueError(f"expected log-probabilities of shape ({len(prefixes)}, V) for prefixes of shape "
                         f"{prefixes.shape}, got an answer of shape {law.shape}")
    if end is not None and end >= law.shape[1]:
        raise ValueError(f"expected end to be one of {law.shape[1]} tokens, from 0, got {end}")
    law = law.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(law)
        totals = weights.sum(axis=1)
    wrong = ~(np.abs(totals - 1) <= tolerance)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError("expected log-probabilities, got an answer whose exponentials add up to "
                         f"{totals[row]:.6g} after the prefix {prefixes[row].tolist()}")
    return law, weights


def read_length(length, end):
    return read_count("length", length, least=0), None if end is None else read_count("end", end, least=0)


def _bar(steps, progress):
    if not progress:
        return steps
    import warnings

    with warnings.catch_warnings():  # a notebook without widgets shows a bar of text
        warnings.filterwarnings("ignore", message="IProgress not found")
        from tqdm.auto import tqdm
    return tqdm(steps, mininterval=0.5, leave=False)
