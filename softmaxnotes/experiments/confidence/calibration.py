"""What one temperature is worth to softmax regressions of the digits, on digits that it was not fitted to."""

import functools

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.confidence import fit_temperature
from softmaxnotes.digits import fit, load
from softmaxnotes.softmax import categorical_nll

__all__ = ["CAREFUL", "HARDLY", "TEMPERATURES"]

TEMPERATURES = ("as fitted", "one temperature", "the best temperature")


@functools.cache
def _logits(seed, l2):
    train, test = load(seed=seed)
    return fit(train, l2=l2).logits(test.images), test.labels


def judged_loss(method, *, seed, budget, l2):
    """The loss of a softmax regression on half of the test digits, at a temperature.

    Parameters
    ----------
    method : {"as fitted", "one temperature", "the best temperature"}
        The temperature is 1, or fitted to the other half of the test digits, or, so that none could be
        better, to those that are judged.
    seed : int
        Of the split of the digits.
    budget : int
        How many digits give the temperature.
    l2 : float
        The penalty of the regression.

    Returns
    -------
    dict
        ``"loss"``, the mean negative log-probability of the true classes, and the ``"temperature"``.
    """
    read_choice("method", method, TEMPERATURES)
    logits, labels = _logits(seed, l2)
    given, judged = slice(budget), slice(budget, None)
    which = judged if method == TEMPERATURES[2] else given
    fitted = fit_temperature(logits[which], labels[which])
    temperature = 1.0 if method == TEMPERATURES[0] else fitted.temperature
    loss = categorical_nll(logits[judged] / temperature, labels[judged]).value.mean()
    return {"loss": loss, "temperature": temperature}


def _race(name, l2):
    return Experiment(name, judged_loss, {method: {"l2": (l2,)} for method in TEMPERATURES}, seeds=range(10),
                      budgets=(398,), spent="digits", measure="loss", digits=0)


HARDLY = _race("hardly", 1e-6)
CAREFUL = _race("careful", 1e-3)
