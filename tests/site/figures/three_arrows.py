"""What the three arrows on book/gradients/score_function must compute."""

import numpy as np

from softmaxnotes.gradients import score_function_variance

PAGE = "book/gradients/score_function"


def expected(knobs, data):
    """A few roundings of numbers below 10."""
    law, rewards, b = np.array(data["law"]), np.array(data["rewards"]), knobs["baseline"]
    tips = (rewards - b)[:, None] * (np.eye(3) - law)
    total = score_function_variance(np.log(law), rewards, baseline=b).sum()
    return {"law": (law, 0), "tips": (tips, 1e-14), "variance": (total, 1e-13), "baseline": (b, 0)}


def check_that_the_mean_arrow_stands(live):
    law, ends = np.array(live.data["law"]), []
    for baseline in (0.0, 1.9, 4.0):
        live.turn("baseline", baseline)
        ends.append(law @ np.array(live.values()["tips"]))
    assert np.ptp(ends, axis=0).max() < 1e-14
