"""softmaxnotes.gradients.gaussian_kl against 60 digits, and its error bounds."""

import itertools

import mpmath as mp
import numpy as np
import pytest
import scipy.linalg
import scipy.stats
import torch
from torch import distributions

from softmaxnotes.experiments.gradients.gaussian_kl import digit_normals, normals_at
from softmaxnotes.gradients import kl_diag_standard, kl_mvn, kl_normal

U = mp.mpf(2) ** -53
INF, NAN = np.inf, np.nan
TINY = np.finfo(float).tiny


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


def exact(mu_p, sigma_p, mu_q, sigma_q):
    """In 60 digits beyond those that cancel."""
    a, b, c, d = (mp.mpf(float(v)) for v in (mu_p, sigma_p, mu_q, sigma_q))
    with mp.workdps(120):
        return (mp.log(d / b) + (b / d) ** 2 / 2 - mp.mpf(1) / 2) + ((a - c) / d) ** 2 / 2


def within(got, want, units, dtype=np.float64):
    """A relative error of that many roundoffs, or an absolute one of so many subnormals."""
    info = np.finfo(dtype)
    if want > float(info.max):
        return got == INF
    bound = units * mp.mpf(float(info.eps)) / 2 * want
    return abs(mp.mpf(float(got)) - want) <= max(bound, units * mp.mpf(float(info.smallest_subnormal)))


# --- One dimension -------------------------------------------------------------


def check_normal(*arguments):
    columns = np.broadcast_arrays(*arguments)
    got = np.atleast_1d(kl_normal(*arguments))
    for i, numbers in enumerate(zip(*(np.atleast_1d(c) for c in columns))):
        assert within(got[i], exact(*numbers), 32), numbers


@pytest.mark.parametrize("spread", [0.1, 1.0, 10.0, 340.0, 700.0])
def test_kl_normal_stays_within_the_bound_at_every_scale(spread):
    rng = np.random.default_rng(int(10 * spread))
    sigma_p, sigma_q = np.exp(rng.uniform(-spread, spread, (2, 400)))
    check_normal(0.0, sigma_p, 0.0, sigma_q)
    check_normal(rng.normal(size=400) * sigma_p, sigma_p, rng.normal(size=400) * sigma_q, sigma_q)


@pytest.mark.parametrize("bits", [1, 2, 3, 8, 15, 26, 27, 30, 40, 51, 52])
def test_kl_normal_stays_within_the_bound_where_it_cancels(bits):
    rng = np.random.default_rng(bits)
    sigma = np.exp(rng.uniform(-3, 3, 150))
    near = sigma * (1 + 2.0**-bits * rng.uniform(-1, 1, 150))
    mu = rng.normal(size=150)
    check_normal(mu, sigma, mu, near)
    check_normal(mu * (1 + 2.0**-bits), sigma, mu, near)


EDGE = [5e-324, 1e-320, TINY, 1e-200, 1e-9, np.nextafter(1.0, 0), 1.0, np.nextafter(1.0, 2), 1 + 1e-9]
EDGE += [np.exp(0.5), np.exp(-0.5), 1e9, 1e200, 1e300, np.finfo(float).max]


def test_kl_normal_at_all_pairs_of_extremes():
    for mu, sigma_p, sigma_q in itertools.product([0.0, 1.0, -1e200, 1.7e308], EDGE, EDGE):
        check_normal(mu, sigma_p, 0.0, sigma_q)
    check_normal(1.7e308, [1e300, 1e-300, 5e-324], -1.7e308, 1e308)
    check_normal(5e-324, 5e-324, [0.0, -5e-324], 5e-324)
    check_normal(1.6e154, 1.0, [0.0, -1e154], 1.0)


def test_equal_normals_are_at_distance_zero_and_no_others():
    sigma = np.array(EDGE)
    np.testing.assert_array_equal(kl_normal(1.0, sigma, 1.0, sigma), 0)
    up = kl_normal(0.0, np.nextafter(1.0, 2), 0.0, 1.0)
    assert within(up, exact(0, np.nextafter(1.0, 2), 0, 1), 32) and up > 0
    with np.errstate(all="raise"):
        textbook = np.log(1.0 / (1 + 1e-9)) + (1 + 1e-9) ** 2 / 2 - 0.5
    assert abs(textbook / float(exact(0, 1 + 1e-9, 0, 1)) - 1) > 0.9  # what the usual formula makes of it


def test_kl_normal_agrees_with_torch_in_every_shape():
    rng = np.random.default_rng(0)
    for shapes in [((), (), (), ()), ((3,), (2, 1), (), (1, 3)),
                   ((0,), (), (), (1,)), ((200, 1), (1, 300), (), ())]:
        mu_p, mu_q = rng.normal(size=shapes[0]), rng.normal(size=shapes[2])
        sigma_p, sigma_q = np.exp(rng.normal(size=shapes[1])), np.exp(rng.normal(size=shapes[3]))
        p, q = (distributions.Normal(*map(torch.as_tensor, x)) for x in ((mu_p, sigma_p), (mu_q, sigma_q)))
        got = kl_normal(mu_p, sigma_p, mu_q, sigma_q)
        want = distributions.kl_divergence(p, q).numpy()
        assert got.shape == want.shape
        # torch loses what cancels: 1/2, and the logarithm
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-13)
    assert isinstance(kl_normal(0, 1, 0, 1), np.float64)


def test_kl_normal_is_rounded_once_to_the_type_of_its_arguments():
    rng = np.random.default_rng(1)
    for dtype in (np.float16, np.float32):
        arguments = [
            x.astype(dtype)
            for x in (rng.normal(size=50), np.exp(rng.normal(size=50)), rng.normal(size=50), np.ones(50))
        ]
        got = kl_normal(*arguments)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, kl_normal(*(x.astype(float) for x in arguments)).astype(dtype))
    assert kl_normal(np.float32(1), np.float16(1), np.float16(1), np.float16(1)).dtype == np.float32
    assert kl_normal(np.float16(1000), np.float16(1), np.float16(0), np.float16(1)) == INF
    assert kl_normal(True, 1, 0, np.uint8(1)).dtype == np.float64
    swapped = kl_normal(np.array([1.0], ">f8"), np.array([2.0], ">f4"), 0.0, 1.0)
    assert swapped.dtype.isnative and swapped == kl_normal(1.0, 2.0, 0.0, 1.0)


# --- Diagonal, from the standard normal ------------------------------------------


def exact_diagonal(mu, log_var):
    """In 60 digits beyond those that cancel."""
    least = min((abs(float(v)) for v in log_var if v), default=1.0)
    with mp.workdps(60 + 2 * max(0, round(-np.log10(least)))):
        mu, log_var = ([mp.mpf(float(v)) for v in x] for x in (mu, log_var))
        return mp.fsum(mp.exp(v) - 1 - v + m * m for m, v in zip(mu, log_var)) / 2


def check_diagonal(mu, log_var):
    mu, log_var = np.atleast_2d(mu), np.atleast_2d(log_var)
    got, d = kl_diag_standard(mu, log_var), mu.shape[-1]
    for g, m, v in zip(got, mu, log_var):
        assert within(g, exact_diagonal(m, v), 32 + min(d, 26 + max(0, np.log2(d / 128))), got.dtype), (m, v)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 3, 100, 1000])
@pytest.mark.parametrize("size", [1e-12, 1e-5, 0.1, 0.5, 1.0, 3.0, 50.0])
def test_kl_diag_standard_stays_within_the_bound(dtype, d, size):
    rng = np.random.default_rng(d)
    mu, log_var = size * rng.normal(size=(2, 4, d))
    mu[2:] = 0
    log_var[3, 1:] = 0
    check_diagonal(mu.astype(dtype), log_var.astype(dtype))


def test_kl_diag_standard_near_the_threshold_and_at_extremes():
    """Rows just clear and just unclear, with one sign throughout."""
    for v in np.concatenate([np.linspace(-1.2, 1.2, 49), [-1e300, -745.0, -1e-300, 709.9, 710.4, 711.0]]):
        for d, dtype in itertools.product((1, 40), (np.float32, np.float64)):
            with np.errstate(over="ignore"):
                check_diagonal(np.zeros(d, dtype), np.full(d, max(v, np.finfo(dtype).min / 4), dtype) / d * d)
    check_diagonal([1e-200, 1.6e154, 1e200], [0.0, 1e-300, 0.0])
    check_diagonal([1.6e154], [0.0])
    check_diagonal(np.array([1.9e19], np.float32), np.array([0.0], np.float32))
    assert kl_diag_standard(np.zeros(5), np.zeros(5)) == 0


def test_kl_diag_standard_sums_normals():
    rng = np.random.default_rng(3)
    mu, log_var = rng.normal(size=(2, 2, 3, 700))
    got = kl_diag_standard(mu, log_var)
    np.testing.assert_allclose(got, kl_normal(mu, np.exp(log_var / 2), 0, 1).sum(-1), rtol=1e-14)
    assert got.shape == (2, 3)
    long = rng.normal(size=(2, 5000, 7))
    got = kl_diag_standard(*long)
    np.testing.assert_array_equal(got[-10:], kl_diag_standard(*long[:, -10:]))
    many = 1e-3 * long
    many[:, ::3] *= 1e3  # clear rows and others in the same piece
    np.testing.assert_array_equal(
        kl_diag_standard(*many)[:30], [kl_diag_standard(*many[:, i]) for i in range(30)]
    )


def test_kl_diag_standard_shapes_and_types():
    for shape in [(0,), (3, 0), (0, 3), (0, 0), (2, 0, 3)]:
        got = kl_diag_standard(np.zeros(shape, np.float32), np.zeros(shape, np.float32))
        assert got.shape == shape[:-1] and got.dtype == np.float32 and (got == 0).all()
    assert isinstance(kl_diag_standard([1.0], [0.0]), np.float64)
    assert kl_diag_standard([1, 2], [0, 1]) == kl_diag_standard([1.0, 2.0], [0.0, 1.0])
    half = np.array([1.5, -0.25], np.float16)
    got = kl_diag_standard(half, half)
    assert got.dtype == np.float16
    assert got == np.float16(kl_diag_standard(half.astype(np.float32), half.astype(np.float32)))
    assert kl_diag_standard(half, half.astype(np.float64)).dtype == np.float64
    x = np.random.default_rng(4).normal(size=(6, 8))
    np.testing.assert_allclose(
        kl_diag_standard(x[:, ::2], x.T[::2].T),
        kl_diag_standard(x[:, ::2].copy(), x[:, ::2].copy()),
        rtol=1e-15,
    )
    before = x.copy()
    kl_diag_standard(x, x)
    np.testing.assert_array_equal(x, before)


def test_a_cost_that_is_too_large_is_infinite():
    assert kl_diag_standard([1e300], [0.0]) == INF and kl_diag_standard([0.0], [1000.0]) == INF


# --- Full ------------------------------------------------------------------------


def exact_cholesky(cov):
    d = len(cov)
    lower = [[mp.mpf(0)] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = mp.mpf(float(cov[i][j])) - mp.fdot(lower[i][:j], lower[j][:j])
            lower[i][j] = mp.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def exact_full(mu_p, cov_p, mu_q, cov_q):
    d = len(mu_p)
    l_p, l_q = exact_cholesky(cov_p), exact_cholesky(cov_q)
    total = -mp.mpf(d) + 2 * mp.fsum(mp.log(l_q[i][i] / l_p[i][i]) for i in range(d))
    for right in [[mp.mpf(float(a)) - mp.mpf(float(b)) for a, b in zip(mu_p, mu_q)], *zip(*l_p)]:
        x, start = [], next((i for i in range(d) if right[i]), d)  # zeros above give zeros
        for i in range(start, d):
            x.append((right[i] - mp.fdot(l_q[i][start:i], x)) / l_q[i][i])
        total += mp.fdot(x, x)
    return total / 2


def scaled_condition(cov):
    s = np.sqrt(np.diag(cov))
    return np.linalg.cond(cov / s / s[:, None])


def check_full(mu_p, cov_p, mu_q, cov_q):
    """First order, in Cholesky and substitution: backward errors of (d + 1) u each, times the condition."""
    d = len(mu_p)
    units = 32 + 8 * (d + 1) * (scaled_condition(cov_p) + scaled_condition(cov_q))
    want, got = exact_full(mu_p, cov_p, mu_q, cov_q), kl_mvn(mu_p, cov_p, mu_q, cov_q)
    assert within(got, want, units), (got, want)


def wishart(rng, d, dof):
    a = rng.normal(size=(d, dof))
    return a @ a.T / dof


SIZES = [30.0, 1.0, 0.1, 0.03, 1e-2, 1e-3, 1e-5, 1e-8, 1e-12, 1e-15]


# In more than 64 dimensions rows are solved for in several panels; there the exact values take a while.
@pytest.mark.parametrize(("d", "size"), [(d, size) for d in (1, 2, 5, 20) for size in SIZES] +
                         [(70, size) for size in SIZES[::3]])
def test_kl_mvn_keeps_its_digits_however_close(d, size):
    rng = np.random.default_rng([d, int(-10 * np.log10(size)) + 20])
    a = rng.normal(size=(d, 2 * d))
    b = a + size * rng.normal(size=(d, 2 * d))
    scale = 10.0 ** rng.uniform(-20, 20, d)  # units of the coordinates must not matter
    p, q = (scale[:, None] * (x @ x.T) * scale for x in (b, a))
    p, q = (p + p.T) / 2, (q + q.T) / 2
    mu_q = scale * rng.normal(size=d)
    check_full(mu_q, p, mu_q, q)
    check_full(mu_q + size * scale * rng.normal(size=d), p, mu_q, q)


@pytest.mark.parametrize("power", [2, 5, 8])
def test_kl_mvn_with_a_bad_condition(power):
    d, rng = 6, np.random.default_rng(power)
    for close in (0, 1e-9, 1e-15):
        basis = np.linalg.qr(rng.normal(size=(d, d)))[0]
        q = (basis * np.logspace(0, -power, d)) @ basis.T
        q = np.tril(q) + np.tril(q, -1).T
        other = rng.normal(size=(d, d)) @ np.diag(np.sqrt(np.diag(q)))
        p = q * (1 + close * np.sign(np.outer(basis[0], basis[0]))) if close else other @ other.T
        check_full(np.zeros(d), p, np.zeros(d), q)


def test_an_all_but_singular_covariance_gives_a_number():
    for d, bits in itertools.product((11, 12, 13), (20, 40, 52)):
        q = scipy.linalg.hilbert(d) + 1e-16 * np.eye(d)
        got = kl_mvn(np.zeros(d), q * (1 + 2.0**-bits), np.zeros(d), q)
        assert 0 <= got < 1


def test_equal_gaussians_are_at_distance_zero():
    for d in (1, 3, 64, 65, 130):
        n = 40 if d < 50 else 3
        cov = wishart(np.random.default_rng(d), d, 2 * d)
        mu = np.arange(d)
        assert kl_mvn(mu, cov, mu, cov) == 0
        np.testing.assert_array_equal(kl_mvn(mu, np.stack([cov] * n), mu, cov), 0)


def test_one_dimension_is_kl_normal():
    for sigma_p, sigma_q in itertools.product([1e-100, 0.3, 1.0, 1 + 2**-20, 1.5, 1e100], repeat=2):
        if max(sigma_p / sigma_q, sigma_q / sigma_p) > 1e150:
            continue
        cov_p, cov_q = sigma_p**2, sigma_q**2
        got = kl_mvn([1.0], [[cov_p]], [1.0 + sigma_q], [[cov_q]])
        with mp.workdps(120):
            p, q = mp.mpf(cov_p), mp.mpf(cov_q)
            want = (p / q - 1 - mp.log(p / q) + mp.mpf(1.0 - (1.0 + sigma_q)) ** 2 / q) / 2
        assert within(got, want, 64)


def test_a_diagonal_covariance_is_a_sum_of_normals():
    rng = np.random.default_rng(5)
    mu_p, mu_q, a, b = rng.normal(size=(4, 40))
    got = kl_mvn(mu_p, np.diag(np.exp(2 * a)), mu_q, np.diag(np.exp(2 * b)))
    np.testing.assert_allclose(got, kl_normal(mu_p, np.exp(a), mu_q, np.exp(b)).sum(), rtol=1e-13)


def test_the_large_size_agrees_with_torch_where_determinants_overflow():
    d, rng = 500, np.random.default_rng(6)
    p, q = 100 * wishart(rng, d, 2 * d), 100 * wishart(rng, d, 2 * d)
    mu = rng.normal(size=d)
    want = distributions.kl_divergence(
        *(
            distributions.MultivariateNormal(torch.as_tensor(m), torch.as_tensor(c))
            for m, c in ((mu, p), (-mu, q))
        )
    ).item()
    with np.errstate(over="ignore"):
        assert np.isinf(np.linalg.det(q))
    np.testing.assert_allclose(kl_mvn(mu, p, -mu, q), want, rtol=1e-11)


@pytest.mark.parametrize(
    "shapes",
    [((), (), (), ()), ((7,), (), (), ()), ((), (), (), (9,)),
     ((2, 1), (1, 3), (), (2, 3)), ((0,), (), (1,), ()), ((4, 5),) * 4],
)
@pytest.mark.parametrize("d", [1, 3, 40])
def test_batches_are_broadcast(shapes, d):
    rng = np.random.default_rng(d)
    mu = [rng.normal(size=(*s, d)) for s in shapes[::2]]
    cov = [a @ np.swapaxes(a, -1, -2) for a in (rng.normal(size=(*s, d, 2 * d)) for s in shapes[1::2])]
    got = kl_mvn(mu[0], cov[0], mu[1], cov[1])
    lead = np.broadcast_shapes(*shapes)
    assert got.shape == lead
    arguments = zip((mu[0], cov[0], mu[1], cov[1]), [(d,), (d, d)] * 2)
    full = [np.broadcast_to(a, (*lead, *tail)) for a, tail in arguments]
    for i in np.ndindex(lead):
        # the layouts add up in different orders
        np.testing.assert_allclose(got[i], kl_mvn(*(a[i] for a in full)), rtol=1e-11)


def test_a_large_batch_crosses_the_pieces():
    rng = np.random.default_rng(7)
    for n, d in [(40_000, 2), (300, 30), (33, 33)]:
        a = rng.normal(size=(2, n, d, 2 * d))
        a[1, 1::2] = a[0, 1::2] * (1 + 1e-5)  # every other pair is close
        p, q = a @ np.swapaxes(a, -1, -2)
        mu = np.zeros(d)
        got = kl_mvn(mu, p, mu, q)
        for i in range(n) if n < 1000 else (0, 1, n // 2, n - 2, n - 1):
            units = 2 * (32 + 8 * (d + 1) * (scaled_condition(p[i]) + scaled_condition(q[i])))
            np.testing.assert_allclose(got[i], kl_mvn(mu, p[i], mu, q[i]), rtol=units * 2**-53)


def test_kl_mvn_empty_and_types():
    assert kl_mvn(np.zeros(0), np.zeros((0, 0)), np.zeros(0), np.zeros((0, 0))) == 0
    assert kl_mvn(np.zeros((3, 0)), np.zeros((0, 0)), np.zeros(0), np.zeros((2, 1, 0, 0))).shape == (2, 3)
    assert isinstance(kl_mvn([0], [[2]], [0], [[1]]), np.float64)
    eye = np.eye(2, dtype=np.float32)
    got = kl_mvn(eye[0], eye, eye[1], eye)
    assert got == 1 and got.dtype == np.float32
    assert kl_mvn(eye[0], eye, eye[1].astype(np.float16), eye.astype(np.float64)).dtype == np.float64
    rng = np.random.default_rng(8)
    p, q, before = wishart(rng, 4, 9), wishart(rng, 4, 9), None
    before = p.copy(), q.copy()
    kl_mvn(np.zeros(4), p, np.ones(4), q)
    np.testing.assert_array_equal((p, q), before)
    want = kl_mvn(np.zeros(4), p, np.ones(4), q)
    assert kl_mvn(np.zeros(4), np.asfortranarray(p), np.ones(8)[::2], q.astype(">f8")) == want


def test_what_overflows_is_infinite():
    eye = np.eye(2)
    assert kl_mvn([1e300, 0.0], eye, [0.0, 0.0], 1e-300 * eye) == INF
    assert kl_mvn([0.0, 0.0], 1e300 * eye, [0.0, 0.0], 1e-300 * eye) == INF
    tilted = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert kl_mvn([1.7e308, 0.0], tilted, [-1.7e308, 0.0], 1e-300 * tilted) == INF
    want = pytest.approx(600 * np.log(10) - 1, rel=1e-14)
    assert kl_mvn([0.0, 0.0], 1e-300 * tilted, [0.0, 0.0], 1e300 * tilted) == want


def test_symmetry_is_wanted_up_to_rounding():
    rng = np.random.default_rng(9)
    a, scale = rng.normal(size=(30, 60)), 10.0 ** rng.uniform(-9, 9, 30)
    rough = (scale[:, None] * a) @ np.diag(rng.uniform(1, 2, 60)) @ (scale[:, None] * a).T
    assert (rough != rough.T).any()
    lower = np.tril(rough) + np.tril(rough, -1).T
    mu = np.zeros(30)
    assert kl_mvn(mu, rough, mu, lower) == 0
    assert kl_mvn(mu, np.stack([rough] * 40), mu, rough).max() == 0
    single = rough.astype(np.float32)
    single[3, 1] = np.nextafter(single[1, 3], np.float32(INF))
    assert np.isfinite(kl_mvn(mu, single, mu, single))


# --- All normals at a divergence ---------------------------------------------------


@pytest.mark.parametrize("kl", [1e-12, 1e-6, 0.02, 0.5, 1.0, 20.0, 100.0])
def test_normals_at_a_divergence_are_there(kl):
    to, back = (normals_at(kl, direction=direction) for direction in ("to", "from"))
    # at the ends the mean is 0; h changes by its slope times the rounding of sigma
    slack = 1e-9 if kl > 1e-3 else 1e-3
    np.testing.assert_allclose(kl_normal(*to, 0, 1), kl, rtol=slack)
    np.testing.assert_allclose(kl_normal(0, 1, *back), kl, rtol=slack)
    for mu, sigma in (to, back):
        assert mu.shape == sigma.shape == (122,) and (mu[:61] >= 0).all()
        np.testing.assert_array_equal(mu, -mu[::-1])
        np.testing.assert_array_equal(sigma, sigma[::-1])
        assert (np.diff(sigma[:61]) > 0).all() and mu[0] == mu[60] == 0
    np.testing.assert_allclose(to.sigma[[0, 60]] * back.sigma[[60, 0]], 1, rtol=1e-15)


def test_normals_at_agree_near_and_part_far_off():
    near = [normals_at(1e-4, direction=direction) for direction in ("to", "from")]
    np.testing.assert_allclose(near[0].mu, near[1].mu, atol=0.02 * near[0].mu.max())
    far = [normals_at(2.0, direction=direction) for direction in ("to", "from")]
    assert far[1].sigma.max() > 3 * far[0].sigma.max()


# --- The digits ----------------------------------------------------------------------


@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_the_mean_over_the_points_of_a_class_is_the_divergence(dimensions):
    points, means, covs = digit_normals(dimensions)
    assert sum(map(len, points)) == 1797 and {x.shape[1] for x in points} == {dimensions}
    laws = [scipy.stats.multivariate_normal(mean, cov) for mean, cov in zip(means, covs)]
    for c, other in [(1, 7), (7, 1), (0, 9)]:
        surplus = np.mean(laws[c].logpdf(points[c]) - laws[other].logpdf(points[c]))
        assert kl_mvn(means[c], covs[c], means[other], covs[other]) == pytest.approx(surplus, rel=1e-11)
    together = np.concatenate(points)
    np.testing.assert_allclose(together.mean(axis=0), 0, atol=1e-14)
    spread = together.T @ together
    np.testing.assert_allclose(spread, np.diag(np.diag(spread)), atol=1e-9)  # uncorrelated, the largest first
    assert (np.diff(np.diag(spread)) < 0).all()


# --- All ---------------------------------------------------------------------------


def test_no_warning_even_where_all_are_errors():
    with np.errstate(all="raise"):
        kl_normal(
            [0.0, 1e300, 1e-300, 1.7e308],
            [1e-300, 1e300, 5e-324, 1.0],
            [0, 0, 0, -1.7e308],
            [1e300, 1e-300, 1e300, 1e308],
        )
        kl_diag_standard([[1e300, 0.0], [1e-300, 0.0]], [[1000.0, 0.0], [1e-300, -1000.0]])
        kl_diag_standard(np.float16([600.0]), np.float16([0.0]))
        kl_mvn([1e300, 0.0], 1e300 * np.eye(2), [0.0, 0.0], 1e-300 * np.eye(2))


def test_no_divergence_is_negative():
    rng = np.random.default_rng(11)
    sigma = np.exp(rng.normal(size=5000))
    near = sigma * (1 + rng.integers(-4, 5, 5000) * 2.0**-52)
    assert (kl_normal(0.0, near, 0.0, sigma) >= 0).all()
    log_variances = rng.normal(size=(5000, 1)) * 10.0 ** -rng.uniform(0, 20, (5000, 1))
    assert (kl_diag_standard(np.zeros((5000, 1)), log_variances) >= 0).all()
    a = rng.normal(size=(300, 3, 6))
    b = a * (1 + rng.integers(-4, 5, (300, 3, 6)) * 2.0**-52)
    p, q = (x @ np.swapaxes(x, -1, -2) for x in (a, b))
    assert (kl_mvn(np.zeros(3), p, np.zeros(3), q) >= 0).all()
