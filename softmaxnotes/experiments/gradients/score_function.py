r"""REINFORCE on three outcomes: how far from the best it is after so many rewards, by baseline.

    >>> climb("exact gradient", seed=0, budget=400, lr=0.4) < 0.1
    True
"""

import numpy as np

from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.gradients import best_baseline
from softmaxnotes.softmax import softmax

__all__ = ["METHODS"]

REWARDS = np.array([1.0, 2.0, 4.0])
METHODS = ("untrained", "no baseline", "moving average", "best constant", "exact gradient")


def climb(method, *, seed, budget, lr=0.0):
    r"""What a softmax over three outcomes misses of the largest reward, 4, after steps with one reward each.

    It begins with the probabilities 0.5, 0.3, 0.2, and draws an outcome :math:`y`, of reward :math:`r_y`:

    .. math:: z \leftarrow z + \eta\,(r_y - b)\,(e_y - \pi).

    Parameters
    ----------
    method : {"untrained", "no baseline", "moving average", "best constant", "exact gradient"}
        What :math:`b` is: 0, the mean of the rewards that were drawn before, with the weight 0.9 for what is
        old, or the `best_baseline`, for which one must know all rewards; the exact gradient knows them, too.
    seed : int
        Runs of one seed see the same random numbers.
    budget : int
        Rewards that are drawn, one in each step.
    lr : float
        :math:`\eta`.

    Returns
    -------
    float
        The largest reward minus the mean reward.

    Raises
    ------
    ValueError
        `method` is none of these; `budget` isn't positive.

    Examples
    --------
    >>> climb("untrained", seed=0, budget=100)
    2.1
    """
    read_choice("method", method, METHODS)
    steps = read_count("budget", budget)
    logits, average = np.log([0.5, 0.3, 0.2]), None
    for uniform in np.random.default_rng(seed).random(steps):
        law = softmax(logits)
        if method == "exact gradient":
            logits = logits + lr * law * (REWARDS - law @ REWARDS)
        elif method != "untrained":
            y = min(int(np.searchsorted(np.cumsum(law), uniform)), 2)
            reward = REWARDS[y]
            baseline = 0.0
            if method == "moving average":
                average = reward if average is None else average
                baseline = average
                average = 0.9 * average + 0.1 * reward
            elif method == "best constant":
                baseline = best_baseline(logits, REWARDS)
            logits = logits + lr * (reward - baseline) * (np.eye(3)[y] - law)
    return float((softmax(logits) @ (REWARDS.max() - REWARDS)).round(12))

