"""Confidence: what a classifier does not know, and probabilities that keep their word."""

from ..lazy import on_demand
from .calibration import Temperature, fit_temperature
from .reliability import (
    Reliability,
    conformal_threshold,
    expected_calibration_error,
    expected_error_if_calibrated,
    prediction_set,
    reliability_diagram,
)

# What needs torch, or scikit-learn, is imported when it is asked for.
_ON_DEMAND = {
    "detection": ["Detection", "detection_metrics", "energy_score"],
    "open_set": ["confidence_loss", "confident_optimum", "fit_confident", "ray_limit", "relu_network",
                 "uniform_divergence"],
}
__getattr__, __dir__, _NAMES = on_demand(__name__, _ON_DEMAND)

__all__ = [
    "Reliability", "Temperature", "conformal_threshold", "expected_calibration_error",
    "expected_error_if_calibrated", "fit_temperature", "prediction_set", "reliability_diagram", *_NAMES,
]
