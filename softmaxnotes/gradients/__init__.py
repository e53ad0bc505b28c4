"""Gradients of expectations: how to get them, and the divergences that they are taken of."""

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
from .score_function import score_function_gradient

__all__ = [
    "ClassNormals",
    "ClosestNormal",
    "Gaussian",
    "GradientEstimate",
    "KLEstimate",
    "Normals",
    "closest_normal",
    "digit_normals",
    "estimate_kl",
    "exact_gradient",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
    "normals_at",
    "score_function_gradient",
    "squared_ratio",
]
