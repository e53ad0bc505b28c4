"""Statistical assertions: both error rates are computed, not hoped for."""

import math

import numpy as np
import pytest
from scipy import stats

from softmaxnotes.proof import Refuted, cdf_agrees, frequencies_agree, mean_agrees
from softmaxnotes.proof.statistics import FALSE_ALARM, MISSED, _plan

SEEDS = range(5)
OPTIONS = {"of": "eq-law", "title": "a law"}


# -- the plan, exactly -----------------------------------------------------------------------------------

@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("effect", [0.02, 0.1, 0.5])
def test_error_rates_of_the_mean_of_a_bernoulli_variable(mean, effect):
    n, threshold = _plan(1.0, effect)
    low, high = math.ceil(n * (mean - threshold)), math.floor(n * (mean + threshold))

    def accepted(p):
        return stats.binom.cdf(high, n, p) - stats.binom.cdf(low - 1, n, p)

    alarm = stats.binom.sf(high, n, mean) + stats.binom.cdf(low - 1, n, mean)
    assert alarm <= FALSE_ALARM
    for other in (mean - effect, mean + effect):
        if 0 <= other <= 1:
            assert accepted(other) <= MISSED + 1e-12


@pytest.mark.parametrize("categories", [2, 5, 40])
@pytest.mark.parametrize("p", [0.0, 0.001, 0.2, 0.5, 0.999])
def test_error_rates_of_the_frequencies(categories, p, effect=0.05):
    n, _ = _plan(1.0, effect, tests=categories)
    counts = np.arange(n + 1)
    tails = 2 * np.minimum(stats.binom.cdf(counts, n, p), stats.binom.sf(counts - 1, n, p))
    rejects = tails < FALSE_ALARM / categories
    assert stats.binom.pmf(counts, n, p)[rejects].sum() <= FALSE_ALARM / categories
    for other in (p - effect, p + effect):
        if 0 <= other <= 1:
            assert stats.binom.pmf(counts, n, other)[~rejects].sum() <= MISSED


def test_the_plan_grows_as_the_effect_shrinks():
    n, threshold = _plan(1.0, 0.01)
    assert 0 < threshold < 0.01
    assert _plan(2.0, 0.02) == (n, pytest.approx(2 * threshold))
    assert _plan(1.0, 0.005)[0] == pytest.approx(4 * n, rel=1e-4)
    assert _plan(1.0, 0.01, tests=10)[0] > n
    for effect in (0, -0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match="effect must lie in"):
            _plan(1.0, effect)


# -- right and wrong samplers, under several seeds ------------------------------------------------------

P = np.array([0.5, 0.3, 0.15, 0.05, 0.0])


def categories(p):
    return lambda n, rng: rng.choice(len(p), size=n, p=p)


@pytest.mark.parametrize("seed", SEEDS)
def test_right_samplers_pass(seed):
    assert frequencies_agree(categories(P), P, effect=0.03, seed=seed, **OPTIONS).entry.status == "checked"
    assert mean_agrees(lambda n, rng: rng.beta(2, 3, n), 0.4, bounds=(0, 1), effect=0.03, seed=seed, **OPTIONS).entry.of == "eq-law"
    assert cdf_agrees(lambda n, rng: rng.gumbel(size=n), stats.gumbel_r.cdf, effect=0.03, seed=seed, **OPTIONS).entry.mutants == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_an_effect_of_the_stated_size_is_seen(seed):
    moved = P + np.array([0.03, -0.03, 0, 0, 0])
    with pytest.raises(Refuted, match="came .* times in"):
        frequencies_agree(categories(moved), P, effect=0.03, seed=seed, **OPTIONS)
    with pytest.raises(Refuted, match="the mean of"):
        mean_agrees(lambda n, rng: rng.beta(2, 3, n) + 0.03, 0.4, bounds=(0, 1.03), effect=0.03, seed=seed, **OPTIONS)
    shift = 0.03 / stats.norm.pdf(0) * 1.001  # moves the distribution function by 0.03 at the median
    with pytest.raises(Refuted, match="departs by"):
        cdf_agrees(lambda n, rng: rng.normal(shift, 1, n), stats.norm.cdf, effect=0.03, seed=seed, **OPTIONS)


def test_the_wrong_sign_of_the_gumbel_noise_is_seen():
    logits = np.array([2.0, 0.0, -1.0])
    p = np.exp(logits) / np.exp(logits).sum()
    right = lambda n, rng: np.argmax(logits + rng.gumbel(size=(n, 3)), axis=1)  # noqa: E731
    wrong = lambda n, rng: np.argmax(logits - rng.gumbel(size=(n, 3)), axis=1)  # noqa: E731
    assert frequencies_agree(right, p, effect=0.02, **OPTIONS).entry.badge == "statistical"
    with pytest.raises(Refuted):
        frequencies_agree(wrong, p, effect=0.02, **OPTIONS)


def test_a_category_of_probability_zero_is_never_drawn():
    def once(n, rng):
        sample = rng.choice(5, size=n, p=P)
        sample[0] = 4
        return sample

    with pytest.raises(Refuted, match="category 4 came 1 times"):
        frequencies_agree(once, P, effect=0.05, **OPTIONS)


def test_a_certain_category():
    assert frequencies_agree(lambda n, rng: np.zeros(n, int), [1.0], effect=0.1, **OPTIONS).entry.status == "checked"


# -- clear errors ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("sample", [
    lambda n, rng: np.zeros(n - 1, int), lambda n, rng: np.zeros((n, 1), int), lambda n, rng: np.zeros(n),
    lambda n, rng: np.full(n, 2), lambda n, rng: np.full(n, -1), lambda n, rng: None,
])
def test_draws_that_are_no_categories(sample):
    with pytest.raises(ValueError, match=r"must return .* integers in \[0, 2\)"):
        frequencies_agree(sample, [0.5, 0.5], effect=0.1, **OPTIONS)


@pytest.mark.parametrize("p", [[0.5, 0.6], [1.5, -0.5], [[0.5, 0.5]], [0.5, math.nan], []])
def test_probabilities_that_are_none(p):
    with pytest.raises(ValueError, match="sum to one"):
        frequencies_agree(lambda n, rng: np.zeros(n, int), p, effect=0.1, **OPTIONS)


def test_draws_of_the_wrong_shape():
    with pytest.raises(ValueError, match="must return shape"):
        mean_agrees(lambda n, rng: rng.random((n, 2)), 0.5, bounds=(0, 1), effect=0.1, **OPTIONS)
    with pytest.raises(ValueError, match="must return"):
        cdf_agrees(lambda n, rng: rng.random(n + 1), stats.uniform.cdf, effect=0.1, **OPTIONS)


def test_draws_outside_their_bounds():
    for value in (1.5, -0.1, math.nan, math.inf):
        with pytest.raises(Refuted, match="outside"):
            mean_agrees(lambda n, rng, value=value: np.append(rng.random(n - 1), value), 0.5, bounds=(0, 1), effect=0.1, **OPTIONS)


def test_nothing_that_is_not_a_number_passes():
    with pytest.raises(ValueError, match="NaN"):
        cdf_agrees(lambda n, rng: np.full(n, math.nan), stats.norm.cdf, effect=0.1, **OPTIONS)
    with pytest.raises(Refuted):
        cdf_agrees(lambda n, rng: rng.random(n), lambda t: t * math.nan, effect=0.1, **OPTIONS)
    with pytest.raises(Refuted):
        mean_agrees(lambda n, rng: rng.random(n), math.nan, bounds=(0, 1), effect=0.1, **OPTIONS)


def test_the_sentence_states_both_error_rates():
    sentence = mean_agrees(lambda n, rng: rng.random(n), 0.5, bounds=(0, 1), effect=0.05, **OPTIONS).entry.how[0]
    assert "14,236 draws" in sentence
    assert "a departure of 0.05 would be seen with probability 1\u00a0−\u00a010⁻⁶" in sentence
    assert "a false alarm has probability 10⁻⁹" in sentence


def test_fresh_seeds_change_the_stream(monkeypatch):
    streams = []

    def draw(n, rng):
        streams.append(rng.random(n))
        return streams[-1]

    for fresh in ("", "0", "1", "2"):
        monkeypatch.setenv("SOFTMAXNOTES_FRESH_SEED", fresh) if fresh else monkeypatch.delenv(
            "SOFTMAXNOTES_FRESH_SEED", raising=False)
        mean_agrees(draw, 0.5, bounds=(0, 1), effect=0.1, **OPTIONS)
    assert np.array_equal(streams[0], streams[1])
    assert not np.array_equal(streams[1], streams[2])
    assert not np.array_equal(streams[2], streams[3])
