"""Gradients of mean returns, by episodes, and policies that learn with them."""

import math
from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import read_choice, read_count, read_rng, read_size
from softmaxnotes.choices.estimators import METHODS, categorical_gradient
from softmaxnotes.softmax import softmax
from softmaxnotes.training import Trained

from .networks import Policies

__all__ = ["PolicyEstimate", "learn_policies", "policy_estimate"]

# --- Episodes ---------------------------------------------------------------------------------


class _Visits(NamedTuple):
    """All steps of some episodes, one in each row."""

    episode: np.ndarray
    time: np.ndarray
    states: np.ndarray
    seen: np.ndarray
    logits: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray


def _play(world, policies, states, run, left, rng, first=None, keep=False):
    """Episodes from states, with at most `left` steps: sums of rewards, number of steps, and visits."""
    alive, total, steps, kept, t = np.arange(len(states)), np.zeros(len(states)), 0, [], 0
    while alive.size:
        seen = world.observe(states)
        if t == 0 and first is not None:
            logits, actions = None, first
        else:
            logits = policies.logits(seen, run[alive])
            actions = (logits - np.log(rng.standard_exponential(logits.shape))).argmax(axis=1)
        after, rewards, over = world.step(states, actions, rng=rng)
        total[alive] += rewards
        steps += len(alive)
        if keep:
            kept.append(_Visits(alive, np.full(len(alive), t), states, seen, logits, actions, rewards))
        t += 1
        go = ~over & (left[alive] > t)
        alive, states = alive[go], after[go]
    return total, steps, _Visits(*map(np.concatenate, zip(*kept))) if keep else None


class PolicyEstimate(NamedTuple):
    """Estimates of the gradients of mean returns.

    Attributes
    ----------
    gradient : ndarray, shape size + (n_runs, P)
        By the weights of each of the policies.
    returns : ndarray, shape size + (n_runs,)
        Mean return of the episodes from the start.
    n_steps : int
        Steps in the world, of all episodes together.
    """

    gradient: np.ndarray
    returns: np.ndarray
    n_steps: int


def policy_estimate(world, policies, *, method="reinforce", n_episodes=None, n_branches=None, n_samples=None,
                    to_go=True, size=None, rng=None):
    r"""Estimate the gradient of the mean return of each policy.

    Parameters
    ----------
    world : object
        `CartPole`, `Acrobot`, `FiniteWorld`, `GymWorld`, or any other with the same methods.
    policies : Policies
    method : str
        Without branches "reinforce" or "leave-one-out": the score of each action times the rewards after it,
        with "leave-one-out" less the mean of those of the other episodes after as many steps. With branches
        one of `METHODS` that ask for values: an estimate of `categorical_gradient` at some states of an
        episode, where the value of an action is the return of an episode that goes on from there.
    n_episodes : int or None
        Episodes from the start; `None` is 2 for "leave-one-out" without branches, else 1.
    n_branches : int or None
        At how many states of each episode, drawn without replacement; all if it has fewer.
    n_samples : int or None
        Actions that are drawn there, of the methods that draw more than one.
    to_go : bool
        Whether an action gets the rewards after it, or all rewards of the episode; without branches.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    PolicyEstimate

    Raises
    ------
    TypeError
        A number of things isn't an integer.
    ValueError
        There is no such method, or not with or without branches; a number of things is too small, such as one
        episode for "leave-one-out".

    Notes
    -----
    All are unbiased. At an episode's branches "ars" and "arsm" need no episode where no swap changes the
    action: what all swaps have in common drops out.

    Implements: eq-to-go, eq-branch

    Examples
    --------
    >>> from softmaxnotes.experiments.choices.policies import FiniteWorld
    >>> from softmaxnotes.gradients import DecisionProcess
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 2)
    >>> table = Policies(1, 2, hidden=(), rng=0)
    >>> found = policy_estimate(coin, table, method="arsm", n_branches=2, size=9999, rng=0)
    >>> found.gradient.mean(axis=(0, 1))[:2].round(2)  # exactly -1/2 and 1/2
    array([-0.5,  0.5])
    """
    if n_branches is None:
        read_choice("method without branches", method, ("reinforce", "leave-one-out"))
    else:
        read_choice("method at branches", method,
                    [name for name, what in METHODS.items() if not what.needs_slope])
        read_count("n_branches", n_branches)
    least = 2 if n_branches is None and method == "leave-one-out" else 1
    n = least if n_episodes is None else read_count("n_episodes", n_episodes, least=least)
    size, rng = read_size(size), read_rng(rng)
    shape, n_sets = (*size, policies.n_runs), math.prod(size)
    if n_sets == 0:
        return PolicyEstimate(np.zeros((*shape, policies.weights.shape[1])), np.zeros(shape), 0)
    owner = np.repeat(np.arange(n_sets * policies.n_runs), n)
    run = owner % policies.n_runs
    states, left = world.start(len(owner), rng=rng), np.full(len(owner), world.horizon)
    total, steps, visits = _play(world, policies, states, run, left, rng, keep=True)
    if n_branches is None:
        paid = np.zeros((len(owner), visits.time.max() + 1))
        paid[visits.episode, visits.time] = visits.rewards
        later = np.cumsum(paid[:, ::-1], axis=1)[:, ::-1]
        if not to_go:
            later = np.broadcast_to(total[:, None], paid.shape)
        if method == "leave-one-out":
            groups = later.reshape(-1, n, paid.shape[1])
            later = ((groups - groups.mean(axis=1, keepdims=True)) * (n / (n - 1))).reshape(paid.shape)
        weights = later[visits.episode, visits.time]
        slopes = -softmax(visits.logits) * weights[:, None]
        slopes[np.arange(len(weights)), visits.actions] += weights
    else:
        visits, share = _choose(visits, len(owner), n_branches, rng)
        spent = [0]

        def value(z, problem):
            asked = np.bincount(problem, minlength=len(visits.time))[problem]
            needed = asked > (1 if method in ("ars", "arsm") else 0)
            found, at = np.zeros(len(problem)), problem[needed]
            found[needed], more, _ = _play(
                world, policies, visits.states[at], run[visits.episode[at]],
                world.horizon - visits.time[at], rng, first=z[needed, 0])
            spent[0] += more
            return found

        slopes = categorical_gradient(value, visits.logits[:, None], method=method, n_samples=n_samples,
                                      rng=rng).gradient[:, 0] * share[:, None]
        steps += spent[0]
    gradient = policies.pull(visits.seen, slopes / n, owner[visits.episode], n_sets)
    return PolicyEstimate(gradient.reshape(*shape, -1), total.reshape(*shape, n).mean(axis=-1), steps)


def _choose(visits, n_episodes, n_branches, rng):
    """So many visits of each episode, without replacement, and for how many visits each of them stands."""
    key = rng.random(len(visits.time))
    order = np.lexsort((key, visits.episode))
    length = np.bincount(visits.episode, minlength=n_episodes)
    rank = np.arange(len(order)) - np.repeat(np.cumsum(length) - length, length)
    kept = np.sort(order[rank < n_branches])
    chosen = _Visits(*(one[kept] for one in visits))
    length = length[chosen.episode]
    return chosen, length / np.minimum(length, n_branches)


# --- Learning ---------------------------------------------------------------------------------


def learn_policies(world, *, steps, n_runs=10, hidden=(10, 10), lr=0.03, rng=None, **options) -> Trained:
    """Let policies learn by gradient ascent with Adam, each from its own episodes.

    Parameters
    ----------
    world : object
    steps, n_runs : int
        Updates, and policies side by side.
    hidden : tuple of int
    lr : float
        Of Adam.
    rng : None, int or numpy.random.Generator
    **options
        The method and other arguments of `policy_estimate`, without `size`: an update is made with the mean
        of two estimates.

    Returns
    -------
    Trained
        The `Policies`, and for each update: ``return``, shape (steps, n_runs), the mean return of its
        episodes; ``variance``, of that shape, an estimate of the variance of the gradient that was used,
        summed over the weights, a quarter of the squared distance of the two estimates; ``world_steps``,
        shape (steps,), steps in the world until then, of one run in the mean.

    Raises
    ------
    TypeError, ValueError
        As `policy_estimate`; a number of things is less than 1; there is a `size`.

    References
    ----------
    D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR (2015).

    Examples
    --------
    >>> from softmaxnotes.experiments.choices.policies import FiniteWorld
    >>> from softmaxnotes.gradients import DecisionProcess
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 5)
    >>> _, record = learn_policies(coin, steps=150, n_runs=3, hidden=(), method="leave-one-out", rng=0)
    >>> bool((record["return"][-20:].mean(axis=0) > 4.5).all())
    True
    """
    if "size" in options:
        raise TypeError("expected no size, as an update is made of two estimates, "
                        f"got size={options['size']!r}")
    rng, steps = read_rng(rng), read_count("steps", steps)
    n_features = world.observe(world.start(1, rng=rng)).shape[1]
    policies = Policies(n_features, world.n_actions, hidden=hidden, n_runs=n_runs, rng=rng)
    mean = square = np.zeros_like(policies.weights)
    returns, variance, spent = [], [], []
    for step in range(1, steps + 1):
        found = policy_estimate(world, policies, size=2, rng=rng, **options)
        g = found.gradient.mean(axis=0)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
        up = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        policies.weights = policies.weights + lr * up
        returns.append(found.returns.mean(axis=0))
        variance.append(((found.gradient[0] - found.gradient[1]) ** 2).sum(axis=-1) / 4)
        spent.append(found.n_steps / n_runs)
    return Trained(policies, {"return": np.array(returns), "variance": np.array(variance),
                              "world_steps": np.cumsum(spent)})
