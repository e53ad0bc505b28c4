"""softmaxnotes.gumbel.truncated against mpmath, exact laws, and extreme numbers.

To first order in the unit roundoff u, with F u for the error of each of NumPy's functions: the gap is
log1p(p), whose condition number is at most 1, and p a product of two halves of an exponential, each of
argument exact to u^2, of a share with error F u + u, and of two products more; so 3 F + 6 bounds its error.
The value adds log(s) to a number that is exact, and s is a sum of positive numbers with the errors F u and
(F + 1) u; then comes one rounding: (2 F + 3) u times the largest of 1, the value, and the number.
The bounds that are tested are half of that, which all results keep.
"""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from proofread.evidence.statistics import has_cdf, has_frequencies
from softmaxnotes.gumbel import (
    condition_on_maximum,
    condition_on_maximum_gap,
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    truncated_gumbel,
    truncated_gumbel_cdf,
    truncated_gumbel_gap,
    truncated_gumbel_icdf,
    truncated_gumbel_icdf_gap,
)
from softmaxnotes.softmax import logsumexp, softmax

INF, NAN = np.inf, np.nan
GAP, VALUE = 12, 8  # units roundoff
FAR = (-1e4, -700.0, -50.0, -1.0, 0.0, 1e-9, 0.7, 3.0, 40.0, 700.0, 800.0, 1e4)


def judge(start, share, maximum, values, gaps):
    """`share` is a function of no argument, evaluated at full precision, that gives q."""
    unit = np.finfo(np.asarray(values).dtype).eps / 2
    tiny = np.finfo(np.asarray(gaps).dtype).smallest_normal
    with mp.workdps(60):
        s, top = mp.mpf(float(start)), mp.mpf(float(maximum))
        exact = mp.log1p(mp.exp(top - s) * share())
        assert abs(mp.mpf(float(gaps)) - exact) <= GAP * unit * exact + tiny, (start, maximum)
        size = max(1, abs(top - exact), abs(s))
        assert abs(mp.mpf(float(values)) - (top - exact)) <= VALUE * unit * size, (start, maximum)


# --- Sets that are moved -------------------------------------------------------


def moved_and_gap(g, maximum):
    return condition_on_maximum(g, maximum), condition_on_maximum_gap(g, maximum)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("maximum", FAR)
def test_moved_sets_stay_within_the_bounds(maximum, dtype):
    rng = np.random.default_rng(0)
    for loc in (0.0, -700.0, 500.0, 1e4):
        near = np.nextafter(dtype(loc + 9), dtype(-INF))
        g = np.concatenate([loc + rng.gumbel(size=5), loc - 10.0 ** rng.uniform(-9, 3, 5),
                            [loc + 9.0, near, loc + 9 - 1e-7, -1e4]]).astype(dtype)
        values, gaps = moved_and_gap(g, dtype(maximum))
        assert values.dtype == gaps.dtype == dtype
        for own, value, gap in zip(g, values, gaps):
            judge(own, lambda own=own: -mp.expm1(mp.mpf(float(own)) - mp.mpf(float(g.max()))),
                  dtype(maximum), value, gap)


def test_what_the_usual_forms_lose():
    """Behind the maximum of the set, and below a maximum far away."""
    g = np.array([1e-9, 0.0])
    gap = condition_on_maximum_gap(g, 0.0)
    direct = -np.log(np.exp(-0.0) - np.exp(-g.max()) + np.exp(-g))
    assert gap[1] == pytest.approx(1e-9, rel=1e-8) and abs(direct[1] / 1e-9 + 1) > 1e-8
    g = np.array([3.0, -1.0])
    v = -60 - g[1] + np.log1p(-np.exp(g[1] - g[0]))
    kool = -60 - np.maximum(v, 0) - np.log1p(np.exp(-np.abs(v)))
    values, gap = moved_and_gap(g, -60.0)
    assert kool == values[1] == -60 and gap[1] == pytest.approx(np.exp(-60) * (np.exp(1) - np.exp(-3)))


def test_no_clock_in_time_could_do_it():
    values = condition_on_maximum([-800.0, -801.0, 5.0], -900.0)
    np.testing.assert_allclose(values, -900 - np.log1p([np.exp(-100), np.exp(-99), 0]))
    values, gap = moved_and_gap([5.0, -1e4], 1e4)
    np.testing.assert_allclose(gap, [0, 2e4])
    np.testing.assert_allclose(values, [1e4, -1e4])


finite = st.floats(-1e4, 1e4, allow_subnormal=False)
sets = hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=1, max_side=6),
                  elements=st.one_of(finite, st.integers(-3, 3).map(float), st.just(-INF)))


@settings(max_examples=200)
@given(sets.filter(lambda g: g.max() > -INF), st.one_of(finite, st.sampled_from([-INF, INF, 0.0])))
def test_order_maximum_and_ties(g, maximum):
    values, gap = moved_and_gap(g, maximum)
    assert values.max() == maximum and (values[g == g.max()] == maximum).all()
    assert (gap[g == g.max()] == 0).all() and (gap >= 0).all()
    assert ((values == -INF) == ((g == -INF) | (maximum == -INF))).all()
    if abs(maximum) < INF:
        np.testing.assert_allclose(maximum - gap, values, rtol=1e-14, atol=1e-11)
    g, values = g[g > -INF], values[g > -INF]
    low, high = values[np.argsort(g)][:-1], values[np.argsort(g)][1:]
    assert (low <= high + 1e-15 * (1 + abs(np.sort(g)[1:]))).all()


@settings(max_examples=100)
@given(sets.filter(lambda g: g.max() > -INF), finite)
@example(np.array([0.0, 4e-16]), 30.0)
def test_a_second_move_forgets_the_first(g, maximum):
    g = np.clip(g, -30, 30)
    maximum = np.clip(maximum, -3, 30)
    between = condition_on_maximum(g, 10.0)
    # a value close to 10 was rounded, and a move upwards makes its distance from there larger
    rounded = 2 * np.spacing(30.0) * np.exp(max(maximum - 10, 0))
    np.testing.assert_allclose(condition_on_maximum(between, maximum), condition_on_maximum(g, maximum),
                               rtol=1e-9, atol=1e-9 + rounded)
    np.testing.assert_array_equal(condition_on_maximum(g, g.max())[g == g.max()], g.max())
    np.testing.assert_allclose(condition_on_maximum(g, g.max()), g, rtol=1e-14, atol=1e-14)


def test_batches_axes_and_types():
    g = np.random.default_rng(1).gumbel(size=(4, 3, 5))
    top = np.arange(12.0).reshape(4, 3) - 6
    want = np.array([[condition_on_maximum(g[i, j], top[i, j]) for j in range(3)] for i in range(4)])
    np.testing.assert_array_equal(condition_on_maximum(g, top), want)
    np.testing.assert_array_equal(
        np.moveaxis(condition_on_maximum(np.moveaxis(g, -1, 0), top, axis=0), 0, -1), want)
    np.testing.assert_array_equal(condition_on_maximum(g, top[0])[1], condition_on_maximum(g[1], top[0]))
    np.testing.assert_array_equal(condition_on_maximum_gap(np.moveaxis(g, -1, 0), top, axis=0),
                                  np.moveaxis(condition_on_maximum_gap(g, top), -1, 0))
    assert condition_on_maximum(np.zeros((0, 3)), 1.0).shape == (0, 3)
    assert condition_on_maximum(np.float32([1, 2]), 0.5).dtype == np.float32
    assert condition_on_maximum(np.float32([1, 2]), np.float64(0.5)).dtype == np.float64
    assert condition_on_maximum(np.float16([1, 2]), 1).dtype == np.float16
    assert condition_on_maximum(np.longdouble([1, 2]), 1).dtype == np.longdouble
    assert condition_on_maximum([1, 2], 1).dtype == np.float64
    for own in (g, top):
        own.flags.writeable = False
    moved_and_gap(g, top)  # writes to none of them


def test_what_is_masked_stays_masked():
    values, gap = moved_and_gap([[0.0, -INF], [-INF, -INF]], [1.0, -INF])
    assert values.tolist() == [[1, -INF], [-INF, -INF]] and gap[0].tolist() == [0, INF]
    values, gap = moved_and_gap([0.0, -1.0, -INF], -INF)
    assert (values == -INF).all() and gap.tolist() == [0, 0, INF]
    values, gap = moved_and_gap([0.0, -1.0], INF)
    assert values[0] == INF and gap.tolist() == [0, INF]
    assert values[1] == pytest.approx(-np.log(np.e - 1))


# --- Fresh ones ------------------------------------------------------------------


@pytest.mark.parametrize("maximum", FAR)
def test_quantiles_stay_within_the_bounds(maximum):
    u = np.array([1e-300, 1e-16, 0.1, 0.5, 0.9, 1 - 2.0**-53])
    for loc in (0.0, -700.0, 500.0, 1e4):
        values, gaps = (f(u, maximum, loc=loc) for f in (truncated_gumbel_icdf, truncated_gumbel_icdf_gap))
        for own, value, gap in zip(u, values, gaps):
            judge(loc, lambda own=own: -mp.log(mp.mpf(float(own))), maximum, value, gap)


def test_distribution_function():
    x = np.linspace(-3, 12, 41)
    for loc, top in [(0.0, 1.0), (2.0, -1.0), (-4.0, 40.0), (1.5, INF)]:
        want = gumbel_cdf(np.minimum(x, top), loc=loc) / (gumbel_cdf(top, loc=loc) if top < INF else 1)
        np.testing.assert_allclose(truncated_gumbel_cdf(x, top, loc=loc), want, rtol=1e-13)
        u = np.linspace(0.01, 0.99, 9)
        back = truncated_gumbel_cdf(truncated_gumbel_icdf(u, top, loc=loc), top, loc=loc)
        np.testing.assert_allclose(back, u, rtol=1e-12)
    # where neither factor of the quotient is a number, or both round to 1
    assert truncated_gumbel_cdf(-800.001, -800.0, loc=-790.0) == pytest.approx(
        np.exp(-np.exp(10) * np.expm1(0.001)), rel=1e-10)
    assert truncated_gumbel_cdf(-800 - 1e-9, -800.0) == 0
    assert truncated_gumbel_cdf(39.0, 40.0) == 1 - 0
    np.testing.assert_allclose(truncated_gumbel_icdf([0.2, 0.7], INF), gumbel_icdf([0.2, 0.7]), rtol=1e-15)


def test_limits_and_types_of_the_distribution():
    assert truncated_gumbel_cdf([-INF, 0.0, INF], 0.0).tolist() == [0, 1, 1]
    assert truncated_gumbel_cdf([-INF, INF], INF).tolist() == [0, 1]
    values, gap = truncated_gumbel_icdf([0.0, 1.0], -5.0), truncated_gumbel_icdf_gap([0.0, 1.0], -5.0)
    assert values.tolist() == [-INF, -5] and gap.tolist() == [INF, 0]
    assert np.isnan(truncated_gumbel_cdf([NAN, 0.0], 1.0)).tolist() == [True, False]
    assert np.isnan(truncated_gumbel_icdf([NAN, 0.5], 1.0)).tolist() == [True, False]
    for function in (truncated_gumbel_cdf, truncated_gumbel_icdf):
        for dtype in (np.float16, np.float32, np.longdouble):
            assert function(dtype(0.5), 1.0).dtype == dtype
        assert function(np.zeros((3, 1)), np.zeros(2)).shape == (3, 2)
        with np.errstate(all="raise"):
            function(np.array([0.0, 0.5, 1.0]), -1e4)


def test_fresh_draws_are_the_quantiles_of_their_waits():
    x, top = np.array([0.0, 3.0, -INF, -1e4]), np.array([[1.0], [-50.0], [INF], [-INF]])
    values, gap = truncated_gumbel(x, top, rng=3), truncated_gumbel_gap(x, top, rng=3)
    waits = np.random.default_rng(3).standard_exponential((4, 4))
    assert values.shape == (4, 4) and values.dtype == np.float64
    assert (values[:, 2] == -INF).all() and (gap[:, 2] == INF).all() and (values[3] == -INF).all()
    assert gap[3].tolist() == [0, 0, INF, 0]
    np.testing.assert_allclose(values[2, [0, 1]], x[:2] - np.log(waits[2, :2]), rtol=1e-13)
    for row in range(2):
        for column in (0, 1, 3):
            judge(x[column], lambda at=(row, column): mp.mpf(float(waits[at])), top[row, 0],
                  values[row, column], gap[row, column])
    for draw in (truncated_gumbel, truncated_gumbel_gap):
        for x, top, dtype in ((np.float32(0), np.float32(0), np.float32), (np.float32(0), 0, np.float32),
                              (np.float32(0), np.float64(0), np.float64), (0, 0, np.float64),
                              (np.longdouble(0), 0, np.longdouble)):
            assert draw(x, top, rng=0).dtype == dtype
    assert truncated_gumbel(np.zeros((0, 2)), 1.0, rng=0).shape == (0, 2)
    assert isinstance(truncated_gumbel(0.0, 0.0, rng=0), np.float64)


# --- Laws --------------------------------------------------------------------------

LOGITS = np.array([0.3, -1.0, 2.0, 0.0])


def test_law_of_a_fresh_draw():
    has_cdf(lambda n, rng: truncated_gumbel(np.full(n, 0.5), -0.7, rng=rng),
            lambda v: truncated_gumbel_cdf(v, -0.7, loc=0.5), effect=0.02, title="a fresh draw")


@pytest.mark.parametrize("maximum", [-2.0, 4.0])
def test_law_of_a_moved_set(maximum):
    """Each of the losers has its truncated law, and who wins has not changed."""
    def moved(n, rng):
        return condition_on_maximum(LOGITS + gumbel((n, 4), rng=rng), maximum)

    def losing(n, rng):
        values = moved(2 * n, rng)
        return values[values[:, 1] < maximum][:n, 1]

    has_cdf(losing, lambda v: truncated_gumbel_cdf(v, maximum, loc=-1.0), effect=0.02, title="a loser")
    has_frequencies(lambda n, rng: moved(n, rng).argmax(axis=1), softmax(LOGITS), effect=0.01,
                    title="the winner")


def test_a_random_maximum_gives_the_unconditional_law_back():
    def again(n, rng):
        top = logsumexp(LOGITS) + gumbel(n, rng=rng)
        return condition_on_maximum(LOGITS + gumbel((n, 4), rng=rng), top)[:, 2]

    has_cdf(again, lambda v: gumbel_cdf(v, loc=2.0), effect=0.02, title="a random maximum")
