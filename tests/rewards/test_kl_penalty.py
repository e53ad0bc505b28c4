"""softmaxnotes.rewards.kl_penalty: estimates against closed forms."""


import mpmath as mp
import numpy as np
import pytest
from scipy import integrate, stats

from proofread.evidence.statistics import has_mean
from softmaxnotes.gradients import kl_normal
from softmaxnotes.rewards import estimate_kl, squared_ratio

INF, NAN = np.inf, np.nan


@pytest.mark.parametrize("corrected", [False, True])
def test_the_estimate_is_the_mean_of_its_terms_and_the_error_their_spread(corrected):
    log_ratios = np.random.default_rng(0).normal(size=(3, 2, 50))
    terms = np.exp(log_ratios) - 1 - log_ratios if corrected else -log_ratios
    kl, error = estimate_kl(log_ratios, corrected=corrected)
    np.testing.assert_allclose(kl, terms.mean(-1), rtol=1e-13)
    np.testing.assert_allclose(error, stats.sem(terms, axis=-1), rtol=1e-12)
    assert isinstance(estimate_kl(log_ratios[0, 0]).kl, np.float64)
    for dtype in (np.float16, np.float32):
        narrow = estimate_kl(log_ratios.astype(dtype), corrected=corrected)
        assert narrow.kl.dtype == narrow.error.dtype == dtype


@pytest.mark.parametrize("corrected", [False, True])
def test_both_means_are_the_divergence(corrected):
    """Of laws on a bounded range, so that the error rates of Hoeffding's bound apply."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.4, 0.4, 0.2])

    def draw(n, rng):
        log_ratios = np.log(q / p)[rng.choice(3, size=n, p=p)]
        return estimate_kl(np.repeat(log_ratios[:, None], 2, axis=1), corrected=corrected).kl

    has_mean(draw, float(p @ np.log(p / q)), bounds=(-0.4, 0.4), effect=0.02, title="divergence")


def test_the_corrected_one_is_never_negative_and_keeps_small_digits():
    log_ratios = np.array([1e-9, -1e-9])
    assert estimate_kl(log_ratios, corrected=True).kl >= 0
    log_ratios = np.random.default_rng(1).normal(size=1000) * 1e-3
    want = np.mean([float(mp.expm1(mp.mpf(x)) - mp.mpf(x)) for x in log_ratios])
    assert estimate_kl(log_ratios, corrected=True).kl == pytest.approx(want, rel=1e-9)


def test_no_mass_where_a_draw_fell_is_an_infinite_divergence():
    for corrected in (False, True):
        assert estimate_kl([0.1, -INF, 0.2], corrected=corrected).kl == INF
    assert estimate_kl([0.1, 1000.0], corrected=True).kl == INF  # exp overflows


@pytest.mark.parametrize("mu_p, sigma_p, mu_q, sigma_q",
                         [(0, 1, 0, 1), (1, 2, -1, 1), (0.5, 0.7, 0, 0.9), (0, 1, 0.3, 1.4)])
def test_squared_ratio_against_quadrature(mu_p, sigma_p, mu_q, sigma_q):
    p, q = stats.norm(mu_p, sigma_p), stats.norm(mu_q, sigma_q)
    found, _ = integrate.quad(lambda x: np.exp(2 * q.logpdf(x) - p.logpdf(x)), -80, 80, points=[mu_p, mu_q])
    got = squared_ratio(mu_p, sigma_p, mu_q, sigma_q)
    assert got == pytest.approx(found, rel=1e-8) and got >= 1


def test_squared_ratio_to_sixty_digits():
    rng = np.random.default_rng(2)
    with mp.workdps(60):
        for _ in range(50):
            a, b, c, d = (float(x) for x in (*rng.normal(size=2), *rng.uniform(0.2, 1.3, 2)))
            v, z = (mp.mpf(d) / c) ** 2, (mp.mpf(b) - a) / c
            if v >= 2:
                assert squared_ratio(a, c, b, d) == INF
                continue
            want, got = mp.exp(z * z / (2 - v)) / mp.sqrt(v * (2 - v)), squared_ratio(a, c, b, d)
            share = z * z / (2 - v)
            if want < mp.mpf(10) ** 300:
                assert abs(got / want - 1) <= 2**-53 * (32 + 8 * share) * 4 / (2 - v)


def test_squared_ratio_is_infinite_from_root_two_on():
    assert squared_ratio(0, 1, 0, [1.41421, 1.41422, 2, 1e200]).tolist()[1:] == [INF] * 3
    assert squared_ratio(0, 1, 0, 1.41421) < INF
    assert squared_ratio(0, 1, 1e200, 1) == INF and squared_ratio(0, 1e-300, 0, 1e300) == INF
    assert squared_ratio(0, [[1.0], [2.0]], 0, [1, 2, 3]).shape == (2, 3)
    assert (squared_ratio(0, 1, 0, 1), squared_ratio(3, 2, 3, 2)) == (1, 1)


def test_squared_ratio_is_rounded_once_to_the_type_of_its_arguments():
    single = np.float32([0.1, 1.1, 0.2, 0.9])
    found = squared_ratio(*single)
    assert found.dtype == np.float32 and found == np.float32(squared_ratio(*single.astype(float)))
    assert squared_ratio(np.float32(0), np.float32(1), np.float32(20), np.float32(1)) == INF  # e ** 400
    assert squared_ratio(False, True, 0, 1) == 1


def test_the_variance_of_a_corrected_draw():
    """E r^2 - 1 + Var log r - 2 (KL(p, q) + KL(q, p)), by quadrature of the square."""
    z, s = 0.4, 1.2
    both = kl_normal(0, 1, z, s) + kl_normal(z, s, 0, 1)
    v = s * s
    want = squared_ratio(0, 1, z, s) - 1 + (1 - 1 / v) ** 2 / 2 + (z / v) ** 2 - 2 * both

    def square(x):
        log_ratio = stats.norm.logpdf(x, z, s) - stats.norm.logpdf(x)
        return (np.expm1(log_ratio) - log_ratio) ** 2 * stats.norm.pdf(x)

    found = integrate.quad(square, -40, 40)[0] - kl_normal(0, 1, z, s) ** 2
    assert want == pytest.approx(found, rel=1e-8)


def test_no_warning():
    with np.errstate(all="raise"):
        squared_ratio([0, 1e200, 0], [1, 1, 1e-300], 0, [1, 1, 1e300])
        estimate_kl([1000.0, -1000.0], corrected=True)
