"""softmaxnotes.gumbel.top_k against enumeration, exact laws, and extreme input; arguments of sets, too."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofread.evidence.statistics import has_cdf, has_frequencies
from softmaxnotes.gumbel import (
    gumbel,
    gumbel_cdf,
    gumbel_max,
    gumbel_top_k,
    gumbel_top_k_with_keys,
    inclusion_weights,
    log_prob_ordered,
    log_prob_set,
    merge_top_k,
    sample_without_replacement,
    sample_without_replacement_with_keys,
    unordered_set_weights,
)
from softmaxnotes.softmax import log_softmax, logsumexp

INF, NAN = np.inf, np.nan
P = np.array([0.5, 0.3, 0.15, 0.05])
SPREAD = np.array([2.0, -INF, 0.0, 1.0, -1.0, 3.0])
METHODS = ["race", "inverse_cdf"]
OF_CHOSEN = [log_prob_ordered, log_prob_set, unordered_set_weights, partial(inclusion_weights, threshold=0.5)]


def orders(n, k):
    return np.array(list(itertools.permutations(range(n), k)), int).reshape(math.perm(n, k), k)


def sets(n, k):
    return np.array(list(itertools.combinations(range(n), k)), int).reshape(math.comb(n, k), k)


def number(indices, n):
    """Which of the orders of `orders(n, k)` each row is."""
    k = indices.shape[-1]
    table = np.full(n**k, -1)
    table[orders(n, k) @ n ** np.arange(k)] = np.arange(math.perm(n, k))
    return table[indices @ n ** np.arange(k)]


# --- Probabilities ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_probabilities_add_up_to_one(n):
    x = 2 * np.random.default_rng(n).normal(size=n)
    for k in range(n + 1):
        assert np.exp(log_prob_ordered(x, orders(n, k))).sum() == pytest.approx(1, abs=1e-14)
        assert np.exp(log_prob_set(x, sets(n, k))).sum() == pytest.approx(1, abs=1e-14)


def test_nearly_certain_orders_keep_their_digits():
    got = log_prob_ordered([0.0, -50.0, -100.0], [0, 1, 2])
    assert got == pytest.approx(-2 * np.exp(-50), rel=1e-14, abs=0)


def test_batches_broadcast():
    x = np.random.default_rng(0).normal(size=(3, 1, 5))
    chosen = orders(5, 2)[:7]
    for function in (log_prob_ordered, log_prob_set, unordered_set_weights):
        got = function(x, chosen)
        assert got.shape[:2] == (3, 7)
        for a, b in itertools.product(range(3), range(7)):
            np.testing.assert_array_equal(got[a, b], function(x[a, 0], chosen[b]))
    got = inclusion_weights(x, chosen, -1.0)
    assert got.shape == (3, 7, 2)
    many = inclusion_weights(x[0, 0], chosen[0], [-1.0, 0.0, 2.0])
    np.testing.assert_array_equal(many[0], got[0, 0])
    assert log_prob_set(x, []).shape == (3, 1) and not log_prob_set(x, []).any()
    assert log_prob_ordered(np.zeros((0, 4)), [0]).shape == (0,)
    many = np.tile(chosen, (5000, 1))
    np.testing.assert_array_equal(log_prob_set(x[0, 0], many)[:7], log_prob_set(x[0, 0], chosen))


def test_items_along_another_axis():
    x, chosen = np.random.default_rng(0).normal(size=(5, 3)), orders(5, 2)[:3].T
    for function in OF_CHOSEN:
        want = function(x.T, chosen.T)
        np.testing.assert_array_equal(function(x, chosen, axis=0), want.T)
        np.testing.assert_array_equal(function(x, chosen, axis=-2), want.T)
        np.testing.assert_array_equal(function(x[:, 0], chosen, axis=0), function(x[:, 0], chosen.T).T)


def test_types_come_back_and_are_rounded_once():
    x, chosen = np.random.default_rng(0).normal(size=(4, 6)), orders(6, 3)[:4]
    for function in OF_CHOSEN:
        for dtype in (np.float16, np.float32, np.longdouble):
            low = x.astype(dtype)
            got, want = function(low, chosen), function(low.astype(float), chosen)
            assert got.dtype == dtype and want.dtype == np.float64
            if dtype is np.longdouble:
                np.testing.assert_allclose(got.astype(float), want, rtol=1e-14)
            else:
                np.testing.assert_array_equal(got, want.astype(dtype))
        assert function(np.eye(6, dtype=bool)[0], [0, 1]).dtype == np.float64


def test_masked_items_have_probability_zero():
    assert log_prob_ordered(SPREAD, [0, 1]) == -INF == log_prob_set(SPREAD, [1])
    assert log_prob_set(SPREAD, [0, 2, 3, 4, 5]) == 0 == log_prob_set(SPREAD, [])
    assert log_prob_set(SPREAD, range(6)) == -INF


# --- Draws: the law --------------------------------------------------------------------------------


def ordered(draw, x, k):
    return lambda size, rng: number(draw(x, k, size, rng), len(x))


def race(x, k, size, rng):
    return gumbel_top_k(np.broadcast_to(x, (size, len(x))), k, rng=rng)


def by(method):
    return lambda x, k, size, rng: sample_without_replacement(x, k, size, rng=rng, method=method)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_law_of_the_race(k):
    p = np.exp(log_prob_ordered(np.log(P), orders(4, k)))
    has_frequencies(ordered(race, np.log(P), k), p, effect=0.02, title="top-k")


@pytest.mark.parametrize("method", METHODS)
def test_law_of_both_methods(method):
    x = np.array([3.0, 1.0, -INF, 0.0, 0.0])  # one heavy item: several rounds
    p = np.exp(log_prob_ordered(x, orders(5, 3)))
    has_frequencies(ordered(by(method), x, 3), p, effect=0.04, title=method)


@pytest.mark.parametrize("method", METHODS)
def test_what_underflows_in_a_softmax_is_drawn_in_proportion(method):
    x = np.array([0.0, -2000.0, -2001.0])
    second = np.exp(log_prob_ordered(x, [[0, 1], [0, 2]]))

    def draw(n, rng):
        drawn = sample_without_replacement(x, 2, n, rng=rng, method=method)
        assert (drawn[:, 0] == 0).all()
        return drawn[:, 1] - 1

    has_frequencies(draw, second, effect=0.05, title="far below")


@pytest.mark.parametrize("method", METHODS)
def test_keys_have_the_law_of_the_race(method):
    """The largest key has a Gumbel law; so has the first one by the memory that clocks have not."""
    x = np.append(np.array([4.0, 0.0, 1.0]), np.full(40, -1.0))

    def largest(n, rng):
        return sample_without_replacement_with_keys(x, 3, n, rng=rng, method=method)[1][:, 0]

    def waited(n, rng):
        indices, keys = sample_without_replacement_with_keys(x, 3, n, rng=rng, method=method)
        assert (np.diff(keys) < 0).all()
        first, second = np.exp(-keys[:, 0]), np.exp(-keys[:, 1])
        rate = np.exp(x).sum() - np.exp(x[indices[:, 0]])
        return (second - first) * rate

    has_cdf(largest, lambda g: gumbel_cdf(g, loc=logsumexp(x)), effect=0.05, title="largest key")
    has_cdf(waited, lambda t: -np.expm1(-np.maximum(t, 0)), effect=0.05, title="time between two arrivals")


def test_keys_go_on_where_the_rest_is_raced():
    x = np.array([0.0, -900.0, -901.0, -902.0])  # weights that underflow: the race takes over

    def waited(n, rng):
        indices, keys = sample_without_replacement_with_keys(x, 2, n, rng=rng, method="inverse_cdf")
        rate = logsumexp(x[1:])
        return -(keys[:, 1] - rate)  # the first arrival is no matter

    has_cdf(waited, lambda g: 1 - gumbel_cdf(-g), effect=0.05, title="after the rounds")


def test_many_items_by_cdf():
    n = 10_000
    x = np.where(np.arange(n) % 2, 0.0, 1.0)
    x[:3] = 9.0

    def heavy(size, rng):
        return (sample_without_replacement(x, 5, size, rng=rng) < 3).sum(axis=1)

    def heavy_by_race(size, rng):
        rest = logsumexp(x[3:])
        y = np.concatenate([x[:3], np.full(5, rest - np.log(5))])  # nearly the same: five that are left
        return (gumbel_top_k(np.broadcast_to(y, (size, 8)), 5, rng=rng) < 3).sum(axis=1)

    w, left = np.exp(9.0), np.exp(logsumexp(x[3:]))
    exact = np.zeros((6, 4))  # draws made, heavy ones among them; the light ones are as good as unlimited
    exact[0, 0] = 1
    for made in range(5):
        for h in range(4):
            share = (3 - h) * w / ((3 - h) * w + left)
            exact[made + 1, h] += exact[made, h] * (1 - share)
            if h < 3:
                exact[made + 1, h + 1] += exact[made, h] * share
    has_frequencies(heavy, exact[5], effect=0.06, title="heavy items")
    assert heavy_by_race(10, np.random.default_rng(0)).max() <= 3


# --- Draws: number by number -----------------------------------------------------------------------


SHAPES = [((5,), 3), ((1, 1), 1), ((40, 3), 2), ((3, 200), 10), ((300, 70), 4), ((2, 3, 1000), 100),
          ((4, 129), 129), ((9000, 5), 5), ((70_000,), 7), ((2, 200_000), 50), ((200_000,), 3000)]


@pytest.mark.parametrize("shape, k", SHAPES)
def test_race_is_the_top_k_of_the_perturbed_logits(shape, k):
    logits = 4 * np.random.default_rng(1).normal(size=shape)
    if k < shape[-1]:
        logits[..., -1] = -INF
    noisy = logits + gumbel(shape, rng=7)
    want = np.argsort(-noisy, axis=-1)[..., :k]
    got, keys = gumbel_top_k_with_keys(logits, k, rng=7)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_allclose(keys, np.take_along_axis(noisy, want, -1), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(gumbel_top_k(logits, k, rng=7), want)
    np.testing.assert_array_equal(gumbel_top_k(logits, 1, rng=7)[..., 0], gumbel_max(logits, rng=7))
    for dtype in (np.float16, np.float32, np.longdouble):
        low = logits.astype(dtype)
        want = gumbel_top_k(low.astype(float), k, rng=7)
        np.testing.assert_array_equal(gumbel_top_k(low, k, rng=7), want)


@given(n=st.integers(1, 90), k=st.integers(0, 90), rows=st.integers(0, 5), masked=st.integers(0, 90),
       seed=st.integers(0, 2**32))
def test_any_shape(n, k, rows, masked, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, n)) * 10.0 ** rng.integers(-3, 5)
    for row in x:
        row[rng.permutation(n)[:masked]] = -INF
    for draw in (gumbel_top_k_with_keys, *(partial(sample_without_replacement_with_keys, method=m)
                                           for m in METHODS)):
        if k > n or k and rows and k > n - masked:
            with pytest.raises(ValueError, match=f"k to be at most the number of items.* got {k}"):
                draw(x, k)
            continue
        indices, keys = draw(x, k, rng=seed)
        assert indices.shape == keys.shape == (rows, k) and indices.dtype == np.intp
        assert (np.diff(keys) <= 0).all() and np.isfinite(keys).all()
        assert (np.take_along_axis(x, indices, -1) > -INF).all()
        assert all(len(set(row)) == k for row in indices.tolist())


def test_other_axes_and_sizes():
    x = np.random.default_rng(1).normal(size=(3, 4, 5))
    for axis in (0, 1, -2):
        want = np.moveaxis(gumbel_top_k(np.moveaxis(x, axis, -1), 2, rng=3), -1, axis)
        got, keys = gumbel_top_k_with_keys(x, 2, axis=axis, rng=3)
        np.testing.assert_array_equal(got, want)
        assert np.take_along_axis(x, got, axis).shape == keys.shape
        for method in METHODS:
            drawn = sample_without_replacement(x, 2, (6, 7), axis=axis, rng=3, method=method)
            shape = list(x.shape)
            shape[axis] = 2
            assert drawn.shape == (6, 7, *shape)
    assert sample_without_replacement(x, 2, 0, rng=0).shape == (0, 3, 4, 2)
    assert sample_without_replacement(x, 0, 8, rng=0).shape == (8, 3, 4, 0)
    assert gumbel_top_k(np.zeros((0, 4)), 2).shape == (0, 2) and gumbel_top_k([], 0).shape == (0,)
    assert gumbel_top_k([-INF], 0).shape == (0,)


def test_large_logits_do_not_round_the_order_away():
    gaps = np.array([0.0, -1.0, -2.0])
    p = np.exp(log_prob_ordered(gaps, orders(3, 2)))
    for shift in (1e4, -1e4, 2.0**50):
        for method in METHODS:
            has_frequencies(ordered(by(method), gaps + shift, 2), p, effect=0.05, title="shifted")
    assert (gumbel_top_k(np.tile([-1e4, 1e4, 0.0], (50, 1)), 3, rng=0) == [1, 2, 0]).all()


@pytest.mark.parametrize("draw", [gumbel_top_k,
                                  *(partial(sample_without_replacement, method=m) for m in METHODS)])
def test_what_is_masked_is_not_drawn(draw):
    x = np.zeros((2, 3, 50))
    x[1, 2, 4:] = -INF
    assert set(np.ravel(draw(x, 4, rng=0)[1, 2])) == {0, 1, 2, 3}
    long = np.full(150_000, -INF)
    long[[7, 149_999]] = 0
    assert set(draw(long, 2, rng=1)) == {7, 149_999}


def test_input_is_left_alone_and_no_warning_is_raised():
    for shape in [(5,), (4, 5), (3, 300), (2, 70_000)]:
        x = np.random.default_rng(6).normal(size=shape)
        x[..., 0], x[..., 1] = -INF, -1e308
        before = x.copy()
        x.flags.writeable = False
        with np.errstate(all="raise"):
            gumbel_top_k(x, 3, rng=0)
            for method in METHODS:
                sample_without_replacement(x, 4, 2, rng=0, method=method)
            log_prob_ordered(x, [1, 2]), log_prob_set(x, [1, 2])
            unordered_set_weights(x, [2, 3]), inclusion_weights(x, [1, 2], 0.5)
        np.testing.assert_array_equal(x, before)


def test_an_urn_is_as_it_was_after_a_draw():
    x = np.append([20.0, 15.0], np.zeros(10_000))
    many = sample_without_replacement(x, 30, 50, rng=0)
    assert (many[:, 0] == 0).mean() > 0.9 and all(len(set(row)) == 30 for row in many.tolist())


# --- Parts -----------------------------------------------------------------------------------------


def in_parts(x, k, cuts, rng):
    parts = []
    for start, part in zip(np.append(0, cuts), np.split(x, cuts)):
        indices, keys = gumbel_top_k_with_keys(part, min(k, len(part)), rng=rng)
        parts.append((indices + start, keys))
    return parts


@given(st.integers(0, 2**32))
def test_the_top_of_parts_is_the_top_of_all(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    k, cuts = int(rng.integers(0, n + 1)), np.sort(rng.integers(0, n + 1, rng.integers(0, 6)))
    x = rng.normal(size=n)
    want = gumbel_top_k_with_keys(x, k, rng=seed)
    parts = in_parts(x, k, cuts, np.random.default_rng(seed))  # the same noise, part by part
    got = merge_top_k(parts, k)
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_allclose(got[1], want[1], rtol=1e-12, atol=1e-13)
    order = rng.permutation(len(parts))
    by_two = parts[order[0]]
    for i in order[1:]:
        by_two = merge_top_k([by_two, parts[i]], k)
    np.testing.assert_array_equal(by_two[0], want[0])


def test_law_of_merged_parts():
    x, k = np.log(P), 2

    def draw(n, rng):
        halves = [gumbel_top_k_with_keys(np.broadcast_to(x[part], (n, 2)), k, rng=rng)
                  for part in (slice(2), slice(2, 4))]
        return number(merge_top_k([(i + 2 * h, keys) for h, (i, keys) in enumerate(halves)], k)[0], 4)

    has_frequencies(draw, np.exp(log_prob_ordered(x, orders(4, 2))), effect=0.02, title="merged")


def test_merge_edges():
    one = (np.array([4, 2]), np.array([1.0, 0.0]))
    got = merge_top_k([one], 5)
    assert got[0].tolist() == [4, 2] and got[1].tolist() == [1.0, 0.0]
    assert merge_top_k([one, ([], [])], 1)[0].tolist() == [4]
    assert merge_top_k([([1], [0.0]), ([2], [0.0])], 2)[0].tolist() == [1, 2]


def test_log_softmax_of_what_is_left_is_the_next_draw():
    x = np.random.default_rng(2).normal(size=6)
    for order in orders(6, 3)[::17]:
        steps, left = 0.0, x.copy()
        for i in order:
            steps += log_softmax(left)[i]
            left[i] = -INF
        assert log_prob_ordered(x, order) == pytest.approx(steps, rel=1e-13)


def test_equal_keys_stay_as_they_stand():
    """At -1e20 the numbers are 16384 apart, which is more than any noise."""
    logits = np.full((3, 205), -1e20)
    logits[:, 100:105] = 0
    found = gumbel_top_k(logits, 50, rng=0)
    assert (np.sort(found[:, :5]) == np.arange(100, 105)).all()
    assert (found[:, 5:] == np.arange(45)).all()
