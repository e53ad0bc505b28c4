"""Chains of equations with one solution: what is proved, and what is refused."""

import pytest

from proofread import Equivalence
from proofread import sympy as sp
from proofread.errors import Refuted, Undecided, Vacuous
from proofread.language.typed import unfold

x, a, b, c = sp.symbols("x a b c", real=True)
p, q, s, t = sp.symbols("p q s t", positive=True)
k, n = sp.symbols("k n", integer=True, positive=True)
Eq = sp.Eq
WIDE = sp.Interval(-5, 5)


def solve(*lines, unknown=x, domain=WIDE, **options):
    first, *others = lines
    chain = Equivalence(first, unknown=unknown, domain=domain, label="eq-solve", title="a solution",
                        **options)
    for line in others:
        chain.step(line, "next")
    return chain


def shown(chain):
    return chain._repr_mimebundle_()[0]["text/markdown"]


def test_an_equivalence_chain():
    chain = solve(Eq(1 / (1 + sp.exp(-x)), sp.Rational(1, 3)), Eq(1 + sp.exp(-x), 3), Eq(x, -sp.log(2)))
    assert chain.mutants > 0
    assert chain.entry().status == "proved"
    assert shown(chain).count(r"\Longleftrightarrow") == 2


def test_an_equivalence_with_another_symbol():
    assert solve(Eq(s**2, 4 + a**2), Eq(s, sp.sqrt(4 + a**2)), unknown=s,
                 domain=sp.Interval.open(0, 9)).mutants > 0


@pytest.mark.parametrize("lines", [
    (Eq(x**2, x), Eq(x, 1)),  # a lost root
    ((Eq((x - sp.sqrt(2)) ** 2 * (x - 2), 0)), Eq(x, 2)),  # a lost root where the line only touches zero
    (Eq(x, 2), Eq(x**2 * (x - 2), 0), Eq(x, 2)),  # roots that came in between
    (Eq(sp.exp(x), 2), Eq(x, sp.log(3))),  # wrong
    (Eq(sp.exp(x), 2), Eq(sp.exp(2 * x), 3), Eq(x, sp.log(2))),  # wrong in between
])
def test_equivalences_that_are_none(lines):
    with pytest.raises((Refuted, Undecided)):
        solve(*lines)


def test_an_equivalence_under_conditions():
    # sqrt((a + 1)^2) is a + 1 for a > -1 only
    def lines(**options):
        return solve(Eq(s**2, (a + 1) ** 2), Eq(s, a + 1), unknown=s, domain=sp.Interval.open(0, 9),
                     **options)

    assert lines(given=[a > -1]).decided
    with pytest.raises((Refuted, Vacuous)):
        lines(given=[a < -1])
    with pytest.raises(Undecided, match="no admissible point"):
        lines(given=[a > 1, a < 0])


def test_a_solution_outside_the_domain():
    with pytest.raises((Refuted, Vacuous)):
        solve(Eq(x**2, 4 + a**2), Eq(x, sp.sqrt(4 + a**2)), domain=sp.Interval(-9, 0))
    with pytest.raises(Refuted, match="leaves"):
        solve(Eq((x - 2) * (x + sp.sqrt(3)), 0), Eq(x, 2), domain=sp.Interval(-5, 0))


def test_a_line_that_is_no_equation():
    with pytest.raises(ValueError, match="a line must be an equation"):
        solve(Eq(1 / (x - x + 3), sp.Rational(1, 3)), Eq(x, 3))
    with pytest.raises(ValueError, match="a line must be an equation"):
        solve(sp.Lt(x, 3), Eq(x, 3))
    with pytest.raises(ValueError, match="a line must be an equation"):
        solve(x, Eq(x, 3))


def test_a_line_that_no_number_solves_is_no_equation():
    with pytest.raises(ValueError, match="SymPy reads it as"):
        solve(Eq(1 / (x - 3), 0), Eq(x, 3))


def test_a_solution_that_cannot_be_miswritten_is_vacuous():
    # -a lies outside the domain, and does no harm
    with pytest.raises(Vacuous, match="no wrong version was rejected"):
        solve(Eq(s**2, a**2), Eq(s, a), unknown=s, domain=sp.Interval.open(0, 9), given=[a > 0])


def test_a_chain_without_solution_proves_nothing():
    for lines in ((Eq(sp.cos(x), x), Eq(x, sp.cos(x))), (Eq(x, 2),)):
        with pytest.raises(ValueError, match="does not end in"):
            solve(*lines).entry()


def test_what_is_solved_has_no_further_line():
    with pytest.raises(ValueError, match="is solved already"):
        solve(Eq(sp.exp(x), 2), Eq(x, sp.log(2)), Eq(2 * x, 2 * sp.log(2)))


# -- proved, or undecided -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("lines", "options"), [
    # a logarithm, an exponential
    ((Eq(sp.exp(x), s), Eq(x, sp.log(s))), {"given": [s > 1, s < 9]}),
    ((Eq(sp.log(t), a), Eq(t, sp.exp(a))), {"unknown": t, "domain": sp.Interval.open(0, 9),
                                            "given": [a < 2]}),
    # multiplied by something positive
    ((Eq(s / t, 2), Eq(s, 2 * t), Eq(t, s / 2)), {"unknown": t, "domain": sp.Interval.open(0, 9),
                                                  "given": [s < 9]}),
    # monotone
    ((Eq(x**3 + x, 2), Eq(x, 1)), {}),
    ((Eq(x + sp.exp(x), 1 + sp.E), Eq(x, 1)), {}),
])
def test_steps_that_can_be_taken_back_and_monotone_lines_are_proofs(lines, options):
    chain = solve(*lines, **options)
    entry = chain.entry()
    assert entry.status == "proved"
    finding = "no line has another one: each step can be taken back, or the line is monotone"
    assert entry.findings[-1] == finding


@pytest.mark.parametrize("lines", [
    # the only solution for a < 7/2, and one of three beyond
    (Eq((x - 1) * ((x - 1) ** 2 + sp.Rational(7, 2) - a), 0), Eq(x, 1)),
    # two that are so near each other that no grid shows them
    (Eq((x - 1) * (x - 3) * (x - 3 - sp.Rational(1, 10**6)), 0), Eq(x, 1)),
    # one, and neither is the line monotone nor its factor without a zero
    (Eq(sp.sin(x - 1) + (x - 1) / 2, 0), Eq(2 * sp.sin(x - 1) + x, 1), Eq(x, 1)),
    (Eq((x - 2) / (x - sp.sqrt(3)), 0), Eq(x, 2)),
])
def test_a_line_that_may_have_another_solution_is_undecided(lines):
    with pytest.raises(Undecided, match="holds no other solution is not seen"):
        solve(*lines)


def test_where_it_has_one_it_is_proved():
    lines = Eq((x - 1) * ((x - 1) ** 2 + sp.Rational(7, 2) - a), 0), Eq(x, 1)
    assert solve(*lines, given=[a < 3]).entry().status == "proved"


@pytest.mark.parametrize("first", [
    # the derivative of the Lagrangian of an entropy, once as it is and once with another factor
    Eq((p - 4) * (1 + sp.log(p) - a), 0), Eq((p - 4) * (1 + sp.log(p) - a - c), 0),
])
def test_a_factor_that_has_a_root_of_its_own_is_no_step_that_can_be_taken_back(first):
    shift = a + c if unfold(c) in first.free_symbols else a
    given = [a < sp.Rational(1, 2), a > -1, c < sp.Rational(1, 2), c > -1]
    with pytest.raises(Undecided, match="holds no other solution is not seen"):
        solve(first, Eq(1 + sp.log(p), shift), Eq(p, sp.exp(shift - 1)), unknown=p,
              domain=sp.Interval.open(0, 9), given=given)


def test_outside_the_domain_such_a_factor_does_no_harm():
    lines = Eq((p - 4) * (1 + sp.log(p) - a), 0), Eq(1 + sp.log(p), a), Eq(p, sp.exp(a - 1))
    chain = solve(*lines, unknown=p, domain=sp.Interval.open(0, 4), given=[a < 2])
    assert chain.entry().status == "proved"


@pytest.mark.parametrize(("high", "given", "inside"), [
    (50, (), False),  # for a beyond log(50) the solution is outside, and few points are drawn there
    (50, (a < sp.log(50),), True),
    (55, (a < 4,), True),
])
def test_a_solution_that_is_only_seen_in_the_domain_is_not_proved(high, given, inside):
    domain = sp.Interval.open(0, high)
    entry = solve(Eq(sp.log(t), a), Eq(t, sp.exp(a)), unknown=t, domain=domain, given=given).entry()
    assert entry.status == ("proved" if inside else "numbers agree")
    assert entry.findings[0].endswith("in the domain by algebra" if inside else "in the domain at 40 places")


@pytest.mark.parametrize(("least", "status"), [(sp.exp(-10), "proved"), (sp.exp(-11), "numbers agree")])
def test_a_negative_factor_turns_the_end_of_the_domain_around(least, status):
    chain = solve(Eq(s, sp.exp(-2 * x)), Eq(x, -sp.log(s) / 2), given=[s > least, s < 1],
                  domain=sp.Interval.open(-5, 5))
    assert chain.entry().status == status


@pytest.mark.parametrize(("high", "given"), [(50, a < 4), (2, c < 0)])
def test_a_condition_that_is_too_weak_or_on_something_else_does_not_keep_a_solution_inside(high, given):
    with pytest.raises(Refuted, match="leaves"):
        solve(Eq(sp.log(t), a), Eq(t, sp.exp(a)), unknown=t, domain=sp.Interval.open(0, high), given=[given])


# -- what is shown ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("domain", "shown_as"), [
    (sp.Interval(-5, 5), "[-5, 5]"), (sp.Interval.open(-5, 5), "(-5, 5)"),
    (sp.Interval.Lopen(-5, 5), "(-5, 5]"),
])
def test_the_domain_and_the_conditions_are_told_and_shown(domain, shown_as):
    chain = solve(Eq(sp.exp(x), s), Eq(x, sp.log(s)), domain=domain, given=[s > 1, s < 9])
    condition = f"for $s > 1$, $s < 9$, $x \\in {shown_as}$"
    assert chain.entry().conditions == (condition,)
    assert shown(chain).endswith(f"$$ (eq-solve)\n\n{condition}")


def test_a_chain_of_equations_cannot_be_changed():
    chain = solve(Eq(sp.exp(x), 2), Eq(x, sp.log(2)))
    for name in ("domain", "decided", "statement"):
        with pytest.raises(AttributeError):
            setattr(chain, name, None)
    with pytest.raises(TypeError):
        chain._lines[0] = Eq(x, 0), ""
