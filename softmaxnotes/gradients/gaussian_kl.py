r"""Kullback-Leibler divergences of Gaussians, in nats, that keep their digits.

Every divergence here is a sum of terms that are not negative: half the square of
a distance between means, half the square of each entry of
:math:`M = L_q^{-1} L_p` (of Cholesky factors) below its diagonal, and for the
scales, each entry :math:`e^t` of its diagonal,

.. math:: h(t) = \tfrac12 \left(e^{2t} - 1\right) - t, \qquad
          t = \log\frac{\sigma_p}{\sigma_q},

which is about :math:`t^2` where the two are close. So the only place where digits
can be lost is :math:`h`, and near zero it is computed by

.. math:: h(t) = \frac{t\,(t - k)}{1 + k - t}, \qquad
          k = t \coth t - 1
            = \cfrac{t^2}{3 + \cfrac{t^2}{5 + \cfrac{t^2}{7 + \cdots}}},

where :math:`t - k` loses at most a bit (the fraction is Lambert's, of 1761). No
result is negative, and a divergence that is small is as good as one that is large.

Conventions
-----------
*Types.* Anything array-like and real, up to ``float64``; a result has the widest
floating type among the arguments, as which integers and Booleans are ``float64``.

*Parameters* that aren't a Gaussian's (NaN, infinite, a scale that isn't positive, a
covariance that isn't symmetric or isn't positive definite) are a `ValueError`. A
divergence that is too large for its type is ``inf``, without a warning.

*Error bounds* are relative, in units of the roundoff :math:`u = 2^{-53}` (half a unit
in the last place of 1), and hold for the numbers that were passed in. They take the
elementary functions of NumPy to be right to within :math:`6u`. Where a result is
below the normal numbers of its type, the bound is absolute.
"""

import math

import numpy as np
from scipy.linalg import blas, lapack

from ..arguments import (
    all_finite,
    broadcast_shape,
    check_finite,
    check_positive,
    read_floats,
)
from .covariances import (
    are_solved_together,
    cholesky,
    diagonals,
    read_symmetric,
    solve_lower,
)

__all__ = ["kl_diag_standard", "kl_mvn", "kl_normal"]

_CHUNK = 2**14  # elements: such that a chunk and its scratch space stay in the cache
_CLEAR = 0.25  # see `kl_diag_standard`
_NEAR = 0.2  # nats: below, the terms of h cancel too much
_CLOSE = 1e-3  # nats: below, covariances are compared by their difference


def kl_normal(mu_p, sigma_p, mu_q, sigma_q):
    r"""Divergence of one normal distribution from another.

    .. math:: \mathrm{KL}\bigl(\mathcal N(\mu_p, \sigma_p^2) \,\|\,
              \mathcal N(\mu_q, \sigma_q^2)\bigr)
              = \log \frac{\sigma_q}{\sigma_p}
              + \frac{\sigma_p^2 + (\mu_p - \mu_q)^2}{2 \sigma_q^2} - \frac12

    Parameters
    ----------
    mu_p, mu_q : array_like
        Means.
    sigma_p, sigma_q : array_like
        Standard deviations, positive. All four are broadcast.

    Returns
    -------
    ndarray or scalar
        In nats, elementwise.

    Raises
    ------
    ValueError
        A standard deviation isn't positive, a parameter is infinite or NaN, or the
        shapes don't fit.

    Notes
    -----
    The relative error is at most :math:`32u` (16 units in the last place, and two
    or three in practice), for all parameters, be they equal up to the last bit or
    300 orders of magnitude apart; equal ones give exactly 0. It is computed in
    ``float64`` and rounded once.

    Implements: eq-kl-normal

    Examples
    --------
    >>> kl_normal(0.0, [1.0, 2.0], 1.0, 1.0).round(4)
    array([0.5   , 1.3069])
    >>> f"{kl_normal(0.0, 1 + 2.0**-30, 0.0, 1.0) * 2.0**60:.13g}"
    '0.9999999996896'
    """
    arrays = read_floats(mu_p=mu_p, sigma_p=sigma_p, mu_q=mu_q, sigma_q=sigma_q)
    named = dict(zip(("mu_p", "sigma_p", "mu_q", "sigma_q"), arrays))
    try:
        blocks = np.nditer(
            (*arrays, None),
            flags=["buffered", "external_loop", "zerosize_ok"],
            op_flags=[["readonly"]] * 4 + [["writeonly", "allocate"]],
            op_dtypes=[np.float64] * 4 + [np.result_type(*arrays)],
            casting="same_kind",
            buffersize=_CHUNK,
        )
    except ValueError:
        broadcast_shape(**named)  # says which don't fit
        raise
    with blocks, np.errstate(all="ignore"):
        for *block, out in blocks:
            out[...] = _kl_normal(*block, named)
        return blocks.operands[-1][()]


def _kl_normal(mu_p, sigma_p, mu_q, sigma_q, whole):
    """Of a block of the whole arrays, in which an entry that is none has its place."""
    d = (sigma_p - sigma_q) / sigma_q
    t = np.log(sigma_p / sigma_q)
    z = (mu_p - mu_q) / sigma_q
    z *= 0.5 * z
    kl = _as_written(d, t)
    kl += z
    if not (np.minimum.reduce(sigma_p) > 0 and np.minimum.reduce(sigma_q) > 0):
        check_positive(sigma_p=whole["sigma_p"], sigma_q=whole["sigma_q"])
    if not (np.maximum.reduce(kl) < np.inf and np.minimum.reduce(t) > -700):
        if not all(map(all_finite, (mu_p, sigma_p, mu_q, sigma_q))):
            check_finite(**whole)
        # finite parameters: a quotient of scales or a difference of means may be out of range
        t = np.where(np.abs(t) < 700, t, np.log(sigma_p) - np.log(sigma_q))
        z = np.where(np.isinf(mu_p - mu_q), 2 * ((mu_p / 2 - mu_q / 2) / sigma_q) ** 2, z)
        kl = _as_written(d, t) + z
    near = (kl < _NEAR).nonzero()[0]
    if near.size == kl.size:
        return _lambert(np.log1p(d)) + z
    kl[near] = _lambert(np.log1p(d[near])) + z[near]
    return kl


def _log_ratio(sigma_p, sigma_q):
    """Logarithm of the quotient, with a small relative error even where that is 1 + u."""
    small, large = np.minimum(sigma_p, sigma_q), np.maximum(sigma_p, sigma_q)
    return np.copysign(np.log1p((large - small) / small), sigma_p - sigma_q)


def _excess(d, t):
    r"""What scales cost, :math:`h(t) = (r^2 - 1)/2 - t` with :math:`t = \log r`, :math:`d = r - 1`."""
    h = _as_written(d, t)
    near = h < _NEAR
    if near.all():
        return _lambert(t)
    h[near] = _lambert(t[near])
    return h


def _as_written(d, t):
    """The same, which cancels near zero: its error is below (1 + 6|t| + 5|h + t| + h)u, 32u of `_NEAR`."""
    h = 0.5 * d
    h += 1
    h *= d
    h -= t
    return h


def _lambert(t):
    """The fraction, cut off such that it is right to u/40 where h is less than `_NEAR`."""
    s = t * t
    few = np.maximum.reduce(s, axis=None, initial=0) < 2.0**-12
    k = s / (7 if few else 15)
    for odd in (5, 3) if few else (13, 11, 9, 7, 5, 3):
        k += odd
        np.divide(s, k, out=k)
    np.subtract(t, k, out=s)
    s *= t
    k += 1
    k -= t
    s /= k
    return s


def kl_diag_standard(mu, log_var):
    r"""Divergence of a diagonal Gaussian from the standard one.

    .. math:: \mathrm{KL}\bigl(\mathcal N(\mu, \operatorname{diag} e^{v}) \,\|\,
              \mathcal N(0, I)\bigr)
              = \frac12 \sum_k \left(e^{v_k} - 1 - v_k + \mu_k^2\right)

    Parameters
    ----------
    mu : array_like, shape (..., d)
        Means.
    log_var : array_like, shape (..., d)
        Logarithms :math:`v` of the variances. Nothing is broadcast.

    Returns
    -------
    ndarray or scalar, shape (...)
        In nats; 0 where :math:`d = 0`. In the wider of the two floating types;
        ``float16`` is computed in ``float32``.

    Raises
    ------
    ValueError
        The shapes differ, there is no axis, or a parameter is infinite or NaN.

    Notes
    -----
    The relative error is at most :math:`(32 + c)u`, with :math:`u` the roundoff of
    the type in which it is computed and :math:`c = \min(d, 26 + \log_2(d/128))` for
    the sum; here, too, a few units in the last place in practice.

    Each row is first computed as it is written, with ``expm1``. Its error is at most
    about :math:`6u \sum_k |v_k|` plus a share of the result. As
    :math:`e^v - 1 - v \ge e^{-|v|} - 1 + |v|`, which is convex in :math:`|v|`, a row
    whose terms are 1/4 or more on average has :math:`|v_k| < 0.79` or at most 3.2
    times the average of the terms, on average: so it may stay. The others, those
    near the standard normal, are computed again by the continued fraction.

    Implements: eq-kl-diag-standard

    References
    ----------
    D. P. Kingma and M. Welling, "Auto-encoding variational Bayes", ICLR (2014),
    arXiv:1312.6114, appendix B.

    Examples
    --------
    >>> kl_diag_standard([[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]).round(4)
    array([0.    , 0.8591])
    >>> f"{kl_diag_standard([0.0], [1e-9]):.13g}"
    '2.500000000833e-19'
    """
    mu, log_var = read_floats(mu=mu, log_var=log_var)
    if mu.shape != log_var.shape or mu.ndim == 0:
        raise ValueError(f"expected mu and log_var of one shape (..., d), got {mu.shape} and {log_var.shape}")
    dtype = np.result_type(mu, log_var)
    compute = np.promote_types(dtype, np.float32)
    d, lead = mu.shape[-1], mu.shape[:-1]
    rows = math.prod(lead)
    mu = mu.astype(compute, copy=False).reshape(rows, d)
    log_var = log_var.astype(compute, copy=False).reshape(rows, d)
    kl = np.empty(rows, compute)
    step = max(1, _CHUNK // max(1, d))
    with np.errstate(all="ignore"):
        for i in range(0, rows, step):
            m, v = mu[i : i + step], log_var[i : i + step]
            terms = np.expm1(v)
            terms -= v
            terms += m * m
            total = np.add.reduce(terms, axis=-1, out=kl[i : i + step])
            least, most = np.minimum.reduce(total), np.maximum.reduce(total)
            total *= 0.5
            if not (least >= _CLEAR * d and most < np.inf):
                again = ... if most < _CLEAR * d else ~((total >= _CLEAR / 2 * d) & (total < np.inf))
                m, t = m[again], 0.5 * v[again]
                total[again] = np.add.reduce(_excess(np.expm1(t), t) + 0.5 * m * m, axis=-1)
                if not all_finite(total):
                    check_finite(mu=mu.reshape(*lead, d), log_var=log_var.reshape(*lead, d))
        return kl.astype(dtype, copy=False).reshape(lead)[()]


def kl_mvn(mu_p, cov_p, mu_q, cov_q):
    r"""Divergence of one multivariate Gaussian from another.

    .. math:: \mathrm{KL}\bigl(\mathcal N(\mu_p, \Sigma_p) \,\|\,
              \mathcal N(\mu_q, \Sigma_q)\bigr)
              = \frac12 \left[\log \frac{|\Sigma_q|}{|\Sigma_p|} - d
              + \operatorname{tr}\left(\Sigma_q^{-1} \Sigma_p\right)
              + \Delta^\top \Sigma_q^{-1} \Delta\right],
              \qquad \Delta = \mu_p - \mu_q

    Parameters
    ----------
    mu_p, mu_q : array_like, shape (..., d)
        Means.
    cov_p, cov_q : array_like, shape (..., d, d)
        Covariances, symmetric and positive definite. The leading axes of all four
        are broadcast.

    Returns
    -------
    ndarray or scalar, shape (...)
        In nats; 0 where :math:`d = 0`. Computed in ``float64``.

    Raises
    ------
    ValueError
        The shapes don't fit; a parameter is infinite or NaN; a covariance isn't
        symmetric, or isn't positive definite (to working precision): the message
        says which, and which one of a batch.

    Notes
    -----
    With the Cholesky factors :math:`\Sigma = L L^\top`, and with :math:`E` and :math:`z`
    from one triangular system :math:`L_q [z, E] = [\Delta, L_p - L_q]`,

    .. math:: \mathrm{KL} = \sum_i h\left(\log \frac{(L_p)_{ii}}{(L_q)_{ii}}\right)
              + \frac12 \sum_{i > j} E_{ij}^2 + \frac12 \|z\|^2,

    where :math:`h` is that of the module: no term is negative, there is neither an
    inverse nor a determinant, and equal distributions are at distance 0 exactly.
    Where the covariances add less than 1e-3 nats, :math:`E` is refined by
    :math:`E + E^\top = L_q^{-1} (\Sigma_p - \Sigma_q) L_q^{-\top} - E E^\top`. So, for
    :math:`\kappa` the condition number of :math:`\Sigma_q` (scaled to a unit diagonal),
    the relative error is a small multiple of :math:`d \kappa u` for distributions that
    are close, and else of :math:`d (\kappa + \kappa_p) u`: that is, but for the factor
    :math:`d`, what a change of the entries in their last place does.

    *Symmetry.* Products such as :math:`A D A^\top` come out symmetric up to rounding.
    So :math:`|\Sigma_{ij} - \Sigma_{ji}| \le 4 d \epsilon \sqrt{\Sigma_{ii} \Sigma_{jj}}`
    is accepted, with the machine epsilon of the type that was passed in, and the lower
    triangle is what counts. More than that is an error.

    Implements: eq-kl-mvn

    References
    ----------
    N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM
    (2002), chapters 8 and 10.

    Examples
    --------
    >>> float(kl_mvn([0.0, 0.0], np.eye(2), [1.0, 0.0], np.eye(2)))
    0.5
    >>> kl_mvn(np.zeros(2), [[2.0, 1.0], [1.0, 2.0]], np.zeros((3, 2)), np.eye(2)).round(4)
    array([0.4507, 0.4507, 0.4507])
    """
    mu_p, cov_p, mu_q, cov_q = read_floats(mu_p=mu_p, cov_p=cov_p, mu_q=mu_q, cov_q=cov_q)
    dtype = np.result_type(mu_p, cov_p, mu_q, cov_q)
    lead, d = _fitting_shapes(mu_p, cov_p, mu_q, cov_q)
    with np.errstate(all="ignore"):
        check_finite(mu_p=mu_p, cov_p=cov_p, mu_q=mu_q, cov_q=cov_q)
        cov_p, cov_q = read_symmetric("cov_p", cov_p), read_symmetric("cov_q", cov_q)
        l_p, l_q = cholesky("cov_p", cov_p), cholesky("cov_q", cov_q)
        mu_p, mu_q = (_batch(mu, lead, d) for mu in (mu_p, mu_q))
        l_p, l_q, cov_p, cov_q = (_batch(a, lead, d, d) for a in (l_p, l_q, cov_p, cov_q))
        x = np.empty((len(l_q), d, d + 1))
        z, e = x[:, :, 0], x[:, :, 1:]
        np.subtract(mu_p, mu_q, out=z, dtype=np.float64)
        np.subtract(l_p, l_q, out=e)
        solve_lower(l_q, x, lower=True)
        kl = _cost(e, _log_ratio(diagonals(l_p), diagonals(l_q)))
        close = np.flatnonzero(kl < _CLOSE)
        if close.size:
            e = _refined(e[close], l_q[close], cov_p[close] - cov_q[close])
            refined = _cost(e, np.log1p(diagonals(e)))
            kl[close] = np.where(refined < 2 * _CLOSE, refined, kl[close])  # unless all but singular
        kl += 0.5 * _squares(z)
        kl[np.isnan(kl)] = np.inf  # the parameters are finite, so something overflowed on the way
        return kl.astype(dtype).reshape(lead)[()]


def _cost(e, t):
    """What the covariances cost, of E and the logarithms of the ratios of the diagonals."""
    diagonal = diagonals(e)
    kept = diagonal.copy()
    diagonal[...] = 0
    costs = _excess(kept, t).sum(axis=-1) + 0.5 * _squares(e)
    diagonal[...] = kept
    return costs


def _refined(e, l_q, difference):
    r"""E again, for covariances that are close.

    With :math:`W = L_q^{-1} (\Sigma_p - \Sigma_q) L_q^{-\top}`, which loses nothing to
    the factors of :math:`\Sigma_p`, :math:`E + E^\top = W - E E^\top`. On the right, an
    error of E counts only as much as E is large.
    """
    equal = ~difference.any(axis=(-2, -1))
    if are_solved_together(l_q):
        x = np.zeros((*e.shape[:2], e.shape[2] + 1))
        x[:, :, 1:] = _lower_half(difference)
        solve_lower(l_q, x, lower=True)
        w = np.ascontiguousarray(np.swapaxes(x[:, :, 1:], -1, -2))
        solve_lower(l_q, w)
        w = w + np.swapaxes(w, -1, -2)
        w -= e @ np.swapaxes(e, -1, -2)
    else:
        w = difference  # in place: what is lower in the order of C is upper in that of Fortran
        for i, l in enumerate(l_q):
            upper, _ = lapack.dsygst(w[i].T, l.T, lower=0, overwrite_a=1)
            w[i] = blas.dsyrk(-1.0, e[i].T, 1.0, upper, trans=1, lower=0, overwrite_c=1).T
    e = _lower_half(w)
    e[equal] = 0  # even where the factors were rounded in two ways
    return e


def _lower_half(symmetric):
    """The triangular matrix which, added to its transpose, is a symmetric one."""
    lower = np.tril(symmetric)
    diagonal = diagonals(lower)
    diagonal *= 0.5
    return lower


def _fitting_shapes(mu_p, cov_p, mu_q, cov_q):
    """Shape of the batch, and the dimension."""
    shapes = mu_p.shape, cov_p.shape, mu_q.shape, cov_q.shape
    d = mu_p.shape[-1] if mu_p.ndim else -1
    if any(m[-1:] != (d,) for m in shapes[::2]) or any(c[-2:] != (d, d) for c in shapes[1::2]):
        raise ValueError("expected means of shape (..., d) and covariances of shape (..., d, d), "
                         "got mu_p {}, cov_p {}, mu_q {}, cov_q {}".format(*shapes))
    try:
        return np.broadcast_shapes(*(m[:-1] for m in shapes[::2]), *(c[:-2] for c in shapes[1::2])), d
    except ValueError:
        raise ValueError("expected leading axes that fit, got mu_p {}, cov_p {}, mu_q {}, cov_q {}"
                         .format(*shapes)) from None


def _squares(a):
    return np.einsum("ni,ni->n" if a.ndim == 2 else "nij,nij->n", a, a)


def _batch(a, lead, *tail):
    """With the leading axes broadcast and joined to one."""
    shape = (*lead, *tail)
    return (a if a.shape == shape else np.broadcast_to(a, shape)).reshape(math.prod(lead), *tail)
