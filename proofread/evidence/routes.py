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

from proofread.claims.base import Checked, equation
from proofread.decision.decide import decide
from proofread.errors import CannotEvaluate, Refuted, Vacuous
from proofread.language.parameters import Parameters
from proofread.language.statement import admissible, with_values
from proofread.language.typed import unfold
from proofread.ledger import BY_FUNCTION
from proofread.mutation.attack import Accepted, refuse_none, rejections
from proofread.mutation.definitions import Known
from proofread.mutation.operators import chosen
from proofread.numeric.arrays import generator, point_of
from proofread.numeric.evaluation import evaluate

UNIT = mpf(2) ** -53  #: the unit roundoff of float64
SOME_PLACES = (-2.25, -0.5, 0.375, 1.0, 3.125)  #: where a function is compared with a side of an equation
COSTLY = (sp.Integral, sp.Limit, sp.Derivative)
TINY = mpf(2) ** -1022  #: the smallest normal float64: below it, errors are measured absolutely


class Route(Checked):
    """A second route that was taken: shows what was done; the evidence of ``of`` has the details, too."""

    def __init__(self, kind, of, title, done, details, *, known, rejected=None, rows=(), seconds=0.0):
        self.kind, self.of, self.title, self.rows = kind, of, title, tuple(rows)
        self.done, self.details = done, details
        self._rejected, self._known, self.seconds = dict(rejected or {}), known, seconds

    def comparisons(self):
        return [self._known]

    def evidence(self):
        return {"kind": self.kind, "status": "measured", "findings": [f"{self.done}: {self.details}"],
                "rejected": self._rejected, "seconds": round(self.seconds, 3)}

    def sentence(self):
        return f"✓ {self.done} [](#{self.of})"


def belongs(formula, of, given=()):
    """Decide that a formula is a side of the equation that it is to support, or one of its lines.

    Parameters
    ----------
    formula : expression
    of : checked object
        Displayed before, under its label.

    Raises
    ------
    ValueError
        If it is equal to none of them: the evidence would be attached to the wrong equation.
    """
    formula, sides = unfold(formula), []
    for line in of.lines():
        sides += [unfold(side) for side in (line.left, line.right) if side is not None]
    if formula in sides:
        return
    conditions = [*map(unfold, getattr(of, "given", ())), *given]
    told = []
    for side in sides:
        if not isinstance(side, sp.Expr):
            continue
        verdict = decide(formula, side, given=conditions)
        if verdict.status in ("proved", "agrees"):
            return
        told.append(verdict.witness or verdict.how)
    last = told[-1] if told else ""
    raise ValueError(f"{formula} is no side of {of.label}, to which it is to give evidence: {last}")


def is_value(expected, of, at, *, index=None, variable=None, through=None):
    """Assert that an expected number is the value of a side of the equation that it is to support.

    Parameters
    ----------
    expected : float, array or callable
        One number; with ``index`` one for each value 1, 2, … of an index; with ``variable`` a function of it,
        vectorised.
    of : checked object
    at : dict
        What the symbols, vectors and matrices of the equation are.
    index, variable : symbol, optional
    through : callable, optional
        What is done with the value of a side, such as ``math.exp``.

    Raises
    ------
    ValueError
        If no side has this value: the evidence would be attached to the wrong equation.
    Vacuous
        If numbers are given, and each side with this value has a wrong version with the same one, as
        :math:`a/2` has :math:`1/(2a)` at :math:`a = 1`.
    """
    typed = {}
    for line in of.lines():
        for side in (line.left, line.right):
            if side is not None:
                typed.setdefault(unfold(side), side)  # of a definition its name, and not what it stands for
    sides = [side for side in typed if isinstance(side, sp.Expr)]
    drawn = {unfold(k): np.asarray(v, float) for k, v in at.items()}
    if sides:
        _refuse_strangers(drawn, sides, of)
    if index is not None:
        pairs = [({unfold(index): k}, value) for k, value in enumerate(np.asarray(expected, float), start=1)]
    elif variable is not None:
        variable = unfold(variable)
        places = np.array([place for place in SOME_PLACES if place > 0 or not variable.is_nonnegative])
        pairs = [({variable: mpf(place)}, value)
                 for place, value in zip(places, expected(places), strict=True)]
    elif np.ndim(expected):
        raise ValueError(f"{len(expected)} values are expected of {of.label}: say of which index=…")
    else:
        pairs = [({}, expected)]
    # a number may be 1; the entries of a vector are several, and weights may well sum to 1
    has_numbers = any(value.ndim == 0 and not name.is_integer for name, value in drawn.items())
    told, blind = [], None
    for side in sorted(sides, key=lambda side: side.has(*COSTLY)):
        if blind and side.has(*COSTLY):
            break  # of which no wrong version would be tried
        try:
            point = point_of(drawn, Parameters(side))
            values = [_value(side, {**point, **place}, through) for place, _ in pairs]
        except CannotEvaluate as error:
            told.append(str(error))
            continue
        if all(_close(wanted, v) for v, (_, wanted) in zip(values, pairs)):
            seen = [({**point, **place}, v) for (place, _), v in zip(pairs, values)]
            same = has_numbers and _same_there(side, seen, through, getattr(of, "given", ()))
            if not same:
                return Known(typed[side], lambda other: not _are_values(other, point, pairs, through))
            blind = blind or f"{side} from a wrong version ({same[0]}): {same[1]}"
        told.append(f"it is {', '.join(mp.nstr(v, 10) for v in values[:4])}")
    if blind:
        raise Vacuous(f"the values given for {of.label} cannot tell {blind}")
    raise ValueError(f"the expected value is no side of {of.label} at the values given: {'; '.join(told)}")


def _refuse_strangers(drawn, sides, of):
    """Refuse values of what does not occur in the equation, and values that a symbol cannot have."""
    held = Parameters(*sides)
    names = {*held.scalars, *held.indices, *held.sizes, *held.bases, *held.matrices}
    for name, value in drawn.items():
        if name not in names:
            raise ValueError(f"a value is given for {name}, and {of.label} does not depend on it")
        if not isinstance(name, sp.MatrixSymbol):
            for one in map(float, value.ravel()):
                admissible(name, sp.Integer(int(one)) if one.is_integer() else sp.Float(one))


def _value(side, place, through):
    value = evaluate(side, place, digits=15)
    return through(value) if through else value


def _close(wanted, value):
    if mp.isinf(value):  # of which every number is a small part
        return float(wanted) == float(value)
    return abs(mpf(float(wanted)) - value) <= 1e-9 * max(abs(value), mpf(10) ** -3)


def _are_values(side, point, pairs, through):
    """Whether a side may have these values: it does, or it cannot be told."""
    try:
        return all(_close(wanted, _value(side, {**point, **place}, through)) for place, wanted in pairs)
    except (CannotEvaluate, ValueError, TypeError):
        return True


def _same_there(side, places, through, given):
    """A wrong version of the side that has the same value at these places, with what was done; or None."""
    for what, mutant in () if side.has(*COSTLY) else chosen(side):
        try:
            same = all(_close(_value(mutant, place, through), value) for place, value in places)
        except (CannotEvaluate, ValueError, TypeError):  # a wrong version need not have a value
            continue
        if same and decide(side, mutant, given=given).status == "refuted":
            return what, mutant
    return None


def agree(function, formula, arguments, *, of, bound, because, index=None, name=None, where=None, count=12,
          seed=0, rows=()):
    r"""Assert that a function of the package computes a formula, to a stated error bound.

    Parameters
    ----------
    function : callable
        Called with the drawn values in the order of ``arguments``; returns a number, or with ``index`` a
        vector.
    formula : sympy.Expr
    arguments : dict
        Maps each symbol, ``IndexedBase`` or ``MatrixSymbol`` of the formula to a sampler ``rng -> float`` or
        ``rng -> array``; a vector serves for a matrix of one column.
        The length of a drawn vector is the size of the statement.
    of : checked object or str
        The equation that gains the evidence, or its label if it was displayed before; the formula must be
        equal to one of its sides or lines.
    bound : float or callable
        Largest relative error allowed, in units of the roundoff :math:`u=2^{-53}`; a callable gets the drawn
        values.  It must come from an error analysis, which ``because`` names.
    because : str
    name : str, optional
        What the function is called, where it has no name of its own.
    where : dict, optional
        What symbols and vectors of the formula are in terms of those of the equation; for a vector a function
        of the index.
    index : symbol, optional
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
    began, rng = time.process_time(), generator(seed)
    shown = equation(of)
    belongs(with_values(unfold(formula), {unfold(k): v for k, v in dict(where or {}).items()}), shown)
    of = shown.label
    typed = sp.sympify(formula)
    formula, index = unfold(formula), None if index is None else unfold(index)
    arguments = {unfold(k): v for k, v in arguments.items()}
    parameters, name = Parameters(formula), name or getattr(function, "__name__", repr(function))
    exact_at, worst = [], (mpf(0), 1.0)
    for _ in range(count):
        drawn = {symbol: np.asarray(draw(rng), float) for symbol, draw in arguments.items()}
        point = point_of(drawn, parameters)
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
                              f"{mp.nstr(exact, 17)}; the error is {float(error):.3g} u, "
                              f"the bound {allowed:.3g} u")
            worst = max(worst, (error, allowed), key=lambda pair: pair[0] / max(pair[1], 1e-300))
            exact_at.append((place, value, allowed))
    rejected = _attack(formula, exact_at, of)
    done = f"`{name}` agrees with the formula at {len(exact_at)} random places"
    details = (f"the error comes closest to its bound with {float(worst[0]):.1f} u of {worst[1]:.0f} u "
               f"({because})")
    known = Known(typed, lambda other: bool(_told(other, exact_at)))
    return Route("agreement", of, f"{name} against the formula", done, details, rejected=rejected,
                 known=known, rows=rows, seconds=time.process_time() - began)


def _error(value, exact):
    """Relative error in units of the roundoff, absolute below the normal range."""
    value = mpf(float(value))
    if mp.isnan(value) or mp.isinf(value) or mp.isinf(exact):
        return mpf(0) if value == exact else mp.inf
    return abs(value - exact) / (UNIT * max(abs(exact), TINY))


def _attack(formula, exact_at, of):
    """How many wrong versions of the formula the function contradicts."""
    def check(mutant):
        if told := _told(mutant, exact_at):
            return BY_FUNCTION
        if told is not None and decide(formula, mutant).status == "refuted":
            return Accepted("agrees with the function at all places tried")
        return None

    rejected = rejections(chosen(formula), check, f"the formula of {of}")
    refuse_none(rejected, f"the formula of {of}")
    return rejected


def _told(formula, exact_at):
    """Whether the values of a function contradict a formula; None if that has no value at these places."""
    told = None
    for place, value, allowed in exact_at:
        try:
            wrong = evaluate(formula, place, digits=20)
        except CannotEvaluate:
            continue
        if told := mp.im(wrong) != 0 or _error(value, mp.re(wrong)) > allowed:
            break
    return told


def enumeration(statistic, probability, outcomes, expected, *, of, at, title, bound, because, index=None,
                through=None, rows=()):
    r"""Assert :math:`\sum_y p(y) f(y) = e` by summing over every outcome.

    Parameters
    ----------
    statistic, probability : callable
        :math:`f(y)`, a number or an array, and :math:`p(y)`.
    outcomes : iterable
        All of them; the probabilities must sum to one.
    expected : array_like
        Must be the value of a side of the equation.
    of : checked object or str
    at : dict
        What the symbols of the equation are, for the expected value; with ``index`` that is a vector, one
        value for each index.  ``through`` is applied to the value of the side.
    title : str
    bound : float
        Largest absolute error allowed in any component, in units of the roundoff; named by ``because``.
    """
    began = time.process_time()
    outcomes, shown = list(outcomes), equation(of)
    known = is_value(expected, shown, at, index=index, through=through)
    of = shown.label
    weights = np.array([probability(y) for y in outcomes], float)
    if not (np.all(weights >= 0) and abs(weights.sum() - 1) <= 4 * len(outcomes) * float(UNIT)):
        raise Refuted(f"{title}: the probabilities of the {len(outcomes)} outcomes sum to "
                      f"{weights.sum():.17g}, the smallest is {min(weights, default=0):.17g}")
    value = sum(w * np.asarray(statistic(y), float) for w, y in zip(weights, outcomes))
    if np.shape(value) != np.shape(expected):
        raise ValueError(f"{title}: the statistic has shape {np.shape(value)}, "
                         f"the expected value {np.shape(expected)}")
    error = np.max(np.abs(value - np.asarray(expected, float))) / float(UNIT)
    if not error <= bound:
        raise Refuted(f"{title}: the sum over {len(outcomes)} outcomes is {value!r}, not {expected!r}")
    done = f"{title}, summed over all {len(outcomes)} outcomes"
    details = f"the largest error is {error:.1f} u, where {bound:.0f} u are allowed ({because})"
    return Route("enumeration", of, title, done, details, known=known, rows=rows,
                 seconds=time.process_time() - began)


def quadrature(function, low, high, expected, *, of, at, title, through=None, rows=()):
    r"""Assert :math:`\int_{low}^{high} f = e` by adaptive quadrature of a function of the package.

    The bound is the quadrature's own error estimate, which must be below :math:`10^{-9}` of the value.
    ``of``, ``at`` and ``through`` as in `enumeration`: the expected value must be that of a side of the
    equation.
    """
    began, shown = time.process_time(), equation(of)
    known = is_value(float(sp.N(unfold(expected))), shown, at, through=through)
    of = shown.label
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.integrate.IntegrationWarning)  # the estimate says the same
        value, estimate = scipy.integrate.quad(function, low, high, epsabs=0, epsrel=1e-12, limit=200)
    expected = float(sp.N(unfold(expected)))
    if not estimate <= 1e-9 * abs(expected):
        raise CannotEvaluate(f"{title}: the quadrature does not settle (value {value!r} ± {estimate!r})")
    if not abs(value - expected) <= estimate + 8 * float(UNIT) * abs(expected):
        raise Refuted(f"{title}: the integral is {value!r} ± {estimate:.1g}, not {expected!r}")
    details = f"it gives {value:.12g}, and the formula {expected:.12g}, equal within the error estimate"
    return Route("quadrature", of, title, f"{title}, by quadrature", details, known=known, rows=rows,
                 seconds=time.process_time() - began)
