"""What `softmaxnotes.unnormalised` and its experiments refuse."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.experiments.unnormalised.nce_limits import fit_patches, separate
from softmaxnotes.experiments.unnormalised.word_vectors import window_counts
from softmaxnotes.unnormalised import (
    NoiseSampler,
    WordVectors,
    fit_word_vectors,
    info_nce_loss,
    info_nce_value,
    mutual_information,
    nce_covariance,
    nce_fit,
    nce_loss,
    negative_sampling_loss,
    shifted_pmi,
)

INF, NAN = math.inf, math.nan
GRADIENT = torch.ones(2, requires_grad=True)
MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])

# --- noise contrast -------------------------------------------------------------------

ONE, TWO = torch.zeros(1), torch.zeros(2)
SQUARE = torch.zeros(2, 2)
FIT = partial(nce_fit, **{"features": [[1.0], [2.0]], "log_kq": [0.0, 0.0], "data_weights": [1.0, 1.0],
                          "noise_weights": [1.0, 1.0]})
COVARIANCE = partial(nce_covariance, **{"features": np.eye(2), "log_p": np.log([0.5, 0.5]),
                                        "log_q": np.log([0.2, 0.8]), "nu": 1.0})
JOINT = np.log(np.full((2, 2), 0.25))
INFORMATION = [mutual_information, partial(info_nce_value, n_candidates=2)]


def losses(data, noise):
    """The loss with no offset is that of negative sampling."""
    nce_loss(data, noise, 0.0, 0.0)


LOSSES = [losses, negative_sampling_loss]

CONTRAST = [
    row(ValueError, "finite data_log_kq, got -inf, a datum that the noise never", nce_loss, TWO, TWO,
        torch.tensor([0.0, -INF]), 0.0),
    row(ValueError, "finite noise_log_kq, got -inf, an item that the noise cannot", nce_loss, TWO, TWO, 0.0,
        -INF),
    *[row(ValueError, f"finite noise_log_kq, got {bad}", nce_loss, TWO, TWO, 0.0, bad) for bad in (NAN, INF)],
    row(ValueError, r"noise_log_kq to fit scores of shape \(2,\), got shape \(3,\)", nce_loss, TWO, TWO, 0.0,
        torch.zeros(3)),
    row(ValueError, r"data_log_kq to fit scores of shape \(1,\), got shape \(2,\)", nce_loss, ONE, ONE, TWO,
        0.0),
    *rows(ValueError, r"data_scores without NaN, got nan in data_scores\[0\]", LOSSES, ONE * NAN, ONE),
    *rows(ValueError, r"noise_scores without NaN, got nan in noise_scores\[1\]", LOSSES, ONE,
          torch.tensor([0.0, NAN], requires_grad=True)),
    *rows(ValueError, r"at least one of noise_scores, got shape \(0,\)", LOSSES, ONE, torch.zeros(0)),
    *rows(TypeError, "data_scores as a tensor of floating point numbers, got torch.int64", LOSSES,
          ONE.long(), ONE),
    *rows(TypeError, "data_scores as a tensor of floating point numbers, got float64", LOSSES, np.zeros(1),
          ONE),
    *rows(TypeError, "scores of one type, got torch.float32 and torch.float64", LOSSES, ONE, ONE.double()),
    # experiments
    *[row(ValueError, "method to be .* or 'maximum likelihood', got 'PCA'", run, "PCA", seed=0, budget=1)
      for run in (fit_patches, separate)],
    # InfoNCE
    row(ValueError, r"scores of shape \(\.\.\., B, K\), got \(3,\)", info_nce_loss, torch.zeros(3)),
    row(ValueError, "got 2 contexts and 3 candidates", info_nce_loss, torch.zeros(2, 3)),
    row(ValueError, r"scores without NaN, got nan in scores\[1, 1\]", info_nce_loss,
        torch.tensor([[0.0, 0.0], [0.0, NAN]])),
    row(ValueError, r"at least one of scores, got shape \(0, 0\)", info_nce_loss, torch.zeros(0, 0)),
    row(ValueError, "a candidate for each context, got scores that are all -inf", info_nce_loss,
        SQUARE - INF),
    *[row(ValueError, f"positive from 0 to 1, got {min(bad)} to {max(bad)}", info_nce_loss, SQUARE,
          positive=bad)
      for bad in ([0, 2], [-1, 0])],
    row(ValueError, r"positive of shape \(2,\), got \(1,\)", info_nce_loss, SQUARE, positive=[0]),
    *[row(TypeError, "integers for positive, got", info_nce_loss, SQUARE, positive=bad)
      for bad in ([0.0, 1.0], [True, False])],
    row(TypeError, "scores as a tensor of floating point numbers, got torch.int64", info_nce_loss,
        SQUARE.long()),
    # fits
    row(ValueError, r"features of shape \(m, d\), got \(2,\)", FIT, features=np.ones(2)),
    row(ValueError, r"finite numbers, got nan in features\[0, 0\]", FIT, features=[[NAN], [1.0]]),
    row(ValueError, "log_kq and weights of 2 items, got", FIT, log_kq=[0.0]),
    row(ValueError, "log_kq and weights of 2 items, got", FIT, data_weights=[1.0]),
    row(ValueError, r"log_kq to be finite wherever an item has a weight, got -inf in log_kq\[1\]", FIT,
        log_kq=[0.0, -INF]),
    row(ValueError, r"data_weights to be finite and not negative, got -1.0 in data_weights\[1\]", FIT,
        data_weights=[1.0, -1.0]),
    row(ValueError, r"noise_weights to be finite and not negative, got inf in noise_weights\[1\]", FIT,
        noise_weights=[1.0, INF]),
    row(ValueError, "the sums of noise_weights to be positive, got 0.0", FIT, noise_weights=[0.0, 0.0]),
    row(ValueError, r"got data_weights of shape \(2, 2\) and noise_weights of shape \(3, 2\)", FIT,
        data_weights=np.ones((2, 2)), noise_weights=np.ones((3, 2))),
    row(ValueError, r"initial of shape \(1,\), got \(2,\)", FIT, initial=[0.0, 0.0]),
    row(ValueError, r"finite numbers, got nan in initial\[0\]", FIT, initial=[NAN]),
    *[row(TypeError, f"{name} to be real numbers, got an array of type complex128", FIT, **{name: [1j, 0]})
      for name in ("features", "log_kq", "data_weights", "noise_weights", "initial")],
    row(TypeError, "max_iterations to be an integer, got 2.5", FIT, max_iterations=2.5),
    row(ValueError, "max_iterations to be at least 1, got 0", FIT, max_iterations=0),
    # what it is worth
    row(ValueError, r"features of shape \(m, d\), got \(2,\)", COVARIANCE, features=np.ones(2)),
    row(ValueError, r"finite numbers, got inf in features\[0, 0\]", COVARIANCE, features=[[INF], [1.0]]),
    row(ValueError, "^no single estimate: the features are linearly dependent", COVARIANCE,
        features=[[1.0, 2.0], [1.0, 2.0]]),
    row(ValueError, "log_p of total weight 1, got 0.9", COVARIANCE, log_p=np.log([0.5, 0.4])),
    row(ValueError, "log_q of total weight 1, got 1.1", COVARIANCE, log_q=np.log([0.5, 0.6])),
    row(ValueError, r"log_q to have weight where the data have, .* got -inf in log_q\[1\]", COVARIANCE,
        log_q=[0.0, -INF]),
    row(ValueError, r"log_p of 2 items, got shape \(1,\)", COVARIANCE, log_p=[0.0]),
    *[row(ValueError, "nu to be one positive number, got", COVARIANCE, nu=bad) for bad in (0.0, NAN, [1.0,
          2.0])],
    row(TypeError, "nu to be real numbers, got", COVARIANCE, nu="1"),
    row(TypeError, "log_p to be real numbers, got", COVARIANCE, log_p=[1j, 0]),
    *rows(ValueError, r"log_joint of shape \(X, Y\), got \(2,\)", INFORMATION, np.zeros(2)),
    *rows(ValueError, "log_joint of total weight 1, got 4.0", INFORMATION, np.zeros((2, 2))),
    *rows(ValueError, "log_joint of total weight 1, got nan", INFORMATION, np.full((1, 1), NAN)),
    *rows(TypeError, "log_joint to be real numbers, got", INFORMATION, [["a"]]),
    *[row(TypeError, "n_candidates to be an integer, got", info_nce_value, JOINT, bad) for bad in (2.0, 1.5,
          True)],
    row(ValueError, "n_candidates to be at least 1, got 0", info_nce_value, JOINT, 0),
    row(ValueError, "at most 1000000 groups, got more with 40 candidates", info_nce_value,
        np.log(np.full((9, 9), 1 / 81)), 40),
    row(ValueError, r"scores of shape \(2, 2\), got \(2,\)", info_nce_value, JOINT, 2, scores=[0.0, 1.0]),
    row(ValueError, r"finite numbers, got inf in scores\[0, 0\]", info_nce_value, JOINT, 2,
        scores=JOINT + INF),
]

# --- words ----------------------------------------------------------------------------

COIN = NoiseSampler([1, 1])
SAMPLES = [COIN.sample, COIN.sample_tensor]
ONES = np.ones((2, 3))


def fitted(data, noise=None, **options):
    fit_word_vectors(WordVectors(2, 3, 1), data, noise, **options)


WORDS = [
    *[row(ValueError, rf"weights of shape \(n,\) with n > 0, got shape {shape}", NoiseSampler, bad)
      for bad, shape in (([], r"\(0,\)"), ([[1, 2]], r"\(1, 2\)"), (1.0, r"\(\)"))],
    *[row(ValueError, rf"weights to be finite and not negative, got {bad} in weights\[1\]", NoiseSampler,
          [1, bad])
      for bad in (-1.0, NAN, INF)],
    row(ValueError, "^no law: all weights are 0", NoiseSampler, [0, 0]),
    *[row(TypeError, "weights to be real numbers, got", NoiseSampler, bad) for bad in (["a"], [1j])],
    row(TypeError, "weights without a mask, got", NoiseSampler, MASKED),
    row(ValueError, "power not to be negative, got -1", NoiseSampler, [1, 2], power=-1),
    *[row(ValueError, "power to be one finite number, got", NoiseSampler, [1, 2], power=bad)
      for bad in (INF, NAN, "1", [1, 2])],
    *rows(TypeError, "size to be an integer or a tuple of integers, got 2.5", SAMPLES, 2.5),
    *rows(ValueError, r"size not to be negative, got \(-1,\)", SAMPLES, -1),
    row(TypeError, "rng to be None, an integer or a numpy.random.Generator, got Generator", COIN.sample, 2,
        rng=torch.Generator()),
    row(TypeError, "generator to be None, an integer or a torch.Generator, got Generator",
        COIN.sample_tensor, 2,
        generator=np.random.default_rng(0)),
    # counts
    *[row(ValueError, r"counts of shape \(contexts, words\), got shape", shifted_pmi, bad)
      for bad in ([1, 2], np.zeros((0, 2)))],
    *[row(ValueError, rf"counts to be finite and not negative, got {bad} in counts\[0, 1\]", shifted_pmi,
          [[1, bad]]) for bad in (-2.0, INF, NAN)],
    *[row(ValueError, "k to be one positive, finite number, got", shifted_pmi, [[1, 2]], bad)
      for bad in (0, NAN, INF, "1")],
    row(ValueError, r"noise of shape \(2,\), got \(1,\)", shifted_pmi, [[1, 2]], 1, [1.0]),
    row(ValueError, "noise that adds up to 1, got 1.1", shifted_pmi, [[1, 2]], 1, [0.5, 0.6]),
    row(ValueError, r"noise not to be negative, got -0.5 in noise\[1\]", shifted_pmi, [[1, 2]], 1, [1.5,
        -0.5]),
    row(ValueError, "^no best score: word 1 was never seen and is never noise", shifted_pmi, [[3, 0, 1], [0,
        0, 1]]),
    row(ValueError, "^no best scores: context 1 was never seen", shifted_pmi, [[3, 1], [0, 0]]),
    row(TypeError, "counts to be real numbers, got", shifted_pmi, [["a"]]),
    # vectors
    *[row(ValueError, f"{name} to be at least 1, got 0", WordVectors, *sizes)
      for name, sizes in (("n_contexts", (0, 1, 1)), ("n_words", (1, 0, 1)), ("dim", (1, 1, 0)))],
    row(TypeError, "dim to be an integer, got 2.0", WordVectors, 1, 1, 2.0),
    row(TypeError, "generator to be None, an integer or a torch.Generator, got", WordVectors, 1, 1, 2,
        generator="0"),
    *[row(ValueError, r"words of shape \(2,\), or with one more axis, got", WordVectors(2, 3, 1).forward,
          torch.tensor([0, 1]), torch.zeros(shape, dtype=torch.int64)) for shape in ((3,), (2, 1, 1))],
    row(ValueError, r"data of shape \(2, 3\), got \(3, 2\)", fitted, ONES.T),
    row(ValueError, r"noise of shape \(2, 3\), got \(1, 3\)", fitted, ONES, ONES[:1]),
    row(ValueError, r"data to be finite and not negative, got -1.0 in data\[0, 0\]", fitted, -ONES),
    row(ValueError, r"noise to be finite and not negative, got nan in noise\[0, 0\]", fitted, ONES,
        NAN * ONES),
    row(ValueError, "^no pairs: all weights of data are 0", fitted, 0 * ONES),
    row(TypeError, "data to be real numbers, got", fitted, [["a"]]),
    row(TypeError, "steps to be an integer, got 2.5", fitted, ONES, steps=2.5),
    *[row(ValueError, says, window_counts, ["a", "b"], **options)
      for says, options in (("least >= 1 and window >= 1, got 0 and 2", {"least": 0}),
                            ("least >= 1 and window >= 1, got 1 and 0", {"window": 0}),
                            ("^no word occurs 3 times", {"least": 3}))],
]


@pytest.mark.parametrize("refusal", CONTRAST + WORDS)
def test_what_is_refused(refusal):
    refusal.check()
