"""What the figure of the triangle on book/gumbel/gumbel_max must compute."""

import numpy as np

from softmaxnotes.softmax import softmax

PAGE = "book/gumbel/gumbel_max"


def expected(knobs, data):
    """The softmax, and the item that each point of the triangle draws."""
    law, shares = softmax([knobs["logit1"], knobs["logit2"], 0.0]), np.array(data["shares"])
    return {
        "law": (law, 1e-14),
        "first": ((shares / law).argmin(axis=1) + 1, 0),
        "shares": (shares, 0),
    }


def check_that_the_dots_stay_and_that_each_piece_holds_its_share(live):
    before = live.values()
    live.turn("logit1", -3.0)
    after = live.values()
    assert after["shares"] == before["shares"] and after["first"] != before["first"]
    counts = np.bincount(after["first"], minlength=4)[1:]
    n = len(after["first"])
    assert np.all(np.abs(counts / n - after["law"]) < np.sqrt(np.log(6 / 1e-9) / (2 * n)))
