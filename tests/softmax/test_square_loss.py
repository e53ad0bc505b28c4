"""softmaxnotes.softmax.square_loss: what sets it apart; the rest is in test_likelihoods."""

from functools import partial

import numpy as np
import pytest
from softmax.test_likelihoods import exact_categorical, onehot

from softmaxnotes.experiments.softmax.square_loss import (
    EXPONENT,
    LEARNERS,
    LOSSES,
    SMOOTHING,
    _descend,
    _forward,
    _start,
    correct_labels,
    find_wrong,
    give_up_classes,
    gradient,
    keep_wrong,
    learn_clouds,
    learn_digits,
    score_probabilities,
)
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


ONE_HOT = np.eye(10)


def value(loss, logits, targets):
    p = softmax(logits)
    of_label = (p * targets).sum(axis=1)
    smoothed = (1 - SMOOTHING) * targets + SMOOTHING / 10
    return {"cross-entropy": lambda: -np.log(of_label),
            "label smoothing": lambda: -(smoothed * np.log(p)).sum(axis=1),
            "square loss": lambda: ((p - targets) ** 2).sum(axis=1),
            "square loss on logits": lambda: ((logits - targets) ** 2).sum(axis=1),
            "absolute error": lambda: abs(p - targets).sum(axis=1),
            "generalised cross-entropy": lambda: (1 - of_label**EXPONENT) / EXPONENT}[loss]()


@pytest.mark.parametrize("loss", LOSSES)
def test_the_gradient_is_that_of_the_loss(loss):
    rng = np.random.default_rng(0)
    logits, targets = rng.normal(size=(5, 10)), ONE_HOT[rng.integers(10, size=5)]
    for j in range(10):
        up, down = (value(loss, logits + h * ONE_HOT[j], targets) for h in (1e-5, -1e-5))
        assert np.allclose((up - down) / 2e-5, gradient(loss, logits, targets)[:, j], atol=1e-8)


@pytest.mark.parametrize("hidden", [0, 5])
@pytest.mark.parametrize("adam", [False, True])
def test_a_step_descends_on_the_mean_loss(hidden, adam):
    rng = np.random.default_rng(1)
    x, targets = rng.normal(size=(20, 64)), ONE_HOT[rng.integers(10, size=20)]
    start = [layer.astype(float) for layer in _start(hidden, 1)]
    found = _descend(start, x, targets, "square loss", 1, 0.01, adam)
    for which, (layer, moved) in enumerate(zip(start, found)):
        for place in [(0, 0), (3, 2), (layer.shape[0] - 1, 1)]:
            ends = []
            for h in (1e-5, -1e-5):
                other = [one.copy() for one in start]
                other[which][place] += h
                ends.append(value("square loss", _forward(other, x)[1], targets).mean())
            slope = (ends[0] - ends[1]) / 2e-5
            step = moved[place] - layer[place]
            if adam:  # the first step has the length of the rate, whatever the slope
                assert abs(slope) < 1e-4 or np.isclose(step, -0.01 * np.sign(slope), rtol=0.01)
            else:
                assert np.isclose(step, -0.01 * slope, rtol=1e-4, atol=1e-9)


def test_learners_learn():
    start = learn_digits("untrained", seed=1, budget=50)
    assert start < 0.3 and start == learn_digits("untrained", seed=1, budget=9)
    for method in LEARNERS[1:]:
        rate = 0.01 if "Adam" in method else 0.03
        assert learn_digits(method, seed=1, budget=60, lr=rate, hidden=16) > start
        assert learn_digits(method, seed=1, budget=0) == start


def test_labels_are_exchanged_after_training_and_wrong_ones_are_a_share():
    kept = learn_digits("untrained", seed=1, budget=0, exchanged=True)
    assert 0.7 < kept < 0.85  # all but the threes and the eights
    assert learn_digits("cross-entropy, Adam", seed=1, budget=60, exchanged=True, lr=0.01) > kept + 0.1
    right = learn_digits("cross-entropy, Adam", seed=1, budget=100, hidden=0)
    assert learn_digits("cross-entropy, Adam", seed=1, budget=100, hidden=0, mislabelled=0.9) < right - 0.3


def test_clouds_are_told_apart():
    start = learn_clouds("untrained", seed=1, budget=50, classes=12)
    assert start < 0.4
    for method in ("cross-entropy, Adam", "square loss, Adam", "square loss"):
        rate = 0.02 if "Adam" in method else 1
        assert learn_clouds(method, seed=1, budget=60, lr=rate, classes=12) > 0.9
        assert learn_clouds(method, seed=1, budget=0, classes=12) == start


def test_with_many_classes_the_square_loss_is_later_and_not_worse():
    assert learn_clouds("square loss, Adam", seed=0, budget=500, lr=0.003) > 0.98


def test_exchanged_labels_are_learned():
    assert correct_labels("square loss", seed=0, budget=0) < 0.05
    assert correct_labels("cross-entropy", seed=0, budget=40) > 0.8


def test_probabilities_are_scored_and_a_temperature_is_found():
    found = score_probabilities("square loss on logits", seed=0, budget=60, lr=0.01)
    assert found["tempered"] < 0.2 < found["plain"] - 0.3
    found = score_probabilities("cross-entropy", seed=0, budget=0, lr=0.01)
    assert found["plain"] == approx(0.9, rel=0.05)  # a blind guess


def test_classes_are_given_up_as_the_first_weights_say():
    start = give_up_classes("any", seed=0, budget=0)
    assert start["before"] == start["after"] and start["accuracy"] < 0.03
    assert give_up_classes("any", seed=0, budget=0, scale=0.25)["given up"] == 0 < start["given up"]


def test_wrong_labels_are_found_better_than_by_guessing():
    assert find_wrong("square loss", seed=1, budget=0)["wrong"] < 0.4
    seen, unseen = (find_wrong(f"cross-entropy{way}", seed=1, budget=150, lr=0.01, folds=2)
                    for way in ("", ", out of fold"))
    assert min(seen["wrong"], unseen["wrong"]) > 0.6 and seen["mean"] > unseen["mean"] + 0.1


def test_wrong_labels_are_kept_or_given_up():
    start = keep_wrong("square loss", seed=0, budget=0, lr=0.003)
    assert start["given up"] == 0 and 0.1 < start["confidence"] < 0.2
    found = keep_wrong("generalised cross-entropy", seed=0, budget=60, lr=0.01)
    assert found["given up"] > 0.3 and found["accuracy"] > 0.8
