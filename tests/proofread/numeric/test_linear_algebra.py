"""Matrices: what holds at one size or for symmetric ones only is refuted; moments are exact or not given."""

import pytest
import sympy as sp
from sympy import Determinant, Identity, MatrixSymbol, Q, Rational, S, Trace, ZeroMatrix

from proofread import KL, E, NormalLaw, decide
from proofread.language import sympy as typed
from proofread.language.notation import Scalar
from proofread.numeric.evaluation import quick

n = sp.Symbol("n", integer=True, positive=True)
A, B, C, K, L, M = (MatrixSymbol(name, n, n) for name in "ABCKLM")
x, m = (MatrixSymbol(name, n, 1) for name in "xm")
DEFINITE, TRIANGULAR = [Q.positive_definite(K), Q.positive_definite(M)], [Q.lower_triangular(L)]
law = NormalLaw("N", x, m, K)


def status(left, right, relation="=", given=()):
    return decide(left, right, relation, given=given).status


@pytest.mark.parametrize(("left", "right", "given"), [
    (Trace(A * B), Trace(B * A), []),
    (Trace(A * B * C), Trace(C * A * B), []),
    (Determinant(A * B), Determinant(A) * Determinant(B), []),
    (Trace((A * B).T), Trace(B.T * A.T), []),
    (Trace((A * B) ** -1), Trace(B**-1 * A**-1), []),
    (Trace(Identity(n)), n, []),
    (Determinant(K**-1), 1 / Determinant(K), DEFINITE),
    (Determinant(L * L.T), Determinant(L) ** 2, TRIANGULAR),
    (sp.log(Determinant(L * L.T)), 2 * sp.log(Determinant(L)), TRIANGULAR),
    (Trace(K), Trace(K.T), DEFINITE),
    (Trace(K * A), Trace(K * A.T), DEFINITE),
])
def test_what_holds_at_every_size_is_proved(left, right, given):
    assert status(left, right, given=given) == "proved"


@pytest.mark.parametrize(("left", "right", "given"), [
    # right at d = 1 only
    (Trace(A * B), Trace(A) * Trace(B), []),
    (Determinant(A + B), Determinant(A) + Determinant(B), []),
    (Trace((A + B) ** -1), Trace(A**-1 + B**-1), []),
    (Trace(A * B * C), Trace(B * A * C), []),
    (Determinant(2 * A), 2 * Determinant(A), []),
    (Trace(A), Determinant(A), []),
    # right at d = 1 and d = 2: Cayley and Hamilton, and the sign of a transposition of columns
    (Trace(A) ** 3 - 3 * Trace(A) * Trace(A**2) + 2 * Trace(A**3), S.Zero, []),
    (Determinant(A + B) - Determinant(A - B),
     2 * (n - 1) * (Trace(A) * Trace(B) - Trace(A * B)) + 2 * (2 - n) * Trace(B), []),
    (Determinant(-A) + Determinant(A), (n - 1) * 2 * Determinant(A), []),
    # right up to d = 3
    (Trace(A) ** 4 - 6 * Trace(A) ** 2 * Trace(A**2) + 3 * Trace(A**2) ** 2 + 8 * Trace(A) * Trace(A**3)
     - 6 * Trace(A**4), S.Zero, []),
    # right for symmetric matrices
    (Trace(A * A), Trace(A * A.T), []),
    (Trace(A * B), Trace(A * B.T), []),
    (Trace(L * L), Trace(L * L.T), TRIANGULAR),
    # right for commuting ones
    (Trace(K * M * K * M), Trace(K * K * M * M), DEFINITE),
    # right for orthogonal ones
    (Trace(A.T * A), n, []),
])
def test_what_holds_for_some_sizes_or_matrices_only_is_refuted(left, right, given):
    assert status(left, right, given=given) == "refuted"


@pytest.mark.parametrize(("left", "right"), [(Determinant(A), S.Zero), (Trace(A), S.Zero),
                                             (Trace(A * A), S.Zero), (Trace(A * B), S.Zero)])
def test_a_general_matrix_has_no_sign(left, right):
    assert status(left, right, ">=") == status(left, right, "<=") == "refuted"


def test_a_definite_matrix_has_one():
    assert status(Determinant(K), S.Zero, ">=", DEFINITE) == "proved"
    assert status(Trace(K * M), S.Zero, ">=", DEFINITE) in ("proved", "agrees")
    assert status(Determinant(K + M), Determinant(K), "<=", DEFINITE) == "refuted"


def test_a_matrix_is_no_number():
    assert status(A * B, B * A) == "undecided"
    assert status(A * B, A * B) == "undecided"


def test_a_singular_matrix_has_no_inverse():
    assert status(Trace((A - A.T) ** -1), S.Zero) != "proved"  # singular at odd sizes


# -- moments of a normal vector --------------------------------------------------------------------------

e = x - m


@pytest.mark.parametrize(("left", "right"), [
    (typed.Trace(E(e * e.T, law)), Trace(K)),
    (E(Scalar(x.T * A * x), law), Trace(A * K) + Scalar(m.T * A * m)),
    (E(Scalar(10**12 * x.T * A * x), law), 10**12 * (Trace(A * K) + Scalar(m.T * A * m))),
    (E(Scalar(e.T * A * e) * Scalar(m.T * e), law), S.Zero),  # degree 3
    (typed.Trace(E(x, law) * m.T), Trace(m * m.T)),
])
def test_moments(left, right):
    assert status(left, right, given=DEFINITE) == "proved"


@pytest.mark.parametrize(("left", "right"), [
    (typed.Trace(E(x * x.T, law)), Trace(K)),  # the mean forgotten
    (typed.Trace(E(e * e.T, law)), 2 * Trace(K)),
    (E(Scalar(x.T * A * x), law), Trace(A) * Trace(K) + Scalar(m.T * A * m)),
    (E(Scalar(x.T * A * x), law), Scalar(m.T * A * m)),
    (E(Scalar(e.T * K**-1 * e), law), S.One),  # n, and not 1
    (E(Scalar(e.T * K * e), law), n),  # the covariance for its inverse
])
def test_wrong_moments_are_refuted(left, right):
    assert status(left, right, given=DEFINITE) == "refuted"


@pytest.mark.parametrize("claim", [0, 1, 3, 15])
def test_higher_powers_are_exact_and_what_is_no_polynomial_is_undecided(claim):
    one, single = MatrixSymbol("x", 1, 1), Rational(claim)
    standard = NormalLaw("N", one, ZeroMatrix(1, 1), Identity(1))
    for power, moment in ((4, 3), (6, 15)):
        assert status(E(one[0, 0] ** power, standard), single) == ("proved" if claim == moment else "refuted")
    for function in (sp.exp(one[0, 0]), sp.Abs(one[0, 0])):
        assert status(E(function, standard), single) == "undecided"
    assert status(E(Scalar(e.T * e) ** 2, law), single, given=DEFINITE) in ("refuted", "undecided")


def test_a_covariance_that_is_not_definite_has_no_law():
    indefinite = NormalLaw("N", x, m, -K)
    assert status(typed.Trace(E(e * e.T, indefinite)), -Trace(K), given=DEFINITE) == "undecided"


def test_a_matrix_that_may_be_no_covariance_is_never_taken_for_one():
    assert status(typed.Trace(E(e * e.T, NormalLaw("N", x, m, A)) * B), Trace(A * B)) in ("refuted",
        "undecided")


def test_more_than_one_entry_is_no_scalar():
    with pytest.raises(ValueError, match="expected one row and one column"):
        Scalar(x)


def test_a_law_of_which_only_means_are_known_has_no_divergence():
    x = MatrixSymbol("x", 1, 1)
    p, q = (NormalLaw(name, x, ZeroMatrix(1, 1), scale * Identity(1)) for name, scale in (("p", 1), ("q", 2)))
    with pytest.raises(TypeError, match="no density"):
        KL(p, q)


def test_an_entry_beyond_a_matrix_has_no_value():
    d, i = sp.symbols("d i", integer=True, positive=True)
    A = MatrixSymbol("A", d, d)
    claim = sp.Sum(A[i, i], (i, 1, d))  # SymPy counts from 0
    assert decide(claim, Trace(A)).status == "undecided"


def test_a_wrong_version_that_is_no_covariance_has_no_value():
    x = MatrixSymbol("x", 1, 1)
    assert quick(E(Scalar(x), NormalLaw("p", x, ZeroMatrix(1, 1), -Identity(1))), {}) is None
