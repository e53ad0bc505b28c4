"""What the figure with knobs on book/tools/variations must compute."""

import numpy as np
import sympy as sp

from softmaxnotes.tools import discretise

PAGE = "book/tools/variations"
U = np.finfo(float).eps / 2


def expected(knobs, data):
    """Gradient descent on the length of a polygon.

    The rate is at most the inverse of the Hessian's norm and the length is convex, so a step moves
    no two polygons apart: rounding errors add up and are not amplified. One step makes an error
    below 4 units roundoff of 1.5 in each ordinate, here as in the browser.
    """
    x = np.array(data["x"])
    t, steps = sp.Symbol("t"), int(knobs["steps"])
    f = sp.Function("f")(t)
    length = discretise(sp.sqrt(1 + f.diff(t) ** 2), f, t, x)
    y = np.array(data["starts"][knobs["start"]])
    for _ in range(steps):
        y[1:-1] -= (x[1] - x[0]) / 4 * length.gradient(y)[1:-1]
    bound = 2 * (steps + 1) * 4 * 1.5 * U * len(x)
    return {
        "x": (x, 0),
        "y": (y, bound),
        "length": (length.value(y), 2 * len(x) * bound),
        "straight": (np.hypot(x[-1] - x[0], y[-1] - y[0]), 4 * U),
    }
