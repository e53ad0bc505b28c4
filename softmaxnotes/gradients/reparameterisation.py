r"""The pathwise gradient: the draws move with the parameters, and their weights stay.

A normal draw is a function of noise that knows nothing of the parameters, :math:`z = \mu + \sigma\varepsilon`
with :math:`\varepsilon \sim \mathcal N(0, 1)`.  So the gradient of an expectation is the mean of gradients,

.. math:: \nabla_\theta\, \mathbb E[f(z)]
          = \mathbb E_\varepsilon\bigl[\nabla_\theta f(\mu + \sigma\varepsilon)\bigr],
          \qquad \theta = (\mu, \log\sigma),

if :math:`f` has a derivative almost everywhere and does not jump.
"""

import math

import numpy as np

from ..arguments import read_count, read_rng, read_size
from .estimate import Gaussian, GradientEstimate, read_params

__all__ = ["pathwise_gradient"]


def pathwise_gradient(f, params, *, n_samples=1, size=None, rng=None):
    r"""Gradient of an expectation under a normal law, from slopes of `f` at draws.

    .. math:: \frac{\partial}{\partial\mu} \mathbb E[f(z)] \approx \frac1N \sum_{i=1}^N f'(z_i), \qquad
              \frac{\partial}{\partial\log\sigma} \mathbb E[f(z)] \approx \frac1N \sum_{i=1}^N
              f'(z_i)\,\sigma\varepsilon_i, \qquad z_i = \mu + \sigma\varepsilon_i

    Parameters
    ----------
    f : callable
        Of all draws at once, a torch tensor in ``float64`` of as many rows, to a tensor of as many numbers,
        each of which depends on its own row only. For d coordinates the draws have the shape (N, d), and (N,)
        for scalars. What is written in operators, such as ``z**2``, serves every other estimator as it is.
    params : Gaussian
        Means and log standard deviations, of shape (d,) or scalars.
    n_samples : int
        N, the draws of one estimate.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator
        With the same seed the draws are those of `score_function_gradient`.

    Returns
    -------
    GradientEstimate
        ``gradient`` is a `Gaussian` of arrays, behind the axes of `size`; ``n_evaluations`` counts the values
        of `f`, each of which comes with its slope.

    Raises
    ------
    TypeError
        The parameters are those of a categorical law, whose draws are integers and have no slope; `f` doesn't
        return a tensor of floating-point numbers.
    ValueError
        `n_samples` is less than 1; the parameters have another shape, or entries that are NaN or infinite;
        `f` returns another number of values; a value or a slope isn't finite; autograd finds no way from the
        values back to the draws, as with a comparison.

    Notes
    -----
    The slope comes from autograd and not from a second argument, so that it cannot be that of another
    function, and so that all estimators are called alike.

    Unbiased if :math:`f` is continuous and its slope, which may be missing at single points, grows at most
    like a power or an exponential of :math:`|z|`. If it jumps, autograd may still give a slope that is right
    almost everywhere (``torch.round``, ``torch.sign`` and ``torch.heaviside`` have zero), and the estimate
    leaves the jumps out without a warning: `score_function_gradient` doesn't.

    Implements: eq-pathwise

    Examples
    --------
    >>> def square(z): return z**2
    >>> noisy = pathwise_gradient(square, Gaussian(1.0, 0.0), n_samples=10**6, rng=0).gradient
    >>> float(noisy.mean.round(2)), float(noisy.log_std.round(2))  # exactly 2 and 2
    (2.0, 2.0)
    >>> pathwise_gradient(lambda z: z > 0, Gaussian(1.0, 0.0), n_samples=10)
    Traceback (most recent call last):
        ...
    TypeError: expected f to return a tensor of floating-point numbers, got torch.bool
    """
    params, size = read_params(params), read_size(size)
    if not isinstance(params, Gaussian):
        raise TypeError("expected a Gaussian, got logits: draws of a categorical law are integers, and have "
                        "no slope")
    n, m = read_count("n_samples", n_samples), math.prod(size)
    noise = read_rng(rng).standard_normal((m * n, *params.mean.shape))
    moved = np.exp(params.log_std) * noise
    by_draw = slopes(f, params.mean + moved)
    parts = (part.reshape(m, n, params.mean.size).sum(axis=1) / n for part in (by_draw, by_draw * moved))
    mean, log_std = (part.reshape(size + params.mean.shape)[()] for part in parts)
    return GradientEstimate(Gaussian(mean, log_std), m * n)


def slopes(f, draws):
    """The derivative of each value of `f` by its own row, checked."""
    import torch  # takes its time, and is not needed elsewhere in this part

    z = torch.from_numpy(draws).requires_grad_()
    with torch.enable_grad():
        values = f(z)
        total = values.sum() if isinstance(values, torch.Tensor) else None
    if not isinstance(values, torch.Tensor) or not values.is_floating_point():
        kind = values.dtype if isinstance(values, torch.Tensor) else type(values).__name__
        raise TypeError(f"expected f to return a tensor of floating-point numbers, got {kind}")
    if values.shape != z.shape[:1]:
        raise ValueError(f"expected f to return {len(z)} values, one for each row of a tensor of shape "
                         f"{tuple(z.shape)}, got shape {tuple(values.shape)}")
    found = None
    if values.requires_grad:
        (found,) = torch.autograd.grad(total, z, allow_unused=True)
    if found is None:
        raise ValueError("expected f to have a derivative, got values from which autograd finds no way to "
                         "the draws")
    for what, numbers in (("values", values.detach()), ("slopes", found)):
        numbers = numbers.cpu().numpy()
        if not np.isfinite(numbers).all():
            first = tuple(np.argwhere(~np.isfinite(numbers))[0])
            raise ValueError(f"expected finite {what} of f, got {numbers[first]} for {draws[first[0]]}")
    return found.numpy()
