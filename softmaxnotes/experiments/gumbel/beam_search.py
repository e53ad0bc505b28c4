r"""A small language model whose expectations are known: a network that sees the last few characters.

It is trained on the aphorisms of PEP 20, which are in the public domain and come with Python.  A line ends
with the token 0, which stands in front of it, too; 1 to 23 are the letters that occur, all but j, q and z,
and 24 is the space.

    >>> from softmaxnotes.experiments.gumbel.beam_search import fit_characters, zen_lines
    >>> lines = zen_lines()
    >>> lines[0], len(lines)
    ('beautiful is better than ugly', 19)
    >>> fit_characters(lines, steps=20).model(torch.zeros(1, 0, dtype=torch.int64)).shape
    torch.Size([1, 25])

What the model says depends on the last few characters only, so that the mean of a sum over the characters of
a line is computed exactly, forwards, without a tree: `expected_totals`.  The module needs torch.
"""

import codecs
import contextlib
import functools
import io
import os

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import as_real, read_choice, read_count, read_generator, read_temperature
from softmaxnotes.gumbel import (
    beam_search,
    importance_weights,
    sample_sequences,
    stochastic_beam_search,
)
from softmaxnotes.softmax import softmax
from softmaxnotes.training import Trained, descend, train

__all__ = ["COLD", "WARM", "CharacterModel", "branches", "estimate", "expected_totals", "fit_characters",
           "read_tokens", "tokens_of", "zen_lines", "zen_model"]

_ALPHABET = ".abcdefghiklmnoprstuvwxy "  # what PEP 20 needs


def zen_lines():
    """The aphorisms of PEP 20 in small letters and spaces, in their order.

    Examples
    --------
    >>> zen_lines()[9]
    'errors should never pass silently'
    """
    with contextlib.redirect_stdout(io.StringIO()):  # it prints itself
        import this
    text = codecs.decode(this.s, "rot13").lower().replace("-", " ")
    letters = "".join(c for c in text if c in _ALPHABET[1:] or c == "\n")
    return [" ".join(line.split()) for line in letters.splitlines()[2:]]


def tokens_of(line):
    """The tokens of a line, with its end.

    Raises
    ------
    ValueError
        A character is none of those of the module.

    Examples
    --------
    >>> tokens_of("a y")
    array([ 1, 24, 23,  0])
    """
    strange = set(line) - set(_ALPHABET[1:])
    if strange:
        raise ValueError(f"expected letters that PEP 20 has, and spaces, got {min(strange)!r}")
    return np.array([_ALPHABET.index(c) for c in line] + [0])


def read_tokens(tokens):
    """The text of tokens, up to their end.

    Examples
    --------
    >>> read_tokens([1, 24, 23, 0, 0])
    'a y'
    """
    tokens = list(tokens)
    return "".join(_ALPHABET[c] for c in tokens[: tokens.index(0) if 0 in tokens else None])


def branches(tokens):
    """Texts in the order of the alphabet, and how many characters each shares with the one before it.

    Examples
    --------
    >>> branches([tokens_of("no"), tokens_of("by"), tokens_of("be")])
    (['be', 'by', 'no'], [0, 1, 0])
    """
    texts = sorted(map(read_tokens, tokens))
    return texts, [len(os.path.commonprefix(pair)) for pair in zip(texts, ["", *texts])]


class CharacterModel(torch.nn.Module):
    r"""Log-probabilities of the next character, from the last few: an embedding and a layer of tanh units.

    Parameters
    ----------
    window : int
        How many characters it sees; in front of a line it sees the token 0.
    hidden : int
        Number of tanh units.
    generator : None, int or torch.Generator
        From which the first weights are drawn.

    Raises
    ------
    TypeError, ValueError
        A size isn't an integer, or isn't positive.

    Examples
    --------
    >>> CharacterModel(window=2)(torch.tensor([[1, 2, 3], [4, 2, 3]])).exp().sum(dim=1).round(decimals=6)
    tensor([1., 1.], dtype=torch.float64, grad_fn=<RoundBackward1>)
    """

    def __init__(self, window=4, hidden=64, *, generator=None):
        super().__init__()
        window, hidden = read_count("window", window), read_count("hidden", hidden)
        generator = read_generator(generator)
        self.window, self.size = window, len(_ALPHABET)
        self.seen = torch.nn.Parameter(torch.empty(window, self.size, hidden, dtype=torch.float64))
        self.said = torch.nn.Parameter(torch.empty(hidden, self.size, dtype=torch.float64))
        with torch.no_grad():
            for weights, inputs in ((self.seen, window), (self.said, hidden)):
                weights.uniform_(-inputs**-0.5, inputs**-0.5, generator=generator)

    def forward(self, prefixes):
        """Log-probabilities, shape (B, 25), after prefixes of tokens, shape (B, t)."""
        padded = torch.nn.functional.pad(prefixes, (self.window, 0))[:, -self.window :]
        units = self.seen[torch.arange(self.window), padded].sum(dim=1)
        return torch.log_softmax(torch.tanh(units) @ self.said, dim=-1)

    @torch.no_grad()
    def table(self, *, temperature=1.0):
        r"""All that the model can say: log-probabilities of shape (25, …, 25), the last axis the next token.

        Logits are divided by the `temperature`, positive.
        """
        tau = read_temperature(temperature)
        law = np.empty([self.size] * (self.window + 1))
        for first in range(self.size):  # the numbers of all units at once would be many
            units = self.seen[0, first]
            for seen in self.seen[1:]:
                units = units[..., None, :] + seen
            law[first] = torch.log_softmax(torch.tanh(units) @ self.said / tau, dim=-1)
        return law


def fit_characters(
    lines, *, window=4, hidden=64, steps=400, lr=0.02, decay=1e-4, generator=None, checkpoint=None
) -> Trained:
    r"""Train a `CharacterModel` on lines, each with its end, by Adam on all characters at once.

    The loss is the mean of :math:`-\log p` of a character, in nats, plus `decay` times the sum of squares of
    the weights.

    Parameters
    ----------
    lines : sequence of str
        Small letters and spaces.
    window, hidden : int
    steps : int
    lr : float
        Of Adam.
    decay : float
    generator : None, int or torch.Generator
        Of the first weights.
    checkpoint : path, optional
        As in `softmaxnotes.training.train`.

    Returns
    -------
    Trained
        A `CharacterModel`, and of each step the ``"loss"``, without the squares.

    Examples
    --------
    >>> model, record = fit_characters(["aa", "ab"], window=1, steps=200, decay=0, generator=0)
    >>> model(torch.tensor([[1]])).exp()[0, :3].detach().numpy().round(2)
    array([0.33, 0.33, 0.33])
    """
    lines = [torch.from_numpy(tokens_of(line)) for line in lines]
    prefixes = [torch.nn.functional.pad(line[:t], (window, 0))[-window:] for line in lines
                for t in range(len(line))]
    seen, next_ = torch.stack(prefixes), torch.cat(lines)
    model = CharacterModel(window, hidden, generator=generator)
    adam = torch.optim.Adam(model.parameters(), lr=lr)

    def step(i):
        loss = -model(seen)[torch.arange(len(next_)), next_].mean()
        descend(adam, loss + decay * sum((weights**2).sum() for weights in model.parameters()))
        return {"loss": loss.item()}

    parts = {"model": model, "adam": adam}
    record = train(step, steps, parts=parts, checkpoint=checkpoint, title="characters")
    return Trained(model.eval(), record)


def expected_totals(table, length, values, *, prompt=()):
    """Means of sums over the characters of a line, exactly.

    The sum ends with the line, or after `length` tokens.

    Parameters
    ----------
    table : array_like, shape (V, …, V)
        Log-probabilities of the next token after each window of w, as `CharacterModel.table` gives them.
    length : int
    values : sequence of array_like
        For each sum what a token adds, broadcast against the table: ``-table`` gives the entropy of the
        lines, and 1 the mean number of tokens.
    prompt : sequence of int
        Tokens that come first, and add nothing; 0 isn't among them.

    Returns
    -------
    ndarray, shape (len(values),)

    Raises
    ------
    ValueError
        The table isn't a cube with two axes or more, or `length` is negative.

    Examples
    --------
    A coin is thrown until it shows the token 0, or three times:

    >>> expected_totals(np.log(np.full((2, 2), 0.5)), 3, [1, [0, 1]])
    array([1.75 , 0.875])
    """
    table, length = as_real(table, "table")[0].astype(np.float64), read_count("length", length, least=0)
    if table.ndim < 2 or len(set(table.shape)) != 1:
        raise ValueError(f"expected a table of shape (V, ..., V) with two axes or more, got {table.shape}")
    law = np.exp(table)
    gains = [np.einsum("...v,...v->...", law, np.where(law > 0, value, 0)) for value in values]
    law[..., 0] = 0  # after the end nothing follows
    here, totals = np.zeros(table.shape[:-1]), np.zeros(len(gains))
    here[tuple([*[0] * here.ndim, *prompt][-here.ndim :])] = 1
    for _ in range(length):
        totals += [np.vdot(here, gain) for gain in gains]
        here = np.einsum("i...,i...v->...v", here, law)
    return totals


# --- Which estimate is nearest ------------------------------------------------

PROMPT, LENGTH = "although ", 48
WAYS = ("with replacement", "stochastic beam", "stochastic beam of a quarter", "beam search")


@functools.cache
def zen_model():
    """The model of the chapter and its record; it is trained once."""
    return fit_characters(zen_lines(), steps=250, generator=0)


@functools.cache
def _asked(temperature):
    """The model at a temperature as a function of prefixes, and what is estimated: entropy and spaces."""
    table, prompt = zen_model().model.table(temperature=temperature), tokens_of(PROMPT)[:-1]
    space = np.arange(table.shape[-1]) == tokens_of(" ")[0]
    exact = expected_totals(table, LENGTH, (-table, space), prompt=prompt.tolist())

    def ask(prefixes):
        seen = np.concatenate([np.tile(prompt, (len(prefixes), 1)), prefixes], axis=1)
        return table[tuple(seen[:, 1 - table.ndim :].T)]

    return ask, exact


def estimate(method, *, seed, budget, temperature):
    """Squared errors of an estimate of the entropy of a line, and of its mean number of spaces.

    Parameters
    ----------
    method : {"with replacement", "stochastic beam", "stochastic beam of a quarter", "beam search"}
        Of the stochastic beams one sequence more is drawn, for the threshold, and the weights are normalised;
        beam search takes its probabilities over their sum.
    seed : int
    budget : int
        Number of sequences; the third method has a quarter of them.
    temperature : float
        By which the logits of `zen_model` are divided.

    Returns
    -------
    dict
        The squared errors ``"entropy"`` and ``"spaces"``, the error of the entropy, ``"off"``, and how many
        prefixes are ``"shown"`` to the model, and how many ``"different"`` ones.
    """
    read_choice("method", method, WAYS)
    ask, exact = _asked(temperature)
    k = budget // 4 if method == WAYS[2] else budget
    if method == WAYS[0]:
        found = sample_sequences(ask, k, LENGTH, rng=seed, end=0)
        weights = np.full(k, 1 / k)
    elif method == WAYS[3]:
        found = beam_search(ask, k, LENGTH, end=0)
        weights = softmax(found.log_probs)
    else:
        found = stochastic_beam_search(ask, k + 1, LENGTH, rng=seed, end=0)
        weights = importance_weights(found.log_probs[:k], found.keys[k], normalised=True)
    tokens, log_probs = found.tokens[:k], found.log_probs[:k]
    spaces = (tokens == tokens_of(" ")[0]).sum(axis=1)
    off = np.array([-weights @ log_probs, weights @ spaces]) - exact
    shown = (tokens[:, :-1] > 0).sum() + k if method == WAYS[0] else found.evaluations
    return {"entropy": off[0] ** 2, "spaces": off[1] ** 2, "off": off[0], "shown": shown,
            "different": found.evaluations}


#: At a low temperature.
COLD = Experiment("cold", estimate, dict.fromkeys(WAYS, {"temperature": (0.25,)}), seeds=range(60),
                  budgets=(64,), spent="sequences", paired=False, measure="entropy", digits=0)

#: At that of the network itself.
WARM = Experiment("warm", estimate, dict.fromkeys(WAYS, {"temperature": (1.0,)}), seeds=range(60),
                  budgets=(64,), spent="sequences", paired=False, measure="entropy", digits=0)
