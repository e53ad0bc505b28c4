"""Gradients of expectations: how to get them, and the divergences that they are taken of."""

from .base_distributions import Reparameterised, reparameterise
from .estimate import Gaussian, GradientEstimate, exact_gradient
from .estimating_kl import KLEstimate, estimate_kl, squared_ratio
from .gaussian_kl import (
    ClassNormals,
    ClosestNormal,
    Normals,
    closest_normal,
    digit_normals,
    kl_diag_standard,
    kl_mvn,
    kl_normal,
    normals_at,
)
from .groups import advantages, expected_group_update
from .implicit import dirichlet_slope, gamma_slope
from .score_function import (
    DecisionProcess,
    Paths,
    all_paths,
    best_baseline,
    path_scores,
    policy_gradient,
    score_function_gradient,
    score_function_variance,
)

__all__ = [
    "ClassNormals",
    "ClosestNormal",
    "DecisionProcess",
    "Gaussian",
    "GradientEstimate",
    "KLEstimate",
    "Normals",
    "Paths",
    "Reparameterised",
    "advantages",
    "all_paths",
    "best_baseline",
    "closest_normal",
    "digit_normals",
    "dirichlet_slope",
    "estimate_kl",
    "exact_gradient",
    "expected_group_update",
    "gamma_slope",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
    "normals_at",
    "path_scores",
    "policy_gradient",
    "reparameterise",
    "score_function_gradient",
    "score_function_variance",
    "squared_ratio",
]
