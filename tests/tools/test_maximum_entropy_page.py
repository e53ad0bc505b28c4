"""The chapter book/tools/maximum_entropy: what must not pass on it, and its exercise."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

UNCHECKED = [
    r"-\int g \log g", r"1 = \log e", "1/(1 + e^{-s})", r"\log c^2 = 2\log c", r"\log\varphi_\sigma",
    r"g\log\varphi_\sigma", r"u = \tfrac{a+b}{a}/(1 + e^{-s})", "u = b/a",
]

PAGE = Page("book/tools/maximum_entropy", [
    Falsified('"Laplace": stats.laplace(scale=0.5**0.5)', '"Laplace": stats.laplace(scale=1.5**0.5)',
              AssertionError),
    Falsified("without.step(Partial(G(x, f(x)), f(x)) * eta(x),",
              "without.step(Partial(G(x, f(x)), f(x)) * f(x),", Refuted),
    Falsified("                             epsilon, 0), rows=",
              "                             epsilon, 1), rows=",
              Refuted),
    Falsified("scored.step((b * sp.exp(s) - a) / (1 + sp.exp(s)),",
              "scored.step((a * sp.exp(s) - b) / (1 + sp.exp(s)),", Refuted),
    Falsified("top_score = sp.log(a / b)", "top_score = sp.log(b / a)", AssertionError),
    Falsified("attained={s: top_score}", "attained={s: -top_score}", Refuted),
    Falsified("told.step(a * sp.log((a + b) / a)", "told.step(a * sp.log((a + b) / b)", ProofError),
    Falsified("bounds.log_tangent(shares[1]).times(b)",
              "bounds.log_tangent(shares[1]).times(a)", ProofError,
              says="its gap is not that"),
    Falsified("bell.step(lam - 1 + kappa * x + nu * x**2", "bell.step(lam + kappa * x + nu * x**2", Refuted),
    Falsified("unfold([sp.S(1), mu, sigma**2])", "unfold([sp.S(1), mu, sigma])", AssertionError),
    Falsified("pointwise.step(a - b,", "pointwise.step(b - a,", Refuted),
    Falsified("log_tangent(normal(x, sigma) / g(x)).times(g(x))", "log_tangent(normal(x, sigma) / g(x))",
              ProofError, says="its gap is not that"),
    Falsified("+ spread / (2 * sigma**2)", "+ spread / sigma**2", Refuted),
    Falsified("bound.step(half * sp.log(2 * sp.pi * sp.E * sigma**2),",
              "bound.step(half * sp.log(2 * sp.pi * sigma**2),", Refuted),
    Falsified("stretched.step(bound.end + sp.log(factor),",
              "stretched.step(bound.end + sp.log(factor) / 2,", Refuted),
    Falsified("of=bound, at={mu: 0.4, sigma: 1.7}", "of=cross, at={mu: 0.4, sigma: 1.7}", ValueError,
              says="no side of eq-max-entropy"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={mu: 0.4, sigma: 2.7}", ValueError,
              says="no side of eq-normal-entropy"),
    Falsified("wider = scipy.stats.norm(0.4, 1.7)", "wider = scipy.stats.norm(0.4, 1)", ValueError,
              says="no side of eq-normal-entropy"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={x: 0.4, sigma: 1.7}", ValueError,
              says="does not depend on it"),
    Falsified("at={mu: 0.4, sigma: 1.7}", "at={mu: 0.4, sigma: 0}", ValueError, says="is positive"),
    Falsified("values(normal(x, 1), x, mu=0)", "values(normal(x, 2), x, mu=0)", ValueError,
              says="is drawn at"),
    Falsified("np.exp(-2**0.5 * abs(at)) / 2**0.5", "np.exp(-abs(at)) / 2", ValueError, says="is drawn at"),
    Falsified("limit - other > 0.01", "limit - other > 0.02", AssertionError),
    Falsified("exact = [limit, 2 +", "exact = [limit, 1 +", AssertionError),
    Falsified(r"0 \ge -b", r"0 \ge b", Refuted, sentence=True),
    Falsified('kappa: "multiplier of the mean",', "", ValueError, says="eq-bell: .* is not declared"),
    Falsified("waiting.solution(unfold(shape).subs(fixed))", "waiting.solution(unfold(shape))", ValueError),
], unchecked=UNCHECKED, exercises=1, mistakes=[
    ("ex-maximum-entropy-2", "m/exp(m*x)", "the mean of your density"),
    ("ex-maximum-entropy-2", "1/exp(x/m)", "total weight 1"),
    ("ex-maximum-entropy-2", "sqrt(2)*exp(-(x/m)**2/2)/(m*sqrt(pi))", "Which power"),
])
