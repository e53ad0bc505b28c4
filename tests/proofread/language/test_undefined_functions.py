"""The derivatives of an undefined function, each in one form."""

import sympy as sp
from sympy import Derivative

from proofread.language.undefined_functions import canonical

x, y, a = sp.symbols("x y a", real=True)
f, F = (sp.Function(name, real=True) for name in "fF")
slope = f(x).diff(x)
L = F(x, f(x), slope)


def test_derivatives_have_one_form():
    u = sp.Dummy(real=True)
    direct, written = L.diff(slope), sp.Subs(Derivative(F(x, f(x), u), u), u, slope)
    assert canonical(direct) == canonical(written)
    assert canonical(f(x).diff(x).subs(x, 2 * a)) == canonical(Derivative(f(2 * a), a) / 2)
    assert canonical(Derivative(F(x, y), x, y)) == canonical(Derivative(F(x, y), y, x))
    assert canonical(Derivative(F(x, y), x)) != canonical(Derivative(F(x, y), y))
    assert canonical(sp.exp(x)) == sp.exp(x)
