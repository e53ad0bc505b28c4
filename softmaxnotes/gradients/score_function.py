r"""The score function: a gradient of an expectation from values of the function alone.

Since :math:`\nabla p = p\,\nabla \log p`, the gradient of an expectation is an expectation again,

.. math:: \nabla_\theta\, \mathbb E_{z \sim p_\theta}[f(z)]
          = \mathbb E_{z \sim p_\theta}\bigl[f(z)\,\nabla_\theta \log p_\theta(z)\bigr],

and can be estimated from draws, also where :math:`f` has no derivative.
"""

import math
import numbers

import numpy as np

from .estimate import (
    Gaussian,
    GradientEstimate,
    ask,
    centred_sums,
    draw_finite,
    read_count,
    read_params,
    read_size,
)

__all__ = ["score_function_gradient"]


def score_function_gradient(f, params, *, n_samples, baseline=None, size=None, rng=None):
    r"""Gradient of an expectation, from values of `f` at draws.

    .. math:: \nabla_\theta\, \mathbb E_{z \sim p_\theta}[f(z)] \approx
              \frac1N \sum_{i=1}^N \bigl(f(z_i) - b_i\bigr)\, \nabla_\theta \log p_\theta(z_i),
              \qquad z_i \sim p_\theta

    Parameters
    ----------
    f : callable
        Of all draws at once, an array of as many rows, to as many numbers; see `params`.
    params : array_like, shape (C,) or (K, C), or Gaussian
        Logits of one categorical variable, with draws of shape (N,), or of K independent ones, with draws of
        shape (N, K); ``-inf`` masks a category. Or the means and log standard deviations of independent
        normal coordinates, with draws of shape (N, d), or (N,) if they are scalars.
    n_samples : int
        N, the draws of one estimate.
    baseline : None, float or "leave-one-out"
        :math:`b_i`: nothing, a number, or the mean of `f` over the other draws of the same estimate.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    GradientEstimate
        ``gradient`` like the parameters, behind the axes of `size`: of logits an array whose rows add up to
        0, of a `Gaussian` a `Gaussian`.

    Raises
    ------
    TypeError
        The parameters, or what `f` returns, aren't real; `n_samples` or `size` isn't made of integers.
    ValueError
        `n_samples` is less than 1, or less than 2 with "leave-one-out"; `baseline` is none of these; the
        parameters have another shape, a row of nothing but ``-inf``, or entries that are NaN or infinite;
        `f` returns another number of values, or one that isn't finite.

    Notes
    -----
    Unbiased with each of the three baselines, as long as a number doesn't depend on the draws. The mean of
    the other draws costs no value of `f`; where `f` is constant, so that there is nothing to learn, it gives
    0 exactly. Without a baseline the estimate is as noisy as `f` is large.

    Examples
    --------
    >>> def square(z): return z**2
    >>> score_function_gradient(square, [0.0, 0.0], n_samples=4, baseline="leave-one-out", rng=0)
    GradientEstimate(gradient=array([-0.25,  0.25]), n_evaluations=4)
    >>> noisy = score_function_gradient(square, Gaussian(1.0, 0.0), n_samples=10**6, rng=0).gradient
    >>> float(noisy.mean.round(1)), float(noisy.log_std.round(1))  # exactly 2 and 2
    (2.0, 2.0)
    """
    params, size = read_params(params), read_size(size)
    left_out = isinstance(baseline, str) and baseline == "leave-one-out"
    if not (left_out or baseline is None or isinstance(baseline, numbers.Real) and math.isfinite(baseline)):
        raise ValueError(f'expected a finite baseline, None or "leave-one-out", got {baseline!r}')
    n, m = read_count("n_samples", n_samples, least=2 if left_out else 1), math.prod(size)
    rng = np.random.default_rng(rng)
    if isinstance(params, Gaussian):
        noise, scale = rng.standard_normal((m * n, *params.mean.shape)), np.exp(params.log_std)
        draws = params.mean + scale * noise
    else:
        draws = draw_finite(params, m * n, rng)
    weights = ask(f, draws).reshape(m, n)
    if left_out:  # f minus the mean of the others; first all from the same number, which loses no digits
        weights = weights - weights[:, :1]
        weights = (weights - weights.mean(axis=-1, keepdims=True)) * (n / (n - 1))
    elif baseline is not None:
        weights = weights - float(baseline)
    if isinstance(params, Gaussian):
        noise = noise.reshape(m, n, params.mean.size)
        parts = ((weights[:, None] @ g)[:, 0] / n for g in (noise, noise**2 - 1))
        mean, log_std = (part.reshape(size + params.mean.shape) for part in parts)
        gradient = Gaussian((mean / scale)[()], log_std[()])
    else:
        gradient = centred_sums(draws, weights, params).reshape(size + params.shape) / n
    return GradientEstimate(gradient, m * n)
