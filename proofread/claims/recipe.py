"""A formula that is true, run as it is printed, where it departs from what is right."""

import numpy as np
from mpmath import mp

from proofread.language.parameters import Parameters
from proofread.language.typed import unfold
from proofread.latex.printer import name
from proofread.numeric.arrays import point_of
from proofread.numeric.evaluation import evaluate
from proofread.numeric.float64 import in_floats

AGREED, RIGHT = 1e-6, 1e-3  #: relative errors with which a recipe is the formula, and is right


def departure(source, printed, recipe, reference, at, alive, index, given):
    """Where a recipe departs from the reference, in words; elsewhere it gives what is printed.

    Parameters
    ----------
    source : str
    printed : expression
    recipe, reference, at, alive, index
        As in `Erratum`.
    given : Conditions
        What the values have to meet.

    Raises
    ------
    ValueError
        If the recipe is not what is printed, or is right where it is said to depart.
    """
    if not alive:
        raise ValueError(f"the erratum of {source} needs alive={{…}}: values at which the recipe still works")
    with np.errstate(all="ignore"):
        wrong, right = (np.atleast_1d(np.asarray(f(*at.values()), float)) for f in (recipe, reference))
        working = np.atleast_1d(np.asarray(recipe(*alive.values()), float))
    if np.isnan(right).any():
        raise ValueError(f"the reference for the recipe of {source} gives {right} at {_text(at)}")
    if np.allclose(wrong, right, rtol=RIGHT, atol=0):
        raise ValueError(f"the recipe of {source} gives {wrong}, which is right at {_text(at)}")
    for values, found in ((alive, working), (at, wrong)):
        places = _places(printed, values, index, len(found))
        for c in given.to_be_met:
            if not all(evaluate(c, place) for place in places):
                raise ValueError(f"the recipe of {source} is run at {_text(values)}, where {c} does not hold")
        run = np.array([float(in_floats(printed, place)) for place in places])
        if not np.allclose(found, run, rtol=AGREED, atol=0, equal_nan=True):
            raise ValueError(f"the recipe of {source} gives {found} at {_text(values)}, "
                             f"the printed formula in double precision {run}")
    exact = np.array([float(mp.re(evaluate(unfold(printed), place)))
                      for place in _places(printed, alive, index, len(working))])
    if not np.allclose(working, exact, rtol=AGREED, atol=0):
        raise ValueError(f"the recipe of {source} gives {working} at {_text(alive)}, "
                         f"the printed formula {exact}")
    return f"at {_text(at)} the recipe gives {_numbers(wrong)}; right is {_numbers(right)}"


def _places(printed, values, index, count):
    """The points at which the printed formula gives the entries of a vector, or its one value."""
    drawn = {unfold(k): np.asarray(v, float) for k, v in values.items()}
    point = point_of(drawn, Parameters(unfold(printed)))
    return [{**point, unfold(index): k} for k in range(1, count + 1)] if index is not None else [point]


def _numbers(value):
    return np.array2string(np.asarray(value, float), precision=4, separator=", ")


def _text(values):
    return ", ".join(f"${name(unfold(k))} = {_numbers(v)}$" for k, v in values.items())
