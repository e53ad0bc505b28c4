r"""The book's data: handwritten digits, one split of them, and a softmax regression fitted to them.

All chapters that need data or a fitted model take them from here, so that they speak of the same images and
of the same logits:

    >>> from softmaxnotes.digits import fit, load
    >>> train, test = load()
    >>> train.images.shape, test.images.shape
    ((1000, 64), (797, 64))
    >>> model = fit(train)
    >>> logits = model.logits(test.images)
    >>> logits.shape
    (797, 10)
    >>> wrong = logits.argmax(axis=-1) != test.labels
    >>> int(wrong.sum())
    32

The images come with scikit-learn and need no network; the larger MNIST is fetched when it is asked for.
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.datasets import fetch_openml, load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from softmaxnotes.arguments import (
    as_real,
    check_finite,
    read_choice,
    read_count,
    read_integers,
    read_number,
)
from softmaxnotes.softmax import log_softmax, softmax

__all__ = ["Examples", "SoftmaxRegression", "fit", "load", "most_unsure"]

# Images for training.
_TRAIN = {"digits": 1000, "mnist": 60_000}

# Up to so many weights, Newton's method; its Hessian has the square of that many entries.
_FEW = 2000


class Examples(NamedTuple):
    """Images and what they show.

    Attributes
    ----------
    images : ndarray, shape (N, D)
        Pixels from 0 (paper) to 1 (ink), row by row: D is 64 for the digits and 784 for MNIST.
    labels : ndarray of int, shape (N,)
        The digits, 0 to 9.
    """

    images: np.ndarray
    labels: np.ndarray


class SoftmaxRegression(NamedTuple):
    """A softmax whose logits are linear in the pixels: weights times pixels, plus a bias for each class.

    Attributes
    ----------
    weights : ndarray, shape (K, D)
        One picture for each class.
    biases : ndarray, shape (K,)
    """

    weights: np.ndarray
    biases: np.ndarray

    def logits(self, images):
        """The logits of images.

        Parameters
        ----------
        images : array_like, shape (..., D)

        Returns
        -------
        ndarray, shape (..., K)

        Raises
        ------
        TypeError
            `images` isn't real.
        ValueError
            The last axis hasn't as many pixels as the weights.

        Examples
        --------
        >>> tiny = SoftmaxRegression(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0.0, 1.0]))
        >>> tiny.logits([3.0, 4.0])
        array([3., 9.])
        """
        images = as_real(images, "images")[0]
        if images.ndim == 0 or images.shape[-1] != self.weights.shape[-1]:
            raise ValueError(f"expected images of shape (..., {self.weights.shape[-1]}), got {images.shape}")
        return images @ self.weights.T + self.biases


def load(name="digits", *, seed=0):
    """Images of handwritten digits, for training and for testing.

    The ``"digits"`` are 1797 images of 8 by 8 pixels.  They are split once, at random, into 1000 for training
    and 797 for testing, with the same share of each digit in both.  ``"mnist"`` has 70 000 images of 28 by 28
    pixels, in the split of its makers: the first 60 000 are for training.

    Parameters
    ----------
    name : {"digits", "mnist"}
        ``"mnist"`` is fetched from openml.org (15 MB, kept by scikit-learn in its data folder).
    seed : int
        Of the split of the digits.  The chapters use 0.

    Returns
    -------
    train, test : Examples

    Raises
    ------
    ValueError
        There are no data of this `name`; the seed is negative; MNIST is asked for with another seed, for its
        split is not random; what was fetched isn't MNIST.
    TypeError
        `seed` isn't an integer.
    ConnectionError
        MNIST can't be fetched.

    References
    ----------
    E. Alpaydin and C. Kaynak, "Optical recognition of handwritten digits", UCI Machine Learning Repository
    (1998).

    Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, "Gradient-based learning applied to document recognition",
    Proceedings of the IEEE 86 (1998) 2278-2324.

    Examples
    --------
    >>> train, test = load()
    >>> np.bincount(train.labels)
    array([ 99, 101,  98, 102, 101, 101, 101, 100,  97, 100])
    >>> test.images[0].reshape(8, 8)[3]
    array([0.  , 0.  , 0.  , 0.  , 0.5 , 0.75, 0.  , 0.  ])
    """
    read_choice("name", name, sorted(_TRAIN))
    seed = read_count("seed", seed, least=0)
    if name == "mnist":
        if seed != 0:
            raise ValueError(f"expected seed 0 of MNIST, whose split is that of its makers, got {seed}")
        images, labels = _mnist()
        first = _TRAIN[name]
        return Examples(images[:first], labels[:first]), Examples(images[first:], labels[first:])
    images, labels = load_digits(return_X_y=True)
    parts = train_test_split(images / 16, labels, train_size=_TRAIN[name], stratify=labels,
                             random_state=seed)
    return Examples(parts[0], parts[2]), Examples(parts[1], parts[3])


def _mnist():
    try:
        images, labels = fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False,
                                      parser="liac-arff")
    except OSError as error:  # what urllib raises without a network, and what it derives from it
        raise ConnectionError(
            f"MNIST can't be fetched from openml.org ({error}); load('digits') needs no network"
        ) from error
    if images.shape != (70_000, 784) or len(labels) != 70_000:
        raise ValueError(f"expected the 70000 images of 784 pixels of MNIST, got shape {images.shape}")
    return images / 255, labels.astype(np.int64)


def fit(examples, *, l2=1e-3):
    r"""The softmax regression of least penalised cross-entropy, by scikit-learn.

    It minimises, over weights :math:`W` and biases :math:`b`, the mean cross-entropy of :math:`W x + b` plus
    :math:`\lambda/2` times the sum of the squared weights.

    Since the penalty is strictly convex in :math:`W`, there is one optimum, up to a number that is added to
    all biases; theirs add to zero, and so do the weights of each pixel.

    Parameters
    ----------
    examples : Examples
        Images of shape (N, D) and their labels: the integers from 0 to K - 1, each at least once, and K > 1.
    l2 : float
        Strength :math:`\lambda` of the penalty on the weights, positive; the biases are free.  In the terms
        of scikit-learn, ``C = 1 / (l2 * N)``: for the 1000 training digits the default is its own, ``C = 1``.

    Returns
    -------
    SoftmaxRegression

    Raises
    ------
    TypeError
        The images aren't real, or the labels aren't integers.
    ValueError
        The shapes do not fit; a pixel isn't finite; the labels aren't the integers from 0 to K - 1;
        `l2` isn't a positive number.
    RuntimeError
        The optimum was not reached.

    Notes
    -----
    Up to 2000 weights Newton's method is run until the largest entry of the gradient is below 1e-9;
    beyond, L-BFGS until it is below 1e-5, on a gradient of the mean loss.

    Examples
    --------
    >>> train, test = load()
    >>> model = fit(train)
    >>> right = model.logits(test.images).argmax(axis=-1) == test.labels
    >>> round(float(right.mean()), 3)
    0.96
    """
    images, labels = as_real(examples[0], "images")[0], read_integers("labels", examples[1])
    if images.ndim != 2 or labels.shape != images.shape[:1] or images.size == 0:
        raise ValueError("expected images of shape (N, D) and labels of shape (N,), "
                         f"got {images.shape} and {labels.shape}")
    check_finite(images=images)
    classes = np.unique(labels)
    if not np.array_equal(classes, np.arange(len(classes))):
        raise ValueError(
            f"expected the integers from 0 to K - 1 as labels, each at least once, got {classes}")
    if len(classes) < 2:
        raise ValueError("expected labels of two or more classes, got one")
    l2 = read_number("l2", l2, positive=True)
    few = len(classes) * images.shape[1] <= _FEW
    solver, tol = ("newton-cholesky", 1e-9) if few else ("lbfgs", 1e-5)
    # Of two classes scikit-learn fits the difference of the weights; two halves of it have half its penalty.
    two = len(classes) == 2
    strength = (1 + two) / (l2 * len(labels))
    problem = LogisticRegression(C=strength, solver=solver, tol=tol, max_iter=10_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            problem.fit(images, labels)
        except ConvergenceWarning as warning:
            raise RuntimeError(f"the optimum was not reached: {warning}") from warning
    weights, biases = problem.coef_, problem.intercept_
    if two:
        weights, biases = np.concatenate([-weights, weights]) / 2, np.concatenate([-biases, biases]) / 2
    return SoftmaxRegression(weights, biases)


def most_unsure(model, examples):
    """The image of which a model is least sure, and what it makes of it.

    Parameters
    ----------
    model : SoftmaxRegression
    examples : Examples
        Of them, the image whose likeliest class has the smallest probability.

    Returns
    -------
    image : ndarray, shape (D,)
    classes : ndarray of int, shape (K,)
        The likeliest first.
    log_probs : ndarray, shape (K,)
        Their log-probabilities.

    Raises
    ------
    TypeError, ValueError
        As `SoftmaxRegression.logits`.

    Examples
    --------
    >>> train, test = load()
    >>> image, digits, log_p = most_unsure(fit(train), test)
    >>> digits[:3], np.exp(log_p[:3]).round(2)
    (array([8, 5, 3]), array([0.29, 0.24, 0.16]))
    """
    logits = model.logits(examples.images)
    least = softmax(logits).max(axis=-1).argmin()
    classes = np.argsort(-logits[least])
    return examples.images[least], classes, log_softmax(logits[least])[classes]
