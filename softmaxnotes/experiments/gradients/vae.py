"""The networks of the chapter on variational autoencoders: trained, assessed, and the two forces on a code.

    >>> from softmaxnotes.digits import load
    >>> from softmaxnotes.gradients import binarise
    >>> model, record = fit_vae(binarise(load()[0].images), steps=20, generator=0)
    >>> bool(record["loss"][0] > record["loss"][-1])
    True

The module needs torch.
"""

import math
from typing import NamedTuple

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import (
    as_real,
    broadcast_shape,
    check_bits,
    check_finite,
    read_choice,
    read_count,
    read_number,
)
from softmaxnotes.digits import load
from softmaxnotes.gradients.vae import VAE, binarise, code_cost, elbo_quadrature, log_evidence
from softmaxnotes.training import Trained, descend, own_generator, train

__all__ = ["AFTER_4000", "COSTS", "FORCES", "LONGER", "PATHS", "PATIENT", "RIVALS", "Assessment",
           "NormalAutoencoder", "assess", "bits_alone", "bits_in_groups", "fit_vae", "normal_of_codes",
           "two_forces"]


class NormalAutoencoder:
    r"""The autoencoder of one number for which everything is known.

    The code has a standard normal prior, the decoder adds normal noise of variance :math:`v`, and the encoder
    gives every number the law :math:`\mathcal N(\mu, \sigma^2)`.

    It stands where a `VAE` does in `elbo` and `elbo_quadrature`, the images being numbers :math:`y`, of
    shape (N, 1). The posterior is the :math:`q` with
    :math:`\mu = y/(1+v)` and :math:`\sigma^2 = v/(1+v)`.

    Parameters
    ----------
    mean, std, noise_var : float or torch.Tensor, shape ()
        :math:`\mu`, :math:`\sigma` and :math:`v`; tensors may ask for gradients.

    Notes
    -----
    Implements: eq-elbo-two-forces

    Examples
    --------
    >>> model, y = NormalAutoencoder(0.5, 0.5**0.5, 1.0), torch.ones(1, 1, dtype=torch.float64)
    >>> float(elbo_quadrature(model, y).total[0].round(6)), round(-0.25 - math.log(4 * math.pi) / 2, 6)
    (-1.515512, -1.515512)
    """

    n_codes = n_pixels = 1

    def __init__(self, mean, std, noise_var):
        self.mean, self.std, self.noise_var = (torch.as_tensor(a, dtype=torch.float64)
                                               for a in (mean, std, noise_var))

    def encode(self, images):
        """Means and log-variances, the same for each number."""
        here = torch.ones_like(images)
        return self.mean * here, 2 * torch.log(self.std) * here

    def log_likelihood(self, images, codes):
        """The logarithm of the normal density of the numbers around their codes."""
        squares = (images - codes) ** 2 / self.noise_var
        return -0.5 * (squares + torch.log(2 * math.pi * self.noise_var)).sum(dim=-1)


def fit_vae(images, *, n_codes=2, hidden=64, steps=800, batch=200, lr=1e-2, reconstruction=1.0,
            cost=code_cost, generator=None, checkpoint=None, title=None) -> Trained:
    """Train a variational autoencoder by Adam on batches drawn with replacement.

    What is minimised is ``cost`` minus ``reconstruction`` times the mean log-likelihood, one code being drawn
    for each image.

    Parameters
    ----------
    images : torch.Tensor, shape (N, pixels)
        Bits, as made by `binarise`.
    n_codes, hidden : int
        As of `VAE`.
    steps, batch : int
    lr : float
        Of Adam.
    reconstruction : float
        Weight of the first force; 0 leaves it out.
    cost : callable
        The second force; ``lambda mean, log_var: 0 * code_cost(mean, log_var)`` leaves it out.
    generator : None, int or torch.Generator
        Of weights, batches and codes.
    checkpoint, title
        As of `softmaxnotes.training.train`.

    Returns
    -------
    Trained
        A `VAE`; of each step the ``loss``, ``kl``, which is the true divergence whatever the cost, and
        ``log_var``, means over the batch.

    Raises
    ------
    ValueError
        The images aren't (N, pixels) with bits for pixels.

    Examples
    --------
    >>> images = torch.eye(8, dtype=torch.float64)
    >>> first, again = (fit_vae(images, steps=3, batch=4, generator=0).record["loss"] for _ in range(2))
    >>> bool((first == again).all())
    True
    """
    check_bits(images)
    generator, batch = own_generator(generator, images.device), read_count("batch", batch)
    reconstruction = read_number("reconstruction", reconstruction)
    model = VAE(images.shape[1], n_codes=n_codes, hidden=hidden, generator=generator, dtype=images.dtype)
    descent = torch.optim.Adam(model.parameters(), lr=lr)

    def step(_):
        some = images[torch.randint(len(images), (batch,), generator=generator, device=images.device)]
        mean, log_var = model.encode(some)
        noise = torch.randn(mean.shape, generator=generator, dtype=mean.dtype, device=mean.device)
        likelihood = model.log_likelihood(some, mean + torch.exp(log_var / 2) * noise).mean()
        loss = cost(mean, log_var).mean() - reconstruction * likelihood
        descend(descent, loss)
        kl = code_cost(mean.detach(), log_var.detach()).mean()
        return {"loss": loss.item(), "kl": kl.item(), "log_var": log_var.detach().mean().item()}

    parts = {"model": model, "descent": descent, "generator": generator}
    return Trained(model, train(step, steps, parts=parts, checkpoint=checkpoint, title=title))


class Assessment(NamedTuple):
    """What an autoencoder does with images that it has not seen: means over the images, in nats.

    Attributes
    ----------
    reconstruction : float
        Mean log-likelihood of an image given its code.
    kl : float
        Divergence of the law of the code from the prior.
    bound : float
        The evidence lower bound: ``reconstruction - kl``.
    evidence : float
        Logarithm of the evidence of the decoder, which the bound is below.
    """

    reconstruction: float
    kl: float
    bound: float
    evidence: float


def assess(model, images, *, reach=8.0, step=0.1, n_nodes=8):
    """The terms of the loss and the evidence, without sampling.

    Parameters
    ----------
    model : VAE
        With two codes.
    images : torch.Tensor, shape (N, pixels)
    reach, step : float
        As of `log_evidence`.
    n_nodes : int
        As of `elbo_quadrature`.

    Returns
    -------
    Assessment

    Raises
    ------
    ValueError
        As those two.

    Examples
    --------
    >>> found = assess(VAE(64), torch.eye(64, dtype=torch.float64))
    >>> found.bound < found.evidence
    True
    """
    terms = elbo_quadrature(model, images, n_nodes=n_nodes)
    evidence = log_evidence(model, images, reach=reach, step=step)
    return Assessment(*(float(a.mean()) for a in (*terms, terms.total, evidence)))


def two_forces(mean, log_std, *, observation, noise_var=1.0):
    r"""How the two terms of the loss push a normal code, in the model with one number for datum and code.

    With :math:`p(y \mid z) = \mathcal N(y;\, z, v)`, :math:`p(z) = \mathcal N(0, 1)` and
    :math:`q = \mathcal N(\mu, e^{2t})`, the descents along :math:`(\mu, t)` are

    .. math:: \left(\frac{y - \mu}{v},\, -\frac{e^{2t}}{v}\right) \quad\text{and}\quad
              \left(-\mu,\, 1 - e^{2t}\right),

    and they cancel at :math:`\mu = y/(1+v)`, :math:`e^{2t} = v/(1+v)` only.

    Parameters
    ----------
    mean, log_std : array_like, shape (...)
        :math:`\mu` and :math:`t`.
    observation : float
        :math:`y`.
    noise_var : float
        :math:`v`, positive.

    Returns
    -------
    reconstruction, prior : ndarray, shape (..., 2)

    Raises
    ------
    ValueError
        The shapes don't fit, a number isn't finite, or `noise_var` not positive.

    Notes
    -----
    Implements: eq-force-mean

    Examples
    --------
    >>> pull, push = two_forces(1.0, -0.5 * np.log(2), observation=2.0)
    >>> np.abs(pull + push).max() < 1e-15
    np.True_
    """
    y, v = read_number("observation", observation), read_number("noise_var", noise_var, positive=True)
    mean, log_std = (as_real(a, name)[0] for name, a in (("mean", mean), ("log_std", log_std)))
    check_finite(mean=mean, log_std=log_std)
    shape = broadcast_shape(mean=mean, log_std=log_std)
    mean, var = np.broadcast_to(mean, shape), np.broadcast_to(np.exp(2 * log_std), shape)
    reconstruction = np.stack([(y - mean) / v, -var / v], axis=-1)
    return reconstruction, np.stack([-mean, 1 - var], axis=-1)


# --- Forces and slips, over many seeds ------------------------------------------


def _halved_twice(mean, log_var):
    return ((log_var.exp() + mean**2 - 1) / 2 - log_var).sum(dim=-1) / 2


def _sign_turned(mean, log_var):
    return (log_var.exp() + mean**2 - 1 + log_var).sum(dim=-1) / 2


#: What is put for the divergence from the prior, by name; the first is right.
COSTS = {
    "both forces": code_cost,
    "no regulariser": lambda mean, log_var: 0 * code_cost(mean, log_var),
    "half lost": lambda mean, log_var: 2 * code_cost(mean, log_var),
    "halved twice": _halved_twice,
    "sign turned": _sign_turned,
    "log-deviation": lambda mean, log_var: code_cost(mean, log_var / 2),
}
_PIXELS = 64


def bits_alone(bits, held_out):
    """Log-likelihood of held-out images if each bit is drawn for itself, with its frequency in `bits`.

    Parameters
    ----------
    bits, held_out : torch.Tensor, shape (N, pixels)

    Returns
    -------
    ndarray, shape (N,)

    Raises
    ------
    ValueError
        The images aren't (N, pixels) with bits for pixels.

    Examples
    --------
    >>> bits_alone(torch.eye(2).repeat(500, 1), torch.eye(2)).round(3)
    array([-1.386, -1.386], dtype=float32)
    """
    check_bits(bits), check_bits(held_out)
    share = (bits.sum(dim=0) + 0.5) / (len(bits) + 1)
    return (held_out * share.log() + (1 - held_out) * (1 - share).log()).sum(dim=1).numpy()


def forced(method, *, seed, budget):
    """Train with one of the costs, and assess on held-out digits.

    Parameters
    ----------
    method : str
        One of `COSTS`; ``"mean over pixels"``, where the reconstruction error is divided by the number of
        pixels and the divergence is not; or ``"no code"``, independent bits.
    seed : int
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        As `Assessment`, and the mean ``"variance"`` of a code.

    Examples
    --------
    >>> round(forced("no code", seed=0, budget=1)["evidence"], 2)
    -24.61
    """
    read_choice("method", method, [*COSTS, "mean over pixels", "no code"])
    train_set, test = load()
    bits, held_out = binarise(train_set.images), binarise(test.images)
    if method == "no code":
        alone = float(bits_alone(bits, held_out).mean())
        return {"reconstruction": alone, "kl": 0.0, "bound": alone, "evidence": alone, "variance": 1.0}
    weight = 1 / _PIXELS if method == "mean over pixels" else 1.0
    model = fit_vae(bits, steps=budget, reconstruction=weight, cost=COSTS.get(method, code_cost),
                    generator=seed).model
    with torch.no_grad():
        variance = float(model.encode(held_out)[1].exp().mean())
    return {**assess(model, held_out, step=0.2)._asdict(), "variance": variance}


FORCES = Experiment("forces", forced, dict.fromkeys(["no code", *COSTS, "mean over pixels"], {}),
                    seeds=range(10), budgets=(500,), spent="steps", better="more", measure="evidence",
                    digits=0)


# --- Two gradients through the draw of a code, over many seeds -------------------

_DRAWS = 4
_ESTIMATORS = ["score function", "score function, leave-one-out", "reparameterisation"]


def through(method, *, seed, budget, lr=0.01):
    """Train an encoder by one of the gradients through the draw of a code, and assess on held-out digits.

    Four codes are drawn for each image, whatever the method; the decoder has the same gradient in all of
    them, and the divergence from the prior is differentiated in closed form.

    Parameters
    ----------
    method : str
        ``"score function"``, the same with ``", leave-one-out"``, where the mean of an image's other three
        log-likelihoods is subtracted from each, ``"reparameterisation"``; or ``"no code"``, independent bits.
    seed : int
    budget : int
        Steps on batches of 200 images.
    lr : float
        Of Adam.

    Returns
    -------
    dict
        As `Assessment`.

    Examples
    --------
    >>> round(through("no code", seed=0, budget=1)["evidence"], 2)
    -24.61
    """
    read_choice("method", method, ["no code", *_ESTIMATORS])
    if method == "no code":
        return {name: value for name, value in forced(method, seed=seed, budget=budget).items()
                if name != "variance"}
    train_set, test = load()
    bits, held_out = binarise(train_set.images), binarise(test.images)
    generator = own_generator(seed, bits.device)
    model = VAE(bits.shape[1], generator=generator)
    descent = torch.optim.Adam(model.parameters(), lr=lr)

    def step(_):
        some = bits[torch.randint(len(bits), (200,), generator=generator)]
        mean, log_var = model.encode(some)
        noise = torch.randn((_DRAWS, *mean.shape), generator=generator, dtype=mean.dtype)
        codes = mean + torch.exp(log_var / 2) * noise
        if method == "reparameterisation":
            likelihood = model.log_likelihood(some, codes)
        else:
            codes = codes.detach()
            likelihood = model.log_likelihood(some, codes)
            reward = likelihood.detach()
            if method.endswith("leave-one-out"):
                reward = (reward - reward.mean(dim=0)) * _DRAWS / (_DRAWS - 1)
            log_q = -0.5 * ((codes - mean) ** 2 / log_var.exp() + log_var).sum(dim=-1)
            likelihood = likelihood + reward * log_q
        descend(descent, code_cost(mean, log_var).mean() - likelihood.mean())
        return {}

    train(step, budget)
    return dict(assess(model, held_out, step=0.2)._asdict())


PATHS = Experiment(
    "paths", through,
    {"no code": {}} | {name: {"lr": (0.003, 0.01, 0.03, 0.1)} for name in _ESTIMATORS},
    seeds=range(10), tuning_seeds=range(90, 92), budgets=(500,), spent="steps", better="more",
    measure="evidence", digits=0)


# --- Rivals: what else gives held-out digits a probability -----------------------


def bits_in_groups(bits, held_out, groups, *, rng, rounds=200):
    """Log-likelihood of held-out images under a mixture of independent bits, fitted by EM.

    Parameters
    ----------
    bits, held_out : torch.Tensor, shape (N, pixels)
    groups : int
    rng : None, int or numpy.random.Generator
        Of the images from which the groups start.
    rounds : int
        Of EM.

    Returns
    -------
    ndarray, shape (N,)

    Raises
    ------
    ValueError
        The images aren't (N, pixels) with bits for pixels.

    Examples
    --------
    >>> bits = torch.eye(2, dtype=torch.float64).repeat(500, 1)
    >>> bits_in_groups(bits, bits[:2], 2, rng=0).round(1)
    array([-0.7, -0.7])
    """
    check_bits(bits), check_bits(held_out)
    rng, ink = np.random.default_rng(rng), bits.numpy()
    first = rng.choice(len(ink), read_count("groups", groups), replace=False)
    share, weight = 0.25 + 0.5 * ink[first], np.full(groups, 1 / groups)

    def joint(y):
        return np.log(weight) + y @ np.log(share).T + (1 - y) @ np.log(1 - share).T

    for _ in range(rounds):
        both = joint(ink)
        belongs = np.exp(both - np.logaddexp.reduce(both, axis=1, keepdims=True))
        size = belongs.sum(axis=0)
        share = (belongs.T @ ink + 0.5) / (size[:, None] + 1)
        weight = (size + 1) / (size + 1).sum()
    return np.logaddexp.reduce(joint(held_out.numpy()), axis=1)


@torch.no_grad()
def normal_of_codes(model, images):
    """The same model with another prior: one normal law, fitted to the codes that its encoder draws.

    Parameters
    ----------
    model : VAE
        It is left as it is.
    images : torch.Tensor, shape (N, pixels)

    Returns
    -------
    VAE
        Its codes are standard normal again; a linear layer before the decoder gives them the mean and the
        covariance of the fitted normal.

    Examples
    --------
    >>> images = torch.eye(8, dtype=torch.float64)
    >>> moved = normal_of_codes(VAE(8, generator=0), images)
    >>> tuple(moved.decode(torch.zeros(3, 2, dtype=torch.float64)).shape)
    (3, 8)
    """
    mean, log_var = model.encode(images)
    layer = torch.nn.Linear(model.n_codes, model.n_codes, dtype=mean.dtype)
    layer.weight.copy_(torch.linalg.cholesky(mean.T.cov() + log_var.exp().mean(dim=0).diag()))
    layer.bias.copy_(mean.mean(dim=0))
    moved = VAE(model.n_pixels, n_codes=model.n_codes, dtype=mean.dtype)
    moved.encoder, moved.decoder = model.encoder, torch.nn.Sequential(layer, model.decoder)
    return moved


_WEIGHTS = {"autoencoder": 0.0, "autoencoder, fitted": 0.0, "weight 0.3": 0.3, "weight 1": 1.0,
            "weight 1, fitted": 1.0, "weight 2": 2.0}


def rival(method, *, seed, budget, lr=0.01, groups=20):
    """Train, and assess on held-out digits.

    Parameters
    ----------
    method : str
        ``"weight 1"`` is the variational autoencoder, other weights multiply its regulariser, and an
        ``"autoencoder"`` has none; where it is ``"fitted"``, codes are drawn from `normal_of_codes` of the
        training images.  Or ``"no code"``, independent bits, or ``"mixture"``, groups of images with bits
        that are independent in each.
    seed : int
    budget : int
        Steps on batches of 200 images, where there are any.
    lr : float
        Of Adam, where something is trained by it.
    groups : int
        Of the mixture.

    Returns
    -------
    dict
        The ``"evidence"``, in nats.

    Examples
    --------
    >>> round(rival("no code", seed=0, budget=1)["evidence"], 2)
    -24.61
    """
    read_choice("method", method, [*_WEIGHTS, "no code", "mixture"])
    train_set, test = load()
    bits, held_out = binarise(train_set.images), binarise(test.images)
    if method == "no code":
        return {"evidence": float(bits_alone(bits, held_out).mean())}
    if method == "mixture":
        return {"evidence": float(bits_in_groups(bits, held_out, groups, rng=seed).mean())}
    weight = _WEIGHTS[method]
    model = fit_vae(bits, steps=budget, cost=lambda mean, log_var: weight * code_cost(mean, log_var), lr=lr,
                    generator=seed).model
    if method.endswith("fitted"):
        model = normal_of_codes(model, bits)
    return {"evidence": float(log_evidence(model, held_out, reach=7, step=0.1).mean())}


_RATES, _LOWER_RATES = (0.003, 0.01, 0.03, 0.1), (0.001, 0.003, 0.01, 0.03)


def _race(name, methods, budget):
    return Experiment(name, rival, methods, seeds=range(10), tuning_seeds=range(90, 92), budgets=(budget,),
                      spent="steps", better="more", measure="evidence", digits=0)


RIVALS = _race("rivals", {"no code": {}, "mixture": {"groups": (20, 40, 80, 160)}}
               | dict.fromkeys(_WEIGHTS, {"lr": _RATES}), 500)
PATIENT = Experiment("patient", rival, {"autoencoder, fitted": {}}, seeds=range(10),
                     budgets=(500, 1000, 2000, 4000), spent="steps", better="more", measure="evidence",
                     digits=0)
AFTER_4000 = _race("after-4000", dict.fromkeys(["autoencoder, fitted", "weight 1"], {"lr": _LOWER_RATES}),
                   4000)


def longer(method, *, seed, budget):
    """Train for a while, and assess on held-out digits.

    Parameters
    ----------
    method : str
        ``"both forces"``, or ``"no code"``, independent bits.
    seed : int
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        As `Assessment`.

    Examples
    --------
    >>> round(longer("no code", seed=0, budget=1)["bound"], 2)
    -24.61
    """
    read_choice("method", method, ["no code", "both forces"])
    train_set, test = load()
    bits, held_out = binarise(train_set.images), binarise(test.images)
    if method == "no code":
        alone = float(bits_alone(bits, held_out).mean())
        return {"reconstruction": alone, "kl": 0.0, "bound": alone, "evidence": alone}
    model = fit_vae(bits, steps=budget, generator=seed).model
    return dict(assess(model, held_out, reach=7, step=0.1, n_nodes=12)._asdict())


LONGER = Experiment("longer", longer, dict.fromkeys(["no code", "both forces"], {}), seeds=range(10),
                    budgets=(500, 1000, 2000, 4000), spent="steps", better="more", measure="evidence",
                    digits=0)
