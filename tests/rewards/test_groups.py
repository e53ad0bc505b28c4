"""softmaxnotes.rewards.groups: against all groups in order, and closed forms."""

import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.gradients import exact_gradient
from softmaxnotes.rewards import advantages, expected_group_update
from softmaxnotes.softmax import softmax

INF, NAN = np.inf, np.nan
KINDS = ["leave-one-out", "mean", "standardised"]


def test_advantages_as_they_are_defined():
    rewards = np.random.default_rng(0).normal(size=(5, 4))
    for row, others, mean, standard in zip(rewards, *(advantages(rewards, kind=kind) for kind in KINDS)):
        for m in range(4):
            assert others[m] == pytest.approx(row[m] - np.delete(row, m).mean(), abs=1e-14)
        np.testing.assert_allclose(mean, row - row.mean(), atol=1e-14)
        np.testing.assert_allclose(standard, (row - row.mean()) / row.std(), rtol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_rewards_give_nothing_and_shifts_change_nothing(kind):
    assert not advantages(np.full((2, 3), 0.1), kind=kind).any()
    bits = np.array([1.0, 0.0, 0.0, 1.0, 1.0])
    np.testing.assert_array_equal(advantages(bits + 2.0**30, kind=kind), advantages(bits, kind=kind))
    assert advantages([True, False], kind=kind).sum() == 0
    assert advantages(np.zeros((0, 3)), kind=kind).shape == (0, 3)


def test_standardised_advantages_have_no_scale():
    rewards = np.random.default_rng(1).normal(size=6)
    for scale in (1e-300, 1e-170, 1e-100, 1e100, 1e155, 1e307):
        np.testing.assert_allclose(advantages(scale * rewards, kind="standardised"),
                                   advantages(rewards, kind="standardised"), rtol=1e-13)


def test_advantages_of_rewards_at_the_ends_of_the_doubles():
    large, small = 1.5 * 2.0**1023, 2.0**-1074  # their squares and sums are no doubles
    apart = [advantages([large, -large], kind=kind) for kind in ("mean", "standardised")]
    assert np.array_equal(apart, [[large, -large], [1, -1]])
    assert advantages([large, -large, 0, 0, 0]).tolist() == [1.25 * large, -1.25 * large, 0, 0, 0]
    near = [advantages([small, 3 * small], kind=kind) for kind in KINDS]
    assert np.array_equal(near, [[-2 * small, 2 * small], [-small, small], [-1, 1]])
    rows = [[large, 0.0], [1.0, 0.0], [small, 0.0], [0.0, 0.0]]
    assert advantages(rows, kind="standardised").tolist() == [[1, -1]] * 3 + [[0, 0]]


def test_advantages_have_the_type_of_their_rewards():
    for dtype in (np.float16, np.float32, np.float64):
        rewards = np.array([0.5, 1.25, -3.0], dtype)
        for kind in KINDS:
            wide = advantages(rewards.astype(float), kind=kind)
            np.testing.assert_array_equal(advantages(rewards, kind=kind), wide.astype(dtype), strict=True)
    assert advantages([True, False]).tolist() == [1.0, -1.0]


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(2, 4), st.sampled_from(KINDS), st.booleans(), st.integers(0, 2**32))
def test_expected_update_against_all_groups_in_order(c, size, kind, by_length, seed):
    rng = np.random.default_rng(seed)
    logits, rewards, lengths = rng.normal(size=c), rng.integers(0, 3, size=c), rng.uniform(1, 9, size=c)
    scores = rng.normal(size=(c, 2))
    law, total = softmax(logits), 0
    for group in map(list, itertools.product(range(c), repeat=size)):
        weight = advantages(rewards[group], kind=kind) / (lengths[group] if by_length else 1)
        total = total + np.prod(law[group]) * weight @ scores[group] / size
    found = expected_group_update(logits, rewards, size, kind=kind, scores=scores,
                                  lengths=lengths if by_length else None)
    np.testing.assert_allclose(found, total, atol=1e-13)


def test_without_spread_and_length_it_is_the_gradient():
    logits, rewards = np.random.default_rng(2).normal(size=(2, 4))
    exact = exact_gradient(lambda k: rewards[k], logits).gradient
    for size in (2, 3, 7):
        np.testing.assert_allclose(expected_group_update(logits, rewards, size), exact, atol=1e-14)
        shrunk = expected_group_update(logits, rewards, size, kind="mean")
        np.testing.assert_allclose(shrunk, (size - 1) / size * exact, atol=1e-14)


def test_two_rewards_against_the_binomial_law():
    for size in (2, 5, 32):
        for rate in (1e-9, 0.2, 0.5, 0.99):
            wins = np.arange(size + 1)
            chance = [comb(size, m) * rate**m * (1 - rate) ** (size - m) for m in wins]
            expected = np.sqrt(wins * (size - wins)) @ chance / size
            found = expected_group_update([np.log1p(-rate), np.log(rate)], [0, 1], size, kind="standardised")
            np.testing.assert_allclose(found, [-expected, expected], rtol=1e-9)


def test_large_groups_masked_answers_and_sure_ones():
    masked = expected_group_update([0.0, -INF, 1.0], [1.0, 5.0, 2.0], 100)
    assert masked[1] == 0
    np.testing.assert_allclose(masked[[0, 2]], expected_group_update([0.0, 1.0], [1.0, 2.0], 100), rtol=1e-12)
    assert not expected_group_update([0.0, -INF], [1.0, 5.0], 3).any()
