"""What conditions say, and that none is ignored."""

import random

import pytest
import sympy as sp
from sympy import Eq, Integral, Ne, Q, Sum, oo

from proofread import decide, said
from proofread import sympy as typed
from proofread.errors import Refuted, Undecided
from proofread.language.conditions import Conditions
from proofread.latex.printer import tex

x, y, r = sp.symbols("x y r", real=True)
s, t = sp.symbols("s t", positive=True)
v = sp.Symbol("v", nonnegative=True)
i, j, k, m, n = sp.symbols("i j k m n", integer=True, positive=True)
p, z = sp.IndexedBase("p", positive=True), sp.IndexedBase("z", real=True)
f, F = sp.Function("f", real=True), sp.Function("F", real=True)
g = sp.Function("g", positive=True)
A, B = (sp.MatrixSymbol(name, n, n) for name in "AB")


def test_conditions_are_made_once():
    known = Conditions([s < 1, n >= 2])
    assert Conditions(known) is known
    assert known == (s < 1, n >= 2)
    assert hash(known) == hash(Conditions([s < 1, n >= 2]))


def test_typed_conditions_are_plain_ones():
    a = typed.Symbol("a", real=True)
    plain = sp.Symbol("a", real=True)
    assert Conditions([a * a < 2, typed.Eq(a, 1)]) == (plain**2 < 2, Eq(plain, 1))


@pytest.mark.parametrize("condition", [
    s, sp.S(1), 1, Q.symmetric(A), Q.positive_definite(A * B), Q.positive(s),
    Q.positive_definite(sp.MatrixSymbol("v", n, 1)), f(x) > 0, Eq(f(x), f(y)) | (x > 0), Ne(f(x), 0),
    Eq(F(x, y), 0), Eq(f(x).diff(x), 0), Eq(Integral(g(x), (x, 0, oo)), 1),
    Eq(Integral(g(x), (x, -oo, oo)), 2), Eq(Integral(g(x) ** 2, (x, -oo, oo)), 1), Eq(f(x) + f(y), 0),
])
def test_a_condition_that_would_be_ignored_is_refused(condition):
    with pytest.raises(ValueError, match="a condition is a relation; .*; got"):
        Conditions([condition])
    with pytest.raises(ValueError, match="a condition is a relation; .*; got"):
        decide(s, s, given=[condition])


def test_two_values_at_one_place_are_refused():
    with pytest.raises(ValueError, match=r"the conditions give f\(x\) two values"):
        Conditions([Eq(f(x), 0), Eq(f(x), 1)])


#: conditions that leave something, and a symbol with the range, its ends and whether these belong to it
RANGES = [
    ([], x, (None, None)), ([], s, (0, None)), ([], v, (0, None)), ([], n, (1, None)),
    ([s < 1], s, (0, 1)), ([1 > s], s, (0, 1)), ([x > -1, x < 3, x < 2], x, (-1, 2)),
    ([n >= 3], n, (3, None)),
    ([s < t], s, (0, None)), ([x**2 < 2], x, (None, None)), ([x < sp.pi], x, (None, None)),
    ([Eq(x, 2)], x, (None, None)),
]


@pytest.mark.parametrize(("given", "symbol", "ends"), RANGES)
def test_ranges(given, symbol, ends):
    assert Conditions(given).range(symbol) == ends


def test_conjunctions_are_taken_apart():
    known = Conditions([sp.And(x > 0, x < 1)])
    assert known.range(x) == (0, 1)
    assert known.to_be_met == list(known)


CONFINING = [[s < 1], [s >= 1], [x >= 0, x < 1], [x > 0, x <= 1], [x >= 1, x <= 2], [v < 1], [v <= 2],
             [n >= 2], [n > 2, n <= 7], [s < 1, x >= 2], [x < 3, s < 3, v > 1]]


@pytest.mark.parametrize("given", CONFINING)
def test_no_value_that_the_conditions_leave_is_forgotten(given):
    """What is written by free numbers has all values, and within the ends of the range no others."""
    known, rng = Conditions(given), random.Random(2)
    for symbol in sorted(set().union(*(c.free_symbols for c in given)), key=str):
        low, high = known.range(symbol)
        numbers = [sp.Rational(rng.randint(-900, 900), 100) for _ in range(50)] + list(range(-2, 9))
        freed = known.freed(symbol).get(symbol, symbol)
        for number in filter(_admits(symbol, given), map(sp.sympify, numbers)):
            assert any(_takes(part, number) for part in known.everywhere(symbol)), (symbol, number)
            assert _takes(freed, number), (symbol, number)
        for number in map(sp.sympify, numbers):
            beyond = low is not None and number <= low or high is not None and number >= high
            assert not (beyond and _takes(known.unbounded(symbol), number)), (symbol, number)


def _admits(symbol, given):
    """Whether a number is one that a symbol can be."""
    facts = [fact for fact in ("positive", "nonnegative", "integer") if getattr(symbol, f"is_{fact}")]
    return lambda number: (all(getattr(number, f"is_{fact}") for fact in facts)
                           and all(c.subs(symbol, number) != sp.false for c in given))


def _takes(expr, number):
    """Whether an expression in one positive number has a value; a symbol that is left as it was has any."""
    free = [u for u in expr.free_symbols if isinstance(u, sp.Dummy)]
    if not free:
        return expr.is_Symbol or expr == number
    return any(root > 0 for root in sp.solve(expr - number, *free))


def test_what_may_be_zero_is_not_freed():
    assert not Conditions([v < 1]).freed(v)
    assert not Conditions([x <= 1]).freed(x)
    assert set(Conditions([x < y]).freed(x + y)) == {x}
    assert not Conditions([n > 2]).freed(n)


def test_sizes():
    known = Conditions([n >= 3, n > 3, m > 1, k <= n, j < m, Eq(i, j)])
    assert (known.least(n), known.least(m), known.least(k)) == (4, 2, 0)
    assert (known.tops(k), known.tops(j), known.tops(n)) == ({n}, {m}, set())


def test_patterns_of_equal_indices():
    def allowed(*given):
        known = Conditions(given)
        return known.allow({i: i, j: i}), known.allow({i: i, j: j})

    assert allowed() == allowed(i <= j) == allowed(Ne(i, k)) == (True, True)
    assert allowed(Eq(i, j)) == (True, False)
    assert allowed(Ne(i, j)) == allowed(i < j) == allowed(j > i) == (False, True)


def test_totals():
    whole = Sum(p[k], (k, 1, n))
    assert Conditions([Eq(whole, 1)]).totals == Conditions([Eq(1, whole)]).totals == [(p, n, 1)]
    assert not Conditions([Eq(whole, 0)]).totals
    assert not Conditions([Eq(Sum(p[k], (k, 2, n)), 1)]).totals
    assert not Conditions([Eq(whole, x)]).totals
    assert not Conditions([Eq(Sum(p[k] ** 2, (k, 1, n)), 1)]).totals
    assert Conditions([Eq(Sum(z[k], (k, 1, n)), 0)]).totals == [(z, n, 0)]
    assert Conditions([Eq(whole, x)]).sums == [(whole, x)]


def test_functions():
    density = Eq(Integral(g(x), (x, -oo, oo)), 1)
    known = Conditions([Eq(f(0), 2), Eq(y, f(r)), density, s < 1])
    assert known.values == {f(0): 2, f(r): y}
    assert known.pinned(f) == [(0, 2), (r, y)]
    assert known.integrated(g) == {0}
    assert known.to_be_met == [s < 1]


def test_the_mean_score_needs_a_density():
    G = sp.Function("G", positive=True)
    whole = Eq(Integral(G(x, y), (x, -oo, oo)), 1)
    score = Eq(Integral(G(x, y).diff(y), (x, -oo, oo)), 0)
    assert Conditions([whole, score])
    with pytest.raises(ValueError, match="a condition is"):
        Conditions([score])


def test_matrices():
    known = Conditions([Q.positive_definite(A), Q.lower_triangular(B)])
    assert [known.kind(M) for M in (A, B, sp.MatrixSymbol("C", n, n))] == ["definite", "triangular", "any"]


# -- what follows, through the door -----------------------------------------------------------------------


def test_a_total_the_other_way_round_is_one():
    total = Eq(1, Sum(p[k], (k, 1, n)))
    assert decide(Sum(p[k] * z[1], (k, 1, n)), z[1], given=[total]).status == "proved"
    assert decide(Sum(p[k] * z[1], (k, 1, n)), 2 * z[1], given=[total]).status == "refuted"


def test_ordered_indices_are_different():
    product = sp.KroneckerDelta(i, j) * z[i] * Sum(z[k], (k, 1, n))
    assert decide(product, 0, given=[i < j]).status == "proved"
    assert decide(product, 0, given=[i <= j]).status == "refuted"


@pytest.mark.parametrize(("claim", "given"), [
    (x > 1, [x >= 1]), (v > 0, [v < 1]), (m > 2, [m >= 2]), (m < 3, [m <= 3]), (Ne(x, 1), [x >= 1]),
    (s * (2 - x) > 0, [x <= 2]), (y + x > 3, [x >= 1, y >= 2]),
])
def test_an_end_that_belongs_to_the_range_is_not_beyond_it(claim, given):
    sign = {sp.StrictGreaterThan: ">", sp.StrictLessThan: "<", Ne: r"\ne"}[type(claim)]
    shown = f"{tex(claim.lhs)} {sign} {tex(claim.rhs)}"
    with pytest.raises((Refuted, Undecided)):
        said({shown: (claim, given)})
