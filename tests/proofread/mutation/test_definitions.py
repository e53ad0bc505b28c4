"""Wrong versions of definitions: what refutes them, and what is said of those that nothing refutes."""

import numpy as np
import pytest

from proofread import Definition, Derivation, E, Equivalence, Erratum, Law, evidence, report
from proofread import sympy as sp
from proofread.language.defined import redefined
from proofread.language.typed import unfold
from proofread.ledger import current
from proofread.mutation.definitions import attacked

x, y, c = sp.symbols("x y c", real=True)
s, t = sp.symbols("s t", positive=True)
i, k, n = sp.symbols("i k n", integer=True, positive=True)
w = sp.IndexedBase("w", positive=True)


def define(head, parameters, body, label="eq-it"):
    return shown(Definition(head, parameters, body, label=label, title="it"))


def shown(checked):
    checked._repr_mimebundle_()
    return checked


def derive(start, end, label="eq-line", **options):
    return shown(Derivation(start, label=label, title="a line", **options).step(end, "a reason"))


def passed(label="eq-it"):
    """The wrong versions that pass, in words."""
    report()
    rejected, versions = current().attacked[label]
    return versions if rejected else None


def test_a_line_determines_a_definition():
    square = define("S", (x,), x**2)
    derive(square(x + 1), x**2 + 2 * x + 1)
    assert passed() == []
    assert current().attacked["eq-it"][0] >= 2
    told = report()._repr_markdown_().splitlines()[2]
    assert told.startswith("| It [](#eq-it) | **definition** | ")
    assert told.endswith(" by numbers at two to four points |")


def test_a_definition_that_nothing_unfolds_is_not_determined():
    square = define("S", (x,), x**2)
    assert square(x).unfold() == unfold(x) ** 2
    assert passed() is None
    assert "wrong versions that nothing rejects: any |  |" in report()._repr_markdown_()


@pytest.mark.parametrize(("body", "line", "told"), [
    # only the derivative is used
    (sp.Integral(sp.exp(-t**2), (t, -sp.oo, x)), lambda F: (sp.Derivative(F(x), x), sp.exp(-x**2)),
     ["integral from 0 instead of -oo"]),
    # it cancels
    (sp.Sum(w[i], (i, 1, n)) + x, lambda F: (F(x) - F(y), x - y),
     ["sum starts one later", "sum ends one earlier"]),
    # its sign does not matter
    (x + c, lambda F: (F(x)**2 - F(y)**2, (x - y) * (x + y + 2 * c)), ["sign flipped"]),
])
def test_a_slip_that_the_lines_do_not_see_is_told(body, line, told):
    F = define("F", (x,), body)
    derive(*line(F))
    assert set(told) <= set(passed())


def test_a_second_line_sees_what_the_first_does_not():
    F = define("F", (x,), x + c)
    derive(F(x)**2 - F(y)**2, (x - y) * (x + y + 2 * c))
    assert passed() == ["sign flipped"]
    derive(F(0), c, label="eq-zero")
    assert passed() == []


def test_what_is_defined_by_it_is_unfolded_with_it():
    inner = define("f", (x,), x + 3)
    outer = define("g", (x,), 2 * inner(x), label="eq-outer")
    derive(outer(x), 2 * x + 6)
    assert passed() == passed("eq-outer") == []


def test_an_equation_with_a_solution_determines_a_definition():
    root = define("r", (s,), sp.sqrt(s) + 1)
    told = Equivalence(sp.Eq((t - 1)**2, s), unknown=t, domain=sp.Interval.open(1, 9), given=[s < 4],
                       label="eq-root", title="a root")
    shown(told.step(sp.Eq(t - 1, sp.sqrt(s)), "a root").step(sp.Eq(t, root(s)), "add 1"))
    assert passed() == []


def test_a_law_has_the_total_one():
    share = define("p_{#1}", (k,), w[k] / sp.Sum(w[i], (i, 1, n)))
    law = Law("p", k, share(k), 1, n)
    derive(E(c, law), c)
    assert "sign flipped" not in passed() and "factor w[k] dropped" not in passed()


def test_a_wrong_version_that_is_not_real_is_refuted():
    chance = define("p", (s,), s * sp.exp(-s))
    derive(sp.Derivative(sp.log(chance(s)), s), 1 / s - 1)  # the slope is the same with a minus
    assert passed() == []


def test_an_erratum_determines_nothing():
    square = define("S", (x,), x**2)
    shown(Erratum("A Textbook", (square(x), 3 * x), correct=square, consequence="It is no line."))
    assert passed() is None


def logistic(label):
    return define("F", (x,), 1 / (1 + sp.exp(-x)), label=label)


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def test_routes_determine_a_definition():
    by_function, by_draws = logistic("eq-it"), logistic("eq-drawn")
    shown(evidence.agree(sigmoid, by_function(x), {x: lambda rng: rng.normal()}, of=by_function, bound=8,
                         name="sigmoid", because="an exponential, a sum, a quotient"))
    by_draws(x)
    shown(evidence.cdf_agrees(lambda count, rng: rng.logistic(size=count), sigmoid, effect=0.05, of=by_draws,
                              at={}, variable=x, title="a logistic variable"))
    assert passed() == passed("eq-drawn") == []


def test_so_does_a_sum_over_all_outcomes():
    total = define("T", (n,), n * (n + 1) / 2)
    total(n)
    shown(evidence.enumeration(lambda v: v, lambda v: 1 / 4, [0, 8, 24, 8], 10.0, of=total, at={n: 4},
                               title="a sum", bound=4, because="four terms"))
    assert passed() == []


def test_a_matrix_is_attacked_too():
    A, B = sp.MatrixSymbol("A", n, n), sp.MatrixSymbol("B", n, n)
    both = Definition("C", (A, B), A * B, label="eq-it", title="it")
    for start, end, told in [(sp.Trace(both(A, B)), sp.Trace(B * A), ["A and B exchanged"]),
                             (sp.Trace(both(A, B) * A.T), sp.Trace(A * B * A.T), [])]:
        line = Derivation(start, label="eq-line", title="a line").step(end, "a reason")
        rejected, versions = attacked(both.signature, (), line.comparisons())
        assert rejected and versions == told


def test_what_could_not_be_defined_is_not_tried():
    product = define("f", (x, y), x * y)
    derive(product(x, y) * product(y, x), x**2 * y**2)
    assert "sign flipped" in passed() and not any("dropped" in told for told in passed())


def test_a_property_is_no_number():
    small = define("S", (x,), sp.Lt(x, 1))
    small(x)
    report()
    assert "eq-it" not in current().attacked


def test_another_body_is_put_wherever_a_definition_is_unfolded():
    square = Definition("S", (x,), x**2, label="eq-it", title="it")
    outer = Definition("G", (x,), 1 + square(x), label="eq-outer", title="more")
    cube = Definition("S", (x,), x**3, label="eq-it", title="it").signature
    formula = sp.Sum(outer(k) * w[k], (k, 1, n)) + square(square(x))
    plain = unfold(redefined(formula, cube))
    assert plain == unfold(sp.Sum((1 + k**3) * w[k], (k, 1, n)) + x**9)
    assert unfold(formula) == unfold(sp.Sum((1 + k**2) * w[k], (k, 1, n)) + x**4)
    assert redefined(x + 1, cube) == x + 1
