"""softmaxnotes.experiments.tools.floating_point by enumeration, and what float32 does to rare categories.

One head with the logit g, 2^18 tails with the logit 0. A tail wins with the probability
2^18 / (2^18 + e^g). A uniform number of float32 is one of 2^24, all equally likely, so the law
of -log(-log U) is finite and its win probability a sum: no draw is needed to refute it. An
exponential of float32 is refuted by draws where a tail cannot win, at g = 40.
"""

import functools
import itertools
import math

import numpy as np
import pytest
import torch
from scipy import stats

from proofread.errors import Refuted
from proofread.evidence.statistics import has_mean
from softmaxnotes.experiments.tools.floating_point import double_log_noise, grid_counts, some_tail_wins
from softmaxnotes.gumbel import gumbel, gumbel_icdf, sample_categorical

# --- The values of the noise ----------------------------------------------------------------


@pytest.mark.parametrize("bits", [1, 8, 11, 16])
def test_noise_is_the_quantile_of_the_grid(bits):
    grid = np.arange(2**bits) / 2**bits
    noise = double_log_noise(bits, dtype=np.float64)
    assert noise[0] == -np.inf
    np.testing.assert_allclose(noise, gumbel_icdf(grid), rtol=1e-12, atol=1e-12)
    single = double_log_noise(bits)
    assert single.dtype == np.float32 and (single[1:] >= single[:-1]).all()
    # one rounding of the inner logarithm, divided by it, and those of the outer one
    np.testing.assert_allclose(single[1:], noise[1:], rtol=1e-6, atol=1e-6)


def test_noise_of_the_float16_grid_is_exact_in_float16():
    assert double_log_noise(11, dtype=np.float16).dtype == np.float16


# --- Head and tails ---------------------------------------------------------------------------


@pytest.mark.parametrize("tails", [1, 2, 3])
@pytest.mark.parametrize("lead", [-1.0, 0.0, 0.5, 1.25, 3.0])
def test_some_tail_wins_by_enumeration(lead, tails):
    noise = np.array([-1.0, 0.0, 0.25, 0.25, 1.5])
    draws = itertools.product(noise, repeat=tails + 1)
    wins = sum(max(rest) > lead + head for head, *rest in draws)
    got = some_tail_wins(lead, tails, noise)
    assert got == pytest.approx(wins / noise.size ** (tails + 1), abs=1e-15, rel=1e-14)


def test_a_fine_grid_gives_the_softmax_to_one_step_of_the_grid():
    """The Riemann sum of a monotone integrand with the range 1, for either class of a pair."""
    noise = double_log_noise(20, dtype=np.float64)
    for lead in (-2.0, 0.0, 3.0):
        assert abs(some_tail_wins(lead, 1, noise) - 1 / (1 + math.exp(lead))) < 2 * 2.0**-20


def test_a_lead_is_rounded_to_the_type_of_the_noise():
    noise = np.array([0.0, 1.0], np.float32)
    assert some_tail_wins(1 - 1e-12, 1, noise) == 0
    assert some_tail_wins(1 - 1e-12, 1, noise.astype(float)) == 0.25


# --- The inverse of the distribution function ---------------------------------------------------


@pytest.mark.parametrize("bits", [1, 3, 10])
@pytest.mark.parametrize("p", [[1.0], [0.5, 0.5], [0.3, 0.01, 0.69], [0.0, 1.0, 0.0], [2.0, 3.0, 0.0, 5.0]])
def test_grid_counts_by_enumeration(p, bits):
    cumulative = np.cumsum(p) / np.sum(p)
    drawn = np.searchsorted(cumulative, np.arange(2**bits) / 2**bits, side="right")
    np.testing.assert_array_equal(grid_counts(p, bits), np.bincount(drawn, minlength=len(p)))
    assert grid_counts(p, bits).sum() == 2**bits


# --- Rare categories ------------------------------------------------------------------------------

TAILS = 2**18


def tail_probability(gap):
    return TAILS / (TAILS + math.exp(gap))


@pytest.mark.parametrize("log", [np.log, lambda a: torch.log(torch.from_numpy(a)).numpy()],
                         ids=["numpy", "torch"])
@pytest.mark.parametrize("gap, most", [(17, 0.5), (18, 0.1)])
def test_double_logarithm_of_float32_loses_rare_categories(gap, most, log):
    assert 0 < some_tail_wins(gap, TAILS, double_log_noise(log=log)) < most * tail_probability(gap)


def test_uniform_numbers_of_float32_are_multiples_of_2_to_the_minus_24():
    for u in (np.random.default_rng(0).random(10**5, np.float32), torch.rand(10**5).numpy()):
        grid = u.astype(float) * 2**24
        assert (grid == np.rint(grid)).all() and grid.max() < 2**24


@pytest.mark.parametrize("gap", [17, 18])
def test_inverse_cdf_draws_rare_categories_as_often_as_they_are(gap):
    """Exact binomial test: false alarm 1e-9, and power 1 - 1e-6 against the recipe above."""
    n, p = {17: 40_000, 18: 20_000}[gap], tail_probability(gap)
    least, most = stats.binom.ppf(0.5e-9, n, p), stats.binom.isf(0.5e-9, n, p)
    assert stats.binom.sf(least - 1, n, some_tail_wins(gap, TAILS, double_log_noise())) < 1e-6
    logits = np.zeros(TAILS + 1)
    logits[0] = gap
    assert least <= np.count_nonzero(sample_categorical(logits, n, rng=1)) <= most


def impossible_wins(draw):
    """Tails drawn at g = 40, in 450 draws: more than none has probability 450 * 2^18 * e^-40 < 1e-9.

    An exponential that is 0 once in 2^23 lets one through with probability 1 - 1e-6.
    """
    assert 450 * tail_probability(40) < 1e-9 and (1 - 2.0**-23) ** (450 * TAILS) < 1e-6
    logits = np.zeros(TAILS + 1)
    logits[0] = 40
    return np.count_nonzero(draw(logits, 450))


def test_race_does_not_draw_what_is_impossible():
    assert impossible_wins(functools.partial(sample_categorical, method="gumbel_max", rng=1)) == 0


def test_race_of_float32_exponentials_draws_what_is_impossible():
    def race(logits, n):
        rng, w = np.random.default_rng(1), np.exp(logits - logits.max()).astype(np.float32)
        return np.array([np.argmin(rng.standard_exponential(w.size, np.float32) / w) for _ in range(n)])

    assert impossible_wins(race) > 0


def place_between_float32_neighbours(noise):
    """For the noise beyond 13 log 2: where 2^24 e^-G lies between integers.

    Uniform in [0, 1) up to 2^-11. The double logarithm of float32 has -log U = j 2^-24 + ..., with
    j < 2^11 and a rest below 2^-3 of a step: those places are within 1/8 + 2^-11 of an integer.
    """
    step = 2.0**24 * np.exp(-noise.astype(float)[noise > 13 * math.log(2)])
    return np.abs(step - np.rint(step)) * 2


def test_noise_fills_the_gaps_that_float32_leaves():
    """Mean of the distance to the grid: 1/2, against at most 1/4 + 2^-10 for float32 (and its rounding)."""

    def of(noise):
        def draw(n, rng):
            parts = (place_between_float32_neighbours(noise(10**6, rng)) for _ in itertools.count())
            found = np.empty(0)
            while found.size < n:
                found = np.append(found, next(parts))
            return found[:n]

        return draw

    check = functools.partial(has_mean, expected=0.5, bounds=(0, 1), effect=0.2, title="tail of the noise")
    check(of(lambda n, rng: gumbel(n, rng=rng)))
    with pytest.raises(Refuted), np.errstate(divide="ignore"):  # U = 0
        check(of(lambda n, rng: -np.log(-np.log(rng.random(n, np.float32)))))
