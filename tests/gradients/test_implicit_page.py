"""The chapter book/gradients/implicit: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-implicit-exponential", "-x / b", "larger or smaller"),
    ("ex-implicit-exponential", "x / b**2", "be divided"),
    ("ex-implicit-exponential", "b / x", "below the line"),
    ("ex-implicit-kumaraswamy", "-(1 - x**a) * log(1 - x**a) / (a * b * x**(a - 1))", "which sign"),
    ("ex-implicit-kumaraswamy", "log(1 - x**a) / (a * b * x**(a - 1))", "of the level is left"),
    ("ex-implicit-kumaraswamy", "(1 - x**a) * log(1 - x**a) / (b * x**(a - 1))", "the slope of"),
    ("ex-implicit-log", "digamma(a)", "the mean of the logarithm"),
    ("ex-implicit-log", "1 / a", "the logarithm of the mean"),
]

UNCHECKED = [
    "(1 - x^a)^{b-1}", r"(\alpha_j - 1 - n_j)/x_j", "1 + n_j", "1 + n_k", "1/x",
    r"\Gamma''/\Gamma - \psi^2 = \psi'",
    r"\Gamma'(a) = \int_0^\infty \log x\, x^{a-1}e^{-x}dx", r"\int_0^x p(t, a)\,dt", r"\log q_\alpha",
    r"\log q_\alpha(x)", r"\log\Gamma", r"\partial F/\partial z",
    r"\partial_a \log x", "bt", "e^{-x/b}/b", r"f'(z)\,\dot z",
]

PAGE = Page("book/gradients/implicit", [
    # parameters in the noise
    Falsified("path.argue(sp.Integral(sp.Derivative(at_level_u, theta),",
              "path.argue(sp.Integral(-sp.Derivative(at_level_u, theta),", Refuted),
    Falsified("path.step(sp.Integral(Partial(at_level_u, g(u, theta)) *",
              "path.step(sp.Integral(Partial(at_level_u, g(u, theta)) /", Refuted),
    Falsified("+ sp.Derivative(-sp.Derivative(at_place, theta), place),",
              "+ sp.Derivative(sp.Derivative(at_place, theta), place),", Refuted),
    Falsified("through.step(E(eps * sp.exp(mu + sigma * eps), standard),",
              "through.step(E(sp.exp(mu + sigma * eps), standard),", Refuted),
    Falsified("through.step(sigma * sp.exp(mu + sigma**2 / 2),", "through.step(sp.exp(mu + sigma**2 / 2),",
              Refuted),
    Falsified("exact = [np.exp(1.125), 0.5 * np.exp(1.125)]", "exact = [np.exp(1.125), np.exp(1.125)]",
              AssertionError),
    Falsified('assert hidden == ("shape",)', 'assert hidden == ("scale",)', AssertionError),
    Falsified("mean_move(shape) for shape in (0.3,", "mean_move(shape + 1) for shape in (0.3,",
              AssertionError),
    # stand-ins
    Falsified("Distributed(mu + s * sp.log(U / (1 - U)), uniform,",
              "Distributed(mu + s * sp.log(U), uniform,",
              Refuted),
    Falsified("Distributed(b * sp.log(1 / U)**(1 / k), uniform,",
              "Distributed(b * sp.log(1 / U)**k, uniform,",
              Refuted),
    Falsified("Distributed((1 - U**(1 / b))**(1 / a), uniform,",
              "Distributed((1 - U**(1 / a))**(1 / b), uniform,",
              Refuted),
    # the level
    Falsified("moving.step(Partial(level, draw(theta)) * sp.Derivative(draw(theta), theta)\n            +",
              "moving.step(Partial(level, draw(theta)) * sp.Derivative(draw(theta), theta)\n            -",
              Refuted),
    Falsified("by_hand.step(-b * w**(1 / k)", "by_hand.step(b * w**(1 / k)", Refuted),
    Falsified("implied.step(-v * sp.log(v / b) / k,", "implied.step(-v * sp.log(v * b) / k,", Refuted),
    # the gamma slope
    Falsified("score.step((sp.log(w) - sp.digamma(a))", "score.step((sp.log(w) + sp.digamma(a))", Refuted),
    Falsified("sp.Integral((sp.digamma(a) - sp.log(w)) * p(w, a)",
              "sp.Integral((sp.log(w) - sp.digamma(a)) * p(w, a)",
              Refuted),
    Falsified("log_mean.step(sp.digamma(a),", "log_mean.step(sp.log(a),", Refuted),
    Falsified("      of=slope, count=8,", "      of=log_mean, count=8,", ValueError, says="is no side of"),
    Falsified("trigamma.step(sp.Derivative(sp.digamma(a), a),", "trigamma.step(1 / a,", Refuted),
    Falsified("special.polygamma(1, 2.5)), of=trigamma, at={a: 2.5}",
              "special.polygamma(1, 2.5)), of=trigamma, at={a: 2}",
              ValueError, says="no side of eq-implicit-trigamma"),
    Falsified("quadrature(lambda z: gamma_slope(z, 2.5) / z *",
              "quadrature(lambda z: gamma_slope(z, 2.5) *", Refuted),
    # figure and torch
    Falsified("stroke(a0, z, gamma_slope(z, a0)).T", "stroke(a0, z, 1.0).T", ValueError, says="is drawn at"),
    Falsified("special.gammaincinv(shapes, q) for q in",
              "special.gammaincinv(shapes, 1 - q) for q in", ValueError,
              says="is drawn at"),
    Falsified("small, large = z_drawn < 0.8, a_drawn > 8",
              "small, large = z_drawn > 0.8, a_drawn > 8", AssertionError),
    # shares
    Falsified("shares.step((delta(i, j) - parts[j] / total) / total,",
              "shares.step((delta(i, j) - parts[i] / total) / total,",
              Refuted),
    Falsified("gamma_slope(total * x[i], alpha[i]) / total", "gamma_slope(total * x[i], alpha[i])",
              AssertionError),
    # the belief
    Falsified("cost = (belief - 1 - counts) / x", "cost = (belief - counts) / x", AssertionError),
    Falsified("belief = belief - np.linalg.solve(fisher_information(belief), slope)",
              "belief = belief - slope", ValueError, says="alpha < 0"),
    # two methods exchanged, a rival that is missing, one seed
    Falsified('beliefs.more("implicit", "leave-one-out")', 'beliefs.more("leave-one-out", "implicit")',
              Refuted, says="is not more than"),
    Falsified('beliefs.more("leave-one-out", "no baseline")', 'beliefs.more("no baseline", "leave-one-out")',
              Refuted, says="is not more than"),
    Falsified("for method in METHODS[1:-1]}", "for method in METHODS[1:-2]}", ValueError,
              says="expected usual to be one of"),
    Falsified("seeds=range(10), tuning_seeds", "seeds=range(1), tuning_seeds", ValueError,
              says="seeds at least"),
    # exercises and sentences
    Falsified("scaled.step(v / b,", "scaled.step(b / v,", Refuted),
    Falsified("pressed.step((1 - v**a) * sp.log(1 - v**a)", "pressed.step(sp.log(1 - v**a)", Refuted),
    Falsified("mean_slope.solution(sp.Derivative(log_mean.end, a))",
              "mean_slope.solution(log_mean.end)", Refuted),
    Falsified('parts: "gamma variables",', "", ValueError, says="is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES)
