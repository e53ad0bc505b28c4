"""What the figure of the race on book/gumbel/gumbel_max must compute."""

import numpy as np

PAGE = "book/gumbel/gumbel_max"


def expected(knobs, data):
    """The keys of one draw, and who has the largest."""
    keys = np.array(data["keys"])[int(knobs["draw"]) - 1]
    winner = int(keys.argmax())
    return {
        "keys": (keys, 0),
        "winner": (winner + 1, 0),
        "digit": (data["digits"][winner], 0),
        "time": (np.exp(-keys[winner]), 1e-14 * np.exp(-keys[winner])),
    }


def check_that_not_every_draw_has_the_same_winner(live):
    winners = set()
    for draw in range(1, 7):
        live.turn("draw", draw)
        winners.add(live.values()["winner"])
    assert len(winners) > 1
