r"""All estimators of the gradient of a categorical expectation, behind one signature.

Wanted is :math:`\nabla_\phi\, \mathbb E[f(z)]` for independent categorical variables
:math:`z_k \sim \operatorname{softmax}(\phi_k)`, of one problem or of many at once.

    >>> payoff = np.array([0.0, 1.0, 4.0])
    >>> for method in ("exact", "leave-one-out", "arsm"):
    ...     found = categorical_gradient(lambda z: payoff[z], np.zeros(3), method=method, rng=0)
    ...     print(method, found.gradient.round(3), found.n_evaluations)
    exact [-0.556 -0.222  0.778] 3
    leave-one-out [-2.  0.  2.] 2
    arsm [-0.879 -0.557  1.436] 3

`METHODS` says of each what it needs and whether it is unbiased, so that a table of all of them is one loop.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_real,
    check_entries,
    check_finite,
    check_positive,
    read_choice,
    read_count,
    read_rng,
    read_size,
    read_temperature,
)
from ..arrays import difference, refuse_no_support
from ..gradients.estimate import GradientEstimate, check_values, exact_gradient
from ..gradients.moving_average import MovingAverage
from ..gumbel import condition_on_maximum_gap, gumbel, unordered_set_weights
from ..softmax import log_softmax, logsumexp, softmax

__all__ = ["METHODS", "Method", "categorical_gradient"]


class Method(NamedTuple):
    """What an estimator needs, and what it promises.

    Attributes
    ----------
    samples : int
        The least number of draws; 0 if it draws none.
    unbiased : bool
        For every `f`.
    needs_slope : bool
        It asks for the slope of `f` between or at the corners, instead of values.
    """

    samples: int
    unbiased: bool
    needs_slope: bool


#: Of each estimator that `categorical_gradient` knows: what it needs.
METHODS = {
    "exact": Method(0, True, False),
    "reinforce": Method(1, True, False),
    "leave-one-out": Method(2, True, False),
    "unordered set": Method(2, True, False),
    "ar": Method(1, True, False),
    "ars": Method(1, True, False),
    "arsm": Method(1, True, False),
    "gumbel-softmax": Method(1, False, True),
    "straight-through": Method(1, False, True),
    "straight-through gumbel": Method(1, False, True),
    "gumbel-rao": Method(1, False, True),
    "reinmax": Method(1, False, True),
}

_BY_BASELINE, _BY_RACE = ("reinforce",), ("reinforce", "leave-one-out", "ar", "ars", "arsm")
_WARM = ("gumbel-softmax", "straight-through gumbel", "gumbel-rao")


def categorical_gradient(f, logits, *, method="leave-one-out", n_samples=None, slope=None, temperature=1.0,
                         n_conditional=10, baseline=None, race=None, size=None, rng=None):
    r"""Gradient of the mean of `f` in the logits of independent categorical variables.

    .. math:: \hat g \approx \nabla_\phi\, \mathbb E[f(z_1, \dots, z_K)],
              \qquad z_k \sim \operatorname{softmax}(\phi_k)

    Parameters
    ----------
    f : callable
        Of an integer array with a row for each outcome, shape (N,) for one variable, (N, K) for several, to N
        numbers. For a batch of problems it is called as ``f(z, problem)``, with a second array that says to
        which problem each row belongs. Methods that need the slope don't call it.
    logits : array_like, shape (C,), (K, C) or (B, K, C)
        :math:`\phi`, of one variable, of K, or of B problems with K variables each; ``-inf`` masks a class.
    method : str
        One of `METHODS`.
    n_samples : int or None
        Draws of one estimate; `None` is the least that the method can do with.
    slope : callable
        Of points (N, C), (N, K, C), or with the problems as for `f`, to slopes of the same shape: the
        derivative of `f` as a function of the one-hot vectors, at corners and between them.
    temperature : float
        :math:`\tau`, of the methods with Gumbel noise and a softmax.
    n_conditional : int
        Soft draws given the class, of "gumbel-rao".
    baseline : None, array_like or MovingAverage
        What "reinforce" takes off the values: one number, or one for each of B problems, that doesn't depend
        on the draws; a `softmaxnotes.gradients.MovingAverage` is then told the values that were seen.
    race : array_like or None, of the shape of the gradient
        Positive numbers of a race that has been run: the first draw is the class with the least of them times
        :math:`e^{-\phi}`. Independent exponential numbers, so that this class has the law of a draw; not for
        "unordered set". `None` draws them.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    GradientEstimate
        ``gradient`` has the shape of the logits behind the axes of `size`, and its last axis adds up to 0.
        ``n_evaluations`` counts outcomes that `f`, or points that `slope` was asked for; an outcome that
        comes twice in one estimate by swaps is asked for once.

    Raises
    ------
    TypeError
        An argument isn't real, or not an integer where it must be one; there is no `slope` for a method that
        needs it.
    ValueError
        There is no such method; the number of samples is too small, or for "unordered set" larger than 24 or
        than the number of outcomes; the logits have another shape, are NaN or ``+inf``, or a slice is
        nothing but ``-inf``; for "ars" each class is masked for some variable of a problem; the temperature
        isn't positive; a baseline or a race is given to a method that takes none, has another shape, isn't
        finite or isn't positive; `f` or `slope` returns another shape, or what isn't finite or is beyond
        1e300.

    Notes
    -----
    With a Dirichlet vector :math:`\varpi` of ones for each variable, :math:`z = \arg\min_i \varpi_i
    e^{-\phi_i}`, and :math:`F_{mj}` for `f` after the entries m and j of every vector have been exchanged,

    ============================= =====================================================================
    "reinforce"                   :math:`(f(z) - b)\,(e_z - \pi)` with the baseline b, if there is one
    "leave-one-out"               the same, with the mean of `f` over the other draws for b
    "unordered set"               the same for draws without replacement, weighted by
                                  :func:`~softmaxnotes.gumbel.unordered_set_weights`, with a baseline
    "ar"                          :math:`f(z)\,(1 - C\varpi)`
    "ars"                         :math:`(F_{cj} - \frac1C\sum_m F_{mj})(1 - C\varpi_j)` with j drawn
    "arsm"                        the mean of that over j
    "gumbel-softmax"              :math:`\frac1\tau J(X)\,\nabla f(X)` at a soft draw :math:`X`
    "straight-through gumbel"     :math:`\frac1\tau J(X)\,\nabla f(e_z)` with the class of :math:`X`
    "gumbel-rao"                  its mean over soft draws of the same class
    "straight-through"            :math:`J(\pi)\,\nabla f(e_z)`
    "reinmax"                     :math:`(2J(\frac{\pi + e_z}2) - \frac12 J(\pi))\,\nabla f(e_z)`
    "exact"                       the sum over all outcomes
    ============================= =====================================================================

    where :math:`J(p)\,s = p\,(s - \sum_i p_i s_i)`.  All :math:`C^2` swaps are made; for one problem with
    many classes `arsm_gradient` needs less.  Masked classes are none of the C, and a swap with one of them
    changes nothing.

    Implements: eq-second-draw

    References
    ----------
    M. Yin, Y. Yue and M. Zhou, "ARSM: augment-REINFORCE-swap-merge estimator for gradient backpropagation
    through categorical variables", ICML (2019).

    W. Kool, H. van Hoof and M. Welling, "Estimating gradients for discrete random variables by sampling
    without replacement", ICLR (2020).

    Examples
    --------
    >>> def both(z): return (z[:, 0] == z[:, 1]).astype(float)
    >>> def steep(x): return x[:, ::-1]  # of x_1 · x_2, which is the same at the corners
    >>> start = [[1.0, 0.0], [0.0, 0.0]]
    >>> categorical_gradient(both, start, method="exact").gradient.round(3)
    array([[ 0.   ,  0.   ],
           [ 0.116, -0.116]])
    >>> categorical_gradient(both, start, method="reinmax", slope=steep, n_samples=9999,
    ...                      rng=0).gradient.round(2)
    array([[ 0.  , -0.  ],
           [ 0.12, -0.12]])
    """
    what = METHODS[read_choice("method", method, METHODS)]
    x, shape, size = _read_logits(logits), np.shape(logits), read_size(size)
    n = read_count("n_samples", max(what.samples, 1) if n_samples is None else n_samples,
                   least=max(what.samples, 1))
    tau, rng = read_temperature(temperature), read_rng(rng)
    n_conditional = read_count("n_conditional", n_conditional)
    _refuse(method, _BY_BASELINE, baseline=baseline)
    _refuse(method, _BY_RACE, race=race)
    if method == "exact":
        return _exact(f, x, shape, size)
    if math.prod(size) == 0:
        return GradientEstimate(np.zeros(size + shape), 0)
    problems = _Problems(f, slope, shape, math.prod(size))
    x = np.broadcast_to(x, (math.prod(size), *x.shape)).reshape(-1, *x.shape[1:])  # (P, K, C)
    if what.needs_slope:
        if slope is None:
            raise TypeError(f"expected slope of f for the method {method!r}, got None")
        gradient = _by_slope(method, problems, x, n, tau, n_conditional, rng)
    elif method == "unordered set":
        gradient = _unordered(problems, x, n, rng)
    elif method in ("ar", "ars", "arsm"):
        gradient = _by_swaps(method, problems, x, _race(x, n, race, size + shape, rng), rng)
    else:
        z = (np.log(_race(x, n, race, size + shape, rng)) - x).argmin(axis=-1)
        weights = problems.values(z)  # (n, P)
        if baseline is not None:
            weights = weights - problems.taken_off(baseline, weights)
        if method == "leave-one-out":
            weights = weights - weights[:1]  # from the same number, which loses no digits
            weights = (weights - weights.mean(axis=0)) * (n / (n - 1))
        gradient = _scores(z, weights / n, x)
    return GradientEstimate(gradient.reshape(size + shape), problems.n_evaluations)


# --- Arguments ----------------------------------------------------------------------


def _read_logits(logits):
    """As an array (B, K, C) of float64."""
    x = as_real(logits, "logits")[0].astype(np.float64)
    if x.ndim not in (1, 2, 3) or x.size == 0:
        raise ValueError(f"expected logits of shape (C,), (K, C) or (B, K, C), not empty, got {x.shape}")
    check_entries("logits", x, x < np.inf, "to be finite, or -inf for a masked class")
    if (x == -np.inf).all(axis=-1).any():
        refuse_no_support(x.reshape(-1, x.shape[-1]), x.shape[:-1])
    return x.reshape((1,) * (3 - x.ndim) + x.shape)


def _refuse(method, takers, **given):
    """An argument that only some methods take."""
    for name, value in given.items():
        if value is not None and method not in takers:
            raise ValueError(f"expected {name} for {' or '.join(map(repr, takers))} only, got it for "
                             f"{method!r}")


class _Problems:
    """`f` and its slope for P problems, copies of those of the logits, and what they cost."""

    def __init__(self, f, slope, shape, copies):
        self.f, self.slope, self.dimensions = f, slope, len(shape)
        self.count = shape[0] if self.dimensions == 3 else 1
        self.total, self.n_evaluations = copies * self.count, 0

    def _ask(self, function, name, rows, problem, expected):
        """Rows (N, K) or (N, K, C), as the caller wants them."""
        self.n_evaluations += len(rows)
        if self.dimensions == 1:
            rows = rows[:, 0]
        if self.dimensions == 1 and name == "slope":
            expected = (expected[0], expected[2])
        found = function(rows, problem % self.count) if self.dimensions == 3 else function(rows)
        found = as_real(found, f"values of {name}")[0].astype(np.float64)
        if found.shape != expected:
            raise ValueError(f"expected {name} to return an array of shape {expected} for rows of shape "
                             f"{rows.shape}, got shape {found.shape}")
        check_values(name, found, rows)
        return found

    def taken_off(self, baseline, seen):
        """What a baseline takes off values (n, P); a moving average is then told them."""
        average = baseline if isinstance(baseline, MovingAverage) else None
        b = as_real(baseline if average is None else average.value, "baseline")[0].astype(np.float64)
        if b.shape not in ((), (self.count,) if self.dimensions == 3 else ()):
            raise ValueError(f"expected a baseline of one number, or one for each of the problems, got shape "
                             f"{b.shape}")
        check_finite(baseline=b)
        if average is not None:
            average.update(seen.reshape(-1, self.count))
        return np.tile(b, seen.shape[1] // b.size)

    def values(self, z):
        """Of outcomes (n, P, K), as (n, P)."""
        n, p, k = z.shape
        problem = np.broadcast_to(np.arange(p), (n, p)).ravel()
        return self._ask(self.f, "f", z.reshape(-1, k), problem, (n * p,)).reshape(n, p)

    def values_once(self, z):
        """Of outcomes (S, n, P, K), as (S, n, P): in one estimate each outcome once."""
        s, n, p, k = z.shape
        if k == 1:
            classes = z.max() + 1
            code = z[..., 0] + classes * np.arange(n * p).reshape(n, p)
            wanted = np.zeros(classes * n * p, bool)
            wanted[code.ravel()] = True
            once = np.flatnonzero(wanted)
            where = np.cumsum(wanted)[code] - 1
            estimate, outcomes = once // classes, (once % classes)[:, None]
        else:
            rows = np.concatenate([np.broadcast_to(np.arange(n * p).reshape(n, p, 1), (s, n, p, 1)), z], -1)
            rows = np.ascontiguousarray(rows.reshape(-1, k + 1), dtype=">u4")
            keys, where = np.unique(rows.view(f"V{4 * (k + 1)}").ravel(), return_inverse=True)
            where = where.reshape(s, n, p)
            once = keys.view(">u4").reshape(-1, k + 1).astype(np.int64)
            estimate, outcomes = once[:, 0], once[:, 1:]
        found = self._ask(self.f, "f", outcomes, estimate % p, (len(outcomes),))
        return found[where]

    def slopes(self, points):
        """At points (n, P, K, C), of the same shape."""
        n, p, k, c = points.shape
        problem = np.broadcast_to(np.arange(p), (n, p)).ravel()
        flat = points.reshape(-1, k, c)
        return self._ask(self.slope, "slope", flat, problem, flat.shape).reshape(points.shape)


def _exact(f, x, shape, size):
    if len(shape) < 3:
        one = exact_gradient(f, x.reshape(shape))
        return GradientEstimate(np.broadcast_to(one.gradient, size + shape).copy(),
                                one.n_evaluations * math.prod(size))
    each = [exact_gradient(lambda z, b=b: f(z, np.full(len(z), b)), rows) for b, rows in enumerate(x)]
    gradient = np.broadcast_to(np.stack([one.gradient for one in each]), size + shape).copy()
    return GradientEstimate(gradient, sum(one.n_evaluations for one in each) * math.prod(size))


# --- Estimators from values of f -----------------------------------------------------


def _race(x, n, first, shape, rng):
    """Exponential numbers (n, P, K, C), of which the first may have been drawn already."""
    if first is None:
        return rng.standard_exponential((n, *x.shape))
    first = as_real(first, "race")[0].astype(np.float64)
    if first.shape != shape:
        raise ValueError(f"expected a race of the shape of the gradient, {shape}, got {first.shape}")
    check_positive(race=first)
    check_finite(race=first)
    others = rng.standard_exponential((n - 1, *x.shape))
    return np.concatenate([first.reshape(1, *x.shape), others])


def _scores(z, weights, x):
    """Sum over the draws of the weights times e_z - softmax."""
    n, p, k = z.shape
    c = x.shape[-1]
    cell = np.arange(p * k).reshape(p, k) * c + z
    mass = np.bincount(cell.ravel(), np.repeat(weights.ravel(), k), p * k * c).reshape(p, k, c)
    return mass - softmax(x) * weights.sum(axis=0)[:, None, None]


def _unordered(problems, x, n, rng):
    """Draws without replacement from the joint law, variable by variable from the top down."""
    p, k, c = x.shape
    possible = (x[: problems.count] > -np.inf).sum(axis=-1)
    outcomes = min(map(math.prod, possible.tolist()))
    if n > outcomes:
        raise ValueError(f"expected n_samples to be at most {outcomes}, the number of outcomes, got {n}")
    steps = log_softmax(x)
    log_p, key = np.zeros((p, 1)), np.zeros((p, 1))
    chosen = np.zeros((p, 1, 0), np.intp)
    for one in range(k):
        noisy = np.broadcast_to(steps[:, None, one], (p, log_p.shape[1], c))
        noisy = noisy + gumbel(noisy.shape, rng=rng)  # less the parent's log-probability, as its key
        with np.errstate(invalid="ignore"):
            above = difference(key, log_p)  # of a parent that is masked nothing matters
        gaps = condition_on_maximum_gap(noisy, above)
        child, noisy = log_p[:, :, None] + steps[:, None, one], key[:, :, None] - gaps
        best = np.argsort(-noisy.reshape(p, -1), axis=-1, kind="stable")[:, :n]
        log_p, key = (np.take_along_axis(a.reshape(p, -1), best, axis=-1) for a in (child, noisy))
        parent = np.take_along_axis(chosen, (best // c)[:, :, None], axis=1)
        chosen = np.concatenate([parent, (best % c)[:, :, None]], axis=-1)
    values = problems.values(chosen.transpose(1, 0, 2)).T  # (P, n)
    with np.errstate(divide="ignore"):
        rest = np.log(np.maximum(-np.expm1(logsumexp(log_p)), 0))
    law = np.concatenate([log_p, rest[:, None]], axis=-1)  # the drawn outcomes, and all others as one
    first = unordered_set_weights(law, np.arange(n))
    others = np.array([[j for j in range(n) if j != i] for i in range(n)])
    without = np.where(np.eye(n, n + 1, dtype=bool), -np.inf, law[:, None])
    second = unordered_set_weights(without, others)
    baseline = (second * values[:, others]).sum(axis=-1)
    weights = first * -np.expm1(log_p) * (values - baseline)
    return _scores(chosen.transpose(1, 0, 2), weights.T, x)


def _by_swaps(method, problems, x, exponential, rng):
    n, p, k, c = exponential.shape
    log_share = np.log(exponential)
    free, count, own, shares = x > -np.inf, c, 1, exponential
    masked = not free.all()
    if masked:
        count, own, shares = free.sum(axis=-1, keepdims=True), free, np.where(free, exponential, 0)
    score = own - count * shares / shares.sum(axis=-1, keepdims=True)  # (n, P, K, C)
    if method == "ar":
        values = problems.values((log_share - x).argmin(axis=-1))
        return (values[:, :, None, None] * score).mean(axis=0)
    if method == "ars":
        j = np.broadcast_to(_references(free, n, rng)[..., None, None], (n, p, k, 1))
    else:
        j = np.broadcast_to(np.arange(c), (n, p, k, c))
    z = _swapped(log_share, np.broadcast_to(x, log_share.shape), j)  # (n, P, K, C, 1 or C)
    found = problems.values_once(np.moveaxis(z, (-2, -1), (0, 1)).reshape(-1, n, p, k))
    values = found.reshape(c, -1, n, p)
    apart = values - values.mean(axis=0)
    lift = np.einsum("cjnp,npkj->pkc", apart, np.take_along_axis(score, j, axis=-1))
    if masked:
        lift = np.where(free, lift - np.where(free, lift, 0).sum(axis=-1, keepdims=True) / count, 0)
    return lift / (n if method == "ars" else n * count)


def _references(free, n, rng):
    """Classes (n, P) to swap with: those that no variable of the problem masks are equally probable."""
    common = free.all(axis=1)
    if common.all():
        return rng.integers(common.shape[1], size=(n, len(common)))
    count = common.sum(axis=1)
    if not count.all():
        raise ValueError("no class to swap with: each is masked for some variable")
    which = rng.integers(count, size=(n, len(common)))
    return np.argsort(~common, axis=1, kind="stable")[np.arange(len(common)), which]


def _swapped(log_share, logits, j):
    """Classes after the entries m and j of a Dirichlet vector have been exchanged, shape (..., C, J).

    Only the keys m and j change, so the smallest of the others is one of the three smallest of all. If one of
    them is masked, nothing changes.
    """
    key = log_share - logits
    c = key.shape[-1]
    order = np.argpartition(key, range(min(3, c)), axis=-1)[..., :3]
    low = np.take_along_axis(key, order, axis=-1)
    of_m = np.take_along_axis(log_share, j, axis=-1)[..., None, :] - logits[..., None]  # the new key of m
    of_j = log_share[..., None] - np.take_along_axis(logits, j, axis=-1)[..., None, :]
    at_m, at_j = np.arange(c)[:, None], j[..., None, :]
    best, winner = np.full(of_m.shape, np.inf), np.zeros(of_m.shape, np.intp)
    for i in reversed(range(order.shape[-1])):
        one = order[..., i, None, None]
        free = (one != at_m) & (one != at_j)
        best, winner = np.where(free, low[..., i, None, None], best), np.where(free, one, winner)
    winner = np.where(np.minimum(of_m, of_j) < best, np.where(of_m < of_j, at_m, at_j), winner)
    masked = key == np.inf
    if masked.any():
        unchanged = masked[..., None] | np.take_along_axis(masked, j, axis=-1)[..., None, :]
        winner = np.where(unchanged, order[..., :1, None], winner)
    return winner


# --- Estimators from slopes of f -------------------------------------------------------


def _jacobian(p, s):
    return p * (s - (p * s).sum(axis=-1, keepdims=True))


def _by_slope(method, problems, x, n, tau, n_conditional, rng):
    c = x.shape[-1]
    key = x - np.log(rng.standard_exponential((n, *x.shape)))
    soft = softmax(key, temperature=tau) if method in _WARM else None
    if method == "gumbel-softmax":
        return (_jacobian(soft, problems.slopes(soft)) / tau).mean(axis=0)
    top = key.argmax(axis=-1)[..., None]
    corner = (np.arange(c) == top).astype(np.float64)
    s, law = problems.slopes(corner), softmax(x)
    if method == "straight-through":
        return _jacobian(law, s).mean(axis=0)
    if method == "reinmax":
        pull = law / 2 * (s - np.take_along_axis(s, top, axis=-1))  # of the others
        return (pull - corner * pull.sum(axis=-1, keepdims=True)).mean(axis=0)
    if method == "gumbel-rao":
        waits = np.log(rng.standard_exponential((n_conditional, *key.shape)))
        bell = (waits * corner).sum(axis=-1, keepdims=True) - logsumexp(x)[..., None]
        later = np.logaddexp(bell, waits - x)
        soft = softmax(np.where(corner > 0, -bell, -later), temperature=tau)
    return (_jacobian(soft, s) / tau).reshape(-1, *x.shape).mean(axis=0)
