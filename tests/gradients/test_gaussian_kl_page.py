"""The chapter book/gradients/gaussian_kl: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-kl-slope", "exp(l) - 1", "factor in front"),
    ("ex-kl-slope", "1/2 - 1/(2*exp(l))", "along"),
    ("ex-kl-slope", "exp(l)/2", "nothing should pull"),
    ("ex-kl-both-orders", "exp(2*t) - 2*t - 1", "one order twice"),
    ("ex-kl-both-orders", "(exp(2*t) + exp(-2*t))/2", "cost nothing"),
    ("ex-kl-both-orders", "2*t**2", "very wide law"),
    ("ex-kl-factorised", ["beta**2 - beta**2*rho**2", "beta**2"], "which order covers"),
    ("ex-kl-factorised", ["beta**2", "beta**2 - rho*beta**2"], "eigenvalue"),
    ("ex-kl-factorised", ["beta**2", "beta**2"], "leave no trace"),
]

QUOTATIONS = {
    "Xu (2019), KL between two Gaussian distributions, standard case":
        r"\mathrm{KL}(\mathcal{N}(\mu, \sigma^{2}) \| \mathcal{N}(0, 1))"
        r" = \tfrac{1}{2} (\frac{\sigma^{2}}{2} + \frac{\mu^{2}}{2} - \frac{1}{2} - \log \sigma^{2})",
    "Xu (2019), KL between two Gaussian distributions, k dimensions":
        r"\sum_{k=1}^{d} \mathrm{KL}(\mathcal{N}(m_{k}, s_{k}^{2}) \| \mathcal{N}(0, 1))"
        r" = \tfrac{1}{2} \sum_{k=1}^{d}"
        r" (\frac{\sigma^{2}}{2} + \frac{\mu^{2}}{2} - \frac{1}{2} - \log \sigma^{2})",
    "Xu (2019), KL between two Gaussian distributions, diagonal covariance":
        r"\tfrac{1}{2} (\sum_{k=1}^{d} s_{k} + \sum_{k=1}^{d} m_{k}^{2} - d"
        r" - \log (\prod_{k=1}^{d} s_{k})) = \tfrac{1}{2} (\sum_{k=1}^{d} s_{k}^{2}"
        r" + \sum_{k=1}^{d} m_{k}^{2} - d - \log (\prod_{k=1}^{d} s_{k}^{2}))",
}

UNDETERMINED = {
    "eq-normal-density":
        r"\mathcal{N}(x;\, \mu, v) := \frac{\exp(-\left(x - \mu\right)^{2} / \left(2 "
        r"v\right))}{\sqrt{2 \pi v}}",
    "eq-normal-d":
        r"\mathcal{N}(y;\, c_{p}, \Sigma_{p}) := \frac{\exp(-\left(y - c_{p}\right)^{\top} "
        r"\Sigma_{p}^{-1} \left(y - c_{p}\right) / 2)}{\sqrt{\left(2 \pi\right)^{d} "
        r"\left|\Sigma_{p}\right|}}",
}
UNCHECKED = [
    r"\log\bar v", r"(1+2t)e^{-2t}\to 0", r"(LL^\top)^{-1} = L^{-\top}L^{-1}", r"-\mathbb E_q[\log p(x)]",
    r"-\mathbb E_p[\log q(x)]", r"A y y^\top", "L^{-1}L = I", r"\log 2", r"\log u \le u - 1", r"\log(1/w)",
    r"\log\sigma = \tfrac12\log\sigma^2", r"\mathrm{KL}(p\,\|\,q)",
    r"\mathrm{KL}(p\,\|\,q) + \mathrm{KL}(q\,\|\,p)", r"\operatorname{diag}(\sigma_1, \dots, \sigma_K)",
    r"\operatorname{diag}(\sigma_1^2, \dots, \sigma_K^2)", r"\operatorname{tr} I_d = d", r"\prod_k\sigma_k",
    r"\sum_k\sigma_k", r"e^{2t} = 1 + 2t + 2t^2 + \dots", r"e^{2t} = \sigma_p^2/\sigma_q^2", r"e^{2t}\to 0",
    r"p_k\log p_k", r"p_k\log q_k", r"t = \log\frac{\sigma_p}{\sigma_q}", "u = 1", r"y^\top A y", "|t|",
    r"\sigma_k^2", r"s_1^2, \dots, s_d^2",
]

PAGE = Page("book/gradients/gaussian_kl", [
    # steps
    Falsified("moment.step(sigma_p**2 + (mu_p - mu_q)**2,",
              "moment.step(sigma_p**2 - (mu_p - mu_q)**2,", Refuted),
    Falsified("square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_q**2)",
              "square = (sigma_p**2 + (mu_p - mu_q)**2) / (2 * sigma_p**2)", Refuted),
    Falsified("one_dim.step(log(sigma_q / sigma_p) + square",
              "one_dim.step(log(sigma_p / sigma_q) + square", Refuted),
    Falsified("to_prior.step(half * (sigma**2 + mu**2 - 1 - log(sigma**2)),",
              "to_prior.step(half * (sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2)),", Refuted),
    Falsified("h(log(sigma_p / sigma_q))", "h(log(sigma_q / sigma_p))", Refuted),
    Falsified("with equality at $u = 1$ only\",\n           relation=\">=\"",
              "with equality at $u = 1$ only\",\n           relation=\"<=\"", Refuted),
    Falsified("narrow.step(-half,", "narrow.step(half,", Refuted),
    Falsified("near.step(1,", "near.step(2,", Refuted),
    Falsified("kl_pq = kl(mu_p, sigma_p**2,", "kl_pq = kl(mu_p, sigma_p,", Refuted),
    Falsified("many.step(E(over_k(ratio), ps),", "many.step(E(over_k(ratio), qs),", Refuted),
    Falsified("many.step(over_k(KL(p_k, q_k)),", "many.step(over_k(KL(q_k, p_k)),", Refuted),
    Falsified("over_k(sp.exp(log_var(k)) - 1 - log_var(k) + M[k]**2),\n              r",
              "over_k(sp.exp(log_var(k)) + 1 - log_var(k) + M[k]**2),\n              r", Refuted),
    Falsified("sp.sqrt((2 * sp.pi)**d * sp.Determinant", "sp.sqrt(d**(2 * sp.pi) * sp.Determinant",
              AssertionError),
    Falsified("trace.step(sp.Trace(A * Sigma_p) +", "trace.step(sp.Determinant(A * Sigma_p) +", Refuted),
    Falsified("general.step(E(half * (volumes - form(Y - m_p, Sigma_p)",
              "general.step(E(half * (volumes + form(Y - m_p, Sigma_p)", Refuted),
    Falsified("spread, gap = sp.Trace(Sigma_q.I * Sigma_p),",
              "spread, gap = sp.Trace(Sigma_p.I * Sigma_q),", Refuted),
    Falsified("to_sums.step(over_k(half * M[k]**2 + h(log(D[k]))),",
              "to_sums.step(over_k(half * M[k]**2 + h(log(D[k]**2))),", Refuted),
    Falsified("whitened.step(half * (sp.Trace(S) +", "whitened.step(half * (sp.Trace(S.I) +", Refuted),
    Falsified("pythagoras.step(half * (log(2 * sp.pi * width) + 1)",
              "pythagoras.step(half * log(2 * sp.pi * width)", Refuted),
    # the start of a chain
    Falsified("trace = Derivation(E(Scalar((Y - C).T", "trace = Derivation(E(Scalar((Y + C).T", Refuted),
    Falsified("whitened = Derivation(kl_d(m_q + L * delta,",
              "whitened = Derivation(kl_d(m_q - m_p + L * delta,",
              Refuted),
    Falsified("parts = Derivation(kl_pq,", "parts = Derivation(2 * kl_pq,", Refuted),
    Falsified("attained={sigma_p: sigma_q})", "attained={sigma_p: 2 * sigma_q})", ProofError),
    # a law that is none
    Falsified("p_k, q_k = Law(\"p_k\", i, p_of(k, i), 1, n)",
              "p_k, q_k = Law(\"p_k\", i, p_of(k, i), 1, n - 1)", Refuted, says="total weight"),
    Falsified("drawn, (k, 1, d), one)", "drawn, (k, 1, d - 1), one)", ProofError),
    # a hypothesis that is left out
    Falsified("given=[sp.Q.positive_definite(S)])", "given=[])", ProofError),
    # which equation a route is evidence for, and with what
    Falsified("of=one_dim, bound=32", "of=moment, bound=32", ValueError, says="no side of eq-second-moment"),
    Falsified("of=general, count=16", "of=trace, count=16", ValueError, says="no side of eq-quadratic-form"),
    Falsified("of=one_dim, bound=32", "of=one_dim, bound=0.2", Refuted, says="departs"),
    # what a source prints
    Falsified("printed = half * (sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2))",
              "printed = half * (sigma**2 + mu**2 - 1 - log(sigma**2))", AssertionError),
    Falsified("printed = half * over_k(sigma**2 / 2 + mu**2 / 2 - half - log(sigma**2))",
              "printed = half * over_k(D[k]**2 + M[k]**2 - 1 - log(D[k]**2))",
              ValueError, says="is not refuted"),
    Falsified("(in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**2)),",
              "(in_entries(lambda k: D[k]**2), in_entries(lambda k: D[k]**2)),", ValueError),
    Falsified("        (in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**2)),\n        says",
              "        (in_entries(lambda k: D[k]), in_entries(lambda k: D[k]**3)),\n        says",
              ValueError, says="no side in common"),
    # numbers
    Falsified("np.argsort(apart)[1] == 6", "np.argsort(apart)[1] == 5", AssertionError),
    Falsified("tried = (2, 3, 5, 6,", "tried = (2, 3, 4, 5, 6,", AssertionError),
    Falsified("[kl_mvn(centres[0], spreads[0], centres[c], spreads[c])",
              "[kl_mvn(centres[c], spreads[c], centres[0], spreads[0])", AssertionError),
    Falsified("[0, 2e-4], [1, 1 + 1e-4])", "[0, 2e-4], [1, 1 + 2e-4])", AssertionError),
    Falsified("[[1, 0.8], [0.8, 1]]", "[[1, 0.6], [0.6, 1]]", AssertionError),
    Falsified("np.mean(own.logpdf(places[c]) - others",
              "np.mean(2 * own.logpdf(places[c]) - others", AssertionError),
    Falsified("closed = kl_mvn(means[c], covs[c], means[other], covs[other])",
              "closed = kl_mvn(means[other], covs[other], means[c], covs[c])", AssertionError),
    Falsified("np.linalg.solve(L_q, covs[1]).T)", "np.linalg.solve(L_q, covs[1]))", ValueError),
    Falsified("gaps = np.array([2, 2.8, 2.9, 3, 16])", "gaps = np.array([2, 2.9, 2.9, 3, 16])",
              AssertionError),
    # what the sentences say
    Falsified(r"\log 10 \approx 2.3", r"\log 10 \approx 2.4", Refuted, sentence=True),
    Falsified(r"\tfrac12\mu^2 + h(l/2)", r"\tfrac12\mu^2 - h(l/2)", Refuted, sentence=True),
    Falsified("log(one) - log(two)", "log(two) - log(one)", Misprinted),
    Falsified(r"(e^l - 1) > -\tfrac12", r"(e^l - 1) > \tfrac12", Refuted, sentence=True),
    Falsified(r"\beta^2/v \ge 1 + \log\beta^2", r"\beta^2/v \ge 2 + \log\beta^2", Refuted, sentence=True),
    Falsified(r"\lambda_k = \log s_k^2", r"\lambda_k = \log s_k", Refuted, sentence=True),
    Falsified('A: "any matrix",', "", ValueError, says="A is not declared"),
    # what is drawn
    Falsified("means[c][:, None] + 2 * np", "means[c][:, None] + 3 * np", AssertionError),
    Falsified("assert all(end == [min(ring.sigma), max(ring.sigma)]",
              "assert all(end == [max(ring.sigma), min(ring.sigma)]", AssertionError),
    Falsified("values(normal(x, 0, 9.68), x)]", "values(normal(x, 0, 9.36), x)]", ValueError,
              says="is drawn at"),
    Falsified("normals_at(0.5, direction=way)", "normals_at(0.4, direction=way)", AssertionError),
    Falsified("curves=[*(ring.sigma for ring in rings), [1]]",
              "curves=[*(ring.sigma for ring in rings), [2]]", ValueError, says="is drawn at"),
    Falsified("curves=[circle.T, outline.T]", "curves=[outline.T, circle.T]", ValueError),
    Falsified("shapes=[bill[0], (bill[0],", "shapes=[bill[0], (bill[1],", ValueError),
    # exercises
    Falsified('sp.exp(l) - 1: "What became of the factor in front of the bracket?",',
              'half * (sp.exp(l) - 1): "What became of the factor in front of the bracket?",', Exception,
              says="is equal to the answer"),
    Falsified("both.solution(h(t) + h(-t))", "both.solution(h(t) + h(t))", Refuted),
    Falsified("inv() / beta**2", "inv() / beta", AssertionError),
], undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)
