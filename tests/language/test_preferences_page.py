"""The chapter book/language/preferences: what must not pass on it, and its exercises."""

from proofread.errors import Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-odds-of-labels", "P/(1 - P)", "price of 1"),
    ("ex-odds-of-labels", "(P/(1 - P))**beta", "nearer, or"),
    ("ex-odds-of-labels", "log(P/(1 - P))/beta", "ask for a factor"),
    ("ex-odds-of-labels", "exp((2*P - 1)/(2*beta))", "That is IPO"),
    ("ex-best-of-two", "log(2) - 1/2", "That is the bound"),
    ("ex-best-of-two", "s*(2 - s)*log(2 - s)", "may be wrong, too"),
    ("ex-best-of-two", "s*log(1/(2 - s)) + (1 - s)*log(1/(1 - s))", "other order"),
    ("ex-best-of-two", "s**2*log(s) + (1 - s**2)*log(1 + s)", "worst of two"),
]

UNCHECKED = [
    "(0.5, 0.3, 0.2)", r"(1 - \varepsilon)P + \varepsilon(1 - P)", r"(2P - 1)/(2\beta)", "(i - K)/(i - 1)",
    r"-\rho_k\log\pi_k", "0.35", "0.59", r"1 + 2\beta^2\eta t", r"1 - \sigma(-\beta h) = \sigma(\beta h)",
    r"1/(2\beta)", r"2\eta\beta^2\,\sigma(-u)", "30", r"B_k/\rho_k", "K/M",
    r"\beta(\log\pi_j - \log\pi_k) - (\log\rho_j - \log\rho_k)", r"\beta\,\mathrm{KL}(\pi\,\Vert\,\rho)",
    r"\binom{i-1}{K-1}", r"\eta\beta\,\sigma(-\beta h)", r"\log 10", r"\log(2\beta^2\eta t)/\beta",
    r"\mathbb{E}_\pi\,r", r"\mathbb{E}_\pi\,r - \beta\,\mathrm{KL}(\pi\,\Vert\,\rho)",
    r"\mathrm{KL}(\rho\,\Vert\,\pi)", r"\pi_j/\pi_k", r"\rho_k e^{r_k/\beta}", r"\sigma(-u) = 1/(1 + e^u)",
    r"e^{V_{t+1}/\beta}", "g_j - g_k", r"g_j \cdot (g_j - g_k)", r"g_j \cdot g_j", r"g_j \cdot g_k",
    r"r_k - \beta\log(\pi_k/\rho_k)", "u + e^u", r"x\log x",
]

PAGE = Page("book/language/preferences", [
    # the opening
    Falsified("loss = -F.logsigmoid(beta * h).mean()  # this is DPO",
              "loss = ((h - 1 / (2 * beta)) ** 2).mean() / 50", AssertionError),
    # comparisons
    Falsified("(won[l, k] + won[k, l]) * sigma(r[l] - r[k])", "(won[l, k] + won[k, l]) * sigma(r[k] - r[l])",
              Refuted),
    Falsified("sp.Sum(won[l, k] - (won[l, k]", "sp.Sum(won[k, l] - (won[l, k]", Refuted),
    Falsified("s = wins.sum(1) / (games", "s = wins.sum(0) / (games", AssertionError),
    Falsified("(games / (s[:, None] + s)).sum(1)", "(wins / (s[:, None] + s)).sum(1)", AssertionError),
    Falsified("1 + np.exp(r_ - r_[int(at) - 1]))).sum()), of_wins.start",
              "1 + np.exp(r_[int(at) - 1] - r_))).sum()), of_wins.start", Refuted),
    Falsified("beats = np.array([[0, 9, 1], [1, 0, 9], [9, 1, 0]])",
              "beats = np.array([[0, 9, 9], [1, 0, 9], [1, 1, 0]])", AssertionError),
    # what DPO asks for
    Falsified("asks.step(beta * (sigma(beta * h) - P),", "asks.step(sigma(beta * h) - P,", Refuted),
    Falsified("sp.Eq(h, sp.log(P / (1 - P)) / beta)", "sp.Eq(h, sp.log(P / (1 - P)) * beta)", Refuted),
    Falsified("loss = share * dpo_loss(gap, 0, 0, 0, beta=price)\n",
              "loss = dpo_loss(gap, 0, 0, 0, beta=price)\n",
              Refuted),
    Falsified("F.logsigmoid(0.5 * h_) + (1 - labels)",
              "F.logsigmoid(0.4 * h_) + (1 - labels)", AssertionError),
    Falsified("speed.step(2 * beta**2 * eta,", "speed.step(2 * beta * eta,", Refuted),
    # IPO, smoothing
    Falsified("(h - (2 * P - 1) / (2 * beta))**2 + P", "(h - (2 * P - 1) / beta)**2 + P", Refuted),
    Falsified("P * (1 - P) / beta**2, \"complete", "P * (1 - P) / (4 * beta**2), \"complete", Refuted),
    Falsified("+ (1 - share) * dpo_loss(0, at, 0, 0, beta=price, kind=\"ipo\"), square.start",
              "+ (1 - share) * dpo_loss(at, 0, 0, 0, beta=price, kind=\"ipo\"), square.start", Refuted),
    Falsified('"smoothed": logit((1 - eps) * shares + eps * (1 - shares)) / price}',
              '"smoothed": logit((1 - eps) * shares) / price}', AssertionError),
    Falsified('"ipo": (2 * shares - 1) / (2 * price),', '"ipo": (2 * shares - 1) / price,', AssertionError),
    Falsified("gap += 2 * 0.1 * push", "gap += 0.1 * push", AssertionError),
    Falsified("c := 1 + 2 * price**2 * 0.1 * marks", "c := 1 + 2 * price * 0.1 * marks", AssertionError),
    Falsified("curves=list(runs.values()),", "curves=list(runs.values())[::-1],", ValueError, says="drawn"),
    # the code
    Falsified("return log_p.masked_fill(~answer, 0).sum(-1)", "return log_p.masked_fill(~answer, 0).mean(-1)",
              AssertionError),
    Falsified("return log_p.masked_fill(~answer, 0).sum(-1)", "return log_p.sum(-1)", AssertionError),
    Falsified("m(ids).logits[:, :-1], ids[:, 1:], answer[:, 1:])",
              "m(ids).logits, ids, answer)", AssertionError),
    Falsified("return (h - 1 / (2 * beta)) ** 2\n    return", "return (h - 1 / beta) ** 2\n    return",
              AssertionError),
    Falsified("- smoothing * F.logsigmoid(-beta * h))",
              "- smoothing * F.logsigmoid(beta * h))", AssertionError),
    Falsified("preference_loss(up - down, **options)", "preference_loss(up, **options)", AssertionError),
    # what moves
    Falsified("-beta * sigma(-margin) * (delta(j, l) - delta(k, l))",
              "-beta * sigma(-margin) * (delta(j, l) + delta(k, l))", Refuted),
    Falsified("-beta * sigma(-margin) * (delta(j, l)", "-sigma(-margin) * (delta(j, l)", Refuted),
    Falsified('preferring(lines[19:38], lines[38:]))', 'preferring(aphorisms, lines[38:]))', AssertionError),
    Falsified("lines[:19], nll=0.2)", "lines[:19], nll=0.0)", AssertionError),
    Falsified("alone = (g_chosen * (g_chosen - g_rejected)).sum(-1)",
              "alone = (g_chosen * (g_chosen - 2 * g_rejected.sum(0))).sum(-1)", AssertionError),
    # two penalties
    Falsified("sp.Eq(x, beta * rho_[k] / (lam - r[k]))", "sp.Eq(x, rho_[k] / (lam - r[k]))", Refuted),
    Falsified("return price * three / (top - of_three)", "return three / (top - of_three)", AssertionError),
    # best of n
    Falsified("F_(k)**K - F_(k - 1)**K, label", "F_(k)**K - F_(k - 1)**(K + 1), label", ValueError,
              says="no side of eq-best-of"),
    Falsified("by_groups[max(group)] +=", "by_groups[min(group)] +=", AssertionError),
    Falsified("lambda group: float(max(group) == 1)", "lambda group: float(max(group) <= 1)", Refuted),
    Falsified("best_of(np.log(law_), np.arange(5), int(size))[int(at) - 1]",
              "best_of(np.log(law_), -np.arange(5), int(size))[int(at) - 1]", Refuted),
    Falsified("bound.step(sp.log(K) - (K - 1) / K,", "bound.step(sp.log(K) - (K - 1),", Refuted),
    Falsified("density = K * place**(K - 1)", "density = place**(K - 1)", Refuted),
    Falsified("best_of_kl(np.log(law_), np.arange(5), int(size)), bound.start",
              "best_of_bound(int(size)), bound.start", Refuted),
    Falsified("frontier = placed(tilt(at, pays, prices))", "frontier = placed(tilt(at, -pays, prices))",
              AssertionError),
    Falsified("ax.plot(*frontier.T, label", "ax.plot(*(1.1 * frontier).T, label", ValueError, says="drawn"),
    # tokens
    Falsified("p_[t] * sp.exp((V[t] - V[t - 1]) / beta)", "p_[t] * sp.exp(V[t] / beta)", Refuted),
    Falsified("soft_step(hidden, worth, 3, 0.5)", "soft_step(hidden, worth, 3, 0.6)", AssertionError),
    # exercises
    Falsified("odds.solution(sp.exp(sp.log(P / (1 - P)))**(1 / beta))",
              "odds.solution(sp.exp(sp.log(P / (1 - P)))**beta)", Refuted),
    Falsified("two_draws.solution((1 - s)**2 * sp.log((1 - s)**2 / (1 - s))",
              "two_draws.solution((1 - s)**2 * sp.log(1 - s) * 2", Refuted),
    Falsified("share *= (i - K) / max(i - 1, 1)", "share *= (i - K) / i", Refuted),
    Falsified('"the mean": lambda pays, size: np.mean(pays)',
              '"the mean": lambda pays, size: right_answer(pays, size)', Vacuous),
    # sentences
    Falsified(r"0.5^4 \approx 0.06", r"0.5^4 \approx 0.07", Refuted, sentence=True),
], unchecked=UNCHECKED, mistakes=MISTAKES)
