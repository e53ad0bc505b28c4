"""softmaxnotes.experiments.rewards.reading_digits: recursions against lists, estimators against sums."""

import itertools

import numpy as np
import pytest
import torch
from scipy.special import softmax

from softmaxnotes.digits import load
from softmaxnotes.experiments.rewards.reading_digits import (
    DigitReader,
    attention_noise,
    fit_readers,
    learning,
    make_canvases,
    races,
    read_canvases,
    swap_gradient,
)
from softmaxnotes.rewards import arsm_gradient, attention_bound

TRAIN, TEST = load()


def source(seed=0):
    return torch.Generator().manual_seed(seed)


def some_reader(readers=2, seed=0, **how):
    reader = DigitReader(readers, generator=seed, **how).double()
    with torch.no_grad():
        for number, parameter in enumerate(reader.parameters()):
            noise = torch.randn(parameter.shape, generator=source(seed + number), dtype=torch.float64)
            parameter += 0.3 * noise
    return reader


# --- canvases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells, digits", [(6, 2), (3, 3), (1, 1), (9, 4)])
def test_canvases_hold_whole_digits_in_order(cells, digits):
    made = make_canvases(TEST, 50, n_cells=cells, n_digits=digits, rng=0)
    assert made.cells.shape == (50, cells, 64) and made.places.shape == made.digits.shape == (50, digits)
    assert (np.diff(made.places) > 0).all()
    whole = {image.tobytes(): label for image, label in zip(TEST.images, TEST.labels)}
    for canvas, places, told in zip(*made):
        found = [whole.get(cell.tobytes()) for cell in canvas]
        assert [found[place] for place in places] == told.tolist()
        assert sum(label is not None for label in found) == digits


def test_canvases_of_any_size_are_the_same_ones():
    flat, table = (make_canvases(TEST, size, rng=3) for size in (6, (2, 3)))
    for one, other in zip(flat, table):
        assert other.shape[:2] == (2, 3) and (one == other.reshape(one.shape)).all()
    assert make_canvases(TEST).cells.shape == (6, 64) and make_canvases(TEST, 0).digits.shape == (0, 2)


def test_pieces_have_the_same_ink():
    made = make_canvases(TRAIN, 20, rng=1)
    ink = {image.sum().round(9) for image in TRAIN.images}
    assert {total for total in made.cells.sum(axis=-1).round(9).ravel()} <= ink


# --- exact sums -------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_recursion_against_all_paths(digits):
    reader = some_reader(n_digits=digits, n_cells=4)
    canvases = make_canvases(TEST, 3, n_cells=4, n_digits=digits, rng=0)
    with torch.no_grad():
        tables = reader(canvases.cells)
    read = read_canvases(reader, canvases)
    for s, n in itertools.product(range(2), range(3)):
        log_prior, rewards = [], []
        for path in itertools.product(range(4), repeat=digits):
            before = [4, *path[:-1]]
            log_prior.append(sum(torch.log_softmax(table[s, n, a], -1)[b].item()
                                 for table, a, b in zip(tables.glance, before, path)))
            rewards.append(sum(tables.names[s, n, b, d].item() for b, d in zip(path, canvases.digits[n])))
        found = attention_bound(log_prior, rewards)
        assert read.evidence[s, n] == pytest.approx(found.evidence, abs=1e-10)
        assert read.bound[s, n] == pytest.approx(found.bound, abs=1e-10)
    np.testing.assert_allclose(read.attention.sum(axis=-1), 1, atol=1e-12)


def test_readers_side_by_side_do_not_disturb_each_other():
    pair, canvases = some_reader(2), make_canvases(TEST, 4, rng=0)
    single = DigitReader(1, generator=0).double()
    with torch.no_grad():
        for whole, part in zip(single.parameters(), pair.parameters()):
            whole.copy_(part[1:])
    for one, both in zip(read_canvases(single, canvases), read_canvases(pair, canvases)):
        np.testing.assert_allclose(one[0], both[1], atol=1e-12)


def test_soft_attention_that_is_sure_reads_one_place():
    reader, canvases = some_reader(1), make_canvases(TEST, 5, rng=0)
    with torch.no_grad():
        reader.ask.mul_(1e4)
    soft, hard = (read_canvases(reader, canvases, soft=flag) for flag in (True, False))
    np.testing.assert_array_equal(soft.digits, hard.digits)
    np.testing.assert_allclose(soft.evidence, hard.evidence, atol=1e-9)
    np.testing.assert_allclose(soft.bound, soft.evidence, atol=1e-9)


def test_soft_attention_has_a_bound():
    reader, canvases = some_reader(2), make_canvases(TEST, 50, rng=0)
    soft = read_canvases(reader, canvases, soft=True)
    assert (soft.bound < soft.evidence).all()
    with torch.no_grad():
        tables = reader(canvases.cells)
    told = tables.names.numpy()[:, np.arange(50)[:, None], :, canvases.digits]  # (canvas, step, reader, cell)
    listed = np.einsum("sntl,ntsl->sn", soft.attention, told)
    np.testing.assert_allclose(soft.bound, listed, atol=1e-10)


# --- draws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_swaps_have_no_bias(seed):
    rng = np.random.default_rng(seed)
    logits, values = torch.tensor(rng.normal(size=(2, 4)))
    law = softmax(logits.numpy())
    exact = law * (values.numpy() - law @ values.numpy())
    shape = 100_000, 4
    found, drawn = swap_gradient(logits.expand(shape), values.expand(shape), generator=seed)
    assert (np.abs(found.mean(dim=0).numpy() - exact) < 5 * found.std(dim=0).numpy() / np.sqrt(1e5)).all()
    np.testing.assert_allclose(found.sum(dim=-1), 0, atol=1e-12)
    count = np.bincount(drawn, minlength=4) / 1e5
    assert (np.abs(count - law) < 5 * np.sqrt(law / 1e5)).all()


def test_swaps_have_the_noise_of_arsm():
    logits, values = np.array([0.5, -1.0, 1.0]), np.array([1.0, 4.0, 2.0])
    shape = 100_000, 3
    ours, _ = swap_gradient(torch.tensor(logits).expand(shape), torch.tensor(values).expand(shape),
                            generator=0)
    theirs = arsm_gradient(lambda k: values[k], logits, size=100_000, rng=0).gradient
    np.testing.assert_allclose(ours.numpy().var(axis=0), theirs.var(axis=0), rtol=0.03)


def test_a_constant_reward_teaches_nothing():
    logits = torch.randn((5, 6), generator=source(), dtype=torch.float64)
    assert not swap_gradient(logits, torch.ones_like(logits), generator=0)[0].any()


@pytest.mark.parametrize("method", ["reinforce", "baseline", "leave-one-out", "swaps", "places"])
def test_one_draw_has_no_bias(method):
    reader, canvases = some_reader(1, seed=3), make_canvases(TEST, 20, rng=2)
    found = attention_noise(reader, canvases, method=method, n_samples=400, generator=0)
    off = ((found.mean - found.exact) ** 2).sum() / (found.variance.sum() / 400)
    assert 0.6 < off < 1.6
    assert (found.exact**2).sum() > 1.5 * found.variance.sum() / 400  # 0 would be seen


def surrogate_gradients(which, seed=0, **how):
    """Gradients of a surrogate in all parameters, of many draws for one canvas, and that of the bound."""
    reader, canvas = some_reader(1, seed=4, n_cells=3, hidden=4), make_canvases(TEST, 1, n_cells=3, rng=1)
    parts = [reader.see, reader.ask, reader.move, reader.name]

    def gradient(goal):
        return torch.cat([one.flatten() for one in torch.autograd.grad(goal.sum(), parts)]).numpy()

    exact = gradient(learning.exact_sums(reader(canvas.cells), canvas.digits)[1])
    generator, each = source(seed), []
    for _ in range(600):
        tables = reader(canvas.cells)
        rewards = learning.rewards_of(tables, canvas.digits)
        each.append(gradient(which(tables, rewards, generator, **how)[0]))
    return np.array(each), exact


@pytest.mark.parametrize(("which", "how"), [
    ("_reinforce", {"to_go": False}), ("_reinforce", {"to_go": True}),
    ("_reinforce", {"n": 3, "left_out": True}), ("_reinforce", {"n": 2, "left_out": True, "to_go": False}),
    ("_reinforce", {"baseline": torch.full((1, 1, 2), -2.0)}), ("_by_swaps", {}), ("_by_places", {})])
def test_surrogates_have_the_gradient_of_the_bound_in_all_parameters(which, how):
    each, exact = surrogate_gradients(getattr(learning, which), **how)
    off = ((each.mean(axis=0) - exact) ** 2).sum() / (each.var(axis=0).sum() / len(each))
    assert off < 5  # the mean of it is 1
    turned = ((each.mean(axis=0) + exact) ** 2).sum() / (each.var(axis=0).sum() / len(each))
    assert turned > 20  # the other sign would be seen


def test_a_sum_over_places_is_less_noisy_than_swaps_and_other_draws_than_none():
    noise = {which: surrogate_gradients(getattr(learning, which), **how)[0].var(axis=0).sum()
             for which, how in (("_by_places", {}), ("_by_swaps", {}), ("_reinforce", {}))}
    assert noise["_by_places"] < noise["_by_swaps"] < noise["_reinforce"]


def test_half_of_the_canvases_in_means():
    how = {"n_readers": 1, "n_cells": 3, "hidden": 5, "steps": 4, "batch": 4, "generator": 0}
    every = fit_readers(TRAIN, method="reinforce", means=1.0, **how).model
    none, some = (fit_readers(TRAIN, method="reinforce", means=share, **how).model for share in (0.0, 0.5))
    assert not torch.equal(every.see, some.see) and not torch.equal(none.see, some.see)


def test_with_all_canvases_in_means_it_is_soft_attention():
    reader, canvases = some_reader(1), make_canvases(TEST, 5, rng=0)
    goal = learning.read_in_means(reader, reader(canvases.cells), canvases.digits)
    np.testing.assert_allclose(goal.detach().numpy(), read_canvases(reader, canvases, soft=True).evidence)


def test_a_race_of_readers_gives_numbers_for_all_ways():
    for method, settings in races.READERS.methods.items():
        first = {name: values[0] for name, values in settings.items()}
        found = races.read(method, seed=0, budget=2 * races.BATCH, **first)
        assert np.isfinite(list(found.values())).all() and 0 <= found["named"] <= 100


def test_soft_draws_have_another_goal():
    reader, canvases = some_reader(1, seed=3), make_canvases(TEST, 20, rng=2)
    found = attention_noise(reader, canvases, method="gumbel", n_samples=400, generator=0)
    assert ((found.mean - found.exact) ** 2).sum() > 5 * found.variance.sum() / 400


# --- training ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", ["likelihood", "bound", "soft", "gumbel", "reinforce", "leave-one-out", "swaps", "places"])
def test_training_is_reproducible_and_finite(method):
    how = {"n_readers": 2, "n_cells": 3, "n_digits": 2, "hidden": 5, "steps": 3, "batch": 4, "entropy": 0.1}
    (one, record), (two, again) = (fit_readers(TRAIN, method=method, **how, generator=0) for _ in range(2))
    np.testing.assert_array_equal(record["objective"], again["objective"])
    assert np.isfinite(record["objective"]).all() and record["objective"].shape == (3,)
    for a, b in zip(one.parameters(), two.parameters()):
        assert torch.equal(a, b) and torch.isfinite(a).all()
    fresh, other = (fit_readers(TRAIN, method=method, **how).record["objective"] for _ in range(2))
    assert (fresh != other).any()


def test_one_cell_leaves_only_reading():
    reader = fit_readers(TRAIN, method="bound", n_readers=1, n_cells=1, n_digits=1, steps=60, batch=64,
                         generator=0).model
    canvases = make_canvases(TEST, 200, n_cells=1, n_digits=1, rng=0)
    read = read_canvases(reader, canvases)
    np.testing.assert_allclose(read.evidence, read.bound, atol=1e-5)
    assert (read.digits == canvases.digits).mean() > 0.8
