"""Integrals are linear, and densities of which no more is known than their total."""

import pytest
import sympy as sp
from sympy import Derivative, Integral, Sum, exp, log

from proofread.any_size import proves
from proofread.errors import NoRule

x, theta, c, t = sp.symbols("x theta c t", real=True)
n, k = sp.symbols("n k", integer=True, positive=True)
p, f = sp.Function("p", positive=True)(x, theta), sp.Function("f", real=True)(x)
z = sp.IndexedBase("z", real=True)
line = x, -sp.oo, sp.oo
score = Derivative(log(p), theta)
density = [sp.Eq(Integral(p, line), 1)]
mean = Integral(p * f, line)

TRUE = {
    "score function": (Integral(p * f * score, line), Integral(f * Derivative(p, theta), line)),
    "baseline": (Integral(p * (f - c) * score, line),
                 Integral(p * f * score, line) - c * Integral(Derivative(p, theta), line)),
    "variance": (Integral(p * (f - mean)**2, line), Integral(p * f**2, line) - mean**2, density),
    "a sum comes out": (Integral(Sum(z[k] * exp(-k * x**2), (k, 1, n)), line),
                        Sum(z[k] * Integral(exp(-k * t**2), (t, -sp.oo, sp.oo)), (k, 1, n))),
}
FALSE = {
    "another factor": (Integral(p * (f + 3 * x), line), mean + 2 * Integral(x * p, line)),
    "the product of means": (Integral(p * f**2, line), mean**2, density),
    "the total is not told": (Integral(p * (f - mean)**2, line), Integral(p * f**2, line) - mean**2),
    "another range": (mean, Integral(p * f, (x, 0, sp.oo))),
    "the variable does not come out": (Integral(p * x, line), x * Integral(p, line)),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved(name):
    left, right, *given = TRUE[name]
    assert proves(left, right, "=", *given)


@pytest.mark.parametrize("name", FALSE)
def test_not_proved(name):
    left, right, *given = FALSE[name]
    assert not proves(left, right, "=", *given)


def test_a_derivative_does_not_pass_an_integral():
    """That needs a hypothesis, which an argued line states."""
    with pytest.raises(NoRule):
        proves(Derivative(mean, theta), Integral(f * Derivative(p, theta), line))
