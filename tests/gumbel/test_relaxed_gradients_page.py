"""The chapter book/gumbel/relaxed_gradients: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-cold-noise", "exp(d)/(1 + exp(d))**2/6", "what is the slope"),
    ("ex-cold-noise", "4*exp(-d)/(1 + exp(-d))**2/105", "used up"),
    ("ex-cubic", "3*exp(d)/(1 + exp(d))**2/2", "mean of ReinMax"),
    ("ex-cubic", "exp(d)/(1 + exp(d))**2", "the gradient"),
    ("ex-cubic", "exp(d)/(1 + exp(d))**2 * (2*exp(d) - 1)/(1 + exp(d))", "plain"),
    ("ex-reinmax-two", "exp(d)/(1 + exp(d))/2", "which corners"),
    ("ex-reinmax-two", "exp(d)/(1 + exp(d))**2/2", "how often"),
]

UNDETERMINED = {
    "eq-drawn-law": r"\pi_{k} := \frac{e^{\mu_{k}}}{\sum_{i=1}^{n} e^{\mu_{i}}}",
}
UNCHECKED = [
    r"1 - \pi", r"B\tau", r"\frac{1}{R\tau}", r"V/(N\tau)", r"e_k - \pi",
    "1/C^2", "3u^2", r"2J(h) - \frac12 J(\pi)", r"\frac12\pi_i", r"p_j(\delta_{jm} - p_m)", r"\pi_j\pi_k",
    r"\sigma' = \sigma(1-\sigma)", r"b_k + \frac12 Q_{kk}", r"b_m + \frac12(Q_{mk} + Q_{km})", "f(1) - f(0)",
    "u = e^{-y}", "u(1-u)", r"y = (d + L)/\tau",
]
ARGUED = {
    "eq-rao-mean": r"\lim_{\tau\to 0} \mathbb{E}[\tfrac1\tau X_{j}(\delta_{j m} - X_{m}) \mid k] = "
                   r"\frac{\sum_{i=1}^{n} \pi_{i} "
                   r"(\delta_{j,k} - \delta_{j,i}) (\delta_{m,k} - \delta_{m,i})}{2}",
}

PAGE = Page("book/gumbel/relaxed_gradients", [
    Falsified("soft = 2 * q - p / 2", "soft = 2 * q - p", AssertionError),
    Falsified("return drawn(p) + p - p.detach()", "return drawn(p) + p", AssertionError),
    Falsified("* s((d + L) / tau) / tau,\n", "* s((d + L) / tau),\n", Refuted),
    Falsified("biased.step(sp.Integral(g(sigma(y)) * s(y) * s(tau * y - d),",
              "biased.step(sp.Integral(g(sigma(y)) * s(y) * s(tau * y + d),", Refuted),
    Falsified("right.step(s(d) * sp.Integral(g(u), (u, 0, 1)),", "right.step(sp.Integral(g(u), (u, 0, 1)),",
              Refuted),
    Falsified("noisy.step(1 / tau * sp.Integral", "noisy.step(sp.Integral", Refuted),
    Falsified("return 2 * (x - 0.45)", "return 2 * (x - 0.55)", AssertionError),
    Falsified("exact = 0.1 * expit(-1) * expit(1)", "exact = 0.2 * expit(-1) * expit(1)", AssertionError),
    Falsified("ax.plot(np.log10(warm), slopes,", "ax.plot(np.log10(warm), slopes + 0.01,", ValueError,
              says="is drawn at"),
    Falsified("curves=[np.full(61, exact), slopes,", "curves=[slopes, np.full(61, exact),", ValueError,
              says="is drawn at"),
    Falsified("lambda x: 2 * (x - 0.1), -1", "lambda x: 2 * (x - 0.45), -1", AssertionError),
    Falsified("pays @ expit([-1, 1]), pays @ expit([1, -1])", "pays @ expit([1, -1]), pays @ expit([-1, 1])",
              AssertionError),
    Falsified("sp.cbrt(V / (2 * B**2 * N))), label", "sp.sqrt(V / (2 * B**2 * N))), label", Refuted),
    Falsified("np.sqrt((means - exact)**2 + noise / draws)", "np.sqrt((means - exact)**2 + noise)",
              AssertionError),
    Falsified('baseline="leave-one-out")[0]', 'baseline=0.0)[0]', AssertionError),
    Falsified("warm[abs(slopes - exact).argmax()]", "warm[abs(slopes - exact).argmin()]", AssertionError),
    Falsified("noisier = np.floor(spread[40]", "noisier = np.floor(spread[39]", AssertionError),
    Falsified("grid = np.logspace(-3, 2, 201)", "grid = np.logspace(-3, 1, 161)", AssertionError),
    Falsified("(slope, 0, 0.1 / 4)):", "(slope, -1, exact)):", AssertionError),
    Falsified("relaxed_gradient_noise(np.ones_like, -1, method=each)",
              "relaxed_gradient_noise(slope, -1, method=each)", AssertionError),
    Falsified('baseline="leave-one-out").sum()', 'baseline=0.0).sum()', AssertionError),
    Falsified("beaten = (one_draw > 1).mean()", "beaten = (one_draw > 2).mean()", AssertionError),
    Falsified("(delta(j, k) - pi(j)) * (delta(m, k) - pi(m))) / 2",
              "(delta(j, k) - pi(j)) * (delta(m, k) - pi(m)))", Refuted),
    Falsified("assert 9 < spread[0] / spread[20] < 11.5", "assert 90 < spread[0] / spread[20] < 115",
              AssertionError),
    Falsified("sp.Derivative(f(inside), d), label", "sp.Derivative(f(inside), tau), label", Refuted),
    Falsified("Derivation(2 * jacobian(between, j, m) - jacobian(pi, j, m) / 2,",
              "Derivation(2 * jacobian(between, j, m) + jacobian(pi, j, m) / 2,", Refuted),
    Falsified("return (pi(a) + delta(a, k)) / 2", "return pi(a) + delta(a, k)", Refuted),
    Falsified("return delta(a, k) - delta(a, i)", "return delta(a, k) + delta(a, i)", Refuted),
    Falsified("mean.step(pi(j) * (paid(j) - sp", "mean.step(pi(j) * (paid(j) + sp", Refuted),
    Falsified("return b[a] + (Q[a, k] + Q[k, a]) / 2", "return b[a] + Q[a, k] + Q[k, a]", Refuted),
    Falsified("plain.step(pi(j) * (b[j] -", "plain.step((b[j] -", Refuted),
    Falsified("bent = bent + bent.T\n", "bent = bent - bent.T + 1\n", AssertionError),
    Falsified("[p, 1 - p] / 2  # ReinMax", "[1 - p, p] / 2  # ReinMax", AssertionError),
    Falsified("tie.step(sp.exp(mu[j]) / C * (sp.exp(mu[k]) / C),",
              "tie.step(sp.exp(mu[j]) * sp.exp(mu[k]) / C,", Refuted),
    Falsified("leaf = torch.tensor(logits,", "leaf = torch.tensor(-logits,", AssertionError),
    Falsified("2 * missing @ prototypes.T", "missing @ prototypes.T", AssertionError),
    Falsified("scores_of = advantages[:, None]", "scores_of = payoffs[:, None]", AssertionError),
    Falsified("slope(np.array([0.0, 1.0])) * p * (1 - p)  # straight",
              "slope(np.array([0.0, 1.0])) / 99  # straight", AssertionError),
    Falsified("cold_noise.solution(s(d) * sp.Integral((2 * u)**2 * u",
              "cold_noise.solution(s(d) * sp.Integral((2 * u)**2 * u**2", Refuted),
    Falsified("* (0 + 3) - sp.Integral", "* (0 + 2) - sp.Integral", Refuted),
    Falsified("multiplier.solution(sp.exp(0) /", "multiplier.solution(sp.exp(d) /", Refuted),
    # in use, and masked classes
    Falsified("(at.softmax(-1) @ prices).backward()", "(at.sigmoid() @ prices).backward()", AssertionError),
    Falsified("    soft = (p + (one - p).detach() * score) / 2", "    soft = p + (one - p).detach() * score",
              Refuted, says="a gradient is wrong"),
    Falsified("score = logits.log_softmax(-1).gather(-1, k[..., None])",
              "score = (one * logits.log_softmax(-1)).sum(-1, keepdim=True)", Refuted, says="NaN"),
    Falsified('"straight through": with_soft(lambda logits, p_, one_: p_),',
              '"straight through": with_soft(halves),', Vacuous),
    Falsified('f: "a payoff", g:', "g:", ValueError, says="f is not declared"),
    Falsified('r"d = -1": "choice"', 'r"d = -1": "obvious"', ValueError, says="one of condition"),
], exercises=4, undetermined=UNDETERMINED, argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES)
