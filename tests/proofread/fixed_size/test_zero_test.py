"""The symbolic opinion at one size."""


import pytest
import sympy as sp
from sympy import Abs, Max, Rational, exp, log

from proofread import decide
from proofread.fixed_size import zero_test
from proofread.fixed_size.zero_test import is_nonnegative, is_zero, normal

x, y, c = sp.symbols("x y c", real=True)
p, q, tau = sp.symbols("p q tau", positive=True)


@pytest.mark.parametrize("zero", [
    log(1 + exp(x)) - x - log(1 + exp(-x)),
    exp(x + y) - exp(x) * exp(y),
    exp(x / 2) ** 2 - exp(x),
    exp(x / tau) / (exp(x / tau) + exp(y / tau)) - 1 / (1 + exp((y - x) / tau)),
    log(p * q) - log(p) - log(q),
    log(p**3 / q) - 3 * log(p) + log(q),
    p**x - exp(x * log(p)),
    log(6) - log(2) - log(3),
    log(exp(x) + exp(y)) - c - log(exp(x - c) + exp(y - c)),
    sp.tanh(x / 2) - (2 / (1 + exp(-x)) - 1),
    Max(x, y) + sp.Min(x, y) - x - y,
    Abs(x) - Max(x, -x),
    log(sp.sqrt(2 * sp.pi) * p) - log(2 * sp.pi) / 2 - log(p),
    exp(-Rational(3, 2) * x) * exp(x) - 1 / sp.sqrt(exp(x)),
])
def test_zero_in_disguise_is_recognised(zero):
    assert is_zero(zero) is True


@pytest.mark.parametrize("expr", [
    exp(x) - 1, log(1 + exp(x)) - x, log(x**2) - 2 * log(x), sp.sqrt(x**2) - x, Max(x, y) - x,
    log(p + q) - log(p) - log(q), exp(x * y) - exp(x) ** 2, Max(x - 10, 0), Rational(1, 10**40) * x,
    log(x * y) - log(x) - log(y),
])
def test_what_is_not_zero_is_never_called_zero(expr):
    assert is_zero(expr) is None
    assert normal(expr) != 0 or expr.has(Max)


@pytest.mark.parametrize("expr", [
    x**2, (x - y) ** 2, exp(x), p + q, log(1 + exp(x)), Max(x, y) - x, log(exp(x) + exp(y)) - Max(x, y),
])
def test_nonnegative_in_disguise_is_recognised(expr):
    assert is_nonnegative(expr) is True


@pytest.mark.parametrize("expr", [
    x, -exp(x), x**2 - 1, p - q, x - log(1 + exp(x)), Max(x, y) - log(exp(x) + exp(y)), x**3,
])
def test_what_may_be_negative_is_never_called_nonnegative(expr):
    assert is_nonnegative(expr) is None


def test_an_error_inside_sympy_is_no_proof(monkeypatch):
    def fails(*_):
        raise NotImplementedError("sign unknown")

    monkeypatch.setattr(zero_test.sp, "simplify", fails)
    verdict = decide(sp.sin(x) ** 2 + sp.cos(x) ** 2, 1)
    assert verdict.status == "agrees"
    assert "NotImplementedError: sign unknown" in verdict.how
