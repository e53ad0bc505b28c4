"""softmaxnotes.gradients.closest_normal: by another quadrature, and its minima."""

import itertools

import numpy as np
import pytest
import scipy.special
import scipy.stats

from softmaxnotes.gradients import closest_normal

MIXTURES = {
    "one": ([1.0], [2.0], [0.5]),
    "two apart": ([0.5, 0.5], [-3.0, 3.0], [1.0, 1.0]),
    "two together": ([0.3, 0.7], [-0.5, 0.8], [1.0, 0.7]),
    "uneven": ([0.7, 0.3], [-2.0, 2.0], [1.0, 0.4]),
    "spike in a hill": ([0.1, 0.9], [0.3, 0.0], [0.01, 1.0]),
    "three": ([0.2, 0.5, 0.3], [-4.0, 0.0, 5.0], [0.8, 1.5, 0.6]),
    "elsewhere": ([0.4, 0.6], [1e6 - 2e-3, 1e6 + 1e-3], [1e-3, 5e-4]),
}


NODES, WEIGHTS = np.polynomial.legendre.leggauss(30)


def integral(f, means, stds):
    """Gauss-Legendre in pieces of half a standard deviation, up to 12, around each mean."""
    places = np.unique(np.add.outer(0.5 * np.arange(-24, 25), np.array(means) / stds) * stds)
    half = np.diff(places)[:, None] / 2
    return np.sum(half * WEIGHTS * f(places[:-1, None] + half + half * NODES))


def quadrature(mixture, fit, direction):
    """The divergence by another rule than that of the module, from SciPy's densities."""
    w, m, s = map(np.array, mixture)

    def f(x):
        a = scipy.special.logsumexp(np.log(w) + scipy.stats.norm.logpdf(x[..., None], m, s), axis=-1)
        b = scipy.stats.norm.logpdf(x, fit.mu, fit.sigma)
        return np.exp(a) * (a - b) if direction == "forward" else np.exp(b) * (b - a)

    return integral(f, [*m, fit.mu], [*s, fit.sigma])


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("name", MIXTURES)
def test_the_divergence_that_is_left(name, direction):
    fit = closest_normal(*MIXTURES[name], direction=direction)
    # densities far from the origin lose digits of x - m: eps * 1e6 / 5e-4, squared gaps up to 100
    atol = 1e-11 if name != "elsewhere" else 1e-5
    assert fit.kl == pytest.approx(quadrature(MIXTURES[name], fit, direction), abs=atol)
    assert all(type(x) is float for x in fit)


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("name", [n for n in MIXTURES if n not in ("one", "elsewhere")])
def test_no_neighbour_is_closer(name, direction):
    """Both are minima: a step of 1e-3 costs about 1e-6 times the curvature, in each direction."""
    fit = closest_normal(*MIXTURES[name], direction=direction)
    costs = []
    for a, b in itertools.product([-1, 0, 1], repeat=2):
        moved = fit._replace(mu=fit.mu + 1e-3 * a * fit.sigma, sigma=fit.sigma * (1 + 1e-3 * b))
        costs.append(quadrature(MIXTURES[name], moved, direction))
    assert min(costs[:4] + costs[5:]) > costs[4]
    # and the middle of the parabola through three points is where the minimum is, to higher order
    assert abs(costs[7] - costs[1]) < 1e-2 * (costs[7] + costs[1] - 2 * costs[4])


@pytest.mark.parametrize("name", [n for n in MIXTURES if n not in ("one", "elsewhere")])
def test_the_reverse_minimum_is_stationary_to_nine_digits(name):
    """E_q[(log p)'] = 0 and E_q[(x - mu) (log p)'] = -1."""
    w, m, s = map(np.array, MIXTURES[name])
    fit = closest_normal(w, m, s, direction="reverse")
    for moment, want in ((0, 0.0), (1, -1.0)):

        def f(x):
            share = scipy.special.softmax(np.log(w) + scipy.stats.norm.logpdf(x[..., None], m, s), axis=-1)
            slope = np.sum(share * (m - x[..., None]) / s**2, axis=-1)
            return scipy.stats.norm.pdf(x, fit.mu, fit.sigma) * (x - fit.mu) ** moment * slope

        assert integral(f, [*m, fit.mu], [*s, fit.sigma]) == pytest.approx(want, abs=1e-9)


def test_forward_is_moment_matching_and_reverse_of_one_component_is_itself():
    w, m, s = (np.array(x) for x in MIXTURES["three"])
    fit = closest_normal(w, m, s, direction="forward")
    assert fit.mu == pytest.approx(w @ m, rel=1e-15)
    assert fit.sigma**2 == pytest.approx(w @ (s**2 + m**2) - (w @ m) ** 2, rel=1e-14)
    for direction in ("forward", "reverse"):
        mu, sigma, kl = closest_normal(*MIXTURES["one"], direction=direction)
        assert (mu, sigma) == pytest.approx((2.0, 0.5), rel=1e-12) and 0 <= kl < 1e-13


def test_the_lowest_minimum_is_found_and_a_tie_goes_to_the_left():
    left = closest_normal([0.5, 0.5], [3.0, -3.0], [1.0, 1.0], direction="reverse")
    assert -3 < left.mu < -2.9
    for shift in np.linspace(-1, 1, 9):  # which breaks the tie by rounding
        means = np.array([3.0, -3.0]) + shift / 7
        assert closest_normal([0.5, 0.5], means, [1.0, 1.0], direction="reverse").mu < -2
    right = closest_normal([0.499, 0.501], [-3.0, 3.0], [1.0, 1.0], direction="reverse")
    assert 2.9 < right.mu < 3
    wide = closest_normal([0.5, 0.5], [-0.5, 0.5], [1.0, 1.0], direction="reverse")
    assert abs(wide.mu) < 1e-9  # one mode: both are covered
    for shift, scale in [(0.0, 7.0), (1e3, 1.0), (-5.0, 1e-3)]:
        w, m, s = map(np.array, MIXTURES["uneven"])
        one = closest_normal(w, m, s, direction="reverse")
        two = closest_normal(w, shift + scale * m, scale * s, direction="reverse")
        # the means are rounded when they are shifted
        assert two.mu == pytest.approx(shift + scale * one.mu, abs=1e-8 * scale)
        assert two.sigma == pytest.approx(scale * one.sigma, rel=1e-8)
        assert two.kl == pytest.approx(one.kl, abs=1e-9)


def test_a_component_without_weight_does_not_matter():
    w, m, s = MIXTURES["uneven"]
    for direction in ("forward", "reverse"):
        want = closest_normal(w, m, s, direction=direction)
        assert closest_normal([*w, 0.0], [*m, 100.0], [*s, 1e-9], direction=direction) == want


def test_single_precision_is_taken():
    for name, direction in itertools.product(("spike in a hill", "three"), ("forward", "reverse")):
        w, m, s = (np.float32(a) for a in MIXTURES[name])
        found = closest_normal(w, m, s, direction=direction)
        total = w.astype(float).sum()  # as near to 1 as that type is
        assert total != 1 and found == closest_normal(w / total, m, s, direction=direction)


def test_no_warning():
    with np.errstate(all="raise"):
        closest_normal(*MIXTURES["two apart"], direction="reverse")
