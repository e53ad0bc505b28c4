"""Preferences: rewards from comparisons, and the losses that train a policy from them, DPO among them.

The policy that they aim at is `tilt`; `best_of` comes near it without training.
"""

import numpy as np

from ..arguments import as_array, as_real, broadcast_shape, check_entries, is_tensor, read_choice, read_number

__all__ = ["answer_log_prob", "bradley_terry", "dpo_loss"]

_KINDS = ("dpo", "ipo")


def bradley_terry(wins, *, tolerance: float = 1e-10):
    r"""Rewards that make the outcomes of comparisons most probable: maximum likelihood of Bradley and Terry.

    .. math:: \Pr(j \succ k) = \sigma(r_j - r_k), \qquad
              \sum_k w_{jk} = \sum_k (w_{jk} + w_{kj})\,\sigma(r_j - r_k)

    Parameters
    ----------
    wins : array_like, shape (n, n)
        How often :math:`j` was preferred to :math:`k`, in row :math:`j`; a tie may count as half a win for
        both. The diagonal is ignored.
    tolerance : float
        Largest difference of the two sides above, relative to the wins of an item, and to its losses.

    Returns
    -------
    ndarray, shape (n,)
        Of mean 0, since only differences count.

    Raises
    ------
    ValueError
        `wins` is not square, or has an entry that is negative or not finite; or there is no maximum, since
        some items have never lost to the others.

    Notes
    -----
    There is a maximum, and only one, if and only if the items cannot be split into two groups of which one
    never lost to the other (Ford 1957). Newton's method, with steps that are halved until the likelihood
    grows.

    Implements: eq-bt-likelihood

    References
    ----------
    R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs: I. The method of paired
    comparisons", Biometrika 39 (1952).
    L. R. Ford, "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64
    (1957).

    Examples
    --------
    >>> r = bradley_terry([[0, 8], [2, 0]])
    >>> r.round(3), np.log(8 / 2).round(3)
    (array([ 0.693, -0.693]), np.float64(1.386))
    """
    given, dtype = as_real(wins, "wins")
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
        raise ValueError(f"expected wins of shape (n, n), got {given.shape}")
    check_entries("wins", given, (given >= 0) & (given < np.inf), "to be finite and not negative")
    tolerance = read_number("tolerance", tolerance, positive=True)
    n = len(given)
    if n == 1:
        return np.zeros(1, dtype)
    wins = given.astype(np.float64)
    np.fill_diagonal(wins, 0)
    _check_connected(wins)
    wins = wins / wins.max()
    both, flat = wins + wins.T, np.full((n, n), 1 / n)
    fewest = np.minimum(wins.sum(axis=0), wins.sum(axis=1))

    def loss(r):
        return (wins * np.logaddexp(0, r[None, :] - r[:, None])).sum()

    r = np.zeros(n)
    for _ in range(500):
        share = 1 / (1 + np.exp(np.clip(r[None, :] - r[:, None], -700, 700)))
        short = (wins * share.T - wins.T * share).sum(axis=1)
        if (np.abs(short) <= tolerance * fewest).all():
            break
        bend = both * share * share.T
        step = np.linalg.solve(np.diag(bend.sum(axis=1)) - bend + flat * bend.max(), short)
        now, length = loss(r), 1.0
        while not loss(r + length * step) <= now and length > 1e-12:
            length /= 2
        if length <= 1e-12:  # what is left is rounding
            break
        r = r + length * step
    return (r - r.mean()).astype(dtype)


def dpo_loss(chosen, rejected, ref_chosen, ref_rejected, *, beta: float = 0.1, kind: str = "dpo",
             smoothing: float = 0.0):
    r"""Loss of a comparison of two answers, from their log-probabilities: DPO, or IPO.

    .. math:: h = \log\frac{\pi_j}{\rho_j} - \log\frac{\pi_k}{\rho_k}, \qquad
              -(1 - \varepsilon) \log \sigma(\beta h) - \varepsilon \log \sigma(-\beta h),
              \qquad \Bigl(h - \frac1{2\beta}\Bigr)^2

    Parameters
    ----------
    chosen, rejected : array_like or Tensor, shape (...)
        Log-probabilities of the preferred answer :math:`j` and of the other one, :math:`k`, under the policy.
    ref_chosen, ref_rejected : array_like or Tensor, shape (...)
        Under the reference.
    beta : float
        Price of a nat.
    kind : {"dpo", "ipo"}
        The logistic loss, or the square.
    smoothing : float
        Weight :math:`\varepsilon` of the opposite label, in [0, ½); for "dpo" only. A negative one, as in
        robust DPO, is refused, since its loss has no lower bound.

    Returns
    -------
    ndarray, scalar or Tensor, shape (...)
        A loss for each comparison, not their mean; if one of the four is a tensor, a tensor that can be
        differentiated.

    Raises
    ------
    ValueError
        `beta` isn't positive, `kind` none of these, `smoothing` outside of [0, ½) or not 0 for "ipo"; the
        shapes don't fit.

    Notes
    -----
    Log-probabilities are summed over the tokens of an answer, as `answer_log_prob` does. Of answers that are
    compared often, with the share :math:`P` for :math:`j`, the expected loss is least at
    :math:`\beta h = \operatorname{logit} P` for "dpo", and at :math:`\beta h = P - \frac12` for "ipo".

    Implements: eq-dpo-target

    References
    ----------
    R. Rafailov et al., "Direct preference optimization: your language model is secretly a reward model",
    NeurIPS 36 (2023), arXiv:2305.18290.
    M. G. Azar et al., "A general theoretical paradigm to understand learning from human preferences",
    AISTATS (2024), arXiv:2310.12036.

    Examples
    --------
    >>> dpo_loss(-5.0, -9.0, -6.0, -9.0, beta=0.5).round(4)  # h is 1
    np.float64(0.4741)
    >>> dpo_loss(-5.0, -9.0, -6.0, -9.0, beta=0.5, kind="ipo")
    np.float64(0.0)
    """
    read_choice("kind", kind, _KINDS)
    beta, smoothing = read_number("beta", beta, positive=True), read_number("smoothing", smoothing)
    if not 0 <= smoothing < 0.5:
        raise ValueError(f"expected smoothing to be in [0, 0.5), got {smoothing}")
    if smoothing and kind == "ipo":
        raise ValueError(f"expected no smoothing with kind 'ipo', got {smoothing}")
    given = {"chosen": chosen, "rejected": rejected, "ref_chosen": ref_chosen, "ref_rejected": ref_rejected}
    if any(is_tensor(x) for x in given.values()):
        return _tensor_loss(given, beta, kind, smoothing)
    dtype = np.result_type(*(as_real(x, name)[1] for name, x in given.items()))
    broadcast_shape(**given)
    arrays = [as_real(x, name)[0].astype(np.float64) for name, x in given.items()]
    with np.errstate(all="ignore"):
        h = _margin(*arrays)
        if kind == "ipo":
            loss = (h - 1 / (2 * beta)) ** 2
        else:
            loss = np.logaddexp(0, -beta * h)
            if smoothing:
                loss = (1 - smoothing) * loss + smoothing * np.logaddexp(0, beta * h)
        return np.asarray(loss).astype(dtype)[()]


def answer_log_prob(logits, tokens, answer):
    r"""Log-probabilities of answers, the sum over their tokens.

    .. math:: \sum_{t \text{ in the answer}} \log \operatorname{softmax}(z_t)_{y_t}

    Parameters
    ----------
    logits : Tensor of a floating type, shape (B, T, V)
        Row :math:`z_t` *predicts* token :math:`y_t`; of a model's output for `ids` that is ``logits[:, :-1]``
        for the tokens ``ids[:, 1:]``.
    tokens : Tensor of integers, shape (B, T)
        Any number where there is no answer.
    answer : Tensor of bool, shape (B, T)
        True for tokens of the answer, its end among them; False for prompt and padding.

    Returns
    -------
    Tensor, shape (B,)
        In ``float32``, or ``float64`` of such logits; differentiable. 0 for an empty answer.

    Raises
    ------
    TypeError
        One is no tensor, or of another type.
    ValueError
        The shapes don't fit; a token of an answer isn't one of the `V`.

    Notes
    -----
    Nothing is divided by a length: a loss of preferences compares probabilities of answers.

    Implements: eq-dpo-target

    Examples
    --------
    >>> import torch
    >>> logits = torch.tensor([[[0.0, 0.0], [0.0, 0.0], [9.0, 0.0]]])
    >>> tokens, answer = torch.tensor([[0, 1, -100]]), torch.tensor([[True, True, False]])
    >>> round(answer_log_prob(logits, tokens, answer).item(), 4)
    -1.3863
    """
    import torch

    for name, x, right, what in (
            ("logits", logits, torch.is_floating_point, "a floating type"),
            ("tokens", tokens, lambda x: not x.is_floating_point() and not x.is_complex()
             and x.dtype != torch.bool, "integers"),
            ("answer", answer, lambda x: x.dtype == torch.bool, "bool")):
        if not is_tensor(x) or not right(x):
            raise TypeError(f"expected {name} to be a tensor of {what}, "
                            f"got {x.dtype if is_tensor(x) else type(x).__name__}")
    if logits.ndim != 3 or tokens.shape != logits.shape[:2] or answer.shape != tokens.shape:
        raise ValueError("expected logits, tokens and answer of shapes (B, T, V), (B, T) and (B, T), got "
                         f"{tuple(logits.shape)}, {tuple(tokens.shape)} and {tuple(answer.shape)}")
    inside = tokens[answer]
    if len(inside) and (inside.min() < 0 or inside.max() >= logits.shape[-1]):
        raise ValueError(f"expected tokens of answers from 0 to {logits.shape[-1] - 1}, "
                         f"got {inside.min().item()} to {inside.max().item()}")
    log_p = (logits if logits.dtype == torch.float64 else logits.float()).log_softmax(-1)
    at = tokens.masked_fill(~answer, 0).long()[..., None]
    return log_p.gather(-1, at)[..., 0].masked_fill(~answer, 0).sum(-1)


# --- Inside ----------------------------------------------------------------------------


def _check_connected(wins):
    """That no group of items has never lost to the others."""
    n = len(wins)
    reach = (wins > 0) | np.eye(n, dtype=bool)
    while True:
        further = (reach.astype(np.float64) @ reach) > 0
        if (further == reach).all():
            break
        reach = further
    if reach.all():
        return
    first = np.argmax(~(reach.T & ~reach).any(axis=1))  # by wins it reaches all that reach it
    group = np.flatnonzero(reach[:, first])
    raise ValueError("expected wins in both directions between any two groups of items, got items "
                     f"{group.tolist()} that have never lost to the others: no finite rewards are the only "
                     "best ones")


def _margin(chosen, rejected, ref_chosen, ref_rejected):
    return (chosen - ref_chosen) - (rejected - ref_rejected)


def _tensor_loss(given, beta, kind, smoothing):
    """The same for tensors; torch is imported already."""
    import torch

    like = next(x for x in given.values() if is_tensor(x))
    four = [x if is_tensor(x) else torch.as_tensor(as_array(x, name), dtype=like.dtype, device=like.device)
            for name, x in given.items()]
    for name, x in zip(given, four):
        if not x.is_floating_point():
            raise TypeError(f"expected {name} to be a tensor of a floating type, got {x.dtype}")
    broadcast_shape(**dict(zip(given, four)))
    h = _margin(*four)
    if kind == "ipo":
        return (h - 1 / (2 * beta)) ** 2
    loss = -torch.nn.functional.logsigmoid(beta * h)
    return loss if not smoothing else (
        (1 - smoothing) * loss - smoothing * torch.nn.functional.logsigmoid(-beta * h))
