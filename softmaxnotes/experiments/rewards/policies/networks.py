"""Networks that are policies, many side by side."""

import math

import numpy as np

from softmaxnotes.arguments import read_count, read_rng

__all__ = ["Adam", "Policies"]


class Policies:
    """Networks with units max(0, x), many of them side by side, from what is seen to logits.

    Parameters
    ----------
    n_features, n_actions : int
    hidden : tuple of int
        Units of the layers between; without any, logits are linear in what is seen.
    n_runs : int
        How many networks.
    rng : None, int or numpy.random.Generator
        For the weights at the start, which are uniform up to one over the root of the number of inputs; the
        last layer starts at zero, so that all actions are equally probable.

    Attributes
    ----------
    weights : ndarray, shape (n_runs, P)
        Those of one network in each row.

    Raises
    ------
    TypeError
        A number isn't an integer.
    ValueError
        A number is less than 1.

    Examples
    --------
    >>> two = Policies(4, 2, hidden=(3,), n_runs=2, rng=0)
    >>> two.weights.shape, two.logits(np.ones((3, 4)), [0, 1, 1])
    ((2, 23), array([[0., 0.],
           [0., 0.],
           [0., 0.]]))
    """

    def __init__(self, n_features, n_actions, *, hidden=(10, 10), n_runs=1, rng=None):
        named = ("n_features", n_features), *(("hidden", n) for n in hidden), ("n_actions", n_actions)
        rng, sizes = read_rng(rng), [read_count(name, n) for name, n in named]
        self.shapes = [(a + 1, b) for a, b in zip(sizes, sizes[1:])]  # the last row is added
        self.n_runs = read_count("n_runs", n_runs)
        layers = [rng.uniform(-1, 1, (n_runs, a, b)) / math.sqrt(a - 1) for a, b in self.shapes]
        layers[-1][:] = 0
        self.weights = np.concatenate([one.reshape(n_runs, -1) for one in layers], axis=1)

    def _layers(self, weights):
        ends = np.cumsum([a * b for a, b in self.shapes])[:-1]
        return [one.reshape(-1, *shape) for one, shape in zip(np.split(weights, ends, axis=1), self.shapes)]

    def logits(self, seen, run):
        """Of rows (N, p), each of the network with its number: shape (N, A)."""
        place, table = side_by_side(run, self.n_runs)
        x = seen[table]
        for k, layer in enumerate(self._layers(self.weights)):
            x = (np.maximum(x, 0) if k else x) @ layer[:, :-1] + layer[:, -1:]
        return x[place]

    def pull(self, seen, slopes, owner, n_copies=1):
        """Sum over the rows of their slopes by the weights, for each owner: shape (n_copies, n_runs, P).

        The owner o has the network of number ``o % n_runs``; ``slopes`` are those by the logits, (N, A).
        """
        place, table = side_by_side(owner, n_copies * self.n_runs)
        back = np.zeros((*table.shape, slopes.shape[1]))
        back[place] = slopes
        layers = self._layers(np.tile(self.weights, (n_copies, 1)))
        inputs = [seen[table]]
        for k, layer in enumerate(layers[:-1]):
            inputs.append(np.maximum(inputs[-1] @ layer[:, :-1] + layer[:, -1:], 0))
        found = []
        for x, layer in zip(reversed(inputs), reversed(layers)):
            by_layer = x.transpose(0, 2, 1) @ back, back.sum(axis=1, keepdims=True)
            found.append(np.concatenate(by_layer, axis=1))
            back = (back @ layer[:, :-1].transpose(0, 2, 1)) * (x > 0)
        flat = [one.reshape(len(one), -1) for one in reversed(found)]
        return np.concatenate(flat, axis=1).reshape(n_copies, self.n_runs, -1)


class Adam:
    """Gradient ascent by Adam on the weights of `Policies`.

    References
    ----------
    D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR (2015).
    """

    def __init__(self, policies, *, lr):
        self.policies, self.lr, self._steps = policies, lr, 0
        self._mean = self._square = np.zeros_like(policies.weights)

    def climb(self, g):
        """A step along a gradient of shape (n_runs, P)."""
        self._steps += 1
        self._mean, self._square = 0.9 * self._mean + 0.1 * g, 0.999 * self._square + 0.001 * g**2
        up = self._mean / (1 - 0.9**self._steps) / (np.sqrt(self._square / (1 - 0.999**self._steps)) + 1e-8)
        self.policies.weights = self.policies.weights + self.lr * up


def side_by_side(owner, count):
    """Where each row stands in a table with a line for each owner, and which row stands where."""
    owner = np.asarray(owner, np.intp)
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=count)
    rank = np.empty(len(owner), np.intp)
    rank[order] = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.zeros((count, sizes.max(initial=0)), np.intp)
    table[owner, rank] = np.arange(len(owner))
    return (owner, rank), table
