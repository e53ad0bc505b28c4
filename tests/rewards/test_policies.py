"""softmaxnotes.experiments.rewards.policies: worlds as in gymnasium, gradients as by enumeration."""

import builtins
import itertools

import gymnasium
import numpy as np
import pytest

from softmaxnotes.experiments.rewards.arsm import swap_quadrature, swapped_actions
from softmaxnotes.experiments.rewards.policies import (
    Acrobot,
    CartPole,
    FiniteWorld,
    GymWorld,
    Policies,
    TimeAverage,
    ValueNetwork,
    learn_policies,
    learning,
    policy_estimate,
    races,
)
from softmaxnotes.experiments.rewards.policies.learning import _choose, _Visits
from softmaxnotes.experiments.rewards.policies.networks import side_by_side
from softmaxnotes.gradients import DecisionProcess, all_paths, path_scores, policy_gradient
from softmaxnotes.softmax import softmax

PROCESS = DecisionProcess(np.array([0.7, 0.3]), np.array([[[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]],
                                                          [[0.1, 0.9], [0.6, 0.4], [0.0, 1.0]]]),
                          np.array([[1.0, 0, -1], [0, 1, 4]]))
LOGITS = np.log([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]])


PLACE = DecisionProcess(np.array([1.0, 0.0]), np.array([[[1, 0], [0.2, 0.8], [0.5, 0.5]],
                                                        [[0.1, 0.9], [0, 1], [0, 1]]]),
                        np.array([[1.0, 0, 0], [0, 1, 5]]))


def table_of(logits):
    found = Policies(len(logits), len(logits[0]), hidden=(), rng=0)
    found.weights[:, :logits.size] = logits.ravel()
    return found


@pytest.mark.parametrize(("name", "world"), [("CartPole-v1", CartPole()), ("Acrobot-v1", Acrobot())])
def test_worlds_move_as_those_of_gymnasium(name, world):
    other, rng = gymnasium.make(name).unwrapped, np.random.default_rng(0)
    assert world.n_actions == other.action_space.n
    for seed in range(3):
        other.reset(seed=seed)
        for _ in range(60):
            state, action = np.array([other.state], float), rng.integers(world.n_actions, size=1)
            after, paid, over = world.step(np.repeat(state, 2, axis=0), np.repeat(action, 2))
            _, reward, end, _, _ = other.step(int(action[0]))
            np.testing.assert_allclose(after, np.tile(other.state, (2, 1)), rtol=0, atol=1e-13)
            assert (paid == reward).all() and (over == end).all()
            if end:
                break


def test_swinging_up_ends_an_episode_of_acrobot():
    state = np.array([[3.1, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    _, paid, over = Acrobot(hold=3).step(state, np.array([1, 1]))
    assert over.tolist() == [True, False] and paid.tolist() == [0.0, -3.0]


def test_torques_are_held():
    state = np.random.default_rng(0).uniform(-0.1, 0.1, (4, 4))
    once = state
    for _ in range(3):
        once = Acrobot().step(once, np.array([0, 1, 2, 2]))[0]
    np.testing.assert_array_equal(Acrobot(hold=3).step(state, np.array([0, 1, 2, 2]))[0], once)


@pytest.mark.parametrize("options", [
    {"to_go": False}, {}, {"method": "leave-one-out", "n_episodes": 3}, {"method": "arsm", "n_branches": 2},
    {"method": "arsm", "n_branches": 9, "n_episodes": 2}, {"method": "ars", "n_branches": 2},
    {"method": "ar", "n_branches": 2}, {"method": "leave-one-out", "n_branches": 1},
    {"method": "unordered set", "n_branches": 3}, {"method": "exact", "n_branches": 1},
    {"method": "reinforce", "n_branches": 3, "n_samples": 2},
])
def test_unbiased(options):
    world, tries = FiniteWorld(PROCESS, 4), 4000
    got = policy_estimate(world, table_of(LOGITS), size=tries, rng=0, **options).gradient[:, 0, :6]
    apart = got.mean(axis=0) - policy_gradient(PROCESS, LOGITS, 4).ravel()
    assert np.abs(apart / got.std(axis=0)).max() * tries**0.5 < 6  # below 1e-7 for all of them together


def by_swaps_with_the_own_return(race):
    """The mean of ARSM over all paths and all shares, where an action's own return stands for its value.

    The shares are those that chose the action, ``"kept"``; or they are ``"redrawn"``, and the return stays
    that of the action; or it is paid to their ``"winner"``.
    """
    paths, horizon = all_paths(PLACE, LOGITS, 3), 3
    later = np.cumsum(PLACE.reward[paths.states, paths.actions][:, ::-1], axis=1)[:, ::-1]
    worth, values, total = np.zeros(2), [], np.zeros((2, 3))
    for _ in range(horizon):
        values.append(PLACE.reward + PLACE.transition @ worth)
        worth = (softmax(LOGITS) * values[-1]).sum(axis=1)
    for t, s, a in itertools.product(range(horizon), range(2), range(3)):
        mine = (paths.states[:, t] == s) & (paths.actions[:, t] == a)
        chance, seen = paths.probabilities[mine].sum(), paths.probabilities[mine] @ later[mine, t]
        shares, area = swap_quadrature(([5, 3, 2], [2, 3, 5])[s])
        if race == "kept":
            chose = swapped_actions(LOGITS[s], shares)[:, 0, 0] == a
            shares, area = shares[chose], area[chose] / area[chose].sum()
        z = swapped_actions(LOGITS[s], shares)
        own = z[:, :1, :1] if race == "winner" else a
        worths = np.where(z == own, seen, chance * values[horizon - 1 - t][s][z])
        pull = np.einsum("xcj,xj->xc", worths, 1 / 3 - shares)
        total[s] += area @ (pull - pull.mean(axis=1, keepdims=True))
    return total


@pytest.mark.parametrize("race", ["kept", "redrawn"])
def test_the_return_of_the_episode_is_a_value_of_its_action(race):
    exact = policy_gradient(PLACE, LOGITS, 3)
    np.testing.assert_allclose(by_swaps_with_the_own_return(race), exact, atol=1e-14)


def test_the_return_of_the_episode_is_no_value_of_another_winner():
    exact = policy_gradient(PLACE, LOGITS, 3)
    assert np.abs(by_swaps_with_the_own_return("winner") - exact).max() > 0.4


def test_only_the_race_that_chose_the_action_has_its_return_for_nothing(monkeypatch):
    """In the library: with another race more is played, and with its winner paid the mean is another."""
    world, table, tries = FiniteWorld(PLACE, 3), table_of(LOGITS), 6000
    exact, kept = policy_gradient(PLACE, LOGITS, 3).ravel(), learning.categorical_gradient

    def error_and_steps(estimator):
        monkeypatch.setattr(learning, "categorical_gradient", estimator)
        got = policy_estimate(world, table, method="arsm", n_branches=3, size=tries, rng=0)
        g = got.gradient[:, 0, :6]
        return np.abs((g.mean(axis=0) - exact) / g.std(axis=0)).max() * tries**0.5, got.n_steps

    def redrawn(value, logits, *, race, **options):
        return kept(value, logits, **options)

    def to_the_winner(value, logits, *, race, **options):
        other = np.random.default_rng(7).permuted(race, axis=-1)  # of the same law
        old, new = ((np.log(r[:, 0]) - logits[:, 0]).argmin(axis=-1) for r in (race, other))
        def exchanged(z, problem):  # the winner is taken for the action of the episode
            asked = np.where(z[:, 0] == new[problem], old[problem], np.where(
                z[:, 0] == old[problem], new[problem], z[:, 0]))
            return value(asked[:, None], problem)
        return kept(exchanged, logits, race=other, **options)

    (near, few), (fair, more), (far, _) = map(error_and_steps, (kept, redrawn, to_the_winner))
    assert near < 6 and fair < 6 < far and few < more


def test_own_reward_only_would_be_seen():
    """The same test refuses what is biased: the reward after the next action is not enough."""
    world, tries = FiniteWorld(PROCESS, 4), 4000
    got = policy_estimate(world, table_of(LOGITS), size=tries, rng=0).gradient[:, 0, :6]
    apart = got.mean(axis=0) - policy_gradient(PROCESS, LOGITS, 2).ravel()
    assert np.abs(apart / got.std(axis=0)).max() * tries**0.5 > 6


@pytest.mark.parametrize("options", [{}, {"method": "leave-one-out"}, {"method": "arsm", "n_branches": 3},
                                     {"method": "exact", "n_branches": 3}])
def test_a_discount_is_counted_from_the_action_on(options):
    paths, each, later = all_paths(PLACE, LOGITS, 3), 0.0, 0.0
    paid = PLACE.reward[paths.states, paths.actions]
    for t in (2, 1, 0):
        later = paid[:, t] + 0.5 * later
        score = path_scores(LOGITS, paths.states[:, t:t + 1], paths.actions[:, t:t + 1])
        each = each + np.tensordot(paths.probabilities * later, score, axes=1)
    tries = 6000
    got = policy_estimate(FiniteWorld(PLACE, 3), table_of(LOGITS), size=tries, rng=0, discount=0.5, **options)
    g = got.gradient[:, 0, :6]
    assert np.abs((g.mean(axis=0) - each.ravel()) / g.std(axis=0)).max() * tries**0.5 < 6
    assert np.abs((g.mean(axis=0) - policy_gradient(PLACE, LOGITS, 3).ravel()) / g.std(axis=0)).max() > 0.2
    returns = policy_estimate(FiniteWorld(PLACE, 3), table_of(LOGITS), size=tries, rng=0, **options).returns
    np.testing.assert_array_equal(got.returns[0], returns[0])  # they are not discounted


@pytest.mark.parametrize("make", [lambda: TimeAverage(4), lambda: ValueNetwork(2, scale=5.0, rng=0)])
def test_a_baseline_that_has_learnt_is_unbiased_and_takes_noise_off(make):
    world, table, tries, baseline = FiniteWorld(PROCESS, 4), table_of(LOGITS), 4000, make()
    for seed in range(3):
        got = policy_estimate(world, table, size=tries, rng=seed, baseline=baseline).gradient[:, 0, :6]
    apart = got.mean(axis=0) - policy_gradient(PROCESS, LOGITS, 4).ravel()
    assert np.abs(apart / got.std(axis=0)).max() * tries**0.5 < 6
    plain = policy_estimate(world, table, size=tries, rng=2).gradient[:, 0, :6]
    assert got.var(axis=0).sum() < 0.5 * plain.var(axis=0).sum()


def test_a_baseline_is_asked_before_it_is_told():
    told = []

    class Spy:
        def value(self, seen, time, run):
            told.append("asked")
            return np.zeros(len(time))

        def update(self, seen, time, run, to_go):
            told.append("told")

    policy_estimate(FiniteWorld(PROCESS, 4), table_of(LOGITS), size=5, rng=0, baseline=Spy())
    assert told == ["asked", "told"]


def test_averages_of_each_time_and_run():
    average, run, time = TimeAverage(2, 2, decay=0.5), np.array([0, 0, 1, 0]), np.array([0, 0, 1, 1])
    average.update(None, time, run, np.array([2.0, 4.0, 5.0, 9.0]))
    average.update(None, time[:2], run[:2], np.array([6.0, 6.0]))
    places = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    np.testing.assert_allclose(average.value(None, places[1], places[0]), [5.0, 9.0, 0.0, 5.0])


def test_each_run_has_a_value_network_of_its_own():
    critic = ValueNetwork(1, 2, hidden=(), lr=0.1, passes=300, scale=2.0, rng=0)
    seen = np.array([[1.0], [1.0]])
    critic.update(seen, None, np.array([0, 1]), np.array([3.0, -1.0]))
    np.testing.assert_allclose(critic.value(seen, None, np.array([0, 1])), [3.0, -1.0], atol=0.05)


def test_learning_stops_where_the_budget_is_spent():
    world = FiniteWorld(PROCESS, 4)
    _, record = learn_policies(world, budget=100, n_runs=2, hidden=(), method="leave-one-out", rng=0)
    assert record["world_steps"].tolist() == [16.0 * k for k in range(1, 8)]  # 2 episodes in 2 estimates


def test_windows_of_a_run():
    record = {"world_steps": np.array([100.0, 250.0, 1000.0]), "return": np.array([[1.0], [2.0], [3.0]]),
              "variance": np.array([[0.1], [10.0], [1000.0]])}
    found = races._windows(record, 1000)
    assert [found[f"return {k}"] for k in range(1, 11)] == [1, 1, 2, 2, 2, 2, 2, 2, 2, 3]
    assert [found[f"noise {k}"] for k in (1, 3, 10)] == [0, 1, 3]


def test_a_race_of_policies_gives_numbers_for_all_ways():
    for experiment in (races.CART, races.LINKS):
        for method, settings in experiment.methods.items():
            first = {name: values[0] for name, values in settings.items()}
            found = experiment.run(method, seed=0, budget=400, **first)
            assert len(found) == 2 + 2 * races.N_WINDOWS and np.isfinite(list(found.values())).all()


def test_a_race_by_episodes_counts_those_from_the_start():
    for method, settings in races.BY_EPISODES.methods.items():
        one = {name: values[0] for name, values in settings.items()}
        found = races.BY_EPISODES.run(method, seed=0, budget=8, **one)
        steps = 1000 * found["thousand steps"]
        if method in ("untrained", "ARSM"):
            assert steps == 0 if method == "untrained" else steps > 8 * found["way"]
        else:
            assert steps == pytest.approx(8 * found["way"])  # a reward of 1 for each step


def test_a_constant_drops_out():
    dull = FiniteWorld(DecisionProcess(np.ones(1), np.ones((1, 3, 1)), np.ones((1, 3))), 5)
    table = table_of(np.zeros((1, 3)))
    for options in ({"method": "leave-one-out"}, {"method": "arsm", "n_branches": 5},
                    {"method": "leave-one-out", "n_branches": 2}, {"method": "exact", "n_branches": 5}):
        assert not policy_estimate(dull, table, size=20, rng=0, **options).gradient.any()
    assert policy_estimate(dull, table, size=20, rng=0).gradient.any()


def test_steps_are_counted():
    dull = FiniteWorld(DecisionProcess(np.ones(1), np.ones((1, 3, 1)), np.ones((1, 3))), 5)
    table = table_of(np.zeros((1, 3)))
    assert policy_estimate(dull, table, n_episodes=3, size=2, rng=0).n_steps == 2 * 3 * 5
    assert policy_estimate(dull, table, method="exact", n_branches=5, rng=0).n_steps == 5 + 2 * 15
    assert policy_estimate(dull, table, method="reinforce", n_branches=5, rng=0).n_steps == 5
    sure = table_of(np.array([[50.0, 0.0, 0.0]]))
    assert policy_estimate(dull, sure, method="arsm", n_branches=5, rng=0).n_steps == 5  # no swap matters


def test_gradients_of_a_network_are_those_of_its_logits():
    rng = np.random.default_rng(0)
    nets = Policies(4, 3, hidden=(5, 6), n_runs=2, rng=1)
    nets.weights = rng.normal(size=nets.weights.shape)
    seen, slopes, owner = rng.normal(size=(9, 4)), rng.normal(size=(9, 3)), rng.integers(4, size=9)
    found = nets.pull(seen, slopes, owner, n_copies=2).reshape(4, -1)
    at, h = nets.weights.copy(), 1e-6
    for k in rng.choice(at.shape[1], 20, replace=False):
        sides = []
        for sign in (1, -1):
            nets.weights = at.copy()
            nets.weights[:, k] += sign * h
            sides.append((nets.logits(seen, owner % 2) * slopes).sum(axis=1))
        by_rows = (sides[0] - sides[1]) / (2 * h)
        np.testing.assert_allclose(found[:, k], np.bincount(owner, by_rows, 4), atol=1e-8)


def test_tables_of_rows():
    (owner, rank), table = side_by_side([2, 0, 2, 2], 4)
    assert table.shape == (4, 3) and table[owner, rank].tolist() == [0, 1, 2, 3]
    assert rank.tolist() == [0, 0, 1, 2]


def test_branches_stand_for_all_visits():
    episode = np.repeat([0, 1, 2], [1, 5, 2])
    visits = _Visits(*[episode] * 8)
    chosen, share = _choose(visits, 3, 2, np.random.default_rng(0))
    assert np.bincount(chosen.episode).tolist() == [1, 2, 2]
    assert np.bincount(chosen.episode, share).tolist() == [1, 5, 2]


def test_policies_learn():
    policies, record = learn_policies(FiniteWorld(PROCESS, 4), steps=80, n_runs=3, hidden=(), lr=0.1,
                                      method="arsm", n_branches=4, rng=0)
    law = softmax(policies.weights[:, :6].reshape(3, 2, 3))
    assert (law[:, 1, 2] > 0.8).all() and record["return"].shape == record["variance"].shape == (80, 3)
    again = learn_policies(FiniteWorld(PROCESS, 4), steps=80, n_runs=3, hidden=(), lr=0.1,
                           method="arsm", n_branches=4, rng=0)
    np.testing.assert_array_equal(again.record["return"], record["return"])
    assert (np.diff(record["world_steps"]) >= 4).all()


def test_shapes_of_estimates():
    world, table = FiniteWorld(PROCESS, 4), Policies(2, 3, hidden=(), n_runs=3, rng=0)
    flat = policy_estimate(world, table, size=6, rng=0)
    for size, lead in [(None, ()), (6, (6,)), ((2, 3), (2, 3)), (0, (0,)), ((2, 0), (2, 0))]:
        found = policy_estimate(world, table, size=size, rng=0)
        assert found.gradient.shape == (*lead, 3, 9) and found.returns.shape == (*lead, 3)
        assert (found.n_steps > 0) == (0 not in lead)
        if np.prod(lead) == 6:
            np.testing.assert_array_equal(found.gradient.reshape(6, 3, 9), flat.gradient)


def test_worlds_of_gymnasium():
    world, policies = GymWorld("CartPole-v1", 12), Policies(4, 2, rng=0)
    found = policy_estimate(world, policies, method="arsm", n_branches=3, size=2, rng=0)
    assert found.gradient.shape == (2, 1, policies.weights.shape[1]) and (found.returns <= 12).all()
    start = world.start(3, rng=1)
    one, _, _ = world.step(start, np.array([0, 1, 1]))
    two = world.observe(world.step(one, np.array([1, 1, 0]))[0])
    before = world.replayed
    again = world.observe(world.step(one, np.array([1, 1, 0]))[0])  # for the second time
    np.testing.assert_array_equal(two, again)
    assert world.replayed == before + 3


def test_lunar_lander_says_what_is_missing(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **options):
        if name.startswith("Box2D"):
            raise ImportError("no Box2D")
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="LunarLander-v3.* needs a package"):
        GymWorld("LunarLander-v3", 10)
