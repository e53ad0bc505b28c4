"""The chapter book/unnormalised/variations: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

PAGE = Page("book/unnormalised/variations", [
    Falsified("sp.Lambda(x, x**3)}", "sp.Lambda(x, x**2)}", ValueError),
    Falsified("tilted.step(sp.Derivative(eta(x), x),", "tilted.step(sp.Derivative(eta(x), x, 2),", Refuted),
    Falsified("first.step(sp.Integral(by_value * eta(x) +",
              "first.step(sp.Integral(by_value * eta(x) -", Refuted),
    Falsified("+ Bracket(by_slope * eta(x), over)\n           - sp.Integral",
              "+ Bracket(by_slope * eta(x), over)\n           + sp.Integral", Refuted),
    Falsified("ends = [sp.Eq(eta(a), 0), sp.Eq(eta(b), 0)]", "ends = [sp.Eq(eta(a), 0)]", Refuted),
    Falsified("x * (1 - x) * h(x), label", "x * h(x), label", Refuted),
    Falsified("h: sp.Lambda(x, x - sp.Rational(1, 2))", "h: sp.Lambda(x, x - sp.Rational(1, 3))", ValueError),
    Falsified("for k in range(5)]", "for k in range(4)]", AssertionError),
    Falsified("third.step(-epsilon**6,", "third.step(epsilon**6,", Refuted),
    Falsified("84 * x**3", "80 * x**3", AssertionError),
    Falsified("saddle.step((sp.pi**2 - 16) / 8", "saddle.step((sp.pi**2 - 16) / 4", Refuted),
    Falsified("-sp.Rational(3, 4) * epsilon**2", "-sp.Rational(4, 5) * epsilon**2", Refuted),
    Falsified("-along(t, s), -along(y, s) * slope,", "-along(t, s), along(y, s) * slope,", Refuted),
    Falsified("decide(wanted - theirs, by_value)", "decide(wanted - theirs, by_slope)", AssertionError),
    Falsified("of_slope = Partial(sp.UnevaluatedExpr(flat), slope)", "of_slope = by_slope", AssertionError),
    Falsified("told.step(sp.Eq(score, sp.log(data / noise)),",
              "told.step(sp.Eq(score, sp.log(noise / data)),", ProofError),
    Falsified("rise = sp.Pow(sp.Mul(s, step,", "rise = sp.Pow(sp.Mul(s, s,", Refuted),
    Falsified("increasing.step((1 + s**2)**-sp.Rational(3, 2),",
              "increasing.step((1 + s**2)**-sp.Rational(1, 2),", Refuted),
    Falsified('relation=">=", attained={s: m})', 'relation="<=", attained={s: m})', Refuted),
    Falsified('short, long = history["zigzag"], history["one bump"]',
              'long, short = history["zigzag"], history["one bump"]', AssertionError),
    Falsified("solved.step(sp.Eq(q, sp.exp(exponent)),",
              "solved.step(sp.Eq(q, sp.exp(-exponent)),", ProofError),
    Falsified("bell.step(sp.Eq(density, sp.exp(exponent)),",
              "bell.step(sp.Eq(density, sp.exp(exponent - lam)),", ProofError),
    Falsified("bound.step(sp.log(2 * sp.pi * sp.E * sigma**2) / 2,",
              "bound.step(sp.log(2 * sp.pi * sigma**2) / 2,", Refuted),
    Falsified("beltrami.step(slope * (Partial(free, f(x)) - rest),",
              "beltrami.step(slope * (Partial(free, f(x)) + rest),", Refuted),
    Falsified("fastest.value / straight - 5 / 6", "fastest.value / straight - 6 / 7", AssertionError),
    Falsified("bent.step(-second /", "bent.step(second /", Refuted),
    Falsified("line.step(c + (d - c)", "line.step(d + (d - c)", Refuted),
    Falsified("rate = (grid[1] - grid[0]) / 4", "rate = (grid[1] - grid[0])", AssertionError),
    Falsified("gibbs.step(0, ", "gibbs.step(-1, ", Refuted),
    Falsified("best.step(lse() - KL(P, Pi),", "best.step(lse() - KL(Pi, P),", Refuted),
    Falsified('best.step(lse(), "Gibbs\' inequality", relation="<="',
              'best.step(lse(), "Gibbs\' inequality", relation=">="', Refuted),
    Falsified("pointwise.step(u1 - u2,", "pointwise.step(u2 - u1,", Refuted),
    Falsified("/ (2 * sigma**2),\n           r", "/ sigma**2,\n           r", Refuted),
    Falsified("smoother.solution(functional_derivative(smoothing, f(x), x))",
              "smoother.solution(f(x) + second - h(x))", Refuted),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)
