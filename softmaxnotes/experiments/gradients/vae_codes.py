r"""What the codes of an autoencoder say: information, mismatch, and what else is in the loss.

The mean divergence of codes from the prior is the mutual information of image and code plus the divergence of
all codes together from the prior:

    >>> import numpy as np
    >>> from softmaxnotes.experiments.gradients.vae_codes import regulariser_parts
    >>> parts = regulariser_parts([[-20.0], [20.0]], [[0.0], [0.0]])
    >>> round(parts.information, 4), round(parts.mismatch, 4)
    (0.6931, 199.3069)

The module needs torch.
"""

import math
import tempfile
from typing import NamedTuple

import numpy as np
import torch
from scipy.special import log_softmax, logsumexp

from proofread.experiments import Experiment
from softmaxnotes.arguments import as_real, check_finite, read_choice
from softmaxnotes.digits import load
from softmaxnotes.gradients.vae import (
    CHUNK,
    VAE,
    binarise,
    code_cost,
    elbo_quadrature,
    gauss_hermite,
    log_bernoulli,
    log_evidence,
)
from softmaxnotes.training import descend, own_generator, train

from .vae import Assessment, assess, bits_alone, fit_vae

__all__ = ["COORDINATES", "HALF", "LASTING", "LINKED", "LONGER_LINKED", "PARTED", "SEEN", "WEIGHTS",
           "CodeLedger", "LinkedVAE", "Regulariser", "code_ledger", "own_codes", "regulariser_parts"]


class Regulariser(NamedTuple):
    """The mean divergence from the prior, and the two parts of which it is the sum, in nats.

    Attributes
    ----------
    kl : float
        Mean over images.
    information : float
        Mutual information of image and code, at most the logarithm of the number of images.
    mismatch : float
        Divergence of the law of all codes together from the prior.
    """

    kl: float
    information: float
    mismatch: float


def regulariser_parts(means, log_vars, *, n_nodes=12):
    r"""How much of the mean divergence from the prior is information, for N images drawn uniformly.

    .. math:: \frac1N \sum_i \mathrm{KL}(q_i \,\|\, p) = \frac1N \sum_i \mathrm{KL}(q_i \,\|\, \bar q)
              + \mathrm{KL}(\bar q \,\|\, p), \qquad \bar q = \frac1N \sum_i q_i

    Parameters
    ----------
    means, log_vars : array_like, shape (N, codes)
        Of the normal laws of the codes.
    n_nodes : int
        Of the Gauss–Hermite rule in each dimension, of each law.

    Returns
    -------
    Regulariser
        ``kl`` is closed, ``information`` by quadrature, ``mismatch`` their difference.

    Raises
    ------
    ValueError
        The shapes aren't equal and (N, codes), or a number isn't finite.

    Notes
    -----
    Implements: eq-regulariser

    Examples
    --------
    Two codes far apart tell two images from each other; two that are the prior tell nothing:

    >>> apart = regulariser_parts([[-20.0], [20.0]], [[0.0], [0.0]])
    >>> round(apart.information, 6) == round(float(np.log(2)), 6)
    True
    >>> regulariser_parts([[0.0], [0.0]], [[0.0], [0.0]]).kl
    0.0
    """
    means, log_vars = (np.asarray(as_real(a, name)[0], float)
                       for name, a in (("means", means), ("log_vars", log_vars)))
    if means.ndim != 2 or means.shape != log_vars.shape or not means.size:
        raise ValueError(f"expected means and log_vars of one shape (N, codes), got {means.shape} "
                         f"and {log_vars.shape}")
    check_finite(means=means, log_vars=log_vars)
    stds = np.exp(log_vars / 2)
    places, weights = gauss_hermite(n_nodes, means.shape[1])
    few = max(1, CHUNK // (10 * len(weights) * len(means)))  # so that they stay in the cache
    information = 0.0
    for i in range(0, len(means), few):
        at = slice(i, i + few)
        codes = means[at, None] + stds[at, None] * places
        log_q = sum(-0.5 * ((codes[..., None, k] - means[:, k]) / stds[:, k]) ** 2 - log_vars[:, k] / 2
                    for k in range(means.shape[1]))
        log_mixture = torch.logsumexp(torch.as_tensor(log_q), dim=-1).numpy() - math.log(len(means))
        own = -0.5 * (places**2).sum(axis=-1) - log_vars[at].sum(axis=-1, keepdims=True) / 2
        information += float(((own - log_mixture) @ weights).sum())
    information /= len(means)
    kl = float(0.5 * (np.expm1(log_vars) - log_vars + means**2).sum(axis=-1).mean())
    return Regulariser(kl, information, kl - information)


class CodeLedger(NamedTuple):
    r"""What a finite autoencoder pays and what it learns, in nats.

    Attributes
    ----------
    rate : float
        Mean divergence of the laws of the codes from the prior.
    information : float
        Mutual information of datum and code under the encoder.
    mismatch : float
        Divergence of the law of all codes together from the prior.
    distortion : float
        Mean of :math:`-\log p(x \mid z)`.
    gap : float
        Mean divergence of the inverse of the encoder from the decoder.
    entropy : float
        Of the data.
    """

    rate: float
    information: float
    mismatch: float
    distortion: float
    gap: float
    entropy: float


def code_ledger(encoder_logits, decoder_logits, *, prior_logits=None, data_logits=None):
    r"""The terms of the loss of a finite autoencoder, each computed as it is defined.

    With m data and n codes, :math:`q(z \mid x)` the encoder, :math:`p(x \mid z)` the decoder,
    :math:`\bar q(z)` the law of a code and :math:`q(x \mid z)` that of the datum behind it,

    .. math:: \text{rate} = \mathbb E_x \mathrm{KL}(q(z \mid x) \,\|\, p(z)), \quad
              I = \mathbb E_x \mathrm{KL}(q(z \mid x) \,\|\, \bar q), \quad
              \text{gap} = \mathbb E_z \mathrm{KL}(q(x \mid z) \,\|\, p(x \mid z)).

    Parameters
    ----------
    encoder_logits : array_like, shape (m, n)
        Of the codes, for each datum.
    decoder_logits : array_like, shape (n, m)
        Of the data, for each code.
    prior_logits : array_like, shape (n,), optional
        Uniform by default.
    data_logits : array_like, shape (m,), optional
        Uniform by default.

    Returns
    -------
    CodeLedger

    Raises
    ------
    ValueError
        The shapes do not fit, or a logit isn't finite.

    Notes
    -----
    Implements: eq-loss-whole

    Examples
    --------
    A code that names the datum, and a decoder that reads it:

    >>> names = 50.0 * np.eye(4)
    >>> terms = code_ledger(names, names)
    >>> [round(term, 4) + 0.0 for term in terms]
    [1.3863, 1.3863, 0.0, 0.0, 0.0, 1.3863]
    """
    encoder, decoder = (np.asarray(as_real(a, name)[0], float) for name, a in
                        (("encoder_logits", encoder_logits), ("decoder_logits", decoder_logits)))
    if encoder.ndim != 2 or decoder.shape != encoder.shape[::-1] or not encoder.size:
        raise ValueError("expected logits of shapes (m, n) and (n, m), "
                         f"got {encoder.shape} and {decoder.shape}")
    m, n = encoder.shape
    prior, data = (np.zeros(size) if given is None else np.asarray(as_real(given, name)[0], float)
                   for name, given, size in (("prior_logits", prior_logits, n),
                                             ("data_logits", data_logits, m)))
    if prior.shape != (n,) or data.shape != (m,):
        raise ValueError(f"expected prior_logits of shape ({n},) and data_logits of shape ({m},), "
                         f"got {prior.shape} and {data.shape}")
    check_finite(encoder_logits=encoder, decoder_logits=decoder, prior_logits=prior, data_logits=data)
    encoder, decoder, prior, data = (log_softmax(a, axis=-1) for a in (encoder, decoder, prior, data))
    joint = data[:, None] + encoder
    together = logsumexp(joint, axis=0)
    back = (joint - together).T
    p = np.exp(joint)
    return CodeLedger(*map(float, (
        (p * (encoder - prior)).sum(), (p * (encoder - together)).sum(),
        (np.exp(together) * (together - prior)).sum(), -(p * decoder.T).sum(),
        (p * (back - decoder).T).sum(), -(np.exp(data) * data).sum())))


# --- Weights on the regulariser, over many seeds ---------------------------------

_WEIGHTS = {"weight ¼": 0.25, "weight 1": 1.0, "weight 16": 16.0}


def weighed(method, *, seed, budget):
    """Train with the regulariser multiplied by a weight, and assess on held-out digits.

    Parameters
    ----------
    method : {"no code", "weight ¼", "weight 1", "weight 16"}
    seed : int
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        As `Assessment`.

    Examples
    --------
    >>> weighed("no code", seed=0, budget=1)["kl"]
    0.0
    """
    read_choice("method", method, ["no code", *_WEIGHTS])
    train, test = load()
    bits, held_out = binarise(train.images), binarise(test.images)
    if method == "no code":
        alone = float(bits_alone(bits, held_out).mean())
        return {"reconstruction": alone, "kl": 0.0, "bound": alone, "evidence": alone}
    model = fit_vae(bits, steps=budget, generator=seed,
                    cost=lambda mean, log_var: _WEIGHTS[method] * code_cost(mean, log_var)).model
    return dict(assess(model, held_out, step=0.2)._asdict())


WEIGHTS = Experiment("weights", weighed, dict.fromkeys(["no code", *_WEIGHTS], {}), seeds=range(10),
                     budgets=(500, 1000, 4000), spent="steps", better="more", measure="evidence", digits=0)


# --- Codes of eight numbers: which of them are used ---------------------------------

_COORDINATES = {"weight ¼": 0.25, "weight 1": 1.0, "weight 2": 2.0, "weight 4": 4.0}


def each_cost(mean, log_var):
    """The divergence from the standard normal distribution, of each coordinate; its sum is `code_cost`.

    Examples
    --------
    >>> each_cost(torch.tensor([[1.0, 0.0]]), torch.zeros(1, 2))
    tensor([[0.5000, 0.0000]])
    """
    return 0.5 * (torch.expm1(log_var) - log_var + mean * mean)


def in_use(method, *, seed, budget):
    """Train with eight coordinates and a weight on the regulariser, and count those that held-out digits use.

    Parameters
    ----------
    method : str
        ``"all"``, which trains nothing and counts eight, or ``"weight ¼"``, 1, 2 or 4.
    seed : int
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        How many coordinates cost more than 0.05 nats on average (``"coordinates"``), of how many the means
        vary by more than 0.01 (``"active"``), and the mean divergence of the code (``"kl"``).

    Examples
    --------
    >>> in_use("all", seed=0, budget=1)["coordinates"]
    8.0
    """
    read_choice("method", method, ["all", *_COORDINATES])
    if method == "all":
        return {"coordinates": 8.0, "active": 8.0, "kl": 0.0}
    digits, test = load()
    model = fit_vae(binarise(digits.images), n_codes=8, steps=budget, generator=seed,
                    cost=lambda mean, log_var: _COORDINATES[method] * code_cost(mean, log_var)).model
    with torch.no_grad():
        mean, log_var = model.encode(binarise(test.images))
    each = each_cost(mean, log_var).mean(dim=0)
    return {"coordinates": float((each > 0.05).sum()), "active": float((mean.var(dim=0) > 0.01).sum()),
            "kl": float(each.sum())}


COORDINATES = Experiment("coordinates", in_use, dict.fromkeys(["all", *_COORDINATES], {}), seeds=range(10),
                         budgets=(500,), spent="steps", better="more", measure="coordinates", digits=0)


# --- A decoder that sees the pixels before ------------------------------------------


class LinkedVAE(VAE):
    """A `VAE` whose decoder draws the pixels one after the other, and sees those before.

    The logit of a pixel is that of the `VAE` plus a linear function of the pixels before it.

    Examples
    --------
    >>> model, image = LinkedVAE(2), torch.ones(1, 2, dtype=torch.float64)
    >>> with torch.no_grad():
    ...     model.links[1, 0] = 100.0
    >>> plain = VAE(2).log_likelihood(image, torch.zeros(1, 2, dtype=torch.float64))
    >>> model.log_likelihood(image, torch.zeros(1, 2, dtype=torch.float64)).shape == plain.shape
    True
    """

    def __init__(self, n_pixels, **settings):
        super().__init__(n_pixels, **settings)
        self.links = torch.nn.Parameter(torch.zeros(n_pixels, n_pixels, dtype=torch.float64))

    def log_likelihood(self, images, codes):
        """The logarithm of the probability of images, given codes."""
        return log_bernoulli(images, self.decode(codes) + images @ self.links.tril(-1).T)

    @torch.no_grad()
    def log_evidence(self, images, *, reach=4.0, step=0.25):
        """As `softmaxnotes.gradients.log_evidence`, for this decoder."""
        axis = torch.arange(-round(reach / step), round(reach / step) + 1, dtype=images.dtype) * step
        codes = torch.cartesian_prod(axis, axis)
        log_prior = -0.5 * (codes**2).sum(dim=-1) - math.log(2 * math.pi) + 2 * math.log(step)
        few = max(1, CHUNK // (len(codes) * self.n_pixels))
        return torch.cat([torch.logsumexp(self.log_likelihood(some, codes[:, None]) + log_prior[:, None], 0)
                          for some in images.split(few)]).numpy()


def free_bits(mean, log_var, free=1.0):
    """The divergence from the prior, where each coordinate costs at least `free` nats in the mean of a batch.

    Examples
    --------
    >>> free_bits(torch.tensor([[2.0, 0.0]]), torch.zeros(1, 2))
    tensor(3.)
    """
    return each_cost(mean, log_var).mean(dim=0).clamp(min=free).sum()


def linked(method, *, seed, budget, lr=0.01):
    """Train a decoder that sees the pixels before, and assess on held-out digits.

    Parameters
    ----------
    method : str
        ``"no code"``, where the code is zero, ``"weight 1"``, ``"annealed"``, where the weight of the
        regulariser rises from 0 to 1 in the first half, or ``"free bits"``, of a nat for each coordinate.
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
    >>> linked("no code", seed=0, budget=1)["kl"]
    0.0
    """
    read_choice("method", method, ["no code", "weight 1", "annealed", "free bits"])
    digits, test = load()
    bits, held_out = binarise(digits.images), binarise(test.images)
    generator = own_generator(seed, bits.device)
    model = LinkedVAE(bits.shape[1], generator=generator)
    descent = torch.optim.Adam(model.parameters(), lr=lr)

    def step(number):
        some = bits[torch.randint(len(bits), (200,), generator=generator)]
        mean, log_var = model.encode(some)
        noise = torch.randn(mean.shape, generator=generator, dtype=mean.dtype)
        codes = mean + torch.exp(log_var / 2) * noise
        if method == "no code":
            cost, codes = 0.0, 0 * codes
        elif method == "free bits":
            cost = free_bits(mean, log_var)
        else:
            weight = min(1.0, 2 * number / budget) if method == "annealed" else 1.0
            cost = weight * code_cost(mean, log_var).mean()
        descend(descent, cost - model.log_likelihood(some, codes).mean())
        return {}

    train(step, budget)
    if method == "no code":
        with torch.no_grad():
            alone = float(model.log_likelihood(held_out, torch.zeros(1, 2, dtype=bits.dtype)).mean())
        return {"reconstruction": alone, "kl": 0.0, "bound": alone, "evidence": alone}
    terms = elbo_quadrature(model, held_out, n_nodes=8)
    found = *terms, terms.total, model.log_evidence(held_out)
    return {name: float(values.mean()) for name, values in
            zip(("reconstruction", "kl", "bound", "evidence"), found, strict=True)}


LINKED = Experiment("linked", linked, dict.fromkeys(["no code", "weight 1", "annealed", "free bits"],
                                                    {"lr": (0.01, 0.03, 0.1)}),
                    seeds=range(10), tuning_seeds=range(90, 92), budgets=(200,), spent="steps",
                    better="more", measure="evidence", digits=0)


_STEADY = {"weight ½": 0.5, "weight 1": 1.0}


def steady(method, *, seed, budget):
    """Train the decoder of `linked` with a constant weight and the learning rate 0.03, and assess likewise.

    Parameters
    ----------
    method : {"weight ½", "weight 1"}
    seed : int
        A seed begins as it does in `linked`, with the same draws.
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        As `Assessment`.

    Examples
    --------
    >>> sorted(steady("weight ½", seed=0, budget=1))
    ['bound', 'evidence', 'kl', 'reconstruction']
    """
    read_choice("method", method, _STEADY)
    digits, test = load()
    bits, held_out = binarise(digits.images), binarise(test.images)
    generator = own_generator(seed, bits.device)
    model = LinkedVAE(bits.shape[1], generator=generator)
    descent = torch.optim.Adam(model.parameters(), lr=0.03)

    def step(number):
        some = bits[torch.randint(len(bits), (200,), generator=generator)]
        mean, log_var = model.encode(some)
        codes = mean + torch.exp(log_var / 2) * torch.randn(mean.shape, generator=generator, dtype=mean.dtype)
        cost = _STEADY[method] * code_cost(mean, log_var)
        descend(descent, (cost - model.log_likelihood(some, codes)).mean())
        return {}

    train(step, budget)
    terms = elbo_quadrature(model, held_out, n_nodes=8)
    found = *terms, terms.total, model.log_evidence(held_out, step=1 / 3)
    return {name: float(values.mean()) for name, values in
            zip(("reconstruction", "kl", "bound", "evidence"), found, strict=True)}


HALF = Experiment("half", steady, {"weight ½": {}}, seeds=range(10), budgets=(200,), spent="steps",
                  better="more", measure="evidence", digits=0)
LONGER_LINKED = Experiment("longer-linked", steady, {"weight 1": {}}, seeds=range(10), budgets=(400,),
                           spent="steps", better="more", measure="evidence", digits=0)


# --- The gap below the evidence, over many seeds ------------------------------------


def own_codes(model, images, *, steps=120, lr=0.03, n_nodes=6):
    """The bound of each image with a normal distribution that a descent finds for this image alone.

    Parameters
    ----------
    model : VAE
        Its encoder gives the start.
    images : torch.Tensor, shape (N, pixels)
    steps : int
    lr : float
        Of Adam.
    n_nodes : int
        Of the Gauss–Hermite rule in each dimension; the bound that is returned has twice as many.

    Returns
    -------
    ndarray, shape (N,)

    Examples
    --------
    >>> images = torch.eye(64, dtype=torch.float64)[:3]
    >>> model = VAE(64, generator=0)
    >>> bool((own_codes(model, images) > elbo_quadrature(model, images).total).all())
    True
    """
    with torch.no_grad():
        own = [a.clone() for a in model.encode(images)]

    def bounds(count):
        nodes, masses = map(torch.as_tensor, gauss_hermite(count, model.n_codes))
        codes = own[0][:, None] + torch.exp(own[1][:, None] / 2) * nodes
        return model.log_likelihood(images[:, None], codes) @ masses - code_cost(*own)

    descent = torch.optim.Adam([a.requires_grad_(True) for a in own], lr=lr)
    for _ in range(steps):
        descend(descent, -bounds(n_nodes).sum())
    with torch.no_grad():
        return bounds(2 * n_nodes).numpy()


def parted(method, *, seed, budget):
    """Train, and find how far the bound is below the evidence, for 100 digits held out and 100 trained on.

    Parameters
    ----------
    method : {"posterior", "encoder", "each for itself"}
        Which distribution an image has: its posterior, for which the gap is 0; that of the encoder; or the
        normal distribution of `own_codes`.
    seed : int
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        In nats, of the digits ``"held out"`` and ``"trained on"``.

    Examples
    --------
    >>> parted("posterior", seed=0, budget=1)
    {'held out': 0.0, 'trained on': 0.0}
    """
    read_choice("method", method, ["posterior", "encoder", "each for itself"])
    if method == "posterior":
        return {"held out": 0.0, "trained on": 0.0}
    digits, test = (binarise(one.images) for one in load())
    model = fit_vae(digits, steps=budget, generator=seed).model
    gaps = {}
    for name, some in (("held out", test[:100]), ("trained on", digits[:100])):
        exact = log_evidence(model, some, reach=6, step=0.2)
        found = (elbo_quadrature(model, some, n_nodes=12).total if method == "encoder"
                 else own_codes(model, some))
        gaps[name] = float((exact - found).mean())
    return gaps


PARTED = Experiment("parted", parted, dict.fromkeys(["posterior", "encoder", "each for itself"], {}),
                    seeds=range(10), budgets=(500,), spent="steps", better="less", measure="held out",
                    digits=0)


# --- Digits trained on and held out, while training goes on -----------------------------------

_SEEN = {"weight ¼": 0.25, "weight 1": 1.0, "weight 2": 2.0}


def seen(method, *, seed, budget):
    """Train, and assess on digits held out and trained on after an eighth, a quarter, a half and all of it.

    Parameters
    ----------
    method : {"no code", "weight ¼", "weight 1", "weight 2"}
    seed : int
        A seed begins as it does in `weighed`, with the same draws.
    budget : int
        Steps on batches of 200 images, a multiple of eight.

    Returns
    -------
    dict
        As `Assessment`, by names such as ``"500 steps, held out: bound"``; and at the end, for 100 digits of
        either sort, how far the bound is below the evidence with the ``"encoder"`` and with each digit's
        ``"own"`` normal distribution of `own_codes`.

    Examples
    --------
    >>> round(seen("no code", seed=0, budget=8)["8 steps, held out: bound"], 2)
    -24.61
    """
    read_choice("method", method, ["no code", *_SEEN])
    sets = dict(zip(("trained on", "held out"), (binarise(one.images) for one in load()), strict=True))
    bits, found = sets["trained on"], {}
    with tempfile.TemporaryDirectory() as folder:
        for steps in (budget // 8, budget // 4, budget // 2, budget):
            if method != "no code":
                model = fit_vae(bits, steps=steps, generator=seed, checkpoint=f"{folder}/model",
                                cost=lambda mean, log_var: _SEEN[method] * code_cost(mean, log_var)).model
            for name, images in sets.items():
                if method == "no code":
                    alone = float(bits_alone(bits, images).mean())
                    terms = Assessment(alone, 0.0, alone, alone)
                else:
                    terms = assess(model, images, reach=7, step=0.1)
                found |= {f"{steps} steps, {name}: {term}": value for term, value in terms._asdict().items()}
    for name, images in sets.items():
        some, gaps = images[:100], {"encoder": 0.0, "own": 0.0}
        if method != "no code":
            exact = log_evidence(model, some, reach=7, step=0.05)
            bounds = elbo_quadrature(model, some, n_nodes=12).total, own_codes(model, some)
            gaps = {way: float((exact - bound).mean()) for way, bound in zip(gaps, bounds, strict=True)}
        found |= {f"{name}: {way}": gap for way, gap in gaps.items()}
    return found


SEEN = Experiment("seen", seen, dict.fromkeys(["no code", *_SEEN], {}), seeds=range(10), budgets=(4000,),
                  spent="steps", better="more", measure="4000 steps, held out: evidence", digits=0)


# --- The remedies, with the weight that annealing has in the mean, and for longer --------------

_LASTING = {"no code": 0.0, "weight ½": 0.5, "weight ¾": 0.75, "weight 1": 1.0}


def lasting(method, *, seed, budget):
    """As `linked` with the learning rate 0.03, with more constant weights, and assessed on a finer lattice.

    Parameters
    ----------
    method : {"no code", "weight ½", "weight ¾", "weight 1", "annealed", "free bits"}
    seed : int
        A seed begins as it does in `linked`, with the same draws.
    budget : int
        Steps on batches of 200 images.

    Returns
    -------
    dict
        As `Assessment`, on held-out digits.

    Examples
    --------
    >>> lasting("no code", seed=0, budget=1)["kl"]
    0.0
    """
    read_choice("method", method, [*_LASTING, "annealed", "free bits"])
    bits, held_out = (binarise(one.images) for one in load())
    generator = own_generator(seed, bits.device)
    model = LinkedVAE(bits.shape[1], generator=generator)
    descent = torch.optim.Adam(model.parameters(), lr=0.03)

    def step(number):
        some = bits[torch.randint(len(bits), (200,), generator=generator)]
        mean, log_var = model.encode(some)
        noise = torch.randn(mean.shape, generator=generator, dtype=mean.dtype)
        codes = (mean + torch.exp(log_var / 2) * noise) * (method != "no code")
        weight = min(1.0, 2 * number / budget) if method == "annealed" else _LASTING.get(method)
        cost = free_bits(mean, log_var) if weight is None else weight * code_cost(mean, log_var).mean()
        descend(descent, cost - model.log_likelihood(some, codes).mean())
        return {}

    train(step, budget)
    if method == "no code":
        with torch.no_grad():
            alone = float(model.log_likelihood(held_out, torch.zeros(1, 2, dtype=bits.dtype)).mean())
        return dict(Assessment(alone, 0.0, alone, alone)._asdict())
    terms = elbo_quadrature(model, held_out, n_nodes=8)
    found = *terms, terms.total, model.log_evidence(held_out, reach=5.0, step=0.2)
    return dict(Assessment(*(float(values.mean()) for values in found))._asdict())


LASTING = Experiment("lasting", lasting, dict.fromkeys(["no code", "weight ¾", "weight 1"], {}),
                     seeds=range(10), budgets=(200, 2000), spent="steps", better="more", measure="evidence",
                     digits=0)
