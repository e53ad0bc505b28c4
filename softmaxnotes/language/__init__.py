"""Softmax in language models: attention, decoding, couplings of draws.

Probabilities are given as logits, classes on the last axis; leading axes broadcast.
"""

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
    "SpeculativeStep",
    "acceptance",
    "gumbel_agreement",
    "maximal_coupling",
    "residual",
    "shared_draws",
    "speculative_step",
    "tokens_of_rates",
    "tokens_per_call",
]
