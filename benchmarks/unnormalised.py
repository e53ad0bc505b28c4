"""Functionals on a grid, noise words, steps of word vectors: against what a reader would use instead.

Run it from anywhere: ``python benchmarks/unnormalised.py``. It takes about two minutes and 2 GB, writes
``unnormalised.json`` (functionals), ``unnormalised_noise.json`` (draws of noise words) and
``unnormalised_steps.json`` (a step of training) beside itself, and says what the numbers mean in the
``note`` of each.
"""

from pathlib import Path

from harness import Why, publish, race  # first: it fixes the number of threads

# isort: split

import numpy as np
import scipy.optimize
import sympy as sp
import torch

from softmaxnotes.tools import discretise, discretised_minimiser
from softmaxnotes.unnormalised import NoiseSampler, WordVectors, nce_loss, negative_sampling_loss

SECONDS = 0.4  # per row of the table
RIVALS = ["scipy", "torch", "numpy"]

NOTE = (
    "Time of each competitor divided by ours: above 1, we are faster. One thread, one process; all take "
    "turns, in a random order, and the fastest turn of each counts. The functional is the area of a "
    "surface of revolution, the integral of f sqrt(1 + f'^2), of polygons with so many points, "
    "discretised by midpoints. 'numpy' is its sum written by hand, torch is automatic differentiation "
    "of that sum (torch.func.hessian gives a dense matrix, and is raced where it has few entries), and "
    "scipy is scipy.optimize.minimize with its default method, from the straight line, with our "
    "gradient. Making the functional from its formula is counted for the minimisers only. The error is "
    "the largest difference from torch, relative to the largest entry; of a minimiser it is the largest "
    "derivative that is left."
)

X = sp.Symbol("x")
F = sp.Function("f")(X)
AREA = F * sp.sqrt(1 + F.diff(X) ** 2)


def by_hand(y, h, sqrt):
    slope = (y[1:] - y[:-1]) / h
    return (h * (y[1:] + y[:-1]) / 2 * sqrt(1 + slope**2)).sum()


def cases(points):
    grid = np.linspace(0, 1, points)
    h, y = grid[1], np.cosh(grid) + 0.1 * np.sin(np.pi * grid)
    functional, t = discretise(AREA, F, X, grid), torch.from_numpy(y)

    def gradient():
        leaf = t.detach().requires_grad_()
        by_hand(leaf, h, torch.sqrt).backward()
        return leaf.grad

    yield "value", {"ours": lambda: functional.value(y), "torch": lambda: by_hand(t, h, torch.sqrt),
                    "numpy": lambda: by_hand(y, h, np.sqrt)}
    yield "gradient", {"ours": lambda: functional.gradient(y), "torch": gradient}
    dense = torch.func.hessian(lambda v: by_hand(v, h, torch.sqrt))
    calls = {"ours": lambda: functional.hessian(y)}
    if points < 100:
        calls["torch"] = lambda: dense(t)
    yield "hessian", calls


def minimisers(points):
    grid, ends = np.linspace(0, 1, points), ((0, 1), (1, np.cosh(1)))
    line = np.linspace(1, np.cosh(1), points)

    def scipys():
        functional = discretise(AREA, F, X, grid)

        def polygon(inner):
            return np.concatenate([line[:1], inner, line[-1:]])

        found = scipy.optimize.minimize(
            lambda inner: functional.value(polygon(inner)), line[1:-1],
            jac=lambda inner: functional.gradient(polygon(inner))[1:-1])
        return polygon(found.x)

    calls = {"ours": lambda: discretised_minimiser(AREA, F, X, *ends, n_cells=points - 1).y, "scipy": scipys}
    return "discretised_minimiser", calls


def differences(name, calls):
    """Relative, from torch; of minimisers, the derivative that is left."""
    if name == "discretised_minimiser":
        errors = {}
        for contender, call in calls.items():
            y = call()
            functional = discretise(AREA, F, X, np.linspace(0, 1, len(y)))
            errors[contender] = f"{np.abs(functional.gradient(y)[1:-1]).max():.1g}"
        return errors
    if "torch" not in calls:
        return {}
    want = np.asarray(calls["torch"]())
    if name == "hessian":
        want = np.stack([np.diagonal(want), np.append(np.diagonal(want, 1), 0)])
    return {"ours": f"{np.abs(calls['ours']() - want).max() / np.abs(want).max():.1g}"}


def measured(name, points, calls):
    """A row of the table."""
    seconds, errors = race(calls, SECONDS), differences(name, calls)
    ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in RIVALS]
    return [name, str((points,)), round(seconds["ours"] * 1e6, 1), *ratios,
            errors.get("ours", ""), errors.get("scipy", "")]


def rows():
    for points in (65, 10_001, 1_000_001):
        for name, calls in cases(points):
            yield measured(name, points, calls)
    name, calls = minimisers(65)
    yield measured(name, 65, calls)  # 64 cells, as by default


VOCABULARIES = (10**3, 10**4, 10**5, 10**6)
DRAWS = 10_000
NOISE_RIVALS = ["torch.multinomial", "searchsorted", "numpy choice", "cumsum"]
NOISE = (
    "Time of each competitor divided by that of NoiseSampler: above 1, ours is faster. One thread, one "
    "process; all take turns, in a random order, and the fastest turn of each counts. "
    f"{DRAWS} draws from Zipf's law over so many words, by a table that is made once ('table'); "
    "'searchsorted' has the cumulated sums ('cumsum') ready, too, while torch.multinomial and numpy's choice "
    "are given the probabilities, which is what they take. 'draw, torch' is drawn with a generator of torch. "
    "The error is the largest relative one of a probability, of the table, and of the cumulated sums."
)


def noise_rows():
    for n in VOCABULARIES:
        weights = 1 / np.arange(1, n + 1)
        noise, rng, generator = NoiseSampler(weights), np.random.default_rng(0), torch.Generator()
        law = noise.probabilities
        summed, tensor = np.cumsum(law), torch.from_numpy(law)
        errors = [f"{np.abs(found / law - 1).max():.1g}"
                  for found in (noise.table_law(), np.diff(summed, prepend=0))]
        rivals = {
            "torch.multinomial": lambda t=tensor, g=generator: torch.multinomial(t, DRAWS, True, generator=g),
            "searchsorted": lambda c=summed, r=rng: c.searchsorted(r.random(DRAWS) * c[-1], side="right"),
            "numpy choice": lambda p=law, r=rng: r.choice(len(p), DRAWS, p=p),
        }
        for name, ours, others in (
                ("table", lambda w=weights: NoiseSampler(w),
                 {"cumsum": lambda w=weights: np.cumsum(w / w.sum())}),
                ("draw", lambda d=noise, r=rng: d.sample(DRAWS, rng=r), rivals),
                ("draw, torch", lambda d=noise, g=generator: d.sample_tensor(DRAWS, generator=g), rivals)):
            seconds = race({"ours": ours} | others, SECONDS)
            ratios = [round(seconds[k] / seconds["ours"], 2) if k in seconds else "" for k in NOISE_RIVALS]
            yield [name, str((n,)), round(seconds["ours"] * 1e6, 1), *ratios, *errors]


BATCH, DIM, NOISE_WORDS = 64, 64, 10
STEP_RIVALS = ["nce", "softmax", "torch.multinomial"]
STEPS = (
    "Time of each competitor divided by that of negative sampling: above 1, negative sampling is faster. One "
    "thread, one process; all take turns, in a random order, and the fastest turn of each counts. A step of "
    f"stochastic descent on {BATCH} words of text, forwards, backwards and update, with vectors of {DIM} "
    f"numbers; {NOISE_WORDS} noise words for each word, drawn anew, and gradients that hold the rows that "
    "were met; softmax has gradients of all rows. 'torch.multinomial' is negative sampling with its noise "
    "drawn by that."
)


def step_row(n):
    noise, generator = NoiseSampler(1 / np.arange(1, n + 1), power=0.75), torch.Generator().manual_seed(0)
    log_kq = torch.from_numpy(noise.log_probabilities).float() + np.log(NOISE_WORDS)
    law = torch.from_numpy(noise.probabilities)
    contexts = torch.randint(1000, (BATCH,), generator=generator)
    words = noise.sample_tensor((BATCH,), generator=generator)

    def call(loss, sparse):
        model = WordVectors(1000, n, DIM, sparse=sparse, generator=generator)
        descent = torch.optim.SGD(model.parameters(), lr=0.01)

        def step():
            descent.zero_grad()
            loss(model).backward()
            descent.step()
        return step

    def contrast(model):
        others = noise.sample_tensor((BATCH, NOISE_WORDS), generator=generator)
        return nce_loss(model(contexts, words), model(contexts, others), log_kq[words], log_kq[others])

    def negatives(model):
        others = noise.sample_tensor((BATCH, NOISE_WORDS), generator=generator)
        return negative_sampling_loss(model(contexts, words), model(contexts, others))

    def by_multinomial(model):
        others = torch.multinomial(law, BATCH * NOISE_WORDS, True, generator=generator)
        return negative_sampling_loss(model(contexts, words), model(contexts, others.reshape(BATCH, -1)))

    def softmax(model):
        return torch.nn.functional.cross_entropy(model.table(contexts), words)

    calls = {"ours": call(negatives, True), "nce": call(contrast, True),
             "torch.multinomial": call(by_multinomial, True), "softmax": call(softmax, False)}
    seconds = race(calls, SECONDS)
    ratios = [round(seconds[k] / seconds["ours"], 2) for k in STEP_RIVALS]
    return ["one step", str((n,)), round(seconds["ours"] * 1e6, 1), *ratios]


def fixed():
    """A value on 65 points, over the time for each 65 of 10 001."""
    few, many = (discretise(AREA, F, X, np.linspace(0, 1, n)) for n in (65, 10_001))
    a, b = np.ones(65), np.ones(10_001)
    seconds = race({"few": lambda: few.value(a), "many": lambda: many.value(b)}, SECONDS)
    return seconds["few"] * 10_001 / 65 / seconds["many"]


def general():
    """What any formula needs (means, slopes, checked and copied ordinates), over the sum by hand."""
    functional, y = discretise(AREA, F, X, np.linspace(0, 1, 10_001)), np.ones(10_001)
    lengths = np.diff(functional.grid)

    def prepare():
        z = y.astype(np.float64)
        return (z[:-1] + z[1:]) / 2, (z[1:] - z[:-1]) / lengths

    seconds = race({"prepare": prepare, "by hand": lambda: by_hand(y, 1e-4, np.sqrt)}, SECONDS)
    return seconds["prepare"] / seconds["by hand"]


WHYS = [
    Why(lambda row, rival: row["shape"] == "(65,)",
        "a call has a fixed cost, for checks and for whatever formula was given: 65 points by themselves "
        "take {} times as long as 65 of 10 001.", fixed, 2),
    Why(lambda row, rival: row["function"] == "value" and rival == "numpy",
        "what any formula on any grid needs, a copy of the ordinates, their means and their slopes, alone "
        "takes {} of the time of this sum written by hand.", general, 0.3),
]


def boxes():
    """To look up a number at a random place, over adding one."""
    rng = np.random.default_rng(0)
    table, places = rng.random(10**6), rng.integers(10**6, size=10**6)
    seconds = race({"look up": lambda: table[places], "cumulate": lambda: np.cumsum(table)}, SECONDS)
    return seconds["look up"] / seconds["cumulate"]


def gathered():
    """Scores of words and of noise among a thousand words, over those of all of them: forwards, backwards."""
    few, full = (WordVectors(1000, 1000, DIM, sparse=sparse) for sparse in (True, False))
    contexts, words = torch.arange(BATCH), torch.randint(1000, (BATCH,))
    noise = torch.randint(1000, (BATCH, NOISE_WORDS))
    seconds = race({"few": lambda: (few(contexts, words).sum() + few(contexts, noise).sum()).backward(),
                    "all": lambda: full.table(contexts).sum().backward()}, SECONDS)
    return seconds["few"] / seconds["all"]


WHYS_NOISE = [
    Why(lambda row, rival: rival == "cumsum",
        "a table sums twice, searches, and fills boxes at random places; to look up a number at a random "
        "place takes {} times as long as to add one.", boxes, 0.5),
]
WHYS_STEPS = [
    Why(lambda row, rival: rival == "softmax" and row["shape"] == "(1000,)",
        "for few words, the scores of a word and of its noise, gathered, and their sparse gradients take {} "
        "times as long as one product of matrices with all of them and its gradient.", gathered),
]


def main():
    columns = ["function", "shape", "ours [µs]", *RIVALS, "ours error", "scipy error"]
    publish(__file__, columns, rows(), NOTE, RIVALS, WHYS)
    publish(Path(__file__).with_name("unnormalised_noise.py"),
            ["function", "shape", "ours [µs]", *NOISE_RIVALS, "table error", "cumsum error"], noise_rows(),
            NOISE, NOISE_RIVALS, WHYS_NOISE)
    publish(Path(__file__).with_name("unnormalised_steps.py"),
            ["function", "shape", "negative sampling [µs]", *STEP_RIVALS], map(step_row, VOCABULARIES), STEPS,
            STEP_RIVALS, WHYS_STEPS)


if __name__ == "__main__":
    main()
