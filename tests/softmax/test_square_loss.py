"""softmaxnotes.softmax.square_loss: what sets it apart; the rest is in test_likelihoods."""

from functools import partial

import numpy as np
import pytest
from softmax.test_likelihoods import exact_categorical, onehot

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
