"""What is run: methods with their settings, seeds, budgets, and how a setting is chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from proofread.settings import fresh

from .runs import Runs

_APART = 1_000_003  # fresh seeds are so far from those that were seen


class Job(NamedTuple):
    """One run; ``settings`` are pairs of a name and a value."""

    method: str
    settings: tuple
    seed: int
    budget: float


@dataclass(frozen=True)
class Experiment:
    """A comparison that can be run.

    Parameters
    ----------
    name : str
        One word or a few, joined by hyphens; unique in its module.
    run : callable
        ``run(method, seed=…, budget=…, **settings)`` gives the result, a number, or several by name.  A
        function of a module, so that it can be sent to other processes.
    methods : mapping of str to mapping
        For each method the values that each of its settings may have, such as
        ``{"score": {"lr": (0.01, 0.03, 0.1)}}``; nothing where there is nothing to choose.  What has several
        must have as many as the others.
    seeds : sequence of int
        Of the runs that are reported.
    better : "less" or "more"
        Which results the choice of a setting prefers.
    tuning_seeds : sequence of int
        Of the runs that choose settings; others than those that are reported.
    budgets : sequence of float
        The smallest is the one for which settings are chosen.
    spent : str
        What a budget is a number of.
    measure : str
        Which of several results chooses a setting.
    paired : bool
        Whether runs of one seed share randomness.
    digits : int
        To how many a repeated run must agree; 0 if training amplifies rounding, so that it need only be one
        of those that the recorded ones make plausible.

    Examples
    --------
    >>> def walk(method, *, seed, budget, step=1.0):
    ...     return abs(np.random.default_rng(seed).normal(size=budget).sum() * step)
    >>> walks = Experiment("walks", walk, {"none": {"step": (0.0,)}, "small": {"step": (1.0, 2.0)},
    ...                                    "large": {"step": (4.0, 8.0)}},
    ...                    seeds=range(5), tuning_seeds=range(90, 92), budgets=(10,), spent="steps")
    >>> walks.runs().chosen["large"]
    {'step': 4.0}
    """

    name: str
    run: Callable
    methods: Mapping
    seeds: tuple
    better: str = "less"
    tuning_seeds: tuple = ()
    budgets: tuple = (1,)
    spent: str = "runs"
    measure: str = ""
    paired: bool = True
    digits: int = 9
    _grids: dict = field(init=False, repr=False)

    def __post_init__(self):
        for name in ("seeds", "tuning_seeds", "budgets"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.better not in ("less", "more"):
            raise ValueError(f"expected better to be 'less' or 'more', got {self.better!r}")
        grids = {method: [tuple(zip(settings, values)) for values in product(*settings.values())]
                 for method, settings in self.methods.items()}
        object.__setattr__(self, "_grids", grids)
        sizes = {len(grid) for grid in grids.values() if len(grid) != 1}
        if len(sizes) > 1 or 0 in sizes:
            counts = {method: len(grid) for method, grid in grids.items()}
            raise ValueError(f"expected as many settings of each method that is tuned, got {counts}")
        if bool(sizes) != bool(self.tuning_seeds):
            raise ValueError("expected tuning_seeds if and only if there are settings to choose from, "
                             f"got {self.tuning_seeds}")
        if both := set(self.seeds) & set(self.tuning_seeds):
            raise ValueError(f"expected tuning_seeds that are not reported, got {sorted(both)} in both")

    def trials(self):
        """The runs that choose settings."""
        return [Job(method, setting, seed, self.budgets[0]) for method, grid in self._grids.items()
                if len(grid) > 1 for setting in grid for seed in self.tuning_seeds]

    def choose(self, results):
        """The best setting of each method in the mean, by the results of `trials`."""
        chosen = {}
        for method, grid in self._grids.items():
            means = [self._worth([results[job] for job in self.trials() if job[:2] == (method, setting)])
                     for setting in grid] if len(grid) > 1 else [0.0]
            chosen[method] = grid[int(np.argmin(means))]
        return chosen

    def _worth(self, results):
        mean = np.mean([found[self.measure] for found in results])
        return mean if self.better == "less" else -mean

    def reported(self, chosen, seeds=None):
        """The runs that are reported."""
        return [Job(method, chosen[method], seed, budget) for method in self.methods
                for seed in (self.seeds if seeds is None else seeds) for budget in self.budgets]

    def do(self, job):
        """The results of one run, by name; a single one has the name ''."""
        found = self.run(job.method, seed=job.seed, budget=job.budget, **dict(job.settings))
        found = dict(found) if isinstance(found, Mapping) else {"": found}
        if self.measure not in found:
            raise ValueError(f"expected {self.name} to report {self.measure!r}, got {sorted(found)}")
        return {name: float(value) for name, value in found.items()}

    def fresh_seeds(self):
        """As many seeds that nobody has seen, where some are asked for."""
        return tuple(seed + _APART * fresh() for seed in self.seeds)

    def runs(self, measure=None):
        """Do all of it here and now; for what takes no longer than a page may."""
        chosen = self.choose({job: self.do(job) for job in self.trials()})
        jobs = self.reported(chosen, self.fresh_seeds())
        return self.gather(chosen, {job: self.do(job) for job in jobs}, measure, self.fresh_seeds())

    def gather(self, chosen, results, measure=None, seeds=None):
        """Results of runs as `Runs`."""
        measure, seeds = self.measure if measure is None else measure, self.seeds if seeds is None else seeds
        values = {method: [[results[Job(method, chosen[method], seed, budget)][measure]
                            for budget in self.budgets] for seed in seeds] for method in self.methods}
        return Runs(values, seeds, self.budgets, self.spent, self.paired,
                    {method: dict(setting) for method, setting in chosen.items()}, self._tuned(chosen),
                    fresh=seeds != self.seeds)

    def _tuned(self, chosen):
        """How settings were chosen, in a sentence."""
        told = []
        for method, grid in self._grids.items():
            if len(grid) > 1:
                tuned = {name: values for name, values in self.methods[method].items() if len(values) > 1}
                told.append(f"{method} " + ", ".join(
                    f"{name} {dict(chosen[method])[name]:g} of {', '.join(f'{v:g}' for v in values)}"
                    for name, values in tuned.items()))
        if not told:
            return "nothing was tuned"
        return (f"each setting was tried on {len(self.tuning_seeds)} seeds that are not reported, "
                f"and the best in the mean was taken: {'; '.join(told)}")
