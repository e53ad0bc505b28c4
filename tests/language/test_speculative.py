"""softmaxnotes.language.speculative against enumeration, other libraries' formulas, and extreme logits."""

import itertools

import numpy as np
import pytest
import torch

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.experiments.language.speculative import (
    context_table,
    following,
    long_run_rates,
    visits,
)
from softmaxnotes.gumbel import gumbel_max
from softmaxnotes.language import (
    acceptance,
    residual,
    speculative_step,
    tokens_of_rates,
    tokens_per_call,
)
from softmaxnotes.softmax import log_softmax, softmax

INF = np.inf
P, Q = np.log([0.5, 0.3, 0.2]), np.log([0.2, 0.3, 0.5])


def pairs(count=60):
    """Logits of two distributions, near and far, some with masked tokens."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 8))
        first = rng.normal(scale=3, size=n)
        second = first + rng.uniform(0, 3) * rng.normal(size=n)
        if seed % 3 == 0 and n > 2:
            first[rng.integers(n)], second[rng.integers(n)] = -INF, -INF
        yield first, second


# --- Acceptance, residual --------------------------------------------------------------


def test_acceptance_is_the_overlap():
    for first, second in pairs():
        p, q = softmax(first), softmax(second)
        assert abs(acceptance(first, second) - np.minimum(p, q).sum()) < 1e-14
        assert abs(acceptance(first, second) - (1 - np.abs(p - q).sum() / 2)) < 1e-14


def test_accepted_and_residual_make_the_target():
    for first, second in pairs():
        p, q = softmax(first), softmax(second)
        rest = np.exp(residual(first, second))
        assert abs(rest.sum() - 1) < 1e-13
        np.testing.assert_allclose(np.minimum(p, q) + (1 - np.minimum(p, q).sum()) * rest, p, atol=1e-14)
        assert (rest[q > p] == 0).all()


def test_a_small_residual_keeps_the_digits_of_the_logits():
    first, second = np.array([0.0, 0.0, 0.0]), np.array([1e-12, -1e-12, 0.0])
    np.testing.assert_allclose(np.exp(residual(first, second)), [0, 1, 0], atol=1e-3)
    np.testing.assert_array_equal(residual([0.0, -700.0], [0.0, -690.0]), [0.0, -INF])


def test_equal_distributions_have_the_target_for_residual():
    for logits in ([0.0, 1.0, -INF], [5.0], [-1e4, 3.0]):
        np.testing.assert_array_equal(residual(logits, logits), log_softmax(logits))
        assert acceptance(logits, logits) == pytest.approx(1, abs=1e-15)


# --- A step, by enumeration --------------------------------------------------------------


class Scripted(np.random.Generator):
    """Exponential numbers that are given, one call after the other."""

    def __init__(self, *calls):
        super().__init__(np.random.PCG64(0))
        self.calls = list(calls)

    def standard_exponential(self, size=None):
        return np.reshape(np.array(self.calls.pop(0), float), size)


def test_a_guess_is_kept_up_to_the_quotient():
    target, draft = np.stack([P, P]), Q[None]
    for uniform, kept in ((0.39, 1), (0.41, 0)):  # p/q is 0.4
        found = speculative_step(target, draft, [2], rng=Scripted([-np.log(uniform)], [1.0, 1.0, 1.0]))
        assert found.accepted == kept
        assert found.tokens[0] == (2 if kept else 0)
        assert (found.tokens[1] == -1) == (not kept)


def test_the_law_of_a_text_is_that_of_the_target():
    """Two tokens of a Markov chain, guessed by another: the joint law, whatever was accepted."""
    rng = np.random.default_rng(3)
    start, move, start_q, move_q = (rng.normal(scale=1.5, size=s) for s in ((3,), (3, 3), (3,), (3, 3)))

    def first_two(size, rng):
        one = gumbel_max(np.broadcast_to(start_q, (size, 3)), rng=rng)
        two = gumbel_max(move_q[one], rng=rng)
        target = np.stack([np.broadcast_to(start, (size, 3)), move[one], move[two]], 1)
        draft = np.stack([np.broadcast_to(start_q, (size, 3)), move_q[one]], 1)
        tokens, accepted = speculative_step(target, draft, np.stack([one, two], 1), rng=rng)
        after = gumbel_max(move[tokens[:, 0]], rng=rng)  # where the step yields one token only
        return 3 * tokens[:, 0] + np.where(accepted == 0, after, tokens[:, 1])

    law = (softmax(start)[:, None] * softmax(move)).ravel()
    has_frequencies(first_two, law, effect=0.02, title="two tokens")


def test_accepted_as_often_as_the_overlap():
    def kept(size, rng):
        guesses = gumbel_max(np.broadcast_to(Q, (size, 3)), rng=rng)[:, None]
        return speculative_step(np.stack([P, P]), Q[None], guesses, rng=rng).accepted

    has_frequencies(kept, [0.3, 0.7], effect=0.02, title="accepted")


def test_a_greedy_draft_is_a_point_mass():
    point = np.array([-INF, 0.0, -INF])

    def out(size, rng):
        return speculative_step(np.stack([P, P]), point[None], np.ones((size, 1), int), rng=rng).tokens[:, 0]

    has_frequencies(out, [0.5, 0.3, 0.2], effect=0.02, title="greedy draft")


def test_without_a_guess_the_target_draws():
    found = speculative_step(np.broadcast_to(P, (5000, 1, 3)), np.zeros((5000, 0, 3)),
                             np.zeros((5000, 0), int), rng=0)
    assert found.tokens.shape == (5000, 1) and (found.accepted == 0).all()
    assert np.abs(np.bincount(found.tokens[:, 0]) / 5000 - softmax(P)).max() < 0.04


def test_a_certain_target_is_obeyed():
    sure = np.array([-INF, 0.0, -INF])
    guesses = np.random.default_rng(0).integers(0, 3, size=(500, 4))
    found = speculative_step(np.broadcast_to(sure, (5, 3)), np.zeros((4, 3)), guesses, rng=1)
    right = np.cumprod(guesses == 1, axis=1).sum(axis=1)
    np.testing.assert_array_equal(found.accepted, right)
    for tokens, count in zip(found.tokens, right):
        assert tokens.tolist() == [1] * (count + 1) + [-1] * (4 - count)


def test_equal_models_accept_everything():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(200, 4, 9))
    guesses = gumbel_max(logits[:, :3], rng=1)
    assert (speculative_step(logits, logits[:, :3], guesses, rng=2).accepted == 3).all()
    shifted = logits[:, :3].astype(np.float32) + 7  # the same up to rounding
    assert (speculative_step(logits, shifted, guesses, rng=2).accepted == 3).mean() > 0.99


def test_a_step_in_shapes_and_types():
    rng = np.random.default_rng(0)
    target, draft = rng.normal(size=(2, 1, 4, 5)), rng.normal(size=(3, 3, 5))
    found = speculative_step(target, draft, np.zeros((3,), int), rng=0)
    assert found.tokens.shape == (2, 3, 4) and found.accepted.shape == (2, 3)
    assert found.tokens.dtype == found.accepted.dtype == np.intp
    for kind in (np.float16, np.float32, ">f8"):
        assert speculative_step(target.astype(kind), draft.astype(kind),
                                np.zeros(3, np.int8)).tokens.max() < 5
    tensors = speculative_step(torch.tensor(target), torch.tensor(draft), torch.zeros(3, dtype=int), rng=0)
    np.testing.assert_array_equal(tensors.tokens, found.tokens)
    alone = speculative_step(target[0, 0], draft[0], [0, 1, 2], rng=0)
    assert alone.tokens.shape == (4,) and isinstance(alone.accepted, np.intp)


# --- How many tokens -----------------------------------------------------------------------


def test_tokens_per_call_is_the_sum():
    alpha = np.array([0, 1e-300, 0.3, 0.9, 1 - 1e-9, 1 - 2**-53, 1])
    for gamma in (0, 1, 2, 7, 50):
        expected = sum(alpha**t for t in range(gamma + 1))
        np.testing.assert_allclose(tokens_per_call(alpha, gamma), expected, rtol=1e-14)
        np.testing.assert_allclose(tokens_of_rates(np.tile(alpha[:, None], gamma)), expected, rtol=1e-14)
    assert tokens_per_call(0.5, [[0], [3]]).shape == (2, 1)
    assert tokens_per_call(np.float32(0.5), 1).dtype == np.float32
    assert tokens_of_rates(np.zeros((4, 0))).tolist() == [1] * 4


def test_the_long_run_by_drawing():
    rng = np.random.default_rng(0)
    target, draft = softmax(2 * rng.normal(size=(9, 3))), softmax(2 * rng.normal(size=(9, 3)))
    after, gamma, texts = following(3, 2), 3, 400
    here, accepted = np.zeros(texts, int), []
    for call in range(300):
        seen, guesses = [here], []
        for _ in range(gamma):
            guesses.append(gumbel_max(np.log(draft[seen[-1]]), rng=rng))
            seen.append(after[seen[-1], guesses[-1]])
        seen = np.stack(seen, 1)
        tokens, kept = speculative_step(np.log(target[seen]), np.log(draft[seen[:, :-1]]),
                                        np.stack(guesses, 1), rng=rng)
        here = after[seen[np.arange(texts), kept], tokens[np.arange(texts), kept]]
        if call >= 20:
            accepted.append(kept)
    means = np.mean(accepted, axis=0)  # of each text
    expected = tokens_of_rates(long_run_rates(target, draft, after, gamma)) - 1
    assert abs(means.mean() - expected) < 5 * means.std() / np.sqrt(texts)


def test_visits_are_left_alone_by_a_step():
    rng = np.random.default_rng(1)
    target, after = softmax(rng.normal(size=(8, 2))), following(2, 3)
    share = visits(target, after)
    assert abs(share.sum() - 1) < 1e-12
    np.testing.assert_allclose(np.bincount(after.ravel(), (share[:, None] * target).ravel(), 8), share,
                               atol=1e-11)
    with pytest.raises(ValueError, match="do not settle"):
        visits(np.array([[0, 1.0], [1, 0]]), following(2, 1))


def test_tables_are_distributions_of_what_is_seen():
    one = context_table(1).reshape(25, 25, 25, 25)
    np.testing.assert_allclose(np.exp(one).sum(axis=-1), 1, atol=1e-12)
    assert (one == one[:1, :1]).all()


# --- Policies ---------------------------------------------------------------------------------


def test_no_function_warns_and_inputs_stay():
    first, second = np.array([[0.0, -INF, -1e308, 2.0]]), np.array([[-INF, 0.0, -1e308, 2.0]])
    before = first.copy(), second.copy()
    with np.errstate(all="raise"):
        for function in (acceptance, residual):
            assert not np.isnan(function(first, second)).any()
        speculative_step(np.repeat(first, 2, 0), second, [3], rng=0)
        tokens_per_call([0, 1e-300, 1], 3), tokens_of_rates([1e-300] * 3)
    np.testing.assert_array_equal(first, before[0])
    np.testing.assert_array_equal(second, before[1])


def test_residual_of_batches():
    first, second = np.random.default_rng(0).normal(size=(2, 3, 5))
    many = residual(first[:, None], second)
    for i, j in itertools.product(range(3), repeat=2):
        np.testing.assert_allclose(many[i, j], residual(first[i], second[j]), rtol=1e-13)
    assert np.isnan(residual([[np.nan, 0.0], [0.0, 1.0]], [1.0, 0.0])).all(axis=1).tolist() == [True, False]
