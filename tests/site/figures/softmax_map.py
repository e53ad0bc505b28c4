"""What the figure of the map on book/softmax/numerics must compute."""

import numpy as np

from softmaxnotes.softmax import softmax

PAGE = "book/softmax/numerics"


def expected(knobs, data):
    """The ellipse is the circle under a matrix, the Jacobian; all numbers are below 20."""
    logits, basis = np.array(data["logits"]), np.array(data["basis"])
    law = softmax(logits, temperature=knobs["T"])
    jacobian = np.diag(law) - np.outer(law, law)
    turns = np.stack([np.cos(data["turns"]), np.sin(data["turns"])], axis=-1)
    return {
        "circle": (basis @ logits / knobs["T"] + data["radius"] * turns, 1e-13),
        "ellipse": (law + data["radius"] * turns @ basis @ jacobian, 1e-14),
        "factor": (np.linalg.det(basis @ jacobian @ basis.T), 1e-14),
    }


def check_that_a_low_temperature_flattens_the_image(live):
    factors = []
    for temperature in (4.0, 2.0, 1.0, 0.5):
        live.turn("T", temperature)
        factors.append(live.values()["factor"])
    assert 1 / 9 > factors[0] > factors[1] > factors[2] > factors[3] > 0
