"""Scores, what they are worth, the generator's optimum, and the three steps."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from softmaxnotes.confidence import detection_metrics, energy_score, relu_network, uniform_divergence
from softmaxnotes.experiments.confidence.open_set_gan import (
    GAMES,
    TRAININGS,
    confident_gan,
    generator_optimum,
    played,
    tell_unknown,
    three_losses,
)
from softmaxnotes.softmax import logsumexp
from softmaxnotes.training import Trained

numbers = st.floats(-50, 50)
scores = st.lists(st.integers(-3, 3), min_size=1, max_size=7)


@given(st.lists(numbers, min_size=1, max_size=6), st.floats(0.01, 10), numbers)
def test_energy_is_near_the_largest_logit_and_sees_a_shift(logits, temperature, shift):
    score = energy_score(logits, temperature=temperature)
    assert max(logits) - 1e-9 <= score <= max(logits) + temperature * np.log(len(logits)) + 1e-9
    moved = energy_score(np.array(logits) + shift, temperature=temperature)
    assert np.isclose(moved, score + shift, atol=1e-9)


def test_energy_of_extremes():
    assert energy_score([1e308, -1e308]) == 1e308
    assert energy_score([1e300, 0.0], temperature=1e-10) == 1e300
    assert energy_score([1.5e308, -1.5e308], temperature=1e308) == pytest.approx(
        1.5e308 + 1e308 * np.log1p(np.exp(-3)), rel=4 * 2.0**-53)  # roundings of terms of one sign
    assert energy_score([np.inf, 0.0], temperature=3) == np.inf
    assert np.isnan(energy_score([np.nan, 0.0], temperature=3))
    assert energy_score([-np.inf, -np.inf]) == -np.inf
    rows = np.arange(6.0).reshape(2, 3)
    assert np.allclose(energy_score(rows.T, axis=0), logsumexp(rows))
    assert energy_score(rows, axis=None, temperature=2) == pytest.approx(2 * logsumexp(rows / 2, axis=None))
    assert energy_score(np.zeros((2, 0))).tolist() == [-np.inf] * 2


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_energy_keeps_its_type(dtype):
    for temperature in (1, 0.5, np.float64(2)):
        for logits in ([3, 1], [[3, 1], [0, 0]]):
            assert energy_score(np.array(logits, dtype), temperature=temperature).dtype == dtype


def enumerated(inside, outside):
    """The five numbers, from all thresholds: what is at least as large passes."""
    inside, outside = np.array(inside, float), np.array(outside, float)
    bars = [*np.unique(np.concatenate([inside, outside])), np.inf]
    passed = [((inside >= bar).mean(), (outside < bar).mean()) for bar in bars]
    pairs = np.sign(inside[:, None] - outside)

    def precision(wanted, others):  # average precision: recall gained times precision there
        recall, area = 0.0, 0.0
        for bar in sorted({*wanted, *others}, reverse=True):
            hits, false = (wanted >= bar).sum(), (others >= bar).sum()
            area += (hits / len(wanted) - recall) * hits / (hits + false)
            recall = hits / len(wanted)
        return area

    return (max(kept for share, kept in passed if share >= 0.95), (pairs.mean() + 1) / 2,
            max(sum(pair) / 2 for pair in passed), precision(inside, outside), precision(-outside, -inside))


@given(scores, scores)
def test_metrics_by_enumeration(inside, outside):
    assert np.allclose(detection_metrics(inside, outside), enumerated(inside, outside))


@given(scores, scores)
def test_metrics_see_the_order_only(inside, outside):
    found = detection_metrics(inside, outside)
    assert found == detection_metrics(np.exp(inside), np.exp(outside))
    assert np.isclose(found.auroc, 1 - detection_metrics(outside, inside).auroc)


def test_metrics_of_extremes():
    assert detection_metrics([np.inf, 1.0], [-np.inf, 0.0]) == (1, 1, 1, 1, 1)
    nothing = detection_metrics([0.0] * 3, [0.0])
    assert nothing == (0, 0.5, 0.5, 0.75, 0.25)
    assert detection_metrics([0.0], [1.0]).auroc == 0


def test_large_numbers_of_scores_that_differ_in_the_last_digit():
    inside = 1e6 + np.arange(40.0) * 2**-30
    assert detection_metrics(inside, inside[:1] - 2**-30).auroc == 1


def paid(masses, made, divergence, beta):
    both = masses + made
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(masses > 0, masses * np.log(masses / both), 0)
        lent = np.where(made > 0, made * np.log(made / both), 0)
    return (own + lent + beta * divergence * made).sum()


@given(st.lists(st.tuples(st.floats(0.05, 1), st.floats(0, 20), st.floats(0.01, 1)), min_size=1, max_size=8),
       st.floats(0, 5))
def test_no_generator_pays_less(cells, beta):
    masses, divergence, other = map(np.array, zip(*cells, strict=True))
    masses, other = masses / masses.sum(), other / other.sum()
    best = generator_optimum(masses, divergence, beta=beta)
    assert np.isclose(best.sum(), 1) and (best >= 0).all()
    for share in (1.0, 0.5, 0.01):
        rival = (1 - share) * best + share * other
        assert paid(masses, best, divergence, beta) <= paid(masses, rival, divergence, beta) + 1e-9


def test_generator_copies_the_data_where_all_is_alike():
    masses = np.array([[0.1, 0.2], [0.3, 0.4]])
    for divergence in (0.0, 3.0, 700.0):
        assert np.allclose(generator_optimum(masses, np.full((2, 2), divergence)), masses)
    assert np.allclose(generator_optimum(masses, np.arange(4.0).reshape(2, 2), beta=0), masses)


def test_generator_leaves_out_what_is_certain_or_has_no_data():
    assert np.allclose(generator_optimum([0.5, 0.5], [0.0, np.inf]), [1, 0])
    assert np.allclose(generator_optimum([0.5, 0.5, 0.0], [1.0, 1.0, 0.0]), [0.5, 0.5, 0])
    assert np.allclose(generator_optimum([0.5, 0.5], [0.0, np.inf], beta=0), [0.5, 0.5])
    rare = generator_optimum([1 - 1e-12, 1e-12], [1000.0, 0.0])
    assert np.allclose(rare, [0, 1])
    for least in (1e-300, 5e-324):
        assert np.allclose(generator_optimum([least, 1 - least], [0.0, 50.0]), [1, 0])
    # where the second costs as much as nothing, g is f/(e^c - 1) with e^c = 2
    assert np.allclose(generator_optimum([1e-300, 1 - 1e-300], [0.0, 1e-310]), [1e-300, 1])
    assert np.allclose(generator_optimum([1.0], [3.0]), [1])


def test_losses_are_what_is_printed():
    generator = torch.Generator().manual_seed(0)
    data, made = (torch.randn(6, 3, generator=generator, dtype=torch.float64) for _ in range(2))
    judged_in, judged_made = (torch.randn(6, generator=generator, dtype=torch.float64) for _ in range(2))
    right = torch.tensor([0, 1, 2, 0, 1, 2])
    a, b, pi = torch.sigmoid(judged_in), torch.sigmoid(judged_made), torch.softmax(data, 1)
    kappa = -torch.log(3 * torch.softmax(made, 1)).mean(1)
    expected = (-(a.log() + (1 - b).log()).mean(), (1 - b).log().mean() + 0.3 * kappa.mean(),
                (0.3 * kappa - pi[torch.arange(6), right].log()).mean())
    losses = three_losses(data, right, made, judged_in, judged_made, beta=0.3)
    for found, one in zip(losses, expected, strict=True):
        assert torch.isclose(found, one)


def test_losses_of_a_certain_discriminator_are_finite():
    zeros, far = torch.zeros(2, 2), torch.tensor([1e4, -1e4])
    found = three_losses(zeros, torch.tensor([0, 1]), zeros, far, far)
    assert all(torch.isfinite(loss) for loss in found)


POINTS = torch.tensor([[3.0, 0.0], [-3.0, 0.0], [3.0, 1.0], [-3.0, 1.0]])
LABELS = torch.tensor([0, 1, 0, 1])


@pytest.mark.parametrize("saturating", [True, False])
def test_a_game_is_reproducible(saturating):
    games = [confident_gan(POINTS, LABELS, steps=4, batch=8, generator=seed, saturating=saturating)
             for seed in (1, 1, 2)]
    first, again, other = (game.model.sample(5, generator=0) for game in games)
    assert torch.equal(first, again) and not torch.equal(first, other)
    record = games[0].record
    assert isinstance(games[0], Trained) and sorted(record) == ["chance", "confidence", "doubt"]
    assert all(row.shape == (4,) and np.isfinite(row).all() for row in record.values())


def test_points_are_drawn_anew_each_time_unless_a_seed_is_told():
    game = confident_gan(POINTS, LABELS, steps=1, batch=8).model
    assert not torch.equal(game.sample(4), game.sample(4))
    assert torch.equal(game.sample(4, generator=2), game.sample(4, generator=2))
    one, row, table = game.sample(), game.sample(3), game.sample((2, 3))
    assert one.shape == (2,) and row.shape == (3, 2) and table.shape == (2, 3, 2)


def test_printed_and_other_second_step_differ():
    printed, other = (confident_gan(POINTS, LABELS, steps=4, batch=8, saturating=s, generator=0).model
                      for s in (True, False))
    assert not torch.equal(printed.sample(5, generator=0), other.sample(5, generator=0))


def test_a_held_classifier_does_not_move():
    held = relu_network((2, 8, 2), generator=0)
    before = [one.clone() for one in held.parameters()]
    game = confident_gan(POINTS, LABELS, held=held, steps=5, batch=8).model
    for network in (held, game.classifier):
        assert all(torch.equal(one, old) for one, old in zip(network.parameters(), before, strict=True))
    assert all(one.grad is None for one in held.parameters())


def test_a_generator_goes_where_a_held_classifier_doubts():
    class Edge(torch.nn.Module):  # in doubt to the right of the data
        def forward(self, x):
            return torch.stack([5 * torch.nn.functional.softplus(6 - x[:, 0]), 0 * x[:, 0]], 1)

    points = torch.randn(200, 2, generator=torch.Generator().manual_seed(0)) + torch.tensor([3.0, 0.0])
    game = confident_gan(points, torch.arange(200) % 2, held=Edge(), steps=150, lr=5e-3, generator=0).model
    arrived = game.sample(500, generator=0)
    assert arrived[:, 0].mean() > 4.5
    there, here = (uniform_divergence(Edge()(x)).mean() for x in (arrived, points))
    assert there < here / 2


def test_a_game_in_other_sizes():
    labels = torch.tensor([0, 1, 2, 2])
    game = confident_gan(POINTS.double(), labels, noise=3, hidden=4, steps=2, batch=3).model
    assert game.sample(7).shape == (7, 2) and game.sample(7).dtype == torch.float64
    assert game.classifier(POINTS.double()).shape == (4, 3)


def test_a_game_goes_on_where_it_stopped(tmp_path):
    kept = tmp_path / "game.pt"
    whole = confident_gan(POINTS, LABELS, steps=6, batch=4, generator=0)
    confident_gan(POINTS, LABELS, steps=3, batch=4, generator=0, checkpoint=kept)
    later = confident_gan(POINTS, LABELS, steps=6, batch=4, generator=1, checkpoint=kept)  # its seed is kept
    assert torch.equal(whole.model.sample(5, generator=0), later.model.sample(5, generator=0))
    assert np.array_equal(whole.record["doubt"], later.record["doubt"])


@pytest.mark.parametrize("method", TRAININGS)
def test_what_tells_unknown_digits_is_reported_for_both_scores(method):
    found = tell_unknown(method, seed=5, budget=3)
    assert sorted(found) == ["accuracy", "confidence", "confidence area", "energy", "energy area"]
    assert all(0 <= value <= 1 for value in found.values())
    if method != "regression":
        assert found == tell_unknown(method, seed=5, budget=3)
        assert found != tell_unknown(method, seed=6, budget=3)


def test_trainings_begin_alike_and_differ_by_their_outliers():
    start = {method: tell_unknown(method, seed=5, budget=40) for method in TRAININGS[:3]}
    assert len({found["confidence"] for found in start.values()}) > 1


def test_games_on_two_clouds_are_looked_at():
    found = {method: played(method, seed=5, budget=60) for method in GAMES}
    for one in found.values():
        assert one["confidence"] == pytest.approx((one["confidence 1"] + one["confidence 2"]) / 2, abs=1e-6)
        assert all(0 <= share <= 1 for share in one.values())
    assert found["no doubt asked for"]["confidence"] > found["as printed"]["confidence"]
    assert found["as printed"] != found["as published"]
    assert found["as printed"] == played("as printed", seed=5, budget=60)
    rest = found["at rest"]
    assert rest["confidence"] == 0.75 and rest["first"] == pytest.approx(0.5, abs=1e-3)
    assert rest["far"] == pytest.approx(np.exp(-4.5), abs=0.01)  # of a normal law in the plane
