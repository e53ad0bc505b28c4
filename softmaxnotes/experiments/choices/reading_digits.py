r"""Readers with hard attention: digits on a canvas among clutter, to be named in their order.

A canvas has L cells of 8 by 8 pixels; T of them hold a digit, the others the pieces of one. A reader glances
at one cell after the other, and names a digit each time. Told is only the sequence of the digits, not where
they are. Its glimpses are a chain (the next one depends on the last one), so that likelihood and bound, sums
over :math:`L^T` paths, are computed by a recursion; that is the reference for all that draws.

    >>> from softmaxnotes.digits import load
    >>> canvases = make_canvases(load()[0], 3, rng=0)
    >>> canvases.cells.shape, canvases.digits.shape
    ((3, 6, 64), (3, 2))

The module needs torch.
"""

import math
from typing import NamedTuple

import numpy as np
import torch

from softmaxnotes.training import descend, train

__all__ = [
    "AttentionNoise", "Canvases", "DigitReader", "Reading", "Tables", "attention_noise", "fit_readers",
    "make_canvases", "read_canvases", "swap_gradient",
]

METHODS = ("likelihood", "bound", "soft", "reinforce", "baseline", "gumbel", "swaps")


class Canvases(NamedTuple):
    """Canvases and what stands on them.

    Attributes
    ----------
    cells : ndarray, shape (N, L, 64)
        Pixels from 0 to 1, cell by cell, row by row.
    places : ndarray of int, shape (N, T)
        The cells that hold a digit, ascending.
    digits : ndarray of int, shape (N, T)
        The digits in these.
    """

    cells: np.ndarray
    places: np.ndarray
    digits: np.ndarray


def make_canvases(examples, size, *, cells=6, digits=2, rng=None):
    """Canvases with digits of which each keeps its place among the pieces of others.

    Parameters
    ----------
    examples : Examples
        Images of 64 pixels.
    size : int
        How many canvases.
    cells, digits : int
        L and T; T is at most L. In the other cells stands an image whose four quarters have changed places.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    Canvases

    Raises
    ------
    ValueError
        There are more digits than cells, or none; the images haven't 64 pixels; `size` is negative.

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> train, _ = load()
    >>> made = make_canvases(train, 5, cells=4, digits=3, rng=0)
    >>> bool((np.diff(made.places) > 0).all())
    True
    """
    images = np.asarray(examples.images, float)
    if images.ndim != 2 or images.shape[1] != 64 or not len(images):
        raise ValueError(f"expected images of 64 pixels, got shape {images.shape}")
    if not 1 <= digits <= cells or size < 0:
        raise ValueError("expected size >= 0 and 1 <= digits <= cells, got "
                         f"size={size}, digits={digits}, cells={cells}")
    rng = np.random.default_rng(rng)
    chosen = rng.integers(len(images), size=(size, cells))
    places = np.sort(rng.random((size, cells)).argsort(axis=1)[:, :digits], axis=1)
    quarters = images[chosen].reshape(size, cells, 2, 4, 2, 4).swapaxes(3, 4).reshape(size, cells, 4, 16)
    turn = rng.integers(1, 4, size=(size, cells, 1))  # no quarter stays
    order = (np.arange(4) + turn) % 4
    np.put_along_axis(order, places[..., None], np.arange(4), axis=1)
    moved = np.take_along_axis(quarters, order[..., None], axis=2)
    made = moved.reshape(size, cells, 2, 2, 4, 4).swapaxes(3, 4).reshape(size, cells, 64)
    return Canvases(made, places, np.asarray(examples.labels)[np.take_along_axis(chosen, places, axis=1)])


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
    readers, cells, digits, hidden : int
        S, L, T, H.
    generator : torch.Generator, optional
        Of the first parameters.
    """

    def __init__(self, readers=1, *, cells=6, digits=2, hidden=32, generator=None):
        super().__init__()
        self.cells, self.digits = cells, digits

        def made(*shape, scale):
            return torch.nn.Parameter(scale * torch.randn(readers, *shape, generator=generator))

        self.see, self.see_bias = made(64, hidden, scale=0.25), made(1, 1, hidden, scale=0.0)
        self.ask = made(digits, hidden, scale=0.1)
        self.move = made(cells + 1, cells, scale=0.0)
        self.name, self.name_bias = made(hidden, 10, scale=0.1), made(1, 1, 10, scale=0.0)

    def forward(self, cells):
        """Tables for canvases of shape (N, L, 64), or (S, N, L, 64), different ones for each reader."""
        cells = torch.as_tensor(cells, dtype=self.see.dtype)
        n = cells.shape[-3]
        flat = cells.reshape(*cells.shape[:-3], n * self.cells, 64)
        h = torch.tanh(flat @ self.see + self.see_bias[:, 0]).reshape(len(self.see), n, self.cells, -1)
        marks = torch.einsum("snlh,sth->tsnl", h, self.ask)
        glance = [mark[:, :, None] + self.move[:, None] for mark in marks]
        return Tables(glance, self.naming(h), h)

    def naming(self, features):
        """Log-probabilities of the digits from features of shape (S, N, ..., H)."""
        middle = features.reshape(len(self.name), -1, features.shape[-1])
        logits = (middle @ self.name + self.name_bias[:, 0]).reshape(*features.shape[:-1], 10)
        return torch.log_softmax(logits, dim=-1)


def _rewards(tables, digits):
    """Log-probability of each digit that is to be named, at every cell: shape (S, N, T, L)."""
    digits = torch.as_tensor(digits).expand(*tables.names.shape[:2], -1)
    index = digits[:, :, None].expand(-1, -1, tables.names.shape[2], -1)
    return tables.names.gather(-1, index).transpose(2, 3)


def _exact(tables, digits):
    """Log-likelihood and bound of each canvas, shape (S, N), by recursions over the steps."""
    rewards = _rewards(tables, digits)
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


# --- Ways to train ----------------------------------------------------------------------------------


def swap_gradient(logits, values, generator=None):
    r"""ARSM: gradient in the logits of a mean of values, by one race and all swaps of two shares.

    .. math:: \sum_j \Bigl(f(z^{c \rightleftharpoons j}) - \frac1L \sum_m f(z^{m \rightleftharpoons j})\Bigr)
              \Bigl(\frac1L - w_j\Bigr), \qquad w \sim \operatorname{Dir}(1, \dots, 1),

    where :math:`z = \arg\min_i w_i e^{-x_i}`, and two shares are swapped before that.

    Parameters
    ----------
    logits, values : tensors, broadcast to one shape (..., L)
        ``values`` holds f of each outcome.
    generator : torch.Generator, optional

    Returns
    -------
    gradient : tensor, shape (..., L)
    drawn : tensor of int, shape (...)
        The winner without a swap, a draw from the softmax.

    Notes
    -----
    For all L (L - 1) / 2 swaps at once, of a few outcomes; `arsm_gradient` is for many.

    Implements: eq-arsm

    References
    ----------
    M. Yin, Y. Yue and M. Zhou, "ARSM: Augment-REINFORCE-swap-merge estimator for gradient backpropagation
    through categorical variables", ICML (2019), arXiv:1905.01413.

    Examples
    --------
    >>> values = torch.tensor([0.0, 1.0]).expand(10**5, 2)
    >>> found, _ = swap_gradient(torch.zeros(2), values, torch.Generator().manual_seed(0))
    >>> [round(one, 2) for one in found.mean(dim=0).tolist()]  # exactly -1/4 and 1/4
    [-0.25, 0.25]
    """
    logits, values = torch.broadcast_tensors(logits, values)
    size = logits.shape[-1]
    shares = -torch.log1p(-torch.rand(logits.shape, generator=generator, dtype=logits.dtype))
    shares = shares / shares.sum(dim=-1, keepdim=True)
    times = torch.log(shares)
    pair = torch.arange(size)
    order = pair.repeat(size, size, 1)  # (c, j, i): which share runs for i
    order[pair[:, None], pair, pair[:, None]] = pair
    order[pair[:, None], pair, pair] = pair[:, None]
    winners = (times[..., order] - logits[..., None, None, :]).argmin(dim=-1)  # (..., c, j)
    found = values[..., None, :].expand(*values.shape[:-1], size, size).gather(-1, winners)
    found = found - found.mean(dim=-2, keepdim=True)
    return (found * (1 / size - shares)[..., None, :]).sum(dim=-1), winners[..., 0, 0]


def _gumbel(shape, generator, dtype):
    clocks = -torch.log1p(-torch.rand(shape, generator=generator, dtype=dtype))
    return -torch.log(clocks.clamp_min(1e-30))


def _at(table, last):
    """The rows of a table of shape (S, N, L + 1, L) that belong to the last glimpses, shape (S, N)."""
    return table.gather(2, last[..., None, None].expand(*last.shape, 1, table.shape[-1]))[:, :, 0]


def _softly(reader, table, before):
    """Logits of a glimpse after one that was at all places, with weights of shape (S, N, L)."""
    if before is None:
        return table[:, :, -1]
    moved = torch.einsum("sni,sij->snj", before, reader.move[:, :-1])
    return table[:, :, 0] - reader.move[:, None, 0] + moved


def _drawn(tables, generator):
    """Places that are drawn, their log-probabilities, and the entropies of their laws, shape (S, N, T)."""
    places, log_law, entropy = [], [], []
    last = torch.full(tables.names.shape[:2], tables.names.shape[2])
    for logits in tables.glance:
        row = torch.log_softmax(_at(logits, last), dim=-1)
        last = (row.detach() + _gumbel(row.shape, generator, row.dtype)).argmax(dim=-1)
        places.append(last)
        log_law.append(row.gather(-1, last[..., None])[..., 0])
        entropy.append(-(row.exp() * row).sum(dim=-1))
    return (torch.stack(one, dim=-1) for one in (places, log_law, entropy))


def _reinforce(tables, rewards, generator, baseline=None, entropy=0.0):
    """Surrogate of REINFORCE, and the rewards to go; a baseline of shape (S, 1, T), or `None` for none."""
    places, log_law, spread = _drawn(tables, generator)
    paid = rewards.gather(-1, places[..., None])[..., 0]
    to_go = paid.detach().flip(-1).cumsum(-1).flip(-1)
    worth = to_go if baseline is not None else to_go[..., :1]
    worth = worth - (0 if baseline is None else baseline)
    return (paid + worth * log_law + entropy * spread).sum(dim=-1), to_go


def _by_swaps(tables, rewards, generator):
    """Surrogate of ARSM, and the rewards; at each step all places are tried, each with a way on from it."""
    total, gained, steps = 0, 0, len(tables.glance)
    last = torch.full(tables.names.shape[:2], tables.names.shape[2])
    for t in range(steps):
        values = rewards[:, :, t].detach()
        if t + 1 < steps:  # from each place one drawn way to the end
            values = values + _ways(tables, rewards, t + 1, generator)
        row = _at(tables.glance[t], last)
        pull, last = swap_gradient(row.detach(), values, generator)
        paid = rewards[:, :, t].gather(-1, last[..., None])[..., 0]
        total, gained = total + paid + (pull * row).sum(dim=-1), gained + paid.detach()
    return total, gained


@torch.no_grad()
def _ways(tables, rewards, t, generator):
    """What a drawn way from each place pays from step t on, shape (S, N, L)."""
    size = rewards.shape[-1]
    last = torch.arange(size).expand(*rewards.shape[:2], size)
    paid = torch.zeros(last.shape, dtype=rewards.dtype)
    for step in range(t, len(tables.glance)):
        rows = tables.glance[step].gather(2, last[..., None].expand(*last.shape, size))
        last = (rows + _gumbel(rows.shape, generator, rows.dtype)).argmax(dim=-1)
        paid = paid + rewards[:, :, step].gather(-1, last)
    return paid


def _relaxed(reader, tables, digits, generator, temperature):
    """Log-probability of the digits, read from means: soft attention without noise, or soft draws."""
    total, before = 0, None
    digits = torch.as_tensor(digits).expand(*tables.names.shape[:2], -1)
    for t, table in enumerate(tables.glance):
        row = _softly(reader, table, before)
        if temperature is not None:
            row = (row + _gumbel(row.shape, generator, row.dtype)) / temperature
        before = torch.softmax(row, dim=-1)
        names = reader.naming(torch.einsum("snl,snlh->snh", before, tables.features))
        total = total + names.gather(-1, digits[:, :, t, None])[..., 0]
    return total


def fit_readers(examples, method, *, readers=4, cells=6, digits=2, hidden=32, steps=300, batch=32, lr=0.01,
                temperature=1.0, decay=0.9, entropy=0.0, seed=0):
    r"""Train readers on canvases that are made anew in each step.

    Parameters
    ----------
    examples : Examples
        Images from which the canvases are made.
    method : str
        What is climbed, and how: the ``"likelihood"``, or its ``"bound"``, by exact sums; the bound by draws
        (``"reinforce"``), with rewards to go and a moving average of them (``"baseline"``), or with all swaps
        of ARSM (``"swaps"``); the log-probability of what is read in means (``"soft"``), or in soft draws
        (``"gumbel"``) at the `temperature`.
    readers : int
        S, trained side by side, each with its own canvases and parameters.
    cells, digits, hidden, steps, batch, lr, temperature, decay, entropy : optional
        ``decay`` is that of the moving average; ``entropy`` is what a nat of the attention's entropy is
        worth, for ``"reinforce"`` and ``"baseline"``.
    seed : int
        Of parameters, canvases and draws.

    Returns
    -------
    reader : DigitReader
    history : dict of ndarray, shape (steps,)
        ``objective``, the mean of what was climbed, or of what was drawn of it.

    Raises
    ------
    ValueError
        `method` is none of these.

    References
    ----------
    K. Xu et al., "Show, attend and tell: Neural image caption generation with visual attention", ICML (2015),
    arXiv:1502.03044.

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> reader, history = fit_readers(load()[0], "bound", readers=1, steps=2)
    >>> history["objective"].shape
    (2,)
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    generator, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    reader = DigitReader(readers, cells=cells, digits=digits, hidden=hidden, generator=generator)
    adam = torch.optim.Adam(reader.parameters(), lr=lr)
    average = torch.full((readers, 1, digits), math.log(0.1)) * torch.arange(digits, 0, -1)

    def step(_):
        made = make_canvases(examples, readers * batch, cells=cells, digits=digits, rng=rng)
        shown = torch.as_tensor(made.cells, dtype=torch.float32).reshape(readers, batch, cells, 64)
        told = torch.as_tensor(made.digits).reshape(readers, batch, digits)
        tables = reader(shown)
        if method in ("likelihood", "bound"):
            goal = _exact(tables, told)[method == "bound"]
        elif method in ("soft", "gumbel"):
            goal = _relaxed(reader, tables, told, generator, temperature if method == "gumbel" else None)
        elif method == "swaps":
            goal, gained = _by_swaps(tables, _rewards(tables, told), generator)
        else:
            given = average if method == "baseline" else None
            goal, to_go = _reinforce(tables, _rewards(tables, told), generator, given, entropy)
            average.mul_(decay).add_((1 - decay) * to_go.mean(dim=1, keepdim=True))
            gained = to_go[..., 0]
        descend(adam, -goal.mean(dim=1).sum())  # each reader has its own gradient
        return {"objective": (gained if method in ("swaps", "reinforce", "baseline") else goal).mean().item()}

    history = train(step, steps, parts={"reader": reader, "adam": adam, "generator": generator, "rng": rng},
                    title=method)
    return reader, history


# --- What they have learnt ----------------------------------------------------------------------------


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
    >>> canvases = make_canvases(load()[1], 4, rng=0)
    >>> read = read_canvases(DigitReader(2), canvases)
    >>> read.digits.shape, bool((read.bound < read.evidence).all())
    ((2, 4, 2), True)
    """
    tables = reader(canvases.cells)
    attention, digits, places = [], [], []
    last = torch.full(tables.names.shape[:2], reader.cells)
    for t, table in enumerate(tables.glance):
        row = _softly(reader, table, attention[-1] if t else None) if soft else _at(table, last)
        attention.append(torch.softmax(row, dim=-1))
        last = row.argmax(dim=-1)
        places.append(last)
        if soft:
            names = reader.naming(torch.einsum("snl,snlh->snh", attention[-1], tables.features))
        else:
            names = tables.names.gather(2, last[..., None, None].expand(*last.shape, 1, 10))[:, :, 0]
        digits.append(names.argmax(dim=-1))
    if soft:
        evidence = _relaxed(reader, tables, canvases.digits, None, None)
        bound = (torch.stack(attention, dim=2) * _rewards(tables, canvases.digits)).sum(dim=(2, 3))
    else:
        evidence, bound = _exact(tables, canvases.digits)
    return Reading(*(a.numpy() for a in (evidence, bound, *(
        torch.stack(b, dim=2) for b in (places, digits, attention)))))


class AttentionNoise(NamedTuple):
    """Gradients in the logits of the first glimpse, one for each canvas.

    Attributes
    ----------
    mean, variance : ndarray, shape (S, N, L)
        Over draws.
    exact : ndarray, shape (S, N, L)
        The gradient of the bound.
    """

    mean: np.ndarray
    variance: np.ndarray
    exact: np.ndarray


def attention_noise(reader, canvases, method, *, draws=200, temperature=1.0, generator=None):
    r"""How noisy the gradients are that one draw gives, in the logits of the first glimpse.

    Parameters
    ----------
    reader : DigitReader
    canvases : Canvases
    method : {"reinforce", "baseline", "swaps", "gumbel"}
        For ``"baseline"`` the mean of the rewards to go, over canvases and draws, is taken off.
    draws : int
        Two or more.
    temperature : float
        Of ``"gumbel"``.
    generator : torch.Generator, optional

    Returns
    -------
    AttentionNoise

    Raises
    ------
    ValueError
        `method` is none of these, or there are fewer than two draws.
    """
    if method not in ("reinforce", "baseline", "swaps", "gumbel"):
        raise ValueError(f"method must be one of reinforce, baseline, swaps, gumbel, got {method!r}")
    if draws < 2:
        raise ValueError(f"expected two draws or more, got {draws}")
    with torch.no_grad():
        tables = reader(canvases.cells)
    leaf = tables.glance[0].clone().requires_grad_()
    tables = tables._replace(glance=[leaf, *tables.glance[1:]])
    rewards = _rewards(tables, canvases.digits)

    def slope(goal):
        return torch.autograd.grad(goal.sum(), leaf)[0][:, :, -1]

    exact = slope(_exact(tables, canvases.digits)[1])
    typical = None
    if method == "baseline":
        found = [_reinforce(tables, rewards, generator)[1] for _ in range(20)]
        typical = torch.stack(found).mean(dim=(0, 2))[:, None]
    each = []
    for _ in range(draws):
        if method == "gumbel":
            goal = _relaxed(reader, tables, canvases.digits, generator, temperature)
        elif method == "swaps":
            goal, _ = _by_swaps(tables, rewards, generator)
        else:
            goal, _ = _reinforce(tables, rewards, generator, typical)
        each.append(slope(goal))
    each = torch.stack(each)
    return AttentionNoise(*(a.numpy() for a in (each.mean(dim=0), each.var(dim=0), exact)))
