"""Chains of steps: what they accept, what they refuse and how they say so."""

import dataclasses
import sys

import pytest

from proofread import KL, Definition, Derivation, E, Law, Var
from proofread import sympy as sp
from proofread.decision.question import Question
from proofread.decision.verdict import Evidence, Verdict
from proofread.errors import Refuted, Undecided, Vacuous
from proofread.language.statement import Statement
from proofread.language.sympy import MaxOver
from proofread.language.typed import unfold

derivation_module, attack_module = (sys.modules[f"proofread.{name}"] for name in (
    "claims.derivation", "mutation.attack"))

x, y, a, c = sp.symbols("x y a c", real=True)
s, t, p, q = sp.symbols("s t p q", positive=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z, v, w = sp.IndexedBase("z", real=True), sp.IndexedBase("v", real=True), sp.IndexedBase("w", positive=True)


def start(expr, **options):
    return Derivation(expr, label="eq-test", title="a test", **options)


def over(term, index=i):
    return sp.Sum(term, (index, 1, n))


def softmax(index, base=z):
    return sp.exp(base[index]) / over(sp.exp(base[k]), k)


def shown(chain):
    return chain._repr_mimebundle_()[0]["text/markdown"]


def test_a_chain_counts_its_mutants_and_knows_its_ends():
    chain = start(sp.log(over(sp.exp(z[i] - c))) + c)
    chain.step(sp.log(sp.exp(c) * over(sp.exp(z[i] - c))), "move $c$ inside")
    chain.step(sp.log(over(sp.exp(z[i]))), r"$e^c e^{z-c}=e^z$")
    assert chain.mutants > 10
    assert chain.start == sp.log(over(sp.exp(z[i] - c))) + c
    assert chain.line(1) == sp.log(sp.exp(c) * over(sp.exp(z[i] - c)))
    assert chain.end == chain.line(2) == sp.log(over(sp.exp(z[i])))
    assert [found.verdict.status for _, found in chain.steps] == ["proved", "proved"]


def test_a_wrong_step_is_refused_and_leaves_the_chain_as_it_was():
    chain = start(x**2 - 1).step((x - 1) * (x + 1), "factor")
    message = r"eq-test, step 2 \(a slip\) is false: at x = .*: left .*, right"
    with pytest.raises(Refuted, match=message) as caught:
        chain.step((x - 1) ** 2, "a slip")
    assert caught.value.witness.startswith("at x = ")
    assert len(chain.steps) == 1
    assert chain.end == (x - 1) * (x + 1)


def test_agreement_in_numbers_is_no_proof():
    scaled = MaxOver(s * z[i], (i, 1, n))
    with pytest.raises(Undecided, match="is undecided"):
        start(scaled).step(s * MaxOver(z[i], (i, 1, n)), "a positive factor")


def test_what_cannot_be_evaluated_is_undecided():
    unknown = sp.Symbol("u")
    with pytest.raises(Undecided, match="domain is unknown"):
        start(unknown + 1).step(1 + unknown, "order")
    with pytest.raises(Undecided, match="no admissible point"):
        start(x, given=[x > 1, x < 0]).step(2 * x / 2, "never")
    with pytest.raises(ValueError, match="by must be"):
        start(x).step(x, "nothing", by="faith")


def test_a_step_has_a_reason():
    for reason in ("", " "):
        with pytest.raises(ValueError, match="a step needs a reason"):
            start((x + 1) ** 2).step(x**2 + 2 * x + 1, reason)
        with pytest.raises(ValueError, match="a step needs a reason"):
            start((x + 1) ** 2).argue(x**2 + 2 * x + 1, reason)


def test_two_symbols_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two different symbols are called x"):
        start((x + 1) ** 2).step(x**2 + 2 * sp.Symbol("x", positive=True) + 1, "expand")


# -- what is checked is never changed ----------------------------------------------------------------------


def test_a_chain_cannot_be_changed_after_the_check():
    chain = start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand")
    line, found = chain.steps[0]
    for change in (lambda: setattr(chain, "start", x), lambda: setattr(chain, "steps", ()),
                   lambda: setattr(chain, "end", x),
                   lambda: setattr(chain, "statement", None), lambda: setattr(chain, "relation", "<=")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError, match="item assignment"):
        chain.steps[0] = line, found
    with pytest.raises(TypeError, match="item assignment"):
        chain.steps[0][0] = line
    for field in ("left", "right", "relation", "reason", "argued"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(line, field, x)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.verdict.status = "proved"
    assert chain.start == (x + 1) ** 2


def test_a_statement_cannot_be_changed():
    statement = Statement((x + 1) ** 2, "=", x**2 + 2 * x + 1, [x > 0], attained={x: 1})
    for field in ("left", "right", "relation", "given", "over", "attained"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(statement, field, ())
    for field in (statement.given, statement.attained):
        with pytest.raises(TypeError):
            field[0] = x
    assert statement == Statement((x + 1) ** 2, "=", x**2 + 2 * x + 1, [x > 0], attained={x: 1})


@pytest.mark.parametrize(("arguments", "message"), [
    ((x, "<", y), "relation must be one of"), ((x, "∝", y), "needs over="),
    ((x, "=", sp.Symbol("x", positive=True)), "two different symbols are called x"),
    ((x, "=", y, [sp.Symbol("y") > 1]), "two different symbols are called y"),
])
def test_what_is_no_statement(arguments, message):
    with pytest.raises(ValueError, match=message):
        Statement(*arguments)


# -- the attack on itself ------------------------------------------------------------------------------

def test_a_set_up_that_pins_the_symbols_is_vacuous():
    with pytest.raises(Vacuous, match=r"leave one value only for \[x\]"):
        start(x * (x + 1), given=[x >= 1, x <= 1]).step(x**2 + x, "at one point only")


m = sp.Symbol("m", integer=True, positive=True)
PUSH = sp.KroneckerDelta(i, j) - softmax(j)


@pytest.mark.parametrize(("given", "message"), [
    ([i >= n], "the condition i >= n is met only where i - n is 0"),
    ([i > n - 1], r"the condition i > n - 1 is met only where i - n \+ 1 is 1"),
    ([n <= i], "the condition n <= i is met only where i - n is 0"),
    ([n <= 1], r"leave one value only for \[n\]"),
    ([m < 2, i <= n], r"leave one value only for \[m\]"),
])
def test_a_condition_between_whole_numbers_that_leaves_one_pattern_is_vacuous(given, message):
    with pytest.raises(Vacuous, match=message):
        start(over(m * PUSH, j), given=given).step(0, "one is picked, and softmax sums to 1")


@pytest.mark.parametrize("given", [
    [i <= n], [i <= n, n >= 2], [sp.Eq(i, m), m <= n], [i < n], [n >= 7], [i <= n - 1], [m <= 2], [m <= i],
    [n <= 2]])
def test_a_condition_between_whole_numbers_that_leaves_several_is_none(given):
    assert start(over(m * PUSH, j), given=given).step(0, "one is picked, and softmax sums to 1").mutants


def test_an_identity_that_says_nothing_is_vacuous():
    with pytest.raises(Vacuous, match="no wrong version was rejected"):
        start(sp.S.Zero).step(sp.S.Zero, "nothing")


def test_a_zero_is_attacked_from_the_other_side():
    gradient = over(softmax(i) * (sp.KroneckerDelta(i, j) - softmax(j)))
    assert start(gradient).step(sp.S.Zero, "the score has mean zero").mutants > 5
    with pytest.raises(Refuted):
        start(over(softmax(i) * sp.KroneckerDelta(i, j))).step(sp.S.Zero, "a slip")


def test_the_start_of_a_chain_is_attacked_like_its_lines(monkeypatch):
    attacked = []
    original = attack_module.Attack._side
    monkeypatch.setattr(attack_module.Attack, "_side", lambda self, wrong, asked, **options: (
        attacked.append(asked.right), original(self, wrong, asked, **options))[1])
    start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand").step((x + 1) ** 2, "back")
    assert attacked == [unfold(x**2 + 2 * x + 1), unfold((x + 1) ** 2), unfold((x + 1) ** 2)]
    attacked.clear()
    start((x + 1) ** 2).argue(x**2 + 2 * x + 1, "I say so")
    assert len(attacked) == 2


def test_a_start_that_is_not_told_from_a_wrong_version_is_vacuous():
    # no point so far away is drawn, so x alone would do for the start as well; the line has no blame
    attack = attack_module.Attack(Question.of(Statement(x + sp.Max(x - 10**9, 0), "=", x)), "a line")
    assert attack.run(both=False)
    with pytest.raises(Vacuous, match="a wrong version cannot be told from the line"):
        attack.run(both=True)


def test_a_start_that_a_broken_check_takes_for_another_is_caught(monkeypatch):
    answer, end = attack_module.answer, unfold(x**2 + 2 * x + 1)

    def lenient(asked):
        # the check looks at the right side only
        return answer(asked.changed(left=asked.right) if asked.left == end else asked)

    monkeypatch.setattr(attack_module, "answer", lenient)
    with pytest.raises(Vacuous, match="is accepted by the check as well"):
        start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand")


def test_equal_versions_are_not_counted():
    assert start((x + y) ** 2).step(x**2 + 2 * x * y + y**2, "expand").mutants > 0
    symmetric = start(sp.expand((x - y) ** 2)).step((x - y) ** 2, "factor")
    assert symmetric.mutants > 0  # the exchange of x and y is no mutant


@pytest.mark.parametrize(("first", "line", "given"), [
    # flipped inside and outside: the same value in another form
    (-sp.cos(sp.pi * p) / sp.sin(sp.pi * p), sp.tan(sp.pi * (p - sp.Rational(1, 2))), [p < 1]),
    (-sp.log(q) + sp.log(p) - sp.log(t), sp.log(p / q) - sp.log(t), []),
    (sp.sin(x - y), -sp.sin(y - x), []),
])
def test_versions_that_are_equal_in_another_form_are_no_fault_of_the_check(first, line, given):
    chain = start(first, given=given).step(line, "in another form")
    assert chain.mutants > 3
    assert chain.entry().status == "proved"


@pytest.mark.parametrize("status", ["proved", "agrees"])
def test_a_check_that_says_yes_to_everything_is_caught(monkeypatch, status):
    monkeypatch.setattr(derivation_module, "answer", lambda *_: Verdict("proved", Evidence()))
    monkeypatch.setattr(attack_module, "answer", lambda *_: Verdict(status, Evidence()))
    with pytest.raises(Vacuous, match="is accepted by the check as well"):
        start((x + 1) ** 2).step(x**2 + 1, "a slip")
    with pytest.raises(Vacuous, match="is accepted by the check as well"):
        start((x + 1) ** 2).step(x**2 + 2 * x + 1, "right, by a broken check")
    with pytest.raises(Vacuous, match="is accepted by the check as well"):
        start((x + 1) ** 2).argue(x**2 + 2 * x + 1, "right, by a broken check")


def test_an_undecided_mutant_is_not_counted_as_rejected(monkeypatch):
    shy = Verdict("undecided", problem="I would rather not say")
    monkeypatch.setattr(attack_module, "answer", lambda *_: shy)
    monkeypatch.setattr(attack_module, "violates", lambda *_: False)
    with pytest.raises(Vacuous, match="no wrong version was rejected"):
        start(1 + x).step(x + 1, "order")


# -- other relations ---------------------------------------------------------------------------------------

largest, lse = MaxOver(z[i], (i, 1, n)), sp.log(over(sp.exp(z[i])))


def test_bounds_and_where_they_are_attained():
    assert start(largest).step(lse, "one term", relation="<=").mutants > 0
    assert start(lse).step(largest + sp.log(n), "n terms", relation="<=", attained={z: 0}).mutants > 0
    with pytest.raises(Refuted, match="is false"):
        start(lse).step(largest + n, "a slip", relation="<=", attained={z: 0})
    with pytest.raises(Refuted):
        start(lse).step(largest, "wrong way", relation="<=")


def test_an_inequality_that_holds_both_ways_is_an_equality():
    with pytest.raises(Vacuous, match="the other way round"):
        start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand", relation="<=")


def test_a_bound_by_zero():
    first, second = Law("p", k, softmax(k), 1, n), Law("q", j, softmax(j, v), 1, n)
    chain = start(KL(first, second)).step(sp.S.Zero, "Gibbs", relation=">=")
    assert chain.mutants > 0
    with pytest.raises(Refuted):
        start(KL(first, second)).step(sp.S.Zero, "a slip", relation="<=")


def test_chains_do_not_mix_directions():
    chain = start(largest).step(lse, "one term", relation="<=")
    with pytest.raises(ValueError, match="cannot mix <= and >="):
        chain.step(largest, "back", relation=">=")
    assert len(chain.steps) == 1
    assert chain.relation == "<="
    assert chain.step(sp.log(over(sp.exp(z[i] - c))) + c, "shift").relation == "<="


def test_proportionality():
    normal = sp.exp(-((x - a) ** 2) / 2)
    line = sp.exp(a * x - x**2 / 2)
    chain = start(normal).step(line, "drop what is free of $x$", relation="∝", over=(x,))
    assert chain.mutants > 0
    with pytest.raises(Refuted):
        start(normal).step(sp.exp(-(x**2) / 2), "a slip", relation="∝", over=(x,))
    with pytest.raises(Refuted, match="has to be positive"):
        start(normal).step(-sp.exp(a * x - x**2 / 2), "a sign", relation="∝", over=(x,))
    with pytest.raises(Vacuous, match="neither side depends on a"):
        start(s + 1).step(t + 1, "over a bystander", relation="∝", over=(a,))


def test_all_variables_of_a_proportionality_are_those_of_its_steps():
    chain = start(sp.exp(a * x) * (x**2 + 1))
    chain.step(sp.exp(a * x) * (x**2 + 1) * (a**2 + 1), "a factor of $a$", relation="∝", over=(x,))
    assert chain.entry().conditions == ("as functions of $x$",)
    chain.step(sp.exp(a * x) * (a**2 + 1), "a factor of $x$", relation="∝", over=(a,))
    # x and then a: the ends are proportional over neither, and what is said of them is not said of one alone
    assert set(chain.statement.over) == {x, a}


# -- argued lines ------------------------------------------------------------------------------------------


def test_argued_steps_are_counted_as_such_and_false_ones_refuted():
    chain = start(sp.Integral(sp.exp(-t * x**2), (x, -sp.oo, sp.oo))).argue(sp.sqrt(sp.pi / t),
        "exchange, dominated by $e^{-x^2}$")
    assert chain.entry().status == "argued"
    assert chain.entry().argued == 1
    assert chain.mutants > 0
    assert r"\textbf{argued: }" in shown(chain)
    with pytest.raises(Refuted, match=r"step 1 \(trust me\) \(argued\) is false"):
        start(x).argue(x + 1, "trust me")


def test_an_argued_line_says_whether_numbers_agree_or_nothing_was_evaluated():
    agrees = start(sp.Integral(sp.exp(-t * x**2), (x, -sp.oo, sp.oo))).argue(sp.sqrt(sp.pi / t), "known")
    assert agrees.entry().findings[-1].startswith("argued, not computed: known; numbers agree (")
    # converges conditionally: no quadrature gives a number, so a wrong value is not told from the right one
    conditional = sp.Integral(sp.sin(x) / x, (x, 0, sp.oo))
    silent = start(conditional).argue(sp.pi / 2, "by contour")
    assert silent.entry().findings[-1] == "argued, not computed: by contour; nothing could be evaluated"
    assert silent.mutants == 0
    f = sp.Function("f")
    unknown = start(f(x)).argue(f(x) + 0 * x, "where nothing can be evaluated").entry()
    assert (unknown.status, unknown.findings[-1].rpartition("; ")[2]) == ("argued",
        "nothing could be evaluated")


@pytest.mark.parametrize("unknown", [
    sp.Symbol("u"), sp.Symbol("u", complex=True), sp.IndexedBase("u")[1],
    sp.Sum(sp.IndexedBase("u")[i], (i, 1, n)),
], ids=str)
def test_an_argued_line_of_undeclared_symbols_is_refused(unknown):
    with pytest.raises(ValueError, match="must be declared real, positive or integer"):
        start(unknown**2).argue(unknown**3, "nobody can tell")


def test_an_argued_line_whose_wrong_versions_pass_is_vacuous():
    with pytest.raises(Vacuous):
        start(x**2, given=[x >= 1, x <= 1]).argue(x, "at one point only")


def test_a_chain_with_one_argued_line_is_argued():
    chain = start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand").argue((1 + x) ** 2,
        "I see it").step((x + 1) ** 2, "order")
    entry = chain.entry()
    assert (entry.status, entry.argued) == ("argued", 1)
    assert sum("argued" in finding for finding in entry.findings) == 1


# -- notation ----------------------------------------------------------------------------------------------

def test_expectation_variance_and_divergence():
    uniform = Law("u", k, 1 / n, 1, n)
    assert start(E(k, uniform)).step((n + 1) / 2, "sum of integers").mutants > 0
    assert start(Var(k, uniform)).step((n**2 - 1) / 12, "sum of squares").mutants > 0
    with pytest.raises(Refuted):
        start(Var(k, uniform)).step((n**2 + 1) / 12, "a slip")
    law = Law(r"\pi", j, softmax(j), 1, n)
    assert start(KL(law, uniform)).step(sp.log(n) + over(softmax(i) * sp.log(softmax(i))),
                                        "definition").mutants > 0


def test_substitution_reaches_into_notation():
    law = Law("u", k, 1 / n, 1, n)
    assert unfold(E(a * k, law).subs(a, 2)).doit().factor() == unfold(n + 1)
    assert unfold(E(a * k, law).subs(k, 7)) == E(a * k, law).unfold()
    half = Definition("h", (x,), a * x / 2, label="eq-h", title="half")
    assert unfold(half(x).subs(a, 4)) == unfold(2 * x)
    assert unfold(half(x).subs(x, 4)) == unfold(2 * a)


# -- what is shown ------------------------------------------------------------------------------------------

def test_one_line():
    chain = start((x + 1) ** 2).step(x**2 + 2 * x + 1, r"expand $(x+1)^2$")
    assert shown(chain) == (
        "$$\n" r"\left(x + 1\right)^{2} = x^{2} + 2 x + 1 "
        r"\quad\small\text{expand $(x+1)^2$}" "\n$$ (eq-test)")


def test_several_lines():
    chain = start(largest).step(lse, "one", relation="<=").step(c + sp.log(over(sp.exp(z[i] - c))), "two")
    assert shown(chain) == "\n".join([
        "$$", r"\begin{aligned}",
        r"\max_{i} z_{i} &\le \log\mathopen{}\left(\sum_{i=1}^{n} e^{z_{i}}\right) "
        r"&&\quad\small\text{one} \\",
        r"&= c + \log\mathopen{}\left(\sum_{i=1}^{n} e^{z_{i} - c}\right) &&\quad\small\text{two}",
        r"\end{aligned}", "$$ (eq-test)"])
    bound = r"c + \log\mathopen{}\left(\sum_{i=1}^{n} e^{z_{i} - c}\right)"
    assert chain.entry().tex == rf"\max_{{i}} z_{{i}} \le {bound}"


def test_a_chain_without_a_step_proves_nothing():
    with pytest.raises(ValueError, match="has no step"):
        start(x).entry()


@pytest.mark.parametrize(("chain", "conditions"), [
    (lambda: start(sp.Abs(x), given=[x > 0]).step(x, "positive"), ("for $x > 0$",)),
    (lambda: start(x * (x - y), given=[x > y, y > 1]).step(x**2 - x * y, "expand"),
     ("for $x > y$, $y > 1$",)),
    (lambda: start(sp.log(s * t)).step(sp.log(s) + sp.log(t), "a logarithm"), ("for $s, t > 0$",)),
    (lambda: start(over(sp.log(w[i] ** 2))).step(2 * over(sp.log(w[i])), "a power"),
     (r"for all $w_{i} > 0$",)),
    (lambda: start(sp.exp(a * x) * (a**2 + 1)).step(sp.exp(a * x), "drop", relation="∝", over=(x,)),
     ("as functions of $x$",)),
    (lambda: start(lse).step(largest + sp.log(n), "n terms", relation="<=", attained={z: c}),
     ("with equality at $z_{k} = c$",)),
    (lambda: start(x**2 + 1).step(2 * x, "a square", relation=">=", attained={x: 1}),
     ("with equality at $x = 1$",)),
    (lambda: start((x + 1) ** 2).step(x**2 + 2 * x + 1, "expand"), ()),
])
def test_conditions_are_told_and_shown(chain, conditions):
    checked = chain()
    assert checked.entry().conditions == conditions
    text = shown(checked)
    for condition in conditions:
        assert f"(eq-test)\n\n{conditions[0]}" in text
        assert condition in text.partition("(eq-test)")[2]


def test_what_a_chain_uses_is_no_definition():
    with pytest.raises(ValueError, match="eq-own: uses=.* names results, and eq-named is a definition"):
        Derivation(x, label="eq-own", title="own",
                   uses=[Definition("D", (x,), x + 1, label="eq-named", title="a name")])


def test_what_a_chain_uses_and_rests_on():
    sigma = Definition(r"\sigma", (x,), 1 / (1 + sp.exp(-x)), label="eq-sigma", title="sigmoid")
    odd = start(sigma(-x)).step(1 - sigma(x), "symmetry")
    assert odd.entry().rests_on == ("eq-sigma",)
    other = Derivation(sp.Derivative(sigma(x), x), label="eq-slope", title="slope", uses=[odd])
    assert other.step(sigma(x) * sigma(-x), "chain rule").entry().rests_on == ("eq-sigma", "eq-test")
    far = Derivation(x, label="eq-far", title="far", uses=[odd, "eq-elsewhere"])
    assert far.step(x + 0, "nothing is added").entry().rests_on == ("eq-elsewhere", "eq-test")
    with pytest.raises(ValueError, match="'thm-elsewhere' is no label of an equation"):
        Derivation(x, label="eq-far", title="far", uses=["thm-elsewhere"])


def test_an_argued_line_under_conditions_that_no_point_meets_is_refused():
    w, i, n = sp.IndexedBase("w", positive=True), sp.Symbol("i", integer=True), sp.Symbol("n", integer=True)
    chain = Derivation(sp.Sum(w[i] ** 2, (i, 1, n)), label="eq-a", title="t",
                       given=[sp.Eq(sp.Sum(w[i], (i, 1, n)), -1)])
    with pytest.raises(Vacuous, match="no point was found that meets the conditions"):
        chain.argue(7, "wrong")


def test_an_argued_line_under_a_total_meets_numbers():
    w, i, n = sp.IndexedBase("w", positive=True), sp.Symbol("i", integer=True), sp.Symbol("n", integer=True)
    chain = Derivation(sp.Sum(w[i] ** 2, (i, 1, n)), label="eq-a", title="t",
                       given=[sp.Eq(sp.Sum(w[i], (i, 1, n)), 1)])
    with pytest.raises(Refuted):
        chain.argue(7, "wrong")
