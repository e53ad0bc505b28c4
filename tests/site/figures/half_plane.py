"""What the half-plane on book/gradients/gaussian_kl must compute."""

import numpy as np

from softmaxnotes.experiments.gradients.gaussian_kl import normals_at

PAGE = "book/gradients/gaussian_kl"


def expected(knobs, data):
    """The normal laws at a divergence; a mean near an end is the root of a small difference."""
    values = {}
    for name, direction in (("first", "to"), ("second", "from")):
        mu, sigma = normals_at(knobs["nats"], direction=direction)
        values |= {f"{name}_m": (mu, 1e-6), f"{name}_s": (sigma, 1e-12)}
    ends = [np.array(values[f"{name}_s"][0])[[0, 60]] for name in ("first", "second")]
    return {**values, "ends": (np.concatenate(ends), 1e-12)}
