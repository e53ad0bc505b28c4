"""Next tokens that know what can follow: the common half of `exact_step` and `soft_step`."""

import numpy as np

from ..arguments import as_array
from ..softmax import logsumexp

_MANY = 10**6  # prefixes that are still looked at


def check_many(n):
    if n > _MANY:
        raise ValueError(f"expected at most {_MANY} prefixes, got {n}; take a smaller length")


def look_ahead(weigh, worth, length, *, end, wanted):
    """A `step` that draws whole texts in proportion to the product of what their tokens weigh and what they
    are worth.

    ``weigh(prefixes)`` gives logarithms of what next tokens weigh, shape (B, V), and ``worth(texts)`` of what
    complete texts are worth, shape (m, `length`) to (m,); ``-inf`` is nothing. `wanted` says what must be
    reached.
    """
    known: dict[bytes, float] = {}  # of each prefix the sum over all that can follow

    def totals(prefixes):
        done = np.full(len(prefixes), prefixes.shape[1] == length)
        if end is not None:
            done |= prefixes[:, -1] == end
        names = [prefix.tobytes() for prefix in prefixes]
        fresh = np.array([name not in known for name in names], bool)
        for which, total in ((fresh & done, complete), (fresh & ~done, lambda at: logsumexp(weighed(at)))):
            if which.any():
                known.update(zip((names[i] for i in np.flatnonzero(which)), total(prefixes[which])))
        return np.array([known[name] for name in names])

    def complete(prefixes):
        texts = np.full((len(prefixes), length), 0 if end is None else end)
        texts[:, :prefixes.shape[1]] = prefixes
        return worth(texts)

    def weighed(prefixes):
        found = weigh(prefixes)
        row, token = np.nonzero(found > -np.inf)
        check_many(len(known) + len(row))
        found[row, token] += totals(np.concatenate([prefixes[row], token[:, None]], axis=1))
        return found

    def step(prefixes):
        prefixes = as_array(prefixes, "prefixes").astype(np.int64, copy=False)
        if prefixes.ndim != 2 or prefixes.shape[1] >= length or end is not None and (prefixes == end).any():
            raise ValueError(f"expected prefixes of shape (B, t) that aren't complete, t < {length}, "
                             f"got {prefixes.tolist()}")
        found = weighed(prefixes)
        sums = logsumexp(found, keepdims=True)
        if np.isneginf(sums).any():
            raise ValueError(f"expected prefixes from which {wanted} can be reached, "
                             f"got {prefixes[int(np.argmin(sums))].tolist()}")
        return found - sums

    return step
