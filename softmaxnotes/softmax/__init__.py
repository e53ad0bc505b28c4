"""Softmax: its numerics, its logits, likelihoods and entropy, and learners that choose by it."""

from ..lazy import on_demand
from .entropy import MaximumEntropy, maximum_entropy
from .likelihoods import Loss, bernoulli_nll, categorical_nll
from .logits import class_logits, log_sigmoid, logit, sigmoid
from .numerics import log_softmax, logsumexp, online_logsumexp, softmax
from .square_loss import squared_loss

# A learner draws its choices by Gumbel noise, whose package rests on this one.
_ON_DEMAND = {
    "fitting_choices": ["Fit", "fit", "profile"],
    "rescorla_wagner": ["Bandit", "Choices", "CueDerivatives", "LogLikelihood", "LogLikelihoodHessian",
                        "bandit", "cue_value_derivatives", "cue_values", "log_likelihood",
                        "log_likelihood_hessian", "simulate"],
}
__getattr__, __dir__, _NAMES = on_demand(__name__, _ON_DEMAND)

__all__ = [
    "Loss",
    "MaximumEntropy",
    "bernoulli_nll",
    "categorical_nll",
    "class_logits",
    "log_sigmoid",
    "log_softmax",
    "logit",
    "logsumexp",
    "maximum_entropy",
    "online_logsumexp",
    "sigmoid",
    "softmax",
    "squared_loss",
    *_NAMES,
]
