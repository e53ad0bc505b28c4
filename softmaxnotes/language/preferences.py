r"""Preferences: rewards from comparisons, the best policy under a KL penalty, DPO, best of n.

With a reference :math:`\rho`, rewards :math:`r` and the price :math:`\beta` of a nat, the policy that has the
largest expected reward minus :math:`\beta` times its divergence from the reference is `tilt`,

.. math:: \pi^*_k = \frac{\rho_k\,e^{r_k/\beta}}{\sum_i \rho_i\,e^{r_i/\beta}}.

`dpo_loss` trains it from comparisons, `best_of` comes near it without training, and `soft_step` draws from it
token by token. Distributions are given as logits, answers on the last axis; leading axes broadcast. An answer
with the logit ``-inf`` is impossible, and so it stays.
"""

from collections.abc import Callable

import numpy as np

from ..arguments import (
    as_array,
    as_real,
    broadcast_shape,
    check_entries,
    is_tensor,
    read_choice,
    read_count,
    read_integers,
    read_number,
)
from ..gumbel.beam_search import next_law, read_length
from ..softmax import log_softmax, logsumexp
from .lookahead import look_ahead

__all__ = ["answer_log_prob", "best_of", "best_of_bound", "best_of_kl", "bradley_terry", "dpo_loss",
           "regularised_value", "soft_step", "tilt"]

_KINDS = ("dpo", "ipo")


# --- The best policy under a KL penalty ------------------------------------------------


def tilt(reference, rewards, beta):
    r"""Log-probabilities of the best policy under a KL penalty.

    .. math:: \log \pi^*_k = \log \rho_k + \frac{r_k}{\beta} - \log \sum_i \rho_i\,e^{r_i/\beta}

    Parameters
    ----------
    reference : array_like, shape (..., V)
        Logits of :math:`\rho`.
    rewards : array_like, shape (..., V)
        Finite, or ``-inf`` for an answer that must not be given.
    beta : array_like, shape (...)
        Price of a nat, positive; ``inf`` gives the reference.

    Returns
    -------
    ndarray, shape (..., V)
        In the floating type of reference and rewards; NaN where a slice holds NaN.

    Raises
    ------
    ValueError
        A `beta` isn't positive; a reward is ``+inf``; a slice has no answer that is possible; the shapes
        don't fit.

    Notes
    -----
    Rewards count by their differences: the largest is subtracted before they are divided, so that no `beta`
    is too small.

    Implements: eq-best-policy

    References
    ----------
    T. Korbak, E. Perez and C. Buckley, "RL with KL penalties is better viewed as Bayesian inference",
    Findings of EMNLP (2022), arXiv:2205.11275.

    Examples
    --------
    >>> np.exp(tilt(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0], 1.0)).round(3)
    array([0.094, 0.153, 0.753])
    """
    log_rho, lead, beta, dtype = _read(reference, rewards, beta)
    with np.errstate(all="ignore"):
        raised = np.where(log_rho == -np.inf, -np.inf, log_rho + _over(lead, beta))
    return log_softmax(raised).astype(dtype)


def regularised_value(reference, rewards, beta):
    r"""The largest expected reward minus the KL penalty, which the best policy has.

    .. math:: \max_\pi\; \mathbb E_\pi r - \beta\,\mathrm{KL}(\pi\,\|\,\rho)
              = \beta \log \sum_k \rho_k\,e^{r_k/\beta}

    Parameters
    ----------
    reference, rewards, beta
        As for `tilt`.

    Returns
    -------
    ndarray or scalar, shape (...)
        Between the mean of the rewards under the reference, which it is for `beta` ``inf``, and the largest
        reward of a possible answer, which it nears as `beta` goes to 0. In the floating type of reference and
        rewards; NaN where a slice holds NaN.

    Raises
    ------
    ValueError
        As for `tilt`.

    Notes
    -----
    Where `beta` is large the logarithm is that of a number near 1, and is computed from its difference to 1.

    Implements: eq-kl-regularised

    Examples
    --------
    >>> regularised_value(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0], [0.001, 1.0, np.inf]).round(3)
    array([3.998, 2.674, 1.9  ])
    """
    log_rho, lead, beta, dtype = _read(reference, rewards, beta)
    best = _largest(rewards, log_rho)
    with np.errstate(all="ignore"):
        rho, over = np.exp(log_rho), _over(lead, beta)
        below = np.where(rho == 0, 0, rho * np.expm1(over)).sum(axis=-1)
        exact = np.where(below > -0.5, np.log1p(below),
                         logsumexp(np.where(log_rho == -np.inf, -np.inf, log_rho + over)))
        mean = np.where(rho == 0, 0, rho * lead).sum(axis=-1)
        flat = beta[..., 0] == np.inf
        value = best + np.where(flat, mean, np.where(flat, 1, beta[..., 0]) * exact)
        return value.astype(dtype)[()]


# --- Comparisons -----------------------------------------------------------------------


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
        Share :math:`\varepsilon` of labels that are taken to be wrong, in [0, ½); for "dpo" only.

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


# --- Best of n -------------------------------------------------------------------------


def best_of(logits, rewards, n: int):
    r"""Log-probabilities of the best of `n` answers drawn from a model.

    .. math:: \Pr(k) = F_k^n - F_{k-1}^n

    where the answers are numbered by their rewards, and :math:`F_k` is the probability to draw one of the
    first :math:`k`.

    Parameters
    ----------
    logits, rewards : array_like, shape (..., V)
        Of the answers; rewards without NaN.
    n : int
        How many are drawn, 1 or more.

    Returns
    -------
    ndarray, shape (..., V)
        In the floating type of the two. Of draws that tie for the best one is taken at random, so answers of
        the same reward keep the ratio of their probabilities. NaN where a slice of logits holds NaN.

    Raises
    ------
    ValueError
        The shapes don't fit; a slice of logits is nothing but ``-inf``; a reward is NaN; `n` is below 1.

    Notes
    -----
    Relative accuracy is kept for improbable answers and for large `n`, by logarithms of both tails.

    Implements: eq-best-of

    Examples
    --------
    >>> np.exp(best_of(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0], 4)).round(4)
    array([0.0625, 0.3471, 0.5904])
    """
    log_p, rewards, dtype = _answers(logits, rewards)
    n = read_count("n", n)
    return _best_of(log_p, rewards, n).astype(dtype)


def best_of_kl(logits, rewards, n: int):
    r"""KL divergence of the best of `n` draws from a single draw.

    .. math:: \sum_k \Pr(k) \log \frac{\Pr(k)}{\pi_k} \le \log n - \frac{n-1}{n}

    Parameters
    ----------
    logits, rewards, n
        As for `best_of`.

    Returns
    -------
    ndarray or scalar, shape (...)
        From 0 to `best_of_bound`, which it is near if no answer is probable and no two have one reward.

    Raises
    ------
    ValueError
        As for `best_of`.

    Notes
    -----
    Never more than minus the logarithm of the probability to draw an answer of the largest reward.

    Implements: eq-best-of

    References
    ----------
    A. Beirami et al., "Theoretical guarantees on the best-of-n alignment policy", ICML (2025),
    arXiv:2401.01879.

    Examples
    --------
    >>> best_of_kl(np.log([0.9, 0.1]), [0.0, 1.0], 4).round(4), best_of_bound(4).round(4)
    (np.float64(0.2174), np.float64(0.6363))
    """
    log_p, rewards, dtype = _answers(logits, rewards)
    n = read_count("n", n)
    log_q = _best_of(log_p, rewards, n)
    with np.errstate(all="ignore"):
        terms = np.where(log_q == -np.inf, 0, np.exp(log_q) * (log_q - log_p))
        return np.maximum(terms.sum(axis=-1), 0).astype(dtype)[()]


def best_of_bound(n):
    r"""What the divergence of the best of `n` draws cannot exceed.

    .. math:: \log n - \frac{n-1}{n}

    Parameters
    ----------
    n : array_like of int
        1 or more.

    Returns
    -------
    ndarray or scalar

    Raises
    ------
    ValueError
        An `n` is below 1.

    Notes
    -----
    It is the divergence where all answers have another reward, and none has a positive probability.

    Implements: eq-best-of-bound

    Examples
    --------
    >>> best_of_bound([1, 4, 16]).round(4)
    array([0.    , 0.6363, 1.8351])
    """
    n = read_integers("n", n)
    check_entries("n", n, n >= 1, "to be at least 1")
    n = n.astype(np.float64)
    return (np.log(n) - (n - 1) / n)[()]


# --- Token by token --------------------------------------------------------------------


def soft_step(step: Callable, reward: Callable, length: int, beta: float, *, end: int | None = None):
    r"""The next token of the best policy over whole sequences.

    .. math:: V(S) = \beta \log \sum_k \rho_k\,e^{V(Sk)/\beta}, \qquad
              \pi^*_k = \rho_k\,e^{(V(Sk) - V(S))/\beta},

    where :math:`V` of a complete sequence is its reward. Drawing token by token draws whole sequences from
    `tilt`.

    Parameters
    ----------
    step : callable
        ``step(prefixes)`` gives log-probabilities of next tokens, shape (B, V).
    reward : callable
        ``reward(sequences)`` gives the rewards of complete sequences, shape (m, `length`) to (m,); those that
        have ended before are filled with `end`. Finite, or ``-inf``.
    length : int
        Largest number of tokens.
    beta : float
        Price of a nat.
    end : int, optional
        The token that ends a sequence.

    Returns
    -------
    callable
        A `step`; it raises a ValueError for a prefix that is complete, or from which only ``-inf`` can be
        reached.

    Raises
    ------
    ValueError
        A number is negative, `beta` isn't positive. By what is returned, also: there are more than a million
        prefixes to be looked at; the answers of `step` or `reward` have another shape, or are none.

    Notes
    -----
    All that can follow a prefix is looked at, and remembered: this is for small trees. With rewards 0 and
    ``-inf`` it is `exact_step`.

    Implements: eq-soft-value

    References
    ----------
    B. D. Ziebart, "Modeling purposeful adaptive behavior with the principle of maximum causal entropy",
    thesis, Carnegie Mellon University (2010).

    Examples
    --------
    Two tosses of a fair coin, rewarded if both show 1:

    >>> coin = lambda prefixes: np.log([[0.5, 0.5]] * len(prefixes))
    >>> both = lambda tosses: (tosses == 1).all(axis=1).astype(float)
    >>> np.exp(soft_step(coin, both, 2, 0.5)(np.empty((1, 0), int))).round(3)
    array([[0.193, 0.807]])
    """
    length, end = read_length(length, end)
    beta = read_number("beta", beta, positive=True)

    def worth(texts):
        found = as_real(reward(texts), "answers of reward")[0].astype(np.float64)
        if found.shape != (len(texts),):
            raise ValueError(f"expected reward to answer with the shape {(len(texts),)}, got {found.shape}")
        check_entries("answers of reward", found, found < np.inf, "below inf and without NaN")
        return found / beta

    return look_ahead(lambda prefixes: next_law(step, prefixes, end)[0], worth, length,
                      end=end, wanted="a reward above -inf")


# --- Inside ----------------------------------------------------------------------------


def _read(reference, rewards, beta):
    """Log-probabilities, rewards less the largest possible one, beta with an axis, and the type to return."""
    log_rho, rewards, dtype = _answers(reference, rewards, nan=True)
    beta = as_real(beta, "beta")[0].astype(np.float64)
    check_entries("beta", beta, beta > 0, "to be positive")
    check_entries("rewards", rewards, ~(rewards == np.inf), "below inf")
    try:
        lead = np.broadcast_shapes(log_rho.shape[:-1], beta.shape)
    except ValueError:
        raise ValueError(f"expected leading axes that fit, got {log_rho.shape[:-1]} of the answers and "
                         f"{beta.shape} of beta") from None
    log_rho, rewards = (np.broadcast_to(x, (*lead, x.shape[-1])) for x in (log_rho, rewards))
    best = _largest(rewards, log_rho)
    check_entries("rewards", best, ~(best == -np.inf), "above -inf for a possible answer of each slice")
    with np.errstate(all="ignore"):
        return log_rho, rewards - best[..., None], np.broadcast_to(beta, lead)[..., None], dtype


def _over(lead, beta):
    """Rewards over their price; what is the best is so at any price."""
    with np.errstate(all="ignore"):
        flat = np.where(lead == -np.inf, lead, 0)
        return np.where(lead == 0, 0, np.where(beta == np.inf, flat, lead / beta))


def _largest(rewards, log_rho):
    """The largest reward of a possible answer, NaN where there is NaN."""
    shape = np.broadcast_shapes(np.shape(rewards), log_rho.shape)
    return np.where(np.broadcast_to(log_rho, shape) == -np.inf, -np.inf,
                    np.asarray(rewards, np.float64)).max(axis=-1)


def _answers(logits, rewards, *, nan=False):
    """Log-probabilities and rewards of one shape, and the type to return."""
    given = {"logits": logits, "rewards": rewards}
    dtype = np.result_type(*(as_real(x, name)[1] for name, x in given.items()))
    z, r = (as_real(x, name)[0].astype(np.float64) for name, x in given.items())
    for name, x in (("logits", z), ("rewards", r)):
        if not x.ndim or not x.shape[-1]:
            raise ValueError(f"expected {name} of shape (..., V) with V > 0, got shape {x.shape}")
    if z.shape[-1] != r.shape[-1]:
        raise ValueError(f"expected a reward for each of {z.shape[-1]} answers, got {r.shape[-1]}")
    if not nan:
        check_entries("rewards", r, r == r, "without NaN")
    try:
        shape = np.broadcast_shapes(z.shape, r.shape)
    except ValueError:
        raise ValueError(f"expected shapes that fit, got logits of {z.shape} and rewards of {r.shape}"
                         ) from None
    return np.array(np.broadcast_to(log_softmax(z), shape)), np.array(np.broadcast_to(r, shape)), dtype


def _best_of(log_p, rewards, n):
    """Shares of groups of equal rewards, split among their members."""
    shape = log_p.shape
    log_p, rewards = log_p.reshape(-1, shape[-1]), rewards.reshape(-1, shape[-1])
    order = np.argsort(rewards, axis=-1, kind="stable")
    r, lp = (np.take_along_axis(x, order, axis=-1) for x in (rewards, log_p))
    new = np.ones(r.shape, bool)
    new[:, 1:] = r[:, 1:] != r[:, :-1]
    last = np.ones(r.shape, bool)
    last[:, :-1] = new[:, 1:]
    group = new.ravel().cumsum() - 1
    with np.errstate(all="ignore"):
        mass = np.logaddexp.reduceat(lp.ravel(), np.flatnonzero(new))[group].reshape(r.shape)
        up_to = np.minimum(np.logaddexp.accumulate(lp, axis=-1), 0)
        down_to = np.logaddexp.accumulate(lp[:, ::-1], axis=-1)[:, ::-1]
        above = np.concatenate([down_to[:, 1:], np.full((len(r), 1), -np.inf)], axis=-1)
        end = np.flatnonzero(last)[group]  # of the group, where its probabilities are complete
        below, above = up_to.ravel()[end].reshape(r.shape), above.ravel()[end].reshape(r.shape)
        log_f = np.where(above < np.log(0.5), np.log1p(-np.exp(above)), below)
        ratio = np.minimum(mass - log_f, 0)  # log of the share of this group in it and all below
        share = n * log_f + np.log(-np.expm1(n * np.log1p(-np.exp(ratio))))
        found = np.where(lp == -np.inf, -np.inf, share + lp - mass)
    back = np.empty_like(found)
    np.put_along_axis(back, order, found, axis=-1)
    return log_softmax(back).reshape(shape)


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
