"""softmaxnotes.language.preferences against enumeration, other libraries' formulas, and extreme numbers."""

from itertools import product

import numpy as np
import pytest
import torch

from softmaxnotes.experiments.language import preferences as displacement
from softmaxnotes.gumbel import hidden_markov_step
from softmaxnotes.language import (
    answer_log_prob,
    best_of,
    best_of_bound,
    best_of_kl,
    bradley_terry,
    dpo_loss,
    enumerate_sequences,
    exact_step,
    regularised_value,
    soft_step,
    tilt,
)
from softmaxnotes.softmax import log_softmax, softmax

INF, NAN = np.inf, np.nan


def worlds(count=40):
    """Logits and rewards, some answers impossible, some rewards equal."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 6))
        logits, rewards = rng.normal(scale=2, size=n), rng.normal(scale=2, size=n)
        if seed % 2:
            rewards = rewards.round()
        if seed % 3 == 0 and n > 1:
            logits[rng.integers(n)] = -INF
        yield logits, rewards


# --- The best policy under a KL penalty ------------------------------------------------


def objective(policy, logits, rewards, beta):
    rho, there = softmax(logits), policy > 0
    return policy @ rewards - beta * (policy[there] * np.log(policy[there] / rho[there])).sum()


def test_no_policy_is_better_than_the_tilted_reference():
    rng = np.random.default_rng(0)
    for logits, rewards in worlds():
        for beta in (0.1, 1.0, 7.0):
            best, value = np.exp(tilt(logits, rewards, beta)), regularised_value(logits, rewards, beta)
            assert abs(objective(best, logits, rewards, beta) - value) < 1e-12
            for _ in range(5):
                other = rng.dirichlet(np.ones(len(logits))) * (logits > -INF)
                assert objective(other / other.sum(), logits, rewards, beta) <= value + 1e-12


def test_prices_from_nothing_to_infinity():
    logits, rewards = np.log([0.9, 0.1]), np.array([0.0, 1.0])
    prices = np.array([1e-300, 1e-9, 1e-3, 1.0, 1e9, 1e300, INF])
    found = regularised_value(logits, rewards, prices)
    np.testing.assert_allclose(found[[0, 1, -1]], [1, 1, 0.1], rtol=1e-8)
    np.testing.assert_allclose(found[4], 0.1 + 0.09 / 2e9, rtol=1e-14)
    np.testing.assert_allclose(found[5], 0.1, rtol=1e-14)
    np.testing.assert_allclose(np.exp(tilt(logits, rewards, prices))[[0, -2, -1], 1], [1, 0.1, 0.1])


def test_a_shift_of_rewards_and_of_logits_changes_nothing():
    for logits, rewards in worlds():
        first = tilt(logits, rewards, 0.5)
        np.testing.assert_allclose(tilt(logits + 3, rewards + 1e6, 0.5), first, atol=1e-8)
        assert regularised_value(logits + 3, rewards + 8, 0.5) == pytest.approx(
            8 + regularised_value(logits, rewards, 0.5), abs=1e-12)


def test_the_impossible_stays_impossible_whatever_its_reward():
    found = tilt([0.0, -INF, 0.0], [1.0, 1e9, -INF], [0.1, INF])
    np.testing.assert_array_equal(found, [[0, -INF, -INF]] * 2)
    assert regularised_value([0.0, -INF], [1.0, 1e9], 1.0) == 1


def test_prices_broadcast_and_types_are_kept():
    logits, rewards = np.zeros((3, 1, 4), np.float32), np.arange(4, dtype=np.float32)
    assert tilt(logits, rewards, np.ones(2)).shape == (3, 2, 4)
    assert regularised_value(logits, rewards, np.ones(2)).shape == (3, 2)
    assert tilt(logits, rewards, 1.0).dtype == np.float32
    assert tilt([0, 1], [1, 2], 1).dtype == np.float64
    assert np.isnan(tilt([[0.0, NAN], [0.0, 0.0]], [1.0, 2.0], 1.0)).tolist() == [[True] * 2, [False] * 2]
    assert np.isnan(regularised_value([0.0, 0.0], [NAN, 1.0], 1.0))


# --- Comparisons -----------------------------------------------------------------------


def test_rewards_fulfil_the_equations_of_the_likelihood():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 9))
        wins = rng.integers(0, 4, size=(n, n)).astype(float)
        wins[np.arange(n), (np.arange(n) + 1) % n] += 1  # a round, so that all are connected
        rewards = bradley_terry(wins)
        np.fill_diagonal(wins, 0)
        expected = (wins + wins.T) / (1 + np.exp(rewards - rewards[:, None]))
        np.testing.assert_allclose(expected.sum(axis=1), wins.sum(axis=1), atol=1e-7 * wins.sum())
        assert abs(rewards.mean()) < 1e-12


def test_rewards_of_a_population_are_found_again():
    rewards = np.array([-2.0, 0.5, 0.0, 1.5])
    shares = 1 / (1 + np.exp(rewards - rewards[:, None]))
    np.testing.assert_allclose(bradley_terry(shares), rewards, atol=1e-8)
    np.testing.assert_allclose(bradley_terry(1e-6 * shares), rewards, atol=1e-8)


def test_very_unequal_numbers_of_wins():
    np.testing.assert_allclose(np.ptp(bradley_terry([[0, 1e12], [1, 0]])), np.log(1e12), rtol=1e-6)
    found = bradley_terry([[0, 1e6, 0], [1, 0, 1e6], [0, 1, 0]])
    np.testing.assert_allclose(found, np.log(1e6) * np.array([1, 0, -1]), rtol=1e-4, atol=1e-12)


def test_the_diagonal_and_a_circle():
    np.testing.assert_array_equal(bradley_terry([[5]]), [0])
    np.testing.assert_allclose(bradley_terry([[7, 3], [1, 9]]), bradley_terry([[0, 3], [1, 0]]))
    np.testing.assert_allclose(bradley_terry([[0, 9, 1], [1, 0, 9], [9, 1, 0]]), 0, atol=1e-12)
    assert bradley_terry(np.float32([[0, 3], [1, 0]])).dtype == np.float32


@pytest.mark.parametrize(("wins", "group"), [
    ([[0, 1], [0, 0]], r"\[0\]"), ([[0, 0], [4, 0]], r"\[1\]"), ([[0, 0], [0, 0]], r"\[0\]"),
    ([[0, 3, 1], [1, 0, 1], [0, 0, 0]], r"\[0, 1\]"), ([[0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 2],
                                                       [0, 0, 2, 0]], r"\[0, 1\]")])
def test_who_has_never_lost_is_told(wins, group):
    with pytest.raises(ValueError, match=f"got items {group} that have never lost"):
        bradley_terry(wins)


def published(chosen, rejected, ref_chosen, ref_rejected, beta, kind, smoothing):
    """The losses as the papers, and the library TRL, write them."""
    logits = (chosen - rejected) - (ref_chosen - ref_rejected)
    if kind == "ipo":
        return (logits - 1 / (2 * beta)) ** 2
    log_sigmoid = torch.nn.functional.logsigmoid
    return -log_sigmoid(beta * logits) * (1 - smoothing) - log_sigmoid(-beta * logits) * smoothing


@pytest.mark.parametrize("options", [
    {"beta": 0.1, "kind": "dpo", "smoothing": 0.0}, {"beta": 2.0, "kind": "dpo", "smoothing": 0.3},
    {"beta": 0.5, "kind": "ipo", "smoothing": 0.0}])
def test_losses_are_the_published_ones_for_arrays_and_tensors(options):
    four = torch.randn(4, 5, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 30
    four.requires_grad_()
    right, found = published(*four, **options), dpo_loss(*four, **options)
    torch.testing.assert_close(found, right, rtol=1e-12, atol=1e-12)
    for x, y in zip(torch.autograd.grad(found.sum(), four), torch.autograd.grad(right.sum(), four)):
        torch.testing.assert_close(x, y)
    np.testing.assert_allclose(dpo_loss(*four.detach().numpy(), **options), right.detach(), rtol=1e-12)


def test_losses_far_out_and_broadcast():
    np.testing.assert_allclose(dpo_loss([1e4, -1e4], 0, 0, 0, beta=1), [0, 1e4])
    assert dpo_loss(np.zeros((3, 1)), np.zeros(2), 0, 0).shape == (3, 2)
    assert dpo_loss(np.float32(1), np.float32(0), np.float32(0), np.float32(0)).dtype == np.float32
    assert dpo_loss(torch.zeros(3), np.zeros(3), 0.0, [0.0] * 3).dtype == torch.float32
    assert dpo_loss(0.0, 0.0, 0.0, 0.0) == pytest.approx(np.log(2))
    assert np.isnan(dpo_loss(NAN, 0, 0, 0))


def test_log_probabilities_of_answers_by_hand():
    torch.manual_seed(0)
    logits, tokens = torch.randn(3, 6, 5), torch.randint(5, (3, 6))
    answer = torch.rand(3, 6) < 0.5
    answer[2] = False
    log_p = logits.double().log_softmax(-1)
    right = [sum((log_p[b, t, tokens[b, t]].item() for t in range(6) if answer[b, t]), 0.0) for b in range(3)]
    found = answer_log_prob(logits, tokens.masked_fill(~answer, -100), answer)
    np.testing.assert_allclose(found, right, atol=1e-5)
    assert found.dtype == torch.float32 and found[2] == 0
    assert answer_log_prob(logits.double(), tokens.int(), answer).dtype == torch.float64
    assert answer_log_prob(logits.bfloat16(), tokens, answer).dtype == torch.float32


def test_log_probabilities_have_gradients_where_the_answer_is_only():
    logits = torch.zeros(1, 3, 4, requires_grad=True)
    with torch.no_grad():
        logits[0, 0, 1] = -torch.inf  # a masked class, not in the answer
    answer_log_prob(logits, torch.tensor([[1, 2, 3]]), torch.tensor([[False, True, False]])).sum().backward()
    np.testing.assert_allclose(logits.grad[0], [[0] * 4, [-0.25, -0.25, 0.75, -0.25], [0] * 4])


# --- Best of n -------------------------------------------------------------------------


def by_enumeration(logits, rewards, n):
    p, found = softmax(logits), np.zeros(len(logits))
    for group in product(range(len(p)), repeat=n):
        pays = rewards[list(group)]
        best = np.flatnonzero(pays == pays.max())
        for place in best:
            found[group[place]] += np.prod(p[list(group)]) / len(best)
    return found


def test_best_of_n_by_all_groups():
    for logits, rewards in worlds():
        for n in (1, 2, 4):
            found = np.exp(best_of(logits, rewards, n))
            np.testing.assert_allclose(found, by_enumeration(logits, rewards, n), rtol=1e-10, atol=1e-15)
            there = found > 0
            kl = (found[there] * np.log(found[there] / softmax(logits)[there])).sum()
            assert best_of_kl(logits, rewards, n) == pytest.approx(kl, abs=1e-13)
            assert kl <= best_of_bound(n) + 1e-12


def test_digits_of_the_improbable_and_of_many_draws():
    rare = np.log([1e-300, 1 - 1e-16])
    np.testing.assert_allclose(best_of(rare, [1, 0], 10**6)[0], np.log(1e-294), rtol=1e-12)
    np.testing.assert_allclose(best_of(rare, [0, 1], 2)[0], 2 * np.log(1e-300), rtol=1e-12)
    np.testing.assert_allclose(best_of([0.0, 0.0], [0, 1], 10**4)[0], -10**4 * np.log(2), rtol=1e-12)
    tiny = best_of(np.log([1e-12, 1 - 1e-12]), [1, 0], 10**6)
    np.testing.assert_allclose(np.exp(tiny[0]), -np.expm1(10**6 * np.log1p(-1e-12)), rtol=1e-10)


def test_best_of_n_keeps_shapes_types_and_ties():
    rewards = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert best_of(np.zeros((2, 1, 3), np.float32), rewards, 2).shape == (2, 2, 3)
    assert best_of(np.zeros(3, np.float32), np.zeros(3, np.float32), 5).dtype == np.float32
    np.testing.assert_allclose(best_of(np.log([0.5, 0.3, 0.2]), [1, 1, 1], 7), np.log([0.5, 0.3, 0.2]))
    assert best_of_kl(np.log([0.5, 0.3, 0.2]), [1, 1, 1], 7) == pytest.approx(0, abs=1e-14)
    np.testing.assert_array_equal(best_of([0.0, -INF], [0, 1], 3), [0, -INF])
    np.testing.assert_allclose(best_of([0.0, 0.0], [-INF, INF], 1), np.log([0.5, 0.5]))
    assert np.isnan(best_of([[NAN, 0.0], [0.0, 0.0]], [0, 1], 2)).tolist() == [[True] * 2, [False] * 2]
    assert best_of_bound(1) == 0 and best_of_bound(np.array([2, 3])).shape == (2,)


def test_the_bound_is_reached_by_many_improbable_answers_only():
    assert best_of_bound(16) - best_of_kl(np.zeros(100_000), np.arange(100_000), 16) < 1e-8
    assert best_of_kl([0.0, 0.0], [0, 1], 1000) == pytest.approx(np.log(2))


# --- Token by token --------------------------------------------------------------------

HIDDEN = hidden_markov_step([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])


@pytest.mark.parametrize("end", [None, 1])
@pytest.mark.parametrize("beta", [0.05, 1.0, 50.0])
def test_soft_steps_draw_from_the_tilted_sequences(end, beta):
    def reward(texts):
        return (texts == 2).sum(axis=1) - 0.3 * (texts[:, 0] == 0) * texts[:, -1]

    texts = enumerate_sequences(HIDDEN, 4, end=end)
    found = enumerate_sequences(soft_step(HIDDEN, reward, 4, beta, end=end), 4, end=end)
    right = tilt(texts.log_probs, reward(texts.tokens), beta)
    np.testing.assert_array_equal(found.tokens, texts.tokens)
    np.testing.assert_allclose(found.log_probs, right, atol=1e-12)


def test_with_rewards_of_nothing_and_minus_infinity_it_is_the_exact_cut():
    def allowed(prefixes):
        return np.array([[True, True, 1 not in prefix] for prefix in prefixes])

    def reward(texts):
        after = np.cumsum(texts == 1, axis=1) > 0
        return np.where(((texts == 2) & np.roll(after, 1, axis=1))[:, 1:].any(axis=1), -INF, 0.0)

    cut = enumerate_sequences(exact_step(HIDDEN, allowed, 3), 3)
    soft = enumerate_sequences(soft_step(HIDDEN, reward, 3, 2.0), 3)
    np.testing.assert_array_equal(cut.tokens, soft.tokens)
    np.testing.assert_allclose(cut.log_probs, soft.log_probs, atol=1e-13)


def test_a_soft_step_answers_for_any_prefix():
    step = soft_step(HIDDEN, lambda texts: np.zeros(len(texts)), 3, 1.0)
    for prefixes in ([[]], [[0], [2]], [[1, 1]]):
        prefixes = np.array(prefixes, int).reshape(len(prefixes), -1)
        np.testing.assert_allclose(step(prefixes), log_softmax(HIDDEN(prefixes)), atol=1e-13)


def test_scores_of_lines_are_sums_over_the_table_of_the_network():
    network, chosen, rejected = displacement.pairs_of("stopped early", 3)
    table = network.table()
    for line, found in zip([*chosen, *rejected], displacement.scores(network, [*chosen, *rejected])):
        before = [0, 0, *line]
        expected = sum(table[before[at], before[at + 1], token] for at, token in enumerate(line))
        np.testing.assert_allclose(found.item(), expected, rtol=1e-9)


def test_rejected_lines_are_drawn_by_the_network_that_is_named():
    drawn = {method: displacement.pairs_of(method, 1)[2] for method in displacement.METHODS}
    assert list(map(list, drawn["converged"])) == list(map(list, drawn["stopped, harder pairs"]))
    assert list(map(list, drawn["converged"])) != list(map(list, drawn["stopped early"]))


def test_what_cannot_be_displaced(monkeypatch):
    with pytest.raises(ValueError, match="method"):
        displacement.displace("worse", seed=0, budget=1)
    monkeypatch.setattr(displacement, "PATIENCE", 2)
    with pytest.raises(RuntimeError, match="in 2 steps"):
        displacement.displace("converged", seed=0, budget=3)
