"""The chapter book/gradients/estimating_kl: what must not pass on it, and its exercises."""

from chapters.falsification import Falsified, Page

from proofread.errors import Misprinted, ProofError, Refuted

MISTAKES = [
    ("ex-kl-draws", "2*K/epsilon**2", "error of"),
    ("ex-kl-draws", "2/(K*epsilon)", "twice the draws"),
    ("ex-kl-draws", "1/(K*epsilon**2)", "variance of a single draw"),
    ("ex-kl-exponential", "alpha/beta - 1 - log(alpha/beta)", "over which law"),
    ("ex-kl-exponential", "log(alpha) - log(beta) + beta/alpha", "divergence zero"),
    ("ex-kl-exponential", "log(alpha/beta) - (alpha - beta)", "mean waiting time"),
    ("ex-kl-family", "A - B + (eta - theta)*tau", "on top of the ratio"),
    ("ex-kl-family", "B - A - theta*tau + eta*tau", "With which sign"),
    ("ex-kl-family", "theta*tau - eta*tau", "cancel"),
]

UNCHECKED = [
    r"(\mu_q-\mu_p)/\sigma^2", r"-\log\alpha", r"1/\alpha", "10^{-3}", "2K", "LM", "L^{-1}L = I",
    "V(z, 1) = e^{z^2} - 1 - z^2", r"\Sigma_p - \Sigma_q", r"\varepsilon^2K^2", r"\log p(x) - \log q(x)",
    r"\log\frac{p}{q} = \log\frac{p_j}{q} - \log\frac{p_j}{p}", r"\mathbb E_p[r^2] = \int q^2/p\,dx",
    r"\mathbb E_p[r_i\log r_i] = \mathbb E_q[\log r_i]", r"\mathbb E_p[r_i] = \sum_i q_i = 1",
    r"\mathrm{KL}(p_j\,\|\,p) \le \log(1/w_j)", r"\operatorname{tr} MM^\top = \sum_{i,j} M_{i,j}^2", r"\pm g",
    r"\tfrac12z^4", r"\tfrac78(v-1)^4", r"\tfrac1{16}(v-1)^4", r"k(t) = t\coth t - 1",
    r"|MM^\top| = \prod_i M_{i,i}^2",
]

PAGE = Page("book/gradients/estimating_kl", [
    # steps
    Falsified("noise.step(2 * kl(", "noise.step(kl(", Refuted),
    Falsified("same_mean.step(KL(law_p, law_q),", "same_mean.step(KL(law_q, law_p),", Refuted),
    Falsified("- 2 * (KL(law_p, law_q) + KL(law_q, law_p)),", "- 2 * KL(law_p, law_q),", Refuted),
    Falsified("square.step(factor * normal(x, 2 * z / (2 - v), v / (2 - v)),",
              "square.step(factor * normal(x, z / (2 - v), v / (2 - v)),", Refuted),
    Falsified("- (v + 1 / v - 2) - z**2 * (1 + 1 / v),", "- (v + 1 / v - 2) - z**2 * (1 - 1 / v),", Refuted),
    Falsified("by_mean.step(2,", "by_mean.step(4,", Refuted),
    Falsified("by_scale.step(14,", "by_scale.step(56,", Refuted),
    Falsified("grows.step(floor + x * (a * x + 4 * z) / (2 * (2 + a)),",
              "grows.step(floor + x * (a * x - 4 * z) / (2 * (2 + a)),", Refuted),
    Falsified("over_j(w(j) * KL(p_j, law_q)) - over_j(w(j) * KL(p_j, mixed)),",
              "over_j(w(j) * KL(p_j, law_q)) - over_j(w(j) * KL(mixed, p_j)),", Refuted),
    Falsified("seek.step(log(1 + c) - sp.Sum(one * log(1 + rest / one), (i, 1, n)),",
              "seek.step(log(1 + c) + sp.Sum(one * log(1 + rest / one), (i, 1, n)),", Refuted),
    Falsified('seek.step(log(1 + c), "each', 'seek.step(log(1 + c / 2), "each', ProofError),
    Falsified("price.step(half * log(1 + g**2),", "price.step(log(1 + g**2),", Refuted),
    Falsified("stable.step(t * (t - lambert(t)) / (1 + lambert(t) - t),",
              "stable.step(t * (t - lambert(t)) / (1 + lambert(t) + t),", Refuted),
    Falsified("(j, 1, i - 1), (i, 1, d))", "(j, 1, i), (i, 1, d))", Refuted),
    Falsified("(L.I * gap * L.T.I - F * F.T)", "(L.I * gap * L.T.I - F.T * F)", Refuted),
    Falsified("E(T[i, j], p_theta)),", "E(T[i, j], p_eta)),", Refuted),
    Falsified("- over_d((eta[j] - theta[j]) * sp.Derivative(A_theta(), theta[j])),",
              "- over_d((theta[j] - eta[j]) * sp.Derivative(A_theta(), theta[j])),", Refuted),
    # the start of a chain
    Falsified("square = Derivation(normal(x, z, v)**2 /", "square = Derivation(normal(x, z, v) /", Refuted),
    Falsified("quieter = Derivation(Var(corrected, law_p),", "quieter = Derivation(Var(corrected, law_q),",
              Refuted),
    Falsified("price = Derivation(kl(g, 1, 0, 1 + g**2),",
              "price = Derivation(kl(0, 1 + g**2, g, 1),", Refuted),
    # hypotheses
    Falsified('title="the square of q over p", given=[v < 2])',
              'title="the square of q over p")', ProofError),
    Falsified('relation=">=", attained={x: 0})', 'relation=">=", attained={x: 1, a: 1})', ProofError),
    Falsified('label="eq-ratio-floor", given=[x >= 0, z >= 0],', 'label="eq-ratio-floor", given=[x >= 0],',
              ProofError),
    Falsified("above.step(over_j(w(j) * KL(p_j, law_q)), \"Gibbs' inequality\", relation=\"<=\"",
              "above.step(over_j(w(j) * KL(p_j, law_q)), \"Gibbs' inequality\", relation=\">=\"", Refuted),
    Falsified("- over_j(w(j) * log(1 / w(j))),", "+ over_j(w(j) * log(1 / w(j))),", Refuted),
    # a law that is none
    Falsified("(one + rest) / (1 + c), 1, n)", "(one + rest) / (2 + c), 1, n)", Refuted, says="total weight"),
    Falsified('Law("p", i, over_j(w(j) * part(j, i)), 1, n)', 'Law("p", i, over_j(part(j, i)), 1, n)',
              Refuted, says="total weight"),
    # which equation a route is evidence for, and where
    Falsified("at={z: 1.1, v: 1.3}", "at={z: 1.1, v: 1.2}", ValueError, says="no side of eq-ratio-moment"),
    Falsified("squared_ratio(0, 1, 1.1, np.sqrt(1.3)), of=moment,",
              "squared_ratio(0, 1, 1.1, 1.3), of=moment,",
              ValueError, says="no side of eq-ratio-moment"),
    Falsified("def squared(x, z=1.1, v=1.3):", "def squared(x, z=1.1, v=1.4):", Refuted),
    # numbers
    Falsified("spread = np.sqrt((1 - 0.98**2)**2 / 2 +", "spread = np.sqrt((1 - 0.98**2)**2 +",
              AssertionError),
    Falsified("{unfold(z): -0.1 / 0.98,", "{unfold(z): -0.2 / 0.98,", AssertionError),
    Falsified("edge = np.sqrt(2)", "edge = np.sqrt(2.1)", AssertionError),
    Falsified("border[:-1] - 0.01, ratios[:-1]) < 0)", "border[:-1] + 0.01, ratios[:-1]) < 0)",
              AssertionError),
    Falsified("- stats.norm.cdf(1 - 0.2 * reach)", "- stats.norm.cdf(-0.2 * reach)",
              AssertionError),
    Falsified("[[eigvalsh(q_cov, p_cov)[-1]", "[[eigvalsh(p_cov, q_cov)[-1]", AssertionError),
    Falsified("for b, c in ((5, 8), (8, 5), (1, 7), (7, 1)):",
              "for b, c in ((8, 5), (5, 8), (7, 1), (1, 7)):",
              AssertionError),
    Falsified("textbook = -(1 + log_var - np.exp(log_var)) / 2",
              "textbook = (np.expm1(log_var) - log_var) / 2",
              AssertionError),
    Falsified('"expm1": lambda v: (np.expm1(v) - v) / 2,', '"expm1": lambda v: (np.exp(v) - 1 - v) / 2,',
              AssertionError),
    Falsified("by_factors, by_the_difference)]", "by_the_difference, by_factors)]", AssertionError),
    # what is drawn
    Falsified('name="where-it-explodes", curves=[border,', 'name="where-it-explodes", curves=[border**2,',
              ValueError, says="is drawn at"),
    Falsified("curves += paths[how]", "curves += paths[True]", ValueError, says="is drawn at"),
    # what the sentences say
    Falsified(r'r"r - 1 - \log r \ge 0"', r'r"r - 2 - \log r \ge 0"', Misprinted),
    Falsified("rate - 1 - log(rate) >= 0", "rate - 2 - log(rate) >= 0", Misprinted),
    Falsified("half * (g**2 + (-g)**2)", "half * (g**2 - (-g)**2)", Misprinted),
    Falsified("- (alpha - beta) * x),", "+ (alpha - beta) * x),", Misprinted),
    Falsified("10**6, 15, 5", "10**6, 50, 5", AssertionError),
    Falsified(r"- \lambda) = h(\lambda/2)", r"- \lambda) = h(\lambda)", Misprinted),
    Falsified("        -log(beta) + log(alpha) - (alpha", "        log(beta) - log(alpha) - (alpha",
              Misprinted),
    Falsified("price.end - log(2) >= log(g / 2),", "price.end - log(2) >= log(2 * g),", Misprinted),
    Falsified('y: "any vector", ', "", ValueError, says="eq-cholesky-difference: y is not declared"),
    Falsified('{"textbook": 1, "expm1": 0.5,', '{"textbook": 1, "expm1": 1,', AssertionError),
    # exercises
    Falsified("enough.solution(2 * K / (share * K)**2)", "enough.solution(K / (share * K)**2)", Refuted),
    Falsified('(theta_ - eta_) * tau: "Do the terms that make the mass one cancel?"',
              'B_ - A_ - (eta_ - theta_) * tau: "Do the terms that make the mass one cancel?"', Exception,
              says="is equal to the answer"),
], unchecked=UNCHECKED, mistakes=MISTAKES)
