"""Each symbol of a page is declared, and has one meaning."""

import pytest

from proofread import Definition, Derivation, symbols_mean
from proofread import sympy as sp

i, n = sp.symbols("i n", integer=True, positive=True)
x, s = sp.Symbol("x", real=True), sp.Symbol("sigma", positive=True)
z, A = sp.IndexedBase("z", real=True), sp.MatrixSymbol("A", n, n)
f = sp.Function("f", real=True)


def shown(left, right):
    chain = Derivation(left, label="eq-shown", title="shown")
    chain.step(right, "by hand")
    chain._repr_mimebundle_()


def test_all_that_is_displayed_is_declared():
    shown(sp.Sum(x * z[i], (i, 1, n)), x * sp.Sum(z[i], (i, 1, n)))
    table = symbols_mean({x: "a number", z: "logits", i: "a class", n: "number of classes"}).sentence()
    assert table.splitlines()[2:] == ["| $x$ | a number | real |", "| $z$ | logits | real |",
                                      "| $i$ | a class | 1, 2, … |", "| $n$ | number of classes | 1, 2, … |"]
    with pytest.raises(ValueError, match="eq-shown: z is not declared"):
        symbols_mean({x: "a number", i: "a class", n: "number of classes"})


def test_functions_and_matrices_are_symbols_too():
    shown(sp.Trace(A) + f(x), f(x) + sp.Trace(A))
    found = symbols_mean({A: "a matrix", f: "a function", x: "where", n: "its size"}).meanings
    assert list(found.values())[:2] == [("A", "a matrix", r"$n \times n$"), ("f", "a function", "real")]
    with pytest.raises(ValueError, match="eq-shown: f is not declared"):
        symbols_mean({A: "a matrix", x: "where", n: "its size"})


def test_a_column_is_a_matrix():
    found = symbols_mean({sp.MatrixSymbol("y", n, 1): "a vector"}).meanings
    assert list(found.values()) == [("y", "a vector", r"$n \times 1$")]


def test_a_symbol_of_the_same_name_is_another_one():
    shown((x + 1) ** 2, x**2 + 2 * x + 1)
    with pytest.raises(ValueError, match="eq-shown: x is another symbol than the one that is declared"):
        symbols_mean({sp.Symbol("x", positive=True): "a number"})


def test_what_is_defined_is_no_symbol():
    sigmoid = Definition(r"\sigma", (x,), 1 / (1 + sp.exp(-x)), label="eq-sigmoid", title="sigmoid")
    sigmoid._repr_mimebundle_()
    shown((s + 1) ** 2, s**2 + 2 * s + 1)
    with pytest.raises(ValueError, match=r"\\sigma has two meanings: it is defined in eq-sigmoid, and a sym"):
        symbols_mean({x: "a number", s: "deviation"})
    with pytest.raises(ValueError, match="x has two meanings"):
        symbols_mean({x: "a number", sp.Symbol("x", positive=True): "another"})


def test_two_definitions_are_not_written_alike():
    def define(head, arguments, body, label):
        Definition(head, arguments, body, label=label, title="a law")._repr_mimebundle_()
        symbols_mean({x: "a number", i: "a class", A: "a matrix", n: "its size"})

    define("p_{#1}(#2)", (i, x), x**i, "eq-one")
    define("p_{z}(#1)", (x,), x**2, "eq-of-z")
    define("p_{#1}(#2)", (n, A), sp.Trace(A) ** n, "eq-of-matrices")
    with pytest.raises(ValueError, match=r"eq-two is written as eq-one is: p_{#1}\(#2\)"):
        define("p_{#1}(#2)", (n, x), x**n + 1, "eq-two")


# -- domains -------------------------------------------------------------------------------------------------

p, t = sp.symbols("p t", positive=True)
j = sp.Symbol("j", integer=True, positive=True)


def stated(left, right, given, label="eq-stated"):
    chain = Derivation(left, label=label, title="stated", given=given).step(right, "by hand")
    chain._repr_mimebundle_()


def test_a_domain_is_shown_with_the_values():
    table = symbols_mean({p: ("a probability", p < 1), x: ("an angle", x >= 0, x < 2 * sp.pi)}).sentence()
    assert table.splitlines()[2:] == [r"| $p$ | a probability | positive, $p < 1$ |",
                                      r"| $x$ | an angle | real, $x \ge 0$, $x < 2 \pi$ |"]
    entry = symbols_mean({p: ("a probability", p < 1)}).entry()
    assert entry.symbols == {"p": "a probability, positive, $p < 1$"}


def test_a_domain_is_that_of_one_symbol():
    with pytest.raises(ValueError, match="the domain of p: expected conditions on it alone, got p < t"):
        symbols_mean({p: ("a probability", p < t)})


@pytest.mark.parametrize(("given", "domain"), [
    ([p < 1], [p < 1]), ([1 > p], [p < 1]), ([p < 1, t > 2], [p < 1]), ([], [p < 1])])
def test_a_condition_is_the_domain(given, domain):
    stated(t * (1 - p) * (1 + p), t * (1 - p**2), given)
    symbols_mean({p: ("a probability", *domain), t: ("a time", t > 2)})


@pytest.mark.parametrize(("given", "told"), [
    ([p < 2], "eq-stated: expected a condition that it needs, or the domain of p, p < 1; got p < 2, and"),
    ([p <= 1], "the domain of p, p < 1; got p <= 1, and just beyond"),
    ([p < sp.Rational(1, 2)], "the domain of p, p < 1; got p < 1/2, and just beyond that it holds as well"),
    ([p > sp.Rational(1, 4)], "the domain of p, p < 1; got p > 1/4"),
])
def test_a_condition_is_another_one_than_the_domain(given, told):
    stated((1 - p) * (1 + p), 1 - p**2, given)
    with pytest.raises(ValueError, match=told):
        symbols_mean({p: ("a probability", p < 1)})


def test_a_condition_that_is_not_needed_is_a_domain():
    stated((1 - p) * (1 + p), 1 - p**2, [p < 1])
    with pytest.raises(ValueError, match="the domain of p, which `symbols_mean` does not tell; got p < 1"):
        symbols_mean({p: "a probability"})


def test_a_condition_that_is_needed_is_none():
    stated(sp.Abs(p - 1), 1 - p, [p < 1])
    symbols_mean({p: "a number"})
    symbols_mean({p: ("a number", p < 2)})


def test_a_size_is_the_least_one_possible():
    left = sp.Sum((1 - sp.KroneckerDelta(i, j)) * z[i], (i, 1, n)) / (n - 1)
    right = (sp.Sum(z[i], (i, 1, n)) - z[j]) / (n - 1)
    words = {z: "numbers", i: "one", j: "another", n: "how many"}
    stated(left, right, [n >= 2])
    symbols_mean(words)
    stated(left, right, [n >= 4])
    with pytest.raises(ValueError, match="which `symbols_mean` does not tell; got n >= 4, and just beyond"):
        symbols_mean(words)


def test_a_definition_needs_no_condition_but_has_the_domain():
    half = Definition("h", (p,), p / 2, label="eq-half", title="a half", given=[p < 2])
    half._repr_mimebundle_()
    symbols_mean({p: "a number"})
    with pytest.raises(ValueError, match="eq-half: .* the domain of p, p < 1; got p < 2"):
        symbols_mean({p: ("a probability", p < 1)})


def test_a_condition_on_two_symbols_is_nobodys_domain():
    stated((p - t) * (p + t), p**2 - t**2, [p < t])
    symbols_mean({p: "a number", t: "another"})
