"""Choices: gradients of discrete actions, attention, and learners that choose by a softmax."""

from .arsm import ar_gradient, ars_gradient, arsm_gradient, swapped_actions
from .estimators import METHODS, EstimatorNoise, Method, categorical_gradient, estimator_noise
from .fitting_choices import Fit, fit, forgetful_zero, profile
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
from .rescorla_wagner import Bandit, Choices, bandit, cue_values, log_likelihood, simulate

__all__ = [
    "AttentionBound",
    "Bandit",
    "Choices",
    "EstimatorNoise",
    "Fit",
    "GlimpseModel",
    "GlimpsePaths",
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
    "cue_values",
    "estimator_noise",
    "fit",
    "forgetful_zero",
    "glimpse_gradient",
    "log_likelihood",
    "profile",
    "sample_glimpses",
    "simulate",
    "swapped_actions",
]
