"""What `softmaxnotes.softmax` refuses."""

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.experiments.softmax.square_loss import learn_digits
from softmaxnotes.softmax import (
    bernoulli_nll,
    categorical_nll,
    class_logits,
    log_sigmoid,
    log_softmax,
    logit,
    logsumexp,
    online_logsumexp,
    sigmoid,
    softmax,
    squared_loss,
)

INF, NAN = np.inf, np.nan
ALONG = [logsumexp, softmax, log_softmax, class_logits]
LAWS = [softmax, log_softmax, class_logits]
ELEMENTWISE = [sigmoid, logit, log_sigmoid]
CATEGORICAL = [categorical_nll, squared_loss]
LOSSES = [*CATEGORICAL, bernoulli_nll]
AxisError = np.exceptions.AxisError


def online(x):
    return online_logsumexp([x])


def inside(shape, index):
    """Zeros, and one slice that has no category."""
    x = np.zeros(shape)
    x[index] = -INF
    return x


NUMBERS = [*ALONG, *ELEMENTWISE, online]
GRADIENT = torch.ones(2, requires_grad=True)

REFUSED = [
    # numbers
    *[refusal for bad, kind in [([1j, 2], "complex128"), ([None, 1.0], "object"), (["a", "b"], "<U1"),
                                ([10**40], "object")]
      for refusal in rows(TypeError, f"real numbers, got an array of type {kind}", NUMBERS, bad)],
    *rows(TypeError, "real numbers without a mask, got a masked array", NUMBERS, np.ma.array([1.0, 2.0])),
    *rows(TypeError, "real numbers without a gradient, got a tensor that needs one", NUMBERS, GRADIENT),
    *rows(TypeError, "logits to be real numbers, got an array of type complex128", LOSSES, [1j, 0], [0, 1]),
    *rows(TypeError, "labels to be real numbers, got an array of type complex128", LOSSES, [1.0, 0], [1j, 0]),
    *rows(TypeError, "logits without a gradient, got a tensor", LOSSES, GRADIENT, [0, 1]),
    *rows(TypeError, "labels without a gradient, got a tensor", LOSSES, [1.0, 0.0], GRADIENT),
    # axes
    *rows(AxisError, "an array with axes, got axis -1", ALONG, 3.0),
    *rows(AxisError, "an array with axes, got axis 0", ALONG, 3.0, axis=0),
    *rows(AxisError, "axis to be from -1 to 0, got axis 1", ALONG, [1.0], axis=1),
    *rows(AxisError, "axis to be from -1 to 0, got axis 1", ALONG, [1.0], axis=(0, 1)),
    *rows(AxisError, "axis to be from -2 to 1, got axis -3", ALONG, [[1.0]], axis=-3),
    *rows(ValueError, r"axes that differ, got \(1, 1\)", ALONG, [[1.0]], axis=(1, 1)),
    *[refusal for bad in (0.0, -1.0, False, "0", np.array([0, 1]))
      for refusal in rows(TypeError, "axis to be an integer, got", ALONG, [1.0, 2.0], axis=bad)],
    # temperatures
    *[refusal for bad in (0, 0.0, -1.0, INF, -INF, NAN, [1.0, 2.0], [1.0], "2", "a", 1j, None)
      for refusal in rows(ValueError, "temperature to be one positive number, finite in float64, got",
                          [softmax, log_softmax], [1.0, 2.0], temperature=bad)],
    *[refusal for bad in (1e-60, 1e60)
      for refusal in rows(ValueError, "finite in float32", [softmax, log_softmax], np.zeros(2, np.float32),
                          temperature=bad)],
    # no category
    *rows(ValueError, r"^no distribution: every logit of slice \(\) is -inf", LAWS, [-INF, -INF]),
    *rows(ValueError, r"slice \(1, 2\)", LAWS, inside((2, 3, 4), np.s_[1, :, 2]), axis=1),
    *rows(ValueError, r"slice \(30001, 1\)", LAWS, inside((40_000, 2, 5), (30_001, 1))),
    *rows(ValueError, r"slice \(2,\)", LAWS, inside((3, 200_000), 2)),
    *rows(ValueError, r"^no distribution: every logit of slice \(1,\) is -inf", CATEGORICAL,
          inside((2, 2), 1), [0, 0]),
    *rows(ValueError, r"slice \(0, 1\)", CATEGORICAL, inside((1, 2, 2), (0, 1)), np.full((1, 2, 2), 0.5)),
    # probabilities
    *[row(ValueError, f"p from 0 to 1, got {bad} in p$", logit, bad)
      for bad in (-1e-300, 1.0000001, -INF, INF)],
    row(ValueError, r"p from 0 to 1, got 2.0 in p\[1\]", logit, [0.5, 2.0]),
    *[row(ValueError, r"p from 0 to 1, got .* in p\[0\]", logit, [bad, NAN] + [0.5] * 2000)
      for bad in (-1e-300, 1.0000001, INF)],
    # labels
    *rows(ValueError, "labels from 0 to 1, got 2 to 2", CATEGORICAL, [[0.0, 0.0]], [2]),
    *rows(ValueError, "labels from 0 to 1, got -1 to -1", CATEGORICAL, [[0.0, 0.0]], [-1]),
    *rows(TypeError, "labels to be integers, got an array of type float64", CATEGORICAL, [[0.0, 0.0]], [0.0]),
    *rows(TypeError, "labels to be integers, got an array of type bool", CATEGORICAL, [[0.0, 0.0]], [True]),
    *rows(ValueError, r"labels of shape \(1,\), or distributions of shape \(1, 2\), got \(\)", CATEGORICAL,
          [[0.0, 0.0]], 0),
    *rows(ValueError, r"got \(2,\)", CATEGORICAL, [[0.0, 0.0]], [0, 1]),
    *rows(ValueError, r"got \(1, 1\)", CATEGORICAL, [[0.0, 0.0]], [[0]]),
    *rows(ValueError, r"got \(3,\)", CATEGORICAL, [0.0, 0.0], [0.5, 0.5, 0.0]),
    *rows(ValueError, "distributions that sum to one, got one that is 0.1 off", CATEGORICAL, [0.0, 0.0],
          [0.5, 0.4]),
    *rows(ValueError, "sum to one", CATEGORICAL, [0.0, 0.0], [0.5, 0.5 + 1e-14]),
    *rows(ValueError, r"no negative entry and no NaN, got -0.5 in labels\[1\]", CATEGORICAL, [0.0, 0.0],
          [1.5, -0.5]),
    *rows(ValueError, r"got nan in labels\[0\]", CATEGORICAL, [0.0, 0.0], [NAN, 1.0]),
    *rows(ValueError, "sum to one, got one that is inf off", CATEGORICAL, [0.0, 0.0], [INF, 0.0]),
    *rows(ValueError, r"logits of shape \(\.\.\., K\) with K > 0, got \(\)", CATEGORICAL, 0.0, 0),
    *rows(ValueError, r"with K > 0, got \(2, 0\)", CATEGORICAL, np.zeros((2, 0)), [0, 0]),
    *[row(ValueError, rf"labels from 0 to 1, got {bad} in labels\[0\]", bernoulli_nll, [0.0], [bad])
      for bad in (1.5, -0.1, NAN)],
    *[row(ValueError, r"labels of shape .*, as the logits, got", bernoulli_nll, x, y)
      for x, y in [([0.0], 1), ([0.0, 1.0], [1]), ([[0.0]], [1])]],
    # chunks
    row(ValueError, r"chunks of shape \(2, 3, 'K'\), got \(3, 2\)", online_logsumexp,
        [np.zeros((2, 3, 1)), np.zeros((3, 2))]),
    # experiments
    row(ValueError, "method to be 'untrained', .*, got 'hinge'", learn_digits, "hinge", seed=0, budget=1),
]


@pytest.mark.parametrize("refusal", REFUSED)
def test_what_is_refused(refusal):
    refusal.check()
