r"""Sampling in floating point: what a recipe draws, exactly, when its uniform numbers lie on a grid.

A generator of :math:`b` bits makes the multiples :math:`j\,\varepsilon` of
:math:`\varepsilon = 2^{-b}`, :math:`0 \le j < 2^b`, all equally likely: 24 bits in ``float32``, in
NumPy, and in torch on a CPU. So what a recipe makes of them has a finite law, and sums over the grid
take the place of draws. (Just below 1 the numbers of ``float16`` and ``bfloat16`` are as far
apart as those of 11 and 8 bits.)
"""

import numpy as np

from softmaxnotes.arguments import as_real, check_entries, read_count, read_number

__all__ = ["double_log_noise", "grid_counts", "some_tail_wins"]


def double_log_noise(n_bits=24, *, log=np.log, dtype=np.float32):
    r"""All values of the noise :math:`-\log(-\log U)`, for :math:`U` on a grid.

    .. math:: G_j = -\log(-\log(j\,2^{-b})), \qquad j = 0, \dots, 2^b - 1

    Parameters
    ----------
    n_bits : int
        :math:`b`, from 1 to 26; the result has :math:`2^b` entries.
    log : callable
        The logarithm that is used, of arrays.
    dtype : dtype
        Of the uniform numbers, and of all that is computed from them.

    Returns
    -------
    ndarray, shape (2**n_bits,)
        From the smallest to the largest; the first is ``-inf``, from :math:`U = 0`.

    Raises
    ------
    ValueError
        `n_bits` is out of range, or the uniform numbers are not exact in `dtype`.

    Notes
    -----
    The smallest finite value is :math:`-\log(b \log 2)`, the largest nearly
    :math:`b \log 2`; a true Gumbel number is larger with probability :math:`2^{-b}`.

    Implements: eq-gumbel-uniform

    Examples
    --------
    >>> double_log_noise(2).round(3)
    array([  -inf, -0.327,  0.367,  1.246], dtype=float32)
    """
    n_bits = _read_bits(n_bits, 26)
    grid = np.arange(2**n_bits) * 2.0**-n_bits
    u = grid.astype(dtype)
    if (u != grid).any():
        raise ValueError(f"expected a type that holds the multiples of 2**-{n_bits} below 1, "
                         f"got {np.dtype(dtype)}")
    with np.errstate(divide="ignore"):
        noise = np.asarray(-log(-log(u)), dtype)
    return np.sort(noise, kind="stable")  # a logarithm need not be monotone to the last digit


def some_tail_wins(lead, n_tails, noise):
    r"""How often some tail beats the head, for noise that takes each of its values equally often.

    .. math:: \Pr\Bigl(\max_{i \le n} G_i > a + G_0\Bigr)
              = \frac1m \sum_{j=1}^m \Bigl[1 - \Bigl(\tfrac1m
                \#\{l : g_l \le a + g_j\}\Bigr)^n\Bigr]

    Parameters
    ----------
    lead : float
        :math:`a`, the logit of the head; those of the tails are 0. It is rounded to the type of the
        noise, and so is its sum with the noise.
    n_tails : int
        :math:`n`.
    noise : array_like, shape (m,)
        The values :math:`g_1 \le \dots \le g_m`.

    Returns
    -------
    float
        The probability, when a tie goes to the head.

    Raises
    ------
    ValueError
        `noise` isn't one vector in ascending order; `lead` isn't one finite number; `n_tails` isn't positive.

    Notes
    -----
    With exact noise it is :math:`n / (n + e^a)`.

    Implements: eq-gumbel-uniform

    Examples
    --------
    >>> some_tail_wins(0.0, 1, [0.0, 1.0])
    0.25
    >>> round(some_tail_wins(2.0, 1, double_log_noise(16)), 4), round(1 / (1 + np.e**2), 4)
    (0.1192, 0.1192)
    """
    noise, n_tails = as_real(noise, "noise")[0], read_count("n_tails", n_tails)
    if noise.ndim != 1 or noise.size == 0:
        raise ValueError(f"expected noise of shape (m,) with m > 0, got {noise.shape}")
    rises = np.append(noise[0] == noise[0], noise[1:] >= noise[:-1])
    check_entries("noise", noise, rises, "in ascending order")
    lead = read_number("lead", lead)
    head = noise.dtype.type(lead) + noise
    head = head[head < noise[-1]]  # the other heads are above every tail
    below = np.searchsorted(noise, head, side="right") / noise.size
    with np.errstate(divide="ignore"):
        return float(np.sum(-np.expm1(n_tails * np.log(below))) / noise.size)


def grid_counts(probabilities, n_bits=24):
    r"""How many numbers of a grid the inverse distribution function takes to each class.

    .. math:: m_k = \lceil 2^b c_k \rceil - \lceil 2^b c_{k-1} \rceil, \qquad
              c_k = \sum_{i \le k} p_i

    Parameters
    ----------
    probabilities : array_like, shape (K,)
        Not negative; they are divided by their sum.
    n_bits : int
        :math:`b`, from 1 to 52: the uniform number is a multiple of :math:`2^{-b}`.

    Returns
    -------
    ndarray of int, shape (K,)
        Out of :math:`2^b`. A class with 0 is never drawn.

    Raises
    ------
    ValueError
        `probabilities` isn't one vector of at least one number, is negative somewhere, or isn't finite with
        a positive sum; `n_bits` is out of range.

    Notes
    -----
    The cumulative sums are those of ``float64``; class k is drawn if
    :math:`c_{k-1} \le U < c_k`.

    Implements: eq-grid-counts

    Examples
    --------
    >>> grid_counts([0.3, 0.01, 0.69], n_bits=3)
    array([3, 0, 5])
    """
    p = as_real(probabilities, "probabilities")[0].astype(np.float64)
    if p.ndim != 1 or p.size == 0:
        raise ValueError(f"expected probabilities of shape (K,) with K > 0, got {p.shape}")
    check_entries("probabilities", p, p >= 0, "that are not negative")
    if not 0 < p.sum() < np.inf:
        raise ValueError(f"expected probabilities with a positive, finite sum, got {p.sum()}")
    cumulative = np.cumsum(p)
    steps = np.ceil(cumulative / cumulative[-1] * 2.0 ** _read_bits(n_bits, 52)).astype(np.int64)
    return np.diff(steps, prepend=0)


def _read_bits(n_bits, most):
    n_bits = read_count("n_bits", n_bits)
    if n_bits > most:
        raise ValueError(f"expected n_bits to be at most {most}, got {n_bits}")
    return n_bits
