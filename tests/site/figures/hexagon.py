"""What the figure of the six orders on book/gumbel/top_k must compute."""

import numpy as np

from softmaxnotes.gumbel import log_prob_ordered
from softmaxnotes.softmax import softmax

PAGE = "book/gumbel/top_k"


def expected(knobs, data):
    """The probability of each order, and of each item to be first."""
    logits = np.array([knobs["logit1"], knobs["logit2"], 0.0])
    return {
        "orders": (np.exp(log_prob_ordered(logits, np.array(data["ring"]))), 1e-14),
        "first": (softmax(logits), 1e-14),
    }


def check_that_neighbours_with_one_first_item_add_up(live):
    live.turn("logit1", -1.5)
    values = live.values()
    ring = np.array(live.data["ring"]) if hasattr(live, "data") else None
    assert abs(sum(values["orders"]) - 1) < 1e-14
    if ring is not None:
        for item in range(3):
            assert abs(np.array(values["orders"])[ring[:, 0] == item].sum() - values["first"][item]) < 1e-14
