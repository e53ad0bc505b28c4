"""The chapter book/unnormalised/variations: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

QUOTATIONS = {
    "Xu (2019), notes on the Euler–Lagrange equation":
        r"\left. J'(x) \right|_{x=0} = 0 \implies (\forall \varepsilon\colon J(\varepsilon) \ge J(0))"
        r" \lor (\forall \varepsilon\colon J(\varepsilon) \le J(0))",
    "Xu (2019), fundamental lemma":
        r"\int_{0}^{1} h(x) \eta(x) \, dx = 0 \implies (\forall x\colon h(x) = 0)",
}

PAGE = Page("book/unnormalised/variations", [
    Falsified("sp.Lambda(x, x**3)}", "sp.Lambda(x, x**2)}", ValueError),
    Falsified("tilted.step(sp.Derivative(eta(x), x),", "tilted.step(sp.Derivative(eta(x), x, 2),", Refuted),
    Falsified("first.step(sp.Integral(eta(x) * by_value +",
              "first.step(sp.Integral(eta(x) * by_value -", Refuted),
    Falsified("+ Bracket(eta(x) * by_slope, over)\n           - sp.Integral",
              "+ Bracket(eta(x) * by_slope, over)\n           + sp.Integral", Refuted),
    Falsified("ends = [sp.Eq(eta(a), 0), sp.Eq(eta(b), 0)]", "ends = [sp.Eq(eta(a), 0)]", Refuted),
    Falsified("x * (1 - x) * h(x), label", "x * h(x), label", Refuted),
    Falsified("h: sp.Lambda(x, x - half)", "h: sp.Lambda(x, x - sp.Rational(1, 3))", ValueError),
    Falsified("sp.Matrix(5, 5,", "sp.Matrix(4, 5,", AssertionError),
    Falsified("third.step(-epsilon**6,", "third.step(epsilon**6,", Refuted),
    Falsified("84 * x**3", "80 * x**3", AssertionError),
    Falsified("saddle.step((sp.pi**2 / 8 - 2)", "saddle.step((sp.pi**2 / 4 - 4)", Refuted),
    Falsified("-sp.Rational(3, 4) * epsilon**2", "-sp.Rational(4, 5) * epsilon**2", Refuted),
    Falsified("- along(t, s) - along(y, s) * slope", "- along(t, s) + along(y, s) * slope", Refuted),
    Falsified("decide(change() - sympys(here), by_value)",
              "decide(change() - sympys(here), by_slope)", AssertionError),
    Falsified("without.step(Partial(G(x, f(x)), f(x)) * eta(x),",
              "without.step(Partial(G(x, f(x)), f(x)) * slope,", Refuted),
    Falsified("told.step(sp.Eq(score, sp.log(data / noise)),",
              "told.step(sp.Eq(score, sp.log(noise / data)),", ProofError),
    Falsified("sp.sqrt(step**2 + (s * step)**2)", "sp.sqrt(step**2 + (s * s)**2)", Refuted),
    Falsified("increasing.step(1 / (1 + s**2)**sp.Rational(3, 2),",
              "increasing.step(1 / (1 + s**2)**sp.Rational(1, 2),", Refuted),
    Falsified('relation=">=", attained={s: m})', 'relation="<=", attained={s: m})', Refuted),
    Falsified('short, long = history["zigzag"], history["one bump"]',
              'long, short = history["zigzag"], history["one bump"]', AssertionError),
    Falsified("solved.step(sp.Eq(q, sp.exp(zk - 1 + lam)),",
              "solved.step(sp.Eq(q, sp.exp(1 - zk - lam)),", ProofError),
    Falsified("bell.step(sp.Eq(density, sp.exp(exponent)),",
              "bell.step(sp.Eq(density, sp.exp(exponent - lam)),", ProofError),
    Falsified("bound.step(half * sp.log(2 * sp.pi * sp.E * sigma**2),",
              "bound.step(half * sp.log(2 * sp.pi * sigma**2),", Refuted),
    Falsified("beltrami.step(slope * (Partial(free, f(x)) - rest),",
              "beltrami.step(slope * (Partial(free, f(x)) + rest),", Refuted),
    Falsified('== "0.9128"', '== "0.8333"', AssertionError),
    Falsified("bent.step(-second /", "bent.step(second /", Refuted),
    Falsified("line.step(c + (d - c)", "line.step(d + (d - c)", Refuted),
    Falsified("rate = (grid[1] - grid[0]) / 4", "rate = (grid[1] - grid[0])", AssertionError),
    Falsified("gibbs.step(0, ", "gibbs.step(-1, ", Refuted),
    Falsified("gibbs.step(sp.Sum(pi(k) - prob(k), (k, 1, n)),",
              "gibbs.step(sp.Sum(pi(k) - 2 * prob(k), (k, 1, n)),", Refuted),
    Falsified("best.step(lse() - KL(P, Pi),", "best.step(lse() - KL(Pi, P),", Refuted),
    Falsified('best.step(lse(), "Gibbs\' inequality", relation="<="',
              'best.step(lse(), "Gibbs\' inequality", relation=">="', Refuted),
    Falsified("pointwise.step(u1 - u2,", "pointwise.step(u2 - u1,", Refuted),
    Falsified("+ spread / (2 * sigma**2)", "+ spread / sigma**2", Refuted),
    Falsified("smoother.solution(package(smoothing))",
              "smoother.solution(f(x) + second - h(x))", Refuted),
    # the start of a chain
    Falsified("third = Derivation(epsilon**3 * (-epsilon)**3,",
              "third = Derivation(epsilon**3 * epsilon**3,", Refuted),
    Falsified("without = Derivation(sp.Subs(sp.Derivative(G(x, g(epsilon, x)), epsilon), epsilon, 0),",
              "without = Derivation(sp.Subs(sp.Derivative(G(x, g(epsilon, x)), epsilon), epsilon, 1),",
              Refuted),
    Falsified("sp.Integral(rising**2 - wave**2,", "sp.Integral(rising**2 + wave**2,", Refuted),
    Falsified("shortest = Derivation(length(),", "shortest = Derivation(length() / 2,", Refuted),
    Falsified("bent = Derivation(Partial(path, f(x)) -", "bent = Derivation(Partial(path, f(x)) +", Refuted),
    # what the length and the entropy are compared with
    Falsified("sp.Integral((1 + chord() * slope) /", "sp.Integral((1 + chord()**2 + slope**2) /", Refuted),
    Falsified("shortest.step((b - a) * sp.sqrt(1 + chord()**2),",
              "shortest.step((b - a) * (1 + chord()),", Refuted),
    Falsified("stretched.step(bound.end + sp.log(factor),",
              "stretched.step(bound.end + sp.log(factor) / 2,", Refuted),
    # hypotheses and domains
    Falsified("domain=sp.Interval.open(-5, 5)", "domain=sp.Interval.open(-1, 1)", ProofError),
    Falsified("given=[zk - 1 + lam < 0]", "given=[zk - 1 + lam > 0]", ProofError),
    Falsified('label="eq-shortest", given=[a < b]', 'label="eq-shortest", given=[b < a]', Refuted),
    # by which rule an inequality is shown
    Falsified("sp.exp(z[j])},\n           by=bounds.gibbs(prob(k), pi(k), (k, 1, n)))",
              "sp.exp(z[j])},\n           by=bounds.gibbs(pi(k), prob(k), (k, 1, n)))",
              ProofError, says="its gap is not that"),
    Falsified("log_tangent(normal(x, sigma) / p(x)).times(p(x))", "log_tangent(normal(x, sigma) / p(x))",
              ProofError, says="its gap is not that"),
    Falsified("P, Pi = Law(\"p\", k, prob(k), 1, n),", "P, Pi = Law(\"p\", k, prob(k), 2, n),", Refuted,
              says="total weight"),
    # what a source prints: the right formula in the place of the wrong one
    Falsified("sp.Eq(sp.Integral(h(x) * eta(x), unit), 0)",
              "sp.Eq(sp.Integral(h(x) * own(x), unit), 0)", ValueError),
    Falsified("sp.Or(J(epsilon) >= J(0), J(epsilon) <= J(0))",
              "sp.Or(J(epsilon) >= J(0), J(0) >= J(0))", ValueError),
    Falsified("sp.Or(J(epsilon) >= J(0), J(epsilon) <= J(0))",
              "sp.Or(J(epsilon) <= J(0), J(epsilon) <= J(0))", ValueError, says="twice"),
    Falsified('correct="eq-third-kind"', 'correct="eq-stationary"', ValueError,
              says="nothing in common with eq-stationary"),
    Falsified('correct="eq-lemma"', 'correct="eq-third-kind"', ValueError,
              says="nothing in common with eq-third-kind"),
    # which equation a route is evidence for, and where
    Falsified("of=bound, at={mu: 0.4, sigma: 1.7}", "of=cross, at={mu: 0.4, sigma: 1.7}", ValueError,
              says="no side of eq-max-entropy"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={mu: 0.4, sigma: 2.7}", ValueError,
              says="no side of eq-normal-entropy"),
    Falsified("wider = scipy.stats.norm(0.4, 1.7)", "wider = scipy.stats.norm(0.4, 1)", ValueError,
              says="no side of eq-normal-entropy"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={x: 0.4, sigma: 1.7}", ValueError,
              says="does not depend on it"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={mu: 0.4, sigma: 0}", ValueError, says="is positive"),
    # what is drawn
    Falsified("values(normal(x, 1), x, mu=0)", "values(normal(x, 2), x, mu=0)", ValueError,
              says="is drawn at"),
    Falsified("np.exp(-2**0.5 * abs(at)) / 2**0.5", "np.exp(-abs(at)) / 2", ValueError, says="is drawn at"),
    Falsified("lambda at: at + 0.6 * np.sin(np.pi * at)", "lambda at: at + 0.6 * np.sin(at)", ValueError,
              says="is drawn at"),
    Falsified("(j + 1)**(j + 1) / j**j,", "(j + 1)**j / j**j,", ValueError, says="is drawn at"),
    # an experiment
    Falsified("time = sp.sqrt(1 / f(x)**2 + 4 * slope**2)",
              "time = sp.sqrt(1 / f(x)**2 + slope**2)", AssertionError),
    Falsified("wires[-1].y[:-1]) / 2, 800 *", "wires[-1].y[:-1]) / 2, 400 *", AssertionError),
], mistakes=[
    ("ex-variations-1", "f(x) - h(x) + f(x).diff(x, x)", "Which sign"),
    ("ex-variations-1", "-h(x) + f(x) + Derivative(f(x), x)", "once more"),
    ("ex-variations-1", "-(h(x) - f(x))", "gone"),
    ("ex-variations-2", "log(exp(z_2/T) + exp(z_1/T))", "factor is missing"),
    ("ex-variations-2", "log(exp(T*z_1) + exp(T*z_2))*T", "sharper or flatter"),
    ("ex-variations-2", "log((exp(z_2) + exp(z_1))**T)", "what are the logits"),
    ("ex-variations-3", "m/exp(m*x)", "the mean of your density"),
    ("ex-variations-3", "1/exp(x/m)", "total weight 1"),
    ("ex-variations-3", "sqrt(2)*exp(-(x/m)**2/2)/(m*sqrt(pi))", "Which power"),
], quotations=QUOTATIONS)


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)


def test_errata():
    PAGE.quotes()
