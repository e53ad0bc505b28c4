"""Gradients of expectations: how to get them, and the divergences that they are taken of."""

from ..lazy import on_demand
from .base_distributions import Reparameterised, reparameterise
from .closest_normal import ClosestNormal, closest_normal
from .estimate import Gaussian, GradientEstimate, exact_gradient
from .gaussian_kl import kl_diag_standard, kl_mvn, kl_normal
from .gradient_noise import GradientNoise, gradient_noise
from .implicit import dirichlet_slope, gamma_slope
from .moving_average import MovingAverage
from .reparameterisation import pathwise_gradient
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

# These need torch, and it is loaded when one of them is asked for.
_ON_DEMAND = {
    "vae": ["VAE", "Elbo", "binarise", "code_cost", "elbo", "elbo_quadrature", "importance_weighted_bound",
            "log_evidence"],
}
__getattr__, __dir__, _NAMES = on_demand(__name__, _ON_DEMAND)

__all__ = [
    "ClosestNormal",
    "DecisionProcess",
    "Gaussian",
    "GradientEstimate",
    "GradientNoise",
    "MovingAverage",
    "Paths",
    "Reparameterised",
    "all_paths",
    "best_baseline",
    "closest_normal",
    "dirichlet_slope",
    "exact_gradient",
    "gamma_slope",
    "gradient_noise",
    "kl_diag_standard",
    "kl_mvn",
    "kl_normal",
    "path_scores",
    "pathwise_gradient",
    "policy_gradient",
    "reparameterise",
    "score_function_gradient",
    "score_function_variance",
    *_NAMES,
]
