"""What the figure of the tree on book/gumbel/beam_search must compute."""

import numpy as np

PAGE = "book/gumbel/beam_search"


def expected(knobs, data):
    """The beam has the largest keys of each level, since none of these is lost above."""
    keys, k = np.array(data["keys"])[int(knobs["draw"]) - 1], int(knobs["k"])
    kept = [0]
    looked = []
    for first, last in ((1, 4), (4, 13), (13, 40)):
        best = first + np.argsort(-keys[first:last])[:k]
        looked += [v for v in range(first, last) if (v - 1) // 3 in kept and v not in best]
        kept += best.tolist()
    lost = sorted(looked, key=lambda v: (v > 3, v > 12, -keys[v]))
    return {
        "keys": (keys, 0),
        "kept": (kept, 0),
        "lost": (lost, 0),
        "seen": ([v for v in lost if keys[v] >= data["low"]], 0),
        "leaves": (kept[-min(k, 27):], 0),
    }


def check_that_a_wider_beam_finds_what_a_narrower_one_found(live):
    found = []
    for k in (1, 2, 4, 6):
        live.turn("k", k)
        found.append(live.values()["leaves"])
    assert all(wide[:len(slim)] == slim for slim, wide in zip(found, found[1:]))
