"""Softmax: its numerics, its logits, and the likelihoods built on it."""

from .likelihoods import Loss, bernoulli_nll, categorical_nll
from .logits import class_logits, log_sigmoid, logit, sigmoid
from .numerics import log_softmax, logsumexp, online_logsumexp, softmax
from .square_loss import squared_loss

__all__ = [
    "Loss",
    "bernoulli_nll",
    "categorical_nll",
    "class_logits",
    "log_sigmoid",
    "log_softmax",
    "logit",
    "logsumexp",
    "online_logsumexp",
    "sigmoid",
    "softmax",
    "squared_loss",
]
