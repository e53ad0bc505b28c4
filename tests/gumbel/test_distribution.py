"""softmaxnotes.gumbel.distribution against mpmath and exact laws.

The bounds for the three special functions, to first order in the unit roundoff u: NumPy
documents at most 3 or so units in the last place for exp, log and log1p, so each adds at
most F u to the relative error of its result, F = 6.

* log density: -z - e^-z has the absolute error (F e^-z + |result|) u.
* distribution function: exp(-t), t = e^-z, has the relative error (F t + F) u.
* quantile: near 1/e, d = u - 1/e has the relative error 2u (a subtraction that is exact, one
  that isn't), and the division 1u more; log1p(e d) and log1p(delta) then have condition numbers
  below 2 on (0.2, 0.6), so F + 2 (F + 2 * 3) in all; elsewhere -log u has the relative error F u,
  which is the absolute error F u of the outer logarithm, so (F + F / |g|) u, and |g| > 0.45 there.
"""

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from proofread.evidence.statistics import has_cdf
from softmaxnotes.gumbel import gumbel, gumbel_cdf, gumbel_icdf, gumbel_log_prob

F, U = 6, 2.0**-53
INF, NAN = np.inf, np.nan
ALMOST_ONE = 1 - 2.0**-53
DISTRIBUTION = (gumbel_log_prob, gumbel_cdf, gumbel_icdf)


# --- Density, distribution function, quantile -----------------------------------


def exactly(function, z):
    with mp.workdps(60):
        z = mp.mpf(float(z))
        if function is gumbel_log_prob:
            return -z - mp.exp(-z)
        return mp.exp(-mp.exp(-z)) if function is gumbel_cdf else -mp.log(-mp.log(z))


def bound(function, z, exact):
    with mp.workdps(60):
        if function is gumbel_log_prob:
            return F * mp.exp(-mp.mpf(float(z))) + abs(exact) + abs(mp.mpf(float(z)))
        if function is gumbel_cdf:
            return (F + F * mp.exp(-mp.mpf(float(z)))) * exact
        return (F + 2 * (F + 6) if 0.2 < z < 0.6 else F + F / abs(exact)) * abs(exact)


REALS = [-6.6, -6.0, -3.0, -1.0, -0.5671432904097838, -1e-9, 0.0, 1e-300, 0.5, 1.0, 20.0, 37.0, 700.0,
         800.0, 1e300]
SHARES = [5e-324, 1e-300, 1e-16, 0.1, 0.2, np.nextafter(0.2, 1), 0.36, np.exp(-1),
          np.nextafter(np.exp(-1), 0), np.nextafter(np.exp(-1), 1), 0.3679, 0.5, np.nextafter(0.6, 0), 0.6,
          0.9, 1 - 1e-9, ALMOST_ONE]


@pytest.mark.parametrize("function", DISTRIBUTION)
def test_special_functions_stay_within_the_bound(function):
    rng = np.random.default_rng(1)
    if function is gumbel_icdf:
        z = np.concatenate([SHARES, rng.random(400), np.exp(-1) * (1 + 10.0 ** rng.uniform(-16, -1, 200))])
    else:
        z = np.concatenate([REALS, rng.uniform(-6, 40, 400)])
    for point, got in zip(z, function(z)):
        exact = exactly(function, point)
        allowed = 1.01 * U * bound(function, point, exact) + 5e-324
        assert abs(mp.mpf(float(got)) - exact) <= allowed, (point, got)


def test_quantile_keeps_its_digits_at_the_zero_where_the_formula_does_not():
    u = np.nextafter(np.exp(-1), 1)
    exact = float(exactly(gumbel_icdf, u))
    assert gumbel_icdf(u) == pytest.approx(exact, rel=18 * U, abs=0)
    assert abs(-np.log(-np.log(u)) / exact - 1) > 0.01


def test_limits():
    assert gumbel_log_prob([-INF, -1e4, INF]).tolist() == [-INF, -INF, -INF]
    assert gumbel_cdf([-INF, -1e4, 1e4, INF]).tolist() == [0, 0, 1, 1]
    assert gumbel_icdf([0, 1]).tolist() == [-INF, INF]
    for function in DISTRIBUTION:
        assert np.isnan(function([0.5, NAN])).tolist() == [False, True]
        assert function([]).shape == (0,)


def test_location_and_scale_broadcast():
    x, loc, scale = np.linspace(-3, 9, 7), np.array([[1.0], [-2.0]]), np.array([[[0.5]], [[2.0]]])
    law = stats.gumbel_r(loc, scale)
    assert gumbel_cdf(x, loc=loc, scale=scale).shape == (2, 2, 7)
    # SciPy's own error, and one rounding of z that the condition number magnifies
    np.testing.assert_allclose(gumbel_cdf(x, loc=loc, scale=scale), law.cdf(x), rtol=1e-10)
    np.testing.assert_allclose(gumbel_log_prob(x, loc=loc, scale=scale), law.logpdf(x), rtol=1e-12)
    u = np.linspace(0.01, 0.99, 7)
    np.testing.assert_allclose(gumbel_icdf(u, loc=loc, scale=scale), law.ppf(u), rtol=1e-12)
    back = gumbel_cdf(gumbel_icdf(u, loc=3.0, scale=0.1), loc=3.0, scale=0.1)
    np.testing.assert_allclose(back, u, rtol=1e-12)


@pytest.mark.parametrize("function", DISTRIBUTION)
def test_types_are_kept_and_rounded_once(function):
    x = np.linspace(0.01, 0.99, 40)
    for dtype in (np.float16, np.float32, np.longdouble):
        got = function(x.astype(dtype))
        assert got.dtype == dtype
        if dtype is not np.longdouble:
            np.testing.assert_array_equal(got, function(x.astype(dtype).astype(float)).astype(dtype))
    assert function(1).dtype == np.float64 and isinstance(function(0.5), np.float64)
    with np.errstate(all="raise"):
        function(np.array([0.0, 1.0], np.float32))


# --- Noise -----------------------------------------------------------------------


def test_noise_is_the_logarithm_of_double_precision_exponentials():
    e = np.random.default_rng(3).standard_exponential((40, 5))
    np.testing.assert_array_equal(gumbel((40, 5), rng=3), -np.log(e))
    loc, scale = np.arange(5.0), np.array(2.5)
    np.testing.assert_array_equal(gumbel((40, 5), loc=loc, scale=scale, rng=3), -np.log(e) * 2.5 + loc)
    assert gumbel((2, 3), loc=np.zeros(3, np.float32), rng=0).dtype == np.float64


def test_law_of_the_noise():
    has_cdf(lambda n, rng: gumbel(n, rng=rng), gumbel_cdf, effect=0.01, title="noise")
    has_cdf(lambda n, rng: gumbel(n, loc=-3, scale=0.2, rng=rng), stats.gumbel_r(-3, 0.2).cdf,
            effect=0.02, title="noise")


def test_shape_of_the_noise():
    assert isinstance(gumbel(rng=0), np.float64) and gumbel((), rng=0).shape == ()
    assert gumbel(loc=np.zeros((2, 1)), scale=np.ones(3), rng=0).shape == (2, 3)
    assert gumbel(0).shape == (0,) and gumbel((2, 0)).shape == (2, 0)
    assert gumbel(np.int64(4), loc=np.zeros(1)).shape == (4,)


def test_location_at_infinity_stays_there():
    assert gumbel(loc=[-INF, INF], rng=0).tolist() == [-INF, INF]
