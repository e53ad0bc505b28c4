r"""Rule for means over independent draws, whatever their number.

The mean of a sum is the sum of the means.  Of a product of functions of some draws, the indices are equal or
different: draws that are different are independent, so that their means are multiplied,

.. math:: \mathbb E[f(x_k)\,g(x_l)] = \delta_{kl}\,\mathbb E[f(x_k)\,g(x_k)]
          + (1-\delta_{kl})\,\mathbb E[f(x_k)]\,\mathbb E[g(x_l)].
"""

import itertools

import sympy as sp

from proofread.any_size.context import partitions
from proofread.any_size.normal_form import normal, rule
from proofread.any_size.rational_functions import joined, split, vanishes
from proofread.errors import NoRule
from proofread.language.binders import DrawsMean, substitute

from .sums import delta, entered, over_all

MOST_DRAWS = 4  #: so many draws may meet in a product


@rule(DrawsMean)
def _mean(expr, case):
    law = _Law(expr, case)
    return law.mean(normal(expr.function, case))


class _Law:
    """Independent draws: which entries are draws, and what mass each has."""

    def __init__(self, expr, case):
        self.case, self.draws, self.mass = case, expr.draws, expr.mass
        (self.draw, first, self.count), (self.value, low, self.high) = expr.count, expr.values
        if first != 1 or low != 1:
            raise NoRule("draws and their values are counted from 1")
        if not vanishes(self._mean_of([[case.bound(first, self.count)]], {}) - 1, case):
            raise NoRule("the masses of a draw are not seen to have the sum 1")

    def mean(self, form, indices=()):
        """The mean of a normal form, summed over bound indices that number draws."""
        monomials, below = split(form, self.case)
        if self._numbers(joined(below)):
            raise NoRule("the mean of a quotient of draws")
        total = sp.S.Zero
        for monomial in monomials:
            total += self._mean_of_term(monomial / joined(below), list(indices))
        return total

    def _mean_of_term(self, monomial, indices):
        powers = monomial.as_powers_dict()
        for symbol, power in powers.items():
            content = self.case.content(symbol)
            if isinstance(content, sp.Sum) and content.has(self.draws):
                if not (power.is_Integer and power > 0):
                    raise NoRule("a power of a sum over draws")
                function, inner = entered(content, self.case)
                return self.mean(monomial / symbol * normal(function, self.case), [*indices, *inner])
        random = {symbol: power for symbol, power in powers.items() if self._numbers(symbol)}
        fixed = monomial / joined(random.items())
        numbers = sorted(set().union(*map(self._numbers, random)), key=str)
        return over_all(fixed * self._by_patterns(numbers, random), indices, self.case)

    def _numbers(self, form):
        """The numbers of the draws on which a form depends: symbols, each of one draw."""
        found = set()
        for symbol in sp.sympify(form).free_symbols:
            content = self.case.content(symbol)
            for entry in content.atoms(sp.Indexed):
                if entry.base == self.draws:
                    number, = entry.indices
                    if not self._is_number_of_a_draw(number):
                        raise NoRule(f"{entry} is not seen to be one of the draws")
                    found.add(number)
        return found

    def _is_number_of_a_draw(self, number):
        count = self.case.bound(sp.S.One, self.count)
        return self.case.within(number, count) or self.case.ranges.get(number) == (1, self.count)

    def _by_patterns(self, numbers, random):
        """The mean of a product, with a delta for each pattern of equal draws."""
        if len(numbers) > MOST_DRAWS:
            raise NoRule("too many draws in a product")
        total = sp.S.Zero
        for blocks in partitions(numbers):
            alike = [delta(block[0], other, self.case) for block in blocks for other in block[1:]]
            apart = [1 - delta(a[0], b[0], self.case) for a, b in itertools.combinations(blocks, 2)]
            if 0 not in alike and 0 not in apart:
                total += sp.Mul(*alike, *apart) * self._mean_of(blocks, random)
        return total

    def _mean_of(self, blocks, random):
        """The mean of some factors where the draws in each block are one, and the blocks independent."""
        values, places, body = [], {}, sp.S.One
        for block in blocks:
            value = self.case.bound(sp.S.One, self.high)
            body *= normal(substitute(self.mass, {self.draw: block[0], self.value: value}), self.case)
            places |= {self.draws[number]: value for number in block}
            values.append(value)
        for symbol, power in random.items():
            body *= normal(self.case.content(symbol).xreplace(places), self.case) ** power
        return over_all(body, values, self.case)
