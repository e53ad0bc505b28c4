"""Covariance matrices, one or a batch: read, factored, and triangular systems solved."""

import contextlib
import math

import numpy as np
from scipy.linalg import blas, lapack

from ..arguments import entry_name

_PANEL = 64  # rows that are solved for at once
_SMALL = 32  # up to this dimension, a batch is laid out last and solved together
_PIECE = 2**18  # elements of such a batch: they stay in the cache


def read_symmetric(name, cov):
    """In float64, where the triangles differ by rounding at most; all that follows reads the lower one."""
    if (cov == np.swapaxes(cov, -1, -2)).all():
        return np.ascontiguousarray(cov, np.float64)
    eps, cov = np.finfo(cov.dtype).eps, cov.astype(np.float64)
    root = np.sqrt(np.abs(diagonals(cov)))
    gap = np.abs(cov - np.swapaxes(cov, -1, -2))
    beyond = gap - 4 * cov.shape[-1] * eps * root[..., :, None] * root[..., None, :]
    if (beyond > 0).any():
        *entry, i, j = np.unravel_index(beyond.argmax(), cov.shape)
        raise ValueError(f"expected {entry_name(name, entry)} to be symmetric, got entries ({i}, {j}) and "
                         f"({j}, {i}) that are {gap[*entry, i, j]:.3g} apart")
    return cov


def cholesky(name, cov):
    """Lower factors, in C order."""
    d = cov.shape[-1]
    if d <= _SMALL and cov.ndim > 2:
        with contextlib.suppress(np.linalg.LinAlgError):  # and find out below which one it is
            return np.linalg.cholesky(cov)
    factors = cov.copy()
    flat = factors.reshape(math.prod(cov.shape[:-2]), d, d)
    for i, one in enumerate(flat if d else ()):
        upper, failed = lapack.dpotrf(one.T, lower=0, clean=1, overwrite_a=1)
        if failed:
            entry = entry_name(name, np.unravel_index(i, cov.shape[:-2]))
            raise ValueError(f"expected {entry} to be positive definite, got a leading minor {failed} that "
                             "isn't positive")
        flat[i] = upper.T
    return factors


def diagonals(a):
    return np.einsum("...ii->...i", a)


def solve_lower(l, x, *, lower=False):
    """Replace x by the solution y of l y = x, for a batch; l is lower triangular.

    With `lower`, x is a column followed by a lower triangular matrix, and so is the
    solution: the row i needs to be solved for its first i + 2 entries only.
    """
    if are_solved_together(l):
        _solve_together(l, x, lower)
    else:
        for one, right in zip(l, x):
            _solve_one(one, right, lower)


def are_solved_together(l):
    """Whether a batch of systems is solved all at once."""
    n, d = l.shape[:2]
    return n >= d and d <= _SMALL


def _solve_one(l, x, lower):
    """Panels of rows, so that most of it is a product of matrices."""
    d = len(l)
    for i in range(0, d, _PANEL):
        j = min(i + _PANEL, d)
        columns = slice(j + 1 if lower else None)
        right = x[i:j, columns]
        if i:
            right -= l[i:j, :i] @ x[:i, columns]
        right[...] = blas.dtrsm(1.0, l[i:j, i:j].T, right.T, side=1, lower=0).T


def _solve_together(l, x, lower):
    """Many small systems: the batch becomes the last axis, in pieces that stay in the cache."""
    n, d = x.shape[:2]
    step = max(1, _PIECE // max(1, d * d))
    for start in range(0, n, step):
        part = slice(start, start + step)
        rows, y = (np.ascontiguousarray(np.moveaxis(a[part], 0, -1)) for a in (l, x))
        for i in range(d):
            columns = slice(i + 2 if lower else None)
            right = y[i, columns]
            if i:
                right -= np.einsum("kn,kjn->jn", rows[i, :i], y[:i, columns])
            right /= rows[i, i]
        x[part] = np.moveaxis(y, -1, 0)
