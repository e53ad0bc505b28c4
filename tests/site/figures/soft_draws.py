"""What the figure of soft draws on book/gumbel/concrete must compute."""

import numpy as np

from softmaxnotes.gumbel import relaxed_mean
from softmaxnotes.softmax import softmax

PAGE = "book/gumbel/concrete"


def expected(knobs, data):
    """The dots, which item each of them draws at every temperature, and their mean."""
    shares, law = np.array(data["shares"]), np.array(data["law"])
    dots = softmax(np.log(law) - np.log(shares), temperature=knobs["tau"])
    return {"dots": (dots, 1e-12), "first": ((shares / law).argmin(axis=1) + 1, 0),
            "mean": (dots.mean(axis=0), 1e-12), "tau": (knobs["tau"], 1e-12)}


def check_that_no_dot_changes_its_item_and_that_the_mean_is_near_the_exact_one(live):
    before = live.values()
    for exponent in (-1.5, 0, 1.5):
        live.turn("tau", exponent)
        after = live.values()
        assert after["first"] == before["first"]
        exact = relaxed_mean(np.log([0.5, 0.3, 0.2]), temperature=10.0**exponent)
        n = len(after["dots"])
        assert np.all(np.abs(after["mean"] - exact) < np.sqrt(np.log(6 / 1e-9) / (2 * n)))
