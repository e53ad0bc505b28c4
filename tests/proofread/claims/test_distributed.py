"""Changes of variables: densities, signs, ends and jumps; and laws that are none."""

import pytest
import sympy

from proofread import KL, Definition, Derivation, Distributed, E, Law, NormalLaw, Var, decide
from proofread import sympy as sp
from proofread.errors import Refuted, Undecided
from proofread.language.distributions import JointLaw
from proofread.language.notation import Scalar
from proofread.language.sympy import Rational, S, exp, log, oo, pi, sqrt
from proofread.language.typed import unfold

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


shape, power = sp.symbols("k a", positive=True)
weibull = Law("W", t, shape / b * (t / b) ** (shape - 1) * exp(-((t / b) ** shape)), 0, oo)
pareto = Law("P", t, shape * t ** (-shape - 1), 1, oo)


kumaraswamy = Law("K", t, power * b * t ** (power - 1) * (1 - t**power) ** (b - 1), 0, 1)


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (b * (-log(u)) ** (1 / shape), uniform, weibull, False),
    (u ** (-1 / shape), uniform, pareto, False),
    pytest.param((1 - (1 - u) ** (1 / b)) ** (1 / power), uniform, kumaraswamy, True, marks=pytest.mark.slow),
    pytest.param(1 - (1 - t**power) ** b, kumaraswamy, uniform, True, marks=pytest.mark.slow),
])
def test_laws_of_any_shape(transform, source, target, increasing):
    assert distributed(transform, source, target, increasing).entry().status == "proved"


@pytest.mark.parametrize(("transform", "source", "target", "increasing"), [
    (b * (-log(u)) ** shape, uniform, weibull, False),
    (b * (-log(1 - u)) ** (1 / shape), uniform, weibull, False),
    ((-log(u)) ** (1 / shape) / b, uniform, weibull, False),
    (u ** (-shape), uniform, pareto, False),
    pytest.param((1 - (1 - u) ** b) ** (1 / power), uniform, kumaraswamy, True, marks=pytest.mark.slow),
    ((1 - (1 - u) ** (1 / power)) ** (1 / b), uniform, kumaraswamy, True),
    ((1 - u ** (1 / b)) ** (1 / power), uniform, kumaraswamy, True),
    (1 - (1 - t**b) ** power, kumaraswamy, uniform, True),
])
def test_slips_in_the_shape_are_refuted(transform, source, target, increasing):
    with pytest.raises(Refuted, match=f"eq-law: ({FITS}|{ENDS})"):
        distributed(transform, source, target, increasing)


# -- functions in pieces -------------------------------------------------------------------------------------

HALF = Rational(1, 2)
laplace = Law("L", y, exp(-abs(y)) / 2, -oo, oo)
laplace_in_pieces = Law("L", y, sp.Piecewise((exp(y) / 2, y < 0), (exp(-y) / 2, True)), -oo, oo)
rise, fall = sp.symbols("r f", positive=True)
cut = fall / (rise + fall)
asymmetric = Law("A", y, sp.Piecewise((rise * cut * exp(rise * y), y < 0),
                                      (rise * cut * exp(-fall * y), True)), -oo, oo)


def two_sided(threshold=HALF, low=log(2 * u), high=-log(2 * (1 - u))):
    return sp.Piecewise((low, u < threshold), (high, True))


def skewed(threshold=cut, low=log(u / cut) / rise, high=-log((1 - u) * (rise + fall) / rise) / fall):
    return two_sided(threshold, low, high)


MEET, NO_ROOM = "the pieces do not meet", "the piece up to .* has no room"


@pytest.mark.parametrize(("transform", "target", "increasing"), [
    pytest.param(two_sided(), laplace, True, marks=pytest.mark.slow),
    (two_sided(), laplace_in_pieces, True), (skewed(), asymmetric, True),
    pytest.param(two_sided(low=-log(2 * u), high=log(2 * (1 - u))), laplace, False, marks=pytest.mark.slow),
    (two_sided(low=-log(2 * u), high=log(2 * (1 - u))), laplace_in_pieces, False),
])
def test_functions_in_pieces(transform, target, increasing):
    entry = distributed(transform, uniform, target, increasing).entry()
    assert (entry.status, entry.mutants > 20) == ("proved", True)
    assert r"\begin{cases}" in entry.tex


@pytest.mark.parametrize(("transform", "target", "message"), [
    (two_sided(low=log(u)), laplace, FITS), (two_sided(high=-log(1 - u)), laplace, FITS),  # a constant
    (two_sided(low=log(2 * u) / 2), laplace, FITS),
    (two_sided(low=-log(2 * (1 - u)), high=log(2 * u)), laplace, FITS),  # exchanged
    (two_sided(Rational(1, 3)), laplace, FITS), (two_sided(Rational(2, 3)), laplace, FITS),
    (two_sided(high=log(2 * (1 - u))), laplace, FITS),
    (two_sided(low=u + HALF, high=u - HALF), Law("v", y, 1, 0, 1), MEET),  # the halves exchanged
    (two_sided(low=u, high=u + 1), Law("v", y, 1, 0, 1), MEET),
    (two_sided(-1), laplace_in_pieces, NO_ROOM), (two_sided(2), laplace, NO_ROOM + "|" + FITS),
    (skewed(rise / (rise + fall)), asymmetric, MEET), (skewed(high=-log(1 - u) / fall), asymmetric, FITS),
    (skewed(low=log(u / cut) / fall), asymmetric, FITS),
], ids=str)
def test_wrong_pieces_are_refuted(transform, target, message):
    with pytest.raises(Refuted, match=f"eq-law: ({message})"):
        distributed(transform, uniform, target)


@pytest.mark.parametrize(("transform", "source", "target"), [
    (sp.Piecewise((log(2 * u), u > HALF), (-log(2 * (1 - u)), True)), uniform, laplace),
    (sp.Piecewise((log(2 * u), u < HALF), (-log(2 * (1 - u)), u < 1)), uniform, laplace),
    (sp.Piecewise((log(2 * u), b < HALF), (-log(2 * (1 - u)), True)), uniform, laplace),
    (x, Law("n", x, normal(x), -oo, oo), laplace_in_pieces),  # where does the function reach the kink?
])
def test_pieces_are_given_by_thresholds(transform, source, target):
    with pytest.raises(ValueError, match="eq-law: (a piece is given by|the function and the densities have)"):
        distributed(transform, source, target)


def test_pieces_of_the_density_begin_where_those_of_the_function_do():
    late = Law("A", y, sp.Piecewise((exp(y) / 2, y < 1), (exp(-y) / 2, True)), -oo, oo)
    with pytest.raises(Refuted, match="eq-law: 1/2 is not taken to 1|eq-law: the law A"):
        distributed(two_sided(), uniform, late)


# -- several variables ---------------------------------------------------------------------------------------

u1, u2, e1, e2, e3, o1, o2, o3, l1, l2 = sp.symbols("U_1 U_2 E_1 E_2 E_3 O_1 O_2 O_3 l_1 l_2", positive=True)
x1, x2, z1, z2, b1, b2, m = sp.symbols("X_1 X_2 Z_1 Z_2 b_1 b_2 m", real=True)
uniforms = [Law("u", v, 1, 0, 1) for v in (u1, u2)]
normals, targets = ([Law("n", v, normal(v), -oo, oo) for v in pair] for pair in ((z1, z2), (x1, x2)))
waits = [Law("e", v, exp(-v), 0, oo) for v in (e1, e2, e3)]
ordered = JointLaw("o", 6 * exp(-o1 - o2 - o3), (o1, 0, oo), (o2, o1, oo), (o3, o2, oo))


def jointly(transform, source, target, inverse):
    return Distributed(transform, source, target, inverse=inverse, label="eq-law", title="a law")


def polar(radius=sqrt(-2 * log(u1)), angle=2 * pi * u2, other=None):
    return radius * sp.cos(angle), radius * sp.sin(angle if other is None else other)


SIZE = sqrt(x1**2 + x2**2)
FROM_POLAR = exp(-(x1**2 + x2**2) / 2), HALF - sp.atan(x2 / (SIZE - x1)) / pi
SUMS, SPACINGS = (e1 / 3, e1 / 3 + e2 / 2, e1 / 3 + e2 / 2 + e3), (3 * o1, 2 * (o2 - o1), o3 - o2)
AFFINE = l1 * z1 + b1, m * z1 + l2 * z2 + b2
SOLVED = (x1 - b1) / l1, (x2 - b2 - m * (x1 - b1) / l1) / l2


def bivariate(correlation=2 * l1 * m, scale=2 * pi * l1 * l2):
    first, second = x1 - b1, x2 - b2
    square = (m**2 + l2**2) * first**2 - correlation * first * second + l1**2 * second**2
    return JointLaw("N", exp(-square / (2 * l1**2 * l2**2)) / scale, (x1, -oo, oo), (x2, -oo, oo))


@pytest.mark.parametrize(("transform", "source", "target", "inverse", "says"), [
    (polar(), uniforms, targets, FROM_POLAR, "but for a set of probability 0"),  # the half axis is missed
    (AFFINE, normals, bivariate(), SOLVED, "and onto"),
    (SUMS, waits, ordered, SPACINGS, "and onto"), (SPACINGS, ordered, waits, SUMS, "and onto"),
], ids=["Box–Muller", "affine", "sums of spacings", "spacings"])
def test_several_variables(transform, source, target, inverse, says):
    entry = jointly(transform, source, target, inverse).entry()
    assert (entry.status, entry.mutants > 20) == ("proved", True)
    assert says in entry.findings[0]


JACOBIAN, INVERSE = FITS, "the inverse does not give"


@pytest.mark.parametrize(("transform", "source", "target", "inverse", "message"), [
    (polar(-2 * log(u1)), uniforms, targets, FROM_POLAR, JACOBIAN),  # without the root
    (polar(sqrt(-log(u1))), uniforms, targets, FROM_POLAR, JACOBIAN),
    (polar(angle=pi * u2), uniforms, targets, FROM_POLAR, JACOBIAN),  # half a turn is not onto
    (polar(angle=4 * pi * u2), uniforms, targets, FROM_POLAR, JACOBIAN),
    (polar(other=pi * u2), uniforms, targets, FROM_POLAR, JACOBIAN),
    ((polar()[0], polar()[0]), uniforms, targets, FROM_POLAR, JACOBIAN),  # no determinant
    (polar(angle=-2 * pi * u2), uniforms, targets, FROM_POLAR, INVERSE),  # the right law, by another map
    (polar(), uniforms, targets, (FROM_POLAR[0], 1 - FROM_POLAR[1]), INVERSE),
    (polar(), uniforms, targets, (FROM_POLAR[0] ** 2, FROM_POLAR[1]), INVERSE),
    (AFFINE, normals, bivariate(correlation=l1 * m), SOLVED, JACOBIAN),
    (AFFINE, normals, bivariate(scale=2 * pi * l1), SOLVED, JACOBIAN),
    ((AFFINE[0], m * z1 + l2 * z2), normals, bivariate(), SOLVED, JACOBIAN),
    (AFFINE[::-1], normals, bivariate(), SOLVED, JACOBIAN),
    ((e1 / 2, *SUMS[1:]), waits, ordered, SPACINGS, JACOBIAN),
    ((e1, e1 + e2, e1 + e2 + e3), waits, ordered, SPACINGS, JACOBIAN),
    (SUMS, waits, JointLaw("o", exp(-o1 - o2 - o3), (o1, 0, oo), (o2, o1, oo), (o3, o2, oo)), SPACINGS,
     JACOBIAN),
    (SUMS, waits, JointLaw("o", ordered.weight, (o1, 0, oo), (o2, 0, oo), (o3, 0, oo)), SPACINGS,
     "E_2 goes beyond its end"),  # not onto
    ((-e1, e2, e3), waits, JointLaw("o", exp(x1 - o2 - o3), (x1, -oo, oo), (o2, 0, oo), (o3, 0, oo)),
     (-x1, o2, o3), "E_1 goes beyond its end"),
], ids=lambda value: str(value)[:40])
def test_wrong_maps_of_several_variables(transform, source, target, inverse, message):
    with pytest.raises((Refuted, ValueError), match=f"eq-law: ({message})"):
        jointly(transform, source, target, inverse)


def test_a_map_that_is_not_one_to_one_has_no_inverse():
    """The turn by twice the angle fits in its density, and reaches each place twice."""
    twice = ((z1**2 - z2**2) / sqrt(z1**2 + z2**2), 2 * z1 * z2 / sqrt(z1**2 + z2**2))
    flat = [Law("n", x1, normal(x1) / sqrt(2), -oo, oo), Law("n", x2, normal(x2) / sqrt(2), -oo, oo)]
    with pytest.raises(Refuted, match="eq-law: (the law n|the inverse)"):
        jointly(twice, normals, flat, (x1, x2))


def test_as_many_functions_as_variables():
    for transform, inverse in ((AFFINE[:1], SOLVED), (AFFINE, SOLVED[:1]), ((*AFFINE, z1), SOLVED)):
        with pytest.raises(ValueError, match="eq-law: there are as many functions as variables"):
            jointly(transform, normals, bivariate(), inverse)
    with pytest.raises(ValueError, match="a variable each"):
        jointly(AFFINE, [normals[0], normals[0]], bivariate(), SOLVED)
    with pytest.raises(ValueError, match="may depend on the variables before it"):
        JointLaw("o", ordered.weight, (o1, o2, oo), (o2, 0, oo))


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
    (x - sp.sign(x), around, again), (x - abs(x) / x, around, again),
    pytest.param(x - x / abs(x), around, again, marks=pytest.mark.slow),
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
    statements = E(1, law), KL(law, law), E(law.variable, law), Var(law.variable, law), E(1, law) - E(1, law)
    for statement in statements[:1 if law is NO_LAWS["a Gumbel law with the wrong sign"] else None]:  # dear
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
