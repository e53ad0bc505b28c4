r"""Noise-contrastive estimation: a model without its normaliser, fitted by telling data from noise.

A model gives each item a score :math:`s(w)`, the logarithm of an un-normalised probability. For each datum
from the law p, k items are drawn from a noise law q that is known, and a logistic classifier is to tell which
is which; its logit is :math:`\Delta(w) = s(w) - \log(k\, q(w))`, so that nothing is asked of the score but
to be right at the items that were drawn. At the best classifier :math:`e^{s} = p`, with its normaliser.

`nce_loss` and `info_nce_loss` are losses for tensors of torch; `nce_fit` is Newton's method for scores that
are linear in their parameters.
"""

import math

import numpy as np
import torch
from torch.nn import functional

from ..arguments import as_real, broadcast_shape, check_entries, check_finite, read_count

__all__ = ["info_nce_loss", "nce_fit", "nce_loss"]

_STRIDE = 4.0  # the most that a step of Newton may change a log-odds


def nce_loss(data_scores, noise_scores, data_log_kq, noise_log_kq):
    r"""Loss of noise-contrastive estimation, for each datum.

    .. math:: -\frac1n \Bigl(\sum_{i=1}^n \log \sigma\bigl(\Delta(w_i)\bigr)
              + \sum_{j=1}^m \log\bigl(1 - \sigma(\Delta(\bar w_j))\bigr)\Bigr),
              \qquad \Delta(w) = s(w) - \log\bigl(k\, q(w)\bigr)

    Parameters
    ----------
    data_scores : Tensor of a floating type, any shape
        Scores :math:`s(w_i)` of the n data. They need no normaliser, and are not shifted by anything.
    noise_scores : Tensor of the same type, any shape
        Scores of the m draws from q, :math:`k = m/n` for each datum; say of shape (n, k), or (k, n).
    data_log_kq, noise_log_kq : Tensor or float
        :math:`\log(k\,q)` of the same items. They may have axes of length 1, or fewer axes. The factor k
        belongs to them, since the classes are not of one size.

    Returns
    -------
    Tensor, shape ()
        For a mean score in each datum, so that the learning rate doesn't depend on n. Its gradient in the
        score of a datum is :math:`(\sigma(\Delta) - 1)/n`, in that of a noise item :math:`\sigma(\Delta)/n`.

    Raises
    ------
    TypeError
        The scores aren't tensors of one floating type.
    ValueError
        There are no data, or no noise; shapes don't fit; a score is NaN; a :math:`\log(kq)` is NaN or
        ``+inf``, or ``-inf``, which says of a datum that the noise never proposes it (nothing could be
        learnt of its score), and of a noise item that it was drawn against all probability.

    Notes
    -----
    Each term is a `torch.nn.functional.logsigmoid`: exact to rounding for all scores, where
    ``log(sigmoid(...))`` is minus infinity below -104 in ``float32`` and binary cross-entropy on
    probabilities is cut at 100. An infinite score stands for what it says: a datum whose score is ``-inf``
    makes the loss infinite. No constant is added and nothing is clipped.

    Implements: eq-nce-objective

    References
    ----------
    M. U. Gutmann and A. Hyvärinen, "Noise-contrastive estimation of unnormalized statistical models, with
    applications to natural image statistics", Journal of Machine Learning Research 13 (2012) 307-361.

    Examples
    --------
    Two data, and one noise item for each:

    >>> scores = torch.zeros(2, requires_grad=True)
    >>> loss = nce_loss(scores, torch.zeros(2, 1), 0.0, 0.0)
    >>> round(loss.item(), 4)
    1.3863
    >>> loss.backward()
    >>> scores.grad
    tensor([-0.2500, -0.2500])
    """
    kinds = {"data": (data_scores, data_log_kq), "noise": (noise_scores, noise_log_kq)}
    logits = {kind: _logits(kind, *pair) for kind, pair in kinds.items()}
    if data_scores.dtype != noise_scores.dtype:
        raise TypeError(f"expected scores of one type, got {data_scores.dtype} and {noise_scores.dtype}")
    total = functional.logsigmoid(logits["data"]).sum() + functional.logsigmoid(-logits["noise"]).sum()
    return -total / data_scores.numel()


def _logits(kind, scores, log_kq):
    """Scores less log(kq), once both are in order."""
    _be_scores(f"{kind}_scores", scores)
    log_kq = torch.as_tensor(log_kq, dtype=scores.dtype, device=scores.device)
    try:
        fits = torch.broadcast_shapes(scores.shape, log_kq.shape) == scores.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(f"expected {kind}_log_kq to fit scores of shape {tuple(scores.shape)}, "
                         f"got shape {tuple(log_kq.shape)}")
    if not (finite := torch.isfinite(log_kq)).all():
        why = ""
        if (log_kq == -math.inf).any():
            why = (", a datum that the noise never proposes, whose score cannot be learnt" if kind == "data"
                   else ", an item that the noise cannot have drawn")
        raise ValueError(f"expected finite {kind}_log_kq, got {log_kq[~finite][0]}{why}")
    return scores - log_kq


def _be_scores(name, scores):
    if not isinstance(scores, torch.Tensor) or not scores.dtype.is_floating_point:
        raise TypeError(f"expected {name} as a tensor of floating point numbers, "
                        f"got {getattr(scores, 'dtype', type(scores).__name__)}")
    if scores.numel() == 0:
        raise ValueError(f"expected at least one of {name}, got shape {tuple(scores.shape)}")
    if (missing := torch.isnan(scores)).any():
        check_entries(name, scores.detach(), ~missing.cpu().numpy(), "without NaN")


def info_nce_loss(scores, *, positive=None):
    r"""Loss of telling one item from others that were drawn beside it.

    .. math:: -\frac1B \sum_{b=1}^B \log \frac{e^{s_{b c_b}}}{\sum_{j=1}^K e^{s_{bj}}}

    Parameters
    ----------
    scores : Tensor of a floating type, shape (..., B, K)
        Scores of K candidates for each of B contexts. ``-inf`` masks one.
    positive : Tensor of int, shape (..., B), optional
        Which candidate belongs to the context. Unless given, candidate b to context b, for which the scores
        must be square: the candidates of the batch are each other's noise.

    Returns
    -------
    Tensor, shape ()
        The mean. :math:`\log K` less its expectation is at most the mutual information of context and
        candidate, if the other candidates are independent draws from the marginal law.

    Raises
    ------
    TypeError
        The scores aren't a tensor of a floating type, or `positive` not one of integers.
    ValueError
        There are no scores, or one is NaN; shapes don't fit; `positive` isn't from 0 to K - 1.

    Notes
    -----
    Implements: eq-infonce

    References
    ----------
    A. van den Oord, Y. Li and O. Vinyals, "Representation learning with contrastive predictive coding",
    arXiv:1807.03748 (2018).

    Examples
    --------
    >>> round(info_nce_loss(torch.zeros(4, 4)).item(), 4)  # log 4
    1.3863
    """
    _be_scores("scores", scores)
    if scores.ndim < 2:
        raise ValueError(f"expected scores of shape (..., B, K), got {tuple(scores.shape)}")
    rows, candidates = scores.shape[-2:]
    if positive is None:
        if rows != candidates:
            raise ValueError(f"expected as many candidates as contexts, got {rows} contexts and "
                             f"{candidates} candidates; or say which are positive")
        positive = torch.arange(rows, device=scores.device).expand(scores.shape[:-1])
    positive = torch.as_tensor(positive, device=scores.device)
    if positive.dtype.is_floating_point or positive.dtype == torch.bool:
        raise TypeError(f"expected integers for positive, got {positive.dtype}")
    if positive.shape != scores.shape[:-1]:
        raise ValueError(f"expected positive of shape {tuple(scores.shape[:-1])}, "
                         f"got {tuple(positive.shape)}")
    if ((positive < 0) | (positive >= candidates)).any():
        raise ValueError(f"expected positive from 0 to {candidates - 1}, "
                         f"got {positive.min()} to {positive.max()}")
    if (scores == -math.inf).all(dim=-1).any():
        raise ValueError("expected a candidate for each context, got scores that are all -inf")
    return functional.cross_entropy(scores.reshape(-1, candidates), positive.reshape(-1).long())


def nce_fit(features, log_kq, data_weights, noise_weights, *, initial=None, max_iterations=100):
    r"""Fit scores that are linear in their parameters, :math:`s(w) = \theta^\top x(w)`, by Newton's method.

    .. math:: \hat\theta = \arg\max_\theta \sum_w a_w \log\sigma(\Delta_w)
              + b_w \log\bigl(1 - \sigma(\Delta_w)\bigr), \qquad
              \Delta_w = \theta^\top x_w - \log\bigl(k\,q(w)\bigr)

    That is a logistic regression with an offset; the maximand is concave.

    Parameters
    ----------
    features : array_like, shape (m, d)
        Of all items :math:`x_w` that occur, once each; a column of ones is a free normaliser.
    log_kq : array_like, shape (m,)
        :math:`\log(k\,q(w))`, finite where an item has a weight.
    data_weights, noise_weights : array_like, shape (..., m)
        How often each item is among the data, :math:`a_w`, and among the noise, :math:`b_w`. With p and
        :math:`kq` instead of counts the fit is that of infinitely many draws.
    initial : array_like, shape (d,), optional
        Zero unless given.
    max_iterations : int

    Returns
    -------
    ndarray, shape (..., d)
        One fit for each leading index of the weights, to about the square root of the rounding error in the
        gradient or better: the last step of Newton is below 1e-10, relative to the largest parameter.

    Raises
    ------
    TypeError
        An argument isn't real.
    ValueError
        The shapes don't fit; a number isn't finite, or a weight negative; a fit has no data, or no noise.
    RuntimeError
        There is no single maximum: the features are linearly dependent where there is weight, or a
        combination of them separates data from noise, so that the parameters run away.

    Notes
    -----
    No step changes a log-odds by more than 4, so that the curvature never collapses; a step that doesn't
    raise the maximand is halved.

    Implements: eq-nce-objective

    Examples
    --------
    A score for each of two items, from infinitely many draws:

    >>> p, q = np.array([0.7, 0.3]), np.array([0.2, 0.8])
    >>> np.exp(nce_fit(np.eye(2), np.log(5 * q), p, 5 * q)).round(6)
    array([0.7, 0.3])
    """
    given = {"features": features, "log_kq": log_kq, "data_weights": data_weights,
             "noise_weights": noise_weights}
    x, offset, a, b = (as_real(v, name)[0].astype(np.float64) for name, v in given.items())
    if x.ndim != 2 or 0 in x.shape:
        raise ValueError(f"expected features of shape (m, d), got {x.shape}")
    check_finite(features=x)
    m, d = x.shape
    if offset.shape != (m,) or a.shape[-1:] != (m,) or b.shape[-1:] != (m,):
        raise ValueError(f"expected log_kq and weights of {m} items, got shapes {offset.shape}, "
                         f"{a.shape} and {b.shape}")
    for name, weights in (("data_weights", a), ("noise_weights", b)):
        check_entries(name, weights, np.isfinite(weights) & (weights >= 0), "to be finite and not negative")
        total = weights.sum(axis=-1)
        check_entries(f"the sums of {name}", total, total > 0, "to be positive")
    broadcast_shape(data_weights=a, noise_weights=b)
    a, b = np.broadcast_arrays(a, b)
    used = ((a > 0) | (b > 0)).reshape(-1, m).any(axis=0)
    check_entries("log_kq", offset, np.isfinite(offset) | ~used, "to be finite wherever an item has a weight")
    start = np.zeros(d) if initial is None else as_real(initial, "initial")[0].astype(np.float64)
    if start.shape != (d,):
        raise ValueError(f"expected initial of shape {(d,)}, got {start.shape}")
    check_finite(initial=start)
    shape = a.shape[:-1]
    weights = (w.reshape(-1, m)[:, used] for w in (a, b))
    theta = _newton(x[used], offset[used], *weights, start,
                    read_count("max_iterations", max_iterations))
    return theta.reshape(*shape, d)


def _newton(x, offset, a, b, start, max_iterations):
    d = x.shape[1]
    products = (x[:, :, None] * x[:, None, :]).reshape(len(x), d * d)
    theta, open_ = np.tile(start, (len(a), 1)), np.arange(len(a))
    scale = 1 / (a.sum(axis=1) + b.sum(axis=1))
    a, b = a * scale[:, None], b * scale[:, None]

    def value(theta, rows):
        logit = theta @ x.T - offset
        return -(a[rows] * np.logaddexp(0, -logit) + b[rows] * np.logaddexp(0, logit)).sum(axis=1)

    best = value(theta, open_)
    for _ in range(max_iterations):
        logit = theta[open_] @ x.T - offset
        minus, plus = _logistic(-logit), _logistic(logit)
        gradient = (a[open_] * minus - b[open_] * plus) @ x
        hessian = ((a[open_] + b[open_]) * minus * plus) @ products
        try:
            step = np.linalg.solve(hessian.reshape(-1, d, d), gradient[..., None])[..., 0]
        except np.linalg.LinAlgError:
            raise RuntimeError("no single maximum: the parameters run away, or the features are linearly "
                               "dependent") from None
        change = np.abs(step @ x.T).max(axis=1)
        length = 1 / np.maximum(1, change / _STRIDE)
        for _ in range(40):
            trial = theta[open_] + length[:, None] * step
            found = value(trial, open_)
            worse = ~(found >= best[open_] - 1e-14 * np.abs(best[open_]))
            if not worse.any():
                break
            length[worse] /= 2
        theta[open_], best[open_] = trial, found
        size = np.maximum(1, np.abs(trial).max(axis=1))
        if not (size < 1e6).all():
            break
        open_ = open_[np.abs(step).max(axis=1) > 1e-10 * size]
        if not open_.size:
            return theta
    raise RuntimeError(f"no single maximum found in {max_iterations} steps: the features separate data from "
                       "noise, or are linearly dependent")


def _logistic(t):
    """The sigmoid, without overflow."""
    small = np.exp(-np.abs(t))
    return np.where(t >= 0, 1, small) / (1 + small)
