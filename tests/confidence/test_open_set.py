"""Rays, the confidence loss, and the law that it asks for."""

import math
import warnings
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from softmaxnotes.confidence import (
    confidence_loss,
    confident_optimum,
    fit_confident,
    ray_limit,
    relu_network,
    uniform_divergence,
)
from softmaxnotes.experiments.confidence.open_set import (
    BOXES,
    best_confidence,
    draw_outliers,
    fit_clouds,
    nearest,
    sure_places,
)
from softmaxnotes.softmax import softmax
from softmaxnotes.training import Trained

numbers = st.floats(-5, 5)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5), st.data())
def test_a_ray_ends_where_its_limit_is(slopes, data):
    offsets = np.array(data.draw(st.lists(numbers, min_size=len(slopes), max_size=len(slopes))))
    slopes = np.array(slopes, float)
    limit = ray_limit(slopes, offsets)
    assert np.allclose(softmax(offsets + 1000 * slopes), limit, atol=1e-12)
    assert np.isclose(limit.sum(), 1) and (limit[slopes < slopes.max()] == 0).all()
    assert np.allclose(ray_limit(slopes - 7, offsets + 3), limit)


def test_rays_in_rows_and_columns():
    slopes = np.array([[1.0, 2.0], [3.0, 3.0]])
    assert np.array_equal(ray_limit(slopes, 0.0), [[0, 1], [0.5, 0.5]])
    assert np.array_equal(ray_limit(slopes.T, 0.0, axis=0), [[0, 0.5], [1, 0.5]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(ray_limit([0.0, 0.0], [1e308, -1e308]), [1, 0])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_laws_keep_their_type(dtype):
    one = np.array([3, 1], dtype)
    assert ray_limit(one, one).dtype == dtype and ray_limit(one, one.astype(np.float64)).dtype == np.float64
    half, weight = np.array([0.5, 0.5], dtype), dtype(1)
    assert confident_optimum(half, weight, weight).dtype == dtype
    assert confident_optimum(half, weight, np.float64(1)).dtype == np.float64


@given(st.lists(numbers, min_size=2, max_size=6), st.floats(0.01, 10), st.floats(0, 10), st.floats(0.1, 5))
def test_nothing_beats_the_optimum(logits, inside, outside, beta):
    posterior = softmax(np.array(logits))
    best = confident_optimum(posterior, inside, outside, beta=beta)
    assert np.isclose(best.sum(), 1)

    def loss(law):
        return -(inside * posterior + beta * outside / len(law)) @ np.log(law)

    other = softmax(np.array(logits[::-1]))
    assert loss(best) <= loss(other) + 1e-9


def test_the_optimum_at_its_ends():
    assert np.array_equal(confident_optimum([1.0, 0.0], 1.0, 0.0), [1, 0])
    assert np.array_equal(confident_optimum([1.0, 0.0], 0.0, 1.0), [0.5, 0.5])
    assert confident_optimum(np.full((4, 3), 1 / 3), np.ones(4), np.ones((2, 4))).shape == (2, 4, 3)
    with warnings.catch_warnings():  # neither sum nor product leaves the range of numbers
        warnings.simplefilter("error")
        for size in (5e-324, 1e308):
            assert np.allclose(confident_optimum([1.0, 0.0], size, size, beta=3), [0.625, 0.375])
        assert np.array_equal(confident_optimum([1.0, 0.0], 0, 5e-324, beta=1e-10), [0.5, 0.5])


@given(st.lists(numbers, min_size=1, max_size=6))
def test_divergence_from_uniform(logits):
    z = torch.tensor(logits, dtype=torch.float64, requires_grad=True)
    law, n = torch.softmax(z, 0), len(logits)
    uniform = torch.full_like(law, 1 / n)
    expected = torch.distributions.kl_divergence(torch.distributions.Categorical(uniform),
                                                 torch.distributions.Categorical(logits=z))
    found = uniform_divergence(z)
    assert torch.isclose(found, expected, atol=1e-12) and found > -1e-12
    found.backward()
    assert torch.allclose(z.grad, (law - 1 / n).detach())


def test_divergence_from_uniform_far_out():
    assert uniform_divergence(torch.tensor([1e4, 0.0])) == pytest.approx(5000 - math.log(2))


def test_the_loss_is_the_sum_of_its_two_means():
    inside, outside, labels = torch.randn(7, 3), torch.randn(5, 3), torch.randint(3, (7,))
    by_hand = sum(-torch.log_softmax(inside[i], 0)[labels[i]] for i in range(7)) / 7
    by_hand = by_hand + 0.3 * sum(uniform_divergence(row) for row in outside) / 5
    assert torch.isclose(confidence_loss(inside, labels, outside, beta=0.3), by_hand)
    twice = torch.cat([outside, outside])  # the number of outliers weighs nothing
    assert torch.isclose(confidence_loss(inside, labels, twice, beta=0.3), by_hand)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it says itself what the factor 3 undoes
        kl_div = torch.nn.functional.kl_div(torch.log_softmax(outside, 1), torch.full((5, 3), 1 / 3))
    assert torch.isclose(3 * kl_div, uniform_divergence(outside).mean())


def test_training_is_reproducible_and_asks_for_doubt():
    points = torch.tensor([[1.0, 0.0], [-1.0, 0.0]]).repeat(20, 1)
    labels, out = torch.tensor([0, 1]).repeat(20), torch.tensor([[6.0, 0.0], [-6.0, 0.0]])
    fitted = partial(fit_confident, points, labels, out, steps=150, batch=20, hidden=16)
    careful, again, other = (fitted(generator=seed) for seed in (0, 0, 1))
    assert isinstance(careful, Trained) and careful.record.keys() == {"loss"}
    assert np.array_equal(careful.record["loss"], again.record["loss"])
    assert not np.array_equal(careful.record["loss"], other.record["loss"])
    careless = fitted(beta=0, generator=0)
    doubts = [torch.softmax(one.model(out), 1).max().item() for one in (careful, careless)]
    assert doubts[0] < 0.7 < 0.95 < doubts[1]


def test_a_network_is_straight_far_out():
    network = relu_network((2, 16, 16, 3), generator=1, dtype=torch.float64)
    along = network(torch.tensor([[0.6, 0.8]], dtype=torch.float64) * torch.arange(1000.0, 1010.0)[:, None])
    assert abs(along[2:] - 2 * along[1:-1] + along[:-2]).max() < 1e-9


def test_networks_do_not_begin_alike_unless_they_are_asked_to():
    def first(**options):
        return next(relu_network((2, 4, 3), **options).parameters())

    assert not torch.equal(first(), first()) and torch.equal(first(generator=3), first(generator=3))
    torch.manual_seed(0)
    one = first()
    torch.manual_seed(0)
    assert torch.equal(one, first())


def test_outliers_are_in_their_box_and_keep_their_distance():
    for name, (reach, number) in BOXES.items():
        points = draw_outliers(name, rng=np.random.default_rng(0))
        assert points.shape == (number, 2) and np.abs(points).max() <= reach and nearest(points).min() > 4


def test_the_law_that_the_loss_asks_for_is_unsure_outside_and_sure_on_the_clouds():
    found = sure_places("the law that the loss asks for", seed=0, budget=1)
    assert found["near"] == found["far"] == found["end"] == 0 and found["data"] > 0.98
    beside = np.array([[3.0, 7.1], [30.0, 30.0], [60.0, 0.0]])
    assert (np.diff(best_confidence(beside, reach=50)) <= 0).all()
    assert best_confidence(beside, reach=50)[2] == 0.5


def test_where_a_network_is_sure_is_a_share_of_places():
    found = sure_places("100 in the wide box", seed=1, budget=4)
    assert found == sure_places("100 in the wide box", seed=1, budget=4)
    points, outliers, network = fit_clouds("100 in the wide box", seed=1, steps=4)
    top = torch.softmax(network(torch.tensor(points, dtype=torch.float32)), 1).amax(1)
    assert found["data"] == (top > 0.8).double().mean() and len(outliers) == 100
