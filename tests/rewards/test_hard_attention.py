"""softmaxnotes.rewards.hard_attention: against other sums, difference quotients, and what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax, rel_entr, softmax

from softmaxnotes.rewards import (
    GlimpseModel,
    all_glimpse_paths,
    attention_bound,
    glimpse_gradient,
    sample_glimpses,
)

INF, NAN = np.inf, np.nan


def some_model(seed, n_places=3, n_classes=2):
    rng = np.random.default_rng(seed)
    return GlimpseModel(rng.normal(size=n_places), rng.normal(size=(n_places, n_places)),
                        rng.normal(size=(n_places, n_classes)))


# --- the bound --------------------------------------------------------------------------------------


def test_the_example_of_the_chapter():
    found = attention_bound(np.log([0.6, 0.3, 0.1]), np.log([0.9, 0.2, 0.05]))
    assert [f"{value:.4f}" for value in found[:3]] == ["-0.5025", "-0.8456", "0.3431"]


@settings(max_examples=50)
@given(st.integers(1, 6), st.floats(0, 30), st.integers(0, 2**32))
def test_gap_is_the_divergence_and_the_difference(n, scale, seed):
    rng = np.random.default_rng(seed)
    logits, log_lik = scale * rng.normal(size=(2, 4, n))
    found = attention_bound(logits, log_lik)
    np.testing.assert_allclose(found.gap, found.evidence - found.bound, rtol=1e-12, atol=1e-12 * (1 + scale))
    np.testing.assert_allclose(found.posterior.sum(axis=-1), 1, rtol=1e-12)
    positive = (found.posterior > 1e-300).all(axis=-1)
    divergence = rel_entr(softmax(logits, axis=-1), found.posterior).sum(axis=-1)
    np.testing.assert_allclose(found.gap[positive], divergence[positive], rtol=1e-9, atol=1e-12)
    assert (found.gap >= 0).all()


def test_shifts_of_logits_change_nothing_and_shapes_are_broadcast():
    logits, log_lik = np.array([1e3, 1e3 + 1, -INF]), np.array([[-1.0, -2.0, -INF], [-1e3, -1e3 - 1, 0]])
    found = attention_bound(logits, log_lik)
    assert found.posterior.shape == (2, 3) and found.gap.shape == (2,)
    assert np.isfinite(found.gap).all() and (found.posterior[:, 2] == 0).all()
    np.testing.assert_allclose(found.gap, attention_bound(logits[:2] - 1e3, log_lik[:, :2]).gap)
    np.testing.assert_allclose(found.gap[0], found.gap[1])


def test_what_cannot_be_said():
    somewhere = attention_bound([0.0, 0.0], [-INF, 0.0])
    assert (somewhere.bound, somewhere.gap) == (-INF, INF) and somewhere.posterior.tolist() == [0, 1]
    nowhere = attention_bound([0.0, 0.0], [-INF, -INF])
    assert nowhere.evidence == nowhere.bound == -INF and np.isnan(nowhere.gap)
    assert np.isnan(nowhere.posterior).all()


# --- paths ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_paths_one_by_one(steps):
    model, classes = some_model(0), [1, 0, 1][:steps]
    paths = all_glimpse_paths(model, classes)
    assert paths.places.tolist() == [list(p) for p in itertools.product(range(3), repeat=steps)]
    assert np.exp(paths.log_prior).sum() == pytest.approx(1, abs=1e-14)
    for row, places in enumerate(paths.places):
        prior = log_softmax(model.first)[places[0]] + sum(
            log_softmax(model.then[a])[b] for a, b in itertools.pairwise(places))
        assert paths.log_prior[row] == pytest.approx(prior, abs=1e-14)
        rewards = [log_softmax(model.reading[place])[c] for place, c in zip(places, classes)]
        np.testing.assert_allclose(paths.rewards[row], rewards, atol=1e-14)


def flat(model):
    return np.concatenate([np.ravel(part) for part in model])


def unflat(vector, n=3, k=2):
    return GlimpseModel(vector[:n], vector[n:n + n * n].reshape(n, n), vector[n + n * n:].reshape(n, k))


@pytest.mark.parametrize("seed", range(3))
def test_scores_and_slopes_are_gradients(seed):
    model, classes = some_model(seed), [0, 1, 1]
    paths = all_glimpse_paths(model, classes)
    for index, e in enumerate(1e-5 * np.eye(len(flat(model)))):
        up, down = (all_glimpse_paths(unflat(flat(model) + sign * e), classes) for sign in (1, -1))
        np.testing.assert_allclose(paths.scores.sum(axis=1)[:, index],
                                   (up.log_prior - down.log_prior) / 2e-5, atol=1e-8)
        np.testing.assert_allclose(paths.slopes[:, index],
                                   (up.rewards - down.rewards).sum(axis=1) / 2e-5, atol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_gradient_of_the_bound(seed):
    model, classes = some_model(seed), [0, 1]

    def bound(vector):
        paths = all_glimpse_paths(unflat(vector), classes)
        return attention_bound(paths.log_prior, paths.rewards.sum(axis=1)).bound

    found = glimpse_gradient(all_glimpse_paths(model, classes))
    quotients = [(bound(flat(model) + e) - bound(flat(model) - e)) / 2e-5
                 for e in 1e-5 * np.eye(len(flat(model)))]
    np.testing.assert_allclose(found.mean, quotients, atol=1e-8)


@settings(max_examples=25)
@given(st.integers(1, 3), st.integers(1, 3), st.booleans(), st.integers(0, 2**32))
def test_baselines_and_order_of_time_do_not_move_the_mean(n, steps, to_go, seed):
    rng = np.random.default_rng(seed)
    model = some_model(seed, n, 2)
    paths = all_glimpse_paths(model, rng.integers(0, 2, size=steps))
    plain = glimpse_gradient(paths)
    # what depends on the glimpse before only
    before = np.concatenate([np.zeros((len(paths.places), 1), int), paths.places[:, :-1]], axis=1)
    knows_the_past = rng.normal(size=(steps, n))[np.arange(steps), before]
    for baseline in (0.0, rng.normal(), rng.normal(size=steps), knows_the_past):
        other = glimpse_gradient(paths, baseline=baseline, to_go=to_go)
        np.testing.assert_allclose(other.mean, plain.mean, atol=1e-12)
        second = np.exp(paths.log_prior) @ other.each**2
        np.testing.assert_allclose(other.variance, second - other.mean**2, atol=1e-11)


def test_a_baseline_that_knows_the_future_moves_the_mean():
    paths = all_glimpse_paths(some_model(0), [0, 1])
    knows = glimpse_gradient(paths, baseline=paths.rewards.sum(axis=1, keepdims=True))
    assert not np.allclose(knows.mean, glimpse_gradient(paths).mean)


def test_the_same_place_twice():
    paths = all_glimpse_paths(some_model(1), [1, 1, 0], places=[[2, 2, 2]])
    assert paths.places.shape == (1, 3) and paths.slopes.shape == (1, 18)


def test_drawn_paths():
    model = some_model(4)
    drawn = sample_glimpses(model, 2, size=200_000, rng=0)
    law = np.exp(all_glimpse_paths(model, [0, 0]).log_prior)
    found = np.bincount(drawn @ [3, 1], minlength=9) / len(drawn)
    assert (np.abs(found - law) < 5 * np.sqrt(law * (1 - law) / len(drawn))).all()
    again = sample_glimpses(model, 2, size=(400, 500), rng=np.random.default_rng(0))
    np.testing.assert_array_equal(drawn, again.reshape(-1, 2))
    assert sample_glimpses(model, 3).shape == (3,) and sample_glimpses(model, 3, 0).shape == (0, 3)


def test_one_place():
    model = GlimpseModel([0.0], [[5.0]], [[1.0, 2.0]])
    paths = all_glimpse_paths(model, [0, 1])
    assert paths.log_prior.tolist() == [0] and not paths.scores.any()
    assert sample_glimpses(model, 2, 3, rng=0).tolist() == [[0, 0]] * 3
