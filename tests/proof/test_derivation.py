"""Chains of steps: what they accept, what they refuse and how they say so."""

import sys

import pytest
import sympy as sp
from sympy import Eq, Integral, Interval, KroneckerDelta, Max, Min, Rational, S, Sum, exp, log, oo

from softmaxnotes.proof import (
    KL, Definition, Derivation, E, Equivalence, Law, MaxOver, Refuted, Undecided, Vacuous, Var, Verdict, tex,
)

derivation_module = sys.modules["softmaxnotes.proof.derivation"]

x, y, a, c = sp.symbols("x y a c", real=True)
s, t = sp.symbols("s t", positive=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z, v = sp.IndexedBase("z", real=True), sp.IndexedBase("v", real=True)


def start(expr, **options):
    return Derivation(expr, label="eq-test", title="a test", **options)


def over(term, index=i):
    return Sum(term, (index, 1, n))


def softmax(index, base=z):
    return exp(base[index]) / over(exp(base[k]), k)


def test_a_chain_counts_its_mutants_and_knows_its_ends():
    chain = start(log(over(exp(z[i] - c))) + c)
    chain.step(log(exp(c) * over(exp(z[i] - c))), "move $c$ inside").step(log(over(exp(z[i]))), r"$e^c e^{z-c}=e^z$")
    assert chain.mutants > 10
    assert chain.end == log(over(exp(z[i])))
    assert [step[3].status for step in chain.steps] == ["proved", "proved"]


def test_a_wrong_step_is_refused_and_leaves_the_chain_as_it_was():
    chain = start(x**2 - 1).step((x - 1) * (x + 1), "factor")
    with pytest.raises(Refuted, match=r"eq-test, step 2 \(a slip\) is false: at x = .*: left .*, right ") as caught:
        chain.step((x - 1) ** 2, "a slip")
    assert caught.value.witness.startswith("at x = ")
    assert len(chain.steps) == 1
    assert chain.end == (x - 1) * (x + 1)


def test_agreement_in_numbers_passes_only_when_asked_for():
    scaled = MaxOver(s * z[i], (i, 1, n))
    with pytest.raises(Undecided, match="is undecided"):
        start(scaled).step(s * MaxOver(z[i], (i, 1, n)), "a positive factor")
    chain = start(scaled).step(s * MaxOver(z[i], (i, 1, n)), "a positive factor", by="numeric")
    assert chain._entry().status == "checked"


def test_what_cannot_be_evaluated_is_undecided_either_way():
    unknown = sp.Symbol("u")
    for by in ("symbolic", "numeric"):
        with pytest.raises(Undecided, match="domain is unknown"):
            start(unknown + 1).step(1 + unknown, "order", by=by)
    with pytest.raises(Undecided, match="no admissible point"):
        start(x, given=[x > 1, x < 0]).step(2 * x / 2, "never")
    with pytest.raises(ValueError, match="by must be"):
        start(x).step(x, "nothing", by="faith")


# -- the attack on itself ------------------------------------------------------------------------------

def test_a_set_up_that_pins_the_symbols_is_vacuous():
    with pytest.raises(Vacuous, match=r"leave one value only for \[x\]"):
        start(x**2, given=[x >= 1, x <= 1]).step(x, "at one point only", by="numeric")


def test_an_identity_that_says_nothing_is_vacuous():
    with pytest.raises(Vacuous, match="no wrong version was rejected"):
        start(S.Zero).step(S.Zero, "nothing")


def test_a_zero_is_attacked_from_the_other_side():
    gradient = over(softmax(i) * (KroneckerDelta(i, j) - softmax(j)))
    assert start(gradient).step(S.Zero, "the score has mean zero").mutants > 5
    with pytest.raises(Refuted):
        start(over(softmax(i) * KroneckerDelta(i, j))).step(S.Zero, "a slip")


def test_equal_versions_are_not_counted():
    assert start((x + y) ** 2).step(x**2 + 2 * x * y + y**2, "expand").mutants > 0
    symmetric = start(sp.expand((x - y) ** 2)).step((x - y) ** 2, "factor")
    assert symmetric.mutants > 0  # the exchange of x and y is no mutant


@pytest.mark.parametrize("status", ["proved", "agrees"])
def test_a_check_that_says_yes_to_everything_is_caught(monkeypatch, status):
    monkeypatch.setattr(derivation_module, "decide", lambda *_, **__: Verdict(status, "believe me"))
    with pytest.raises(Vacuous, match="also accepts a wrong version"):
        start((x + 1) ** 2).step(x**2 + 1, "a slip", by="numeric")
    with pytest.raises(Vacuous, match="also accepts a wrong version"):
        start((x + 1) ** 2).step(x**2 + 2 * x + 1, "right, by a broken check", by="numeric")


def test_an_undecided_mutant_is_not_counted_as_rejected(monkeypatch):
    decide = derivation_module.decide
    line = x + 1

    def shy(left, right, *arguments, **options):
        verdict = decide(left, right, *arguments, **options)
        return verdict if right == line else Verdict("undecided", "I would rather not say")

    monkeypatch.setattr(derivation_module, "decide", shy)
    monkeypatch.setattr(derivation_module, "_violates", lambda *_: False)
    with pytest.raises(Vacuous, match="no wrong version was rejected"):
        start(1 + x).step(line, "order")


# -- other relations ---------------------------------------------------------------------------------------

largest, lse = MaxOver(z[i], (i, 1, n)), log(over(exp(z[i])))


def test_bounds_and_where_they_are_attained():
    assert start(largest).step(lse, "one term", relation="<=").mutants > 0
    assert start(lse).step(largest + log(n), "n terms", relation="<=", attained={z: 0}).mutants > 0
    with pytest.raises(Refuted, match="is false"):
        start(lse).step(largest + n, "a slip", relation="<=", attained={z: 0})
    with pytest.raises(Refuted):
        start(lse).step(largest, "wrong way", relation="<=")


def test_an_inequality_that_holds_both_ways_is_an_equality():
    with pytest.raises(Vacuous, match="the other way round"):
        start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand", relation="<=", by="numeric")


def test_a_bound_by_zero():
    first, second = Law("p", k, softmax(k), 1, n), Law("q", j, softmax(j, v), 1, n)
    chain = start(KL(first, second)).step(S.Zero, "Gibbs", relation=">=", by="numeric")
    assert chain.mutants > 0
    with pytest.raises(Refuted):
        start(KL(first, second)).step(S.Zero, "a slip", relation="<=", by="numeric")


def test_chains_do_not_mix_directions():
    chain = start(largest).step(lse, "one term", relation="<=")
    with pytest.raises(ValueError, match="cannot mix <= and >="):
        chain.step(largest, "back", relation=">=")
    assert len(chain.steps) == 1
    assert chain.relation == "<="
    assert chain.step(log(over(exp(z[i] - c))) + c, "shift").relation == "<="


def test_proportionality():
    normal = exp(-((x - a) ** 2) / 2)
    assert start(normal).step(exp(a * x - x**2 / 2), "drop what is free of $x$", relation="∝", over=(x,)).mutants > 0
    with pytest.raises(Refuted):
        start(normal).step(exp(-(x**2) / 2), "a slip", relation="∝", over=(x,))
    with pytest.raises(Vacuous):
        start(x).step(y, "over a bystander", relation="∝", over=(a,))


def test_argued_steps_are_counted_as_such_and_false_ones_refuted():
    chain = start(Integral(exp(-t * x**2), (x, -oo, oo))).argue(sp.sqrt(sp.pi / t), "exchange, dominated by $e^{-x^2}$")
    assert chain._entry().status == "argued"
    assert "1 of 1 steps argued" in chain._entry().how[-1]
    assert r"\textbf{argued: }" in chain._markdown()
    with pytest.raises(Refuted, match="argued step 1 is false"):
        start(x).argue(x + 1, "trust me")
    f = sp.Function("f")
    assert start(f(x)).argue(f(x) + 0, "where nothing can be evaluated")._entry().status == "argued"


# -- notation ----------------------------------------------------------------------------------------------

def test_expectation_variance_and_divergence():
    uniform = Law("u", k, 1 / n, 1, n)
    assert start(E(k, uniform)).step((n + 1) / 2, "sum of integers").mutants > 0
    assert start(Var(k, uniform)).step((n**2 - 1) / 12, "sum of squares").mutants > 0
    with pytest.raises(Refuted):
        start(Var(k, uniform)).step((n**2 + 1) / 12, "a slip")
    law = Law(r"\pi", j, softmax(j), 1, n)
    assert start(KL(law, uniform)).step(log(n) + over(softmax(i) * log(softmax(i))), "definition").mutants > 0


def test_substitution_reaches_into_notation():
    law = Law("u", k, 1 / n, 1, n)
    assert E(a * k, law).subs(a, 2).doit().factor() == n + 1
    assert E(a * k, law).subs(k, 7) == E(a * k, law).unfold()
    half = Definition("h", (x,), a * x / 2, label="eq-h", title="half")
    assert half(x).subs(a, 4).expand() == 2 * x
    assert half(x).subs(x, 4).unfold() == 2 * a


# -- equivalences --------------------------------------------------------------------------------------------

def solve(*lines, unknown=x, domain=Interval(-5, 5)):
    first, *others = lines
    chain = Equivalence(first, unknown=unknown, domain=domain, label="eq-solve", title="a solution")
    for line in others:
        chain.step(line, "next")
    return chain


def test_an_equivalence_chain():
    chain = solve(Eq(1 / (1 + exp(-x)), Rational(1, 3)), Eq(1 + exp(-x), 3), Eq(x, -log(2)))
    assert chain.mutants > 0
    assert chain._entry().status == "proved"
    assert chain._markdown().count(r"\Longleftrightarrow") == 2


def test_an_equivalence_with_another_symbol():
    assert solve(Eq(x**2, 4 + a**2), Eq(x, sp.sqrt(4 + a**2)), domain=Interval(0, 9)).mutants > 0


@pytest.mark.parametrize("lines", [
    (Eq(x**2, x), Eq(x, 1)),  # a lost root
    ((Eq((x - sp.sqrt(2)) ** 2 * (x - 2), 0)), Eq(x, 2)),  # a lost root where the line only touches zero
    (Eq(x, 2), Eq(x**2 * (x - 2), 0), Eq(x, 2)),  # roots that came in between
    (Eq(exp(x), 2), Eq(x, log(3))),  # wrong
    (Eq(exp(x), 2), Eq(exp(2 * x), 3), Eq(x, log(2))),  # wrong in between
])
def test_equivalences_that_are_none(lines):
    with pytest.raises((Refuted, Undecided)):
        solve(*lines)


def test_an_equivalence_under_conditions():
    # sqrt(a^2) is a for positive a only
    def lines(**options):
        chain = Equivalence(Eq(x**2, a**2), unknown=x, domain=Interval(0, 9), label="eq-root", title="a root", **options)
        return chain.step(Eq(x, a), "a root")

    assert lines(given=[a > 0]).decided
    with pytest.raises((Refuted, Vacuous)):
        lines(given=[a < 0])
    with pytest.raises(Undecided, match="no admissible point"):
        lines(given=[a > 1, a < 0])


def test_a_solution_outside_the_domain():
    with pytest.raises((Refuted, Vacuous)):
        solve(Eq(x**2, 4 + a**2), Eq(x, sp.sqrt(4 + a**2)), domain=Interval(-9, 0))
    with pytest.raises(Refuted, match="not the one in"):
        solve(Eq((x - 2) * (x + sp.sqrt(3)), 0), Eq(x, 2), domain=Interval(-5, 0))


def test_a_pole_does_no_harm():
    assert solve(Eq((x - 2) / (x - sp.sqrt(3)), 0), Eq(x, 2)).mutants > 0


def test_a_line_that_is_no_equation():
    with pytest.raises(ValueError, match="SymPy reads it as False"):
        solve(Eq(1 / (x - 3), 0), Eq(x, 3))


def test_a_chain_without_solution_proves_nothing():
    with pytest.raises(ValueError, match="does not end in"):
        solve(Eq(sp.cos(x), x), Eq(x, sp.cos(x)))._entry()
    with pytest.raises(ValueError, match="does not end in"):
        solve(Eq(x, 2))._entry()
    with pytest.raises(ValueError, match="no step"):
        start(x)._entry()


# -- what is shown ------------------------------------------------------------------------------------------

def test_one_line():
    chain = start((x + 1) ** 2).step(x**2 + 2 * x + 1, r"expand $(x+1)^2$")
    assert chain._markdown() == (
        "$$\n" r"\left(x + 1\right)^{2} = x^{2} + 2 x + 1 \quad\small\text{expand $(x+1)^2$}" "\n$$ (eq-test)")


def test_several_lines():
    chain = start(largest).step(lse, "one", relation="<=").step(log(over(exp(z[i] - c))) + c, "two")
    assert chain._markdown() == "\n".join([
        "$$", r"\begin{aligned}",
        r"\max_{i} z_{i} &\le \log\left(\sum_{i=1}^{n} e^{z_{i}}\right) &&\quad\small\text{one} \\",
        r"&= c + \log\left(\sum_{i=1}^{n} e^{z_{i} - c}\right) &&\quad\small\text{two}",
        r"\end{aligned}", "$$ (eq-test)"])
    assert chain.statement == r"\max_{i} z_{i} \le c + \log\left(\sum_{i=1}^{n} e^{z_{i} - c}\right)"


@pytest.mark.parametrize("expr", [
    lse, largest, softmax(j) * (KroneckerDelta(i, j) - softmax(i)), Max(x, y) - Min(x, y),
    E(log(softmax(k)), Law(r"\pi", k, softmax(k), 1, n)), KL(Law("p", k, softmax(k), 1, n), Law("q", k, softmax(k), 1, n)),
    Var(k, Law("u", k, 1 / n, 1, n)), Integral(exp(-t * x**2), (x, -oo, oo)), sp.Limit(exp(-t), t, oo),
    sp.Derivative(lse, z[j]), sp.Piecewise((x, x > 0), (0, True)), largest**2, E(k, Law("u", k, 1 / n, 1, n)) ** 2,
])
def test_tex_is_balanced(expr):
    text = tex(expr)
    assert text.count("{") == text.count("}")
    assert text.count(r"\left") - text.count(r"\leftarrow") == text.count(r"\right") - text.count(r"\rightarrow")
    assert text.count(r"\begin") == text.count(r"\end")
