"""softmaxnotes.experiments.rewards.seqgan: exact values by enumeration, draws against them, training."""

import copy

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmaxnotes.experiments.rewards.seqgan import (
    Judge,
    Recurrent,
    Tabular,
    action_values,
    all_sequences,
    fit_judge,
    fit_likelihood,
    fit_seqgan,
    noise_drift,
    prefix_process,
    rollout_gradient,
    rollout_values,
    scores,
    sequence_gradient,
    sequence_log_probs,
)
from softmaxnotes.gradients import policy_gradient
from softmaxnotes.softmax import softmax


def problem(v=3, length=3, seed=0):
    rng = np.random.default_rng(seed)
    rows = sum(v**t for t in range(length))
    return rng.normal(size=(rows, v)), rng.normal(size=v**length)


shapes = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(0, 10**6)).filter(lambda a: a[0] > 1)


@given(shapes)
@settings(max_examples=25)
def test_probabilities_values_and_gradient_agree_with_each_other(shape):
    logits, rewards = problem(*shape)
    p = np.exp(sequence_log_probs(logits))
    assert p.sum() == pytest.approx(1)
    q = action_values(logits, rewards)
    assert softmax(logits[0]) @ q[0] == pytest.approx(p @ rewards)
    gradient = sequence_gradient(logits, rewards)
    np.testing.assert_allclose(gradient.sum(axis=1), 0, atol=1e-14)
    process = prefix_process(rewards, *shape[:2])
    np.testing.assert_allclose(gradient, policy_gradient(process, logits, shape[1]), atol=1e-13)


def test_values_are_conditional_means():
    logits, rewards = problem()
    p, q = np.exp(sequence_log_probs(logits)), action_values(logits, rewards)
    y = all_sequences(3, 3)
    under = (y[:, 0] == 1) & (y[:, 1] == 2)
    assert q[2, 2] == pytest.approx(p[under] @ rewards[under] / p[under].sum())
    np.testing.assert_array_equal(q[4:].ravel(), rewards)


def test_a_constant_reward_has_no_gradient_and_masked_words_never_come():
    logits, _ = problem()
    assert not sequence_gradient(logits, np.full(27, 1e9)).any()
    logits[0, 1] = -np.inf
    p = np.exp(sequence_log_probs(logits)).reshape(3, 9)
    assert not p[1].any() and p.sum() == pytest.approx(1)


def test_rollouts_are_means_of_the_right_policy():
    logits, rewards = problem()
    other = problem(seed=1)[0]
    y = np.repeat([[1, 2, 0]], 20_000, axis=0)
    for options, law in (({}, logits), ({"rollout_logits": other}, other)):
        found = rollout_values(logits, y, rewards, n_rollouts=2, rng=0, **options)
        q = action_values(law, rewards)[[0, 2, 9], [1, 2, 0]]
        error = found.std(axis=0) / np.sqrt(len(y))
        assert (abs(found.mean(axis=0) - q) < 6 * error + 1e-12).all()
        assert (found[:, -1] == rewards[15]).all()


@pytest.mark.parametrize("options", [{}, {"baseline": 0.7}, {"baseline": "leave-one-out"}, {"n_rollouts": 3}])
def test_the_estimate_is_unbiased(options):
    logits, rewards = problem(2, 2)
    many = np.array([rollout_gradient(logits, rewards, n_samples=3, rng=seed, **options).gradient
                     for seed in range(4000)])
    error = many.std(axis=0) / np.sqrt(len(many))
    assert (abs(many.mean(axis=0) - sequence_gradient(logits, rewards)) < 6 * error).all()
    assert rollout_gradient(logits, rewards, n_samples=3, n_rollouts=2, rng=0).n_evaluations == 9


def test_noise_drift_is_the_second_derivative():
    """All outcomes of a step from one sequence, exactly."""
    logits, values = problem(2, 2)
    y, p = all_sequences(2, 2), np.exp(sequence_log_probs(logits))
    step = 1e-3
    moved = 0.0
    for chance, (first, second) in zip(p, y):
        new = logits.copy()
        for row, word in ((0, first), (1 + first, second)):
            new[row] += step * (np.eye(2)[word] - softmax(logits[row]))
        moved += chance * (np.exp(sequence_log_probs(new)) @ values - p @ values)
    assert moved / (step**2 / 2) == pytest.approx(noise_drift(logits, values), rel=1e-2)


# -- generators ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: Tabular(problem()[0]),
                                  lambda: Recurrent(3, 3, embedding=4, hidden=4, scale=1)])
def test_a_generator_samples_what_it_says(make):
    model, source = make(), torch.Generator().manual_seed(0)
    p = model.log_prob(torch.tensor(all_sequences(3, 3))).sum(dim=1).exp().detach().numpy()
    assert p.sum() == pytest.approx(1)
    drawn = model.sample(20_000, generator=source).numpy() @ [9, 3, 1]
    share = np.bincount(drawn, minlength=27) / 20_000
    assert (abs(share - p) < 6 * np.sqrt(p * (1 - p) / 20_000) + 1e-9).all()
    copies = model.sample(10, prefixes=torch.tensor([[0, 1], [2, 2]]), generator=source)
    assert copies.shape == (20, 3)
    assert (copies[:10, :2] == torch.tensor([0, 1])).all() and (copies[10:, :2] == 2).all()


def test_a_table_as_an_array_and_as_a_module_is_the_same():
    logits, _ = problem()
    found = Tabular(logits).log_prob(torch.tensor(all_sequences(3, 3))).sum(dim=1)
    np.testing.assert_allclose(found.detach().numpy(), sequence_log_probs(logits), rtol=1e-12)


def test_scores_exactly_and_from_draws():
    one, other = Tabular(problem()[0]), Tabular(problem(seed=1)[0])
    exact = scores(one, other)
    drawn = scores(one, other, n_samples=40_000, generator=torch.Generator().manual_seed(0))
    np.testing.assert_allclose(drawn, exact, atol=0.05)
    assert exact.score > exact.entropy and exact.reverse > exact.floor
    assert scores(one, one).score == pytest.approx(scores(one, one).floor)


def test_the_sizes_of_the_paper_are_the_default():
    assert Recurrent().sample(2).shape == (2, 20)
    assert Judge()(torch.zeros(2, 20, dtype=torch.long)).shape == (2,)


def test_evidence_drops_out_in_training_only():
    judge, shown = Judge(3, {1: 40}, generator=0), torch.zeros(1, 3, dtype=torch.long)
    assert judge(shown) == judge(shown) and judge(shown, generator=1) == judge(shown)
    assert judge(shown, drop=True, generator=1) == judge(shown, drop=True, generator=1) != judge(shown)
    assert judge(shown, drop=True) != judge(shown, drop=True)


# -- training -------------------------------------------------------------------------------------------


def small():
    source = torch.Generator().manual_seed(0)
    data = Tabular(2 * problem()[0]).sample(200, generator=source)
    return Tabular(np.zeros((13, 3))), Judge(3, {1: 4, 2: 4}, embedding=4, generator=source), data


def test_likelihood_lowers_the_reverse_score_and_a_judge_learns():
    model, judge, data = small()
    oracle = Tabular(2 * problem()[0])
    trained, told = fit_likelihood(model, data, steps=150, lr=0.05, measure=lambda m: scores(oracle, m),
                                   every=10, generator=0)
    assert trained is model
    assert told["reverse"][-1] < told["reverse"][0] - 0.2 and told["reverse"].shape == (150,)
    trained, told = fit_judge(judge, Tabular(np.zeros((13, 3))), data, steps=200, lr=0.01, generator=0)
    assert trained is judge and told["judge"][-20:].mean() < 0.62


@pytest.mark.parametrize("options", [{}, {"n_rollouts": 0}, {"baseline": "leave-one-out"}, {"lag": 0.0}])
def test_a_run_is_reproducible_and_resumes(options, tmp_path):
    options = {"n_rollouts": 2, "judge_steps": 1, "batch": 8, "generator": 0} | options
    ends = []
    for cut in (None, 2):
        model, judge, data = small()
        if cut:
            fit_seqgan(model, judge, data, steps=cut, checkpoint=tmp_path / "run", **options)
            model, judge, data = small()
        kept = tmp_path / "run" if cut else None
        trained, told = fit_seqgan(model, judge, data, steps=4, checkpoint=kept, **options)
        assert trained is model
        ends.append(model.logits.detach().clone())
    assert torch.equal(*ends) and ends[0].any()
    assert ((0 < told["reward"]) & (told["reward"] < 1)).all()


def test_a_constant_reward_with_a_baseline_moves_nothing():
    model, judge, data = small()
    before = copy.deepcopy(judge.state_dict())
    told = fit_seqgan(model, judge, data, steps=3, reward=2.5, baseline="leave-one-out").record
    assert not model.logits.any() and (told["reward"] == 2.5).all()
    assert all(torch.equal(before[name], now) for name, now in judge.state_dict().items())
    fit_seqgan(model, judge, data, steps=1, reward=2.5)
    assert model.logits.any()
