"""Undefined functions: what holds for every smooth function is tried on random ones.

A `Smooth` function stands for an ``f(x)`` or ``F(x, y, z)`` without a definition.  Its derivatives of all
orders are known exactly, so a wrong derivative meets the right number and not a difference quotient.
"""

import sympy as sp
from mpmath import mp, mpf
from sympy.core.function import AppliedUndef

from .errors import CannotEvaluate

TERMS = 3


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

        self.arity, self.positive, self.pins, self.home = arity, positive, list(pins), {}
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
            return mp.fprod((-1) ** k * _hermite(k, u) * mp.exp(-u**2 / 2) for u, k in zip(shifted, orders))
        phase, slope, order = c[0], 1, sum(orders)
        for bi, u, k in zip(b, arguments, orders):
            phase, slope = phase + bi * u, slope * bi**k
        wave = mp.sin(phase) if order % 2 == 0 else mp.cos(phase)
        return -slope * wave if order % 4 > 1 else slope * wave


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


def pinned(function, given):
    """The places at which conditions ``f(p) = v`` fix a function of one variable."""
    return [(c.lhs.args[0], c.rhs) for c in given if isinstance(c, sp.Equality)
            and isinstance(c.lhs, AppliedUndef) and c.lhs.func == function and len(c.lhs.args) == 1]


def orders(expr):
    """For a derivative of ``F(x, f(x), …)`` by its own bare arguments, how often by each; else `None`."""
    application = expr.expr
    if not isinstance(application, AppliedUndef):
        return None
    arguments, result = application.args, [0] * len(application.args)
    for variable, count in expr.variable_count:
        places = [i for i, a in enumerate(arguments) if a == variable]
        # by a symbol it is the total derivative, by f(x) or f'(x) the partial one
        total = variable.is_Symbol and sum(a.has(variable) for a in arguments) != 1
        if len(places) != 1 or total or not count.is_Integer:
            return None
        result[places[0]] += int(count)
    return result


def canonical(expr):
    """Every derivative of an undefined function in one form: a function of its own at its arguments.

    SymPy writes the same partial derivative in several ways, with ``Subs`` and without, takes them for
    different, and differentiates one of them wrongly (1.14: ``F(x, f(x),
    f(x).diff(x)).diff(f(x).diff(x)).diff(x)`` has a term too many).  So derivatives are taken from the inside
    out here, of plain functions only.
    """
    if not expr.has(AppliedUndef):
        return expr
    if isinstance(expr, sp.Subs):
        own = {v: sp.Dummy(real=True) for v in expr.variables}
        inner = canonical(expr.expr.xreplace(own))
        return inner.xreplace({own[v]: canonical(p) for v, p in zip(expr.variables, expr.point)})
    if isinstance(expr, sp.Derivative):
        inner = canonical(expr.expr)
        for variable, count in expr.variable_count:
            for _ in range(int(count)):
                inner = _differentiate(inner, canonical(variable))
        return inner
    return expr.func(*(canonical(a) for a in expr.args)) if expr.args else expr


def _differentiate(expr, variable):
    """The derivative of a canonical expression: the total one by a symbol, the partial one by ``f(x)``."""
    if variable.is_Symbol:
        return _named(expr.diff(variable))
    slot = sp.Dummy(real=True)
    return _differentiate(expr.xreplace({variable: slot}), slot).xreplace({slot: variable})


def _named(expr):
    """Each first derivative of a plain function, as SymPy's chain rule leaves it, by its name."""
    if not expr.has(AppliedUndef) or not expr.args:
        return expr
    if isinstance(expr, sp.Subs):
        return _named(expr.expr).xreplace(dict(zip(expr.variables, expr.point)))
    if isinstance(expr, sp.Derivative):
        function, raised = expr.expr.func, orders(expr)
        name, _, before = function.__name__.partition("⟨")
        if before:
            raised = [a + int(b) for a, b in zip(raised, before.rstrip("⟩").split(","))]
        return sp.Function(f"{name}⟨{','.join(map(str, raised))}⟩", real=True)(*expr.expr.args)
    return expr.func(*(_named(a) for a in expr.args))
