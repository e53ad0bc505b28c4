"""Truncations, what they cost, and the distribution over whole texts."""

import pathlib
import re
from itertools import chain, combinations

import numpy as np
import pytest
import torch

from softmaxnotes.gumbel import hidden_markov_step
from softmaxnotes.language import enumerate_sequences, exact_step, log_kept_mass, truncate
from softmaxnotes.softmax import log_softmax, softmax

INF, NAN = np.inf, np.nan


def kept(logits, **rules):
    return np.flatnonzero(np.isfinite(truncate(logits, **rules))).tolist()


# --- Against the warpers of transformers, by their formulas (generation/logits_process.py) -------


def by_top_k(scores, k):
    return scores.masked_fill(scores < torch.topk(scores, min(k, scores.size(-1)))[0][..., -1, None], -INF)


def by_top_p(scores, p):
    sorted_scores, order = torch.sort(scores, descending=False)
    remove = sorted_scores.softmax(dim=-1).cumsum(dim=-1) <= 1 - p
    remove[..., -1:] = False
    return scores.masked_fill(remove.scatter(-1, order, remove), -INF)


def by_min_p(scores, p):
    chances = torch.softmax(scores, dim=-1)
    return scores.masked_fill(chances < p * chances.amax(dim=-1, keepdim=True), -INF)


def by_typical_p(scores, mass):
    log_p = torch.log_softmax(scores, dim=-1)
    entropy = -(log_p * log_p.exp()).nansum(-1, keepdim=True)
    shifted = torch.abs(-log_p - entropy)
    sorted_shifted, order = torch.sort(shifted, descending=False)
    cumulative = scores.gather(-1, order).softmax(dim=-1).cumsum(dim=-1)
    last = (cumulative < mass).sum(dim=1).clamp(max=sorted_shifted.shape[-1] - 1)
    remove = sorted_shifted > sorted_shifted.gather(1, last.view(-1, 1))
    return scores.masked_fill(remove.scatter(1, order, remove), -INF)


def by_epsilon(scores, epsilon):
    remove = (scores.softmax(dim=-1) < epsilon) & (scores < scores.amax(dim=-1, keepdim=True))
    return scores.masked_fill(remove, -INF)


def by_eta(scores, epsilon):
    chances = scores.softmax(dim=-1)
    entropy = torch.distributions.Categorical(logits=scores).entropy()
    eta = torch.minimum(torch.tensor(epsilon), torch.tensor(epsilon).sqrt() * torch.exp(-entropy))[..., None]
    return scores.masked_fill((chances < eta) & (scores < scores.amax(dim=-1, keepdim=True)), -INF)


PEERS = {"top_k": (by_top_k, (1, 3, 40)), "top_p": (by_top_p, (0.1, 0.5, 0.9, 0.99)),
         "min_p": (by_min_p, (0.02, 0.1, 1.0)), "typical_p": (by_typical_p, (0.2, 0.9)),
         "epsilon": (by_epsilon, (3e-4, 0.05, 0.5)), "eta": (by_eta, (3e-4, 0.02))}


@pytest.mark.parametrize("rule", PEERS)
@pytest.mark.parametrize("temperature", [1.0, 0.6, 2.5])
def test_transformers_keeps_the_same_tokens(rule, temperature):
    peer, values = PEERS[rule]
    for scale, seed in ((0.1, 1), (2.0, 2), (8.0, 3)):
        rows = scale * np.random.default_rng(seed).normal(size=(1500, 12))
        for value in values:
            theirs = peer(torch.from_numpy(rows) / temperature, value).numpy()
            ours = truncate(rows, temperature=temperature, **{rule: value})
            assert np.array_equal(np.isfinite(theirs), np.isfinite(ours))
            assert np.allclose(theirs, ours)


def test_rules_follow_one_another_on_what_is_left():
    rows = 2 * np.random.default_rng(4).normal(size=(2000, 15))
    scores = torch.from_numpy(rows) / 1.3
    for rule, value in (("top_k", 8), ("top_p", 0.85), ("min_p", 0.15)):
        scores = PEERS[rule][0](scores, value)
    assert np.array_equal(np.isfinite(scores.numpy()),
                          np.isfinite(truncate(rows, temperature=1.3, top_k=8, top_p=0.85, min_p=0.15)))


# --- Against transformers itself, where it is installed -----------------------------------------

WARPERS = {"top_k": "TopK", "top_p": "TopP", "min_p": "MinP", "typical_p": "Typical", "epsilon": "Epsilon",
           "eta": "Eta"}


@pytest.mark.parametrize("rule", WARPERS)
def test_the_warpers_of_transformers_keep_the_same_tokens(rule):
    warpers = pytest.importorskip("transformers.generation.logits_process")
    ids = torch.zeros(1000, 1, dtype=torch.long)
    for scale in (1.0, 3.0):
        rows = scale * np.random.default_rng(7).normal(size=(1000, 200))
        for value in PEERS[rule][1]:
            warper = getattr(warpers, f"{WARPERS[rule]}LogitsWarper")(value)
            theirs = warper(ids, torch.from_numpy(rows)).numpy()
            assert np.array_equal(np.isfinite(theirs), np.isfinite(truncate(rows, **{rule: value})))


def page_code(*names):
    """What cells of the chapter define."""
    text = (pathlib.Path(__file__).parents[2] / "book/language/decoding.md").read_text("utf8")
    found = {}
    for cell in re.findall(r"```\{code-cell\} ipython3\n(?::tags: .*?\n)?(.*?)```", text, re.S):
        if any(f"def {name}(" in cell or f"class {name}:" in cell for name in names):
            exec(cell, found)
    return [found[name] for name in names]


@pytest.mark.parametrize("ends", [3, [3, 5, 7]])
def test_kept_masses_are_the_quotients_of_what_generate_tells(ends):
    transformers = pytest.importorskip("transformers")
    cut_logits, draw = page_code("cut_logits", "KeptMass", "draw")[::2]
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=40, n_positions=64, n_embd=32, n_layer=2, n_head=2,
                                     initializer_range=0.5, bos_token_id=1, eos_token_id=3)
    model = transformers.GPT2LMHeadModel(config).eval()
    files = dict(eos_token_id=ends, pad_token_id=0, min_p=0.3, typical_p=0.5, repetition_penalty=1.5, top_k=3,
                 temperature=0.3)
    for name, value in files.items():  # what the files of a model may say
        setattr(model.generation_config, name, value)
    prompt = torch.tensor([[1, 9, 4], [1, 8, 7]])
    inputs = {"input_ids": prompt, "attention_mask": torch.ones_like(prompt)}
    even = torch.arange(40) % 2 == 0
    for cut in (lambda ids, z: cut_logits(z, top_p=0.8), lambda ids, z: cut_logits(z, top_k=12, min_p=0.1),
                lambda ids, z: z.masked_fill_(even, -INF)):
        for temperature in (1.0, 0.7):
            ids, log_c, ended = draw(model, inputs, cut, longest=20, temperature=temperature)
            assert ids.shape[:2] == log_c.shape == ended.shape == (2, 32)
            ids, log_c, ended = (x.flatten(0, 1) for x in (ids, log_c, ended))
            with torch.no_grad():
                z = model(ids).logits[:, 2:-1] / temperature
            new = ids[:, 3:]
            kept = cut(ids, z.clone()) > -INF
            over = torch.isin(new, torch.tensor(ends))
            over = over.cumsum(1) - over.int() > 0
            assert kept.gather(2, new[..., None])[..., 0][~over].all()
            quotients = z.masked_fill(~kept, -INF).logsumexp(-1) - z.logsumexp(-1)
            assert torch.allclose(log_c, quotients.masked_fill(over, 0).sum(1), atol=1e-4)
            assert torch.equal(ended, torch.isin(new, torch.tensor(ends)).any(1))
            assert torch.equal(ids[:, 1], torch.tensor([9, 8]).repeat_interleave(32))


# --- Edges ------------------------------------------------------------------------------------


def test_of_equal_logits_those_of_lower_index_stay():
    assert kept(np.zeros(5), top_k=2) == [0, 1]
    assert kept(np.zeros(5), top_p=0.4) == [0, 1] == kept(np.zeros(5), typical_p=0.4)
    assert kept(np.zeros(5), min_p=1) == [0, 1, 2, 3, 4]


def test_a_threshold_that_is_met_up_to_rounding_is_met():
    ten = np.log([0.09] * 10 + [0.01] * 10)
    assert sum([0.09] * 10) < 0.9 and kept(ten, top_p=0.9) == [*range(10)]
    assert kept(np.log([0.5, 0.45, 0.05]), min_p=0.1) == [0, 1, 2]
    assert kept(np.log([0.5, 0.45, 0.05]), epsilon=0.05) == [0, 1, 2]


def test_the_ends_of_the_ranges():
    z = [0.0, -900.0, -INF]
    assert kept(z, top_p=1) == kept(z, min_p=0) == kept(z, epsilon=0) == kept(z, eta=0) == [0, 1]
    assert kept(z, typical_p=1) == kept(z, top_k=9) == kept(z) == [0, 1]
    assert kept(z, top_p=1e-300) == kept(z, top_k=1) == kept(z, epsilon=0.9) == [0]


def test_a_nucleus_is_the_smallest_set_with_its_mass():
    rng = np.random.default_rng(5)
    subsets = [list(s) for s in chain.from_iterable(combinations(range(8), r) for r in range(1, 9))]
    for p in (0.3, 0.6, 0.9, 0.99):
        law = softmax(2 * rng.normal(size=8))
        enough = [s for s in subsets if law[s].sum() >= p]
        least = min(map(len, enough))
        heaviest = max((s for s in enough if len(s) == least), key=lambda s: law[s].sum())
        assert kept(np.log(law), top_p=p) == sorted(heaviest)


def test_large_vocabularies_in_float32_keep_what_float64_does():
    z = (3 * np.random.default_rng(0).normal(size=128_256)).astype(np.float32)
    for p in (0.9, 0.9999):
        found = np.isfinite(truncate(z, top_p=p))
        assert np.array_equal(found, np.isfinite(truncate(z.astype(np.float64), top_p=p)))
        law = np.sort(softmax(z.astype(np.float64)))[::-1].astype(np.longdouble)
        assert found.sum() == np.searchsorted(law.cumsum(), p) + 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_shapes_and_types_stay(dtype):
    z = np.random.default_rng(6).normal(size=(2, 3, 7)).astype(dtype)
    found = truncate(z, temperature=0.5, top_p=0.7, min_p=0.01)
    assert found.shape == z.shape and found.dtype == dtype
    for index in np.ndindex(2, 3):
        assert np.array_equal(found[index], truncate(z[index], temperature=0.5, top_p=0.7, min_p=0.01))
    stays = found > -INF
    assert np.allclose(found[stays], z[stays] / dtype(0.5))
    mass = log_kept_mass(z, found)
    assert mass.shape == (2, 3) and mass.dtype == dtype
    assert truncate(np.arange(3)).dtype == np.float64


def test_nan_stays_in_its_slice():
    z = np.array([[0.0, NAN, 1.0], [0.0, 2.0, 1.0]])
    found = truncate(z, top_k=1, typical_p=0.5)
    assert np.isnan(found[0]).all() and found[1].tolist() == [-INF, 2, -INF]
    assert np.isnan(log_kept_mass(z, np.zeros(3))[0]) and log_kept_mass(z, np.zeros(3))[1] == 0
    assert np.isnan(log_kept_mass(z[1], [0, NAN, 0]))


def test_nothing_warns():
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        for rules in ({"top_p": 0.5}, {"typical_p": 0.5}, {"min_p": 1e-300}, {"eta": 0.1}, {"epsilon": 0.1}):
            truncate([0.0, -2000.0, -INF, 300.0], temperature=1e-3, **rules)
            truncate([0.0, -2000.0, -INF, NAN], **rules)
        log_kept_mass([0.0, -2000.0, -INF], [-INF, 0, 0])


# --- The mass that is kept ----------------------------------------------------------------------


def test_the_mass_is_that_of_the_classes_that_are_left():
    rng = np.random.default_rng(7)
    z, keep = 3 * rng.normal(size=(50, 9)), rng.random((50, 9)) < 0.6
    keep[:, 0] = True
    law = softmax(z)
    assert np.allclose(np.exp(log_kept_mass(z, np.where(keep, z, -INF))), (law * keep).sum(axis=-1))
    assert np.allclose(log_kept_mass(z[0], np.where(keep, 0, -INF)),
                       log_kept_mass(np.broadcast_to(z[0], z.shape), np.where(keep, 0, -INF)))


def test_small_masses_keep_their_digits():
    assert log_kept_mass([0.0, -100.0], [0, -INF]) == pytest.approx(-np.exp(-100), rel=1e-12)
    assert log_kept_mass([0.0, -100.0], [-INF, 0]) == pytest.approx(-100, rel=1e-12)
    assert log_kept_mass([0.0, -1000.0], [-INF, 0]) == -1000 and log_kept_mass([0.0, 1.0], [5, 5]) == 0
    assert log_kept_mass([0.0, -INF], [-INF, 0]) == -INF


def test_the_mass_is_the_divergence():
    z = np.random.default_rng(8).normal(size=6)
    cut = truncate(z, top_k=3)
    law = softmax(cut)
    there = law > 0
    divergence = (law[there] * (np.log(law[there]) - log_softmax(z)[there])).sum()
    assert log_kept_mass(z, cut) == pytest.approx(-divergence)


# --- Whole texts --------------------------------------------------------------------------------

MARKOV = hidden_markov_step([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])


def stops(prefixes):
    """Token 0 ends; after an odd number of tokens, 2 is impossible."""
    after = {0: np.log([0.3, 0.2, 0.5]), 1: [np.log(0.6), np.log(0.4), -INF]}
    return np.tile(after[prefixes.shape[1] % 2], (len(prefixes), 1))


def test_all_sequences_are_listed_in_order():
    found = enumerate_sequences(MARKOV, 4, vocabulary=3)
    assert found.tokens.tolist() == [list(y) for y in np.ndindex(3, 3, 3, 3)]
    assert found.evaluations == 1 + 3 + 9 + 27 and np.exp(found.log_probs).sum() == pytest.approx(1)
    assert np.array_equal(found.keys, found.log_probs)
    short = enumerate_sequences(stops, 3, end=0)
    listed = short.tokens.tolist()
    assert listed == sorted(listed) and np.exp(short.log_probs).sum() == pytest.approx(1)
    assert listed[:3] == [[0, 0, 0], [1, 0, 0], [1, 1, 0]] and [1, 2, 0] not in listed
    assert enumerate_sequences(MARKOV, 0).tokens.shape == (1, 0)
    early = enumerate_sequences(lambda y: np.array([[0.0, -INF]] * len(y)), 5, end=0)
    assert early.tokens.tolist() == [[0] * 5] and early.evaluations == 1


@pytest.mark.parametrize("step, end", [(MARKOV, None), (stops, 0)])
def test_the_exact_step_draws_what_is_kept(step, end):
    rng = np.random.default_rng(9)
    veto = {}

    def allowed(prefixes):
        rows = [veto.setdefault(tuple(y), rng.random(3) < 0.7) for y in prefixes.tolist()]
        return np.array([row | [True, False, False] for row in rows]).reshape(len(prefixes), 3)

    exact = enumerate_sequences(exact_step(step, allowed, 4, end=end), 4, end=end)
    everything = enumerate_sequences(step, 4, end=end)
    through = [all(allowed(y[None, :t])[0, y[t]] for t in range(4) if end is None or end not in y[:t])
               for y in everything.tokens]
    left = everything.log_probs[through]
    assert np.array_equal(exact.tokens, everything.tokens[through])
    assert np.allclose(exact.log_probs, left - np.logaddexp.reduce(left), rtol=1e-12)


def test_a_dead_end_is_avoided():
    def allowed(prefixes):  # after 0 nothing may follow
        return np.array([[0 not in y] * 3 for y in prefixes.tolist()])

    step = exact_step(MARKOV, allowed, 2)
    assert np.isneginf(step(np.empty((1, 0), int))[0, 0])
    with pytest.raises(ValueError, match="something allowed can be reached, got \\[0\\]"):
        step(np.array([[1], [0]]))


def test_prefixes_are_looked_at_once():
    asked = []

    def counted(prefixes):
        asked.append(len(prefixes))
        return MARKOV(prefixes)

    step = exact_step(counted, lambda y: np.ones((len(y), 3), bool), 4)
    step(np.empty((1, 0), int))
    assert sum(asked) == 1 + 3 + 9 + 27
    step(np.zeros((1, 2), int))
    assert sum(asked) == 41
