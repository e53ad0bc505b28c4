"""softmaxnotes.softmax.likelihoods against 50-digit arithmetic, autograd, and their policies."""

from functools import partial

import mpmath as mp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.experiments.softmax.likelihoods import fit_hundred, train_in_batches
from softmaxnotes.softmax import Loss, bernoulli_nll, categorical_nll, softmax, squared_loss

INF, NAN = np.inf, np.nan
CATEGORICAL = (categorical_nll, squared_loss)
approx = partial(pytest.approx, abs=0)
repeated = settings(max_examples=60, derandomize=True)


def exact_categorical(x, y):
    """Both losses and both gradients in 60 digits, for one example and a distribution y."""
    with mp.workdps(60):
        x, y = [mp.mpf(float(a)) for a in x], [mp.mpf(float(a)) for a in y]
        m = max(x)
        total = mp.fsum(mp.exp(a - m) for a in x)
        p = [mp.exp(a - m) / total for a in x]
        d = [a - b for a, b in zip(p, y)]
        nll = mp.fsum(b * (m + mp.log(total) - a) for a, b in zip(x, y) if b)
        mean = mp.fsum(a * b for a, b in zip(p, d))
        return {
            categorical_nll: (nll, d),
            squared_loss: (mp.fsum(a * a for a in d), [2 * a * (b - mean) for a, b in zip(p, d)]),
        }


def probability_bound(x):
    """Relative error of the probabilities, and of the complement of the largest, in u.

    As in test_numerics.py: every gap once for the entry and once for the sum, 6 for
    each exponential, K additions, a few roundings.
    """
    gaps = np.max(x) - np.asarray(x, float)
    return 2 * gaps.max() + 2 * 6 + len(gaps) + 3


def close(got, exact, units, dtype):
    u = np.finfo(dtype).eps / 2
    allowed = 1.02 * units * u * abs(exact) + 4 * float(np.finfo(dtype).smallest_subnormal)
    return abs(mp.mpf(float(got)) - exact) <= allowed


def onehot(k, n):
    return np.eye(n)[k]


# Sure and right, sure and wrong, ties, one category; nothing here may cancel.
TAILS = [
    ([40.0, 0.0], 0),
    ([40.0, 0.0], 1),
    ([0.0, 50.0, 1.0], 1),
    ([0.0, 50.0, 1.0], 0),
    ([80.0, 0.0, -3.0, 2.0], 0),
    ([80.0, 0.0, -3.0, 2.0], 2),
    ([0.0, 0.0], 1),
    ([20.0, 0.0, 0.0, 0.0, 0.0], 0),
    ([7.0], 0),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("x, label", TAILS)
@pytest.mark.parametrize("function", CATEGORICAL)
def test_tails_keep_their_digits(function, x, label, dtype):
    x = np.array(x, dtype)
    value, gradient = exact_categorical(x, onehot(label, len(x)))[function]
    # the loss and each partial derivative is a sum of terms of one sign, each of at
    # most four factors that carry that error, and a few roundings
    units = 4 * probability_bound(x) + len(x) + 10
    for y in (label, onehot(label, len(x)).astype(dtype)):
        loss = function(x, y)
        assert close(loss.value, value, units, dtype)
        for k in range(len(x)):
            assert close(loss.gradient[k], gradient[k], units, dtype), k


@pytest.mark.parametrize("function", CATEGORICAL)
def test_random_examples_against_60_digits(function):
    rng = np.random.default_rng(0)
    for k in (2, 3, 10):
        x = 4 * rng.normal(size=(30, k))
        y = rng.dirichlet(np.ones(k), size=30)
        loss = function(x, y)
        for i in range(30):
            value, gradient = exact_categorical(x[i], y[i])[function]
            # p - y is known to the rounding errors of p and y, and so is all that follows
            units = 2**-53 * (4 * probability_bound(x[i]) + k + 10)
            assert abs(loss.value[i] - value) <= units * max(1, float(value))
            for a, b, p in zip(loss.gradient[i], gradient, softmax(x[i])):
                assert abs(a - b) <= units * (max(p, y[i].max()) if function is categorical_nll else 2 * p)


def autograd(function, x, y, k=None):
    t = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = torch.as_tensor(y)
    if function is bernoulli_nll:
        value = torch.nn.functional.binary_cross_entropy_with_logits(t, y.double(), reduction="none")
    else:
        target = y.double() if y.shape == t.shape else torch.nn.functional.one_hot(y, t.shape[-1]).double()
        log_p = torch.log_softmax(t, -1)
        if function is categorical_nll:
            value = -(target * log_p).sum(-1)
        else:
            value = ((log_p.exp() - target) ** 2).sum(-1)
    value.sum().backward()
    return value.detach().numpy(), t.grad.numpy()


@pytest.mark.parametrize("function", CATEGORICAL)
@pytest.mark.parametrize("lead", [(), (1,), (7,), (2, 3), (2, 1, 4)])
@pytest.mark.parametrize("k", [1, 2, 5, 40])
def test_against_autograd(function, lead, k):
    rng = np.random.default_rng(1)
    x = 2 * rng.normal(size=(*lead, k))
    for y in (rng.integers(0, k, size=lead), rng.dirichlet(np.ones(k), size=lead)):
        loss = function(x, y)
        value, gradient = autograd(function, x, y)
        assert loss.value.shape == lead and loss.gradient.shape == x.shape
        np.testing.assert_allclose(loss.value, value, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(loss.gradient, gradient, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_bernoulli_against_autograd(shape):
    rng = np.random.default_rng(2)
    x = 3 * rng.normal(size=shape)
    for y in (rng.integers(0, 2, size=shape), rng.uniform(size=shape), rng.uniform(size=shape) < 0.5):
        loss = bernoulli_nll(x, y)
        value, gradient = autograd(bernoulli_nll, x, y)
        np.testing.assert_allclose(loss.value, value, rtol=1e-13, atol=1e-14)  # torch cancels here
        np.testing.assert_allclose(loss.gradient, gradient, rtol=1e-12, atol=1e-15)
        assert np.shape(loss.value) == np.shape(loss.gradient) == shape


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bernoulli_tails_keep_their_digits(dtype):
    with mp.workdps(60):
        for x in (-80.0, -40.0, -1.0, -1e-5, 0.0, 0.3, 17.0, 40.0, 80.0):
            for y in (0, 1):
                t = mp.mpf(float(dtype(x))) * (1 if y else -1)
                loss = bernoulli_nll(dtype(x), y)
                assert close(loss.value, mp.log1p(mp.exp(-t)), 24, dtype)
                sign = -1 if y else 1
                assert close(loss.gradient, sign / (1 + mp.exp(t)), 24, dtype)


def test_bernoulli_is_the_categorical_with_two_categories():
    rng = np.random.default_rng(3)
    x, y = 5 * rng.normal(size=50), rng.integers(0, 2, size=50)
    both = categorical_nll(np.stack([np.zeros(50), x], -1), y)
    loss = bernoulli_nll(x, y)
    np.testing.assert_allclose(loss.value, both.value, rtol=1e-14)
    np.testing.assert_allclose(loss.gradient, both.gradient[:, 1], rtol=1e-14)


@repeated
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8), st.data())
def test_gradients_sum_to_zero(x, data):
    """A common shift changes neither loss."""
    label = data.draw(st.integers(0, len(x) - 1))
    for function in CATEGORICAL:
        gradient = function(x, label).gradient
        assert abs(gradient.sum()) <= 2**-53 * np.abs(gradient).sum() * (4 * probability_bound(x) + 20)


@pytest.mark.parametrize("function", CATEGORICAL)
def test_labels_are_one_hot_targets(function):
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(20, 6)), rng.integers(0, 6, size=20)
    for target in (np.eye(6)[y], np.eye(6, dtype=int)[y], np.eye(6, dtype=bool)[y]):
        np.testing.assert_allclose(function(x, y).value, function(x, target).value, rtol=1e-15)
        np.testing.assert_array_equal(function(x, y).gradient, function(x, target).gradient)


def test_masked_categories():
    x = np.array([0.0, 0.0, -INF])
    loss = categorical_nll(x, [0.5, 0.5, 0.0])  # torch: NaN
    assert loss.value == approx(np.log(2), rel=1e-15)
    np.testing.assert_array_equal(loss.gradient, [0, 0, 0])
    target = torch.tensor([[0.5, 0.5, 0.0]]).double()
    assert torch.nn.functional.cross_entropy(torch.tensor(x)[None], target).isnan()
    for y in (2, [0.0, 0.0, 1.0], [0.5, 0.25, 0.25]):
        loss = categorical_nll(x, y)
        assert loss.value == INF and np.isfinite(loss.gradient).all()
    np.testing.assert_array_equal(categorical_nll(x, 2).gradient, [0.5, 0.5, -1])
    assert squared_loss(x, 2).value == 1.5
    np.testing.assert_array_equal(squared_loss(x, [0.5, 0.5, 0.0]).gradient, 0)


def test_blocks_of_bernoulli_do_not_show():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(7, 3, 5000)).transpose(1, 0, 2), rng.random((3, 7, 5000))
    x[1, 2, 3], y[1, 2, 3], x[2, 6, 4999] = np.inf, 1, np.nan
    found, rows = bernoulli_nll(x, y), [bernoulli_nll(*row) for row in zip(x[2], y[2])]
    np.testing.assert_array_equal(found.value[2], [row.value for row in rows])
    np.testing.assert_array_equal(found.gradient[2], [row.gradient for row in rows])
    assert found.value.shape == found.gradient.shape == x.shape


def test_infinite_logits():
    assert categorical_nll([INF, 0.0], 0).value == 0
    assert categorical_nll([INF, 0.0], 1).value == INF
    assert categorical_nll([INF, INF, 0.0], 0).value == approx(np.log(2))
    np.testing.assert_array_equal(categorical_nll([INF, 0.0], 1).gradient, [1, -1])
    assert squared_loss([INF, 0.0], 1).value == 2
    loss = bernoulli_nll([INF, INF, -INF, -INF, INF], [1, 0, 0, 1, 0.5])
    np.testing.assert_array_equal(loss.value, [0, INF, 0, INF, INF])
    np.testing.assert_array_equal(loss.gradient, [0, 1, 0, -1, 0.5])


def test_nan_logits_stay_in_their_example():
    for function in CATEGORICAL:
        loss = function([[NAN, 0.0], [0.0, 0.0]], [0, 0])
        assert np.isnan(loss.value).tolist() == [True, False]
        assert np.isnan(loss.gradient).tolist() == [[True] * 2, [False] * 2]
    loss = bernoulli_nll([NAN, NAN, 0.0], [0, 1, 1])
    assert np.isnan(loss.value).tolist() == np.isnan(loss.gradient).tolist() == [True, True, False]


def test_no_warning_even_where_all_are_errors():
    with np.errstate(all="raise"):
        for function in CATEGORICAL:
            for row in ([1e308, -1e308], [INF, -INF], [0.0, -800.0], [NAN, 0.0]):
                function(row, 0), function(row, 1), function(row, [0.5, 0.5])
        bernoulli_nll([1e308, -1e308, INF, -INF, NAN, 745.0], [0, 1, 0, 1, 1, 1])
        categorical_nll(np.array([65504, -65504], np.float16), 1)


def test_empty_batches():
    for function in CATEGORICAL:
        for y in ([], np.zeros(0, int), np.zeros((0, 3))):
            loss = function(np.zeros((0, 3)), y)
            assert loss.value.shape == (0,) and loss.gradient.shape == (0, 3)
    loss = bernoulli_nll([], [])
    assert loss.value.shape == loss.gradient.shape == (0,)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_types(dtype):
    x = np.zeros((2, 3), dtype)
    for function in CATEGORICAL:
        for y in ([0, 1], np.full((2, 3), 1 / 3)):
            loss = function(x, y)
            assert isinstance(loss, Loss)
            assert loss.value.dtype == loss.gradient.dtype == dtype
    loss = bernoulli_nll(x, np.ones((2, 3)))
    assert loss.value.dtype == loss.gradient.dtype == dtype
    assert categorical_nll([0, 1], 1).gradient.dtype == np.float64


def test_float16_is_rounded_once():
    x = np.array([9.0, -3.0, 4.0], np.float16)
    for function in CATEGORICAL:
        want = function(x.astype(np.float32), 2)
        assert function(x, 2).value == np.float16(want.value)
        np.testing.assert_array_equal(function(x, 2).gradient, want.gradient.astype(np.float16))
    assert categorical_nll(np.zeros(100_000, np.float16), 5).value == np.float16(np.log(1e5))


def test_rounded_distributions_are_accepted():
    rng = np.random.default_rng(5)
    for dtype in (np.float16, np.float32, np.float64):
        for k in (2, 3, 10, 1000):
            x = rng.normal(size=(20, k)).astype(dtype)
            for function in CATEGORICAL:
                function(x, softmax(x))
                function(x.astype(np.float64), softmax(x))
                function(x, softmax(x.astype(np.float64)))
    for k in (3, 7, 10):
        categorical_nll(np.zeros(k), [1 / k] * k)


def test_inputs_are_left_alone():
    x, y = np.random.default_rng(6).normal(size=(4, 3)), np.full((4, 3), 1 / 3)
    before = x.copy(), y.copy()
    for function in CATEGORICAL:
        function(x, y)
        function(x, np.zeros(4, int))
    bernoulli_nll(x, y)
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(y, before[1])


def test_a_classifier_is_trained_by_small_batches():
    start = train_in_batches("one softmax", seed=0, budget=0)
    assert start["mistakes"] > 500 and start["test loss"] == approx(np.log(10), rel=0.1)
    found = train_in_batches("one softmax, fast", seed=0, budget=2, lr=0.5)
    assert found["mistakes"] < 100
    twice = train_in_batches("two softmaxes", seed=0, budget=2, lr=0.5)
    assert twice["test loss"] > np.log(np.e + 9) - 1
    assert train_in_batches("network", seed=0, budget=1)["mistakes"] < start["mistakes"]


def test_a_prior_of_a_hundred_digits():
    assert fit_hundred("guessing", seed=0, budget=100)["loss"] == np.log(10)
    narrow, wide = (fit_hundred("any", seed=0, budget=100, variance=one) for one in (0.1, 1000))
    assert narrow["excess"] < wide["excess"] and max(narrow["mistakes"], wide["mistakes"]) < 0.2
