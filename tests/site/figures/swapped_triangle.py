"""What the figure of the swaps on book/rewards/arsm must compute."""

import numpy as np

from softmaxnotes.experiments.rewards.arsm import silent_region
from softmaxnotes.softmax import softmax

PAGE = "book/rewards/arsm"


def expected(knobs, data):
    """The softmax, who wins at each point, and how large the part is on which no swap matters."""
    law, shares = softmax([knobs["logit1"], knobs["logit2"], 0.0]), np.array(data["shares"])
    return {
        "law": (law, 1e-14),
        "first": ((shares / law).argmin(axis=1) + 1, 0),
        "share": (float(silent_region(law)[1]), 1e-12),
        "shares": (shares, 0),
    }


def check_that_a_sure_model_is_silent_more_often(live):
    before = live.values()["share"]
    live.turn("logit1", 3.0)
    assert live.values()["share"] > before
    live.turn("logit1", 0.0)
    live.turn("logit2", 0.0)
    assert live.values()["share"] < 1e-12
