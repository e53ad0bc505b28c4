"""softmaxnotes.softmax.fitting_choices against another optimiser, at bounds, and with nothing to fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit

from softmaxnotes.experiments.softmax.fitting_choices import (
    empirical_prior,
    grid,
    group_of,
    log_likelihoods,
    posterior,
)
from softmaxnotes.softmax import (
    bandit,
    fit,
    log_likelihood,
    log_likelihood_hessian,
    profile,
    simulate,
)

NAN = np.nan


def some_learners(n_subjects, n_trials, seed, **options):
    rng = np.random.default_rng(seed)
    table = bandit(n_trials, drift=0.05, n_subjects=n_subjects, rng=rng).rewards
    alpha, beta = rng.uniform(0.05, 0.9, n_subjects), rng.uniform(0.5, 8, n_subjects)
    return alpha, beta, simulate(alpha, beta, table, rng=rng, **options)


def best_of_scipy(choices, rewards, beta_bounds=(0, 100), **options):
    def downhill(x):
        value, gradient = log_likelihood(*x, choices, rewards, **options)
        return -value, -gradient

    runs = [minimize(downhill, start, jac=True, bounds=[(0, 1), beta_bounds], method="L-BFGS-B",
                     options={"ftol": 1e-15, "gtol": 1e-10})
            for start in ((0.05, 5.0), (0.3, 1.0), (0.6, 5.0), (0.95, 10.0))]
    return max(-run.fun for run in runs)


@pytest.mark.parametrize("n_trials", [30, 300])
def test_no_climb_from_anywhere_comes_higher(n_trials):
    _, _, learners = some_learners(12, n_trials, 0)
    found = fit(*learners)
    assert found.converged.all() and found.maxima.min() >= 1
    for s in range(12):
        best = best_of_scipy(learners.choices[s], learners.rewards[s])
        assert found.log_likelihood[s] >= best - 1e-9


def test_gradient_is_zero_where_no_bound_holds():
    _, _, learners = some_learners(20, 400, 1)
    found = fit(*learners)
    assert np.abs(found.gradient[~found.at_bound]).max() < 1e-8
    value, gradient, hessian = log_likelihood_hessian(found.alpha, found.beta, *learners)
    assert np.allclose(value, found.log_likelihood) and np.allclose(gradient, found.gradient, atol=1e-9)
    inside = ~found.at_bound.any(axis=1)
    assert np.allclose(-hessian[inside] @ found.covariance[inside], np.eye(2), atol=1e-8)
    assert np.allclose(found.standard_errors[inside] ** 2,
                       np.diagonal(found.covariance, axis1=1, axis2=2)[inside])


def test_other_trials_and_other_options():
    rng = np.random.default_rng(2)
    present = rng.random((150, 3)) < 0.8
    present[present.sum(axis=1) < 2] = True
    table = rng.normal(size=(150, 3)) + [0.5, 0.0, -0.5]
    for scored, feedback in (("before", "chosen"), ("before", "all"), ("after", "all")):
        choices, rewards = simulate(0.3, 1.5, table, present=present, feedback=feedback, rng=3)
        choices[::10] = -1
        options = {"present": present, "scored": scored, "v0": 0.2}
        found = fit(choices, rewards, **options)
        assert found.converged and np.ndim(found.alpha) == 0
        assert found.log_likelihood >= best_of_scipy(choices, rewards, **options) - 1e-9


def test_profile_is_the_best_over_beta():
    _, _, (choices, rewards) = some_learners(3, 60, 4)
    alpha = np.linspace(0.01, 1, 7)[:, None]
    beta, value = profile(alpha, choices, rewards, beta_bounds=(-30, 30))
    assert beta.shape == value.shape == (7, 3)
    gradient = log_likelihood(alpha, beta, choices, rewards)[1][..., 1]
    inside = np.abs(beta) < 30
    assert np.abs(gradient[inside]).max() < 1e-8
    for b in np.linspace(-30, 30, 41):
        assert (value >= log_likelihood(alpha, b, choices, rewards)[0] - 1e-10).all()


def test_bounds_hold_and_are_told():
    always = fit([0] * 20, [1.0] * 20, beta_bounds=(0, 7))
    assert always.beta == 7 and always.at_bound[1] and always.converged
    assert np.isnan(always.standard_errors[1])
    rng = np.random.default_rng(5)
    contrary = simulate(0.5, -2.0, bandit(300, rng=rng).rewards, rng=rng)
    assert fit(*contrary).beta == 0
    free = fit(*contrary, beta_bounds=(-10, 10))
    assert free.beta < -1 and not free.at_bound.any()
    narrow = fit(*contrary, beta_bounds=(-10, 10), alpha_bounds=(0.05, 0.1))
    assert 0.05 <= narrow.alpha <= 0.1


def test_nothing_to_fit():
    for choices in ([-1] * 5, []):
        found = fit(choices, [NAN] * len(choices))
        assert found.log_likelihood == 0 and np.isnan(found.covariance).all() and found.converged


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.floats(0.01, 100))
def test_the_unit_of_the_rewards_is_that_of_one_over_beta(seed, scale):
    _, _, (choices, rewards) = some_learners(4, 120, seed)
    one = fit(choices, rewards, beta_bounds=(0, 50))
    other = fit(choices, scale * rewards, beta_bounds=(0, 50 / scale))
    assert np.allclose(other.log_likelihood, one.log_likelihood, atol=1e-8)
    inside = ~one.at_bound.any(axis=1) & (one.maxima == 1)
    assert np.allclose(other.alpha[inside], one.alpha[inside], atol=1e-5)
    assert np.allclose(scale * other.beta[inside], one.beta[inside], atol=1e-4)


def test_a_subject_is_fitted_alike_alone_and_among_others():
    _, _, (choices, rewards) = some_learners(5, 80, 7)
    together = fit(choices, rewards)
    for s in range(5):
        alone = fit(choices[s], rewards[s])
        assert alone.log_likelihood == pytest.approx(together.log_likelihood[s], abs=1e-9)
        assert alone.alpha == pytest.approx(together.alpha[s], abs=1e-6)
        assert np.allclose(alone.standard_errors, together.standard_errors[s], rtol=1e-4, equal_nan=True)


@pytest.mark.parametrize("rewards", [[NAN] * 6, [0.0] * 6])
def test_values_that_never_differ_tell_nothing(rewards):
    found = fit([0, 1, 0, 0, 1, 1], rewards)
    assert found.log_likelihood == pytest.approx(-6 * np.log(2)) and np.isnan(found.standard_errors).all()


def test_large_and_small_rewards():
    choices, rewards = [0, 1, 0, 0, 1, 0] * 5, np.array([1, 0, 1, 1, 0, 0] * 5)
    one = fit(choices, rewards, beta_bounds=(0, 20))
    large = fit(choices, 1e100 * rewards, beta_bounds=(0, 20e-100))
    assert large.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-9)
    small = fit(choices, 1e-300 * rewards)
    assert small.at_bound[1] and np.isfinite(small.log_likelihood)
    assert fit(np.zeros((3, 0), int), np.zeros((3, 0))).alpha.shape == (3,)


# --- Groups -------------------------------------------------------------------------------------


def test_the_table_holds_the_log_likelihoods():
    _, _, players = group_of(30, 4, rng=1)
    points = grid(5, 4)
    logs = log_likelihoods(players, points)
    for g, (a, b) in enumerate(points):
        assert np.allclose(logs[:, g], log_likelihood(expit(a), np.exp(b), *players).value)


def test_a_posterior_is_prior_times_likelihood():
    points, logs = grid(7, 6), np.random.default_rng(0).normal(size=(3, 42))
    mean, variance = np.array([-1.0, 1.0]), np.array([0.5, 0.3])
    wanted = np.exp(logs) * np.prod(np.exp(-((points - mean) ** 2) / (2 * variance)), axis=1)
    found = posterior(logs, points, mean, variance)
    assert np.allclose(found, wanted / wanted.sum(axis=1, keepdims=True))


def test_the_prior_is_found_that_made_a_large_group():
    rng = np.random.default_rng(3)
    a, b = rng.normal(-1, 0.8, 200), rng.normal(1.2, 0.4, 200)
    players = simulate(expit(a), np.exp(b), bandit(100, drift=0.05, n_subjects=200, rng=4).rewards, rng=5)
    points = grid()
    theta, mean, variance = empirical_prior(log_likelihoods(players, points), points)
    assert np.allclose(mean, [-1, 1.2], atol=0.2) and np.allclose(variance, [0.64, 0.16], rtol=0.45)
    assert (theta.var(axis=0) < variance).all()


def test_the_prior_rests():
    points = grid()
    logs = log_likelihoods(group_of(25, rng=3)[2], points)
    early, late = (empirical_prior(logs, points, rest=rest) for rest in (1e-4, 1e-5))
    assert np.allclose(early[1], late[1], atol=0.03) and np.allclose(early[2], late[2], atol=0.05)
    mean, variance = late[1:]
    weights = posterior(logs, points, mean, variance)
    again = (weights @ (points - mean) ** 2).mean(axis=0)
    assert np.allclose((weights @ points).mean(axis=0), mean, atol=2e-4)
    assert np.allclose(again, variance, atol=2e-4)


def test_a_prior_without_width_gives_all_the_same_numbers():
    points = grid()
    logs = log_likelihoods(group_of(40, 5, rng=2)[2], points)
    theta = posterior(logs, points, np.array([-1.0, 1.0]), np.full(2, 1e-6)) @ points
    assert np.allclose(theta, [-1, 1], atol=1e-6)
