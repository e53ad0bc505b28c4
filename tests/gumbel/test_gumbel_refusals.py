"""What the functions on Gumbel noise, draws and searches refuse."""

from functools import partial

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.experiments.gumbel.beam_search import (
    CharacterModel,
    expected_totals,
    fit_characters,
    tokens_of,
)
from softmaxnotes.gumbel import (
    beam_search,
    concrete_log_prob,
    condition_on_maximum,
    condition_on_maximum_gap,
    draw_jacobians,
    gumbel,
    gumbel_cdf,
    gumbel_icdf,
    gumbel_log_prob,
    gumbel_max,
    gumbel_rao,
    gumbel_softmax,
    gumbel_top_k,
    gumbel_top_k_with_keys,
    hidden_markov_step,
    importance_weights,
    inclusion_weights,
    log_prob_ordered,
    log_prob_set,
    merge_top_k,
    mixture_step,
    reinmax,
    relaxed_gradient_noise,
    relaxed_mean,
    sample_categorical,
    sample_sequences,
    sample_without_replacement,
    sample_without_replacement_with_keys,
    step_of_causal_lm,
    stochastic_beam_search,
    three_ways,
    truncated_gumbel,
    truncated_gumbel_cdf,
    truncated_gumbel_gap,
    truncated_gumbel_icdf,
    truncated_gumbel_icdf_gap,
    unordered_set_weights,
)

INF, NAN = np.inf, np.nan
MASKED = np.ma.array([1.0, 2.0], mask=[0, 1])
NEEDS_GRADIENT = torch.zeros(2, requires_grad=True)


def named(function, *arguments, **options):
    """Some arguments are given already."""
    found = partial(function, *arguments, **options)
    found.__name__ = function.__name__
    return found


# --- Laws of which the argument comes first -----------------------------------------------------

LAWS = [gumbel_log_prob, gumbel_cdf, gumbel_icdf]
QUANTILES = [gumbel_icdf, named(truncated_gumbel_icdf, maximum=0.0),
             named(truncated_gumbel_icdf_gap, maximum=0.0)]
TRUNCATED = [truncated_gumbel_cdf, truncated_gumbel_icdf, truncated_gumbel_icdf_gap]
DISTRIBUTION = [
    *rows(TypeError, "expected x to be real numbers, got an array of type complex128", LAWS[:2], 1j),
    *rows(TypeError, "expected u to be real numbers, got an array of type complex128", QUANTILES, 1j),
    row(TypeError, "expected x to be real", truncated_gumbel_cdf, "a", 0.0),
    *rows(TypeError, "expected loc to be real", LAWS, 0.5, loc="a"),
    *rows(TypeError, "expected scale to be real", LAWS, 0.5, scale=[None]),
    *rows(TypeError, "without a gradient", LAWS, NEEDS_GRADIENT),
    *rows(TypeError, "expected maximum without a gradient", TRUNCATED, 0.5, NEEDS_GRADIENT),
    *rows(TypeError, "expected loc to be real", TRUNCATED, 0.5, 0.0, loc=[1j]),
    *[case for bad in (NAN, INF, -INF) for case in rows(
        ValueError, rf"expected loc to be finite, got {bad} in loc\[1\]", LAWS, 0.5, loc=[0.0, bad])],
    *rows(ValueError, "expected loc to be finite, got inf in loc", TRUNCATED, 0.5, 0.0, loc=INF),
    *[case for bad in (NAN, INF, 0.0, -1.0) for case in rows(
        ValueError, rf"positive and finite, got {bad} in scale\[1\]", LAWS, 0.5, scale=[1.0, bad])],
    *[case for bad in (-1e-300, 1.0000001, -INF, INF)
      for case in rows(ValueError, rf"u from 0 to 1, got {bad} in u\[1\]", QUANTILES, [0.5, bad])],
    *[case for bad in (NAN, -INF)
      for case in rows(ValueError, f"maximum above -inf, got {bad} in maximum", TRUNCATED, 0.5, bad)],
    *rows(ValueError, r"shapes that fit, got .* of shape \(2,\) and loc of shape \(3,\)", LAWS,
          np.full(2, 0.5),
          loc=np.zeros(3)),
    *rows(ValueError, r"shapes that fit, got .* and maximum of shape \(3,\)", TRUNCATED, np.full(2, 0.5),
          np.zeros(3)),
]

# --- Noise --------------------------------------------------------------------------------------

FRESH = [truncated_gumbel, truncated_gumbel_gap]
NOISE = [
    row(TypeError, "expected loc to be real", gumbel, loc=1j),
    row(TypeError, "expected scale to be real", gumbel, scale="a"),
    *[row(TypeError, "expected size to be an integer or a tuple of integers", gumbel, bad)
      for bad in (2.0, "a", (2, 1.5))],
    row(ValueError, r"expected size not to be negative, got \(2, -1\)", gumbel, (2, -1)),
    row(ValueError, r"expected loc to broadcast to the shape \(1,\), got \(3,\)", gumbel, 1, loc=np.zeros(3)),
    row(ValueError, r"expected scale to broadcast to the shape \(2,\), got \(3,\)", gumbel, 2,
        scale=np.ones(3)),
    row(ValueError, "shapes that fit, got loc", gumbel, loc=np.zeros(2), scale=np.ones(3)),
    row(ValueError, r"expected loc without NaN, got nan in loc\[1\]", gumbel, loc=[0.0, NAN]),
    *[row(ValueError, f"scale to be positive and finite, got {bad} in scale", gumbel, scale=bad)
      for bad in (0.0, -1.0, NAN, INF)],
    *rows(TypeError, "expected logits to be real", FRESH, 1j, 0.0),
    *rows(TypeError, "expected maximum to be real", FRESH, 0.0, "a"),
    *[case for bad in (NAN, INF)
      for case in rows(ValueError, rf"logits below inf, got {bad} in logits\[1\]", FRESH, [0.0, bad], 0.0)],
    *rows(ValueError, "maximum without NaN, got nan in maximum", FRESH, 0.0, NAN),
    *rows(ValueError, r"shapes that fit, got logits of shape \(2,\) and maximum of shape \(3,\)", FRESH,
          np.zeros(2), np.zeros(3)),
    *[case for bad in ("a", 1.5, True)
      for case in rows(TypeError, "expected rng to be None, an integer or a numpy.random.Generator, got",
                       [gumbel, named(gumbel_max, [0.0, 1.0]), named(sample_categorical, [0.0, 1.0]),
                        named(gumbel_top_k, [0.0, 1.0], 1), named(sample_without_replacement, [0.0, 1.0], 1),
                        named(gumbel_softmax, [0.0, 1.0]), named(truncated_gumbel, 0.0, 0.0),
                        named(truncated_gumbel_gap, 0.0, 0.0)], rng=bad)],
]

# --- Sets that are moved ------------------------------------------------------------------------

MOVES = [condition_on_maximum, condition_on_maximum_gap]
MOVED = [
    *rows(TypeError, "expected gumbels to be real", MOVES, [1j], 0.0),
    *rows(TypeError, "expected maximum to be real", MOVES, [0.0], "a"),
    *rows(TypeError, "axis to be an integer, got 0.5", MOVES, [0.0], 0.0, axis=0.5),
    *rows(np.exceptions.AxisError, "an array with axes", MOVES, 0.0, 0.0),
    *[case for bad in (NAN, INF) for case in rows(
        ValueError, rf"gumbels below inf, got {bad} in slice \(1,\)", MOVES, [[0.0, 0.0], [1.0, bad]], 0.0)],
    *rows(ValueError, r"the maximum -inf of a set of nothing but -inf, got 0.0 for slice \(1,\)", MOVES,
          [[0.0, 0.0], [-INF, -INF]], 0.0),
    *rows(ValueError, r"got 0.0 for slice \(\)", MOVES, [-INF], 0.0),
    *rows(ValueError, "maximum without NaN", MOVES, [0.0], NAN),
    *rows(ValueError, "no variables in a set: axis 1 has length 0", MOVES, np.zeros((2, 0)), 0.0),
    *rows(ValueError, r"maximum to broadcast to the shape \(2,\), got \(4,\)", MOVES, np.zeros((2, 3)),
          np.zeros(4)),
    *rows(ValueError, r"maximum to broadcast to the shape \(\), got \(2,\)", MOVES, np.zeros(3), np.zeros(2)),
]

# --- One category for each slice ----------------------------------------------------------------

BY_GUMBEL_MAX = named(sample_categorical, method="gumbel_max")
SAMPLERS = [gumbel_max, sample_categorical, BY_GUMBEL_MAX]
MANY = np.append(np.zeros((70_000, 2)), [[-INF, -INF]], axis=0)


def wide(k, change, value):
    x = np.zeros((2, 3, k))
    x[change] = value
    return x


CATEGORICAL = [
    *[case for bad in ([1j, 2], ["a"], [None])
      for case in rows(TypeError, "expected logits to be real numbers, got an array of type", SAMPLERS, bad)],
    *rows(TypeError, "expected logits without a mask", SAMPLERS, MASKED),
    *rows(TypeError, "expected logits without a gradient", SAMPLERS, NEEDS_GRADIENT),
    *[case for bad in (None, (0,), 0.0, True)
      for case in rows(TypeError, "axis to be an integer", SAMPLERS, [1.0], axis=bad)],
    *rows(np.exceptions.AxisError, "an array with axes", SAMPLERS, 3.0),
    *rows(np.exceptions.AxisError, "axis to be from -1 to 0, got axis 1", SAMPLERS, [1.0], axis=1),
    *[case for shape in [(0,), (3, 0), (0, 0)]
      for case in rows(ValueError, "no categories to draw from", SAMPLERS, np.zeros(shape))],
    *[case for k in (4, 300) for case in (
        *rows(ValueError, r"no distribution: every logit of slice \(1, 2\) is -inf", SAMPLERS,
              wide(k, (1, 2), -INF)),
        *rows(ValueError, r"no distribution: a logit of slice \(1, 1\) is NaN", SAMPLERS,
              wide(k, (1, 1, 3), NAN)))],
    *rows(ValueError, r"slice \(\) is NaN", SAMPLERS, [NAN, INF, -INF]),
    *rows(ValueError, r"slice \(70000,\)", SAMPLERS, MANY),
    *[case for bad in (2.0, "a", [1.5])
      for case in rows(TypeError, "size to be an integer", SAMPLERS[1:], [0.0, 1.0], bad)],
    *rows(ValueError, "size not to be negative", SAMPLERS[1:], [0.0, 1.0], -1),
    *rows(ValueError, "is NaN", SAMPLERS[1:], [NAN], 0),
    row(ValueError, "method to be 'auto', 'inverse_cdf' or 'gumbel_max', got 'alias'", sample_categorical,
        [0.0],
        method="alias"),
]

# --- Draws without replacement, and their probabilities -----------------------------------------

DRAWS = [gumbel_top_k, gumbel_top_k_with_keys,
         *(named(f, method=method) for f in (sample_without_replacement, sample_without_replacement_with_keys)
           for method in ("race", "inverse_cdf"))]
SHORT = wide(50, (1, 2, slice(4, None)), -INF)
LONG = np.where(np.isin(np.arange(150_000), [7, 149_999]), 0.0, -INF)
TOP_K = [
    *[case for bad in ([1j, 2], ["a"])
      for case in rows(TypeError, "expected logits to be real", DRAWS, bad, 1)],
    *rows(TypeError, "expected logits without a mask", DRAWS, MASKED, 1),
    *[case for bad in (1.0, None, "a", True)
      for case in rows(TypeError, "expected k to be an integer", DRAWS, [0.0, 1.0], bad)],
    *rows(TypeError, "axis to be an integer, got None", DRAWS, [0.0, 1.0], 1, axis=None),
    *rows(np.exceptions.AxisError, "an array with axes", DRAWS, 3.0, 1),
    *rows(ValueError, "expected k to be at least 0, got -1", DRAWS, [0.0, 1.0], -1),
    *rows(ValueError, "k to be at most the number of items, 50, got 51", DRAWS, SHORT, 51),
    *rows(ValueError, r"items that are not masked, 4 in slice \(1, 2\), got 5", DRAWS, SHORT, 5),
    *rows(ValueError, r"items that are not masked, 2 in slice \(\), got 3", DRAWS, LONG, 3),
    *[case for bad in (NAN, INF)
      for case in rows(ValueError, rf"logits below inf, got {bad} in slice \(0, 1\)", DRAWS,
                       wide(50, (0, 1, 7), bad), 0)],
    *rows(TypeError, "size to be an integer", DRAWS[2:], [0.0, 1.0], 1, 2.0),
    *rows(ValueError, "size not to be negative", DRAWS[2:], [0.0, 1.0], 1, -2),
    *rows(ValueError, "method to be 'auto', 'race' or 'inverse_cdf', got 'sort'",
          [sample_without_replacement, sample_without_replacement_with_keys], [0.0], 1, method="sort"),
    row(ValueError, "no parts to merge", merge_top_k, [], 1),
    row(TypeError, "expected indices to be integers, got an array of type float64", merge_top_k,
        [([0.5], [1.0])], 2),
    row(TypeError, "expected keys to be real", merge_top_k, [([1], ["a"])], 1),
    row(ValueError, r"indices and keys of one shape \(..., m\), got \(2,\) and \(1,\)", merge_top_k,
        [([1, 2], [0.0])], 1),
    row(ValueError, "indices and keys of one shape", merge_top_k, [(1, 0.0)], 1),
    row(ValueError, r"keys without NaN, got nan in keys\[1\]", merge_top_k, [([1, 2], [0.0, NAN])], 1),
    row(ValueError, "k to be at least 0, got -1", merge_top_k, [([1], [0.0])], -1),
]

WITH_THRESHOLD = named(inclusion_weights, threshold=0.0)
OF_SETS = [log_prob_set, unordered_set_weights]
OF_CHOSEN = [log_prob_ordered, *OF_SETS, WITH_THRESHOLD]
CHOSEN = [
    *rows(TypeError, "expected logits to be real", OF_CHOSEN, ["a", "b"], [0]),
    *rows(TypeError, "expected logits without a gradient", OF_CHOSEN, NEEDS_GRADIENT, [0]),
    *[case for bad in ([0.0], ["a"], [True])
      for case in rows(TypeError, "expected indices to be integers", OF_CHOSEN, np.zeros(4), bad)],
    *rows(TypeError, "axis to be an integer", OF_CHOSEN, np.zeros(4), [0], axis=None),
    *rows(np.exceptions.AxisError, "an array with axes", OF_CHOSEN, np.zeros(4), 2),
    *rows(np.exceptions.AxisError, "an array with axes", OF_CHOSEN, 1.0, [0]),
    *rows(ValueError, "indices that differ, got 0 twice", OF_CHOSEN, np.zeros(4), [0, 1, 2, 3, 0]),
    *[case for bad in (4, -1)
      for case in rows(ValueError, f"indices from 0 to 3, got {bad} to {bad}", OF_CHOSEN, np.zeros(4),
                       [bad])],
    *rows(ValueError, r"logits below inf, got nan in slice \(1,\)", OF_CHOSEN, [[0.0, 1.0], [NAN, 1.0]], [0]),
    *rows(ValueError, r"logits below inf, got inf in slice \(\)", OF_CHOSEN, [0.0, INF], [0]),
    *rows(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", OF_CHOSEN,
          [[0.0, 1.0], [-INF, -INF]], [0]),
    *rows(ValueError, r"logits and indices of one batch, got the shapes \(2, 4\) and \(3, 1\)", OF_CHOSEN,
          np.zeros((2, 4)), np.zeros((3, 1), int)),
    *rows(ValueError, "at most 24 items in a set, got 25", OF_SETS, np.zeros(30), range(25)),
    row(ValueError, "no set that can be drawn", unordered_set_weights, [0.0, -INF, 1.0], [0, 1]),
    row(TypeError, "expected threshold to be real", inclusion_weights, [0.0], [0], "a"),
    *[row(ValueError, f"threshold below inf, got {bad} in threshold", inclusion_weights, [0.0], [0], bad)
      for bad in (NAN, INF)],
    row(ValueError, r"got batch of shape \(2,\) and threshold of shape \(3,\)", inclusion_weights,
        np.zeros((2, 4)), [0], np.zeros(3)),
]

# --- Relaxed draws ------------------------------------------------------------------------------

ONE_HOT = [reinmax, gumbel_rao]
OF_ITSELF = [lambda x, **options: concrete_log_prob(x, x, **options)]
OF_ITSELF[0].__name__ = "concrete_log_prob"
ARRAYS = [gumbel_softmax, *OF_ITSELF, relaxed_mean, named(draw_jacobians, method="reinmax")]
TENSORS = [gumbel_softmax, *OF_ITSELF, *ONE_HOT]
WARM = [named(gumbel_softmax, [0.0, 1.0]), named(gumbel_softmax, torch.zeros(2)),
        named(relaxed_mean, [0.0, 1.0]), named(concrete_log_prob, np.log([0.5, 0.5]), [0.0, 1.0]),
        named(gumbel_rao, torch.zeros(2)),
        named(relaxed_gradient_noise, np.ones_like, 0.0), named(step_of_causal_lm, None, torch.tensor([1])),
        CharacterModel(window=1, hidden=1).table]
P = np.log([0.5, 0.3, 0.2])
POINTS = [([NAN, 0.0], "from 0 to 1, got NaN or a positive"), ([0.5, -1.0], "or a positive logarithm"),
          ([-1.0, -1.0], "add up to 1"), ([-1e4, -1e4], "add up to 1"), ([0.0, -INF], "underflowed")]
RELAXED = [
    *[case for bad, says in (([0.0, NAN], r"finite, or -inf for a masked category, got nan in slice \(\)"),
                             ([0.0, INF], r"masked category, got inf in slice \(\)"),
                             ([-INF, -INF], r"no distribution: every logit of slice \(\) is -inf"),
                             ([], "no categories to draw from: axis 0 has length 0"))
      for case in (*rows(ValueError, says, ARRAYS, np.array(bad)),
                   *rows(ValueError, says, TENSORS, torch.tensor(bad)))],
    *[row(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", gumbel_softmax, kind(x))
      for kind in (np.array, torch.tensor) for x in ([[0.0, 0.0], [-INF, -INF]],)],
    *rows(np.exceptions.AxisError, "an array with axes", [gumbel_softmax, *OF_ITSELF], 1.0),
    *rows(np.exceptions.AxisError, "an array with axes", TENSORS, torch.tensor(1.0)),
    *rows(np.exceptions.AxisError, "axis to be from -1 to 0, got axis 1", [gumbel_softmax, *OF_ITSELF], P,
          axis=1),
    *rows(TypeError, "axis to be an integer, got 0.5", [gumbel_softmax, *OF_ITSELF], P, axis=0.5),
    *rows(TypeError, "to be real numbers, got an array of type", ARRAYS, [0j, 1.0]),
    *rows(TypeError, "to be real numbers, got a tensor of type", TENSORS,
          torch.zeros(2, dtype=torch.complex64)),
    *rows(TypeError, "logits without a gradient, got a tensor that needs one", ARRAYS[2:], NEEDS_GRADIENT),
    *rows(TypeError, "expected logits to be a tensor of torch, got list", ONE_HOT, [0.0, 1.0]),
    *[case for bad in (0, -1, INF, NAN, "warm", [1.0, 2.0])
      for case in rows(ValueError, "expected temperature to be one positive number, finite in float64, got",
                       WARM, temperature=bad)],
    row(ValueError, "one of hard and log, got both", gumbel_softmax, [0.0, 1.0], hard=True, log=True),
    row(TypeError, "expected generator= with logits that are a tensor, got rng=", gumbel_softmax,
        torch.zeros(2), rng=0),
    row(TypeError, "expected rng= with logits that are an array, got generator=", gumbel_softmax, [0.0, 1.0],
        generator=0),
    *rows(TypeError, "generator to be None, an integer or a torch.Generator, got str",
          [gumbel_softmax, *ONE_HOT], torch.zeros(2), generator="a"),
    *[row(ValueError, says, concrete_log_prob, kind(bad), kind([0.0, 0.0]))
      for bad, says in POINTS for kind in (np.array, torch.tensor)],
    *[row(ValueError, r"shapes that fit, got log_x of shape .*3.* and logits of shape .*4", concrete_log_prob,
          kind(P), kind(np.zeros(4))) for kind in (np.array, torch.tensor)],
    *rows(ValueError, r"logits of shape \(K,\), got \(1, 2\)", ARRAYS[2:], [[0.0, 1.0]]),
    *[row(error, "n_conditional to be", gumbel_rao, torch.zeros(2), n_conditional=n)
      for n, error in ((0, ValueError), (1.5, TypeError), (True, TypeError))],
    row(ValueError, "method to be 'straight-through' or 'reinmax', got 'heun'", draw_jacobians, [0.0, 1.0],
        method="heun"),
    row(ValueError, "method to be 'relaxed', 'straight-through' or 'gumbel-rao', got 'hard'",
        relaxed_gradient_noise, np.ones_like, 0.0, method="hard"),
    *[row(ValueError, "logit to be one finite number, got", relaxed_gradient_noise, np.ones_like, bad)
      for bad in (NAN, INF, [0.0, 1.0], "a")],
    *[row(ValueError, "temperature from 1e-3 to 1e3, got", relaxed_gradient_noise, np.ones_like, 0.0,
          temperature=bad) for bad in (1e-4, 1e4)],
    *[row(ValueError, "finite slopes, got", relaxed_gradient_noise, bad, 0.0)
      for bad in (lambda x: x[:-1], lambda x: x + INF)],
]

# --- Clusters -------------------------------------------------------------------------------------

Z, TWO = np.zeros, np.zeros((2, 1))
OTHERS = [
    row(TypeError, "expected points to be real", mixture_step, [["a"]], TWO, 1),
    row(TypeError, "expected centres to be real", mixture_step, TWO, [[1j]], 1),
    row(TypeError, "expected weights to be real", mixture_step, TWO, TWO, 1, weights=["a", "b"]),
    row(ValueError, r"points of shape \(N, D\) .* got \(3,\) and \(2, 1\)", mixture_step, Z(3), TWO, 1),
    row(ValueError, "points of shape", mixture_step, Z((3, 2)), TWO, 1),
    row(ValueError, "points of shape", mixture_step, Z((0, 2)), Z((2, 2)), 1),
    row(ValueError, r"finite numbers, got nan in points\[2, 0\]", mixture_step, [[0.0], [0.0], [NAN]], TWO,
        1),
    row(ValueError, r"finite numbers, got inf in centres\[0, 0\]", mixture_step, TWO, [[INF]], 1),
    *[row(ValueError, "expected variance to be one finite number, got", mixture_step, TWO, TWO, bad)
      for bad in (NAN, INF, [1.0, 2.0])],
    row(ValueError, "expected a variance that is not negative, got -1.0", mixture_step, TWO, TWO, -1),
    *[row(ValueError, "2 weights that are not negative, got", mixture_step, TWO, TWO, 1, weights=bad)
      for bad in ([1.0], [1.0, -1.0], [0.0, 0.0], [NAN, 1.0])],
]

# --- Searches and models ------------------------------------------------------------------------

SEARCHES = [stochastic_beam_search, beam_search, sample_sequences]
MODEL = dict(initial=[0.8, 0.2], transition=[[0.9, 0.1], [0.2, 0.8]], emission=[[0.7, 0.3], [0.1, 0.9]])
SURE = hidden_markov_step([1, 0], [[0.5, 0.5], [0, 1]], [[1, 0], [0, 1]])


def uniform(prefixes):
    return np.full((len(prefixes), 2), -np.log(2))


SEQUENCES = [
    *[case for answer, says in (
        (lambda y: np.full((len(y), 2), NAN), "add up to nan after the prefix"),
        (lambda y: Z((len(y), 2)), "add up to 2 after the prefix"),
        (lambda y: np.full((len(y), 2), -INF), "add up to 0 after"),
        (lambda y: np.tile([INF, 0], (len(y), 1)), "add up to inf after"),
        (lambda y: np.full((len(y), 2), 0.5),
         "log-probabilities, got an answer whose exponentials add up to"),
        (lambda y: Z(len(y)), r"log-probabilities of shape \(1, V\) .* got an answer of shape \(1,\)"),
        (lambda y: Z((len(y) + 1, 1)), r"got an answer of shape \(2, 1\)"),
        (lambda y: Z((len(y), 0)), r"got an answer of shape \(1, 0\)"))
      for case in rows(ValueError, says, SEARCHES, answer, 2, 3)],
    *rows(TypeError, "answers of the model to be real", SEARCHES, lambda y: np.full((len(y), 1), "0"), 1, 2),
    *rows(TypeError, "expected k to be an integer, got 1.0", SEARCHES[:2], uniform, 1.0, 2),
    *rows(ValueError, "expected k to be at least 0, got -1", SEARCHES[:2], uniform, -1, 2),
    row(TypeError, "expected n_sequences to be an integer, got 1.0", sample_sequences, uniform, 1.0, 2),
    row(ValueError, "expected n_sequences to be at least 0, got -1", sample_sequences, uniform, -1, 2),
    *rows(TypeError, "expected length to be an integer, got 2.0", [*SEARCHES, three_ways], uniform, 1, 2.0),
    *rows(ValueError, "expected length to be at least 0, got -2", [*SEARCHES, three_ways], uniform, 1, -2),
    *rows(ValueError, "expected end to be one of 2 tokens, from 0, got 2", [*SEARCHES, three_ways], uniform,
          1, 2,
          end=2),
    *rows(TypeError, "expected end to be an integer", SEARCHES, uniform, 1, 2, end=0.0),
    *rows(ValueError, "expected end to be at least 0", SEARCHES, uniform, 1, 2, end=-1),
    *rows(TypeError, "expected rng to be None", [stochastic_beam_search, sample_sequences, three_ways],
          uniform, 1,
          2, rng="a"),
    row(ValueError, "expected k to be at least 1, got 0", three_ways, uniform, 0, 3),
    row(TypeError, "expected log_probs to be real", importance_weights, ["a"], 0.0),
    row(TypeError, "expected threshold to be real", importance_weights, [-1.0], "a"),
    *[row(ValueError, rf"log_probs finite and not above 0, got {bad} in log_probs\[1\]", importance_weights,
          [-1.0, bad], 0) for bad in (0.1, -INF, NAN)],
    *[row(ValueError, f"threshold below inf, got {bad} in threshold", importance_weights, [-1.0], bad)
      for bad in (NAN, INF)],
    row(ValueError, r"threshold to broadcast to the shape \(\), got \(2,\)", importance_weights, [-1.0],
        [0, 0]),
    row(np.exceptions.AxisError, "an array with axes", importance_weights, -1.0, 0.0),
    row(TypeError, "expected initial to be real", hidden_markov_step, ["a"], [[1.0]], [[1.0]]),
    *[row(ValueError, r"shapes \(S,\), \(S, S\) and \(S, V\), got", hidden_markov_step, **{**MODEL, **change})
      for change in ({"transition": [[1, 0]]}, {"emission": [[1, 0]]}, {"initial": [1]})],
    *[row(ValueError, "expected initial of probabilities that add up to one, got", hidden_markov_step,
          **{**MODEL, "initial": bad}) for bad in ([0.8, 0.3], [1.5, -0.5])],
    row(ValueError, "expected emission of probabilities", hidden_markov_step,
        **{**MODEL, "emission": [[1], [2]]}),
    row(ValueError, r"prefixes that have a probability, got \[0, 1, 0\]", SURE,
        np.array([[0, 1, 1], [0, 1, 0]])),
    *[row(ValueError, r"a prompt of shape \(t,\) or \(1, t\) with t > 0, got", step_of_causal_lm, None, bad)
      for bad in (torch.zeros(1, 0, dtype=int), torch.zeros(2, 2, dtype=int))],
]

# --- Experiments --------------------------------------------------------------------------------

EXPERIMENTS = [
    row(ValueError, "letters that PEP 20 has, and spaces, got 'Z'", tokens_of, "Zen"),
    row(ValueError, "letters that PEP 20 has", fit_characters, ["a", "Z"]),
    *[row(error, "expected window to be", CharacterModel, window=bad)
      for bad, error in ((0, ValueError), (1.5, TypeError))],
    row(ValueError, "expected hidden to be at least 1, got 0", CharacterModel, hidden=0),
    *rows(TypeError, "generator to be None, an integer or a torch.Generator", [CharacterModel,
          named(fit_characters, ["a"])], generator="a"),
    row(ValueError, "expected length to be at least 0, got -1", expected_totals, Z((2, 2)), -1, [1]),
    row(TypeError, "expected length to be an integer", expected_totals, Z((2, 2)), 1.5, [1]),
    row(TypeError, "expected table to be real", expected_totals, [["a"]], 1, [1]),
    *[row(ValueError, "a table of shape .* got", expected_totals, Z(shape), 1, [1])
      for shape in [(2, 3), (2,)]],
]


@pytest.mark.parametrize("refusal", [*DISTRIBUTION, *NOISE, *MOVED, *CATEGORICAL, *TOP_K, *CHOSEN, *RELAXED,
                                     *OTHERS, *SEQUENCES, *EXPERIMENTS])
def test_what_is_refused(refusal):
    refusal.check()
