"""What the figure of two falls on book/softmax/square_loss must compute."""

import numpy as np

from softmaxnotes.softmax import categorical_nll, softmax, squared_loss

PAGE = "book/softmax/square_loss"


def expected(knobs, data):
    """Gradient descent with the losses of the package.

    Errors of rounding are 400 times 1e-15 at most, and grow while the square loss leaves its plateau, by less
    than e to the power of the lead: 1e-9 is far above, and far below what is seen.
    """
    values = {}
    for name, loss in (("cross", categorical_nll), ("square", squared_loss)):
        z, seen = knobs["lead"] * np.array(data["starts"]), []
        for _ in range(data["steps"] + 1):
            seen.append(softmax(z))
            z = z - data["rate"] * loss(z, np.zeros(len(z), int)).gradient
        values[name] = (np.swapaxes(seen, 0, 1), 1e-9)
    return values


def check_that_the_further_out_the_later_the_square_loss_comes_home(live):
    ends = []
    for lead in (2.0, 4.0, 6.0):
        live.turn("lead", lead)
        cross, square = (np.array(live.values()[loss])[:, -1, 0] for loss in ("cross", "square"))
        ends.append(square.min())
        assert cross.min() > 0.9
    assert ends[0] > ends[1] > ends[2] and ends[2] < 0.1
