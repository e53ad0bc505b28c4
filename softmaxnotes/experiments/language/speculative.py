r"""Two networks that write aphorisms: one drafts, the other answers, and all that happens is known exactly.

Both see the last characters of `softmaxnotes.experiments.gumbel.beam_search`, three at most, so that a text
is a Markov chain on :math:`25^3` contexts: a table has a row for each of them, in the order of its
characters, and a column for each next token.  Where a line ends, the next one begins.
"""

import functools

import numpy as np
from scipy import sparse

from softmaxnotes.arguments import read_count
from softmaxnotes.experiments.gumbel.beam_search import fit_characters, zen_lines

__all__ = ["context_table", "following", "long_run_rates", "visits"]

_SEEN = 3  # characters that the target sees


@functools.cache
def context_table(window):
    """Log-probabilities of the next token after each context, from a network that sees `window` characters.

    It is trained once, in a second.

    Parameters
    ----------
    window : int
        From 1 to 3.

    Returns
    -------
    ndarray, shape (15625, 25)

    Examples
    --------
    >>> context_table(1).shape
    (15625, 25)
    """
    window = read_count("window", window)
    if window > _SEEN:
        raise ValueError(f"expected window to be at most {_SEEN}, got {window}")
    table = fit_characters(zen_lines(), window=window, steps=250, generator=0).model.table()
    size = table.shape[-1]
    return np.broadcast_to(table, [size] * (_SEEN + 1)).reshape(-1, size).copy()


def following(n_tokens=25, seen=_SEEN):
    """The context after each context and each token; after token 0, which ends a line, it is the first one.

    Parameters
    ----------
    n_tokens : int
    seen : int
        How many of them a context is.

    Returns
    -------
    ndarray of int, shape (n_tokens**seen, n_tokens)

    Examples
    --------
    >>> following(2, 2)
    array([[0, 1],
           [0, 3],
           [0, 1],
           [0, 3]])
    """
    n_tokens, seen = read_count("n_tokens", n_tokens), read_count("seen", seen)
    after = np.arange(n_tokens**seen)[:, None] % n_tokens ** (seen - 1) * n_tokens + np.arange(n_tokens)
    after[:, 0] = 0
    return after


def visits(target, after):
    """How often each context occurs in a long text, as a share.

    Parameters
    ----------
    target : array_like, shape (S, V)
        Probabilities of the next token.
    after : array_like of int, shape (S, V)

    Returns
    -------
    ndarray, shape (S,)

    Examples
    --------
    >>> visits(np.array([[0.5, 0.5], [1, 0]]), np.array([[0, 1], [0, 1]])).round(6)
    array([0.666667, 0.333333])
    """
    move = _moves(target, after)
    return _settled(lambda here: move @ here, len(target))


def long_run_rates(target, draft, after, gamma):
    r"""Share of calls that accept the first, the second, … of `gamma` drafted tokens, in a long text.

    Each call begins where the one before it ended, which is not a typical place: often it is one where a
    draft has just failed.

    Parameters
    ----------
    target, draft : array_like, shape (S, V)
        Probabilities of the next token.
    after : array_like of int, shape (S, V)
    gamma : int

    Returns
    -------
    ndarray, shape (gamma,)
        Of token `s` among the calls in which all tokens before it were accepted, as
        `softmaxnotes.language.tokens_of_rates` takes them.

    Examples
    --------
    >>> coin, fair = np.array([[0.75, 0.25]] * 2), np.array([[0.5, 0.5]] * 2)
    >>> long_run_rates(coin, fair, following(2, 1), 2)
    array([0.75, 0.75])
    """
    gamma = read_count("gamma", gamma)
    kept = np.minimum(target, draft)
    # what is not accepted is drawn from what is left
    accept, reject, more = (_moves(weights, after) for weights in (kept, target - kept, target))

    def call(start, rates=None):
        here, ends = start, 0
        for _ in range(gamma):
            ends = ends + reject @ here
            before, here = here.sum(), accept @ here
            if rates is not None:
                rates.append(here.sum() / before)
        return ends + more @ here

    rates = []
    call(_settled(call, len(target)), rates)
    return np.array(rates)


def _moves(weights, after):
    """Sparse matrix from shares of the contexts to shares of those that follow."""
    here = np.repeat(np.arange(len(after)), after.shape[1])
    return sparse.csr_array((np.ravel(weights), (after.ravel(), here)), (len(after),) * 2)


def _settled(step, size):
    """Shares that a step leaves alone."""
    here = np.eye(1, size)[0]
    for _ in range(5000):
        before, here = here, step(here)
        if np.abs(here - before).sum() < 1e-12:
            return here / here.sum()
    raise ValueError("no long run: the shares of the contexts do not settle")
