"""Of sums of any length: what is not positive somewhere is never said to be."""


import pytest
import sympy as sp
from test_random_formulas import Grammar, c, j, k, n, t, w, z

from proofread.any_size import prover
from proofread.any_size.context import NONNEGATIVE, POSITIVE
from proofread.any_size.normal_form import normal
from proofread.any_size.positivity import is_positive
from proofread.any_size.rules.derivatives import with_own_indices
from proofread.errors import NoRule
from proofread.language.binders import substitute
from proofread.language.conditions import Conditions
from proofread.language.parameters import Parameters
from proofread.numeric.evaluation import quick
from proofread.numeric.sampling import points
from proofread.settings import fresh

GIVEN = [(), (n >= 2,), (n >= 3,), (n > 1, j < k), (sp.Ne(j, k),), (t < 1,), (t <= 1, n >= 2)]
COUNT = 60
i = sp.Symbol("i", integer=True, positive=True)


class Gaps(Grammar):
    """Differences of what is positive, often so chosen that one part of the other is taken away."""

    def gap(self):
        r, s = (sp.Rational(self.rng.choice([0, 1, 1, 1, 2, 3]), self.rng.choice([1, 1, 2])) for _ in "rs")
        term = self.rng.choice([lambda a: sp.exp(z[a]), lambda a: w[a], lambda a: w[a] ** 2,
                                lambda a: w[a] * sp.exp(c * z[a]), lambda a: t + w[a], lambda a: sp.S.One])
        whole, head = sp.Sum(term(i), (i, 1, n)), sp.Sum(term(i), (i, 1, j))
        part, positive = self.positive(1, [j, k]), self.positive(2, [j, k])
        return self.rng.choice([
            whole - r * term(j), whole - r * term(j) - s * term(k), whole - r * head, sp.exp(part) - r,
            n - r, part * (n - r) - s, positive - r * part, part + s * (n - r), 1 - t, r - s * t,
            1 - sp.exp(-part), (whole - r * term(k)) / (n - s), whole / part - r,
            (whole - term(j)) * (whole - r * term(k)),
        ])


def said(seed):
    """Gaps with what is said of them in each case: conditions, gap, names, case and sign."""
    grammar = Gaps(seed)
    for _ in range(COUNT):
        gap, given = grammar.gap(), Conditions(grammar.rng.choice(GIVEN))
        for names, case in prover.cases([gap], given):
            own = with_own_indices(substitute(gap, names))
            try:
                sign = POSITIVE if is_positive(normal(own, case), case) else case.sign(own)
            except NoRule:
                continue
            yield given, gap, names, case, sign


def values(given, gap, names, case):
    """Values of a gap where its indices are equal just as in a case."""
    for point in points(Parameters(gap, *given), given, count=8):
        free = [point[index] for index in case.free if index in point]
        same = all(point[a] == point[b] for a, b in names.items() if a in point and b in point)
        if same and len(set(free)) == len(free) and (value := quick(gap, point)) is not None:
            yield point, value


@pytest.mark.parametrize("chunk", range(4))
def test_no_sign_is_said_that_numbers_contradict(chunk):
    told = 0
    for given, gap, names, case, sign in said(chunk + fresh()):
        if sign < NONNEGATIVE:
            continue
        for point, value in values(given, gap, names, case):
            assert value > 0 or sign == NONNEGATIVE and value >= 0, (given, gap, point, value)
            told += sign == POSITIVE
    assert told > COUNT  # else nothing was tried


def test_what_is_positive_but_for_one_place_is_not_said_to_be():
    whole = sp.Sum(w[i], (i, 1, n))
    for gap, given in [(whole - w[j], ()), (whole * (n - 1), ()), (whole * (n - 2), (n >= 2,)),
                       (1 - t, (t <= 1,)), (whole - w[j] - w[k], (n >= 2,)), ((t - 1) ** 2, ()),
                       (sp.exp(z[j]) - 1, ()), (sp.exp(t) - 1 - t / 2 - 1, ())]:
        signs = [is_positive(normal(with_own_indices(substitute(gap, names)), case), case)
                 for names, case in prover.cases([gap], Conditions(given))]
        assert not all(signs), (gap, given)


def test_what_is_positive_is_seen():
    whole = sp.Sum(w[i], (i, 1, n))
    for gap, given in [(whole - w[j], (n >= 2,)), (whole * (n - 1), (n > 1,)), (sp.exp(t) - 1, ()),
                       (whole - w[j] - w[k], (n >= 3, sp.Ne(j, k))), (sp.exp(w[j]) - sp.Rational(1, 2), ())]:
        assert all(is_positive(normal(with_own_indices(substitute(gap, names)), case), case)
                   for names, case in prover.cases([gap], Conditions(given))), (gap, given)
