"""Statistical assertions: both error rates are computed, not hoped for."""

import math

import numpy as np
import pytest
from scipy import stats

from proofread import Definition, Distributed, Law
from proofread import sympy as sp
from proofread.errors import Refuted
from proofread.evidence import cdf_agrees, frequencies_agree, mean_agrees
from proofread.evidence.statistics import FALSE_ALARM, MISSED, _plan

SEEDS = range(5)
OPTIONS = {"title": "a law"}
x = sp.Symbol("x", real=True)
i, k, n_ = sp.symbols("i k n", integer=True, positive=True)
w = sp.IndexedBase("w", nonnegative=True)


def named(body, *parameters, label="eq-law", head="F"):
    """An equation with a side that is ``body``."""
    return Definition(head, parameters, body, label=label, title="a law")


ENTRY = named(w[k], k, head="p_{#1}")
MEAN = named(w[1])


def frequencies(draw, p, of=ENTRY, **options):
    return frequencies_agree(draw, p, **{"of": of, "at": {w: p}, "index": k, **OPTIONS, **options})


def mean(draw, expected, of=MEAN, **options):
    return mean_agrees(draw, expected, **{"of": of, "at": {w: [expected]}, **OPTIONS, **options})


GUMBEL = named(sp.exp(-sp.exp(-x)), x)
NORMAL = named((1 + sp.erf(x / sp.sqrt(2))) / 2, x)
UNIFORM = named(sp.Max(0, sp.Min(1, x)), x)


def law(draw, cdf, of, **options):
    return cdf_agrees(draw, cdf, **{"of": of, "at": {}, "variable": x, **OPTIONS, **options})


# -- the plan, exactly -----------------------------------------------------------------------------------

@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("effect", [0.02, 0.1, 0.5])
def test_error_rates_of_the_mean_of_a_bernoulli_variable(mean, effect):
    n, threshold = _plan(1.0, effect)
    low, high = math.ceil(n * (mean - threshold)), math.floor(n * (mean + threshold))

    def accepted(p):
        return stats.binom.cdf(high, n, p) - stats.binom.cdf(low - 1, n, p)

    alarm = stats.binom.sf(high, n, mean) + stats.binom.cdf(low - 1, n, mean)
    assert alarm <= FALSE_ALARM
    for other in (mean - effect, mean + effect):
        if 0 <= other <= 1:
            assert accepted(other) <= MISSED + 1e-12


@pytest.mark.parametrize("categories", [2, 5, 40])
@pytest.mark.parametrize("p", [0.0, 0.001, 0.2, 0.5, 0.999])
def test_error_rates_of_the_frequencies(categories, p, effect=0.05):
    n, _ = _plan(1.0, effect, tests=categories)
    counts = np.arange(n + 1)
    tails = 2 * np.minimum(stats.binom.cdf(counts, n, p), stats.binom.sf(counts - 1, n, p))
    rejects = tails < FALSE_ALARM / categories
    assert stats.binom.pmf(counts, n, p)[rejects].sum() <= FALSE_ALARM / categories
    for other in (p - effect, p + effect):
        if 0 <= other <= 1:
            assert stats.binom.pmf(counts, n, other)[~rejects].sum() <= MISSED


def test_the_plan_grows_as_the_effect_shrinks():
    n, threshold = _plan(1.0, 0.01)
    assert 0 < threshold < 0.01
    assert _plan(2.0, 0.02) == (n, pytest.approx(2 * threshold))
    assert _plan(1.0, 0.005)[0] == pytest.approx(4 * n, rel=1e-4)
    assert _plan(1.0, 0.01, tests=10)[0] > n
    for effect in (0, -0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match="effect must lie in"):
            _plan(1.0, effect)


# -- right and wrong samplers, under several seeds ------------------------------------------------------

P = np.array([0.5, 0.3, 0.15, 0.05, 0.0])


def categories(p):
    return lambda n, rng: rng.choice(len(p), size=n, p=p)


@pytest.mark.parametrize("seed", SEEDS)
def test_right_samplers_pass(seed):
    assert frequencies(categories(P), P, effect=0.03, seed=seed).entry().status == "measured"
    assert mean(lambda n, rng: rng.beta(2, 3, n), 0.4, bounds=(0, 1), effect=0.03,
                seed=seed).entry().of == "eq-law"
    assert law(lambda n, rng: rng.gumbel(size=n), stats.gumbel_r.cdf, GUMBEL, effect=0.03,
               seed=seed).entry().mutants == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_an_effect_of_the_stated_size_is_seen(seed):
    moved = P + np.array([0.03, -0.03, 0, 0, 0])
    with pytest.raises(Refuted, match="came .* times in"):
        frequencies(categories(moved), P, effect=0.03, seed=seed)
    with pytest.raises(Refuted, match="the mean of"):
        mean(lambda n, rng: rng.beta(2, 3, n) + 0.03, 0.4, bounds=(0, 1.03), effect=0.03, seed=seed)
    shift = 0.03 / stats.norm.pdf(0) * 1.001  # moves the distribution function by 0.03 at the median
    with pytest.raises(Refuted, match="departs by"):
        law(lambda n, rng: rng.normal(shift, 1, n), stats.norm.cdf, NORMAL, effect=0.03, seed=seed)


def test_the_wrong_sign_of_the_gumbel_noise_is_seen():
    logits = np.array([2.0, 0.0, -1.0])
    p = np.exp(logits) / np.exp(logits).sum()
    z = sp.IndexedBase("z", real=True)
    softmax = named(sp.exp(z[k]) / sp.Sum(sp.exp(z[i]), (i, 1, n_)), k)
    options = {"effect": 0.02, "of": softmax, "at": {z: logits}}
    right = lambda n, rng: np.argmax(logits + rng.gumbel(size=(n, 3)), axis=1)  # noqa: E731
    wrong = lambda n, rng: np.argmax(logits - rng.gumbel(size=(n, 3)), axis=1)  # noqa: E731
    assert frequencies(right, p, **options).entry().kind == "statistical"
    with pytest.raises(Refuted):
        frequencies(wrong, p, **options)


def test_a_category_of_probability_zero_is_never_drawn():
    def once(n, rng):
        sample = rng.choice(5, size=n, p=P)
        sample[0] = 4
        return sample

    with pytest.raises(Refuted, match="category 4 came 1 times"):
        frequencies(once, P, effect=0.05)


def test_a_certain_category():
    assert frequencies(lambda n, rng: np.zeros(n, int), [1.0], effect=0.1).entry().status == "measured"


# -- the equation that gains the evidence -----------------------------------------------------------------

def never(n, rng):
    raise AssertionError("nothing is drawn for the wrong equation")


@pytest.mark.parametrize("wrong", [-w[1], 2 * w[1], 1 - w[1], 1 / w[1], w[1] + sp.Rational(1, 10**6)],
                         ids=str)
def test_the_mean_of_another_equation_is_no_evidence(wrong):
    with pytest.raises(ValueError, match="the expected value is no side of eq-wrong at the values given"):
        mean(never, 0.4, bounds=(0, 1), effect=0.1, of=named(wrong, label="eq-wrong"))


@pytest.mark.parametrize("wrong", [-w[k], 2 * w[k], 1 - w[k], w[1], w[k] ** 2], ids=str)
def test_the_frequencies_of_another_equation_are_no_evidence(wrong):
    with pytest.raises(ValueError, match="is no side of eq-wrong"):
        frequencies(never, P, effect=0.1, of=named(wrong, label="eq-wrong"))


@pytest.mark.parametrize("wrong", [
    -GUMBEL.body, 2 * GUMBEL.body, 1 - GUMBEL.body, sp.exp(-sp.exp(x)), sp.exp(-x - sp.exp(-x)),
    sp.exp(-2 * sp.exp(-x)),
    sp.exp(-sp.exp(-x / 2)), sp.exp(-sp.exp(-abs(x)))], ids=str)
def test_the_law_of_another_equation_is_no_evidence(wrong):
    with pytest.raises(ValueError, match="is no side of eq-wrong"):
        law(never, stats.gumbel_r.cdf, named(wrong, x, label="eq-wrong"), effect=0.1)


def test_a_distribution_function_that_is_not_the_stated_one_is_refused():
    for cdf in (stats.norm.cdf, stats.gumbel_r.sf, stats.gumbel_l.cdf,
                lambda t: stats.gumbel_r.cdf(t, scale=1.001)):
        with pytest.raises(ValueError, match="is no side of eq-law"):
            law(never, cdf, GUMBEL, effect=0.1)


def test_the_values_given_count():
    rate = sp.Symbol("r", positive=True)
    falling = named(1 - sp.exp(-rate * sp.Max(x, 0)), x)
    options = {"of": falling, "effect": 0.05}
    draw = lambda n, rng: rng.exponential(0.5, n)  # noqa: E731
    cdf = stats.expon(scale=0.5).cdf
    assert law(draw, cdf, at={rate: 2.0}, **options).entry().status == "measured"
    with pytest.raises(ValueError, match="is no side of eq-law"):
        law(never, cdf, at={rate: 0.5}, **options)
    with pytest.raises(ValueError, match="is no side of eq-law"):
        law(never, cdf, **options)
    with pytest.raises(ValueError, match="is no side of eq-law"):
        mean(never, 0.4, bounds=(0, 1), effect=0.1, at={w: [0.6]})
    with pytest.raises(ValueError, match="is no side of eq-law"):
        frequencies(never, P, effect=0.1, at={w: P[::-1]})


def test_a_mean_may_be_taken_through_a_function():
    logarithm = named(sp.log(w[1]))
    draw = lambda n, rng: rng.beta(2, 3, n)  # noqa: E731
    options = {"bounds": (0, 1), "effect": 0.1, "of": logarithm}
    assert mean(draw, 0.4, through=math.exp, **options).entry().of == "eq-law"
    for through in (None, lambda v: -math.exp(v)):
        with pytest.raises(ValueError, match="is no side of eq-law"):
            mean(never, 0.4, through=through, **options)


def test_the_law_of_a_positive_variable_is_asked_where_it_may_be():
    t = sp.Symbol("t", positive=True)
    draw = lambda n, rng: rng.exponential(size=n)  # noqa: E731
    right, wrong = named(1 - sp.exp(-t), t), named(sp.exp(-t), t, label="eq-wrong")
    assert law(draw, stats.expon.cdf, right, variable=t, effect=0.05).entry().of == "eq-law"
    with pytest.raises(ValueError, match="is no side of eq-wrong"):
        law(never, stats.expon.cdf, wrong, variable=t, effect=0.05)


def test_a_distribution_function_is_called_with_many_values():
    columns = lambda v: stats.gumbel_r.cdf(v[:, None] - np.zeros(1)).prod(axis=1)  # noqa: E731
    assert law(lambda n, rng: rng.gumbel(size=n), columns, GUMBEL, effect=0.05).entry().of == "eq-law"


def test_a_statement_about_laws_is_no_statement_about_a_number():
    u, t = sp.symbols("U T", positive=True)
    waiting = Distributed(-sp.log(u), Law("u", u, 1, 0, 1), Law("e", t, sp.exp(-t), 0, sp.oo),
                          increasing=False,
                          label="eq-waiting", title="waiting")
    with pytest.raises(ValueError, match="is no side of eq-waiting"):
        law(never, stats.expon.cdf, waiting, variable=t, effect=0.05)


def test_a_label_names_what_was_displayed():
    with pytest.raises(ValueError, match="no equation 'eq-law' has been displayed"):
        law(never, stats.gumbel_r.cdf, "eq-law", effect=0.1)
    GUMBEL._repr_mimebundle_()
    assert law(lambda n, rng: rng.gumbel(size=n), stats.gumbel_r.cdf, "eq-law",
               effect=0.1).entry().of == "eq-law"


# -- clear errors ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("sample", [
    lambda n, rng: np.zeros(n - 1, int), lambda n, rng: np.zeros((n, 1), int), lambda n, rng: np.zeros(n),
    lambda n, rng: np.full(n, 2), lambda n, rng: np.full(n, -1), lambda n, rng: None,
])
def test_draws_that_are_no_categories(sample):
    with pytest.raises(ValueError, match=r"must return .* integers in \[0, 2\)"):
        frequencies(sample, [0.5, 0.5], effect=0.1)


@pytest.mark.parametrize("p", [[0.5, 0.6], [1.5, -0.5], [[0.5, 0.5]], [0.5, math.nan], []])
def test_probabilities_that_are_none(p):
    with pytest.raises(ValueError, match="sum to one"):
        frequencies(lambda n, rng: np.zeros(n, int), p, effect=0.1)


def test_draws_of_the_wrong_shape():
    with pytest.raises(ValueError, match="must return shape"):
        mean(lambda n, rng: rng.random((n, 2)), 0.5, bounds=(0, 1), effect=0.1)
    with pytest.raises(ValueError, match="must return"):
        law(lambda n, rng: rng.random(n + 1), stats.uniform.cdf, UNIFORM, effect=0.1)


def test_draws_outside_their_bounds():
    for value in (1.5, -0.1, math.nan, math.inf):
        with pytest.raises(Refuted, match="outside"):
            mean(lambda n, rng, value=value: np.append(rng.random(n - 1), value), 0.5, bounds=(0, 1),
                 effect=0.1)


def test_nothing_that_is_not_a_number_passes():
    with pytest.raises(ValueError, match="NaN"):
        law(lambda n, rng: np.full(n, math.nan), stats.norm.cdf, NORMAL, effect=0.1)
    with pytest.raises(ValueError, match="is no side of eq-law"):
        law(never, lambda t: t * math.nan, UNIFORM, effect=0.1)
    with pytest.raises(Refuted):  # right at the few places where it is compared with the equation
        law(lambda n, rng: rng.random(n), lambda t: stats.uniform.cdf(t) if len(t) < 9 else t * math.nan,
            UNIFORM, effect=0.1)
    with pytest.raises(ValueError, match="is no side of eq-law"):
        mean(never, math.nan, bounds=(0, 1), effect=0.1, at={w: [0.5]})


def test_the_sentence_states_both_error_rates():
    sentence, = mean(lambda n, rng: rng.random(n), 0.5, bounds=(0, 1), effect=0.05).entry().findings
    assert "14,236 draws" in sentence
    assert "a departure of 0.05 would be seen with probability 1\u00a0−\u00a010⁻⁶" in sentence
    assert "a false alarm has probability 10⁻⁹" in sentence


def test_fresh_seeds_change_the_stream(monkeypatch):
    streams = []

    def draw(n, rng):
        streams.append(rng.random(n))
        return streams[-1]

    for fresh in ("", "0", "1", "2"):
        monkeypatch.setenv("PROOFREAD_FRESH_SEED", fresh) if fresh else monkeypatch.delenv(
            "PROOFREAD_FRESH_SEED", raising=False)
        mean(draw, 0.5, bounds=(0, 1), effect=0.1)
    assert np.array_equal(streams[0], streams[1])
    assert not np.array_equal(streams[1], streams[2])
    assert not np.array_equal(streams[2], streams[3])
