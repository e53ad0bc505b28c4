r"""Noise of any law: who has the largest perturbed logit.

With independent noise of densities :math:`f_i` and distribution functions :math:`F_i`, item k wins
with the probability

.. math:: \int f_k(z - x_k) \prod_{i \ne k} F_i(z - x_i) \, dz.

For Gumbel noise it is the softmax of the logits; with three items or more, it is for no other law.
"""

import numpy as np
from scipy import integrate, special, stats

from ..arguments import as_real, check_entries
from ..arrays import refuse_no_support

__all__ = ["perturbed_argmax_probabilities"]

_QUAD_ERROR = 1e-10  # largest estimated error of a probability found by quadrature
_CUTS = 0.0, 0.5, 1.0  # quantiles of every rival at which the integral is split


def perturbed_argmax_probabilities(logits, noise):
    r"""Who wins when independent noise of any law is added to the logits.

    .. math:: \Pr\bigl(\operatorname*{arg\,max}_i\,(x_i + Z_i) = k\bigr)
              = \int f_k(z - x_k) \prod_{i \ne k} F_i(z - x_i) \, dz

    Parameters
    ----------
    logits : array_like, shape (K,)
        Real logits; ``-inf`` masks an item.
    noise : frozen distribution, or a sequence of K of them
        The law of :math:`Z_i`, with the density :math:`f_i` and the distribution
        function :math:`F_i`: a continuous distribution of `scipy.stats` with its
        parameters, such as ``scipy.stats.norm(scale=2)``.

    Returns
    -------
    ndarray, shape (K,)
        Probabilities in the floating type of `logits`.

    Raises
    ------
    TypeError
        A noise isn't a frozen continuous distribution.
    ValueError
        `logits` isn't one vector of at least one number, none of them NaN or ``inf``
        and not all of them ``-inf``; there is not one noise for each; the parameters
        of a noise are none, or arrays.
    ArithmeticError
        The estimated error of a probability, or that of their sum, isn't below
        1e-10 per item.

    Notes
    -----
    Quadrature (`scipy.integrate.quad_vec`) after the substitutions
    :math:`v = F_k(z - x_k)`, so that a bounded, monotone function of
    :math:`v \in (0, 1)` remains, and :math:`v = 1/(1 + e^{-r})`, which resolves both
    ends. It is split at the median of every rival and where its support ends, for
    there the integrand may have a kink or be steep. The absolute error is usually below
    1e-12; a probability below that has no digits. Made for a handful of items: the time
    grows like :math:`K^3`.

    Implements: eq-win-integral

    Examples
    --------
    >>> perturbed_argmax_probabilities(np.log([1, 2, 7]), stats.gumbel_r()).round(6)
    array([0.1, 0.2, 0.7])
    >>> perturbed_argmax_probabilities(np.log([1, 2, 7]), stats.norm()).round(6)
    array([0.057726, 0.171244, 0.771029])
    """
    x, dtype = as_real(logits, "logits")
    if x.ndim != 1 or x.size == 0:
        raise ValueError(f"expected logits of shape (K,) with K > 0, got {x.shape}")
    check_entries("logits", x, x < np.inf, "below inf")
    if (x == -np.inf).all():
        refuse_no_support(x[None], ())
    x = x.astype(np.float64)
    laws = list(noise) if isinstance(noise, (list, tuple)) else [noise] * x.size
    if len(laws) != x.size:
        raise ValueError(f"expected one noise for each of {x.size} logits, got {len(laws)}")
    for law in {id(law): law for law in laws}.values():
        _check_law(law)
    in_play = np.flatnonzero(x > -np.inf)
    p, error = np.zeros(x.size), 0.0
    if in_play.size == 1:
        p[in_play] = 1
    else:
        p[in_play], error = _win_probabilities(x[in_play], [laws[k] for k in in_play])
    error = max(error, abs(p.sum() - 1) / in_play.size)
    if not error <= _QUAD_ERROR:
        raise ArithmeticError(f"quadrature: estimated error {error:.2g} above {_QUAD_ERROR:g}")
    return p.astype(dtype, copy=False)


# --- Quadrature ---------------------------------------------------------------


def _win_probabilities(x, laws):
    """Probability of each item to win, and an estimate of the largest error."""
    gaps = x[:, None] - x
    groups = {}  # items of one law, for one call of its functions
    for i, law in enumerate(laws):
        groups.setdefault(id(law), (law, []))[1].append(i)
    groups = groups.values()

    def integrand(r):
        z, beaten = np.empty(len(x)), np.empty_like(gaps)
        for law, items in groups:
            z[items] = law.ppf(special.expit(r)) if r < 0 else law.isf(special.expit(-r))
        for law, items in groups:
            beaten[:, items] = law.cdf(z[:, None] + gaps[:, items])
        np.fill_diagonal(beaten, 1)
        return beaten.prod(axis=1) * special.expit(r) * special.expit(-r)

    reach = 40.0  # what is left out on either side has probability e^-40
    cuts = [0.0]
    with np.errstate(all="ignore"):
        for law, items in groups:
            for rival, others in groups:
                z = np.subtract.outer(rival.ppf(_CUTS), gaps[np.ix_(items, others)])
                cuts.extend((np.log(law.cdf(z)) - np.log(law.sf(z))).ravel())
        cuts = np.unique([r for r in cuts if abs(r) < reach])
        return integrate.quad_vec(
            integrand, -reach, reach, points=cuts, epsabs=1e-12, epsrel=0, norm="max"
        )


def _check_law(law):
    if not isinstance(getattr(law, "dist", None), stats.rv_continuous):
        raise TypeError(f"expected frozen continuous distributions of scipy.stats, got {law!r}")
    median = law.ppf(0.5)
    if np.ndim(median) or not np.isfinite(median):
        raise ValueError("expected a noise with valid parameters, each of them one number, "
                         f"got one whose median is {median}")
