"""What the figure of three losses on book/language/preferences must compute."""

import numpy as np
from scipy.special import logit

PAGE = "book/language/preferences"


def expected(knobs, data):
    """The log-ratio that each loss asks for, over the share of labels, and the numbers of the caption."""
    shares, beta, eps = np.array(data["shares"]), knobs["beta"], knobs["eps"]

    def smoothed(share):
        return logit((1 - eps) * share + eps * (1 - share)) / beta

    def ipo(share):
        return (share - 0.5) / beta

    close = 1e-11 / beta
    return {
        "shares": (shares, 0), "top": (data["top"], 0), "beta": (beta, 1e-13), "eps": (eps, 1e-13),
        "dpo": (logit(shares) / beta, close), "smoothed": (smoothed(shares), close),
        "ipo": (ipo(shares), close),
        "some": (logit(0.7) / beta, close), "less": (ipo(0.7), close), "smooth": (smoothed(1.0), close),
        "all": (ipo(1.0), close)}


def check_that_a_higher_price_asks_for_less(live):
    caption = live.figure.locator(".live[data-label=all]")
    live.turn("beta", -1.5)
    far = float(caption.inner_text())
    live.turn("beta", 0.5)
    assert float(caption.inner_text()) < far / 50
