"""What the figure of the score of a token on book/language/watermarks must compute."""

import numpy as np
from scipy.special import digamma

PAGE = "book/language/watermarks"


def expected(knobs, data):
    """Density and mean of the score of a token of this probability that was drawn with the key."""
    p, scores = knobs["p"], np.array(data["scores"])
    density = np.exp(-scores + (1 / p - 1) * np.log(-np.expm1(-scores))) / p
    return {
        "p": (p, 0),
        "scores": (scores, 0),
        "density": (density, 1e-10),
        "mean": (digamma(1 + 1 / p) + np.euler_gamma, 1e-9),
    }


def check_that_a_certain_token_bears_no_mark(live):
    live.turn("p", 0)
    certain = live.values()["mean"]
    live.turn("p", -3)
    assert abs(certain - 1) < 1e-9 and live.values()["mean"] > 6
