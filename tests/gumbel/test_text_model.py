"""softmaxnotes.gumbel.text_model: the network, and its expectations by enumeration."""

import numpy as np
import pytest
import torch

from softmaxnotes.gumbel import (
    CharacterModel,
    expected_totals,
    fit_characters,
    read_tokens,
    sample_sequences,
    tokens_of,
    zen_lines,
)


def test_the_poem_and_its_tokens():
    lines = zen_lines()
    assert len(lines) == 19 and all(line == read_tokens(tokens_of(line)) for line in lines)
    assert lines[-1].endswith("lets do more of those") and max(map(len, lines)) < 70
    with pytest.raises(ValueError, match="got 'Z'"):
        tokens_of("Zen")


def test_the_table_is_what_the_model_says():
    model = CharacterModel(window=3, hidden=8, generator=torch.Generator().manual_seed(1))
    table, rng = model.table(0.5), np.random.default_rng(0)
    windows = rng.integers(25, size=(50, 3))
    with torch.no_grad():
        law = model(torch.from_numpy(windows)).numpy() / 0.5
    law -= np.logaddexp.reduce(law, axis=1, keepdims=True)
    np.testing.assert_allclose(table[tuple(windows.T)], law, atol=1e-12)
    short = model(torch.from_numpy(windows[:, 2:])).detach().numpy()
    padded = np.concatenate([np.zeros((50, 2), int), windows[:, 2:]], axis=1)
    np.testing.assert_allclose(short, model(torch.from_numpy(padded)).detach().numpy(), atol=0)
    for bad in (0, np.inf, -1.0):
        with pytest.raises(ValueError, match="temperature"):
            model.table(bad)
    with pytest.raises(ValueError, match="positive sizes"):
        CharacterModel(window=0)


def test_totals_by_enumeration():
    """Three tokens, windows of two, three steps: all 27 sequences."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3, 3, 3))
    table -= np.logaddexp.reduce(table, axis=-1, keepdims=True)
    gain, found = rng.normal(size=(3, 3, 3)), np.zeros(2)

    def walk(window, log_p, sums, left):
        if left == 0:
            found[:] += np.exp(log_p) * sums
            return
        for token in range(3):
            more = table[(*window, token)]
            now = sums + [-more, gain[(*window, token)]]
            walk((window[1], token), log_p + more, now, 0 if token == 0 else left - 1)

    walk((0, 2), 0.0, np.zeros(2), 3)
    np.testing.assert_allclose(expected_totals(table, 3, (-table, gain), prompt=[2]), found, rtol=1e-12)


def test_totals_are_what_samples_have():
    table = np.log([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.4, 0.4, 0.2]])

    def step(prefixes):
        return table[prefixes[:, -1] if prefixes.shape[1] else [0] * len(prefixes)]

    found = sample_sequences(step, 20000, 6, end=0, rng=0)
    # between 0 and 6, so that Hoeffding's bound at 1e-9 is 6 sqrt(log(2e9) / 40000)
    ones = (found.tokens == 1).sum(axis=1).mean()
    assert abs(ones - expected_totals(table, 6, [[0, 1, 0]])[0]) < 6 * np.sqrt(np.log(2e9) / 40000)


def test_totals_at_the_ends():
    table = np.log(np.full((2, 2), 0.5))
    assert expected_totals(table, 0, [1]).tolist() == [0.0] and expected_totals(table, 5, []).shape == (0,)
    with np.errstate(divide="ignore"):
        sure = np.log([[0.0, 1.0], [1.0, 0.0]])
    np.testing.assert_allclose(expected_totals(sure, 9, [1, -sure]), [2, 0], atol=1e-15)
    with pytest.raises(ValueError, match="length"):
        expected_totals(table, -1, [1])
    with pytest.raises(ValueError, match="shape"):
        expected_totals(np.zeros((2, 3)), 1, [1])


def test_training_is_reproducible_and_resumes(tmp_path):
    lines = ["ab", "ba"]
    whole = fit_characters(lines, window=1, hidden=8, steps=30)
    kept = tmp_path / "characters.pt"
    fit_characters(lines, window=1, hidden=8, steps=12, checkpoint=kept)
    again = fit_characters(lines, window=1, hidden=8, steps=30, checkpoint=kept)
    assert np.array_equal(whole[1]["loss"], again[1]["loss"])
    assert torch.equal(whole[0].seen, again[0].seen)
