"""The chapter book/gradients/vae: what must not pass on it, and its exercises."""

from proofread.errors import Misprinted, ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-vae-halved", ["y/(1 + v)", "v/(1 + v)"], "which force was weakened"),
    ("ex-vae-halved", ["2*y/(2 + v)", "v/(1 + v)"], "pull on the scale"),
    ("ex-vae-halved", ["0", "2"], "without a datum"),
    ("ex-vae-path", "(y - z)/v - z", "and \\$q\\$"),
    ("ex-vae-path", "(y - z)/v - z - (z - mu)/sigma**2", "minus signs"),
    ("ex-vae-path", "(y - mu)/v - mu", "mean over all draws"),
    ("ex-vae-price", "log(1 + v)/2", "Much noise"),
    ("ex-vae-price", "log(1 + 1/v)", "the half"),
    ("ex-vae-price", "(log((1 + v)/v) - 1/(1 + v))/2", "for the datum 0"),
]

QUOTATIONS = {
    "Xu (2019), look at the ELBO again, the last line":
        r"-\log(\mathcal{N}(y; 0, 1 + v)) = \log(\mathcal{N}(y; 0, 1 + v))",
}

UNCHECKED = [
    r"(\log s)' = 1/s", r"1/\ell_j", r"\log a \le a - 1", r"\log p(y \mid z) + \log p(z) - \log q(z)",
    r"\log q", r"\log\ell_j", r"\mathbb E_q[\log \ell]",
    r"\tfrac12(\tfrac12\sigma^2 + \tfrac12\mu^2 - \tfrac12 - \log\sigma^2)", "v/(1+v)", "y/(1+v)",
    r"z = \mu + \sigma\epsilon", r"1/\sigma", r"\epsilon^2",
]

PAGE = Page("book/gradients/vae", [
    # steps
    Falsified("split.step(E(log(p(k) * ell[k]) - log(posterior(k)), code),",
              "split.step(E(log(p(k) * ell[k]) + log(posterior(k)), code),", Refuted),
    Falsified("split.step(E(log(p(k) * ell[k] / q(k)) - log(posterior(k) / q(k)), code),",
              "split.step(E(log(p(k) * ell[k] / q(k)) - log(q(k) / posterior(k)), code),", Refuted),
    Falsified("split.step(E(log(p(k) * ell[k]), code) - E(log(q(k)), code) + KL(code, given_y),",
              "split.step(E(log(p(k) * ell[k]), code) + E(log(q(k)), code) + KL(code, given_y),", Refuted),
    Falsified("split.step(E(log(ell[k]), code) - KL(code, prior) + KL(code, given_y),",
              "split.step(E(log(ell[k]), code) - KL(prior, code) + KL(code, given_y),", Refuted),
    Falsified('"Gibbs\' inequality", relation=">=",', '"Gibbs\' inequality", relation="<=",', Refuted),
    Falsified("by=bounds.gibbs(q(k), posterior(k), every)", "by=bounds.gibbs(q(k), p(k), every)", ProofError),
    Falsified("dense.step(sp.Integral(g(z) * log(h(z) * f(z) / g(z)), line),",
              "dense.step(sp.Integral(g(z) * log(h(z) / g(z)), line),", ProofError),
    Falsified("given=[sp.Eq(sp.Integral(g(z), line), 1)])", "given=[])", ProofError),
    Falsified("bayes.step(log(normal(y, 0, 1 + v)) + log(normal(z, y / (1 + v), v / (1 + v))),",
              "bayes.step(log(normal(y, 0, 1 + v)) + log(normal(z, y / (1 + v), 1 / (1 + v))),", Refuted),
    Falsified("known.step(normal(y, 0, 1 + v),", "known.step(normal(y, 0, v),", Refuted),
    Falsified("recon.step(half * log(2 * sp.pi * v) + ((y - mu)**2 + sigma**2) / (2 * v),",
              "recon.step(half * log(2 * sp.pi * v) + ((y - mu)**2 - sigma**2) / (2 * v),", Refuted),
    Falsified("gap.step(-log(normal(y, 0, 1 + v)) + kl(mu, sigma**2, y / (1 + v), v / (1 + v)),",
              "gap.step(-log(normal(y, 0, 1 + v)) + kl(mu, sigma**2, y / 2, v / (1 + v)),", Refuted),
    Falsified("along_mean.step((y - mu) / v - mu,", "along_mean.step((y - mu) / v + mu,", Refuted),
    Falsified("along_scale.step(-sp.exp(2 * t) / v + (1 - sp.exp(2 * t)),",
              "along_scale.step(-sp.exp(2 * t) / v - (1 - sp.exp(2 * t)),", Refuted),
    Falsified("loss_of_image.step(E(-log(ell[k]), code) + KL(code, prior),",
              "loss_of_image.step(E(-log(ell[k]), code) - KL(code, prior),", Refuted),
    Falsified("widen.step(E(eps * ((y - place) / v - place) + 1 / sigma, noise),",
              "widen.step(E(eps * ((y - place) / v - place) - 1 / sigma, noise),", Refuted),
    Falsified("widen.step(-sigma / v - sigma + 1 / sigma,", "widen.step(-sigma / v + sigma + 1 / sigma,",
              Refuted),
    Falsified("asks.step(q(j) / ell[j],", "asks.step(q(j) * ell[j],", Refuted),
    Falsified("place = mu + sigma * eps", "place = mu + sigma**2 * eps", Refuted),
    Falsified("slope.step(E((y - place) / v - place, noise),",
              "slope.step(E((y - place) / v + place, noise),",
              Refuted),
    Falsified("runaway.step(-sp.exp(2 * t) / v + (-1 - sp.exp(2 * t)),",
              "runaway.step(-sp.exp(2 * t) / v + (1 - sp.exp(2 * t)),", Refuted),
    # a law that is none, and a start
    Falsified('Law(r"p_{\\cdot\\mid y}", k, posterior(k), 1, n)',
              'Law(r"p_{\\cdot\\mid y}", k, p(k) * ell[k], 1, n)',
              Refuted),
    Falsified("loss = recon.end + kl(mu, sigma**2, 0, 1)", "loss = recon.end - kl(mu, sigma**2, 0, 1)",
              Refuted),
    # which equation a route is evidence for, and with what
    Falsified("stats.norm.pdf(1.5, 0, np.sqrt(1.64)), of=known",
              "stats.norm.pdf(1.5, 0, np.sqrt(1.64)), of=bayes",
              ValueError),
    Falsified("at={y: 1.5, v: 0.64}", "at={y: 1.5, v: 0.8}", ValueError),
    Falsified("v: any_scale}, of=gap,", "v: any_scale}, of=along_mean,", ValueError, says="no side of"),
    Falsified("return -elbo_quadrature(NormalAutoencoder(*model), number(y)).total[0]",
              "return -elbo_quadrature(NormalAutoencoder(*model), number(y)).reconstruction[0]", Refuted,
              says="departs"),
    # what a source prints
    Falsified("best = (-log(normal(y, 0, 1 + v)), log(normal(y, 0, 1 + v)))",
              "best = (-log(normal(y, 0, 1 + v)), -log(normal(y, 0, 1 + v)))",
              ValueError, says="not refuted"),
    # numbers: what is measured, and how
    Falsified("return 0 * code_cost(mean, log_var)", "return 1 * code_cost(mean, log_var)", AssertionError),
    # ten runs each: two methods exchanged, a rival that is missing, one seed
    Falsified('forces.more("both forces", "no code")', 'forces.more("no code", "both forces")', Refuted),
    Falsified('forces.less("no regulariser", "both forces")', 'forces.less("both forces", "no regulariser")',
              Refuted),
    Falsified('bounds_of.less(slip, "both forces")', 'bounds_of.less("both forces", slip)', Refuted),
    Falsified('forces = Comparison("what the regulariser is good for", record.recorded(FORCES),\n'
              '                    measured="mean log-evidence of a held-out digit, in nats",\n'
              '                    nothing="no code",',
              'forces = Comparison("what the regulariser is good for", record.recorded(FORCES),\n'
              '                    measured="mean log-evidence of a held-out digit, in nats",\n'
              '                    nothing="no bits",', ValueError, says="expected nothing to be one of"),
    Falsified('forces = Comparison("what the regulariser is good for", record.recorded(FORCES),',
              'from dataclasses import replace\nkept = record.recorded(FORCES)\nkept = replace(kept, '
              'seeds=(0,), values={a: b[:1] for a, b in kept.values.items()})\n'
              'forces = Comparison("what the regulariser is good for", kept,', ValueError,
              says="seeds at least"),
    Falsified("both.evidence - both.bound < 1.5", "both.evidence - both.bound < 0.4", AssertionError),
    Falsified("fit_vae(bits, reconstruction=0, steps=100,", "fit_vae(bits, reconstruction=1, steps=100,",
              AssertionError),
    Falsified("    return 2 * code_cost(mean, log_var)", "    return code_cost(mean, log_var) / 2",
              AssertionError),
    Falsified("    inside = log_var.exp() + mean**2 - 1 + log_var",
              "    inside = log_var.exp() + mean**2 - 1 - log_var",
              AssertionError),
    Falsified("fit_vae(bits, cost=sign_turned, steps=200,", "fit_vae(bits, cost=half_lost, steps=200,",
              AssertionError),
    Falsified("assert np.allclose(alike, 1, atol=0.02)", "assert np.allclose(alike, 2, atol=0.02)",
              AssertionError),
    Falsified("return code_cost(mean, log_var / 2)", "return code_cost(mean, log_var)", AssertionError),
    # what is drawn
    Falsified("        dots.append(these)", "        dots.append(these[:, ::-1])", ValueError),
    Falsified("shapes=[mosaic],", "shapes=[mosaic[::-1]],", ValueError),
    Falsified("shapes=[(starts, ends(pull)), (starts, ends(push))],",
              "shapes=[(starts, ends(push)), (starts, ends(pull))],",
              ValueError),
    Falsified("at = np.array([[2 / 2, np.log(1 / 2) / 2]])", "at = np.array([[2 / 2, np.log(1 / 2)]])",
              AssertionError),
    Falsified("shapes=[sheet(full), sheet(plain)],", "shapes=[sheet(plain), sheet(full)],", ValueError),
    Falsified("    drawn_lines.append(outlines(model, others).T)",
              "    drawn_lines.append(outlines(full, others).T)",
              ValueError, says="is drawn at"),
    # sentences
    Falsified('r"\\sigma = e^t": "notation"', 'r"\\sigma = e^t": sp.Eq(sigma, sp.exp(2 * t))', Misprinted),
    Falsified('    f: "density of the prior", g:', "    g:", ValueError, says="not declared"),
    # exercises
    Falsified('log(1 + 1 / v): "What became of the half?"',
              'half * log((1 + v) / v): "What became of the half?"',
              Exception, says="is equal to the answer"),
    Falsified("by_variance.step(1 / (2 * v) + sp.Rational(1, 4) - 1 / (2 * s),",
              "by_variance.step(1 / (2 * v) + half - 1 / (2 * s),", Refuted),
    Falsified("felt.step((y - z) / v - z + (z - mu) / sigma**2,",
              "felt.step((y - z) / v - z - (z - mu) / sigma**2,",
              Refuted),
    Falsified("paid.step(half * log((1 + v) / v),", "paid.step(half * log(1 + v),", Refuted),
], unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS, seconds=600)
