r"""Policies that choose a sequence of actions: estimates of the gradient of their mean return.

A policy draws the action :math:`a_t` from a softmax whose logits are a function of the state :math:`s_t`, and
the world draws the next state and pays. `policy_estimate` estimates the gradient of the mean of the sum of
the rewards by each of the estimators of `softmaxnotes.choices.categorical_gradient` that ask for values, and
counts what they cost: steps in the world.

A *world* is an object with a number ``n_actions``, a number ``horizon``, and three methods that do many
episodes at once: ``start(n, rng)`` returns n states, an array with n rows; ``observe(states)`` what a policy
sees of them, shape (n, p); ``step(states, actions, rng)`` the next states, the rewards, shape (n,), and
whether the episodes are over. All that happens later may depend on the state only, so that an episode may be
gone on with from any state, twice. There are `CartPole` and `Acrobot`, whose equations of motion are those of
gymnasium, for many carts at once; `FiniteWorld`, whose gradient is known; and `GymWorld`, which acts in any
world of gymnasium that has a number of actions, such as LunarLander.
"""

import math
from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import read_count
from softmaxnotes.choices.estimators import METHODS, categorical_gradient
from softmaxnotes.gradients.score_function import DecisionProcess
from softmaxnotes.softmax import softmax

__all__ = ["Acrobot", "CartPole", "FiniteWorld", "GymWorld", "Policies", "PolicyEstimate", "PolicyRuns",
           "learn_policies", "policy_estimate"]

# --- Worlds ----------------------------------------------------------------------------------


class CartPole(NamedTuple):
    """A pole on a cart, pushed to the left or to the right: 1 for each step until it falls.

    The equations and numbers are those of ``CartPole-v1`` in gymnasium, whose horizon is 500.

    Attributes
    ----------
    horizon : int
        An episode ends after so many steps at the latest.

    References
    ----------
    A. G. Barto, R. S. Sutton and C. W. Anderson, "Neuronlike adaptive elements that can solve difficult
    learning control problems", IEEE Transactions on Systems, Man, and Cybernetics 13 (1983) 834-846.

    Examples
    --------
    >>> world = CartPole()
    >>> state, paid, over = world.step(np.zeros((1, 4)), np.array([1]), None)
    >>> state.round(4).tolist(), paid, over  # position, speed, angle, angular speed
    ([[0.0, 0.1951, 0.0, -0.2927]], array([1.]), array([False]))
    """

    horizon: int = 200
    n_actions = 2

    def start(self, n, rng):
        return rng.uniform(-0.05, 0.05, (n, 4))

    def observe(self, states):
        return states / (2.4, 2.0, 0.21, 2.0)  # of the order of 1

    def step(self, states, actions, rng):
        x, v, angle, turn = states.T
        sin, cos = np.sin(angle), np.cos(angle)
        pull = (np.where(actions == 1, 10.0, -10.0) + 0.05 * turn**2 * sin) / 1.1
        bend = (9.8 * sin - cos * pull) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
        push = pull - 0.05 * bend * cos / 1.1
        after = np.stack([x + 0.02 * v, v + 0.02 * push, angle + 0.02 * turn, turn + 0.02 * bend], axis=1)
        over = (np.abs(after[:, 0]) > 2.4) | (np.abs(after[:, 2]) > 12 * 2 * math.pi / 360)
        return after, np.ones(len(states)), over


class Acrobot(NamedTuple):
    """Two links that hang, with a torque of -1, 0 or 1 between them: -1 for each step until the tip is up.

    The equations and numbers are those of ``Acrobot-v1`` in gymnasium (horizon 500), for a `hold` of 1.

    Attributes
    ----------
    horizon : int
        An episode ends after so many actions at the latest.
    hold : int
        For how many steps the torque of an action is applied, or until the tip is up.

    Examples
    --------
    >>> state, paid, over = Acrobot().step(np.zeros((1, 4)), np.array([2]), None)
    >>> state.round(3).tolist(), paid, over  # two angles, two angular speeds
    ([[-0.013, 0.034, -0.129, 0.335]], array([-1.]), array([False]))
    """

    horizon: int = 500
    hold: int = 1
    n_actions = 3

    def start(self, n, rng):
        return rng.uniform(-0.1, 0.1, (n, 4))

    def observe(self, states):
        a, b, u, v = states.T
        return np.stack([np.cos(a), np.sin(a), np.cos(b), np.sin(b), u / 4, v / 9], axis=1)

    def step(self, states, actions, rng):
        torque, over, paid = actions - 1.0, np.zeros(len(states), bool), np.zeros(len(states))
        for _ in range(self.hold):
            after = self._move(states.T, torque)
            states = np.where(over[:, None], states, after)
            over = -np.cos(states[:, 0]) - np.cos(states[:, 0] + states[:, 1]) > 1
            paid -= ~over
        return states, paid, over

    def _move(self, now, torque, h=0.2):
        def slope(s):
            a, b, u, v = s
            sin, cos = np.sin(b), np.cos(b)
            inertia, both = 3.5 + cos, 1.25 + 0.5 * cos
            weight = 4.9 * np.sin(a + b)
            force = -0.5 * v**2 * sin - v * u * sin + 14.7 * np.sin(a) + weight
            pull = torque + both / inertia * force - 0.5 * u**2 * sin - weight
            second = pull / (1.25 - both**2 / inertia)
            return np.stack([u, v, -(both * second + force) / inertia, second])

        k1 = slope(now)
        k2 = slope(now + h / 2 * k1)
        k3 = slope(now + h / 2 * k2)
        a, b, u, v = now + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(now + h * k3))
        a, b = (x - 2 * math.pi * np.round(x / (2 * math.pi)) for x in (a, b))
        u, v = np.clip(u, -4 * math.pi, 4 * math.pi), np.clip(v, -9 * math.pi, 9 * math.pi)
        return np.stack([a, b, u, v], axis=1)


class FiniteWorld(NamedTuple):
    """A decision process with finitely many states, of which a policy sees the number.

    Its gradient is known: `softmaxnotes.gradients.policy_gradient`.

    Attributes
    ----------
    process : DecisionProcess
    horizon : int

    Examples
    --------
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 3)
    >>> coin.step(coin.start(2, np.random.default_rng(0)), np.array([0, 1]), np.random.default_rng(0))[1]
    array([0., 1.])
    """

    process: DecisionProcess
    horizon: int

    @property
    def n_actions(self):
        return np.shape(self.process.reward)[1]

    def start(self, n, rng):
        law = np.asarray(self.process.start, float)
        return _draw(np.broadcast_to(law, (n, len(law))), rng)

    def observe(self, states):
        return np.eye(len(self.process.start))[states]

    def step(self, states, actions, rng):
        after = _draw(np.asarray(self.process.transition, float)[states, actions], rng)
        return after, np.asarray(self.process.reward, float)[states, actions], np.zeros(len(states), bool)


def _draw(law, rng):
    return np.minimum((np.cumsum(law, axis=1) < rng.random((len(law), 1))).sum(axis=1), law.shape[1] - 1)


class GymWorld:
    """A world of gymnasium in which there is a number of actions, one episode after the other.

    A state is the seed of an episode and the actions up to now; where an episode is gone on with from a
    state for the second time, the actions are made anew from the seed, and `replayed` counts these steps.

    Parameters
    ----------
    name : str
        Such as ``"LunarLander-v3"``, which needs Box2D: ``pip install "gymnasium[box2d]"``.
    horizon : int
        An episode ends after so many steps at the latest.

    Raises
    ------
    ImportError
        A package that this world needs isn't installed.
    ValueError
        There is no such world, or its actions aren't numbered.

    Examples
    --------
    >>> world = GymWorld("CartPole-v1", 10)
    >>> after, paid, over = world.step(world.start(2, np.random.default_rng(0)), np.array([0, 1]), None)
    >>> world.observe(after).shape, paid
    ((2, 4), array([1., 1.]))
    """

    def __init__(self, name, horizon):
        import gymnasium

        self.name, self.horizon = name, read_count("horizon", horizon)
        self._make = lambda: gymnasium.make(name, disable_env_checker=True,
                                            max_episode_steps=self.horizon + 1)
        try:
            first = self._make()
        except gymnasium.error.DependencyNotInstalled as error:
            raise ImportError(f"the world {name!r} needs a package that isn't installed: {error}") from error
        except gymnasium.error.Error as error:
            raise ValueError(f"expected the name of a world of gymnasium, got {name!r}: {error}") from error
        if not hasattr(first.action_space, "n"):
            raise ValueError("expected a world with a number of actions, "
                             f"and {name!r} has {first.action_space}")
        self.n_actions, self.replayed = int(first.action_space.n), 0
        self._idle, self._open = [first], {}

    def start(self, n, rng):
        states = np.full((n, self.horizon + 1), -1)
        states[:, 0] = rng.integers(2**31, size=n)
        return states

    def _at(self, state):
        """The world in this state, and what is seen."""
        key = state.tobytes()
        if key in self._open:
            return self._open.pop(key)
        while len(self._open) > 64:
            self._idle.append(self._open.pop(next(iter(self._open)))[0])
        world = self._idle.pop() if self._idle else self._make()
        seen, _ = world.reset(seed=int(state[0]))
        for action in state[1:][state[1:] >= 0]:
            seen = world.step(int(action))[0]
            self.replayed += 1
        return world, seen

    def observe(self, states):
        seen = []
        for state in states:
            self._open[state.tobytes()] = self._at(state)
            seen.append(np.ravel(self._open[state.tobytes()][1]))
        return np.array(seen, float)

    def step(self, states, actions, rng):
        after, paid, over = states.copy(), [], []
        for state, action in zip(after, actions):
            world, _ = self._at(state)
            seen, reward, end, _, _ = world.step(int(action))
            state[1 + np.count_nonzero(state[1:] >= 0)] = action
            paid.append(reward)
            over.append(end)
            if end:
                self._idle.append(world)
            else:
                self._open[state.tobytes()] = world, seen
        return after, np.array(paid, float), np.array(over, bool)


# --- Policies, many side by side -------------------------------------------------------------


class Policies:
    """Networks with units max(0, x), many of them side by side, from what is seen to logits.

    Parameters
    ----------
    n_features, n_actions : int
    hidden : tuple of int
        Units of the layers between; without any, logits are linear in what is seen.
    runs : int
        How many networks.
    rng : None, int or numpy.random.Generator
        For the weights at the start, which are uniform up to one over the root of the number of inputs; the
        last layer starts at zero, so that all actions are equally probable.

    Attributes
    ----------
    weights : ndarray, shape (runs, P)
        Those of one network in each row.

    Examples
    --------
    >>> two = Policies(4, 2, hidden=(3,), runs=2, rng=0)
    >>> two.weights.shape, two.logits(np.ones((3, 4)), [0, 1, 1])
    ((2, 23), array([[0., 0.],
           [0., 0.],
           [0., 0.]]))
    """

    def __init__(self, n_features, n_actions, *, hidden=(10, 10), runs=1, rng=None):
        rng, sizes = np.random.default_rng(rng), (n_features, *hidden, n_actions)
        self.shapes = [(a + 1, b) for a, b in zip(sizes, sizes[1:])]  # the last row is added
        self.runs = read_count("runs", runs)
        layers = [rng.uniform(-1, 1, (runs, a, b)) / math.sqrt(a - 1) for a, b in self.shapes]
        layers[-1][:] = 0
        self.weights = np.concatenate([one.reshape(runs, -1) for one in layers], axis=1)

    def _layers(self, weights):
        ends = np.cumsum([a * b for a, b in self.shapes])[:-1]
        return [one.reshape(-1, *shape) for one, shape in zip(np.split(weights, ends, axis=1), self.shapes)]

    def logits(self, seen, run):
        """Of rows (N, p), each of the network with its number: shape (N, A)."""
        place, table = _side_by_side(run, self.runs)
        x = seen[table]
        for k, layer in enumerate(self._layers(self.weights)):
            x = (np.maximum(x, 0) if k else x) @ layer[:, :-1] + layer[:, -1:]
        return x[place]

    def pull(self, seen, slopes, owner, copies=1):
        """Sum over the rows of their slopes by the weights, for each owner: shape (copies, runs, P).

        The owner o has the network of number ``o % runs``; ``slopes`` are those by the logits, (N, A).
        """
        place, table = _side_by_side(owner, copies * self.runs)
        back = np.zeros((*table.shape, slopes.shape[1]))
        back[place] = slopes
        layers = self._layers(np.tile(self.weights, (copies, 1)))
        inputs = [seen[table]]
        for k, layer in enumerate(layers[:-1]):
            inputs.append(np.maximum(inputs[-1] @ layer[:, :-1] + layer[:, -1:], 0))
        found = []
        for x, layer in zip(reversed(inputs), reversed(layers)):
            by_layer = x.transpose(0, 2, 1) @ back, back.sum(axis=1, keepdims=True)
            found.append(np.concatenate(by_layer, axis=1))
            back = (back @ layer[:, :-1].transpose(0, 2, 1)) * (x > 0)
        flat = [one.reshape(len(one), -1) for one in reversed(found)]
        return np.concatenate(flat, axis=1).reshape(copies, self.runs, -1)


def _side_by_side(owner, count):
    """Where each row stands in a table with a line for each owner, and which row stands where."""
    owner = np.asarray(owner, np.intp)
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=count)
    rank = np.empty(len(owner), np.intp)
    rank[order] = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    table = np.zeros((count, sizes.max(initial=0)), np.intp)
    table[owner, rank] = np.arange(len(owner))
    return (owner, rank), table


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
        after, rewards, over = world.step(states, actions, rng)
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
    gradient : ndarray, shape (size, runs, P)
        By the weights of each of the policies.
    returns : ndarray, shape (size, runs)
        Mean return of the episodes from the start.
    n_steps : int
        Steps in the world, of all episodes together.
    """

    gradient: np.ndarray
    returns: np.ndarray
    n_steps: int


def policy_estimate(world, policies, *, method="reinforce", n_episodes=None, branches=None, n_samples=None,
                    to_go=True, size=1, rng=None):
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
    branches : int or None
        At how many states of each episode, drawn without replacement; all if it has fewer.
    n_samples : int or None
        Actions that are drawn there, of the methods that draw more than one.
    to_go : bool
        Whether an action gets the rewards after it, or all rewards of the episode; without branches.
    size : int
        How many estimates, independent of each other.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    PolicyEstimate

    Raises
    ------
    TypeError
        A count isn't an integer.
    ValueError
        There is no such method, or not with or without branches; a count is too small; "leave-one-out" has
        one episode.

    Notes
    -----
    All are unbiased. At an episode's branches "ars" and "arsm" need no episode where no swap changes the
    action: what all swaps have in common drops out.

    Implements: eq-to-go, eq-branch

    Examples
    --------
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 2)
    >>> table = Policies(1, 2, hidden=(), rng=0)
    >>> found = policy_estimate(coin, table, method="arsm", branches=2, size=9999, rng=0)
    >>> found.gradient.mean(axis=(0, 1))[:2].round(2)  # exactly -1/2 and 1/2
    array([-0.5,  0.5])
    """
    if branches is None and method not in ("reinforce", "leave-one-out"):
        raise ValueError(f'expected "reinforce" or "leave-one-out" without branches, got {method!r}')
    if branches is not None and (method not in METHODS or METHODS[method].needs_slope):
        raise ValueError(f"expected a method that asks for values, got {method!r}")
    least = 2 if branches is None and method == "leave-one-out" else 1
    n = least if n_episodes is None else read_count("n_episodes", n_episodes, least=least)
    size, rng = read_count("size", size), np.random.default_rng(rng)
    owner = np.repeat(np.arange(size * policies.runs), n)
    run = owner % policies.runs
    states, left = world.start(len(owner), rng), np.full(len(owner), world.horizon)
    total, steps, visits = _play(world, policies, states, run, left, rng, keep=True)
    if branches is None:
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
        visits, share = _choose(visits, len(owner), read_count("branches", branches), rng)
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
    gradient = policies.pull(visits.seen, slopes / n, owner[visits.episode], size)
    return PolicyEstimate(gradient, total.reshape(size, policies.runs, n).mean(axis=-1), steps)


def _choose(visits, n_episodes, branches, rng):
    """So many visits of each episode, without replacement, and for how many visits each of them stands."""
    key = rng.random(len(visits.time))
    order = np.lexsort((key, visits.episode))
    length = np.bincount(visits.episode, minlength=n_episodes)
    rank = np.arange(len(order)) - np.repeat(np.cumsum(length) - length, length)
    kept = np.sort(order[rank < branches])
    chosen = _Visits(*(one[kept] for one in visits))
    length = length[chosen.episode]
    return chosen, length / np.minimum(length, branches)


# --- Learning ---------------------------------------------------------------------------------


class PolicyRuns(NamedTuple):
    """What happened while policies learned, side by side.

    Attributes
    ----------
    returns : ndarray, shape (updates, runs)
        Mean return of the episodes of an update.
    variance : ndarray, shape (updates, runs)
        Estimate of the variance of the gradient that was used, summed over the weights: a quarter of the
        squared distance of two estimates whose mean that is.
    steps : ndarray, shape (updates,)
        Steps in the world until then, of one run in the mean.
    policies : Policies
        At the end.
    """

    returns: np.ndarray
    variance: np.ndarray
    steps: np.ndarray
    policies: Policies


def learn_policies(world, *, n_updates, runs=10, hidden=(10, 10), learning_rate=0.03, rng=None, **options):
    """Let policies learn by gradient ascent with Adam, each from its own episodes.

    Parameters
    ----------
    world : object
    n_updates, runs : int
    hidden : tuple of int
    learning_rate : float
    rng : None, int or numpy.random.Generator
    **options
        The method and other arguments of `policy_estimate`, without `size`: an update is made with the mean
        of two estimates.

    Returns
    -------
    PolicyRuns

    Raises
    ------
    TypeError, ValueError
        As `policy_estimate`; a count is less than 1.

    References
    ----------
    D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR (2015).

    Examples
    --------
    >>> coin = FiniteWorld(DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]]), 5)
    >>> found = learn_policies(coin, n_updates=150, runs=3, hidden=(), method="leave-one-out", rng=0)
    >>> bool((found.returns[-20:].mean(axis=0) > 4.5).all())
    True
    """
    rng, n_updates = np.random.default_rng(rng), read_count("n_updates", n_updates)
    n_features = world.observe(world.start(1, rng)).shape[1]
    policies = Policies(n_features, world.n_actions, hidden=hidden, runs=runs, rng=rng)
    mean = square = np.zeros_like(policies.weights)
    returns, variance, steps = [], [], []
    for step in range(1, n_updates + 1):
        found = policy_estimate(world, policies, size=2, rng=rng, **options)
        g = found.gradient.mean(axis=0)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
        up = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        policies.weights = policies.weights + learning_rate * up
        returns.append(found.returns.mean(axis=0))
        variance.append(((found.gradient[0] - found.gradient[1]) ** 2).sum(axis=-1) / 4)
        steps.append(found.n_steps / policies.runs)
    return PolicyRuns(np.array(returns), np.array(variance), np.cumsum(steps), policies)
