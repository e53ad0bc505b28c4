"""What the figure of rollouts on book/rewards/seqgan must compute."""

import numpy as np

PAGE = "book/rewards/seqgan"


def expected(knobs, data):
    """Means of the first N payments, and their spread over the sixteen estimates of a word."""
    estimates = np.array(data["paid"])[..., : int(knobs["N"])].mean(axis=-1)
    return {
        "N": (knobs["N"], 0),
        "estimates": (estimates.ravel(), 1e-12),
        "heights": (np.array(data["heights"]), 0),
        "spread": (estimates.std(axis=1), 1e-12),
    }


def check_that_more_rollouts_bring_the_dots_together(live):
    live.turn("N", 1)
    before = live.values()["spread"]
    live.turn("N", 64)
    assert all(late < early / 4 for late, early in zip(live.values()["spread"], before))
