"""softmaxnotes.rewards.arsm: equal to the dense definition, unbiased by exact areas, and what is refused."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proofread.evidence.statistics import has_mean
from softmaxnotes.experiments.rewards.arsm import (
    silent_region,
    swap_quadrature,
    swap_regions,
    swapped_actions,
)
from softmaxnotes.gradients import exact_gradient
from softmaxnotes.rewards import ar_gradient, ars_gradient, arsm_gradient
from softmaxnotes.softmax import softmax

INF, NAN = np.inf, np.nan
ESTIMATORS = [ar_gradient, ars_gradient, arsm_gradient]


class Scripted(np.random.Generator):
    """A generator whose exponential numbers are given."""

    def __init__(self, times):
        super().__init__(np.random.PCG64(0))
        self.times = np.asarray(times, float).ravel()

    def standard_exponential(self, size=None):
        count = int(np.prod(size))
        now, self.times = self.times[:count], self.times[count:]
        return now.reshape(size)


# --- The definition, as slow and as plain as it can be ---------------------------------


def winner(logits, shares):
    return min(range(len(logits)), key=lambda i: (np.log(shares[i]) - (logits[i] - logits.max()), i))


def dense_actions(logits, shares):
    """The matrix of winners of one variable; a masked class takes no part."""
    c = len(logits)
    found = np.zeros((c, c), int)
    for a, b in itertools.product(range(c), repeat=2):
        swapped = shares.copy()
        if logits[a] > -INF and logits[b] > -INF:
            swapped[a], swapped[b] = shares[b], shares[a]
        with np.errstate(all="ignore"):
            found[a, b] = winner(logits, np.where(logits > -INF, swapped, 1.0))
    return found


def dense(f, logits, times):
    """ARSM of one draw, by the definition, and how many outcomes differ; logits (K, C)."""
    k, c = logits.shape
    open_ = logits > -INF
    shares = np.where(open_, times, 0) / np.where(open_, times, 0).sum(axis=1, keepdims=True)
    actions = np.stack([dense_actions(*row) for row in zip(logits, times)], axis=-1)  # (C, C, K)
    values = f(actions.reshape(-1, k)).reshape(c, c)
    g = np.zeros((k, c))
    for v in range(k):
        chosen = np.flatnonzero(open_[v])
        part, n = values[np.ix_(chosen, chosen)], len(chosen)
        weight = 1 - n * shares[v, chosen]
        g[v, chosen] = ((part - part.mean(axis=0)) * weight).sum(axis=1) / n
    return g, len({tuple(z) for z in actions.reshape(-1, k)})


def payoff(z):
    """A different value for each outcome."""
    z = np.asarray(z).reshape(len(z), -1)
    return np.sin(z @ (1.0 + np.arange(z.shape[1])) ** 2) + z[:, 0]


sometimes_masked = st.one_of(st.floats(-6, 6), st.just(-INF), st.sampled_from([0.0, 1.0]))


@st.composite
def draws(draw, variables):
    k, c = draw(variables), draw(st.integers(1, 6))
    logits = np.array(draw(st.lists(sometimes_masked, min_size=k * c, max_size=k * c))).reshape(k, c)
    logits[np.arange(k), draw(st.lists(st.integers(0, c - 1), min_size=k, max_size=k))] = 0.5
    times = draw(st.lists(st.one_of(st.floats(1e-3, 9), st.sampled_from([0.25, 0.5, 1.0])),
                          min_size=k * c, max_size=k * c))
    return logits, np.array(times).reshape(k, c)


@given(draws(st.just(1)))
@settings(max_examples=150)
def test_one_variable_is_the_dense_definition(given_draw):
    logits, times = given_draw
    want, outcomes = dense(payoff, logits, times)
    found = arsm_gradient(payoff, logits[0], rng=Scripted(times))
    np.testing.assert_allclose(found.gradient, want[0], rtol=1e-12, atol=1e-14)
    assert found.n_evaluations == outcomes
    np.testing.assert_array_equal(swapped_actions(logits[0], times[0]), dense_actions(logits[0], times[0]))


@given(draws(st.integers(1, 3)))
@settings(max_examples=150)
def test_several_variables_are_the_dense_definition(given_draw):
    logits, times = given_draw
    want, outcomes = dense(payoff, logits, times)
    found = arsm_gradient(payoff, logits, rng=Scripted(times))
    np.testing.assert_allclose(found.gradient, want, rtol=1e-12, atol=1e-14)
    assert found.n_evaluations == outcomes
    assert np.all(found.gradient[logits == -INF] == 0)


@given(draws(st.integers(1, 3)), st.integers(0, 5))
@settings(max_examples=100)
def test_swaps_with_a_reference_are_the_dense_definition(given_draw, reference):
    logits, times = given_draw
    k, c = logits.shape
    reference = reference % c
    assume((logits[:, reference] > -INF).all())
    found = ars_gradient(payoff, logits, n_samples=1, reference=reference, rng=Scripted(times))
    actions = np.stack([dense_actions(*row)[reference] for row in zip(logits, times)], axis=-1)
    values, want = payoff(actions), np.zeros((k, c))
    for v in range(k):
        chosen = logits[v] > -INF
        share = times[v, reference] / times[v, chosen].sum()
        want[v, chosen] = (values[chosen] - values[chosen].mean()) * (1 - chosen.sum() * share)
    np.testing.assert_allclose(found.gradient, want, rtol=1e-12, atol=1e-14)
    assert found.n_evaluations == len({tuple(z) for z in actions})


@pytest.mark.parametrize("scale", [0, 1, 3, 10])
@pytest.mark.parametrize("c", [2, 3, 10, 25])
def test_many_draws_of_many_classes(scale, c):
    rng = np.random.default_rng(c)
    logits, times = scale * rng.normal(size=c), rng.exponential(size=(5, c))
    found = arsm_gradient(payoff, logits, size=5, rng=Scripted(times))
    want = [dense(payoff, logits[None], one[None]) for one in times]
    np.testing.assert_allclose(found.gradient, [g[0] for g, _ in want], rtol=1e-11, atol=1e-13)
    assert found.n_evaluations == sum(n for _, n in want)


def test_the_vectorised_definition_in_two_lines():
    rng = np.random.default_rng(1)
    logits, w = rng.normal(size=7), rng.dirichlet(np.ones(7))
    pulled = payoff(swapped_actions(logits, w).ravel()).reshape(7, 7) @ (1 / 7 - w)
    found = arsm_gradient(payoff, logits, rng=Scripted(w)).gradient
    np.testing.assert_allclose(found, pulled - pulled.mean(), atol=1e-14)


def test_a_hundred_thousand_classes():
    rng = np.random.default_rng(0)
    for scale in (0.0, 2.0):
        found = arsm_gradient(lambda z: np.cos(z), scale * rng.normal(size=10**5), rng=1)
        assert abs(found.gradient.sum()) < 1e-9 and 1 < found.n_evaluations <= 10**5
        assert np.any(found.gradient)


# --- Unbiased: by exact areas for three classes, by intervals for two ------------------


LAWS = [(5, 3, 2), (1, 1, 1), (18, 1, 1), (1, 2, 4)]


@pytest.mark.parametrize("law", LAWS)
def test_unbiased_for_three_classes_exactly(law):
    # on a region all three are linear in the shares, or constant times linear: its centroid is its mean
    regions, values = swap_regions(law), [Fraction(1), Fraction(-3), Fraction(7, 2)]
    total = sum(law)
    mean = sum(Fraction(p, total) * v for p, v in zip(law, values))
    want = [Fraction(p, total) * (v - mean) for p, v in zip(law, values)]
    ar, ars, arsm = ([Fraction(0)] * 3 for _ in range(3))
    for region in regions:
        weight = [1 - 3 * w for w in region.centre]
        paid = [[values[z] for z in row] for row in region.actions]
        for c in range(3):
            gain = [paid[c][j] - sum(paid[m][j] for m in range(3)) / 3 for j in range(3)]
            ar[c] += region.area * paid[0][0] * weight[c]
            ars[c] += region.area * gain[1] * weight[1]
            arsm[c] += region.area * sum(g * w for g, w in zip(gain, weight)) / 3
    assert ar == ars == arsm == want


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_functions_are_unbiased_for_three_classes(estimator, law):
    regions, values = swap_regions(law), np.array([1.0, -3.0, 3.5])
    options = {"reference": 2} if estimator is ars_gradient else {}
    found = estimator(lambda z: values[z], np.log(law), n_samples=1, size=len(regions), **options,
                      rng=Scripted([region.centre for region in regions]))
    mean = np.array([region.area for region in regions], float) @ found.gradient
    np.testing.assert_allclose(mean, exact_gradient(lambda z: values[z], np.log(law)).gradient, atol=1e-14)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_unbiased_for_two_variables_exactly(estimator):
    laws, table = ((5, 3, 2), (1, 4, 2)), np.random.default_rng(0).normal(size=(3, 3))
    one, two = (swap_regions(law) for law in laws)
    places = np.array([[a.centre, b.centre] for a in one for b in two], float)
    areas = np.array([a.area * b.area for a in one for b in two], float)
    options = {"reference": 0} if estimator is ars_gradient else {}
    f = lambda z: table[z[:, 0], z[:, 1]]  # noqa: E731
    found = estimator(f, np.log(laws), n_samples=1, size=len(areas), **options, rng=Scripted(places))
    np.testing.assert_allclose(np.tensordot(areas, found.gradient, axes=1),
                               exact_gradient(f, np.log(laws)).gradient, atol=1e-14)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_two_classes_of_several_variables_exactly(estimator):
    # the middle of a rectangle is its mean, as each estimate is a constant times one share
    p = np.array([0.7, 0.2, 0.55])
    edges = [sorted({0, one, 1 - one, 1}) for one in p]
    pieces = [list(zip(e[:-1], e[1:])) for e in edges]
    cells = list(itertools.product(*pieces))
    middles = np.array([[(a + b) / 2 for a, b in cell] for cell in cells])
    sizes = np.array([np.prod([b - a for a, b in cell]) for cell in cells])
    logits = np.log(np.stack([p, 1 - p], axis=1))
    options = {"reference": 1} if estimator is ars_gradient else {}
    found = estimator(payoff, logits, n_samples=1, size=len(cells), **options,
                      rng=Scripted(np.stack([middles, 1 - middles], axis=-1)))
    np.testing.assert_allclose(np.tensordot(sizes, found.gradient, axes=1),
                               exact_gradient(payoff, logits).gradient, atol=1e-14)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_masked_classes_are_unbiased(estimator):
    # each row masks another class; what is left is the mean over n draws
    logits = np.array([[0.3, -INF, 1.0, 0.0], [0.0, 0.5, -INF, -1.0]])
    exact = exact_gradient(payoff, logits).gradient
    for place in [(0, 0), (0, 2), (0, 3), (1, 1)]:
        def sample(n, rng, place=place):
            return estimator(payoff, logits, n_samples=1, size=n, rng=rng).gradient[(..., *place)]
        has_mean(sample, exact[place], bounds=(-30, 30), effect=1.0, title="masked")
    found = estimator(payoff, logits, n_samples=3, size=(2, 5), rng=0).gradient
    assert np.all(found[..., logits == -INF] == 0) and np.any(found)


def test_two_classes_are_arm():
    p, rng = np.array([0.7, 0.3]), np.random.default_rng(0)
    u = rng.random(1000)
    found = arsm_gradient(payoff, np.log(p), size=1000, rng=Scripted(np.stack([u, 1 - u], 1))).gradient
    drawn, swapped = (payoff((one > p[0]).astype(int)) for one in (u, 1 - u))
    np.testing.assert_allclose(found[:, 0], (drawn - swapped) * (0.5 - u), atol=1e-15)
    silent = np.all(found == 0, axis=1)
    np.testing.assert_array_equal(silent, (u > 0.3) & (u < 0.7))


# --- The triangle ---------------------------------------------------------------------


@pytest.mark.parametrize("law, silent", [
    ((5, 3, 2), Fraction(321, 4433)), ((1, 1, 1), Fraction(0)), ((18, 1, 1), Fraction(289, 370))])
def test_the_silent_share(law, silent):
    regions = swap_regions(law)
    assert sum(region.area for region in regions) == 1
    assert sum(region.area for region in regions if len(np.unique(region.actions)) == 1) == silent
    assert silent_region(law)[1] == silent


@pytest.mark.parametrize("law", [*LAWS, (2, 9, 3), (3, 3, 1), (0.1, 0.2, 0.3),
                                 (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))])
def test_the_silent_region(law):
    regions = [region for region in swap_regions(law) if len(np.unique(region.actions)) == 1]
    corners, area = silent_region(law)
    assert area == sum(region.area for region in regions) and bool(corners) == bool(area)
    if corners:
        mixed = np.random.default_rng(0).dirichlet(np.ones(len(corners)), 50)
        inside = mixed @ np.array(corners, float)
        assert (swapped_actions(np.log(np.array(law, float)), inside) == law.index(max(law))).all()


@pytest.mark.parametrize("law", LAWS)
def test_the_quadrature_is_exact(law):
    shares, weights = swap_quadrature(law)
    assert shares.min() > 0
    moments = [weights.sum(), *weights @ shares, *weights @ shares**2]
    np.testing.assert_allclose(moments, [1] + [1 / 3] * 3 + [1 / 6] * 3)
    logits, values = np.log(law), np.array([1.0, -3.0, 3.5])
    n = 400_000
    for estimator, bound in ((ar_gradient, 49), (arsm_gradient, 90)):
        at_nodes = estimator(lambda z: values[z], logits, n_samples=1, size=len(shares), rng=Scripted(shares))
        drawn = estimator(lambda z: values[z], logits, n_samples=1, size=n, rng=0).gradient
        square = weights @ at_nodes.gradient**2
        np.testing.assert_allclose((drawn**2).mean(axis=0), square, atol=7 * bound / np.sqrt(n))


@pytest.mark.parametrize("law", LAWS)
def test_regions_tell_what_the_swaps_do(law):
    # up to ties, which the middle of a region doesn't have
    regions = swap_regions(law)
    for i in range(3):
        area = sum(region.area for region in regions if region.actions[0, 0] == i)
        assert area == Fraction(law[i], sum(law))
    inside = np.array([region.centre for region in regions], float)
    actions = [region.actions for region in regions]
    np.testing.assert_array_equal(swapped_actions(np.log(law), inside), actions)


# --- Shapes, invariances, edges -------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("shape", [(4,), (1, 4), (3, 4)])
@pytest.mark.parametrize("size", [None, 0, 5, (2, 3)])
def test_shapes(estimator, shape, size):
    seen = []
    f = lambda z: seen.append(z.shape[1:]) or np.ones(len(z))  # noqa: E731
    found = estimator(f, np.zeros(shape), n_samples=2, size=size, rng=0)
    lead = () if size is None else (size,) if isinstance(size, int) else size
    assert found.gradient.shape == lead + shape and isinstance(found.n_evaluations, int)
    assert set(seen) <= {shape[:-1]}
    if estimator is ar_gradient:
        assert found.n_evaluations == 2 * int(np.prod(lead))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_rows_add_up_to_zero_and_a_common_shift_changes_nothing(estimator):
    logits = np.random.default_rng(0).normal(size=(2, 5))
    moved = logits + [[64.0], [-8.0]]
    one, two = (estimator(payoff, x, n_samples=3, size=50, rng=1) for x in (logits, moved))
    np.testing.assert_allclose(one.gradient.sum(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(one.gradient, two.gradient, atol=1e-12)


@pytest.mark.parametrize("estimator", [ars_gradient, arsm_gradient])
def test_a_constant_drops_out(estimator):
    logits = np.random.default_rng(0).normal(size=(2, 5))
    assert not estimator(lambda z: np.full(len(z), 1e9), logits, n_samples=3, rng=1).gradient.any()
    one, two = (estimator(lambda z, b=b: payoff(z).round(3) + b, logits, n_samples=1, size=9, rng=1).gradient
                for b in (0, 2.0**20))
    np.testing.assert_allclose(one, two, atol=1e-8)


@pytest.mark.parametrize("logits", [[0.0], [[0.0]] * 2, [0.0, -INF], [[0.0, -INF], [-INF, 3.0]]])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_single_class_has_the_gradient_zero(estimator, logits):
    if estimator is ars_gradient and np.ndim(logits) == 2 and len(logits[0]) == 2:
        return  # there is no reference
    assert not estimator(payoff, logits, n_samples=2, rng=0).gradient.any()


@pytest.mark.parametrize("logits", [[1e300, -1e300, 1e300], [-1e308, 1e308, 0.0], [0.0, -800.0, -1e5]])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_extreme_logits(estimator, logits):
    found = estimator(payoff, logits, n_samples=2000, rng=0)
    np.testing.assert_allclose(found.gradient, exact_gradient(payoff, logits).gradient, atol=0.25)


def test_a_share_of_zero():
    times = [0.0, 1.0, 2.0, 0.0]
    np.testing.assert_array_equal(swapped_actions([-5.0, 1.0, 0.0, -INF], times)[0], [0, 1, 2, 0])
    found = arsm_gradient(payoff, [-5.0, 1.0, 0.0, -INF], rng=Scripted(times))
    assert np.isfinite(found.gradient).all() and found.n_evaluations == 3


def test_ties_go_to_the_smaller_class():
    np.testing.assert_array_equal(swapped_actions(np.zeros(3), np.ones(3)), np.zeros((3, 3)))
    np.testing.assert_array_equal(swapped_actions([0.0, 1.0, 1.0], np.ones(3)), np.ones((3, 3)))


def test_many_samples_are_means_of_single_ones():
    logits = np.random.default_rng(3).normal(size=(2, 4))
    for estimator in ESTIMATORS:
        options = {"reference": 1} if estimator is ars_gradient else {}
        single = estimator(payoff, logits, n_samples=1, size=(6, 5), rng=4, **options)
        grouped = estimator(payoff, logits, n_samples=5, size=6, rng=4, **options)
        np.testing.assert_allclose(grouped.gradient, single.gradient.mean(axis=1), atol=1e-13)
        assert grouped.n_evaluations == single.n_evaluations


def test_blocks_change_nothing(monkeypatch):
    logits = np.random.default_rng(3).normal(size=(2, 4))
    for estimator in ESTIMATORS:
        options = {"reference": 1} if estimator is ars_gradient else {}
        whole = estimator(payoff, logits, n_samples=5, size=6, rng=4, **options)
        monkeypatch.setattr("softmaxnotes.rewards.arsm._BLOCK", 7 * 32)
        parts = estimator(payoff, logits, n_samples=5, size=6, rng=4, **options)
        monkeypatch.undo()
        np.testing.assert_allclose(whole.gradient, parts.gradient, atol=1e-13)
        assert whole.n_evaluations == parts.n_evaluations


def test_swapped_actions_broadcast():
    w = np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 2))
    logits = np.array([[0.0, 1.0, -INF], [0.3, 0.0, 1.0]])
    found = swapped_actions(logits, w)
    assert found.shape == (4, 2, 3, 3)
    for a, k in itertools.product(range(4), range(2)):
        np.testing.assert_array_equal(found[a, k], dense_actions(logits[k], w[a, k]))
    assert swapped_actions(logits[0], w).shape == (4, 2, 3, 3)
    assert swapped_actions(np.zeros(3), np.ones((0, 3))).shape == (0, 3, 3)


def test_the_draws_follow_the_softmax():
    logits, counts = np.array([0.3, -1.0, 1.0, 0.0]), np.zeros(4)
    def count(z):
        counts[:] += np.bincount(z, minlength=4)
        return np.zeros(len(z))
    ar_gradient(count, logits, n_samples=10**5, rng=0)
    np.testing.assert_allclose(counts / 1e5, softmax(logits), atol=0.011)  # 7 standard errors
