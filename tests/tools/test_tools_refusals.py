"""What `softmaxnotes.tools` and its experiments refuse."""

import math
from functools import partial

import numpy as np
import pytest
import sympy as sp
import torch
from refusals import row, rows
from scipy import stats

from softmaxnotes.experiments.tools.floating_point import double_log_noise, grid_counts, some_tail_wins
from softmaxnotes.experiments.tools.variations import fastest_wire
from softmaxnotes.tools import (
    discretise,
    discretised_minimiser,
    euler_lagrange,
    functional_derivative,
    perturbed_argmax_probabilities,
)

INF, NAN = math.inf, math.nan
GRADIENT = torch.ones(2, requires_grad=True)
MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])

# --- functionals ----------------------------------------------------------------------

x, t, m, n = sp.symbols("x t m n")
f, g = sp.Function("f")(x), sp.Function("g")(x)
f1, f2, f3 = (f.diff(x, order) for order in (1, 2, 3))
LENGTH = sp.sqrt(1 + f1**2)


def on_two_points(integrand, f, x):
    discretise(integrand, f, x, [0, 1])


def grid(points):
    discretise(f, f, x, points)



def evaluated(integrand, order, y):
    getattr(discretise(integrand, f, x, range(len(y))), order)(y)


def minimise(start=(0, 0), end=(1, 1), integrand=LENGTH, **options):
    discretised_minimiser(integrand, f, x, start, end, **options)


FUNCTIONALS = [functional_derivative, euler_lagrange, on_two_points]
ON_GRID = discretise(f**2 + f1, f, x, [0, 1, 2])
METHODS = [ON_GRID.value, ON_GRID.gradient, ON_GRID.hessian]
LOCAL = [
    (sp.Integral(f, (x, 0, 1)), "binds x"),
    (1 + sp.Integral(f1**2, (x, 0, x)), "binds x"),
    (sp.Integral(f, x), "binds x"),
    (sp.Sum(f, (x, 0, 3)), "binds x"),
    (sp.Limit(f, x, 0), "binds x"),
    (f1.subs(x, 0) * f, "binds x"),
    (sp.Subs(f, x, 0), "binds x"),
    (f + f.subs(x, 0), r"at x only, got f\(0\)"),
    (f + f.subs(x, 2 * x), r"at x only, got f\(2\*x\)"),
    (sp.Integral(f.subs(x, t), (t, 0, 1)), r"at x only, got f\(t\)"),
    (sp.Derivative(f.subs(x, 2 * x), x), "at x only"),
    (f.diff((x, n)), "known order"),
    (sp.Derivative(x * f, (x, n)), "known order"),
]

VARIATIONS = [
    *[refusal for integrand, says in LOCAL
      for refusal in rows(ValueError, says, FUNCTIONALS, integrand, f, x)],
    *[refusal for bad in ("f(x)", None, [f], sp.Eq(f, 1), sp.Matrix([f]), sp.MatrixSymbol("A", 2, 2), f.func)
      for refusal in rows(TypeError, "an expression of SymPy, got", FUNCTIONALS, bad, f, x)],
    *[refusal for bad in (x, f.func, sp.sin(x), f.func(0), f.func(x, t), f.func(t), 2 * f, f1, "f", None, 1)
      for refusal in rows(ValueError, "an undefined function of x alone", FUNCTIONALS, f, bad, x)],
    *[refusal for bad in (2, "x", None, f)
      for refusal in rows(TypeError, "a symbol x, got", FUNCTIONALS, f, f, bad)],
    row(ValueError, r"numbers for all but x and f\(x\), got g\(x\), m, t", on_two_points, m * f + t * g, f,
        x),
    row(ValueError, "first derivatives at most, got one of order 3", on_two_points, f3 * f2, f, x),
    *[row(ValueError, r"a grid of shape \(n \+ 1,\) with n > 0, got", grid, bad)
      for bad in ([], [0.0], 0.0, [[0, 1]])],
    *[row(ValueError, "finite, increasing points, got 1.* and .* in grid.1. and grid.2.", grid, [0, 1, bad])
      for bad in (1, 0, NAN, INF)],
    row(ValueError, "finite, increasing points, got -1.5e.308 and 1.5e.308", grid, [-1.5e308, 1.5e308]),
    row(TypeError, "grid without a mask, got", grid, MASKED),
    *[refusal for bad in ([1j, 2, 3], ["a", "b", "c"], [None, 1, 2], [sp.pi, 1, 2])
      for refusal in rows(TypeError, "y to be real numbers, got an array of type", METHODS, bad)],
    *rows(TypeError, "y without a mask, got a masked array", METHODS, MASKED),
    *[refusal for bad in (1.0, [], [1.0, 2.0], np.zeros(4), np.zeros((3, 2)))
      for refusal in rows(ValueError, r"y of shape \(\.\.\., 3\), got", METHODS, bad)],
    row(ValueError, "functions of NumPy and SciPy, got DiracDelta", evaluated, sp.Abs(f1), "hessian", [0, 2,
        -1]),
    row(ValueError, "a real integrand, got", evaluated, sp.I * f, "value", [1, 1]),
    # minimisers
    row(ValueError, "a start to the left of the end, got 1.0 and 0.0", minimise, (1, 0), (0, 1)),
    row(ValueError, "a start to the left of the end, got 0.0 and 0.0", minimise, (0, 0), (0, 1)),
    *[row(ValueError, "start to be a pair of finite numbers, got", minimise, bad)
      for bad in ((0, NAN), 0, (0, 0, 0))],
    row(ValueError, "end to be a pair of finite numbers, got", minimise, end=(INF, 0)),
    row(TypeError, "start to be real numbers, got", minimise, (0, 1j)),
    *[row(ValueError, f"n_cells to be at least 2, got {bad}", minimise, n_cells=bad) for bad in (1, 0, -3)],
    *[row(TypeError, "n_cells to be an integer, got", minimise, n_cells=bad) for bad in (2.0, "2")],
    *[row(ValueError, "tolerance to be one positive, finite number, got", minimise, tolerance=bad)
      for bad in (0, NAN, INF)],
    row(ValueError, "max_iterations to be at least 1, got 0", minimise, max_iterations=0),
    row(TypeError, "max_iterations to be an integer, got 2.5", minimise, max_iterations=2.5),
    *[row(ValueError, r"initial of shape \(65,\), got", minimise, initial=bad)
      for bad in ([0, 1], np.zeros((1, 65)))],
    row(ValueError, "initial values from 0.0 to 1.0, got 0.0 to 2.0", minimise, initial=np.linspace(0, 2,
        65)),
    row(ValueError, r"finite numbers, got nan in initial\[1\]", minimise, n_cells=2, initial=[0, NAN, 1]),
    row(TypeError, "initial to be real numbers, got", minimise, initial="line"),
    row(ValueError, "first derivatives at most", minimise, integrand=f2),
    *[row(ValueError, "finite with its derivatives at the initial values, got", minimise, start, (1, 3),
          integrand=integrand, n_cells=2)
      for integrand, start in ((f * sp.log(f), (0, -1)), (sp.sqrt(f), (0, -1)), (1 / f, (0, -1)))],
    row(ValueError, "functions of NumPy and SciPy, got", minimise, (0, 3), (1, 3),
        integrand=sp.sqrt(sp.Abs(f1)), n_cells=2),
    *[row(ValueError, "positive numbers, got", fastest_wire, *ends)
      for ends in ((0, 1), (1, 0), (-1, 1), (1, INF), (NAN, 1))],
]

# --- noise of any distribution, and of few bits -----------------------------------------

NOISE = [
    *[row(TypeError, "expected frozen continuous distributions of scipy.stats, got",
          perturbed_argmax_probabilities, [0.0, 1.0], bad)
      for bad in (stats.norm, "norm", None, stats.poisson(2), lambda z: z)],
    *[row(ValueError, "a noise with valid parameters", perturbed_argmax_probabilities, [0.0, 1.0], bad)
      for bad in (stats.norm(scale=-1), stats.norm(loc=[0, 1]), stats.norm(scale=NAN))],
    row(ValueError, "one noise for each of 2 logits, got 1", perturbed_argmax_probabilities, [0.0, 1.0],
        [stats.norm()]),
    *[row(ValueError, r"logits of shape \(K,\) with K > 0, got", perturbed_argmax_probabilities, bad,
          stats.norm())
      for bad in ([], 3.0, [[0.0, 1.0]])],
    *[row(ValueError, "logits below inf, got", perturbed_argmax_probabilities, [0.0, bad], stats.norm())
      for bad in (NAN, INF)],
    row(ValueError, r"no distribution: every logit of slice \(\) is -inf", perturbed_argmax_probabilities,
        [-INF, -INF], stats.norm()),
    row(TypeError, "expected logits to be real", perturbed_argmax_probabilities, ["a", "b"], stats.norm()),
    row(ValueError, r"holds the multiples of 2\*\*-12 below 1, got float16", double_log_noise, 12,
        dtype=np.float16),
    row(ValueError, r"holds the multiples of 2\*\*-25 below 1, got float32", double_log_noise, 25),
    *[row(ValueError, f"expected n_bits to be at .*, got {bad}", double_log_noise, bad)
      for bad in (0, 27, -1)],
    *[row(ValueError, f"expected n_bits to be at .*, got {bad}", grid_counts, [1.0], bad)
      for bad in (0, 53, -1)],
    *rows(TypeError, "expected n_bits to be an integer, got 8.0",
          [double_log_noise, partial(grid_counts, [1.0])],
          n_bits=8.0),
    *[row(ValueError, r"noise of shape \(m,\) with m > 0, got", some_tail_wins, 0.0, 1, bad)
      for bad in ([], [[0.0]])],
    *[row(ValueError, "noise in ascending order, got", some_tail_wins, 0.0, 1, bad)
      for bad in ([1.0, 0.0], [0.0, NAN], [NAN])],
    row(TypeError, "expected noise to be real", some_tail_wins, 0.0, 1, ["a"]),
    row(ValueError, "n_tails to be at least 1, got 0", some_tail_wins, 0.0, 0, [0.0]),
    row(TypeError, "n_tails to be an integer, got 1.5", some_tail_wins, 0.0, 1.5, [0.0]),
    row(ValueError, "lead to be one finite number, got nan", some_tail_wins, NAN, 1, [0.0]),
    *[row(ValueError, r"probabilities of shape \(K,\) with K > 0, got", grid_counts, bad)
      for bad in ([], [[1.0]])],
    *[row(ValueError, "probabilities that are not negative, got", grid_counts, bad)
      for bad in ([-0.1, 1.1], [NAN, 1.0])],
    *[row(ValueError, "a positive, finite sum, got", grid_counts, bad) for bad in ([0.0, 0.0], [INF, 1.0])],
    row(TypeError, "expected probabilities to be real", grid_counts, ["a"]),
]


@pytest.mark.parametrize("refusal", VARIATIONS + NOISE)
def test_what_is_refused(refusal):
    refusal.check()
