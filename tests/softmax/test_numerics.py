"""softmaxnotes.softmax.numerics against 50-digit arithmetic, an a-priori error bound, and its policies.

The bound, to first order in the unit roundoff u. Let g_k = m - x_k be the gaps to
the maximum.

* A computed gap has the relative error u, 2u with a temperature; so exp(-g_k) has
  the relative error (c g_k + F) u, with c = 1 or 2, where F u covers the elementary
  functions: NumPy documents at most 3 or so units in the last place, F = 6.
* Adding K positive numbers costs at most d u relative to their sum, with d the
  longest chain of additions that a summand goes through: K - 1 one after the
  other, and NumPy's pairwise summation goes through at most 26 + log2(K / 128).

The weight r of the others thus has the absolute error
u (c sum_j w_j g_j + (F + d) r), and log1p(r) the one that `log_total_error` states.
"""

import itertools
from functools import partial

import mpmath as mp
import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from softmaxnotes.experiments.softmax.numerics import descend_gently, descend_longer
from softmaxnotes.softmax import log_softmax, logsumexp, online_logsumexp, softmax

F = 6
INF, NAN = np.inf, np.nan
approx = partial(pytest.approx, abs=0)
repeated = settings(max_examples=60, derandomize=True)
FUNCTIONS = (logsumexp, softmax, log_softmax)
SHIFT_LIKE = (softmax, log_softmax)


def additions(k):
    return min(k, 26 + np.log2(max(k / 128, 1)))


class Exact:
    """The three functions in 50 digits, with the error bounds for one vector."""

    def __init__(self, x, temperature=1.0):
        with mp.workdps(50):
            temperature_mp = mp.mpf(float(temperature))
            x = [mp.mpf(float(v)) for v in x]
            self.m = max(x)
            self.gaps = [(self.m - v) / temperature_mp for v in x]
            w = [mp.exp(-g) for g in self.gaps]
            first = x.index(self.m)
            self.r = mp.fsum(v for i, v in enumerate(w) if i != first)
            self.lse = self.m / temperature_mp + mp.log1p(self.r)
            self.log_softmax = [-g - mp.log1p(self.r) for g in self.gaps]
            self.softmax = [v / (1 + self.r) for v in w]
            self.mean_gap = mp.fsum(p * g for p, g in zip(self.softmax, self.gaps))
        self.c, self.d = (1 if temperature == 1 else 2), additions(len(x))

    def log_total_error(self):
        share = self.r / (1 + self.r)
        return self.c * self.mean_gap + (F + self.d) * share + F * mp.log1p(self.r)

    def lse_bound(self):
        return self.log_total_error() + abs(self.lse)

    def log_softmax_bound(self, k):
        return self.log_total_error() + self.c * self.gaps[k] + abs(self.log_softmax[k])

    def softmax_bound(self, k):
        relative = self.c * self.gaps[k] + F + self.c * self.mean_gap + F + self.d + 1
        return relative * self.softmax[k]


def within(got, exact, bound, dtype):
    """|got - exact| <= bound u, with 1 % for the higher orders, or half a subnormal."""
    info = np.finfo(dtype)
    slack = 1.01 * bound * float(info.eps) / 2 + 4 * mp.mpf(float(info.smallest_subnormal))
    return abs(mp.mpf(float(got)) - exact) <= slack


def check_vector(x, lse=None, p=None, log_p=None):
    exact = Exact(x)
    if lse is not None:
        assert within(lse, exact.lse, exact.lse_bound(), x.dtype)
    for k in range(len(x)):
        if p is not None:
            assert within(p[k], exact.softmax[k], exact.softmax_bound(k), x.dtype), (x, k)
        if log_p is not None:
            assert within(log_p[k], exact.log_softmax[k], exact.log_softmax_bound(k), x.dtype), (x, k)


ADVERSARIAL = [
    [0.0, -40.0],
    [0.0, -80.0, -81.0],
    [-40.0, 0.0, 0.0],
    [1000.0, 1000.0, 999.0],
    [-1000.0, -1000.5],
    [1e15, 1e15 - 1, 1e15 - 40],
    [1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 0)],
    [-np.log(2), -np.log(2)],
    [1e-300, 0.0, -1e-300],
    [0.0] + [-36.0] * 50,
    [0.0, -700.0, -740.0],
    [3e37, -3e37],
    [5.0],
    [0.0] * 7,
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("x", ADVERSARIAL)
def test_adversarial_vectors_stay_within_the_bound(x, dtype):
    x = np.array(x, dtype)
    check_vector(x, logsumexp(x), softmax(x), log_softmax(x))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 3), (4, 17), (40, 2), (40, 10), (40, 16), (20, 40), (2, 1000)])
@pytest.mark.parametrize("scale", [0.01, 1.0, 20.0])
def test_random_batches_stay_within_the_bound(shape, scale, dtype):
    """Few categories, many, short and long batches: every layout that is used inside."""
    rng = np.random.default_rng([*shape, int(100 * scale)])
    x = (scale * rng.normal(size=shape) + rng.normal()).astype(dtype)
    x[0] = np.round(x[0])  # ties
    lse, p, log_p = logsumexp(x), softmax(x), log_softmax(x)
    for i in range(len(x)):
        check_vector(x[i], lse[i], p[i], log_p[i])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_dominating_category_in_every_layout(dtype):
    for shape in [(2,), (3, 2), (50, 2), (50, 16), (50, 17), (5, 40000), (3, 200000)]:
        x = np.full(shape, -45.0, dtype)
        x[..., 1] = 0
        r = (shape[-1] - 1) * np.exp(-45.0)
        bound = (45 + 3 * F + additions(shape[-1]) + 2) * np.finfo(dtype).eps / 2
        np.testing.assert_allclose(logsumexp(x), np.full(shape[:-1], r), rtol=bound)
        np.testing.assert_allclose(log_softmax(x)[..., 1], np.full(shape[:-1], -r), rtol=bound)


@pytest.mark.parametrize("function", [softmax, log_softmax])
@pytest.mark.parametrize("temperature", [0.1, 0.7, 2.0, 30.0])
def test_temperature_within_the_bound(function, temperature):
    for x in ([0.0, -4.0, -4.5], [100.0, 99.0, 30.0, 30.0], [1e-3, 2e-3]):
        exact = Exact(x, temperature)
        got = function(x, temperature=temperature)
        for k, value in enumerate(got):
            if function is softmax:
                assert within(value, exact.softmax[k], exact.softmax_bound(k), np.float64)
            else:
                assert within(value, exact.log_softmax[k], exact.log_softmax_bound(k), np.float64)


def test_extreme_numbers_and_temperatures():
    big = np.finfo(float).max
    assert softmax([big, -big]).tolist() == [1, 0]
    assert logsumexp([big, -big]) == big
    assert log_softmax([big, -big]).tolist() == [0, -INF]
    np.testing.assert_allclose(log_softmax([1.5e308, -1.5e308], temperature=2.0), [0, -1.5e308], rtol=1e-15)
    np.testing.assert_allclose(
        softmax([1e308, -1e308], temperature=1e308), scipy.special.softmax([1.0, -1.0]), rtol=1e-15
    )
    assert softmax([3.0, 3.0, 2.0], temperature=1e-300).tolist() == [0.5, 0.5, 0]
    assert softmax([3.0, -3.0], temperature=1e300).tolist() == [0.5, 0.5]


# --- What others get wrong ---------------------------------------------------


def test_log_softmax_of_a_dominating_category_where_scipy_and_torch_return_zero():
    x = [0.0, -40.0]
    assert log_softmax(x)[0] == approx(-np.exp(-40.0), rel=1e-15)
    assert scipy.special.log_softmax(x)[0] == 0
    assert torch.log_softmax(torch.tensor(x, dtype=torch.float64), -1)[0] == 0


def test_logsumexp_of_a_dominating_category_where_torch_returns_zero():
    x = [0.0, -40.0]
    assert logsumexp(x) == approx(np.exp(-40.0), rel=1e-15)
    assert scipy.special.logsumexp(x) == approx(np.exp(-40.0), rel=1e-15)
    assert torch.logsumexp(torch.tensor(x, dtype=torch.float64), -1) == 0


def test_float16_is_rounded_once_where_the_sum_overflows_elsewhere():
    zeros = np.zeros(100_000, np.float16)
    assert (softmax(zeros) == np.float16(1e-5)).all()
    assert logsumexp(zeros) == np.float16(np.log(1e5))
    assert (log_softmax(zeros) == np.float16(-np.log(1e5))).all()
    with np.errstate(all="ignore"):
        assert (scipy.special.softmax(zeros) == 0).all()
    assert torch.logsumexp(torch.from_numpy(zeros), -1) == INF


def test_infinite_logit_where_scipy_and_torch_return_nan():
    assert softmax([INF, 0.0]).tolist() == [1, 0]
    with np.errstate(invalid="ignore"):
        assert np.isnan(scipy.special.softmax([INF, 0.0])).any()
    assert torch.softmax(torch.tensor([INF, 0.0]), -1).isnan().any()


# --- Agreement with SciPy and torch where they are right ----------------------


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, None, (0, 2), (2, 0), (0, 1, 2)])
def test_agrees_with_scipy_on_every_axis(axis):
    x = 3 * np.random.default_rng(1).normal(size=(3, 4, 5))
    np.testing.assert_allclose(logsumexp(x, axis), scipy.special.logsumexp(x, axis), rtol=1e-14)
    np.testing.assert_allclose(softmax(x, axis), scipy.special.softmax(x, axis), rtol=1e-13)
    np.testing.assert_allclose(log_softmax(x, axis), scipy.special.log_softmax(x, axis), rtol=1e-13)
    kept = logsumexp(x, axis, keepdims=True)
    assert kept.shape == np.sum(x, axis=axis, keepdims=True).shape
    np.testing.assert_array_equal(kept.reshape(-1), np.reshape(logsumexp(x, axis), -1))


@pytest.mark.parametrize("shape", [(7,), (5, 7), (200, 7), (3, 600), (2, 3, 4)])
def test_agrees_with_torch(shape):
    x = np.random.default_rng(2).normal(size=shape)
    t = torch.from_numpy(x)
    np.testing.assert_allclose(logsumexp(x), torch.logsumexp(t, -1).numpy(), rtol=1e-13)
    np.testing.assert_allclose(softmax(x), torch.softmax(t, -1).numpy(), rtol=1e-13)
    np.testing.assert_allclose(log_softmax(x), torch.log_softmax(t, -1).numpy(), rtol=1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_memory_layout_does_not_matter(function):
    x = np.random.default_rng(3).normal(size=(40, 60))
    want = function(x[:, ::5].copy())
    np.testing.assert_allclose(function(x[:, ::5]), want, rtol=1e-15)
    np.testing.assert_allclose(function(np.asfortranarray(x[:, ::5])), want, rtol=1e-15)
    np.testing.assert_allclose(function(x[:, ::5].astype(">f8")), want, rtol=1e-15)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_blocks_do_not_show(function):
    x = np.random.default_rng(4).normal(size=(70_000, 3))
    np.testing.assert_array_equal(function(x)[-40:], function(x[-40:]))
    wide = np.random.default_rng(5).normal(size=(700, 400))
    np.testing.assert_array_equal(function(wide)[-2:], function(wide[-2:]))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_buffer_of_numpy_does_not_show(function):
    wide = np.random.default_rng(5).normal(size=(700, 400))
    size = np.getbufsize()
    np.testing.assert_array_equal(function(wide), [function(row) for row in wide])
    assert np.getbufsize() == size


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 2, 11, 12, 13])
def test_a_single_short_row_is_like_one_of_many(k, dtype):
    """Short rows are computed in floats of Python when they are alone."""
    x = (5 * np.random.default_rng(k).normal(size=k)).astype(dtype)
    for function in FUNCTIONS:
        alone, among = function(x), function(np.tile(x, (3, 1)))[1]
        assert alone.dtype == dtype and np.shape(alone) == among.shape
        np.testing.assert_allclose(alone, among, rtol=40 * np.finfo(dtype).eps)
        np.testing.assert_array_equal(function(x, axis=0), alone)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_input_is_left_alone(function):
    for shape in [(5,), (3, 5), (50, 5), (2, 70_000)]:
        x = np.random.default_rng(6).normal(size=shape)
        before = x.copy()
        function(x)
        np.testing.assert_array_equal(x, before)


# --- Laws ----------------------------------------------------------------------

vectors = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=2, max_side=20),
    elements=st.floats(-500, 500, allow_subnormal=False),
)


@repeated
@given(vectors)
def test_probabilities_sum_to_one(x):
    k = x.shape[-1]
    # each entry is w/s (1 + u), s the computed sum; adding them up costs the rest
    np.testing.assert_allclose(softmax(x).sum(-1), 1, rtol=(2 * additions(k) + 2) * 2**-53)


@repeated
@given(vectors, st.integers(-(2**20), 2**20))
def test_shift_invariance(x, shift):
    x = np.round(x * 16) / 16  # such that x + shift is exact
    np.testing.assert_array_equal(softmax(x + shift), softmax(x))
    np.testing.assert_array_equal(log_softmax(x + shift), log_softmax(x))
    bound = 2**-53 * (np.abs(logsumexp(x)) + 2 * abs(shift) + 20)
    assert (np.abs(logsumexp(x + shift) - shift - logsumexp(x)) <= bound).all()


@repeated
@given(vectors, st.randoms(use_true_random=False))
def test_permutation_equivariance(x, random):
    order = list(range(x.shape[-1]))
    random.shuffle(order)
    u, d = 2**-53, additions(x.shape[-1])
    # the summands are the same, only their order isn't
    np.testing.assert_allclose(softmax(x[..., order]), softmax(x)[..., order], rtol=2 * (d + 1) * u)
    np.testing.assert_allclose(
        log_softmax(x[..., order]), log_softmax(x)[..., order], rtol=2 * (d + F + 2) * u
    )
    np.testing.assert_allclose(
        logsumexp(x[..., order]), logsumexp(x), rtol=2 * u, atol=2 * (d + 4 * F) * u
    )


@repeated
@given(vectors)
def test_moving_the_axis(x):
    for function in FUNCTIONS:
        got = function(x.T, axis=0)
        want = function(x) if function is logsumexp else function(x).T
        np.testing.assert_array_equal(got, want)


@repeated
@given(vectors, st.sampled_from([0.125, 0.5, 2.0, 64.0]))
def test_a_temperature_that_is_a_power_of_two_only_rescales(x, temperature):
    for function in SHIFT_LIKE:
        np.testing.assert_array_equal(function(x, temperature=temperature), function(x / temperature))


@repeated
@given(vectors)
def test_the_three_agree(x):
    u, k = 2**-53, x.shape[-1]
    log_p, lse = log_softmax(x), logsumexp(x, keepdims=True)
    size = np.abs(x).max(-1, keepdims=True) + np.abs(lse) + np.abs(log_p)
    assert (np.abs(x - lse - log_p) <= 4 * u * (size + additions(k) + F)).all()
    bound = 4 * u * (np.abs(log_p) + additions(k) + 2 * F)
    assert (np.abs(np.exp(log_p) - softmax(x)) <= bound * softmax(x) + 1e-320).all()


@repeated
@given(vectors)
def test_online_equals_one_shot(x):
    size = 2**-53 * (np.abs(logsumexp(x)) + 4 * (x.shape[-1] + F) * np.log(2 + x.shape[-1]))
    for step in (1, 3, x.shape[-1]):
        pieces = (x[..., i : i + step] for i in range(0, x.shape[-1], step))
        got = online_logsumexp(pieces)
        # a merge multiplies by an exponential, of a gap that the exact sum weighs down
        assert (np.abs(got - logsumexp(x)) <= 4 * size).all()


# --- Policies ------------------------------------------------------------------


@pytest.mark.parametrize("layout", [(), (1,), (3,), (40,)])
def test_infinities_are_limits(layout):
    def everywhere(row):
        return np.broadcast_to(row, (*layout, len(row)))

    for row, p in [
        ([INF, 0.0, -INF], [1, 0, 0]),
        ([INF, 0.0, INF], [0.5, 0, 0.5]),
        ([-INF, 0.0, 0.0], [0, 0.5, 0.5]),
        ([-INF, 7.0, -INF], [0, 1, 0]),
    ]:
        np.testing.assert_array_equal(softmax(everywhere(row)), everywhere(p))
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(log_softmax(everywhere(row)), np.log(everywhere(p)), rtol=1e-15)
        np.testing.assert_array_equal(softmax(everywhere(row), temperature=3.0), everywhere(p))
    for row, lse in [([INF, 0.0], INF), ([INF, INF], INF), ([INF, -INF], INF),
                     ([-INF, 3.0], 3.0), ([-INF] * 3, -INF)]:
        np.testing.assert_array_equal(logsumexp(everywhere(row)), np.full(layout, lse))


@pytest.mark.parametrize("n", [1, 3, 40])
def test_nan_fills_its_slice_and_no_other(n):
    x = np.zeros((n + 1, 3))
    x[1] = [NAN, INF, -INF]
    for function in FUNCTIONS:
        got = np.isnan(function(x).reshape(n + 1, -1))
        assert got[1].all() and got.sum() == got[1].size
    assert np.isnan(softmax([NAN, -INF])).all()
    assert np.isnan(logsumexp([-INF, NAN]))
    assert np.isnan(log_softmax([NAN, 1.0], temperature=2.0)).all()


def test_empty():
    for shape in [(0,), (3, 0), (0, 3), (0, 0), (2, 0, 3)]:
        x = np.zeros(shape, np.float32)
        for function in SHIFT_LIKE:
            got = function(x)
            assert got.shape == shape and got.dtype == np.float32
        lse = logsumexp(x)
        assert lse.shape == shape[:-1] and lse.dtype == np.float32
        assert (lse == -INF).all()
    assert logsumexp([]) == -INF
    assert softmax([]).shape == (0,)
    assert softmax(np.zeros((0, 3)), axis=0).shape == (0, 3)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floating_types_are_kept(function, dtype):
    for shape in [(3,), (2, 3), (40, 3)]:
        assert function(np.ones(shape, dtype)).dtype == dtype


@pytest.mark.parametrize("function", FUNCTIONS)
def test_integers_and_booleans_are_doubles(function):
    for dtype in (bool, np.int8, np.uint64, int):
        got = function(np.array([1, 0, 1], dtype))
        assert got.dtype == np.float64
        np.testing.assert_array_equal(got, function([1.0, 0.0, 1.0]))


def test_float16_is_the_rounded_float32_result():
    x = (5 * np.random.default_rng(7).normal(size=(30, 9))).astype(np.float16)
    for function in FUNCTIONS:
        np.testing.assert_array_equal(function(x), function(x.astype(np.float32)).astype(np.float16))
    assert logsumexp(np.array([65504.0, 65504.0], np.float16)) == 65504
    assert log_softmax(np.array([65504.0, -65504.0], np.float16)).tolist() == [0, -INF]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_number_has_no_axis_to_sum_over_but_all(function):
    assert function(3.0, axis=None).shape == ()


@pytest.mark.parametrize("function", SHIFT_LIKE)
def test_a_temperature_may_be_as_small_as_the_type_has_it(function):
    assert np.isfinite(function(np.zeros(2), temperature=1e-60)).all()


def test_longdouble_uses_its_own_precision():
    x = np.array([0, 1], np.longdouble)
    if np.finfo(np.longdouble).eps < np.finfo(float).eps:
        assert abs(softmax(x).sum() - 1) < 4 * np.finfo(np.longdouble).eps
        assert softmax(x)[0] != np.longdouble(softmax([0.0, 1.0])[0])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_warning_even_where_all_are_errors(function):
    with np.errstate(all="raise"):
        rows = [INF, -INF, 0.0], [INF, INF, NAN], [1e308, -1e308, 0.0], [0.0, -720.0, -745.0]
        for row, n in itertools.product(rows, (1, 3, 40)):
            function(np.tile(row, (n, 1)))
            function(row)
        function(np.array([65504.0, 65504.0, -65504.0], np.float16))


def test_scalars_out_for_vectors_in():
    assert isinstance(logsumexp([1.0, 2.0]), np.float64)
    assert isinstance(logsumexp(np.ones((2, 2), np.float32), axis=None), np.float32)
    assert isinstance(online_logsumexp([1.0, 2.0]), np.float64)


# --- Online ------------------------------------------------------------------


def test_online_policies():
    assert online_logsumexp([]) == -INF
    assert online_logsumexp([[], [1.0]]) == 1
    assert online_logsumexp([[-INF], [-INF, -INF]]) == -INF
    assert online_logsumexp([[-INF], [2.0]]) == 2
    assert online_logsumexp([[INF], [2.0], [INF]]) == INF
    assert np.isnan(online_logsumexp([[1.0], [NAN], [INF]]))
    assert online_logsumexp([0.0, -40.0]) == logsumexp([0.0, -40.0])
    assert online_logsumexp([-40.0, 0.0]) == logsumexp([0.0, -40.0])
    assert online_logsumexp([np.zeros((3, 0))]).tolist() == [-INF] * 3
    assert online_logsumexp([np.zeros((0, 3))]).shape == (0,)
    with np.errstate(all="raise"):
        online_logsumexp([[INF], [INF], [-INF], [1e308], [-1e308], [NAN]])


def test_online_types():
    assert online_logsumexp([np.zeros(2, np.float16)]).dtype == np.float16
    assert online_logsumexp([np.zeros(2, np.float16), np.zeros(1, np.float32)]).dtype == np.float32
    assert online_logsumexp([[1, 2], [True]]).dtype == np.float64
    assert online_logsumexp(np.zeros(1, np.float16) for _ in range(3000)) == np.float16(np.log(3000))


def test_online_batches():
    x = 5 * np.random.default_rng(8).normal(size=(2, 3, 100))
    got = online_logsumexp(np.split(x, [1, 2, 50, 50, 99], axis=-1))
    np.testing.assert_allclose(got, logsumexp(x), rtol=1e-14)


def test_online_keeps_nothing():
    def stream():
        for i in range(5):
            chunk = np.full(1000, float(i))
            yield chunk
            chunk[:] = NAN  # whoever kept the chunk sees this

    want = logsumexp(np.repeat(np.arange(5.0), 1000))
    assert online_logsumexp(stream()) == approx(want, rel=1e-14)


def test_online_is_as_accurate_as_the_data_allow_on_a_rising_sequence():
    """Every number is a new maximum, so the weight is rescaled each time."""
    x = np.linspace(-30, 30, 2000)
    exact = Exact(x)
    # of the n merges each costs the weight a product, a sum, an exponential; gaps add up
    bound = exact.lse_bound() + len(x) * (F + 3)
    assert within(online_logsumexp(x), exact.lse, bound, np.float64)



def test_gentle_descents_on_the_same_loss_are_the_same():
    for rule in ("descent", "Adam"):
        usual = descend_gently(f"cross_entropy, {rule}", seed=0, budget=40)
        assert usual["apart"] == 0 and usual["correct"] > 0.7
        assert descend_gently(f"log(softmax), {rule}", seed=0, budget=40)["apart"] < 1e-4
    assert descend_gently("softmax twice, Adam", seed=0, budget=5)["apart"] > 0.1
    assert descend_longer("softmax twice, Adam", seed=0, budget=40) == descend_gently(
        "softmax twice, Adam", seed=0, budget=40)["missed"]
