r"""Negative sampling: noise words in a constant number of operations, and the loss.

For each word of the data, k words are drawn from a noise law q, and a classifier is asked which is which.
Where words have scores of their own, the best scores are :math:`\log\frac{p}{kq}`; for counts
`softmaxnotes.unnormalised.word_counts` has them.
"""


import numpy as np
import torch

from ..arguments import as_real, check_entries, read_generator, read_number, read_rng, read_size
from .nce import nce_loss

__all__ = ["NoiseSampler", "negative_sampling_loss"]

_BITS = 62  # of the integers in which a table is made


# --- The noise -----------------------------------------------------------------------


class NoiseSampler:
    r"""Draws words from a law in a constant number of operations each, however many words there are.

    .. math:: q_i = \frac{w_i^\alpha}{\sum_j w_j^\alpha}

    Parameters
    ----------
    weights : array_like, shape (n,)
        Not negative, finite, not all zero; counts, for example. What has weight 0 is never drawn.
    power : float
        The exponent :math:`\alpha`, from 0 (all words that have a weight alike) to 1 (as the weights say);
        word2vec has ¾. It may be larger.

    Attributes
    ----------
    probabilities, log_probabilities : ndarray of float64, shape (n,)
        Of q; the logarithm of 0 is ``-inf``.

    Raises
    ------
    TypeError
        The weights aren't real numbers.
    ValueError
        They are no such sequence; the power is negative or not finite.

    Notes
    -----
    The table is Walker's: n boxes of the same size, each with at most two words. A draw opens a box and
    compares one number. All boxes are filled at once, by cumulated sums of integers, so that no rounding
    adds up: the law of the table, `table_law`, differs from q by less than :math:`2^{-51}`, mostly in the
    largest probability, which takes what the others' roundings leave. A draw itself has a resolution of
    :math:`2^{-53}`.

    Implements: eq-alias-law

    References
    ----------
    A. J. Walker, "An efficient method for generating discrete random variables with general
    distributions", ACM Transactions on Mathematical Software 3 (1977) 253-256.
    M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE
    Transactions on Software Engineering 17 (1991) 972-975.

    Examples
    --------
    >>> noise = NoiseSampler([16, 1, 0, 1], power=0.75)
    >>> noise.probabilities.round(4)
    array([0.8, 0.1, 0. , 0.1])
    >>> noise.sample((2, 6), rng=1)
    array([[0, 0, 0, 0, 1, 0],
           [3, 0, 0, 0, 3, 0]])
    >>> noise.sample_tensor(3, generator=0).shape
    torch.Size([3])
    """

    def __init__(self, weights, *, power=1.0):
        weights = as_real(weights, "weights")[0].astype(np.float64)
        if weights.ndim != 1 or weights.size == 0:
            raise ValueError(f"expected weights of shape (n,) with n > 0, got shape {weights.shape}")
        valid = np.isfinite(weights) & (weights >= 0)
        check_entries("weights", weights, valid, "to be finite and not negative")
        if not weights.any():
            raise ValueError("no law: all weights are 0")
        if (power := read_number("power", power)) < 0:
            raise ValueError(f"expected power not to be negative, got {power}")
        there = weights > 0
        with np.errstate(divide="ignore", under="ignore"):
            raised = np.where(there, (weights / weights.max()) ** power, 0.0)
            self.probabilities = raised / raised.sum()
            logs = np.where(there, power * (np.log(weights) - np.log(weights.max())), -np.inf)
            self.log_probabilities = logs - np.log(raised.sum())
        self._box, self._own, self._other = _boxes(self.probabilities)
        self._keep = self._own / self._box
        self._tensors = {}

    def __len__(self):
        return len(self.probabilities)

    def sample(self, size=None, *, rng=None):
        """Independent words, from 0 to n - 1.

        Parameters
        ----------
        size : None, int or tuple of int
        rng : None, int or numpy.random.Generator

        Returns
        -------
        ndarray or scalar of int64, shape size

        Raises
        ------
        TypeError, ValueError
            `size` isn't made of integers, none of them negative; `rng` is something else.
        """
        place = read_rng(rng).random(read_size(size)) * len(self)
        box = np.minimum(np.asarray(place).astype(np.int64), len(self) - 1)
        return np.where(place - box < self._keep[box], box, self._other[box])[()]

    def sample_tensor(self, size=None, *, generator=None, device=None):
        """The same as a tensor.

        Parameters
        ----------
        size : None, int or tuple of int
        generator : None, int or torch.Generator
        device : torch.device or str, optional
            That of the generator, or else the CPU, unless told.

        Returns
        -------
        torch.Tensor of int64, shape size

        Raises
        ------
        TypeError, ValueError
            As of `sample`.
        """
        size, generator = read_size(size), read_generator(generator, device or "cpu")
        device = torch.device(device or ("cpu" if generator is None else generator.device))
        keep, other = self._on(device)
        place = torch.rand(size, generator=generator, dtype=torch.float64, device=device).mul_(len(self))
        box = place.long().clamp_(max=len(self) - 1)
        return torch.where(place.sub_(box) < keep[box], box, other[box])

    def boxes(self):
        """How much of each box is its own word's, from 0 to 1, and which word has the rest; shapes (n,)."""
        return self._keep.copy(), self._other.copy()

    def table_law(self):
        """The law of which draws are made, summed over the boxes; shape (n,)."""
        law = self._own.copy()
        np.add.at(law, self._other, self._box - self._own)  # integers: nothing is rounded
        return law / (self._box * len(self))

    def _on(self, device):
        if device not in self._tensors:
            self._tensors[device] = [torch.from_numpy(a).to(device) for a in (self._keep, self._other)]
        return self._tensors[device]


def _boxes(law):
    """The size of a box; how much of each of n is its own word's; and which word has the rest.

    The words that need less than a box are light. In their order each fills up its box with the heavy word
    whose turn it is; as soon as that one needs no more than a box itself, the next heavy one fills this up,
    and so on. Whose turn it is follows from the sums of what is missing and of what is too much.
    """
    n = len(law)
    box = 1 << (_BITS - (n - 1).bit_length())  # so that n boxes fit into an integer
    need = np.rint(law * n * box).astype(np.int64)
    need[need.argmax()] += n * box - need.sum()
    light, heavy = np.flatnonzero(need < box), np.flatnonzero(need >= box)
    missing = np.cumsum(np.append(0, box - need[light]))  # before each light word, and after all
    extra = np.cumsum(need[heavy] - box)
    keep, other = np.minimum(need, box), np.arange(n)
    other[light] = heavy[np.searchsorted(extra, missing[:-1], side="right")]
    too_much = missing[np.searchsorted(missing, extra)] - extra  # when the turn of a heavy word ends
    short = np.flatnonzero(too_much)
    keep[heavy[short]] -= too_much[short]
    other[heavy[short]] = heavy[short + 1]
    return box, keep, other


# --- The loss ------------------------------------------------------------------------


def negative_sampling_loss(data_scores, noise_scores):
    r"""Loss of telling words from noise words, for each word of the data.

    .. math:: -\frac1n \Bigl(\sum_{i=1}^n \log\sigma(s_i) + \sum_{j=1}^m \log\sigma(-r_j)\Bigr)

    It is `nce_loss` with 0 for each :math:`\log(kq)`.

    Parameters
    ----------
    data_scores : Tensor of a floating type, any shape
        Scores :math:`s_i` of the n words of the data.
    noise_scores : Tensor of the same type, any shape
        Scores :math:`r_j` of the m noise words, :math:`k = m/n` for each word of the data; say of shape
        (n, k). ``-inf`` leaves one out: a noise word that is the word itself, for example.

    Returns
    -------
    Tensor, shape ()

    Raises
    ------
    TypeError
        The scores aren't tensors of one floating type.
    ValueError
        There are no scores, or one is NaN.

    Notes
    -----
    A noise word with the score ``-inf`` costs nothing and gets the gradient 0; such a word of the data costs
    infinitely much. No exponential overflows.

    Implements: eq-ns-objective

    References
    ----------
    T. Mikolov, I. Sutskever, K. Chen, G. Corrado and J. Dean, "Distributed representations of words and
    phrases and their compositionality", NeurIPS (2013).

    Examples
    --------
    >>> negative_sampling_loss(torch.tensor([0.0, 2.0]), torch.tensor([[0.0, 0.0], [-1.0, -torch.inf]]))
    tensor(1.2598)
    """
    return nce_loss(data_scores, noise_scores, 0.0, 0.0)
