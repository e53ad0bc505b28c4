"""Gumbel noise, and the categorical draws that it turns into a maximum."""

from .concrete import (
    MixtureStep,
    concrete_log_prob,
    gumbel_softmax,
    mixture_step,
    relaxed_mean,
)
from .floating_point import double_log_noise, grid_counts, some_tail_wins
from .gumbel_max import (
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    gumbel_log_prob,
    gumbel_max,
    sample_categorical,
)
from .top_k import (
    gumbel_top_k,
    inclusion_weights,
    log_prob_ordered,
    log_prob_set,
    merge_top_k,
    sample_without_replacement,
    unordered_set_weights,
)
from .truncated import (
    condition_on_maximum,
    truncated_gumbel,
    truncated_gumbel_cdf,
    truncated_gumbel_icdf,
)
from .which_noise import perturbed_argmax_probabilities

__all__ = [
    "MixtureStep",
    "concrete_log_prob",
    "condition_on_maximum",
    "double_log_noise",
    "grid_counts",
    "gumbel",
    "gumbel_cdf",
    "gumbel_icdf",
    "gumbel_log_prob",
    "gumbel_max",
    "gumbel_softmax",
    "gumbel_top_k",
    "inclusion_weights",
    "log_prob_ordered",
    "log_prob_set",
    "merge_top_k",
    "mixture_step",
    "perturbed_argmax_probabilities",
    "relaxed_mean",
    "sample_categorical",
    "sample_without_replacement",
    "some_tail_wins",
    "truncated_gumbel",
    "truncated_gumbel_cdf",
    "truncated_gumbel_icdf",
    "unordered_set_weights",
]
