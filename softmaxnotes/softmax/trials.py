"""The trials of many subjects, prepared for what learns from them, and the reading of their arguments."""

import math

import numpy as np

from ..arguments import (
    as_array,
    as_real,
    check_unit_interval,
    entry_name,
    first_entry,
    read_choice,
    read_count,
    read_integers,
)


class Trials:
    """Choices and outcomes, checked once, with the trials first and the subjects last."""

    def __init__(self, choices, rewards, *, present=None, v0=0.0, scored="before", n_cues=None):
        self.after = read_choice("scored", scored, ("before", "after")) == "after"
        choices = _choices(choices)
        rewards = read_numbers("rewards", rewards, missing=True)
        open_ = None if present is None else read_present(present, None)
        start = read_numbers("v0", v0)
        of_each = rewards.ndim > choices.ndim
        told = {"rewards": rewards.shape[-1]} if of_each else {}
        told |= {} if open_ is None else {"present": open_.shape[-1]}
        told |= {"v0": start.shape[-1]} if start.ndim else {}
        told |= {} if n_cues is None else {"n_cues": read_count("n_cues", n_cues, least=0)}
        self.n_cues = _number_of_cues(told, choices)
        lead = choices.shape[:-1]
        inner = choices.shape[-1:] + ((self.n_cues,) if of_each else ())
        if rewards.shape[rewards.ndim - len(inner):] != inner:
            raise ValueError(f"expected rewards of shape (..., {', '.join(map(str, inner))}), got "
                             f"{rewards.shape}")
        lead = subjects_of(choices=lead, rewards=rewards.shape[: rewards.ndim - len(inner)])
        if open_ is not None:
            if open_.shape[-2:] != (choices.shape[-1], self.n_cues):
                raise ValueError(f"expected present of shape (..., {choices.shape[-1]}, {self.n_cues}), "
                                 f"got {open_.shape}")
            lead = subjects_of(choices=lead, present=open_.shape[:-2])
        self.batch = lead
        chosen = trials_first(choices, lead, 1)
        seen = trials_first(rewards, lead, 2 if of_each else 1)
        cue = np.arange(self.n_cues)[:, None]
        if open_ is not None:
            open_ = trials_first(open_, lead, 2)
        if of_each:
            gate = ~np.isnan(seen) & or_all(open_)
        else:
            gate = (chosen[:, None] == cue) & ~np.isnan(seen)[:, None]
            seen = seen[:, None]
        self.gate = gate.astype(float)
        self.paid = np.where(gate, seen, 0.0)
        self.start = read_start(start, self.n_cues)
        self._choices(chosen, open_)

    def _choices(self, chosen, open_):
        picked = chosen >= 0
        barred = None
        if open_ is not None:
            with_choice = np.take_along_axis(open_, np.maximum(chosen, 0)[:, None], 1)[:, 0]
            if (picked & ~with_choice).any():
                raise ValueError("expected choices of cues that are present, got one of an absent cue in "
                                 f"trial {np.argwhere(picked & ~with_choice)[0, 0]}")
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

    def values(self, alpha, derivatives):
        """Values before the first trial and after each, (T + 1, K, S), and derivatives by alpha."""
        keep = 1 - alpha * self.gate
        decay = decay_of(keep)
        found = [scan(keep, decay, alpha * self.paid, self.start)]
        if derivatives:
            found.append(scan(keep, decay, self.paid - self.gate * found[0][:-1], 0.0))
        if derivatives > 1:
            found.append(scan(keep, decay, -2 * self.gate * found[1][:-1], 0.0))
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

    def __call__(self, alpha, beta, derivatives=1):
        """Value, gradient and Hessian, of as many as derivatives are asked for."""
        found = [self.gaps(v) for v in self.values(alpha, derivatives)]
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


def decay_of(keep):
    """Products of the factors from the start of each block on, shape (blocks, length, K, S)."""
    length = max(1, math.isqrt(len(keep)))
    blocks = -(-len(keep) // length)
    decay = np.ones((blocks * length, *keep.shape[1:]))
    decay[: len(keep)] = keep
    decay = decay.reshape(blocks, length, *keep.shape[1:])
    for j in range(1, length):
        decay[:, j] *= decay[:, j - 1]
    return decay


def scan(keep, decay, drive, first):
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
        said = " and ".join(f"{shape} in {name}" for name, shape in shapes.items() if shape)
        raise ValueError(f"expected axes of subjects that fit, got {said}") from None


def read_parameters(alpha, beta):
    alpha, beta = read_numbers("alpha", alpha), read_numbers("beta", beta)
    check_unit_interval(alpha=alpha)
    return alpha, beta


def read_numbers(name, value, missing=False):
    """Finite numbers in float64; where some may be missing, NaN, which also stands for the masked ones."""
    masked = missing and np.ma.isMaskedArray(value)
    x = as_real(np.ma.getdata(value) if masked else value, name)[0].astype(np.float64)
    if masked:
        x = np.where(np.ma.getmaskarray(value), np.nan, x)
    wrong = np.isinf(x) if missing else ~np.isfinite(x)
    wrong |= np.abs(x) > _LARGEST  # squares must be finite
    if wrong.any():
        raise ValueError(f"expected finite numbers, at most {_LARGEST:.0e} in size, got "
                         f"{first_entry(name, x, wrong)}")
    return x


def _choices(choices):
    """Numbers of cues, -1 where there was no choice, which also stands for the masked ones."""
    masked = np.ma.isMaskedArray(choices)
    x = read_integers("choices", np.ma.getdata(choices) if masked else choices)
    if x.ndim == 0:
        raise ValueError(f"expected choices of shape (..., T), got {x}")
    if masked:
        x = np.where(np.ma.getmaskarray(choices), -1, x)
    if x.min(initial=-1) < -1:
        raise ValueError(f"expected choices to be numbers of cues, or -1 for none, got {x.min()}")
    return x


def _number_of_cues(told, choices):
    """As many as all arguments that tell it say; else as the choices need, and two at the least."""
    top = int(choices.max(initial=-1))
    if not told and top >= 2 * len(np.unique(choices)) + 8:
        raise ValueError("expected v0, present or n_cues to say that there are so many cues, got "
                         f"a choice of cue {top} only; a trial without a choice is -1")
    if len(set(told.values())) > 1:
        raise ValueError("expected as many cues everywhere, got "
                         + " and ".join(f"{n} in {name}" for name, n in told.items()))
    n_cues = next(iter(told.values()), max(2, top + 1))
    if top >= n_cues:
        raise ValueError(f"expected choices below {n_cues}, the number of cues in {' and '.join(told)}, "
                         f"got {top}")
    return n_cues


def read_present(present, shape):
    if present is None:
        return None
    present = as_array(present, "present")
    if present.dtype != bool:
        raise TypeError(f"expected present to be boolean, got an array of type {present.dtype}")
    if present.ndim < 2 or (shape and present.shape[-2:] != shape):
        raise ValueError(f"expected present of shape (..., {', '.join(map(str, shape or 'TK'))}), "
                         f"got {present.shape}")
    if (nothing := ~present.any(axis=-1)).any():
        where = entry_name("present", np.argwhere(nothing)[0])
        raise ValueError(f"expected a cue that is present in each trial, got none in {where}")
    return present


def or_all(present):
    return True if present is None else present


def read_start(v0, n_cues):
    v0 = read_numbers("v0", v0)
    if v0.shape not in ((), (n_cues,)):
        raise ValueError(f"expected v0 to be a number or of shape ({n_cues},), got {v0.shape}")
    return np.broadcast_to(v0, (n_cues,))[:, None]


def trials_first(array, batch, inner):
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
