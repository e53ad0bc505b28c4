"""How sure a classifier of some digits is of others; and two clouds in the plane, outliers around them."""

import numpy as np
import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice
from softmaxnotes.confidence import confident_optimum, fit_confident
from softmaxnotes.digits import Examples, fit, load
from softmaxnotes.softmax import softmax

__all__ = ["ALARM", "BOXES", "MAPS", "best_confidence", "nearest", "sure_of"]

#: How far the box of the outliers reaches, and how many there are.
BOXES = {"100 in the wide box": (50, 100), "2000 in the wide box": (50, 2000),
         "100 in the narrow box": (20, 100), "2000 in the narrow box": (20, 2000)}
METHODS = ("no outliers", *BOXES, "the law that the loss asks for")


def nearest(points):
    """Distance from the nearer of the two centres, (3, 3) and (-3, -3).

    Parameters
    ----------
    points : ndarray, shape (..., 2)

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> nearest(np.array([[3.0, 3.0], [0.0, -3.0]]))
    array([0., 3.])
    """
    return np.minimum(*(np.linalg.norm(points - centre, axis=-1) for centre in (3, -3)))


def draw_outliers(box, *, rng):
    """Points of a square around the origin that are farther than 4 from both centres.

    Parameters
    ----------
    box : str
        A name in `BOXES`.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (M, 2)

    Examples
    --------
    >>> draw_outliers("100 in the narrow box", rng=np.random.default_rng(0)).shape
    (100, 2)
    """
    reach, number = BOXES[box]
    points = rng.uniform(-reach, reach, size=(3 * number, 2))
    return points[nearest(points) > 4][:number]


def _drawn(method, seed):
    """The clouds, 200 points each, and the outliers of a method."""
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(centre, size=(200, 2)) for centre in (3, -3)])
    return points, draw_outliers(method if method in BOXES else next(iter(BOXES)), rng=rng)


def fit_clouds(method, *, seed, steps, lr=3e-3):
    """A network with two hidden layers that tells two clouds apart, trained with outliers or without.

    Parameters
    ----------
    method : str
        A name in `BOXES`, or ``"no outliers"``.
    seed : int
        Of the data, of the outliers and of the training.
    steps : int
    lr : float

    Returns
    -------
    points : ndarray, shape (400, 2)
        The clouds, 200 points each.
    outliers : ndarray, shape (M, 2)
    network : torch.nn.Sequential

    Raises
    ------
    ValueError
        There is no such method.
    """
    read_choice("method", method, METHODS[:-1])
    points, outliers = _drawn(method, seed)
    x, out = (torch.tensor(part, dtype=torch.float32) for part in (points, outliers))
    network = fit_confident(x, torch.arange(2).repeat_interleave(200), out, steps=steps, lr=lr,
                            beta=float(method in BOXES), generator=seed).model
    return points, outliers, network


_LATTICE = np.linspace(-50, 50, 101)
GRID = np.stack(np.meshgrid(_LATTICE, _LATTICE), axis=-1)
_REACH = np.abs(GRID).max(axis=-1)
NEAR, BEYOND = (nearest(GRID) > 4) & (_REACH < 10), _REACH > 25
_TURN = np.linspace(0, 2 * np.pi, 1001)[:-1]
FAR = 1e4 * np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


def best_confidence(points, *, reach):
    """The confidence of the law that the confidence loss asks for, if outliers fill a box without number.

    Parameters
    ----------
    points : ndarray, shape (..., 2)
    reach : float
        Of the box, a square around the origin; nearer than 4 to a centre it has no outliers.

    Returns
    -------
    ndarray, shape (...)
        One half beyond the box, where nothing is asked.

    Notes
    -----
    Implements: eq-confident-optimum

    Examples
    --------
    >>> best_confidence(np.array([[3.0, 3.0], [0.0, 6.0]]), reach=50).round(3)
    array([1.   , 0.544])
    """
    apart = np.stack([((points - centre) ** 2).sum(axis=-1) / 2 for centre in (3, -3)], axis=-1)
    inside = np.exp(-apart).sum(axis=-1) / (4 * np.pi)
    outside = (nearest(points) > 4) / ((2 * reach) ** 2 - 32 * np.pi)
    law = confident_optimum(softmax(-apart), inside, outside)
    return np.where(np.abs(points).max(axis=-1) > reach, 0.5, law.max(axis=-1))


def sure_places(method, *, seed, budget, lr=3e-3):
    """Where a network of `fit_clouds` has a confidence above 0.8.

    Parameters
    ----------
    method : str
        As of `fit_clouds`, or ``"the law that the loss asks for"``: that of `best_confidence` in the wide
        box, which needs no network.
    seed : int
    budget : int
        Steps of the training.
    lr : float

    Returns
    -------
    dict
        Shares of places: ``"near"``, outside the clouds in the square that reaches to 10; ``"far"``, beyond
        25; ``"data"``, of the clouds; ``"end"``, of directions at the distance 10 000.
    """
    read_choice("method", method, METHODS)
    if method == METHODS[-1]:
        points = _drawn(method, seed)[0]

        def confidence(places):
            return best_confidence(places, reach=50)
    else:
        points, _, network = fit_clouds(method, seed=seed, steps=budget, lr=lr)

        @torch.no_grad()
        def confidence(places):
            return torch.softmax(network(torch.tensor(places, dtype=torch.float32)), 1).amax(1).numpy()

    places = {"near": GRID[NEAR], "far": GRID[BEYOND], "data": points, "end": FAR}
    return {name: (confidence(these) > 0.8).mean() for name, these in places.items()}


MAPS = Experiment(
    "maps", sure_places,
    {method: {"lr": (1e-3, 3e-3, 1e-2)} for method in METHODS[:-1]} | {METHODS[-1]: {}},
    seeds=range(10), tuning_seeds=range(90, 92), budgets=(600, 1200, 2400), spent="steps", measure="near",
    digits=0)


# --- Digits that a classifier has never seen ---------------------------------------------

PENALTIES = {"penalty 0.001": 1e-3, "penalty 0.00001": 1e-5, "hardly any": 1e-7}


def sure_of(method, *, seed, budget):
    """How often a softmax regression of the digits 0 to 7 is sure beyond 0.9.

    Parameters
    ----------
    method : str
        A name in `PENALTIES`, the penalties on its weights.
    seed : int
        Of the split of the digits, and of the noise.
    budget : int
        Images of noise, whose pixels are independent and uniform.

    Returns
    -------
    dict
        Shares of images: ``"own"``, of other digits 0 to 7; ``"unknown"``, of the digits 8 and 9;
        ``"noise"``.
    """
    teach, judge = load(seed=seed)
    taught = Examples(*(part[teach.labels < 8] for part in teach))
    noise = np.random.default_rng(seed).random((budget, 64))
    shown = {"unknown": judge.images[judge.labels > 7], "noise": noise,
             "own": judge.images[judge.labels < 8]}
    learned = fit(taught, l2=PENALTIES[method])
    return {what: (softmax(learned.logits(images)).max(axis=1) > 0.9).mean()
            for what, images in shown.items()}


ALARM = Experiment("alarm", sure_of, dict.fromkeys(PENALTIES, {}), seeds=range(10), budgets=(500,),
                   spent="images of noise", measure="unknown", digits=0)
