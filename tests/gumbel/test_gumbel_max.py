"""softmaxnotes.gumbel.gumbel_max against mpmath, exact laws, and extreme random numbers.

The bounds for the three special functions, to first order in the unit roundoff u: NumPy
documents at most 3 or so units in the last place for exp, log and log1p, so each adds at
most F u to the relative error of its result, F = 6.

* log density: -z - e^-z has the absolute error (F e^-z + |result|) u.
* distribution function: exp(-t), t = e^-z, has the relative error (F t + F) u.
* quantile: near 1/e, d = u - 1/e has the relative error 2u (a subtraction that is exact, one
  that isn't), and the division 1u more; log1p(e d) and log1p(delta) then have condition numbers
  below 2 on (0.2, 0.6), so F + 2 (F + 2 * 3) in all; elsewhere -log u has the relative error F u,
  which is the absolute error F u of the outer logarithm, so (F + F / |g|) u, and |g| > 0.45 there.
"""

import functools
import itertools
import math

import mpmath as mp
import numpy as np
import pytest
import torch
from scipy import stats

from proofread.evidence.statistics import has_cdf, has_frequencies
from softmaxnotes.gumbel import (
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    gumbel_log_prob,
    gumbel_max,
    sample_categorical,
)
from softmaxnotes.softmax import softmax

F, U = 6, 2.0**-53
INF, NAN = np.inf, np.nan
ALMOST_ONE = 1 - 2.0**-53
DISTRIBUTION = (gumbel_log_prob, gumbel_cdf, gumbel_icdf)
SAMPLERS = [gumbel_max, sample_categorical, functools.partial(sample_categorical, method="gumbel_max")]


class Scripted(np.random.Generator):
    """A generator whose numbers are given."""

    def __init__(self, *values):
        super().__init__(np.random.PCG64(0))
        self.values = itertools.cycle(values)

    def random(self, size=None):
        return np.fromiter(self.values, float, math.prod(np.atleast_1d(size))).reshape(size)

    standard_exponential = random


# --- Density, distribution function, quantile -----------------------------------


def exactly(function, z):
    with mp.workdps(60):
        z = mp.mpf(float(z))
        if function is gumbel_log_prob:
            return -z - mp.exp(-z)
        return mp.exp(-mp.exp(-z)) if function is gumbel_cdf else -mp.log(-mp.log(z))


def bound(function, z, exact):
    with mp.workdps(60):
        if function is gumbel_log_prob:
            return F * mp.exp(-mp.mpf(float(z))) + abs(exact) + abs(mp.mpf(float(z)))
        if function is gumbel_cdf:
            return (F + F * mp.exp(-mp.mpf(float(z)))) * exact
        return (F + 2 * (F + 6) if 0.2 < z < 0.6 else F + F / abs(exact)) * abs(exact)


REALS = [-6.6, -6.0, -3.0, -1.0, -0.5671432904097838, -1e-9, 0.0, 1e-300, 0.5, 1.0, 20.0, 37.0, 700.0,
         800.0, 1e300]
SHARES = [5e-324, 1e-300, 1e-16, 0.1, 0.2, np.nextafter(0.2, 1), 0.36, np.exp(-1),
          np.nextafter(np.exp(-1), 0), np.nextafter(np.exp(-1), 1), 0.3679, 0.5, np.nextafter(0.6, 0), 0.6,
          0.9, 1 - 1e-9, ALMOST_ONE]


@pytest.mark.parametrize("function", DISTRIBUTION)
def test_special_functions_stay_within_the_bound(function):
    rng = np.random.default_rng(1)
    if function is gumbel_icdf:
        z = np.concatenate([SHARES, rng.random(400), np.exp(-1) * (1 + 10.0 ** rng.uniform(-16, -1, 200))])
    else:
        z = np.concatenate([REALS, rng.uniform(-6, 40, 400)])
    for point, got in zip(z, function(z)):
        exact = exactly(function, point)
        allowed = 1.01 * U * bound(function, point, exact) + 5e-324
        assert abs(mp.mpf(float(got)) - exact) <= allowed, (point, got)


def test_quantile_keeps_its_digits_at_the_zero_where_the_formula_does_not():
    u = np.nextafter(np.exp(-1), 1)
    exact = float(exactly(gumbel_icdf, u))
    assert gumbel_icdf(u) == pytest.approx(exact, rel=18 * U, abs=0)
    assert abs(-np.log(-np.log(u)) / exact - 1) > 0.01


def test_limits():
    assert gumbel_log_prob([-INF, -1e4, INF]).tolist() == [-INF, -INF, -INF]
    assert gumbel_cdf([-INF, -1e4, 1e4, INF]).tolist() == [0, 0, 1, 1]
    assert gumbel_icdf([0, 1]).tolist() == [-INF, INF]
    for function in DISTRIBUTION:
        assert np.isnan(function([0.5, NAN])).tolist() == [False, True]
        assert function([]).shape == (0,)


def test_location_and_scale_broadcast():
    x, loc, scale = np.linspace(-3, 9, 7), np.array([[1.0], [-2.0]]), np.array([[[0.5]], [[2.0]]])
    law = stats.gumbel_r(loc, scale)
    assert gumbel_cdf(x, loc=loc, scale=scale).shape == (2, 2, 7)
    # SciPy's own error, and one rounding of z that the condition number magnifies
    np.testing.assert_allclose(gumbel_cdf(x, loc=loc, scale=scale), law.cdf(x), rtol=1e-10)
    np.testing.assert_allclose(gumbel_log_prob(x, loc=loc, scale=scale), law.logpdf(x), rtol=1e-12)
    u = np.linspace(0.01, 0.99, 7)
    np.testing.assert_allclose(gumbel_icdf(u, loc=loc, scale=scale), law.ppf(u), rtol=1e-12)
    back = gumbel_cdf(gumbel_icdf(u, loc=3.0, scale=0.1), loc=3.0, scale=0.1)
    np.testing.assert_allclose(back, u, rtol=1e-12)


@pytest.mark.parametrize("function", DISTRIBUTION)
def test_types_are_kept_and_rounded_once(function):
    x = np.linspace(0.01, 0.99, 40)
    for dtype in (np.float16, np.float32, np.longdouble):
        got = function(x.astype(dtype))
        assert got.dtype == dtype
        if dtype is not np.longdouble:
            np.testing.assert_array_equal(got, function(x.astype(dtype).astype(float)).astype(dtype))
    assert function(1).dtype == np.float64 and isinstance(function(0.5), np.float64)
    with np.errstate(all="raise"):
        function(np.array([0.0, 1.0], np.float32))


def test_what_is_no_argument_of_the_distribution():
    for bad in (-1e-300, 1.0000001, -INF, INF):
        with pytest.raises(ValueError, match=r"u in \[0, 1\]"):
            gumbel_icdf([0.5, bad])
    for function in DISTRIBUTION:
        for bad in (0.0, -1.0, NAN, INF):
            with pytest.raises(ValueError, match="scale"):
                function(0.5, scale=bad)
        for bad in (NAN, INF, -INF):
            with pytest.raises(ValueError, match="loc"):
                function(0.5, loc=bad)
        with pytest.raises(TypeError):
            function(1j)


# --- Noise -----------------------------------------------------------------------


def test_noise_is_the_logarithm_of_double_precision_exponentials():
    e = np.random.default_rng(3).standard_exponential((40, 5))
    np.testing.assert_array_equal(gumbel((40, 5), rng=3), -np.log(e))
    loc, scale = np.arange(5.0), np.array(2.5)
    np.testing.assert_array_equal(gumbel((40, 5), loc=loc, scale=scale, rng=3), -np.log(e) * 2.5 + loc)
    assert gumbel((2, 3), loc=np.zeros(3, np.float32), rng=0).dtype == np.float64


def test_law_of_the_noise():
    has_cdf(lambda n, rng: gumbel(n, rng=rng), gumbel_cdf, effect=0.01, title="noise")
    has_cdf(lambda n, rng: gumbel(n, loc=-3, scale=0.2, rng=rng), stats.gumbel_r(-3, 0.2).cdf,
            effect=0.02, title="noise")


def test_shape_of_the_noise():
    assert isinstance(gumbel(rng=0), np.float64) and gumbel((), rng=0).shape == ()
    assert gumbel(loc=np.zeros((2, 1)), scale=np.ones(3), rng=0).shape == (2, 3)
    assert gumbel(0).shape == (0,) and gumbel((2, 0)).shape == (2, 0)
    assert gumbel(np.int64(4), loc=np.zeros(1)).shape == (4,)
    with pytest.raises(ValueError, match=r"loc and scale of shape \(3,\) don't broadcast to size \(1,\)"):
        gumbel(1, loc=np.zeros(3))
    with pytest.raises(ValueError):
        gumbel(2, loc=np.zeros(3))
    for bad in (2.0, "a", (2, 1.5)):
        with pytest.raises(TypeError, match="size must be"):
            gumbel(bad)
    with pytest.raises(ValueError, match="negative"):
        gumbel((2, -1))


def test_location_at_infinity_stays_there_and_nonsense_is_refused():
    assert gumbel(loc=[-INF, INF], rng=0).tolist() == [-INF, INF]
    with pytest.raises(ValueError, match="NaN"):
        gumbel(loc=NAN)
    for bad in (0, -1, NAN, INF):
        with pytest.raises(ValueError, match="scale"):
            gumbel(scale=[1.0, bad])


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
@pytest.mark.parametrize("k", [4, 300])
def test_slices_without_a_distribution_are_named(sampler, k):
    x = np.zeros((2, 3, k))
    x[1, 2] = -INF
    with pytest.raises(ValueError, match=r"every logit of slice \(1, 2\) is -inf"):
        sampler(x)
    x[1, 1, 3] = NAN
    with pytest.raises(ValueError, match=r"slice \(1, 1\) is NaN"):
        sampler(x)
    with pytest.raises(ValueError, match=r"slice \(\) is NaN"):
        sampler([NAN, INF, -INF])
    with pytest.raises(ValueError, match=r"slice \(70000,\)"):
        many = np.zeros((70_001, 2))
        many[-1] = -INF
        sampler(many)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_shapes_types_and_empty(sampler):
    assert isinstance(sampler([0.0, 1.0]), np.intp)
    for shape in [(1,), (4, 3), (2, 0, 3), (0, 3), (0, 400), (2, 3, 400)]:
        got = sampler(np.zeros(shape), rng=0)
        assert got.shape == shape[:-1] and got.dtype == np.intp
    for shape in [(0,), (3, 0), (0, 0)]:
        with pytest.raises(ValueError, match="no categories"):
            sampler(np.zeros(shape))
    for dtype in (bool, np.int8, np.uint64, ">f4"):
        assert sampler(np.array([0, 1], dtype)) in (0, 1)
    for bad in ([1j, 2], ["a"], [None], np.ma.array([1.0, 2.0], mask=[0, 1])):
        with pytest.raises(TypeError):
            sampler(bad)
    with pytest.raises(np.exceptions.AxisError):
        sampler(3.0)
    with pytest.raises(np.exceptions.AxisError):
        sampler([1.0], axis=1)
    for bad in (None, (0,), 0.0):
        with pytest.raises(TypeError, match="axis"):
            sampler([1.0], axis=bad)


def test_size():
    for method in ("inverse_cdf", "gumbel_max"):
        draw = functools.partial(sample_categorical, rng=0, method=method)
        for k in (3, 300):
            x = np.zeros((4, 2, k))
            for size, lead in [(None, ()), ((), ()), (5, (5,)), ((5, 6), (5, 6)), (0, (0,)),
                               ((3, 0), (3, 0)), (np.int8(2), (2,))]:
                assert draw(x, size).shape == (*lead, 4, 2)
            assert draw(x[0, 0], 3).shape == (3,) and draw(x[:0], 3).shape == (3, 0, 2)
        for bad in (2.0, "a", [1.5]):
            with pytest.raises(TypeError, match="size must be"):
                draw([0.0, 1.0], bad)
        with pytest.raises(ValueError, match="negative"):
            draw([0.0, 1.0], -1)
        with pytest.raises(ValueError, match="NaN"):
            draw([NAN], 0)
    with pytest.raises(ValueError, match="method must be one of auto, inverse_cdf, gumbel_max, got 'alias'"):
        sample_categorical([0.0], method="alias")


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
