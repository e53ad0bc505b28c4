"""The chapter book/gumbel/concrete: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-which-is-larger", "1/(1 + exp((mu[2] - mu[1])/tau))", "depend on the temperature"),
    ("ex-which-is-larger", "exp(mu[1])/Sum(exp(mu[i]), (i, 1, n))", "larger than both"),
    ("ex-small-bias", "pi**2/3 * exp(d)/(1 + exp(d))**2 * (1 - exp(d))/(1 + exp(d))", "has a half"),
    ("ex-small-bias", "pi**2/6 / (1 + exp(d)) / (1 + exp(-d))", "second derivative"),
    ("ex-soft-border", "a*b/log(r)", "squared distances"),
    ("ex-soft-border", "-4*a*b/log(1/r)", "variance twice"),
]

QUOTATIONS = {
    "Xu (2019), softmax map":
        r"\lim_{\tau \to 0^{+}} \ell(\tau) = \frac{1}{m + \sum_{i=1}^{n} e^{-g_{i}}}",
    "Xu (2019), the softmax map with Gumbel variables":
        r"\frac{e^{(\mu_{k}+G_{k})/\tau}}{\sum_{i=1}^{n}e^{(\mu_{i}+G_{i})/\tau}}"
        r"=\frac{e^{\mu_{k}+G_{k}}/\tau}{\sum_{i=1}^{n}e^{\mu_{i}+G_{i}}/\tau}",
}

UNDETERMINED = {
    "eq-leader": r"\ell(\tau) := \frac{1}{m + \sum_{i=1}^{n} e^{-g_{i} / \tau}}",
    "eq-logistic-density": r"s(d) := \sigma(d) \left(1 - \sigma(d)\right)",
    "eq-responsibility":
        r"\rho_{k} := \frac{w_{k} \exp(-\delta_{k} / \left(2 \varepsilon\right))}{\sum_{i=1}^{n} "
        r"w_{i} \exp(-\delta_{i} / \left(2 \varepsilon\right))}",
}
UNCHECKED = [
    r"(1 + \tau^2)", r"\tau - (n-1)", "(b+a)^2 - (b-a)^2", r"(t_i/\pi_i)^{-1/\tau}", "-d",
    r"1/(1 + (w_2/w_1)\,e^{-(\delta_2-\delta_1)/2\varepsilon})", r"2\varepsilon\log r", r"G + \tau G'",
    r"\Pr(K = 1)", r"\Pr(K = k)", r"\frac12\tau^2L^2\,\sigma''(d)", r"\frac{1}{n-1}", r"\frac{\pi^2}{3}",
    r"\lambda X_k^{-\tau}", r"\log X", r"\log w_k - \delta_k/2\varepsilon", r"\log(x_1/x_3)",
    r"\log(x_2/x_3)", r"\log\frac{u}{1-u} - \log r", r"\mu_i + G_i + \tau G'_i",
    r"\sigma(t) = \frac12 + \frac12\tanh\frac t2", r"\tau L\,\sigma'(d)", r"\tau \to 0", r"\varepsilon \to 0",
    r"c\,\tau^2", "x_1 x_2 x_3",
    r"\tau^2",
]
ARGUED = {
    "eq-win-given-first": r"\Pr(K = k \mid G) = "
                          r"\frac{e^{(\mu_k + G_k) / \tau}}{\sum_{i=1}^{n} e^{(\mu_i + G_i) / \tau}}",
    "eq-win-given-second": r"\Pr(K = k \mid G') = "
                           r"\frac{e^{\mu_k + \tau G'_k}}{\sum_{i=1}^{n} e^{\mu_i + \tau G'_i}}",
}

PAGE = Page("book/gumbel/concrete", [
    # the soft draws, and the limits
    Falsified("np.log(p), (100_000, 1)), temperature=1.0, rng=0)",
              "np.log(p), (100_000, 1)), temperature=2.0, rng=0)",
              AssertionError),
    Falsified("cold.step(1 / m,", "cold.step(1 / (m + n),", Refuted),
    Falsified("hot.step(1 / n,", "hot.step(1 / (n + 1),", Refuted),
    Falsified("1 / (m + sp.Sum(sp.exp(-gap[i]), (i, 1, n)))),\n        correct=cold",
              "1 / m),\n        correct=cold",
              ValueError, says="is not refuted"),
    Falsified("correct=cold,", "correct=hot,", NameError),
    Falsified("temperature=1e-300), [0.5, 0.5, 0])", "temperature=1e-300), [1, 0, 0])", AssertionError),
    Falsified("(size, 1)), temperature=2.0, rng=rng)\n    .argmax",
              "(size, 1)) / 2, temperature=2.0, rng=rng)\n    .argmax",
              Refuted),
    Falsified("dots = softmax(np.log(p) - np.log(shares)", "dots = softmax(np.log(p) + np.log(shares)",
              AssertionError),
    Falsified("ax.plot(*on_simplex(walk),", "ax.plot(*on_simplex(walk[::-1]),",
              ValueError, says="is drawn at"),
    Falsified("arrival(k)**-(1 / tau) / sp.Sum(arrival(i)**-(1 / tau), (i, 1, n))",
              "arrival(k)**(1 / tau) / sp.Sum(arrival(i)**(1 / tau), (i, 1, n))", Refuted),
    Falsified("(soft, typed),", "(soft, soft),", ValueError, says="is not refuted"),
    # the mean
    Falsified("E(sigma(d + tau * L), logistic), label=", "E(sigma(d + L), logistic), label=", ValueError),
    Falsified("relaxed_mean([1.0, 0.0], temperature=2.0)[0], of=two",
              "relaxed_mean([1.0, 0.0], temperature=1.0)[0], of=two",
              ValueError, says="no side of eq-relaxed-mean"),
    Falsified("sp.Integral(r * (1 - u) / (r * (1 - u) + u), (u, 0, 1)),",
              "sp.Integral(r * (1 - u) / (r + u), (u, 0, 1)),", Refuted),
    Falsified("r / (r - 1)**2 * sp.log(r * (1 - u) + u)", "r / (r - 1) * sp.log(r * (1 - u) + u)", Refuted),
    Falsified("closed.step(r * (r - 1 - sp.log(r)) / (r - 1)**2,",
              "closed.step(r * (r - 1 + sp.log(r)) / (r - 1)**2,",
              Refuted),
    Falsified("3 * (2 - np.log(3)) / 4, bounds", "3 / 4, bounds", ValueError),
    Falsified("early + np.pi**2 / 6 * 2 / 27", "early + np.pi**2 / 6 * 2 / 9", AssertionError),
    Falsified("nearer.step(-sp.sinh(d)", "nearer.step(sp.sinh(d)", Refuted),
    Falsified("beyond.step(sp.sinh(d)", "beyond.step(-sp.sinh(d)", Refuted),
    # the density
    Falsified("density.step(sp.gamma(n) * tau**(n - 1)", "density.step(sp.gamma(n) * tau**n", Refuted),
    Falsified("(k, 1, n))**n,\n", "(k, 1, n))**(n - 1),\n", Refuted),
    Falsified("(u * (1 - u))**(-tau - 1)", "(u * (1 - u))**(-tau)", Refuted),
    Falsified("+ log_x.sum(axis=-1)) / 16", ") / 16", AssertionError),
    Falsified("x[k]**((n - 1) * tau - 1), (k, 1, n))", "x[k]**(n * tau - 1), (k, 1, n))", Refuted),
    Falsified("assert abs(rise - (t - 2)) < 1e-9", "assert abs(rise - (2 * t - 1)) < 1e-9", AssertionError),
    Falsified("heights = concrete_log_prob(points, np.log(p), temperature=t)",
              "heights = concrete_log_prob(points, np.log(p[::-1]), temperature=t)", ValueError),
    Falsified("+ sp.Sum(v - sp.log(sp.Sum(sp.exp(mu[i] - tau",
              "+ sp.Sum(v - sp.log(sp.Sum(sp.exp(mu[i] + tau",
              Refuted),
    Falsified("kept = gumbel_softmax(ten.expand(20_000, 10), temperature=0.05, log=True,",
              "kept = gumbel_softmax(ten.expand(20_000, 10), temperature=0.05, log=False,",
              ValueError, says="add up to 1|positive"),
    # the clusters
    Falsified("odds.step(sp.log(w[j]) - sp.log(w[k]) + (far[k] - far[j])",
              "odds.step(sp.log(w[j]) - sp.log(w[k]) + (far[j] - far[k])", Refuted),
    Falsified("given=[far[1] < far[2]]", "given=[far[1] > far[2]]", Refuted),
    Falsified("mixture_step(images, mixture, 1e-6,", "mixture_step(images, mixture, 1e-1,", AssertionError),
    Falsified("for v in (1e-3, 0.03,", "for v in (1e-2, 0.03,", AssertionError),
    Falsified("near)**2).sum(axis=2).argmin(axis=1)", "near[::-1])**2).sum(axis=2).argmin(axis=1)",
              AssertionError),
    Falsified("rings = [one.max(axis=1) < 0.9", "rings = [one.max(axis=1) > 0.9", AssertionError),
    Falsified("out = (near.sum(axis=0) - near) / 2 - middle", "out = near - middle", AssertionError),
    # in use, and the density from logarithms
    Falsified("type(law_.base_dist) is Exp", "type(law_) is Exp", AssertionError),
    Falsified("score = score - log_soft.sum(-1) ", "score = score + log_soft.sum(-1) ", AssertionError),
    Falsified("classes = log_soft.argmax(-1) ", "classes = log_soft.argmin(-1) ", AssertionError),
    Falsified("    return front + (scores - log_x).sum(axis=-1)", "    return front + scores.sum(axis=-1)",
              Refuted, says="two classes"),
    Falsified("front = gammaln(n_classes) +", "front = gammaln(n_classes + 1) +", Refuted,
              says="the shape is right"),
    Falsified('"no power of the temperature": variant(lambda n, t: gammaln(n)),',
              '"no power of the temperature": variant(),', Vacuous),
    # the exercises and the sentences
    Falsified("larger.solution(sp.exp(mu[1]) /", "larger.solution(sp.exp(mu[2]) /", Refuted),
    Falsified("border.solution(((b + a)**2 - (b - a)**2)", "border.solution(((b + a)**2 + (b - a)**2)",
              Refuted),
    Falsified('mu: "logits", n: "number of classes",', 'mu: "logits",', ValueError, says="n is not declared"),
    Falsified("b > 0", "b > 1", Refuted, sentence=True),
    Falsified('r"X_1 > X_2": "condition"', 'r"X_1 > X_2": "obvious"', ValueError, says="one of condition"),
], exercises=4, undetermined=UNDETERMINED, argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES,
           quotations=QUOTATIONS)
