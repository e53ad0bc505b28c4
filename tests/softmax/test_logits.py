"""softmaxnotes.softmax.logits against 120-digit arithmetic, and its policies."""

from functools import partial

import mpmath as mp
import numpy as np
import pytest
import scipy.special
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.softmax import class_logits, log_sigmoid, log_softmax, logit, sigmoid, softmax

INF, NAN = np.inf, np.nan
ELEMENTWISE = (sigmoid, logit, log_sigmoid)
approx = partial(pytest.approx, abs=0)
repeated = settings(max_examples=60, derandomize=True)


def ulps(got, exact, dtype):
    """Distance in units in the last place of the exact value, rounded."""
    spacing = np.spacing(np.abs(np.asarray(float(exact)).astype(dtype)))
    return abs((mp.mpf(float(got)) - exact) / mp.mpf(float(spacing)))


def real_line(dtype):
    rng = np.random.default_rng(0)
    edge = 85 if dtype == np.float32 else 700
    return np.concatenate(
        [rng.normal(size=300) * 4, rng.uniform(-edge, edge, 200), 1e-4 * rng.normal(size=50), [0.0, -0.0]]
    ).astype(dtype)


def unit_interval(dtype):
    rng = np.random.default_rng(1)
    p = np.concatenate(
        [
            rng.uniform(size=200),
            10.0 ** rng.uniform(-30, 0, 100),
            0.5 + 10.0 ** rng.uniform(-7, -1, 100),
            0.5 - 10.0 ** rng.uniform(-7, -1, 100),
            1 - 10.0 ** rng.uniform(-7, 0, 100),
        ]
    ).astype(dtype)
    return p[(p > 0) & (p < 1)]


# An exponential or logarithm of 3 units in the last place at most, and two or three
# more roundings of half a unit each (a unit is between u and 2u, so twice the count).
ULPS = 2 * (3 + 3 * 0.5)


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_elementwise_functions_to_a_few_ulp(dtype, copies):
    """A few numbers and many, which are computed in other ways."""
    with mp.workdps(120):
        line, interval = real_line(dtype), unit_interval(dtype)
        lines, intervals = np.tile(line, copies), np.tile(interval, copies)
        for x, value, log_value in zip(line, sigmoid(lines), log_sigmoid(lines)):
            exact = 1 / (1 + mp.exp(-mp.mpf(float(x))))
            assert ulps(value, exact, dtype) < ULPS, x
            assert ulps(log_value, -mp.log1p(mp.exp(-mp.mpf(float(x)))), dtype) < ULPS, x
        for p, value in zip(interval, logit(intervals)):
            exact = mp.log(mp.mpf(float(p)) / (1 - mp.mpf(float(p))))
            assert exact == value == 0 or ulps(value, exact, dtype) < ULPS, p


def test_logit_near_one_half_where_torch_cancels():
    p = np.nextafter(0.5, 1)
    assert logit(p) == approx(4 * (p - 0.5), rel=1e-15)
    p = 0.5 + 1e-12
    with mp.workdps(50):
        exact = float(mp.log(mp.mpf(p) / (1 - mp.mpf(p))))
    assert logit(p) == approx(exact, rel=1e-15)
    assert torch.logit(torch.tensor(p, dtype=torch.float64)).item() != approx(exact, rel=1e-12)



def test_agrees_with_scipy_and_torch():
    x = np.linspace(-30, 30, 101)
    t = torch.from_numpy(x)
    np.testing.assert_allclose(sigmoid(x), torch.sigmoid(t), rtol=1e-14)
    np.testing.assert_allclose(log_sigmoid(x), torch.nn.functional.logsigmoid(t), rtol=1e-14)
    np.testing.assert_allclose(log_sigmoid(x), scipy.special.log_expit(x), rtol=1e-14)


def test_ends():
    np.testing.assert_array_equal(sigmoid([-INF, -1e4, 1e4, INF, NAN]), [0, 0, 1, 1, NAN])
    np.testing.assert_array_equal(log_sigmoid([-INF, -1e4, 1e4, INF, NAN]), [-INF, -1e4, 0, 0, NAN])
    np.testing.assert_array_equal(logit([0.0, 1.0, NAN]), [-INF, INF, NAN])
    assert sigmoid(-708.0) == approx(np.exp(-708.0), rel=1e-14)
    assert logit(5e-324) == approx(np.log(5e-324))
    with np.errstate(all="raise"):
        sigmoid([-INF, -1e4, -745.0, 1e4, INF, NAN])
        log_sigmoid([-INF, -1e4, 745.0, 1e4, INF, NAN])
        logit([0.0, 5e-324, 1.0, NAN])
        logit(np.float16(6e-8))


def test_ends_among_many():
    with np.errstate(all="raise"):
        for end, value in [(-INF, 0), (-1e4, 0), (1e4, 1), (INF, 1), (NAN, NAN)]:
            np.testing.assert_array_equal(sigmoid([end] + [0.0] * 2000), [value] + [0.5] * 2000)
        for end, value in [(-INF, -INF), (-1e4, -1e4), (INF, 0), (NAN, NAN)]:
            assert log_sigmoid([end] + [0.0] * 2000)[0] == value or np.isnan(value)
        for end, value in [(0.0, -INF), (1.0, INF), (NAN, NAN), (5e-324, approx(np.log(5e-324)))]:
            got = logit([end] + [0.5, 0.25] * 1000)
            assert got[0] == value or np.isnan(got[0]) and end is NAN
            np.testing.assert_allclose(got[1:], [0, -np.log(3)] * 1000, rtol=1e-15)


@repeated
@given(st.floats(-30, 30))
def test_logit_inverts_sigmoid(x):
    # the derivative of the logit is 1/(p(1 - p)); p carries 2 ulp at most
    p = float(sigmoid(x))
    assert abs(logit(p) - x) <= 2**-51 / (1 - p) + 2**-50 * abs(x) if p < 1 else x > 30


@pytest.mark.parametrize("function", [*ELEMENTWISE, class_logits])
def test_types_and_shapes(function):
    for dtype in (np.float16, np.float32, np.float64, np.longdouble):
        for shape in [(3,), (2, 3), (0, 3), (0,), (40, 3)]:
            got = function(np.full(shape, 0.25, dtype))
            assert got.dtype == dtype and got.shape == shape
    assert function([0, 1]).dtype == np.float64
    assert function([True, False]).dtype == np.float64


@pytest.mark.parametrize("function", ELEMENTWISE)
def test_numbers_in_numbers_out(function):
    assert isinstance(function(0.25), np.float64)
    assert isinstance(function(np.float32(0.25)), np.float32)
    half = np.linspace(0, 1, 50).astype(np.float16)
    np.testing.assert_array_equal(function(half), function(half.astype(np.float32)).astype(np.float16))


# --- Log-odds of each category ------------------------------------------------


def check_class_logits(x, got):
    """With c = 1 rounding per gap, F = 6 for the elementary functions, d additions.

    Measured from the second largest, e_j = exp(x_j - m'), q = the sum of the others.
    What category k has against it (but the largest) is R = 1 + q - e_k, at least half
    of 1 + q, so its relative error is at most twice that of the two, or
    rho = 2 (sum_j e_j (g_j + F) / (1 + q) + F + d + 2) u; times exp(m' - m), it
    enters through log1p.
    """
    u = np.finfo(x.dtype).eps / 2
    with mp.workdps(120):
        v = [mp.mpf(float(a)) for a in x]
        order = sorted(range(len(v)), key=lambda k: -v[k])
        m, m2 = v[order[0]], v[order[1]]
        e = [mp.exp(v[k] - m2) for k in order[1:]]
        q = mp.fsum(e[1:])
        d = min(len(v), 26 + np.log2(max(len(v) / 128, 1)))
        mean = mp.fsum(w * (m2 - v[k] + 6) for w, k in zip(e, order[1:])) / (1 + q)
        rho = 2 * (mean + 6 + d + 2)
        for k in range(len(v)):
            exact = v[k] - m - mp.log(mp.fsum(mp.exp(a - m) for j, a in enumerate(v) if j != k))
            if k == order[0]:
                bound = (m - m2) + abs(exact) + rho * q / (1 + q) + 6 * mp.log1p(q)
            else:
                against = mp.exp(-exact - m + v[k] + m - v[k] + v[k] - m) - 1  # R exp(m' - m)
                bound = (m - v[k]) + abs(exact) + (rho + m - m2 + 6) * against / (1 + against)
                bound += 6 * mp.log1p(against)
            slack = 1.02 * bound * u + 4 * float(np.finfo(x.dtype).smallest_subnormal)
            assert abs(mp.mpf(float(got[k])) - exact) <= slack, (x, k, got[k], exact)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "x",
    [
        [0.0, -40.0],
        [0.0, -40.0, -41.0],
        [1e-20, 0.0, -40.0],
        [0.0, 0.0, -90.0],
        [1000.0, 0.0, -1.0],
        [0.0, 0.0, 0.0],
        [1e-20, 0.0],
        [50.0, 50.0, 49.0, -50.0],
        [0.0, -1e-3, -60.0, -61.0],
        [0.0] + [-30.0] * 40,
        [0.0, -800.0, -801.0],
    ],
)
def test_class_logits_within_the_bound(x, dtype):
    x = np.array(x, dtype)
    for order in (x, x[::-1].copy()):
        check_class_logits(order, class_logits(order))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 2), (40, 3), (40, 10), (5, 60)])
@pytest.mark.parametrize("scale", [0.1, 3.0, 40.0])
def test_class_logits_of_random_batches(shape, scale, dtype):
    x = (scale * np.random.default_rng(shape).normal(size=shape)).astype(dtype)
    for row, got in zip(x, class_logits(x)):
        check_class_logits(row, got)


def test_two_classes_are_the_difference():
    x = np.random.default_rng(2).normal(size=(50, 2)) * 100
    np.testing.assert_array_equal(class_logits(x), (x[:, :1] - x[:, 1:]) * [1, -1])
    assert class_logits([1e-20, 0.0]).tolist() == [1e-20, -1e-20]


def test_one_class_is_certain():
    assert class_logits([3.0]).tolist() == [INF]
    assert class_logits([[3.0]] * 40).tolist() == [[INF]] * 40
    assert class_logits([3.0, -INF, -INF]).tolist() == [INF, -INF, -INF]


def test_class_logits_are_the_logits_of_the_softmax():
    x = np.random.default_rng(3).normal(size=(30, 4, 5))
    for axis in (0, 1, 2, None, (0, 2)):
        # p carries an error of some 20 u, which the logit divides by 1 - p
        np.testing.assert_allclose(class_logits(x, axis), logit(softmax(x, axis)), rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(log_sigmoid(class_logits(x, axis)), log_softmax(x, axis), rtol=1e-12)


def test_class_logits_policies():
    for lead in [(), (3,), (40,)]:
        def everywhere(row):
            return np.broadcast_to(np.array(row), (*lead, len(row)))

        for row, want in [
            ([INF, 0.0, 1.0], [INF, -INF, -INF]),
            ([INF, INF, 0.0], [0, 0, -INF]),
            ([0.0, -INF, 0.0], [0, -INF, 0]),
            ([NAN, INF, 0.0], [NAN] * 3),
            ([1e308, -1e308], [INF, -INF]),
        ]:
            with np.errstate(all="raise"):
                np.testing.assert_array_equal(class_logits(everywhere(row)), everywhere(want))
    np.testing.assert_allclose(class_logits([INF, INF, INF]), [-np.log(2)] * 3, rtol=1e-15)
    assert class_logits(np.zeros((3, 0))).shape == (3, 0)


def test_class_logits_leaves_its_input_alone():
    x = np.random.default_rng(4).normal(size=(5, 6))
    before = x.copy()
    class_logits(x)
    np.testing.assert_array_equal(x, before)
