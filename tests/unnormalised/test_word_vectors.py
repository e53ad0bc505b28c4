"""Word vectors, and words that stand near each other."""

import numpy as np
import pytest
import torch

from softmaxnotes.experiments.unnormalised.negative_sampling import touched_rows
from softmaxnotes.experiments.unnormalised.word_vectors import python_text, window_counts
from softmaxnotes.softmax import log_softmax
from softmaxnotes.unnormalised import WordVectors, fit_word_vectors, shifted_pmi


def fresh(contexts, words, dim, **options):
    return WordVectors(contexts, words, dim, dtype=torch.float64, scale=0.5,
                       generator=0, **options)


# --- word vectors -------------------------------------------------------------------------------


@pytest.mark.parametrize("biases", [True, False])
def test_scores_are_entries_of_the_table(biases):
    model = WordVectors(3, 5, 2, biases=biases, generator=0)
    if biases:
        with torch.no_grad():
            model.word_bias.weight += torch.arange(5.0)[:, None]
            model.context_bias.weight -= torch.arange(3.0)[:, None]
    contexts, words = torch.tensor([2, 0]), torch.tensor([[1, 4, 4], [0, 3, 2]])
    table = model.table()
    torch.testing.assert_close(model(contexts, words), table[contexts[:, None], words])
    torch.testing.assert_close(model(contexts, words[:, 0]), table[contexts, words[:, 0]])
    torch.testing.assert_close(model.table(contexts), table[contexts])
    by_hand = model.word.weight[4] @ model.context.weight[2] + (4 - 2 if biases else 0)
    torch.testing.assert_close(table[2, 4], by_hand)


def test_steps_touch_what_they_look_at():
    contexts, words = torch.tensor([0, 1]), torch.tensor([[3, 3, 5], [5, 7, 8]])
    for sparse in (True, False):
        model = WordVectors(2, 50, 4, sparse=sparse)
        assert touched_rows(model) == 0
        model(contexts, words).sum().backward()
        assert touched_rows(model) == 4
    model = WordVectors(2, 50, 4, generator=0)
    torch.logsumexp(model.table(contexts), dim=1).sum().backward()
    assert touched_rows(model) == 50


def test_the_same_seed_gives_the_same_vectors():
    one, other = (WordVectors(4, 4, 2, generator=7) for _ in range(2))
    torch.testing.assert_close(one.table(), other.table())


# --- fits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("biases", [True, False])
def test_vectors_of_enough_dimensions_have_the_best_scores(biases):
    counts = np.random.default_rng(0).integers(1, 20, (4, 5)).astype(float)
    noise = 3 * np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    scores = fit_word_vectors(fresh(4, 5, 5, biases=biases), counts, noise, steps=2000)
    np.testing.assert_allclose(scores, shifted_pmi(counts, 3), atol=1e-4)
    # noise contrast of the same: the logarithm of the counts, in units of the noise
    log_kq = np.log(3 * counts.sum(axis=0) / counts.sum())
    scores = fit_word_vectors(fresh(4, 5, 5, biases=biases), counts, noise, log_kq, steps=2000)
    np.testing.assert_allclose(scores, np.log(counts / counts.sum(axis=1, keepdims=True)), atol=1e-4)


def test_softmax_gives_frequencies():
    counts = np.random.default_rng(1).integers(1, 20, (4, 5)).astype(float)
    logs = fit_word_vectors(fresh(4, 5, 5), counts, steps=2000)
    np.testing.assert_allclose(logs, log_softmax(np.log(counts)), atol=1e-4)


# --- text ---------------------------------------------------------------------------------------


def test_window_counts_are_those_of_a_loop():
    text = python_text()[:3000]
    words, counts = window_counts(text, least=5, window=3)
    kept = [word for word in text if word in words]
    expected = np.zeros_like(counts)
    for i, word in enumerate(kept):
        for other in kept[max(0, i - 3): i] + kept[i + 1: i + 4]:
            expected[words.index(word), words.index(other)] += 1
    np.testing.assert_array_equal(counts, expected)
    often = [kept.count(word) for word in words]
    assert often == sorted(often, reverse=True) and min(often) >= 5


def test_the_text_is_in_small_letters():
    text = python_text()
    assert len(text) > 20_000 and all(word.isalpha() and word.islower() for word in text[:500])
