"""TeX: what is printed has one meaning, and that is the one of the object."""

import re

import pytest
import sympy
from node_examples import EXAMPLES, name

from proofread import KL, Definition, E, Law, Var, decide
from proofread import sympy as sp
from proofread.language.notation import Partial, Scalar, Without
from proofread.language.sympy import MaxOver
from proofread.language.typed import Formula, Notation, is_claim, unfold
from proofread.latex import round_trip, tex
from proofread.latex.reader import read

x, y, a, c = sp.symbols("x y a c", real=True)
o = sp.Symbol("o", real=True)
t = sp.Symbol("t", positive=True)
i, j, k, n, d = sp.symbols("i j k n d", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
A = sp.MatrixSymbol("A", d, d)
v = sp.MatrixSymbol("v", d, 1)


def over(term, index=i):
    return sp.Sum(term, (index, 1, n))


def softmax(index):
    return sp.exp(z[index]) / over(sp.exp(z[k]), k)


def define(head, parameters, body):
    return Definition(head, parameters, body, label="eq-head", title="a head")


# -- every node in every place ---------------------------------------------------------------------------

PLACES = {
    "e**2": lambda e: e**2, "-e": lambda e: -e, "e*o": lambda e: e * o, "o*e": lambda e: o * e,
    "e/o": lambda e: e / o,
    "o/e": lambda e: o / e, "o+e": lambda e: o + e, "o-e": lambda e: o - e, "e-o": lambda e: e - o,
    "(e+o)**2": lambda e: (e + o) ** 2, "-(e*o)": lambda e: -(e * o), "-(o*e)": lambda e: -(o * e),
    "o*e*c": lambda e: o * e * c, "o-(e+c)": lambda e: o - (e + c), "o*(-e)": lambda e: o * (-e),
    "2**e": lambda e: 2**e, "exp(e)": sp.exp, "log(e)": sp.log, "log(e)*o": lambda e: sp.log(e) * o,
    "e**2/o": lambda e: e**2 / o,
    "o/(c*e)": lambda e: o / (c * e), "-e/o": lambda e: -e / o, "-(e/o)": lambda e: -(e / o),
    "(-e)**2": lambda e: (-e) ** 2,
    "d/do e": lambda e: sp.Derivative(e * o, o), "o d/do e": lambda e: sp.Derivative(e * o, o) * c,
}
NUMBERS = [sp.Rational(1, 2), sp.Rational(-2, 3), sp.Integer(3), sp.Integer(-3)]


def scalars():
    """The examples of the contract that are numbers, and typed."""
    for example in EXAMPLES:
        if isinstance(example, Notation) and isinstance(example, Formula) and not is_claim(unfold(example)):
            plain = unfold(example)
            if not getattr(plain, "is_Matrix", False) and not isinstance(plain, sympy.IndexedBase):
                yield example
    yield from NUMBERS


def reads_back(expr):
    found, plain = unfold(read(tex(expr), round_trip.vocabulary(expr))), unfold(expr)
    assert found == plain or decide(found, plain).status in ("proved",
        "agrees"), f"{tex(expr)} reads back as {found}"


@pytest.mark.parametrize("example", list(scalars()), ids=name)
def test_every_kind_of_node_reads_back_in_every_place(example):
    for place in PLACES.values():
        reads_back(place(example))


def test_every_kind_of_node_has_a_number_among_the_examples():
    assert len(list(scalars())) > 45


# -- what earlier versions misprinted ------------------------------------------------------------------------


def test_a_square_of_a_sum_without_an_index_has_brackets():
    assert tex(Without(over(z[i]), k) ** 2) == r"\left(\sum_{i\neq k} z_{i}\right)^{2}"
    reads_back((over(z[i]) - z[k]) ** 2 - Without(over(z[i]), k) ** 2)


def test_a_minus_sign_before_a_sum_that_is_one_entry_has_brackets():
    assert tex(-Scalar(v.T * v + v.T * A * v)) == r"-\left(v^{\top} v + v^{\top} A v\right)"
    assert tex(Scalar(v.T * A * v) ** 2) == r"\left(v^{\top} A v\right)^{2}"


def test_powers_and_products_of_what_reaches_to_the_end_of_its_product():
    largest = MaxOver(z[i], (i, 1, n))
    assert tex(largest**2) == r"\left(\max_{i} z_{i}\right)^{2}"
    assert tex(largest * over(z[k], k)) == r"\left(\max_{i} z_{i}\right) \sum_{k=1}^{n} z_{k}"
    bracket = sp.Bracket(x**2, (x, 0, 1))
    assert tex(bracket**2) == r"\left(\left[x^{2}\right]_{x=0}^{1}\right)^{2}"


def test_arguments_within_a_head_have_brackets_where_the_head_has_operators():
    scaled = define(r"\phi(#1 - c)", (x,), (x - c) ** 2)
    assert tex(scaled(a - y)) == r"\phi(\left(a - y\right) - c)"
    square = define(r"f_{#1^2}", (x,), x**2)
    assert tex(square(a + y)) == r"f_{\left(a + y\right)^2}"


def test_a_derivative_that_is_not_the_last_factor_has_brackets():
    pi = define(r"\pi_{#1}", (k,), softmax(k))
    slope = sp.Derivative(sp.log(pi(k)), z[j])
    assert tex(slope * pi(k)) == r"\left(\frac{\partial}{\partial z_{j}} \log \pi_{k}\right) \pi_{k}"
    assert tex(pi(k) * slope) == r"\pi_{k} \frac{\partial}{\partial z_{j}} \log \pi_{k}"
    reads_back(slope * pi(k))


def test_no_prime_for_a_total_derivative():
    both, one = define("V", (x, y), x**2 * y), define("W", (x,), x**2)
    assert tex(sp.Derivative(both(x, x), x)) == r"\frac{d}{d x} V(x, x)"
    assert tex(sp.Derivative(one(x), x)) == r"W'(x)"
    hiding = Definition("Y", (x,), x**2 + c, label="eq-y", title="hides c")
    assert "'" not in tex(sp.Derivative(hiding(c), c))


# -- functions and their brackets ----------------------------------------------------------------------------

SIGMA = define(r"\sigma", (x,), 1 / (1 + sp.exp(-x)))
CHANCE = define(r"\Pr\left(X > #1\right)", (x,), 1 / (1 + sp.exp(-x)))
UNIFORM = Law("u", k, 1 / n, 1, n)


@pytest.mark.parametrize(("typed", "shown"), [
    (SIGMA(x), r"\sigma(x)"),
    (SIGMA(x**2), r"\sigma(x^{2})"),
    (SIGMA(SIGMA(x) * y), r"\sigma(\sigma(x) y)"),
    (SIGMA((x + y) * c), r"\sigma(\left(x + y\right) c)"),
    (SIGMA(x / y), r"\sigma\mathopen{}\left(\frac{x}{y}\right)"),
    (SIGMA(SIGMA(x / y)), r"\sigma\mathopen{}\left(\sigma\mathopen{}\left(\frac{x}{y}\right)\right)"),
    (SIGMA(sp.exp(-(x**2))), r"\sigma\mathopen{}\left(e^{-x^{2}}\right)"),
    (SIGMA(sp.exp(-x) * y**2), r"\sigma(e^{-x} y^{2})"),
    (CHANCE(x), r"\Pr\mathopen{}\left(X > x\right)"),
    (sp.log(x + y), r"\log(x + y)"),
    (sp.log(over(z[i])), r"\log\mathopen{}\left(\sum_{i=1}^{n} z_{i}\right)"),
    (sp.exp(over(z[i])), r"\exp\mathopen{}\left(\sum_{i=1}^{n} z_{i}\right)"),
    (sp.gamma(t), r"\Gamma(t)"),
    (sp.Max(x, y), r"\max(x, y)"),
    (sp.Function("f", real=True)(x, y), "f(x, y)"),
    (E(z[k], UNIFORM), r"\mathbb{E}_{k\sim u}[z_{k}]"),
    (E(z[k] / x, UNIFORM), r"\mathbb{E}_{k\sim u}\mathopen{}\left[\frac{z_{k}}{x}\right]"),
    (Var(z[k], UNIFORM), r"\operatorname{Var}_{k\sim u}[z_{k}]"),
    (KL(UNIFORM, Law("q", k, 2 * k / (n * (n + 1)), 1, n)), r"\mathrm{KL}(u\,\|\,q)"),
])
def test_brackets_stand_close_to_the_name_and_grow_where_they_must(typed, shown):
    assert tex(typed) == shown
    reads_back(typed)


def test_no_function_has_a_gap_before_its_brackets():
    for example in EXAMPLES:
        if isinstance(example, Notation):
            # TeX sets a space between a name, a script or a closed bracket, and an inner formula
            assert not re.search(r"(?<!\\mathopen\{\})(?<=[A-Za-z}'])\\left[(\[]", tex(example)), tex(example)


# -- what formulas at random brought to light --------------------------------------------------------------


@pytest.mark.parametrize(("typed", "shown"), [
    # an operator of the head next to an argument that reaches further than an atom
    (define(r"\phi(#1 - c)", (x,), (x - c) ** 2)(sp.Derivative(x * y, x)),
     r"\phi(\left(\frac{\partial}{\partial x} x y\right) - c)"),
    # SymPy compares the values in a maximum, and cannot compare what a definition hides
    (sp.Max(x, sp.Min(SIGMA(y), c)), r"\max(x, \min(\sigma(y), c))"),
    # a quotient of a quotient on one line
    (sp.exp(x / y / t), r"e^{\left(x / y\right) / t}"),
    (sp.exp(sp.Rational(1, 2) / t), r"e^{\left(1 / 2\right) / t}"),
    # SymPy takes a limit from the right where no side is typed
    (sp.Limit(x / t, t, 0), r"\lim_{t \to 0^{+}} \frac{x}{t}"),
    (sp.Limit(x / t, t, 0, "+-"), r"\lim_{t \to 0} \frac{x}{t}"),
    (sp.Lt(x, x), "x < x"),
    # a name that is gone once SymPy has evaluated
    (sp.sign(sp.EulerGamma), r"\operatorname{sign}(\gamma)"),
])
def test_what_formulas_at_random_brought_to_light(typed, shown):
    assert tex(typed) == shown
    assert round_trip.same(read(shown, round_trip.vocabulary(typed)), unfold(typed))


@pytest.mark.parametrize(("left", "right"), [
    (v + A * v, A * v + v), (A * (v + v), 2 * A * v), (v / -t, -(v / t)),
    (x * A + y * A, (x + y) * A)], ids=str)
def test_matrices_are_compared_by_their_value(left, right):
    assert round_trip.same(unfold(left), unfold(right))
    assert not round_trip.same(unfold(left), unfold(2 * right))


# -- as it is typed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "shown"), [
    (sp.exp(x) * sp.exp(-c), r"e^{x} e^{-c}"),
    (c + x, "c + x"),
    (x + c, "x + c"),
    (x - x, "x - x"),
    (2 * (x + y) / 4, r"\frac{2 \left(x + y\right)}{4}"),
    (sp.Rational(1, 2) * (x + y), r"\tfrac{1}{2} \left(x + y\right)"),
    (softmax(j) * (sp.KroneckerDelta(i, j) - softmax(i)),
     r"\frac{e^{z_{j}}}{\sum_{k=1}^{n} e^{z_{k}}} "
     r"\left(\delta_{i,j} - \frac{e^{z_{i}}}{\sum_{k=1}^{n} e^{z_{k}}}\right)"),
    (-over(softmax(i) * sp.log(softmax(i))),
     r"-\sum_{i=1}^{n} \frac{e^{z_{i}}}{\sum_{k=1}^{n} e^{z_{k}}} "
     r"\log\mathopen{}\left(\frac{e^{z_{i}}}{\sum_{k=1}^{n} e^{z_{k}}}\right)"),
    (sp.sqrt(2 * sp.pi * t**2), r"\sqrt{2 \pi t^{2}}"),
    (-x**2, "-x^{2}"),
    ((-x) ** 2, r"\left(-x\right)^{2}"),
    (x - (y - c), r"x - \left(y - c\right)"),
    (sp.exp(-(x**2) / 2), r"e^{-x^{2} / 2}"),
])
def test_the_order_in_which_it_is_typed(typed, shown):
    assert tex(typed) == shown
    reads_back(typed)


@pytest.mark.parametrize(("typed", "shown"), [
    # a fraction has two storeys
    (x / (y / c), r"\frac{x}{y / c}"),
    ((x / y + a) / c, r"\frac{x / y + a}{c}"),
    (SIGMA((x - y) / c) / c, r"\frac{\sigma(\left(x - y\right) / c)}{c}"),
    (softmax(j) / (a / o), r"\frac{e^{z_{j}} / \left(\sum_{k=1}^{n} e^{z_{k}}\right)}{a / o}"),
    (1 / (x / (y / c)), r"\frac{1}{x / \left(y / c\right)}"),
    ((x + sp.Rational(1, 2)) / y, r"\frac{x + 1 / 2}{y}"),
    # but small numbers before a product stay
    ((sp.Rational(1, 2) * x + y) / c, r"\frac{\tfrac{1}{2} x + y}{c}"),
    ((sp.Rational(1, 2) * x + y) / 2, r"\frac{\tfrac{1}{2} x + y}{2}"),
    # and a sum of fractions over a number is a share of it
    ((x / y - a / c) / 2, r"\tfrac{1}{2} \left(\frac{x}{y} - \frac{a}{c}\right)"),
    (-(x / y - a / c) / 2 * o, r"-\tfrac{1}{2} \left(\frac{x}{y} - \frac{a}{c}\right) o"),
    ((x / y - a / c) / 2 / o, r"\frac{\left(x / y - a / c\right) / 2}{o}"),
    # above the line stands what is small: an exponential of a name, and no other tower
    (sp.exp(-sp.exp(-x)), r"e^{-e^{-x}}"),
    (sp.exp(-x - sp.exp(-x)), r"\exp(-x - e^{-x})"),
    (sp.exp(sp.exp(a - x) - sp.exp(a - y)), r"\exp(e^{a - x} - e^{a - y})"),
    (sp.exp(-sp.exp(z[k]) * t), r"\exp(-e^{z_{k}} t)"),
    (sp.exp(-sp.exp(-(x - a))), r"\exp(-e^{-\left(x - a\right)})"),
    (sp.exp(-sp.exp(-sp.exp(-x))), r"\exp\mathopen{}\left(-e^{-e^{-x}}\right)"),
    (2**sp.exp(-sp.exp(z[k])), r"2^{\exp(-e^{z_{k}})}"),
    (sp.exp(sp.exp(x / (y + a))), r"\exp\mathopen{}\left(\exp\mathopen{}\left(\frac{x}{y + a}\right)\right)"),
    (x * sp.exp(-((x - a) ** 2) / (2 * t)) / t,
     r"\frac{x \exp(-\left(x - a\right)^{2} / \left(2 t\right))}{t}"),
    (sp.exp(-Scalar(v.T * sp.Inverse(A) * v) / 2),
     r"\exp\mathopen{}\left(-\frac{v^{\top} A^{-1} v}{2}\right)"),
])
def test_no_tower_of_fractions_or_exponents(typed, shown):
    assert tex(typed) == shown
    reads_back(typed)


largest, lse = MaxOver(z[i], (i, 1, n)), sp.log(over(sp.exp(z[i])))


@pytest.mark.parametrize("expr", [
    lse, largest, softmax(j) * (sp.KroneckerDelta(i, j) - softmax(i)), sp.Max(x, y) - sp.Min(x, y),
    E(sp.log(softmax(k)), Law(r"\pi", k, softmax(k), 1, n)),
    KL(Law("p", k, softmax(k), 1, n), Law("q", k, softmax(k), 1, n)),
    Var(k, Law("u", k, 1 / n, 1, n)), sp.Integral(sp.exp(-t * x**2), (x, -sp.oo, sp.oo)),
    sp.Limit(sp.exp(-t), t, sp.oo),
    sp.Derivative(lse, z[j]), largest**2, E(k, Law("u", k, 1 / n, 1, n)) ** 2,
])
def test_tex_is_balanced(expr):
    text = tex(expr)
    assert text.count("{") == text.count("}")
    left, right = (text.count(rf"\{side}") - text.count(rf"\{side}arrow") for side in ("left", "right"))
    assert left == right
    assert text.count(r"\begin") == text.count(r"\end")


def test_what_has_no_tex_is_refused():
    with pytest.raises(TypeError, match="has no TeX"):
        tex(sympy.DiracDelta(unfold(x)))
    with pytest.raises(TypeError, match="has no sign"):
        tex(sp.Limit(t, x, -y, "+"))


@pytest.mark.parametrize("plain", [
    unfold(lse), unfold(softmax(j) * (sp.KroneckerDelta(i, j) - softmax(i))), unfold(x**2 + 2 * x + 1),
    unfold(1 / sp.sqrt(t)),
    unfold(-x / 2 + y), unfold(sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)), unfold(sp.Max(x, y) ** 2),
    unfold(sp.Eq(x, y)),
    unfold(sp.Derivative(sp.exp(x) * y, x)), unfold(z[i] * z[j]), unfold(sp.Limit(1 / x, x, 0, "-")),
    unfold(sp.S.Half * x),
    unfold(sp.Function("f", real=True)(x) ** 2), unfold(sp.log(x) / 3), unfold(Partial(x * y**2, y)),
], ids=str)
def test_plain_sympy_is_given_a_form_of_the_same_value(plain):
    found = unfold(read(tex(plain), round_trip.vocabulary(plain)))
    assert found == plain or decide(found, plain).status == "proved"


def test_an_index_left_out_of_the_outer_one_of_two_sums():
    inner = sp.Sum(z[i] * z[j], (j, 1, n))
    whole = sp.Sum(inner, (i, 1, n))
    without = Without(whole, k)
    reads_back(without)
    assert decide(without, whole - z[k] * sp.Sum(z[j], (j, 1, n))).status == "proved"
    assert decide(without, whole - z[k] * z[k]).status == "refuted"
