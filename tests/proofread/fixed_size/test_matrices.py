"""Matrices with a symbol for each entry."""

import sympy as sp

from proofread.fixed_size.matrices import general

n = sp.Symbol("n", integer=True, positive=True)
K = sp.MatrixSymbol("K", n, n)


def test_the_entries_written_out():
    triangular, definite = (general(K, (3, 3), kind) for kind in ("triangular", "definite"))
    assert triangular.is_lower
    assert not triangular.is_diagonal()
    assert all(triangular[i, i].is_positive for i in range(3))
    assert definite.is_symmetric()
    assert len(definite.free_symbols) == 6
    assert len(general(K, (3, 2), "any").free_symbols) == 6
