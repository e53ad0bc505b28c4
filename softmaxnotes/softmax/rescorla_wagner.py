r"""A learner that chooses by a softmax: values that follow their outcomes, and what the choices say of it.

Each cue :math:`k` has a value, which moves by a share :math:`\alpha` towards each outcome
:math:`r` that the cue gets, and stays where it is otherwise; a choice is a draw from the
softmax of :math:`\beta` times the values.

Conventions of the learners
---------------------------
*Trials* are the last axis, in order; whatever stands before it are subjects. A choice is the
number of a cue from 0 on. -1, or a masked entry, says that there was none: such a trial is not
scored, and no cue learns from it, unless outcomes are given for each cue.

*Rewards* are real. Of the shape of the choices they are what the chosen cue paid, and no other
cue learns; with one axis more, that of the cues, they are the outcome of each. NaN says that an
outcome was not seen: nothing is learnt from it.

*Present* cues are those that could be chosen. A cue that is absent has no probability, and keeps
its value *and* the derivative of its value.

*Parameters* are numbers, or arrays that broadcast with the subjects: many settings may be tried
on the data of one subject.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arguments import as_real, check_unit_interval, read_choice, read_count, read_number, read_rng
from ..gumbel import gumbel
from .trials import (
    Trials,
    flat,
    or_all,
    read_numbers,
    read_parameters,
    read_present,
    read_start,
    subjects_of,
    trials_first,
)

__all__ = ["Bandit", "Choices", "CueDerivatives", "LogLikelihood", "LogLikelihoodHessian", "bandit",
           "cue_value_derivatives", "cue_values", "log_likelihood", "log_likelihood_hessian", "simulate"]


class Bandit(NamedTuple):
    """What `bandit` returns."""

    rewards: np.ndarray  #: what each cue would pay, shape (..., T, K)
    chances: np.ndarray  #: with which chance, of that shape


class Choices(NamedTuple):
    """What `simulate` returns; `log_likelihood` and `fit` take it apart."""

    choices: np.ndarray  #: number of the cue that was chosen, shape (..., T)
    rewards: np.ndarray  #: what was seen: shape (..., T), or (..., T, K) of all cues


class CueDerivatives(NamedTuple):
    """What `cue_value_derivatives` returns, each of shape (..., T + 1, K)."""

    values: np.ndarray  #: of the cues
    slopes: np.ndarray  #: their derivatives by the learning rate
    bends: np.ndarray  #: and the second ones


class LogLikelihood(NamedTuple):
    """What `log_likelihood` returns."""

    value: np.ndarray  #: shape (...)
    gradient: np.ndarray  #: by learning rate and inverse temperature, shape (..., 2)


class LogLikelihoodHessian(NamedTuple):
    """What `log_likelihood_hessian` returns."""

    value: np.ndarray  #: shape (...)
    gradient: np.ndarray  #: by learning rate and inverse temperature, shape (..., 2)
    hessian: np.ndarray  #: the second derivatives, shape (..., 2, 2)


def bandit(n_trials, chances=(0.7, 0.3), *, drift=0.0, n_subjects=None, rng=None):
    r"""Rewards of 0 or 1 that each cue would pay, with chances that are fixed or that drift.

    A chance moves from trial to trial by :math:`d\,\varepsilon` with a standard normal
    :math:`\varepsilon`, and is reflected at 0 and 1.

    Parameters
    ----------
    n_trials : int
    chances : array_like, shape (K,)
        At the first trial, from 0 to 1.
    drift : float
        :math:`d`, from 0 on.
    n_subjects : int or None
        How many tables are drawn, each with its own drift; `None` is one, without an axis.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    Bandit
        Named tuple of ``rewards`` and ``chances``, both of shape (T, K) or (S, T, K).

    Raises
    ------
    TypeError
        A number of trials or subjects that isn't an integer.
    ValueError
        A chance outside [0, 1], a drift that is negative or not finite, a negative number of
        trials or subjects.

    Examples
    --------
    >>> bandit(3, (0.5, 1.0, 0.0), rng=0).rewards
    array([[0., 1., 0.],
           [1., 1., 0.],
           [0., 1., 0.]])
    """
    n_trials = read_count("n_trials", n_trials, least=0)
    n_subjects = None if n_subjects is None else read_count("n_subjects", n_subjects, least=0)
    chances = np.atleast_1d(as_real(chances, "chances")[0].astype(float))
    if chances.ndim != 1 or not chances.size:
        raise ValueError(f"expected chances of shape (K,), one or more, got {chances.shape}")
    check_unit_interval(chances=chances)
    drift = read_number("drift", drift)
    if drift < 0:
        raise ValueError(f"expected drift not to be negative, got {drift}")
    rng = read_rng(rng)
    shape = (() if n_subjects is None else (n_subjects,)) + (n_trials, len(chances))
    walk = np.zeros(shape)
    if drift:
        walk[..., 1:, :] = drift * rng.standard_normal(walk[..., 1:, :].shape).cumsum(axis=-2)
    folded = np.mod(chances + walk, 2)
    folded = np.minimum(folded, 2 - folded)  # a walk between two mirrors
    return Bandit((rng.random(shape) < folded).astype(float), folded)


def simulate(alpha, beta, rewards, *, n_subjects=None, present=None, v0=0.0, feedback="chosen",
             rng=None):
    r"""Subjects that learn values, and choose by the softmax of what they have learnt so far.

    .. math:: \Pr(\text{cue } k \text{ at } t) \propto e^{\beta V_{t,k}}, \qquad
              V_{t+1,k} = V_{t,k} + \alpha\,(r_{t,k} - V_{t,k})

    for each cue that gets an outcome; the others keep their value.

    Parameters
    ----------
    alpha, beta : array_like
        Learning rate in [0, 1] and inverse temperature, any finite number; they broadcast with the
        subjects.
    rewards : array_like, shape (T, K) or (S, T, K)
        What each cue would pay, as `bandit` draws it. NaN: the outcome will not be seen.
    n_subjects : int or None
        How many; `None` is what the arrays say.
    present : array_like of bool, shape (T, K) or (S, T, K), optional
        Which cues can be chosen, at least one in each trial; all by default.
    v0 : array_like
        Value of the cues before the first trial, one number or one for each cue.
    feedback : {"chosen", "all"}
        Whether the outcome of the chosen cue is seen, or those of all that are present.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    Choices
        Named tuple of ``choices``, shape (S, T), or (T,) where nothing has an axis of subjects, and of
        ``rewards``, of the same shape, or with the axis of cues where all are seen.

    Raises
    ------
    TypeError
        An array that isn't real, or a number of subjects that isn't an integer.
    ValueError
        A parameter out of its range, a reward or a value that is infinite, shapes that don't fit, a
        trial in which no cue is present.

    Notes
    -----
    A choice is the largest of :math:`\beta V_{t,k} + G_{t,k}` with independent Gumbel noise, see
    `gumbel`; ties have probability 0.

    Implements: eq-rw-choice

    Examples
    --------
    >>> simulate(0.5, 8.0, [[1.0, 0.0]] * 6, rng=0).choices
    array([0, 0, 0, 0, 0, 1])
    """
    read_choice("feedback", feedback, ("chosen", "all"))
    alpha, beta = read_parameters(alpha, beta)
    rewards = read_numbers("rewards", rewards, missing=True)
    if rewards.ndim < 2 or rewards.shape[-1] == 0:
        raise ValueError(f"expected rewards of shape (..., T, K) with K > 0, got {rewards.shape}")
    n_trials, n_cues = rewards.shape[-2:]
    open_ = read_present(present, (n_trials, n_cues))
    batch = subjects_of(
        n_subjects=() if n_subjects is None else (read_count("n_subjects", n_subjects, least=0),),
        rewards=rewards.shape[:-2], alpha=alpha.shape, beta=beta.shape,
        present=() if open_ is None else open_.shape[:-2])
    count, rng = math.prod(batch), read_rng(rng)
    pays = trials_first(rewards, batch, 2)
    barred = None if open_ is None else ~trials_first(open_, batch, 2)
    alpha, beta = (np.broadcast_to(v, batch).reshape(count) for v in (alpha, beta))
    values = np.array(np.broadcast_to(read_start(v0, n_cues), (n_cues, count)))
    noise = gumbel((n_trials, n_cues, count), rng=rng)
    chosen, row = np.empty((n_trials, count), np.intp), np.arange(count)
    for t in range(n_trials):
        noise[t] += beta * values
        if barred is not None:
            noise[t][np.broadcast_to(barred[t], noise[t].shape)] = -np.inf
        chosen[t] = noise[t].argmax(axis=0)
        if feedback == "chosen":
            old, seen = values[chosen[t], row], pays[t][chosen[t], row if pays.shape[-1] > 1 else 0]
            values[chosen[t], row] = np.where(np.isnan(seen), old, old + alpha * (seen - old))
        else:
            unseen = np.isnan(pays[t]) if barred is None else np.isnan(pays[t]) | barred[t]
            np.copyto(values, values + alpha * (pays[t] - values), where=~unseen)
    choices = np.ascontiguousarray(chosen.T).reshape(batch + (n_trials,))
    table = np.broadcast_to(rewards, batch + rewards.shape[-2:])
    if feedback == "all":
        return Choices(choices, np.where(or_all(open_), table, np.nan))
    return Choices(choices, np.take_along_axis(table, choices[..., None], axis=-1)[..., 0])


def cue_values(alpha, choices, rewards, *, present=None, v0=0.0, n_cues=None):
    r"""The values before the first trial and after each.

    .. math:: V_t = V_{t-1} + \alpha\,(r_t - V_{t-1})

    for each cue that gets an outcome in the trial; the values of the others stay.

    Parameters
    ----------
    alpha, choices, rewards, present, v0
        As in `log_likelihood`.
    n_cues : int or None
        Two by default, or as many as `rewards`, `present` or `v0` say, or as the choices need.

    Returns
    -------
    ndarray, shape (..., T + 1, K)

    Raises
    ------
    TypeError, ValueError
        As `log_likelihood`; a number of cues that isn't an integer, or is negative.

    Notes
    -----
    Implements: eq-rw-update

    Examples
    --------
    >>> cue_values(0.5, [0, 1, 0], [1.0, 1.0, 0.0])
    array([[0.  , 0.  ],
           [0.5 , 0.  ],
           [0.5 , 0.5 ],
           [0.25, 0.5 ]])
    """
    return _values(alpha, choices, rewards, 0, present=present, v0=v0, n_cues=n_cues)[0]


def cue_value_derivatives(alpha, choices, rewards, *, present=None, v0=0.0, n_cues=None):
    r"""The values of the cues, and their first and second derivatives by the learning rate.

    .. math:: \frac{\partial V_t}{\partial\alpha}
              = r_t - V_{t-1} + (1 - \alpha)\,\frac{\partial V_{t-1}}{\partial\alpha}

    for each cue that gets an outcome in the trial; value and derivatives of the others stay.

    Parameters
    ----------
    alpha, choices, rewards, present, v0, n_cues
        As in `cue_values`.

    Returns
    -------
    CueDerivatives
        Named tuple of ``values``, ``slopes`` and ``bends``, each of shape (..., T + 1, K).

    Raises
    ------
    TypeError, ValueError
        As `cue_values`.

    Notes
    -----
    A cue's n-th outcome is the n-th tick of its own clock; between two ticks nothing moves.

    Implements: eq-rw-absent

    Examples
    --------
    >>> cue_value_derivatives(0.5, [0, 1, 0], [1.0, 1.0, 0.0]).slopes
    array([[0., 0.],
           [1., 0.],
           [1., 1.],
           [0., 1.]])
    """
    return CueDerivatives(*_values(alpha, choices, rewards, 2, present=present, v0=v0, n_cues=n_cues))


def _values(alpha, choices, rewards, derivatives, **options):
    alpha, _ = read_parameters(alpha, 0.0)
    data = Trials(choices, rewards, **options)
    batch = subjects_of(choices=data.batch, alpha=alpha.shape)
    found = data.over(batch).values(flat(alpha, batch), derivatives)
    found = [np.broadcast_to(v, v.shape[:2] + (math.prod(batch),)) for v in found]
    return [np.ascontiguousarray(np.moveaxis(v, 2, 0)).reshape(batch + v.shape[:2]) for v in found]


def log_likelihood(alpha, beta, choices, rewards, *, present=None, v0=0.0, scored="before"):
    r"""Log-likelihood of the choices, with its gradient by learning rate and inverse temperature.

    .. math:: \ell = \sum_t \log\frac{e^{\beta V_{t,c_t}}}{\sum_k e^{\beta V_{t,k}}},
              \qquad
              \frac{\partial\ell}{\partial\beta} = \sum_t\Bigl(V_{t,c_t}
              - \sum_k p_{t,k} V_{t,k}\Bigr), \qquad
              \frac{\partial\ell}{\partial\alpha} = \beta\sum_t\Bigl(
              \frac{\partial V_{t,c_t}}{\partial\alpha}
              - \sum_k p_{t,k}\,\frac{\partial V_{t,k}}{\partial\alpha}\Bigr)

    Parameters
    ----------
    alpha, beta : array_like
        :math:`\alpha \in [0, 1]` and :math:`\beta`, any finite number (a negative one prefers what
        pays less); they broadcast with the subjects.
    choices : array_like of int, shape (..., T)
        Number of the chosen cue, -1 or masked where there was no choice.
    rewards : array_like, shape (..., T) or (..., T, K)
        What the chosen cue paid, or the outcome of each cue; NaN where none was seen, and nothing is learnt
        from that of a cue that is absent.
    present : array_like of bool, shape (..., T, K), optional
        Which cues could be chosen; all by default.
    v0 : array_like
        Value before the first trial, one number or one for each cue.
    scored : {"before", "after"}
        Whether the choice of a trial is scored with the values before its outcomes, as it must be where
        the outcomes are those of the choice, or after them: the cues are shown with their outcomes, and then
        one is chosen.

    Returns
    -------
    LogLikelihood
        Named tuple of ``value``, shape (...), and ``gradient``, shape (..., 2): by :math:`\alpha`, then by
        :math:`\beta`.

    Raises
    ------
    TypeError
        Choices that aren't integers, or an array that isn't real.
    ValueError
        A parameter out of its range; a choice of a cue that there isn't or that is absent; a reward that
        is infinite or beyond 1e150; shapes that don't fit; cues that nothing but a large number in
        `choices` speaks of.

    Notes
    -----
    Exact to rounding at any size of :math:`\beta V`. The recursions are run in blocks of trials,
    all subjects and all blocks at once; no exponential overflows. Without trials, and where nothing
    was chosen, value and gradient are 0.

    Implements: eq-rw-likelihood
    Implements: eq-rw-score-beta
    Implements: eq-rw-score-alpha

    References
    ----------
    R. A. Rescorla and A. R. Wagner, "A theory of Pavlovian conditioning", in Classical
    Conditioning II (1972) 64-99.

    Examples
    --------
    >>> value, gradient = log_likelihood(0.5, 2.0, [0, 0, 1], [1.0, 0.0, 1.0])
    >>> float(value.round(4)), gradient.round(4)
    (-1.9805, array([ 0.5379, -0.0211]))
    """
    return LogLikelihood(*_likelihood(alpha, beta, choices, rewards, 1, present=present, v0=v0,
                                      scored=scored))


def log_likelihood_hessian(alpha, beta, choices, rewards, *, present=None, v0=0.0, scored="before"):
    r"""The log-likelihood with its gradient and its second derivatives.

    Parameters
    ----------
    alpha, beta, choices, rewards, present, v0, scored
        As in `log_likelihood`.

    Returns
    -------
    LogLikelihoodHessian
        Named tuple of ``value`` and ``gradient``, as `log_likelihood` returns them, and ``hessian``, shape
        (..., 2, 2).

    Raises
    ------
    TypeError, ValueError
        As `log_likelihood`.

    Notes
    -----
    By :math:`\beta` twice it is never positive; in both numbers the log-likelihood isn't concave.

    Implements: eq-rw-concave

    Examples
    --------
    >>> log_likelihood_hessian(0.5, 2.0, [0, 0, 1], [1.0, 0.0, 1.0]).hessian.round(4)
    array([[ 1.7034,  0.0723],
           [ 0.0723, -0.0638]])
    """
    return LogLikelihoodHessian(*_likelihood(alpha, beta, choices, rewards, 2, present=present, v0=v0,
                                             scored=scored))


def _likelihood(alpha, beta, choices, rewards, derivatives, **options):
    alpha, beta = read_parameters(alpha, beta)
    data = Trials(choices, rewards, **options)
    batch = subjects_of(choices=data.batch, alpha=alpha.shape, beta=beta.shape)
    found = data.over(batch)(flat(alpha, batch), flat(beta, batch), derivatives)
    return [v.reshape(batch + end)[()] for v, end in zip(found, [(), (2,), (2, 2)])]
