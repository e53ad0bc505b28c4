"""What `softmaxnotes.language` refuses."""

from functools import partial

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.experiments.language.speculative import (
    context_table,
    following,
    long_run_rates,
)
from softmaxnotes.language import (
    acceptance,
    gumbel_agreement,
    maximal_coupling,
    residual,
    shared_draws,
    speculative_step,
    tokens_of_rates,
    tokens_per_call,
)

INF, NAN = np.inf, np.nan
MASKED = np.ma.array([1.0, 2.0], mask=[0, 1])
NEEDS_GRADIENT = torch.zeros(2, requires_grad=True)


def named(function, *arguments, **options):
    """Some arguments are given already."""
    found = partial(function, *arguments, **options)
    found.__name__ = function.__name__
    return found


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
    row(ValueError, r"target of shape \(..., tokens, V\), got \(4,\)", speculative_step, Z(4), Z((2, 4)), [0]),
    row(ValueError, r"draft of shape \(..., tokens, V\), got \(4,\)", speculative_step, Z((2, 4)), Z(4), [0]),
    *[row(ValueError, r"target of shape \(..., 3, 4\), one place more than the draft has, got",
          speculative_step, Z(shape), Z((2, 4)), [0, 0]) for shape in ((2, 4), (3, 5))],
    row(ValueError, r"drafted of shape \(..., 2\), got \(3,\)", STEP, [0, 1, 2]),
    row(ValueError, r"drafted of shape \(..., 2\), got \(\)", STEP, 0),
    row(TypeError, "drafted to be integers", STEP, [0.0, 1.0]),
    *[row(ValueError, "drafted from 0 to 3, got", STEP, [0, bad]) for bad in (-1, 4)],
    row(ValueError, r"leading axes that fit, got \(\) of target, \(\) of draft and \(2,\)|leading axes that fit",
        speculative_step, Z((3, 2, 4)), Z((2, 1, 4)), [[0]]),
    row(ValueError, r"tokens that the draft may draw, got 1 in drafted\[0\], of probability 0",
        speculative_step, Z((2, 2)), [[0.0, -INF]], [1]),
    row(ValueError, r"target without NaN, got nan in target\[1, 0\]", speculative_step, [[0.0, 0.0], [NAN, 0.0]],
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
    row(ValueError, "gamma to be at least 1, got 0", long_run_rates, Z((2, 2)), Z((2, 2)), following(2, 1), 0),
]


@pytest.mark.parametrize("refusal", [*SPECULATIVE])
def test_what_is_refused(refusal):
    refusal.check()
