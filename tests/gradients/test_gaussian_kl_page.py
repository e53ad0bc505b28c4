"""The chapter book/gradients/gaussian_kl: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import Refuted

PAGE = Page("book/gradients/gaussian_kl", [
    Falsified("moment.step(sigma_p**2 + (mu_p - mu_q)**2,",
              "moment.step(sigma_p**2 - (mu_p - mu_q)**2,", Refuted),
    Falsified("square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_q**2)",
              "square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_p**2)", Refuted),
    Falsified("one_dim.step(add(log(sigma_q / sigma_p), square, -half)",
              "one_dim.step(add(log(sigma_p / sigma_q), square, -half)", Refuted),
    Falsified("mu_q: -sp.Rational(2, 5), sigma_q: 2}", "mu_q: sp.Rational(2, 5), sigma_q: 2}", Refuted),
    Falsified("to_prior.step(halved(sigma**2, mu**2, -1, -log(sigma**2)),",
              "to_prior.step(halved(sigma**2 / 2, mu**2 / 2, -half, -log(sigma**2)),", Refuted),
    Falsified("printed = halved(sigma**2 / 2, mu**2 / 2, -half, -log(sigma**2))",
              "printed = halved(sigma**2, mu**2, -1, -log(sigma**2))", AssertionError),
    Falsified("h(log(sigma_p / sigma_q))", "h(log(sigma_q / sigma_p))", Refuted),
    Falsified("a square, and $\\log r \\le r - 1$\", relation=\">=\"",
              "a square, and $\\log r \\le r - 1$\", relation=\"<=\"", Refuted),
    Falsified("skew.step(sp.Rational(4, 3),", "skew.step(sp.Rational(2, 3),", Refuted),
    Falsified("narrow.step(-half,", "narrow.step(half,", Refuted),
    Falsified("label=\"eq-kl-written-out\", title=\"divergence of two normal laws\")\n"
              "assert decide(kl_pq(), kl(mu_p, sigma_p**2,",
              "label=\"eq-kl-written-out\", title=\"divergence of two normal laws\")\n"
              "assert decide(kl_pq(), kl(mu_p, sigma_p,",
              AssertionError),
    Falsified("noise.step(2 * equal(),", "noise.step(equal(),", Refuted),
    Falsified("quiet.step(sp.exp(shift**2) - 1 - shift**2,",
              "quiet.step(sp.exp(shift**2) - 1 + shift**2,", Refuted),
    Falsified("draws_needed(2 * small, small), [2e6,", "draws_needed(small, small), [2e6,", AssertionError),
    Falsified("once, twice = kl_normal(0, [10, 100], 0, 1)",
              "once, twice = kl_normal(0, [10, 90], 0, 1)", AssertionError),
    Falsified("+ over_i(P[i]) * over_j(R[j] * log(R[j] / S[j])),",
              "+ over_i(P[i]) * over_j(R[j] * log(S[j] / R[j])),", Refuted),
    Falsified("additive.step(KL(law_p, law_q) + KL(law_r, law_s),",
              "additive.step(KL(law_p, law_q) - KL(law_r, law_s),", Refuted),
    Falsified("many.step(E(sp.Sum(ratios, (k, 1, K)), ps),",
              "many.step(E(sp.Sum(ratios, (k, 1, K)), qs),", Refuted),
    Falsified("many.step(sp.Sum(KL(p_k, q_k), (k, 1, K)),",
              "many.step(sp.Sum(KL(q_k, p_k), (k, 1, K)),", Refuted),
    Falsified("_k\", at, weight, 1, n**K)", "_k\", at, weight, 1, n**K - 1)", Refuted),
    Falsified("dependent.step(add(information(), kl_i, kl_j),", "dependent.step(add(kl_i, kl_j),", Refuted),
    Falsified("surgery.step(add(information(), kl_j),", "surgery.step(add(-information(), kl_j),", Refuted),
    Falsified("add(sp.exp(v(k)), -1, -v(k), M[k]**2)", "add(sp.exp(v(k)), 1, -v(k), M[k]**2)", Refuted),
    Falsified("trace.step(add(sp.Trace(A * Sigma_p),",
              "trace.step(add(sp.Determinant(A * Sigma_p),", Refuted),
    Falsified("pointwise.step(halved(ratio, -form(X - m_p, Sigma_p),",
              "pointwise.step(halved(ratio, form(X - m_p, Sigma_p),", Refuted),
    Falsified("sp.Trace(cov_q.I * cov_p), form(mean_q - mean_p, cov_q))",
              "sp.Trace(cov_p.I * cov_q), form(mean_q - mean_p, cov_q))", Refuted),
    Falsified("(in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**2)),",
              "(in_entries(lambda k: D[k]**2), in_entries(lambda k: D[k]**2)),", ValueError),
    Falsified("-log(sp.Determinant(R_p * R_p.T))), r", "-log(sp.Determinant(R_p))), r", Refuted),
    Falsified("(j, 1, i - 1), (i, 1, d)),", "(j, 1, i), (i, 1, d)),", Refuted),
    Falsified("-(eta - theta) * E(T[k], at_theta)),", "-(eta - theta) * E(T[k], at_eta)),", Refuted),
    Falsified("-(eta - theta) * sp.Derivative(log_total(theta), theta)),",
              "-(theta - eta) * sp.Derivative(log_total(theta), theta)),", Refuted),
    Falsified("crossed.step(add(log(2 * sp.pi * sigma**2) / 2,",
              "crossed.step(add(log(2 * sp.pi * sigma**2),", Refuted),
    Falsified("pythagoras.step(add(halved(1, log(2 * sp.pi * spread)),",
              "pythagoras.step(add(halved(log(2 * sp.pi * spread)),", Refuted),
    Falsified("seek.step(log(1 / part),", "seek.step(log(part),", Refuted),
    Falsified("log(weight(k) * sp.sqrt(spread) / width[k])", "log(weight(k) * spread / width[k])", Refuted),
    Falsified("np.log(np.sqrt(1 + gap**2) / 2) - 1e-12 <= cover.kl",
              "np.log(np.sqrt(1 + gap**2)) - 1e-12 <= cover.kl", AssertionError),
    Falsified("for gap in (2.8, 2.9)]", "for gap in (2.9, 3.0)]", AssertionError),
    Falsified('unit = {"float64": 2.0**-53, "float32": 2.0**-24}',
              'unit = {"float64": 2.0**-53, "float32": 2.0**-53}', AssertionError),
    Falsified("turned.step(sp.Trace(Sigma_q.I * Sigma_p),",
              "turned.step(sp.Trace(Sigma_p.I * Sigma_q),", Refuted),
])


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)
