r"""How much one draw varies: the variances of two estimators of a gradient, known before they are run.

For :math:`z = \mu + \sigma\varepsilon` with standard normal noise, one draw says of the slope of
:math:`\mathbb E[f(z)]` in :math:`\mu`

.. math:: \frac{(f(z) - c)\,\varepsilon}{\sigma} \quad\text{(score function)}
          \qquad\text{or}\qquad f'(z) \quad\text{(pathwise)}.

Both have the same mean, and their variances are integrals over a line.
"""

from typing import NamedTuple

import numpy as np

from ..arguments import read_count, read_number
from .estimate import Gaussian, read_params
from .reparameterisation import slopes

__all__ = ["GradientNoise", "gradient_noise"]


class GradientNoise(NamedTuple):
    """The mean of a gradient, and the variances of what one draw says of it.

    Attributes
    ----------
    mean, score, pathwise : Gaussian
        By the mean and by the log standard deviation; the variances are of single draws.
    """

    mean: Gaussian
    score: Gaussian
    pathwise: Gaussian


def gradient_noise(f, params, *, baseline=0.0, n_nodes=128):
    r"""Variances of single draws, of the score function and of the pathwise gradient, by quadrature.

    Parameters
    ----------
    f : callable
        Of a torch tensor of shape (N,), as in `pathwise_gradient`.
    params : Gaussian
        Of scalars.
    baseline : float
        :math:`c`, for the score function.
    n_nodes : int
        Nodes of the Gauss-Hermite rule, from 2 to 180.

    Returns
    -------
    GradientNoise

    Raises
    ------
    TypeError
        The parameters aren't those of a normal law, or `n_nodes` isn't an integer.
    ValueError
        The parameters aren't scalars; `n_nodes` is outside of 2 to 180; `baseline` isn't finite; or as in
        `pathwise_gradient`.

    Notes
    -----
    Exact up to rounding for polynomials whose degree is less than half of the number of nodes, and as good
    for functions that are smooth on the scale :math:`\sigma`. A kink or a jump is seen at the nodes only.

    Implements: eq-noise-score, eq-noise-path

    Examples
    --------
    >>> def square(z): return z**2
    >>> noise = gradient_noise(square, Gaussian(1.0, 0.0))
    >>> float(noise.mean.mean.round(9)), float(noise.score.mean.round(9)), float(noise.pathwise.mean.round(9))
    (2.0, 30.0, 4.0)
    """
    params, n = read_params(params), read_count("n_nodes", n_nodes, least=2)
    if not isinstance(params, Gaussian):
        raise TypeError("expected a Gaussian, got logits: draws of a categorical law have no pathwise "
                        "gradient")
    if params.mean.ndim:
        raise ValueError(f"expected scalar parameters, got shape {params.mean.shape}")
    if n > 180:
        raise ValueError(f"expected at most 180 nodes, got {n}")
    baseline = read_number("baseline", baseline)
    noise, weights = np.polynomial.hermite_e.hermegauss(n)
    weights = weights / weights.sum()
    moved = np.exp(params.log_std) * noise
    draws = params.mean + moved
    by_draw = slopes(f, draws)
    import torch

    with torch.no_grad():
        values = f(torch.from_numpy(draws)).cpu().numpy().astype(np.float64) - baseline

    def moments(says):
        mean = weights @ says
        return mean, weights @ (says - mean) ** 2

    score = moments(values * noise / np.exp(params.log_std)), moments(values * (noise**2 - 1))
    path = moments(by_draw), moments(by_draw * moved)
    return GradientNoise(Gaussian(*(mean for mean, _ in path)), Gaussian(*(var for _, var in score)),
                         Gaussian(*(var for _, var in path)))
