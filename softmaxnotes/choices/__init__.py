"""Choices: gradients of discrete actions, attention, and learners that choose by a softmax."""

from ..lazy import on_demand
from .arsm import (
    SwapRegion,
    ar_gradient,
    ars_gradient,
    arsm_gradient,
    silent_region,
    swap_quadrature,
    swap_regions,
    swapped_actions,
)
from .estimators import METHODS, Ascent, EstimatorNoise, Method, ascend, categorical_gradient, estimator_noise
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
from .policies import (
    Acrobot,
    CartPole,
    FiniteWorld,
    GymWorld,
    Policies,
    PolicyEstimate,
    PolicyRuns,
    learn_policies,
    policy_estimate,
)
from .rescorla_wagner import Bandit, Choices, bandit, cue_values, log_likelihood, simulate

# These need torch, and it is loaded when one of them is asked for.
_ON_DEMAND = {
    "discrete_latents": ["CategoricalVAE", "CodePayoff", "code_payoff", "fit_categorical_vae",
                         "negative_elbo", "uniform_cost"],
    "reading_digits": ["AttentionNoise", "Canvases", "DigitReader", "Reading", "Tables", "attention_noise",
                       "fit_readers", "make_canvases", "read_canvases", "swap_gradient"],
}
__getattr__, __dir__, _NAMES = on_demand(__name__, _ON_DEMAND)

__all__ = [
    "Acrobot",
    "Ascent",
    "AttentionBound",
    "Bandit",
    "CartPole",
    "Choices",
    "EstimatorNoise",
    "FiniteWorld",
    "Fit",
    "GlimpseModel",
    "GlimpsePaths",
    "GymWorld",
    "METHODS",
    "Method",
    "PathGradient",
    "Policies",
    "PolicyEstimate",
    "PolicyRuns",
    "SwapRegion",
    "all_glimpse_paths",
    "ar_gradient",
    "ars_gradient",
    "arsm_gradient",
    "ascend",
    "attention_bound",
    "bandit",
    "categorical_gradient",
    "cue_values",
    "estimator_noise",
    "fit",
    "forgetful_zero",
    "glimpse_gradient",
    "learn_policies",
    "log_likelihood",
    "policy_estimate",
    "profile",
    "sample_glimpses",
    "silent_region",
    "simulate",
    "swap_quadrature",
    "swap_regions",
    "swapped_actions",
    *_NAMES,
]
