r"""Sequences that are judged when they are complete: exact gradients on a tree.

A generator draws a sequence of T words, one after the other, and a judge pays for the whole. With V words
the generator may be a table of logits, one row for each of the :math:`(V^T - 1)/(V - 1)` prefixes: row 0 is
the empty prefix, and row r followed by the word a is row :math:`r V + a + 1`. Of such a table everything is
exact:

    >>> import numpy as np
    >>> table, paid = np.zeros((3, 2)), np.array([0.0, 0.0, 0.0, 1.0])  # two words, twice
    >>> action_values(table, paid)[0]  # the first word
    array([0. , 0.5])
    >>> sequence_gradient(table, paid)[0]
    array([-0.125,  0.125])
"""

import numpy as np

from softmaxnotes.arguments import (
    as_real,
    check_finite,
    read_count,
    read_labels,
    read_rng,
)
from softmaxnotes.gradients.estimate import GradientEstimate, read_baseline
from softmaxnotes.gradients.score_function import DecisionProcess
from softmaxnotes.softmax import log_softmax

from .sequences import read_table

__all__ = [
    "action_values",
    "noise_drift",
    "prefix_process",
    "rollout_gradient",
    "rollout_values",
    "sequence_gradient",
    "sequence_log_probs",
]


def sequence_log_probs(logits):
    r"""Log-probabilities of all sequences, :math:`\sum_t \log \pi(y_t \mid y_1, \dots, y_{t-1})`.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
        One row for each prefix; finite, or ``-inf``.

    Returns
    -------
    ndarray, shape (V**T,)

    Raises
    ------
    ValueError
        There are no such V and T, a logit is NaN or ``inf``, or a row is nothing but ``-inf``.

    Examples
    --------
    >>> np.exp(sequence_log_probs([[0, 0], [0, -np.inf], [0, 0]])).round(4)
    array([0.5 , 0.  , 0.25, 0.25])
    """
    logits, length = read_table(logits)
    return _descend(log_softmax(logits, axis=-1), length)[-1].ravel()


def action_values(logits, rewards):
    r"""The mean reward of all completions of each prefix and word, by backward recursion.

    .. math:: Q(y_{1:t-1}, y_t) = \mathbb E\bigl[r(Y) \mid Y_{1:t} = y_{1:t}\bigr]

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    rewards : array_like, shape (V**T,)
        Of all sequences, in the order of `all_sequences`.

    Returns
    -------
    ndarray, shape ((V**T - 1) / (V - 1), V)

    Raises
    ------
    ValueError
        As `sequence_log_probs`; or the rewards are not as many, or not finite.

    Notes
    -----
    Implements: eq-action-value

    Examples
    --------
    >>> action_values(np.zeros((3, 2)), [1.0, 2.0, 3.0, 6.0])
    array([[1.5, 4.5],
           [1. , 2. ],
           [3. , 6. ]])
    """
    logits, length = read_table(logits)
    return _values(np.exp(log_softmax(logits, axis=-1)), _rewards(rewards, logits.shape[1]**length), length)


def sequence_gradient(logits, rewards):
    r"""Exact gradient of the mean reward in all logits of the table.

    Its entry for a prefix and a word is :math:`\Pr(\text{prefix})\,\pi(y \mid \text{prefix})\,(Q - V)` with
    the `action_values` Q and their mean V under the prefix.

    Parameters
    ----------
    logits, rewards
        As for `action_values`.

    Returns
    -------
    ndarray, shape ((V**T - 1) / (V - 1), V)
        Its rows add up to 0; a constant reward gives 0 exactly.

    Notes
    -----
    Implements: eq-word-share

    Examples
    --------
    >>> sequence_gradient(np.zeros((3, 2)), [5.0, 5.0, 5.0, 5.0]).any()
    np.False_
    """
    logits, length = read_table(logits)
    policy, better, reached = _parts(logits, _rewards(rewards, logits.shape[1] ** length), length)
    return reached[:, None] * policy * better


def prefix_process(rewards, vocabulary, length):
    """The same problem as a decision process, in which a state is a prefix and an action a word.

    Parameters
    ----------
    rewards : array_like, shape (V**T,)
    vocabulary, length : int
        V and T.

    Returns
    -------
    DecisionProcess
        With the prefixes as states, to be walked T steps; the reward is paid for the last word.

    Examples
    --------
    >>> from softmaxnotes.gradients import policy_gradient
    >>> policy_gradient(prefix_process([0.0, 0.0, 0.0, 1.0], 2, 2), np.zeros((3, 2)), 2)[0]
    array([-0.125,  0.125])
    """
    v, t = read_count("vocabulary", vocabulary), read_count("length", length)
    paid = _rewards(rewards, v**t).reshape(-1, v)
    rows = sum(v**i for i in range(t))
    moves, last = np.zeros((rows, v, rows)), rows - len(paid)
    state = np.arange(last)[:, None]
    word = np.arange(v)
    moves[state, word, state * v + word + 1] = 1
    moves[last:, :, 0] = 1  # the sequence is complete
    reward = np.zeros((rows, v))
    reward[last:] = paid
    return DecisionProcess(np.eye(rows)[0], moves, reward)


def rollout_values(logits, sequences, rewards, *, n_rollouts, rollout_logits=None, rng=None):
    r"""Estimates of the action values along sequences, from completed copies of their prefixes.

    .. math:: \hat Q_t = \frac1N \sum_{n=1}^N r(Y^n), \quad Y^n_{1:t} = y_{1:t}, \qquad \hat Q_T = r(y)

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    sequences : array_like of int, shape (M, T)
    rewards : array_like, shape (V**T,)
    n_rollouts : int
        N.
    rollout_logits : array_like, optional
        Of the policy that completes the copies, if it is another one. The estimates are then of its values.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    ndarray, shape (M, T)

    Raises
    ------
    ValueError
        As `action_values`; or there is no such word.

    Notes
    -----
    Implements: eq-rollout-mean

    Examples
    --------
    >>> rollout_values(np.zeros((3, 2)), [[1, 1], [0, 1]], [0.0, 0.0, 0.0, 1.0], n_rollouts=4, rng=0)
    array([[0.25, 1.  ],
           [0.  , 0.  ]])
    """
    logits, length = read_table(logits if rollout_logits is None else rollout_logits)
    v, n = logits.shape[1], read_count("n_rollouts", n_rollouts)
    rewards, sequences = _rewards(rewards, v**length), _words(sequences, v, length)
    ends = np.cumsum(np.exp(log_softmax(logits, axis=-1)), axis=-1)
    rng = read_rng(rng)
    found, row, last = np.empty(sequences.shape), np.zeros(len(sequences), int), len(logits)
    for t in range(length):
        row = row * v + sequences[:, t] + 1
        ahead = np.repeat(row, n)
        for _ in range(t + 1, length):
            u = rng.random(len(ahead)) * ends[ahead, -1]
            word = np.minimum((ends[ahead] <= u[:, None]).sum(axis=1), v - 1)
            ahead = ahead * v + word + 1
        found[:, t] = rewards[ahead - last].reshape(-1, n).mean(axis=1)
    return found


def rollout_gradient(logits, rewards, *, n_samples=1, n_rollouts=1, baseline=None, rollout_logits=None,
                     rng=None):
    r"""The policy gradient of SeqGAN, from drawn sequences and their rollouts.

    .. math:: \frac1M \sum_{m=1}^M \sum_{t=1}^T (\hat Q_t^m - b_t^m)\,
              \nabla \log \pi(y^m_t \mid y^m_{1:t-1})

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
    rewards : array_like, shape (V**T,)
    n_samples : int
        M, the sequences of one estimate.
    n_rollouts : int
        N for each prefix.
    baseline : None, float or "leave-one-out"
        :math:`b_t^m`: nothing, a number, or the mean of :math:`\hat Q_t` over the other sequences.
    rollout_logits, rng
        As for `rollout_values`.

    Returns
    -------
    GradientEstimate
        Unbiased if the rollouts follow the policy itself. ``n_evaluations`` counts rewards, of which
        M (N (T − 1) + 1) are asked for.

    Raises
    ------
    ValueError
        As `rollout_values`; or "leave-one-out" with a single sequence.

    Notes
    -----
    Implements: eq-word-share

    Examples
    --------
    A constant reward gives noise, unless the baseline takes it off:

    >>> flat = np.ones(4)
    >>> rollout_gradient(np.zeros((3, 2)), flat, n_samples=3, rng=0).gradient.any()
    np.True_
    >>> rollout_gradient(np.zeros((3, 2)), flat, n_samples=3, baseline="leave-one-out", rng=0).gradient.any()
    np.False_
    """
    logits, length = read_table(logits)
    v, (constant, left_out) = logits.shape[1], read_baseline(baseline)
    m, n, rng = read_count("n_samples", n_samples, least=2 if left_out else 1), n_rollouts, read_rng(rng)
    policy = np.exp(log_softmax(logits, axis=-1))
    ends, rows, row = np.cumsum(policy, axis=-1), np.empty((m, length), int), np.zeros(m, int)
    words = np.empty((m, length), int)
    for t in range(length):
        u = rng.random(m) * ends[row, -1]
        rows[:, t] = row
        words[:, t] = np.minimum((ends[row] <= u[:, None]).sum(axis=1), v - 1)
        row = row * v + words[:, t] + 1
    q = rollout_values(logits, words, rewards, n_rollouts=n, rollout_logits=rollout_logits, rng=rng)
    if left_out:
        q = q - q[:1]  # a constant becomes zero exactly
        q = (q - q.mean(axis=0)) * (m / (m - 1))
    else:
        q = q - constant
    gradient = np.zeros(logits.shape)
    np.add.at(gradient, (rows, words), q)
    np.add.at(gradient, rows, -q[..., None] * policy[rows])
    return GradientEstimate(gradient / m, m * (n * (length - 1) + 1))


def noise_drift(logits, values):
    r"""How fast the noise of a constant reward changes the mean of `values`.

    A step from one drawn sequence and the reward 1 moves the logits by :math:`\eta\,\nabla \log \pi`, which
    is zero on average. The mean of the values moves on average by :math:`\tfrac12 \eta^2 d + O(\eta^3)`, and
    with n independent sequences by an n-th of it. For one softmax

    .. math:: d = \sum_k \pi_k (f_k - \mathbb E f)\bigl((1 + 2 S) \pi_k - 3 \pi_k^2\bigr), \qquad
              S = \sum_k \pi_k^2,

    and for a table that of each row, with the `action_values` as f, times the square of the probability to
    come by.

    Parameters
    ----------
    logits : array_like, shape ((V**T - 1) / (V - 1), V)
        A single row is one softmax.
    values : array_like, shape (V**T,)

    Returns
    -------
    float
        d.

    Raises
    ------
    ValueError
        As `action_values`.

    Notes
    -----
    Implements: eq-noise-drift

    Examples
    --------
    Of ten words the probable one gains: its value is 0, that of the others 1.

    >>> noise_drift([[1.0] + 9 * [0.0]], [0.0] + 9 * [1.0]) < 0
    True
    """
    logits, length = read_table(logits)
    values = _rewards(values, logits.shape[1] ** length, "values")
    policy, better, reached = _parts(logits, values, length)
    square = (policy**2).sum(axis=1, keepdims=True)
    own = (policy * better * ((1 + 2 * square) * policy - 3 * policy**2)).sum(axis=1)
    return float(reached**2 @ own)


# --- Arguments ----------------------------------------------------------------------


def _rewards(rewards, count, name="rewards"):
    rewards = as_real(rewards, name)[0].astype(np.float64)
    if rewards.shape != (count,):
        raise ValueError(f"expected {name} of shape ({count},), one for each sequence, got {rewards.shape}")
    check_finite(**{name: rewards})
    return rewards


def _words(sequences, v, length):
    sequences = read_labels(sequences, v, name="sequences")
    if sequences.ndim != 2 or sequences.shape[1] != length:
        raise ValueError(f"expected sequences of shape (M, {length}), got {sequences.shape}")
    return sequences


def _descend(log_policy, length):
    """Log-probabilities of all prefixes with one word, two words, …"""
    v, found, before, start = log_policy.shape[1], [], np.zeros(1), 0
    for t in range(length):
        found.append(before[:, None] + log_policy[start : start + v**t])
        before, start = found[-1].ravel(), start + v**t
    return found


def _parts(logits, rewards, length):
    """Of each prefix the probabilities of words, their values less the mean, and that it comes by."""
    log_policy = log_softmax(logits, axis=-1)
    policy = np.exp(log_policy)
    q = _values(policy, rewards - rewards[0], length)  # a constant becomes zero exactly
    reached = np.concatenate([[1.0], *(np.exp(a.ravel()) for a in _descend(log_policy, length)[:-1])])
    return policy, q - (policy * q).sum(axis=1, keepdims=True), reached


def _values(policy, rewards, length):
    v, found = policy.shape[1], np.empty(policy.shape)
    stop, worth = len(policy), rewards
    for t in reversed(range(length)):
        rows = slice(stop - v**t, stop)
        found[rows] = worth.reshape(-1, v)
        worth, stop = (policy[rows] * found[rows]).sum(axis=1), stop - v**t
    return found
