"""What the figure of points that stay or move on book/gradients/reparameterisation must compute."""

import numpy as np
from scipy import stats

PAGE = "book/gradients/reparameterisation"


def expected(knobs, data):
    """The law, the law after a push, and what each draw says about the slope of the mean square."""
    mu = knobs["mu"]
    grid, points, draws = (np.array(data[name]) for name in ("grid", "points", "draws"))
    at = mu + draws
    score = at**2 * (at - mu)
    return {
        "grid": (grid, 0),
        "law": (stats.norm.pdf(grid, mu), 1e-14),
        "pushed": (stats.norm.pdf(grid, mu + 0.5), 1e-14),
        "score": (grid**2 * (grid - mu), 1e-11),
        "points": (mu + points, 1e-14),
        "at": (at, 1e-14),
        "scores": (score, 1e-11),
        "slopes": (2 * at, 1e-13),
        "mean": (2 * mu, 1e-14),
        "variance": (mu**4 + 14 * mu**2 + 15, 1e-11),
        "centre": (mu, 0),
    }


def check_that_only_one_of_the_variances_changes(live):
    live.turn("mu", 2.0)
    assert abs(live.values()["variance"] - 87) < 1e-9
    live.turn("mu", 0.0)
    assert abs(live.values()["variance"] - 15) < 1e-9
