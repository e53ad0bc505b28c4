r"""Variational autoencoders: the bound, its gradient through the draw, and the evidence above it.

An encoder gives each image a normal law of codes, a decoder gives each code a law of images.  Both are
trained on the evidence lower bound

.. math:: \log p(x) \ge \mathbb E_{q(z \mid x)}[\log p(x \mid z)] - \mathrm{KL}(q(z \mid x) \,\|\, p(z)).

    >>> from softmaxnotes.digits import load
    >>> from softmaxnotes.gradients import VAE, binarise, elbo_quadrature, log_evidence
    >>> model, images = VAE(64), binarise(load()[0].images)[:20]
    >>> bool((elbo_quadrature(model, images).total < log_evidence(model, images)).all())
    True

What depends on codes in the plane only is computed without sampling: the mean over a code by a product of
Gauss–Hermite rules, and the evidence by a trapezoidal sum.  The module needs torch.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import logsigmoid

from softmaxnotes.arguments import (
    as_real,
    check_entries,
    is_tensor,
    read_count,
    read_generator,
    read_number,
)
from softmaxnotes.training import linear_stack

__all__ = [
    "VAE", "Elbo", "binarise", "code_cost", "elbo", "elbo_quadrature", "importance_weighted_bound",
    "log_evidence",
]

# Numbers that are held at once, in arrays of codes by images.
CHUNK = 4_000_000


class VAE(torch.nn.Module):
    r"""A variational autoencoder for images of bits, with a layer of tanh units on either side of the code.

    The code of an image is normal, with independent coordinates whose means and log-variances the encoder
    gives; the prior is the standard normal law; given a code, the bits are independent, and the decoder gives
    their logits.

    Parameters
    ----------
    n_pixels : int
    n_codes : int
        Dimension of the code.
    hidden : int
        Units in each of the two hidden layers.
    generator : None, int or torch.Generator
        From which the first weights are drawn, uniformly between :math:`\pm 1/\sqrt{\text{inputs}}`.
    dtype : torch.dtype

    Raises
    ------
    ValueError
        A size isn't positive.

    Examples
    --------
    >>> model = VAE(64)
    >>> mean, log_var = model.encode(torch.zeros(5, 64, dtype=torch.float64))
    >>> tuple(mean.shape), tuple(model.decode(mean).shape)
    ((5, 2), (5, 64))
    """

    def __init__(self, n_pixels, *, n_codes=2, hidden=64, generator=None, dtype=torch.float64):
        super().__init__()
        self.n_pixels, self.n_codes = read_count("n_pixels", n_pixels), read_count("n_codes", n_codes)
        hidden, generator = read_count("hidden", hidden), read_generator(generator)
        self.encoder, self.decoder = (
            linear_stack((first, hidden, last), torch.nn.Tanh(), generator=generator, dtype=dtype)
            for first, last in ((n_pixels, 2 * n_codes), (n_codes, n_pixels)))

    def encode(self, images):
        r"""Means :math:`\mu` and log-variances :math:`\lambda` of the codes, each of shape (..., codes)."""
        return self.encoder(images).chunk(2, dim=-1)

    def decode(self, codes):
        """The logits of the bits, shape (..., pixels)."""
        return self.decoder(codes)

    def log_likelihood(self, images, codes):
        r""":math:`\log p(x \mid z)` in nats, shape (...)."""
        return log_bernoulli(images, self.decode(codes))


def binarise(images, *, threshold=0.5, dtype=torch.float64):
    """Images of bits: 1 where a pixel is above the threshold.

    Parameters
    ----------
    images : array_like, shape (..., pixels)
        From 0 to 1, as those of `softmaxnotes.digits`.
    threshold : float
    dtype : torch.dtype

    Returns
    -------
    torch.Tensor

    Raises
    ------
    ValueError
        A pixel isn't between 0 and 1.

    Examples
    --------
    >>> binarise([[0.2, 0.5, 0.9]])
    tensor([[0., 0., 1.]], dtype=torch.float64)
    """
    pixels, threshold = as_real(images, "images")[0], read_number("threshold", threshold)
    check_entries("images", pixels, (pixels >= 0) & (pixels <= 1), "from 0 to 1")
    return torch.as_tensor(pixels > threshold, dtype=dtype)


def code_cost(mean, log_var):
    r"""What a code costs: its divergence from the standard normal law, for torch.

    .. math:: \frac12 \sum_k \left(e^{\lambda_k} - 1 - \lambda_k + \mu_k^2\right)

    Parameters
    ----------
    mean, log_var : torch.Tensor, shape (..., codes)

    Returns
    -------
    torch.Tensor, shape (...)
        In nats; differentiable, on the device and in the dtype of its inputs.

    Notes
    -----
    With ``expm1``, a variance near one loses no more digits than :math:`\lambda` has after the first;
    `kl_diag_standard` keeps all of them.

    Implements: eq-kl-diag-standard

    Examples
    --------
    >>> code_cost(torch.tensor([1.0, 0.0]), torch.zeros(2))
    tensor(0.5000)
    """
    return 0.5 * (torch.expm1(log_var) - log_var + mean * mean).sum(dim=-1)


class Elbo(NamedTuple):
    """The two terms of the bound, for each image, in nats.

    Attributes
    ----------
    reconstruction : tensor or ndarray, shape (N,)
        Mean of the log-likelihood of the image given its code.
    kl : tensor or ndarray, shape (N,)
        Divergence of the law of the code from the prior.
    """

    reconstruction: object
    kl: object

    @property
    def total(self):
        """The bound itself."""
        return self.reconstruction - self.kl


def elbo(model, images, *, n_samples=1, cost=code_cost, generator=None):
    r"""The evidence lower bound by drawing codes, so that gradients pass through the draws.

    .. math:: \frac1S \sum_{s=1}^S \log p(x \mid \mu + \sigma\varepsilon_s)
              - \mathrm{KL}(q(z \mid x) \,\|\, p(z)), \qquad \varepsilon_s \sim \mathcal N(0, I)

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    n_samples : int
        S, the codes drawn for each image.
    cost : callable
        What is put for the divergence, a function of means and log-variances.
    generator : None, int or torch.Generator

    Returns
    -------
    Elbo
        Of tensors.

    Raises
    ------
    ValueError
        There is no draw, or the images haven't the pixels of the model.

    Notes
    -----
    Implements: eq-elbo-noise

    Examples
    --------
    >>> bound = elbo(VAE(64), torch.zeros(3, 64, dtype=torch.float64))
    >>> tuple(bound.total.shape)
    (3,)
    """
    check_images(images, model.n_pixels)
    n_samples, generator = read_count("n_samples", n_samples), read_generator(generator, images.device)
    mean, log_var = model.encode(images)
    noise = torch.randn((n_samples, *mean.shape), generator=generator, dtype=mean.dtype, device=mean.device)
    codes = mean + torch.exp(log_var / 2) * noise
    return Elbo(model.log_likelihood(images, codes).mean(dim=0), cost(mean, log_var))


@torch.no_grad()
def elbo_quadrature(model, images, *, n_nodes=16):
    r"""The evidence lower bound without sampling, by a Gauss–Hermite rule in each dimension of the code.

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    n_nodes : int
        In each dimension; with codes in the plane the decoder is called ``n_nodes**2`` times for each image.

    Returns
    -------
    Elbo
        Of arrays.

    Raises
    ------
    ValueError
        More than 100000 nodes in all; the images haven't the pixels of the model.

    Notes
    -----
    The rule is exact for polynomials of degree ``2 * n_nodes - 1``; that the decoder is smooth on the scale
    of a code must be seen from a second number of nodes.

    Implements: eq-elbo

    Examples
    --------
    >>> terms = elbo_quadrature(VAE(64), torch.zeros(3, 64, dtype=torch.float64))
    >>> terms.total.shape
    (3,)
    """
    check_images(images, model.n_pixels)
    mean, log_var = model.encode(images)
    places, weights = (torch.as_tensor(a, dtype=mean.dtype, device=mean.device)
                       for a in gauss_hermite(n_nodes, model.n_codes))
    found = torch.zeros(len(images), dtype=mean.dtype, device=mean.device)
    few = max(1, CHUNK // (len(weights) * model.n_pixels))
    for i in range(0, len(images), few):
        at = slice(i, i + few)
        codes = mean[at, None] + torch.exp(log_var[at, None] / 2) * places
        found[at] = model.log_likelihood(images[at, None], codes) @ weights
    return Elbo(found.cpu().numpy(), code_cost(mean, log_var).cpu().numpy())


@torch.no_grad()
def log_evidence(model, images, *, reach=6.0, step=0.05):
    r"""The evidence of images under a decoder with codes in the plane, by a trapezoidal sum.

    .. math:: \log \int p(x \mid z) \, \mathcal N(z;\, 0, I) \, dz

    The encoder has no part in it.

    Parameters
    ----------
    model : VAE
        With two codes.
    images : torch.Tensor, shape (N, pixels)
    reach, step : float
        The sum runs over a square lattice from ``-reach`` to ``reach`` in both directions.

    Returns
    -------
    ndarray, shape (N,)

    Raises
    ------
    ValueError
        The codes are not in the plane; `reach` and `step` aren't positive; the images haven't the pixels of
        the model.

    Notes
    -----
    For a smooth integrand the error falls exponentially with 1/step; that `reach` and `step` are enough must
    be seen from a second choice.

    Implements: eq-evidence

    Examples
    --------
    >>> model, blank = VAE(64), torch.zeros(1, 64, dtype=torch.float64)
    >>> bool(elbo_quadrature(model, blank).total < log_evidence(model, blank))
    True
    """
    check_images(images, model.n_pixels)
    if model.n_codes != 2:
        raise ValueError(f"expected a model with two codes, got {model.n_codes}")
    reach, step = read_number("reach", reach, positive=True), read_number("step", step, positive=True)
    count = math.ceil(reach / step)
    axis = torch.arange(-count, count + 1, dtype=images.dtype, device=images.device) * step
    codes = torch.cartesian_prod(axis, axis)
    log_prior = -0.5 * (codes**2).sum(dim=-1) - math.log(2 * math.pi) + 2 * math.log(step)
    found = torch.full((len(images),), -torch.inf, dtype=images.dtype, device=images.device)
    for i in range(0, len(codes), max(1, CHUNK // max(1, len(images)))):
        at = slice(i, i + max(1, CHUNK // max(1, len(images))))
        logits = model.decode(codes[at])
        joint = logits @ images.T + (logsigmoid(-logits).sum(dim=-1) + log_prior[at])[:, None]
        found = torch.logaddexp(found, torch.logsumexp(joint, dim=0))
    return found.cpu().numpy()


def importance_weighted_bound(model, images, *, n_samples=1, generator=None):
    r"""A bound on the evidence from several codes for each image; gradients pass through the draws.

    .. math:: \log \frac1K \sum_{a=1}^K \frac{p(x, z_a)}{q(z_a \mid x)}, \qquad z_a \sim q(z \mid x)

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    n_samples : int
        :math:`K`. With one, its mean is the evidence lower bound.
    generator : None, int or torch.Generator

    Returns
    -------
    torch.Tensor, shape (N,)

    Raises
    ------
    ValueError
        There is no draw, or the images haven't the pixels of the model.

    References
    ----------
    Y. Burda, R. Grosse and R. Salakhutdinov, "Importance weighted autoencoders", ICLR (2016),
    arXiv:1509.00519.

    Notes
    -----
    Implements: eq-iw-bound

    Examples
    --------
    >>> importance_weighted_bound(VAE(64), torch.zeros(3, 64, dtype=torch.float64), n_samples=10).shape
    torch.Size([3])
    """
    check_images(images, model.n_pixels)
    n_samples, generator = read_count("n_samples", n_samples), read_generator(generator, images.device)
    mean, log_var = model.encode(images)
    found = torch.empty(len(images), dtype=mean.dtype, device=mean.device)
    few = max(1, CHUNK // (n_samples * model.n_pixels))
    for i in range(0, len(images), few):
        at = slice(i, i + few)
        size = n_samples, *mean[at].shape
        noise = torch.randn(size, generator=generator, dtype=mean.dtype, device=mean.device)
        codes = mean[at] + torch.exp(log_var[at] / 2) * noise
        log_prior_to_q = 0.5 * (noise**2 + log_var[at] - codes**2).sum(dim=-1)
        log_weights = model.log_likelihood(images[at], codes) + log_prior_to_q
        found[at] = torch.logsumexp(log_weights, dim=0) - math.log(n_samples)
    return found


# --- What modules on such models share ------------------------------------------


def log_bernoulli(bits, logits):
    """Log-likelihood of independent bits; the last axis is summed over."""
    return (bits * logits + logsigmoid(-logits)).sum(dim=-1)


def check_images(images, n_pixels):
    """Images as rows of a tensor."""
    if not is_tensor(images):
        raise TypeError(f"expected images to be a tensor, got {type(images).__name__}")
    if images.ndim != 2 or images.shape[1] != n_pixels:
        raise ValueError(f"expected images of shape (N, {n_pixels}), got {tuple(images.shape)}")


def gauss_hermite(n_nodes, dimension):
    """Nodes and weights for means over independent standard normal variables."""
    if read_count("n_nodes", n_nodes) ** dimension > 100_000:
        raise ValueError(f"expected at most 100000 nodes in all, got {n_nodes} in each of {dimension} "
                         "dimensions")
    x, w = np.polynomial.hermite_e.hermegauss(n_nodes)
    places = np.stack(np.meshgrid(*[x] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    weights = np.prod(np.stack(np.meshgrid(*[w / w.sum()] * dimension, indexing="ij")), axis=0).ravel()
    return places, weights
