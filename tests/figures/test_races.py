"""Figures of comparisons show every run and every mean."""

import numpy as np
import pytest

from proofread.experiments import Comparison, Runs, Without
from softmaxnotes.figures import races


def comparison(budgets):
    rng = np.random.default_rng(0)
    values = {name: np.exp(rng.normal(k, 0.2, (10, len(budgets)))) for k, name in enumerate(("a", "b", "c"))}
    runs = Runs(values, range(10), budgets=budgets, spent="steps", tuning="nothing was tuned")
    return Comparison("a race", runs, nothing="a", usual="b", best=Without("no bound is known"),
                      measured="distance")


@pytest.mark.parametrize("budgets", [(100,), (100, 200, 400)])
@pytest.mark.parametrize("log", [False, True])
def test_a_run_that_is_moved_is_noticed(budgets, log, monkeypatch):
    words = {"name": "race", "caption": "Ten runs of each.", "alt": "Dots."}
    html = races.race_figure(comparison(budgets), log=log, **words)._repr_mimebundle_()[0]["text/html"]
    assert "distance" in html and ("steps" in html) == (len(budgets) > 1)
    drawn = races.figure

    def moved(fig, *, curves, **rest):
        return drawn(fig, curves=[np.asarray(curves[0]) + 0.1, *curves[1:]], **rest)

    monkeypatch.setattr(races, "figure", moved)
    with pytest.raises(ValueError, match="is drawn at"):
        races.race_figure(comparison(budgets), log=log, **words)


def test_a_standard_error_that_is_wrong_is_noticed(monkeypatch):
    drawn = races.figure

    def wider(fig, *, shapes, **rest):
        (left, right), = shapes[0]
        return drawn(fig, shapes=[[[left, (right[0] + 0.1, right[1])]], *shapes[1:]], **rest)

    monkeypatch.setattr(races, "figure", wider)
    with pytest.raises(ValueError, match="the strokes are not their counterpart"):
        races.race_figure(comparison((100,)), name="race", caption="Ten runs.", alt="Dots.")
