"""What the figure with knobs on book/softmax/entropy must compute."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import entr

from softmaxnotes.softmax import maximum_entropy, softmax

PAGE = "book/softmax/entropy"
U = np.finfo(float).eps / 2


def plane(p):
    return np.stack([p[..., 1] + p[..., 2] / 2, p[..., 2] * 3**0.5 / 2], axis=-1)


def expected(knobs, data):
    """The softmax, and the border of the laws with as much entropy, by another search.

    An entropy of at most log 3 is computed with an error of e = 16 u.  Along a ray from the centre, at
    distance r, it falls at least as fast as r**2 / 2: minus it has second derivatives 1/p > 1.  So where it
    has a given value is uncertain by at most d with r d + d**2 / 2 = 2 e, which is below sqrt(4 e); Brent's
    method stops at less.
    """
    payoff, angles, beta = np.array(data["payoff"]), np.array(data["angles"]), knobs["beta"]
    law = softmax(beta * payoff)
    mean, most = law @ payoff, entr(law).sum()
    rays = np.outer(np.cos(angles), [-1, 1, 0]) / 2**0.5 + np.outer(np.sin(angles), [-1, -1, 2]) / 6**0.5
    border = []
    for ray in rays:
        def excess(r, ray=ray):
            return entr(np.maximum(1 / 3 + r * ray, 0)).sum() - most
        last = 1 / (3 * -ray.min())
        if excess(0) <= 0:
            far = 0.0
        else:
            far = last if excess(last) >= 0 else brentq(excess, 0, last, xtol=1e-14)
        border.append(1 / 3 + far * ray)
    without_two = np.array([mean / 2, 0, 1 - mean / 2])
    with_two = np.array([mean - 1, 2 - mean, 0] if mean > 1 else [0, mean, 1 - mean])
    return {
        "law": (law, 8 * U),
        "mean": (mean, 32 * U),
        "entropy": (most, 16 * U),
        "dot": (plane(law), 16 * U),
        "line": (plane(np.array([with_two, without_two])), 64 * U),
        "border": (plane(np.array(border)), 2 * (4 * 16 * U) ** 0.5),
    }


def check_inverse(live):
    """The package finds the temperature from the mean payoff."""
    live.turn("beta", 2)
    values = live.values()
    found = maximum_entropy(live.data["payoff"], values["mean"])
    assert abs(found.beta - 2) < 1e-12 and np.allclose(found.probabilities, values["law"], atol=1e-13)
