"""Patches of digits under a Boltzmann machine small enough to be added up, fitted with three noises."""

import functools
import itertools

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import load
from softmaxnotes.unnormalised.nce import nce_fit

__all__ = ["PATCHES", "Patches", "patches"]


class Patches:
    """All black-and-white patches of 3 by 3 pixels, and how often each is seen in the digits.

    Attributes
    ----------
    pixels : ndarray of int, shape (512, 9)
    features : ndarray, shape (512, 46)
        A constant, the pixels, and the products of two of them.
    counts : ndarray of int, shape (512,)
    laws : dict of str to ndarray, shape (512,)
        Of the noise: each pixel by itself, with its own rate in the data; uniform; half of each.
    """

    def __init__(self):
        ink = load()[0].images.reshape(-1, 8, 8) > 0.5
        codes = sum(ink[:, a : a + 6, b : b + 6] << (3 * a + b) for a in range(3) for b in range(3))
        self.counts = np.bincount(codes.ravel(), minlength=512)
        self.pixels = (np.arange(512)[:, None] >> np.arange(9)) & 1
        pairs = [self.pixels[:, a] * self.pixels[:, b] for a, b in itertools.combinations(range(9), 2)]
        self.features = np.column_stack([np.ones(512), self.pixels, *pairs]).astype(float)
        rate = self.counts @ self.pixels / self.counts.sum()
        alone, uniform = np.prod(np.where(self.pixels, rate, 1 - rate), axis=1), np.full(512, 1 / 512)
        self.laws = {"each pixel by itself": alone, "uniform": uniform, "half of each": (alone + uniform) / 2}

    def lost(self, scores):
        """Divergence, in nats, from the frequencies to the model with these scores, normalised."""
        seen = self.counts / self.counts.sum()
        here = seen > 0
        return seen[here] @ (np.log(seen[here]) - (scores - logsumexp(scores))[here])

    @functools.cached_property
    def likeliest(self):
        """Scores of the machine that maximises the likelihood, by sums over all 512 patches."""
        seen = self.counts / self.counts.sum()

        def cost(weights):
            scores = self.features[:, 1:] @ weights
            log_z = logsumexp(scores)
            return log_z - seen @ scores, (np.exp(scores - log_z) - seen) @ self.features[:, 1:]

        weights = minimize(cost, np.zeros(45), jac=True, method="BFGS", options={"gtol": 1e-7}).x
        scores = self.features[:, 1:] @ weights
        return scores - logsumexp(scores)


@functools.cache
def patches():
    """The patches of the training digits, made once.

    Examples
    --------
    >>> known = patches()
    >>> known.features.shape, int(known.counts.sum()) == 36 * len(load()[0].images)
    ((512, 46), True)
    """
    return Patches()


def fit_patches(method, *, seed, budget):
    """Fit the machine once, with `budget` noise patches for each datum.

    Parameters
    ----------
    method : str
        A law of the noise; or ``"no pairs"``, which is the law of each pixel by itself and needs no fit; or
        ``"maximum likelihood"``.
    seed, budget : int

    Returns
    -------
    dict
        ``lost``, in nats, as by `Patches.lost`, and ``normaliser``, which the fit has not computed.

    Raises
    ------
    ValueError
        There is no such method.

    Examples
    --------
    >>> {name: round(float(value), 3) for name, value in fit_patches("no pairs", seed=0, budget=1).items()}
    {'lost': 1.085, 'normaliser': 1.0}
    """
    known = patches()
    read_choice("method", method, ["no pairs", *known.laws, "maximum likelihood"])
    if method == "no pairs":
        scores = np.log(known.laws["each pixel by itself"])
    elif method == "maximum likelihood":
        scores = known.likeliest
    else:
        law = known.laws[method]
        noise = np.random.default_rng(seed).multinomial(budget * known.counts.sum(), law)
        scores = known.features @ nce_fit(known.features, np.log(budget * law), known.counts, noise)
    return {"lost": known.lost(scores), "normaliser": np.exp(scores).sum()}


PATCHES = Experiment("noise", fit_patches, {
    "no pairs": {}, "each pixel by itself": {}, "uniform": {}, "half of each": {}, "maximum likelihood": {},
}, seeds=range(10), budgets=(1, 5, 25), spent="noise patches per datum", measure="lost", paired=False,
    digits=6)
