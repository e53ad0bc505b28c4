"""Gradients of mean returns, by episodes, and policies that learn with them."""

import math
from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import read_choice, read_count, read_number, read_rng, read_size
from softmaxnotes.rewards.estimators import METHODS, categorical_gradient
from softmaxnotes.softmax import softmax
from softmaxnotes.training import Trained

from .networks import Adam, Policies

__all__ = ["PolicyEstimate", "learn_policies", "policy_estimate"]

# --- Episodes ---------------------------------------------------------------------------------


class _Visits(NamedTuple):
    """All steps of some episodes, one in each row."""

    episode: np.ndarray
    time: np.ndarray
    states: np.ndarray
    seen: np.ndarray
    logits: np.ndarray
    waits: np.ndarray  # exponential numbers of the race that has chosen the action
    actions: np.ndarray
    rewards: np.ndarray


def _play(world, policies, states, run, left, rng, first=None, keep=False, discount=1.0):
    """Episodes from states, with at most `left` steps: sums of rewards, number of steps, and visits."""
    alive, total, steps, kept, t = np.arange(len(states)), np.zeros(len(states)), 0, [], 0
    while alive.size:
        seen = world.observe(states)
        if t == 0 and first is not None:
            logits, waits, actions = None, None, first
        else:
            logits = policies.logits(seen, run[alive])
            waits = rng.standard_exponential(logits.shape)
            actions = (logits - np.log(waits)).argmax(axis=1)
        after, rewards, over = world.step(states, actions, rng=rng)
        total[alive] += discount**t * rewards
        steps += len(alive)
        if keep:
            kept.append(_Visits(alive, np.full(len(alive), t), states, seen, logits, waits, actions, rewards))
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
                    to_go=True, discount=1.0, baseline=None, size=None, rng=None):
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
        episode, where the value of an action is the return of an episode that goes on from there. That of
        the action which the episode took is its own return; and the race that has chosen this action is that
        of the first draw.
    n_episodes : int or None
        Episodes from the start; `None` is 2 for "leave-one-out" without branches, else 1.
    n_branches : int or None
        At how many states of each episode, drawn without replacement; all if it has fewer.
    n_samples : int or None
        Actions that are drawn there, of the methods that draw more than one.
    to_go : bool
        Whether an action gets the rewards after it, or all rewards of the episode; without branches.
    discount : float
        What a reward counts for an action, if it comes a step later: counted from the action on, as most
        programs do. With less than 1 that is no gradient of the mean return, nor of the discounted one.
    baseline : TimeAverage, ValueNetwork or None
        For "reinforce" without branches: what is taken off the rewards to go, and is then told them.
    size : int, tuple of int or None
        How many estimates, independent of each other but for the baseline; `None` is one, without an axis.
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
        episode for "leave-one-out"; the discount isn't between 0 and 1; there is a baseline for branches, for
        another method than "reinforce", or for the whole return.

    Notes
    -----
    All are unbiased, for a discount of 1. Given the action that was taken, what comes later knows nothing of
    the race that chose it, so the return that was seen has the right mean, and costs nothing. It is the
    return of this action only: to run another race, and pay it to the winner of that one, would be a bias.
    Where no swap changes the action, "ars" and "arsm" need no further episode.

    Implements: eq-to-go, eq-branch, eq-own-return

    Examples
    --------
    >>> from softmaxnotes.experiments.rewards.policies import FiniteWorld
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
    if baseline is not None and (method, n_branches, to_go) != ("reinforce", None, True):
        raise ValueError("expected a baseline for 'reinforce' without branches and with rewards to go only, "
                         f"got {baseline!r}")
    if not 0 <= read_number("discount", discount) <= 1:
        raise ValueError(f"expected discount from 0 to 1, got {discount!r}")
    size, rng = read_size(size), read_rng(rng)
    shape, n_sets = (*size, policies.n_runs), math.prod(size)
    if n_sets == 0:
        return PolicyEstimate(np.zeros((*shape, policies.weights.shape[1])), np.zeros(shape), 0)
    owner = np.repeat(np.arange(n_sets * policies.n_runs), n)
    run = owner % policies.n_runs
    states, left = world.start(len(owner), rng=rng), np.full(len(owner), world.horizon)
    total, steps, visits = _play(world, policies, states, run, left, rng, keep=True)
    later = _to_go(visits, len(owner), discount)
    if n_branches is None:
        paid = later if to_go else np.broadcast_to(total[:, None], later.shape)
        weights = _weights(visits, paid, method, n)
        if baseline is not None:
            of = visits.seen, visits.time, run[visits.episode]
            weights = weights - baseline.value(*of)
            baseline.update(*of, later[visits.episode, visits.time])
        slopes = -softmax(visits.logits) * weights[:, None]
        slopes[np.arange(len(weights)), visits.actions] += weights
    else:
        visits, share = _choose(visits, len(owner), n_branches, rng)
        spent = [0]

        def value(z, problem):
            """The return that the episode had, of the action that it took; of others one is played for."""
            found = later[visits.episode, visits.time][problem]
            needed = z[:, 0] != visits.actions[problem]
            at = problem[needed]
            found[needed], more, _ = _play(
                world, policies, visits.states[at], run[visits.episode[at]],
                world.horizon - visits.time[at], rng, first=z[needed, 0], discount=discount)
            spent[0] += more
            return found

        race = None if method in ("exact", "unordered set") else visits.waits[:, None]
        slopes = categorical_gradient(value, visits.logits[:, None], method=method, n_samples=n_samples,
                                      race=race, rng=rng).gradient[:, 0] * share[:, None]
        steps += spent[0]
    gradient = policies.pull(visits.seen, slopes / n, owner[visits.episode], n_sets)
    return PolicyEstimate(gradient.reshape(*shape, -1), total.reshape(*shape, n).mean(axis=-1), steps)


def _to_go(visits, n_episodes, discount):
    """What was paid from each step of each episode on, shape (n_episodes, T); 0 after its end."""
    later = np.zeros((n_episodes, visits.time.max() + 1))
    later[visits.episode, visits.time] = visits.rewards
    for t in reversed(range(later.shape[1] - 1)):
        later[:, t] += discount * later[:, t + 1]
    return later


def _weights(visits, later, method, n):
    """By what each score is multiplied, before a baseline is taken off."""
    if method == "leave-one-out":
        groups = later.reshape(-1, n, later.shape[1])
        later = ((groups - groups.mean(axis=1, keepdims=True)) * (n / (n - 1))).reshape(later.shape)
    return later[visits.episode, visits.time]


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


def learn_policies(world, *, steps=None, budget=None, n_runs=10, hidden=(10, 10), lr=0.03, rng=None,
                   **options) -> Trained:
    """Let policies learn by gradient ascent with Adam, each from its own episodes.

    Parameters
    ----------
    world : object
    steps : int or None
        Updates.
    budget : float or None
        Instead of `steps`: the last update is the one that has used up so many steps in the world, of one run
        in the mean.
    n_runs : int
        Policies side by side.
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
        As `policy_estimate`; a number of things is less than 1; there is a `size`; there are both `steps` and
        a `budget`, or neither.

    Examples
    --------
    >>> from softmaxnotes.experiments.rewards.policies import FiniteWorld
    >>> from softmaxnotes.gradients import DecisionProcess
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 5)
    >>> _, record = learn_policies(coin, steps=150, n_runs=3, hidden=(), method="leave-one-out", rng=0)
    >>> bool((record["return"][-20:].mean(axis=0) > 4.5).all())
    True
    """
    if "size" in options:
        raise TypeError("expected no size, as an update is made of two estimates, "
                        f"got size={options['size']!r}")
    if (steps is None) == (budget is None):
        raise ValueError(f"expected either steps or a budget, got steps={steps!r} and budget={budget!r}")
    most = math.inf if steps is None else read_count("steps", steps)
    enough = math.inf if budget is None else read_number("budget", budget, positive=True)
    rng = read_rng(rng)
    n_features = world.observe(world.start(1, rng=rng)).shape[1]
    policies = Policies(n_features, world.n_actions, hidden=hidden, n_runs=n_runs, rng=rng)
    adam, returns, variance, spent = Adam(policies, lr=lr), [], [], [0.0]
    while len(returns) < most and spent[-1] < enough:
        found = policy_estimate(world, policies, size=2, rng=rng, **options)
        adam.climb(found.gradient.mean(axis=0))
        returns.append(found.returns.mean(axis=0))
        variance.append(((found.gradient[0] - found.gradient[1]) ** 2).sum(axis=-1) / 4)
        spent.append(spent[-1] + found.n_steps / n_runs)
    return Trained(policies, {"return": np.array(returns), "variance": np.array(variance),
                              "world_steps": np.array(spent[1:])})
