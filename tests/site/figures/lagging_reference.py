"""What the figure of the lagging reference on book/language/blocks must compute."""

import numpy as np

PAGE = "book/language/blocks"


def expected(knobs, data):
    """A reference that is moved to the largest score where that exceeds it by more than the lag."""
    tops, moved, at = np.array(data["tops"]), [0], 0
    for place in range(1, len(tops)):
        if tops[place] > tops[at] + knobs["lag"]:
            at = place
            moved.append(place)
    path = np.repeat(tops[moved], np.diff([*moved, len(tops)]))
    return {
        "tops": (tops, 0),
        "path": (path, 0),
        "moved": (np.isin(np.arange(len(tops)), moved).astype(int), 0),
        "largest": (np.exp((tops - path).max()), 1e-12 * np.exp((tops - path).max())),
    }


def check_that_a_lag_saves_rescalings(live):
    live.turn("lag", 0)
    often = sum(live.values()["moved"])
    live.turn("lag", 8)
    assert sum(live.values()["moved"]) < often
