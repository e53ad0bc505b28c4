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
