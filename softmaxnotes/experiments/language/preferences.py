r"""What preference training does to the chosen answers, by a small network that has learnt aphorisms.

The network of `softmaxnotes.experiments.gumbel.beam_search` sees two characters.  The nineteen aphorisms are
chosen over lines that a network has drawn, and DPO trains until the mean log-ratio of the chosen lines is
ahead of that of the rejected ones by a margin (`displace`), or for a number of steps of Adam (`depart`).

    >>> found = displace("converged", seed=0, budget=1)
    >>> found["chosen"] < 0 < found["steps"], found["fresh"] < 0
    (True, True)
"""

import copy
import functools

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.experiments.gumbel.beam_search import fit_characters, tokens_of, zen_lines
from softmaxnotes.language import answer_log_prob, dpo_loss
from softmaxnotes.training import descend

__all__ = ["BY_ADAM", "DISPLACEMENT", "EARLIER", "METHODS", "PRICES", "SMALL_STEPS", "scores"]

METHODS = ("converged", "with likelihood", "stopped early", "stopped, harder pairs",
           "harder pairs, with likelihood", "chosen is drawn")
LONG, SHORT = 200, 20  # steps of fine-tuning
LONGEST = 70  # characters of a drawn line
PATIENCE = 1000
FRESH = 1000  # drawn lines that a divergence is estimated from


def scores(network, lines):
    """Log-probabilities of lines, which can be differentiated.

    Parameters
    ----------
    network : CharacterModel
        That sees two characters.
    lines : sequence of arrays of int
        Each with its end, the token 0.

    Returns
    -------
    Tensor, shape (number of lines,)
    """
    ids = torch.zeros(len(lines), max(map(len, lines)), dtype=torch.long)
    answer = torch.zeros(ids.shape, dtype=torch.bool)
    for row, line in enumerate(lines):
        ids[row, : len(line)], answer[row, : len(line)] = torch.from_numpy(np.array(line)), True
    before = torch.nn.functional.pad(ids, (2, 0))
    two = torch.stack([before[:, :-2], before[:, 1:-1]], dim=-1)
    logits = network(two.reshape(-1, 2)).reshape(*ids.shape, -1)
    return answer_log_prob(logits, ids, answer)


def pairs_of(method, seed):
    """The network that training starts from, the chosen lines, and the rejected ones.

    Parameters
    ----------
    method : str
        One of `METHODS`: fine-tuned on the aphorisms to the end or "stopped early"; the rejected lines are
        drawn from it, or, "harder pairs" for a network that was stopped, from the one that was fine-tuned to
        the end; the chosen lines are the aphorisms, or drawn as well.
    seed : int
        Of the first weights, and of the lines that are drawn.

    Returns
    -------
    network : CharacterModel
    chosen, rejected : list of arrays of int
    """
    read_choice("method", method, METHODS)
    harder = "harder pairs" in method
    network = _fine_tuned(SHORT if harder or method == "stopped early" else LONG, seed)
    writer = _fine_tuned(LONG, seed) if harder else network
    lines = _draw(writer, 38, np.random.default_rng(seed))
    chosen = lines[19:] if method == "chosen is drawn" else [tokens_of(line) for line in zen_lines()]
    return copy.deepcopy(network), chosen, lines[:19]


def displace(method, *, seed, budget, weight=0.2, adam=None):
    r"""Train by DPO until the chosen lines are ahead, and tell what has become of them.

    Parameters
    ----------
    method : str
        As in `pairs_of`; "with likelihood" adds the negative log-likelihood per character of the chosen lines
        to the loss.
    seed : int
    budget : float
        The mean margin to be gained, in nats.
    weight : float
        Of this likelihood.
    adam : float, optional
        Size of the steps of Adam; without it, those of gradient descent are 0.1.

    Returns
    -------
    dict of str to float
        ``"chosen"``, the mean change of the log-probability of a chosen line where the margin is reached, by
        a straight line between two steps; ``"steps"``; ``"fresh"``, after the last of them the mean change of
        a thousand lines that the network at the start draws, and nobody has trained on.

    Raises
    ------
    ValueError
        `method` is none of these.
    RuntimeError
        A thousand steps are not enough.
    """
    network, chosen, rejected = pairs_of(method, seed)
    start, weights = copy.deepcopy(network), list(network.parameters())
    optimiser = torch.optim.Adam(weights, lr=adam) if adam else torch.optim.SGD(weights, lr=0.1)
    lines, lengths = [*chosen, *rejected], torch.tensor([len(line) for line in chosen])
    old = scores(network, lines).detach()
    last, ahead = 0.0, 0.0
    for step in range(1, PATIENCE + 1):
        up, down = (scores(network, lines) - old).chunk(2)
        loss = dpo_loss(up, down, 0, 0).mean()
        if method.endswith("with likelihood"):
            loss = loss - weight * (up / lengths).mean()  # less what the start contributes
        descend(optimiser, loss)
        with torch.no_grad():
            up, down = (scores(network, lines) - old).chunk(2)
        rise, margin = up.mean().item(), (up - down).mean().item()
        if margin >= budget:
            share = (budget - ahead) / (margin - ahead)
            return {"chosen": round(last + share * (rise - last), 12), "steps": float(step),
                    "fresh": _log_ratio(network, start, start, seed)}
        last, ahead = rise, margin
    raise RuntimeError(f"expected a margin of {budget} in {PATIENCE} steps, got {ahead:.2f}")


def depart(method, *, seed, budget, beta, lr=0.001):
    r"""How far Adam goes from the reference with one label for each pair, all equal.

    Parameters
    ----------
    method : str
        The name of the price.
    seed : int
        As in `pairs_of`, "stopped early".
    budget : int
        Steps of Adam.
    beta : float
    lr : float
        Size of these steps.

    Returns
    -------
    float
        The KL divergence from the reference, in nats, as the mean log-ratio of a thousand lines that the
        trained network draws.
    """
    network, chosen, rejected = pairs_of("stopped early", seed)
    start, adam = copy.deepcopy(network), torch.optim.Adam(network.parameters(), lr=lr)
    old = scores(network, [*chosen, *rejected]).detach()
    for _ in range(budget):
        up, down = (scores(network, [*chosen, *rejected]) - old).chunk(2)
        descend(adam, dpo_loss(up, down, 0, 0, beta=beta).mean())
    return _log_ratio(network, start, network, seed)


def _log_ratio(network, start, writer, seed):
    """The mean log-ratio of two networks, over lines that one of them draws."""
    lines = _draw(writer, FRESH, np.random.default_rng([seed, 1]))
    with torch.no_grad():
        return round((scores(network, lines) - scores(start, lines)).mean().item(), 12)


@functools.cache
def _fine_tuned(steps, seed):
    return fit_characters(zen_lines(), window=2, hidden=32, steps=steps, generator=seed).model


def _draw(network, count, rng):
    """Lines that a network draws, none of them empty, each with its end."""
    lines, table = np.zeros((count, LONGEST + 2), int), network.table()
    for at in range(LONGEST):
        drawn = table[lines[:, at], lines[:, at + 1]] + rng.gumbel(size=(count, table.shape[-1]))
        drawn[:, 0] = drawn[:, 0] if at else -np.inf
        lines[:, at + 2] = np.where((at > 0) & (lines[:, at + 1] == 0), 0, drawn.argmax(-1))
    return [line[: np.append(line, 0).argmin() + 1] for line in lines[:, 2:]]


DISPLACEMENT = Experiment("displacement", displace, {method: {} for method in METHODS}, seeds=range(10),
                          better="more", budgets=(3,), spent="nats of margin", measure="chosen", digits=0)

EARLIER = Experiment("earlier", displace, {"stopped, harder pairs": {}}, seeds=range(10), better="more",
                     budgets=(0.5,), spent="nats of margin", measure="chosen", digits=0)

BY_ADAM = Experiment("by_adam", displace, {method: {"adam": (0.001,)} for method in METHODS},
                     seeds=range(10), better="more", budgets=(3,), spent="nats of margin", measure="chosen",
                     digits=0)

PRICES = Experiment("prices", depart, {f"β = {beta}": {"beta": (beta,)} for beta in (0.1, 1, 3)},
                    seeds=range(10), budgets=(200,), spent="steps of Adam", digits=0)

SMALL_STEPS = Experiment("small_steps", depart, {
    f"β = {beta}": {"beta": (beta,), "lr": (0.0001,)} for beta in (0.1, 1, 3)},
    seeds=range(10), budgets=(200,), spent="steps of Adam", digits=0)
