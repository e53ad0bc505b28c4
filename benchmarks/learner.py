"""The likelihood of a learner that chooses by a softmax, with its gradient.

Run it from anywhere: ``python benchmarks/learner.py``. It takes about a minute, and writes ``learner.json``
beside itself.
"""

from harness import publish, race  # first: it fixes the number of threads

# isort: split

import numpy as np
import torch

from softmaxnotes import softmax as ours

SECONDS = 0.5  # per row of the table

NOTE = (
    "Log-likelihood of choices between cues, with its gradient by learning rate and inverse temperature, for"
    " all subjects at once, each with parameters of its own. Time of each competitor divided by ours: above "
    "1, we are faster. One thread, one process; all take turns, in a random order, each for at least a "
    "millisecond per turn, and the fastest turn of each counts. 'Torch loop' is one pass through the trials,"
    " all subjects at once, with autograd; 'differences' are central ones, five passes in NumPy, all "
    "subjects at once; 'shared pass' is the same with all five settings in one pass. Torch agrees with ours "
    "to 1e-9 of the largest entry, differences to 1e-5, or the run stops."
)
RIVALS = ["torch loop", "differences", "shared pass"]
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


def rows():
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
        for rival in RIVALS:
            their_value, their_gradient = calls[rival]()
            error = max(np.abs(their_value / value - 1).max(),
                        np.abs(their_gradient - gradient).max() / np.abs(gradient).max())
            if not error <= (1e-9 if rival == "torch loop" else 1e-5):
                raise ValueError(f"{rival} differs by {error} for {n_subjects} subjects, {n_trials} trials")
        seconds = race(calls, SECONDS)
        ratios = [round(seconds[k] / seconds["ours"], 2) for k in RIVALS]
        shape, mine = str((n_subjects, n_trials)), round(seconds["ours"] * 1e6, 1)
        yield ["log_likelihood", n_cues, shape, mine, *ratios]


if __name__ == "__main__":
    columns = ["function", "cues", "shape", "ours [µs]", *RIVALS]
    publish(__file__, columns, rows(), NOTE, RIVALS)
