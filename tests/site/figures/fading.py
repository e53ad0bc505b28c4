"""What the figure of a lead that fades on book/language/attention must compute."""

import numpy as np

from softmaxnotes.language import largest_share

PAGE = "book/language/attention"


def expected(knobs, data):
    """The weight for each number of keys; at 1 + exp(lead) keys it is a half."""
    many, lead = np.array(data["many"]), knobs["lead"]
    return {"many": (many, 0), "lead": (lead, 1e-13), "half": (1 + np.exp(lead), 1e-10 * np.exp(lead)),
            "weight": (1 / (1 + (many - 1) * np.exp(-lead)), 1e-13)}


def check_that_it_is_the_largest_share(live):
    for lead in (0, 5, 16):
        live.turn("lead", lead)
        weight = live.values()["weight"]
        assert np.allclose([weight[0], weight[-1]], largest_share([10, 10**6], lead), rtol=1e-12)
