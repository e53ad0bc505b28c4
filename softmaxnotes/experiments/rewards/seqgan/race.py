"""What goes on after a generator has been trained by likelihood for a while: which training, at equal cost?

The module needs torch.
"""

import torch

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice

from .networks import Judge, Recurrent, scores
from .training import fit_judge, fit_likelihood, fit_seqgan

__all__ = ["RACE", "WAYS"]

WAYS = ("stop", "likelihood", "SeqGAN", "SeqGAN with a baseline", "constant reward",
        "likelihood, then SeqGAN", "the oracle itself")
PARTS = 8  #: in so many parts of its budget a run is measured
VOCABULARY, LENGTH, BATCH, ROLLOUTS, JUDGE_STEPS, JUDGE_BEFORE = 10, 4, 256, 2, 2, 100


def go_on(method, *, seed, budget, lr=0.0):
    """Train a generator further, and say what an oracle thinks of it.

    The oracle, its 10,000 sequences for training, and the generator, which 80 steps of likelihood have
    trained, are those of the seed.

    Parameters
    ----------
    method : one of `WAYS`
        The constant reward is 1/2, what a judge pays that knows nothing; the judge is charged for as if it
        were asked.  The last but one spends half of its budget on likelihood, with the step 0.01, and half on
        SeqGAN.  The last is no training, but what the data are drawn from.
    seed : int
    budget : int
        Sequences that a network draws, completes or reads, those included by which the judge is trained.
    lr : float
        Of Adam, for the generator; the judge has 0.003.

    Returns
    -------
    dict
        ``"score"``, ``"reverse"`` and ``"entropy"`` at the end, as `Scores` has them; and ``"score 0"`` to
        ``"score 8"``, ``"reverse 0"`` to ``"reverse 8"`` after each eighth of the budget.

    Examples
    --------
    >>> found = go_on("stop", seed=0, budget=1)
    >>> found["score"] == found["score 8"] > go_on("the oracle itself", seed=0, budget=1)["score"]
    True
    """
    read_choice("method", method, WAYS)
    small = {"embedding": 16, "hidden": 16}
    source = torch.Generator().manual_seed(seed)
    oracle = Recurrent(VOCABULARY, LENGTH, scale=1.0, generator=source, **small)
    data = oracle.sample(10_000, generator=source)
    model = Recurrent(VOCABULARY, LENGTH, generator=source, **small)
    fit_likelihood(model, data, steps=80, generator=source)
    seen = [scores(oracle, model)]
    parts = PARTS if method in WAYS[1:5] else PARTS // 2 if method == WAYS[5] else 0
    if method in ("likelihood", WAYS[5]):
        every, step = budget // BATCH // PARTS, lr if method == "likelihood" else 0.01
        fit_likelihood(model, data, steps=parts * every, batch=BATCH, lr=step, generator=source,
                       measure=lambda now: _keep(seen, oracle, now), every=every)
    if method in WAYS[2:6]:
        judge = Judge(VOCABULARY, {1: 16, 2: 16, 3: 16}, embedding=16, dropout=0, generator=source)
        if method != "constant reward":
            fit_judge(judge, model, data, steps=JUDGE_BEFORE, lr=3e-3, generator=source)
        left = budget * parts // PARTS - 3 * 64 * JUDGE_BEFORE
        every = left // (BATCH * (3 + 2 * ROLLOUTS * (LENGTH - 1) + 3 * JUDGE_STEPS)) // parts
        fit_seqgan(model, judge, data, steps=parts * every, batch=BATCH, n_rollouts=ROLLOUTS,
                   judge_steps=JUDGE_STEPS, judge_lr=3e-3, lr=lr, generator=source,
                   reward=0.5 if method == "constant reward" else "judge",
                   baseline="leave-one-out" if method == WAYS[3] else None,
                   measure=lambda now: _keep(seen, oracle, now), every=every)
    if not parts:
        model = oracle if method == "the oracle itself" else model
        seen = [scores(oracle, model)] * PARTS
    seen = [*seen[-PARTS:], scores(oracle, model)]
    end = seen[-1]
    return {"score": end.score, "reverse": end.reverse, "entropy": end.entropy,
            **{f"score {part}": one.score for part, one in enumerate(seen)},
            **{f"reverse {part}": one.reverse for part, one in enumerate(seen)}}


def _keep(seen, oracle, model):
    seen.append(scores(oracle, model))
    return seen[-1]


_ADVERSARIAL = {"lr": (3e-4, 1e-3, 3e-3)}

RACE = Experiment("race", go_on, {
    "stop": {}, "likelihood": {"lr": (3e-3, 1e-2, 3e-2)}, **dict.fromkeys(WAYS[2:6], _ADVERSARIAL),
    "the oracle itself": {}}, seeds=range(10), tuning_seeds=range(90, 93), budgets=(200_000, 400_000),
    spent="sequences", measure="score", digits=0)
