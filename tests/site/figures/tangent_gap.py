"""What the figure of the gap under a tangent on book/softmax/square_loss must compute."""

import numpy as np
from scipy.special import rel_entr, xlogy

PAGE = "book/softmax/square_loss"


def expected(knobs, data):
    """The gaps are the Kullback-Leibler divergence and the squared distance, of two classes."""
    truth, report = (np.array([p, 1 - p]) for p in (knobs["truth"], knobs["report"]))
    regrets = {"cross": rel_entr(truth, report).sum(), "square": np.sum((truth - report) ** 2)}
    gains = {"cross": lambda p: xlogy(p, p).sum(), "square": lambda p: np.sum(p**2) - 1}
    slopes = {"cross": np.log(report[0] / report[1]), "square": 4 * report[0] - 2}
    values = {"truth": (truth[0], 0), "report": (report[0], 0)}
    for loss, gain in gains.items():
        touch = gain(report)
        values[f"{loss}_touch"] = (touch, 1e-14)
        values[f"{loss}_line"] = (touch + slopes[loss] * (np.array([0, 1]) - report[0]), 1e-14)
        values[f"{loss}_gap"] = (np.array([gain(truth) - regrets[loss], gain(truth)]), 1e-14)
    return values


def check_that_an_honest_report_costs_nothing(live):
    live.turn("report", live.knobs()["truth"])
    for loss in ("cross", "square"):
        low, high = live.values()[f"{loss}_gap"]
        assert abs(high - low) < 1e-15
