"""Choices: gradients of discrete actions, attention, and learners that choose by a softmax.

All computation is in ``float64``, and so is what is returned.
"""

from .arsm import ar_gradient, ars_gradient, arsm_gradient
from .estimators import METHODS, Method, categorical_gradient
from .fitting_choices import Fit, fit, profile
from .hard_attention import (
    AttentionBound,
    GlimpseModel,
    GlimpsePaths,
    PathGradient,
    all_glimpse_paths,
    attention_bound,
    glimpse_gradient,
    sample_glimpses,
)
from .noise import EstimatorNoise, estimator_noise
from .rescorla_wagner import (
    Bandit,
    Choices,
    CueDerivatives,
    LogLikelihood,
    LogLikelihoodHessian,
    bandit,
    cue_value_derivatives,
    cue_values,
    log_likelihood,
    log_likelihood_hessian,
    simulate,
)

__all__ = [
    "AttentionBound",
    "Bandit",
    "Choices",
    "CueDerivatives",
    "EstimatorNoise",
    "Fit",
    "GlimpseModel",
    "GlimpsePaths",
    "LogLikelihood",
    "LogLikelihoodHessian",
    "METHODS",
    "Method",
    "PathGradient",
    "all_glimpse_paths",
    "ar_gradient",
    "ars_gradient",
    "arsm_gradient",
    "attention_bound",
    "bandit",
    "categorical_gradient",
    "cue_value_derivatives",
    "cue_values",
    "estimator_noise",
    "fit",
    "glimpse_gradient",
    "log_likelihood",
    "log_likelihood_hessian",
    "profile",
    "sample_glimpses",
    "simulate",
]
