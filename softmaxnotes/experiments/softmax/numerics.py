"""Linear classifiers of the digits that descend gently on four ways of writing one loss.

The module needs torch.
"""

import numpy as np
import torch
from torch.nn import functional as F

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import load

__all__ = ["GENTLE", "LATER", "WAYS", "descend_gently", "descend_longer"]

#: The loss of logits and labels; the last one applies a softmax to what has passed through one.
WAYS = {
    "cross_entropy": F.cross_entropy,
    "log(softmax)": lambda z, y: F.nll_loss(torch.log(torch.softmax(z, -1)), y),
    "log(softmax + 1e-8)": lambda z, y: F.nll_loss(torch.log(torch.softmax(z, -1) + 1e-8), y),
    "softmax twice": lambda z, y: F.cross_entropy(torch.softmax(z, -1), y),
}


def _descend(method, seed, steps):
    """The loss at each step, and logits of the test images at the end."""
    way, _, rule = method.partition(", ")
    read_choice("method", way, tuple(WAYS))
    train, test = load()
    scale = 16 if rule == "Adam" else 1  # of pixels
    x, unseen = (torch.tensor(scale * part.images).float() for part in (train, test))
    y = torch.tensor(train.labels)
    torch.manual_seed(seed)
    w = (0.01 * torch.randn(64, 10)).requires_grad_()
    descent, curve = torch.optim.Adam([w], lr=0.01) if rule == "Adam" else torch.optim.SGD([w], lr=1.0), []
    for _ in range(steps):
        descent.zero_grad()
        value = WAYS[way](x @ w, y)
        value.backward()
        descent.step()
        curve.append(value.item())
    return np.array(curve), (unseen @ w.detach()).numpy()


def descend_gently(method, *, seed, budget):
    """How a linear model does on the test digits, and whether its loss is that of another way to write it.

    Parameters
    ----------
    method : str
        One of `WAYS`, and ``", Adam"``, for pixels up to 16 and the learning rate 0.01, or ``", descent"``,
        for pixels up to 1 and a step of 1.
    seed : int
        Of the first weights.
    budget : int
        Steps, each on all training digits.

    Returns
    -------
    dict
        The share of ``"correct"`` test digits, how many classes are ``"missed"``, predicted for none of
        them, and ``"apart"``, the largest relative difference of the loss at a step from what it is in a
        descent on ``"cross_entropy"``.
    """
    curve, logits = _descend(method, seed, budget)
    usual, _ = _descend(f"cross_entropy, {method.partition(', ')[2]}", seed, budget)
    guesses = logits.argmax(axis=1)
    return {"correct": (guesses == load()[1].labels).mean(), "missed": 10 - len(np.unique(guesses)),
            "apart": (abs(curve - usual) / abs(curve)).max()}


def descend_longer(method, *, seed, budget):
    """As `descend_gently`, and only how many classes are missed."""
    return float(10 - len(np.unique(_descend(method, seed, budget)[1].argmax(axis=1))))


GENTLE = Experiment("gentle", descend_gently, {
    **{f"{written}, {by}": {} for written in list(WAYS)[:3] for by in ("descent", "Adam")},
    "softmax twice, Adam": {}}, seeds=range(10), budgets=(100,), spent="steps", better="more",
    measure="correct", digits=0)
LATER = Experiment("later", descend_longer, {"softmax twice, Adam": {}}, seeds=range(10), budgets=(1000,),
                   spent="steps", digits=0)
