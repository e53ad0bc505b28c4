"""What the figure of data and noise on book/unnormalised/nce must compute."""

import numpy as np
from scipy import stats

PAGE = "book/unnormalised/nce"


def expected(knobs, data):
    """Noise as often as it is drawn, the posterior of data, and where the odds are even."""
    nu, width, grid = knobs["nu"], knobs["width"], np.array(data["grid"])
    p, noise = stats.norm.pdf(grid), nu * stats.norm.pdf(grid, scale=width)
    return {
        "grid": (grid, 0),
        "noise": (noise, 1e-14),
        "posterior": (p / (p + noise), 1e-14),
        "square": (2 * np.log(width / nu) / (1 - width**-2), 1e-11),
    }


def check_that_the_rings_lie_where_the_odds_are_even(live):
    live.turn("nu", 0.5)
    even = np.sqrt(live.values()["square"])
    assert abs(stats.norm.pdf(even) - 0.5 * stats.norm.pdf(even, scale=2.0)) < 1e-12
    live.turn("nu", 3.0)
    assert live.values()["square"] < 0  # more noise than data everywhere
