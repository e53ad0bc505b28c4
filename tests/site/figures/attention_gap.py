"""What the figure of the gap on book/rewards/hard_attention must compute."""

import numpy as np

from softmaxnotes.rewards import attention_bound

PAGE = "book/rewards/hard_attention"


def expected(knobs, data):
    """A few roundings of numbers below 4."""
    likelihoods, one, rest = np.array(data["likelihoods"]), knobs["one"], knobs["rest"]
    law = np.array([one, (1 - one) * rest, (1 - one) * (1 - rest)])
    found = attention_bound(np.log(law), np.log(likelihoods))
    return {"law": (law, 1e-15), "centre": (law @ likelihoods, 1e-15), "bound": (found.bound, 1e-14),
            "evidence": (found.evidence, 1e-14), "gap": (found.gap, 1e-14)}


def check_that_sure_attention_has_a_small_gap(live):
    live.turn("rest", 0.75)
    gaps = []
    for one in (0.6, 0.95):
        live.turn("one", one)
        gaps.append(live.values()["gap"])
    assert gaps[1] < gaps[0]
