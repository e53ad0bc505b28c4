"""What the figure of two weight vectors on book/softmax/logits must compute."""

import numpy as np

from softmaxnotes.softmax import logit, softmax

PAGE = "book/softmax/logits"


def expected(knobs, data):
    """The ends of the contours are found by walking from the origin along and across the difference."""
    moved = np.array(data["weights"]) + [knobs["across"], knobs["up"]]
    apart = np.array(data["weights"][0]) - data["weights"][1]
    size = np.hypot(*apart)
    along, across = apart / size, np.array([-apart[1], apart[0]]) / size
    ends = np.array([-1, 1])[:, None] * data["reach"] * across
    lines = np.array([t / size * along + ends for t in data["logits"]])
    for t, line in zip(data["logits"], lines):
        assert np.allclose(logit(softmax(line @ moved.T)[:, 0]), t)
    return {"moved": (moved, 1e-15), "lines": (lines, 1e-13)}


def check_that_only_the_arrows_move(live):
    before = live.values()
    live.turn("across", 1.0)
    after = live.values()
    assert np.allclose(before["lines"], after["lines"], atol=1e-13, rtol=0)
    assert np.allclose(np.subtract(after["moved"], before["moved"]), [1, 0])
