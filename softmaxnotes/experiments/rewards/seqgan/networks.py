"""Generators of sequences, a judge of them, and what a generator is worth.  The module needs torch."""

import math
from typing import NamedTuple

import torch
from torch import nn

from softmaxnotes.arguments import read_count, read_generator, read_number

from .sequences import all_sequences, read_table

__all__ = ["Judge", "Recurrent", "Scores", "Tabular", "scores"]


class _Generator(nn.Module):
    """What draws words one after the other.

    Subclasses have ``first(n)``, the logits of the first word, shape (n, V), and a state; and
    ``after(words, state)``, those of the next word after words of shape (n,), and the new state.
    """

    def log_prob(self, sequences):
        """Of each word, given those before it: (n, T) integers to (n, T) numbers."""
        logits, state = self.first(len(sequences))
        found = []
        for t, words in enumerate(sequences.T):
            found.append(torch.log_softmax(logits, -1).gather(1, words[:, None])[:, 0])
            if t + 1 < self.length:
                logits, state = self.after(words, state)
        return torch.stack(found, dim=1)

    @torch.no_grad()
    def sample(self, size, *, prefixes=None, generator=None):
        """So many sequences, or completions of each prefix, next to each other, as rows of T words."""
        size = read_count("size", size, least=0)
        logits, state = self.first(size if prefixes is None else len(prefixes))
        generator = read_generator(generator, logits.device)
        drawn = []
        if prefixes is not None:
            for words in prefixes.T:
                logits, state = self.after(words, state)
            logits, state = (_repeat(a, size) for a in (logits, state))
            drawn = list(prefixes.repeat_interleave(size, dim=0).T)
        while True:
            drawn.append(torch.multinomial(torch.softmax(logits, -1), 1, generator=generator)[:, 0])
            if len(drawn) == self.length:
                return torch.stack(drawn, dim=1)
            logits, state = self.after(drawn[-1], state)


class Tabular(_Generator):
    """A generator with one row of logits for each prefix.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)

    Examples
    --------
    >>> coins = Tabular([[0.0, 0.0]] * 3)
    >>> coins.log_prob(torch.tensor([[0, 1]])).exp()
    tensor([[0.5000, 0.5000]], dtype=torch.float64, grad_fn=<ExpBackward0>)
    """

    def __init__(self, logits):
        super().__init__()
        logits, self.length = read_table(logits)
        self.vocabulary = logits.shape[1]
        self.logits = nn.Parameter(torch.tensor(logits))

    def first(self, n):
        rows = torch.zeros(n, dtype=torch.long, device=self.logits.device)
        return self.logits[rows], rows

    def after(self, words, state):
        rows = state * self.vocabulary + words + 1
        return self.logits[rows], rows


class Recurrent(_Generator):
    """A generator with a long short-term memory; the settings are those of the SeqGAN paper.

    Parameters
    ----------
    vocabulary, length : int
    embedding, hidden : int
        Units.
    scale : float
        Standard deviation of all weights at the start: 1 for an oracle, 0.1 for a generator.
    generator : None, int or torch.Generator

    Examples
    --------
    >>> Recurrent(7, 3, embedding=4, hidden=4).sample(5).shape
    torch.Size([5, 3])
    """

    def __init__(self, vocabulary=5000, length=20, *, embedding=32, hidden=32, scale=0.1, generator=None):
        super().__init__()
        self.vocabulary, self.length = read_count("vocabulary", vocabulary), read_count("length", length)
        scale, generator = read_number("scale", scale, positive=True), read_generator(generator)
        self.words = nn.Embedding(vocabulary, embedding)
        self.cell = nn.LSTMCell(embedding, hidden)
        self.out = nn.Linear(hidden, vocabulary)
        self.double()
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0, scale, generator=generator)

    def first(self, n):
        start = torch.zeros(n, dtype=torch.long, device=self.out.weight.device)
        return self.after(start, None)  # the paper begins with the word 0, too

    def after(self, words, state):
        state = self.cell(self.words(words), state)
        return self.out(state[0]), state


class Judge(nn.Module):
    """A convolutional discriminator: the logit of a sequence to be true.

    Parameters
    ----------
    vocabulary : int
    filters : mapping of int to int
        From the width of a window to the number of filters.
    embedding : int
    dropout : float
        Probability with which a response is left out of a step of training.
    generator : None, int or torch.Generator
        Of the weights.

    Notes
    -----
    As in the SeqGAN paper: an embedding, windows of several widths, the largest response of each filter, a
    highway layer, dropout, one linear output.

    Examples
    --------
    >>> Judge(7, {1: 4, 2: 4})(torch.zeros(5, 3, dtype=torch.long)).shape
    torch.Size([5])
    """

    def __init__(self, vocabulary=5000, filters=None, *, embedding=64, dropout=0.25, generator=None):
        super().__init__()
        filters = filters or {**dict.fromkeys(range(2, 6), 200), **dict.fromkeys((1, *range(6, 11)), 100),
                              15: 160, 20: 160}
        if not 0 <= read_number("dropout", dropout) < 1:
            raise ValueError(f"expected dropout to be at least 0 and less than 1, got {dropout}")
        total, generator = sum(filters.values()), read_generator(generator)
        self.words = nn.Embedding(vocabulary, embedding)
        self.widths = list(filters)
        self.windows = nn.ModuleList(nn.Linear(embedding * width, filters[width]) for width in self.widths)
        self.highway, self.gate = nn.Linear(total, total), nn.Linear(total, total)
        self.dropout, self.out = dropout, nn.Linear(total, 1)
        self.double()
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0, 1 / math.sqrt(max(1, parameter[0].numel())), generator=generator)

    def forward(self, sequences, *, drop=False, generator=None):
        """Logits, shape (n,), for integers (n, T); in a step of training parts of the evidence drop out."""
        x = self.words(sequences)
        x = torch.cat([torch.relu(window(x.unfold(1, width, 1).flatten(2))).amax(dim=1)
                       for width, window in zip(self.widths, self.windows)], dim=1)
        gate = torch.sigmoid(self.gate(x))
        x = gate * torch.relu(self.highway(x)) + (1 - gate) * x
        if drop and self.dropout:
            generator = read_generator(generator, x.device)
            kept = torch.rand(x.shape, generator=generator, dtype=x.dtype, device=x.device) >= self.dropout
            x = x * kept / (1 - self.dropout)
        return self.out(x)[:, 0]


class Scores(NamedTuple):
    r"""What an oracle p says of a generator q, in nats for a whole sequence.

    Attributes
    ----------
    score : float
        :math:`\mathbb E_q[-\log p]`, which papers call the oracle's negative log-likelihood.
    entropy : float
        Of q. The score is this plus :math:`\mathrm{KL}(q\,\|\,p)`.
    reverse : float
        :math:`\mathbb E_p[-\log q]`.
    floor : float
        Entropy of p, the least possible ``reverse``. The score may be less.
    """

    score: float
    entropy: float
    reverse: float
    floor: float


@torch.no_grad()
def scores(oracle, model, *, n_samples=None, generator=None):
    """The score, and what it hides: exactly, over all sequences, or from draws of both.

    Parameters
    ----------
    oracle, model : Tabular or Recurrent
        Of the same vocabulary and length.
    n_samples : int, optional
        Of each; without it all sequences are enumerated.
    generator : None, int or torch.Generator

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        The two do not fit, or there are more than a million sequences.

    Examples
    --------
    >>> one, other = Tabular([[0.0, 0.0]]), Tabular([[math.log(0.75), math.log(0.25)]])
    >>> [round(a, 4) for a in scores(one, other)]
    [0.6931, 0.5623, 0.837, 0.6931]
    """
    shapes = [(a.vocabulary, a.length) for a in (oracle, model)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"expected one vocabulary and length, got {shapes[0]} and {shapes[1]}")
    device = next(model.parameters()).device
    if n_samples is None:
        every = torch.as_tensor(all_sequences(*shapes[0]), device=device)
        log_p, log_q = (a.log_prob(every).sum(dim=1) for a in (oracle, model))
        p, q = log_p.exp(), log_q.exp()
        return Scores(*(-(weight * log).sum().item()
                        for weight, log in ((q, log_p), (q, log_q), (p, log_q), (p, log_p))))
    n_samples, generator = read_count("n_samples", n_samples), read_generator(generator, device)
    true, made = (a.sample(n_samples, generator=generator) for a in (oracle, model))
    return Scores(*(-judge.log_prob(what).sum(dim=1).mean().item()
                    for what, judge in ((made, oracle), (made, model), (true, model), (true, oracle))))


def _repeat(state, n):
    if isinstance(state, tuple):
        return tuple(_repeat(one, n) for one in state)
    return state.repeat_interleave(n, dim=0)
