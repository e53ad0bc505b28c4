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

from softmaxnotes.arguments import as_real
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
    pixels : int
    codes : int
        Dimension of the code.
    hidden : int
        Units in each of the two hidden layers.
    generator : torch.Generator, optional
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

    def __init__(self, pixels, *, codes=2, hidden=64, generator=None, dtype=torch.float64):
        super().__init__()
        if min(pixels, codes, hidden) < 1:
            raise ValueError("expected positive sizes, "
                             f"got {pixels} pixels, {codes} codes and {hidden} hidden units")
        self.pixels, self.codes = pixels, codes
        generator = generator or torch.Generator()
        self.encoder, self.decoder = (
            linear_stack((first, hidden, last), torch.nn.Tanh(), generator=generator, dtype=dtype)
            for first, last in ((pixels, 2 * codes), (codes, pixels)))

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
    pixels = as_real(images)[0]
    if not ((pixels >= 0) & (pixels <= 1)).all():
        raise ValueError("expected pixels from 0 to 1")
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


def elbo(model, images, *, draws=1, cost=code_cost, generator=None):
    r"""The evidence lower bound by drawing codes, so that gradients pass through the draws.

    .. math:: \frac1S \sum_{s=1}^S \log p(x \mid \mu + \sigma\varepsilon_s)
              - \mathrm{KL}(q(z \mid x) \,\|\, p(z)), \qquad \varepsilon_s \sim \mathcal N(0, I)

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    draws : int
        Codes drawn for each image.
    cost : callable
        What is put for the divergence, a function of means and log-variances.
    generator : torch.Generator, optional

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
    check_images(model, images)
    if draws < 1:
        raise ValueError(f"expected one draw or more, got {draws}")
    mean, log_var = model.encode(images)
    noise = torch.randn((draws, *mean.shape), generator=generator, dtype=mean.dtype, device=mean.device)
    codes = mean + torch.exp(log_var / 2) * noise
    return Elbo(model.log_likelihood(images, codes).mean(dim=0), cost(mean, log_var))


@torch.no_grad()
def elbo_quadrature(model, images, *, nodes=16):
    r"""The evidence lower bound without sampling, by a Gauss–Hermite rule in each dimension of the code.

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    nodes : int
        In each dimension; with codes in the plane the decoder is called ``nodes**2`` times for each image.

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
    The rule is exact for polynomials of degree ``2 * nodes - 1``; that the decoder is smooth on the scale of
    a code must be seen from a second number of nodes.

    Implements: eq-elbo

    Examples
    --------
    >>> terms = elbo_quadrature(VAE(64), torch.zeros(3, 64, dtype=torch.float64))
    >>> terms.total.shape
    (3,)
    """
    check_images(model, images)
    mean, log_var = model.encode(images)
    places, weights = (torch.as_tensor(a, dtype=mean.dtype, device=mean.device)
                       for a in gauss_hermite(nodes, model.codes))
    found = torch.zeros(len(images), dtype=mean.dtype, device=mean.device)
    few = max(1, CHUNK // (len(weights) * model.pixels))
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
    >>> blank = torch.zeros(1, 64, dtype=torch.float64)
    >>> bool(elbo_quadrature(VAE(64), blank).total < log_evidence(VAE(64), blank))
    True
    """
    check_images(model, images)
    if model.codes != 2:
        raise ValueError(f"expected two codes, got {model.codes}")
    if not (reach > 0 and step > 0):
        raise ValueError(f"expected reach and step to be positive, got {reach} and {step}")
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


@torch.no_grad()
def importance_weighted_bound(model, images, draws, *, generator=None):
    r"""A bound on the evidence from several codes for each image.

    .. math:: \log \frac1K \sum_{a=1}^K \frac{p(x, z_a)}{q(z_a \mid x)}, \qquad z_a \sim q(z \mid x)

    Parameters
    ----------
    model : VAE
    images : torch.Tensor, shape (N, pixels)
    draws : int
        :math:`K`. With one, its mean is the evidence lower bound.
    generator : torch.Generator, optional

    Returns
    -------
    ndarray, shape (N,)

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
    >>> importance_weighted_bound(VAE(64), torch.zeros(3, 64, dtype=torch.float64), 10).shape
    (3,)
    """
    check_images(model, images)
    if draws < 1:
        raise ValueError(f"expected one draw or more, got {draws}")
    mean, log_var = model.encode(images)
    found = torch.empty(len(images), dtype=mean.dtype, device=mean.device)
    few = max(1, CHUNK // (draws * model.pixels))
    for i in range(0, len(images), few):
        at = slice(i, i + few)
        size = draws, *mean[at].shape
        noise = torch.randn(size, generator=generator, dtype=mean.dtype, device=mean.device)
        codes = mean[at] + torch.exp(log_var[at] / 2) * noise
        log_prior_to_q = 0.5 * (noise**2 + log_var[at] - codes**2).sum(dim=-1)
        log_weights = model.log_likelihood(images[at], codes) + log_prior_to_q
        found[at] = torch.logsumexp(log_weights, dim=0) - math.log(draws)
    return found.cpu().numpy()


# --- What modules on such models share ------------------------------------------


def log_bernoulli(bits, logits):
    """Log-likelihood of independent bits; the last axis is summed over."""
    return (bits * logits + logsigmoid(-logits)).sum(dim=-1)


def check_images(model, images):
    if images.ndim != 2 or images.shape[1] != model.pixels:
        raise ValueError(f"expected images of shape (N, {model.pixels}), got {tuple(images.shape)}")


def gauss_hermite(nodes, dimension):
    """Nodes and weights for means over independent standard normal variables."""
    if nodes < 1 or nodes**dimension > 100_000:
        raise ValueError(f"expected 1 to 100000 nodes in all, got {nodes} in each of {dimension} dimensions")
    x, w = np.polynomial.hermite_e.hermegauss(nodes)
    places = np.stack(np.meshgrid(*[x] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    weights = np.prod(np.stack(np.meshgrid(*[w / w.sum()] * dimension, indexing="ij")), axis=0).ravel()
    return places, weights
