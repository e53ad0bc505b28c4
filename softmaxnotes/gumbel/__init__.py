"""Gumbel noise, and the categorical draws that it turns into a maximum."""

from .beam_search import (
    Sequences,
    beam_search,
    importance_weights,
    sample_sequences,
    stochastic_beam_search,
    three_ways,
)
from .concrete import (
    MixtureStep,
    concrete_log_prob,
    gumbel_softmax,
    mixture_step,
    relaxed_mean,
)
from .distribution import gumbel, gumbel_cdf, gumbel_icdf, gumbel_log_prob
from .gumbel_max import gumbel_max, sample_categorical
from .next_token import hidden_markov_step, step_of_causal_lm
from .relaxed_gradients import (
    RelaxedNoise,
    draw_jacobians,
    gumbel_rao,
    reinmax,
    relaxed_gradient_noise,
)
from .top_k import (
    Keyed,
    gumbel_top_k,
    gumbel_top_k_with_keys,
    log_prob_ordered,
    merge_top_k,
    sample_without_replacement,
    sample_without_replacement_with_keys,
)
from .truncated import (
    condition_on_maximum,
    condition_on_maximum_gap,
    truncated_gumbel,
    truncated_gumbel_cdf,
    truncated_gumbel_gap,
    truncated_gumbel_icdf,
    truncated_gumbel_icdf_gap,
)
from .without_replacement import inclusion_weights, log_prob_set, unordered_set_weights

__all__ = [
    "Keyed",
    "MixtureStep",
    "RelaxedNoise",
    "Sequences",
    "beam_search",
    "concrete_log_prob",
    "condition_on_maximum",
    "condition_on_maximum_gap",
    "draw_jacobians",
    "gumbel",
    "gumbel_cdf",
    "gumbel_icdf",
    "gumbel_log_prob",
    "gumbel_max",
    "gumbel_rao",
    "gumbel_softmax",
    "gumbel_top_k",
    "gumbel_top_k_with_keys",
    "hidden_markov_step",
    "importance_weights",
    "inclusion_weights",
    "log_prob_ordered",
    "log_prob_set",
    "merge_top_k",
    "mixture_step",
    "reinmax",
    "relaxed_gradient_noise",
    "relaxed_mean",
    "sample_categorical",
    "sample_sequences",
    "sample_without_replacement",
    "sample_without_replacement_with_keys",
    "step_of_causal_lm",
    "stochastic_beam_search",
    "three_ways",
    "truncated_gumbel",
    "truncated_gumbel_cdf",
    "truncated_gumbel_gap",
    "truncated_gumbel_icdf",
    "truncated_gumbel_icdf_gap",
    "unordered_set_weights",
]
