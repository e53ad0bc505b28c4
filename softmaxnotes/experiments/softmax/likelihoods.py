"""Classifiers of the digits: trained by small batches at two learning rates, or fitted under a prior.

The module needs torch.
"""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.digits import Examples, fit, load
from softmaxnotes.softmax import categorical_nll, softmax

__all__ = ["MODELS", "PRIORS", "TRAINED", "fit_hundred", "train_in_batches"]

#: A linear model, one whose softmax stands before a cross-entropy, which takes another, and a network with
#: two hidden layers.
MODELS = ("one softmax", "two softmaxes", "network")


def train_in_batches(method, *, seed, budget, lr=0.1, decay=1e-4, batch=50):
    """How a model does on the test digits after stochastic descent with momentum.

    Parameters
    ----------
    method : str
        One of `MODELS`, and what else follows a comma.
    seed : int
        Of the first weights and of the order of the images.
    budget : int
        Epochs.
    lr, decay : float
        Learning rate, and weight decay of what is no bias.
    batch : int

    Returns
    -------
    dict
        The mean cross-entropy, ``"test loss"``, and the number of ``"mistakes"``.
    """
    which = method.partition(",")[0]
    read_choice("method", which, MODELS)
    known, unknown = load()
    x, x_test = (torch.tensor(part.images).float() for part in (known, unknown))
    y, y_test = (torch.tensor(part.labels) for part in (known, unknown))
    torch.manual_seed(seed)
    sizes = (64, 256, 256, 10) if which == "network" else (64, 10)
    layers = [layer for ends in zip(sizes, sizes[1:]) for layer in (torch.nn.Linear(*ends), torch.nn.ReLU())]
    layers[-1] = torch.nn.Softmax(-1) if which == "two softmaxes" else torch.nn.Identity()
    model = torch.nn.Sequential(*layers)
    weights, biases = ([p for p in model.parameters() if (p.ndim < 2) == small] for small in (False, True))
    descent = torch.optim.SGD([{"params": weights, "weight_decay": decay},
                               {"params": biases, "weight_decay": 0}], lr=lr, momentum=0.9)
    for _ in range(budget):
        for rows in torch.randperm(len(x)).split(batch):
            descent.zero_grad()
            cross_entropy(model(x[rows]), y[rows]).backward()
            descent.step()
    with torch.no_grad():
        logits = model(x_test)
    return {"test loss": cross_entropy(logits, y_test).item(),
            "mistakes": (logits.argmax(1) != y_test).sum().item()}


def fit_hundred(method, *, seed, budget, variance=np.inf):
    """How a softmax regression does on the test digits that was fitted to few, under a Gaussian prior.

    Parameters
    ----------
    method : str
        ``"guessing"`` at random, or a name for the variance.
    seed : int
        Of the split of the digits.
    budget : int
        So many training digits, of all classes alike.
    variance : float
        Of each weight under the prior.

    Returns
    -------
    dict
        The mean ``"loss"``, the share of ``"mistakes"``, and ``"excess"``, by how much the mean largest
        probability is above the share of right guesses.
    """
    if method == "guessing":
        return {"loss": np.log(10), "mistakes": 0.9, "excess": 0.0}
    known, unknown = load(seed=seed)
    few = np.argsort(known.labels, kind="stable")[::len(known.labels) // budget]
    fitted = fit(Examples(known.images[few], known.labels[few]), l2=1 / (budget * variance))
    logits = fitted.logits(unknown.images)
    mistakes = np.mean(logits.argmax(axis=1) != unknown.labels)
    return {"loss": categorical_nll(logits, unknown.labels).value.mean(), "mistakes": mistakes,
            "excess": softmax(logits).max(axis=1).mean() - (1 - mistakes)}


TRAINED = Experiment("trained", train_in_batches, {
    f"{trained}, {rate}": {"lr": (rate,)} for trained in MODELS for rate in (0.5, 0.1)},
    seeds=range(5), budgets=(30,), spent="epochs", measure="mistakes", digits=0)
PRIORS = Experiment("priors", fit_hundred, {"guessing": {}} | {
    f"variance {width}": {"variance": (width,)} for width in (0.1, 1, 10, 100, 256, 10000)},
    seeds=range(10), budgets=(100,), spent="images", measure="loss", digits=3)
