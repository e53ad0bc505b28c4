"""What the figure of a row that is cut, on book/language/decoding, must compute."""

import numpy as np

from softmaxnotes.language import log_kept_mass, truncate
from softmaxnotes.softmax import softmax

PAGE = "book/language/decoding"


def expected(knobs, data):
    """The probabilities at the temperature, how many are kept, their mass, and what the cut costs."""
    logits = np.array(data["logits"])
    kept = truncate(logits, temperature=knobs["T"], top_k=int(knobs["k"]), top_p=knobs["p"],
                    min_p=knobs["lead"])
    log_c = log_kept_mass(logits / knobs["T"], kept)
    q, cut_ = softmax(kept), np.isfinite(kept)
    far = q[cut_] @ (np.log(q[cut_]) - np.log(softmax(logits))[cut_])
    return {"law": (softmax(logits, temperature=knobs["T"]), 1e-13), "count": (np.isfinite(kept).sum(), 0),
            "mass": (np.exp(log_c), 1e-13), "cost": (-log_c, 1e-13), "far": (far, 1e-12)}


def check_that_a_temperature_lets_more_into_a_nucleus_and_never_less(live):
    counts = []
    for exponent in (-0.7, -0.3, 0, 0.3, 0.7):
        live.turn("T", exponent)
        counts.append(live.values()["count"])
    assert counts == sorted(counts) and counts[0] < counts[-1]


def check_that_without_a_cut_what_is_left_is_the_temperature(live):
    live.turn("p", 1)
    live.turn("T", -0.2)
    assert abs(live.values()["cost"]) < 1e-12 and live.values()["far"] > 0.03


def check_that_top_k_does_not_feel_the_temperature(live):
    live.turn("p", 1)
    live.turn("k", 3)
    for exponent in (-0.7, 0, 0.7):
        live.turn("T", exponent)
        assert live.values()["count"] == 3
        assert "3 are kept" in live.status().inner_text()
