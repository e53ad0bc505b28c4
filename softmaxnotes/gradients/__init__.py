"""Gradients of expectations: how to get them, and the divergences that they are taken of."""

from .gaussian_kl import ClosestNormal, closest_normal, kl_diag_standard, kl_mvn, kl_normal

__all__ = [
    "ClosestNormal",
    "closest_normal",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
]
