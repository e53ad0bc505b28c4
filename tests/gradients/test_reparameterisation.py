"""softmaxnotes.gradients.reparameterisation: exact values, and shapes."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.experiments.gradients import reparameterisation as forecasts
from softmaxnotes.gradients import Gaussian, pathwise_gradient, score_function_gradient


def square(z):
    return z**2


def noise(seed, *shape):
    """What the estimator draws."""
    return np.random.default_rng(seed).standard_normal(shape)


@settings(max_examples=30)
@given(mean=st.floats(-50, 50), log_std=st.floats(-5, 3), n=st.integers(1, 40), seed=st.integers(0, 99))
def test_it_is_the_mean_of_the_slopes(mean, log_std, n, seed):
    found = pathwise_gradient(square, Gaussian(mean, log_std), n_samples=n, rng=seed)
    moved = np.exp(log_std) * noise(seed, n)
    assert found.n_evaluations == n
    np.testing.assert_allclose(found.gradient.mean, np.mean(2 * (mean + moved)), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.gradient.log_std, np.mean(2 * (mean + moved) * moved), rtol=1e-9,
                               atol=1e-12)


def test_the_draws_are_those_of_the_score_function():
    seen = {}

    def watched(name):
        def f(z):
            seen[name] = np.asarray(z.detach() if isinstance(z, torch.Tensor) else z)
            return (z**2).sum(-1)
        return f

    params = Gaussian([1.0, -2.0], [0.0, 0.5])
    score_function_gradient(watched("score"), params, n_samples=7, size=3, rng=5)
    pathwise_gradient(watched("pathwise"), params, n_samples=7, size=3, rng=5)
    assert np.array_equal(seen["score"], seen["pathwise"]) and seen["score"].shape == (21, 2)


def test_shapes():
    def f(z):
        return (z**2).sum(-1) * 0.5

    at = Gaussian(np.arange(4.0), np.zeros(4))
    one = pathwise_gradient(f, at, n_samples=6, rng=0)
    many = pathwise_gradient(f, at, n_samples=6, size=(2, 3), rng=0)
    assert one.gradient.mean.shape == one.gradient.log_std.shape == (4,)
    assert many.gradient.mean.shape == many.gradient.log_std.shape == (2, 3, 4)
    assert (one.n_evaluations, many.n_evaluations) == (6, 36)
    np.testing.assert_array_equal(many.gradient.mean[0, 0], one.gradient.mean)
    scalar = pathwise_gradient(square, Gaussian(0.0, 0.0), n_samples=2, size=5, rng=0)
    assert scalar.gradient.mean.shape == (5,)
    assert np.ndim(pathwise_gradient(square, Gaussian(0.0, 0.0), n_samples=2, rng=0).gradient.mean) == 0
    none = pathwise_gradient(square, Gaussian(0.0, 0.0), n_samples=2, size=0, rng=0)
    assert none.gradient.mean.shape == (0,) and none.n_evaluations == 0


def test_coordinates_do_not_mix():
    at = Gaussian([1.0, 2.0], [-1.0, 0.3])
    found = pathwise_gradient(lambda z: z[:, 0] * z[:, 1], at, n_samples=9, rng=3).gradient
    drawn = np.array([1.0, 2.0]) + np.exp([-1.0, 0.3]) * noise(3, 9, 2)
    np.testing.assert_allclose(found.mean, drawn[:, ::-1].mean(axis=0), rtol=1e-12)


def test_a_linear_function_has_no_noise_in_its_mean():
    found = pathwise_gradient(lambda z: 3 * z, Gaussian(5.0, 1.0), n_samples=1, size=100, rng=0).gradient
    assert (found.mean == 3).all() and found.log_std.std() > 1


def test_a_kink_is_allowed():
    found = pathwise_gradient(torch.relu, Gaussian(0.5, 0.0), n_samples=50, rng=1).gradient
    assert found.mean == np.mean(0.5 + noise(1, 50) > 0)


def test_float32_values_and_layers_are_fine():
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 1)
    found = pathwise_gradient(lambda z: layer(z.float())[:, 0], Gaussian([0.0, 0.0], [0.0, 0.0]),
                              n_samples=4, rng=0).gradient
    np.testing.assert_allclose(found.mean, layer.weight[0].detach(), rtol=1e-6)
    assert layer.weight.grad is None


def test_without_gradients_switched_on():
    with torch.no_grad():
        assert pathwise_gradient(lambda z: 3 * z, Gaussian(5.0, 1.0), n_samples=1).gradient.mean == 3


def test_the_same_seed_gives_the_same():
    found = [pathwise_gradient(square, Gaussian(1.0, 0.0), n_samples=5, rng=rng).gradient
             for rng in (4, np.random.default_rng(4))]
    assert found[0] == found[1]
    rng = np.random.default_rng(4)
    assert pathwise_gradient(square, Gaussian(1.0, 0.0), n_samples=5, rng=rng).gradient == found[0]
    assert pathwise_gradient(square, Gaussian(1.0, 0.0), n_samples=5, rng=rng).gradient != found[0]


def test_one_draw_is_an_estimate():
    one = pathwise_gradient(square, Gaussian(1.0, 0.0), rng=4)
    assert one == pathwise_gradient(square, Gaussian(1.0, 0.0), n_samples=1, rng=4) and one.n_evaluations == 1
    assert score_function_gradient(square, Gaussian(1.0, 0.0), rng=4).n_evaluations == 1


# -- forecasts of lower halves -------------------------------------------------------------------


draw = forecasts._draw


def test_an_energy_score_of_a_coin_and_of_a_guess():
    truth = torch.tensor([[1.0], [-1.0]])
    guess = forecasts.energy_score(torch.zeros(2, 2, 1), truth)
    sides = torch.tensor([-1.0, 1.0])
    tosses = torch.cartesian_prod(sides, sides).T[..., None]  # both tosses, in all four ways
    coin = forecasts.energy_score(tosses, torch.ones(4, 1))
    assert guess.tolist() == [1, 1] and coin.mean().item() == 0.5
    plane = forecasts.energy_score(torch.tensor([[[0.0, 0.0]], [[3.0, 4.0]]]), torch.zeros(1, 2))
    assert plane.tolist() == [0]


def test_small_distances_of_large_numbers_are_not_lost():
    torch.manual_seed(0)
    near = 0.01 * torch.randn(64, 50, 3)
    assert torch.allclose(forecasts.energy_score(1000 + near, torch.full((50, 3), 1000.0)),
                          forecasts.energy_score(near, torch.zeros(50, 3)), atol=1e-3)


def test_both_gradients_of_the_energy_score_have_one_mean():
    torch.manual_seed(0)
    mean, log_std = (torch.zeros(3, requires_grad=True) for _ in range(2))
    truth = torch.tensor([0.5, -1.0, 0.3]).expand(40_000, 3)
    normal = torch.distributions.Normal(mean.expand(40_000, 3), log_std.exp().expand(40_000, 3))
    x = normal.rsample((4,))
    found = [torch.cat(torch.autograd.grad(loss, (mean, log_std), retain_graph=True)) for loss in (
        forecasts.energy_score(x, truth).mean(), forecasts._surrogate(x, truth, normal))]
    assert (found[0] - found[1]).abs().max() < 0.02 < found[0].abs().max() / 10


@pytest.mark.parametrize("method", forecasts.METHODS)
def test_a_seed_gives_a_run_and_no_global_one_is_touched(method):
    before = torch.random.get_rng_state()
    first, again, other = (forecasts.complete(method, seed=seed, budget=100, lr=0.003) for seed in (1, 1, 2))
    assert torch.equal(before, torch.random.get_rng_state()) and first == again != other


def test_what_is_learnt_from_chooses_no_rate_and_is_not_tested_on(monkeypatch):
    train, test = forecasts.load()
    seen = []
    monkeypatch.setattr(forecasts, "_draw", lambda method, net, upper, count: (
        seen.append(upper), draw(method, net, upper, count))[1])
    found = forecasts.complete("two heads", seed=0, budget=200, lr=0.003)
    *steps, validated, tested = seen
    del steps[100]  # the first validation
    assert list(found) == ["validation", "test", "after 100", "after 200"] and len(steps) == 200
    learnt, unseen, others = ({tuple(half) for half in torch.cat(halves).tolist()} for halves in (
        steps, [validated], [tested]))
    known, never = ({tuple(half) for half in forecasts.halves(part)[0].tolist()} for part in (train, test))
    assert len(validated) == 200 and not learnt & unseen and learnt | unseen <= known and others == never


def test_the_network_that_validates_best_is_kept(monkeypatch):
    scores = iter([3.0, 1.0, 2.0])
    tested = []

    def scored(method, net, part):
        tested.append({name: value.clone() for name, value in net.state_dict().items()})
        return next(scores, 4.0)
    monkeypatch.setattr(forecasts, "_scored", scored)
    found = forecasts.complete("one guess", seed=0, budget=300, lr=0.003)
    assert found == {"validation": 1.0, "test": 4.0, "after 100": 3.0, "after 200": 1.0, "after 300": 2.0}
    assert all(torch.equal(tested[3][name], tested[1][name]) for name in tested[3])
    assert not all(torch.equal(tested[3][name], tested[2][name]) for name in tested[3])


def test_shuffled_draws_keep_each_number_and_lose_what_hangs_together():
    torch.manual_seed(0)
    same = torch.randn(500, 20, 1).expand(500, 20, 2)
    dealt = forecasts.shuffled(same)
    assert torch.equal(dealt.sort(0).values, same.sort(0).values)
    assert abs((dealt[..., 0] * dealt[..., 1]).mean()) < 0.05 < (same[..., 0] * same[..., 1]).mean()


def test_pairs_show_what_hangs_together():
    torch.manual_seed(0)
    together = torch.randint(2, (400, 50, 1)).float().expand(400, 50, 2)
    truth = torch.randint(2, (50, 1)).float().expand(50, 2)
    assert (forecasts.pair_score(together, truth) == 0).all()
    # shuffled, they differ half of the time: half of the four pairs have (0 - 1/2)**2
    assert abs(forecasts.pair_score(forecasts.shuffled(together), truth).mean() - 0.125) < 0.01


@pytest.mark.parametrize("method", forecasts.PIXEL_METHODS)
def test_pixel_by_pixel_a_seed_gives_a_run(method, monkeypatch):
    monkeypatch.setattr(forecasts, "MANY", 4)
    before = torch.random.get_rng_state()
    first, again = (forecasts.pixel_by_pixel(method, seed=1, budget=100) for _ in range(2))
    assert torch.equal(before, torch.random.get_rng_state()) and first == again
    assert list(first) == ["validation", "test", "shuffled", "pairs", "pairs, shuffled"]


@pytest.mark.parametrize("method", ["two heads", "noise inside"])
def test_draws_are_clamped_in_training_too(method, monkeypatch):
    seen = {}
    score = forecasts.energy_score
    monkeypatch.setattr(forecasts, "MANY", 4)
    for name in (method, f"{method}, clamped"):
        monkeypatch.setattr(forecasts, "energy_score", lambda x, truth: (
            seen.setdefault(name, []).append(bool(((x < 0) | (x > 1)).any())), score(x, truth))[1])
        forecasts.pixel_by_pixel(name, seed=1, budget=100)
    plain, clamped = seen.values()
    assert all(plain) and not any(clamped) and len(plain) == len(clamped) == 103


@pytest.mark.parametrize("method", ["two heads", "noise inside"])
def test_without_a_clamp_it_is_the_run_of_complete(method, monkeypatch):
    monkeypatch.setattr(forecasts, "MANY", 4)
    found = forecasts.pixel_by_pixel(method, seed=1, budget=100)
    whole = forecasts.complete(method, seed=1, budget=100, lr=0.001)
    assert (found["validation"], found["test"]) == (whole["validation"], whole["test"])


def test_the_likelihood_has_a_least_deviation(monkeypatch):
    asked = []
    found = torch.nn.functional.gaussian_nll_loss
    monkeypatch.setattr(torch.nn.functional, "gaussian_nll_loss", lambda *args, eps: (
        asked.append(eps), found(*args, eps=eps))[1])
    monkeypatch.setattr(forecasts, "MANY", 4)
    forecasts.pixel_by_pixel("two heads, likelihood", seed=0, budget=100)
    assert set(asked) == {forecasts.FLOOR**2}


def test_methods_and_budgets_that_are_none():
    with pytest.raises(ValueError, match="expected method to be"):
        forecasts.complete("magic", seed=0, budget=1)
    with pytest.raises(ValueError, match="expected method to be"):
        forecasts.pixel_by_pixel("one guess", seed=0, budget=100)
    with pytest.raises(ValueError, match="budget"):
        forecasts.complete("two heads", seed=0, budget=0)
    with pytest.raises(ValueError, match="multiple of 100"):
        forecasts.complete("two heads", seed=0, budget=150)
