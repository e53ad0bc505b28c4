"""What the figure of the tent on book/softmax/numerics must compute."""

import numpy as np

from softmaxnotes.softmax import log_sigmoid, logsumexp

PAGE = "book/softmax/numerics"


def expected(knobs, data):
    """Contours of T lse(z/T) from one edge of the picture to the other."""
    T, edge, levels = knobs["T"], data["edge"], np.array(data["levels"])
    soft = []
    for c in levels:
        ends = np.log(np.expm1((c - edge) / T))  # log-odds, for the probability rounds to 1
        odds = np.linspace(-ends, ends, 61)
        soft.append(c + T * np.stack([log_sigmoid(odds), log_sigmoid(-odds)], axis=-1))
    assert np.allclose(T * logsumexp(np.array(soft) / T), levels[:, None])
    assert np.allclose(np.min(soft, axis=(1, 2)), edge)
    # a few roundings of numbers below 10
    return {"soft": (soft, 1e-14), "corner": (levels - T * np.log(2), 1e-14),
            "gap": (T * np.log(2), 1e-14), "edge": (edge, 0)}


def check_that_a_cold_tent_is_the_maximum(live):
    live.turn("T", 0.1)
    assert np.isclose(live.values()["gap"], 0.0693, atol=1e-4)
