"""Gumbel noise, and the categorical draws that it turns into a maximum."""

from .beam_search import (
    Sequences,
    beam_search,
    hidden_markov_step,
    importance_weights,
    sample_sequences,
    step_of_causal_lm,
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
from .gumbel_max import (
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    gumbel_log_prob,
    gumbel_max,
    sample_categorical,
)
from .relaxed_gradients import (
    RelaxedNoise,
    draw_jacobians,
    gumbel_rao,
    reinmax,
    relaxed_gradient_noise,
)
from .top_k import gumbel_top_k, log_prob_ordered, merge_top_k, sample_without_replacement
from .truncated import (
    condition_on_maximum,
    truncated_gumbel,
    truncated_gumbel_cdf,
    truncated_gumbel_icdf,
)
from .which_noise import perturbed_argmax_probabilities
from .without_replacement import inclusion_weights, log_prob_set, unordered_set_weights

__all__ = [
    "MixtureStep",
    "RelaxedNoise",
    "Sequences",
    "beam_search",
    "concrete_log_prob",
    "condition_on_maximum",
    "draw_jacobians",
    "gumbel",
    "gumbel_cdf",
    "gumbel_icdf",
    "gumbel_log_prob",
    "gumbel_max",
    "gumbel_rao",
    "gumbel_softmax",
    "gumbel_top_k",
    "hidden_markov_step",
    "importance_weights",
    "inclusion_weights",
    "log_prob_ordered",
    "log_prob_set",
    "merge_top_k",
    "mixture_step",
    "perturbed_argmax_probabilities",
    "reinmax",
    "relaxed_gradient_noise",
    "relaxed_mean",
    "sample_categorical",
    "sample_sequences",
    "sample_without_replacement",
    "step_of_causal_lm",
    "stochastic_beam_search",
    "three_ways",
    "truncated_gumbel",
    "truncated_gumbel_cdf",
    "truncated_gumbel_icdf",
    "unordered_set_weights",
]
