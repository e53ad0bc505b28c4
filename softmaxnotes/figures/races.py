"""Comparisons of methods: every run as a dot, the mean with its standard error."""

from __future__ import annotations

import math

import numpy as np

from softmaxnotes.figures.drawing import bars
from softmaxnotes.figures.shown import Figure, figure
from softmaxnotes.figures.style import DASHES, INK, item, mark, panel

_SPREAD = 0.16  # of dots around the line of their method, in steps from method to method


def race_figure(
    comparison, *, name: str, caption: str, alt: str, log: bool = False, rows: tuple = ()
) -> Figure:
    """A figure of a comparison: all runs, the means and their standard errors.

    With one budget each method has a line under its name, so that the axis has the whole width, and dots of
    one seed stand at one height in it; with several the budget is on the abscissa, and the means of a method
    are joined.

    Parameters
    ----------
    comparison : proofread.experiments.Comparison
    name, caption, alt, rows
        As in `figure`; the caption says how many runs there are.
    log : bool
        Whether results are on a logarithmic scale.

    Examples
    --------
    >>> from proofread.experiments import Comparison, Runs, Without
    >>> runs = Runs({"guess": [5, 6, 7, 6, 5], "rule": [3, 2, 3, 4, 3]}, seeds=range(5), tuning="none")
    >>> guessing = Comparison("guessing", runs, nothing="guess", usual="rule", measured="mistakes",
    ...                       best=Without("none is known yet"), few="a doctest is short")
    >>> shown = race_figure(guessing, name="guessing", caption="Five runs of each.", alt="Two rows of dots.")
    """
    several = len(comparison.runs.budgets) > 1
    fig, curves, shapes = (_over_budgets if several else _in_rows)(comparison, log)
    return figure(fig, name=name, caption=caption, alt=alt, rows=rows, curves=curves, shapes=shapes)


def _summary(results):
    """Mean and standard error over the seeds."""
    return results.mean(axis=0), results.std(axis=0, ddof=1) / math.sqrt(len(results))


def _in_rows(comparison, log):
    methods = [*comparison.runs.values]
    fig, ax = panel(3.4, 0.65 + 0.46 * len(methods))
    curves, shapes = [], []
    if log:
        ax.set_xscale("log")
    for place, method in enumerate(methods):
        results = comparison.results(method)
        heights = place + np.linspace(-_SPREAD, _SPREAD, len(results))
        mean, error = _summary(results)
        ax.plot(results, heights, **mark("sampled", color="0.55", size=3.5))
        ax.plot([mean], [place], **mark("exact", color=INK, marker="D", size=4))
        ax.hlines([place], [mean - error], [mean + error], color=INK, linewidth=1.4)
        curves += [np.column_stack([results, heights]), [[mean, place]]]
        shapes.append([[(mean - error, place), (mean + error, place)]])
        ax.text(0.01, place - 0.22, method, transform=ax.get_yaxis_transform(), va="bottom")
    ax.set_yticks([])
    ax.set_ylim(len(methods) - 0.6, -0.6)
    ax.set_xlabel(comparison.measured)
    return fig, curves, shapes


def _over_budgets(comparison, log):
    fig, ax = panel(3.4, 2.2 + 0.2 * len(comparison.runs.values))  # the legend stands above
    budgets = np.array(comparison.runs.budgets, float)
    ax.set_xscale("log")
    if log:
        ax.set_yscale("log")
    curves, shapes = [], []
    for k, (method, results) in enumerate(comparison.runs.values.items()):
        look = item(k % 6 + 1)
        mean, error = _summary(results)
        for found in results:
            ax.plot(budgets, found, **mark("sampled", size=2.5, **look))
            curves.append(found)
        ax.plot(budgets, mean, label=method, linestyle=DASHES[k % len(DASHES)], markersize=6, **look)
        bars(ax, budgets, mean, error, color=look["color"])
        curves.append(mean)
        shapes.append((mean - error, mean + error))
    ax.set_xticks(budgets, [f"{budget:,g}" for budget in budgets])
    ax.set_xticks([], minor=True)
    ax.set_xlabel(comparison.runs.spent)
    ax.set_ylabel(comparison.measured)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.02), borderaxespad=0)
    return fig, curves, shapes
