"""Learning from rewards: gradients of discrete actions, their groups and divergences, and attention.

What computes with arrays does so in ``float64``, and so is what is returned.
"""

from .arsm import ar_gradient, ars_gradient, arsm_gradient
from .estimators import METHODS, Method, categorical_gradient
from .groups import advantages, expected_group_update
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
from .kl_penalty import KLEstimate, estimate_kl, squared_ratio
from .noise import EstimatorNoise, estimator_noise

__all__ = [
    "AttentionBound",
    "EstimatorNoise",
    "GlimpseModel",
    "GlimpsePaths",
    "KLEstimate",
    "METHODS",
    "Method",
    "PathGradient",
    "advantages",
    "all_glimpse_paths",
    "ar_gradient",
    "ars_gradient",
    "arsm_gradient",
    "attention_bound",
    "categorical_gradient",
    "estimate_kl",
    "estimator_noise",
    "expected_group_update",
    "glimpse_gradient",
    "sample_glimpses",
    "squared_ratio",
]
