"""Definitions: no argument is captured, nothing is defined in vain."""

import pytest

from proofread import Argued, Definition, Derivation, E, Erratum, NormalLaw, decide, report
from proofread import sympy as sp
from proofread.language.notation import Scalar
from proofread.language.sympy import Integral, Lambda, MaxOver, Sum, exp, log, oo
from proofread.language.typed import unfold
from proofread.latex import tex

x, y, a = sp.symbols("x y a", real=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
z = sp.IndexedBase("z", real=True)


def define(head, parameters, body, label="eq-d"):
    return Definition(head, parameters, body, label=label, title="a definition")


def test_an_argument_that_is_named_like_a_bound_index_is_not_captured():
    scaled = define("S", (x,), Sum(x * z[i], (i, 1, n)))
    assert decide(scaled(i), i * Sum(z[j], (j, 1, n))).status == "proved"
    assert decide(scaled(i), Sum(i * z[i], (i, 1, n))).status == "refuted"
    pi = define(r"\pi_{#1}", (k,), exp(z[k]) / Sum(exp(z[i]), (i, 1, n)))
    assert decide(Sum(pi(i), (i, 1, n)), 1).status == "proved"


def test_nested_definitions_capture_nothing():
    inner = define("G", (i,), Sum(a * i * z[j], (j, 1, n)), "eq-g")
    outer = define("F", (x,), Sum(x * inner(k), (k, 1, n)), "eq-f")
    assert decide(outer(x), x * a * n * (n + 1) / 2 * Sum(z[j], (j, 1, n))).status == "proved"
    assert decide(inner(inner(i)), a**2 * i * Sum(z[j], (j, 1, n)) ** 2).status == "proved"


def test_bound_variables_of_integrals_and_maxima():
    area = define("A", (a,), Integral(exp(-x) * a, (x, 0, oo)))
    assert decide(area(x), x).status == "proved"
    top = define("m", (x,), MaxOver(z[i] + x, (i, 1, n)))
    assert decide(top(i), i + MaxOver(z[j], (j, 1, n))).status in ("proved", "agrees")
    twice = define("T", (a,), Lambda(x, x + a)(y))
    assert unfold(twice(x)) == unfold(x + y)


def test_arguments_change_places_without_harm():
    difference = define("d", (x, y), x - 2 * y)
    assert unfold(difference(y, x)) == unfold(y - 2 * x)


def test_derivatives_see_through():
    pi = define(r"\pi_{#1}", (k,), exp(z[k]) / Sum(exp(z[i]), (i, 1, n)))
    expected = pi(i) * (sp.KroneckerDelta(i, j) - pi(j))
    assert decide(sp.Derivative(pi(i), z[j]), expected).status == "proved"
    assert decide(sp.diff(pi(i), z[j]), expected).status == "proved"
    assert decide(sp.diff(pi(i), z[j]), pi(i) * (1 - pi(j))).status == "refuted"


def test_what_it_looks_like():
    sigma = define(r"\sigma", (x,), 1 / (1 + exp(-x)), "eq-sigma")
    assert tex(sigma(2 * y) ** 2) == r"\sigma(2 y)^{2}"
    shown = sigma._repr_mimebundle_()[0]["text/markdown"]
    assert shown == "$$\n" r"\sigma(x) := \frac{1}{1 + e^{-x}}" "\n$$ (eq-sigma)"
    assert tex(define(r"\pi_{#1}", (k,), z[k])(j)) == r"\pi_{j}"
    assert tex(define("Z", (), Sum(exp(z[i]), (i, 1, n)))()) == "Z"


A, B, v = (sp.MatrixSymbol(name, n, columns) for name, columns in (("A", n), ("B", n), ("v", 1)))


def test_parameters_may_be_matrices():
    form = define("Q", (v, A, a), a * Scalar(v.T * A.I * v) + log(sp.Determinant(A)))
    definite = [sp.Q.positive_definite(A), sp.Q.positive_definite(B)]
    twice = 2 * Scalar(v.T * B.I * v) + log(sp.Determinant(B))
    assert decide(form(v, B, 2), twice, given=definite).status == "proved"
    assert decide(form(v, A, 2), twice, given=definite).status == "refuted"
    assert tex(form(v, B, x)) == r"Q(v, B, x)"
    product = define("T", (A, B), sp.Trace(A * B * B))
    assert decide(product(B, A), sp.Trace(B * A * A)).status == "proved"  # arguments change places
    assert decide(product(B, A), product(A, B)).status == "refuted"
    assert decide(form(v, A, z[i]), z[i] * form(v, A, 1) + (1 - z[i]) * log(sp.Determinant(A)),
                  given=definite).status == "proved"
    with pytest.raises(TypeError, match="not the shape"):
        form(x, A, a)
    with pytest.raises(TypeError, match="not the shape"):
        product(A, v)


def test_an_argument_is_not_captured_by_a_random_vector():
    law = NormalLaw("v", v, sp.ZeroMatrix(n, 1), sp.Identity(n))
    square = define("S", (B,), E(Scalar(v.T * B * v), law))
    second = define("m", (a,), E(a * Scalar(v.T * v), law))
    assert decide(square(A), sp.Trace(A)).status == "proved"
    assert decide(second(Scalar(v.T * v)), n * Scalar(v.T * v)).status == "proved"
    assert decide(second(Scalar(v.T * v)), n**2 + 2 * n).status == "refuted"


def test_arguments_are_counted():
    with pytest.raises(TypeError, match="takes 1 arguments; got 2"):
        define("f", (x,), x)(x, y)
    with pytest.raises(ValueError, match="does not depend"):
        define("f", (x, y), x)


def test_nothing_is_defined_in_vain():
    f = define("f", (x,), x**2, "eq-in-vain")
    f._repr_mimebundle_()
    with pytest.raises(ValueError, match="defined and never used: eq-in-vain"):
        report()
    f(y)
    f._repr_mimebundle_()  # shown again, after it was used
    assert report().entries[0].status == "definition"


def test_a_definition_that_serves_a_refutation_only_is_reported():
    inner, wrong = define("g", (x,), x**2, "eq-inner"), define("w", (x,), x**3, "eq-wrong")
    outer = define("h", (x,), 2 * inner(x), "eq-outer")
    claim = outer(x)
    for definition in (inner, outer, wrong):
        definition._repr_mimebundle_()
    Erratum("A Textbook", (outer(x), wrong(x)), correct=outer, consequence="It is too large.")
    lines = report()._repr_markdown_().splitlines()
    assert [line.count("that nothing rejects") for line in lines[2:]] == [1, 1, 1]
    Derivation(claim, label="eq-chain", title="a chain").step(2 * x * x, "square")._repr_mimebundle_()
    lines = report()._repr_markdown_().splitlines()
    assert [line.count("that nothing rejects") for line in lines[2:]] == [0, 0, 1, 0]


# -- what a definition may not say ---------------------------------------------------------------------------


def test_every_parameter_is_shown_in_the_head():
    with pytest.raises(ValueError, match=r"the arguments \[2\] are not shown"):
        define(r"f_{#1}", (x, y), x + y)
    assert tex(define(r"f_{#1}(#2)", (x, y), x + y)(y, a)) == r"f_{y}(a)"


def test_a_property_is_a_claim():
    small = define(r"S", (x,), sp.Lt(x, a), "eq-small")
    assert small.statement.relation == ":iff"
    assert small.entry().tex == r"S(x) :\iff x < a"
    assert small._repr_mimebundle_()[1]["proofread"]["status"] == "definition"


def test_a_definition_cannot_be_changed():
    square = define("f", (x,), x**2)
    for field in ("head", "body", "statement"):
        with pytest.raises(AttributeError):
            setattr(square, field, x**3)


def test_an_argued_claim_states_its_argument():
    for because in ("", " "):
        with pytest.raises(ValueError, match="states its argument and hypothesis"):
            Argued(r"\Pr(X > #1)", (x,), exp(-x), because=because, label="eq-claim", title="a claim")


def test_what_rests_on_an_argued_claim_says_so():
    claim = Argued(r"\Pr(X > #1)", (x,), exp(-x), because="$X$ is exponential", label="eq-claim",
                   title="a claim")
    entry = claim.entry()
    assert (entry.kind, entry.status, entry.argued) == ("argued", "argued", 1)
    assert entry.findings == ("argued: $X$ is exponential",)
    chain = Derivation(-log(claim(x)), label="eq-hazard", title="hazard").step(x, "a logarithm")
    assert chain.entry().rests_on == ("eq-claim",)
    shown = claim._repr_mimebundle_()[0]["text/markdown"]
    assert shown == ("$$\n" r"\Pr(X > x) = e^{-x} "
                     r"\quad\small\textbf{argued: }\text{$X$ is exponential}" "\n$$ (eq-claim)")
