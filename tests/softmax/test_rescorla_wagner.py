"""softmaxnotes.softmax.rescorla_wagner against a plain loop in 50 digits, autograd, and bad input."""

from itertools import product

import mpmath as mp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.softmax import (
    bandit,
    cue_value_derivatives,
    cue_values,
    log_likelihood,
    log_likelihood_hessian,
    logsumexp,
    simulate,
    softmax,
)

NAN, INF = np.nan, np.inf


def plainly(alpha, beta, choices, rewards, present=None, v0=0.0, scored="before", n_cues=2, total=None):
    """The loop as one would type it, for torch or mpmath numbers."""
    V = [v0 + 0 * alpha for _ in range(n_cues)]
    value = 0 * alpha

    def score(t):
        c = choices[t]
        if c < 0:
            return 0 * alpha
        return beta * V[c] - total([beta * V[k] for k in there])

    for t in range(len(choices)):
        there = [k for k in range(n_cues) if present is None or present[t][k]]
        if scored == "before":
            value = value + score(t)
        for k in range(n_cues):
            outcome = rewards[t][k] if np.ndim(rewards) == 2 else rewards[t] if choices[t] == k else NAN
            if k in there and not np.isnan(outcome):
                V[k] = V[k] + alpha * (float(outcome) - V[k])
        if scored == "after":
            value = value + score(t)
    return value


def by_torch(*args, **options):
    return plainly(*args, **options, total=lambda keys: torch.logsumexp(torch.stack(keys), 0))


def some_game(rng, n_trials, n_cues, full):
    present = rng.random((n_trials, n_cues)) < 0.7
    present[np.arange(n_trials), rng.integers(n_cues, size=n_trials)] = True
    choices = np.array([rng.choice(np.flatnonzero(row)) for row in present], dtype=int)
    choices[rng.random(n_trials) < 0.15] = -1
    rewards = rng.normal(size=(n_trials, n_cues) if full else n_trials)
    rewards[rng.random(rewards.shape) < 0.15] = NAN
    return choices, rewards, present


# --- Value, gradient, Hessian ---------------------------------------------------------------------


@pytest.mark.parametrize("n_cues", [2, 3, 5])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("scored", ["before", "after"])
def test_derivatives_against_autograd(n_cues, full, scored):
    rng = np.random.default_rng([n_cues, full])
    choices, rewards, present = some_game(rng, 23, n_cues, full)
    for alpha, beta in ((0.3, 2.0), (0.9, -1.0), (1.0, 4.0), (0.0, 3.0)):
        def f(a, b):
            return by_torch(a, b, choices, rewards, present, 0.1, scored, n_cues)

        here = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (alpha, beta)]
        value = f(*here)
        gradient = torch.autograd.grad(value, here)
        hessian = torch.autograd.functional.hessian(f, tuple(here))
        found = log_likelihood_hessian(alpha, beta, choices, rewards, present=present,
                                       v0=np.full(n_cues, 0.1), scored=scored)
        assert found[0] == pytest.approx(value.item(), rel=1e-13, abs=1e-13)
        assert np.allclose(found[1], [g.item() for g in gradient], rtol=1e-12, atol=1e-12)
        assert np.allclose(found[2], [[h.item() for h in row] for row in hessian], rtol=1e-11, atol=1e-11)


def test_gradient_against_differences_with_absent_trials():
    rng = np.random.default_rng(3)
    choices, rewards, present = some_game(rng, 200, 2, False)
    at, step = np.array([0.3, 2.5]), 1e-5

    def value(a, b):
        return log_likelihood(a, b, choices, rewards, present=present)[0]

    differences = [(value(*(at + e)) - value(*(at - e))) / (2 * step) for e in step * np.eye(2)]
    gradient = log_likelihood(*at, choices, rewards, present=present)[1]
    assert np.allclose(gradient, differences, rtol=1e-6, atol=1e-8)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0, 1), st.floats(-50, 50))
def test_value_against_fifty_digits(seed, n_trials, alpha, beta):
    rng = np.random.default_rng(seed)
    choices, rewards = rng.integers(2, size=n_trials), rng.normal(size=n_trials)
    with mp.workdps(50):
        exact = plainly(mp.mpf(alpha), mp.mpf(beta), choices, rewards,
                        total=lambda keys: mp.log(mp.fsum(map(mp.exp, keys))))
        value = log_likelihood(alpha, beta, choices, rewards)[0]
        # each value is a mean of rewards, to about t roundings, times beta
        assert abs(value - exact) <= 1e-15 * n_trials * (1 + abs(beta)) * (n_trials + 4)


def test_far_exponents_neither_overflow_nor_vanish():
    for beta in (1e3, 1e6, -1e6):
        value, gradient = log_likelihood(1.0, beta, [0, 1], [1.0, NAN])
        assert value == pytest.approx(-np.log(2) - max(beta, 0) - np.log1p(np.exp(-abs(beta))))
        assert np.isfinite(gradient).all()
    sure = log_likelihood(1.0, 50.0, [0, 0], [1.0, NAN])[0] + np.log(2)
    assert sure == pytest.approx(-np.exp(-50), rel=1e-1)
    three = log_likelihood(1.0, 800.0, [0, 0], [[1.0, 0.0, -1.0], [NAN] * 3])[0]
    assert three == pytest.approx(-np.log(3))


def test_concave_in_beta():
    rng = np.random.default_rng(0)
    choices, rewards, present = some_game(rng, 50, 3, True)
    alpha, beta = np.linspace(0, 1, 9)[:, None], np.linspace(-20, 20, 41)
    hessian = log_likelihood_hessian(alpha, beta, choices, rewards, present=present)[2]
    assert hessian.shape == (9, 41, 2, 2) and (hessian[..., 1, 1] <= 0).all()
    assert (np.linalg.eigvalsh(hessian)[..., 1] > 0).any()  # not so in both


def test_probabilities_add_up_only_if_scored_before_the_outcome():
    sequences = np.array(list(product([0, 1], repeat=6)))
    payoffs = np.random.default_rng(0).normal(size=(6, 2))
    own = np.take_along_axis(np.broadcast_to(payoffs, (64, 6, 2)), sequences[..., None], -1)[..., 0]
    both = np.broadcast_to(payoffs, (64, 6, 2))
    for rewards, scored, right in ((own, "before", True), (own, "after", False), (both, "before", True),
                                   (both, "after", True)):
        value, gradient = log_likelihood(0.4, 2.0, sequences, rewards, scored=scored)
        assert (abs(np.exp(value).sum() - 1) < 1e-13) == right
        assert (np.abs(np.exp(value) @ gradient).max() < 1e-13) == right


# --- Values -------------------------------------------------------------------------------------


def test_values_are_the_closed_form_on_each_cue_s_own_clock():
    rng = np.random.default_rng(1)
    choices, rewards = rng.integers(-1, 3, size=60), rng.normal(size=60)
    alpha, v0 = 0.35, np.array([0.5, -1.0, 2.0])
    found = cue_value_derivatives(alpha, choices, rewards, v0=v0)
    assert {part.shape for part in found} == {(61, 3)}
    assert (cue_values(alpha, choices, rewards, v0=v0) == found.values).all()
    for t in (0, 1, 17, 60):
        for k in range(3):
            own = rewards[:t][choices[:t] == k]
            decay = (1 - alpha) ** np.arange(len(own) + 1)[::-1]
            assert found.values[t, k] == pytest.approx(decay[0] * v0[k] + alpha * decay[1:] @ own)
    h = 1e-4
    up, down = (cue_values(alpha + e, choices, rewards, v0=v0) for e in (h, -h))
    assert np.allclose(found.slopes, (up - down) / (2 * h), atol=1e-6)
    assert np.allclose(found.bends, (up - 2 * found.values + down) / h**2, atol=1e-6)


def test_absent_cues_keep_value_and_slope():
    found = cue_value_derivatives(0.3, [0, 1, 1, -1, 0], [1.0, 1.0, 0.0, 5.0, NAN])
    assert all((part[1:, 0] == part[1, 0]).all() for part in found) and found.slopes[1, 0] == 1.0


def test_batches_broadcast_and_agree_with_single_subjects():
    table = bandit(30, n_subjects=4, rng=0).rewards
    choices, rewards = simulate(0.3, 2.0, table, rng=1)
    alpha, beta = np.array([0.1, 0.2, 0.3, 0.4]), np.array([[1.0], [2.0]])
    value, gradient, hessian = log_likelihood_hessian(alpha, beta, choices, rewards)
    assert (value.shape, gradient.shape, hessian.shape) == ((2, 4), (2, 4, 2), (2, 4, 2, 2))
    for i, j in product(range(2), range(4)):
        one = log_likelihood_hessian(alpha[j], beta[i, 0], choices[j], rewards[j])
        assert np.allclose(value[i, j], one[0]) and np.allclose(gradient[i, j], one[1])
        assert np.allclose(hessian[i, j], one[2])
    for together, alone in zip(cue_value_derivatives(alpha, choices, rewards),
                               cue_value_derivatives(0.3, choices[2], rewards[2])):
        assert together.shape == (4, 31, 2) and np.allclose(together[2], alone)


def test_masked_arrays_are_missing_trials():
    choices, rewards = np.array([0, 1, 0, 1]), np.array([1.0, 0.5, 2.0, 1.0])
    mask = [False, True, False, False]
    masked = log_likelihood(0.5, 1.0, np.ma.array(choices, mask=mask), np.ma.array(rewards, mask=mask))
    missing = log_likelihood(0.5, 1.0, np.where(mask, -1, choices), np.where(mask, NAN, rewards))
    assert masked[0] == missing[0] and (masked[1] == missing[1]).all()
    dropped = log_likelihood(0.5, 1.0, np.delete(choices, 1), np.delete(rewards, 1))
    assert missing[0] == pytest.approx(dropped[0])


def test_nothing_to_score():
    for choices in ([], [-1, -1]):
        value, gradient = log_likelihood(0.5, 2.0, choices, [NAN] * len(choices))
        assert value == 0 and (gradient == 0).all()
    value, gradient = log_likelihood(0.5, 2.0, [0, 0], [1.0, 1.0], present=[[True, False]] * 2)
    assert value == 0 and (gradient == 0).all()
    assert cue_values(0.5, [], []).shape == (1, 2)
    assert log_likelihood(np.zeros(0), 1.0, np.zeros((0, 5), int), np.zeros((0, 5)))[1].shape == (0, 2)


# --- Learners that are drawn ----------------------------------------------------------------------


def test_choices_have_the_law_of_the_softmax():
    values, beta = np.array([0.3, -0.2, 0.5]), 2.0

    def draw(n, rng):
        return simulate(0.5, beta, np.zeros((1, 3)), n_subjects=n, v0=values, rng=rng).choices[:, 0]

    has_frequencies(draw, softmax(beta * values), effect=0.02, title="the first choice")


def test_second_choices_follow_what_was_learnt():
    def draw(n, rng):
        found = simulate(0.5, 2.0, [[1.0, -1.0]] * 2, n_subjects=n, rng=rng).choices
        return found @ [2, 1]

    after_first = softmax(2.0 * np.array([[0.5, 0.0], [0.0, -0.5]]))
    has_frequencies(draw, (after_first / 2).ravel(), effect=0.02, title="two choices")


def test_what_is_drawn_is_what_was_seen():
    table = bandit(40, (0.5, 0.5, 0.5), drift=0.1, n_subjects=3, rng=0)
    assert table.rewards.shape == table.chances.shape == (3, 40, 3)
    assert ((0 <= table.chances) & (table.chances <= 1)).all()
    present = np.random.default_rng(1).random((40, 3)) < 0.8
    present[~present.any(axis=1)] = True
    choices, rewards = simulate(0.3, 3.0, table.rewards, present=present, rng=2)
    assert choices.shape == rewards.shape == (3, 40)
    assert present[np.arange(40), choices].all()
    assert (np.take_along_axis(table.rewards, choices[..., None], -1)[..., 0] == rewards).all()
    everything = simulate(0.3, 3.0, table.rewards, present=present, feedback="all", rng=2).rewards
    assert (np.isnan(everything) == ~np.broadcast_to(present, everything.shape)).all()
    same = simulate(0.3, 3.0, table.rewards, present=present, rng=2)
    assert (same.choices == choices).all()
    log_likelihood(0.3, 3.0, choices, rewards, present=present)


def test_an_absent_cue_learns_nothing():
    present, table = np.array([[True, False], [True, True]]), [[[1.0, 1.0]] * 2, [[1.0, NAN], [1.0, 1.0]]]
    told, unseen = log_likelihood(0.5, 1.0, [0, 0], table, present=present)[0]
    assert told == unseen == pytest.approx(-np.log1p(np.exp(-0.5)), rel=1e-14)  # values 1/2 and 0
    for part in cue_value_derivatives(0.5, [0, 0], table, present=present):
        assert (part[0] == part[1]).all() and not part[:, 1, 1].any()
    assert cue_values(0.5, [0, 0], table, present=present)[:, 2].tolist() == [[0.75, 0.5]] * 2


@pytest.mark.parametrize("n_cues", [2, 3])
def test_subjects_with_the_same_choices_may_have_had_other_cues(n_cues):
    present = np.ones((2, 4, n_cues), bool)
    present[1, :2, -1] = False
    choices, rewards = [0, 0, 1, 0], np.arange(4 * n_cues).reshape(4, n_cues) / n_cues
    together = log_likelihood_hessian(0.5, 1.0, choices, rewards, present=present)
    for i, alone in enumerate(present):
        for a, b in zip(together, log_likelihood_hessian(0.5, 1.0, choices, rewards, present=alone)):
            assert np.array_equal(a[i], b)


def test_shapes_of_learners():
    table = bandit(5, rng=0).rewards
    assert simulate(0.1, 1.0, table, rng=0).choices.shape == (5,)
    assert simulate([0.1, 0.2], 1.0, table, rng=0).choices.shape == (2, 5)
    assert simulate(0.1, 1.0, table, n_subjects=7, rng=0).choices.shape == (7, 5)
    assert simulate(0.1, 1.0, np.zeros((0, 2)), rng=0).choices.shape == (0,)


# --- What must not matter, or matter in a known way -----------------------------------------------

games = st.tuples(st.integers(0, 10**6), st.integers(1, 40), st.integers(2, 4), st.booleans())
parameters = st.tuples(st.floats(0, 1), st.floats(-20, 20))


def drawn(game):
    seed, n_trials, n_cues, full = game
    return (n_cues, *some_game(np.random.default_rng(seed), n_trials, n_cues, full))


@settings(max_examples=40)
@given(games, parameters, st.floats(-5, 5), st.floats(0.1, 10))
def test_units_of_rewards(game, at, shift, scale):
    n_cues, choices, rewards, present = drawn(game)
    (alpha, beta), zero = at, np.zeros(n_cues)
    value, gradient = log_likelihood(alpha, beta, choices, rewards, present=present, v0=zero)
    moved = log_likelihood(alpha, beta, choices, rewards + shift, present=present, v0=zero + shift)
    scaled = log_likelihood(alpha, beta / scale, choices, scale * rewards, present=present, v0=zero)
    close = {"rtol": 1e-9, "atol": 1e-9 * (1 + abs(beta))}
    assert np.allclose(moved[0], value, **close) and np.allclose(moved[1], gradient, **close)
    assert np.allclose(scaled[0], value, **close)
    assert np.allclose(scaled[1], gradient * [1, scale], **close)


@settings(max_examples=40)
@given(games, parameters)
def test_names_of_cues(game, at):
    n_cues, choices, rewards, present = drawn(game)
    order = np.random.default_rng(game[0]).permutation(n_cues)  # cue order[k] is now called k
    called = np.append(np.argsort(order), -1)[choices]
    value, gradient = log_likelihood(*at, choices, rewards, present=present)
    renamed = log_likelihood(*at, called, rewards[:, order] if rewards.ndim == 2 else rewards,
                             present=present[:, order])
    close = {"rtol": 1e-10, "atol": 1e-10 * (1 + abs(at[1]))}
    assert np.allclose(renamed[0], value, **close) and np.allclose(renamed[1], gradient, **close)


@settings(max_examples=40)
@given(games, parameters, st.integers(0, 40))
def test_a_missing_trial_may_be_put_in_anywhere(game, at, place):
    n_cues, choices, rewards, present = drawn(game)
    place = min(place, len(choices))
    value, gradient = log_likelihood(*at, choices, rewards, present=present)
    longer = log_likelihood(*at, np.insert(choices, place, -1), np.insert(rewards, place, NAN, axis=0),
                            present=np.insert(present, place, True, axis=0))
    close = {"rtol": 1e-10, "atol": 1e-10 * (1 + abs(at[1]))}
    assert np.allclose(longer[0], value, **close) and np.allclose(longer[1], gradient, **close)


@settings(max_examples=40)
@given(games, parameters)
def test_a_late_score_is_off_by_the_ends(game, at):
    n_cues, choices, rewards, _ = drawn((*game[:3], False))
    choices = np.abs(choices)  # one cue in each trial
    options = {"v0": np.zeros(n_cues)}
    late = log_likelihood(*at, choices, rewards, scored="after", **options)[0]
    in_time = log_likelihood(*at, choices, rewards, **options)[0]
    ends = cue_values(at[0], choices, rewards, **options)[[-1, 0]]
    constant = [at[1] * v.sum() - logsumexp(at[1] * v) for v in ends]
    assert np.isclose(late - in_time, constant[0] - constant[1], atol=1e-9 * (1 + abs(at[1])))


def test_many_subjects_without_a_trial():
    value, gradient = log_likelihood(0.5, 2.0, np.zeros((3, 0), int), np.zeros((3, 0)))
    assert (value == 0).all() and gradient.shape == (3, 2)
