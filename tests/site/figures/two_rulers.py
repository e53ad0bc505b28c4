"""What the figure of two rulers on book/softmax/logits must compute."""

import numpy as np

from softmaxnotes.softmax import sigmoid

PAGE = "book/softmax/logits"


def expected(knobs, data):
    places = np.array(data["places"])
    return {
        "before": (places, 0),
        "after": (places + knobs["evidence"], 1e-15),
        "probabilities": (sigmoid(places + knobs["evidence"]), 1e-15),
    }


def check_that_evidence_against_takes_evidence_for_back(live):
    live.turn("evidence", 2.0)
    up = live.values()["probabilities"]
    live.turn("evidence", -2.0)
    down = live.values()["probabilities"]
    assert np.allclose(np.add(up, down[::-1]), 1, atol=1e-15, rtol=0)
