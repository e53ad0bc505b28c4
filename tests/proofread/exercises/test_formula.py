"""Exercises: any right form is right, a wrong one never; whatever is typed gets an answer and no error."""

import json

import numpy as np
import pytest
import sympy as sp
from sympy import Derivative, Eq, Function, Integral, Rational, Sum, cos, exp, log, pi, sin, sqrt

from proofread import E, Exercise, Law, report
from proofread.errors import Refuted, Undecided, Vacuous
from proofread.language import sympy as typed
from proofread.latex import tex

mu = sp.Symbol("mu", real=True)
sigma = sp.Symbol("sigma", positive=True)
i, k, n = sp.symbols("i k n", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
plain = {name: sp.Symbol(name) for name in ("mu", "sigma", "i", "k", "n", "y")}
softmax = exp(z[k]) / Sum(exp(z[i]), (i, 1, n))
# known for some sizes only
factorials, in_steps = sp.factorial(n + 1) - 1, Sum(i * sp.factorial(i), (i, 1, n))

MISSING = "No answer yet: put your formula in place of `...`."
ABOUT_MEAN, WITHOUT_SPREAD = "About which point?", "Is a constant the only variable?"
moment = Exercise("ex-moment", answer=mu**2 + sigma**2, hints={sigma**2: ABOUT_MEAN, mu**2: WITHOUT_SPREAD})
pair = Exercise("ex-pair", answer=(mu + sigma, mu - sigma),
                hints={(mu - sigma, mu + sigma): "Which is larger?"})


def make(answer=mu**2, **options):
    return Exercise("ex-it", answer=answer, **options)


# -- what is right, known, wrong ------------------------------------------------------------------


@pytest.mark.parametrize("attempt", [
    mu**2 + sigma**2,
    (mu + sigma) ** 2 - 2 * mu * sigma,
    (mu**2 + sigma**2) * (sin(mu) ** 2 + cos(mu) ** 2),
    log(exp(mu**2) * exp(sigma**2)),
    mu**2 + Derivative(sigma**3 / 3, sigma),
    "mu**2 + sigma**2",
    "mu^2 + sigma^2",
    (mu**2 + sigma**2,),  # a trailing comma
    [mu**2 + sigma**2],
])
def test_every_form_of_the_answer_is_right(attempt):
    feedback = moment.check(attempt)
    assert (feedback.status, feedback.verdict.status) == ("right", "proved")
    assert feedback.text == f"✓ Right ({feedback.verdict.how})."


@pytest.mark.parametrize(("attempt", "hint"), [
    (sigma**2, ABOUT_MEAN), ("sigma**2", ABOUT_MEAN), (exp(2 * log(sigma)), ABOUT_MEAN),
    (sp.Abs(mu) ** 2, WITHOUT_SPREAD), ((mu - sigma) * (mu + sigma) + sigma**2, WITHOUT_SPREAD),
])
def test_every_form_of_a_known_wrong_answer_gets_its_hint(attempt, hint):
    feedback = moment.check(attempt)
    assert (feedback.status, feedback.text) == ("known", f"Not yet. {hint}")
    assert feedback.verdict.status == "refuted"


@pytest.mark.parametrize("attempt", [
    mu**2 - sigma**2, mu**2 + sigma, 0, 2, sp.oo, -sp.oo, sp.I, log(mu), sqrt(mu), sp.Limit(mu, mu, 0),
    mu**2 + sigma**2 + Rational(1, 10**12), Integral(plain["y"], (plain["y"], 0, mu)),
])
def test_what_is_wrong_is_refuted_at_a_point(attempt):
    feedback = moment.check(attempt)
    assert feedback.status == "wrong"
    assert feedback.text.startswith("Not equal: at mu = ")
    assert "left" not in feedback.text


def test_the_values_at_the_point_are_those_of_the_two_formulas():
    text = make(mu**2).check(mu**2 + 1).text
    point, yours, right = text.removeprefix("Not equal: at mu = ").removesuffix(".").replace(
        " yours gives ", ";").replace(", the right value is ", ";").split(";")
    assert float(sp.Rational(point)) ** 2 == pytest.approx(float(right), rel=1e-9)
    assert float(yours) == pytest.approx(float(right) + 1, rel=1e-9)


def test_a_number_for_an_answer():
    four = make(sp.Integer(4), hints={5: "Count again."})
    assert four.check(2 + 2).status == "right"
    assert four.check(5).text == "Not yet. Count again."
    assert four.check(3).text == "Not equal: yours gives 3.0, the right value is 4.0."
    assert four.check(mu).text == "Your formula uses `mu`; it should be a number."


def test_conditions_decide_with():
    root = {"answer": mu - 1, "hints": {1 - mu: "Which sign?"}}
    assert make(**root, given=[mu > 1]).check(sqrt((mu - 1) ** 2)).status == "right"
    assert make(**root, given=[mu < 1]).check(sqrt((mu - 1) ** 2)).text == "Not yet. Which sign?"
    assert make(**root).check(sqrt((mu - 1) ** 2)).status == "wrong"


def test_several_formulas():
    assert pair.check((mu + sigma, mu - sigma)).status == "right"
    assert pair.check("mu + sigma, mu - sigma").status == "right"
    assert pair.check(["mu + sigma", mu - sigma]).status == "right"
    assert pair.check(sp.Tuple(mu - sigma, sigma + mu)).text == "Not yet. Which is larger?"
    assert pair.check((mu + sigma, mu)).text.startswith("Not equal: formula 2, at ")
    assert pair.check((mu, mu)).text.startswith("Not equal: formula 1, at ")
    assert pair.check(mu + sigma).text == "The number of formulas asked for is 2; you gave 1."
    assert pair.check((mu, mu, mu)).text == "The number of formulas asked for is 2; you gave 3."
    assert moment.check((mu, sigma)).text == "The number of formulas asked for is 1; you gave 2."
    assert moment.check(()).text == "The number of formulas asked for is 1; you gave 0."


def test_one_undecided_formula_is_not_hidden_by_a_right_one():
    assert pair.check((mu + sigma, sp.DiracDelta(mu))).status == "undecided"
    assert pair.check((sp.DiracDelta(mu), mu - sigma)).status == "undecided"
    assert pair.check((sp.DiracDelta(mu), mu)).status == "wrong"


@pytest.mark.parametrize("attempt", [..., (...,), (mu, ...), [...]])
def test_dots_are_no_answer_yet(attempt):
    feedback = moment.check(attempt)
    assert (feedback.status, feedback.text) == ("no answer", MISSING)
    assert moment.check() == feedback
    assert (repr(feedback), feedback._repr_markdown_()) == (MISSING, MISSING)


# -- how an attempt is read ----------------------------------------------------------------------------


def test_a_symbol_with_the_same_name_is_taken_for_the_one_meant():
    mine = plain["mu"] ** 2 + sigma**2
    assert mine != mu**2 + sigma**2
    feedback = moment.check(mine)
    assert feedback.status == "right"
    assert feedback.text.endswith(" (Read with the assumptions of the exercise: `mu`.)")
    assert moment.check(sp.Symbol("sigma", negative=True) ** 2).text == (
        f"Not yet. {ABOUT_MEAN} (Read with the assumptions of the exercise: `sigma`.)")
    assert moment.check(mu**2 + sp.Dummy("sigma") ** 2).status == "right"
    assert "assumptions" not in moment.check(mu**2 + sigma**2).text


def test_vectors_indices_and_sizes_with_the_same_names():
    one = make(softmax, hints={exp(z[k]): "What do they sum to?"})
    theirs = sp.IndexedBase("z")
    attempt = exp(theirs[plain["k"]]) / Sum(exp(theirs[plain["i"]]), (plain["i"], 1, plain["n"]))
    feedback = one.check(attempt)
    assert feedback.status == "right"
    assert feedback.text.endswith("`k`, `n`, `z[…]`.)")
    assert one.check("exp(z[k])/Sum(exp(z[i]), (i, 1, n))").status == "right"
    assert one.check("1/Sum(exp(z[i] - z[k]), (i, 1, n))").status == "right"
    assert one.check("exp(z[k])").text == "Not yet. What do they sum to?"
    assert one.check(Derivative(log(Sum(exp(z[i]), (i, 1, n))), z[k])).status == "right"
    assert one.check(exp(z[i])).text == "Your formula uses `i`; it should be in terms of `k`, `n`, `z[…]`."
    assert one.check(Function("z")(k)).text.startswith("Your formula uses `z(…)`;")
    assert one.check(z * 1).text.startswith("Your formula uses `z`;")


def test_functions_with_the_same_name():
    f, theirs = Function("f", real=True), Function("f")
    one = make(Derivative(f(mu) ** 2, mu), hints={2 * f(mu): "What does the chain rule add?"})
    assert one.check(2 * f(mu) * f(mu).diff(mu)).status == "right"
    assert one.check("2*f(mu)*diff(f(mu), mu)").status == "right"
    feedback = one.check(2 * theirs(plain["mu"]) * theirs(plain["mu"]).diff(plain["mu"]))
    assert feedback.status == "right"
    assert feedback.text.endswith("`f(…)`, `mu`.)")
    assert one.check(2 * Function("f", positive=True)(mu)).status == "known"
    assert one.check(2 * f(mu) ** 2).status == "wrong"
    assert one.check(sp.Symbol("f")).text == "Your formula uses `f`; it should be in terms of `f(…)`, `mu`."


def test_matrices_with_the_same_names():
    d = sp.Symbol("d", integer=True, positive=True)
    s, r = sp.MatrixSymbol("S", d, d), sp.MatrixSymbol("R", d, d)
    one = make(sp.Trace(s.I * r) - d, hints={sp.Trace(s * r) - d: "Which of the two is a denominator?"},
               given=[sp.Q.positive_definite(s), sp.Q.positive_definite(r)])
    theirs, size = [sp.MatrixSymbol(name, sp.Symbol("d"), sp.Symbol("d")) for name in "SR"], sp.Symbol("d")
    assert one.check(sp.Trace(r * s.I) - d).status == "right"
    assert one.check("Trace(R*S**-1) - d").status == "right"
    assert one.check("Trace(R*S) - d").status == "known"
    feedback = one.check(sp.Trace(theirs[0].I * theirs[1]) - size)
    assert feedback.status == "right"
    assert feedback.text.endswith("`R`, `S`, `d`.)")
    assert one.check(sp.Trace(s) - d).status == "wrong"
    for matrix in (s * r, s.I, "S*R", sp.Identity(d), sp.Matrix([[1]])):
        assert one.check(matrix).text.endswith("is a matrix: take its trace, or an entry such as `[0, 0]`.")
    for other in (sp.MatrixSymbol("S", d, 1), sp.MatrixSymbol("S", 2, 3)):
        assert one.check(other[0, 0]).status in ("wrong", "undecided", "unreadable")
        assert one.check(sp.Trace(other * other.T)).status in ("wrong", "undecided", "unreadable")
    assert one.check(sp.MatrixSymbol("A", d, d)[0, 0]).text.startswith("Your formula uses `A`;")
    with pytest.raises(ValueError, match="is a matrix"):
        make(s)


def test_the_symbols_of_hints_conditions_and_variables_may_be_used():
    x, y, w = sp.symbols("x y w", real=True)
    one = make(mu + 1, hints={x: "No."}, given=[y > 2],
               variables=[w, sp.IndexedBase("v", real=True), Function("f")])
    for attempt in (mu + 1 + w - w, mu + x, mu + y, mu + w, mu + sp.IndexedBase("v", real=True)[1]):
        assert one.check(attempt).status in ("right", "wrong")
    assert one.check(Function("f")(mu)).status in ("wrong", "undecided")
    assert one.check(mu + sigma + plain["n"]).text == (
        "Your formula uses `n`, `sigma`; it should be in terms of `f(…)`, `mu`, `v[…]`, `w`, `x`, `y`.")


def test_names_in_tex_are_typed_plainly():
    theta, first = sp.symbols(r"\theta z_{1}", real=True)
    one = make(theta * first)
    assert one.check("z_1*theta").status == "right"
    assert one.check(sp.Symbol("theta") * first).status == "right"
    assert one.check(mu).text == "Your formula uses `mu`; it should be in terms of `theta`, `z_1`."


def test_names_that_sympy_has_taken_belong_to_the_exercise():
    taken = sp.symbols("beta gamma S N E", real=True)
    one = make(sp.Add(*taken))
    assert one.check("beta + gamma + S + N + E").status == "right"
    assert make(exp(mu)).check("E**mu").status == "right"  # here E is Euler's


def test_notation_is_looked_through():
    uniform = Law("u", i, 1 / n, 1, n)
    one = make((n + 1) / 2)
    assert one.check(E(i, uniform)).status == "right"
    assert make(E(i, uniform), hints={n / 2: "Where does it begin?"}).check("n/2").status == "known"
    theirs = Law("u", i, 1 / plain["n"], 1, plain["n"])
    assert one.check(E(i, theirs)).status == "right"


@pytest.mark.parametrize("rounded", [mu / 3.0, (1 / 3) * mu, "0.3333333333333333*mu"])
def test_a_rounded_number_is_not_the_exact_one(rounded):
    third = make(mu / 3)
    feedback = third.check(rounded)
    assert feedback.status == "wrong"
    assert feedback.text.endswith("They differ in later digits: are decimals in it that have an exact form, "
                                  "such as `Rational(1, 3)` or `pi`?")
    assert third.check("mu/3").status == "right"
    assert "decimals" not in third.check(mu / 2).text
    assert make(pi * mu).check(float(np.pi) * mu).status == "wrong"
    assert make(mu / 2).check(0.5 * mu).status == "right"  # a half is exact


@pytest.mark.parametrize("attempt", [None, True, sp.true, b"mu", object, {1: 2}, {mu}, np.array([1.0, 2.0]),
                                     np.nan * np.ones((2, 2)),
                                     len, exp, "S", sp.Interval(0, 1), sp.EmptySet, moment, slice(3)])
def test_what_is_no_formula(attempt):
    feedback = moment.check(attempt)
    assert feedback.status == "unreadable"
    assert feedback.text.startswith("A formula is asked for, and this is none: ")


def test_an_object_is_not_read_by_how_it_prints():
    class Four:
        def __str__(self):
            return "4"

        __repr__ = __str__

    assert make(sp.Integer(4)).check(Four()).status == "unreadable"


@pytest.mark.parametrize("attempt", [Eq(mu, 1), mu < 1, "Eq(mu, sigma)", sp.Ne(mu, 1)])
def test_a_relation_is_no_formula(attempt):
    assert moment.check(attempt).text.endswith(" is a relation: give one side of it.")


@pytest.mark.parametrize("attempt", ["", " ", "2 mu", "2mu", "mu = 1", "import os", "mu(3)", "mu.foo",
                                     "(" * 200, "mu +", "1/", "\x00", "λ x"])
def test_a_text_that_cannot_be_read(attempt):
    feedback = moment.check(attempt)
    assert feedback.status == "unreadable"
    assert feedback.text.startswith(f"SymPy cannot read `{attempt}`")


@pytest.mark.parametrize(("attempt", "sign", "instead"), [
    ("\u2212mu", "\u2212", "-"), ("mu \u2212 sigma", "\u2212", "-"),
    ("2\u00b7mu", "\u00b7", "*"), ("mu\u00b2", "\u00b2", "^2"),
])
def test_a_sign_that_looks_like_another_is_not_taken_for_a_letter(attempt, sign, instead):
    # Python 3.14 makes a name of the minus that word processors set, and it would be lost
    feedback = make(mu).check(attempt)
    assert feedback.status == "unreadable"
    assert feedback.text.endswith(f"it holds the sign `{sign}`; type `{instead}`.")


def test_nor_is_a_name_that_holds_a_sign():
    feedback = make(mu).check(sp.Symbol("\u2212mu", real=True))
    assert feedback.status == "unreadable"
    assert "letters, digits and underscores only" in feedback.text


@pytest.mark.parametrize("attempt", [
    sp.nan, sp.zoo, float("nan"), 1 / (mu - mu), sp.Mul(mu, sp.Pow(0, -1, evaluate=False), evaluate=False),
    Integral(1, mu),
    sp.DiracDelta(mu), sp.O(mu), sp.besselj(1, mu), sp.gamma(-1), sp.Product(0, (i, 1, sp.oo)),
    sp.MatrixSymbol("A", 2, 2)[0, 0] * 0 + sp.zoo,
])
def test_what_has_no_value_is_undecided(attempt):
    feedback = moment.check(attempt)
    assert feedback.status == "undecided"
    assert feedback.text.startswith("It could not be decided whether this is right: no numerical opinion: ")


@pytest.mark.parametrize("attempt", [
    1.5, np.float64(2), np.int64(3), np.array(1.0), 1 + 2j, float("inf"), sp.Piecewise((mu, mu > 0)),
    sp.Mod(mu, 2), sp.Lambda(mu, mu),
    sp.Subs(mu, mu, sigma), mu ** (10**6), exp(exp(exp(1000 * sigma))), sp.Symbol("A", commutative=False),
    sp.Wild("w"), sp.Matrix([1]),
    sp.UnevaluatedExpr(mu), sp.KroneckerDelta(mu, sigma), z[mu], z[Rational(1, 2)], z[k, 1],
    sp.Symbol("") + 1, sp.Max(), "sin", "__import__('os').sep",
])
def test_nothing_that_is_typed_is_an_error_or_right(attempt):
    assert moment.check(attempt).status in ("wrong", "undecided", "unreadable")


def test_agreement_of_numbers_alone_is_said_to_be_that():
    x = sp.Symbol("x", real=True)
    one = make(sp.S.Zero, variables=[x])
    feedback = one.check(sp.Max(x - 10**9, 0))  # wrong, where no point is drawn: see test_decide
    assert feedback.text.startswith("✓ Right, as far as numbers can tell (30 digits at 12 random points, "
                                    "but SymPy found no proof")
    with pytest.raises(Undecided):
        one.solution(sp.Max(x - 10**9, 0))


# -- an exercise that is itself wrong --------------------------------------------------------------------


@pytest.mark.parametrize(("options", "failure", "message"), [
    ({"hints": {mu**2: "No."}}, Vacuous, "the wrong answer mu.*2 is equal to the answer"),
    ({"hints": {sp.Abs(mu) ** 2: "No."}}, Vacuous, "is equal to the answer"),
    ({"hints": {mu: "No.", mu + 0 * sigma + sin(1) ** 2 + cos(1) ** 2 - 1: "No."}}, Vacuous,
     "is equal to the wrong answer mu"),
    ({"hints": {sp.DiracDelta(mu): "No."}}, Undecided, "undecided"),
    ({"hints": {sp.Symbol("u"): "No."}}, Undecided, "its domain is unknown"),
    ({"answer": sp.Symbol("u")}, Undecided, "the answer is undecided"),
    ({"answer": sp.zoo}, Undecided, "the answer is undecided"),
    ({"given": [mu > 1, mu < 0]}, Undecided, "the answer is undecided"),
    ({"hints": {(mu, mu): "No."}}, ValueError, "the answer is of 1 formulas, a wrong one of 2"),
    ({"hints": {mu: ""}}, TypeError, "a hint is a sentence"),
    ({"hints": {mu: " "}}, TypeError, "a hint is a sentence"),
    ({"hints": {mu: 3}}, TypeError, "a hint is a sentence"),
    ({"hints": {plain["mu"]: "No."}}, ValueError, "different symbols have one name"),
    ({"variables": [plain["mu"]]}, ValueError, "different symbols have one name"),
    ({"variables": [sp.IndexedBase("mu")]}, ValueError, "different symbols have one name"),
    ({"variables": [sp.Symbol(r"\mu", real=True)]}, ValueError, "different symbols have one name"),
    ({"answer": Eq(mu, 1)}, ValueError, "is a relation"),
    ({"answer": ...}, ValueError, "the answer is missing"),
    ({"answer": ()}, ValueError, "the answer is missing"),
    ({"hints": {...: "No."}}, ValueError, "a wrong answer is missing"),
])
def test_an_exercise_that_is_wrong_itself(options, failure, message):
    with pytest.raises(failure, match=message):
        make(**options)


def test_hints_of_several_formulas_need_one_difference_only():
    assert make((mu, sigma), hints={(mu, mu): "a", (sigma, sigma): "b"}).check((sigma,
        sigma)).text == "Not yet. b"
    with pytest.raises(Vacuous):
        make((mu, sigma), hints={(mu, sigma * 1): "a"})


# -- the published solution ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("attempt", "failure", "message"), [
    (mu**2 - sigma**2, Refuted, "Not equal: at mu = "),
    (sigma**2, Refuted, ABOUT_MEAN),
    (sp.zoo, Undecided, "could not be decided"),
    (..., ValueError, "No answer yet"),
    ("2 mu", ValueError, "cannot read"),
    (plain["y"], ValueError, "uses `y`"),
    (Eq(mu, 1), ValueError, "relation"),
])
def test_a_solution_that_is_not_right_fails(attempt, failure, message):
    one = make(mu**2 + sigma**2, hints={sigma**2: ABOUT_MEAN})
    with pytest.raises(failure, match=message) as error:
        one.solution(attempt)
    assert str(error.value).startswith("ex-it, solution: ")
    if failure is Refuted:
        assert error.value.witness.startswith("at mu = ")
    with pytest.raises(ValueError, match="no solution yet"):
        one._repr_mimebundle_()
    assert report().entries == []


def test_an_accepted_solution_is_shown_and_leaves_an_entry():
    one = make(mu**2 + sigma**2, hints={sigma**2: ABOUT_MEAN, mu**2: WITHOUT_SPREAD})
    assert one.solution("(mu + sigma)^2 - 2*mu*sigma") is one
    data, metadata = one._repr_mimebundle_()
    how = "symbolic; 30 digits at 4 random points"
    assert data["text/markdown"] == f"✓ ${tex((mu + sigma) ** 2 - 2 * mu * sigma)}$: accepted ({how})."
    entry = metadata["proofread"]
    assert json.loads(json.dumps(metadata)) == metadata
    assert (entry["kind"], entry["status"], entry["rejected"]) == ("exercise", "proved", {"by the check": 2})
    assert entry["findings"] == [f"the solution equals the answer: {how}",
                                 "known wrong answers that were refuted: 2"]
    assert entry["seconds"] > 0
    # no equation of the page, and the ledger keeps the answer to itself
    assert not {"label", "of", "tex"} & set(entry)
    assert "[it](#ex-it)" in report()._repr_markdown_()


def test_a_solution_for_some_sizes_says_so():
    entry = make(factorials).solution(in_steps).entry()
    assert (entry.status, entry.word) == ("proved for some sizes", f"proved for {entry.scope}")
    assert entry.scope.startswith("n = ")
    assert len(entry.findings) == 1  # no hints, no word about them


def test_the_evidence_for_several_formulas_is_the_weakest():
    for order in (1, -1):
        answer, solution = ((mu, factorials)[::order], (mu, in_steps)[::order])
        assert make(answer).solution(solution).entry().status == "proved for some sizes"


def test_two_exercises_have_two_entries():
    for label in ("ex-a", "ex-b", "ex-b"):
        Exercise(label, answer=mu).solution(mu)._repr_mimebundle_()
    assert len(report().entries) == 2


# -- formulas as they are typed -----------------------------------------------------------------------------


def test_the_answer_the_hints_and_an_attempt_may_be_typed():
    m, s = typed.Symbol("mu", real=True), typed.Symbol("sigma", positive=True)
    one = make(m**2 + s**2, hints={s**2: ABOUT_MEAN})
    assert one.check((m + s) ** 2 - 2 * m * s).status == "right"
    assert one.check(mu**2 + sigma**2).status == "right"
    assert one.check("mu^2 + sigma^2").status == "right"
    assert one.check(s**2).text == f"Not yet. {ABOUT_MEAN}"
    assert one.check(m**2 - s**2).status == "wrong"
    assert one.check(typed.Symbol("mu") ** 2 + s**2).text.endswith(
        "(Read with the assumptions of the exercise: `mu`.)")
    assert one.check(typed.Symbol("y")).text == (
        "Your formula uses `y`; it should be in terms of `mu`, `sigma`.")
    assert moment.check(typed.Eq(m, 1)).text.endswith(" is a relation: give one side of it.")
    with pytest.raises(Vacuous, match="is equal to the answer"):
        make(m**2, hints={m * m: "No."})


def test_a_typed_vector_and_function():
    v, f = typed.IndexedBase("z", real=True), typed.Function("f", real=True)
    share = typed.exp(v[k]) / typed.Sum(typed.exp(v[i]), (i, 1, n))
    one = make(share, hints={typed.exp(v[k]): "What do they sum to?"})
    assert one.check(softmax).status == "right"
    assert one.check("exp(z[k])").status == "known"
    other = make(typed.Derivative(f(mu) ** 2, mu), variables=[f])
    assert other.check(2 * f(mu) * typed.Derivative(f(mu), mu)).status == "right"
    assert other.check("2*f(mu)*diff(f(mu), mu)").status == "right"


def test_a_bound_variable_may_have_any_name_and_assumptions():
    one = make(typed.Sum(z[i] ** 2, (i, 1, n)) + typed.Integer(0) * k)
    for index in (plain["i"], plain["k"], i, sp.Symbol("i", integer=True), sp.Symbol("l"), sp.Dummy("i"),
                  sp.Symbol("n", integer=True)):
        attempt = Sum(z[index] ** 2, (index, 1, n))
        assert one.check(attempt).status == "right", index
    both = Sum(z[plain["i"]] ** 2, (plain["i"], 1, n)) / 2 + Sum(z[i] ** 2, (i, 1, n)) / 2
    assert one.check(both).status == "right"
    assert one.check(2 * both).status == "wrong"
    assert make(sp.Limit(mu + 1 / sigma, sigma, sp.oo)).check(sp.Limit(mu + 1 / plain["y"], plain["y"],
        sp.oo)).status == "right"


def test_an_attempt_with_a_law_that_is_none_is_no_error():
    attempt = E(i, Law("u", i, 2 / n, 1, n))
    assert make((n + 1) / 2).check(attempt).status == "wrong"
    feedback = make(Sum(i, (i, 1, n)) / n).check(attempt)
    assert feedback.status == "undecided"
    assert "has not the total weight 1" in feedback.text


def test_a_solution_is_shown_as_it_is_typed():
    m, s = typed.Symbol("mu", real=True), typed.Symbol("sigma", positive=True)
    shown = make(m**2 + s**2).solution(s**2 + m**2)._repr_mimebundle_()[0]["text/markdown"]
    assert shown.startswith(r"✓ $\sigma^{2} + \mu^{2}$: accepted")


def test_an_exercise_that_is_solved_stays_as_it_was_checked():
    one = make(mu**2 + sigma**2).solution(sigma**2 + mu**2)
    with pytest.raises((AttributeError, TypeError)):
        one.answer[0] = mu
