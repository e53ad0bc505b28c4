"""The value of a normal form, put back, is that of the expression: for random expressions of the grammar."""

import os
import random

import pytest
import sympy as sp

from proofread.any_size import prover, proves
from proofread.any_size.normal_form import normal
from proofread.any_size.rational_functions import canonical
from proofread.any_size.rules.derivatives import with_own_indices
from proofread.budget import TooLong, within
from proofread.errors import NoRule
from proofread.language.binders import MaxOver, Unless, substitute
from proofread.language.conditions import Conditions
from proofread.language.parameters import Parameters
from proofread.language.typed import unfold
from proofread.mutation.operators import mutants
from proofread.numeric.evaluation import quick
from proofread.numeric.sampling import points
from proofread.settings import fresh

STEPS = 20_000_000  # for one formula
COUNT = int(os.environ.get("PROOFREAD_ROUND_TRIPS", "160"))  #: the weekly run asks for 5,000
CHUNKS = 8
DEPTH = 4
PLACES = 6
LARGEST = 10**40

n, j, k = sp.symbols("n j k", integer=True, positive=True)
z, v = sp.IndexedBase("z", real=True), sp.IndexedBase("v", real=True)
w, a = sp.IndexedBase("w", positive=True), sp.IndexedBase("a", positive=True)
c, t = sp.Symbol("c", real=True), sp.Symbol("t", positive=True)
BOUND = [sp.Symbol(name, integer=True, positive=True) for name in "ilhgf"]


class Grammar:
    """Random expressions; ``idx`` are the indices in scope, the first two of which are free."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def one_of(self, *makers):
        return self.rng.choice(makers)()

    def index(self, idx):
        return self.rng.choice(idx)

    def leaf(self, idx):
        return self.one_of(
            lambda: z[self.index(idx)], lambda: w[self.index(idx)], lambda: v[self.index(idx)],
            lambda: a[self.index(idx), self.index(idx)],
            lambda: sp.KroneckerDelta(self.index(idx), self.index(idx)), lambda: c, lambda: t, lambda: n,
            lambda: sp.Rational(self.rng.randint(-3, 3) or 1, self.rng.randint(1, 2)))

    def ranged(self, kind, maker, depth, idx, ends):
        if len(idx) >= 2 + len(BOUND):
            return self.leaf(idx)
        i = BOUND[len(idx) - 2]
        return kind(maker(depth - 1, [*idx, i]), (i, *ends))

    def positive(self, depth, idx):
        if depth <= 0:
            return self.rng.choice([w[self.index(idx)], t])
        return self.one_of(
            lambda: sp.exp(self.real(depth - 1, idx)), lambda: w[self.index(idx)], lambda: t,
            lambda: 1 + sp.exp(self.real(depth - 1, idx)), lambda: sp.sqrt(self.positive(depth - 1, idx)),
            lambda: self.ranged(sp.Sum, self.positive, depth, idx, (1, n)) + w[self.index(idx)],
            lambda: self.positive(depth - 1, idx) * self.positive(depth - 1, idx),
            lambda: self.positive(depth - 1, idx) + self.positive(depth - 1, idx),
            lambda: sp.Product(self.positive(depth - 2, [*idx, BOUND[len(idx) - 2]]),
                               (BOUND[len(idx) - 2], 1, n)) if len(idx) < 5 else t)

    def real(self, depth, idx):
        if depth <= 0:
            return self.leaf(idx)

        def summed():
            ends = self.rng.choice([1, 1, 1, 2, 0, self.index(idx)]), self.rng.choice(
                [n, n, n, n - 1, self.index(idx), n + 1])
            return self.ranged(sp.Sum, self.real, depth, idx, ends)

        return self.one_of(
            summed, summed, summed,
            lambda: self.real(depth - 1, idx) + self.real(depth - 1, idx),
            lambda: self.real(depth - 1, idx) * self.real(depth - 1, idx),
            lambda: self.real(depth - 1, idx) / self.positive(depth - 1, idx),
            lambda: sp.log(self.positive(depth - 1, idx)), lambda: sp.exp(self.real(depth - 2, idx)),
            lambda: self.real(depth - 2, idx) ** 2, lambda: sp.tanh(self.leaf(idx)),
            lambda: self.ranged(MaxOver, self.real, min(depth, 2), idx, (1, n)),
            lambda: sp.Derivative(self.real(depth - 2, idx),
                                  self.rng.choice([z[self.rng.choice([j, k])], w[self.index([j, k])], t])),
            lambda: Unless(self.real(depth - 1, idx), 0, self.index(idx), self.index(idx)))


def round_trips(seed, count):
    """Expressions with their normal forms put back: (expression, result, case)."""
    grammar = Grammar(seed)
    while count:
        try:
            expr = grammar.real(DEPTH, [j, k])
        except (ValueError, TypeError):  # such as a range that SymPy refuses
            continue
        if not expr.has(sp.Sum):
            continue
        count -= 1
        for names, case in prover.cases([expr], Conditions(())):
            own = with_own_indices(substitute(expr, names))
            try:
                form = within(lambda own=own, case=case: canonical(normal(own, case), case), STEPS)
            except (NoRule, TooLong):
                continue
            yield expr, own, case.back(form), case


def compared(before, after, case):
    """At how many points the values were compared; an assertion fails where they differ."""
    seen = 0
    for point in points(Parameters(before), (), count=PLACES):
        chosen = [point[i] for i in case.free if i in point]
        if len(set(chosen)) < len(chosen):
            continue  # the case is about different indices
        x, y = quick(before, point), quick(after, point)
        if x is None or y is None or max(abs(x), abs(y)) > LARGEST:
            continue
        assert abs(x - y) <= 1e-10 * max(abs(x), abs(y), 1), (
            f"{before}\n-> {after}\n{x} is not {y} at {point}")
        seen += 1
    return seen


def slips(seed, count):
    """Random expressions, each with a wrong version."""
    grammar = Grammar(seed)
    while count:
        try:
            expr = grammar.real(DEPTH, [j, k])
            wrong = [mutant for _, mutant in mutants(unfold(expr))]
        except (ValueError, TypeError):
            continue
        if expr.has(sp.Sum) and wrong:
            count -= 1
            yield expr, grammar.rng.choice(wrong)


def contradicts(left, right):
    """Whether two expressions have different values somewhere; None if none was seen."""
    seen = None
    for point in points(Parameters(left, right), (), count=PLACES):
        x, y = quick(left, point), quick(right, point)
        if x is not None and y is not None and max(abs(x), abs(y)) <= LARGEST:
            seen = False
            if abs(x - y) > 1e-10 * max(abs(x), abs(y), 1):
                return True
    return seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_wrong_statement_is_proved(chunk):
    rejected = 0
    for expr, wrong in slips(f"slips {chunk}/{fresh()}", COUNT // CHUNKS):
        try:
            shown = within(lambda expr=expr, wrong=wrong: proves(expr, wrong), STEPS)
        except (NoRule, TooLong):
            continue
        if shown:
            assert not contradicts(expr, wrong), f"proved: {expr} = {wrong}"
        rejected += not shown
    assert rejected >= COUNT // CHUNKS / 4  # for many there is no rule


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_value_stays(chunk):
    seen = sum(compared(before, after, case) > 0
               for _, before, after, case in round_trips(f"{chunk}/{fresh()}", COUNT // CHUNKS))
    assert seen >= COUNT // CHUNKS / 2
