"""What some methods have reached, each with every seed and every budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True)
class Runs:
    """The results of a comparison, one number for each method, seed and budget.

    Parameters
    ----------
    values : mapping of str to array_like, shape (seeds,) or (seeds, budgets)
        By method.
    seeds : sequence of int
        All methods ran with these.
    budgets : sequence of float
        What each run might spend, in increasing order.
    spent : str
        What a budget is a number of, such as ``"rewards"``.
    paired : bool
        Whether runs of one seed share randomness, so that their differences are compared.
    chosen : mapping of str to dict, optional
        The settings of each method.
    tuning : str
        How these were found, in a sentence.
    fresh : bool
        Whether the seeds are some that nobody has seen: a sentence that other seeds have licensed must then
        not be contradicted.

    Raises
    ------
    ValueError
        If a method lacks a run, or a result is no finite number: what a run that failed is worth is for the
        experiment to say.

    Examples
    --------
    >>> Runs({"coin": [0, 1, 1], "die": [5, 2, 3]}, seeds=range(3)).values["die"].shape
    (3, 1)
    """

    values: Mapping
    seeds: tuple
    budgets: tuple = (1,)
    spent: str = "runs"
    paired: bool = True
    chosen: Mapping = field(default_factory=dict)
    tuning: str = ""
    fresh: bool = False

    def __post_init__(self):
        seeds, budgets = tuple(int(seed) for seed in self.seeds), tuple(self.budgets)
        if len(set(seeds)) < len(seeds):
            raise ValueError(f"expected seeds that differ, got {seeds}")
        if list(budgets) != sorted(set(budgets)):
            raise ValueError(f"expected budgets in increasing order, got {budgets}")
        values = {}
        for method, found in self.values.items():
            found = np.asarray(found, float)
            found = found[:, None] if found.ndim == 1 else found
            if found.shape != (len(seeds), len(budgets)):
                raise ValueError(f"expected {len(seeds)} seeds and {len(budgets)} budgets of {method!r}, "
                                 f"got shape {found.shape}")
            if not np.isfinite(found).all():
                seed = seeds[int(np.argmin(np.isfinite(found).all(axis=1)))]
                raise ValueError(f"expected finite results, got {method!r} with seed {seed}: {found}")
            values[method] = found
        for name, value in (("values", values), ("seeds", seeds), ("budgets", budgets)):
            object.__setattr__(self, name, value)

    def at(self, budget):
        """The runs with one of the budgets, so that sentences compare what it has reached.

        Raises
        ------
        ValueError
            If nothing was run with this budget.

        Examples
        --------
        >>> runs = Runs({"coin": [[0, 1], [1, 1], [1, 3]]}, seeds=range(3), budgets=(5, 10))
        >>> runs.at(10).values["coin"].ravel(), runs.at(10).budgets
        (array([1., 1., 3.]), (10,))
        """
        if budget not in self.budgets:
            raise ValueError(f"expected one of the budgets {self.budgets}, got {budget}")
        place = self.budgets.index(budget)
        return replace(self, values={method: found[:, [place]] for method, found in self.values.items()},
                       budgets=(budget,))
