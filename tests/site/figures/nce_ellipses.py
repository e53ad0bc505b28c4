"""What the figure of ellipses on book/unnormalised/nce_limits must compute."""

import numpy as np
from scipy import stats

from softmaxnotes.unnormalised import nce_covariance

PAGE = "book/unnormalised/nce_limits"


def expected(knobs, data):
    """Covariances of constant and precision, and their ellipses of one standard deviation."""
    grid, turn = np.array(data["grid"]), np.array(data["turn"])
    features = np.column_stack([np.ones_like(grid), -grid**2 / 2])
    log_p, log_q = (stats.norm.logpdf(grid, scale=s) + np.log(grid[1] - grid[0]) for s in (1, knobs["width"]))
    found, rings = [], []
    for nu in (1, 5, 25):
        (cc, cl), (_, ll) = nce_covariance(features, log_p, log_q, nu)
        found.append([cc, cl, ll])
        first, second = np.sqrt(cc), cl / np.sqrt(cc)
        third = np.sqrt(max(0, ll - second**2))
        rings.append(np.stack([first * np.cos(turn), second * np.cos(turn) + third * np.sin(turn)], axis=1))
    return {"covariances": (found, 1e-9), "ellipses": (rings, 1e-5), "width": (knobs["width"], 1e-9)}


def check_that_noise_like_the_data_costs_one_plus_one_over_nu(live):
    live.turn("width", 1.0)
    variances = [covariance[2] for covariance in live.values()["covariances"]]
    assert np.allclose(variances, [2 * (1 + 1 / nu) for nu in (1, 5, 25)], rtol=1e-9)
