"""Sequences that are judged when they are complete: exact gradients on a tree, and SeqGAN.

The exact values are those of a table (`tables`); a table or a recurrent network (`networks`) is trained
against a judge that is trained as well (`training`).
"""

from .networks import Judge, Recurrent, Scores, Tabular, scores
from .sequences import all_sequences
from .tables import (
    action_values,
    noise_drift,
    prefix_process,
    rollout_gradient,
    rollout_values,
    sequence_gradient,
    sequence_log_probs,
)
from .training import fit_judge, fit_likelihood, fit_seqgan

__all__ = [
    "Judge",
    "Recurrent",
    "Scores",
    "Tabular",
    "action_values",
    "all_sequences",
    "fit_judge",
    "fit_likelihood",
    "fit_seqgan",
    "noise_drift",
    "prefix_process",
    "rollout_gradient",
    "rollout_values",
    "scores",
    "sequence_gradient",
    "sequence_log_probs",
]
