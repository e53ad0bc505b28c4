"""What the figure of the tent on book/softmax/numerics must compute."""

import numpy as np

from softmaxnotes.softmax import logsumexp

PAGE = "book/softmax/numerics"


def expected(knobs, data):
    """Contours that are found by solving T lse(z/T) = c for the second logit."""
    T, p = knobs["T"], np.array(data["p"])
    levels = np.array(data["levels"])[:, None]
    first = levels + T * np.log(p)
    second = levels + T * np.log(-np.expm1((first - levels) / T))
    soft = np.stack([first, second], axis=-1)
    assert np.allclose(T * logsumexp(soft / T), levels)
    # near p = 1 an error of p in the last place is one of 1 - p, which is 1e-4 or more
    return {"soft": (soft, 1e-10), "corner": (levels[:, 0] - T * np.log(2), 1e-14),
            "gap": (T * np.log(2), 1e-14), "edge": (6, 0)}


def check_that_a_cold_tent_is_the_maximum(live):
    live.turn("T", 0.1)
    assert np.isclose(live.values()["gap"], 0.0693, atol=1e-4)
