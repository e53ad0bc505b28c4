"""What the figure with a knob on book/unnormalised/negative_sampling must compute."""

import numpy as np

from softmaxnotes.unnormalised import shifted_pmi

PAGE = "book/unnormalised/negative_sampling"
U = np.finfo(float).eps / 2


def expected(knobs, data):
    """The best scores for what was counted: two logarithms, of numbers up to 1e5, and a difference."""
    nu, text = knobs["nu"], np.array(data["text"], float)
    drawn = np.array(data["noise"], float)[int(nu) - 1]
    learnt = shifted_pmi([text / text.sum()], drawn.sum() / text.sum(), drawn / drawn.sum())[0]
    return {
        "ratio": (np.array(data["ratio"]), 0),
        "learnt": (learnt, 128 * U),
        "contrast": (learnt + np.log(nu), 128 * U),
        "line": (np.array([-2.6, 2.6]) - np.log(nu), 16 * U),
        "nu": (nu, 0),
    }


def check_more_noise_moves_negative_sampling_and_not_noise_contrast(live):
    places = {}
    for nu in (1, 25):
        live.turn("nu", nu)
        values = live.values()
        places[nu] = np.mean(values["learnt"]), np.mean(values["contrast"])
    assert abs(places[25][0] - places[1][0] + np.log(25)) < 0.1
    assert abs(places[25][1] - places[1][1]) < 0.1
