r"""Statements that only sampling can test, with both error rates stated.

Every check has a false-alarm probability of at most `FALSE_ALARM`, and detects the effect that it names with
probability at least 1 − `MISSED`; the sample size follows from the two.  The bounds used hold for every
sample size (Hoeffding 1963; Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990; exact
binomial tails), so no tolerance is found by trial and no limit theorem is waited for.
"""

import math
import time

import numpy as np
import scipy  # its submodules load when they are used

from proofread.claims.base import equation
from proofread.errors import Refuted
from proofread.numeric.arrays import generator

from .routes import Route, is_value

FALSE_ALARM = 1e-9
MISSED = 1e-6


def _plan(scale, effect, tests=1):
    r"""Sample size and threshold for a two-sided tail :math:`2\exp(-2nt^2/s^2)`, shared by several tests.

    The threshold :math:`t` meets the false-alarm rate, and :math:`e - t` the rate of missed effects.
    """
    if not 0 < effect <= scale:
        raise ValueError(f"effect must lie in (0, {scale}]; got {effect}")
    alarm, missed = math.sqrt(math.log(2 * tests / FALSE_ALARM)), math.sqrt(math.log(2 / MISSED))
    n = math.ceil((scale * (alarm + missed) / effect) ** 2 / 2)
    return n, scale * alarm / math.sqrt(2 * n)


def _power(rate):
    """A power of ten as it is written: 10⁻⁹."""
    return "10" + f"{math.log10(rate):.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _route(of, known, title, n, effect, margin, began, rows):
    details = (f"a departure of {effect:g} would be seen with probability 1\u00a0−\u00a0{_power(MISSED)}, "
               f"a false alarm has probability {_power(FALSE_ALARM)}; "
               f"the largest departure seen is {margin:.2g}")
    return Route("statistical", of, title, f"{title}, in {n:,} draws", details, known=known, rows=rows,
                 seconds=time.process_time() - began)


def mean_agrees(draw, expected, *, bounds, effect, of, at, title, through=None, seed=0, rows=()):
    r"""Assert the mean of a bounded random variable (Hoeffding's inequality).

    Parameters
    ----------
    draw : callable
        ``draw(n, rng)`` gives ``n`` independent draws, shape ``(n,)``.
    expected : float
    bounds : (float, float)
        Between which every draw lies; a draw outside refutes.
    effect : float
        The departure of the mean that must not be missed.
    of : checked object or str
        The equation that gains the evidence, or its label if it was displayed before.
    at : dict
        What the symbols of the equation are: ``expected`` must be the value of one of its sides there (after
        ``through``, if that is given).
    title : str
        What was checked.

    Examples
    --------
    >>> from proofread import Derivation, sympy as sp
    >>> a, x = sp.Symbol("a", positive=True), sp.Symbol("x", real=True)
    >>> half = sp.Integral(x / a, (x, 0, a))
    >>> mean = Derivation(half, label="eq-u", title="mean").step(a / 2, "antiderivative")
    >>> mean_agrees(lambda n, rng: 3 * rng.random(n), 1.5, bounds=(0, 3), effect=0.02, of=mean, at={a: 3},
    ...             title="mean of a uniform").entry().status
    'measured'
    """
    began, shown = time.process_time(), equation(of)
    known = is_value(expected, shown, at, through=through)
    n, margin = has_mean(draw, expected, bounds=bounds, effect=effect, title=title, seed=seed)
    return _route(shown.label, known, title, n, effect, margin, began, rows)


def has_mean(draw, expected, *, bounds, effect, title, seed=0):
    """Assert a mean as `mean_agrees` does, as evidence for no equation; returns as `has_frequencies` does."""
    low, high = bounds
    n, threshold = _plan(high - low, effect)
    sample = np.asarray(draw(n, generator(seed)), float)
    if sample.shape != (n,):
        raise ValueError(f"draw({n}, rng) must return shape ({n},); got {sample.shape}")
    if not (np.all(sample >= low) and np.all(sample <= high)):
        raise Refuted(f"{title}: a draw lies outside [{low}, {high}]")
    departure = abs(float(sample.mean()) - expected)
    if not departure <= threshold:
        raise Refuted(f"{title}: the mean of {n:,} draws is {sample.mean():.6g}, not {expected:.6g}")
    return n, departure


def frequencies_agree(draw, probabilities, *, effect, of, at, index, title, seed=0, rows=()):
    """Assert the law of a categorical variable: an exact binomial test for each category.

    Parameters
    ----------
    draw : callable
        ``draw(n, rng)`` gives ``n`` independent categories as integers from 0, shape ``(n,)``.
    probabilities : array_like
        Must sum to one.  A draw of a category of probability 0 refutes.
    effect : float
        The departure of a single probability that must not be missed.
    of, at, title
        As in `mean_agrees`; the probability of category 0, 1, … is a side of the equation at ``index`` 1, 2,
        ….

    Examples
    --------
    >>> from proofread import Definition, sympy as sp
    >>> w, (i, k, n) = sp.IndexedBase("w", positive=True), sp.symbols("i k n", integer=True, positive=True)
    >>> p = Definition("p_{#1}", (k,), w[k] / sp.Sum(w[i], (i, 1, n)), label="eq-coin", title="probability")
    >>> frequencies_agree(lambda n, rng: rng.integers(4, size=n) // 3, [0.75, 0.25], effect=0.02, of=p,
    ...                   at={w: [3, 1]}, index=k, title="a loaded coin").entry().kind
    'statistical'
    """
    began, shown = time.process_time(), equation(of)
    p = _distribution(probabilities)
    known = is_value(p, shown, at, index=index)
    n, margin = has_frequencies(draw, p, effect=effect, title=title, seed=seed)
    return _route(shown.label, known, title, n, effect, margin, began, rows)


def has_frequencies(draw, probabilities, *, effect, title, seed=0):
    """Assert the law of a categorical variable, as evidence for no equation: for tests of samplers.

    Parameters
    ----------
    draw, probabilities, effect, title
        As in `frequencies_agree`.

    Returns
    -------
    n : int
        The number of draws.
    margin : float
        The largest departure seen.

    Examples
    --------
    >>> n, margin = has_frequencies(lambda n, rng: rng.integers(2, size=n), [0.5, 0.5], effect=0.1,
    ...                             title="a coin")
    >>> n, margin < 0.1
    (3622, True)
    """
    p = _distribution(probabilities)
    # an exact binomial tail is never larger than Hoeffding's, so the exact test has at least this power
    n, _ = _plan(1.0, effect, tests=p.size)
    sample = np.asarray(draw(n, generator(seed)))
    if sample.shape != (n,) or sample.dtype.kind not in "iu" or np.any((sample < 0) | (sample >= p.size)):
        raise ValueError(f"draw({n}, rng) must return {n} integers in [0, {p.size})")
    counts = np.bincount(sample, minlength=p.size)
    tails = 2 * np.minimum(scipy.stats.binom.cdf(counts, n, p), scipy.stats.binom.sf(counts - 1, n, p))
    worst = int(np.argmin(tails))
    if tails[worst] < FALSE_ALARM / p.size:
        raise Refuted(f"{title}: category {worst} came {counts[worst]:,} times in {n:,}; its probability is "
                      f"{p[worst]:.6g}, and so rare a count has probability {tails[worst]:.2g}")
    return n, float(np.max(np.abs(counts / n - p)))


def _distribution(probabilities):
    p = np.asarray(probabilities, float)
    if p.ndim != 1 or not (np.all(p >= 0) and abs(p.sum() - 1) <= 1e-12 * p.size):
        raise ValueError(f"probabilities must be non-negative and sum to one; they sum to {p.sum()!r}")
    return p


def cdf_agrees(draw, cdf, *, effect, of, at, variable, title, seed=0, rows=()):
    """Assert the law of a real variable by its distribution function (the DKW inequality).

    Parameters
    ----------
    draw : callable
        ``draw(n, rng)`` gives ``n`` independent draws, shape ``(n,)``.
    cdf : callable
        The claimed distribution function, vectorised.
    effect : float
        The largest vertical distance between distribution functions that must not be missed.
    of, at, title
        As in `mean_agrees`; the distribution function is a side of the equation, as a function of
        ``variable``.

    Examples
    --------
    >>> from scipy import stats
    >>> from proofread import Definition, sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> F = Definition("F", (x,), 1 / (1 + sp.exp(-x)), label="eq-logistic", title="logistic law")
    >>> cdf_agrees(lambda n, rng: rng.logistic(size=n), stats.logistic.cdf, effect=0.02, of=F, at={},
    ...            variable=x, title="a logistic variable").entry().kind
    'statistical'
    """
    began, shown = time.process_time(), equation(of)
    known = is_value(cdf, shown, at, variable=variable)
    n, margin = has_cdf(draw, cdf, effect=effect, title=title, seed=seed)
    return _route(shown.label, known, title, n, effect, margin, began, rows)


def has_cdf(draw, cdf, *, effect, title, seed=0):
    """Assert a distribution function, as evidence for no equation; returns what `has_frequencies` does."""
    n, threshold = _plan(1.0, effect)
    sample = np.asarray(draw(n, generator(seed)), float)
    if sample.shape != (n,) or np.isnan(sample).any():
        raise ValueError(f"draw({n}, rng) must return {n} numbers, none of them NaN; "
                         f"got shape {sample.shape}")
    distance = float(scipy.stats.ks_1samp(sample, cdf, method="asymp").statistic)
    if not distance <= threshold:
        raise Refuted(
            f"{title}: the empirical distribution function of {n:,} draws departs by {distance:.3g}")
    return n, distance
