"""What the figure with a knob on book/softmax/fitting_choices must compute."""

import numpy as np

PAGE = "book/softmax/fitting_choices"


def expected(knobs, data):
    """The picture of that many trials, with the ellipse of its covariance."""
    picture = data["pictures"][data["lengths"].index(int(knobs["trials"]))]
    turn = np.linspace(0, 2 * np.pi, 61)
    root = np.linalg.cholesky(np.array(picture["covariance"]))
    ellipse = np.array(picture["best"])[:, None] + data["size"] * root @ [np.cos(turn), np.sin(turn)]
    return {
        "trials": (knobs["trials"], 0),
        "rates": (data["rates"], 0),
        "best": (picture["best"], 0),
        "ridge": (picture["ridge"], 0),
        "edgeX": (picture["edge"][0], 0),
        "edgeY": (picture["edge"][1], 0),
        "ellipseX": (ellipse[0], 1e-12),
        "ellipseY": (ellipse[1], 1e-12),
    }


def check_that_more_trials_tell_more(live):
    widths = []
    for trials in (200, 500, 1000):
        live.turn("trials", trials)
        edge = live.values()["edgeX"]
        widths.append(max(edge) - min(edge))
    assert widths[0] > widths[-1]
