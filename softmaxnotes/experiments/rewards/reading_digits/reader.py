"""A reader: where it looks, what it names there, and the exact sums over all paths of its glimpses."""

from typing import NamedTuple

import numpy as np
import torch

from softmaxnotes.arguments import read_count, read_generator

__all__ = ["DigitReader", "Reading", "Tables", "read_canvases"]


class Tables(NamedTuple):
    r"""What the readers would do and say at each step, wherever they look; S readers, N canvases.

    Attributes
    ----------
    glance : list of T tensors, shape (S, N, L + 1, L)
        Logits of the glimpse, a row for each cell of the last one; the last row is that of the first glimpse.
    names : tensor, shape (S, N, L, 10)
        Log-probabilities of the digits at each cell.
    features : tensor, shape (S, N, L, H)
    """

    glance: list
    names: torch.Tensor
    features: torch.Tensor


class DigitReader(torch.nn.Module):
    r"""S readers side by side, each with parameters of its own.

    A cell with the pixels x has the features :math:`h = \tanh(W x + b)`; at step t, coming from cell i,
    cell j has the logit :math:`u_t \cdot h_j + m_{ij}`, and what is named there has the logits
    :math:`V h_j + c`.

    Parameters
    ----------
    n_readers, n_cells, n_digits, hidden : int
        S, L, T, H.
    generator : None, int or torch.Generator
        Of the first parameters.
    """

    def __init__(self, n_readers=1, *, n_cells=6, n_digits=2, hidden=32, generator=None):
        super().__init__()
        for name, n in (("n_readers", n_readers), ("n_cells", n_cells), ("n_digits", n_digits),
                        ("hidden", hidden)):
            read_count(name, n)
        self.n_cells, self.n_digits, generator = n_cells, n_digits, read_generator(generator)

        def made(*shape, scale):
            return torch.nn.Parameter(scale * torch.randn(n_readers, *shape, generator=generator))

        self.see, self.see_bias = made(64, hidden, scale=0.25), made(1, 1, hidden, scale=0.0)
        self.ask = made(n_digits, hidden, scale=0.1)
        self.move = made(n_cells + 1, n_cells, scale=0.0)
        self.name, self.name_bias = made(hidden, 10, scale=0.1), made(1, 1, 10, scale=0.0)

    def forward(self, cells):
        """Tables for canvases of shape (N, L, 64), or (S, N, L, 64), different ones for each reader."""
        cells = torch.as_tensor(cells, dtype=self.see.dtype)
        n = cells.shape[-3]
        flat = cells.reshape(*cells.shape[:-3], n * self.n_cells, 64)
        h = torch.tanh(flat @ self.see + self.see_bias[:, 0]).reshape(len(self.see), n, self.n_cells, -1)
        marks = torch.einsum("snlh,sth->tsnl", h, self.ask)
        glance = [mark[:, :, None] + self.move[:, None] for mark in marks]
        return Tables(glance, self.naming(h), h)

    def naming(self, features):
        """Log-probabilities of the digits from features of shape (S, N, ..., H)."""
        middle = features.reshape(len(self.name), -1, features.shape[-1])
        logits = (middle @ self.name + self.name_bias[:, 0]).reshape(*features.shape[:-1], 10)
        return torch.log_softmax(logits, dim=-1)


# --- Sums over all places ---------------------------------------------------------------------------


def rewards_of(tables, digits):
    """Log-probability of each digit that is to be named, at every cell: shape (S, N, T, L)."""
    digits = torch.as_tensor(digits).expand(*tables.names.shape[:2], -1)
    index = digits[:, :, None].expand(-1, -1, tables.names.shape[2], -1)
    return tables.names.gather(-1, index).transpose(2, 3)


def exact_sums(tables, digits):
    """Log-likelihood and bound of each canvas, shape (S, N), by recursions over the steps."""
    rewards = rewards_of(tables, digits)
    joint = law = None
    bound = 0
    for t, logits in enumerate(tables.glance):
        log_law = torch.log_softmax(logits, dim=-1)
        if t == 0:
            joint, law = log_law[:, :, -1], log_law[:, :, -1].exp()
        else:
            joint = torch.logsumexp(joint[..., None] + log_law[:, :, :-1], dim=2)
            law = torch.einsum("sni,snij->snj", law, log_law[:, :, :-1].exp())
        joint = joint + rewards[:, :, t]
        bound = bound + (law * rewards[:, :, t]).sum(dim=-1)
    return torch.logsumexp(joint, dim=-1), bound


def rows_at(table, last):
    """The rows of a table of shape (S, N, L + 1, L) that belong to the last glimpses, shape (S, N)."""
    return table.gather(2, last[..., None, None].expand(*last.shape, 1, table.shape[-1]))[:, :, 0]


def rows_in_the_mean(reader, table, before):
    """Logits of a glimpse after one that was at all places, with weights of shape (S, N, L)."""
    if before is None:
        return table[:, :, -1]
    moved = torch.einsum("sni,sij->snj", before, reader.move[:, :-1])
    return table[:, :, 0] - reader.move[:, None, 0] + moved


def read_in_means(reader, tables, digits, soften=lambda row: row):
    """Log-probability of the digits, read from means; what softens logits makes them soft draws."""
    total, before = 0, None
    digits = torch.as_tensor(digits).expand(*tables.names.shape[:2], -1)
    for t, table in enumerate(tables.glance):
        before = torch.softmax(soften(rows_in_the_mean(reader, table, before)), dim=-1)
        names = reader.naming(torch.einsum("snl,snlh->snh", before, tables.features))
        total = total + names.gather(-1, digits[:, :, t, None])[..., 0]
    return total


# --- What it has learnt -----------------------------------------------------------------------------


class Reading(NamedTuple):
    """What readers do with canvases.

    Attributes
    ----------
    evidence, bound : ndarray, shape (S, N)
        Exact log-likelihood of the digits, under hard or under soft attention, and its bound: the mean, over
        the places, of the log-likelihood there.
    places : ndarray of int, shape (S, N, T)
        Where they look first of all: the most probable place at each step, after those before.
    digits : ndarray of int, shape (S, N, T)
        What they then name.
    attention : ndarray, shape (S, N, T, L)
        The law of each glimpse, after the most probable ones before; for soft attention the weights.
    """

    evidence: np.ndarray
    bound: np.ndarray
    places: np.ndarray
    digits: np.ndarray
    attention: np.ndarray


@torch.no_grad()
def read_canvases(reader, canvases, *, soft=False):
    """What readers name, and where they look, step by step taking the most probable.

    Parameters
    ----------
    reader : DigitReader
    canvases : Canvases
    soft : bool
        Whether they see means.

    Returns
    -------
    Reading

    Notes
    -----
    For hard attention likelihood and bound are recursions over the steps, of :math:`L^2` terms each.
    What soft attention shows are mean features; digits are named linearly in them, so it has a bound too.

    Implements: eq-forward-glimpses, eq-soft-gap

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> from softmaxnotes.experiments.rewards.reading_digits import make_canvases
    >>> canvases = make_canvases(load()[1], 4, rng=0)
    >>> read = read_canvases(DigitReader(2, generator=0), canvases)
    >>> read.digits.shape, bool((read.bound < read.evidence).all())
    ((2, 4, 2), True)
    """
    tables = reader(canvases.cells)
    attention, digits, places = [], [], []
    last = torch.full(tables.names.shape[:2], reader.n_cells)
    for t, table in enumerate(tables.glance):
        row = rows_in_the_mean(reader, table, attention[-1] if t else None) if soft else rows_at(table, last)
        attention.append(torch.softmax(row, dim=-1))
        last = row.argmax(dim=-1)
        places.append(last)
        if soft:
            names = reader.naming(torch.einsum("snl,snlh->snh", attention[-1], tables.features))
        else:
            names = tables.names.gather(2, last[..., None, None].expand(*last.shape, 1, 10))[:, :, 0]
        digits.append(names.argmax(dim=-1))
    if soft:
        evidence = read_in_means(reader, tables, canvases.digits)
        bound = (torch.stack(attention, dim=2) * rewards_of(tables, canvases.digits)).sum(dim=(2, 3))
    else:
        evidence, bound = exact_sums(tables, canvases.digits)
    return Reading(*(a.numpy() for a in (evidence, bound, *(
        torch.stack(b, dim=2) for b in (places, digits, attention)))))
