"""Softmax in language models: attention, decoding, couplings of draws, preferences.

Probabilities are given as logits, classes on the last axis; leading axes broadcast.
"""

from .attention import (
    AttentionGradients,
    attention,
    attention_gradients,
    largest_share,
    needed_lead,
)
from .best_of_n import best_of, best_of_bound, best_of_kl
from .blocks import (
    Attended,
    PartialDraw,
    PartialMean,
    blockwise_attention,
    chunked_cross_entropy,
    merge_draws,
    merge_means,
    partial_mean,
)
from .couplings import gumbel_agreement, maximal_coupling, shared_draws
from .decoding import enumerate_sequences, exact_step, log_kept_mass, truncate
from .preferences import answer_log_prob, bradley_terry, dpo_loss
from .speculative import (
    SpeculativeStep,
    acceptance,
    residual,
    speculative_step,
    tokens_of_rates,
    tokens_per_call,
)
from .tilting import regularised_value, soft_step, tilt
from .watermarks import (
    expected_gumbel_score,
    green_cost,
    gumbel_mark,
    gumbel_p_value,
    gumbel_score,
    keyed_uniforms,
    tournament,
)

__all__ = [
    "Attended",
    "AttentionGradients",
    "PartialDraw",
    "PartialMean",
    "SpeculativeStep",
    "acceptance",
    "answer_log_prob",
    "attention",
    "attention_gradients",
    "best_of",
    "best_of_bound",
    "best_of_kl",
    "blockwise_attention",
    "bradley_terry",
    "chunked_cross_entropy",
    "dpo_loss",
    "enumerate_sequences",
    "exact_step",
    "expected_gumbel_score",
    "green_cost",
    "gumbel_agreement",
    "gumbel_mark",
    "gumbel_p_value",
    "gumbel_score",
    "keyed_uniforms",
    "largest_share",
    "log_kept_mass",
    "maximal_coupling",
    "merge_draws",
    "merge_means",
    "needed_lead",
    "partial_mean",
    "regularised_value",
    "residual",
    "shared_draws",
    "soft_step",
    "speculative_step",
    "tilt",
    "tokens_of_rates",
    "tokens_per_call",
    "tournament",
    "truncate",
]
