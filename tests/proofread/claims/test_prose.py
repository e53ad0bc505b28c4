"""Relations in sentences: the true ones are decided, the wrong and the misprinted ones refused."""

import pytest

from proofread import Definition, Derivation, Equivalence
from proofread import sympy as sp
from proofread.claims.prose import said
from proofread.errors import Misprinted, Refuted, Undecided
from proofread.language.sympy import Rational, exp, log

i, k, n = sp.symbols("i k n", integer=True, positive=True)
x, (m, t), z = sp.Symbol("x", positive=True), sp.symbols("m t", real=True), sp.IndexedBase("z", real=True)
pi = Definition(r"\pi_{#1}", (k,), exp(z[k]) / sp.Sum(exp(z[i]), (i, 1, n)), label="eq-softmax",
                title="softmax")
sigma = Definition(r"\sigma", (t,), 1 / (1 + exp(-t)), label="eq-sigmoid", title="sigmoid")
SLOPE = r"\sigma(t)(1-\sigma(t))"
QUOTIENT = r"\frac{e^{-t}}{(1+e^{-t})^2}"


def slope():
    chain = Derivation(sp.Derivative(sigma(t), t), label="eq-slope", title="slope of the sigmoid")
    chain.step(exp(-t) / (1 + exp(-t)) ** 2, "chain rule")
    chain.step(sigma(t) * (1 - sigma(t)), "one half each")
    chain.step(Rational(1, 4), "a product of shares", relation="<=", attained={t: 0})
    return chain


TRUE = {
    r"-\log x \ge 1 - x": -log(x) >= 1 - x,
    r"1 - x \le -\log x": -log(x) >= 1 - x,
    r"1 + e^x > 1": 1 + exp(x) > 1,
    r"\log x < 2": (log(x) < 2, [x < exp(1)]),
    r"0 < \sigma(t) < 1": [0 < sigma(t), sigma(t) < 1],
    r"\pi_k \le 1": pi(k) <= 1,
    r"\sum_{i=1}^n \pi_i = 1": sp.Eq(sp.Sum(pi(i), (i, 1, n)), 1),
    r"(m + 1)^2 = m^2 + 2m + 1": sp.Eq((m + 1) ** 2, m**2 + 2 * m + 1),
    r"\log x > 0": (log(x) > 0, [x > 1]),
    r"-\log 0.2 \approx 1.609": -log(Rational(1, 5)),
    r"\log(1 + e^{-40}) \approx 4 \cdot 10^{-18}": log(1 + exp(-40)),
    r"e^{20} \approx 4.9 \cdot 10^8": exp(20),
}
FALSE = {
    r"-\log x \ge 2 - x": (-log(x) >= 2 - x, Refuted),
    r"-\log x \le 1 - x": (-log(x) <= 1 - x, Refuted),
    r"\log x > x": (log(x) > x, Refuted),
    r"\log x < 2": ((log(x) < 2, [x < exp(x)]), Undecided),
    r"x^2 > 0.01": (x**2 > Rational(1, 100), Refuted),
    r"x^2 + e^m \ne 2": (sp.Ne(x**2 + exp(m), 2), Refuted),
    r"-\log 0.2 \approx 1.619": (-log(Rational(1, 5)), Refuted),
    r"-\log 0.2 \approx 1.6095": (-log(Rational(1, 5)), Refuted),
    r"e^{20} \approx 4.8 \cdot 10^8": (exp(20), Refuted),
    r"\log x \approx 1.1": (log(x), Undecided),
}
# strict ones that hold but where the sides meet, which no random point sees: where that is
MEETING = {
    r"m^2 > 0": (m**2 > 0, "at m = 0 both sides are equal"),
    r"-\log x > 1 - x": (-log(x) > 1 - x, "at x = 1 both"),
    r"\pi_k < 1": (pi(k) < 1, "at n = 1, k = 1, z = 0 both"),
    r"(x - t)^2 > 0": ((x - t)**2 > 0, "at t = 1, x = 1 both"),
    r"0.5 < 1/2": (sp.Lt(Rational(1, 2), Rational(1, 2)), "is false: both"),
    r"m^2 \ne 2m": (sp.Ne(m**2, 2 * m), "at m = 0 both"),
    r"m^2 > 2m - 1": ((m**2 > 2 * m - 1, [m > 0]), "at m = 1 both"),
}
MISPRINTED = {
    r"-\log x \ge 1 + x": -log(x) >= 1 - x,
    r"-\log x > 1 - x": -log(x) >= 1 - x,
    r"\log 2 \approx 0.6931": log(3),
    r"0 < \sigma(t) < 1": [0 < sigma(t)],
    r"0 < \sigma(-t) < 1": [0 < sigma(t), sigma(t) < 1],
    r"\log y \ge 0": log(x) >= 0,
}


def word(tex, what):
    return " and ".join(said({tex: what}).found[tex])


@pytest.mark.parametrize("tex", TRUE)
def test_what_is_true_passes(tex):
    assert word(tex, TRUE[tex]) == ("numbers agree" if r"\approx" in tex else "proved")


@pytest.mark.parametrize("tex", FALSE)
def test_what_is_false_or_beyond_it_is_refused(tex):
    what, error = FALSE[tex]
    with pytest.raises(error):
        said({tex: what})


@pytest.mark.parametrize("tex", MEETING)
def test_a_strict_inequality_fails_where_its_sides_meet(tex):
    what, place = MEETING[tex]
    with pytest.raises(Refuted, match=place):
        said({tex: what})


def test_where_sides_meet_outside_of_the_conditions_does_not_matter():
    with pytest.raises(Undecided):  # at t = x, but that is excluded
        said({r"(x - t)^2 > 0": ((x - t)**2 > 0, [t > x])})


@pytest.mark.parametrize("tex", MISPRINTED)
def test_what_stands_in_the_sentence_is_what_was_given(tex):
    with pytest.raises(Misprinted):
        said({tex: MISPRINTED[tex]})


@pytest.mark.parametrize("tex", [
    f"{SLOPE} = {QUOTIENT}", rf"\frac{{d}}{{dt}}\sigma(t) = {SLOPE}",
    rf"{SLOPE} \le 1/4", rf"1/4 \ge {QUOTIENT}"])
def test_a_line_of_a_checked_object(tex):
    assert word(tex, slope()) == "[](#eq-slope)"


@pytest.mark.parametrize("tex", [
    rf"\sigma(t)(1+\sigma(t)) = {QUOTIENT}", f"{SLOPE} = 1/4", rf"{SLOPE} \ge 1/4", rf"{SLOPE} \le 1/2"])
def test_no_line_of_it(tex):
    with pytest.raises(Misprinted, match="eq-slope"):
        said({tex: slope()})


def test_the_lines_of_an_equivalence_are_no_chain():
    solved = Equivalence(sp.Eq(2 * m, 4), unknown=m, domain=sp.Interval(0, 9), label="eq-two", title="two")
    solved.step(sp.Eq(m, 2), "divide by 2")
    assert word("m = 2", solved) == "[](#eq-two)"
    with pytest.raises(Misprinted, match="4 = 2 does not stand in eq-two"):
        said({"4 = 2": solved})


def test_what_nothing_decides_has_a_name():
    found = said({"T > 1": "condition", "r = q/p": "notation", "s = 2": "condition"}).evidence()["findings"]
    assert found == ("0 relations in sentences are decided", "condition: 2", "notation: 1")
    with pytest.raises(ValueError, match="one of condition, notation, quotation, choice; got 'obvious'"):
        said({"T > 1": "obvious"})
    with pytest.raises(ValueError, match="no relation in T"):
        said({"T": "condition"})


def test_a_bar_does_not_end_a_cell_of_the_table():
    rows = said({r"|x| = 1": "condition", r"a = \mathrm{KL}(p\|q)": "notation"}).sentence().splitlines()
    assert all(row.count("|") == 3 for row in rows)
    assert rows[2:] == [r"| $\vert x\vert  = 1$ | condition |", r"| $a = \mathrm{KL}(p\Vert q)$ | notation |"]
