"""Statements that an earlier version of the machinery judged wrongly, each by a way of its own."""

import pytest
import sympy as sp
from sympy import Eq, Integral, Limit, oo

from proofread import Definition, Derivation, Distributed, E, Equivalence, Erratum, Law, NormalLaw, decide
from proofread.errors import Refuted, Undecided
from proofread.language import sympy as typed
from proofread.language.notation import Scalar, Without
from proofread.language.sympy import Bracket

x, y, a, t = sp.symbols("x y a t", real=True)
P, T, U = sp.symbols("P T U", positive=True)
i, j, k, n = sp.symbols("i j k n", integer=True, positive=True)
z, rate = sp.IndexedBase("z", real=True), sp.IndexedBase("lambda", positive=True)
f, p = sp.Function("f", real=True), sp.Function("p", positive=True)


@pytest.mark.parametrize(("parameter", "body", "argument", "right", "wrong"), [
    (a, Bracket(a * x, (x, 0, 1)), x, x, sp.S.One),
    (a, Limit(a * t / (1 + t), t, oo), t, t, sp.S.One),
    (a, E(a * k, Law("u", k, 1 / n, 1, n)), k, k * (n + 1) / 2, (n + 1) * (2 * n + 1) / 6),
])
def test_an_argument_is_not_captured_by_a_bound_variable(parameter, body, argument, right, wrong):
    symbol = Definition("D", (parameter,), body, label="eq-capture", title="capture")
    assert decide(symbol(argument), right).status == "proved"
    assert decide(symbol(argument), wrong).status == "refuted"


@pytest.mark.parametrize(("left", "attained"), [
    ((P + 1) ** 2, {P: -1}), (P, {P: 0}), (P, {P: x}), (1 / P, {P: oo}),
    (sp.Sum(sp.IndexedBase("w", positive=True)[k] + 1, (k, 1, n)), {sp.IndexedBase("w", positive=True): -1}),
])
def test_a_bound_is_attained_where_the_symbol_may_be(left, attained):
    with pytest.raises(ValueError, match="SymPy does not see that"):
        decide(left, 0, ">=", attained=attained)


def test_a_condition_does_not_speak_of_a_bound_variable():
    with pytest.raises(ValueError, match="bound in the statement"):
        decide(Integral(f(x), (x, 0, 1)), 0, given=[Eq(f(x), 0)])


@pytest.mark.parametrize("first", [
    Eq(x**2, 2 * x), Eq((x - 5) * (x - 2), 0), Eq((x - sp.Rational(1, 1000)) * (x - 2), 0),
])
def test_a_root_at_the_end_of_the_domain_is_not_lost(first):
    with pytest.raises(Undecided, match="holds no other solution is not seen"):
        chain = Equivalence(first, unknown=x, domain=sp.Interval(0, 5), label="eq-end", title="end")
        chain.step(Eq(x, 2), "lost")


@pytest.mark.parametrize(("transform", "source", "target"), [
    (-sp.log(U), Law("u", U, sp.S(2), 0, 1), Law("e", T, 2 * sp.exp(-T), 0, oo)),
    (sp.tan(x), Law("x", x, 1 / sp.pi, -sp.pi / 2, 3 * sp.pi / 2),
     Law("c", y, 1 / (sp.pi * (1 + y**2)), -oo, oo)),
])
def test_a_law_has_the_weight_one(transform, source, target):
    with pytest.raises(Refuted, match="total weight"):
        Distributed(transform, source, target, increasing=False, label="eq-mass", title="mass")


X, Y = typed.symbols("x y", real=True)
Q, h = typed.Symbol("Q", positive=True), typed.Function("h", positive=True)


@pytest.mark.parametrize(("printed", "values", "given", "message"), [
    (typed.Implies(typed.Eq(Q**2, 4), typed.Eq(Q, 2)), {Q: -2}, [],
     "is positive, and SymPy does not see that"),
    (typed.Implies(typed.Eq(X**2, 4), typed.Eq(X, 2)), {X: -2}, [X > 0], "does not satisfy"),
    (typed.Implies(typed.Eq(h(0), 1), typed.Eq(h(1), 1)), {h: typed.Lambda(X, 1 - X)}, [],
     "is positive, and SymPy does not see"),
    (typed.Implies(typed.Eq(X**2, Y**2), typed.Or(typed.Eq(X, Y), typed.Eq(X, -Y))), {Y: abs(X)}, [],
     "must say what x is"),
    (typed.Implies(typed.Eq(X**2, 4), typed.Eq(X, 2)), None, [], "is refuted by a counterexample="),
])
def test_an_erratum_needs_a_counterexample_that_is_one(printed, values, given, message):
    right = Definition("R", (X,), X**2, label="eq-x", title="right")
    with pytest.raises(ValueError, match=message):
        Erratum("a page", printed, counterexample=values, given=given, correct=right, consequence="")


v = sp.MatrixSymbol("v", n, 1)
law = NormalLaw("v", v, sp.ZeroMatrix(n, 1), sp.Identity(n))
A = sp.MatrixSymbol("A", n, n)
S = sp.MatrixSymbol("S", n, n)


@pytest.mark.parametrize(("left", "right", "given"), [
    # true, and beyond the degree that is understood
    (E(Scalar(v.T * v) ** 4, law), n**4 + 12 * n**3 + 44 * n**2 + 48 * n, []),
    (E(Scalar(v.T * v) ** 2, law), n**2 + n, []),
    (E(sp.Abs(v[0, 0]), law), sp.S.Zero, []),
    (E(sp.cos(2 * sp.pi * v[0, 0]), law), sp.S.One, []),
    (sp.Trace(S ** sp.Rational(1, 2)), n, [sp.Q.positive_definite(S)]),
    (f(x + 128 * sp.pi), f(x), []),
    (p(x), sp.S(3), []),
    (Integral(p(x) * sp.cos(8 * sp.pi * x), (x, -oo, oo)), Integral(p(x), (x, -oo, oo)), []),
    (sp.Derivative(sp.sin(f(a)), a), sp.S.Zero, [Eq(f(a), 0)]),
])
def test_what_is_false_or_beyond_it_never_passes(left, right, given):
    assert decide(left, right, given=given).status in ("refuted", "undecided")
    assert decide(left, right, "<=", given=given).status in ("refuted", "undecided")


def test_the_fourth_moment_of_a_normal_vector_is_known():
    assert decide(E(Scalar(v.T * v) ** 2, law), n**2 + 2 * n).status == "proved"


def test_a_value_at_a_number_is_a_condition():
    assert decide(f(0) + x, x, given=[Eq(f(0), 0)]).status == "proved"


def over(function):
    return sp.Sum(function, (i, 1, n))


def times(function):
    return sp.Product(function, (i, 1, n))


first = Integral(rate[k] * sp.exp(-rate[k] * T) * Without(times(sp.exp(-rate[i] * T)), k), (T, 0, oo))
gumbel = Integral(
    sp.exp(-x + z[k] - sp.exp(-x + z[k])) * Without(times(sp.exp(-sp.exp(-x + z[i]))), k), (x, -oo, oo))


@pytest.mark.parametrize(("left", "right", "wrong"), [
    (first, rate[k] / over(rate[i]), rate[k] / over(rate[i]) ** 2),
    (Integral(Without(over(z[i] * x), k), (x, 0, 1)), (over(z[i]) - z[k]) / 2, over(z[i]) / 2),
    (sp.Sum(Without(times(z[i]), k), (k, 1, n)), sp.Subs(sp.Derivative(times(z[i] + x), x), x, 0),
     n * times(z[i])),
    (sp.Derivative(Without(times(z[i] ** 2), k), z[k]), 0, Without(times(z[i] ** 2), k)),
    (Without(over(1 / (z[i] - z[k])), k), -Without(over(1 / (z[k] - z[i])), k),
     Without(over(1 / (z[k] - z[i])), k)),
    (Without(times(sp.exp(z[i])), k), sp.exp(Without(over(z[i]), k)), sp.exp(over(z[i]))),
])
def test_what_leaves_an_index_out_may_stand_in_an_integral_or_another_range(left, right, wrong):
    assert decide(left, right).status == "proved"
    assert decide(left, wrong).status == "refuted"


def test_the_probability_of_the_largest_perturbed_logit():
    assert decide(gumbel, sp.exp(z[k]) / over(sp.exp(z[i]))).status in ("proved", "agrees")
    assert decide(gumbel, sp.exp(-z[k]) / over(sp.exp(-z[i]))).status == "refuted"


def test_an_index_that_is_not_left_out_is_noticed():
    chain = Derivation(over(z[i]) - z[k], label="eq-others", title="others")
    assert chain.step(Without(over(z[i]), k), "all but one").mutants > 3


def normal(place, deviation=sp.Rational(1, 10**6)):
    return typed.exp(-((place / deviation) ** 2) / 2) / (deviation * sp.sqrt(2 * sp.pi))


line, third = (x, -oo, oo), sp.Rational(1, 3)


@pytest.mark.parametrize(("left", "right"), [
    # peaks between the nodes
    (Integral(normal(x, 1) + normal(x - a * y), line), 1),
    pytest.param(Integral(over(rate[i] * normal(x - z[i], rate[i] / 10**6)), line), 0,
                 marks=pytest.mark.slow),
    pytest.param(Integral(normal(sp.log(T) - third) / T, (T, 0, oo)), 0, marks=pytest.mark.slow),
    (Integral(sp.Heaviside(x - third) * sp.Heaviside(third + sp.Rational(1, 10**6) - x), (x, 0, 1)), 0),
    # small, and not zero
    pytest.param(Integral(sp.exp(-x), (x, 100, oo)), 0, marks=pytest.mark.slow),
    pytest.param(Integral(sp.exp(-x), (x, 100, oo)), Integral(2 * sp.exp(-x), (x, 100, oo)),
                 marks=pytest.mark.slow),
    # both sides diverge, or the parts of one do
    (Integral(1 / (x + 1) ** 2, (x, -1, 1)), Integral(1 / (1 - x) ** 2, (x, -1, 1))),
    (Integral(1 / (x + 1) ** 2, (x, -1, 1)) - Integral(1 / (y + 1) ** 2, (y, -1, 1)), 0),
    (Integral(1 / (x + 1), (x, -1, 1)) - Integral(1 / (y + 1), (y, -1, 1)), 0),
    (Integral(1 / x, (x, -1, 1)), 0),
    (Integral(1 / (x - a), (x, a - 1, a + 1)), 0),
    (Integral(x / (1 + x**2), line), 0),
    (sp.Sum((-1) ** k, (k, 1, oo)), -sp.S.Half),
    (sp.Sum((-1) ** k * k, (k, 1, oo)), -sp.S.One / 4),
])
def test_what_the_numbers_miss_or_what_has_no_value_never_passes(left, right):
    assert decide(left, right).status in ("refuted", "undecided")
