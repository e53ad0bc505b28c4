r"""What a softmax says of a datum that belongs to no class, and a loss that tells it to doubt.

Along a ray :math:`t u` the logits of a linear classifier are straight lines :math:`b_k + a_k t`.  Far out the
steepest class takes all, and `ray_limit` says what is left if several are equally steep:

    >>> ray_limit([2.0, 1.0, 2.0], [0.0, 5.0, 0.0])
    array([0.5, 0. , 0.5])

Training can ask for doubt where there are outliers to train on:

.. math:: \mathbb E_{\text{in}}[-\log \pi_y(x)] + \beta\,\mathbb E_{\text{out}}[\mathrm{KL}(U \| \pi(x))],

and `confident_optimum` is what no network can do better than.  The losses need torch.
"""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy, log_softmax

from softmaxnotes.arguments import (
    as_real,
    broadcast_shape,
    check_entries,
    check_finite,
    read_axis,
    read_count,
    read_generator,
    read_number,
)
from softmaxnotes.training import Trained, descend, linear_stack, own_generator, train

__all__ = ["confidence_loss", "confident_optimum", "fit_confident", "ray_limit", "relu_network",
           "uniform_divergence"]


def ray_limit(slopes, offsets, *, axis=-1):
    r"""The law that a softmax tends to along a ray on which its logits are straight lines.

    .. math:: \lim_{t \to \infty} \operatorname{softmax}(b + a t)_k
              = \frac{e^{b_k}}{\sum_{i:\, a_i = \max a} e^{b_i}}

    if :math:`a_k` is the largest slope, else 0.

    Parameters
    ----------
    slopes : array_like
        :math:`a`, finite; classes are tied if their slopes are equal to the last bit.
    offsets : array_like
        :math:`b`, finite; broadcast with `slopes`.
    axis : int
        That of the classes.

    Returns
    -------
    ndarray
        A law along `axis`, in the floating type that the arguments have together.

    Raises
    ------
    TypeError
        An argument isn't real, or `axis` isn't an integer.
    ValueError
        An argument isn't finite, the shapes don't fit, there are no classes, or there is no such `axis`.

    Notes
    -----
    Implements: eq-ray-limit

    Examples
    --------
    >>> ray_limit([1.0, 3.0, 2.0], [9.0, 0.0, 0.0])
    array([0., 1., 0.])
    """
    (slopes, steep), (offsets, flat) = as_real(slopes, "slopes"), as_real(offsets, "offsets")
    shape = broadcast_shape(slopes=slopes, offsets=offsets)
    check_finite(slopes=slopes, offsets=offsets)
    if shape[(axis := read_axis(axis, len(shape)))] == 0:
        raise ValueError(f"expected at least one class, got shape {shape}")
    slopes, offsets = np.broadcast_arrays(slopes, offsets)
    left = np.where(slopes == slopes.max(axis=axis, keepdims=True), offsets, -np.inf)
    with np.errstate(over="ignore"):  # a difference beyond the largest number weighs nothing, too
        weights = np.exp(left - left.max(axis=axis, keepdims=True))
    return (weights / weights.sum(axis=axis, keepdims=True)).astype(np.result_type(steep, flat))


def confident_optimum(posterior, density_in, density_out, *, beta=1.0):
    r"""The law of classes that minimises the confidence loss where data and outliers overlap.

    .. math:: \pi^*_k = \lambda\,\eta_k + \frac{1 - \lambda}{n}, \qquad \lambda = \frac{a}{a + \beta c}

    Parameters
    ----------
    posterior : array_like, shape (..., n)
        :math:`\eta`, the laws of the classes among the data; each adds up to 1.
    density_in, density_out : array_like, shape (...)
        :math:`a` and :math:`c`, not negative, and not both zero.
    beta : float
        Weight of the outliers, positive.

    Returns
    -------
    ndarray, shape (..., n)
        In the floating type that the arrays have together.

    Raises
    ------
    TypeError
        An array isn't real.
    ValueError
        A posterior isn't a law; a density is negative, NaN or infinite; both densities are zero, so that
        every law is optimal there; the shapes don't fit; `beta` isn't one number, positive and finite.

    Notes
    -----
    Implements: eq-confident-optimum

    Examples
    --------
    >>> confident_optimum([1.0, 0.0], density_in=3.0, density_out=1.0)
    array([0.875, 0.125])
    """
    names = {"posterior": posterior, "density_in": density_in, "density_out": density_out}
    given = [as_real(v, name) for name, v in names.items()]
    posterior, inside, outside = (v for v, _ in given)
    beta = read_number("beta", beta, positive=True)
    if posterior.ndim == 0 or posterior.shape[-1] == 0:
        raise ValueError(f"expected posterior of shape (..., n) with n > 0, got {posterior.shape}")
    check_entries("posterior", posterior, posterior >= 0, "not to be negative")
    total = posterior.sum(axis=-1)
    check_entries("the sums of posterior", total, np.isclose(total, 1), "to be 1")
    for name, v in (("density_in", inside), ("density_out", outside)):
        check_entries(name, v, np.isfinite(v) & (v >= 0), "to be finite and not negative")
    broadcast_shape(laws=posterior[..., 0], density_in=inside, density_out=outside)
    if np.any((inside == 0) & (outside == 0)):
        raise ValueError("no best law: every law is optimal where both densities are 0")
    with np.errstate(over="ignore", divide="ignore"):  # no sum or product that is too large or too small
        share = np.asarray(1 / (1 + beta * (outside / inside)))[..., None]
    law = share * posterior + (1 - share) / posterior.shape[-1]
    return law.astype(np.result_type(*(kind for _, kind in given)))


def uniform_divergence(logits):
    r"""How far a softmax is from no opinion, in nats: 0 if it is uniform.

    .. math:: \mathrm{KL}(U \| \pi) = \operatorname{lse}(z) - \frac1n \sum_{k=1}^n z_k - \log n

    Its slope along the logit k is :math:`\pi_k - 1/n`.

    Parameters
    ----------
    logits : torch.Tensor, shape (..., n)

    Returns
    -------
    torch.Tensor, shape (...)
        Infinite if a logit is ``-inf`` and another is not; NaN if a logit is NaN or ``inf``, or if all are
        ``-inf``.

    Raises
    ------
    TypeError
        `logits` isn't a tensor of floating-point numbers.
    ValueError
        There are no classes.

    Notes
    -----
    ``torch.nn.functional.kl_div`` with its default reduction divides by the number of classes, too.

    Implements: eq-uniform-divergence

    Examples
    --------
    >>> uniform_divergence(torch.tensor([[1.0, 1.0], [-math.inf, 0.0]]))
    tensor([0., inf])
    """
    _check_floating(logits)
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"expected logits of at least one class, got shape {tuple(logits.shape)}")
    return -log_softmax(logits, dim=-1).mean(dim=-1) - math.log(logits.shape[-1])


def confidence_loss(logits_in, labels, logits_out, *, beta=1.0):
    r"""The confidence loss of Lee et al. (2018): be right on data, and uniform on outliers.

    .. math:: \frac1N \sum_{i=1}^N -\log \pi_{y_i}(x_i)
              + \frac{\beta}{M} \sum_{j=1}^M \mathrm{KL}(U \| \pi(\tilde x_j))

    Parameters
    ----------
    logits_in : torch.Tensor, shape (N, n)
    labels : torch.Tensor of int64, shape (N,)
    logits_out : torch.Tensor, shape (M, n)
        The two sums have a mean each: M weighs nothing.
    beta : float
        Not negative.

    Returns
    -------
    torch.Tensor, shape ()

    Raises
    ------
    TypeError
        Logits aren't tensors of floating-point numbers, or labels aren't one of int64.
    ValueError
        The shapes don't fit, there are no data or no outliers, a label isn't from 0 to n - 1 (also where
        torch would leave it out, as it does -100), or `beta` is negative or not finite.

    Notes
    -----
    Implements: eq-confidence-loss

    References
    ----------
    K. Lee, H. Lee, K. Lee and J. Shin, "Training confidence-calibrated classifiers for detecting
    out-of-distribution samples", ICLR 2018.

    Examples
    --------
    >>> sure, unsure = torch.tensor([[40.0, 0.0]]), torch.zeros(3, 2)
    >>> float(confidence_loss(sure, torch.tensor([0]), unsure))
    0.0
    """
    check_weight(beta)
    _check_floating(logits_in, logits_out)
    _check_labels(labels)
    if not (logits_in.ndim == logits_out.ndim == 2 and logits_in.shape[1] == logits_out.shape[1]
            and labels.shape == logits_in.shape[:1] and len(labels) and len(logits_out)):
        raise ValueError("expected logits (N, n), labels (N,) and logits (M, n), got "
                         f"{tuple(logits_in.shape)}, {tuple(labels.shape)} and {tuple(logits_out.shape)}")
    low, high = (int(end) for end in labels.aminmax())
    if low < 0 or high >= logits_in.shape[1]:
        raise ValueError(f"expected labels from 0 to {logits_in.shape[1] - 1}, got {low} to {high}")
    return cross_entropy(logits_in, labels) + beta * uniform_divergence(logits_out).mean()


def relu_network(sizes, *, generator=None, dtype=torch.float32):
    r"""Linear layers with rectifiers in between.

    Parameters
    ----------
    sizes : sequence of int
        From inputs to outputs.
    generator : None, int or torch.Generator
        Of weights and biases, which are uniform between :math:`\pm 1/\sqrt{\text{inputs}}`.
    dtype : torch.dtype

    Returns
    -------
    torch.nn.Sequential

    Raises
    ------
    TypeError
        A size isn't an integer.
    ValueError
        Fewer than two sizes, or one that isn't positive.

    Examples
    --------
    >>> relu_network((2, 8, 3))(torch.zeros(5, 2)).shape
    torch.Size([5, 3])
    """
    sizes = [read_count(f"sizes[{place}]", size) for place, size in enumerate(sizes)]
    if len(sizes) < 2:
        raise ValueError(f"expected two or more sizes, got {sizes}")
    return linear_stack(sizes, torch.nn.ReLU(), generator=read_generator(generator), dtype=dtype)


def fit_confident(points, labels, outliers, *, beta=1.0, hidden=64, steps=1000, batch=100, lr=3e-3,
                  generator=None, checkpoint=None, title=None) -> Trained:
    """Train a network with two hidden layers on the confidence loss, by Adam on batches with replacement.

    Parameters
    ----------
    points : torch.Tensor, shape (N, d)
    labels : torch.Tensor of int64, shape (N,)
        From 0 to the number of classes less one.
    outliers : torch.Tensor, shape (M, d)
    beta : float
        0 trains on the data alone.
    hidden : int
        Rectifiers in each hidden layer.
    steps, batch : int
        In each step `batch` points and as many outliers.
    lr : float
    generator : None, int or torch.Generator
        Of the first weights and of the batches, on the device of the points.
    checkpoint, title
        As of `softmaxnotes.training.train`.

    Returns
    -------
    Trained
        The network, a `torch.nn.Sequential`; of each step the record has ``loss``.

    Raises
    ------
    TypeError
        Points and outliers aren't tensors of one floating type, or labels aren't one of int64.
    ValueError
        The shapes don't fit, a point or an outlier isn't finite, a label is negative, or `beta` is negative
        or not finite.

    Examples
    --------
    >>> points, labels = torch.tensor([[1.0, 0.0], [-1.0, 0.0]]), torch.tensor([0, 1])
    >>> network, record = fit_confident(points, labels, 9 * torch.eye(2), steps=200)
    >>> network(points).argmax(dim=1)
    tensor([0, 1])
    """
    check_points(points, labels, outliers)
    generator = own_generator(generator, points.device)
    classes = int(labels.max()) + 1
    sizes = points.shape[1], hidden, hidden, classes
    network = relu_network(sizes, generator=generator, dtype=points.dtype)
    descent = torch.optim.Adam(network.parameters(), lr=lr)

    def step(_):
        some = torch.randint(len(points), (batch,), generator=generator, device=points.device)
        others = torch.randint(len(outliers), (batch,), generator=generator, device=points.device)
        logits = network(torch.cat([points[some], outliers[others]]))
        loss = confidence_loss(logits[:batch], labels[some], logits[batch:], beta=beta)
        descend(descent, loss)
        return {"loss": loss.item()}

    parts = {"network": network, "descent": descent, "generator": generator}
    return Trained(network, train(step, steps, parts=parts, checkpoint=checkpoint, title=title))


def check_weight(beta):
    if read_number("beta", beta) < 0:
        raise ValueError(f"expected beta not to be negative, got {beta!r}")


def _check_floating(*tensors, what="logits"):
    for v in tensors:
        if not (isinstance(v, torch.Tensor) and v.is_floating_point()):
            found = f"one of {v.dtype}" if isinstance(v, torch.Tensor) else type(v).__name__
            raise TypeError(f"expected {what} as a torch.Tensor of floating-point numbers, got {found}")


def _check_labels(labels):
    if not (isinstance(labels, torch.Tensor) and labels.dtype == torch.int64):
        found = f"one of {labels.dtype}" if isinstance(labels, torch.Tensor) else type(labels).__name__
        raise TypeError(f"expected labels as a torch.Tensor of torch.int64, got {found}")


def check_points(points, labels, outliers=None):
    given = (points,) if outliers is None else (points, outliers)
    _check_floating(*given, what="points")
    _check_labels(labels)
    if len({v.dtype for v in given}) > 1:
        raise TypeError(f"expected points and outliers of one type, got {points.dtype} and {outliers.dtype}")
    shapes = [tuple(v.shape) for v in (points, labels, *([] if outliers is None else [outliers]))]
    fits = len(shapes[0]) == 2 and shapes[1] == shapes[0][:1] and 0 not in shapes[0]
    if outliers is not None:
        fits = fits and len(shapes[2]) == 2 and shapes[2][1] == shapes[0][1] and shapes[2][0] > 0
    if not fits:
        raise ValueError(f"expected points (N, d), labels (N,){' and outliers (M, d)' * (len(shapes) > 2)}, "
                         f"got {shapes}")
    if labels.min() < 0:
        raise ValueError(f"expected labels from 0 on, got {int(labels.min())}")
    for name, v in zip(("points", "outliers"), given):
        check_entries(name, v, torch.isfinite(v).cpu().numpy(), "to be finite")
