"""The race of exponential clocks, of which the first k arrivals count, and an urn of the same law.

What is drawn from are rows of logits in ``float64`` at least, with their maxima m.
"""

import numpy as np

from ..arrays import slice_at
from .distribution import exponential

BLOCK = 2**15  # so many keys stay in the cache
_GROUP = 32  # so many items are added up at once
_ROUNDS = 4  # of draws with replacement, before noise is drawn for all that is left


def race(rows, m, total, k, rng, lead):
    """Items and keys of so many races; their rows, with the maxima m, are taken in turn."""
    indices, keys = np.empty((total, k), np.intp), np.empty((total, k))
    n = rows.shape[-1]
    if k == 0 or total == 0:
        return indices, keys
    step = max(1, BLOCK // n)
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            part = slice(start, min(start + step, total))
            if n > 2 * BLOCK:
                number = start % len(rows)
                indices[part], keys[part] = _search(rows[number], m[number], k, rng)
            else:
                turn = _in_turn(len(rows), part)
                indices[part], keys[part] = largest_keys(_noisy(rows[turn] - m[turn, None], rng), k)
        keys += m[_in_turn(len(rows), slice(0, total)), None]
    if not np.minimum.reduce(keys[:, -1]) > -np.inf:
        refuse_few(rows, k, lead)
    return indices, keys


def _in_turn(number, part):
    return part if part.stop <= number else np.arange(part.start, part.stop) % number


def _noisy(gaps, rng):
    """Gaps to the largest logit, plus noise, in place."""
    noise = exponential(gaps.shape, rng)
    np.log(noise, out=noise)
    gaps -= noise
    return gaps


def largest_keys(keys, k):
    """Places of the k largest keys of each row, and those keys, in order; equal keys as they stand."""
    rows, n = keys.shape
    if n >= 64 and 2 * k <= n:
        least = np.partition(keys, n - k, axis=-1)[:, n - k, None]
        found = np.flatnonzero(keys >= least)
        if found.size == rows * k:
            values = keys.take(found).reshape(rows, k)
            order = values.argsort(axis=-1)[:, ::-1]
            order += np.arange(0, rows * k, k)[:, None]
            values = values.take(order)
            if not (values[:, 1:] == values[:, :-1]).any():  # a quick sort mixes them up
                found = found.take(order)
                found -= np.arange(0, rows * n, n)[:, None]
                return found, values
    order = np.argsort(-keys, axis=-1, kind="stable")[:, :k]
    return order, keys[np.arange(rows)[:, None], order]


def _search(row, m, k, rng):
    """The same in one long row, block by block; only what beats the k-th key so far is kept."""
    places, keys = np.empty(0, np.intp), np.empty(0)
    limit = -np.inf
    for start in range(0, len(row), BLOCK):
        new = _noisy(row[start : start + BLOCK] - m, rng)
        found = np.flatnonzero(new > limit)
        places, keys = np.append(places, found + start), np.append(keys, new[found])
        if len(keys) >= k:
            best, largest = largest_keys(keys[None], k)
            places, keys = places[best[0]], largest[0]
            limit = keys[-1]
    if len(keys) < k:  # the others are masked
        return 0, -np.inf
    return places, keys


def refuse_few(rows, k, lead):
    """A row has fewer items to draw than k."""
    alive = np.count_nonzero(rows > -np.inf, axis=-1)
    row = int(alive.argmin())
    raise ValueError("expected k to be at most the number of items that are not masked, "
                     f"{alive[row]} in slice {slice_at(row, lead)}, got {k}")


# --- Draws with replacement, of which the repeated ones are dropped ---------------


class Urn:
    """Items of one row, added up in groups, to draw from many times."""

    def __init__(self, row, m):
        self.row, self.m, self.n = row, m, len(row)
        groups = -(-self.n // _GROUP)
        self.weights = np.empty(groups * _GROUP)
        self.weights[self.n :] = 0
        self.groups, self.sums = self.weights.reshape(groups, _GROUP), np.empty(groups)
        for start in range(0, self.n, BLOCK):
            part = self.weights[start : min(start + BLOCK, self.n)]
            np.subtract(row[start : start + BLOCK], m, out=part)
            np.exp(part, out=part)
            lines = slice(start // _GROUP, -(-(start + len(part)) // _GROUP))
            np.matmul(self.groups[lines], np.ones(_GROUP), out=self.sums[lines])
        self.totals = np.cumsum(self.sums)

    def draw(self, k, rng, with_keys):
        items, left, totals = [], [], self.totals
        sums, taken = self.sums, []
        for _ in range(_ROUNDS):
            total = totals[-1]
            if not total > 1e-200:
                break
            new, weights = self._round(k - len(items), totals, rng)
            items += new
            left += [total - before for before in weights]
            if len(items) == k:
                break
            at = np.array(new)
            taken.append((at, self.weights[at]))
            self.weights[at] = 0
            touched = np.unique(at // _GROUP)
            sums = sums.copy() if sums is self.sums else sums
            sums[touched] = self.groups[touched] @ np.ones(_GROUP)
            totals = np.cumsum(sums)
        for at, weights in taken:
            self.weights[at] = weights
        return self._with_keys(items, left, k, rng, with_keys)

    def _round(self, wanted, totals, rng):
        """First occurrences among some draws, and the weight that was gone before each."""
        u = rng.random((2, wanted + wanted // 4 + 4))
        total = totals[-1]
        share = np.minimum(u[0] * total, np.nextafter(total, 0))
        group = np.searchsorted(totals, share, side="right")
        entries = np.cumsum(self.groups[group], axis=-1)
        own = entries[:, -1]
        share = np.minimum(u[1] * own, np.nextafter(own, 0))
        drawn = (group * _GROUP + (entries > share[:, None]).argmax(axis=-1)).tolist()
        seen, gone, before = set(), 0.0, []
        weights = self.weights
        new = []
        for item in drawn:
            if item not in seen:
                seen.add(item)
                new.append(item)
                before.append(gone)
                gone += weights[item]
                if len(new) == wanted or total - gone < total / 1024:
                    break
        return new, before

    def _with_keys(self, items, left, k, rng, with_keys):
        indices, keys = np.array(items, np.intp), np.empty(0)
        if with_keys and items:
            times = np.cumsum(rng.standard_exponential(len(items)) / left)
            keys = self.m - np.log(times)
        if len(items) < k:
            rest = self.row.copy()
            rest[indices] = -np.inf
            if np.count_nonzero(rest > -np.inf) < k - len(items):
                return None
            others, later = race(rest[None], rest.max()[None], 1, k - len(items), rng, ())
            indices = np.append(indices, others[0])
            if with_keys:
                later = later[0]
                keys = np.append(keys, -np.logaddexp(-keys[-1], -later) if items else later)
        return indices, keys if with_keys else np.nan
