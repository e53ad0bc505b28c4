"""Normal laws of the chapter on divergences of Gaussians: those of the digits, and those at a distance."""

import math
from typing import NamedTuple

import numpy as np
import scipy.optimize

from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.digits import load
from softmaxnotes.gradients.gaussian_kl import kl_normal

__all__ = ["ClassNormals", "Normals", "digit_normals", "normals_at"]


class ClassNormals(NamedTuple):
    """Points of several classes, and the normal distribution that fits each class best.

    Attributes
    ----------
    points : list of ndarray, shape (N_c, d)
    means : list of ndarray, shape (d,)
    covs : list of ndarray, shape (d, d)
        With the number of points as divisor, so that the log-likelihood is largest.
    """

    points: list
    means: list
    covs: list


def digit_normals(n_components=2):
    """The handwritten digits in their first principal components, and a normal distribution for each class.

    All 1797 digits of `softmaxnotes.digits` are taken.  A component has the sign with which its weights add
    to a positive number.

    Parameters
    ----------
    n_components : int
        From 1 to 60: the other pixels hardly ever change.

    Returns
    -------
    ClassNormals
        Ten entries each, in the order of the digits.

    Raises
    ------
    ValueError
        There are not as many components.

    Notes
    -----
    As the mean and the covariance are those of the points, and a difference of two normal log-densities is a
    polynomial of degree two, its mean over the points of a class is the divergence, to the last digits.

    Implements: eq-kl-mvn

    Examples
    --------
    >>> from softmaxnotes.gradients import kl_mvn
    >>> points, means, covs = digit_normals()
    >>> float(kl_mvn(means[1], covs[1], means[7], covs[7]).round(4))
    3.575
    """
    if read_count("n_components", n_components) > 60:
        raise ValueError(f"expected n_components to be at most 60, got {n_components}")
    images, labels = (np.concatenate(parts) for parts in zip(*load()))
    pixels = images - images.mean(axis=0)
    axes = np.linalg.svd(pixels, full_matrices=False)[2][:n_components]
    axes *= np.sign(axes.sum(axis=1, keepdims=True))
    points = [pixels[labels == c] @ axes.T for c in range(10)]
    covs = [np.cov(x.T, bias=True).reshape(n_components, n_components) for x in points]
    return ClassNormals(points, [x.mean(axis=0) for x in points], covs)


class Normals(NamedTuple):
    """Normal distributions on the line.

    Attributes
    ----------
    mu, sigma : ndarray
        Their means and standard deviations.
    """

    mu: np.ndarray
    sigma: np.ndarray


def normals_at(kl, *, direction, n_points=61):
    r"""The normal distributions at a given divergence to, or from, the standard one.

    In the half-plane of means and standard deviations they form a closed curve, which is symmetric in the
    mean; with the :math:`h` of `softmaxnotes.gradients.gaussian_kl` it is

    .. math:: \tfrac12 \mu^2 + h(\log \sigma) = \mathrm{KL}
              \quad\text{or}\quad
              \frac{\mu^2}{2 \sigma^2} + h(-\log \sigma) = \mathrm{KL}.

    Parameters
    ----------
    kl : float
        In nats, positive, up to 100.
    direction : {"to", "from"}
        Whether ``kl`` is that of these distributions from the standard one, as first argument, or that of the
        standard one from them.
    n_points : int
        On each half of the curve, from the smallest to the largest standard deviation, more of them
        near the ends; at least 2.

    Returns
    -------
    Normals
        Of ``2 * n_points`` points: the half with positive means upwards, then the other one downwards.

    Raises
    ------
    ValueError
        `kl` or `direction` isn't as above, or there are fewer than two points.

    Notes
    -----
    The ends are right to about 1e-15. Near them the mean is the root of a small difference, so that it is
    ``kl``, not the mean, that has a small error there.

    Implements: eq-kl-parts

    Examples
    --------
    >>> ring = normals_at(0.5, direction="to", n_points=3)
    >>> ring.sigma.round(4)
    array([0.3982, 1.086 , 1.7738, 1.7738, 1.086 , 0.3982])
    >>> kl_normal(*ring, 0.0, 1.0).round(12)
    array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    """
    if not (np.isscalar(kl) and np.isreal(kl) and 0 < kl <= 100):
        raise ValueError(f"expected kl to be between 0 and 100, got {kl!r}")
    read_choice("direction", direction, ("to", "from"))
    n_points = read_count("n_points", n_points, least=2)

    def beyond(t):  # |t| is at most the root of kl, or for a narrow one kl + 1/2
        return kl_normal(0.0, math.exp(t), 0.0, 1.0) - kl

    ends = [math.exp(scipy.optimize.brentq(beyond, 0.0, end, xtol=1e-16)) for end in (-kl - 0.5, kl**0.5)]
    low, high = ends if direction == "to" else (1 / ends[1], 1 / ends[0])
    sigma = (low + high - (high - low) * np.cos(np.linspace(0, np.pi, n_points))) / 2
    sigma[[0, -1]] = low, high
    if direction == "to":
        mu = np.sqrt(np.maximum(2 * (kl - kl_normal(0.0, sigma, 0.0, 1.0)), 0))
    else:
        mu = sigma * np.sqrt(np.maximum(2 * (kl - kl_normal(0.0, 1.0, 0.0, sigma)), 0))
    mu[[0, -1]] = 0
    return Normals(np.concatenate([mu, -mu[::-1]]), np.concatenate([sigma, sigma[::-1]]))
