"""Models fitted by noise-contrastive estimation, beside what else one would take: `patches` and `ica`."""

from .ica import ICA, draw_sources, separate, separation_error
from .patches import PATCHES, Patches, fit_patches, patches

__all__ = ["ICA", "PATCHES", "Patches", "draw_sources", "fit_patches", "patches", "separate",
           "separation_error"]
