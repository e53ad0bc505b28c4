"""What the figure of digits at a temperature on book/intro must compute."""

import numpy as np

from softmaxnotes.softmax import softmax

PAGE = "book/intro"


def expected(knobs, data):
    """The laws of the digits, and what becomes of their classes: nothing."""
    logits = np.array(data["logits"])
    laws = softmax(logits, temperature=knobs["T"])
    right = int((logits.argmax(axis=-1) == data["classes"]).sum())
    return {"laws": (laws, 1e-13), "right": (right, 0), "sure": (laws.max(axis=-1).mean(), 1e-13),
            "T": (knobs["T"], 1e-13)}


def check_that_the_label_says_the_temperature(live):
    label = live.figure.locator(".heading")
    for exponent, text in ((-1, "0.1"), (0, "1"), (1.3, "20")):
        live.turn("T", exponent)
        assert label.inner_text() == f"temperature {text}"
        assert "12 of 15" in live.status().inner_text()
