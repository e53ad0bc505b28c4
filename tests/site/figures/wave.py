"""What the figure of the wave on book/gradients/gradient_noise must compute."""

import numpy as np
import torch

from softmaxnotes.gradients import Gaussian, gradient_noise

PAGE = "book/gradients/gradient_noise"


def expected(knobs, data):
    """What one draw says of the slope of the mean of sin(omega z) at 0, and the variances, by quadrature."""
    omega, grid = knobs["omega"], np.array(data["grid"])
    noise = gradient_noise(lambda z: torch.sin(omega * z), Gaussian(0.0, 0.0))
    return {
        "grid": (grid, 0),
        "score": (grid * np.sin(omega * grid), 1e-13),
        "slopes": (omega * np.cos(omega * grid), 1e-13),
        "byScore": (noise.score.mean, 1e-11),
        "byPath": (noise.pathwise.mean, 1e-11),
        "omega": (omega, 0),
    }


def check_that_the_order_changes_where_the_caption_says(live):
    for omega, first in ((1.1, "byPath"), (1.2, "byScore")):
        live.turn("omega", omega)
        values = live.values()
        assert min(("byPath", "byScore"), key=values.get) == first
