"""What the part on learning from rewards refuses."""

from functools import partial

import numpy as np
import pytest
import torch
from refusals import counts, row, rows, types

from softmaxnotes.digits import load
from softmaxnotes.experiments.rewards import groups
from softmaxnotes.experiments.rewards.arsm import (
    silent_region,
    swap_quadrature,
    swap_regions,
    swapped_actions,
)
from softmaxnotes.experiments.rewards.discrete_latents import (
    CategoricalVAE,
    fit_categorical_vae,
    negative_elbo,
)
from softmaxnotes.experiments.rewards.estimators import ascend
from softmaxnotes.experiments.rewards.policies import (
    CartPole,
    GymWorld,
    Policies,
    TimeAverage,
    ValueNetwork,
    learn_policies,
    policy_estimate,
)
from softmaxnotes.experiments.rewards.reading_digits import (
    DigitReader,
    attention_noise,
    fit_readers,
    make_canvases,
    swap_gradient,
)
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
from softmaxnotes.experiments.rewards.seqgan.race import go_on
from softmaxnotes.gradients import Gaussian
from softmaxnotes.rewards import (
    GlimpseModel,
    advantages,
    all_glimpse_paths,
    ar_gradient,
    ars_gradient,
    arsm_gradient,
    attention_bound,
    categorical_gradient,
    estimate_kl,
    estimator_noise,
    expected_group_update,
    glimpse_gradient,
    sample_glimpses,
    squared_ratio,
)

INF, NAN = np.inf, np.nan
SLOPE = torch.zeros(2, requires_grad=True)


def first(z):
    return z.astype(float)


# --- ARSM -----------------------------------------------------------------------------

BY_RACE = [ar_gradient, ars_gradient, arsm_gradient]
THREE = [swap_regions, swap_quadrature, silent_region]
ARSM = [
    *rows(ValueError, "-inf for a masked category, got nan", BY_RACE, first, [NAN, 0.0]),
    *rows(ValueError, "got inf", BY_RACE, first, [INF, 0.0]),
    *rows(ValueError, "no distribution: every logit", BY_RACE, first, [-INF, -INF]),
    *rows(ValueError, r"not empty, got \(0,\)", BY_RACE, first, []),
    *rows(ValueError, r"shape \(C,\) or \(K, C\).* got \(2, 2, 2\)", BY_RACE, first, np.zeros((2, 2, 2))),
    *rows(ValueError, r"got \(\)", BY_RACE, first, 1.0),
    *rows(TypeError, "real numbers, got", BY_RACE, first, ["a"]),
    *rows(TypeError, "needs one: pass x.detach", BY_RACE, first, SLOPE),
    *rows(TypeError, "got a Gaussian", BY_RACE, first, Gaussian(0.0, 0.0)),
    *rows(ValueError, "f to return .* values", BY_RACE, lambda z: np.ones(1), np.zeros(3), n_samples=3),
    *rows(ValueError, "values of f, .* got nan", BY_RACE, lambda z: z * NAN, np.zeros(3)),
    *rows(ValueError, "at most 1e.300 .* got 1e.308", BY_RACE, lambda z: z * 0 + 1e308, np.zeros(3)),
    *rows(TypeError, "real numbers, got", BY_RACE, lambda z: z + 1j, np.zeros(3)),
    *rows(ValueError, "n_samples to be at least 1, got 0", BY_RACE, first, np.zeros(3), n_samples=0),
    *rows(TypeError, "n_samples to be an integer, got 1.5", BY_RACE, first, np.zeros(3), n_samples=1.5),
    *rows(ValueError, "size not to be negative", BY_RACE, first, np.zeros(3), size=-1),
    *rows(TypeError, "size to be an integer or a tuple", BY_RACE, first, np.zeros(3), size=1.5),
    *rows(TypeError, "rng to be None, .* got str", BY_RACE, first, np.zeros(3), rng="a"),
    row(ValueError, "reference to be below 3 and masked in no row, got 3", ars_gradient, first, np.zeros(3),
        reference=3),
    row(ValueError, "masked in no row, got 1", ars_gradient, first, [0.0, -INF, 0.0], reference=1),
    row(ValueError, "reference to be at least 0, got -1", ars_gradient, first, np.zeros(3), reference=-1),
    row(TypeError, "reference to be an integer, got 0.0", ars_gradient, first, np.zeros(3), reference=0.0),
    row(ValueError, "no class to swap with", ars_gradient, first, [[0.0, -INF], [-INF, 0.0]]),
    row(ValueError, r"as many classes .* got shapes \(2,\) and \(1,\)", swapped_actions, [0.0, 1.0], [0.5]),
    row(ValueError, r"got shapes \(\) and \(\)", swapped_actions, 0.0, 1.0),
    row(ValueError, "shares not to be negative, got -1.0 in shares", swapped_actions, [0.0], [-1.0]),
    row(ValueError, r"got nan in shares\[0\]", swapped_actions, [0.0, 0.0], [NAN, 1.0]),
    row(ValueError, "got nan", swapped_actions, [0.0, NAN], [1.0, 1.0]),
    row(ValueError, "no distribution", swapped_actions, [-INF, -INF], [1.0, 1.0]),
    row(TypeError, "logits to be real numbers", swapped_actions, ["a"], [1.0]),
    row(ValueError, r"logits of shape \(2, 3\) and shares of shape \(4, 3\)", swapped_actions,
        np.zeros((2, 3)), np.ones((4, 3))),
    *rows(ValueError, "three probabilities, got 2", THREE, [1, 2]),
    *rows(ValueError, r"positive and finite, got \[1, 0, 2\]", THREE, [1, 0, 2]),
    *rows(ValueError, "positive and finite, got .*nan", THREE, [1, NAN, 2]),
    *rows(ValueError, "positive and finite, got .*inf", THREE, [1, 2, INF]),
    *rows(ValueError, "positive and finite, got .*-1", THREE, [1, -1, 2]),
    *rows(TypeError, "real numbers, got", THREE, [1, 2, "a"]),
    *rows(TypeError, "real numbers, got", THREE, [1, 2, 1j]),
]

# --- Estimators -------------------------------------------------------------------------


def gradient(error, says, f=first, logits=(0.0, 0.0, 0.0), method="reinforce", **options):
    return row(error, says, categorical_gradient, f, logits, method=method, **options)


CROSSED = [[0.0, -INF], [-INF, 0.0]]
ESTIMATORS = [
    gradient(ValueError, "method to be 'exact', 'reinforce', .* or 'reinmax', got 'magic'", method="magic"),
    gradient(ValueError, r"-inf for a masked class, got nan in logits\[0\]", logits=[NAN, 0.0]),
    gradient(ValueError, "baseline for 'reinforce' only, got it for 'arsm'", method="arsm", baseline=1.0),
    gradient(ValueError, "one number, or one for each of the problems, got shape \\(2,\\)", baseline=[1, 2]),
    gradient(ValueError, "finite numbers, got nan in baseline", baseline=NAN),
    gradient(TypeError, "baseline to be real numbers", baseline="mean"),
    gradient(ValueError, "race for 'reinforce' or .* only, got it for 'exact'", method="exact", race=[1.0]),
    gradient(ValueError, r"a race of the shape of the gradient, \(3,\), got \(2,\)", race=[1.0, 2.0]),
    gradient(ValueError, "race to be positive, got 0.0", race=[1.0, 0.0, 1.0]),
    gradient(ValueError, "finite numbers, got inf in race", race=[1.0, INF, 1.0]),
    gradient(ValueError, "got inf", logits=[INF, 0.0]),
    gradient(ValueError, r"no distribution: every logit of slice \(\) is -inf", logits=[-INF, -INF]),
    gradient(ValueError, r"no distribution: every logit of slice \(1,\)", logits=[[0.0, 0.0], [-INF, -INF]]),
    gradient(ValueError, r"not empty, got \(2, 0\)", logits=np.zeros((2, 0))),
    gradient(ValueError, r"got \(2, 2, 2, 2\)", logits=np.zeros((2, 2, 2, 2))),
    gradient(TypeError, "logits to be real numbers, got", logits=["a"]),
    gradient(TypeError, "logits without a gradient", logits=SLOPE),
    gradient(ValueError, "n_samples to be at least 1, got 0", n_samples=0),
    gradient(TypeError, "n_samples to be an integer, got 1.5", n_samples=1.5),
    gradient(ValueError, "n_samples to be at least 2, got 1", method="leave-one-out", n_samples=1),
    gradient(ValueError, "n_samples to be at most 3, .* got 4", method="unordered set", n_samples=4),
    gradient(ValueError, "n_samples to be at most 2, .* got 3", lambda z, problem: z[:, 0],
             [[[0.0, 1.0, 2.0]], [[0.0, 1.0, -INF]]], "unordered set", n_samples=3),
    gradient(ValueError, "size not to be negative", size=-1),
    gradient(TypeError, "slope of f for the method 'reinmax', got None", method="reinmax"),
    *[gradient(ValueError, f"temperature to be one positive number, .* got {wrong}", temperature=wrong,
               method=method, slope=np.ones_like)
      for wrong in (0, -1.0, NAN, INF) for method in ("reinforce", "gumbel-softmax")],
    gradient(ValueError, "temperature to be one positive number, .* got 'a'", temperature="a"),
    gradient(ValueError, "n_conditional to be at least 1, got 0", method="gumbel-rao", slope=np.ones_like,
             n_conditional=0),
    gradient(TypeError, "n_conditional to be an integer, got 2.0", n_conditional=2.0),
    gradient(TypeError, "rng to be None, .* got Generator", rng=torch.Generator()),
    gradient(ValueError, "no class to swap with", lambda z: z[:, 0], CROSSED, "ars"),
    gradient(ValueError, "slope to return an array of shape", method="reinmax", slope=lambda x: x[:1, 0]),
    gradient(ValueError, "f to return an array of shape", lambda z: z[:-1]),
    gradient(ValueError, "values of f, .* got nan", lambda z: z * NAN),
    gradient(ValueError, "at most 1e.300 .* got 1e.308", lambda z: z * 0 + 1e308, method="leave-one-out"),
    gradient(ValueError, "at most 1e.300 .* got 1e.308", lambda z: z * 0 + 1e308, method="exact"),
    gradient(TypeError, "values of f to be real numbers", lambda z: np.array(["a"] * len(z))),
    row(ValueError, "n_repeats to be at least 2, got 1", estimator_noise, first, [0.0, 0.0], method="ar",
        n_repeats=1),
    row(TypeError, "n_repeats for the number of estimates, got size=3", estimator_noise, first, [0.0, 0.0],
        method="ar", size=3),
    row(ValueError, r"got \(1, 1, 2\)", estimator_noise, first, np.zeros((1, 1, 2)), method="ar"),
    row(ValueError, r"one variable, .* got \(2, 2\)", ascend, first, np.zeros((2, 2)), method="ar", steps=1),
    row(ValueError, "steps to be at least 1, got 0", ascend, first, np.zeros(2), method="ar", steps=0),
    row(ValueError, "n_runs to be at least 1, got 0", ascend, first, np.zeros(2), method="ar", steps=1,
        n_runs=0),
    row(TypeError, "n_records to be an integer", ascend, first, np.zeros(2), method="ar", steps=1,
        n_records=2.5),
]

# --- Hard attention -----------------------------------------------------------------------

MODEL = GlimpseModel(np.zeros(3), np.zeros((3, 3)), np.zeros((3, 2)))


def no_model(says, *parts):
    yield row(ValueError, says, all_glimpse_paths, GlimpseModel(*parts), [0])
    yield row(ValueError, says, sample_glimpses, GlimpseModel(*parts), 1)


PATHS = all_glimpse_paths(MODEL, [0, 1])
ATTENTION = [
    row(ValueError, r"one length, got shapes \(2,\) and \(1,\)", attention_bound, [0.0, 1.0], [0.0]),
    row(ValueError, "one length", attention_bound, [], []),
    row(ValueError, "one length", attention_bound, 0.0, 0.0),
    row(ValueError, r"logits of shape \(2, 2\) and log_likelihood of shape \(3, 2\)", attention_bound,
        np.zeros((2, 2)), np.zeros((3, 2))),
    row(ValueError, r"to be below infinity, got nan in logits\[0\]", attention_bound, [NAN, 0.0], [0.0, 0.0]),
    row(ValueError, r"got inf in log_likelihood\[1\]", attention_bound, [0.0, 0.0], [0.0, INF]),
    row(ValueError, r"no distribution: every logit of slice \(\)", attention_bound, [-INF, -INF], [0.0, 0.0]),
    row(TypeError, "log_likelihood to be real", attention_bound, [0.0], ["a"]),
    *no_model(r"logits of shapes .* got \(1,\), \(1, 2\)", [0.0], [[0.0, 0.0]], [[0.0]]),
    *no_model("logits of shapes", [], np.zeros((0, 0)), np.zeros((0, 2))),
    *no_model("logits of shapes", [0.0], [[0.0]], np.zeros((1, 0))),
    *no_model(r"got nan in first\[0\]", [NAN], [[0.0]], [[0.0]]),
    *no_model(r"got -inf in then\[0, 0\]", [0.0], [[-INF]], [[0.0]]),
    row(ValueError, r"labels of shape \(T,\), one or more, got \(0,\)", all_glimpse_paths, MODEL, []),
    row(ValueError, r"got \(1, 1\)", all_glimpse_paths, MODEL, [[0]]),
    row(ValueError, "labels from 0 to 1, got 2 to 2", all_glimpse_paths, MODEL, [2]),
    row(ValueError, "labels from 0 to 1, got -1 to -1", all_glimpse_paths, MODEL, [-1]),
    row(TypeError, "labels to be integers", all_glimpse_paths, MODEL, [0.5]),
    row(ValueError, r"at most 1000000 paths, got 3\*\*13", all_glimpse_paths, MODEL, [0] * 13),
    row(ValueError, r"places of shape \(n, 2\), got \(1, 1\)", all_glimpse_paths, MODEL, [0, 1],
        places=[[0]]),
    row(ValueError, "places from 0 to 2, got 0 to 3", all_glimpse_paths, MODEL, [0, 1], places=[[0, 3]]),
    row(TypeError, "places to be integers", all_glimpse_paths, MODEL, [0], places=[[0.5]]),
    row(ValueError, "all paths, got some of total probability 0.11", glimpse_gradient,
        all_glimpse_paths(MODEL, [0, 1], places=[[2, 2]])),
    row(ValueError, "got nan in baseline", glimpse_gradient, PATHS, baseline=NAN),
    row(ValueError, r"a baseline that fits shape \(9, 2\), got shape \(5,\)", glimpse_gradient, PATHS,
        baseline=np.zeros(5)),
    row(ValueError, "n_glimpses to be at least 1, got 0", sample_glimpses, MODEL, 0),
    row(TypeError, "n_glimpses to be an integer, got 1.5", sample_glimpses, MODEL, 1.5),
    row(ValueError, "size not to be negative", sample_glimpses, MODEL, 2, size=-1),
    row(TypeError, "size to be an integer", sample_glimpses, MODEL, 2, size=1.5),
    row(TypeError, "rng to be None", sample_glimpses, MODEL, 2, rng=True),
]

# --- Codes that are classes --------------------------------------------------------------------

BITS = torch.tensor([[1, 0, 1], [0, 0, 1]], dtype=torch.float64)


def trained(error, says, images=BITS, **change):
    arguments = {"steps": 1, "batch": 2, "n_variables": 2, "n_classes": 2, "hidden": (4,)} | change
    return row(error, says, fit_categorical_vae, images, **arguments)


CODES = [
    row(ValueError, "n_variables to be at least 1, got 0", CategoricalVAE, 3, n_variables=0),
    row(ValueError, "n_classes to be at least 1, got 0", CategoricalVAE, 3, n_classes=0),
    row(ValueError, "hidden to be at least 1, got 0", CategoricalVAE, 3, hidden=(4, 0)),
    row(ValueError, "n_pixels to be at least 1, got 0", CategoricalVAE, 0),
    row(TypeError, "n_classes to be an integer, got 2.5", CategoricalVAE, 3, n_classes=2.5),
    row(ValueError, "n_layers to be 1 or 2, got 3", CategoricalVAE, 3, n_layers=3),
    row(TypeError, "generator to be None, .* got str", CategoricalVAE, 3, generator="a"),
    trained(ValueError, "bits for pixels", BITS / 2),
    trained(ValueError, r"got shape \(3,\)", BITS[0]),
    trained(ValueError, r"got shape \(0, 3\)", BITS[:0]),
    trained(ValueError, "bits for pixels", BITS * NAN),
    trained(ValueError, "method to be 'exact', .* got 'magic'", method="magic"),
    trained(ValueError, "n_samples to be at least 2, got 1", n_samples=1),
    trained(ValueError, "n_layers to be 1 or 2, got 0", n_layers=0),
    trained(ValueError, "batch to be at least 1, got 0", batch=0),
    trained(TypeError, "assess_every to be an integer, got 2.5", assess_every=2.5),
    trained(TypeError, "generator to be None, .* got Generator", generator=np.random.default_rng(0)),
    row(ValueError, "n_samples to be at least 1, got 0", negative_elbo, CategoricalVAE(3), BITS, n_samples=0),
    row(TypeError, "n_samples to be an integer", negative_elbo, CategoricalVAE(3), BITS, n_samples=1.5),
    row(ValueError, r"shape \(N, 3\), got .*\(3,\)", negative_elbo, CategoricalVAE(3), BITS[0]),
    row(TypeError, "generator to be None", negative_elbo, CategoricalVAE(3), BITS, generator=True),
]

# --- Policies -------------------------------------------------------------------------------


def estimate(error, says, **options):
    return row(error, says, policy_estimate, CartPole(), Policies(4, 2, rng=0), **options)


POLICIES = [
    row(ValueError, "the name of a world of gymnasium, got 'NoSuchWorld-v0'", GymWorld, "NoSuchWorld-v0", 10),
    row(ValueError, "whose actions are numbered, got 'Pendulum-v1' with Box", GymWorld, "Pendulum-v1", 10),
    row(ValueError, "horizon to be at least 1, got 0", GymWorld, "CartPole-v1", 0),
    row(ValueError, "n_runs to be at least 1, got 0", Policies, 4, 2, n_runs=0),
    row(ValueError, "hidden to be at least 1, got 0", Policies, 4, 2, hidden=(3, 0)),
    row(TypeError, "n_actions to be an integer, got 2.5", Policies, 4, 2.5),
    row(TypeError, "rng to be None", Policies, 4, 2, rng="a"),
    estimate(ValueError, "method without branches to be 'reinforce' or 'leave-one-out', got 'arsm'",
             method="arsm"),
    estimate(ValueError, "method without branches .* got 'exact'", method="exact"),
    estimate(ValueError, "method at branches to be 'exact', .* or 'arsm', got 'reinmax'", method="reinmax",
             n_branches=1),
    estimate(ValueError, "method at branches .* got 'best'", method="best", n_branches=1),
    estimate(ValueError, "n_episodes to be at least 2, got 1", method="leave-one-out", n_episodes=1),
    estimate(ValueError, "n_branches to be at least 1, got 0", method="ar", n_branches=0),
    estimate(TypeError, "size to be an integer or a tuple of integers, got 1.5", size=1.5),
    estimate(ValueError, "size not to be negative", size=-1),
    estimate(TypeError, "rng to be None", rng=torch.Generator()),
    estimate(ValueError, "discount from 0 to 1, got 1.5", discount=1.5),
    estimate(ValueError, "discount to be one finite number", discount=NAN),
    estimate(ValueError, "a baseline for 'reinforce' without branches", method="leave-one-out",
             baseline=TimeAverage(200)),
    estimate(ValueError, "with rewards to go only", to_go=False, baseline=TimeAverage(200)),
    row(ValueError, "horizon to be at least 1, got 0", TimeAverage, 0),
    row(ValueError, "n_runs to be at least 1, got 0", TimeAverage, 5, 0),
    row(ValueError, "decay from 0 to below 1, got 1.0", TimeAverage, 5, decay=1.0),
    row(ValueError, "scale to be one positive, finite number, got 0", ValueNetwork, 4, scale=0),
    row(ValueError, "passes to be at least 1, got 0", ValueNetwork, 4, passes=0),
    row(ValueError, "n_features to be at least 1, got 0", ValueNetwork, 0),
    row(ValueError, "either steps or a budget, got steps=None and budget=None", learn_policies, CartPole()),
    row(ValueError, "either steps or a budget, got steps=1 and budget=5", learn_policies, CartPole(), steps=1,
        budget=5),
    row(ValueError, "budget to be one positive", learn_policies, CartPole(), budget=0),
    row(ValueError, "steps to be at least 1, got 0", learn_policies, CartPole(), steps=0),
    row(ValueError, "n_runs to be at least 1, got 0", learn_policies, CartPole(), steps=1, n_runs=0),
    row(TypeError, "no size, as an update is made of two estimates, got size=3", learn_policies, CartPole(),
        steps=1, size=3),
]

# --- Readers --------------------------------------------------------------------------------

TEST = load()[1]
READER, CANVASES = DigitReader(generator=0), make_canvases(TEST, 2, rng=0)
READERS = [
    row(ValueError, "n_digits to be at least 1, got 0", make_canvases, TEST, 2, n_digits=0),
    row(ValueError, "n_digits to be at most 6, the number of cells, got 7", make_canvases, TEST, 2,
        n_digits=7),
    row(ValueError, "n_cells to be at least 1, got 0", make_canvases, TEST, 2, n_cells=0),
    row(TypeError, "n_cells to be an integer, got 2.5", make_canvases, TEST, 2, n_cells=2.5),
    row(ValueError, r"images of shape \(n, 64\), one or more, got \(\d+, 5\)", make_canvases,
        TEST._replace(images=TEST.images[:, :5]), 2),
    row(ValueError, r"one or more, got \(0, 64\)", make_canvases, TEST._replace(images=TEST.images[:0]), 2),
    row(ValueError, "size not to be negative", make_canvases, TEST, -1),
    row(TypeError, "rng to be None", make_canvases, TEST, 2, rng=torch.Generator()),
    row(ValueError, "n_readers to be at least 1, got 0", DigitReader, 0),
    row(TypeError, "hidden to be an integer, got 2.5", DigitReader, hidden=2.5),
    row(TypeError, "generator to be None, .* got Generator", DigitReader, generator=np.random.default_rng(0)),
    row(ValueError, "method to be 'likelihood', .* or 'places', got 'hard'", fit_readers, TEST,
        method="hard"),
    row(ValueError, "n_samples to be at least 2, got 1", fit_readers, TEST, method="leave-one-out",
        n_samples=1),
    row(ValueError, "n_samples to be at least 1, got 0", fit_readers, TEST, method="reinforce", n_samples=0),
    row(ValueError, "means from 0 to 1, got 1.5", fit_readers, TEST, method="reinforce", means=1.5),
    row(ValueError, "decay from 0 to below 1, got 1", fit_readers, TEST, method="reinforce", decay=1),
    row(ValueError, "batch to be at least 1, got 0", fit_readers, TEST, method="bound", batch=0),
    row(ValueError, "temperature to be one positive number", fit_readers, TEST, method="gumbel",
        temperature=0),
    row(TypeError, "generator to be None, .* got str", fit_readers, TEST, method="bound", generator="a"),
    row(ValueError, "method to be 'reinforce', .* or 'gumbel', got 'soft'", attention_noise, READER, CANVASES,
        method="soft"),
    row(ValueError, "n_samples to be at least 2, got 1", attention_noise, READER, CANVASES, method="swaps",
        n_samples=1),
    row(ValueError, "temperature to be one positive number", attention_noise, READER, CANVASES,
        method="gumbel", temperature=-1.0),
    row(TypeError, "generator to be None", attention_noise, READER, CANVASES, method="swaps", generator=1.5),
    row(ValueError, r"logits of shape \(2,\) and values of shape \(3,\)", swap_gradient, torch.zeros(2),
        torch.zeros(3)),
    row(TypeError, "generator to be None", swap_gradient, torch.zeros(2), torch.zeros(2), generator="a"),
]

# --- Groups, divergences, SeqGAN ----------------------------------------------------------------

TWO = [0.0, 0.0]
LOGITS, REWARDS = np.zeros((13, 3)), np.zeros(27)
DATA = torch.zeros(4, 3, dtype=torch.long)


def changed(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


def small():
    return Tabular(LOGITS), Judge(3, {1: 2}, embedding=2), DATA


def likelihood(**options):
    return fit_likelihood(small()[0], DATA, **{"steps": 1} | options)


def seqgan(**options):
    return fit_seqgan(*small(), **{"steps": 1} | options)


def judged(**options):
    model, judge, data = small()
    return fit_judge(judge, model, data, **{"steps": 1} | options)


READ = {  # with the name of an argument, which is a function of what stands there
    "logits": [lambda x: expected_group_update(x, TWO, 2), sequence_log_probs, Tabular],
    "values": [partial(noise_drift, [TWO])],
    "rewards": [advantages, lambda x: expected_group_update(TWO, x, 2), partial(action_values, [TWO]),
                partial(sequence_gradient, [TWO]), lambda x: prefix_process(x, 2, 1),
                lambda x: rollout_values([TWO], [[0]], x, n_rollouts=1),
                partial(rollout_gradient, [TWO])],
    "lengths": [lambda x: expected_group_update(TWO, TWO, 2, lengths=x)],
    "scores": [lambda x: expected_group_update(TWO, TWO, 2, scores=x)],
    "log_ratios": [estimate_kl],
    "mu_p": [lambda x: squared_ratio(x, 1, 0, 1)],
}
COUNTED = [
    ("n_samples", 1, [partial(rollout_gradient, LOGITS, REWARDS),
                      partial(scores, Tabular([TWO]), Tabular([TWO]))]),
    ("n_samples", 2, [partial(rollout_gradient, LOGITS, REWARDS, baseline="leave-one-out")]),
    ("n_rollouts", 1, [partial(rollout_values, LOGITS, [[0, 1, 2]], REWARDS),
                       partial(rollout_gradient, LOGITS, REWARDS)]),
    ("n_rollouts", 0, [seqgan]),
    ("group_size", 2, [partial(expected_group_update, TWO, TWO)]),
    ("vocabulary", 1, [partial(all_sequences, length=2), partial(prefix_process, REWARDS, length=3),
                       lambda vocabulary: Recurrent(vocabulary, 3)]),
    ("length", 1, [partial(all_sequences, 2), partial(prefix_process, REWARDS, 3),
                   lambda length: Recurrent(3, length)]),
    ("size", 0, [lambda size: Tabular([TWO]).sample(size)]),
    ("batch", 1, [likelihood, seqgan, judged]),
    ("batch", 2, [partial(seqgan, baseline="leave-one-out")]),
    ("steps", 0, [likelihood, seqgan, judged]),
    ("every", 1, [likelihood, seqgan]),
    ("judge_steps", 0, [seqgan]),
]
FINITE = [  # a function of one array in which an entry is NaN or infinite, with its name
    ("rewards", advantages), ("rewards", lambda x: expected_group_update(TWO, x, 2)),
    ("lengths", lambda x: expected_group_update(TWO, TWO, 2, lengths=x)),
    ("rewards", partial(action_values, [TWO])), ("rewards", lambda x: prefix_process(x, 2, 1)),
    ("values", partial(noise_drift, [TWO])),
    ("mu_p", lambda x: squared_ratio(x, 1, 0, 1)),
]
GROUPS = [
    *types(READ),
    *counts(COUNTED),
    *rows(TypeError, "expected rng to be None, an integer or a numpy.random.Generator, got Generator",
          [partial(rollout_values, LOGITS, [[0, 1, 2]], REWARDS, n_rollouts=1),
           partial(rollout_gradient, LOGITS, REWARDS)], rng=torch.Generator()),
    *rows(TypeError, "expected generator to be None, an integer or a torch.Generator, got Generator",
          [likelihood, seqgan, judged, partial(Recurrent, 3, 3), partial(Judge, 3, {1: 2}),
           partial(Tabular([TWO]).sample, 2), partial(scores, Tabular([TWO]), Tabular([TWO]), n_samples=2)],
          generator=np.random.default_rng(0)),
    *[row(ValueError, "baseline to be None, a finite number or 'leave-one-out', got", rollout_gradient,
          LOGITS, REWARDS, baseline=bad)
      for bad in ("mean", "loo", NAN, INF, 1j, [1.0, 2.0], np.zeros(3))],
    row(ValueError, "baseline to be None or 'leave-one-out', got 0.5", seqgan, baseline=0.5),
    *[row(ValueError, "reward other than 'judge' to be one finite number, got", seqgan, reward=bad)
      for bad in ("none", NAN)],
    *rows(ValueError, "kind to be 'leave-one-out', 'mean' or 'standardised', got 'std'",
          [partial(advantages, [1.0, 2.0]), partial(expected_group_update, TWO, TWO, 2)], kind="std"),
    *[row(ValueError, rf"expected finite numbers, got {bad} in {name}\[1\]", read, [1.0, bad])
      for name, read in FINITE for bad in (NAN, INF, -INF)],
    *[row(ValueError, rf"finite numbers, got {bad} in scores\[0, 1\]", expected_group_update, TWO, TWO, 2,
          scores=[[0.0, bad], [0.0, 0.0]]) for bad in (NAN, INF)],
    *[row(ValueError, rf"logits to be finite, or -inf for .*, got {bad} in logits\[1\]",
          expected_group_update, [0.0, bad], TWO, 2) for bad in (NAN, INF)],
    *[row(ValueError, rf"finite, or -inf for words that never come, got {bad} in logits\[0, 1\]",
          sequence_log_probs, changed(LOGITS, (0, 1), bad)) for bad in (NAN, INF)],
    row(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", sequence_log_probs,
        changed(LOGITS, 1, -INF)),
    *[row(ValueError, f"sigma_q to be positive, got {bad}", squared_ratio, 0, 1, 0, bad)
      for bad in (0.0, -1.0)],
    *[row(ValueError, f"lengths to be positive, got {bad}", expected_group_update, TWO, TWO, 2,
          lengths=[1.0, bad]) for bad in (0.0, -1.0)],
    *[row(ValueError, rf"log_ratios below inf, .* got {bad} in log_ratios\[0, 1\]", estimate_kl, [[0.0, bad]],
          corrected=corrected) for bad in (NAN, INF) for corrected in (False, True)],
    row(ValueError, "lag from 0 to 1, got 1.5", seqgan, lag=1.5),
    row(ValueError, "clip to be one positive, finite number, got 0", seqgan, clip=0),
    row(ValueError, "scale to be one positive, finite number, got 0", Recurrent, 3, 3, scale=0),
    row(ValueError, "dropout to be at least 0 and less than 1, got 1", Judge, 3, {1: 2}, dropout=1),
    row(ValueError, r"logits and rewards of shape \(C,\), got \(2,\) and \(3,\)", expected_group_update, TWO,
        [1.0, 2.0, 3.0], 2),
    *[row(ValueError, "rewards of two draws or more, got shape", advantages, bad)
      for bad in (1.0, [1.0], np.zeros((3, 1)))],
    *[row(ValueError, r"lengths of shape \(2,\) and scores of shape \(2, D\), got", expected_group_update,
          TWO, TWO, 2, **bad) for bad in ({"lengths": [1.0]}, {"scores": [1.0, 2.0]}, {"scores": [[1.0]]})],
    *[row(ValueError, "log_ratios of two draws or more, got shape", estimate_kl, bad)
      for bad in (1.0, [], [1.0], np.zeros((4, 1)))],
    row(ValueError, r"shapes that fit, got mu_p of shape \(2,\) and .* mu_q of shape \(3,\)", squared_ratio,
        [1, 2], 1, [1, 2, 3], 1),
    *[row(ValueError, "one row for each prefix, got", sequence_log_probs, bad)
      for bad in (LOGITS[:5], LOGITS[0], np.zeros((0, 3)))],
    *rows(ValueError, r"rewards of shape \(27,\), one for each sequence, got \(5,\)",
          [action_values, sequence_gradient, rollout_gradient], LOGITS, REWARDS[:5]),
    row(ValueError, r"rewards of shape \(27,\), .* got \(5,\)", prefix_process, REWARDS[:5], 3, 3),
    row(ValueError, r"values of shape \(27,\), .* got \(5,\)", noise_drift, LOGITS, REWARDS[:5]),
    row(ValueError, r"sequences of shape \(M, 3\), got \(1, 2\)", rollout_values, LOGITS, [[0, 1]], REWARDS,
        n_rollouts=1),
    row(TypeError, "sequences to be integers, got an array of type float64", rollout_values, LOGITS,
        [[0.0, 1.0, 2.0]], REWARDS, n_rollouts=1),
    row(ValueError, "sequences from 0 to 2, got 0 to 3", rollout_values, LOGITS, [[0, 1, 3]], REWARDS,
        n_rollouts=1),
    row(ValueError, r"one vocabulary and length, got \(2, 1\) and \(3, 1\)", scores, Tabular([TWO]),
        Tabular(np.zeros((1, 3)))),
    row(ValueError, "expected method to be .*, got 'other'", go_on, "other", seed=0, budget=1),
    row(ValueError, "method to be '.*, got 'luck'", groups.learn, "luck", seed=0, budget=2),
    row(ValueError, "budget to be at least 1, got 0", groups.learn, "untrained", seed=0, budget=0),
    row(ValueError, "at most 1000000 groups, got", expected_group_update, np.zeros(10), np.zeros(10), 40),
    row(ValueError, r"at most 1000000 sequences, got 10\*\*7", all_sequences, 10, 7),
]


@pytest.mark.parametrize("refusal", [*ARSM, *ESTIMATORS, *ATTENTION, *CODES, *POLICIES, *READERS, *GROUPS])
def test_what_is_refused(refusal):
    refusal.check()
