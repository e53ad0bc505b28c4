"""Ways to train readers, and the noise of what they learn from one draw."""

from typing import NamedTuple

import numpy as np
import torch

from softmaxnotes.arguments import (
    broadcast_shape,
    read_choice,
    read_count,
    read_generator,
    read_number,
    read_temperature,
)
from softmaxnotes.gradients.moving_average import MovingAverage
from softmaxnotes.training import Trained, descend, own_generator, rng_from, train

from .canvases import make_canvases
from .reader import DigitReader, Tables, exact_sums, read_in_means, rewards_of, rows_at

__all__ = ["AttentionNoise", "attention_noise", "fit_readers", "swap_gradient"]

METHODS = ("likelihood", "bound", "soft", "gumbel", "reinforce", "leave-one-out", "swaps", "places")


def swap_gradient(logits, values, *, generator=None):
    r"""ARSM: gradient in the logits of a mean of values, by one race and all swaps of two shares.

    .. math:: \sum_j \Bigl(f(z^{c \rightleftharpoons j}) - \frac1L \sum_m f(z^{m \rightleftharpoons j})\Bigr)
              \Bigl(\frac1L - w_j\Bigr), \qquad w \sim \operatorname{Dir}(1, \dots, 1),

    where :math:`z = \arg\min_i w_i e^{-x_i}`, and two shares are swapped before that.

    Parameters
    ----------
    logits, values : tensors, broadcast to one shape (..., L)
        ``values`` holds f of each outcome.
    generator : None, int or torch.Generator

    Returns
    -------
    gradient : tensor, shape (..., L)
    drawn : tensor of int, shape (...)
        The winner without a swap, a draw from the softmax.

    Raises
    ------
    ValueError
        The shapes don't fit.

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
    >>> found, _ = swap_gradient(torch.zeros(2), values, generator=0)
    >>> [round(one, 2) for one in found.mean(dim=0).tolist()]  # exactly -1/4 and 1/4
    [-0.25, 0.25]
    """
    broadcast_shape(logits=logits, values=values)
    logits, values = torch.broadcast_tensors(logits, values)
    generator = read_generator(generator)
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


def _drawn(tables, generator):
    """Places that are drawn, their log-probabilities, and the entropies of their laws, shape (S, N, T)."""
    places, log_law, entropy = [], [], []
    last = torch.full(tables.names.shape[:2], tables.names.shape[2])
    for logits in tables.glance:
        row = torch.log_softmax(rows_at(logits, last), dim=-1)
        last = (row.detach() + _gumbel(row.shape, generator, row.dtype)).argmax(dim=-1)
        places.append(last)
        log_law.append(row.gather(-1, last[..., None])[..., 0])
        entropy.append(-(row.exp() * row).sum(dim=-1))
    return (torch.stack(one, dim=-1) for one in (places, log_law, entropy))


def _reinforce(tables, rewards, generator, *, n=1, left_out=False, to_go=True, baseline=None, entropy=0.0):
    """Surrogate of the score function, and the rewards to go, shape (S, N, n, T), of n draws.

    What is taken off is the mean of the other draws, or a baseline that broadcasts to (S, N, T).
    """
    tables = Tables([table.repeat_interleave(n, dim=1) for table in tables.glance],
                    tables.names.repeat_interleave(n, dim=1), None)
    places, log_law, spread = (one.unflatten(1, (-1, n)) for one in _drawn(tables, generator))
    paid = rewards[:, :, None].expand(*places.shape, -1).gather(-1, places[..., None])[..., 0]
    later = paid.detach().flip(-1).cumsum(-1).flip(-1)
    worth = later if to_go else later[..., :1]
    if left_out:
        worth = (worth - worth.mean(dim=2, keepdim=True)) * (n / (n - 1))
    elif baseline is not None:
        worth = worth - baseline[:, :, None]
    return (paid + worth * log_law + entropy * spread).sum(dim=-1).mean(dim=2), later


def _by_swaps(tables, rewards, generator):
    """Surrogate of ARSM, and the rewards; at each step all places are tried, each with a way on from it."""
    total, gained, steps = 0, 0, len(tables.glance)
    last = torch.full(tables.names.shape[:2], tables.names.shape[2])
    for t in range(steps):
        values = rewards[:, :, t].detach()
        if t + 1 < steps:  # from each place one drawn way to the end
            values = values + _ways(tables, rewards, t + 1, generator)
        row = rows_at(tables.glance[t], last)
        pull, last = swap_gradient(row.detach(), values, generator=generator)
        paid = rewards[:, :, t].gather(-1, last[..., None])[..., 0]
        total, gained = total + paid + (pull * row).sum(dim=-1), gained + paid.detach()
    return total, gained


def _by_places(tables, rewards, generator):
    """Surrogate that sums over all places at each step, each with a way on from it, and the rewards."""
    total, gained, steps = 0, 0, len(tables.glance)
    last = torch.full(tables.names.shape[:2], tables.names.shape[2])
    for t in range(steps):
        row = torch.log_softmax(rows_at(tables.glance[t], last), dim=-1)
        worth = rewards[:, :, t]
        if t + 1 < steps:
            worth = worth + _ways(tables, rewards, t + 1, generator)
        total = total + (row.exp() * worth).sum(dim=-1)
        last = (row.detach() + _gumbel(row.shape, generator, row.dtype)).argmax(dim=-1)
        gained = gained + rewards[:, :, t].detach().gather(-1, last[..., None])[..., 0]
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


def _soft_draws(generator, temperature):
    """What makes logits those of soft draws."""
    return lambda row: (row + _gumbel(row.shape, generator, row.dtype)) / temperature


def fit_readers(examples, *, method, n_readers=4, n_cells=6, n_digits=2, hidden=32, steps=300, batch=32,
                lr=0.01, temperature=1.0, n_samples=None, to_go=False, decay=None, entropy=0.0, means=0.0,
                generator=None) -> Trained:
    r"""Train readers on canvases that are made anew in each step.

    Parameters
    ----------
    examples : Examples
        Images from which the canvases are made.
    method : str
        What is climbed, and how: the ``"likelihood"``, or its ``"bound"``, by exact sums; the bound by draws
        (``"reinforce"``), less the mean of the other draws for the same canvas (``"leave-one-out"``), with
        all swaps of ARSM (``"swaps"``), or, at each step of one draw, by a sum over all places
        (``"places"``); the log-probability of what is read in means (``"soft"``), or in soft draws
        (``"gumbel"``) at the `temperature`.
    n_readers : int
        S, trained side by side, each with its own canvases and parameters.
    n_cells, n_digits, hidden : int
        As of `DigitReader`.
    steps, batch : int
    lr : float
        Of Adam.
    temperature : float
        Of ``"gumbel"``.
    n_samples : int or None
        Draws for each canvas of ``"reinforce"``, 1 if it isn't told, and of ``"leave-one-out"``, 2.
    to_go : bool
        Whether these two multiply the score of a glimpse by the rewards from its step on, and not by all.
    decay : float or None
        Of the moving average of earlier rewards that ``"reinforce"`` takes off; `None` is without.
    entropy : float
        What a nat of the attention's entropy is worth, for these two.
    means : float
        With this probability a canvas is read in means instead of draws, for these two.
    generator : None, int or torch.Generator
        Of parameters, canvases and draws.

    Returns
    -------
    Trained
        A `DigitReader`, and in each step ``objective``, the mean of what was climbed, or of what was drawn of
        it.

    Raises
    ------
    TypeError
        A number of things isn't an integer.
    ValueError
        `method` is none of these; a number of things is less than 1, or of the draws of ``"leave-one-out"``
        less than 2, or there are more digits than cells; the temperature isn't positive; the decay isn't from
        0 to below 1; `means` is no probability.

    References
    ----------
    K. Xu et al., "Show, attend and tell: Neural image caption generation with visual attention", ICML (2015),
    arXiv:1502.03044.

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> reader, record = fit_readers(load()[0], method="bound", n_readers=1, steps=2)
    >>> record["objective"].shape
    (2,)
    """
    read_choice("method", method, METHODS)
    batch, temperature = read_count("batch", batch), read_temperature(temperature)
    least = 2 if method == "leave-one-out" else 1
    n = read_count("n_samples", least if n_samples is None else n_samples, least=least)
    if not 0 <= read_number("means", means) <= 1:
        raise ValueError(f"expected means from 0 to 1, got {means!r}")
    generator = own_generator(generator)
    rng = rng_from(generator)
    reader = DigitReader(n_readers, n_cells=n_cells, n_digits=n_digits, hidden=hidden, generator=generator)
    adam = torch.optim.Adam(reader.parameters(), lr=lr)
    average = None if decay is None else MovingAverage(decay, n_problems=n_readers * n_digits)
    soften = _soft_draws(generator, temperature) if method == "gumbel" else lambda row: row

    def drawn(tables, told):
        shape = n_readers, 1, n_digits
        given = None if average is None else torch.as_tensor(average.value).reshape(shape).to(tables.names)
        goal, later = _reinforce(tables, rewards_of(tables, told), generator, n=n, to_go=to_go,
                                 left_out=method == "leave-one-out", entropy=entropy,
                                 baseline=given if to_go or given is None else given[..., :1])
        if average is not None:
            average.update(later.mean(dim=(1, 2)).flatten())
        if means:
            coin = torch.rand(goal.shape, generator=generator) < means
            goal = torch.where(coin, read_in_means(reader, tables, told), goal)
        return goal, later[..., 0]

    def step(_):
        made = make_canvases(examples, (n_readers, batch), n_cells=n_cells, n_digits=n_digits, rng=rng)
        tables, told = reader(made.cells), torch.as_tensor(made.digits)
        if method in ("likelihood", "bound"):
            goal = gained = exact_sums(tables, told)[method == "bound"]
        elif method in ("soft", "gumbel"):
            goal = gained = read_in_means(reader, tables, told, soften)
        elif method in ("swaps", "places"):
            by = _by_swaps if method == "swaps" else _by_places
            goal, gained = by(tables, rewards_of(tables, told), generator)
        else:
            goal, gained = drawn(tables, told)
        descend(adam, -goal.mean(dim=1).sum())  # each reader has its own gradient
        return {"objective": gained.mean().item()}

    parts = {"reader": reader, "adam": adam, "generator": generator, "rng": rng}
    return Trained(reader, train(step, steps, parts=parts, title=method))


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


def attention_noise(reader, canvases, *, method, n_samples=200, temperature=1.0, generator=None):
    r"""How noisy the gradients are that one draw gives, in the logits of the first glimpse.

    Parameters
    ----------
    reader : DigitReader
    canvases : Canvases
    method : str
        ``"reinforce"``, ``"leave-one-out"`` with two draws, ``"swaps"``, ``"places"`` or ``"gumbel"``, as of
        `fit_readers`; with ``"baseline"`` the mean of the rewards to go, over canvases and draws, is taken
        off.
    n_samples : int
        Draws, two or more.
    temperature : float
        Of ``"gumbel"``.
    generator : None, int or torch.Generator

    Returns
    -------
    AttentionNoise

    Raises
    ------
    TypeError
        `n_samples` isn't an integer.
    ValueError
        `method` is none of these; there are fewer than two draws; the temperature isn't positive.

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> canvases = make_canvases(load()[1], 10, rng=0)
    >>> reader = DigitReader(generator=0)
    >>> noise = [attention_noise(reader, canvases, method=method, n_samples=50, generator=0).variance.sum()
    ...          for method in ("reinforce", "swaps")]
    >>> bool(noise[0] > 10 * noise[1])
    True
    """
    read_choice("method", method, ("reinforce", "baseline", "leave-one-out", "swaps", "places", "gumbel"))
    n_samples = read_count("n_samples", n_samples, least=2)
    temperature, generator = read_temperature(temperature), read_generator(generator)
    with torch.no_grad():
        tables = reader(canvases.cells)
    digits = torch.as_tensor(canvases.digits)

    def slope(tables, goal):
        return torch.autograd.grad(goal.sum(), tables.glance[0])[0][:, :, -1]

    tables.glance[0].requires_grad_()
    exact = slope(tables, exact_sums(tables, digits)[1])
    typical = None
    if method == "baseline":
        found = _reinforce(tables, rewards_of(tables, digits), generator, n=20)[1]
        typical = found.mean(dim=(1, 2))[:, None]
    with torch.no_grad():  # each canvas once for each draw
        *glance, names, features = (part.repeat_interleave(n_samples, dim=1)
                                    for part in (*tables.glance, tables.names, tables.features))
    tables, digits = Tables(glance, names, features), digits.repeat_interleave(n_samples, dim=-2)
    tables.glance[0].requires_grad_()
    rewards = rewards_of(tables, digits)
    if method == "gumbel":
        goal = read_in_means(reader, tables, digits, _soft_draws(generator, temperature))
    elif method in ("swaps", "places"):
        goal, _ = (_by_swaps if method == "swaps" else _by_places)(tables, rewards, generator)
    else:
        left_out = method == "leave-one-out"
        goal, _ = _reinforce(tables, rewards, generator, n=2 if left_out else 1, left_out=left_out,
                             to_go=method != "reinforce", baseline=typical)
    each = slope(tables, goal).unflatten(1, (-1, n_samples))
    return AttentionNoise(*(a.numpy() for a in (each.mean(dim=2), each.var(dim=2), exact)))
