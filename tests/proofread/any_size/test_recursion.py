"""Proofs by induction over a recursion."""

import pytest
import sympy as sp
from sympy import Sum

from proofread.any_size import proves
from proofread.any_size.rules.recursion import lines_of_induction
from proofread.errors import NoRule
from proofread.language.binders import Iterated, MaxOver

k = sp.Symbol("k", integer=True, positive=True)
s, t = sp.symbols("s t", integer=True, nonnegative=True)
V, c = sp.symbols("V c", real=True)
rho = sp.Symbol("rho", positive=True)
r = sp.IndexedBase("r", real=True)
learnt = Iterated(V + (1 - rho) * (r[s + 1] - V), V, s, c, t)
closed = rho**t * c + (1 - rho) * Sum(rho ** (t - k) * r[k], (k, 1, t))


def by_induction(left, right):
    return all(proves(line, 0) for line in lines_of_induction(left, right))


def test_rescorla_wagner():
    assert by_induction(learnt, closed)


def test_squares():
    assert by_induction(Iterated(V + 2 * s + 1, V, s, 0, t), t**2)


@pytest.mark.parametrize("wrong", [
    rho**t * c + (1 - rho) * Sum(rho ** (t - k + 1) * r[k], (k, 1, t)),  # each weight a step too small
    rho ** (t + 1) * c + (1 - rho) * Sum(rho ** (t - k) * r[k], (k, 1, t)),  # another beginning
    c + (1 - rho) * Sum(rho ** (t - k) * r[k], (k, 1, t)),  # the step is right at the beginning only
])
def test_wrong_formulas(wrong):
    assert not by_induction(learnt, wrong)


def test_another_beginning_with_the_right_step():
    assert not by_induction(Iterated(V + 2 * s + 1, V, s, 1, t), t**2)


def test_a_step_follows_from_the_time_before():
    assert proves(learnt.at(t + 1) - learnt, (1 - rho) * (r[t + 1] - learnt))


def test_what_is_no_recursion():
    with pytest.raises(NoRule):
        lines_of_induction(closed, learnt)


def test_a_size_may_be_zero():
    """What holds for every positive size need not hold for none."""
    n = sp.Symbol("n", integer=True, positive=True)
    largest = [MaxOver(r[k] + c, (k, 1, size)) - MaxOver(r[k], (k, 1, size)) for size in (n, t)]
    assert proves(largest[0], c)
    with pytest.raises(NoRule):
        proves(largest[1], c)
