"""softmaxnotes.rewards.estimators: unbiased by enumeration, equal to closed forms, and what is refused."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.experiments.rewards.arsm import swapped_actions
from softmaxnotes.experiments.rewards.estimators import ascend
from softmaxnotes.gradients import (
    MovingAverage,
    exact_gradient,
    score_function_gradient,
    score_function_variance,
)
from softmaxnotes.gumbel import draw_jacobians, log_prob_set
from softmaxnotes.rewards import (
    METHODS,
    ar_gradient,
    ars_gradient,
    arsm_gradient,
    categorical_gradient,
    estimator_noise,
)
from softmaxnotes.rewards.estimators import _Problems, _race, _swapped, _unordered
from softmaxnotes.softmax import log_softmax, softmax

INF, NAN = np.inf, np.nan
LOGITS = np.random.default_rng(0).normal(size=(2, 3))
TABLE = np.random.default_rng(1).normal(size=(3, 3))
BY_VALUE = [name for name, what in METHODS.items() if not what.needs_slope and name != "exact"]
BY_SLOPE = [name for name, what in METHODS.items() if what.needs_slope]


def payoff(z):
    return TABLE[z[:, 0], z[:, 1]]


def slope(x):  # of the bilinear function of the one-hot vectors
    return np.stack([x[:, 1] @ TABLE.T, x[:, 0] @ TABLE], axis=1)


class Scripted(np.random.Generator):
    """A generator whose exponential numbers are given."""

    def __init__(self, *values):
        super().__init__(np.random.PCG64(0))
        self.values = list(values)

    def standard_exponential(self, size=None):
        return np.reshape(self.values.pop(0), size)


def wins(z, classes):
    """Exponential numbers with which the classes z win every race."""
    return np.where(np.arange(classes) == np.asarray(z)[..., None], 1e-9, 1.0)


EXACT = exact_gradient(payoff, LOGITS).gradient


# --- Unbiased --------------------------------------------------------------------


@pytest.mark.parametrize(("method", "n"), [("reinforce", 1), ("reinforce", 2), ("leave-one-out", 2)])
def test_unbiased_by_enumeration(method, n):
    outcomes = np.array(list(itertools.product(range(3), repeat=2 * n))).reshape(-1, n, 2)
    law = softmax(LOGITS)
    chance = np.prod(law[np.arange(2), outcomes], axis=(1, 2))
    draws = wins(outcomes.transpose(1, 0, 2), 3)  # (n, M, K, C)
    found = categorical_gradient(payoff, LOGITS, method=method, n_samples=n, size=len(outcomes),
                                 rng=Scripted(draws))
    np.testing.assert_allclose(np.tensordot(chance, found.gradient, axes=1), EXACT, atol=1e-14)
    assert found.n_evaluations == n * len(outcomes)


PAIRS = np.array(list(itertools.product(range(3), repeat=2)))  # of two estimates for one variable, or of two
ONE, PAYS = LOGITS[0], TABLE[0]


def test_a_moving_average_is_unbiased_by_enumeration_and_would_not_be_if_it_had_seen_the_draw():
    """All pairs of two estimates that follow each other: the second one has the first one's value in it."""
    law, total, spoilt = softmax(ONE), 0.0, 0.0
    for first, second in PAIRS:
        average = MovingAverage(0.5)
        for z in (first, second):
            before = average.value
            found = categorical_gradient(lambda z: PAYS[z], ONE, method="reinforce", baseline=average,
                                         rng=Scripted(wins([[z]], 3)))
        assert before == PAYS[first] and found.n_evaluations == 1
        chance, score = law[first] * law[second], np.eye(3)[second] - law
        np.testing.assert_allclose(found.gradient, (PAYS[second] - before) * score)
        total = total + chance * found.gradient
        spoilt = spoilt + chance * (PAYS[second] - average.value) * score
    exact = exact_gradient(lambda z: PAYS[z], ONE).gradient
    np.testing.assert_allclose(total, exact, atol=1e-15)
    np.testing.assert_allclose(spoilt, exact / 3, atol=1e-15)  # it has two thirds of the draw in it


def test_each_problem_has_its_own_average_and_its_own_number():
    factors, logits = np.array([1.0, 10.0]), np.zeros((2, 1, 3))
    def f(z, b): return factors[b] * (1 + z[:, 0])
    average, common = MovingAverage(n_problems=2), MovingAverage()
    for one in (average, common):
        categorical_gradient(f, logits, method="reinforce", baseline=one, n_samples=2, size=5000, rng=0)
    assert np.abs(average.value / factors - 2).max() < 6 * 0.82 / 100
    assert common.value == pytest.approx(average.value.mean())
    sure = categorical_gradient(lambda z, b: factors[b], logits, method="reinforce", baseline=factors, size=7)
    assert not sure.gradient.any()


@pytest.mark.parametrize("method", ["reinforce", "leave-one-out", "ar", "ars", "arsm"])
def test_a_race_that_was_run_is_the_first_draw(method):
    rng, n = np.random.default_rng(5), METHODS[method].samples
    waits, others = rng.standard_exponential((2, 4, 2, 3))
    drawn = categorical_gradient(payoff, LOGITS, method=method, size=4, rng=Scripted([waits, others][:n]))
    found = categorical_gradient(payoff, LOGITS, method=method, size=4, race=waits,
                                 rng=Scripted([others][:n - 1]))
    np.testing.assert_array_equal(found.gradient, drawn.gradient)


@pytest.mark.parametrize("n", [2, 3, 9])
def test_unordered_sets_are_unbiased_by_enumeration(n):
    outcomes = np.array(list(itertools.product(range(3), repeat=2)))
    joint = log_softmax(LOGITS)[range(2), outcomes].sum(axis=1)
    sets = np.array(list(itertools.combinations(range(9), n)))
    total = np.zeros((2, 3))
    seen = {}
    for seed in range(400):  # until each set has been drawn: the estimate is a function of the set
        problems = _Problems(payoff, None, (2, 3), 200)
        asked = []
        problems.f = lambda z, asked=asked: asked.append(z) or payoff(z)
        found = _unordered(problems, np.tile(LOGITS, (200, 1, 1)), n, np.random.default_rng(seed))
        drawn = np.sort(asked[0].reshape(n, 200, 2) @ [3, 1], axis=0).T
        seen.update({tuple(one): g for one, g in zip(drawn.tolist(), found)})
        if len(seen) == len(sets):
            break
    assert len(seen) == len(sets)
    for one in sets:
        total += np.exp(log_prob_set(joint, one)) * seen[tuple(one.tolist())]
    np.testing.assert_allclose(total, EXACT, atol=1e-13)


@pytest.mark.parametrize("method", BY_VALUE)
@pytest.mark.parametrize("logits", [LOGITS, 3 * LOGITS[0]], ids=["two", "one"])
def test_unbiased_by_sampling(method, logits):
    f = payoff if logits.ndim == 2 else lambda z: TABLE[0, z]
    noise = estimator_noise(f, logits, method=method, n_repeats=40_000, rng=2)
    exact = exact_gradient(f, logits).gradient
    assert np.abs((noise.mean - exact) / noise.error).max() < 6.5
    np.testing.assert_allclose(noise.mean.sum(axis=-1), 0, atol=1e-12)


def test_sets_have_the_law_of_draws_without_replacement():
    outcomes = np.array(list(itertools.product(range(3), repeat=2)))
    joint = log_softmax(LOGITS)[range(2), outcomes].sum(axis=1)
    asked = []
    problems = _Problems(lambda z: asked.append(z) or payoff(z), None, (2, 3), 40_000)
    _unordered(problems, np.tile(LOGITS, (40_000, 1, 1)), 2, np.random.default_rng(0))
    drawn = np.sort(asked[0].reshape(2, -1, 2) @ [3, 1], axis=0)
    sets = np.array(list(itertools.combinations(range(9), 2)))
    counts = np.array([(drawn == one[:, None]).all(axis=0).sum() for one in sets])
    expected = 40_000 * np.exp(log_prob_set(joint, sets))
    assert ((counts - expected) ** 2 / expected).sum() < 110  # 35 degrees of freedom: 1e-9


def test_a_set_beyond_the_range_of_exponentials_has_its_law():
    after_first = softmax([-750.0, -751.0, -752.0])

    def second(logits, n):
        def draw(size, rng):
            asked = []
            categorical_gradient(lambda z: asked.append(z) or np.ones(len(z)), logits, n_samples=n,
                                 method="unordered set", size=size, rng=rng)
            return asked[0].reshape(n, size, -1)
        return draw

    alone, rare = second([0.0, -750.0, -751.0, -752.0], 2), [-1e4, -1e4 - 1]
    has_frequencies(lambda n, rng: alone(n, rng)[1, :, 0] - 1, after_first, effect=0.02, title="one variable")
    two = second([[0.0, *rare], [0.0, -750.0, -751.0]], 4)
    has_frequencies(lambda n, rng: two(n, rng)[1, :, 1] - 1, softmax([-750.0, -751.0]), effect=0.02,
                    title="the nearer variable")  # its rare classes come first, and then those of the other
    has_frequencies(lambda n, rng: two(n, rng)[3, :, 0] - 1, softmax(rare), effect=0.02,
                    title="the other variable")


# --- What is known of them ---------------------------------------------------------


@pytest.mark.parametrize(("method", "n"), [("reinforce", 1), ("leave-one-out", 2), ("leave-one-out", 5)])
def test_variance_of_the_closed_form(method, n):
    values = np.array([1.0, 2.0, 4.0])
    noise = estimator_noise(lambda z: values[z], LOGITS[0], method=method, n_samples=n, n_repeats=100_000,
                            rng=0)
    exact = score_function_variance(LOGITS[0], values, n_samples=n,
                                    baseline="leave-one-out" if n > 1 else None).sum()
    assert abs(noise.variance - exact) < 6 * noise.variance_error
    assert noise.evaluations == n and noise.work == n * noise.variance


@pytest.mark.parametrize("kind", ["straight-through", "reinmax"])
def test_at_a_corner_the_matrices_of_the_library(kind):
    slopes = np.random.default_rng(3).normal(size=(3, 3))
    matrices = draw_jacobians(LOGITS[0], method=kind)
    found = categorical_gradient(None, LOGITS[0], method=kind, slope=lambda x: x @ slopes, size=3,
                                 rng=Scripted(wins([[[0], [1], [2]]], 3)))
    np.testing.assert_allclose(found.gradient, np.einsum("kjm,km->kj", matrices, slopes), atol=1e-14)


def test_a_linear_payoff_has_no_noise_straight_through():
    noise = estimator_noise(None, LOGITS[0], method="straight-through", n_repeats=50,
                            slope=lambda x: np.broadcast_to(TABLE[0], x.shape), rng=0)
    exact = exact_gradient(lambda z: TABLE[0, z], LOGITS[0]).gradient
    np.testing.assert_allclose(noise.mean, exact, atol=1e-15)
    assert noise.variance < 1e-30


def test_reinmax_is_exact_for_a_bilinear_payoff_and_rao_agrees_with_its_noisy_form():
    outcomes = np.array(list(itertools.product(range(3), repeat=2)))
    chance = np.exp(log_softmax(LOGITS)[range(2), outcomes].sum(axis=1))
    found = categorical_gradient(None, LOGITS, method="reinmax", slope=slope, size=9,
                                 rng=Scripted(wins(outcomes[None], 3))).gradient
    np.testing.assert_allclose(np.tensordot(chance, found, axes=1), EXACT, atol=1e-14)
    rough, fine = (estimator_noise(None, LOGITS, method=method, slope=slope, temperature=0.7,
                                   n_repeats=20_000, rng=1)
                   for method in ("straight-through gumbel", "gumbel-rao"))
    assert np.abs((rough.mean - fine.mean) / np.hypot(rough.error, fine.error)).max() < 6.5
    assert fine.variance < rough.variance


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0.1, 20))
@settings(max_examples=60)
def test_swaps_as_their_definition(seed, c, scale):
    rng = np.random.default_rng(seed)
    shares, logits = np.log(rng.standard_exponential((2, c))), scale * rng.normal(size=(2, c))
    found = _swapped(shares, logits, np.broadcast_to(np.arange(c), (2, c)))
    for row in range(2):
        for m, j in itertools.product(range(c), repeat=2):
            order = np.arange(c)
            order[[m, j]] = order[[j, m]]
            assert found[row, m, j] == np.argmin(shares[row][order] - logits[row])


def test_swaps_with_and_without_masks_as_their_definition():
    rng = np.random.default_rng(0)
    shares, logits = rng.standard_exponential((50, 4, 6)), 2 * rng.normal(size=(50, 4, 6))
    found = _swapped(np.log(shares), logits, np.broadcast_to(np.arange(6), shares.shape))
    np.testing.assert_array_equal(found, swapped_actions(logits, shares))
    logits[rng.random(logits.shape) < 0.4] = -INF
    logits[..., 3] = 1.0
    found = _swapped(np.log(shares), logits, np.broadcast_to(np.arange(6), shares.shape))
    np.testing.assert_array_equal(found, swapped_actions(logits, shares))


@pytest.mark.parametrize(("method", "other"), [("ar", ar_gradient), ("ars", ars_gradient),
                                               ("arsm", arsm_gradient)])
def test_as_noisy_and_as_dear_as_in_the_other_module(method, other):
    noise = estimator_noise(payoff, LOGITS, method=method, n_repeats=40_000, rng=0)
    found = other(payoff, LOGITS, n_samples=1, size=40_000, rng=1)
    np.testing.assert_allclose(found.gradient.var(axis=0).sum(), noise.variance, rtol=0.08)
    np.testing.assert_allclose(found.n_evaluations / 40_000, noise.evaluations, rtol=0.03)


@pytest.mark.parametrize("method", ["leave-one-out", "ars", "arsm", "unordered set"])
def test_a_constant_cancels(method):
    found = categorical_gradient(lambda z: np.full(len(z), 1e6), LOGITS, method=method, size=50, rng=0)
    np.testing.assert_allclose(found.gradient, 0, atol=1e-8)


def test_nothing_is_asked_twice_by_swaps():
    asked = []
    found = categorical_gradient(lambda z: asked.append(z) or payoff(z), LOGITS, method="arsm", rng=0)
    rows = asked[0].tolist()
    assert len(rows) == len({tuple(one) for one in rows}) == found.n_evaluations <= 4
    even = categorical_gradient(lambda z: z, np.zeros(7), method="arsm", size=9, rng=0)
    assert even.n_evaluations == 7 * 9


# --- Shapes ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_shapes_and_reproducibility(method):
    for shape in [(3,), (2, 3), (4, 2, 3)]:
        def f(z, problem=None):
            assert problem is None or (len(problem) == len(z) and problem.max() < 4)
            return z.reshape(len(z), -1).sum(axis=1).astype(float)

        def slopes(x, problem=None):
            return np.ones_like(x)

        for size, lead in [(None, ()), (5, (5,)), ((2, 3), (2, 3)), (0, (0,))]:
            one, two = (categorical_gradient(f, np.zeros(shape), method=method, size=size, slope=slopes,
                                             rng=7)
                        for _ in range(2))
            assert one.gradient.shape == (*lead, *shape)
            np.testing.assert_array_equal(one.gradient, two.gradient)
            assert (one.n_evaluations > 0) == (math.prod(lead) > 0)


@pytest.mark.parametrize("method", BY_VALUE + BY_SLOPE)
def test_a_batch_is_its_problems(method):
    logits = np.stack([LOGITS, 2 * LOGITS, 0 * LOGITS])
    factors = np.array([1.0, -2.0, 0.5])
    noise = categorical_gradient(lambda z, b: factors[b] * payoff(z), logits, method=method, size=8000, rng=0,
                                 slope=lambda x, b: factors[b][:, None, None] * slope(x)).gradient
    for at, factor, one in zip(range(3), factors, logits):
        alone = estimator_noise(lambda z, factor=factor: factor * payoff(z), one, method=method,
                                n_repeats=8000, slope=lambda x, factor=factor: factor * slope(x), rng=1)
        error = np.hypot(alone.error, noise[:, at].std(axis=0) / np.sqrt(8000))
        assert np.abs((noise[:, at].mean(axis=0) - alone.mean) / error).max() < 6


def test_exact_of_a_batch():
    logits = np.stack([LOGITS, 2 * LOGITS])
    found = categorical_gradient(lambda z, b: (1 + b) * payoff(z), logits, method="exact")
    np.testing.assert_allclose(found.gradient[1], 2 * exact_gradient(payoff, 2 * LOGITS).gradient, atol=1e-15)
    assert found.n_evaluations == 18


def test_draws_have_the_law():
    waits = _race(np.zeros((50_000, 2, 3)), 1, None, None, np.random.default_rng(0))
    z = (np.log(waits) - LOGITS).argmin(axis=-1)[0]
    for k in range(2):
        share = np.bincount(z[:, k], minlength=3) / 50_000
        assert np.abs(share - softmax(LOGITS[k])).max() < 6 * 0.5 / np.sqrt(50_000)


def test_masked_classes_are_not_asked_for():
    masked = np.array([0.0, -INF, 1.0])
    for method in BY_VALUE:
        asked = []
        found = categorical_gradient(lambda z: asked.append(z) or z + 1.0, masked, method=method, size=200,
                                     rng=0)
        assert not (np.concatenate(asked) == 1).any() and (found.gradient[:, 1] == 0).all()


@pytest.mark.parametrize("method", BY_VALUE + BY_SLOPE)
def test_masked_classes_are_unbiased(method):
    """Each variable masks another class, and the second problem other ones than the first."""
    logits = np.zeros((2, 2, 4))
    logits[0, :, :3], logits[1, :, 1:] = LOGITS, 2 * LOGITS
    logits[[0, 0, 1], [0, 1, 0], [3, 1, 0]] = -INF
    table = np.random.default_rng(4).normal(size=(2, 4, 4))
    def f(z, b): return table[b, z[:, 0], z[:, 1]]
    def slopes(x, b): return np.stack([np.einsum("nij,nj->ni", table[b], x[:, 1]),
                                       np.einsum("nij,ni->nj", table[b], x[:, 0])], axis=1)
    exact = categorical_gradient(f, logits, method="exact").gradient
    size = 20_000
    found = categorical_gradient(f, logits, method=method, slope=slopes, size=size, rng=0).gradient
    assert (found[:, logits == -INF] == 0).all() and np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=-1), 0, atol=1e-12)
    if METHODS[method].unbiased:
        error = found.std(axis=0) / np.sqrt(size) + 1e-15
        assert np.abs((found.mean(axis=0) - exact) / error).max() < 6.5


def test_large_logits_are_no_trouble():
    logits = np.array([1e4, 0.0, -1e4])
    for method in METHODS:
        found = categorical_gradient(lambda z: z, logits, method=method, rng=0, size=3,
                                     slope=lambda x: np.ones_like(x)).gradient
        assert np.isfinite(found).all()


# --- Ascent ----------------------------------------------------------------------------


def test_ascent_climbs_and_counts():
    run = ascend(lambda z: z / 2, np.zeros(3), method="arsm", steps=40, n_runs=4, n_records=8, rng=0)
    assert run.steps.tolist() == list(range(0, 41, 5)) and run.logits.shape == (9, 4, 3)
    np.testing.assert_allclose(run.reward, softmax(run.logits) @ [0, 0.5, 1], atol=1e-15)
    assert (run.reward[-1] > 0.9).all() and (np.diff(run.evaluations) > 0).all()
    exact = ascend(lambda z: z / 2, np.zeros(3), method="exact", steps=1, n_runs=2)
    np.testing.assert_allclose(exact.logits[1, 0], exact_gradient(lambda z: z / 2, np.zeros(3)).gradient)
    assert exact.evaluations.tolist() == [0, 3]


def test_runs_are_of_the_estimator_of_one_problem():
    """The mean first step of many runs is the gradient, and its variance that of the estimator."""
    run = ascend(lambda z: TABLE[0, z], LOGITS[0], method="leave-one-out", steps=1, n_runs=20_000, rng=0)
    steps = run.logits[1] - run.logits[0]
    alone = score_function_gradient(lambda z: TABLE[0, z], LOGITS[0], n_samples=2, size=20_000, rng=1,
                                    baseline="leave-one-out").gradient
    error = alone.std(axis=0).max() * np.sqrt(2 / 20_000)
    assert np.abs(steps.mean(axis=0) - alone.mean(axis=0)).max() < 6 * error
    np.testing.assert_allclose(steps.var(axis=0).sum(), alone.var(axis=0).sum(), rtol=0.1)
