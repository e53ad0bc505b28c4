"""Gradients of expectations: how to get them, and the divergences that they are taken of."""

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

__all__ = [
    "ClassNormals",
    "ClosestNormal",
    "KLEstimate",
    "Normals",
    "closest_normal",
    "digit_normals",
    "estimate_kl",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
    "normals_at",
    "squared_ratio",
]
