"""The formulas in sentences and reasons: which of them the page bears out."""

import pytest

from proofread.claims.sentences import Sentences
from proofread.ledger import Entry
from proofread.sphinx import sentences

ENTRIES = [
    Entry("derivation", "proved", label="eq-slope", tex=r"\sigma'(t) = \sigma(t)(1 - \sigma(t))",
          display=r"\sigma'(t) &= \frac{e^{-t}}{(1 + e^{-t})^2} &&\quad\small\text{as u + v was} \\" "\n"
                  r"&= \sigma(t)\left(1 - \sigma(t)\right)", conditions=(r"for $2 t > x_{\cdot}$",)),
    Entry("said", "definition", said=(r"x + y < 1", "n = 31")),
    Entry("said", "proved", title=Sentences.title, said=(r"(10^4)^{20} = 10^{80}",)),
]


def unchecked(text, code="n = 400_000 + 0.05 * 1e-4 - x(-2.5)"):
    return sentences.unchecked([text], [code], ENTRIES)


@pytest.mark.parametrize("tex", [
    r"\sigma(t)\,(1-\sigma(t))", r"1 - \sigma(t)", r"\tfrac{e^{-t}}{(1 + e^{-t})^2}", "2t", "x + y",
    r"400\,000", "0.05", "10^{-4}", "-2.5", "7", "z_k", r"z_1, \dots, z_n", r"f(x)", r"\hat\theta_{jk}'",
    r"p(x \mid y)", r"[a, b]", r"\mathcal N(\mu, \sigma)", "x < 2", "80", "20",
    "(1 + e^{-t})^2", r"F^{-1}(u)", r"\mathbb R^3", r"\mathbb{R}^{2}", "x^{(2)}", "z^n",
])
def test_what_the_page_bears_out_or_claims_nothing(tex):
    assert unchecked(f"So ${tex}$ is it.") == []


@pytest.mark.parametrize("tex", [
    r"\sigma(t)\,(1+\sigma(t))", r"1 + \sigma(t)", r"\tfrac{e^{t}}{(1 + e^{-t})^2}", "3t", "x - y", "u + v",
    r"410\,000", "0.06", "10^{-5}", "12", "-0.05", "-z_k", r"|x|", r"f(-x)", r"\log x", "n - 1", "31", "08",
    "z_k^2", r"\sigma^3", r"\sigma^{12}", r"s_1^2, \dots, s_d^2", r"f(x^2)",
])
def test_what_nothing_bears_out(tex):
    assert unchecked(f"So ${tex}$ is it, and ${tex}$ again.") == [tex]


def test_a_number_of_which_the_text_shows_a_value():
    """An expression in the text counts as code."""
    assert sentences.unchecked(["Of $6.62$ and $6.63$."], ["f'{recipe(6.62):.4f}'"], []) == ["6.63"]


@pytest.mark.parametrize(("tex", "borne_out"), [
    (r"\sigma(t) (1 - \sigma(t))", True), (r"\sigma'(t) = \sigma(t)(1 - \sigma(t))", True), ("t > 1", False),
    (r"\sigma'(t) = \sigma(t)", True), (r"\sigma'(t) = 1 - \sigma(t)", False), ("u + v", False),
    ("t_k", True)])
def test_reasons(tex, borne_out):
    step = Entry("derivation", "proved", display=rf"a &= b &&\quad\small\text{{since ${tex}$}}")
    found = sentences.unchecked([], [], [*ENTRIES, step])
    assert found == ([] if borne_out else [tex])


@pytest.mark.parametrize(("tex", "borne_out"), [
    ("1 - \\sigma(t)", True), ("x_k", True), ("x + y < 1", True), ("1 + \\sigma(t)", False),
    ("x + y > 1", False), ("t > 0", False), ("\\sigma^2", False)])
@pytest.mark.parametrize("where", ["consequence", "instead"])
def test_errata(tex, borne_out, where):
    erratum = {"source": "a book", "consequence": "", "instead": "", where: f"It is ${tex}$, and large."}
    found = sentences.unchecked([], [], [*ENTRIES, Entry("erratum", "refuted", erratum=erratum)])
    assert found == ([] if borne_out else [tex])


@pytest.mark.parametrize("tex", ["e^{-t} t", "2^{k-1}", r"\frac1{23}"])
def test_what_braces_hold_together_stays_together(tex):
    shown = Entry("derivation", "proved", label="eq-a", tex=r"e^{-t t} + 2^k-1 + \frac{12}{3}")
    assert sentences.unchecked([f"So ${tex}$ is it."], [], [shown]) == [tex]
