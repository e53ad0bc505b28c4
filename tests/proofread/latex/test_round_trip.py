"""A printer that slips is caught: what stands on the page is read back before it is shown."""

import dataclasses
import re
from functools import cache

import pytest

from proofread import KL, Argued, Definition, Derivation, Distributed, E, Equivalence, Law, Var, decide
from proofread import sympy as sp
from proofread.decision import question
from proofread.errors import Misprinted
from proofread.language.notation import Scalar, Without
from proofread.language.sympy import MaxOver
from proofread.language.typed import unfold
from proofread.latex import display, printer, round_trip

x, y, c = sp.symbols("x y c", real=True)
s, t = sp.symbols("s t", positive=True)
U, T = sp.symbols("U T", positive=True)
i, j, k, n, d = sp.symbols("i j k n d", integer=True, positive=True)
z = sp.IndexedBase("z", real=True)
f = sp.Function("f", real=True)
A, v = sp.MatrixSymbol("A", d, d), sp.MatrixSymbol("v", d, 1)


def over(term):
    return sp.Sum(term, (i, 1, n))


def chain(first, *lines, **options):
    made = Derivation(first, label="eq-print", title="a print", **options)
    for line in lines:
        made.step(line, "a reason")
    return made


def show(checked):
    return checked._repr_mimebundle_()


def defined():
    return Definition(r"\pi_{#1}", (k,), sp.exp(z[k]) / over(sp.exp(z[i])), label="eq-pi", title="softmax")


def square():
    return chain((x + y) ** 2, x**2 + 2 * x * y + y**2)


def rate():
    return chain(2 * (x + 1) / (2 * s), (x + 1) / s)


def total():
    return chain(over(z[i] - c), over(z[i]) - n * c)


def bound():
    made = Derivation(MaxOver(z[i], (i, 1, n)), label="eq-print", title="a print")
    return made.step(sp.log(over(sp.exp(z[i]))), "one term", relation="<=")


def product_rule():
    return chain(sp.Derivative(x**2, x) * sp.sin(x), 2 * x * sp.sin(x))


def mean():
    law = Law("u", k, 1 / n, 1, n)
    return chain(E(k, law), (n + 1) / 2)


def argued():
    made = Derivation(sp.Integral(sp.exp(-t * x**2), (x, -sp.oo, sp.oo)), label="eq-print", title="a print")
    return made.argue(sp.sqrt(sp.pi / t), "dominated")


def largest():
    return chain(sp.Max(x, y) + sp.Min(x, y), x + y)


def difference():
    return chain(x - (y - c), x - y + c)


def negative():
    return chain(-x * (y - c), x * c - x * y)


def opposite():
    return chain(-(x + y), -x - y)


def exponential():
    return chain(sp.exp(x) * sp.exp(-c), sp.exp(x - c))


def lost_index():
    return chain(Without(over(z[i]), k), over(z[i]) - z[k])


def quadratic():
    return chain(2 * Scalar(v.T * A * v), Scalar(v.T * (A + A.T) * v))


def solved():
    made = Equivalence(sp.Eq(sp.exp(x), s), unknown=x, domain=sp.Interval(-5, 5), given=[s > 1, s < 9],
                       label="eq-print",
                       title="a print")
    return made.step(sp.Eq(x, sp.log(s)), "take the logarithm")


@cache  # these have no steps to come, and take seconds
def distributed():
    uniform, exponential_ = Law("U(0, 1)", U, 1, 0, 1), Law("Exp", T, sp.exp(-T), 0, sp.oo)
    return Distributed(-sp.log(U), uniform, exponential_, increasing=False, label="eq-print", title="a print")


@cache
def pieces():
    laplace = Law("L", x, sp.exp(-abs(x)) / 2, -sp.oo, sp.oo)
    two_sided = sp.Piecewise((sp.log(2 * U), U < sp.S.Half), (-sp.log(2 * (1 - U)), True))
    return Distributed(two_sided, Law("U(0, 1)", U, 1, 0, 1), laplace, increasing=True, label="eq-print",
                       title="a print")


@cache
def jointly():
    waits = [Law("Exp", v, sp.exp(-v), 0, sp.oo) for v in (U, T)]
    total_, share = Law("G", s, s * sp.exp(-s), 0, sp.oo), Law("U(0, 1)", t, 1, 0, 1)
    return Distributed((U + T, U / (U + T)), waits, (total_, share), inverse=(s * t, s * (1 - t)),
                              label="eq-print", title="a print")


def limit():
    return chain(sp.Limit(sp.exp(-1 / t), t, 0, "+") + x * x, x**2)


def primed():
    return chain(sp.Derivative(f(x) ** 2, x), 2 * f(x) * sp.Derivative(f(x), x))


def divergence():
    p, q = Law("p", k, 1 / n, 1, n), Law("q", k, 2 * k / (n * (n + 1)), 1, n)
    return chain(KL(p, q), KL(p, q) + over(z[i]) - over(z[i]))


def changed(change, level):
    """A function of the printer whose TeX is changed."""
    return lambda f: lambda *a, **o: (change(f(*a, **o)[0]), level)


def swap(old, new, level):
    return changed(lambda text: text.replace(old, new), level)


def bare(text):
    return text.replace(r"\left(", "").replace(r"\right)", "")


def unsigned(text):
    return text.removeprefix("-")


def other_line(**changes):
    """A function of the display that is given a line with other fields."""
    return lambda f: lambda line, *a: f(dataclasses.replace(line, **changes), *a)


# a name for the slip -> (what is shown, where in the printer it is made, how)
SLIPS = {
    "no brackets around a base": (square, "_power", changed(bare, 4)),
    "an exponent lost": (square, "_power", changed(lambda text: text.split("^")[0], 4)),
    "numerator and denominator exchanged": (rate, "_quotient", lambda f: lambda e, inline, small=False: f(
        e.func(e.args[1], e.args[0]), inline, small)),
    "a quotient without its denominator": (
        rate, "_quotient", lambda f: lambda e, *a, **o: printer.tex(e.args[0])),
    "a minus sign lost": (opposite, "_negative", changed(unsigned, 1)),
    "a minus sign of a product lost": (negative, "_product", changed(unsigned, 2)),
    "plus for minus": (difference, "_sum", swap(" - ", " + ", 1)),
    "no brackets after a minus sign": (difference, "_sum", changed(bare, 1)),
    "the lower bound of a sum off by one": (total, "_ranged", swap("=1}", "=2}", 3)),
    "the upper bound of a sum off by one": (total, "_ranged", swap("^{n}", "^{n - 1}", 3)),
    "a product for a sum": (total, "_ranged", swap(r"\sum", r"\prod", 3)),
    "no brackets around the terms of a sum": (total, "_body", lambda f: lambda e, inline: printer.tex(e)),
    "no brackets around a derivative that is not the last": (
        product_rule, "_derivative", changed(str, printer.ATOM)),
    "another variable of a derivative": (product_rule, "_derivative", swap("d x", "d y", 3)),
    "a maximum for a minimum": (largest, "_WORDS", lambda f: {**f, "Min": r"\max"}),
    "a minimum over an index for a maximum": (bound, "_max_over", swap(r"\max", r"\min", 3)),
    "another index": (bound, "_entry", swap("_{i}", "_{n}", 5)),
    "an index not left out": (lost_index, "_without", swap(r"\neq k", r"\neq n", 3)),
    "the sign in an exponent lost": (exponential, "_exp", swap("-c", "c", 4)),
    "a transpose lost": (quadratic, "_transpose", swap(r"^{\top}", "", 4)),
    "the name of a law": (mean, "_expectation", swap(r"\sim u", r"\sim w", 5)),
    "a variance for a mean": (mean, "_expectation", swap(r"\mathbb{E}", r"\operatorname{Var}", 5)),
    "the two laws of a divergence exchanged": (divergence, "_divergence", lambda f: lambda e, *a: (
        r"\mathrm{KL}\left(q\,\middle\|\,p\right)", 5)),
    "a prime lost": (primed, "_primed", lambda f: lambda *a: (f(*a) or "").replace("'", "") or None),
    "a limit from the other side": (limit, "_limit", swap("^{+}", "^{-}", 3)),
    "a bound of an integral": (argued, "_integral", swap(r"_{-\infty}", r"_{0}", 3)),
    "a root lost": (argued, "_sqrt", lambda f: lambda e, *a: (printer.tex(e.args[0]), 2)),
    "a piece lost": (pieces, "_pieces", changed(lambda text: re.sub(r" .*?\\\\ ", " ", text, count=1), 0)),
    "two pieces exchanged": (pieces, "_pieces", lambda f: lambda e, *a: f(sp.Piecewise(
        (e.args[1][0], e.args[0][1]), (e.args[0][0], True)), *a)),
    "a condition turned": (pieces, "_where", lambda f: lambda *a: f(*a).replace("<", ">")),
    "a condition that is not strict": (pieces, "_where", lambda f: lambda *a: f(*a).replace("<", r"\le")),
    "another threshold": (pieces, "_where", lambda f: lambda *a: f(*a).replace("{2}", "{3}")),
    "a condition forgotten": (pieces, "_where", lambda f: lambda *a: f(*a).replace(r"\text{if }", "")),
    "another function of several": (jointly, "_has_law", swap("U + T, ", "U - T, ", 0)),
    "two functions exchanged": (jointly, "_has_law", swap(
        r"U + T, \frac{U}{U + T}", r"\frac{U}{U + T}, U + T", 0)),
    "a function lost": (jointly, "_has_law", swap(r", \frac{U}{U + T}", "", 0)),
    "another joint law": (jointly, "_has_law", swap(r"\otimes", r"\oplus", 0)),
    "a number off by one": (square, "_rational", lambda f: lambda e, *a: f(e + 1, *a)),
}
DISPLAY_SLIPS = {
    "another sign of a relation": (bound, "RELATIONS", lambda f: {**f, "<=": r"\ge"}),
    "an equality for an inequality": (bound, "RELATIONS", lambda f: {**f, "<=": "="}),
    "a reason dropped": (bound, "_reason", lambda f: lambda line, before: ""),
    "the reason of another line": (bound, "_reason", other_line(reason="two terms")),
    "the mark of an argued line dropped": (argued, "_reason", other_line(argued=False)),
    "a proved line marked as argued": (bound, "_reason", other_line(argued=True)),
    "a line dropped": (solved, "formula", lambda f: lambda lines: f(lines[:-1])),
    "a side with another sign": (square, "formula", lambda f: lambda lines: f(
        [dataclasses.replace(line, right=-line.right) for line in lines])),
    "an equation of an equivalence changed": (solved, "_row", lambda f: lambda line: f(
        dataclasses.replace(line, right=line.right + 1))),
    "a definition shown as an equation": (defined, "RELATIONS", lambda f: {**f, ":=": "="}),
}


def slip(monkeypatch, module, where, how):
    """Break one function of the printer: the one that prints, and the one that the dispatch finds."""
    original = getattr(module, where)
    broken = how(original)
    monkeypatch.setattr(module, where, broken)
    if module is not printer:
        return
    for kind, handler in list(printer._SPECIAL.items()):
        if handler is original:
            monkeypatch.setitem(printer._SPECIAL, kind, broken)
    registered = dict(printer._node.registry)
    node = printer._node

    def dispatch(expr, *arguments):
        found = node.dispatch(type(expr))
        return (broken if found is original else found)(expr, *arguments)

    if original in registered.values():
        monkeypatch.setattr(printer, "_node", dispatch)


@pytest.mark.parametrize("what", SLIPS)
def test_a_slip_of_the_printer_is_a_misprint(monkeypatch, what):
    made, where, how = SLIPS[what]
    checked = made()
    before = show(checked)[0]["text/markdown"]
    slip(monkeypatch, printer, where, how)
    with pytest.raises(Misprinted, match="eq-p"):
        show(checked)
    monkeypatch.undo()
    assert show(checked)[0]["text/markdown"] == before


@pytest.mark.parametrize("what", DISPLAY_SLIPS)
def test_a_slip_in_the_lines_is_a_misprint(monkeypatch, what):
    made, where, how = DISPLAY_SLIPS[what]
    checked = made()
    show(checked)
    slip(monkeypatch, display, where, how)
    with pytest.raises(Misprinted, match="eq-p"):
        show(checked)


def test_the_law_of_a_distributed_variable_is_read_back(monkeypatch):
    checked = distributed()
    show(checked)
    slip(monkeypatch, printer, "_has_law", swap("Exp", "Exponential", 0))
    with pytest.raises(Misprinted):
        show(checked)


def test_the_index_of_a_definition_is_read_back(monkeypatch):
    checked = defined()
    show(checked)
    slip(monkeypatch, printer, "_entry", swap("_{k}", "_{n}", 5))
    with pytest.raises(Misprinted):
        show(checked)


def test_the_word_argued_of_a_claim_is_read_back(monkeypatch):
    claim = Argued(r"\Pr(T > #1)", (t,), sp.exp(-t), because="$T$ is exponential", label="eq-print",
                   title="a claim")
    assert r"\textbf{argued: }\text{$T$ is exponential}" in show(claim)[0]["text/markdown"]
    slip(monkeypatch, display, "_reason", other_line(argued=False))
    with pytest.raises(Misprinted):
        show(claim)


@pytest.mark.parametrize("made", [
    square, rate, total, bound, product_rule, mean, argued, largest, difference, negative, opposite,
    exponential, lost_index,
    quadratic, solved, distributed, pieces, jointly, limit, primed, divergence, defined])
def test_what_is_right_is_shown(made):
    text = show(made())[0]["text/markdown"]
    assert text.startswith("$$\n") and "$$ (eq-p" in text


def test_the_value_counts_and_not_the_form():
    checked = square()
    lines = checked.lines()
    for right in ("y^{2} + 2 x y + x^{2}", r"\left(y + x\right)^{2}", "x^{2} + y \\left(y + 2 x\\right)"):
        round_trip.compare(rf"\left(x + y\right)^{{2}} = {right} \quad\small\text{{a reason}}", lines,
                         "eq-print")
    for right in ("y^{2} + 2 x y + y^{2}", "x^{2} + 2 x y", "q", "", r"\frac{x}{"):
        with pytest.raises(Misprinted, match="eq-print"):
            round_trip.compare(rf"\left(x + y\right)^{{2}} = {right} \quad\small\text{{a reason}}", lines,
                             "eq-print")


def test_what_is_read_is_asked_at_the_points_of_its_line(monkeypatch):
    monkeypatch.delenv("PROOFREAD_VERDICTS", raising=False)
    lines, made, drawn = square().lines(), [], []
    of, points = question.Question.of, question.points
    monkeypatch.setattr(question.Question, "of", lambda *said: made.append(said) or of(*said))
    monkeypatch.setattr(question, "points", lambda *said, **how: drawn.append(said) or points(*said, **how))
    shown = r"\left(x + y\right)^{{2}} = {} \quad\small\text{{a reason}}"
    round_trip.compare(shown.format(r"y^{2} + x \left(x + 2 y\right)"), lines, "eq-print")
    with pytest.raises(Misprinted):
        round_trip.compare(shown.format(r"y^{2} + x \left(x + y\right)"), lines, "eq-print")
    assert (len(made), len(drawn)) == (0, 0)


def test_what_is_read_is_asked_under_the_conditions_of_its_line():
    lines = chain(2 * x, x + sp.Abs(x), given=[x > 0]).lines()
    shown = r"2 x = {} \quad\small\text{{a reason}}"
    round_trip.compare(shown.format(r"2 \left|x\right|"), lines, "eq-print")
    with pytest.raises(Misprinted):
        round_trip.compare(shown.format(r"x - \left|x\right|"), lines, "eq-print")


def test_var_and_mean_are_told_apart():
    law = Law("u", k, 1 / n, 1, n)
    side = Var(k, law)
    found = unfold(round_trip.read(printer.tex(side), round_trip.vocabulary(side)))
    assert decide(found, side).status == "proved"
    assert decide(found, E(k, law)).status == "refuted"
