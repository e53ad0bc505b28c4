"""Second routes: an equation meets something that was not derived from it.

`agree` sets a function of the package against the formula, `enumeration` sums over every outcome,
`quadrature` integrates.  Each names the equation it gives evidence for and joins its line in the ledger.
"""

import time
import warnings

import numpy as np
import scipy  # its submodules load when they are used
import sympy as sp
from mpmath import mp, mpf

from . import ledger
from .decide import decide
from .definition import mark
from .errors import CannotEvaluate, Refuted, Vacuous
from .evaluate import evaluate
from .instances import Parameters
from .mutants import chosen
from .notation import unfold
from .seeds import generator

UNIT = mpf(2) ** -53  #: the unit roundoff of float64
TINY = mpf(2) ** -1022  #: the smallest normal float64: below it, errors are measured absolutely


class Route(ledger.Checked):
    """A second route that was taken: shows one line, and joins the evidence of the equation ``of``."""

    def __init__(self, kind, of, title, sentence, *, mutants=0, rows=(), seconds=0.0, badge="numeric"):
        self.entry = ledger.Entry(kind, "checked", badge, of=of, title=title, how=[sentence], mutants=mutants,
                                  rows=list(rows), seconds=round(seconds, 3))

    def _entry(self):
        return self.entry

    def _markdown(self):
        return f"✓ {self.entry.how[0]} [](#{self.entry.of})"


def agree(function, formula, arguments, *, of, bound, because, index=None, name=None, count=12, seed=0, rows=()):
    r"""Assert that a function of the package computes a formula, to a stated error bound.

    Parameters
    ----------
    function : callable
        Called with the drawn values in the order of ``arguments``; returns a number, or with ``index`` a vector.
    formula : sympy.Expr
    arguments : dict
        Maps each symbol, ``IndexedBase`` or ``MatrixSymbol`` of the formula to a sampler ``rng -> float`` or
        ``rng -> array``; a vector serves for a matrix of one column.
        The length of a drawn vector is the size of the statement.
    of : str
        Label of the equation that gains the evidence.
    bound : float or callable
        Largest relative error allowed, in units of the roundoff :math:`u=2^{-53}`; a callable gets the drawn
        values.  It must come from an error analysis, which ``because`` names.
    because : str
    name : str, optional
        What the function is called, where it has no name of its own.
    index : sympy.Symbol, optional
        The formula gives entry ``index`` of the function's vector.
    count, seed : int
        Number of draws.

    Raises
    ------
    Refuted
        With the arguments at which the error exceeds the bound.
    Vacuous
        If a wrong version of the formula agrees as well.
    """
    began, rng = time.perf_counter(), generator(seed)
    mark(sp.sympify(formula))
    formula = unfold(formula)
    parameters, name = Parameters(formula), name or getattr(function, "__name__", repr(function))
    exact_at, worst = [], (mpf(0), 1.0)
    for _ in range(count):
        drawn = {symbol: np.asarray(draw(rng), float) for symbol, draw in arguments.items()}
        point = _point(drawn, parameters)
        values = np.atleast_1d(np.asarray(function(*(v if v.ndim else float(v) for v in drawn.values()))))
        allowed = float(bound(*drawn.values()) if callable(bound) else bound)
        places = [{**point, index: k} for k in range(1, len(values) + 1)] if index else [point]
        for place, value in zip(places, values, strict=True):
            exact = evaluate(formula, place)
            if mp.im(exact) != 0:
                raise CannotEvaluate(f"the formula of {of} is not real at {drawn}")
            error = _error(value, exact)
            if not error <= allowed:
                raise Refuted(f"{name} departs from {of} at {drawn}: it gives {value!r}, the formula "
                              f"{mp.nstr(exact, 17)}; the error is {float(error):.3g} u, the bound {allowed:.3g} u")
            worst = max(worst, (error, allowed), key=lambda pair: pair[0] / max(pair[1], 1e-300))
            exact_at.append((place, value, allowed))
    mutants = _attack(formula, exact_at, of)
    if not mutants:
        raise Vacuous(f"no wrong version of the formula of {of} was rejected")
    sentence = (f"`{name}` agrees with the formula at {len(exact_at)} random places: "
                f"the error comes closest to its bound with {float(worst[0]):.1f} u of {worst[1]:.0f} u ({because})")
    return Route("route", of, f"{name} against the formula", sentence, mutants=mutants, rows=rows,
                 seconds=time.perf_counter() - began)


def _point(drawn, parameters):
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


def _error(value, exact):
    """Relative error in units of the roundoff, absolute below the normal range."""
    value = mpf(float(value))
    if mp.isnan(value) or mp.isinf(value) or mp.isinf(exact):
        return mpf(0) if value == exact else mp.inf
    return abs(value - exact) / (UNIT * max(abs(exact), TINY))


def _attack(formula, exact_at, of):
    """How many wrong versions of the formula the function contradicts."""
    rejected = 0
    for what, mutant in chosen(formula):
        has_value = False
        for place, value, allowed in exact_at:
            try:
                wrong = evaluate(mutant, place, digits=20)
            except CannotEvaluate:
                continue
            has_value = True
            if mp.im(wrong) != 0 or _error(value, mp.re(wrong)) > allowed:
                rejected += 1
                break
        else:
            if has_value and decide(formula, mutant).status == "refuted":
                raise Vacuous(f"the places tried for {of} cannot tell the formula from a wrong version ({what}): {mutant}")
    return rejected


def enumeration(statistic, probability, outcomes, expected, *, of, title, bound, because, rows=()):
    r"""Assert :math:`\sum_y p(y) f(y) = e` by summing over every outcome.

    Parameters
    ----------
    statistic, probability : callable
        :math:`f(y)`, a number or an array, and :math:`p(y)`.
    outcomes : iterable
        All of them; the probabilities must sum to one.
    expected : array_like
    of, title : str
    bound : float
        Largest absolute error allowed in any component, in units of the roundoff; named by ``because``.
    """
    began = time.perf_counter()
    outcomes = list(outcomes)
    weights = np.array([probability(y) for y in outcomes], float)
    if not (np.all(weights >= 0) and abs(weights.sum() - 1) <= 4 * len(outcomes) * float(UNIT)):
        raise Refuted(f"{title}: the probabilities of the {len(outcomes)} outcomes sum to {weights.sum():.17g}, "
                      f"the smallest is {min(weights, default=0):.17g}")
    value = sum(w * np.asarray(statistic(y), float) for w, y in zip(weights, outcomes))
    if np.shape(value) != np.shape(expected):
        raise ValueError(f"{title}: the statistic has shape {np.shape(value)}, the expected value {np.shape(expected)}")
    error = np.max(np.abs(value - np.asarray(expected, float))) / float(UNIT)
    if not error <= bound:
        raise Refuted(f"{title}: the sum over {len(outcomes)} outcomes is {value!r}, not {expected!r}")
    sentence = (f"{title}: summed over all {len(outcomes)} outcomes, largest error {error:.1f} u, "
                f"where {bound:.0f} u are allowed ({because})")
    return Route("enumeration", of, title, sentence, rows=rows, seconds=time.perf_counter() - began,
                 badge="enumeration")


def quadrature(function, low, high, expected, *, of, title, rows=()):
    r"""Assert :math:`\int_{low}^{high} f = e` by adaptive quadrature of a function of the package.

    The bound is the quadrature's own error estimate, which must be below :math:`10^{-9}` of the value.
    """
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.integrate.IntegrationWarning)  # the estimate says the same
        value, estimate = scipy.integrate.quad(function, low, high, epsabs=0, epsrel=1e-12, limit=200)
    expected = float(sp.N(expected))
    if not estimate <= 1e-9 * abs(expected):
        raise CannotEvaluate(f"{title}: the quadrature does not settle (value {value!r} ± {estimate!r})")
    if not abs(value - expected) <= estimate + 8 * float(UNIT) * abs(expected):
        raise Refuted(f"{title}: the integral is {value!r} ± {estimate:.1g}, not {expected!r}")
    sentence = f"{title}: quadrature gives {value:.12g}, within its error estimate of {expected:.12g}"
    return Route("quadrature", of, title, sentence, rows=rows, seconds=time.perf_counter() - began, badge="quadrature")
