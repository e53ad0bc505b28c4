"""What the figure of the beads on book/tools/variations must compute."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

PAGE = "book/tools/variations"


def expected(knobs, data):
    """Newton's law: time is the integral of the way over the speed, the root of the drop.

    On the straight wire the way is sqrt(2) x, and y = x = u**2 makes the time 2 sqrt(2) u.  On the cycloid
    the way and the speed are integrated from the curve, with the angle u**2, and inverted by a search.
    The quadrature is good for 1e-10, and a bead moves at most 1 per unit of time.
    """
    radius, turn = data["radius"], data["turn"]

    def duration(angle):
        def per_root(u):
            at = u * u
            drop = 2 * np.sin(at / 2) ** 2  # 1 - cos
            return 2 * u * radius * np.hypot(drop, np.sin(at)) / np.sqrt(radius * drop)
        return quad(per_root, 0, np.sqrt(angle), epsabs=1e-12)[0]

    time, whole = knobs["time"], duration(turn)
    u = min(time / 8**0.5, 1)
    if time >= whole:
        angle = turn
    else:
        angle = brentq(lambda at: duration(at) - time, 1e-9, turn, xtol=1e-13) if time else 0.0
    there = np.array([radius * (angle - np.sin(angle)), radius * (1 - np.cos(angle))])
    return {
        "straight": (np.array([u * u, u * u]), 1e-14),
        "cycloid": (there, 1e-8),
        "arrival": (np.array([8**0.5, whole]), 1e-9),
    }


def check_arrival(live):
    """At the end both are there, and the one on the cycloid has been there for longer."""
    live.turn("time", 2.85)
    assert live.status().inner_text().count("there since") == 2
    assert "there since 2.828" in live.status().inner_text()
    assert "there since 2.582" in live.status().inner_text()
