"""What the figure of the overlap on book/language/speculative must compute."""

import numpy as np

from softmaxnotes.language import acceptance
from softmaxnotes.softmax import softmax

PAGE = "book/language/speculative"


def expected(knobs, data):
    """Target, draft, their overlap, and its area."""
    logits = np.array(data["logits"])
    p, q = softmax(logits), softmax(logits, temperature=knobs["T"])
    return {"p": (p, 1e-13), "q": (q, 1e-13), "low": (np.minimum(p, q), 1e-13),
            "area": (acceptance(logits, logits / knobs["T"]), 1e-13), "T": (knobs["T"], 1e-13)}


def check_that_everything_is_kept_where_the_models_are_equal(live):
    caption = live.figure.locator(".live[data-label=area]")
    live.turn("T", 0)
    assert caption.inner_text() == "1.00"
    live.turn("T", 1)
    assert float(caption.inner_text()) < 0.9
