"""The chapter book/gradients/gaussian_kl: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-kl-both-orders", "exp(2*t) - 2*t - 1", "one order twice"),
    ("ex-kl-both-orders", "(exp(2*t) + exp(-2*t))/2", "cost nothing"),
    ("ex-kl-both-orders", "2*t**2", "very wide distribution"),
    ("ex-kl-factorised", ["sigma**2 - sigma**2*rho**2", "sigma**2"], "which order covers"),
    ("ex-kl-factorised", ["sigma**2", "sigma**2 - rho*sigma**2"], "eigenvalue"),
    ("ex-kl-factorised", ["sigma**2", "sigma**2"], "leave no trace"),
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
    r"\log\bar v", r"(LL^\top)^{-1} = L^{-\top}L^{-1}",
    r"-\mathbb E_p[\log q(x)]", r"A y y^\top", "L^{-1}L = I", r"\log(1/w)",
    r"\log\sigma = \tfrac12\log\sigma^2", r"\mathrm{KL}(p\,\|\,q)",
    r"\mathrm{KL}(p\,\|\,q) + \mathrm{KL}(q\,\|\,p)", r"\operatorname{tr} I_d = d",
    r"e^{2t} = \sigma_p^2/\sigma_q^2",
    r"t = \log\frac{\sigma_p}{\sigma_q}", r"y^\top A y", r"|t| - \tfrac12",
    r"s_1^2, \dots, s_d^2", r"WW^\top", r"\log p(x) - \log q(x)", r"\mathrm{KL}(q\,\|\,p)", "d(d+3)/2",
    r"\pm 3", "t^2", r"\tfrac14 d(d+3)\,(1/N + 1/M)", r"\Sigma_q^{-1}(c_p - c_q)",
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
    Falsified("[0.1, 0.01], 0, 1)", "[0.1, 0.02], 0, 1)", AssertionError),
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
    Falsified("np.argsort(apart)[:4]) == [0, 6, 9, 5]", "np.argsort(apart)[:4]) == [0, 6, 5, 9]",
              AssertionError),
    Falsified("for pair in ((0, 5), (0, 6), (5, 0), (6, 0)))",
              "for pair in ((0, 6), (0, 5), (5, 0), (6, 0)))", AssertionError),
    Falsified("for pair in ((0, 5), (0, 6), (5, 0), (6, 0)))",
              "for pair in ((0, 5), (0, 6), (6, 0), (5, 0)))", AssertionError),
    Falsified("for c in (0, 5, 6)]  # within", "for c in (5, 0, 6)]  # within", AssertionError),
    Falsified("if rulings[count][0] == 5] == [4]", "if rulings[count][0] == 5] == []", AssertionError),
    Falsified("[kl_mvn(centres[0], spreads[0], centres[c], spreads[c])",
              "[kl_mvn(centres[c], spreads[c], centres[0], spreads[0])", AssertionError),
    Falsified("[kl_mvn(centres[c], spreads[c], centres[0], spreads[0]) for c in others]))",
              "[kl_mvn(centres[0], spreads[0], centres[c], spreads[c]) for c in others]))", AssertionError),
    Falsified("rare = closest_normal([0.95, 0.05],", "rare = closest_normal([0.5, 0.5],", AssertionError),
    Falsified("undone = kl_normal(0, 0.1, 0, 0.3)", "undone = kl_normal(0, 0.3, 0, 0.1)", AssertionError),
    Falsified("(d_ + 3) / 4 * (1 / N_ + 1 / M_)", "(d_ + 3) / 2 * (1 / N_ + 1 / M_)", AssertionError),
    Falsified("(1 + 2 / N) / (N - d - 2) - 1)", "(1 + 1 / N) / (N - d - 2) - 1)", AssertionError),
    Falsified("    a[:, moved] += 1\n", "    a[:, moved] += 0\n", AssertionError),
    Falsified("np.linalg.cholesky(correlation**steps).T", "np.eye(count)", AssertionError),
    Falsified("fit_reverse(twins, [0.5, -3])", "fit_reverse(twins, [-3, -3])", AssertionError),
    Falsified("switch = 2.2, 2.25", "switch = 2.15, 2.2", AssertionError),
    Falsified("switch = 2.2, 2.25", "switch = 2.25, 2.3", AssertionError),
    Falsified("[0, 2e-4], [1, 1 + 1e-4])", "[0, 2e-4], [1, 1 + 2e-4])", AssertionError),
    Falsified("[[1, 0.8], [0.8, 1]]", "[[1, 0.6], [0.6, 1]]", AssertionError),
    Falsified("np.mean(own - log_density(places[0], c))", "np.mean(2 * own - log_density(places[0], c))",
              AssertionError),
    Falsified("    closed = kl_mvn(means[0], covs[0], means[c], covs[c])\n    assert np.isclose(losses",
              "    closed = kl_mvn(means[c], covs[c], means[0], covs[0])\n    assert np.isclose(losses",
              AssertionError),
    Falsified("np.linalg.solve(L_q, cov_p).T)", "np.linalg.solve(L_q, cov_q).T)", AssertionError),
    Falsified("costs = m**2 / 2, (s**2 - 1) / 2 - np.log(s)",
              "costs = m**2, (s**2 - 1) / 2 - np.log(s)", AssertionError),
    Falsified("for_means = np.linalg.solve(L_q.T, delta)", "for_means = np.linalg.solve(L_q.T, axes[:, -1])",
              AssertionError),
    Falsified("for_spreads = np.linalg.solve(L_q.T, axes)", "for_spreads = np.linalg.solve(L_q, axes)",
              AssertionError),
    Falsified("gaps = np.array([2, 2.8, 2.9, 3, 16])", "gaps = np.array([2, 2.9, 2.9, 3, 16])",
              AssertionError),
    # code to copy
    Falsified("0.5 * torch.expm1(2 * t) - t", "0.5 * torch.expm1(2 * t) + t", AssertionError),
    Falsified("each.sum(dim=-1)", "each.mean(dim=-1)", AssertionError),
    Falsified("torch.expm1(log_var) - log_var", "torch.exp(log_var) - 1 - log_var", AssertionError),
    Falsified("mean_p.shape[-1]) - logs", "mean_p.shape[-1]) - 2 * logs", AssertionError),
    Falsified("(mean_p - mean_q)[..., None]", "(mean_p - mean_q)[:, None]", Exception),
    Falsified("torch.as_tensor(std_p / std_q).log()", "torch.log(std_p / std_q)", TypeError),
    Falsified("torch.as_tensor((mean_p - mean_q) / std_q)", "(mean_p - mean_q) / std_q", TypeError),
    Falsified("new_mean, new_std).sum(-1).mean()", "new_mean, new_std).mean()", AssertionError),
    Falsified("prior_mean, prior_std).sum(-1).mean()", "prior_mean, prior_std).mean()", AssertionError),
    Falsified("torch.atleast_2d(torch.cov(X.T))", "torch.cov(X.T)", IndexError),
    Falsified("torch.lerp(cov, cov.diagonal().diag(), shrink)", "torch.lerp(cov, 0 * cov, shrink)",
              Exception),
    Falsified("torch.lerp(cov, cov.diagonal().diag(), shrink)",
              "torch.lerp(cov, cov.trace() / len(cov) * torch.eye(len(cov)).to(cov), shrink)",
              AssertionError),
    Falsified("return Independent(Normal(mean, std), 1)", "return Normal(mean, std)", Exception),
    Falsified("shift = kl_gaussians(*moments(Y), *moments(X))",
              "shift = kl_gaussians(*moments(X), *moments(Y))",
              AssertionError),
    Falsified("p, q = (MultivariateNormal(*moments(a)) for a in (Y, X))",
              "p, q = (MultivariateNormal(*moments(a)) for a in (X, Y))", AssertionError),
    Falsified("W.diagonal(dim1=-2, dim2=-1)", "W.diagonal()", Exception),
    Falsified("images.mean(axis=0)) / 16", "images.mean(axis=0)) / 15", AssertionError),
    Falsified("sampled = (old.log_prob(x) - new.log_prob(x))",
              "sampled = (new.log_prob(x) - old.log_prob(x))", AssertionError),
    Falsified("a, b = np.array_split(rng.permutation(points), 2)",
              "a, b = np.array_split(rng.permutation(points), 3)", ValueError),
    Falsified("kl_gaussians(*moments(a), *moments(b)).item()\n\nrng",
              "kl_gaussians(*moments(a), *moments(b + 1)).item()\n\nrng", AssertionError),
    # what a fit does
    Falsified("return (q.log_prob(x) - target.log_prob(x)).mean(0)",
              "return (target.log_prob(x) - q.log_prob(x)).mean(0)", AssertionError),
    Falsified("log_std.exp().tolist(), found.tolist()", "log_std.exp().tolist(), (2 * found).tolist()",
              AssertionError),
    Falsified("fit_reverse(target, [-1, 1])", "fit_reverse(target, [1, -1])", AssertionError),
    Falsified("sample.mean().item(), sample.std().item()", "sample.mean().item(), sample.var().item()",
              AssertionError),
    # what the sentences say
    Falsified(r"\log 100 \approx 4.6", r"\log 100 \approx 4.7", Refuted, sentence=True),
    Falsified(r"\log 10 \approx 2.3", r"\log 10 \approx 2.4", Refuted, sentence=True),
    Falsified(r"\sigma^2/v \ge 1 + \log\sigma^2", r"\sigma^2/v \ge 2 + \log\sigma^2", Refuted, sentence=True),
    Falsified("costs[1] >= 1 - log(conditional)", "costs[1] >= 2 - log(conditional)", Misprinted),
    Falsified(r"\lambda_k = \log s_k^2", r"\lambda_k = \log s_k", Refuted, sentence=True),
    Falsified('A: "any matrix",', "", ValueError, says="A is not declared"),
    # what is drawn
    Falsified("means[c][:, None] + 2 * np", "means[c][:, None] + 3 * np", AssertionError),
    Falsified("assert all(end == [min(ring.sigma), max(ring.sigma)]",
              "assert all(end == [max(ring.sigma), min(ring.sigma)]", AssertionError),
    Falsified("values(normal(x, 0, 9.68), x),", "values(normal(x, 0, 9.36), x),", ValueError,
              says="is drawn at"),
    Falsified("normals_at(0.5, direction=way)", "normals_at(0.4, direction=way)", AssertionError),
    Falsified("curves=[*(ring.sigma for ring in rings), [1]]",
              "curves=[*(ring.sigma for ring in rings), [2]]", ValueError, says="is drawn at"),
    Falsified("outlines = [*frames, fig], [*outlines, circle.T, outline.T]",
              "outlines = [*frames, fig], [*outlines, outline.T, circle.T]", ValueError),
    Falsified("updates = [(0, 1, 0.1, 1),", "updates = [(0, 1, 0.2, 1),", AssertionError),
    Falsified("densities = [*frames, fig], [*densities, *pair]",
              "densities = [*frames, fig], [*densities, *pair[::-1]]", ValueError, says="is drawn at"),
    Falsified("stats.norm(*seek[:2]).pdf,", "stats.norm(*cover[:2]).pdf,", ValueError, says="is drawn at"),
    Falsified("tilted.T, *(ball.T for ball in balls)]", "tilted.T, *(ball.T for ball in balls[::-1])]",
              ValueError),
    # exercises
    Falsified('sp.cosh(2 * t): "Two equal', 'sp.cosh(2 * t) - 1: "Two equal', Exception,
              says="is equal to the answer"),
    Falsified("both.solution(h(t) + h(-t))", "both.solution(h(t) + h(t))", Refuted),
    Falsified("inv() / sigma**2", "inv() / sigma", AssertionError),
    Falsified("drift.solution(share)", "drift.solution(splitting(divergence, at=lambda x: 40))", Exception,
              says="sizes are kept"),
    Falsified('"no split at all": thresholds})', '"no split at all": splitting(divergence)})', Exception,
              says="accepts what is wrong"),
    Falsified("row += memory * before", "row += 0 * before", AssertionError),
    Falsified("lambda a: a.T @ a / len(a))", "lambda a: np.cov(a.T))", Exception,
              says="accepts what is wrong"),
    Falsified("splitting(divergence, less=1)", "splitting(divergence, less=0)", Exception,
              says="accepts what is wrong"),
], exercises=3, undetermined=UNDETERMINED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)
