"""Rows of the table of base distributions, against scipy, mpmath and torch."""

import pickle

import numpy as np
import pytest
import torch
from mpmath import mp, mpf
from scipy import stats

from softmaxnotes.gradients import reparameterise

ROWS = {
    "exponential": ({"scale": 2.5}, stats.expon(scale=2.5)),
    "cauchy": ({"loc": -1.0, "scale": 0.5}, stats.cauchy(-1, 0.5)),
    "laplace": ({"loc": 1.0, "scale": 3.0}, stats.laplace(1, 3)),
    "laplace_ratio": ({"loc": 1.0, "scale": 3.0}, stats.laplace(1, 3)),
    "box_muller": ({"loc": -2.0, "scale": 0.5}, stats.norm(-2, 0.5)),
    "normal": ({"loc": -2.0, "scale": 0.5}, stats.norm(-2, 0.5)),
    "lognormal": ({"loc": 0.5, "scale": 0.7}, stats.lognorm(0.7, scale=np.exp(0.5))),
    "inverse_gamma": ({"shape": 2.5, "scale": 0.8}, stats.invgamma(2.5, scale=0.8)),
    "gamma": ({"shape": 0.4, "scale": 0.8}, stats.gamma(0.4, scale=0.8)),
    "logistic": ({"loc": 1.0, "scale": 3.0}, stats.logistic(1, 3)),
    "gumbel": ({"loc": 1.0, "scale": 3.0}, stats.gumbel_r(1, 3)),
    "weibull": ({"shape": 0.7, "scale": 3.0}, stats.weibull_min(0.7, scale=3)),
}
NAMES = [*ROWS, "kumaraswamy", "rademacher"]


def made(name):
    parameters = {"kumaraswamy": {"a": 0.6, "b": 2.5}, "rademacher": {}}.get(name)
    return reparameterise(name, **(ROWS[name][0] if parameters is None else parameters))


def kumaraswamy_cdf(x):
    return 1 - (1 - np.clip(x, 0, 1) ** 0.6) ** 2.5


@pytest.mark.parametrize("name", NAMES)
def test_draws_have_the_law(name):
    draws = made(name).sample(20_000, rng=0)
    if name == "rademacher":
        assert set(draws) == {-1, 1} and stats.binomtest(int((draws > 0).sum()), 20_000).pvalue > 1e-9
        return
    cdf = kumaraswamy_cdf if name == "kumaraswamy" else ROWS[name][1].cdf
    assert stats.kstest(draws, cdf).pvalue > 1e-9


@pytest.mark.parametrize("name", ROWS)
def test_log_prob(name):
    law = ROWS[name][1]
    x = law.ppf([1e-12, 1e-3, 0.2, 0.5, 0.9, 1 - 1e-9])
    np.testing.assert_allclose(made(name).log_prob(x), law.logpdf(x), rtol=1e-12, atol=1e-13)
    assert made(name).log_prob(-3.0) == pytest.approx(law.logpdf(-3.0), rel=1e-12)
    assert made(name).log_prob([-np.inf, np.inf]).tolist() == [-np.inf, -np.inf]
    assert np.isnan(made(name).log_prob(np.nan))


@pytest.mark.parametrize(("name", "parameters", "x", "exactly"), [
    ("cauchy", {}, 1e155, lambda x: -mp.log(mp.pi * (1 + x**2))),
    ("cauchy", {"scale": 1e-200}, 1.0, lambda x: -mp.log(mp.pi * (1e-200 + x**2 / 1e-200))),
    ("cauchy", {"scale": 1e-300}, 1e300, lambda x: -mp.log(mp.pi * (1e-300 + x**2 / 1e-300))),
    ("cauchy", {"scale": 1.7e308}, 0.0, lambda x: -mp.log(mp.pi * mpf(1.7e308))),
    ("cauchy", {"scale": 1 / np.pi}, 1e-9, lambda x: -mp.log(mp.pi * (1 / mp.pi + x**2 * mp.pi))),
    ("laplace", {"scale": 1.7e308}, 1.0, lambda x: -x / 1.7e308 - mp.log(2 * mpf(1.7e308))),
    ("normal", {"loc": 1.0}, 1.5e154, lambda x: -(x - 1)**2 / 2 - mp.log(2 * mp.pi) / 2),
    ("gumbel", {"scale": 1e-3}, -1e308, lambda x: -mp.inf),
    ("weibull", {"shape": 1e-3, "scale": 1e308}, 1e-308,
     lambda x: mp.log(1e-3) - mp.log(1e308) + (1e-3 - 1) * mp.log(x / 1e308) - (x / 1e308)**1e-3),
    ("weibull", {"shape": 1e-3, "scale": 1e-308}, 1e308,
     lambda x: mp.log(1e-3) - mp.log(1e-308) + (1e-3 - 1) * mp.log(x / 1e-308) - (x / 1e-308)**1e-3),
    ("kumaraswamy", {"a": 1e200, "b": 1e200}, 1 - 2.0**-53,
     lambda x: mp.log(1e200) * 2 + (1e200 - 1) * mp.log(x) + (1e200 - 1) * mp.log1p(-x**1e200)),
])
@pytest.mark.parametrize("tensors", [False, True])
def test_log_prob_where_a_factor_of_the_density_is_no_double(name, parameters, x, exactly, tensors):
    with mp.workdps(50):
        wanted = float(exactly(mpf(x)))
    x = torch.tensor(x, dtype=torch.float64) if tensors else x
    twelve = 12 * 2.0**-53  # roundings at most, each of the value itself or of a number below 1500
    assert float(reparameterise(name, **parameters).log_prob(x)) == pytest.approx(
        wanted, rel=twelve, abs=1500 * twelve)


def test_log_prob_of_the_others():
    assert made("rademacher").log_prob([-1, 1, 0]).tolist() == [-np.log(2), -np.log(2), -np.inf]
    x = np.array([1e-9, 0.2, 0.7, 1 - 1e-9])
    with mp.workdps(50):
        slope = [float(mp.diff(lambda t: -(1 - t ** mpf(0.6)) ** mpf(2.5), mpf(float(v)), h=mpf(10) ** -20))
                 for v in x]
    np.testing.assert_allclose(made("kumaraswamy").log_prob(x), np.log(slope), rtol=1e-6)
    assert made("kumaraswamy").log_prob([-1, 0, 1, 2]).tolist() == [-np.inf] * 4
    assert reparameterise("exponential", scale=2).log_prob([0.0, -1e-300]).tolist() == [-np.log(2), -np.inf]


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"rademacher", "laplace_ratio", "box_muller"}))
def test_the_jacobian_fits(name):
    """p(g(e)) |g'(e)| is the density of the base law, here by automatic differentiation."""
    row = made(name)
    noise = torch.tensor(row.noise(50, rng=1), requires_grad=True)
    z = row.transform(noise)
    slope, = torch.autograd.grad(z.sum(), noise)
    left = row.log_prob(z.detach().numpy()) + np.log(abs(slope.numpy()))
    np.testing.assert_allclose(left, row.base.logpdf(noise.detach().numpy()), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_and_torch_agree(name):
    row, noise = made(name), made(name).noise(20, rng=2)
    np.testing.assert_allclose(row.transform(torch.tensor(noise)).numpy(), row.transform(noise), rtol=1e-13)
    x = row.transform(noise)
    np.testing.assert_allclose(row.log_prob(torch.tensor(x)).numpy(), row.log_prob(x), rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_of_a_law_get_their_slope(name):
    keys = [key for key in made(name).parameters if key not in made(name).in_base]
    values = {key: torch.tensor(float(value), dtype=torch.float64, requires_grad=key in keys)
              for key, value in made(name).parameters.items()}
    row = reparameterise(name, **values)
    noise = row.noise(rng=3)
    slopes = torch.autograd.grad(row.transform(noise), [values[key] for key in keys]) if keys else ()
    for key, slope in zip(keys, slopes):
        plain = {k: float(v.detach()) for k, v in values.items()}
        up, down = (reparameterise(name, **{**plain, key: plain[key] + d}).transform(noise)
                    for d in (1e-6, -1e-6))
        assert float(slope) == pytest.approx((up - down) / 2e-6, rel=1e-6)


def test_no_nan_in_the_gradient_of_a_log_density():
    scale = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    inside = reparameterise("lognormal", scale=scale).log_prob(torch.tensor([-1.0, 1.0], dtype=torch.float64))
    (slope,) = torch.autograd.grad(inside[1], scale)
    assert slope == -1


def test_shapes():
    row = reparameterise("weibull", shape=[[0.5], [2.0]], scale=[1.0, 2.0, 3.0])
    assert row.shape == row.sample(rng=0).shape == (2, 3)
    assert row.sample((5, 2, 3), rng=0).shape == (5, 2, 3)
    assert row.log_prob(1.0).shape == (2, 3)
    assert reparameterise("box_muller", loc=[0.0, 1.0]).noise((4, 2), rng=0).shape == (4, 2, 2)
    assert np.ndim(reparameterise("logistic").sample(rng=0)) == 0
    assert reparameterise("gumbel").sample(0, rng=0).shape == (0,)
    same = [reparameterise("inverse_gamma", shape=[1.0, 2.0]).sample((3, 2), rng=np.random.default_rng(5))
            for _ in range(2)]
    assert (same[0] == same[1]).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_law_can_be_sent_to_another_process(name):
    law, again = made(name), pickle.loads(pickle.dumps(made(name)))
    assert (again.name, again.parameters) == (law.name, law.parameters)
    assert np.array_equal(again.sample(3, rng=0), law.sample(3, rng=0))
    assert np.array_equal(again.log_prob(0.5), law.log_prob(0.5))


def test_uniform_noise_has_no_ends():
    noise = reparameterise("logistic").noise(10**5, rng=0)
    assert noise.min() > 0 and noise.max() < 1
    assert np.isfinite(reparameterise("gumbel").transform([2.0**-53, 1 - 2.0**-53])).all()
    centred = reparameterise("laplace").noise(10**5, rng=0)
    assert abs(centred).max() < 0.5


# --- Vectors -------------------------------------------------------------------------------------

LOC, FACTOR = np.array([1.0, -2.0, 0.5]), np.array([[2.0, 0.0, 0.0], [-1.0, 0.5, 0.0], [0.3, 1.0, 1.5]])
COVARIANCE = FACTOR @ FACTOR.T
BY_MATRIX = {"scale_tril": FACTOR, "covariance": COVARIANCE}
CLOSE = 100 * np.linalg.cond(COVARIANCE) * 2.0**-53  # what a hundred roundings in 3 dimensions may change


@pytest.mark.parametrize("key", BY_MATRIX)
def test_multivariate_normal_draws_and_densities(key):
    law = reparameterise("multivariate_normal", loc=LOC, **{key: BY_MATRIX[key]})
    assert law.in_base == () and law.shape == ()
    draws = law.sample(20_000, rng=0)
    assert draws.shape == (20_000, 3)
    white = np.linalg.solve(FACTOR, (draws - LOC).T)
    assert all(stats.kstest(z, "norm").pvalue > 1e-9 for z in white)
    for i, j in ((0, 1), (0, 2), (1, 2)):  # sums of independent ones, too
        assert stats.kstest((white[i] + white[j]) / np.sqrt(2), "norm").pvalue > 1e-9
    noise = law.noise(50, rng=1)
    x, jacobian = law.transform(noise), np.log(np.diag(FACTOR)).sum()
    np.testing.assert_allclose(x, LOC + noise @ FACTOR.T, rtol=CLOSE, atol=CLOSE)
    np.testing.assert_allclose(law.log_prob(x), stats.norm.logpdf(noise).sum(-1) - jacobian, rtol=CLOSE)
    peer = stats.multivariate_normal(LOC, COVARIANCE)
    np.testing.assert_allclose(law.log_prob(x), peer.logpdf(x), rtol=CLOSE)
    assert law.log_prob([[np.inf, 0, 0], [0, -np.inf, 0]]).tolist() == [-np.inf] * 2
    assert np.isnan(law.log_prob([np.nan, np.inf, 0])) and isinstance(law.log_prob(LOC), np.float64)
    again = pickle.loads(pickle.dumps(law))
    assert np.array_equal(again.sample(3, rng=0), law.sample(3, rng=0))


def test_in_one_dimension_it_is_the_normal_law():
    row, x = reparameterise("normal", loc=-1.0, scale=[0.5, 2.0]), np.array([0.3, 1e154])
    vector = reparameterise("multivariate_normal", loc=[-1.0], scale_tril=[[[0.5]], [[2.0]]])
    np.testing.assert_allclose(vector.log_prob(x[:, None]), row.log_prob(x), rtol=8 * 2.0**-53)  # roundings
    noise = row.noise((4, 2), rng=0)
    assert np.array_equal(vector.transform(noise[..., None])[..., 0], row.transform(noise))


@pytest.mark.parametrize("key", BY_MATRIX)
def test_multivariate_normal_in_torch(key):
    def leaves():
        return (torch.tensor(v, requires_grad=True) for v in (LOC, BY_MATRIX[key]))

    ours, theirs = list(leaves()), list(leaves())
    law = reparameterise("multivariate_normal", loc=ours[0], **{key: ours[1]})
    peer = torch.distributions.MultivariateNormal(
        theirs[0], **{{"covariance": "covariance_matrix"}.get(key, key): theirs[1]})
    noise = torch.tensor(law.noise((5, 2), rng=0))
    for found, wanted in ((law.transform(noise), theirs[0] + noise @ peer.scale_tril.T),
                          (law.log_prob(noise), peer.log_prob(noise))):
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found.detach(), wanted.detach(), rtol=CLOSE, atol=CLOSE)
        weights = torch.arange(found.numel(), dtype=torch.float64).reshape(found.shape)
        slopes = [torch.autograd.grad((v * weights).sum(), v_leaves, retain_graph=True)
                  for v, v_leaves in ((found, ours), (wanted, theirs))]
        for a, b in zip(*slopes):
            np.testing.assert_allclose(a, b, rtol=CLOSE, atol=CLOSE * abs(b).max())


def test_shapes_of_vectors():
    factors = np.stack([FACTOR, 2 * FACTOR])
    law = reparameterise("multivariate_normal", loc=np.zeros((4, 1, 3)), scale_tril=factors)
    assert law.shape == (4, 2) and law.sample(rng=0).shape == (4, 2, 3)
    assert law.sample((5, 4, 2), rng=0).shape == law.noise((5, 4, 2), rng=0).shape == (5, 4, 2, 3)
    assert law.log_prob(np.zeros(3)).shape == (4, 2)
    centred = reparameterise("multivariate_normal", scale_tril=factors)
    np.testing.assert_allclose(centred.log_prob(LOC), [
        reparameterise("multivariate_normal", scale_tril=one).log_prob(LOC) for one in factors], rtol=CLOSE)


# --- Types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_the_floating_type_that_came_in_comes_back(name, kind):
    narrow = reparameterise(name, **{key: kind(value) for key, value in made(name).parameters.items()})
    noise = narrow.noise((5, 2), rng=0)
    found = narrow.sample(5, rng=0), narrow.sample(rng=0), narrow.transform(noise), narrow.log_prob(0.5)
    assert {a.dtype for a in (noise, *found)} == {narrow.dtype} == {np.dtype(kind)}
    assert narrow.log_prob(np.float64(0.5)).dtype == np.float64
    x = np.array([0.25, 0.5, 1.5], kind)  # a number of Python has no type, as in NumPy
    wide = made(name).log_prob(x.astype(float))
    np.testing.assert_array_equal(made(name).log_prob(x), wide.astype(kind), strict=True)


def test_whole_numbers_and_booleans_are_doubles():
    law = reparameterise("normal", loc=True, scale=2)
    assert law.parameters == {"loc": 1.0, "scale": 2.0} and law.dtype == np.float64
    assert law.log_prob([True, 3]).tolist() == law.log_prob([1.0, 3.0]).tolist()
    assert reparameterise("rademacher").sample(3, rng=0).dtype == np.float64
    with_tensors = law.log_prob(torch.tensor([1, 3]))  # the loc 0.5 would become 0 in their type
    assert with_tensors.tolist() == law.log_prob([1.0, 3.0]).tolist()


def test_of_two_tensors_the_wider_type_is_taken():
    law = reparameterise("normal", loc=torch.zeros(2), scale=torch.tensor(0.1, dtype=torch.float64))
    assert law.sample(rng=0).dtype == law.log_prob(1.0).dtype == torch.float64
    half = reparameterise("gumbel", loc=torch.zeros(2, dtype=torch.bfloat16))
    drawn = half.sample((10_000, 2), rng=0)  # of 512 numbers next to 1 one would be rounded to it
    assert drawn.dtype == half.log_prob(drawn).dtype == torch.bfloat16 and drawn.isfinite().all()


def test_a_law_keeps_its_parameters():
    loc = np.zeros(2)
    law = reparameterise("normal", loc=loc)
    loc[:] = 5
    assert law.transform([0.0, 1.0]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("kind", [np.float16, np.float32, torch.float32])
def test_uniform_noise_has_no_ends_in_its_type_either(kind):
    """Of 4096 cells times 2 ** 10 in the narrowest type, both ends would be there."""
    loc = torch.zeros((), dtype=kind) if isinstance(kind, torch.dtype) else kind(0)
    law = reparameterise("gumbel", loc=loc)

    class Ends(np.random.Generator):
        def integers(self, high, size=None):
            return np.array([0, high - 1])

    noise = law.noise(2, rng=Ends(np.random.PCG64(0)))
    assert 0 < noise[0] < noise[1] < 1 and np.isfinite(np.asarray(law.transform(noise))).all()
