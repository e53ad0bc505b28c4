r"""Inequalities for every size, by named rules whose hypotheses are checked.

A `Bound` says that one expression is at least another one.  The rules are few: the tangent of a convex
function, and what a maximum is; bounds can be added, weighted, and summed over an index.  Named inequalities
are made of them.  A line of a derivation that is shown ``by`` bounds is one whose gap is the sum of their
gaps, by the normal form.

Examples
--------
>>> import sympy as sp
>>> i, k, n = sp.symbols("i k n", integer=True, positive=True)
>>> p, q = sp.IndexedBase("p", positive=True), sp.IndexedBase("q", positive=True)
>>> gibbs(p[k], q[k], (k, 1, n))
Gibbs' inequality
"""

import sympy as sp
from sympy.core.function import AppliedUndef

from proofread.errors import NoRule
from proofread.fixed_size.zero_test import is_nonnegative
from proofread.language.binders import MaxOver, substitute
from proofread.language.typed import unfold

from .context import NONNEGATIVE, REAL
from .normal_form import normal
from .positivity import is_positive
from .rational_functions import vanishes
from .rules.derivatives import with_own_indices


class Bound:
    """``greater`` is at least ``lesser``.

    Attributes
    ----------
    greater, lesser : expression
    name : str
        What the rule is called.
    """

    def __init__(self, name, greater, lesser, check):
        self.name, self._check = name, check
        self.greater, self.lesser = _plain(greater, lesser)

    gap = property(lambda self: self.greater - self.lesser, doc="What is nowhere negative.")

    def __repr__(self):
        return self.name

    def check(self, case, names=()):
        """Check the hypotheses of the rule, with other names for indices.

        Raises
        ------
        NoRule
            If a hypothesis is not seen to hold.
        """
        self._check(case, dict(names))

    def called(self, name):
        """The same bound under a name."""
        return Bound(name, self.greater, self.lesser, self._check)

    def between(self, greater, lesser):
        """The same bound with other sides, whose difference is the same."""
        greater, lesser = _plain(greater, lesser)

        def check(case, names):
            self.check(case, names)
            if not vanishes(_normal(greater - lesser - self.gap, case, names), case):
                raise NoRule(f"{greater} - {lesser} is not seen to be the gap of {self.name}")

        return Bound(self.name, greater, lesser, check)

    def __add__(self, other):
        def check(case, names):
            self.check(case, names)
            other.check(case, names)

        name = " and ".join(dict.fromkeys((self.name, other.name)))
        return Bound(name, self.greater + other.greater, self.lesser + other.lesser, check)

    def times(self, weight):
        """The bound with both sides multiplied by what is not negative."""
        weight, = _plain(weight)

        def check(case, names):
            self.check(case, names)
            _be_nonnegative(weight, case, names)

        return Bound(self.name, weight * self.greater, weight * self.lesser, check)

    def over(self, index, low, high):
        """The bound summed over an index."""
        index, low, high = _plain(index, low, high)

        def check(case, names):
            own = case.bound(*(substitute(end, names) for end in (low, high)))
            self.check(case, {**names, index: own})

        limits = index, low, high
        return Bound(self.name, sp.Sum(self.greater, limits), sp.Sum(self.lesser, limits), check)

    def integral(self, variable, low, high):
        """The bound integrated over a variable, wherever both sides have an integral."""
        variable, low, high = _plain(variable, low, high)

        def check(case, names):
            if not _is_forward(low, high):
                raise NoRule(f"the range from {low} to {high} may be reversed")
            own = sp.Dummy(variable.name, real=True)
            if not variable.is_real or variable.is_positive or variable.is_integer:
                raise NoRule(f"{variable} is not a real variable")
            self.check(case, {**names, variable: own})

        limits = variable, low, high
        return Bound(self.name, sp.Integral(self.greater, limits), sp.Integral(self.lesser, limits), check)

    def exp(self):
        """The exponentials of both sides."""
        return Bound(self.name, sp.exp(self.greater), sp.exp(self.lesser), self.check)

    def log(self):
        """The logarithms of both sides, of which the smaller one must be positive."""
        def check(case, names):
            self.check(case, names)
            _be_positive(self.lesser, case, names)

        return Bound(self.name, sp.log(self.greater), sp.log(self.lesser), check)


def _plain(*exprs):
    return [unfold(sp.sympify(e)) for e in exprs]


# --- hypotheses -------------------------------------------------------------------------------------


def _normal(expr, case, names):
    return normal(with_own_indices(substitute(expr, names)), case)


def _be_positive(expr, case, names):
    if not is_positive(_normal(expr, case, names), case):
        raise NoRule(f"{expr} is not seen to be positive")


def _be_nonnegative(expr, case, names):
    # a number that the conditions confine is written by a positive one, as 1 - s for s < 1
    if not (_is_nonnegative(expr, case, names)
            or all(_is_nonnegative(part, case, names) for part in case.given.everywhere(expr))):
        raise NoRule(f"{expr} may be negative")


def _is_nonnegative(expr, case, names):
    if case.sign(substitute(expr, names)) >= NONNEGATIVE:
        return True
    form = _normal(expr, case, names)
    return form == 0 or is_positive(form, case)


def _be_in_domain(expr, symbol, case, names):
    """What is put for a positive symbol must be positive, for a real one real."""
    if symbol.is_positive:
        _be_positive(expr, case, names)
    elif case.sign(substitute(expr, names)) < REAL:
        raise NoRule(f"{expr} is not seen to be real")


def _is_forward(low, high):
    """Whether a range of an integral surely does not run backwards."""
    return bool((high - low).is_nonnegative) or (low, high) == (-sp.oo, sp.oo)


# --- rules ------------------------------------------------------------------------------------------


def tangent(function, at, touching, *, positive=False):
    r"""A convex function lies above its tangents: :math:`f(a)\ge f(b)+f'(b)\,(a-b)`.

    Parameters
    ----------
    function : callable
        f, such as ``sp.exp``; that :math:`f''\ge0` is checked.
    at, touching : expression
        a, and b, where the tangent touches.
    positive : bool
        Whether f is a function of positive numbers, else of real ones.
    """
    at, touching = _plain(at, touching)
    symbol = sp.Dummy("x", positive=True) if positive else sp.Dummy("x", real=True)
    curve, = _plain(function(symbol))

    def check(case, names):
        if not _is_convex(curve, symbol):
            raise NoRule(f"{curve} is not seen to be convex")
        for place in (at, touching):
            _be_in_domain(place, symbol, case, names)

    here, there = (substitute(curve, {symbol: place}) for place in (at, touching))
    line = there + substitute(curve.diff(symbol), {symbol: touching}) * (at - touching)
    return Bound("tangent of a convex function", here, line, check)


def _is_convex(curve, symbol):
    return (curve.free_symbols == {symbol} and not curve.has(AppliedUndef)
            and is_nonnegative(curve.diff(symbol, 2)))


def largest(term, limits, at):
    r"""A term is at most the largest one: :math:`\max_i x_i\ge x_k`."""
    term, at, *limits = _plain(term, at, *limits)
    index, low, high = limits

    def check(case, names):
        own = case.bound(*(substitute(end, names) for end in (low, high)))
        place = substitute(at, names)
        if not case.within(place, own) and case.ranges.get(place) != case.ranges[own]:
            raise NoRule(f"{at} is not seen to lie between {low} and {high}")

    return Bound("the largest term", MaxOver(term, limits), substitute(term, {index: at}), check)


def one_of_them(function, term, limits):
    r"""A sum is at least the term at the largest place: :math:`\sum_i g(x_i)\ge g(\max_i x_i)`.

    ``function`` is g, such as ``sp.exp``, and nowhere negative.
    """
    symbol = sp.Dummy("x", real=True)
    curve, term, *limits = _plain(function(symbol), term, *limits)
    _, low, high = limits

    def check(case, names):
        own = case.bound(*(substitute(end, names) for end in (low, high)))
        if not case.is_filled(*case.ranges[own]):
            raise NoRule(f"the range from {low} to {high} may be empty")
        if curve.free_symbols != {symbol} or case.sign(curve) < NONNEGATIVE:
            raise NoRule(f"{curve} may be negative")

    whole = sp.Sum(substitute(curve, {symbol: term}), limits)
    largest_place = substitute(curve, {symbol: MaxOver(term, limits)})
    return Bound("the largest is one of the terms", whole, largest_place, check)


def square(root):
    r"""A square is not negative."""
    return tangent(lambda x: x**2, root, 0).called("a square is not negative")


# --- inequalities with a name -------------------------------------------------------------------------


def log_tangent(argument):
    r""":math:`a-1\ge\log a` for positive a."""
    return tangent(lambda u: -sp.log(u), argument, 1, positive=True).called("tangent of the logarithm")


def exp_tangent(argument):
    r""":math:`e^x\ge1+x`."""
    return tangent(sp.exp, argument, 0).called("tangent of the exponential")


def gibbs(p, q, limits):
    r""":math:`\sum_k p_k\log(p_k/q_k)-\sum_k p_k+\sum_k q_k\ge0` for positive p and q, normalised or not."""
    p, q = _plain(p, q)
    return log_tangent(q / p).times(p).over(*limits).called("Gibbs' inequality")


def jensen(function, points, weights, limits, *, positive=False):
    r"""The function of a mean is at most the mean of a convex function.

    :math:`f(\sum_k w_k x_k)\le\sum_k w_k f(x_k)`.  The weights are divided by their sum; they must not be
    negative, and their sum positive.
    """
    points, weights, *limits = _plain(points, weights, *limits)
    weights = weights / sp.Sum(weights, limits)
    mean = sp.Sum(weights * points, limits)
    bound = tangent(function, points, mean, positive=positive)
    return bound.times(weights).over(*limits).called("Jensen's inequality")


def cauchy_schwarz(u, v, limits):
    r""":math:`(\sum_k u_kv_k)^2\le\sum_k u_k^2\sum_k v_k^2`, a sum of squares over pairs."""
    u, v, index, low, high = _plain(u, v, *limits)
    other = sp.Dummy(index.name, **index.assumptions0)
    crossed = u * substitute(v, {index: other}) - substitute(u, {index: other}) * v
    pairs = square(crossed).over(other, low, high).over(index, low, high).times(sp.Rational(1, 2))
    return pairs.called("the Cauchy–Schwarz inequality")


def means(points, weights, limits):
    r"""The geometric mean is at most the arithmetic one, for positive numbers and normalised weights."""
    return jensen(sp.exp, sp.log(points), weights, limits).called("inequality of the means")
