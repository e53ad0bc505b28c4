"""The chapter book/tools/variations: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

QUOTATIONS = {
    "Xu (2019), notes on the Euler–Lagrange equation":
        r"\left. c'(r) \right|_{r=0} = 0 \implies (\forall \varepsilon\colon c(\varepsilon) \ge c(0))"
        r" \lor (\forall \varepsilon\colon c(\varepsilon) \le c(0))",
    "Xu (2019), fundamental lemma":
        r"\int_{0}^{1} h(x) \eta(x) \, dx = 0 \implies (\forall x\colon h(x) = 0)",
}

UNDETERMINED = {
    "eq-functional": r"J := \int_{a}^{b} F(x, f(x), f'(x)) \, dx",
    "eq-functional-derivative":
        r"\frac{\delta J}{\delta f} := \frac{\partial F}{\partial f} - \frac{d}{d x} \frac{\partial "
        r"F}{\partial f'}",
    "eq-bump": r"\beta(t) := \tfrac{35}{32} \left(1 - t^{2}\right)^{3}",
    "eq-length": r"L := \int_{a}^{b} \sqrt{1 + \left(f'(x)\right)^{2}} \, dx",
    "eq-time": r"\tau := \int_{0}^{1} \sqrt{\frac{1 + \left(y'(x)\right)^{2}}{y(x)}} \, dx",
}
UNCHECKED = [
    r"(-\varepsilon)^3 = -\varepsilon^3", r"(1-\cos\theta)^2 + \sin^2\theta = 2(1-\cos\theta)",
    r"G - f'\,\partial G/\partial f'", "N+1", r"\beta((s - x)/w)/w",
    r"\delta J/\delta f", r"\int \left(\tfrac12 f''^2 - h f\right) dx",
    r"\int \left(\tfrac12 f'^2 + \tfrac12 f^2 - h f\right) dx", r"\int \left(\tfrac12 f'^2 - U(f)\right) dx",
    r"\int_0^4 (f'^2 - f^2)\,dx", r"\int_0^{\pi/2} d\varphi/\sqrt{\sin\varphi}", r"\partial F/\partial f'",
    r"\pi^2 < 10", r"\sin\varphi", r"\sqrt y", r"\sqrt{1/\rho^2 + 4\rho'^2}",
    r"\tfrac12", r"\tfrac12 f'^2", r"\varepsilon \sin(\pi x/4)", "f - f''", "f - h", r"f'/\sqrt{1+f'^2}",
    "p - m", r"v\Delta", "x^j(1-x)", "y(1 + y'^2)",
    r"\cos^2", r"\sin^2", "f'^2", "w^2", "n + 1", "n - 1",
]

PAGE = Page("book/tools/variations", [
    Falsified("one_way.step(sp.Derivative(c(r), r),", "one_way.step(2 * sp.Derivative(c(r), r),", Refuted),
    # the opening
    Falsified("quad(lambda x: np.sqrt(2 / x), 0, 1)", "quad(lambda x: np.sqrt(1 / x), 0, 1)", AssertionError),
    Falsified("allclose([straight, circle]", "allclose([circle, straight]", AssertionError),
    # stationary points
    Falsified("sp.Lambda(r, r**3)}", "sp.Lambda(r, r**2)}", ValueError),
    Falsified("third.step(-epsilon**6,", "third.step(epsilon**6,", Refuted),
    Falsified("third = Derivation(epsilon**3 * (-epsilon)**3,",
              "third = Derivation(epsilon**3 * epsilon**3,", Refuted),
    # the first variation
    Falsified("tilted.step(sp.Derivative(eta(x), x),", "tilted.step(sp.Derivative(eta(x), x, 2),", Refuted),
    Falsified("integrand.step(eta(x) * Partial(varied, moved[0])",
              "integrand.step(eta(x) * Partial(varied, moved[1])", Refuted),
    Falsified("first.step(sp.Integral(eta(x) * by_value +",
              "first.step(sp.Integral(eta(x) * by_value -", Refuted),
    Falsified("+ Bracket(eta(x) * by_slope, over)\n           - sp.Integral",
              "+ Bracket(eta(x) * by_slope, over)\n           + sp.Integral", Refuted),
    Falsified("ends = [sp.Eq(eta(a), 0), sp.Eq(eta(b), 0)]", "ends = [sp.Eq(eta(a), 0)]", Refuted),
    # the lemma
    Falsified("sp.Rational(35, 32) * (1 - t**2)**3", "sp.Rational(15, 16) * (1 - t**2)**3", Refuted),
    Falsified("bump((s - x) / width) / width,", "bump((s - x) / width),", Refuted),
    Falsified("(s, x - width, x + width)", "(s, x, x + width)", Refuted),
    Falsified("- sp.Integral((h(s) - h(x)) * narrow, window)",
              "- sp.Integral((h(s) + h(x)) * narrow, window)", Refuted),
    Falsified("h: sp.Lambda(x, x - half)", "h: sp.Lambda(x, x - sp.Rational(1, 3))", ValueError),
    Falsified("56 * x**2 - 84 * x**3", "56 * x**2 - 80 * x**3", AssertionError),
    Falsified("passing * x**j * (1 - x)), (unfold", "passing * x**j), (unfold", AssertionError),
    Falsified("spread / 2 * w**2 * bend", "spread * w**2 * bend", AssertionError),
    Falsified("rest[0], 16 * rest[1])", "rest[0], 4 * rest[1])", AssertionError),
    Falsified("5 * x - sp.Rational(5, 4)", "5 * x - sp.Rational(5, 2)", ValueError, says="is drawn at"),
    # the equation
    Falsified("saddle.step((sp.pi**2 / 8 - 2)", "saddle.step((sp.pi**2 / 4 - 4)", Refuted),
    Falsified("-sp.Rational(3, 4) * epsilon**2", "-sp.Rational(4, 5) * epsilon**2", Refuted),
    Falsified("sp.Integral(rising**2 - wave**2,", "sp.Integral(rising**2 + wave**2,", Refuted),
    Falsified("by_value - sp.Derivative(by_slope, x), rows=", "by_value + sp.Derivative(by_slope, x), rows=",
              AssertionError),
    # the shortest path
    Falsified("bent = Derivation(Partial(path, f(x)) -", "bent = Derivation(Partial(path, f(x)) +", Refuted),
    Falsified("bent.step(-second /", "bent.step(second /", Refuted),
    Falsified("increasing.step(1 / (1 + v**2)**sp.Rational(3, 2),",
              "increasing.step(1 / (1 + v**2)**sp.Rational(1, 2),", Refuted),
    Falsified("(run(x) - m())\n", "(run(x) + m())\n", Refuted),
    Falsified("run(x), m())\n              .integral", "run(x), 0)\n              .integral", ProofError,
              says="its gap is not that"),
    Falsified('"tangent at $m$", relation=">=",', '"tangent at $m$", relation="<=",', ProofError),
    Falsified("shortest.step(wide * sp.sqrt(1 + m()**2),", "shortest.step(wide * (1 + m()),", Refuted),
    Falsified("(grid[1] - grid[0]) / 4 * polygon", "(grid[1] - grid[0]) * polygon", AssertionError),
    Falsified("long, _, short = np.transpose(lengths)", "short, _, long = np.transpose(lengths)",
              AssertionError),
    Falsified("lambda at: at + 0.6 * np.sin(np.pi * at)", "lambda at: at + 0.6 * np.sin(at)", ValueError,
              says="is drawn at"),
    # the fastest wire
    Falsified("beltrami.step(slope * (Partial(free, f(x)) -", "beltrami.step(slope * (Partial(free, f(x)) +",
              Refuted),
    Falsified("conserved.step(1 / sp.sqrt(drop(x) * (1 + steep**2)),",
              "conserved.step(1 / sp.sqrt(drop(x) * (1 - steep**2)),", Refuted),
    Falsified("hurry = sp.sqrt((1 + steep**2) / drop(x))", "hurry = sp.sqrt((1 + steep**2) / drop(x)**2)",
              Refuted),
    Falsified("down = R * (theta - sp.sin(theta)), R * (1 - sp.cos(theta))",
              "down = R * (theta - sp.sin(theta)), R * (1 + sp.cos(theta))", Refuted),
    Falsified("down = R * (theta - sp.sin(theta)),", "down = R * (theta + sp.sin(theta)),", Refuted),
    Falsified("cycloid.step(2 * R,", "cycloid.step(R,", Refuted),
    Falsified("wheel = fastest_wire(1, 1)", "wheel = fastest_wire(1, 1.1)", AssertionError),
    Falsified("wheel.at(0.99 * wheel.time)[0] < 1", "wheel.at(wheel.time)[0] < 0.99", AssertionError),
    Falsified("wheel.time < circle < straight", "circle < wheel.time < straight", AssertionError),
    Falsified("rim = sp.Derivative(down, theta) / sp.Derivative(across, theta)",
              "rim = sp.Derivative(across, theta) / sp.Derivative(down, theta)", Refuted),
    Falsified("np.array([now**2 / 8, now**2 / 8])", "np.array([now**2 / 4, now**2 / 4])", AssertionError),
    Falsified("tame = sp.sqrt(1 / rho**2 + 4 * v**2)", "tame = sp.sqrt(1 / rho**2 + v**2)", Refuted),
    Falsified("bowl.step(8 /", "bowl.step(-8 /", Refuted),
    Falsified("on_grid(sp.sqrt(1 / f(x)**2 + 4 * slope**2),", "on_grid(sp.sqrt(1 / f(x)**2 + slope**2),",
              AssertionError),
    Falsified("cheated = on_grid(sp.sqrt((1 + slope**2) / f(x)), np.linspace(begin, 1, 401))",
              "cheated = on_grid(sp.sqrt(1 / f(x)**2 + 4 * slope**2), np.linspace(begin, 1, 401))",
              AssertionError),
    Falsified("errors[:-1] / errors[1:], 2,", "errors[:-1] / errors[1:], 4,", AssertionError),
    # what the sentences say
    Falsified(r"\sqrt{2/x}\,dx = 2\sqrt2", r"\sqrt{2/x}\,dx = \sqrt2", Refuted, sentence=True),
    Falsified(r"\beta(t)\,dt = 1", r"\beta(t)\,dt = 2", Refuted, sentence=True),
    Falsified(r'"J_0 = J": sp.Eq(J_varied(0)', r'"J_1 = J": sp.Eq(J_varied(1)', ProofError),
    Falsified(r'+ 4v^2} \le 2": 4 * v / sp.sqrt(1 / rho**2 + 4 * v**2) <= 2,',
              r'+ 4v^2} \le 1": 4 * v / sp.sqrt(1 / rho**2 + 4 * v**2) <= 1,', Refuted),
    Falsified('drop: "drop of a wire", ', "", ValueError, says="y is not declared"),
    # the exercises
    Falsified("energy.solution(-constant - slope**2 / 2)", "energy.solution(constant + slope**2 / 2)",
              Refuted),
    Falsified("smoothing = slope**2 / 2 + f(x)**2 / 2", "smoothing = slope**2 / 2 - f(x)**2 / 2", Refuted),
    Falsified("beam.solution(Partial(bending, f(x)) +", "beam.solution(Partial(bending, f(x)) -", Refuted),
    Falsified("bending = second**2 / 2", "bending = second**2", Refuted),
    Falsified('"ex-variations-1", answer=f(x) - second - h(x)',
              '"ex-variations-1", answer=f(x) + second - h(x)',
              ProofError, says="is equal to the answer"),
    # what a network differentiates, and a grid
    Falsified("by_q - jacrev(by_v, 0)(q, v) @ v)", "by_q + jacrev(by_v, 0)(q, v) @ v)", AssertionError),
    Falsified("-2 * speed.prod() / at[0]])", "2 * speed.prod() / at[0]])", AssertionError),
    Falsified("    return slopes[1:-1] / ((width[1:] + width[:-1]) / 2)\n\nby_grid",
              "    return slopes[1:-1] / (width[1:] + width[:-1])\n\nby_grid", Refuted,
              says="by which width"),
    Falsified("    return slopes[1:-1] / ((width[1:] + width[:-1]) / 2)\n\nby_grid",
              "    return slopes[1:-1] / width[1:]\n\nby_grid", Refuted),
    Falsified('"downhill": changed(sign=-1)', '"downhill": changed(sign=1)', Vacuous),
    # what a source prints: the right formula in the place of the wrong one
    Falsified("sp.Eq(sp.Integral(h(x) * eta(x), (x, 0, 1)), 0)",
              "sp.Eq(sp.Integral(h(x)**2 * x * (1 - x), (x, 0, 1)), 0)", ValueError),
    Falsified("sp.Or(c(epsilon) >= c(0), c(epsilon) <= c(0))",
              "sp.Or(c(epsilon) >= c(0), c(0) >= c(0))", ValueError),
    Falsified("sp.Or(c(epsilon) >= c(0), c(epsilon) <= c(0))",
              "sp.Or(c(epsilon) <= c(0), c(epsilon) <= c(0))", ValueError, says="twice"),
    Falsified('correct="eq-third-kind"', 'correct="eq-varied-slope"', ValueError,
              says="has no side in common|not (yet )?been|eq-varied-slope"),
    Falsified('correct="eq-lemma"', 'correct="eq-third-kind"', ValueError,
              says="nothing in common with eq-third-kind"),
], exercises=4, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=[
    ("ex-variations-1", "f(x) - h(x) + f(x).diff(x, x)", "Which sign"),
    ("ex-variations-1", "-h(x) + f(x) + Derivative(f(x), x)", "once more"),
    ("ex-variations-1", "-(h(x) - f(x))", "gone"),
    ("ex-variations-2", "-U(f(x))", "the integrand"),
    ("ex-variations-2", "U(f(x)) - f(x).diff(x)**2", "but for its sign"),
    ("ex-variations-3", "-f(x).diff(x, 4) - h(x)", "sign changed"),
    ("ex-variations-3", "-h(x) - f(x).diff(x, 3)", "not yet"),
    ("ex-variations-3", "f(x).diff(x, 2) - h(x)", "of both terms"),
], quotations=QUOTATIONS)
