r"""Outliers from a generator: the three steps of Lee et al. (2018).

They train a discriminator D, a generator G and a classifier in turn; `confident_gan` is their loop, and
`generator_optimum` what the second step asks for at a given classifier.  `played` says where games on two
clouds are after some steps, and `tell_unknown` what they are worth beside other outliers.  The module needs
torch.
"""

import copy
import math
from typing import NamedTuple

import numpy as np
import torch
from scipy.optimize import brentq
from torch.nn.functional import cross_entropy, softplus

from proofread.experiments import Experiment
from softmaxnotes.arguments import as_real, check_entries, read_choice, read_generator, read_size
from softmaxnotes.confidence import confident_optimum, detection_metrics, energy_score, fit_confident
from softmaxnotes.confidence.open_set import check_points, check_weight, relu_network, uniform_divergence
from softmaxnotes.digits import Examples, fit, load
from softmaxnotes.softmax import softmax
from softmaxnotes.training import Trained, descend, own_generator, train

from .open_set import nearest

__all__ = ["ConfidentGAN", "GAMES", "PLAYED", "TRAININGS", "UNKNOWN", "confident_gan", "generator_optimum",
           "three_losses"]


def generator_optimum(masses, divergence, *, beta=1.0):
    r"""Where a generator puts its samples if the classifier is held and the discriminator is at its best.

    .. math:: g = \frac{f}{e^{\beta\kappa + c} - 1}

    with the number :math:`c` for which :math:`g` adds up to 1: of all laws it minimises
    :math:`\sum [f \log\frac{f}{f+g} + g \log\frac{g}{f+g} + \beta \kappa g]`.

    Parameters
    ----------
    masses : array_like
        :math:`f`, the data's probabilities of the cells of a lattice; they add up to 1.
    divergence : array_like
        :math:`\kappa`, the classifier's divergence from uniform in each cell; of the shape of `masses`.
    beta : float
        Not negative.

    Returns
    -------
    ndarray
        :math:`g`, of the same shape; it adds up to 1, and is zero where `masses` is.

    Raises
    ------
    TypeError
        An array isn't real.
    ValueError
        `masses` isn't a law; a divergence is negative or NaN, or infinite wherever there is mass; the shapes
        differ; `beta` is negative or not finite.

    Notes
    -----
    Implements: eq-generator-optimum

    Examples
    --------
    >>> generator_optimum([0.5, 0.5], [0.0, 0.0])
    array([0.5, 0.5])
    >>> generator_optimum([0.5, 0.5], [0.0, 2.0]).round(2)
    array([0.95, 0.05])
    """
    masses, divergence = as_real(masses, "masses")[0], as_real(divergence, "divergence")[0]
    check_weight(beta)
    if masses.shape != divergence.shape:
        raise ValueError(f"expected divergence of shape {masses.shape}, as masses, got {divergence.shape}")
    check_entries("masses", masses, masses >= 0, "not to be negative")
    if not np.isclose(masses.sum(), 1):
        raise ValueError(f"expected masses that add up to 1, got {masses.sum()}")
    check_entries("divergence", divergence, divergence >= 0, "not to be negative")
    if np.isinf(divergence[masses > 0]).all():
        raise ValueError("no optimum: the divergence is infinite wherever there is mass")
    cost = np.where(masses > 0, beta * divergence if beta else 0.0, np.inf)
    cost = cost - cost.min()

    def law(log_excess):  # of c over minus the least cost
        with np.errstate(over="ignore"):
            return masses / np.expm1(cost + math.exp(log_excess))

    # no cell has more than 1, and with the least excess for that all cells together have 1 or more
    least = (np.log1p(masses) - cost).max()
    ends = max(math.log(least) - 1, -745), math.log(math.log(2)) + 1  # beyond rounding, but not at excess 0
    found = law(brentq(lambda e: math.log(law(e).sum()), *ends, xtol=1e-13))
    return found / found.sum()


class ConfidentGAN(NamedTuple):
    """What `confident_gan` trains.

    Attributes
    ----------
    classifier, discriminator, generator : torch.nn.Module
        From points to n logits, from points to the logit of D, from noise to points.
    noise : int
        Dimension of the generator's noise.
    """

    classifier: torch.nn.Module
    discriminator: torch.nn.Module
    generator: torch.nn.Module
    noise: int

    @torch.no_grad()
    def sample(self, size=None, *, generator=None):
        """Generated points.

        Parameters
        ----------
        size : None, int or tuple of int
        generator : None, int or torch.Generator
            Of the noise, on the device of the networks.

        Returns
        -------
        torch.Tensor, shape (..., d)
        """
        first = next(self.generator.parameters())
        noise = torch.randn(*read_size(size), self.noise, dtype=first.dtype, device=first.device,
                            generator=read_generator(generator, first.device))
        return self.generator(noise)


def three_losses(logits_in, labels, logits_made, judged_in, judged_made, *, beta=1.0):
    r"""The objectives of the three steps on one batch, as losses to be minimised.

    .. math:: -\frac1M \sum_{i=1}^M [\log D(x_i) + \log(1 - D(G(z_i)))], \qquad
              \frac1M \sum_{i=1}^M [\log(1 - D(G(z_i))) + \beta h_i], \qquad
              \frac1M \sum_{i=1}^M [-\log \pi_{y_i}(x_i) + \beta h_i]

    where :math:`h_i` is the divergence from uniform at the generated point i.

    Parameters
    ----------
    logits_in, logits_made : torch.Tensor, shape (M, n)
        Of the classifier, on data and on generated points.
    labels : torch.Tensor of int64, shape (M,)
    judged_in, judged_made : torch.Tensor, shape (M,)
        The logits of :math:`D` there.
    beta : float

    Returns
    -------
    tuple of torch.Tensor, shape ()
        Of the discriminator, of the generator, of the classifier.

    Notes
    -----
    Implements: eq-step-one
    Implements: eq-step-two
    Implements: eq-step-three

    Examples
    --------
    >>> [round(float(loss), 4) for loss in three_losses(
    ...     torch.zeros(3, 2), torch.tensor([0, 1, 0]), torch.zeros(3, 2), torch.zeros(3), torch.zeros(3))]
    [1.3863, -0.6931, 0.6931]
    """
    divergence = beta * uniform_divergence(logits_made).mean()
    return (softplus(-judged_in).mean() + softplus(judged_made).mean(),
            -softplus(judged_made).mean() + divergence,
            cross_entropy(logits_in, labels) + divergence)


def confident_gan(points, labels, *, beta=1.0, hidden=64, noise=2, steps=1500, batch=128, lr=1e-3,
                  saturating=True, held=None, generator=None, checkpoint=None, title=None) -> Trained:
    r"""The three steps of Lee et al. (2018), in turn: discriminator, generator, classifier.

    Parameters
    ----------
    points : torch.Tensor, shape (N, d)
    labels : torch.Tensor of int64, shape (N,)
        From 0 to the number of classes less one.
    beta : float
        Weight of the divergence from uniform, in the steps of the generator and of the classifier.
    hidden : int
        Rectifiers in each of the two hidden layers of each of the three networks.
    noise : int
        Dimension of the standard normal noise.
    steps, batch : int
        Each step draws data and noise anew for each of its three parts.
    lr : float
        Of Adam, which forgets gradients at the rate 1/2 for discriminator and generator.
    saturating : bool
        Whether the generator minimises :math:`\log(1 - D)`, as the algorithm is printed, or
        :math:`-\log D`, whose slope does not die where the discriminator is sure.
    held : torch.nn.Module, optional
        A classifier that is played against and does not answer: the third step is left out. A copy is used.
    generator : None, int or torch.Generator
        Of first weights, batches and noise, on the device of the points.
    checkpoint, title
        As of `softmaxnotes.training.train`.

    Returns
    -------
    Trained
        A `ConfidentGAN`; of each step the record has ``confidence``, the classifier's mean largest
        probability on the batch of data, ``doubt``, its mean divergence from uniform on the generated batch,
        and ``chance``, the discriminator's mean on both.

    Raises
    ------
    TypeError, ValueError
        As of `softmaxnotes.confidence.fit_confident`.

    References
    ----------
    K. Lee, H. Lee, K. Lee and J. Shin, "Training confidence-calibrated classifiers for detecting
    out-of-distribution samples", ICLR 2018.

    Examples
    --------
    >>> points, labels = torch.tensor([[3.0, 0.0], [-3.0, 0.0]]), torch.tensor([0, 1])
    >>> game, record = confident_gan(points, labels, steps=3, batch=4)
    >>> game.sample(5).shape, sorted(record)
    (torch.Size([5, 2]), ['chance', 'confidence', 'doubt'])
    """
    check_points(points, labels)
    check_weight(beta)
    generator = own_generator(generator, points.device)
    dimension, classes = points.shape[1], int(labels.max()) + 1
    classifier, judge, maker = (
        relu_network((first, hidden, hidden, last), generator=generator, dtype=points.dtype)
        for first, last in ((dimension, classes), (dimension, 1), (noise, dimension)))
    if held is not None:
        classifier = copy.deepcopy(held).requires_grad_(False)
    descents = [torch.optim.Adam(network.parameters(), lr=lr, betas=betas) for network, betas in (
        (judge, (0.5, 0.999)), (maker, (0.5, 0.999)), (classifier, (0.9, 0.999)))[:3 if held is None else 2]]

    def draw():
        some = torch.randint(len(points), (batch,), generator=generator, device=points.device)
        made = maker(torch.randn(batch, noise, generator=generator, dtype=points.dtype, device=points.device))
        return points[some], labels[some], made

    def step(_):
        true, _, made = draw()
        judged_in, judged_made = judge(true), judge(made.detach())
        descend(descents[0], softplus(-judged_in).mean() + softplus(judged_made).mean())

        _, _, made = draw()
        judged = judge(made)
        fooled = -softplus(judged).mean() if saturating else softplus(-judged).mean()
        descend(descents[1], fooled + beta * uniform_divergence(classifier(made)).mean())

        true, right, made = draw()
        logits, doubt = classifier(true), uniform_divergence(classifier(made.detach())).mean()
        if held is None:
            descend(descents[2], cross_entropy(logits, right) + beta * doubt)
        chance = torch.sigmoid(torch.cat([judged_in, judged_made]).detach()).mean()
        return {"confidence": torch.softmax(logits.detach(), 1).amax(1).mean().item(), "doubt": doubt.item(),
                "chance": chance.item()}

    parts = {"classifier": classifier, "judge": judge, "maker": maker, "generator": generator,
             **{f"descent {number}": one for number, one in enumerate(descents)}}
    record = train(step, steps, parts=parts, checkpoint=checkpoint, title=title)
    return Trained(ConfidentGAN(classifier, judge, maker, noise), record)


# --- Does the game come to rest? -----------------------------------------------

#: The plain game of generator and discriminator, both forms of the second step, and what the theorem says.
GAMES = ("no doubt asked for", "as printed", "as published", "at rest")


def played(method, *, seed, budget, lr=2e-3):
    """Where a game on two clouds is after some steps.

    Parameters
    ----------
    method : str
        One of `GAMES`.  In ``"no doubt asked for"`` beta is 0, so that generator and classifier do not heed
        each other; ``"at rest"`` are a generator that copies the data and the best classifier beside it, as
        if no place had data of both classes.
    seed : int
        Of the clouds, 200 points each, and of the game.
    budget : int
        Steps, each with 128 data and as many generated points for each of the three networks.
    lr : float

    Returns
    -------
    dict
        ``"confidence"``, its mean on 4000 fresh points of the clouds, and on those of either cloud
        ``"confidence 1"`` and ``"confidence 2"``; of 4000 generated points the share on the side of the first
        cloud, ``"first"``, and the share farther than 3 from both centres, ``"far"``.
    """
    read_choice("method", method, GAMES)
    rng = np.random.default_rng(seed)
    points, fresh = (np.concatenate([rng.normal(centre, size=(number, 2)) for centre in (3, -3)])
                     for number in (200, 2000))
    if method == GAMES[-1]:
        top, made = np.full(len(fresh), confident_optimum([1.0, 0.0], 1.0, 1.0).max()), fresh
    else:
        x, out = (torch.tensor(part, dtype=torch.float32) for part in (points, fresh))
        game = confident_gan(x, torch.arange(2).repeat_interleave(200), beta=float(method != GAMES[0]),
                             steps=budget, lr=lr, generator=seed, saturating=method != GAMES[2]).model
        made = game.sample(4000, generator=seed).numpy()
        with torch.no_grad():
            top = torch.softmax(game.classifier(out), 1).amax(1).numpy()
    return {"confidence": top.mean(), "confidence 1": top[:2000].mean(), "confidence 2": top[2000:].mean(),
            "first": (made.sum(axis=1) > 0).mean(), "far": (nearest(made) > 3).mean()}


PLAYED = Experiment("played", played, dict.fromkeys(GAMES, {}), seeds=range(10),
                    budgets=(150, 300, 600, 1200, 2400), spent="steps", measure="confidence", digits=0)


# --- Which training, and which score, tells digits of unknown classes ---------

#: How each is trained: by what, if by anything, outliers are replaced.
TRAININGS = ("data alone", "noise", "blends", "the game as printed", "the game as published",
             "the unknown digits", "regression")


def tell_unknown(method, *, seed, budget, lr=3e-3, beta=1.0, l2=1e-3):
    """How well a classifier of eight digits tells images of the two others.

    Parameters
    ----------
    method : str
        One of `TRAININGS`. ``"data alone"`` has no outliers, ``"noise"`` independent pixels, ``"blends"`` the
        means of two training images; the games are those of `confident_gan`, with either second step; and
        ``"the unknown digits"`` are training images of the very classes that are to be told.  The
        ``"regression"`` is that of `softmaxnotes.digits.fit`.
    seed : int
        Of the split of the digits, the two classes that are unknown, the outliers and the training.
    budget : int
        Steps of the training, each with a batch of 100 data.
    lr, beta, l2 : float
        Of networks the learning rate, and the weight of the outliers; of the regression the penalty.

    Returns
    -------
    dict
        ``"confidence"`` and ``"energy"``, the shares of unknown test digits that either score turns away when
        95 % of the known ones pass; the areas ``"confidence area"`` and ``"energy area"``; and
        ``"accuracy"`` on the known ones.
    """
    read_choice("method", method, TRAININGS)
    train, test = load(seed=seed)
    rng = np.random.default_rng(seed)
    classes = rng.permutation(10)
    place = np.argsort(classes)  # of a digit among them; the last two are unknown
    labels, answers = place[train.labels], place[test.labels]
    known, ours = labels < 8, answers < 8
    x, strange = (torch.tensor(train.images[chosen], dtype=torch.float32) for chosen in (known, ~known))
    y = torch.tensor(labels[known])
    if method == "regression":
        logits = fit(Examples(train.images[known], labels[known]), l2=l2).logits(test.images)
    else:
        if method.startswith("the game"):
            network = confident_gan(x, y, beta=beta, noise=8, steps=budget, batch=100, lr=lr,
                                    saturating=method == "the game as printed",
                                    generator=seed).model.classifier
        else:
            pairs = torch.tensor(rng.integers(len(x), size=(2, 2000)))
            outliers = {"noise": torch.tensor(rng.random((2000, 64)), dtype=torch.float32),
                        "the unknown digits": strange}.get(method, (x[pairs[0]] + x[pairs[1]]) / 2)
            network = fit_confident(x, y, outliers, beta=0.0 if method == "data alone" else beta,
                                    steps=budget, lr=lr, generator=seed).model
        with torch.no_grad():
            logits = network(torch.tensor(test.images, dtype=torch.float32)).double().numpy()
    found = {"accuracy": (logits.argmax(axis=1) == answers)[ours].mean()}
    for name, score in (("confidence", softmax(logits).max(axis=1)), ("energy", energy_score(logits))):
        told = detection_metrics(score[ours], score[~ours])
        found |= {name: told.tnr_at_95_tpr, f"{name} area": told.auroc}
    return found


_RATES, _WEIGHTS = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1), (0.1, 1.0)  # of all networks that are shown outliers
UNKNOWN = Experiment(
    "unknown", tell_unknown,
    {"data alone": {"lr": (1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 7e-2, 1e-1)},  # and those between
     **dict.fromkeys(TRAININGS[1:-1], {"lr": _RATES, "beta": _WEIGHTS}),
     "regression": {"l2": (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1, 1.0)}},
    seeds=range(30), tuning_seeds=range(90, 94), budgets=(400, 800), spent="steps", better="more",
    measure="confidence", digits=0)
