"""From general statements to instances of them."""

import random
from fractions import Fraction

import pytest
import sympy as sp
from sympy import Derivative, KroneckerDelta, Limit, Sum, exp, log, oo

from proofread import Definition, decide
from proofread.errors import CannotEvaluate
from proofread.language.parameters import MOST_INDEX_CHOICES, Parameters
from proofread.numeric.sampling import describe, draw, points

x, y = sp.symbols("x y", real=True)
s, t = sp.symbols("s t", positive=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z, w = sp.IndexedBase("z", real=True), sp.IndexedBase("w", positive=True)


def test_symbols_have_roles():
    roles = Parameters(Sum(z[i] * w[j], (i, 1, n)) + Limit(exp(-t * x), t, oo) + KroneckerDelta(j, k))
    assert roles.sizes == [n]
    assert roles.indices == [j, k]
    assert roles.scalars == [x]
    assert set(roles.bases) == {z, w}
    assert roles.axes == {(z, n): 0}


def test_the_variable_of_a_derivative_is_a_parameter():
    assert Parameters(Derivative(Sum(z[i], (i, 1, n)), z[j])).indices == [j]


def test_index_choices_are_few_and_hold_every_pattern():
    choices = list(Parameters(KroneckerDelta(i, j) * Sum(z[k], (k, 1, n))).choices((1, 2, 3, 4, 7)))
    for size in (2, 3, 4, 7):
        chosen = [c for c in choices if c[n] == size]
        assert len(chosen) <= MOST_INDEX_CHOICES
        assert {c[i] == c[j] for c in chosen} == {True, False}


def test_conditions_come_before_the_choice():
    choices = list(Parameters(z[i] + z[j] + Sum(z[k], (k, 1, n))).choices((7,), [i < j, i > 4]))
    assert {(c[i], c[j]) for c in choices} == {(5, 6), (5, 7), (6, 7)}


def test_points_are_admissible_and_exact():
    drawn = list(points(Parameters(x, s), [x < 1, x > -1, s > 3], count=10))
    assert len(drawn) == 10
    assert all(-1 < point[x] < 1 and point[s] > 3 for point in drawn)
    denominators = [Fraction(value).denominator for point in drawn for value in point.values()]
    assert all(d & (d - 1) == 0 and d < 2**20 for d in denominators)


def test_joint_conditions_reject():
    assert all(point[x] < point[y] for point in points(Parameters(x, y), [x < y], count=10))


@pytest.mark.parametrize("given", [[x > 1, x < 1], [x > 2, x < y, y < 1], [sp.Eq(x, sp.sqrt(2))],
                                   [x**2 < -1]])
def test_conditions_that_cannot_be_met_are_reported(given):
    with pytest.raises(CannotEvaluate, match="no admissible point|no sizes and indices"):
        list(points(Parameters(x, y, *given), given, count=3))
    assert decide(x, x, given=given).status == "undecided"


def test_sizes_that_cannot_be_met_are_reported():
    with pytest.raises(CannotEvaluate, match="no sizes and indices"):
        list(points(Parameters(Sum(z[i], (i, 1, n))), [n > 100]))


def test_a_statement_about_large_sizes_only_is_proved_at_large_sizes():
    verdict = decide(Sum(z[i] + 1, (i, 1, n)), n + Sum(z[i], (i, 1, n)), given=[n >= 5])
    assert verdict.status == "proved"
    # and not for n = 6
    assert verdict.how == "symbolic; 30 digits at 4 random points with n = 5 and 7"


def test_every_size_is_decided_and_named():
    mean = Sum(z[i], (i, 1, n)) / n
    spread = Sum((z[i] - mean) ** 2, (i, 1, n)) / (n - 1), Sum(z[i] * (z[i] - mean), (i, 1, n)) / (n - 1)
    assert decide(*spread).status == "undecided"  # it has no value for n = 1
    verdict = decide(*spread, given=[n > 1])
    assert verdict.status == "proved"
    assert verdict.how == "symbolic; 30 digits at 4 random points with n = 2, 5 and 7"


def test_every_size_has_its_turn():
    drawn = points(Parameters(KroneckerDelta(i, j) * Sum(z[k], (k, 1, n))), count=4)
    assert sorted(point[n] for point in drawn) == [1, 2, 5, 7]


def test_a_domain_that_is_not_declared_is_not_guessed():
    with pytest.raises(CannotEvaluate, match="its domain is unknown"):
        draw(sp.Symbol("c"), (), random.Random(0))
    assert decide(sp.IndexedBase("c")[1], sp.IndexedBase("c")[1]).status == "undecided"


def test_a_scalar_named_like_an_entry_is_another_thing():
    assert decide(sp.Symbol("z_1", real=True), z[1]).status == "refuted"


def test_a_scalar_named_like_a_vector_is_another_thing():
    a, each = sp.Symbol("z", real=True), Sum(z[i], (i, 1, n))
    assert Parameters(each + a).scalars == [a]
    assert Parameters(each).scalars == []
    assert decide(Sum(z[i] - a, (i, 1, n)), each - n * a).status == "proved"
    assert decide(Sum(z[i] - a, (i, 1, n)), each - a).status == "refuted"
    assert decide(Derivative(a * z[k] ** 2, a), z[k] ** 2).status == "proved"


def test_a_witness_keeps_to_what_is_declared():
    verdict = decide(Sum(w[i], (i, 1, n)), n * sp.Symbol("w", positive=True))
    assert verdict.status == "refuted"
    assert "w = " in verdict.witness and "-" not in verdict.witness


@pytest.mark.parametrize("state", [
    lambda a, each: decide(sp.Integral(each * a, (a, 0, 1)), each / 2),
    lambda a, each: decide(each**2 + a**2, 0, ">=", attained={a: 0}),
    lambda a, each: Definition("D", (a,), each + a, label="eq-d", title="d"),
])
def test_where_sympy_confuses_a_scalar_with_a_vector_it_is_refused(state):
    with pytest.raises(ValueError, match="same name|for one"):
        state(sp.Symbol("z", real=True), Sum(z[i], (i, 1, n)))


def test_a_witness_names_entries():
    assert describe({n: 2, (z, (0,)): 1, (z, (2,)): Fraction(1, 2), x: 3}) == "n = 2, z_2 = 1/2, x = 3"


def test_the_first_and_last_entries_have_neighbours():
    assert decide(Sum(z[i + 1] - z[i], (i, 1, n)), z[n + 1] - z[1]).status == "proved"
    assert decide(Sum(z[i] - z[i - 1], (i, 1, n)), z[n] - z[0]).status == "proved"
    assert decide(Sum(log(w[i + 1] / w[i]), (i, 1, n - 1)), log(w[n] / w[1])).status == "proved"


def test_a_size_that_may_be_0_is_tried_at_0():
    none = sp.Symbol("n", integer=True, nonnegative=True)
    shares = Sum(w[i] / Sum(w[j], (j, 1, none)), (i, 1, none))
    assert {c[none] for c in Parameters(shares).choices((1, 2))} == {0, 1, 2}
    assert decide(shares, 1).witness == "at n = 0: left 0.0, right 1.0"
    assert decide(shares, 1, given=[none >= 1]).status == "proved"
    assert decide(Sum(z[i], (i, 1, none)) / none, Sum(z[i] / none, (i, 1, none))).status == "undecided"


place = sp.IndexedBase("a", integer=True, positive=True)


@pytest.mark.parametrize("statement, last", [
    (Sum(z[j], (j, 1, n)) + Sum(z[place[i]], (i, 1, n)), 0),
    (Sum(z[j], (j, 1, n - 1)) + Sum(z[place[i]], (i, 1, n)), -1),  # an axis that ends in an expression
    (Sum(KroneckerDelta(place[i], j), (i, 1, n)), 0),
])
def test_entries_that_are_indices_lie_where_indices_lie(statement, last):
    for point in points(Parameters(statement), count=20):
        drawn = {value for key, value in point.items() if isinstance(key, tuple) and key[0] == place}
        assert drawn <= set(range(1, max(point[n] + last, 1) + 1))
