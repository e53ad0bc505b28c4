"""From general statements to instances of them."""

import sympy as sp
from sympy import Max, Sum

from proofread.fixed_size.instantiate import entry, instantiate
from proofread.language.sympy import MaxOver
from proofread.language.typed import unfold

i, j, n = sp.symbols("i j n", integer=True)
z = sp.IndexedBase("z", real=True)


def test_a_bound_index_overrides_a_chosen_one():
    assert instantiate(z[i] + Sum(z[i], (i, 1, 2)), {i: 5}) == sum(entry(z, [e]) for e in (5, 1, 2))


def test_sums_products_and_maxima_are_written_out():
    a, b = entry(z, [1]), entry(z, [2])
    assert instantiate(unfold(MaxOver(z[i], (i, 1, n))), {n: 2}) == Max(a, b)
    assert instantiate(sp.Product(z[i], (i, 1, n)), {n: 2}) == a * b
    assert instantiate(Sum(z[i], (i, 1, n - 1)), {n: 1}) == 0
    assert instantiate(Sum(z[i] * z[j], (j, 1, i), (i, 1, n)), {n: 2}) == a**2 + a * b + b**2
