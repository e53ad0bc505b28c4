r"""Texts from known vectors, so that what is learnt can be compared with the truth.

After context c comes word w with probability proportional to :math:`b_w e^{u_w \cdot v_c}`, with base
frequencies b by Zipf's law.
"""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.softmax import log_softmax
from softmaxnotes.unnormalised.negative_sampling import NoiseSampler, negative_sampling_loss
from softmaxnotes.unnormalised.word_vectors import WordVectors, fit_word_vectors

__all__ = ["PRICES", "RANKS", "TEXT", "WORK", "World"]

_WORDS, _CONTEXTS, _BATCH = 100, 30, 500
_LAWS = ("unigram", "power ¾", "uniform", "base")


class World:
    """A hundred words in thirty contexts, from vectors of three dimensions.

    Parameters
    ----------
    rng : None, int or numpy.random.Generator

    Attributes
    ----------
    u, v : ndarray, shapes (100, 3) and (30, 3)
        Vectors of the words and of the contexts.
    scores, truth : ndarray, shape (30, 100)
        Scores, and the logarithms of the probabilities of the words.
    of_context : ndarray, shape (30,)
    pairs : ndarray, shape (30, 100)
        Probabilities of a context with a word.
    laws : dict of str to ndarray, shape (100,)
        Of the noise: the frequencies of the words in the text; the same to the power ¾; uniform; and the base
        frequencies, which nobody knows who has only the text.

    Examples
    --------
    >>> world = World(rng=0)
    >>> float(world.pairs.sum().round(9)), world.laws["unigram"].shape
    (1.0, (100,))
    """

    def __init__(self, *, rng=None):
        rng = np.random.default_rng(rng)
        self.u, self.v = rng.normal(size=(_WORDS, 3)), rng.normal(size=(_CONTEXTS, 3))
        base = NoiseSampler(1 / np.arange(1, _WORDS + 1))
        self.scores = self.v @ self.u.T + base.log_probabilities
        self.truth = log_softmax(self.scores)
        self.of_context = NoiseSampler(1 / np.arange(1, _CONTEXTS + 1)).probabilities
        self.pairs = self.of_context[:, None] * np.exp(self.truth)
        unigram = self.pairs.sum(axis=0)
        self.laws = {"unigram": unigram, "power ¾": NoiseSampler(unigram, power=0.75).probabilities,
                     "uniform": np.full(_WORDS, 1 / _WORDS), "base": base.probabilities}

    def error(self, scores):
        """Root of the mean square error, over the pairs of the text, in nats."""
        return float(np.sqrt((self.pairs * (scores - self.truth) ** 2).sum()))

    def slopes(self):
        """Slopes of all scores in all coordinates that are free, shape (30, 100, m)."""
        cells = _CONTEXTS * _WORDS
        of_v = np.einsum("cx,wd->cwxd", np.eye(_CONTEXTS), self.u).reshape(cells, -1)
        of_u = np.einsum("wx,cd->cwxd", np.eye(_WORDS), self.v).reshape(cells, -1)
        biases = np.tile(np.eye(_WORDS), (_CONTEXTS, 1)), np.repeat(np.eye(_CONTEXTS), _WORDS, axis=0)
        every = np.concatenate([of_v, of_u, *biases], axis=1)
        size, way = np.linalg.svd(every * np.sqrt(self.pairs.reshape(-1, 1)), full_matrices=False)[1:]
        return (every @ way[size > 1e-9 * size[0]].T).reshape(_CONTEXTS, _WORDS, -1)

    def free(self, slopes):
        """How many coordinates are free for softmax."""
        return int(np.linalg.matrix_rank(_products(self.pairs, _less_mean(np.exp(self.truth), slopes)),
                                         hermitian=True))

    def limit(self, nu, law, slopes):
        """Matrix whose trace is the limit of N times the mean squared error of negative sampling."""
        law, p = np.asarray(law), np.exp(self.truth)
        met = nu * self.of_context[:, None] * law
        share = self.pairs / (self.pairs + met)
        told = _less_mean(p, (1 - share)[..., None] * slopes)
        heard = _less_mean(law + 0 * p, share[..., None] * slopes)
        curvature = _products(self.pairs * (1 - share), slopes)
        chance = _products(self.pairs, told) + _products(met, heard)
        return np.linalg.solve(curvature, chance) @ np.linalg.solve(curvature,
                                                                    _products(self.pairs, slopes))


def _products(weights, table):
    """The sum of the products of slopes."""
    rows = table.reshape(_CONTEXTS * _WORDS, -1)
    return rows.T * weights.ravel() @ rows


def _less_mean(law, table):
    return table - (law[..., None] * table).sum(axis=1, keepdims=True)


def price(method, *, seed, budget):
    """Text that negative sampling needs in a world, over that which softmax needs; `budget` noise words.

    Examples
    --------
    >>> few, many = (price("unigram", seed=0, budget=budget) for budget in (1, 25))
    >>> bool(1 < many < few)
    True
    """
    read_choice("method", method, ("softmax", *_LAWS))
    if method == "softmax":
        return 1.0
    if seed not in _SLOPES:
        _SLOPES.clear()
        world = World(rng=seed)
        _SLOPES[seed] = world, (slopes := world.slopes()), world.free(slopes)
    world, slopes, free = _SLOPES[seed]
    return np.trace(world.limit(budget, world.laws[method], slopes)) / free


_SLOPES = {}  # of the last world, which all methods share

PRICES = Experiment("prices", price, {method: {} for method in (*_LAWS, "softmax")}, seeds=range(10),
                    budgets=(1, 5, 25), spent="noise words for each word of text", digits=6)


def bare(method, *, seed, budget):
    """Error of vectors of `budget` dimensions without biases, fitted to all pairs of a world.

    Parameters
    ----------
    method : str
        ``"nothing learnt"``, which knows the frequencies of the words; ``"softmax"``; ``"noise contrast"``,
        with these as noise; or ``"negative sampling, "`` and a law of the noise.

    Examples
    --------
    >>> bare("softmax", seed=0, budget=4) < 1e-3
    True
    """
    world, noise = World(rng=seed), None
    if method == "nothing learnt":
        return world.error(np.log(world.laws["unigram"]))
    kind, _, law = method.partition(", ")
    read_choice("method", kind, ("nothing learnt", "softmax", "noise contrast", "negative sampling"))
    log_kq = np.log(5 * world.laws[law or "unigram"])
    if kind != "softmax":
        noise = 5 * world.of_context[:, None] * world.laws[law or "unigram"]
    best = np.inf
    for start in range(2):
        model = WordVectors(_CONTEXTS, _WORDS, budget, biases=False, scale=0.5, dtype=torch.float64,
                            generator=start)
        scores = fit_word_vectors(model, world.pairs, noise, log_kq if kind == "noise contrast" else 0.0,
                                  steps=600)
        best = min(best, world.error(scores + (log_kq if kind == "negative sampling" else 0.0)))
    return best


RANKS = Experiment("ranks", bare, {method: {} for method in (
    "nothing learnt", "softmax", "noise contrast", *(f"negative sampling, {law}" for law in _LAWS))},
    seeds=range(10), budgets=(4, 5), spent="dimensions", digits=0)


# --- Going through a text once ----------------------------------------------------------


def _trained(world, kind, steps, lr, seed):
    """Log-probabilities after so many steps of 500 words each."""
    model = WordVectors(_CONTEXTS, _WORDS, 3, scale=0.5, dtype=torch.float64, generator=seed)
    draws, corpus = torch.Generator().manual_seed(seed), NoiseSampler(world.pairs.ravel())
    other = NoiseSampler(world.laws["unigram"])
    descent = torch.optim.Adam(model.parameters(), lr=lr)
    slower = torch.optim.lr_scheduler.LambdaLR(descent, lambda i: 1 - i / steps)
    for _ in range(steps):
        place = corpus.sample_tensor(_BATCH, generator=draws)
        c, w = place // _WORDS, place % _WORDS
        if kind == "softmax":
            loss = cross_entropy(model.table(c), w)
        else:
            loss = negative_sampling_loss(model(c, w), model(c, other.sample_tensor((_BATCH, 5),
                                                                                    generator=draws)))
        descent.zero_grad()
        loss.backward()
        descent.step()
        slower.step()
    scores = model.table().detach().numpy()
    return log_softmax(scores) if kind == "softmax" else scores + np.log(5 * other.probabilities)


def read_once(method, *, seed, budget, lr=0.1):
    """Error after a text of `budget` words, which is gone through once.

    Parameters
    ----------
    method : str
        ``"frequencies alone"``, by which the words are the same in all contexts; ``"all pairs counted"``,
        softmax fitted to the counts until its slopes vanish; ``"softmax"`` or ``"negative sampling"``.
    """
    world = World(rng=0)
    read_choice("method", method, ("frequencies alone", "all pairs counted", "softmax", "negative sampling"))
    if method == "frequencies alone":
        return world.error(np.log(world.laws["unigram"]))
    if method == "all pairs counted":
        text = np.random.default_rng(seed).multinomial(budget, world.pairs.ravel())
        model = WordVectors(_CONTEXTS, _WORDS, 3, scale=0.5, dtype=torch.float64, generator=seed)
        return world.error(fit_word_vectors(model, text.reshape(_CONTEXTS, _WORDS)))
    return world.error(_trained(world, method, budget // _BATCH, lr, seed))


def scored(method, *, seed, budget, lr=0.1):
    """Error after `budget` scores have been computed, by as much text as that allows."""
    per_word = {"softmax": _WORDS, "negative sampling": 6}.get(method, 1)
    return read_once(method, seed=seed, budget=budget // per_word, lr=lr)


_RATES = {"lr": (0.03, 0.1, 0.3)}
TEXT = Experiment("text", read_once, {
    "frequencies alone": {}, "softmax": _RATES, "negative sampling": _RATES, "all pairs counted": {},
}, seeds=range(10), tuning_seeds=range(90, 93), budgets=(200_000,), spent="words of text", paired=False,
    digits=0)
WORK = Experiment("work", scored, {
    "frequencies alone": {}, "softmax": _RATES, "negative sampling": _RATES,
}, seeds=range(10), tuning_seeds=range(90, 93), budgets=(1_200_000,), spent="scores computed", paired=False,
    digits=0)
