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
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp

from proofread.experiments import Experiment
from softmaxnotes.arguments import as_real, check_finite, read_choice
from softmaxnotes.digits import load
from softmaxnotes.gradients.vae import CHUNK, binarise, code_cost, gauss_hermite

from .vae import assess, bits_alone, fit_vae

__all__ = ["WEIGHTS", "CodeLedger", "Regulariser", "code_ledger", "regulariser_parts"]


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
    few = max(1, CHUNK // (len(weights) * len(means)))
    information = 0.0
    for i in range(0, len(means), few):
        at = slice(i, i + few)
        codes = means[at, None] + stds[at, None] * places
        log_q = sum(-0.5 * ((codes[..., None, k] - means[:, k]) / stds[:, k]) ** 2 - log_vars[:, k] / 2
                    for k in range(means.shape[1]))
        log_mixture = logsumexp(log_q, axis=-1) - math.log(len(means))
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
                     budgets=(500, 1000), spent="steps", better="more", measure="evidence", digits=0)
