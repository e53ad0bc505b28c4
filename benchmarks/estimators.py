"""Estimators of a gradient: time, and what a unit of precision costs, against torch.

Run it from anywhere: ``python benchmarks/estimators.py``. It takes about half a minute, writes
``estimators.json`` (speed) and ``estimators_noise.json`` (what a unit of precision costs) beside itself,
and says what the numbers mean in their notes.  An estimator joins both tables by a line in `ESTIMATORS`.
"""

from harness import Why, publish, race  # first: it fixes the number of threads

# isort: split

from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import distributions

from softmaxnotes import gradients as ours

OTHERS = ["torch surrogate", "without validation"]
SECONDS = 0.4  # per row of a table
REPEATS = 20_000  # of an estimate, for its variance

#: By name: called with f, the parameters, n_samples, size and rng.
ESTIMATORS = {
    "score function": ours.score_function_gradient,
    "leave-one-out": partial(ours.score_function_gradient, baseline="leave-one-out"),
}

SPEED = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take "
    "turns, in a random order, each for at least a millisecond per turn, and the fastest turn of each "
    "counts. 'torch surrogate' is the estimator as it is usually written: draw from a distribution of "
    "torch.distributions, multiply what is paid, compared with the mean of the others for leave-one-out, "
    "with log_prob, and call backward; the second column is with validate_args=False. What is paid is read "
    "from a table for categories, and the sum of the squares for normal coordinates, in NumPy for us and in "
    "torch for torch. Logits are standard normal."
)
NOISE = (
    "For ten categories with standard normal logits, of which category k pays k + 10: the time of one "
    "estimate, its total variance over 20 000 repetitions, and the product of the two in units of that of "
    "the first row, which is what a unit of precision costs when many estimates are averaged. 'exact' "
    "enumerates and has no variance. Here a value of f is all but free: where it is dear, the product of "
    "variance and evaluations counts, which is in the last column, in units of the first row. The constant "
    "of ten is most of what leave-one-out takes away: with rewards of 1 and 0 it can be noisier than no "
    "baseline."
)


def surrogate(family, leaves, pay, n, left_out, **options):
    """One estimate as it is usually written in torch."""
    for leaf in leaves:
        leaf.grad = None
    law = family(*leaves, **options)
    draws = law.sample((n,))
    log_prob = law.log_prob(draws)
    log_prob = log_prob.reshape(n, -1).sum(-1)
    paid = pay(draws)
    if left_out:
        paid = (paid - paid.mean()) * (n / (n - 1))
    (paid * log_prob).mean().backward()
    return leaves[0].grad


def categorical(logits, validate_args=True):
    return distributions.Categorical(logits=logits, validate_args=validate_args)


def normal(mean, log_std, validate_args=True):
    return distributions.Normal(mean, log_std.exp(), validate_args=validate_args)


def cases(rng):
    """Shape, parameters, how they are paid, and the same for torch."""
    for shape in [(10,), (1000,), (20, 10)]:
        logits, c = rng.normal(size=shape), shape[-1]
        table = rng.normal(size=c)
        tensor, leaf = torch.from_numpy(table), torch.tensor(logits, requires_grad=True)
        if len(shape) == 1:
            yield shape, logits, lambda z, t=table: t[z], categorical, [leaf], lambda z, t=tensor: t[z]
        else:
            yield (shape, logits, lambda z, t=table: t[z].sum(1), categorical, [leaf],
                   lambda z, t=tensor: t[z].sum(1))
    mean, log_std = rng.normal(size=(2, 10))
    leaves = [torch.tensor(x, requires_grad=True) for x in (mean, log_std)]
    yield ("normal (10,)", ours.Gaussian(mean, log_std), lambda x: (x * x).sum(1), normal, leaves,
           lambda x: (x * x).sum(1))


def speeds():
    for shape, params, pay, family, leaves, paid in cases(np.random.default_rng(0)):
        for n in (4, 1000):
            for name, estimator in ESTIMATORS.items():
                rng, left_out = np.random.default_rng(1), name == "leave-one-out"
                calls = {
                    "ours": partial(estimator, pay, params, n_samples=n, rng=rng),
                    OTHERS[0]: partial(surrogate, family, leaves, paid, n, left_out),
                    OTHERS[1]: partial(surrogate, family, leaves, paid, n, left_out, validate_args=False),
                }
                seconds = race(calls, SECONDS)
                ratios = [round(seconds[other] / seconds["ours"], 2) for other in OTHERS]
                yield [name, str(shape), n, round(seconds["ours"] * 1e6, 1), *ratios]


def noises():
    logits, table = np.random.default_rng(0).normal(size=10), np.arange(10.0) + 10

    def f(z):
        return table[z]

    first = None
    for n in (4, 16):
        for name, estimator in ESTIMATORS.items():
            found = estimator(f, logits, n_samples=n, size=REPEATS, rng=2)
            variance, asked = found.gradient.var(axis=0).sum(), found.n_evaluations / REPEATS
            rng = np.random.default_rng(3)
            time = race({"ours": partial(estimator, f, logits, n_samples=n, rng=rng)}, SECONDS)["ours"]
            first = first or (time * variance, variance * asked)
            yield [name, n, round(time * 1e6, 1), f"{variance:.3g}", f"{time * variance / first[0]:.3g}",
                   f"{variance * asked / first[1]:.3g}"]
    time = race({"ours": partial(ours.exact_gradient, f, logits)}, SECONDS)["ours"]
    yield ["exact", 10, round(time * 1e6, 1), "0", "0", "0"]


def main():
    whys = [Why(
        lambda row, rival: row["draws"] == 4,
        "with four draws nearly all of the time goes into checks and into small arrays; a hundred such "
        "estimates by one call with `size` take {} times less each.",
        at_once,
    )]
    publish(__file__, ["function", "shape", "draws", "ours [µs]", *OTHERS], speeds(), SPEED, OTHERS, whys)
    columns = ["estimator", "draws", "time [µs]", "variance", "time × variance", "evaluations × variance"]
    publish(Path(__file__).with_name("estimators_noise.py"), columns, noises(), NOISE)


def at_once():
    logits, rng = np.random.default_rng(0).normal(size=10), np.random.default_rng(1)
    one = partial(ours.score_function_gradient, np.negative, logits, n_samples=4, rng=rng)
    seconds = race({"one": one, "many": partial(one, size=100)}, SECONDS)
    return 100 * seconds["one"] / seconds["many"]


if __name__ == "__main__":
    main()
