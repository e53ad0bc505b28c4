"""What `softmaxnotes.language` refuses."""

from functools import partial

import numpy as np
import pytest
import torch
from refusals import counts, row, rows, types

from softmaxnotes.experiments.language.speculative import (
    context_table,
    following,
    long_run_rates,
)
from softmaxnotes.language import (
    acceptance,
    answer_log_prob,
    attention,
    attention_gradients,
    best_of,
    best_of_bound,
    best_of_kl,
    blockwise_attention,
    bradley_terry,
    chunked_cross_entropy,
    dpo_loss,
    enumerate_sequences,
    exact_step,
    expected_gumbel_score,
    green_cost,
    gumbel_agreement,
    gumbel_mark,
    gumbel_p_value,
    gumbel_score,
    keyed_uniforms,
    largest_share,
    log_kept_mass,
    maximal_coupling,
    merge_draws,
    merge_means,
    needed_lead,
    partial_mean,
    regularised_value,
    residual,
    shared_draws,
    soft_step,
    speculative_step,
    tilt,
    tokens_of_rates,
    tokens_per_call,
    tournament,
    truncate,
)

INF, NAN = np.inf, np.nan
MASKED = np.ma.array([1.0, 2.0], mask=[0, 1])
NEEDS_GRADIENT = torch.zeros(2, requires_grad=True)


def named(function, *arguments, **options):
    """Some arguments are given already."""
    found = partial(function, *arguments, **options)
    found.__name__ = function.__name__
    return found


# --- Attention ----------------------------------------------------------------------------------

Q, K, V, G = np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)), np.ones((2, 5))


def gradients(queries, keys, values, **named):
    return attention_gradients(queries, keys, values, G, **named)


ATTENDING = [attention, gradients]
OF_N = [needed_lead, largest_share]
OF_SPREAD = [largest_share]

ATTENTION = [
    *types({"queries": [partial(attend, keys=K, values=V) for attend in ATTENDING],
            "keys": [partial(attend, Q, values=V) for attend in ATTENDING],
            "values": [partial(attend, Q, K) for attend in ATTENDING],
            "upstream": [partial(attention_gradients, Q, K, V)],
            "sink": [lambda sink: attention(Q, K, V, sink=sink)],
            "share": [partial(needed_lead, 3)],
            "spread": [partial(of, 3) for of in OF_SPREAD]}),
    # shapes
    *rows(ValueError, r"queries with at least two axes, got shape \(3,\)", ATTENDING, Q[0], K, V),
    *rows(ValueError, r"values with at least two axes, got shape \(4,\)", ATTENDING, Q, K, V[:, 0]),
    *rows(ValueError, "queries and keys of one length, got 3 and 2", ATTENDING, Q, K[:, :2], V),
    *rows(ValueError, "a value for each of 4 keys, got 3", ATTENDING, Q, K, V[:3]),
    *rows(ValueError, "shapes that fit, got leading axes of queries", ATTENDING, [Q] * 2, [K] * 3, V),
    *rows(ValueError, r"mask to broadcast to the shape \(2, 4\), got \(3, 4\)", ATTENDING, Q, K, V,
          mask=np.ones((3, 4), bool)),
    *rows(ValueError, r"sink to broadcast to the shape \(2,\), got \(3,\)", ATTENDING, Q, K, V,
          sink=[0, 1, 2]),
    row(ValueError, r"upstream to broadcast to the shape \(2, 5\), got \(2, 4\)", attention_gradients,
        Q, K, V, G[:, :4]),
    row(ValueError, "shapes that fit, got n of shape", needed_lead, [2, 3], [0.1, 0.2, 0.3]),
    *rows(ValueError, "shapes that fit, got n of shape", OF_SPREAD, [2, 3], [1.0, 2.0, 3.0]),
    # masks
    *rows(TypeError, "mask to be Boolean.*got an array of type int64", ATTENDING, Q, K, V,
          mask=np.ones((2, 4), int)),
    *rows(TypeError, "mask to be Boolean.*got an array of type float64", ATTENDING, Q, K, V,
          mask=np.zeros((2, 4))),
    *rows(TypeError, "causal to be True or False, got 'lower-right'", ATTENDING, Q, K, V,
          causal="lower-right"),
    *rows(TypeError, "causal to be True or False, got None", ATTENDING, Q, K, V, causal=None),
    *rows(ValueError, "no more queries than keys if causal, got 2 and 1", ATTENDING, Q, K[:1], V[:1],
          causal=True),
    *rows(ValueError, r"no distribution: queries\[1\] sees no key", ATTENDING, Q, K, V,
          mask=[[True], [False]]),
    *rows(ValueError, r"no distribution: queries\[0\] sees no key", ATTENDING, Q, K[:0], V[:0]),
    *rows(ValueError, r"no distribution: queries\[0\] sees no key", ATTENDING, Q, K[:0], V[:0], sink=-INF),
    # numbers
    *[refusal for bad in (INF, NAN, [1.0], "1") for refusal in
      rows(ValueError, "scale to be one finite number, got", ATTENDING, Q, K, V, scale=bad)],
    *[row(ValueError, "cap to be one positive, finite number, got", attention, Q, K, V, cap=bad)
      for bad in (0, -1.0, INF, NAN, [1.0])],
    *rows(ValueError, r"sink below infinity, got inf in sink\[1\]", ATTENDING, Q, K, V, sink=[0, INF]),
    *[row(ValueError, rf"share between 0 and 1, got {bad} in share", needed_lead, 3, bad)
      for bad in (0.0, 1.0, -0.5, 2.0, NAN)],
    *[refusal for bad in (-1.0, -INF, NAN) for refusal in
      rows(ValueError, f"spread not to be negative, got {bad} in spread", OF_SPREAD, 3, bad)],
    *[refusal for bad in (0, -1) for refusal in
      rows(ValueError, f"n to be at least 1, got {bad} in n", OF_N, bad, 0.5)],
    *[refusal for bad in (2.0, True, "2") for refusal in
      rows(TypeError, "n to be integers, got an array of type", OF_N, bad, 0.5)],
]


# --- Blocks -------------------------------------------------------------------------------------

PAIR = 0.0, [1.0]
ATTEND = named(blockwise_attention, np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)))
LOSS = named(chunked_cross_entropy, torch.zeros(2, 3), torch.zeros(5, 3), torch.tensor([0, 4]))


def one_part(*part):
    return merge_means([part])


def one_draw(*part):
    return merge_draws([part])


BLOCKS = [
    *[row(TypeError, f"scores {says}", partial_mean, bad, np.zeros((2, 1)))
      for bad, says in ((["a", "b"], "to be real"), ([1j, 2], "to be real"), (MASKED, "without a mask"),
                        (NEEDS_GRADIENT, "without a gradient"))],
    row(TypeError, "values to be real", partial_mean, [0.0], [["a"]]),
    *[row(ValueError, r"scores of shape \(..., n\) and values of shape \(..., n, v\), got", partial_mean, z,
          v) for z, v in ((0.0, [[1.0]]), ([0.0], [1.0]), ([0.0, 1.0], [[1.0]]), ([0.0], [[[1.0], [1.0]]]))],
    row(ValueError, "shapes that fit", partial_mean, np.zeros((2, 4)), np.zeros((3, 4, 1))),
    row(ValueError, r"scores below inf, got inf in scores\[1\]", partial_mean, [0.0, INF], np.zeros((2, 1))),
    *rows(ValueError, "no parts to merge", [merge_means, merge_draws], []),
    row(TypeError, "lse to be real", one_part, "a", [1.0]),
    row(TypeError, "mean to be real", one_part, 0.0, ["a"]),
    *[row(ValueError, r"lse and mean of shapes \(...\) and \(..., v\), got", one_part, lse, mean)
      for lse, mean in ((0.0, 1.0), ([0.0], [1.0]), (np.zeros((2, 1)), np.zeros((2, 3))))],
    row(ValueError, r"parts of one shape, got means of shapes \(1,\) and \(2,\)", merge_means,
        [PAIR, (0.0, [1.0, 2.0])]),
    row(ValueError, "parts of one shape", merge_means, [PAIR, ([0.0], [[1.0]])]),
    *[row(ValueError, f"lse below inf, got {bad} in lse", one_part, bad, [1.0]) for bad in (NAN, INF)],
    *[row(ValueError, f"lse below inf, got {bad} in lse", one_draw, bad, 1) for bad in (NAN, INF)],
    row(TypeError, "draw to be integers", one_draw, 0.0, 1.5),
    row(TypeError, "lse to be real", one_draw, "a", 1),
    row(ValueError, r"lse and draw of one shape in all parts, got \(\) and \(1,\)", one_draw, 0.0, [1]),
    row(ValueError, r"lse and draw of one shape in all parts, got \(\) and \(1,\)", merge_draws,
        [(0.0, 1), ([0.0], [1])]),
    row(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", one_draw, [0.0, -INF], [1, 2]),
    row(TypeError, "rng to be None", merge_draws, [(0.0, 1)], rng="a"),
    *counts([("block", 1, [ATTEND]), ("chunk", 1, [LOSS])]),
    *[row(TypeError, f"{name} to be real", blockwise_attention,
          *(np.full((2, 2), "a") if at == name else np.ones((2, 2)) for at in ("queries", "keys", "values")))
      for name in ("queries", "keys", "values")],
    *[row(ValueError, "queries, keys and values of shapes", blockwise_attention, *map(np.ones, shapes))
      for shapes in ([3, (4, 3), (4, 5)], [(2, 3), (4, 2), (4, 5)], [(2, 3), (4, 3), (3, 5)])],
    row(ValueError, "shapes that fit, got queries", blockwise_attention, np.ones((2, 2, 3)),
        np.ones((3, 4, 3)), np.ones((4, 5))),
    *[row(ValueError, "scale to be one finite number", ATTEND, scale=bad) for bad in (NAN, INF, "a", [1.0])],
    row(ValueError, "at most as many queries as keys, got 5 and 4", blockwise_attention, np.ones((5, 3)),
        np.ones((4, 3)), np.ones((4, 1)), causal=True),
    row(ValueError, r"a key or a sink for each query, got neither for query \(0,\)", blockwise_attention,
        np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 1))),
    row(ValueError, r"got neither for query \(1,\)", blockwise_attention, np.ones((2, 3)), np.ones((0, 3)),
        np.ones((0, 1)), sink=[0.0, -INF]),
    row(TypeError, "sink to be real", ATTEND, sink="a"),
    row(ValueError, r"sink to broadcast to the shape \(2,\), got \(3,\)", ATTEND, sink=np.zeros(3)),
    row(TypeError, "features to be a tensor of a floating type, got ndarray", chunked_cross_entropy,
        np.zeros((2, 3)), torch.zeros(5, 3), torch.tensor([0, 4])),
    row(TypeError, "weights to be a tensor of a floating type, got torch.int64", chunked_cross_entropy,
        torch.zeros(2, 3), torch.zeros(5, 3, dtype=torch.int64), torch.tensor([0, 4])),
    *[row(TypeError, "labels to be a tensor of torch.int64", chunked_cross_entropy, torch.zeros(2, 3),
          torch.zeros(5, 3), bad) for bad in ([0, 4], torch.tensor([0.0, 4.0]), torch.tensor([0, 4]).int())],
    *[row(ValueError, r"features, weights and labels of shapes \(B, d\), \(V, d\) and \(B,\)",
          chunked_cross_entropy, torch.zeros(*x), torch.zeros(*w), torch.zeros(*y, dtype=torch.int64))
      for x, w, y in (((2, 3), (5, 4), (2,)), ((2, 3), (5, 3), (3,)), ((1, 2, 3), (5, 3), (2,)),
                      ((0, 3), (5, 3), (0,)), ((2, 3), (5, 3), (2, 1)))],
    *[row(ValueError, f"labels from 0 to 4, got {low} to {high}", chunked_cross_entropy, torch.zeros(2, 3),
          torch.zeros(5, 3), torch.tensor([low, high])) for low, high in ((-100, 2), (0, 5))],
]


# --- Decoding ----------------------------------------------------------------------------------

def fair(prefixes):
    return np.log(np.full((len(prefixes), 2), 0.5))


def any_token(prefixes):
    return np.ones((len(prefixes), 2), bool)


ROOT = np.empty((1, 0), int)


def first_step(step, allowed, length, **options):
    """The first answer of `exact_step`."""
    return exact_step(step, allowed, length, **options)(ROOT)


DECODING = [
    *types({"logits": [truncate]}),
    row(TypeError, "expected logits to be real numbers", log_kept_mass, ["a"], [0.0]),
    row(TypeError, "expected truncated to be real numbers", log_kept_mass, [0.0], ["a"]),
    row(ValueError, r"shape \(\.\.\., V\) with V > 0, got shape \(\)", truncate, 1.0),
    row(ValueError, r"with V > 0, got shape \(2, 0\)", truncate, np.zeros((2, 0))),
    row(ValueError, "possible in each slice, got one of only -inf", truncate, [[0, 1], [-INF, -INF]]),
    row(ValueError, "below \\+inf, got inf", truncate, [0, INF]),
    row(ValueError, "temperature to be one positive number.*got 0", truncate, [0.0], temperature=0),
    row(ValueError, "top_k to be at least 1, got 0", truncate, [0.0], top_k=0),
    row(TypeError, "top_k to be an integer, got 2.0", truncate, [0.0], top_k=2.0),
    *[row(ValueError, rf"{name} to be in \(0, 1\], got {p}", truncate, [0.0], **{name: p})
      for name in ("top_p", "typical_p") for p in (0.0, 1.5)],
    *[row(ValueError, rf"{name} to be in \[0, 1\), got {p}", truncate, [0.0], **{name: p})
      for name in ("epsilon", "eta") for p in (-0.5, 1.0)],
    *[row(ValueError, rf"min_p to be in \[0, 1\], got {p}", truncate, [0.0], min_p=p) for p in (-0.5, 1.5)],
    *[row(ValueError, f"{name} to be one finite number", truncate, [0.0], **{name: NAN})
      for name in ("top_p", "min_p", "typical_p", "epsilon", "eta")],
    row(ValueError, r"same number of classes.*got shapes \(2,\) and \(3,\)", log_kept_mass, [0, 1], [0] * 3),
    row(ValueError, "shapes that fit", log_kept_mass, np.zeros((2, 3)), np.zeros((4, 3))),
    *[row(ValueError, "got one of only -inf", log_kept_mass, *two)
      for two in (([-INF, -INF], [0, 0]), ([0, 0], [-INF, -INF]))],
    row(ValueError, "length to be at least 0, got -1", enumerate_sequences, fair, -1),
    row(ValueError, "length to be at least 0, got -1", first_step, fair, any_token, -1),
    row(ValueError, "end to be at least 0, got -2", enumerate_sequences, fair, 2, end=-2),
    row(ValueError, "vocabulary to be at least 1, got 0", enumerate_sequences, fair, 2, vocabulary=0),
    row(ValueError, "expected answers for 3 tokens, got 2", enumerate_sequences, fair, 2, vocabulary=3),
    row(ValueError, "at most 1000000 prefixes", enumerate_sequences, fair, 25),
    row(ValueError, "at most 1000000 prefixes", first_step, fair, any_token, 25),
    *rows(ValueError, "exponentials add up to 4", [enumerate_sequences],
          lambda y: np.log(np.full((len(y), 2), 2.0)), 2),
    row(TypeError, "Booleans of allowed, got an array of type int64", first_step, fair,
        lambda y: np.ones((len(y), 2), int), 2),
    row(ValueError, r"allowed to answer with the shape \(1, 2\), got \(2,\)", first_step, fair,
        lambda y: np.ones(2, bool), 2),
    row(ValueError, "something allowed can be reached, got \\[\\]", first_step, fair,
        lambda y: np.zeros((len(y), 2), bool), 2),
    row(ValueError, "that aren't complete, t < 0", first_step, fair, any_token, 0),
    row(ValueError, "that aren't complete, t < 3", exact_step(fair, any_token, 3, end=0), [[1, 0]]),
]


# --- Speculative decoding -----------------------------------------------------------------------

TWO = [acceptance, residual, gumbel_agreement, maximal_coupling]
Z = np.zeros
STEP = named(speculative_step, Z((3, 4)), Z((2, 4)))

SPECULATIVE = [
    *[row(TypeError, f"expected (target|first) {says}", function, bad, [0.0, 1.0])
      for function in TWO for bad, says in (
          (["a", "b"], "to be real numbers"), ([1j, 2], "to be real numbers"), (MASKED, "without a mask"),
          (NEEDS_GRADIENT, "without a gradient"))],
    *rows(TypeError, "expected (draft|second) to be real numbers", TWO, [0.0, 1.0], ["a", "b"]),
    *rows(ValueError, r"expected (target|first) of shape \(..., V\), got a number", TWO, 0.0, [0.0]),
    *rows(ValueError, "one token or more on the last axis", TWO, [], []),
    *rows(ValueError, r"the same tokens on the last axis, got .* of shape \(1,\) and .* of shape \(3,\)", TWO,
          [0.0], [0.0, 1.0, 2.0]),
    *rows(ValueError, r"leading axes that fit, got \(2,\) of .* and \(3,\)", TWO, Z((2, 4)), Z((3, 4))),
    *rows(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", TWO, [0.0, 1.0],
          [[0.0, 1.0], [-INF, -INF]]),
    row(ValueError, r"target of shape \(..., tokens, V\), got \(4,\)", speculative_step, Z(4), Z((2, 4)),
        [0]),
    row(ValueError, r"draft of shape \(..., tokens, V\), got \(4,\)", speculative_step, Z((2, 4)), Z(4), [0]),
    *[row(ValueError, r"target of shape \(..., 3, 4\), one place more than the draft has, got",
          speculative_step, Z(shape), Z((2, 4)), [0, 0]) for shape in ((2, 4), (3, 5))],
    row(ValueError, r"drafted of shape \(..., 2\), got \(3,\)", STEP, [0, 1, 2]),
    row(ValueError, r"drafted of shape \(..., 2\), got \(\)", STEP, 0),
    row(TypeError, "drafted to be integers", STEP, [0.0, 1.0]),
    *[row(ValueError, "drafted from 0 to 3, got", STEP, [0, bad]) for bad in (-1, 4)],
    row(ValueError,
        r"leading axes that fit, got \(\) of target, \(\) of draft and \(2,\)|leading axes that fit",
        speculative_step, Z((3, 2, 4)), Z((2, 1, 4)), [[0]]),
    row(ValueError, r"tokens that the draft may draw, got 1 in drafted\[0\], of probability 0",
        speculative_step, Z((2, 2)), [[0.0, -INF]], [1]),
    row(ValueError, r"target without NaN, got nan in target\[1, 0\]", speculative_step,
        [[0.0, 0.0], [NAN, 0.0]],
        Z((1, 2)), [0]),
    row(ValueError, "draft without NaN", speculative_step, Z((2, 2)), [[0.0, NAN]], [0]),
    row(ValueError, "no distribution", speculative_step, [[0.0, 0.0], [-INF, -INF]], Z((1, 2)), [0]),
    row(TypeError, "rng to be None", STEP, [0, 1], rng="a"),
    row(TypeError, "rng to be None", shared_draws, Z((2, 3)), rng=1.5),
    row(ValueError, r"logits of shape \(..., m, V\), got \(3,\)", shared_draws, Z(3)),
    row(ValueError, "logits without NaN", shared_draws, [[0.0, NAN]]),
    row(ValueError, "no distribution", shared_draws, [[-INF, -INF]]),
    row(ValueError, "size not to be negative", shared_draws, Z((2, 3)), -1),
    row(TypeError, "size to be an integer", shared_draws, Z((2, 3)), 1.5),
    *[row(ValueError, "alpha from 0 to 1, got", tokens_per_call, [0.5, bad], 2) for bad in (-0.1, 1.1, NAN)],
    row(TypeError, "alpha to be real", tokens_per_call, ["a"], 2),
    row(TypeError, "gamma to be integers", tokens_per_call, 0.5, 2.0),
    row(ValueError, r"gamma not to be negative, got -1 in gamma", tokens_per_call, 0.5, -1),
    row(ValueError, "shapes that fit", tokens_per_call, [0.5, 0.5], [1, 2, 3]),
    *[row(ValueError, "rates from 0 to 1, got", tokens_of_rates, [0.5, bad]) for bad in (-0.1, 1.1, NAN)],
    row(ValueError, r"rates of shape \(..., gamma\), got a number", tokens_of_rates, 0.5),
    row(TypeError, "rates to be real", tokens_of_rates, ["a"]),
    row(ValueError, "window to be at most 3, got 4", context_table, 4),
    row(ValueError, "window to be at least 1, got 0", context_table, 0),
    row(TypeError, "n_tokens to be an integer", following, 2.0),
    row(ValueError, "gamma to be at least 1, got 0", long_run_rates, Z((2, 2)), Z((2, 2)), following(2, 1),
        0),
]


# --- Watermarks ----------------------------------------------------------------------------------

GREEN = [True, False]

WATERMARKS = [
    *types({"logits": [named(gumbel_mark, uniforms=[0.5]), expected_gumbel_score,
                       named(green_cost, green=[True], delta=1.0), named(tournament, bits=[[0]])],
            "uniforms": [gumbel_score], "scores": [gumbel_p_value]}),
    row(TypeError, "key to be an integer, got 1.5", keyed_uniforms, 1.5, [1], 2),
    row(ValueError, "key to be at least 0, got -1", keyed_uniforms, -1, [1], 2),
    row(TypeError, "each token of context to be an integer, got 1.0", keyed_uniforms, 1, [2, 1.0], 2),
    row(ValueError, "each token of context to be at least 0, got -3", keyed_uniforms, 1, [-3], 2),
    row(ValueError, "n to be at least 1, got 0", keyed_uniforms, 1, [1], 0),
    *[row(ValueError, f"uniforms from 0 to 1, got {bad}", gumbel_mark, [0.0, 1.0], [0.5, bad])
      for bad in (-0.1, 1.1, NAN)],
    *[row(ValueError, f"uniforms from 0 to 1, got {bad}", gumbel_score, [0.5, bad])
      for bad in (-0.1, 1.1, NAN)],
    *[row(ValueError, f"below \\+inf and without NaN, got {bad} in logits", gumbel_mark, [0.0, bad],
          [0.5, 0.5])
      for bad in (NAN, INF)],
    row(ValueError, "no distribution", gumbel_mark, [-INF, -INF], [0.5, 0.5]),
    row(ValueError, r"the same tokens on the last axis, got logits of shape \(2,\) "
        r"and uniforms of shape \(3,\)", gumbel_mark, [0.0, 1.0], [0.5] * 3),
    row(ValueError, "the same tokens on the last axis", gumbel_mark, [0.0], 0.5),
    row(ValueError, "shapes that fit", gumbel_mark, Z((2, 3)), Z((4, 3))),
    *[row(ValueError, r"expected logits of shape \(..., V\), got a number", *call) for call in (
        (gumbel_mark, 0.0, 0.5), (expected_gumbel_score, 0.0), (green_cost, 0.0, True, 1.0),
        (tournament, 0.0, [[0]]))],
    *[row(ValueError, "one token or more on the last axis", *call) for call in (
        (gumbel_mark, [], []), (expected_gumbel_score, []), (tournament, [], Z((1, 0))))],
    row(ValueError, r"scores not to be negative, got -1.0 in scores\[1\]", gumbel_p_value, [0.0, -1.0]),
    row(ValueError, "axis", gumbel_p_value, [0.0], axis=1),
    row(ValueError, "no distribution", expected_gumbel_score, [-INF, -INF]),
    row(TypeError, "green to be Booleans, got an array of type int64", green_cost, [0.0, 1.0], [0, 1], 1.0),
    row(TypeError, "delta to be real numbers", green_cost, [0.0, 1.0], GREEN, "a"),
    *[row(ValueError, "delta to be finite, got", green_cost, [0.0, 1.0], GREEN, bad) for bad in (INF, NAN)],
    row(ValueError, "logits without NaN", green_cost, [0.0, NAN], GREEN, 1.0),
    row(ValueError, "the same tokens on the last axis", green_cost, [0.0] * 3, GREEN, 1.0),
    row(ValueError, "shapes that fit", green_cost, Z((2, 2)), GREEN, [1.0] * 3),
    row(ValueError, r"bits of shape \(..., layers, V\), got \(2,\)", tournament, [0.0, 1.0], [0, 1]),
    *[row(ValueError, f"bits to be 0 or 1, got {bad}", tournament, [0.0, 1.0], [[0, bad]])
      for bad in (0.5, NAN)],
    row(ValueError, "the same tokens on the last axis", tournament, [0.0, 1.0], Z((1, 3))),
    row(ValueError, "shapes that fit", tournament, Z((2, 3)), Z((4, 1, 3))),
    row(ValueError, "logits without NaN", tournament, [0.0, NAN], [[0, 1]]),
]


# --- Preferences --------------------------------------------------------------------------------

OF_PRICE = [partial(tilt, beta=1.0), partial(regularised_value, beta=1.0)]
OF_DRAWS = [partial(best_of, n=2), partial(best_of_kl, n=2)]
LOGITS, TOKENS, ANSWER = torch.zeros(2, 3, 4), torch.zeros(2, 3, dtype=torch.int64), torch.ones(2, 3).bool()


def first_soft_step(step, reward, length, beta=1.0, **options):
    """The first answer of `soft_step`."""
    return soft_step(step, reward, length, beta, **options)(ROOT)


def no_reward(texts):
    return np.zeros(len(texts))


PREFERENCES = [
    *rows(TypeError, "logits to be real numbers", [*OF_PRICE, *OF_DRAWS], ["a", "b"], [0.0, 1.0]),
    *rows(TypeError, "rewards to be real numbers", [*OF_PRICE, *OF_DRAWS], [0.0, 1.0], ["a", "b"]),
    *rows(ValueError, r"logits of shape \(..., V\) with V > 0, got shape \(\)", [*OF_PRICE, *OF_DRAWS], 0.0,
          [0.0]),
    *rows(ValueError, r"rewards of shape \(..., V\) with V > 0, got shape \(0,\)", [*OF_PRICE, *OF_DRAWS],
          [0.0], []),
    *rows(ValueError, "a reward for each of 2 answers, got 3", [*OF_PRICE, *OF_DRAWS], [0, 1], [0, 1, 2]),
    *rows(ValueError, r"shapes that fit, got logits of \(2, 3\) and rewards of \(4, 3\)",
          [*OF_PRICE, *OF_DRAWS], np.zeros((2, 3)), np.zeros((4, 3))),
    *rows(ValueError, "no distribution: every logit", [*OF_PRICE, *OF_DRAWS], [-INF, -INF], [0, 1]),
    *rows(ValueError, r"rewards below inf, got inf in rewards\[1\]", OF_PRICE, [0, 0], [0, INF]),
    *rows(ValueError, "rewards above -inf for a possible answer of each slice, got -inf in rewards", OF_PRICE,
          [0, -INF], [-INF, 1]),
    *[row(ValueError, f"beta to be positive, got {bad} in beta", function, [0.0], [0.0], bad)
      for function in (tilt, regularised_value) for bad in (0.0, -1.0, NAN)],
    row(TypeError, "beta to be real", tilt, [0.0], [0.0], "a"),
    row(ValueError, r"leading axes that fit, got \(2,\) of the answers and \(3,\) of beta", tilt,
        np.zeros((2, 2)), [0, 1], np.ones(3)),
    *rows(ValueError, r"rewards without NaN, got nan in rewards\[0\]", OF_DRAWS, [0, 0], [NAN, 1]),
    *counts([("n", 1, [partial(best_of, [0.0], [0.0]), partial(best_of_kl, [0.0], [0.0])])]),
    row(ValueError, r"n to be at least 1, got 0 in n\[1\]", best_of_bound, [1, 0]),
    row(TypeError, "n to be integers", best_of_bound, 1.5),
    row(TypeError, "wins to be real", bradley_terry, [["a"]]),
    *[row(ValueError, r"wins of shape \(n, n\), got", bradley_terry, np.zeros(shape))
      for shape in ((), (2,), (2, 3), (0, 0), (2, 2, 2))],
    *[row(ValueError, f"wins to be finite and not negative, got {bad} in wins", bradley_terry,
          [[0, bad], [1, 0]]) for bad in (-1.0, INF, NAN)],
    *[row(ValueError, "tolerance to be one positive, finite number", bradley_terry, [[0, 1], [1, 0]],
          tolerance=bad) for bad in (0, -1.0, NAN)],
    *[row(ValueError, "beta to be one positive, finite number", dpo_loss, 0, 0, 0, 0, beta=bad)
      for bad in (0, -1.0, INF, NAN, [1.0], "a")],
    row(ValueError, "kind to be .*'dpo'.*'ipo'.*got 'hinge'", dpo_loss, 0, 0, 0, 0, kind="hinge"),
    *[row(ValueError, r"smoothing to be in \[0, 0.5\), got", dpo_loss, 0, 0, 0, 0, smoothing=bad)
      for bad in (-0.1, 0.5)],
    row(ValueError, "no smoothing with kind 'ipo', got 0.1", dpo_loss, 0, 0, 0, 0, kind="ipo", smoothing=0.1),
    row(TypeError, "rejected to be real", dpo_loss, 0.0, "a", 0.0, 0.0),
    row(ValueError, "shapes that fit, got", dpo_loss, np.zeros(2), np.zeros(3), 0, 0),
    row(ValueError, "shapes that fit, got", dpo_loss, torch.zeros(2), torch.zeros(3), 0.0, 0.0),
    row(TypeError, "chosen to be a tensor of a floating type, got torch.int64", dpo_loss,
        torch.zeros(2, dtype=torch.int64), torch.zeros(2), torch.zeros(2), torch.zeros(2)),
    *[row(TypeError, f"{name} to be a tensor of {what}, got {got}", answer_log_prob,
          *(bad if at == name else right for at, right in (
              ("logits", LOGITS), ("tokens", TOKENS), ("answer", ANSWER))))
      for name, what, got, bad in (
          ("logits", "a floating type", "ndarray", np.zeros((2, 3, 4))),
          ("logits", "a floating type", "torch.int64", LOGITS.long()),
          ("tokens", "integers", "torch.float32", TOKENS.float()),
          ("tokens", "integers", "torch.bool", TOKENS.bool()), ("tokens", "integers", "list", [[0]]),
          ("answer", "bool", "torch.int64", ANSWER.long()))],
    *[row(ValueError, r"logits, tokens and answer of shapes \(B, T, V\), \(B, T\) and \(B, T\), got",
          answer_log_prob, *wrong) for wrong in (
              (LOGITS[0], TOKENS, ANSWER), (LOGITS, TOKENS[:, :2], ANSWER), (LOGITS, TOKENS, ANSWER[:1]))],
    *[row(ValueError, f"tokens of answers from 0 to 3, got {bad} to {bad}", answer_log_prob, LOGITS,
          torch.full_like(TOKENS, bad), ANSWER) for bad in (-100, 4)],
    row(ValueError, "length to be at least 0, got -1", soft_step, fair, no_reward, -1, 1.0),
    row(ValueError, "end to be at least 0, got -2", soft_step, fair, no_reward, 2, 1.0, end=-2),
    *[row(ValueError, "beta to be one positive, finite number", soft_step, fair, no_reward, 2, bad)
      for bad in (0.0, INF, NAN)],
    row(ValueError, "at most 1000000 prefixes", first_soft_step, fair, no_reward, 25),
    row(ValueError, r"reward to answer with the shape \(4,\), got \(4, 1\)", first_soft_step, fair,
        lambda y: np.zeros((len(y), 1)), 2),
    *[row(ValueError, f"answers of reward below inf and without NaN, got {bad}", first_soft_step, fair,
          lambda y, bad=bad: np.full(len(y), bad), 2) for bad in (INF, NAN)],
    row(ValueError, r"a reward above -inf can be reached, got \[\]", first_soft_step, fair,
        lambda y: np.full(len(y), -INF), 2),
    row(ValueError, "that aren't complete, t < 0", first_soft_step, fair, no_reward, 0),
    row(ValueError, "that aren't complete, t < 3", soft_step(fair, no_reward, 3, 1.0, end=0), [[1, 0]]),
]


@pytest.mark.parametrize("refusal", [*ATTENTION, *BLOCKS, *DECODING, *SPECULATIVE, *WATERMARKS, *PREFERENCES])
def test_what_is_refused(refusal):
    refusal.check()
