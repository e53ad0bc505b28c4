"""The chapter book/gradients/gaussian_kl: what must not pass on it, and its exercises."""

import pytest
from chapters.falsification import Falsified, Page

from softmaxnotes.proof import ProofError, Refuted

MISTAKES = [
    ("ex-kl-slope", "exp(l) - 1", "factor in front"),
    ("ex-kl-slope", "1/2 - 1/(2*exp(l))", "along"),
    ("ex-kl-slope", "exp(l)/2", "nothing should pull"),
    ("ex-kl-exponential", "a/b - 1 - log(a/b)", "over which law"),
    ("ex-kl-exponential", "log(a) - log(b) + b/a", "divergence zero"),
    ("ex-kl-exponential", "log(a/b) - (a - b)", "mean waiting time"),
    ("ex-kl-factorised", ["s**2 - s**2*rho**2", "s**2"], "which order covers"),
    ("ex-kl-factorised", ["s**2", "s**2 - rho*s**2"], "eigenvalue"),
    ("ex-kl-factorised", ["s**2", "s**2"], "leave no trace"),
]

QUOTATIONS = {
    "Xu (2019), KL between two Gaussian distributions, standard case":
        r"\mathrm{KL}(\mathcal{N}(\mu, \sigma^{2}) \| \mathcal{N}(0, 1))"
        r" = \tfrac{1}{2} (\frac{\sigma^{2}}{2} + \frac{\mu^{2}}{2} - \frac{1}{2} - \log \sigma^{2})",
    "Xu (2019), KL between two Gaussian distributions, k dimensions":
        r"\sum_{k=1}^{d} \mathrm{KL}(\mathcal{N}(\mu_{k}, \sigma_{k}^{2}) \| \mathcal{N}(0, 1))"
        r" = \tfrac{1}{2} \sum_{k=1}^{d}"
        r" (\frac{\sigma^{2}}{2} + \frac{\mu^{2}}{2} - \frac{1}{2} - \log \sigma^{2})",
    "Xu (2019), KL between two Gaussian distributions, diagonal covariance":
        r"\tfrac{1}{2} (\sum_{k=1}^{d} \sigma_{k} + \sum_{k=1}^{d} \mu_{k}^{2} - d"
        r" - \log (\prod_{k=1}^{d} \sigma_{k})) = \tfrac{1}{2} (\sum_{k=1}^{d} \sigma_{k}^{2}"
        r" + \sum_{k=1}^{d} \mu_{k}^{2} - d - \log (\prod_{k=1}^{d} \sigma_{k}^{2}))",
}

PAGE = Page("book/gradients/gaussian_kl", [
    Falsified("moment.step(sigma_p**2 + (mu_p - mu_q)**2,",
              "moment.step(sigma_p**2 - (mu_p - mu_q)**2,", Refuted),
    Falsified("square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_q**2)",
              "square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_p**2)", Refuted),
    Falsified("one_dim.step(log(sigma_q / sigma_p) + square",
              "one_dim.step(log(sigma_p / sigma_q) + square", Refuted),
    Falsified("mu_q: -0.4, sigma_q: 2}", "mu_q: 0.4, sigma_q: 2}", ValueError,
              says="no side of eq-kl-normal"),
    Falsified("to_prior.step(half * (sigma**2 + mu**2 - 1 - log(sigma**2)),",
              "to_prior.step(half * (sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2)),", Refuted),
    Falsified("printed = half * (sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2))",
              "printed = half * (sigma**2 + mu**2 - 1 - log(sigma**2))", AssertionError),
    Falsified("h(log(sigma_p / sigma_q))", "h(log(sigma_q / sigma_p))", Refuted),
    Falsified("a square, and $\\log r \\le r - 1$\", relation=\">=\"",
              "a square, and $\\log r \\le r - 1$\", relation=\"<=\"", Refuted),
    Falsified("skew.step(sp.Rational(4, 3),", "skew.step(sp.Rational(2, 3),", Refuted),
    Falsified("narrow.step(-half,", "narrow.step(half,", Refuted),
    Falsified("kl_pq = kl(mu_p, sigma_p**2,", "kl_pq = kl(mu_p, sigma_p,", Refuted),
    Falsified("noise.step(2 * kl(", "noise.step(kl(", Refuted),
    Falsified("sp.exp(shift**2) - 1 - shift**2, label", "sp.exp(shift**2) - 1 + shift**2, label",
              ValueError, says="no side of eq-kl-less-noise"),
    Falsified("draws_needed(2 * small, small), [2e6,", "draws_needed(small, small), [2e6,", AssertionError),
    Falsified("once, twice = kl_normal(0, [10, 100], 0, 1)",
              "once, twice = kl_normal(0, [10, 90], 0, 1)", AssertionError),
    Falsified("+ over_i(p_(i)) * over_j(r_(j) * log(r_(j) / s_(j))),",
              "+ over_i(p_(i)) * over_j(r_(j) * log(s_(j) / r_(j))),", Refuted),
    Falsified("additive.step(KL(law_p, law_q) + KL(law_r, law_s),",
              "additive.step(KL(law_p, law_q) - KL(law_r, law_s),", Refuted),
    Falsified("many.step(E(sp.Sum(log(ratio), (k, 1, K)), ps),",
              "many.step(E(sp.Sum(log(ratio), (k, 1, K)), qs),", Refuted),
    Falsified("many.step(sp.Sum(KL(p_k, q_k), (k, 1, K)),",
              "many.step(sp.Sum(KL(q_k, p_k), (k, 1, K)),", Refuted),
    Falsified("p_k, q_k = Law(\"p_k\", i, p_factor(k, i), 1, n)",
              "p_k, q_k = Law(\"p_k\", i, p_factor(k, i), 1, n - 1)", Refuted, says="total weight"),
    Falsified("x_, (k, 1, K), law)", "x_, (k, 1, K - 1), law)", ProofError),
    Falsified("dependent.step(information() + kl_f + kl_g,", "dependent.step(kl_f + kl_g,", Refuted),
    Falsified("surgery.step(information() + kl_g,", "surgery.step(-information() + kl_g,", Refuted),
    Falsified("over_k(sp.exp(lam_k) - 1 - lam_k", "over_k(sp.exp(lam_k) + 1 - lam_k", Refuted),
    Falsified("sp.sqrt((2 * sp.pi)**d * sp.Determinant", "sp.sqrt(d**(2 * sp.pi) * sp.Determinant",
              AssertionError),
    Falsified("trace.step(sp.Trace(A * Sigma_p) +", "trace.step(sp.Determinant(A * Sigma_p) +", Refuted),
    Falsified("pointwise.step(half * (ratio - form(X - m_p, Sigma_p)",
              "pointwise.step(half * (ratio + form(X - m_p, Sigma_p)", Refuted),
    Falsified("spread, gap = sp.Trace(Sigma_q.I * Sigma_p),",
              "spread, gap = sp.Trace(Sigma_p.I * Sigma_q),", Refuted),
    Falsified("(in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**2)),",
              "(in_entries(lambda k: D[k]**2), in_entries(lambda k: D[k]**2)),", ValueError),
    Falsified("- log(sp.Determinant(R * R.T))),\n              r",
              "- log(sp.Determinant(R))),\n              r", Refuted),
    Falsified("(j, 1, i - 1), (i, 1, d))", "(j, 1, i), (i, 1, d))", Refuted),
    Falsified("E(T[k, j], p_theta)),", "E(T[k, j], p_eta)),", Refuted),
    Falsified("over_all((eta[j] - theta[j]) * slope),", "over_all((theta[j] - eta[j]) * slope),", Refuted),
    Falsified("crossed.step(half * log(2 * sp.pi * sigma**2)",
              "crossed.step(log(2 * sp.pi * sigma**2)", Refuted),
    Falsified("pythagoras.step(half * (log(2 * sp.pi * spread) + 1)",
              "pythagoras.step(half * log(2 * sp.pi * spread)", Refuted),
    Falsified("seek.step(log(1 / part),", "seek.step(log(part),", Refuted),
    Falsified("price = log(weight(k) * sp.sqrt(v_bar()) / width[k])",
              "price = log(weight(k) * v_bar() / width[k])", Refuted),
    Falsified("np.log(np.sqrt(1 + gap**2) / 2) - 1e-12 <= cover.kl",
              "np.log(np.sqrt(1 + gap**2)) - 1e-12 <= cover.kl", AssertionError),
    Falsified("for gap in (2.8, 2.9)]", "for gap in (2.9, 3.0)]", AssertionError),
    Falsified('unit = {"float64": 2.0**-53, "float32": 2.0**-24}',
              'unit = {"float64": 2.0**-53, "float32": 2.0**-53}', AssertionError),
    Falsified("turned.step(sp.Trace(Sigma_q.I * Sigma_p),",
              "turned.step(sp.Trace(Sigma_p.I * Sigma_q),", Refuted),
    # the start of a chain
    Falsified("trace = Derivation(E(Scalar((X - c).T", "trace = Derivation(E(Scalar((X + c).T", Refuted),
    Falsified("whitened = Derivation(kl_d(m_q + L * z,",
              "whitened = Derivation(kl_d(m_q - m_p + L * z,", Refuted),
    Falsified("surgery = Derivation(over_i(f(i) * encoder)",
              "surgery = Derivation(over_i(f(i)**2 * encoder)", Refuted),
    Falsified("total = Derivation(v_bar(),", "total = Derivation(m_bar(),", Refuted),
    # a law that is none
    Falsified('Law("g", j, g(j), 1, m)', 'Law("g", j, g(j)**2, 1, m)', Refuted, says="total weight"),
    # which equation a route is evidence for, and where
    Falsified("of=one_dim, at=at,", "of=moment, at=at,", ValueError,
              says="eq-second-moment does not depend on it"),
    Falsified("of=many,", "of=additive,", ValueError, says="no side of eq-kl-additive"),
    Falsified('numbers("b"): four[1]}', 'numbers("b"): four[0]}', ValueError,
              says="no side of eq-kl-product"),
    Falsified("of=dependent, at=at,", "of=additive, at=at,", ValueError,
              says="eq-kl-additive does not depend on it"),
    Falsified("where={lam: lambda k: log_var(k)}", "where={lam: lambda k: log_var(k) / 2}",
              ValueError, says="no side of eq-kl-diag-standard"),
    Falsified("of=general, bound=allowed", "of=special, bound=allowed", ValueError,
              says="no side of eq-kl-identity"),
    # what a source prints
    Falsified("printed = half * over_k(sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2))",
              "printed = half * over_k(D[k]**2 + M[k]**2 - 1 - log(D[k]**2))",
              ValueError, says="is not refuted"),
    Falsified("(in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**2)),",
              "(in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**3)),",
              ValueError, says="no side in common"),
    # what is drawn
    Falsified("for f in (h(-t), h(t), t**2)]", "for f in (h(t), h(-t), t**2)]", ValueError,
              says="is drawn at"),
    Falsified("ax.plot(u, u**2,", "ax.plot(u, u**4,", ValueError, says="is drawn at"),
    Falsified("values(normal(x, 0, 9.68), x)]", "values(normal(x, 0, 9.36), x)]", ValueError,
              says="is drawn at"),
    # exercises
    Falsified('sp.exp(l) - 1: "What became of the factor in front of the bracket?",',
              'half * (sp.exp(l) - 1): "What became of the factor in front of the bracket?",', Exception,
              says="is equal to the answer"),
], mistakes=MISTAKES, quotations=QUOTATIONS)


@pytest.mark.parametrize("falsified", PAGE.falsified, ids=str)
def test_falsified(falsified):
    PAGE.fails(falsified)


def test_exercises():
    PAGE.asks(at_least=2)


def test_errata():
    PAGE.quotes()
