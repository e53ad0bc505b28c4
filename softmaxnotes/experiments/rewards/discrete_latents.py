r"""Variational autoencoders with categorical codes: the bound, and its gradient by any estimator.

An encoder gives each image logits of K independent variables with C classes, one layer or two of them, and a
decoder gives each code the logits of the bits of an image; what is made as large as possible is
:math:`\mathbb E_{q(z \mid x)}[\log p(x \mid z)] - \mathrm{KL}(q(z \mid x) \,\|\, p(z))`, a bound of
:math:`\log p(x)`.

    >>> from softmaxnotes.digits import load
    >>> from softmaxnotes.gradients import binarise
    >>> images = binarise(load()[0].images)
    >>> model, record = fit_categorical_vae(images, n_variables=4, n_classes=3, steps=20, method="arsm",
    ...                                     generator=0)
    >>> bool(record["loss"][0] > record["loss"][-1])
    True

The module needs torch.
"""

import math
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import one_hot

from proofread.experiments import Experiment
from softmaxnotes.arguments import check_bits, read_choice, read_count, read_generator, read_rng
from softmaxnotes.digits import load
from softmaxnotes.gradients.estimate import GradientEstimate
from softmaxnotes.gradients.moving_average import MovingAverage
from softmaxnotes.gradients.vae import binarise, check_images, log_bernoulli
from softmaxnotes.rewards.estimators import METHODS, categorical_gradient
from softmaxnotes.training import Trained, descend, linear_stack, own_generator, rng_from, train

__all__ = ["LOOKS", "ONE_LAYER", "ON_THE_WAY", "TWO_LAYERS", "UNTAUGHT", "CategoricalVAE", "CodePayoff",
           "code_payoff", "fit_categorical_vae", "learn", "look", "negative_elbo", "one_variable",
           "uniform_cost", "untaught"]


class CategoricalVAE(torch.nn.Module):
    r"""An autoencoder for images of bits whose codes are categorical.

    With one layer the code has the law :math:`q(z \mid x)` and the uniform prior.  With two the second code
    is drawn from :math:`q(z' \mid z)` and has the uniform prior, and the first one is drawn back from
    :math:`p(z \mid z')`.

    Parameters
    ----------
    n_pixels : int
    n_variables, n_classes : int
        K and C, of each layer.
    n_layers : {1, 2}
    hidden : sequence of int
        Units of the hidden layers of the encoder, leaky by 0.2; of the decoder in reverse.
    generator : None, int or torch.Generator
        From which the first weights are drawn, uniformly between :math:`\pm 1/\sqrt{\text{inputs}}`.
    dtype : torch.dtype

    Raises
    ------
    TypeError
        A number of things isn't an integer.
    ValueError
        A number of things is less than 1, or there are neither one nor two layers.

    Examples
    --------
    >>> model = CategoricalVAE(64, n_variables=4, n_classes=3)
    >>> tuple(model.encode(torch.zeros(5, 64, dtype=torch.float64)).shape)
    (5, 4, 3)
    """

    def __init__(self, n_pixels, *, n_variables=20, n_classes=10, n_layers=1, hidden=(64,), generator=None,
                 dtype=torch.float64):
        super().__init__()
        for name, n in (("n_pixels", n_pixels), ("n_variables", n_variables), ("n_classes", n_classes),
                        *(("hidden", n) for n in hidden)):
            read_count(name, n)
        self.n_layers = read_choice("n_layers", n_layers, (1, 2))
        self.n_pixels, self.n_variables, self.n_classes = n_pixels, n_variables, n_classes
        code = n_variables * n_classes
        stack = partial(linear_stack, between=torch.nn.LeakyReLU(0.2), dtype=dtype,
                        generator=read_generator(generator))
        self.encoder = stack([n_pixels, *hidden, code])
        self.decoder = stack([code, *reversed(hidden), n_pixels])
        if n_layers == 2:
            self.deeper = stack([code, hidden[-1], code])
            self.prior = stack([code, hidden[-1], code])

    def _logits(self, part, inputs):
        return part(inputs).unflatten(-1, (self.n_variables, self.n_classes))

    def encode(self, images):
        """Logits of the code, shape (..., K, C)."""
        return self._logits(self.encoder, images)

    def encode_again(self, codes):
        """Logits of the second code given the first, (..., K, C), of one-hot vectors (..., K, C)."""
        return self._logits(self.deeper, codes.flatten(-2))

    def decode_again(self, codes):
        """Logits of the first code given the second."""
        return self._logits(self.prior, codes.flatten(-2))

    def log_likelihood(self, images, codes):
        r""":math:`\log p(x \mid z)` in nats, of one-hot vectors, or points between, of shape (..., K, C)."""
        return log_bernoulli(images, self.decoder(codes.flatten(-2)))


def uniform_cost(logits):
    r"""What a code costs: its divergence from the uniform law, for torch.

    .. math:: \mathrm{KL}(\pi \,\|\, u) = \log C + \sum_{c=1}^C \pi_c \log \pi_c

    summed over the variables.

    Parameters
    ----------
    logits : torch.Tensor, shape (..., K, C)

    Returns
    -------
    torch.Tensor, shape (...)
        In nats, differentiable.

    Notes
    -----
    Implements: eq-uniform-cost

    Examples
    --------
    >>> uniform_cost(torch.zeros(2, 3)), round(float(uniform_cost(torch.tensor([[99.0, 0.0]]))), 4)
    (tensor(0.), 0.6931)
    """
    log_p = torch.log_softmax(logits, -1)
    return (log_p.exp() * (log_p + math.log(logits.shape[-1]))).sum(dim=(-2, -1))


def _draw(logits, generator):
    """One-hot draws of logits."""
    noise = torch.empty_like(logits).exponential_(generator=generator)
    return one_hot((logits.detach() - noise.log()).argmax(-1), logits.shape[-1]).to(logits.dtype)


def _log_law(logits, codes):
    return (torch.log_softmax(logits, -1) * codes).sum(dim=(-2, -1))


def negative_elbo(model, images, *, n_samples=1, generator=None):
    r"""The negative of the bound, by drawing codes.

    Parameters
    ----------
    model : CategoricalVAE
    images : torch.Tensor, shape (N, n_pixels)
    n_samples : int
        Codes for each image.
    generator : None, int or torch.Generator

    Returns
    -------
    torch.Tensor, shape (N,)
        In nats. The divergence from the uniform law is exact, the rest a mean over the draws.

    Raises
    ------
    TypeError
        `n_samples` isn't an integer.
    ValueError
        `n_samples` is less than 1, or the images haven't the pixels of the model.

    Examples
    --------
    >>> negative_elbo(CategoricalVAE(64), torch.zeros(3, 64, dtype=torch.float64)).shape
    torch.Size([3])
    """
    n_samples, generator = read_count("n_samples", n_samples), read_generator(generator, images.device)
    check_images(images, model.n_pixels)
    logits = model.encode(images)
    code = _draw(logits.expand(n_samples, *logits.shape), generator)
    gain = model.log_likelihood(images, code)
    if model.n_layers == 1:
        return uniform_cost(logits) - gain.mean(0)
    deep = model.encode_again(code)
    gain = gain + _log_law(model.decode_again(_draw(deep, generator)), code) - uniform_cost(deep)
    return _negative_entropy(logits) - gain.mean(0)


def _negative_entropy(logits):
    log_p = torch.log_softmax(logits, -1)
    return (log_p.exp() * log_p).sum(dim=(-2, -1))


class CodePayoff(NamedTuple):
    """What codes are worth, as `categorical_gradient` asks for it.

    Attributes
    ----------
    value : callable
        Of classes (N, K), and of the numbers of the images that they are codes of, to N numbers.
    slope : callable
        Of points (N, K, C) and numbers of images, to slopes (N, K, C).
    """

    value: object
    slope: object


def code_payoff(model, images):
    r"""What a code of an image is worth, :math:`\log p(x \mid z)`, for `categorical_gradient`.

    Parameters
    ----------
    model : CategoricalVAE
        Of one layer.
    images : torch.Tensor, shape (N, n_pixels)

    Returns
    -------
    CodePayoff

    Examples
    --------
    >>> images = torch.zeros(5, 64, dtype=torch.float64)
    >>> model = CategoricalVAE(64, n_variables=2, n_classes=3)
    >>> payoff, logits = code_payoff(model, images), model.encode(images).detach().numpy()
    >>> categorical_gradient(payoff.value, logits, method="exact").n_evaluations
    45
    """
    return _payoff(lambda z, b: model.log_likelihood(images[b], z), model.n_classes, images)


def _payoff(worth, classes, like):
    def value(z, problem):
        with torch.no_grad():
            code = one_hot(torch.as_tensor(z, device=like.device), classes).to(like.dtype)
            return worth(code, torch.as_tensor(problem, device=like.device)).cpu().numpy()

    def slope(x, problem):
        point = torch.as_tensor(x, dtype=like.dtype, device=like.device).requires_grad_()
        total = worth(point, torch.as_tensor(problem, device=like.device)).sum()
        return torch.autograd.grad(total, point)[0].cpu().numpy()

    return CodePayoff(value, slope)


def one_variable(f, logits, *, rng=None):
    r"""ARSM for one variable of each problem, which is drawn by chance; the others stay as they were drawn.

    Where :math:`k` of K variables was drawn, all equally probable, and :math:`\hat g_k` is the estimate of
    ARSM of its part of the gradient, given the classes of the others, the estimate is :math:`K \hat g_k`, and
    zero for the others.

    Parameters
    ----------
    f : callable
        Of classes (N, K), and of the numbers of the problems that they belong to, to N numbers.
    logits : ndarray, shape (B, K, C)
        Without a masked class.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    GradientEstimate
        ``n_evaluations`` is at most C for each problem.

    Notes
    -----
    Unbiased: the mean over the classes of the others and over the shares of the variable is its part of the
    gradient, and each variable is drawn once in K times.

    Examples
    --------
    >>> def both(z, _): return (z[:, 0] == z[:, 1]).astype(float)
    >>> start = np.tile([[1.0, 0.0], [0.0, 0.0]], (10**5, 1, 1))  # exactly 0, and 0.116 and its negative
    >>> one_variable(both, start, rng=0).gradient.mean(axis=0).round(2) + 0.0
    array([[ 0.  ,  0.  ],
           [ 0.12, -0.12]])
    """
    rng, (n, k, _) = read_rng(rng), logits.shape
    each, row = np.arange(n), rng.integers(k, size=n)
    drawn = (np.log(rng.standard_exponential(logits.shape)) - logits).argmin(axis=-1)

    def given_others(z, problem):
        code = drawn[problem]
        code[np.arange(len(z)), row[problem]] = z[:, 0]
        return f(code, problem)

    found = categorical_gradient(given_others, logits[each, row][:, None], method="arsm", rng=rng)
    gradient = np.zeros(logits.shape)
    gradient[each, row] = k * found.gradient[:, 0]
    return GradientEstimate(gradient, found.n_evaluations)


def _gradient(payoff, logits, method, rng, options, layer=0):
    """An estimate of the gradient in the logits, as a tensor, and its cost."""
    x = logits.detach().cpu().numpy()
    if method == "one variable":
        found = one_variable(payoff.value, x, rng=rng)
    else:
        own = {name: value[layer] if isinstance(value, tuple) else value for name, value in options.items()}
        found = categorical_gradient(payoff.value, x, method=method, rng=rng, slope=payoff.slope, **own)
    return torch.as_tensor(found.gradient, dtype=logits.dtype, device=logits.device), found.n_evaluations


def _loss(model, images, method, rng, generator, options):
    """A number whose gradient is an estimate of that of the mean negative bound, and what it cost.

    Values that are asked for by the estimators have draws of their own, and so has what depends on weights
    behind a draw.
    """
    logits = model.encode(images)
    code = _draw(logits, generator)
    if model.n_layers == 1:
        found, spent = _gradient(code_payoff(model, images), logits, method, rng, options)
        loss = uniform_cost(logits) - model.log_likelihood(images, code)
        return (loss - (logits * found).sum(dim=(-2, -1))).mean(), spent
    deep = model.encode_again(code)
    again = _draw(deep, generator)

    def below(z, b):  # all that the first code is worth, with a second code drawn for it
        law = model.encode_again(z)
        second = _draw(law, generator)
        return (model.log_likelihood(images[b], z) + _log_law(model.decode_again(second), z)
                - uniform_cost(law))

    def above(z, b):
        return _log_law(model.decode_again(z), code[b])

    first, spent = _gradient(_payoff(below, model.n_classes, images), logits, method, rng, options)
    second, more = _gradient(_payoff(above, model.n_classes, images), deep, method, rng, options,
                             layer=1)
    loss = (_negative_entropy(logits) + uniform_cost(deep) - model.log_likelihood(images, code)
            - _log_law(model.decode_again(again), code))
    pulled = (logits * first).sum(dim=(-2, -1)) + (deep * second).sum(dim=(-2, -1))
    return (loss - pulled).mean(), spent + more


def fit_categorical_vae(images, *, test=None, method="leave-one-out", n_variables=20, n_classes=10,
                        n_layers=1, hidden=(64,), steps=300, batch=50, lr=3e-3, assess_every=25,
                        generator=None, checkpoint=None, title=None, **options) -> Trained:
    """Train an autoencoder with categorical codes by Adam, on batches drawn with replacement.

    Parameters
    ----------
    images : torch.Tensor, shape (N, n_pixels)
        Bits, as made by `softmaxnotes.gradients.binarise`.
    test : torch.Tensor, optional
        Images on which the negative bound is assessed, too.
    method : str
        One of `METHODS`, or "one variable", see `one_variable`.
    n_variables, n_classes, n_layers, hidden
        As of `CategoricalVAE`.
    steps, batch : int
    lr : float
        Of Adam.
    assess_every : int
        At the first step, and then every so many steps, the negative bound is estimated on all images, with
        one code for each.
    generator : None, int or torch.Generator
        Of weights, batches, codes and estimates.
    checkpoint, title
        As of `softmaxnotes.training.train`.
    **options
        Of `categorical_gradient`: ``n_samples``, ``temperature``, ``n_conditional``, ``baseline``; a tuple
        has one for each layer.

    Returns
    -------
    Trained
        A `CategoricalVAE`, and in each step ``loss``, on the batch; ``train`` and, with test images,
        ``test``: the negative bound in nats, and NaN at steps in between; ``evaluations``, for one image,
        until then.

    Raises
    ------
    TypeError
        A number of things isn't an integer.
    ValueError
        The images aren't (N, pixels) with bits for pixels; there is no such method; and as `CategoricalVAE`.

    Notes
    -----
    The divergence from the uniform law is no part of the payoff, and its gradient is exact. With two layers
    the payoff of the first code has one draw of the second in it; methods that ask for slopes don't look
    through that draw, which adds to their bias.

    Examples
    --------
    >>> bits = torch.eye(8, dtype=torch.float64)
    >>> first, again = (fit_categorical_vae(bits, steps=3, batch=4, generator=0) for _ in range(2))
    >>> bool((first.record["loss"] == again.record["loss"]).all())
    True
    """
    check_bits(images)
    read_choice("method", method, (*METHODS, "one variable"))
    batch, assess_every = read_count("batch", batch), read_count("assess_every", assess_every)
    generator = own_generator(generator, images.device)
    rng = rng_from(generator)
    aside = own_generator(int(rng.integers(2**62)), images.device)  # so that assessing changes no step
    model = CategoricalVAE(images.shape[1], n_variables=n_variables, n_classes=n_classes, n_layers=n_layers,
                           hidden=hidden, generator=generator, dtype=images.dtype).to(images.device)
    descent = torch.optim.Adam(model.parameters(), lr=lr)
    sets = {"train": images} if test is None else {"train": images, "test": test}

    def step(i):
        some = images[torch.randint(len(images), (batch,), generator=generator, device=images.device)]
        loss, spent = _loss(model, some, method, rng, generator, options)
        descend(descent, loss)
        report = {"loss": loss.item(), "spent": spent / batch} | dict.fromkeys(sets, math.nan)
        if i == 0 or i % assess_every == assess_every - 1:
            with torch.no_grad():
                report |= {name: negative_elbo(model, them, generator=aside).mean().item()
                           for name, them in sets.items()}
        return report

    parts = {"model": model, "descent": descent, "generator": generator, "rng": rng, "aside": aside}
    record = train(step, steps, parts=parts, checkpoint=checkpoint, title=title)
    record["evaluations"] = np.cumsum(record.pop("spent"))
    return Trained(model, record)


# --- A race for as many values of the likelihood -------------------------------------------

#: Method, options, and what a step costs in values of the likelihood for each layer: a slope counts as three,
#: and ARSM, in all variables or in one, as what it asks for at most.
_WAYS = {
    "no baseline": ("reinforce", {}, 1),
    "moving average": ("reinforce", {}, 1),
    "leave-one-out, 4": ("leave-one-out", {"n_samples": 4}, 4),
    "leave-one-out, 46": ("leave-one-out", {"n_samples": 46}, 46),
    "ARSM": ("arsm", {}, 46),
    "ARSM, one variable": ("one variable", {}, 10),
    "Gumbel-softmax": ("gumbel-softmax", {"temperature": 0.5}, 3),
    "straight-through": ("straight-through", {}, 3),
}


def learn(method, *, seed, budget, lr, n_layers):
    """Train on the digits for as many values of the likelihood as the budget has for each image of a batch.

    Returns
    -------
    dict
        ``train``, ``test``: the negative bound at the end, in nats.
    """
    torch.set_num_threads(1)
    train, test = (binarise(part.images) for part in load())
    way, options, price = _WAYS[method]
    if method == "moving average":
        options = {"baseline": tuple(MovingAverage() for _ in range(n_layers))}
    steps = budget // (price * n_layers)
    model = fit_categorical_vae(train, method=way, n_layers=n_layers, steps=steps, batch=25, lr=lr,
                                assess_every=steps, generator=seed, **options).model
    aside = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        return {name: negative_elbo(model, part, n_samples=10, generator=aside).mean().item()
                for name, part in (("train", train), ("test", test))}


_LRS = (0.001, 0.003, 0.01)

#: Codes of one layer.
ONE_LAYER = Experiment(
    "one-layer", learn, {name: {"lr": _LRS, "n_layers": (1,)} for name in _WAYS}, seeds=range(10),
    tuning_seeds=range(90, 92), budgets=(3000,), spent="values", measure="train", digits=0)

#: Codes of two layers, the second with the uniform prior.
TWO_LAYERS = Experiment(
    "two-layers", learn, {name: {"lr": _LRS, "n_layers": (2,)} for name in
                          ("moving average", "leave-one-out, 4", "ARSM", "ARSM, one variable",
                           "Gumbel-softmax")},
    seeds=range(10), tuning_seeds=range(90, 92), budgets=(4000,), spent="values", measure="train", digits=0)


_LAYERS = {"one layer": 1, "two layers": 2}


def untaught(method, *, seed, budget, lr):
    """Train for so many steps without any estimate: the encoder is told only what its codes cost.

    Returns
    -------
    dict
        As of `learn`.
    """
    torch.set_num_threads(1)
    train, test = (binarise(part.images) for part in load())
    generator = torch.Generator().manual_seed(seed)
    model = CategoricalVAE(train.shape[1], n_layers=_LAYERS[method], generator=generator)
    descent = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(budget):
        some = train[torch.randint(len(train), (25,), generator=generator)]
        descend(descent, negative_elbo(model, some, generator=generator).mean())  # no slope through a draw
    with torch.no_grad():
        return {name: negative_elbo(model, part, n_samples=10, generator=generator).mean().item()
                for name, part in (("train", train), ("test", test))}


#: In as many steps as ARSM has with two layers, with one, and with two in one variable, of the size that
#: suits it in all variables.
UNTAUGHT = Experiment(
    "untaught", untaught, dict.fromkeys(_LAYERS, {"lr": (0.003,)}), seeds=range(10),
    budgets=(4000 // 92, 3000 // 46, 4000 // 20), spent="steps", measure="train", digits=0)


# --- On the way --------------------------------------------------------------------------

LOOKS = 16  #: How often a training is looked at.


def look(method, *, seed, budget, lr):
    """Train codes of one layer, and look at the bound on the way, with one code for each image.

    Returns
    -------
    dict
        ``"train 1"``, ``"test 1"``, ..., ``"test 16"``: the negative bound in nats at so many of `LOOKS`
        looks, the same number of steps apart; ``"values 1"``, ...: values of the likelihood until then.
    """
    torch.set_num_threads(1)
    train, test = (binarise(part.images) for part in load())
    way, options, price = _WAYS[method]
    if method == "moving average":
        options = {"baseline": MovingAverage()}
    steps = budget // price
    record = fit_categorical_vae(train, test=test, method=way, steps=steps, batch=25, lr=lr,
                                 assess_every=steps // LOOKS, generator=seed, **options).record
    taken = np.flatnonzero(~np.isnan(record["train"]))[1:]  # the first is that of the first step
    seen = {"values": (taken + 1) * price} | {part: record[part][taken] for part in ("train", "test")}
    return {f"{name} {at}": value for name, values in seen.items() for at, value in enumerate(values, 1)}


#: With the step sizes that are best in the race of one layer, over half of its budget.
ON_THE_WAY = Experiment(
    "on-the-way", look, {"moving average": {"lr": (0.003,)}, "leave-one-out, 4": {"lr": (0.003,)},
                         "ARSM": {"lr": (0.003,)}, "Gumbel-softmax": {"lr": (0.01,)},
                         "straight-through": {"lr": (0.01,)}},
    seeds=range(5), budgets=(1500,), spent="values", measure=f"train {LOOKS}", digits=0)
