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

from ..arguments import read_count
from ..arrays import as_real
from ..gumbel import gumbel

__all__ = ["Bandit", "Choices", "bandit", "cue_values", "log_likelihood", "simulate"]


class Bandit(NamedTuple):
    """What `bandit` returns."""

    rewards: np.ndarray  #: what each cue would pay, shape (..., T, K)
    chances: np.ndarray  #: with which chance, of that shape


class Choices(NamedTuple):
    """What `simulate` returns; `log_likelihood` and `fit` take it apart."""

    choices: np.ndarray  #: number of the cue that was chosen, shape (..., T)
    rewards: np.ndarray  #: what was seen: shape (..., T), or (..., T, K) of all cues


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
    chances = np.atleast_1d(as_real(chances)[0].astype(float))
    if chances.ndim != 1 or not chances.size or not ((0 <= chances) & (chances <= 1)).all():
        raise ValueError(f"expected one chance in [0, 1] for each cue, got {chances}")
    if not 0 <= drift < math.inf:
        raise ValueError(f"drift must be finite and not negative, got {drift}")
    rng = np.random.default_rng(rng)
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
    if feedback not in ("chosen", "all"):
        raise ValueError(f"feedback must be 'chosen' or 'all', got {feedback!r}")
    alpha, beta = read_parameters(alpha, beta)
    rewards = _finite("rewards", rewards, missing=True)
    if rewards.ndim < 2 or rewards.shape[-1] == 0:
        raise ValueError(f"expected rewards of shape (..., T, K) with K > 0, got {rewards.shape}")
    n_trials, n_cues = rewards.shape[-2:]
    open_ = _present(present, (n_trials, n_cues))
    batch = subjects_of(
        n_subjects=() if n_subjects is None else (read_count("n_subjects", n_subjects, least=0),),
        rewards=rewards.shape[:-2], alpha=alpha.shape, beta=beta.shape,
        present=() if open_ is None else open_.shape[:-2])
    count, rng = math.prod(batch), np.random.default_rng(rng)
    pays = _trials_first(rewards, batch, 2)
    barred = None if open_ is None else ~_trials_first(open_, batch, 2)
    alpha, beta = (np.broadcast_to(v, batch).reshape(count) for v in (alpha, beta))
    values = np.array(np.broadcast_to(_start(v0, n_cues), (n_cues, count)))
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
        return Choices(choices, np.where(_or_all(open_), table, np.nan))
    return Choices(choices, np.take_along_axis(table, choices[..., None], axis=-1)[..., 0])


def cue_values(alpha, choices, rewards, *, n_cues=None, v0=0.0, derivatives=0):
    r"""The values before the first trial and after each, and their derivatives by the learning rate.

    .. math:: V_t = V_{t-1} + \alpha\,(r_t - V_{t-1}), \qquad
              \frac{\partial V_t}{\partial\alpha}
              = r_t - V_{t-1} + (1 - \alpha)\,\frac{\partial V_{t-1}}{\partial\alpha}

    for each cue that gets an outcome in the trial; value and derivative of the others stay.

    Parameters
    ----------
    alpha, choices, rewards, v0
        As in `log_likelihood`.
    n_cues : int or None
        Two by default, or as many as `rewards` or `v0` say, or as the choices need.
    derivatives : {0, 1, 2}
        How many.

    Returns
    -------
    ndarray, shape (derivatives + 1, ..., T + 1, K)
        Values, their slopes, and how the slopes change; without the first axis if `derivatives` is 0.

    Raises
    ------
    TypeError, ValueError
        As `log_likelihood`; a number of cues that isn't an integer, or is negative.

    Notes
    -----
    A cue's n-th outcome is the n-th tick of its own clock; between two ticks nothing moves.

    Implements: eq-rw-rule
    Implements: eq-rw-slope

    Examples
    --------
    >>> cue_values(0.5, [0, 1, 0], [1.0, 1.0, 0.0], derivatives=1).round(3)
    array([[[0.  , 0.  ],
            [0.5 , 0.  ],
            [0.5 , 0.5 ],
            [0.25, 0.5 ]],
    <BLANKLINE>
           [[0.  , 0.  ],
            [1.  , 0.  ],
            [1.  , 1.  ],
            [0.  , 1.  ]]])
    """
    if derivatives not in (0, 1, 2):
        raise ValueError(f"derivatives must be 0, 1 or 2, got {derivatives!r}")
    alpha, _ = read_parameters(alpha, 0.0)
    data = Trials(choices, rewards, v0=v0, n_cues=n_cues)
    batch = subjects_of(choices=data.batch, alpha=alpha.shape)
    found = data.over(batch).values(flat(alpha, batch), derivatives)
    found = [np.broadcast_to(v, v.shape[:2] + (math.prod(batch),)) for v in found]
    found = np.stack([np.moveaxis(v, 2, 0).reshape(batch + v.shape[:2]) for v in found])
    return found if derivatives else found[0]


def log_likelihood(alpha, beta, choices, rewards, *, present=None, v0=0.0, scored="before",
                   hessian=False):
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
        the outcomes are those of the choice, or after them, as it is in the notes: the cues are shown
        with their outcomes, and then one is chosen.
    hessian : bool
        Whether the second derivatives are returned, too.

    Returns
    -------
    value : ndarray or scalar, shape (...)
    gradient : ndarray, shape (..., 2)
        By :math:`\alpha`, then by :math:`\beta`.
    hessian : ndarray, shape (..., 2, 2)
        If it was asked for.

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
    alpha, beta = read_parameters(alpha, beta)
    data = Trials(choices, rewards, present=present, v0=v0, scored=scored)
    batch = subjects_of(choices=data.batch, alpha=alpha.shape, beta=beta.shape)
    found = data.over(batch)(flat(alpha, batch), flat(beta, batch), 2 if hessian else 1)
    ends = [(), (2,), (2, 2)]
    return tuple(v.reshape(batch + end)[()] for v, end in zip(found, ends))


# --- The trials of many subjects, prepared ------------------------------------------------------


class Trials:
    """Choices and outcomes, checked once, with the trials first and the subjects last."""

    def __init__(self, choices, rewards, *, present=None, v0=0.0, scored="before", n_cues=None):
        if scored not in ("before", "after"):
            raise ValueError(f"scored must be 'before' or 'after', got {scored!r}")
        self.after = scored == "after"
        choices = _integers(choices)
        rewards = _finite("rewards", rewards, missing=True)
        open_ = None if present is None else _present(present, None)
        start = _finite("v0", v0)
        of_each = rewards.ndim > choices.ndim
        told = [rewards.shape[-1]] if of_each else []
        told += [] if open_ is None else [open_.shape[-1]]
        told += [start.shape[-1]] if start.ndim else []
        top = int(choices.max(initial=-1)) + 1
        if n_cues is not None:
            told.append(read_count("n_cues", n_cues, least=0))
        if not told and top > 2 * len(np.unique(choices)) + 8:
            raise ValueError(f"a choice names the cue {top - 1}: say by v0 or present that there are so "
                             "many cues; a trial without a choice is -1")
        self.n_cues = told[-1] if n_cues is not None else max([*told, top] if told else [2, top])
        if any(size != self.n_cues for size in told) or top > self.n_cues:
            raise ValueError(f"expected {self.n_cues} cues everywhere; the arrays speak of {told}, and "
                             f"the choices of {top}")
        lead = choices.shape[:-1]
        inner = choices.shape[-1:] + ((self.n_cues,) if of_each else ())
        if rewards.shape[rewards.ndim - len(inner):] != inner:
            raise ValueError(f"choices of shape {choices.shape} and rewards of shape {rewards.shape} "
                             "don't fit")
        lead = subjects_of(choices=lead, rewards=rewards.shape[: rewards.ndim - len(inner)])
        if open_ is not None:
            if open_.shape[-2:] != (choices.shape[-1], self.n_cues):
                raise ValueError(f"expected present of shape (..., {choices.shape[-1]}, {self.n_cues}), "
                                 f"got {open_.shape}")
            lead = subjects_of(choices=lead, present=open_.shape[:-2])
        self.batch = lead
        chosen = _trials_first(choices, lead, 1)
        seen = _trials_first(rewards, lead, 2 if of_each else 1)
        cue = np.arange(self.n_cues)[:, None]
        if open_ is not None:
            open_ = _trials_first(open_, lead, 2)
        if of_each:
            gate = ~np.isnan(seen) & _or_all(open_)
        else:
            gate = (chosen[:, None] == cue) & ~np.isnan(seen)[:, None]
            seen = seen[:, None]
        self.gate = gate.astype(float)
        self.paid = np.where(gate, seen, 0.0)
        self.start = _start(start, self.n_cues)
        self._choices(chosen, open_)

    def _choices(self, chosen, open_):
        picked = chosen >= 0
        barred = None
        if open_ is not None:
            with_choice = np.take_along_axis(open_, np.maximum(chosen, 0)[:, None], 1)[:, 0]
            if (picked & ~with_choice).any():
                raise ValueError("a cue was chosen in a trial in which it is absent")
            picked = picked & (open_.sum(axis=1) > 1)  # where one cue is left, nothing is told
            barred = ~open_
        self.chosen = np.where(picked, chosen, 0)
        self.counted = None if picked.all() else picked.astype(float)
        if self.n_cues == 2:
            self.side = np.where(chosen == 0, 1.0, -1.0)
            barred = None
            if self.counted is not None:
                self.side = self.side * self.counted
        self.barred = barred

    def over(self, batch):
        """These trials for a larger batch of parameters; one subject serves for all."""
        if self.batch == batch or math.prod(self.batch) == 1:
            return self
        which = np.broadcast_to(np.arange(math.prod(self.batch)).reshape(self.batch), batch)
        return self.take(which.ravel(), batch)

    def take(self, which, batch=None):
        """The trials of some subjects, by number."""
        other = object.__new__(Trials)
        other.__dict__ = {
            name: v[..., which] if name in _OF_SUBJECTS and v is not None and v.shape[-1] > 1 else v
            for name, v in self.__dict__.items()}
        other.batch = (len(which),) if batch is None else batch
        return other

    def values(self, alpha, derivatives, forgetful=False):
        """Values before the first trial and after each, (T + 1, K, S), and derivatives by alpha.

        With ``forgetful`` the slope of a cue that got no outcome is set to 0, as the notes have it.
        """
        keep = 1 - alpha * self.gate
        decay = _decay(keep)
        found = [_scan(keep, decay, alpha * self.paid, self.start)]
        if derivatives:
            drive = self.paid - self.gate * found[0][:-1]
            if forgetful:
                keep = self.gate * keep
                decay = _decay(keep)
            found.append(_scan(keep, decay, drive, 0.0))
        if derivatives > 1:
            found.append(_scan(keep, decay, -2 * self.gate * found[1][:-1], 0.0))
        return found

    def gaps(self, values):
        """By how much the others are ahead of the chosen cue: (T, J, S)."""
        values = values[1:] if self.after else values[:-1]
        if self.n_cues == 2:
            return ((values[:, 1] - values[:, 0]) * self.side)[:, None]
        shape = np.broadcast_shapes(values[:, 0].shape, self.chosen.shape)
        values = np.broadcast_to(values, values.shape[:2] + shape[1:])
        chosen = np.broadcast_to(self.chosen, shape)[:, None]
        return values - np.take_along_axis(values, chosen, axis=1)

    def odds(self, gaps, beta):
        """Log-probability of each choice, (T, S), and the probabilities of the others, (T, J, S)."""
        x = beta * gaps
        if self.n_cues == 2:
            x = x[:, 0]
            small = np.exp(-np.abs(x))
            log_p = -np.log1p(small)
            log_p -= np.maximum(x, 0)
            other = (np.where(x > 0, 1.0, small) / (1 + small))[:, None]
            if self.counted is not None:
                log_p = log_p * self.counted
            return log_p, other
        if self.barred is not None:
            x = np.where(self.barred, -np.inf, x)
        np.put_along_axis(x, np.broadcast_to(self.chosen, x[:, 0].shape)[:, None], -np.inf, axis=1)
        top = np.maximum(x.max(axis=1), 0)
        weights, own = np.exp(x - top[:, None]), np.exp(-top)
        rest = weights.sum(axis=1)
        log_p = -(top + np.log1p(np.where(top > 0, rest - 1 + own, rest)))
        other = weights / (rest + own)[:, None]
        if self.counted is not None:
            log_p, other = log_p * self.counted, other * self.counted[:, None]
        return log_p, other

    def __call__(self, alpha, beta, derivatives=1, forgetful=False):
        """Value, gradient and Hessian, of as many as derivatives are asked for."""
        found = [self.gaps(v) for v in self.values(alpha, derivatives, forgetful)]
        log_p, other = self.odds(found[0], beta)
        total = [np.add.reduce(log_p, axis=0)]
        if derivatives:
            means = [np.add.reduce(other * u, axis=1) for u in found]
            first = [-np.add.reduce(m, axis=0) for m in means]
            total.append(np.stack(np.broadcast_arrays(beta * first[1], first[0]), axis=-1))
        if derivatives > 1:
            by_both = first[1] - beta * self._spread(other, found, means, 0, 1)
            by_beta = -self._spread(other, found, means, 0, 0)
            by_alpha = beta * first[2] - beta**2 * self._spread(other, found, means, 1, 1)
            four = np.broadcast_arrays(by_alpha, by_both, by_both, by_beta)
            total.append(np.stack(four, axis=-1).reshape(four[0].shape + (2, 2)))
        return total

    @staticmethod
    def _spread(other, gaps, means, a, b):
        """Sum over the trials of a covariance under the law of the choice."""
        product = np.add.reduce(other * gaps[a] * gaps[b], axis=1)
        return np.add.reduce(product - means[a] * means[b], axis=0)


_LARGEST = 1e150
_OF_SUBJECTS = {"gate", "paid", "chosen", "counted", "side", "barred"}


def _decay(keep):
    """Products of the factors from the start of each block on, shape (blocks, length, K, S)."""
    length = max(1, math.isqrt(len(keep)))
    blocks = -(-len(keep) // length)
    decay = np.ones((blocks * length, *keep.shape[1:]))
    decay[: len(keep)] = keep
    decay = decay.reshape(blocks, length, *keep.shape[1:])
    for j in range(1, length):
        decay[:, j] *= decay[:, j - 1]
    return decay


def _scan(keep, decay, drive, first):
    """All of x[t + 1] = keep[t] x[t] + drive[t] from x[0] = first on.

    Each block of trials runs from 0, all blocks at once; then what each hands on is added.
    """
    n_trials, (blocks, length) = len(keep), decay.shape[:2]
    shape = np.broadcast_shapes(keep.shape[1:], drive.shape[1:])
    out = np.empty((blocks * length + 1, *shape))
    out[0] = first
    x = out[1:]
    x[:n_trials], x[n_trials:] = drive, 0
    x = x.reshape(blocks, length, *shape)
    factors = np.ones((blocks * length, *keep.shape[1:]))
    factors[:n_trials] = keep
    factors = factors.reshape(blocks, length, *keep.shape[1:])
    for j in range(1, length):
        x[:, j] += factors[:, j] * x[:, j - 1]
    carried = np.empty((blocks, *shape))
    at = out[0]
    for b in range(blocks):
        carried[b] = at
        at = decay[b, -1] * at + x[b, -1]
    x += decay * carried[:, None]
    return out[: n_trials + 1]


# --- Arguments ----------------------------------------------------------------------------------


def subjects_of(**shapes):
    """The shape of the subjects, in which all shapes broadcast."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        said = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"the subjects don't broadcast: {said}") from None


def read_parameters(alpha, beta):
    alpha, beta = (_finite(name, v) for name, v in (("alpha", alpha), ("beta", beta)))
    if not ((0 <= alpha) & (alpha <= 1)).all():
        raise ValueError(f"expected alpha in [0, 1], got {alpha[()]}")
    return alpha, beta


def _finite(name, value, missing=False):
    """Finite numbers in float64; where some may be missing, NaN, which also stands for the masked ones."""
    masked = np.ma.getmaskarray(value) if np.ma.isMaskedArray(value) else None
    value = as_real(np.ma.getdata(value))[0].astype(np.float64)
    if masked is not None and masked.any():
        value = np.where(masked, np.nan, value)
    if np.isinf(value).any() or (not missing and np.isnan(value).any()):
        raise ValueError(f"expected finite {name}, got {value[~np.isfinite(value)].flat[0]}")
    if (np.abs(value) > _LARGEST).any():
        raise ValueError(f"expected {name} of at most {_LARGEST:.0e} in size, so that squares are finite")
    return value


def _integers(choices):
    masked = np.ma.getmaskarray(choices) if np.ma.isMaskedArray(choices) else None
    choices = np.asarray(np.ma.getdata(choices))
    if choices.size == 0:
        choices = choices.astype(np.intp)
    if choices.dtype.kind not in "iu":
        raise TypeError(f"choices must be integers, -1 where there was none; got {choices.dtype}")
    if choices.ndim == 0:
        raise ValueError("choices have no axis of trials")
    choices = choices.astype(np.intp) if masked is None else np.where(masked, -1, choices)
    if choices.min(initial=0) < -1:
        raise ValueError(f"a choice is the number of a cue, or -1 for none; got {choices.min()}")
    return choices


def _present(present, shape):
    if present is None:
        return None
    present = np.asarray(present)
    if present.dtype != bool:
        raise TypeError(f"present must be boolean, got {present.dtype}")
    if present.ndim < 2 or (shape and present.shape[-2:] != shape):
        raise ValueError(f"expected present of shape (..., T, K), got {present.shape}")
    if not present.any(axis=-1).all():
        raise ValueError("a trial has no cue that is present")
    return present


def _or_all(present):
    return True if present is None else present


def _start(v0, n_cues):
    v0 = _finite("v0", v0)
    if v0.shape not in ((), (n_cues,)):
        raise ValueError(f"expected v0 to be a number or of shape ({n_cues},), got {v0.shape}")
    return np.broadcast_to(v0, (n_cues,))[:, None]


def _trials_first(array, batch, inner):
    """Shape (T, S), or (T, K, S), the axes of subjects in one; S is 1 where all subjects share the trials."""
    shape = array.shape[array.ndim - inner:]
    if math.prod(array.shape[: array.ndim - inner]) == 1:
        flat = array.reshape(1, *shape)
    else:
        flat = np.broadcast_to(array, batch + shape).reshape(math.prod(batch), *shape)
    return np.ascontiguousarray(np.moveaxis(flat, 0, -1))


def flat(parameter, batch):
    """One number, or one for each subject."""
    return parameter.reshape(()) if parameter.size == 1 else np.broadcast_to(parameter, batch).ravel()
