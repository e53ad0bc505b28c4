"""Cases of sign, numbers that conditions confine, and what follows for positivity."""

import pytest
import sympy as sp
from sympy import Abs, Derivative, Heaviside, Integral, Max, Min, Piecewise, S, Sum, exp, log, oo
from verdict import is_shown

from proofread.any_size import bounds, proves
from proofread.errors import NoRule

j, k, n = sp.symbols("j k n", integer=True, positive=True)
step, time = sp.symbols("step time", integer=True, nonnegative=True)
c, x, y, V, start = sp.symbols("c x y V V_0", real=True)
a, d, s, t, u = sp.symbols("a d s t u", positive=True)
maybe, below = sp.Symbol("m", nonnegative=True), sp.Symbol("b", nonpositive=True)
z = sp.IndexedBase("z", real=True)
p, q = sp.IndexedBase("p", positive=True), sp.IndexedBase("q", positive=True)
every = k, 1, n
p_, q_ = (sp.Function(name, positive=True) for name in "pq")
line = x, -oo, oo


TRUE = {
    "a cut distribution function": (exp(-exp(-Min(x, y))) / exp(-exp(-y)),
                                    Piecewise((exp(-exp(-x)) / exp(-exp(-y)), x < y), (1, True))),
    "a falling function of the smaller": (exp(-Min(x, y)), Max(exp(-x), exp(-y))),
    "a soft minimum": (-log(exp(-x) + exp(-y)), Min(x, y) - log(1 + exp(-Abs(x - y)))),
    "clipped": (Max(0, Min(1, (x + 1) / 2)), (Abs(x + 1) - Abs(x - 1) + 2) / 4),
    "one of both": (Max(z[k] - c, 0) * (Max(z[k] - c, 0) - z[k] + c), 0),
    "of positive numbers": (Max(1, s / t), Max(s, t) / t),
    "a square of pieces": (Piecewise((x**2, x > 0), (x**2, True)), x**2),
    "a confined number": ((1 - s)**t * (1 - s), (1 - s) ** (t + 1), [s < 1]),
    "between two": (log((s - 1) / (2 - s)), log(s - 1) - log(2 - s), [s > 1, s < 2]),
    "larger than another": (sp.sqrt((x - y)**2), x - y, [x > y]),
    "a derivative of what is confined": (Derivative(log(1 - s), s), 1 / (s - 1), [s < 1]),
}
FALSE = {
    "the value at a tie": (Heaviside(x - y, 1), Heaviside(x - y, 0)),
    "the larger of falling functions": (exp(-Max(x, y)), Max(exp(-x), exp(-y))),
    "the smaller, clipped": (Max(0, Min(1, (x + 1) / 2)), (Abs(x + 1) - Abs(x - 1)) / 4),
    "pieces that differ at a place": (Piecewise((x, x > y), (2 * x, x < y), (3 * x, True)),
                                      Piecewise((x, x > y), (2 * x, True))),
    "the end allowed": (Piecewise((1, s < 1), (0, True)), 1, [s <= 1]),
    "0 allowed": (Piecewise((1, maybe > 0), (0, True)), 1, [maybe < 1]),
    "0 allowed, from below": (Piecewise((1, below < 0), (0, True)), 1, [below > -1]),
    "another one confined": (Abs(1 - s), 1 - s, [t < 1]),
    "the other way": (sp.sqrt((x - y)**2), x - y, [x < y]),
    "not told": (sp.sqrt((x - y)**2), x - y),
    "an entry that is summed too": (Max(z[j], 0) + Sum(z[k], every), Max(z[j] + Sum(z[k], every),
                                                                         Sum(z[k], every) + c)),
    "entries that may be one": (Max(z[j], z[k]), z[j] + Max(z[k] - z[j], 1)),
    "a sign inside an integral": (Integral(Abs(x - y), (x, 0, 1)), Abs(Integral(x - y, (x, 0, 1)))),
    "an integral backwards": (Abs(Integral(exp(-x**2), (x, c, 0))), Integral(exp(-x**2), (x, c, 0))),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name):
    assert is_shown(*TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    assert not is_shown(*FALSE[name])


def test_inequalities_of_confined_numbers():
    curve = Derivative(x - (x - y) * exp(-s * t), t, t)
    assert proves(curve, 0, "<=", [x > y])
    assert not proves(curve, 0, "<=")
    assert not proves(curve, 0, "<=", [x < y])
    weights = Sum(exp(c * z[k]), every)
    assert proves(0, Derivative(log(weights), c, c), "<=")
    assert not proves(Derivative(log(weights), c, c), 0, "<=")


def test_the_best_discriminator():
    best = p[k] / (p[k] + q[k])
    left = p[k] * log(d) + q[k] * log(1 - d)
    right = p[k] * log(best) + q[k] * log(1 - best)
    by = [bounds.log_tangent(d / best).times(p[k]), bounds.log_tangent((1 - d) / (1 - best)).times(q[k])]
    assert proves(left, right, "<=", [d < 1], (), by)
    for given in ([], [d > 1], [d < 2]):
        with pytest.raises(NoRule):
            proves(left, right, "<=", given, (), by)


def test_a_bound_on_evidence():
    """An integral of what is positive over a range that runs forward is positive, if it has a value."""
    total = Integral(p_(y), (y, -oo, oo))
    bound = bounds.log_tangent(p_(x) / total / q_(x)).times(q_(x)).integral(*line)
    left, density = Integral(q_(x) * log(p_(x) / q_(x)), line), [sp.Eq(Integral(q_(x), line), 1)]
    assert proves(left, log(total), "<=", density, (), [bound])
    assert not proves(left, log(total), "<=", (), (), [bound])
    assert not proves(left, log(total) - S.One / 9, "<=", density, (), [bound])
