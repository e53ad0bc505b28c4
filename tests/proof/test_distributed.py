"""Changes of variables: densities, signs, ends and jumps; and laws that are none."""

import pytest
import sympy

from softmaxnotes.proof import (
    KL,
    Definition,
    Derivation,
    Distributed,
    E,
    Law,
    NormalLaw,
    Refuted,
    Scalar,
    Undecided,
    Var,
    decide,
    unfold,
)
from softmaxnotes.proof import sympy as sp
from softmaxnotes.proof.sympy import Rational, S, exp, log, oo, pi, sqrt

u, t, b = sp.symbols("U T b", positive=True)
x, y = sp.symbols("X Y", real=True)


def normal(v, scale=S.One):
    return exp(-((v / scale) ** 2) / 2) / (scale * sqrt(2 * pi))


uniform, exponential = Law("u", u, 1, 0, 1), Law("e", t, exp(-t), 0, oo)
logistic = Law("l", y, exp(-y) / (1 + exp(-y)) ** 2, -oo, oo)
gumbel = Law("g", y, exp(-y - exp(-y)), -oo, oo)
standard, scaled = Law("n", x, normal(x), -oo, oo), Law("m", y, normal(y, b), -oo, oo)
cauchy, other_cauchy = (Law("c", v, 1 / (pi * (1 + v**2)), -oo, oo) for v in (x, y))


def distributed(transform, source, target, increasing=True, **options):
    return Distributed(transform, source, target, increasing=increasing, label="eq-law", title="a law",
                       **options)


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (-log(u), uniform, exponential, False),
    (-log(1 - u), uniform, exponential, True),
    (log(u / (1 - u)), uniform, logistic, True),
    (-log(-log(u)), uniform, gumbel, True),
    (-log(t), exponential, gumbel, False),
    (b * x, standard, scaled, True),
    (-b * x, standard, scaled, False),
])
def test_right_laws_pass(transform, source, target, increasing):
    shown = distributed(transform, source, target, increasing)
    entry = shown.entry()
    assert entry.mutants > 3
    assert (entry.kind, entry.status, entry.label) == ("distributed", "proved", "eq-law")
    assert entry.display == entry.tex
    assert r"\implies" in entry.tex
    assert [name for name, *_ in shown.meanings] == [source.name, target.name]


FITS = "the density does not fit"
ENDS = "the end .* is not taken to"
JUMPS = "the function is not continuous"
MASS = "the law . has not the total weight 1"


@pytest.mark.parametrize(("transform", "source", "target", "increasing", "message"), [
    (-log(u), uniform, exponential, True, FITS),  # the wrong way
    (log(u), uniform, exponential, False, FITS),
    (-log(1 + u), uniform, exponential, False, ENDS),  # and its density is right
    (-2 * log(u), uniform, exponential, False, FITS),
    (log(-log(u)), uniform, gumbel, True, FITS),
    (log(t), exponential, gumbel, True, FITS),
    (x / b, standard, scaled, True, FITS),
    (b**2 * x, standard, scaled, True, FITS),
    # the right density, the wrong end
    (-log(u), uniform, Law("e", t, exp(-t), 1, oo), False, MASS),
    (-log(u), uniform, Law("e", t, exp(-t), 0, 10), False, MASS),
    (-log(u), Law("u", u, 1, Rational(1, 4), 1), exponential, False, MASS),
    # not one to one
    (x**2, standard, Law("c", t, exp(-t / 2) / sqrt(2 * pi * t), 0, oo), True, FITS),
    (x**2, standard, Law("c", t, exp(-t / 2) / sqrt(2 * pi * t), 0, oo), False, FITS),
    ((2 * u - 1) ** 2, uniform, Law("r", t, 1 / (2 * sqrt(t)), 0, 1), True, FITS),
    (-1 / x, cauchy, other_cauchy, True, JUMPS),
])
def test_wrong_laws_are_refuted(transform, source, target, increasing, message):
    with pytest.raises(Refuted, match=f"eq-law: {message}"):
        distributed(transform, source, target, increasing)


shape = sp.Symbol("k", positive=True)
weibull = Law("W", t, shape / b * (t / b) ** (shape - 1) * exp(-((t / b) ** shape)), 0, oo)
pareto = Law("P", t, shape * t ** (-shape - 1), 1, oo)


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (b * (-log(u)) ** (1 / shape), uniform, weibull, False),
    (u ** (-1 / shape), uniform, pareto, False),
])
def test_laws_of_any_shape(transform, source, target, increasing):
    assert distributed(transform, source, target, increasing).entry().status == "proved"


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (b * (-log(u)) ** shape, uniform, weibull, False),
    (b * (-log(1 - u)) ** (1 / shape), uniform, weibull, False),
    ((-log(u)) ** (1 / shape) / b, uniform, weibull, False),
    (u ** (-shape), uniform, pareto, False),
])
def test_slips_in_the_shape_are_refuted(transform, source, target, increasing):
    with pytest.raises(Refuted, match=f"eq-law: ({FITS}|{ENDS})"):
        distributed(transform, source, target, increasing)


def test_a_density_that_is_positive_under_a_condition():
    c = sp.Symbol("c", real=True)
    tilted = Law("T", t, 1 + c * (2 * t - 1), 0, 1)
    given = [c > 0, c < 1]
    transform = t + c * (t**2 - t)
    assert distributed(transform, tilted, uniform, given=given).entry().status == "proved"
    with pytest.raises((Refuted, Undecided)):
        distributed(transform, tilted, uniform)
    with pytest.raises((Refuted, Undecided)):
        distributed(t + c * (t**2 + t), tilted, uniform, given=given)


def test_two_laws_of_unknown_weight_show_nothing():
    with pytest.raises((Refuted, Undecided)):
        distributed(x, Law("p", x, 2 * normal(x), -oo, oo), Law("q", y, 2 * normal(y), -oo, oo))


half, v01 = Rational(1, 2), Law("v", t, 1, 0, 1)
around, again = (Law(name, v, half, -1, 1) for name, v in (("w", x), ("m", y)))


@pytest.mark.parametrize(("transform", "source", "target"), [
    # continuous but for one place; the density fits on both sides of it
    (sp.tan(pi * u), uniform, other_cauchy), (-1 / x, cauchy, other_cauchy),
    (half + sp.atan(sp.tan(pi * u)) / pi, uniform, v01),
    (sp.atan(1 / x), cauchy, Law("a", y, 1 / pi, -pi / 2, pi / 2)),
    # the halves of a uniform law, exchanged
    (u - half + sympy.Piecewise((1, unfold(u) < sympy.S.Half), (0, True)), uniform, v01),
    (u + half - sp.floor(u + half), uniform, v01), (u + half - sp.Heaviside(u - half), uniform, v01),
    (x - sp.sign(x), around, again), (x - abs(x) / x, around, again), (x - x / abs(x), around, again),
], ids=str)
def test_a_function_that_jumps_is_refused(transform, source, target):
    jumped = []
    for increasing in (True, False):
        with pytest.raises((Refuted, Undecided), match=f"eq-law: ({JUMPS}|{FITS})") as caught:
            distributed(transform, source, target, increasing)
        jumped.append("continuous" in str(caught.value) or caught.type is Undecided)
    assert any(jumped)  # the wrong direction is refuted by its sign, the right one is not


def test_what_is_continuous_although_its_parts_repeat():
    shown = distributed(sp.tan(pi * (u - half)), uniform, other_cauchy)
    assert shown.entry().status == "proved"  # tan(pi(u + 1/2)) is the same function, and no wrong version
    assert shown.mutants > 3


@pytest.mark.parametrize(("source", "target"), [
    (uniform, Law("e", t, 2 * exp(-2 * t), 0, oo)), (uniform, Law("e", t, t * exp(-t), 0, oo)),
    (uniform, Law("e", t, exp(-t / 2) / 2, 0, oo)), (Law("u", u, 2 * u, 0, 1), exponential),
])
def test_another_law_is_refuted_by_its_density(source, target):
    with pytest.raises(Refuted, match=f"eq-law: {FITS}"):
        distributed(-log(u), source, target, False)


@pytest.mark.parametrize(("source", "target"), [
    (uniform, Law("e", t, 2 * exp(-t), 0, oo)), (Law("u", u, 2, 0, 1), exponential),
    (Law("u", u, 2, 0, 1), Law("e", t, 2 * exp(-t), 0, oo)),  # both wrong by the same factor
    (uniform, Law("e", t, exp(-2 * t), 0, oo)), (Law("u", u, u, 0, 1), Law("e", t, exp(-2 * t), 0, oo)),
])
def test_a_density_without_the_total_one_is_refused(source, target):
    with pytest.raises(Refuted, match=f"eq-law: {MASS}"):
        distributed(-log(u), source, target, False)


def test_a_weight_that_may_be_negative_is_no_density():
    with pytest.raises(Undecided, match="does not see that the density of p is positive"):
        distributed(x, Law("p", x, x * normal(x), -oo, oo), Law("q", y, y * normal(y), -oo, oo))


# -- laws under E, Var and KL -------------------------------------------------------------------------------

r = sp.Symbol("r", real=True)
s = sp.Symbol("s", real=True)
i, j, k, n = sp.symbols("i j k n", integer=True, positive=True)
w, v = (sp.IndexedBase(name, positive=True) for name in "wv")
over = lambda base, index=i: sp.Sum(base[index], (index, 1, n))  # noqa: E731
p = Law("p", k, w[k] / over(w), 1, n)
q = Law("q", k, v[k] / over(v), 1, n)
unit = Law("U", r, 1, 0, 1)

NO_LAWS = {
    "no constant": Law("L", r, exp(-(r**2) / 2), -oo, oo),
    "a factor too many": Law("L", r, 2, 0, 1),
    "a range too short": Law("L", r, exp(-r), 1, oo),
    "a range too long": Law("L", r, 1, 0, 2),
    "any positive weights": Law("L", k, w[k], 1, n),
    "normalised over another range": Law("L", k, w[k] / over(w), 1, n - 1),
    "one class more": Law("L", k, w[k] / over(w), 0, n),
    "one class less": Law("L", k, w[k] / over(w), 2, n),
    "normalised by a product": Law("L", k, w[k] / sp.Product(w[i], (i, 1, n)), 1, n),
    "a Gumbel law with the wrong sign": Law("L", r, exp(r - exp(-r)), -oo, oo),
}


@pytest.mark.parametrize("law", NO_LAWS.values(), ids=NO_LAWS)
def test_what_has_not_the_weight_one_is_no_law(law):
    for statement in (E(law.variable, law), E(1, law), Var(law.variable, law), KL(law, law),
                      E(1, law) - E(1, law)):
        with pytest.raises((Refuted, Undecided), match="the law L has (not )?the total weight 1"):
            decide(statement, 0)


def test_the_wrong_statements_of_such_laws():
    line = Law("L", r, exp(-(r**2) / 2), -oo, oo)
    for start, wrong in ((E(r**2, line), sqrt(2 * pi)),
                         (Var(r, Law("L", r, 3 - 4 * r, 0, 1)), -Rational(1, 36)),
                         (KL(Law("U", r, Rational(1, 2), 0, 2), unit), -log(2))):
        with pytest.raises(Refuted, match="the law L|infinite"):
            Derivation(start, label="eq-wrong", title="wrong").step(wrong, "no law")


@pytest.mark.parametrize("law", [
    Law("L", r, 3 - 4 * r, 0, 1), Law("L", r, 1 - 2 * sp.sin(2 * pi * r), 0, 1), Law("L", k,
        sp.Rational(1, 2) - (-1) ** k, 1, 2),
    Law("L", k, (1 + w[k] - over(w) / n) / n, 1, n),
], ids=str)
def test_what_is_negative_somewhere_is_no_law(law):
    for statement in (E(law.variable, law), Var(law.variable, law), KL(law, law)):
        with pytest.raises(Refuted, match="the law L (is negative somewhere|has not the total weight 1)"):
            decide(statement, 0)


@pytest.mark.parametrize(("first", "second"), [
    (Law("P", r, Rational(1, 2), 0, 2), unit), (Law("P", r, 1, -1, 0),
                                                unit), (Law("P", r, 1, S.Half, 3 * S.Half), unit),
    (Law("P", r, normal(r), -oo, oo), Law("Q", r, exp(-r), 0, oo)), (Law("P", r, exp(-r), 0, oo), unit),
    (Law("P", k, 1 / n, 1, n), Law("Q", k, 1 / (n - 1), 2, n)), (Law("P", k, 1 / n, 1, n),
        Law("Q", k, 1 / (n - 1), 1, n - 1)),
    (p, Law("Q", r, 1, 0, 1)), (unit, q),
], ids=str)
def test_where_a_divergence_is_infinite_there_is_none(first, second):
    given = [sp.Ge(n, 2)]
    with pytest.raises((Refuted, Undecided),
                       match="the divergence is infinite|not laws of the same kind|the total weight 1"):
        decide(KL(first, second), 0, given=given)


def test_right_laws_have_their_means():
    assert decide(E(r, unit), S.Half).status == "proved"
    assert decide(Var(r, unit), Rational(1, 12)).status == "proved"
    assert decide(KL(unit, Law("U", r, S.Half, 0, 2)), log(2)).status == "proved"
    assert decide(E(r, Law("e", r, exp(-r), 0, oo)), 1).status == "proved"
    assert decide(KL(p, q),
                  over(w) * 0 + sp.Sum(w[k] / over(w) * log(w[k] * over(v) / (v[k] * over(w))),
                                       (k, 1, n))).status == "proved"
    assert decide(E(r, unit), S.One / 3).status == "refuted"


def test_a_law_under_the_conditions_of_the_statement():
    a = sp.Symbol("a", real=True)
    tilted = Law("L", r, 1 + a * (2 * r - 1), 0, 1)
    mean = S.Half + a / 6
    assert decide(E(r, tilted), mean, given=[a > -1, a < 1]).status == "proved"
    for given in ([], [a > -1], [a < 1], [a > -3, a < 1], [a > 1]):
        with pytest.raises(Refuted, match="the law L is negative somewhere"):
            decide(E(r, tilted), mean, given=given)


def test_a_law_hidden_in_a_definition_is_looked_at_as_well():
    bad = Law("L", r, 2, 0, 1)
    score = Definition("m", (s,), E(r + s, bad), label="eq-m", title="mean")
    with pytest.raises(Refuted, match="the law L has not the total weight 1"):
        decide(score(1), 3)


def test_a_divergence_does_not_capture_the_index_of_a_weight():
    power = Law("Q", j, sp.Sum(w[k] * w[j] ** k, (k, 1, n)) / sp.Sum(w[k] * w[i] ** k, (k, 1, n), (i, 1, n)),
                1, n)
    mixed = sp.Sum(w[i] * w[k] ** i, (i, 1, n)) / sp.Sum(w[j] * w[i] ** j, (j, 1, n), (i, 1, n))
    right = sp.Sum(w[k] / over(w) * log(w[k] / over(w) / mixed), (k, 1, n))
    captured = sp.Sum(w[k] / over(w) * log(w[k] / over(w) / (sp.Sum(w[k] * w[k] ** k, (k, 1, n))
                                                            / sp.Sum(w[j] * w[i] ** j, (j, 1, n),
                                                                (i, 1, n)))), (k, 1, n))
    assert decide(KL(p, power), right).status in ("proved", "agrees")
    assert decide(KL(p, power), captured).status == "refuted"


def test_a_normal_law_needs_no_check_of_its_weight():
    vector = sp.MatrixSymbol("x", n, 1)
    law = NormalLaw("N", vector, sp.ZeroMatrix(n, 1), sp.Identity(n))
    assert decide(E(Scalar(vector.T * vector), law), n).status == "proved"
    assert decide(E(Scalar(vector.T * vector), law), n + 1).status == "refuted"


# -- proportional densities ----------------------------------------------------------------------------------

@pytest.mark.parametrize(("left", "right"), [
    (exp(-(r**2) / 2), -exp(-(r**2) / 2)), (exp(-(r**2) / 2), -2 * exp(-(r**2) / 2 + 1)), (exp(r), -exp(r)),
    (exp(s * r), sp.sign(r) * exp(s * r)), (exp(s * r), sp.Heaviside(r) * exp(s * r)), (exp(s * r),
        (1 + sp.Heaviside(r - 1)) * exp(s * r)),
    (exp(s * r), exp(s * r + s * r)), (exp(r), r * exp(r)),
], ids=str)
def test_a_density_is_not_proportional_to_what_changes_sign_or_jumps(left, right):
    for a, c in ((left, right), (right, left)):
        assert decide(a, c, "∝", over=(r,)).status in ("refuted", "undecided")


def test_what_is_proportional():
    assert decide(exp(-((r - s) ** 2) / 2), exp(r * s - r**2 / 2), "∝", over=(r,)).status == "proved"
    assert decide(exp(-((r - s) ** 2) / 2), exp(r * s - r**2 / 2), "∝", over=(r, s)).status == "refuted"


@pytest.mark.parametrize("place", [-1, 1, 3, 5])
def test_pieces_are_not_proportional_to_a_smooth_density(place):
    stepped = sympy.Piecewise((1, unfold(r) < place), (2, True)) * exp(s * r)
    assert decide(stepped, exp(s * r), "∝", over=(r,)).status != "proved"
    if place < 4:  # where numbers are drawn
        assert decide(stepped, exp(s * r), "∝", over=(r,)).status == "refuted"
