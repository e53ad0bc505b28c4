"""softmaxnotes.gumbel.gumbel_max against mpmath, exact laws, and extreme random numbers."""

import functools
import itertools
import math

import mpmath as mp
import numpy as np
import pytest
import torch

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.gumbel import gumbel, gumbel_max, sample_categorical
from softmaxnotes.softmax import softmax

U = 2.0**-53
INF = np.inf
ALMOST_ONE = 1 - 2.0**-53
SAMPLERS = [gumbel_max, sample_categorical, functools.partial(sample_categorical, method="gumbel_max")]


class Scripted(np.random.Generator):
    """A generator whose numbers are given."""

    def __init__(self, *values):
        super().__init__(np.random.PCG64(0))
        self.values = itertools.cycle(values)

    def random(self, size=None):
        return np.fromiter(self.values, float, math.prod(np.atleast_1d(size))).reshape(size)

    standard_exponential = random


def test_an_exponential_that_is_zero_is_drawn_again():
    noise = gumbel(3, rng=Scripted(0.0, 1.0, 0.0, 0.0, 0.5, 2.0))
    np.testing.assert_array_equal(noise, -np.log([2.0, 1.0, 0.5]))
    # otherwise 0 / 0 would win for the masked category
    assert gumbel_max([-INF, 0.0], rng=Scripted(0.0, 1.0)) == 1


def test_a_seed_repeats_and_a_generator_moves_on():
    for sampler in (gumbel, lambda size, rng: sample_categorical(np.zeros(99), size, rng=rng)):
        np.testing.assert_array_equal(sampler(20, rng=5), sampler(20, rng=5))
        rng = np.random.default_rng(5)
        assert (sampler(20, rng=rng) != sampler(20, rng=rng)).any()
        assert (sampler(20, rng=None) != sampler(20, rng=None)).any()


# --- Both samplers: the law --------------------------------------------------------


PEAKED = np.array([3.0, 1.0, -INF, 0.0, -2.0])
WIDE = 3 * np.sin(np.arange(300.0))
WIDE[::7] = -INF


def one_per_row(logits, **options):
    def draw(n, rng):
        return sample_categorical(np.broadcast_to(logits, (n, len(logits))), rng=rng, **options)

    return draw


def many_of_one(logits, **options):
    return lambda n, rng: sample_categorical(logits, n, rng=rng, **options)


def a_few_of_each_row(logits):
    def draw(n, rng):
        rows = np.broadcast_to(logits, (-(-n // 7), len(logits)))
        return sample_categorical(rows, 7, rng=rng).reshape(-1)[:n]

    return draw


LAWS = {
    "short rows": (one_per_row(PEAKED), PEAKED, 0.01),
    "short rows, a few of each": (a_few_of_each_row(PEAKED), PEAKED, 0.01),
    "one short row": (many_of_one(PEAKED), PEAKED, 0.005),
    "table": (one_per_row(WIDE), WIDE, 0.04),
    "table, a few of each": (a_few_of_each_row(WIDE), WIDE, 0.02),
    "many draws": (many_of_one(WIDE), WIDE, 0.005),
    "many draws in chunks": (lambda n, rng: np.concatenate(
        [sample_categorical(WIDE, 1000, rng=rng) for _ in range(-(-n // 1000))])[:n], WIDE, 0.02),
    "wider than the draws": (lambda n, rng: np.concatenate(
        [sample_categorical(np.append(WIDE, np.full(60_000, -INF)), 200, rng=rng)
         for _ in range(-(-n // 200))])[:n], WIDE, 0.05),
    "race": (lambda n, rng: gumbel_max(np.broadcast_to(PEAKED, (n, 5)), rng=rng), PEAKED, 0.01),
    "race, many of one": (many_of_one(PEAKED, method="gumbel_max"), PEAKED, 0.01),
    "race, wide": (many_of_one(WIDE, method="gumbel_max"), WIDE, 0.04),
}


@pytest.mark.parametrize("case", LAWS)
def test_law(case):
    draw, logits, effect = LAWS[case]
    has_frequencies(draw, softmax(logits), effect=effect, title=case)


@pytest.mark.parametrize("method", ["inverse_cdf", "gumbel_max"])
@pytest.mark.parametrize("logits", [np.array([0.0, 1.0]), np.append(np.full(200, -INF), [0.0, 1.0])])
def test_draws_of_one_distribution_are_independent_in_their_order(logits, method):
    def pairs(n, rng):
        k = sample_categorical(logits, 2 * n, rng=rng, method=method) - (len(logits) - 2)
        return 2 * k[::2] + k[1::2]

    p = softmax(np.array([0.0, 1.0]))
    has_frequencies(pairs, np.outer(p, p).ravel(), effect=0.02, title="pairs")


def test_rows_are_independent():
    for k in (2, 200):
        logits = np.full((2, k), -INF)
        logits[:, -2:] = [0.0, 1.0]

        def pairs(n, rng):
            a, b = sample_categorical(logits, n, rng=rng).T - (k - 2)
            return 2 * a + b

        p = softmax(np.array([0.0, 1.0]))
        has_frequencies(pairs, np.outer(p, p).ravel(), effect=0.05, title="rows")


def test_large_logits_do_not_round_the_noise_away():
    gaps = np.array([0.0, -1.0, -2.0])
    for shift in (1e4, -1e4, 2.0**50):
        for sampler in SAMPLERS[1:]:
            has_frequencies(lambda n, rng: sampler(gaps + shift, n, rng=rng), softmax(gaps),
                            effect=0.02, title="shifted logits")
    assert (gumbel_max(np.tile([1e4, -1e4, 0.0], (100, 1)), rng=0) == 0).all()
    assert (sample_categorical([1e308, -1e308], 100, rng=0) == 0).all()


# --- The inverse of the distribution function, number by number -----------------------


@pytest.mark.parametrize("k", [1, 2, 3, 5, 64, 127, 128])
def test_short_rows_invert_the_distribution_function(k):
    logits = np.random.default_rng(k).normal(size=k)
    cdf = [mp.fsum(mp.exp(v) for v in logits[: i + 1]) for i in range(k)]
    u = (np.arange(500) + 0.5) / 500
    got = sample_categorical(np.tile(logits, (500, 1)), rng=Scripted(*u))
    for share, index in zip(u, got):
        slack = (4 * k + 20) * U  # see the docstring of sample_categorical
        assert index == 0 or cdf[index - 1] / cdf[-1] <= share + slack
        assert share - slack < cdf[index] / cdf[-1]


@pytest.mark.parametrize("n", [100_000, 2**17 + 3])
@pytest.mark.parametrize("k", [2, 9, 300, 5000])
def test_many_draws_invert_the_distribution_function(n, k):
    """With more draws than categories the table has one line: no second uniform number."""
    for logits in (np.random.default_rng(k).normal(size=k), -0.5 * np.arange(k), 0.5 * np.arange(k)):
        u = np.random.default_rng(0).random(n)
        c = np.cumsum(np.exp(logits - logits.max()))
        got = sample_categorical(logits, n, rng=Scripted(*u))
        np.testing.assert_array_equal(got, np.searchsorted(c, u * c[-1], side="right"))


@pytest.mark.parametrize("size", [None, 3, 40_000])
@pytest.mark.parametrize("k", [1, 2, 127, 128, 129, 131, 1000, 1024, 70_001])
def test_a_single_admissible_category_is_drawn_wherever_it_is(k, size):
    for place in {0, k // 3, k - 1}:
        logits = np.full(k, -INF)
        logits[place] = -1e5
        for extreme in (0.0, 0.5, ALMOST_ONE):
            got = sample_categorical(logits, size and min(size, 2000), rng=Scripted(extreme))
            assert (got == place).all()
    every = np.where(np.eye(min(k, 131), k, dtype=bool), 0, -INF)
    want = np.arange(len(every))
    got = sample_categorical(every, size and min(size, 300), rng=0)
    np.testing.assert_array_equal(got, np.broadcast_to(want, got.shape))
    np.testing.assert_array_equal(gumbel_max(every, rng=0), want)


@pytest.mark.parametrize("u", [0.0, 2.0**-53, ALMOST_ONE])
@pytest.mark.parametrize("size", [None, 2, 30_000])
@pytest.mark.parametrize("k", [4, 128, 200, 33 * 32, 50_000])
def test_a_category_of_probability_zero_is_never_drawn(k, size, u):
    rng = np.random.default_rng(k)
    for _ in range(3):
        logits = np.where(rng.random(k) < 0.5, rng.normal(size=k), -INF)
        logits[[0, -1]] = -INF
        logits[k // 2] = 3.0
        logits[k // 2 + 1] = -1e6  # finite, but its weight underflows
        got = np.unique(sample_categorical(logits, size, rng=Scripted(u)))
        assert (logits[got] > -1e5).all()
        for v in (0.0, ALMOST_ONE):
            assert (logits[np.unique(sample_categorical(logits, size, rng=Scripted(u, v)))] > -1e5).all()


@pytest.mark.parametrize("size, rare, sure", [(None, 5, 1000), (1001, 1000, 1)])
def test_subnormal_totals_do_not_let_a_masked_category_through(size, rare, sure):
    """u * total can round up to a total that is subnormal; u = 0 in the first step leads there.

    The rare category stands in the first group of either size, among masked ones.
    """
    logits = np.full(4000, -INF)
    logits[rare], logits[sure] = -744.0, 0.0
    got = sample_categorical(logits, size, rng=Scripted(0.0, ALMOST_ONE))
    assert set(np.ravel(got).tolist()) == ({rare} if size is None else {rare, sure})


# --- The race, number by number ---------------------------------------------------------


@pytest.mark.parametrize("shape", [(5,), (1, 1), (40, 3), (70_000, 2), (3, 200), (2, 3, 150_000), (4, 129)])
def test_race_is_the_maximum_of_the_perturbed_logits(shape):
    logits = 4 * np.random.default_rng(1).normal(size=shape)
    logits[..., :1] = -INF if shape[-1] > 1 else 0
    want = (logits + gumbel(shape, rng=7)).argmax(-1)
    np.testing.assert_array_equal(gumbel_max(logits, rng=7), want)
    np.testing.assert_array_equal(sample_categorical(logits, rng=7, method="gumbel_max"), want)
    for dtype in (np.float16, np.float32, np.longdouble):
        low = logits.astype(dtype)
        want = (low.astype(float) + gumbel(shape, rng=7)).argmax(-1)
        np.testing.assert_array_equal(gumbel_max(low, rng=7), want)


def test_race_over_another_axis():
    logits = np.random.default_rng(1).normal(size=(3, 4, 5))
    for sampler in SAMPLERS:
        for axis in (0, 1, -2):
            want = sampler(np.moveaxis(logits, axis, -1), rng=3)
            np.testing.assert_array_equal(sampler(logits, axis=axis, rng=3), want)
    want = sample_categorical(logits.transpose(0, 2, 1), (2, 6), rng=3)
    np.testing.assert_array_equal(sample_categorical(logits, (2, 6), axis=1, rng=3), want)


# --- Policies ---------------------------------------------------------------------------


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("k", [3, 300])
def test_infinities_are_limits(sampler, k):
    row = np.zeros(k)
    row[:3] = [-INF, INF, 5]
    assert (sampler(np.tile(row, (200, 1)), rng=0) == 1).all()
    row[2] = INF
    assert np.unique(sampler(np.tile(row, (200, 1)), rng=0)).tolist() == [1, 2]
    has_frequencies(lambda n, rng: sampler(np.tile(row, (n, 1)), rng=rng) - 1, [0.5, 0.5],
                    effect=0.1, title="ties at infinity")


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_shapes_types_and_empty(sampler):
    assert isinstance(sampler([0.0, 1.0]), np.intp)
    for shape in [(1,), (4, 3), (2, 0, 3), (0, 3), (0, 400), (2, 3, 400)]:
        got = sampler(np.zeros(shape), rng=0)
        assert got.shape == shape[:-1] and got.dtype == np.intp
    for dtype in (bool, np.int8, np.uint64, ">f4"):
        assert sampler(np.array([0, 1], dtype)) in (0, 1)


def test_size():
    for method in ("inverse_cdf", "gumbel_max"):
        draw = functools.partial(sample_categorical, rng=0, method=method)
        for k in (3, 300):
            x = np.zeros((4, 2, k))
            for size, lead in [(None, ()), ((), ()), (5, (5,)), ((5, 6), (5, 6)), (0, (0,)),
                               ((3, 0), (3, 0)), (np.int8(2), (2,))]:
                assert draw(x, size).shape == (*lead, 4, 2)
            assert draw(x[0, 0], 3).shape == (3,) and draw(x[:0], 3).shape == (3, 0, 2)


def test_input_is_left_alone_and_no_warning_is_raised():
    for shape in [(5,), (4, 5), (3, 300), (2, 70_000)]:
        x = np.random.default_rng(6).normal(size=shape)
        x[..., 0], x[..., 1] = -INF, -1e308
        before = x.copy()
        with np.errstate(all="raise"):
            for sampler in SAMPLERS:
                sampler(x, rng=0)
            sample_categorical(x, 1000, rng=0)
        np.testing.assert_array_equal(x, before)
        x.flags.writeable = False
        gumbel_max(x), sample_categorical(x)


def test_more_categories_than_torch_takes():
    n = 2**24 + 1
    logits = np.full(n, -40.0, np.float32)
    logits[[0, -1]] = 0
    with pytest.raises(RuntimeError):
        torch.multinomial(torch.zeros(n), 1)
    got = sample_categorical(logits, 200, rng=0)  # each half with probability 1/2 - 3.6e-11
    assert set(got.tolist()) == {0, n - 1}
    assert sample_categorical(logits, rng=0) in (0, n - 1) and gumbel_max(logits, rng=0) in (0, n - 1)


def test_gaps_of_float32_logits_are_double_precision():
    logits = np.array([1.7, 0.001], np.float32)
    share = softmax(logits.astype(float))[0]
    assert float(logits[0] - logits[1]) != float(logits[0]) - float(logits[1])
    u = share + np.linspace(-1e-8, 1e-8, 1001)
    for x in (logits, np.append(logits, np.full(200, -INF, np.float32))):
        got = sample_categorical(np.tile(x, (1001, 1)), rng=Scripted(*u))
        want = sample_categorical(np.tile(x.astype(float), (1001, 1)), rng=Scripted(*u))
        np.testing.assert_array_equal(got, want)
        assert len(set(want.tolist())) == 2


def test_float32_logits_are_summed_in_double_precision():
    """A float32 sum of 2^25 ones stops at 2^24: the second half would never be drawn."""
    n = 2**25
    where = sample_categorical(np.zeros(n, np.float32), 4000, rng=1) // (n // 2)
    has_frequencies(lambda m, rng: where[:m], [0.5, 0.5], effect=0.13, title="halves")
