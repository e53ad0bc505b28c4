"""What the functions on gradients of expectations refuse, their experiments included."""

from functools import partial

import numpy as np
import pytest
import torch

from softmaxnotes.experiments.gradients.gaussian_kl import digit_normals, normals_at
from softmaxnotes.experiments.gradients.gradient_noise import approximate
from softmaxnotes.experiments.gradients.implicit import believe
from softmaxnotes.experiments.gradients.vae import (
    assess,
    bits_alone,
    fit_vae,
    forced,
    longer,
    rival,
    through,
    two_forces,
)
from softmaxnotes.experiments.gradients.vae_codes import (
    code_ledger,
    in_use,
    linked,
    parted,
    regulariser_parts,
    steady,
    weighed,
)
from softmaxnotes.gradients import (
    VAE,
    DecisionProcess,
    Gaussian,
    MovingAverage,
    all_paths,
    best_baseline,
    binarise,
    closest_normal,
    dirichlet_slope,
    elbo,
    elbo_quadrature,
    exact_gradient,
    gamma_slope,
    gradient_noise,
    importance_weighted_bound,
    kl_diag_standard,
    kl_mvn,
    kl_normal,
    log_evidence,
    path_scores,
    pathwise_gradient,
    policy_gradient,
    reparameterise,
    score_function_gradient,
    score_function_variance,
)
from tests.refusals import counts, row, rows, types

INF, NAN = np.inf, np.nan
TWO, EYE = [0.0, 0.0], np.eye(2)
FACTOR = np.array([[2.0, 0.0, 0.0], [-1.0, 0.5, 0.0], [0.3, 1.0, 1.5]])


def square(z):
    return z**2


def changed(array, place, value):
    array = np.array(array, dtype=float)
    array[place] = value
    return array


# --- Types: no text, no complex numbers, no masks, no gradient that would be lost ----

READ = {  # with the name of an argument, which is a function of what stands there
    "logits": [partial(exact_gradient, square), partial(score_function_gradient, square),
               lambda x: score_function_variance(x, TWO), lambda x: best_baseline(x, TWO),
               lambda x: path_scores(x, [0], [0])],
    "values": [partial(score_function_variance, TWO), partial(best_baseline, TWO)],
    "mean": [lambda x: pathwise_gradient(square, Gaussian(x, TWO)),
             lambda x: two_forces(x, 0, observation=1)],
    "log_std": [lambda x: gradient_noise(square, Gaussian(0, x)), lambda x: two_forces(0, x, observation=1)],
    "values of f": [lambda x: exact_gradient(lambda z: x, TWO),
                    lambda x: score_function_gradient(lambda z: x, TWO, n_samples=2)],
    "start": [lambda x: all_paths(DecisionProcess(x, np.full((2, 2, 2), 0.5), EYE), EYE, 1)],
    "mu_p": [lambda x: kl_normal(x, 1, 0, 1)],
    "mu_q": [lambda x: kl_normal(0, 1, x, 1), lambda x: kl_mvn(TWO, EYE, x, EYE)],
    "cov_p": [lambda x: kl_mvn(TWO, x, TWO, EYE)],
    "log_var": [partial(kl_diag_standard, TWO)],
    "means": [lambda x: closest_normal([0.5, 0.5], x, [1, 1], direction="reverse"),
              lambda x: regulariser_parts(x, EYE)],
    "x": [lambda x: gamma_slope(x, 1.0), lambda x: dirichlet_slope(x, [1, 1]),
          reparameterise("normal").log_prob],
    "concentration": [partial(dirichlet_slope, [0.5, 0.5])],
    "noise": [reparameterise("normal").transform],
    "loc": [lambda x: reparameterise("normal", loc=x)],
    "images": [binarise],
    "encoder_logits": [lambda x: code_ledger(x, EYE)],
    "data_logits": [lambda x: code_ledger(EYE, EYE, data_logits=x)],
}
TYPES = [  # tensors with a gradient are what the last three are for
    *types(READ, differentiable=("loc", "x", "noise")),
    row(TypeError, "mu_q to be real numbers up to float64, got an array of type float128|longdouble",
        kl_normal, 0, 1, np.longdouble(1), 1),
    row(TypeError, "mu_q to be real numbers", kl_normal, 0, 1, None, 1),
    row(TypeError, "shape to be real numbers", gamma_slope, 1.0, "1"),
    *rows(TypeError, "images to be a tensor, got ndarray",
          [partial(f, VAE(6)) for f in (elbo, elbo_quadrature, log_evidence, importance_weighted_bound)],
          np.zeros((2, 6))),
]

# --- Numbers of things, repetitions, randomness, words ------------------------------

UNIT = Gaussian(0.0, 0.0)
NET, IMAGES = VAE(6, hidden=3), torch.zeros(2, 6, dtype=torch.float64)
COUNTED = [
    ("n_samples", 1, [partial(score_function_gradient, square, TWO), partial(pathwise_gradient, square, UNIT),
                      partial(score_function_variance, TWO, TWO), partial(elbo, NET, IMAGES),
                      partial(importance_weighted_bound, NET, IMAGES)]),
    ("n_samples", 2, [partial(score_function_gradient, square, TWO, baseline="leave-one-out"),
                      partial(score_function_variance, TWO, TWO, baseline="leave-one-out")]),
    ("n_nodes", 2, [partial(gradient_noise, square, UNIT)]),
    ("n_nodes", 1, [partial(elbo_quadrature, NET, IMAGES), partial(assess, NET, IMAGES),
                    partial(regulariser_parts, EYE, EYE)]),
    ("n_components", 1, [digit_normals]),
    ("n_points", 2, [partial(normals_at, 1.0, direction="to")]),
    ("horizon", 1, [partial(f, DecisionProcess([1.0], np.ones((1, 2, 1)), [TWO]), [TWO])
                    for f in (all_paths, policy_gradient)]),
    ("limit", 1, [partial(exact_gradient, square, TWO)]),
    ("n_pixels", 1, [VAE]),
    ("n_codes", 1, [partial(VAE, 6), partial(fit_vae, IMAGES, steps=1)]),
    ("hidden", 1, [partial(VAE, 6), partial(fit_vae, IMAGES, steps=1)]),
    ("batch", 1, [partial(fit_vae, IMAGES, steps=1)]),
    ("steps", 0, [partial(fit_vae, IMAGES)]),
]
SIZED = [partial(score_function_gradient, square, TWO), partial(pathwise_gradient, square, UNIT),
         reparameterise("normal").noise, reparameterise("normal").sample]
DRAWING_TENSORS = [
    partial(VAE, 6), partial(elbo, NET, IMAGES), partial(importance_weighted_bound, NET, IMAGES),
    partial(fit_vae, IMAGES, steps=1)]
WORDS = [
    *rows(TypeError, "expected size to be an integer or a tuple of integers, got 1.5", SIZED, size=1.5),
    *rows(ValueError, r"expected size not to be negative, got \(-1,\)", SIZED, size=-1),
    *rows(TypeError, "expected rng to be None, an integer or a numpy.random.Generator, got Generator",
          SIZED, rng=torch.Generator()),
    *rows(TypeError, "expected generator to be None, an integer or a torch.Generator, got Generator",
          DRAWING_TENSORS, generator=np.random.default_rng(0)),
    *[row(ValueError, "baseline to be None, a finite number or 'leave-one-out', got", function, baseline=bad)
      for bad in ("mean", "loo", NAN, INF, 1j, [1.0, 2.0], np.zeros(3))
      for function in (partial(score_function_gradient, square, TWO),
                       partial(score_function_variance, TWO, TWO))],
    *[row(ValueError, "baseline to be one finite number, got", gradient_noise, square, UNIT, baseline=bad)
      for bad in (NAN, "mean")],
    row(ValueError, "direction to be 'forward' or 'reverse', got 'both'", closest_normal, [1], [0], [1],
        direction="both"),
    row(ValueError, "direction to be 'to' or 'from', got 'forward'", normals_at, 1.0, direction="forward"),
    row(ValueError, "name to be 'exponential', 'cauchy'.* or 'kumaraswamy', got 'cosine'", reparameterise,
        "cosine"),
]

# --- Parameters of laws ------------------------------------------------------------

FINITE = [  # a function of one array in which an entry is NaN or infinite, with its name
    ("mean", lambda x: pathwise_gradient(square, Gaussian(x, TWO))),
    ("values", partial(score_function_variance, TWO)), ("values", partial(best_baseline, TWO)),
    *[(name, lambda x, name=name: kl_normal(**{"mu_p": 0, "sigma_p": 1, "mu_q": 0, "sigma_q": 1} | {name: x}))
      for name in ("mu_p", "mu_q")],
    *[(name, lambda x, name=name: kl_diag_standard(**{"mu": TWO, "log_var": TWO} | {name: x}))
      for name in ("mu", "log_var")],
    ("mu_q", lambda x: kl_mvn(TWO, EYE, x, EYE)),
    ("means", lambda x: closest_normal([0.5, 0.5], x, [1.0, 1.0], direction="forward")),
    ("weights", lambda x: closest_normal(x, TWO, [1.0, 1.0], direction="forward")),
    ("log_std", lambda x: two_forces(0.0, x, observation=1.0)),
    ("prior_logits", lambda x: code_ledger(EYE, EYE, prior_logits=x)),
]
PARAMETERS = [
    *[row(ValueError, rf"expected finite numbers, got {bad} in {name}\[1\]", read, [1.0, bad])
      for name, read in FINITE for bad in (NAN, INF, -INF)],
    *[row(ValueError, rf"finite numbers, got {bad} in {name}\[0, 1\]", read, [[0.0, bad], [0.0, 0.0]])
      for bad in (NAN, INF)
      for name, read in (("logits", lambda x: path_scores(x, [0], [0])),
                         ("cov_p", lambda x: kl_mvn(TWO, x, TWO, EYE)),
                         ("cov_q", lambda x: kl_mvn(TWO, EYE, TWO, x)),
                         ("means", lambda x: regulariser_parts(x, EYE)),
                         ("log_vars", lambda x: regulariser_parts(EYE, x)),
                         ("encoder_logits", lambda x: code_ledger(x, EYE)),
                         ("decoder_logits", lambda x: code_ledger(EYE, x)))],
    *[row(ValueError, rf"logits to be finite, or -inf for .*, got {bad} in logits\[1\]", read, [0.0, bad])
      for bad in (NAN, INF) for read in (
          partial(exact_gradient, square), partial(score_function_gradient, square),
          lambda x: score_function_variance(x, TWO))],
    row(ValueError, r"no distribution: every logit of slice \(\) is -inf", exact_gradient, square,
        [-INF, -INF]),
    row(ValueError, r"no distribution: every logit of slice \(1,\) is -inf", score_function_gradient, square,
        [TWO, [-INF, -INF]]),
    row(ValueError, "no best baseline: one category has all the probability", best_baseline,
        [0.0, -INF, -800.0], [1.0, 9.0, 4.0]),
    *[row(ValueError, "log_std to have a positive, finite exponential, got .* in log_std$", gradient_noise,
          square, Gaussian(0.0, bad)) for bad in (INF, NAN, -INF, 710.0, -800.0)],
    *[row(ValueError, f"expected {name} to be positive, got {bad}", function, **{name: [1.0, bad]})
      for bad in (0.0, -1.0, -0.0, NAN, -INF)
      for name, function in (("sigma_p", partial(kl_normal, mu_p=0, mu_q=0, sigma_q=1)),
                             ("sigma_q", partial(kl_normal, mu_p=0, mu_q=0, sigma_p=1)))],
    row(ValueError, "stds to be positive, got 0.0", closest_normal, [0.5, 0.5], TWO, [1.0, 0.0],
        direction="forward"),
    row(ValueError, "finite numbers, got inf in sigma_p", kl_normal, 0, INF, 0, 1),
    row(ValueError, r"finite numbers, got nan in mu_q\[1, 5000\]", kl_normal, 0, 1,
        changed(np.zeros((2, 10_000)), (1, 5000), NAN), 1),
    row(ValueError, r"finite numbers, got nan in mu\[1, 0, 2\]", kl_diag_standard,
        changed(np.zeros((3, 2, 4)), (1, 0, 2), NAN), np.zeros((3, 2, 4))),
    *[row(ValueError, "weights that aren't negative and sum to one, got", closest_normal, weights, TWO,
          [1.0, 1.0], direction="reverse") for weights in ([0.5, 0.6], [0.5, 0.5 + 1e-14], [1.5, -0.5])],
    row(ValueError, "standard deviations down to 1/3000 of the largest, got 1/", closest_normal, [0.5, 0.5],
        TWO, [1.0, 1e-4], direction="reverse"),
    *[row(ValueError, "x to be finite and not negative, got", gamma_slope, bad, 2.0)
      for bad in (-1.0, INF, NAN)],
    *[row(ValueError, rf"shape from 1e-3 to 1e6, got {bad} in shape\[1\]", gamma_slope, 1.0, [1.0, bad])
      for bad in (0.0, NAN)],
    row(ValueError, r"concentration from 1e-2 to 1e4, got 0.001 in concentration\[1\]", dirichlet_slope,
        [0.5, 0.5], [1.0, 1e-3]),
    row(ValueError, r"x to be shares between 0 and 1, got 0.0 in x\[0\]", dirichlet_slope, [0.0, 1.0],
        [1, 1]),
    row(ValueError, "x to be shares that sum to 1, got 1.1 in x$", dirichlet_slope, [0.5, 0.6], [1.0, 1.0]),
    *[row(ValueError, "kl to be between 0 and 100, got", normals_at, bad, direction="to")
      for bad in (0, -1.0, NAN, INF, 101, [1.0])],
    row(ValueError, "n_components to be at most 60, got 61", digit_normals, 61),
    *[row(ValueError, r"images from 0 to 1, got .* in images\[0, 0\]", binarise, [[bad]])
      for bad in (-0.1, 1.1, NAN)],
    row(ValueError, "threshold to be one finite number, got nan", binarise, [[0.5]], threshold=NAN),
    *[row(ValueError, "noise_var to be one positive, finite number, got", two_forces, 0.0, 0.0,
          observation=1.0, noise_var=bad) for bad in (0, -1, NAN)],
    row(ValueError, "reconstruction to be one finite number, got nan", fit_vae, IMAGES, steps=1,
        reconstruction=NAN),
    *[row(ValueError, f"decay from 0 to below 1, got {bad}", MovingAverage, bad) for bad in (-0.1, 1, 2.0)],
    row(ValueError, "decay to be one finite number, got nan", MovingAverage, NAN),
    row(ValueError, "n_problems to be at least 1, got 0", MovingAverage, n_problems=0),
    row(ValueError, r"one or more values, got shape \(0,\)", MovingAverage().update, []),
    row(ValueError, r"for 2 problems in the last axis, got shape \(3,\)", MovingAverage(n_problems=2).update,
        [1.0, 2.0, 3.0]),
    row(ValueError, "finite numbers, got nan in values", MovingAverage().update, [1.0, NAN]),
    row(ValueError, "baseline to be None, a finite number", score_function_gradient, square, TWO,
        baseline=MovingAverage(n_problems=2)),
    row(ValueError, "observation to be one finite number, got inf", two_forces, 0.0, 0.0, observation=INF),
    *[row(ValueError, f"{name} to be one positive, finite number, got {bad}", function, NET, IMAGES,
          **{name: bad})
      for name, bad in (("reach", 0), ("step", -1), ("step", NAN)) for function in (log_evidence, assess)],
]

# --- Shapes ------------------------------------------------------------------------

GOOD = np.zeros((2, 3))
SHAPES = [
    *[row(ValueError, r"logits of shape \(C,\) or \(K, C\), not empty, got", exact_gradient, square, bad)
      for bad in (1.0, [], np.zeros((2, 0)), np.zeros((2, 2, 2)))],
    *[row(ValueError, r"mean and log_std of one shape, \(d,\) or \(\), got", function, square, bad)
      for bad in (Gaussian([1.0], [1.0, 2.0]), Gaussian([0.0, 1.0], 0.0), Gaussian(EYE, EYE))
      for function in (score_function_gradient, pathwise_gradient, gradient_noise)],
    row(ValueError, r"scalar parameters, got shape \(1,\)", gradient_noise, square, Gaussian([1.0], [0.0])),
    *rows(ValueError, r"logits and values of shape \(C,\), got \(2,\) and \(3,\)",
          [score_function_variance, best_baseline], TWO, [1.0, 2.0, 3.0]),
    *rows(ValueError, r"shape \(C,\), got \(1, 2\)", [score_function_variance, best_baseline], [TWO], [TWO]),
    *rows(ValueError, r"shape \(C,\), got a Gaussian", [score_function_variance, best_baseline], UNIT, 1.0),
    *rows(TypeError, "expected a Gaussian, got logits", [pathwise_gradient, gradient_noise], square, TWO),
    row(TypeError, "whose outcomes can be listed, got a Gaussian", exact_gradient, square, UNIT),
    row(ValueError, r"shapes that fit, got mu_p of shape \(2,\) and .* mu_q of shape \(3,\)", kl_normal,
        [1, 2], 1, [1, 2, 3], 1),
    *[row(ValueError, r"mu and log_var of one shape \(..., d\), got", kl_diag_standard, np.zeros(a),
          np.zeros(b))
      for a, b in [((3,), ()), ((), ()), ((3,), (2, 3)), ((3, 1), (3,))]],
    *[row(ValueError, "expected means of shape .* got mu_p", kl_mvn, *bad)
      for bad in [(0.0, EYE, TWO, EYE), (TWO, EYE[0], TWO, EYE), (TWO, EYE, np.zeros(3), EYE),
                  (TWO, np.eye(3), TWO, EYE), (TWO, EYE[:1], TWO, EYE)]],
    row(ValueError, r"leading axes that fit, got mu_p \(2, 2\)", kl_mvn, np.zeros((2, 2)), EYE,
        np.zeros((3, 2)), EYE),
    *[row(ValueError, r"weights, means and stds of one shape \(K,\), K > 0, got", closest_normal, *bad,
          direction="forward") for bad in (([1.0], TWO, [1, 1]), ([], [], []), (1.0, 0.0, 1.0))],
    row(ValueError, r"got x of shape \(2,\) and shape of shape \(3,\)", gamma_slope, [1, 2], [1, 2, 3]),
    row(ValueError, r"got x of shape \(2,\) and concentration of shape \(3,\)", dirichlet_slope, [0.5, 0.5],
        [1, 2, 3]),
    row(ValueError, r"two shares or more on the last axis, got shape \(1,\)", dirichlet_slope, [1.0], [1.0]),
    row(ValueError, r"got mean of shape \(2,\) and log_std of shape \(3,\)", two_forces, TWO, [1, 2, 3],
        observation=1.0),
    *[row(ValueError, r"images of shape \(N, 6\), got", function, NET, bad)
      for bad in (torch.zeros(3, 7).double(), torch.zeros(6).double())
      for function in (elbo, elbo_quadrature, log_evidence, importance_weighted_bound, assess)],
    *rows(ValueError, "a model with two codes, got 3", [log_evidence, assess], VAE(6, n_codes=3), IMAGES),
    *[row(ValueError, "bits for pixels, got", fit_vae, bad, steps=1)
      for bad in (torch.zeros(6), torch.zeros(0, 6), torch.full((3, 6), 0.5), torch.full((3, 6), torch.nan))],
    *[row(ValueError, "bits for pixels, got", bits_alone, *bad)
      for bad in ((torch.full((3, 6), 0.5), IMAGES), (IMAGES, torch.zeros(6)))],
    *rows(ValueError, "expected method to be .*, got 'other'",
          [forced, weighed, through, rival, longer, in_use, linked, parted,
           steady], "other", seed=0, budget=1),
    *[row(ValueError, r"means and log_vars of one shape \(N, codes\), got", regulariser_parts, *bad)
      for bad in ((GOOD, GOOD[:1]), (GOOD[0], GOOD[0]), (np.zeros((0, 2)), np.zeros((0, 2))))],
    *[row(ValueError, r"logits of shapes \(m, n\) and \(n, m\), got", code_ledger, bad, GOOD.T)
      for bad in (np.zeros(3), np.zeros((2, 3, 1)), np.zeros((2, 0)), GOOD.T)],
    *[row(ValueError, r"prior_logits of shape \(3,\) and data_logits of shape \(2,\), got", code_ledger, GOOD,
          GOOD.T, **bad) for bad in ({"prior_logits": np.zeros(2)}, {"data_logits": np.zeros(3)})],
]

# --- Decision processes, covariances, base laws, functions, and what is too much -------

PROCESS = DecisionProcess(np.array([0.5, 0.5]), np.full((2, 3, 2), 0.5), GOOD)
PROCESSES = [
    row_ for function in (all_paths, policy_gradient) for row_ in [
        row(ValueError, r"2 states and 3 actions.*got \(2,\), \(2, 3, 2\), \(3, 2\)", function,
            PROCESS._replace(reward=GOOD.T), GOOD, 2),
        row(ValueError, r"probabilities in start that add up to 1, got \[0.5 0.6\] in start$", function,
            PROCESS._replace(start=[0.5, 0.6]), GOOD, 2),
        row(ValueError, r"probabilities in transition .* got \[-0.5 -0.5\] in transition\[0, 0\]", function,
            PROCESS._replace(transition=-PROCESS.transition), GOOD, 2),
        row(ValueError, r"finite numbers, got nan in reward\[0, 0\]", function,
            PROCESS._replace(reward=GOOD + NAN), GOOD, 2),
        row(ValueError, r"finite numbers, got inf in logits\[0, 0\]", function, PROCESS, GOOD + INF, 2),
        *[row(ValueError, r"logits of shape \(S, A\), got", function, PROCESS, bad, 2)
          for bad in (np.zeros(3), np.zeros((0, 3)))]]
] + [
    row(ValueError, r"as many states as actions, got shapes \(2,\) and \(1,\)", path_scores, GOOD, [0, 1],
        [0]),
    row(ValueError, "states from 0 to 1, got 0 to 2", path_scores, GOOD, [0, 2], [0, 0]),
    row(ValueError, "actions from 0 to 2, got -1 to 0", path_scores, GOOD, [0, 1], [-1, 0]),
    row(TypeError, "actions to be integers, got an array of type float64", path_scores, GOOD, [0, 1],
        [0.0, 1.0]),
]

FLAT, MIXED = changed(EYE, (1, 1), 0), changed([[EYE] * 3] * 2, (1, 2, 1, 1), -1)
COVARIANCES = [
    row(ValueError, r"cov_q\[4\] to be symmetric, got entries \(0, 2\) and \(2, 0\) that are 1e-09 apart",
        kl_mvn, np.zeros(3), np.eye(3), np.zeros(3), changed([np.eye(3)] * 5, (4, 2, 0), 1e-9)),
    row(ValueError, r"expected cov_p to be symmetric, got entries .* that are 1e-09 apart", kl_mvn, TWO,
        changed(EYE, (0, 1), 1e-9), TWO, EYE),
    # far below the largest entry, far above what rounding does here
    row(ValueError, "cov_p to be symmetric", kl_mvn, TWO, [[1e-20, 1e-17], [0, 1]], TWO, EYE),
    row(ValueError, "cov_p to be positive definite, got a leading minor 2 that isn't positive", kl_mvn, TWO,
        FLAT, TWO, EYE),
    row(ValueError, "cov_p to be positive definite, got a leading minor 2", kl_mvn, np.zeros(40),
        changed(np.eye(40), (1, 1), 0), np.zeros(40), np.eye(40)),
    row(ValueError, r"cov_q\[1, 2\] to be positive definite", kl_mvn, TWO, EYE, TWO, MIXED),
    row(ValueError, r"cov_q\[1\] to be positive definite", kl_mvn, np.zeros(40), np.eye(40), np.zeros(40),
        changed([np.eye(40)] * 2, (1, 0, 0), -1)),
    row(ValueError, "cov_q to be positive definite", kl_mvn, TWO, EYE, TWO, np.ones((2, 2))),
]

VECTORS = partial(reparameterise, "multivariate_normal")
LAWS = [
    row(ValueError, r"parameters \(shape, scale\) of weibull, got \[\]", reparameterise, "weibull"),
    row(ValueError, r"\(loc, scale\) of normal, got \['sigma'\]", reparameterise, "normal", sigma=1.0),
    row(ValueError, "scale to be finite and positive, got 0.0 in scale", reparameterise, "normal", scale=0.0),
    row(ValueError, "loc to be finite, got inf in loc", reparameterise, "normal", loc=INF),
    row(ValueError, r"shape to be finite and positive, got nan in shape\[1\]", reparameterise, "gamma",
        shape=[1.0, NAN]),
    row(ValueError, r"got loc of shape \(2,\) and scale of shape \(3,\)", reparameterise, "normal", loc=TWO,
        scale=[1, 2, 3]),
    *[row(ValueError, r"size to which the parameters' shape \(2,\) broadcasts, got", draw, size)
      for draw in (reparameterise("normal", loc=TWO).sample, reparameterise("normal", loc=TWO).noise)
      for size in (3, (), (2, 1))],
    row(ValueError, "noise from -0.5 to 0.5, where the base law lives, got 0.75 in noise",
        reparameterise("laplace").transform, 0.75),
    row(ValueError, "noise from 0 to 1.* got nan in noise", reparameterise("exponential").transform, NAN),
    row(ValueError, r"noise with 2 numbers on the last axis, got shape \(3,\)",
        reparameterise("box_muller").transform, [0.1, 0.2, 0.3]),
    *[row(ValueError, rf"got {name} of shape \(3,\) and parameters of shape \(2,\)", read, [0.1, 0.2, 0.3])
      for name, read in (("noise", reparameterise("logistic", loc=TWO).transform),
                         ("noise", reparameterise("gamma", shape=[1.0, 2.0]).transform),
                         ("x", reparameterise("logistic", loc=TWO).log_prob))],
    row(ValueError, r"\(loc, scale_tril or covariance\) of multivariate_normal, got \[\]", VECTORS),
    row(ValueError, r"scale_tril or covariance\) .*, got \['covariance', 'scale_tril'\]", VECTORS,
        scale_tril=FACTOR, covariance=FACTOR),
    row(ValueError, r"got \['scale'\]", VECTORS, scale=1.0),
    *[row(ValueError, "scale_tril to be lower triangular with a positive diagonal, got", VECTORS,
          scale_tril=bad) for bad in (FACTOR.T, -FACTOR)],
    *[row(ValueError, r"scale_tril of shape \(..., d, d\), got", VECTORS, scale_tril=bad)
      for bad in (FACTOR[:2], 1.0, np.zeros((0, 0)))],
    *[row(ValueError, "covariance to be symmetric, got", VECTORS, covariance=bad)
      for bad in (FACTOR, [[2, 1], [0, 2]])],
    row(ValueError, "covariance to be positive definite, got", VECTORS, covariance=[[1.0, 2.0], [2.0, 1.0]]),
    row(ValueError, r"covariance to be finite, got nan in covariance\[0, 0\]", VECTORS, covariance=[[NAN]]),
    row(ValueError, r"loc of shape \(..., 3\), got \(2,\)", VECTORS, scale_tril=FACTOR, loc=[1.0, 2.0]),
    row(ValueError, r"got loc of shape \(3,\) and scale_tril of shape \(2,\)", VECTORS, loc=np.zeros((3, 2)),
        scale_tril=[EYE, EYE]),
    *[row(ValueError, rf"{name} with 3 numbers on the last axis, got shape", read, bad)
      for name, read in (("noise", VECTORS(scale_tril=FACTOR).transform),
                         ("x", VECTORS(scale_tril=FACTOR).log_prob)) for bad in (1.0, [1.0], [1.0, 2.0])],
]

FUNCTIONS = [
    *[row(error, says, pathwise_gradient, f, UNIT, n_samples=3)
      for f, error, says in [
          (lambda z: z > 0, TypeError, "floating-point numbers, got torch.bool"),
          (lambda z: np.zeros(len(z)), TypeError, "got ndarray"),
          (lambda z: (z > 0) * 1.0, ValueError, "autograd finds no way to the draws"),
          (lambda z: torch.ones(len(z), requires_grad=True), ValueError, "no way"),
          (lambda z: (z**2).sum(), ValueError, r"expected f to return 3 values.*got shape \(\)"),
          (lambda z: z[:, None] + 0, ValueError, r"got shape \(3, 1\)"),
          (lambda z: z / 0, ValueError, "expected finite values of f"),
          (lambda z: torch.sqrt(0 * z), ValueError, "expected finite slopes of f")]],
    row(ValueError, "autograd finds no way to the draws", gradient_noise, lambda z: (z > 0) * 1.0, UNIT),
    *[row(ValueError, says, exact_gradient, f, GOOD)
      for f, says in [(lambda z: z, r"9 values, one for each row .* got shape \(9, 2\)"),
                      (lambda z: 1.0, r"got shape \(\)"),
                      (lambda z: np.where(z[:, 0] * 3 + z[:, 1] == 5, NAN, 0), r"got nan for \[1 2\]"),
                      (lambda z: z[:, 0] * -1e301, r"at most 1e\+300 in size, got -1e\+301 for \[1 0\]")]],
    row(ValueError, "finite values of f, .* got inf for", score_function_gradient,
        lambda z: np.where(z > 0, INF, 0), TWO, n_samples=50, rng=0),
]

TOO_MUCH = [
    row(ValueError, r"at most 1000000 outcomes.*got 30\*\*10 = 5.9e\+14", exact_gradient, square,
        np.zeros((10, 30))),
    row(ValueError, "at most 3 outcomes.*got 2×3", exact_gradient, square, [[0, 0, -INF], [0, 0, 0]],
        limit=3),
    row(ValueError, r"at most 1000000 paths, got 6\*\*40", all_paths, PROCESS, GOOD, 40),
    row(ValueError, "at most 180 nodes, got 181", gradient_noise, square, UNIT, n_nodes=181),
    row(ValueError, "at most 100000 nodes in all, got 1000 in each of 2 dimensions", elbo_quadrature, NET,
        IMAGES, n_nodes=1000),
]

RACES = [
    *rows(ValueError, "method to be '.*, got 'luck'", [approximate, believe],
          "luck", seed=0, budget=2),
    row(ValueError, "budget to be at least 1, got 0", approximate, "start", seed=0, budget=0),
    row(ValueError, "budget to be at least 1, got 0", believe, "prior", seed=0, budget=0),
]


@pytest.mark.parametrize("refusal", [*RACES, *TYPES, *counts(COUNTED), *WORDS, *PARAMETERS, *SHAPES,
                                     *PROCESSES, *COVARIANCES, *LAWS, *FUNCTIONS, *TOO_MUCH])
def test_what_is_refused(refusal):
    refusal.check()
