r"""The score function: a gradient of an expectation from values of the function alone.

Since :math:`\nabla p = p\,\nabla \log p`, the gradient of an expectation is an expectation again,

.. math:: \nabla_\theta\, \mathbb E_{z \sim p_\theta}[f(z)]
          = \mathbb E_{z \sim p_\theta}\bigl[f(z)\,\nabla_\theta \log p_\theta(z)\bigr],

and can be estimated from draws, also where :math:`f` has no derivative.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import (
    as_real,
    check_finite,
    entry_name,
    read_count,
    read_labels,
    read_rng,
    read_size,
)
from ..softmax import log_softmax, softmax
from .estimate import (
    Gaussian,
    GradientEstimate,
    ask,
    centred_sums,
    draw_finite,
    law_and_values,
    read_baseline,
    read_params,
)
from .moving_average import MovingAverage

__all__ = [
    "DecisionProcess",
    "Paths",
    "all_paths",
    "best_baseline",
    "path_scores",
    "policy_gradient",
    "score_function_gradient",
    "score_function_variance",
]

_MANY = 10**6  # paths that are enumerated at most


def score_function_gradient(f, params, *, n_samples=1, baseline=None, size=None, rng=None):
    r"""Gradient of an expectation, from values of `f` at draws.

    .. math:: \nabla_\theta\, \mathbb E_{z \sim p_\theta}[f(z)] \approx
              \frac1N \sum_{i=1}^N \bigl(f(z_i) - b_i\bigr)\, \nabla_\theta \log p_\theta(z_i),
              \qquad z_i \sim p_\theta

    Parameters
    ----------
    f : callable
        Of all draws at once, an array of as many rows, to as many numbers; see `params`.
    params : array_like, shape (C,) or (K, C), or Gaussian
        Logits of one categorical variable, with draws of shape (N,), or of K independent ones, with draws of
        shape (N, K); ``-inf`` masks a category. Or the means and log standard deviations of independent
        normal coordinates, with draws of shape (N, d), or (N,) if they are scalars.
    n_samples : int
        N, the draws of one estimate.
    baseline : None, float, "leave-one-out" or MovingAverage
        :math:`b_i`: nothing, a number, the mean of `f` over the other draws of the same estimate, or the mean
        over earlier ones; that is one number for all estimates of one call, and is then told their values.
    size : int, tuple of int or None
        How many estimates, independent of each other; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    GradientEstimate
        ``gradient`` like the parameters, behind the axes of `size`: of logits an array whose rows add up to
        0, of a `Gaussian` a `Gaussian`.

    Raises
    ------
    ValueError
        `n_samples` is less than 1, or less than 2 with "leave-one-out"; `baseline` is none of these; the
        parameters have another shape, a row of nothing but ``-inf``, or entries that are NaN or infinite;
        `f` returns another number of values, or one that isn't finite or is beyond 1e300.

    Notes
    -----
    Unbiased with each of these baselines, as long as a number doesn't depend on the draws. The mean of the
    other draws costs no value of `f`; where `f` is constant, so that there is nothing to learn, it gives
    0 exactly. Without a baseline the estimate is as noisy as `f` is large.

    Implements: eq-leave-one-out

    Examples
    --------
    >>> def square(z): return z**2
    >>> score_function_gradient(square, [0.0, 0.0], n_samples=4, baseline="leave-one-out", rng=0)
    GradientEstimate(gradient=array([-0.25,  0.25]), n_evaluations=4)
    >>> noisy = score_function_gradient(square, Gaussian(1.0, 0.0), n_samples=10**6, rng=0).gradient
    >>> float(noisy.mean.round(1)), float(noisy.log_std.round(1))  # exactly 2 and 2
    (2.0, 2.0)
    """
    params, size = read_params(params), read_size(size)
    average = baseline if isinstance(baseline, MovingAverage) and baseline.n_problems is None else None
    constant, left_out = read_baseline(baseline if average is None else float(average.value))
    n, m = read_count("n_samples", n_samples, least=2 if left_out else 1), math.prod(size)
    rng = read_rng(rng)
    if isinstance(params, Gaussian):
        noise, scale = rng.standard_normal((m * n, *params.mean.shape)), np.exp(params.log_std)
        draws = params.mean + scale * noise
    else:
        draws = draw_finite(params, m * n, rng)
    weights = ask(f, draws).reshape(m, n)
    if average is not None and weights.size:
        average.update(weights)
    if left_out:  # f minus the mean of the others; first all from the same number, which loses no digits
        weights = weights - weights[:, :1]
        weights = (weights - weights.mean(axis=-1, keepdims=True)) * (n / (n - 1))
    else:
        weights = weights - constant
    if isinstance(params, Gaussian):
        noise = noise.reshape(m, n, params.mean.size)
        parts = ((weights[:, None] @ g)[:, 0] / n for g in (noise, noise**2 - 1))
        mean, log_std = (part.reshape(size + params.mean.shape) for part in parts)
        gradient = Gaussian((mean / scale)[()], log_std[()])
    else:
        gradient = centred_sums(draws, weights, params).reshape(size + params.shape) / n
    return GradientEstimate(gradient, m * n)


# --- The noise of it --------------------------------------------------------------


def score_function_variance(logits, values, *, n_samples=1, baseline=None):
    r"""Exact variance of `score_function_gradient`, for one categorical variable.

    With the gradient :math:`g_j = \pi_j (f_j - \mathbb E f)` and a number :math:`b` as baseline

    .. math:: V_j(b) = \mathbb E\bigl[(f_k - b)^2 (\delta_{jk} - \pi_j)^2\bigr] - g_j^2,

    divided by :math:`N`; leave-one-out has

    .. math:: \frac{V_j(\mathbb E f)}N + \frac{\operatorname{Var}(f)\,\pi_j (1 - \pi_j) + g_j^2}{N (N - 1)}.

    Parameters
    ----------
    logits : array_like, shape (C,)
        Finite, or ``-inf``.
    values : array_like, shape (C,)
        :math:`f_k`.
    n_samples : int
    baseline : None, float or "leave-one-out"
        As for `score_function_gradient`.

    Returns
    -------
    ndarray, shape (C,)
        One variance for each logit.

    Raises
    ------
    ValueError
        The shapes don't fit; a value isn't finite; or as `score_function_gradient`.

    Notes
    -----
    Implements: eq-loo-variance

    Examples
    --------
    >>> logits, values = np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0]
    >>> ways = 0.0, 1.9, best_baseline(logits, values)
    >>> [float(score_function_variance(logits, values, baseline=b).sum().round(3)) for b in ways]
    [3.882, 0.641, 0.528]
    """
    law, values = law_and_values(logits, values)
    constant, left_out = read_baseline(baseline)
    n = read_count("n_samples", n_samples, least=2 if left_out else 1)
    mean = law @ values
    centred = values - mean
    gradient = law * centred
    from_b = centred if left_out else values - constant
    pull = (np.eye(len(law)) - law) ** 2  # entry [k, j]
    one = (law * from_b**2) @ pull - gradient**2
    if not left_out:
        return one / n
    return one / n + ((law @ centred**2) * law * (1 - law) + gradient**2) / (n * (n - 1))


def best_baseline(logits, values):
    r"""The number that makes the total variance of `score_function_gradient` least.

    .. math:: b^* = \frac{\mathbb E[f_k v_k]}{\mathbb E[v_k]}, \qquad
              v_k = \sum_{j=1}^C (\delta_{jk} - \pi_j)^2 = 1 - 2 \pi_k + \sum_{i=1}^C \pi_i^2

    Parameters
    ----------
    logits, values : array_like, shape (C,)
        As for `score_function_variance`; two categories at least have positive probability.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        As `score_function_variance`; or one category has all the probability in ``float64``, so that every
        number does as well.

    Notes
    -----
    Implements: eq-best-baseline

    Examples
    --------
    >>> round(best_baseline(np.log([0.5, 0.3, 0.2]), [1.0, 2.0, 4.0]), 4)
    2.3258
    """
    law, values = law_and_values(logits, values)
    weights = law * ((np.eye(len(law)) - law) ** 2).sum(axis=1)
    total = weights.sum()
    if total == 0:
        raise ValueError("no best baseline: one category has all the probability, and every number does as "
                         "well")
    return float(values[0] + weights @ (values - values[0]) / total)


# --- Decisions one after the other ----------------------------------------------------


class DecisionProcess(NamedTuple):
    """A decision process with finitely many states and actions.

    Attributes
    ----------
    start : ndarray, shape (S,)
        Probabilities of the first state.
    transition : ndarray, shape (S, A, S)
        Probabilities of the next state, after an action in a state.
    reward : ndarray, shape (S, A)
    """

    start: np.ndarray
    transition: np.ndarray
    reward: np.ndarray


class Paths(NamedTuple):
    """All paths of a process, one in each row.

    Attributes
    ----------
    states, actions : ndarray of int, shape (N, T)
    probabilities : ndarray, shape (N,)
    returns : ndarray, shape (N,)
        Sums of the rewards.
    """

    states: np.ndarray
    actions: np.ndarray
    probabilities: np.ndarray
    returns: np.ndarray


def all_paths(process, logits, horizon):
    r"""All paths :math:`s_1, a_1, \dots, s_T, a_T`, with their probabilities and returns.

    .. math:: p(s_1, a_1, \dots, s_T, a_T) = p(s_1)\, \prod_{t=1}^T \pi(a_t \mid s_t)\,
              \prod_{t=1}^{T-1} P(s_{t+1} \mid s_t, a_t)

    Parameters
    ----------
    process : DecisionProcess
    logits : array_like, shape (S, A)
        Of the policy, finite.
    horizon : int
        T.

    Returns
    -------
    Paths
        :math:`(S A)^T` of them.

    Raises
    ------
    ValueError
        The shapes don't fit; probabilities are negative or don't add up to 1; a number isn't finite;
        `horizon` is less than 1; there are more than a million paths.

    Notes
    -----
    Implements: eq-path

    Examples
    --------
    >>> coin = DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]])
    >>> paths = all_paths(coin, [[0.0, 0.0]], 2)
    >>> paths.actions.tolist(), paths.returns, paths.probabilities
    ([[0, 0], [0, 1], [1, 0], [1, 1]], array([0., 1., 1., 2.]), array([0.25, 0.25, 0.25, 0.25]))
    """
    (start, transition, reward), log_policy, horizon = _read_process(process, logits, horizon)
    s, a = reward.shape
    if (s * a) ** horizon > _MANY:
        raise ValueError(f"expected at most {_MANY} paths, got {s * a}**{horizon}")
    step = np.stack(np.unravel_index(np.arange((s * a) ** horizon), (s * a,) * horizon), axis=-1)
    states, actions = np.divmod(step, a)
    chance = start[states[:, 0]] * np.prod(np.exp(log_policy[states, actions]), axis=1)
    chance = chance * np.prod(transition[states[:, :-1], actions[:, :-1], states[:, 1:]], axis=1)
    return Paths(states, actions, chance, reward[states, actions].sum(axis=1))


def path_scores(logits, states, actions):
    r"""Gradients of the log-probabilities of paths in the logits of the policy.

    .. math:: \frac{\partial \log p}{\partial x_{ij}}
              = \sum_{t=1}^T [s_t = i]\,\bigl([a_t = j] - \pi(j \mid i)\bigr)

    Parameters
    ----------
    logits : array_like, shape (S, A)
    states, actions : array_like of int, shape (..., T)

    Returns
    -------
    ndarray, shape (..., S, A)

    Raises
    ------
    ValueError
        The shapes don't fit; a logit isn't finite; there is no such state or action.

    Notes
    -----
    The probabilities of the next states do not occur: they need not be known.

    Implements: eq-path-score

    Examples
    --------
    >>> path_scores([[0.0, 0.0]], [[0, 0]], [[1, 1]])
    array([[[-1.,  1.]]])
    """
    logits = _logits_of_policy(logits)
    states = read_labels(states, len(logits), name="states")
    actions = read_labels(actions, logits.shape[1], name="actions")
    if states.shape != actions.shape or states.ndim == 0:
        raise ValueError(f"expected as many states as actions, got shapes {states.shape} and {actions.shape}")
    here = states[..., None] == np.arange(len(logits))  # (..., T, S)
    taken = actions[..., None] == np.arange(logits.shape[1])
    took = np.einsum("...ts,...ta->...sa", here, taken, dtype=np.float64)
    return took - here.sum(axis=-2)[..., None] * softmax(logits)


def policy_gradient(process, logits, horizon):
    r"""Exact gradient of the mean return, by backward and forward recursion.

    Its entry i, j is the sum over t of :math:`\Pr(s_t = i)\, \pi(j \mid i)\, (Q_t(i, j) - V_t(i))`, where
    :math:`Q_t` is the mean reward from time t on, given state and action, and :math:`V_t`, given the state.

    Parameters
    ----------
    process : DecisionProcess
    logits : array_like, shape (S, A)
    horizon : int

    Returns
    -------
    ndarray, shape (S, A)
        Its rows add up to 0.

    Raises
    ------
    ValueError
        As `all_paths`, but there may be any number of paths.

    References
    ----------
    R. S. Sutton, D. McAllester, S. Singh and Y. Mansour, "Policy gradient methods for reinforcement learning
    with function approximation", NIPS 12 (1999) 1057-1063.

    Examples
    --------
    >>> coin = DecisionProcess([1.0], np.ones((1, 2, 1)), [[0.0, 1.0]])
    >>> policy_gradient(coin, [[0.0, 0.0]], 2)
    array([[-0.5,  0.5]])
    """
    (start, transition, reward), log_policy, horizon = _read_process(process, logits, horizon)
    policy, following, better = np.exp(log_policy), np.zeros(len(start)), []
    for _ in range(horizon):
        worth = reward + transition @ following
        following = np.sum(policy * worth, axis=1)
        better.append(policy * (worth - following[:, None]))
    gradient, where = np.zeros(reward.shape), start
    for gain in reversed(better):
        gradient += where[:, None] * gain
        where = np.einsum("s,sa,san->n", where, policy, transition)
    return gradient


# --- Arguments ----------------------------------------------------------------------


def _logits_of_policy(logits):
    logits = as_real(logits, "logits")[0].astype(np.float64)
    if logits.ndim != 2 or logits.size == 0:
        raise ValueError(f"expected logits of shape (S, A), got {logits.shape}")
    check_finite(logits=logits)
    return logits


def _read_process(process, logits, horizon):
    given = {name: as_real(part, name) for name, part in zip(DecisionProcess._fields, process)}
    start, transition, reward = (part.astype(np.float64) for part, _ in given.values())
    logits, horizon = _logits_of_policy(logits), read_count("horizon", horizon)
    s, a = logits.shape
    shapes = start.shape, transition.shape, reward.shape
    if shapes != ((s,), (s, a, s), (s, a)):
        raise ValueError(f"expected a process of {s} states and {a} actions, as the logits have, with shapes "
                         f"({s},), ({s}, {a}, {s}) and ({s}, {a}), got {', '.join(map(str, shapes))}")
    for name, laws in (("start", start), ("transition", transition)):
        near = max(1e-12, s * np.finfo(given[name][1]).eps)  # s probabilities rounded to their type
        valid = (laws >= 0).all(axis=-1) & (np.abs(laws.sum(axis=-1) - 1) <= near)
        if not valid.all():
            first = np.unravel_index(np.argmin(valid), valid.shape)
            raise ValueError(f"expected probabilities in {name} that add up to 1, got {laws[first]} in "
                             f"{entry_name(name, first)}")
    check_finite(reward=reward)
    return DecisionProcess(start, transition, reward), log_softmax(logits), horizon
