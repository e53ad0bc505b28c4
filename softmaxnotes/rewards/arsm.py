r"""ARSM: the gradient of an expectation over classes, from a race and the swaps of its times.

A class is drawn as the winner of a race,

.. math:: z = \arg\min_i\, w_i e^{-x_i}, \qquad w \sim \operatorname{Dir}(1, \dots, 1),

with the logits :math:`x` and shares :math:`w` that have the same law in every order: so two of them may be
swapped, which gives another class :math:`z^{c \rightleftharpoons j}` from the same random numbers. Three
estimators of :math:`\nabla_x\, \mathbb E f(z)` come from that, which ask for more and more values of
:math:`f`:

.. math::
    \text{AR} \quad & f(z)\,(1 - C w_c) \\
    \text{ARS} \quad & \Bigl(f(z^{c \rightleftharpoons j})
        - \frac1C \sum_m f(z^{m \rightleftharpoons j})\Bigr)(1 - C w_j) \\
    \text{ARSM} \quad & \text{the mean of the line above over } j

What they have in common with the other estimators (what ``f`` is given, ``size``, ``n_samples``, ``rng``) is
said in `softmaxnotes.gradients.estimate`. Shares are compared by their logarithms; a tie is won by the
smaller class.
"""

import math
from functools import cached_property

import numpy as np

from ..arguments import read_count, read_rng, read_size
from ..gradients.estimate import Gaussian, GradientEstimate, ask, read_params

__all__ = ["ar_gradient", "ars_gradient", "arsm_gradient"]

_BLOCK = 2**20  # entries of an array


def ar_gradient(f, logits, *, n_samples=1, size=None, rng=None):
    r"""Gradient of an expectation over classes by augmentation alone: AR.

    .. math:: \frac{\partial}{\partial x_{kc}} \mathbb E[f(z)] \approx f(z)\,(1 - C w_{kc}), \qquad
              z_k = \arg\min_i\, w_{ki} e^{-x_{ki}}

    Parameters
    ----------
    f : callable
        Of an integer array, shape (N,) for one variable or (N, K) for several, to N numbers.
    logits : array_like, shape (C,) or (K, C)
        Of one variable, or of K independent ones; ``-inf`` masks a class, which then takes no part in the
        race: C is the number of the others.
    n_samples : int
        Draws of one estimate.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    GradientEstimate
        ``gradient`` of shape size + logits.shape; rows add up to 0.

    Raises
    ------
    TypeError
        The logits, or what `f` returns, aren't real, or `logits` is a `Gaussian`; `n_samples` or `size` isn't
        made of integers.
    ValueError
        `n_samples` is less than 1; the logits have another shape, are NaN or ``+inf``, or a row has no other
        than ``-inf``; `f` returns another number of values, or one that isn't finite or is beyond 1e300.

    Notes
    -----
    One value of `f` for each draw. Given the class that was drawn its mean is the estimate by the score
    function, `softmaxnotes.gradients.score_function_gradient`; so it is never the less noisy of the two, and
    only the start of `ars_gradient` and `arsm_gradient`.

    Implements: eq-ar

    Examples
    --------
    >>> found = ar_gradient(lambda z: z, [0.0, 0.0], n_samples=10**6, rng=0)
    >>> found.gradient.round(2), found.n_evaluations  # exactly -1/4 and 1/4
    (array([-0.25,  0.25]), 1000000)
    """
    def estimate(race, _):
        z = race.winners
        values = ask(f, z if race.several else z[:, 0])
        return values[:, None, None] * race.pulls * race.counts, len(values)

    return _estimates(estimate, logits, n_samples, size, rng)


def ars_gradient(f, logits, *, n_samples=1, reference=None, size=None, rng=None):
    r"""Gradient of an expectation over classes, by swaps with one class of reference: ARS.

    .. math:: \frac{\partial}{\partial x_{kc}} \mathbb E[f(z)] \approx
              \Bigl(f(z^{c \rightleftharpoons j}) - \frac1C \sum_{m=1}^C f(z^{m \rightleftharpoons j})\Bigr)
              (1 - C w_{kj})

    where all K variables of :math:`z^{c \rightleftharpoons j}` have their shares c and j swapped.

    Parameters
    ----------
    f, logits, n_samples, size, rng
        As for `ar_gradient`.
    reference : None or int
        The class j, from 0 to C - 1; masked in no row. `None` draws it for each draw anew, each class that is
        masked in no row with the same probability.

    Returns
    -------
    GradientEstimate
        ``n_evaluations`` counts, for each draw, the different outcomes among the C swaps.

    Raises
    ------
    TypeError
        As `ar_gradient`; or `reference` isn't an integer.
    ValueError
        As `ar_gradient`; or there is no such class of reference.

    Notes
    -----
    Unbiased for every reference that doesn't depend on the draws. What `f` has in common for all swaps drops
    out, and where no swap changes the outcome the estimate is exactly 0. Time and memory are those of the
    K C shares.

    Implements: eq-ars

    Examples
    --------
    >>> found = ars_gradient(lambda z: z + 100, [0.0, 0.0], n_samples=10**5, reference=1, rng=0)
    >>> found.gradient.round(2)  # exactly -1/4 and 1/4
    array([-0.25,  0.25])
    """
    rows = np.atleast_2d(_read_logits(logits))
    common = np.flatnonzero((rows > -np.inf).all(axis=0))
    if reference is not None:
        reference = read_count("reference", reference, least=0)
        if reference not in common:
            raise ValueError(f"expected reference to be below {rows.shape[1]} and masked in no row, "
                             f"got {reference}")
        common = np.array([reference])
    if common.size == 0:
        raise ValueError("no class to swap with: each is masked in some row")

    def estimate(race, rng):
        m, k, c = race.logs.shape
        j = common[rng.integers(len(common), size=m)] if len(common) > 1 else np.repeat(common, m)
        swapped = race.swaps_with(np.repeat(j, k)).reshape(m, k, c)
        outcomes = np.moveaxis(swapped, 1, 2).reshape(m * c, k)
        values, n = _ask_distinct(f, np.repeat(np.arange(m), c), outcomes, race.several)
        values = values.reshape(m, c)
        lift = np.broadcast_to((values - values[np.arange(m), j][:, None])[:, None], (m, k, c))
        weight = race.pulls[np.arange(m), :, j][..., None] * race.counts
        return race.centred(lift) * weight, n

    return _estimates(estimate, logits, n_samples, size, rng)


def arsm_gradient(f, logits, *, n_samples=1, size=None, rng=None):
    r"""Gradient of an expectation over classes, by all swaps of two shares: ARSM.

    .. math:: \frac{\partial}{\partial x_{kc}} \mathbb E[f(z)] \approx \frac1C \sum_{j=1}^C
              \Bigl(f(z^{c \rightleftharpoons j}) - \frac1C \sum_{m=1}^C f(z^{m \rightleftharpoons j})\Bigr)
              (1 - C w_{kj})

    where all K variables of :math:`z^{c \rightleftharpoons j}` have their shares c and j swapped.

    Parameters
    ----------
    f, logits, n_samples, size, rng
        As for `ar_gradient`.

    Returns
    -------
    GradientEstimate
        ``n_evaluations`` counts, for each draw, the different outcomes among all swaps, and `f` is asked for
        each of them once.

    Raises
    ------
    TypeError, ValueError
        As `ar_gradient`.

    Notes
    -----
    Since the :math:`1 - C w_j` add up to 0 and a swap has no direction, with
    :math:`D_{cj} = f(z^{c \rightleftharpoons j}) - f(z)` and :math:`v_j = 1/C - w_j` the estimate is
    :math:`D v`, minus its mean. The matrix D is never made. A swap of two losers makes c the winner if the
    share of j is small enough, so that for one variable the row c of D has the value :math:`f(c) - f(z)` for
    the smallest shares and 0 for the others: after sorting, rows and columns are sums over beginnings and
    ends. A swap with the winner takes the runner-up, and the one behind it, into account. Altogether that is
    :math:`C \log C`. For several variables the pairs that change something are listed, at most
    :math:`C^2/2` for each draw.

    Where no swap changes the outcome, the estimate is exactly 0. One class has the gradient 0; for two, this
    is the estimator called ARM.

    Implements: eq-arsm

    Examples
    --------
    >>> arsm_gradient(lambda z: z, [0.0, 0.0], n_samples=10**5, rng=0).gradient.round(2)  # -1/4 and 1/4
    array([-0.25,  0.25])
    >>> sure = arsm_gradient(lambda z: z, [9.0, 0.0, 0.0], rng=0)
    >>> sure.gradient, sure.n_evaluations
    (array([0., 0., 0.]), 1)
    """
    def estimate(race, _):
        return (_merge_several if race.several else _merge_one)(f, race)

    return _estimates(estimate, logits, n_samples, size, rng)


# --- The race ---------------------------------------------------------------------


class _Race:
    """Shares of m draws of K variables, and who wins them after a swap.

    Arrays of rows have the shape (m K, C).
    """

    def __init__(self, rows, shares, several):
        m, k, c = shares.shape
        self.several, self.open = several, rows > -np.inf
        self.counts = self.open.sum(axis=1)[:, None]  # C of each variable
        weights = np.where(self.open, shares, 0)
        self.logs = np.full(shares.shape, np.inf)  # of masked classes: they are never the first
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            np.log(weights, out=self.logs, where=self.open)
            # 1/C minus the share, and 0 where masked
            self.pulls = self.open / self.counts - weights / weights.sum(axis=-1, keepdims=True)
            gaps = rows - rows.max(axis=1, keepdims=True)
            self.x = gaps[None].repeat(m, axis=0).reshape(m * k, c)
            self.log = self.logs.reshape(m * k, c)
            self.time = self.log - self.x
        self.row = np.arange(m * k)
        self.first = self.time.argmin(axis=1)
        self.best = self.time[self.row, self.first]
        # c beats the first with a time below this: or equal to the best, if it is the smaller class
        self.bound = np.where(np.arange(c) < self.first[:, None],
                              np.nextafter(self.best, np.inf)[:, None], self.best[:, None])
        self.winners = self.first.reshape(m, k)

    @cached_property
    def with_first(self):
        """Who wins after a swap of the first with each class."""
        c = self.time.shape[1]
        column = np.arange(c)
        rest, first = self.time.copy(), self.first[:, None]
        rest[self.row, self.first] = np.inf
        second = rest.argmin(axis=1)
        others = rest[self.row, second][:, None].repeat(c, axis=1)
        behind = second[:, None].repeat(c, axis=1)
        rest[self.row, second] = np.inf
        third = rest.argmin(axis=1)
        others[self.row, second], behind[self.row, second] = rest[self.row, third], third
        winner = first.repeat(c, axis=1)
        with np.errstate(invalid="ignore", over="ignore"):
            time = self.log - self.x[self.row, self.first][:, None]
            taken = self.log[self.row, self.first][:, None] - self.x
        for rival, its_time in ((column, taken), (behind, others)):
            ahead = (its_time < time) | ((its_time == time) & (rival < winner))
            winner, time = np.where(ahead, rival, winner), np.where(ahead, its_time, time)
        unchanged = (column == first) | (self.log == np.inf)  # nothing to swap with, or masked
        return np.where(unchanged, first, winner)

    def swaps_with(self, j):
        """Who wins after a swap of each class with class j[row]."""
        c = np.arange(self.time.shape[1])
        with np.errstate(invalid="ignore", over="ignore"):
            to_c = self.log[self.row, j][:, None] - self.x < self.bound
            to_j = self.log - self.x[self.row, j][:, None] < self.bound[self.row, j][:, None]
        closed = np.isposinf(self.log) | np.isposinf(self.log[self.row, j])[:, None]
        winner = np.where(to_c & ~closed, c, np.where(to_j & ~closed, j[:, None], self.first[:, None]))
        swapped = self.with_first
        winner[self.row, self.first] = swapped[self.row, j]
        return np.where((j == self.first)[:, None], swapped, winner)

    def swaps_of_losers(self):
        """The pairs of others than the first whose swap makes one of them win.

        Class ``c`` in the row ``row`` wins when it gets one of the ``count`` smallest shares but that of the
        first, which stand at the beginning of ``order[row]``.
        """
        n = self.time.shape[1]
        log = self.log.copy()
        log[self.row, self.first] = np.inf
        order = np.argsort(log, axis=1)
        log = log[self.row[:, None], order]
        with np.errstate(invalid="ignore", over="ignore"):
            wins = log[:, :1] - self.x < self.bound
        wins[self.row, self.first] = False
        row, c = np.nonzero(wins)
        x, bound = self.x[row, c], self.bound[row, c]
        low, high = np.ones(len(row), np.intp), np.full(len(row), n - 1)
        for _ in range(n.bit_length()):  # the last of the sorted shares that is small enough
            middle = (low + high + 1) // 2
            enough = log[row, middle - 1] - x < bound
            low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
        return order, row, c, low

    def centred(self, g):
        """Minus the mean over the classes that are not masked; these get 0."""
        return np.where(self.open, g - np.where(self.open, g, 0).sum(axis=-1, keepdims=True) / self.counts, 0)


def _merge_one(f, race):
    """ARSM for one variable, of the shape (m, 1, C), and the number of values of f."""
    (m, c), first, r = race.time.shape, race.first, race.row
    order, row, loser, count = race.swaps_of_losers()
    swapped = race.with_first
    asked = np.zeros((m, c), bool)
    asked[r[:, None], swapped], asked[row, loser] = True, True
    where = np.nonzero(asked)
    lift = np.zeros((m, c))
    lift[where] = ask(f, where[1])
    lift = np.where(asked, lift - lift[r, first][:, None], 0)

    pulls = race.pulls[:, 0]
    others = pulls.copy()
    others[r, first] = 0
    smallest = np.cumsum(others[r[:, None], order], axis=1)
    g = np.zeros((m, c))
    g[row, loser] = lift[row, loser] * smallest[row, count - 1]
    ends = np.bincount(row * c + count - 1, lift[row, loser] * pulls[row, loser], m * c).reshape(m, c)
    ends = np.cumsum(ends[:, ::-1], axis=1)[:, ::-1]  # of the classes that win with this share
    g[r[:, None], order] += ends
    with_first = lift[r[:, None], swapped]
    g += with_first * pulls[r, first][:, None]
    g[r, first] += (with_first * pulls).sum(axis=1)
    return race.centred(g[:, None]), len(where[0])


def _merge_several(f, race):
    """ARSM for several variables, of the shape (m, K, C), and the number of values of f."""
    m, k, c = race.logs.shape
    order, row, loser, count = race.swaps_of_losers()
    swapped = race.with_first
    each = np.repeat(np.arange(len(row)), count)
    place = np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
    other, changed = np.nonzero(swapped != race.first[:, None])
    rows = np.concatenate([row[each], other])
    one = np.concatenate([loser[each], race.first[other]])
    two = np.concatenate([order[row[each], place], changed])
    winner = np.concatenate([loser[each], swapped[other, changed]])

    low, high = np.minimum(one, two), np.maximum(one, two)
    pairs, which = np.unique((rows // k * c + low) * c + high, return_inverse=True)
    draw, low, high = pairs // c**2, pairs // c % c, pairs % c
    outcomes = race.winners[draw]
    outcomes[which, rows % k] = winner
    draws = np.concatenate([np.arange(m), draw])
    values, n = _ask_distinct(f, draws, np.concatenate([race.winners, outcomes]), True)
    lift = values[m:] - values[draw]
    g = np.empty((m, k, c))
    for v in range(k):
        pulls = race.pulls[:, v]
        g[:, v] = (np.bincount(draw * c + low, lift * pulls[draw, high], m * c)
                   + np.bincount(draw * c + high, lift * pulls[draw, low], m * c)).reshape(m, c)
    return race.centred(g), n


def _ask_distinct(f, draws, outcomes, several):
    """Values of f for outcomes (N, K), where one and the same draw isn't asked twice for one of them."""
    name, c = draws, outcomes.max() + 1
    for column in outcomes.T:
        _, place, name = np.unique(name * c + column, return_index=True, return_inverse=True)
    asked = outcomes[place]
    return ask(f, asked if several else asked[:, 0])[name], len(asked)


# --- Arguments, and one draw after the other --------------------------------------------


def _read_logits(logits):
    logits = read_params(logits)
    if isinstance(logits, Gaussian):
        raise TypeError("expected logits: a normal law has no classes, got a Gaussian")
    return logits


def _estimates(estimate, logits, n_samples, size, rng):
    """Means over n_samples draws, a block of draws at a time."""
    logits, size, n = _read_logits(logits), read_size(size), read_count("n_samples", n_samples)
    rng, rows, total = read_rng(rng), np.atleast_2d(logits), math.prod(size) * n
    sums, asked = np.zeros((math.prod(size), *rows.shape)), 0
    per_draw = rows.size * min(rows.shape[1], 16) if logits.ndim == 2 else rows.size
    step = max(1, _BLOCK // per_draw)
    for start in range(0, total, step):
        m = min(step, total - start)
        race = _Race(rows, rng.standard_exponential((m, *rows.shape)), logits.ndim == 2)
        g, evaluations = estimate(race, rng)
        which = np.arange(start // n, -(-(start + m) // n))  # of the estimates these draws are for
        sums[which] += np.add.reduceat(g, np.maximum(which * n - start, 0), axis=0)
        asked += evaluations
    return GradientEstimate((sums / n).reshape(size + logits.shape), asked)
