"""What the figure of soft borders on book/gumbel/concrete must compute."""

import numpy as np

from softmaxnotes.gumbel import mixture_step

PAGE = "book/gumbel/concrete"


def expected(knobs, data):
    """The largest share of each digit, and whose it is."""
    digits, centres = np.array(data["digits"]), np.array(data["centres"])
    shares = mixture_step(digits, centres, knobs["variance"]).shares
    return {"digits": (digits, 0), "owner": (shares.argmax(axis=1), 0), "share": (shares.max(axis=1), 1e-12),
            "variance": (knobs["variance"], 1e-12)}
