"""What `softmaxnotes.softmax` refuses."""

import numpy as np
import pytest
import torch
from refusals import row, rows

from softmaxnotes.experiments.softmax.entropy import entropy_level
from softmaxnotes.experiments.softmax.fitting_choices import empirical_prior, predict
from softmaxnotes.experiments.softmax.square_loss import learn_digits
from softmaxnotes.softmax import (
    bandit,
    bernoulli_nll,
    categorical_nll,
    class_logits,
    cue_value_derivatives,
    cue_values,
    fit,
    log_likelihood,
    log_likelihood_hessian,
    log_sigmoid,
    log_softmax,
    logit,
    logsumexp,
    maximum_entropy,
    online_logsumexp,
    profile,
    sigmoid,
    simulate,
    softmax,
    squared_loss,
)

INF, NAN = np.inf, np.nan
MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])
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


# --- maximum entropy ------------------------------------------------------------------

DIE = np.arange(1, 7)

ENTROPY = [
    *[row(ValueError, f"mean from 1.0 to 6.0, the ends of the payoffs, got {bad} in mean", maximum_entropy,
          DIE,
          bad) for bad in (0.99, 6.01, NAN, INF)],
    row(ValueError, r"got 7.0 in mean\[1\]", maximum_entropy, DIE, [3.0, 7.0]),
    *[row(ValueError, r"payoff of shape \(n,\) with n > 0, got", maximum_entropy, bad, 1.0)
      for bad in ([], [[1.0, 2.0]], 1.0)],
    *[row(ValueError, "finite numbers, got .* in payoff", maximum_entropy, bad, 1.0)
      for bad in ([1.0, INF], [NAN, 1.0])],
    *[row(TypeError, "payoff to be real numbers, got", maximum_entropy, bad, 1.0) for bad in (["a"], [1j])],
    row(TypeError, "payoff without a mask, got", maximum_entropy, MASKED, 1.0),
    row(TypeError, "payoff without a gradient, got", maximum_entropy, GRADIENT, 1.0),
    row(TypeError, "mean to be real numbers, got", maximum_entropy, DIE, "a"),
    *[row(ValueError, "entropy from 0 to log 3, got", entropy_level, bad, [0.0]) for bad in (-0.1, 1.2, NAN)],
]

# --- Learners -------------------------------------------------------------------------------


def learner(error, says, functions=(log_likelihood, log_likelihood_hessian), **change):
    arguments = {"alpha": 0.5, "beta": 1.0, "choices": [0, 1], "rewards": [1.0, 0.0]} | change
    return rows(error, says, functions, **arguments)


def trials(error, says, **change):
    """Of those that read trials, whatever they do with them."""
    arguments = {"choices": [0, 1], "rewards": [1.0, 0.0]} | change
    yield from learner(error, says, **change)
    yield from rows(error, says, [cue_values, cue_value_derivatives, profile], alpha=0.5, **arguments)
    yield row(error, says, fit, **arguments)


ZEROS = np.zeros((2, 2))
TABLE = [[1.0, 0.0]]
LEARNERS = [
    *learner(ValueError, "alpha from 0 to 1, got 1.1 in alpha", alpha=1.1),
    *learner(ValueError, r"alpha from 0 to 1, got -0.1 in alpha\[1\]", alpha=[0.5, -0.1]),
    *learner(ValueError, "finite numbers, .* got nan in alpha", alpha=NAN),
    *learner(ValueError, "finite numbers, .* got inf in beta", beta=INF),
    *learner(TypeError, "beta to be real", beta=1j),
    *learner(ValueError, r"got \(2,\) in choices and \(3,\) in alpha", alpha=[0.1] * 3, choices=[[0, 1]] * 2),
    *learner(ValueError, "scored to be 'before' or 'after', got 'later'", scored="later"),
    *rows(ValueError, "scored to be 'before' or 'after'", [fit], [0, 1], [1.0, 0.0], scored="never"),
    *rows(ValueError, "scored to be 'before' or 'after'", [profile], 0.5, [0, 1], [1.0, 0.0], scored="never"),
    *rows(ValueError, "alpha from 0 to 1, got 2.0", [cue_values, cue_value_derivatives, profile], 2.0, [0],
          [1.0]),
    *trials(TypeError, "choices to be integers, got an array of type float64", choices=[0.0, 1.0]),
    *trials(TypeError, "choices to be integers, got an array of type bool", choices=[True, False]),
    *trials(TypeError, "choices to be integers, got an array of type object", choices=None),
    *trials(ValueError, "numbers of cues, or -1 for none, got -2", choices=[0, -2]),
    *trials(ValueError, r"choices of shape \(..., T\), got 1", choices=1),
    *trials(ValueError, r"rewards of shape \(..., 2\), got \(1,\)", rewards=[1.0]),
    *trials(ValueError, r"\(2,\) in choices and \(3,\) in rewards", choices=[[0, 1]] * 2,
            rewards=np.zeros((3, 2))),
    *trials(ValueError, r"got inf in rewards\[0\]", rewards=[INF, 0.0]),
    *trials(ValueError, r"at most 1e.150 in size, got 1e.200 in rewards\[0\]", rewards=[1e200, 0.0]),
    *trials(TypeError, "rewards to be real", rewards=["1", "0"]),
    *trials(TypeError, "rewards without a gradient", rewards=GRADIENT),
    *trials(ValueError, "choices below 2, the number of cues in rewards, got 2", choices=[0, 2],
            rewards=ZEROS),
    *trials(ValueError, "there are so many cues, got a choice of cue 999", choices=[0, 999]),
    *trials(TypeError, "present to be boolean, got an array of type int64", present=[[1, 1], [1, 1]]),
    *trials(ValueError, "got one of an absent cue in trial 1", present=[[True, True], [True, False]]),
    *trials(ValueError, r"in each trial, got none in present\[1\]", present=[[True, True], [False, False]]),
    *trials(ValueError, r"present of shape \(..., 2, 2\), got \(3, 2\)", present=[[True, True]] * 3),
    *trials(ValueError, r"present of shape \(..., T, K\), got \(2,\)", present=[True, True]),
    *trials(ValueError, "as many cues everywhere, got 2 in rewards and 3 in v0", v0=[0.0] * 3, rewards=ZEROS),
    *trials(ValueError, "got nan in v0", v0=NAN),
    *rows(ValueError, "n_cues to be at least 0, got -1", [cue_values, cue_value_derivatives], 0.5, [0], [1.0],
          n_cues=-1),
    *rows(ValueError, "choices below 2, the number of cues in n_cues, got 2",
          [cue_values, cue_value_derivatives], 0.5, [2], [1.0], n_cues=2),
    *rows(TypeError, "n_cues to be an integer, got True", [cue_values, cue_value_derivatives], 0.5, [0],
          [1.0], n_cues=True),
    row(ValueError, r"chances from 0 to 1, got 1.5 in chances\[1\]", bandit, 3, (0.5, 1.5)),
    row(ValueError, r"chances of shape \(K,\), one or more, got \(0,\)", bandit, 3, ()),
    row(ValueError, r"chances of shape .* got \(1, 2\)", bandit, 3, [[0.5, 0.5]]),
    row(TypeError, "chances to be real", bandit, 3, ("a",)),
    row(ValueError, "drift not to be negative, got -1.0", bandit, 3, drift=-1),
    row(ValueError, "drift to be one finite number, got inf", bandit, 3, drift=INF),
    row(ValueError, "drift to be one finite number, got 'a'", bandit, 3, drift="a"),
    row(ValueError, "n_trials to be at least 0, got -1", bandit, -1),
    row(TypeError, "n_trials to be an integer, got 2.5", bandit, 2.5),
    row(ValueError, "n_subjects to be at least 0, got -1", bandit, 3, n_subjects=-1),
    row(TypeError, "rng to be None", bandit, 3, rng="a"),
    row(ValueError, r"got \(3,\) in n_subjects and \(4,\) in rewards", simulate, 0.5, 1.0,
        np.zeros((4, 3, 2)), n_subjects=3),
    row(TypeError, "n_subjects to be an integer, got 1.5", simulate, 0.5, 1.0, TABLE, n_subjects=1.5),
    row(ValueError, r"rewards of shape \(..., T, K\) .* got \(2,\)", simulate, 0.5, 1.0, [1.0, 0.0]),
    row(ValueError, r"got inf in rewards\[0, 0\]", simulate, 0.5, 1.0, [[INF, 0.0]]),
    row(ValueError, "feedback to be 'chosen' or 'all', got 'none'", simulate, 0.5, 1.0, TABLE,
        feedback="none"),
    row(ValueError, r"got none in present\[0\]", simulate, 0.5, 1.0, TABLE, present=[[False, False]]),
    row(ValueError, r"present of shape \(..., 1, 2\), got \(1, 3\)", simulate, 0.5, 1.0, TABLE,
        present=[[True] * 3]),
    row(ValueError, r"got \(3,\) in rewards and \(2,\) in alpha", simulate, [0.5, 0.1], 1.0,
        np.zeros((3, 4, 2))),
    row(ValueError, r"v0 to be a number or of shape \(2,\), got \(3,\)", simulate, 0.5, 1.0, TABLE,
        v0=[0.0] * 3),
    row(TypeError, "rng to be None", simulate, 0.5, 1.0, TABLE, rng=torch.Generator()),
    row(ValueError, r"alpha_bounds within \[0, 1\], got \(-0.1, 1\)", fit, [0, 1], [1.0, 0.0],
        alpha_bounds=(-0.1, 1)),
    row(ValueError, "alpha_bounds to be two finite numbers in order", fit, [0, 1], [1.0, 0.0],
        alpha_bounds=(0.5, 0.5)),
    *[row(ValueError, "beta_bounds to be two finite numbers in order, got", function, *arguments, [0, 1],
          [1.0, 0.0], beta_bounds=wrong)
      for wrong in ((0, INF), (0, 1, 2), 5) for function, arguments in (
          (fit, ()), (profile, (0.5,)))],
    row(ValueError, "n_grid to be at least 3, got 2", fit, [0, 1], [1.0, 0.0], n_grid=2),
    row(TypeError, "n_grid to be an integer, got 5.5", fit, [0, 1], [1.0, 0.0], n_grid=5.5),
    row(ValueError, "method", predict, "by heart", seed=0, budget=25),
    row(TypeError, "budget to be an integer", predict, "guessing", seed=0, budget=2.5),
    row(ValueError, "max_iterations to be at least 1", empirical_prior, np.zeros((2, 3)), np.ones((3, 1)),
        max_iterations=0),
]


@pytest.mark.parametrize("refusal", REFUSED + ENTROPY + LEARNERS)
def test_what_is_refused(refusal):
    refusal.check()
