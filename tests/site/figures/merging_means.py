"""What the figure of two merged means on book/language/blocks must compute."""

import numpy as np

from softmaxnotes.language import merge_means, partial_mean

PAGE = "book/language/blocks"


def expected(knobs, data):
    """Pairs of the two blocks, the second one shifted, and their merge."""
    values, scores = np.array(data["values"]), np.log(data["weights"])
    scores[2:] += knobs["shift"]
    parts = [partial_mean(scores[part], values[part, None]) for part in (slice(0, 2), slice(2, 4))]
    merged = merge_means(parts)
    return {
        "first": (parts[0].lse, 1e-14),
        "second": (parts[1].lse, 1e-14),
        "share": (np.exp(parts[1].lse - merged.lse), 1e-14),
        "scores": (scores[2:], 1e-14),
        "places": (values[2:], 0),
        "base": (data["base"], 0),
        "merged": (merged.mean[0], 1e-14),
    }


def check_that_the_mean_slides_from_one_block_to_the_other(live):
    live.turn("shift", -4)
    low = live.values()["merged"]
    live.turn("shift", 4)
    assert low < 1.8 and live.values()["merged"] > 3.4
