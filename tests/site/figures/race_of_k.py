"""What the figure of the race of k on book/gumbel/top_k must compute."""

import numpy as np

from softmaxnotes.gumbel import log_prob_ordered, log_prob_set

PAGE = "book/gumbel/top_k"


def expected(knobs, data):
    """The k largest keys of one race, and the probabilities of their order and of their set."""
    keys, k = np.array(data["keys"])[int(knobs["draw"]) - 1], int(knobs["k"])
    places = np.argsort(-keys)
    drawn = places[:k]
    return {
        "keys": (keys, 0),
        "drawn": (drawn + 1, 0),
        "order": (np.array(data["digits"])[drawn], 0),
        "cut": (keys[places[k - 1 : k + 1]].mean(), 1e-14),
        "ordered": (np.exp(log_prob_ordered(data["logits"], drawn)), 1e-14),
        "set": (np.exp(log_prob_set(data["logits"], drawn)), 1e-14),
    }


def check_that_more_draws_keep_the_earlier_ones(live):
    before = []
    for k in range(1, 7):
        live.turn("k", k)
        values = live.values()
        assert values["order"][: len(before)] == before and len(values["order"]) == k
        assert values["ordered"] <= values["set"] * (1 + 1e-12)
        before = values["order"]
