"""softmaxnotes.gumbel.beam_search: exactness against enumeration, models, and what must be refused."""

import importlib
import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from proofread.evidence.statistics import has_cdf, has_frequencies
from softmaxnotes.experiments.gumbel.beam_search import (
    LENGTH,
    WAYS,
    CharacterModel,
    _asked,
    estimate,
    expected_totals,
    fit_characters,
    read_tokens,
    tokens_of,
    zen_lines,
)
from softmaxnotes.gumbel import (
    beam_search,
    gumbel_cdf,
    gumbel_log_prob,
    hidden_markov_step,
    importance_weights,
    inclusion_weights,
    log_prob_ordered,
    sample_sequences,
    stochastic_beam_search,
    three_ways,
)

MODEL = dict(initial=[0.8, 0.2], transition=[[0.9, 0.1], [0.2, 0.8]],
             emission=[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
markov = hidden_markov_step(**MODEL)


def uniform(prefixes):
    return np.full((len(prefixes), 2), -np.log(2))


def with_end(prefixes):
    """Tokens 0 (end), 1, 2; after two tokens the end is certain."""
    law = np.log([0.3, 0.5, 0.2])
    sure = np.array([0.0, -np.inf, -np.inf])
    return np.stack([sure if len(prefix) == 2 else law for prefix in prefixes])


def leaves(step, length, end=None):
    """All sequences, by enumeration, with their log-probabilities."""
    found, open_ = [], [((), 0.0)]
    for _ in range(length):
        grown = []
        for prefix, log_p in open_:
            law = np.asarray(step(np.array([prefix], int).reshape(1, len(prefix))))[0]
            for token, more in enumerate(law):
                if more > -np.inf:
                    (found if token == end else grown).append(((*prefix, token), log_p + more))
        open_ = grown
    return dict((sequence + (end,) * (length - len(sequence)) if end is not None else sequence, log_p)
                for sequence, log_p in found + open_)


class Fixed:
    """A generator whose noise belongs to the prefix, so that beams of two widths share it."""

    def __init__(self, step, seed):
        self.step, self.seed, self.known = step, seed, {}

    def __call__(self, prefixes):
        self.now = [tuple(prefix) for prefix in prefixes.tolist()]
        return self.step(prefixes)

    def exponential(self, shape, rng):
        return np.stack([np.random.default_rng([self.seed, 1, *prefix]).exponential(size=shape[1])
                         for prefix in self.now])

    def gumbel(self, shape=None, rng=None):
        return 0.3 if shape is None else -np.log(self.exponential(shape, rng))


# --- exactness -----------------------------------------------------------------------------------


@pytest.mark.parametrize("step, length, end", [(markov, 2, None), (with_end, 3, 0)])
def test_ordered_pairs_are_those_of_plackett_and_luce(step, length, end):
    all_ = leaves(step, length, end)
    places = {sequence: place for place, sequence in enumerate(all_)}
    log_p = np.array([*all_.values()])
    pairs = [*itertools.permutations(range(len(log_p)), 2)]
    numbers = {pair: number for number, pair in enumerate(pairs)}

    def draw(n, rng):
        out = np.empty(n, int)
        for trial in range(n):
            found = stochastic_beam_search(step, 2, length, rng=rng, end=end).tokens
            out[trial] = numbers[tuple(places[tuple(row)] for row in found.tolist())]
        return out

    has_frequencies(draw, np.exp(log_prob_ordered(log_p, pairs)), effect=0.15, title="ordered pairs")


def test_the_third_of_27_leaves_has_the_law_of_a_third_draw():
    all_ = leaves(markov, 3)
    log_p = np.array([*all_.values()])
    law = np.zeros(27)
    for trio in itertools.permutations(range(27), 3):
        law[trio[2]] += np.exp(log_prob_ordered(log_p, trio))

    def draw(n, rng):
        return np.array([stochastic_beam_search(markov, 3, 3, rng=rng).tokens[2] @ [9, 3, 1]
                         for _ in range(n)])

    has_frequencies(draw, law, effect=0.15, title="the third sequence")


def test_the_keys_are_those_of_independent_noise():
    all_ = leaves(markov, 2)
    centre = np.array([*all_.values()])
    place = centre + np.sin(np.arange(9))

    def draw(n, rng):
        out = np.empty(n)
        for trial in range(n):
            found = stochastic_beam_search(markov, 9, 2, rng=rng)
            out[trial] = np.max(found.keys - place[found.tokens @ [3, 1]])
        return out

    total = np.logaddexp.reduce(centre - place)
    has_cdf(draw, lambda v: gumbel_cdf(v, loc=total), effect=0.1, title="the largest of shifted keys")


SECOND = np.array([[0.9, 0.09], [0.02, 0.9], [0.6, 0.3]])


def wide(prefixes):
    """Of 64 tokens the first two are likely, and the more so after themselves."""
    rows = np.array([[0.6, 0.3]]) if prefixes.shape[1] == 0 else SECOND[np.minimum(prefixes[:, 0], 2)]
    rest = (1 - rows.sum(axis=1, keepdims=True)) * np.arange(62, 0, -1) / 1953
    return np.log(np.concatenate([rows, rest], axis=1))


@pytest.fixture
def calls(monkeypatch):
    """The way of large vocabularies, for small ones: with 64 tokens few calls, and then noise for each that
    was not called; with 128 and more, calls in several rounds."""
    monkeypatch.setattr(importlib.import_module("softmaxnotes.gumbel.beam_search"), "_MANY", 0)


def test_children_that_are_called_have_the_law_of_plackett_and_luce(calls):
    log_p = np.add.outer(wide(np.empty((1, 0)))[0], np.zeros(64)) + wide(np.arange(64)[:, None])
    p, kind = np.exp(log_p).ravel(), np.add.outer([0, 2, *[4] * 62], [0, 1, *[1] * 62]).ravel()
    of_kind = np.bincount(kind, p)
    law = np.array([[((p * (total - (kind == second) * p) / (1 - p))[kind == first]).sum()
                     for second, total in enumerate(of_kind)] for first in range(6)])
    assert abs(law.sum() - 1) < 1e-12

    def draw(n, rng):
        out = np.empty((n, 2), int)
        for trial in range(n):
            out[trial] = kind[stochastic_beam_search(wide, 2, 2, rng=rng).tokens @ [64, 1]]
        return out @ [6, 1]

    has_frequencies(draw, law.ravel(), effect=0.1, title="kinds of the first two of 4096")


@pytest.mark.parametrize("likely", [[0.2, 0.5, 0.1], [0.99, 0.9, 0.95]], ids=["by calls", "and by noise"])
def test_children_that_are_called_have_the_keys_that_their_parents_leave(likely):
    """The fourth of the children of three parents, each with one likely child and 63 others.

    Two parents have the key 0, the third -1, which is that of the fourth child with a positive probability:
    then a number between 1 and 2 stands for it, since the test is of continuous laws.
    """
    module, likely = importlib.import_module("softmaxnotes.gumbel.beam_search"), np.array(likely)
    p = np.column_stack([likely, *[(1 - likely) / 63] * 63])
    keys, log_probs = np.array([0.0, -1.0, 0.0]), np.log([0.5, 0.3, 0.1])
    beam = module.Beam(None, log_probs, keys, None)

    def draw(n, rng):
        found = np.array([module._calls(np.log(p), p, beam, 4, rng)[2].min() for _ in range(n)])
        return np.where(found == -1, 1 + rng.random(n), found)

    def below(x):
        """With fewer than four children above x, counted by generating functions."""
        counts = np.zeros((4, *np.shape(x)))
        counts[0] = 1
        for a, key, log_prob in zip(likely, keys, log_probs):
            wait = np.exp(log_prob) * np.maximum(np.exp(-np.asarray(x)) - np.exp(-key), 0)
            rare, sure = -np.expm1(-(1 - a) / 63 * wait), np.exp(-a * wait)
            more = np.arange(4).reshape(-1, *[1] * np.ndim(x))
            others = stats.binom.pmf(more, 62, rare)
            own = a * stats.binom.pmf(more, 63, rare) + (1 - a) * sure * others
            own[1:] += (1 - a) * (1 - sure) * others[:-1]
            own = np.where(np.asarray(x) >= key, more == 0, np.concatenate([0 * own[:1], own[:-1]]))
            counts = np.array([sum(counts[i] * own[m - i] for i in range(m + 1)) for m in range(4)])
        return counts.sum(axis=0)

    def law(x):
        atom = below(-1) - below(np.nextafter(-1, -2))
        return below(x) - atom * (x >= -1) + atom * np.clip(x - 1, 0, 1)

    has_cdf(draw, law, effect=0.05, title="the fourth key below three parents")


def test_all_children_that_are_possible_are_called(calls):
    """Where fewer are possible than asked for, and where the rarest have a probability of 1e-300."""
    few = np.full(4096, -np.inf)
    few[[7, 40, 4000]] = np.log([1 - 1e-9, 1e-9, 1e-300])
    found = stochastic_beam_search(lambda prefixes: few[None], 5, 1, rng=0)
    assert found.tokens.ravel().tolist() == [7, 40, 4000]
    assert (found.log_probs == few[[7, 40, 4000]]).all() and (np.diff(found.keys) < 0).all()


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 12))
def test_a_beam_holds_the_first_of_all_keys(seed, k):
    """With the same noise for each prefix, a narrow beam ends with the first of a wide one."""
    law = np.random.default_rng(seed).normal(scale=3, size=(3, 3))
    law -= np.logaddexp.reduce(law, axis=1, keepdims=True)

    def step(prefixes):
        return law[prefixes[:, -1] if prefixes.shape[1] else np.zeros(len(prefixes), int)]

    module, found = importlib.import_module("softmaxnotes.gumbel.beam_search"), []
    for width, far in ((k, 300.0), (27, 300.0), (27, 0.0)):  # by times, and by keys
        fixed = Fixed(step, seed)
        with pytest.MonkeyPatch.context() as patch:
            for name, noise in (("gumbel", fixed.gumbel), ("exponential", fixed.exponential), ("_FAR", far)):
                patch.setattr(module, name, noise)
            found.append(stochastic_beam_search(fixed, width, 3))
    narrow, wide, by_keys = found
    assert np.array_equal(narrow.tokens, wide.tokens[:k]) and np.array_equal(narrow.keys, wide.keys[:k])
    assert np.array_equal(by_keys.tokens, wide.tokens)
    np.testing.assert_allclose(by_keys.keys, wide.keys, rtol=1e-12, atol=1e-12)
    assert len(np.unique(wide.tokens, axis=0)) == 27


def test_log_probabilities_are_those_of_the_leaves():
    for end, length in ((None, 3), (0, 3)):
        step = with_end if end == 0 else markov
        all_ = leaves(step, length, end)
        for found in (stochastic_beam_search(step, 50, length, end=end, rng=0),
                      beam_search(step, 50, length, end=end)):
            assert {tuple(row) for row in found.tokens.tolist()} == set(all_)
            expected = [all_[tuple(row)] for row in found.tokens.tolist()]
            np.testing.assert_allclose(found.log_probs, expected, rtol=1e-14)
            assert np.all(np.diff(found.keys) <= 0)
            assert abs(np.exp(found.log_probs).sum() - 1) < 1e-14


def test_sampling_follows_the_model_and_shows_each_prefix_once():
    all_ = leaves(with_end, 3, 0)
    places = {sequence: place for place, sequence in enumerate(all_)}

    def draw(n, rng):
        found = sample_sequences(with_end, n, 3, rng=rng, end=0)
        assert found.evaluations <= 7
        return np.array([places[tuple(row)] for row in found.tokens.tolist()])

    has_frequencies(draw, np.exp([*all_.values()]), effect=0.02, title="independent sequences")


# --- weights -------------------------------------------------------------------------------------


def test_weights_are_unbiased_for_one_of_two():
    """Over the key of the other, which is the threshold."""
    first, second = np.log([0.7, 0.3])

    def one(x):
        inside = -np.expm1(-np.exp(first - x))
        return np.exp(gumbel_log_prob(x, loc=second)) * inside * importance_weights([first], x)[0]

    assert abs(integrate.quad(one, -8, 40, points=[0])[0] - 0.7) < 1e-7


@given(st.lists(st.floats(-700, 0), min_size=1, max_size=6), st.floats(-50, 50))
def test_weights_are_those_of_a_domain_that_is_listed(log_p, kappa):
    log_p = np.array(log_p) - 2
    rest = np.log1p(-min(np.exp(log_p).sum(), 0.9)) if np.exp(log_p).sum() < 0.9 else None
    if rest is None:
        return
    ours = importance_weights(log_p, kappa)
    listed = inclusion_weights(np.append(log_p, rest), np.arange(len(log_p)), kappa)
    np.testing.assert_allclose(ours, listed, rtol=1e-10)


def test_weights_at_the_ends():
    assert importance_weights([], 0.0).shape == (0,)
    assert importance_weights(np.float32([-1]), 0.0).dtype == np.float32
    np.testing.assert_allclose(importance_weights([-1e3, -2e3], -3.0), np.exp([-3.0, -3.0]), rtol=1e-12)
    np.testing.assert_allclose(importance_weights(np.log([0.2, 0.3]), -np.inf), [0.2, 0.3], rtol=1e-15)
    many = importance_weights(np.log([[0.2, 0.3], [0.1, 0.1]]), [-1.0, 0.0], normalised=True)
    np.testing.assert_allclose(many.sum(axis=1), 1)


def test_three_ways_agree_where_all_sequences_are_found():
    for k in (6, 27, 50):
        ways = three_ways(markov, k, 3, rng=0)
        assert all(abs(w.sum() - 1) < 1e-12 and len(w) == min(k, len(found.tokens)) for found, w in ways)
    exact = [w @ found.tokens.sum(axis=1) for found, w in ways[1:]]
    assert abs(exact[0] - exact[1]) < 1e-12


# --- edges ---------------------------------------------------------------------------------------


def test_log_probabilities_of_minus_a_thousand():
    """A token of probability e^-500, twice: keys keep their order, and nothing overflows."""
    law = np.array([np.log1p(-np.exp(-500.0)), -500.0])
    found = stochastic_beam_search(lambda y: np.tile(law, (len(y), 1)), 4, 2, rng=0)
    np.testing.assert_allclose(found.log_probs, [0, -500, -500, -1000], atol=1e-200)
    assert np.isfinite(found.keys).all() and np.all(np.diff(found.keys) < 0)
    assert -1010 < found.keys[-1] < -990


def test_deep_and_unlikely():
    """600 tokens of probability 1/8: log-probabilities below -1e3, all sequences different."""
    found = stochastic_beam_search(lambda y: np.full((len(y), 8), -np.log(8)), 20, 600, rng=0)
    np.testing.assert_allclose(found.log_probs, -600 * np.log(8), rtol=1e-12)
    assert len(np.unique(found.tokens, axis=0)) == 20 and np.isfinite(found.keys).all()


def test_what_is_forbidden_never_comes():
    def step(prefixes):
        return np.tile([0.0, -np.inf], (len(prefixes), 1)) if prefixes.shape[1] else np.log([[0.5, 0.5]])

    for seed in range(20):
        found = stochastic_beam_search(step, 9, 5, rng=seed)
        assert sorted(found.tokens.tolist()) == [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert len(sample_sequences(step, 50, 5, rng=0).tokens) == 50
    assert beam_search(step, 9, 5).tokens.shape == (2, 5)


@pytest.mark.parametrize("search", [stochastic_beam_search, beam_search, sample_sequences])
def test_nothing_to_do(search):
    def refuses(prefixes):
        raise AssertionError("not to be asked")

    found = search(refuses, 0, 4)
    assert found.tokens.shape == (0, 4) and found.keys.shape == (0,) and found.evaluations == 0
    found = search(refuses, 3, 0)
    assert found.tokens.shape[1] == 0 and (found.log_probs == 0).all()
    assert len(found.tokens) == (3 if search is sample_sequences else 1)


def test_the_model_may_spoil_its_prefixes_and_takes_its_types():
    def spoils(prefixes):
        prefixes[:] = 7
        return uniform(prefixes)

    assert stochastic_beam_search(spoils, 4, 3, rng=0).tokens.max() == 1
    for kind in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        def tensors(prefixes, kind=kind):
            return torch.log_softmax(torch.tensor([[0.3, -1.0, 2.0]] * len(prefixes), dtype=kind), dim=-1)

        found = stochastic_beam_search(tensors, 9, 2, rng=0)
        assert found.tokens.shape == (9, 2) and found.log_probs.dtype == np.float64


def test_same_seed_same_sequences():
    one, other = (stochastic_beam_search(markov, 5, 4, rng=3) for _ in range(2))
    assert np.array_equal(one.tokens, other.tokens) and np.array_equal(one.keys, other.keys)
    generator = np.random.default_rng(3)
    assert np.array_equal(stochastic_beam_search(markov, 5, 4, rng=generator).keys, one.keys)
    assert not np.array_equal(stochastic_beam_search(markov, 5, 4, rng=generator).keys, one.keys)


def test_progress(capsys):
    quiet = stochastic_beam_search(uniform, 2, 3, rng=0)
    assert capsys.readouterr().err == ""
    loud = stochastic_beam_search(uniform, 2, 3, rng=0, progress=True)
    assert np.array_equal(quiet.keys, loud.keys)


# --- the model of the chapter ---------------------------------------------------------------------


def test_the_poem_and_its_tokens():
    lines = zen_lines()
    assert len(lines) == 19 and all(line == read_tokens(tokens_of(line)) for line in lines)
    assert lines[-1].endswith("lets do more of those") and max(map(len, lines)) < 70


def test_the_table_is_what_the_model_says():
    model = CharacterModel(window=3, hidden=8, generator=torch.Generator().manual_seed(1))
    table, rng = model.table(temperature=0.5), np.random.default_rng(0)
    windows = rng.integers(25, size=(50, 3))
    with torch.no_grad():
        law = model(torch.from_numpy(windows)).numpy() / 0.5
    law -= np.logaddexp.reduce(law, axis=1, keepdims=True)
    np.testing.assert_allclose(table[tuple(windows.T)], law, atol=1e-12)
    short = model(torch.from_numpy(windows[:, 2:])).detach().numpy()
    padded = np.concatenate([np.zeros((50, 2), int), windows[:, 2:]], axis=1)
    np.testing.assert_allclose(short, model(torch.from_numpy(padded)).detach().numpy(), atol=0)


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


@pytest.mark.parametrize("way, method", [(0, WAYS[0]), (1, WAYS[1]), (2, WAYS[3])])
def test_an_estimate_is_one_of_three_ways(way, method):
    ask, exact = _asked(0.5)
    found = [estimate(method, seed=seed, budget=6, temperature=0.5) for seed in range(400)]
    off = np.array([one["off"] for one in found])
    np.testing.assert_allclose(off**2, [one["entropy"] for one in found])
    tokens, weights = three_ways(ask, 6, LENGTH, end=0, rng=0)[way]
    if method == "beam search":
        np.testing.assert_allclose(off, -weights @ tokens.log_probs[:6] - exact[0])
    elif method == "with replacement":
        assert abs(off.mean()) < 5 * off.std() / 20 and 0 < found[0]["different"] <= found[0]["shown"]
    quarter = estimate(WAYS[2], seed=0, budget=24, temperature=0.5)
    assert quarter == estimate(WAYS[1], seed=0, budget=6, temperature=0.5)


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


def test_training_is_reproducible_and_resumes(tmp_path):
    lines = ["ab", "ba"]
    whole = fit_characters(lines, window=1, hidden=8, steps=30, generator=0)
    kept = tmp_path / "characters.pt"
    fit_characters(lines, window=1, hidden=8, steps=12, generator=0, checkpoint=kept)
    again = fit_characters(lines, window=1, hidden=8, steps=30, generator=0, checkpoint=kept)
    assert np.array_equal(whole.record["loss"], again.record["loss"])
    assert torch.equal(whole.model.seen, again.model.seen)
