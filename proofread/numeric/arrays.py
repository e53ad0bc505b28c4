"""Formulas and NumPy's arrays: all of the package that needs them where it decides nothing by itself."""

import numpy as np
import sympy as sp
from mpmath import mpf

from proofread.language.typed import unfold
from proofread.settings import fresh

from .evaluation import evaluate


def generator(seed):
    """The NumPy generator for a check.

    Examples
    --------
    >>> float(generator(1).random()) == float(generator(1).random())
    True
    """
    return np.random.default_rng([seed, fresh()])


def values(formula, variable, **others):
    """A formula as a function of an array, for figures: what is drawn is compared with it.

    Parameters
    ----------
    formula : expression
    variable : symbol
    others : float
        Values of the other symbols, by name.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> x, c = sp.symbols("x c", real=True)
    >>> values(x**2 + c, x, c=1)([0.0, 2.0])
    array([1., 5.])
    """
    plain, at = unfold(formula), {}
    for symbol in plain.free_symbols - {unfold(variable)}:
        if symbol.name not in others:
            raise ValueError(f"{plain} needs a value for {symbol.name}: values(…, {symbol.name}=…)")
        at[symbol] = mpf(float(others[symbol.name]))

    def function(places):
        each = ({**at, unfold(variable): mpf(float(x))} for x in places)
        return np.array([float(evaluate(plain, point, digits=12)) for point in each])

    return function


def point_of(drawn, parameters):
    """The point of the formula for some arguments: vectors give entries and sizes."""
    point = {}
    for name, value in drawn.items():
        if isinstance(name, sp.MatrixSymbol):
            rows = value.reshape(len(value), -1)
            point[name] = rows.astype(object).tolist()
            point |= {size: count for size, count in zip(name.shape, rows.shape) if size.is_Symbol}
            continue
        if value.ndim == 0:
            point[name] = mpf(float(value))
            continue
        for position, entry in np.ndenumerate(value):
            point[name, tuple(i + 1 for i in position)] = mpf(float(entry))
        for size in parameters.sizes:
            if size not in drawn:
                axis = parameters.axes.get((name, size), -1 if len(parameters.bases) == 1 else None)
                point |= {size: value.shape[axis]} if axis is not None else {}
    return point
