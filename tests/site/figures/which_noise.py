"""What the figure with knobs on book/tools/which_noise must compute."""

import numpy as np
from scipy import stats
from scipy.special import softmax

from softmaxnotes.tools import perturbed_argmax_probabilities

PAGE = "book/tools/which_noise"


def expected(knobs, data):
    """Which of the perturbed logits is largest; the noises have the variance of the standard Gumbel.

    Python promises 1e-10; the rules of the browser leave rounding errors.
    """
    scale, sd = knobs["scale"], np.pi / np.sqrt(6)
    logits = np.array([knobs["logit"], *data["logits"][1:]])
    noise = {
        "Gumbel": stats.gumbel_r(scale=scale),
        "normal": stats.norm(scale=scale * sd),
        "uniform": stats.uniform(scale=scale * sd * np.sqrt(12)),
    }[knobs["noise"]]
    win = perturbed_argmax_probabilities(logits, noise)
    return {"win": (win, 1.1e-10), "softmax": (softmax(logits / scale), 1e-13)}


def check_that_gumbel_noise_is_the_softmax_and_no_other(live):
    gaps = {}
    for noise in live.controls["noise"]["options"]:
        live.turn("noise", noise)
        values = live.values()
        assert abs(sum(values["win"]) - 1) <= 1e-13
        gaps[noise] = np.abs(np.subtract(values["win"], values["softmax"])).max()
    assert gaps.pop("Gumbel") <= 1e-13
    assert gaps.keys() == {"normal", "uniform"} and min(gaps.values()) > 1e-3
