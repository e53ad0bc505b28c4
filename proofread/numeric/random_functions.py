"""Undefined functions: what holds for every smooth function is tried on random ones.

A `Smooth` function stands for an ``f(x)`` or ``F(x, y, z)`` without a definition.  Its derivatives of all
orders are known exactly, so a wrong derivative meets the right number and not a difference quotient.
"""

import itertools
from functools import cache

import sympy as sp
from mpmath import mp, mpf

from proofread.errors import CannotEvaluate

TERMS = 3
MOST_KNOWN = 50000  #: values that a function remembers


class Smooth:
    r"""A random smooth function of some real variables.

    :math:`\sum_r a_r \sin(b_r \cdot u + c_r)`, or where positive values are asked for
    :math:`\sum_r a_r \prod_i \exp(-\tfrac12 (u_i - c_{ri})^2)` with :math:`a_r > 0`, which can be integrated
    over the whole line.

    Parameters
    ----------
    arity : int
    positive : bool
    rng : random.Random
    pins : list of (sympy.Expr, sympy.Expr)
        Places and the values taken there, for a function of one variable: :math:`f(p_j) = v_j`.
    """

    def __init__(self, arity, positive, rng, pins=()):
        def dyadic(low, high):  # few bits: exact in every precision
            return mpf(rng.randint(int(low * 64), int(high * 64))) / 64

        self.arity, self.positive, self.pins, self.home, self.known = arity, positive, list(pins), {}, {}
        if self.pins and (positive or arity != 1):
            raise CannotEvaluate("only a real function of one variable can be given values at some places")
        # gentle waves: a function of a function would otherwise swing so fast that its integral needs many
        # nodes
        self.terms = [(dyadic(0.25, 1), [rng.choice((-1, 1)) * dyadic(0.25, 0.75) for _ in range(arity)],
                       [dyadic(-2, 2) for _ in range(arity)]) for _ in range(TERMS)]

    def __repr__(self):
        return "a random smooth function"

    def __call__(self, arguments, orders, value):
        """The mixed partial derivative of the given orders; ``value`` evaluates the pins where they hold."""
        if any(mp.isnan(u) for u in arguments):
            return mp.nan
        key = *arguments, *orders, mp.prec  # each of many integrands has the same nodes
        if key not in self.known:
            if len(self.known) == MOST_KNOWN:
                self.known.clear()
            self.known[key] = self._computed(arguments, orders, value)
        return self.known[key]

    def _computed(self, arguments, orders, value):
        total = self._free(arguments, orders)
        places = [(value(place, self.home), value(level, self.home)) for place, level in self.pins]
        for j, (place, level) in enumerate(places):
            others = [p for i, (p, _) in enumerate(places) if i != j]
            total += (level - self._free([place], [0])) * _lagrange(arguments[0], place, others, orders[0])
        return total

    def _free(self, arguments, orders):
        return sum(a * self._term(b, c, arguments, orders) for a, b, c in self.terms)

    def _term(self, b, c, arguments, orders):
        if self.positive:
            shifted = [u - ci for u, ci in zip(arguments, c)]
            bell = mp.exp(-sum(u * u for u in shifted) / 2)
            return bell * mp.fprod((-1) ** k * _hermite(k, u) for u, k in zip(shifted, orders) if k)
        phase, slope, order = c[0], 1, sum(orders)
        for bi, u, k in zip(b, arguments, orders):
            phase, slope = phase + bi * u, slope * bi**k
        wave = mp.sin(phase) if order % 2 == 0 else mp.cos(phase)
        return -slope * wave if order % 4 > 1 else slope * wave


class Density(Smooth):
    r"""A random positive function with the integral 1 over some of its arguments.

    A mixture of normal densities, near each other, whose means move with the other arguments.  Between 16 and
    -16 its quadrature is exact to many digits, and that of its logarithm.
    """

    WIDTH = mpf(9) / 8

    def __init__(self, arity, integrated, rng):
        super().__init__(arity, True, rng)
        self.integrated = sorted(integrated)
        self.others = [i for i in range(arity) if i not in integrated]
        middle = [mpf(rng.randint(-32, 32)) / 64 for _ in range(arity)]
        slopes = [rng.choice((-1, 1)) * mpf(rng.randint(8, 16)) / 128 for _ in range(arity)]
        self.terms = [(mpf(share) / 4, slopes, [m + mpf(rng.randint(0, 24)) / 64 for m in middle])
                      for share in (1, 1, 2)]

    def _term(self, b, c, arguments, orders):
        """A derivative of a product of normal densities; their shift is linear in the other arguments."""
        shift = sum(b[i] * arguments[i] for i in self.others)
        by_shift = [i for i in self.others for _ in range(orders[i])]
        u = {i: (arguments[i] - c[i] - shift) / self.WIDTH for i in self.integrated}
        whole = mp.exp(-sum(v * v for v in u.values()) / 2) * _height(len(u), mp.prec)
        if not any(orders):
            return whole
        total = mpf(0)
        # each derivative by another argument falls on one of the factors
        for falls in itertools.product(self.integrated, repeat=len(by_shift)):
            k = {i: orders[i] + falls.count(i) for i in self.integrated}
            total += mp.fprod(_hermite(k[i], u[i]) * (-1 / self.WIDTH) ** k[i] for i in self.integrated)
        return whole * total * mp.fprod(-b[i] for i in by_shift)


@cache
def _height(dimension, precision):
    """That of a product of the normal densities of a `Density`, in this precision."""
    return (Density.WIDTH * mp.sqrt(2 * mp.pi)) ** -dimension


def random_function(function, arity, given, rng):
    """A random function that has the values and the total that `Conditions` tell of it."""
    example = function(*arity * [sp.Dummy(real=True)])
    if not example.is_real:
        raise CannotEvaluate(
            f"the function {function} is not declared real or positive: its values are unknown")
    pins, places = given.pinned(function), given.integrated(function)
    if places:
        if pins or not example.is_positive:
            raise CannotEvaluate(f"no density {function} is drawn that has values told or is not positive")
        return Density(arity, places, rng)
    return Smooth(arity, example.is_positive, rng, pins)


def _hermite(k, u):
    """The Hermite polynomial that the k-th derivative of a normal density brings down."""
    before, now = mpf(0), mpf(1)
    for j in range(k):
        before, now = now, u * now - j * before
    return now


def _lagrange(u, place, others, order):
    """Derivative at ``u`` of the polynomial that is 1 at ``place`` and 0 at the others."""
    coefficients = [mpf(1)]
    for other in others:
        scaled = [c / (place - other) for c in coefficients]
        coefficients = [a - other * b for a, b in zip([*scaled, 0], [0, *scaled])]
    for _ in range(order):
        top = len(coefficients) - 1
        coefficients = [c * (top - i) for i, c in enumerate(coefficients[:-1])]
    return mp.polyval(coefficients, u) if coefficients else mpf(0)
