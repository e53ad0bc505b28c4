"""softmaxnotes.experiments.unnormalised.nce_limits: what the fits must find, by other means."""

import numpy as np
import pytest
from scipy import integrate, stats

from proofread.evidence.statistics import has_cdf
from softmaxnotes.experiments.unnormalised.nce_limits import (
    draw_sources,
    fit_patches,
    ica,
    patches,
    separate,
    separation_error,
)


def test_the_patches_are_all_windows_of_the_digits():
    known = patches()
    assert (known.pixels @ 2 ** np.arange(9) == np.arange(512)).all()
    assert len(np.unique(known.features[:, 10:], axis=1).T) == 36
    rate = known.counts @ known.pixels / known.counts.sum()
    for law in known.laws.values():
        assert np.isclose(law.sum(), 1)
    assert np.allclose(known.laws["each pixel by itself"] @ known.pixels, rate)


def test_the_likeliest_machine_has_the_means_of_the_data():
    known = patches()
    model, seen = np.exp(known.likeliest), known.counts / known.counts.sum()
    assert np.allclose(model @ known.features, seen @ known.features, atol=1e-6)
    assert known.lost(known.likeliest + 7) == pytest.approx(known.lost(known.likeliest))


def test_a_fit_loses_more_than_the_likeliest_and_less_with_more_noise():
    few, many = (fit_patches("uniform", seed=0, budget=budget)["lost"] for budget in (1, 25))
    assert few > many > fit_patches("maximum likelihood", seed=0, budget=1)["lost"]


def test_sources_have_their_density():
    def cdf(s):
        return 2 / np.pi * np.arctan(np.exp(np.pi * s / 2))

    assert has_cdf(lambda size, rng: draw_sources(size, rng=rng), cdf, effect=0.02, title="sources")
    weight, variance = (integrate.quad(lambda s, n=n: s**n / np.cosh(np.pi * s / 2) / 2, -60, 60)[0]
                        for n in (0, 2))
    assert weight == pytest.approx(1) and variance == pytest.approx(1)


def test_the_error_does_not_see_order_and_sign():
    gain = stats.ortho_group.rvs(4, random_state=0)
    shuffled = (gain * [[1], [-1], [1], [-1]])[[2, 0, 3, 1]]
    assert separation_error(shuffled) == pytest.approx(separation_error(gain))
    assert separation_error(np.eye(4)[[3, 1, 0, 2]] * -1) == 0


@pytest.mark.parametrize("name", ["_likelihood", "_contrast", "_sampled"])
def test_slopes_are_those_of_the_costs(name):
    rng = np.random.default_rng(0)
    data, root = draw_sources((30, 4), rng=rng), np.linalg.cholesky(np.eye(4) + 0.1)
    noise = rng.normal(size=(60, 4)) @ root.T
    cost = ica._likelihood(data) if name == "_likelihood" else getattr(ica, name)(data, noise, root)
    at = np.append(np.eye(4) + 0.3 * rng.normal(size=(4, 4)), -2.0)[: 17 if name == "_contrast" else 16]
    steps = 1e-6 * np.eye(len(at))
    slopes = [(cost(at + step)[0] - cost(at - step)[0]) / 2e-6 for step in steps]
    assert np.allclose(slopes, cost(at)[1], atol=1e-7)


def test_the_constant_of_the_model_makes_it_a_density():
    matrix = np.array([[1.0, 0.5], [0.0, 2.0]])

    def density(y, x):
        scores = ica._log_cosh(np.pi / 2 * matrix @ [x, y]).sum()
        return np.exp(ica._log_density(matrix) - scores)

    assert integrate.dblquad(density, -20, 20, -15, 15, epsabs=1e-4)[0] == pytest.approx(1, abs=1e-3)


def test_much_noise_comes_near_the_likelihood():
    best = separate("maximum likelihood", seed=3, budget=1000)["error"]
    found = separate("NCE, ν = 100", seed=3, budget=1000)
    assert found["error"] < 2 * best and abs(found["constant"]) < 0.02
    assert separate("decorrelated", seed=3, budget=1000)["error"] > 5 * best
