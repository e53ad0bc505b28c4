"""What the figure with knobs on book/gradients/gaussian_kl must compute."""

import numpy as np
from scipy import stats

from softmaxnotes.gradients import closest_normal

PAGE = "book/gradients/gaussian_kl"

# There are several minima of the reverse divergence, and the lowest is wanted: Newton's method gets there
# from the moments, the left and the right component only, in this order.
SETTINGS = [
    {"separation": separation, "weight": weight}
    for separation, weight in [(2.1, 0.5), (2.3, 0.55), (3.3, 0.4)]
]


def expected(knobs, data):
    """The normals that are nearest to a mixture: mean, deviation, nats, and density of each.

    Python promises 1e-9 standard deviations and 1e-12 nats. In the browser the last step of Newton's
    method begins where it gains 1e-12 nats at most, and ends where it would gain the square of that.
    """
    x, stds = np.array(data["x"]), np.array(data["stds"])
    weights = np.array([knobs["weight"], 1 - knobs["weight"]])
    means = np.array([-knobs["separation"], knobs["separation"]])
    values = {"x": (x, 0), "p": (stats.norm.pdf(x[:, None], means, stds) @ weights, 1e-13)}
    for direction in ("forward", "reverse"):
        fit = closest_normal(weights, means, stds, direction=direction)
        slope = 1 / min(fit.sigma, 1) ** 2  # those of the density are below
        values[direction] = (np.array(fit), 1e-8)
        values[f"{direction}_q"] = (stats.norm.pdf(x, fit.mu, fit.sigma), 1e-8 * slope)
    return values
