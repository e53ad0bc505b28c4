"""Unnormalised models: noise contrast, negative sampling."""

from ..lazy import on_demand
from .nce_limits import info_nce_value, mutual_information, nce_covariance
from .word_counts import shifted_pmi

# These need torch, and it is loaded when one of them is asked for.
_ON_DEMAND = {
    "nce": ["info_nce_loss", "nce_fit", "nce_loss"],
    "negative_sampling": ["NoiseSampler", "negative_sampling_loss"],
    "word_vectors": ["WordVectors", "fit_word_vectors"],
}
__getattr__, __dir__, _NAMES = on_demand(__name__, _ON_DEMAND)

__all__ = [
    "info_nce_value",
    "mutual_information",
    "nce_covariance",
    "shifted_pmi",
    *_NAMES,
]
