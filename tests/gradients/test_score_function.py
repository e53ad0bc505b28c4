"""softmaxnotes.gradients.score_function: unbiased by enumeration, and closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofread.evidence.statistics import has_mean
from softmaxnotes.gradients import (
    DecisionProcess,
    Gaussian,
    all_paths,
    best_baseline,
    exact_gradient,
    path_scores,
    policy_gradient,
    score_function_gradient,
    score_function_variance,
)
from softmaxnotes.softmax import softmax

INF, NAN = np.inf, np.nan
BASELINES = [None, 2.5, "leave-one-out"]


class Scripted(np.random.Generator):
    """A generator whose numbers are given."""

    def __init__(self, values):
        super().__init__(np.random.PCG64(0))
        self.values = values

    def random(self, size=None):
        return np.reshape(self.values, size)

    standard_normal = random


# --- Unbiased: the mean over all groups of draws, with their probabilities ----------


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("n", [2, 3])
def test_unbiased_for_one_variable(baseline, n):
    logits, values = np.array([0.3, -1.0, 1.0]), np.array([1.0, -4.0, 5.0])
    law = softmax(logits)
    middles = np.cumsum(law) - law / 2  # uniform numbers in the middle of the part of each category
    groups = np.array(list(itertools.product(range(3), repeat=n)))
    found = score_function_gradient(lambda z: values[z], logits, n_samples=n, baseline=baseline,
                                    size=len(groups), rng=Scripted(middles[groups]))
    mean = np.prod(law[groups], axis=1) @ found.gradient
    np.testing.assert_allclose(mean, exact_gradient(lambda z: values[z], logits).gradient, atol=1e-14)
    assert found.n_evaluations == n * len(groups)


@pytest.mark.parametrize("baseline", BASELINES)
def test_unbiased_for_several_variables(baseline):
    rng = np.random.default_rng(0)
    logits, table = rng.normal(size=(2, 3)), rng.normal(size=(3, 3))
    laws = softmax(logits)
    middles = np.cumsum(laws, -1) - laws / 2
    outcomes = np.array(list(itertools.product(range(3), repeat=4))).reshape(-1, 2, 2)
    chosen = np.arange(2), outcomes
    found = score_function_gradient(lambda z: table[z[:, 0], z[:, 1]], logits, n_samples=2,
                                    baseline=baseline, size=len(outcomes), rng=Scripted(middles[chosen]))
    mean = np.tensordot(np.prod(laws[chosen], axis=(1, 2)), found.gradient, axes=1)
    exact = exact_gradient(lambda z: table[z[:, 0], z[:, 1]], logits).gradient
    np.testing.assert_allclose(mean, exact, atol=1e-14)


@pytest.mark.parametrize("baseline", BASELINES)
def test_unbiased_for_normal_coordinates(baseline):
    # a Gauss-Hermite rule with 8 nodes is exact here: polynomials of degree 6 in each draw
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    weights = weights / weights.sum()
    pairs = np.array(list(itertools.product(range(8), repeat=2)))
    m, s = 0.7, 1.3
    found = score_function_gradient(lambda x: x**4, Gaussian(m, np.log(s)), n_samples=2, baseline=baseline,
                                    size=len(pairs), rng=Scripted(nodes[pairs]))
    mean = [np.prod(weights[pairs], axis=1) @ part for part in found.gradient]
    exact = [4 * m**3 + 12 * m * s**2, 12 * m**2 * s**2 + 12 * s**4]  # of m^4 + 6 m^2 s^2 + 3 s^4
    np.testing.assert_allclose(mean, exact, rtol=1e-12)


def test_unbiased_for_several_coordinates():
    nodes, weights = np.polynomial.hermite_e.hermegauss(6)
    weights = weights / weights.sum()
    pairs = np.array(list(itertools.product(range(6), repeat=2)))
    mean, std = np.array([0.5, -1.0]), np.array([1.0, 2.0])
    found = score_function_gradient(lambda x: x[:, 0] ** 2 * x[:, 1], Gaussian(mean, np.log(std)),
                                    n_samples=1, size=len(pairs), rng=Scripted(nodes[pairs]))
    law = np.prod(weights[pairs], axis=1)
    second = mean[0] ** 2 + std[0] ** 2  # the mean of f is this times mean[1]
    exact = [[2 * mean[0] * mean[1], second], [2 * std[0] ** 2 * mean[1], 0]]
    np.testing.assert_allclose([law @ part for part in found.gradient], exact, atol=1e-12)


def test_the_numbers_drawn_have_the_law():
    logits, values = np.array([0.3, -1.0, 1.0]), np.array([0.1, -0.4, 0.5])
    exact = exact_gradient(lambda z: values[z], logits).gradient[0]

    def draw(n, rng):
        found = score_function_gradient(lambda z: values[z], logits, n_samples=2, size=n, rng=rng)
        return found.gradient[:, 0]

    has_mean(draw, exact, bounds=(-0.5, 0.5), effect=0.01, title="first entry")

    def bounded(n, rng):
        found = score_function_gradient(np.tanh, Gaussian(0.5, 0.0), n_samples=1, size=n, rng=rng)
        return np.clip(found.gradient.mean, -8, 8)  # beyond lies less than 1e-14 of the law

    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    slope = weights @ (1 - np.tanh(0.5 + nodes) ** 2) / weights.sum()
    has_mean(bounded, slope, bounds=(-8, 8), effect=0.05, title="mean of a Gaussian")


# --- Baselines ------------------------------------------------------------------


def test_a_constant_is_no_signal_once_the_others_are_left_in():
    for params in (np.zeros(3), np.zeros((2, 3))):
        found = score_function_gradient(lambda z: np.full(len(z), 0.1), params, n_samples=3,
                                        baseline="leave-one-out", size=20, rng=0)
        assert not found.gradient.any()


def test_leave_one_out_loses_no_digits_to_a_large_constant():
    def f(z):
        return (z == 1) * 2.0**-20 + 2.0**20

    small = score_function_gradient(lambda z: f(z) - 2.0**20, [0.0, 0.5], n_samples=4, size=50, rng=1,
                                    baseline="leave-one-out").gradient
    large = score_function_gradient(f, [0.0, 0.5], n_samples=4, size=50, rng=1,
                                    baseline="leave-one-out").gradient
    np.testing.assert_array_equal(small, large)


def test_two_draws_leave_half_a_difference():
    values = np.array([1.0, 4.0])
    found = score_function_gradient(lambda z: values[z], [0.0, 0.0], n_samples=2, baseline="leave-one-out",
                                    rng=Scripted([0.2, 0.7]))
    assert found.gradient.tolist() == [-1.5, 1.5]


# --- Shapes, seeds, edges ----------------------------------------------------------


@pytest.mark.parametrize("params, rows, shape", [
    (np.zeros(3), (), (3,)), (np.zeros((2, 3)), (2,), (2, 3)),
    (Gaussian(0.0, 0.0), (), ()), (Gaussian(np.zeros(2), np.zeros(2)), (2,), (2,)),
])
def test_shapes(params, rows, shape):
    asked = []

    def f(z):
        asked.append((z.shape, z.dtype.kind))
        return z.sum(axis=tuple(range(1, z.ndim)))

    for size, lead in ((None, ()), (5, (5,)), ((2, 3), (2, 3)), (0, (0,))):
        asked.clear()
        found = score_function_gradient(f, params, n_samples=4, size=size, baseline="leave-one-out", rng=0)
        m = int(np.prod(lead, dtype=int))
        kind = "f" if isinstance(params, Gaussian) else "i"
        assert asked == [((4 * m, *rows), kind)] and found.n_evaluations == 4 * m
        parts = found.gradient if isinstance(params, Gaussian) else (found.gradient,)
        assert type(found.gradient) is type(params)
        assert all(part.shape == lead + shape and part.dtype == np.float64 for part in parts)


def test_seeds():
    def one(rng):
        return score_function_gradient(lambda z: z, np.zeros(5), n_samples=9, rng=rng).gradient.tolist()

    assert one(3) == one(np.random.default_rng(3)) != one(4)
    rng = np.random.default_rng(3)
    assert one(rng) != one(rng)


def test_a_masked_category_is_neither_drawn_nor_moved():
    def f(z):
        assert not (z == 1).any()
        return z

    found = score_function_gradient(f, [0.0, -INF, 0.0], n_samples=100, rng=0).gradient
    assert found[1] == 0 and found[0] == -found[2] != 0


# --- Variance -------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(2, 3), st.integers(2, 4), st.sampled_from([None, 1.5, "leave-one-out"]),
       st.integers(0, 2**32))
def test_variance_against_all_groups(n, c, baseline, seed):
    rng = np.random.default_rng(seed)
    logits, values = rng.normal(size=c), rng.normal(size=c)
    law = softmax(logits)
    groups = np.array(list(itertools.product(range(c), repeat=n)))
    middles = np.cumsum(law) - law / 2
    found = score_function_gradient(lambda z: values[z], logits, n_samples=n, baseline=baseline,
                                    size=len(groups), rng=Scripted(middles[groups])).gradient
    chance = np.prod(law[groups], axis=1)
    variance = chance @ found**2 - (chance @ found) ** 2
    computed = score_function_variance(logits, values, n_samples=n, baseline=baseline)
    np.testing.assert_allclose(computed, variance, rtol=1e-9, atol=1e-13)


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(0, 2**32))
def test_best_baseline_is_best(c, seed):
    rng = np.random.default_rng(seed)
    logits, values = rng.normal(size=c), rng.normal(size=c)
    best = best_baseline(logits, values)
    least, *others = (score_function_variance(logits, values, baseline=b).sum()
                      for b in (best, best - 0.1, best + 0.1, values @ softmax(logits)))
    assert least <= min(others) + 1e-13
    assert best_baseline(logits + 5, values + 1e3) == pytest.approx(best + 1e3, rel=1e-13)
    assert values.min() <= best <= values.max()


def test_variance_and_baseline_of_masked_and_sure_laws():
    values = [1.0, 9.0, 4.0]
    masked = score_function_variance([0.0, -INF, 0.5], values, n_samples=3, baseline="leave-one-out")
    kept = score_function_variance([0.0, 0.5], [1.0, 4.0], n_samples=3, baseline="leave-one-out")
    assert masked[1] == 0
    np.testing.assert_allclose(masked[[0, 2]], kept, rtol=1e-13)
    assert score_function_variance([0.0, -INF, -INF], values).tolist() == [0, 0, 0]


# --- Decision processes -----------------------------------------------------------


def a_process(seed, s=2, a=3):
    rng = np.random.default_rng(seed)
    process = DecisionProcess(rng.dirichlet(np.ones(s)), rng.dirichlet(np.ones(s), size=(s, a)),
                              rng.normal(size=(s, a)))
    return process, rng.normal(size=(s, a))


@settings(max_examples=15)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(0, 2**32))
def test_paths_scores_and_recursion_agree(s, a, horizon, seed):
    process, logits = a_process(seed, s, a)
    paths = all_paths(process, logits, horizon)
    assert len(paths.returns) == (s * a) ** horizon and abs(paths.probabilities.sum() - 1) < 1e-13
    scores = path_scores(logits, paths.states, paths.actions)
    np.testing.assert_allclose(np.tensordot(paths.probabilities, scores, 1), np.zeros((s, a)), atol=1e-13)
    by_paths = np.einsum("n,n,nij", paths.probabilities, paths.returns, scores)
    np.testing.assert_allclose(policy_gradient(process, logits, horizon), by_paths, atol=1e-12)


def test_gradient_against_difference_quotients():
    process, logits = a_process(1)
    gradient, e = policy_gradient(process, logits, 3), 1e-5
    for i, j in np.ndindex(2, 3):
        means = []
        for sign in (1, -1):
            moved = logits.copy()
            moved[i, j] += sign * e
            paths = all_paths(process, moved, 3)
            means.append(paths.probabilities @ paths.returns)
        assert gradient[i, j] == pytest.approx((means[0] - means[1]) / (2 * e), abs=1e-8)


def test_the_score_of_a_path_against_the_slope_of_its_logarithm():
    process, logits = a_process(2)
    states, actions, e = np.array([0, 1, 1]), np.array([2, 0, 1]), 1e-6
    score = path_scores(logits, states, actions)
    for i, j in np.ndindex(2, 3):
        moved = logits.copy()
        moved[i, j] += e
        change = sum(np.log(softmax(moved)[s, a] / softmax(logits)[s, a]) for s, a in zip(states, actions))
        assert score[i, j] == pytest.approx(change / e, abs=1e-5)


def test_many_steps_need_no_enumeration():
    process, logits = a_process(3)
    gradient = policy_gradient(process, logits, 40)
    assert np.abs(gradient.sum(axis=1)).max() < 1e-12 and np.isfinite(gradient).all()


def test_probabilities_in_single_precision_are_a_process():
    rng = np.random.default_rng(5)
    start, transition = rng.dirichlet(np.ones(50)), rng.dirichlet(np.ones(50), size=(50, 2))
    logits, reward = rng.normal(size=(2, 50, 2))
    want = policy_gradient(DecisionProcess(start, transition, reward), logits, 3)
    narrow = DecisionProcess(np.float32(start), np.float32(transition), np.float32(reward))
    np.testing.assert_allclose(policy_gradient(narrow, logits, 3), want, atol=1e-5)
