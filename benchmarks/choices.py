"""Choices: the ARSM gradient against the matrix of all swaps, and the likelihood of a learner.

Run it from anywhere: ``python benchmarks/choices.py``. It takes about two minutes, and writes
``choices_arsm.json`` (the gradient, sorted and sparse) and ``choices_learner.json`` (the
log-likelihood of a Rescorla-Wagner learner, with its gradient) beside itself.
"""

from harness import Why, publish, race  # first: it fixes the number of threads

# isort: split

from pathlib import Path

import numpy as np
import torch

from softmaxnotes import choices as ours

RIVALS = ["dense", "loop"]
SECONDS = 0.5  # per row of the table
BLOCK = 2**22  # entries of the matrix that the dense rival has at once

NOTE = (
    "One draw of the ARSM gradient for one variable. Time of each competitor divided by ours: above 1, we "
    "are faster. One thread, one process; all take turns, in a random order, each for at least a millisecond "
    "per turn, and the fastest turn of each counts. 'Dense' is the definition, vectorised: the winners after "
    "all swaps from the three best times, then the values, then the product with the shares, a block of rows "
    "at a time; 'loop' swaps one pair after the other and takes the arg min, up to 100 classes. Logits are "
    "all equal ('flat'), or normal with standard deviation 2 ('spread'); values are looked up in an array, "
    "so that they cost next to nothing. 'Values' is the part of the classes whose value ours asks for. All "
    "give the same gradient from the same shares, to 1e-12 of its largest entry, or the run stops."
)


def dense(values, x, w):
    """The matrix of rewards times the pulls, a block of rows at a time."""
    n, rate, pull = len(x), np.exp(-x), 1 / len(x) - w
    times, column = w * rate, np.arange(len(x))
    best = np.argsort(times)[:3]
    product = np.empty(n)
    for start in range(0, n, max(1, BLOCK // n)):
        c = column[start : start + max(1, BLOCK // n), None]
        # the first that is in neither place of the swap
        place = (best[0] == c) | (best[0] == column)
        nobody = best[0] * ~place
        second = place & (best[1] != c) & (best[1] != column)
        third = place & ~second
        rest = nobody + best[1] * second + (best[2] * third if n > 2 else 0)
        beaten = times[rest]
        if n == 2:
            beaten = np.where(third, np.inf, beaten)
        to_c, to_j = w * rate[c], w[c] * rate
        to_j = np.where(c == column, np.inf, to_j)
        winner = np.where(to_c < np.minimum(to_j, beaten), c, np.where(to_j < beaten, column, rest))
        product[c[:, 0]] = values[winner] @ pull
    return product - product.mean()


def loop(values, x, w):
    """One swap after the other."""
    n, rate = len(x), np.exp(-x)
    paid = np.empty((n, n))
    for c in range(n):
        for j in range(c + 1):
            swapped = w.copy()
            swapped[c], swapped[j] = w[j], w[c]
            paid[c, j] = paid[j, c] = values[(swapped * rate).argmin()]
    product = paid @ (1 / n - w)
    return product - product.mean()


class Given(np.random.Generator):
    """A generator whose exponential numbers are known before."""

    def __init__(self, numbers):
        super().__init__(np.random.PCG64(0))
        self.numbers = numbers

    def standard_exponential(self, size=None):
        return self.numbers.reshape(size)


def rows():
    for n in (10, 100, 1000, 10_000):
        for name, width in (("flat", 0.0), ("spread", 2.0)):
            rng = np.random.default_rng(n)
            x, values, times = width * rng.normal(size=n), rng.normal(size=n), rng.exponential(size=n)
            w, given = times / times.sum(), Given(times)

            def gradient(x=x, values=values, given=given):
                return ours.arsm_gradient(values.__getitem__, x, rng=given)

            calls = {"ours": gradient, "dense": lambda v=values, x=x, w=w: dense(v, x, w)}
            if n <= 100:
                calls["loop"] = lambda v=values, x=x, w=w: loop(v, x, w)
            found = gradient()
            for rival in RIVALS[: len(calls) - 1]:
                error = np.abs(calls[rival]() - found.gradient).max()
                if not error <= 1e-12 * np.abs(found.gradient).max():
                    raise ValueError(f"{rival} differs by {error} for {n} classes, {name}")
            seconds = race(calls, SECONDS)
            ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in RIVALS]
            yield ["arsm_gradient", name, str((n,)), round(seconds["ours"] * 1e6, 1), *ratios,
                   f"{found.n_evaluations / n:.0%}"]


def fixed():
    """A draw for 10 classes, over a hundredth of a hundred draws made at once."""
    x = np.random.default_rng(0).normal(size=10)
    seconds = race({"one": lambda: ours.arsm_gradient(np.cos, x, rng=0),
                    "many": lambda: ours.arsm_gradient(np.cos, x, size=100, rng=0)}, SECONDS)
    return seconds["one"] / (seconds["many"] / 100)


WHYS = [
    Why(lambda row, rival: row["shape"] in ("(10,)", "(100,)"),
        "a call has a fixed cost, for checks, masks and the draw, which many draws share: one draw for 10 "
        "classes alone takes {} times as long as one of a hundred that are made by one call.", fixed, 2),
]


# --- The likelihood of a learner ------------------------------------------------------------------

LEARNER = (
    "Log-likelihood of choices between cues, with its gradient by learning rate and inverse temperature, for "
    "all subjects at once, each with parameters of its own. Time of each competitor divided by ours: above "
    "1, we are faster. Turns as in the table before. 'Torch loop' is one pass through the trials, all "
    "subjects at once, with autograd; 'differences' are central ones, five passes in NumPy, all subjects at "
    "once; 'shared pass' is the same with all five settings in one pass. Torch agrees with ours to 1e-9 of "
    "the largest entry, differences to 1e-5, or the run stops."
)
LEARNER_RIVALS = ["torch loop", "differences", "shared pass"]
STEP = 1e-6  # of the differences


def torch_loop(alpha, beta, choices, rewards, n_cues):
    """Value and gradient, shapes (S,) and (S, 2), by autograd."""
    a, b = (torch.tensor(v, requires_grad=True) for v in (alpha, beta))
    one_hot = torch.nn.functional.one_hot(torch.from_numpy(choices), n_cues).double()  # (S, T, K)
    paid = torch.from_numpy(rewards)
    values = torch.zeros(len(alpha), n_cues, dtype=torch.float64)
    total = torch.zeros(len(alpha), dtype=torch.float64)
    for t in range(choices.shape[1]):
        total = total + (one_hot[:, t] * torch.log_softmax(b[:, None] * values, -1)).sum(-1)
        values = values + a[:, None] * one_hot[:, t] * (paid[:, t, None] - values)
    total.sum().backward()
    return total.detach().numpy(), torch.stack([a.grad, b.grad], -1).numpy()


def one_pass(alpha, beta, choices, rewards, n_cues):
    """The value, shape (..., S), of parameters of this shape."""
    values, total = np.zeros((*alpha.shape, n_cues)), np.zeros(alpha.shape)
    rows = np.arange(len(choices))
    for t in range(choices.shape[1]):
        chosen = choices[:, t]
        scaled = beta[..., None] * values
        top = scaled.max(axis=-1)
        total += scaled[..., rows, chosen] - top - np.log(np.exp(scaled - top[..., None]).sum(axis=-1))
        values[..., rows, chosen] += alpha * (rewards[:, t] - values[..., rows, chosen])
    return total


def differences(alpha, beta, *data, together=False):
    """Value and gradient by central differences."""
    settings = [(alpha, beta), (alpha + STEP, beta), (alpha - STEP, beta), (alpha, beta + STEP),
                (alpha, beta - STEP)]
    if together:
        value, up_a, down_a, up_b, down_b = one_pass(*np.moveaxis(np.array(settings), 1, 0), *data)
    else:
        value, up_a, down_a, up_b, down_b = (one_pass(a, b, *data) for a, b in settings)
    return value, np.stack([up_a - down_a, up_b - down_b], axis=-1) / (2 * STEP)


def learner_rows():
    for n_subjects, n_trials, n_cues in ((1, 1000, 2), (100, 1000, 2), (100, 1000, 4), (100, 200, 2)):
        rng = np.random.default_rng(n_trials)
        alpha, beta = rng.uniform(0.1, 0.9, n_subjects), rng.uniform(0.5, 5, n_subjects)
        chances = np.linspace(0.8, 0.2, n_cues)
        choices = rng.integers(n_cues, size=(n_subjects, n_trials))
        rewards = (rng.random(choices.shape) < chances[choices]).astype(float)
        data = (alpha, beta, choices, rewards, n_cues)
        calls = {
            "ours": lambda d=data: ours.log_likelihood(*d[:4]),
            "torch loop": lambda d=data: torch_loop(*d),
            "differences": lambda d=data: differences(*d),
            "shared pass": lambda d=data: differences(*d, together=True),
        }
        value, gradient = calls["ours"]()
        for rival in LEARNER_RIVALS:
            their_value, their_gradient = calls[rival]()
            error = max(np.abs(their_value / value - 1).max(),
                        np.abs(their_gradient - gradient).max() / np.abs(gradient).max())
            if not error <= (1e-9 if rival == "torch loop" else 1e-5):
                raise ValueError(f"{rival} differs by {error} for {n_subjects} subjects, {n_trials} trials")
        seconds = race(calls, SECONDS)
        ratios = [round(seconds[k] / seconds["ours"], 2) for k in LEARNER_RIVALS]
        shape, mine = str((n_subjects, n_trials)), round(seconds["ours"] * 1e6, 1)
        yield ["log_likelihood", n_cues, shape, mine, *ratios]


def learner():
    columns = ["function", "cues", "shape", "ours [µs]", *LEARNER_RIVALS]
    publish(Path(__file__).with_name("choices_learner.py"), columns, learner_rows(), LEARNER, LEARNER_RIVALS)


def arsm():
    columns = ["function", "logits", "shape", "ours [µs]", *RIVALS, "values"]
    publish(Path(__file__).with_name("choices_arsm.py"), columns, rows(), NOTE, RIVALS, WHYS)


if __name__ == "__main__":
    arsm()
    learner()
