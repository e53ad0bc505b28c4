"""What the two forces on book/gradients/vae must compute."""

import numpy as np

from softmaxnotes.experiments.gradients.vae import two_forces

PAGE = "book/gradients/vae"


def expected(knobs, data):
    """The ends of the arrows, and the posterior, at which the forces cancel."""
    starts, y, v = np.array(data["starts"]), knobs["y"], knobs["v"]
    ends = [starts + 0.4 * force / (1 + np.linalg.norm(force, axis=1, keepdims=True))
            for force in two_forces(*starts.T, observation=y, noise_var=v)]
    mean, scale = y / (1 + v), np.sqrt(v / (1 + v))
    assert np.allclose(np.add(*two_forces(mean, np.log(scale), observation=y, noise_var=v)), 0)
    return {"pull": (ends[0], 1e-13), "push": (ends[1], 1e-13), "starts": (starts, 0),
            "mean": (mean, 1e-14), "scale": (scale, 1e-14)}
