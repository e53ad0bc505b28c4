"""Worlds in which a policy acts, many episodes at once.

A *world* is an object with a number ``n_actions``, a number ``horizon``, and three methods:
``start(n, rng=rng)`` returns n states, an array with n rows; ``observe(states)`` what a policy sees of them,
shape (n, p); ``step(states, actions, rng=rng)`` the next states, the rewards, shape (n,), and whether the
episodes are over. All that happens later may depend on the state only, so that an episode may be gone on with
from any state, twice. There are `CartPole` and `Acrobot`, whose equations of motion are those of gymnasium,
for many carts at once; `FiniteWorld`, whose gradient is known; and `GymWorld`, which acts in any world of
gymnasium that has a number of actions, such as LunarLander.
"""

import math
from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import read_count, read_rng
from softmaxnotes.gradients.score_function import DecisionProcess

__all__ = ["Acrobot", "CartPole", "FiniteWorld", "GymWorld"]


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
    >>> state, paid, over = world.step(np.zeros((1, 4)), np.array([1]))
    >>> state.round(4).tolist(), paid, over  # position, speed, angle, angular speed
    ([[0.0, 0.1951, 0.0, -0.2927]], array([1.]), array([False]))
    """

    horizon: int = 200
    n_actions = 2

    def start(self, n, *, rng=None):
        return read_rng(rng).uniform(-0.05, 0.05, (n, 4))

    def observe(self, states):
        return states / (2.4, 2.0, 0.21, 2.0)  # of the order of 1

    def step(self, states, actions, *, rng=None):
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
    >>> state, paid, over = Acrobot().step(np.zeros((1, 4)), np.array([2]))
    >>> state.round(3).tolist(), paid, over  # two angles, two angular speeds
    ([[-0.013, 0.034, -0.129, 0.335]], array([-1.]), array([False]))
    """

    horizon: int = 500
    hold: int = 1
    n_actions = 3

    def start(self, n, *, rng=None):
        return read_rng(rng).uniform(-0.1, 0.1, (n, 4))

    def observe(self, states):
        a, b, u, v = states.T
        return np.stack([np.cos(a), np.sin(a), np.cos(b), np.sin(b), u / 4, v / 9], axis=1)

    def step(self, states, actions, *, rng=None):
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
    >>> coin.step(coin.start(2, rng=0), np.array([0, 1]), rng=0)[1]
    array([0., 1.])
    """

    process: DecisionProcess
    horizon: int

    @property
    def n_actions(self):
        return np.shape(self.process.reward)[1]

    def start(self, n, *, rng=None):
        law = np.asarray(self.process.start, float)
        return _draw(np.broadcast_to(law, (n, len(law))), read_rng(rng))

    def observe(self, states):
        return np.eye(len(self.process.start))[states]

    def step(self, states, actions, *, rng=None):
        after = _draw(np.asarray(self.process.transition, float)[states, actions], read_rng(rng))
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
    >>> after, paid, over = world.step(world.start(2, rng=0), np.array([0, 1]))
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
            raise ValueError(f"expected a world whose actions are numbered, got {name!r} with "
                             f"{first.action_space}")
        self.n_actions, self.replayed = int(first.action_space.n), 0
        self._idle, self._open = [first], {}

    def start(self, n, *, rng=None):
        states = np.full((n, self.horizon + 1), -1)
        states[:, 0] = read_rng(rng).integers(2**31, size=n)
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

    def step(self, states, actions, *, rng=None):
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
