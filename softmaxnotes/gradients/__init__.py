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
from .implicit import dirichlet_slope, gamma_slope
from .score_function import score_function_gradient

__all__ = [
    "ClassNormals",
    "ClosestNormal",
    "Gaussian",
    "GradientEstimate",
    "KLEstimate",
    "Normals",
    "Reparameterised",
    "closest_normal",
    "digit_normals",
    "dirichlet_slope",
    "estimate_kl",
    "exact_gradient",
    "gamma_slope",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
    "normals_at",
    "reparameterise",
    "score_function_gradient",
    "squared_ratio",
]
