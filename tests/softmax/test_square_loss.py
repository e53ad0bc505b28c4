"""softmaxnotes.softmax.square_loss: what sets it apart; the rest is in test_likelihoods."""

from functools import partial

import numpy as np
import pytest
from softmax.test_likelihoods import exact_categorical, onehot

from softmaxnotes.experiments.softmax.square_loss import LEARNERS, _pull, learn_digits
from softmaxnotes.softmax import categorical_nll, softmax, squared_loss

approx = partial(pytest.approx, abs=0)


def test_the_textbook_formulas_lose_those_digits():
    x = np.array([40.0, 0.0, 1.0])
    p, y = softmax(x), onehot(0, 3)
    textbook = 2 * p * ((p - y) - p @ (p - y))
    exact = exact_categorical(x, y)[squared_loss][1][0]
    assert abs(textbook[0] - exact) > 0.5 * abs(exact)
    assert (p - y)[0] == 0 and categorical_nll(x, 0).gradient[0] < 0
    assert squared_loss(x, 0).gradient[0] == approx(float(exact), rel=1e-13)


def test_it_is_bounded_and_lets_go():
    lead = np.array([0.0, 10.0, 100.0, 700.0])
    wrong = squared_loss(np.stack([0 * lead, lead], axis=-1), np.zeros(4, int))
    assert (np.diff(wrong.value) >= 0).all() and wrong.value[-1] == 2
    # both logits move by 4 sigma(-L) where the model is sure and wrong
    assert wrong.gradient[2, 0] == approx(-4 * np.exp(-100), rel=1e-13)
    assert 0 < -wrong.gradient[3, 0] < 1e-300


@pytest.mark.parametrize("loss", ["cross-entropy", "square loss", "square loss on logits"])
def test_learners_descend_on_the_losses_of_the_package(loss):
    rng = np.random.default_rng(0)
    logits, labels = rng.normal(size=(5, 10)), rng.integers(10, size=5)
    pull = {"cross-entropy": lambda: categorical_nll(logits, labels).gradient,
            "square loss": lambda: squared_loss(logits, labels).gradient,
            "square loss on logits": lambda: 2 * (logits - np.eye(10)[labels])}[loss]
    assert np.allclose(_pull(loss, logits, np.eye(10)[labels]), pull())


def test_learners_learn_and_choose_from_as_many_steps():
    start = learn_digits("untrained", seed=1, budget=50, spread=2.0)
    for method in LEARNERS[1:]:
        assert learn_digits(method, seed=1, budget=30, lr=0.3) > 0.5
        assert learn_digits(method, seed=1, budget=0, spread=2.0) == start
    assert learn_digits("untrained", seed=1, budget=50) == learn_digits("untrained", seed=1, budget=9)


def test_wrong_labels_are_a_share_and_wrong():
    right = learn_digits("cross-entropy", seed=1, budget=100)
    assert learn_digits("cross-entropy", seed=1, budget=100, mislabelled=0.9) < right - 0.3
