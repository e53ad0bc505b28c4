"""softmaxnotes.digits: the data of the book, and the model fitted to them."""

from urllib.error import URLError

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from softmaxnotes import digits
from softmaxnotes.digits import Examples, SoftmaxRegression, fit, load, most_unsure
from softmaxnotes.softmax import categorical_nll, softmax

TRAIN, TEST = load()
MODEL = fit(TRAIN)


def penalised(model, examples, l2):
    """The gradient of the penalised mean loss in weights and biases, from the loss of the package."""
    gradient = categorical_nll(model.logits(examples.images), examples.labels).gradient / len(examples.labels)
    return gradient.T @ examples.images + l2 * model.weights, gradient.sum(axis=0)


def test_the_split():
    assert TRAIN.images.shape == (1000, 64) and TEST.images.shape == (797, 64)
    for images, labels in (TRAIN, TEST):
        assert images.min() == 0 and images.max() == 1 and images.dtype == np.float64
        np.testing.assert_array_equal(images * 16, (images * 16).round())
        share = np.bincount(labels, minlength=10) / len(labels)
        whole = np.bincount(np.append(TRAIN.labels, TEST.labels)) / 1797
        assert np.abs(share - whole).max() < 1.5 / 797
    # every image stands on one side: duplicates in the data apart, no rows are shared
    both = np.concatenate([TRAIN.images, TEST.images])
    assert len(both) == 1797 and len(np.unique(both, axis=0)) == 1797


def test_the_split_is_fixed_and_the_seed_moves_it():
    for one, again in zip(load(), (TRAIN, TEST)):
        np.testing.assert_array_equal(one.images, again.images)
        np.testing.assert_array_equal(one.labels, again.labels)
    assert not np.array_equal(load(seed=1)[0].labels, TRAIN.labels)
    assert load(seed=np.int64(1))[0].labels.tolist() == load(seed=1)[0].labels.tolist()


@pytest.mark.parametrize("name", ["Digits", "", None, "cifar"])
def test_no_such_data(name):
    with pytest.raises(ValueError, match="expected name to be 'digits' or 'mnist', got"):
        load(name)


@pytest.mark.parametrize("seed", [None, 0.5, True, "0"])
def test_no_such_seed(seed):
    with pytest.raises(TypeError, match="expected seed to be an integer, got"):
        load(seed=seed)
    with pytest.raises(ValueError, match="expected seed to be at least 0, got -1"):
        load(seed=-1)


@pytest.mark.parametrize("l2", [1e-2, 1e-3, 1e-4])
def test_the_fit_is_the_optimum(l2):
    """The penalised loss is convex, so a gradient of zero is enough."""
    model = fit(TRAIN, l2=l2)
    for part in penalised(model, TRAIN, l2):
        assert np.abs(part).max() < 1e-9
    # and the weights, which may be shifted together, are the central ones
    assert np.abs(model.weights.sum(axis=0)).max() < 1e-9 > abs(model.biases.sum())


def test_with_many_pixels():
    rng = np.random.default_rng(0)
    many = Examples(rng.random((60, 300)), rng.permutation(np.arange(60) % 10))
    model = fit(many)
    assert max(np.abs(part).max() for part in penalised(model, many, 1e-3)) < 1e-5


def test_with_two_classes():
    keep = TRAIN.labels < 2
    two = Examples(TRAIN.images[keep], TRAIN.labels[keep])
    model = fit(two, l2=1e-2)
    assert model.weights.shape == (2, 64) and model.biases.shape == (2,)
    for part in penalised(model, two, 1e-2):
        assert np.abs(part).max() < 1e-9


def test_what_the_model_can_do():
    right = MODEL.logits(TEST.images).argmax(axis=-1) == TEST.labels
    assert right.mean() > 0.95
    assert categorical_nll(MODEL.logits(TEST.images), TEST.labels).value.mean() < 0.2


def test_logits():
    one = MODEL.logits(TEST.images[5])
    assert one.shape == (10,)
    np.testing.assert_allclose(one, MODEL.weights @ TEST.images[5] + MODEL.biases, rtol=1e-12)
    assert MODEL.logits(TEST.images.reshape(1, 797, 64)).shape == (1, 797, 10)
    assert MODEL.logits(np.zeros((0, 64))).shape == (0, 10)
    for wrong in (np.zeros((3, 63)), np.zeros((8, 8)), 1.0):
        with pytest.raises(ValueError, match=r"shape \(\.\.\., 64\)"):
            MODEL.logits(wrong)
    with pytest.raises(TypeError):
        MODEL.logits(np.full(64, 1j))
    tiny = SoftmaxRegression(np.ones((2, 3)), np.array([0.0, 1.0]))
    assert tiny.logits([1, 0, 1]).tolist() == [2, 3]


@pytest.mark.parametrize("images, labels, error, message", [
    (np.zeros(4), np.zeros(4, int), ValueError, "shape"),
    (np.zeros((4, 2)), np.zeros(3, int), ValueError, "shape"),
    (np.zeros((0, 2)), np.zeros(0, int), ValueError, "shape"),
    (np.zeros((4, 0)), np.zeros(4, int), ValueError, "shape"),
    (np.full((2, 2), np.nan), [0, 1], ValueError, r"finite numbers, got nan in images\[0, 0\]"),
    (np.zeros((2, 2)), [0, 2], ValueError, "integers from 0 to K - 1"),
    (np.zeros((2, 2)), [-1, 0], ValueError, "integers from 0 to K - 1"),
    (np.zeros((2, 2)), [0.0, 1.0], TypeError, "labels to be integers, got an array of type float64"),
    (np.zeros((2, 2)), [False, True], TypeError, "labels to be integers, got an array of type bool"),
    (np.zeros((2, 2)), [0, 0], ValueError, "two or more classes"),
    (np.zeros((2, 2), complex), [0, 1], TypeError, "images to be real numbers"),
])
def test_bad_examples(images, labels, error, message):
    with pytest.raises(error, match=message):
        fit(Examples(images, labels))


@pytest.mark.parametrize("l2", [0, -1e-3, np.inf, np.nan, None, "1", [1e-3]])
def test_bad_strength(l2):
    with pytest.raises(ValueError, match="expected l2 to be one positive, finite number, got"):
        fit(TRAIN, l2=l2)


def test_no_convergence_is_an_error(monkeypatch):
    class Stopped(digits.LogisticRegression):
        def fit(self, images, labels):
            digits.warnings.warn("no more steps", ConvergenceWarning)

    monkeypatch.setattr(digits, "LogisticRegression", Stopped)
    with pytest.raises(RuntimeError, match="was not reached: no more steps"):
        fit(TRAIN)


def test_the_most_unsure():
    image, classes, log_p = most_unsure(MODEL, TEST)
    everywhere = softmax(MODEL.logits(TEST.images))
    [least] = np.flatnonzero((TEST.images == image).all(axis=1))
    assert everywhere[least].max() == everywhere.max(axis=1).min()
    assert sorted(classes) == list(range(10)) and (np.diff(log_p) < 0).all()
    np.testing.assert_allclose(np.exp(log_p), everywhere[least, classes], rtol=1e-14)


# --- MNIST, without a network ---------------------------------------------------


def pretend(monkeypatch, answer):
    """What openml.org would answer."""

    def fetch(name, **options):
        assert name == "mnist_784" and options["version"] == 1 and options["return_X_y"]
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(digits, "fetch_openml", fetch)


def test_mnist(monkeypatch):
    images = np.zeros((70_000, 784), np.uint8)
    images[0, 3], images[60_000, 4] = 255, 51
    pretend(monkeypatch, (images, np.array(["5"] * 60_000 + ["7"] * 10_000, object)))
    train, test = load("mnist")
    assert train.images.shape == (60_000, 784) and test.images.shape == (10_000, 784)
    assert train.images[0, 3] == 1 and test.images[0, 4] == 0.2
    assert train.labels.dtype == np.int64 and set(train.labels) == {5} and set(test.labels) == {7}


def test_mnist_without_a_network(monkeypatch):
    pretend(monkeypatch, URLError("Name or service not known"))
    with pytest.raises(ConnectionError, match="fetched from openml.org .*Name or service.*needs no network"):
        load("mnist")


def test_mnist_that_is_none(monkeypatch):
    pretend(monkeypatch, (np.zeros((10, 784)), np.array(["5"] * 10)))
    with pytest.raises(ValueError, match="70000 images"):
        load("mnist")


def test_mnist_has_no_seed(monkeypatch):
    pretend(monkeypatch, AssertionError("nothing is to be fetched"))
    with pytest.raises(ValueError, match="expected seed 0 of MNIST, .*, got 1"):
        load("mnist", seed=1)
