"""What the figure of the variances on book/gradients/gradient_noise must compute."""

import numpy as np

from softmaxnotes.gradients import Gaussian, gradient_noise, score_function_gradient

PAGE = "book/gradients/gradient_noise"


def square(z):
    return z**2


def expected(knobs, data):
    """Variances of single draws at the mean 2 theta + 3, by quadrature; and those of the page's draws."""
    baseline, thetas = knobs["baseline"], np.array(data["thetas"])

    def variance(theta):
        return 4 * gradient_noise(square, Gaussian(2 * theta + 3, 0.0), baseline=baseline).score.mean

    def drawn(theta):
        return 2 * score_function_gradient(lambda z: square(z) - baseline, Gaussian(2 * theta + 3, 0.0),
                                           n_samples=1, size=40_000, rng=7).gradient.mean
    return {
        "thetas": (thetas, 0),
        "baseline": (baseline, 0),
        "curve": (np.array([variance(theta) for theta in thetas]), 1e-7),
        "drawn": (np.array([drawn(theta).var(ddof=1) for theta in thetas[::10]]), 1e-7),
        "goal": (variance(-1.5), 1e-9),
    }


def check_that_the_curve_touches_the_dashed_one_where_the_caption_says(live):
    for baseline in (4, 12, 28):
        live.turn("baseline", baseline)
        values = live.values()
        squares = (2 * np.array(values["thetas"]) + 3) ** 2
        above = np.array(values["curve"]) - 8 * (4 * squares + 3)
        assert above.min() > -1e-9
        at = np.flatnonzero(above < 1)
        assert len(at) and (abs(squares[at] - (baseline - 3)) <= 0.5).all()
