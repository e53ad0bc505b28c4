"""What the figure of the moved race on book/gumbel/truncated must compute."""

import numpy as np

from softmaxnotes.gumbel import condition_on_maximum

PAGE = "book/gumbel/truncated"


def expected(knobs, data):
    """The times of the keys that have the prescribed maximum."""
    keys, bound = np.array(data["keys"]), knobs["T"]
    before, after = np.exp(-keys), np.exp(-condition_on_maximum(keys, bound))
    return {
        "before": (before, 1e-14),
        "after": (after, 1e-13),
        "bell": (np.exp(-bound), 1e-14),
        "delay": (np.exp(-bound) - before.min(), 1e-14),
        "bound": (bound, 0),
    }


def check_that_all_hops_are_equal_and_the_order_stays(live):
    for bound in (-1.5, 0.5, 2.0):
        live.turn("T", bound)
        shown = live.values()
        hops = np.subtract(shown["after"], shown["before"])
        assert np.ptp(hops) < 1e-13
        assert (np.argsort(shown["after"]) == np.argsort(shown["before"])).all()
