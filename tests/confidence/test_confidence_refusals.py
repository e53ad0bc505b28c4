"""What `softmaxnotes.confidence` and its experiments refuse."""

import math

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.confidence import (
    confidence_loss,
    confident_optimum,
    conformal_threshold,
    detection_metrics,
    energy_score,
    expected_calibration_error,
    expected_error_if_calibrated,
    fit_confident,
    fit_temperature,
    prediction_set,
    ray_limit,
    reliability_diagram,
    relu_network,
    uniform_divergence,
)
from softmaxnotes.experiments.confidence.calibration import judged_loss
from softmaxnotes.experiments.confidence.open_set import fit_clouds, sure_places
from softmaxnotes.experiments.confidence.open_set_gan import confident_gan, generator_optimum, tell_unknown
from softmaxnotes.experiments.confidence.reliability import claim_errors

INF, NAN = np.inf, np.nan
AxisError = np.exceptions.AxisError
GRADIENT = torch.ones(2, requires_grad=True)
ZEROS = np.zeros
BINNED = [reliability_diagram, expected_calibration_error]
GOOD = [[0.5, 0.5], [0.9, 0.1]]
EYE, PAIR, OUT = torch.eye(2), torch.tensor([0, 1]), torch.zeros(3, 2)


def trained(points, labels, outliers=OUT, **options):
    fit_confident(points, labels, outliers, steps=1, **options)


def played(points, labels, **options):
    confident_gan(points, labels, steps=1, **options)


def judged(scores):
    return detection_metrics([1.0], scores)


def loss(inside, labels, outside, **options):
    return confidence_loss(torch.zeros(inside), torch.zeros(labels, dtype=int), torch.zeros(outside),
                           **options)


def labelled(*labels):
    return confidence_loss(torch.zeros(2, 3), torch.tensor(labels), torch.zeros(4, 3))


TRAINERS = [trained, played]

TEMPERATURE = [
    *rows(TypeError, "logits to be real numbers, got an array of type complex128",
          [fit_temperature, conformal_threshold], [[1j, 0]], [0]),
    row(TypeError, "logits without a gradient, got", fit_temperature, GRADIENT, 0),
    *[row(ValueError, r"\(\.\.\., K\), at least one example and one class, got shape", function, x, y)
      for function in (fit_temperature, *BINNED)
      for x, y in ((ZEROS((0, 3)), ZEROS(0, int)), (ZEROS((3, 0)), ZEROS(3, int)), (1.0, 0))],
    *[refusal for function in (fit_temperature, conformal_threshold, *BINNED) for refusal in (
        row(ValueError, r"labels of shape \(2,\), got \(1,\)", function, GOOD, [0]),
        row(ValueError, r"labels of shape \(2,\), got \(2, 2\)", function, GOOD, [[0, 0], [0, 0]]),
        row(TypeError, "labels to be integers, got an array of type float64", function, GOOD, [0.0, 1.0]),
        row(TypeError, "labels to be integers, got an array of type bool", function, GOOD, [False, True]),
        row(ValueError, "labels from 0 to 1, got 0 to 2", function, GOOD, [0, 2]),
        row(ValueError, "labels from 0 to 1, got -1 to 0", function, GOOD, [0, -1]))],
    *[row(ValueError, rf"logits to be finite or -inf, got {bad} in logits\[1, 1\]", fit_temperature,
          [[0, 1], [0, bad]], [0, 1]) for bad in (NAN, INF)],
    *[row(ValueError, r"^no temperature has a finite loss: the true class of example \(1,\) is masked",
          fit_temperature, [[0, 1], masked], [0, 1]) for masked in ([0, -INF], [-INF, -INF])],
    row(ValueError, "max_iterations to be at least 1, got 0", fit_temperature, GOOD, [0, 0],
        max_iterations=0),
    row(TypeError, "max_iterations to be an integer, got 2.5", fit_temperature, GOOD, [0, 0],
        max_iterations=2.5),
]

RELIABILITY = [
    *rows(TypeError, "probs to be real numbers, got an array of type <U1", BINNED, [["a", "b"]], [0]),
    *rows(ValueError, r"logits go through softmax first\), got -1.0 to 2.0", BINNED, [[2.0, -1.0]], [0]),
    *rows(ValueError, "probs from 0 to 1 .*, got nan to nan", BINNED, [[NAN, 0.5]], [0]),
    *rows(ValueError, "got 0.5 to inf", BINNED, [[INF, 0.5]], [0]),
    *rows(ValueError, "got -0.001 to 1.001", BINNED, [[1.001, -0.001]], [0]),
    *rows(ValueError, r"probs that sum to one for each example, got 0.9 for \(1,\)", BINNED,
          [[1.0, 0.0], [0.5, 0.4]], [0, 0]),
    *rows(ValueError, r"got 0.99 for \(0,\)", BINNED, np.full((2, 10**6), 0.99e-6, np.float32), [0, 1]),
    *[refusal for bad, error, says in ((0, ValueError, "at least 1, got 0"),
                                       (2.0, TypeError, "an integer, got 2.0"),
                                       (True, TypeError, "an integer, got True"))
      for refusal in [*rows(error, f"n_bins to be {says}", BINNED, GOOD, [0, 1], n_bins=bad),
                      row(error, f"n_bins to be {says}", expected_error_if_calibrated, [0.5], n_bins=bad)]],
    *[row(ValueError, r"confidence of shape \(N,\) with N > 0, got", expected_error_if_calibrated, bad)
      for bad in ([], [[0.5]], 0.5)],
    *[row(ValueError, rf"confidence from 0 to 1, got {bad} in confidence\[1\]", expected_error_if_calibrated,
          [0.5, bad]) for bad in (1.5, -0.5, NAN)],
    row(TypeError, "confidence to be real numbers", expected_error_if_calibrated, [1j]),
    *[row(ValueError, r"logits of shape \(n, K\), at least one", conformal_threshold, x, y)
      for x, y in ((ZEROS((0, 2)), ZEROS(0, int)), ([0.0, 1.0], 0))],
    *[row(ValueError, "coverage to be one number between 0 and 1, got", conformal_threshold, [[0.0, 1.0]],
          [0], coverage=bad) for bad in (0.0, 1.0, NAN, [0.5, 0.6])],
    *[row(TypeError, "coverage to be real numbers, got", conformal_threshold, [[0.0, 1.0]], [0], coverage=bad)
      for bad in ("0.5", None)],
    row(ValueError, r"logits without NaN, got nan in logits\[0, 1\]", conformal_threshold, [[0.0, NAN]], [0]),
    row(ValueError, r"logits without NaN, got nan in logits\[1\]", prediction_set, [0.0, NAN], 1.0),
    row(ValueError, r"^no distribution: every logit of slice \(0,\) is -inf", conformal_threshold,
        [[-INF, -INF]], [0]),
    row(ValueError, r"^no distribution: every logit of slice \(\) is -inf", prediction_set, [-INF, -INF],
        1.0),
    row(ValueError, r"logits of shape \(\.\.\., K\), got 1.0", prediction_set, 1.0, 1.0),
    row(TypeError, "logits to be real numbers", prediction_set, [1j, 0.0], 1.0),
    row(TypeError, "threshold to be real numbers, got", prediction_set, [0.0, 1.0], None),
    *[row(ValueError, "threshold to be one number, got", prediction_set, [0.0, 1.0], bad)
      for bad in (NAN, [1.0, 2.0])],
]

DETECTION = [
    row(TypeError, "logits to be real numbers", energy_score, [1j, 2.0]),
    row(TypeError, "logits without a gradient, got", energy_score, GRADIENT),
    *[row(ValueError, "temperature to be one positive number, finite in float64, got", energy_score,
          [1.0, 2.0], temperature=bad) for bad in (0, -1, INF, NAN, np.array([1.0, 2.0]), "a", "2", None)],
    row(AxisError, "axis to be from -1 to 0, got axis 1", energy_score, [1.0], axis=1),
    row(AxisError, "an array with axes, got axis -1", energy_score, 1.0),
    row(TypeError, "axis to be an integer, got 1.0", energy_score, [1.0], axis=1.0),
    *[row(ValueError, rf"scores_in of shape \(N,\) with N > 0, got {shape}", detection_metrics, bad, [1.0])
      for bad, shape in (([], r"\(0,\)"), ([[1.0]], r"\(1, 1\)"), (1.0, r"\(\)"))],
    row(ValueError, r"scores_out of shape \(N,\) with N > 0, got \(0,\)", judged, []),
    row(ValueError, r"scores_out without NaN, got nan in scores_out\[1\]", judged, [0.0, NAN]),
    row(TypeError, "scores_out to be real numbers", judged, ["a"]),
]

OPEN_SET = [
    *[row(ValueError, rf"expected finite numbers, got {bad} in {name}\[0\]", ray_limit, **(
        {"slopes": [1.0, 2.0], "offsets": [0.0, 0.0]} | {name: [bad, 1.0]}))
      for name, bad in (("slopes", NAN), ("offsets", INF))],
    row(ValueError, r"at least one class, got shape \(0,\)", ray_limit, [], []),
    row(AxisError, "an array with axes, got axis -1", ray_limit, 1.0, 2.0),
    row(AxisError, "axis to be from -2 to 1, got axis 2", ray_limit, [[1.0, 2.0]], 0.0, axis=2),
    row(TypeError, "axis to be an integer, got None", ray_limit, [1.0, 2.0], 0.0, axis=None),
    row(ValueError, r"got slopes of shape \(2,\) and offsets of shape \(3,\)", ray_limit, [1, 2], [1, 2, 3]),
    row(TypeError, "slopes to be real numbers, got an array of type complex128", ray_limit, [1j, 2], [0, 0]),
    row(TypeError, "offsets to be real numbers, got an array of type <U1", ray_limit, [0], ["a"]),
    row(ValueError, "the sums of posterior to be 1, got 0.9 in", confident_optimum, [0.5, 0.4], 1, 1),
    row(ValueError, r"not to be negative, got -0.5 in posterior\[1\]", confident_optimum, [1.5, -0.5], 1, 1),
    row(ValueError, r"got nan in posterior\[0\]", confident_optimum, [NAN, 1.0], 1, 1),
    row(ValueError, r"posterior of shape \(\.\.\., n\) with n > 0, got \(\)", confident_optimum, 1.0, 1, 1),
    row(ValueError, r"posterior of shape \(\.\.\., n\) with n > 0, got \(2, 0\)", confident_optimum,
        ZEROS((2, 0)), 1, 1),
    row(ValueError, "^no best law: every law is optimal where both", confident_optimum, [1.0, 0.0], 0, 0),
    row(ValueError, "density_in to be finite and not negative, got -1", confident_optimum, [1.0, 0.0], -1, 1),
    row(ValueError, r"density_out to be finite and not negative, got inf in density_out\[1\]",
        confident_optimum, [1.0, 0.0], 1, [1, INF]),
    row(ValueError, "density_in to be finite and not negative, got nan", confident_optimum, [1.0, 0.0], NAN,
        1),
    *[row(ValueError, r"shapes that fit, got laws of shape \(3,\) and density_in of shape \(2,\)",
          confident_optimum, np.full((3, 2), 0.5), np.ones(2), np.ones(many)) for many in (2, 3)],
    *[row(ValueError, "beta to be one positive, finite number, got", confident_optimum, [1.0, 0.0], 1, 1,
          beta=bad) for bad in (0.0, -1.0, math.inf, math.nan, [1.0, 2.0], None, "1")],
    row(TypeError, "posterior to be real numbers", confident_optimum, [1j, 0.0], 1, 1),
    row(ValueError, r"logits of at least one class, got shape \(3, 0\)", uniform_divergence,
        torch.zeros(3, 0)),
    row(TypeError, "logits as a torch.Tensor of floating-point numbers, got list", uniform_divergence, [0.0]),
    row(TypeError, "got one of torch.int64", uniform_divergence, torch.tensor([1, 2])),
    *[row(ValueError, r"logits \(N, n\), labels \(N,\) and logits \(M, n\), got", loss, *bad)
      for bad in (((4, 3), 4, (5, 2)), ((4, 3), 3, (5, 3)), ((0, 3), 0, (5, 3)), ((4, 3), 4, (0, 3)),
                  ((4, 3), 4, (3,)))],
    row(ValueError, "beta not to be negative, got -1", loss, (4, 3), 4, (5, 3), beta=-1),
    *[row(ValueError, "beta to be one finite number, got", loss, (4, 3), 4, (5, 3), beta=bad)
      for bad in (math.nan, math.inf, "1", None)],
    *[row(ValueError, f"labels from 0 to 2, got {min(bad)} to {max(bad)}", labelled, *bad)
      for bad in ([0, 3], [-1, 0], [0, -100], [-100, -100])],
    row(TypeError, "labels as a torch.Tensor of torch.int64, got one of torch.float32", labelled, 0.0, 1.0),
    row(TypeError, "int64, got list", confidence_loss, torch.zeros(2, 3), [0, 1], torch.zeros(4, 3)),
    row(TypeError, "got ndarray", confidence_loss, ZEROS((2, 3)), PAIR, torch.zeros(4, 3)),
    row(ValueError, r"two or more sizes, got \[2\]", relu_network, (2,)),
    row(TypeError, r"sizes\[0\] to be an integer, got 2.5", relu_network, (2.5, 3)),
    row(ValueError, r"sizes\[1\] to be at least 1, got 0", relu_network, (2, 0, 3)),
    row(TypeError, "generator to be None, an integer or a torch.Generator, got", relu_network, (2, 3),
        generator=np.random.default_rng(0)),
]

TRAINING = [
    *rows(TypeError, "points as a torch.Tensor of floating-point numbers, got ndarray", TRAINERS,
          ZEROS((2, 2)), PAIR),
    *rows(TypeError, "labels as a torch.Tensor of torch.int64, got one of", TRAINERS, EYE, torch.zeros(2)),
    *rows(ValueError, r"points \(N, d\), labels \(N,\).*, got", TRAINERS, EYE, PAIR[:1]),
    *rows(ValueError, r"points \(N, d\), labels \(N,\).*, got", TRAINERS, EYE[0], PAIR),
    *rows(ValueError, "labels from 0 on, got -1", TRAINERS, EYE, PAIR - 1),
    *rows(ValueError, r"points to be finite, got nan in points\[0, 0\]", TRAINERS, EYE * NAN, PAIR),
    *rows(ValueError, "beta to be one finite number, got nan", [played], EYE, PAIR, beta=NAN),
    *rows(ValueError, "beta not to be negative, got -1", TRAINERS, EYE, PAIR, beta=-1.0),
    *rows(TypeError, "generator to be None, an integer or a torch.Generator, got", TRAINERS, EYE, PAIR,
          generator=1.5),
    row(TypeError, "points and outliers of one type, got", trained, EYE, PAIR, OUT.double()),
    row(ValueError, r"and outliers \(M, d\), got", trained, EYE, PAIR, torch.zeros(3, 5)),
    row(ValueError, r"outliers to be finite, got inf in outliers\[0, 0\]", trained, EYE, PAIR, OUT + INF),
    row(ValueError, "masses that add up to 1, got 0.9", generator_optimum, [0.5, 0.4], [0.0, 0.0]),
    row(ValueError, r"masses not to be negative, got -0.5 in masses\[1\]", generator_optimum, [1.5, -0.5],
        [0.0, 0.0]),
    row(ValueError, r"divergence of shape \(1,\), as masses, got \(2,\)", generator_optimum, [1.0],
        [0.0, 0.0]),
    *[row(ValueError, rf"divergence not to be negative, got {bad} in divergence\[1\]", generator_optimum,
          [0.5, 0.5], [0.0, bad]) for bad in (-1.0, NAN)],
    row(ValueError, "^no optimum: the divergence is infinite", generator_optimum, [0.5, 0.5], [INF, INF]),
    row(ValueError, "beta not to be negative, got -1", generator_optimum, [0.5, 0.5], [0.0, 0.0], beta=-1),
    row(ValueError, "beta to be one finite number, got inf", generator_optimum, [0.5, 0.5], [0.0, 0.0],
        beta=INF),
    row(TypeError, "masses to be real numbers", generator_optimum, [1j, 0.0], [0.0, 0.0]),
]

EXPERIMENTS = [
    row(ValueError, "method to be 'as fitted', .*, got 'hot'", judged_loss, "hot", seed=0, budget=9, l2=1.0),
    row(ValueError, "method to be 'as trained', .*, got 'none'", claim_errors, "none", seed=0, budget=1),
    row(ValueError, "method to be 'no outliers', .*, got 'circle'", sure_places, "circle", seed=0, budget=1),
    row(ValueError, "method to be 'no outliers', .*, got 'circle'", fit_clouds, "circle", seed=0, steps=1),
    row(ValueError, "method to be 'data alone', .*, got 'luck'", tell_unknown, "luck", seed=0, budget=1),
]


@pytest.mark.parametrize("refusal",
                         TEMPERATURE + RELIABILITY + DETECTION + OPEN_SET + TRAINING + EXPERIMENTS)
def test_what_is_refused(refusal):
    refusal.check()
