"""Softmax in language models: attention, decoding, couplings of draws.

Probabilities are given as logits, classes on the last axis; leading axes broadcast.
"""

from .attention import (
    AttentionGradients,
    attention,
    attention_gradients,
    largest_share,
    needed_lead,
)
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
from .decoding import enumerate_sequences, exact_step, log_kept_mass, truncate
from .speculative import (
    SpeculativeStep,
    acceptance,
    gumbel_agreement,
    maximal_coupling,
    residual,
    shared_draws,
    speculative_step,
    tokens_of_rates,
    tokens_per_call,
)

__all__ = [
    "Attended",
    "AttentionGradients",
    "PartialDraw",
    "PartialMean",
    "SpeculativeStep",
    "acceptance",
    "attention",
    "attention_gradients",
    "blockwise_attention",
    "chunked_cross_entropy",
    "enumerate_sequences",
    "exact_step",
    "gumbel_agreement",
    "largest_share",
    "log_kept_mass",
    "maximal_coupling",
    "merge_draws",
    "merge_means",
    "needed_lead",
    "partial_mean",
    "residual",
    "shared_draws",
    "speculative_step",
    "tokens_of_rates",
    "tokens_per_call",
    "truncate",
]
