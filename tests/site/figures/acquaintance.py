"""What the figure of strangers and an acquaintance on book/language/attention must compute."""

import numpy as np
from scipy.special import softmax

PAGE = "book/language/attention"


def expected(knobs, data):
    """The weight of the key that the query knows: the last of 64, with the score rho * d."""
    strangers, widths = np.array(data["strangers"]), np.array(data["widths"])
    weights = []
    for scale in (np.ones(len(widths)), widths**-0.5, 8 / widths):
        row = []
        for one, d, rows in zip(scale, widths, strangers, strict=True):
            known = np.full((len(rows), 1), knobs["rho"] * d)
            scores = one * np.concatenate([np.sqrt(d) * rows, known], 1)
            row.append(softmax(scores, -1)[:, -1].mean())
        weights.append(row)
    return {"weights": (weights, 1e-12), "widths": (widths, 0), "rho": (knobs["rho"], 1e-13)}


def check_that_both_scales_agree_at_width_64(live):
    for rho in (0, 0.3, 1):
        live.turn("rho", rho)
        weights = np.array(live.values()["weights"])
        assert np.isclose(weights[1, 2], weights[2, 2])
    assert weights[1, 0] < 0.2 < 0.97 < weights[2, -1] < 0.99
