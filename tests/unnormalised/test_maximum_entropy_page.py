"""The chapter book/unnormalised/maximum_entropy: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import Misprinted, ProofError, Refuted

PAGE = Page("book/unnormalised/maximum_entropy", [
    # the opening
    Falsified("linear = 1 / 6 + (5 - faces.mean())", "linear = 1 / 6 + (4 - faces.mean())", AssertionError),
    Falsified("assert linear[0] < 0", "assert linear[0] > 0", AssertionError),
    # without slopes
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
    # softmax as the maximiser
    Falsified("pull.step(zk - 1 + lam - sp.log(pk),", "pull.step(zk + lam - sp.log(pk),", Refuted),
    Falsified("solved.step(sp.Eq(pk, sp.exp(zk - 1 + lam)),", "solved.step(sp.Eq(pk, sp.exp(1 - zk - lam)),",
              ProofError),
    Falsified("given=[zk - 1 + lam < 0]", "given=[zk - 1 + lam > 0]", ProofError),
    Falsified("domain=sp.Interval.open(0, 1)", "domain=sp.Interval.open(0, sp.Rational(1, 2))", ProofError),
    Falsified("gibbs.step(0, ", "gibbs.step(-1, ", Refuted),
    Falsified("gibbs.step(sp.Sum(pi(k) - prob(k), (k, 1, n)),",
              "gibbs.step(sp.Sum(pi(k) - 2 * prob(k), (k, 1, n)),", Refuted),
    Falsified("sp.exp(z[j])},\n           by=bounds.gibbs(prob(k), pi(k), (k, 1, n)))",
              "sp.exp(z[j])},\n           by=bounds.gibbs(pi(k), prob(k), (k, 1, n)))", ProofError,
              says="its gap is not that"),
    Falsified("P, Pi = Law(\"p\", k, prob(k), 1, n),", "P, Pi = Law(\"p\", k, prob(k), 2, n),", Refuted,
              says="total weight"),
    Falsified("best.step(lse() - KL(P, Pi),", "best.step(lse() - KL(Pi, P),", Refuted),
    Falsified('best.step(lse(), "Gibbs\' inequality", relation="<="',
              'best.step(lse(), "Gibbs\' inequality", relation=">="', Refuted),
    Falsified("entropy() + sp.Sum(prob(k) * z[k], (k, 1, n)),",
              "entropy() - sp.Sum(prob(k) * z[k], (k, 1, n)),",
              Refuted),
    Falsified("w[k] / sp.Sum(w[i], (i, 1, n)), label", "w[k], label", Refuted),
    # the digits
    Falsified("rel_entr(p, softmax(logits)).sum(axis=-1)", "rel_entr(softmax(logits), p).sum(axis=-1)",
              AssertionError),
    Falsified("doubt = np.sum(p * logits, axis=-1), entr(p)",
              "doubt = np.sum(p * logits, axis=-1), entr(p / 2)",
              AssertionError),
    Falsified("jac=lambda p: np.log(p) + 1 - z_there",
              "jac=lambda p: np.log(p) + 1 + z_there", AssertionError),
    Falsified("certain = parts(shown[\"certain\"], z_there)[3]",
              "certain = parts(shown[\"certain\"], z_there)[2]",
              AssertionError),
    Falsified("assert 0 < gain < -loss_", "assert 0 < gain < loss_", AssertionError),
    # a given mean
    Falsified("by=bounds.gibbs(prob(k), tilted(k, beta), (k, 1, n))",
              "by=bounds.gibbs(prob(k), pi(k), (k, 1, n))", ProofError),
    Falsified("attained={w: lambda j: sp.exp(beta * z[j])}", "attained={w: lambda j: sp.exp(z[j])}", Refuted),
    Falsified("ceiling.step(A(beta) - beta *", "ceiling.step(A(beta) +", Refuted),
    Falsified("sp.exp(beta * z[k]) / sp.Sum(sp.exp(beta * z[i]),",
              "sp.exp(beta * z[k]) / sp.Sum(sp.exp(z[i]),",
              Refuted),
    Falsified("grows.step(sp.Sum(tilted(k, beta) * z[k] * (z[k] - M(beta)),",
              "grows.step(sp.Sum(tilted(k, beta) * z[k] * (z[k] + M(beta)),", Refuted),
    Falsified("grows.step(0, \"squares\", relation=\">=\")",
              "grows.step(1, \"squares\", relation=\">=\")", Refuted),
    Falsified("[:-1], np.exp(die.beta))", "[:-1], die.beta)", AssertionError),
    Falsified("die = maximum_entropy(faces, 5)", "die = maximum_entropy(faces, 4.5)", AssertionError),
    Falsified("price.step(-beta * sp.Derivative(M(beta), beta), \"cancel\")",
              "price.step(beta * sp.Derivative(M(beta), beta), \"cancel\")", Refuted),
    # the triangle
    Falsified("logsumexp(begun * payoff) - begun * mean)", "logsumexp(begun * payoff) - mean / 2)",
              AssertionError),
    Falsified("curves=[cooling, along[[0, -1]], [touching]]", "curves=[cooling, along[[0, -2]], [touching]]",
              ValueError, says="is drawn at"),
    Falsified("shapes=[border]",
              "shapes=[entropy_level(0.99 * most, angles)]", ValueError, says="is drawn at"),
    Falsified("[mean - 1, 2 - mean, 0], [mean / 2, 0, 1 - mean / 2], 2001)",
              "[mean - 1, 2 - mean, 0], [mean / 3, 0, 1 - mean / 3], 2001)", AssertionError),
    # the normal density
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
    Falsified("limit - other > 0.01", "limit - other > 0.02", AssertionError),
    Falsified("exact = [limit, 2 +", "exact = [limit, 1 +", AssertionError),
    # what the sentences say
    Falsified(r'r"\log u \le u - 1": sp.log(u) <= u - 1', r'r"\log u \le u": sp.log(u) <= u - 1', Misprinted),
    Falsified(r'"\sum_{k=1}^n p_k = 1": sp.Eq(sp.Sum(prob(k), (k, 1, n)), 1)',
              r'"\sum_{k=1}^n p_k = n": sp.Eq(sp.Sum(prob(k), (k, 1, n)), n)', Refuted),
    Falsified("sp.Eq(z[k], sp.log(pi(k)) + lse())", "sp.Eq(z[k], sp.log(pi(k)) - lse())", Misprinted),
    Falsified("tilted(k, beta) * (z[k] - M(beta))),", "tilted(k, beta) * (M(beta) - z[k])),", Misprinted),
    Falsified(r'"0 \ge -b": 0 >= -b', r'"0 \ge b": 0 >= b', Refuted),
    Falsified('kappa: "multiplier of the mean",', "", ValueError, says="eq-bell: .* is not declared"),
    # the exercises
    Falsified("priced.solution(T * divided)", "priced.solution(divided)", Refuted),
    Falsified("waiting.solution(unfold(shape).subs(fixed))", "waiting.solution(unfold(shape))", ValueError),
], mistakes=[
    ("ex-maximum-entropy-1", "log(exp(z_2/T) + exp(z_1/T))", "factor is missing"),
    ("ex-maximum-entropy-1", "log(exp(T*z_1) + exp(T*z_2))*T", "sharper or flatter"),
    ("ex-maximum-entropy-1", "log((exp(z_2) + exp(z_1))**T)", "what are the logits"),
    ("ex-maximum-entropy-3", "log(n)", "uniform law among them"),
    ("ex-maximum-entropy-3", "-log(r**r) + (r - 1)*log(1 - r)", "is the rest spread"),
    ("ex-maximum-entropy-3", "(1 - r)*log((n - 1)/(1 - r))/(n - 1) - r*log(r)", "have that probability"),
    ("ex-maximum-entropy-2", "m/exp(m*x)", "the mean of your density"),
    ("ex-maximum-entropy-2", "1/exp(x/m)", "total weight 1"),
    ("ex-maximum-entropy-2", "sqrt(2)*exp(-(x/m)**2/2)/(m*sqrt(pi))", "Which power"),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=3)
