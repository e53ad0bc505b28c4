r"""The best policy under a KL penalty.

With a reference :math:`\rho`, rewards :math:`r` and the price :math:`\beta` of a nat, the policy that has the
largest expected reward minus :math:`\beta` times its divergence from the reference is `tilt`,

.. math:: \pi^*_k = \frac{\rho_k\,e^{r_k/\beta}}{\sum_i \rho_i\,e^{r_i/\beta}},

and `soft_step` draws from it token by token. Distributions are given as logits, answers on the last axis;
leading axes broadcast. An answer with the logit ``-inf`` is impossible, and so it stays.
"""

from collections.abc import Callable

import numpy as np

from ..arguments import as_real, check_entries, read_number
from ..gumbel.beam_search import next_law, read_length
from ..softmax import log_softmax, logsumexp
from .lookahead import look_ahead

__all__ = ["regularised_value", "soft_step", "tilt"]


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
    best = _largest(as_real(rewards, "rewards")[0], log_rho)
    with np.errstate(all="ignore"):
        rho, over = np.exp(log_rho), _over(lead, beta)
        below = np.where(rho == 0, 0, rho * np.expm1(over)).sum(axis=-1)
        exact = np.where(below > -0.5, np.log1p(below),
                         logsumexp(np.where(log_rho == -np.inf, -np.inf, log_rho + over)))
        mean = np.where(rho == 0, 0, rho * lead).sum(axis=-1)
        flat = beta[..., 0] == np.inf
        value = best + np.where(flat, mean, np.where(flat, 1, beta[..., 0]) * exact)
        return value.astype(dtype)[()]


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

    Implements: eq-best-policy

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
    log_rho, rewards, dtype = read_answers(reference, rewards, nan=True)
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


def read_answers(logits, rewards, *, nan=False):
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
