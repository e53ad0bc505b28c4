"""What the figure with a knob on book/softmax/rescorla_wagner must compute."""

import numpy as np

from softmaxnotes.softmax import cue_value_derivatives

PAGE = "book/softmax/rescorla_wagner"


def expected(knobs, data):
    """The recursions of the library; the forgetful derivative is zero after a trial without the cue."""
    alpha, choices = knobs["alpha"], np.array(data["choices"])
    values, slopes, _ = cue_value_derivatives(alpha, choices, data["rewards"])
    forgetful = np.zeros(len(choices) + 1)
    for t, (c, reward) in enumerate(zip(choices, data["rewards"])):
        forgetful[t + 1] = (reward - values[t, 0] + (1 - alpha) * forgetful[t]) * (c == 0)
    return {
        "value1": (values[:, 0], 1e-13),
        "value2": (values[:, 1], 1e-13),
        "slope": (slopes[:, 0], 1e-12),
        "forgetful": (forgetful, 1e-12),
        "alpha": (alpha, 0),
    }


def check_that_the_slope_stays_where_the_cue_is_absent(live):
    for alpha in (0.1, 0.5, 0.9):
        live.turn("alpha", alpha)
        shown = live.values()
        still = np.diff(shown["value1"]) == 0
        assert still.any()
        assert (np.diff(shown["slope"])[np.array(shown["forgetful"])[1:] == 0] == 0).all()
