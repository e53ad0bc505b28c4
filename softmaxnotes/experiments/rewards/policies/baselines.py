"""Baselines of a policy's rewards to go, learnt from the episodes before.

Each has ``value(seen, time, run)``, what is taken off at some steps of some runs, and
``update(seen, time, run, to_go)``, which tells it afterwards what was paid from these steps on.
"""

import numpy as np

from softmaxnotes.arguments import read_count, read_number

from .networks import Adam, Policies

__all__ = ["TimeAverage", "ValueNetwork"]


class TimeAverage:
    r"""A moving average for each time: what earlier episodes that came so far were paid from there on.

    Parameters
    ----------
    horizon, n_runs : int
    decay : float
        What the average of one update weighs beside that of the next one.

    Raises
    ------
    ValueError
        A number of things is less than 1, or the decay isn't between 0 and 1.

    Examples
    --------
    >>> average = TimeAverage(3, decay=0.5)
    >>> average.update(None, np.array([0, 1, 0]), np.zeros(3, int), np.array([4.0, 2.0, 6.0]))
    >>> average.value(None, np.array([0, 1, 2]), np.zeros(3, int))
    array([5., 2., 0.])
    """

    def __init__(self, horizon, n_runs=1, *, decay=0.9):
        self.decay = read_number("decay", decay)
        if not 0 <= self.decay < 1:
            raise ValueError(f"expected decay from 0 to below 1, got {decay!r}")
        shape = read_count("n_runs", n_runs), read_count("horizon", horizon)
        self._total, self._weight = np.zeros(shape), np.zeros(shape)

    def value(self, seen, time, run):
        weight = self._weight[run, time]
        return np.where(weight > 0, self._total[run, time] / np.where(weight > 0, weight, 1), 0.0)

    def update(self, seen, time, run, to_go):
        place = np.ravel_multi_index((run, time), self._total.shape)
        counts, sums = (np.bincount(place, w, self._total.size).reshape(self._total.shape)
                        for w in (None, to_go))
        came = counts > 0  # what no episode has come to is left as it was
        mean = np.divide(sums, counts, out=np.zeros_like(sums), where=came)
        for kept, new in ((self._total, mean), (self._weight, 1.0)):
            kept[came] = (self.decay * kept + (1 - self.decay) * new)[came]


class ValueNetwork:
    r"""A network for what a state is worth, fitted to the rewards to go by least squares.

    Parameters
    ----------
    n_features, n_runs : int
    hidden : tuple of int
    lr : float
        Of Adam.
    passes : int
        Steps of Adam for each update of the policy, over all that it has seen.
    scale : float
        In which rewards to go are measured: the network starts at zero and moves by about `lr`.
    rng : None, int or numpy.random.Generator

    Raises
    ------
    ValueError
        A number of things is less than 1; the scale isn't positive.

    Examples
    --------
    >>> critic = ValueNetwork(1, hidden=(), lr=0.1, passes=200, scale=10.0, rng=0)
    >>> seen, run = np.array([[0.0], [1.0]]), np.zeros(2, int)
    >>> critic.update(seen, None, run, np.array([3.0, 7.0]))
    >>> critic.value(seen, None, run).round(1)
    array([3., 7.])
    """

    def __init__(self, n_features, n_runs=1, *, hidden=(10, 10), lr=0.01, passes=20, scale=100.0, rng=None):
        self.network = Policies(n_features, 1, hidden=hidden, n_runs=n_runs, rng=rng)
        self.scale, self.passes = read_number("scale", scale, positive=True), read_count("passes", passes)
        self._adam = Adam(self.network, lr=lr)

    def value(self, seen, time, run):
        return self.scale * self.network.logits(seen, run)[:, 0]

    def update(self, seen, time, run, to_go):
        share = 1 / np.bincount(run, minlength=self.network.n_runs)[run]
        for _ in range(self.passes):
            off = to_go / self.scale - self.network.logits(seen, run)[:, 0]
            self._adam.climb(self.network.pull(seen, (off * share)[:, None], run)[0])
