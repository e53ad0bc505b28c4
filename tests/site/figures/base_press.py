"""What the press on book/gradients/base_distributions must compute."""

import numpy as np
from scipy import stats

from softmaxnotes.gradients import reparameterise

PAGE = "book/gradients/base_distributions"


def expected(knobs, data):
    """A row with a scale: its map of uniform noise, and its density."""
    row, scale = knobs["row"], knobs["parameter"]
    law = reparameterise(row, scale=scale)
    levels, grid, fine = (np.array(data[name]) for name in ("levels", "grid", "fine"))

    def of(u):
        moved = {"laplace": u - 0.5, "cauchy": (u + 0.5) % 1}
        return law.transform(moved.get(row, u))

    target = {"exponential": stats.expon, "cauchy": stats.cauchy, "laplace": stats.laplace}[row]
    places, is_printed = of(levels), row == "laplace"
    printed = [-scale * np.log(1 - 2 * u) if is_printed and u < 0.5 else 0.0 for u in fine]
    return {
        "levels": (levels, 0), "grid": (grid, 0), "fine": (fine, 0),
        "places": (places, 1e-9), "map": (of(fine), 1e-9),
        "density": (np.exp(law.log_prob(grid)), 1e-12), "heights": (np.exp(law.log_prob(places)), 1e-9),
        "out": (target.sf(4, scale=scale) + target.cdf(-4, scale=scale), 1e-12),
        "printed": (np.array(printed), 1e-9), "wrong": (int(is_printed), 0),
    }
