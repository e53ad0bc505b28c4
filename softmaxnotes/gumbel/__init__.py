"""Gumbel noise, and the categorical draws that it turns into a maximum."""

from .gumbel_max import (
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    gumbel_log_prob,
    gumbel_max,
    perturbed_argmax_probabilities,
    sample_categorical,
)

__all__ = [
    "gumbel",
    "gumbel_cdf",
    "gumbel_icdf",
    "gumbel_log_prob",
    "gumbel_max",
    "perturbed_argmax_probabilities",
    "sample_categorical",
]
