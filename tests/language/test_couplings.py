"""softmaxnotes.language.couplings against pairs of distributions, quadrature, and extreme logits."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.gumbel import gumbel, gumbel_max
from softmaxnotes.language import acceptance, gumbel_agreement, maximal_coupling, shared_draws
from softmaxnotes.softmax import softmax
from tests.language.test_speculative import INF, P, Q, pairs

# --- The maximal coupling ----------------------------------------------------------------


def test_coupling_has_its_margins_and_the_largest_diagonal():
    for first, second in pairs():
        p, q, joint = softmax(first), softmax(second), maximal_coupling(first, second)
        assert (joint >= 0).all()
        np.testing.assert_allclose(joint.sum(axis=1), p, atol=1e-14)
        np.testing.assert_allclose(joint.sum(axis=0), q, atol=1e-14)
        np.testing.assert_allclose(np.diagonal(joint), np.minimum(p, q), atol=1e-15)


def test_couplings_of_batches():
    first, second = np.random.default_rng(0).normal(size=(2, 3, 5))
    joint = maximal_coupling(first[:, None], second)
    for i, j in itertools.product(range(3), repeat=2):
        np.testing.assert_allclose(joint[i, j], maximal_coupling(first[i], second[j]), rtol=1e-13)


# --- Shared noise ----------------------------------------------------------------------------


def by_pairs(first, second):
    p, q = softmax(first), softmax(second)
    total = 0.0
    for k in range(len(p)):
        if p[k] and q[k]:
            total += 1 / sum(max(p[i] / p[k], q[i] / q[k]) for i in range(len(p)))
    return total


def test_agreement_by_pairs_and_between_its_bounds():
    for first, second in pairs(200):
        found, far = gumbel_agreement(first, second), 1 - acceptance(first, second)
        assert abs(found - by_pairs(first, second)) < 1e-13
        assert (1 - far) / (1 + far) - 1e-14 < found < 1 - far + 1e-14
        assert abs(found - gumbel_agreement(second, first)) < 1e-14
        if len(first) <= 2:
            assert abs(found - (1 - far)) < 1e-14


def test_agreement_at_its_bounds():
    for t in (0.01, 0.3, 0.99):
        with np.errstate(divide="ignore"):
            p, q = np.log([1 - t, t, 0]), np.log([1 - t, 0, t])
        assert abs(gumbel_agreement(p, q) - (1 - t) / (1 + t)) < 1e-15
    assert gumbel_agreement(P, P) == pytest.approx(1, abs=1e-15)
    assert gumbel_agreement([0.0, -INF], [-INF, 0.0]) == 0
    assert gumbel_agreement([0.0, -800.0], [0.0, -700.0]) == pytest.approx(1, abs=1e-15)


def test_agreement_by_quadrature():
    """Given the maximum time of the winner, the other two clocks are independent."""
    p, q = softmax(P), softmax(Q)

    def both(k):
        rate = sum(max(p[i] / p[k], q[i] / q[k]) for i in range(3) if i != k)
        return quad(lambda t: np.exp(-t) * np.exp(-t * rate), 0, np.inf)[0]

    assert abs(sum(map(both, range(3))) - gumbel_agreement(P, Q)) < 1e-10


def test_shared_draws_have_their_laws_and_agree():
    def both(size, rng):
        return shared_draws(np.stack([P, Q]), size, rng=rng) @ [3, 1]

    p, q = softmax(P), softmax(Q)
    same = [1 / np.maximum(p / p[k], q / q[k]).sum() for k in range(3)]
    # 1 (of p) with 2 (of q), and 2 with 3, have the same probability here; the rest is 1 with 3
    near = p[1] - same[1]
    law = np.array([[same[0], near, p[0] - same[0] - near], [0, same[1], near], [0, 0, same[2]]])
    np.testing.assert_allclose(law.sum(axis=0), q)
    has_frequencies(both, law.ravel(), effect=0.02, title="two draws")


def test_shared_draws_are_those_of_gumbel_max():
    logits = np.random.default_rng(0).normal(size=(4, 7))
    for seed in range(20):
        found = shared_draws(logits, rng=seed)
        noise = gumbel(7, rng=seed)
        np.testing.assert_array_equal(found, (logits + noise).argmax(axis=1))
        assert found[0] == gumbel_max(logits[0], rng=seed)
        assert shared_draws(logits[:1], rng=seed)[0] == found[0]
    many = shared_draws(np.broadcast_to(P, (2, 3)), 1_000_000, rng=0)  # in several blocks
    assert (many[:, 0] == many[:, 1]).all() and abs((many[:, 0] == 0).mean() - 0.5) < 0.003
    assert shared_draws(np.zeros((6, 2, 5)), (3, 4), rng=0).shape == (3, 4, 6, 2)
    assert shared_draws(np.zeros((2, 5)), 0).shape == (0, 2)
    assert (shared_draws([[0.0, -INF], [-INF, 0.0]], 50, rng=0) == [0, 1]).all()


# --- Policies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [acceptance, gumbel_agreement])
def test_shapes_types_and_nan(measure):
    first, second = np.random.default_rng(0).normal(size=(2, 4, 1, 6))
    assert measure(first, second[:, 0]).shape == (4, 4)
    assert isinstance(measure(P, Q), np.float64)
    assert measure(P.astype(np.float32), Q.astype(np.float32)).dtype == np.float32
    assert measure(P.astype(np.float32), Q).dtype == np.float64
    assert measure([1, 0], [0, 1]).dtype == np.float64
    with_nan = np.stack([P, [np.nan, 0, 0]])
    assert np.isnan(measure(with_nan, Q)).tolist() == [False, True]
    for shift in (1e4, -1e4):
        assert abs(measure(P + shift, Q) - measure(P, Q)) < 1e-11


def test_no_function_warns_and_inputs_stay():
    first, second = np.array([[0.0, -INF, -1e308, 2.0]]), np.array([[-INF, 0.0, -1e308, 2.0]])
    before = first.copy(), second.copy()
    with np.errstate(all="raise"):
        for function in (maximal_coupling, gumbel_agreement):
            assert not np.isnan(function(first, second)).any()
        shared_draws(np.concatenate([first, second]), 5, rng=0)
    np.testing.assert_array_equal(first, before[0])
    np.testing.assert_array_equal(second, before[1])
