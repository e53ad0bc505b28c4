r"""RELAX: the score function with a control variate that a small network learns."""

import numpy as np

from softmaxnotes.arguments import read_rng
from softmaxnotes.softmax import log_softmax, softmax

__all__ = ["Relax"]

_ADAM = 0.9, 0.999, 1e-8


class Relax:
    r"""An estimator for one variable in many runs, each of which has a network of its own.

    .. math:: \hat g = (f(b) - c(\tilde z))\,(e_b - \pi) + \nabla_\phi\,c(z) - \nabla_\phi\,c(\tilde z),
              \qquad z = \log\pi + G, \quad b = \arg\max_i z_i

    with Gumbel noise :math:`G` and with :math:`\tilde z`, drawn as `z` is if the class is :math:`b`.  The
    network :math:`c` is trained after each estimate to make :math:`|\hat g|^2` small, by Adam.  Whatever it
    says, the estimate is unbiased.

    Parameters
    ----------
    values : array_like, shape (C,)
        What each class is paid.
    n_runs : int
    hidden : sequence of int
        Units of the layers between, which are ReLUs.
    lr : float
        Of Adam.
    rng : None, int or numpy.random.Generator
        Of the weights, which are normal with standard deviation 0.3, and of all draws; biases begin at 0.1.

    References
    ----------
    W. Grathwohl, D. Choi, Y. Wu, G. Roeder and D. Duvenaud, "Backpropagation through the void: Optimizing
    control variates for black-box gradient estimation", ICLR (2018).

    Examples
    --------
    >>> relax = Relax([0.0, 0.0, 1.0], n_runs=2, rng=0)
    >>> found = np.mean([relax.estimate(np.zeros((2, 3)))[0] for _ in range(4000)], axis=(0, 1))
    >>> bool(np.abs(found - [-1 / 9, -1 / 9, 2 / 9]).max() < 0.03)
    True
    """

    def __init__(self, values, *, n_runs, hidden=(10, 10), lr=1e-3, rng=None):
        self.values, self.rng, self.lr = np.asarray(values, np.float64), read_rng(rng), lr
        self.n_classes, self.count = len(self.values), 0
        sizes = [self.n_classes, *hidden, 1]
        self.weights = [0.3 * self.rng.normal(size=(n_runs, outs, ins))
                        for ins, outs in zip(sizes, sizes[1:])]
        self.biases = [np.full((n_runs, outs), 0.1) for outs in sizes[1:]]
        self.moments = [[np.zeros_like(one) for one in (*self.weights, *self.biases)] for _ in range(2)]

    def estimate(self, logits):
        """An estimate for each run, with logits (n_runs, C), and how many values of `f` they took."""
        gradient, parts = self._estimate(logits)
        self._learn(self._slopes(gradient, parts))
        return gradient, len(logits)

    def estimates(self, logits, size):
        """`size` estimates with the networks as they are, shape (size, n_runs, C)."""
        return np.stack([self._estimate(logits)[0] for _ in range(size)])

    def _estimate(self, logits):
        log_p, p = log_softmax(logits), softmax(logits)
        z = log_p - np.log(self.rng.standard_exponential(p.shape))
        b = z.argmax(axis=-1)
        corner = np.arange(self.n_classes) == b[:, None]
        waits = np.log(self.rng.standard_exponential(p.shape))
        bell = np.take_along_axis(waits, b[:, None], axis=-1)
        late = np.where(corner, -np.inf, waits - log_p)
        given = -np.logaddexp(bell, late)
        share = np.exp(late + given)
        free, held = self._forward(z), self._forward(given)
        pulls = self._steepest(free), share * self._steepest(held)
        score = corner - p
        gradient = (self.values[b] - held[-1][:, 0])[:, None] * score
        for sign, pull in zip((1, -1), pulls):
            gradient = gradient + sign * (pull - p * pull.sum(axis=-1, keepdims=True))
        return gradient, (p, share, score, free, held)

    # --- The network ------------------------------------------------------------------

    def _forward(self, x):
        """Outputs of all layers, the input first."""
        outs = [x]
        for w, b in zip(self.weights, self.biases):
            x = np.einsum("roi,ri->ro", w, x) + b
            if w is not self.weights[-1]:
                x = np.maximum(x, 0)
            outs.append(x)
        return outs

    def _steepest(self, outs, all_layers=False):
        """Slope of the output by the input; or by what each layer adds up, the last one first."""
        back, found = np.ones_like(outs[-1]), []
        for at in reversed(range(len(self.weights))):
            if at < len(self.weights) - 1:
                back = back * (outs[at + 1] > 0)
            found.append(back)
            back = np.einsum("roi,ro->ri", self.weights[at], back)
        return found if all_layers else back

    def _slopes(self, gradient, parts):
        """Of the squared length of an estimate, by all weights and biases."""
        p, share, score, free, held = parts
        h = 2 * gradient
        level = (p * h).sum(axis=-1, keepdims=True)
        of_weights, of_biases = [], []
        backs = [self._steepest(outs, all_layers=True)[::-1] for outs in (free, held)]
        along = [h - level, share * (h - level)]
        less = (h * score).sum(axis=-1)[:, None]
        for at, w in enumerate(self.weights):
            first, second = backs[0][at], backs[1][at]
            of_weights.append(np.einsum("ro,ri->roi", first, along[0])
                              - np.einsum("ro,ri->roi", second, along[1] + less * held[at]))
            of_biases.append(-less * second)
            along = [np.einsum("roi,ri->ro", w, one) * (outs[at + 1] > 0)
                     for one, outs in zip(along, (free, held))]
        return [*of_weights, *of_biases]

    def _learn(self, slopes):
        self.count += 1
        one, two, tiny = _ADAM
        for at, (weight, slope) in enumerate(zip((*self.weights, *self.biases), slopes)):
            mean, square = self.moments[0][at], self.moments[1][at]
            mean += (1 - one) * (slope - mean)
            square += (1 - two) * (slope**2 - square)
            weight -= (self.lr * mean / (1 - one**self.count)
                       / (np.sqrt(square / (1 - two**self.count)) + tiny))
