"""What the figure of the bump on book/tools/variations must compute."""

import numpy as np
from numpy.polynomial import Polynomial

PAGE = "book/tools/variations"
U = np.finfo(float).eps / 2


def expected(knobs, data):
    """The mean by a Gauss rule, exact for polynomials of degree 19; the quartic has degree 4, the bump 6.

    The coefficients add up to 197 in absolute value, and so do the terms of each sum at most, of which there
    are fewer than 50.
    """
    polynomial, shape = Polynomial(data["coefficients"]), np.array(data["shape"])
    width, place = knobs["width"], knobs["place"]
    nodes, weights = np.polynomial.legendre.leggauss(10)
    mean = weights @ (polynomial(place + width * nodes) * 35 / 32 * (1 - nodes**2) ** 3)
    bound = 50 * 197 * 4 * U
    return {
        "x": (place + width * shape, 4 * U),
        "bump": (35 / 128 * (1 - shape**2) ** 3, 8 * U),
        "mean": (mean, bound),
        "value": (polynomial(place), bound),
    }


def check_narrow(live):
    """A narrow bump tells the value."""
    live.turn("width", 0.01)
    values = live.values()
    assert abs(values["mean"] - values["value"]) < 2e-4
