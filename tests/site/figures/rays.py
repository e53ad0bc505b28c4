"""What the rays on book/confidence/open_set must compute."""

import numpy as np

from softmaxnotes.confidence import ray_limit
from softmaxnotes.softmax import softmax

PAGE = "book/confidence/open_set"


def expected(knobs, data):
    """The laws along the ray, which near the limit."""
    turn = np.radians(knobs["angle"])
    way = np.array([np.cos(turn), np.sin(turn)])
    reach, slopes = np.array(data["reach"]), np.array(data["weights"]) @ way
    laws = softmax(reach[:, None] * slopes)
    assert np.allclose(softmax(1e6 * slopes), ray_limit(slopes, np.zeros(3)), atol=1e-12)
    return {"way": (way, 1e-15), "slopes": (slopes, 1e-14), "laws": (laws, 1e-13), "reach": (reach, 0),
            "last": (laws[-1].max(), 1e-13)}
