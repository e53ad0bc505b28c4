"""What the figure of a sink on book/language/attention must compute."""

import numpy as np

from softmaxnotes.softmax import sigmoid

PAGE = "book/language/attention"


def expected(knobs, data):
    """The gate, and its mean for digits and for noise."""
    sink, grid = knobs["sink"], np.linspace(32, 104, 289)
    means = {name: sigmoid(np.array(data[name]) - sink).mean() for name in ("digits", "noise")}
    return {"gate": (sigmoid(grid - sink), 1e-13), "sink": (sink, 1e-13),
            **{name: (mean, 1e-12 * mean) for name, mean in means.items()}}


def check_that_a_sink_between_lets_digits_through(live):
    live.turn("sink", 80)
    values = live.values()
    assert values["digits"] > 0.99 and values["noise"] < 0.01
    caption = live.figure.locator("figcaption")
    assert "80.0" in caption.inner_text()
